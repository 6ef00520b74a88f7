/* Tensors computed one after another: beginning and end, making, views and reading. */
#include "base/calculation.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/sequence.h"
#include "core/c/error.h"
#include "core/c/tensor.h"

void calculation_begin(struct calculation *self, const char *function) {
  *self = (struct calculation){.function = function};
  self->error = ctorch_scope_begin(&self->scope);
}

ctorch_error *calculation_end(struct calculation *self) {
  ctorch_scope_end(self->scope);
  return error_of(self->function, self->error);
}

void calc_fail_with(struct calculation *self, ctorch_error *error) {
  self->error = ctorch_error_first(self->error, error);
}

void calc_fail(struct calculation *self, ctorch_error_kind kind, const char *format, ...) {
  char message[400];
  va_list arguments;
  if (self->error != NULL) {
    return;
  }
  va_start(arguments, format);
  vsnprintf(message, sizeof message, format, arguments);
  va_end(arguments);
  self->error = error_make(self->function, kind, "%s", message);
}

bool calc_goes_on(const struct calculation *self, const ctorch_tensor *a, const ctorch_tensor *b) {
  return self->error == NULL && a != NULL && b != NULL;
}

void calc_drop(struct calculation *self, ctorch_tensor *tensor) {
  if (self->error == NULL) {
    ctorch_scope_discard(tensor);
  }
}

static bool goes_on(const struct calculation *self, const ctorch_tensor *x) { return calc_goes_on(self, x, x); }

/* The result of an operator, unless it failed. */
#define RESULT_OF(call)             \
  do {                              \
    ctorch_tensor *out_made = NULL; \
    calc_fail_with(self, call);     \
    return out_made;                \
  } while (0)

/* Making. */

static bool device_of(struct calculation *self, ctorch_device *out, const ctorch_tensor *like) {
  if (!goes_on(self, like)) {
    return false;
  }
  calc_fail_with(self, ctorch_tensor_device(out, like));
  return self->error == NULL;
}

static ctorch_tensor *moved(
    struct calculation *self, ctorch_tensor *made, ctorch_dtype dtype, const ctorch_tensor *like) {
  ctorch_device device;
  if (!calc_goes_on(self, made, like)) {
    return NULL;
  }
  calc_fail_with(self, ctorch_tensor_device(&device, like));
  ctorch_tensor *out_made = NULL;
  THEN(self->error, ctorch_aten_to_device(&out_made, made, &device, dtype, false, false, NULL));
  return out_made;
}

ctorch_tensor *calc_doubles(
    struct calculation *self, const double *values, size_t len, ctorch_dtype dtype, const ctorch_tensor *like) {
  ctorch_tensor *made = NULL;
  int64_t size = (int64_t)len;
  if (goes_on(self, like)) {
    calc_fail_with(self, ctorch_tensor_from_data(&made, values, len * sizeof *values, &size, 1, CTORCH_DTYPE_FLOAT64));
  }
  return moved(self, made, dtype, like);
}

ctorch_tensor *calc_ints(
    struct calculation *self, const int64_t *values, size_t len, ctorch_dtype dtype, const ctorch_tensor *like) {
  ctorch_tensor *made = NULL;
  int64_t size = (int64_t)len;
  if (goes_on(self, like)) {
    calc_fail_with(self, ctorch_tensor_from_data(&made, values, len * sizeof *values, &size, 1, CTORCH_DTYPE_INT64));
  }
  return moved(self, made, dtype, like);
}

ctorch_tensor *calc_ones(
    struct calculation *self, const int64_t *sizes, size_t len, ctorch_dtype dtype, const ctorch_tensor *like) {
  ctorch_device device;
  if (!goes_on(self, like)) {
    return NULL;
  }
  calc_fail_with(self, ctorch_tensor_device(&device, like));
  ctorch_tensor *made = NULL;
  THEN(self->error, ctorch_aten_ones(&made, sizes, len, &dtype, NULL, &device, NULL));
  return made;
}

ctorch_tensor *calc_full(
    struct calculation *self,
    const int64_t *sizes,
    size_t len,
    ctorch_scalar value,
    ctorch_dtype dtype,
    const ctorch_tensor *like) {
  ctorch_device device;
  if (!device_of(self, &device, like)) {
    return NULL;
  }
  RESULT_OF(ctorch_aten_full(&out_made, sizes, len, &value, &dtype, NULL, &device, NULL));
}

ctorch_tensor *calc_int(struct calculation *self, int64_t number, const ctorch_tensor *like) {
  return calc_full(self, NULL, 0, whole(number), CTORCH_DTYPE_INT64, like);
}

ctorch_tensor *calc_float(struct calculation *self, double number, ctorch_dtype dtype, const ctorch_tensor *like) {
  return calc_full(self, NULL, 0, floating(number), dtype, like);
}

ctorch_tensor *calc_arange(struct calculation *self, int64_t end, const ctorch_tensor *like) {
  ctorch_device device;
  if (!device_of(self, &device, like)) {
    return NULL;
  }
  RESULT_OF(ctorch_aten_arange(&out_made, CTORCH_INT(end), NULL, NULL, &device, NULL));
}

ctorch_tensor *calc_linspace(struct calculation *self, int64_t steps, ctorch_dtype dtype, const ctorch_tensor *like) {
  ctorch_device device;
  if (!device_of(self, &device, like)) {
    return NULL;
  }
  RESULT_OF(ctorch_aten_linspace(&out_made, CTORCH_INT(0), CTORCH_INT(1), steps, &dtype, NULL, &device, NULL));
}

/* Seen another way. */

ctorch_tensor *calc_clone(struct calculation *self, const ctorch_tensor *x) {
  if (!goes_on(self, x)) {
    return NULL;
  }
  RESULT_OF(ctorch_aten_clone(&out_made, x, NULL));
}

ctorch_tensor *calc_to(struct calculation *self, const ctorch_tensor *x, ctorch_dtype dtype) {
  if (!goes_on(self, x)) {
    return NULL;
  }
  RESULT_OF(ctorch_aten_to_dtype(&out_made, x, dtype, false, false, NULL));
}

ctorch_tensor *calc_reshape(struct calculation *self, const ctorch_tensor *x, const int64_t *sizes, size_t len) {
  if (!goes_on(self, x)) {
    return NULL;
  }
  RESULT_OF(ctorch_aten_reshape(&out_made, x, sizes, len));
}

ctorch_tensor *calc_reshape_as(struct calculation *self, const ctorch_tensor *x, const ctorch_tensor *like) {
  if (!calc_goes_on(self, x, like)) {
    return NULL;
  }
  return calc_reshape(self, x, ctorch_tensor_sizes(like), (size_t)ctorch_tensor_ndim(like));
}

ctorch_tensor *calc_rows(struct calculation *self, const ctorch_tensor *x, int64_t columns) {
  return calc_reshape(self, x, (const int64_t[]){-1, columns}, 2);
}

ctorch_tensor *calc_column(struct calculation *self, const ctorch_tensor *x, int64_t column) {
  if (!goes_on(self, x)) {
    return NULL;
  }
  RESULT_OF(ctorch_aten_select_int(&out_made, x, -1, column));
}

ctorch_tensor *calc_columns(
    struct calculation *self, const ctorch_tensor *x, int64_t first, int64_t end, int64_t step) {
  if (!goes_on(self, x)) {
    return NULL;
  }
  RESULT_OF(ctorch_aten_slice_Tensor(&out_made, x, -1, &first, &end, step));
}

ctorch_tensor *calc_slice(struct calculation *self, const ctorch_tensor *x, int64_t dim, int64_t start, int64_t end) {
  if (!goes_on(self, x)) {
    return NULL;
  }
  RESULT_OF(ctorch_aten_slice_Tensor(&out_made, x, dim, &start, &end, 1));
}

ctorch_tensor *calc_unsqueeze(struct calculation *self, const ctorch_tensor *x, int64_t dim) {
  if (!goes_on(self, x)) {
    return NULL;
  }
  RESULT_OF(ctorch_aten_unsqueeze(&out_made, x, dim));
}

ctorch_tensor *calc_squeeze(struct calculation *self, const ctorch_tensor *x, int64_t dim) {
  if (!goes_on(self, x)) {
    return NULL;
  }
  RESULT_OF(ctorch_aten_squeeze_dim(&out_made, x, dim));
}

ctorch_tensor *calc_transpose(struct calculation *self, const ctorch_tensor *x, int64_t first, int64_t second) {
  if (!goes_on(self, x)) {
    return NULL;
  }
  RESULT_OF(ctorch_aten_transpose_int(&out_made, x, first, second));
}

ctorch_tensor *calc_expand(struct calculation *self, const ctorch_tensor *x, const int64_t *sizes, size_t len) {
  if (!goes_on(self, x)) {
    return NULL;
  }
  RESULT_OF(ctorch_aten_expand(&out_made, x, sizes, len, false));
}

ctorch_tensor *calc_movedim(struct calculation *self, const ctorch_tensor *x, int64_t source, int64_t destination) {
  if (!goes_on(self, x)) {
    return NULL;
  }
  RESULT_OF(ctorch_aten_movedim_int(&out_made, x, source, destination));
}

ctorch_tensor *calc_select(struct calculation *self, const ctorch_tensor *x, int64_t dim, int64_t index) {
  if (!goes_on(self, x)) {
    return NULL;
  }
  RESULT_OF(ctorch_aten_select_int(&out_made, x, dim, index));
}

ctorch_tensor *calc_floating(struct calculation *self, const ctorch_tensor *x) {
  return !goes_on(self, x) ? NULL : calc_is_floating(x) ? (ctorch_tensor *)x : calc_to(self, x, CTORCH_DTYPE_FLOAT32);
}

/* Reading. */

bool calc_truth(struct calculation *self, const ctorch_tensor *x) {
  bool truth = false;
  if (goes_on(self, x)) {
    calc_fail_with(self, ctorch_tensor_item_bool(&truth, x));
  }
  return truth;
}

double calc_number(struct calculation *self, const ctorch_tensor *x) {
  ctorch_scalar number = {0};
  if (goes_on(self, x)) {
    calc_fail_with(self, ctorch_tensor_item(&number, x));
  }
  return number.kind == CTORCH_SCALAR_FLOAT ? number.re : (double)number.i;
}

bool calc_any(struct calculation *self, const ctorch_tensor *x) {
  ctorch_tensor *any = NULL;
  if (!goes_on(self, x)) {
    return false;
  }
  calc_fail_with(self, ctorch_aten_any(&any, x));
  return calc_truth(self, any);
}

void calc_extremes(struct calculation *self, const ctorch_tensor *x, double *least, double *greatest) {
  ctorch_tensor *min = NULL, *max = NULL;
  if (goes_on(self, x)) {
    calc_fail_with(self, ctorch_aten_aminmax(&min, &max, x, NULL, false));
  }
  *least = calc_number(self, min);
  *greatest = calc_number(self, max);
}

bool calc_is_floating(const ctorch_tensor *x) {
  bool is_floating = false;
  ctorch_error_release(ctorch_aten_is_floating_point(&is_floating, x));
  return is_floating;
}

int64_t calc_size(const ctorch_tensor *x, int64_t dim) {
  return x == NULL || dim >= ctorch_tensor_ndim(x) ? 0 : ctorch_tensor_sizes(x)[dim];
}

bool calc_same_sizes(const ctorch_tensor *a, const ctorch_tensor *b) {
  int64_t ndim = ctorch_tensor_ndim(a);
  return ndim == ctorch_tensor_ndim(b) &&
         (ndim == 0 || memcmp(ctorch_tensor_sizes(a), ctorch_tensor_sizes(b), (size_t)ndim * sizeof(int64_t)) == 0);
}
