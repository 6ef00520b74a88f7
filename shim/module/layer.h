/** What families of layers share: making parameters. */
#ifndef CTORCH_SHIM_MODULE_LAYER_H
#define CTORCH_SHIM_MODULE_LAYER_H

#include "base/number.h"
#include "base/sequence.h"
#include "module/module.h"

/** Errors of a forward are ctorch_module_forward's, which calls it. */
#define FORWARD "ctorch_module_forward"

/** Sizes of a parameter, or how it is made otherwise. */
struct layer_tensor {
  const int64_t *shape;
  size_t ndim;
  const ctorch_device *device;
  const ctorch_dtype *dtype;
};

#define LAYER_TENSOR(options, ...)                                                                                 \
  ((struct layer_tensor){                                                                                          \
      (const int64_t[]){__VA_ARGS__}, sizeof((const int64_t[]){__VA_ARGS__}) / sizeof(int64_t), (options)->device, \
      (options)->dtype})

/** RUNTIME for sizes of a tensor that are negative. */
ctorch_error *layer_sizes(const char *function, const char *name, const int64_t *shape, size_t ndim)
    __attribute__((warn_unused_result));

/** Register a parameter whose elements are whatever the memory holds, or None if it is not there. */
ctorch_error *layer_parameter(
    const char *function, ctorch_module *self, const char *name, const struct layer_tensor *how, bool is_there)
    __attribute__((warn_unused_result));

/** Every element of a parameter is 0, or 1, and no graph records it; NULL is left. */
ctorch_error *layer_zeros(const char *function, ctorch_tensor *tensor) __attribute__((warn_unused_result));
ctorch_error *layer_ones(const char *function, ctorch_tensor *tensor) __attribute__((warn_unused_result));

/** Whether both have the same sizes; never so with a nested tensor. */
bool layer_has_shape_of(const ctorch_tensor *one, const ctorch_tensor *other);

/** RUNTIME where a module has no such parameter any more. */
ctorch_error *layer_needs(const char *function, const ctorch_tensor *tensor, const char *name)
    __attribute__((warn_unused_result));

/** Uniform draws from ±bound, which no graph records; NULL is left. */
ctorch_error *layer_uniform(ctorch_tensor *tensor, double bound) __attribute__((warn_unused_result));

/** `*out` is a copy of numbers, to be freed; an empty list has a place too. */
ctorch_error *layer_copy_ints(const char *function, int64_t **out, const int64_t *values, size_t len)
    __attribute__((warn_unused_result));

/** The result of an operator that changed `self` itself: `self`. */
ctorch_error *layer_itself(ctorch_tensor **out, const ctorch_tensor *self, ctorch_error *error)
    __attribute__((warn_unused_result));

/** The one argument of a call, called `input`, which must be a tensor; owned. */
ctorch_error *layer_input(
    const char *function, ctorch_tensor **out, const ctorch_value *args, const ctorch_value *kwargs)
    __attribute__((warn_unused_result));

enum { LAYER_TUPLE = 4 };

/** A tuple of at most LAYER_TUPLE tensors, of which some may be NULL for None. */
ctorch_error *layer_tuple(ctorch_value **out, const ctorch_tensor *const *tensors, size_t len)
    __attribute__((warn_unused_result));

#endif
