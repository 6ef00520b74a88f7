/* Pad and RandomZoomOut. */
#include <inttypes.h>

#include "constructors/transforms.h"
#include "core/c/error.h"
#include "transforms/geometry.h"
#include "transforms/transform.h"

struct padder {
  ctorch_transform transform;
  struct fills fills;
  char mode[12];
  int64_t padding[4]; /* as it was given */
  size_t padding_len;
  double side_range[2];
};

static void finalize(void *object) { fills_end(&((struct padder *)object)->fills); }

static ctorch_error *apply(
    const ctorch_transform *object,
    struct transform_call *call,
    ctorch_tensor **out,
    const ctorch_tensor *input,
    const void *drawn) {
  const struct padder *self = (const struct padder *)object;
  struct padding padding = {0};
  (void)drawn;
  CTORCH_TRY(padding_read(call->function, &padding, self->padding, self->padding_len));
  return vision_pad(call->function, out, input, &padding, fills_for(&self->fills, input), self->mode);
}

static void extra_repr(const ctorch_transform *object, struct text *text) {
  const struct padder *self = (const struct padder *)object;
  if (self->padding_len == 1) {
    transform_repr_int(text, "padding", self->padding[0]);
  } else {
    transform_repr_ints(text, "padding", "[", self->padding, self->padding_len);
  }
  transform_repr_fill(text, &self->fills);
  transform_repr_text(text, "padding_mode", self->mode);
}

static const transform_class pad_class = {
    .object = TRANSFORM_OBJECT_WITH(struct padder, finalize),
    .name = "Pad",
    .apply = apply,
    .extra_repr = extra_repr,
};

static void set_mode(struct padder *self, const char *mode) {
  for (size_t i = 0; mode[i] != '\0' && i + 1 < sizeof self->mode; i++) {
    self->mode[i] = mode[i];
  }
}

ctorch_error *transforms_Pad(
    const char *function, ctorch_transform **out, const struct transforms_Pad_options *options) {
  struct padding padding = {0};
  CTORCH_TRY(padding_read(function, &padding, options->padding, options->padding_len));
  CTORCH_TRY(padding_mode_check(function, options->padding_mode));
  struct padder *self = transform_new(&pad_class);
  if (self == NULL) {
    return error_memory(function, sizeof *self);
  }
  self->padding_len = options->padding_len;
  for (size_t i = 0; i < options->padding_len; i++) {
    self->padding[i] = options->padding[i];
  }
  set_mode(self, options->padding_mode);
  return transform_give(function, out, &self->transform, fills_begin(function, &self->fills, options->fill));
}

/* RandomZoomOut, whose numbers are float32. */

static ctorch_error *draw_zoom(
    const ctorch_transform *object, struct transform_call *call, void *drawn, const struct transform_inputs *inputs) {
  const struct padder *self = (const struct padder *)object;
  struct padding *padding = drawn;
  int64_t height = 0, width = 0;
  float factor = 0, share[2] = {0};
  CTORCH_TRY(transform_query_size(call, &height, &width, inputs));
  CTORCH_TRY(draw_rand(call, &factor, 1));
  factor = (float)self->side_range[0] + factor * (float)(self->side_range[1] - self->side_range[0]);
  float canvas[2] = {(float)height * factor, (float)width * factor};
  if (!(canvas[0] < 1e15f && canvas[1] < 1e15f)) {
    return error_make(call->function, CTORCH_ERROR_VALUE, "side_range: cannot zoom out by %g", (double)factor);
  }
  int64_t canvas_height = (int64_t)canvas[0], canvas_width = (int64_t)canvas[1];
  CTORCH_TRY(draw_rand(call, share, 2));
  padding->left = (int64_t)((float)(canvas_width - width) * share[0]);
  padding->top = (int64_t)((float)(canvas_height - height) * share[1]);
  padding->right = canvas_width - (padding->left + width);
  padding->bottom = canvas_height - (padding->top + height);
  return NULL;
}

static ctorch_error *apply_zoom(
    const ctorch_transform *object,
    struct transform_call *call,
    ctorch_tensor **out,
    const ctorch_tensor *input,
    const void *drawn) {
  const struct padder *self = (const struct padder *)object;
  return vision_pad(call->function, out, input, drawn, fills_for(&self->fills, input), "constant");
}

static void repr_zoom(const ctorch_transform *object, struct text *text) {
  const struct padder *self = (const struct padder *)object;
  transform_repr_double(text, "p", object->p);
  transform_repr_fill(text, &self->fills);
  transform_repr_doubles(text, "side_range", "(", self->side_range, 2);
}

static const transform_class zoom_class = {
    .object = TRANSFORM_OBJECT_WITH(struct padder, finalize),
    .name = "RandomZoomOut",
    .is_random = true,
    .drawn_size = sizeof(struct padding),
    .draw = draw_zoom,
    .apply = apply_zoom,
    .extra_repr = repr_zoom,
};

ctorch_error *transforms_RandomZoomOut(
    const char *function, ctorch_transform **out, const struct transforms_RandomZoomOut_options *options) {
  if (!(options->side_range[0] >= 1) || !(options->side_range[0] <= options->side_range[1])) {
    return error_make(
        function, CTORCH_ERROR_VALUE, "Invalid side range provided (%g, %g).", options->side_range[0],
        options->side_range[1]);
  }
  struct padder *self = transform_new(&zoom_class);
  if (self == NULL) {
    return error_memory(function, sizeof *self);
  }
  self->transform.p = options->p;
  self->side_range[0] = options->side_range[0];
  self->side_range[1] = options->side_range[1];
  return transform_give(function, out, &self->transform, fills_begin(function, &self->fills, options->fill));
}
