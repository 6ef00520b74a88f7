/* Crops: of images, which are padded with zeros where the crop lies outside, of boxes and keypoints by another
 * origin. */
#include <inttypes.h>

#include "base/sequence.h"
#include "constructors/transforms_functional.h"
#include "core/c/error.h"
#include "transforms/boxes.h"
#include "transforms/element_type.h"
#include "transforms/geometry.h"
#include "transforms/transform.h"

static int64_t smaller(int64_t a, int64_t b) { return a < b ? a : b; }
static int64_t larger(int64_t a, int64_t b) { return a > b ? a : b; }

/* Sums that no pixel number reaches, so that they stay inside 64 bits. */
static bool is_absurd(const struct crop *crop) {
  const int64_t most = INT64_C(1) << 60;
  const int64_t numbers[] = {crop->top, crop->left, crop->height, crop->width};
  for (int i = 0; i < 4; i++) {
    if (numbers[i] > most || numbers[i] < -most) {
      return true;
    }
  }
  return false;
}

static const ctorch_tensor *crop_image(struct calculation *c, const ctorch_tensor *image, const struct crop *crop) {
  if (!calc_goes_on(c, image, image)) {
    return NULL;
  }
  if (ctorch_tensor_ndim(image) < 2 || is_absurd(crop)) {
    calc_fail(
        c, CTORCH_ERROR_VALUE, "inpt: cannot crop %" PRId64 " x %" PRId64 " pixels from %" PRId64 " dimensions",
        crop->height, crop->width, ctorch_tensor_ndim(image));
    return NULL;
  }
  int64_t height = size_from_end(image, -2), width = size_from_end(image, -1);
  int64_t right = crop->left + crop->width, bottom = crop->top + crop->height;
  const ctorch_tensor *cut = calc_slice(c, image, -2, larger(crop->top, 0), bottom);
  cut = calc_slice(c, cut, -1, larger(crop->left, 0), right);
  if (crop->left >= 0 && crop->top >= 0 && right <= width && bottom <= height) {
    return cut;
  }
  const struct padding padding = {
      .left = larger(smaller(right, 0) - crop->left, 0),
      .right = larger(right - larger(width, crop->left), 0),
      .top = larger(smaller(bottom, 0) - crop->top, 0),
      .bottom = larger(bottom - larger(height, crop->top), 0),
  };
  return calc_goes_on(c, cut, cut) ? pad_with_zeros(c, cut, &padding) : NULL;
}

static const ctorch_tensor *crop_keypoints(
    struct calculation *c, const ctorch_tensor *keypoints, struct tv_tensor *mark, const struct crop *crop) {
  const int64_t offset[] = {crop->left, crop->top};
  set_canvas(mark, (struct size){crop->height, crop->width});
  return calc_sub(c, keypoints, calc_ints(c, offset, 2, ctorch_tensor_dtype(keypoints), keypoints));
}

static const ctorch_tensor *crop_boxes(
    struct calculation *c, const ctorch_tensor *boxes, struct tv_tensor *mark, const struct crop *crop) {
  int64_t offset[8] = {crop->left, crop->top};
  size_t points = mark->format == BOX_XYXYXYXY ? 4 : mark->format == BOX_XYXY ? 2 : 1;
  for (size_t i = 1; i < points; i++) {
    offset[2 * i] = crop->left;
    offset[2 * i + 1] = crop->top;
  }
  set_canvas(mark, (struct size){crop->height, crop->width});
  ctorch_tensor *numbers =
      calc_ints(c, offset, (size_t)box_format_len(mark->format), ctorch_tensor_dtype(boxes), boxes);
  const ctorch_tensor *moved = calc_sub(c, boxes, numbers);
  if (mark->format == BOX_XYXYXYXY) {
    moved = parallelograms_to_boxes(c, moved);
  }
  return boxes_clamp(c, moved, mark);
}

static const ctorch_tensor *crop_any(
    struct calculation *c, const ctorch_tensor *input, struct tv_tensor *mark, const struct crop *crop) {
  switch (mark->kind) {
    case CTORCH_TV_TENSOR_BOUNDING_BOXES:
      return crop_boxes(c, input, mark, crop);
    case CTORCH_TV_TENSOR_KEY_POINTS:
      return crop_keypoints(c, input, mark, crop);
    case CTORCH_TV_TENSOR_MASK:
      return mask_end(c, crop_image(c, mask_begin(c, input), crop), input);
    default:
      return crop_image(c, input, crop);
  }
}

/* A mark to be changed, of what may have none. */
static struct tv_tensor mark_of(const ctorch_tensor *input) {
  const struct tv_tensor *mark = tv_tensor_of(input);
  return mark == NULL ? (struct tv_tensor){0} : *mark;
}

static const struct tv_tensor *or_none(const struct tv_tensor *mark) {
  return mark->kind == CTORCH_TV_TENSOR_NONE ? NULL : mark;
}

ctorch_error *vision_crop(
    const char *function, ctorch_tensor **out, const ctorch_tensor *input, const struct crop *crop) {
  struct tv_tensor mark = mark_of(input);
  struct calculation c;
  calculation_begin(&c, function);
  const ctorch_tensor *cut = crop_any(&c, input, &mark, crop);
  return tv_tensor_end(&c, out, cut, or_none(&mark));
}

ctorch_error *transforms_functional_crop(
    const char *function, ctorch_tensor **out, const struct transforms_functional_crop_options *options) {
  struct crop crop = {options->top, options->left, options->height, options->width};
  return vision_crop(function, out, options->inpt, &crop);
}

/* From the middle. */

/* Where a crop begins that has the same middle, with a half of a pixel to the even side. */
static int64_t anchor(int64_t image, int64_t crop) { return (int64_t)round_half_even((double)(image - crop) / 2); }

static struct crop central(struct size image, struct size size) {
  return (struct crop){anchor(image.height, size.height), anchor(image.width, size.width), size.height, size.width};
}

/* floor(x / 2), where that is positive. */
static int64_t half(int64_t x) { return x > 0 ? x / 2 : 0; }

static const ctorch_tensor *center_crop_image(struct calculation *c, const ctorch_tensor *image, struct size size) {
  if (!calc_goes_on(c, image, image)) {
    return NULL;
  }
  int64_t ndim = ctorch_tensor_ndim(image), sizes[64];
  const struct crop asked = {0, 0, size.height, size.width};
  if (ndim < 2 || is_absurd(&asked)) {
    calc_fail(
        c, CTORCH_ERROR_VALUE, "inpt: cannot crop %" PRId64 " x %" PRId64 " pixels from %" PRId64 " dimensions",
        size.height, size.width, ndim);
    return NULL;
  }
  if (ctorch_tensor_numel(image) == 0) {
    for (int64_t i = 0; i < ndim - 2 && i < 62; i++) {
      sizes[i] = ctorch_tensor_sizes(image)[i];
    }
    sizes[ndim - 2] = size.height;
    sizes[ndim - 1] = size.width;
    return calc_reshape(c, image, sizes, (size_t)ndim);
  }
  struct size old = {size_from_end(image, -2), size_from_end(image, -1)};
  const ctorch_tensor *padded = image;
  if (size.height > old.height || size.width > old.width) {
    int64_t more_height = size.height - old.height, more_width = size.width - old.width;
    const int64_t padding[] = {
        half(more_width), more_width > 0 ? half(more_width + 1) : 0, half(more_height),
        more_height > 0 ? half(more_height + 1) : 0};
    ctorch_tensor *made = NULL;
    calc_fail_with(c, ctorch_aten_pad(&made, image, padding, 4, "constant", &(const double){0}));
    padded = made;
    old = (struct size){larger(old.height, size.height), larger(old.width, size.width)};
    if (size.height == old.height && size.width == old.width) {
      return padded;
    }
  }
  struct crop crop = central(old, size);
  padded = calc_slice(c, padded, -2, crop.top, crop.top + crop.height);
  return calc_slice(c, padded, -1, crop.left, crop.left + crop.width);
}

ctorch_error *vision_center_crop(
    const char *function, ctorch_tensor **out, const ctorch_tensor *input, struct size size) {
  struct tv_tensor mark = mark_of(input);
  const ctorch_tensor *cut = NULL;
  struct calculation c;
  calculation_begin(&c, function);
  if (mark.kind == CTORCH_TV_TENSOR_BOUNDING_BOXES || mark.kind == CTORCH_TV_TENSOR_KEY_POINTS) {
    struct crop crop = central(canvas_of(&mark), size);
    cut = crop_any(&c, input, &mark, &crop);
  } else if (mark.kind == CTORCH_TV_TENSOR_MASK) {
    cut = mask_end(&c, center_crop_image(&c, mask_begin(&c, input), size), input);
  } else {
    cut = center_crop_image(&c, input, size);
  }
  return tv_tensor_end(&c, out, cut, or_none(&mark));
}

ctorch_error *transforms_functional_center_crop(
    const char *function, ctorch_tensor **out, const struct transforms_functional_center_crop_options *options) {
  return vision_center_crop(
      function, out, options->inpt, (struct size){options->output_size[0], options->output_size[1]});
}

/* And resized. */

ctorch_error *vision_resized_crop(
    const char *function,
    ctorch_tensor **out,
    const ctorch_tensor *input,
    const struct crop *crop,
    const struct resize *how) {
  struct tv_tensor mark = mark_of(input);
  struct calculation c;
  calculation_begin(&c, function);
  const ctorch_tensor *cut = crop_any(&c, input, &mark, crop);
  if (calc_goes_on(&c, cut, cut)) {
    switch (mark.kind) {
      case CTORCH_TV_TENSOR_BOUNDING_BOXES:
        cut = resize_boxes(&c, cut, &mark, how);
        break;
      case CTORCH_TV_TENSOR_KEY_POINTS:
        cut = resize_keypoints(&c, cut, &mark, how);
        break;
      case CTORCH_TV_TENSOR_MASK: {
        struct resize nearest = *how; /* whatever mode is asked for */
        nearest.interpolation = "bilinear";
        cut = resize_mask(&c, cut, &nearest);
        break;
      }
      default:
        cut = resize_image(&c, cut, how);
        break;
    }
  }
  return tv_tensor_end(&c, out, cut, or_none(&mark));
}

ctorch_error *transforms_functional_resized_crop(
    const char *function, ctorch_tensor **out, const struct transforms_functional_resized_crop_options *options) {
  struct crop crop = {options->top, options->left, options->height, options->width};
  struct resize how = {options->size, options->size_len, NULL, options->interpolation, options->antialias};
  return vision_resized_crop(function, out, options->inpt, &crop, &how);
}

/* Five, or ten. */

static ctorch_error *five(const char *function, ctorch_tensor **out, const ctorch_tensor *image, struct size size) {
  struct size old = {size_from_end(image, -2), size_from_end(image, -1)};
  if (ctorch_tensor_ndim(image) < 2 || size.width > old.width || size.height > old.height) {
    return error_make(
        function, CTORCH_ERROR_VALUE,
        "Requested crop size (%" PRId64 ", %" PRId64 ") is bigger than input size (%" PRId64 ", %" PRId64 ")",
        size.height, size.width, old.height, old.width);
  }
  int64_t bottom = old.height - size.height, right = old.width - size.width;
  const struct crop crops[] = {
      {0, 0, size.height, size.width},
      {0, right, size.height, size.width},
      {bottom, 0, size.height, size.width},
      {bottom, right, size.height, size.width}};
  for (int i = 0; i < 4; i++) {
    CTORCH_TRY(vision_crop(function, &out[i], image, &crops[i]));
  }
  return vision_center_crop(function, &out[4], image, size);
}

ctorch_error *vision_crops(
    const char *function,
    ctorch_tensor **out,
    const ctorch_tensor *input,
    struct size size,
    bool flips,
    bool is_vertical) {
  ctorch_tensor *flipped = NULL;
  unsigned kind = 1u << ctorch_tv_tensor_kind_of(input);
  size_t len = flips ? 10 : 5;
  for (size_t i = 0; i < len; i++) {
    out[i] = NULL;
  }
  if ((TRANSFORM_PICTURES & kind) == 0) {
    return functional_refuses(function, input, TRANSFORM_PICTURES);
  }
  ctorch_error *error = five(function, out, input, size);
  if (error == NULL && flips) {
    error = vision_flip(function, &flipped, input, is_vertical);
    THEN(error, five(function, out + 5, flipped, size));
    ctorch_tensor_release(flipped);
  }
  for (size_t i = 0; error != NULL && i < len; i++) {
    ctorch_tensor_release(out[i]);
    out[i] = NULL;
  }
  return error;
}

/* As a list, with the crops given up. */
static ctorch_error *give_list(ctorch_tensor_list **out, ctorch_tensor **crops, size_t len) {
  ctorch_error *error = ctorch_tensor_list_new(out, (const ctorch_tensor *const *)crops, len);
  for (size_t i = 0; i < len; i++) {
    ctorch_tensor_release(crops[i]);
  }
  return error;
}

ctorch_error *transforms_functional_five_crop(
    const char *function, ctorch_tensor_list **out, const struct transforms_functional_five_crop_options *options) {
  ctorch_tensor *crops[5];
  struct size size = {options->size[0], options->size[1]};
  CTORCH_TRY(vision_crops(function, crops, options->inpt, size, false, false));
  return give_list(out, crops, 5);
}

ctorch_error *transforms_functional_ten_crop(
    const char *function, ctorch_tensor_list **out, const struct transforms_functional_ten_crop_options *options) {
  ctorch_tensor *crops[10];
  struct size size = {options->size[0], options->size[1]};
  CTORCH_TRY(vision_crops(function, crops, options->inpt, size, true, options->vertical_flip));
  return give_list(out, crops, 10);
}
