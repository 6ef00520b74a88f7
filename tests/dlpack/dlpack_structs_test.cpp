// The structs of DLPack as ctorch has them, against DLPack's own header: every field at its place.
#include <dlpack/dlpack.h>  // into the global namespace: its types
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <type_traits>

// Ours are of the same names.
namespace ours {
#include "core/dlpack/dlpack_structs.hpp"
}

#define SAME_FIELD(type, field)                                                    \
  static_assert(offsetof(ours::type, field) == offsetof(::type, field), "offset"); \
  static_assert(sizeof(ours::type::field) == sizeof(::type::field), "size")
#define SAME_TYPE(type)                                                         \
  static_assert(sizeof(ours::type) == sizeof(::type), "size of " #type);        \
  static_assert(alignof(ours::type) == alignof(::type), "alignment of " #type); \
  static_assert(std::is_standard_layout_v<ours::type> && std::is_trivial_v<ours::type>)
#define SAME_NUMBER(ours_name, theirs) static_assert(int{ours::ctorch::dlpack::ours_name} == int{theirs})

SAME_TYPE(DLPackVersion);
SAME_FIELD(DLPackVersion, major);
SAME_FIELD(DLPackVersion, minor);

SAME_TYPE(DLDevice);
SAME_FIELD(DLDevice, device_type);
SAME_FIELD(DLDevice, device_id);

SAME_TYPE(DLDataType);
SAME_FIELD(DLDataType, code);
SAME_FIELD(DLDataType, bits);
SAME_FIELD(DLDataType, lanes);

SAME_TYPE(DLTensor);
SAME_FIELD(DLTensor, data);
SAME_FIELD(DLTensor, device);
SAME_FIELD(DLTensor, ndim);
SAME_FIELD(DLTensor, dtype);
SAME_FIELD(DLTensor, shape);
SAME_FIELD(DLTensor, strides);
SAME_FIELD(DLTensor, byte_offset);

SAME_TYPE(DLManagedTensor);
SAME_FIELD(DLManagedTensor, dl_tensor);
SAME_FIELD(DLManagedTensor, manager_ctx);
SAME_FIELD(DLManagedTensor, deleter);

SAME_TYPE(DLManagedTensorVersioned);
SAME_FIELD(DLManagedTensorVersioned, version);
SAME_FIELD(DLManagedTensorVersioned, manager_ctx);
SAME_FIELD(DLManagedTensorVersioned, deleter);
SAME_FIELD(DLManagedTensorVersioned, flags);
SAME_FIELD(DLManagedTensorVersioned, dl_tensor);

SAME_TYPE(DLPackExchangeAPIHeader);
SAME_FIELD(DLPackExchangeAPIHeader, version);
SAME_FIELD(DLPackExchangeAPIHeader, prev_api);

SAME_TYPE(DLPackExchangeAPI);
SAME_FIELD(DLPackExchangeAPI, header);
SAME_FIELD(DLPackExchangeAPI, managed_tensor_allocator);
SAME_FIELD(DLPackExchangeAPI, managed_tensor_from_py_object_no_sync);
SAME_FIELD(DLPackExchangeAPI, managed_tensor_to_py_object_no_sync);
SAME_FIELD(DLPackExchangeAPI, dltensor_from_py_object_no_sync);
SAME_FIELD(DLPackExchangeAPI, current_work_stream);

static_assert(ours::ctorch::dlpack::VERSION.major == DLPACK_MAJOR_VERSION);
static_assert(ours::ctorch::dlpack::VERSION.minor <= DLPACK_MINOR_VERSION);

SAME_NUMBER(CPU, kDLCPU);
SAME_NUMBER(CUDA, kDLCUDA);
SAME_NUMBER(CUDA_HOST, kDLCUDAHost);
SAME_NUMBER(OPENCL, kDLOpenCL);
SAME_NUMBER(METAL, kDLMetal);
SAME_NUMBER(ROCM, kDLROCM);
SAME_NUMBER(ROCM_HOST, kDLROCMHost);
SAME_NUMBER(EXT_DEV, kDLExtDev);
SAME_NUMBER(ONE_API, kDLOneAPI);
SAME_NUMBER(MAIA, kDLMAIA);

SAME_NUMBER(INT, kDLInt);
SAME_NUMBER(UINT, kDLUInt);
SAME_NUMBER(FLOAT, kDLFloat);
SAME_NUMBER(BFLOAT, kDLBfloat);
SAME_NUMBER(COMPLEX, kDLComplex);
SAME_NUMBER(BOOL, kDLBool);
SAME_NUMBER(FLOAT8_E4M3FN, kDLFloat8_e4m3fn);
SAME_NUMBER(FLOAT8_E4M3FNUZ, kDLFloat8_e4m3fnuz);
SAME_NUMBER(FLOAT8_E5M2, kDLFloat8_e5m2);
SAME_NUMBER(FLOAT8_E5M2FNUZ, kDLFloat8_e5m2fnuz);
SAME_NUMBER(FLOAT8_E8M0FNU, kDLFloat8_e8m0fnu);
SAME_NUMBER(FLOAT4_E2M1FN, kDLFloat4_e2m1fn);

int main() {
  puts("the structs are those of DLPack");
  return 0;
}
