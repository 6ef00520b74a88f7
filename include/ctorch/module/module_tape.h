/**
 * Modules that capture themselves: inference without dispatch and allocations, by tapes (tape.h) that the module keeps.
 *
 *     CTORCH_TRY(ctorch_module_train(model, false));
 *     CTORCH_TRY(ctorch_module_set_tape(model, 4, false));
 *     …
 *     CTORCH_TRY(ctorch_module_forward(&y, model, x));       // the third time with these sizes it is a replay
 *
 * Results are the same, bit for bit, and belong to the caller as ever.
 */
#ifndef CTORCH_MODULE_TAPE_H
#define CTORCH_MODULE_TAPE_H

#include "ctorch/abi/base.h"
#include "ctorch/module/module.h"

CTORCH_BEGIN_DECLS

/**
 * Capture what the module does, and replay it: calls that pass tensors of the CPU, None, and tuples and lists of these,
 * while gradients are not recorded. There is a tape for each form of the inputs (nesting, dtypes, sizes, strides) and
 * for what trains in the module; the first call of a form runs, the second is captured, and those after it are replays.
 * If a parameter gets other memory, it is captured anew. A call while another thread is in the module runs as ever.
 *
 * A module whose forward cannot be replayed (tape.h says what) fails with UNSUPPORTED when it is captured.
 *
 * @param self  exclusive; no call may be under way. A copy of it has no tapes.
 * @param most  as many tapes are kept, those that were used last; 0 for none, at most 1024.
 * @param fast  as for ctorch_tape_begin: results may differ in the last digits.
 * @return NULL, or NULL_ARGUMENT, INVALID_ARGUMENT (`most`), OUT_OF_MEMORY.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_module_set_tape(ctorch_module *self, int64_t most, bool fast);

CTORCH_END_DECLS

#endif
