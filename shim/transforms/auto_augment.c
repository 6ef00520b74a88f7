/* AutoAugment (Cubuk et al. 2018, arXiv:1805.09501): two operations, drawn together, each with its own probability. */
#include <string.h>

#include "base/sequence.h"
#include "base/text.h"
#include "constructors/transforms.h"
#include "core/c/error.h"
#include "core/c/tensor.h"
#include "transforms/augment_operation.h"

enum { POLICIES = 25, BINS = 10 };

struct policy_step {
  enum augment_operation operation;
  double probability;
  int64_t bin; /* 0 where the operation has no magnitude */
};

struct policy {
  struct policy_step steps[2];
};

static const struct policy imagenet[POLICIES] = {
    {{{AUGMENT_POSTERIZE, 0.4, 8}, {AUGMENT_ROTATE, 0.6, 9}}},
    {{{AUGMENT_SOLARIZE, 0.6, 5}, {AUGMENT_AUTO_CONTRAST, 0.6, 0}}},
    {{{AUGMENT_EQUALIZE, 0.8, 0}, {AUGMENT_EQUALIZE, 0.6, 0}}},
    {{{AUGMENT_POSTERIZE, 0.6, 7}, {AUGMENT_POSTERIZE, 0.6, 6}}},
    {{{AUGMENT_EQUALIZE, 0.4, 0}, {AUGMENT_SOLARIZE, 0.2, 4}}},
    {{{AUGMENT_EQUALIZE, 0.4, 0}, {AUGMENT_ROTATE, 0.8, 8}}},
    {{{AUGMENT_SOLARIZE, 0.6, 3}, {AUGMENT_EQUALIZE, 0.6, 0}}},
    {{{AUGMENT_POSTERIZE, 0.8, 5}, {AUGMENT_EQUALIZE, 1.0, 0}}},
    {{{AUGMENT_ROTATE, 0.2, 3}, {AUGMENT_SOLARIZE, 0.6, 8}}},
    {{{AUGMENT_EQUALIZE, 0.6, 0}, {AUGMENT_POSTERIZE, 0.4, 6}}},
    {{{AUGMENT_ROTATE, 0.8, 8}, {AUGMENT_COLOR, 0.4, 0}}},
    {{{AUGMENT_ROTATE, 0.4, 9}, {AUGMENT_EQUALIZE, 0.6, 0}}},
    {{{AUGMENT_EQUALIZE, 0.0, 0}, {AUGMENT_EQUALIZE, 0.8, 0}}},
    {{{AUGMENT_INVERT, 0.6, 0}, {AUGMENT_EQUALIZE, 1.0, 0}}},
    {{{AUGMENT_COLOR, 0.6, 4}, {AUGMENT_CONTRAST, 1.0, 8}}},
    {{{AUGMENT_ROTATE, 0.8, 8}, {AUGMENT_COLOR, 1.0, 2}}},
    {{{AUGMENT_COLOR, 0.8, 8}, {AUGMENT_SOLARIZE, 0.8, 7}}},
    {{{AUGMENT_SHARPNESS, 0.4, 7}, {AUGMENT_INVERT, 0.6, 0}}},
    {{{AUGMENT_SHEAR_X, 0.6, 5}, {AUGMENT_EQUALIZE, 1.0, 0}}},
    {{{AUGMENT_COLOR, 0.4, 0}, {AUGMENT_EQUALIZE, 0.6, 0}}},
    {{{AUGMENT_EQUALIZE, 0.4, 0}, {AUGMENT_SOLARIZE, 0.2, 4}}},
    {{{AUGMENT_SOLARIZE, 0.6, 5}, {AUGMENT_AUTO_CONTRAST, 0.6, 0}}},
    {{{AUGMENT_INVERT, 0.6, 0}, {AUGMENT_EQUALIZE, 1.0, 0}}},
    {{{AUGMENT_COLOR, 0.6, 4}, {AUGMENT_CONTRAST, 1.0, 8}}},
    {{{AUGMENT_EQUALIZE, 0.8, 0}, {AUGMENT_EQUALIZE, 0.6, 0}}},
};

static const struct policy cifar10[POLICIES] = {
    {{{AUGMENT_INVERT, 0.1, 0}, {AUGMENT_CONTRAST, 0.2, 6}}},
    {{{AUGMENT_ROTATE, 0.7, 2}, {AUGMENT_TRANSLATE_X, 0.3, 9}}},
    {{{AUGMENT_SHARPNESS, 0.8, 1}, {AUGMENT_SHARPNESS, 0.9, 3}}},
    {{{AUGMENT_SHEAR_Y, 0.5, 8}, {AUGMENT_TRANSLATE_Y, 0.7, 9}}},
    {{{AUGMENT_AUTO_CONTRAST, 0.5, 0}, {AUGMENT_EQUALIZE, 0.9, 0}}},
    {{{AUGMENT_SHEAR_Y, 0.2, 7}, {AUGMENT_POSTERIZE, 0.3, 7}}},
    {{{AUGMENT_COLOR, 0.4, 3}, {AUGMENT_BRIGHTNESS, 0.6, 7}}},
    {{{AUGMENT_SHARPNESS, 0.3, 9}, {AUGMENT_BRIGHTNESS, 0.7, 9}}},
    {{{AUGMENT_EQUALIZE, 0.6, 0}, {AUGMENT_EQUALIZE, 0.5, 0}}},
    {{{AUGMENT_CONTRAST, 0.6, 7}, {AUGMENT_SHARPNESS, 0.6, 5}}},
    {{{AUGMENT_COLOR, 0.7, 7}, {AUGMENT_TRANSLATE_X, 0.5, 8}}},
    {{{AUGMENT_EQUALIZE, 0.3, 0}, {AUGMENT_AUTO_CONTRAST, 0.4, 0}}},
    {{{AUGMENT_TRANSLATE_Y, 0.4, 3}, {AUGMENT_SHARPNESS, 0.2, 6}}},
    {{{AUGMENT_BRIGHTNESS, 0.9, 6}, {AUGMENT_COLOR, 0.2, 8}}},
    {{{AUGMENT_SOLARIZE, 0.5, 2}, {AUGMENT_INVERT, 0.0, 0}}},
    {{{AUGMENT_EQUALIZE, 0.2, 0}, {AUGMENT_AUTO_CONTRAST, 0.6, 0}}},
    {{{AUGMENT_EQUALIZE, 0.2, 0}, {AUGMENT_EQUALIZE, 0.6, 0}}},
    {{{AUGMENT_COLOR, 0.9, 9}, {AUGMENT_EQUALIZE, 0.6, 0}}},
    {{{AUGMENT_AUTO_CONTRAST, 0.8, 0}, {AUGMENT_SOLARIZE, 0.2, 8}}},
    {{{AUGMENT_BRIGHTNESS, 0.1, 3}, {AUGMENT_COLOR, 0.7, 0}}},
    {{{AUGMENT_SOLARIZE, 0.4, 5}, {AUGMENT_AUTO_CONTRAST, 0.9, 0}}},
    {{{AUGMENT_TRANSLATE_Y, 0.9, 9}, {AUGMENT_TRANSLATE_Y, 0.7, 9}}},
    {{{AUGMENT_AUTO_CONTRAST, 0.9, 0}, {AUGMENT_SOLARIZE, 0.8, 3}}},
    {{{AUGMENT_EQUALIZE, 0.8, 0}, {AUGMENT_INVERT, 0.1, 0}}},
    {{{AUGMENT_TRANSLATE_Y, 0.7, 9}, {AUGMENT_AUTO_CONTRAST, 0.9, 0}}},
};

static const struct policy svhn[POLICIES] = {
    {{{AUGMENT_SHEAR_X, 0.9, 4}, {AUGMENT_INVERT, 0.2, 0}}},
    {{{AUGMENT_SHEAR_Y, 0.9, 8}, {AUGMENT_INVERT, 0.7, 0}}},
    {{{AUGMENT_EQUALIZE, 0.6, 0}, {AUGMENT_SOLARIZE, 0.6, 6}}},
    {{{AUGMENT_INVERT, 0.9, 0}, {AUGMENT_EQUALIZE, 0.6, 0}}},
    {{{AUGMENT_EQUALIZE, 0.6, 0}, {AUGMENT_ROTATE, 0.9, 3}}},
    {{{AUGMENT_SHEAR_X, 0.9, 4}, {AUGMENT_AUTO_CONTRAST, 0.8, 0}}},
    {{{AUGMENT_SHEAR_Y, 0.9, 8}, {AUGMENT_INVERT, 0.4, 0}}},
    {{{AUGMENT_SHEAR_Y, 0.9, 5}, {AUGMENT_SOLARIZE, 0.2, 6}}},
    {{{AUGMENT_INVERT, 0.9, 0}, {AUGMENT_AUTO_CONTRAST, 0.8, 0}}},
    {{{AUGMENT_EQUALIZE, 0.6, 0}, {AUGMENT_ROTATE, 0.9, 3}}},
    {{{AUGMENT_SHEAR_X, 0.9, 4}, {AUGMENT_SOLARIZE, 0.3, 3}}},
    {{{AUGMENT_SHEAR_Y, 0.8, 8}, {AUGMENT_INVERT, 0.7, 0}}},
    {{{AUGMENT_EQUALIZE, 0.9, 0}, {AUGMENT_TRANSLATE_Y, 0.6, 6}}},
    {{{AUGMENT_INVERT, 0.9, 0}, {AUGMENT_EQUALIZE, 0.6, 0}}},
    {{{AUGMENT_CONTRAST, 0.3, 3}, {AUGMENT_ROTATE, 0.8, 4}}},
    {{{AUGMENT_INVERT, 0.8, 0}, {AUGMENT_TRANSLATE_Y, 0.0, 2}}},
    {{{AUGMENT_SHEAR_Y, 0.7, 6}, {AUGMENT_SOLARIZE, 0.4, 8}}},
    {{{AUGMENT_INVERT, 0.6, 0}, {AUGMENT_ROTATE, 0.8, 4}}},
    {{{AUGMENT_SHEAR_Y, 0.3, 7}, {AUGMENT_TRANSLATE_X, 0.9, 3}}},
    {{{AUGMENT_SHEAR_X, 0.1, 6}, {AUGMENT_INVERT, 0.6, 0}}},
    {{{AUGMENT_SOLARIZE, 0.7, 2}, {AUGMENT_TRANSLATE_Y, 0.6, 7}}},
    {{{AUGMENT_SHEAR_Y, 0.8, 4}, {AUGMENT_INVERT, 0.8, 0}}},
    {{{AUGMENT_SHEAR_X, 0.7, 9}, {AUGMENT_TRANSLATE_Y, 0.8, 3}}},
    {{{AUGMENT_SHEAR_Y, 0.8, 5}, {AUGMENT_AUTO_CONTRAST, 0.7, 0}}},
    {{{AUGMENT_SHEAR_X, 0.7, 2}, {AUGMENT_INVERT, 0.1, 0}}},
};

/* By the operation. */
static const struct augment_entry entries[] = {
    [AUGMENT_SHEAR_X] = {AUGMENT_SHEAR_X, AUGMENT_LINEAR, 0.0, 0.3, 1.0, true},
    [AUGMENT_SHEAR_Y] = {AUGMENT_SHEAR_Y, AUGMENT_LINEAR, 0.0, 0.3, 1.0, true},
    [AUGMENT_TRANSLATE_X] = {AUGMENT_TRANSLATE_X, AUGMENT_OF_WIDTH, 0.0, 150.0 / 331.0, 1.0, true},
    [AUGMENT_TRANSLATE_Y] = {AUGMENT_TRANSLATE_Y, AUGMENT_OF_HEIGHT, 0.0, 150.0 / 331.0, 1.0, true},
    [AUGMENT_ROTATE] = {AUGMENT_ROTATE, AUGMENT_LINEAR, 0.0, 30.0, 1.0, true},
    [AUGMENT_BRIGHTNESS] = {AUGMENT_BRIGHTNESS, AUGMENT_LINEAR, 0.0, 0.9, 1.0, true},
    [AUGMENT_COLOR] = {AUGMENT_COLOR, AUGMENT_LINEAR, 0.0, 0.9, 1.0, true},
    [AUGMENT_CONTRAST] = {AUGMENT_CONTRAST, AUGMENT_LINEAR, 0.0, 0.9, 1.0, true},
    [AUGMENT_SHARPNESS] = {AUGMENT_SHARPNESS, AUGMENT_LINEAR, 0.0, 0.9, 1.0, true},
    [AUGMENT_POSTERIZE] = {AUGMENT_POSTERIZE, AUGMENT_OF_BITS, 8.0, 4.0, 1.0, false},
    [AUGMENT_SOLARIZE] = {AUGMENT_SOLARIZE, AUGMENT_LINEAR, 1.0, 0.0, 1.0, false},
    [AUGMENT_AUTO_CONTRAST] = {AUGMENT_AUTO_CONTRAST, AUGMENT_NO_SCALE, 0.0, 0.0, 1.0, false},
    [AUGMENT_EQUALIZE] = {AUGMENT_EQUALIZE, AUGMENT_NO_SCALE, 0.0, 0.0, 1.0, false},
    [AUGMENT_INVERT] = {AUGMENT_INVERT, AUGMENT_NO_SCALE, 0.0, 0.0, 1.0, false},
};

/* The policies by the data that they were found on. */
struct policies {
  const char *name, *constant;
  const struct policy *policies;
};

static const struct policies all[] = {
    {"imagenet", "IMAGENET", imagenet}, {"cifar10", "CIFAR10", cifar10}, {"svhn", "SVHN", svhn}};

struct auto_augment {
  struct augment augment;
  const struct policies *policies;
};

static ctorch_error *take_step(
    const struct auto_augment *self,
    struct transform_call *call,
    ctorch_tensor **image,
    const struct policy_step *step,
    const struct augment_sample *sample) {
  float drawn = 0;
  ctorch_tensor *magnitudes = NULL;
  CTORCH_TRY(draw_rand(call, &drawn, 1));
  if (!(drawn <= (float)step->probability)) {
    return NULL;
  }
  const struct augment_entry *entry = &entries[step->operation];
  CTORCH_TRY(augment_magnitudes(&magnitudes, entry, BINS, sample));
  return augment_apply(&self->augment, call, image, entry, magnitudes, step->bin);
}

static ctorch_error *call(
    const ctorch_transform *transform, struct transform_call *call, ctorch_value **out, const ctorch_value *input) {
  const struct auto_augment *self = (const struct auto_augment *)transform;
  struct augment_sample sample = {0};
  ctorch_tensor *image = NULL;
  int64_t which = 0;
  ctorch_error *error = augment_start(transform, call, &sample, input);
  THEN(error, draw_randint(call, &which, 0, POLICIES));
  THEN(error, tensor_give(call->function, &image, sample.image));
  for (size_t i = 0; error == NULL && i < 2; i++) {
    error = take_step(self, call, &image, &self->policies->policies[which].steps[i], &sample);
  }
  return augment_end(call, out, &sample, input, image, error);
}

static void extra_repr(const ctorch_transform *self, struct text *text) {
  augment_repr(self, text);
  text_add(text, ", policy=AutoAugmentPolicy.%s", ((const struct auto_augment *)self)->policies->constant);
}

static const struct policies *find(const char *name) {
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
    if (strcmp(all[i].name, name) == 0) {
      return &all[i];
    }
  }
  return NULL;
}

ctorch_error *transforms_AutoAugment(
    const char *function, ctorch_transform **out, const struct transforms_AutoAugment_options *options) {
  static const transform_class class = {
      .object = TRANSFORM_OBJECT_WITH(struct auto_augment, augment_finalize),
      .name = "AutoAugment",
      .call = call,
      .extra_repr = extra_repr};
  const struct policies *policies = find(options->policy);
  if (policies == NULL) {
    return error_make(
        function, CTORCH_ERROR_VALUE, "The provided policy '%s' is not recognized: imagenet, cifar10 and svhn are.",
        options->policy);
  }
  struct auto_augment *self = transform_new(&class);
  ctorch_error *error = NULL;
  if (self != NULL) {
    self->policies = policies;
    error = augment_begin(function, &self->augment, options->interpolation, options->fill);
  }
  return transform_give(function, out, (ctorch_transform *)self, error);
}
