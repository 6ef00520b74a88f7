/* The storages of a file of torch.save: which there are, where they are to lie, and reading them. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/callback.h"
#include "base/device_name.h"
#include "base/sequence.h"
#include "core/c/boxed.h"
#include "core/c/error.h"
#include "core/c/tensor.h"
#include "ctorch.h"
#include "io/reader.h"
#include "pickle/globals.h"
#include "pickle/values.h"
#include "pt/file.h"

enum { ALIGNMENT = 16 }; /* of the largest elements; torch.save aligns to 64 */

/* Places ----------------------------------------------------------------------------------------------------------- */

static ctorch_error *check_there(const struct pt_file *self, const ctorch_device *device, const char *location) {
  if (device->type == CTORCH_DEVICE_TYPE_CPU || device->type == CTORCH_DEVICE_TYPE_META) {
    return NULL;
  }
  const bool is_there = device->type != CTORCH_DEVICE_TYPE_CUDA || ctorch_device_cuda_is_available();
  const int32_t count = is_there ? ctorch_device_count(device->type) : 0;
  if ((device->index < 0 ? 0 : device->index) < count) {
    return NULL;
  }
  const char *type = ctorch_device_type_name(device->type), *name = reader_name(self->pickle.reader);
  return self->device != NULL || self->map_location != NULL
             ? error_make(
                   self->pickle.function, CTORCH_ERROR_RUNTIME,
                   "%.500s: map_location sends a storage of '%.40s' to %s:%d, but there are %d devices of this type "
                   "here; name another one",
                   name, location, type, (int)(device->index < 0 ? 0 : device->index), (int)count)
             : error_make(
                   self->pickle.function, CTORCH_ERROR_RUNTIME,
                   "%.500s: a storage was saved on '%.40s', but there are %d devices of this type here; map_location "
                   "can name another place, such as the CPU",
                   name, location, (int)count);
}

ctorch_error *pt_place(struct pt_file *self, ctorch_device *out, const char *location) {
  ctorch_device device = {.type = -1, .index = -1}; /* unknown */
  if (self->device != NULL) {
    device = *self->device;
  } else {
    (void)device_name_parse(&device, location);
  }
  if (self->device == NULL && self->map_location != NULL) {
    ctorch_error *failure = NULL;
    const ctorch_callback_status status = self->map_location(&device, location, &failure, self->pickle.payload);
    CTORCH_TRY(callback_error(self->pickle.function, "map_location", status, failure));
    CTORCH_TRY(device.type == -1 ? NULL : error_unless_device(self->pickle.function, "map_location", &device));
  }
  if (device.type == -1) {
    return error_make(
        self->pickle.function, CTORCH_ERROR_RUNTIME,
        "%.500s: a storage is to lie on '%.40s', which is no device known here; map_location can name another place",
        reader_name(self->pickle.reader), location);
  }
  CTORCH_TRY(check_there(self, &device, location));
  *out = device;
  return NULL;
}

/* The list --------------------------------------------------------------------------------------------------------- */

ctorch_error *pt_storage_nbytes(const struct pt_file *self, uint64_t *out, int64_t numel, ctorch_dtype dtype) {
  const uint64_t itemsize = ctorch_dtype_itemsize(dtype);
  if (numel < 0 || (uint64_t)numel > INT64_MAX / itemsize) {
    return pickle_error(&self->pickle, "a storage of %" PRId64 " elements", numel);
  }
  *out = (uint64_t)numel * itemsize;
  return NULL;
}

ctorch_error *pt_storage_find(struct pt_file *self, size_t *out, bool *out_is_there, const ctorch_value *key) {
  ctorch_value *number = NULL;
  int64_t index = 0;
  *out_is_there = false;
  if (self->by_key == NULL) {
    return NULL;
  }
  CTORCH_TRY(pickle_refuse(&self->pickle, ctorch_value_dict_contains(out_is_there, self->by_key, key)));
  if (*out_is_there) {
    CTORCH_TRY(ctorch_value_dict_get(&number, self->by_key, key));
    ctorch_error *error = ctorch_value_to_int(&index, number);
    ctorch_value_release(number);
    CTORCH_TRY(error);
    *out = (size_t)index;
  }
  return NULL;
}

ctorch_error *pt_storage_set_place(struct pt_file *self, size_t index, const char *location) {
  struct pt_storage *storage = &self->storages[index];
  if (storage->has_device || self->pickle.is_described) {
    return NULL;
  }
  CTORCH_TRY(pt_place(self, &storage->device, location));
  storage->has_device = true;
  return NULL;
}

ctorch_error *pt_storage_add(
    struct pt_file *self, size_t *out, const ctorch_value *key, const struct pt_storage *storage) {
  ctorch_value *dict = NULL, *number = NULL;
  struct pt_storage added = *storage;
  added.device = (ctorch_device){.type = CTORCH_DEVICE_TYPE_CPU, .index = -1};
  if (self->by_key == NULL) {
    CTORCH_TRY(pickle_empty(&dict, CTORCH_VALUE_DICT));
    self->by_key = value_take(dict);
  }
  CTORCH_TRY(array_grow(self->pickle.function, &self->storages, self->len, sizeof *self->storages));
  CTORCH_TRY(ctorch_value_from_int(&number, (int64_t)self->len));
  ctorch_error *error = key == NULL ? NULL : pickle_set_item(&self->pickle, self->by_key, key, number);
  ctorch_value_release(number);
  CTORCH_TRY(error);
  self->storages[self->len] = added;
  *out = self->len++;
  return NULL;
}

/* Which storage an object of LibTorch's is. ------------------------------------------------------------------------ */

static size_t slot_of(const struct pt_file *self, const ctorch_storage *memory) {
  const uint64_t mixed = (uint64_t)(uintptr_t)memory * UINT64_C(0x9e3779b97f4a7c15);
  size_t slot = (size_t)(mixed >> 32) & (self->by_address_len - 1);
  while (self->by_address[slot] != 0 && self->storages[self->by_address[slot] - 1].memory != memory) {
    slot = (slot + 1) & (self->by_address_len - 1);
  }
  return slot;
}

static ctorch_error *note_address(struct pt_file *self, size_t index) {
  if (2 * self->len > self->by_address_len) {
    const size_t len = self->by_address_len == 0 ? 64 : 4 * self->by_address_len;
    size_t *table = calloc(len, sizeof *table);
    if (table == NULL) {
      return error_memory(self->pickle.function, len * sizeof *table);
    }
    free(self->by_address);
    self->by_address = table;
    self->by_address_len = len;
    for (size_t i = 0; i < self->len; i++) {
      if (self->storages[i].memory != NULL) {
        self->by_address[slot_of(self, self->storages[i].memory)] = i + 1;
      }
    }
    return NULL;
  }
  self->by_address[slot_of(self, self->storages[index].memory)] = index + 1;
  return NULL;
}

static const struct pickle_global description = {"torch.storage", "UntypedStorage", NULL, false, -1};

ctorch_error *pt_storage_describe(ctorch_value **out, size_t index) {
  ctorch_value *number = NULL, *args = NULL;
  CTORCH_TRY(ctorch_value_from_int(&number, (int64_t)index));
  const ctorch_value *only[] = {number};
  ctorch_error *error = ctorch_value_from_tuple(&args, only, 1);
  THEN(error, ctorch_value_from_python_object(out, description.module, description.name, args, NULL, NULL));
  ctorch_value_release(args);
  ctorch_value_release(number);
  return error;
}

ctorch_error *pt_storage_value(struct pt_file *self, ctorch_value **out, size_t index) {
  struct pt_storage *storage = &self->storages[index];
  if (self->pickle.is_described) {
    return pt_storage_describe(out, index);
  }
  if (storage->memory == NULL) {
    CTORCH_TRY(pt_storage_read(self, &storage->memory, index, 0, storage->nbytes));
    CTORCH_TRY(note_address(self, index));
  }
  return ctorch_value_from_storage(out, storage->memory);
}

ctorch_error *pt_storage_arg(const struct pt_file *self, size_t *out, const ctorch_value *args, size_t index) {
  ctorch_value *value = NULL, *inside = NULL;
  ctorch_storage *memory = NULL;
  int64_t number = -1;
  CTORCH_TRY(pickle_arg(&self->pickle, &value, args, index));
  ctorch_error *error = NULL;
  if (ctorch_value_kind_of(value) == CTORCH_VALUE_STORAGE && self->by_address_len > 0) {
    error = ctorch_value_to_storage(&memory, value);
    number = error != NULL ? -1 : (int64_t)self->by_address[slot_of(self, memory)] - 1;
    ctorch_storage_release(memory);
  } else if (pickle_is(value, description.module, description.name) && !pickle_is_class(value)) {
    error = ctorch_value_python_args(&inside, value);
    THEN(error, pickle_int_arg(&self->pickle, &number, inside, 0));
    ctorch_value_release(inside);
  }
  ctorch_value_release(value);
  if (error == NULL && (number < 0 || (uint64_t)number >= self->len)) {
    error = pickle_error(&self->pickle, "argument %zu is no storage of the file", index);
  }
  CTORCH_TRY(error);
  *out = (size_t)number;
  return NULL;
}

/* Reading ---------------------------------------------------------------------------------------------------------- */

/* Turn the bytes of elements round: of complex numbers, those of each part. */
static void swap_bytes(unsigned char *data, uint64_t nbytes, ctorch_dtype dtype) {
  const bool is_complex =
      dtype == CTORCH_DTYPE_COMPLEX32 || dtype == CTORCH_DTYPE_COMPLEX64 || dtype == CTORCH_DTYPE_COMPLEX128;
  const size_t size = ctorch_dtype_itemsize(dtype) / (is_complex ? 2 : 1);
  for (uint64_t at = 0; nbytes - at >= size && size > 1; at += size) {
    for (size_t i = 0; i < size / 2; i++) {
      const unsigned char byte = data[at + i];
      data[at + i] = data[at + size - 1 - i];
      data[at + size - 1 - i] = byte;
    }
  }
}

/* Bytes of a compressed record, which is read whole. */
static ctorch_error *unpack(
    struct pt_file *self, void *data, const struct pt_record *record, uint64_t offset, uint64_t nbytes) {
  if (offset == 0 && nbytes == record->nbytes) {
    return pt_zip_read(self->pickle.function, &self->zip, data, record);
  }
  unsigned char *whole = malloc(record->nbytes == 0 ? 1 : (size_t)record->nbytes);
  if (whole == NULL) {
    return error_memory(self->pickle.function, record->nbytes);
  }
  ctorch_error *error = pt_zip_read(self->pickle.function, &self->zip, whole, record);
  if (error == NULL) {
    memcpy(data, whole + offset, (size_t)nbytes);
  }
  free(whole);
  return error;
}

/* A storage of its own memory, filled. */
static ctorch_error *read_own(
    struct pt_file *self, ctorch_storage **out, const struct pt_storage *storage, uint64_t offset, uint64_t nbytes) {
  ctorch_storage *memory = NULL;
  void *data = NULL;
  CTORCH_TRY(ctorch_storage_new(&memory, (size_t)nbytes));
  ctorch_error *error = ctorch_storage_data(&data, memory);
  if (error == NULL && nbytes > 0) {
    error = storage->record != NULL && storage->record->is_compressed
                ? unpack(self, data, storage->record, offset, nbytes)
                : reader_read(self->pickle.function, self->pickle.reader, storage->offset + offset, data, nbytes);
  }
  if (error == NULL && self->is_big_endian && nbytes > 0) {
    swap_bytes(data, nbytes, storage->dtype);
  }
  if (error != NULL) {
    ctorch_storage_release(memory);
    return error;
  }
  *out = memory;
  return NULL;
}

/* A storage that shares the reader's memory, if it can. */
static ctorch_error *read_shared(struct pt_file *self, ctorch_storage **out, uint64_t offset, uint64_t nbytes) {
  ctorch_tensor *bytes = NULL;
  CTORCH_TRY(reader_tensor(self->pickle.function, &bytes, self->pickle.reader, offset, nbytes, ALIGNMENT));
  ctorch_error *error = ctorch_storage_from_tensor(out, bytes);
  tensor_unref(bytes);
  return error;
}

static ctorch_error *bytes_of(ctorch_tensor **out, ctorch_storage *memory, uint64_t offset, uint64_t nbytes) {
  const int64_t size = (int64_t)nbytes;
  return ctorch_tensor_from_storage(out, memory, (int64_t)offset, &size, 1, NULL, 0, CTORCH_DTYPE_UINT8);
}

/* Move a storage, which is consumed, to a device. */
static ctorch_error *move(ctorch_storage **out, ctorch_storage *memory, const ctorch_device *device) {
  ctorch_tensor *here = NULL, *there = NULL;
  ctorch_error *error = bytes_of(&here, memory, 0, ctorch_storage_nbytes(memory));
  THEN(error, ctorch_tensor_to(&there, here, NULL, device, false, false, NULL));
  THEN(error, ctorch_storage_from_tensor(out, there));
  ctorch_tensor_release(here);
  ctorch_tensor_release(there);
  ctorch_storage_release(memory);
  return error;
}

static ctorch_error *make_meta(ctorch_storage **out, uint64_t nbytes, const ctorch_device *device) {
  const int64_t size = (int64_t)nbytes;
  const ctorch_dtype uint8 = CTORCH_DTYPE_UINT8;
  ctorch_tensor *tensor = NULL;
  CTORCH_TRY(ctorch_aten_empty_memory_format(&tensor, &size, 1, &uint8, NULL, device, NULL, NULL));
  ctorch_error *error = ctorch_storage_from_tensor(out, tensor);
  ctorch_tensor_release(tensor);
  return error;
}

static void release_root(void *payload) { tensor_unref(payload); }

/* A part of another storage: memory that both have. */
static ctorch_error *read_view(
    struct pt_file *self, ctorch_storage **out, const struct pt_storage *view, uint64_t offset, uint64_t nbytes) {
  const size_t root = view->root - 1;
  const int64_t size = (int64_t)nbytes;
  if (self->pickle.is_described || self->depth > 0) {
    return pt_storage_read(self, out, root, view->offset + offset, nbytes);
  }
  if (self->storages[root].device.type != CTORCH_DEVICE_TYPE_CPU) {
    return error_make(
        self->pickle.function, CTORCH_ERROR_UNSUPPORTED,
        "%.500s: a storage that is part of another, elsewhere than on the CPU", reader_name(self->pickle.reader));
  }
  ctorch_value *value = NULL;
  CTORCH_TRY(pt_storage_value(self, &value, root)); /* reads it */
  ctorch_value_release(value);
  ctorch_storage *memory = self->storages[root].memory;
  void *data = NULL;
  ctorch_tensor *bytes = NULL;
  CTORCH_TRY(ctorch_storage_data(&data, memory));
  if (nbytes == 0) {
    return ctorch_storage_new(out, 0);
  }
  ctorch_tensor *whole = NULL; /* it goes when the view does */
  CTORCH_TRY(bytes_of(&whole, memory, 0, ctorch_storage_nbytes(memory)));
  tensor_take(whole);
  ctorch_error *error = ctorch_tensor_from_buffer(
      &bytes, (unsigned char *)data + view->offset + offset, &size, 1, NULL, 0, CTORCH_DTYPE_UINT8, release_root,
      whole);
  if (error != NULL) {
    tensor_unref(whole);
    return error;
  }
  error = ctorch_storage_from_tensor(out, bytes);
  ctorch_tensor_release(bytes);
  return error;
}

ctorch_error *pt_storage_read(
    struct pt_file *self, ctorch_storage **out, size_t index, uint64_t offset, uint64_t nbytes) {
  struct pt_storage *storage = &self->storages[index];
  const ctorch_device device = storage->device;
  const bool is_compressed = storage->record != NULL && storage->record->is_compressed;
  if (storage->root != 0) {
    return read_view(self, out, storage, offset, nbytes);
  }
  if (device.type == CTORCH_DEVICE_TYPE_META) {
    return make_meta(out, nbytes, &device);
  }
  ctorch_storage *memory = NULL;
  if (nbytes == 0) {
    CTORCH_TRY(ctorch_storage_new(&memory, 0));
  } else {
    if (!storage->is_placed && !is_compressed) {
      return pickle_error(&self->pickle, "a storage that is not in the file");
    }
    CTORCH_TRY(
        is_compressed || self->is_big_endian ? read_own(self, &memory, storage, offset, nbytes)
                                             : read_shared(self, &memory, storage->offset + offset, nbytes));
  }
  if (device.type != CTORCH_DEVICE_TYPE_CPU) {
    return move(out, memory, &device);
  }
  *out = memory;
  return NULL;
}
