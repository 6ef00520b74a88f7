/* package.h: packages of AOTInductor, loaded and run. The archive is looked at before LibTorch opens its library, and
 * what comes in before the compiled code sees it. */
#include <ctorch.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/sequence.h"
#include "base/text.h"
#include "core/c/boxed.h"
#include "core/c/error.h"
#include "core/c/object.h"
#include "export/package.h"
#include "io/reader.h"

static void finalize(void *object) {
  ctorch_package *self = object;
  compiled_model_close(self->model);
  value_unref(self->metadata);
  compiled_source_end(&self->source);
#if CTORCH_HAS_JANSSON
  json_decref(self->arguments);
  json_decref(self->results);
#endif
  if (self->folder != NULL) {
    package_remove(self->folder);
    free(self->folder);
  }
}

static const object_class package_class = {"package", sizeof(ctorch_package), finalize};

void ctorch_package_retain(const ctorch_package *self) { object_retain(self); }
void ctorch_package_release(ctorch_package *self) { object_release(self); }

/* Archives --------------------------------------------------------------------------------------------------------- */

/* A reader of the file, to be released, and the table of contents, to be ended also after a failure. */
static ctorch_error *open_archive(
    const char *function, struct pt2_archive *out, ctorch_reader **out_reader, const char *path) {
  *out = (struct pt2_archive){.reader = NULL};
  CTORCH_TRY(error_unless_text(function, "path", path));
  CTORCH_TRY(ctorch_reader_open(out_reader, path, true));
  return pt2_archive_open(function, out, *out_reader);
}

ctorch_error *ctorch_package_model_names(ctorch_value **out, const char *path) {
  CTORCH_TRY(error_refusal(__func__));
  if (out == NULL || path == NULL) {
    return error_null(__func__, out == NULL ? "out" : "path");
  }
  struct pt2_archive archive;
  ctorch_reader *reader = NULL;
  ctorch_error *error = open_archive(__func__, &archive, &reader, path);
  THEN(error, package_names(__func__, out, &archive));
  pt2_archive_end(&archive);
  ctorch_reader_release(reader);
  return error_of(__func__, error);
}

/* Loading ---------------------------------------------------------------------------------------------------------- */

struct loading {
  const char *function;
  struct pt2_archive archive;
  struct package_files files;
  const ctorch_device *device;
  int64_t num_runners;
  ctorch_package *package;
};

static ctorch_error *read_source(struct loading *self) {
  char *text = NULL;
  if (self->files.source == NULL) {
    return NULL;
  }
  CTORCH_TRY(pt2_archive_read(self->function, &self->archive, &text, self->files.source));
  ctorch_error *error = compiled_source_read(self->function, &self->package->source, text);
  free(text);
  return error;
}

/* "cpu", "cuda:1": where the model runs. */
static ctorch_error *device_name(const struct loading *self, char *out, size_t len) {
  const char *compiled_for = package_metadata_text(self->package->metadata, "AOTI_DEVICE_KEY");
  compiled_for = *compiled_for == '\0' ? "cpu" : compiled_for;
  if (self->device == NULL) {
    snprintf(out, len, "%s", compiled_for);
    return NULL;
  }
  CTORCH_TRY(error_unless_device(self->function, "device", self->device));
  const char *name = ctorch_device_type_name(self->device->type);
  if (name == NULL || strcmp(name, compiled_for) != 0) {
    return error_make(
        self->function, CTORCH_ERROR_DEVICE_MISMATCH, "device: compiled for %.100s, asked to run on %s", compiled_for,
        name == NULL ? "another device" : name);
  }
  if (self->device->index < 0 || strcmp(name, "cpu") == 0) {
    snprintf(out, len, "%s", name);
  } else {
    snprintf(out, len, "%s:%" PRId32, name, self->device->index);
  }
  return NULL;
}

static ctorch_error *open_library(struct loading *self, const char *library) {
  char device[128];
  CTORCH_TRY(device_name(self, device, sizeof device));
  const compiled_model_options options = {library, device, (size_t)self->num_runners, self->package->single_threaded};
  CTORCH_TRY(compiled_model_open(self->function, &self->package->model, &options));
  if (self->files.blob != NULL) {
    char path[4096];
    const char *name = strrchr(self->files.blob->name, '/') + 1;
    snprintf(path, sizeof path, "%.*s%s", (int)(strrchr(library, '/') + 1 - library), library, name);
    return compiled_model_update_from_file(self->function, self->package->model, path);
  }
  return NULL;
}

/* Code for the CPU is in memory once the library is open; for others there are files that are read later. */
static ctorch_error *unpack(struct loading *self) {
  char *folder = NULL, *library = NULL;
  CTORCH_TRY(package_unpack(self->function, &folder, &library, &self->archive, &self->files));
  ctorch_error *error = open_library(self, library);
  const char *device = package_metadata_text(self->package->metadata, "AOTI_DEVICE_KEY");
  free(library);
  if (error == NULL && *device != '\0' && strcmp(device, "cpu") != 0) {
    self->package->folder = folder;
    return NULL;
  }
  package_remove(folder);
  free(folder);
  return error;
}

static ctorch_error *load(struct loading *self, const char *model_name) {
  CTORCH_TRY(package_find(self->function, &self->files, &self->archive, model_name));
  CTORCH_TRY(package_read_metadata(self->function, &self->package->metadata, &self->archive, &self->files));
  CTORCH_TRY(read_source(self));
  CTORCH_TRY(unpack(self));
  CTORCH_TRY(package_read_call_spec(self->function, self->package));
  return self->files.weights == NULL
             ? NULL
             : package_load_weights(self->function, self->package, &self->archive, &self->files);
}

ctorch_error *ctorch_package_load(
    ctorch_package **out,
    const char *path,
    const char *model_name,
    bool single_threaded,
    int64_t num_runners,
    const ctorch_device *device) {
  enum { MOST_RUNNERS = 1 << 16 };
  CTORCH_TRY(error_refusal(__func__));
  if (out == NULL || path == NULL) {
    return error_null(__func__, out == NULL ? "out" : "path");
  }
  if (model_name != NULL) {
    CTORCH_TRY(error_unless_text(__func__, "model_name", model_name));
  }
  if (num_runners < 1 || num_runners > MOST_RUNNERS) {
    return error_argument(__func__, "num_runners", "expected 1 to %d, got %" PRId64, (int)MOST_RUNNERS, num_runners);
  }
  ctorch_package *self = object_new(&package_class);
  if (self == NULL) {
    return error_memory(__func__, sizeof *self);
  }
  self->single_threaded = single_threaded;
  struct loading loading = {.function = __func__, .device = device, .num_runners = num_runners, .package = self};
  ctorch_reader *reader = NULL;
  ctorch_error *error = open_archive(__func__, &loading.archive, &reader, path);
  THEN(error, load(&loading, model_name == NULL ? "model" : model_name));
  pt2_archive_end(&loading.archive);
  ctorch_reader_release(reader);
  if (error != NULL) {
    object_unref(self);
    return error_of(__func__, error);
  }
  return object_give(__func__, out, self);
}

/* What it is ------------------------------------------------------------------------------------------------------- */

ctorch_error *ctorch_package_metadata(ctorch_value **out, const ctorch_package *self) {
  CTORCH_TRY(error_refusal(__func__));
  if (out == NULL || self == NULL) {
    return error_null(__func__, out == NULL ? "out" : "self");
  }
  if (self->metadata == NULL) {
    return error_make(
        __func__, CTORCH_ERROR_UNSUPPORTED, "metadata cannot be read by this build, which has no jansson");
  }
  return error_of(__func__, ctorch_value_copy(out, self->metadata));
}

ctorch_error *ctorch_package_call_spec(
    ctorch_string **out_arguments, ctorch_string **out_results, const ctorch_package *self) {
  CTORCH_TRY(error_refusal(__func__));
  if (out_arguments == NULL || out_results == NULL || self == NULL) {
    return error_null(__func__, out_arguments == NULL ? "out_arguments" : out_results == NULL ? "out_results" : "self");
  }
  return compiled_model_call_spec(__func__, out_arguments, out_results, self->model);
}

int64_t ctorch_package_num_inputs(const ctorch_package *self) {
  return self == NULL ? -1 : compiled_model_num_inputs(self->model);
}

int64_t ctorch_package_num_outputs(const ctorch_package *self) {
  return self == NULL ? -1 : compiled_model_num_outputs(self->model);
}

static ctorch_error *put_text(ctorch_value *dict, const char *key, const char *text) {
  ctorch_value *value = NULL;
  if (text == NULL) {
    return NULL;
  }
  CTORCH_TRY(ctorch_value_from_string(&value, text));
  ctorch_error *error = ctorch_value_dict_put(dict, key, value);
  ctorch_value_release(value);
  return error;
}

/* One number of each dimension, None where it is not known; the key is left out where none is. */
static ctorch_error *put_numbers(
    ctorch_value *dict, const char *key, const struct source_input *input, size_t offset_of_number) {
  ctorch_value *list = NULL;
  bool is_any = input->has_ndim && input->dims_len == 0;
  CTORCH_TRY(ctorch_value_from_list(&list, NULL, 0));
  ctorch_error *error = NULL;
  for (size_t i = 0; error == NULL && i < input->dims_len; i++) {
    int64_t number = 0;
    ctorch_value *value = NULL;
    memcpy(&number, (const char *)&input->dims[i] + offset_of_number, sizeof number);
    is_any |= number != SOURCE_UNKNOWN;
    error = number == SOURCE_UNKNOWN ? ctorch_value_from_none(&value) : ctorch_value_from_int(&value, number);
    THEN(error, ctorch_value_list_append(list, value));
    ctorch_value_release(value);
  }
  if (is_any) {
    THEN(error, ctorch_value_dict_put(dict, key, list));
  }
  ctorch_value_release(list);
  return error;
}

static ctorch_error *describe(ctorch_value *dict, const struct source_input *input) {
  CTORCH_TRY(put_text(dict, "name", input->name));
  CTORCH_TRY(put_text(dict, "dtype", ctorch_dtype_name(input->dtype)));
  CTORCH_TRY(put_text(dict, "device", ctorch_device_type_name(input->device_type)));
  CTORCH_TRY(put_numbers(dict, "sizes", input, offsetof(struct source_dim, size)));
  CTORCH_TRY(put_numbers(dict, "strides", input, offsetof(struct source_dim, stride)));
  CTORCH_TRY(put_numbers(dict, "least", input, offsetof(struct source_dim, least)));
  return put_numbers(dict, "most", input, offsetof(struct source_dim, most));
}

static ctorch_error *describe_all(ctorch_value *list, const ctorch_package *self) {
  const int64_t count = compiled_model_num_inputs(self->model);
  const bool is_known = count < 0 || (size_t)count == self->source.inputs_len;
  const size_t len = count < 0 ? self->source.inputs_len : (size_t)count;
  for (size_t i = 0; i < len; i++) {
    ctorch_value *dict = NULL;
    CTORCH_TRY(ctorch_value_from_dict(&dict, NULL, 0, NULL, 0));
    ctorch_error *error = is_known ? describe(dict, &self->source.inputs[i]) : NULL;
    THEN(error, ctorch_value_list_append(list, dict));
    ctorch_value_release(dict);
    if (error != NULL) {
      return error;
    }
  }
  return NULL;
}

ctorch_error *ctorch_package_inputs(ctorch_value **out, const ctorch_package *self) {
  CTORCH_TRY(error_refusal(__func__));
  if (out == NULL || self == NULL) {
    return error_null(__func__, out == NULL ? "out" : "self");
  }
  ctorch_value *list = NULL;
  CTORCH_TRY(ctorch_value_from_list(&list, NULL, 0));
  ctorch_error *error = describe_all(list, self);
  if (error != NULL) {
    ctorch_value_release(list);
    return error_of(__func__, error);
  }
  *out = list;
  return NULL;
}

/* Constants -------------------------------------------------------------------------------------------------------- */

static ctorch_error *begin_change(const char *function, ctorch_package *self) {
  long running = 0;
  if (!atomic_compare_exchange_strong(&self->in_use, &running, -1)) {
    return error_make(
        function, CTORCH_ERROR_RUNTIME,
        "the package is in use by another thread: give the constants as the inactive "
        "ones, and swap");
  }
  return NULL;
}

static void end_change(ctorch_package *self) { atomic_store(&self->in_use, 0); }

ctorch_error *ctorch_package_constant_names(ctorch_value **out, const ctorch_package *self) {
  CTORCH_TRY(error_refusal(__func__));
  if (out == NULL || self == NULL) {
    return error_null(__func__, out == NULL ? "out" : "self");
  }
  return compiled_model_constant_names(__func__, out, self->model);
}

ctorch_error *ctorch_package_constants(ctorch_value **out, const ctorch_package *self, bool inactive) {
  CTORCH_TRY(error_refusal(__func__));
  if (out == NULL || self == NULL) {
    return error_null(__func__, out == NULL ? "out" : "self");
  }
  return compiled_model_constants(__func__, out, self->model, inactive);
}

/* INVALID_ARGUMENT for the first constant that is not among those given. */
static ctorch_error *check_complete(const char *function, const ctorch_package *self, const ctorch_value *constants) {
  ctorch_value *names = NULL;
  CTORCH_TRY(compiled_model_constant_names(function, &names, self->model));
  ctorch_error *error = NULL;
  for (size_t i = 0; error == NULL && i < ctorch_value_len(names); i++) {
    ctorch_value *name = NULL;
    const char *text = "";
    size_t len = 0;
    bool is_there = false;
    error = ctorch_value_get(&name, names, i);
    THEN(error, ctorch_value_dict_contains(&is_there, constants, name));
    THEN(error, ctorch_value_to_string(&text, &len, name));
    if (error == NULL && !is_there) {
      error = error_argument(function, "constants", "'%.200s' is missing", text);
    }
    ctorch_value_release(name);
  }
  ctorch_value_release(names);
  return error;
}

static ctorch_error *update(
    const char *function, ctorch_package *self, const ctorch_value *dict, bool inactive, bool full, bool user_managed) {
  if (full) {
    CTORCH_TRY(check_complete(function, self, dict));
  }
  if (!inactive) {
    CTORCH_TRY(begin_change(function, self));
  }
  ctorch_error *error = package_update(function, self, dict, inactive, full, user_managed);
  if (!inactive) {
    end_change(self);
  }
  self->has_inactive |= error == NULL && inactive;
  return error;
}

ctorch_error *ctorch_package_update_constants(
    ctorch_package *self, const ctorch_value *constants, bool inactive, bool full, bool user_managed) {
  ctorch_value *dict = NULL;
  CTORCH_TRY(error_refusal(__func__));
  if (self == NULL || constants == NULL) {
    return error_null(__func__, self == NULL ? "self" : "constants");
  }
  CTORCH_TRY(error_of(__func__, package_constants_dict(__func__, &dict, constants)));
  ctorch_error *error = update(__func__, self, dict, inactive, full, user_managed);
  ctorch_value_release(dict);
  return error_of(__func__, error);
}

ctorch_error *ctorch_package_swap_constants(ctorch_package *self) {
  CTORCH_TRY(error_refusal(__func__));
  if (self == NULL) {
    return error_null(__func__, "self");
  }
  if (!self->has_inactive) {
    return error_argument(__func__, "self", "there are no inactive constants to bring into use");
  }
  if (self->single_threaded) {
    CTORCH_TRY(begin_change(__func__, self));
  }
  ctorch_error *error = compiled_model_swap(__func__, self->model);
  if (self->single_threaded) {
    end_change(self);
  }
  return error;
}

ctorch_error *ctorch_package_free_inactive_constants(ctorch_package *self) {
  CTORCH_TRY(error_refusal(__func__));
  if (self == NULL) {
    return error_null(__func__, "self");
  }
  ctorch_error *error = compiled_model_free_inactive(__func__, self->model);
  self->has_inactive &= error != NULL;
  return error;
}
