// The devices that LibTorch can autocast on: see autocast_devices.hpp.
#include "core/abi/autocast_devices.hpp"

#include "core/torch/autocast_devices.hpp"

namespace ctorch {

at::ArrayRef<at::DeviceType> autocast_devices() { return libtorch::autocast_devices(); }

}  // namespace ctorch
