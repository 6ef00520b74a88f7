/**
 * Modules by the name of their class, as a configuration file has it. Each class has a function of its own besides,
 * with typed arguments, in generated/nn.h.
 */
#ifndef CTORCH_NN_H
#define CTORCH_NN_H

#include "ctorch/base.h"
#include "ctorch/module.h"
#include "ctorch/value.h"

CTORCH_BEGIN_DECLS

/**
 * Make a module by the name of its class, from values: `getattr(torch.nn, name)(*args, **kwargs)`. The arguments have
 * Python's names and defaults.
 *
 * @param[out] out  owned.
 * @param name      borrowed; "Conv2d".
 * @param args      borrowed; a tuple or list of positional arguments. NULL for none.
 * @param kwargs    borrowed; a dict from texts to keyword arguments. NULL for none.
 * @return NULL, or NULL_ARGUMENT, INVALID_ARGUMENT (not UTF-8), INDEX (no such class; Python's AttributeError), TYPE
 *         (arguments that it does not take, or lacks, or of another type), or what the function of that name returns.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_nn_create(
    ctorch_module **out, const char *name, const ctorch_value *args, const ctorch_value *kwargs);

/**
 * Make a module as ctorch_nn_create does, without initial values (`torch.nn.utils.skip_init`): parameters and buffers
 * hold whatever the memory holds, and no random number is drawn. It is for what is overwritten next, as by a state
 * dict.
 *
 * The module is made on the device "meta" and moved by ctorch_module_to_empty to the `device` among the keyword
 * arguments: the CPU if there is none; with None it stays on "meta", as in Python.
 *
 * @param[out] out  owned.
 * @param name      borrowed; "Conv2d".
 * @param args      borrowed; a tuple or list of positional arguments, of which none is the device. NULL for none.
 * @param kwargs    borrowed; a dict from texts to keyword arguments. NULL for none.
 * @return NULL, or RUNTIME (a class that takes no `device`), TYPE (a `device` that is none), or what ctorch_nn_create
 *         and ctorch_module_to_empty return.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_nn_skip_init(
    ctorch_module **out, const char *name, const ctorch_value *args, const ctorch_value *kwargs);

CTORCH_END_DECLS

#endif
