/* The columns of a CSV file: <ctorch/datasets/csv.h>. */
#define _POSIX_C_SOURCE 200809L /* uselocale */
#include <ctorch.h>
#include <errno.h>
#include <inttypes.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/sequence.h"
#include "core/c/error.h"
#include "datasets/csv_table.h"
#include "io/reader.h"

enum type { INFER, INT64, FLOAT64, STRING, TYPES_LEN };
static const char *const TYPES[TYPES_LEN] = {"infer", "int64", "float64", "string"};

struct csv {
  const char *function;
  struct csv_table table;
  size_t first;           /* row behind the header */
  const enum type *types; /* NULL: INFER for all */
  const char *const *missing;
  size_t missing_len;
  const double *fill;
};

/* Numbers ---------------------------------------------------------------------------------------------------------- */

static bool is_blank(char c) { return c == ' ' || c == '\t'; }

/* Whether nothing but blanks is left. */
static bool ends(const char *text) {
  while (is_blank(*text)) {
    text++;
  }
  return *text == '\0';
}

static const char *skip_blanks(const char *text) {
  while (is_blank(*text)) {
    text++;
  }
  return text;
}

static bool read_int64(const char *text, int64_t *out) {
  text = skip_blanks(text);
  const char *digits = text + (*text == '-' || *text == '+');
  if (*digits < '0' || *digits > '9') {
    return false;
  }
  char *end = NULL;
  errno = 0;
  const long long value = strtoll(text, &end, 10);
  *out = value;
  return errno == 0 && ends(end);
}

/* Without hexadecimal numbers and NaNs with a payload, which strtod reads too. The locale is that of C. */
static bool read_float64(const char *text, double *out) {
  text = skip_blanks(text);
  if (strpbrk(text, "xX(") != NULL || *text == '\0' || strchr("\n\v\f\r", *text) != NULL) {
    return false;
  }
  char *end = NULL;
  *out = strtod(text, &end);
  return end != text && ends(end);
}

/* Columns ---------------------------------------------------------------------------------------------------------- */

static bool is_missing(const struct csv *self, const char *field) {
  for (size_t i = 0; i < self->missing_len; i++) {
    if (strcmp(field, self->missing[i]) == 0) {
      return true;
    }
  }
  return *field == '\0';
}

/* Whether a number that fills stands in a column of int64 as it is. */
static bool fills_int64(const struct csv *self) {
  return self->fill != NULL && *self->fill == floor(*self->fill) && fabs(*self->fill) < 9007199254740992.0;
}

static bool fits(const struct csv *self, size_t row, size_t column, enum type type) {
  const char *field = csv_field(&self->table, row, column);
  int64_t whole = 0;
  double number = 0;
  if (is_missing(self, field)) {
    return type != INT64 || fills_int64(self);
  }
  return type == STRING || (type == INT64 ? read_int64(field, &whole) : read_float64(field, &number));
}

/* The narrowest type from one on that all fields of a column are of. */
static enum type infer(const struct csv *self, size_t column) {
  enum type type = INT64;
  bool is_all_missing = true;
  for (size_t row = self->first; row < self->table.rows && type != STRING; row++) {
    is_all_missing = is_all_missing && is_missing(self, csv_field(&self->table, row, column));
    for (; !fits(self, row, column, type); type++) { /* rows before fit what comes later, too */
    }
  }
  return is_all_missing ? FLOAT64 : type;
}

static ctorch_error *check_column(const struct csv *self, size_t column, enum type type) {
  for (size_t row = self->first; row < self->table.rows; row++) {
    if (!fits(self, row, column, type)) {
      return reader_error(
          self->function, self->table.text.reader, "line %zu: field %zu, \"%.64s\", is no %s", self->table.lines[row],
          column + 1, csv_field(&self->table, row, column), TYPES[type]);
    }
  }
  return NULL;
}

static void fill_numbers(const struct csv *self, size_t column, enum type type, void *data) {
  for (size_t row = self->first, i = 0; row < self->table.rows; row++, i++) {
    const char *field = csv_field(&self->table, row, column);
    const bool is_there = !is_missing(self, field);
    if (type == INT64) {
      int64_t *whole = (int64_t *)data + i;
      *whole = is_there ? 0 : (int64_t)*self->fill;
      (void)(is_there && read_int64(field, whole));
    } else {
      double *number = (double *)data + i;
      *number = self->fill == NULL ? (double)NAN : *self->fill;
      (void)(is_there && read_float64(field, number));
    }
  }
}

static ctorch_error *make_numbers(const struct csv *self, ctorch_value **out, size_t column, enum type type) {
  const int64_t len = (int64_t)(self->table.rows - self->first);
  ctorch_storage *storage = NULL;
  ctorch_tensor *tensor = NULL;
  void *data = NULL;
  CTORCH_TRY(ctorch_storage_new(&storage, (size_t)len * 8));
  ctorch_error *error = ctorch_storage_data(&data, storage);
  if (error == NULL) {
    fill_numbers(self, column, type, data);
    error = ctorch_tensor_from_storage(
        &tensor, storage, 0, &len, 1, NULL, 0, type == INT64 ? CTORCH_DTYPE_INT64 : CTORCH_DTYPE_FLOAT64);
  }
  THEN(error, ctorch_value_from_tensor(out, tensor));
  ctorch_tensor_release(tensor);
  ctorch_storage_release(storage);
  return error;
}

static ctorch_error *make_texts(const struct csv *self, ctorch_value **out, size_t column) {
  ctorch_value *list = NULL, *text = NULL;
  ctorch_error *error = ctorch_value_from_list(&list, NULL, 0);
  for (size_t row = self->first; error == NULL && row < self->table.rows; row++) {
    error = ctorch_value_from_string(&text, csv_field(&self->table, row, column));
    if (error == NULL) {
      error = ctorch_value_list_append(list, text);
      ctorch_value_release(text);
    }
  }
  if (error != NULL) {
    ctorch_value_release(list);
    return error;
  }
  *out = list;
  return NULL;
}

static ctorch_error *make_column(const struct csv *self, ctorch_value **out, size_t column) {
  enum type type = self->types == NULL ? INFER : self->types[column];
  if (type == INFER) {
    type = infer(self, column);
  } else {
    CTORCH_TRY(check_column(self, column, type));
  }
  return type == STRING ? make_texts(self, out, column) : make_numbers(self, out, column, type);
}

/* The table -------------------------------------------------------------------------------------------------------- */

static ctorch_error *put_column(const struct csv *self, ctorch_value *dict, size_t column) {
  char number[24];
  const char *name = self->first == 0 ? number : csv_field(&self->table, 0, column);
  snprintf(number, sizeof number, "%zu", column);
  ctorch_value *key = NULL, *value = NULL;
  bool is_there = false;
  CTORCH_TRY(ctorch_value_from_string(&key, name));
  ctorch_error *error = ctorch_value_dict_contains(&is_there, dict, key);
  if (error == NULL && is_there) {
    error = reader_error(self->function, self->table.text.reader, "two columns are called \"%.256s\"", name);
  }
  THEN(error, make_column(self, &value, column));
  THEN(error, ctorch_value_dict_set(dict, key, value));
  ctorch_value_release(value);
  ctorch_value_release(key);
  return error;
}

/* Numbers are read with a point, whatever the locale. */
static ctorch_error *make_columns(const struct csv *self, ctorch_value *dict) {
  const locale_t c = newlocale(LC_ALL_MASK, "C", (locale_t)0);
  if (c == (locale_t)0) {
    return error_memory(self->function, 0);
  }
  const locale_t before = uselocale(c);
  ctorch_error *error = NULL;
  for (size_t column = 0; error == NULL && column < self->table.columns; column++) {
    error = put_column(self, dict, column);
  }
  uselocale(before);
  freelocale(c);
  return error;
}

static ctorch_error *make_dict(const struct csv *self, ctorch_value **out, size_t types_len) {
  if (self->types != NULL && types_len != self->table.columns) {
    return error_make(
        self->function, CTORCH_ERROR_VALUE, "types: expected %zu, one for each column, got %zu", self->table.columns,
        types_len);
  }
  ctorch_value *dict = NULL;
  CTORCH_TRY(ctorch_value_from_dict(&dict, NULL, 0, NULL, 0));
  ctorch_error *error = make_columns(self, dict);
  if (error != NULL) {
    ctorch_value_release(dict);
    return error;
  }
  *out = dict;
  return NULL;
}

/* Arguments -------------------------------------------------------------------------------------------------------- */

static ctorch_error *check_texts(const char *function, const char *name, const char *const *texts, size_t len) {
  if (len > 0 && texts == NULL) {
    return error_null(function, name);
  }
  if (len > SIZE_MAX / sizeof *texts) {
    return error_argument(function, name, "%zu are too many", len);
  }
  for (size_t i = 0; i < len; i++) {
    if (texts[i] == NULL) {
      return error_make(function, CTORCH_ERROR_NULL_ARGUMENT, "%s[%zu] must not be NULL", name, i);
    }
    CTORCH_TRY(error_unless_text(function, name, texts[i]));
  }
  return NULL;
}

static ctorch_error *read_delimiter(const char *function, char *out, const char *delimiter) {
  *out = ',';
  if (delimiter == NULL) {
    return NULL;
  }
  const unsigned char first = (unsigned char)delimiter[0];
  if (first == 0 || first >= 0x80 || delimiter[1] != '\0' || strchr("\"\r\n", first) != NULL) {
    return error_make(
        function, CTORCH_ERROR_VALUE, "delimiter: expected one character of ASCII, not a quote nor a line's end");
  }
  *out = delimiter[0];
  return NULL;
}

static ctorch_error *read_types(const char *function, enum type *out, const char *const *types, size_t len) {
  for (size_t i = 0; i < len; i++) {
    out[i] = INFER;
    while (out[i] < TYPES_LEN && strcmp(types[i], TYPES[out[i]]) != 0) {
      out[i]++;
    }
    if (out[i] == TYPES_LEN) {
      return error_make(
          function, CTORCH_ERROR_VALUE,
          "types[%zu]: expected \"int64\", \"float64\", \"string\" or \"infer\", got \"%.64s\"", i, types[i]);
    }
  }
  return NULL;
}

static ctorch_error *read_table(
    struct csv *self,
    ctorch_value **out,
    const ctorch_reader *reader,
    char delimiter,
    bool has_header,
    size_t types_len) {
  struct csv_text text = {0};
  CTORCH_TRY(csv_text_read(&text, self->function, reader));
  ctorch_error *error = csv_table_read(&self->table, &text, delimiter);
  self->first = has_header && self->table.rows > 0 ? 1 : 0;
  if (error == NULL && has_header && self->table.rows == 0) {
    error = reader_error(self->function, reader, "has no header");
  }
  THEN(error, make_dict(self, out, types_len));
  csv_table_end(&self->table);
  return error;
}

static ctorch_error *read_csv(
    struct csv *self,
    ctorch_value **out,
    const ctorch_reader *reader,
    const char *delimiter,
    bool has_header,
    const char *const *types,
    size_t types_len) {
  char parts = ',';
  CTORCH_TRY(check_texts(self->function, "types", types, types_len));
  CTORCH_TRY(check_texts(self->function, "missing", self->missing, self->missing_len));
  CTORCH_TRY(read_delimiter(self->function, &parts, delimiter));
  enum type *numbers = types_len == 0 ? NULL : calloc(types_len, sizeof *numbers);
  if (types_len > 0 && numbers == NULL) {
    return error_memory(self->function, types_len * sizeof *numbers);
  }
  self->types = numbers;
  ctorch_error *error = read_types(self->function, numbers, types, types_len);
  THEN(error, read_table(self, out, reader, parts, has_header, types_len));
  free(numbers);
  return error_of(self->function, error);
}

ctorch_error *ctorch_csv_read(
    ctorch_value **out,
    const ctorch_reader *reader,
    const char *delimiter,
    bool has_header,
    const char *const *types,
    size_t types_len,
    const char *const *missing,
    size_t missing_len,
    const double *fill) {
  CTORCH_TRY(error_refusal(__func__));
  if (out == NULL || reader == NULL) {
    return error_null(__func__, out == NULL ? "out" : "reader");
  }
  struct csv csv = {.function = __func__, .missing = missing, .missing_len = missing_len, .fill = fill};
  return read_csv(&csv, out, reader, delimiter, has_header, types, types_len);
}

ctorch_error *ctorch_csv_read_file(
    ctorch_value **out,
    const char *path,
    const char *delimiter,
    bool has_header,
    const char *const *types,
    size_t types_len,
    const char *const *missing,
    size_t missing_len,
    const double *fill) {
  CTORCH_TRY(error_refusal(__func__));
  if (out == NULL || path == NULL) {
    return error_null(__func__, out == NULL ? "out" : "path");
  }
  ctorch_reader *reader = NULL;
  struct csv csv = {.function = __func__, .missing = missing, .missing_len = missing_len, .fill = fill};
  CTORCH_TRY(error_of(__func__, ctorch_reader_open(&reader, path, false)));
  ctorch_error *error = read_csv(&csv, out, reader, delimiter, has_header, types, types_len);
  ctorch_reader_release(reader);
  return error;
}
