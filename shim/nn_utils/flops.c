/* Floating point operations: those of products of matrices and convolutions. */
#include "nn_utils/flops.h"

#include <string.h>

#include "base/sequence.h"
#include "core/c/error.h"
#include "nn/attention.h"

int64_t flops_times(int64_t a, int64_t b) {
  int64_t product = 0;
  return __builtin_mul_overflow(a, b, &product) ? INT64_MAX : product;
}

int64_t flops_plus(int64_t a, int64_t b) {
  int64_t sum = 0;
  return __builtin_add_overflow(a, b, &sum) ? INT64_MAX : sum;
}

static int64_t product(const int64_t *sizes, int64_t len) {
  int64_t all = 1;
  for (int64_t i = 0; i < len; i++) {
    all = flops_times(all, sizes[i]);
  }
  return all;
}

static int64_t elements(const ctorch_tensor *tensor) {
  return product(ctorch_tensor_sizes(tensor), ctorch_tensor_ndim(tensor));
}

/* How many vectors a tensor has. */
static int64_t rows(const ctorch_tensor *tensor) {
  int64_t ndim = ctorch_tensor_ndim(tensor);
  return ndim == 0 ? 1 : product(ctorch_tensor_sizes(tensor), ndim - 1);
}

/* The tensor in a value, or the first of a tuple, as of a packed sequence; NULL if there is none. Owned. */
static ctorch_error *tensor_of(ctorch_tensor **out, const ctorch_value *value) {
  ctorch_value_kind kind = ctorch_value_kind_of(value);
  *out = NULL;
  if (kind == CTORCH_VALUE_TENSOR) {
    CTORCH_TRY(ctorch_value_to_tensor(out, value));
    if (ctorch_tensor_is_nested(*out)) { /* it has no sizes */
      ctorch_tensor_release(*out);
      *out = NULL;
    }
    return NULL;
  }
  if ((kind != CTORCH_VALUE_TUPLE && kind != CTORCH_VALUE_LIST) || ctorch_value_len(value) == 0) {
    return NULL;
  }
  ctorch_value *first = NULL;
  CTORCH_TRY(ctorch_value_get(&first, value, 0));
  ctorch_error *error = ctorch_value_kind_of(first) == CTORCH_VALUE_TENSOR ? ctorch_value_to_tensor(out, first) : NULL;
  ctorch_value_release(first);
  return error;
}

/* An argument, by place or by name; NULL if it is none or no tensor. Owned. */
static ctorch_error *argument(
    ctorch_tensor **out, const ctorch_value *args, const ctorch_value *kwargs, size_t index, const char *name) {
  ctorch_value *value = NULL, *key = NULL;
  *out = NULL;
  if (index < ctorch_value_len(args)) {
    CTORCH_TRY(ctorch_value_get(&value, args, index));
  } else if (kwargs != NULL) {
    bool is_there = false;
    CTORCH_TRY(ctorch_value_from_string(&key, name));
    ctorch_error *error = ctorch_value_dict_contains(&is_there, kwargs, key);
    if (error == NULL && is_there) {
      error = ctorch_value_dict_get(&value, kwargs, key);
    }
    ctorch_value_release(key);
    CTORCH_TRY(error);
  }
  ctorch_error *error = value == NULL ? NULL : tensor_of(out, value);
  ctorch_value_release(value);
  return error;
}

static int64_t of_linear(const ctorch_module *module, const ctorch_tensor *input) {
  const ctorch_tensor *weight = module_parameter(module, "weight");
  return weight == NULL ? 0 : flops_times(2, flops_times(rows(input), elements(weight)));
}

/* All of a kernel's weights for every place, of the output or, transposed, of the input. */
static int64_t of_convolution(const ctorch_module *module, const ctorch_tensor *places) {
  const ctorch_tensor *weight = module_parameter(module, "weight");
  if (weight == NULL) {
    return 0;
  }
  int64_t dims = ctorch_tensor_ndim(weight) - 2, ndim = ctorch_tensor_ndim(places);
  if (dims < 1 || ndim < dims + 1) {
    return 0;
  }
  const int64_t *sizes = ctorch_tensor_sizes(places);
  int64_t batch = ndim == dims + 1 ? 1 : sizes[0];
  return flops_times(2, flops_times(flops_times(batch, product(sizes + ndim - dims, dims)), elements(weight)));
}

static int64_t of_recurrence(const ctorch_module *module, const ctorch_tensor *input) {
  int64_t weights = 0;
  for (size_t i = 0; i < module->parameters.len; i++) {
    const struct module_tensor *entry = &module->parameters.data[i];
    if (entry->tensor != NULL && strncmp(entry->name, "weight_", 7) == 0) {
      weights = flops_plus(weights, elements(entry->tensor));
    }
  }
  return flops_times(2, flops_times(rows(input), weights));
}

static int64_t of_attention(
    const struct attention *self, const ctorch_tensor *query, const ctorch_tensor *key, const ctorch_tensor *value) {
  int64_t ndim = ctorch_tensor_ndim(query), embed = self->embed_dim, batch = 1;
  if (ndim == 3) {
    batch = ctorch_tensor_sizes(query)[self->batch_first ? 0 : 1];
  }
  if (batch == 0) {
    return 0;
  }
  int64_t queries = rows(query), keys = rows(key) / batch;
  keys += module_parameter(&self->module, "bias_k") != NULL ? 1 : 0;
  keys += self->add_zero_attn ? 1 : 0;
  int64_t sum = flops_times(flops_times(queries, embed), flops_times(2, embed)); /* of queries, and at the end */
  sum = flops_plus(sum, flops_times(flops_times(rows(key), self->kdim), embed));
  sum = flops_plus(sum, flops_times(flops_times(rows(value), self->vdim), embed));
  sum = flops_plus(sum, flops_times(2, flops_times(flops_times(queries, keys), embed)));
  return flops_times(2, sum);
}

static bool begins(const char *text, const char *front) { return strncmp(text, front, strlen(front)) == 0; }

ctorch_error *module_flops(
    int64_t *out,
    const ctorch_module *module,
    const ctorch_value *args,
    const ctorch_value *kwargs,
    const ctorch_value *output) {
  static const char *const recurrent[] = {"RNN", "LSTM", "GRU", "RNNCell", "LSTMCell", "GRUCell"};
  const module_class *class = module_class_of(module);
  const char *name = class->name_of != NULL ? "" : class->name; /* a user's own class may be called anything */
  const struct attention *attention = attention_of(module);
  ctorch_tensor *input = NULL, *result = NULL, *key = NULL, *value = NULL;
  bool is_recurrent = false;
  for (size_t i = 0; i < sizeof recurrent / sizeof *recurrent; i++) {
    is_recurrent = is_recurrent || strcmp(name, recurrent[i]) == 0;
  }
  *out = 0;
  ctorch_error *error = argument(&input, args, kwargs, 0, attention != NULL ? "query" : "input");
  if (error == NULL && input != NULL && attention != NULL) {
    error = argument(&key, args, kwargs, 1, "key");
    THEN(error, argument(&value, args, kwargs, 2, "value"));
    if (error == NULL && key != NULL && value != NULL) {
      *out = of_attention(attention, input, key, value);
    }
  } else if (error == NULL && input != NULL && is_recurrent) {
    *out = of_recurrence(module, input);
  } else if (error == NULL && input != NULL && begins(name, "ConvTranspose")) {
    *out = of_convolution(module, input);
  } else if (error == NULL && begins(name, "Conv")) {
    error = tensor_of(&result, output);
    *out = result == NULL ? 0 : of_convolution(module, result);
  } else if (
      error == NULL && input != NULL &&
      (strcmp(name, "Linear") == 0 || strcmp(name, "NonDynamicallyQuantizableLinear") == 0)) {
    *out = of_linear(module, input);
  }
  ctorch_tensor_release(input);
  ctorch_tensor_release(key);
  ctorch_tensor_release(value);
  ctorch_tensor_release(result);
  return error;
}
