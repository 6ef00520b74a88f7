/* Definitions of operators by the text of a schema. An input is the schema; further lines are the name and the
 * dispatch key to give it a kernel for, then bytes for what it is called with. A definition that succeeds can be
 * read, called and taken back, and its text as it is printed defines the same operator again. */
#include <stdlib.h>

#include "fuzz/fuzz.h"

enum { VALUES = 8 };

static ctorch_value *make_value(fuzz_input *input) {
  ctorch_value *made = NULL;
  switch (fuzz_below(input, VALUES)) {
    case 0:
      return NULL;
    case 1:
      fuzz_must(ctorch_value_from_int(&made, fuzz_int64(input)));
      break;
    case 2:
      fuzz_must(ctorch_value_from_double(&made, fuzz_double(input)));
      break;
    case 3:
      fuzz_must(ctorch_value_from_string(&made, "text"));
      break;
    case 4:
      fuzz_must(ctorch_value_from_ints(&made, CTORCH_INTS(1, 2)));
      break;
    case 5:
      fuzz_must(ctorch_value_from_list(&made, NULL, 0));
      break;
    case 6:
      fuzz_must(ctorch_value_from_none(&made));
      break;
    default:
      fuzz_must(ctorch_value_from_bool(&made, true));
      break;
  }
  return made;
}

/* Answers its first arguments, whatever their type, or nothing. */
static ctorch_callback_status kernel(
    ctorch_value **results,
    size_t results_len,
    const ctorch_value *const *args,
    size_t args_len,
    ctorch_error **error,
    void *payload) {
  (void)error, (void)payload;
  for (size_t i = 0; i < results_len && i < args_len; i++) {
    ctorch_value_retain(args[i]);
    results[i] = (ctorch_value *)args[i];
  }
  return CTORCH_CALLBACK_OK;
}

/* The name before the parenthesis, without what blanks are around it. */
static char *name_of(const char *schema) {
  const char *end = strchr(schema, '(');
  size_t len = end == NULL ? 0 : (size_t)(end - schema);
  while (len > 0 && strchr(" \t\r\f\v", schema[len - 1]) != NULL) {
    len--;
  }
  while (len > 0 && strchr(" \t\r\f\v", *schema) != NULL) {
    schema++;
    len--;
  }
  char *name = fuzz_memory(len + 7);
  memcpy(name, "fuzz::", 7);
  if (len >= 6 && memcmp(schema, "fuzz::", 6) == 0) {
    schema += 6;
    len -= 6;
  }
  memcpy(name + 6, schema, len);
  name[6 + len] = '\0';
  return name;
}

static void read_schema(const ctorch_op *op) {
  const size_t args = ctorch_op_num_arguments(op);
  for (size_t i = 0; i <= args; i++) {
    fuzz_assert((ctorch_op_argument_name(op, i) != NULL) == (i < args));
    fuzz_assert((ctorch_op_argument_type(op, i) != NULL) == (i < args));
    fuzz_assert((ctorch_op_argument_alias(op, i) != NULL) == (i < args));
    ctorch_value *fallback = NULL;
    ctorch_error *error = ctorch_op_argument_default(&fallback, op, i);
    if (error != NULL && i < args) {
      fuzz_fail("no default of argument %zu of %s: %s", i, ctorch_op_schema(op), ctorch_error_message(error));
    }
    if (fuzz_done("ctorch_op_argument_default", error)) {
      fuzz_assert((fallback != NULL) == ctorch_op_argument_has_default(op, i));
      fuzz_release(ctorch_value, fallback);
    }
    (void)!ctorch_op_argument_is_mutated(op, i);
    (void)!ctorch_op_argument_is_keyword_only(op, i);
  }
  const size_t returns = ctorch_op_num_returns(op);
  for (size_t i = 0; i <= returns; i++) {
    fuzz_assert((ctorch_op_return_name(op, i) != NULL) == (i < returns));
    fuzz_assert((ctorch_op_return_type(op, i) != NULL) == (i < returns));
    fuzz_assert((ctorch_op_return_alias(op, i) != NULL) == (i < returns));
  }
}

static void call(const ctorch_op *op, fuzz_input *input) {
  const size_t most = ctorch_op_num_arguments(op) + 1, len = fuzz_below(input, most < 256 ? most + 1 : 256);
  ctorch_value **args = fuzz_memory(len * sizeof *args), *result;
  for (size_t i = 0; i < len; i++) {
    args[i] = make_value(input);
  }
  if (fuzz_ok(&result, ctorch_op_call(&result, op, (const ctorch_value *const *)args, len))) {
    fuzz_release(ctorch_value, result);
  }
  for (size_t i = 0; i < len; i++) {
    fuzz_release(ctorch_value, args[i]);
  }
  free(args);
}

/* What is printed defines the operator anew, and is printed again as it was. LibTorch prints some defaults as it
 * does not read them, such as devices without quotation marks. */
static void define_again(const char *name, const char *printed) {
  ctorch_library *library;
  fuzz_must(ctorch_library_new(&library, "fuzz"));
  if (!fuzz_try(ctorch_library_define(library, printed))) {
    ctorch_library_release(library);
    return;
  }
  ctorch_op *op;
  if (!fuzz_ok(&op, ctorch_op_find(&op, name, NULL))) {
    fuzz_fail("a schema that defines another name than %s: %s", name, printed);
  }
  /* LibTorch prints a set of several aliases in whatever order its table has them. */
  if (strchr(printed, '|') == NULL && strcmp(ctorch_op_schema(op), printed) != 0) {
    fuzz_fail("a schema that is printed otherwise when it is defined again: %s; %s", printed, ctorch_op_schema(op));
  }
  fuzz_release(ctorch_op, op);
  ctorch_library_release(library);
}

static void schema_input(fuzz_input *input) {
  ctorch_library *library;
  fuzz_must(ctorch_library_new(&library, "fuzz"));
  char *schema = fuzz_line(input), *other = fuzz_line(input), *key = fuzz_line(input), *name = name_of(schema);
  const bool defined = fuzz_try(ctorch_library_define(library, schema));
  ctorch_op *op = NULL;
  char *printed = NULL;
  if (defined) {
    fuzz_assert(!fuzz_try(ctorch_library_define(library, schema)));
    const char *implemented = *other == '\0' ? name + 6 : other;
    if (fuzz_try(ctorch_library_implement(library, implemented, *key == '\0' ? NULL : key, kernel, NULL, NULL)) &&
        *key != '\0') {
      (void)!fuzz_try(ctorch_library_fallthrough(library, implemented, "Autograd"));
    }
    if (fuzz_ok(&op, ctorch_op_find(&op, name, NULL))) {
      fuzz_assert(ctorch_op_is_registered(op));
      fuzz_assert(strcmp(ctorch_op_namespace(op), "fuzz") == 0);
      read_schema(op);
      call(op, input);
      printed = fuzz_memory(strlen(ctorch_op_schema(op)) + 1);
      strcpy(printed, ctorch_op_schema(op));
    }
  } else {
    (void)!fuzz_try(ctorch_library_implement(library, other, key, kernel, NULL, NULL));
    (void)!fuzz_try(ctorch_library_autograd_not_implemented(library, other));
  }
  ctorch_library_release(library);
  if (op != NULL) {
    fuzz_assert(!ctorch_op_is_registered(op));
    ctorch_value *result;
    fuzz_assert(!fuzz_ok(&result, ctorch_op_call(&result, op, NULL, 0)));
    fuzz_release(ctorch_op, op);
    define_again(name, printed);
  }
  free(printed);
  free(name);
  free(key);
  free(other);
  free(schema);
}

FUZZ_TARGET(schema_input)
