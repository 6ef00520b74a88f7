/* Padding: of images with a number, with a number for each channel, or with what lies at the edge. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "constructors/transforms_functional.h"
#include "core/c/error.h"
#include "transforms/boxes.h"
#include "transforms/element_type.h"
#include "transforms/geometry.h"
#include "transforms/transform.h"

ctorch_error *padding_read(const char *function, struct padding *out, const int64_t *padding, size_t len) {
  switch (len) {
    case 1:
      *out = (struct padding){padding[0], padding[0], padding[0], padding[0]};
      return NULL;
    case 2:
      *out = (struct padding){padding[0], padding[0], padding[1], padding[1]};
      return NULL;
    case 4:
      *out = (struct padding){padding[0], padding[2], padding[1], padding[3]};
      return NULL;
    default:
      return error_make(
          function, CTORCH_ERROR_VALUE, "Padding must be an int or a 1, 2, or 4 element of tuple or list, got %zu",
          len);
  }
}

ctorch_error *padding_mode_check(const char *function, const char *mode) {
  static const char *const modes[] = {"constant", "edge", "reflect", "symmetric"};
  for (size_t i = 0; i < sizeof modes / sizeof *modes; i++) {
    if (strcmp(mode, modes[i]) == 0) {
      return NULL;
    }
  }
  return error_make(
      function, CTORCH_ERROR_VALUE,
      "padding_mode should be either constant, edge, reflect or symmetric, but got '%.40s'", mode);
}

/* Numbers from `from` on, up or down, for as many; negative ones count from the end. */
static int64_t *count(int64_t *to, int64_t from, int64_t step, int64_t len) {
  for (int64_t i = 0; i < len; i++) {
    *to++ = from + step * i;
  }
  return to;
}

/* Indices along a dimension, whose ends are repeated in reverse. */
static ctorch_tensor *mirrored_indices(
    struct calculation *c, int64_t size, int64_t before, int64_t after, const ctorch_tensor *like) {
  enum { MOST = 1 << 26 };
  if (before > MOST || after > MOST || size > MOST) {
    calc_fail(c, CTORCH_ERROR_VALUE, "padding: %" PRId64 " and %" PRId64 " are too many", before, after);
    return NULL;
  }
  size_t len = (size_t)(before + size + after);
  int64_t *indices = malloc((len + 1) * sizeof *indices);
  if (indices == NULL) {
    calc_fail_with(c, error_memory(c->function, len * sizeof *indices));
    return NULL;
  }
  count(count(count(indices, before - 1, -1, before), 0, 1, size), -1, -1, after);
  ctorch_tensor *made = calc_ints(c, indices, len, CTORCH_DTYPE_INT64, like);
  free(indices);
  return made;
}

static int64_t at_least_zero(int64_t x) { return x < 0 ? 0 : x; }

static const ctorch_tensor *pad_symmetrically(
    struct calculation *c, const ctorch_tensor *image, const struct padding *padding) {
  const ctorch_tensor *inner = image;
  if (padding->left < 0 || padding->right < 0 || padding->top < 0 || padding->bottom < 0) {
    int64_t bottom = size_from_end(image, -2) + (padding->bottom < 0 ? padding->bottom : 0);
    int64_t right = size_from_end(image, -1) + (padding->right < 0 ? padding->right : 0);
    inner = calc_slice(c, image, -2, padding->top < 0 ? -padding->top : 0, bottom);
    inner = calc_slice(c, inner, -1, padding->left < 0 ? -padding->left : 0, right);
  }
  if (!calc_goes_on(c, inner, inner)) {
    return NULL;
  }
  ctorch_tensor *rows =
      mirrored_indices(c, size_from_end(inner, -2), at_least_zero(padding->top), at_least_zero(padding->bottom), image);
  ctorch_tensor *columns =
      mirrored_indices(c, size_from_end(inner, -1), at_least_zero(padding->left), at_least_zero(padding->right), image);
  rows = calc_unsqueeze(c, rows, 1);
  columns = calc_unsqueeze(c, columns, 0);
  ctorch_tensor *padded = NULL;
  if (calc_goes_on(c, rows, columns)) {
    calc_fail_with(
        c, ctorch_aten_index_Tensor(&padded, inner, (const ctorch_tensor *const[]){NULL, NULL, rows, columns}, 4));
  }
  return padded;
}

static ctorch_tensor *pad_plainly(
    struct calculation *c,
    const ctorch_tensor *image,
    const struct padding *padding,
    const char *mode,
    const double *value) {
  const int64_t numbers[] = {padding->left, padding->right, padding->top, padding->bottom};
  ctorch_tensor *padded = NULL;
  if (calc_goes_on(c, image, image)) {
    calc_fail_with(c, error_at(ctorch_aten_pad(&padded, image, numbers, 4, mode, value), "padding"));
  }
  return padded;
}

/* Modes that the operator has for floating point alone. */
static const ctorch_tensor *pad_with_edge(
    struct calculation *c, const ctorch_tensor *image, const struct padding *padding, const char *mode) {
  if (tensor_is_floating_point(image)) {
    return pad_plainly(c, image, padding, mode, NULL);
  }
  ctorch_tensor *floats = calc_to(c, image, CTORCH_DTYPE_FLOAT32);
  ctorch_tensor *padded = pad_plainly(c, floats, padding, mode, NULL);
  calc_drop(c, floats);
  return calc_to(c, padded, ctorch_tensor_dtype(image));
}

/* Sizes of an image with others at the end. */
static const ctorch_tensor *in_sizes_of(struct calculation *c, const ctorch_tensor *x, const ctorch_tensor *image) {
  int64_t ndim = ctorch_tensor_ndim(image), sizes[64];
  if (!calc_goes_on(c, x, x)) {
    return NULL;
  }
  for (int64_t i = 0; i < ndim && i < 64; i++) {
    sizes[i] = i < ndim - 2 ? ctorch_tensor_sizes(image)[i] : size_from_end(x, i - ndim);
  }
  return calc_reshape(c, x, sizes, (size_t)ndim);
}

static const ctorch_tensor *pad_with_number(
    struct calculation *c, const ctorch_tensor *image, const struct padding *padding, double number, const char *mode) {
  int64_t ndim = ctorch_tensor_ndim(image), batch = 1;
  if (ndim < 3) {
    calc_fail(c, CTORCH_ERROR_VALUE, "inpt: expected [..., C, H, W], got %" PRId64 " dimensions", ndim);
    return NULL;
  }
  for (int64_t i = 0; i < ndim - 3; i++) {
    batch *= ctorch_tensor_sizes(image)[i];
  }
  const int64_t sizes[] = {batch, size_from_end(image, -3), size_from_end(image, -2), size_from_end(image, -1)};
  const ctorch_tensor *images = calc_reshape(c, image, sizes, 4), *padded = NULL;
  if (!calc_goes_on(c, images, images)) {
    return NULL;
  }
  if (strcmp(mode, "constant") == 0) {
    padded = pad_plainly(c, images, padding, "constant", &number);
  } else if (strcmp(mode, "symmetric") == 0) {
    padded = pad_symmetrically(c, images, padding);
  } else {
    padded = pad_with_edge(c, images, padding, strcmp(mode, "edge") == 0 ? "replicate" : mode);
  }
  return in_sizes_of(c, padded, image);
}

const ctorch_tensor *pad_with_zeros(struct calculation *c, const ctorch_tensor *image, const struct padding *padding) {
  return pad_with_number(c, image, padding, 0, "constant");
}

/* image[..., first:end, :] = fill, or of columns. */
static void fill_band(
    struct calculation *c, const ctorch_tensor *image, int64_t dim, int64_t first, int64_t end, ctorch_tensor *fill) {
  calc_copy_(c, calc_slice(c, image, dim, first, end), fill);
}

static const ctorch_tensor *pad_with_numbers(
    struct calculation *c, const ctorch_tensor *image, const struct padding *padding, const struct fill *fill) {
  const ctorch_tensor *padded = pad_with_number(c, image, padding, 0, "constant");
  ctorch_tensor *numbers = calc_doubles(c, fill->values, fill->len, CTORCH_DTYPE_FLOAT32, image);
  numbers = calc_to(c, numbers, ctorch_tensor_dtype(image));
  numbers = calc_reshape(c, numbers, (const int64_t[]){-1, 1, 1}, 3);
  if (padding->top > 0) {
    fill_band(c, padded, -2, 0, padding->top, numbers);
  }
  if (padding->left > 0) {
    fill_band(c, padded, -1, 0, padding->left, numbers);
  }
  if (padding->bottom > 0) {
    fill_band(c, padded, -2, -padding->bottom, INT64_MAX, numbers);
  }
  if (padding->right > 0) {
    fill_band(c, padded, -1, -padding->right, INT64_MAX, numbers);
  }
  return padded;
}

static const ctorch_tensor *pad_image(
    struct calculation *c,
    const ctorch_tensor *image,
    const struct padding *padding,
    const struct fill *fill,
    const char *mode) {
  if (!fill->is_given || fill->is_number || fill->len == 1) {
    return pad_with_number(c, image, padding, fill->is_given ? fill->values[0] : 0, mode);
  }
  if (strcmp(mode, "constant") != 0) {
    calc_fail(c, CTORCH_ERROR_VALUE, "Padding mode '%s' is not supported if fill is not scalar", mode);
    return NULL;
  }
  return pad_with_numbers(c, image, padding, fill);
}

static const ctorch_tensor *pad_mask(
    struct calculation *c,
    const ctorch_tensor *mask,
    const struct padding *padding,
    const struct fill *fill,
    const char *mode) {
  if (fill->is_given && !fill->is_number) {
    calc_fail(c, CTORCH_ERROR_VALUE, "fill: Non-scalar fill value is not supported");
    return NULL;
  }
  return mask_end(c, pad_image(c, mask_begin(c, mask), padding, fill, mode), mask);
}

/* Boxes and keypoints move with the origin, and their canvas grows. */
static const ctorch_tensor *move_to(
    struct calculation *c, const ctorch_tensor *input, struct tv_tensor *mark, const struct padding *padding) {
  int64_t offset[8] = {padding->left, padding->top};
  size_t len = mark->kind == CTORCH_TV_TENSOR_KEY_POINTS ? 2 : (size_t)box_format_len(mark->format);
  size_t corners = mark->format == BOX_XYXYXYXY ? 4 : mark->format == BOX_XYXY ? 2 : 1;
  for (size_t i = 1; i < corners && len > 2; i++) {
    offset[2 * i] = padding->left;
    offset[2 * i + 1] = padding->top;
  }
  const ctorch_tensor *moved = calc_add(c, input, calc_ints(c, offset, len, ctorch_tensor_dtype(input), input));
  mark->canvas_size[0] += padding->top + padding->bottom;
  mark->canvas_size[1] += padding->left + padding->right;
  return mark->kind == CTORCH_TV_TENSOR_KEY_POINTS ? moved : boxes_clamp(c, moved, mark);
}

ctorch_error *vision_pad(
    const char *function,
    ctorch_tensor **out,
    const ctorch_tensor *input,
    const struct padding *padding,
    const struct fill *fill,
    const char *mode) {
  const struct tv_tensor *old_mark = tv_tensor_of(input);
  struct tv_tensor mark = old_mark == NULL ? (struct tv_tensor){0} : *old_mark;
  const ctorch_tensor *padded = NULL;
  CTORCH_TRY(padding_mode_check(function, mode));
  struct calculation c;
  calculation_begin(&c, function);
  switch (mark.kind) {
    case CTORCH_TV_TENSOR_BOUNDING_BOXES:
    case CTORCH_TV_TENSOR_KEY_POINTS:
      if (strcmp(mode, "constant") != 0) {
        calc_fail(
            &c, CTORCH_ERROR_VALUE, "Padding mode '%s' is not supported with %s", mode,
            ctorch_tv_tensor_kind_name(mark.kind));
      } else {
        padded = move_to(&c, input, &mark, padding);
      }
      break;
    case CTORCH_TV_TENSOR_MASK:
      padded = pad_mask(&c, input, padding, fill, mode);
      break;
    default:
      padded = pad_image(&c, input, padding, fill, mode);
      break;
  }
  return tv_tensor_end(&c, out, padded, old_mark == NULL ? NULL : &mark);
}

ctorch_error *transforms_functional_pad(
    const char *function, ctorch_tensor **out, const struct transforms_functional_pad_options *options) {
  struct padding padding = {0};
  struct fill fill = fill_of(options->fill, options->fill_len);
  CTORCH_TRY(padding_read(function, &padding, options->padding, options->padding_len));
  return vision_pad(function, out, options->inpt, &padding, &fill, options->padding_mode);
}
