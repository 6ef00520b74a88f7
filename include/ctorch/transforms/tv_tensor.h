/**
 * Tensors that are marked as images, videos, masks, bounding boxes or keypoints (`torchvision.tv_tensors`), so that
 * transforms treat each as what it is.
 *
 *     CTORCH_TRY(ctorch_tv_tensors_Image(&image, pixels, NULL, NULL, NULL));
 *     CTORCH_TRY(ctorch_tv_tensors_BoundingBoxes(&boxes, corners, "XYXY", CTORCH_INTS(480, 640), NULL, …));
 *
 * The functions of generated/tv_tensors.h make them. Such a tensor shares the memory of the one that it was made of,
 * and is differentiable through it; it can be given wherever a tensor can. What operators make of it is a tensor
 * without a mark, as with torchvision, also what clone, detach and to give: ctorch_tv_tensors_wrap marks it again.
 * Transforms and their functions mark what they give as what they got.
 */
#ifndef CTORCH_TV_TENSOR_H
#define CTORCH_TV_TENSOR_H

#include "ctorch/abi/base.h"

CTORCH_BEGIN_DECLS

/** What a tensor is marked as. */
typedef int32_t ctorch_tv_tensor_kind;
enum {
  /** A tensor without a mark. */
  CTORCH_TV_TENSOR_NONE = 0,
  /** [..., C, H, W]. */
  CTORCH_TV_TENSOR_IMAGE = 1,
  /** [..., T, C, H, W]. */
  CTORCH_TV_TENSOR_VIDEO = 2,
  /** [..., H, W]. */
  CTORCH_TV_TENSOR_MASK = 3,
  /** [N, K], where K is 4, or 5 or 8 for rotated boxes. */
  CTORCH_TV_TENSOR_BOUNDING_BOXES = 4,
  /** [..., 2]. */
  CTORCH_TV_TENSOR_KEY_POINTS = 5
};

/**
 * What a tensor is marked as.
 *
 * @param self  borrowed; may be NULL.
 * @return CTORCH_TV_TENSOR_NONE for a tensor without a mark, and for NULL.
 */
CTORCH_API ctorch_tv_tensor_kind ctorch_tv_tensor_kind_of(const ctorch_tensor *self);

/**
 * Name of a kind, as Python's class: "Tensor", "Image", "Video", "Mask", "BoundingBoxes", "KeyPoints".
 *
 * @param kind  any number.
 * @return static text; NULL for an unknown kind.
 */
CTORCH_API const char *ctorch_tv_tensor_kind_name(ctorch_tv_tensor_kind kind);

/**
 * What the numbers of bounding boxes are: "XYXY", "XYWH", "CXCYWH"; of rotated boxes "XYWHR", "CXCYWHR", "XYXYXYXY".
 *
 * @param self  borrowed; may be NULL.
 * @return static text; NULL for what are no bounding boxes.
 */
CTORCH_API const char *ctorch_tv_tensor_format(const ctorch_tensor *self);

/**
 * How transforms keep bounding boxes inside the image: "soft", "hard".
 *
 * @param self  borrowed; may be NULL.
 * @return static text; NULL for None, and for what are no bounding boxes.
 */
CTORCH_API const char *ctorch_tv_tensor_clamping_mode(const ctorch_tensor *self);

/**
 * Size of the image that bounding boxes or keypoints are about.
 *
 * @param[out] out_height  in pixels.
 * @param[out] out_width   in pixels.
 * @param self             borrowed.
 * @return NULL, or NULL_ARGUMENT, TYPE (neither bounding boxes nor keypoints).
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_tv_tensor_canvas_size(
    int64_t *out_height, int64_t *out_width, const ctorch_tensor *self);

CTORCH_END_DECLS

#endif
