/* Files of torch.save: loaded, and opened as weights, of which each is read. The first byte of an input tells how the
 * rest becomes a file: as it is; as the pickle of a zip file with two storages; as the pickle of a file before 1.6, with
 * what is behind it; and whether the file is in memory, and unknown classes are allowed. */
#include <stdlib.h>

#include "fuzz/fuzz.h"

enum { MOST = 1 << 16, STORAGE_NBYTES = 48 };

struct file {
  uint8_t *data;
  size_t len;
};

static void put(struct file *file, const void *data, size_t len) {
  memcpy(file->data + file->len, data, len);
  file->len += len;
}

static void put_number(struct file *file, uint64_t value, size_t nbytes) {
  for (size_t i = 0; i < nbytes; i++, value >>= 8) {
    const uint8_t byte = (uint8_t)value;
    put(file, &byte, 1);
  }
}

struct record {
  const char *name;
  const void *data;
  size_t len;
};

/* A record's header in front of it, or its entry in the table of contents. */
static void put_header(struct file *file, const struct record *record, bool is_entry, size_t offset) {
  put(file, is_entry ? "PK\1\2" : "PK\3\4", 4);
  put_number(file, 0, is_entry ? 8 : 6); /* versions, flags, method */
  put_number(file, 0, 8);                /* time, date, checksum */
  put_number(file, record->len, 4);
  put_number(file, record->len, 4);
  put_number(file, strlen(record->name), 2);
  put_number(file, 0, is_entry ? 8 : 2); /* extra field; comment, disk, attributes */
  put_number(file, 0, is_entry ? 4 : 0);
  put_number(file, offset, is_entry ? 4 : 0);
  put(file, record->name, strlen(record->name));
}

/* A zip file as torch.save writes it. */
static void put_zip(struct file *file, const uint8_t *pickle, size_t len) {
  uint8_t storage[STORAGE_NBYTES];
  const struct record records[] = {
      {"a/data.pkl", pickle, len},           {"a/version", "3\n", 2},  {"a/byteorder", "little", 6},
      {"a/data/0", storage, sizeof storage}, {"a/data/1", storage, 8},
  };
  enum { RECORDS = sizeof records / sizeof *records };
  size_t offsets[RECORDS];
  for (size_t i = 0; i < sizeof storage; i++) {
    storage[i] = (uint8_t)(i % 8 == 0 ? i / 8 : 0);
  }
  for (size_t i = 0; i < RECORDS; i++) {
    offsets[i] = file->len;
    put_header(file, &records[i], false, 0);
    put(file, records[i].data, records[i].len);
  }
  const size_t table = file->len;
  for (size_t i = 0; i < RECORDS; i++) {
    put_header(file, &records[i], true, offsets[i]);
  }
  const size_t end = file->len;
  put(file, "PK\5\6", 4);
  put_number(file, 0, 4);
  put_number(file, RECORDS, 2);
  put_number(file, RECORDS, 2);
  put_number(file, end - table, 4);
  put_number(file, table, 4);
  put_number(file, 0, 2);
}

static struct file made_file(fuzz_input *input, size_t how) {
  static const char before[] = "\x80\2\x8a\x0a\x6c\xfc\x9c\x46\xf9\x20\x6a\xa8\x50\x19.\x80\2M\xe9\3.\x80\2}.";
  struct file file = {fuzz_memory(input->len + MOST), 0};
  if (how == 1) {
    put_zip(&file, input->data, input->len);
  } else {
    put(&file, before, how == 2 ? sizeof before - 1 : 0);
    put(&file, input->data, input->len);
  }
  return file;
}

static ctorch_callback_status read_file(void *data, size_t nbytes, size_t offset, ctorch_error **error, void *payload) {
  const struct file *file = payload;
  (void)error;
  fuzz_assert(nbytes > 0 && offset <= file->len && nbytes <= file->len - offset);
  memcpy(data, file->data + offset, nbytes);
  return CTORCH_CALLBACK_OK;
}

static ctorch_callback_status allow(
    bool *out, const char *module, const char *name, ctorch_error **error, void *payload) {
  (void)error, (void)payload;
  fuzz_assert(fuzz_is_utf8(module) && fuzz_is_utf8(name));
  *out = name[0] != 'z';
  return CTORCH_CALLBACK_OK;
}

/* Look at each element of what was loaded. */
static void look_at(const ctorch_value *value, int depth) {
  ctorch_tensor *tensor, *sum;
  ctorch_value *values;
  const ctorch_value_kind kind = ctorch_value_kind_of(value);
  if (kind == CTORCH_VALUE_TENSOR && fuzz_ok(&tensor, ctorch_value_to_tensor(&tensor, value))) {
    if (ctorch_tensor_numel(tensor) < 1 << 16 && fuzz_ok(&sum, ctorch_aten_clone(&sum, tensor, NULL))) {
      fuzz_release(ctorch_tensor, sum);
    }
    fuzz_release(ctorch_tensor, tensor);
  }
  if (depth > 4 || (kind != CTORCH_VALUE_LIST && kind != CTORCH_VALUE_TUPLE && kind != CTORCH_VALUE_DICT)) {
    return;
  }
  if (kind == CTORCH_VALUE_DICT) {
    fuzz_must(ctorch_value_dict_values(&values, value));
  } else {
    ctorch_value_retain(value);
    values = (ctorch_value *)(uintptr_t)value;
  }
  for (size_t i = 0; i < ctorch_value_len(values) && i < 8; i++) {
    ctorch_value *entry;
    fuzz_must(ctorch_value_get(&entry, values, i));
    look_at(entry, depth + 1);
    fuzz_release(ctorch_value, entry);
  }
  fuzz_release(ctorch_value, values);
}

static void load(const ctorch_reader *reader, bool allows) {
  ctorch_value *value;
  if (fuzz_ok(&value, ctorch_serialization_load_with(&value, reader, NULL, allows ? allow : NULL, NULL))) {
    look_at(value, 0);
    fuzz_dismantle(value);
    fuzz_release(ctorch_value, value);
  }
}

static void open_weights(const ctorch_reader *reader) {
  ctorch_weights *weights;
  if (!fuzz_ok(&weights, ctorch_weights_open(&weights, reader))) {
    return;
  }
  for (size_t i = 0; i < ctorch_weights_len(weights) && i < 16; i++) {
    const char *name = ctorch_weights_name(weights, i);
    ctorch_tensor *tensor;
    const int64_t begin = 1, end = -1, *shape;
    size_t len;
    fuzz_assert(fuzz_is_utf8(name));
    fuzz_must(ctorch_weights_shape(&shape, &len, weights, i));
    if (fuzz_ok(&tensor, ctorch_weights_tensor(&tensor, weights, name))) {
      fuzz_assert(ctorch_tensor_ndim(tensor) == (int64_t)len);
      for (size_t k = 0; k < len; k++) {
        fuzz_assert(ctorch_tensor_sizes(tensor)[k] == shape[k]);
      }
      fuzz_release(ctorch_tensor, tensor);
    }
    if (fuzz_ok(&tensor, ctorch_weights_slice(&tensor, weights, name, &begin, len > 0, &end, len > 0))) {
      fuzz_release(ctorch_tensor, tensor);
    }
  }
  ctorch_value *metadata;
  if (fuzz_ok(&metadata, ctorch_weights_metadata(&metadata, weights))) {
    fuzz_dismantle(metadata);
    fuzz_release(ctorch_value, metadata);
  }
  fuzz_release(ctorch_weights, weights);
}

static void pt_input(fuzz_input *input) {
  const uint8_t how = fuzz_byte(input);
  struct file file = made_file(input, how % 3);
  ctorch_reader *reader;
  if ((how & 0x40) != 0) {
    fuzz_must(ctorch_reader_from_callback(&reader, file.len, read_file, NULL, &file));
  } else {
    fuzz_must(ctorch_reader_from_data(&reader, file.data, file.len, NULL, NULL));
  }
  load(reader, (how & 0x80) != 0);
  open_weights(reader);
  fuzz_release(ctorch_reader, reader);
  free(file.data); /* in a scope the reader is still there, but is not read any more */
}

FUZZ_TARGET(pt_input)
