/* The way through a GGUF file: numbers and texts, one after the other. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "core/c/error.h"
#include "gguf/gguf.h"
#include "io/reader.h"

void gguf_cursor_begin(
    struct gguf_cursor *self, const char *function, const ctorch_reader *reader, const struct gguf *file, uint64_t at) {
  self->function = function;
  self->reader = reader;
  self->file = file;
  self->at = at;
  self->buffer_at = 0;
  self->buffer_len = 0;
}

uint64_t gguf_rest(const struct gguf_cursor *self) {
  uint64_t nbytes = ctorch_reader_nbytes(self->reader);
  return self->at < nbytes ? nbytes - self->at : 0;
}

static ctorch_error *check_rest(const struct gguf_cursor *self, uint64_t nbytes) {
  return nbytes <= gguf_rest(self) ? NULL : reader_error(self->function, self->reader, "ends early");
}

ctorch_error *gguf_bytes(struct gguf_cursor *self, void *data, uint64_t nbytes) {
  CTORCH_TRY(check_rest(self, nbytes));
  if (nbytes > sizeof self->buffer) {
    CTORCH_TRY(reader_read(self->function, self->reader, self->at, data, nbytes));
    self->at += nbytes;
    return NULL;
  }
  if (self->at < self->buffer_at || self->at - self->buffer_at > self->buffer_len ||
      nbytes > self->buffer_len - (self->at - self->buffer_at)) {
    uint64_t rest = gguf_rest(self);
    size_t len = rest < sizeof self->buffer ? (size_t)rest : sizeof self->buffer;
    self->buffer_len = 0;
    CTORCH_TRY(reader_read(self->function, self->reader, self->at, self->buffer, len));
    self->buffer_at = self->at;
    self->buffer_len = len;
  }
  if (nbytes > 0) {
    memcpy(data, self->buffer + (self->at - self->buffer_at), (size_t)nbytes);
  }
  self->at += nbytes;
  return NULL;
}

ctorch_error *gguf_skip(struct gguf_cursor *self, uint64_t nbytes) {
  CTORCH_TRY(check_rest(self, nbytes));
  self->at += nbytes;
  return NULL;
}

ctorch_error *gguf_number(struct gguf_cursor *self, uint64_t *out, size_t nbytes) {
  unsigned char bytes[8];
  CTORCH_TRY(gguf_bytes(self, bytes, nbytes));
  *out = 0;
  for (size_t i = 0; i < nbytes; i++) {
    *out |= (uint64_t)bytes[i] << 8 * (self->file->is_big_endian ? nbytes - 1 - i : i);
  }
  return NULL;
}

ctorch_error *gguf_length(struct gguf_cursor *self, uint64_t *out) {
  return gguf_number(self, out, self->file->version == 1 ? 4 : 8);
}

ctorch_error *gguf_string(struct gguf_cursor *self, char **out, size_t *out_len) {
  uint64_t len = 0;
  CTORCH_TRY(gguf_length(self, &len));
  CTORCH_TRY(check_rest(self, len));
  char *text = malloc((size_t)len + 1);
  if (text == NULL) {
    return error_memory(self->function, len + 1);
  }
  ctorch_error *error = gguf_bytes(self, text, len);
  if (error != NULL) {
    free(text);
    return error;
  }
  text[len] = '\0';
  *out = text;
  *out_len = (size_t)len;
  return NULL;
}

ctorch_error *gguf_text(struct gguf_cursor *self, char **out, const char *what) {
  uint64_t at = self->at;
  char *text = NULL;
  size_t len = 0;
  CTORCH_TRY(gguf_string(self, &text, &len));
  ctorch_error *error = error_unless_text(self->function, what, text);
  if (error != NULL || strlen(text) != len) {
    ctorch_error_release(error);
    free(text);
    return reader_error(self->function, self->reader, "the %s at byte %" PRIu64 " is no text", what, at);
  }
  *out = text;
  return NULL;
}

ctorch_error *gguf_skip_string(struct gguf_cursor *self) {
  uint64_t len = 0;
  CTORCH_TRY(gguf_length(self, &len));
  return gguf_skip(self, len);
}
