/* The Transformer (Vaswani et al. 2017, arXiv:1706.03762) and its layers, as torch.nn has them. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/sequence.h"
#include "base/text.h"
#include "constructors/init.h"
#include "constructors/nn.h"
#include "core/c/error.h"
#include "core/c/tensor.h"
#include "module/hooks.h"
#include "nn/attention.h"
#include "nn/normalization.h"

enum activation { OTHER, RELU, GELU };

struct layer {
  ctorch_module module;
  enum activation activation; /* OTHER is the child of that name */
  bool norm_first, batch_first;
};

static const struct layer *layer_of(const ctorch_module *module) { return (const struct layer *)module; }

static bool is_a(const ctorch_module *module, const char *name) {
  return module != NULL && module_class_of(module)->name_of == NULL && strcmp(module_class_of(module)->name, name) == 0;
}

/* A child by its name, which has to be there. */
static ctorch_error *child_of(ctorch_module **out, const ctorch_module *self, const char *name) {
  *out = module_child(self, name);
  return *out != NULL ? NULL : error_make(FORWARD, CTORCH_ERROR_RUNTIME, "the module has no %s", name);
}

/* Apply a child that takes and gives a tensor. */
static ctorch_error *apply(
    ctorch_tensor **out, const ctorch_module *self, const char *name, const ctorch_tensor *input) {
  ctorch_module *child = NULL;
  CTORCH_TRY(child_of(&child, self, name));
  return ctorch_module_forward(out, child, input);
}

/* The blocks of a layer. */

/* What attention is to be masked with. */
struct masking {
  const ctorch_tensor *mask, *padding;
  bool is_causal;
};

static ctorch_error *attend(
    ctorch_tensor **out,
    const ctorch_module *self,
    const char *attention,
    const char *dropout,
    const ctorch_tensor *x,
    const ctorch_tensor *memory,
    const struct masking *masking) {
  ctorch_module *child = NULL;
  ctorch_tensor *found = NULL, *weights = NULL;
  CTORCH_TRY(child_of(&child, self, attention));
  CTORCH_TRY(ctorch_nn_MultiheadAttention_forward(
      &found, &weights, child, x, memory, memory, masking->padding, false, masking->mask, true, masking->is_causal));
  ctorch_tensor_release(weights);
  ctorch_error *error = apply(out, self, dropout, found);
  ctorch_tensor_release(found);
  return error;
}

static ctorch_error *activate(ctorch_tensor **out, const ctorch_module *self, const ctorch_tensor *x) {
  switch (layer_of(self)->activation) {
    case RELU:
      if (module_child(self, "activation") == NULL) {
        return ctorch_aten_relu(out, x);
      }
      break;
    case GELU:
      if (module_child(self, "activation") == NULL) {
        return ctorch_aten_gelu(out, x, "none");
      }
      break;
    case OTHER:
      break;
  }
  return apply(out, self, "activation", x);
}

static ctorch_error *feed_forward(
    ctorch_tensor **out, const ctorch_module *self, const char *dropout, const ctorch_tensor *x) {
  struct steps s = {0};
  STEP(&s, apply(&s.next, self, "linear1", x));
  STEP(&s, activate(&s.next, self, s.at));
  STEP(&s, apply(&s.next, self, "dropout", s.at));
  STEP(&s, apply(&s.next, self, "linear2", s.at));
  STEP(&s, apply(&s.next, self, dropout, s.at));
  return steps_end(&s, out);
}

/* One block with what is around it: x + block(norm(x)), or norm(x + block(x)). */
struct block {
  const char *norm, *attention, *dropout;
  const ctorch_tensor *memory; /* NULL for attention to itself, or for none */
  const struct masking *masking;
};

static ctorch_error *run_block(
    ctorch_tensor **out, const ctorch_module *self, const struct block *block, const ctorch_tensor *x) {
  bool norm_first = layer_of(self)->norm_first;
  struct steps s = {0};
  ctorch_tensor *normed = NULL;
  if (norm_first) {
    CTORCH_TRY(apply(&normed, self, block->norm, x));
  }
  const ctorch_tensor *input = norm_first ? normed : x;
  if (block->attention == NULL) {
    STEP(&s, feed_forward(&s.next, self, block->dropout, input));
  } else {
    const ctorch_tensor *memory = block->memory == NULL ? input : block->memory;
    STEP(&s, attend(&s.next, self, block->attention, block->dropout, input, memory, block->masking));
  }
  ctorch_tensor_release(normed);
  STEP(&s, ctorch_aten_add_Tensor(&s.next, x, s.at, NULL));
  if (!norm_first) {
    STEP(&s, apply(&s.next, self, block->norm, s.at));
  }
  return steps_end(&s, out);
}

static ctorch_error *run_blocks(
    ctorch_tensor **out, const ctorch_module *self, const struct block *blocks, size_t len, const ctorch_tensor *x) {
  struct steps s = {0};
  for (size_t i = 0; i < len; i++) {
    STEP(&s, run_block(&s.next, self, &blocks[i], s.at == NULL ? x : s.at));
  }
  return steps_end(&s, out);
}

/* The fused operator of an encoder layer. */

struct fused {
  const struct attention *attention;
  const ctorch_tensor *in_weight, *in_bias, *out_weight, *out_bias;
  const ctorch_tensor *norm1_weight, *norm1_bias, *norm2_weight, *norm2_bias;
  const ctorch_tensor *linear1_weight, *linear1_bias, *linear2_weight, *linear2_bias;
  double eps;
};

static const ctorch_tensor *parameter_of(const ctorch_module *self, const char *child, const char *name) {
  const ctorch_module *module = self == NULL ? NULL : module_child(self, child);
  return module == NULL ? NULL : module_parameter(module, name);
}

static bool has_hooks(const ctorch_module *self) {
  bool found = module_has_hooks(self);
  for (size_t i = 0; !found && i < self->children.len; i++) {
    found = self->children.data[i].module != NULL && has_hooks(self->children.data[i].module);
  }
  return found;
}

/* Whether the fused operator does what this layer does, as Python asks, but for the input. */
static bool is_fusible(struct fused *f, const ctorch_module *self) {
  const ctorch_module *attention = module_child(self, "self_attn");
  const ctorch_module *norm1 = module_child(self, "norm1"), *norm2 = module_child(self, "norm2");
  f->attention = attention_of(attention);
  if (f->attention == NULL || !is_a(norm1, "LayerNorm") || !is_a(norm2, "LayerNorm")) {
    return false;
  }
  *f = (struct fused){
      .attention = f->attention,
      .in_weight = module_parameter(attention, "in_proj_weight"),
      .in_bias = module_parameter(attention, "in_proj_bias"),
      .out_weight = parameter_of(attention, "out_proj", "weight"),
      .out_bias = parameter_of(attention, "out_proj", "bias"),
      .norm1_weight = module_parameter(norm1, "weight"),
      .norm1_bias = module_parameter(norm1, "bias"),
      .norm2_weight = module_parameter(norm2, "weight"),
      .norm2_bias = module_parameter(norm2, "bias"),
      .linear1_weight = parameter_of(self, "linear1", "weight"),
      .linear1_bias = parameter_of(self, "linear1", "bias"),
      .linear2_weight = parameter_of(self, "linear2", "weight"),
      .linear2_bias = parameter_of(self, "linear2", "bias"),
      .eps = layer_norm_eps(norm1)};
  return f->attention->batch_first && f->attention->same_dim && f->attention->num_heads % 2 == 0 &&
         layer_of(self)->activation != OTHER && layer_norm_eps(norm1) == layer_norm_eps(norm2);
}

/* Whether all tensors are there, and none of them needs a gradient now. */
static bool is_without_grad(const struct fused *f, const ctorch_tensor *src) {
  const ctorch_tensor *const tensors[] = {
      src,
      f->in_weight,
      f->in_bias,
      f->out_weight,
      f->out_bias,
      f->norm1_weight,
      f->norm1_bias,
      f->norm2_weight,
      f->norm2_bias,
      f->linear1_weight,
      f->linear1_bias,
      f->linear2_weight,
      f->linear2_bias};
  bool recording = ctorch_grad_mode_enabled(), is_without = true;
  for (size_t i = 0; i < sizeof tensors / sizeof *tensors; i++) {
    is_without = is_without && tensors[i] != NULL && !(recording && ctorch_tensor_requires_grad(tensors[i]));
  }
  return is_without;
}

static ctorch_error *run_fused(
    ctorch_tensor **out,
    const ctorch_module *self,
    const struct fused *f,
    const ctorch_tensor *src,
    const ctorch_tensor *mask,
    const ctorch_tensor *padding) {
  ctorch_tensor *merged = NULL;
  int64_t type = 0;
  if (mask != NULL || padding != NULL) {
    CTORCH_TRY(attention_merge_masks(&merged, &type, f->attention, mask, padding, src));
  }
  ctorch_error *error = ctorch_aten__transformer_encoder_layer_fwd(
      out, src, f->attention->embed_dim, f->attention->num_heads, f->in_weight, f->in_bias, f->out_weight, f->out_bias,
      layer_of(self)->activation == GELU, layer_of(self)->norm_first, f->eps, f->norm1_weight, f->norm1_bias,
      f->norm2_weight, f->norm2_bias, f->linear1_weight, f->linear1_bias, f->linear2_weight, f->linear2_bias, merged,
      merged == NULL ? NULL : &type);
  ctorch_tensor_release(merged);
  return error;
}

/* The layer, of masks that are canonical. `src` may be nested, without masks: then it is fused. */
static ctorch_error *encode_layer(
    ctorch_tensor **out, const ctorch_module *self, const ctorch_tensor *src, const struct masking *masking) {
  struct fused fused = {0};
  const struct block blocks[] = {
      {"norm1", "self_attn", "dropout1", NULL, masking}, {"norm2", NULL, "dropout2", NULL, NULL}};
  if (ctorch_tensor_ndim(src) == 3 && !module_is_training(self) && is_fusible(&fused, self) &&
      !ctorch_autocast_enabled(CTORCH_DEVICE_TYPE_CUDA) && !has_hooks(self) && is_without_grad(&fused, src)) {
    return run_fused(out, self, &fused, src, masking->mask, masking->padding);
  }
  return run_blocks(out, self, blocks, 2, src);
}

ctorch_error *nn_TransformerEncoderLayer_forward(
    const char *function, ctorch_tensor **out, const struct nn_TransformerEncoderLayer_forward_options *o) {
  ctorch_dtype dtype = ctorch_tensor_dtype(o->src);
  ctorch_tensor *mask = NULL, *padding = NULL;
  ctorch_error *error =
      attention_mask(function, &padding, o->src_key_padding_mask, "src_key_padding_mask", o->src_mask, dtype);
  THEN(error, attention_mask(function, &mask, o->src_mask, "src_mask", NULL, dtype));
  THEN(error, encode_layer(out, o->self, o->src, &(const struct masking){mask, padding, o->is_causal}));
  ctorch_tensor_release(mask);
  ctorch_tensor_release(padding);
  return error;
}

ctorch_error *nn_TransformerDecoderLayer_forward(
    const char *function, ctorch_tensor **out, const struct nn_TransformerDecoderLayer_forward_options *o) {
  const struct masking own = {o->tgt_mask, o->tgt_key_padding_mask, o->tgt_is_causal};
  const struct masking other = {o->memory_mask, o->memory_key_padding_mask, o->memory_is_causal};
  const struct block blocks[] = {
      {"norm1", "self_attn", "dropout1", NULL, &own},
      {"norm2", "multihead_attn", "dropout2", o->memory, &other},
      {"norm3", NULL, "dropout3", NULL, NULL}};
  (void)function;
  return run_blocks(out, o->self, blocks, 3, o->tgt);
}

/* Making layers. */

struct layer_arguments {
  int64_t d_model, nhead, dim_feedforward;
  double dropout, layer_norm_eps;
  bool batch_first, norm_first, bias;
  enum activation activation;
  const ctorch_module *own_activation;
  const ctorch_device *device;
  const ctorch_dtype *dtype;
};

/* A child that was just made; consumed. */
static ctorch_error *add(
    const char *function, ctorch_module *self, const char *name, ctorch_module *child, ctorch_error *error) {
  THEN(error, module_add_child(function, self, name, child));
  ctorch_module_release(child);
  return error;
}

static ctorch_error *add_attention(
    const char *function, ctorch_module *self, const char *name, const struct layer_arguments *a) {
  ctorch_module *child = NULL;
  ctorch_error *error = nn_MultiheadAttention_new(
      function, &child,
      &(const struct nn_MultiheadAttention_options){
          .embed_dim = a->d_model,
          .num_heads = a->nhead,
          .dropout = a->dropout,
          .bias = a->bias,
          .batch_first = a->batch_first,
          .device = a->device,
          .dtype = a->dtype});
  return add(function, self, name, child, error);
}

static ctorch_error *add_linear(
    const char *function,
    ctorch_module *self,
    const char *name,
    const struct layer_arguments *a,
    int64_t in,
    int64_t out) {
  ctorch_module *child = NULL;
  ctorch_error *error = nn_Linear_new(
      function, &child,
      &(const struct nn_Linear_options){
          .in_features = in, .out_features = out, .bias = a->bias, .device = a->device, .dtype = a->dtype});
  return add(function, self, name, child, error);
}

static ctorch_error *add_norm(
    const char *function, ctorch_module *self, const char *name, const struct layer_arguments *a) {
  ctorch_module *child = NULL;
  ctorch_error *error = nn_LayerNorm_new(
      function, &child,
      &(const struct nn_LayerNorm_options){
          .normalized_shape = &a->d_model,
          .normalized_shape_len = 1,
          .eps = a->layer_norm_eps,
          .elementwise_affine = true,
          .bias = a->bias,
          .device = a->device,
          .dtype = a->dtype});
  return add(function, self, name, child, error);
}

static ctorch_error *add_dropout(
    const char *function, ctorch_module *self, const char *name, const struct layer_arguments *a) {
  ctorch_module *child = NULL;
  ctorch_error *error =
      nn_Dropout_new(function, &child, &(const struct nn_Dropout_options){.p = a->dropout, .inplace = false});
  return add(function, self, name, child, error);
}

static ctorch_error *fill_layer(
    const char *function, struct layer *self, const struct layer_arguments *a, bool is_decoder) {
  static const char *const norms[] = {"norm1", "norm2", "norm3"};
  static const char *const dropouts[] = {"dropout1", "dropout2", "dropout3"};
  ctorch_module *module = &self->module;
  size_t count = is_decoder ? 3 : 2;
  self->activation = a->activation;
  self->norm_first = a->norm_first;
  self->batch_first = a->batch_first;
  CTORCH_TRY(add_attention(function, module, "self_attn", a));
  if (is_decoder) {
    CTORCH_TRY(add_attention(function, module, "multihead_attn", a));
  }
  CTORCH_TRY(add_linear(function, module, "linear1", a, a->d_model, a->dim_feedforward));
  CTORCH_TRY(add_dropout(function, module, "dropout", a));
  CTORCH_TRY(add_linear(function, module, "linear2", a, a->dim_feedforward, a->d_model));
  for (size_t i = 0; i < count; i++) {
    CTORCH_TRY(add_norm(function, module, norms[i], a));
  }
  for (size_t i = 0; i < count; i++) {
    CTORCH_TRY(add_dropout(function, module, dropouts[i], a));
  }
  return a->own_activation == NULL ? NULL : module_add_child(function, module, "activation", a->own_activation);
}

static const module_class encoder_layer_class = {
    .object = MODULE_OBJECT(struct layer), .name = "TransformerEncoderLayer", .call = nn_TransformerEncoderLayer_call};
static const module_class decoder_layer_class = {
    .object = MODULE_OBJECT(struct layer), .name = "TransformerDecoderLayer", .call = nn_TransformerDecoderLayer_call};

static ctorch_error *make_layer(
    const char *function, ctorch_module **out, const struct layer_arguments *a, bool is_decoder) {
  struct layer *self = module_new(is_decoder ? &decoder_layer_class : &encoder_layer_class);
  return module_give(function, out, &self->module, self == NULL ? NULL : fill_layer(function, self, a, is_decoder));
}

static ctorch_error *check_activation(const char *function, enum activation *out, const char *name) {
  *out = strcmp(name, "relu") == 0 ? RELU : strcmp(name, "gelu") == 0 ? GELU : OTHER;
  return *out != OTHER ? NULL
                       : error_make(function, CTORCH_ERROR_RUNTIME, "activation should be relu/gelu, not %s", name);
}

/* What a module computes; it becomes a child all the same. */
static enum activation kind_of(const ctorch_module *module) {
  return is_a(module, "ReLU") ? RELU : is_a(module, "GELU") ? GELU : OTHER;
}

#define LAYER_ARGUMENTS(o)                                                                                        \
  .d_model = (o)->d_model, .nhead = (o)->nhead, .dim_feedforward = (o)->dim_feedforward, .dropout = (o)->dropout, \
  .layer_norm_eps = (o)->layer_norm_eps, .batch_first = (o)->batch_first, .norm_first = (o)->norm_first,          \
  .bias = (o)->bias, .device = (o)->device, .dtype = (o)->dtype

#define LAYER(named, is_decoder)                                                                                      \
  ctorch_error *nn_##named(const char *function, ctorch_module **out, const struct nn_##named##_options *options) {   \
    struct layer_arguments a = {LAYER_ARGUMENTS(options)};                                                            \
    CTORCH_TRY(check_activation(function, &a.activation, options->activation));                                       \
    return make_layer(function, out, &a, is_decoder);                                                                 \
  }                                                                                                                   \
  ctorch_error *nn_##named##_activation(                                                                              \
      const char *function, ctorch_module **out, const struct nn_##named##_activation_options *options) {             \
    const struct layer_arguments a = {                                                                                \
        LAYER_ARGUMENTS(options), .activation = kind_of(options->activation), .own_activation = options->activation}; \
    return make_layer(function, out, &a, is_decoder);                                                                 \
  }

LAYER(TransformerEncoderLayer, false)
LAYER(TransformerDecoderLayer, true)

/* Stacks of layers. */

struct stack {
  ctorch_module module;
  int64_t num_layers;
  bool use_nested_tensor, mask_check;
};

static ctorch_error *copies(const char *function, ctorch_module **out, const ctorch_module *layer, int64_t count) {
  ctorch_module *list = NULL;
  CTORCH_TRY(nn_ModuleList_new(function, &list, &(const struct nn_ModuleList_options){0}));
  ctorch_error *error = NULL;
  for (int64_t i = 0; error == NULL && i < count; i++) {
    ctorch_module *copy = NULL;
    error = ctorch_module_copy(&copy, layer);
    THEN(error, ctorch_module_append(list, copy));
    ctorch_module_release(copy);
  }
  if (error != NULL) {
    ctorch_module_release(list);
    return error;
  }
  *out = list;
  return NULL;
}

enum { MOST_LAYERS = 65536 };

static ctorch_error *make_stack(
    const char *function,
    ctorch_module **out,
    const module_class *class,
    const ctorch_module *layer,
    int64_t num_layers,
    const ctorch_module *norm,
    const struct stack *values) {
  ctorch_module *layers = NULL;
  if (num_layers > MOST_LAYERS) {
    return error_make(function, CTORCH_ERROR_RUNTIME, "num_layers is too large");
  }
  struct stack *self = module_new(class);
  if (self == NULL) {
    return module_give(function, out, NULL, NULL);
  }
  self->num_layers = num_layers;
  self->use_nested_tensor = values->use_nested_tensor;
  self->mask_check = values->mask_check;
  ctorch_error *error = copies(function, &layers, layer, num_layers);
  error = add(function, &self->module, "layers", layers, error);
  if (norm != NULL) {
    THEN(error, module_add_child(function, &self->module, "norm", norm));
  }
  return module_give(function, out, &self->module, error);
}

/* The mask of a causal model: 0 where a place may be looked at, -infinity behind it. */
static ctorch_error *causal_mask(
    ctorch_tensor **out, int64_t size, const ctorch_device *device, const ctorch_dtype *dtype) {
  const ctorch_scalar hidden = floating(-INFINITY);
  struct steps s = {0};
  STEP(&s, ctorch_aten_full(&s.next, CTORCH_INTS(size, size), &hidden, dtype, NULL, device, NULL));
  STEP(&s, ctorch_aten_triu(&s.next, s.at, 1));
  return steps_end(&s, out);
}

ctorch_error *nn_Transformer_generate_square_subsequent_mask(
    const char *function,
    ctorch_tensor **out,
    const struct nn_Transformer_generate_square_subsequent_mask_options *options) {
  CTORCH_TRY(layer_sizes(function, "sz", &options->sz, 1));
  return causal_mask(out, options->sz, options->device, options->dtype);
}

/* Whether a mask is that of a causal model, if the caller does not say. */
static ctorch_error *detect_causal(bool *out, const ctorch_tensor *mask, const bool *said, int64_t size) {
  ctorch_tensor *causal = NULL;
  ctorch_device device = {0};
  *out = said != NULL && *said;
  if (said != NULL || mask == NULL || ctorch_tensor_ndim(mask) != 2 || ctorch_tensor_sizes(mask)[0] != size ||
      ctorch_tensor_sizes(mask)[1] != size) {
    return NULL;
  }
  const ctorch_dtype dtype = ctorch_tensor_dtype(mask);
  CTORCH_TRY(ctorch_tensor_device(&device, mask));
  CTORCH_TRY(causal_mask(&causal, size, &device, &dtype));
  ctorch_error *error = ctorch_aten_equal(out, mask, causal);
  ctorch_tensor_release(causal);
  return error;
}

static int64_t length_of(const ctorch_tensor *tensor, bool batch_first) {
  int64_t ndim = ctorch_tensor_ndim(tensor);
  return ndim == 0 ? 0 : ctorch_tensor_sizes(tensor)[ndim > 2 && batch_first ? 1 : 0];
}

/* A layer, of whatever class: `layer(*tensors, **kwargs)`. */
struct named_argument {
  const char *name;
  const ctorch_tensor *tensor;
  const bool *flag; /* in place of a tensor */
};

static ctorch_error *call_layer(
    ctorch_tensor **out,
    ctorch_module *layer,
    const ctorch_tensor *const *inputs,
    size_t count,
    const struct named_argument *arguments,
    size_t len) {
  ctorch_value *args = NULL, *kwargs = NULL, *result = NULL;
  ctorch_error *error = layer_tuple(&args, inputs, count);
  THEN(error, ctorch_value_from_dict(&kwargs, NULL, 0, NULL, 0));
  for (size_t i = 0; error == NULL && i < len; i++) {
    ctorch_value *value = NULL;
    error = arguments[i].flag != NULL ? ctorch_value_from_bool(&value, *arguments[i].flag)
                                      : ctorch_value_from_tensor(&value, arguments[i].tensor);
    THEN(error, ctorch_value_dict_put(kwargs, arguments[i].name, value));
    ctorch_value_release(value);
  }
  THEN(error, ctorch_module_call(&result, layer, args, kwargs));
  ctorch_value_release(args);
  ctorch_value_release(kwargs);
  if (error == NULL && ctorch_value_kind_of(result) != CTORCH_VALUE_TENSOR) {
    error = error_make(FORWARD, CTORCH_ERROR_TYPE, "%s gave no tensor", module_name(layer));
  }
  THEN(error, ctorch_value_to_tensor(out, result));
  ctorch_value_release(result);
  return error;
}

static ctorch_error *layers_of(ctorch_module **out, const ctorch_module *self) {
  CTORCH_TRY(child_of(out, self, "layers"));
  if (ctorch_module_len(*out) == 0 || (*out)->children.len == 0) {
    return error_make(FORWARD, CTORCH_ERROR_INDEX, "index 0 is out of range: there are no layers");
  }
  for (size_t i = 0; i < (*out)->children.len; i++) {
    if ((*out)->children.data[i].module == NULL) {
      return error_make(FORWARD, CTORCH_ERROR_TYPE, "layers.%zu is None", i);
    }
  }
  return NULL;
}

static bool is_batch_first(const ctorch_module *layer) {
  const struct attention *attention = attention_of(module_child(layer, "self_attn"));
  return attention != NULL && attention->batch_first;
}

/* Whether rows that padding hides can be left out of the computation, as a nested tensor, and are 0 in the end. */
static ctorch_error *may_nest(
    bool *out,
    const struct stack *self,
    ctorch_module *first,
    const ctorch_tensor *src,
    const ctorch_tensor *visible,
    const ctorch_tensor *mask) {
  struct fused fused = {0};
  *out = false;
  if (!self->use_nested_tensor || module_is_training(first) || ctorch_tensor_ndim(src) != 3 || visible == NULL) {
    return NULL;
  }
  if (self->mask_check) {
    bool is_aligned = false;
    CTORCH_TRY(ctorch_aten__nested_tensor_from_mask_left_aligned(&is_aligned, src, visible));
    if (!is_aligned) {
      return NULL;
    }
  }
  *out = mask == NULL && !ctorch_autocast_enabled(CTORCH_DEVICE_TYPE_CUDA) && is_fusible(&fused, first) &&
         is_without_grad(&fused, src);
  return NULL;
}

/* `src` is consumed: the first layer's output takes its place. */
static ctorch_error *run_encoder(
    ctorch_tensor **out, ctorch_module *layers, ctorch_tensor *src, const struct masking *masking, bool nested) {
  struct steps s = {.at = src};
  const struct named_argument arguments[] = {
      {"src_mask", masking->mask, NULL},
      {"is_causal", NULL, &masking->is_causal},
      {"src_key_padding_mask", masking->padding, NULL}};
  for (size_t i = 0; i < layers->children.len; i++) {
    ctorch_module *layer = layers->children.data[i].module;
    if (nested && is_a(layer, "TransformerEncoderLayer")) { /* values hold no nested tensors */
      STEP(&s, encode_layer(&s.next, layer, s.at, masking));
    } else {
      STEP(&s, call_layer(&s.next, layer, (const ctorch_tensor *const[]){s.at}, 1, arguments, 3));
    }
  }
  return steps_end(&s, out);
}

static ctorch_error *normalize(struct steps *s, const ctorch_module *self, ctorch_tensor **out) {
  ctorch_module *norm = module_child(self, "norm");
  if (norm != NULL) {
    STEP(s, ctorch_module_forward(&s->next, norm, s->at));
  }
  return steps_end(s, out);
}

ctorch_error *nn_TransformerEncoder_forward(
    const char *function, ctorch_tensor **out, const struct nn_TransformerEncoder_forward_options *o) {
  const struct stack *self = (const struct stack *)o->self;
  ctorch_dtype dtype = ctorch_tensor_dtype(o->src);
  ctorch_module *layers = NULL;
  ctorch_tensor *mask = NULL, *padding = NULL, *visible = NULL, *src = NULL;
  bool nests = false, is_causal = false;
  struct steps s = {0};
  CTORCH_TRY(layers_of(&layers, o->self));
  ctorch_module *first = layers->children.data[0].module;
  ctorch_error *error =
      attention_mask(function, &padding, o->src_key_padding_mask, "src_key_padding_mask", o->mask, dtype);
  THEN(error, attention_mask(function, &mask, o->mask, "mask", NULL, dtype));
  if (padding != NULL) {
    THEN(error, ctorch_aten_logical_not(&visible, padding));
  }
  THEN(error, may_nest(&nests, self, first, o->src, visible, mask));
  THEN(error, detect_causal(&is_causal, mask, o->is_causal, length_of(o->src, is_batch_first(first))));
  if (nests) {
    THEN(error, ctorch_aten__nested_tensor_from_mask(&src, o->src, visible, false));
  } else {
    THEN(error, tensor_give(function, &src, o->src));
  }
  ctorch_tensor_release(visible);
  s.error = error;
  const struct masking masking = {mask, nests ? NULL : padding, is_causal};
  STEP(&s, run_encoder(&s.next, layers, src, &masking, nests));
  ctorch_tensor_release(mask);
  ctorch_tensor_release(padding);
  if (nests) {
    STEP(
        &s, ctorch_aten_to_padded_tensor(
                &s.next, s.at, 0, ctorch_tensor_sizes(o->src), (size_t)ctorch_tensor_ndim(o->src)));
  }
  return normalize(&s, o->self, out);
}

ctorch_error *nn_TransformerDecoder_forward(
    const char *function, ctorch_tensor **out, const struct nn_TransformerDecoder_forward_options *o) {
  ctorch_module *layers = NULL;
  bool is_causal = false;
  struct steps s = {0};
  (void)function;
  CTORCH_TRY(layers_of(&layers, o->self));
  CTORCH_TRY(detect_causal(
      &is_causal, o->tgt_mask, o->tgt_is_causal, length_of(o->tgt, is_batch_first(layers->children.data[0].module))));
  const struct named_argument arguments[] = {
      {"tgt_mask", o->tgt_mask, NULL},
      {"memory_mask", o->memory_mask, NULL},
      {"tgt_key_padding_mask", o->tgt_key_padding_mask, NULL},
      {"memory_key_padding_mask", o->memory_key_padding_mask, NULL},
      {"tgt_is_causal", NULL, &is_causal},
      {"memory_is_causal", NULL, &o->memory_is_causal}};
  STEP(&s, tensor_give(FORWARD, &s.next, o->tgt));
  for (size_t i = 0; i < layers->children.len; i++) {
    STEP(
        &s, call_layer(
                &s.next, layers->children.data[i].module, (const ctorch_tensor *const[]){s.at, o->memory}, 2, arguments,
                6));
  }
  return normalize(&s, o->self, out);
}

/* Why such layers do not take nested tensors, which a new encoder warns of; NULL if they do. */
static const char *why_not_nested(const ctorch_module *layer) {
  const struct attention *attention = attention_of(module_child(layer, "self_attn"));
  const ctorch_module *norm1 = module_child(layer, "norm1"), *norm2 = module_child(layer, "norm2");
  if (!is_a(layer, "TransformerEncoderLayer") || attention == NULL) {
    return "encoder_layer was not TransformerEncoderLayer";
  }
  return layer_of(layer)->norm_first ? "encoder_layer.norm_first was True"
         : !attention->batch_first
             ? "encoder_layer.self_attn.batch_first was not True(use batch_first for better inference performance)"
         : !attention->same_dim ? "encoder_layer.self_attn._qkv_same_embed_dim was not True"
         : module_parameter(&attention->module, "in_proj_bias") == NULL
             ? "encoder_layer.self_attn was passed bias=False"
         : layer_of(layer)->activation == OTHER ? "encoder_layer.activation_relu_or_gelu was not True"
         : !is_a(norm1, "LayerNorm") || !is_a(norm2, "LayerNorm") || layer_norm_eps(norm1) != layer_norm_eps(norm2)
             ? "encoder_layer.norm1.eps was not equal to encoder_layer.norm2.eps"
         : attention->num_heads % 2 == 1 ? "encoder_layer.self_attn.num_heads is odd"
                                         : NULL;
}

static const module_class encoder_class = {
    .object = MODULE_OBJECT(struct stack), .name = "TransformerEncoder", .call = nn_TransformerEncoder_call};
static const module_class decoder_class = {
    .object = MODULE_OBJECT(struct stack), .name = "TransformerDecoder", .call = nn_TransformerDecoder_call};

ctorch_error *nn_TransformerEncoder(
    const char *function, ctorch_module **out, const struct nn_TransformerEncoder_options *options) {
  const char *why_not = why_not_nested(options->encoder_layer);
  if (options->enable_nested_tensor && why_not != NULL) {
    struct text warning = {.function = function};
    text_add(&warning, "enable_nested_tensor is True, but self.use_nested_tensor is False because %s", why_not);
    ctorch_error *error = ctorch_warning_emit(CTORCH_WARNING_USER, text_data(&warning));
    CTORCH_TRY(ctorch_error_first(error, text_end(&warning)));
  }
  return make_stack(
      function, out, &encoder_class, options->encoder_layer, options->num_layers, options->norm,
      &(const struct stack){
          .use_nested_tensor = options->enable_nested_tensor && why_not == NULL, .mask_check = options->mask_check});
}

ctorch_error *nn_TransformerDecoder(
    const char *function, ctorch_module **out, const struct nn_TransformerDecoder_options *options) {
  return make_stack(
      function, out, &decoder_class, options->decoder_layer, options->num_layers, options->norm,
      &(const struct stack){.mask_check = true});
}

/* The whole. */

struct transformer {
  ctorch_module module;
  int64_t d_model, nhead;
  bool batch_first;
};

static ctorch_error *transformer_reset(const char *function, ctorch_module *module) {
  ctorch_tensor_list *parameters = NULL;
  CTORCH_TRY(ctorch_module_parameters(&parameters, module, true));
  ctorch_error *error = NULL;
  for (size_t i = 0; error == NULL && i < ctorch_tensor_list_len(parameters); i++) {
    ctorch_tensor *parameter = NULL;
    error = ctorch_tensor_list_get(&parameter, parameters, i);
    if (error == NULL && ctorch_tensor_ndim(parameter) > 1) {
      error =
          init_xavier_uniform_(function, &(const struct init_xavier_uniform__options){.tensor = parameter, .gain = 1});
    }
    ctorch_tensor_release(parameter);
  }
  ctorch_tensor_list_release(parameters);
  return error;
}

ctorch_error *nn_Transformer_forward(
    const char *function, ctorch_tensor **out, const struct nn_Transformer_forward_options *o) {
  const struct transformer *self = (const struct transformer *)o->self;
  const ctorch_tensor *src = o->src, *tgt = o->tgt;
  int64_t ndim = ctorch_tensor_ndim(src), tgt_ndim = ctorch_tensor_ndim(tgt), batch = self->batch_first ? 0 : 1;
  ctorch_module *encoder = NULL, *decoder = NULL;
  ctorch_tensor *memory = NULL;
  CTORCH_TRY(child_of(&encoder, o->self, "encoder"));
  CTORCH_TRY(child_of(&decoder, o->self, "decoder"));
  if (ndim < 2 || tgt_ndim < 2) {
    return error_make(function, CTORCH_ERROR_INDEX, "src and tgt must have 2 or 3 dimensions");
  }
  if (ndim == 3 && ctorch_tensor_sizes(src)[batch] != ctorch_tensor_sizes(tgt)[batch]) {
    return error_make(function, CTORCH_ERROR_RUNTIME, "the batch number of src and tgt must be equal");
  }
  if (ctorch_tensor_sizes(src)[ndim - 1] != self->d_model || ctorch_tensor_sizes(tgt)[tgt_ndim - 1] != self->d_model) {
    return error_make(
        function, CTORCH_ERROR_RUNTIME, "the feature number of src and tgt must be equal to d_model, %" PRId64,
        self->d_model);
  }
  const struct named_argument encoding[] = {
      {"mask", o->src_mask, NULL},
      {"src_key_padding_mask", o->src_key_padding_mask, NULL},
      {"is_causal", NULL, o->src_is_causal}};
  const struct named_argument decoding[] = {
      {"tgt_mask", o->tgt_mask, NULL},
      {"memory_mask", o->memory_mask, NULL},
      {"tgt_key_padding_mask", o->tgt_key_padding_mask, NULL},
      {"memory_key_padding_mask", o->memory_key_padding_mask, NULL},
      {"tgt_is_causal", NULL, o->tgt_is_causal},
      {"memory_is_causal", NULL, &o->memory_is_causal}};
  CTORCH_TRY(call_layer(&memory, encoder, (const ctorch_tensor *const[]){src}, 1, encoding, 3));
  ctorch_error *error = call_layer(out, decoder, (const ctorch_tensor *const[]){tgt, memory}, 2, decoding, 6);
  ctorch_tensor_release(memory);
  return error;
}

/* A stack of layers with a norm behind them. */
static ctorch_error *add_stack(
    const char *function, ctorch_module *self, const char *name, const struct layer_arguments *a, int64_t layers) {
  bool is_decoder = strcmp(name, "decoder") == 0;
  ctorch_module *layer = NULL, *norm = NULL, *stack = NULL;
  ctorch_error *error = make_layer(function, &layer, a, is_decoder);
  THEN(
      error, nn_LayerNorm_new(
                 function, &norm,
                 &(const struct nn_LayerNorm_options){
                     .normalized_shape = &a->d_model,
                     .normalized_shape_len = 1,
                     .eps = a->layer_norm_eps,
                     .elementwise_affine = true,
                     .bias = a->bias,
                     .device = a->device,
                     .dtype = a->dtype}));
  if (is_decoder) {
    THEN(
        error,
        nn_TransformerDecoder_new(
            function, &stack,
            &(const struct nn_TransformerDecoder_options){.decoder_layer = layer, .num_layers = layers, .norm = norm}));
  } else {
    THEN(
        error, nn_TransformerEncoder_new(
                   function, &stack,
                   &(const struct nn_TransformerEncoder_options){
                       .encoder_layer = layer,
                       .num_layers = layers,
                       .norm = norm,
                       .enable_nested_tensor = true,
                       .mask_check = true}));
  }
  ctorch_module_release(layer);
  ctorch_module_release(norm);
  return add(function, self, name, stack, error);
}

static const module_class transformer_class = {
    .object = MODULE_OBJECT(struct transformer),
    .name = "Transformer",
    .call = nn_Transformer_call,
    .reset_parameters = transformer_reset};

static ctorch_error *make_transformer(
    const char *function,
    ctorch_module **out,
    const struct layer_arguments *a,
    int64_t encoder_layers,
    int64_t decoder_layers,
    const ctorch_module *encoder,
    const ctorch_module *decoder) {
  struct transformer *self = module_new(&transformer_class);
  if (self == NULL) {
    return module_give(function, out, NULL, NULL);
  }
  ctorch_module *module = &self->module;
  self->d_model = a->d_model;
  self->nhead = a->nhead;
  self->batch_first = a->batch_first;
  ctorch_error *error = encoder != NULL ? module_add_child(function, module, "encoder", encoder)
                                        : add_stack(function, module, "encoder", a, encoder_layers);
  THEN(
      error, decoder != NULL ? module_add_child(function, module, "decoder", decoder)
                             : add_stack(function, module, "decoder", a, decoder_layers));
  THEN(error, transformer_reset(function, module));
  return module_give(function, out, module, error);
}

ctorch_error *nn_Transformer(const char *function, ctorch_module **out, const struct nn_Transformer_options *options) {
  struct layer_arguments a = {LAYER_ARGUMENTS(options)};
  CTORCH_TRY(check_activation(function, &a.activation, options->activation));
  return make_transformer(
      function, out, &a, options->num_encoder_layers, options->num_decoder_layers, options->custom_encoder,
      options->custom_decoder);
}

ctorch_error *nn_Transformer_activation(
    const char *function, ctorch_module **out, const struct nn_Transformer_activation_options *options) {
  const struct layer_arguments a = {
      LAYER_ARGUMENTS(options), .activation = kind_of(options->activation), .own_activation = options->activation};
  return make_transformer(
      function, out, &a, options->num_encoder_layers, options->num_decoder_layers, options->custom_encoder,
      options->custom_decoder);
}
