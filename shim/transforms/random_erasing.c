/* RandomErasing (Zhong et al. 2017, arXiv:1708.04896). */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/sequence.h"
#include "base/text.h"
#include "constructors/transforms.h"
#include "constructors/transforms_functional.h"
#include "core/c/error.h"
#include "core/c/tensor.h"
#include "transforms/erase.h"
#include "transforms/picture.h"
#include "transforms/transform.h"

enum { ATTEMPTS = 10 };

struct random_erasing {
  ctorch_transform transform;
  double scale[2], ratio[2], log_ratio[2];
  double *values; /* one, or one for each channel; NULL for those that are drawn */
  size_t values_len;
  bool inplace;
};

static void finalize(void *self) { free(((struct random_erasing *)self)->values); }

/* What is drawn: a rectangle, and what it is filled with; NULL for nothing. */
struct erasure {
  struct rectangle place;
  ctorch_tensor *value;
};

static void erasure_end(void *drawn) { ctorch_tensor_release(((struct erasure *)drawn)->value); }

/* A function of one float32, by the operator, which rounds as it does in Python. */
typedef ctorch_error *unary(ctorch_tensor **out, const ctorch_tensor *self);

static ctorch_error *of_float(double *out, double x, unary *function) {
  float number = (float)x;
  enum { GIVEN, MADE, TENSORS };
  ctorch_tensor *t[TENSORS] = {NULL};
  ctorch_error *error =
      ctorch_tensor_from_data(&t[GIVEN], &number, sizeof number, CTORCH_INTS(1), CTORCH_DTYPE_FLOAT32);
  THEN(error, function(&t[MADE], t[GIVEN]));
  THEN(error, ctorch_tensor_item_double(out, t[MADE]));
  return picture_end(t, TENSORS, error);
}

/* The values that the rectangle is filled with, float32. */
static ctorch_error *fill(
    const struct random_erasing *self,
    const struct transform_call *call,
    ctorch_tensor **out,
    int64_t channels,
    const struct rectangle *place) {
  ctorch_dtype float32 = CTORCH_DTYPE_FLOAT32;
  ctorch_tensor *made = NULL;
  ctorch_error *error = NULL;
  if (self->values == NULL) {
    error = ctorch_aten_empty_memory_format(
        &made, CTORCH_INTS(channels, place->height, place->width), &float32, NULL, NULL, NULL, NULL);
    THEN(error, ctorch_aten_normal_(made, 0.0, 1.0, call->generator));
    THEN(error, tensor_give(call->function, out, made));
  } else {
    error = ctorch_tensor_from_data(
        &made, self->values, self->values_len * sizeof *self->values, CTORCH_INTS((int64_t)self->values_len, 1, 1),
        CTORCH_DTYPE_FLOAT64);
    THEN(error, ctorch_tensor_to(out, made, &float32, NULL, false, false, NULL));
  }
  ctorch_tensor_release(made);
  return error;
}

/* Height and width of one attempt; *fits unless they are those of the image, or more. */
static ctorch_error *draw_size(
    const struct random_erasing *self,
    const struct transform_call *call,
    const int64_t *chw,
    int64_t *size,
    bool *fits) {
  double scale = 0, log_ratio = 0, ratio = 0;
  CTORCH_TRY(draw_uniform(call, &scale, self->scale[0], self->scale[1]));
  CTORCH_TRY(draw_uniform(call, &log_ratio, self->log_ratio[0], self->log_ratio[1]));
  CTORCH_TRY(of_float(&ratio, log_ratio, ctorch_aten_exp));
  double area = (double)chw[1] * (double)chw[2] * scale;
  double height = round_half_even(sqrt(area * ratio)), width = round_half_even(sqrt(area / ratio));
  *fits = height < (double)chw[1] && width < (double)chw[2];
  if (*fits) {
    size[0] = (int64_t)height;
    size[1] = (int64_t)width;
  }
  return NULL;
}

static ctorch_error *draw(
    const ctorch_transform *transform,
    struct transform_call *call,
    void *drawn,
    const struct transform_inputs *inputs) {
  const struct random_erasing *self = (const struct random_erasing *)transform;
  struct erasure *erasure = drawn;
  struct rectangle *place = &erasure->place;
  int64_t chw[3] = {0}, size[2] = {0};
  bool fits = false;
  CTORCH_TRY(transform_query_chw(call, chw, inputs));
  if (self->values != NULL && self->values_len != 1 && self->values_len != (uint64_t)chw[0]) {
    return error_make(
        call->function, CTORCH_ERROR_VALUE,
        "If value is a sequence, it should have either a single value or %" PRId64 " (number of input channels)",
        chw[0]);
  }
  for (int i = 0; i < ATTEMPTS && !fits; i++) {
    CTORCH_TRY(draw_size(self, call, chw, size, &fits));
  }
  if (!fits) {
    return NULL;
  }
  place->height = size[0];
  place->width = size[1];
  CTORCH_TRY(fill(self, call, &erasure->value, chw[0], place));
  CTORCH_TRY(draw_randint(call, &place->top, 0, chw[1] - place->height + 1));
  return draw_randint(call, &place->left, 0, chw[2] - place->width + 1);
}

static ctorch_error *apply(
    const ctorch_transform *self,
    struct transform_call *call,
    ctorch_tensor **out,
    const ctorch_tensor *input,
    const void *drawn) {
  const struct erasure *erasure = drawn;
  ctorch_tv_tensor_kind kind = ctorch_tv_tensor_kind_of(input);
  if (erasure->value == NULL) {
    return tensor_give(call->function, out, input);
  }
  if (((1U << kind) & TRANSFORM_PICTURES) == 0) {
    struct text warning = {.function = call->function};
    text_add(
        &warning, "RandomErasing() is passing through inputs of type %s. This will likely change in the future.",
        ctorch_tv_tensor_kind_name(kind));
    ctorch_error *error = warning.error == NULL ? ctorch_warning_emit(CTORCH_WARNING_USER, text_data(&warning)) : NULL;
    CTORCH_TRY(ctorch_error_first(error, text_end(&warning)));
    return tensor_give(call->function, out, input);
  }
  return transforms_functional_erase(
      call->function, out,
      &(const struct transforms_functional_erase_options){
          .inpt = input,
          .i = erasure->place.top,
          .j = erasure->place.left,
          .h = erasure->place.height,
          .w = erasure->place.width,
          .v = erasure->value,
          .inplace = ((const struct random_erasing *)self)->inplace});
}

static void extra_repr(const ctorch_transform *transform, struct text *text) {
  const struct random_erasing *self = (const struct random_erasing *)transform;
  transform_repr_double(text, "p", transform->p);
  transform_repr_doubles(text, "scale", "(", self->scale, 2);
  transform_repr_doubles(text, "ratio", "(", self->ratio, 2);
  if (self->values != NULL) {
    transform_repr_doubles(text, "value", "[", self->values, self->values_len);
  }
  transform_repr_bool(text, "inplace", self->inplace);
}

static ctorch_error *check(const char *function, const double *scale, const double *ratio) {
  if (scale[0] > scale[1] || ratio[0] > ratio[1]) {
    CTORCH_TRY(ctorch_warning_emit(CTORCH_WARNING_USER, "Scale and ratio should be of kind (min, max)"));
  }
  return scale[0] < 0 || scale[1] > 1
             ? error_make(
                   function, CTORCH_ERROR_VALUE, "Scale should be between 0 and 1, got (%g, %g)", scale[0], scale[1])
             : NULL;
}

/* `settings` but for the logarithms; its values are copied, NULL for those that are drawn. */
static ctorch_error *make(const char *function, ctorch_transform **out, const struct random_erasing *settings) {
  static const transform_class class = {
      .object = TRANSFORM_OBJECT_WITH(struct random_erasing, finalize),
      .name = "RandomErasing",
      .is_random = true,
      .drawn_size = sizeof(struct erasure),
      .drawn_end = erasure_end,
      .draw = draw,
      .apply = apply,
      .extra_repr = extra_repr};
  double log_ratio[2] = {0};
  CTORCH_TRY(check(function, settings->scale, settings->ratio));
  CTORCH_TRY(of_float(&log_ratio[0], settings->ratio[0], ctorch_aten_log));
  CTORCH_TRY(of_float(&log_ratio[1], settings->ratio[1], ctorch_aten_log));
  struct random_erasing *self = transform_new(&class);
  ctorch_error *error = NULL;
  if (self != NULL) {
    self->transform.p = settings->transform.p;
    memcpy(self->scale, settings->scale, sizeof self->scale);
    memcpy(self->ratio, settings->ratio, sizeof self->ratio);
    memcpy(self->log_ratio, log_ratio, sizeof self->log_ratio);
    self->inplace = settings->inplace;
  }
  if (self != NULL && settings->values != NULL) {
    size_t nbytes = (settings->values_len + 1) * sizeof *self->values;
    self->values = malloc(nbytes);
    if (self->values == NULL) {
      error = error_memory(function, nbytes);
    } else {
      memcpy(self->values, settings->values, settings->values_len * sizeof *self->values);
      self->values_len = settings->values_len;
    }
  }
  return transform_give(function, out, (ctorch_transform *)self, error);
}

#define SETTINGS(...)                                  \
  (&(const struct random_erasing){                     \
      .transform = {.p = options->p},                  \
      .scale = {options->scale[0], options->scale[1]}, \
      .ratio = {options->ratio[0], options->ratio[1]}, \
      .inplace = options->inplace,                     \
      __VA_ARGS__})

ctorch_error *transforms_RandomErasing(
    const char *function, ctorch_transform **out, const struct transforms_RandomErasing_options *options) {
  static double zero[] = {0.0};
  bool is_given = options->value != NULL;
  return make(
      function, out,
      SETTINGS(.values = is_given ? (double *)options->value : zero, .values_len = is_given ? options->value_len : 1));
}

ctorch_error *transforms_RandomErasing_random(
    const char *function, ctorch_transform **out, const struct transforms_RandomErasing_random_options *options) {
  if (strcmp(options->value, "random") != 0) {
    return error_make(
        function, CTORCH_ERROR_VALUE, "If value is a text, it should be 'random', got '%s'", options->value);
  }
  return make(function, out, SETTINGS(.values = NULL));
}
