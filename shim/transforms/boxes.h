/**
 * Bounding boxes and keypoints: conversion of formats, and how they are kept inside their canvas. Tensors come without
 * their marks.
 */
#ifndef CTORCH_SHIM_TRANSFORMS_BOXES_H
#define CTORCH_SHIM_TRANSFORMS_BOXES_H

#include "base/calculation.h"
#include "transforms/tv_tensor.h"

/** Boxes in another format; they themselves if it is the same. VALUE between rotated and others. `in_place` lets the
 * boxes be changed, which they need not be. */
const ctorch_tensor *boxes_convert(
    struct calculation *c,
    const ctorch_tensor *boxes,
    enum box_format old_format,
    enum box_format new_format,
    bool in_place);

/** Boxes inside their canvas, which `mark` tells as it does their format and the mode; a copy. */
const ctorch_tensor *boxes_clamp(struct calculation *c, const ctorch_tensor *boxes, const struct tv_tensor *mark);
/** Boxes in another format than that of their mark. */
const ctorch_tensor *boxes_clamp_as(
    struct calculation *c, const ctorch_tensor *boxes, enum box_format format, const struct tv_tensor *mark);
/** Rotated boxes (…, 8), by their corners: boxes_clamp.c has the rest. */
const ctorch_tensor *boxes_clamp_rotated(
    struct calculation *c, const ctorch_tensor *boxes, enum box_format format, const struct tv_tensor *mark);

/** Rectangles for parallelograms (…, 8), which keep the longer diagonal. */
const ctorch_tensor *parallelograms_to_boxes(struct calculation *c, const ctorch_tensor *corners);

/** Corners (N * 4, 2) of boxes (N, 4). */
const ctorch_tensor *boxes_corners(struct calculation *c, const ctorch_tensor *boxes);
/** The smallest boxes (N, 4) around corners (N * 4, 2). */
const ctorch_tensor *boxes_around(struct calculation *c, const ctorch_tensor *corners);

/** Which boxes (N, K) are inside their canvas and have a size: a mask (N). */
const ctorch_tensor *boxes_valid(
    struct calculation *c, const ctorch_tensor *boxes, const struct tv_tensor *mark, double min_size, double min_area);

const ctorch_tensor *keypoints_clamp(
    struct calculation *c, const ctorch_tensor *keypoints, const int64_t canvas_size[2]);
/** Which keypoints, or groups of them, are inside their canvas. */
const ctorch_tensor *keypoints_valid(
    struct calculation *c, const ctorch_tensor *keypoints, const int64_t canvas_size[2]);

#endif
