/* Learning rate schedulers: who owns what, callbacks that fail, arguments that do not fit, and what Python's words for
 * them are here. What the rates are is compared with Python in tests/lr_scheduler/test_lr_scheduler.py. */
#include <math.h>

#include "harness/check.h"

static char marker;

/* An optimizer over one parameter, which it alone keeps. */
static ctorch_optimizer *sgd(double lr) {
  ctorch_optimizer *optimizer = NULL;
  ctorch_tensor *param = NULL;
  ck_ok(ctorch_aten_zeros(&param, CTORCH_INTS(2), NULL, NULL, NULL, NULL));
  ck_ok(ctorch_tensor_set_requires_grad(param, true));
  ck_ok(ctorch_optim_SGD(&optimizer, &param, 1, lr, 0.9, 0, 0, false, false, NULL, false, NULL));
  ctorch_tensor_release(param);
  return optimizer;
}

static double rate_of(const ctorch_optimizer *optimizer) {
  double lr = NAN;
  ck_ok(ctorch_optimizer_get_lr(&lr, optimizer, 0));
  return lr;
}

/* For warnings that belong to what is tested. */
static ctorch_callback_status quiet(
    ctorch_warning_kind kind,
    const char *message,
    const char *function,
    const char *file,
    uint32_t line,
    ctorch_error **error,
    void *payload) {
  (void)kind;
  (void)message;
  (void)function;
  (void)file;
  (void)line;
  (void)error;
  (void)payload;
  return CTORCH_CALLBACK_OK;
}

static ctorch_lr_scheduler *step_lr(ctorch_optimizer *optimizer) {
  ctorch_lr_scheduler *scheduler = NULL;
  ck_ok(ctorch_lr_scheduler_StepLR(&scheduler, optimizer, 2, 0.5, -1));
  return scheduler;
}

START_TEST(a_step_changes_the_rate) {
  ctorch_optimizer *optimizer = sgd(1);
  ctorch_lr_scheduler *scheduler = step_lr(optimizer);
  const double expected[] = {1, 0.5, 0.5, 0.25};
  ck_assert_str_eq(ctorch_lr_scheduler_name(scheduler), "StepLR");
  for (size_t i = 0; i < 4; i++) {
    int64_t epoch = 0;
    ck_ok(ctorch_optimizer_step(optimizer));
    ck_ok(ctorch_lr_scheduler_step(scheduler));
    ck_assert_double_eq(rate_of(optimizer), expected[i]);
    ck_ok(ctorch_lr_scheduler_last_epoch(&epoch, scheduler));
    ck_assert_int_eq(epoch, (int64_t)i + 1);
  }
  ctorch_lr_scheduler_release(scheduler);
  ctorch_optimizer_release(optimizer);
}
END_TEST

START_TEST(a_scheduler_keeps_its_optimizer_alive) {
  ctorch_optimizer *optimizer = sgd(1), *again = NULL;
  ctorch_lr_scheduler *scheduler = step_lr(optimizer);
  ctorch_optimizer_release(optimizer);
  ck_ok(ctorch_lr_scheduler_optimizer(&again, scheduler));
  ck_assert_ptr_eq(again, optimizer);
  ctorch_lr_scheduler_retain(scheduler);
  ctorch_lr_scheduler_release(scheduler);
  ctorch_lr_scheduler_release(scheduler);
  ck_assert_double_eq(rate_of(again), 1);
  ctorch_optimizer_release(again);
  ctorch_lr_scheduler_retain(NULL);
  ctorch_lr_scheduler_release(NULL);
  ck_assert_ptr_null(ctorch_lr_scheduler_name(NULL));
}
END_TEST

START_TEST(schedulers_keep_those_that_they_step) {
  ctorch_optimizer *optimizer = sgd(1);
  ctorch_lr_scheduler *some[] = {step_lr(optimizer), step_lr(optimizer)}, *chained = NULL, *sequential = NULL;
  ck_ok(ctorch_lr_scheduler_ChainedScheduler(&chained, some, 2, NULL));
  ck_ok(ctorch_lr_scheduler_SequentialLR(&sequential, optimizer, some, 2, CTORCH_INTS(3), -1));
  ctorch_lr_scheduler_release(some[0]);
  ctorch_lr_scheduler_release(some[1]);
  ck_ok(ctorch_warning_set_callback(quiet, NULL, NULL));
  for (int i = 0; i < 6; i++) {
    ck_ok(ctorch_lr_scheduler_step(sequential));
    ck_ok(ctorch_lr_scheduler_step(chained));
  }
  ctorch_lr_scheduler_release(sequential);
  ctorch_lr_scheduler_release(chained);
  ctorch_optimizer_release(optimizer);
  ck_ok(ctorch_warning_set_callback(NULL, NULL, NULL));
}
END_TEST

START_TEST(a_scheduler_of_a_scope_goes_with_it) {
  ctorch_scope *scope = NULL;
  int64_t before = ctorch_debug_live_handles();
  ck_ok(ctorch_scope_begin(&scope));
  ctorch_optimizer *optimizer = sgd(1);
  ctorch_lr_scheduler *scheduler = step_lr(optimizer);
  ctorch_value *state = NULL;
  ck_ok(ctorch_lr_scheduler_step(scheduler));
  ck_ok(ctorch_lr_scheduler_state_dict(&state, scheduler));
  ck_ok(ctorch_lr_scheduler_load_state_dict(scheduler, state));
  ctorch_scope_end(scope);
  ck_assert_int_eq(ctorch_debug_live_handles(), before);
}
END_TEST

/* Callbacks. */

struct calls {
  int called, destroyed;
  int64_t fails_at;
  bool tells_why;
};

static ctorch_callback_status half(double *out, int64_t group, int64_t epoch, ctorch_error **error, void *payload) {
  struct calls *calls = payload;
  calls->called++;
  if (epoch == calls->fails_at) {
    *error = NULL;
    if (calls->tells_why) {
      ck_ok(ctorch_error_new(error, CTORCH_ERROR_IO, "no more factors"));
    }
    return 0;
  }
  *out = group == 0 ? pow(0.5, (double)epoch) : 1;
  return CTORCH_CALLBACK_OK;
}

static ctorch_callback_status scale(double *out, double x, ctorch_error **error, void *payload) {
  struct calls *calls = payload;
  (void)error;
  *out = 1 / x;
  return calls->called++ == calls->fails_at ? 0 : CTORCH_CALLBACK_OK;
}

static void count(void *payload) { ((struct calls *)payload)->destroyed++; }

START_TEST(a_payload_is_destroyed_once_with_its_scheduler) {
  struct calls calls = {.fails_at = -1};
  ctorch_optimizer *optimizer = sgd(1);
  ctorch_lr_scheduler *scheduler = NULL;
  ck_ok(ctorch_lr_scheduler_lambda_lr(&scheduler, optimizer, half, count, &calls, -1));
  ck_ok(ctorch_optimizer_step(optimizer));
  ck_ok(ctorch_lr_scheduler_step(scheduler));
  ck_assert_int_eq(calls.called, 2);
  ck_assert_double_eq(rate_of(optimizer), 0.5);
  ctorch_lr_scheduler_retain(scheduler);
  ctorch_lr_scheduler_release(scheduler);
  ck_assert_int_eq(calls.destroyed, 0);
  ctorch_lr_scheduler_release(scheduler);
  ck_assert_int_eq(calls.destroyed, 1);
  ck_ok(ctorch_lr_scheduler_multiplicative_lr(&scheduler, optimizer, half, count, &calls, -1));
  ctorch_lr_scheduler_release(scheduler);
  ck_assert_int_eq(calls.destroyed, 2);
  const double base[] = {0.1}, top[] = {1};
  ck_ok(ctorch_lr_scheduler_cyclic_lr(
      &scheduler, optimizer, base, 1, top, 1, 4, NULL, scale, count, &calls, NULL, true, 0.8, 0.9, -1));
  ctorch_lr_scheduler_release(scheduler);
  ck_assert_int_eq(calls.destroyed, 3);
  ctorch_optimizer_release(optimizer);
}
END_TEST

START_TEST(a_payload_stays_the_callers_if_nothing_is_made) {
  struct calls calls = {.fails_at = 0, .tells_why = true};
  ctorch_optimizer *optimizer = sgd(1);
  ctorch_lr_scheduler *scheduler = (ctorch_lr_scheduler *)&marker;
  const double rates[] = {0.1, 0.2, 0.3};
  ck_fails(
      ctorch_lr_scheduler_lambda_lr(&scheduler, optimizer, half, count, &calls, -1), CTORCH_ERROR_IO,
      "no more factors");
  calls.tells_why = false;
  ck_fails(
      ctorch_lr_scheduler_lambda_lr(&scheduler, optimizer, half, count, &calls, -1), CTORCH_ERROR_CALLBACK,
      "lr_lambda answered 0");
  ck_fails(
      ctorch_lr_scheduler_cyclic_lr(
          &scheduler, optimizer, rates, 3, rates, 1, 4, NULL, scale, count, &calls, NULL, true, 0.8, 0.9, -1),
      CTORCH_ERROR_VALUE, "base_lr");
  ck_fails(
      ctorch_lr_scheduler_multiplicative_lr(&scheduler, optimizer, NULL, count, &calls, -1), CTORCH_ERROR_NULL_ARGUMENT,
      "lr_lambda");
  ck_assert_ptr_eq(scheduler, (ctorch_lr_scheduler *)&marker);
  ck_assert_int_eq(calls.destroyed, 0);
  ctorch_optimizer_release(optimizer);
}
END_TEST

START_TEST(a_callback_that_fails_leaves_the_rates) {
  struct calls calls = {.fails_at = 2, .tells_why = true};
  ctorch_optimizer *optimizer = sgd(1);
  ctorch_lr_scheduler *scheduler = NULL;
  ck_ok(ctorch_lr_scheduler_lambda_lr(&scheduler, optimizer, half, count, &calls, -1));
  ck_ok(ctorch_optimizer_step(optimizer));
  ck_ok(ctorch_lr_scheduler_step(scheduler));
  ck_fails(ctorch_lr_scheduler_step(scheduler), CTORCH_ERROR_IO, "no more factors");
  ck_assert_double_eq(rate_of(optimizer), 0.5);
  ck_ok(ctorch_lr_scheduler_step(scheduler));
  ck_assert_double_eq(rate_of(optimizer), 0.125);
  ctorch_lr_scheduler_release(scheduler);
  ctorch_optimizer_release(optimizer);
}
END_TEST

/* A function that adds a group to the optimizer whose rates are being computed. */
static ctorch_callback_status grow(double *out, int64_t group, int64_t epoch, ctorch_error **error, void *payload) {
  (void)group;
  *out = 1;
  if (epoch == 1) {
    ctorch_tensor *param = NULL;
    ctorch_value *params = NULL, *dict = NULL;
    ck_ok(ctorch_aten_zeros(&param, CTORCH_INTS(1), NULL, NULL, NULL, NULL));
    ck_ok(ctorch_value_from_tensors(&params, (const ctorch_tensor *const *)&param, 1));
    ck_ok(ctorch_value_from_dict(&dict, NULL, 0, NULL, 0));
    ck_ok(ctorch_value_dict_put(dict, "params", params));
    *error = ctorch_optimizer_add_param_group(payload, dict);
    ctorch_tensor_release(param);
    ctorch_value_release(params);
    ctorch_value_release(dict);
  }
  return CTORCH_CALLBACK_OK;
}

START_TEST(groups_that_come_during_a_step_wait_for_the_next_one) {
  ctorch_optimizer *optimizer = sgd(1);
  ctorch_lr_scheduler *scheduler = NULL;
  ck_ok(ctorch_lr_scheduler_lambda_lr(&scheduler, optimizer, grow, NULL, optimizer, -1));
  ck_ok(ctorch_optimizer_step(optimizer));
  ck_ok(ctorch_lr_scheduler_step(scheduler));
  ck_assert_uint_eq(ctorch_optimizer_num_groups(optimizer), 2);
  ck_fails(ctorch_lr_scheduler_step(scheduler), CTORCH_ERROR_VALUE, "1 functions for 2 groups");
  ctorch_lr_scheduler_release(scheduler);
  ctorch_optimizer_release(optimizer);
}
END_TEST

/* A function that gives the caller's reference to its scheduler back. */
static ctorch_callback_status give_up(double *out, int64_t group, int64_t epoch, ctorch_error **error, void *payload) {
  (void)group;
  (void)error;
  *out = 0.5;
  if (epoch == 1) {
    ctorch_lr_scheduler_release(*(ctorch_lr_scheduler **)payload);
  }
  return CTORCH_CALLBACK_OK;
}

START_TEST(a_scheduler_may_be_given_up_in_its_own_step) {
  ctorch_optimizer *optimizer = sgd(1);
  ctorch_lr_scheduler *scheduler = NULL;
  ck_ok(ctorch_lr_scheduler_lambda_lr(&scheduler, optimizer, give_up, NULL, &scheduler, -1));
  ck_ok(ctorch_optimizer_step(optimizer));
  ck_ok(ctorch_lr_scheduler_step(scheduler));
  ck_assert_double_eq(rate_of(optimizer), 0.5);
  ctorch_optimizer_release(optimizer);
}
END_TEST

/* Values. */

static ctorch_value *dict_of_int(const char *key, int64_t number) {
  ctorch_value *dict = NULL, *value = NULL;
  ck_ok(ctorch_value_from_dict(&dict, NULL, 0, NULL, 0));
  ck_ok(ctorch_value_from_int(&value, number));
  ck_ok(ctorch_value_dict_put(dict, key, value));
  ctorch_value_release(value);
  return dict;
}

START_TEST(schedulers_are_made_by_name) {
  ctorch_optimizer *optimizer = sgd(1);
  ctorch_lr_scheduler *scheduler = NULL;
  ctorch_value *kwargs = dict_of_int("step_size", 2), *attribute = NULL;
  ck_ok(ctorch_lr_scheduler_create(&scheduler, "StepLR", optimizer, NULL, kwargs));
  ck_ok(ctorch_lr_scheduler_attribute(&attribute, scheduler, "gamma"));
  double gamma = 0;
  ck_ok(ctorch_value_to_double(&gamma, attribute));
  ck_assert_double_eq(gamma, 0.1);
  ck_ok(ctorch_lr_scheduler_set_attribute(scheduler, "gamma", kwargs));
  ck_fails(ctorch_lr_scheduler_step_epoch(scheduler, 4), CTORCH_ERROR_TYPE, "gamma: expected a number");
  ctorch_value_release(attribute);
  ctorch_value_release(kwargs);
  ctorch_lr_scheduler_release(scheduler);
  scheduler = (ctorch_lr_scheduler *)&marker;
  ck_call_fails(
      ctorch_lr_scheduler_create, (&scheduler, "StepLR", optimizer, NULL, NULL), CTORCH_ERROR_TYPE, "step_size");
  ck_fails(ctorch_lr_scheduler_create(&scheduler, "LambdaLR", optimizer, NULL, NULL), CTORCH_ERROR_INDEX, "LambdaLR");
  ck_fails(
      ctorch_lr_scheduler_create(&scheduler, "\xC0", optimizer, NULL, NULL), CTORCH_ERROR_INVALID_ARGUMENT, "name");
  ck_assert_ptr_eq(scheduler, (ctorch_lr_scheduler *)&marker);
  ctorch_optimizer_release(optimizer);
}
END_TEST

START_TEST(a_state_goes_from_one_to_another) {
  ctorch_optimizer *optimizer = sgd(1);
  ctorch_lr_scheduler *one = step_lr(optimizer), *other = step_lr(optimizer);
  ctorch_value *state = NULL, *last = NULL;
  int64_t epoch = 0;
  ck_ok(ctorch_optimizer_step(optimizer));
  for (int i = 0; i < 3; i++) {
    ck_ok(ctorch_lr_scheduler_step(one));
  }
  ck_ok(ctorch_lr_scheduler_state_dict(&state, one));
  ck_ok(ctorch_lr_scheduler_load_state_dict(other, state));
  ck_ok(ctorch_lr_scheduler_last_epoch(&epoch, other));
  ck_assert_int_eq(epoch, 3);
  ck_ok(ctorch_lr_scheduler_last_lr(&last, other));
  ck_assert_uint_eq(ctorch_value_len(last), 1);
  ctorch_value_release(last);
  ctorch_value_release(state);
  ctorch_lr_scheduler_release(one);
  ctorch_lr_scheduler_release(other);
  ctorch_optimizer_release(optimizer);
}
END_TEST

START_TEST(bad_arguments_are_named) {
  ctorch_optimizer *optimizer = sgd(1);
  ctorch_lr_scheduler *scheduler = step_lr(optimizer), *out = (ctorch_lr_scheduler *)&marker, *none[] = {NULL};
  ctorch_value *value = NULL;
  const double rates[] = {0.1, 0.2};
  int64_t epoch = 0;
  ck_call_fails(ctorch_lr_scheduler_step, (NULL), CTORCH_ERROR_NULL_ARGUMENT, "self");
  ck_call_fails(ctorch_lr_scheduler_step_epoch, (NULL, 1), CTORCH_ERROR_NULL_ARGUMENT, "self");
  ck_call_fails(ctorch_lr_scheduler_step_metric, (NULL, 1), CTORCH_ERROR_NULL_ARGUMENT, "self");
  ck_call_fails(ctorch_lr_scheduler_step_metric, (scheduler, 1), CTORCH_ERROR_TYPE, "StepLR takes no metric");
  ck_call_fails(ctorch_lr_scheduler_last_lr, (NULL, scheduler), CTORCH_ERROR_NULL_ARGUMENT, "out");
  ck_call_fails(ctorch_lr_scheduler_last_lr, (&value, NULL), CTORCH_ERROR_NULL_ARGUMENT, "self");
  ck_call_fails(ctorch_lr_scheduler_get_lr, (NULL, scheduler), CTORCH_ERROR_NULL_ARGUMENT, "out");
  ck_call_fails(ctorch_lr_scheduler_last_epoch, (NULL, scheduler), CTORCH_ERROR_NULL_ARGUMENT, "out");
  ck_call_fails(ctorch_lr_scheduler_last_epoch, (&epoch, NULL), CTORCH_ERROR_NULL_ARGUMENT, "self");
  ck_call_fails(ctorch_lr_scheduler_optimizer, (NULL, scheduler), CTORCH_ERROR_NULL_ARGUMENT, "out");
  ck_call_fails(ctorch_lr_scheduler_attribute, (&value, scheduler, NULL), CTORCH_ERROR_NULL_ARGUMENT, "name");
  ck_call_fails(ctorch_lr_scheduler_attribute, (&value, scheduler, "T_max"), CTORCH_ERROR_INDEX, "T_max");
  ck_call_fails(ctorch_lr_scheduler_set_attribute, (scheduler, "gamma", NULL), CTORCH_ERROR_NULL_ARGUMENT, "value");
  ck_call_fails(ctorch_lr_scheduler_state_dict, (NULL, scheduler), CTORCH_ERROR_NULL_ARGUMENT, "out");
  ck_call_fails(ctorch_lr_scheduler_load_state_dict, (scheduler, NULL), CTORCH_ERROR_NULL_ARGUMENT, "state_dict");
  ck_call_fails(ctorch_lr_scheduler_StepLR, (&out, NULL, 1, 0.1, -1), CTORCH_ERROR_NULL_ARGUMENT, "optimizer");
  ck_call_fails(ctorch_lr_scheduler_StepLR, (NULL, optimizer, 1, 0.1, -1), CTORCH_ERROR_NULL_ARGUMENT, "out");
  ck_call_fails(
      ctorch_lr_scheduler_MultiStepLR, (&out, optimizer, NULL, 2, 0.1, -1), CTORCH_ERROR_NULL_ARGUMENT, "milestones");
  ck_call_fails(ctorch_lr_scheduler_ChainedScheduler, (&out, none, 1, NULL), CTORCH_ERROR_NULL_ARGUMENT, "schedulers");
  ck_call_fails(ctorch_lr_scheduler_ChainedScheduler, (&out, NULL, 0, NULL), CTORCH_ERROR_VALUE, "schedulers");
  ck_call_fails(
      ctorch_lr_scheduler_SequentialLR, (&out, optimizer, &scheduler, 1, CTORCH_INTS(2), -1), CTORCH_ERROR_VALUE,
      "milestones");
  ck_call_fails(
      ctorch_lr_scheduler_SWALR_swa_lr, (&out, optimizer, rates, 2, 1, NULL, -1), CTORCH_ERROR_VALUE, "swa_lr");
  ck_call_fails(ctorch_lr_scheduler_SWALR, (&out, optimizer, 1, 1, "exp", -1), CTORCH_ERROR_VALUE, "anneal_strategy");
  ck_call_fails(
      ctorch_lr_scheduler_CosineAnnealingWarmRestarts, (&out, optimizer, 0, 1, 0, -1), CTORCH_ERROR_VALUE, "T_0");
  ck_assert_ptr_eq(out, (ctorch_lr_scheduler *)&marker);
  ck_assert_ptr_null(value);
  ctorch_lr_scheduler_release(scheduler);
  ctorch_optimizer_release(optimizer);
}
END_TEST

START_TEST(nothing_is_left) {
  int64_t before = ctorch_debug_live_handles();
  ctorch_optimizer *optimizer = sgd(1);
  ctorch_lr_scheduler *some[3] = {NULL};
  ctorch_value *state = NULL, *lr = NULL;
  const double rates[] = {0.5};
  ck_ok(ctorch_warning_set_callback(quiet, NULL, NULL));
  ck_ok(ctorch_lr_scheduler_OneCycleLR_max_lr(
      &some[0], optimizer, rates, 1, &(int64_t){30}, NULL, NULL, 0.3, NULL, true, 0.85, 0.95, 25, 1e4, true, -1));
  ck_ok(ctorch_lr_scheduler_MultiStepLR(&some[1], optimizer, CTORCH_INTS(2, 3, 3), 0.5, -1));
  ck_ok(ctorch_lr_scheduler_SequentialLR(&some[2], optimizer, some, 2, CTORCH_INTS(3), -1));
  for (int i = 0; i < 8; i++) {
    ck_ok(ctorch_lr_scheduler_step(some[2]));
  }
  ck_ok(ctorch_lr_scheduler_step_epoch(some[1], 3));
  ck_ok(ctorch_lr_scheduler_get_lr(&lr, some[0]));
  ck_ok(ctorch_lr_scheduler_state_dict(&state, some[2]));
  ck_ok(ctorch_lr_scheduler_load_state_dict(some[2], state));
  for (int i = 0; i < 3; i++) {
    ctorch_lr_scheduler_release(some[i]);
  }
  ctorch_value_release(lr);
  ctorch_value_release(state);
  ctorch_optimizer_release(optimizer);
  ck_ok(ctorch_warning_set_callback(NULL, NULL, NULL));
  ck_assert_int_eq(ctorch_debug_live_handles(), before);
}
END_TEST

int main(void) {
  Suite *suite = suite_create("lr_scheduler");
  ck_case(suite, a_step_changes_the_rate);
  ck_case(suite, a_scheduler_keeps_its_optimizer_alive);
  ck_case(suite, schedulers_keep_those_that_they_step);
  ck_case(suite, a_scheduler_of_a_scope_goes_with_it);
  ck_case(suite, a_payload_is_destroyed_once_with_its_scheduler);
  ck_case(suite, a_payload_stays_the_callers_if_nothing_is_made);
  ck_case(suite, a_callback_that_fails_leaves_the_rates);
  ck_case(suite, groups_that_come_during_a_step_wait_for_the_next_one);
  ck_case(suite, a_scheduler_may_be_given_up_in_its_own_step);
  ck_case(suite, schedulers_are_made_by_name);
  ck_case(suite, a_state_goes_from_one_to_another);
  ck_case(suite, bad_arguments_are_named);
  ck_case(suite, nothing_is_left);
  return ck_main(suite);
}
