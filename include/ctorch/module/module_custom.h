/**
 * Modules of one's own: a class with a forward of one's own, which stands among other modules, trains, saves and prints
 * like any other (a class derived from `torch.nn.Module`).
 *
 *     static ctorch_callback_status forward(
 *         ctorch_tensor **out, ctorch_module *module, const ctorch_tensor *input, ctorch_error **error, void *data) {
 *       ctorch_module *inner = NULL;
 *       *error = ctorch_module_get_submodule(&inner, module, "inner");
 *       …
 *       return *error == NULL ? CTORCH_CALLBACK_OK : 0;
 *     }
 *
 *     CTORCH_TRY(ctorch_module_new(&block, "Block", forward, NULL, NULL));
 *     CTORCH_TRY(ctorch_module_register_module(block, "inner", inner));
 *
 * A forward takes its parameters and modules from `module` each time that it is called: a copy has others, and so has a
 * module that was loaded or moved. A payload that holds a reference to its own module keeps both alive for ever.
 *
 * What a module can do besides is given to it by the functions below, each with a payload of its own, which may be the
 * same. They belong to the making of a module: what was there before is destroyed, and no call may be under way.
 */
#ifndef CTORCH_MODULE_CUSTOM_H
#define CTORCH_MODULE_CUSTOM_H

#include "ctorch/abi/base.h"
#include "ctorch/module/module.h"
#include "ctorch/value/value.h"

CTORCH_BEGIN_DECLS

/**
 * Compute what a module gives for one tensor.
 *
 * @param[out] out    owned; the result.
 * @param module      exclusive; in evaluation mode several threads may be here at once.
 * @param input       borrowed.
 * @param[out] error  owned; why it failed, left alone (NULL) otherwise.
 * @param payload     of the module.
 * @return CTORCH_CALLBACK_OK on success.
 */
typedef ctorch_callback_status (*ctorch_module_forward_callback)(
    ctorch_tensor **out, ctorch_module *module, const ctorch_tensor *input, ctorch_error **error, void *payload);

/**
 * Compute what a module gives for any values.
 *
 * @param[out] out    owned; the result.
 * @param module      exclusive; in evaluation mode several threads may be here at once.
 * @param args        borrowed; a tuple of positional arguments.
 * @param kwargs      borrowed; a dict from texts to keyword arguments, which may be empty.
 * @param[out] error  owned; why it failed, left alone (NULL) otherwise.
 * @param payload     of the module.
 * @return CTORCH_CALLBACK_OK on success.
 */
typedef ctorch_callback_status (*ctorch_module_call_callback)(
    ctorch_value **out,
    ctorch_module *module,
    const ctorch_value *args,
    const ctorch_value *kwargs,
    ctorch_error **error,
    void *payload);

/**
 * Tell something about a module.
 *
 * @param[out] out    owned; what is asked for.
 * @param module      borrowed.
 * @param[out] error  owned; why it failed, left alone (NULL) otherwise.
 * @param payload     of the registration.
 * @return CTORCH_CALLBACK_OK on success.
 */
typedef ctorch_callback_status (*ctorch_module_value_callback)(
    ctorch_value **out, ctorch_module *module, ctorch_error **error, void *payload);

/**
 * Let a module take something over.
 *
 * @param module      exclusive.
 * @param value       borrowed; what it is given.
 * @param[out] error  owned; why it failed, left alone (NULL) otherwise.
 * @param payload     of the registration.
 * @return CTORCH_CALLBACK_OK on success.
 */
typedef ctorch_callback_status (*ctorch_module_set_value_callback)(
    ctorch_module *module, const ctorch_value *value, ctorch_error **error, void *payload);

/**
 * Make a module of the same kind for a copy.
 *
 * @param[out] out    owned; a new module that ctorch_module_new or ctorch_module_new_of_values made. Whatever it holds
 *                    is replaced by copies of what `module` holds, and it gets the same mode and hooks.
 * @param module      borrowed; what is copied.
 * @param[out] error  owned; why it failed, left alone (NULL) otherwise.
 * @param payload     of the registration.
 * @return CTORCH_CALLBACK_OK on success.
 */
typedef ctorch_callback_status (*ctorch_module_copy_callback)(
    ctorch_module **out, ctorch_module *module, ctorch_error **error, void *payload);

/**
 * Make a module that takes and gives one tensor. It holds nothing yet, and is in training mode.
 *
 * @param[out] out  owned.
 * @param name      borrowed; name of the class, as the module's text shows it. UTF-8, copied.
 * @param forward   called whenever the module is applied, on the thread that applies it.
 * @param destroy   called once with `payload` when the module is gone, on whichever thread that is; NULL if none. It is
 *                  not called if this function fails.
 * @param payload   handed to `forward` and `destroy`; may be NULL.
 * @return NULL, or NULL_ARGUMENT, INVALID_ARGUMENT (not UTF-8), VALUE (an empty name), OUT_OF_MEMORY.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_module_new(
    ctorch_module **out,
    const char *name,
    ctorch_module_forward_callback forward,
    void (*destroy)(void *payload),
    void *payload);

/**
 * Make a module that takes and gives any values: several tensors, keyword arguments, tuples.
 *
 * ctorch_module_forward applies it too, where it gives one tensor for one.
 *
 * @param[out] out  owned.
 * @param name      borrowed; name of the class, as the module's text shows it. UTF-8, copied.
 * @param forward   called whenever the module is applied, on the thread that applies it. NULL for a module that only
 *                  holds others, as a list of them.
 * @param destroy   called once with `payload` when the module is gone, on whichever thread that is; NULL if none. It is
 *                  not called if this function fails.
 * @param payload   handed to `forward` and `destroy`; may be NULL.
 * @return NULL, or NULL_ARGUMENT, INVALID_ARGUMENT (not UTF-8), VALUE (an empty name), OUT_OF_MEMORY.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_module_new_of_values(
    ctorch_module **out,
    const char *name,
    ctorch_module_call_callback forward,
    void (*destroy)(void *payload),
    void *payload);

/**
 * Let the text of a module tell more than its class (`Module.extra_repr`).
 *
 * A copy of a module of torch.nn has its class's own again, as ctorch_module_set_forward has it.
 *
 * @param self      exclusive; a module of any class.
 * @param callback  gives a text: what stands between the parentheses, of several lines if need be. NULL for none.
 * @param destroy   called once with `payload` when the module is gone, on whichever thread that is; NULL if none. It is
 *                  not called if this function fails.
 * @param payload   handed to `callback` and `destroy`; may be NULL.
 * @return NULL, or NULL_ARGUMENT, OUT_OF_MEMORY.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_module_set_extra_repr(
    ctorch_module *self, ctorch_module_value_callback callback, void (*destroy)(void *payload), void *payload);

/**
 * Let ctorch_module_reset_parameters draw the initial values of a module (`reset_parameters`).
 *
 * @param self      exclusive; a module of one's own.
 * @param callback  draws the values of what the module holds itself; not of the modules inside. NULL for none.
 * @param destroy   called once with `payload` when the module is gone, on whichever thread that is; NULL if none. It is
 *                  not called if this function fails.
 * @param payload   handed to `callback` and `destroy`; may be NULL.
 * @return NULL, or NULL_ARGUMENT, TYPE (a module of torch.nn).
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_module_set_reset_parameters(
    ctorch_module *self, ctorch_module_callback callback, void (*destroy)(void *payload), void *payload);

/**
 * Let a state dict have more of a module than its tensors, under "_extra_state" (`Module.get_extra_state`,
 * `Module.set_extra_state`).
 *
 * @param self     exclusive; a module of one's own.
 * @param get      gives what is to be saved.
 * @param set      takes over what was saved.
 * @param destroy  called once with `payload` when the module is gone, on whichever thread that is; NULL if none. It is
 *                 not called if this function fails.
 * @param payload  handed to `get`, `set` and `destroy`; may be NULL.
 * @return NULL, or NULL_ARGUMENT, TYPE (a module of torch.nn).
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_module_set_extra_state(
    ctorch_module *self,
    ctorch_module_value_callback get,
    ctorch_module_set_value_callback set,
    void (*destroy)(void *payload),
    void *payload);

/**
 * Let ctorch_module_copy copy a module. One of whose payloads none is there needs no such callback; any other is not
 * copied without one.
 *
 * @param self      exclusive; a module of one's own.
 * @param callback  makes a module of the same kind, which is then given copies of all that this one holds. NULL for
 *                  none.
 * @param destroy   called once with `payload` when the module is gone, on whichever thread that is; NULL if none. It is
 *                  not called if this function fails.
 * @param payload   handed to `callback` and `destroy`; may be NULL.
 * @return NULL, or NULL_ARGUMENT, TYPE (a module of torch.nn).
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_module_set_copy(
    ctorch_module *self, ctorch_module_copy_callback callback, void (*destroy)(void *payload), void *payload);

/**
 * Let a module that parametrizes tensors (module_parametrize.h) say which ones a given tensor is computed from
 * (`right_inverse`).
 *
 * @param self      exclusive; a module of one's own.
 * @param callback  called with that tensor alone; gives a tensor, or a list or tuple of them, of which the forward
 *                  makes one like it. It may fail with NOT_IMPLEMENTED. NULL for none.
 * @param destroy   called once with `payload` when the module is gone, on whichever thread that is; NULL if none. It is
 *                  not called if this function fails.
 * @param payload   handed to `callback` and `destroy`; may be NULL.
 * @return NULL, or NULL_ARGUMENT, TYPE (a module of torch.nn).
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_module_set_right_inverse(
    ctorch_module *self, ctorch_module_call_callback callback, void (*destroy)(void *payload), void *payload);

/* Any module ------------------------------------------------------------------------------------------------------- */

/**
 * Let a callback compute what a module of any class gives (a class derived from a layer, or `module.forward = f`).
 * Hooks run around it as around the class's own forward, which ctorch_module_forward_of_class still computes. A copy
 * of the module has the class's own again, unless what ctorch_module_set_copied was given sees to it.
 *
 * @param self      exclusive; no call may be under way.
 * @param forward   called whenever the module is applied, on the thread that applies it. NULL for the class's own.
 * @param destroy   called once with `payload` when the module is gone, or has another, on whichever thread that is;
 *                  NULL if none. It is not called if this function fails.
 * @param payload   handed to `forward` and `destroy`; may be NULL.
 * @return NULL, or NULL_ARGUMENT, OUT_OF_MEMORY.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_module_set_forward(
    ctorch_module *self, ctorch_module_call_callback forward, void (*destroy)(void *payload), void *payload);

/**
 * Let a callback give the text of a module, by itself and inside others (a class with a `__repr__`); that of its class
 * ctorch_module_repr_of_class still gives. A copy of the module has its class's again, as ctorch_module_set_forward has
 * it.
 *
 * @param self      exclusive.
 * @param callback  gives a text, which is used as it is. NULL for the class's own.
 * @param destroy   called once with `payload` when the module is gone, or has another, on whichever thread that is;
 *                  NULL if none. It is not called if this function fails.
 * @param payload   handed to `callback` and `destroy`; may be NULL.
 * @return NULL, or NULL_ARGUMENT, OUT_OF_MEMORY.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_module_set_repr(
    ctorch_module *self, ctorch_module_value_callback callback, void (*destroy)(void *payload), void *payload);

/**
 * The text of a module as its class has it, whatever ctorch_module_set_repr put in its place (`super().__repr__()`);
 * modules inside have their own.
 *
 * @param[out] out  owned.
 * @param self      borrowed.
 * @return NULL, or what ctorch_module_repr returns.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_module_repr_of_class(ctorch_string **out, const ctorch_module *self);

/**
 * What the class of a module computes, without hooks and whatever ctorch_module_set_forward put in its place
 * (`super().forward(…)`).
 *
 * @param[out] out  owned.
 * @param self      as ctorch_module_call has it.
 * @param args      borrowed; a tuple or list of positional arguments. NULL for none.
 * @param kwargs    borrowed; a dict from texts to keyword arguments. NULL for none.
 * @return NULL, or what ctorch_module_call returns.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_module_forward_of_class(
    ctorch_value **out, ctorch_module *self, const ctorch_value *args, const ctorch_value *kwargs);

/**
 * Be told of each copy of a module, so that it gets what a copy has not: its forward, fields of its own.
 *
 * @param self      exclusive.
 * @param callback  called by ctorch_module_copy with the copy, which holds all that it is to hold. If it fails, there
 *                  is no copy. NULL for none.
 * @param destroy   called once with `payload` when the module is gone, or has another, on whichever thread that is;
 *                  NULL if none. It is not called if this function fails.
 * @param payload   handed to `callback` and `destroy`; may be NULL.
 * @return NULL, or NULL_ARGUMENT, OUT_OF_MEMORY.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_module_set_copied(
    ctorch_module *self, ctorch_module_callback callback, void (*destroy)(void *payload), void *payload);

/**
 * Give the class of one module another name, which its text and its errors have (the name of a derived class). What the
 * module is stays the same.
 *
 * @param self  exclusive.
 * @param name  borrowed; UTF-8, copied. NULL for the class's own.
 * @return NULL, or NULL_ARGUMENT, INVALID_ARGUMENT (not UTF-8), VALUE (an empty name), OUT_OF_MEMORY.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_module_set_class_name(ctorch_module *self, const char *name);

/**
 * Give the state dict of one module another version, which its metadata has (`_version`): a later program can tell what
 * an older one saved.
 *
 * @param self     exclusive.
 * @param version  at least 1, which most classes have.
 * @return NULL, or NULL_ARGUMENT, VALUE (less than 1), OUT_OF_MEMORY.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_module_set_version(ctorch_module *self, int64_t version);

CTORCH_END_DECLS

#endif
