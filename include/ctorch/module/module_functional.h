/**
 * Modules as functions of their parameters (`torch.func.functional_call`), for the transforms of func.h: a callback
 * that gets parameters as inputs applies a module with them in place of its own.
 *
 *     static ctorch_callback_status loss(ctorch_tensor_list **out, const ctorch_tensor *const *inputs, …) {
 *       …                                              // parameters = {"weight": inputs[0], "bias": inputs[1]}
 *       *error = ctorch_module_functional_call(&y, model, parameters, args, NULL, true, false);
 *       …
 *     }
 *     CTORCH_TRY(ctorch_func_grad(&gradients, NULL, loss, &data, inputs, 2, CTORCH_INTS(0, 1), 0));
 */
#ifndef CTORCH_MODULE_FUNCTIONAL_H
#define CTORCH_MODULE_FUNCTIONAL_H

#include "ctorch/abi/base.h"
#include "ctorch/module/module.h"
#include "ctorch/value/value.h"

CTORCH_BEGIN_DECLS

/**
 * Apply a module with other parameters and buffers in place of its own, which it has again afterwards, also if the call
 * fails (`torch.func.functional_call`). What it changes in place, as running statistics, it changes in the tensors that
 * are given.
 *
 * @param[out] out                owned; what forward gives: a tensor, a tuple of tensors, …
 * @param self                    exclusive, in evaluation mode too.
 * @param parameters_and_buffers  exclusive; a dict from dotted names to tensors or None, or a list or tuple of such
 *                                dicts, which have no name in common. Names that nothing has are left aside, unless
 *                                `strict`. If the module puts another tensor in the place of one, a single dict has
 *                                that one afterwards.
 * @param args                    borrowed; a tuple or list of positional arguments. NULL for none.
 * @param kwargs                  borrowed; a dict from texts to keyword arguments. NULL for none.
 * @param tie_weights             a tensor that the module has under several names is replaced under all of them.
 * @param strict                  every parameter and buffer must be given, and nothing else.
 * @return NULL, or NULL_ARGUMENT, VALUE (no dict or list of dicts, a name in several of them, several tensors for one
 *         that is tied), TYPE (a key that is no text, a value that is no tensor, a name of a module), INDEX (a module
 *         that is not there, an empty name), RUNTIME (names that are missing or too many, if `strict`), OUT_OF_MEMORY,
 *         or what ctorch_module_call returns.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_module_functional_call(
    ctorch_value **out,
    ctorch_module *self,
    ctorch_value *parameters_and_buffers,
    const ctorch_value *args,
    const ctorch_value *kwargs,
    bool tie_weights,
    bool strict);

/**
 * The parameters and the buffers of several modules of one class, stacked, for ctorch_func_vmap over an ensemble
 * (`torch.func.stack_module_state`). What is stacked of tensors that require gradients is a new leaf that does too.
 *
 * @param[out] out_parameters  owned; a dict from dotted names to tensors with one dimension more, the first.
 * @param[out] out_buffers     owned; the same of the buffers.
 * @param models               borrowed; a module that holds them, such as a ModuleList.
 * @return NULL, or NULL_ARGUMENT, RUNTIME (no models, some in training mode and some not, several classes, some of the
 *         tensors of one name require gradients and some do not, other sizes), INDEX (a name that one of them lacks;
 *         Python's KeyError), OUT_OF_MEMORY, or what an operator returns.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_module_stack_state(
    ctorch_value **out_parameters, ctorch_value **out_buffers, const ctorch_module *models);

CTORCH_END_DECLS

#endif
