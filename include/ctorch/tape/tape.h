/**
 * Tapes: the operators of a step, noted while it runs once and replayed without autograd, allocations, checks and
 * dispatch. For small models on a CPU, whose time goes there and not in kernels.
 *
 *     ctorch_tape_begin(&tape, CTORCH_TENSORS(x), false, false);
 *     ctorch_module_forward(&y, model, x);                             // runs as ever, and is noted
 *     ctorch_tape_end(tape, CTORCH_TENSORS(y));
 *     ctorch_tape_outputs(&results, tape);                             // where the outputs are found from now on
 *     for (…)
 *       ctorch_tape_replay(tape, CTORCH_TENSORS(batch));               // as if the step had been made with `batch`
 *
 * A step is any sequence of calls on this thread: a forward pass, a forward and backward pass with the optimizer's
 * step, the decoding of a token with its cache. What is noted is what operators were called with: a branch of the
 * program is noted as it was taken, and numbers as they were. Tensors that are neither inputs nor made in the step
 * (weights, caches, the state of an optimizer) are used and changed in place, where they are.
 *
 * docs/tapes.md says what cannot be replayed, and what to do about it.
 */
#ifndef CTORCH_TAPE_H
#define CTORCH_TAPE_H

#include "ctorch/abi/base.h"
#include "ctorch/abi/string.h"
#include "ctorch/abi/tensor_list.h"
#include "ctorch/abi/types.h"

CTORCH_BEGIN_DECLS

/** A step that can be replayed. */
typedef struct ctorch_tape ctorch_tape;

/**
 * Note what this thread does from now on, which runs as it does otherwise.
 *
 * @param[out] out     owned; released before its end, it is as if nothing had been noted.
 * @param inputs       borrowed; tensors that each replay is given anew. CPU tensors, none of which overlaps another.
 * @param inputs_len   how many.
 * @param fast         whether loops of ctorch's own may stand for LibTorch's kernels where they are known to be faster:
 *                     results may then differ in the last digits.
 * @param verify       whether each replay is compared with the operators run one by one on copies, bit for bit; also if
 *                     CTORCH_TAPE_VERIFY=1 is in the environment. For finding out what is wrong: it is slow.
 * @return NULL, or NULL_ARGUMENT, INVALID_ARGUMENT (an input that is no strided CPU tensor, or overlaps another),
 *         RUNTIME (this thread notes a step already, or a transform of functions is active).
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_tape_begin(
    ctorch_tape **out, const ctorch_tensor *const *inputs, size_t inputs_len, bool fast, bool verify);

/**
 * End the step. What was called has run, whatever this answers.
 *
 * @param self         exclusive; begun by this thread.
 * @param outputs      borrowed; tensors that are to be read after each replay. What else the step made is not kept,
 *                     unless somebody has it.
 * @param outputs_len  how many.
 * @return NULL, or NULL_ARGUMENT, INVALID_ARGUMENT (an output that is no strided CPU tensor), RUNTIME (another tape is
 *         noted, or none; an operator failed), UNSUPPORTED (what cannot be replayed, with the operator and the number
 *         of its call: one that reads values or whose results' shapes depend on them, that resizes or replaces tensors,
 *         another device than the CPU, a hook of a user). The tape is of no use then.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_tape_end(ctorch_tape *self, const ctorch_tensor *const *outputs, size_t outputs_len);

/**
 * Make the step again with these inputs, which are copied; an input that the step writes is written. Nothing is
 * recorded for autograd. Random numbers are drawn as the step would draw them.
 *
 * @param self        exclusive; ended, by this thread or another.
 * @param inputs      borrowed; as many as at the begin, of the same sizes, strides and dtypes.
 * @param inputs_len  how many.
 * @return NULL, or NULL_ARGUMENT, INVALID_ARGUMENT (the number of inputs), SHAPE_MISMATCH, DTYPE_MISMATCH,
 *         DEVICE_MISMATCH (an input), VALUE (its strides; a tensor of the step that has other memory, sizes or dtype
 *         since; grad mode, inference mode or autocast differ from the capture's): nothing has been done then. RUNTIME
 *         and what operators answer (an index out of range) leave done what had been done. RUNTIME also if a
 *         comparison found a difference.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_tape_replay(ctorch_tape *self, const ctorch_tensor *const *inputs, size_t inputs_len);

/**
 * The outputs, in the order of ctorch_tape_end. They are the same tensors after each replay, with other values: copy
 * what is to be kept. One that is a view of an input of the step, of a weight or of another output is so here.
 *
 * @param[out] out  owned.
 * @param self      borrowed; ended.
 * @return NULL, or NULL_ARGUMENT, RUNTIME (not ended).
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_tape_outputs(ctorch_tensor_list **out, const ctorch_tape *self);

/**
 * A table for people: the operators in their order, how each is run again (`fast`: a loop of ctorch's; `move`: values
 * are copied and none computed; `structured`: a kernel of LibTorch prepared beforehand; `out`: a kernel that writes to
 * where the result belongs; `copy`: the operator and a copy of its result; `fill`: zeros), the bytes of its results,
 * and its share of the time of those replays that were timed, which are one in 64.
 *
 * @param[out] out  owned.
 * @param self      borrowed; ended.
 * @return NULL, or NULL_ARGUMENT, RUNTIME (not ended).
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_tape_text(ctorch_string **out, const ctorch_tape *self);

/**
 * Memory that the tape keeps for what the step makes and is given.
 *
 * @param self  borrowed; NULL is allowed.
 * @return bytes; 0 for NULL, and before the step has ended.
 * @since 0.1
 */
CTORCH_API size_t ctorch_tape_bytes(const ctorch_tape *self);

/**
 * Add a reference: one more ctorch_tape_release is due.
 *
 * @param self  borrowed; NULL is allowed.
 */
CTORCH_EXPORT void ctorch_tape_retain(const ctorch_tape *self);

/**
 * Give a reference back. Any thread may do this; a step that is still noted ends then.
 *
 * @param self  owned; NULL is allowed.
 */
CTORCH_EXPORT void ctorch_tape_release(ctorch_tape *self);

CTORCH_END_DECLS

#endif
