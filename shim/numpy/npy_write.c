/* Writing npy files: <ctorch/numpy/npy.h>. The bytes are NumPy's, down to the spaces that it leaves for a first
 * dimension that grows. */
#include <ctorch.h>
#include <inttypes.h>
#include <string.h>

#include "base/sequence.h"
#include "base/text.h"
#include "core/c/error.h"
#include "io/tensor_dict.h"
#include "io/writer.h"
#include "numpy/npy.h"

enum { ALIGNMENT = 64, DIGITS_OF_GROWING = 21, PREFIX_NBYTES = 10, MOST_DIMS = 64 };

static const char *type_of(ctorch_dtype dtype) {
  switch (dtype) {
    case CTORCH_DTYPE_BOOL:
      return "|b1";
    case CTORCH_DTYPE_INT8:
      return "|i1";
    case CTORCH_DTYPE_UINT8:
      return "|u1";
    case CTORCH_DTYPE_INT16:
      return "i2";
    case CTORCH_DTYPE_INT32:
      return "i4";
    case CTORCH_DTYPE_INT64:
      return "i8";
    case CTORCH_DTYPE_UINT16:
      return "u2";
    case CTORCH_DTYPE_UINT32:
      return "u4";
    case CTORCH_DTYPE_UINT64:
      return "u8";
    case CTORCH_DTYPE_FLOAT16:
      return "f2";
    case CTORCH_DTYPE_FLOAT32:
      return "f4";
    case CTORCH_DTYPE_FLOAT64:
      return "f8";
    case CTORCH_DTYPE_COMPLEX64:
      return "c8";
    case CTORCH_DTYPE_COMPLEX128:
      return "c16";
    default:
      return NULL;
  }
}

/* Numbers are written in this machine's order, as NumPy does. */
static const char *order_of(const char *type) {
  const uint16_t one = 1;
  return type[0] == '|' ? "" : *(const unsigned char *)&one == 1 ? "<" : ">";
}

static int digits_of(int64_t size) {
  int digits = 1;
  for (; size >= 10; size /= 10) {
    digits++;
  }
  return digits;
}

static void add_header(struct text *out, const ctorch_tensor *tensor, const char *type, bool is_fortran) {
  struct text header = {.function = out->function};
  const int64_t *sizes = ctorch_tensor_sizes(tensor);
  int64_t ndim = ctorch_tensor_ndim(tensor);
  text_add(
      &header, "{'descr': '%s%s', 'fortran_order': %s, 'shape': (", order_of(type), type,
      is_fortran ? "True" : "False");
  for (int64_t i = 0; i < ndim; i++) {
    text_add(&header, "%s%" PRId64 "%s", i == 0 ? "" : ", ", sizes[i], ndim == 1 ? "," : "");
  }
  text_add(&header, "), }");
  size_t spaces = ndim == 0 ? 0 : (size_t)(DIGITS_OF_GROWING - digits_of(sizes[is_fortran ? ndim - 1 : 0]));
  size_t used = PREFIX_NBYTES + header.len + spaces + 1;
  spaces += ALIGNMENT - used % ALIGNMENT;
  while (spaces-- > 0) {
    text_bytes(&header, " ", 1);
  }
  text_bytes(&header, "\n", 1);
  const char prefix[PREFIX_NBYTES] = {
      (char)0x93, 'N', 'U', 'M', 'P', 'Y', 1, 0, (char)(header.len & 0xff), (char)(header.len >> 8)};
  text_bytes(out, prefix, sizeof prefix);
  text_bytes(out, text_data(&header), header.len);
  out->error = ctorch_error_first(out->error, text_end(&header));
}

/* Whether the columns lie one behind the other, and not the rows too. */
static bool lies_by_columns(const ctorch_tensor *dense) {
  int64_t expected = 1;
  if (ctorch_tensor_is_contiguous(dense)) {
    return false;
  }
  for (int64_t i = 0; i < ctorch_tensor_ndim(dense); i++) {
    int64_t size = ctorch_tensor_sizes(dense)[i];
    if (size != 1 && ctorch_tensor_strides(dense)[i] != expected) {
      return false;
    }
    expected *= size;
  }
  return true;
}

void npy_array_end(struct npy_array *self) {
  ctorch_tensor_release(self->dense);
  *self = (struct npy_array){0};
}

static ctorch_error *add_array(
    struct npy_array *out, struct text *header, const ctorch_tensor *tensor, const char *type) {
  CTORCH_TRY(named_dense(&out->dense, tensor, false));
  bool is_fortran = lies_by_columns(out->dense);
  if (!is_fortran && !ctorch_tensor_is_contiguous(out->dense)) {
    ctorch_tensor *rows = NULL;
    CTORCH_TRY(ctorch_aten_contiguous(&rows, out->dense, CTORCH_MEMORY_FORMAT_CONTIGUOUS));
    ctorch_tensor_release(out->dense);
    out->dense = rows;
  }
  add_header(header, out->dense, type, is_fortran);
  out->nbytes = ctorch_tensor_nbytes(out->dense);
  return ctorch_tensor_const_data(&out->data, out->dense);
}

ctorch_error *npy_array_read(
    const char *function,
    struct npy_array *out,
    struct text *header,
    const char *argument,
    const char *name,
    const ctorch_tensor *tensor) {
  const char *type = type_of(ctorch_tensor_dtype(tensor));
  struct npy_array array = {0};
  struct named_entry entry = {.name = name, .tensor = (ctorch_tensor *)(uintptr_t)tensor};
  CTORCH_TRY(named_check_strided(function, argument, &entry));
  if (type == NULL) {
    return error_make(
        function, CTORCH_ERROR_UNSUPPORTED, "%s: %s%.256s%sNumPy has no dtype like %s", argument,
        name == NULL ? "" : "\"", name == NULL ? "" : name, name == NULL ? "" : "\", ",
        ctorch_dtype_name(ctorch_tensor_dtype(tensor)));
  }
  if (ctorch_tensor_ndim(tensor) > MOST_DIMS) {
    return error_make(
        function, CTORCH_ERROR_UNSUPPORTED, "%s: %s%.256s%s%" PRId64 " dimensions, of which NumPy has at most %d",
        argument, name == NULL ? "" : "\"", name == NULL ? "" : name, name == NULL ? "" : "\", ",
        ctorch_tensor_ndim(tensor), (int)MOST_DIMS);
  }
  ctorch_error *error = add_array(&array, header, tensor, type);
  if (error != NULL || header->error != NULL) {
    npy_array_end(&array); /* the text keeps its own error */
    return error;
  }
  *out = array;
  return NULL;
}

static ctorch_error *write(const char *function, ctorch_writer *writer, const ctorch_tensor *tensor) {
  struct text header = {.function = function};
  struct npy_array array = {0};
  ctorch_error *error = npy_array_read(function, &array, &header, "tensor", NULL, tensor);
  if (error == NULL && header.error == NULL) {
    error = writer_write(function, writer, header.data, header.len);
    if (array.data != NULL) {
      THEN(error, writer_write(function, writer, array.data, array.nbytes));
    }
  }
  npy_array_end(&array);
  return ctorch_error_first(error, text_end(&header));
}

ctorch_error *ctorch_npy_write(ctorch_writer *writer, const ctorch_tensor *tensor) {
  CTORCH_TRY(error_refusal(__func__));
  if (writer == NULL || tensor == NULL) {
    return error_null(__func__, writer == NULL ? "writer" : "tensor");
  }
  return error_of(__func__, write(__func__, writer, tensor));
}

ctorch_error *ctorch_npy_write_file(const ctorch_tensor *tensor, const char *path) {
  CTORCH_TRY(error_refusal(__func__));
  ctorch_writer *writer = NULL;
  if (tensor == NULL || path == NULL) {
    return error_null(__func__, tensor == NULL ? "tensor" : "path");
  }
  CTORCH_TRY(error_of(__func__, ctorch_writer_open(&writer, path)));
  ctorch_error *error = write(__func__, writer, tensor);
  THEN(error, ctorch_writer_finish(writer));
  ctorch_writer_release(writer);
  return error_of(__func__, error);
}
