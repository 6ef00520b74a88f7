/**
 * Modules: layers and networks, with their parameters (`torch.nn.Module`).
 *
 *     ctorch_module *conv = NULL;
 *     CTORCH_TRY(ctorch_nn_Conv2d(&conv, 1, 32, CTORCH_INTS(3), NULL, 0, NULL, 0, NULL, 0, 1, true, NULL, NULL, NULL));
 *     CTORCH_TRY(ctorch_module_forward(&y, conv, x));
 *
 * The modules that ctorch has are made by the functions of generated/nn.h, which have Python's names, arguments and
 * defaults, and draw the numbers that Python draws from the same seed.
 */
#ifndef CTORCH_MODULE_H
#define CTORCH_MODULE_H

#include "ctorch/base.h"

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
 * Give a reference back; with the last one go the module's references to its parameters.
 *
 * @param self  owned; NULL is allowed.
 */
CTORCH_EXPORT void ctorch_module_release(ctorch_module *self);

/**
 * Apply a module that takes and gives one tensor (`module(input)`).
 *
 * @param[out] out  owned.
 * @param self      exclusive; in evaluation mode it may be shared by threads.
 * @param input     borrowed.
 * @return NULL, or NULL_ARGUMENT, or what the module's operators return.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_module_forward(ctorch_tensor **out, ctorch_module *self, const ctorch_tensor *input);

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

CTORCH_END_DECLS

#endif
