/* Opening files of weights: the list of all formats, of which the content of a file tells one. */
#include <ctorch.h>
#include <stdlib.h>
#include <string.h>

#include "base/sequence.h"
#include "core/c/error.h"
#include "core/c/object.h"
#include "gguf/gguf.h"
#include "io/reader.h"
#include "numpy/npy.h"
#include "safetensors/safetensors.h"
#include "safetensors/sharded.h"
#include "weights/weights.h"

/* The ones that one magic number tells come first. */
static const weights_format *const formats[] = {
    &weights_npy, &weights_gguf, &weights_npz, &weights_pt2, &weights_pt, &weights_safetensors, &weights_sharded,
};

enum { HEAD_NBYTES = 4096, FORMATS_LEN = sizeof formats / sizeof *formats };

const char *ctorch_weights_format_name(size_t index) { return index < FORMATS_LEN ? formats[index]->name : NULL; }

bool ctorch_weights_supports(const char *format) {
  static const char *const WITHOUT[] = {
#if !CTORCH_HAS_JANSSON
      "safetensors", "sharded", "pt2",
#endif
#if !CTORCH_HAS_MINIZIP
      "npz",
#endif
      NULL};
  bool known = false;
  for (size_t i = 0; format != NULL && i < FORMATS_LEN; i++) {
    known = known || strcmp(formats[i]->name, format) == 0;
  }
  for (size_t i = 0; known && WITHOUT[i] != NULL; i++) {
    known = strcmp(WITHOUT[i], format) != 0;
  }
  return known;
}

static const weights_format *find_format(const unsigned char *head, size_t len, const ctorch_reader *reader) {
  for (size_t i = 0; i < FORMATS_LEN; i++) {
    if (formats[i]->detect(head, len, reader)) {
      return formats[i];
    }
  }
  return NULL;
}

static ctorch_error *open_part(const char *function, ctorch_weights **out, const char *path, bool mmap);

/* The reader gets a reference. */
static ctorch_error *open_reader(
    const char *function, ctorch_weights **out, const ctorch_reader *reader, bool is_part) {
  unsigned char head[HEAD_NBYTES];
  size_t nbytes = ctorch_reader_nbytes(reader), len = nbytes < sizeof head ? nbytes : sizeof head;
  CTORCH_TRY(reader_read(function, reader, 0, head, len));
  const weights_format *format = find_format(head, len, reader);
  if (format == NULL) {
    return reader_error(function, reader, "of no format that is known");
  }
  if (is_part && format == &weights_sharded) {
    return reader_error(function, reader, "an index of shards as a shard");
  }
  ctorch_weights *self = weights_new();
  if (self == NULL) {
    return error_memory(function, sizeof *self);
  }
  self->reader = object_ref(reader);
  self->format = format;
  self->open_part = open_part;
  ctorch_error *error = format->open(function, self);
  THEN(error, weights_sort_names(function, self));
  if (error != NULL) {
    object_unref(self);
    return error_of(function, error);
  }
  *out = self;
  return NULL;
}

ctorch_error *ctorch_weights_open(ctorch_weights **out, const ctorch_reader *reader) {
  CTORCH_TRY(error_refusal(__func__));
  if (out == NULL || reader == NULL) {
    return error_null(__func__, out == NULL ? "out" : "reader");
  }
  ctorch_weights *self = NULL;
  CTORCH_TRY(open_reader(__func__, &self, reader, false));
  return object_give(__func__, out, self);
}

static ctorch_error *open_path(const char *function, ctorch_weights **out, const char *path, bool mmap, bool is_part) {
  ctorch_reader *reader = NULL;
  CTORCH_TRY(error_of(function, ctorch_reader_open(&reader, path, mmap)));
  ctorch_error *error = open_reader(function, out, reader, is_part);
  ctorch_reader_release(reader);
  return error;
}

static ctorch_error *open_part(const char *function, ctorch_weights **out, const char *path, bool mmap) {
  return open_path(function, out, path, mmap, true);
}

ctorch_error *ctorch_weights_open_file(ctorch_weights **out, const char *path, bool mmap) {
  CTORCH_TRY(error_refusal(__func__));
  if (out == NULL || path == NULL) {
    return error_null(__func__, out == NULL ? "out" : "path");
  }
  CTORCH_TRY(error_unless_text(__func__, "path", path));
  char *found = NULL;
  ctorch_weights *self = NULL;
  CTORCH_TRY(weights_find_in_folder(__func__, &found, path));
  ctorch_error *error = open_path(__func__, &self, found != NULL ? found : path, mmap, false);
  free(found);
  CTORCH_TRY(error);
  return object_give(__func__, out, self);
}
