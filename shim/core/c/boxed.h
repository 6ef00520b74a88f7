/**
 * Objects of the layers above the operators that values hold, as a list of modules does.
 *
 *     static const value_held_class module_in_value = {CTORCH_VALUE_MODULE, "torch.nn.Module", repr, copy};
 *
 *     CTORCH_TRY(value_hold(__func__, &value, &module_in_value, module));
 *     ctorch_module *module = value_held(value, &module_in_value);
 *
 * And values that such objects keep, and what tells one value from another.
 */
#ifndef CTORCH_SHIM_CORE_C_BOXED_H
#define CTORCH_SHIM_CORE_C_BOXED_H

#include "ctorch/abi/base.h"
#include "ctorch/value/value.h"

CTORCH_BEGIN_DECLS

/** What values do with objects of one type. It lives as long as the library. */
typedef struct value_held_class {
  ctorch_value_kind kind;
  /** As Python calls the type. */
  const char *name;
  /** Its text, as Python's repr. */
  ctorch_error *(*repr)(ctorch_string **out, const void *self);
  /** For a deep copy of the value: a copy that the caller or its scope owns. */
  ctorch_error *(*copy)(void **out, const void *self);
} value_held_class;

/** A value that holds an object (object.h), which gets a reference that no scope sees. */
ctorch_error *value_hold(const char *function, ctorch_value **out, const value_held_class *type, const void *self)
    __attribute__((warn_unused_result));

/** The object that a value of this type holds, borrowed; NULL for every other value, and for NULL. */
void *value_held(const ctorch_value *value, const value_held_class *type);

/** Whether it is a list or tuple. */
static inline bool value_is_sequence(const ctorch_value *value) {
  const ctorch_value_kind kind = ctorch_value_kind_of(value);
  return kind == CTORCH_VALUE_LIST || kind == CTORCH_VALUE_TUPLE;
}

/** Take over a value that a function handed out, to be kept: no scope owns it any more. Returns `self`; NULL is
 * allowed. */
ctorch_value *value_take(ctorch_value *self);
/** Hand out what was taken, which becomes the caller's or its scope's: `*out = self`. Consumed, also on failure; NULL
 * is allowed. */
ctorch_error *value_give(const char *function, ctorch_value **out, ctorch_value *self)
    __attribute__((warn_unused_result));
/** Give up what was taken; NULL is allowed. */
void value_unref(ctorch_value *self);

/** What two values have in common if and only if they are one object, in Python's sense of `is`: of a tensor, list,
 * tuple, dict, set, bytes, generator or object of a class, as long as it lives. NULL for what is the same where it is
 * equal. */
const void *value_identity(const ctorch_value *self);

CTORCH_END_DECLS

#endif
