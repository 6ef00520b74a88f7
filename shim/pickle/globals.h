/* The classes and functions that a pickle may name, and what stands for them here. */
#ifndef CTORCH_SHIM_PICKLE_GLOBALS_H
#define CTORCH_SHIM_PICKLE_GLOBALS_H

#include "pickle/read.h"

struct pickle_global;

/* What calling it with a tuple of arguments makes: a value that the caller owns. */
typedef ctorch_error *pickle_call(
    struct unpickler *self, ctorch_value **out, const struct pickle_global *global, const ctorch_value *args);

struct pickle_global {
  const char *module, *name; /* NULL module: several (dtype tells which) */
  pickle_call *call;         /* NULL: it is only named */
  bool makes_tensor;         /* and stays a description where struct unpickler says so */
  ctorch_dtype dtype;        /* of a class of storages or tensors; -1 for none */
};

/* Whether a value is a class or function of the table, or an object that one made. */
bool pickle_global_of(const struct unpickler *self, struct pickle_global *out, const ctorch_value *value);
/* Whether it is the description of a tensor: what a function of the table that makes tensors was called with. */
bool pickle_is_description(const struct unpickler *self, const ctorch_value *value);

/* What naming it makes: a dtype, a class, which the caller owns; FORMAT if it is neither in the table nor allowed. */
ctorch_error *pickle_global_value(
    struct unpickler *self,
    ctorch_value **out,
    const char *module,
    size_t module_len,
    const char *name,
    size_t name_len) __attribute__((warn_unused_result));

/* Calling a class or function (call.c), and giving what was made its state, which may make it another value. */
ctorch_error *pickle_reduce(
    struct unpickler *self, ctorch_value **out, const ctorch_value *function, const ctorch_value *args)
    __attribute__((warn_unused_result));
ctorch_error *pickle_build(
    struct unpickler *self, ctorch_value **out_instead, ctorch_value *object, const ctorch_value *state)
    __attribute__((warn_unused_result));

/* Python's own types (call.c). */
pickle_call pickle_call_encode, pickle_call_bytes, pickle_call_bytearray, pickle_call_complex, pickle_call_set,
    pickle_call_frozenset, pickle_call_ordered_dict, pickle_call_defaultdict, pickle_call_described, pickle_call_device,
    pickle_call_layout, pickle_call_newobj, pickle_call_reconstructor, pickle_call_size;

#endif
