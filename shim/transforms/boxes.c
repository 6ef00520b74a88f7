/* Formats of bounding boxes: the numbers of one from those of another, in Python's order of operations. */
#include "transforms/boxes.h"

#include "constructors/transforms.h"
#include "constructors/transforms_functional.h"
#include "core/c/error.h"
#include "transforms/element_type.h"
#include "transforms/transform.h"

static const double PI = 3.141592653589793;

/* x[..., :2] and x[..., 2:]. */
static ctorch_tensor *first_two(struct calculation *c, const ctorch_tensor *x) { return calc_columns(c, x, 0, 2, 1); }
static ctorch_tensor *the_rest(struct calculation *c, const ctorch_tensor *x) {
  return calc_columns(c, x, 2, INT64_MAX, 1);
}

static bool is_integer(const ctorch_tensor *x) { return !tensor_is_floating_point(x); }

/* x / 2, of ints rounded down. */
static ctorch_tensor *halves(struct calculation *c, const ctorch_tensor *x) {
  static const ctorch_scalar two = {.kind = CTORCH_SCALAR_INT, .i = 2};
  ctorch_tensor *made = NULL;
  if (calc_goes_on(c, x, x)) {
    calc_fail_with(c, ctorch_aten_div_Scalar_mode(&made, x, &two, is_integer(x) ? "floor" : NULL));
  }
  return made;
}

static void halve_(struct calculation *c, ctorch_tensor *x) {
  static const ctorch_scalar two = {.kind = CTORCH_SCALAR_INT, .i = 2};
  if (calc_goes_on(c, x, x)) {
    calc_fail_with(c, ctorch_aten_div__Scalar_mode(x, &two, is_integer(x) ? "floor" : NULL));
  }
}

/* Conversions, which change the boxes or make others. */

static ctorch_tensor *xywh_to_xyxy(struct calculation *c, ctorch_tensor *boxes) {
  calc_add_(c, the_rest(c, boxes), first_two(c, boxes));
  return boxes;
}

static ctorch_tensor *xyxy_to_xywh(struct calculation *c, ctorch_tensor *boxes) {
  calc_sub_(c, the_rest(c, boxes), first_two(c, boxes));
  return boxes;
}

static ctorch_tensor *xywh_to_cxcywh(struct calculation *c, ctorch_tensor *boxes) {
  calc_add_(c, first_two(c, boxes), halves(c, the_rest(c, boxes)));
  return boxes;
}

static ctorch_tensor *xyxy_to_cxcywh(struct calculation *c, ctorch_tensor *boxes) {
  ctorch_tensor *corner = first_two(c, boxes), *other = the_rest(c, boxes);
  calc_sub_(c, other, corner);
  calc_mul_number_(c, corner, whole(2));
  calc_add_(c, corner, other);
  halve_(c, corner);
  return boxes;
}

/* From the middle: ints are computed as float32, and cut off at the end. */
static ctorch_tensor *from_middle(struct calculation *c, ctorch_tensor *boxes, bool to_corners) {
  if (!calc_goes_on(c, boxes, boxes)) {
    return NULL;
  }
  ctorch_dtype dtype = ctorch_tensor_dtype(boxes);
  bool is_cast = is_integer(boxes);
  ctorch_tensor *numbers = is_cast ? calc_to(c, boxes, CTORCH_DTYPE_FLOAT32) : boxes;
  ctorch_tensor *corner = first_two(c, numbers), *sides = the_rest(c, numbers);
  calc_sub_(c, corner, calc_div_number(c, sides, whole(2)));
  if (to_corners) {
    calc_add_(c, sides, corner);
  }
  if (!is_cast) {
    return numbers;
  }
  ctorch_tensor *cut = calc_to(c, numbers, dtype);
  if (!to_corners) { /* the other corner is cut off too */
    ctorch_tensor *opposite = calc_to(c, calc_add(c, corner, sides), dtype);
    calc_copy_(c, the_rest(c, cut), calc_sub(c, opposite, first_two(c, cut)));
  }
  calc_copy_(c, boxes, cut);
  return boxes;
}

struct angle {
  ctorch_tensor *cos, *sin;
};

static struct angle angle_of(struct calculation *c, const ctorch_tensor *boxes) {
  ctorch_tensor *radians = calc_mul_number(c, calc_column(c, boxes, 4), floating(PI));
  radians = calc_div_number(c, radians, floating(180));
  return (struct angle){calc_cos(c, radians), calc_sin(c, radians)};
}

/* Half of the width or height. */
static ctorch_tensor *half_side(struct calculation *c, const ctorch_tensor *boxes, int64_t column) {
  return calc_abs(c, calc_div_number(c, calc_column(c, boxes, column), whole(-2)));
}

/* From the middle to the first corner, or back. */
static ctorch_tensor *move_turned(struct calculation *c, ctorch_tensor *boxes, bool to_corner) {
  struct angle angle = angle_of(c, boxes);
  ctorch_tensor *width = half_side(c, boxes, 2), *height = half_side(c, boxes, 3);
  ctorch_tensor *x = calc_column(c, boxes, 0), *y = calc_column(c, boxes, 1);
  if (to_corner) {
    calc_sub_(c, x, calc_mul(c, width, angle.cos));
    calc_sub_(c, x, calc_mul(c, height, angle.sin));
    calc_add_(c, y, calc_mul(c, width, angle.sin));
    calc_sub_(c, y, calc_mul(c, height, angle.cos));
  } else {
    calc_add_(c, x, calc_mul(c, width, angle.cos));
    calc_add_(c, x, calc_mul(c, height, angle.sin));
    calc_sub_(c, y, calc_mul(c, width, angle.sin));
    calc_add_(c, y, calc_mul(c, height, angle.cos));
  }
  return boxes;
}

static ctorch_tensor *xywhr_to_corners(struct calculation *c, ctorch_tensor *boxes) {
  struct angle angle = angle_of(c, boxes);
  ctorch_tensor *width = calc_column(c, boxes, 2), *height = calc_column(c, boxes, 3), *first = first_two(c, boxes);
  ctorch_tensor *corners = NULL;
  if (calc_goes_on(c, first, first)) {
    calc_fail_with(c, ctorch_aten_tile(&corners, first, (const int64_t[]){1, 4}, 2));
  }
  ctorch_tensor *width_cos = calc_mul(c, width, angle.cos), *width_sin = calc_mul(c, width, angle.sin);
  ctorch_tensor *height_cos = calc_mul(c, height, angle.cos), *height_sin = calc_mul(c, height, angle.sin);
  calc_add_(c, calc_column(c, corners, 2), width_cos);
  calc_sub_(c, calc_column(c, corners, 3), width_sin);
  calc_add_(c, calc_column(c, corners, 4), calc_add(c, width_cos, height_sin));
  calc_sub_(c, calc_column(c, corners, 5), calc_sub(c, width_sin, height_cos));
  calc_add_(c, calc_column(c, corners, 6), height_sin);
  calc_add_(c, calc_column(c, corners, 7), height_cos);
  return corners;
}

/* sqrt(x ** 2 + y ** 2). */
static ctorch_tensor *length(struct calculation *c, const ctorch_tensor *x, const ctorch_tensor *y) {
  return calc_sqrt(c, calc_add(c, calc_square(c, x), calc_square(c, y)));
}

/* float32 for what is computed in it. */
static bool is_narrow(ctorch_dtype dtype) { return dtype != CTORCH_DTYPE_FLOAT32 && dtype != CTORCH_DTYPE_FLOAT64; }

static ctorch_tensor *corners_to_xywhr(struct calculation *c, ctorch_tensor *boxes) {
  if (!calc_goes_on(c, boxes, boxes)) {
    return NULL;
  }
  ctorch_dtype dtype = ctorch_tensor_dtype(boxes);
  ctorch_tensor *x = is_narrow(dtype) ? calc_to(c, boxes, CTORCH_DTYPE_FLOAT32) : boxes;
  ctorch_tensor *rise = calc_sub(c, calc_column(c, x, 1), calc_column(c, x, 3));
  ctorch_tensor *run = calc_sub(c, calc_column(c, x, 2), calc_column(c, x, 0));
  ctorch_tensor *angle = calc_atan2(c, rise, run);
  calc_sub_(c, calc_columns(c, x, 4, 6, 1), calc_columns(c, x, 2, 4, 1));
  calc_sub_(c, calc_columns(c, x, 2, 4, 1), first_two(c, x));
  ctorch_tensor *width = length(c, calc_column(c, x, 2), calc_column(c, x, 3));
  calc_copy_(c, calc_column(c, x, 2), width);
  ctorch_tensor *height = length(c, calc_column(c, x, 4), calc_column(c, x, 5));
  calc_copy_(c, calc_column(c, x, 3), height);
  calc_div_number_(c, angle, floating(PI));
  calc_mul_number_(c, angle, floating(180));
  calc_copy_(c, calc_column(c, x, 4), angle);
  x = is_narrow(dtype) ? calc_to(c, x, dtype) : x;
  return calc_columns(c, x, 0, 5, 1);
}

static ctorch_tensor *to_common(struct calculation *c, ctorch_tensor *boxes, enum box_format format) {
  switch (format) {
    case BOX_XYWH:
      return xywh_to_xyxy(c, boxes);
    case BOX_CXCYWH:
      return from_middle(c, boxes, true);
    case BOX_CXCYWHR:
      return move_turned(c, boxes, true);
    case BOX_XYXYXYXY:
      return corners_to_xywhr(c, boxes);
    default:
      return boxes; /* XYXY, and XYWHR for rotated boxes */
  }
}

static ctorch_tensor *from_common(struct calculation *c, ctorch_tensor *boxes, enum box_format format) {
  switch (format) {
    case BOX_XYWH:
      return xyxy_to_xywh(c, boxes);
    case BOX_CXCYWH:
      return xyxy_to_cxcywh(c, boxes);
    case BOX_CXCYWHR:
      return move_turned(c, boxes, false);
    case BOX_XYXYXYXY:
      return xywhr_to_corners(c, boxes);
    default:
      return boxes;
  }
}

const ctorch_tensor *boxes_convert(
    struct calculation *c,
    const ctorch_tensor *boxes,
    enum box_format old_format,
    enum box_format new_format,
    bool in_place) {
  if (old_format == new_format || !calc_goes_on(c, boxes, boxes)) {
    return boxes;
  }
  if (box_format_is_rotated(old_format) != box_format_is_rotated(new_format)) {
    calc_fail(c, CTORCH_ERROR_VALUE, "Cannot convert between rotated and unrotated bounding boxes.");
    return NULL;
  }
  ctorch_tensor *own = in_place ? (ctorch_tensor *)boxes : calc_clone(c, boxes);
  if (old_format == BOX_XYWH && new_format == BOX_CXCYWH) {
    return xywh_to_cxcywh(c, own);
  }
  if (old_format == BOX_CXCYWH && new_format == BOX_XYWH) {
    return from_middle(c, own, false);
  }
  return from_common(c, to_common(c, own, old_format), new_format);
}

/* Corners. */

const ctorch_tensor *boxes_corners(struct calculation *c, const ctorch_tensor *boxes) {
  static const int64_t order[] = {0, 1, 2, 1, 2, 3, 0, 3};
  return calc_rows(c, calc_pick(c, boxes, order, 8), 2);
}

const ctorch_tensor *boxes_around(struct calculation *c, const ctorch_tensor *corners) {
  ctorch_tensor *min = NULL, *max = NULL;
  calc_aminmax(c, calc_reshape(c, corners, (const int64_t[]){-1, 4, 2}, 3), 1, &min, &max);
  return calc_cat(c, min, max, 1);
}

/* torch.where(condition, x, y) of numbers. */
static ctorch_tensor *where_numbers(struct calculation *c, const ctorch_tensor *condition, int64_t x, int64_t y) {
  ctorch_scalar numbers[] = {whole(x), whole(y)};
  ctorch_tensor *made = NULL;
  if (calc_goes_on(c, condition, condition)) {
    calc_fail_with(c, ctorch_aten_where_Scalar(&made, condition, &numbers[0], &numbers[1]));
  }
  return made;
}

static ctorch_tensor *is_less(struct calculation *c, const ctorch_tensor *a, const ctorch_tensor *b) {
  ctorch_tensor *made = NULL;
  if (calc_goes_on(c, a, b)) {
    calc_fail_with(c, ctorch_aten_lt_Tensor(&made, a, b));
  }
  return made;
}

/* center + x * cos + y * sin, where the signs say which are subtracted. */
static ctorch_tensor *corner(
    struct calculation *c,
    const ctorch_tensor *center,
    const ctorch_tensor *first,
    bool adds_first,
    const ctorch_tensor *second,
    bool adds_second) {
  ctorch_tensor *moved = adds_first ? calc_add(c, center, first) : calc_sub(c, center, first);
  return adds_second ? calc_add(c, moved, second) : calc_sub(c, moved, second);
}

const ctorch_tensor *parallelograms_to_boxes(struct calculation *c, const ctorch_tensor *corners) {
  if (!calc_goes_on(c, corners, corners)) {
    return NULL;
  }
  ctorch_dtype dtype = ctorch_tensor_dtype(corners);
  const ctorch_tensor *all = is_narrow(dtype) ? calc_to(c, corners, CTORCH_DTYPE_FLOAT32) : corners;
  ctorch_tensor *x1 = calc_column(c, all, 0), *y1 = calc_column(c, all, 1);
  ctorch_tensor *x2 = calc_column(c, all, 2), *y2 = calc_column(c, all, 3);
  ctorch_tensor *x3 = calc_column(c, all, 4), *y3 = calc_column(c, all, 5);
  ctorch_tensor *x4 = calc_column(c, all, 6), *y4 = calc_column(c, all, 7);
  ctorch_tensor *cx = calc_div_number(c, calc_add(c, x1, x3), whole(2));
  ctorch_tensor *cy = calc_div_number(c, calc_add(c, y1, y3), whole(2));

  ctorch_tensor *width = length(c, calc_sub(c, x2, x1), calc_sub(c, y2, y1));
  ctorch_tensor *height = length(c, calc_sub(c, x4, x1), calc_sub(c, y4, y1));
  ctorch_tensor *turn = calc_atan2(c, calc_sub(c, y1, y2), calc_sub(c, x2, x1));
  ctorch_tensor *other_turn = calc_atan2(c, calc_sub(c, y1, y4), calc_sub(c, x4, x1));
  ctorch_tensor *between = calc_sub(c, turn, other_turn);
  ctorch_tensor *sign = where_numbers(c, calc_greater(c, between, floating(PI / 2)), -1, 1);
  ctorch_tensor *cos = calc_cos(c, between), *sin = calc_sin(c, between);

  ctorch_tensor *is_narrower = is_less(c, width, height), *is_wider = is_less(c, height, width);
  ctorch_tensor *w = calc_where(
      c, is_narrower, calc_mul(c, width, sin), calc_add(c, width, calc_mul(c, calc_mul(c, height, cos), sign)));
  ctorch_tensor *h = calc_where(
      c, is_wider, calc_mul(c, height, sin), calc_add(c, height, calc_mul(c, calc_mul(c, width, cos), sign)));
  ctorch_tensor *angle = calc_where(c, is_narrower, calc_add_number(c, other_turn, floating(PI / 2)), turn);
  cos = calc_cos(c, angle);
  sin = calc_sin(c, angle);

  w = calc_div_number(c, w, whole(2));
  h = calc_div_number(c, h, whole(2));
  ctorch_tensor *w_cos = calc_mul(c, w, cos), *w_sin = calc_mul(c, w, sin);
  ctorch_tensor *h_cos = calc_mul(c, h, cos), *h_sin = calc_mul(c, h, sin);
  const ctorch_tensor *const made[] = {
      corner(c, cx, w_cos, false, h_sin, false), corner(c, cy, h_cos, false, w_sin, true),
      corner(c, cx, w_cos, true, h_sin, false),  corner(c, cy, h_cos, false, w_sin, false),
      corner(c, cx, w_cos, true, h_sin, true),   corner(c, cy, h_cos, true, w_sin, false),
      corner(c, cx, w_cos, false, h_sin, true),  corner(c, cy, h_cos, true, w_sin, true)};
  ctorch_tensor *boxes = calc_reshape_as(c, calc_stack(c, made, 8, -1), corners);
  return is_narrow(dtype) ? calc_to(c, boxes, dtype) : boxes;
}

/* The functional, and the transform. */

static ctorch_error *convert(
    const char *function, ctorch_tensor **out, const ctorch_tensor *input, enum box_format format, bool in_place) {
  struct tv_tensor mark = *tv_tensor_of(input);
  struct calculation c;
  calculation_begin(&c, function);
  const ctorch_tensor *converted = boxes_convert(&c, input, mark.format, format, in_place);
  mark.format = format;
  return tv_tensor_end(&c, out, converted, &mark);
}

static bool is_boxes(const ctorch_tensor *input) {
  return ctorch_tv_tensor_kind_of(input) == CTORCH_TV_TENSOR_BOUNDING_BOXES;
}

ctorch_error *transforms_functional_convert_bounding_box_format(
    const char *function,
    ctorch_tensor **out,
    const struct transforms_functional_convert_bounding_box_format_options *options) {
  enum box_format old_format = BOX_XYXY, new_format = BOX_XYXY;
  if (options->new_format == NULL) {
    return error_make(
        function, CTORCH_ERROR_TYPE, "convert_bounding_box_format() missing 1 required argument: 'new_format'");
  }
  CTORCH_TRY(box_format_read(function, &new_format, options->new_format));
  if (options->old_format != NULL) {
    CTORCH_TRY(box_format_read(function, &old_format, options->old_format));
  }
  if (is_boxes(options->inpt)) {
    return options->old_format == NULL ? convert(function, out, options->inpt, new_format, options->inplace)
                                       : error_make(
                                             function, CTORCH_ERROR_VALUE,
                                             "For bounding box tv_tensor inputs, `old_format` must not be passed.");
  }
  if (tv_tensor_of(options->inpt) != NULL) {
    return functional_refuses(function, options->inpt, TRANSFORM_PURE | TRANSFORM_BOUNDING_BOXES);
  }
  if (options->old_format == NULL) {
    return error_make(function, CTORCH_ERROR_VALUE, "For pure tensor inputs, `old_format` has to be passed.");
  }
  struct calculation c;
  calculation_begin(&c, function);
  const ctorch_tensor *converted = boxes_convert(&c, options->inpt, old_format, new_format, options->inplace);
  return tv_tensor_end(&c, out, converted, NULL);
}

struct conversion {
  ctorch_transform transform;
  enum box_format format;
};

static ctorch_error *apply(
    const ctorch_transform *self,
    struct transform_call *call,
    ctorch_tensor **out,
    const ctorch_tensor *input,
    const void *drawn) {
  (void)drawn;
  return convert(call->function, out, input, ((const struct conversion *)self)->format, false);
}

static void extra_repr(const ctorch_transform *self, struct text *text) {
  transform_repr_text(text, "format", box_format_name(((const struct conversion *)self)->format));
}

static const transform_class conversion_class = {
    .object = TRANSFORM_OBJECT(struct conversion),
    .name = "ConvertBoundingBoxFormat",
    .types = TRANSFORM_BOUNDING_BOXES,
    .apply = apply,
    .extra_repr = extra_repr,
};

ctorch_error *transforms_ConvertBoundingBoxFormat(
    const char *function, ctorch_transform **out, const struct transforms_ConvertBoundingBoxFormat_options *options) {
  enum box_format format = BOX_XYXY;
  CTORCH_TRY(box_format_read(function, &format, options->format));
  struct conversion *self = transform_new(&conversion_class);
  if (self == NULL) {
    return error_memory(function, sizeof *self);
  }
  self->format = format;
  return transform_give(function, out, &self->transform, NULL);
}
