/**
 * Averages of models over training: equal weights (SWA), exponential moving averages (EMA), or one's own
 * (`torch.optim.swa_utils`).
 *
 *     CTORCH_TRY(ctorch_module_averaged_model(&average, model, NULL, &(double){0.999}, NULL, false));
 *     for (…) {
 *       …                                                   // a step of training
 *       CTORCH_TRY(ctorch_module_update_parameters(average, model));
 *     }
 */
#ifndef CTORCH_MODULE_AVERAGE_H
#define CTORCH_MODULE_AVERAGE_H

#include "ctorch/abi/base.h"
#include "ctorch/abi/tensor_list.h"
#include "ctorch/module/module.h"

CTORCH_BEGIN_DECLS

/**
 * A copy of a model for averages of it (`torch.optim.swa_utils.AveragedModel`), which is applied as the model is. It
 * holds the copy as `module`, and the buffer `n_averaged`, the number of models that were averaged.
 *
 * @param[out] out     owned.
 * @param model        borrowed; copied.
 * @param device       borrowed; where the average is; NULL for the model's devices.
 * @param ema_decay    borrowed; how much of the average stays, from 0 to 1 (get_ema_multi_avg_fn, get_ema_avg_fn). NULL
 *                     for equal weights (get_swa_multi_avg_fn, get_swa_avg_fn).
 * @param foreach      borrowed; whether to use operators on whole lists (`multi_avg_fn`), which round otherwise. NULL
 *                     for Python's choice: with `ema_decay`, and where the device has them.
 * @param use_buffers  buffers are averaged too, and not taken over from the model.
 * @return NULL, or NULL_ARGUMENT, INVALID_ARGUMENT (no such device), VALUE (`ema_decay` beyond 0 and 1), OUT_OF_MEMORY,
 *         or what ctorch_module_copy and ctorch_module_to return.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_module_averaged_model(
    ctorch_module **out,
    const ctorch_module *model,
    const ctorch_device *device,
    const double *ema_decay,
    const bool *foreach,
    bool use_buffers);

/**
 * ctorch_module_averaged_model by a function of one's own (`avg_fn`, `multi_avg_fn`). State dicts do not have it.
 *
 * @param[out] out     owned.
 * @param model        borrowed; copied.
 * @param device       borrowed; where the average is; NULL for the model's devices.
 * @param function     from a tensor of the average, the model's and the number of models averaged so far, an int64
 *                     tensor, to the new average; called on the thread that updates the average. If `multi`, from all
 *                     n tensors of the average of one device and dtype, the n of the model and that number, to n
 *                     tensors.
 * @param multi        whether `function` takes all at once.
 * @param use_buffers  buffers are averaged too, and not taken over from the model.
 * @param destroy      called once with `payload` when no average needs the function any more, on whichever thread that
 *                     is; NULL if none. It is not called if this function fails.
 * @param payload      handed to `function` and `destroy`; may be NULL.
 * @return NULL, or NULL_ARGUMENT, INVALID_ARGUMENT (no such device), OUT_OF_MEMORY, or what ctorch_module_copy and
 *         ctorch_module_to return.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_module_averaged_model_by(
    ctorch_module **out,
    const ctorch_module *model,
    const ctorch_device *device,
    ctorch_tensors_callback function,
    bool multi,
    bool use_buffers,
    void (*destroy)(void *payload),
    void *payload);

/**
 * Take a model into the average (`AveragedModel.update_parameters`). The first one is copied.
 *
 * @param self   exclusive; an AveragedModel.
 * @param model  borrowed; such a model as it was made of, on any device.
 * @return NULL, or NULL_ARGUMENT, TYPE (no AveragedModel), VALUE (another number of buffers), RUNTIME (other sizes; a
 *         function that gave another number of tensors; no n_averaged any more), OUT_OF_MEMORY, or what the function
 *         or an operator returns.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_module_update_parameters(ctorch_module *self, const ctorch_module *model);

/**
 * Compute the running statistics of batch norms anew, as means over batches that the model is applied to
 * (`torch.optim.swa_utils.update_bn`). Modes and momenta are as before afterwards, also after an error.
 *
 * @param self         exclusive; any module. Without batch norms there is nothing to do.
 * @param batches      borrowed; inputs, one after the other.
 * @param batches_len  number of them.
 * @param device       borrowed; where to bring each batch; NULL to leave it where it is.
 * @return NULL, or NULL_ARGUMENT, INVALID_ARGUMENT (no such device, absurd length, a NULL element), OUT_OF_MEMORY, or
 *         what ctorch_module_forward returns.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_module_update_bn(
    ctorch_module *self, const ctorch_tensor *const *batches, size_t batches_len, const ctorch_device *device);

/**
 * ctorch_module_update_bn for batches that are made one by one.
 *
 * @param self     exclusive; any module.
 * @param loader   called on this thread without inputs; gives a list whose first tensor is the next batch, and an empty
 *                 list after the last one. Not called without batch norms.
 * @param payload  handed to `loader`; may be NULL.
 * @param device   borrowed; where to bring each batch; NULL to leave it where it is.
 * @return NULL, or NULL_ARGUMENT, INVALID_ARGUMENT (no such device), RUNTIME (a batch that is NULL), OUT_OF_MEMORY, or
 *         what `loader` or ctorch_module_forward returns.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_module_update_bn_from(
    ctorch_module *self, ctorch_tensors_callback loader, void *payload, const ctorch_device *device);

CTORCH_END_DECLS

#endif
