/**
 * Modules: layers and networks, with their parameters (`torch.nn.Module`).
 *
 *     ctorch_module *conv = NULL;
 *     CTORCH_TRY(ctorch_nn_Conv2d(&conv, 1, 32, CTORCH_INTS(3), NULL, 0, NULL, 0, NULL, 0, 1, true, NULL, NULL, NULL));
 *     CTORCH_TRY(ctorch_module_forward(&y, conv, x));
 *
 * The modules that ctorch has are made by the functions of generated/nn.h, which have Python's names, arguments and
 * defaults, and draw the numbers that Python draws from the same seed. A module holds parameters, buffers and other
 * modules, each under a name; module_names.h lists and finds them by their dotted names, "layer1.0.weight".
 *
 * An error of a module inside others names it: "layer1.0: mat1 and mat2 shapes cannot be multiplied …".
 *
 * In evaluation mode several threads may call one module at once. All else that changes a module is exclusive, and
 * counts for what it holds as well.
 */
#ifndef CTORCH_MODULE_H
#define CTORCH_MODULE_H

#include "ctorch/abi/base.h"
#include "ctorch/abi/types.h"
#include "ctorch/value/value.h"

CTORCH_BEGIN_DECLS

/** A layer, or a network of them. */
typedef struct ctorch_module ctorch_module;

/**
 * Add a reference.
 *
 * @param self  borrowed; NULL is allowed.
 */
CTORCH_EXPORT void ctorch_module_retain(const ctorch_module *self);

/**
 * Give a reference back; with the last one go the module's references to what it holds.
 *
 * @param self  owned; NULL is allowed.
 */
CTORCH_EXPORT void ctorch_module_release(ctorch_module *self);

/**
 * Name of the class, as Python prints it: "Conv2d".
 *
 * @param self  borrowed; may be NULL.
 * @return borrowed from `self`; NULL for NULL.
 */
CTORCH_API const char *ctorch_module_name(const ctorch_module *self);

/* Applying modules ------------------------------------------------------------------------------------------------- */

/**
 * Apply a module that takes and gives one tensor (`module(input)`).
 *
 * @param[out] out  owned.
 * @param self      exclusive; in evaluation mode it may be shared by threads.
 * @param input     borrowed.
 * @return NULL, or NULL_ARGUMENT, TYPE (it does not give a tensor, or needs more), NOT_IMPLEMENTED (it has no forward,
 *         as a list of modules), or what the module's operators return.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_module_forward(ctorch_tensor **out, ctorch_module *self, const ctorch_tensor *input);

/**
 * Apply any module to any values (`module(*args, **kwargs)`).
 *
 * @param[out] out  owned; what forward gives: a tensor, a tuple of tensors, …
 * @param self      exclusive; in evaluation mode it may be shared by threads.
 * @param args      borrowed; a tuple or list of positional arguments. NULL for none.
 * @param kwargs    borrowed; a dict from texts to keyword arguments. NULL for none.
 * @return NULL, or NULL_ARGUMENT, TYPE (arguments that forward does not take, or lacks), NOT_IMPLEMENTED (it has no
 *         forward), or what the module's operators return.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_module_call(
    ctorch_value **out, ctorch_module *self, const ctorch_value *args, const ctorch_value *kwargs);

/* What a module holds ---------------------------------------------------------------------------------------------- */

/**
 * Give a module a parameter (`Module.register_parameter`). A tensor that is to be trained requires gradients; this
 * changes nothing in it.
 *
 * @param self    exclusive.
 * @param name    borrowed; UTF-8, copied. A parameter that has this name is replaced.
 * @param tensor  gets a reference; a leaf of the graph. NULL for a name that stands for nothing (None).
 * @return NULL, or NULL_ARGUMENT, INVALID_ARGUMENT (not UTF-8), INDEX (an empty name, one with a dot, or one that a
 *         buffer or module has; Python's KeyError), VALUE (not a leaf), OUT_OF_MEMORY.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_module_register_parameter(ctorch_module *self, const char *name, ctorch_tensor *tensor);

/**
 * Give a module a buffer: a tensor that is no parameter, as running statistics are (`Module.register_buffer`).
 *
 * @param self        exclusive.
 * @param name        borrowed; UTF-8, copied. A buffer that has this name is replaced.
 * @param tensor      borrowed, gets a reference. NULL for None.
 * @param persistent  whether it is part of the state dict.
 * @return NULL, or NULL_ARGUMENT, INVALID_ARGUMENT (not UTF-8), INDEX (an empty name, one with a dot, or one that a
 *         parameter or module has; Python's KeyError), OUT_OF_MEMORY.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_module_register_buffer(
    ctorch_module *self, const char *name, const ctorch_tensor *tensor, bool persistent);

/**
 * Put a module inside another (`Module.register_module`, `add_module`).
 *
 * @param self    exclusive.
 * @param name    borrowed; UTF-8, copied. A module that has this name is replaced.
 * @param module  borrowed, gets a reference; it may stand in several places. NULL for None.
 * @return NULL, or NULL_ARGUMENT, INVALID_ARGUMENT (not UTF-8), INDEX (an empty name, one with a dot, or one that a
 *         parameter or buffer has; Python's KeyError), RUNTIME (it is or contains `self`; nested deeper than 1,000),
 *         OUT_OF_MEMORY.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_module_register_module(
    ctorch_module *self, const char *name, const ctorch_module *module);

/**
 * Take a parameter, buffer or module out (`del module.name`).
 *
 * @param self  exclusive.
 * @param name  borrowed; UTF-8.
 * @return NULL, or NULL_ARGUMENT, INVALID_ARGUMENT (not UTF-8), INDEX (nothing has this name).
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_module_unregister(ctorch_module *self, const char *name);

/**
 * The parameters, in the order in which they were registered (`Module.parameters`).
 *
 * @param[out] out  owned; the very tensors that the module computes with.
 * @param self      borrowed.
 * @param recurse   also those of the modules inside, each once.
 * @return NULL, or NULL_ARGUMENT, OUT_OF_MEMORY.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_module_parameters(ctorch_tensor_list **out, const ctorch_module *self, bool recurse);

/**
 * The buffers, in the order in which they were registered (`Module.buffers`).
 *
 * @param[out] out  owned; the very tensors that the module computes with.
 * @param self      borrowed.
 * @param recurse   also those of the modules inside, each once.
 * @return NULL, or NULL_ARGUMENT, OUT_OF_MEMORY.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_module_buffers(ctorch_tensor_list **out, const ctorch_module *self, bool recurse);

/**
 * Whether a module is in training mode, as a new one is (`Module.training`).
 *
 * @param self  borrowed; may be NULL.
 * @return false for NULL.
 */
CTORCH_API bool ctorch_module_training(const ctorch_module *self);

/**
 * Whether a parameter or buffer of this module itself waits for its sizes, which the first forward of a module such as
 * ctorch_nn_LazyLinear's tells, or a state dict (`LazyModuleMixin.has_uninitialized_params`).
 *
 * @param self  borrowed; may be NULL.
 * @return false for NULL.
 * @since 0.1
 */
CTORCH_API bool ctorch_module_has_uninitialized_params(const ctorch_module *self);

/**
 * Put a module, and all inside it, in training mode or in evaluation mode (`Module.train`, `Module.eval`).
 *
 * @param self      exclusive.
 * @param training  false for evaluation.
 * @return NULL, or NULL_ARGUMENT, OUT_OF_MEMORY.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_module_train(ctorch_module *self, bool training);

/**
 * Let all parameters require gradients, or none (`Module.requires_grad_`).
 *
 * @param self           exclusive.
 * @param requires_grad  whether they do.
 * @return NULL, or NULL_ARGUMENT, RUNTIME (a parameter of integers), OUT_OF_MEMORY.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_module_requires_grad_(ctorch_module *self, bool requires_grad);

/**
 * Forget the gradients of all parameters (`Module.zero_grad`).
 *
 * @param self         exclusive.
 * @param set_to_none  false to fill them with zeros in place.
 * @return NULL, or NULL_ARGUMENT, OUT_OF_MEMORY, or what an operator returns.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_module_zero_grad(ctorch_module *self, bool set_to_none);

/**
 * Number of elements of all parameters, each counted once.
 *
 * @param[out] out  the sum.
 * @param self      borrowed.
 * @param trainable  those alone that require gradients.
 * @return NULL, or NULL_ARGUMENT, OUT_OF_MEMORY.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_module_num_parameters(int64_t *out, const ctorch_module *self, bool trainable);

/**
 * Draw the initial values of a module, and of all inside it, anew, as their constructors do (`reset_parameters`).
 *
 * @param self  exclusive.
 * @return NULL, or NULL_ARGUMENT, OUT_OF_MEMORY, or what an operator returns.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_module_reset_parameters(ctorch_module *self);

/**
 * Move a module, and all inside it, to a device, and its floating point and complex tensors to a dtype (`Module.to`).
 * Parameters stay the tensors that they are, so that an optimizer goes on with them; buffers become other ones. A
 * gradient goes with its parameter.
 *
 * @param self           exclusive.
 * @param device         borrowed; NULL to stay.
 * @param dtype          borrowed; floating point or complex. NULL to stay.
 * @param non_blocking   do not wait for copies between pinned memory and a device.
 * @param memory_format  borrowed; for tensors of 4 or 5 dimensions (channels last). NULL to preserve it.
 * @return NULL, or NULL_ARGUMENT, INVALID_ARGUMENT (unknown dtype, device or memory format), TYPE (a dtype of
 *         integers), NOT_IMPLEMENTED (a meta tensor has no data: ctorch_module_to_empty), OUT_OF_MEMORY, or what an
 *         operator returns.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_module_to(
    ctorch_module *self,
    const ctorch_device *device,
    const ctorch_dtype *dtype,
    bool non_blocking,
    const ctorch_memory_format *memory_format);

/**
 * Move a module to a device without its values, which are whatever the memory holds (`Module.to_empty`).
 *
 * @param self     exclusive.
 * @param device   borrowed.
 * @param recurse  also the modules inside.
 * @return NULL, or NULL_ARGUMENT, INVALID_ARGUMENT (no such device), OUT_OF_MEMORY, or what an operator returns.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_module_to_empty(ctorch_module *self, const ctorch_device *device, bool recurse);

/**
 * A copy with tensors of its own (`copy.deepcopy`). What stands in several places stands once in the copy too; hooks
 * are the same; gradients of parameters are not copied.
 *
 * @param[out] out  owned.
 * @param self      borrowed.
 * @return NULL, or NULL_ARGUMENT, RUNTIME (a buffer that is no leaf of the graph), NOT_IMPLEMENTED (a module of one's
 *         own without a copy), OUT_OF_MEMORY, or what an operator returns.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_module_copy(ctorch_module **out, const ctorch_module *self);

/**
 * What to do to a module.
 *
 * @param module      exclusive.
 * @param[out] error  owned; why it failed, left alone (NULL) otherwise.
 * @param payload     of the call.
 * @return CTORCH_CALLBACK_OK on success.
 */
typedef ctorch_callback_status (*ctorch_module_callback)(ctorch_module *module, ctorch_error **error, void *payload);

/**
 * Do something to every module inside a module, and to it as the last one (`Module.apply`).
 *
 * @param self      exclusive.
 * @param callback  called on this thread, for what stands in several places as often.
 * @param payload   handed to `callback`; may be NULL.
 * @return NULL, or NULL_ARGUMENT, or what `callback` failed with.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_module_apply(ctorch_module *self, ctorch_module_callback callback, void *payload);

/**
 * The text that Python prints of a model: the class, its options, and the modules inside (`repr(module)`).
 *
 * @param[out] out  owned.
 * @param self      borrowed.
 * @return NULL, or NULL_ARGUMENT, OUT_OF_MEMORY, or what a module of one's own failed with.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_module_repr(ctorch_string **out, const ctorch_module *self);

CTORCH_END_DECLS

#endif
