/* Loading TorchScript: <ctorch/jit/jit.h>. A file is looked at first (jit_check.h), then LibTorch reads it. */
#include <stdlib.h>
#include <string.h>

#include "base/sequence.h"
#include "core/c/error.h"
#include "core/c/jit_archive.h"
#include "core/jit/jit_check.h"
#include "ctorch.h"
#include "io/reader.h"
#include "pt/zip.h"

static const char extra[] = "extra/";

struct source {
  const ctorch_reader *reader;
  bool has_failed; /* the reader, so that its error is to come out */
};

static ctorch_error *read_source(const char *function, uint64_t offset, void *data, uint64_t nbytes, void *payload) {
  struct source *source = payload;
  ctorch_error *error = reader_read(function, source->reader, offset, data, nbytes);
  source->has_failed |= error != NULL;
  return error;
}

/* Whether it says something of this machine or this build, and not of the file. */
static bool is_no_fault(ctorch_error_kind kind) {
  return kind == CTORCH_ERROR_OUT_OF_MEMORY || kind == CTORCH_ERROR_NOT_IMPLEMENTED ||
         kind == CTORCH_ERROR_NULL_ARGUMENT || kind == CTORCH_ERROR_INVALID_ARGUMENT ||
         kind == CTORCH_ERROR_ACCELERATOR || kind == CTORCH_ERROR_UNSUPPORTED || kind == CTORCH_ERROR_CALLBACK;
}

static bool says_any(const char *message, const char *const *parts) {
  while (*parts != NULL && strstr(message, *parts) == NULL) {
    parts++;
  }
  return *parts != NULL;
}

/* Whether it says that a device is not there. */
static bool is_of_a_device(const char *message) {
  static const char *const PARTS[] = {
      "is not available", "not compiled with",      "not linked with support for",    "No CUDA GPUs",
      "no NVIDIA driver", "invalid device ordinal", "driver version is insufficient", NULL};
  return says_any(message, PARTS);
}

/* What LibTorch says against a file, consumed; `device` is where its tensors were to go. */
static ctorch_error *refuse(
    const char *function, const ctorch_reader *reader, const ctorch_device *device, ctorch_error *error) {
  static const char *const ASSERTIONS[] = {"INTERNAL ASSERT FAILED", "please report a bug to PyTorch", NULL};
  const char *message = ctorch_error_message(error), *name = reader_name(reader);
  ctorch_error *refusal = NULL;
  if (is_of_a_device(message) && device == NULL) {
    refusal = error_make(
        function, CTORCH_ERROR_RUNTIME,
        "%.1000s: a tensor is to go to the device it was saved from, which is not here; pass `device`, the CPU for "
        "example, as map_location in Python. LibTorch says: %.2000s",
        name, message);
  } else if (is_of_a_device(message)) {
    refusal = error_make(
        function, CTORCH_ERROR_RUNTIME, "device: it is not here; pass another one. LibTorch says: %.2000s", message);
  } else if (is_no_fault(ctorch_error_kind_of(error))) {
    return error;
  } else if (strstr(message, "Unknown builtin op") != NULL) {
    refusal = error_make(function, CTORCH_ERROR_UNSUPPORTED, "%.500s: %s", name, message);
  } else if (says_any(message, ASSERTIONS)) { /* which are for bugs of LibTorch's, and files reach too */
    refusal = error_make(
        function, CTORCH_ERROR_FORMAT,
        "%.1000s: damaged, or not written by torch.jit.save. LibTorch gave up with: %.2000s", name, message);
  } else {
    refusal = reader_error(function, reader, "%s", message);
  }
  ctorch_error_release(error);
  return refusal;
}

static ctorch_error *load(
    const char *function, ctorch_jit_module **out, const ctorch_reader *reader, const ctorch_device *device) {
  struct source source = {reader, false};
  const archive_source bytes = {ctorch_reader_nbytes(reader), read_source, &source, reader_name(reader)};
  CTORCH_TRY(jit_check(function, reader));
  ctorch_error *error = jit_archive_load(function, out, &bytes, device);
  return error == NULL || source.has_failed ? error : refuse(function, reader, device, error);
}

ctorch_error *ctorch_jit_load(ctorch_jit_module **out, const ctorch_reader *reader, const ctorch_device *device) {
  CTORCH_TRY(error_refusal(__func__));
  if (out == NULL || reader == NULL) {
    return error_null(__func__, out == NULL ? "out" : "reader");
  }
  CTORCH_TRY(device == NULL ? NULL : error_unless_device(__func__, "device", device));
  return load(__func__, out, reader, device);
}

ctorch_error *ctorch_jit_load_file(ctorch_jit_module **out, const char *path, const ctorch_device *device) {
  ctorch_reader *reader = NULL;
  CTORCH_TRY(error_refusal(__func__));
  if (out == NULL || path == NULL) {
    return error_null(__func__, out == NULL ? "out" : "path");
  }
  CTORCH_TRY(device == NULL ? NULL : error_unless_device(__func__, "device", device));
  CTORCH_TRY(error_of(__func__, ctorch_reader_open(&reader, path, false)));
  ctorch_error *error = load(__func__, out, reader, device);
  ctorch_reader_release(reader);
  return error;
}

/* Files beside the module ------------------------------------------------------------------------------------------ */

static ctorch_error *add_file(
    const char *function, ctorch_value *files, struct pt_zip *zip, const struct pt_record *record) {
  ctorch_value *bytes = NULL;
  char *data = malloc(record->nbytes == 0 ? 1 : (size_t)record->nbytes);
  if (data == NULL) {
    return error_memory(function, record->nbytes);
  }
  ctorch_error *error = pt_zip_read(function, zip, data, record);
  THEN(error, ctorch_value_from_bytes(&bytes, data, (size_t)record->nbytes));
  THEN(error, ctorch_value_dict_put(files, record->name + sizeof extra - 1, bytes));
  ctorch_value_release(bytes);
  free(data);
  return error_of(function, error);
}

ctorch_error *ctorch_jit_extra_files(ctorch_value **out, const ctorch_reader *reader) {
  struct pt_zip zip;
  ctorch_value *files = NULL;
  CTORCH_TRY(error_refusal(__func__));
  if (out == NULL || reader == NULL) {
    return error_null(__func__, out == NULL ? "out" : "reader");
  }
  ctorch_error *error = pt_zip_open(__func__, &zip, reader);
  pt_zip_keep(&zip);
  THEN(error, ctorch_value_from_dict(&files, NULL, 0, NULL, 0));
  for (size_t i = 0; error == NULL && i < zip.len; i++) {
    if (strncmp(zip.records[i].name, extra, sizeof extra - 1) == 0) {
      error = add_file(__func__, files, &zip, &zip.records[i]);
    }
  }
  pt_zip_end(&zip);
  if (error != NULL) {
    ctorch_value_release(files);
    return error;
  }
  *out = files;
  return NULL;
}
