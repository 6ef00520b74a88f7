/* Gradient scaling: who owns what, the order of calls, arguments that do not fit. What the factors and parameters are is
 * compared with Python in tests/optim/test_grad_scaler.py. */
#include <math.h>

#include "harness/check.h"
#include "harness/values.h"

static char marker;

static ctorch_grad_scaler *scaler_of(double scale) {
  ctorch_grad_scaler *scaler = NULL;
  ck_ok(ctorch_grad_scaler_new(&scaler, "cpu", scale, 2, 0.5, 2, true));
  return scaler;
}

static ctorch_optimizer *sgd(ctorch_tensor *param, bool fused) {
  ctorch_optimizer *optimizer = NULL;
  ck_ok(ctorch_optim_SGD(
      &optimizer, &param, 1, 0.5, 0, 0, 0, false, false, &(bool){false}, false, fused ? &(bool){true} : NULL));
  return optimizer;
}

static ctorch_tensor *parameter(void) {
  ctorch_tensor *param = floats(CTORCH_INTS(2), 1, 2);
  ck_ok(ctorch_tensor_set_requires_grad(param, true));
  return param;
}

static void set_grad(ctorch_tensor *param, float a, float b) {
  ctorch_tensor *grad = floats(CTORCH_INTS(2), a, b);
  ck_ok(ctorch_tensor_set_grad(param, grad));
  ctorch_tensor_release(grad);
}

static void scale_something(ctorch_grad_scaler *scaler) {
  ctorch_tensor *loss = floats(CTORCH_INTS(1), 3), *scaled = NULL;
  ck_ok(ctorch_grad_scaler_scale(&scaled, scaler, loss));
  ctorch_tensor_release(loss);
  ctorch_tensor_release(scaled);
}

static double scale_of(const ctorch_grad_scaler *scaler) {
  double scale = NAN;
  ck_ok(ctorch_grad_scaler_get_scale(&scale, scaler));
  return scale;
}

/* With kernels that divide themselves, and with those that do not. */
START_TEST(a_step_is_taken_if_gradients_are_finite) {
  int64_t before = ctorch_debug_live_handles();
  ctorch_grad_scaler *scaler = scaler_of(4);
  ctorch_tensor *param = parameter();
  ctorch_optimizer *optimizer = sgd(param, _i == 1);
  scale_something(scaler);
  set_grad(param, 4, 8); /* 1 and 2, times 4 */
  ck_ok(ctorch_grad_scaler_step(scaler, optimizer));
  ck_floats(param, CTORCH_INTS(2), 0.5F, 1);
  ck_ok(ctorch_grad_scaler_update(scaler, NULL));
  ck_assert_double_eq(scale_of(scaler), 4);
  set_grad(param, INFINITY, 8);
  ck_ok(ctorch_grad_scaler_step(scaler, optimizer));
  ck_floats(param, CTORCH_INTS(2), 0.5F, 1);
  ck_ok(ctorch_grad_scaler_update(scaler, NULL));
  ck_assert_double_eq(scale_of(scaler), 2);
  for (int i = 0; i < 2; i++) { /* as many as the interval has */
    set_grad(param, 0, 0);
    ck_ok(ctorch_grad_scaler_step(scaler, optimizer));
    ck_ok(ctorch_grad_scaler_update(scaler, NULL));
  }
  ck_assert_double_eq(scale_of(scaler), 4);
  ctorch_tensor_release(param);
  ctorch_optimizer_release(optimizer);
  ctorch_grad_scaler_release(scaler);
  ck_assert_int_eq(ctorch_debug_live_handles(), before);
}
END_TEST

START_TEST(gradients_are_unscaled_before_a_step) {
  ctorch_grad_scaler *scaler = scaler_of(4);
  ctorch_tensor *param = parameter(), *grad = NULL;
  ctorch_optimizer *optimizer = sgd(param, _i == 1);
  scale_something(scaler);
  set_grad(param, 4, 8);
  ck_ok(ctorch_grad_scaler_unscale_(scaler, optimizer));
  ck_ok(ctorch_tensor_grad(&grad, param));
  ck_floats(grad, CTORCH_INTS(2), 1, 2);
  ctorch_tensor_release(grad);
  set_grad(param, 0.5F, 1); /* clipped */
  ck_ok(ctorch_grad_scaler_step(scaler, optimizer));
  ck_floats(param, CTORCH_INTS(2), 0.75F, 1.5F);
  ck_fails(ctorch_grad_scaler_step(scaler, optimizer), CTORCH_ERROR_RUNTIME, "stepped since the last update");
  ck_fails(ctorch_grad_scaler_unscale_(scaler, optimizer), CTORCH_ERROR_RUNTIME, "before its step");
  ck_ok(ctorch_grad_scaler_update(scaler, &(double){16}));
  ck_assert_double_eq(scale_of(scaler), 16);
  ctorch_tensor_release(param);
  ctorch_optimizer_release(optimizer);
  ctorch_grad_scaler_release(scaler);
}
END_TEST

START_TEST(a_scaler_keeps_optimizers_until_the_update) {
  ctorch_grad_scaler *scaler = scaler_of(4);
  ctorch_tensor *param = parameter();
  ctorch_optimizer *optimizer = sgd(param, false);
  scale_something(scaler);
  set_grad(param, 4, 8);
  ck_ok(ctorch_grad_scaler_step(scaler, optimizer));
  ctorch_optimizer_release(optimizer);
  optimizer = sgd(param, false); /* another one, whatever its address */
  ck_ok(ctorch_grad_scaler_step(scaler, optimizer));
  ctorch_optimizer_release(optimizer);
  ck_ok(ctorch_grad_scaler_update(scaler, NULL));
  ctorch_tensor_release(param);
  ctorch_grad_scaler_retain(scaler);
  ctorch_grad_scaler_release(scaler);
  ctorch_grad_scaler_release(scaler);
  ctorch_grad_scaler_retain(NULL);
  ctorch_grad_scaler_release(NULL);
}
END_TEST

/* A hook that uses the scaler in the middle of its step. */
static ctorch_callback_status update_in_step(ctorch_optimizer *optimizer, ctorch_error **error, void *payload) {
  (void)optimizer;
  *error = ctorch_grad_scaler_update(payload, NULL);
  return CTORCH_CALLBACK_OK;
}

START_TEST(a_hook_may_update_the_scaler_of_its_step) {
  ctorch_grad_scaler *scaler = scaler_of(4);
  ctorch_tensor *param = parameter();
  ctorch_optimizer *optimizer = sgd(param, _i == 1);
  ck_ok(ctorch_optimizer_register_step_pre_hook(NULL, optimizer, update_in_step, NULL, scaler));
  scale_something(scaler);
  for (int i = 0; i < 2; i++) {
    set_grad(param, 4, 8);
    ck_ok(ctorch_grad_scaler_step(scaler, optimizer));
  }
  ctorch_tensor_release(param);
  ctorch_optimizer_release(optimizer);
  ctorch_grad_scaler_release(scaler);
}
END_TEST

START_TEST(values_are_scaled_in_their_form) {
  ctorch_grad_scaler *scaler = scaler_of(4);
  ctorch_tensor *x = floats(CTORCH_INTS(1), 3);
  ctorch_value *list = NULL, *scaled = NULL, *entry = NULL, *number = NULL;
  ctorch_tensor *result = NULL;
  ck_ok(ctorch_value_from_tensors(&list, (const ctorch_tensor *const *)&x, 1));
  ck_ok(ctorch_grad_scaler_scale_value(&scaled, scaler, list));
  ck_ok(ctorch_value_get(&entry, scaled, 0));
  ck_ok(ctorch_value_to_tensor(&result, entry));
  ck_floats(result, CTORCH_INTS(1), 12);
  ctorch_value_release(scaled);
  scaled = (ctorch_value *)&marker;
  ck_ok(ctorch_value_from_int(&number, 4));
  ck_call_fails(ctorch_grad_scaler_scale_value, (&scaled, scaler, number), CTORCH_ERROR_VALUE, "outputs");
  ctorch_value *deep = NULL;
  ck_ok(ctorch_value_from_list(&deep, NULL, 0));
  ck_ok(ctorch_value_list_append(deep, deep)); /* it holds itself */
  ck_call_fails(ctorch_grad_scaler_scale_value, (&scaled, scaler, deep), CTORCH_ERROR_VALUE, "deep");
  ck_ok(ctorch_value_clear(deep));
  ck_assert_ptr_eq(scaled, (ctorch_value *)&marker);
  ctorch_value_release(deep);
  ctorch_value_release(number);
  ctorch_value_release(entry);
  ctorch_value_release(list);
  ctorch_tensor_release(result);
  ctorch_tensor_release(x);
  ctorch_grad_scaler_release(scaler);
}
END_TEST

START_TEST(states_go_from_one_to_another) {
  ctorch_grad_scaler *one = scaler_of(64), *other = scaler_of(4);
  ctorch_value *state = NULL;
  scale_something(other);
  ck_ok(ctorch_grad_scaler_state_dict(&state, one));
  ck_assert_uint_eq(ctorch_value_len(state), 5);
  ck_ok(ctorch_grad_scaler_load_state_dict(other, state));
  ck_assert_double_eq(scale_of(other), 64);
  ck_ok(ctorch_value_clear(state));
  ck_call_fails(ctorch_grad_scaler_load_state_dict, (other, state), CTORCH_ERROR_RUNTIME, "empty");
  ck_assert_double_eq(scale_of(other), 64);
  ctorch_value_release(state);
  ctorch_grad_scaler_release(one);
  ctorch_grad_scaler_release(other);
}
END_TEST

static ctorch_callback_status no_loss(ctorch_tensor **out, ctorch_error **error, void *payload) {
  (void)out;
  (void)error;
  ++*(int *)payload;
  return CTORCH_CALLBACK_OK;
}

START_TEST(a_disabled_scaler_leaves_everything_as_it_is) {
  ctorch_grad_scaler *scaler = NULL;
  ctorch_tensor *param = parameter(), *same = NULL;
  ctorch_optimizer *optimizer = sgd(param, false);
  ctorch_value *state = NULL;
  double number = 0;
  int calls = 0;
  ck_ok(ctorch_grad_scaler_new(&scaler, "cpu", 4, 0, 2, 2, false));
  ck_assert(!ctorch_grad_scaler_is_enabled(scaler) && !ctorch_grad_scaler_is_enabled(NULL));
  ck_ok(ctorch_grad_scaler_scale(&same, scaler, param));
  ck_assert_ptr_eq(same, param);
  set_grad(param, 2, 4);
  ck_ok(ctorch_grad_scaler_unscale_(scaler, optimizer));
  ck_ok(ctorch_grad_scaler_step(scaler, optimizer));
  ck_floats(param, CTORCH_INTS(2), 0, 0);
  ck_ok(ctorch_grad_scaler_step_closure(NULL, scaler, optimizer, no_loss, &calls));
  ck_assert_int_eq(calls, 1);
  ck_ok(ctorch_grad_scaler_update(scaler, NULL));
  ck_assert_double_eq(scale_of(scaler), 1);
  ck_ok(ctorch_grad_scaler_state_dict(&state, scaler));
  ck_assert_uint_eq(ctorch_value_len(state), 0);
  ck_call_fails(ctorch_grad_scaler_get_growth_factor, (&number, scaler), CTORCH_ERROR_INDEX, "growth_factor");
  ctorch_value_release(state);
  ctorch_tensor_release(same);
  ctorch_tensor_release(param);
  ctorch_optimizer_release(optimizer);
  ctorch_grad_scaler_release(scaler);
}
END_TEST

START_TEST(bad_arguments_are_named) {
  ctorch_grad_scaler *scaler = scaler_of(4), *out = (ctorch_grad_scaler *)&marker;
  ctorch_tensor *param = parameter(), *scaled = NULL;
  ctorch_optimizer *optimizer = sgd(param, false);
  int calls = 0;
  double number = 0;
  ck_call_fails(ctorch_grad_scaler_new, (NULL, "cpu", 4, 2, 0.5, 2, true), CTORCH_ERROR_NULL_ARGUMENT, "out");
  ck_call_fails(ctorch_grad_scaler_new, (&out, "\xC0", 4, 2, 0.5, 2, true), CTORCH_ERROR_INVALID_ARGUMENT, "device");
  ck_call_fails(ctorch_grad_scaler_new, (&out, "cpu", 4, 1, 0.5, 2, true), CTORCH_ERROR_VALUE, "growth_factor");
  ck_call_fails(ctorch_grad_scaler_new, (&out, "cpu", 4, 2, 1, 2, true), CTORCH_ERROR_VALUE, "backoff_factor");
  ck_call_fails(ctorch_grad_scaler_new, (&out, "cpu", 4, NAN, 0.5, 2, true), CTORCH_ERROR_VALUE, "growth_factor");
  ck_call_fails(ctorch_grad_scaler_scale, (&scaled, NULL, param), CTORCH_ERROR_NULL_ARGUMENT, "self");
  ck_call_fails(ctorch_grad_scaler_scale, (&scaled, scaler, NULL), CTORCH_ERROR_NULL_ARGUMENT, "outputs");
  ck_call_fails(ctorch_grad_scaler_step, (scaler, optimizer), CTORCH_ERROR_VALUE, "nothing was scaled");
  ck_call_fails(ctorch_grad_scaler_unscale_, (scaler, optimizer), CTORCH_ERROR_VALUE, "nothing was scaled");
  ck_call_fails(ctorch_grad_scaler_update, (scaler, NULL), CTORCH_ERROR_VALUE, "nothing was scaled");
  ck_call_fails(ctorch_grad_scaler_step, (scaler, NULL), CTORCH_ERROR_NULL_ARGUMENT, "optimizer");
  ck_call_fails(ctorch_grad_scaler_unscale_, (NULL, optimizer), CTORCH_ERROR_NULL_ARGUMENT, "self");
  ck_call_fails(
      ctorch_grad_scaler_step_closure, (NULL, scaler, optimizer, no_loss, &calls), CTORCH_ERROR_RUNTIME, "closure");
  ck_call_fails(
      ctorch_grad_scaler_step_closure, (NULL, scaler, optimizer, NULL, NULL), CTORCH_ERROR_NULL_ARGUMENT, "closure");
  scale_something(scaler);
  ck_call_fails(ctorch_grad_scaler_step, (scaler, optimizer), CTORCH_ERROR_VALUE, "none of its parameters");
  ck_call_fails(ctorch_grad_scaler_update_tensor, (scaler, param), CTORCH_ERROR_VALUE, "new_scale");
  ck_call_fails(ctorch_grad_scaler_update_tensor, (scaler, NULL), CTORCH_ERROR_NULL_ARGUMENT, "new_scale");
  ck_call_fails(ctorch_grad_scaler_get_scale, (NULL, scaler), CTORCH_ERROR_NULL_ARGUMENT, "out");
  ck_call_fails(ctorch_grad_scaler_get_backoff_factor, (&number, NULL), CTORCH_ERROR_NULL_ARGUMENT, "self");
  ck_call_fails(ctorch_grad_scaler_load_state_dict, (scaler, NULL), CTORCH_ERROR_NULL_ARGUMENT, "state_dict");
  ck_assert_int_eq(calls, 0);
  ck_assert_ptr_eq(out, (ctorch_grad_scaler *)&marker);
  ctorch_tensor_release(param);
  ctorch_optimizer_release(optimizer);
  ctorch_grad_scaler_release(scaler);
}
END_TEST

int main(void) {
  Suite *suite = suite_create("grad_scaler");
  ck_case_loop(suite, a_step_is_taken_if_gradients_are_finite, 2);
  ck_case_loop(suite, gradients_are_unscaled_before_a_step, 2);
  ck_case(suite, a_scaler_keeps_optimizers_until_the_update);
  ck_case_loop(suite, a_hook_may_update_the_scaler_of_its_step, 2);
  ck_case(suite, values_are_scaled_in_their_form);
  ck_case(suite, states_go_from_one_to_another);
  ck_case(suite, a_disabled_scaler_leaves_everything_as_it_is);
  ck_case(suite, bad_arguments_are_named);
  return ck_main(suite);
}
