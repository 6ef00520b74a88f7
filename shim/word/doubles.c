/** The double transport: `double rt_ctorch_f_*(double × n)`. Words are exact in a double. */
#include <math.h>

#include "word/lists.h"
#include "word/numbers.h"
#include "word/word.h"

/** The word that a double stands for; if it is none, -1, which no function takes. */
static int64_t word_of(double value) {
  return value >= -0x1p53 && value <= 0x1p53 && value == trunc(value) ? (int64_t)value : -1;
}

static double end_word(word_call *call, int64_t word) { return (double)word_end_new(call, word); }

/** End a call whose result is any double. */
static double end_double(word_call *call, double value) {
  if (call->error == NULL) {
    word_last_error_clear();
  } else {
    value = NAN;
  }
  (void)word_end(call, 0);
  return value;
}

double rt_ctorch_f_number(double value) {
  word_call call = word_begin("rt_ctorch_f_number");
  return end_word(&call, word_from_double(&call, value));
}

double rt_ctorch_f_complex(double real, double imaginary) {
  word_call call = word_begin("rt_ctorch_f_complex");
  return end_word(&call, word_from_complex(&call, real, imaginary));
}

double rt_ctorch_f_value(double number) {
  word_call call = word_begin("rt_ctorch_f_value");
  return end_double(&call, word_double(&call, "number", word_of(number)));
}

double rt_ctorch_f_imaginary(double number) {
  word_call call = word_begin("rt_ctorch_f_imaginary");
  return end_double(&call, word_imaginary(&call, "number", word_of(number)));
}

double rt_ctorch_f_doubles_push(double list, double value) {
  word_call call = word_begin("rt_ctorch_f_doubles_push");
  word_append(&call, "list", word_of(list), RT_CTORCH_KIND_DOUBLES, &value, 1);
  return (double)word_end_done(&call);
}

double rt_ctorch_f_doubles_get(double list, double index) {
  word_call call = word_begin("rt_ctorch_f_doubles_get");
  int64_t at = word_of(index);
  const double *entry = word_entry(&call, word_of(list), RT_CTORCH_KIND_DOUBLES, at);
  return end_double(&call, entry == NULL ? 0.0 : *entry);
}

double rt_ctorch_f_doubles_of(double count, double a, double b, double c, double d, double e, double f, double g) {
  word_call call = word_begin("rt_ctorch_f_doubles_of");
  const double entries[] = {a, b, c, d, e, f, g};
  size_t len = (size_t)word_unsigned(&call, "count", word_of(count), 7);
  return end_word(&call, call.error == NULL ? word_from_entries(&call, RT_CTORCH_KIND_DOUBLES, entries, len) : 0);
}

double rt_ctorch_f_scalars_push(double list, double value) {
  word_call call = word_begin("rt_ctorch_f_scalars_push");
  const ctorch_scalar entry = {CTORCH_SCALAR_FLOAT, 0, 0, value, 0.0};
  word_append(&call, "list", word_of(list), RT_CTORCH_KIND_SCALARS, &entry, 1);
  return (double)word_end_done(&call);
}

double rt_ctorch_f_item(double tensor) {
  word_call call = word_begin("rt_ctorch_f_item");
  const ctorch_tensor *self = word_handle(&call, "tensor", word_of(tensor), RT_CTORCH_KIND_TENSOR);
  double value = 0.0;
  if (call.error == NULL) {
    call.error = ctorch_tensor_item_double(&value, self);
  }
  return end_double(&call, value);
}
