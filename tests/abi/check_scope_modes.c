/* Modes and the scopes that they were pushed in: a scope's end takes back what is left of them, and nothing else. */
#include <pthread.h>

#include "harness/values.h"

/* Each kind of mode that can be told here, without a GPU: how to push it, pop it, and whether one is on. */

static bool grad_is_off(void) { return !ctorch_grad_mode_enabled(); }
static ctorch_error *push_no_grad(void) { return ctorch_grad_mode_push(false); }

static ctorch_error *push_inference(void) { return ctorch_inference_mode_push(true); }

static bool one_thread(void) { return !ctorch_multithreading_mode_enabled(); }
static ctorch_error *push_one_thread(void) { return ctorch_multithreading_mode_push(false); }

static bool any_layout(void) { return !ctorch_grad_layout_policy_enabled(); }
static ctorch_error *push_any_layout(void) { return ctorch_grad_layout_policy_push(false); }

static ctorch_error *push_anomaly(void) { return ctorch_anomaly_mode_push(true, false); }

static bool autocast_is_on(void) { return ctorch_autocast_enabled(CTORCH_DEVICE_TYPE_CPU); }
static ctorch_error *push_autocast(void) { return ctorch_autocast_push(CTORCH_DEVICE_TYPE_CPU, true, NULL, NULL); }

static bool device_is_meta(void) {
  ctorch_device device = {-1, -1};
  ck_ok(ctorch_defaults_device(&device));
  return device.type == CTORCH_DEVICE_TYPE_META;
}
static ctorch_error *push_meta(void) { return ctorch_defaults_device_push(META); }

static bool level_is_open(void) { return ctorch_dual_level_current() >= 0; }

static int warnings_heard;
static ctorch_callback_status count_warning(
    ctorch_warning_kind kind,
    const char *message,
    const char *file,
    const char *function,
    uint32_t line,
    ctorch_error **error,
    void *payload) {
  (void)kind, (void)message, (void)file, (void)function, (void)line, (void)error, (void)payload;
  warnings_heard++;
  return CTORCH_CALLBACK_OK;
}
/** Collected warnings do not come to the callback. */
static bool warnings_are_collected(void) {
  ck_ok(ctorch_warning_set_callback(count_warning, NULL, NULL));
  warnings_heard = 0;
  ck_ok(ctorch_warning_emit(CTORCH_WARNING_USER, "heard?"));
  ck_ok(ctorch_warning_set_callback(NULL, NULL, NULL));
  return warnings_heard == 0;
}
static ctorch_error *pop_warnings(void) { return ctorch_warnings_pop(NULL); }

static int packed;
static ctorch_callback_status pack(void **out, const ctorch_tensor *tensor, ctorch_error **error, void *payload) {
  (void)payload;
  packed++;
  ctorch_tensor *kept = NULL;
  *error = ctorch_aten_clone(&kept, tensor, NULL);
  if (*error == NULL) {
    *error = ctorch_scope_keep(NULL, kept);
  }
  *out = kept;
  return *error == NULL ? CTORCH_CALLBACK_OK : 0;
}
static ctorch_callback_status unpack(ctorch_tensor **out, void *kept, ctorch_error **error, void *payload) {
  (void)payload, (void)error;
  ctorch_tensor_retain(kept);
  *out = kept;
  return CTORCH_CALLBACK_OK;
}
static void release_packed(void *kept, void *payload) {
  (void)payload;
  ctorch_tensor_release(kept);
}
static bool hooks_are_pushed(void) {
  ctorch_tensor *x = floats(CTORCH_INTS(1), 1), *y = NULL;
  ck_ok(ctorch_grad_mode_push(true));
  ck_ok(ctorch_tensor_set_requires_grad(x, true));
  packed = 0;
  ck_ok(ctorch_aten_mul_Tensor(&y, x, x));
  ck_ok(ctorch_grad_mode_pop());
  ctorch_tensor_release(y);
  ctorch_tensor_release(x);
  return packed > 0;
}
static ctorch_error *push_hooks(void) {
  return ctorch_saved_tensors_hooks_push(pack, unpack, release_packed, NULL, NULL);
}
static ctorch_error *push_on_cpu(void) { return ctorch_saved_tensors_hooks_push_save_on_cpu(false); }

static ctorch_error *push_cpu_stream(void) {
  ctorch_stream stream;
  ck_ok(ctorch_stream_current(&stream, CPU));
  return ctorch_stream_push(&stream);
}
static ctorch_error *push_cpu(void) { return ctorch_device_push(CPU); }
static ctorch_error *push_range(void) { return ctorch_record_function_push("range", NULL); }

static const struct {
  ctorch_error *(*push)(void);
  ctorch_error *(*pop)(void);
  bool (*is_on)(void); /* NULL where nothing tells */
} modes[] = {
    {push_no_grad, ctorch_grad_mode_pop, grad_is_off},
    {push_inference, ctorch_inference_mode_pop, ctorch_inference_mode_enabled},
    {push_one_thread, ctorch_multithreading_mode_pop, one_thread},
    {push_anomaly, ctorch_anomaly_mode_pop, ctorch_anomaly_mode_enabled},
    {push_autocast, ctorch_autocast_pop, autocast_is_on},
    {push_meta, ctorch_defaults_device_pop, device_is_meta},
    {ctorch_dual_level_push, ctorch_dual_level_pop, level_is_open},
    {ctorch_warnings_push, pop_warnings, warnings_are_collected},
    {push_hooks, ctorch_saved_tensors_hooks_pop, hooks_are_pushed},
    {push_on_cpu, ctorch_saved_tensors_hooks_pop, NULL},
    {push_cpu_stream, ctorch_stream_pop, NULL},
    {push_cpu, ctorch_device_pop, NULL},
    {push_range, ctorch_record_function_pop, NULL},
    {push_any_layout, ctorch_grad_layout_policy_pop, any_layout}, /* the last, since LibTorch has it from 2.13 on */
};
static int modes_len(void) { return (int)(sizeof modes / sizeof *modes) - (ck_torch_at_least(2, 13) ? 0 : 1); }

/** Whether a mode is on; where nothing tells, `otherwise`. */
static bool is_on(int mode, bool otherwise) { return modes[mode].is_on == NULL ? otherwise : modes[mode].is_on(); }

static ctorch_scope *begin(void) {
  ctorch_scope *scope = NULL;
  ck_ok(ctorch_scope_begin(&scope));
  return scope;
}

#define ck_nothing_to_pop(mode) ck_fails(modes[mode].pop(), CTORCH_ERROR_RUNTIME, NULL)

START_TEST(the_end_of_a_scope_takes_back_what_was_pushed_in_it) {
  ctorch_scope *scope = begin();
  ck_ok(modes[_i].push());
  ck_assert(is_on(_i, true));
  ctorch_scope_end(scope);
  ck_assert(!is_on(_i, false));
  ck_nothing_to_pop(_i);
}
END_TEST

START_TEST(also_after_an_error) {
  ctorch_scope *scope = begin();
  ctorch_tensor *x = floats(CTORCH_INTS(1), 1), *out = NULL;
  if (modes[_i].push != ctorch_dual_level_push) { /* there is but one level */
    ck_ok(modes[_i].push());
  }
  ck_ok(modes[_i].push());
  ck_fails(ctorch_aten_mm(&out, x, x), CTORCH_ERROR_RUNTIME, NULL);
  ctorch_scope_end(scope);
  ck_assert(!is_on(_i, false));
  ck_nothing_to_pop(_i);
}
END_TEST

START_TEST(what_was_popped_is_not_taken_back_twice) {
  if (modes[_i].push == ctorch_dual_level_push) {
    return;
  }
  ck_ok(modes[_i].push()); /* outside */
  ctorch_scope *scope = begin();
  ck_ok(modes[_i].push());
  ck_ok(modes[_i].pop());
  ctorch_scope_end(scope);
  ck_assert(is_on(_i, true));
  ck_ok(modes[_i].pop());
  ck_assert(!is_on(_i, false));
  ck_nothing_to_pop(_i);
}
END_TEST

START_TEST(a_push_outside_may_be_popped_inside) {
  ck_ok(modes[_i].push());
  ctorch_scope *scope = begin();
  ck_ok(modes[_i].pop());
  ck_assert(!is_on(_i, false));
  ctorch_scope_end(scope);
  ck_assert(!is_on(_i, false));
  ck_nothing_to_pop(_i);
}
END_TEST

START_TEST(each_scope_takes_back_its_own) {
  ctorch_scope *outer = begin();
  ck_ok(modes[_i].push());
  ctorch_scope *inner = begin(), *innermost = begin();
  if (modes[_i].push != ctorch_dual_level_push) {
    ck_ok(modes[_i].push());
  }
  ctorch_scope_end(inner);
  ck_assert(is_on(_i, true));
  ctorch_scope_end(outer);
  ck_assert(!is_on(_i, false));
  ck_nothing_to_pop(_i);
  ctorch_scope_end(innermost); /* long gone */
}
END_TEST

/** The pop is meant for the push that the scope has taken back; taken for the outer one it would switch that off. */
START_TEST(a_pop_that_comes_after_the_scope_does_not_take_an_outer_push) {
  if (modes[_i].push == ctorch_dual_level_push) {
    return;
  }
  ck_ok(modes[_i].push());
  ctorch_scope *scope = begin();
  ck_ok(modes[_i].push());
  ck_ok(modes[_i].push());
  ctorch_scope_end(scope);
  ck_fails(modes[_i].pop(), CTORCH_ERROR_RUNTIME, "the end of its scope has taken back the last");
  ck_fails(modes[_i].pop(), CTORCH_ERROR_RUNTIME, "the end of its scope has taken back the last");
  ck_assert(is_on(_i, true));
  ck_ok(modes[_i].push()); /* later ones are in order */
  ck_ok(modes[_i].pop());
  ck_assert(is_on(_i, true));
  ck_ok(modes[_i].pop());
  ck_assert(!is_on(_i, false));
  ck_nothing_to_pop(_i);
}
END_TEST

/** Who left a scope by an error does not come back to pop. */
START_TEST(after_an_error_the_next_pop_is_the_outer_ones) {
  if (modes[_i].push == ctorch_dual_level_push) {
    return;
  }
  ctorch_tensor *out = NULL;
  ck_ok(modes[_i].push());
  ctorch_scope *scope = begin();
  ck_ok(modes[_i].push());
  ck_fails(ctorch_aten_neg(&out, NULL), CTORCH_ERROR_NULL_ARGUMENT, NULL);
  ctorch_scope_end(scope);
  ck_assert(is_on(_i, true));
  ck_ok(modes[_i].pop());
  ck_assert(!is_on(_i, false));
  ck_nothing_to_pop(_i);
}
END_TEST

START_TEST(kinds_may_be_popped_in_any_order) {
  ctorch_scope *scope = begin();
  ck_ok(ctorch_grad_mode_push(false));
  ck_ok(ctorch_multithreading_mode_push(false));
  ck_ok(ctorch_defaults_device_push(META));
  ck_ok(push_autocast());
  ck_ok(ctorch_grad_mode_pop());
  ck_ok(ctorch_defaults_device_pop());
  ck_assert(ctorch_grad_mode_enabled() && !device_is_meta() && one_thread() && autocast_is_on());
  ctorch_scope_end(scope);
  ck_assert(!one_thread() && !autocast_is_on());
  for (int mode = 0; mode < modes_len(); mode++) {
    ck_nothing_to_pop(mode);
  }
}
END_TEST

static bool grad_was_enabled;
static void look_at_grad_mode(void *payload) {
  (void)payload;
  grad_was_enabled = ctorch_grad_mode_enabled();
}

START_TEST(modes_go_before_the_handles) {
  float data[1] = {1};
  ctorch_tensor *x = NULL;
  ctorch_scope *scope = begin();
  ck_ok(ctorch_tensor_from_buffer(&x, data, CTORCH_INTS(1), NULL, 0, CTORCH_DTYPE_FLOAT32, look_at_grad_mode, NULL));
  ck_ok(ctorch_grad_mode_push(false));
  grad_was_enabled = false;
  ctorch_scope_end(scope);
  ck_assert(grad_was_enabled);
}
END_TEST

static void push_a_mode(void *payload) {
  (void)payload;
  ck_ok(ctorch_grad_mode_push(false));
}

START_TEST(a_mode_that_a_release_pushes_is_taken_back_too) {
  float data[1] = {1};
  ctorch_tensor *x = NULL;
  ctorch_scope *scope = begin();
  ck_ok(ctorch_tensor_from_buffer(&x, data, CTORCH_INTS(1), NULL, 0, CTORCH_DTYPE_FLOAT32, push_a_mode, NULL));
  ctorch_scope_end(scope);
  ck_assert(ctorch_grad_mode_enabled());
  ck_fails(ctorch_grad_mode_pop(), CTORCH_ERROR_RUNTIME, NULL);
}
END_TEST

static void *leaves_all(void *nothing) {
  (void)begin();
  for (int mode = 0; mode < modes_len(); mode++) {
    ck_ok(modes[mode].push());
  }
  return nothing;
}

START_TEST(a_thread_that_ends_leaves_nothing_behind) {
  pthread_t thread;
  ck_assert_int_eq(pthread_create(&thread, NULL, leaves_all, NULL), 0);
  ck_assert_int_eq(pthread_join(thread, NULL), 0);
  ck_assert(!level_is_open() && !ctorch_anomaly_mode_enabled()); /* those that are the process's */
}
END_TEST

START_TEST(many_scopes_in_a_loop_end_as_they_began) {
  ck_ok(ctorch_grad_mode_push(false));
  ck_ok(ctorch_grad_mode_pop());
  for (int i = 0; i < 10000; i++) {
    ctorch_scope *scope = begin();
    ck_ok(ctorch_grad_mode_push(false));
    ctorch_scope_end(scope);
    ck_assert(ctorch_grad_mode_enabled());
  }
  ck_ok(ctorch_grad_mode_push(false));
  ck_ok(ctorch_grad_mode_pop());
  ck_fails(ctorch_grad_mode_pop(), CTORCH_ERROR_RUNTIME, "no grad mode was pushed");
}
END_TEST

int main(void) {
  Suite *suite = suite_create("scope_modes");
  ck_case_loop(suite, the_end_of_a_scope_takes_back_what_was_pushed_in_it, modes_len());
  ck_case_loop(suite, also_after_an_error, modes_len());
  ck_case_loop(suite, what_was_popped_is_not_taken_back_twice, modes_len());
  ck_case_loop(suite, a_push_outside_may_be_popped_inside, modes_len());
  ck_case_loop(suite, each_scope_takes_back_its_own, modes_len());
  ck_case_loop(suite, a_pop_that_comes_after_the_scope_does_not_take_an_outer_push, modes_len());
  ck_case_loop(suite, after_an_error_the_next_pop_is_the_outer_ones, modes_len());
  ck_case(suite, kinds_may_be_popped_in_any_order);
  ck_case(suite, modes_go_before_the_handles);
  ck_case(suite, a_mode_that_a_release_pushes_is_taken_back_too);
  ck_case(suite, a_thread_that_ends_leaves_nothing_behind);
  ck_case(suite, many_scopes_in_a_loop_end_as_they_began);
  return ck_main(suite);
}
