/* Saving TorchScript: <ctorch/jit/jit.h>. LibTorch writes, and its bytes go to a writer as they come. */
#include "base/sequence.h"
#include "core/c/error.h"
#include "core/c/jit_archive.h"
#include "ctorch.h"
#include "io/writer.h"

struct target {
  const char *function;
  ctorch_writer *writer;
};

static ctorch_error *write(const void *data, size_t nbytes, void *payload) {
  const struct target *target = payload;
  return writer_write(target->function, target->writer, data, nbytes);
}

static ctorch_error *save(
    const char *function, const ctorch_jit_module *self, ctorch_writer *writer, const jit_archive_options *options) {
  struct target target = {function, writer};
  CTORCH_TRY(error_refusal(function));
  if (self == NULL || writer == NULL) {
    return error_null(function, self == NULL ? "self" : "writer");
  }
  return jit_archive_save(function, self, options, write, &target);
}

ctorch_error *ctorch_jit_save(const ctorch_jit_module *self, ctorch_writer *writer) {
  return save(__func__, self, writer, &(jit_archive_options){NULL, false, false});
}

ctorch_error *ctorch_jit_save_with_extra_files(
    const ctorch_jit_module *self, ctorch_writer *writer, const ctorch_value *extra_files) {
  return save(__func__, self, writer, &(jit_archive_options){extra_files, false, false});
}

ctorch_error *ctorch_jit_save_for_mobile(
    const ctorch_jit_module *self, ctorch_writer *writer, const ctorch_value *extra_files, bool debug_info) {
  return save(__func__, self, writer, &(jit_archive_options){extra_files, true, debug_info});
}

ctorch_error *ctorch_jit_save_file(const ctorch_jit_module *self, const char *path) {
  ctorch_writer *writer = NULL;
  CTORCH_TRY(error_refusal(__func__));
  if (self == NULL || path == NULL) {
    return error_null(__func__, self == NULL ? "self" : "path");
  }
  CTORCH_TRY(error_of(__func__, ctorch_writer_open(&writer, path)));
  ctorch_error *error = save(__func__, self, writer, &(jit_archive_options){NULL, false, false});
  THEN(error, error_of(__func__, ctorch_writer_finish(writer)));
  ctorch_writer_release(writer);
  return error;
}
