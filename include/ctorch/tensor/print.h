/**
 * Tensors as text, as Python's `repr` and `print` show them.
 */
#ifndef CTORCH_PRINT_H
#define CTORCH_PRINT_H

#include "ctorch/abi/base.h"

CTORCH_BEGIN_DECLS

/**
 * The tensor as text, as Python's `repr` prints it. An option that is NULL is the one set for the process.
 *
 * @param[out] out    owned.
 * @param self        borrowed; NULL prints as "None".
 * @param threshold   elements above which the text is summarised, >= 0; NULL for the one set, at first 1000.
 * @param edge_items  elements shown at each end of a summarised dimension, >= 1; NULL for the one set, at first 3.
 * @param precision   digits after the point, 0 to 64; NULL for the one set, at first 4.
 * @param line_width  characters a line may have, >= 1; NULL for the one set, at first 80.
 * @param sci_mode    scientific notation; NULL for the one set, at first to decide by the values.
 * @return NULL, or NULL_ARGUMENT (`out`), INVALID_ARGUMENT (an option out of range).
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_tensor_repr(
    ctorch_string **out,
    const ctorch_tensor *self,
    const int64_t *threshold,
    const int64_t *edge_items,
    const int64_t *precision,
    const int64_t *line_width,
    const bool *sci_mode);

/**
 * Print a tensor and a line end, as Python's `print` does, with the options set for the process.
 *
 * @param self             borrowed; NULL prints as "None".
 * @param file_descriptor  where to; NULL for standard output, in line with what the C library has printed so far.
 * @return NULL, or IO (it cannot be written), or what making the text answers.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_tensor_print(const ctorch_tensor *self, const int32_t *file_descriptor);

/**
 * Set the options for this process (`torch.set_printoptions`). As there, `sci_mode` is set by every call.
 *
 * @param profile     "default", "short" (precision 2, edge items 2) or "full" (no summary), which sets the four numbers
 *                    first; NULL for none.
 * @param threshold   as for ctorch_tensor_repr; NULL to leave it.
 * @param edge_items  as for ctorch_tensor_repr; NULL to leave it.
 * @param precision   as for ctorch_tensor_repr; NULL to leave it.
 * @param line_width  as for ctorch_tensor_repr; NULL to leave it.
 * @param sci_mode    scientific notation; NULL to decide by the values.
 * @return NULL, or INVALID_ARGUMENT (an option out of range, an unknown profile); then nothing is set.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_print_set_options(
    const char *profile,
    const int64_t *threshold,
    const int64_t *edge_items,
    const int64_t *precision,
    const int64_t *line_width,
    const bool *sci_mode);

/**
 * The options set for this process (`torch.get_printoptions`).
 *
 * @param[out] out_threshold   INT64_MAX if nothing is ever summarised; may be NULL.
 * @param[out] out_edge_items  may be NULL.
 * @param[out] out_precision   may be NULL.
 * @param[out] out_line_width  may be NULL.
 * @param[out] out_sci_mode    1 for always, 0 for never, -1 to decide by the values; may be NULL.
 */
CTORCH_EXPORT void ctorch_print_options(
    int64_t *out_threshold,
    int64_t *out_edge_items,
    int64_t *out_precision,
    int64_t *out_line_width,
    int32_t *out_sci_mode);

CTORCH_END_DECLS

#endif
