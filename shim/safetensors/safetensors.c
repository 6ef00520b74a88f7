/* Reading safetensors (github.com/huggingface/safetensors): the length of a JSON header as a 64-bit number, the header,
 * the elements. What its reader in Rust refuses is refused, and names that are there twice too, which the format
 * forbids and that reader lets pass. */
#include "safetensors/safetensors.h"

#include <ctorch.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/json.h"
#include "base/sequence.h"
#include "core/c/error.h"
#include "io/elements.h"
#include "io/json_read.h"
#include "io/reader.h"
#include "io/weights_table.h"

enum { LENGTH_NBYTES = 8 };
#define METADATA "__metadata__"

static uint64_t length_of(const unsigned char *head) {
  uint64_t length = 0;
  for (int i = LENGTH_NBYTES; i-- > 0;) {
    length = length << 8 | head[i];
  }
  return length;
}

static bool detect(const unsigned char *head, size_t len, const ctorch_reader *reader) {
  (void)reader;
  /* A header may begin with white space. */
  return len > LENGTH_NBYTES &&
         (head[LENGTH_NBYTES] == '{' || (length_of(head) <= JSON_MOST_NBYTES && json_is_space(head[LENGTH_NBYTES])));
}

#if CTORCH_HAS_JANSSON

/* What the header says of a tensor. */
struct info {
  const char *name;
  size_t type, shape_len, number;
  int64_t *shape, begin, end;
};

struct infos {
  struct info *data;
  size_t len;
};

static void infos_end(struct infos *self) {
  for (size_t i = 0; i < self->len; i++) {
    free(self->data[i].shape);
  }
  free(self->data);
}

static ctorch_error *bad(const char *function, const ctorch_weights *self, const char *name, const char *what) {
  return reader_error(function, self->reader, "\"%.256s\": %s", name, what);
}

static ctorch_error *read_shape(
    const char *function, struct info *out, const ctorch_weights *self, const json_t *shape) {
  if (!json_is_array(shape)) {
    return bad(function, self, out->name, "expected a list of sizes as its \"shape\"");
  }
  out->shape_len = json_array_size(shape);
  out->shape = calloc(out->shape_len + 1, sizeof *out->shape);
  if (out->shape == NULL) {
    return error_memory(function, (out->shape_len + 1) * sizeof *out->shape);
  }
  for (size_t i = 0; i < out->shape_len; i++) {
    if (!json_natural(&out->shape[i], json_array_get(shape, i))) {
      return bad(function, self, out->name, "expected sizes that are integers, at least 0, in its \"shape\"");
    }
  }
  return NULL;
}

/* out->name is set, and out->shape is the caller's to free also after a failure. */
static ctorch_error *read_info(
    const char *function, struct info *out, const ctorch_weights *self, const json_t *entry) {
  const char *type = json_string_value(json_object_get(entry, "dtype"));
  const json_t *offsets = json_object_get(entry, "data_offsets");
  if (type == NULL) {
    return bad(function, self, out->name, "expected an object with a text as its \"dtype\"");
  }
  while (out->type < SAFETENSORS_TYPES && strcmp(type, safetensors_types[out->type].name) != 0) {
    out->type++;
  }
  if (out->type == SAFETENSORS_TYPES) {
    return reader_error(function, self->reader, "\"%.256s\": an unknown dtype \"%.64s\"", out->name, type);
  }
  CTORCH_TRY(read_shape(function, out, self, json_object_get(entry, "shape")));
  if (json_array_size(offsets) != 2 || !json_natural(&out->begin, json_array_get(offsets, 0)) ||
      !json_natural(&out->end, json_array_get(offsets, 1))) {
    return bad(function, self, out->name, "expected two integers, at least 0, as its \"data_offsets\"");
  }
  return NULL;
}

static bool are_texts(const json_t *metadata) {
  json_t *object = (json_t *)(uintptr_t)metadata;
  for (void *at = json_object_iter(object); at != NULL; at = json_object_iter_next(object, at)) {
    if (!json_is_string(json_object_iter_value(at))) {
      return false;
    }
  }
  return json_is_object(metadata);
}

static ctorch_error *read_infos(const char *function, struct infos *out, ctorch_weights *self, json_t *header) {
  for (void *at = json_object_iter(header); at != NULL; at = json_object_iter_next(header, at)) {
    const char *name = json_object_iter_key(at);
    json_t *entry = json_object_iter_value(at);
    if (strcmp(name, METADATA) == 0) {
      if (!json_is_null(entry) && !are_texts(entry)) {
        return bad(function, self, METADATA, "expected an object of texts");
      }
      self->content = json_is_null(entry) ? NULL : json_incref(entry);
      continue;
    }
    CTORCH_TRY(array_grow(function, &out->data, out->len, sizeof *out->data));
    out->data[out->len] = (struct info){.name = name, .number = out->len};
    CTORCH_TRY(read_info(function, &out->data[out->len++], self, entry));
  }
  return NULL;
}

static int compare_offsets(const void *a, const void *b) {
  const struct info *one = a, *other = b;
  if (one->begin != other->begin) {
    return one->begin < other->begin ? -1 : 1;
  }
  if (one->end != other->end) {
    return one->end < other->end ? -1 : 1;
  }
  return one->number < other->number ? -1 : one->number > other->number;
}

/* Bytes that a tensor takes by its shape and type. */
static bool nbytes_of(uint64_t *out, const struct info *info) {
  uint64_t count = 1, nbits = safetensors_types[info->type].nbits;
  for (size_t i = 0; i < info->shape_len; i++) {
    uint64_t size = (uint64_t)info->shape[i];
    if (size != 0 && count > UINT64_MAX / size) {
      return false;
    }
    count *= size;
  }
  if (count > UINT64_MAX / nbits || count * nbits % 8 != 0) {
    return false;
  }
  *out = count * nbits / 8;
  return true;
}

/* Two numbers of F4 are one element of PyTorch's. */
static ctorch_dtype dtype_of(struct info *info) {
  const struct safetensors_type *type = &safetensors_types[info->type];
  if (type->nbits == 4) {
    if (info->shape_len == 0 || info->shape[info->shape_len - 1] % 2 != 0) {
      return WEIGHTS_NO_DTYPE;
    }
    info->shape[info->shape_len - 1] /= 2;
  }
  return type->dtype;
}

static ctorch_error *add(const char *function, ctorch_weights *self, struct info *info, uint64_t first) {
  uint64_t nbytes = 0, counted = 0;
  if (!nbytes_of(&nbytes, info) || nbytes != (uint64_t)(info->end - info->begin)) {
    return bad(function, self, info->name, "\"shape\", \"dtype\" and \"data_offsets\" do not agree");
  }
  ctorch_dtype dtype = dtype_of(info);
  if (dtype != WEIGHTS_NO_DTYPE &&
      !elements_nbytes(&counted, info->shape, info->shape_len, ctorch_dtype_itemsize(dtype))) {
    return bad(function, self, info->name, "\"shape\" is too large");
  }
  return weights_add(
      function, self, info->name, safetensors_types[info->type].name, dtype, info->shape, info->shape_len,
      first + (uint64_t)info->begin, nbytes, 0);
}

/* The tensors lie one behind the other, to the end of the file. */
static ctorch_error *add_all(const char *function, ctorch_weights *self, struct infos *infos, uint64_t first) {
  int64_t at = 0;
  if (infos->len > 0) {
    qsort(infos->data, infos->len, sizeof *infos->data, compare_offsets);
  }
  for (size_t i = 0; i < infos->len; i++) {
    struct info *info = &infos->data[i];
    if (info->begin != at || info->end < at) {
      return reader_error(
          function, self->reader,
          "\"%.256s\": \"data_offsets\" from %" PRId64 " to %" PRId64 ", expected from %" PRId64, info->name,
          info->begin, info->end, at);
    }
    CTORCH_TRY(add(function, self, info, first));
    at = info->end;
  }
  uint64_t rest = ctorch_reader_nbytes(self->reader) - first;
  if ((uint64_t)at != rest) {
    return reader_error(
        function, self->reader, "%s: %" PRId64 " bytes of tensors, and %" PRIu64 " bytes behind the header",
        (uint64_t)at > rest ? "ends early" : "goes on behind the last tensor", at, rest);
  }
  return NULL;
}

static ctorch_error *open_header(const char *function, ctorch_weights *self) {
  unsigned char head[LENGTH_NBYTES];
  json_t *header = NULL;
  struct infos infos = {0};
  CTORCH_TRY(reader_read(function, self->reader, 0, head, sizeof head));
  uint64_t length = length_of(head);
  CTORCH_TRY(json_read(function, &header, self->reader, LENGTH_NBYTES, length));
  ctorch_error *error = NULL;
  if (!json_is_object(header)) {
    error = reader_error(function, self->reader, "a header that is no object");
  }
  THEN(error, read_infos(function, &infos, self, header));
  THEN(error, add_all(function, self, &infos, LENGTH_NBYTES + length));
  infos_end(&infos);
  json_decref(header);
  return error;
}

static ctorch_error *metadata(const char *function, ctorch_value **out, const ctorch_weights *self) {
  return self->content == NULL ? ctorch_value_from_dict(out, NULL, 0, NULL, 0)
                               : json_value(function, out, self->content, self->reader);
}

static void close_contents(ctorch_weights *self) { json_decref(self->content); }

static struct elements elements_of(const ctorch_weights *self, const struct weights_entry *entry) {
  return (struct elements){self->reader, entry->offset, entry->dtype, entry->shape, entry->shape_len, false, false};
}

static ctorch_error *no_dtype(const char *function, const ctorch_weights *self, const struct weights_entry *entry) {
  return weights_no_dtype(
      function, self, entry,
      strcmp(entry->type, "F4") == 0 ? "of which PyTorch has an even number in the last dimension"
                                     : "which PyTorch has not");
}

static ctorch_error *tensor(
    const char *function, ctorch_tensor **out, const ctorch_weights *self, const struct weights_entry *entry) {
  if (entry->dtype == WEIGHTS_NO_DTYPE) {
    return no_dtype(function, self, entry);
  }
  const struct elements elements = elements_of(self, entry);
  return elements_read(function, out, &elements);
}

static ctorch_error *slice(
    const char *function,
    ctorch_tensor **out,
    const ctorch_weights *self,
    const struct weights_entry *entry,
    const int64_t *begin,
    const int64_t *end) {
  if (entry->dtype == WEIGHTS_NO_DTYPE) {
    return no_dtype(function, self, entry);
  }
  const struct elements elements = elements_of(self, entry);
  return elements_slice(function, out, &elements, begin, end);
}

const weights_format weights_safetensors = {
    .name = "safetensors",
    .detect = detect,
    .open = open_header,
    .tensor = tensor,
    .slice = slice,
    .metadata = metadata,
    .close = close_contents,
};

#else

static ctorch_error *open_header(const char *function, ctorch_weights *self) {
  return error_make(
      function, CTORCH_ERROR_UNSUPPORTED, "%.1000s: safetensors cannot be read by this build, which has no jansson",
      reader_name(self->reader));
}

const weights_format weights_safetensors = {.name = "safetensors", .detect = detect, .open = open_header};

#endif
