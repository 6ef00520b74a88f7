/* Elastic transforms: each pixel is moved on its own. */
#include <inttypes.h>

#include "base/sequence.h"
#include "constructors/transforms_functional.h"
#include "core/c/error.h"
#include "transforms/boxes.h"
#include "transforms/element_type.h"
#include "transforms/geometry.h"

static bool fits(const ctorch_tensor *displacement, struct size size) {
  const int64_t *sizes = ctorch_tensor_sizes(displacement);
  return ctorch_tensor_ndim(displacement) == 4 && sizes[0] == 1 && sizes[1] == size.height && sizes[2] == size.width &&
         sizes[3] == 2;
}

/* VALUE unless there is a displacement for each pixel. */
static bool check(struct calculation *c, const ctorch_tensor *displacement, struct size size) {
  if (c->error == NULL && !fits(displacement, size)) {
    calc_fail(
        c, CTORCH_ERROR_VALUE, "Argument displacement shape should be (1, %" PRId64 ", %" PRId64 ", 2)", size.height,
        size.width);
  }
  return c->error == NULL;
}

static void set_coordinates(
    struct calculation *c, ctorch_tensor *grid, int64_t column, int64_t len, ctorch_dtype dtype) {
  double last = (double)(len - 1) / (double)len;
  const ctorch_scalar from = floating((double)(-len + 1) / (double)len), to = floating(last);
  ctorch_device device;
  ctorch_tensor *numbers = NULL;
  if (!calc_goes_on(c, grid, grid)) {
    return;
  }
  calc_fail_with(c, ctorch_tensor_device(&device, grid));
  THEN(c->error, ctorch_aten_linspace(&numbers, &from, &to, len, &dtype, NULL, &device, NULL));
  calc_copy_(c, calc_column(c, grid, column), column == 1 ? calc_unsqueeze(c, numbers, -1) : numbers);
}

/* Each pixel where it is, (1, H, W, 2). */
static ctorch_tensor *identity_grid(
    struct calculation *c, struct size size, ctorch_dtype dtype, const ctorch_tensor *like) {
  const int64_t sizes[] = {1, size.height, size.width, 2};
  if (size.height == 0 || size.width == 0) {
    calc_fail(c, CTORCH_ERROR_VALUE, "inpt: an image with a side of 0 pixels has no grid (division by zero)");
    return NULL;
  }
  ctorch_tensor *grid = calc_ones(c, sizes, 4, dtype, like);
  set_coordinates(c, grid, 0, size.width, dtype);
  set_coordinates(c, grid, 1, size.height, dtype);
  return grid;
}

/* In a type, on the device of another tensor. */
static ctorch_tensor *moved_to(
    struct calculation *c, const ctorch_tensor *x, ctorch_dtype dtype, const ctorch_tensor *like) {
  ctorch_device device;
  ctorch_tensor *made = NULL;
  if (!calc_goes_on(c, x, like)) {
    return NULL;
  }
  calc_fail_with(c, ctorch_tensor_device(&device, like));
  THEN(c->error, ctorch_aten_to_device(&made, x, &device, dtype, false, false, NULL));
  return made;
}

static const ctorch_tensor *transform_image(
    struct calculation *c,
    const ctorch_tensor *image,
    const ctorch_tensor *displacement,
    const char *interpolation,
    const struct fill *fill) {
  enum interpolation mode = INTERPOLATION_NEAREST;
  if (!calc_goes_on(c, image, image)) {
    return NULL;
  }
  calc_fail_with(c, interpolation_read(c->function, &mode, interpolation));
  if (c->error == NULL && ctorch_tensor_ndim(image) < 3) {
    calc_fail_with(c, grid_transform_check(c->function, image, mode, fill));
  }
  if (mode != INTERPOLATION_NEAREST && mode != INTERPOLATION_BILINEAR && mode != INTERPOLATION_BICUBIC) {
    calc_fail(
        c, CTORCH_ERROR_VALUE, "interpolation: expected 'bilinear', 'nearest' or 'bicubic', but got '%s'",
        interpolation_name(mode));
  }
  struct size size = {size_from_end(image, -2), size_from_end(image, -1)};
  if (!check(c, displacement, size)) {
    return NULL;
  }
  ctorch_dtype dtype = grid_dtype(image);
  bool is_half = dtype == CTORCH_DTYPE_FLOAT16 && ctorch_tensor_device_type(image) == CTORCH_DEVICE_TYPE_CPU;
  if (is_half) {
    dtype = CTORCH_DTYPE_FLOAT32;
    image = calc_to(c, image, dtype);
  }
  ctorch_tensor *grid = calc_goes_on(c, image, image) ? identity_grid(c, size, dtype, image) : NULL;
  calc_add_(c, grid, moved_to(c, displacement, dtype, image));
  const ctorch_tensor *made = grid_transform(c, image, grid, mode, fill);
  return is_half ? calc_to(c, made, CTORCH_DTYPE_FLOAT16) : made;
}

static ctorch_tensor *at_most(struct calculation *c, const ctorch_tensor *index, int64_t most) {
  const ctorch_scalar low = whole(0), high = whole(most);
  ctorch_tensor *made = NULL;
  if (calc_goes_on(c, index, index)) {
    calc_fail_with(c, ctorch_aten_clamp(&made, index, &low, &high));
  }
  return made;
}

/* Where points (N, 2) go to: the other way than the pixel that they are in is looked up. */
static ctorch_tensor *move_points(
    struct calculation *c,
    const ctorch_tensor *points,
    const ctorch_tensor *displacement,
    struct size size,
    ctorch_dtype dtype) {
  ctorch_tensor *grid = identity_grid(c, size, dtype, points), *moved = NULL;
  calc_sub_(c, grid, moved_to(c, displacement, dtype, points));
  ctorch_tensor *index = calc_to(c, points, CTORCH_DTYPE_INT64);
  ctorch_tensor *x = at_most(c, calc_column(c, index, 0), size.width - 1);
  ctorch_tensor *y = at_most(c, calc_column(c, index, 1), size.height - 1);
  ctorch_tensor *inner = calc_squeeze(c, grid, 0);
  if (calc_goes_on(c, x, y) && inner != NULL) {
    calc_fail_with(c, ctorch_aten_index_Tensor(&moved, inner, (const ctorch_tensor *const[]){y, x}, 2));
  }
  const double sides[] = {(double)size.width, (double)size.height};
  calc_add_number_(c, moved, whole(1));
  calc_mul_(c, moved, calc_mul_number(c, calc_doubles(c, sides, 2, dtype, points), floating(0.5)));
  calc_sub_number_(c, moved, floating(0.5));
  return moved;
}

static const ctorch_tensor *transform_keypoints(
    struct calculation *c,
    const ctorch_tensor *keypoints,
    const struct tv_tensor *mark,
    const ctorch_tensor *displacement) {
  if (!check(c, displacement, canvas_of(mark)) || ctorch_tensor_numel(keypoints) == 0) {
    return keypoints;
  }
  ctorch_tensor *points = calc_rows(c, keypoints, 2);
  points = move_points(c, points, displacement, canvas_of(mark), grid_dtype(keypoints));
  return calc_reshape_as(c, calc_to(c, points, ctorch_tensor_dtype(keypoints)), keypoints);
}

static const ctorch_tensor *rounded_up(struct calculation *c, const ctorch_tensor *points) {
  ctorch_tensor *made = NULL;
  if (!calc_goes_on(c, points, points) || !tensor_is_floating_point(points)) {
    return points;
  }
  calc_fail_with(c, ctorch_aten_ceil(&made, points));
  return made;
}

static const ctorch_tensor *transform_boxes(
    struct calculation *c,
    const ctorch_tensor *input,
    const struct tv_tensor *mark,
    const ctorch_tensor *displacement) {
  if (!check(c, displacement, canvas_of(mark)) || ctorch_tensor_numel(input) == 0) {
    return input;
  }
  ctorch_dtype dtype = ctorch_tensor_dtype(input);
  bool is_rotated = box_format_is_rotated(mark->format);
  enum box_format meanwhile = is_rotated ? BOX_CXCYWHR : BOX_XYXY;
  const ctorch_tensor *boxes =
      calc_rows(c, boxes_convert(c, calc_clone(c, input), mark->format, meanwhile, true), is_rotated ? 5 : 4);
  const ctorch_tensor *points = is_rotated ? calc_columns(c, boxes, 0, 2, 1) : boxes_corners(c, boxes);
  points = move_points(c, rounded_up(c, points), displacement, canvas_of(mark), grid_dtype(input));
  boxes = is_rotated ? calc_cat(c, points, calc_columns(c, boxes, 2, INT64_MAX, 1), 1) : boxes_around(c, points);
  boxes = boxes_clamp_as(c, calc_to(c, boxes, dtype), meanwhile, mark);
  return calc_reshape_as(c, boxes_convert(c, boxes, meanwhile, mark->format, false), input);
}

ctorch_error *vision_elastic(
    const char *function,
    ctorch_tensor **out,
    const ctorch_tensor *input,
    const ctorch_tensor *displacement,
    const char *interpolation,
    const struct fill *fill) {
  const struct tv_tensor *mark = tv_tensor_of(input);
  const ctorch_tensor *made = NULL;
  struct calculation c;
  calculation_begin(&c, function);
  switch (ctorch_tv_tensor_kind_of(input)) {
    case CTORCH_TV_TENSOR_BOUNDING_BOXES:
      made = transform_boxes(&c, input, mark, displacement);
      break;
    case CTORCH_TV_TENSOR_KEY_POINTS:
      made = transform_keypoints(&c, input, mark, displacement);
      break;
    case CTORCH_TV_TENSOR_MASK:
      made = transform_image(&c, mask_begin(&c, input), displacement, "nearest", fill);
      made = mask_end(&c, made, input);
      break;
    default:
      made = transform_image(&c, input, displacement, interpolation, fill);
      break;
  }
  return tv_tensor_end(&c, out, made, mark);
}

ctorch_error *transforms_functional_elastic(
    const char *function, ctorch_tensor **out, const struct transforms_functional_elastic_options *options) {
  struct fill fill = fill_of(options->fill, options->fill_len);
  return vision_elastic(function, out, options->inpt, options->displacement, options->interpolation, &fill);
}
