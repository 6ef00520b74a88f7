/* Optimizers as C uses them: steps by hand, references, scopes, hooks, and what is refused. What the numbers of each are is
 * compared with Python in tests/optim. */
#include "harness/check.h"

/* A parameter with this value and gradient, a leaf. */
static ctorch_tensor *parameter(double value, double gradient) {
  ctorch_tensor *self = NULL, *grad = NULL;
  ck_ok(ctorch_aten_full(&self, CTORCH_INTS(3), CTORCH_FLOAT(value), NULL, NULL, NULL, NULL));
  ck_ok(ctorch_tensor_set_requires_grad(self, true));
  ck_ok(ctorch_aten_full(&grad, CTORCH_INTS(3), CTORCH_FLOAT(gradient), NULL, NULL, NULL, NULL));
  ck_ok(ctorch_tensor_set_grad(self, grad));
  ctorch_tensor_release(grad);
  return self;
}

static ctorch_optimizer *sgd(ctorch_tensor *param, double lr, double momentum) {
  ctorch_optimizer *self = NULL;
  ck_ok(ctorch_optim_SGD(&self, &param, 1, lr, momentum, 0, 0, false, false, NULL, false, NULL));
  return self;
}

static double first(const ctorch_tensor *tensor) {
  ctorch_tensor *element = NULL;
  double value = 0;
  ck_ok(ctorch_aten_select_int(&element, tensor, 0, 0));
  ck_ok(ctorch_tensor_item_double(&value, element));
  ctorch_tensor_release(element);
  return value;
}

START_TEST(a_step_goes_down_the_gradient) {
  ctorch_tensor *param = parameter(1, 0.5);
  ctorch_optimizer *optimizer = sgd(param, 0.5, 0.5);
  ck_ok(ctorch_optimizer_step(optimizer)); /* 1 - 0.5 * 0.5 */
  ck_assert_double_eq(first(param), 0.75);
  ck_ok(ctorch_optimizer_step(optimizer)); /* the momentum is 0.5 * 0.5 + 0.5 */
  ck_assert_double_eq(first(param), 0.375);
  ck_ok(ctorch_optimizer_set_lr(optimizer, 0));
  ck_ok(ctorch_optimizer_step(optimizer));
  ck_assert_double_eq(first(param), 0.375);
  ctorch_optimizer_release(optimizer);
  ctorch_tensor_release(param);
}
END_TEST

START_TEST(zero_grad_forgets_gradients_or_fills_them) {
  ctorch_tensor *param = parameter(1, 2), *grad = NULL;
  ctorch_optimizer *optimizer = sgd(param, 1, 0);
  ck_ok(ctorch_optimizer_zero_grad(optimizer, false));
  ck_ok(ctorch_tensor_grad(&grad, param));
  ck_assert_double_eq(first(grad), 0);
  ctorch_tensor_release(grad);
  ck_ok(ctorch_optimizer_zero_grad(optimizer, true));
  ck_ok(ctorch_tensor_grad(&grad, param));
  ck_assert_ptr_null(grad);
  ck_ok(ctorch_optimizer_step(optimizer)); /* nothing to do */
  ck_assert_double_eq(first(param), 1);
  ctorch_optimizer_release(optimizer);
  ctorch_tensor_release(param);
}
END_TEST

START_TEST(an_optimizer_has_references_of_its_own) {
  ctorch_tensor *param = parameter(1, 1);
  ctorch_optimizer *optimizer = sgd(param, 1, 0.9);
  ctorch_tensor_release(param);
  ctorch_optimizer_retain(optimizer);
  ctorch_optimizer_release(optimizer);
  ck_ok(ctorch_optimizer_step(optimizer));
  ctorch_tensor_list *params = NULL;
  ck_ok(ctorch_optimizer_params(&params, optimizer, 0));
  ctorch_optimizer_release(optimizer);
  ck_assert_double_eq(first(ctorch_tensor_list_data(params)[0]), 0);
  ctorch_tensor_list_release(params);
  ctorch_optimizer_retain(NULL);
  ctorch_optimizer_release(NULL);
}
END_TEST

static const char *const names[] = {"SGD",     "Adam",     "AdamW",     "Adamax", "NAdam",   "RAdam",
                                    "Adagrad", "Adadelta", "Adafactor", "ASGD",   "RMSprop", "Rprop"};

static ctorch_optimizer *by_name(const char *name, const ctorch_tensor *param) {
  ctorch_optimizer *self = NULL;
  ctorch_value *tensor = NULL, *params = NULL, *args = NULL;
  ck_ok(ctorch_value_from_tensor(&tensor, param));
  ck_ok(ctorch_value_from_list(&params, (const ctorch_value *const *)&tensor, 1));
  ck_ok(ctorch_value_from_tuple(&args, (const ctorch_value *const *)&params, 1));
  ck_ok(ctorch_optim_create(&self, name, args, NULL));
  ctorch_value_release(tensor);
  ctorch_value_release(params);
  ctorch_value_release(args);
  return self;
}

START_TEST(states_outlive_the_scope_of_a_step) {
  ctorch_tensor *param = parameter(1, 1);
  ctorch_optimizer *optimizer = by_name(names[_i], param);
  for (int i = 0; i < 3; i++) {
    ctorch_scope *scope = NULL;
    ck_ok(ctorch_scope_begin(&scope));
    ck_ok(ctorch_optimizer_step(optimizer));
    ctorch_value *state = NULL;
    ck_ok(ctorch_optimizer_state_dict(&state, optimizer)); /* the scope's */
    ctorch_scope_end(scope);
  }
  ck_assert(first(param) < 1);
  ck_assert_str_eq(ctorch_optimizer_name(optimizer), names[_i]);
  ctorch_optimizer_release(optimizer);
  ctorch_tensor_release(param);
}
END_TEST

START_TEST(nothing_is_left_after_many_steps) {
  int64_t before = ctorch_debug_live_handles();
  ctorch_tensor *param = parameter(1, 1);
  ctorch_optimizer *optimizer = by_name(names[_i], param);
  for (int i = 0; i < 5; i++) {
    ck_ok(ctorch_optimizer_step(optimizer));
  }
  ctorch_optimizer_release(optimizer);
  ctorch_tensor_release(param);
  ck_assert_int_eq(ctorch_debug_live_handles(), before);
}
END_TEST

struct quadratic {
  ctorch_tensor *param;
  int calls;
};

/* The square of the distance to 3, and its gradient. */
static ctorch_callback_status distance(ctorch_tensor **out, ctorch_error **error, void *payload) {
  struct quadratic *self = payload;
  ctorch_tensor *apart = NULL, *squares = NULL;
  (void)error;
  self->calls++;
  ck_ok(ctorch_tensor_set_grad(self->param, NULL));
  ck_ok(ctorch_aten_sub_Scalar(&apart, self->param, CTORCH_INT(3), NULL));
  ck_ok(ctorch_aten_mul_Tensor(&squares, apart, apart));
  ck_ok(ctorch_aten_sum(out, squares, NULL));
  ck_ok(ctorch_tensor_backward(*out, NULL, NULL, false));
  ctorch_tensor_release(apart);
  ctorch_tensor_release(squares);
  return CTORCH_CALLBACK_OK;
}

START_TEST(lbfgs_finds_the_minimum_of_a_parabola) {
  int64_t before = ctorch_debug_live_handles();
  struct quadratic problem = {parameter(1, 1), 0};
  ctorch_optimizer *optimizer = NULL;
  ctorch_tensor *loss = NULL;
  ck_ok(ctorch_optim_LBFGS(&optimizer, &problem.param, 1, 1, 20, NULL, 1e-7, 1e-9, 100, "strong_wolfe"));
  ck_fails(ctorch_optimizer_step(optimizer), CTORCH_ERROR_TYPE, "closure");
  ck_ok(ctorch_optimizer_step_closure(&loss, optimizer, distance, &problem));
  double value = 0;
  ck_ok(ctorch_tensor_item_double(&value, loss));
  ck_assert_double_eq(value, 12); /* the first that the closure gave */
  ck_assert_double_eq_tol(first(problem.param), 3, 1e-5);
  ck_assert_int_gt(problem.calls, 1);
  ctorch_tensor_release(loss);
  ctorch_optimizer_release(optimizer);
  ctorch_tensor_release(problem.param);
  ck_assert_int_eq(ctorch_debug_live_handles(), before);
}
END_TEST

static ctorch_callback_status refuse(ctorch_tensor **out, ctorch_error **error, void *payload) {
  (void)out;
  ck_ok(ctorch_error_new(error, CTORCH_ERROR_INDEX, payload));
  return !CTORCH_CALLBACK_OK;
}

START_TEST(what_a_closure_fails_with_comes_out) {
  ctorch_tensor *param = parameter(1, 1), *loss = (ctorch_tensor *)param;
  ctorch_optimizer *optimizer = sgd(param, 1, 0);
  ck_fails(ctorch_optimizer_step_closure(&loss, optimizer, refuse, "no data"), CTORCH_ERROR_INDEX, "no data");
  ck_assert_ptr_eq(loss, param);
  ck_assert_double_eq(first(param), 1);
  ctorch_optimizer_release(optimizer);
  ctorch_tensor_release(param);
}
END_TEST

static int destroyed;
static void destroy(void *payload) {
  (void)payload;
  destroyed++;
}

static ctorch_callback_status give_up(ctorch_optimizer *self, ctorch_error **error, void *payload) {
  ctorch_optimizer **own = payload;
  (void)error;
  if (*own != NULL) {
    ck_assert_ptr_eq(self, *own);
    ctorch_optimizer_release(*own);
    *own = NULL;
  }
  return CTORCH_CALLBACK_OK;
}

START_TEST(an_optimizer_may_be_released_in_its_own_hook) {
  ctorch_tensor *param = parameter(1, 1);
  ctorch_optimizer *optimizer = sgd(param, 1, 0), *same = optimizer;
  destroyed = 0;
  ck_ok(ctorch_optimizer_register_step_pre_hook(NULL, optimizer, give_up, destroy, &optimizer));
  ck_ok(ctorch_optimizer_step(same));
  ck_assert_double_eq(first(param), 0); /* the step went on */
  ck_assert_int_eq(destroyed, 1);
  ctorch_tensor_release(param);
}
END_TEST

START_TEST(a_payload_is_destroyed_with_its_hook) {
  ctorch_tensor *param = parameter(1, 1);
  ctorch_optimizer *optimizer = sgd(param, 1, 0), *nobody = NULL;
  ctorch_hook *hook = NULL;
  destroyed = 0;
  ck_ok(ctorch_optimizer_register_step_post_hook(&hook, optimizer, give_up, destroy, &nobody));
  ck_ok(ctorch_optimizer_register_step_post_hook(NULL, optimizer, give_up, destroy, &nobody));
  ctorch_hook_remove(hook);
  ck_assert_int_eq(destroyed, 1);
  ck_ok(ctorch_optimizer_step(optimizer));
  ctorch_hook_release(hook);
  ctorch_optimizer_release(optimizer);
  ck_assert_int_eq(destroyed, 2);
  ctorch_tensor_release(param);
}
END_TEST

START_TEST(bad_arguments_are_named) {
  ctorch_tensor *param = parameter(1, 1), *none = NULL;
  ctorch_optimizer *out = (ctorch_optimizer *)param;
  ck_call_fails(
      ctorch_optim_SGD, (&out, &param, 1, -1, 0, 0, 0, false, false, NULL, false, NULL), CTORCH_ERROR_VALUE, "lr");
  ck_call_fails(
      ctorch_optim_SGD, (&out, &param, 0, 1, 0, 0, 0, false, false, NULL, false, NULL), CTORCH_ERROR_VALUE, "params");
  ck_call_fails(
      ctorch_optim_SGD, (&out, &none, 1, 1, 0, 0, 0, false, false, NULL, false, NULL), CTORCH_ERROR_NULL_ARGUMENT,
      "params");
  ck_call_fails(
      ctorch_optim_SGD, (NULL, &param, 1, 1, 0, 0, 0, false, false, NULL, false, NULL), CTORCH_ERROR_NULL_ARGUMENT,
      "out");
  ck_call_fails(ctorch_optim_create, (&out, "Adamant", NULL, NULL), CTORCH_ERROR_INDEX, "Adamant");
  ck_call_fails(ctorch_optim_create, (&out, "Adam", NULL, NULL), CTORCH_ERROR_TYPE, "params");
  ck_assert_ptr_eq(out, (ctorch_optimizer *)param);
  ck_call_fails(ctorch_optimizer_step, (NULL), CTORCH_ERROR_NULL_ARGUMENT, "self");
  ck_call_fails(ctorch_optimizer_zero_grad, (NULL, true), CTORCH_ERROR_NULL_ARGUMENT, "self");
  out = sgd(param, 1, 0);
  ck_call_fails(ctorch_optimizer_step_closure, (NULL, out, NULL, NULL), CTORCH_ERROR_NULL_ARGUMENT, "closure");
  ctorch_value *value = NULL;
  ck_call_fails(ctorch_optimizer_get_option, (&value, out, 1, "lr"), CTORCH_ERROR_INDEX, "group");
  ck_call_fails(ctorch_optimizer_get_option, (&value, out, 0, "rate"), CTORCH_ERROR_INDEX, "rate");
  ck_assert_ptr_null(value);
  ctorch_optimizer_release(out);
  ctorch_tensor_release(param);
}
END_TEST

/* Fused kernels look at neither shapes nor types of what they are given. */
START_TEST(a_state_of_another_shape_does_not_reach_a_kernel) {
  ctorch_tensor *param = parameter(1, 1), *small = NULL;
  ctorch_optimizer *optimizer = by_name("Adam", param);
  ctorch_value *state = NULL, *value = NULL;
  ck_ok(ctorch_optimizer_step(optimizer));
  ck_ok(ctorch_aten_zeros(&small, CTORCH_INTS(1, 7), NULL, NULL, NULL, NULL));
  ck_ok(ctorch_value_from_tensor(&value, small));
  ck_ok(ctorch_optimizer_state(&state, optimizer, param));
  ck_ok(ctorch_value_dict_put(state, "exp_avg", value));
  ck_ok(ctorch_optimizer_set_state(optimizer, param, state));
  ck_fails(ctorch_optimizer_step(optimizer), CTORCH_ERROR_SHAPE_MISMATCH, NULL);
  ctorch_value_release(state);
  ctorch_value_release(value);
  ctorch_tensor_release(small);
  ctorch_optimizer_release(optimizer);
  ctorch_tensor_release(param);
}
END_TEST

int main(void) {
  Suite *suite = suite_create("optimizer");
  const size_t all = sizeof names / sizeof *names;
  ck_case(suite, a_step_goes_down_the_gradient);
  ck_case(suite, zero_grad_forgets_gradients_or_fills_them);
  ck_case(suite, an_optimizer_has_references_of_its_own);
  ck_case_loop(suite, states_outlive_the_scope_of_a_step, all);
  ck_case_loop(suite, nothing_is_left_after_many_steps, all);
  ck_case(suite, lbfgs_finds_the_minimum_of_a_parabola);
  ck_case(suite, what_a_closure_fails_with_comes_out);
  ck_case(suite, an_optimizer_may_be_released_in_its_own_hook);
  ck_case(suite, a_payload_is_destroyed_with_its_hook);
  ck_case(suite, bad_arguments_are_named);
  ck_case(suite, a_state_of_another_shape_does_not_reach_a_kernel);
  return ck_main(suite);
}
