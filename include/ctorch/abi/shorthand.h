/**
 * Shorthands for C programs: what one would write oneself, once.
 *
 * Everything here is an inline function or a macro over the rest of this library. Nothing of it is exported, and no
 * binding needs it. generated/shorthand.h adds operators with their usual defaults.
 *
 *     static ctorch_callback_status forward(ctorch_tensor **out, …, ctorch_error **error, void *payload) {
 *       ctorch_scope *scope = NULL;
 *       if ((*error = ctorch_scope_begin(&scope)) == NULL) {
 *         *error = work(out, …);                              // CTORCH_TRY(…) throughout
 *       }
 *       return ctorch_callback_finish(error, scope, *out);    // CTORCH_CALLBACK_OK, or a failure with its error
 *     }
 *
 *     int main(void) {
 *       ctorch_scope *scope = NULL;
 *       ctorch_error *error = ctorch_scope_begin(&scope);
 *       if (error == NULL) {
 *         error = run();
 *       }
 *       ctorch_scope_end(scope);
 *       return ctorch_error_finish(error);                    // says what went wrong, and where it came by
 *     }
 */
#ifndef CTORCH_SHORTHAND_H
#define CTORCH_SHORTHAND_H

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "ctorch/abi/base.h"
#include "ctorch/abi/error.h"
#include "ctorch/abi/scope.h"
#include "ctorch/abi/tensor_list.h"
#include "ctorch/abi/types.h"

CTORCH_BEGIN_DECLS

#if defined(__GNUC__) || defined(__clang__)
#define CTORCH_PRINTF(at, first) __attribute__((format(printf, at, first)))
#define CTORCH_MUST_CHECK __attribute__((warn_unused_result))
#else
#define CTORCH_PRINTF(at, first)
#define CTORCH_MUST_CHECK
#endif

/**
 * Make an error with a message by printf's rules: `return ctorch_error_format(CTORCH_ERROR_FORMAT, "%s: no IDX file",
 * path);`.
 *
 * A byte that is not UTF-8, as a file's name may have, is shown as "?".
 *
 * @return an error in any case: this one, or why it could not be made.
 */
CTORCH_MUST_CHECK CTORCH_PRINTF(2, 3) static inline ctorch_error *ctorch_error_format(
    ctorch_error_kind kind, const char *format, ...) {
  ctorch_error *error = NULL, *refusal;
  char brief[256], *message = brief;
  va_list arguments;
  int len;
  va_start(arguments, format);
  len = vsnprintf(brief, sizeof brief, format, arguments);
  va_end(arguments);
  if (len < 0) {
    brief[0] = '\0';
  } else if ((size_t)len >= sizeof brief) {
    message = (char *)malloc((size_t)len + 1);
    if (message == NULL) {
      message = brief; /* its beginning */
    } else {
      va_start(arguments, format);
      vsnprintf(message, (size_t)len + 1, format, arguments);
      va_end(arguments);
    }
  }
  refusal = ctorch_error_new(&error, kind, message);
  if (refusal != NULL && ctorch_error_kind_name(kind) != NULL &&
      ctorch_error_kind_of(refusal) == CTORCH_ERROR_INVALID_ARGUMENT) {
    char *byte;
    for (byte = message; *byte != '\0'; byte++) {
      *byte = (char)((unsigned char)*byte < 0x80 ? *byte : '?');
    }
    ctorch_error_release(refusal);
    refusal = ctorch_error_new(&error, kind, message);
  }
  if (message != brief) {
    free(message);
  }
  return refusal != NULL ? refusal : error;
}

/**
 * The first of two results, each of which may be an error. The second is released if both are.
 *
 *     error = ctorch_error_first(error, close_file(file));
 */
CTORCH_MUST_CHECK static inline ctorch_error *ctorch_error_first(ctorch_error *first, ctorch_error *second) {
  if (first == NULL) {
    return second;
  }
  if (second != first) {
    ctorch_error_release(second);
  }
  return first;
}

/** Write an error to a file, "function: message" and the places that it came by. Nothing for NULL. */
static inline void ctorch_error_print(FILE *file, const ctorch_error *error) {
  const char *function = ctorch_error_function(error), *frame = ctorch_error_trace(error);
  if (error == NULL) {
    return;
  }
  fprintf(file, "%s%s%s\n", function, *function == '\0' ? "" : ": ", ctorch_error_message(error));
  while (*frame != '\0') {
    size_t len = 0;
    while (frame[len] != '\0' && frame[len] != '\n') {
      len++;
    }
    fprintf(file, "  at %.*s\n", (int)len, frame);
    frame += len + (frame[len] == '\n' ? 1 : 0);
  }
}

/** End a program with its error, which may be NULL: it is printed to standard error and released.
 *
 * @return what main returns: EXIT_SUCCESS for NULL, else EXIT_FAILURE.
 */
CTORCH_MUST_CHECK static inline int ctorch_error_finish(ctorch_error *error) {
  ctorch_error_print(stderr, error);
  ctorch_error_release(error);
  return error == NULL ? EXIT_SUCCESS : EXIT_FAILURE;
}

/**
 * Finish a callback that has worked in a scope of its own: keep its result beyond the scope, end that, and answer.
 *
 * @param error   what the callback failed with so far is in `*error`, NULL for nothing.
 * @param scope   NULL for none.
 * @param result  what it hands over; NULL for nothing.
 * @return CTORCH_CALLBACK_OK unless `*error` is an error now.
 */
CTORCH_MUST_CHECK static inline ctorch_callback_status ctorch_callback_finish(
    ctorch_error **error, ctorch_scope *scope, const void *result) {
  if (*error == NULL && scope != NULL) {
    *error = ctorch_scope_keep(scope, result);
  }
  ctorch_scope_end(scope);
  return *error == NULL ? CTORCH_CALLBACK_OK : 0;
}

/** Tensors where `const ctorch_tensor *const *` is asked: C has no such conversion of its own. */
static inline const ctorch_tensor *const *ctorch_const_tensors(ctorch_tensor *const *tensors) {
  return (const ctorch_tensor *const *)tensors;
}

CTORCH_END_DECLS

/** The entries of a ctorch_tensor_list * as a list argument that is changed, and their number: the parameters of a
 *  model
 * for an optimizer, `ctorch_optim_SGD(&optimizer, CTORCH_LIST(parameters), 0.1, …)`. */
#define CTORCH_LIST(list) ctorch_tensor_list_mutable_data(list), ctorch_tensor_list_len(list)

/**
 * An array of tensors as a list argument and its length, `ctorch_aten_cat(&y, CTORCH_CONST_TENSORS(parts), 0)` for
 * `ctorch_tensor *parts[8]`. What is no array, whose length nobody knows, does not compile: write
 * `ctorch_const_tensors(parts), parts_len` for a pointer.
 */
#ifdef __cplusplus
#define CTORCH_CONST_TENSORS(array) ctorch_array_begin(array), ctorch_array_length(array)
extern "C++" {
inline const ctorch_tensor *const *ctorch_const_tensors_of(ctorch_tensor *const *array) {
  return ctorch_const_tensors(array);
}
inline const ctorch_tensor *const *ctorch_const_tensors_of(const ctorch_tensor *const *array) { return array; }
template <class T, size_t LENGTH>
inline const ctorch_tensor *const *ctorch_array_begin(T (&array)[LENGTH]) {
  return ctorch_const_tensors_of(array);
}
template <class T, size_t LENGTH>
inline size_t ctorch_array_length(T (&)[LENGTH]) {
  return LENGTH;
}
}
#else
#define CTORCH_CONST_TENSORS(array)                                  \
  _Generic(                                                          \
      (array)[0],                                                    \
      ctorch_tensor *: (const ctorch_tensor *const *)(array),        \
      const ctorch_tensor *: (const ctorch_tensor *const *)(array)), \
      (sizeof(array) / sizeof((array)[0]) + 0 * CTORCH_REFUSE_POINTER(array))
#ifdef __GNUC__
/** The size of something, if it is the array itself that is given, whatever its length; a pointer is refused. */
#define CTORCH_REFUSE_POINTER(array)                                                                       \
  sizeof(struct {                                                                                          \
    char size;                                                                                             \
    _Static_assert(                                                                                        \
        !__builtin_types_compatible_p(__typeof__(array), __typeof__(&(array)[0])),                         \
        "this is no array, but a pointer: write ctorch_const_tensors(pointer) and the number of tensors"); \
  })
#else
/** The size of a type without one, which is an error, unless it is the array itself that has an address. */
#define CTORCH_REFUSE_POINTER(array)                                             \
  sizeof(_Generic(                                                               \
      &(array),                                                                  \
      ctorch_tensor * **: *(struct ctorch_this_is_no_array *)0,                  \
      ctorch_tensor *const **: *(struct ctorch_this_is_no_array *)0,             \
      ctorch_tensor **const *: *(struct ctorch_this_is_no_array *)0,             \
      ctorch_tensor *const *const *: *(struct ctorch_this_is_no_array *)0,       \
      const ctorch_tensor ***: *(struct ctorch_this_is_no_array *)0,             \
      const ctorch_tensor *const **: *(struct ctorch_this_is_no_array *)0,       \
      const ctorch_tensor **const *: *(struct ctorch_this_is_no_array *)0,       \
      const ctorch_tensor *const *const *: *(struct ctorch_this_is_no_array *)0, \
      default: (char)0))
#endif
#endif

#endif
