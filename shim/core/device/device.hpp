// Devices that are there: what the services of devices, streams, events and memory check first.
#pragma once

#include <c10/core/Device.h>
#include <c10/core/Stream.h>

#include "ctorch/abi/types.h"

namespace ctorch {

/// A device by its index, NULL being the CPU and no index the current one. RUNTIME if there is none such.
at::Device existing_device(const ctorch_device *device, const char *name);

/// INVALID_ARGUMENT for an unknown type.
at::DeviceType device_type(ctorch_device_type type, const char *name);

/// A stream of a device that is there.
c10::Stream existing_stream(const ctorch_stream *stream, const char *name);

/// DEVICE_MISMATCH unless `got` is of the type of `expected`.
void require_same_type(at::Device expected, at::Device got, const char *name);

ctorch_stream plain_stream(const c10::Stream &stream);

}  // namespace ctorch
