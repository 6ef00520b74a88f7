/**
 * Numbers of threads that LibTorch computes with.
 *
 * A child that fork() makes computes with one thread; leave it at one if the parent has computed before
 * (docs/threads.md, "Fork").
 */
#ifndef CTORCH_THREADS_H
#define CTORCH_THREADS_H

#include "ctorch/abi/base.h"

CTORCH_BEGIN_DECLS

/**
 * Threads that one operator on the CPU uses (`torch.get_num_threads`).
 *
 * @return at least 1.
 */
CTORCH_API int32_t ctorch_threads_num(void);

/**
 * Set the number of threads that one operator on the CPU uses.
 *
 * @param num_threads  at least 1.
 * @return NULL, or INVALID_ARGUMENT.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_threads_set_num(int32_t num_threads);

/**
 * Threads that run independent operators at once (`torch.get_num_interop_threads`).
 *
 * @return at least 1.
 */
CTORCH_API int32_t ctorch_threads_num_interop(void);

/**
 * Set the number of threads that run independent operators at once; only once, before they have started.
 *
 * @param num_threads  at least 1.
 * @return NULL, or INVALID_ARGUMENT, RUNTIME (too late).
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_threads_set_num_interop(int32_t num_threads);

CTORCH_END_DECLS

#endif
