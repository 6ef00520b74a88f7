/**
 * Plain data that crosses the ABI: enumerations with PyTorch's own numbers, and three flat structs.
 *
 * Every enumeration is an int32_t with named constants. Constants are never renumbered or reused; a function that is
 * given a number it does not know answers INVALID_ARGUMENT.
 */
#ifndef CTORCH_TYPES_H
#define CTORCH_TYPES_H

#include "ctorch/abi/base.h"

CTORCH_BEGIN_DECLS

/** Element type of a tensor (`torch.dtype`, c10::ScalarType). */
typedef int32_t ctorch_dtype;
enum {
  CTORCH_DTYPE_UINT8 = 0,
  CTORCH_DTYPE_INT8 = 1,
  CTORCH_DTYPE_INT16 = 2,
  CTORCH_DTYPE_INT32 = 3,
  CTORCH_DTYPE_INT64 = 4,
  CTORCH_DTYPE_FLOAT16 = 5,
  CTORCH_DTYPE_FLOAT32 = 6,
  CTORCH_DTYPE_FLOAT64 = 7,
  CTORCH_DTYPE_COMPLEX32 = 8,
  CTORCH_DTYPE_COMPLEX64 = 9,
  CTORCH_DTYPE_COMPLEX128 = 10,
  CTORCH_DTYPE_BOOL = 11,
  CTORCH_DTYPE_QINT8 = 12,
  CTORCH_DTYPE_QUINT8 = 13,
  CTORCH_DTYPE_QINT32 = 14,
  CTORCH_DTYPE_BFLOAT16 = 15,
  CTORCH_DTYPE_QUINT4X2 = 16,
  CTORCH_DTYPE_QUINT2X4 = 17,
  CTORCH_DTYPE_BITS1X8 = 18,
  CTORCH_DTYPE_BITS2X4 = 19,
  CTORCH_DTYPE_BITS4X2 = 20,
  CTORCH_DTYPE_BITS8 = 21,
  CTORCH_DTYPE_BITS16 = 22,
  CTORCH_DTYPE_FLOAT8_E5M2 = 23,
  CTORCH_DTYPE_FLOAT8_E4M3FN = 24,
  CTORCH_DTYPE_FLOAT8_E5M2FNUZ = 25,
  CTORCH_DTYPE_FLOAT8_E4M3FNUZ = 26,
  CTORCH_DTYPE_UINT16 = 27,
  CTORCH_DTYPE_UINT32 = 28,
  CTORCH_DTYPE_UINT64 = 29,
  CTORCH_DTYPE_UINT1 = 30,
  CTORCH_DTYPE_UINT2 = 31,
  CTORCH_DTYPE_UINT3 = 32,
  CTORCH_DTYPE_UINT4 = 33,
  CTORCH_DTYPE_UINT5 = 34,
  CTORCH_DTYPE_UINT6 = 35,
  CTORCH_DTYPE_UINT7 = 36,
  CTORCH_DTYPE_INT1 = 37,
  CTORCH_DTYPE_INT2 = 38,
  CTORCH_DTYPE_INT3 = 39,
  CTORCH_DTYPE_INT4 = 40,
  CTORCH_DTYPE_INT5 = 41,
  CTORCH_DTYPE_INT6 = 42,
  CTORCH_DTYPE_INT7 = 43,
  CTORCH_DTYPE_FLOAT8_E8M0FNU = 44,
  CTORCH_DTYPE_FLOAT4_E2M1FN_X2 = 45,
  CTORCH_DTYPE_BCOMPLEX32 = 46
};

/** How a tensor's elements lie in memory (`torch.layout`, c10::Layout). */
typedef int32_t ctorch_layout;
enum {
  CTORCH_LAYOUT_STRIDED = 0,
  CTORCH_LAYOUT_SPARSE_COO = 1,
  CTORCH_LAYOUT_SPARSE_CSR = 2,
  CTORCH_LAYOUT_MKLDNN = 3,
  CTORCH_LAYOUT_SPARSE_CSC = 4,
  CTORCH_LAYOUT_SPARSE_BSR = 5,
  CTORCH_LAYOUT_SPARSE_BSC = 6,
  CTORCH_LAYOUT_JAGGED = 7
};

/** Order of a strided tensor's dimensions in memory (`torch.memory_format`, c10::MemoryFormat). */
typedef int32_t ctorch_memory_format;
enum {
  CTORCH_MEMORY_FORMAT_CONTIGUOUS = 0,
  CTORCH_MEMORY_FORMAT_PRESERVE = 1,
  CTORCH_MEMORY_FORMAT_CHANNELS_LAST = 2,
  CTORCH_MEMORY_FORMAT_CHANNELS_LAST_3D = 3
};

/**
 * What a callback answers. Anything but CTORCH_CALLBACK_OK is a failure: a foreign runtime that swallows an exception
 * of its own answers 0, which must not look like success.
 */
typedef int32_t ctorch_callback_status;
enum { CTORCH_CALLBACK_OK = 1 };

/** Kind of device (c10::DeviceType). */
typedef int32_t ctorch_device_type;
enum {
  CTORCH_DEVICE_TYPE_CPU = 0,
  CTORCH_DEVICE_TYPE_CUDA = 1,
  CTORCH_DEVICE_TYPE_MKLDNN = 2,
  CTORCH_DEVICE_TYPE_OPENGL = 3,
  CTORCH_DEVICE_TYPE_OPENCL = 4,
  CTORCH_DEVICE_TYPE_IDEEP = 5,
  CTORCH_DEVICE_TYPE_HIP = 6,
  CTORCH_DEVICE_TYPE_FPGA = 7,
  CTORCH_DEVICE_TYPE_MAIA = 8,
  CTORCH_DEVICE_TYPE_XLA = 9,
  CTORCH_DEVICE_TYPE_VULKAN = 10,
  CTORCH_DEVICE_TYPE_METAL = 11,
  CTORCH_DEVICE_TYPE_XPU = 12,
  CTORCH_DEVICE_TYPE_MPS = 13,
  CTORCH_DEVICE_TYPE_META = 14,
  CTORCH_DEVICE_TYPE_HPU = 15,
  CTORCH_DEVICE_TYPE_VE = 16,
  CTORCH_DEVICE_TYPE_LAZY = 17,
  CTORCH_DEVICE_TYPE_IPU = 18,
  CTORCH_DEVICE_TYPE_MTIA = 19,
  CTORCH_DEVICE_TYPE_PRIVATEUSE1 = 20
};

/** Which field of a ctorch_scalar holds its value. */
typedef int32_t ctorch_scalar_kind;
enum {
  CTORCH_SCALAR_INT = 0,
  CTORCH_SCALAR_FLOAT = 1,
  CTORCH_SCALAR_BOOL = 2,
  CTORCH_SCALAR_COMPLEX = 3,
  CTORCH_SCALAR_UINT = 4
};

/** A Python-like number (`torch.Number`, c10::Scalar). Set `reserved` to 0; fields of other kinds are not read. */
typedef struct ctorch_scalar {
  /** A ctorch_scalar_kind. */
  int32_t kind;
  /** Zero. */
  int32_t reserved;
  /** Value of INT; of BOOL, zero or not; of UINT, the bits of a uint64_t that is at least 2^63. */
  int64_t i;
  /** Value of FLOAT; real part of COMPLEX. */
  double re;
  /** Imaginary part of COMPLEX. */
  double im;
} ctorch_scalar;

/** A device: type and index. Index -1 is the current device of that type; a CPU has index -1 or 0. */
typedef struct ctorch_device {
  /** A ctorch_device_type. */
  int32_t type;
  /** Which one, or -1 for the current one. */
  int32_t index;
} ctorch_device;

/** A queue of work on a device (`torch.Stream`, c10::Stream): plain data that owns nothing. */
typedef struct ctorch_stream {
  /** Number given by the device's runtime; 0 is its default stream. */
  int64_t id;
  /** A ctorch_device_type. */
  int32_t device_type;
  /** Index of the device, at least 0. */
  int32_t device_index;
} ctorch_stream;

/**
 * Name of a dtype as Python prints it, without "torch.": "float32".
 *
 * @param dtype  any number.
 * @return static text; NULL for an unknown dtype.
 */
CTORCH_API const char *ctorch_dtype_name(ctorch_dtype dtype);

/**
 * Bytes of one element of a dtype.
 *
 * @param dtype  any number.
 * @return bytes; 0 for an unknown dtype.
 */
CTORCH_API size_t ctorch_dtype_itemsize(ctorch_dtype dtype);

/**
 * Name of a device type as Python prints it: "cpu", "cuda".
 *
 * @param type  any number.
 * @return static text; NULL for an unknown type.
 */
CTORCH_API const char *ctorch_device_type_name(ctorch_device_type type);

/**
 * Name of a layout as Python prints it, without "torch.": "sparse_coo".
 *
 * @param layout  any number.
 * @return static text; NULL for an unknown layout.
 */
CTORCH_API const char *ctorch_layout_name(ctorch_layout layout);

CTORCH_END_DECLS

#endif
