/* Numbers that become tensors, and tensors of one element that become numbers. */
#include "harness/values.h"

static const ctorch_dtype F32 = CTORCH_DTYPE_FLOAT32;

START_TEST(a_number_becomes_the_tensor_that_python_makes_of_it) {
  ctorch_tensor *x = NULL;
  ck_ok(ctorch_tensor_from_scalar(&x, CTORCH_INT(-7), NULL));
  ck_ints(x, NO_DIMS, -7);
  ck_ok(ctorch_tensor_from_scalar(&x, CTORCH_FLOAT(0.1), NULL));
  ck_floats(x, NO_DIMS, 0.1F);
  ck_ok(ctorch_tensor_from_scalar(&x, CTORCH_BOOL(true), NULL));
  ck_bools(x, NO_DIMS, true);
  ck_ok(ctorch_tensor_from_scalar(&x, CTORCH_COMPLEX(1, -2), NULL));
  const float z[] = {1, -2};
  ck_values(__LINE__, x, CTORCH_DTYPE_COMPLEX64, z, sizeof z, NO_DIMS);
  const ctorch_scalar big = {CTORCH_SCALAR_UINT, 0, -1, 0, 0}; /* 2^64 - 1 */
  ck_ok(ctorch_tensor_from_scalar(&x, &big, NULL));
  ck_assert_int_eq(ctorch_tensor_dtype(x), CTORCH_DTYPE_UINT64);
  ck_ok(ctorch_tensor_from_scalar(&x, CTORCH_INT(3), CTORCH_SOME(ctorch_dtype, CTORCH_DTYPE_FLOAT64)));
  ck_doubles(x, NO_DIMS, 3);
}
END_TEST

START_TEST(a_number_that_does_not_fit_its_dtype_is_refused) {
  const ctorch_dtype uint8 = CTORCH_DTYPE_UINT8, f16 = CTORCH_DTYPE_FLOAT16, unknown = 77;
  const ctorch_scalar strange = {5, 0, 0, 0, 0};
  ctorch_tensor *x = NULL;
  ck_fails(ctorch_tensor_from_scalar(&x, CTORCH_INT(256), &uint8), CTORCH_ERROR_RUNTIME, "overflow");
  ck_fails(ctorch_tensor_from_scalar(&x, CTORCH_COMPLEX(1, 1), &f16), CTORCH_ERROR_RUNTIME, "overflow");
  ck_fails(ctorch_tensor_from_scalar(&x, CTORCH_INT(1), &unknown), CTORCH_ERROR_INVALID_ARGUMENT, "77");
  ck_fails(ctorch_tensor_from_scalar(&x, &strange, NULL), CTORCH_ERROR_INVALID_ARGUMENT, "kind 5");
  ck_fails(ctorch_tensor_from_scalar(&x, NULL, NULL), CTORCH_ERROR_NULL_ARGUMENT, "value");
  ck_fails(ctorch_tensor_from_scalar(NULL, CTORCH_INT(1), NULL), CTORCH_ERROR_NULL_ARGUMENT, "out");
  ck_fails(ctorch_tensor_wrapped_number(&x, &strange), CTORCH_ERROR_INVALID_ARGUMENT, "kind 5");
  ck_fails(ctorch_tensor_wrapped_number(&x, NULL), CTORCH_ERROR_NULL_ARGUMENT, "value");
  ck_fails(ctorch_tensor_wrapped_number(NULL, CTORCH_INT(1)), CTORCH_ERROR_NULL_ARGUMENT, "out");
  ck_assert_ptr_null(x);
}
END_TEST

/* The right-hand sides are Python's torch.result_type(x, number). */
static const struct {
  ctorch_dtype dtype;
  ctorch_scalar number;
  ctorch_dtype product;
} promotions[] = {
    {CTORCH_DTYPE_INT16, {CTORCH_SCALAR_INT, 0, 2, 0, 0}, CTORCH_DTYPE_INT16},
    {CTORCH_DTYPE_INT16, {CTORCH_SCALAR_BOOL, 0, 1, 0, 0}, CTORCH_DTYPE_INT16},
    {CTORCH_DTYPE_INT16, {CTORCH_SCALAR_FLOAT, 0, 0, 2.5, 0}, CTORCH_DTYPE_FLOAT32},
    {CTORCH_DTYPE_INT16, {CTORCH_SCALAR_COMPLEX, 0, 0, 1, 1}, CTORCH_DTYPE_COMPLEX64},
    {CTORCH_DTYPE_BOOL, {CTORCH_SCALAR_INT, 0, 2, 0, 0}, CTORCH_DTYPE_INT64},
    {CTORCH_DTYPE_FLOAT16, {CTORCH_SCALAR_FLOAT, 0, 0, 2.5, 0}, CTORCH_DTYPE_FLOAT16},
    {CTORCH_DTYPE_FLOAT64, {CTORCH_SCALAR_COMPLEX, 0, 0, 1, 1}, CTORCH_DTYPE_COMPLEX128},
};

START_TEST(a_wrapped_number_promotes_like_pythons) {
  for (size_t i = 0; i < sizeof promotions / sizeof *promotions; i++) {
    ctorch_tensor *x = NULL, *number = NULL, *product = NULL;
    ck_ok(ctorch_aten_ones(&x, CTORCH_INTS(2), &promotions[i].dtype, NULL, NULL, NULL));
    ck_ok(ctorch_tensor_wrapped_number(&number, &promotions[i].number));
    ck_ok(ctorch_aten_mul_Tensor(&product, x, number));
    ck_assert_str_eq(ctorch_dtype_name(ctorch_tensor_dtype(product)), ctorch_dtype_name(promotions[i].product));
  }
}
END_TEST

START_TEST(a_0_dimensional_tensor_is_not_a_wrapped_number) {
  ctorch_tensor *x = NULL, *half = NULL, *wrapped = NULL, *y = NULL;
  const ctorch_dtype f64 = CTORCH_DTYPE_FLOAT64;
  ck_ok(ctorch_tensor_from_scalar(&x, CTORCH_FLOAT(1), NULL)); /* float32, 0-dimensional */
  ck_ok(ctorch_tensor_from_scalar(&half, CTORCH_FLOAT(0.5), &f64));
  ck_ok(ctorch_tensor_wrapped_number(&wrapped, CTORCH_FLOAT(0.5)));
  ck_ok(ctorch_aten_mul_Tensor(&y, x, half));
  ck_doubles(y, NO_DIMS, 0.5);
  ck_ok(ctorch_aten_mul_Tensor(&y, x, wrapped));
  ck_floats(y, NO_DIMS, 0.5F);
}
END_TEST

START_TEST(the_only_element_as_a_number) {
  ctorch_scalar number;
  ck_ok(ctorch_tensor_item(&number, ints(CTORCH_INTS(1, 1), -5)));
  ck_assert(number.kind == CTORCH_SCALAR_INT && number.i == -5 && number.reserved == 0);
  ck_ok(ctorch_tensor_item(&number, floats(NO_DIMS, 2.5F)));
  ck_assert(number.kind == CTORCH_SCALAR_FLOAT && number.re == 2.5);
  ck_ok(ctorch_tensor_item(&number, bools(NO_DIMS, true)));
  ck_assert(number.kind == CTORCH_SCALAR_BOOL && number.i == 1);
  const double z[] = {3, -4};
  ck_ok(ctorch_tensor_item(&number, values_new(CTORCH_DTYPE_COMPLEX128, z, sizeof z, NO_DIMS)));
  ck_assert(number.kind == CTORCH_SCALAR_COMPLEX && number.re == 3 && number.im == -4);
  const uint64_t big = UINT64_MAX, small = 5;
  ck_ok(ctorch_tensor_item(&number, values_new(CTORCH_DTYPE_UINT64, &big, sizeof big, NO_DIMS)));
  ck_assert(number.kind == CTORCH_SCALAR_UINT && (uint64_t)number.i == UINT64_MAX);
  ck_ok(ctorch_tensor_item(&number, values_new(CTORCH_DTYPE_UINT64, &small, sizeof small, NO_DIMS)));
  ck_assert_int_eq(number.i, 5);
}
END_TEST

START_TEST(item_int64_cuts_off_and_refuses_what_does_not_fit) {
  int64_t i = 77;
  ck_ok(ctorch_tensor_item_int64(&i, doubles(NO_DIMS, -2.9)));
  ck_assert_int_eq(i, -2);
  ck_ok(ctorch_tensor_item_int64(&i, ints(NO_DIMS, INT64_MIN)));
  ck_assert(i == INT64_MIN);
  ck_ok(ctorch_tensor_item_int64(&i, bools(NO_DIMS, true)));
  ck_assert_int_eq(i, 1);
  i = 77;
  const double z[] = {1, 1};
  const uint64_t big = UINT64_MAX;
  ck_fails(ctorch_tensor_item_int64(&i, doubles(NO_DIMS, 1e30)), CTORCH_ERROR_RUNTIME, "overflow");
  ck_fails(ctorch_tensor_item_int64(&i, doubles(NO_DIMS, 0x1p63)), CTORCH_ERROR_RUNTIME, "fit");
  ck_fails(ctorch_tensor_item_int64(&i, doubles(NO_DIMS, (double)INFINITY)), CTORCH_ERROR_RUNTIME, "overflow");
  ck_fails(ctorch_tensor_item_int64(&i, doubles(NO_DIMS, (double)NAN)), CTORCH_ERROR_RUNTIME, NULL);
  ck_fails(
      ctorch_tensor_item_int64(&i, values_new(CTORCH_DTYPE_COMPLEX128, z, sizeof z, NO_DIMS)), CTORCH_ERROR_RUNTIME,
      "overflow");
  ck_fails(
      ctorch_tensor_item_int64(&i, values_new(CTORCH_DTYPE_UINT64, &big, sizeof big, NO_DIMS)), CTORCH_ERROR_RUNTIME,
      "overflow");
  ck_assert_int_eq(i, 77);
}
END_TEST

START_TEST(item_double_bool_and_complex_convert) {
  double d = 7, re = 7, im = 7;
  bool b = false;
  const double z[] = {0, 2};
  const uint64_t big = UINT64_MAX;
  ctorch_tensor *complex = values_new(CTORCH_DTYPE_COMPLEX128, z, sizeof z, NO_DIMS);
  ck_fails(ctorch_tensor_item_double(&d, complex), CTORCH_ERROR_RUNTIME, "overflow");
  ck_assert(d == 7);
  ck_ok(ctorch_tensor_item_double(&d, values_new(CTORCH_DTYPE_UINT64, &big, sizeof big, NO_DIMS)));
  ck_assert(d == 0x1p64);
  ck_ok(ctorch_tensor_item_double(&d, ints(NO_DIMS, INT64_MAX)));
  ck_assert(d == 0x1p63);
  ck_ok(ctorch_tensor_item_double(&d, floats(NO_DIMS, 0.1F)));
  ck_assert(d == (double)0.1F);
  ck_ok(ctorch_tensor_item_bool(&b, complex));
  ck_assert(b);
  ck_ok(ctorch_tensor_item_bool(&b, ints(NO_DIMS, 0)));
  ck_assert(!b);
  ck_ok(ctorch_tensor_item_bool(&b, ints(NO_DIMS, INT64_MAX)));
  ck_assert(b);
  ck_ok(ctorch_tensor_item_bool(&b, doubles(NO_DIMS, (double)NAN))); /* bool(torch.tensor(nan)) is True */
  ck_assert(b);
  ck_ok(ctorch_tensor_item_complex(&re, &im, complex));
  ck_assert(re == 0 && im == 2);
  ck_ok(ctorch_tensor_item_complex(&re, &im, ints(NO_DIMS, 3)));
  ck_assert(re == 3 && im == 0);
}
END_TEST

START_TEST(item_needs_exactly_one_element) {
  ctorch_tensor *two = floats(CTORCH_INTS(2), 1, 2), *none = values_new(F32, NULL, 0, CTORCH_INTS(0));
  const ctorch_scalar before = {9, 9, 9, 9, 9};
  ctorch_scalar number = before;
  int64_t i = 9;
  double d = 9, e = 9;
  bool b = true;
  const ctorch_tensor *wrong[] = {two, none};
  for (int k = 0; k < 2; k++) {
    ck_fails(ctorch_tensor_item(&number, wrong[k]), CTORCH_ERROR_RUNTIME, "elements");
    ck_fails(ctorch_tensor_item_int64(&i, wrong[k]), CTORCH_ERROR_RUNTIME, "elements");
    ck_fails(ctorch_tensor_item_double(&d, wrong[k]), CTORCH_ERROR_RUNTIME, "elements");
    ck_fails(ctorch_tensor_item_bool(&b, wrong[k]), CTORCH_ERROR_RUNTIME, "elements");
    ck_fails(ctorch_tensor_item_complex(&d, &e, wrong[k]), CTORCH_ERROR_RUNTIME, "elements");
  }
  ck_assert(memcmp(&number, &before, sizeof before) == 0 && i == 9 && d == 9 && e == 9 && b);
  ck_fails(ctorch_tensor_item(&number, NULL), CTORCH_ERROR_NULL_ARGUMENT, "self");
  ck_fails(ctorch_tensor_item(NULL, two), CTORCH_ERROR_NULL_ARGUMENT, "out");
  ck_fails(ctorch_tensor_item_int64(&i, NULL), CTORCH_ERROR_NULL_ARGUMENT, "self");
  ck_fails(ctorch_tensor_item_int64(NULL, two), CTORCH_ERROR_NULL_ARGUMENT, "out");
  ck_fails(ctorch_tensor_item_double(&d, NULL), CTORCH_ERROR_NULL_ARGUMENT, "self");
  ck_fails(ctorch_tensor_item_double(NULL, two), CTORCH_ERROR_NULL_ARGUMENT, "out");
  ck_fails(ctorch_tensor_item_bool(&b, NULL), CTORCH_ERROR_NULL_ARGUMENT, "self");
  ck_fails(ctorch_tensor_item_bool(NULL, two), CTORCH_ERROR_NULL_ARGUMENT, "out");
  ck_fails(ctorch_tensor_item_complex(&d, &e, NULL), CTORCH_ERROR_NULL_ARGUMENT, "self");
  ck_fails(ctorch_tensor_item_complex(NULL, &e, two), CTORCH_ERROR_NULL_ARGUMENT, "out_re");
  ck_fails(ctorch_tensor_item_complex(&d, NULL, two), CTORCH_ERROR_NULL_ARGUMENT, "out_im");
}
END_TEST

int main(void) {
  Suite *suite = suite_create("tensor_numbers");
  ck_scoped_case(suite, a_number_becomes_the_tensor_that_python_makes_of_it);
  ck_scoped_case(suite, a_number_that_does_not_fit_its_dtype_is_refused);
  ck_scoped_case(suite, a_wrapped_number_promotes_like_pythons);
  ck_scoped_case(suite, a_0_dimensional_tensor_is_not_a_wrapped_number);
  ck_scoped_case(suite, the_only_element_as_a_number);
  ck_scoped_case(suite, item_int64_cuts_off_and_refuses_what_does_not_fit);
  ck_scoped_case(suite, item_double_bool_and_complex_convert);
  ck_scoped_case(suite, item_needs_exactly_one_element);
  return ck_main(suite);
}
