/** Containers by the name of their class: what a program fills one by one comes as a list or dict of values here. */
#ifndef CTORCH_SHIM_MODULE_CONTAINERS_OF_VALUES_H
#define CTORCH_SHIM_MODULE_CONTAINERS_OF_VALUES_H

#include "base/option_values.h"

/** Whether it is Sequential, ModuleList, ModuleDict or ParameterDict. */
bool containers_know(const char *name);

/** Make one that holds what the arguments have. */
ctorch_error *containers_create(
    const char *function,
    ctorch_module **out,
    const struct option_creator *creator,
    const ctorch_value *args,
    const ctorch_value *kwargs) __attribute__((warn_unused_result));

#endif
