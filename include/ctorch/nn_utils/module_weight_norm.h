/**
 * Weights as a direction and a length (`torch.nn.utils.weight_norm`). The weight is computed anew before each call of
 * its module, so that a module with such a weight is exclusive in evaluation mode too.
 */
#ifndef CTORCH_MODULE_WEIGHT_NORM_H
#define CTORCH_MODULE_WEIGHT_NORM_H

#include "ctorch/abi/base.h"
#include "ctorch/module/module.h"

CTORCH_BEGIN_DECLS

/**
 * Put two parameters in the place of one, its length `<name>_g` and its direction `<name>_v`: w = g · v / ‖v‖
 * (`torch.nn.utils.weight_norm`).
 *
 * @param self  exclusive.
 * @param name  borrowed; of a parameter of the module itself. NULL for "weight".
 * @param dim   the dimension whose entries have a length each; -1 for one length of all (None).
 * @return NULL, or NULL_ARGUMENT, INVALID_ARGUMENT (not UTF-8), INDEX (no such parameter, or one of the new names
 *         stands for something else; Python's AttributeError and KeyError), TYPE (the parameter is None), RUNTIME (it
 *         is computed already), OUT_OF_MEMORY, or what an operator returns.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_module_weight_norm(ctorch_module *self, const char *name, int64_t dim);

/**
 * Put the weight itself in the place of its length and direction again (`torch.nn.utils.remove_weight_norm`).
 *
 * @param self  exclusive.
 * @param name  borrowed; as it was given to ctorch_module_weight_norm. NULL for "weight".
 * @return NULL, or NULL_ARGUMENT, INVALID_ARGUMENT (not UTF-8), VALUE (no such weight), OUT_OF_MEMORY, or what an
 *         operator returns.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_module_remove_weight_norm(ctorch_module *self, const char *name);

CTORCH_END_DECLS

#endif
