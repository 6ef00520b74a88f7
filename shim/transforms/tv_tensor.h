/**
 * What a tensor is marked as: an image, a video, a mask, bounding boxes or keypoints.
 */
#ifndef CTORCH_SHIM_TRANSFORMS_TV_TENSOR_H
#define CTORCH_SHIM_TRANSFORMS_TV_TENSOR_H

#include <ctorch.h>

#include "base/calculation.h"

enum box_format { BOX_XYXY, BOX_XYWH, BOX_CXCYWH, BOX_XYWHR, BOX_CXCYWHR, BOX_XYXYXYXY };
enum clamping_mode { CLAMPING_NONE, CLAMPING_SOFT, CLAMPING_HARD };

/** A mark, an object that tensors share. */
struct tv_tensor {
  ctorch_tv_tensor_kind kind;
  enum box_format format;      /* of bounding boxes */
  enum clamping_mode clamping; /* of bounding boxes */
  int64_t canvas_size[2];      /* height and width, of bounding boxes and keypoints */
};

/** The mark of a tensor, borrowed from it; NULL for none. */
const struct tv_tensor *tv_tensor_of(const ctorch_tensor *self);

/** Mark a tensor, over the same memory; as Python's classes do, it may get a first size of 1. NULL is no mark: the
 * tensor itself is given. */
ctorch_error *tv_tensor_wrap(
    const char *function, ctorch_tensor **out, const ctorch_tensor *tensor, const struct tv_tensor *mark)
    __attribute__((warn_unused_result));

/** Mark what was made, which is consumed, also if there is an `error`, which is handed on. */
ctorch_error *tv_tensor_give(
    const char *function, ctorch_tensor **out, ctorch_tensor *made, const struct tv_tensor *mark, ctorch_error *error)
    __attribute__((warn_unused_result));

/** End a calculation, and hand a result out, or what the calculation started from, marked so; NULL is no mark. */
ctorch_error *tv_tensor_end(
    struct calculation *calculation, ctorch_tensor **out, const ctorch_tensor *result, const struct tv_tensor *mark)
    __attribute__((warn_unused_result));
/** As tv_tensor_end, with another result, which has no mark. */
ctorch_error *tv_tensor_end_two(
    struct calculation *calculation,
    ctorch_tensor **out,
    const ctorch_tensor *result,
    const struct tv_tensor *mark,
    ctorch_tensor **other_out,
    const ctorch_tensor *other) __attribute__((warn_unused_result));

bool box_format_is_rotated(enum box_format format);
/** Numbers that a box has: 4, 5 or 8. */
int64_t box_format_len(enum box_format format);
const char *box_format_name(enum box_format format);
/** In any case of letters, as Python's constructors; INDEX for no format. */
ctorch_error *box_format_read(const char *function, enum box_format *out, const char *name)
    __attribute__((warn_unused_result));
/** "soft", "hard", and "none" for None; VALUE for no mode. */
ctorch_error *clamping_mode_read(const char *function, enum clamping_mode *out, const char *name)
    __attribute__((warn_unused_result));
/** "soft", "hard"; NULL for None. */
const char *clamping_mode_name(enum clamping_mode mode);

#endif
