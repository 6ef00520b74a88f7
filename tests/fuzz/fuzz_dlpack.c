/* DLPack's structs as a careless or hostile producer fills them. The struct, its shape, its strides and its data exist;
 * whether what it says of them is true is up to the input. What is imported has to be as it was described, its elements
 * are read as far as they exist, and the deleter runs exactly once. */
#include <dlpack/dlpack.h>
#include <stdlib.h>

#include "fuzz/fuzz.h"

enum { DATA = 4096, MAX_NDIM = 260 };

typedef struct producer {
  DLManagedTensorVersioned versioned;
  DLManagedTensor unversioned;
  int deleted;
} producer;

static void count_deleted(void *payload) { ((producer *)payload)->deleted++; }
static void delete_versioned(struct DLManagedTensorVersioned *self) { count_deleted(self->manager_ctx); }
static void delete_unversioned(struct DLManagedTensor *self) { count_deleted(self->manager_ctx); }

static int64_t size_of(fuzz_input *input) {
  const uint8_t first = fuzz_byte(input);
  return first < 200 ? first % 6 : fuzz_int64(input);
}

static DLTensor describe(fuzz_input *input, char *data, int64_t **shape, int64_t **strides) {
  static const uint8_t BITS[] = {8, 16, 32, 64, 1, 2, 4, 128, 6, 3, 0, 255, 7, 5, 24, 80};
  DLTensor made = {.data = data, .device = {kDLCPU, 0}, .dtype = {kDLFloat, 32, 1}};
  const uint8_t what = fuzz_byte(input);
  made.dtype.code = fuzz_byte(input) % 24;
  made.dtype.bits = BITS[fuzz_below(input, sizeof BITS)];
  made.dtype.lanes = (what & 1) != 0 ? (uint16_t)fuzz_int64(input) : 1;
  const uint8_t ndim = fuzz_byte(input);
  made.ndim = ndim < 240 ? ndim % 6 : ndim < 250 ? MAX_NDIM - 8 + ndim % 8 : (int32_t)fuzz_int64(input);
  const size_t len = made.ndim > 0 && made.ndim < MAX_NDIM ? (size_t)made.ndim : made.ndim > 0 ? MAX_NDIM : 0;
  *shape = fuzz_memory(len * sizeof **shape);
  *strides = fuzz_memory(len * sizeof **strides);
  for (size_t i = 0; i < len; i++) {
    (*shape)[i] = size_of(input);
  }
  int64_t contiguous = 1;
  for (size_t i = len; i-- > 0;) {
    (*strides)[i] = (what & 2) != 0 ? size_of(input) : contiguous;
    contiguous = (int64_t)((uint64_t)contiguous * (uint64_t)(*shape)[i]);
  }
  made.shape = (what & 4) != 0 ? NULL : *shape;
  made.strides = (what & 8) != 0 ? NULL : *strides;
  made.byte_offset = (what & 16) != 0 ? (uint64_t)fuzz_int64(input) : 0;
  if ((what & 32) != 0) {
    made.device = (DLDevice){(DLDeviceType)(fuzz_byte(input) % 24), (int32_t)fuzz_int64(input)};
  }
  if ((what & 64) != 0) {
    made.data = NULL;
  }
  return made;
}

/* Whether all of its elements lie in the data. */
static bool is_readable(const ctorch_tensor *x, const DLTensor *given, size_t itemsize) {
  if (given->device.device_type != kDLCPU || given->data == NULL || given->byte_offset > DATA) {
    return false;
  }
  uint64_t last = 0;
  for (int64_t i = 0; i < ctorch_tensor_ndim(x); i++) {
    const int64_t size = ctorch_tensor_sizes(x)[i], stride = ctorch_tensor_strides(x)[i];
    if (size == 0) {
      return true;
    }
    if (size == 1) {
      continue; /* its stride is never taken */
    }
    if (size > DATA || stride < 0 || stride > DATA) {
      return false;
    }
    last += (uint64_t)(size - 1) * (uint64_t)stride;
  }
  return last <= DATA && given->byte_offset + (last + 1) * itemsize <= DATA;
}

static void look_at(ctorch_tensor *x, const DLTensor *given) {
  const ctorch_dtype dtype = ctorch_tensor_dtype(x);
  const size_t itemsize = ctorch_dtype_itemsize(dtype);
  fuzz_assert(itemsize > 0);
  fuzz_assert(ctorch_tensor_ndim(x) == given->ndim);
  int64_t numel = 1;
  for (int32_t i = 0; i < given->ndim; i++) {
    fuzz_assert(ctorch_tensor_sizes(x)[i] == given->shape[i]);
    fuzz_assert(given->shape[i] >= 0);
    numel *= given->shape[i] == 0 ? 0 : 1;
  }
  for (int32_t i = 0; numel != 0 && given->strides != NULL && i < given->ndim; i++) {
    fuzz_assert(given->shape[i] == 1 || ctorch_tensor_strides(x)[i] == given->strides[i]);
  }
  if (!is_readable(x, given, itemsize) || ctorch_tensor_numel(x) > DATA) {
    return;
  }
  ctorch_string *text;
  if (fuzz_ok(&text, ctorch_tensor_repr(&text, x, NULL, NULL, NULL, NULL, NULL))) {
    fuzz_assert(fuzz_is_utf8(ctorch_string_data(text)));
    fuzz_release(ctorch_string, text);
  }
  ctorch_tensor *copy;
  if (fuzz_ok(&copy, ctorch_aten_clone(&copy, x, NULL))) {
    fuzz_release(ctorch_tensor, copy);
  }
  struct DLManagedTensorVersioned *again;
  if (fuzz_ok(&again, ctorch_tensor_to_dlpack(&again, x, NULL, NULL, NULL, false))) {
    fuzz_assert(again->dl_tensor.ndim == given->ndim);
    fuzz_assert(again->dl_tensor.dtype.bits * again->dl_tensor.dtype.lanes <= 8 * (int)itemsize);
    ctorch_dlpack_release(again);
  }
}

static void dlpack_input(fuzz_input *input) {
  const uint8_t way = fuzz_byte(input);
  char *data = fuzz_memory(DATA);
  memset(data, 1, DATA);
  int64_t *shape, *strides;
  const DLTensor given = describe(input, data, &shape, &strides);
  producer p = {
      .versioned = {.version = {1, (uint32_t)fuzz_byte(input)}, .manager_ctx = &p, .deleter = delete_versioned}};
  p.versioned.flags = fuzz_byte(input);
  if ((way & 64) != 0) {
    p.versioned.version.major = (uint32_t)fuzz_int64(input);
    p.versioned.flags = (uint64_t)fuzz_int64(input);
  }
  p.versioned.dl_tensor = given;
  p.unversioned = (DLManagedTensor){given, &p, delete_unversioned};
  const bool has_deleter = (way & 128) == 0;
  if (!has_deleter) {
    p.versioned.deleter = NULL;
    p.unversioned.deleter = NULL;
  }

  ctorch_tensor *x = NULL;
  int due = has_deleter ? 1 : 0;
  bool imported = false;
  switch (way % 3) {
    case 0: {
      uint64_t flags;
      memset(&flags, 0xa5, sizeof flags);
      imported = fuzz_ok(&x, ctorch_tensor_from_dlpack(&x, (way & 8) != 0 ? NULL : &flags, &p.versioned));
      if (imported && (way & 8) == 0) {
        fuzz_assert(flags == p.versioned.flags);
      }
      break;
    }
    case 1:
      imported = fuzz_ok(&x, ctorch_tensor_from_dlpack_unversioned(&x, &p.unversioned));
      break;
    default:
      imported = fuzz_ok(&x, ctorch_tensor_from_dltensor(&x, &given, has_deleter ? count_deleted : NULL, &p));
      due = imported ? due : 0; /* destroy is not called by a failure */
      break;
  }
  if (imported) {
    fuzz_assert(p.deleted == 0);
    look_at(x, &given);
    /* In a scope too: the data goes with this function. */
    ctorch_tensor_release(x);
  }
  fuzz_assert(p.deleted == due);

  ctorch_dtype dtype;
  const uint64_t flags = p.versioned.flags;
  if (fuzz_ok(&dtype, ctorch_dtype_from_dlpack(&dtype, given.dtype.code, given.dtype.bits, given.dtype.lanes, flags))) {
    uint8_t code, bits;
    uint16_t lanes;
    uint64_t told;
    fuzz_must(ctorch_dtype_to_dlpack(&code, &bits, &lanes, &told, dtype));
    fuzz_assert(code == given.dtype.code && bits == given.dtype.bits && lanes == given.dtype.lanes);
  }
  free(strides);
  free(shape);
  free(data);
}

FUZZ_TARGET(dlpack_input)
