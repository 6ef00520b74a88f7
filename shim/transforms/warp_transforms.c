/* RandomRotation, RandomAffine and RandomPerspective. */
#include <inttypes.h>

#include "constructors/transforms.h"
#include "core/c/error.h"
#include "transforms/geometry.h"
#include "transforms/transform.h"

/* What all of them have. */
struct warp {
  ctorch_transform transform;
  enum interpolation interpolation;
  struct fills fills;
  double degrees[2];
  bool has_center, expands, has_translate, has_scale;
  double center[2], translate[2], scale[2], shear[4];
  size_t shear_len; /* 0 for none */
  double distortion_scale;
};

static void finalize(void *object) { fills_end(&((struct warp *)object)->fills); }

/* -x and x of a number, or two, or four. */
static ctorch_error *read_angles(
    const char *function, double *out, const char *name, const double *angles, size_t len, bool takes_four) {
  if (len == 1 && angles[0] < 0) {
    return error_make(function, CTORCH_ERROR_VALUE, "If %s is a single number, it must be positive.", name);
  }
  if (len != 1 && len != 2 && !(takes_four && len == 4)) {
    return error_make(
        function, CTORCH_ERROR_VALUE, "%s should be a sequence of length %s.", name, takes_four ? "2 or 4" : "2");
  }
  out[0] = len == 1 ? -angles[0] : angles[0];
  out[1] = len == 1 ? angles[0] : angles[1];
  for (size_t i = 2; i < len; i++) {
    out[i] = angles[i];
  }
  return NULL;
}

static ctorch_error *make(
    const char *function,
    struct warp **out,
    const transform_class *class,
    const char *interpolation,
    const ctorch_value *fill) {
  enum interpolation mode = INTERPOLATION_NEAREST;
  CTORCH_TRY(interpolation_read(function, &mode, interpolation));
  struct warp *self = transform_new(class);
  if (self == NULL) {
    return error_memory(function, sizeof *self);
  }
  self->interpolation = mode;
  ctorch_error *error = fills_begin(function, &self->fills, fill);
  if (error != NULL) {
    object_unref(self);
    return error;
  }
  *out = self;
  return NULL;
}

static void set_center(struct warp *self, bool has_center, const double center[2]) {
  self->has_center = has_center;
  for (int i = 0; has_center && i < 2; i++) {
    self->center[i] = center[i];
  }
}

static void repr_center(const struct warp *self, struct text *text) {
  if (self->has_center) {
    transform_repr_doubles(text, "center", "[", self->center, 2);
  }
}

static void repr_interpolation(const struct warp *self, struct text *text) {
  transform_repr_text(text, "interpolation", interpolation_name(self->interpolation));
}

/* RandomRotation. */

static ctorch_error *draw_angle(
    const ctorch_transform *object, struct transform_call *call, void *drawn, const struct transform_inputs *inputs) {
  const struct warp *self = (const struct warp *)object;
  (void)inputs;
  return draw_uniform(call, drawn, self->degrees[0], self->degrees[1]);
}

static ctorch_error *rotate(
    const ctorch_transform *object,
    struct transform_call *call,
    ctorch_tensor **out,
    const ctorch_tensor *input,
    const void *drawn) {
  const struct warp *self = (const struct warp *)object;
  const double *angle = drawn;
  return vision_rotate(
      call->function, out, input, *angle, interpolation_name(self->interpolation), self->expands,
      self->has_center ? self->center : NULL, fills_for(&self->fills, input));
}

static void repr_rotation(const ctorch_transform *object, struct text *text) {
  const struct warp *self = (const struct warp *)object;
  transform_repr_doubles(text, "degrees", "[", self->degrees, 2);
  repr_interpolation(self, text);
  transform_repr_bool(text, "expand", self->expands);
  transform_repr_fill(text, &self->fills);
  repr_center(self, text);
}

static const transform_class rotation_class = {
    .object = TRANSFORM_OBJECT_WITH(struct warp, finalize),
    .name = "RandomRotation",
    .drawn_size = sizeof(double),
    .draw = draw_angle,
    .apply = rotate,
    .extra_repr = repr_rotation,
};

ctorch_error *transforms_RandomRotation(
    const char *function, ctorch_transform **out, const struct transforms_RandomRotation_options *options) {
  double degrees[2];
  struct warp *self = NULL;
  CTORCH_TRY(read_angles(function, degrees, "degrees", options->degrees, options->degrees_len, false));
  CTORCH_TRY(make(function, &self, &rotation_class, options->interpolation, options->fill));
  self->degrees[0] = degrees[0];
  self->degrees[1] = degrees[1];
  self->expands = options->expand;
  set_center(self, options->has_center, options->center);
  return transform_give(function, out, &self->transform, NULL);
}

/* RandomAffine. */

/* A whole number of pixels, at most this many to either side. */
static ctorch_error *draw_shift(struct transform_call *call, double *out, double most) {
  CTORCH_TRY(draw_uniform(call, out, -most, most));
  *out = round_half_even(*out);
  return NULL;
}

static ctorch_error *draw_affine(
    const ctorch_transform *object, struct transform_call *call, void *drawn, const struct transform_inputs *inputs) {
  const struct warp *self = (const struct warp *)object;
  struct affine *affine = drawn;
  int64_t height = 0, width = 0;
  CTORCH_TRY(transform_query_size(call, &height, &width, inputs));
  affine->scale = 1;
  CTORCH_TRY(draw_uniform(call, &affine->angle, self->degrees[0], self->degrees[1]));
  if (self->has_translate) {
    CTORCH_TRY(draw_shift(call, &affine->translate[0], self->translate[0] * (double)width));
    CTORCH_TRY(draw_shift(call, &affine->translate[1], self->translate[1] * (double)height));
  }
  if (self->has_scale) {
    CTORCH_TRY(draw_uniform(call, &affine->scale, self->scale[0], self->scale[1]));
  }
  if (self->shear_len > 0) {
    CTORCH_TRY(draw_uniform(call, &affine->shear[0], self->shear[0], self->shear[1]));
  }
  return self->shear_len < 4 ? NULL : draw_uniform(call, &affine->shear[1], self->shear[2], self->shear[3]);
}

static ctorch_error *apply_affine(
    const ctorch_transform *object,
    struct transform_call *call,
    ctorch_tensor **out,
    const ctorch_tensor *input,
    const void *drawn) {
  const struct warp *self = (const struct warp *)object;
  struct affine affine = *(const struct affine *)drawn;
  affine.center = self->has_center ? self->center : NULL;
  return vision_affine(
      call->function, out, input, &affine, interpolation_name(self->interpolation), fills_for(&self->fills, input));
}

static void repr_affine(const ctorch_transform *object, struct text *text) {
  const struct warp *self = (const struct warp *)object;
  transform_repr_doubles(text, "degrees", "[", self->degrees, 2);
  if (self->has_translate) {
    transform_repr_doubles(text, "translate", "(", self->translate, 2);
  }
  if (self->has_scale) {
    transform_repr_doubles(text, "scale", "(", self->scale, 2);
  }
  if (self->shear_len > 0) {
    transform_repr_doubles(text, "shear", "[", self->shear, self->shear_len);
  }
  repr_interpolation(self, text);
  transform_repr_fill(text, &self->fills);
  repr_center(self, text);
}

static const transform_class affine_class = {
    .object = TRANSFORM_OBJECT_WITH(struct warp, finalize),
    .name = "RandomAffine",
    .drawn_size = sizeof(struct affine),
    .draw = draw_affine,
    .apply = apply_affine,
    .extra_repr = repr_affine,
};

/* Two numbers in a range, or none. */
static ctorch_error *check_pair(
    const char *function, const char *name, const double *values, size_t len, bool are_shares) {
  if (values == NULL) {
    return NULL;
  }
  if (len != 2) {
    return error_make(function, CTORCH_ERROR_VALUE, "%s should be a sequence of length 2.", name);
  }
  for (int i = 0; i < 2; i++) {
    if (are_shares && !(values[i] >= 0 && values[i] <= 1)) {
      return error_make(function, CTORCH_ERROR_VALUE, "translation values should be between 0 and 1");
    }
    if (!are_shares && values[i] <= 0) {
      return error_make(function, CTORCH_ERROR_VALUE, "scale values should be positive");
    }
  }
  return NULL;
}

ctorch_error *transforms_RandomAffine(
    const char *function, ctorch_transform **out, const struct transforms_RandomAffine_options *options) {
  double degrees[2], shear[4] = {0};
  struct warp *self = NULL;
  CTORCH_TRY(read_angles(function, degrees, "degrees", options->degrees, options->degrees_len, false));
  CTORCH_TRY(check_pair(function, "translate", options->translate, options->translate_len, true));
  CTORCH_TRY(check_pair(function, "scale", options->scale, options->scale_len, false));
  if (options->shear != NULL) {
    CTORCH_TRY(read_angles(function, shear, "shear", options->shear, options->shear_len, true));
  }
  CTORCH_TRY(make(function, &self, &affine_class, options->interpolation, options->fill));
  self->has_translate = options->translate != NULL;
  self->has_scale = options->scale != NULL;
  self->shear_len = options->shear == NULL ? 0 : options->shear_len == 4 ? 4 : 2;
  for (int i = 0; i < 4; i++) {
    self->shear[i] = shear[i];
  }
  for (int i = 0; i < 2; i++) {
    self->degrees[i] = degrees[i];
    self->translate[i] = self->has_translate ? options->translate[i] : 0;
    self->scale[i] = self->has_scale ? options->scale[i] : 1;
  }
  set_center(self, options->has_center, options->center);
  return transform_give(function, out, &self->transform, NULL);
}

/* RandomPerspective. */

/* A corner, so far from where it was at most. */
static ctorch_error *draw_corner(
    struct transform_call *call, int64_t *out, struct size size, struct size bound, bool is_right, bool is_bottom) {
  CTORCH_TRY(draw_randint(call, &out[0], is_right ? size.width - bound.width : 0, is_right ? size.width : bound.width));
  return draw_randint(
      call, &out[1], is_bottom ? size.height - bound.height : 0, is_bottom ? size.height : bound.height);
}

static ctorch_error *draw_perspective(
    const ctorch_transform *object, struct transform_call *call, void *drawn, const struct transform_inputs *inputs) {
  const struct warp *self = (const struct warp *)object;
  struct size size = {0};
  int64_t end[8];
  CTORCH_TRY(transform_query_size(call, &size.height, &size.width, inputs));
  const int64_t half_height = size.height / 2, half_width = size.width / 2;
  const struct size bound = {
      (int64_t)(self->distortion_scale * (double)half_height) + 1,
      (int64_t)(self->distortion_scale * (double)half_width) + 1};
  CTORCH_TRY(draw_corner(call, &end[0], size, bound, false, false));
  CTORCH_TRY(draw_corner(call, &end[2], size, bound, true, false));
  CTORCH_TRY(draw_corner(call, &end[4], size, bound, true, true));
  CTORCH_TRY(draw_corner(call, &end[6], size, bound, false, true));
  const int64_t right = size.width - 1, bottom = size.height - 1;
  const int64_t start[] = {0, 0, right, 0, right, bottom, 0, bottom};
  return perspective_coefficients(call->function, drawn, start, end);
}

static ctorch_error *apply_perspective(
    const ctorch_transform *object,
    struct transform_call *call,
    ctorch_tensor **out,
    const ctorch_tensor *input,
    const void *drawn) {
  const struct warp *self = (const struct warp *)object;
  return vision_perspective(
      call->function, out, input, drawn, interpolation_name(self->interpolation), fills_for(&self->fills, input));
}

static void repr_perspective(const ctorch_transform *object, struct text *text) {
  const struct warp *self = (const struct warp *)object;
  transform_repr_double(text, "p", object->p);
  transform_repr_double(text, "distortion_scale", self->distortion_scale);
  repr_interpolation(self, text);
  transform_repr_fill(text, &self->fills);
}

static const transform_class perspective_class = {
    .object = TRANSFORM_OBJECT_WITH(struct warp, finalize),
    .name = "RandomPerspective",
    .is_random = true,
    .drawn_size = 8 * sizeof(double),
    .draw = draw_perspective,
    .apply = apply_perspective,
    .extra_repr = repr_perspective,
};

ctorch_error *transforms_RandomPerspective(
    const char *function, ctorch_transform **out, const struct transforms_RandomPerspective_options *options) {
  struct warp *self = NULL;
  if (!(options->distortion_scale >= 0 && options->distortion_scale <= 1)) {
    return error_make(
        function, CTORCH_ERROR_VALUE, "Argument distortion_scale value should be between 0 and 1, got %g",
        options->distortion_scale);
  }
  CTORCH_TRY(make(function, &self, &perspective_class, options->interpolation, options->fill));
  self->transform.p = options->p;
  self->distortion_scale = options->distortion_scale;
  return transform_give(function, out, &self->transform, NULL);
}
