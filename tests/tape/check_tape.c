/* Tapes from C: a cycle, what is refused, who owns what, threads, and memory that does not grow. */
#include <malloc.h>
#include <pthread.h>

#include "harness/values.h"

static ctorch_tensor *row(const float *values, int64_t len) {
  ctorch_tensor *out = NULL;
  ck_ok(ctorch_tensor_from_data(&out, values, (size_t)len * sizeof *values, CTORCH_INTS(len), CTORCH_DTYPE_FLOAT32));
  return out;
}

static double at(const ctorch_tensor *tensor, int64_t index) {
  ctorch_tensor *element = NULL;
  double number = 0;
  ck_ok(ctorch_aten_select_int(&element, tensor, 0, index));
  ck_ok(ctorch_tensor_item_double(&number, element));
  ctorch_tensor_release(element);
  return number;
}

/* x -> 2 x + total, and total += x */
struct sums {
  ctorch_tensor *x, *two, *total, *y;
  ctorch_tape *tape;
};

static void begin(struct sums *s, bool fast, bool verify) {
  s->x = row((const float[]){1, 2}, 2);
  s->two = row((const float[]){2, 2}, 2);
  s->total = row((const float[]){0, 0}, 2);
  ck_ok(ctorch_tape_begin(&s->tape, CTORCH_TENSORS(s->x), fast, verify));
}

static void step(struct sums *s) {
  ctorch_tensor *twice = NULL;
  ck_ok(ctorch_aten_add__Tensor(s->total, s->x, NULL));
  ck_ok(ctorch_aten_mul_Tensor(&twice, s->x, s->two));
  ck_ok(ctorch_aten_add_Tensor(&s->y, twice, s->total, NULL));
}

static void capture(struct sums *s, bool fast, bool verify) {
  begin(s, fast, verify);
  step(s);
  ck_ok(ctorch_tape_end(s->tape, CTORCH_TENSORS(s->y)));
}

START_TEST(a_step_is_replayed) {
  for (int way = 0; way < 4; way++) {
    struct sums s;
    ctorch_scope *scope = NULL;
    ctorch_tensor_list *outputs = NULL;
    ctorch_string *text = NULL;
    ck_ok(ctorch_scope_begin(&scope));
    capture(&s, way % 2 == 1, way / 2 == 1);
    ck_ok(ctorch_tape_outputs(&outputs, s.tape));
    ck_assert(ctorch_tensor_list_len(outputs) == 1);
    const ctorch_tensor *y = ctorch_tensor_list_data(outputs)[0];
    ck_ok(ctorch_tape_replay(s.tape, CTORCH_TENSORS(row((const float[]){10, 20}, 2))));
    ck_assert(at(s.total, 0) == 11 && at(s.total, 1) == 22);
    ck_assert(at(y, 0) == 31 && at(y, 1) == 62);
    ck_ok(ctorch_tape_replay(s.tape, CTORCH_TENSORS(s.x)));
    ck_assert(at(y, 0) == 14 && at(y, 1) == 28);
    ck_ok(ctorch_tape_text(&text, s.tape));
    ck_assert(strstr(ctorch_string_data(text), "aten::add_.Tensor") != NULL);
    ck_assert(ctorch_tape_bytes(s.tape) > 0);
    ctorch_scope_end(scope);
  }
}
END_TEST

START_TEST(nonsense_is_refused) {
  ctorch_scope *scope = NULL;
  struct sums s, other;
  ctorch_tensor_list *outputs = NULL;
  ctorch_string *text = NULL;
  const ctorch_tensor *const none[] = {NULL};
  ck_ok(ctorch_scope_begin(&scope));
  ck_fails(ctorch_tape_begin(NULL, NULL, 0, false, false), CTORCH_ERROR_NULL_ARGUMENT, "out");
  ck_fails(ctorch_tape_begin(&s.tape, NULL, 2, false, false), CTORCH_ERROR_NULL_ARGUMENT, "inputs");
  ck_fails(ctorch_tape_begin(&s.tape, none, 1, false, false), CTORCH_ERROR_NULL_ARGUMENT, "inputs[0]");
  ck_fails(ctorch_tape_end(NULL, NULL, 0), CTORCH_ERROR_NULL_ARGUMENT, "self");
  ck_fails(ctorch_tape_replay(NULL, NULL, 0), CTORCH_ERROR_NULL_ARGUMENT, "self");
  ck_fails(ctorch_tape_outputs(&outputs, NULL), CTORCH_ERROR_NULL_ARGUMENT, "self");
  ck_fails(ctorch_tape_text(&text, NULL), CTORCH_ERROR_NULL_ARGUMENT, "self");
  ck_assert(ctorch_tape_bytes(NULL) == 0);
  ctorch_tape_retain(NULL);
  ctorch_tape_release(NULL);

  begin(&s, false, false);
  ck_fails(ctorch_tape_begin(&other.tape, NULL, 0, false, false), CTORCH_ERROR_RUNTIME, "already");
  ck_fails(ctorch_tape_replay(s.tape, CTORCH_TENSORS(s.x)), CTORCH_ERROR_RUNTIME, "not ended");
  ck_fails(ctorch_tape_outputs(&outputs, s.tape), CTORCH_ERROR_RUNTIME, "not ended");
  step(&s);
  ck_ok(ctorch_tape_end(s.tape, CTORCH_TENSORS(s.y)));
  ck_fails(ctorch_tape_end(s.tape, NULL, 0), CTORCH_ERROR_RUNTIME, "does not note");
  ck_fails(ctorch_tape_outputs(NULL, s.tape), CTORCH_ERROR_NULL_ARGUMENT, "out");
  ck_fails(ctorch_tape_text(NULL, s.tape), CTORCH_ERROR_NULL_ARGUMENT, "out");
  ck_fails(ctorch_tape_replay(s.tape, NULL, 0), CTORCH_ERROR_INVALID_ARGUMENT, "inputs");
  ck_fails(
      ctorch_tape_replay(s.tape, CTORCH_TENSORS(row((const float[]){1}, 1))), CTORCH_ERROR_SHAPE_MISMATCH, "inputs[0]");
  ck_assert(at(s.total, 0) == 1); /* as it was */
  ctorch_scope_end(scope);
}
END_TEST

static ctorch_callback_status keep_gradient(
    ctorch_tensor **out, const ctorch_tensor *grad, ctorch_error **error, void *payload) {
  (void)out, (void)grad, (void)error;
  ++*(int *)payload;
  return CTORCH_CALLBACK_OK;
}

static ctorch_callback_status keep_sum(ctorch_tensor *self, ctorch_error **error, void *payload) {
  (void)self, (void)error;
  ++*(int *)payload;
  return CTORCH_CALLBACK_OK;
}

static ctorch_callback_status keep_output(
    ctorch_value **out,
    ctorch_module *module,
    const ctorch_value *args,
    const ctorch_value *kwargs,
    const ctorch_value *output,
    ctorch_error **error,
    void *payload) {
  (void)out, (void)module, (void)args, (void)kwargs, (void)output, (void)error;
  ++*(int *)payload;
  return CTORCH_CALLBACK_OK;
}

static ctorch_callback_status pack(void **out, const ctorch_tensor *tensor, ctorch_error **error, void *payload) {
  (void)error;
  ++*(int *)payload;
  ctorch_tensor_retain(tensor);
  *out = (void *)tensor;
  return CTORCH_CALLBACK_OK;
}

static ctorch_callback_status unpack(ctorch_tensor **out, void *packed, ctorch_error **error, void *payload) {
  (void)error, (void)payload;
  ctorch_tensor_retain(packed);
  *out = packed;
  return CTORCH_CALLBACK_OK;
}

static void drop(void *packed, void *payload) {
  (void)payload;
  ctorch_tensor_release(packed);
}

enum { GRADIENT_HOOK, ACCUMULATION_HOOK, FORWARD_HOOK, SAVED_TENSORS_HOOK, HOOKS };

/* They run while the step is captured, as ever; a replay would not call them. */
START_TEST(hooks_are_refused) {
  ctorch_scope *scope = NULL;
  ctorch_module *model = NULL;
  ctorch_tensor *weight = NULL, *y = NULL, *loss = NULL;
  ctorch_tape *tape = NULL;
  int calls = 0;
  ck_ok(ctorch_scope_begin(&scope));
  ck_ok(ctorch_nn_Linear(&model, 2, 2, true, NULL, NULL));
  ck_ok(ctorch_module_get_parameter(&weight, model, "weight"));
  ctorch_tensor *x = row((const float[]){1, 2}, 2);
  if (_i == GRADIENT_HOOK) {
    ck_ok(ctorch_tensor_register_hook(NULL, weight, keep_gradient, NULL, &calls));
  } else if (_i == ACCUMULATION_HOOK) {
    ck_ok(ctorch_tensor_register_post_accumulate_grad_hook(NULL, weight, keep_sum, NULL, &calls));
  } else if (_i == FORWARD_HOOK) {
    ck_ok(ctorch_module_register_forward_hook(NULL, model, keep_output, false, false, NULL, &calls));
  } else {
    ck_ok(ctorch_saved_tensors_hooks_push(pack, unpack, drop, NULL, &calls));
  }
  ck_ok(ctorch_tape_begin(&tape, CTORCH_TENSORS(x), false, false));
  ck_ok(ctorch_module_forward(&y, model, x));
  ck_ok(ctorch_aten_sum(&loss, y, NULL));
  ck_ok(ctorch_tensor_backward(loss, NULL, NULL, false));
  ck_assert_int_gt(calls, 0);
  ck_fails(ctorch_tape_end(tape, CTORCH_TENSORS(y)), CTORCH_ERROR_UNSUPPORTED, "hook");
  ck_fails(ctorch_tape_replay(tape, CTORCH_TENSORS(x)), CTORCH_ERROR_RUNTIME, "ended with an error");
  if (_i == SAVED_TENSORS_HOOK) {
    ck_ok(ctorch_saved_tensors_hooks_pop());
  }
  ctorch_scope_end(scope);
}
END_TEST

START_TEST(pooling_of_one_dimension_is_captured_as_a_module) {
  ctorch_scope *scope = NULL;
  ctorch_module *pool = NULL;
  ctorch_tensor *x = NULL, *other = NULL, *y = NULL, *expected = NULL;
  ctorch_tensor_list *outputs = NULL;
  ctorch_tape *tape = NULL;
  bool same = false;
  ck_ok(ctorch_scope_begin(&scope));
  ck_ok(ctorch_random_manual_seed(0));
  ck_ok(ctorch_nn_MaxPool1d(&pool, CTORCH_INTS(3), CTORCH_INTS(2), CTORCH_INTS(1), CTORCH_INTS(1), false, true));
  ck_ok(ctorch_aten_randn(&x, CTORCH_INTS(2, 3, 9), NULL, NULL, NULL, NULL));
  ck_ok(ctorch_aten_randn(&other, CTORCH_INTS(2, 3, 9), NULL, NULL, NULL, NULL));
  ck_ok(ctorch_tape_begin(&tape, CTORCH_TENSORS(x), false, true));
  ck_ok(ctorch_module_forward(&y, pool, x));
  ck_ok(ctorch_tape_end(tape, CTORCH_TENSORS(y)));
  ck_ok(ctorch_tape_replay(tape, CTORCH_TENSORS(other)));
  ck_ok(ctorch_tape_outputs(&outputs, tape));
  ck_ok(ctorch_module_forward(&expected, pool, other));
  ck_ok(ctorch_aten_equal(&same, ctorch_tensor_list_data(outputs)[0], expected));
  ck_assert(same);
  ctorch_scope_end(scope);
}
END_TEST

START_TEST(what_was_released_notes_no_more) {
  ctorch_scope *scope = NULL;
  struct sums s;
  ctorch_tensor *found = NULL;
  ck_ok(ctorch_scope_begin(&scope));
  begin(&s, false, false);
  step(&s);
  ck_ok(ctorch_scope_keep(NULL, s.tape));
  ctorch_tape_release(s.tape);
  begin(&s, false, false);
  ck_ok(ctorch_aten_nonzero(&found, s.x));
  ck_fails(ctorch_tape_end(s.tape, CTORCH_TENSORS(found)), CTORCH_ERROR_UNSUPPORTED, "aten::nonzero (call 1)");
  ck_fails(ctorch_tape_replay(s.tape, CTORCH_TENSORS(s.x)), CTORCH_ERROR_RUNTIME, "ended with an error");
  capture(&s, false, false);
  ck_ok(ctorch_tape_replay(s.tape, CTORCH_TENSORS(s.x)));
  ctorch_scope_end(scope);
}
END_TEST

enum { THREADS = 4, REPLAYS = 2000 };

static void *replay_own(void *payload) {
  struct sums s;
  ctorch_scope *scope = NULL;
  (void)payload;
  ck_ok(ctorch_scope_begin(&scope));
  capture(&s, false, false);
  for (int i = 1; i < REPLAYS; i++) {
    ck_ok(ctorch_tape_replay(s.tape, CTORCH_TENSORS(s.x)));
  }
  ck_assert(at(s.total, 0) == REPLAYS && at(s.total, 1) == 2 * REPLAYS);
  ctorch_scope_end(scope);
  return NULL;
}

START_TEST(threads_replay_their_own) {
  pthread_t threads[THREADS];
  for (int i = 0; i < THREADS; i++) {
    ck_assert(pthread_create(&threads[i], NULL, replay_own, NULL) == 0);
  }
  for (int i = 0; i < THREADS; i++) {
    pthread_join(threads[i], NULL);
  }
}
END_TEST

static void *begin_alone(void *payload) {
  struct sums *s = payload;
  ctorch_scope *scope = NULL;
  ck_ok(ctorch_scope_begin(&scope));
  begin(s, false, false);
  step(s);
  ck_ok(ctorch_scope_keep(scope, s->tape));
  ctorch_scope_end(scope);
  return NULL;
}

START_TEST(a_thread_may_end_while_it_notes) {
  struct sums s;
  pthread_t thread;
  ck_assert(pthread_create(&thread, NULL, begin_alone, &s) == 0);
  pthread_join(thread, NULL);
  ck_fails(ctorch_tape_end(s.tape, NULL, 0), CTORCH_ERROR_RUNTIME, "does not note");
  ctorch_tape_release(s.tape);
}
END_TEST

START_TEST(memory_stays_flat) {
  const char *asked = getenv("CTORCH_SOAK");
  long replays = asked != NULL ? atol(asked) : 20000;
  ctorch_scope *scope = NULL;
  struct sums s;
  size_t used = 0;
  ck_ok(ctorch_scope_begin(&scope));
  capture(&s, false, false);
  for (long i = 0; i < replays; i++) {
    ck_ok(ctorch_tape_replay(s.tape, CTORCH_TENSORS(s.x)));
    used = i == 200 ? mallinfo2().uordblks : used;
  }
  ck_assert_msg(mallinfo2().uordblks < used + 65536, "%zu bytes more", mallinfo2().uordblks - used);
  ctorch_scope_end(scope);
}
END_TEST

int main(void) {
  Suite *suite = suite_create("tape");
  ck_case(suite, a_step_is_replayed);
  ck_case(suite, nonsense_is_refused);
  ck_case_loop(suite, hooks_are_refused, HOOKS);
  ck_case(suite, pooling_of_one_dimension_is_captured_as_a_module);
  ck_case(suite, what_was_released_notes_no_more);
  ck_case(suite, threads_replay_their_own);
  ck_case(suite, a_thread_may_end_while_it_notes);
  ck_case(suite, memory_stays_flat);
  return ck_main(suite);
}
