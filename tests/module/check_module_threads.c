/* Modules that threads share in evaluation mode: each thread gets what one alone gets, hooks and modules of one's own
 * included, while others ask the same modules for their parts. */
#include <pthread.h>

#include "harness/check.h"

enum { THREADS = 4, ROUNDS = 25 };

static ctorch_callback_status residual(
    ctorch_tensor **out, ctorch_module *module, const ctorch_tensor *input, ctorch_error **error, void *payload) {
  ctorch_module *inner = NULL;
  ctorch_tensor *y = NULL;
  (void)payload;
  *error = ctorch_module_get_submodule(&inner, module, "inner");
  *error = *error != NULL ? *error : ctorch_module_forward(&y, inner, input);
  *error = *error != NULL ? *error : ctorch_aten_add_Tensor(out, input, y, NULL);
  ctorch_tensor_release(y);
  ctorch_module_release(inner);
  return *error == NULL ? CTORCH_CALLBACK_OK : 0;
}

static ctorch_callback_status count(
    ctorch_value **out,
    ctorch_module *module,
    const ctorch_value *args,
    const ctorch_value *kwargs,
    const ctorch_value *output,
    ctorch_error **error,
    void *payload) {
  (void)out, (void)module, (void)args, (void)kwargs, (void)output, (void)error;
  __atomic_add_fetch((int *)payload, 1, __ATOMIC_RELAXED);
  return CTORCH_CALLBACK_OK;
}

static void append(ctorch_module *net, ctorch_error *made, ctorch_module *const *module) {
  ck_ok(made);
  ck_ok(ctorch_module_append(net, *module));
  ctorch_module_release(*module);
}

/* A convolution, a batch norm, a module of one's own around a linear layer, dropout. */
static ctorch_module *network(void) {
  ctorch_module *net = NULL, *part = NULL, *inner = NULL;
  ck_ok(ctorch_nn_Sequential(&net));
  append(
      net, ctorch_nn_Conv2d(&part, 2, 4, CTORCH_INTS(3), NULL, 0, CTORCH_INTS(1), NULL, 0, 1, true, NULL, NULL, NULL),
      &part);
  append(net, ctorch_nn_BatchNorm2d(&part, 4, 1e-5, 0.1, true, true, NULL, NULL, true), &part);
  append(net, ctorch_nn_ReLU(&part, true), &part);
  append(net, ctorch_nn_Flatten(&part, 1, -1), &part);
  ck_ok(ctorch_nn_Linear(&inner, 4 * 36, 4 * 36, true, NULL, NULL));
  ck_ok(ctorch_module_new(&part, "Residual", residual, NULL, NULL));
  ck_ok(ctorch_module_register_module(part, "inner", inner));
  ctorch_module_release(inner);
  append(net, NULL, &part);
  append(net, ctorch_nn_Dropout(&part, 0.5, false), &part);
  ck_ok(ctorch_module_train(net, false));
  return net;
}

struct work {
  ctorch_module *net;
  const ctorch_tensor *input, *expected;
  bool looks; /* asks for names, states and texts in place of applying */
  ctorch_error *error;
  bool equal;
};

static ctorch_error *apply(struct work *self) {
  ctorch_tensor *output = NULL;
  CTORCH_TRY(ctorch_module_forward(&output, self->net, self->input));
  bool equal = false;
  ctorch_error *error = ctorch_aten_equal(&equal, output, self->expected);
  self->equal = self->equal && equal;
  ctorch_tensor_release(output);
  return error;
}

static ctorch_error *look(struct work *self) {
  ctorch_named_tensors *named = NULL;
  ctorch_string *text = NULL;
  ctorch_value *state = NULL;
  CTORCH_TRY(ctorch_module_named_parameters(&named, self->net, NULL, true, true));
  self->equal = self->equal && ctorch_named_tensors_len(named) == 6;
  ctorch_named_tensors_release(named);
  CTORCH_TRY(ctorch_module_repr(&text, self->net));
  ctorch_string_release(text);
  CTORCH_TRY(ctorch_module_state_dict(&state, NULL, self->net, NULL, false));
  self->equal = self->equal && ctorch_value_len(state) == 9;
  ctorch_value_release(state);
  return NULL;
}

static void *run(void *payload) {
  struct work *self = payload;
  self->error = ctorch_grad_mode_push(false);
  for (int i = 0; self->error == NULL && i < ROUNDS; i++) {
    self->error = self->looks ? look(self) : apply(self);
  }
  self->error = ctorch_error_first(self->error, ctorch_grad_mode_pop());
  return NULL;
}

static void share(ctorch_module *net) {
  ctorch_tensor *input = NULL, *expected = NULL;
  struct work work[THREADS];
  pthread_t threads[THREADS];
  ck_ok(ctorch_aten_randn(&input, CTORCH_INTS(3, 2, 6, 6), NULL, NULL, NULL, NULL));
  ck_ok(ctorch_module_forward(&expected, net, input));
  for (int i = 0; i < THREADS; i++) {
    work[i] = (struct work){.net = net, .input = input, .expected = expected, .looks = i == 0, .equal = true};
    ck_assert_int_eq(pthread_create(&threads[i], NULL, run, &work[i]), 0);
  }
  for (int i = 0; i < THREADS; i++) {
    pthread_join(threads[i], NULL);
    ck_ok(work[i].error);
    ck_assert(work[i].equal);
  }
  ctorch_tensor_release(input);
  ctorch_tensor_release(expected);
}

START_TEST(threads_share_a_network) {
  ctorch_module *net = network();
  share(net);
  ctorch_module_release(net);
}
END_TEST

START_TEST(hooks_run_on_every_thread) {
  ctorch_module *net = network();
  ctorch_hook *hook = NULL;
  int calls = 0;
  ck_ok(ctorch_module_register_forward_hook(&hook, net, count, false, false, NULL, &calls));
  share(net);
  ck_assert_int_eq(calls, 1 + (THREADS - 1) * ROUNDS);
  ctorch_hook_remove(hook);
  ctorch_hook_release(hook);
  ctorch_module_release(net);
}
END_TEST

START_TEST(one_module_may_stand_in_two_places) {
  ctorch_module *net = NULL, *linear = NULL;
  ck_ok(ctorch_nn_Linear(&linear, 6, 6, true, NULL, NULL));
  ck_ok(ctorch_module_train(linear, false));
  ck_ok(ctorch_nn_Sequential(&net));
  ck_ok(ctorch_module_register_module(net, "a", linear));
  ck_ok(ctorch_module_register_module(net, "b", linear)); /* one module in two places */
  ctorch_tensor *input = NULL, *expected = NULL;
  ck_ok(ctorch_aten_randn(&input, CTORCH_INTS(3, 6), NULL, NULL, NULL, NULL));
  ck_ok(ctorch_module_forward(&expected, net, input));
  struct work work[THREADS];
  pthread_t threads[THREADS];
  for (int i = 0; i < THREADS; i++) {
    work[i] = (struct work){.net = net, .input = input, .expected = expected, .equal = true};
    ck_assert_int_eq(pthread_create(&threads[i], NULL, run, &work[i]), 0);
  }
  for (int i = 0; i < THREADS; i++) {
    pthread_join(threads[i], NULL);
    ck_ok(work[i].error);
    ck_assert(work[i].equal);
  }
  ctorch_tensor_release(input);
  ctorch_tensor_release(expected);
  ctorch_module_release(net);
  ctorch_module_release(linear);
}
END_TEST

int main(void) {
  Suite *suite = suite_create("module_threads");
  ck_case(suite, threads_share_a_network);
  ck_case(suite, hooks_run_on_every_thread);
  ck_case(suite, one_module_may_stand_in_two_places);
  return ck_main(suite);
}
