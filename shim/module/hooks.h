/** Hooks of modules, and the call that runs them. */
#ifndef CTORCH_SHIM_MODULE_HOOKS_H
#define CTORCH_SHIM_MODULE_HOOKS_H

#include "core/c/hook.h"
#include "module/module.h"
#include "module/tapes.h"

enum module_hook_kind {
  MODULE_FORWARD_PRE,
  MODULE_FORWARD,
  MODULE_BACKWARD_PRE,
  MODULE_BACKWARD,
  MODULE_CALL_KINDS, /* these are hooks of calls; of the others there are none for all modules */
  MODULE_STATE_PRE = MODULE_CALL_KINDS,
  MODULE_STATE,
  MODULE_LOAD_PRE,
  MODULE_LOAD,
  MODULE_HOOK_KINDS
};

/** Whether a call of this module has to run hooks, its own or those for all modules. */
bool module_has_hooks(const ctorch_module *self);

/** The name that a module has in the place of its class's, or NULL. */
const char *module_hooks_name(const struct module_hooks *self);
/** Give it one, which is taken over; NULL for none. It has hooks already. */
void module_hooks_rename(struct module_hooks *self, char *name);

/** The name of its class where a user gave it another one, or NULL. */
const char *module_hooks_class_name(const struct module_hooks *self);

/** The version of its state dict where a user gave it another one, or 0. */
int64_t module_hooks_version(const struct module_hooks *self);

/** What a user's callback does in the place of a class; it is an object, which callers refer to while it runs. */
struct module_own {
  ctorch_module_call_callback forward;
  ctorch_module_callback copied;
  ctorch_module_value_callback text;
  void (*destroy)(void *payload);
  void *payload;
};

/** What computes in the place of the class's forward, and what is told of copies; NULL for none. */
struct module_own *module_hooks_forward(const struct module_hooks *self);
struct module_own *module_hooks_copied(const struct module_hooks *self);
/** The tapes of a module that captures itself, NULL for none; and others in their place, as tapes_set. */
struct tapes *module_hooks_tapes(const struct module_hooks *self);
ctorch_error *module_set_tapes(const char *function, ctorch_module *self, int64_t most, bool fast)
    __attribute__((warn_unused_result));

/** What gives its text, and what gives the part of it between the parentheses; NULL for none. */
struct module_own *module_hooks_repr(const struct module_hooks *self);
struct module_own *module_hooks_extra_repr(const struct module_hooks *self);
/** Let a callback give the part between the parentheses. It is consumed unless there is an error. */
ctorch_error *module_hooks_set_extra_repr(
    const char *function,
    ctorch_module *self,
    ctorch_module_value_callback callback,
    void (*destroy)(void *payload),
    void *payload) __attribute__((warn_unused_result));

/** Let an entry of a module's tensors be computed before each call, by what gets a reference; NULL for not so. */
ctorch_error *module_set_computed(
    const char *function, ctorch_module *self, struct module_tensor *entry, const struct module_computed *computed)
    __attribute__((warn_unused_result));

/** Compute what is computed before a call, or what is computed whenever it is read. */
ctorch_error *module_compute(ctorch_module *self, bool on_read) __attribute__((warn_unused_result));
/** The end of what was computed because it was going to be read. */
void module_compute_end(ctorch_module *self);

void module_hooks_free(struct module_hooks *self);

/** What a copy of a module has: the same hooks. */
ctorch_error *module_hooks_copy(const char *function, struct module_hooks **out, const struct module_hooks *self)
    __attribute__((warn_unused_result));

/** Those for all modules, and then the module's own. */
ctorch_error *module_hooks_read(
    const char *function, struct hooks *out, const ctorch_module *self, enum module_hook_kind kind)
    __attribute__((warn_unused_result));

/** What the registering functions do. */
ctorch_error *module_hooks_add(
    const char *function,
    ctorch_hook **out,
    ctorch_module *self,
    enum module_hook_kind kind,
    const struct hook *hook,
    bool prepend,
    void (*destroy)(void *payload)) __attribute__((warn_unused_result));

ctorch_error *module_hooks_add_for_all(
    const char *function,
    ctorch_hook **out,
    enum module_hook_kind kind,
    const struct hook *hook,
    void (*destroy)(void *payload)) __attribute__((warn_unused_result));

/** The class's own forward, from values to a value, without hooks. */
ctorch_error *module_run_class(
    const char *function, ctorch_value **out, ctorch_module *self, const ctorch_value *args, const ctorch_value *kwargs)
    __attribute__((warn_unused_result));

/** The same, or what a user put in its place. */
ctorch_error *module_run(
    const char *function, ctorch_value **out, ctorch_module *self, const ctorch_value *args, const ctorch_value *kwargs)
    __attribute__((warn_unused_result));

/** The same between the hooks. */
ctorch_error *module_run_hooked(
    const char *function, ctorch_value **out, ctorch_module *self, const ctorch_value *args, const ctorch_value *kwargs)
    __attribute__((warn_unused_result));

/** ctorch_module_call for `function`: that between the hooks if there are any, and the path of an error. `args` is a
 * tuple or a list, `kwargs` a dict; both may be NULL. */
ctorch_error *module_call(
    const char *function, ctorch_value **out, ctorch_module *self, const ctorch_value *args, const ctorch_value *kwargs)
    __attribute__((warn_unused_result));

/** ctorch_module_forward for what has hooks, or is not made for one tensor alone. */
ctorch_error *module_forward_by_call(
    const char *function, ctorch_tensor **out, ctorch_module *self, const ctorch_tensor *input)
    __attribute__((warn_unused_result));

/** The backward hooks of one call, between two nodes of the graph that its inputs and its outputs go through. */
struct module_backward;

/** NULL in `*out` if the module has none. */
ctorch_error *module_backward_begin(const char *function, struct module_backward **out, ctorch_module *self)
    __attribute__((warn_unused_result));
/** The arguments, a tuple, behind the first node, and the result, a tensor or a tuple, behind the second one: `*values`
 * is replaced, owned. */
ctorch_error *module_backward_inputs(struct module_backward *self, ctorch_value **values)
    __attribute__((warn_unused_result));
ctorch_error *module_backward_outputs(struct module_backward *self, ctorch_value **values)
    __attribute__((warn_unused_result));
/** The call is over; what the graph needs lives as long as that. */
void module_backward_end(struct module_backward *self);

/** The hooks on the state of a module. `metadata` is that of all modules. */
ctorch_error *module_run_state_dict_pre_hooks(
    const char *function, ctorch_module *self, const char *prefix, bool keep_vars) __attribute__((warn_unused_result));
ctorch_error *module_run_state_dict_hooks(
    const char *function,
    ctorch_module *self,
    ctorch_value *state_dict,
    const char *prefix,
    const ctorch_value *metadata) __attribute__((warn_unused_result));
ctorch_error *module_run_load_state_dict_pre_hooks(ctorch_module *self, struct module_loading *loading)
    __attribute__((warn_unused_result));
ctorch_error *module_run_load_state_dict_hooks(ctorch_module *self, struct module_loading *loading)
    __attribute__((warn_unused_result));

#endif
