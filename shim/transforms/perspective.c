/* Perspective transforms: four corners go to four others. */
#include <math.h>

#include "base/sequence.h"
#include "constructors/transforms_functional.h"
#include "core/c/error.h"
#include "transforms/boxes.h"
#include "transforms/element_type.h"
#include "transforms/geometry.h"

/* The rows of the equations that one pair of corners makes. */
static void add_equations(double rows[16], const int64_t start[2], const int64_t end[2]) {
  double x = (double)end[0], y = (double)end[1], u = (double)start[0], v = (double)start[1];
  const double made[] = {x, y, 1, 0, 0, 0, -u * x, -u * y, 0, 0, 0, x, y, 1, -v * x, -v * y};
  for (int i = 0; i < 16; i++) {
    rows[i] = made[i];
  }
}

ctorch_error *perspective_coefficients(
    const char *function, double out[8], const int64_t start[8], const int64_t end[8]) {
  const int64_t sizes[] = {8, 8};
  double equations[64], right[8], solved[8];
  ctorch_tensor *a = NULL, *b = NULL, *solution = NULL, *residuals = NULL, *rank = NULL, *singular = NULL;
  for (int i = 0; i < 4; i++) {
    add_equations(equations + 16 * i, start + 2 * i, end + 2 * i);
    right[2 * i] = (double)start[2 * i];
    right[2 * i + 1] = (double)start[2 * i + 1];
  }
  ctorch_error *error = ctorch_tensor_from_data(&a, equations, sizeof equations, sizes, 2, CTORCH_DTYPE_FLOAT64);
  THEN(error, ctorch_tensor_from_data(&b, right, sizeof right, sizes, 1, CTORCH_DTYPE_FLOAT64));
  THEN(error, ctorch_aten_linalg_lstsq(&solution, &residuals, &rank, &singular, a, b, NULL, "gels"));
  THEN(error, ctorch_tensor_copy_to_buffer(solution, solved, sizeof solved, CTORCH_DTYPE_FLOAT64));
  ctorch_tensor_release(a);
  ctorch_tensor_release(b);
  ctorch_tensor_release(solution);
  ctorch_tensor_release(residuals);
  ctorch_tensor_release(rank);
  ctorch_tensor_release(singular);
  for (int i = 0; error == NULL && i < 8; i++) {
    out[i] = (float)solved[i]; /* as Python keeps them */
  }
  return error_of(function, error);
}

/* Images. */

static void set_coordinates(
    struct calculation *c, ctorch_tensor *grid, int64_t column, int64_t len, ctorch_dtype dtype) {
  const ctorch_scalar from = floating(0.5), to = floating((double)len + 0.5 - 1.0);
  ctorch_device device;
  ctorch_tensor *numbers = NULL;
  if (!calc_goes_on(c, grid, grid)) {
    return;
  }
  calc_fail_with(c, ctorch_tensor_device(&device, grid));
  THEN(c->error, ctorch_aten_linspace(&numbers, &from, &to, len, &dtype, NULL, &device, NULL));
  calc_copy_(c, calc_column(c, grid, column), column == 1 ? calc_unsqueeze(c, numbers, -1) : numbers);
}

static ctorch_tensor *product(struct calculation *c, const ctorch_tensor *a, const ctorch_tensor *b) {
  ctorch_tensor *made = NULL;
  if (calc_goes_on(c, a, b)) {
    calc_fail_with(c, ctorch_aten_bmm(&made, a, b));
  }
  return made;
}

/* Two rows of three as (1, 2, 3). */
static ctorch_tensor *theta(
    struct calculation *c, const double numbers[6], ctorch_dtype dtype, const ctorch_tensor *like) {
  return calc_reshape(c, calc_doubles(c, numbers, 6, dtype, like), (const int64_t[]){1, 2, 3}, 3);
}

static const ctorch_tensor *perspective_grid(struct calculation *c, const double k[8], const ctorch_tensor *image) {
  ctorch_dtype dtype = grid_dtype(image);
  int64_t height = size_from_end(image, -2), width = size_from_end(image, -1);
  const int64_t sizes[] = {1, height, width, 3}, flat[] = {1, height * width, 3};
  const double halves[] = {0.5 * (double)width, 0.5 * (double)height}, below[] = {k[6], k[7], 1, k[6], k[7], 1};
  ctorch_tensor *base = calc_ones(c, sizes, 4, dtype, image);
  set_coordinates(c, base, 0, width, dtype);
  set_coordinates(c, base, 1, height, dtype);
  base = calc_reshape(c, base, flat, 3);
  ctorch_tensor *above = calc_transpose(c, theta(c, k, dtype, image), 1, 2);
  calc_div_(c, above, calc_doubles(c, halves, 2, dtype, image));
  ctorch_tensor *grid = product(c, base, above);
  calc_div_(c, grid, product(c, base, calc_transpose(c, theta(c, below, dtype, image), 1, 2)));
  calc_sub_number_(c, grid, floating(1));
  return calc_reshape(c, grid, (const int64_t[]){1, height, width, 2}, 4);
}

static const ctorch_tensor *transform_image(
    struct calculation *c,
    const ctorch_tensor *image,
    const double coefficients[8],
    const char *interpolation,
    const struct fill *fill) {
  enum interpolation mode = INTERPOLATION_NEAREST;
  if (!calc_goes_on(c, image, image)) {
    return NULL;
  }
  calc_fail_with(c, interpolation_read(c->function, &mode, interpolation));
  THEN(c->error, grid_transform_check(c->function, image, mode, fill));
  return c->error != NULL ? NULL : grid_transform(c, image, perspective_grid(c, coefficients, image), mode, fill);
}

/* Points, which go the other way than pixels are looked up. */

/* Points (N, 2) where they go to. */
static ctorch_tensor *move_points(
    struct calculation *c, const ctorch_tensor *points, const double k[8], ctorch_dtype dtype) {
  double denominator = k[0] * k[4] - k[1] * k[3];
  if (!calc_goes_on(c, points, points)) {
    return NULL;
  }
  if (denominator == 0) {
    calc_fail(c, CTORCH_ERROR_RUNTIME, "coefficients: they cannot be inverted to transform points: a denominator is 0");
    return NULL;
  }
  const double above[] = {(k[4] - k[5] * k[7]) / denominator,        (-k[1] + k[2] * k[7]) / denominator,
                          (k[1] * k[5] - k[2] * k[4]) / denominator, (-k[3] + k[5] * k[6]) / denominator,
                          (k[0] - k[2] * k[6]) / denominator,        (-k[0] * k[5] + k[2] * k[3]) / denominator};
  const double first = (-k[4] * k[6] + k[3] * k[7]) / denominator;
  const double second = (-k[0] * k[7] + k[1] * k[6]) / denominator;
  const double below[] = {first, second, 1, first, second, 1};
  const int64_t rows[] = {2, 3}, ones[] = {ctorch_tensor_sizes(points)[0], 1};
  ctorch_tensor *numerators = calc_reshape(c, calc_doubles(c, above, 6, dtype, points), rows, 2);
  ctorch_tensor *denominators = calc_reshape(c, calc_doubles(c, below, 6, dtype, points), rows, 2);
  ctorch_tensor *all = calc_cat(c, points, calc_ones(c, ones, 2, CTORCH_DTYPE_FLOAT32, points), -1);
  ctorch_tensor *moved = calc_matmul(c, all, calc_transpose(c, numerators, 0, 1));
  calc_div_(c, moved, calc_matmul(c, all, calc_transpose(c, denominators, 0, 1)));
  return moved;
}

static const ctorch_tensor *transform_keypoints(
    struct calculation *c, const ctorch_tensor *keypoints, const double coefficients[8]) {
  if (ctorch_tensor_numel(keypoints) == 0) {
    return keypoints;
  }
  ctorch_tensor *points = calc_rows(c, keypoints, 2);
  ctorch_tensor *moved = move_points(c, points, coefficients, grid_dtype(keypoints));
  return calc_reshape_as(c, calc_to(c, moved, ctorch_tensor_dtype(keypoints)), keypoints);
}

static const ctorch_tensor *transform_boxes(
    struct calculation *c, const ctorch_tensor *input, const struct tv_tensor *mark, const double coefficients[8]) {
  if (ctorch_tensor_numel(input) == 0) {
    return input;
  }
  bool is_rotated = box_format_is_rotated(mark->format);
  enum box_format by_corners = is_rotated ? BOX_XYXYXYXY : BOX_XYXY;
  const ctorch_tensor *boxes =
      calc_rows(c, boxes_convert(c, input, mark->format, by_corners, false), is_rotated ? 8 : 4);
  const ctorch_tensor *points = is_rotated ? calc_rows(c, boxes, 2) : boxes_corners(c, boxes);
  points = move_points(c, points, coefficients, grid_dtype(input));
  boxes = is_rotated ? parallelograms_to_boxes(c, calc_rows(c, points, 8)) : boxes_around(c, points);
  boxes = boxes_clamp_as(c, boxes, by_corners, mark);
  boxes = calc_reshape_as(c, boxes_convert(c, boxes, by_corners, mark->format, true), input);
  return calc_to(c, boxes, ctorch_tensor_dtype(input));
}

ctorch_error *vision_perspective(
    const char *function,
    ctorch_tensor **out,
    const ctorch_tensor *input,
    const double coefficients[8],
    const char *interpolation,
    const struct fill *fill) {
  const struct tv_tensor *mark = tv_tensor_of(input);
  const ctorch_tensor *made = NULL;
  struct calculation c;
  calculation_begin(&c, function);
  switch (ctorch_tv_tensor_kind_of(input)) {
    case CTORCH_TV_TENSOR_BOUNDING_BOXES:
      made = transform_boxes(&c, input, mark, coefficients);
      break;
    case CTORCH_TV_TENSOR_KEY_POINTS:
      made = transform_keypoints(&c, input, coefficients);
      break;
    case CTORCH_TV_TENSOR_MASK:
      made = transform_image(&c, mask_begin(&c, input), coefficients, "nearest", fill);
      made = mask_end(&c, made, input);
      break;
    default:
      made = transform_image(&c, input, coefficients, interpolation, fill);
      break;
  }
  return tv_tensor_end(&c, out, made, mark);
}

ctorch_error *transforms_functional_perspective(
    const char *function, ctorch_tensor **out, const struct transforms_functional_perspective_options *options) {
  struct fill fill = fill_of(options->fill, options->fill_len);
  double coefficients[8];
  bool has_points = options->startpoints != NULL && options->endpoints != NULL;
  if (options->coefficients != NULL) {
    if (has_points) {
      return error_make(
          function, CTORCH_ERROR_VALUE,
          "The startpoints/endpoints and the coefficients shouldn't be defined concurrently.");
    }
    if (options->coefficients_len != 8) {
      return error_make(
          function, CTORCH_ERROR_VALUE, "Argument coefficients should have 8 float values, got %zu",
          options->coefficients_len);
    }
    return vision_perspective(function, out, options->inpt, options->coefficients, options->interpolation, &fill);
  }
  if (!has_points) {
    return error_make(
        function, CTORCH_ERROR_VALUE,
        "Either the startpoints/endpoints or the coefficients must have non `None` values.");
  }
  if (options->startpoints_len != 8 || options->endpoints_len != 8) {
    return error_make(
        function, CTORCH_ERROR_VALUE,
        "Please provide exactly four corners, got %zu numbers of startpoints and %zu of endpoints.",
        options->startpoints_len, options->endpoints_len);
  }
  CTORCH_TRY(perspective_coefficients(function, coefficients, options->startpoints, options->endpoints));
  return vision_perspective(function, out, options->inpt, coefficients, options->interpolation, &fill);
}
