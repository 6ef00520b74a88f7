/**
 * ctorch: a C ABI over LibTorch. Include this header; it includes the rest.
 *
 * The contract
 *
 * 1. Names. A function is `ctorch_<prefix>_<what>`: the prefix is what it acts on or makes, which is a handle, a
 *    struct, an enumeration (`ctorch_tensor_repr`, `ctorch_device_name`) or a mode of the thread, pushed and popped
 *    (`ctorch_grad_mode_push`); where it acts on none of these it is the name of its header (`ctorch_random_fork`,
 *    `ctorch_settings_flush_denormal`). An accessor that cannot fail is a noun and returns the value; what sets it is
 *    `ctorch_<prefix>_set_<noun>`. Operators are `ctorch_aten_` + PyTorch's schema name with `.` as `_`, spelling
 *    untouched: `aten::add_.Tensor` is `ctorch_aten_add__Tensor`. What an operator does has no second name. What stands
 *    above the operators in Python's torch is named likewise: `nn.Conv2d` is `ctorch_nn_Conv2d`, and `ctorch_nn_create`
 *    makes one by its name, as `ctorch_optim_create` and `ctorch_lr_scheduler_create` do. A function that sets what is
 *    called for all handles of a type has that type for a prefix (`ctorch_optimizer_register_step_pre_hook_for_all`).
 * 2. Handles. A handle is a pointer to an opaque struct. A NULL tensor is the undefined tensor.
 * 3. Ownership. What comes through `T **out` is yours: give it back with `ctorch_<type>_release`, which accepts NULL,
 *    never fails and may be called on any thread; `_retain` adds a reference. Everything else is borrowed: an argument
 *    for the call, a returned pointer until its named parent is released or changed. Only an argument whose text begins
 *    with "consumed" is taken over, also by a call that fails.
 * 4. Errors. A fallible function returns `ctorch_error *`: NULL is success, anything else is an error object that you
 *    own. After a failure every output is untouched, and nothing but the error needs cleaning up. No error state is
 *    kept per thread. A message does not name the function that failed: ctorch_error_function does.
 * 5. Outputs come first, in the schema's order. An operator that returns one of its arguments (in-place, `out=`)
 *    returns nothing here: the argument is the result.
 * 6. Optionals are nullable pointers. NULL means the schema's default; without a default, None if the type is
 *    optional; else it is an error NULL_ARGUMENT that names function and argument.
 * 7. Lists are a pointer and a length, `x, x_len`. NULL with length 0 is an empty list where the schema has neither a
 *    default nor `?`; a non-NULL pointer with length 0 always is an empty list.
 * 8. Plain data only: fixed-width integers, double, bool, UTF-8 text that ends with NUL, opaque pointers, and three
 *    flat structs (types.h) that always travel by pointer. No unions, no variadic functions, no struct by value.
 * 9. Threads. A `const T *` argument is not changed and may be used by several threads at once; a `T *` argument is
 *    exclusive. Modes and scopes belong to the thread that opened them; a scope's end takes back the modes that were
 *    pushed in it.
 *    Join the threads that compute before main returns or exit is called: LibTorch's destructors run then, and a thread
 *    that is still inside of it can crash the process, in C++ and Python as well. A program that cannot join them ends
 *    by _Exit, which runs no destructors.
 * 10. Callbacks return CTORCH_CALLBACK_OK; anything else is a failure, for which they hand over an error that they made
 *     (ctorch_error_new). That very object comes out of the outer call, so that a binding can keep its own exception
 *     under the object's address; without one, the outer call fails with CALLBACK.
 *     Each comes with a payload and, where it is kept, a function that destroys it: called once, and not at all if the
 *     function that was to keep it fails. Each says on which thread it may run.
 *     A callback returns, or ends the process (exit). Leaving it in another way is undefined: longjmp, an exception of
 *     C++, pthread_exit. The frames that it would skip hold locks and set modes.
 * 11. Versions. Functions are only added within a major version. An operator that the LibTorch at hand lacks still
 *     exists and answers UNSUPPORTED.
 * 12. Bad input gets an error. Anything short of a dangling pointer is checked: NULLs, lengths, numbers of
 *     enumerations, text that is not UTF-8, output pointers before the operator runs. Some operators of PyTorch crash
 *     on nonsense themselves; bindings-gen/policy.toml names them.
 */
#ifndef CTORCH_H
#define CTORCH_H

#include "ctorch/abi/base.h"
#include "ctorch/abi/debug.h"
#include "ctorch/abi/enums.h"
#include "ctorch/abi/error.h"
#include "ctorch/abi/interrupt.h"
#include "ctorch/abi/memory_pressure.h"
#include "ctorch/abi/scope.h"
#include "ctorch/abi/shorthand.h"
#include "ctorch/abi/string.h"
#include "ctorch/abi/tensor_list.h"
#include "ctorch/abi/types.h"
#include "ctorch/abi/version.h"
#include "ctorch/autograd/autograd.h"
#include "ctorch/autograd/autograd_function.h"
#include "ctorch/autograd/checkpoint.h"
#include "ctorch/autograd/forward_ad.h"
#include "ctorch/autograd/gradcheck.h"
#include "ctorch/autograd/hook.h"
#include "ctorch/autograd/node.h"
#include "ctorch/autograd/saved_tensors_hooks.h"
#include "ctorch/data/dataset.h"
#include "ctorch/data/iterator.h"
#include "ctorch/data/loader.h"
#include "ctorch/data/sampler.h"
#include "ctorch/datasets/csv.h"
#include "ctorch/datasets/idx.h"
#include "ctorch/datasets/image.h"
#include "ctorch/datasets/wav.h"
#include "ctorch/device/build.h"
#include "ctorch/device/device.h"
#include "ctorch/device/event.h"
#include "ctorch/device/graph.h"
#include "ctorch/device/memory.h"
#include "ctorch/device/stream.h"
#include "ctorch/dlpack/dlpack.h"
#include "ctorch/export/exported_program.h"
#include "ctorch/export/package.h"
#include "ctorch/func/func.h"
#include "ctorch/io/reader.h"
#include "ctorch/io/writer.h"
#include "ctorch/jit/jit.h"
#include "ctorch/lr_scheduler/lr_scheduler.h"
#include "ctorch/metrics/metric.h"
#include "ctorch/module/module.h"
#include "ctorch/module/module_custom.h"
#include "ctorch/module/module_functional.h"
#include "ctorch/module/module_hooks.h"
#include "ctorch/module/module_names.h"
#include "ctorch/module/module_options.h"
#include "ctorch/module/module_state.h"
#include "ctorch/module/module_state_hooks.h"
#include "ctorch/module/module_tape.h"
#include "ctorch/module/nn.h"
#include "ctorch/nn_utils/module_average.h"
#include "ctorch/nn_utils/module_fuse.h"
#include "ctorch/nn_utils/module_parametrize.h"
#include "ctorch/nn_utils/module_prune.h"
#include "ctorch/nn_utils/module_spectral_norm.h"
#include "ctorch/nn_utils/module_summary.h"
#include "ctorch/nn_utils/module_weight_norm.h"
#include "ctorch/numpy/npy.h"
#include "ctorch/numpy/npz.h"
#include "ctorch/op/library.h"
#include "ctorch/op/op.h"
#include "ctorch/optim/grad_scaler.h"
#include "ctorch/optim/optimizer.h"
#include "ctorch/optim/optimizer_hooks.h"
#include "ctorch/profiler/profiler.h"
#include "ctorch/profiler/profiler_result.h"
#include "ctorch/pt/serialization.h"
#include "ctorch/safetensors/safetensors.h"
#include "ctorch/safetensors/sharded.h"
#include "ctorch/settings/autocast.h"
#include "ctorch/settings/defaults.h"
#include "ctorch/settings/random.h"
#include "ctorch/settings/settings.h"
#include "ctorch/settings/threads.h"
#include "ctorch/settings/warning.h"
#include "ctorch/snapshots/snapshots.h"
#include "ctorch/tape/tape.h"
#include "ctorch/tensor/index.h"
#include "ctorch/tensor/print.h"
#include "ctorch/tensor/shared_memory.h"
#include "ctorch/tensor/sparse.h"
#include "ctorch/tensor/storage.h"
#include "ctorch/tensor/tensor.h"
#include "ctorch/tensorboard/logger.h"
#include "ctorch/tensorboard/summary.h"
#include "ctorch/tensorboard/summary_reader.h"
#include "ctorch/tokenizers/encoding.h"
#include "ctorch/tokenizers/tiktoken.h"
#include "ctorch/tokenizers/tokenizer.h"
#include "ctorch/tokenizers/tokenizer_trainer.h"
#include "ctorch/tokenizers/vocab.h"
#include "ctorch/trainer/trainer.h"
#include "ctorch/transforms/transform.h"
#include "ctorch/transforms/tv_tensor.h"
#include "ctorch/value/value.h"
#include "ctorch/weights/weights.h"

#include "ctorch/generated/aten.h"
#include "ctorch/generated/aten_private.h"
#include "ctorch/generated/data.h"
#include "ctorch/generated/datasets.h"
#include "ctorch/generated/functional.h"
#include "ctorch/generated/init.h"
#include "ctorch/generated/lr_scheduler.h"
#include "ctorch/generated/metrics.h"
#include "ctorch/generated/nn.h"
#include "ctorch/generated/optim.h"
#include "ctorch/generated/shorthand.h"
#include "ctorch/generated/transforms.h"
#include "ctorch/generated/transforms_functional.h"
#include "ctorch/generated/tv_tensors.h"
#include "ctorch/generated/utils.h"

#endif
