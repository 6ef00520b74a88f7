/**
 * Errors: what a failed call hands over.
 *
 * A fallible function returns NULL, or an error object that you own. It carries a kind to branch on, a message for
 * people, the function that failed, and where PyTorch tells them the shapes, devices, dtypes or byte counts that did
 * not fit. Nothing about errors is kept per thread. A message begins with what went wrong, never with the function, and
 * has at most 65,536 bytes.
 *
 * docs/errors.md says more: kinds, traces, errors of callbacks.
 */
#ifndef CTORCH_ERROR_H
#define CTORCH_ERROR_H

#include "ctorch/abi/base.h"
#include "ctorch/abi/types.h"

CTORCH_BEGIN_DECLS

/** What went wrong. 1 to 19 are PyTorch's own kinds, 20 to 29 their refinements, 30 and up are ctorch's. */
typedef int32_t ctorch_error_kind;
enum {
  CTORCH_ERROR_RUNTIME = 1,
  CTORCH_ERROR_INDEX = 2,
  CTORCH_ERROR_VALUE = 3,
  CTORCH_ERROR_TYPE = 4,
  CTORCH_ERROR_NOT_IMPLEMENTED = 5,
  CTORCH_ERROR_LINALG = 6,
  CTORCH_ERROR_OUT_OF_MEMORY = 7,
  CTORCH_ERROR_SYNTAX = 8,
  CTORCH_ERROR_BUFFER = 9,
  CTORCH_ERROR_ACCELERATOR = 10,
  CTORCH_ERROR_DIST = 11,
  CTORCH_ERROR_DIST_BACKEND = 12,
  CTORCH_ERROR_DIST_STORE = 13,
  CTORCH_ERROR_DIST_NETWORK = 14,
  CTORCH_ERROR_DIST_QUEUE_EMPTY = 15,
  CTORCH_ERROR_SHAPE_MISMATCH = 20,
  CTORCH_ERROR_DEVICE_MISMATCH = 21,
  CTORCH_ERROR_DTYPE_MISMATCH = 22,
  CTORCH_ERROR_NULL_ARGUMENT = 30,
  CTORCH_ERROR_INVALID_ARGUMENT = 31,
  CTORCH_ERROR_UNSUPPORTED = 32,
  CTORCH_ERROR_INVALID_HANDLE = 33,
  CTORCH_ERROR_IO = 34,
  CTORCH_ERROR_FORMAT = 35,
  CTORCH_ERROR_CALLBACK = 36,
  CTORCH_ERROR_PYTHON = 37,
  CTORCH_ERROR_STD = 90,
  CTORCH_ERROR_INTERNAL = 91,
  CTORCH_ERROR_UNKNOWN = 92
};

/**
 * Make an error, for a callback to hand over or for code written on top of ctorch.
 *
 * @param[out] out  owned.
 * @param kind      a ctorch_error_kind.
 * @param message   borrowed; UTF-8, copied.
 * @return NULL, or NULL_ARGUMENT (`out`, `message`), INVALID_ARGUMENT (unknown kind, invalid UTF-8).
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_error_new(ctorch_error **out, ctorch_error_kind kind, const char *message);

/**
 * Give an error back.
 *
 * @param self  owned; NULL is allowed.
 */
CTORCH_EXPORT void ctorch_error_release(ctorch_error *self);

/**
 * What went wrong, to branch on.
 *
 * @param self  borrowed; NULL is success.
 * @return a ctorch_error_kind; 0 for NULL.
 */
CTORCH_API ctorch_error_kind ctorch_error_kind_of(const ctorch_error *self);

/**
 * The name of a kind: "SHAPE_MISMATCH".
 *
 * @param kind  any number.
 * @return static text; NULL for an unknown kind.
 */
CTORCH_API const char *ctorch_error_kind_name(ctorch_error_kind kind);

/**
 * The message: PyTorch's own text, without its C++ backtrace, or one line of ctorch's.
 *
 * @param self  borrowed; NULL is success.
 * @return borrowed from `self`, UTF-8; "" for NULL.
 */
CTORCH_API const char *ctorch_error_message(const ctorch_error *self);

/**
 * The ctorch function that failed: "ctorch_aten_add_Tensor".
 *
 * @param self  borrowed; NULL is success.
 * @return borrowed from `self`; "" for NULL and for an error made by ctorch_error_new.
 */
CTORCH_API const char *ctorch_error_function(const ctorch_error *self);

/**
 * The stack where the error arose, a frame per line with the names of functions, as far as the files have them.
 *
 * In LibTorch, of an error that it threw; else from the ctorch function that made the error. Made when first asked for,
 * which takes milliseconds; safe from several threads.
 *
 * @param self  borrowed; NULL is success.
 * @return borrowed from `self`; "" where no stack was noted (ctorch_debug_set_error_backtraces).
 */
CTORCH_API const char *ctorch_error_backtrace(const ctorch_error *self);

/**
 * Note that an error comes by on its way up, for ctorch_error_trace. CTORCH_TRY does this; a binding may do it where
 * its language knows the place.
 *
 * Of more than 64 frames those in the middle are left out.
 *
 * @param self      exclusive; NULL is allowed.
 * @param file      borrowed, copied; NULL if unknown.
 * @param line      counted from 1; 0 if unknown.
 * @param function  borrowed, copied; NULL if unknown.
 * @since 0.1
 */
CTORCH_EXPORT void ctorch_error_add_frame(ctorch_error *self, const char *file, int32_t line, const char *function);

/**
 * The way an error took: "file:line: function" for each ctorch_error_add_frame, the innermost first, each on a line of
 * its own.
 *
 * @param self  borrowed; NULL is success.
 * @return borrowed from `self` until the next ctorch_error_add_frame; "" without frames.
 * @since 0.1
 */
CTORCH_API const char *ctorch_error_trace(const ctorch_error *self);

/**
 * The shape that would have fitted.
 *
 * @param self          borrowed; may be NULL.
 * @param[out] out      `out_len` sizes, borrowed from `self`; may be NULL.
 * @param[out] out_len  number of dimensions; may be NULL.
 * @return whether `self` carries it (SHAPE_MISMATCH); if not, the outputs are untouched.
 */
CTORCH_API bool ctorch_error_expected_shape(const ctorch_error *self, const int64_t **out, size_t *out_len);

/**
 * The shape that was given; as far as PyTorch's message tells it, which may be one dimension only.
 *
 * @param self          borrowed; may be NULL.
 * @param[out] out      `out_len` sizes, borrowed from `self`; may be NULL.
 * @param[out] out_len  number of dimensions; may be NULL.
 * @return whether `self` carries it (SHAPE_MISMATCH); if not, the outputs are untouched.
 */
CTORCH_API bool ctorch_error_got_shape(const ctorch_error *self, const int64_t **out, size_t *out_len);

/**
 * The device that would have fitted.
 *
 * @param self      borrowed; may be NULL.
 * @param[out] out  may be NULL.
 * @return whether `self` carries it (DEVICE_MISMATCH); if not, `out` is untouched.
 */
CTORCH_API bool ctorch_error_expected_device(const ctorch_error *self, ctorch_device *out);

/**
 * The device that was given.
 *
 * @param self      borrowed; may be NULL.
 * @param[out] out  may be NULL.
 * @return whether `self` carries it (DEVICE_MISMATCH); if not, `out` is untouched.
 */
CTORCH_API bool ctorch_error_got_device(const ctorch_error *self, ctorch_device *out);

/**
 * The dtype that would have fitted.
 *
 * @param self      borrowed; may be NULL.
 * @param[out] out  may be NULL.
 * @return whether `self` carries it (DTYPE_MISMATCH); if not, `out` is untouched.
 */
CTORCH_API bool ctorch_error_expected_dtype(const ctorch_error *self, ctorch_dtype *out);

/**
 * The dtype that was given.
 *
 * @param self      borrowed; may be NULL.
 * @param[out] out  may be NULL.
 * @return whether `self` carries it (DTYPE_MISMATCH); if not, `out` is untouched.
 */
CTORCH_API bool ctorch_error_got_dtype(const ctorch_error *self, ctorch_dtype *out);

/**
 * Bytes that an allocation asked for.
 *
 * @param self      borrowed; may be NULL.
 * @param[out] out  may be NULL.
 * @return whether `self` carries it (OUT_OF_MEMORY); if not, `out` is untouched.
 */
CTORCH_API bool ctorch_error_requested_bytes(const ctorch_error *self, uint64_t *out);

/**
 * Bytes that were free when an allocation failed: the device's by its own report, the machine's for the CPU.
 *
 * @param self      borrowed; may be NULL.
 * @param[out] out  may be NULL.
 * @return whether `self` carries it (OUT_OF_MEMORY); if not, `out` is untouched.
 */
CTORCH_API bool ctorch_error_available_bytes(const ctorch_error *self, uint64_t *out);

/** Return the error of `expression` from the enclosing function if it fails; the error notes this place. */
#define CTORCH_TRY(expression)                                                \
  do {                                                                        \
    ctorch_error *ctorch_try_error = (expression);                            \
    if (ctorch_try_error != NULL) {                                           \
      ctorch_error_add_frame(ctorch_try_error, __FILE__, __LINE__, __func__); \
      return ctorch_try_error;                                                \
    }                                                                         \
  } while (0)

/** Jump to `label` with the error of `expression` stored in `error` if it fails; the error notes this place. */
#define CTORCH_TRY_GOTO(error, expression, label)                    \
  do {                                                               \
    (error) = (expression);                                          \
    if ((error) != NULL) {                                           \
      ctorch_error_add_frame((error), __FILE__, __LINE__, __func__); \
      goto label;                                                    \
    }                                                                \
  } while (0)

CTORCH_END_DECLS

#endif
