/**
 * Where pixels, boxes and keypoints go: what the functionals of transforms_functional do, for transforms and for the
 * functions of that name.
 *
 * Each takes any tensor that has a kernel for its mark, and marks what it gives alike (`vision_…`); below it are
 * kernels for images, masks, boxes and keypoints, which see tensors without their marks.
 */
#ifndef CTORCH_SHIM_TRANSFORMS_GEOMETRY_H
#define CTORCH_SHIM_TRANSFORMS_GEOMETRY_H

#include "base/calculation.h"
#include "transforms/fill.h"
#include "transforms/tv_tensor.h"

enum interpolation {
  INTERPOLATION_NEAREST,
  INTERPOLATION_NEAREST_EXACT,
  INTERPOLATION_BILINEAR,
  INTERPOLATION_BICUBIC,
  INTERPOLATION_BOX,
  INTERPOLATION_HAMMING,
  INTERPOLATION_LANCZOS
};

/** VALUE for what is no name of one. */
ctorch_error *interpolation_read(const char *function, enum interpolation *out, const char *name)
    __attribute__((warn_unused_result));
const char *interpolation_name(enum interpolation mode);

/** Height and width, of images and canvases. */
struct size {
  int64_t height, width;
};

/** The size of boxes' or keypoints' canvas; of other tensors, of the image. */
static inline struct size canvas_of(const struct tv_tensor *mark) {
  return (struct size){mark->canvas_size[0], mark->canvas_size[1]};
}
void set_canvas(struct tv_tensor *mark, struct size size);

/** A mask without channels gets one, and loses it again: at `begin` a view, at `end` a view of the result. */
const ctorch_tensor *mask_begin(struct calculation *c, const ctorch_tensor *mask);
const ctorch_tensor *mask_end(struct calculation *c, const ctorch_tensor *result, const ctorch_tensor *mask);

/* flip.c */

ctorch_error *vision_flip(const char *function, ctorch_tensor **out, const ctorch_tensor *input, bool is_vertical)
    __attribute__((warn_unused_result));

/* resize.c */

struct resize {
  const int64_t *size; /* NULL for None */
  size_t size_len;
  const int64_t *max_size; /* NULL for None */
  const char *interpolation;
  bool antialias;
};

ctorch_error *vision_resize(
    const char *function, ctorch_tensor **out, const ctorch_tensor *input, const struct resize *how)
    __attribute__((warn_unused_result));
const ctorch_tensor *resize_image(struct calculation *c, const ctorch_tensor *image, const struct resize *how);
const ctorch_tensor *resize_mask(struct calculation *c, const ctorch_tensor *mask, const struct resize *how);
/** Boxes and keypoints; `mark` has the size of the old canvas, and gets that of the new one. */
const ctorch_tensor *resize_boxes(
    struct calculation *c, const ctorch_tensor *boxes, struct tv_tensor *mark, const struct resize *how);
const ctorch_tensor *resize_keypoints(
    struct calculation *c, const ctorch_tensor *keypoints, struct tv_tensor *mark, const struct resize *how);

/* crop.c */

struct crop {
  int64_t top, left, height, width;
};

ctorch_error *vision_crop(
    const char *function, ctorch_tensor **out, const ctorch_tensor *input, const struct crop *crop)
    __attribute__((warn_unused_result));
ctorch_error *vision_center_crop(
    const char *function, ctorch_tensor **out, const ctorch_tensor *input, struct size size)
    __attribute__((warn_unused_result));
ctorch_error *vision_resized_crop(
    const char *function,
    ctorch_tensor **out,
    const ctorch_tensor *input,
    const struct crop *crop,
    const struct resize *how) __attribute__((warn_unused_result));
/** Five crops, and five more of the flipped image if `flips`. */
ctorch_error *vision_crops(
    const char *function,
    ctorch_tensor **out,
    const ctorch_tensor *input,
    struct size size,
    bool flips,
    bool is_vertical) __attribute__((warn_unused_result));

/* pad.c */

struct padding {
  int64_t left, right, top, bottom;
};

/** From one number, two or four, in the order left, top, right, bottom; VALUE for another length. */
ctorch_error *padding_read(const char *function, struct padding *out, const int64_t *padding, size_t len)
    __attribute__((warn_unused_result));
/** VALUE for what is no mode. */
ctorch_error *padding_mode_check(const char *function, const char *mode) __attribute__((warn_unused_result));

ctorch_error *vision_pad(
    const char *function,
    ctorch_tensor **out,
    const ctorch_tensor *input,
    const struct padding *padding,
    const struct fill *fill,
    const char *mode) __attribute__((warn_unused_result));
/** With zeros. */
const ctorch_tensor *pad_with_zeros(struct calculation *c, const ctorch_tensor *image, const struct padding *padding);

/* affine.c */

struct affine {
  double angle;
  double translate[2];
  double scale;
  double shear[2];
  const double *center; /* two numbers; NULL for the middle */
};

ctorch_error *vision_affine(
    const char *function,
    ctorch_tensor **out,
    const ctorch_tensor *input,
    const struct affine *affine,
    const char *interpolation,
    const struct fill *fill) __attribute__((warn_unused_result));
ctorch_error *vision_rotate(
    const char *function,
    ctorch_tensor **out,
    const ctorch_tensor *input,
    double angle,
    const char *interpolation,
    bool expand,
    const double *center,
    const struct fill *fill) __attribute__((warn_unused_result));

/* perspective.c */

/** The eight numbers that map the corners `end` to the corners `start`, each four points (x, y). */
ctorch_error *perspective_coefficients(
    const char *function, double out[8], const int64_t start[8], const int64_t end[8])
    __attribute__((warn_unused_result));
ctorch_error *vision_perspective(
    const char *function,
    ctorch_tensor **out,
    const ctorch_tensor *input,
    const double coefficients[8],
    const char *interpolation,
    const struct fill *fill) __attribute__((warn_unused_result));

/* elastic.c */

ctorch_error *vision_elastic(
    const char *function,
    ctorch_tensor **out,
    const ctorch_tensor *input,
    const ctorch_tensor *displacement,
    const char *interpolation,
    const struct fill *fill) __attribute__((warn_unused_result));

/* grid_transform.c */

/** Pixels of an image where a grid says, nearest or bilinear, and `fill` where that is outside. */
const ctorch_tensor *grid_transform(
    struct calculation *c,
    const ctorch_tensor *image,
    const ctorch_tensor *grid,
    enum interpolation mode,
    const struct fill *fill);
/** Refuse what grid_transform cannot do. */
ctorch_error *grid_transform_check(
    const char *function, const ctorch_tensor *image, enum interpolation mode, const struct fill *fill)
    __attribute__((warn_unused_result));
/** The type that a grid for this image has. */
ctorch_dtype grid_dtype(const ctorch_tensor *image);

#endif
