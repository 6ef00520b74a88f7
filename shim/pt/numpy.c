/* NumPy's arrays and numbers: arrays of numbers become tensors, numbers become int, float, bool or complex. Other
 * arrays (of objects, texts, records, times) stay descriptions: Python objects of NumPy's functions. */
#include <stdlib.h>
#include <string.h>

#include "base/sequence.h"
#include "core/c/error.h"
#include "ctorch.h"
#include "pickle/values.h"
#include "pt/tensors.h"

enum { MOST_DIMENSIONS = 64 };

struct element_type {
  char kind; /* b, i, u, f, c are numbers */
  uint64_t nbytes;
  bool is_swapped;
  ctorch_dtype dtype; /* -1: none */
};

static ctorch_dtype dtype_of(char kind, uint64_t nbytes) {
  static const struct {
    char kind;
    uint64_t nbytes;
    ctorch_dtype dtype;
  } all[] = {
      {'b', 1, CTORCH_DTYPE_BOOL},      {'i', 1, CTORCH_DTYPE_INT8},        {'i', 2, CTORCH_DTYPE_INT16},
      {'i', 4, CTORCH_DTYPE_INT32},     {'i', 8, CTORCH_DTYPE_INT64},       {'u', 1, CTORCH_DTYPE_UINT8},
      {'u', 2, CTORCH_DTYPE_UINT16},    {'u', 4, CTORCH_DTYPE_UINT32},      {'u', 8, CTORCH_DTYPE_UINT64},
      {'f', 2, CTORCH_DTYPE_FLOAT16},   {'f', 4, CTORCH_DTYPE_FLOAT32},     {'f', 8, CTORCH_DTYPE_FLOAT64},
      {'c', 8, CTORCH_DTYPE_COMPLEX64}, {'c', 16, CTORCH_DTYPE_COMPLEX128},
  };
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
    if (all[i].kind == kind && all[i].nbytes == nbytes) {
      return all[i].dtype;
    }
  }
  return -1;
}

/* What a numpy.dtype says: dtype("f4", …), and its state (3, "<", …). */
static ctorch_error *read_type(struct unpickler *self, struct element_type *out, const ctorch_value *value) {
  ctorch_value *args = NULL, *state = NULL;
  char *code = NULL, *order = NULL;
  if (!pickle_is(value, "numpy", "dtype") || pickle_is_class(value)) {
    return pickle_error(self, "an array without a dtype");
  }
  ctorch_error *error = ctorch_value_python_args(&args, value);
  THEN(error, ctorch_value_python_state(&state, value));
  THEN(error, pickle_text_arg(self, &code, args, 0));
  if (error == NULL && ctorch_value_kind_of(state) == CTORCH_VALUE_TUPLE && ctorch_value_len(state) > 1) {
    error = pickle_text_arg(self, &order, state, 1);
  }
  if (error == NULL) {
    const char *at = code;
    bool is_big = order != NULL && strcmp(order, ">") == 0;
    if (*at != '\0' && strchr("<>=|", *at) != NULL) {
      is_big |= *at++ == '>';
    }
    char *end = NULL;
    const unsigned long long nbytes = *at == '\0' ? 0 : strtoull(at + 1, &end, 10);
    const bool is_plain = end != NULL && *end == '\0' && nbytes <= INT32_MAX;
    *out = (struct element_type){is_plain ? *at : 'V', nbytes, is_big, is_plain ? dtype_of(*at, nbytes) : -1};
  }
  free(code);
  free(order);
  ctorch_value_release(args);
  ctorch_value_release(state);
  return error;
}

static void swap_bytes(unsigned char *data, uint64_t nbytes, const struct element_type *type) {
  const size_t size = (size_t)type->nbytes / (type->kind == 'c' ? 2 : 1);
  for (uint64_t at = 0; type->is_swapped && size > 1 && nbytes - at >= size; at += size) {
    for (size_t i = 0; i < size / 2; i++) {
      const unsigned char byte = data[at + i];
      data[at + i] = data[at + size - 1 - i];
      data[at + size - 1 - i] = byte;
    }
  }
}

/* Copy `nbytes` bytes out of bytes, a str of Python 2 or a bytearray; FORMAT if there are not as many. */
static ctorch_error *copy_bytes(
    struct unpickler *self, unsigned char *data, uint64_t nbytes, const ctorch_value *from) {
  ctorch_value *args = NULL, *bytes = NULL;
  const char *text = NULL;
  ctorch_error *error = NULL;
  if (pickle_is(from, "builtins", "bytearray") && !pickle_is_class(from)) {
    error = ctorch_value_python_args(&args, from);
    THEN(error, pickle_arg(self, &bytes, args, 0));
    from = bytes;
  }
  const ctorch_value_kind kind = ctorch_value_kind_of(from);
  if (error == NULL &&
      ((kind != CTORCH_VALUE_BYTES && kind != CTORCH_VALUE_STRING) || ctorch_value_len(from) != nbytes)) {
    error = pickle_error(self, "an array of other bytes than it needs");
  } else if (error == NULL && nbytes > 0 && kind == CTORCH_VALUE_BYTES) {
    error = ctorch_value_read_bytes(from, data, (size_t)nbytes);
  } else if (error == NULL && nbytes > 0) {
    error = ctorch_value_to_string(&text, NULL, from);
    if (error == NULL) {
      memcpy(data, text, (size_t)nbytes);
    }
  }
  ctorch_value_release(bytes);
  ctorch_value_release(args);
  return error;
}

/* Row-major strides, or column-major ones, and the bytes of it all; false if that is too much. */
static bool strides_of(
    int64_t *strides, uint64_t *nbytes, const int64_t *sizes, size_t len, uint64_t itemsize, bool is_fortran) {
  uint64_t stride = 1, numel = 1;
  for (size_t i = 0; i < len; i++) {
    const size_t at = is_fortran ? i : len - 1 - i;
    const uint64_t size = sizes[at] < 0 ? UINT64_MAX : (uint64_t)sizes[at];
    const uint64_t step = size == 0 ? 1 : size;
    strides[at] = (int64_t)stride;
    if (step > INT64_MAX / itemsize / stride) {
      return false;
    }
    stride *= step;
    numel *= size;
  }
  *nbytes = numel * itemsize;
  return true;
}

static ctorch_error *make_array(
    struct unpickler *self,
    ctorch_value **out,
    const struct element_type *type,
    const int64_t *sizes,
    size_t len,
    bool is_fortran,
    const ctorch_value *bytes) {
  int64_t strides[MOST_DIMENSIONS];
  uint64_t nbytes = 0;
  ctorch_storage *memory = NULL;
  ctorch_tensor *tensor = NULL;
  void *data = NULL;
  if (len > MOST_DIMENSIONS || !strides_of(strides, &nbytes, sizes, len, type->nbytes, is_fortran)) {
    return pickle_error(self, "an array of impossible sizes");
  }
  if (nbytes > ctorch_value_len(bytes) && ctorch_value_kind_of(bytes) != CTORCH_VALUE_PYTHON_OBJECT) {
    return pickle_error(self, "an array of fewer bytes than it needs");
  }
  CTORCH_TRY(pickle_charge(self, nbytes));
  CTORCH_TRY(ctorch_storage_new(&memory, (size_t)nbytes));
  ctorch_error *error = ctorch_storage_data(&data, memory);
  THEN(error, copy_bytes(self, data, nbytes, bytes));
  if (error == NULL && nbytes > 0) {
    swap_bytes(data, nbytes, type);
  }
  error =
      error != NULL
          ? error
          : pickle_refuse(self, ctorch_tensor_from_storage(&tensor, memory, 0, sizes, len, strides, len, type->dtype));
  ctorch_storage_release(memory);
  return pt_tensor_value(out, tensor, error);
}

/* Arrays ----------------------------------------------------------------------------------------------------------- */

bool pt_is_numpy_array(const ctorch_value *value) {
  return (pickle_is(value, "numpy.core.multiarray", "_reconstruct") ||
          pickle_is(value, "numpy._core.multiarray", "_reconstruct")) &&
         !pickle_is_class(value);
}

/* The state is ([version,] sizes, dtype, whether column-major, bytes or a list). */
static ctorch_error *read_state(
    struct unpickler *self,
    struct element_type *type,
    int64_t **sizes,
    size_t *sizes_len,
    bool *is_fortran,
    const ctorch_value *state) {
  const size_t len = ctorch_value_len(state), first = len == 5 ? 1 : 0;
  ctorch_value *dtype = NULL;
  if (ctorch_value_kind_of(state) != CTORCH_VALUE_TUPLE || (len != 4 && len != 5)) {
    return pickle_error(self, "a state that arrays do not have");
  }
  CTORCH_TRY(pickle_arg(self, &dtype, state, first + 1));
  ctorch_error *error = read_type(self, type, dtype);
  THEN(error, pickle_bool_arg(self, is_fortran, state, first + 2));
  THEN(error, pickle_ints_arg(self, sizes, sizes_len, state, first));
  ctorch_value_release(dtype);
  return error;
}

ctorch_error *pt_numpy_array(
    struct unpickler *self, ctorch_value **out_instead, ctorch_value *array, const ctorch_value *state) {
  struct element_type type = {.dtype = -1};
  int64_t *sizes = NULL;
  size_t sizes_len = 0;
  bool is_fortran = false;
  ctorch_value *bytes = NULL;
  CTORCH_TRY(read_state(self, &type, &sizes, &sizes_len, &is_fortran, state));
  ctorch_error *error = NULL;
  if (type.dtype < 0) {
    error = pickle_refuse(self, ctorch_value_set_python_state(array, state));
  } else {
    error = pickle_arg(self, &bytes, state, ctorch_value_len(state) - 1);
    THEN(error, make_array(self, out_instead, &type, sizes, sizes_len, is_fortran, bytes));
    ctorch_value_release(bytes);
  }
  free(sizes);
  return error;
}

ctorch_error *pt_numpy_shape(
    struct unpickler *self,
    ctorch_dtype *out,
    int64_t **sizes,
    size_t *sizes_len,
    bool *out_is_known,
    const ctorch_value *array) {
  struct element_type type = {.dtype = -1};
  bool is_fortran = false;
  ctorch_value *state = NULL;
  ctorch_error *error = ctorch_value_python_state(&state, array);
  if (state != NULL) {
    THEN(error, read_state(self, &type, sizes, sizes_len, &is_fortran, state));
  }
  ctorch_value_release(state);
  *out = type.dtype;
  *out_is_known = error == NULL && type.dtype >= 0;
  if (error != NULL && ctorch_error_kind_of(error) != CTORCH_ERROR_OUT_OF_MEMORY) {
    ctorch_error_release(error);
    error = NULL;
  }
  return error;
}

/* Protocol 5: (bytes, dtype, sizes, "C" or "F") */
ctorch_error *pt_call_numpy_frombuffer(
    struct unpickler *self, ctorch_value **out, const struct pickle_global *global, const ctorch_value *args) {
  struct element_type type = {.dtype = -1};
  int64_t *sizes = NULL;
  size_t sizes_len = 0;
  char *order = NULL;
  ctorch_value *dtype = NULL, *bytes = NULL;
  ctorch_error *error = pickle_arg(self, &bytes, args, 0);
  THEN(error, pickle_arg(self, &dtype, args, 1));
  THEN(error, read_type(self, &type, dtype));
  THEN(error, pickle_ints_arg(self, &sizes, &sizes_len, args, 2));
  THEN(error, pickle_text_arg(self, &order, args, 3));
  THEN(
      error, type.dtype >= 0 ? make_array(self, out, &type, sizes, sizes_len, strcmp(order, "F") == 0, bytes)
                             : pickle_call_described(self, out, global, args));
  free(order);
  free(sizes);
  ctorch_value_release(dtype);
  ctorch_value_release(bytes);
  return error;
}

/* Numbers ---------------------------------------------------------------------------------------------------------- */

/* The number that is a tensor's only element. */
static ctorch_error *number_value(
    struct unpickler *self, ctorch_value **out, const struct element_type *type, const ctorch_value *bytes) {
  ctorch_value *array = NULL;
  ctorch_tensor *tensor = NULL;
  ctorch_scalar number = {0};
  CTORCH_TRY(make_array(self, &array, type, NULL, 0, false, bytes));
  ctorch_error *error = ctorch_value_to_tensor(&tensor, array);
  THEN(error, pickle_refuse(self, ctorch_tensor_item(&number, tensor)));
  THEN(error, ctorch_value_from_scalar(out, &number));
  ctorch_tensor_release(tensor);
  ctorch_value_release(array);
  return error;
}

/* (dtype, bytes) */
ctorch_error *pt_call_numpy_scalar(
    struct unpickler *self, ctorch_value **out, const struct pickle_global *global, const ctorch_value *args) {
  struct element_type type = {.dtype = -1};
  ctorch_value *dtype = NULL, *bytes = NULL;
  ctorch_error *error = pickle_arg(self, &dtype, args, 0);
  THEN(error, pickle_arg(self, &bytes, args, 1));
  THEN(error, read_type(self, &type, dtype));
  THEN(error, type.dtype >= 0 ? number_value(self, out, &type, bytes) : pickle_call_described(self, out, global, args));
  ctorch_value_release(dtype);
  ctorch_value_release(bytes);
  return error;
}
