/* The files of CIFAR's Python version: pickles of dicts, with images as an array of NumPy, of Python 2 as they are
 * published, or of Python 3. They are read as files of torch.save are, and nothing is run. */
#include <string.h>

#include "base/sequence.h"
#include "core/c/boxed.h"
#include "core/c/error.h"
#include "datasets/cifar_files.h"
#include "io/reader.h"
#include "pt/load.h"

/* The dict; a value that is nobody's (value_unref). */
static ctorch_error *read_dict(const char *function, ctorch_value **out, const ctorch_reader *reader) {
  struct pt_file file = {
      .pickle = {
          .function = function, .reader = reader, .find = pt_global_find, .build = pt_build, .place = "its pickle"}};
  struct pickle_source source;
  pickle_source_open(&source, reader, 0, ctorch_reader_nbytes(reader));
  unpickler_begin(&file.pickle);
  ctorch_value *value = NULL;
  ctorch_error *error = pickle_load(&file.pickle, &source, &value);
  pickle_source_close(&source);
  unpickler_end(&file.pickle);
  if (error == NULL && ctorch_value_kind_of(value) != CTORCH_VALUE_DICT) {
    value_unref(value);
    error = reader_error(function, reader, "holds no dict");
  }
  if (error == NULL) {
    *out = value;
  }
  return error;
}

static ctorch_error *get(
    const char *function, ctorch_value **out, const ctorch_reader *reader, const ctorch_value *dict, const char *key) {
  ctorch_error *error = ctorch_value_dict_at(out, dict, key);
  if (error != NULL && ctorch_error_kind_of(error) == CTORCH_ERROR_INDEX) {
    ctorch_error_release(error);
    return reader_error(function, reader, "has no \"%s\"", key);
  }
  return error;
}

/* A list of ints, or an array. */
static ctorch_error *labels_of(
    const char *function, ctorch_tensor **out, const ctorch_reader *reader, const ctorch_value *list) {
  if (ctorch_value_kind_of(list) == CTORCH_VALUE_TENSOR) {
    return ctorch_value_to_tensor(out, list);
  }
  const int64_t len = (int64_t)ctorch_value_len(list);
  ctorch_storage *storage = NULL;
  void *data = NULL;
  CTORCH_TRY(ctorch_storage_new(&storage, (size_t)len * sizeof(int64_t)));
  ctorch_error *error = ctorch_storage_data(&data, storage);
  for (int64_t i = 0; error == NULL && i < len; i++) {
    ctorch_value *label = NULL;
    error = ctorch_value_get(&label, list, (size_t)i);
    if (error == NULL && ctorch_value_kind_of(label) != CTORCH_VALUE_INT) {
      error = reader_error(function, reader, "has a label that is no int");
    }
    THEN(error, ctorch_value_to_int((int64_t *)data + i, label));
    ctorch_value_release(label);
  }
  THEN(error, ctorch_tensor_from_storage(out, storage, 0, &len, 1, NULL, 0, CTORCH_DTYPE_INT64));
  ctorch_storage_release(storage);
  return error;
}

static ctorch_error *images_of(
    const char *function, ctorch_tensor **out, const ctorch_reader *reader, const ctorch_value *array) {
  ctorch_tensor *images = NULL;
  if (ctorch_value_kind_of(array) != CTORCH_VALUE_TENSOR) {
    return reader_error(function, reader, "\"data\" is no array");
  }
  CTORCH_TRY(ctorch_value_to_tensor(&images, array));
  if (ctorch_tensor_dtype(images) != CTORCH_DTYPE_UINT8 || ctorch_tensor_ndim(images) != 2 ||
      ctorch_tensor_sizes(images)[1] != CIFAR_IMAGE_NBYTES) {
    ctorch_tensor_release(images);
    return reader_error(function, reader, "\"data\" is no array of (N, 3072) and uint8");
  }
  *out = images;
  return NULL;
}

static ctorch_error *parts_of(
    const char *function,
    ctorch_tensor **out_images,
    ctorch_tensor **out_labels,
    const ctorch_reader *reader,
    const ctorch_value *dict,
    const char *labels_key) {
  ctorch_value *data = NULL, *labels = NULL;
  ctorch_error *error = get(function, &data, reader, dict, "data");
  THEN(error, get(function, &labels, reader, dict, labels_key));
  THEN(error, images_of(function, out_images, reader, data));
  if (error == NULL) {
    error = labels_of(function, out_labels, reader, labels);
    if (error != NULL) {
      ctorch_tensor_release(*out_images);
    }
  }
  ctorch_value_release(data);
  ctorch_value_release(labels);
  return error;
}

ctorch_error *cifar_read_pickle(
    const char *function,
    ctorch_tensor **out_images,
    ctorch_tensor **out_labels,
    const char *path,
    const char *labels) {
  ctorch_reader *reader = NULL;
  ctorch_value *dict = NULL;
  CTORCH_TRY(error_of(function, ctorch_reader_open(&reader, path, false)));
  ctorch_error *error = read_dict(function, &dict, reader);
  if (error == NULL) {
    error = parts_of(function, out_images, out_labels, reader, dict, labels);
    value_unref(dict);
  }
  ctorch_reader_release(reader);
  return error_of(function, error);
}

/* Names ------------------------------------------------------------------------------------------------------------ */

static ctorch_error *add_names(
    const char *function, struct class_names *out, const ctorch_reader *reader, const ctorch_value *list) {
  const size_t names = ctorch_value_kind_of(list) == CTORCH_VALUE_LIST ? ctorch_value_len(list) : 0;
  ctorch_error *error = names == 0 ? reader_error(function, reader, "has no list of names") : NULL;
  for (size_t i = 0; error == NULL && i < names; i++) {
    ctorch_value *value = NULL;
    const char *name = NULL;
    size_t len = 0;
    error = ctorch_value_get(&value, list, i);
    if (error == NULL && ctorch_value_kind_of(value) != CTORCH_VALUE_STRING) {
      error = reader_error(function, reader, "has a name that is no text");
    }
    THEN(error, ctorch_value_to_string(&name, &len, value));
    THEN(error, class_names_add(function, out, name, len));
    ctorch_value_release(value);
  }
  return error;
}

ctorch_error *cifar_read_names_pickle(
    const char *function, struct class_names *out, const char *path, const char *key) {
  ctorch_reader *reader = NULL;
  ctorch_value *dict = NULL, *names = NULL;
  CTORCH_TRY(error_of(function, ctorch_reader_open(&reader, path, false)));
  ctorch_error *error = read_dict(function, &dict, reader);
  THEN(error, get(function, &names, reader, dict, key));
  THEN(error, add_names(function, out, reader, names));
  ctorch_value_release(names);
  value_unref(dict);
  ctorch_reader_release(reader);
  return error_of(function, error);
}
