/**
 * Sparse tensors out of their parts, checked: indices that do not fit are an error here, where the operators that
 * PyTorch has for it (`ctorch_aten_sparse_coo_tensor_indices_size`) take them on trust and read beyond memory later.
 *
 * Everything else operators do in one call:
 *
 * - dense to sparse `ctorch_aten_to_sparse` and `_to_sparse_csr`, `_csc`, `_bsr`, `_bsc`; back `ctorch_aten_to_dense`
 * - parts of COO `ctorch_aten_indices`, `_values` (of a coalesced tensor), `ctorch_aten__indices`, `__values` (of any)
 * - parts of CSR and BSR `ctorch_aten_crow_indices`, `_col_indices`, `_values`; of CSC and BSC `_ccol_indices`,
 *   `_row_indices`, `_values`
 * - `ctorch_aten_coalesce`, `_is_coalesced`, `_sparse_dim`, `_dense_dim`, `__nnz`, `_sparse_mask`
 */
#ifndef CTORCH_SPARSE_H
#define CTORCH_SPARSE_H

#include "ctorch/abi/base.h"
#include "ctorch/abi/types.h"

CTORCH_BEGIN_DECLS

/**
 * Make a tensor in coordinate format (`torch.sparse_coo_tensor` with `check_invariants=True`).
 *
 * @param[out] out      owned; gradients flow into `values`.
 * @param indices       borrowed, shape (sparse_dim, nnz), of an integer dtype: column i says where values[i] is.
 * @param values        borrowed, shape (nnz, …): the dimensions after the first are dense.
 * @param size          shape, `size_len` entries: sparse dimensions, then dense ones; NULL with length 0 for the
 *                      smallest that the indices fit in.
 * @param size_len      number of dimensions.
 * @param dtype         element type; NULL for that of `values`.
 * @param device        where to; NULL for that of `values`.
 * @param is_coalesced  whether the indices are sorted and unique; true is checked. NULL for unknown.
 * @return NULL, or NULL_ARGUMENT, INVALID_ARGUMENT (unknown dtype or device), RUNTIME and others (parts that do not fit
 *         each other or the size).
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_tensor_sparse_coo(
    ctorch_tensor **out,
    const ctorch_tensor *indices,
    const ctorch_tensor *values,
    const int64_t *size,
    size_t size_len,
    const ctorch_dtype *dtype,
    const ctorch_device *device,
    const bool *is_coalesced);

/**
 * Make a tensor in a compressed format (`torch.sparse_compressed_tensor` with `check_invariants=True`).
 *
 * @param[out] out            owned; gradients flow into `values`.
 * @param compressed_indices  borrowed, int32 or int64, shape (…, rows + 1), or columns + 1 for CSC and BSC: where each
 *                            row begins in `plain_indices`.
 * @param plain_indices       borrowed, of the same dtype, shape (…, nnz): the column, or row, of each value.
 * @param values              borrowed, shape (…, nnz, …); a block each for BSR and BSC.
 * @param size                shape, `size_len` entries; NULL with length 0 for the smallest that the indices fit in.
 * @param size_len            number of dimensions.
 * @param layout              CTORCH_LAYOUT_SPARSE_CSR, _CSC, _BSR or _BSC.
 * @param dtype               element type; NULL for that of `values`.
 * @param device              where to; NULL for that of `values`.
 * @return NULL, or NULL_ARGUMENT, INVALID_ARGUMENT (unknown dtype, layout or device; blocks without elements), RUNTIME
 *         and others (another layout; parts that do not fit each other or the size).
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_tensor_sparse_compressed(
    ctorch_tensor **out,
    const ctorch_tensor *compressed_indices,
    const ctorch_tensor *plain_indices,
    const ctorch_tensor *values,
    const int64_t *size,
    size_t size_len,
    ctorch_layout layout,
    const ctorch_dtype *dtype,
    const ctorch_device *device);

CTORCH_END_DECLS

#endif
