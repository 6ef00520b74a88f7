/* Splitting a CSV file into fields, in place: a field is never longer than what it is written with. */
#include "datasets/csv_table.h"

#include <ctorch.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "core/c/error.h"
#include "io/reader.h"

enum state { FIELD_BEGINS, IN_FIELD, IN_QUOTES, BEHIND_QUOTE };

struct splitter {
  struct csv_table *table;
  char delimiter;
  size_t from, to; /* of the next character, read and written */
  size_t line;     /* from 1 */
};

static ctorch_error *add_field(struct splitter *self, size_t begin) {
  struct csv_table *table = self->table;
  CTORCH_TRY(array_grow(table->text.function, &table->fields, table->fields_len, sizeof *table->fields));
  table->fields[table->fields_len++] = begin;
  return NULL;
}

/* Read a field, and what parts it from the next one: the delimiter, a line's end or 0 for the end of the text. */
static ctorch_error *read_field(struct splitter *self, char *end) {
  char *data = self->table->text.data;
  enum state state = FIELD_BEGINS;
  const size_t begin = self->to, line = self->line;
  while (true) {
    const char c = data[self->from];
    if (state != IN_QUOTES && (c == self->delimiter || c == '\n' || c == '\r' || c == '\0')) {
      *end = c;
      self->from += c != '\0';
      data[self->to++] = '\0'; /* where the delimiter was, or before */
      return add_field(self, begin);
    }
    if (c == '\0') {
      return reader_error(
          self->table->text.function, self->table->text.reader, "line %zu: a quote that does not end", line);
    }
    self->from++;
    if (c == '"' && state != IN_FIELD) {
      if (state == BEHIND_QUOTE) {
        data[self->to++] = '"';
      }
      state = state == IN_QUOTES ? BEHIND_QUOTE : IN_QUOTES;
      continue;
    }
    self->line += c == '\n';
    data[self->to++] = c;
    state = state == IN_QUOTES ? IN_QUOTES : IN_FIELD;
  }
}

static ctorch_error *end_row(struct splitter *self, size_t first, size_t line) {
  struct csv_table *table = self->table;
  const size_t len = table->fields_len - first;
  if (table->rows == 0) {
    table->columns = len;
  }
  if (len != table->columns) {
    return reader_error(
        table->text.function, table->text.reader, "line %zu: expected %zu fields, as in the first row, got %zu", line,
        table->columns, len);
  }
  CTORCH_TRY(array_grow(table->text.function, &table->lines, table->rows, sizeof *table->lines));
  table->lines[table->rows++] = line;
  return NULL;
}

/* Read a row, which does not begin at the end. An empty line is none. */
static ctorch_error *read_row(struct splitter *self) {
  const char *data = self->table->text.data;
  const size_t first = self->table->fields_len, line = self->line;
  char end = self->delimiter;
  const bool is_empty = data[self->from] == '\n' || data[self->from] == '\r';
  if (is_empty) {
    end = data[self->from++];
  }
  while (end == self->delimiter) {
    CTORCH_TRY(read_field(self, &end));
  }
  if (end == '\r' && data[self->from] == '\n') {
    self->from++;
  }
  self->line++;
  return is_empty ? NULL : end_row(self, first, line);
}

ctorch_error *csv_table_read(struct csv_table *out, const struct csv_text *text, char delimiter) {
  *out = (struct csv_table){.text = *text};
  struct splitter splitter = {.table = out, .delimiter = delimiter, .line = 1};
  while (splitter.from < out->text.nbytes) {
    CTORCH_TRY(read_row(&splitter));
  }
  return NULL;
}

void csv_table_end(struct csv_table *self) {
  csv_text_end(&self->text);
  free(self->fields);
  free(self->lines);
}

const char *csv_field(const struct csv_table *self, size_t row, size_t column) {
  return self->text.data + self->fields[row * self->columns + column];
}
