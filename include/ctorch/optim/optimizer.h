/**
 * Optimizers: what changes parameters by their gradients (`torch.optim.Optimizer`).
 *
 *     CTORCH_TRY(ctorch_module_parameters(&list, model, true));
 *     CTORCH_TRY(ctorch_optim_AdamW(&optimizer, CTORCH_LIST(list), 1e-3, …));
 *     for (…) {
 *       CTORCH_TRY(ctorch_optimizer_zero_grad(optimizer, true));
 *       …
 *       CTORCH_TRY(ctorch_tensor_backward(loss, NULL, NULL, false));
 *       CTORCH_TRY(ctorch_optimizer_step(optimizer));
 *     }
 *
 * The optimizers that ctorch has are made by the functions of generated/optim.h, which have Python's names, arguments
 * and defaults; or by name from values, with groups of parameters and learning rates that are tensors, by
 * ctorch_optim_create. An optimizer keeps parameters in groups, each with its own options ("lr", "betas" …), and for
 * each parameter a state ("step", "exp_avg" …), under Python's names.
 *
 * Which kernels a step uses: those of `fused` or `foreach` that are asked for. If neither is, the fused ones where
 * LibTorch has them for the parameters, which Python only takes when they are asked for; else what Python does: one
 * operator after another on the CPU, operators on whole lists elsewhere. Their results differ by rounding alone.
 *
 * An optimizer is exclusive to one thread at a time, and so are the parameters while it steps.
 */
#ifndef CTORCH_OPTIMIZER_H
#define CTORCH_OPTIMIZER_H

#include "ctorch/abi/base.h"
#include "ctorch/autograd/hook.h"
#include "ctorch/value/value.h"

CTORCH_BEGIN_DECLS

/** What changes parameters by their gradients. */
typedef struct ctorch_optimizer ctorch_optimizer;

/**
 * Add a reference.
 *
 * @param self  borrowed; NULL is allowed.
 */
CTORCH_EXPORT void ctorch_optimizer_retain(const ctorch_optimizer *self);

/**
 * Give a reference back; with the last one go the references to parameters and states.
 *
 * @param self  owned; NULL is allowed.
 */
CTORCH_EXPORT void ctorch_optimizer_release(ctorch_optimizer *self);

/**
 * Name of the class, as Python prints it: "AdamW".
 *
 * @param self  borrowed; may be NULL.
 * @return borrowed from `self`; NULL for NULL.
 */
CTORCH_API const char *ctorch_optimizer_name(const ctorch_optimizer *self);

/**
 * Make an optimizer by the name of its class, from values: `getattr(torch.optim, name)(*args, **kwargs)`.
 *
 * The first argument, `params`, is a list of tensors, of pairs (name, tensor), or of dicts, each a group with "params"
 * and the options that it does not share. The others have Python's names and defaults, and may be tensors where they
 * may be in Python, as `lr`.
 *
 * @param[out] out  owned.
 * @param name      borrowed; "AdamW".
 * @param args      borrowed; a tuple or list of positional arguments. NULL for none.
 * @param kwargs    borrowed; a dict from texts to keyword arguments. NULL for none.
 * @return NULL, or NULL_ARGUMENT, INVALID_ARGUMENT (not UTF-8), INDEX (no such class; Python's AttributeError), TYPE
 *         (arguments that it does not take, or lacks, or of another type), VALUE (no parameters, a parameter that is no
 *         leaf or in several groups, some with names and some without, an option out of its range), RUNTIME (options
 *         that exclude each other), OUT_OF_MEMORY.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_optim_create(
    ctorch_optimizer **out, const char *name, const ctorch_value *args, const ctorch_value *kwargs);

/* Steps ------------------------------------------------------------------------------------------------------------ */

/**
 * Change the parameters by their gradients (`Optimizer.step`). Parameters without a gradient stay as they are.
 *
 * @param self  exclusive, with its parameters.
 * @return NULL, or NULL_ARGUMENT, RUNTIME (gradients or options that the optimizer does not take, as sparse ones),
 *         TYPE (an option of another type; LBFGS, which needs a closure), VALUE (`capturable` on the CPU, `foreach`
 *         with `differentiable`: Python's AssertionError), INDEX (a state or group that lacks an entry), or what an
 *         operator or a hook failed with.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_optimizer_step(ctorch_optimizer *self);

/**
 * Compute the loss anew: set the gradients to zero, go forward, go backward.
 *
 * @param[out] out    owned; the loss, NULL for none.
 * @param[out] error  owned; why it failed, left alone (NULL) otherwise.
 * @param payload     of the call.
 * @return CTORCH_CALLBACK_OK on success.
 */
typedef ctorch_callback_status (*ctorch_optimizer_closure)(ctorch_tensor **out, ctorch_error **error, void *payload);

/**
 * Let a function compute the loss, then change the parameters (`Optimizer.step(closure)`). LBFGS calls it several
 * times.
 *
 * @param[out] out  owned; the loss that `closure` gave first. NULL if it is not wanted.
 * @param self      exclusive, with its parameters.
 * @param closure   called on this thread, with gradients enabled.
 * @param payload   handed to `closure`; may be NULL.
 * @return NULL, or NULL_ARGUMENT, what `closure` failed with, or what ctorch_optimizer_step returns.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_optimizer_step_closure(
    ctorch_tensor **out, ctorch_optimizer *self, ctorch_optimizer_closure closure, void *payload);

/**
 * Forget the gradients of all parameters (`Optimizer.zero_grad`).
 *
 * @param self         exclusive, with its parameters.
 * @param set_to_none  false to fill them with zeros in place.
 * @return NULL, or NULL_ARGUMENT, or what an operator returns.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_optimizer_zero_grad(ctorch_optimizer *self, bool set_to_none);

/* Groups of parameters --------------------------------------------------------------------------------------------- */

/**
 * Number of groups.
 *
 * @param self  borrowed; may be NULL.
 * @return 0 for NULL.
 */
CTORCH_API size_t ctorch_optimizer_num_groups(const ctorch_optimizer *self);

/**
 * Add a group of parameters (`Optimizer.add_param_group`).
 *
 * @param self   exclusive.
 * @param group  borrowed; a dict with "params", a tensor or a list as ctorch_optim_create takes it, and those options
 *               that are not the optimizer's own defaults. It stays as it is.
 * @return NULL, or NULL_ARGUMENT, TYPE (no dict, or something else than tensors), INDEX (no "params"; Python's
 *         KeyError), VALUE (a parameter that is no leaf or in another group, or with a name where others have none),
 *         OUT_OF_MEMORY.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_optimizer_add_param_group(ctorch_optimizer *self, const ctorch_value *group);

/**
 * The parameters of a group (`param_groups[group]["params"]`).
 *
 * @param[out] out  owned; the very tensors.
 * @param self      borrowed.
 * @param group     number of the group, from 0.
 * @return NULL, or NULL_ARGUMENT, INDEX (no such group), OUT_OF_MEMORY.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_optimizer_params(ctorch_tensor_list **out, const ctorch_optimizer *self, size_t group);

/**
 * The options of a group: a dict with all that Python's `param_groups[group]` has, but for "params". What is
 * changed in it changes nothing else: ctorch_optimizer_set_option does.
 *
 * @param[out] out  owned; "param_names" is a list if the parameters have names.
 * @param self      borrowed.
 * @param group     number of the group, from 0.
 * @return NULL, or NULL_ARGUMENT, INDEX (no such group), OUT_OF_MEMORY.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_optimizer_options(ctorch_value **out, const ctorch_optimizer *self, size_t group);

/**
 * One option of a group (`param_groups[group][name]`).
 *
 * @param[out] out  owned; a tensor is the very tensor that the optimizer reads.
 * @param self      borrowed.
 * @param group     number of the group, from 0.
 * @param name      borrowed; "lr".
 * @return NULL, or NULL_ARGUMENT, INVALID_ARGUMENT (not UTF-8), INDEX (no such group or option; Python's KeyError).
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_optimizer_get_option(
    ctorch_value **out, const ctorch_optimizer *self, size_t group, const char *name);

/**
 * Change or add an option of a group (`param_groups[group][name] = value`).
 *
 * @param self   exclusive.
 * @param group  number of the group, from 0.
 * @param name   borrowed; "lr". Names that the optimizer does not know are kept, as schedulers' "initial_lr".
 * @param value  borrowed. What the optimizer does not take is an error of the next step, as in Python; "params" cannot
 *               be changed.
 * @return NULL, or NULL_ARGUMENT, INVALID_ARGUMENT (not UTF-8), INDEX (no such group), VALUE ("params", or as many
 *         names as there are parameters are needed), OUT_OF_MEMORY.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_optimizer_set_option(
    ctorch_optimizer *self, size_t group, const char *name, const ctorch_value *value);

/**
 * The learning rate of a group as a number, also where it is a tensor.
 *
 * @param[out] out  the rate.
 * @param self      borrowed.
 * @param group     number of the group, from 0.
 * @return NULL, or NULL_ARGUMENT, INDEX (no such group, or no option "lr"), TYPE (no number), or what reading a tensor
 *         returns.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_optimizer_get_lr(double *out, const ctorch_optimizer *self, size_t group);

/**
 * Give all groups a learning rate. Where it is a tensor, that is filled; otherwise the number is replaced.
 *
 * @param self  exclusive.
 * @param lr    the rate.
 * @return NULL, or NULL_ARGUMENT, OUT_OF_MEMORY, or what filling a tensor returns.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_optimizer_set_lr(ctorch_optimizer *self, double lr);

/**
 * What a group has whose options are left away (`Optimizer.defaults`).
 *
 * @param[out] out  owned; a dict of its own.
 * @param self      borrowed.
 * @return NULL, or NULL_ARGUMENT, OUT_OF_MEMORY.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_optimizer_defaults(ctorch_value **out, const ctorch_optimizer *self);

/* State ------------------------------------------------------------------------------------------------------------ */

/**
 * What an optimizer remembers of a parameter (`Optimizer.state[param]`).
 *
 * @param[out] out  owned; a dict of its own with the very tensors: {"step": …, "exp_avg": …}. Empty before the first
 *                  step.
 * @param self      borrowed.
 * @param param     borrowed.
 * @return NULL, or NULL_ARGUMENT, INDEX (no parameter of this optimizer; Python's KeyError), OUT_OF_MEMORY.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_optimizer_state(
    ctorch_value **out, const ctorch_optimizer *self, const ctorch_tensor *param);

/**
 * Change what an optimizer remembers of a parameter (`Optimizer.state[param] = state`).
 *
 * @param self   exclusive.
 * @param param  borrowed.
 * @param state  borrowed; a dict from texts to tensors and other values, whose tensors are taken as they are. An empty
 *               one to begin anew.
 * @return NULL, or NULL_ARGUMENT, INDEX (no parameter of this optimizer; Python's KeyError), TYPE (no dict of texts),
 *         OUT_OF_MEMORY.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_optimizer_set_state(
    ctorch_optimizer *self, const ctorch_tensor *param, const ctorch_value *state);

/**
 * All states and options, to be saved (`Optimizer.state_dict`), as Python has them: {"state": {0: {"step": …, …}, …},
 * "param_groups": [{"lr": …, "params": [0, …]}, …]}, where numbers stand for the parameters.
 *
 * @param[out] out  owned; its tensors are the optimizer's own.
 * @param self      exclusive for hooks; otherwise borrowed.
 * @return NULL, or NULL_ARGUMENT, OUT_OF_MEMORY, or what a hook failed with.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_optimizer_state_dict(ctorch_value **out, ctorch_optimizer *self);

/**
 * Take states and options over from a state dict (`Optimizer.load_state_dict`). Tensors are converted to the dtype and
 * device of their parameters; those that are of it already are shared, as in Python.
 *
 * @param self        exclusive.
 * @param state_dict  borrowed; it stays as it is.
 * @return NULL, or NULL_ARGUMENT, TYPE (it has another form), INDEX (no "state" or "param_groups"; Python's KeyError),
 *         VALUE (another number of groups, or a group with another number of parameters; the optimizer stays as it
 *         was), OUT_OF_MEMORY, or what a hook failed with.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_optimizer_load_state_dict(ctorch_optimizer *self, const ctorch_value *state_dict);

/**
 * The text that Python prints of an optimizer: the class, and the options of each group (`repr(optimizer)`).
 *
 * @param[out] out  owned.
 * @param self      borrowed.
 * @return NULL, or NULL_ARGUMENT, OUT_OF_MEMORY.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_optimizer_repr(ctorch_string **out, const ctorch_optimizer *self);

/**
 * Capture steps, and replay them (tape.h), which spares small models the time between kernels. Parameters and states
 * are the same, bit for bit. There is a tape for each set of gradients, by their dtypes, sizes and strides, and for
 * each change of options but for `lr`; the first step of a kind runs, the second is captured. To capture the whole
 * step of training is better still: ctorch_tape_begin, ctorch_trainer_set_tape.
 *
 * @param self  exclusive; one that has fused kernels: SGD, Adam, AdamW.
 * @param most  as many tapes are kept, those that were used last; 0 for none, at most 1024.
 * @param fast  as for ctorch_tape_begin: results may differ in the last digits.
 * @return NULL, or NULL_ARGUMENT, INVALID_ARGUMENT (`most`), UNSUPPORTED (another optimizer), OUT_OF_MEMORY.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_optimizer_set_tape(ctorch_optimizer *self, int64_t most, bool fast);

CTORCH_END_DECLS

#endif
