/* The names of devices, as texts have them. */
#ifndef CTORCH_OPTION_DEVICE_NAME_H
#define CTORCH_OPTION_DEVICE_NAME_H

#include "ctorch/types.h"

/* "cpu", "cuda", "cuda:1"; false if it is no device. */
bool device_name_parse(ctorch_device *out, const char *text);

#endif
