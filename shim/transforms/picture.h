/**
 * What transforms of colours have in common: channels, ranges, and computations of several
 * tensors.
 *
 *     enum { GRAY, MEAN, TENSORS };
 *     ctorch_tensor *t[TENSORS] = {NULL};
 *     ctorch_error *error = number_times(&t[GRAY], image, CTORCH_FLOAT(0.5));
 *     THEN(error, ctorch_aten_mean(&t[MEAN], t[GRAY], NULL));
 *     …
 *     return picture_end(t, TENSORS, error);
 */
#ifndef CTORCH_SHIM_TRANSFORMS_PICTURE_H
#define CTORCH_SHIM_TRANSFORMS_PICTURE_H

#include <ctorch.h>

#include "base/number.h"
#include "base/sequence.h"
#include "transforms/element_type.h"

/** Release what a computation has made, some of it NULL, and hand on its error. */
ctorch_error *picture_end(ctorch_tensor **tensors, size_t len, ctorch_error *error) __attribute__((warn_unused_result));

/** Put what was made of `*at` in its place. */
void picture_take(ctorch_tensor **at, ctorch_tensor **made);

/** What the channels of a picture are counted from: dimension -3. INDEX where there are fewer. */
ctorch_error *picture_channels(const char *function, int64_t *out, const ctorch_tensor *image)
    __attribute__((warn_unused_result));

/** TYPE unless there are 1 or 3 channels. */
ctorch_error *picture_one_or_three(const char *function, int64_t *out, const ctorch_tensor *image)
    __attribute__((warn_unused_result));

/** How many bits of an integer are its value; TYPE for other dtypes. */
ctorch_error *picture_bits(const char *function, int64_t *out, ctorch_dtype dtype) __attribute__((warn_unused_result));

/**
 * The image in another dtype, its values scaled from the range of the one to that of the other; itself if it has that
 * dtype. RUNTIME for a float that has fewer digits than the integer, TYPE for an integer dtype without a range.
 */
ctorch_error *picture_scaled(const char *function, ctorch_tensor **out, const ctorch_tensor *image, ctorch_dtype dtype)
    __attribute__((warn_unused_result));

/** Clamp to the range of a dtype, in place, and convert to it: what has been computed of an image of that dtype. */
ctorch_error *picture_clamped(ctorch_tensor **out, ctorch_tensor *computed, ctorch_dtype dtype)
    __attribute__((warn_unused_result));

#endif
