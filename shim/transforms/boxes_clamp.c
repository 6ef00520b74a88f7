/* Boxes and keypoints kept inside their canvas.
 *
 * A rotated box that reaches out at the left is cut there: its lines keep their slopes, and those that end at its
 * leftmost corner move until that corner is inside. That is done for each side in its turn, with the canvas turned by
 * 90 degrees in between. "soft" keeps what is inside of the box, "hard" the largest box that is inside of the
 * canvas. */
#include "constructors/transforms.h"
#include "constructors/transforms_functional.h"
#include "core/c/error.h"
#include "transforms/boxes.h"
#include "transforms/element_type.h"
#include "transforms/transform.h"

/* The four lines of boxes, by slope and intercept; columns of each. */
struct lines {
  ctorch_tensor *slopes, *intercepts;
};

static ctorch_tensor *call_diff(
    struct calculation *c, const ctorch_tensor *x, const ctorch_tensor *prepend, const ctorch_tensor *append) {
  ctorch_tensor *made = NULL;
  if (calc_goes_on(c, x, prepend != NULL ? prepend : append)) {
    calc_fail_with(c, ctorch_aten_diff(&made, x, 1, -1, prepend, append));
  }
  return made;
}

static ctorch_tensor *is_close(struct calculation *c, const ctorch_tensor *a, const ctorch_tensor *b) {
  ctorch_tensor *made = NULL;
  if (calc_goes_on(c, a, b)) {
    calc_fail_with(c, ctorch_aten_isclose(&made, a, b, 1e-5, 1e-8, false));
  }
  return made;
}

/* x between tensors, either of which may be NULL; also in place. */
static ctorch_tensor *between(
    struct calculation *c, const ctorch_tensor *x, const ctorch_tensor *low, const ctorch_tensor *high) {
  ctorch_tensor *made = NULL;
  if (calc_goes_on(c, x, low != NULL ? low : high)) {
    calc_fail_with(c, ctorch_aten_clamp_Tensor(&made, x, low, high));
  }
  return made;
}

static void between_(struct calculation *c, ctorch_tensor *x, const ctorch_tensor *low, const ctorch_tensor *high) {
  if (calc_goes_on(c, low, high) && x != NULL) {
    calc_fail_with(c, ctorch_aten_clamp__Tensor(x, low, high));
  }
}

static ctorch_tensor *negated(struct calculation *c, const ctorch_tensor *x) {
  ctorch_tensor *made = NULL;
  if (calc_goes_on(c, x, x)) {
    calc_fail_with(c, ctorch_aten_neg(&made, x));
  }
  return made;
}

static ctorch_tensor *evens(struct calculation *c, const ctorch_tensor *x) {
  return calc_columns(c, x, 0, INT64_MAX, 2);
}
static ctorch_tensor *odds(struct calculation *c, const ctorch_tensor *x) {
  return calc_columns(c, x, 1, INT64_MAX, 2);
}

static struct lines lines_of(struct calculation *c, const ctorch_tensor *boxes) {
  ctorch_tensor *x = evens(c, boxes), *y = odds(c, boxes);
  ctorch_tensor *rise = call_diff(c, y, NULL, calc_columns(c, y, 0, 1, 1));
  ctorch_tensor *run = call_diff(c, x, NULL, calc_columns(c, x, 0, 1, 1));
  ctorch_tensor *slopes = calc_div(c, rise, run);
  return (struct lines){slopes, calc_sub(c, y, calc_mul(c, slopes, x))};
}

/* Corners where each line meets the one before. */
static ctorch_tensor *meetings(struct calculation *c, const struct lines *lines) {
  const ctorch_tensor *a = lines->slopes, *b = lines->intercepts;
  ctorch_tensor *x = calc_div(
      c, negated(c, call_diff(c, b, calc_columns(c, b, 3, 4, 1), NULL)),
      call_diff(c, a, calc_columns(c, a, 3, 4, 1), NULL));
  ctorch_tensor *y = calc_add(c, calc_mul(c, a, x), b);
  return calc_rows(c, calc_cat(c, calc_unsqueeze(c, x, -1), calc_unsqueeze(c, y, -1), -1), 8);
}

/* The largest or smallest of four. */
static ctorch_tensor *extreme(
    struct calculation *c,
    const ctorch_tensor *p,
    const ctorch_tensor *q,
    const ctorch_tensor *r,
    const ctorch_tensor *s,
    bool is_largest) {
  ctorch_tensor *values = NULL, *indices = NULL;
  ctorch_tensor *all = calc_stack(c, (const ctorch_tensor *const[]){p, q, r, s}, 4, 1);
  if (calc_goes_on(c, all, all)) {
    calc_fail_with(
        c, is_largest ? ctorch_aten_max_dim(&values, &indices, all, 1, false)
                      : ctorch_aten_min_dim(&values, &indices, all, 1, false));
  }
  return values;
}

/* a * b / divisor. */
static ctorch_tensor *ratio(
    struct calculation *c, const ctorch_tensor *a, const ctorch_tensor *b, const ctorch_tensor *divisor) {
  return calc_div(c, calc_mul(c, a, b), divisor);
}

/* (a - b) * width + offset: where a line is at the right end. */
static ctorch_tensor *at_right(
    struct calculation *c, const ctorch_tensor *a, const ctorch_tensor *b, int64_t width, const ctorch_tensor *offset) {
  return calc_add(c, calc_mul_number(c, calc_sub(c, a, b), whole(width)), offset);
}

/* height * (1 - a / b) + offset * a / b: where a line is at the bottom. */
static ctorch_tensor *at_bottom(
    struct calculation *c,
    const ctorch_tensor *a,
    const ctorch_tensor *b,
    int64_t height,
    const ctorch_tensor *offset) {
  ctorch_tensor *share = calc_number_sub(c, whole(1), calc_div(c, a, b));
  return calc_add(c, calc_mul_number(c, share, whole(height)), ratio(c, offset, a, b));
}

static ctorch_tensor *within_height(struct calculation *c, ctorch_tensor *x, int64_t height) {
  ctorch_tensor *made = NULL;
  const ctorch_scalar low = whole(0), high = whole(height);
  if (calc_goes_on(c, x, x)) {
    calc_fail_with(c, ctorch_aten_clamp(&made, x, &low, &high));
  }
  return made;
}

/* The intercepts that let the first corner lie inside. */
static ctorch_tensor *move_lines(
    struct calculation *c,
    const struct lines *lines,
    const struct lines *original,
    const int64_t canvas_size[2],
    enum clamping_mode mode) {
  ctorch_tensor *a[4], *b[4], *limit[4];
  for (int i = 0; i < 4; i++) {
    a[i] = calc_column(c, lines->slopes, i);
    b[i] = calc_column(c, lines->intercepts, i);
    limit[i] = calc_column(c, original->intercepts, i);
  }
  b[0] = within_height(c, between(c, b[1], b[0], b[2]), canvas_size[0]);
  b[3] = within_height(c, between(c, b[2], b[1], b[3]), canvas_size[0]);
  if (mode == CLAMPING_HARD) {
    b[0] = b[3] = calc_div_number(c, calc_add(c, b[0], b[3]), whole(2));
    ctorch_tensor *largest = extreme(
        c, ratio(c, b[0], a[1], a[0]), ratio(c, b[2], a[1], a[2]), at_right(c, a[0], a[1], canvas_size[1], b[0]),
        at_right(c, a[2], a[1], canvas_size[1], b[2]), true);
    b[1] = between(c, largest, NULL, b[1]);
    ctorch_tensor *smallest = extreme(
        c, at_bottom(c, a[2], a[3], canvas_size[0], b[3]), at_bottom(c, a[2], a[1], canvas_size[0], b[1]),
        at_right(c, a[1], a[2], canvas_size[1], b[1]), at_right(c, a[3], a[2], canvas_size[1], b[3]), false);
    b[2] = between(c, smallest, b[2], NULL);
  }
  between_(c, b[0], limit[0], limit[2]);
  between_(c, b[2], limit[0], limit[2]);
  between_(c, b[1], limit[1], limit[3]);
  between_(c, b[3], limit[1], limit[3]);
  return calc_stack(c, (const ctorch_tensor *const *)b, 4, -1);
}

/* condition.unsqueeze(1) ? a : b, for whole boxes. */
static ctorch_tensor *choose(
    struct calculation *c, const ctorch_tensor *condition, const ctorch_tensor *a, const ctorch_tensor *b) {
  return calc_where(c, calc_unsqueeze(c, condition, 1), a, b);
}

static ctorch_tensor *has_no_nan(struct calculation *c, const ctorch_tensor *boxes) {
  ctorch_tensor *nan = NULL, *any = NULL, *none = NULL;
  if (calc_goes_on(c, boxes, boxes)) {
    calc_fail_with(c, ctorch_aten_isnan(&nan, boxes));
  }
  if (calc_goes_on(c, nan, nan)) {
    calc_fail_with(c, ctorch_aten_any_dim(&any, nan, -1, false));
  }
  if (calc_goes_on(c, any, any)) {
    calc_fail_with(c, ctorch_aten_bitwise_not(&none, any));
  }
  return none;
}

/* Boxes (N, 8) cut at the left side. */
static ctorch_tensor *cut_left(
    struct calculation *c,
    ctorch_tensor *boxes,
    const ctorch_tensor *original,
    const int64_t canvas_size[2],
    enum clamping_mode mode) {
  static const ctorch_scalar zero = {.kind = CTORCH_SCALAR_INT, .i = 0};
  struct lines lines = lines_of(c, boxes), limits = lines_of(c, original);
  struct lines moved = {lines.slopes, move_lines(c, &lines, &limits, canvas_size, mode)};
  ctorch_tensor *cut = meetings(c, &moved), *flat = calc_clone(c, boxes), *nothing = NULL;
  for (int64_t column = 0; column < 8; column += 6) { /* of a box that is upright: x of the first and last corner */
    ctorch_tensor *x = calc_column(c, flat, column);
    if (calc_goes_on(c, x, x)) {
      calc_fail_with(c, ctorch_aten_clamp_(x, &zero, NULL));
    }
  }
  if (calc_goes_on(c, flat, flat)) {
    calc_fail_with(c, ctorch_aten_zeros_like(&nothing, flat, NULL, NULL, NULL, NULL, NULL));
  }
  ctorch_tensor *x[4], *y[4];
  for (int64_t i = 0; i < 4; i++) {
    x[i] = calc_column(c, boxes, 2 * i);
    y[i] = calc_column(c, boxes, 2 * i + 1);
  }
  ctorch_tensor *reaches_out = calc_and(c, calc_less(c, x[0], whole(0)), has_no_nan(c, cut));
  ctorch_tensor *is_upright = calc_or(c, is_close(c, y[0], y[1]), is_close(c, y[2], y[3]));
  ctorch_tensor *is_outside = calc_less_equal(c, x[0], whole(0));
  for (int i = 1; i < 4; i++) {
    is_outside = calc_and(c, is_outside, calc_less_equal(c, x[i], whole(0)));
  }
  ctorch_tensor *is_gone = calc_or(c, is_outside, is_close(c, y[0], y[3]));
  is_gone = calc_or(c, is_gone, is_close(c, y[1], y[2]));
  is_gone = calc_or(c, is_gone, calc_and(c, is_upright, is_close(c, x[0], x[1])));
  boxes = choose(c, reaches_out, cut, boxes);
  boxes = choose(c, is_upright, flat, boxes);
  return choose(c, is_gone, nothing, boxes);
}

/* Columns of boxes, so that the leftmost corner comes first. */
static ctorch_tensor *order_of(struct calculation *c, const ctorch_tensor *boxes) {
  ctorch_tensor *x = evens(c, boxes), *y = odds(c, boxes), *largest_x = NULL, *largest_y = NULL, *index = NULL;
  ctorch_tensor *x_size = calc_abs(c, x), *y_size = calc_abs(c, y), *unused = NULL, *order = NULL;
  if (calc_goes_on(c, x_size, y_size)) {
    calc_fail_with(c, ctorch_aten_max_dim(&largest_y, &unused, y_size, 1, true));
    calc_fail_with(c, ctorch_aten_max_dim(&largest_x, &unused, x_size, 1, true));
  }
  ctorch_tensor *rank = calc_mul_number(c, calc_div(c, x, largest_x), whole(100));
  rank = calc_add(c, calc_div(c, y, largest_y), rank);
  if (calc_goes_on(c, rank, rank)) {
    calc_fail_with(c, ctorch_aten_min_dim(&unused, &index, rank, 1, false));
    calc_fail_with(c, ctorch_aten_ones_like(&order, boxes, NULL, NULL, NULL, NULL, NULL));
  }
  calc_copy_(c, calc_column(c, order, 0), calc_mul_number(c, index, whole(2)));
  if (calc_goes_on(c, order, order)) {
    const ctorch_scalar columns = whole(8);
    calc_fail_with(c, ctorch_aten_cumsum_(order, 1, NULL));
    calc_fail_with(c, ctorch_aten_remainder__Scalar(order, &columns));
  }
  return calc_to(c, order, CTORCH_DTYPE_INT64);
}

static ctorch_tensor *reorder(struct calculation *c, const ctorch_tensor *boxes, const ctorch_tensor *order) {
  ctorch_tensor *made = NULL;
  if (calc_goes_on(c, boxes, order)) {
    calc_fail_with(c, ctorch_aten_gather(&made, boxes, 1, order, false));
  }
  return made;
}

/* Boxes turned by 90 degrees counter-clockwise, with their canvas. */
static void turn(struct calculation *c, ctorch_tensor *boxes, int64_t width) {
  ctorch_tensor *x = calc_clone(c, evens(c, boxes)), *y = calc_clone(c, odds(c, boxes));
  calc_copy_(c, evens(c, boxes), y);
  calc_copy_(c, odds(c, boxes), calc_number_sub(c, whole(width), x));
}

const ctorch_tensor *boxes_clamp_rotated(
    struct calculation *c, const ctorch_tensor *boxes, enum box_format format, const struct tv_tensor *mark) {
  if (mark->clamping == CLAMPING_NONE) {
    return calc_clone(c, boxes);
  }
  int64_t canvas_size[2] = {mark->canvas_size[0], mark->canvas_size[1]};
  ctorch_tensor *corners = (ctorch_tensor *)boxes_convert(c, calc_clone(c, boxes), format, BOX_XYXYXYXY, true);
  corners = calc_rows(c, corners, 8);
  ctorch_tensor *original = calc_clone(c, corners);
  for (int side = 0; side < 4; side++) {
    ctorch_tensor *order = order_of(c, corners);
    corners = reorder(c, corners, order);
    original = reorder(c, original, order);
    corners = cut_left(c, corners, original, canvas_size, mark->clamping);
    corners = reorder(c, corners, order);
    original = reorder(c, original, order);
    turn(c, corners, canvas_size[1]);
    turn(c, original, canvas_size[1]);
    int64_t height = canvas_size[0];
    canvas_size[0] = canvas_size[1];
    canvas_size[1] = height;
  }
  return calc_reshape_as(c, boxes_convert(c, corners, BOX_XYXYXYXY, format, true), boxes);
}

/* Other boxes. */

static const ctorch_tensor *clamp_upright(
    struct calculation *c, const ctorch_tensor *boxes, enum box_format format, const struct tv_tensor *mark) {
  if (!calc_goes_on(c, boxes, boxes)) {
    return NULL;
  }
  if (mark->clamping == CLAMPING_NONE) {
    return calc_clone(c, boxes);
  }
  ctorch_dtype dtype = ctorch_tensor_dtype(boxes);
  ctorch_tensor *own = dtype_is_floating_point(dtype) ? calc_clone(c, boxes) : calc_to(c, boxes, CTORCH_DTYPE_FLOAT32);
  const ctorch_tensor *corners = boxes_convert(c, own, format, BOX_XYXY, true);
  calc_clamp_(c, evens(c, corners), whole(0), whole(mark->canvas_size[1]));
  calc_clamp_(c, odds(c, corners), whole(0), whole(mark->canvas_size[0]));
  return calc_to(c, boxes_convert(c, corners, BOX_XYXY, format, true), dtype);
}

const ctorch_tensor *boxes_clamp_as(
    struct calculation *c, const ctorch_tensor *boxes, enum box_format format, const struct tv_tensor *mark) {
  return box_format_is_rotated(format) ? boxes_clamp_rotated(c, boxes, format, mark)
                                       : clamp_upright(c, boxes, format, mark);
}

const ctorch_tensor *boxes_clamp(struct calculation *c, const ctorch_tensor *boxes, const struct tv_tensor *mark) {
  return boxes_clamp_as(c, boxes, mark->format, mark);
}

const ctorch_tensor *keypoints_clamp(
    struct calculation *c, const ctorch_tensor *keypoints, const int64_t canvas_size[2]) {
  ctorch_dtype dtype = ctorch_tensor_dtype(keypoints);
  ctorch_tensor *own =
      dtype_is_floating_point(dtype) ? calc_clone(c, keypoints) : calc_to(c, keypoints, CTORCH_DTYPE_FLOAT32);
  calc_clamp_(c, calc_column(c, own, 0), whole(0), whole(canvas_size[1] - 1));
  calc_clamp_(c, calc_column(c, own, 1), whole(0), whole(canvas_size[0] - 1));
  return calc_to(c, own, dtype);
}
