/* The lines of a text file: its bytes in one piece, and where each line begins. */
#include "lines.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static ctorch_error *no_memory(const char *path) {
  return ctorch_error_format(CTORCH_ERROR_OUT_OF_MEMORY, "%s: no memory for it", path);
}

/* The whole file, without its bytes of 0, and one at the end. */
static ctorch_error *read_bytes(char **out, size_t *out_len, FILE *file, const char *path) {
  size_t len = 0, room = 0;
  for (int byte = 0; byte != EOF;) {
    byte = getc(file);
    if (len == room) {
      char *more = realloc(*out, room = room * 2 + 4096);
      if (more == NULL) {
        return no_memory(path);
      }
      *out = more;
    }
    if (byte > 0) {
      (*out)[len++] = (char)byte;
    }
  }
  if (ferror(file)) {
    return ctorch_error_format(CTORCH_ERROR_IO, "%s: %s", path, strerror(errno));
  }
  (*out)[len] = '\0';
  *out_len = len;
  return NULL;
}

ctorch_error *lines_read(lines *out, const char *path) {
  *out = (lines){NULL, 0, NULL};
  FILE *file = fopen(path, "rb");
  if (file == NULL) {
    return ctorch_error_format(CTORCH_ERROR_IO, "%s: %s", path, strerror(errno));
  }
  size_t len = 0, count = 1;
  ctorch_error *error = read_bytes(&out->bytes, &len, file, path);
  fclose(file);
  CTORCH_TRY(error);
  for (size_t i = 0; i < len; i++) {
    count += out->bytes[i] == '\n';
  }
  out->texts = malloc(count * sizeof *out->texts);
  if (out->texts == NULL) {
    return no_memory(path);
  }
  for (char *at = out->bytes, *end; at < out->bytes + len; at = end + 1) {
    end = at + strcspn(at, "\n");
    *(end > at && end[-1] == '\r' ? end - 1 : end) = '\0';
    *end = '\0';
    out->texts[out->len++] = at;
  }
  return NULL;
}

void lines_free(lines *self) {
  free(self->texts);
  free(self->bytes);
}
