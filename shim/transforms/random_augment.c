/* Operations that are drawn one by one: RandAugment (Cubuk et al. 2019, arXiv:1909.13719), several of one magnitude,
 * and TrivialAugment (Mueller and Hutter 2021, arXiv:2103.10158), one with a magnitude that is drawn. */
#include <inttypes.h>

#include "base/sequence.h"
#include "constructors/transforms.h"
#include "core/c/error.h"
#include "core/c/tensor.h"
#include "transforms/augment_operation.h"

static const struct augment_entry entries[] = {
    {AUGMENT_IDENTITY, AUGMENT_NO_SCALE, 0.0, 0.0, 1.0, false},
    {AUGMENT_SHEAR_X, AUGMENT_LINEAR, 0.0, 0.3, 1.0, true},
    {AUGMENT_SHEAR_Y, AUGMENT_LINEAR, 0.0, 0.3, 1.0, true},
    {AUGMENT_TRANSLATE_X, AUGMENT_OF_WIDTH, 0.0, 150.0 / 331.0, 1.0, true},
    {AUGMENT_TRANSLATE_Y, AUGMENT_OF_HEIGHT, 0.0, 150.0 / 331.0, 1.0, true},
    {AUGMENT_ROTATE, AUGMENT_LINEAR, 0.0, 30.0, 1.0, true},
    {AUGMENT_BRIGHTNESS, AUGMENT_LINEAR, 0.0, 0.9, 1.0, true},
    {AUGMENT_COLOR, AUGMENT_LINEAR, 0.0, 0.9, 1.0, true},
    {AUGMENT_CONTRAST, AUGMENT_LINEAR, 0.0, 0.9, 1.0, true},
    {AUGMENT_SHARPNESS, AUGMENT_LINEAR, 0.0, 0.9, 1.0, true},
    {AUGMENT_POSTERIZE, AUGMENT_OF_BITS, 8.0, 4.0, 1.0, false},
    {AUGMENT_SOLARIZE, AUGMENT_LINEAR, 1.0, 0.0, 1.0, false},
    {AUGMENT_AUTO_CONTRAST, AUGMENT_NO_SCALE, 0.0, 0.0, 1.0, false},
    {AUGMENT_EQUALIZE, AUGMENT_NO_SCALE, 0.0, 0.0, 1.0, false},
};

static const struct augment_entry wide_entries[] = {
    {AUGMENT_IDENTITY, AUGMENT_NO_SCALE, 0.0, 0.0, 1.0, false},
    {AUGMENT_SHEAR_X, AUGMENT_LINEAR, 0.0, 0.99, 1.0, true},
    {AUGMENT_SHEAR_Y, AUGMENT_LINEAR, 0.0, 0.99, 1.0, true},
    {AUGMENT_TRANSLATE_X, AUGMENT_LINEAR, 0.0, 32.0, 1.0, true},
    {AUGMENT_TRANSLATE_Y, AUGMENT_LINEAR, 0.0, 32.0, 1.0, true},
    {AUGMENT_ROTATE, AUGMENT_LINEAR, 0.0, 135.0, 1.0, true},
    {AUGMENT_BRIGHTNESS, AUGMENT_LINEAR, 0.0, 0.99, 1.0, true},
    {AUGMENT_COLOR, AUGMENT_LINEAR, 0.0, 0.99, 1.0, true},
    {AUGMENT_CONTRAST, AUGMENT_LINEAR, 0.0, 0.99, 1.0, true},
    {AUGMENT_SHARPNESS, AUGMENT_LINEAR, 0.0, 0.99, 1.0, true},
    {AUGMENT_POSTERIZE, AUGMENT_OF_BITS, 8.0, 6.0, 1.0, false},
    {AUGMENT_SOLARIZE, AUGMENT_LINEAR, 1.0, 0.0, 1.0, false},
    {AUGMENT_AUTO_CONTRAST, AUGMENT_NO_SCALE, 0.0, 0.0, 1.0, false},
    {AUGMENT_EQUALIZE, AUGMENT_NO_SCALE, 0.0, 0.0, 1.0, false},
};

enum { ENTRIES = sizeof entries / sizeof *entries };
_Static_assert(sizeof entries == sizeof wide_entries, "both have the same operations");

struct random_augment {
  struct augment augment;
  int64_t num_ops, magnitude, num_magnitude_bins;
};

/* RandAugment. */

static ctorch_error *apply_one(
    const struct random_augment *self,
    struct transform_call *call,
    ctorch_tensor **image,
    const struct augment_sample *sample) {
  int64_t which = 0;
  ctorch_tensor *magnitudes = NULL;
  CTORCH_TRY(draw_randint(call, &which, 0, ENTRIES));
  CTORCH_TRY(augment_magnitudes(&magnitudes, &entries[which], self->num_magnitude_bins, sample));
  return augment_apply(&self->augment, call, image, &entries[which], magnitudes, self->magnitude);
}

static ctorch_error *call_several(
    const ctorch_transform *transform, struct transform_call *call, ctorch_value **out, const ctorch_value *input) {
  const struct random_augment *self = (const struct random_augment *)transform;
  struct augment_sample sample = {0};
  ctorch_tensor *image = NULL;
  ctorch_error *error = augment_start(transform, call, &sample, input);
  THEN(error, tensor_give(call->function, &image, sample.image));
  for (int64_t i = 0; error == NULL && i < self->num_ops; i++) {
    error = apply_one(self, call, &image, &sample);
  }
  return augment_end(call, out, &sample, input, image, error);
}

static void repr_several(const ctorch_transform *transform, struct text *text) {
  const struct random_augment *self = (const struct random_augment *)transform;
  augment_repr(transform, text);
  transform_repr_int(text, "num_ops", self->num_ops);
  transform_repr_int(text, "magnitude", self->magnitude);
  transform_repr_int(text, "num_magnitude_bins", self->num_magnitude_bins);
}

ctorch_error *transforms_RandAugment(
    const char *function, ctorch_transform **out, const struct transforms_RandAugment_options *options) {
  static const transform_class class = {
      .object = TRANSFORM_OBJECT_WITH(struct random_augment, augment_finalize),
      .name = "RandAugment",
      .call = call_several,
      .extra_repr = repr_several};
  if (options->num_ops < 0) {
    return error_make(
        function, CTORCH_ERROR_VALUE, "num_ops should be a non-negative integer, but got %" PRId64, options->num_ops);
  }
  struct random_augment *self = transform_new(&class);
  ctorch_error *error = NULL;
  if (self != NULL) {
    self->num_ops = options->num_ops;
    self->magnitude = options->magnitude;
    self->num_magnitude_bins = options->num_magnitude_bins;
    error = augment_begin(function, &self->augment, options->interpolation, options->fill);
  }
  return transform_give(function, out, (ctorch_transform *)self, error);
}

/* TrivialAugmentWide. */

static ctorch_error *apply_drawn(
    const struct random_augment *self,
    struct transform_call *call,
    ctorch_tensor **image,
    const struct augment_sample *sample) {
  int64_t which = 0, bin = 0;
  ctorch_tensor *magnitudes = NULL;
  CTORCH_TRY(draw_randint(call, &which, 0, ENTRIES));
  CTORCH_TRY(augment_magnitudes(&magnitudes, &wide_entries[which], self->num_magnitude_bins, sample));
  ctorch_error *error = magnitudes == NULL ? NULL : draw_randint(call, &bin, 0, self->num_magnitude_bins);
  if (error != NULL) {
    ctorch_tensor_release(magnitudes);
    return error;
  }
  return augment_apply(&self->augment, call, image, &wide_entries[which], magnitudes, bin);
}

static ctorch_error *call_one(
    const ctorch_transform *transform, struct transform_call *call, ctorch_value **out, const ctorch_value *input) {
  struct augment_sample sample = {0};
  ctorch_tensor *image = NULL;
  ctorch_error *error = augment_start(transform, call, &sample, input);
  THEN(error, tensor_give(call->function, &image, sample.image));
  THEN(error, apply_drawn((const struct random_augment *)transform, call, &image, &sample));
  return augment_end(call, out, &sample, input, image, error);
}

static void repr_one(const ctorch_transform *transform, struct text *text) {
  augment_repr(transform, text);
  transform_repr_int(text, "num_magnitude_bins", ((const struct random_augment *)transform)->num_magnitude_bins);
}

ctorch_error *transforms_TrivialAugmentWide(
    const char *function, ctorch_transform **out, const struct transforms_TrivialAugmentWide_options *options) {
  static const transform_class class = {
      .object = TRANSFORM_OBJECT_WITH(struct random_augment, augment_finalize),
      .name = "TrivialAugmentWide",
      .call = call_one,
      .extra_repr = repr_one};
  struct random_augment *self = transform_new(&class);
  ctorch_error *error = NULL;
  if (self != NULL) {
    self->num_magnitude_bins = options->num_magnitude_bins;
    error = augment_begin(function, &self->augment, options->interpolation, options->fill);
  }
  return transform_give(function, out, (ctorch_transform *)self, error);
}
