/* The tensors of a file of torch.save, as its pickles describe them: calls of torch._utils._rebuild_… */
#ifndef CTORCH_SHIM_PT_TENSORS_H
#define CTORCH_SHIM_PT_TENSORS_H

#include "ctorch/tensor/tensor.h"
#include "pickle/globals.h"
#include "pt/file.h"

/* How deep tensors are described by tensors: a parameter of a sparse tensor of an array … Parts may be shared, so that
 * each level takes three times as long. */
enum { PT_DEEPEST = 8 };

/* A tensor, as it was described: it may need requires_grad and other things yet. Handles to release. */
struct pt_strided {
  size_t storage; /* its number */
  int64_t offset;
  int64_t *sizes, *strides; /* free() them */
  size_t sizes_len;
  ctorch_dtype dtype;
};

/* The arguments (storage, offset, sizes, strides) that the descriptions of strided tensors begin with. */
ctorch_error *pt_strided_args(struct pt_file *self, struct pt_strided *out, const ctorch_value *args)
    __attribute__((warn_unused_result));
void pt_strided_end(struct pt_strided *self);
/* How many elements there are from its first to its last one; false if they do not lie in a row of `most`. */
bool pt_strided_span(const struct pt_strided *strided, uint64_t most, uint64_t *out);
/* Where its elements lie in the storage: FORMAT if they do not. */
ctorch_error *pt_strided_extent(
    const struct pt_file *self, const struct pt_strided *strided, uint64_t *out_offset, uint64_t *out_nbytes)
    __attribute__((warn_unused_result));
ctorch_error *pt_strided_make(struct pt_file *self, ctorch_tensor **out, const struct pt_strided *strided)
    __attribute__((warn_unused_result));

/* A tensor among the arguments: a handle to release. */
ctorch_error *pt_tensor_arg(struct pt_file *self, ctorch_tensor **out, const ctorch_value *args, size_t index)
    __attribute__((warn_unused_result));
/* A tensor as a value, which takes it over; `error` is that of making it. */
ctorch_error *pt_tensor_value(ctorch_value **out, ctorch_tensor *tensor, ctorch_error *error)
    __attribute__((warn_unused_result));
ctorch_error *pt_set_requires_grad(struct pt_file *self, ctorch_tensor *tensor, const ctorch_value *args, size_t index)
    __attribute__((warn_unused_result));
ctorch_error *pt_dtype_arg(const struct pt_file *self, ctorch_dtype *out, const ctorch_value *args, size_t index)
    __attribute__((warn_unused_result));

/* Follow a description of a tensor. *out is whatever it describes. */
ctorch_error *pt_follow(struct pt_file *self, ctorch_value **out, const ctorch_value *description)
    __attribute__((warn_unused_result));

/* The state of a tensor or parameter, as files before 0.4 have it. */
ctorch_error *pt_tensor_set_state(struct unpickler *self, const ctorch_value *tensor, const ctorch_value *state)
    __attribute__((warn_unused_result));

/* numpy.c: an array that is made before it is described, and its description. What is no tensor stays one. */
bool pt_is_numpy_array(const ctorch_value *value);
ctorch_error *pt_numpy_array(
    struct unpickler *self, ctorch_value **out_instead, ctorch_value *array, const ctorch_value *state)
    __attribute__((warn_unused_result));
/* The dtype and the sizes of the array that a description with a state is; *out_is_known is false if it would be no
 * tensor. */
ctorch_error *pt_numpy_shape(
    struct unpickler *self,
    ctorch_dtype *out,
    int64_t **sizes,
    size_t *sizes_len,
    bool *out_is_known,
    const ctorch_value *array) __attribute__((warn_unused_result));

/* tensors.c, tensors_special.c */
pickle_call pt_call_tensor, pt_call_tensor_v2, pt_call_tensor_v3, pt_call_parameter, pt_call_from_type, pt_call_qtensor,
    pt_call_sparse, pt_call_meta, pt_call_nested, pt_call_device_tensor, pt_call_legacy_tensor, pt_call_legacy_sparse,
    pt_call_parameter_class;
/* numpy.c */
pickle_call pt_call_numpy_frombuffer, pt_call_numpy_scalar;

#endif
