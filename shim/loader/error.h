/* An error made while there is no LibTorch. */
#ifndef CTORCH_SHIM_LOADER_ERROR_H
#define CTORCH_SHIM_LOADER_ERROR_H

#include "ctorch/abi/error.h"

/* `function` is static text, `message` is copied. */
ctorch_error *error_alone(ctorch_error_kind kind, const char *function, const char *message);

#endif
