/* Autocast regions: dtypes of results, nesting, per thread, cached weights, gradients, what is refused. The rules are
 * those of torch.autocast; tests/settings/test_autocast.py compares the operators with Python. */
#include <pthread.h>

#include "harness/values.h"

static ctorch_tensor *product(const ctorch_tensor *a, const ctorch_tensor *b) {
  ctorch_tensor *out = NULL;
  ck_ok(ctorch_aten_mm(&out, a, b));
  return out;
}

static ctorch_dtype dtype_of_a_product(void) {
  ctorch_tensor *x = floats(CTORCH_INTS(2, 2), 1, 2, 3, 4);
  return ctorch_tensor_dtype(product(x, x));
}

static void push(bool enabled, const ctorch_dtype *dtype, const bool *cache_enabled) {
  ck_ok(ctorch_autocast_push(CTORCH_DEVICE_TYPE_CPU, enabled, dtype, cache_enabled));
}

static ctorch_dtype dtype_of_the_thread(void) {
  ctorch_dtype dtype = -1;
  ck_ok(ctorch_autocast_dtype(&dtype, CTORCH_DEVICE_TYPE_CPU));
  return dtype;
}

START_TEST(a_product_is_in_bfloat16_inside_only) {
  ck_assert_int_eq(dtype_of_a_product(), CTORCH_DTYPE_FLOAT32);
  push(true, NULL, NULL);
  ck_assert(ctorch_autocast_enabled(CTORCH_DEVICE_TYPE_CPU));
  ck_assert_int_eq(dtype_of_a_product(), CTORCH_DTYPE_BFLOAT16);
  ck_ok(ctorch_autocast_pop());
  ck_assert(!ctorch_autocast_enabled(CTORCH_DEVICE_TYPE_CPU));
  ck_assert_int_eq(dtype_of_a_product(), CTORCH_DTYPE_FLOAT32);
}
END_TEST

START_TEST(regions_nest) {
  push(true, NULL, NULL);
  push(true, CTORCH_SOME(ctorch_dtype, CTORCH_DTYPE_FLOAT16), NULL);
  ck_assert_int_eq(dtype_of_a_product(), CTORCH_DTYPE_FLOAT16);
  push(false, NULL, NULL);
  ck_assert_int_eq(dtype_of_a_product(), CTORCH_DTYPE_FLOAT32);
  ck_assert_int_eq(dtype_of_the_thread(), CTORCH_DTYPE_FLOAT16); /* the outer region's, as in Python */
  ck_ok(ctorch_autocast_pop());
  ck_assert_int_eq(dtype_of_a_product(), CTORCH_DTYPE_FLOAT16);
  ck_ok(ctorch_autocast_pop());
  ck_assert_int_eq(dtype_of_a_product(), CTORCH_DTYPE_BFLOAT16);
  ck_ok(ctorch_autocast_pop());
  ck_assert_int_eq(dtype_of_a_product(), CTORCH_DTYPE_FLOAT32);
  ck_fails(ctorch_autocast_pop(), CTORCH_ERROR_RUNTIME, "no autocast region was pushed");
}
END_TEST

START_TEST(the_cache_switch_nests_and_is_inherited) {
  const bool on = true, off = false;
  ck_assert(ctorch_autocast_cache_enabled());
  push(true, NULL, &off);
  ck_assert(!ctorch_autocast_cache_enabled());
  push(true, NULL, NULL);
  ck_assert(!ctorch_autocast_cache_enabled());
  push(true, NULL, &on);
  ck_assert(ctorch_autocast_cache_enabled());
  for (int i = 0; i < 2; i++) {
    ck_ok(ctorch_autocast_pop());
    ck_assert(!ctorch_autocast_cache_enabled());
  }
  ck_ok(ctorch_autocast_pop());
  ck_assert(ctorch_autocast_cache_enabled());
}
END_TEST

/** x w for a weight that doubles after the first product, behind the back of what is kept. */
static void products_around_a_change(float *first, float *second, const bool *cache, bool clear, bool leave) {
  ctorch_tensor *x = floats(CTORCH_INTS(1, 1), 1), *w = floats(CTORCH_INTS(1, 1), 3), *alias = NULL;
  float *const results[] = {first, second};
  ck_ok(ctorch_aten_detach(&alias, w));
  ck_ok(ctorch_tensor_set_requires_grad(w, true));
  push(true, NULL, cache);
  for (int i = 0; i < 2; i++) {
    ctorch_scalar item;
    ck_ok(ctorch_tensor_item(&item, product(x, w)));
    *results[i] = (float)item.re;
    ck_ok(ctorch_aten_mul__Scalar(alias, CTORCH_FLOAT(2)));
    if (clear) {
      ck_ok(ctorch_autocast_clear_cache());
    }
    if (leave) {
      ck_ok(ctorch_autocast_pop());
      push(true, NULL, cache);
    }
  }
  ck_ok(ctorch_autocast_pop());
}

START_TEST(the_cast_of_a_weight_is_kept_until_the_outermost_pop) {
  const bool off = false;
  float first = 0, second = 0;
  products_around_a_change(&first, &second, NULL, false, false);
  ck_assert(first == 3 && second == 3);
  products_around_a_change(&first, &second, NULL, true, false);
  ck_assert(first == 3 && second == 6);
  products_around_a_change(&first, &second, NULL, false, true);
  ck_assert(first == 3 && second == 6);
  products_around_a_change(&first, &second, &off, false, false);
  ck_assert(first == 3 && second == 6);
  push(true, NULL, NULL); /* an outer region keeps what inner ones leave */
  products_around_a_change(&first, &second, NULL, false, true);
  ck_assert(first == 3 && second == 3);
  ck_ok(ctorch_autocast_pop());
}
END_TEST

START_TEST(gradients_of_a_weight_used_twice_add_up_in_float32) {
  ctorch_tensor *x = floats(CTORCH_INTS(1, 1), 2), *w = floats(CTORCH_INTS(1, 1), 3), *y = NULL, *grad = NULL;
  ck_ok(ctorch_tensor_set_requires_grad(w, true));
  push(true, NULL, NULL);
  ck_ok(ctorch_aten_add_Tensor(&y, product(x, w), product(x, w), NULL));
  ck_ok(ctorch_autocast_pop());
  ck_assert_int_eq(ctorch_tensor_dtype(y), CTORCH_DTYPE_BFLOAT16);
  ck_ok(ctorch_tensor_backward(y, NULL, NULL, false));
  ck_ok(ctorch_tensor_grad(&grad, w));
  ck_floats(grad, CTORCH_INTS(1, 1), 4);
}
END_TEST

static void *in_a_thread(void *enabled) {
  ctorch_scope *scope = NULL;
  ck_ok(ctorch_scope_begin(&scope));
  *(bool *)enabled = ctorch_autocast_enabled(CTORCH_DEVICE_TYPE_CPU);
  ck_assert_int_eq(dtype_of_a_product(), CTORCH_DTYPE_FLOAT32);
  ck_fails(ctorch_autocast_pop(), CTORCH_ERROR_RUNTIME, "no autocast region was pushed on this thread");
  ctorch_scope_end(scope);
  push(true, NULL, NULL); /* and the thread ends without a pop */
  return NULL;
}

START_TEST(a_region_belongs_to_its_thread) {
  pthread_t thread;
  bool enabled = true;
  push(true, NULL, NULL);
  ck_assert_int_eq(pthread_create(&thread, NULL, in_a_thread, &enabled), 0);
  ck_assert_int_eq(pthread_join(thread, NULL), 0);
  ck_assert(!enabled);
  ck_assert_int_eq(dtype_of_a_product(), CTORCH_DTYPE_BFLOAT16);
  ck_ok(ctorch_autocast_pop());
}
END_TEST

START_TEST(bad_arguments_are_refused) {
  static const ctorch_device_type without[] = {
      CTORCH_DEVICE_TYPE_META, CTORCH_DEVICE_TYPE_VULKAN, CTORCH_DEVICE_TYPE_LAZY};
  static const ctorch_device_type unknown[] = {-1, 21, INT32_MIN, INT32_MAX};
  static const ctorch_dtype refused[] = {
      CTORCH_DTYPE_FLOAT32, CTORCH_DTYPE_FLOAT64, CTORCH_DTYPE_INT64, CTORCH_DTYPE_BOOL, CTORCH_DTYPE_COMPLEX64};
  ctorch_dtype dtype = 77;
  for (size_t i = 0; i < sizeof without / sizeof *without; i++) {
    ck_fails(ctorch_autocast_push(without[i], true, NULL, NULL), CTORCH_ERROR_UNSUPPORTED, "no autocast");
    ck_fails(ctorch_autocast_push(without[i], false, NULL, NULL), CTORCH_ERROR_UNSUPPORTED, "no autocast");
    ck_fails(ctorch_autocast_dtype(&dtype, without[i]), CTORCH_ERROR_UNSUPPORTED, "no autocast");
    ck_assert(!ctorch_autocast_available(without[i]) && !ctorch_autocast_enabled(without[i]));
  }
  for (size_t i = 0; i < sizeof unknown / sizeof *unknown; i++) {
    ck_fails(ctorch_autocast_push(unknown[i], true, NULL, NULL), CTORCH_ERROR_INVALID_ARGUMENT, "device type");
    ck_fails(ctorch_autocast_dtype(&dtype, unknown[i]), CTORCH_ERROR_INVALID_ARGUMENT, "device type");
    ck_assert(!ctorch_autocast_available(unknown[i]) && !ctorch_autocast_enabled(unknown[i]));
    ck_fails(
        ctorch_autocast_push(
            CTORCH_DEVICE_TYPE_CPU, true, &(const ctorch_dtype){unknown[i] == 21 ? 46 : unknown[i]}, NULL),
        CTORCH_ERROR_INVALID_ARGUMENT, "dtype");
  }
  for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
    ck_fails(
        ctorch_autocast_push(CTORCH_DEVICE_TYPE_CPU, true, &refused[i], NULL), CTORCH_ERROR_INVALID_ARGUMENT,
        ctorch_dtype_name(refused[i]));
  }
  ck_fails(ctorch_autocast_dtype(NULL, CTORCH_DEVICE_TYPE_CPU), CTORCH_ERROR_NULL_ARGUMENT, "out");
  ck_assert_int_eq(dtype, 77);
  ck_fails(ctorch_autocast_pop(), CTORCH_ERROR_RUNTIME, "no autocast region was pushed"); /* none of them pushed */
  ck_assert(!ctorch_autocast_enabled(CTORCH_DEVICE_TYPE_CPU));
}
END_TEST

START_TEST(a_dtype_is_not_asked_for_where_autocast_is_off) {
  push(false, CTORCH_SOME(ctorch_dtype, CTORCH_DTYPE_FLOAT32), NULL);
  ck_assert_int_eq(dtype_of_the_thread(), CTORCH_DTYPE_FLOAT32);
  ck_fails(ctorch_autocast_push(CTORCH_DEVICE_TYPE_CPU, true, NULL, NULL), CTORCH_ERROR_INVALID_ARGUMENT, "float32");
  ck_ok(ctorch_autocast_pop());
  ck_assert_int_eq(dtype_of_the_thread(), CTORCH_DTYPE_BFLOAT16);
}
END_TEST

START_TEST(without_cuda_it_is_unsupported_but_may_be_off) {
  bool cuda = false;
  ck_assert(ctorch_autocast_available(CTORCH_DEVICE_TYPE_CUDA));
  ctorch_generator *generator = NULL;
  ctorch_error *error = ctorch_generator_new(&generator, &(const ctorch_device){CTORCH_DEVICE_TYPE_CUDA, 0});
  cuda = error == NULL;
  ctorch_error_release(error);
  if (!cuda) {
    ck_fails(
        ctorch_autocast_push(CTORCH_DEVICE_TYPE_CUDA, true, NULL, NULL), CTORCH_ERROR_UNSUPPORTED, "no CUDA device");
  }
  ck_ok(ctorch_autocast_push(CTORCH_DEVICE_TYPE_CUDA, false, NULL, NULL));
  ck_assert(!ctorch_autocast_enabled(CTORCH_DEVICE_TYPE_CUDA));
  ck_ok(ctorch_autocast_pop());
}
END_TEST

int main(void) {
  Suite *suite = suite_create("autocast");
  ck_scoped_case(suite, a_product_is_in_bfloat16_inside_only);
  ck_scoped_case(suite, regions_nest);
  ck_scoped_case(suite, the_cache_switch_nests_and_is_inherited);
  ck_scoped_case(suite, the_cast_of_a_weight_is_kept_until_the_outermost_pop);
  ck_scoped_case(suite, gradients_of_a_weight_used_twice_add_up_in_float32);
  ck_scoped_case(suite, a_region_belongs_to_its_thread);
  ck_scoped_case(suite, bad_arguments_are_refused);
  ck_scoped_case(suite, a_dtype_is_not_asked_for_where_autocast_is_off);
  ck_scoped_case(suite, without_cuda_it_is_unsupported_but_may_be_off);
  return ck_main(suite);
}
