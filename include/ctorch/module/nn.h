/**
 * Modules by the name of their class, as a configuration file has it. Each class has a function of its own besides,
 * with typed arguments, in generated/nn.h.
 */
#ifndef CTORCH_NN_H
#define CTORCH_NN_H

#include "ctorch/abi/base.h"
#include "ctorch/module/module.h"
#include "ctorch/value/value.h"

CTORCH_BEGIN_DECLS

/**
 * Make a module by the name of its class, from values: `getattr(torch.nn, name)(*args, **kwargs)`. The arguments have
 * Python's names and defaults; modules among them are made values of by ctorch_value_from_module. Containers take what
 * they hold as in Python: Sequential modules or one dict, ModuleList a list, ModuleDict and ParameterDict a dict.
 * Devices and dtypes may be texts, as in a configuration file: "cuda:1", "float32". A float that is given as an int is
 * printed as one, as in Python.
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

/**
 * A module as a value: an argument of ctorch_nn_create, or a part of one.
 *
 * The value holds the module itself, and is equal to values of the same module alone. Its deep copy holds a copy.
 *
 * @param[out] out  owned.
 * @param module    borrowed, gets a reference.
 * @return NULL, or NULL_ARGUMENT.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_value_from_module(ctorch_value **out, const ctorch_module *module);

/**
 * The module that a value holds.
 *
 * @param[out] out  owned; another reference to the module itself.
 * @param self      borrowed.
 * @return NULL, or NULL_ARGUMENT, TYPE (no module).
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_value_to_module(ctorch_module **out, const ctorch_value *self);

CTORCH_END_DECLS

#endif
