/* Affine transforms: of images by a grid, of boxes and keypoints by a matrix. A rotation is one that may grow the
 * image, and where it can be done by moving pixels it is. */
#include <math.h>

#include "base/sequence.h"
#include "constructors/transforms_functional.h"
#include "core/c/error.h"
#include "transforms/boxes.h"
#include "transforms/element_type.h"
#include "transforms/geometry.h"
#include "transforms/transform.h"

static const double DEGREE = 3.141592653589793 / 180.0;

/* Two rows of three: where a point goes to, or with `is_inverse` where it comes from. */
struct matrix {
  double m[6];
};

static struct matrix matrix_of(const struct affine *affine, const double center[2], bool is_inverse) {
  double rot = affine->angle * DEGREE, sx = affine->shear[0] * DEGREE, sy = affine->shear[1] * DEGREE;
  double cx = center[0], cy = center[1], scale = affine->scale;
  double cx_plus_tx = cx + affine->translate[0], cy_plus_ty = cy + affine->translate[1];
  double cos_sy = cos(sy), tan_sx = tan(sx);
  double a = cos(rot - sy) / cos_sy;
  double b = -(a * tan_sx + sin(rot));
  double c = sin(rot - sy) / cos_sy;
  double d = cos(rot) - c * tan_sx;
  struct matrix matrix;
  double *m = matrix.m;
  if (is_inverse) {
    matrix = (struct matrix){{d / scale, -b / scale, 0, -c / scale, a / scale, 0}};
    m[2] += cx - m[0] * cx_plus_tx - m[1] * cy_plus_ty;
    m[5] += cy - m[3] * cx_plus_tx - m[4] * cy_plus_ty;
  } else {
    matrix = (struct matrix){{a * scale, b * scale, 0, c * scale, d * scale, 0}};
    m[2] += cx_plus_tx - m[0] * cx - m[1] * cy;
    m[5] += cy_plus_ty - m[3] * cx - m[4] * cy;
  }
  return matrix;
}

/* A tensor of these sizes with the numbers of a matrix. */
static ctorch_tensor *matrix_tensor(
    struct calculation *c, const struct matrix *matrix, ctorch_dtype dtype, const ctorch_tensor *like) {
  return calc_doubles(c, matrix->m, 6, dtype, like);
}

/* The matrix (3, 2) by which rows of points are multiplied. */
static ctorch_tensor *transposed(
    struct calculation *c, const struct matrix *matrix, ctorch_dtype dtype, const ctorch_tensor *like) {
  ctorch_tensor *rows = calc_reshape(c, matrix_tensor(c, matrix, dtype, like), (const int64_t[]){2, 3}, 2);
  return calc_transpose(c, rows, 0, 1);
}

/* Rounded as float32, to four digits, so that no error of rounding makes an image a pixel larger. */
static void round_outwards(struct calculation *c, ctorch_tensor *x, bool upwards) {
  calc_mul_number_(c, x, floating(1.0 / 1e-4));
  if (calc_goes_on(c, x, x)) {
    calc_fail_with(c, ctorch_aten_trunc_(x));
  }
  calc_mul_number_(c, x, floating(1e-4));
  if (calc_goes_on(c, x, x)) {
    calc_fail_with(c, upwards ? ctorch_aten_ceil_(x) : ctorch_aten_floor_(x));
  }
}

/* The size of an image that holds all of another, turned by a matrix around its middle. */
static struct size expanded(struct calculation *c, const struct matrix *matrix, struct size size) {
  static const ctorch_device cpu = {.type = CTORCH_DEVICE_TYPE_CPU, .index = -1};
  double x = 0.5 * (double)size.width, y = 0.5 * (double)size.height;
  const double corners[] = {-x, -y, 1, -x, y, 1, x, y, 1, x, -y, 1}, middle[] = {x, y};
  const ctorch_dtype dtype = CTORCH_DTYPE_FLOAT32;
  ctorch_tensor *like = NULL, *min = NULL, *max = NULL;
  float numbers[2] = {0};
  THEN(c->error, ctorch_aten_empty_memory_format(&like, NULL, 0, &dtype, NULL, &cpu, NULL, NULL));
  ctorch_tensor *points = calc_rows(c, calc_doubles(c, corners, 12, dtype, like), 3);
  calc_aminmax(c, calc_matmul(c, points, transposed(c, matrix, dtype, like)), 0, &min, &max);
  ctorch_tensor *halves = calc_doubles(c, middle, 2, dtype, like);
  calc_add_(c, min, halves);
  calc_add_(c, max, halves);
  round_outwards(c, max, true);
  round_outwards(c, min, false);
  calc_sub_(c, max, min);
  if (calc_goes_on(c, max, max)) {
    calc_fail_with(c, ctorch_tensor_copy_to_buffer(max, numbers, sizeof numbers, dtype));
  }
  if (!(fabsf(numbers[0]) < 1e9f && fabsf(numbers[1]) < 1e9f)) {
    calc_fail(c, CTORCH_ERROR_VALUE, "expand: the image would have %g x %g pixels", numbers[1], numbers[0]);
    return (struct size){0};
  }
  return (struct size){.height = (int64_t)numbers[1], .width = (int64_t)numbers[0]};
}

/* Images. */

/* Numbers around 0, one for each pixel of a side, in a column of the grid. */
static void set_coordinates(struct calculation *c, ctorch_tensor *grid, int64_t column, int64_t len) {
  const ctorch_dtype dtype = CTORCH_DTYPE_FLOAT32;
  const ctorch_scalar from = floating((1.0 - (double)len) * 0.5), to = floating(((double)len - 1.0) * 0.5);
  ctorch_device device;
  ctorch_tensor *numbers = NULL;
  if (!calc_goes_on(c, grid, grid)) {
    return;
  }
  calc_fail_with(c, ctorch_tensor_device(&device, grid));
  THEN(c->error, ctorch_aten_linspace(&numbers, &from, &to, len, &dtype, NULL, &device, NULL));
  calc_copy_(c, calc_column(c, grid, column), column == 1 ? calc_unsqueeze(c, numbers, -1) : numbers);
}

static ctorch_tensor *batched_product(struct calculation *c, const ctorch_tensor *a, const ctorch_tensor *b) {
  ctorch_tensor *made = NULL;
  if (calc_goes_on(c, a, b)) {
    calc_fail_with(c, ctorch_aten_bmm(&made, a, b));
  }
  return made;
}

/* Where the pixels of an output come from, as grid_sample has it. */
static const ctorch_tensor *affine_grid(
    struct calculation *c, const struct matrix *matrix, const ctorch_tensor *image, struct size size) {
  ctorch_dtype dtype = grid_dtype(image);
  const double halves[] = {0.5 * (double)size_from_end(image, -1), 0.5 * (double)size_from_end(image, -2)};
  const int64_t sizes[] = {1, size.height, size.width, 3}, flat[] = {1, size.height * size.width, 3};
  ctorch_tensor *theta = calc_reshape(c, matrix_tensor(c, matrix, dtype, image), (const int64_t[]){1, 2, 3}, 3);
  ctorch_tensor *base = calc_ones(c, sizes, 4, dtype, image);
  set_coordinates(c, base, 0, size.width);
  set_coordinates(c, base, 1, size.height);
  theta = calc_transpose(c, theta, 1, 2);
  calc_div_(c, theta, calc_doubles(c, halves, 2, dtype, image));
  ctorch_tensor *grid = batched_product(c, calc_reshape(c, base, flat, 3), theta);
  return calc_reshape(c, grid, (const int64_t[]){1, size.height, size.width, 2}, 4);
}

static const ctorch_tensor *transform_image(
    struct calculation *c,
    const ctorch_tensor *image,
    const struct affine *affine,
    const char *interpolation,
    bool expand,
    const struct fill *fill) {
  enum interpolation mode = INTERPOLATION_NEAREST;
  if (!calc_goes_on(c, image, image)) {
    return NULL;
  }
  calc_fail_with(c, interpolation_read(c->function, &mode, interpolation));
  THEN(c->error, grid_transform_check(c->function, image, mode, fill));
  struct size size = {size_from_end(image, -2), size_from_end(image, -1)};
  double center[2] = {0, 0}; /* counted from the middle */
  if (affine->center != NULL) {
    center[0] = affine->center[0] - (double)size.width * 0.5;
    center[1] = affine->center[1] - (double)size.height * 0.5;
  }
  struct matrix matrix = matrix_of(affine, center, true);
  if (expand) {
    size = expanded(c, &matrix, size);
  }
  return c->error != NULL ? NULL : grid_transform(c, image, affine_grid(c, &matrix, image, size), mode, fill);
}

/* Points. */

static ctorch_tensor *with_ones(struct calculation *c, const ctorch_tensor *points) {
  if (!calc_goes_on(c, points, points)) {
    return NULL;
  }
  const int64_t sizes[] = {ctorch_tensor_sizes(points)[0], 1};
  return calc_cat(c, points, calc_ones(c, sizes, 2, ctorch_tensor_dtype(points), points), -1);
}

/* How far the turned canvas reaches to the left and top, (1, 2). */
static ctorch_tensor *least_corner(
    struct calculation *c, const ctorch_tensor *transposed_matrix, struct size canvas, ctorch_dtype dtype) {
  double width = (double)canvas.width, height = (double)canvas.height;
  const double corners[] = {0, 0, 1, 0, height, 1, width, height, 1, width, 0, 1};
  ctorch_tensor *made = NULL;
  ctorch_tensor *points = calc_rows(c, calc_doubles(c, corners, 12, dtype, transposed_matrix), 3);
  points = calc_matmul(c, points, transposed_matrix);
  if (calc_goes_on(c, points, points)) {
    calc_fail_with(c, ctorch_aten_amin(&made, points, (const int64_t[]){0}, 1, true));
  }
  return made;
}

static struct matrix canvas_matrix(const struct affine *affine, const struct tv_tensor *mark, bool is_inverse) {
  const double middle[] = {(double)mark->canvas_size[1] * 0.5, (double)mark->canvas_size[0] * 0.5};
  return matrix_of(affine, affine->center != NULL ? affine->center : middle, is_inverse);
}

static void expand_canvas(struct calculation *c, const struct affine *affine, struct tv_tensor *mark) {
  struct matrix inverse = canvas_matrix(affine, mark, true);
  set_canvas(mark, expanded(c, &inverse, canvas_of(mark)));
}

static const ctorch_tensor *transform_keypoints(
    struct calculation *c,
    const ctorch_tensor *keypoints,
    struct tv_tensor *mark,
    const struct affine *affine,
    bool expand) {
  if (ctorch_tensor_numel(keypoints) == 0) {
    return keypoints;
  }
  ctorch_dtype dtype = grid_dtype(keypoints);
  struct matrix matrix = canvas_matrix(affine, mark, false);
  ctorch_tensor *by = transposed(c, &matrix, dtype, keypoints);
  ctorch_tensor *points = calc_rows(c, calc_to(c, keypoints, dtype), 2);
  points = calc_matmul(c, with_ones(c, points), by);
  if (expand) {
    calc_sub_(c, points, least_corner(c, by, canvas_of(mark), dtype));
    expand_canvas(c, affine, mark);
  }
  return calc_to(c, calc_reshape_as(c, points, keypoints), ctorch_tensor_dtype(keypoints));
}

static const ctorch_tensor *transform_boxes(
    struct calculation *c,
    const ctorch_tensor *input,
    struct tv_tensor *mark,
    const struct affine *affine,
    bool expand) {
  if (ctorch_tensor_numel(input) == 0) {
    return input;
  }
  ctorch_dtype dtype = grid_dtype(input);
  bool is_rotated = box_format_is_rotated(mark->format);
  enum box_format by_corners = is_rotated ? BOX_XYXYXYXY : BOX_XYXY;
  ctorch_tensor *own = calc_clone(c, calc_to(c, input, dtype));
  const ctorch_tensor *boxes = boxes_convert(c, own, mark->format, by_corners, true);
  boxes = calc_rows(c, boxes, is_rotated ? 8 : 4);
  struct matrix matrix = canvas_matrix(affine, mark, false);
  ctorch_tensor *by = transposed(c, &matrix, dtype, input);
  const ctorch_tensor *points = is_rotated ? calc_rows(c, boxes, 2) : boxes_corners(c, boxes);
  points = calc_matmul(c, with_ones(c, points), by);
  boxes = is_rotated ? parallelograms_to_boxes(c, calc_rows(c, points, 8)) : boxes_around(c, points);
  if (expand) {
    ctorch_tensor *least = least_corner(c, by, canvas_of(mark), dtype), *offset = NULL;
    if (calc_goes_on(c, least, least)) {
      calc_fail_with(c, ctorch_aten_repeat(&offset, least, (const int64_t[]){1, is_rotated ? 4 : 2}, 2));
    }
    calc_sub_(c, (ctorch_tensor *)boxes, offset);
    expand_canvas(c, affine, mark);
  }
  boxes = boxes_clamp_as(c, boxes, by_corners, mark);
  boxes = calc_reshape_as(c, boxes_convert(c, boxes, by_corners, mark->format, true), input);
  return calc_to(c, boxes, ctorch_tensor_dtype(input));
}

static ctorch_error *check(const char *function, const struct affine *affine) {
  return affine->scale > 0
             ? NULL
             : error_make(function, CTORCH_ERROR_VALUE, "Argument scale should be positive, got %g", affine->scale);
}

static const struct tv_tensor *or_none(const struct tv_tensor *mark) {
  return mark->kind == CTORCH_TV_TENSOR_NONE ? NULL : mark;
}

ctorch_error *vision_affine(
    const char *function,
    ctorch_tensor **out,
    const ctorch_tensor *input,
    const struct affine *affine,
    const char *interpolation,
    const struct fill *fill) {
  const struct tv_tensor *old_mark = tv_tensor_of(input);
  struct tv_tensor mark = old_mark == NULL ? (struct tv_tensor){0} : *old_mark;
  const ctorch_tensor *made = NULL;
  CTORCH_TRY(check(function, affine));
  struct calculation c;
  calculation_begin(&c, function);
  switch (mark.kind) {
    case CTORCH_TV_TENSOR_BOUNDING_BOXES:
      made = transform_boxes(&c, input, &mark, affine, false);
      break;
    case CTORCH_TV_TENSOR_KEY_POINTS:
      made = transform_keypoints(&c, input, &mark, affine, false);
      break;
    case CTORCH_TV_TENSOR_MASK:
      made = transform_image(&c, mask_begin(&c, input), affine, "nearest", false, fill);
      made = mask_end(&c, made, input);
      break;
    default:
      made = transform_image(&c, input, affine, interpolation, false, fill);
      break;
  }
  return tv_tensor_end(&c, out, made, or_none(&mark));
}

/* Rotations. */

/* angle % 360, as Python has it. */
static double in_circle(double angle) {
  double rest = fmod(angle, 360);
  return rest < 0 ? rest + 360 : rest == 0 ? 0.0 : rest;
}

/* By moving pixels, where that does it; NULL where not. */
static const ctorch_tensor *rotate_by_moving(
    struct calculation *c, const ctorch_tensor *image, double angle, bool expand, const double *center) {
  bool is_square = size_from_end(image, -1) == size_from_end(image, -2);
  ctorch_tensor *made = NULL;
  if (center != NULL || !(angle == 0 || angle == 180 || ((angle == 90 || angle == 270) && (expand || is_square)))) {
    return NULL;
  }
  if (angle == 0) {
    return calc_clone(c, image);
  }
  calc_fail_with(c, ctorch_aten_rot90(&made, image, (int64_t)(angle / 90), (const int64_t[]){-2, -1}, 2));
  return made;
}

static const ctorch_tensor *rotate_image(
    struct calculation *c,
    const ctorch_tensor *image,
    double angle,
    const char *interpolation,
    bool expand,
    const double *center,
    const struct fill *fill) {
  if (!calc_goes_on(c, image, image)) {
    return NULL;
  }
  angle = in_circle(angle);
  const ctorch_tensor *moved = rotate_by_moving(c, image, angle, expand, center);
  const struct affine affine = {.angle = -angle, .scale = 1, .center = center};
  return moved != NULL || c->error != NULL ? moved : transform_image(c, image, &affine, interpolation, expand, fill);
}

ctorch_error *vision_rotate(
    const char *function,
    ctorch_tensor **out,
    const ctorch_tensor *input,
    double angle,
    const char *interpolation,
    bool expand,
    const double *center,
    const struct fill *fill) {
  const struct tv_tensor *old_mark = tv_tensor_of(input);
  struct tv_tensor mark = old_mark == NULL ? (struct tv_tensor){0} : *old_mark;
  const struct affine affine = {.angle = -angle, .scale = 1, .center = center};
  const ctorch_tensor *made = NULL;
  struct calculation c;
  calculation_begin(&c, function);
  switch (mark.kind) {
    case CTORCH_TV_TENSOR_BOUNDING_BOXES:
      made = transform_boxes(&c, input, &mark, &affine, expand);
      break;
    case CTORCH_TV_TENSOR_KEY_POINTS:
      made = transform_keypoints(&c, input, &mark, &affine, expand);
      break;
    case CTORCH_TV_TENSOR_MASK:
      made = rotate_image(&c, mask_begin(&c, input), angle, "nearest", expand, center, fill);
      made = mask_end(&c, made, input);
      break;
    default:
      made = rotate_image(&c, input, angle, interpolation, expand, center, fill);
      break;
  }
  return tv_tensor_end(&c, out, made, or_none(&mark));
}

/* The functionals. */

ctorch_error *transforms_functional_affine(
    const char *function, ctorch_tensor **out, const struct transforms_functional_affine_options *options) {
  struct fill fill = fill_of(options->fill, options->fill_len);
  struct affine affine = {
      .angle = options->angle,
      .translate = {options->translate[0], options->translate[1]},
      .scale = options->scale,
      .shear = {options->shear[0], options->shear[1]},
      .center = options->has_center ? options->center : NULL};
  return vision_affine(function, out, options->inpt, &affine, options->interpolation, &fill);
}

ctorch_error *transforms_functional_rotate(
    const char *function, ctorch_tensor **out, const struct transforms_functional_rotate_options *options) {
  struct fill fill = fill_of(options->fill, options->fill_len);
  return vision_rotate(
      function, out, options->inpt, options->angle, options->interpolation, options->expand,
      options->has_center ? options->center : NULL, &fill);
}
