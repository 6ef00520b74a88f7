/**
 * Warnings: where they go, and collecting them.
 *
 * LibTorch prints a warning on stderr. With ctorch_warning_set_callback it hands it to a function instead, on whatever
 * thread it arises; between ctorch_warnings_push and ctorch_warnings_pop a thread collects its own, which a program
 * uses that wants to treat them as errors. What autograd's threads warn of arrives on the thread that called backward.
 * While Python code runs LibTorch, its warnings are Python's own as before.
 */
#ifndef CTORCH_WARNING_H
#define CTORCH_WARNING_H

#include "ctorch/abi/base.h"
#include "ctorch/abi/types.h"

CTORCH_BEGIN_DECLS

/** What a warning is about: Python's UserWarning or DeprecationWarning. */
typedef int32_t ctorch_warning_kind;
enum { CTORCH_WARNING_USER = 0, CTORCH_WARNING_DEPRECATION = 1 };

/** Warnings that were collected, each with the number of times it was raised. */
typedef struct ctorch_warnings ctorch_warnings;

/**
 * What a program does with a warning.
 *
 * It runs on the thread that warns, which may be one of LibTorch's own, inside the operator and with whatever locks
 * that holds: it should be short, and several threads may run it at once. It cannot stop the operator, since a warning
 * may come from where nothing can be thrown; if it fails, the warning is printed on stderr, and the error with it. A
 * warning that it raises itself is printed too, and so is one that is raised while an exception unwinds the stack.
 *
 * @param kind        a ctorch_warning_kind.
 * @param message     borrowed for the call.
 * @param file        borrowed for the call; the source file in LibTorch.
 * @param function    borrowed for the call; the function in LibTorch.
 * @param line        the line in that file.
 * @param[out] error  owned; what went wrong, NULL if nothing did.
 * @param payload     what was registered with it.
 * @return CTORCH_CALLBACK_OK, or anything else for a failure.
 */
typedef ctorch_callback_status (*ctorch_warning_callback)(
    ctorch_warning_kind kind,
    const char *message,
    const char *file,
    const char *function,
    uint32_t line,
    ctorch_error **error,
    void *payload);

/**
 * Hand every warning in the process to a function, in place of the one before.
 *
 * @param callback  NULL to have warnings printed again.
 * @param destroy   called once with `payload` when the callback is replaced and no thread runs it any more, on
 *                  whichever thread that is, and not at the end of the process; may be NULL.
 * @param payload   handed to `callback`; may be NULL.
 * @return NULL, or OUT_OF_MEMORY.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_warning_set_callback(
    ctorch_warning_callback callback, void (*destroy)(void *payload), void *payload);

/**
 * Raise a warning, as LibTorch raises its own.
 *
 * @param kind     a ctorch_warning_kind.
 * @param message  borrowed.
 * @return NULL, or NULL_ARGUMENT, INVALID_ARGUMENT (unknown kind, not UTF-8).
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_warning_emit(ctorch_warning_kind kind, const char *message);

/**
 * Collect what this thread warns of, until the matching pop. It reaches neither the callback nor stderr.
 *
 * Warnings of other threads are not collected, but for those of autograd's threads in a backward of this one.
 *
 * @return NULL, or OUT_OF_MEMORY.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_warnings_push(void);

/**
 * End the last push on this thread.
 *
 * @param[out] out  owned; what was collected, in the order in which each warning was first raised; may be NULL.
 * @return NULL, or RUNTIME (nothing was pushed; somebody else has put a handler of LibTorch's warnings in the way).
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_warnings_pop(ctorch_warnings **out);

/**
 * Add a reference: one more ctorch_warnings_release is due.
 *
 * @param self  borrowed; NULL is allowed.
 */
CTORCH_EXPORT void ctorch_warnings_retain(const ctorch_warnings *self);

/**
 * Give a reference back. Any thread may do this.
 *
 * @param self  owned; NULL is allowed.
 */
CTORCH_EXPORT void ctorch_warnings_release(ctorch_warnings *self);

/**
 * Number of different warnings.
 *
 * @param self  borrowed; may be NULL.
 * @return 0 for NULL.
 */
CTORCH_API size_t ctorch_warnings_len(const ctorch_warnings *self);

/**
 * What a warning is about.
 *
 * @param self   borrowed; may be NULL.
 * @param index  below ctorch_warnings_len.
 * @return a ctorch_warning_kind; -1 without such a warning.
 */
CTORCH_API ctorch_warning_kind ctorch_warnings_kind(const ctorch_warnings *self, size_t index);

/**
 * The text of a warning.
 *
 * @param self   borrowed; may be NULL.
 * @param index  below ctorch_warnings_len.
 * @return borrowed from `self`; "" without such a warning.
 */
CTORCH_API const char *ctorch_warnings_message(const ctorch_warnings *self, size_t index);

/**
 * The source file in LibTorch that a warning comes from.
 *
 * @param self   borrowed; may be NULL.
 * @param index  below ctorch_warnings_len.
 * @return borrowed from `self`; "" without such a warning.
 */
CTORCH_API const char *ctorch_warnings_file(const ctorch_warnings *self, size_t index);

/**
 * The function in LibTorch that a warning comes from.
 *
 * @param self   borrowed; may be NULL.
 * @param index  below ctorch_warnings_len.
 * @return borrowed from `self`; "" without such a warning.
 */
CTORCH_API const char *ctorch_warnings_function(const ctorch_warnings *self, size_t index);

/**
 * The line that a warning comes from.
 *
 * @param self   borrowed; may be NULL.
 * @param index  below ctorch_warnings_len.
 * @return 0 without such a warning.
 */
CTORCH_API uint32_t ctorch_warnings_line(const ctorch_warnings *self, size_t index);

/**
 * How many times a warning was raised: the same kind and text from the same place.
 *
 * @param self   borrowed; may be NULL.
 * @param index  below ctorch_warnings_len.
 * @return at least 1; 0 without such a warning.
 */
CTORCH_API size_t ctorch_warnings_count(const ctorch_warnings *self, size_t index);

/**
 * Whether what LibTorch warns of once is said every time (`torch.is_warn_always_enabled`).
 *
 * @return false unless set.
 */
CTORCH_API bool ctorch_warning_always(void);

/**
 * Set whether what LibTorch warns of once is said every time, for the whole process (`torch.set_warn_always`).
 *
 * @param enabled  whether.
 * @return NULL.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_warning_set_always(bool enabled);

CTORCH_END_DECLS

#endif
