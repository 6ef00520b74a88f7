/* Named tensors in a file: weights.h describes the format. */
#define _POSIX_C_SOURCE 200809L
#include "weights.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char magic[8] = "ctorchw1";

/* FNV-1a, 64 bits (Fowler, Noll, Vo; RFC 9923): enough to notice damage, not meant against malice. */
static const uint64_t checksum_start = 0xcbf29ce484222325u;

static uint64_t checksum_add(uint64_t checksum, const void *data, size_t size) {
  for (const unsigned char *byte = data, *end = byte + size; byte < end; byte++) {
    checksum = (checksum ^ *byte) * 0x100000001b3u;
  }
  return checksum;
}

/* Writing: a failed write shows in ferror, so it is asked for once, at the end. */

typedef struct writer {
  FILE *file;
  uint64_t checksum;
} writer;

static void put(writer *to, const void *data, size_t size) {
  fwrite(data, 1, size, to->file);
  to->checksum = checksum_add(to->checksum, data, size);
}

static void put_integer(writer *to, uint64_t value, size_t size) {
  unsigned char bytes[8];
  for (size_t i = 0; i < size; i++) {
    bytes[i] = (unsigned char)(value >> 8 * i);
  }
  put(to, bytes, size);
}

static ctorch_error *put_tensor(writer *to, const named_tensor *named) {
  const int64_t *sizes = ctorch_tensor_sizes(named->tensor);
  size_t ndim = (size_t)ctorch_tensor_ndim(named->tensor), nbytes = ctorch_tensor_nbytes(named->tensor);
  put_integer(to, strlen(named->name), 4);
  put(to, named->name, strlen(named->name));
  put_integer(to, (uint64_t)ctorch_tensor_dtype(named->tensor), 4);
  put_integer(to, ndim, 4);
  for (size_t i = 0; i < ndim; i++) {
    put_integer(to, (uint64_t)sizes[i], 8);
  }
  void *elements = malloc(nbytes + 1);
  if (elements == NULL) {
    return ctorch_error_format(CTORCH_ERROR_OUT_OF_MEMORY, "%s: no memory for %zu bytes", named->name, nbytes);
  }
  ctorch_error *error =
      ctorch_tensor_copy_to_buffer(named->tensor, elements, nbytes, ctorch_tensor_dtype(named->tensor));
  if (error == NULL) {
    put(to, elements, nbytes);
  }
  free(elements);
  return error;
}

static ctorch_error *write_file(FILE *file, const char *path, const named_tensor *tensors, size_t len) {
  writer to = {file, checksum_start};
  put(&to, magic, sizeof magic);
  put_integer(&to, len, 4);
  for (size_t i = 0; i < len; i++) {
    CTORCH_TRY(put_tensor(&to, &tensors[i]));
  }
  put_integer(&to, to.checksum, 8);
  if (fflush(file) != 0 || ferror(file) || fsync(fileno(file)) != 0) {
    return ctorch_error_format(CTORCH_ERROR_IO, "%s: cannot be written: %s", path, strerror(errno));
  }
  return NULL;
}

ctorch_error *weights_save(const char *path, const named_tensor *tensors, size_t len) {
  struct stat existing;
  if (stat(path, &existing) == 0 && !S_ISREG(existing.st_mode)) {
    return ctorch_error_format(CTORCH_ERROR_IO, "%s: cannot be written: no regular file", path);
  }
  char temporary[PATH_MAX];
  int length = snprintf(temporary, sizeof temporary, "%s.%ld.tmp", path, (long)getpid());
  if (length < 0 || (size_t)length >= sizeof temporary) {
    return ctorch_error_format(CTORCH_ERROR_IO, "%s: cannot be written: %s", path, strerror(ENAMETOOLONG));
  }
  FILE *file = fopen(temporary, "wb");
  if (file == NULL) {
    return ctorch_error_format(CTORCH_ERROR_IO, "%s: cannot be written: %s", path, strerror(errno));
  }
  ctorch_error *error = write_file(file, path, tensors, len);
  if (fclose(file) != 0 && error == NULL) {
    error = ctorch_error_format(CTORCH_ERROR_IO, "%s: cannot be written: %s", path, strerror(errno));
  }
  if (error == NULL && rename(temporary, path) != 0) {
    error = ctorch_error_format(CTORCH_ERROR_IO, "%s: cannot be written: %s", path, strerror(errno));
  }
  if (error != NULL) {
    remove(temporary);
  }
  return error;
}

/* Reading: the whole file lies in memory; `reader` walks over it and never beyond its end. */

typedef struct reader {
  const unsigned char *at, *end;
} reader;

/* False at the end of the file, where `from` then stands. */
static bool take(reader *from, const void **data, size_t size) {
  if (size > (size_t)(from->end - from->at)) {
    from->at = from->end;
    return false;
  }
  *data = from->at;
  from->at += size;
  return true;
}

static bool take_integer(reader *from, uint64_t *value, size_t size) {
  const void *data = NULL;
  if (!take(from, &data, size)) {
    return false;
  }
  *value = 0;
  for (size_t i = 0; i < size; i++) {
    *value |= (uint64_t)((const unsigned char *)data)[i] << 8 * i;
  }
  return true;
}

/* Whether what comes next describes `tensor` as it is; false also at the end of the file. */
static bool take_description(reader *from, const named_tensor *named) {
  const void *name = NULL;
  const int64_t *sizes = ctorch_tensor_sizes(named->tensor);
  uint64_t length = 0, dtype = 0, ndim = 0, size = 0;
  if (!take_integer(from, &length, 4) || length != strlen(named->name) || !take(from, &name, length) ||
      memcmp(name, named->name, length) != 0 || !take_integer(from, &dtype, 4) || !take_integer(from, &ndim, 4) ||
      dtype != (uint64_t)ctorch_tensor_dtype(named->tensor) || ndim != (uint64_t)ctorch_tensor_ndim(named->tensor)) {
    return false;
  }
  for (size_t i = 0; i < ndim; i++) {
    if (!take_integer(from, &size, 8) || (int64_t)size != sizes[i]) {
      return false;
    }
  }
  return true;
}

/* Walk over all tensors; `fill` copies them, otherwise the file is only checked. */
static ctorch_error *read_tensors(reader from, const char *path, const named_tensor *tensors, size_t len, bool fill) {
  const reader whole = from;
  const void *data = NULL;
  uint64_t count = 0, checksum = 0;
  if (!take(&from, &data, sizeof magic) || memcmp(data, magic, sizeof magic) != 0) {
    return ctorch_error_format(CTORCH_ERROR_FORMAT, "%s: no weights file (it would begin with %.8s)", path, magic);
  }
  if (!take_integer(&from, &count, 4)) {
    return ctorch_error_format(CTORCH_ERROR_FORMAT, "%s: truncated: it ends inside its header", path);
  }
  if (count != len) {
    return ctorch_error_format(CTORCH_ERROR_FORMAT, "%s: %" PRIu64 " tensors, expected %zu", path, count, len);
  }
  for (size_t i = 0; i < len; i++) {
    size_t nbytes = ctorch_tensor_nbytes(tensors[i].tensor);
    if (!take_description(&from, &tensors[i])) {
      const char *what = from.at == from.end ? "truncated" : "another tensor or a damaged file";
      return ctorch_error_format(CTORCH_ERROR_FORMAT, "%s: %s where %s should be", path, what, tensors[i].name);
    }
    if (!take(&from, &data, nbytes)) {
      return ctorch_error_format(CTORCH_ERROR_FORMAT, "%s: truncated inside %s", path, tensors[i].name);
    }
    if (fill) {
      ctorch_tensor *loaded = NULL;
      const int64_t *sizes = ctorch_tensor_sizes(tensors[i].tensor);
      size_t ndim = (size_t)ctorch_tensor_ndim(tensors[i].tensor);
      CTORCH_TRY(ctorch_tensor_from_data(&loaded, data, nbytes, sizes, ndim, ctorch_tensor_dtype(tensors[i].tensor)));
      ctorch_error *error = ctorch_aten_copy_(tensors[i].tensor, loaded, false);
      ctorch_tensor_release(loaded);
      CTORCH_TRY(error);
    }
  }
  uint64_t expected = checksum_add(checksum_start, whole.at, (size_t)(from.at - whole.at));
  if (!take_integer(&from, &checksum, 8)) {
    return ctorch_error_format(CTORCH_ERROR_FORMAT, "%s: truncated: its checksum is missing", path);
  }
  if (from.at != from.end) {
    return ctorch_error_format(CTORCH_ERROR_FORMAT, "%s: damaged: something follows its end", path);
  }
  if (checksum != expected) {
    return ctorch_error_format(CTORCH_ERROR_FORMAT, "%s: damaged: its checksum does not match", path);
  }
  return NULL;
}

static ctorch_error *read_file(FILE *file, const char *path, const named_tensor *tensors, size_t len) {
  long size = -1;
  if (fseek(file, 0, SEEK_END) != 0 || (size = ftell(file)) < 0 || fseek(file, 0, SEEK_SET) != 0) {
    return ctorch_error_format(CTORCH_ERROR_IO, "%s: %s", path, strerror(errno));
  }
  unsigned char *bytes = malloc((size_t)size + 1);
  if (bytes == NULL) {
    return ctorch_error_format(CTORCH_ERROR_OUT_OF_MEMORY, "%s: no memory for %ld bytes", path, size);
  }
  reader from = {bytes, bytes + size};
  ctorch_error *error = NULL;
  if (fread(bytes, 1, (size_t)size, file) != (size_t)size) {
    error = ctorch_error_format(CTORCH_ERROR_IO, "%s: cannot be read", path);
  } else if (
      (error = read_tensors(from, path, tensors, len, false)) == NULL &&
      (error = ctorch_grad_mode_push(false)) == NULL) {
    error = read_tensors(from, path, tensors, len, true);
    error = ctorch_error_first(error, ctorch_grad_mode_pop());
  }
  free(bytes);
  return error;
}

ctorch_error *weights_load(const char *path, const named_tensor *tensors, size_t len) {
  FILE *file = fopen(path, "rb");
  if (file == NULL) {
    return ctorch_error_format(CTORCH_ERROR_IO, "%s: %s", path, strerror(errno));
  }
  ctorch_error *error = read_file(file, path, tensors, len);
  fclose(file);
  return error;
}
