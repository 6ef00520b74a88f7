/* Embeddings: rows of a matrix by their numbers. */
#include <inttypes.h>
#include <string.h>

#include "base/sequence.h"
#include "base/text.h"
#include "constructors/functional.h"
#include "constructors/init.h"
#include "constructors/nn.h"
#include "core/c/error.h"
#include "module/layer.h"
#include "module/options.h"

enum { WEIGHT };

struct embedding {
  ctorch_module module;
  int64_t num_embeddings, embedding_dim, padding_idx;
  double max_norm, norm_type;
  bool has_padding, has_max_norm, scale_grad_by_freq, sparse, include_last_offset;
  const char *mode; /* of a bag */
};

/* A number from the front of one that may count from the end. */
static ctorch_error *check_padding(const char *function, int64_t *padding_idx, int64_t rows) {
  if (*padding_idx > 0 ? *padding_idx >= rows : *padding_idx < -rows) {
    return error_make(
        function, CTORCH_ERROR_VALUE, "padding_idx must be within num_embeddings, %" PRId64 ", got %" PRId64, rows,
        *padding_idx);
  }
  *padding_idx += *padding_idx < 0 ? rows : 0;
  return NULL;
}

/* Shorten the rows that are looked up to the norm; no graph records it. */
static ctorch_error *shorten_rows(
    const ctorch_tensor *weight, const ctorch_tensor *input, double max_norm, double norm_type) {
  ctorch_tensor *rows = NULL;
  CTORCH_TRY(ctorch_aten_detach(&rows, weight));
  ctorch_error *error = ctorch_aten_embedding_renorm_(rows, input, max_norm, norm_type);
  ctorch_tensor_release(rows);
  return error;
}

ctorch_error *functional_embedding(
    const char *function, ctorch_tensor **out, const struct functional_embedding_options *options) {
  int64_t padding_idx = options->padding_idx == NULL ? -1 : *options->padding_idx;
  struct steps s = {0};
  if (options->padding_idx != NULL) {
    if (ctorch_tensor_ndim(options->weight) == 0) {
      return error_make(function, CTORCH_ERROR_INDEX, "weight must be a matrix");
    }
    CTORCH_TRY(check_padding(function, &padding_idx, ctorch_tensor_sizes(options->weight)[0]));
  }
  if (options->max_norm == NULL) {
    return ctorch_aten_embedding(
        out, options->weight, options->input, padding_idx, options->scale_grad_by_freq, options->sparse);
  }
  STEP(&s, ctorch_aten_contiguous(&s.next, options->input, CTORCH_MEMORY_FORMAT_CONTIGUOUS));
  THEN(s.error, shorten_rows(options->weight, s.at, *options->max_norm, options->norm_type));
  STEP(
      &s,
      ctorch_aten_embedding(&s.next, options->weight, s.at, padding_idx, options->scale_grad_by_freq, options->sparse));
  return steps_end(&s, out);
}

/* Bags. */

enum { SUM, MEAN, MAX };

/* Whether the arguments fit each other; the mode as the operator numbers it. */
static ctorch_error *check_bag(
    const char *function, int64_t *mode, const struct functional_embedding_bag_options *options) {
  static const char *const modes[] = {"sum", "mean", "max"};
  const ctorch_tensor *input = options->input, *weights = options->per_sample_weights;
  int64_t ndim = ctorch_tensor_ndim(input);
  if (weights != NULL &&
      (ctorch_tensor_ndim(weights) != ndim ||
       (ndim > 0 &&
        memcmp(ctorch_tensor_sizes(weights), ctorch_tensor_sizes(input), (size_t)ndim * sizeof(int64_t)) != 0))) {
    return error_make(function, CTORCH_ERROR_VALUE, "per_sample_weights must have the shape of input");
  }
  if (ctorch_tensor_ndim(options->weight) != 2) {
    return error_make(
        function, CTORCH_ERROR_VALUE, "weight has to be a 2D Tensor, but got Tensor of dimension %" PRId64,
        ctorch_tensor_ndim(options->weight));
  }
  if (ndim != 1 && ndim != 2) {
    return error_make(
        function, CTORCH_ERROR_VALUE, "input has to be 1D or 2D Tensor, but got Tensor of dimension %" PRId64, ndim);
  }
  if (ndim == 2 && options->offsets != NULL) {
    return error_make(function, CTORCH_ERROR_VALUE, "if input is 2D, then offsets has to be None: each row is a bag");
  }
  if (ndim == 1 && (options->offsets == NULL || ctorch_tensor_ndim(options->offsets) != 1)) {
    return error_make(function, CTORCH_ERROR_VALUE, "offsets has to be a 1D Tensor, as input is 1D");
  }
  for (*mode = 0; *mode < 3 && strcmp(options->mode, modes[*mode]) != 0; ++*mode) {
  }
  if (*mode == 3) {
    return error_make(function, CTORCH_ERROR_VALUE, "mode has to be one of sum, mean or max, got '%s'", options->mode);
  }
  if (*mode == MAX && (options->scale_grad_by_freq || options->sparse)) {
    return error_make(
        function, CTORCH_ERROR_VALUE, "max mode does not support %s",
        options->scale_grad_by_freq ? "scaling the gradient by the frequency" : "sparse weights");
  }
  if (weights != NULL && *mode != SUM) {
    return error_make(
        function, CTORCH_ERROR_NOT_IMPLEMENTED, "per_sample_weights is only supported for mode sum (got mode '%s')",
        options->mode);
  }
  return NULL;
}

/* The operator, of whose results all but the first are for its backward. */
static ctorch_error *look_up_bags(
    ctorch_tensor **out,
    const struct functional_embedding_bag_options *options,
    int64_t mode,
    const ctorch_tensor *input,
    const ctorch_tensor *offsets,
    const ctorch_tensor *weights,
    bool include_last_offset) {
  ctorch_tensor *offset2bag = NULL, *bag_size = NULL, *max_indices = NULL;
  if (options->max_norm != NULL) {
    CTORCH_TRY(shorten_rows(options->weight, input, *options->max_norm, options->norm_type));
  }
  CTORCH_TRY(ctorch_aten_embedding_bag_padding_idx(
      out, &offset2bag, &bag_size, &max_indices, options->weight, input, offsets, options->scale_grad_by_freq, mode,
      options->sparse, weights, include_last_offset, options->padding_idx));
  ctorch_tensor_release(offset2bag);
  ctorch_tensor_release(bag_size);
  ctorch_tensor_release(max_indices);
  return NULL;
}

/* Each row is a bag. */
static ctorch_error *look_up_rows(
    const char *function, ctorch_tensor **out, const struct functional_embedding_bag_options *options, int64_t mode) {
  const int64_t *sizes = ctorch_tensor_sizes(options->input);
  const ctorch_scalar start = whole(0), step = whole(sizes[1]);
  const ctorch_scalar end = whole(ctorch_tensor_numel(options->input));
  const ctorch_dtype dtype = ctorch_tensor_dtype(options->input);
  ctorch_device device = {0};
  ctorch_tensor *input = NULL, *offsets = NULL, *weights = NULL;
  (void)function;
  CTORCH_TRY(ctorch_tensor_device(&device, options->input));
  CTORCH_TRY(ctorch_aten_arange_start_step(&offsets, &start, &end, &step, &dtype, NULL, &device, NULL));
  ctorch_error *error = ctorch_aten_reshape(&input, options->input, CTORCH_INTS(-1));
  if (error == NULL && options->per_sample_weights != NULL) {
    error = ctorch_aten_reshape(&weights, options->per_sample_weights, CTORCH_INTS(-1));
  }
  THEN(error, look_up_bags(out, options, mode, input, offsets, weights, false));
  ctorch_tensor_release(input);
  ctorch_tensor_release(offsets);
  ctorch_tensor_release(weights);
  return error;
}

ctorch_error *functional_embedding_bag(
    const char *function, ctorch_tensor **out, const struct functional_embedding_bag_options *options) {
  int64_t mode = 0;
  CTORCH_TRY(check_bag(function, &mode, options));
  return ctorch_tensor_ndim(options->input) == 2 ? look_up_rows(function, out, options, mode)
                                                 : look_up_bags(
                                                       out, options, mode, options->input, options->offsets,
                                                       options->per_sample_weights, options->include_last_offset);
}

/* The modules. */

static ctorch_error *embedding_forward(ctorch_module *module, ctorch_tensor **out, const ctorch_tensor *input) {
  const struct embedding *self = (const struct embedding *)module;
  return functional_embedding(
      FORWARD, out,
      &(const struct functional_embedding_options){
          .input = input,
          .weight = module_parameter_at(module, WEIGHT),
          .padding_idx = self->has_padding ? &self->padding_idx : NULL,
          .max_norm = self->has_max_norm ? &self->max_norm : NULL,
          .norm_type = self->norm_type,
          .scale_grad_by_freq = self->scale_grad_by_freq,
          .sparse = self->sparse});
}

ctorch_error *nn_EmbeddingBag_forward(
    const char *function, ctorch_tensor **out, const struct nn_EmbeddingBag_forward_options *options) {
  const struct embedding *self = (const struct embedding *)options->self;
  return functional_embedding_bag(
      function, out,
      &(const struct functional_embedding_bag_options){
          .input = options->input,
          .weight = module_parameter_at(options->self, WEIGHT),
          .offsets = options->offsets,
          .max_norm = self->has_max_norm ? &self->max_norm : NULL,
          .norm_type = self->norm_type,
          .scale_grad_by_freq = self->scale_grad_by_freq,
          .mode = self->mode,
          .sparse = self->sparse,
          .per_sample_weights = options->per_sample_weights,
          .include_last_offset = self->include_last_offset,
          .padding_idx = self->has_padding ? &self->padding_idx : NULL});
}

static void embedding_repr(const ctorch_module *module, struct text *text) {
  const struct embedding *self = (const struct embedding *)module;
  text_add(text, "%" PRId64 ", %" PRId64, self->num_embeddings, self->embedding_dim);
  if (self->has_padding && self->mode == NULL) {
    text_add(text, ", padding_idx=%" PRId64, self->padding_idx);
  }
  if (self->has_max_norm) {
    text_add(text, ", max_norm=");
    text_option(text, module, "max_norm", self->max_norm);
  }
  if (self->norm_type != 2) {
    text_add(text, ", norm_type=");
    text_option(text, module, "norm_type", self->norm_type);
  }
  text_add(text, "%s", self->scale_grad_by_freq ? ", scale_grad_by_freq=True" : "");
  if (self->mode == NULL) {
    text_add(text, "%s", self->sparse ? ", sparse=True" : "");
    return;
  }
  text_add(text, ", mode=");
  text_quoted(text, self->mode);
  if (self->has_padding) {
    text_add(text, ", padding_idx=%" PRId64, self->padding_idx);
  }
}

static ctorch_error *embedding_reset(const char *function, ctorch_module *module) {
  const struct embedding *self = (const struct embedding *)module;
  ctorch_tensor *weight = module_parameter_at(module, WEIGHT), *row = NULL;
  CTORCH_TRY(layer_needs(function, weight, "weight"));
  CTORCH_TRY(init_normal_(function, &(struct init_normal__options){.tensor = weight, .mean = 0, .std = 1}));
  if (!self->has_padding) {
    return NULL;
  }
  CTORCH_TRY(ctorch_grad_mode_push(false));
  ctorch_error *error = ctorch_aten_select_int(&row, weight, 0, self->padding_idx);
  THEN(error, ctorch_aten_zero_(row));
  ctorch_tensor_release(row);
  return ctorch_error_first(error, ctorch_grad_mode_pop());
}

static const module_class embedding_class = {
    .object = MODULE_OBJECT(struct embedding),
    .name = "Embedding",
    .forward = embedding_forward,
    .extra_repr = embedding_repr,
    .reset_parameters = embedding_reset};
static const module_class bag_class = {
    .object = MODULE_OBJECT(struct embedding),
    .name = "EmbeddingBag",
    .call = nn_EmbeddingBag_call,
    .extra_repr = embedding_repr,
    .reset_parameters = embedding_reset};

/* What the constructors have in common. */
struct arguments {
  int64_t rows, columns;
  const int64_t *padding_idx;
  const double *max_norm;
  double norm_type;
  bool scale_grad_by_freq, sparse, include_last_offset, freeze;
  const char *mode;
  const ctorch_tensor *weight;
  const ctorch_device *device;
  const ctorch_dtype *dtype;
};

/* A parameter that shares the memory of a tensor. */
static ctorch_error *add_given(const char *function, ctorch_module *self, const struct arguments *a) {
  const int64_t *sizes = ctorch_tensor_sizes(a->weight);
  ctorch_tensor *own = NULL;
  if (ctorch_tensor_ndim(a->weight) != 2 || sizes[0] != a->rows || sizes[1] != a->columns) {
    return error_make(function, CTORCH_ERROR_VALUE, "Shape of weight does not match num_embeddings and embedding_dim");
  }
  CTORCH_TRY(ctorch_aten_detach(&own, a->weight));
  return module_add_parameter(function, self, "weight", own);
}

static ctorch_error *fill(const char *function, struct embedding *self, const struct arguments *a) {
  static const char *const modes[] = {"sum", "mean", "max"};
  ctorch_module *module = &self->module;
  self->num_embeddings = a->rows;
  self->embedding_dim = a->columns;
  self->max_norm = a->max_norm == NULL ? 0 : *a->max_norm;
  self->has_max_norm = a->max_norm != NULL;
  self->norm_type = a->norm_type;
  self->scale_grad_by_freq = a->scale_grad_by_freq;
  self->sparse = a->sparse;
  self->include_last_offset = a->include_last_offset;
  for (size_t i = 0; a->mode != NULL && i < 3; i++) {
    self->mode = strcmp(a->mode, modes[i]) == 0 ? modes[i] : self->mode;
  }
  if (a->mode != NULL && self->mode == NULL) {
    return error_make(function, CTORCH_ERROR_VALUE, "mode has to be one of sum, mean or max, got '%s'", a->mode);
  }
  if (a->padding_idx != NULL) {
    self->padding_idx = *a->padding_idx;
    self->has_padding = true;
    CTORCH_TRY(check_padding(function, &self->padding_idx, a->rows));
    CTORCH_TRY(module_record_int(function, module, "padding_idx", self->padding_idx));
  }
  if (a->weight != NULL) {
    CTORCH_TRY(module_record_int(function, module, "num_embeddings", a->rows));
    CTORCH_TRY(module_record_int(function, module, "embedding_dim", a->columns));
    CTORCH_TRY(add_given(function, module, a));
  } else {
    CTORCH_TRY(layer_parameter(function, module, "weight", &LAYER_TENSOR(a, a->rows, a->columns), true));
    CTORCH_TRY(embedding_reset(function, module));
  }
  return a->freeze ? ctorch_tensor_set_requires_grad(module_parameter_at(module, WEIGHT), false) : NULL;
}

static ctorch_error *make(
    const char *function, ctorch_module **out, const module_class *class, const struct arguments *a) {
  struct embedding *self = module_new(class);
  return module_give(function, out, &self->module, self == NULL ? NULL : fill(function, self, a));
}

#define COMMON(o)                                                                          \
  .padding_idx = (o)->padding_idx, .max_norm = (o)->max_norm, .norm_type = (o)->norm_type, \
  .scale_grad_by_freq = (o)->scale_grad_by_freq, .sparse = (o)->sparse

ctorch_error *nn_Embedding(const char *function, ctorch_module **out, const struct nn_Embedding_options *options) {
  return make(
      function, out, &embedding_class,
      &(const struct arguments){
          COMMON(options), .rows = options->num_embeddings, .columns = options->embedding_dim,
          .weight = options->_weight, .freeze = options->_freeze, .device = options->device, .dtype = options->dtype});
}

ctorch_error *nn_EmbeddingBag(
    const char *function, ctorch_module **out, const struct nn_EmbeddingBag_options *options) {
  return make(
      function, out, &bag_class,
      &(const struct arguments){
          COMMON(options), .rows = options->num_embeddings, .columns = options->embedding_dim, .mode = options->mode,
          .include_last_offset = options->include_last_offset, .weight = options->_weight, .device = options->device,
          .dtype = options->dtype});
}

static ctorch_error *check_pretrained(const char *function, const ctorch_tensor *embeddings) {
  return ctorch_tensor_ndim(embeddings) == 2
             ? NULL
             : error_make(function, CTORCH_ERROR_VALUE, "embeddings must be 2-dimensional");
}

ctorch_error *nn_Embedding_from_pretrained(
    const char *function, ctorch_module **out, const struct nn_Embedding_from_pretrained_options *options) {
  CTORCH_TRY(check_pretrained(function, options->embeddings));
  return make(
      function, out, &embedding_class,
      &(const struct arguments){
          COMMON(options), .rows = ctorch_tensor_sizes(options->embeddings)[0],
          .columns = ctorch_tensor_sizes(options->embeddings)[1], .weight = options->embeddings,
          .freeze = options->freeze});
}

ctorch_error *nn_EmbeddingBag_from_pretrained(
    const char *function, ctorch_module **out, const struct nn_EmbeddingBag_from_pretrained_options *options) {
  CTORCH_TRY(check_pretrained(function, options->embeddings));
  return make(
      function, out, &bag_class,
      &(const struct arguments){
          COMMON(options), .rows = ctorch_tensor_sizes(options->embeddings)[0],
          .columns = ctorch_tensor_sizes(options->embeddings)[1], .mode = options->mode,
          .include_last_offset = options->include_last_offset, .weight = options->embeddings,
          .freeze = options->freeze});
}
