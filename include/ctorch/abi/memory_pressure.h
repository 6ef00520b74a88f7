/**
 * Memory pressure: a runtime with a garbage collector hears when tensors it has forgotten take too much room.
 *
 * With a callback set here, ctorch counts the memory that handles keep alive and calls back when it has grown by a
 * threshold, and when an allocation has failed, before the failure is reported. The callback collects and so releases
 * handles. Without one nothing is counted, and nothing of this costs anything.
 *
 * docs/handles.md, "Memory pressure", says what is counted and when the callback is called.
 */
#ifndef CTORCH_MEMORY_PRESSURE_H
#define CTORCH_MEMORY_PRESSURE_H

#include "ctorch/abi/base.h"
#include "ctorch/abi/types.h"

CTORCH_BEGIN_DECLS

/** Why the callback is called. */
typedef int32_t ctorch_memory_pressure;
enum { CTORCH_MEMORY_PRESSURE_GROWTH = 1, CTORCH_MEMORY_PRESSURE_OUT_OF_MEMORY = 2 };

/**
 * Free memory: release handles that nobody uses any more.
 *
 * It runs on the thread whose call made the memory grow or run out, after the work of that call is done or given up and
 * before the call returns. It may use ctorch, also to release, to end scopes and to replace itself; what it makes does
 * not call it again. The arguments of the call must stay alive. It is not called for growth while any thread is in it;
 * when memory runs out in several threads at once, it runs in each of them.
 *
 * A callback that lets other threads finalise should wait for them: the call is tried again as soon as it returns.
 *
 * @param reason           a ctorch_memory_pressure.
 * @param held_bytes       memory that handles keep alive now, see above.
 * @param requested_bytes  size of the allocation that failed, as far as LibTorch tells it; 0 for growth.
 * @param[out] error       owned; what failed, if anything did.
 * @param payload          as given to ctorch_memory_pressure_set_callback.
 * @return CTORCH_CALLBACK_OK, also if nothing could be freed. A failure becomes that of the call, which then leaves its
 *         outputs untouched and releases its results; what it changed in its arguments stays changed.
 */
typedef ctorch_callback_status (*ctorch_memory_pressure_callback)(
    ctorch_memory_pressure reason, uint64_t held_bytes, uint64_t requested_bytes, ctorch_error **error, void *payload);

/**
 * Set the callback of this process, in place of the one before.
 *
 * Growth is measured from the lowest point since the callback last ran: it is called when `held_bytes` has risen by
 * `threshold` above it, or the memory allocated on the CPU by an eighth more, see above. So with nothing to free it is
 * called once for each further `threshold` bytes, not for every tensor; with much to free it is ready again at once.
 *
 * When memory runs out, the callback runs and then the call is tried a second time, once, if it is an operator that
 * changes none of its arguments. If the second try fails, its error is the one reported; what a first try has drawn of
 * random numbers stays drawn. Other calls fail with OUT_OF_MEMORY after the callback, and the caller may make them
 * again where half of their work does no harm.
 *
 * @param callback   called on any thread that uses ctorch, see above.
 * @param threshold  bytes; 0 to be called only when memory runs out.
 * @param destroy    called once with `payload`, when the callback was replaced or cleared and no thread is in it any
 *                   more; NULL for none.
 * @param payload    handed to the callback; NULL is allowed.
 * @return NULL, or NULL_ARGUMENT (`callback`), OUT_OF_MEMORY.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_memory_pressure_set_callback(
    ctorch_memory_pressure_callback callback, uint64_t threshold, void (*destroy)(void *payload), void *payload);

/**
 * ctorch_memory_pressure_set_callback for a runtime that only this thread may enter: the callback runs on the thread
 * that sets it. Growth on others, such as the workers of a loader, is heard when this thread next makes a handle; what
 * runs out of memory elsewhere fails without asking.
 *
 * @param callback   called on this thread.
 * @param threshold  bytes; 0 to be called only when memory runs out.
 * @param destroy    called once with `payload`, when the callback was replaced or cleared and no thread is in it any
 *                   more; NULL for none.
 * @param payload    handed to the callback; NULL is allowed.
 * @return NULL, or NULL_ARGUMENT (`callback`), OUT_OF_MEMORY.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_memory_pressure_set_thread_callback(
    ctorch_memory_pressure_callback callback, uint64_t threshold, void (*destroy)(void *payload), void *payload);

/** Set no callback and stop counting. Handles that were handed out so far are not counted later either. */
CTORCH_EXPORT void ctorch_memory_pressure_clear_callback(void);

/**
 * Memory that handles keep alive, as the callback gets it.
 *
 * @return bytes; 0 while no callback is set.
 */
CTORCH_API uint64_t ctorch_memory_pressure_held_bytes(void);

/**
 * Memory that LibTorch has allocated on the CPU and not freed, rounded up to blocks of malloc, with the vocabularies of
 * tokenizers and the files of readers. A runtime whose collector cannot be called from within a call of C asks for it
 * after calls instead of setting a callback.
 *
 * Counting begins with the first call of this function, or the first callback, and does not end. What was allocated
 * before does not count. It costs as much as reading a variable.
 *
 * @return bytes; what is allocated by an allocator for the CPU that was put in place of LibTorch's does not count.
 * @since 0.1
 */
CTORCH_API uint64_t ctorch_memory_pressure_allocated_bytes(void);

CTORCH_END_DECLS

#endif
