/* Colours by factors that are drawn, and the order of channels. */
#include <math.h>
#include <stdlib.h>

#include "constructors/transforms.h"
#include "constructors/transforms_functional.h"
#include "core/c/error.h"
#include "core/c/tensor.h"
#include "transforms/transform.h"

enum { BRIGHTNESS, CONTRAST, SATURATION, HUE, FACTORS };

static const char *const names[FACTORS] = {"brightness", "contrast", "saturation", "hue"};

struct factor_range {
  double low, high;
  bool is_given;
};

struct jitter {
  ctorch_transform transform;
  struct factor_range ranges[FACTORS];
};

static const struct factor_range *ranges_of(const ctorch_transform *self) {
  return ((const struct jitter *)self)->ranges;
}

/* What is drawn for a sample. */
struct factors {
  double values[FACTORS];
  bool has[FACTORS], contrast_first;
  int64_t order[FACTORS];
  int64_t *permutation; /* of the channels; NULL for none */
  size_t channels;
};

static void factors_end(void *drawn) { free(((struct factors *)drawn)->permutation); }

static ctorch_error *draw_factor(
    const struct transform_call *call, struct factors *drawn, const struct factor_range *range, int which) {
  drawn->has[which] = true;
  return draw_uniform(call, &drawn->values[which], range->low, range->high);
}

static ctorch_error *draw_channel_order(const struct transform_call *call, struct factors *drawn, int64_t channels) {
  drawn->channels = (size_t)channels;
  drawn->permutation = malloc((size_t)(channels + 1) * sizeof *drawn->permutation);
  return drawn->permutation == NULL ? error_memory(call->function, (uint64_t)(channels + 1) * sizeof(int64_t))
                                    : draw_permutation(call, drawn->permutation, drawn->channels);
}

/* What a factor does to a picture. */
static ctorch_error *adjust(
    const char *function, ctorch_tensor **out, const ctorch_tensor *input, int which, double factor) {
  switch (which) {
    case BRIGHTNESS:
      return transforms_functional_adjust_brightness(
          function, out,
          &(const struct transforms_functional_adjust_brightness_options){.inpt = input, .brightness_factor = factor});
    case CONTRAST:
      return transforms_functional_adjust_contrast(
          function, out,
          &(const struct transforms_functional_adjust_contrast_options){.inpt = input, .contrast_factor = factor});
    case SATURATION:
      return transforms_functional_adjust_saturation(
          function, out,
          &(const struct transforms_functional_adjust_saturation_options){.inpt = input, .saturation_factor = factor});
    default:
      return transforms_functional_adjust_hue(
          function, out, &(const struct transforms_functional_adjust_hue_options){.inpt = input, .hue_factor = factor});
  }
}

/* Put what a factor makes of `*at` in its place, if it was drawn. */
static ctorch_error *adjust_in_turn(
    const struct transform_call *call, ctorch_tensor **at, const struct factors *drawn, int which) {
  if (!drawn->has[which]) {
    return NULL;
  }
  ctorch_tensor *made = NULL;
  CTORCH_TRY(adjust(call->function, &made, *at, which, drawn->values[which]));
  ctorch_tensor_release(*at);
  *at = made;
  return NULL;
}

static ctorch_error *permute(
    const struct transform_call *call, ctorch_tensor **out, const ctorch_tensor *input, const struct factors *drawn) {
  return transforms_functional_permute_channels(
      call->function, out,
      &(const struct transforms_functional_permute_channels_options){
          .inpt = input, .permutation = drawn->permutation, .permutation_len = drawn->channels});
}

/* Hand the last of several results out, or release it if there is an error. */
static ctorch_error *finish(ctorch_tensor **out, ctorch_tensor *at, ctorch_error *error) {
  if (error != NULL) {
    ctorch_tensor_release(at);
    return error;
  }
  *out = at;
  return NULL;
}

/* ColorJitter. */

static ctorch_error *draw_jitter(
    const ctorch_transform *self, struct transform_call *call, void *drawn, const struct transform_inputs *inputs) {
  struct factors *factors = drawn;
  (void)inputs;
  CTORCH_TRY(draw_permutation(call, factors->order, FACTORS));
  for (int i = 0; i < FACTORS; i++) {
    if (ranges_of(self)[i].is_given) {
      CTORCH_TRY(draw_factor(call, factors, &ranges_of(self)[i], i));
    }
  }
  return NULL;
}

static ctorch_error *apply_jitter(
    const ctorch_transform *self,
    struct transform_call *call,
    ctorch_tensor **out,
    const ctorch_tensor *input,
    const void *drawn) {
  const struct factors *factors = drawn;
  ctorch_tensor *at = NULL;
  (void)self;
  ctorch_error *error = tensor_give(call->function, &at, input);
  for (int i = 0; error == NULL && i < FACTORS; i++) {
    error = adjust_in_turn(call, &at, factors, (int)factors->order[i]);
  }
  return finish(out, at, error);
}

static void repr_jitter(const ctorch_transform *self, struct text *text) {
  for (int i = 0; i < FACTORS; i++) {
    const struct factor_range *range = &ranges_of(self)[i];
    if (range->is_given) {
      transform_repr_doubles(text, names[i], "(", (const double[]){range->low, range->high}, 2);
    }
  }
}

/* One number becomes a range around the factor that changes nothing, which as a range is none. */
static ctorch_error *read_range(
    const char *function, struct factor_range *out, const double *values, size_t len, int which) {
  double center = which == HUE ? 0.0 : 1.0, least = which == HUE ? -0.5 : 0.0, most = which == HUE ? 0.5 : INFINITY;
  if (values == NULL) {
    return NULL;
  }
  if (len != 1 && len != 2) {
    return error_make(
        function, CTORCH_ERROR_TYPE, "%s should be a single number or a sequence with length 2, got %zu numbers",
        names[which], len);
  }
  if (len == 1 && values[0] < 0) {
    return error_make(function, CTORCH_ERROR_VALUE, "If %s is a single number, it must be non negative.", names[which]);
  }
  out->low = len == 2 ? values[0] : center - values[0];
  out->high = len == 2 ? values[1] : center + values[0];
  if (len == 1 && which != HUE && out->low < 0.0) {
    out->low = 0.0;
  }
  if (!(least <= out->low && out->low <= out->high && out->high <= most)) {
    return error_make(
        function, CTORCH_ERROR_VALUE, "%s values should be between %g and %g and increasing, but got [%g, %g]",
        names[which], least, most, out->low, out->high);
  }
  out->is_given = !(out->low == center && out->high == center);
  return NULL;
}

ctorch_error *transforms_ColorJitter(
    const char *function, ctorch_transform **out, const struct transforms_ColorJitter_options *options) {
  static const transform_class class = {
      .object = TRANSFORM_OBJECT(struct jitter),
      .name = "ColorJitter",
      .kernels = TRANSFORM_PICTURES,
      .drawn_size = sizeof(struct factors),
      .draw = draw_jitter,
      .apply = apply_jitter,
      .extra_repr = repr_jitter};
  struct factor_range ranges[FACTORS] = {{0}};
  CTORCH_TRY(read_range(function, &ranges[BRIGHTNESS], options->brightness, options->brightness_len, BRIGHTNESS));
  CTORCH_TRY(read_range(function, &ranges[CONTRAST], options->contrast, options->contrast_len, CONTRAST));
  CTORCH_TRY(read_range(function, &ranges[SATURATION], options->saturation, options->saturation_len, SATURATION));
  CTORCH_TRY(read_range(function, &ranges[HUE], options->hue, options->hue_len, HUE));
  struct jitter *self = transform_new(&class);
  for (int i = 0; self != NULL && i < FACTORS; i++) {
    self->ranges[i] = ranges[i];
  }
  return transform_give(function, out, (ctorch_transform *)self, NULL);
}

/* RandomChannelPermutation. */

static ctorch_error *draw_permuted(
    const ctorch_transform *self, struct transform_call *call, void *drawn, const struct transform_inputs *inputs) {
  int64_t chw[3] = {0};
  (void)self;
  CTORCH_TRY(transform_query_chw(call, chw, inputs));
  return draw_channel_order(call, drawn, chw[0]);
}

static ctorch_error *apply_permuted(
    const ctorch_transform *self,
    struct transform_call *call,
    ctorch_tensor **out,
    const ctorch_tensor *input,
    const void *drawn) {
  (void)self;
  return permute(call, out, input, drawn);
}

ctorch_error *transforms_RandomChannelPermutation(
    const char *function, ctorch_transform **out, const struct transforms_RandomChannelPermutation_options *options) {
  static const transform_class class = {
      .object = TRANSFORM_OBJECT(ctorch_transform),
      .name = "RandomChannelPermutation",
      .kernels = TRANSFORM_PICTURES,
      .drawn_size = sizeof(struct factors),
      .drawn_end = factors_end,
      .draw = draw_permuted,
      .apply = apply_permuted};
  (void)options;
  return transform_give(function, out, transform_new(&class), NULL);
}

/* RandomPhotometricDistort, whose `p` is not of the whole but of each part. */

static ctorch_error *draw_whether(const struct transform_call *call, bool *out, double p) {
  float drawn = 0;
  CTORCH_TRY(draw_rand(call, &drawn, 1));
  *out = drawn < (float)p;
  return NULL;
}

static ctorch_error *draw_distortion(
    const ctorch_transform *self, struct transform_call *call, void *drawn, const struct transform_inputs *inputs) {
  struct factors *factors = drawn;
  int64_t chw[3] = {0};
  bool does = false;
  CTORCH_TRY(transform_query_chw(call, chw, inputs));
  for (int i = 0; i < FACTORS; i++) {
    CTORCH_TRY(draw_whether(call, &does, self->p));
    if (does) {
      CTORCH_TRY(draw_factor(call, factors, &ranges_of(self)[i], i));
    }
  }
  CTORCH_TRY(draw_whether(call, &factors->contrast_first, 0.5));
  CTORCH_TRY(draw_whether(call, &does, self->p));
  return does ? draw_channel_order(call, factors, chw[0]) : NULL;
}

static ctorch_error *apply_distortion(
    const ctorch_transform *self,
    struct transform_call *call,
    ctorch_tensor **out,
    const ctorch_tensor *input,
    const void *drawn) {
  static const int contrast_first[FACTORS] = {BRIGHTNESS, CONTRAST, SATURATION, HUE};
  static const int contrast_last[FACTORS] = {BRIGHTNESS, SATURATION, HUE, CONTRAST};
  const struct factors *factors = drawn;
  const int *order = factors->contrast_first ? contrast_first : contrast_last;
  ctorch_tensor *at = NULL, *permuted = NULL;
  (void)self;
  ctorch_error *error = tensor_give(call->function, &at, input);
  for (int i = 0; error == NULL && i < FACTORS; i++) {
    error = adjust_in_turn(call, &at, factors, order[i]);
  }
  if (error == NULL && factors->permutation != NULL) {
    error = permute(call, &permuted, at, factors);
    ctorch_tensor_release(at);
    at = permuted;
  }
  return finish(out, at, error);
}

static void repr_distortion(const ctorch_transform *self, struct text *text) {
  static const int order[FACTORS] = {BRIGHTNESS, CONTRAST, HUE, SATURATION};
  for (int i = 0; i < FACTORS; i++) {
    const struct factor_range *range = &ranges_of(self)[order[i]];
    transform_repr_doubles(text, names[order[i]], "(", (const double[]){range->low, range->high}, 2);
  }
  transform_repr_double(text, "p", self->p);
}

ctorch_error *transforms_RandomPhotometricDistort(
    const char *function, ctorch_transform **out, const struct transforms_RandomPhotometricDistort_options *options) {
  static const transform_class class = {
      .object = TRANSFORM_OBJECT(struct jitter),
      .name = "RandomPhotometricDistort",
      .kernels = TRANSFORM_PICTURES,
      .drawn_size = sizeof(struct factors),
      .drawn_end = factors_end,
      .draw = draw_distortion,
      .apply = apply_distortion,
      .extra_repr = repr_distortion};
  const double *given[FACTORS] = {options->brightness, options->contrast, options->saturation, options->hue};
  struct jitter *self = transform_new(&class);
  for (int i = 0; self != NULL && i < FACTORS; i++) {
    self->ranges[i] = (struct factor_range){given[i][0], given[i][1], true};
  }
  if (self != NULL) {
    self->transform.p = options->p;
  }
  return transform_give(function, out, (ctorch_transform *)self, NULL);
}
