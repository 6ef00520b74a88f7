/**
 * Models that AOTInductor compiled: the shared library of one, opened by LibTorch's runner, for the layer that reads
 * packages.
 *
 * What is here believes its arguments. The library's code runs from compiled_model_open on, and it takes its inputs for
 * what they were when it was compiled: look at them first.
 */
#ifndef CTORCH_SHIM_CORE_C_COMPILED_MODEL_H
#define CTORCH_SHIM_CORE_C_COMPILED_MODEL_H

#include "ctorch/abi/base.h"
#include "ctorch/abi/types.h"

CTORCH_BEGIN_DECLS

typedef struct compiled_model compiled_model;

/** How a library is opened. */
typedef struct compiled_model_options {
  const char *library; /* path of the shared library; files that belong to it lie beside it */
  const char *device;  /* "cpu", "cuda", "cuda:1" */
  size_t num_runners;  /* how many calls compute at once */
  bool single_threaded;
} compiled_model_options;

/** UNSUPPORTED for a device that this LibTorch has no runner for. */
ctorch_error *compiled_model_open(const char *function, compiled_model **out, const compiled_model_options *options)
    __attribute__((warn_unused_result));
/** NULL is allowed. */
void compiled_model_close(compiled_model *self);

/** How many tensors go in and come out; -1 where the library does not tell. */
int64_t compiled_model_num_inputs(const compiled_model *self);
int64_t compiled_model_num_outputs(const compiled_model *self);

/** Run it. Tensors without strides, or whose memory is not what they show, are refused: INVALID_ARGUMENT
 * "inputs[i]". */
ctorch_error *compiled_model_run(
    const char *function,
    ctorch_tensor_list **out,
    const compiled_model *self,
    const ctorch_tensor *const *inputs,
    size_t inputs_len) __attribute__((warn_unused_result));

/** How arguments and results are made of tensors, in the JSON of `torch.utils._pytree`. */
ctorch_error *compiled_model_call_spec(
    const char *function, ctorch_string **out_arguments, ctorch_string **out_results, const compiled_model *self)
    __attribute__((warn_unused_result));

/** Names of constants as the Python model has them, sorted: a list of str. */
ctorch_error *compiled_model_constant_names(const char *function, ctorch_value **out, const compiled_model *self)
    __attribute__((warn_unused_result));

/** The constants themselves, not copies: a dict from those names. Those that are not loaded are left out. */
ctorch_error *compiled_model_constants(
    const char *function, ctorch_value **out, const compiled_model *self, bool is_inactive)
    __attribute__((warn_unused_result));

/**
 * Give it constants.
 *
 * @param constants        a dict from names to tensors whose sizes and dtypes fit, and which lie row by row at the
 *                         beginning of a storage that ends with them; on the model's device.
 * @param is_inactive      the ones that the next compiled_model_swap makes those in use.
 * @param is_full          RUNTIME unless all are given.
 * @param is_user_managed  share their memory instead of copying.
 */
ctorch_error *compiled_model_update(
    const char *function,
    compiled_model *self,
    const ctorch_value *constants,
    bool is_inactive,
    bool is_full,
    bool is_user_managed) __attribute__((warn_unused_result));
ctorch_error *compiled_model_update_from_file(const char *function, compiled_model *self, const char *path)
    __attribute__((warn_unused_result));
ctorch_error *compiled_model_swap(const char *function, compiled_model *self) __attribute__((warn_unused_result));
ctorch_error *compiled_model_free_inactive(const char *function, compiled_model *self)
    __attribute__((warn_unused_result));

CTORCH_END_DECLS

#endif
