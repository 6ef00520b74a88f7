/**
 * State dicts: the parameters and buffers of a module by their dotted names, to be saved and loaded
 * (`Module.state_dict`, `Module.load_state_dict`).
 *
 *     ctorch_value *state = NULL, *versions = NULL;
 *     CTORCH_TRY(ctorch_module_state_dict(&state, &versions, model, NULL, false));
 *     …
 *     CTORCH_TRY(ctorch_module_load_state_dict(NULL, NULL, other, state, versions, true, false));
 *
 * Names and order are Python's: a module before those inside it, its parameters before its buffers, each in the order
 * of registration. What stands in several places has an entry for each. Beside the tensors Python keeps the version of
 * each module's format (`state_dict._metadata`), by which old files are understood: here it is a second dict, from the
 * dotted names of the modules to {"version": 1}.
 */
#ifndef CTORCH_MODULE_STATE_H
#define CTORCH_MODULE_STATE_H

#include "ctorch/abi/base.h"
#include "ctorch/module/module.h"
#include "ctorch/value/value.h"

CTORCH_BEGIN_DECLS

/**
 * The parameters and persistent buffers of a module, and of all inside it (`Module.state_dict`).
 *
 * @param[out] out           owned; a dict from dotted names to tensors, which have the module's memory. Extra state of
 *                           a module stands under its name and "_extra_state".
 * @param[out] out_metadata  owned; a dict from the dotted names of modules to dicts with their "version". NULL if it is
 *                           not wanted.
 * @param self               exclusive for hooks; otherwise borrowed.
 * @param prefix             borrowed; what every name begins with, its dot included: "model.". NULL for nothing.
 * @param keep_vars          the very tensors; otherwise detached ones, to which no gradient flows.
 * @return NULL, or NULL_ARGUMENT, INVALID_ARGUMENT (not UTF-8), RUNTIME (nested deeper than 1,000), OUT_OF_MEMORY, or
 *         what a hook failed with.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_module_state_dict(
    ctorch_value **out, ctorch_value **out_metadata, ctorch_module *self, const char *prefix, bool keep_vars);

/**
 * Take parameters and buffers over from a state dict (`Module.load_state_dict`).
 *
 * What does not fit is found out for the whole module, and told at once; what fits is loaded nevertheless, as in
 * Python.
 *
 * @param[out] out_missing     owned; a list of the names that the module has and the state dict lacks. NULL if it is
 *                             not wanted.
 * @param[out] out_unexpected  owned; a list of the names that the state dict has and the module lacks. NULL if it is
 *                             not wanted.
 * @param self                 exclusive.
 * @param state_dict           borrowed; a dict from dotted names to tensors, or the OrderedDict of a file. It stays as
 *                             it is.
 * @param metadata             borrowed; the versions, as ctorch_module_state_dict gives them. NULL for those that an
 *                             OrderedDict remembers, if any, None for none: whatever a module of an unknown version
 *                             lacks is what the oldest ones lacked.
 * @param strict               missing and unexpected names are an error.
 * @param assign               put the tensors themselves in the place of the module's, in place of copying their
 *                             values; a parameter's requires_grad stays what it was.
 * @return NULL, or NULL_ARGUMENT, TYPE (no dict of texts), RUNTIME (names that are missing or unexpected, other shapes,
 *         nested deeper than 1,000), OUT_OF_MEMORY, or what a hook failed with.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_module_load_state_dict(
    ctorch_value **out_missing,
    ctorch_value **out_unexpected,
    ctorch_module *self,
    const ctorch_value *state_dict,
    const ctorch_value *metadata,
    bool strict,
    bool assign);

CTORCH_END_DECLS

#endif
