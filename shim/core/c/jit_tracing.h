/** Whether LibTorch notes the operators of this thread: for C that then says by an operator what it else computes
 * itself of sizes, so that the trace holds for other sizes. */
#ifndef CTORCH_SHIM_CORE_C_JIT_TRACING_H
#define CTORCH_SHIM_CORE_C_JIT_TRACING_H

#include "ctorch/abi/base.h"

CTORCH_BEGIN_DECLS

bool jit_is_tracing(void);

/** What is noted from here on is of a module of this name, such as "__module.body.0", until the same is left. Nothing
 * where this thread does not trace. */
ctorch_error *jit_scope_enter(const char *function, const char *name) __attribute__((warn_unused_result));
ctorch_error *jit_scope_leave(const char *function) __attribute__((warn_unused_result));

CTORCH_END_DECLS

#endif
