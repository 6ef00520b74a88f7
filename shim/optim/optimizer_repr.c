/* The text of an optimizer, as Python prints it: the options of each group in the order of their names. */
#include <stdlib.h>
#include <string.h>

#include "base/sequence.h"
#include "base/text.h"
#include "core/c/error.h"
#include "core/c/tensor.h"
#include "optim/group.h"
#include "optim/list.h"

static int compare_names(const void *a, const void *b) {
  return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* A tensor without dimensions stands there as its number. */
static void add_tensor(struct text *text, const ctorch_value *value) {
  ctorch_tensor *tensor = NULL;
  ctorch_value *number = NULL;
  THEN(text->error, ctorch_value_to_tensor(&tensor, value));
  if (text->error == NULL && ctorch_tensor_ndim(tensor) == 0 && !tensor_is_complex(tensor)) {
    double item = 0;
    text->error = ctorch_tensor_item_double(&item, tensor);
    THEN(text->error, ctorch_value_from_double(&number, item));
  }
  text_value(text, number != NULL ? number : value);
  ctorch_value_release(number);
  ctorch_tensor_release(tensor);
}

/* A text stands without quotes there. */
static void add_option(struct text *text, const char *name, const ctorch_value *value) {
  const char *plain = NULL;
  text_add(text, "    %s: ", name);
  if (ctorch_value_kind_of(value) == CTORCH_VALUE_STRING) {
    THEN(text->error, ctorch_value_to_string(&plain, NULL, value));
    text_add(text, "%s", plain == NULL ? "" : plain);
  } else if (ctorch_value_kind_of(value) == CTORCH_VALUE_TENSOR) {
    add_tensor(text, value);
  } else {
    text_value(text, value);
  }
  text_add(text, "\n");
}

static ctorch_error *add_sorted(struct text *text, const ctorch_value *options, const ctorch_value *keys) {
  size_t len = ctorch_value_len(keys);
  const char **names = calloc(len + 1, sizeof *names);
  ctorch_error *error = names == NULL ? error_memory(text->function, (len + 1) * sizeof *names) : NULL;
  for (size_t i = 0; error == NULL && i < len; i++) {
    ctorch_value *key = NULL;
    error = ctorch_value_get(&key, keys, i);
    THEN(error, ctorch_value_to_string(&names[i], NULL, key));
    ctorch_value_release(key); /* the list has the same text */
  }
  if (error == NULL) {
    qsort(names, len, sizeof *names, compare_names);
  }
  for (size_t i = 0; error == NULL && i < len; i++) {
    ctorch_value *value = NULL;
    error = ctorch_value_dict_at(&value, options, names[i]);
    if (error == NULL) {
      add_option(text, names[i], value);
    }
    ctorch_value_release(value);
  }
  free(names);
  return error;
}

ctorch_error *ctorch_optimizer_repr(ctorch_string **out, const ctorch_optimizer *self) {
  CTORCH_TRY(error_refusal(__func__));
  if (out == NULL || self == NULL) {
    return error_null(__func__, out == NULL ? "out" : "self");
  }
  struct text text = {.function = __func__};
  text_add(&text, "%s (", ctorch_optimizer_name(self));
  for (size_t i = 0; text.error == NULL && i < self->len; i++) {
    ctorch_value *options = NULL, *keys = NULL;
    text_add(&text, "\nParameter Group %zu\n", i);
    ctorch_error *error = group_options(__func__, &options, &self->groups[i]);
    THEN(error, ctorch_value_dict_keys(&keys, options));
    THEN(error, add_sorted(&text, options, keys));
    text.error = ctorch_error_first(text.error, error);
    ctorch_value_release(keys);
    ctorch_value_release(options);
  }
  text_add(&text, ")");
  ctorch_error *error = text.error != NULL ? NULL : string_give(__func__, out, text_data(&text), text.len);
  return ctorch_error_first(text_end(&text), error);
}
