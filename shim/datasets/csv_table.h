/* The fields of a CSV file, and its text as a whole. */
#ifndef CTORCH_SHIM_DATASETS_CSV_TABLE_H
#define CTORCH_SHIM_DATASETS_CSV_TABLE_H

#include "ctorch/io/reader.h"

/* A whole text, with a NUL behind it. */
struct csv_text {
  const char *function;
  const ctorch_reader *reader;
  char *data;
  size_t nbytes;
};

/* Read all of a reader: UTF-8 without a NUL in it, or it is FORMAT. A byte order mark is left out. */
ctorch_error *csv_text_read(struct csv_text *out, const char *function, const ctorch_reader *reader)
    __attribute__((warn_unused_result));
void csv_text_end(struct csv_text *self);

/* Fields row by row, all rows of as many. */
struct csv_table {
  struct csv_text text; /* in whose place the fields stand, each with a NUL behind it */
  size_t *fields;       /* where they begin */
  size_t *lines;        /* of each row, from 1 */
  size_t rows, columns, fields_len;
};

/* Split a text, which becomes the table's, also if this fails. */
ctorch_error *csv_table_read(struct csv_table *out, const struct csv_text *text, char delimiter)
    __attribute__((warn_unused_result));
void csv_table_end(struct csv_table *self);

const char *csv_field(const struct csv_table *self, size_t row, size_t column);

#endif
