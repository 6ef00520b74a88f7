/* Pruning methods: torch.nn.utils.prune without its modules. */
#include "nn_utils/prune.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/callback.h"
#include "base/sequence.h"
#include "base/text.h"
#include "core/c/error.h"
#include "core/c/tensor.h"
#include "module/layer.h"

/* Amounts. */

/* `before`, the amount as Python prints it, and what follows. */
static ctorch_error *refuse_amount(
    const char *function, ctorch_error_kind kind, const char *before, const ctorch_scalar *amount, const char *after) {
  struct text text = {.function = function};
  ctorch_value *value = NULL;
  CTORCH_TRY(ctorch_value_from_scalar(&value, amount));
  text_value(&text, value);
  ctorch_value_release(value);
  ctorch_error *error = error_make(function, kind, "%s%s%s", before, text_data(&text), after);
  return ctorch_error_first(text_end(&text), error);
}

ctorch_error *prune_check_amount(const char *function, const ctorch_scalar *amount) {
  CTORCH_TRY(error_refusal(function));
  if (amount == NULL) {
    return error_null(function, "amount");
  }
  CTORCH_TRY(error_unless_scalar(function, "amount", amount));
  if (amount->kind == CTORCH_SCALAR_COMPLEX) {
    return refuse_amount(function, CTORCH_ERROR_TYPE, "Invalid type for amount: ", amount, ". Must be int or float.");
  }
  if ((amount->kind == CTORCH_SCALAR_INT && amount->i < 0) ||
      (amount->kind == CTORCH_SCALAR_FLOAT && (amount->re > 1 || amount->re < 0))) {
    return refuse_amount(
        function, CTORCH_ERROR_VALUE, "amount=", amount,
        " should either be a float in the range [0, 1] or a non-negative integer");
  }
  return NULL;
}

/* How many of `size` elements or channels go. */
static ctorch_error *count(const struct prune_method *self, int64_t *out, int64_t size) {
  const ctorch_scalar *amount = self->amount;
  switch (amount->kind) {
    case CTORCH_SCALAR_FLOAT:
      if (isnan(amount->re)) {
        return error_make(self->function, CTORCH_ERROR_VALUE, "amount: cannot convert float NaN to integer");
      }
      *out = (int64_t)rint(amount->re * (double)size); /* to even, as Python's round */
      break;
    case CTORCH_SCALAR_BOOL:
      *out = amount->i != 0;
      break;
    default:
      *out = amount->i;
  }
  if (amount->kind == CTORCH_SCALAR_UINT || *out > size) {
    const ctorch_scalar number = {
        .kind = amount->kind == CTORCH_SCALAR_UINT ? CTORCH_SCALAR_UINT : CTORCH_SCALAR_INT, .i = *out};
    struct text after = {.function = self->function};
    text_add(&after, " should be smaller than the number of parameters to prune=%" PRId64, size);
    ctorch_error *error = refuse_amount(self->function, CTORCH_ERROR_VALUE, "amount=", &number, text_data(&after));
    return ctorch_error_first(text_end(&after), error);
  }
  return NULL;
}

/* Single elements. */

ctorch_error *prune_identity(
    const struct prune_method *self,
    ctorch_tensor **out,
    const ctorch_tensor *tensor,
    const ctorch_tensor *default_mask) {
  (void)tensor;
  return tensor_give(self->function, out, default_mask);
}

/* A copy of the mask with zeros where the highest scores are, or the lowest. */
static ctorch_error *without(
    ctorch_tensor **out, const ctorch_tensor *mask, const ctorch_tensor *scores, int64_t len, bool highest) {
  const ctorch_scalar zero = whole(0);
  ctorch_tensor *flat = NULL, *values = NULL, *indices = NULL, *elements = NULL;
  struct steps s = {0};
  STEP(&s, ctorch_aten_clone(&s.next, mask, &(ctorch_memory_format){CTORCH_MEMORY_FORMAT_CONTIGUOUS}));
  if (scores != NULL) {
    THEN(s.error, ctorch_aten_view(&flat, scores, (int64_t[]){-1}, 1));
    THEN(s.error, ctorch_aten_topk(&values, &indices, flat, len, -1, highest, true));
    THEN(s.error, ctorch_aten_view(&elements, s.at, (int64_t[]){-1}, 1));
    THEN(s.error, ctorch_aten_index_fill__int_Scalar(elements, 0, indices, &zero));
  }
  ctorch_tensor_release(flat);
  ctorch_tensor_release(values);
  ctorch_tensor_release(indices);
  ctorch_tensor_release(elements);
  return steps_end(&s, out);
}

ctorch_error *prune_random_unstructured(
    const struct prune_method *self,
    ctorch_tensor **out,
    const ctorch_tensor *tensor,
    const ctorch_tensor *default_mask) {
  int64_t len = 0;
  ctorch_tensor *scores = NULL;
  CTORCH_TRY(count(self, &len, ctorch_tensor_numel(tensor)));
  if (len > 0) {
    CTORCH_TRY(ctorch_aten_rand_like(&scores, tensor, NULL, NULL, NULL, NULL, NULL));
  }
  ctorch_error *error = without(out, default_mask, scores, len, true);
  ctorch_tensor_release(scores);
  return error;
}

ctorch_error *prune_l1_unstructured(
    const struct prune_method *self,
    ctorch_tensor **out,
    const ctorch_tensor *tensor,
    const ctorch_tensor *default_mask) {
  int64_t len = 0;
  ctorch_tensor *scores = NULL;
  CTORCH_TRY(count(self, &len, ctorch_tensor_numel(tensor)));
  if (len > 0) {
    CTORCH_TRY(ctorch_aten_abs(&scores, tensor));
  }
  ctorch_error *error = without(out, default_mask, scores, len, false);
  ctorch_tensor_release(scores);
  return error;
}

/* Whole channels. */

/* The index of what `which`, positions or a mask, says of a dimension. */
static ctorch_error *index_of(ctorch_index **out, int64_t dim, const ctorch_tensor *which) {
  ctorch_index *index = NULL;
  CTORCH_TRY(ctorch_index_new(&index));
  ctorch_error *error = NULL;
  for (int64_t i = 0; error == NULL && i < dim; i++) {
    error = ctorch_index_push_slice(index, NULL, NULL, NULL);
  }
  THEN(error, ctorch_index_push_tensor(index, which));
  if (error != NULL) {
    ctorch_index_release(index);
    return error;
  }
  *out = index;
  return NULL;
}

/* How many of the channels go, and which dimension has them. */
static ctorch_error *count_channels(
    const struct prune_method *self, const ctorch_tensor *tensor, int64_t *dim, int64_t *size, int64_t *len) {
  int64_t ndim = ctorch_tensor_ndim(tensor);
  const int64_t *sizes = ctorch_tensor_sizes(tensor);
  *dim = *self->dim < 0 ? *self->dim + ndim : *self->dim;
  ctorch_error *error = NULL;
  struct text text = {.function = self->function};
  if (ndim <= 1 || *dim >= ndim) {
    text_size(&text, tensor);
  }
  if (ndim <= 1) {
    error = error_make(
        self->function, CTORCH_ERROR_VALUE,
        "Structured pruning can only be applied to multidimensional tensors. Found tensor of shape %s with %" PRId64
        " dims",
        text_data(&text), ndim);
  } else if (*dim >= ndim) {
    error = error_make(
        self->function, CTORCH_ERROR_INDEX, "Invalid index %" PRId64 " for tensor of size %s", *self->dim,
        text_data(&text));
  } else if (*dim < 0 || sizes == NULL) {
    error = error_make(
        self->function, CTORCH_ERROR_INDEX, "dim: %" PRId64 " is out of range for %" PRId64 " dimensions", *self->dim,
        ndim);
  }
  error = ctorch_error_first(text_end(&text), error);
  if (error != NULL) {
    return error;
  }
  *size = sizes[*dim];
  return count(self, len, *size);
}

/* The default mask, with zeros in all channels but some. */
static ctorch_error *keep_channels(
    ctorch_tensor **out,
    const ctorch_tensor *tensor,
    const ctorch_tensor *default_mask,
    int64_t dim,
    const ctorch_tensor *which) {
  const ctorch_scalar one = whole(1);
  const ctorch_dtype dtype = ctorch_tensor_dtype(tensor);
  ctorch_index *index = NULL;
  ctorch_tensor *before = NULL;
  CTORCH_TRY(index_of(&index, dim, which));
  struct steps s = {0};
  STEP(&s, ctorch_aten_zeros_like(&s.next, tensor, NULL, NULL, NULL, NULL, NULL));
  THEN(s.error, ctorch_tensor_index_put_scalar(s.at, index, &one));
  THEN(s.error, ctorch_tensor_to(&before, default_mask, &dtype, NULL, false, false, NULL));
  THEN(s.error, ctorch_aten_mul__Tensor(s.at, before));
  ctorch_index_release(index);
  ctorch_tensor_release(before);
  return steps_end(&s, out);
}

ctorch_error *prune_random_structured(
    const struct prune_method *self,
    ctorch_tensor **out,
    const ctorch_tensor *tensor,
    const ctorch_tensor *default_mask) {
  int64_t dim = 0, size = 0, len = 0;
  ctorch_tensor *scores = NULL, *threshold = NULL, *index = NULL, *which = NULL;
  CTORCH_TRY(count_channels(self, tensor, &dim, &size, &len));
  if (len == 0) {
    return tensor_give(self->function, out, default_mask);
  }
  CTORCH_TRY(ctorch_aten_rand(&scores, &size, 1, NULL, NULL, NULL, NULL));
  ctorch_error *error = ctorch_aten_kthvalue(&threshold, &index, scores, len, -1, false);
  THEN(error, ctorch_aten_gt_Tensor(&which, scores, threshold));
  THEN(error, keep_channels(out, tensor, default_mask, dim, which));
  ctorch_tensor_release(scores);
  ctorch_tensor_release(threshold);
  ctorch_tensor_release(index);
  ctorch_tensor_release(which);
  return error;
}

/* The norm of each channel, over all dimensions but `dim`. */
static ctorch_error *norms(
    const struct prune_method *self, ctorch_tensor **out, const ctorch_tensor *tensor, int64_t dim) {
  size_t len = 0;
  const ctorch_scalar two = floating(2), n = floating(self->n);
  int64_t *dims = array_new((size_t)ctorch_tensor_ndim(tensor), sizeof *dims);
  if (dims == NULL) {
    return error_memory(self->function, (size_t)ctorch_tensor_ndim(tensor) * sizeof *dims);
  }
  for (int64_t i = 0; i < ctorch_tensor_ndim(tensor); i++) {
    if (i != dim) {
      dims[len++] = i;
    }
  }
  ctorch_error *error = NULL;
  if (self->norm == NULL) {
    error = ctorch_aten_linalg_vector_norm(out, tensor, &n, dims, len, false, NULL);
  } else if (strcmp(self->norm, "fro") == 0 && len <= 2) {
    error = ctorch_aten_linalg_vector_norm(out, tensor, &two, dims, len, false, NULL);
  } else {
    error = ctorch_aten_linalg_matrix_norm_str_ord(out, tensor, self->norm, dims, len, false, NULL);
  }
  free(dims);
  return error;
}

ctorch_error *prune_ln_structured(
    const struct prune_method *self,
    ctorch_tensor **out,
    const ctorch_tensor *tensor,
    const ctorch_tensor *default_mask) {
  int64_t dim = 0, size = 0, len = 0;
  ctorch_tensor *norm = NULL, *values = NULL, *which = NULL;
  CTORCH_TRY(count_channels(self, tensor, &dim, &size, &len));
  CTORCH_TRY(norms(self, &norm, tensor, dim));
  ctorch_error *error = ctorch_aten_topk(&values, &which, norm, size - len, -1, true, true);
  if (error == NULL && len == 0) {
    error = tensor_give(self->function, out, default_mask);
  } else if (error == NULL) {
    error = keep_channels(out, tensor, default_mask, dim, which);
  }
  ctorch_tensor_release(norm);
  ctorch_tensor_release(values);
  ctorch_tensor_release(which);
  return error;
}

/* What the caller says. */

ctorch_error *prune_from_mask(
    const struct prune_method *self,
    ctorch_tensor **out,
    const ctorch_tensor *tensor,
    const ctorch_tensor *default_mask) {
  (void)tensor;
  if (!layer_has_shape_of(default_mask, self->mask)) {
    struct text mine = {.function = self->function}, given = {.function = self->function};
    text_size(&mine, default_mask);
    text_size(&given, self->mask);
    ctorch_error *error = error_make(
        self->function, CTORCH_ERROR_VALUE, "default_mask shape %s must match mask shape %s", text_data(&mine),
        text_data(&given));
    error = ctorch_error_first(text_end(&mine), error);
    return ctorch_error_first(text_end(&given), error);
  }
  const ctorch_dtype dtype = ctorch_tensor_dtype(default_mask);
  struct steps s = {0};
  STEP(&s, ctorch_tensor_to(&s.next, self->mask, &dtype, NULL, false, false, NULL));
  STEP(&s, ctorch_aten_mul_Tensor(&s.next, default_mask, s.at));
  return steps_end(&s, out);
}

ctorch_error *prune_by_callback(
    const struct prune_method *self,
    ctorch_tensor **out,
    const ctorch_tensor *tensor,
    const ctorch_tensor *default_mask) {
  ctorch_tensor_list *results = NULL;
  ctorch_error *failure = NULL;
  const ctorch_tensor *const inputs[] = {tensor, default_mask};
  ctorch_callback_status status = self->callback(&results, inputs, 2, &failure, self->payload);
  ctorch_error *error = callback_error(self->function, "compute_mask", status, failure);
  size_t len = ctorch_tensor_list_len(results);
  if (error == NULL && (len != 1 || ctorch_tensor_list_data(results)[0] == NULL)) {
    error = error_make(
        self->function, CTORCH_ERROR_RUNTIME, "compute_mask gave %s, not a mask",
        len == 1 ? "NULL" : "several tensors");
  }
  THEN(error, tensor_give(self->function, out, ctorch_tensor_list_data(results)[0]));
  ctorch_tensor_list_release(results);
  return error;
}

/* Pruning again. */

/* The channels that are not all zeros. */
static ctorch_error *channels_left(
    const struct prune_method *self, ctorch_index **out, const ctorch_tensor *mask, int64_t ndim) {
  if (self->dim == NULL) {
    return error_make(
        self->function, CTORCH_ERROR_INDEX,
        "Pruning methods of PRUNING_TYPE \"structured\" need to have the attribute `dim` defined.");
  }
  int64_t dim = *self->dim < 0 ? *self->dim + ndim : *self->dim;
  if (dim < 0 || dim >= ndim) {
    return error_make(
        self->function, CTORCH_ERROR_INDEX, "Index is out of bounds for tensor with dimensions %" PRId64, ndim);
  }
  int64_t *others = array_new((size_t)ndim, sizeof *others);
  if (others == NULL) {
    return error_memory(self->function, (size_t)ndim * sizeof *others);
  }
  size_t len = 0;
  for (int64_t i = 0; i < ndim; i++) {
    if (i != dim) {
      others[len++] = i;
    }
  }
  const ctorch_scalar zero = whole(0);
  ctorch_tensor *left = NULL;
  struct steps s = {0};
  STEP(&s, ctorch_aten_sum_dim_IntList(&s.next, mask, others, len, false, NULL));
  STEP(&s, ctorch_aten_ne_Scalar(&s.next, s.at, &zero));
  ctorch_error *error = steps_end(&s, &left);
  free(others);
  THEN(error, index_of(out, dim, left));
  ctorch_tensor_release(left);
  return error;
}

/* What the method is given. */
static ctorch_error *left(
    const struct prune_method *self, ctorch_index **out, const ctorch_tensor *mask, int64_t ndim) {
  if (self->type == PRUNE_STRUCTURED) {
    return channels_left(self, out, mask, ndim);
  }
  if (self->type == PRUNE_GLOBAL) {
    return ctorch_index_from_text(out, "...", CTORCH_DEFAULT_LIST, CTORCH_DEFAULT_LIST);
  }
  const ctorch_scalar one = whole(1);
  ctorch_tensor *ones = NULL;
  CTORCH_TRY(ctorch_aten_eq_Scalar(&ones, mask, &one));
  ctorch_error *error = index_of(out, 0, ones);
  ctorch_tensor_release(ones);
  return error;
}

ctorch_error *prune_again(
    const struct prune_method *self, ctorch_tensor **out, const ctorch_tensor *tensor, ctorch_tensor *mask) {
  const ctorch_dtype dtype = ctorch_tensor_dtype(tensor);
  ctorch_index *index = NULL;
  ctorch_tensor *elements = NULL, *before = NULL, *after = NULL, *converted = NULL;
  CTORCH_TRY(left(self, &index, mask, ctorch_tensor_ndim(tensor)));
  struct steps s = {0};
  STEP(&s, ctorch_tensor_to(&s.next, mask, &dtype, NULL, false, false, NULL));
  THEN(s.error, ctorch_tensor_index(&elements, tensor, index));
  THEN(s.error, ctorch_tensor_index(&before, mask, index));
  THEN(s.error, self->compute_mask(self, &after, elements, before));
  THEN(s.error, ctorch_tensor_to(&converted, after, &dtype, NULL, false, false, NULL));
  THEN(s.error, ctorch_tensor_index_put(s.at, index, converted));
  ctorch_index_release(index);
  ctorch_tensor_release(elements);
  ctorch_tensor_release(before);
  ctorch_tensor_release(after);
  ctorch_tensor_release(converted);
  return steps_end(&s, out);
}
