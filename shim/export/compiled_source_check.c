/* That tensors are what the source of a compiled model says of its inputs. */
#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/sequence.h"
#include "core/c/error.h"
#include "export/compiled_source.h"

/* Sums of products of symbols -------------------------------------------------------------------------------------- */

struct expression {
  const struct compiled_source *source;
  const ctorch_tensor *const *inputs;
  const char *at;
  bool is_known; /* false where it is something else, or does not fit 64 bits */
  int depth;
};

static int64_t unknown(struct expression *self) {
  self->is_known = false;
  return 0;
}

static void skip_spaces(struct expression *self) { self->at += strspn(self->at, " "); }

static int64_t symbol_value(struct expression *self, const char *name, size_t len) {
  for (size_t i = 0; i < self->source->symbols_len; i++) {
    const struct source_symbol *symbol = &self->source->symbols[i];
    if (strlen(symbol->name) == len && memcmp(symbol->name, name, len) == 0) {
      const ctorch_tensor *tensor = self->inputs[symbol->input];
      if (symbol->is_ambiguous || (int64_t)symbol->dim >= ctorch_tensor_ndim(tensor)) {
        return unknown(self);
      }
      return (symbol->is_stride ? ctorch_tensor_strides(tensor) : ctorch_tensor_sizes(tensor))[symbol->dim];
    }
  }
  return unknown(self);
}

static int64_t sum(struct expression *self);

static int64_t factor(struct expression *self) {
  enum { DEEPEST = 50 };
  skip_spaces(self);
  const char *begin = self->at;
  if (isdigit((unsigned char)*begin)) {
    char *end = NULL;
    const long long number = strtoll(begin, &end, 10);
    self->at = end + strspn(end, "L");
    return number == INT64_MAX ? unknown(self) : number;
  }
  if (isalpha((unsigned char)*begin) || *begin == '_') {
    while (isalnum((unsigned char)*self->at) || *self->at == '_') {
      self->at++;
    }
    return symbol_value(self, begin, (size_t)(self->at - begin));
  }
  if (*begin != '(' || ++self->depth > DEEPEST) {
    return unknown(self);
  }
  self->at++;
  const int64_t value = sum(self);
  skip_spaces(self);
  self->depth--;
  return *self->at++ == ')' ? value : unknown(self);
}

static int64_t product(struct expression *self) {
  int64_t value = factor(self);
  for (skip_spaces(self); self->is_known && *self->at == '*'; skip_spaces(self)) {
    self->at++;
    const int64_t other = factor(self);
    if (self->is_known && __builtin_mul_overflow(value, other, &value)) {
      return unknown(self);
    }
  }
  return value;
}

static int64_t sum(struct expression *self) {
  skip_spaces(self);
  const bool is_negative = *self->at == '-';
  self->at += is_negative;
  int64_t value = product(self);
  value = is_negative ? -value : value;
  for (skip_spaces(self); self->is_known && (*self->at == '+' || *self->at == '-'); skip_spaces(self)) {
    const bool is_minus = *self->at++ == '-';
    const int64_t other = product(self);
    if (self->is_known &&
        (is_minus ? __builtin_sub_overflow(value, other, &value) : __builtin_add_overflow(value, other, &value))) {
      return unknown(self);
    }
  }
  return value;
}

/* What a size or stride is to be; SOURCE_UNKNOWN if that is not known. */
static int64_t expected(
    const struct compiled_source *source, const ctorch_tensor *const *inputs, int64_t number, const char *text) {
  if (number != SOURCE_UNKNOWN || text == NULL) {
    return number;
  }
  struct expression expression = {source, inputs, text, true, 0};
  const int64_t value = sum(&expression);
  skip_spaces(&expression);
  return expression.is_known && *expression.at == '\0' && value >= 0 ? value : SOURCE_UNKNOWN;
}

/* Inputs ----------------------------------------------------------------------------------------------------------- */

struct check {
  const char *function;
  const struct compiled_source *source;
  const ctorch_tensor *const *inputs;
  size_t index;
};

/* Sizes as they are to be, and as they are where that is not known; `len` of them. */
static void fill_sizes(const struct check *self, int64_t *out, size_t len) {
  const struct source_input *input = &self->source->inputs[self->index];
  const ctorch_tensor *tensor = self->inputs[self->index];
  for (size_t i = 0; i < len; i++) {
    const struct source_dim *dim = i < input->dims_len ? &input->dims[i] : NULL;
    const char *text = dim == NULL || input->is_ambiguous ? NULL : dim->size_text;
    const int64_t size = expected(self->source, self->inputs, dim == NULL ? SOURCE_UNKNOWN : dim->size, text);
    const int64_t got = (int64_t)i < ctorch_tensor_ndim(tensor) ? ctorch_tensor_sizes(tensor)[i] : 0;
    out[i] = size != SOURCE_UNKNOWN ? size : got;
  }
}

/* PyTorch takes every size that is a symbol for at least 2 while it compiles, and its code computes with 1 as well. */
static int64_t least_of(const struct source_dim *dim) { return dim->least == 2 ? 1 : dim->least; }

/* A size outside a range. The compiler narrows the ranges that a model was exported with, and its code may well compute
 * with more. */
static ctorch_error *refuse_range(
    const struct check *self, const int64_t *sizes, const int64_t *got, size_t len, size_t dim, bool is_small) {
  return error_shape(
      self->function, sizes, len, got, len,
      "inputs[%zu]: the compiled code is for a size of at %s %" PRId64 " in dimension %zu, got %" PRId64
      ": a bound that PyTorch's compiler set, which may be narrower than that of the export. To run it as Python does, "
      "which does not look, turn the checks of inputs off (ctorch_package_set_check_inputs)",
      self->index, is_small ? "least" : "most", sizes[dim], dim, got[dim]);
}

static ctorch_error *check_sizes(const struct check *self) {
  const struct source_input *input = &self->source->inputs[self->index];
  const int64_t *got = ctorch_tensor_sizes(self->inputs[self->index]);
  const size_t got_len = (size_t)ctorch_tensor_ndim(self->inputs[self->index]);
  int64_t sizes[SOURCE_MOST_DIMS];
  if (input->has_ndim ? got_len != input->dims_len : got_len < input->dims_len) {
    fill_sizes(self, sizes, input->dims_len);
    return error_shape(
        self->function, sizes, input->dims_len, got, got_len, "inputs[%zu]: the model takes %s%zu dimensions, got %zu",
        self->index, input->has_ndim ? "" : "at least ", input->dims_len, got_len);
  }
  const size_t len = got_len < SOURCE_MOST_DIMS ? got_len : SOURCE_MOST_DIMS;
  fill_sizes(self, sizes, len);
  for (size_t i = 0; i < input->dims_len; i++) {
    const struct source_dim *dim = &input->dims[i];
    const bool is_small = dim->least != SOURCE_UNKNOWN && got[i] < least_of(dim);
    const bool is_large = dim->most != SOURCE_UNKNOWN && got[i] > dim->most;
    if (got[i] != sizes[i]) {
      return error_shape(
          self->function, sizes, len, got, got_len,
          "inputs[%zu]: the model takes a size %" PRId64 " in dimension %zu, got %" PRId64, self->index, sizes[i], i,
          got[i]);
    }
    if (is_small || is_large) {
      sizes[i] = is_small ? least_of(dim) : dim->most;
      return refuse_range(self, sizes, got, len, i, is_small);
    }
  }
  return NULL;
}

/* A stride over no more than one element, or in a tensor without any, is never gone. */
static ctorch_error *check_strides(const struct check *self) {
  const struct source_input *input = &self->source->inputs[self->index];
  const ctorch_tensor *tensor = self->inputs[self->index];
  for (size_t i = 0; ctorch_tensor_numel(tensor) > 0 && i < input->dims_len; i++) {
    const struct source_dim *dim = &input->dims[i];
    const int64_t stride =
        expected(self->source, self->inputs, dim->stride, input->is_ambiguous ? NULL : dim->stride_text);
    const int64_t got = ctorch_tensor_strides(tensor)[i];
    if (stride != SOURCE_UNKNOWN && stride != got && ctorch_tensor_sizes(tensor)[i] > 1) {
      return error_make(
          self->function, CTORCH_ERROR_INVALID_ARGUMENT,
          "inputs[%zu]: the model takes stride %" PRId64 " in dimension %zu, got %" PRId64
          ": the tensor is laid out otherwise than the one that it was compiled with",
          self->index, stride, i, got);
    }
  }
  return NULL;
}

static ctorch_error *check_type(const struct check *self) {
  const struct source_input *input = &self->source->inputs[self->index];
  const ctorch_tensor *tensor = self->inputs[self->index];
  const ctorch_dtype dtype = ctorch_tensor_dtype(tensor);
  if (input->dtype != SOURCE_UNKNOWN && input->dtype != dtype) {
    return error_dtype(
        self->function, input->dtype, dtype, "inputs[%zu]: the model takes %s, got %s", self->index,
        ctorch_dtype_name(input->dtype), ctorch_dtype_name(dtype));
  }
  ctorch_device got = {0, 0};
  CTORCH_TRY(ctorch_tensor_device(&got, tensor));
  if (input->device_type != SOURCE_UNKNOWN && input->device_type != got.type) {
    const ctorch_device wanted = {input->device_type, -1};
    const char *name = ctorch_device_type_name(input->device_type);
    return error_device(
        self->function, &wanted, &got, "inputs[%zu]: the model takes tensors on %s, got one on %s", self->index,
        name != NULL ? name : "another device", ctorch_device_type_name(got.type));
  }
  return NULL;
}

ctorch_error *compiled_source_check(
    const char *function, const struct compiled_source *self, const ctorch_tensor *const *inputs, size_t inputs_len) {
  struct check check = {function, self, inputs, 0};
  if (self->inputs_len != inputs_len) { /* the source is another's: the library has counted them already */
    return NULL;
  }
  for (size_t pass = 0; pass < 2; pass++) {
    for (check.index = 0; check.index < inputs_len; check.index++) {
      ctorch_error *error = pass == 0 ? check_type(&check) : check_sizes(&check);
      if (pass != 0) {
        THEN(error, check_strides(&check));
      }
      if (error != NULL) {
        return error;
      }
    }
  }
  return NULL;
}
