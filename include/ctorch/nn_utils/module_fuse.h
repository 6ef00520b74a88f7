/**
 * Modules made faster without a change of what they compute: a batch norm in evaluation as part of the layer before it,
 * weights of convolutions in another memory format (`torch.nn.utils.fusion`, `torch.nn.utils.memory_format`).
 */
#ifndef CTORCH_MODULE_FUSE_H
#define CTORCH_MODULE_FUSE_H

#include "ctorch/abi/base.h"
#include "ctorch/abi/types.h"
#include "ctorch/module/module.h"

CTORCH_BEGIN_DECLS

/**
 * A convolution that does what one and the batch norm behind it do (`torch.nn.utils.fuse_conv_bn_eval`).
 *
 * @param[out] out   owned; a copy of `conv` with a weight and a bias of its own.
 * @param conv       borrowed; in evaluation mode, with a `weight` and a `bias`, which may be None.
 * @param bn         borrowed; a BatchNorm or SyncBatchNorm in evaluation mode, with running statistics.
 * @param transpose  for a transposed convolution, whose weight has its output channels in the second dimension.
 * @return NULL, or NULL_ARGUMENT, VALUE (training mode, no running statistics; Python's AssertionErrors), INDEX (no
 *         weight or bias; Python's AttributeError), TYPE (no batch norm, a weight that is None), RUNTIME (a weight that
 *         is computed from other parameters; sizes that do not fit), OUT_OF_MEMORY, or what an operator returns.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_module_fuse_conv_bn_eval(
    ctorch_module **out, const ctorch_module *conv, const ctorch_module *bn, bool transpose);

/**
 * A linear layer that does what one and the batch norm behind it do (`torch.nn.utils.fuse_linear_bn_eval`).
 *
 * @param[out] out  owned; a copy of `linear` with a weight and a bias of its own.
 * @param linear    borrowed; in evaluation mode, with a `weight` and a `bias`, which may be None.
 * @param bn        borrowed; a BatchNorm or SyncBatchNorm in evaluation mode, with running statistics, a weight and a
 *                  bias, over as many features as the layer gives, or over one.
 * @return NULL, or as ctorch_module_fuse_conv_bn_eval, and VALUE (another number of features; Python's AssertionError),
 *         TYPE (a batch norm without weight or bias).
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_module_fuse_linear_bn_eval(
    ctorch_module **out, const ctorch_module *linear, const ctorch_module *bn);

/**
 * Bring the weights of all Conv2d and ConvTranspose2d of a module, itself included, to a memory format
 * (`torch.nn.utils.convert_conv2d_weight_memory_format`). They stay the tensors that they are. Weights that are
 * computed from other parameters are left.
 *
 * @param self           exclusive.
 * @param memory_format  CTORCH_MEMORY_FORMAT_CHANNELS_LAST or CTORCH_MEMORY_FORMAT_CONTIGUOUS.
 * @return NULL, or NULL_ARGUMENT, INVALID_ARGUMENT (no memory format), RUNTIME (one that is not for such weights),
 *         OUT_OF_MEMORY, or what an operator returns.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_module_convert_conv2d_weight_memory_format(
    ctorch_module *self, ctorch_memory_format memory_format);

/**
 * The same of Conv3d and ConvTranspose3d (`torch.nn.utils.convert_conv3d_weight_memory_format`).
 *
 * @param self           exclusive.
 * @param memory_format  CTORCH_MEMORY_FORMAT_CHANNELS_LAST_3D or CTORCH_MEMORY_FORMAT_CONTIGUOUS.
 * @return NULL, or NULL_ARGUMENT, INVALID_ARGUMENT (no memory format), RUNTIME (one that is not for such weights),
 *         OUT_OF_MEMORY, or what an operator returns.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_module_convert_conv3d_weight_memory_format(
    ctorch_module *self, ctorch_memory_format memory_format);

CTORCH_END_DECLS

#endif
