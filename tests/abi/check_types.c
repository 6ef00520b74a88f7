/* Plain data: names and sizes of the enumerations, the layout of the structs, the shorthands. */
#include <limits.h>
#include <stddef.h>

#include "harness/values.h"

/* What crosses the ABI is laid out as a foreign runtime declares it. */
_Static_assert(sizeof(ctorch_dtype) == 4 && (ctorch_dtype)-1 < 0, "enumerations are int32_t");
_Static_assert(sizeof(ctorch_scalar) == 32 && offsetof(ctorch_scalar, i) == 8, "kind, reserved, i");
_Static_assert(offsetof(ctorch_scalar, re) == 16 && offsetof(ctorch_scalar, im) == 24, "re, im");
_Static_assert(sizeof(ctorch_device) == 8 && offsetof(ctorch_device, index) == 4, "type, index");
_Static_assert(sizeof(ctorch_stream) == 16 && offsetof(ctorch_stream, device_type) == 8, "id, device_type");
_Static_assert(offsetof(ctorch_stream, device_index) == 12, "device_index");

/* str(dtype) and dtype.itemsize of every torch.dtype of PyTorch 2.13. */
static const struct {
  ctorch_dtype dtype;
  const char *name;
  size_t itemsize;
} dtypes[] = {
    {CTORCH_DTYPE_UINT8, "uint8", 1},
    {CTORCH_DTYPE_INT8, "int8", 1},
    {CTORCH_DTYPE_INT16, "int16", 2},
    {CTORCH_DTYPE_INT32, "int32", 4},
    {CTORCH_DTYPE_INT64, "int64", 8},
    {CTORCH_DTYPE_FLOAT16, "float16", 2},
    {CTORCH_DTYPE_FLOAT32, "float32", 4},
    {CTORCH_DTYPE_FLOAT64, "float64", 8},
    {CTORCH_DTYPE_COMPLEX32, "complex32", 4},
    {CTORCH_DTYPE_COMPLEX64, "complex64", 8},
    {CTORCH_DTYPE_COMPLEX128, "complex128", 16},
    {CTORCH_DTYPE_BOOL, "bool", 1},
    {CTORCH_DTYPE_QINT8, "qint8", 1},
    {CTORCH_DTYPE_QUINT8, "quint8", 1},
    {CTORCH_DTYPE_QINT32, "qint32", 4},
    {CTORCH_DTYPE_BFLOAT16, "bfloat16", 2},
    {CTORCH_DTYPE_QUINT4X2, "quint4x2", 1},
    {CTORCH_DTYPE_QUINT2X4, "quint2x4", 1},
    {CTORCH_DTYPE_BITS1X8, "bits1x8", 1},
    {CTORCH_DTYPE_BITS2X4, "bits2x4", 1},
    {CTORCH_DTYPE_BITS4X2, "bits4x2", 1},
    {CTORCH_DTYPE_BITS8, "bits8", 1},
    {CTORCH_DTYPE_BITS16, "bits16", 2},
    {CTORCH_DTYPE_FLOAT8_E5M2, "float8_e5m2", 1},
    {CTORCH_DTYPE_FLOAT8_E4M3FN, "float8_e4m3fn", 1},
    {CTORCH_DTYPE_FLOAT8_E5M2FNUZ, "float8_e5m2fnuz", 1},
    {CTORCH_DTYPE_FLOAT8_E4M3FNUZ, "float8_e4m3fnuz", 1},
    {CTORCH_DTYPE_UINT16, "uint16", 2},
    {CTORCH_DTYPE_UINT32, "uint32", 4},
    {CTORCH_DTYPE_UINT64, "uint64", 8},
    {CTORCH_DTYPE_UINT1, "uint1", 1},
    {CTORCH_DTYPE_UINT2, "uint2", 1},
    {CTORCH_DTYPE_UINT3, "uint3", 1},
    {CTORCH_DTYPE_UINT4, "uint4", 1},
    {CTORCH_DTYPE_UINT5, "uint5", 1},
    {CTORCH_DTYPE_UINT6, "uint6", 1},
    {CTORCH_DTYPE_UINT7, "uint7", 1},
    {CTORCH_DTYPE_INT1, "int1", 1},
    {CTORCH_DTYPE_INT2, "int2", 1},
    {CTORCH_DTYPE_INT3, "int3", 1},
    {CTORCH_DTYPE_INT4, "int4", 1},
    {CTORCH_DTYPE_INT5, "int5", 1},
    {CTORCH_DTYPE_INT6, "int6", 1},
    {CTORCH_DTYPE_INT7, "int7", 1},
    {CTORCH_DTYPE_FLOAT8_E8M0FNU, "float8_e8m0fnu", 1},
    {CTORCH_DTYPE_FLOAT4_E2M1FN_X2, "float4_e2m1fn_x2", 1},
    {CTORCH_DTYPE_BCOMPLEX32, "bcomplex32", 4},
};

enum { DTYPES = sizeof dtypes / sizeof *dtypes };

START_TEST(every_dtype_has_pythons_name_and_size) {
  for (int i = 0; i < DTYPES; i++) {
    ck_assert_int_eq(dtypes[i].dtype, i);
    ck_assert_str_eq(ctorch_dtype_name(dtypes[i].dtype), dtypes[i].name);
    ck_assert_uint_eq(ctorch_dtype_itemsize(dtypes[i].dtype), dtypes[i].itemsize);
  }
  ck_assert_int_eq(DTYPES, CTORCH_DTYPE_BCOMPLEX32 + 1);
}
END_TEST

START_TEST(libtorch_agrees_on_the_sizes) {
  for (int i = 0; i < DTYPES; i++) {
    ctorch_tensor *x = NULL;
    ctorch_error *error = ctorch_aten_empty_memory_format(&x, CTORCH_INTS(3), &dtypes[i].dtype, NULL, META, NULL, NULL);
    if (!ck_has_dtype(dtypes[i].dtype)) { /* and everything that takes a dtype says so */
      ck_fails(error, CTORCH_ERROR_INVALID_ARGUMENT, "dtype: unknown dtype");
      ck_fails(ctorch_defaults_set_dtype(dtypes[i].dtype), CTORCH_ERROR_INVALID_ARGUMENT, "dtype: unknown dtype");
      continue;
    }
    ck_ok(error);
    ck_assert_int_eq(ctorch_tensor_dtype(x), dtypes[i].dtype);
    ck_assert_uint_eq(ctorch_tensor_itemsize(x), dtypes[i].itemsize);
  }
}
END_TEST

/** Or refused by its name: LibTorch has dtypes that few of its parts know. */
START_TEST(every_dtype_may_be_asked_for) {
  for (int i = 0; i < DTYPES; i++) {
    ctorch_error *error = ctorch_defaults_set_dtype(dtypes[i].dtype);
    if (error != NULL && ck_has_dtype(dtypes[i].dtype)) {
      ck_assert_ptr_nonnull(strstr(ctorch_error_message(error), dtypes[i].name));
    }
    ctorch_error_release(error);
    error = ctorch_autocast_push(CTORCH_DEVICE_TYPE_CPU, true, &dtypes[i].dtype, NULL);
    if (error == NULL) {
      ck_ok(ctorch_autocast_pop());
    } else if (ck_has_dtype(dtypes[i].dtype)) {
      ck_assert_ptr_nonnull(strstr(ctorch_error_message(error), dtypes[i].name));
    }
    ctorch_error_release(error);
  }
  ck_ok(ctorch_defaults_set_dtype(CTORCH_DTYPE_FLOAT32));
}
END_TEST

START_TEST(unknown_numbers_have_no_name) {
  static const int32_t strange[] = {-1, 47, 48, 255, 9999, INT_MIN, INT_MAX};
  for (size_t i = 0; i < sizeof strange / sizeof *strange; i++) {
    ck_assert_ptr_null(ctorch_dtype_name(strange[i]));
    ck_assert_uint_eq(ctorch_dtype_itemsize(strange[i]), 0);
    ck_assert_ptr_null(ctorch_device_type_name(strange[i]));
    ck_assert_ptr_null(ctorch_layout_name(strange[i]));
  }
  ck_assert_ptr_null(ctorch_device_type_name(CTORCH_DEVICE_TYPE_PRIVATEUSE1 + 1));
  ck_assert_ptr_null(ctorch_layout_name(CTORCH_LAYOUT_JAGGED + 1));
}
END_TEST

START_TEST(device_types_have_pythons_names) {
  static const char *const names[] = {"cpu",  "cuda", "mkldnn", "opengl", "opencl", "ideep", "hip",
                                      "fpga", "maia", "xla",    "vulkan", "metal",  "xpu",   "mps",
                                      "meta", "hpu",  "ve",     "lazy",   "ipu",    "mtia",  "privateuseone"};
  for (int32_t i = 0; i <= CTORCH_DEVICE_TYPE_PRIVATEUSE1; i++) {
    ck_assert_str_eq(ctorch_device_type_name(i), names[i]);
  }
}
END_TEST

START_TEST(layouts_have_pythons_names) {
  ck_assert_str_eq(ctorch_layout_name(CTORCH_LAYOUT_STRIDED), "strided");
  ck_assert_str_eq(ctorch_layout_name(CTORCH_LAYOUT_SPARSE_COO), "sparse_coo");
  ck_assert_str_eq(ctorch_layout_name(CTORCH_LAYOUT_SPARSE_CSR), "sparse_csr");
  ck_assert_str_eq(ctorch_layout_name(CTORCH_LAYOUT_MKLDNN), "_mkldnn");
  ck_assert_str_eq(ctorch_layout_name(CTORCH_LAYOUT_SPARSE_CSC), "sparse_csc");
  ck_assert_str_eq(ctorch_layout_name(CTORCH_LAYOUT_SPARSE_BSR), "sparse_bsr");
  ck_assert_str_eq(ctorch_layout_name(CTORCH_LAYOUT_SPARSE_BSC), "sparse_bsc");
  ck_assert_str_eq(ctorch_layout_name(CTORCH_LAYOUT_JAGGED), "jagged");
}
END_TEST

START_TEST(the_shorthands_for_scalars) {
  ck_assert(CTORCH_INT(-3)->kind == CTORCH_SCALAR_INT && CTORCH_INT(-3)->i == -3);
  ck_assert(CTORCH_FLOAT(0.5)->kind == CTORCH_SCALAR_FLOAT && CTORCH_FLOAT(0.5)->re == 0.5);
  ck_assert(CTORCH_BOOL(7)->kind == CTORCH_SCALAR_BOOL && CTORCH_BOOL(7)->i == 1 && CTORCH_BOOL(false)->i == 0);
  const ctorch_scalar *z = CTORCH_COMPLEX(1, -2);
  ck_assert(z->kind == CTORCH_SCALAR_COMPLEX && z->re == 1 && z->im == -2 && z->reserved == 0);
}
END_TEST

static ctorch_error *tries(ctorch_tensor **out, const ctorch_tensor *x, int *steps) {
  CTORCH_TRY(ctorch_aten_add_Tensor(out, x, x, NULL));
  ++*steps;
  CTORCH_TRY(ctorch_aten_view(out, *out, CTORCH_INTS(3)));
  ++*steps;
  return NULL;
}

static int cleans_up(const ctorch_tensor *x) {
  ctorch_error *error = NULL;
  ctorch_tensor *y = NULL;
  int steps = 0;
  CTORCH_TRY_GOTO(error, ctorch_aten_view(&y, x, CTORCH_INTS(2)), done);
  steps++;
  CTORCH_TRY_GOTO(error, ctorch_aten_view(&y, x, CTORCH_INTS(3)), done);
  steps++;
done:
  ck_assert_ptr_nonnull(error);
  ctorch_error_release(error);
  return steps;
}

START_TEST(try_returns_at_the_first_error) {
  ctorch_tensor *x = floats(CTORCH_INTS(2), 1, 2), *y = NULL;
  int steps = 0;
  ck_fails(tries(&y, x, &steps), CTORCH_ERROR_SHAPE_MISMATCH, "'[3]'");
  ck_assert_int_eq(steps, 1);
  ck_assert_int_eq(cleans_up(x), 1);
}
END_TEST

int main(void) {
  Suite *suite = suite_create("types");
  ck_case(suite, every_dtype_has_pythons_name_and_size);
  ck_scoped_case(suite, libtorch_agrees_on_the_sizes);
  ck_case(suite, every_dtype_may_be_asked_for);
  ck_case(suite, unknown_numbers_have_no_name);
  ck_case(suite, device_types_have_pythons_names);
  ck_case(suite, layouts_have_pythons_names);
  ck_case(suite, the_shorthands_for_scalars);
  ck_scoped_case(suite, try_returns_at_the_first_error);
  return ck_main(suite);
}
