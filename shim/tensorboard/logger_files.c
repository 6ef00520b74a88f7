/* Loggers to text files: CSV and JSON lines. */
#define _POSIX_C_SOURCE 200809L
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/sequence.h"
#include "base/text.h"
#include "core/c/error.h"
#include "tensorboard/appended_file.h"
#include "tensorboard/logger.h"

struct file_logger {
  ctorch_logger base;
  struct appended_file file;
  char **columns; /* of CSV, behind "step" and "wall_time" */
  size_t columns_len;
};

static void finalize(void *object) {
  struct file_logger *self = object;
  appended_file_close(&self->file);
  for (size_t i = 0; i < self->columns_len; i++) {
    free(self->columns[i]);
  }
  free(self->columns);
  free(self->file.path);
  logger_end(&self->base);
}

static const object_class file_logger_class = {"logger", sizeof(struct file_logger), finalize};

static ctorch_error *flush(const char *function, ctorch_logger *logger) {
  return appended_file_sync(function, &((struct file_logger *)logger)->file);
}

static ctorch_error *open_file(
    const char *function, struct file_logger **out, const struct logger_class *class, char *path) {
  struct file_logger *self = logger_new(&file_logger_class, class);
  if (self == NULL) {
    free(path);
    return error_memory(function, sizeof *self);
  }
  self->file.file = -1;
  self->file.path = path;
  ctorch_error *error = appended_file_open(function, &self->file);
  if (error != NULL) {
    object_unref(self);
    return error;
  }
  *out = self;
  return NULL;
}

/* Put a line that was made, if it was. */
static ctorch_error *put_line(const char *function, struct file_logger *self, struct text *line) {
  ctorch_error *error =
      line->error == NULL ? appended_file_put(function, &self->file, text_data(line), line->len) : NULL;
  ctorch_error *failure = text_end(line);
  return error != NULL ? error : failure;
}

static ctorch_error *check_free(const char *function, const struct logged *logged) {
  for (size_t i = 0; i < logged->len; i++) {
    if (strcmp(logged->names[i], "step") == 0 || strcmp(logged->names[i], "wall_time") == 0) {
      return error_make(function, CTORCH_ERROR_VALUE, "names: '%s' is taken", logged->names[i]);
    }
  }
  return NULL;
}

/* JSON lines ------------------------------------------------------------------------------------------------------- */

static void put_quoted(struct text *line, const char *value) {
  text_bytes(line, "\"", 1);
  for (const char *at = value; *at != '\0'; at++) {
    if (*at == '"' || *at == '\\') {
      text_add(line, "\\%c", *at);
    } else if ((unsigned char)*at < 0x20 || *at == 0x7f) {
      text_add(line, "\\u%04x", (unsigned)*at);
    } else {
      text_bytes(line, at, 1);
    }
  }
  text_bytes(line, "\"", 1);
}

static void put_number(struct text *line, double value) {
  if (isnan(value)) {
    text_add(line, "\"NaN\"");
  } else if (isinf(value)) {
    text_add(line, value > 0 ? "\"Infinity\"" : "\"-Infinity\"");
  } else {
    text_double(line, value);
  }
}

static ctorch_error *log_json(const char *function, ctorch_logger *logger, const struct logged *logged) {
  struct text line = {.function = function};
  CTORCH_TRY(check_free(function, logged));
  text_add(&line, "{\"step\": %" PRId64 ", \"wall_time\": ", logged->step);
  put_number(&line, logged->walltime);
  for (size_t i = 0; i < logged->len; i++) {
    text_add(&line, ", ");
    put_quoted(&line, logged->names[i]);
    text_add(&line, ": ");
    put_number(&line, logged->values[i]);
  }
  text_add(&line, "}\n");
  return put_line(function, (struct file_logger *)logger, &line);
}

static const struct logger_class to_json = {log_json, flush};

ctorch_error *ctorch_logger_open_json_lines(ctorch_logger **out, const char *path) {
  CTORCH_TRY(error_refusal(__func__));
  char *copy = NULL;
  struct file_logger *self = NULL;
  CTORCH_TRY(logger_path(__func__, out, path, &copy));
  CTORCH_TRY(open_file(__func__, &self, &to_json, copy));
  return object_give(__func__, out, self);
}

/* CSV -------------------------------------------------------------------------------------------------------------- */

static void put_field(struct text *line, const char *value) {
  if (strpbrk(value, "\",\r\n") == NULL) {
    text_add(line, ",%s", value);
    return;
  }
  text_add(line, ",\"");
  for (const char *at = value; *at != '\0'; at++) {
    text_bytes(line, at, 1);
    if (*at == '"') {
      text_bytes(line, at, 1);
    }
  }
  text_add(line, "\"");
}

static void put_header(struct text *line, const struct file_logger *self) {
  text_add(line, "step,wall_time");
  for (size_t i = 0; i < self->columns_len; i++) {
    put_field(line, self->columns[i]);
  }
  text_add(line, "\n");
}

static ctorch_error *add_column(const char *function, struct file_logger *self, const char *name, size_t len) {
  CTORCH_TRY(array_grow(function, &self->columns, self->columns_len, sizeof *self->columns));
  char *copy = malloc(len + 1);
  if (copy == NULL) {
    return error_memory(function, len + 1);
  }
  memcpy(copy, name, len);
  copy[len] = '\0';
  self->columns[self->columns_len++] = copy;
  return NULL;
}

/* Behind the header's line, whose ends within quotes are none; NULL if it has no end. */
static const char *end_of_header(const char *at, const char *end) {
  bool is_quoted = false;
  for (; at < end; at++) {
    is_quoted = is_quoted != (*at == '"');
    if (*at == '\n' && !is_quoted) {
      return at + 1;
    }
  }
  return NULL;
}

/* The field at `*at`, and where the next begins; its text goes to `field`. False for what is no field. */
static bool read_field(const char **at, const char *end, struct text *field) {
  const char *from = *at;
  const bool is_quoted = from < end && *from == '"';
  field->len = 0;
  for (from += is_quoted; from < end; from++) {
    if (is_quoted && *from == '"' && from + 1 < end && from[1] == '"') {
      from++;
    } else if (is_quoted ? *from == '"' : *from == ',' || *from == '\n') {
      break;
    }
    text_bytes(field, from, 1);
  }
  from += is_quoted;
  if (from >= end || (*from != ',' && *from != '\n')) {
    return false;
  }
  *at = from + 1;
  return true;
}

/* The columns of the header, of which the first two are what every file has. */
static ctorch_error *read_header(const char *function, struct file_logger *self, const char *at, const char *end) {
  static const char *const FIRST[] = {"step", "wall_time"};
  struct text field = {.function = function};
  ctorch_error *error = NULL;
  bool is_right = true;
  size_t read = 0;
  for (; error == NULL && is_right && at < end; read++) {
    is_right = read_field(&at, end, &field);
    const size_t len = field.len;
    if (is_right && read < 2) {
      is_right = len == strlen(FIRST[read]) && memcmp(text_data(&field), FIRST[read], len) == 0;
    } else if (is_right) {
      error = add_column(function, self, text_data(&field), len);
    }
  }
  ctorch_error *failure = text_end(&field);
  if (error != NULL || failure != NULL) {
    ctorch_error_release(error == NULL ? NULL : failure);
    return error != NULL ? error : failure;
  }
  return is_right && read >= 2
             ? NULL
             : error_make(
                   function, CTORCH_ERROR_FORMAT, "path: %s is no log: its header does not begin with step,wall_time",
                   self->file.path);
}

static ctorch_error *begin_csv(const char *function, struct file_logger *self) {
  struct buffer all = {NULL, 0, 0};
  if (self->file.size == 0) {
    struct text header = {.function = function};
    put_header(&header, self);
    return put_line(function, self, &header);
  }
  ctorch_error *error = appended_file_read(function, &self->file, &all);
  if (error == NULL) {
    const char *begin = (const char *)all.data, *end = end_of_header(begin, begin + all.len);
    error = end == NULL ? error_make(function, CTORCH_ERROR_FORMAT, "path: %s has no header", self->file.path)
                        : read_header(function, self, begin, end);
  }
  free(all.data);
  return error;
}

/* The file with its new header and a field more at the end of each line for each of `added` columns. */
static void put_widened(struct text *out, const struct file_logger *self, const struct buffer *all, size_t added) {
  const char *begin = (const char *)all->data, *end = begin + all->len, *at = end_of_header(begin, end);
  put_header(out, self);
  while (at != NULL && at < end) {
    const char *line_end = memchr(at, '\n', (size_t)(end - at));
    if (line_end == NULL) {
      break;
    }
    text_bytes(out, at, (size_t)(line_end - at));
    for (size_t i = 0; i < added; i++) {
      text_bytes(out, ",", 1);
    }
    text_bytes(out, "\n", 1);
    at = line_end + 1;
  }
}

static ctorch_error *write_anew(const char *function, struct file_logger *self, size_t added) {
  struct buffer all = {NULL, 0, 0};
  struct text out = {.function = function};
  ctorch_writer *writer = NULL;
  ctorch_error *error = appended_file_read(function, &self->file, &all);
  if (error == NULL) {
    put_widened(&out, self, &all, added);
    error = out.error == NULL ? ctorch_writer_open(&writer, self->file.path) : NULL;
    if (writer != NULL) {
      THEN(error, ctorch_writer_write(writer, text_data(&out), out.len));
    }
    if (writer != NULL) {
      THEN(error, ctorch_writer_finish(writer));
    }
    ctorch_writer_release(writer);
  }
  ctorch_error *failure = text_end(&out);
  free(all.data);
  if (error != NULL || failure != NULL) {
    ctorch_error_release(error == NULL ? NULL : failure);
    return error_of(function, error != NULL ? error : failure);
  }
  appended_file_close(&self->file);
  return appended_file_open(function, &self->file);
}

static bool has_column(const struct file_logger *self, const char *name) {
  for (size_t i = 0; i < self->columns_len; i++) {
    if (strcmp(self->columns[i], name) == 0) {
      return true;
    }
  }
  return false;
}

/* Have a column for each name. */
static ctorch_error *widen(const char *function, struct file_logger *self, const struct logged *logged) {
  const size_t before = self->columns_len;
  ctorch_error *error = NULL;
  for (size_t i = 0; error == NULL && i < logged->len; i++) {
    if (!has_column(self, logged->names[i])) {
      error = add_column(function, self, logged->names[i], strlen(logged->names[i]));
    }
  }
  if (error == NULL && self->columns_len > before) {
    error = write_anew(function, self, self->columns_len - before);
  }
  while (error != NULL && self->columns_len > before) {
    free(self->columns[--self->columns_len]);
  }
  return error;
}

static ctorch_error *log_csv(const char *function, ctorch_logger *logger, const struct logged *logged) {
  struct file_logger *self = (struct file_logger *)logger;
  struct text line = {.function = function};
  CTORCH_TRY(check_free(function, logged));
  if (self->file.file < 0) { /* it was written anew, and could not be opened then */
    CTORCH_TRY(appended_file_open(function, &self->file));
  }
  CTORCH_TRY(widen(function, self, logged));
  text_add(&line, "%" PRId64 ",", logged->step);
  text_double(&line, logged->walltime);
  for (size_t i = 0; i < self->columns_len; i++) {
    text_bytes(&line, ",", 1);
    for (size_t j = 0; j < logged->len; j++) {
      if (strcmp(self->columns[i], logged->names[j]) == 0) {
        text_double(&line, logged->values[j]);
      }
    }
  }
  text_bytes(&line, "\n", 1);
  return put_line(function, self, &line);
}

static const struct logger_class to_csv = {log_csv, flush};

ctorch_error *ctorch_logger_open_csv(ctorch_logger **out, const char *path) {
  CTORCH_TRY(error_refusal(__func__));
  char *copy = NULL;
  struct file_logger *self = NULL;
  CTORCH_TRY(logger_path(__func__, out, path, &copy));
  CTORCH_TRY(open_file(__func__, &self, &to_csv, copy));
  ctorch_error *error = begin_csv(__func__, self);
  if (error != NULL) {
    object_unref(self);
    return error;
  }
  return object_give(__func__, out, self);
}
