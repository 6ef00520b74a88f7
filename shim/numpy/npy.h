/* Headers of npy files, which describe one array (numpy.org/doc/stable/reference/generated/numpy.lib.format.html). */
#ifndef CTORCH_SHIM_NUMPY_NPY_H
#define CTORCH_SHIM_NUMPY_NPY_H

#include "ctorch/io/reader.h"
#include "ctorch/numpy/npy.h"
#include "io/weights_table.h"

enum { NPY_PREFIX_NBYTES = 12, NPY_MOST_NBYTES = 1 << 20, NPY_TYPE_NBYTES = 32 };

struct npy_header {
  char type[NPY_TYPE_NBYTES]; /* "<f4"; "structured" */
  ctorch_dtype dtype;         /* WEIGHTS_NO_DTYPE where PyTorch has none */
  bool is_big_endian, is_fortran;
  int64_t *shape; /* free() it */
  size_t shape_len;
  uint64_t header_nbytes; /* the elements lie behind so many bytes */
  uint64_t nbytes;        /* of the elements; 0 without a dtype */
};

bool npy_is_magic(const unsigned char *data, size_t len);

/* How many bytes the header has in all, by its first NPY_PREFIX_NBYTES (fewer if there are not so many). */
ctorch_error *npy_header_nbytes(
    const char *function, uint64_t *out, const ctorch_reader *reader, const unsigned char *data, size_t len)
    __attribute__((warn_unused_result));

/* Read a header, which `data` holds all of; errors name the reader. */
ctorch_error *npy_header_read(
    const char *function, struct npy_header *out, const ctorch_reader *reader, const unsigned char *data, size_t len)
    __attribute__((warn_unused_result));

/* For a type that PyTorch has not: why not. */
const char *npy_no_dtype(const char *type);

struct text;

/* An array on its way to a file. */
struct npy_array {
  ctorch_tensor *dense; /* on the CPU; its elements lie one behind the other in the order of the file */
  const void *data;     /* NULL if there are none */
  uint64_t nbytes;
};

/* Add the header of a tensor to a text, and have its elements. `name` is NULL, or for messages the name in a dict. */
ctorch_error *npy_array_read(
    const char *function,
    struct npy_array *out,
    struct text *header,
    const char *argument,
    const char *name,
    const ctorch_tensor *tensor) __attribute__((warn_unused_result));
void npy_array_end(struct npy_array *self);

extern const weights_format weights_npy, weights_npz;

#endif
