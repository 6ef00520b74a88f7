/* Texts that go into functions: names, options and messages. The first byte of an input chooses the function; what
 * follows are its texts, one a line. A message of LibTorch's that quotes the text goes through the table of
 * wordings. */
#include <stdlib.h>

#include "fuzz/fuzz.h"

static ctorch_tensor *matrix, *falsehood;
static ctorch_op *operator_;

static void prepare(void) {
  fuzz_must(ctorch_aten_zeros(&matrix, CTORCH_INTS(2, 3), NULL, NULL, NULL, NULL));
  fuzz_must(ctorch_aten_zeros(
      &falsehood, (const int64_t[1]){0}, 0, CTORCH_SOME(ctorch_dtype, CTORCH_DTYPE_BOOL), NULL, NULL, NULL));
  fuzz_must(ctorch_op_find(&operator_, "aten::add.Tensor", NULL));
}

static void make_error(const char *message, const char *file, const char *function, int64_t number) {
  ctorch_error *made;
  const ctorch_error_kind kind = (ctorch_error_kind)number;
  const bool known = ctorch_error_kind_name(kind) != NULL;
  if (!fuzz_ok(&made, ctorch_error_new(&made, kind, message))) {
    fuzz_assert(!known || !fuzz_is_utf8(message));
    return;
  }
  fuzz_assert(known && fuzz_is_utf8(message));
  fuzz_assert(strcmp(ctorch_error_message(made), message) == 0);
  fuzz_assert(*ctorch_error_function(made) == '\0');
  for (int i = 0; i < 70; i += 1 + (int)strlen(file) % 69) {
    ctorch_error_add_frame(made, *file == '\0' ? NULL : file, (int32_t)number, *function == '\0' ? NULL : function);
  }
  const char *trace = ctorch_error_trace(made);
  fuzz_assert((*trace != '\0') == (*file != '\0' || *function != '\0'));
  fuzz_assert(!fuzz_is_utf8(file) || !fuzz_is_utf8(function) || fuzz_is_utf8(trace));
  ctorch_error_release(made);
}

/* What LibTorch says with these words. */
static void fail_with(const char *message) {
  fuzz_assert(!fuzz_try(ctorch_aten__assert_async_msg(falsehood, message)));
}

static void find_operator(const char *name, const char *overload) {
  ctorch_op *op;
  if (fuzz_ok(&op, ctorch_op_find(&op, name, *overload == '\0' ? NULL : overload))) {
    fuzz_assert(strncmp(ctorch_op_name(op), name, strlen(ctorch_op_name(op))) == 0);
    fuzz_release(ctorch_op, op);
  }
}

static void make_value(const char *text) {
  ctorch_value *value;
  ctorch_string *digits;
  if (fuzz_ok(&value, ctorch_value_from_decimal(&value, text))) {
    if (fuzz_ok(&digits, ctorch_value_to_decimal(&digits, value))) {
      ctorch_value *again;
      bool equal;
      fuzz_must(ctorch_value_from_decimal(&again, ctorch_string_data(digits)));
      fuzz_must(ctorch_value_equal(&equal, value, again));
      fuzz_assert(equal);
      fuzz_release(ctorch_value, again);
      fuzz_release(ctorch_string, digits);
    }
    fuzz_release(ctorch_value, value);
  }
  if (fuzz_ok(&value, ctorch_value_from_string(&value, text))) {
    ctorch_string *printed;
    fuzz_must(ctorch_value_repr(&printed, value));
    fuzz_assert(fuzz_is_utf8(ctorch_string_data(printed)));
    fuzz_release(ctorch_string, printed);
    fuzz_release(ctorch_value, value);
  }
}

static void make_module(const char *padding, const char *padding_mode) {
  const char *mode = *padding_mode == '\0' ? NULL : padding_mode;
  ctorch_module *module;
  if (fuzz_ok(
          &module, ctorch_nn_Conv2d_padding(
                       &module, 1, 1, CTORCH_INTS(1, 1), NULL, 0, padding, NULL, 0, 1, true, mode, NULL, NULL))) {
    fuzz_release(ctorch_module, module);
  }
}

static void text_input(fuzz_input *input) {
  if (matrix == NULL) {
    prepare();
  }
  const uint8_t function = fuzz_byte(input);
  char *first = fuzz_line(input), *second = fuzz_line(input), *third = fuzz_line(input);
  bool has;
  ctorch_tensor *made;
  switch (function % 12) {
    case 0:
      make_error(first, second, third, fuzz_int64(input));
      break;
    case 1:
      fail_with(first);
      break;
    case 2:
      find_operator(first, second);
      break;
    case 3:
      (void)!fuzz_ok(&has, ctorch_op_has_kernel(&has, operator_, first));
      break;
    case 4:
      make_value(first);
      break;
    case 5:
      make_module(first, second);
      break;
    case 6:
      (void)!fuzz_try(ctorch_init_kaiming_uniform_(matrix, 0, first, second, NULL));
      break;
    case 7:
      (void)!fuzz_try(ctorch_settings_set_float32_matmul_precision(first));
      (void)!fuzz_try(ctorch_settings_set_fp32_precision(first, second, third));
      break;
    case 8:
      (void)!fuzz_try(ctorch_warning_emit(CTORCH_WARNING_USER, first));
      break;
    case 9:
      if (fuzz_ok(&made, ctorch_aten_einsum(&made, first, CTORCH_TENSORS(matrix, matrix), NULL, 0))) {
        fuzz_release(ctorch_tensor, made);
      }
      break;
    case 10:
      if (fuzz_ok(&made, ctorch_aten_div_Tensor_mode(&made, matrix, matrix, first))) {
        fuzz_release(ctorch_tensor, made);
      }
      break;
    default: {
      ctorch_library *library;
      if (fuzz_ok(&library, ctorch_library_new(&library, first))) {
        fuzz_assert(strcmp(ctorch_library_namespace(library), first) == 0);
        fuzz_release(ctorch_library, library);
      }
      break;
    }
  }
  free(third);
  free(second);
  free(first);
}

FUZZ_TARGET(text_input)
