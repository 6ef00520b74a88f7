/**
 * Arguments of functions of schema files as values, where they come by name: what makes a module by its class's name,
 * and what calls one with a tuple and a dict.
 *
 * option_bind sorts the values to the parameters as Python does. The option_read functions give each as C has it, or
 * what a function takes for its default where there is none. What does not fit is a TYPE in `error`, and everything
 * after it does nothing. option_end frees what was made on the way, and hands the error over.
 */
#ifndef CTORCH_SHIM_BASE_OPTION_VALUES_H
#define CTORCH_SHIM_BASE_OPTION_VALUES_H

#include <ctorch.h>

/** A parameter of a function of Python's. */
struct option_parameter {
  const char *name;
  bool is_required, is_keyword_only;
};

struct option_kept; /* what lives as long as the arguments */

struct option_values {
  const char *function; /* the exported one, for errors */
  const char *called;   /* "Conv2d", "forward" */
  const struct option_parameter *parameters;
  size_t len;
  ctorch_value **values; /* one for each parameter; NULL is absent */
  ctorch_error *error;
  struct option_kept *kept;
  ctorch_value **packed; /* results, for option_pack_end */
  size_t packed_len;
};

/** What makes a module of values. `*fits` is whether the values are of the parameters' types. */
struct option_creator {
  const char *name;
  ctorch_error *(*create)(
      const char *function, ctorch_module **out, const ctorch_value *args, const ctorch_value *kwargs, bool *fits);
  bool takes_device; /* whether it has an argument `device` */
};

/** What makes a transform of values, likewise. */
struct option_transform_creator {
  const char *name;
  ctorch_error *(*create)(
      const char *function, ctorch_transform **out, const ctorch_value *args, const ctorch_value *kwargs, bool *fits);
};

/** What makes a metric of values, likewise. */
struct option_metric_creator {
  const char *name;
  ctorch_error *(*create)(
      const char *function, ctorch_metric **out, const ctorch_value *args, const ctorch_value *kwargs, bool *fits);
};

/** Sort the values of a tuple or list, and of a dict, to the parameters; NULL is none. */
void option_bind(struct option_values *self, const ctorch_value *args, const ctorch_value *kwargs);

int64_t option_read_int(struct option_values *self, size_t index, int64_t otherwise);
double option_read_double(struct option_values *self, size_t index, double otherwise);
bool option_read_bool(struct option_values *self, size_t index, bool otherwise);
ctorch_dtype option_read_dtype(struct option_values *self, size_t index, ctorch_dtype otherwise);
const int64_t *option_read_optional_int(struct option_values *self, size_t index);
const double *option_read_optional_double(struct option_values *self, size_t index);
const bool *option_read_optional_bool(struct option_values *self, size_t index);
const ctorch_dtype *option_read_optional_dtype(struct option_values *self, size_t index);
const ctorch_layout *option_read_optional_layout(struct option_values *self, size_t index);
const ctorch_device *option_read_device(struct option_values *self, size_t index);
const ctorch_scalar *option_read_scalar(struct option_values *self, size_t index);
const char *option_read_text(struct option_values *self, size_t index);
ctorch_tensor *option_read_tensor(struct option_values *self, size_t index);
ctorch_module *option_read_module(struct option_values *self, size_t index);
const ctorch_transform *option_read_transform(struct option_values *self, size_t index);
/** Any value, None too; NULL for what is absent. */
const ctorch_value *option_read_value(struct option_values *self, size_t index);

/** The device in a value, or that of its name: "cuda:1". An error does not say which argument it is about. */
ctorch_error *option_to_device(ctorch_device *out, const ctorch_value *value) __attribute__((warn_unused_result));

/** One number stands for a list of one. */
const int64_t *option_read_ints(struct option_values *self, size_t index, size_t *len);
const double *option_read_doubles(struct option_values *self, size_t index, size_t *len);
const bool *option_read_bools(struct option_values *self, size_t index, size_t *len);
const ctorch_tensor *const *option_read_tensors(struct option_values *self, size_t index, size_t *len);
const ctorch_transform *const *option_read_transforms(struct option_values *self, size_t index, size_t *len);

/** Results, one after another; each is given up. */
void option_pack_tensor(struct option_values *self, ctorch_tensor *result);
void option_pack_tensors(struct option_values *self, ctorch_tensor_list *result);
void option_pack_int(struct option_values *self, int64_t result);
void option_pack_double(struct option_values *self, double result);
void option_pack_bool(struct option_values *self, bool result);

/** All of them as one value, put together as `shape` says: "." for a result, "(.(..))" for tuples. */
void option_pack_end(struct option_values *self, ctorch_value **out, const char *shape);

ctorch_error *option_end(struct option_values *self) __attribute__((warn_unused_result));

#endif
