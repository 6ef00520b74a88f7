/* Weights of exported programs. They lie as bytes in records of their own, beside a list of where and how; or, in files
 * of PyTorch before 2.8, in a file of torch.save for all of them. */
#include "program.h"

#if CTORCH_HAS_JANSSON

#include <stdlib.h>

#include "error.h"
#include "held.h"
#include "object.h"
#include "pt_device.h"
#include "reader.h"
#include "tensor.h"

enum { MOST_DIMS = 64 };

/* The file's form, as folders that hold a list and what it names. */
struct part {
  const char *list, *folder, *whole;
};
static const struct part WEIGHTS = {"data/weights/%s_weights_config.json", "data/weights/", "serialized_state_dict.pt"};
static const struct part CONSTANTS = {
    "data/constants/%s_constants_config.json", "data/constants/", "serialized_constants.pt"};

/* Weights while they are read. */
struct weights {
  const char *function;
  struct pt2_archive *archive;
  const struct part *part;
  json_t *numbers;           /* from records to their numbers */
  ctorch_storage **storages; /* taken handles, one a record: weights may share it */
  size_t storages_len;
};

static ctorch_error *damaged(const struct weights *self, const char *what) {
  return reader_error(self->function, self->archive->reader, "%s", what);
}

/* Bytes ------------------------------------------------------------------------------------------------------------- */

static ctorch_error *read_storage(struct weights *self, ctorch_storage **out, const struct pt_record *record) {
  void *data = NULL;
  ctorch_storage *storage = NULL;
  CTORCH_TRY(ctorch_storage_new(&storage, (size_t)record->nbytes));
  ctorch_error *error = ctorch_storage_data(&data, storage);
  if (error == NULL && record->nbytes > 0) {
    error = pt_zip_read(self->function, &self->archive->zip, data, record);
    error = error != NULL ? error : pt2_archive_check(self->function, self->archive, record, data);
  }
  if (error != NULL) {
    ctorch_storage_release(storage);
    return error;
  }
  *out = storage;
  return NULL;
}

/* The bytes of a record, which are read once. */
static ctorch_error *storage_of(struct weights *self, ctorch_storage **out, const char *name) {
  const struct pt_record *record = pt2_archive_find(self->archive, "%s%s", self->part->folder, name);
  const json_t *number = json_object_get(self->numbers, name);
  if (record == NULL) {
    return damaged(self, "its bytes are not in the file");
  }
  if (number == NULL) {
    ctorch_storage **grown = realloc(self->storages, (self->storages_len + 1) * sizeof *grown);
    if (grown == NULL || json_object_set_new(self->numbers, name, json_integer((json_int_t)self->storages_len)) != 0) {
      self->storages = grown != NULL ? grown : self->storages;
      return error_memory(self->function, (self->storages_len + 1) * sizeof *grown);
    }
    self->storages = grown;
    self->storages[self->storages_len] = NULL;
    CTORCH_TRY(read_storage(self, &self->storages[self->storages_len], record));
    number = json_object_get(self->numbers, name);
    self->storages_len++;
  }
  *out = self->storages[json_integer_value(number)];
  return NULL;
}

/* Tensors ------------------------------------------------------------------------------------------------------------ */

static bool read_natural(int64_t *out, const json_t *json) {
  return json_natural(out, json_object_get(json, "as_int"));
}

static bool read_naturals(int64_t *out, size_t *len, const json_t *list) {
  *len = json_array_size(list);
  bool is_whole = json_is_array(list) && *len <= MOST_DIMS;
  for (size_t i = 0; is_whole && i < *len; i++) {
    is_whole = read_natural(&out[i], json_array_get(list, i));
  }
  return is_whole;
}

/* Where a tensor is to lie; the CPU if that is it, or none is said. */
static ctorch_error *move(const struct weights *self, ctorch_tensor **tensor, const json_t *meta) {
  const json_t *place = json_object_get(meta, "device");
  const char *type = json_string_value(json_object_get(place, "type"));
  ctorch_device device = {0};
  ctorch_tensor *moved = NULL;
  if (type == NULL || !pt_device_parse(&device, type) || device.type == CTORCH_DEVICE_TYPE_CPU) {
    return NULL;
  }
  int64_t index = 0;
  if (json_natural(&index, json_object_get(place, "index")) && index <= INT8_MAX) {
    device.index = (int32_t)index;
  }
  CTORCH_TRY(error_of(
      self->function,
      ctorch_aten_to_device(&moved, *tensor, &device, ctorch_tensor_dtype(*tensor), false, false, NULL)));
  ctorch_tensor_release(*tensor);
  *tensor = moved;
  return NULL;
}

static ctorch_error *make_tensor(struct weights *self, ctorch_tensor **out, const json_t *place) {
  const json_t *meta = json_object_get(place, "tensor_meta");
  const char *name = json_string_value(json_object_get(place, "path_name"));
  int64_t sizes[MOST_DIMS], strides[MOST_DIMS], offset = 0;
  size_t sizes_len = 0, strides_len = 0;
  ctorch_dtype dtype = 0;
  ctorch_storage *storage = NULL;
  if (name == NULL || !graph_dtype(&dtype, json_object_get(meta, "dtype")) ||
      !read_naturals(sizes, &sizes_len, json_object_get(meta, "sizes")) ||
      !read_naturals(strides, &strides_len, json_object_get(meta, "strides")) || sizes_len != strides_len ||
      !read_natural(&offset, json_object_get(meta, "storage_offset"))) {
    return damaged(self, "it is described in a form that is not known");
  }
  CTORCH_TRY(storage_of(self, &storage, name));
  ctorch_error *error = ctorch_tensor_from_storage(out, storage, offset, sizes, sizes_len, strides, strides_len, dtype);
  if (ctorch_error_kind_of(error) == CTORCH_ERROR_INVALID_ARGUMENT) {
    ctorch_error_release(error);
    return damaged(self, "its elements do not lie in its bytes");
  }
  CTORCH_TRY(error_of(self->function, error));
  error = move(self, out, meta);
  if (error == NULL && json_is_true(json_object_get(place, "is_param")) &&
      json_is_true(json_object_get(meta, "requires_grad"))) {
    error = error_of(self->function, ctorch_tensor_set_requires_grad(*out, true));
  }
  if (error != NULL) {
    ctorch_tensor_release(*out);
    *out = NULL;
  }
  return error;
}

/* A file of torch.save in the file. */
static ctorch_error *load_saved(
    const char *function, ctorch_value **out, struct pt2_archive *archive, const struct pt_record *record) {
  ctorch_reader *reader = NULL;
  CTORCH_TRY(pt2_archive_reader(function, archive, &reader, record));
  ctorch_error *error = ctorch_serialization_load(out, reader, NULL);
  object_unref(reader);
  return error_at(error_of(function, error), "%s", record->name);
}

static ctorch_error *put_weight(struct weights *self, ctorch_value *dict, const char *name, const json_t *place) {
  ctorch_tensor *tensor = NULL;
  ctorch_value *value = NULL;
  ctorch_error *error = NULL;
  if (json_is_true(json_object_get(place, "use_pickle"))) {
    const char *path = json_string_value(json_object_get(place, "path_name"));
    const struct pt_record *record =
        path == NULL ? NULL : pt2_archive_find(self->archive, "%s%s", self->part->folder, path);
    error = record == NULL ? damaged(self, "its bytes are not in the file")
                           : load_saved(self->function, &value, self->archive, record);
  } else if (json_is_null(json_object_get(place, "tensor_meta"))) {
    return NULL; /* an object of a class of one's own: the signature says so where it is used */
  } else {
    error = make_tensor(self, &tensor, place);
    error = error != NULL ? error : ctorch_value_from_tensor(&value, tensor);
  }
  error = error != NULL ? error : ctorch_value_dict_put(dict, name, value);
  ctorch_value_release(value);
  ctorch_tensor_release(tensor);
  return error_at(error, "%s", name);
}

static ctorch_error *put_weights(struct weights *self, ctorch_value *dict, const struct pt_record *list) {
  json_t *document = NULL;
  CTORCH_TRY(pt2_archive_json(self->function, self->archive, &document, list));
  json_t *config = json_object_get(document, "config");
  ctorch_error *error = json_is_object(config) ? NULL : damaged(self, "a list of weights is damaged");
  for (void *at = json_object_iter(config); error == NULL && at != NULL; at = json_object_iter_next(config, at)) {
    error = put_weight(self, dict, json_object_iter_key(at), json_object_iter_value(at));
  }
  json_decref(document);
  return error;
}

/* A new dict of one part of the file. */
static ctorch_error *read_listed(
    const char *function,
    ctorch_value **out,
    struct pt2_archive *archive,
    const struct part *part,
    const struct pt_record *list) {
  struct weights self = {.function = function, .archive = archive, .part = part, .numbers = json_object()};
  ctorch_value *dict = NULL;
  ctorch_error *error = self.numbers == NULL ? error_memory(function, 0) : NULL;
  error = error != NULL ? error : ctorch_value_from_dict(&dict, NULL, 0, NULL, 0);
  error = error != NULL ? error : put_weights(&self, dict, list);
  for (size_t i = 0; i < self.storages_len; i++) {
    ctorch_storage_release(self.storages[i]);
  }
  free(self.storages);
  json_decref(self.numbers);
  if (error != NULL) {
    ctorch_value_release(dict);
    return error;
  }
  *out = dict;
  return NULL;
}

/* A dict, also of an OrderedDict. */
static ctorch_error *as_dict(const char *function, ctorch_value **value) {
  ctorch_value *items = NULL;
  if (ctorch_value_kind_of(*value) == CTORCH_VALUE_PYTHON_OBJECT) {
    CTORCH_TRY(ctorch_value_python_items(&items, *value));
    ctorch_value_release(*value);
    *value = items;
  }
  return ctorch_value_kind_of(*value) == CTORCH_VALUE_DICT
             ? NULL
             : error_make(function, CTORCH_ERROR_FORMAT, "the weights are no dict");
}

static ctorch_error *read_part(
    const char *function, ctorch_value **out, struct pt2_archive *archive, const struct part *part) {
  const struct pt_record *list = pt2_archive_find(archive, part->list, "model");
  const struct pt_record *whole = pt2_archive_find(archive, "%s", part->whole);
  ctorch_value *made = NULL;
  ctorch_error *error = NULL;
  if (list != NULL) {
    error = read_listed(function, &made, archive, part, list);
  } else if (whole != NULL && whole->nbytes > 0) {
    error = load_saved(function, &made, archive, whole);
    error = error != NULL ? error : as_dict(function, &made);
  } else {
    error = ctorch_value_from_dict(&made, NULL, 0, NULL, 0);
  }
  if (error != NULL) {
    ctorch_value_release(made);
    return error;
  }
  *out = value_take(made);
  return NULL;
}

ctorch_error *program_read_weights(const char *function, ctorch_exported_program *self, struct pt2_archive *archive) {
  CTORCH_TRY(read_part(function, &self->state_dict, archive, &WEIGHTS));
  CTORCH_TRY(read_part(function, &self->constants, archive, &CONSTANTS));
  const struct pt_record *inputs = pt2_archive_find(archive, "data/sample_inputs/model.pt");
  inputs = inputs != NULL ? inputs : pt2_archive_find(archive, "serialized_example_inputs.pt");
  ctorch_value *made = NULL;
  ctorch_error *error = inputs != NULL && inputs->nbytes > 0 ? load_saved(function, &made, archive, inputs)
                                                             : ctorch_value_from_none(&made);
  ctorch_error_kind code = ctorch_error_kind_of(error);
  if (code == CTORCH_ERROR_UNSUPPORTED) { /* of classes of one's own: the program runs without them */
    ctorch_error_release(error);
    error = ctorch_value_from_none(&made);
  }
  self->example_inputs = error == NULL ? value_take(made) : NULL;
  return error;
}

#endif
