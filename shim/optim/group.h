/** Groups of parameters and their options, and the dicts that those are. */
#ifndef CTORCH_SHIM_OPTIM_GROUP_H
#define CTORCH_SHIM_OPTIM_GROUP_H

#include "optim/optimizer.h"

/** The group of this number, or INDEX; also what every function begins with. */
ctorch_error *optimizer_group_at(
    const char *function, struct optimizer_group **out, const ctorch_optimizer *self, size_t group)
    __attribute__((warn_unused_result));

/** Add a group, a dict with "params" and options. */
ctorch_error *optimizer_add_group(const char *function, ctorch_optimizer *self, const ctorch_value *given)
    __attribute__((warn_unused_result));

void group_clear(struct optimizer_group *self);

/** A new dict with all that Python's group has, but for "params". */
ctorch_error *group_options(const char *function, ctorch_value **out, const struct optimizer_group *group)
    __attribute__((warn_unused_result));

/** Give the parameters other names: a list of as many texts. */
ctorch_error *group_set_names(const char *function, struct optimizer_group *group, const ctorch_value *names)
    __attribute__((warn_unused_result));

/** Replace an option by a number, or fill the tensor that it is. */
ctorch_error *group_set_number(struct optimizer_group *self, const char *name, double number)
    __attribute__((warn_unused_result));

/** Read `foreach`, `fused`, `maximize`, `capturable` and `differentiable`, where there are any, to the group's
 * struct. */
void option_reader_flags(struct option_reader *self, struct optimizer_group *group);

/* Dicts. */

/** The entry of this name, owned; NULL for none. */
ctorch_error *dict_find(ctorch_value **out, const ctorch_value *dict, const char *name)
    __attribute__((warn_unused_result));
ctorch_error *dict_has(bool *out, const ctorch_value *dict, const char *name) __attribute__((warn_unused_result));
/** A truth of this name; false for none, and for None. */
ctorch_error *dict_find_bool(bool *out, const ctorch_value *dict, const char *name) __attribute__((warn_unused_result));
/** Add the entries of another dict whose keys are not there yet, but for two names; NULL for none. */
ctorch_error *dict_merge(ctorch_value *self, const ctorch_value *other, const char *but, const char *but_too)
    __attribute__((warn_unused_result));
/** A tuple of the entries of a list. */
ctorch_error *tuple_of_list(const char *function, ctorch_value **out, const ctorch_value *list)
    __attribute__((warn_unused_result));
/** A list that holds anything, with the entries of one that holds texts alone. */
ctorch_error *list_of_values(ctorch_value **out, const ctorch_value *list) __attribute__((warn_unused_result));

#endif
