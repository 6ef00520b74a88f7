/* The tensors of a dict by their names: what the writers of files are given. */
#ifndef CTORCH_SHIM_IO_TENSOR_DICT_H
#define CTORCH_SHIM_IO_TENSOR_DICT_H

#include "ctorch/abi/base.h"

struct named_entry {
  const char *name; /* UTF-8 */
  ctorch_tensor *tensor;
  ctorch_value *key; /* which keeps the name */
};

struct named {
  struct named_entry *data;
  size_t len;
};

/* The entries of `dict`, an argument of this name, in its order. What is no dict, a key that is no text or has a NUL,
 * and a value that is no tensor are errors TYPE and VALUE. */
ctorch_error *named_read(const char *function, struct named *out, const char *argument, const ctorch_value *dict)
    __attribute__((warn_unused_result));
void named_end(struct named *self);

/* Take an entry out; the others keep their order. */
void named_remove(struct named *self, size_t index);

/* A dict of texts, which may be NULL: an argument of this name. */
ctorch_error *named_check_texts(const char *function, const char *argument, const ctorch_value *dict)
    __attribute__((warn_unused_result));

/* The tensor on the CPU, without lazy conjugation and negation: a handle that the caller releases. It lies as `tensor`
 * does, or row by row if that is asked for. */
ctorch_error *named_dense(ctorch_tensor **out, const ctorch_tensor *tensor, bool is_contiguous)
    __attribute__((warn_unused_result));

/* VALUE for what has no strides; the name may be NULL. */
ctorch_error *named_check_strided(const char *function, const char *argument, const struct named_entry *entry)
    __attribute__((warn_unused_result));

#endif
