/* Writing safetensors: <ctorch/safetensors/safetensors.h>. The bytes are those of the Python package: tensors by the
 * alignment of their types, largest first, then by name, and a header that is padded with spaces to a multiple of 8. */
#include <ctorch.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "base/sequence.h"
#include "base/text.h"
#include "core/c/error.h"
#include "io/json_read.h"
#include "io/writer.h"
#include "safetensors/safetensors.h"

/* The entries in the order of the file. */
struct sorted {
  const struct named_entry *entry;
  size_t type;
};

static int compare(const void *a, const void *b) {
  const struct sorted *one = a, *other = b;
  if (one->type != other->type) {
    return one->type > other->type ? -1 : 1;
  }
  return strcmp(one->entry->name, other->entry->name);
}

static ctorch_error *sort(const char *function, struct sorted *out, const char *argument, const struct named *tensors) {
  for (size_t i = 0; i < tensors->len; i++) {
    const struct named_entry *entry = &tensors->data[i];
    out[i] = (struct sorted){entry, safetensors_type_of(ctorch_tensor_dtype(entry->tensor))};
    if (out[i].type == SAFETENSORS_TYPES) {
      return error_make(
          function, CTORCH_ERROR_UNSUPPORTED, "%s: \"%.256s\" has a dtype that safetensors has not, %s", argument,
          entry->name, ctorch_dtype_name(ctorch_tensor_dtype(entry->tensor)));
    }
    if (strcmp(entry->name, "__metadata__") == 0) {
      return error_make(function, CTORCH_ERROR_VALUE, "%s: none can be called \"__metadata__\"", argument);
    }
    CTORCH_TRY(named_check_strided(function, argument, entry));
  }
  if (tensors->len > 0) {
    qsort(out, tensors->len, sizeof *out, compare);
  }
  return NULL;
}

/* The header. */

struct pair {
  const char *name, *text;
  size_t len;
  ctorch_value *key, *value;
};

static int compare_pairs(const void *a, const void *b) {
  return strcmp(((const struct pair *)a)->name, ((const struct pair *)b)->name);
}

static ctorch_error *read_pairs(struct pair *out, const ctorch_value *metadata, size_t len) {
  ctorch_value *keys = NULL, *values = NULL;
  CTORCH_TRY(ctorch_value_dict_keys(&keys, metadata));
  ctorch_error *error = ctorch_value_dict_values(&values, metadata);
  for (size_t i = 0; error == NULL && i < len; i++) {
    error = ctorch_value_get(&out[i].key, keys, i);
    THEN(error, ctorch_value_get(&out[i].value, values, i));
    THEN(error, ctorch_value_to_string(&out[i].name, NULL, out[i].key));
    THEN(error, ctorch_value_to_string(&out[i].text, &out[i].len, out[i].value));
  }
  ctorch_value_release(keys);
  ctorch_value_release(values);
  return error;
}

/* Sorted: the package has them in any order. */
static ctorch_error *add_metadata(const char *function, struct text *header, const ctorch_value *metadata) {
  ctorch_value *keys = NULL;
  CTORCH_TRY(ctorch_value_dict_keys(&keys, metadata)); /* which an OrderedDict has too */
  size_t len = ctorch_value_len(keys);
  ctorch_value_release(keys);
  struct pair *pairs = calloc(len + 1, sizeof *pairs);
  if (pairs == NULL) {
    return error_memory(function, (len + 1) * sizeof *pairs);
  }
  ctorch_error *error = read_pairs(pairs, metadata, len);
  if (error == NULL) {
    qsort(pairs, len, sizeof *pairs, compare_pairs);
    text_add(header, "\"__metadata__\":{");
    for (size_t i = 0; i < len; i++) {
      text_add(header, "%s", i == 0 ? "" : ",");
      json_quote(header, pairs[i].name, strlen(pairs[i].name), false);
      text_add(header, ":");
      json_quote(header, pairs[i].text, pairs[i].len, false);
    }
    text_add(header, "}");
  }
  for (size_t i = 0; i < len; i++) {
    ctorch_value_release(pairs[i].key);
    ctorch_value_release(pairs[i].value);
  }
  free(pairs);
  return error;
}

static void add_tensor(struct text *header, const struct sorted *sorted, uint64_t begin, uint64_t nbytes) {
  const ctorch_tensor *tensor = sorted->entry->tensor;
  int64_t ndim = ctorch_tensor_ndim(tensor);
  json_quote(header, sorted->entry->name, strlen(sorted->entry->name), false);
  text_add(header, ":{\"dtype\":\"%s\",\"shape\":[", safetensors_types[sorted->type].name);
  for (int64_t i = 0; i < ndim; i++) {
    int64_t size = ctorch_tensor_sizes(tensor)[i];
    if (safetensors_types[sorted->type].nbits == 4 && i == ndim - 1) {
      size *= 2; /* two numbers in one element */
    }
    text_add(header, "%s%" PRId64, i == 0 ? "" : ",", size);
  }
  text_add(header, "],\"data_offsets\":[%" PRIu64 ",%" PRIu64 "]}", begin, begin + nbytes);
}

static ctorch_error *check_header(const char *function, const char *argument, const struct text *header) {
  return header->error != NULL || header->len <= JSON_MOST_NBYTES
             ? NULL
             : error_make(
                   function, CTORCH_ERROR_VALUE, "%s: names and shapes take %zu bytes, more than %d", argument,
                   header->len, (int)JSON_MOST_NBYTES);
}

static ctorch_error *write_header(
    const char *function,
    ctorch_writer *writer,
    const char *argument,
    const struct sorted *sorted,
    size_t len,
    const ctorch_value *metadata) {
  struct text header = {.function = function};
  uint64_t at = 0;
  text_add(&header, "{");
  ctorch_error *error = metadata == NULL ? NULL : add_metadata(function, &header, metadata);
  for (size_t i = 0; error == NULL && i < len; i++) {
    uint64_t nbytes = ctorch_tensor_nbytes(sorted[i].entry->tensor);
    text_add(&header, "%s", i == 0 && metadata == NULL ? "" : ",");
    add_tensor(&header, &sorted[i], at, nbytes);
    at += nbytes;
  }
  text_add(&header, "}");
  text_bytes(&header, "       ", (8 - header.len % 8) % 8);
  THEN(error, check_header(function, argument, &header));
  if (error == NULL && header.error == NULL) {
    unsigned char length[8];
    for (int i = 0; i < 8; i++) {
      length[i] = (unsigned char)((uint64_t)header.len >> (8 * i));
    }
    error = writer_write(function, writer, length, sizeof length);
    THEN(error, writer_write(function, writer, header.data, header.len));
  }
  return ctorch_error_first(error, text_end(&header));
}

static ctorch_error *write_tensor(const char *function, ctorch_writer *writer, const ctorch_tensor *tensor) {
  ctorch_tensor *dense = NULL;
  const void *data = NULL;
  CTORCH_TRY(named_dense(&dense, tensor, true));
  ctorch_error *error = ctorch_tensor_const_data(&data, dense);
  if (data != NULL) {
    THEN(error, writer_write(function, writer, data, ctorch_tensor_nbytes(dense)));
  }
  ctorch_tensor_release(dense);
  return error;
}

ctorch_error *safetensors_write_named(
    const char *function,
    ctorch_writer *writer,
    const char *argument,
    const struct named *tensors,
    const ctorch_value *metadata) {
  struct sorted *sorted = calloc(tensors->len + 1, sizeof *sorted);
  if (sorted == NULL) {
    return error_memory(function, (tensors->len + 1) * sizeof *sorted);
  }
  ctorch_error *error = sort(function, sorted, argument, tensors);
  THEN(error, write_header(function, writer, argument, sorted, tensors->len, metadata));
  for (size_t i = 0; error == NULL && i < tensors->len; i++) {
    error = write_tensor(function, writer, sorted[i].entry->tensor);
  }
  free(sorted);
  return error;
}

/* What save_file refuses, because the file would have it twice. */
static ctorch_error *check_shared(const char *function, const struct named *tensors) {
  struct shared shared = {0};
  for (size_t i = 0; i < tensors->len; i++) {
    CTORCH_TRY(named_check_strided(function, "tensors", &tensors->data[i]));
  }
  CTORCH_TRY(shared_find(function, &shared, tensors));
  ctorch_error *error = NULL;
  for (size_t i = 1; error == NULL && i < shared.len; i++) {
    if (shared.data[i - 1].group == shared.data[i].group) {
      error = error_make(
          function, CTORCH_ERROR_RUNTIME,
          "tensors: \"%.256s\" and \"%.256s\" share memory; a file of the module keeps one of them "
          "(ctorch_safetensors_write_model)",
          shared.data[i - 1].name, shared.data[i].name);
    }
  }
  shared_end(&shared);
  return error;
}

static ctorch_error *write(
    const char *function, ctorch_writer *writer, const ctorch_value *tensors, const ctorch_value *metadata) {
  struct named named = {0};
  CTORCH_TRY(named_check_texts(function, "metadata", metadata));
  CTORCH_TRY(named_read(function, &named, "tensors", tensors));
  ctorch_error *error = check_shared(function, &named);
  THEN(error, safetensors_write_named(function, writer, "tensors", &named, metadata));
  named_end(&named);
  return error;
}

ctorch_error *ctorch_safetensors_write(
    ctorch_writer *writer, const ctorch_value *tensors, const ctorch_value *metadata) {
  CTORCH_TRY(error_refusal(__func__));
  return writer == NULL ? error_null(__func__, "writer")
                        : error_of(__func__, write(__func__, writer, tensors, metadata));
}

ctorch_error *ctorch_safetensors_write_file(
    const ctorch_value *tensors, const ctorch_value *metadata, const char *path) {
  CTORCH_TRY(error_refusal(__func__));
  ctorch_writer *writer = NULL;
  if (tensors == NULL || path == NULL) {
    return error_null(__func__, tensors == NULL ? "tensors" : "path");
  }
  CTORCH_TRY(error_of(__func__, ctorch_writer_open(&writer, path)));
  ctorch_error *error = write(__func__, writer, tensors, metadata);
  THEN(error, ctorch_writer_finish(writer));
  ctorch_writer_release(writer);
  return error_of(__func__, error);
}
