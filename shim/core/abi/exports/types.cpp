// Names and sizes of the enumerations, and the proof that their numbers are PyTorch's.
#include "ctorch/abi/types.h"

#include <c10/core/DeviceType.h>
#include <c10/core/Layout.h>
#include <c10/core/MemoryFormat.h>
#include <c10/core/ScalarType.h>

#include <iterator>

#include "core/torch/dtype.hpp"

namespace {

struct DType {
  const char *name;
  size_t itemsize;
};

constexpr DType DTYPES[] = {
    {"uint8", 1},
    {"int8", 1},
    {"int16", 2},
    {"int32", 4},
    {"int64", 8},
    {"float16", 2},
    {"float32", 4},
    {"float64", 8},
    {"complex32", 4},
    {"complex64", 8},
    {"complex128", 16},
    {"bool", 1},
    {"qint8", 1},
    {"quint8", 1},
    {"qint32", 4},
    {"bfloat16", 2},
    {"quint4x2", 1},
    {"quint2x4", 1},
    {"bits1x8", 1},
    {"bits2x4", 1},
    {"bits4x2", 1},
    {"bits8", 1},
    {"bits16", 2},
    {"float8_e5m2", 1},
    {"float8_e4m3fn", 1},
    {"float8_e5m2fnuz", 1},
    {"float8_e4m3fnuz", 1},
    {"uint16", 2},
    {"uint32", 4},
    {"uint64", 8},
    {"uint1", 1},
    {"uint2", 1},
    {"uint3", 1},
    {"uint4", 1},
    {"uint5", 1},
    {"uint6", 1},
    {"uint7", 1},
    {"int1", 1},
    {"int2", 1},
    {"int3", 1},
    {"int4", 1},
    {"int5", 1},
    {"int6", 1},
    {"int7", 1},
    {"float8_e8m0fnu", 1},
    {"float4_e2m1fn_x2", 1},
    {"bcomplex32", 4},
};
static_assert(std::size(DTYPES) == CTORCH_DTYPE_BCOMPLEX32 + 1);

constexpr const char *DEVICE_TYPES[] = {"cpu",  "cuda", "mkldnn", "opengl", "opencl", "ideep", "hip",
                                        "fpga", "maia", "xla",    "vulkan", "metal",  "xpu",   "mps",
                                        "meta", "hpu",  "ve",     "lazy",   "ipu",    "mtia",  "privateuseone"};
static_assert(std::size(DEVICE_TYPES) == CTORCH_DEVICE_TYPE_PRIVATEUSE1 + 1);

constexpr const char *LAYOUTS[] = {"strided",    "sparse_coo", "sparse_csr", "_mkldnn",
                                   "sparse_csc", "sparse_bsr", "sparse_bsc", "jagged"};
static_assert(std::size(LAYOUTS) == CTORCH_LAYOUT_JAGGED + 1);

#define SAME(ours, theirs) static_assert(static_cast<int32_t>(ours) == static_cast<int32_t>(c10::theirs))
SAME(CTORCH_DTYPE_UINT8, ScalarType::Byte);
SAME(CTORCH_DTYPE_INT8, ScalarType::Char);
SAME(CTORCH_DTYPE_INT16, ScalarType::Short);
SAME(CTORCH_DTYPE_INT32, ScalarType::Int);
SAME(CTORCH_DTYPE_INT64, ScalarType::Long);
SAME(CTORCH_DTYPE_FLOAT16, ScalarType::Half);
SAME(CTORCH_DTYPE_FLOAT32, ScalarType::Float);
SAME(CTORCH_DTYPE_FLOAT64, ScalarType::Double);
SAME(CTORCH_DTYPE_COMPLEX32, ScalarType::ComplexHalf);
SAME(CTORCH_DTYPE_COMPLEX64, ScalarType::ComplexFloat);
SAME(CTORCH_DTYPE_COMPLEX128, ScalarType::ComplexDouble);
SAME(CTORCH_DTYPE_BOOL, ScalarType::Bool);
SAME(CTORCH_DTYPE_QINT8, ScalarType::QInt8);
SAME(CTORCH_DTYPE_QUINT8, ScalarType::QUInt8);
SAME(CTORCH_DTYPE_QINT32, ScalarType::QInt32);
SAME(CTORCH_DTYPE_BFLOAT16, ScalarType::BFloat16);
SAME(CTORCH_DTYPE_QUINT4X2, ScalarType::QUInt4x2);
SAME(CTORCH_DTYPE_QUINT2X4, ScalarType::QUInt2x4);
SAME(CTORCH_DTYPE_BITS1X8, ScalarType::Bits1x8);
SAME(CTORCH_DTYPE_BITS2X4, ScalarType::Bits2x4);
SAME(CTORCH_DTYPE_BITS4X2, ScalarType::Bits4x2);
SAME(CTORCH_DTYPE_BITS8, ScalarType::Bits8);
SAME(CTORCH_DTYPE_BITS16, ScalarType::Bits16);
SAME(CTORCH_DTYPE_FLOAT8_E5M2, ScalarType::Float8_e5m2);
SAME(CTORCH_DTYPE_FLOAT8_E4M3FN, ScalarType::Float8_e4m3fn);
SAME(CTORCH_DTYPE_FLOAT8_E5M2FNUZ, ScalarType::Float8_e5m2fnuz);
SAME(CTORCH_DTYPE_FLOAT8_E4M3FNUZ, ScalarType::Float8_e4m3fnuz);
SAME(CTORCH_DTYPE_UINT16, ScalarType::UInt16);
SAME(CTORCH_DTYPE_UINT32, ScalarType::UInt32);
SAME(CTORCH_DTYPE_UINT64, ScalarType::UInt64);
SAME(CTORCH_DTYPE_UINT1, ScalarType::UInt1);
SAME(CTORCH_DTYPE_UINT2, ScalarType::UInt2);
SAME(CTORCH_DTYPE_UINT3, ScalarType::UInt3);
SAME(CTORCH_DTYPE_UINT4, ScalarType::UInt4);
SAME(CTORCH_DTYPE_UINT5, ScalarType::UInt5);
SAME(CTORCH_DTYPE_UINT6, ScalarType::UInt6);
SAME(CTORCH_DTYPE_UINT7, ScalarType::UInt7);
SAME(CTORCH_DTYPE_INT1, ScalarType::Int1);
SAME(CTORCH_DTYPE_INT2, ScalarType::Int2);
SAME(CTORCH_DTYPE_INT3, ScalarType::Int3);
SAME(CTORCH_DTYPE_INT4, ScalarType::Int4);
SAME(CTORCH_DTYPE_INT5, ScalarType::Int5);
SAME(CTORCH_DTYPE_INT6, ScalarType::Int6);
SAME(CTORCH_DTYPE_INT7, ScalarType::Int7);
static_assert(CTORCH_DTYPE_FLOAT8_E8M0FNU == static_cast<int32_t>(ctorch::libtorch::FLOAT8_E8M0FNU));
static_assert(CTORCH_DTYPE_FLOAT4_E2M1FN_X2 == static_cast<int32_t>(ctorch::libtorch::FLOAT4_E2M1FN_X2));
static_assert(CTORCH_DTYPE_BCOMPLEX32 == static_cast<int32_t>(ctorch::libtorch::BCOMPLEX32));
// A dtype that a tensor may have and that had no name here would be a null pointer in messages.
static_assert(
    std::size(DTYPES) >= static_cast<size_t>(c10::ScalarType::Undefined), "LibTorch has a dtype without a name here");
SAME(CTORCH_LAYOUT_STRIDED, Layout::Strided);
SAME(CTORCH_LAYOUT_SPARSE_COO, Layout::Sparse);
SAME(CTORCH_LAYOUT_SPARSE_CSR, Layout::SparseCsr);
SAME(CTORCH_LAYOUT_MKLDNN, Layout::Mkldnn);
SAME(CTORCH_LAYOUT_SPARSE_CSC, Layout::SparseCsc);
SAME(CTORCH_LAYOUT_SPARSE_BSR, Layout::SparseBsr);
SAME(CTORCH_LAYOUT_SPARSE_BSC, Layout::SparseBsc);
SAME(CTORCH_LAYOUT_JAGGED, Layout::Jagged);
SAME(CTORCH_MEMORY_FORMAT_CONTIGUOUS, MemoryFormat::Contiguous);
SAME(CTORCH_MEMORY_FORMAT_PRESERVE, MemoryFormat::Preserve);
SAME(CTORCH_MEMORY_FORMAT_CHANNELS_LAST, MemoryFormat::ChannelsLast);
SAME(CTORCH_MEMORY_FORMAT_CHANNELS_LAST_3D, MemoryFormat::ChannelsLast3d);
SAME(CTORCH_DEVICE_TYPE_CPU, DeviceType::CPU);
SAME(CTORCH_DEVICE_TYPE_CUDA, DeviceType::CUDA);
SAME(CTORCH_DEVICE_TYPE_MKLDNN, DeviceType::MKLDNN);
SAME(CTORCH_DEVICE_TYPE_OPENGL, DeviceType::OPENGL);
SAME(CTORCH_DEVICE_TYPE_OPENCL, DeviceType::OPENCL);
SAME(CTORCH_DEVICE_TYPE_IDEEP, DeviceType::IDEEP);
SAME(CTORCH_DEVICE_TYPE_HIP, DeviceType::HIP);
SAME(CTORCH_DEVICE_TYPE_FPGA, DeviceType::FPGA);
SAME(CTORCH_DEVICE_TYPE_MAIA, DeviceType::MAIA);
SAME(CTORCH_DEVICE_TYPE_XLA, DeviceType::XLA);
SAME(CTORCH_DEVICE_TYPE_VULKAN, DeviceType::Vulkan);
SAME(CTORCH_DEVICE_TYPE_METAL, DeviceType::Metal);
SAME(CTORCH_DEVICE_TYPE_XPU, DeviceType::XPU);
SAME(CTORCH_DEVICE_TYPE_MPS, DeviceType::MPS);
SAME(CTORCH_DEVICE_TYPE_META, DeviceType::Meta);
SAME(CTORCH_DEVICE_TYPE_HPU, DeviceType::HPU);
SAME(CTORCH_DEVICE_TYPE_VE, DeviceType::VE);
SAME(CTORCH_DEVICE_TYPE_LAZY, DeviceType::Lazy);
SAME(CTORCH_DEVICE_TYPE_IPU, DeviceType::IPU);
SAME(CTORCH_DEVICE_TYPE_MTIA, DeviceType::MTIA);
SAME(CTORCH_DEVICE_TYPE_PRIVATEUSE1, DeviceType::PrivateUse1);
#undef SAME

template <class T, size_t N>
const T *entry_of(const T (&table)[N], int32_t index) {
  return index >= 0 && static_cast<size_t>(index) < N ? &table[index] : nullptr;
}

}  // namespace

const char *ctorch_dtype_name(ctorch_dtype dtype) {
  const DType *entry = entry_of(DTYPES, dtype);
  return entry == nullptr ? nullptr : entry->name;
}

size_t ctorch_dtype_itemsize(ctorch_dtype dtype) {
  const DType *entry = entry_of(DTYPES, dtype);
  return entry == nullptr ? 0 : entry->itemsize;
}

const char *ctorch_device_type_name(ctorch_device_type type) {
  const char *const *entry = entry_of(DEVICE_TYPES, type);
  return entry == nullptr ? nullptr : *entry;
}

const char *ctorch_layout_name(ctorch_layout layout) {
  const char *const *entry = entry_of(LAYOUTS, layout);
  return entry == nullptr ? nullptr : *entry;
}
