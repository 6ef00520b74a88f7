/* The files of CIFAR's binary version: records of labels and an image, and names line by line. */
#include <string.h>

#include "base/sequence.h"
#include "core/c/error.h"
#include "datasets/cifar_files.h"
#include "datasets/csv_table.h"
#include "io/reader.h"

/* Columns of the records: copies of the last label of each, and of the image. */
static ctorch_error *split_records(
    ctorch_tensor **out_images, ctorch_tensor **out_labels, const ctorch_tensor *records, int64_t labels) {
  ctorch_tensor *images = NULL, *column = NULL;
  CTORCH_TRY(ctorch_aten_narrow(&images, records, 1, labels, CIFAR_IMAGE_NBYTES));
  ctorch_error *error = ctorch_aten_select_int(&column, records, 1, labels - 1);
  THEN(error, ctorch_aten_clone(out_labels, column, NULL));
  ctorch_tensor_release(column);
  if (error != NULL) {
    ctorch_tensor_release(images);
    return error;
  }
  *out_images = images;
  return NULL;
}

static ctorch_error *read_records(
    const char *function, ctorch_tensor **out, const ctorch_reader *reader, size_t record_nbytes) {
  const size_t nbytes = ctorch_reader_nbytes(reader);
  const int64_t sizes[] = {(int64_t)(nbytes / record_nbytes), (int64_t)record_nbytes};
  ctorch_storage *storage = NULL;
  void *data = NULL;
  if (nbytes == 0 || nbytes % record_nbytes != 0) {
    return reader_error(function, reader, "expected records of %zu bytes, got %zu bytes in all", record_nbytes, nbytes);
  }
  CTORCH_TRY(ctorch_storage_new(&storage, nbytes));
  ctorch_error *error = ctorch_storage_data(&data, storage);
  THEN(error, reader_read(function, reader, 0, data, nbytes));
  THEN(error, ctorch_tensor_from_storage(out, storage, 0, sizes, 2, NULL, 0, CTORCH_DTYPE_UINT8));
  ctorch_storage_release(storage);
  return error;
}

ctorch_error *cifar_read_binary(
    const char *function, ctorch_tensor **out_images, ctorch_tensor **out_labels, const char *path, size_t labels) {
  ctorch_reader *reader = NULL;
  ctorch_tensor *records = NULL;
  CTORCH_TRY(error_of(function, ctorch_reader_open(&reader, path, false)));
  ctorch_error *error = read_records(function, &records, reader, labels + CIFAR_IMAGE_NBYTES);
  THEN(error, split_records(out_images, out_labels, records, (int64_t)labels));
  ctorch_tensor_release(records);
  ctorch_reader_release(reader);
  return error_of(function, error);
}

ctorch_error *cifar_read_names_text(const char *function, struct class_names *out, const char *path) {
  ctorch_reader *reader = NULL;
  struct csv_text text = {0};
  CTORCH_TRY(error_of(function, ctorch_reader_open(&reader, path, false)));
  ctorch_error *error = csv_text_read(&text, function, reader);
  for (size_t at = 0; error == NULL && at < text.nbytes;) {
    const size_t len = strcspn(text.data + at, "\r\n");
    error = len == 0 ? NULL : class_names_add(function, out, text.data + at, len);
    at += len + 1;
  }
  csv_text_end(&text);
  ctorch_reader_release(reader);
  return error;
}
