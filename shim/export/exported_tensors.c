/* The tensors of exported programs: torch/_export/serde/schema.py has the form of the table (PayloadConfig). */
#include "export/exported_tensors.h"

#include <inttypes.h>
#include <string.h>

#include "base/sequence.h"
#include "core/c/error.h"
#include "core/c/object.h"
#include "core/c/tensor.h"
#include "ctorch.h"
#include "io/reader.h"

/* Places ----------------------------------------------------------------------------------------------------------- */

static const struct pt_record *first_of(const struct pt_record *a, const struct pt_record *b) {
  return a != NULL ? a : b;
}

struct exported_place exported_state_dict(const struct pt2_archive *archive, const char *model_name) {
  return (struct exported_place){
      .config = pt2_archive_find(archive, "data/weights/%s_weights_config.json", model_name),
      .file = first_of(
          pt2_archive_find(archive, "data/weights/%s.pt", model_name),
          pt2_archive_find(archive, "serialized_state_dict.pt")),
      .folder = "data/weights/"};
}

struct exported_place exported_constants(const struct pt2_archive *archive, const char *model_name) {
  return (struct exported_place){
      .config = pt2_archive_find(archive, "data/constants/%s_constants_config.json", model_name),
      .file = first_of(
          pt2_archive_find(archive, "data/constants/%s.pt", model_name),
          pt2_archive_find(archive, "serialized_constants.pt")),
      .folder = "data/constants/"};
}

#if CTORCH_HAS_JANSSON

/* Descriptions ----------------------------------------------------------------------------------------------------- */

ctorch_dtype exported_dtype(json_int_t number) {
  /* torch/_export/serde/schema.py, ScalarType. */
  static const struct {
    int number;
    ctorch_dtype dtype;
  } DTYPES[] = {
      {1, CTORCH_DTYPE_UINT8},
      {2, CTORCH_DTYPE_INT8},
      {3, CTORCH_DTYPE_INT16},
      {4, CTORCH_DTYPE_INT32},
      {5, CTORCH_DTYPE_INT64},
      {6, CTORCH_DTYPE_FLOAT16},
      {7, CTORCH_DTYPE_FLOAT32},
      {8, CTORCH_DTYPE_FLOAT64},
      {9, CTORCH_DTYPE_COMPLEX32},
      {10, CTORCH_DTYPE_COMPLEX64},
      {11, CTORCH_DTYPE_COMPLEX128},
      {12, CTORCH_DTYPE_BOOL},
      {13, CTORCH_DTYPE_BFLOAT16},
      {28, CTORCH_DTYPE_UINT16},
      {29, CTORCH_DTYPE_FLOAT8_E4M3FN},
      {30, CTORCH_DTYPE_FLOAT8_E5M2},
      {31, CTORCH_DTYPE_FLOAT8_E4M3FNUZ},
      {32, CTORCH_DTYPE_FLOAT8_E5M2FNUZ},
      {33, CTORCH_DTYPE_FLOAT8_E8M0FNU},
      {34, CTORCH_DTYPE_UINT32},
      {35, CTORCH_DTYPE_UINT64},
  };
  for (size_t i = 0; i < sizeof DTYPES / sizeof *DTYPES; i++) {
    if (DTYPES[i].number == number) {
      return DTYPES[i].dtype;
    }
  }
  return -1;
}

/* {"as_int": 3} */
static bool read_int(int64_t *out, const json_t *json) { return json_natural(out, json_object_get(json, "as_int")); }

/* At most EXPORTED_MOST_DIMS of them. */
static bool read_ints(int64_t *out, size_t *out_len, const json_t *list) {
  if (!json_is_array(list) || json_array_size(list) > EXPORTED_MOST_DIMS) {
    return false;
  }
  *out_len = json_array_size(list);
  for (size_t i = 0; i < *out_len; i++) {
    if (!read_int(&out[i], json_array_get(list, i))) {
      return false;
    }
  }
  return true;
}

/* How many elements of its storage a tensor reaches to. */
static bool reach(uint64_t *out, const struct exported_tensor *tensor) {
  uint64_t last = (uint64_t)tensor->offset, step = 0;
  for (size_t i = 0; i < tensor->len; i++) {
    if (tensor->sizes[i] == 0) {
      *out = 0;
      return true;
    }
    if (__builtin_mul_overflow((uint64_t)(tensor->sizes[i] - 1), (uint64_t)tensor->strides[i], &step) ||
        __builtin_add_overflow(last, step, &last)) {
      return false;
    }
  }
  *out = last + 1;
  return last < INT64_MAX;
}

static bool read_meta(struct exported_tensor *out, const json_t *meta) {
  size_t strides_len = 0;
  out->dtype = exported_dtype(json_integer_value(json_object_get(meta, "dtype")));
  return read_ints(out->sizes, &out->len, json_object_get(meta, "sizes")) &&
         read_ints(out->strides, &strides_len, json_object_get(meta, "strides")) && strides_len == out->len &&
         read_int(&out->offset, json_object_get(meta, "storage_offset"));
}

ctorch_error *exported_tensor_describe(
    const char *function,
    const struct pt2_archive *archive,
    struct exported_tensor *out,
    bool *out_is_tensor,
    const struct exported_place *place,
    const json_t *entry) {
  const char *path = json_string_value(json_object_get(entry, "path_name"));
  const json_t *meta = json_object_get(entry, "tensor_meta");
  *out =
      (struct exported_tensor){.record = path == NULL ? NULL : pt2_archive_find(archive, "%s%s", place->folder, path)};
  if (out->record == NULL) {
    return reader_error(function, archive->reader, "no record with its bytes is there");
  }
  out->is_pickled = json_is_true(json_object_get(entry, "use_pickle"));
  *out_is_tensor = json_is_object(meta);
  if (!*out_is_tensor || out->is_pickled) {
    return NULL;
  }
  return read_meta(out, meta) ? NULL : reader_error(function, archive->reader, "its description is damaged");
}

/* Reading ---------------------------------------------------------------------------------------------------------- */

/* That the bytes are there which the description speaks of. */
static ctorch_error *check(
    const char *function, const struct pt2_archive *archive, const struct exported_tensor *tensor) {
  uint64_t elements = 0;
  const size_t itemsize = tensor->dtype < 0 ? 0 : ctorch_dtype_itemsize(tensor->dtype);
  if (itemsize == 0) {
    return error_make(
        function, CTORCH_ERROR_UNSUPPORTED, "%.1000s: a tensor of a dtype that PyTorch has not",
        reader_name(archive->reader));
  }
  if (!reach(&elements, tensor) || elements > tensor->record->nbytes / itemsize) {
    return reader_error(
        function, archive->reader, "record '%s' has %" PRIu64 " bytes, fewer than its tensor", tensor->record->name,
        tensor->record->nbytes);
  }
  return NULL;
}

static ctorch_error *check_byte_order(const char *function, struct pt2_archive *archive) {
  char *order = NULL;
  const struct pt_record *record = pt2_archive_find(archive, "byteorder");
  if (record == NULL || record->nbytes > 16) {
    return NULL;
  }
  CTORCH_TRY(pt2_archive_read(function, archive, &order, record));
  const bool is_big = strcmp(order, "big") == 0;
  free(order);
  return is_big ? error_make(
                      function, CTORCH_ERROR_UNSUPPORTED, "%.1000s: written by a big-endian machine",
                      reader_name(archive->reader))
                : NULL;
}

/* The bytes of a record as a tensor, which is outside every scope. */
static ctorch_error *read_bytes(
    const char *function, struct pt2_archive *archive, ctorch_tensor **out, const struct exported_tensor *tensor) {
  const size_t itemsize = ctorch_dtype_itemsize(tensor->dtype);
  const uint64_t nbytes = tensor->record->nbytes / itemsize * itemsize;
  uint64_t offset = 0;
  if (!tensor->record->is_compressed) {
    CTORCH_TRY(pt_zip_place(function, &archive->zip, &offset, tensor->record));
    return reader_tensor(function, out, archive->reader, offset, nbytes, itemsize > 8 ? 8 : itemsize);
  }
  ctorch_reader *reader = NULL;
  CTORCH_TRY(pt2_archive_reader(function, archive, &reader, tensor->record));
  ctorch_error *error = reader_tensor(function, out, reader, 0, nbytes, itemsize > 8 ? 8 : itemsize);
  object_unref(reader);
  return error;
}

static ctorch_error *read_pickled(
    const char *function, struct pt2_archive *archive, ctorch_tensor **out, const struct exported_tensor *tensor) {
  ctorch_reader *reader = NULL;
  ctorch_value *value = NULL;
  CTORCH_TRY(pt2_archive_reader(function, archive, &reader, tensor->record));
  ctorch_error *error = ctorch_serialization_load(&value, reader, NULL);
  THEN(error, ctorch_value_to_tensor(out, value));
  ctorch_value_release(value);
  object_unref(reader);
  return error_of(function, error);
}

static ctorch_error *view(ctorch_tensor **out, const ctorch_tensor *bytes, const struct exported_tensor *tensor) {
  ctorch_tensor *elements = NULL;
  CTORCH_TRY(ctorch_aten_view_dtype(&elements, bytes, tensor->dtype));
  ctorch_error *error =
      ctorch_aten_as_strided(out, elements, tensor->sizes, tensor->len, tensor->strides, tensor->len, &tensor->offset);
  ctorch_tensor_release(elements);
  return error;
}

ctorch_error *exported_tensor_read(
    const char *function, struct pt2_archive *archive, ctorch_tensor **out, const struct exported_tensor *tensor) {
  ctorch_tensor *bytes = NULL;
  if (tensor->is_pickled) {
    return read_pickled(function, archive, out, tensor);
  }
  CTORCH_TRY(check(function, archive, tensor));
  CTORCH_TRY(check_byte_order(function, archive));
  CTORCH_TRY(read_bytes(function, archive, &bytes, tensor));
  ctorch_error *error = view(out, bytes, tensor);
  tensor_unref(bytes);
  return error_of(function, error);
}

/* All of them ------------------------------------------------------------------------------------------------------ */

ctorch_error *exported_entries(
    const char *function, const struct pt2_archive *archive, json_t **out, const json_t *config) {
  json_t *entries = json_object_get(config, "config");
  if (!json_is_object(entries)) {
    return reader_error(function, archive->reader, "the table of its tensors is damaged");
  }
  *out = entries;
  return NULL;
}

static ctorch_error *put(
    const char *function,
    struct pt2_archive *archive,
    ctorch_value *dict,
    const char *name,
    const struct exported_place *place,
    const json_t *entry) {
  struct exported_tensor described;
  ctorch_tensor *tensor = NULL;
  ctorch_value *value = NULL;
  bool is_tensor = false;
  CTORCH_TRY(exported_tensor_describe(function, archive, &described, &is_tensor, place, entry));
  if (!is_tensor) {
    return NULL;
  }
  CTORCH_TRY(exported_tensor_read(function, archive, &tensor, &described));
  ctorch_error *error = ctorch_value_from_tensor(&value, tensor);
  THEN(error, ctorch_value_dict_put(dict, name, value));
  ctorch_value_release(value);
  ctorch_tensor_release(tensor);
  return error;
}

static ctorch_error *read_table(
    const char *function, struct pt2_archive *archive, ctorch_value *dict, const struct exported_place *place) {
  json_t *config = NULL, *entries = NULL;
  CTORCH_TRY(pt2_archive_json(function, archive, &config, place->config));
  ctorch_error *error = exported_entries(function, archive, &entries, config);
  for (void *at = json_object_iter(entries); error == NULL && at != NULL; at = json_object_iter_next(entries, at)) {
    const char *name = json_object_iter_key(at);
    error = put(function, archive, dict, name, place, json_object_iter_value(at));
    error = error == NULL ? NULL : error_at(error, "'%.200s'", name);
  }
  json_decref(config);
  return error;
}

/* What torch.save wrote: a dict, an OrderedDict, or nothing at all. */
static ctorch_error *read_file(
    const char *function, struct pt2_archive *archive, ctorch_value **out, const struct pt_record *record) {
  ctorch_reader *reader = NULL;
  ctorch_value *value = NULL, *items = NULL;
  if (record->nbytes == 0) {
    return ctorch_value_from_dict(out, NULL, 0, NULL, 0);
  }
  CTORCH_TRY(pt2_archive_reader(function, archive, &reader, record));
  ctorch_error *error = ctorch_serialization_load(&value, reader, NULL);
  object_unref(reader);
  if (error == NULL && ctorch_value_kind_of(value) == CTORCH_VALUE_PYTHON_OBJECT) {
    error = ctorch_value_python_items(&items, value);
    ctorch_value_release(value);
    value = items;
  }
  if (error == NULL && ctorch_value_kind_of(value) != CTORCH_VALUE_DICT) {
    error = reader_error(function, archive->reader, "record '%s' is no dict", record->name);
  }
  if (error != NULL) {
    ctorch_value_release(value);
    return error_of(function, error);
  }
  *out = value;
  return NULL;
}

ctorch_error *exported_tensors_read(
    const char *function, struct pt2_archive *archive, ctorch_value **out, const struct exported_place *place) {
  ctorch_value *dict = NULL;
  if (place->config == NULL && place->file != NULL) {
    return read_file(function, archive, out, place->file);
  }
  CTORCH_TRY(error_of(function, ctorch_value_from_dict(&dict, NULL, 0, NULL, 0)));
  ctorch_error *error = place->config == NULL ? NULL : read_table(function, archive, dict, place);
  if (error != NULL) {
    ctorch_value_release(dict);
    return error;
  }
  *out = dict;
  return NULL;
}

#endif
