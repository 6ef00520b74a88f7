/* GGUF (gguf.h): the table of contents, and tensors. Versions 1 to 3, of either order of bytes. */
#include "gguf/gguf.h"

#include <ctorch.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "core/c/error.h"
#include "io/elements.h"
#include "io/reader.h"

enum {
  NEWEST = 3,
  MOST_DIMS = 64,   /* of PyTorch's tensors; ggml's have 4 */
  LEAST_KEY = 9,    /* bytes of a key and its value, in version 1 */
  LEAST_TENSOR = 20 /* of the description of a tensor */
};

static bool detect(const unsigned char *head, size_t len, const ctorch_reader *reader) {
  (void)reader;
  return len >= 4 && memcmp(head, "GGUF", 4) == 0;
}

static void end(ctorch_weights *self) {
  struct gguf *file = self->content;
  for (size_t i = 0; file != NULL && i < file->types_len; i++) {
    free(file->types[i]);
  }
  if (file != NULL) {
    free(file->types);
  }
  free(file);
}

static ctorch_error *read_head(struct gguf_cursor *cursor, struct gguf *file) {
  uint64_t version = 0;
  CTORCH_TRY(gguf_skip(cursor, 4));
  CTORCH_TRY(gguf_number(cursor, &version, 4));
  if (version != 0 && (version & 0xffff) == 0) {
    file->is_big_endian = true;
    version = (version >> 24) | (version >> 8 & 0xff00);
  }
  if (version < 1 || version > NEWEST) {
    return error_make(
        cursor->function, CTORCH_ERROR_UNSUPPORTED, "%.1000s: GGUF of version %" PRIu64, reader_name(cursor->reader),
        version);
  }
  file->version = (uint32_t)version;
  CTORCH_TRY(gguf_length(cursor, &file->tensors));
  CTORCH_TRY(gguf_length(cursor, &file->keys));
  file->keys_at = cursor->at;
  if (file->keys > gguf_rest(cursor) / LEAST_KEY || file->tensors > gguf_rest(cursor) / LEAST_TENSOR) {
    return reader_error(cursor->function, cursor->reader, "ends early");
  }
  return NULL;
}

/* Go past the keys; one of them tells how elements are aligned. */
static ctorch_error *read_keys(struct gguf_cursor *cursor, struct gguf *file) {
  bool is_told = false;
  for (uint64_t i = 0; i < file->keys; i++) {
    char *key = NULL;
    uint64_t type = 0, alignment = 0;
    CTORCH_TRY(gguf_text(cursor, &key, "key"));
    bool is_alignment = strcmp(key, "general.alignment") == 0;
    free(key);
    CTORCH_TRY(gguf_number(cursor, &type, 4));
    if (!is_alignment) {
      CTORCH_TRY(gguf_skip_value(cursor, type));
      continue;
    }
    if (type == GGUF_UINT32) {
      CTORCH_TRY(gguf_number(cursor, &alignment, 4));
    }
    if (is_told || alignment == 0 || (alignment & (alignment - 1)) != 0) {
      return reader_error(cursor->function, cursor->reader, "general.alignment is not one power of two of 32 bits");
    }
    is_told = true;
    file->alignment = (uint32_t)alignment;
  }
  return NULL;
}

/* What a file says of a tensor. */
struct info {
  char *name; /* owned */
  size_t shape_len;
  int64_t shape[MOST_DIMS]; /* outermost first */
  uint64_t type, offset;
};

/* info->name is the caller's to free also after a failure. */
static ctorch_error *read_info(struct gguf_cursor *cursor, struct info *info) {
  uint64_t len = 0;
  info->name = NULL;
  CTORCH_TRY(gguf_text(cursor, &info->name, "name of a tensor"));
  CTORCH_TRY(gguf_number(cursor, &len, 4));
  if (len > MOST_DIMS) {
    return reader_error(cursor->function, cursor->reader, "\"%.256s\" has %" PRIu64 " dimensions", info->name, len);
  }
  info->shape_len = (size_t)len;
  for (size_t i = 0; i < len; i++) {
    uint64_t size = 0;
    CTORCH_TRY(gguf_length(cursor, &size));
    if (size > INT64_MAX) {
      return reader_error(cursor->function, cursor->reader, "\"%.256s\" is too large", info->name);
    }
    info->shape[len - 1 - i] = (int64_t)size;
  }
  CTORCH_TRY(gguf_number(cursor, &info->type, 4));
  return gguf_number(cursor, &info->offset, 8);
}

/* The bytes of a tensor of a known type. */
static ctorch_error *nbytes_of(
    const struct gguf_cursor *cursor, uint64_t *out, const struct info *info, const struct gguf_type *type) {
  uint64_t numel = 0;
  uint64_t row = info->shape_len > 0 ? (uint64_t)info->shape[info->shape_len - 1] : 1;
  if (!elements_nbytes(&numel, info->shape, info->shape_len, 8) || numel / 8 / type->len > INT64_MAX / type->nbytes) {
    return reader_error(cursor->function, cursor->reader, "\"%.256s\" is too large", info->name);
  }
  if (row % type->len != 0) {
    return reader_error(
        cursor->function, cursor->reader, "\"%.256s\" has rows of %" PRIu64 " elements, but blocks of %s have %" PRIu32,
        info->name, row, type->name, type->len);
  }
  *out = numel / 8 / type->len * type->nbytes;
  return NULL;
}

/* Keep the name of a type that is not known. */
static ctorch_error *name_type(const char *function, struct gguf *file, const char **out, uint64_t number) {
  CTORCH_TRY(array_grow(function, &file->types, file->types_len, sizeof *file->types));
  char *name = malloc(32);
  if (name == NULL) {
    return error_memory(function, 32);
  }
  snprintf(name, 32, "type %" PRIu64, number);
  file->types[file->types_len++] = name;
  *out = name;
  return NULL;
}

static ctorch_error *add(struct gguf_cursor *cursor, ctorch_weights *self, const struct info *info, uint64_t start) {
  struct gguf *file = self->content;
  const struct gguf_type *type = gguf_type_of(info->type);
  const char *name = type != NULL ? type->name : NULL;
  uint64_t all = ctorch_reader_nbytes(self->reader), nbytes = 0;
  if (info->offset % file->alignment != 0) {
    return reader_error(
        cursor->function, self->reader, "\"%.256s\" begins at byte %" PRIu64 ", which is no multiple of %" PRIu32,
        info->name, info->offset, file->alignment);
  }
  if (type != NULL) {
    CTORCH_TRY(nbytes_of(cursor, &nbytes, info, type));
  } else {
    CTORCH_TRY(name_type(cursor->function, file, &name, info->type));
  }
  bool is_there = nbytes == 0 || (start <= all && info->offset <= all - start && nbytes <= all - start - info->offset);
  if (!is_there) {
    return reader_error(cursor->function, self->reader, "ends before \"%.256s\" does", info->name);
  }
  if (nbytes > all - file->elements) {
    return reader_error(cursor->function, self->reader, "\"%.256s\" lies over other tensors", info->name);
  }
  file->elements += nbytes;
  return weights_add(
      cursor->function, self, info->name, name, type != NULL ? type->dtype : WEIGHTS_NO_DTYPE, info->shape,
      info->shape_len, nbytes == 0 ? 0 : start + info->offset, nbytes, info->type);
}

/* Go past the tensors, which tells where their elements begin; then, with that, add them. */
static ctorch_error *read_tensors(struct gguf_cursor *cursor, ctorch_weights *self) {
  const struct gguf *file = self->content;
  uint64_t at = cursor->at, start = 0;
  for (int pass = 0; pass < 2; pass++) {
    cursor->at = at;
    for (uint64_t i = 0; i < file->tensors; i++) {
      struct info info;
      ctorch_error *error = read_info(cursor, &info);
      if (error == NULL && pass == 1) {
        error = add(cursor, self, &info, start);
      }
      free(info.name);
      CTORCH_TRY(error);
    }
    start = cursor->at + (file->alignment - cursor->at % file->alignment) % file->alignment;
  }
  return NULL;
}

static ctorch_error *open(const char *function, ctorch_weights *self) {
  struct gguf *file = calloc(1, sizeof *file);
  if (file == NULL) {
    return error_memory(function, sizeof *file);
  }
  self->content = file;
  file->alignment = 32;
  struct gguf_cursor cursor;
  gguf_cursor_begin(&cursor, function, self->reader, file, 0);
  CTORCH_TRY(read_head(&cursor, file));
  CTORCH_TRY(read_keys(&cursor, file));
  return read_tensors(&cursor, self);
}

static struct elements elements_of(const ctorch_weights *self, const struct weights_entry *entry) {
  const struct gguf *file = self->content;
  return (struct elements){
      .reader = self->reader,
      .offset = entry->offset,
      .dtype = entry->dtype,
      .shape = entry->shape,
      .shape_len = entry->shape_len,
      .is_big_endian = file->is_big_endian};
}

static ctorch_error *check_is_read(
    const char *function, const ctorch_weights *self, const struct weights_entry *entry) {
  return entry->dtype != WEIGHTS_NO_DTYPE ? NULL : weights_no_dtype(function, self, entry, "which is not read");
}

static bool is_quantized(const struct weights_entry *entry) { return gguf_type_of(entry->number)->dequantize != NULL; }

static ctorch_error *slice(
    const char *function,
    ctorch_tensor **out,
    const ctorch_weights *self,
    const struct weights_entry *entry,
    const int64_t *begin,
    const int64_t *end) {
  CTORCH_TRY(check_is_read(function, self, entry));
  if (is_quantized(entry)) {
    return gguf_read_blocks(function, out, self, entry, begin, end);
  }
  struct elements elements = elements_of(self, entry);
  return elements_slice(function, out, &elements, begin, end);
}

static ctorch_error *tensor(
    const char *function, ctorch_tensor **out, const ctorch_weights *self, const struct weights_entry *entry) {
  static const int64_t begin[MOST_DIMS];
  CTORCH_TRY(check_is_read(function, self, entry));
  if (is_quantized(entry)) {
    return gguf_read_blocks(function, out, self, entry, begin, entry->shape);
  }
  struct elements elements = elements_of(self, entry);
  return elements_read(function, out, &elements);
}

const weights_format weights_gguf = {
    .name = "gguf",
    .detect = detect,
    .open = open,
    .tensor = tensor,
    .slice = slice,
    .metadata = gguf_metadata,
    .close = end,
};
