/* Weights in the archives of torch.export: state dict and constants of the program in one. In files of LibTorch 2.8 and
 * older they lie in one file of torch.save inside, which exported_program.h reads. */
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/sequence.h"
#include "core/c/boxed.h"
#include "core/c/error.h"
#include "core/c/object.h"
#include "ctorch.h"
#include "export/exported_program.h"
#include "export/exported_tensors.h"
#include "io/reader.h"
#include "weights/weights.h"

static bool detect(const unsigned char *head, size_t len, const ctorch_reader *reader) {
  (void)reader;
  return pt2_archive_detect(head, len);
}

#if CTORCH_HAS_JANSSON

struct content {
  struct pt2_archive archive;
  struct exported_tensor *tensors; /* by the numbers of the entries */
  size_t len;
  ctorch_value *metadata; /* a dict */
};

static void close_content(ctorch_weights *self) {
  struct content *content = self->content;
  if (content != NULL) {
    pt2_archive_end(&content->archive);
    free(content->tensors);
    value_unref(content->metadata);
    free(content);
  }
}

static ctorch_error *add(
    const char *function, ctorch_weights *self, const char *name, const struct exported_place *place, json_t *entry) {
  struct content *content = self->content;
  struct exported_tensor tensor;
  bool is_tensor = false;
  CTORCH_TRY(exported_tensor_describe(function, &content->archive, &tensor, &is_tensor, place, entry));
  if (!is_tensor || tensor.is_pickled) { /* of a class of its own */
    return NULL;
  }
  const ctorch_dtype dtype = tensor.dtype < 0 ? WEIGHTS_NO_DTYPE : tensor.dtype;
  const char *type = dtype < 0 ? "?" : ctorch_dtype_name(dtype);
  uint64_t nbytes = dtype < 0 ? 0 : ctorch_dtype_itemsize(dtype);
  for (size_t i = 0; i < tensor.len; i++) {
    if (__builtin_mul_overflow(nbytes, (uint64_t)tensor.sizes[i], &nbytes)) {
      return reader_error(function, self->reader, "its description is damaged");
    }
  }
  CTORCH_TRY(array_grow(function, &content->tensors, content->len, sizeof *content->tensors));
  content->tensors[content->len] = tensor;
  return weights_add(function, self, name, type, dtype, tensor.sizes, tensor.len, 0, nbytes, (uint64_t)content->len++);
}

static ctorch_error *add_place(const char *function, ctorch_weights *self, const struct exported_place *place) {
  struct content *content = self->content;
  json_t *config = NULL, *entries = NULL;
  if (place->config == NULL && place->file != NULL) {
    return error_make(
        function, CTORCH_ERROR_UNSUPPORTED,
        "%.1000s: an exported program of LibTorch 2.8 or older, whose tensors are read as a whole: open the program "
        "and take its state dict (ctorch_exported_program_state_dict)",
        reader_name(self->reader));
  }
  if (place->config == NULL) {
    return NULL;
  }
  CTORCH_TRY(pt2_archive_json(function, &content->archive, &config, place->config));
  ctorch_error *error = exported_entries(function, &content->archive, &entries, config);
  for (void *at = json_object_iter(entries); error == NULL && at != NULL; at = json_object_iter_next(entries, at)) {
    const char *name = json_object_iter_key(at);
    error = weights_at_tensor(add(function, self, name, place, json_object_iter_value(at)), name);
  }
  json_decref(config);
  return error;
}

static ctorch_error *open_program(const char *function, ctorch_weights *self, ctorch_exported_program *program) {
  struct content *content = self->content;
  ctorch_value *metadata = NULL;
  const struct exported_place places[] = {
      exported_state_dict(&content->archive, program->model_name),
      exported_constants(&content->archive, program->model_name)};
  CTORCH_TRY(ctorch_exported_program_metadata(&metadata, program));
  content->metadata = value_take(metadata);
  CTORCH_TRY(add_place(function, self, &places[0]));
  return add_place(function, self, &places[1]);
}

static ctorch_error *open_contents(const char *function, ctorch_weights *self) {
  struct content *content = calloc(1, sizeof *content);
  ctorch_exported_program *program = NULL;
  if (content == NULL) {
    return error_memory(function, sizeof *content);
  }
  self->content = content;
  CTORCH_TRY(ctorch_exported_program_open(&program, self->reader, NULL));
  ctorch_error *error = pt2_archive_open(function, &content->archive, self->reader);
  THEN(error, open_program(function, self, program));
  ctorch_exported_program_release(program);
  return error;
}

static ctorch_error *read_tensor(
    const char *function, ctorch_tensor **out, const ctorch_weights *self, const struct weights_entry *entry) {
  struct content *content = self->content;
  if (entry->dtype == WEIGHTS_NO_DTYPE) {
    return weights_no_dtype(function, self, entry, "PyTorch has no such dtype");
  }
  return exported_tensor_read(function, &content->archive, out, &content->tensors[entry->number]);
}

static ctorch_error *metadata(const char *function, ctorch_value **out, const ctorch_weights *self) {
  const struct content *content = self->content;
  return error_of(function, ctorch_value_deep_copy(out, content->metadata));
}

const weights_format weights_pt2 = {
    .name = "pt2",
    .detect = detect,
    .open = open_contents,
    .tensor = read_tensor,
    .metadata = metadata,
    .close = close_content,
};

#else

static ctorch_error *open_contents(const char *function, ctorch_weights *self) {
  return error_make(
      function, CTORCH_ERROR_UNSUPPORTED, "%.1000s: pt2 cannot be read by this build, which has no jansson",
      reader_name(self->reader));
}

const weights_format weights_pt2 = {.name = "pt2", .detect = detect, .open = open_contents};

#endif
