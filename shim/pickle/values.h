/* What the parts of a pickle are: arguments of calls, keys, states. */
#ifndef CTORCH_SHIM_PICKLE_VALUES_H
#define CTORCH_SHIM_PICKLE_VALUES_H

#include "pickle/read.h"

/* FORMAT: "<file>: <place>, byte <offset>: <message>". */
ctorch_error *pickle_error(const struct unpickler *self, const char *format, ...)
    __attribute__((format(printf, 2, 3), warn_unused_result));
/* What an operator or a function of ctorch's says against what a file gave it, consumed, as FORMAT. Out of memory stays
 * what it is; NULL stays NULL. */
ctorch_error *pickle_refuse(const struct unpickler *self, ctorch_error *error) __attribute__((warn_unused_result));
/* Count bytes that a call makes of few: FORMAT if they are far more than the file has. */
ctorch_error *pickle_charge(struct unpickler *self, uint64_t nbytes) __attribute__((warn_unused_result));

/* Count a part of a value that is named where it is, as those of keys are and tensors by the ways that lead to them:
 * FORMAT if there are far more than the pickle read so far can have, because they are shared. */
ctorch_error *pickle_visit(struct unpickler *self) __attribute__((warn_unused_result));

/* Whether a value is this class or function itself, or an object that it made. */
bool pickle_is(const ctorch_value *value, const char *module, const char *name);
/* Whether it is a class or function itself. */
bool pickle_is_class(const ctorch_value *value);

/* An argument, owned; FORMAT if there are not as many. */
ctorch_error *pickle_arg(const struct unpickler *self, ctorch_value **out, const ctorch_value *args, size_t index)
    __attribute__((warn_unused_result));
/* Arguments of a type. */
ctorch_error *pickle_int_arg(const struct unpickler *self, int64_t *out, const ctorch_value *args, size_t index)
    __attribute__((warn_unused_result));
ctorch_error *pickle_bool_arg(const struct unpickler *self, bool *out, const ctorch_value *args, size_t index)
    __attribute__((warn_unused_result));
ctorch_error *pickle_double_arg(const struct unpickler *self, double *out, const ctorch_value *args, size_t index)
    __attribute__((warn_unused_result));
/* A text, or bytes that are one; free() it. It has no NUL inside. */
ctorch_error *pickle_text_arg(const struct unpickler *self, char **out, const ctorch_value *args, size_t index)
    __attribute__((warn_unused_result));
/* A list, tuple or torch.Size of ints; free() them. */
ctorch_error *pickle_ints_arg(
    struct unpickler *self, int64_t **out, size_t *out_len, const ctorch_value *args, size_t index)
    __attribute__((warn_unused_result));

/* dict[key] = value, of a dict or an object with such items. */
ctorch_error *pickle_set_item(
    struct unpickler *self, ctorch_value *dict, const ctorch_value *key, const ctorch_value *value)
    __attribute__((warn_unused_result));
ctorch_error *pickle_add_to_set(struct unpickler *self, ctorch_value *set, const ctorch_value *value)
    __attribute__((warn_unused_result));

/* An allowed class that is filled like a list or dict gets one for its items with the first of them. */
ctorch_error *pickle_ensure_items(const struct unpickler *self, ctorch_value *object, ctorch_value_kind kind)
    __attribute__((warn_unused_result));

/* A value that has no items yet: an empty tuple, list or dict. */
ctorch_error *pickle_empty(ctorch_value **out, ctorch_value_kind kind) __attribute__((warn_unused_result));

#endif
