// LibTorch's interface for the caching allocators of all devices, which is complete since 2.12.
#pragma once

#include "torch/version.hpp"

#define LIBTORCH_HAS_ALLOCATORS TORCH_VERSION_AT_LEAST(2, 12)
#define LIBTORCH_ALLOCATORS_SINCE "2.12"

#if LIBTORCH_HAS_ALLOCATORS
#include <ATen/core/CachingHostAllocator.h>
#include <c10/core/AllocatorConfig.h>
#include <c10/core/CachingDeviceAllocator.h>
#endif
