/* Crops: in the middle, at random, of random sizes, in the corners. */
#include <inttypes.h>
#include <math.h>

#include "base/sequence.h"
#include "constructors/transforms.h"
#include "core/c/error.h"
#include "core/c/tensor.h"
#include "transforms/geometry.h"
#include "transforms/transform.h"

struct cropping {
  ctorch_transform transform;
  int64_t size[2]; /* height and width */
};

static struct size size_of(const ctorch_transform *object) {
  const struct cropping *self = (const struct cropping *)object;
  return (struct size){self->size[0], self->size[1]};
}

static void repr_size(const ctorch_transform *self, struct text *text) {
  transform_repr_ints(text, "size", "(", ((const struct cropping *)self)->size, 2);
}

/* CenterCrop. */

static ctorch_error *apply_center(
    const ctorch_transform *self,
    struct transform_call *call,
    ctorch_tensor **out,
    const ctorch_tensor *input,
    const void *drawn) {
  (void)drawn;
  return vision_center_crop(call->function, out, input, size_of(self));
}

static const transform_class center_class = {
    .object = TRANSFORM_OBJECT(struct cropping),
    .name = "CenterCrop",
    .apply = apply_center,
    .extra_repr = repr_size,
};

ctorch_error *transforms_CenterCrop(
    const char *function, ctorch_transform **out, const struct transforms_CenterCrop_options *options) {
  struct cropping *self = transform_new(&center_class);
  if (self == NULL) {
    return error_memory(function, sizeof *self);
  }
  self->size[0] = options->size[0];
  self->size[1] = options->size[1];
  return transform_give(function, out, &self->transform, NULL);
}

/* FiveCrop and TenCrop. */

struct crops {
  struct cropping cropping;
  bool is_vertical;
};

static ctorch_error *check_crops(
    const ctorch_transform *self, const struct transform_call *call, const struct transform_leaves *leaves) {
  return transform_has(leaves, TRANSFORM_BOUNDING_BOXES | TRANSFORM_MASK)
             ? error_make(
                   call->function, CTORCH_ERROR_TYPE, "BoundingBoxes'es and Mask's are not supported by %s()",
                   ctorch_transform_name(self))
             : NULL;
}

static ctorch_error *give_crops(
    const ctorch_transform *self,
    struct transform_call *call,
    ctorch_value **out,
    const ctorch_tensor *input,
    bool flips) {
  ctorch_tensor *crops[10];
  ctorch_value *values[10] = {NULL};
  size_t len = flips ? 10 : 5;
  CTORCH_TRY(vision_crops(
      call->function, crops, input, size_of(self), flips, flips && ((const struct crops *)self)->is_vertical));
  ctorch_error *error = NULL;
  for (size_t i = 0; i < len; i++) {
    THEN(error, ctorch_value_from_tensor(&values[i], crops[i]));
    ctorch_tensor_release(crops[i]);
  }
  THEN(error, ctorch_value_from_tuple(out, (const ctorch_value *const *)values, len));
  for (size_t i = 0; i < len; i++) {
    ctorch_value_release(values[i]);
  }
  return error;
}

static ctorch_error *apply_five(
    const ctorch_transform *self,
    struct transform_call *call,
    ctorch_value **out,
    const ctorch_tensor *input,
    const void *drawn) {
  (void)drawn;
  return give_crops(self, call, out, input, false);
}

static ctorch_error *apply_ten(
    const ctorch_transform *self,
    struct transform_call *call,
    ctorch_value **out,
    const ctorch_tensor *input,
    const void *drawn) {
  (void)drawn;
  return give_crops(self, call, out, input, true);
}

static void repr_ten(const ctorch_transform *self, struct text *text) {
  repr_size(self, text);
  transform_repr_bool(text, "vertical_flip", ((const struct crops *)self)->is_vertical);
}

static const transform_class five_class = {
    .object = TRANSFORM_OBJECT(struct crops),
    .name = "FiveCrop",
    .kernels = TRANSFORM_PICTURES,
    .check = check_crops,
    .apply_to_value = apply_five,
    .extra_repr = repr_size,
};
static const transform_class ten_class = {
    .object = TRANSFORM_OBJECT(struct crops),
    .name = "TenCrop",
    .kernels = TRANSFORM_PICTURES,
    .check = check_crops,
    .apply_to_value = apply_ten,
    .extra_repr = repr_ten,
};

static ctorch_error *give(
    const char *function,
    ctorch_transform **out,
    const transform_class *class,
    const int64_t size[2],
    bool is_vertical) {
  struct crops *self = transform_new(class);
  if (self == NULL) {
    return error_memory(function, sizeof *self);
  }
  self->cropping.size[0] = size[0];
  self->cropping.size[1] = size[1];
  self->is_vertical = is_vertical;
  return transform_give(function, out, &self->cropping.transform, NULL);
}

ctorch_error *transforms_FiveCrop(
    const char *function, ctorch_transform **out, const struct transforms_FiveCrop_options *options) {
  return give(function, out, &five_class, options->size, false);
}

ctorch_error *transforms_TenCrop(
    const char *function, ctorch_transform **out, const struct transforms_TenCrop_options *options) {
  return give(function, out, &ten_class, options->size, options->vertical_flip);
}

/* RandomResizedCrop. */

struct resized_crop {
  struct cropping cropping;
  double scale[2], ratio[2], log_ratio[2];
  enum interpolation interpolation;
  bool antialias;
};

/* float32's exponential function, as the operator has it. */
static ctorch_error *exponential(double *out, double x) {
  float number = (float)x, result = 0;
  ctorch_tensor *argument = NULL, *made = NULL;
  CTORCH_TRY(ctorch_tensor_from_data(&argument, &number, sizeof number, (const int64_t[]){1}, 1, CTORCH_DTYPE_FLOAT32));
  ctorch_error *error = ctorch_aten_exp(&made, argument);
  THEN(error, ctorch_tensor_copy_to_buffer(made, &result, sizeof result, CTORCH_DTYPE_FLOAT32));
  ctorch_tensor_release(argument);
  ctorch_tensor_release(made);
  *out = result;
  return error;
}

/* A crop of a random shape that fits; `*fits` says whether it does. */
static ctorch_error *draw_shape(
    const struct resized_crop *self, struct transform_call *call, struct crop *out, struct size image, bool *fits) {
  double area = 0, log_ratio = 0, ratio = 0;
  CTORCH_TRY(draw_uniform(call, &area, self->scale[0], self->scale[1]));
  area = (double)(image.height * image.width) * area;
  CTORCH_TRY(draw_uniform(call, &log_ratio, self->log_ratio[0], self->log_ratio[1]));
  CTORCH_TRY(exponential(&ratio, log_ratio));
  double width = round_half_even(sqrt(area * ratio)), height = round_half_even(sqrt(area / ratio));
  *fits = width > 0 && width <= (double)image.width && height > 0 && height <= (double)image.height;
  if (!*fits) {
    return NULL;
  }
  out->height = (int64_t)height;
  out->width = (int64_t)width;
  CTORCH_TRY(draw_randint(call, &out->top, 0, image.height - out->height + 1));
  return draw_randint(call, &out->left, 0, image.width - out->width + 1);
}

/* The largest crop in the middle whose ratio is allowed. */
static void take_middle(const struct resized_crop *self, struct crop *out, struct size image) {
  double ratio = (double)image.width / (double)image.height;
  double least = fmin(self->ratio[0], self->ratio[1]), most = fmax(self->ratio[0], self->ratio[1]);
  out->height = image.height;
  out->width = image.width;
  if (ratio < least) {
    out->height = (int64_t)round_half_even((double)image.width / least);
  } else if (ratio > most) {
    out->width = (int64_t)round_half_even((double)image.height * most);
  }
  out->top = (image.height - out->height) / 2;
  out->left = (image.width - out->width) / 2;
}

static ctorch_error *draw_resized_crop(
    const ctorch_transform *object, struct transform_call *call, void *drawn, const struct transform_inputs *inputs) {
  const struct resized_crop *self = (const struct resized_crop *)object;
  struct size image = {0};
  bool fits = false;
  CTORCH_TRY(transform_query_size(call, &image.height, &image.width, inputs));
  for (int i = 0; i < 10 && !fits; i++) {
    CTORCH_TRY(draw_shape(self, call, drawn, image, &fits));
  }
  if (!fits && image.height == 0) {
    return error_make(
        call->function, CTORCH_ERROR_VALUE, "an image with a side of 0 pixels has no proportions (division by zero)");
  }
  if (!fits) {
    take_middle(self, drawn, image);
  }
  return NULL;
}

static ctorch_error *apply_resized_crop(
    const ctorch_transform *object,
    struct transform_call *call,
    ctorch_tensor **out,
    const ctorch_tensor *input,
    const void *drawn) {
  const struct resized_crop *self = (const struct resized_crop *)object;
  struct resize how = {self->cropping.size, 2, NULL, interpolation_name(self->interpolation), self->antialias};
  return vision_resized_crop(call->function, out, input, drawn, &how);
}

static void repr_resized_crop(const ctorch_transform *object, struct text *text) {
  const struct resized_crop *self = (const struct resized_crop *)object;
  repr_size(object, text);
  transform_repr_doubles(text, "scale", "(", self->scale, 2);
  transform_repr_doubles(text, "ratio", "(", self->ratio, 2);
  transform_repr_text(text, "interpolation", interpolation_name(self->interpolation));
  transform_repr_bool(text, "antialias", self->antialias);
}

static const transform_class resized_crop_class = {
    .object = TRANSFORM_OBJECT(struct resized_crop),
    .name = "RandomResizedCrop",
    .drawn_size = sizeof(struct crop),
    .draw = draw_resized_crop,
    .apply = apply_resized_crop,
    .extra_repr = repr_resized_crop,
};

/* The logarithms of ratios, as float32. */
static ctorch_error *logarithms(double out[2], const double ratio[2]) {
  float numbers[2] = {(float)ratio[0], (float)ratio[1]};
  ctorch_tensor *argument = NULL, *made = NULL;
  CTORCH_TRY(
      ctorch_tensor_from_data(&argument, numbers, sizeof numbers, (const int64_t[]){2}, 1, CTORCH_DTYPE_FLOAT32));
  ctorch_error *error = ctorch_aten_log(&made, argument);
  THEN(error, ctorch_tensor_copy_to_buffer(made, numbers, sizeof numbers, CTORCH_DTYPE_FLOAT32));
  ctorch_tensor_release(argument);
  ctorch_tensor_release(made);
  out[0] = numbers[0];
  out[1] = numbers[1];
  return error;
}

ctorch_error *transforms_RandomResizedCrop(
    const char *function, ctorch_transform **out, const struct transforms_RandomResizedCrop_options *options) {
  enum interpolation interpolation = INTERPOLATION_NEAREST;
  CTORCH_TRY(interpolation_read(function, &interpolation, options->interpolation));
  if (options->scale[0] > options->scale[1] || options->ratio[0] > options->ratio[1]) {
    CTORCH_TRY(ctorch_warning_emit(CTORCH_WARNING_USER, "Scale and ratio should be of kind (min, max)"));
  }
  struct resized_crop *self = transform_new(&resized_crop_class);
  if (self == NULL) {
    return error_memory(function, sizeof *self);
  }
  for (int i = 0; i < 2; i++) {
    self->cropping.size[i] = options->size[i];
    self->scale[i] = options->scale[i];
    self->ratio[i] = options->ratio[i];
  }
  self->interpolation = interpolation;
  self->antialias = options->antialias;
  return transform_give(function, out, &self->cropping.transform, logarithms(self->log_ratio, self->ratio));
}

/* RandomCrop. */

struct random_crop {
  struct cropping cropping;
  struct padding padding;
  bool has_padding, pads_if_needed;
  struct fills fills;
  char mode[12];
};

static void finalize(void *object) { fills_end(&((struct random_crop *)object)->fills); }

struct drawn_crop {
  struct padding padding;
  struct crop crop;
  bool needs_padding, needs_crop;
};

/* Where to cut a side that is longer than wanted. */
static ctorch_error *draw_offset(
    struct transform_call *call, struct drawn_crop *drawn, int64_t *out, int64_t padded, int64_t wanted) {
  if (padded <= wanted) {
    return NULL;
  }
  drawn->needs_crop = true;
  return draw_randint(call, out, 0, padded - wanted + 1);
}

static ctorch_error *draw_crop(
    const ctorch_transform *object, struct transform_call *call, void *drawn, const struct transform_inputs *inputs) {
  const struct random_crop *self = (const struct random_crop *)object;
  struct drawn_crop *plan = drawn;
  struct padding padding = self->padding;
  int64_t height = 0, width = 0;
  CTORCH_TRY(transform_query_size(call, &height, &width, inputs));
  height += padding.top + padding.bottom;
  width += padding.left + padding.right;
  struct size wanted = size_of(object);
  if (self->pads_if_needed && height < wanted.height) {
    padding.top += wanted.height - height;
    padding.bottom += wanted.height - height;
    height += 2 * (wanted.height - height);
  }
  if (self->pads_if_needed && width < wanted.width) {
    padding.left += wanted.width - width;
    padding.right += wanted.width - width;
    width += 2 * (wanted.width - width);
  }
  if (height < wanted.height || width < wanted.width) {
    return error_make(
        call->function, CTORCH_ERROR_VALUE,
        "Required crop size (%" PRId64 ", %" PRId64 ") is larger than %sinput image size (%" PRId64 ", %" PRId64 ").",
        wanted.height, wanted.width, self->has_padding ? "padded " : "", height, width);
  }
  plan->padding = padding;
  plan->needs_padding = padding.left != 0 || padding.right != 0 || padding.top != 0 || padding.bottom != 0;
  plan->crop = (struct crop){0, 0, wanted.height, wanted.width};
  CTORCH_TRY(draw_offset(call, plan, &plan->crop.top, height, wanted.height));
  return draw_offset(call, plan, &plan->crop.left, width, wanted.width);
}

static ctorch_error *apply_crop(
    const ctorch_transform *object,
    struct transform_call *call,
    ctorch_tensor **out,
    const ctorch_tensor *input,
    const void *drawn) {
  const struct random_crop *self = (const struct random_crop *)object;
  const struct drawn_crop *plan = drawn;
  ctorch_tensor *padded = NULL;
  if (!plan->needs_padding) {
    return plan->needs_crop ? vision_crop(call->function, out, input, &plan->crop)
                            : tensor_give(call->function, out, input);
  }
  const struct fill *fill = fills_for(&self->fills, input);
  if (!plan->needs_crop) {
    return vision_pad(call->function, out, input, &plan->padding, fill, self->mode);
  }
  CTORCH_TRY(vision_pad(call->function, &padded, input, &plan->padding, fill, self->mode));
  ctorch_error *error = vision_crop(call->function, out, padded, &plan->crop);
  ctorch_tensor_release(padded);
  return error;
}

static void repr_crop(const ctorch_transform *object, struct text *text) {
  const struct random_crop *self = (const struct random_crop *)object;
  repr_size(object, text);
  if (self->has_padding) {
    const int64_t sides[] = {self->padding.left, self->padding.right, self->padding.top, self->padding.bottom};
    transform_repr_ints(text, "padding", "[", sides, 4);
  }
  transform_repr_bool(text, "pad_if_needed", self->pads_if_needed);
  transform_repr_fill(text, &self->fills);
  transform_repr_text(text, "padding_mode", self->mode);
}

static const transform_class crop_class = {
    .object = TRANSFORM_OBJECT_WITH(struct random_crop, finalize),
    .name = "RandomCrop",
    .drawn_size = sizeof(struct drawn_crop),
    .draw = draw_crop,
    .apply = apply_crop,
    .extra_repr = repr_crop,
};

ctorch_error *transforms_RandomCrop(
    const char *function, ctorch_transform **out, const struct transforms_RandomCrop_options *options) {
  struct padding padding = {0};
  if (options->padding != NULL) {
    CTORCH_TRY(padding_read(function, &padding, options->padding, options->padding_len));
  }
  if (options->padding != NULL || options->pad_if_needed) {
    CTORCH_TRY(padding_mode_check(function, options->padding_mode));
  }
  struct random_crop *self = transform_new(&crop_class);
  if (self == NULL) {
    return error_memory(function, sizeof *self);
  }
  self->cropping.size[0] = options->size[0];
  self->cropping.size[1] = options->size[1];
  self->padding = padding;
  /* Python takes a padding of 0, as a number, for none */
  self->has_padding = options->padding != NULL && !(options->padding_len == 1 && options->padding[0] == 0);
  self->pads_if_needed = options->pad_if_needed;
  for (size_t i = 0; options->padding_mode[i] != '\0' && i + 1 < sizeof self->mode; i++) {
    self->mode[i] = options->padding_mode[i];
  }
  return transform_give(function, out, &self->cropping.transform, fills_begin(function, &self->fills, options->fill));
}
