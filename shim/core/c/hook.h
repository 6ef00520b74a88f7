/**
 * Lists of hooks that objects made in C keep: callbacks with their payloads, which ctorch_hook_remove takes out again.
 *
 *     struct hooks hooks;
 *     CTORCH_TRY(hook_list_read(__func__, &hooks, self->list, NULL));
 *     for (size_t i = 0; error == NULL && i < hooks.len; i++) {
 *       error = run((my_callback)hooks.data[i].callback, hooks.data[i].payload);
 *     }
 *     hooks_end(&hooks);
 *
 * A list may change while it is read, also by its own hooks and on other threads: who reads has those hooks that there
 * were when they began. All callbacks of one list are of one type, which those who add and those who call know.
 */
#ifndef CTORCH_SHIM_CORE_C_HOOK_H
#define CTORCH_SHIM_CORE_C_HOOK_H

#include "ctorch/abi/base.h"
#include "ctorch/autograd/hook.h"

CTORCH_BEGIN_DECLS

/** Any callback, until it is called. */
typedef void (*hook_callback)(void);

struct hook {
  hook_callback callback;
  void *payload;
  uint32_t flags; /* whatever they mean to the list's owner */
};

/** Hooks in the order in which they are to be called; they stay alive until hooks_end. */
struct hooks {
  struct hook *data;
  size_t len, first; /* those of the first list come first */
  void *owner;
};

typedef struct hook_list hook_list;

/** An empty list, or one with the hooks of another that then live as long as both; NULL is out of memory. */
hook_list *hook_list_new(const hook_list *other);
/** The hooks that are on no other list go too. */
void hook_list_free(hook_list *self);

/** NULL is an empty list. */
bool hook_list_is_empty(const hook_list *self);

/**
 * Put a hook on the list, behind the others or in front of them.
 *
 * @param out      what removes it; may be NULL.
 * @param destroy  called once with the payload when the hook is gone; NULL for nothing. Not called if this fails.
 */
ctorch_error *hook_list_add(
    const char *function,
    ctorch_hook **out,
    hook_list *self,
    const struct hook *hook,
    bool first,
    void (*destroy)(void *payload)) __attribute__((warn_unused_result));

/** The hooks of two lists, one after the other; NULL is an empty list. */
ctorch_error *hook_list_read(const char *function, struct hooks *out, const hook_list *self, const hook_list *then)
    __attribute__((warn_unused_result));
void hooks_end(struct hooks *self);

CTORCH_END_DECLS

#endif
