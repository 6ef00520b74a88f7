/* Reading npy files: a header (npy.h), and the elements behind it. What lies behind those is nobody's business, as in
 * NumPy, which puts several arrays in one file. */
#include "numpy/npy.h"

#include <ctorch.h>
#include <stdlib.h>

#include "base/sequence.h"
#include "core/c/error.h"
#include "io/elements.h"
#include "io/reader.h"
#include "io/weights_table.h"

static bool detect(const unsigned char *head, size_t len, const ctorch_reader *reader) {
  (void)reader;
  return npy_is_magic(head, len);
}

static ctorch_error *read_header(const char *function, struct npy_header *out, const ctorch_reader *reader) {
  unsigned char prefix[NPY_PREFIX_NBYTES];
  size_t all = ctorch_reader_nbytes(reader), len = all < sizeof prefix ? all : sizeof prefix;
  uint64_t nbytes = 0;
  CTORCH_TRY(reader_read(function, reader, 0, prefix, len));
  CTORCH_TRY(npy_header_nbytes(function, &nbytes, reader, prefix, len));
  if (nbytes > all) {
    return reader_error(function, reader, "ends early, in its npy header");
  }
  unsigned char *data = malloc((size_t)nbytes);
  if (data == NULL) {
    return error_memory(function, nbytes);
  }
  ctorch_error *error = reader_read(function, reader, 0, data, nbytes);
  THEN(error, npy_header_read(function, out, reader, data, (size_t)nbytes));
  free(data);
  return error;
}

static ctorch_error *open_header(const char *function, ctorch_weights *self) {
  struct npy_header *header = calloc(1, sizeof *header);
  if (header == NULL) {
    return error_memory(function, sizeof *header);
  }
  self->content = header;
  CTORCH_TRY(read_header(function, header, self->reader));
  uint64_t rest = ctorch_reader_nbytes(self->reader) - header->header_nbytes;
  if (header->nbytes > rest) {
    return reader_error(
        function, self->reader, "ends early: %llu bytes of elements, of which %llu are there",
        (unsigned long long)header->nbytes, (unsigned long long)rest);
  }
  uint64_t nbytes = header->dtype == WEIGHTS_NO_DTYPE ? rest : header->nbytes;
  return weights_add(
      function, self, "", header->type, header->dtype, header->shape, header->shape_len, header->header_nbytes, nbytes,
      0);
}

static void close_contents(ctorch_weights *self) {
  struct npy_header *header = self->content;
  if (header != NULL) {
    free(header->shape);
  }
  free(header);
}

static struct elements elements_of(const ctorch_weights *self, const struct weights_entry *entry) {
  const struct npy_header *header = self->content;
  return (struct elements){self->reader,     entry->offset,      entry->dtype,         entry->shape,
                           entry->shape_len, header->is_fortran, header->is_big_endian};
}

static ctorch_error *tensor(
    const char *function, ctorch_tensor **out, const ctorch_weights *self, const struct weights_entry *entry) {
  if (entry->dtype == WEIGHTS_NO_DTYPE) {
    return weights_no_dtype(function, self, entry, npy_no_dtype(entry->type));
  }
  const struct elements elements = elements_of(self, entry);
  return elements_read(function, out, &elements);
}

static ctorch_error *slice(
    const char *function,
    ctorch_tensor **out,
    const ctorch_weights *self,
    const struct weights_entry *entry,
    const int64_t *begin,
    const int64_t *end) {
  if (entry->dtype == WEIGHTS_NO_DTYPE) {
    return weights_no_dtype(function, self, entry, npy_no_dtype(entry->type));
  }
  const struct elements elements = elements_of(self, entry);
  return elements_slice(function, out, &elements, begin, end);
}

const weights_format weights_npy = {
    .name = "npy",
    .detect = detect,
    .open = open_header,
    .tensor = tensor,
    .slice = slice,
    .close = close_contents,
};
