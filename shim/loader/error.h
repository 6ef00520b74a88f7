/* An error made while there is no LibTorch. */
#ifndef CTORCH_LOADER_ERROR_H
#define CTORCH_LOADER_ERROR_H

#include "ctorch/error.h"

/* `function` is static text, `message` is copied. */
ctorch_error *error_alone(ctorch_error_kind kind, const char *function, const char *message);

#endif
