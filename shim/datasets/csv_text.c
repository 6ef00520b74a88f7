/* A whole text in memory, and its lines. */
#include <ctorch.h>
#include <stdlib.h>
#include <string.h>

#include "base/sequence.h"
#include "core/c/error.h"
#include "datasets/csv_table.h"
#include "io/reader.h"

static size_t line_of(const char *data, size_t at) {
  size_t line = 1;
  for (size_t i = 0; i < at; i++) {
    line += data[i] == '\n';
  }
  return line;
}

/* As many bytes as a character has of UTF-8 that begins here; 0 if none does, and for a NUL. */
static size_t character_nbytes(const unsigned char *at, size_t rest) {
  const size_t len = at[0] < 0x80 ? 1 : at[0] < 0xc2 ? 0 : at[0] < 0xe0 ? 2 : at[0] < 0xf0 ? 3 : at[0] < 0xf5 ? 4 : 0;
  if (at[0] == 0 || len == 0 || len > rest) {
    return 0;
  }
  for (size_t i = 1; i < len; i++) {
    if ((at[i] & 0xc0) != 0x80) {
      return 0;
    }
  }
  const bool is_too_long = len > 2 && ((at[0] == 0xe0 && at[1] < 0xa0) || (at[0] == 0xf0 && at[1] < 0x90));
  const bool is_surrogate = at[0] == 0xed && at[1] >= 0xa0;
  const bool is_beyond = at[0] == 0xf4 && at[1] >= 0x90;
  return is_too_long || is_surrogate || is_beyond ? 0 : len;
}

static ctorch_error *check_text(const struct csv_text *self) {
  for (size_t i = 0; i < self->nbytes;) {
    const size_t len = character_nbytes((const unsigned char *)self->data + i, self->nbytes - i);
    if (len == 0) {
      return reader_error(
          self->function, self->reader, "line %zu: byte 0x%02x is no UTF-8", line_of(self->data, i),
          (unsigned char)self->data[i]);
    }
    i += len;
  }
  return NULL;
}

ctorch_error *csv_text_read(struct csv_text *out, const char *function, const ctorch_reader *reader) {
  static const char MARK[] = "\xef\xbb\xbf";
  const size_t nbytes = ctorch_reader_nbytes(reader);
  struct csv_text self = {function, reader, malloc(nbytes + 1), nbytes};
  if (self.data == NULL) {
    return error_memory(function, nbytes + 1);
  }
  ctorch_error *error = reader_read(function, reader, 0, self.data, nbytes);
  self.data[nbytes] = '\0';
  if (error == NULL && nbytes >= 3 && memcmp(self.data, MARK, 3) == 0) {
    memmove(self.data, self.data + 3, nbytes - 3 + 1);
    self.nbytes -= 3;
  }
  THEN(error, check_text(&self));
  if (error != NULL) {
    csv_text_end(&self);
    return error;
  }
  *out = self;
  return NULL;
}

void csv_text_end(struct csv_text *self) {
  free(self->data);
  self->data = NULL;
}

/* Lines ------------------------------------------------------------------------------------------------------------ */

static ctorch_error *add_line(ctorch_value *list, const char *data, size_t nbytes) {
  ctorch_value *line = NULL;
  CTORCH_TRY(ctorch_value_from_string_data(&line, data, nbytes));
  ctorch_error *error = ctorch_value_list_append(list, line);
  ctorch_value_release(line);
  return error;
}

static ctorch_error *add_lines(ctorch_value *list, const struct csv_text *text) {
  for (size_t at = 0; at < text->nbytes;) {
    const size_t len = strcspn(text->data + at, "\r\n");
    CTORCH_TRY(add_line(list, text->data + at, len));
    at += len;
    at += text->data[at] == '\r' && text->data[at + 1] == '\n' ? 2 : text->data[at] != '\0';
  }
  return NULL;
}

ctorch_error *ctorch_csv_read_lines(ctorch_value **out, const ctorch_reader *reader) {
  CTORCH_TRY(error_refusal(__func__));
  if (out == NULL || reader == NULL) {
    return error_null(__func__, out == NULL ? "out" : "reader");
  }
  struct csv_text text = {0};
  ctorch_value *list = NULL;
  CTORCH_TRY(csv_text_read(&text, __func__, reader));
  ctorch_error *error = ctorch_value_from_list(&list, NULL, 0);
  THEN(error, add_lines(list, &text));
  csv_text_end(&text);
  if (error != NULL) {
    ctorch_value_release(list);
    return error_of(__func__, error);
  }
  *out = list;
  return NULL;
}
