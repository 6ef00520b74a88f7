/* The checks of options.h. */
#include "base/options.h"

#include <string.h>

#include "base/sequence.h"
#include "core/c/error.h"

void option_required(ctorch_error **error, const char *function, const char *name, const void *value) {
  if (*error == NULL && value == NULL) {
    *error = error_null(function, name);
  }
}

void option_output(ctorch_error **error, const char *function, const char *name, const void *out) {
  option_required(error, function, name, out);
}

void option_callback(ctorch_error **error, const char *function, const char *name, bool given) {
  if (*error == NULL && !given) {
    *error = error_null(function, name);
  }
}

void option_tensor(ctorch_error **error, const char *function, const char *name, const ctorch_tensor *value) {
  if (*error == NULL && ctorch_tensor_is_nested(value)) {
    *error = error_argument(function, name, "expected a tensor that has sizes, got a nested one");
  }
}

void option_list(
    ctorch_error **error, const char *function, const char *name, const void *data, size_t len, size_t entry_size) {
  if (*error != NULL) {
    return;
  }
  if (data == NULL && len > 0) {
    *error = error_null(function, name);
  } else if (len > PTRDIFF_MAX / entry_size) {
    *error = error_argument(function, name, "absurd length %zu", len);
  }
}

void option_handles(
    ctorch_error **error, const char *function, const char *name, const void *const *data, size_t len, bool optional) {
  option_list(error, function, name, data, len, sizeof *data);
  for (size_t i = 0; *error == NULL && !optional && i < len; i++) {
    if (data[i] == NULL) {
      *error = error_make(function, CTORCH_ERROR_NULL_ARGUMENT, "%s[%zu] must not be NULL", name, i);
    }
  }
}

/* Where the numbers of a list of a fixed size come from: its entries, the one entry that stands for all, the
 * default. */
static const void *source(
    ctorch_error **error,
    const char *function,
    const char *name,
    size_t size,
    const void *data,
    size_t len,
    size_t entry_size,
    const void *otherwise) {
  option_list(error, function, name, data, len, entry_size);
  if (*error != NULL) {
    return NULL;
  }
  if (data == NULL && otherwise != NULL) {
    return otherwise;
  }
  if (data == NULL) {
    *error = error_null(function, name);
  } else if (len != size && len != 1) {
    *error = error_argument(function, name, "expected 1 or %zu entries, got %zu", size, len);
  }
  return *error == NULL ? data : NULL;
}

static void copy(char *to, size_t size, const char *from, bool one, size_t entry_size) {
  for (size_t i = 0; from != NULL && i < size; i++) {
    memcpy(to + i * entry_size, from + (one ? 0 : i * entry_size), entry_size);
  }
}

#define DEFINE_NUMBERS(function_name, type)                                                                  \
  void function_name(                                                                                        \
      ctorch_error **error, const char *function, const char *name, type *to, size_t size, const type *data, \
      size_t len, const type *otherwise) {                                                                   \
    const void *from = source(error, function, name, size, data, len, sizeof *data, otherwise);              \
    copy((char *)to, size, from, from == (const void *)data && len == 1, sizeof *to);                        \
  }

DEFINE_NUMBERS(option_ints, int64_t)
DEFINE_NUMBERS(option_doubles, double)
DEFINE_NUMBERS(option_bools, bool)

void option_dtype(ctorch_error **error, const char *function, const char *name, const ctorch_dtype *value) {
  THEN(*error, error_unless_dtype(function, name, value));
}

void option_layout(ctorch_error **error, const char *function, const char *name, const ctorch_layout *value) {
  THEN(*error, error_unless_layout(function, name, value));
}

void option_device(ctorch_error **error, const char *function, const char *name, const ctorch_device *value) {
  THEN(*error, error_unless_device(function, name, value));
}

void option_scalar(ctorch_error **error, const char *function, const char *name, const ctorch_scalar *value) {
  THEN(*error, error_unless_scalar(function, name, value));
}

void option_text(ctorch_error **error, const char *function, const char *name, const char *value) {
  THEN(*error, error_unless_text(function, name, value));
}
