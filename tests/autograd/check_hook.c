/* Hooks: what they see and change, when they go, how they fail, on which thread they run. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

#include "harness/values.h"

/* What a hook of these tests does; its payload. */
typedef struct {
  double factor;              /* what it multiplies the gradient by; 0 to leave it alone */
  ctorch_error_kind failure;  /* what it fails with; 0 for nothing, -1 for no error at all */
  bool writes_before_failing; /* whether it hands over a result all the same */
  ctorch_hook *removes;       /* what it removes */
  atomic_int calls;
  atomic_int destroyed;
  atomic_int results_released; /* of those it wrote before failing */
  pthread_t thread;            /* that it ran on */
} plan;

/* They outlive their test: the scope that drops its tensors, and with them its hooks, ends after it. */
static plan plans_made[256];
static size_t plans_made_len;

static plan *new_plan(plan made) {
  ck_assert_uint_lt(plans_made_len, sizeof plans_made / sizeof *plans_made);
  plans_made[plans_made_len] = made;
  return &plans_made[plans_made_len++];
}

#define PLAN(...) new_plan((plan){__VA_ARGS__})

static void count_destroyed(void *payload) { atomic_fetch_add(&((plan *)payload)->destroyed, 1); }

static void count_released(void *payload) { atomic_fetch_add(&((plan *)payload)->results_released, 1); }

/** What the hook makes of the gradient; NULL for nothing. */
static ctorch_tensor *result_of(plan *self, const ctorch_tensor *grad) {
  static float memory[2];
  ctorch_tensor *result = NULL;
  if (self->failure != 0) {
    if (self->writes_before_failing) {
      ck_ok(ctorch_tensor_from_buffer(
          &result, memory, CTORCH_INTS(2), NULL, 0, CTORCH_DTYPE_FLOAT32, count_released, self));
    }
  } else if (self->factor != 0) {
    ck_ok(ctorch_aten_mul_Scalar(&result, grad, CTORCH_FLOAT(self->factor)));
  }
  return result;
}

static ctorch_callback_status finish(plan *self, ctorch_error **error) {
  self->thread = pthread_self();
  atomic_fetch_add(&self->calls, 1);
  ctorch_hook_remove(self->removes);
  if (self->failure > 0) {
    ck_ok(ctorch_error_new(error, self->failure, "the plan was to fail"));
  }
  return self->failure == 0 ? CTORCH_CALLBACK_OK : 0;
}

static ctorch_callback_status on_gradient(
    ctorch_tensor **out, const ctorch_tensor *grad, ctorch_error **error, void *payload) {
  plan *self = payload;
  *out = result_of(self, grad);
  return finish(self, error);
}

static ctorch_callback_status on_accumulated(ctorch_tensor *self, ctorch_error **error, void *payload) {
  ctorch_tensor *grad = NULL;
  ck_ok(ctorch_tensor_grad(&grad, self));
  ck_assert_ptr_nonnull(grad);
  ctorch_tensor_release(grad);
  return finish(payload, error);
}

static void write_list(ctorch_tensor_list **out, const ctorch_tensor *grad, plan *self) {
  ctorch_tensor *result = result_of(self, grad);
  if (result != NULL) {
    ck_ok(ctorch_tensor_list_new(out, CTORCH_TENSORS(result)));
    ctorch_tensor_release(result);
  }
}

static ctorch_callback_status before_node(
    ctorch_tensor_list **out,
    const ctorch_tensor *const *grad_outputs,
    size_t grad_outputs_len,
    ctorch_error **error,
    void *payload) {
  ck_assert_uint_eq(grad_outputs_len, 1);
  write_list(out, grad_outputs[0], payload);
  return finish(payload, error);
}

static ctorch_callback_status after_node(
    ctorch_tensor_list **out,
    const ctorch_tensor *const *grad_inputs,
    size_t grad_inputs_len,
    const ctorch_tensor *const *grad_outputs,
    size_t grad_outputs_len,
    ctorch_error **error,
    void *payload) {
  ck_assert_uint_eq(grad_inputs_len, 1);
  ck_assert_uint_eq(grad_outputs_len, 1);
  ck_assert_ptr_nonnull(grad_outputs[0]);
  write_list(out, grad_inputs[0], payload);
  return finish(payload, error);
}

static ctorch_tensor *parameter(void) {
  ctorch_tensor *x = floats(CTORCH_INTS(2), 1, 2);
  ck_ok(ctorch_tensor_set_requires_grad(x, true));
  return x;
}

static ctorch_tensor *times(const ctorch_tensor *x, double factor) {
  ctorch_tensor *y = NULL;
  ck_ok(ctorch_aten_mul_Scalar(&y, x, CTORCH_FLOAT(factor)));
  return y;
}

static ctorch_tensor *sum(const ctorch_tensor *x) {
  ctorch_tensor *y = NULL;
  ck_ok(ctorch_aten_sum(&y, x, NULL));
  return y;
}

static void backward(const ctorch_tensor *x) { ck_ok(ctorch_tensor_backward(sum(x), NULL, NULL, false)); }

static ctorch_tensor *grad_of(const ctorch_tensor *x) {
  ctorch_tensor *grad = NULL;
  ck_ok(ctorch_tensor_grad(&grad, x));
  return grad;
}

/* The places where a hook may be, so that a test runs for each. */
enum { TENSOR, LEAF, ACCUMULATED, BEFORE_NODE, AFTER_NODE, PLACES };

static ctorch_error *hook_at(int place, ctorch_hook **out, ctorch_tensor *x, ctorch_tensor *y, plan *payload) {
  ctorch_node *node = NULL;
  ck_ok(ctorch_tensor_grad_fn(&node, y));
  switch (place) {
    case TENSOR:
      return ctorch_tensor_register_hook(out, y, on_gradient, count_destroyed, payload);
    case LEAF:
      return ctorch_tensor_register_hook(out, x, on_gradient, count_destroyed, payload);
    case ACCUMULATED:
      return ctorch_tensor_register_post_accumulate_grad_hook(out, x, on_accumulated, count_destroyed, payload);
    case BEFORE_NODE:
      return ctorch_node_register_prehook(out, node, before_node, count_destroyed, payload);
    default:
      return ctorch_node_register_hook(out, node, after_node, count_destroyed, payload);
  }
}

#define ck_places(suite, test)                                        \
  do {                                                                \
    TCase *ck_tcase = tcase_create(#test);                            \
    tcase_set_timeout(ck_tcase, CK_TIMEOUT);                          \
    tcase_add_checked_fixture(ck_tcase, open_a_scope, close_a_scope); \
    tcase_add_loop_test(ck_tcase, test, 0, PLACES);                   \
    suite_add_tcase(suite, ck_tcase);                                 \
  } while (0)

START_TEST(a_hook_changes_the_gradient) {
  /* y = 3 x, so dy/dx is 3, or 30 with a hook that makes ten times of it; after accumulation it is too late */
  plan *ten = PLAN(.factor = 10);
  ctorch_tensor *x = parameter(), *y = times(x, 3);
  ck_ok(hook_at(_i, NULL, x, y, ten));
  backward(y);
  const float expected = _i == ACCUMULATED ? 3 : 30;
  ck_floats(grad_of(x), CTORCH_INTS(2), expected, expected);
  ck_assert_int_eq(ten->calls, 1);
  ck_assert(pthread_equal(ten->thread, pthread_self()));
  ck_assert_int_eq(ten->destroyed, 0);
}
END_TEST

START_TEST(a_hook_that_writes_nothing_changes_nothing) {
  plan *look = PLAN(0);
  ctorch_tensor *x = parameter(), *y = times(x, 3);
  ck_ok(hook_at(_i, NULL, x, y, look));
  backward(y);
  ck_floats(grad_of(x), CTORCH_INTS(2), 3, 3);
  ck_assert_int_eq(look->calls, 1);
}
END_TEST

START_TEST(a_removed_hook_is_destroyed_once) {
  plan *look = PLAN(0);
  ctorch_hook *hook = NULL;
  ctorch_tensor *x = parameter(), *y = times(x, 3);
  ck_ok(hook_at(_i, &hook, x, y, look));
  ck_assert_ptr_nonnull(hook);
  ctorch_hook_remove(hook);
  ck_assert_int_eq(look->destroyed, 1);
  ctorch_hook_remove(hook);
  backward(y);
  ck_assert_int_eq(look->calls, 0);
  ck_assert_int_eq(look->destroyed, 1);
}
END_TEST

START_TEST(a_hook_that_removes_itself_runs_once) {
  plan *once = PLAN(0), *other = PLAN(0);
  ctorch_tensor *x = parameter(), *y = times(x, 3);
  ck_ok(hook_at(_i, &once->removes, x, y, once));
  ck_ok(hook_at(_i, NULL, x, y, other));
  ck_ok(ctorch_tensor_backward(sum(y), NULL, CTORCH_SOME(bool, true), false));
  ck_assert_int_eq(once->destroyed, 1);
  backward(y);
  ck_assert_int_eq(once->calls, 1);
  ck_assert_int_eq(other->calls, 2);
  ck_assert_int_eq(once->destroyed, 1);
}
END_TEST

START_TEST(releasing_the_handle_keeps_the_hook) {
  plan *look = PLAN(0);
  ctorch_hook *hook = NULL;
  ctorch_scope *scope = NULL;
  ctorch_tensor *x = parameter(), *y = times(x, 3);
  ck_ok(ctorch_scope_begin(&scope));
  ck_ok(hook_at(_i, &hook, x, y, look));
  ctorch_hook_retain(hook);
  ctorch_hook_release(hook);
  ctorch_scope_end(scope); /* releases the other reference */
  ck_assert_int_eq(look->destroyed, 0);
  backward(y);
  ck_assert_int_eq(look->calls, 1);
}
END_TEST

START_TEST(a_hook_goes_with_what_it_belongs_to) {
  plan *look = PLAN(0);
  ctorch_hook *hook = NULL;
  ctorch_scope *scope = NULL;
  ck_ok(ctorch_scope_begin(&scope));
  ctorch_tensor *x = parameter(), *y = times(x, 3);
  ck_ok(hook_at(_i, &hook, x, y, look));
  ck_ok(ctorch_scope_keep(scope, hook));
  ctorch_scope_end(scope);
  ck_assert_int_eq(look->destroyed, 1);
  ctorch_hook_remove(hook); /* there is nothing left to remove */
  ck_assert_int_eq(look->destroyed, 1);
  ctorch_hook_release(hook);
}
END_TEST

START_TEST(a_failing_hook_ends_backward_with_its_error) {
  plan *fail = PLAN(.factor = 10, .failure = CTORCH_ERROR_VALUE);
  ctorch_tensor *x = parameter(), *y = times(x, 3);
  ck_ok(hook_at(_i, NULL, x, y, fail));
  ctorch_error *error = ctorch_tensor_backward(sum(y), NULL, NULL, false);
  ck_assert_int_eq(ctorch_error_kind_of(error), CTORCH_ERROR_VALUE);
  ck_assert_str_eq(ctorch_error_message(error), "the plan was to fail");
  ck_assert_str_eq(ctorch_error_function(error), ""); /* the very error that the hook made */
  ctorch_error_release(error);
  if (_i != ACCUMULATED) {
    ck_assert_ptr_null(grad_of(x));
  }
}
END_TEST

START_TEST(a_hook_that_fails_without_an_error_is_a_callback_error) {
  plan *fail = PLAN(.factor = 10, .failure = -1, .writes_before_failing = true);
  ctorch_tensor *x = parameter(), *y = times(x, 3);
  ck_ok(hook_at(_i, NULL, x, y, fail));
  ck_fails(ctorch_tensor_backward(sum(y), NULL, NULL, false), CTORCH_ERROR_CALLBACK, "hook answered 0");
}
END_TEST

START_TEST(what_a_failing_hook_wrote_is_released) {
  plan *fail = PLAN(.factor = 10, .failure = CTORCH_ERROR_INDEX, .writes_before_failing = true);
  ctorch_tensor *x = parameter(), *y = times(x, 3);
  ck_ok(hook_at(_i, NULL, x, y, fail));
  ck_fails(ctorch_tensor_backward(sum(y), NULL, NULL, false), CTORCH_ERROR_INDEX, "the plan was to fail");
  ck_assert_int_eq(fail->results_released, _i == ACCUMULATED ? 0 : 1);
}
END_TEST

START_TEST(a_failed_registration_takes_no_payload) {
  plan *look = PLAN(0);
  ctorch_hook *hook = NULL;
  ctorch_tensor *plain = floats(CTORCH_INTS(1), 1), *x = parameter(), *y = times(x, 2);
  ctorch_node *node = NULL;
  ck_ok(ctorch_tensor_grad_fn(&node, y));
  ck_fails(
      ctorch_tensor_register_hook(&hook, plain, on_gradient, count_destroyed, look), CTORCH_ERROR_RUNTIME,
      "doesn't require gradient");
  ck_fails(
      ctorch_tensor_register_hook(&hook, NULL, on_gradient, count_destroyed, look), CTORCH_ERROR_NULL_ARGUMENT, "self");
  ck_fails(ctorch_tensor_register_hook(&hook, x, NULL, count_destroyed, look), CTORCH_ERROR_NULL_ARGUMENT, "callback");
  ck_fails(
      ctorch_tensor_register_post_accumulate_grad_hook(&hook, plain, on_accumulated, count_destroyed, look),
      CTORCH_ERROR_RUNTIME, "doesn't require gradient");
  ck_fails(
      ctorch_tensor_register_post_accumulate_grad_hook(&hook, y, on_accumulated, count_destroyed, look),
      CTORCH_ERROR_RUNTIME, "non-leaf");
  ck_fails(
      ctorch_tensor_register_post_accumulate_grad_hook(&hook, NULL, on_accumulated, count_destroyed, look),
      CTORCH_ERROR_NULL_ARGUMENT, "self");
  ck_fails(
      ctorch_tensor_register_post_accumulate_grad_hook(&hook, x, NULL, count_destroyed, look),
      CTORCH_ERROR_NULL_ARGUMENT, "callback");
  ck_fails(
      ctorch_node_register_prehook(&hook, NULL, before_node, count_destroyed, look), CTORCH_ERROR_NULL_ARGUMENT,
      "self");
  ck_fails(
      ctorch_node_register_prehook(&hook, node, NULL, count_destroyed, look), CTORCH_ERROR_NULL_ARGUMENT, "callback");
  ck_fails(
      ctorch_node_register_hook(&hook, NULL, after_node, count_destroyed, look), CTORCH_ERROR_NULL_ARGUMENT, "self");
  ck_fails(ctorch_node_register_hook(&hook, node, NULL, count_destroyed, look), CTORCH_ERROR_NULL_ARGUMENT, "callback");
  ck_assert_ptr_null(hook);
  ck_assert_int_eq(look->destroyed, 0);
  ctorch_hook_remove(NULL);
  ctorch_hook_retain(NULL);
  ctorch_hook_release(NULL);
}
END_TEST

static int first_calls, second_calls;
static ctorch_callback_status count_first(
    ctorch_tensor **out, const ctorch_tensor *grad, ctorch_error **error, void *payload) {
  (void)out, (void)grad, (void)error, (void)payload;
  first_calls++;
  return CTORCH_CALLBACK_OK;
}
static ctorch_callback_status count_second(
    ctorch_tensor **out, const ctorch_tensor *grad, ctorch_error **error, void *payload) {
  (void)out, (void)error, (void)payload;
  ck_floats(grad, CTORCH_INTS(2), 3, 3);
  second_calls++;
  return CTORCH_CALLBACK_OK;
}

/** As in Python: a tensor that is detached in place becomes a leaf and takes its hooks along. */
START_TEST(a_tensor_keeps_its_hooks_when_it_is_detached) {
  ctorch_scope *scope = NULL;
  ck_ok(ctorch_scope_begin(&scope));
  ctorch_tensor *x = floats(CTORCH_INTS(2), 1, 2), *y = NULL, *z = NULL, *loss = NULL, *grad = NULL;
  ck_ok(ctorch_tensor_set_requires_grad(x, true));
  ck_ok(ctorch_aten_mul_Scalar(&y, x, CTORCH_INT(2)));
  ck_ok(ctorch_tensor_register_hook(NULL, y, count_first, NULL, NULL));
  ck_ok(ctorch_tensor_register_hook(NULL, y, count_first, NULL, NULL));
  ck_ok(ctorch_aten_detach_(y));
  ck_ok(ctorch_tensor_set_requires_grad(y, true));
  ck_ok(ctorch_tensor_register_hook(NULL, y, count_second, NULL, NULL));
  ck_ok(ctorch_aten_mul_Scalar(&z, y, CTORCH_INT(3)));
  ck_ok(ctorch_aten_sum(&loss, z, NULL));
  ck_ok(ctorch_tensor_backward(loss, NULL, NULL, false));
  ck_assert_int_eq(first_calls, 2); /* each once */
  ck_assert_int_eq(second_calls, 1);
  ck_ok(ctorch_tensor_grad(&grad, y));
  ck_floats(grad, CTORCH_INTS(2), 3, 3);
  ck_ok(ctorch_tensor_grad(&grad, x));
  ck_assert_ptr_null(grad);
  ctorch_scope_end(scope);
}
END_TEST

START_TEST(hooks_run_in_the_order_of_registration) {
  /* (1 * 2 + nothing) * 5: each sees what the last one made */
  plan *twice = PLAN(.factor = 2), *look = PLAN(0), *five = PLAN(.factor = 5);
  ctorch_tensor *x = parameter();
  ck_ok(ctorch_tensor_register_hook(NULL, x, on_gradient, NULL, twice));
  ck_ok(ctorch_tensor_register_hook(NULL, x, on_gradient, NULL, look));
  ck_ok(ctorch_tensor_register_hook(NULL, x, on_gradient, NULL, five));
  backward(x);
  ck_floats(grad_of(x), CTORCH_INTS(2), 10, 10);
}
END_TEST

static ctorch_callback_status writes_a_list_of(size_t len, ctorch_tensor_list **out, const ctorch_tensor *grad) {
  const ctorch_tensor *grads[] = {grad, grad};
  ck_ok(ctorch_tensor_list_new(out, grads, len));
  return CTORCH_CALLBACK_OK;
}

static ctorch_callback_status too_many(
    ctorch_tensor_list **out,
    const ctorch_tensor *const *grad_outputs,
    size_t grad_outputs_len,
    ctorch_error **error,
    void *payload) {
  (void)grad_outputs_len, (void)error, (void)payload;
  return writes_a_list_of(2, out, grad_outputs[0]);
}

static ctorch_callback_status an_undefined_one(
    ctorch_tensor_list **out,
    const ctorch_tensor *const *grad_outputs,
    size_t grad_outputs_len,
    ctorch_error **error,
    void *payload) {
  (void)grad_outputs, (void)grad_outputs_len, (void)error, (void)payload;
  return writes_a_list_of(1, out, NULL);
}

static ctorch_callback_status another_shape(
    ctorch_tensor **out, const ctorch_tensor *grad, ctorch_error **error, void *payload) {
  (void)grad, (void)error, (void)payload;
  *out = floats(CTORCH_INTS(3), 1, 2, 3);
  ctorch_tensor_retain(*out); /* the scope of the test keeps the other reference */
  return CTORCH_CALLBACK_OK;
}

START_TEST(wrong_answers_are_refused) {
  ctorch_tensor *x = parameter(), *y = times(x, 3), *z = times(x, 3);
  ctorch_node *node = NULL;
  ck_ok(ctorch_tensor_grad_fn(&node, y));
  ck_ok(ctorch_node_register_prehook(NULL, node, too_many, NULL, NULL));
  ck_fails(
      ctorch_tensor_backward(sum(y), NULL, NULL, false), CTORCH_ERROR_RUNTIME,
      "incorrect number of values (got 2, but expected 1)");
  ck_ok(ctorch_tensor_register_hook(NULL, z, another_shape, NULL, NULL));
  ck_fails(ctorch_tensor_backward(sum(z), NULL, NULL, false), CTORCH_ERROR_RUNTIME, "changed the size");
}
END_TEST

START_TEST(a_pre_hook_may_undefine_a_gradient) {
  ctorch_tensor *x = parameter(), *y = times(x, 3);
  ctorch_node *node = NULL;
  ck_ok(ctorch_tensor_grad_fn(&node, y));
  ck_ok(ctorch_node_register_prehook(NULL, node, an_undefined_one, NULL, NULL));
  backward(y);
  ck_assert_ptr_null(grad_of(x));
}
END_TEST

START_TEST(a_hook_runs_nothing_for_a_graph_that_is_not_passed) {
  plan *look = PLAN(0);
  ctorch_tensor *x = parameter(), *y = times(x, 3), *z = times(x, 5);
  ck_ok(hook_at(TENSOR, NULL, x, y, look));
  backward(z);
  ck_assert_int_eq(look->calls, 0);
}
END_TEST

/* Threads ------------------------------------------------------------------------------------------------------------
 */

enum { THREADS = 6, ROUNDS = 30 };

static pthread_barrier_t start;
static ctorch_tensor *shared;
static ctorch_tensor *parts[THREADS];
static plan plans[THREADS];
static atomic_int failures;

#define expect(condition)                                             \
  do {                                                                \
    if (!(condition)) {                                               \
      fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition); \
      atomic_fetch_add(&failures, 1);                                 \
    }                                                                 \
  } while (0)

static void forget_plans(void) {
  for (int i = 0; i < THREADS; i++) {
    plans[i] = (plan){0};
  }
}

static void in_threads(void *(*body)(void *index)) {
  pthread_t threads[THREADS];
  ck_assert_int_eq(pthread_barrier_init(&start, NULL, THREADS), 0);
  for (size_t i = 0; i < THREADS; i++) {
    ck_assert_int_eq(pthread_create(&threads[i], NULL, body, (void *)i), 0);
  }
  for (int i = 0; i < THREADS; i++) {
    ck_assert_int_eq(pthread_join(threads[i], NULL), 0);
  }
  pthread_barrier_destroy(&start);
  ck_assert_int_eq(atomic_load(&failures), 0);
}

static void *runs_backward_with_hooks_of_its_own(void *index) {
  plan *self = &plans[(size_t)index];
  pthread_barrier_wait(&start);
  for (int i = 0; i < ROUNDS; i++) {
    ctorch_scope *scope = NULL;
    ctorch_tensor *y = NULL, *total = NULL;
    ctorch_hook *hook = NULL;
    expect(ctorch_scope_begin(&scope) == NULL);
    expect(ctorch_aten_mul_Scalar(&y, shared, CTORCH_FLOAT(2)) == NULL);
    expect(ctorch_tensor_register_hook(&hook, y, on_gradient, count_destroyed, self) == NULL);
    expect(ctorch_aten_sum(&total, y, NULL) == NULL);
    ctorch_error *error = ctorch_tensor_backward(total, NULL, NULL, false);
    expect((error != NULL) == (self->failure != 0) && ctorch_error_kind_of(error) == self->failure);
    expect(pthread_equal(self->thread, pthread_self()));
    ctorch_error_release(error);
    ctorch_hook_remove(hook);
    ctorch_scope_end(scope);
  }
  return NULL;
}

START_TEST(each_thread_gets_the_errors_of_its_own_hooks) {
  forget_plans();
  shared = parameter();
  for (int i = 0; i < THREADS; i++) {
    plans[i].failure = i % 2 == 0 ? 0 : CTORCH_ERROR_INDEX + i % 3;
  }
  in_threads(runs_backward_with_hooks_of_its_own);
  for (int i = 0; i < THREADS; i++) {
    ck_assert_int_eq(plans[i].calls, ROUNDS);
    ck_assert_int_eq(plans[i].destroyed, ROUNDS);
  }
  const float expected = THREADS / 2 * ROUNDS * 2;
  ck_floats(grad_of(shared), CTORCH_INTS(2), expected, expected);
}
END_TEST

static void *registers_on_its_part(void *index) {
  const size_t i = (size_t)index;
  pthread_barrier_wait(&start);
  expect(ctorch_tensor_register_hook(NULL, parts[i], on_gradient, count_destroyed, &plans[i]) == NULL);
  return NULL;
}

START_TEST(results_of_one_operator_get_hooks_at_once) {
  /* their hooks are all with one node */
  forget_plans();
  ctorch_tensor *x = NULL;
  ctorch_tensor_list *list = NULL;
  ck_ok(ctorch_aten_ones(&x, CTORCH_INTS(THREADS), NULL, NULL, NULL, NULL));
  ck_ok(ctorch_tensor_set_requires_grad(x, true));
  ck_ok(ctorch_aten_split_Tensor(&list, x, 1, 0));
  for (size_t i = 0; i < THREADS; i++) {
    ck_ok(ctorch_tensor_list_get(&parts[i], list, i));
    plans[i].factor = (double)i + 1;
  }
  in_threads(registers_on_its_part);
  ctorch_tensor *joined = NULL;
  ck_ok(ctorch_aten_cat(&joined, CTORCH_CONST_TENSORS(parts), 0));
  backward(joined);
  ck_floats(grad_of(x), CTORCH_INTS(THREADS), 1, 2, 3, 4, 5, 6);
}
END_TEST

static ctorch_hook *hooks[THREADS];

static void *removes_while_others_run(void *index) {
  const size_t i = (size_t)index;
  pthread_barrier_wait(&start);
  for (int round = 0; round < ROUNDS; round++) {
    ctorch_tensor *total = NULL;
    expect(ctorch_aten_sum(&total, shared, NULL) == NULL);
    expect(ctorch_tensor_backward(total, NULL, NULL, false) == NULL);
    ctorch_tensor_release(total);
    ctorch_hook_remove(hooks[(i + (size_t)round) % THREADS]); /* all remove all */
  }
  return NULL;
}

START_TEST(hooks_are_removed_while_they_run) {
  forget_plans();
  shared = parameter();
  for (int i = 0; i < THREADS; i++) {
    ck_ok(ctorch_tensor_register_hook(&hooks[i], shared, on_gradient, count_destroyed, &plans[i]));
  }
  in_threads(removes_while_others_run);
  for (int i = 0; i < THREADS; i++) {
    ck_assert_int_eq(plans[i].destroyed, 1);
    ck_assert_int_le(plans[i].calls, THREADS * ROUNDS);
  }
  const float expected = THREADS * ROUNDS;
  ck_floats(grad_of(shared), CTORCH_INTS(2), expected, expected);
}
END_TEST

int main(void) {
  Suite *suite = suite_create("hook");
  ck_places(suite, a_hook_changes_the_gradient);
  ck_places(suite, a_hook_that_writes_nothing_changes_nothing);
  ck_places(suite, a_removed_hook_is_destroyed_once);
  ck_places(suite, a_hook_that_removes_itself_runs_once);
  ck_places(suite, releasing_the_handle_keeps_the_hook);
  ck_places(suite, a_hook_goes_with_what_it_belongs_to);
  ck_places(suite, a_failing_hook_ends_backward_with_its_error);
  ck_places(suite, a_hook_that_fails_without_an_error_is_a_callback_error);
  ck_places(suite, what_a_failing_hook_wrote_is_released);
  ck_scoped_case(suite, a_failed_registration_takes_no_payload);
  ck_scoped_case(suite, hooks_run_in_the_order_of_registration);
  ck_scoped_case(suite, wrong_answers_are_refused);
  ck_scoped_case(suite, a_pre_hook_may_undefine_a_gradient);
  ck_scoped_case(suite, a_hook_runs_nothing_for_a_graph_that_is_not_passed);
  ck_scoped_case(suite, each_thread_gets_the_errors_of_its_own_hooks);
  ck_scoped_case(suite, results_of_one_operator_get_hooks_at_once);
  ck_scoped_case(suite, hooks_are_removed_while_they_run);
  ck_scoped_case(suite, a_tensor_keeps_its_hooks_when_it_is_detached);
  return ck_main(suite);
}
