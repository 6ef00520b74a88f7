/* Calls by the loader, as a linked program makes them: arguments and results of every sort come through its jumps. Each
 * test makes its call twice, for the dynamic linker finds a function at the first. */
#include <check.h>
#include <stdlib.h>

#include "loader/functions.h"

START_TEST(integers_doubles_and_pointers_arrive) {
  for (int64_t round = 0; round < 2; round++) {
    const int64_t i = INT64_MIN + round;
    const double d = 0.1 + (double)round;
    static const char here[3];
    many got = {{0}, {0}, {NULL}, 0, 0, 0, false};
    ctorch_aten_add_Tensor(
        &got, i, d, i + 1, d + 1, here, i + 2, d + 2, i + 3, d + 3, i + 4, d + 4, -2.5F, i + 5, d + 5, here + 1, i + 6,
        d + 6, INT32_MIN, i + 7, d + 7, -3, i + 8, d + 8, true, i + 9, d + 9, here + 2);
    for (int k = 0; k < 10; k++) {
      ck_assert_int_eq(got.integers[k], i + k);
      ck_assert(got.doubles[k] == d + k);
    }
    for (int k = 0; k < 3; k++) {
      ck_assert_ptr_eq(got.pointers[k], here + k);
    }
    ck_assert(got.f == -2.5F);
    ck_assert_int_eq(got.i, INT32_MIN);
    ck_assert_int_eq(got.negative, -3);
    ck_assert(got.b);
  }
}
END_TEST

START_TEST(a_large_result_arrives_where_the_caller_wants_it) {
  for (int64_t round = 0; round < 2; round++) {
    large got = ctorch_aten_sub_Tensor(round, 10, 20, 30, 40, 50);
    ck_assert_int_eq(got.numbers[0], round + 1);
    for (int k = 1; k < 6; k++) {
      ck_assert_int_eq(got.numbers[k], 10 * k + 1);
    }
  }
}
END_TEST

START_TEST(structs_of_doubles_arrive) {
  for (int round = 0; round < 2; round++) {
    doubles a = {{10, 20, 30, 40 + round}}, b = {{1, 2, 3, 4}}, c = {{0.5, 1.5, 2.5, 3.5}};
    doubles got = ctorch_aten_mul_Tensor(a, b, c, 2);
    for (int k = 0; k < 4; k++) {
      ck_assert(got.numbers[k] == a.numbers[k] - b.numbers[k] + 2 * c.numbers[k]);
    }
  }
}
END_TEST

START_TEST(whole_vectors_arrive) {
  for (int round = 0; round < 2; round++) {
    vector v[10];
    for (int k = 0; k < 10; k++) {
      v[k] = (vector){(float)k, (float)(k + round), (float)(10 * k), (float)(-k)};
    }
    vector got = ctorch_aten_div_Tensor(v[0], v[1], v[2], v[3], v[4], v[5], v[6], v[7], v[8], v[9]);
    /* The sum of k * (k + 1) for k to 9 is 330, that of k + 1 is 55. */
    ck_assert(got[0] == 330 && got[1] == (float)(330 + 55 * round) && got[2] == 3300 && got[3] == -330);
  }
}
END_TEST

START_TEST(variable_arguments_arrive) {
  for (int round = 0; round < 2; round++) {
    double got = ctorch_aten_neg(
        10, INT64_C(1), 0.5, INT64_C(2), 0.5, INT64_C(3), 0.5, INT64_C(4), 0.5, INT64_C(5), 0.5, INT64_C(6), 0.5,
        INT64_C(7), 0.5, INT64_C(8), 0.5, INT64_C(9), 0.5, INT64_C(10), 0.5);
    ck_assert(got == 27.5);
    ck_assert(ctorch_aten_neg(0) == 0);
  }
}
END_TEST

int main(void) {
  Suite *suite = suite_create("loader");
  TCase *calls = tcase_create("calls");
  tcase_add_test(calls, integers_doubles_and_pointers_arrive);
  tcase_add_test(calls, a_large_result_arrives_where_the_caller_wants_it);
  tcase_add_test(calls, structs_of_doubles_arrive);
  tcase_add_test(calls, whole_vectors_arrive);
  tcase_add_test(calls, variable_arguments_arrive);
  suite_add_tcase(suite, calls);
  SRunner *runner = srunner_create(suite);
  srunner_run_all(runner, CK_ENV);
  int failed = srunner_ntests_failed(runner);
  srunner_free(runner);
  return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
