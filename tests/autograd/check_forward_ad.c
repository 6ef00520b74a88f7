/* Forward mode: a derivative in closed form, levels, every refusal. */
#include <pthread.h>

#include "harness/values.h"

START_TEST(the_derivative_of_x_cubed) {
  /* along (1, 10): 3 x^2 times that */
  ctorch_tensor *x = doubles(CTORCH_INTS(2), 2, 3), *along = doubles(CTORCH_INTS(2), 1, 10);
  ctorch_tensor *dual = NULL, *y = NULL, *primal = NULL, *tangent = NULL;
  ck_ok(ctorch_dual_level_push());
  ck_assert_int_eq(ctorch_dual_level_current(), 0);
  ck_ok(ctorch_tensor_make_dual(&dual, x, along, NULL));
  ck_ok(ctorch_aten_pow_Tensor_Scalar(&y, dual, CTORCH_INT(3)));
  ck_ok(ctorch_tensor_unpack_dual(&primal, &tangent, y, CTORCH_SOME(int64_t, 0)));
  ck_doubles(primal, CTORCH_INTS(2), 8, 27);
  ck_doubles(tangent, CTORCH_INTS(2), 12, 270);
  ck_ok(ctorch_dual_level_pop());
  ck_assert_int_eq(ctorch_dual_level_current(), -1);
}
END_TEST

START_TEST(without_a_tangent_there_is_none) {
  ctorch_tensor *x = doubles(CTORCH_INTS(1), 2), *primal = NULL, *tangent = NULL;
  ck_ok(ctorch_tensor_unpack_dual(&primal, &tangent, x, NULL));
  ck_assert_ptr_eq(primal, x); /* no level: the tensor itself */
  ck_assert_ptr_null(tangent);
  ck_ok(ctorch_dual_level_push());
  ck_ok(ctorch_tensor_unpack_dual(&primal, &tangent, x, NULL));
  ck_doubles(primal, CTORCH_INTS(1), 2);
  ck_assert_ptr_null(tangent);
  ck_ok(ctorch_dual_level_pop());
}
END_TEST

START_TEST(tangents_end_with_their_level) {
  ctorch_tensor *x = doubles(CTORCH_INTS(1), 2), *dual = NULL, *primal = NULL, *tangent = NULL;
  ck_ok(ctorch_dual_level_push());
  ck_ok(ctorch_tensor_make_dual(&dual, x, x, NULL));
  ck_ok(ctorch_dual_level_pop());
  ck_ok(ctorch_dual_level_push());
  ck_ok(ctorch_tensor_unpack_dual(&primal, &tangent, dual, NULL));
  ck_assert_ptr_null(tangent);
  ck_ok(ctorch_dual_level_pop());
}
END_TEST

static void *tries_to_end_the_level(void *unused) {
  ck_fails(ctorch_dual_level_pop(), CTORCH_ERROR_RUNTIME, "pushed on this thread");
  ck_fails(ctorch_dual_level_push(), CTORCH_ERROR_RUNTIME, "Nested forward mode");
  ck_assert_int_eq(ctorch_dual_level_current(), 0);
  return unused;
}

START_TEST(there_is_one_level_and_its_thread_ends_it) {
  pthread_t thread;
  ck_fails(ctorch_dual_level_pop(), CTORCH_ERROR_RUNTIME, "pushed on this thread");
  ck_ok(ctorch_dual_level_push());
  ck_fails(ctorch_dual_level_push(), CTORCH_ERROR_RUNTIME, "Nested forward mode");
  ck_assert_int_eq(pthread_create(&thread, NULL, tries_to_end_the_level, NULL), 0);
  ck_assert_int_eq(pthread_join(thread, NULL), 0);
  ck_ok(ctorch_dual_level_pop());
  ck_fails(ctorch_dual_level_pop(), CTORCH_ERROR_RUNTIME, NULL);
}
END_TEST

START_TEST(refusals) {
  ctorch_tensor *x = doubles(CTORCH_INTS(2), 1, 2), *three = doubles(CTORCH_INTS(3), 1, 2, 3), *dual = NULL;
  ctorch_tensor *whole = ints(CTORCH_INTS(2), 1, 2), *out = x, *other = x;
  ck_fails(ctorch_tensor_make_dual(&out, x, x, NULL), CTORCH_ERROR_RUNTIME, "no level exists");
  ck_ok(ctorch_dual_level_push());
  ck_fails(ctorch_tensor_make_dual(&out, x, three, NULL), CTORCH_ERROR_RUNTIME, "different size");
  ck_fails(ctorch_tensor_make_dual(&out, whole, x, NULL), CTORCH_ERROR_VALUE, "primal");
  ck_fails(ctorch_tensor_make_dual(&out, x, whole, NULL), CTORCH_ERROR_VALUE, "torch.int64");
  ck_fails(ctorch_tensor_make_dual(&out, x, x, CTORCH_SOME(int64_t, 5)), CTORCH_ERROR_RUNTIME, "level");
  ck_fails(ctorch_tensor_make_dual(&out, x, x, CTORCH_SOME(int64_t, INT64_MIN)), CTORCH_ERROR_RUNTIME, "level");
  ck_ok(ctorch_tensor_make_dual(&dual, x, x, NULL));
  ck_fails(ctorch_tensor_make_dual(&out, dual, x, NULL), CTORCH_ERROR_RUNTIME, "already has a forward gradient");
  ck_fails(ctorch_tensor_make_dual(NULL, x, x, NULL), CTORCH_ERROR_NULL_ARGUMENT, "out");
  ck_fails(ctorch_tensor_make_dual(&out, NULL, x, NULL), CTORCH_ERROR_NULL_ARGUMENT, "self");
  ck_fails(ctorch_tensor_make_dual(&out, x, NULL, NULL), CTORCH_ERROR_NULL_ARGUMENT, "tangent");
  ck_fails(ctorch_tensor_unpack_dual(NULL, &out, x, NULL), CTORCH_ERROR_NULL_ARGUMENT, "out_primal");
  ck_fails(ctorch_tensor_unpack_dual(&out, NULL, x, NULL), CTORCH_ERROR_NULL_ARGUMENT, "out_tangent");
  ck_fails(ctorch_tensor_unpack_dual(&out, &other, NULL, NULL), CTORCH_ERROR_NULL_ARGUMENT, "self");
  ck_ok(ctorch_dual_level_pop());
  ck_assert_ptr_eq(out, x);
  ck_assert_ptr_eq(other, x);
}
END_TEST

int main(void) {
  Suite *suite = suite_create("forward_ad");
  ck_scoped_case(suite, the_derivative_of_x_cubed);
  ck_scoped_case(suite, without_a_tangent_there_is_none);
  ck_scoped_case(suite, tangents_end_with_their_level);
  ck_scoped_case(suite, there_is_one_level_and_its_thread_ends_it);
  ck_scoped_case(suite, refusals);
  return ck_main(suite);
}
