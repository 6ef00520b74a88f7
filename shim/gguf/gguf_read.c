/* Quantized tensors of a GGUF file, read as float32: elements side by side in the file are read in runs, which begin
 * and end anywhere in a block. */
#include <ctorch.h>
#include <stdlib.h>
#include <string.h>

#include "base/sequence.h"
#include "core/c/error.h"
#include "gguf/gguf.h"
#include "io/reader.h"

enum { CHUNK_NBYTES = 256 << 10 };

struct run {
  const char *function;
  const ctorch_reader *reader;
  const struct gguf_type *type;
  uint64_t offset; /* of the first block of the tensor */
  bool is_big_endian;
  unsigned char *chunk; /* of whole blocks, if the reader is not in memory */
  uint64_t chunk_len;   /* how many blocks it has room for */
};

/* Blocks in memory, at most chunk_len of them. */
static ctorch_error *get_blocks(struct run *self, const unsigned char **out, uint64_t first, uint64_t *len) {
  uint64_t offset = self->offset + first * self->type->nbytes;
  *len = *len < self->chunk_len ? *len : self->chunk_len;
  uint64_t nbytes = *len * self->type->nbytes;
  *out = reader_at(self->reader, offset, nbytes);
  if (*out != NULL) {
    return reader_count(self->reader, nbytes);
  }
  if (self->chunk == NULL) {
    self->chunk = malloc(CHUNK_NBYTES);
    if (self->chunk == NULL) {
      return error_memory(self->function, CHUNK_NBYTES);
    }
  }
  *out = self->chunk;
  return reader_read(self->function, self->reader, offset, self->chunk, nbytes);
}

/* Read `count` elements from one on, counted from the first of the tensor. */
static ctorch_error *read_run(struct run *self, float *out, uint64_t first, uint64_t count) {
  uint64_t block_len = self->type->len, last = first + count;
  while (first < last) {
    uint64_t block = first / block_len, len = (last - 1) / block_len - block + 1;
    const unsigned char *data = NULL;
    CTORCH_TRY(get_blocks(self, &data, block, &len));
    for (uint64_t i = 0; i < len; i++, data += self->type->nbytes) {
      uint64_t skip = first % block_len, rest = block_len - skip;
      if (rest == block_len && last - first >= block_len) {
        self->type->dequantize(out, data, self->is_big_endian);
      } else {
        float elements[GGUF_MOST_LEN];
        rest = rest < last - first ? rest : last - first;
        self->type->dequantize(elements, data, self->is_big_endian);
        memcpy(out, elements + skip, (size_t)rest * sizeof *out);
      }
      out += rest;
      first += rest;
    }
  }
  return NULL;
}

/* Walk through the outermost `runs` dimensions, behind each of whose positions lies a run of elements side by side. */
static ctorch_error *read_all(
    struct run *run,
    float *out,
    const struct weights_entry *entry,
    const int64_t *begin,
    const int64_t *sizes,
    int64_t *position) {
  uint64_t count = 1, stride = 1, total = 1;
  size_t runs = entry->shape_len;
  bool is_whole = true;
  for (size_t dim = entry->shape_len; dim-- > 0;) {
    total *= (uint64_t)sizes[dim];
    if (is_whole) {
      count *= (uint64_t)sizes[dim];
      is_whole = sizes[dim] == entry->shape[dim];
      runs = dim;
    }
  }
  for (uint64_t done = 0; done < total; done += count) {
    uint64_t first = 0;
    stride = 1;
    for (size_t dim = entry->shape_len; dim-- > 0; stride *= (uint64_t)entry->shape[dim]) {
      first += (uint64_t)(begin[dim] + position[dim]) * stride;
    }
    CTORCH_TRY(read_run(run, out + done, first, count));
    for (size_t dim = runs; dim-- > 0;) {
      if (++position[dim] < sizes[dim]) {
        break;
      }
      position[dim] = 0;
    }
  }
  return NULL;
}

ctorch_error *gguf_read_blocks(
    const char *function,
    ctorch_tensor **out,
    const ctorch_weights *self,
    const struct weights_entry *entry,
    const int64_t *begin,
    const int64_t *end) {
  const struct gguf_type *type = gguf_type_of(entry->number);
  const struct gguf *file = self->content;
  struct run run = {
      function, self->reader, type, entry->offset, file->is_big_endian, NULL, CHUNK_NBYTES / type->nbytes};
  size_t len = entry->shape_len;
  int64_t *sizes = calloc(2 * len + 1, sizeof *sizes);
  if (sizes == NULL) {
    return error_memory(function, (2 * len + 1) * sizeof *sizes);
  }
  uint64_t total = 1;
  for (size_t i = 0; i < len; i++) {
    sizes[i] = end[i] - begin[i];
    total *= (uint64_t)sizes[i];
  }
  ctorch_storage *storage = NULL;
  void *data = NULL;
  ctorch_error *error = total > INT64_MAX / sizeof(float) ? error_memory(function, total) : NULL;
  THEN(error, ctorch_storage_new(&storage, (size_t)total * sizeof(float)));
  THEN(error, ctorch_storage_data(&data, storage));
  if (error == NULL && total > 0) {
    error = read_all(&run, data, entry, begin, sizes, sizes + len);
  }
  THEN(error, ctorch_tensor_from_storage(out, storage, 0, sizes, len, NULL, 0, CTORCH_DTYPE_FLOAT32));
  ctorch_storage_release(storage);
  free(run.chunk);
  free(sizes);
  return error;
}
