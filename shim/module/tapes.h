/**
 * The tapes of what is captured by itself, one for each form of its inputs: a module, the step of an optimizer or of a
 * trainer. A form that is seen for the first time runs as ever, which makes what only a first step makes; the second
 * time it is captured, and from then on replayed. The tapes that were not used for the longest time go.
 *
 *     CTORCH_TRY(tapes_begin(function, &call, tapes, inputs, len, signature));
 *     if (call.what != TAPES_REPLAYED) {
 *       ctorch_error *error = … the step, which gives outputs …;
 *       CTORCH_TRY(tapes_end(function, &call, error, outputs, outputs_len, outline));
 *     }
 *     … call.outputs, where there are any …
 *     tapes_leave(&call);
 */
#ifndef CTORCH_SHIM_MODULE_TAPES_H
#define CTORCH_SHIM_MODULE_TAPES_H

#include <ctorch.h>

struct tapes;

struct tapes_call {
  enum { TAPES_RUN, TAPES_CAPTURE, TAPES_REPLAYED } what; /* what is to be done, or was */
  struct tapes *tapes;                                    /* NULL unless they are this thread's until the call ends */
  void *entry;
  ctorch_tape *tape;                   /* while it is captured */
  const ctorch_tensor *const *outputs; /* the tape's own, once it has any: they change with each replay */
  size_t outputs_len;
  const ctorch_value *outline; /* what the caller of tapes_end said of their form */
};

/** Let there be at most `most` of an exported function's argument in this place, with none yet; none at all for 0. */
ctorch_error *tapes_set(const char *function, struct tapes **place, int64_t most, bool fast)
    __attribute__((warn_unused_result));
void tapes_free(struct tapes *self);

/** Replay the step for these inputs if there is a tape, or begin to capture it if it is time. A tape that does not fit
 * any more, because a tensor or a mode of the program is another, is captured anew. `signature` is what else a step
 * depends on. While another thread uses the tapes, and in a capture, there is nothing to do but to run. */
ctorch_error *tapes_begin(
    const char *function,
    struct tapes_call *call,
    struct tapes *tapes,
    const ctorch_tensor *const *inputs,
    size_t inputs_len,
    uint64_t signature) __attribute__((warn_unused_result));

/** The end of a step that has run with `error`, which is answered; or why it cannot be captured. The outline is
 * consumed, also on failure, and may be NULL. */
ctorch_error *tapes_end(
    const char *function,
    struct tapes_call *call,
    ctorch_error *error,
    const ctorch_tensor *const *outputs,
    size_t outputs_len,
    ctorch_value *outline) __attribute__((warn_unused_result));

/** Let go of the tapes; also after an error. */
void tapes_leave(struct tapes_call *call);

#endif
