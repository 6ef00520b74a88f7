// What DLPack's numbers of devices and dtypes are in PyTorch, both ways.
#include <ATen/detail/CUDAHooksInterface.h>
#include <ATen/detail/XPUHooksInterface.h>
#include <ATen/ops/is_pinned_ops.h>
#include <c10/core/impl/VirtualGuardImpl.h>

#include "core/abi/error.hpp"
#include "core/abi/from.hpp"
#include "core/abi/to.hpp"
#include "core/dlpack/dlpack.hpp"
#include "core/torch/dtype.hpp"

using namespace ctorch;
using namespace ctorch::dlpack;

namespace {

struct Row {
  at::ScalarType dtype;
  DLDataType type;
  uint64_t flags = 0;
};

constexpr uint64_t PADDED = CTORCH_DLPACK_FLAG_IS_SUBBYTE_TYPE_PADDED;

// Searched from the top for an import.
constexpr Row ROWS[] = {
    {at::ScalarType::Float, {FLOAT, 32, 1}},
    {at::ScalarType::Double, {FLOAT, 64, 1}},
    {at::ScalarType::Long, {INT, 64, 1}},
    {at::ScalarType::Int, {INT, 32, 1}},
    {at::ScalarType::BFloat16, {BFLOAT, 16, 1}},
    {at::ScalarType::Half, {FLOAT, 16, 1}},
    {at::ScalarType::Byte, {UINT, 8, 1}},
    {at::ScalarType::Bool, {BOOL, 8, 1}},
    {at::ScalarType::Char, {INT, 8, 1}},
    {at::ScalarType::Short, {INT, 16, 1}},
    {at::ScalarType::UInt16, {UINT, 16, 1}},
    {at::ScalarType::UInt32, {UINT, 32, 1}},
    {at::ScalarType::UInt64, {UINT, 64, 1}},
    {at::ScalarType::ComplexHalf, {COMPLEX, 32, 1}},
    {at::ScalarType::ComplexFloat, {COMPLEX, 64, 1}},
    {at::ScalarType::ComplexDouble, {COMPLEX, 128, 1}},
    {at::ScalarType::Float8_e4m3fn, {FLOAT8_E4M3FN, 8, 1}},
    {at::ScalarType::Float8_e5m2, {FLOAT8_E5M2, 8, 1}},
    {at::ScalarType::Float8_e4m3fnuz, {FLOAT8_E4M3FNUZ, 8, 1}},
    {at::ScalarType::Float8_e5m2fnuz, {FLOAT8_E5M2FNUZ, 8, 1}},
    {libtorch::FLOAT8_E8M0FNU, {FLOAT8_E8M0FNU, 8, 1}},
    {libtorch::FLOAT4_E2M1FN_X2, {FLOAT4_E2M1FN, 4, 2}},
    {at::ScalarType::UInt1, {UINT, 1, 1}, PADDED},
    {at::ScalarType::UInt2, {UINT, 2, 1}, PADDED},
    {at::ScalarType::UInt3, {UINT, 3, 1}, PADDED},
    {at::ScalarType::UInt4, {UINT, 4, 1}, PADDED},
    {at::ScalarType::UInt5, {UINT, 5, 1}, PADDED},
    {at::ScalarType::UInt6, {UINT, 6, 1}, PADDED},
    {at::ScalarType::UInt7, {UINT, 7, 1}, PADDED},
    {at::ScalarType::Int1, {INT, 1, 1}, PADDED},
    {at::ScalarType::Int2, {INT, 2, 1}, PADDED},
    {at::ScalarType::Int3, {INT, 3, 1}, PADDED},
    {at::ScalarType::Int4, {INT, 4, 1}, PADDED},
    {at::ScalarType::Int5, {INT, 5, 1}, PADDED},
    {at::ScalarType::Int6, {INT, 6, 1}, PADDED},
    {at::ScalarType::Int7, {INT, 7, 1}, PADDED},
};

struct ByDtype {
  ElementType elements[static_cast<size_t>(at::ScalarType::NumOptions)] = {};
};
constexpr ByDtype BY_DTYPE = [] {
  ByDtype table;
  for (const Row &row : ROWS) {
    if (!libtorch::has_dtype(row.dtype)) {
      continue;
    }
    table.elements[static_cast<size_t>(row.dtype)] = {row.type, row.flags};
  }
  return table;
}();

[[noreturn]] void refuse(at::ScalarType dtype) {
  const char *what = at::isQIntType(dtype) ? "QUInt/QInt types are" : at::isBitsType(dtype) ? "Bit types are" : nullptr;
  std::string name = std::string("dtype ") + ctorch_dtype_name(static_cast<ctorch_dtype>(dtype)) + " is";
  fail(CTORCH_ERROR_BUFFER, (what == nullptr ? name : what) + " not supported by dlpack");
}

[[noreturn]] void refuse(DLDataType type, uint64_t flags) {
  std::string what = "no dtype for DLPack's type code " + std::to_string(type.code) + " of " +
                     std::to_string(type.bits) + " bits and " + std::to_string(type.lanes) + " lanes";
  const char *why = type.lanes != 1                          ? ": lanes != 1 are not supported"
                    : type.bits < 8 && (flags & PADDED) == 0 ? ": packed elements are not supported"
                                                             : "";
  fail(CTORCH_ERROR_BUFFER, what + why);
}

/// In a LibTorch for ROCm, devices of AMD go by the name of CUDA.
bool is_rocm() { return at::detail::getCUDAHooks().hasROCM(); }

at::DeviceType device_type_of(int32_t type) {
  switch (type) {
    case CPU:
    case CUDA_HOST:
    case ROCM_HOST:
      return at::kCPU;
    case CUDA:
      if (is_rocm()) {
        break;
      }
      return at::kCUDA;
    case ROCM:
      return is_rocm() ? at::kCUDA : at::kHIP;
    case OPENCL:
      return at::DeviceType::OPENCL;
    case METAL:
      return at::kMPS;
    case ONE_API:
      return at::kXPU;
    case MAIA:
      return at::kMAIA;
    case EXT_DEV:
      return at::kPrivateUse1;
    default:
      break;
  }
  fail(CTORCH_ERROR_BUFFER, "Unsupported device_type: " + std::to_string(type));
}

}  // namespace

namespace ctorch::dlpack {

ElementType element_type(at::ScalarType dtype) {
  ElementType element = BY_DTYPE.elements[static_cast<size_t>(dtype)];
  if (element.type.lanes == 0) {
    refuse(dtype);
  }
  return element;
}

DLDataType as_bytes(const ElementType &element) {
  return element.flags == 0 ? element.type : DLDataType{element.type.code, 8, 1};
}

at::ScalarType dtype_of(DLDataType type, uint64_t flags) {
  for (const Row &row : ROWS) {
    if (row.type.code == type.code && row.type.bits == type.bits && row.type.lanes == type.lanes &&
        libtorch::has_dtype(row.dtype)) {
      // For what fills its bytes, padding says nothing.
      bool packed = type.bits < 8 && (flags & PADDED) == 0;
      if (type.bits >= 8 || packed == (row.flags == 0)) {
        return row.dtype;
      }
    }
  }
  refuse(type, flags);
}

DLDevice device_of(at::Device device) {
  if (device.is_cpu()) {
    return {CPU, 0};
  }
  int32_t index = std::max<int32_t>(device.index(), 0);
  switch (device.type()) {
    case at::kCUDA:
      return {is_rocm() ? ROCM : CUDA, index};
    case at::kHIP:
      return {ROCM, index};
    case at::DeviceType::OPENCL:
      return {OPENCL, index};
    case at::kMPS:
      return {METAL, index};
    case at::kXPU:
      return {ONE_API, at::detail::getXPUHooks().getGlobalIdxFromDevice(device)};
    case at::kMAIA:
      return {MAIA, index};
    case at::kPrivateUse1:
      return {EXT_DEV, index};
    default:
      fail(CTORCH_ERROR_BUFFER, "Cannot pack tensors on " + device.str());
  }
}

at::Device device_of(DLDevice device, const void *data, const char *name) {
  at::DeviceType type = device_type_of(device.device_type);
  if (type == at::kCPU) {
    return type;
  }
  if (type == at::kXPU) {
    if (data == nullptr || !c10::impl::hasDeviceGuardImpl(type)) {
      fail(CTORCH_ERROR_BUFFER, "the devices of oneAPI are known by their memory, and there is none");
    }
    return at::detail::getXPUHooks().getDeviceFromPtr(const_cast<void *>(data));
  }
  if (device.device_id < 0 || device.device_id > INT8_MAX) {
    fail_argument(
        name, "no device id " + std::to_string(device.device_id) + " of type " + at::DeviceTypeName(type, true));
  }
  return {type, static_cast<at::DeviceIndex>(device.device_id)};
}

at::Device requested_device(DLDevice device, const char *name) {
  if (device.device_type == CUDA_HOST || device.device_type == ROCM_HOST) {  // to be pinned, not just to be read
    fail(CTORCH_ERROR_BUFFER, "Unsupported device_type: " + std::to_string(device.device_type));
  }
  return device_of(device, nullptr, name);
}

void require_device(at::Device device, const char *name) {
  if (device.is_cpu()) {
    return;
  }
  if (!c10::impl::hasDeviceGuardImpl(device.type())) {
    fail(
        CTORCH_ERROR_UNSUPPORTED,
        std::string("this LibTorch was built without support for ") + at::DeviceTypeName(device.type(), true));
  }
  if (device.index() >= c10::impl::VirtualGuardImpl(device.type()).deviceCount()) {
    fail_argument(name, "there is no device " + device.str());
  }
}

}  // namespace ctorch::dlpack

ctorch_error *ctorch_dtype_to_dlpack(
    uint8_t *out_code, uint8_t *out_bits, uint16_t *out_lanes, uint64_t *out_flags, ctorch_dtype dtype) {
  return guard(__func__, [&] {
    to::require(out_code, "out_code");
    to::require(out_bits, "out_bits");
    to::require(out_lanes, "out_lanes");
    to::require(out_flags, "out_flags");
    ElementType element = element_type(from::dtype(dtype, "dtype"));
    *out_code = element.type.code;
    *out_bits = element.type.bits;
    *out_lanes = element.type.lanes;
    *out_flags = element.flags;
  });
}

ctorch_error *ctorch_dtype_from_dlpack(ctorch_dtype *out, uint8_t code, uint8_t bits, uint16_t lanes, uint64_t flags) {
  return guard(__func__, [&] {
    to::require(out, "out");
    *out = static_cast<ctorch_dtype>(dtype_of({code, bits, lanes}, flags));
  });
}

ctorch_error *ctorch_tensor_dlpack_device(int32_t *out_type, int32_t *out_id, const ctorch_tensor *self) {
  return guard(__func__, [&] {
    to::require(out_type, "out_type");
    to::require(out_id, "out_id");
    const at::Tensor &tensor = from::tensor(self, "self");
    DLDevice device = device_of(tensor.device());
    if (device.device_type == CPU && at::_ops::is_pinned::call(tensor, std::nullopt)) {
      device.device_type = is_rocm() ? ROCM_HOST : CUDA_HOST;
    }
    *out_type = device.device_type;
    *out_id = device.device_id;
  });
}
