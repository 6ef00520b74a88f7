/* Sequences of different lengths, padded and packed: torch.nn.utils.rnn. */
#include <inttypes.h>
#include <stdlib.h>

#include "base/sequence.h"
#include "constructors/utils.h"
#include "core/c/error.h"

static const ctorch_dtype int64 = CTORCH_DTYPE_INT64;
static const ctorch_device cpu = {CTORCH_DEVICE_TYPE_CPU, -1};

/* What packing gives. */
struct packed {
  ctorch_tensor *data, *batch_sizes, *sorted, *unsorted;
};

static void packed_release(struct packed *self) {
  ctorch_tensor_release(self->data);
  ctorch_tensor_release(self->batch_sizes);
  ctorch_tensor_release(self->sorted);
  ctorch_tensor_release(self->unsorted);
}

static ctorch_error *invert(ctorch_tensor **out, const ctorch_tensor *permutation) {
  const ctorch_memory_format contiguous = CTORCH_MEMORY_FORMAT_CONTIGUOUS;
  const ctorch_scalar len = {.kind = CTORCH_SCALAR_INT, .i = ctorch_tensor_numel(permutation)};
  ctorch_device device = {0};
  ctorch_tensor *output = NULL, *numbers = NULL;
  CTORCH_TRY(ctorch_tensor_device(&device, permutation));
  ctorch_error *error = ctorch_aten_empty_like(&output, permutation, NULL, NULL, NULL, NULL, &contiguous);
  THEN(error, ctorch_aten_arange(&numbers, &len, NULL, NULL, &device, NULL));
  THEN(error, ctorch_aten_scatter__src(output, 0, permutation, numbers));
  ctorch_tensor_release(numbers);
  if (error != NULL) {
    ctorch_tensor_release(output);
    return error;
  }
  *out = output;
  return NULL;
}

/* Sort lengths and the input by them, and keep in `packed` what undoes it. Replaces *input and *lengths, which are
 * owned. */
static ctorch_error *sort(struct packed *packed, ctorch_tensor **input, ctorch_tensor **lengths, bool batch_first) {
  ctorch_tensor *sorted_lengths = NULL, *order = NULL, *sorted = NULL;
  ctorch_device device = {0};
  CTORCH_TRY(ctorch_tensor_device(&device, *input));
  CTORCH_TRY(ctorch_aten_sort(&sorted_lengths, &order, *lengths, -1, true));
  ctorch_tensor_release(*lengths);
  *lengths = sorted_lengths;
  ctorch_error *error = ctorch_tensor_to(&packed->sorted, order, NULL, &device, false, false, NULL);
  ctorch_tensor_release(order);
  THEN(error, ctorch_aten_index_select(&sorted, *input, batch_first ? 0 : 1, packed->sorted));
  if (error != NULL) {
    return error;
  }
  ctorch_tensor_release(*input);
  *input = sorted;
  return invert(&packed->unsorted, packed->sorted);
}

static ctorch_error *pack(
    struct packed *packed,
    const ctorch_tensor *input,
    const ctorch_tensor *given_lengths,
    bool batch_first,
    bool enforce_sorted) {
  ctorch_tensor *lengths = NULL, *sorted = (ctorch_tensor *)input;
  CTORCH_TRY(ctorch_tensor_to(&lengths, given_lengths, &int64, NULL, false, false, NULL));
  ctorch_tensor_retain(input);
  ctorch_error *error = enforce_sorted ? NULL : sort(packed, &sorted, &lengths, batch_first);
  THEN(error, ctorch_aten__pack_padded_sequence(&packed->data, &packed->batch_sizes, sorted, lengths, batch_first));
  ctorch_tensor_release(sorted);
  ctorch_tensor_release(lengths);
  return error;
}

/* All four results, or the error. */
static ctorch_error *give(
    struct packed *packed,
    ctorch_error *error,
    ctorch_tensor **data,
    ctorch_tensor **batch_sizes,
    ctorch_tensor **sorted,
    ctorch_tensor **unsorted) {
  if (error != NULL) {
    packed_release(packed);
    return error;
  }
  *data = packed->data;
  *batch_sizes = packed->batch_sizes;
  *sorted = packed->sorted;
  *unsorted = packed->unsorted;
  return NULL;
}

/* The tensors of an array, which are given up, as a list, or the error. */
static ctorch_error *give_list(ctorch_tensor_list **out, ctorch_tensor **tensors, size_t len, ctorch_error *error) {
  THEN(error, ctorch_tensor_list_new(out, ctorch_const_tensors(tensors), len));
  for (size_t i = 0; i < len; i++) {
    ctorch_tensor_release(tensors[i]);
  }
  free(tensors);
  return error;
}

/* The elements of one sequence of a batch whose first dimension is the batch's. */
static ctorch_error *unpad_one(
    ctorch_tensor **out,
    const ctorch_tensor *padded,
    const ctorch_tensor *steps,
    const ctorch_tensor *lengths,
    int64_t i) {
  ctorch_tensor *sequence = NULL, *length = NULL, *mask = NULL;
  ctorch_error *error = ctorch_aten_select_int(&sequence, padded, 0, i);
  THEN(error, ctorch_aten_select_int(&length, lengths, 0, i));
  THEN(error, ctorch_aten_lt_Tensor(&mask, steps, length));
  THEN(error, ctorch_aten_index_Tensor(out, sequence, (const ctorch_tensor *const[]){mask}, 1));
  ctorch_tensor_release(sequence);
  ctorch_tensor_release(length);
  ctorch_tensor_release(mask);
  return error;
}

static ctorch_error *unpad(
    const char *function, ctorch_tensor_list **out, const ctorch_tensor *padded, const ctorch_tensor *lengths) {
  int64_t len = 0, longest = 0, lengths_len = 0;
  ctorch_device device = {0};
  if (ctorch_tensor_ndim(padded) < 2) {
    return error_argument(
        function, "padded_sequences", "expected at least 2 dimensions, got %" PRId64, ctorch_tensor_ndim(padded));
  }
  if (ctorch_tensor_ndim(lengths) < 1) {
    return error_argument(function, "lengths", "expected a dimension, got a scalar");
  }
  CTORCH_TRY(ctorch_tensor_size(&len, padded, 0));
  CTORCH_TRY(ctorch_tensor_size(&longest, padded, 1));
  CTORCH_TRY(ctorch_tensor_size(&lengths_len, lengths, 0));
  CTORCH_TRY(ctorch_tensor_device(&device, lengths));
  if (len != lengths_len) {
    return error_make(
        function, CTORCH_ERROR_VALUE, "lengths: expected %" PRId64 " of them, one a sequence, got %" PRId64, len,
        lengths_len);
  }
  ctorch_tensor **sequences = calloc((size_t)len + 1, sizeof *sequences);
  if (sequences == NULL) {
    return error_memory(function, ((size_t)len + 1) * sizeof *sequences);
  }
  ctorch_tensor *steps = NULL;
  const ctorch_scalar end = {.kind = CTORCH_SCALAR_INT, .i = longest};
  ctorch_error *error = ctorch_aten_arange(&steps, &end, NULL, NULL, &device, NULL);
  int64_t done = 0;
  while (error == NULL && done < len) {
    error = unpad_one(&sequences[done], padded, steps, lengths, done);
    done += error == NULL;
  }
  ctorch_tensor_release(steps);
  return give_list(out, sequences, (size_t)done, error);
}

/* What pad_packed_sequence is about. */
struct pad_packed {
  const ctorch_tensor *data, *batch_sizes, *unsorted;
  bool batch_first;
  double padding_value;
  const int64_t *total_length;
};

/* Bring back the first order. Replaces what `padded` and `lengths` are, which are owned. */
static ctorch_error *unsort(
    ctorch_tensor **padded, ctorch_tensor **lengths, const ctorch_tensor *unsorted, bool batch_first) {
  ctorch_tensor *selected = NULL, *order = NULL, *selected_lengths = NULL;
  CTORCH_TRY(ctorch_aten_index_select(&selected, *padded, batch_first ? 0 : 1, unsorted));
  ctorch_tensor_release(*padded);
  *padded = selected;
  CTORCH_TRY(ctorch_tensor_to(&order, unsorted, NULL, &cpu, false, false, NULL));
  ctorch_error *error = ctorch_aten_index_Tensor(&selected_lengths, *lengths, (const ctorch_tensor *const[]){order}, 1);
  ctorch_tensor_release(order);
  if (error == NULL) {
    ctorch_tensor_release(*lengths);
    *lengths = selected_lengths;
  }
  return error;
}

/*
 * Refuse batch sizes that packing cannot have given, because the operator takes them for indexes without a look: whole
 * numbers on the CPU that do not increase, each 1 at least, as many in all as there are elements.
 */
static ctorch_error *check_batch_sizes(const char *function, const ctorch_tensor *data, const ctorch_tensor *sizes) {
  ctorch_device device = {0};
  ctorch_tensor *dense = NULL;
  CTORCH_TRY(ctorch_tensor_device(&device, sizes));
  if (ctorch_tensor_ndim(sizes) != 1 || ctorch_tensor_numel(sizes) == 0 || device.type != CTORCH_DEVICE_TYPE_CPU ||
      ctorch_tensor_dtype(sizes) != CTORCH_DTYPE_INT64) {
    return error_argument(function, "batch_sizes", "expected a vector of int64 on the CPU with an element or more");
  }
  if (ctorch_tensor_ndim(data) < 1) {
    return error_argument(function, "data", "expected a dimension, got a scalar");
  }
  CTORCH_TRY(ctorch_aten_contiguous(&dense, sizes, CTORCH_MEMORY_FORMAT_CONTIGUOUS));
  const int64_t *each = NULL;
  int64_t rest = 0, len = ctorch_tensor_numel(sizes);
  ctorch_error *error = ctorch_tensor_size(&rest, data, 0);
  THEN(error, ctorch_tensor_const_data((const void **)&each, dense));
  for (int64_t i = 0; i < len && error == NULL; i++) {
    if (each[i] < 1 || (i > 0 && each[i] > each[i - 1]) || each[i] > rest) {
      error = error_argument(
          function, "batch_sizes",
          "expected numbers that do not increase, 1 at least, and no more in all than there are elements, got %" PRId64
          " at %" PRId64,
          each[i], i);
    } else {
      rest -= each[i];
    }
  }
  ctorch_tensor_release(dense);
  if (error == NULL && rest != 0) {
    error = error_argument(function, "batch_sizes", "their sum leaves %" PRId64 " elements of data", rest);
  }
  return error;
}

static ctorch_error *pad_packed(
    const char *function, ctorch_tensor **out, ctorch_tensor **out_lengths, const struct pad_packed *given) {
  int64_t longest = ctorch_tensor_numel(given->batch_sizes);
  CTORCH_TRY(check_batch_sizes(function, given->data, given->batch_sizes));
  if (given->total_length != NULL && *given->total_length < longest) {
    return error_make(
        function, CTORCH_ERROR_VALUE,
        "total_length must be at least the length of the longest sequence, %" PRId64 ", got %" PRId64, longest,
        *given->total_length);
  }
  const ctorch_scalar padding = {.kind = CTORCH_SCALAR_FLOAT, .re = given->padding_value};
  ctorch_tensor *padded = NULL, *lengths = NULL;
  CTORCH_TRY(ctorch_aten__pad_packed_sequence(
      &padded, &lengths, given->data, given->batch_sizes, given->batch_first, &padding,
      given->total_length != NULL ? *given->total_length : longest));
  ctorch_error *error = given->unsorted == NULL ? NULL : unsort(&padded, &lengths, given->unsorted, given->batch_first);
  if (error != NULL) {
    ctorch_tensor_release(padded);
    ctorch_tensor_release(lengths);
    return error;
  }
  *out = padded;
  *out_lengths = lengths;
  return NULL;
}

ctorch_error *utils_invert_permutation(
    const char *function, ctorch_tensor **out, const struct utils_invert_permutation_options *options) {
  (void)function;
  return invert(out, options->permutation);
}

ctorch_error *utils_pad_sequence(
    const char *function, ctorch_tensor **out, const struct utils_pad_sequence_options *options) {
  (void)function;
  return ctorch_aten_pad_sequence(
      out, options->sequences, options->sequences_len, options->batch_first, options->padding_value,
      options->padding_side);
}

ctorch_error *utils_unpad_sequence(
    const char *function, ctorch_tensor_list **out, const struct utils_unpad_sequence_options *options) {
  if (options->batch_first) {
    return unpad(function, out, options->padded_sequences, options->lengths);
  }
  ctorch_tensor *turned = NULL;
  CTORCH_TRY(ctorch_aten_transpose_int(&turned, options->padded_sequences, 0, 1));
  ctorch_error *error = unpad(function, out, turned, options->lengths);
  ctorch_tensor_release(turned);
  return error;
}

ctorch_error *utils_pack_padded_sequence(
    const char *function,
    ctorch_tensor **out_data,
    ctorch_tensor **out_batch_sizes,
    ctorch_tensor **out_sorted_indices,
    ctorch_tensor **out_unsorted_indices,
    const struct utils_pack_padded_sequence_options *options) {
  (void)function;
  struct packed packed = {0};
  ctorch_error *error = pack(&packed, options->input, options->lengths, options->batch_first, options->enforce_sorted);
  return give(&packed, error, out_data, out_batch_sizes, out_sorted_indices, out_unsorted_indices);
}

/* pack() with lengths that are numbers. */
static ctorch_error *pack_numbers(
    struct packed *packed,
    const ctorch_tensor *input,
    const int64_t *lengths,
    size_t len,
    bool batch_first,
    bool enforce_sorted) {
  ctorch_tensor *tensor = NULL;
  const int64_t shape[] = {(int64_t)len};
  CTORCH_TRY(ctorch_tensor_from_data(&tensor, lengths, len * sizeof *lengths, shape, 1, CTORCH_DTYPE_INT64));
  ctorch_error *error = pack(packed, input, tensor, batch_first, enforce_sorted);
  ctorch_tensor_release(tensor);
  return error;
}

ctorch_error *utils_pack_padded_sequence_lengths(
    const char *function,
    ctorch_tensor **out_data,
    ctorch_tensor **out_batch_sizes,
    ctorch_tensor **out_sorted_indices,
    ctorch_tensor **out_unsorted_indices,
    const struct utils_pack_padded_sequence_lengths_options *options) {
  (void)function;
  struct packed packed = {0};
  ctorch_error *error = pack_numbers(
      &packed, options->input, options->lengths, options->lengths_len, options->batch_first, options->enforce_sorted);
  return give(&packed, error, out_data, out_batch_sizes, out_sorted_indices, out_unsorted_indices);
}

/* The first size of each, in *lengths, which is the caller's to free. */
static ctorch_error *lengths_of(
    const char *function, int64_t **lengths, const ctorch_tensor *const *sequences, size_t len) {
  *lengths = calloc(len + 1, sizeof **lengths);
  if (*lengths == NULL) {
    return error_memory(function, (len + 1) * sizeof **lengths);
  }
  for (size_t i = 0; i < len; i++) {
    CTORCH_TRY(ctorch_tensor_size(&(*lengths)[i], sequences[i], 0));
  }
  return NULL;
}

ctorch_error *utils_pack_sequence(
    const char *function,
    ctorch_tensor **out_data,
    ctorch_tensor **out_batch_sizes,
    ctorch_tensor **out_sorted_indices,
    ctorch_tensor **out_unsorted_indices,
    const struct utils_pack_sequence_options *options) {
  struct packed packed = {0};
  ctorch_tensor *padded = NULL;
  int64_t *lengths = NULL;
  ctorch_error *error = lengths_of(function, &lengths, options->sequences, options->sequences_len);
  THEN(error, ctorch_aten_pad_sequence(&padded, options->sequences, options->sequences_len, false, 0, "right"));
  THEN(error, pack_numbers(&packed, padded, lengths, options->sequences_len, false, options->enforce_sorted));
  ctorch_tensor_release(padded);
  free(lengths);
  return give(&packed, error, out_data, out_batch_sizes, out_sorted_indices, out_unsorted_indices);
}

ctorch_error *utils_pad_packed_sequence(
    const char *function,
    ctorch_tensor **out_padded,
    ctorch_tensor **out_lengths,
    const struct utils_pad_packed_sequence_options *options) {
  const struct pad_packed given = {options->data,        options->batch_sizes,   options->unsorted_indices,
                                   options->batch_first, options->padding_value, options->total_length};
  return pad_packed(function, out_padded, out_lengths, &given);
}

ctorch_error *utils_unpack_sequence(
    const char *function, ctorch_tensor_list **out, const struct utils_unpack_sequence_options *options) {
  const struct pad_packed given = {options->data, options->batch_sizes, options->unsorted_indices, true, 0, NULL};
  ctorch_tensor *padded = NULL, *lengths = NULL;
  CTORCH_TRY(pad_packed(function, &padded, &lengths, &given));
  ctorch_error *error = unpad(function, out, padded, lengths);
  ctorch_tensor_release(padded);
  ctorch_tensor_release(lengths);
  return error;
}
