/** Threads of the layers above the operators that compute alone, as workers of a loader do. */
#ifndef CTORCH_SHIM_CORE_C_SINGLE_THREAD_H
#define CTORCH_SHIM_CORE_C_SINGLE_THREAD_H

#include "ctorch/abi/base.h"

CTORCH_BEGIN_DECLS

/** Let what this thread computes be computed by it alone; others are left as they are. */
void thread_compute_alone(void);

CTORCH_END_DECLS

#endif
