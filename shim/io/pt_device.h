/* The names of devices in files. */
#ifndef CTORCH_IO_PT_DEVICE_H
#define CTORCH_IO_PT_DEVICE_H

#include "ctorch/types.h"

/* "cpu", "cuda", "cuda:1"; false if it is no device. */
bool pt_device_parse(ctorch_device *out, const char *text);

#endif
