/* IDX: two zero bytes, 8 for "unsigned byte", the number of dimensions, each dimension as a big-endian 32-bit integer,
 * then the elements row by row. */
#include "idx.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { UNSIGNED_BYTE = 8, MAX_DIMENSIONS = 8 };

/* The number of elements; false if it is above `limit`, however large. */
static bool count_elements(size_t *out, const int64_t *sizes, size_t ndim, size_t limit) {
  size_t count = 1;
  for (size_t i = 0; i < ndim; i++) {
    if (sizes[i] != 0 && count > limit / (size_t)sizes[i]) {
      return false;
    }
    count *= (size_t)sizes[i];
  }
  *out = count;
  return true;
}

static ctorch_error *read_elements(
    ctorch_tensor **out, FILE *file, const char *path, const int64_t *sizes, size_t ndim) {
  long start = ftell(file);
  if (start < 0 || fseek(file, 0, SEEK_END) != 0) {
    return ctorch_error_format(CTORCH_ERROR_IO, "%s: %s", path, strerror(errno));
  }
  size_t available = (size_t)(ftell(file) - start), count = 0;
  if (!count_elements(&count, sizes, ndim, available)) {
    return ctorch_error_format(
        CTORCH_ERROR_FORMAT, "%s: truncated: %zu bytes of data, its header promises more", path, available);
  }
  if (count < available) {
    return ctorch_error_format(
        CTORCH_ERROR_FORMAT, "%s: damaged: %zu bytes of data, its header promises %zu", path, available, count);
  }
  if (fseek(file, start, SEEK_SET) != 0) {
    return ctorch_error_format(CTORCH_ERROR_IO, "%s: %s", path, strerror(errno));
  }
  unsigned char *elements = malloc(count + 1);
  if (elements == NULL) {
    return ctorch_error_format(CTORCH_ERROR_OUT_OF_MEMORY, "%s: no memory for %zu bytes", path, count);
  }
  ctorch_error *error =
      fread(elements, 1, count, file) == count
          ? ctorch_tensor_from_data(out, elements, count, sizes, ndim, CTORCH_DTYPE_UINT8)
          : ctorch_error_format(
                CTORCH_ERROR_IO, "%s: %s", path, ferror(file) ? strerror(errno) : "it shrank while being read");
  free(elements);
  return error;
}

static ctorch_error *read_file(ctorch_tensor **out, FILE *file, const char *path, size_t ndim) {
  unsigned char header[4 + 4 * MAX_DIMENSIONS];
  errno = 0;
  size_t read = fread(header, 1, 4 + 4 * ndim, file);
  if (ferror(file)) {
    return ctorch_error_format(CTORCH_ERROR_IO, "%s: %s", path, strerror(errno));
  }
  if (read < 4 || header[0] != 0 || header[1] != 0 || header[2] != UNSIGNED_BYTE) {
    return ctorch_error_format(
        CTORCH_ERROR_FORMAT, "%s: no IDX file of unsigned bytes (it would begin with 00 00 08)", path);
  }
  if (header[3] != ndim) {
    return ctorch_error_format(CTORCH_ERROR_FORMAT, "%s: %d dimensions, expected %zu", path, header[3], ndim);
  }
  if (read < 4 + 4 * ndim) {
    return ctorch_error_format(CTORCH_ERROR_FORMAT, "%s: truncated: it ends inside its header", path);
  }
  int64_t sizes[MAX_DIMENSIONS];
  for (size_t i = 0; i < ndim; i++) {
    const unsigned char *size = header + 4 + 4 * i;
    sizes[i] = (int64_t)size[0] << 24 | (int64_t)size[1] << 16 | (int64_t)size[2] << 8 | (int64_t)size[3];
  }
  return read_elements(out, file, path, sizes, ndim);
}

ctorch_error *idx_read(ctorch_tensor **out, const char *path, size_t ndim) {
  if (ndim < 1 || ndim > MAX_DIMENSIONS) {
    return ctorch_error_format(
        CTORCH_ERROR_INVALID_ARGUMENT, "idx_read: ndim must be 1 to %d, got %zu", MAX_DIMENSIONS, ndim);
  }
  FILE *file = fopen(path, "rb");
  if (file == NULL) {
    return ctorch_error_format(CTORCH_ERROR_IO, "%s: %s", path, strerror(errno));
  }
  ctorch_error *error = read_file(out, file, path, ndim);
  fclose(file);
  return error;
}
