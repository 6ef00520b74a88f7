/** Whether LibTorch notes the operators of this thread: for C that then says by an operator what it else computes itself
 * of sizes, so that the trace holds for other sizes. */
#ifndef CTORCH_ABI_JIT_TRACING_H
#define CTORCH_ABI_JIT_TRACING_H

#include "ctorch/base.h"

CTORCH_BEGIN_DECLS

bool jit_is_tracing(void);

CTORCH_END_DECLS

#endif
