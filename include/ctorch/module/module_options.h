/**
 * The options of a module: what its constructor was given, by the constructor's names (`conv.kernel_size`).
 *
 * They are numbers, truths, texts, None and tuples of numbers; dtypes, devices, tensors and modules are not among them.
 * A number that stood for several is a number, or a tuple where Python has one: `kernel_size` is (3, 3) for a Conv2d
 * and 3 for a MaxPool2d. Where a default depends on another option they have what came of it, as Python has: the
 * `stride` of a MaxPool2d is its `kernel_size`. A Lazy class has no `in_features` until its first call. Modules of
 * one's own have none.
 */
#ifndef CTORCH_MODULE_OPTIONS_H
#define CTORCH_MODULE_OPTIONS_H

#include "ctorch/abi/base.h"
#include "ctorch/abi/types.h"
#include "ctorch/module/module.h"

CTORCH_BEGIN_DECLS

/**
 * All options of a module.
 *
 * @param[out] out  owned; a dict from texts, in the order of the constructor. It is a copy: a change of it changes
 *                  nothing.
 * @param self      borrowed.
 * @return NULL, or NULL_ARGUMENT, OUT_OF_MEMORY.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_module_options(ctorch_value **out, const ctorch_module *self);

/**
 * One option of a module (`module.kernel_size`).
 *
 * @param[out] out  owned.
 * @param self      borrowed.
 * @param name      borrowed.
 * @return NULL, or NULL_ARGUMENT, INVALID_ARGUMENT (not UTF-8), INDEX (no such option; Python's AttributeError).
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_module_get_option(ctorch_value **out, const ctorch_module *self, const char *name);

/**
 * Change an option of a module (`dropout.p = 0.1`): it goes on as one that was made with it, with its tensors,
 * children, mode and hooks. Options that depend on it by default stay as they are.
 *
 * Tensors keep their sizes: an option that says how many there are, as `num_layers` of an LSTM does, cannot be changed.
 * For one of their sizes (`in_features`) the module is changed, but its tensors are yours to replace.
 *
 * @param self   exclusive.
 * @param name   borrowed.
 * @param value  borrowed; as ctorch_nn_create takes it.
 * @return NULL, or NULL_ARGUMENT, INVALID_ARGUMENT (not UTF-8), INDEX (no such option; Python's AttributeError),
 *         RUNTIME (one that cannot be changed), or what the constructor returns; the module is as before.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_module_set_option(ctorch_module *self, const char *name, const ctorch_value *value);

CTORCH_END_DECLS

#endif
