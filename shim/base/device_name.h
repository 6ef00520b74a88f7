/* The names of devices, as texts have them. */
#ifndef CTORCH_SHIM_BASE_DEVICE_NAME_H
#define CTORCH_SHIM_BASE_DEVICE_NAME_H

#include "ctorch/abi/types.h"

/* "cpu", "cuda", "cuda:1"; false if it is no device. */
bool device_name_parse(ctorch_device *out, const char *text);

#endif
