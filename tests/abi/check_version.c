/* Versions. What happens when they do not match is check_version_mismatch.c's. */
#include <stdio.h>

#include "harness/check.h"

START_TEST(the_version_is_the_headers) {
  char expected[32];
  snprintf(expected, sizeof expected, "%d.%d.%d", CTORCH_VERSION_MAJOR, CTORCH_VERSION_MINOR, CTORCH_VERSION_PATCH);
  ck_assert_str_eq(ctorch_version(), expected);
}
END_TEST

START_TEST(the_loaded_libtorch_is_the_one_compiled_against) {
  int compiled[3] = {0}, loaded[3] = {0};
  ck_assert_int_eq(sscanf(ctorch_version_torch_compiled(), "%d.%d.%d", &compiled[0], &compiled[1], &compiled[2]), 3);
  ck_assert_int_eq(sscanf(ctorch_version_torch(), "%d.%d.%d", &loaded[0], &loaded[1], &loaded[2]), 3);
  ck_assert_int_eq(loaded[0], compiled[0]);
  ck_assert_int_eq(loaded[1], compiled[1]);
  ck_assert_int_ge(loaded[0], 2);
}
END_TEST

START_TEST(nothing_refuses) {
  ctorch_tensor *x = NULL;
  ck_ok(ctorch_aten_ones(&x, NULL, 0, NULL, NULL, NULL, NULL));
  ctorch_tensor_release(x);
}
END_TEST

int main(void) {
  Suite *suite = suite_create("version");
  ck_case(suite, the_version_is_the_headers);
  ck_case(suite, the_loaded_libtorch_is_the_one_compiled_against);
  ck_case(suite, nothing_refuses);
  return ck_main(suite);
}
