/**
 * What is inside a module, by its dotted name: "layer1.0.weight" (`named_parameters`, `get_submodule` and so on).
 *
 *     ctorch_named_tensors *parameters = NULL;
 *     CTORCH_TRY(ctorch_module_named_parameters(&parameters, model, NULL, true, true));
 *     for (size_t i = 0; i < ctorch_named_tensors_len(parameters); i++) {
 *       puts(ctorch_named_tensors_name(parameters, i));
 *     }
 *
 * The order is that of registration, a module before what is inside it. Where duplicates are removed, a tensor or
 * module that stands in several places has the first one's name.
 */
#ifndef CTORCH_MODULE_NAMES_H
#define CTORCH_MODULE_NAMES_H

#include "ctorch/abi/base.h"
#include "ctorch/module/module.h"

CTORCH_BEGIN_DECLS

/** Tensors with their names, as they were when it was made. */
typedef struct ctorch_named_tensors ctorch_named_tensors;

/** Modules with their names, as they were when it was made. */
typedef struct ctorch_named_modules ctorch_named_modules;

/**
 * Add a reference.
 *
 * @param self  borrowed; NULL is allowed.
 */
CTORCH_EXPORT void ctorch_named_tensors_retain(const ctorch_named_tensors *self);

/**
 * Give a reference back.
 *
 * @param self  owned; NULL is allowed.
 */
CTORCH_EXPORT void ctorch_named_tensors_release(ctorch_named_tensors *self);

/**
 * Number of tensors.
 *
 * @param self  borrowed; may be NULL.
 * @return 0 for NULL.
 */
CTORCH_API size_t ctorch_named_tensors_len(const ctorch_named_tensors *self);

/**
 * The dotted name of one.
 *
 * @param self   borrowed; may be NULL.
 * @param index  from 0 to ctorch_named_tensors_len - 1.
 * @return borrowed from `self`; NULL for NULL, and where there is none.
 */
CTORCH_API const char *ctorch_named_tensors_name(const ctorch_named_tensors *self, size_t index);

/**
 * One of the tensors.
 *
 * @param[out] out  owned.
 * @param self      borrowed.
 * @param index     from 0 to ctorch_named_tensors_len - 1.
 * @return NULL, or NULL_ARGUMENT, INDEX.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_named_tensors_get(ctorch_tensor **out, const ctorch_named_tensors *self, size_t index);

/**
 * Add a reference.
 *
 * @param self  borrowed; NULL is allowed.
 */
CTORCH_EXPORT void ctorch_named_modules_retain(const ctorch_named_modules *self);

/**
 * Give a reference back.
 *
 * @param self  owned; NULL is allowed.
 */
CTORCH_EXPORT void ctorch_named_modules_release(ctorch_named_modules *self);

/**
 * Number of modules.
 *
 * @param self  borrowed; may be NULL.
 * @return 0 for NULL.
 */
CTORCH_API size_t ctorch_named_modules_len(const ctorch_named_modules *self);

/**
 * The dotted name of one.
 *
 * @param self   borrowed; may be NULL.
 * @param index  from 0 to ctorch_named_modules_len - 1.
 * @return borrowed from `self`; NULL for NULL, and where there is none.
 */
CTORCH_API const char *ctorch_named_modules_name(const ctorch_named_modules *self, size_t index);

/**
 * One of the modules.
 *
 * @param[out] out  owned.
 * @param self      borrowed.
 * @param index     from 0 to ctorch_named_modules_len - 1.
 * @return NULL, or NULL_ARGUMENT, INDEX.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_named_modules_get(ctorch_module **out, const ctorch_named_modules *self, size_t index);

/**
 * The parameters with their names (`Module.named_parameters`).
 *
 * @param[out] out          owned; without what is None.
 * @param self              borrowed.
 * @param prefix            borrowed; what the names begin with, before a dot. NULL for nothing.
 * @param recurse           also those of the modules inside.
 * @param remove_duplicate  each once.
 * @return NULL, or NULL_ARGUMENT, INVALID_ARGUMENT (not UTF-8), RUNTIME (nested deeper than 1,000), OUT_OF_MEMORY.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_module_named_parameters(
    ctorch_named_tensors **out, const ctorch_module *self, const char *prefix, bool recurse, bool remove_duplicate);

/**
 * The buffers with their names (`Module.named_buffers`).
 *
 * @param[out] out          owned; without what is None.
 * @param self              borrowed.
 * @param prefix            borrowed; what the names begin with, before a dot. NULL for nothing.
 * @param recurse           also those of the modules inside.
 * @param remove_duplicate  each once.
 * @return NULL, or NULL_ARGUMENT, INVALID_ARGUMENT (not UTF-8), RUNTIME (nested deeper than 1,000), OUT_OF_MEMORY.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_module_named_buffers(
    ctorch_named_tensors **out, const ctorch_module *self, const char *prefix, bool recurse, bool remove_duplicate);

/**
 * A module itself, under the name `prefix`, and all inside it (`Module.named_modules`).
 *
 * @param[out] out          owned; without what is None.
 * @param self              borrowed.
 * @param prefix            borrowed; what the names begin with, before a dot. NULL for nothing.
 * @param remove_duplicate  each once.
 * @return NULL, or NULL_ARGUMENT, INVALID_ARGUMENT (not UTF-8), RUNTIME (nested deeper than 1,000), OUT_OF_MEMORY.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_module_named_modules(
    ctorch_named_modules **out, const ctorch_module *self, const char *prefix, bool remove_duplicate);

/**
 * The modules that a module holds itself, each once (`Module.named_children`).
 *
 * @param[out] out  owned; without what is None.
 * @param self      borrowed.
 * @return NULL, or NULL_ARGUMENT, OUT_OF_MEMORY.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_module_named_children(ctorch_named_modules **out, const ctorch_module *self);

/** What a module holds under a name. */
typedef int32_t ctorch_module_member_kind;
enum {
  CTORCH_MODULE_MEMBER_NOTHING = 0,
  CTORCH_MODULE_MEMBER_PARAMETER = 1,
  CTORCH_MODULE_MEMBER_BUFFER = 2,
  CTORCH_MODULE_MEMBER_MODULE = 3,
  /** A buffer that no state dict has. */
  CTORCH_MODULE_MEMBER_TRANSIENT_BUFFER = 4,
  /** What is computed in the place of a parameter or buffer; ctorch_module_get_tensor reads it. */
  CTORCH_MODULE_MEMBER_COMPUTED = 5,
  /** What its constructor was given, where nothing is registered under the name; ctorch_module_get_option reads it. */
  CTORCH_MODULE_MEMBER_OPTION = 6,
};

/**
 * What a module itself has under a name, be it None: what `module.name` is.
 *
 * @param self  borrowed; may be NULL.
 * @param name  borrowed; without dots. May be NULL.
 * @return a ctorch_module_member_kind; NOTHING for NULL.
 */
CTORCH_API ctorch_module_member_kind ctorch_module_member_kind_of(const ctorch_module *self, const char *name);

/**
 * The module of a dotted name (`Module.get_submodule`).
 *
 * @param[out] out  owned.
 * @param self      borrowed.
 * @param target    borrowed; "layer1.0". "" is `self`.
 * @return NULL, or NULL_ARGUMENT, INVALID_ARGUMENT (not UTF-8), INDEX (nothing has this name, or no module; Python's
 *         AttributeError).
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_module_get_submodule(
    ctorch_module **out, const ctorch_module *self, const char *target);

/**
 * Put a module under a dotted name, in the place of the one that is there (`Module.set_submodule`).
 *
 * @param self    exclusive.
 * @param target  borrowed; "layer1.0".
 * @param module  borrowed, gets a reference.
 * @param strict  one must be there.
 * @return NULL, or NULL_ARGUMENT, INVALID_ARGUMENT (not UTF-8), VALUE (an empty name), INDEX (nothing has this name, or
 *         no module; Python's AttributeError), RUNTIME (the module contains the one that it is put in), OUT_OF_MEMORY.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_module_set_submodule(
    ctorch_module *self, const char *target, const ctorch_module *module, bool strict);

/**
 * The parameter of a dotted name (`Module.get_parameter`).
 *
 * @param[out] out  owned; the very tensor.
 * @param self      borrowed.
 * @param target    borrowed; "layer1.0.weight".
 * @return NULL, or NULL_ARGUMENT, INVALID_ARGUMENT (not UTF-8), INDEX (nothing has this name, or no parameter; Python's
 *         AttributeError).
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_module_get_parameter(
    ctorch_tensor **out, const ctorch_module *self, const char *target);

/**
 * The buffer of a dotted name (`Module.get_buffer`).
 *
 * @param[out] out  owned; the very tensor.
 * @param self      borrowed.
 * @param target    borrowed; "layer1.0.running_mean".
 * @return NULL, or NULL_ARGUMENT, INVALID_ARGUMENT (not UTF-8), INDEX (nothing has this name, or no buffer; Python's
 *         AttributeError).
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_module_get_buffer(ctorch_tensor **out, const ctorch_module *self, const char *target);

/* Lists of modules ------------------------------------------------------------------------------------------------- */

/**
 * Number of modules that a module holds itself.
 *
 * @param self  borrowed; may be NULL.
 * @return 0 for NULL.
 */
CTORCH_API size_t ctorch_module_len(const ctorch_module *self);

/**
 * One of the modules that a module holds itself, by its place (`sequential[index]`).
 *
 * @param[out] out  owned; NULL for None.
 * @param self      borrowed.
 * @param index     from 0 to ctorch_module_len - 1, or counted from the end: -1 is the last one.
 * @return NULL, or NULL_ARGUMENT, INDEX.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_module_at(ctorch_module **out, const ctorch_module *self, int64_t index);

/**
 * Add a module at the end (`ModuleList.append`).
 *
 * @param self    exclusive; a Sequential or ModuleList.
 * @param module  borrowed, gets a reference.
 * @return NULL, or NULL_ARGUMENT, TYPE (another module), RUNTIME (it is or contains `self`), OUT_OF_MEMORY.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_module_append(ctorch_module *self, const ctorch_module *module);

/**
 * Add a module before another one (`ModuleList.insert`); all are called by their places again.
 *
 * @param self    exclusive; a Sequential or ModuleList.
 * @param index   from 0 to ctorch_module_len, or counted from the end.
 * @param module  borrowed, gets a reference.
 * @return NULL, or NULL_ARGUMENT, TYPE (another module), INDEX, RUNTIME (it is or contains `self`), OUT_OF_MEMORY.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_module_insert(ctorch_module *self, int64_t index, const ctorch_module *module);

/**
 * Take a module out (`del sequential[index]`); all are called by their places again.
 *
 * @param self   exclusive; a Sequential or ModuleList.
 * @param index  from 0 to ctorch_module_len - 1, or counted from the end.
 * @return NULL, or NULL_ARGUMENT, TYPE (another module), INDEX, OUT_OF_MEMORY.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_module_remove_at(ctorch_module *self, int64_t index);

CTORCH_END_DECLS

#endif
