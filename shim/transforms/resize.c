/* Resizing: of images by interpolation, of masks by their nearest pixels, of boxes and keypoints by proportion. */
#include <inttypes.h>
#include <stdatomic.h>
#include <string.h>

#include "constructors/transforms_functional.h"
#include "core/c/error.h"
#include "transforms/boxes.h"
#include "transforms/element_type.h"
#include "transforms/geometry.h"

static const char *const MODES[] = {"nearest", "nearest-exact", "bilinear", "bicubic", "box", "hamming", "lanczos"};
enum { MODES_LEN = sizeof MODES / sizeof *MODES };

ctorch_error *interpolation_read(const char *function, enum interpolation *out, const char *name) {
  for (int i = 0; i < MODES_LEN; i++) {
    if (strcmp(name, MODES[i]) == 0) {
      *out = (enum interpolation)i;
      return NULL;
    }
  }
  return error_make(
      function, CTORCH_ERROR_VALUE,
      "interpolation: Invalid interpolation mode: '%.40s'. Supported values are nearest, nearest-exact, bilinear, "
      "bicubic, box, hamming and lanczos",
      name);
}

const char *interpolation_name(enum interpolation mode) { return MODES[mode]; }

void set_canvas(struct tv_tensor *mark, struct size size) {
  mark->canvas_size[0] = size.height;
  mark->canvas_size[1] = size.width;
}

const ctorch_tensor *mask_begin(struct calculation *c, const ctorch_tensor *mask) {
  return ctorch_tensor_ndim(mask) < 3 ? calc_unsqueeze(c, mask, 0) : mask;
}

const ctorch_tensor *mask_end(struct calculation *c, const ctorch_tensor *result, const ctorch_tensor *mask) {
  return ctorch_tensor_ndim(mask) < 3 ? calc_squeeze(c, result, 0) : result;
}

/* a * b / c, as Python divides ints, rounded towards zero. */
static int64_t proportion(struct calculation *c, int64_t a, int64_t b, int64_t divisor) {
  if (divisor == 0) {
    calc_fail(c, CTORCH_ERROR_VALUE, "inpt: an image with a side of 0 pixels has no proportions (division by zero)");
    return 0;
  }
  double quotient = (double)a * (double)b / (double)divisor;
  if (!(quotient > -9e18 && quotient < 9e18)) {
    calc_fail(c, CTORCH_ERROR_VALUE, "size: %g pixels are too many", quotient);
    return 0;
  }
  return (int64_t)quotient;
}

struct sides {
  int64_t shorter, longer;
};

/* The longer side at most `max_size`, in proportion. */
static void fit_longer(struct calculation *c, struct sides *sides, const struct resize *how) {
  if (how->max_size == NULL) {
    return;
  }
  int64_t max_size = *how->max_size;
  if (max_size <= sides->shorter) {
    calc_fail(
        c, CTORCH_ERROR_VALUE,
        "max_size = %" PRId64 " must be strictly greater than the requested size for the smaller edge size = [%" PRId64
        "]",
        max_size, sides->shorter);
  } else if (sides->longer > max_size) {
    *sides = (struct sides){proportion(c, max_size, sides->shorter, sides->longer), max_size};
  }
}

/* The size that comes of an old one. */
static struct size new_size(struct calculation *c, struct size old, const struct resize *how) {
  bool is_upright = old.width <= old.height;
  int64_t shorter = is_upright ? old.width : old.height, longer = is_upright ? old.height : old.width;
  struct sides sides = {0};
  if (how->max_size != NULL && how->size != NULL && how->size_len != 1) {
    calc_fail(
        c, CTORCH_ERROR_VALUE,
        "max_size should only be passed if size is None or specifies the length of the smaller edge");
  } else if (how->size == NULL && how->max_size == NULL) {
    calc_fail(c, CTORCH_ERROR_VALUE, "max_size must be an integer when size is None, but got None instead.");
  } else if (how->size == NULL) {
    sides = (struct sides){proportion(c, *how->max_size, shorter, longer), *how->max_size};
  } else if (how->size_len == 1) {
    sides = (struct sides){how->size[0], proportion(c, how->size[0], longer, shorter)};
    fit_longer(c, &sides, how);
  } else if (how->size_len < 2) {
    calc_fail(c, CTORCH_ERROR_INDEX, "size: expected one or two numbers, got none");
  } else {
    return (struct size){how->size[0], how->size[1]};
  }
  return is_upright ? (struct size){.height = sides.longer, .width = sides.shorter}
                    : (struct size){.height = sides.shorter, .width = sides.longer};
}

/* Whether bytes are interpolated as they are by this processor: as torchvision asks it, of vector instructions. */
static bool interpolates_bytes(struct calculation *c) {
#if defined(__aarch64__)
  (void)c;
  return true;
#else
  static atomic_int known; /* 1 for no, 2 for yes */
  if (atomic_load(&known) == 0) {
    ctorch_string *capability = NULL;
    calc_fail_with(c, ctorch_build_cpu_capability(&capability));
    if (c->error != NULL) {
      return false;
    }
    const char *name = ctorch_string_data(capability);
    atomic_store(&known, strcmp(name, "AVX2") == 0 || strcmp(name, "AVX512") == 0 ? 2 : 1);
    ctorch_string_release(capability);
  }
  return atomic_load(&known) == 2;
#endif
}

/* Whether the operator takes pixels of this type as they are. */
static bool takes(struct calculation *c, const ctorch_tensor *image, enum interpolation mode) {
  ctorch_dtype dtype = ctorch_tensor_dtype(image);
  if (dtype == CTORCH_DTYPE_FLOAT32 || dtype == CTORCH_DTYPE_FLOAT64) {
    return true;
  }
  if (dtype != CTORCH_DTYPE_UINT8) {
    return false;
  }
  if (mode == INTERPOLATION_NEAREST || mode == INTERPOLATION_NEAREST_EXACT) {
    return true;
  }
  if (ctorch_tensor_device_type(image) != CTORCH_DEVICE_TYPE_CPU) {
    return false;
  }
  return mode == INTERPOLATION_BICUBIC || mode == INTERPOLATION_LANCZOS ||
         (mode == INTERPOLATION_BILINEAR && interpolates_bytes(c));
}

/* One image whose channels lie last, with the stride of a batch that tells the operator so. */
static const ctorch_tensor *restrided(struct calculation *c, const ctorch_tensor *images) {
  bool is_channels_last = false;
  if (!calc_goes_on(c, images, images) || ctorch_tensor_sizes(images)[0] != 1) {
    return images;
  }
  calc_fail_with(
      c, ctorch_aten_is_contiguous_memory_format(&is_channels_last, images, CTORCH_MEMORY_FORMAT_CHANNELS_LAST));
  const int64_t *strides = ctorch_tensor_strides(images);
  int64_t numel = ctorch_tensor_numel(images);
  if (c->error != NULL || !is_channels_last || strides == NULL || numel == strides[0]) {
    return images;
  }
  const int64_t better[] = {numel, strides[1], strides[2], strides[3]};
  ctorch_tensor *made = NULL;
  calc_fail_with(c, ctorch_aten_as_strided(&made, images, ctorch_tensor_sizes(images), 4, better, 4, NULL));
  return made;
}

static ctorch_tensor *interpolate(
    struct calculation *c, const ctorch_tensor *images, struct size size, enum interpolation mode, bool antialias) {
  static const bool no_corners = false;
  bool has_corners = mode == INTERPOLATION_BILINEAR || mode == INTERPOLATION_BICUBIC || mode == INTERPOLATION_LANCZOS;
  ctorch_tensor *made = NULL;
  if (calc_goes_on(c, images, images)) {
    const int64_t sizes[] = {size.height, size.width};
    calc_fail_with(
        c, ctorch_functional_interpolate(
               &made, images, sizes, 2, NULL, 0, MODES[mode], has_corners ? &no_corners : NULL, NULL,
               has_corners && antialias));
  }
  return made;
}

/* Pixels of another type go by way of float32. */
static const ctorch_tensor *interpolate_as_float(
    struct calculation *c, const ctorch_tensor *images, struct size size, enum interpolation mode, bool antialias) {
  ctorch_dtype dtype = ctorch_tensor_dtype(images);
  ctorch_tensor *floats = calc_to(c, images, CTORCH_DTYPE_FLOAT32);
  ctorch_tensor *made = interpolate(c, floats, size, mode, antialias);
  calc_drop(c, floats);
  if ((mode == INTERPOLATION_BICUBIC || mode == INTERPOLATION_LANCZOS) && dtype == CTORCH_DTYPE_UINT8) {
    calc_clamp_(c, made, whole(0), whole(255));
  }
  if (dtype_value_bits(dtype) > 0 && dtype != CTORCH_DTYPE_UINT16) {
    calc_round_(c, made);
  }
  return calc_to(c, made, dtype);
}

const ctorch_tensor *resize_image(struct calculation *c, const ctorch_tensor *image, const struct resize *how) {
  enum interpolation mode = INTERPOLATION_NEAREST;
  int64_t ndim = 0, sizes[64];
  if (!calc_goes_on(c, image, image)) {
    return NULL;
  }
  calc_fail_with(c, interpolation_read(c->function, &mode, how->interpolation));
  if (mode == INTERPOLATION_LANCZOS && !how->antialias) {
    calc_fail(c, CTORCH_ERROR_VALUE, "interpolation: lanczos requires antialias=True");
  }
  ndim = ctorch_tensor_ndim(image);
  if (ndim < 3) {
    calc_fail(c, CTORCH_ERROR_VALUE, "inpt: expected [..., C, H, W], got %" PRId64 " dimensions", ndim);
  }
  struct size old = {size_from_end(image, -2), size_from_end(image, -1)}, size = new_size(c, old, how);
  if (c->error != NULL || (size.height == old.height && size.width == old.width)) {
    return image;
  }
  const ctorch_tensor *made = image;
  if (ctorch_tensor_numel(image) > 0) {
    const ctorch_tensor *images =
        calc_reshape(c, image, (const int64_t[]){-1, size_from_end(image, -3), old.height, old.width}, 4);
    images = restrided(c, images);
    made = takes(c, image, mode) ? interpolate(c, images, size, mode, how->antialias)
                                 : interpolate_as_float(c, images, size, mode, how->antialias);
  }
  for (int64_t i = 0; i < ndim - 2 && i < 62; i++) {
    sizes[i] = ctorch_tensor_sizes(image)[i];
  }
  sizes[ndim - 2] = size.height;
  sizes[ndim - 1] = size.width;
  return calc_reshape(c, made, sizes, (size_t)ndim);
}

const ctorch_tensor *resize_mask(struct calculation *c, const ctorch_tensor *mask, const struct resize *how) {
  enum interpolation mode = INTERPOLATION_NEAREST;
  struct resize nearest = *how;
  calc_fail_with(c, interpolation_read(c->function, &mode, how->interpolation));
  nearest.interpolation = MODES[mode == INTERPOLATION_NEAREST_EXACT ? mode : INTERPOLATION_NEAREST];
  return mask_end(c, resize_image(c, mask_begin(c, mask), &nearest), mask);
}

/* x times the ratios of sizes, in float32 or better, then as before. */
static ctorch_tensor *scaled(
    struct calculation *c, const ctorch_tensor *x, struct size old, struct size size, size_t columns) {
  double ratios[8];
  if (old.height == 0 || old.width == 0) {
    calc_fail(c, CTORCH_ERROR_VALUE, "inpt: a canvas with a side of 0 pixels has no proportions (division by zero)");
    return NULL;
  }
  for (size_t i = 0; i < columns; i++) {
    ratios[i] = i % 2 == 0 ? (double)size.width / (double)old.width : (double)size.height / (double)old.height;
  }
  return calc_mul(c, x, calc_doubles(c, ratios, columns, CTORCH_DTYPE_FLOAT32, x));
}

const ctorch_tensor *resize_keypoints(
    struct calculation *c, const ctorch_tensor *keypoints, struct tv_tensor *mark, const struct resize *how) {
  struct size old = canvas_of(mark), size = new_size(c, old, how);
  if (c->error != NULL || (size.height == old.height && size.width == old.width)) {
    return keypoints;
  }
  set_canvas(mark, size);
  ctorch_tensor *moved = scaled(c, keypoints, old, size, 2);
  return calc_to(c, moved, ctorch_tensor_dtype(keypoints));
}

const ctorch_tensor *resize_boxes(
    struct calculation *c, const ctorch_tensor *boxes, struct tv_tensor *mark, const struct resize *how) {
  struct size old = canvas_of(mark), size = new_size(c, old, how);
  if (c->error != NULL || (size.height == old.height && size.width == old.width)) {
    return boxes;
  }
  set_canvas(mark, size);
  ctorch_dtype dtype = ctorch_tensor_dtype(boxes);
  if (!box_format_is_rotated(mark->format)) {
    return calc_to(c, scaled(c, boxes, old, size, 4), dtype);
  }
  const ctorch_tensor *corners = calc_rows(c, boxes_convert(c, boxes, mark->format, BOX_XYXYXYXY, false), 8);
  corners = parallelograms_to_boxes(c, scaled(c, corners, old, size, 8));
  corners = boxes_clamp_as(c, corners, BOX_XYXYXYXY, mark);
  ctorch_tensor *made = calc_to(c, boxes_convert(c, corners, BOX_XYXYXYXY, mark->format, false), dtype);
  return calc_reshape_as(c, made, boxes);
}

ctorch_error *vision_resize(
    const char *function, ctorch_tensor **out, const ctorch_tensor *input, const struct resize *how) {
  const struct tv_tensor *old_mark = tv_tensor_of(input);
  struct tv_tensor mark = old_mark == NULL ? (struct tv_tensor){0} : *old_mark;
  const ctorch_tensor *resized = NULL;
  struct calculation c;
  calculation_begin(&c, function);
  switch (mark.kind) {
    case CTORCH_TV_TENSOR_BOUNDING_BOXES:
      resized = resize_boxes(&c, input, &mark, how);
      break;
    case CTORCH_TV_TENSOR_KEY_POINTS:
      resized = resize_keypoints(&c, input, &mark, how);
      break;
    case CTORCH_TV_TENSOR_MASK:
      resized = resize_mask(&c, input, how);
      break;
    default:
      resized = resize_image(&c, input, how);
      break;
  }
  return tv_tensor_end(&c, out, resized, old_mark == NULL ? NULL : &mark);
}

ctorch_error *transforms_functional_resize(
    const char *function, ctorch_tensor **out, const struct transforms_functional_resize_options *options) {
  struct resize how = {options->size, options->size_len, options->max_size, options->interpolation, options->antialias};
  return vision_resize(function, out, options->inpt, &how);
}
