/* Multi-head attention (Vaswani et al. 2017, arXiv:1706.03762), as torch.nn computes it. */
#include "nn/attention.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/sequence.h"
#include "constructors/functional.h"
#include "constructors/init.h"
#include "constructors/nn.h"
#include "core/c/error.h"
#include "core/c/tensor.h"
#include "module/hooks.h"
#include "nn/linear.h"

static bool is_floating(const ctorch_tensor *tensor) {
  switch (ctorch_tensor_dtype(tensor)) {
    case CTORCH_DTYPE_FLOAT16:
    case CTORCH_DTYPE_BFLOAT16:
    case CTORCH_DTYPE_FLOAT32:
    case CTORCH_DTYPE_FLOAT64:
      return true;
    default:
      return false;
  }
}

ctorch_error *attention_mask(
    const char *function,
    ctorch_tensor **out,
    const ctorch_tensor *mask,
    const char *name,
    const ctorch_tensor *other,
    ctorch_dtype dtype) {
  const ctorch_scalar minus_infinity = floating(-INFINITY);
  struct steps s = {0};
  if (mask == NULL) {
    *out = NULL;
    return NULL;
  }
  if (!is_floating(mask) && ctorch_tensor_dtype(mask) != CTORCH_DTYPE_BOOL) {
    return error_make(
        function, CTORCH_ERROR_VALUE, "only bool and floating types of %s are supported, got %s", name,
        ctorch_dtype_name(ctorch_tensor_dtype(mask)));
  }
  if (other != NULL && ctorch_tensor_dtype(other) != ctorch_tensor_dtype(mask)) {
    CTORCH_TRY(ctorch_warning_emit(
        CTORCH_WARNING_USER, "masks of different dtypes are deprecated: use the same one for both"));
  }
  if (is_floating(mask)) {
    return tensor_give(function, out, mask);
  }
  STEP(&s, ctorch_aten_zeros_like(&s.next, mask, &dtype, NULL, NULL, NULL, NULL));
  THEN(s.error, ctorch_aten_masked_fill__Scalar(s.at, mask, &minus_infinity));
  return steps_end(&s, out);
}

/* What a call works with; all tensors are owned. */
struct work {
  const char *function;
  const struct functional_multi_head_attention_forward_options *options;
  ctorch_tensor *query, *key, *value, *attn_mask, *padding;
  ctorch_tensor *q, *k, *v;
  int64_t target_len, batch, source_len, embed_dim, head_dim;
  bool is_batched, is_causal;
};

static void work_release(struct work *self) {
  ctorch_tensor *const owned[] = {self->query,   self->key, self->value, self->attn_mask,
                                  self->padding, self->q,   self->k,     self->v};
  for (size_t i = 0; i < sizeof owned / sizeof *owned; i++) {
    ctorch_tensor_release(owned[i]);
  }
}

static int64_t size_of(const ctorch_tensor *tensor, int64_t dim) { return ctorch_tensor_sizes(tensor)[dim]; }

static bool has_shape(const ctorch_tensor *tensor, const int64_t *shape, size_t ndim) {
  return (size_t)ctorch_tensor_ndim(tensor) == ndim &&
         memcmp(ctorch_tensor_sizes(tensor), shape, ndim * sizeof *shape) == 0;
}

/* Python's AssertionErrors are VALUE. */
#define REFUSE(work, ...) error_make((work)->function, CTORCH_ERROR_VALUE, __VA_ARGS__)

static ctorch_error *check_shapes(struct work *w) {
  const struct functional_multi_head_attention_forward_options *o = w->options;
  int64_t ndim = ctorch_tensor_ndim(o->query);
  if (ndim != 2 && ndim != 3) {
    return REFUSE(w, "query should be unbatched 2D or batched 3D tensor but received %" PRId64 "-D query tensor", ndim);
  }
  w->is_batched = ndim == 3;
  if (ctorch_tensor_ndim(o->key) != ndim || ctorch_tensor_ndim(o->value) != ndim) {
    return REFUSE(
        w, "expected key and value to be %" PRId64 "-D as query is, found %" PRId64 "-D and %" PRId64 "-D", ndim,
        ctorch_tensor_ndim(o->key), ctorch_tensor_ndim(o->value));
  }
  if (o->key_padding_mask != NULL && ctorch_tensor_ndim(o->key_padding_mask) != ndim - 1) {
    return REFUSE(
        w, "expected key_padding_mask to be %" PRId64 "-D, found %" PRId64 "-D", ndim - 1,
        ctorch_tensor_ndim(o->key_padding_mask));
  }
  int64_t mask_ndim = o->attn_mask == NULL ? 2 : ctorch_tensor_ndim(o->attn_mask);
  if (mask_ndim != 2 && mask_ndim != 3) {
    return REFUSE(w, "expected attn_mask to be 2-D or 3-D, found %" PRId64 "-D", mask_ndim);
  }
  const int64_t shape[] = {o->num_heads, size_of(o->query, 0), size_of(o->key, 0)};
  if (ndim == 2 && mask_ndim == 3 && !has_shape(o->attn_mask, shape, 3)) {
    return REFUSE(
        w, "expected attn_mask shape to be (%" PRId64 ", %" PRId64 ", %" PRId64 ")", shape[0], shape[1], shape[2]);
  }
  return NULL;
}

/* The inputs as batches. As in Python, what was the same tensor is no longer so where a batch is made of it. */
static ctorch_error *take_inputs(struct work *w) {
  const struct functional_multi_head_attention_forward_options *o = w->options;
  const ctorch_tensor *const given[] = {o->query, o->key, o->value};
  ctorch_tensor **const places[] = {&w->query, &w->key, &w->value};
  for (size_t i = 0; i < 3; i++) {
    CTORCH_TRY(
        w->is_batched ? tensor_give(w->function, places[i], given[i]) : ctorch_aten_unsqueeze(places[i], given[i], 1));
  }
  w->target_len = size_of(w->query, 0);
  w->batch = size_of(w->query, 1);
  w->embed_dim = size_of(w->query, 2);
  w->source_len = size_of(w->key, 0);
  return NULL;
}

static ctorch_error *take_masks(struct work *w) {
  const struct functional_multi_head_attention_forward_options *o = w->options;
  ctorch_dtype dtype = ctorch_tensor_dtype(w->query);
  ctorch_error *error =
      attention_mask(w->function, &w->padding, o->key_padding_mask, "key_padding_mask", o->attn_mask, dtype);
  if (!w->is_batched && w->padding != NULL) {
    REPLACE(error, w->padding, ctorch_aten_unsqueeze(&next, w->padding, 0));
  }
  CTORCH_TRY(error);
  if (o->is_causal && o->attn_mask == NULL) {
    return error_make(w->function, CTORCH_ERROR_RUNTIME, "Need attn_mask if specifying the is_causal hint.");
  }
  w->is_causal = o->is_causal && w->padding == NULL;
  return w->is_causal && !o->need_weights
             ? NULL
             : attention_mask(w->function, &w->attn_mask, o->attn_mask, "attn_mask", NULL, dtype);
}

static ctorch_error *check_sizes(struct work *w) {
  const struct functional_multi_head_attention_forward_options *o = w->options;
  if (w->embed_dim != o->embed_dim_to_check) {
    return REFUSE(
        w, "was expecting embedding dimension of %" PRId64 ", but got %" PRId64, o->embed_dim_to_check, w->embed_dim);
  }
  if (o->num_heads <= 0 || w->embed_dim % o->num_heads != 0) {
    return REFUSE(w, "embed_dim %" PRId64 " not divisible by num_heads %" PRId64, w->embed_dim, o->num_heads);
  }
  w->head_dim = w->embed_dim / o->num_heads;
  size_t same = o->use_separate_proj_weight ? 2 : 3;
  return memcmp(ctorch_tensor_sizes(w->key), ctorch_tensor_sizes(w->value), same * sizeof(int64_t)) == 0
             ? NULL
             : REFUSE(w, "key and value must have the same %s", same == 2 ? "sequence and batch sizes" : "shape");
}

/* Projections. */

/* x Wᵀ + b, of which `parts` stand side by side in its last dimension: each by itself. */
static ctorch_error *project_side_by_side(
    ctorch_tensor **const outs[],
    int64_t parts,
    const ctorch_tensor *input,
    const ctorch_tensor *weight,
    const ctorch_tensor *bias,
    int64_t size) {
  struct steps s = {0};
  STEP(&s, ctorch_aten_linear(&s.next, input, weight, bias));
  STEP(&s, ctorch_aten_unflatten_int(&s.next, s.at, -1, CTORCH_INTS(parts, size)));
  STEP(&s, ctorch_aten_unsqueeze(&s.next, s.at, 0));
  STEP(&s, ctorch_aten_transpose_int(&s.next, s.at, 0, -2));
  STEP(&s, ctorch_aten_squeeze_dim(&s.next, s.at, -2));
  STEP(&s, ctorch_aten_contiguous(&s.next, s.at, CTORCH_MEMORY_FORMAT_CONTIGUOUS));
  for (int64_t i = 0; i < parts; i++) {
    THEN(s.error, ctorch_aten_select_int(outs[i], s.at, 0, i));
  }
  ctorch_tensor_release(s.at);
  return s.error;
}

/* Parts of a weight or bias, of which some may be wider; NULL for none. */
static ctorch_error *split(ctorch_tensor *parts[3], const ctorch_tensor *whole, const int64_t *sizes, size_t count) {
  ctorch_tensor_list *list = NULL;
  if (whole == NULL) {
    return NULL;
  }
  CTORCH_TRY(
      sizes != NULL ? ctorch_aten_split_with_sizes(&list, whole, sizes, count, 0)
                    : ctorch_aten_chunk(&list, whole, 3, 0));
  ctorch_error *error = NULL;
  for (size_t i = 0; error == NULL && i < count; i++) {
    error = ctorch_tensor_list_get(&parts[i], list, i);
  }
  ctorch_tensor_list_release(list);
  return error;
}

static void release_parts(ctorch_tensor *parts[3]) {
  for (size_t i = 0; i < 3; i++) {
    ctorch_tensor_release(parts[i]);
  }
}

static ctorch_error *project(struct work *w) {
  const struct functional_multi_head_attention_forward_options *o = w->options;
  const ctorch_tensor *const inputs[] = {w->query, w->key, w->value};
  ctorch_tensor **const outs[] = {&w->q, &w->k, &w->v};
  const int64_t two[] = {w->embed_dim, 2 * w->embed_dim};
  ctorch_tensor *weights[3] = {NULL}, *biases[3] = {NULL};
  bool keys_are_values = w->key == w->value;
  if (o->in_proj_weight == NULL && !o->use_separate_proj_weight) {
    return REFUSE(w, "use_separate_proj_weight is false but in_proj_weight is None");
  }
  if (o->use_separate_proj_weight &&
      (o->q_proj_weight == NULL || o->k_proj_weight == NULL || o->v_proj_weight == NULL)) {
    return REFUSE(w, "use_separate_proj_weight is true but one of the weights is None");
  }
  if (!o->use_separate_proj_weight && keys_are_values && w->query == w->key) {
    return project_side_by_side(outs, 3, w->query, o->in_proj_weight, o->in_proj_bias, w->embed_dim);
  }
  ctorch_error *error = NULL;
  if (o->use_separate_proj_weight) {
    const ctorch_tensor *const own[] = {o->q_proj_weight, o->k_proj_weight, o->v_proj_weight};
    THEN(error, split(biases, o->in_proj_bias, NULL, 3));
    for (size_t i = 0; i < 3; i++) {
      const int64_t shape[] = {w->embed_dim, size_of(inputs[i], 2)};
      if (error == NULL && !has_shape(own[i], shape, 2)) {
        error = REFUSE(w, "expecting a weight of shape (%" PRId64 ", %" PRId64 ")", shape[0], shape[1]);
      }
      THEN(error, ctorch_aten_linear(outs[i], inputs[i], own[i], biases[i]));
    }
  } else if (keys_are_values) {
    THEN(error, split(weights, o->in_proj_weight, two, 2));
    THEN(error, split(biases, o->in_proj_bias, two, 2));
    THEN(error, ctorch_aten_linear(&w->q, w->query, weights[0], biases[0]));
    THEN(error, project_side_by_side(&outs[1], 2, w->key, weights[1], biases[1], w->embed_dim));
  } else {
    THEN(error, split(weights, o->in_proj_weight, NULL, 3));
    THEN(error, split(biases, o->in_proj_bias, NULL, 3));
    for (size_t i = 0; i < 3; i++) {
      THEN(error, ctorch_aten_linear(outs[i], inputs[i], weights[i], biases[i]));
    }
  }
  release_parts(weights);
  release_parts(biases);
  return error;
}

/* A mask of attention with three dimensions. */
static ctorch_error *expand_mask(struct work *w) {
  ctorch_error *error = NULL;
  if (w->attn_mask == NULL) {
    return NULL;
  }
  const int64_t shape[] = {w->batch * w->options->num_heads, w->target_len, w->source_len};
  if (ctorch_tensor_ndim(w->attn_mask) == 2) {
    if (!has_shape(w->attn_mask, shape + 1, 2)) {
      return error_make(
          w->function, CTORCH_ERROR_RUNTIME, "The shape of the 2D attn_mask should be (%" PRId64 ", %" PRId64 ")",
          shape[1], shape[2]);
    }
    REPLACE(error, w->attn_mask, ctorch_aten_unsqueeze(&next, w->attn_mask, 0));
    return error;
  }
  return has_shape(w->attn_mask, shape, 3)
             ? NULL
             : error_make(
                   w->function, CTORCH_ERROR_RUNTIME,
                   "The shape of the 3D attn_mask should be (%" PRId64 ", %" PRId64 ", %" PRId64 ")", shape[0],
                   shape[1], shape[2]);
}

/* One more key, which no mask hides. */
static ctorch_error *widen_masks(struct work *w) {
  ctorch_error *error = NULL;
  if (w->attn_mask != NULL) {
    REPLACE(error, w->attn_mask, ctorch_aten_pad(&next, w->attn_mask, CTORCH_INTS(0, 1), "constant", NULL));
  }
  if (w->padding != NULL) {
    REPLACE(error, w->padding, ctorch_aten_pad(&next, w->padding, CTORCH_INTS(0, 1), "constant", NULL));
  }
  return error;
}

static ctorch_error *append(ctorch_tensor **place, ctorch_tensor *more, int64_t dim, ctorch_error *error) {
  REPLACE(error, *place, ctorch_aten_cat(&next, (const ctorch_tensor *const[]){*place, more}, 2, dim));
  ctorch_tensor_release(more);
  return error;
}

static ctorch_error *add_biases(struct work *w) {
  const struct functional_multi_head_attention_forward_options *o = w->options;
  if (o->bias_k == NULL && o->bias_v == NULL) {
    return NULL;
  }
  if (o->bias_k == NULL || o->bias_v == NULL) {
    return REFUSE(w, "bias_k and bias_v must both be set, or none");
  }
  if (o->static_k != NULL || o->static_v != NULL) {
    return REFUSE(w, "bias cannot be added to static key and value");
  }
  ctorch_tensor *more = NULL;
  ctorch_error *error = ctorch_aten_repeat(&more, o->bias_k, CTORCH_INTS(1, w->batch, 1));
  error = append(&w->k, more, 0, error);
  more = NULL;
  THEN(error, ctorch_aten_repeat(&more, o->bias_v, CTORCH_INTS(1, w->batch, 1)));
  error = append(&w->v, more, 0, error);
  THEN(error, widen_masks(w));
  return error;
}

/* (L, N, E) as (N * heads, L, E / heads), or what the caller has already. */
static ctorch_error *by_heads(struct work *w, ctorch_tensor **place, const ctorch_tensor *given) {
  int64_t rows = w->batch * w->options->num_heads;
  ctorch_error *error = NULL;
  if (given != NULL) {
    if (ctorch_tensor_ndim(given) != 3 || size_of(given, 0) != rows || size_of(given, 2) != w->head_dim) {
      return REFUSE(w, "expecting static_k and static_v of (%" PRId64 ", *, %" PRId64 ")", rows, w->head_dim);
    }
    REPLACE(error, *place, tensor_give(w->function, &next, given));
    return error;
  }
  REPLACE(error, *place, ctorch_aten_view(&next, *place, CTORCH_INTS(size_of(*place, 0), rows, w->head_dim)));
  REPLACE(error, *place, ctorch_aten_transpose_int(&next, *place, 0, 1));
  return error;
}

static ctorch_error *add_zeros(struct work *w) {
  ctorch_tensor *more = NULL;
  int64_t rows = w->batch * w->options->num_heads;
  ctorch_error *error = ctorch_aten_new_zeros(&more, w->k, CTORCH_INTS(rows, 1, w->head_dim), NULL, NULL, NULL, NULL);
  error = append(&w->k, more, 1, error);
  more = NULL;
  THEN(error, ctorch_aten_new_zeros(&more, w->v, CTORCH_INTS(rows, 1, w->head_dim), NULL, NULL, NULL, NULL));
  error = append(&w->v, more, 1, error);
  THEN(error, widen_masks(w));
  return error;
}

/* Both masks as one. */
static ctorch_error *merge_padding(struct work *w) {
  int64_t heads = w->options->num_heads, n = w->batch, len = w->source_len;
  const int64_t shape[] = {n, len};
  ctorch_error *error = NULL;
  if (w->padding == NULL) {
    return NULL;
  }
  if (!has_shape(w->padding, shape, 2)) {
    return REFUSE(w, "expected key_padding_mask of shape (%" PRId64 ", %" PRId64 ")", n, len);
  }
  REPLACE(error, w->padding, ctorch_aten_view(&next, w->padding, CTORCH_INTS(n, 1, 1, len)));
  REPLACE(error, w->padding, ctorch_aten_expand(&next, w->padding, CTORCH_INTS(-1, heads, -1, -1), false));
  REPLACE(error, w->padding, ctorch_aten_reshape(&next, w->padding, CTORCH_INTS(n * heads, 1, len)));
  if (w->attn_mask == NULL) {
    w->attn_mask = w->padding;
    w->padding = NULL;
    return error;
  }
  REPLACE(error, w->attn_mask, ctorch_aten_add_Tensor(&next, w->attn_mask, w->padding, NULL));
  return error;
}

/* The output's projection: of (L * N, E). */
static ctorch_error *project_output(struct work *w, struct steps *s) {
  STEP(s, ctorch_aten_linear(&s->next, s->at, w->options->out_proj_weight, w->options->out_proj_bias));
  if (s->error == NULL) {
    int64_t width = size_of(s->at, 1);
    STEP(s, ctorch_aten_view(&s->next, s->at, CTORCH_INTS(w->target_len, w->batch, width)));
  }
  if (!w->is_batched) {
    STEP(s, ctorch_aten_squeeze_dim(&s->next, s->at, 1));
  }
  return s->error;
}

static ctorch_error *attend_with_weights(struct work *w, ctorch_tensor **out, ctorch_tensor **out_weights, double p) {
  const struct functional_multi_head_attention_forward_options *o = w->options;
  const ctorch_scalar scale = floating(sqrt(1.0 / (double)size_of(w->q, 2)));
  ctorch_error *error = NULL;
  struct steps s = {0}, weights = {0};
  REPLACE(error, w->q, ctorch_aten_mul_Scalar(&next, w->q, &scale));
  REPLACE(error, w->k, ctorch_aten_transpose_int(&next, w->k, -2, -1));
  weights.error = error;
  STEP(
      &weights, w->attn_mask != NULL ? ctorch_aten_baddbmm(&weights.next, w->attn_mask, w->q, w->k, NULL, NULL)
                                     : ctorch_aten_bmm(&weights.next, w->q, w->k));
  ctorch_tensor_release(w->q);
  ctorch_tensor_release(w->k);
  w->q = w->k = NULL;
  STEP(&weights, ctorch_aten_softmax_int(&weights.next, weights.at, -1, NULL));
  if (p > 0) {
    STEP(&weights, ctorch_aten_dropout(&weights.next, weights.at, p, true));
  }
  s.error = weights.error;
  STEP(&s, ctorch_aten_bmm(&s.next, weights.at, w->v));
  STEP(&s, ctorch_aten_transpose_int(&s.next, s.at, 0, 1));
  STEP(&s, ctorch_aten_reshape(&s.next, s.at, CTORCH_INTS(w->target_len * w->batch, w->embed_dim)));
  weights.error = project_output(w, &s);
  STEP(
      &weights,
      ctorch_aten_view(&weights.next, weights.at, CTORCH_INTS(w->batch, o->num_heads, w->target_len, w->source_len)));
  if (o->average_attn_weights) {
    STEP(&weights, ctorch_aten_mean_dim(&weights.next, weights.at, CTORCH_INTS(1), false, NULL));
  }
  if (!w->is_batched) {
    STEP(&weights, ctorch_aten_squeeze_dim(&weights.next, weights.at, 0));
  }
  error = steps_end(&weights, out_weights);
  if (error != NULL) {
    ctorch_tensor_release(s.at);
    return error;
  }
  return steps_end(&s, out);
}

static ctorch_error *attend(struct work *w, ctorch_tensor **out, double p) {
  int64_t heads = w->options->num_heads;
  ctorch_error *error = NULL;
  struct steps s = {0};
  if (w->attn_mask != NULL && size_of(w->attn_mask, 0) == 1) {
    REPLACE(error, w->attn_mask, ctorch_aten_unsqueeze(&next, w->attn_mask, 0));
  } else if (w->attn_mask != NULL) {
    REPLACE(
        error, w->attn_mask, ctorch_aten_view(&next, w->attn_mask, CTORCH_INTS(w->batch, heads, -1, w->source_len)));
  }
  REPLACE(error, w->q, ctorch_aten_view(&next, w->q, CTORCH_INTS(w->batch, heads, w->target_len, w->head_dim)));
  REPLACE(error, w->k, ctorch_aten_view(&next, w->k, CTORCH_INTS(w->batch, heads, w->source_len, w->head_dim)));
  REPLACE(error, w->v, ctorch_aten_view(&next, w->v, CTORCH_INTS(w->batch, heads, w->source_len, w->head_dim)));
  s.error = error;
  STEP(
      &s,
      ctorch_aten_scaled_dot_product_attention(&s.next, w->q, w->k, w->v, w->attn_mask, p, w->is_causal, NULL, false));
  ctorch_tensor_release(w->q);
  ctorch_tensor_release(w->k);
  ctorch_tensor_release(w->v);
  w->q = w->k = w->v = NULL;
  STEP(&s, ctorch_aten_permute(&s.next, s.at, CTORCH_INTS(2, 0, 1, 3)));
  STEP(&s, ctorch_aten_reshape(&s.next, s.at, CTORCH_INTS(w->batch * w->target_len, w->embed_dim)));
  (void)project_output(w, &s);
  return steps_end(&s, out);
}

ctorch_error *functional_multi_head_attention_forward(
    const char *function,
    ctorch_tensor **out_output,
    ctorch_tensor **out_weights,
    const struct functional_multi_head_attention_forward_options *options) {
  struct work w = {.function = function, .options = options};
  double p = options->training ? options->dropout_p : 0;
  ctorch_tensor *output = NULL, *weights = NULL;
  ctorch_error *error = check_shapes(&w);
  THEN(error, take_inputs(&w));
  THEN(error, take_masks(&w));
  THEN(error, check_sizes(&w));
  THEN(error, project(&w));
  THEN(error, expand_mask(&w));
  THEN(error, add_biases(&w));
  THEN(error, by_heads(&w, &w.q, NULL));
  THEN(error, by_heads(&w, &w.k, options->static_k));
  THEN(error, by_heads(&w, &w.v, options->static_v));
  if (options->add_zero_attn) {
    THEN(error, add_zeros(&w));
  }
  if (error == NULL) {
    w.source_len = size_of(w.k, 1);
  }
  THEN(error, merge_padding(&w));
  THEN(error, options->need_weights ? attend_with_weights(&w, &output, &weights, p) : attend(&w, &output, p));
  work_release(&w);
  if (error == NULL) {
    *out_output = output;
    *out_weights = weights;
  }
  return error;
}

/* The module. */

static const struct attention *self_of(const ctorch_module *module) { return (const struct attention *)module; }

ctorch_error *attention_merge_masks(
    ctorch_tensor **out,
    int64_t *type,
    const struct attention *self,
    const ctorch_tensor *attn_mask,
    const ctorch_tensor *padding,
    const ctorch_tensor *query) {
  int64_t n = size_of(query, 0), len = size_of(query, 1), heads = self->num_heads;
  ctorch_tensor *wide = NULL;
  struct steps s = {0};
  *out = NULL;
  *type = 1;
  if (attn_mask == NULL) {
    return padding == NULL ? NULL : tensor_give(FORWARD, out, padding);
  }
  *type = 2;
  if (ctorch_tensor_ndim(attn_mask) == 3) {
    STEP(&s, ctorch_aten_view(&s.next, attn_mask, CTORCH_INTS(n, -1, len, len)));
  } else {
    STEP(&s, ctorch_aten_view(&s.next, attn_mask, CTORCH_INTS(1, 1, len, len)));
    STEP(&s, ctorch_aten_expand(&s.next, s.at, CTORCH_INTS(n, heads, -1, -1), false));
  }
  if (padding != NULL) {
    struct steps p = {.error = s.error};
    STEP(&p, ctorch_aten_view(&p.next, padding, CTORCH_INTS(n, 1, 1, len)));
    STEP(&p, ctorch_aten_expand(&p.next, p.at, CTORCH_INTS(-1, heads, -1, -1), false));
    s.error = steps_end(&p, &wide);
    STEP(&s, ctorch_aten_add_Tensor(&s.next, s.at, wide, NULL));
    ctorch_tensor_release(wide);
  }
  return steps_end(&s, out);
}

struct projections {
  const ctorch_tensor *weight, *bias, *q, *k, *v, *bias_k, *bias_v, *out_weight, *out_bias;
};

static struct projections projections_of(const ctorch_module *module) {
  const ctorch_module *out = module_child(module, "out_proj");
  return (struct projections){
      module_parameter(module, "in_proj_weight"),
      module_parameter(module, "in_proj_bias"),
      module_parameter(module, "q_proj_weight"),
      module_parameter(module, "k_proj_weight"),
      module_parameter(module, "v_proj_weight"),
      module_parameter(module, "bias_k"),
      module_parameter(module, "bias_v"),
      out == NULL ? NULL : module_parameter(out, "weight"),
      out == NULL ? NULL : module_parameter(out, "bias")};
}

static bool needs_grad(const ctorch_tensor *tensor) { return tensor != NULL && ctorch_tensor_requires_grad(tensor); }

/* Whether one fused operator does it all, as Python asks. */
static bool is_fast(
    const struct nn_MultiheadAttention_forward_options *o, const struct projections *p, bool has_float_mask) {
  const struct attention *self = self_of(o->self);
  bool is_self_attention = o->query == o->key && o->key == o->value && ctorch_tensor_ndim(o->query) == 3;
  bool is_plain = self->batch_first && self->same_dim && !self->add_zero_attn && self->num_heads % 2 == 0 &&
                  p->bias_k == NULL && p->bias_v == NULL && p->weight != NULL && p->bias != NULL &&
                  p->out_weight != NULL;
  if (has_float_mask || !is_self_attention || !is_plain || module_is_training(o->self) ||
      ctorch_autocast_enabled(CTORCH_DEVICE_TYPE_CUDA)) {
    return false;
  }
  ctorch_dtype dtype = ctorch_tensor_dtype(o->query);
  if (ctorch_tensor_dtype(p->bias) != dtype || ctorch_tensor_dtype(p->weight) != dtype) {
    return false;
  }
  return !ctorch_grad_mode_enabled() || !(needs_grad(o->query) || needs_grad(p->weight) || needs_grad(p->bias) ||
                                          needs_grad(p->out_weight) || needs_grad(p->out_bias));
}

/* The canonical masks of a call. */
struct masks {
  ctorch_tensor *attn, *padding;
};

static ctorch_error *fast_forward(
    ctorch_tensor **out_output,
    ctorch_tensor **out_weights,
    const struct nn_MultiheadAttention_forward_options *o,
    const struct projections *p,
    const struct masks *masks) {
  const struct attention *self = self_of(o->self);
  ctorch_tensor *merged = NULL, *weights = NULL;
  int64_t type = 0;
  CTORCH_TRY(attention_merge_masks(&merged, &type, self, masks->attn, masks->padding, o->query));
  ctorch_error *error = ctorch_aten__native_multi_head_attention(
      out_output, &weights, o->query, o->key, o->value, self->embed_dim, self->num_heads, p->weight, p->bias,
      p->out_weight, p->out_bias, merged, o->need_weights, o->average_attn_weights, merged == NULL ? NULL : &type);
  ctorch_tensor_release(merged);
  if (error == NULL) {
    *out_weights = weights;
  }
  return error;
}

/* The three inputs with the batch second; what is the same tensor stays so. */
static ctorch_error *transpose_inputs(
    const char *function, ctorch_tensor *places[3], const struct nn_MultiheadAttention_forward_options *o) {
  const ctorch_tensor *const given[] = {o->query, o->key, o->value};
  bool swap = self_of(o->self)->batch_first && ctorch_tensor_ndim(o->query) == 3;
  for (size_t i = 0; i < 3; i++) {
    size_t same = given[i] == given[0] ? 0 : given[i] == given[1] ? 1 : 2;
    if (same < i) {
      CTORCH_TRY(tensor_give(function, &places[i], places[same]));
    } else {
      CTORCH_TRY(
          swap ? ctorch_aten_transpose_int(&places[i], given[i], 1, 0) : tensor_give(function, &places[i], given[i]));
    }
  }
  return NULL;
}

static ctorch_error *slow_forward(
    const char *function,
    ctorch_tensor **out_output,
    ctorch_tensor **out_weights,
    const struct nn_MultiheadAttention_forward_options *o,
    const struct projections *p,
    const struct masks *masks) {
  const struct attention *self = self_of(o->self);
  ctorch_tensor *inputs[3] = {NULL}, *output = NULL, *weights = NULL;
  CTORCH_TRY(layer_needs(function, p->out_weight, "out_proj.weight"));
  ctorch_error *error = transpose_inputs(function, inputs, o);
  THEN(
      error, functional_multi_head_attention_forward(
                 function, &output, &weights,
                 &(const struct functional_multi_head_attention_forward_options){
                     .query = inputs[0],
                     .key = inputs[1],
                     .value = inputs[2],
                     .embed_dim_to_check = self->embed_dim,
                     .num_heads = self->num_heads,
                     .in_proj_weight = p->weight,
                     .in_proj_bias = p->bias,
                     .bias_k = p->bias_k,
                     .bias_v = p->bias_v,
                     .add_zero_attn = self->add_zero_attn,
                     .dropout_p = self->dropout,
                     .out_proj_weight = p->out_weight,
                     .out_proj_bias = p->out_bias,
                     .training = module_is_training(o->self),
                     .key_padding_mask = masks->padding,
                     .need_weights = o->need_weights,
                     .attn_mask = masks->attn,
                     .use_separate_proj_weight = !self->same_dim,
                     .q_proj_weight = p->q,
                     .k_proj_weight = p->k,
                     .v_proj_weight = p->v,
                     .average_attn_weights = o->average_attn_weights,
                     .is_causal = o->is_causal}));
  if (self->batch_first && ctorch_tensor_ndim(o->query) == 3) {
    REPLACE(error, output, ctorch_aten_transpose_int(&next, output, 1, 0));
  }
  release_parts(inputs);
  if (error != NULL) {
    ctorch_tensor_release(output);
    ctorch_tensor_release(weights);
    return error;
  }
  *out_output = output;
  *out_weights = weights;
  return NULL;
}

ctorch_error *nn_MultiheadAttention_forward(
    const char *function,
    ctorch_tensor **out_output,
    ctorch_tensor **out_weights,
    const struct nn_MultiheadAttention_forward_options *options) {
  ctorch_module *out = module_child(options->self, "out_proj"); /* which is not called itself */
  ctorch_error *error = out == NULL ? NULL : module_compute(out, true);
  const struct projections p = projections_of(options->self);
  const ctorch_tensor *attn = options->attn_mask, *padding = options->key_padding_mask;
  bool has_float_mask = (attn != NULL && is_floating(attn)) || (padding != NULL && is_floating(padding));
  ctorch_dtype dtype = ctorch_tensor_dtype(options->query);
  struct masks masks = {0};
  THEN(error, attention_mask(function, &masks.padding, padding, "key_padding_mask", attn, dtype));
  THEN(error, attention_mask(function, &masks.attn, attn, "attn_mask", NULL, dtype));
  THEN(
      error, is_fast(options, &p, has_float_mask)
                 ? fast_forward(out_output, out_weights, options, &p, &masks)
                 : slow_forward(function, out_output, out_weights, options, &p, &masks));
  ctorch_tensor_release(masks.attn);
  ctorch_tensor_release(masks.padding);
  if (out != NULL) {
    module_compute_end(out);
  }
  return error;
}

/* Making it. */

static ctorch_error *xavier_uniform(const char *function, ctorch_tensor *tensor) {
  return tensor == NULL ? NULL
                        : init_xavier_uniform_(
                              function, &(const struct init_xavier_uniform__options){.tensor = tensor, .gain = 1});
}

static ctorch_error *xavier_normal(const char *function, ctorch_tensor *tensor) {
  return tensor == NULL
             ? NULL
             : init_xavier_normal_(function, &(const struct init_xavier_normal__options){.tensor = tensor, .gain = 1});
}

static ctorch_error *attention_reset(const char *function, ctorch_module *module) {
  ctorch_module *out = module_child(module, "out_proj");
  CTORCH_TRY(xavier_uniform(function, module_parameter(module, "in_proj_weight")));
  CTORCH_TRY(xavier_uniform(function, module_parameter(module, "q_proj_weight")));
  CTORCH_TRY(xavier_uniform(function, module_parameter(module, "k_proj_weight")));
  CTORCH_TRY(xavier_uniform(function, module_parameter(module, "v_proj_weight")));
  CTORCH_TRY(layer_zeros(function, module_parameter(module, "in_proj_bias")));
  CTORCH_TRY(layer_zeros(function, out == NULL ? NULL : module_parameter(out, "bias")));
  CTORCH_TRY(xavier_normal(function, module_parameter(module, "bias_k")));
  return xavier_normal(function, module_parameter(module, "bias_v"));
}

static const module_class attention_class = {
    .object = MODULE_OBJECT(struct attention),
    .name = "MultiheadAttention",
    .call = nn_MultiheadAttention_call,
    .reset_parameters = attention_reset};

const struct attention *attention_of(const ctorch_module *module) {
  return module != NULL && module_class_of(module) == &attention_class ? self_of(module) : NULL;
}

static ctorch_error *add_parameters(
    const char *function, struct attention *self, const struct nn_MultiheadAttention_options *o) {
  ctorch_module *module = &self->module, *out = NULL;
  int64_t e = self->embed_dim;
  bool same = self->same_dim;
  if (!same) {
    CTORCH_TRY(layer_parameter(function, module, "q_proj_weight", &LAYER_TENSOR(o, e, e), true));
    CTORCH_TRY(layer_parameter(function, module, "k_proj_weight", &LAYER_TENSOR(o, e, self->kdim), true));
    CTORCH_TRY(layer_parameter(function, module, "v_proj_weight", &LAYER_TENSOR(o, e, self->vdim), true));
  }
  CTORCH_TRY(layer_parameter(function, module, "in_proj_weight", &LAYER_TENSOR(o, 3 * e, e), same));
  if (same) {
    CTORCH_TRY(module_add_parameter(function, module, "q_proj_weight", NULL));
    CTORCH_TRY(module_add_parameter(function, module, "k_proj_weight", NULL));
    CTORCH_TRY(module_add_parameter(function, module, "v_proj_weight", NULL));
  }
  CTORCH_TRY(layer_parameter(function, module, "in_proj_bias", &LAYER_TENSOR(o, 3 * e), o->bias));
  CTORCH_TRY(linear_of_attention(
      function, &out,
      &(const struct nn_Linear_options){
          .in_features = e, .out_features = e, .bias = o->bias, .device = o->device, .dtype = o->dtype}));
  ctorch_error *error = module_add_child(function, module, "out_proj", out);
  ctorch_module_release(out);
  if (o->add_bias_kv) {
    THEN(error, layer_parameter(function, module, "bias_k", &LAYER_TENSOR(o, 1, 1, e), true));
    THEN(error, layer_parameter(function, module, "bias_v", &LAYER_TENSOR(o, 1, 1, e), true));
  }
  THEN(error, attention_reset(function, module));
  return error;
}

ctorch_error *nn_MultiheadAttention(
    const char *function, ctorch_module **out, const struct nn_MultiheadAttention_options *options) {
  int64_t embed_dim = options->embed_dim, heads = options->num_heads;
  if (embed_dim <= 0 || heads <= 0) {
    return error_make(
        function, CTORCH_ERROR_VALUE,
        "embed_dim and num_heads must be greater than 0, got embed_dim=%" PRId64 " and num_heads=%" PRId64 " instead",
        embed_dim, heads);
  }
  if (embed_dim % heads != 0) {
    return error_make(
        function, CTORCH_ERROR_VALUE, "embed_dim (%" PRId64 ") must be divisible by num_heads (%" PRId64 ")", embed_dim,
        heads);
  }
  if (embed_dim > INT64_MAX / 3) {
    return error_make(function, CTORCH_ERROR_RUNTIME, "embed_dim is too large");
  }
  struct attention *self = module_new(&attention_class);
  if (self == NULL) {
    return module_give(function, out, NULL, NULL);
  }
  self->embed_dim = embed_dim;
  self->num_heads = heads;
  self->kdim = options->kdim == NULL ? embed_dim : *options->kdim;
  self->vdim = options->vdim == NULL ? embed_dim : *options->vdim;
  self->same_dim = self->kdim == embed_dim && self->vdim == embed_dim;
  self->dropout = options->dropout;
  self->batch_first = options->batch_first;
  self->add_zero_attn = options->add_zero_attn;
  return module_give(function, out, &self->module, add_parameters(function, self, options));
}
