/* Elements that lie in a reader as those of one array. */
#include "io/elements.h"

#include <ctorch.h>
#include <stdlib.h>
#include <string.h>

#include "base/sequence.h"
#include "core/c/error.h"
#include "core/c/tensor.h"
#include "io/reader.h"

#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
static const bool is_big_endian = true;
#else
static const bool is_big_endian = false;
#endif

bool elements_nbytes(uint64_t *out, const int64_t *shape, size_t shape_len, size_t itemsize) {
  uint64_t most = itemsize;
  bool is_empty = false;
  for (size_t i = 0; i < shape_len; i++) {
    if (shape[i] < 0) {
      return false;
    }
    is_empty = is_empty || shape[i] == 0;
    if (shape[i] > 1) {
      if (most > (uint64_t)INT64_MAX / (uint64_t)shape[i]) {
        return false;
      }
      most *= (uint64_t)shape[i];
    }
  }
  *out = is_empty ? 0 : most;
  return true;
}

static size_t itemsize(const struct elements *self) { return ctorch_dtype_itemsize(self->dtype); }

/* Bytes of the numbers that an element is made of: those of a complex one are two. */
static size_t number_nbytes(ctorch_dtype dtype) {
  switch (dtype) {
    case CTORCH_DTYPE_COMPLEX32:
    case CTORCH_DTYPE_COMPLEX64:
    case CTORCH_DTYPE_COMPLEX128:
    case CTORCH_DTYPE_BCOMPLEX32:
      return ctorch_dtype_itemsize(dtype) / 2;
    default:
      return ctorch_dtype_itemsize(dtype);
  }
}

static bool is_swapped(const struct elements *self) {
  return self->is_big_endian != is_big_endian && number_nbytes(self->dtype) > 1;
}

static void swap(unsigned char *data, uint64_t nbytes, size_t number) {
  for (uint64_t at = 0; at + number <= nbytes; at += number) {
    for (size_t i = 0; i < number / 2; i++) {
      unsigned char byte = data[at + i];
      data[at + i] = data[at + number - 1 - i];
      data[at + number - 1 - i] = byte;
    }
  }
}

/* Where a dimension stands, counted from the outermost in the order of the reader. */
static size_t dim_at(const struct elements *self, size_t place) {
  return self->is_fortran ? self->shape_len - 1 - place : place;
}

/* Strides in elements, of an array of these sizes that lies as this one does. */
static void set_strides(int64_t *strides, const struct elements *self, const int64_t *sizes) {
  int64_t stride = 1;
  for (size_t place = self->shape_len; place-- > 0;) {
    size_t dim = dim_at(self, place);
    strides[dim] = stride;
    stride *= sizes[dim] > 1 ? sizes[dim] : 1;
  }
}

static ctorch_error *new_numbers(const char *function, int64_t **out, size_t len) {
  *out = calloc(len + 1, sizeof **out);
  return *out == NULL ? error_memory(function, (len + 1) * sizeof **out) : NULL;
}

/* A tensor of these sizes that shares bytes of the reader. */
static ctorch_error *share(
    const char *function,
    ctorch_tensor **out,
    const struct elements *self,
    uint64_t offset,
    uint64_t nbytes,
    const int64_t *sizes,
    const int64_t *strides) {
  ctorch_tensor *bytes = NULL;
  ctorch_storage *storage = NULL;
  CTORCH_TRY(reader_tensor(function, &bytes, self->reader, offset, nbytes, itemsize(self)));
  ctorch_error *error = ctorch_storage_from_tensor(&storage, bytes);
  tensor_unref(bytes);
  CTORCH_TRY(error);
  error = ctorch_tensor_from_storage(out, storage, 0, sizes, self->shape_len, strides, self->shape_len, self->dtype);
  ctorch_storage_release(storage);
  return error;
}

/* A tensor of these sizes with memory of its own, which lies as this array does. */
static ctorch_error *copy(
    const char *function,
    ctorch_tensor **out,
    const struct elements *self,
    const int64_t *sizes,
    elements_fill fill,
    void *context) {
  ctorch_storage *storage = NULL;
  int64_t *strides = NULL;
  void *data = NULL;
  uint64_t nbytes = 0;
  if (!elements_nbytes(&nbytes, sizes, self->shape_len, itemsize(self))) {
    return error_make(function, CTORCH_ERROR_INTERNAL, "sizes that were not checked");
  }
  CTORCH_TRY(new_numbers(function, &strides, self->shape_len));
  set_strides(strides, self, sizes);
  ctorch_error *error = ctorch_storage_new(&storage, (size_t)nbytes);
  if (error == NULL && nbytes > 0) {
    error = ctorch_storage_data(&data, storage);
    THEN(error, fill(function, data, nbytes, context));
    if (error == NULL && is_swapped(self)) {
      swap(data, nbytes, number_nbytes(self->dtype));
    }
  }
  THEN(
      error,
      ctorch_tensor_from_storage(out, storage, 0, sizes, self->shape_len, strides, self->shape_len, self->dtype));
  ctorch_storage_release(storage);
  free(strides);
  return error;
}

ctorch_error *elements_copy(
    const char *function, ctorch_tensor **out, const struct elements *self, elements_fill fill, void *context) {
  return copy(function, out, self, self->shape, fill, context);
}

static bool lies_in_memory(const struct elements *self, uint64_t offset, uint64_t nbytes) {
  const void *data = reader_at(self->reader, offset, nbytes);
  return data != NULL && (uintptr_t)data % itemsize(self) == 0 && !is_swapped(self);
}

bool elements_can_share(const struct elements *self) {
  uint64_t nbytes = 0;
  return elements_nbytes(&nbytes, self->shape, self->shape_len, itemsize(self)) && nbytes > 0 &&
         lies_in_memory(self, self->offset, nbytes);
}

static ctorch_error *fill_whole(const char *function, void *data, uint64_t nbytes, void *context) {
  const struct elements *self = context;
  return reader_read(function, self->reader, self->offset, data, nbytes);
}

/* Refuse what the reader does not have before memory is asked for. */
static ctorch_error *check_there(const char *function, const struct elements *self, uint64_t nbytes) {
  uint64_t all = ctorch_reader_nbytes(self->reader);
  return self->offset <= all && nbytes <= all - self->offset ? NULL
                                                             : reader_error(function, self->reader, "ends early");
}

ctorch_error *elements_read(const char *function, ctorch_tensor **out, const struct elements *self) {
  int64_t *strides = NULL;
  uint64_t nbytes = 0;
  if (!elements_nbytes(&nbytes, self->shape, self->shape_len, itemsize(self))) {
    return error_make(function, CTORCH_ERROR_INTERNAL, "sizes that were not checked");
  }
  CTORCH_TRY(check_there(function, self, nbytes));
  if (!elements_can_share(self)) {
    struct elements all = *self;
    return elements_copy(function, out, self, fill_whole, &all);
  }
  CTORCH_TRY(new_numbers(function, &strides, self->shape_len));
  set_strides(strides, self, self->shape);
  ctorch_error *error = share(function, out, self, self->offset, nbytes, self->shape, strides);
  free(strides);
  return error;
}

/* A part of the array on its way: `runs` dimensions, the outermost ones, are walked through, and behind each of their
 * positions lies a run of elements side by side. */
struct part {
  const struct elements *elements;
  const int64_t *begin, *strides, *sizes;
  int64_t *position;
  size_t runs;
  uint64_t run_nbytes;
};

static ctorch_error *fill_part(const char *function, void *data, uint64_t nbytes, void *context) {
  struct part *self = context;
  const struct elements *elements = self->elements;
  unsigned char *to = data;
  for (uint64_t done = 0; done < nbytes; done += self->run_nbytes) {
    uint64_t first = 0;
    for (size_t dim = 0; dim < elements->shape_len; dim++) {
      first += (uint64_t)(self->begin[dim] + self->position[dim]) * (uint64_t)self->strides[dim];
    }
    CTORCH_TRY(reader_read(
        function, elements->reader, elements->offset + first * itemsize(elements), to + done, self->run_nbytes));
    for (size_t place = self->runs; place-- > 0;) {
      size_t dim = dim_at(elements, place);
      if (++self->position[dim] < self->sizes[dim]) {
        break;
      }
      self->position[dim] = 0;
    }
  }
  return NULL;
}

static void set_runs(struct part *part) {
  const struct elements *elements = part->elements;
  part->runs = elements->shape_len;
  part->run_nbytes = itemsize(elements);
  while (part->runs > 0) {
    size_t dim = dim_at(elements, part->runs - 1);
    part->run_nbytes *= (uint64_t)part->sizes[dim];
    part->runs--;
    if (part->sizes[dim] != elements->shape[dim]) {
      break;
    }
  }
}

/* Share the bytes from the first to the last element, where those between them belong to others. */
static ctorch_error *slice_shared(const char *function, ctorch_tensor **out, const struct part *part, bool *is_shared) {
  const struct elements *elements = part->elements;
  uint64_t first = 0, last = 0;
  for (size_t dim = 0; dim < elements->shape_len; dim++) {
    first += (uint64_t)part->begin[dim] * (uint64_t)part->strides[dim];
    last += (uint64_t)(part->begin[dim] + part->sizes[dim] - 1) * (uint64_t)part->strides[dim];
  }
  uint64_t offset = elements->offset + first * itemsize(elements);
  uint64_t nbytes = (last - first + 1) * itemsize(elements);
  *is_shared = lies_in_memory(elements, offset, nbytes);
  return *is_shared ? share(function, out, elements, offset, nbytes, part->sizes, part->strides) : NULL;
}

ctorch_error *elements_slice(
    const char *function, ctorch_tensor **out, const struct elements *self, const int64_t *begin, const int64_t *end) {
  int64_t *numbers = NULL;
  uint64_t nbytes = 0;
  bool is_empty = false, is_shared = false;
  if (!elements_nbytes(&nbytes, self->shape, self->shape_len, itemsize(self))) {
    return error_make(function, CTORCH_ERROR_INTERNAL, "sizes that were not checked");
  }
  CTORCH_TRY(check_there(function, self, nbytes));
  CTORCH_TRY(new_numbers(function, &numbers, 3 * self->shape_len));
  int64_t *sizes = numbers, *strides = numbers + self->shape_len, *position = strides + self->shape_len;
  for (size_t dim = 0; dim < self->shape_len; dim++) {
    sizes[dim] = end[dim] - begin[dim];
    is_empty = is_empty || sizes[dim] == 0;
  }
  set_strides(strides, self, self->shape);
  struct part part = {self, begin, strides, sizes, position, 0, 0};
  set_runs(&part);
  ctorch_error *error = is_empty ? NULL : slice_shared(function, out, &part, &is_shared);
  if (error == NULL && !is_shared) {
    error = copy(function, out, self, sizes, fill_part, &part);
  }
  free(numbers);
  return error;
}
