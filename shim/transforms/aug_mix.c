/* AugMix (Hendrycks et al. 2019, arXiv:1912.02781): a picture mixed with what several chains of operations make of
 * it. */
#include <inttypes.h>
#include <stdlib.h>

#include "base/sequence.h"
#include "constructors/transforms.h"
#include "core/c/error.h"
#include "core/c/tensor.h"
#include "transforms/augment_operation.h"
#include "transforms/picture.h"

/* The last four only with `all_ops`. */
static const struct augment_entry entries[] = {
    {AUGMENT_SHEAR_X, AUGMENT_LINEAR, 0.0, 0.3, 1.0, true},
    {AUGMENT_SHEAR_Y, AUGMENT_LINEAR, 0.0, 0.3, 1.0, true},
    {AUGMENT_TRANSLATE_X, AUGMENT_OF_WIDTH, 0.0, 1.0, 3.0, true},
    {AUGMENT_TRANSLATE_Y, AUGMENT_OF_HEIGHT, 0.0, 1.0, 3.0, true},
    {AUGMENT_ROTATE, AUGMENT_LINEAR, 0.0, 30.0, 1.0, true},
    {AUGMENT_POSTERIZE, AUGMENT_OF_BITS, 4.0, 4.0, 1.0, false},
    {AUGMENT_SOLARIZE, AUGMENT_LINEAR, 1.0, 0.0, 1.0, false},
    {AUGMENT_AUTO_CONTRAST, AUGMENT_NO_SCALE, 0.0, 0.0, 1.0, false},
    {AUGMENT_EQUALIZE, AUGMENT_NO_SCALE, 0.0, 0.0, 1.0, false},
    {AUGMENT_BRIGHTNESS, AUGMENT_LINEAR, 0.0, 0.9, 1.0, true},
    {AUGMENT_COLOR, AUGMENT_LINEAR, 0.0, 0.9, 1.0, true},
    {AUGMENT_CONTRAST, AUGMENT_LINEAR, 0.0, 0.9, 1.0, true},
    {AUGMENT_SHARPNESS, AUGMENT_LINEAR, 0.0, 0.9, 1.0, true},
};

enum { ENTRIES = sizeof entries / sizeof *entries, COLOURS = 4, BINS = 10 };

struct aug_mix {
  struct augment augment;
  int64_t severity, mixture_width, chain_depth;
  double alpha;
  bool all_ops;
};

/* Weights (batch, len) of a Dirichlet distribution with `alpha` for all parameters, one row for each picture. */
static ctorch_error *draw_weights(
    const struct transform_call *call, ctorch_tensor **out, const ctorch_tensor *batch, double alpha, int64_t len) {
  static const ctorch_dtype float32 = CTORCH_DTYPE_FLOAT32;
  enum { ROW, ROWS, TENSORS };
  ctorch_tensor *t[TENSORS] = {NULL};
  ctorch_device device = {0};
  CTORCH_TRY(ctorch_tensor_device(&device, batch));
  ctorch_error *error = ctorch_aten_full(&t[ROW], CTORCH_INTS(len), CTORCH_FLOAT(alpha), &float32, NULL, &device, NULL);
  THEN(error, ctorch_aten_expand(&t[ROWS], t[ROW], CTORCH_INTS(ctorch_tensor_sizes(batch)[0], -1), false));
  THEN(error, ctorch_aten__sample_dirichlet(out, t[ROWS], call->generator));
  return picture_end(t, TENSORS, error);
}

/* One column of the weights, times the pictures. */
static ctorch_error *weigh(
    ctorch_tensor **out,
    const ctorch_tensor *weights,
    int64_t column,
    const ctorch_tensor *batch,
    const int64_t *weight_sizes) {
  enum { COLUMN, SHAPED, TENSORS };
  ctorch_tensor *t[TENSORS] = {NULL};
  ctorch_error *error = ctorch_aten_select_int(&t[COLUMN], weights, 1, column);
  THEN(error, ctorch_aten_reshape(&t[SHAPED], t[COLUMN], weight_sizes, (size_t)ctorch_tensor_ndim(batch)));
  THEN(error, ctorch_aten_mul_Tensor(out, t[SHAPED], batch));
  return picture_end(t, TENSORS, error);
}

static ctorch_error *apply_one(
    const struct aug_mix *self,
    struct transform_call *call,
    ctorch_tensor **image,
    const struct augment_sample *sample) {
  int64_t which = 0, bin = 0;
  ctorch_tensor *magnitudes = NULL;
  CTORCH_TRY(draw_randint(call, &which, 0, self->all_ops ? ENTRIES : ENTRIES - COLOURS));
  CTORCH_TRY(augment_magnitudes(&magnitudes, &entries[which], BINS, sample));
  ctorch_error *error = magnitudes == NULL ? NULL : draw_randint(call, &bin, 0, self->severity);
  if (error != NULL) {
    ctorch_tensor_release(magnitudes);
    return error;
  }
  return augment_apply(&self->augment, call, image, &entries[which], magnitudes, bin);
}

/* What a chain of operations makes of the pictures. */
static ctorch_error *run_chain(
    const struct aug_mix *self,
    struct transform_call *call,
    ctorch_tensor **out,
    const ctorch_tensor *batch,
    const struct augment_sample *sample) {
  int64_t depth = self->chain_depth;
  ctorch_tensor *image = NULL;
  if (depth <= 0) {
    CTORCH_TRY(draw_randint(call, &depth, 1, 4));
  }
  ctorch_error *error = tensor_give(call->function, &image, batch);
  for (int64_t i = 0; error == NULL && i < depth; i++) {
    error = apply_one(self, call, &image, sample);
  }
  if (error != NULL) {
    ctorch_tensor_release(image);
    return error;
  }
  *out = image;
  return NULL;
}

/* Add the chains to `mix`, by their weights. */
static ctorch_error *add_chains(
    const struct aug_mix *self,
    struct transform_call *call,
    ctorch_tensor *mix,
    const ctorch_tensor *batch,
    const ctorch_tensor *weights,
    const int64_t *weight_sizes,
    const struct augment_sample *sample) {
  ctorch_error *error = NULL;
  for (int64_t i = 0; error == NULL && i < self->mixture_width; i++) {
    enum { CHAIN, WEIGHED, TENSORS };
    ctorch_tensor *t[TENSORS] = {NULL};
    error = run_chain(self, call, &t[CHAIN], batch, sample);
    THEN(error, weigh(&t[WEIGHED], weights, i, t[CHAIN], weight_sizes));
    THEN(error, ctorch_aten_add__Tensor(mix, t[WEIGHED], NULL));
    error = picture_end(t, TENSORS, error);
  }
  return error;
}

/* Of a batch (B, …): the weights of the pictures themselves and of what the chains make, then those of the chains. */
static ctorch_error *mix_batch(
    const struct aug_mix *self,
    struct transform_call *call,
    ctorch_tensor **out,
    const ctorch_tensor *batch,
    const int64_t *weight_sizes,
    const struct augment_sample *sample) {
  enum { BETA, CHAINS, SECOND, SHAPED, WEIGHTS, MIX, TENSORS };
  ctorch_tensor *t[TENSORS] = {NULL};
  int64_t width = self->mixture_width < 0 ? 0 : self->mixture_width;
  ctorch_error *error = draw_weights(call, &t[BETA], batch, self->alpha, 2);
  THEN(error, draw_weights(call, &t[CHAINS], batch, self->alpha, width));
  THEN(error, ctorch_aten_select_int(&t[SECOND], t[BETA], 1, 1));
  THEN(error, ctorch_aten_reshape(&t[SHAPED], t[SECOND], CTORCH_INTS(weight_sizes[0], -1)));
  THEN(error, ctorch_aten_mul_Tensor(&t[WEIGHTS], t[CHAINS], t[SHAPED]));
  THEN(error, weigh(&t[MIX], t[BETA], 0, batch, weight_sizes));
  THEN(error, add_chains(self, call, t[MIX], batch, t[WEIGHTS], weight_sizes, sample));
  if (error == NULL) {
    *out = t[MIX];
    t[MIX] = NULL;
  }
  return picture_end(t, TENSORS, error);
}

/* The picture as a batch of one, unless it is a batch: of images with 4 dimensions, of videos with 5. `sizes` has room
 * for all dimensions. */
static ctorch_error *mix_shaped(
    const struct aug_mix *self,
    struct transform_call *call,
    ctorch_tensor **out,
    const struct augment_sample *sample,
    int64_t *sizes,
    size_t ndim) {
  enum { BATCH, MIX, SHAPED, TENSORS };
  ctorch_tensor *t[TENSORS] = {NULL};
  size_t own = (size_t)ctorch_tensor_ndim(sample->image);
  const int64_t *own_sizes = ctorch_tensor_sizes(sample->image);
  ctorch_dtype dtype = ctorch_tensor_dtype(sample->image);
  for (size_t i = 0; i < ndim; i++) {
    sizes[i] = i < ndim - own ? 1 : own_sizes[i - (ndim - own)];
  }
  ctorch_error *error = ctorch_aten_reshape(&t[BATCH], sample->image, sizes, ndim);
  for (size_t i = 1; i < ndim; i++) {
    sizes[i] = 1;
  }
  THEN(error, mix_batch(self, call, &t[MIX], t[BATCH], sizes, sample));
  THEN(error, ctorch_aten_reshape(&t[SHAPED], t[MIX], own_sizes, own));
  THEN(error, ctorch_tensor_to(out, t[SHAPED], &dtype, NULL, false, false, NULL));
  return picture_end(t, TENSORS, error);
}

static ctorch_error *mix(
    const struct aug_mix *self, struct transform_call *call, ctorch_tensor **out, const struct augment_sample *sample) {
  size_t own = (size_t)ctorch_tensor_ndim(sample->image);
  size_t least = ctorch_tv_tensor_kind_of(sample->image) == CTORCH_TV_TENSOR_VIDEO ? 5 : 4;
  size_t ndim = own < least ? least : own;
  int64_t *sizes = malloc(ndim * sizeof *sizes);
  ctorch_tensor *made = NULL;
  if (sizes == NULL) {
    return error_memory(call->function, ndim * sizeof *sizes);
  }
  ctorch_error *error = mix_shaped(self, call, &made, sample, sizes, ndim);
  free(sizes);
  return tv_tensor_give(call->function, out, made, tv_tensor_of(sample->image), error);
}

static ctorch_error *call(
    const ctorch_transform *transform, struct transform_call *call, ctorch_value **out, const ctorch_value *input) {
  struct augment_sample sample = {0};
  ctorch_tensor *image = NULL;
  ctorch_error *error = augment_start(transform, call, &sample, input);
  THEN(error, mix((const struct aug_mix *)transform, call, &image, &sample));
  return augment_end(call, out, &sample, input, image, error);
}

static void extra_repr(const ctorch_transform *transform, struct text *text) {
  const struct aug_mix *self = (const struct aug_mix *)transform;
  augment_repr(transform, text);
  transform_repr_int(text, "severity", self->severity);
  transform_repr_int(text, "mixture_width", self->mixture_width);
  transform_repr_int(text, "chain_depth", self->chain_depth);
  transform_repr_double(text, "alpha", self->alpha);
  transform_repr_bool(text, "all_ops", self->all_ops);
}

ctorch_error *transforms_AugMix(
    const char *function, ctorch_transform **out, const struct transforms_AugMix_options *options) {
  static const transform_class class = {
      .object = TRANSFORM_OBJECT_WITH(struct aug_mix, augment_finalize),
      .name = "AugMix",
      .call = call,
      .extra_repr = extra_repr};
  if (options->severity < 1 || options->severity > BINS) {
    return error_make(
        function, CTORCH_ERROR_VALUE, "The severity must be between [1, %d]. Got %" PRId64 " instead.", BINS,
        options->severity);
  }
  struct aug_mix *self = transform_new(&class);
  ctorch_error *error = NULL;
  if (self != NULL) {
    self->severity = options->severity;
    self->mixture_width = options->mixture_width;
    self->chain_depth = options->chain_depth;
    self->alpha = options->alpha;
    self->all_ops = options->all_ops;
    error = augment_begin(function, &self->augment, options->interpolation, options->fill);
  }
  return transform_give(function, out, (ctorch_transform *)self, error);
}
