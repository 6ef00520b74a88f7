/** What an optimizer remembers of one parameter. */
#ifndef CTORCH_SHIM_OPTIM_STATE_H
#define CTORCH_SHIM_OPTIM_STATE_H

#include "optim/optimizer.h"

bool param_has_state(const struct optimizer_param *self);
void param_state_clear(struct optimizer_param *self);
void param_state_exchange(struct optimizer_param *self, struct optimizer_param *other);
/** Fill the state of a new parameter from a dict; if that fails it stays empty. */
ctorch_error *param_state_take(
    const char *function, const optimizer_class *class, struct optimizer_param *self, const ctorch_value *state)
    __attribute__((warn_unused_result));

#endif
