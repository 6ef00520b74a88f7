/* Reading IDX files: <ctorch/datasets/idx.h>. */
#include <ctorch.h>
#include <string.h>

#include "base/sequence.h"
#include "core/c/error.h"
#include "datasets/gzip.h"
#include "io/elements.h"
#include "io/reader.h"

enum { MAGIC_NBYTES = 4, SIZE_NBYTES = 4, MOST_DIMS = 255 };

bool ctorch_idx_supports_gzip(void) { return CTORCH_HAS_ZLIB; }

struct header {
  ctorch_dtype dtype;
  size_t itemsize, ndim;
  int64_t shape[MOST_DIMS];
  uint64_t nbytes, elements_nbytes; /* of the header, and of what is behind it */
};

static ctorch_error *read_magic(
    const char *function, struct header *out, const ctorch_reader *reader, const unsigned char *magic) {
  static const struct {
    unsigned char number;
    ctorch_dtype dtype;
    size_t itemsize;
  } TYPES[] = {
      {0x08, CTORCH_DTYPE_UINT8, 1}, {0x09, CTORCH_DTYPE_INT8, 1},    {0x0b, CTORCH_DTYPE_INT16, 2},
      {0x0c, CTORCH_DTYPE_INT32, 4}, {0x0d, CTORCH_DTYPE_FLOAT32, 4}, {0x0e, CTORCH_DTYPE_FLOAT64, 8},
  };
  if (magic[0] != 0 || magic[1] != 0) {
    return reader_error(function, reader, "is no IDX file");
  }
  for (size_t i = 0; i < sizeof TYPES / sizeof *TYPES; i++) {
    if (TYPES[i].number == magic[2]) {
      out->dtype = TYPES[i].dtype;
      out->itemsize = TYPES[i].itemsize;
      out->ndim = magic[3];
      out->nbytes = MAGIC_NBYTES + out->ndim * SIZE_NBYTES;
      return NULL;
    }
  }
  return reader_error(function, reader, "idx: elements of the unknown type 0x%02x", magic[2]);
}

static ctorch_error *read_shape(
    const char *function, struct header *self, const ctorch_reader *reader, const unsigned char *sizes) {
  for (size_t i = 0; i < self->ndim; i++, sizes += SIZE_NBYTES) {
    self->shape[i] = (int64_t)sizes[0] << 24 | sizes[1] << 16 | sizes[2] << 8 | sizes[3];
  }
  return elements_nbytes(&self->elements_nbytes, self->shape, self->ndim, self->itemsize)
             ? NULL
             : reader_error(function, reader, "idx: sizes that no file can have");
}

static ctorch_error *check_end(
    const char *function, const struct header *self, const ctorch_reader *reader, uint64_t got) {
  if (got == self->elements_nbytes) {
    return NULL;
  }
  return reader_error(
      function, reader, "idx: %s: expected %llu bytes of elements%s",
      got < self->elements_nbytes ? "ends early" : "goes on behind its elements",
      (unsigned long long)self->elements_nbytes, got < self->elements_nbytes ? "" : ", and no more");
}

/* What is not packed ----------------------------------------------------------------------------------------------- */

static ctorch_error *read_plain(const char *function, ctorch_tensor **out, const ctorch_reader *reader) {
  unsigned char magic[MAGIC_NBYTES], sizes[MOST_DIMS * SIZE_NBYTES];
  struct header header = {0};
  CTORCH_TRY(reader_read(function, reader, 0, magic, sizeof magic));
  CTORCH_TRY(read_magic(function, &header, reader, magic));
  CTORCH_TRY(reader_read(function, reader, MAGIC_NBYTES, sizes, header.ndim * SIZE_NBYTES));
  CTORCH_TRY(read_shape(function, &header, reader, sizes));
  CTORCH_TRY(check_end(function, &header, reader, ctorch_reader_nbytes(reader) - header.nbytes));
  const struct elements elements = {reader, header.nbytes, header.dtype, header.shape, header.ndim, false, true};
  return elements_read(function, out, &elements);
}

/* What is packed --------------------------------------------------------------------------------------------------- */

static ctorch_error *unpack_all(
    const char *function, struct gzip *gzip, const ctorch_reader *reader, void *data, size_t nbytes) {
  size_t got = 0;
  CTORCH_TRY(gzip_read(gzip, data, nbytes, &got));
  return got == nbytes ? NULL : reader_error(function, reader, "idx: ends early");
}

static ctorch_error *unpack_header(
    const char *function, struct header *out, struct gzip *gzip, const ctorch_reader *reader) {
  unsigned char magic[MAGIC_NBYTES], sizes[MOST_DIMS * SIZE_NBYTES];
  CTORCH_TRY(unpack_all(function, gzip, reader, magic, sizeof magic));
  CTORCH_TRY(read_magic(function, out, reader, magic));
  CTORCH_TRY(unpack_all(function, gzip, reader, sizes, out->ndim * SIZE_NBYTES));
  CTORCH_TRY(read_shape(function, out, reader, sizes));
  const uint64_t most = (uint64_t)ctorch_reader_nbytes(reader) * GZIP_MOST_INFLATED;
  return out->elements_nbytes <= most ? NULL : check_end(function, out, reader, most);
}

static ctorch_error *unpack_elements(
    const char *function, const struct header *header, struct gzip *gzip, const ctorch_reader *reader, void *data) {
  unsigned char more;
  size_t got = 0;
  CTORCH_TRY(gzip_read(gzip, data, (size_t)header->elements_nbytes, &got));
  CTORCH_TRY(got < header->elements_nbytes ? check_end(function, header, reader, got) : NULL);
  CTORCH_TRY(gzip_read(gzip, &more, 1, &got));
  return check_end(function, header, reader, header->elements_nbytes + got);
}

static void to_native(void *data, const struct header *header) {
  const uint16_t one = 1;
  unsigned char *at = data, is_little_endian = 0;
  memcpy(&is_little_endian, &one, 1);
  for (uint64_t i = 0; is_little_endian && header->itemsize > 1 && i < header->elements_nbytes; i += header->itemsize) {
    for (size_t low = 0, high = header->itemsize - 1; low < high; low++, high--) {
      const unsigned char byte = at[i + low];
      at[i + low] = at[i + high];
      at[i + high] = byte;
    }
  }
}

static ctorch_error *read_packed(
    const char *function, ctorch_tensor **out, struct gzip *gzip, const ctorch_reader *reader) {
  struct header header = {0};
  ctorch_storage *storage = NULL;
  void *data = NULL;
  CTORCH_TRY(unpack_header(function, &header, gzip, reader));
  CTORCH_TRY(ctorch_storage_new(&storage, (size_t)header.elements_nbytes));
  ctorch_error *error = ctorch_storage_data(&data, storage);
  THEN(error, unpack_elements(function, &header, gzip, reader, data));
  if (error == NULL) {
    to_native(data, &header);
    error = ctorch_tensor_from_storage(out, storage, 0, header.shape, header.ndim, NULL, 0, header.dtype);
  }
  ctorch_storage_release(storage);
  return error;
}

/* ------------------------------------------------------------------------------------------------------------------ */

static ctorch_error *read_array(const char *function, ctorch_tensor **out, const ctorch_reader *reader) {
  bool is_packed = false;
  struct gzip *gzip = NULL;
  CTORCH_TRY(gzip_detect(function, &is_packed, reader));
  if (!is_packed) {
    return read_plain(function, out, reader);
  }
  CTORCH_TRY(gzip_begin(function, &gzip, reader));
  ctorch_error *error = read_packed(function, out, gzip, reader);
  gzip_end(gzip);
  return error;
}

ctorch_error *ctorch_idx_read(ctorch_tensor **out, const ctorch_reader *reader) {
  CTORCH_TRY(error_refusal(__func__));
  if (out == NULL || reader == NULL) {
    return error_null(__func__, out == NULL ? "out" : "reader");
  }
  return error_of(__func__, read_array(__func__, out, reader));
}

ctorch_error *ctorch_idx_read_file(ctorch_tensor **out, const char *path) {
  CTORCH_TRY(error_refusal(__func__));
  if (out == NULL || path == NULL) {
    return error_null(__func__, out == NULL ? "out" : "path");
  }
  ctorch_reader *reader = NULL;
  CTORCH_TRY(error_of(__func__, ctorch_reader_open(&reader, path, false)));
  ctorch_error *error = read_array(__func__, out, reader);
  ctorch_reader_release(reader);
  return error_of(__func__, error);
}
