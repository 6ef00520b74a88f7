#include "tls.h"

#include <errno.h>
#include <microhttpd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PEM_MAX = 1 << 20 };

static ctorch_error *file_problem(const char *path) {
  return ctorch_error_format(CTORCH_ERROR_IO, "%s: %s", path, strerror(errno));
}

static ctorch_error *read_text(char **out, const char *path) {
  FILE *file = fopen(path, "rb");
  if (file == NULL) {
    return file_problem(path);
  }
  char *text = calloc(1, PEM_MAX + 1);
  const size_t len = text != NULL ? fread(text, 1, PEM_MAX + 1, file) : 0;
  ctorch_error *error = text == NULL    ? ctorch_error_format(CTORCH_ERROR_OUT_OF_MEMORY, "no memory for %s", path)
                        : ferror(file)  ? file_problem(path)
                        : len > PEM_MAX ? ctorch_error_format(CTORCH_ERROR_FORMAT, "%s: too large", path)
                                        : NULL;
  fclose(file);
  if (error != NULL) {
    free(text);
    return error;
  }
  *out = text;
  return NULL;
}

ctorch_error *tls_read(tls *out, const char *certificate, const char *key) {
  *out = (tls){NULL, NULL};
  if (certificate == NULL) {
    return NULL;
  }
  if (MHD_is_feature_supported(MHD_FEATURE_TLS) != MHD_YES) {
    return ctorch_error_format(CTORCH_ERROR_UNSUPPORTED, "this libmicrohttpd was built without TLS");
  }
  ctorch_error *error = read_text(&out->certificate, certificate);
  error = error != NULL ? error : read_text(&out->key, key);
  if (error != NULL) {
    tls_clear(out);
  }
  return error;
}

void tls_clear(tls *self) {
  free(self->certificate);
  if (self->key != NULL) {
    explicit_bzero(self->key, strlen(self->key));
  }
  free(self->key);
  *self = (tls){NULL, NULL};
}
