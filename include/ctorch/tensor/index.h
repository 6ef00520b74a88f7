/**
 * Indexing as in Python: what stands between the brackets of `x[0, 1:5, ..., mask]`, to read and to assign.
 *
 * One call, with the index as text; `%d` takes the next integer and `%t` the next tensor:
 *
 *     CTORCH_TRY(ctorch_tensor_index_text(&y, x, "0, 1:5, ..., ::2", CTORCH_DEFAULT_LIST, CTORCH_DEFAULT_LIST));
 *     CTORCH_TRY(ctorch_tensor_index_text(&y, x, "%d, :%d, %t", CTORCH_INTS(i, n), CTORCH_TENSORS(mask)));
 *     CTORCH_TRY(ctorch_tensor_index_put_scalar_text(x, "..., %t", CTORCH_DEFAULT_LIST, CTORCH_TENSORS(mask), &zero));
 *
 * Or piece by piece, which suits bindings: a `ctorch_index` is made once, pushed to, and used as often as one likes.
 *
 *     CTORCH_TRY(ctorch_index_push_int(index, 0));
 *     CTORCH_TRY(ctorch_index_push_slice(index, CTORCH_SOME(int64_t, 1), CTORCH_SOME(int64_t, 5), NULL));
 *     CTORCH_TRY(ctorch_index_push_ellipsis(index));
 *     CTORCH_TRY(ctorch_tensor_index(&y, x, index));
 *
 * The meaning is Python's, down to the message of an error: integers, slices (with a positive step), None and `...`
 * give a view of the tensor; an index tensor, a mask, a list or a bool gives a copy. An index out of bounds, or one too
 * many, is an error INDEX; index tensors and masks whose shapes do not fit are SHAPE_MISMATCH, those of another dtype
 * than int64, int32, bool or uint8 DTYPE_MISMATCH; a wrong step is VALUE, a wrong bound of a slice TYPE.
 *
 * The text is what Python has between the brackets:
 *
 *     index    = item {"," item} [","]              one item without a comma is that item, else it is a tuple
 *     item     = value | slice
 *     slice    = [value] ":" [value] [":" [value]]
 *     value    = {"+" | "-"} (integer | float | "%d" | "True" | "False") | "None" | "newaxis" | "..." | "Ellipsis"
 *              | "%t" | "[" [values] "]" | "(" [values] ")"
 *     values   = value {"," value} [","]            "(value)" is the value, "(value,)" and "()" are tuples
 *     integer  = as in Python: 12, 1_000, 0xff, 0o17, 0b11
 *
 * with blanks, tabs and line ends between the parts. A list, nested or not, is an index tensor, or a mask if
 * all of it is bool; floats in it are cut off. In PyTorch 2.13, a list of lists on its own, `"[[0, 1], [2, 3]]"`, still
 * is a tuple of lists, and warns; with a comma behind it, it is one index tensor.
 */
#ifndef CTORCH_INDEX_H
#define CTORCH_INDEX_H

#include "ctorch/abi/base.h"
#include "ctorch/abi/types.h"

CTORCH_BEGIN_DECLS

/** What stands between the brackets. */
typedef struct ctorch_index ctorch_index;

/**
 * Make an index without items. As it is, it is Python's `x[()]`.
 *
 * @param[out] out  owned.
 * @return NULL, or NULL_ARGUMENT.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_index_new(ctorch_index **out);

/**
 * Make an index of a text. More can be pushed behind it.
 *
 * @param[out] out     owned.
 * @param text         borrowed; the grammar above.
 * @param ints         what each `%d` stands for, in their order.
 * @param ints_len     number of `%d` in the text.
 * @param tensors      what each `%t` stands for, in their order; each gets a reference.
 * @param tensors_len  number of `%t` in the text.
 * @return NULL, or NULL_ARGUMENT (also a tensor of the list), SYNTAX (not an index), INVALID_ARGUMENT (more or fewer
 *         integers or tensors than the text asks for; not UTF-8).
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_index_from_text(
    ctorch_index **out,
    const char *text,
    const int64_t *ints,
    size_t ints_len,
    const ctorch_tensor *const *tensors,
    size_t tensors_len);

/**
 * Add a reference: one more ctorch_index_release is due.
 *
 * @param self  borrowed; NULL is allowed.
 */
CTORCH_EXPORT void ctorch_index_retain(const ctorch_index *self);

/**
 * Give a reference back. Any thread may do this.
 *
 * @param self  owned; NULL is allowed.
 */
CTORCH_EXPORT void ctorch_index_release(ctorch_index *self);

/**
 * Number of items.
 *
 * @param self  borrowed; may be NULL.
 * @return 0 for NULL.
 */
CTORCH_API size_t ctorch_index_len(const ctorch_index *self);

/**
 * Append an integer: one position of a dimension, which then is gone.
 *
 * @param self   exclusive.
 * @param value  negative counts from the end.
 * @return NULL, or NULL_ARGUMENT.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_index_push_int(ctorch_index *self, int64_t value);

/**
 * Append a slice, `start:stop:step`. What is beyond the ends is cut off.
 *
 * @param self   exclusive.
 * @param start  first position, negative counts from the end; NULL for 0.
 * @param stop   position behind the last, negative counts from the end; NULL for the end.
 * @param step   at least 1, which is found out when the index is used; NULL for 1.
 * @return NULL, or NULL_ARGUMENT.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_index_push_slice(
    ctorch_index *self, const int64_t *start, const int64_t *stop, const int64_t *step);

/**
 * Append None: a new dimension of size 1.
 *
 * @param self  exclusive.
 * @return NULL, or NULL_ARGUMENT.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_index_push_none(ctorch_index *self);

/**
 * Append `...`: as many whole dimensions as the other items leave.
 *
 * @param self  exclusive.
 * @return NULL, or NULL_ARGUMENT.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_index_push_ellipsis(ctorch_index *self);

/**
 * Append a bool: a new dimension, of size 1 for true and 0 for false.
 *
 * @param self   exclusive.
 * @param value  the bool.
 * @return NULL, or NULL_ARGUMENT.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_index_push_bool(ctorch_index *self, bool value);

/**
 * Append a tensor: positions, or a mask if it is of dtype bool or uint8 (which is deprecated, and warns).
 *
 * @param self   exclusive.
 * @param value  borrowed, gets a reference.
 * @return NULL, or NULL_ARGUMENT.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_index_push_tensor(ctorch_index *self, const ctorch_tensor *value);

/**
 * Append a list of positions, `[0, 2]`. It becomes a tensor on the device of the tensor that is indexed.
 *
 * @param self        exclusive.
 * @param values      positions, negative ones count from the end.
 * @param values_len  number of positions.
 * @return NULL, or NULL_ARGUMENT.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_index_push_ints(ctorch_index *self, const int64_t *values, size_t values_len);

/**
 * Append a list of bools, `[True, False]`: the mask of one dimension. An empty list has no positions.
 *
 * @param self        exclusive.
 * @param values      whether each position is taken.
 * @param values_len  size of the dimension.
 * @return NULL, or NULL_ARGUMENT.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_index_push_bools(ctorch_index *self, const bool *values, size_t values_len);

/**
 * `self[index]`.
 *
 * @param[out] out  owned; a view of `self` unless the index has a tensor, a list or a bool in it. Never `self` itself.
 * @param self      borrowed.
 * @param index     borrowed.
 * @return NULL, or NULL_ARGUMENT, INDEX, SHAPE_MISMATCH, DTYPE_MISMATCH, VALUE, TYPE, NOT_IMPLEMENTED or RUNTIME (what
 *         the layout cannot do).
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_tensor_index(ctorch_tensor **out, const ctorch_tensor *self, const ctorch_index *index);

/**
 * `self[index] = value`. A value of another dtype is converted; one of a smaller shape is broadcast, and leading
 * dimensions of size 1 that it has too many are dropped.
 *
 * @param self   exclusive; a leaf that requires grad cannot be assigned to while recording is on.
 * @param index  borrowed. Positions that are named twice get one of the values.
 * @param value  borrowed; must not share a part of what is assigned to: `x[1:] = x[:-1]` is RUNTIME, as in Python.
 * @return NULL, or NULL_ARGUMENT, INDEX, VALUE, TYPE (a sparse tensor), SHAPE_MISMATCH, DTYPE_MISMATCH,
 *         DEVICE_MISMATCH, RUNTIME.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_tensor_index_put(
    ctorch_tensor *self, const ctorch_index *index, const ctorch_tensor *value);

/**
 * `self[index] = number`.
 *
 * @param self   exclusive.
 * @param index  borrowed.
 * @param value  borrowed; a UINT, which Python cannot assign, is for tensors of dtype uint64.
 * @return NULL, or what ctorch_tensor_index_put answers, and INVALID_ARGUMENT (unknown kind), RUNTIME (a number that
 *         the dtype cannot hold).
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_tensor_index_put_scalar(
    ctorch_tensor *self, const ctorch_index *index, const ctorch_scalar *value);

/**
 * `self[…]`, with the index as text: ctorch_index_from_text and ctorch_tensor_index in one.
 *
 * @param[out] out     owned.
 * @param self         borrowed.
 * @param text         borrowed; the grammar above.
 * @param ints         what each `%d` stands for.
 * @param ints_len     number of `%d` in the text.
 * @param tensors      what each `%t` stands for.
 * @param tensors_len  number of `%t` in the text.
 * @return NULL, or what the two answer.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_tensor_index_text(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const char *text,
    const int64_t *ints,
    size_t ints_len,
    const ctorch_tensor *const *tensors,
    size_t tensors_len);

/**
 * `self[…] = value`, with the index as text: ctorch_index_from_text and ctorch_tensor_index_put in one.
 *
 * @param self         exclusive.
 * @param text         borrowed; the grammar above.
 * @param ints         what each `%d` stands for.
 * @param ints_len     number of `%d` in the text.
 * @param tensors      what each `%t` stands for.
 * @param tensors_len  number of `%t` in the text.
 * @param value        borrowed.
 * @return NULL, or what the two answer.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_tensor_index_put_text(
    ctorch_tensor *self,
    const char *text,
    const int64_t *ints,
    size_t ints_len,
    const ctorch_tensor *const *tensors,
    size_t tensors_len,
    const ctorch_tensor *value);

/**
 * `self[…] = number`, with the index as text: ctorch_index_from_text and ctorch_tensor_index_put_scalar in one.
 *
 * @param self         exclusive.
 * @param text         borrowed; the grammar above.
 * @param ints         what each `%d` stands for.
 * @param ints_len     number of `%d` in the text.
 * @param tensors      what each `%t` stands for.
 * @param tensors_len  number of `%t` in the text.
 * @param value        borrowed.
 * @return NULL, or what the two answer.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_tensor_index_put_scalar_text(
    ctorch_tensor *self,
    const char *text,
    const int64_t *ints,
    size_t ints_len,
    const ctorch_tensor *const *tensors,
    size_t tensors_len,
    const ctorch_scalar *value);

CTORCH_END_DECLS

#endif
