/* Files of torch.save before 0.2: a tar file (POSIX.1-1988 ustar, or GNU's) of three members: "storages", "tensors" and
 * "pickle", which refers to those by numbers. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/sequence.h"
#include "core/c/boxed.h"
#include "core/c/error.h"
#include "core/c/python.h"
#include "ctorch.h"
#include "io/reader.h"
#include "pickle/globals.h"
#include "pickle/values.h"
#include "pt/load.h"

enum { BLOCK = 512, SIZE_AT = 124, SIZE_LEN = 12, CHECKSUM_AT = 148, CHECKSUM_LEN = 8, TYPE_AT = 156, NAME_LEN = 100 };

/* Tar -------------------------------------------------------------------------------------------------------------- */

static bool octal(uint64_t *out, const unsigned char *text, size_t len) {
  uint64_t value = 0;
  size_t i = 0;
  while (i < len && text[i] == ' ') {
    i++;
  }
  const size_t first = i;
  for (; i < len && text[i] >= '0' && text[i] <= '7'; i++) {
    value = value << 3 | (uint64_t)(text[i] - '0');
  }
  *out = value;
  return i > first;
}

static bool is_header(const unsigned char *block) {
  uint64_t expected = 0, sum = 0;
  for (size_t i = 0; i < BLOCK; i++) {
    sum += i >= CHECKSUM_AT && i < CHECKSUM_AT + CHECKSUM_LEN ? ' ' : block[i];
  }
  return octal(&expected, block + CHECKSUM_AT, CHECKSUM_LEN) && expected == sum;
}

bool pt_tar_detect(const unsigned char *head, size_t len) { return len >= BLOCK && is_header(head); }

static bool size_in(uint64_t *out, const unsigned char *block) {
  if ((block[SIZE_AT] & 0x80) == 0) {
    return octal(out, block + SIZE_AT, SIZE_LEN);
  }
  *out = 0; /* GNU's, of 8 GiB and more: a binary number, the highest byte first */
  for (size_t i = SIZE_AT + SIZE_LEN - 8; i < SIZE_AT + SIZE_LEN; i++) {
    *out = *out << 8 | block[i];
  }
  return true;
}

/* Where a member lies. */
static ctorch_error *find(struct pt_file *self, const char *name, uint64_t *out_offset, uint64_t *out_nbytes) {
  const char *function = self->pickle.function;
  const ctorch_reader *reader = self->pickle.reader;
  const uint64_t end = ctorch_reader_nbytes(reader);
  unsigned char block[BLOCK];
  for (uint64_t at = 0; end - at >= BLOCK;) {
    uint64_t nbytes = 0;
    CTORCH_TRY(reader_read(function, reader, at, block, sizeof block));
    if (block[0] == '\0') {
      break;
    }
    at += BLOCK;
    if (!is_header(block) || !size_in(&nbytes, block) || nbytes > end - at) {
      return reader_error(function, reader, "the tar file is damaged");
    }
    const bool is_file = block[TYPE_AT] == '0' || block[TYPE_AT] == '\0';
    if (is_file && strncmp((const char *)block, name, NAME_LEN) == 0) {
      *out_offset = at;
      *out_nbytes = nbytes;
      return NULL;
    }
    const uint64_t whole = nbytes / BLOCK * BLOCK + (nbytes % BLOCK == 0 ? 0 : BLOCK);
    if (whole > end - at) {
      break;
    }
    at += whole;
  }
  return reader_error(function, reader, "a tar file, but none of torch.save: it has no member '%s'", name);
}

/* A member while it is read. */
struct member {
  struct pickle_source source;
  uint64_t offset, nbytes;
};

static ctorch_error *open_member(struct pt_file *self, struct member *out, const char *name) {
  out->offset = out->nbytes = 0;
  CTORCH_TRY(find(self, name, &out->offset, &out->nbytes));
  pickle_source_open(&out->source, self->pickle.reader, out->offset, out->nbytes);
  self->pickle.place = name;
  return NULL;
}

/* Go on from a place in the member. */
static ctorch_error *go_on(struct pt_file *self, struct member *member, uint64_t at) {
  if (at > member->nbytes) {
    return reader_error(self->pickle.function, self->pickle.reader, "%s: ends early", self->pickle.place);
  }
  pickle_source_close(&member->source);
  pickle_source_open(&member->source, self->pickle.reader, member->offset + at, member->nbytes - at);
  member->source.done = at;
  return NULL;
}

static ctorch_error *take_numbers(struct pt_file *self, struct member *member, int64_t *out, size_t len) {
  const unsigned char *bytes = NULL;
  CTORCH_TRY(pickle_source_take(self->pickle.function, &member->source, &bytes, 8 * (uint64_t)len));
  if (bytes == NULL) {
    return reader_error(self->pickle.function, self->pickle.reader, "%s: ends early", self->pickle.place);
  }
  for (size_t i = 0; i < len; i++) {
    uint64_t number = 0;
    for (size_t k = 8; k-- > 0;) {
      number = number << 8 | bytes[8 * i + k];
    }
    memcpy(&out[i], &number, sizeof number);
  }
  return NULL;
}

/* How many entries follow: a pickle of its own. */
static ctorch_error *take_count(struct pt_file *self, struct member *member, int64_t *out) {
  ctorch_value *value = NULL;
  CTORCH_TRY(pt_load_part(self, &member->source, &value));
  ctorch_error *error = pickle_refuse(&self->pickle, ctorch_value_to_int(out, value));
  value_dismantle(value);
  return error;
}

/* What the numbers stand for --------------------------------------------------------------------------------------- */

static ctorch_error *note(struct pt_file *self, const ctorch_value *id, ctorch_value *object) {
  ctorch_error *error = pickle_set_item(&self->pickle, self->objects, id, object);
  ctorch_value_release(object);
  return error;
}

/* (key, location, class), then the number of elements and those. */
static ctorch_error *read_storage(struct pt_file *self, struct member *member, const ctorch_value *entry) {
  struct pickle_global class = {.dtype = -1};
  struct pt_storage storage = {.is_placed = true};
  ctorch_value *key = NULL, *type = NULL, *object = NULL;
  char *location = NULL;
  int64_t numel = 0;
  size_t index = 0;
  ctorch_error *error = take_numbers(self, member, &numel, 1);
  THEN(error, pickle_arg(&self->pickle, &key, entry, 0));
  THEN(error, pickle_text_arg(&self->pickle, &location, entry, 1));
  THEN(error, pickle_arg(&self->pickle, &type, entry, 2));
  if (error == NULL && (!pickle_is_class(type) || !pickle_global_of(&self->pickle, &class, type) || class.dtype < 0 ||
                        class.call != NULL)) {
    error = pickle_error(&self->pickle, "a storage of an unknown class");
  }
  storage.dtype = class.dtype;
  THEN(error, pt_storage_nbytes(self, &storage.nbytes, numel, class.dtype));
  const uint64_t at = pickle_source_taken(&member->source);
  if (error == NULL && storage.nbytes > member->nbytes - at) {
    error = pickle_error(&self->pickle, "a storage that ends early");
  }
  storage.offset = member->offset + at;
  THEN(error, pt_storage_add(self, &index, key, &storage));
  THEN(error, pt_storage_set_place(self, index, location));
  THEN(error, pt_storage_value(self, &object, index));
  THEN(error, note(self, key, object));
  THEN(error, go_on(self, member, at + storage.nbytes));
  ctorch_value_release(key);
  ctorch_value_release(type);
  free(location);
  return error;
}

/* (key, key of the whole, offset, numel) */
static ctorch_error *read_view(struct pt_file *self, const ctorch_value *entry) {
  ctorch_value *key = NULL, *root = NULL, *object = NULL;
  struct pt_storage view = {0};
  size_t whole = 0, index = 0;
  bool is_there = false;
  int64_t offset = 0, numel = 0;
  ctorch_error *error = pickle_arg(&self->pickle, &key, entry, 0);
  THEN(error, pickle_arg(&self->pickle, &root, entry, 1));
  THEN(error, pickle_int_arg(&self->pickle, &offset, entry, 2));
  THEN(error, pickle_int_arg(&self->pickle, &numel, entry, 3));
  THEN(error, pt_storage_find(self, &whole, &is_there, root));
  if (error == NULL && (!is_there || self->storages[whole].root != 0)) {
    error = pickle_error(&self->pickle, "a part of a storage that is not there");
  }
  if (error == NULL) {
    view = (struct pt_storage){.dtype = self->storages[whole].dtype, .root = whole + 1};
    error = pt_storage_nbytes(self, &view.offset, offset, view.dtype);
    THEN(error, pt_storage_nbytes(self, &view.nbytes, numel, view.dtype));
  }
  if (error == NULL &&
      (view.offset > self->storages[whole].nbytes || view.nbytes > self->storages[whole].nbytes - view.offset)) {
    error = pickle_error(&self->pickle, "a part of a storage that does not lie in it");
  }
  THEN(error, pt_storage_add(self, &index, key, &view));
  if (error == NULL) {
    self->storages[index].device = self->storages[whole].device;
    error = pt_storage_value(self, &object, index);
  }
  THEN(error, note(self, key, object));
  ctorch_value_release(key);
  ctorch_value_release(root);
  return error;
}

static ctorch_error *read_storages(struct pt_file *self) {
  struct member member = {.offset = 0};
  int64_t count = 0;
  CTORCH_TRY(open_member(self, &member, "storages"));
  ctorch_error *error = take_count(self, &member, &count);
  for (int64_t i = 0; error == NULL && i < count; i++) {
    ctorch_value *entry = NULL;
    error = pt_load_part(self, &member.source, &entry);
    THEN(error, read_storage(self, &member, entry));
    value_dismantle(entry);
  }
  ctorch_value *views = NULL;
  THEN(error, pt_load_part(self, &member.source, &views));
  for (size_t i = 0; error == NULL && i < ctorch_value_len(views); i++) {
    ctorch_value *entry = NULL;
    error = pickle_arg(&self->pickle, &entry, views, i);
    THEN(error, read_view(self, entry));
    ctorch_value_release(entry);
  }
  value_dismantle(views);
  pickle_source_close(&member.source);
  return error;
}

/* A tuple of ints. */
static ctorch_error *ints_value(const struct pt_file *self, ctorch_value **out, const int64_t *ints, size_t len) {
  ctorch_value **values = calloc(len == 0 ? 1 : len, sizeof *values);
  ctorch_error *error = values == NULL ? error_memory(self->pickle.function, len * sizeof *values) : NULL;
  for (size_t i = 0; error == NULL && i < len; i++) {
    error = ctorch_value_from_int(&values[i], ints[i]);
  }
  THEN(error, ctorch_value_from_tuple(out, (const ctorch_value *const *)values, len));
  for (size_t i = 0; values != NULL && i < len; i++) {
    ctorch_value_release(values[i]);
  }
  free(values);
  return error;
}

/* The call of torch._utils._rebuild_tensor that a later version would have written. */
static ctorch_error *make_tensor(
    struct pt_file *self,
    ctorch_value **out,
    const ctorch_value *storage,
    int64_t offset,
    const int64_t *sizes,
    const int64_t *strides,
    size_t len) {
  ctorch_value *parts[4] = {NULL, NULL, NULL, NULL}, *args = NULL, *function = NULL;
  ctorch_value_retain(storage);
  parts[0] = (ctorch_value *)(uintptr_t)storage;
  ctorch_error *error = ctorch_value_from_int(&parts[1], offset);
  THEN(error, ints_value(self, &parts[2], sizes, len));
  THEN(error, ints_value(self, &parts[3], strides, len));
  THEN(error, ctorch_value_from_tuple(&args, (const ctorch_value *const *)parts, 4));
  THEN(error, ctorch_value_from_python_object(&function, "torch._utils", "_rebuild_tensor", NULL, NULL, NULL));
  THEN(error, pickle_reduce(&self->pickle, out, function, args));
  for (size_t i = 0; i < 4; i++) {
    ctorch_value_release(parts[i]);
  }
  ctorch_value_release(args);
  ctorch_value_release(function);
  return error;
}

/* (key, key of the storage, class), then the number of dimensions, sizes, strides and the offset. */
static ctorch_error *read_tensor(struct pt_file *self, struct member *member, const ctorch_value *entry) {
  ctorch_value *key = NULL, *id = NULL, *storage = NULL, *object = NULL;
  int64_t ndim = 0, *numbers = NULL;
  CTORCH_TRY(take_numbers(self, member, &ndim, 1));
  ndim &= UINT32_MAX; /* the rest is what was in memory */
  const uint64_t left = member->nbytes - pickle_source_taken(&member->source);
  if ((uint64_t)ndim * 16 > left) {
    return pickle_error(&self->pickle, "a tensor of %" PRId64 " dimensions", ndim);
  }
  const size_t len = 2 * (size_t)ndim + 1;
  numbers = calloc(len, sizeof *numbers);
  if (numbers == NULL) {
    return error_memory(self->pickle.function, len * sizeof *numbers);
  }
  ctorch_error *error = take_numbers(self, member, numbers, len);
  THEN(error, pickle_arg(&self->pickle, &key, entry, 0));
  THEN(error, pickle_arg(&self->pickle, &id, entry, 1));
  THEN(error, pickle_refuse(&self->pickle, ctorch_value_dict_get(&storage, self->objects, id)));
  THEN(error, make_tensor(self, &object, storage, numbers[2 * ndim], numbers, numbers + ndim, (size_t)ndim));
  THEN(error, note(self, key, object));
  free(numbers);
  ctorch_value_release(key);
  ctorch_value_release(id);
  ctorch_value_release(storage);
  return error;
}

static ctorch_error *read_tensors(struct pt_file *self) {
  struct member member = {.offset = 0};
  int64_t count = 0;
  CTORCH_TRY(open_member(self, &member, "tensors"));
  ctorch_error *error = take_count(self, &member, &count);
  for (int64_t i = 0; error == NULL && i < count; i++) {
    ctorch_value *entry = NULL;
    error = pt_load_part(self, &member.source, &entry);
    THEN(error, read_tensor(self, &member, entry));
    value_dismantle(entry);
  }
  pickle_source_close(&member.source);
  return error;
}

/* A number, or a tuple of a class and its source. */
static ctorch_error *tar_persistent(struct unpickler *pickle, ctorch_value **out, const ctorch_value *id) {
  struct pt_file *self = (struct pt_file *)pickle;
  return ctorch_value_kind_of(id) == CTORCH_VALUE_TUPLE
             ? pickle_arg(pickle, out, id, 0)
             : pickle_refuse(pickle, ctorch_value_dict_get(out, self->objects, id));
}

ctorch_error *pt_tar_load(struct pt_file *self, ctorch_value **out) {
  struct member member = {.offset = 0};
  ctorch_value *objects = NULL;
  CTORCH_TRY(pickle_empty(&objects, CTORCH_VALUE_DICT));
  self->objects = value_take(objects);
  CTORCH_TRY(read_storages(self));
  CTORCH_TRY(read_tensors(self));
  CTORCH_TRY(open_member(self, &member, "pickle"));
  self->pickle.persistent = tar_persistent;
  ctorch_error *error = pt_load_root(self, &member.source, out);
  pickle_source_close(&member.source);
  return error;
}
