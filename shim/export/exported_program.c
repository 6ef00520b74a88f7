/* exported_program.h: opening an exported program and its tensors. exported_graph.c reads what its JSON says. */
#define _POSIX_C_SOURCE 200809L
#include "export/exported_program.h"

#include <stdlib.h>
#include <string.h>

#include "core/c/error.h"
#include "core/c/object.h"
#include "export/exported_tensors.h"
#include "io/reader.h"

/* Opening ---------------------------------------------------------------------------------------------------------- */

static void finalize(void *object) {
  ctorch_exported_program *self = object;
#if CTORCH_HAS_JANSSON
  json_decref(self->program);
#endif
  pt2_archive_end(&self->archive);
  object_unref(self->reader);
  free(self->model_name);
}

static const object_class program_class = {"exported_program", sizeof(ctorch_exported_program), finalize};

void ctorch_exported_program_retain(const ctorch_exported_program *self) { object_retain(self); }
void ctorch_exported_program_release(ctorch_exported_program *self) { object_release(self); }

#if CTORCH_HAS_JANSSON

enum { NEWEST_SCHEMA = 8 }; /* major version, which changes where readers have to */

/* "models/<name>.json": the name, which need not end. */
static size_t name_of_model(const char **out, const char *record) {
  static const char FOLDER[] = "models/", END[] = ".json";
  const size_t len = strlen(record), around = strlen(FOLDER) + strlen(END);
  if (len <= around || strncmp(record, FOLDER, strlen(FOLDER)) != 0 || strcmp(record + len - strlen(END), END) != 0) {
    return 0;
  }
  *out = record + strlen(FOLDER);
  return len - around;
}

/* The name of the only model, or "model"; the caller frees it. */
static ctorch_error *default_name(const char *function, char **out, const struct pt2_archive *archive) {
  const char *found = "model", *name = NULL;
  size_t found_len = strlen(found), models = 0;
  for (size_t i = 0; i < archive->zip.len; i++) {
    const size_t len = name_of_model(&name, pt2_archive_name(archive, i));
    if (len != 0 && models++ == 0) {
      found = name;
      found_len = len;
    }
  }
  if (models > 1) {
    found = "model";
    found_len = strlen(found);
  }
  *out = strndup(found, found_len);
  return *out == NULL ? error_memory(function, found_len + 1) : NULL;
}

static ctorch_error *no_program(const char *function, const ctorch_exported_program *self) {
  for (size_t i = 0; i < self->archive.zip.len; i++) {
    const char *name = NULL;
    if (name_of_model(&name, pt2_archive_name(&self->archive, i)) != 0) {
      return error_make(
          function, CTORCH_ERROR_INDEX, "%.1000s: no exported program '%.200s'", reader_name(self->reader),
          self->model_name);
    }
  }
  return reader_error(
      function, self->reader, "no exported program is in it%s",
      pt2_archive_has(&self->archive, "data/aotinductor/")
          ? ", but compiled code: open it as a package (ctorch_package_load)"
          : "");
}

static ctorch_error *read_program(const char *function, ctorch_exported_program *self) {
  const struct pt_record *record = pt2_archive_find(&self->archive, "models/%s.json", self->model_name);
  record = record != NULL ? record : pt2_archive_find(&self->archive, "serialized_exported_program.json");
  if (record == NULL) {
    return no_program(function, self);
  }
  CTORCH_TRY(pt2_archive_json(function, &self->archive, &self->program, record));
  const json_t *version = json_object_get(json_object_get(self->program, "schema_version"), "major");
  if (!json_is_integer(version) || !json_is_object(json_object_get(self->program, "graph_module"))) {
    return reader_error(function, self->reader, "record '%s' is no exported program", record->name);
  }
  if (json_integer_value(version) > NEWEST_SCHEMA) {
    return error_make(
        function, CTORCH_ERROR_UNSUPPORTED, "%.1000s: schema version %lld, newer than %d, which is known",
        reader_name(self->reader), (long long)json_integer_value(version), (int)NEWEST_SCHEMA);
  }
  return NULL;
}

static ctorch_error *open_program(const char *function, ctorch_exported_program *self, const char *model_name) {
  CTORCH_TRY(pt2_archive_open(function, &self->archive, self->reader));
  if (model_name == NULL) {
    CTORCH_TRY(default_name(function, &self->model_name, &self->archive));
  } else if ((self->model_name = strdup(model_name)) == NULL) {
    return error_memory(function, strlen(model_name) + 1);
  }
  return read_program(function, self);
}

#else

static ctorch_error *open_program(const char *function, ctorch_exported_program *self, const char *model_name) {
  (void)model_name;
  return error_make(
      function, CTORCH_ERROR_UNSUPPORTED,
      "%.1000s: exported programs cannot be read by this build, which has no jansson", reader_name(self->reader));
}

#endif

static ctorch_error *open_reader(
    const char *function, ctorch_exported_program **out, const ctorch_reader *reader, const char *model_name) {
  if (model_name != NULL) {
    CTORCH_TRY(error_unless_text(function, "model_name", model_name));
  }
  ctorch_exported_program *self = object_new(&program_class);
  if (self == NULL) {
    return error_memory(function, sizeof *self);
  }
  self->reader = object_ref(reader);
  ctorch_error *error = open_program(function, self, model_name);
  if (error != NULL) {
    object_unref(self);
    return error_of(function, error);
  }
  return object_give(function, out, self);
}

ctorch_error *ctorch_exported_program_open(
    ctorch_exported_program **out, const ctorch_reader *reader, const char *model_name) {
  CTORCH_TRY(error_refusal(__func__));
  if (out == NULL || reader == NULL) {
    return error_null(__func__, out == NULL ? "out" : "reader");
  }
  return open_reader(__func__, out, reader, model_name);
}

ctorch_error *ctorch_exported_program_open_file(
    ctorch_exported_program **out, const char *path, const char *model_name) {
  CTORCH_TRY(error_refusal(__func__));
  if (out == NULL || path == NULL) {
    return error_null(__func__, out == NULL ? "out" : "path");
  }
  ctorch_reader *reader = NULL;
  CTORCH_TRY(error_of(__func__, ctorch_reader_open(&reader, path, true)));
  ctorch_error *error = open_reader(__func__, out, reader, model_name);
  ctorch_reader_release(reader);
  return error;
}

/* Tensors ---------------------------------------------------------------------------------------------------------- */

ctorch_error *exported_program_check(const char *function, const void *out, const ctorch_exported_program *self) {
  CTORCH_TRY(error_refusal(function));
  return out == NULL || self == NULL ? error_null(function, out == NULL ? "out" : "self") : NULL;
}

/* Reading a record changes nothing of an archive that keeps none open. */
static struct pt2_archive *archive_of(const ctorch_exported_program *self) {
  return &((ctorch_exported_program *)(uintptr_t)self)->archive;
}

static ctorch_error *read_tensors(
    const char *function,
    ctorch_value **out,
    const ctorch_exported_program *self,
    struct exported_place (*place_in)(const struct pt2_archive *archive, const char *model_name)) {
#if CTORCH_HAS_JANSSON
  const struct exported_place place = place_in(&self->archive, self->model_name);
  return exported_tensors_read(function, archive_of(self), out, &place);
#else
  (void)out, (void)place_in, (void)archive_of;
  return error_make(function, CTORCH_ERROR_UNSUPPORTED, "%.1000s: no jansson", reader_name(self->reader));
#endif
}

ctorch_error *ctorch_exported_program_state_dict(ctorch_value **out, const ctorch_exported_program *self) {
  CTORCH_TRY(exported_program_check(__func__, out, self));
  return read_tensors(__func__, out, self, exported_state_dict);
}

ctorch_error *ctorch_exported_program_constants(ctorch_value **out, const ctorch_exported_program *self) {
  CTORCH_TRY(exported_program_check(__func__, out, self));
  return read_tensors(__func__, out, self, exported_constants);
}

ctorch_error *ctorch_exported_program_example_inputs(ctorch_value **out, const ctorch_exported_program *self) {
  CTORCH_TRY(exported_program_check(__func__, out, self));
  const struct pt2_archive *archive = &self->archive;
  const struct pt_record *record = pt2_archive_find(archive, "data/sample_inputs/%s.pt", self->model_name);
  record = record != NULL ? record : pt2_archive_find(archive, "serialized_example_inputs.pt");
  if (record == NULL || record->nbytes == 0) {
    return error_of(__func__, ctorch_value_from_none(out));
  }
  ctorch_reader *reader = NULL;
  CTORCH_TRY(pt2_archive_reader(__func__, archive_of(self), &reader, record));
  ctorch_error *error = ctorch_serialization_load(out, reader, NULL);
  object_unref(reader);
  return error_of(__func__, error);
}
