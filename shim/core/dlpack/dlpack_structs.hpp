// The structs of DLPack 1.3, in the words of its header (https://github.com/dmlc/dlpack, include/dlpack/dlpack.h).
// LibTorch has them in ATen/dlpack.h, in the version that it speaks itself: DLPack 0.8 until 2.8.
// tests/dlpack/dlpack_structs_test.cpp compares the two.
#pragma once

#include <stdint.h>

struct DLPackVersion {
  uint32_t major;
  uint32_t minor;
};

struct DLDevice {
  int32_t device_type;
  int32_t device_id;
};

struct DLDataType {
  uint8_t code;
  uint8_t bits;
  uint16_t lanes;
};

struct DLTensor {
  void *data;
  DLDevice device;
  int32_t ndim;
  DLDataType dtype;
  int64_t *shape;
  int64_t *strides;  // in elements; may be null before DLPack 1.2
  uint64_t byte_offset;
};

struct DLManagedTensor {
  DLTensor dl_tensor;
  void *manager_ctx;
  void (*deleter)(DLManagedTensor *self);
};

struct DLManagedTensorVersioned {
  DLPackVersion version;  // from here to flags, every major version has these fields
  void *manager_ctx;
  void (*deleter)(DLManagedTensorVersioned *self);
  uint64_t flags;
  DLTensor dl_tensor;
};

struct DLPackExchangeAPIHeader {
  DLPackVersion version;
  DLPackExchangeAPIHeader *prev_api;
};

struct DLPackExchangeAPI {
  DLPackExchangeAPIHeader header;
  int (*managed_tensor_allocator)(
      DLTensor *prototype,
      DLManagedTensorVersioned **out,
      void *error_ctx,
      void (*SetError)(void *error_ctx, const char *kind, const char *message));
  int (*managed_tensor_from_py_object_no_sync)(void *py_object, DLManagedTensorVersioned **out);
  int (*managed_tensor_to_py_object_no_sync)(DLManagedTensorVersioned *tensor, void **out_py_object);
  int (*dltensor_from_py_object_no_sync)(void *py_object, DLTensor *out);  // may be null
  int (*current_work_stream)(int32_t device_type, int32_t device_id, void **out_current_stream);
};

namespace ctorch::dlpack {

constexpr DLPackVersion VERSION = {1, 3};

enum DeviceType : int32_t {
  CPU = 1,
  CUDA = 2,
  CUDA_HOST = 3,
  OPENCL = 4,
  METAL = 8,
  ROCM = 10,
  ROCM_HOST = 11,
  EXT_DEV = 12,
  ONE_API = 14,
  MAIA = 17,
};

enum TypeCode : uint8_t {
  INT = 0,
  UINT = 1,
  FLOAT = 2,
  BFLOAT = 4,
  COMPLEX = 5,
  BOOL = 6,
  FLOAT8_E4M3FN = 10,
  FLOAT8_E4M3FNUZ = 11,
  FLOAT8_E5M2 = 12,
  FLOAT8_E5M2FNUZ = 13,
  FLOAT8_E8M0FNU = 14,
  FLOAT4_E2M1FN = 17,
};

}  // namespace ctorch::dlpack
