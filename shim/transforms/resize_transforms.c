/* Resize, and the sizes that are drawn at random. */
#include <inttypes.h>
#include <stdlib.h>

#include "constructors/transforms.h"
#include "core/c/error.h"
#include "transforms/geometry.h"
#include "transforms/transform.h"

/* What all of them have; those that draw have a range or a list of sizes besides. */
struct resizing {
  ctorch_transform transform;
  enum interpolation interpolation;
  bool antialias, has_size, has_max_size;
  int64_t size[2], max_size;
  size_t size_len;
  double range[2];
  int64_t *sizes; /* to choose from */
  size_t sizes_len;
};

static void finalize(void *object) { free(((struct resizing *)object)->sizes); }

struct drawn {
  int64_t size[2];
  size_t len;
};

static ctorch_error *resize_to(
    const struct resizing *self,
    struct transform_call *call,
    ctorch_tensor **out,
    const ctorch_tensor *input,
    const int64_t *size,
    size_t len,
    const int64_t *max_size) {
  struct resize how = {size, len, max_size, interpolation_name(self->interpolation), self->antialias};
  return vision_resize(call->function, out, input, &how);
}

static ctorch_error *apply(
    const ctorch_transform *object,
    struct transform_call *call,
    ctorch_tensor **out,
    const ctorch_tensor *input,
    const void *drawn) {
  const struct resizing *self = (const struct resizing *)object;
  (void)drawn;
  return resize_to(
      self, call, out, input, self->has_size ? self->size : NULL, self->size_len,
      self->has_max_size ? &self->max_size : NULL);
}

static ctorch_error *apply_drawn(
    const ctorch_transform *self,
    struct transform_call *call,
    ctorch_tensor **out,
    const ctorch_tensor *input,
    const void *drawn) {
  const struct drawn *size = drawn;
  return resize_to((const struct resizing *)self, call, out, input, size->size, size->len, NULL);
}

/* int(x), which has to be a number of pixels. */
static ctorch_error *whole_pixels(const char *function, int64_t *out, double x) {
  if (!(x > -9e15 && x < 9e15)) {
    return error_make(function, CTORCH_ERROR_VALUE, "cannot resize to %g pixels", x);
  }
  *out = (int64_t)x;
  return NULL;
}

static ctorch_error *empty_image(const char *function) {
  return error_make(
      function, CTORCH_ERROR_VALUE, "an image with a side of 0 pixels has no proportions (division by zero)");
}

/* ScaleJitter, whose numbers are float32. */
static ctorch_error *draw_jitter(
    const ctorch_transform *object, struct transform_call *call, void *drawn, const struct transform_inputs *inputs) {
  const struct resizing *self = (const struct resizing *)object;
  struct drawn *size = drawn;
  int64_t height = 0, width = 0;
  float scale = 0;
  CTORCH_TRY(transform_query_size(call, &height, &width, inputs));
  CTORCH_TRY(draw_rand(call, &scale, 1));
  scale = (float)self->range[0] + scale * (float)(self->range[1] - self->range[0]);
  if (height == 0 || width == 0) {
    return empty_image(call->function);
  }
  double by_height = (double)self->size[1] / (double)height, by_width = (double)self->size[0] / (double)width;
  float factor = (float)(by_width < by_height ? by_width : by_height) * scale;
  size->len = 2;
  CTORCH_TRY(whole_pixels(call->function, &size->size[1], (float)width * factor));
  return whole_pixels(call->function, &size->size[0], (float)height * factor);
}

/* RandomShortestSize. */
static ctorch_error *draw_shortest(
    const ctorch_transform *object, struct transform_call *call, void *drawn, const struct transform_inputs *inputs) {
  const struct resizing *self = (const struct resizing *)object;
  struct drawn *size = drawn;
  int64_t height = 0, width = 0, index = 0;
  CTORCH_TRY(transform_query_size(call, &height, &width, inputs));
  CTORCH_TRY(draw_randint(call, &index, 0, (int64_t)self->sizes_len));
  if (height == 0 || width == 0) {
    return empty_image(call->function);
  }
  double factor = (double)self->sizes[index] / (double)(height < width ? height : width);
  double most = self->has_max_size ? (double)self->max_size / (double)(height > width ? height : width) : factor;
  factor = most < factor ? most : factor;
  size->len = 2;
  CTORCH_TRY(whole_pixels(call->function, &size->size[1], (double)width * factor));
  return whole_pixels(call->function, &size->size[0], (double)height * factor);
}

/* RandomResize. */
static ctorch_error *draw_size(
    const ctorch_transform *object, struct transform_call *call, void *drawn, const struct transform_inputs *inputs) {
  const struct resizing *self = (const struct resizing *)object;
  struct drawn *size = drawn;
  (void)inputs;
  size->len = 1;
  return draw_randint(call, size->size, self->size[0], self->size[1]);
}

/* Texts. */

static void repr_how(const struct resizing *self, struct text *text) {
  transform_repr_text(text, "interpolation", interpolation_name(self->interpolation));
}

static void repr_max_size(const struct resizing *self, struct text *text) {
  if (self->has_max_size) {
    transform_repr_int(text, "max_size", self->max_size);
  }
}

static void repr_resize(const ctorch_transform *object, struct text *text) {
  const struct resizing *self = (const struct resizing *)object;
  if (self->has_size) {
    transform_repr_ints(text, "size", "[", self->size, self->size_len);
  }
  repr_how(self, text);
  repr_max_size(self, text);
  transform_repr_bool(text, "antialias", self->antialias);
}

static void repr_jitter(const ctorch_transform *object, struct text *text) {
  const struct resizing *self = (const struct resizing *)object;
  transform_repr_ints(text, "target_size", "(", self->size, 2);
  transform_repr_doubles(text, "scale_range", "(", self->range, 2);
  repr_how(self, text);
  transform_repr_bool(text, "antialias", self->antialias);
}

static void repr_shortest(const ctorch_transform *object, struct text *text) {
  const struct resizing *self = (const struct resizing *)object;
  transform_repr_ints(text, "min_size", "[", self->sizes, self->sizes_len);
  repr_max_size(self, text);
  repr_how(self, text);
  transform_repr_bool(text, "antialias", self->antialias);
}

static void repr_random(const ctorch_transform *object, struct text *text) {
  const struct resizing *self = (const struct resizing *)object;
  transform_repr_int(text, "min_size", self->size[0]);
  transform_repr_int(text, "max_size", self->size[1]);
  repr_how(self, text);
  transform_repr_bool(text, "antialias", self->antialias);
}

#define RESIZING(title, drawing, applying, repr)                  \
  {                                                               \
      .object = TRANSFORM_OBJECT_WITH(struct resizing, finalize), \
      .name = title,                                              \
      .drawn_size = sizeof(struct drawn),                         \
      .draw = drawing,                                            \
      .apply = applying,                                          \
      .extra_repr = repr,                                         \
  }
static const transform_class resize_class = RESIZING("Resize", NULL, apply, repr_resize);
static const transform_class jitter_class = RESIZING("ScaleJitter", draw_jitter, apply_drawn, repr_jitter);
static const transform_class shortest_class = RESIZING("RandomShortestSize", draw_shortest, apply_drawn, repr_shortest);
static const transform_class random_class = RESIZING("RandomResize", draw_size, apply_drawn, repr_random);

static ctorch_error *make(
    const char *function,
    struct resizing **out,
    const transform_class *class,
    const char *interpolation,
    bool antialias) {
  enum interpolation mode = INTERPOLATION_NEAREST;
  CTORCH_TRY(interpolation_read(function, &mode, interpolation));
  *out = transform_new(class);
  if (*out == NULL) {
    return error_memory(function, sizeof **out);
  }
  (*out)->interpolation = mode;
  (*out)->antialias = antialias;
  return NULL;
}

static void set_max_size(struct resizing *self, const int64_t *max_size) {
  self->has_max_size = max_size != NULL;
  self->max_size = max_size != NULL ? *max_size : 0;
}

ctorch_error *transforms_Resize(
    const char *function, ctorch_transform **out, const struct transforms_Resize_options *options) {
  struct resizing *self = NULL;
  if (options->size == NULL && options->max_size == NULL) {
    return error_make(
        function, CTORCH_ERROR_VALUE, "max_size must be an integer when size is None, but got None instead.");
  }
  if (options->size != NULL && options->size_len != 1 && options->size_len != 2) {
    return error_make(
        function, CTORCH_ERROR_VALUE,
        "size can be an integer, a sequence of one or two integers, or None, but got %zu numbers instead.",
        options->size_len);
  }
  CTORCH_TRY(make(function, &self, &resize_class, options->interpolation, options->antialias));
  self->has_size = options->size != NULL;
  self->size_len = options->size_len;
  for (size_t i = 0; self->has_size && i < options->size_len; i++) {
    self->size[i] = options->size[i];
  }
  set_max_size(self, options->max_size);
  return transform_give(function, out, &self->transform, NULL);
}

ctorch_error *transforms_ScaleJitter(
    const char *function, ctorch_transform **out, const struct transforms_ScaleJitter_options *options) {
  struct resizing *self = NULL;
  CTORCH_TRY(make(function, &self, &jitter_class, options->interpolation, options->antialias));
  for (int i = 0; i < 2; i++) {
    self->size[i] = options->target_size[i];
    self->range[i] = options->scale_range[i];
  }
  return transform_give(function, out, &self->transform, NULL);
}

ctorch_error *transforms_RandomShortestSize(
    const char *function, ctorch_transform **out, const struct transforms_RandomShortestSize_options *options) {
  struct resizing *self = NULL;
  CTORCH_TRY(make(function, &self, &shortest_class, options->interpolation, options->antialias));
  set_max_size(self, options->max_size);
  self->sizes = malloc((options->min_size_len + 1) * sizeof *self->sizes);
  if (self->sizes == NULL) {
    return transform_give(
        function, out, &self->transform, error_memory(function, options->min_size_len * sizeof *self->sizes));
  }
  self->sizes_len = options->min_size_len;
  for (size_t i = 0; i < self->sizes_len; i++) {
    self->sizes[i] = options->min_size[i];
  }
  return transform_give(function, out, &self->transform, NULL);
}

ctorch_error *transforms_RandomResize(
    const char *function, ctorch_transform **out, const struct transforms_RandomResize_options *options) {
  struct resizing *self = NULL;
  CTORCH_TRY(make(function, &self, &random_class, options->interpolation, options->antialias));
  self->size[0] = options->min_size;
  self->size[1] = options->max_size;
  return transform_give(function, out, &self->transform, NULL);
}
