/**
 * Errors made in C: how the layers above the operators fail.
 *
 *     if (dim < 0) {
 *       return error_argument(__func__, "dim", "expected a dimension >= 0, got %" PRId64, dim);
 *     }
 *
 * Each function makes an error that names the exported function it came from (ctorch_error_function; the message does
 * not repeat it), with a message of one line, and never fails itself: out of memory yields a static error that says so.
 * Formats are those of printf, whatever the locale.
 */
#ifndef CTORCH_SHIM_CORE_C_ERROR_H
#define CTORCH_SHIM_CORE_C_ERROR_H

#include "ctorch/abi/error.h"

CTORCH_BEGIN_DECLS

#define ERROR_FORMAT(at) __attribute__((format(printf, at, at + 1), warn_unused_result))

/** Of any kind. `function` must be static text: __func__. */
ctorch_error *error_make(const char *function, ctorch_error_kind code, const char *format, ...) ERROR_FORMAT(3);

/** NULL_ARGUMENT: "<argument> must not be NULL". */
ctorch_error *error_null(const char *function, const char *argument) __attribute__((warn_unused_result));

/** INVALID_ARGUMENT: "<argument>: <message>". */
ctorch_error *error_argument(const char *function, const char *argument, const char *format, ...) ERROR_FORMAT(3);

/** SHAPE_MISMATCH, with both shapes: ctorch_error_expected_shape, ctorch_error_got_shape. */
ctorch_error *error_shape(
    const char *function,
    const int64_t *expected,
    size_t expected_len,
    const int64_t *got,
    size_t got_len,
    const char *format,
    ...) ERROR_FORMAT(6);

/** DEVICE_MISMATCH, with both devices. */
ctorch_error *error_device(
    const char *function, const ctorch_device *expected, const ctorch_device *got, const char *format, ...)
    ERROR_FORMAT(4);

/** DTYPE_MISMATCH, with both dtypes. */
ctorch_error *error_dtype(const char *function, ctorch_dtype expected, ctorch_dtype got, const char *format, ...)
    ERROR_FORMAT(4);

/** OUT_OF_MEMORY, with the bytes that were asked for. */
ctorch_error *error_memory(const char *function, uint64_t requested_bytes) __attribute__((warn_unused_result));

/**
 * Say where an error arose, in front of its message: "<place>: <message>", such as a module's dotted path.
 *
 * @param self  consumed and returned; NULL stays NULL. Code, function and details stay as they are.
 */
ctorch_error *error_at(ctorch_error *self, const char *format, ...) ERROR_FORMAT(2);

/**
 * What an exported function reports of another that it called: its own name is the one to ask for.
 *
 * @param self  consumed and returned; NULL stays NULL, and so does what a callback of the caller's says.
 */
ctorch_error *error_of(const char *function, ctorch_error *self) __attribute__((warn_unused_result));

/** For what calls itself, and should say where an error arose but once: true the first time that an error is asked. */
bool error_take_place(ctorch_error *self);

/**
 * What operators refuse of an argument of such a type, by the same rules and in the same words: INVALID_ARGUMENT for an
 * unknown number, a device that cannot be, text that is not UTF-8. NULL is left to the caller.
 *
 * @return NULL if there is nothing to refuse.
 */
ctorch_error *error_unless_dtype(const char *function, const char *argument, const ctorch_dtype *value)
    __attribute__((warn_unused_result));
ctorch_error *error_unless_layout(const char *function, const char *argument, const ctorch_layout *value)
    __attribute__((warn_unused_result));
ctorch_error *error_unless_device(const char *function, const char *argument, const ctorch_device *value)
    __attribute__((warn_unused_result));
ctorch_error *error_unless_scalar(const char *function, const char *argument, const ctorch_scalar *value)
    __attribute__((warn_unused_result));
ctorch_error *error_unless_text(const char *function, const char *argument, const char *value)
    __attribute__((warn_unused_result));

/** The same for a list, of whatever: NULL_ARGUMENT if there is none for its length, INVALID_ARGUMENT for an absurd
 * one. */
ctorch_error *error_unless_list(const char *function, const char *argument, const void *list, size_t len)
    __attribute__((warn_unused_result));

/**
 * Why a call is refused whatever its arguments are: the LibTorch in this process is another one than this was compiled
 * for. A function that begins by calling others of ctorch's need not ask, because they do.
 *
 * @return NULL if it is not.
 */
ctorch_error *error_refusal(const char *function) __attribute__((warn_unused_result));

CTORCH_END_DECLS

#endif
