/**
 * Interrupts: how a signal ends a call that waits.
 *
 * Some calls take long without doing anything that a program sees: ctorch_iterator_next while a worker of a loader is
 * at work, ctorch_trainer_fit and ctorch_trainer_evaluate with all their batches. They look for an interrupt several
 * times a second while they wait, and before each batch. An interrupted call fails, and everything stays usable: the
 * iterator gives the batch when it is asked again, and the trainer goes on as after any other failure. The release of
 * an iterator waits for the samples that its workers have begun. After an interrupt it does not, or no longer: such a
 * worker ends by itself, after its sample.
 */
#ifndef CTORCH_INTERRUPT_H
#define CTORCH_INTERRUPT_H

#include "ctorch/abi/types.h"

CTORCH_BEGIN_DECLS

/**
 * Interrupt the calls that wait now, on all threads: each of them fails with RUNTIME within a fifth of a second. Calls
 * that begin later are not concerned. This may be called by any thread, and in a handler of signals; a runtime that
 * notices signals by itself calls it where it is asked to unblock a thread.
 *
 * @since 0.1
 */
CTORCH_EXPORT void ctorch_interrupt(void);

/**
 * Say whether a call that waits shall go on: a runtime looks for its signals, and runs their handlers.
 *
 * It runs on the thread of that call, several times a second, and may use ctorch.
 *
 * @param[out] error  owned; what the call shall fail with.
 * @param payload     as given to ctorch_interrupt_set_callback.
 * @return CTORCH_CALLBACK_OK to wait on; anything else ends the call, with `error`, or CALLBACK if there is none.
 */
typedef ctorch_callback_status (*ctorch_interrupt_callback)(ctorch_error **error, void *payload);

/**
 * Let calls that wait on this thread ask a callback whether to go on, in place of the one before.
 *
 * They ask while they wait and before each batch, at most 20 times a second. Other threads are not concerned. The
 * release of an iterator asks too, and ends; the error is lost.
 *
 * @param callback  called on this thread.
 * @param destroy   called once with `payload`, on this thread: when the callback was replaced or cleared and does not
 *                  run any more, or when the thread ends. NULL for none.
 * @param payload   handed to the callback; NULL is allowed.
 * @return NULL, or NULL_ARGUMENT (`callback`), OUT_OF_MEMORY.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_interrupt_set_callback(
    ctorch_interrupt_callback callback, void (*destroy)(void *payload), void *payload);

/**
 * Let calls that wait on this thread ask nobody.
 *
 * @since 0.1
 */
CTORCH_EXPORT void ctorch_interrupt_clear_callback(void);

/**
 * For a binding for Python: calls that wait look for signals of Python's, on whichever thread they are.
 *
 * They call PyErr_CheckSignals, with the GIL held, which runs the handlers that Python programs have set. If a handler
 * raises, `methods.interrupted(exception, error)` is called: it makes an error of the exception, as of one that left a
 * callback, and stores it at the address `error`. The waiting call fails with this error.
 *
 * @param methods  a Python object with this method, of which a reference is kept; the GIL is needed. NULL, which Python
 *                 must say before it ends, looks for signals no more.
 * @return whether there is a Python in the process.
 * @since 0.1
 */
CTORCH_API bool ctorch_interrupt_python(void *methods);

CTORCH_END_DECLS

#endif
