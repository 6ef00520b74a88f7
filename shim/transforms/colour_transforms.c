/* Transforms of colours that draw nothing, or whether to do it. */
#include "constructors/transforms.h"
#include "constructors/transforms_functional.h"
#include "core/c/error.h"
#include "transforms/transform.h"

enum { IMAGES = TRANSFORM_PURE | TRANSFORM_IMAGE };

/* All of them have one number at most. */
struct colour_transform {
  ctorch_transform transform;
  int64_t count;
  double amount;
};

static const struct colour_transform *setting(const ctorch_transform *self) {
  return (const struct colour_transform *)self;
}

/* What `functional` does, with the options that follow. */
#define APPLY(name, functional, ...)                                                                              \
  static ctorch_error *apply_##name(                                                                              \
      const ctorch_transform *self, struct transform_call *call, ctorch_tensor **out, const ctorch_tensor *input, \
      const void *drawn) {                                                                                        \
    (void)self;                                                                                                   \
    (void)drawn;                                                                                                  \
    return transforms_functional_##functional(                                                                    \
        call->function, out,                                                                                      \
        &(const struct transforms_functional_##functional##_options){.inpt = input, __VA_ARGS__});                \
  }

APPLY(Grayscale, rgb_to_grayscale, .num_output_channels = setting(self)->count)
APPLY(RandomGrayscale, rgb_to_grayscale, .num_output_channels = *(const int64_t *)drawn)
APPLY(RGB, grayscale_to_rgb, )
APPLY(RandomEqualize, equalize, )
APPLY(RandomInvert, invert, )
APPLY(RandomAutocontrast, autocontrast, )
APPLY(RandomPosterize, posterize, .bits = setting(self)->count)
APPLY(RandomSolarize, solarize, .threshold = setting(self)->amount)
APPLY(RandomAdjustSharpness, adjust_sharpness, .sharpness_factor = setting(self)->amount)

/* The number of channels is drawn with the rest, as Python has it: all images of a sample are to agree on it. */
static ctorch_error *draw_channels(
    const ctorch_transform *self, struct transform_call *call, void *drawn, const struct transform_inputs *inputs) {
  int64_t chw[3] = {0};
  (void)self;
  CTORCH_TRY(transform_query_chw(call, chw, inputs));
  *(int64_t *)drawn = chw[0];
  return NULL;
}

static void repr_channels(const ctorch_transform *self, struct text *text) {
  transform_repr_int(text, "num_output_channels", setting(self)->count);
}

static void repr_p(const ctorch_transform *self, struct text *text) { transform_repr_double(text, "p", self->p); }

static void repr_bits(const ctorch_transform *self, struct text *text) {
  repr_p(self, text);
  transform_repr_int(text, "bits", setting(self)->count);
}

static void repr_threshold(const ctorch_transform *self, struct text *text) {
  repr_p(self, text);
  transform_repr_double(text, "threshold", setting(self)->amount);
}

static void repr_sharpness(const ctorch_transform *self, struct text *text) {
  repr_p(self, text);
  transform_repr_double(text, "sharpness_factor", setting(self)->amount);
}

static ctorch_error *make(
    const char *function, ctorch_transform **out, const transform_class *class, const struct colour_transform *with) {
  struct colour_transform *self = transform_new(class);
  if (self != NULL) {
    self->transform.p = with->transform.p;
    self->count = with->count;
    self->amount = with->amount;
  }
  return transform_give(function, out, (ctorch_transform *)self, NULL);
}

/* A class: what it has kernels for, its text, more of the class, and the fields of the struct. */
#define CLASS(named, for_kernels, repr, with, ...)                                                        \
  ctorch_error *transforms_##named(                                                                       \
      const char *function, ctorch_transform **out, const struct transforms_##named##_options *options) { \
    static const transform_class class = {                                                                \
        .object = TRANSFORM_OBJECT(struct colour_transform),                                              \
        .name = #named,                                                                                   \
        .kernels = for_kernels,                                                                           \
        .apply = apply_##named,                                                                           \
        .extra_repr = repr,                                                                               \
        __VA_ARGS__};                                                                                     \
    (void)options;                                                                                        \
    return make(function, out, &class, &(const struct colour_transform)with);                             \
  }

CLASS(Grayscale, IMAGES, repr_channels, {.count = options->num_output_channels}, )
CLASS(RGB, IMAGES, NULL, {.count = 0}, )
CLASS(
    RandomGrayscale,
    IMAGES,
    repr_p,
    {.transform = {.p = options->p}},
    .is_random = true,
    .drawn_size = sizeof(int64_t),
    .draw = draw_channels)
CLASS(RandomEqualize, TRANSFORM_PICTURES, repr_p, {.transform = {.p = options->p}}, .is_random = true)
CLASS(RandomInvert, TRANSFORM_PICTURES, repr_p, {.transform = {.p = options->p}}, .is_random = true)
CLASS(RandomAutocontrast, TRANSFORM_PICTURES, repr_p, {.transform = {.p = options->p}}, .is_random = true)

/* Two fields are two arguments of a macro. */
#define BOTH(...) {__VA_ARGS__}
CLASS(
    RandomPosterize,
    TRANSFORM_PICTURES,
    repr_bits,
    BOTH(.transform = {.p = options->p}, .count = options->bits),
    .is_random = true)
CLASS(
    RandomSolarize,
    TRANSFORM_PICTURES,
    repr_threshold,
    BOTH(.transform = {.p = options->p}, .amount = options->threshold),
    .is_random = true)
CLASS(
    RandomAdjustSharpness,
    TRANSFORM_PICTURES,
    repr_sharpness,
    BOTH(.transform = {.p = options->p}, .amount = options->sharpness_factor),
    .is_random = true)
