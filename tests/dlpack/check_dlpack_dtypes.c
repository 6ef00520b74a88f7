/* DLPack: the dtypes, against the table of its header. */
#include "dlpack/dlpack_producer.h"

/* Codes, bits and lanes as dlpack.h gives them; the name says the rest. */
static const struct {
  const char *name;
  int code, bits, lanes;
} DTYPES[] = {
    {"uint8", kDLUInt, 8, 1},
    {"int8", kDLInt, 8, 1},
    {"int16", kDLInt, 16, 1},
    {"int32", kDLInt, 32, 1},
    {"int64", kDLInt, 64, 1},
    {"float16", kDLFloat, 16, 1},
    {"float32", kDLFloat, 32, 1},
    {"float64", kDLFloat, 64, 1},
    {"complex32", kDLComplex, 32, 1},
    {"complex64", kDLComplex, 64, 1},
    {"complex128", kDLComplex, 128, 1},
    {"bool", kDLBool, 8, 1},
    {"bfloat16", kDLBfloat, 16, 1},
    {"float8_e5m2", kDLFloat8_e5m2, 8, 1},
    {"float8_e4m3fn", kDLFloat8_e4m3fn, 8, 1},
    {"float8_e5m2fnuz", kDLFloat8_e5m2fnuz, 8, 1},
    {"float8_e4m3fnuz", kDLFloat8_e4m3fnuz, 8, 1},
    {"uint16", kDLUInt, 16, 1},
    {"uint32", kDLUInt, 32, 1},
    {"uint64", kDLUInt, 64, 1},
    {"uint1", kDLUInt, 1, 1},
    {"uint2", kDLUInt, 2, 1},
    {"uint3", kDLUInt, 3, 1},
    {"uint4", kDLUInt, 4, 1},
    {"uint5", kDLUInt, 5, 1},
    {"uint6", kDLUInt, 6, 1},
    {"uint7", kDLUInt, 7, 1},
    {"int1", kDLInt, 1, 1},
    {"int2", kDLInt, 2, 1},
    {"int3", kDLInt, 3, 1},
    {"int4", kDLInt, 4, 1},
    {"int5", kDLInt, 5, 1},
    {"int6", kDLInt, 6, 1},
    {"int7", kDLInt, 7, 1},
    {"float8_e8m0fnu", kDLFloat8_e8m0fnu, 8, 1},
    {"float4_e2m1fn_x2", kDLFloat4_e2m1fn, 4, 2},
};
enum { DTYPES_LEN = sizeof DTYPES / sizeof *DTYPES };

static int row_of(const char *name) {
  for (int row = 0; row < DTYPES_LEN; row++) {
    if (strcmp(DTYPES[row].name, name) == 0) {
      return row;
    }
  }
  return -1;
}

START_TEST(every_dtype_has_its_code_or_is_refused) {
  int known = 0;
  for (ctorch_dtype dtype = 0; ctorch_dtype_name(dtype) != NULL; dtype++) {
    uint8_t code = 99, bits = 99;
    uint16_t lanes = 99;
    uint64_t flags = 99;
    const int row = row_of(ctorch_dtype_name(dtype));
    if (!ck_has_dtype(dtype)) {
      known += row >= 0;
      ck_fails(
          ctorch_dtype_to_dlpack(&code, &bits, &lanes, &flags, dtype), CTORCH_ERROR_INVALID_ARGUMENT,
          "dtype: unknown dtype");
      continue;
    }
    if (row < 0) {
      ck_fails(
          ctorch_dtype_to_dlpack(&code, &bits, &lanes, &flags, dtype), CTORCH_ERROR_BUFFER, "not supported by dlpack");
      ck_assert(code == 99 && bits == 99 && lanes == 99 && flags == 99);
      continue;
    }
    known++;
    ck_ok(ctorch_dtype_to_dlpack(&code, &bits, &lanes, &flags, dtype));
    ck_assert_int_eq(code, DTYPES[row].code);
    ck_assert_int_eq(bits, DTYPES[row].bits);
    ck_assert_int_eq(lanes, DTYPES[row].lanes);
    const bool padded = bits < 8 && lanes == 1;
    ck_assert_uint_eq(flags, padded ? DLPACK_FLAG_BITMASK_IS_SUBBYTE_TYPE_PADDED : 0);
    ctorch_dtype back = -1;
    ck_ok(ctorch_dtype_from_dlpack(&back, code, bits, lanes, flags));
    ck_assert_int_eq(back, dtype);
    if (bits < 8) { /* the other way to store it has no dtype */
      const uint64_t other = flags ^ DLPACK_FLAG_BITMASK_IS_SUBBYTE_TYPE_PADDED;
      ck_fails(ctorch_dtype_from_dlpack(&back, code, bits, lanes, other), CTORCH_ERROR_BUFFER, "no dtype");
    } else { /* of whole bytes, padding says nothing */
      ck_ok(ctorch_dtype_from_dlpack(&back, code, bits, lanes, DLPACK_FLAG_BITMASK_IS_SUBBYTE_TYPE_PADDED));
      ck_assert_int_eq(back, dtype);
    }
  }
  ck_assert_int_eq(known, DTYPES_LEN);
}
END_TEST

/* Whether this LibTorch has the dtype of a row. */
static bool is_here(int row) {
  const char *name = DTYPES[row].name;
  return strcmp(name, "float8_e8m0fnu") == 0     ? ck_has_dtype(CTORCH_DTYPE_FLOAT8_E8M0FNU)
         : strcmp(name, "float4_e2m1fn_x2") == 0 ? ck_has_dtype(CTORCH_DTYPE_FLOAT4_E2M1FN_X2)
                                                 : true;
}

START_TEST(every_other_code_is_refused) {
  static const int all_bits[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 15, 16, 24, 32, 64, 80, 127, 128, 255};
  int known = 0;
  for (int code = 0; code < 20; code++) {
    for (size_t i = 0; i < sizeof all_bits / sizeof *all_bits; i++) {
      for (int lanes = 0; lanes < 4; lanes++) {
        const int bits = all_bits[i];
        bool expected = false;
        for (int row = 0; row < DTYPES_LEN; row++) {
          expected |=
              DTYPES[row].code == code && DTYPES[row].bits == bits && DTYPES[row].lanes == lanes && is_here(row);
        }
        ctorch_dtype dtype = -1;
        const bool padded = bits < 8 && lanes == 1;
        ctorch_error *error =
            ctorch_dtype_from_dlpack(&dtype, (uint8_t)code, (uint8_t)bits, (uint16_t)lanes, padded ? 4 : 0);
        ck_assert_int_eq(error == NULL, expected);
        if (error != NULL) {
          ck_assert_int_eq(ctorch_error_kind_of(error), CTORCH_ERROR_BUFFER);
          ctorch_error_release(error);
        }
        known += expected;
      }
    }
  }
  int here = 0;
  for (int row = 0; row < DTYPES_LEN; row++) {
    here += is_here(row);
  }
  ck_assert_int_eq(known, here);
  ctorch_dtype dtype = -1;
  ck_fails(ctorch_dtype_from_dlpack(&dtype, kDLFloat, 32, 4, 0), CTORCH_ERROR_BUFFER, "lanes != 1");
  ck_fails(ctorch_dtype_from_dlpack(&dtype, kDLInt, 4, 1, 0), CTORCH_ERROR_BUFFER, "packed");
  ck_fails(ctorch_dtype_from_dlpack(&dtype, 255, 32, 1, 0), CTORCH_ERROR_BUFFER, "type code 255");
  ck_fails(ctorch_dtype_from_dlpack(NULL, kDLInt, 8, 1, 0), CTORCH_ERROR_NULL_ARGUMENT, "out");
  uint8_t code = 0, bits = 0;
  uint16_t lanes = 0;
  uint64_t flags = 0;
  ck_fails(ctorch_dtype_to_dlpack(&code, &bits, &lanes, &flags, 99), CTORCH_ERROR_INVALID_ARGUMENT, "dtype");
  ck_fails(ctorch_dtype_to_dlpack(NULL, &bits, &lanes, &flags, 0), CTORCH_ERROR_NULL_ARGUMENT, "out_code");
  ck_fails(ctorch_dtype_to_dlpack(&code, NULL, &lanes, &flags, 0), CTORCH_ERROR_NULL_ARGUMENT, "out_bits");
  ck_fails(ctorch_dtype_to_dlpack(&code, &bits, NULL, &flags, 0), CTORCH_ERROR_NULL_ARGUMENT, "out_lanes");
  ck_fails(ctorch_dtype_to_dlpack(&code, &bits, &lanes, NULL, 0), CTORCH_ERROR_NULL_ARGUMENT, "out_flags");
}
END_TEST

START_TEST(a_tensor_of_every_dtype_crosses) {
  open_a_scope();
  static unsigned char memory[64];
  const ctorch_dtype dtype = _i;
  ctorch_tensor *x = NULL;
  if (!ck_has_dtype(dtype)) {
    ck_fails(
        ctorch_tensor_from_buffer(&x, memory, CTORCH_INTS(3), NULL, 0, dtype, NULL, NULL),
        CTORCH_ERROR_INVALID_ARGUMENT, "dtype: unknown dtype");
    close_a_scope();
    return;
  }
  if (ctorch_dtype_name(dtype)[0] == 'q') { /* no buffer alone makes a quantized tensor */
    ck_ok(ctorch_aten_empty_memory_format(&x, CTORCH_INTS(3), &dtype, NULL, NULL, NULL, NULL));
  } else {
    ck_ok(ctorch_tensor_from_buffer(&x, memory, CTORCH_INTS(3), NULL, 0, dtype, NULL, NULL));
  }
  struct DLManagedTensorVersioned *managed = NULL;
  const int row = row_of(ctorch_dtype_name(dtype));
  if (row < 0) {
    ck_fails(ctorch_tensor_to_dlpack(&managed, x, NULL, NULL, NULL, false), CTORCH_ERROR_BUFFER, "not supported");
    close_a_scope();
    return;
  }
  managed = exported(x);
  ck_assert_int_eq(managed->dl_tensor.dtype.code, DTYPES[row].code);
  ck_assert_int_eq(managed->dl_tensor.dtype.bits, DTYPES[row].bits);
  ck_assert_int_eq(managed->dl_tensor.dtype.lanes, DTYPES[row].lanes);
  const bool padded = DTYPES[row].bits < 8 && DTYPES[row].lanes == 1;
  ck_assert_uint_eq(managed->flags, padded ? DLPACK_FLAG_BITMASK_IS_SUBBYTE_TYPE_PADDED : 0);
  ctorch_tensor *back = imported(managed);
  ck_assert_int_eq(ctorch_tensor_dtype(back), dtype);
  ck_assert_ptr_eq(data_of(back), memory);
  ck_shape(back, CTORCH_INTS(3));

  /* Where the flag cannot be said, the bytes are exported. */
  struct DLManagedTensor *unversioned = NULL;
  DLTensor view;
  ck_ok(ctorch_tensor_to_dlpack_unversioned(&unversioned, x, NULL, NULL, NULL));
  ck_ok(ctorch_tensor_to_dltensor(&view, x, false));
  ck_assert_int_eq(unversioned->dl_tensor.dtype.bits, padded ? 8 : DTYPES[row].bits);
  ck_assert_int_eq(view.dtype.bits, padded ? 8 : DTYPES[row].bits);
  ck_assert_int_eq(unversioned->dl_tensor.dtype.code, DTYPES[row].code);
  ctorch_dlpack_unversioned_release(unversioned);
  for (int64_t minor = 0; minor < 3; minor++) {
    void *out = NULL;
    const char *name = NULL;
    ck_ok(ctorch_tensor_dlpack(&out, &name, x, NULL, (const int64_t[]){1, minor}, 2, NULL, 0, NULL));
    managed = out;
    ck_assert_int_eq(managed->dl_tensor.dtype.bits, padded && minor < 1 ? 8 : DTYPES[row].bits);
    ck_assert_uint_eq(managed->flags, padded && minor >= 1 ? DLPACK_FLAG_BITMASK_IS_SUBBYTE_TYPE_PADDED : 0);
    ctorch_dlpack_release(managed);
  }
  close_a_scope();
}
END_TEST

int main(void) {
  Suite *suite = suite_create("dlpack_dtypes");
  ck_case(suite, every_dtype_has_its_code_or_is_refused);
  ck_case(suite, every_other_code_is_refused);
  ck_case_loop(suite, a_tensor_of_every_dtype_crosses, CTORCH_DTYPE_BCOMPLEX32 + 1);
  return ck_main(suite);
}
