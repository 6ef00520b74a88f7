/** Hooks of optimizers, and those for all. */
#ifndef CTORCH_SHIM_OPTIM_OPTIMIZER_HOOKS_H
#define CTORCH_SHIM_OPTIM_OPTIMIZER_HOOKS_H

#include "optim/optimizer.h"

enum optimizer_hook_kind {
  OPTIMIZER_STEP_PRE,
  OPTIMIZER_STEP_POST,
  OPTIMIZER_STEP_KINDS, /* of these there are some for all optimizers */
  OPTIMIZER_STATE_DICT_PRE = OPTIMIZER_STEP_KINDS,
  OPTIMIZER_STATE_DICT,
  OPTIMIZER_LOAD_STATE_DICT_PRE,
  OPTIMIZER_LOAD_STATE_DICT,
  OPTIMIZER_HOOK_KINDS
};

void optimizer_hooks_free(struct optimizer_hooks *self);

/** Those before or after a step, those for all optimizers first or last. */
ctorch_error *optimizer_run_step_hooks(const char *function, ctorch_optimizer *self, bool before)
    __attribute__((warn_unused_result));

/** Hooks that look at the optimizer alone. */
ctorch_error *optimizer_run_hooks(const char *function, ctorch_optimizer *self, enum optimizer_hook_kind kind)
    __attribute__((warn_unused_result));

/** Hooks on a state dict, which is owned and may become another one. */
ctorch_error *optimizer_run_value_hooks(
    const char *function, ctorch_optimizer *self, enum optimizer_hook_kind kind, ctorch_value **dict)
    __attribute__((warn_unused_result));

#endif
