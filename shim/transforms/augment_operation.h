/**
 * What the automatic augmentations draw from: operations on pictures, with magnitudes that are counted in bins.
 */
#ifndef CTORCH_SHIM_TRANSFORMS_AUGMENT_OPERATION_H
#define CTORCH_SHIM_TRANSFORMS_AUGMENT_OPERATION_H

#include "transforms/fill.h"
#include "transforms/transform.h"

enum augment_operation {
  AUGMENT_IDENTITY,
  AUGMENT_SHEAR_X,
  AUGMENT_SHEAR_Y,
  AUGMENT_TRANSLATE_X,
  AUGMENT_TRANSLATE_Y,
  AUGMENT_ROTATE,
  AUGMENT_BRIGHTNESS,
  AUGMENT_COLOR,
  AUGMENT_CONTRAST,
  AUGMENT_SHARPNESS,
  AUGMENT_POSTERIZE,
  AUGMENT_SOLARIZE,
  AUGMENT_AUTO_CONTRAST,
  AUGMENT_EQUALIZE,
  AUGMENT_INVERT
};

/** How strong an operation is, from the first bin to the last. */
enum augment_scale {
  AUGMENT_NO_SCALE,  /* it has no magnitude */
  AUGMENT_LINEAR,    /* from `from` to `most` */
  AUGMENT_OF_WIDTH,  /* from 0 to the width times `most` by `divisor` */
  AUGMENT_OF_HEIGHT, /* the same of the height */
  AUGMENT_OF_BITS    /* bits to keep: `most` fewer in the last bin than in the first, which has `from` */
};

/** An entry of what is drawn from. */
struct augment_entry {
  enum augment_operation operation;
  enum augment_scale scale;
  double from, most;
  double divisor; /* of width or height times `most` */
  bool is_signed; /* it is drawn whether the magnitude is negative */
};

/** What all the automatic augmentations have. */
struct augment {
  ctorch_transform transform;
  char *interpolation;
  struct fills fills;
};

void augment_finalize(void *self);

/** Take over what every constructor has; `fill` NULL is None. */
ctorch_error *augment_begin(
    const char *function, struct augment *self, const char *interpolation, const ctorch_value *fill)
    __attribute__((warn_unused_result));

/** `interpolation` and `fill` of its text. */
void augment_repr(const ctorch_transform *self, struct text *text);

/** The one picture of a sample that is augmented. */
struct augment_sample {
  struct transform_leaves leaves;
  size_t at;                  /* of the leaves */
  const ctorch_tensor *image; /* borrowed from it */
  int64_t height, width;
};

/** TYPE for a sample without a picture, with several, or with masks, boxes or keypoints. Ended by augment_end, also
 * after an error. */
ctorch_error *augment_start(
    const ctorch_transform *self,
    const struct transform_call *call,
    struct augment_sample *out,
    const ctorch_value *input) __attribute__((warn_unused_result));

/** The sample with another picture in it, which is consumed, also if there is an `error`, which is handed on. */
ctorch_error *augment_end(
    const struct transform_call *call,
    ctorch_value **out,
    struct augment_sample *self,
    const ctorch_value *input,
    ctorch_tensor *image,
    ctorch_error *error) __attribute__((warn_unused_result));

/** The magnitudes of all bins, float32; NULL if the operation has none. */
ctorch_error *augment_magnitudes(
    ctorch_tensor **out, const struct augment_entry *entry, int64_t bins, const struct augment_sample *sample)
    __attribute__((warn_unused_result));

/**
 * Put what an operation makes of `*image` in its place.
 *
 * @param magnitudes  consumed; NULL for none.
 * @param bin         negative numbers count from the last; INDEX for none of them.
 */
ctorch_error *augment_apply(
    const struct augment *self,
    struct transform_call *call,
    ctorch_tensor **image,
    const struct augment_entry *entry,
    ctorch_tensor *magnitudes,
    int64_t bin) __attribute__((warn_unused_result));

#endif
