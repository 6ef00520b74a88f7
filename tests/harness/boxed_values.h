/* Values out of literals, and values compared with text: `boxed_list(VALUES(boxed_int(1), NULL))`. */
#ifndef CTORCH_TESTS_BOXED_VALUES_H
#define CTORCH_TESTS_BOXED_VALUES_H

#include "harness/values.h"

#define VALUES(...)                           \
  (const ctorch_value *const[]){__VA_ARGS__}, \
      sizeof((const ctorch_value *const[]){__VA_ARGS__}) / sizeof(const ctorch_value *)
#define NO_VALUES NULL, 0

/** boxed_<kind>: ctorch_value_from_<kind> without its output. */
#define BOXED(kind, parameters, ...)                    \
  static inline ctorch_value *boxed_##kind parameters { \
    ctorch_value *out = NULL;                           \
    ck_ok(ctorch_value_from_##kind(__VA_ARGS__));       \
    return out;                                         \
  }
BOXED(none, (void), &out)
BOXED(tensor, (const ctorch_tensor *tensor), &out, tensor)
BOXED(int, (int64_t value), &out, value)
BOXED(double, (double value), &out, value)
BOXED(bool, (bool value), &out, value)
BOXED(complex, (double real, double imaginary), &out, real, imaginary)
BOXED(scalar, (const ctorch_scalar *value), &out, value)
BOXED(string, (const char *text), &out, text)
BOXED(string_data, (const char *data, size_t len), &out, data, len)
BOXED(bytes, (const char *data, size_t len), &out, data, len)
BOXED(device, (const ctorch_device *device), &out, device)
BOXED(stream, (const ctorch_stream *stream), &out, stream)
BOXED(generator, (const ctorch_generator *generator), &out, generator)
BOXED(storage, (const ctorch_storage *storage), &out, storage)
BOXED(dtype, (ctorch_dtype dtype), &out, dtype)
BOXED(layout, (ctorch_layout layout), &out, layout)
BOXED(memory_format, (ctorch_memory_format memory_format), &out, memory_format)
BOXED(ints, (const int64_t *values, size_t len), &out, values, len)
BOXED(doubles, (const double *values, size_t len), &out, values, len)
BOXED(bools, (const bool *values, size_t len), &out, values, len)
BOXED(strings, (const char *const *values, size_t len), &out, values, len)
BOXED(tensors, (const ctorch_tensor *const *tensors, size_t len), &out, tensors, len)
BOXED(list, (const ctorch_value *const *values, size_t len), &out, values, len)
BOXED(tuple, (const ctorch_value *const *values, size_t len), &out, values, len)
BOXED(
    dict,
    (const ctorch_value *const *keys, size_t keys_len, const ctorch_value *const *values, size_t len),
    &out,
    keys,
    keys_len,
    values,
    len)
#undef BOXED

/** Fail the test unless ctorch_value_repr gives this text. */
#define ck_repr(value, expected)                               \
  do {                                                         \
    ctorch_string *ck_string = NULL;                           \
    ck_ok(ctorch_value_repr(&ck_string, value));               \
    ck_assert_str_eq(ctorch_string_data(ck_string), expected); \
    ctorch_string_release(ck_string);                          \
  } while (0)

/** Fail the test unless ctorch_value_type gives this text. */
#define ck_type(value, expected)                               \
  do {                                                         \
    ctorch_string *ck_string = NULL;                           \
    ck_ok(ctorch_value_type(&ck_string, value));               \
    ck_assert_str_eq(ctorch_string_data(ck_string), expected); \
    ctorch_string_release(ck_string);                          \
  } while (0)

/** The tensor in a value, which must be one. */
static inline ctorch_tensor *unboxed_tensor(const ctorch_value *value) {
  ctorch_tensor *tensor = NULL;
  ck_ok(ctorch_value_to_tensor(&tensor, value));
  ck_assert_ptr_nonnull(tensor);
  return tensor;
}

#endif
