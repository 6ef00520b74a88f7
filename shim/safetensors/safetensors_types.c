/* The element types of safetensors. */
#include "io/weights_table.h"
#include "safetensors/safetensors.h"

const struct safetensors_type safetensors_types[SAFETENSORS_TYPES] = {
    {"BOOL", 8, CTORCH_DTYPE_BOOL},
    {"F4", 4, CTORCH_DTYPE_FLOAT4_E2M1FN_X2},
    {"F6_E2M3", 6, WEIGHTS_NO_DTYPE},
    {"F6_E3M2", 6, WEIGHTS_NO_DTYPE},
    {"U8", 8, CTORCH_DTYPE_UINT8},
    {"I8", 8, CTORCH_DTYPE_INT8},
    {"F8_E5M2", 8, CTORCH_DTYPE_FLOAT8_E5M2},
    {"F8_E4M3", 8, CTORCH_DTYPE_FLOAT8_E4M3FN},
    {"F8_E8M0", 8, CTORCH_DTYPE_FLOAT8_E8M0FNU},
    {"F8_E4M3FNUZ", 8, CTORCH_DTYPE_FLOAT8_E4M3FNUZ},
    {"F8_E5M2FNUZ", 8, CTORCH_DTYPE_FLOAT8_E5M2FNUZ},
    {"I16", 16, CTORCH_DTYPE_INT16},
    {"U16", 16, CTORCH_DTYPE_UINT16},
    {"F16", 16, CTORCH_DTYPE_FLOAT16},
    {"BF16", 16, CTORCH_DTYPE_BFLOAT16},
    {"I32", 32, CTORCH_DTYPE_INT32},
    {"U32", 32, CTORCH_DTYPE_UINT32},
    {"F32", 32, CTORCH_DTYPE_FLOAT32},
    {"C64", 64, CTORCH_DTYPE_COMPLEX64},
    {"F64", 64, CTORCH_DTYPE_FLOAT64},
    {"I64", 64, CTORCH_DTYPE_INT64},
    {"U64", 64, CTORCH_DTYPE_UINT64},
};

size_t safetensors_type_of(ctorch_dtype dtype) {
  size_t type = 0;
  while (type < SAFETENSORS_TYPES && safetensors_types[type].dtype != dtype) {
    type++;
  }
  return type;
}
