/* Flips: of images and masks along a dimension, of boxes and keypoints at the middle of their canvas. */
#include "constructors/transforms.h"
#include "constructors/transforms_functional.h"
#include "transforms/boxes.h"
#include "transforms/geometry.h"
#include "transforms/transform.h"

static const double PI = 3.141592653589793;

/* size - x, in the order of operations that Python has. */
static void mirror(struct calculation *c, ctorch_tensor *x, int64_t size) {
  calc_sub_number_(c, x, whole(size));
  calc_neg_(c, x);
}

static const ctorch_tensor *flip_keypoints(
    struct calculation *c, const ctorch_tensor *keypoints, const struct tv_tensor *mark, bool is_vertical) {
  ctorch_tensor *points = calc_rows(c, calc_clone(c, keypoints), 2);
  mirror(c, calc_column(c, points, is_vertical ? 1 : 0), mark->canvas_size[is_vertical ? 0 : 1] - 1);
  return calc_reshape_as(c, points, keypoints);
}

/* Two columns change places, mirrored. */
static void swap_mirrored(struct calculation *c, ctorch_tensor *boxes, int64_t first, int64_t second, int64_t size) {
  ctorch_tensor *a = calc_clone(c, calc_column(c, boxes, first)), *b = calc_clone(c, calc_column(c, boxes, second));
  mirror(c, a, size);
  mirror(c, b, size);
  calc_copy_(c, calc_column(c, boxes, second), a);
  calc_copy_(c, calc_column(c, boxes, first), b);
}

/* The corner (x, y) that a box is turned around becomes another one, and the angle turns the other way. */
static void flip_turned_corner(struct calculation *c, ctorch_tensor *boxes, int64_t size, bool is_vertical) {
  ctorch_tensor *x = calc_column(c, boxes, 0), *y = calc_column(c, boxes, 1), *width = calc_column(c, boxes, 2);
  ctorch_tensor *angle = calc_mul_number(c, calc_column(c, boxes, 4), floating(PI));
  angle = calc_div_number(c, angle, whole(180));
  if (is_vertical) {
    calc_sub_(c, y, calc_mul(c, width, calc_sin(c, angle)));
    mirror(c, y, size);
    calc_add_(c, x, calc_mul(c, width, calc_cos(c, angle)));
  } else {
    calc_add_(c, x, calc_mul(c, width, calc_cos(c, angle)));
    mirror(c, x, size);
    calc_sub_(c, y, calc_mul(c, width, calc_sin(c, angle)));
  }
}

static void flip_angle(struct calculation *c, ctorch_tensor *boxes, bool is_vertical) {
  ctorch_tensor *angle = calc_column(c, boxes, 4);
  calc_neg_(c, angle);
  if (is_vertical) {
    calc_add_number_(c, angle, whole(180));
  }
}

static const ctorch_tensor *flip_boxes(
    struct calculation *c, const ctorch_tensor *input, const struct tv_tensor *mark, bool is_vertical) {
  static const int64_t order[] = {2, 3, 0, 1, 6, 7, 4, 5};
  int64_t size = mark->canvas_size[is_vertical ? 0 : 1], at = is_vertical ? 1 : 0;
  ctorch_tensor *boxes = calc_rows(c, calc_clone(c, input), box_format_len(mark->format));
  switch (mark->format) {
    case BOX_XYXY:
      swap_mirrored(c, boxes, at, at + 2, size);
      break;
    case BOX_XYWH: {
      ctorch_tensor *corner = calc_column(c, boxes, at);
      calc_add_(c, corner, calc_column(c, boxes, at + 2));
      mirror(c, corner, size);
      break;
    }
    case BOX_CXCYWH:
      mirror(c, calc_column(c, boxes, at), size);
      break;
    case BOX_XYXYXYXY:
      mirror(c, calc_columns(c, boxes, at, INT64_MAX, 2), size);
      boxes = calc_pick(c, boxes, order, 8);
      break;
    case BOX_XYWHR:
      flip_turned_corner(c, boxes, size, is_vertical);
      flip_angle(c, boxes, is_vertical);
      break;
    case BOX_CXCYWHR:
      mirror(c, calc_column(c, boxes, at), size);
      flip_angle(c, boxes, is_vertical);
      break;
  }
  return calc_reshape_as(c, boxes, input);
}

static const ctorch_tensor *flip_image(struct calculation *c, const ctorch_tensor *image, bool is_vertical) {
  ctorch_tensor *flipped = NULL;
  calc_fail_with(c, ctorch_aten_flip(&flipped, image, (const int64_t[]){is_vertical ? -2 : -1}, 1));
  return flipped;
}

ctorch_error *vision_flip(const char *function, ctorch_tensor **out, const ctorch_tensor *input, bool is_vertical) {
  const struct tv_tensor *mark = tv_tensor_of(input);
  const ctorch_tensor *flipped = NULL;
  struct calculation c;
  calculation_begin(&c, function);
  switch (ctorch_tv_tensor_kind_of(input)) {
    case CTORCH_TV_TENSOR_BOUNDING_BOXES:
      flipped = flip_boxes(&c, input, mark, is_vertical);
      break;
    case CTORCH_TV_TENSOR_KEY_POINTS:
      flipped = flip_keypoints(&c, input, mark, is_vertical);
      break;
    default:
      flipped = flip_image(&c, input, is_vertical);
      break;
  }
  return tv_tensor_end(&c, out, flipped, mark);
}

ctorch_error *transforms_functional_horizontal_flip(
    const char *function, ctorch_tensor **out, const struct transforms_functional_horizontal_flip_options *options) {
  return vision_flip(function, out, options->inpt, false);
}

ctorch_error *transforms_functional_vertical_flip(
    const char *function, ctorch_tensor **out, const struct transforms_functional_vertical_flip_options *options) {
  return vision_flip(function, out, options->inpt, true);
}

/* The transforms. */

static ctorch_error *flip_horizontally(
    const ctorch_transform *self,
    struct transform_call *call,
    ctorch_tensor **out,
    const ctorch_tensor *input,
    const void *drawn) {
  (void)self;
  (void)drawn;
  return vision_flip(call->function, out, input, false);
}

static ctorch_error *flip_vertically(
    const ctorch_transform *self,
    struct transform_call *call,
    ctorch_tensor **out,
    const ctorch_tensor *input,
    const void *drawn) {
  (void)self;
  (void)drawn;
  return vision_flip(call->function, out, input, true);
}

static void extra_repr(const ctorch_transform *self, struct text *text) { transform_repr_double(text, "p", self->p); }

static const transform_class horizontal_class = {
    .object = TRANSFORM_OBJECT(ctorch_transform),
    .name = "RandomHorizontalFlip",
    .is_random = true,
    .apply = flip_horizontally,
    .extra_repr = extra_repr,
};
static const transform_class vertical_class = {
    .object = TRANSFORM_OBJECT(ctorch_transform),
    .name = "RandomVerticalFlip",
    .is_random = true,
    .apply = flip_vertically,
    .extra_repr = extra_repr,
};

static ctorch_error *give(const char *function, ctorch_transform **out, const transform_class *class, double p) {
  ctorch_transform *self = transform_new(class);
  if (self != NULL) {
    self->p = p;
  }
  return transform_give(function, out, self, NULL);
}

ctorch_error *transforms_RandomHorizontalFlip(
    const char *function, ctorch_transform **out, const struct transforms_RandomHorizontalFlip_options *options) {
  return give(function, out, &horizontal_class, options->p);
}

ctorch_error *transforms_RandomVerticalFlip(
    const char *function, ctorch_transform **out, const struct transforms_RandomVerticalFlip_options *options) {
  return give(function, out, &vertical_class, options->p);
}
