/* The rows of a CSV file, and the lines of a text, both read as a whole when the dataset is made. */
#include <stdlib.h>
#include <string.h>

#include "base/sequence.h"
#include "constructors/datasets.h"
#include "core/c/boxed.h"
#include "core/c/error.h"
#include "datasets/sample.h"

/* A column: numbers, or texts. */
struct column {
  ctorch_value *name, *values; /* taken */
  ctorch_tensor *tensor;       /* a handle; NULL for texts */
  const void *data;            /* of the tensor, int64 or float64 */
  bool is_int;
};

struct table {
  ctorch_dataset dataset;
  struct sample_transforms transforms;
  ctorch_value *kept; /* taken: a tuple with the dict of columns */
  struct column *columns;
  size_t columns_len;
  int64_t rows;
};

static void finalize(void *self) {
  struct table *table = self;
  sample_transforms_end(&table->transforms);
  for (size_t i = 0; table->columns != NULL && i < table->columns_len; i++) {
    value_unref(table->columns[i].name);
    value_unref(table->columns[i].values);
    ctorch_tensor_release(table->columns[i].tensor);
  }
  free(table->columns);
  value_unref(table->kept);
}

static ctorch_error *len(const char *function, const ctorch_dataset *self, int64_t *out) {
  (void)function;
  *out = ((const struct table *)self)->rows;
  return NULL;
}

static ctorch_error *get_field(const struct column *column, ctorch_value **out, int64_t row) {
  if (column->tensor == NULL) {
    return ctorch_value_get(out, column->values, (size_t)row);
  }
  return column->is_int ? ctorch_value_from_int(out, ((const int64_t *)column->data)[row])
                        : ctorch_value_from_double(out, ((const double *)column->data)[row]);
}

static ctorch_error *put_field(ctorch_value *dict, const struct column *column, int64_t row) {
  ctorch_value *value = NULL;
  CTORCH_TRY(get_field(column, &value, row));
  ctorch_error *error = ctorch_value_dict_set(dict, column->name, value);
  ctorch_value_release(value);
  return error;
}

static ctorch_error *get_row(struct fetch *fetch, const ctorch_dataset *self, ctorch_value **out, int64_t index) {
  const struct table *table = (const struct table *)self;
  ctorch_value *row = NULL;
  ctorch_error *error = ctorch_value_from_dict(&row, NULL, 0, NULL, 0);
  for (size_t i = 0; error == NULL && i < table->columns_len; i++) {
    error = put_field(row, &table->columns[i], index);
  }
  THEN(error, sample_transform(fetch, table->transforms.input, &row));
  if (error != NULL) {
    ctorch_value_release(row);
    return error_of(fetch->function, error);
  }
  *out = row;
  return NULL;
}

static ctorch_error *attribute(const char *function, const ctorch_dataset *self, const char *name, ctorch_value **out) {
  return strcmp(name, "columns") == 0 ? error_of(function, ctorch_value_get(out, ((const struct table *)self)->kept, 0))
                                      : NULL;
}

/* Making ----------------------------------------------------------------------------------------------------------- */

static ctorch_error *read_column(struct table *self, struct column *out, const ctorch_value *dict, ctorch_value *name) {
  out->name = value_take(name);
  CTORCH_TRY(ctorch_value_dict_get(&out->values, dict, name));
  value_take(out->values);
  if (ctorch_value_kind_of(out->values) != CTORCH_VALUE_TENSOR) {
    self->rows = (int64_t)ctorch_value_len(out->values);
    return NULL;
  }
  CTORCH_TRY(ctorch_value_to_tensor(&out->tensor, out->values));
  CTORCH_TRY(ctorch_scope_keep(NULL, out->tensor));
  self->rows = ctorch_tensor_numel(out->tensor);
  out->is_int = ctorch_tensor_dtype(out->tensor) == CTORCH_DTYPE_INT64;
  return ctorch_tensor_const_data(&out->data, out->tensor);
}

static ctorch_error *read_columns(struct table *self, const ctorch_value *dict) {
  ctorch_value *names = NULL;
  CTORCH_TRY(ctorch_value_dict_keys(&names, dict));
  self->columns_len = ctorch_value_len(names);
  self->columns = calloc(self->columns_len + 1, sizeof *self->columns);
  ctorch_error *error =
      self->columns == NULL ? error_memory("ctorch_datasets_CSVFile", self->columns_len * sizeof *self->columns) : NULL;
  for (size_t i = 0; error == NULL && i < self->columns_len; i++) {
    ctorch_value *name = NULL;
    error = ctorch_value_get(&name, names, i);
    THEN(error, read_column(self, &self->columns[i], dict, name));
  }
  ctorch_value_release(names);
  return error;
}

static ctorch_error *keep(struct table *self, const ctorch_value *dict) {
  ctorch_value *tuple = NULL;
  CTORCH_TRY(ctorch_value_from_tuple(&tuple, &dict, 1));
  self->kept = value_take(tuple);
  return read_columns(self, dict);
}

ctorch_error *datasets_CSVFile(
    const char *function, ctorch_dataset **out, const struct datasets_CSVFile_options *options) {
  static const dataset_class class = {
      .object = DATASET_OBJECT(struct table, finalize),
      .name = "CSVFile",
      .len = len,
      .get = get_row,
      .attribute = attribute};
  ctorch_value *dict = NULL;
  CTORCH_TRY(error_of(
      function, ctorch_csv_read_file(
                    &dict, options->path, options->delimiter, options->has_header, NULL, 0, NULL, 0, options->fill)));
  struct table *self = dataset_new(&class);
  ctorch_error *error = self == NULL ? NULL : keep(self, dict);
  ctorch_value_release(dict);
  if (error != NULL) {
    object_unref(self);
    return error_of(function, error);
  }
  if (self != NULL) {
    sample_transforms_begin(&self->transforms, options->transform, NULL);
  }
  return object_give(function, out, self);
}

/* Lines ------------------------------------------------------------------------------------------------------------ */

struct lines {
  ctorch_dataset dataset;
  struct sample_transforms transforms;
  ctorch_value *list; /* taken */
};

static void lines_finalize(void *self) {
  struct lines *lines = self;
  sample_transforms_end(&lines->transforms);
  value_unref(lines->list);
}

static ctorch_error *lines_len(const char *function, const ctorch_dataset *self, int64_t *out) {
  (void)function;
  *out = (int64_t)ctorch_value_len(((const struct lines *)self)->list);
  return NULL;
}

static ctorch_error *get_line(struct fetch *fetch, const ctorch_dataset *self, ctorch_value **out, int64_t index) {
  const struct lines *lines = (const struct lines *)self;
  ctorch_value *line = NULL;
  CTORCH_TRY(error_of(fetch->function, ctorch_value_get(&line, lines->list, (size_t)index)));
  ctorch_error *error = sample_transform(fetch, lines->transforms.input, &line);
  if (error != NULL) {
    ctorch_value_release(line);
    return error;
  }
  *out = line;
  return NULL;
}

ctorch_error *datasets_TextFile(
    const char *function, ctorch_dataset **out, const struct datasets_TextFile_options *options) {
  static const dataset_class class = {
      .object = DATASET_OBJECT(struct lines, lines_finalize), .name = "TextFile", .len = lines_len, .get = get_line};
  ctorch_reader *reader = NULL;
  ctorch_value *list = NULL;
  CTORCH_TRY(error_of(function, ctorch_reader_open(&reader, options->path, false)));
  ctorch_error *error = error_of(function, ctorch_csv_read_lines(&list, reader));
  ctorch_reader_release(reader);
  CTORCH_TRY(error);
  value_take(list);
  struct lines *self = dataset_new(&class);
  if (self == NULL) {
    value_unref(list);
    return object_give(function, out, NULL);
  }
  self->list = list;
  sample_transforms_begin(&self->transforms, options->transform, NULL);
  return object_give(function, out, self);
}
