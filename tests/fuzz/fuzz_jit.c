/* TorchScript. The first byte of an input tells what the rest is: a file; the parts of one, which 0xff separates, of
 * which a zip file is made (the pickle of the module, that of the constants, the source of the classes, and if there is
 * more, that of where the source came from); or a source to be compiled. What is loaded is looked at and saved again,
 * and its methods are not called: they may do anything. */
#include <stdlib.h>

#include "fuzz/fuzz.h"

enum { MOST = 1 << 16, STORAGE_NBYTES = 32 };

struct file {
  uint8_t *data;
  size_t len;
};

static void put(struct file *file, const void *data, size_t len) {
  if (len != 0) {
    memcpy(file->data + file->len, data, len);
    file->len += len;
  }
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

/* The checksum of zip files, which LibTorch verifies. */
static uint32_t crc32_of(const uint8_t *data, size_t len) {
  uint32_t crc = UINT32_MAX;
  for (size_t i = 0; i < len; i++) {
    crc ^= data[i];
    for (int bit = 0; bit < 8; bit++) {
      crc = crc >> 1 ^ ((crc & 1) != 0 ? UINT32_C(0xedb88320) : 0);
    }
  }
  return ~crc;
}

/* A record's header in front of it, or its entry in the table of contents. */
static void put_header(struct file *file, const struct record *record, bool is_entry, size_t offset) {
  put(file, is_entry ? "PK\1\2" : "PK\3\4", 4);
  put_number(file, 0, is_entry ? 8 : 6); /* versions, flags, method */
  put_number(file, 0, 4);                /* time, date */
  put_number(file, crc32_of(record->data, record->len), 4);
  put_number(file, record->len, 4);
  put_number(file, record->len, 4);
  put_number(file, strlen(record->name), 2);
  put_number(file, 0, is_entry ? 8 : 2); /* extra field; comment, disk, attributes */
  put_number(file, 0, is_entry ? 4 : 0);
  put_number(file, offset, is_entry ? 4 : 0);
  put(file, record->name, strlen(record->name));
}

static void put_zip(struct file *file, const struct record *records, size_t len) {
  size_t offsets[16];
  for (size_t i = 0; i < len; i++) {
    offsets[i] = file->len;
    put_header(file, &records[i], false, 0);
    put(file, records[i].data, records[i].len);
  }
  const size_t table = file->len;
  for (size_t i = 0; i < len; i++) {
    put_header(file, &records[i], true, offsets[i]);
  }
  const size_t end = file->len;
  put(file, "PK\5\6", 4);
  put_number(file, 0, 4);
  put_number(file, len, 2);
  put_number(file, len, 2);
  put_number(file, end - table, 4);
  put_number(file, table, 4);
  put_number(file, 0, 2);
}

/* The next part of an input. */
static struct record part(fuzz_input *input, const char *name) {
  const uint8_t *end = input->len == 0 ? NULL : memchr(input->data, 0xff, input->len);
  const struct record record = {name, input->data, end == NULL ? input->len : (size_t)(end - input->data)};
  const size_t taken = record.len + (end != NULL);
  input->data += taken;
  input->len -= taken;
  return record;
}

static struct file made_file(fuzz_input *input, bool of_parts) {
  struct file file = {fuzz_memory(input->len + MOST), 0};
  if (!of_parts) {
    put(&file, input->data, input->len);
    return file;
  }
  uint8_t storage[STORAGE_NBYTES] = {0, 0, 0x80, 0x3f};
  const struct record data = part(input, "a/data.pkl"), constants = part(input, "a/constants.pkl");
  const struct record records[] = {
      data,
      constants,
      part(input, "a/code/__torch__/__torch__.py"),
      {"a/data/0", storage, 12},
      {"a/data/1", storage, sizeof storage},
      {"a/data/2", storage, 8},
      {"a/constants/0", storage, 12},
      {"a/version", "3\n", 2},
      part(input, "a/code/__torch__/__torch__.py.debug_pkl"),
  };
  const size_t len = sizeof records / sizeof *records;
  put_zip(&file, records, len - (records[len - 1].len == 0));
  return file;
}

static ctorch_callback_status read_file(void *data, size_t nbytes, size_t offset, ctorch_error **error, void *payload) {
  const struct file *file = payload;
  (void)error;
  fuzz_assert(nbytes > 0 && offset <= file->len && nbytes <= file->len - offset);
  memcpy(data, file->data + offset, nbytes);
  return CTORCH_CALLBACK_OK;
}

/* Each element of the tensors among some values. */
static void look_at_tensors(const ctorch_value *dict) {
  ctorch_value *values, *entry;
  ctorch_tensor *tensor, *copy;
  fuzz_must(ctorch_value_dict_values(&values, dict));
  for (size_t i = 0; i < ctorch_value_len(values) && i < 8; i++) {
    fuzz_must(ctorch_value_get(&entry, values, i));
    if (ctorch_value_kind_of(entry) == CTORCH_VALUE_TENSOR &&
        fuzz_ok(&tensor, ctorch_value_to_tensor(&tensor, entry))) {
      if (ctorch_tensor_numel(tensor) < 1 << 16 && fuzz_ok(&copy, ctorch_aten_clone(&copy, tensor, NULL))) {
        fuzz_release(ctorch_tensor, copy);
      }
      fuzz_release(ctorch_tensor, tensor);
    }
    fuzz_release(ctorch_value, entry);
  }
  fuzz_release(ctorch_value, values);
}

static void look_at(const ctorch_jit_module *module) {
  ctorch_value *values;
  ctorch_string *text;
  ctorch_writer *writer;
  fuzz_assert(ctorch_jit_module_name(module) != NULL);
  if (fuzz_ok(&values, ctorch_jit_module_named_attributes(&values, module, true))) {
    look_at_tensors(values);
    fuzz_release(ctorch_value, values);
  }
  fuzz_must(ctorch_jit_module_method_names(&values, module));
  for (size_t i = 0; i < ctorch_value_len(values) && i < 8; i++) {
    ctorch_value *name;
    const char *method;
    fuzz_must(ctorch_value_get(&name, values, i));
    fuzz_must(ctorch_value_to_string(&method, NULL, name));
    if (fuzz_ok(&text, ctorch_jit_module_code(&text, module, method))) {
      fuzz_release(ctorch_string, text);
    }
    if (fuzz_ok(&text, ctorch_jit_module_schema(&text, module, method))) {
      fuzz_release(ctorch_string, text);
    }
    fuzz_release(ctorch_value, name);
  }
  fuzz_release(ctorch_value, values);
  fuzz_must(ctorch_writer_new(&writer));
  fuzz_try(ctorch_jit_save(module, writer));
  fuzz_release(ctorch_writer, writer);
}

static void compile(fuzz_input *input) {
  char *source = fuzz_rest(input);
  ctorch_jit_module *module;
  if (fuzz_ok(&module, ctorch_jit_compile(&module, source))) {
    look_at(module);
    fuzz_release(ctorch_jit_module, module);
  }
  free(source);
}

static void jit_input(fuzz_input *input) {
  const uint8_t how = fuzz_byte(input);
  ctorch_reader *reader;
  ctorch_jit_module *module;
  ctorch_value *files;
  if (how % 3 == 2) {
    compile(input);
    return;
  }
  struct file file = made_file(input, how % 3 == 1);
  if ((how & 0x40) != 0) {
    fuzz_must(ctorch_reader_from_callback(&reader, file.len, read_file, NULL, &file));
  } else {
    fuzz_must(ctorch_reader_from_data(&reader, file.data, file.len, NULL, NULL));
  }
  if (fuzz_ok(&module, ctorch_jit_load(&module, reader, NULL))) {
    look_at(module);
    fuzz_release(ctorch_jit_module, module);
  }
  if (fuzz_ok(&files, ctorch_jit_extra_files(&files, reader))) {
    fuzz_release(ctorch_value, files);
  }
  fuzz_release(ctorch_reader, reader);
  free(file.data); /* in a scope the reader is still there, but is not read any more */
}

FUZZ_TARGET(jit_input)
