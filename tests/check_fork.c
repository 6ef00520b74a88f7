/* fork() after LibTorch has computed with several threads: the child goes on with one. */
#include <sys/wait.h>
#include <unistd.h>

#include "values.h"

enum { N = 256 }; /* large enough for LibTorch to use its threads */

/* 256 x 256 ones squared: every element is 256, and the gradient of their sum by either factor too. */
static ctorch_error *multiplies(const ctorch_tensor *ones, bool *out_right) {
  ctorch_tensor *x = NULL, *product = NULL, *total = NULL, *grad = NULL, *sum = NULL;
  ctorch_scalar value = {0};
  CTORCH_TRY(ctorch_aten_detach(&x, ones));
  CTORCH_TRY(ctorch_tensor_set_requires_grad(x, true));
  CTORCH_TRY(ctorch_aten_mm(&product, x, ones));
  CTORCH_TRY(ctorch_aten_sum(&total, product, NULL));
  CTORCH_TRY(ctorch_tensor_backward(total, NULL, NULL, false));
  CTORCH_TRY(ctorch_tensor_grad(&grad, x));
  CTORCH_TRY(ctorch_aten_sum(&sum, grad, NULL));
  CTORCH_TRY(ctorch_aten_item(&value, sum));
  *out_right = value.re == (double)N * N * N;
  return NULL;
}

/* What a child answers: 0 if `body` is right there. It is killed if it hangs. */
static int in_a_child(int (*body)(const ctorch_tensor *ones), const ctorch_tensor *ones) {
  const pid_t child = fork();
  ck_assert_int_ge(child, 0);
  if (child == 0) {
    alarm(CK_TIMEOUT / 2);
    _exit(body(ones));
  }
  int status = 0;
  ck_assert_int_eq(waitpid(child, &status, 0), child);
  ck_assert_msg(WIFEXITED(status), "the child was killed by signal %d", WTERMSIG(status));
  return WEXITSTATUS(status);
}

static int computes(const ctorch_tensor *ones) {
  bool right = false;
  return multiplies(ones, &right) == NULL && right ? 0 : 1;
}

static int has_one_thread(const ctorch_tensor *ones) {
  (void)ones;
  ctorch_tensor *y = NULL;
  return ctorch_aten_ones(&y, CTORCH_INTS(1), NULL, NULL, NULL, NULL) == NULL && ctorch_threads_num() == 1 ? 0 : 1;
}

static int forks_again(const ctorch_tensor *ones) { return computes(ones) == 0 ? in_a_child(computes, ones) : 1; }

static int gets_errors(const ctorch_tensor *ones) {
  ctorch_tensor *y = NULL;
  ctorch_error *error = ctorch_aten_view(&y, ones, CTORCH_INTS(7));
  return error != NULL && strstr(ctorch_error_message(error), "shape '[7]' is invalid") != NULL && y == NULL ? 0 : 1;
}

static ctorch_tensor *ones;

static void compute_with_threads(void) {
  open_a_scope();
  ck_ok(ctorch_threads_set_num(4));
  ck_ok(ctorch_aten_ones(&ones, CTORCH_INTS(N, N), NULL, NULL, NULL, NULL));
  bool right = false;
  ck_ok(multiplies(ones, &right));
  ck_assert(right);
}

START_TEST(a_child_computes) { ck_assert_int_eq(in_a_child(computes, ones), 0); }
END_TEST
START_TEST(a_child_has_one_thread) {
  ck_assert_int_eq(in_a_child(has_one_thread, ones), 0);
  ck_assert_int_eq(ctorch_threads_num(), 4);
}
END_TEST
START_TEST(a_child_of_a_child_computes) { ck_assert_int_eq(in_a_child(forks_again, ones), 0); }
END_TEST
START_TEST(a_child_gets_errors) { ck_assert_int_eq(in_a_child(gets_errors, ones), 0); }
END_TEST

START_TEST(the_parent_goes_on_with_its_threads) {
  bool right = false;
  ck_assert_int_eq(in_a_child(computes, ones), 0);
  ck_ok(multiplies(ones, &right));
  ck_assert(right);
}
END_TEST

int main(void) {
  Suite *suite = suite_create("fork");
  TCase *tcase = tcase_create("fork");
  tcase_set_timeout(tcase, CK_TIMEOUT);
  tcase_add_checked_fixture(tcase, compute_with_threads, close_a_scope);
  tcase_add_test(tcase, a_child_computes);
  tcase_add_test(tcase, a_child_has_one_thread);
  tcase_add_test(tcase, a_child_of_a_child_computes);
  tcase_add_test(tcase, a_child_gets_errors);
  tcase_add_test(tcase, the_parent_goes_on_with_its_threads);
  suite_add_tcase(suite, tcase);
  return ck_main(suite);
}
