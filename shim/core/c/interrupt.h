/** Interrupts of calls that wait, for the layers above the operators: <ctorch/abi/interrupt.h>. */
#ifndef CTORCH_SHIM_CORE_C_INTERRUPT_H
#define CTORCH_SHIM_CORE_C_INTERRUPT_H

#include "ctorch/abi/error.h"

CTORCH_BEGIN_DECLS

/** How many interrupts there have been: a call that waits asks for this where it begins. */
uint64_t interrupt_count(void);

/** NULL, or the error of `function` that an interrupt came after the call had begun, a signal of Python's, or that the
 * thread's callback says so. Hold no lock: code of the program's may run. */
ctorch_error *interrupt_check(const char *function, uint64_t begin) __attribute__((warn_unused_result));

CTORCH_END_DECLS

#endif
