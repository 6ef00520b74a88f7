/** Modules by the name of their class. */
#ifndef CTORCH_SHIM_MODULE_CREATE_H
#define CTORCH_SHIM_MODULE_CREATE_H

#include "module/module.h"

/** As ctorch_nn_create, with parameters without memory: on the device "meta", if the class takes a device. */
ctorch_error *create_on_meta(const char *function, ctorch_module **out, const char *name, const ctorch_value *kwargs)
    __attribute__((warn_unused_result));

#endif
