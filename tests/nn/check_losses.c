/* Losses and initial values: what is left behind in scopes and when they fail. What the numbers are is compared with
 * Python in tests/nn. */
#include <math.h>

#include "harness/check.h"

static ctorch_tensor *matrix(double value) {
  ctorch_tensor *self = NULL;
  ck_ok(ctorch_aten_full(
      &self, CTORCH_INTS(4, 4), CTORCH_FLOAT(value), (ctorch_dtype[]){CTORCH_DTYPE_FLOAT64}, NULL, NULL, NULL));
  return self;
}

/* Every loss that makes tensors on its way. */
static void all_losses(const ctorch_tensor *input, const ctorch_tensor *target, const ctorch_tensor *weight) {
  static const char *const reductions[] = {"none", "mean", "sum"};
  ctorch_tensor *loss = NULL;
  for (int i = 0; i < 3; i++) {
    ck_ok(ctorch_functional_mse_loss(&loss, input, target, reductions[i], weight));
    ctorch_tensor_release(loss);
    ck_ok(ctorch_functional_l1_loss(&loss, input, target, reductions[i], NULL));
    ctorch_tensor_release(loss);
    ck_ok(ctorch_functional_huber_loss(&loss, input, target, reductions[i], 1, weight));
    ctorch_tensor_release(loss);
    ck_ok(ctorch_functional_gaussian_nll_loss(&loss, input, target, weight, true, 1e-6, reductions[i]));
    ctorch_tensor_release(loss);
    ck_ok(ctorch_functional_multilabel_soft_margin_loss(&loss, input, target, weight, reductions[i]));
    ctorch_tensor_release(loss);
    ck_ok(ctorch_functional_binary_cross_entropy(&loss, input, target, weight, reductions[i]));
    ctorch_tensor_release(loss);
  }
  ck_ok(ctorch_functional_kl_div(&loss, input, target, "batchmean", false));
  ctorch_tensor_release(loss);
}

START_TEST(a_scope_keeps_what_it_had) {
  ctorch_scope *scope = NULL;
  ck_ok(ctorch_scope_begin(&scope));
  ctorch_tensor *input = matrix(0.5), *target = matrix(0.25), *weight = matrix(2);
  all_losses(input, target, weight);
  ck_ok(ctorch_init_trunc_normal_(input, 0, 1, -2, 2, NULL));
  ck_ok(ctorch_init_trunc_normal_(input, 0, 1, 3, 4, NULL));
  ck_ok(ctorch_init_orthogonal_(input, 1, NULL));
  ck_ok(ctorch_init_sparse_(input, 0.5, 0.01, NULL));
  ck_assert(ctorch_scope_owns(input) && ctorch_scope_owns(target) && ctorch_scope_owns(weight));
  ctorch_scope_end(scope);
}
END_TEST

START_TEST(without_a_scope_nothing_is_left) {
  int64_t before = ctorch_debug_live_handles();
  ctorch_tensor *input = matrix(0.5), *target = matrix(0.25), *weight = matrix(2);
  all_losses(input, target, weight);
  ck_ok(ctorch_init_trunc_normal_(input, 0, 1, -2, 2, NULL));
  ck_ok(ctorch_init_trunc_normal_(input, 0, 1, 3, 4, NULL));
  ck_ok(ctorch_init_orthogonal_(input, 1, NULL));
  ck_ok(ctorch_init_sparse_(input, 0.5, 0.01, NULL));
  ctorch_tensor_release(input);
  ctorch_tensor_release(target);
  ctorch_tensor_release(weight);
  ck_assert_int_eq(ctorch_debug_live_handles(), before);
}
END_TEST

START_TEST(failures_leave_result_and_mode) {
  ctorch_tensor *input = matrix(0.5), *target = matrix(0.25), *loss = NULL, *row = NULL, *part = NULL;
  ck_fails(ctorch_functional_mse_loss(&loss, input, target, "average", NULL), CTORCH_ERROR_VALUE, "'average'");
  ck_ok(ctorch_aten_select_int(&row, target, 0, 0));
  ck_ok(ctorch_aten_narrow(&part, row, 0, 0, 3));
  ck_fails(ctorch_functional_mse_loss(&loss, input, target, "mean", row), CTORCH_ERROR_VALUE, "weight");
  ck_fails(
      ctorch_functional_gaussian_nll_loss_number(&loss, input, target, -1, false, 1e-6, "mean"), CTORCH_ERROR_VALUE,
      "negative");
  ck_fails(
      ctorch_functional_gaussian_nll_loss(&loss, input, target, part, false, 1e-6, "mean"), CTORCH_ERROR_VALUE, "var");
  ck_fails(ctorch_functional_mse_loss(NULL, input, target, "mean", NULL), CTORCH_ERROR_NULL_ARGUMENT, "out");
  ck_fails(ctorch_functional_mse_loss(&loss, input, NULL, "mean", NULL), CTORCH_ERROR_NULL_ARGUMENT, "target");
  ck_assert_ptr_null(loss);
  ck_fails(ctorch_init_trunc_normal_(input, 0, 0, -2, 2, NULL), CTORCH_ERROR_VALUE, "std");
  ck_fails(ctorch_init_trunc_normal_(input, 0, 1, 2, -2, NULL), CTORCH_ERROR_RUNTIME, NULL);
  ck_fails(ctorch_init_dirac_(input, 1), CTORCH_ERROR_VALUE, "dimensions");
  ck_fails(ctorch_init_sparse_(input, NAN, 0.01, NULL), CTORCH_ERROR_VALUE, "finite");
  ck_assert(ctorch_grad_mode_enabled());
  ctorch_tensor_release(row);
  ctorch_tensor_release(part);
  ctorch_tensor_release(input);
  ctorch_tensor_release(target);
}
END_TEST

int main(void) {
  Suite *suite = suite_create("losses");
  ck_case(suite, a_scope_keeps_what_it_had);
  ck_case(suite, without_a_scope_nothing_is_left);
  ck_case(suite, failures_leave_result_and_mode);
  return ck_main(suite);
}
