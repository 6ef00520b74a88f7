// What LibTorch does not tell about CUDA devices without CUDA's headers, asked of the driver's own library at run time.
//
// Four functions of the driver API, whose ABI NVIDIA keeps: cuInit, cuDeviceGetName, cuDeviceGetAttribute and
// cuDeviceGet. UNSUPPORTED where libcuda.so.1 is not there.
#pragma once

#include <string>

namespace ctorch::cuda_driver {

/// CUdevice_attribute.
constexpr int MULTIPROCESSOR_COUNT = 16;
constexpr int COMPUTE_CAPABILITY_MAJOR = 75;
constexpr int COMPUTE_CAPABILITY_MINOR = 76;

std::string name(int index);
int attribute(int index, int which);

}  // namespace ctorch::cuda_driver
