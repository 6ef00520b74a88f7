/**
 * Objects made in C: how the layers above the operators make handles.
 *
 * The struct that stands behind an opaque type is written in C, and its address is the handle that callers get:
 *
 *     struct ctorch_module { bool training; ctorch_tensor *weight; };
 *
 *     static void finalize(void *self) { ctorch_tensor_release(((ctorch_module *)self)->weight); }
 *     static const object_class module_class = {"module", sizeof(ctorch_module), finalize};
 *
 *     ctorch_error *ctorch_module_new(ctorch_module **out) {
 *       ctorch_module *self = object_new(&module_class);
 *       …
 *       return object_give(__func__, out, self);
 *     }
 *     void ctorch_module_retain(const ctorch_module *self) { object_retain(self); }
 *     void ctorch_module_release(ctorch_module *self) { object_release(self); }
 *
 * Such a handle is like any other: it may be retained and released on any thread, belongs to scopes, and stands in the
 * leak report under its class's name. What an object keeps for itself it refers to by object_ref and object_unref,
 * which no scope sees; tensors that it keeps have to be kept beyond every scope (ctorch_scope_keep with NULL).
 */
#ifndef CTORCH_SHIM_CORE_C_OBJECT_H
#define CTORCH_SHIM_CORE_C_OBJECT_H

#include "ctorch/abi/base.h"

CTORCH_BEGIN_DECLS

/** What objects of one type have in common. It lives as long as the library. */
typedef struct object_class {
  /** The C type without its prefix, for the leak report: "module". */
  const char *name;
  /** Of the struct, in bytes. */
  size_t size;
  /** Gives up what the struct holds, with the last reference, on whichever thread that is; NULL for nothing. The struct
   * itself is freed afterwards. It may be one whose making failed half way: what was not set yet is zero. */
  void (*finalize)(void *self);
} object_class;

/** A new object, filled with zeros, with one reference; NULL if memory has run out. Aligned for every type of C. */
void *object_new(const object_class *type);

/** What an object was made of. */
const object_class *object_class_of(const void *self);

/** Make it an object of another class, whose structs have the same size. No other thread uses `self` meanwhile. */
void object_become(void *self, const object_class *type);

/** A reference of one's own, in no scope and no book. Returns `self`; NULL is allowed. */
void *object_ref(const void *self);
void object_unref(void *self);

/**
 * Hand a reference out, which becomes the caller's or its scope's: `*out = self`.
 *
 * @param function  the exported function, for the error's message: __func__.
 * @param out       a pointer to the caller's pointer, `ctorch_module **`; NULL is an error.
 * @param self      consumed, also on failure. NULL is an error OUT_OF_MEMORY, so that what object_new answered may be
 *                  passed on unseen.
 */
ctorch_error *object_give(const char *function, void *out, void *self) __attribute__((warn_unused_result));

/** Take a reference over that C hands in, such as the result of a callback: no scope owns it any more. */
void object_take(void *self);

/** What ctorch_<type>_retain and ctorch_<type>_release do; NULL is allowed. */
void object_retain(const void *self);
void object_release(void *self);

CTORCH_END_DECLS

#endif
