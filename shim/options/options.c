/* The checks of options.h. */
#include "options.h"

#include <inttypes.h>
#include <string.h>

#include "error.h"

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

/* Where the numbers of a list of a fixed size come from: its entries, the one entry that stands for all, the default. */
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

static void unknown(ctorch_error **error, const char *function, const char *name, const char *what, int32_t value) {
  *error = error_argument(function, name, "unknown %s %" PRId32, what, value);
}

void option_dtype(ctorch_error **error, const char *function, const char *name, const ctorch_dtype *value) {
  if (*error == NULL && value != NULL && ctorch_dtype_name(*value) == NULL) {
    unknown(error, function, name, "dtype", *value);
  }
}

void option_layout(ctorch_error **error, const char *function, const char *name, const ctorch_layout *value) {
  if (*error == NULL && value != NULL && ctorch_layout_name(*value) == NULL) {
    unknown(error, function, name, "layout", *value);
  }
}

void option_device(ctorch_error **error, const char *function, const char *name, const ctorch_device *value) {
  if (*error != NULL || value == NULL) {
    return;
  }
  bool cpu = value->type == CTORCH_DEVICE_TYPE_CPU;
  if (ctorch_device_type_name(value->type) == NULL) {
    unknown(error, function, name, "device type", value->type);
  } else if (value->index < -1 || value->index > INT8_MAX || (cpu && value->index > 0)) {
    *error = error_argument(function, name, "no device index %" PRId32, value->index);
  }
}

void option_scalar(ctorch_error **error, const char *function, const char *name, const ctorch_scalar *value) {
  if (*error == NULL && value != NULL && (value->kind < CTORCH_SCALAR_INT || value->kind > CTORCH_SCALAR_UINT)) {
    unknown(error, function, name, "scalar kind", value->kind);
  }
}

/* Length of the well-formed UTF-8 sequence that a text begins with (RFC 3629); 0 if there is none. */
static size_t sequence(const unsigned char *text) {
  unsigned char lead = text[0];
  size_t len = lead < 0x80 ? 1 : lead < 0xC2 ? 0 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : lead < 0xF5 ? 4 : 0;
  unsigned char least = lead == 0xE0 ? 0xA0 : lead == 0xF0 ? 0x90 : 0x80;
  unsigned char most = lead == 0xED ? 0x9F : lead == 0xF4 ? 0x8F : 0xBF;
  for (size_t i = 1; i < len; i++) {
    if (text[i] < (i == 1 ? least : 0x80) || text[i] > (i == 1 ? most : 0xBF)) {
      return 0;
    }
  }
  return len;
}

void option_text(ctorch_error **error, const char *function, const char *name, const char *value) {
  if (*error != NULL || value == NULL) {
    return;
  }
  for (const unsigned char *at = (const unsigned char *)value; *at != 0;) {
    size_t len = sequence(at);
    if (len == 0) {
      *error = error_argument(function, name, "not UTF-8");
      return;
    }
    at += len;
  }
}
