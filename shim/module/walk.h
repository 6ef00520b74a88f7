/**
 * Walks through a module and all that is inside it, and where a call is in it.
 */
#ifndef CTORCH_SHIM_MODULE_WALK_H
#define CTORCH_SHIM_MODULE_WALK_H

#include "module/module.h"

/** Pointers that were seen, and how many had been seen before each: a hash table with open addresses. */
struct pointer_set {
  struct pointer_slot {
    const void *pointer; /* NULL in a free slot */
    size_t number;
  } *data;
  size_t len, capacity;
};

/** Whether it is new; `*error` if there is no memory for it. */
bool pointer_set_add(struct pointer_set *self, const char *function, const void *pointer, ctorch_error **error);
/** Its number; `len` if it was not seen. */
size_t pointer_set_find(const struct pointer_set *self, const void *pointer);
void pointer_set_free(struct pointer_set *self);

struct named_module {
  char *name; /* dotted */
  ctorch_module *module;
};

/** Modules with their dotted names, as Python's named_modules gives them: a module before those inside it. */
struct ctorch_named_modules {
  struct named_module *data;
  size_t len;
};

/** `self` under the name `prefix`, and all inside; each once, or as often as it stands somewhere. An object of C. */
ctorch_error *module_walk(
    const char *function,
    ctorch_named_modules **out,
    const ctorch_module *self,
    const char *prefix,
    bool recurse,
    bool remove_duplicate) __attribute__((warn_unused_result));

/** Those that `self` holds itself, each once. An object of C. */
ctorch_error *module_walk_children(const char *function, ctorch_named_modules **out, const ctorch_module *self)
    __attribute__((warn_unused_result));

/** Whether `other` is `self`, or somewhere inside it. */
ctorch_error *module_contains(const char *function, bool *out, const ctorch_module *self, const ctorch_module *other)
    __attribute__((warn_unused_result));

/** The module that the first `len` bytes of a dotted name lead to, borrowed; INDEX if there is none. */
ctorch_error *module_find(
    const char *function, ctorch_module **out, const ctorch_module *self, const char *target, size_t len)
    __attribute__((warn_unused_result));

/** A prefix and a name with a dot between them, or the name; to be freed. NULL is out of memory. */
char *module_join(const char *prefix, const char *name);

/** A name with something behind it, such as "_orig"; to be freed. NULL is out of memory. */
char *module_suffixed(const char *name, const char *suffix);

/** A call of a module that is under way on this thread, and keeps it. */
struct module_frame {
  const ctorch_module *module;
  const struct module_frame *outer;
  int depth;
};

/** The beginning of a call. RUNTIME if too many are inside one another, as of a module that calls itself. */
ctorch_error *module_enter(const char *function, struct module_frame *frame, const ctorch_module *module)
    __attribute__((warn_unused_result));

/** The end of the call. An error is given the dotted path of the innermost module, from the outermost one on. */
ctorch_error *module_leave(const struct module_frame *frame, ctorch_error *error) __attribute__((warn_unused_result));

#endif
