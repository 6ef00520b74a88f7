/* Recurrent layers and their cells. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/option_values.h"
#include "base/sequence.h"
#include "base/text.h"
#include "constructors/nn.h"
#include "core/c/error.h"
#include "core/c/jit_tracing.h"
#include "core/c/tensor.h"
#include "module/layer.h"

enum { MOST_LAYERS = 65536 }; /* beyond which a mistake is likelier than memory for them */

struct rnn {
  ctorch_module module;
  int64_t input_size, hidden_size, num_layers, proj_size;
  double dropout;
  bool bias, batch_first, bidirectional;
  bool relu; /* in place of tanh */
};

struct rnn_class {
  module_class class;
  int64_t gates;
  bool has_cell; /* LSTM: two hidden states */
};

static const struct rnn_class *kind_of(const ctorch_module *module) {
  return (const struct rnn_class *)module_class_of(module);
}

static int64_t directions_of(const struct rnn *self) { return self->bidirectional ? 2 : 1; }

/* What is computed: a tensor, or the data of a packed sequence; hidden states, which may be absent. */
struct sequence {
  const ctorch_tensor *input, *batch_sizes, *sorted_indices, *unsorted_indices;
  const ctorch_tensor *hidden[2];
};

/* The output, and the hidden states after it. */
struct outcome {
  ctorch_tensor *output, *hidden[2];
};

static void outcome_release(struct outcome *self) {
  ctorch_tensor_release(self->output);
  ctorch_tensor_release(self->hidden[0]);
  ctorch_tensor_release(self->hidden[1]);
}

/* Consumes `value`, and replaces it by what an operator made of it. */
static ctorch_error *become(ctorch_tensor **value, ctorch_tensor *next, ctorch_error *error) {
  ctorch_tensor_release(*value);
  *value = next;
  return error;
}

/* Checks. */

/* Behind them stands what a user registers, or a weight is computed from. */
static size_t count_weights(const struct rnn *self) {
  int64_t each = 2 + (self->bias ? 2 : 0) + (self->proj_size > 0 ? 1 : 0);
  return (size_t)(each * self->num_layers * directions_of(self));
}

static ctorch_error *check_weights(const char *function, const struct rnn *self) {
  const ctorch_module *module = &self->module;
  size_t wanted = count_weights(self);
  if (module->parameters.len < wanted) {
    return error_make(
        function, CTORCH_ERROR_RUNTIME, "expected %zu parameters, has %zu", wanted, module->parameters.len);
  }
  for (size_t i = 0; i < wanted; i++) {
    CTORCH_TRY(layer_needs(function, module->parameters.data[i].tensor, module->parameters.data[i].name));
  }
  return NULL;
}

static ctorch_error *check_input(const char *function, const struct rnn *self, const struct sequence *given) {
  ctorch_dtype dtype = ctorch_tensor_dtype(given->input),
               wanted = ctorch_tensor_dtype(module_parameter_at(&self->module, 0));
  int64_t ndim = ctorch_tensor_ndim(given->input), dims = given->batch_sizes != NULL ? 2 : 3;
  if (dtype != wanted && !ctorch_autocast_enabled(CTORCH_DEVICE_TYPE_CPU) &&
      !ctorch_autocast_enabled(CTORCH_DEVICE_TYPE_CUDA)) {
    return error_make(
        function, CTORCH_ERROR_VALUE, "RNN input dtype (%s) does not match weight dtype (%s)", ctorch_dtype_name(dtype),
        ctorch_dtype_name(wanted));
  }
  if (ndim != dims) {
    return error_make(
        function, CTORCH_ERROR_RUNTIME, "input must have %" PRId64 " dimensions, got %" PRId64, dims, ndim);
  }
  int64_t size = ctorch_tensor_sizes(given->input)[ndim - 1];
  return size == self->input_size
             ? NULL
             : error_make(
                   function, CTORCH_ERROR_RUNTIME,
                   "input.size(-1) must be equal to input_size. Expected %" PRId64 ", got %" PRId64, self->input_size,
                   size);
}

/* The size of a hidden state (0) or of the cells (1). */
static void hidden_shape(int64_t shape[3], const struct rnn *self, int64_t batch, size_t which) {
  shape[0] = self->num_layers * directions_of(self);
  shape[1] = batch;
  shape[2] = which == 0 && self->proj_size > 0 ? self->proj_size : self->hidden_size;
}

static ctorch_error *check_hidden(
    const char *function, const struct rnn *self, const ctorch_tensor *hidden, int64_t batch, size_t which) {
  int64_t shape[3];
  size_t ndim = (size_t)ctorch_tensor_ndim(hidden);
  hidden_shape(shape, self, batch, which);
  if (ndim == 3 && memcmp(ctorch_tensor_sizes(hidden), shape, sizeof shape) == 0) {
    return NULL;
  }
  struct text got = {.function = function};
  text_ints(&got, ctorch_tensor_sizes(hidden), ndim);
  ctorch_error *error = error_make(
      function, CTORCH_ERROR_RUNTIME, "Expected hidden%s size (%" PRId64 ", %" PRId64 ", %" PRId64 "), got %s",
      !kind_of(&self->module)->has_cell ? ""
      : which == 0                      ? "[0]"
                                        : "[1]",
      shape[0], shape[1], shape[2], text_data(&got));
  ctorch_error_release(text_end(&got));
  return error;
}

/* Computing. */

static ctorch_error *zeros(
    ctorch_tensor **out, const struct rnn *self, const ctorch_tensor *input, int64_t batch, size_t which) {
  const ctorch_dtype dtype = ctorch_tensor_dtype(input);
  ctorch_device device = {0};
  int64_t shape[3];
  hidden_shape(shape, self, batch, which);
  CTORCH_TRY(ctorch_tensor_device(&device, input));
  return ctorch_aten_zeros(out, shape, 3, &dtype, NULL, &device, NULL);
}

/* The same for a trace, which holds for batches of any size: those of the input are never read. */
static ctorch_error *traced_zeros(
    ctorch_tensor **out, const struct rnn *self, const ctorch_tensor *input, int64_t batch, size_t which) {
  ctorch_tensor *first = NULL, *column = NULL, *zero = NULL, *states = NULL, *expanded = NULL;
  int64_t shape[3];
  hidden_shape(shape, self, batch, which);
  shape[1] = -1;
  ctorch_error *error = ctorch_aten_select_int(&first, input, self->batch_first ? 1 : 0, 0);
  THEN(error, ctorch_aten_narrow(&column, first, 1, 0, 1));
  THEN(error, ctorch_aten_zeros_like(&zero, column, NULL, NULL, NULL, NULL, NULL));
  THEN(error, ctorch_aten_unsqueeze(&states, zero, 0));
  THEN(error, ctorch_aten_expand(&expanded, states, shape, 3, false));
  THEN(error, ctorch_aten_contiguous(out, expanded, CTORCH_MEMORY_FORMAT_CONTIGUOUS));
  ctorch_tensor_release(first);
  ctorch_tensor_release(column);
  ctorch_tensor_release(zero);
  ctorch_tensor_release(states);
  ctorch_tensor_release(expanded);
  return error;
}

/* The operator for this class. */
static ctorch_error *compute(
    struct outcome *out, const struct rnn *self, const struct sequence *given, ctorch_tensor *const hidden[2]) {
  const ctorch_module *module = &self->module;
  const struct rnn_class *kind = kind_of(module);
  const ctorch_tensor *input = given->input, *sizes = given->batch_sizes;
  size_t len = count_weights(self);
  int64_t n = self->num_layers;
  bool training = module_is_training(module), first = self->batch_first, both = self->bidirectional, bias = self->bias;
  double p = self->dropout;
  const ctorch_tensor **weights = malloc((len + 1) * sizeof *weights);
  ctorch_error *error = NULL;
  if (weights == NULL) {
    return error_memory(FORWARD, len * sizeof *weights);
  }
  for (size_t i = 0; i < len; i++) {
    weights[i] = module->parameters.data[i].tensor;
  }
  const ctorch_tensor *pair[] = {hidden[0], hidden[1]};
  ctorch_tensor **o = &out->output, **h = &out->hidden[0], **c = &out->hidden[1];
  if (kind->has_cell && sizes != NULL) {
    error = ctorch_aten_lstm_data(o, h, c, input, sizes, pair, 2, weights, len, bias, n, p, training, both);
  } else if (kind->has_cell) {
    error = ctorch_aten_lstm_input(o, h, c, input, pair, 2, weights, len, bias, n, p, training, both, first);
  } else if (kind->gates == 3 && sizes != NULL) {
    error = ctorch_aten_gru_data(o, h, input, sizes, hidden[0], weights, len, bias, n, p, training, both);
  } else if (kind->gates == 3) {
    error = ctorch_aten_gru_input(o, h, input, hidden[0], weights, len, bias, n, p, training, both, first);
  } else if (sizes != NULL) {
    error = (self->relu ? ctorch_aten_rnn_relu_data : ctorch_aten_rnn_tanh_data)(
        o, h, input, sizes, hidden[0], weights, len, bias, n, p, training, both);
  } else {
    error = (self->relu ? ctorch_aten_rnn_relu_input : ctorch_aten_rnn_tanh_input)(
        o, h, input, hidden[0], weights, len, bias, n, p, training, both, first);
  }
  free(weights);
  return error;
}

/* Of a packed sequence the batch is that of the first step. */
static ctorch_error *batch_of(
    const char *function, int64_t *out, const struct rnn *self, const struct sequence *given) {
  ctorch_tensor *first = NULL;
  if (given->batch_sizes == NULL) {
    *out = ctorch_tensor_ndim(given->input) == 3 ? ctorch_tensor_sizes(given->input)[self->batch_first ? 0 : 1] : 0;
    return NULL;
  }
  if (ctorch_tensor_ndim(given->batch_sizes) != 1 || ctorch_tensor_numel(given->batch_sizes) == 0) {
    return error_make(function, CTORCH_ERROR_RUNTIME, "batch_sizes must have one dimension, and not be empty");
  }
  CTORCH_TRY(ctorch_aten_select_int(&first, given->batch_sizes, 0, 0));
  ctorch_error *error = ctorch_tensor_item_int64(out, first);
  ctorch_tensor_release(first);
  return error;
}

/* Hidden states in the order of the sorted sequences, or zeros. */
static ctorch_error *begin_hidden(
    const char *function,
    ctorch_tensor *hidden[2],
    const struct rnn *self,
    const struct sequence *given,
    int64_t batch) {
  size_t count = kind_of(&self->module)->has_cell ? 2 : 1;
  const bool is_traced = jit_is_tracing() && given->batch_sizes == NULL && ctorch_tensor_ndim(given->input) == 3 &&
                         ctorch_tensor_numel(given->input) > 0;
  for (size_t i = 0; i < count; i++) {
    if (given->hidden[i] == NULL) {
      CTORCH_TRY((is_traced ? traced_zeros : zeros)(&hidden[i], self, given->input, batch, i));
    } else {
      CTORCH_TRY(check_hidden(function, self, given->hidden[i], batch, i));
      CTORCH_TRY(
          given->sorted_indices != NULL
              ? ctorch_aten_index_select(&hidden[i], given->hidden[i], 1, given->sorted_indices)
              : tensor_give(function, &hidden[i], given->hidden[i]));
    }
  }
  return NULL;
}

static ctorch_error *run(
    const char *function, struct outcome *out, const struct rnn *self, const struct sequence *given) {
  ctorch_tensor *hidden[2] = {NULL, NULL};
  int64_t batch = 0;
  CTORCH_TRY(check_weights(function, self));
  CTORCH_TRY(check_input(function, self, given));
  CTORCH_TRY(batch_of(function, &batch, self, given));
  ctorch_error *error = begin_hidden(function, hidden, self, given, batch);
  THEN(error, compute(out, self, given, hidden));
  ctorch_tensor_release(hidden[0]);
  ctorch_tensor_release(hidden[1]);
  for (size_t i = 0; error == NULL && i < 2 && given->unsorted_indices != NULL; i++) {
    if (out->hidden[i] != NULL) {
      ctorch_tensor *sorted = NULL;
      error = ctorch_aten_index_select(&sorted, out->hidden[i], 1, given->unsorted_indices);
      error = become(&out->hidden[i], sorted, error);
    }
  }
  return error;
}

/* One sequence is a batch of one meanwhile. */
static ctorch_error *run_one(
    const char *function, struct outcome *out, const struct rnn *self, const struct sequence *given) {
  int64_t dim = self->batch_first ? 0 : 1;
  struct outcome batch = {0};
  ctorch_tensor *input = NULL, *hidden[2] = {NULL, NULL};
  ctorch_error *error = ctorch_aten_unsqueeze(&input, given->input, dim);
  for (size_t i = 0; error == NULL && i < 2; i++) {
    error = given->hidden[i] == NULL ? NULL : ctorch_aten_unsqueeze(&hidden[i], given->hidden[i], 1);
  }
  THEN(error, run(function, &batch, self, &(const struct sequence){.input = input, .hidden = {hidden[0], hidden[1]}}));
  ctorch_tensor_release(input);
  ctorch_tensor_release(hidden[0]);
  ctorch_tensor_release(hidden[1]);
  THEN(error, ctorch_aten_squeeze_dim(&out->output, batch.output, dim));
  for (size_t i = 0; error == NULL && i < 2; i++) {
    error = batch.hidden[i] == NULL ? NULL : ctorch_aten_squeeze_dim(&out->hidden[i], batch.hidden[i], 1);
  }
  outcome_release(&batch);
  return error;
}

static ctorch_error *apply(
    const char *function, struct outcome *out, const ctorch_module *module, const struct sequence *given) {
  const struct rnn *self = (const struct rnn *)module;
  int64_t ndim = ctorch_tensor_ndim(given->input);
  ctorch_error *error = NULL;
  if (given->batch_sizes == NULL && ndim != 2 && ndim != 3) {
    return error_make(
        function, CTORCH_ERROR_VALUE, "%s: Expected input to be 2D or 3D, got %" PRId64 "D instead",
        module_name(module), ndim);
  }
  for (size_t i = 0; i < 2; i++) {
    int64_t dims = given->hidden[i] == NULL ? ndim : ctorch_tensor_ndim(given->hidden[i]);
    if (given->batch_sizes == NULL && dims != ndim) {
      return error_make(
          function, CTORCH_ERROR_RUNTIME,
          "For %s %" PRId64 "-D input, hx should also be %" PRId64 "-D but got %" PRId64 "-D tensor",
          ndim == 3 ? "batched" : "unbatched", ndim, ndim, dims);
    }
  }
  error =
      given->batch_sizes == NULL && ndim == 2 ? run_one(function, out, self, given) : run(function, out, self, given);
  if (error != NULL) {
    outcome_release(out);
  }
  return error;
}

/* Two hidden states, or none. */
static ctorch_error *take_pair(
    const char *function, const ctorch_tensor *hidden[2], const ctorch_tensor *const *hx, size_t len) {
  if (hx != NULL && len != 2) {
    return error_make(function, CTORCH_ERROR_VALUE, "hx: expected two tensors, h_0 and c_0, got %zu", len);
  }
  hidden[0] = hx == NULL ? NULL : hx[0];
  hidden[1] = hx == NULL ? NULL : hx[1];
  return NULL;
}

/* Typed forwards. */

#define FORWARD_OF(named)                                                                   \
  ctorch_error *nn_##named##_forward(                                                       \
      const char *function, ctorch_tensor **out_output, ctorch_tensor **out_h_n,            \
      const struct nn_##named##_forward_options *options) {                                 \
    struct outcome out = {0};                                                               \
    const struct sequence given = {.input = options->input, .hidden = {options->hx, NULL}}; \
    CTORCH_TRY(apply(function, &out, options->self, &given));                               \
    *out_output = out.output;                                                               \
    *out_h_n = out.hidden[0];                                                               \
    return NULL;                                                                            \
  }

FORWARD_OF(RNN)
FORWARD_OF(GRU)

ctorch_error *nn_LSTM_forward(
    const char *function,
    ctorch_tensor **out_output,
    ctorch_tensor **out_h_n,
    ctorch_tensor **out_c_n,
    const struct nn_LSTM_forward_options *options) {
  struct outcome out = {0};
  struct sequence given = {.input = options->input};
  CTORCH_TRY(take_pair(function, given.hidden, options->hx, options->hx_len));
  CTORCH_TRY(apply(function, &out, options->self, &given));
  *out_output = out.output;
  *out_h_n = out.hidden[0];
  *out_c_n = out.hidden[1];
  return NULL;
}

/* Of packed sequences. */

static ctorch_error *check_class(const char *function, const ctorch_module *self, const char *name) {
  return strcmp(module_class_of(self)->name, name) == 0 && module_class_of(self)->name_of == NULL
             ? NULL
             : error_make(function, CTORCH_ERROR_TYPE, "self must be a module %s, not %s", name, module_name(self));
}

#define PACKED_OF(named)                                                                                               \
  ctorch_error *nn_##named##_forward_packed(                                                                           \
      const char *function, ctorch_tensor **out_output, ctorch_tensor **out_h_n,                                       \
      const struct nn_##named##_forward_packed_options *options) {                                                     \
    struct outcome out = {0};                                                                                          \
    const struct sequence given = {                                                                                    \
        options->data, options->batch_sizes, options->sorted_indices, options->unsorted_indices, {options->hx, NULL}}; \
    CTORCH_TRY(check_class(function, options->self, #named));                                                          \
    CTORCH_TRY(apply(function, &out, options->self, &given));                                                          \
    *out_output = out.output;                                                                                          \
    *out_h_n = out.hidden[0];                                                                                          \
    return NULL;                                                                                                       \
  }

PACKED_OF(RNN)
PACKED_OF(GRU)

ctorch_error *nn_LSTM_forward_packed(
    const char *function,
    ctorch_tensor **out_output,
    ctorch_tensor **out_h_n,
    ctorch_tensor **out_c_n,
    const struct nn_LSTM_forward_packed_options *options) {
  struct outcome out = {0};
  struct sequence given = {
      .input = options->data,
      .batch_sizes = options->batch_sizes,
      .sorted_indices = options->sorted_indices,
      .unsorted_indices = options->unsorted_indices};
  CTORCH_TRY(check_class(function, options->self, "LSTM"));
  CTORCH_TRY(take_pair(function, given.hidden, options->hx, options->hx_len));
  CTORCH_TRY(apply(function, &out, options->self, &given));
  *out_output = out.output;
  *out_h_n = out.hidden[0];
  *out_c_n = out.hidden[1];
  return NULL;
}

/* The general call: its input may be a packed sequence, a tuple (data, batch_sizes, sorted_indices,
 * unsorted_indices). */

static const struct option_parameter packed_parameters[] = {
    {"data", true, false},
    {"batch_sizes", true, false},
    {"sorted_indices", false, false},
    {"unsorted_indices", false, false}};

/* `out` is (packed sequence, hidden states). */
static ctorch_error *pack_result(
    ctorch_value **out, const struct outcome *found, const struct sequence *given, bool has_cell) {
  const ctorch_tensor *const packed[] = {
      found->output, given->batch_sizes, given->sorted_indices, given->unsorted_indices};
  ctorch_value *values[2] = {NULL, NULL};
  ctorch_error *error = layer_tuple(&values[0], packed, 4);
  THEN(
      error, has_cell ? layer_tuple(&values[1], (const ctorch_tensor *const[]){found->hidden[0], found->hidden[1]}, 2)
                      : ctorch_value_from_tensor(&values[1], found->hidden[0]));
  THEN(error, ctorch_value_from_tuple(out, (const ctorch_value *const *)values, 2));
  ctorch_value_release(values[0]);
  ctorch_value_release(values[1]);
  return error;
}

static ctorch_error *call_packed(
    ctorch_module *self, ctorch_value **out, const ctorch_value *input, struct option_values *outer) {
  bool has_cell = kind_of(self)->has_cell;
  ctorch_value *values[4] = {NULL};
  struct option_values inner = {
      .function = outer->function, .called = "forward", .parameters = packed_parameters, .len = 4, .values = values};
  struct outcome found = {0};
  struct sequence given = {0};
  option_bind(&inner, input, NULL);
  given.input = option_read_tensor(&inner, 0);
  given.batch_sizes = option_read_tensor(&inner, 1);
  given.sorted_indices = option_read_tensor(&inner, 2);
  given.unsorted_indices = option_read_tensor(&inner, 3);
  if (inner.error == NULL && has_cell) {
    size_t len = 0;
    const ctorch_tensor *const *hx = option_read_tensors(outer, 1, &len);
    inner.error = take_pair(inner.function, given.hidden, hx, len);
  } else {
    given.hidden[0] = option_read_tensor(outer, 1);
  }
  if (inner.error == NULL && outer->error == NULL) {
    inner.error = apply(inner.function, &found, self, &given);
    THEN(inner.error, pack_result(out, &found, &given, has_cell));
    outcome_release(&found);
  }
  return option_end(&inner);
}

typedef ctorch_error *typed_call(
    ctorch_module *self, ctorch_value **out, const ctorch_value *args, const ctorch_value *kwargs);

static ctorch_error *call(
    ctorch_module *self,
    ctorch_value **out,
    const ctorch_value *args,
    const ctorch_value *kwargs,
    typed_call *with_tensors) {
  static const struct option_parameter parameters[] = {{"input", true, false}, {"hx", false, false}};
  ctorch_value *values[2] = {NULL, NULL};
  struct option_values given = {
      .function = "ctorch_module_call", .called = "forward", .parameters = parameters, .len = 2, .values = values};
  option_bind(&given, args, kwargs);
  ctorch_value_kind kind = given.error == NULL ? ctorch_value_kind_of(values[0]) : CTORCH_VALUE_TENSOR;
  if (kind != CTORCH_VALUE_TUPLE && kind != CTORCH_VALUE_LIST) {
    ctorch_error_release(option_end(&given));
    return with_tensors(self, out, args, kwargs);
  }
  ctorch_error *error = call_packed(self, out, values[0], &given);
  return ctorch_error_first(error, option_end(&given));
}

#define CALL_OF(named)                                                                                 \
  static ctorch_error *call_##named(                                                                   \
      ctorch_module *self, ctorch_value **out, const ctorch_value *args, const ctorch_value *kwargs) { \
    return call(self, out, args, kwargs, nn_##named##_call);                                           \
  }

CALL_OF(RNN)
CALL_OF(LSTM)
CALL_OF(GRU)

/* Text and parameters. */

static void rnn_repr(const ctorch_module *module, struct text *text) {
  const struct rnn *self = (const struct rnn *)module;
  text_add(text, "%" PRId64 ", %" PRId64, self->input_size, self->hidden_size);
  if (self->proj_size != 0) {
    text_add(text, ", proj_size=%" PRId64, self->proj_size);
  }
  if (self->num_layers != 1) {
    text_add(text, ", num_layers=%" PRId64, self->num_layers);
  }
  text_add(text, "%s%s", self->bias ? "" : ", bias=False", self->batch_first ? ", batch_first=True" : "");
  if (self->dropout != 0) {
    text_add(text, ", dropout=");
    text_double(text, self->dropout);
  }
  text_add(text, "%s", self->bidirectional ? ", bidirectional=True" : "");
}

/* All parameters are drawn from the same range. */
static ctorch_error *reset_all(ctorch_module *module, int64_t hidden_size) {
  for (size_t i = 0; i < module->parameters.len; i++) {
    CTORCH_TRY(
        layer_uniform(module_held(&module->parameters.data[i]), hidden_size > 0 ? 1 / sqrt((double)hidden_size) : 0));
  }
  return NULL;
}

static ctorch_error *rnn_reset(const char *function, ctorch_module *module) {
  (void)function;
  return reset_all(module, ((const struct rnn *)module)->hidden_size);
}

/* "weight_ih_l0_reverse". */
static ctorch_error *add_weight(
    const char *function,
    ctorch_module *self,
    const char *name,
    int64_t layer,
    bool reverse,
    const struct layer_tensor *how) {
  struct text full = {.function = function};
  text_add(&full, "%s_l%" PRId64 "%s", name, layer, reverse ? "_reverse" : "");
  ctorch_error *error = full.error == NULL ? layer_parameter(function, self, text_data(&full), how, true) : NULL;
  return ctorch_error_first(error, text_end(&full));
}

/* What the constructors have in common. */
struct arguments {
  int64_t input_size, hidden_size, num_layers, proj_size;
  bool bias, batch_first, bidirectional, relu;
  double dropout;
  const ctorch_device *device;
  const ctorch_dtype *dtype;
};

static ctorch_error *add_weights(
    const char *function, struct rnn *self, const struct arguments *a, int64_t rows, int64_t layer, bool reverse) {
  ctorch_module *module = &self->module;
  int64_t hidden = self->proj_size > 0 ? self->proj_size : self->hidden_size;
  int64_t columns = self->input_size;
  if (layer > 0) {
    columns = hidden * directions_of(self);
  }
  CTORCH_TRY(add_weight(function, module, "weight_ih", layer, reverse, &LAYER_TENSOR(a, rows, columns)));
  CTORCH_TRY(add_weight(function, module, "weight_hh", layer, reverse, &LAYER_TENSOR(a, rows, hidden)));
  if (self->bias) {
    CTORCH_TRY(add_weight(function, module, "bias_ih", layer, reverse, &LAYER_TENSOR(a, rows)));
    CTORCH_TRY(add_weight(function, module, "bias_hh", layer, reverse, &LAYER_TENSOR(a, rows)));
  }
  if (self->proj_size > 0) {
    CTORCH_TRY(add_weight(
        function, module, "weight_hr", layer, reverse, &LAYER_TENSOR(a, self->proj_size, self->hidden_size)));
  }
  return NULL;
}

static ctorch_error *check_arguments(const char *function, const struct arguments *a) {
  if (!(a->dropout >= 0 && a->dropout <= 1)) {
    return error_make(function, CTORCH_ERROR_VALUE, "dropout should be a number in range [0, 1], got %g", a->dropout);
  }
  if (a->dropout > 0 && a->num_layers == 1) {
    CTORCH_TRY(ctorch_warning_emit(
        CTORCH_WARNING_USER, "dropout comes after all but the last layer, so it has no effect with one layer"));
  }
  if (a->input_size <= 0 || a->hidden_size <= 0 || a->num_layers <= 0) {
    return error_make(
        function, CTORCH_ERROR_VALUE, "%s must be greater than zero",
        a->input_size <= 0    ? "input_size"
        : a->hidden_size <= 0 ? "hidden_size"
                              : "num_layers");
  }
  if (a->proj_size < 0 || a->proj_size >= a->hidden_size) {
    return error_make(
        function, CTORCH_ERROR_VALUE, "proj_size has to be smaller than hidden_size, and zero for none, got %" PRId64,
        a->proj_size);
  }
  if (a->hidden_size > INT64_MAX / 8 || a->num_layers > MOST_LAYERS) {
    return error_make(
        function, CTORCH_ERROR_RUNTIME, "%s is too large", a->num_layers > MOST_LAYERS ? "num_layers" : "hidden_size");
  }
  return NULL;
}

static ctorch_error *make(
    const char *function, ctorch_module **out, const struct rnn_class *kind, const struct arguments *a) {
  CTORCH_TRY(check_arguments(function, a));
  struct rnn *self = module_new(&kind->class);
  ctorch_error *error = NULL;
  if (self == NULL) {
    return module_give(function, out, NULL, NULL);
  }
  self->input_size = a->input_size;
  self->hidden_size = a->hidden_size;
  self->num_layers = a->num_layers;
  self->proj_size = a->proj_size;
  self->bias = a->bias;
  self->batch_first = a->batch_first;
  self->bidirectional = a->bidirectional;
  self->relu = a->relu;
  self->dropout = a->dropout;
  for (int64_t i = 0; error == NULL && i < a->num_layers; i++) {
    for (int64_t j = 0; error == NULL && j < directions_of(self); j++) {
      error = add_weights(function, self, a, kind->gates * a->hidden_size, i, j == 1);
    }
  }
  THEN(error, rnn_reset(function, &self->module));
  return module_give(function, out, &self->module, error);
}

#define CLASS(named, count, cells)       \
  {{.object = MODULE_OBJECT(struct rnn), \
    .name = #named,                      \
    .call = call_##named,                \
    .extra_repr = rnn_repr,              \
    .reset_parameters = rnn_reset},      \
   count,                                \
   cells}

static const struct rnn_class rnn_class = CLASS(RNN, 1, false);
static const struct rnn_class lstm_class = CLASS(LSTM, 4, true);
static const struct rnn_class gru_class = CLASS(GRU, 3, false);

#define ARGUMENTS(o)                                                                                                \
  .input_size = (o)->input_size, .hidden_size = (o)->hidden_size, .num_layers = (o)->num_layers, .bias = (o)->bias, \
  .batch_first = (o)->batch_first, .dropout = (o)->dropout, .bidirectional = (o)->bidirectional,                    \
  .device = (o)->device, .dtype = (o)->dtype

/* Whether it is relu; another than tanh is an error. */
static ctorch_error *check_nonlinearity(
    const char *function, bool *relu, const char *nonlinearity, ctorch_error_kind kind) {
  *relu = strcmp(nonlinearity, "relu") == 0;
  return *relu || strcmp(nonlinearity, "tanh") == 0
             ? NULL
             : error_make(function, kind, "Unknown nonlinearity '%s', expected tanh or relu", nonlinearity);
}

ctorch_error *nn_RNN(const char *function, ctorch_module **out, const struct nn_RNN_options *options) {
  bool relu = false;
  CTORCH_TRY(check_nonlinearity(function, &relu, options->nonlinearity, CTORCH_ERROR_VALUE));
  return make(function, out, &rnn_class, &(const struct arguments){ARGUMENTS(options), .relu = relu});
}

ctorch_error *nn_LSTM(const char *function, ctorch_module **out, const struct nn_LSTM_options *options) {
  return make(
      function, out, &lstm_class, &(const struct arguments){ARGUMENTS(options), .proj_size = options->proj_size});
}

ctorch_error *nn_GRU(const char *function, ctorch_module **out, const struct nn_GRU_options *options) {
  return make(function, out, &gru_class, &(const struct arguments){ARGUMENTS(options)});
}

/* Cells. */

enum { WEIGHT_IH, WEIGHT_HH, BIAS_IH, BIAS_HH };

struct cell {
  ctorch_module module;
  int64_t input_size, hidden_size;
  bool bias, relu;
};

static void cell_repr(const ctorch_module *module, struct text *text) {
  const struct cell *self = (const struct cell *)module;
  text_add(
      text, "%" PRId64 ", %" PRId64 "%s%s", self->input_size, self->hidden_size, self->bias ? "" : ", bias=False",
      self->relu ? ", nonlinearity=relu" : "");
}

static ctorch_error *cell_reset(const char *function, ctorch_module *module) {
  (void)function;
  return reset_all(module, ((const struct cell *)module)->hidden_size);
}

typedef ctorch_error *one_state(
    ctorch_tensor **out,
    const ctorch_tensor *input,
    const ctorch_tensor *hx,
    const ctorch_tensor *w_ih,
    const ctorch_tensor *w_hh,
    const ctorch_tensor *b_ih,
    const ctorch_tensor *b_hh);

/* The operator on a batch, of one state or of two (LSTM). */
static ctorch_error *step_of_batch(
    ctorch_tensor *out[2],
    const ctorch_module *module,
    const ctorch_tensor *input,
    const ctorch_tensor *const hx[2],
    one_state *operator_) {
  const ctorch_tensor *w_ih = module_parameter_at(module, WEIGHT_IH), *w_hh = module_parameter_at(module, WEIGHT_HH);
  const ctorch_tensor *b_ih = module_parameter_at(module, BIAS_IH), *b_hh = module_parameter_at(module, BIAS_HH);
  return operator_ != NULL ? operator_(&out[0], input, hx[0], w_ih, w_hh, b_ih, b_hh)
                           : ctorch_aten_lstm_cell(&out[0], &out[1], input, hx, 2, w_ih, w_hh, b_ih, b_hh);
}

/* The same of one sample, which is a batch of one meanwhile; states that are absent are zeros. */
static ctorch_error *step(
    const char *function,
    ctorch_tensor *out[2],
    const ctorch_module *module,
    const ctorch_tensor *input,
    const ctorch_tensor *const hx[2],
    one_state *operator_) {
  const struct cell *self = (const struct cell *)module;
  const ctorch_dtype dtype = ctorch_tensor_dtype(input);
  int64_t ndim = ctorch_tensor_ndim(input);
  ctorch_device device = {0};
  ctorch_tensor *batch = NULL, *states[2] = {NULL, NULL}, *found[2] = {NULL, NULL};
  size_t count = operator_ == NULL ? 2 : 1;
  if (ndim != 1 && ndim != 2) {
    return error_make(
        function, CTORCH_ERROR_VALUE, "%s: Expected input to be 1D or 2D, got %" PRId64 "D instead",
        module_name(module), ndim);
  }
  for (size_t i = 0; i < count && hx[i] != NULL; i++) {
    int64_t dims = ctorch_tensor_ndim(hx[i]);
    if (dims != 1 && dims != 2) {
      return error_make(
          function, CTORCH_ERROR_VALUE, "%s: Expected hidden to be 1D or 2D, got %" PRId64 "D instead",
          module_name(module), dims);
    }
  }
  CTORCH_TRY(ctorch_tensor_device(&device, input));
  ctorch_error *error = ndim == 1 ? ctorch_aten_unsqueeze(&batch, input, 0) : tensor_give(function, &batch, input);
  for (size_t i = 0; error == NULL && i < count; i++) {
    error = hx[i] == NULL ? ctorch_aten_zeros(
                                &states[i], CTORCH_INTS(ctorch_tensor_sizes(batch)[0], self->hidden_size), &dtype, NULL,
                                &device, NULL)
            : ndim == 1 ? ctorch_aten_unsqueeze(&states[i], hx[i], 0)
                        : tensor_give(function, &states[i], hx[i]);
  }
  THEN(error, step_of_batch(found, module, batch, (const ctorch_tensor *const[]){states[0], states[1]}, operator_));
  ctorch_tensor_release(batch);
  ctorch_tensor_release(states[0]);
  ctorch_tensor_release(states[1]);
  for (size_t i = 0; error == NULL && i < count && ndim == 1; i++) {
    ctorch_tensor *one = NULL;
    error = ctorch_aten_squeeze_dim(&one, found[i], 0);
    error = become(&found[i], one, error);
  }
  if (error != NULL) {
    ctorch_tensor_release(found[0]);
    ctorch_tensor_release(found[1]);
    return error;
  }
  out[0] = found[0];
  out[1] = found[1];
  return NULL;
}

ctorch_error *nn_RNNCell_forward(
    const char *function, ctorch_tensor **out, const struct nn_RNNCell_forward_options *options) {
  bool relu = ((const struct cell *)options->self)->relu;
  const ctorch_tensor *const hx[] = {options->hx, NULL};
  ctorch_tensor *found[2] = {NULL, NULL};
  CTORCH_TRY(step(
      function, found, options->self, options->input, hx,
      relu ? ctorch_aten_rnn_relu_cell : ctorch_aten_rnn_tanh_cell));
  *out = found[0];
  return NULL;
}

ctorch_error *nn_GRUCell_forward(
    const char *function, ctorch_tensor **out, const struct nn_GRUCell_forward_options *options) {
  const ctorch_tensor *const hx[] = {options->hx, NULL};
  ctorch_tensor *found[2] = {NULL, NULL};
  CTORCH_TRY(step(function, found, options->self, options->input, hx, ctorch_aten_gru_cell));
  *out = found[0];
  return NULL;
}

ctorch_error *nn_LSTMCell_forward(
    const char *function,
    ctorch_tensor **out_h_1,
    ctorch_tensor **out_c_1,
    const struct nn_LSTMCell_forward_options *options) {
  const ctorch_tensor *hx[2] = {NULL, NULL};
  ctorch_tensor *found[2] = {NULL, NULL};
  CTORCH_TRY(take_pair(function, hx, options->hx, options->hx_len));
  CTORCH_TRY(step(function, found, options->self, options->input, hx, NULL));
  *out_h_1 = found[0];
  *out_c_1 = found[1];
  return NULL;
}

static ctorch_error *cell_parameters(
    const char *function, struct cell *self, const struct arguments *a, int64_t gates) {
  ctorch_module *module = &self->module;
  int64_t rows = 0;
  if (__builtin_mul_overflow(gates, a->hidden_size, &rows)) {
    return error_make(function, CTORCH_ERROR_RUNTIME, "hidden_size is too large");
  }
  CTORCH_TRY(layer_parameter(function, module, "weight_ih", &LAYER_TENSOR(a, rows, a->input_size), true));
  CTORCH_TRY(layer_parameter(function, module, "weight_hh", &LAYER_TENSOR(a, rows, a->hidden_size), true));
  CTORCH_TRY(layer_parameter(function, module, "bias_ih", &LAYER_TENSOR(a, rows), a->bias));
  CTORCH_TRY(layer_parameter(function, module, "bias_hh", &LAYER_TENSOR(a, rows), a->bias));
  return cell_reset(function, module);
}

static ctorch_error *make_cell(
    const char *function, ctorch_module **out, const module_class *class, const struct arguments *a, int64_t gates) {
  struct cell *self = module_new(class);
  if (self == NULL) {
    return module_give(function, out, NULL, NULL);
  }
  self->input_size = a->input_size;
  self->hidden_size = a->hidden_size;
  self->bias = a->bias;
  self->relu = a->relu;
  return module_give(function, out, &self->module, cell_parameters(function, self, a, gates));
}

#define CELL(named, gates, with_relu)                                                                               \
  ctorch_error *nn_##named(const char *function, ctorch_module **out, const struct nn_##named##_options *options) { \
    static const module_class class = {                                                                             \
        .object = MODULE_OBJECT(struct cell),                                                                       \
        .name = #named,                                                                                             \
        .call = nn_##named##_call,                                                                                  \
        .extra_repr = cell_repr,                                                                                    \
        .reset_parameters = cell_reset};                                                                            \
    bool relu = false;                                                                                              \
    with_relu;                                                                                                      \
    return make_cell(                                                                                               \
        function, out, &class,                                                                                      \
        &(const struct arguments){                                                                                  \
            .input_size = options->input_size,                                                                      \
            .hidden_size = options->hidden_size,                                                                    \
            .bias = options->bias,                                                                                  \
            .relu = relu,                                                                                           \
            .device = options->device,                                                                              \
            .dtype = options->dtype},                                                                               \
        gates);                                                                                                     \
  }

CELL(RNNCell, 1, CTORCH_TRY(check_nonlinearity(function, &relu, options->nonlinearity, CTORCH_ERROR_RUNTIME)))
CELL(LSTMCell, 4, (void)0)
CELL(GRUCell, 3, (void)0)
