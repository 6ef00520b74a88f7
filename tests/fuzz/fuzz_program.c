/* Archives of torch.export and of AOTInductor. An input is a byte that says what the rest is: an archive as it is, or
 * records, apart by bytes 0xff, of which one is made: the JSON of a program, the table of its weights, and a weight; or
 * the source of a compiled model, its metadata, and its library, which is none, so that no code runs. */
#define _POSIX_C_SOURCE 200809L
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "fuzz/fuzz.h"

static char folder[] = "/tmp/ctorch_fuzz_program_XXXXXX", path[sizeof folder + 32];

static void remove_folder(void) {
  remove(path);
  remove(folder);
}

static void prepare(void) {
  fuzz_assert(mkdtemp(folder) != NULL);
  snprintf(path, sizeof path, "%s/model.pt2", folder);
  atexit(remove_folder);
}

/* Archives --------------------------------------------------------------------------------------------------------- */

struct archive {
  unsigned char *data;
  size_t len;
};

static void put(struct archive *self, const void *bytes, size_t len) {
  unsigned char *grown = realloc(self->data, self->len + len + 1);
  fuzz_assert(grown != NULL);
  self->data = grown;
  if (len != 0) {
    memcpy(grown + self->len, bytes, len);
  }
  self->len += len;
}

static void put_number(struct archive *self, uint64_t number, int nbytes) {
  for (int i = 0; i < nbytes; i++) {
    const unsigned char byte = i < 8 ? (unsigned char)(number >> 8 * i) : 0;
    put(self, &byte, 1);
  }
}

/* What the header of a record and its entry in the table have in common, from the version on: stored, no checksum. */
static void put_common(struct archive *self, size_t nbytes, size_t name_len) {
  put_number(self, 0, 14); /* version, flags, method, time, date; checksum */
  put_number(self, nbytes, 4);
  put_number(self, nbytes, 4);
  put_number(self, name_len, 2);
  put_number(self, 0, 2);
}

struct record {
  const char *name;
  const void *data;
  size_t len;
};

/* A zip file of stored records. */
static struct archive zip_of(const struct record *records, size_t len) {
  struct archive archive = {NULL, 0}, table = {NULL, 0};
  for (size_t i = 0; i < len; i++) {
    const size_t name_len = strlen(records[i].name), at = archive.len;
    put(&archive, "PK\3\4", 4);
    put_common(&archive, records[i].len, name_len);
    put(&archive, records[i].name, name_len);
    put(&archive, records[i].data, records[i].len);
    put(&table, "PK\1\2\0\0", 6);
    put_common(&table, records[i].len, name_len);
    put_number(&table, 0, 10);
    put_number(&table, at, 4);
    put(&table, records[i].name, name_len);
  }
  const size_t at = archive.len;
  put(&archive, table.data, table.len);
  put(&archive, "PK\5\6\0\0\0", 8);
  put_number(&archive, len, 2);
  put_number(&archive, len, 2);
  put_number(&archive, table.len, 4);
  put_number(&archive, at, 4);
  put_number(&archive, 0, 2);
  free(table.data);
  return archive;
}

/* The bytes up to the next 0xff. */
static struct record next_record(fuzz_input *input, const char *name) {
  const uint8_t *end = input->len == 0 ? NULL : memchr(input->data, 0xff, input->len);
  const struct record record = {name, input->data, end == NULL ? input->len : (size_t)(end - input->data)};
  const size_t used = record.len + (end != NULL);
  input->data += used;
  input->len -= used;
  return record;
}

static struct archive archive_of(fuzz_input *input) {
  static const struct record mark = {"m/archive_format", "pt2", 3};
  const bool is_package = (fuzz_byte(input) & 1) != 0;
  const char *const names[2][3] = {
      {"m/models/model.json", "m/data/weights/model_weights_config.json", "m/data/weights/weight_0"},
      {"m/data/aotinductor/model/a.wrapper.cpp", "m/data/aotinductor/model/a.wrapper_metadata.json",
       "m/data/aotinductor/model/a.wrapper.so"}};
  struct record records[4] = {mark};
  for (size_t i = 0; i < 3; i++) {
    records[i + 1] = next_record(input, names[is_package][i]);
  }
  return zip_of(records, 4);
}

/* What is read of them --------------------------------------------------------------------------------------------- */

static void read_value(
    ctorch_error *(*read)(ctorch_value **out, const ctorch_exported_program *self),
    const ctorch_exported_program *self) {
  ctorch_value *value = NULL;
  if (fuzz_ok(&value, read(&value, self))) {
    fuzz_release(ctorch_value, value);
  }
}

static void read_text(
    ctorch_error *(*read)(ctorch_string **out, const ctorch_exported_program *self),
    const ctorch_exported_program *self) {
  ctorch_string *text = NULL;
  if (fuzz_ok(&text, read(&text, self))) {
    fuzz_assert(fuzz_is_utf8(ctorch_string_data(text)));
    fuzz_release(ctorch_string, text);
  }
}

static void read_program(const struct archive *archive) {
  ctorch_reader *reader = NULL;
  ctorch_exported_program *program = NULL;
  fuzz_must(ctorch_reader_from_data(&reader, archive->data, archive->len, NULL, NULL));
  if (fuzz_ok(&program, ctorch_exported_program_open(&program, reader, NULL))) {
    read_value(ctorch_exported_program_state_dict, program);
    read_value(ctorch_exported_program_constants, program);
    read_value(ctorch_exported_program_metadata, program);
    read_value(ctorch_exported_program_inputs, program);
    read_value(ctorch_exported_program_outputs, program);
    read_value(ctorch_exported_program_range_constraints, program);
    read_value(ctorch_exported_program_operators, program);
    read_value(ctorch_exported_program_missing_operators, program);
    read_text(ctorch_exported_program_text, program);
    read_text(ctorch_exported_program_requirements, program);
    fuzz_release(ctorch_exported_program, program);
  }
  fuzz_release(ctorch_reader, reader);
}

static bool has_code(const struct archive *archive) {
  for (size_t i = 0; i + 4 <= archive->len; i++) {
    if (memcmp(archive->data + i, "\177ELF", 4) == 0) {
      return true;
    }
  }
  return false;
}

static void read_package(const struct archive *archive) {
  FILE *file = fopen(path, "wb");
  fuzz_assert(file != NULL && fwrite(archive->data, 1, archive->len, file) == archive->len && fclose(file) == 0);
  ctorch_value *names = NULL;
  ctorch_package *package = NULL;
  if (fuzz_ok(&names, ctorch_package_model_names(&names, path))) {
    fuzz_release(ctorch_value, names);
  }
  if (!has_code(archive)) {
    fuzz_assert(!fuzz_ok(&package, ctorch_package_load(&package, path, NULL, false, 1, NULL)));
  }
}

static void program_input(fuzz_input *input) {
  static bool is_prepared;
  if (!is_prepared) {
    prepare();
    is_prepared = true;
  }
  const uint8_t how = fuzz_byte(input);
  struct archive archive = {NULL, 0};
  if (how % 4 == 0) {
    put(&archive, input->data, input->len);
  } else {
    archive = archive_of(input);
  }
  read_program(&archive);
  read_package(&archive);
  free(archive.data);
}

FUZZ_TARGET(program_input)
