/* Two copies of libctorch in one process, as a plug-in brings its own: they work side by side on one LibTorch.
 *
 * The second copy is a copy of the file, which the loader takes for another library. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* dladdr */
#endif
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

#include "harness/values.h"

#ifdef __SANITIZE_ADDRESS__
/* That globals are there twice is what this is about. */
const char *__asan_default_options(void);
const char *__asan_default_options(void) { return "detect_odr_violation=0"; }
#endif

/* The functions that are called in both copies. */
#define FUNCTIONS(X)                   \
  X(ctorch_aten_mul_Tensor)            \
  X(ctorch_aten_neg)                   \
  X(ctorch_tensor_backward)            \
  X(ctorch_debug_error_backtraces)     \
  X(ctorch_grad_mode_pop)              \
  X(ctorch_grad_mode_push)             \
  X(ctorch_saved_tensors_hooks_pop)    \
  X(ctorch_saved_tensors_hooks_push)   \
  X(ctorch_scope_begin)                \
  X(ctorch_scope_end)                  \
  X(ctorch_debug_set_error_backtraces) \
  X(ctorch_warning_set_callback)       \
  X(ctorch_tensor_from_data)           \
  X(ctorch_tensor_release)             \
  X(ctorch_tensor_set_requires_grad)   \
  X(ctorch_warning_emit)               \
  X(ctorch_warnings_pop)               \
  X(ctorch_warnings_push)              \
  X(ctorch_error_release)

typedef struct library {
#define POINTER(name) __typeof__(&(name)) name;
  FUNCTIONS(POINTER)
} library;

static const library first = {
#define ADDRESS(name) name,
    FUNCTIONS(ADDRESS)};
static library second;

static void copy_file(const char *from, int to) {
  FILE *file = fopen(from, "rb");
  ck_assert_ptr_nonnull(file);
  static char block[1 << 16];
  for (size_t len; (len = fread(block, 1, sizeof block, file)) > 0;) {
    ck_assert_int_eq(write(to, block, len), (ssize_t)len);
  }
  ck_assert_int_eq(fclose(file), 0);
}

static void load_second(void) {
  if (second.ctorch_warning_emit != NULL) {
    return;
  }
  Dl_info info;
  ck_assert_int_ne(dladdr((void *)(intptr_t)ctorch_version, &info), 0);
  char path[] = "/tmp/libctorch_copy_XXXXXX";
  const int file = mkstemp(path);
  ck_assert_int_ge(file, 0);
  copy_file(info.dli_fname, file);
  ck_assert_int_eq(close(file), 0);
  void *copy = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  (void)unlink(path);
  ck_assert_msg(copy != NULL, "%s", dlerror());
#define FIND(name) *(void **)(void *)&second.name = dlsym(copy, #name);
  FUNCTIONS(FIND)
#define DIFFERS(name) ck_assert_msg(second.name != NULL && second.name != first.name, #name);
  FUNCTIONS(DIFFERS)
}

/* Hooks on saved tensors ------------------------------------------------------------------------------------------- */

typedef struct counts {
  int packed, unpacked;
} counts;

static ctorch_callback_status pack(void **out, const ctorch_tensor *tensor, ctorch_error **error, void *payload) {
  (void)error;
  ctorch_tensor_retain(tensor);
  *out = (void *)(intptr_t)tensor;
  ((counts *)payload)->packed++;
  return CTORCH_CALLBACK_OK;
}

static ctorch_callback_status unpack(ctorch_tensor **out, void *packed, ctorch_error **error, void *payload) {
  (void)error;
  *out = packed;
  ctorch_tensor_retain(*out);
  ((counts *)payload)->unpacked++;
  return CTORCH_CALLBACK_OK;
}

static void destroy_packed(void *packed, void *payload) {
  (void)payload;
  ctorch_tensor_release(packed);
}

static void push(const library *of, counts *payload) {
  ck_ok(of->ctorch_saved_tensors_hooks_push(pack, unpack, destroy_packed, NULL, payload));
}

/** x * x, which saves two tensors. */
static ctorch_tensor *square(const library *of, ctorch_tensor *x) {
  ctorch_tensor *y = NULL;
  ck_ok(of->ctorch_aten_mul_Tensor(&y, x, x));
  return y;
}

static void run_backward(const library *of, ctorch_tensor *y) {
  ck_ok(of->ctorch_tensor_backward(y, NULL, NULL, false));
}

static ctorch_tensor *leaf(void) {
  ctorch_tensor *x = floats(CTORCH_INTS(1), 3);
  ck_ok(ctorch_tensor_set_requires_grad(x, true));
  return x;
}

START_TEST(hooks_on_saved_tensors_nest_across_copies) {
  load_second();
  counts of[3] = {{0}};
  ctorch_tensor *x = leaf(), *y[4];
  push(&first, &of[0]);
  push(&second, &of[1]);
  push(&first, &of[2]);
  y[0] = square(&first, x); /* whoever calls, the innermost are the ones */
  y[1] = square(&second, x);
  ck_assert(of[0].packed == 0 && of[1].packed == 0 && of[2].packed == 4);
  ck_fails(second.ctorch_saved_tensors_hooks_pop(), CTORCH_ERROR_RUNTIME, "another copy of libctorch");
  ck_ok(first.ctorch_saved_tensors_hooks_pop());
  y[2] = square(&first, x);
  ck_assert(of[0].packed == 0 && of[1].packed == 2 && of[2].packed == 4);
  ck_ok(second.ctorch_saved_tensors_hooks_pop());
  y[3] = square(&second, x);
  ck_assert(of[0].packed == 2 && of[1].packed == 2 && of[2].packed == 4);
  ck_ok(first.ctorch_saved_tensors_hooks_pop());
  ctorch_tensor_release(square(&second, x));
  ck_assert(of[0].packed == 2 && of[1].packed == 2 && of[2].packed == 4);
  for (int i = 0; i < 4; i++) {
    run_backward(i % 2 == 0 ? &second : &first, y[i]);
    ctorch_tensor_release(y[i]);
  }
  ck_assert(of[0].unpacked == 2 && of[1].unpacked == 2 && of[2].unpacked == 4);
  ctorch_tensor *grad = NULL;
  ck_ok(ctorch_tensor_grad(&grad, x));
  ck_floats(grad, CTORCH_INTS(1), 24); /* four times 2 x */
  ctorch_tensor_release(grad);
  ctorch_tensor_release(x);
}
END_TEST

START_TEST(hooks_on_saved_tensors_by_turns) {
  load_second();
  counts counted = {0};
  ctorch_tensor *x = leaf();
  for (int i = 0; i < 50; i++) {
    const library *const of = i % 3 == 1 ? &second : &first;
    push(of, &counted);
    ctorch_tensor *y = square(i % 2 == 0 ? &first : &second, x);
    ck_ok(of->ctorch_saved_tensors_hooks_pop());
    run_backward(of, y);
    ctorch_tensor_release(y);
  }
  ck_assert(counted.packed == 100 && counted.unpacked == 100);
  ctorch_tensor_release(x);
}
END_TEST

static void *uses_hooks(void *of) {
  counts counted = {0};
  ctorch_tensor *x = leaf();
  for (int i = 0; i < 200; i++) {
    push(of, &counted);
    ctorch_tensor *y = square(of, x);
    ck_ok(((const library *)of)->ctorch_saved_tensors_hooks_pop());
    run_backward(of, y);
    ctorch_tensor_release(y);
  }
  ctorch_tensor_release(x);
  return (void *)(intptr_t)counted.packed;
}

START_TEST(hooks_on_saved_tensors_of_both_on_two_threads) {
  load_second();
  pthread_t threads[2];
  ck_assert_int_eq(pthread_create(&threads[0], NULL, uses_hooks, (void *)(intptr_t)&first), 0);
  ck_assert_int_eq(pthread_create(&threads[1], NULL, uses_hooks, &second), 0);
  for (int i = 0; i < 2; i++) {
    void *packed = NULL;
    ck_assert_int_eq(pthread_join(threads[i], &packed), 0);
    ck_assert_int_eq((intptr_t)packed, 400);
  }
}
END_TEST

/* Warnings --------------------------------------------------------------------------------------------------------- */

static ctorch_callback_status hear(
    ctorch_warning_kind kind,
    const char *message,
    const char *file,
    const char *function,
    uint32_t line,
    ctorch_error **error,
    void *payload) {
  (void)kind, (void)message, (void)file, (void)function, (void)line, (void)error;
  ++*(int *)payload;
  return CTORCH_CALLBACK_OK;
}

START_TEST(the_warning_callback_set_last_is_the_one_that_hears) {
  load_second();
  int by_first = 0, by_second = 0;
  for (int i = 1; i <= 3; i++) {
    ck_ok(first.ctorch_warning_set_callback(hear, NULL, &by_first));
    ck_ok(second.ctorch_warning_emit(CTORCH_WARNING_USER, "one"));
    ck_assert(by_first == i && by_second == i - 1);
    ck_ok(second.ctorch_warning_set_callback(hear, NULL, &by_second));
    ck_ok(first.ctorch_warning_emit(CTORCH_WARNING_USER, "two"));
    ck_assert(by_first == i && by_second == i);
  }
  ck_ok(first.ctorch_warning_set_callback(NULL, NULL, NULL));
  ck_ok(second.ctorch_warning_set_callback(NULL, NULL, NULL));
}
END_TEST

START_TEST(collected_warnings_nest_across_copies) {
  load_second();
  ck_ok(first.ctorch_warnings_push());
  ck_ok(second.ctorch_warnings_push());
  ck_ok(first.ctorch_warning_emit(CTORCH_WARNING_USER, "inner"));
  ck_fails(first.ctorch_warnings_pop(NULL), CTORCH_ERROR_RUNTIME, "another handler of warnings");
  ctorch_warnings *warnings = NULL;
  ck_ok(second.ctorch_warnings_pop(&warnings));
  ck_assert_uint_eq(ctorch_warnings_len(warnings), 1);
  ctorch_warnings_release(warnings);
  ck_ok(first.ctorch_warnings_pop(&warnings));
  ck_assert_uint_eq(ctorch_warnings_len(warnings), 0);
  ctorch_warnings_release(warnings);
}
END_TEST

/* The rest --------------------------------------------------------------------------------------------------------- */

START_TEST(the_last_to_say_so_has_errors_note_the_stack) {
  load_second();
  ctorch_tensor *x = floats(CTORCH_INTS(1), 3), *y = NULL;
  for (int i = 0; i < 2; i++) {
    ck_ok(first.ctorch_debug_set_error_backtraces(true));
    ck_ok(second.ctorch_debug_set_error_backtraces(false));
    ctorch_error *error = ctorch_aten_mm(&y, x, x);
    ck_assert_ptr_null(strstr(ctorch_error_backtrace(error), "frame #"));
    ctorch_error_release(error);
    ck_ok(first.ctorch_debug_set_error_backtraces(true));
    error = ctorch_aten_mm(&y, x, x);
    ck_assert_ptr_nonnull(strstr(ctorch_error_backtrace(error), "frame #"));
    ctorch_error_release(error);
  }
  ctorch_tensor_release(x);
}
END_TEST

START_TEST(scopes_and_modes_are_each_copys_own) {
  load_second();
  ctorch_scope *of_first = NULL, *of_second = NULL;
  ctorch_tensor *x = NULL, *y = NULL;
  const float three = 3;
  ck_ok(first.ctorch_scope_begin(&of_first));
  ck_ok(second.ctorch_scope_begin(&of_second));
  ck_ok(first.ctorch_tensor_from_data(&x, &three, sizeof three, CTORCH_INTS(1), CTORCH_DTYPE_FLOAT32));
  ck_ok(second.ctorch_aten_neg(&y, x));
  first.ctorch_scope_end(of_second); /* not one of its own */
  ck_floats(y, CTORCH_INTS(1), -3);
  first.ctorch_scope_end(of_first);
  ck_floats(y, CTORCH_INTS(1), -3);
  second.ctorch_scope_end(of_second);
  ck_ok(first.ctorch_grad_mode_push(false));
  ck_ok(second.ctorch_grad_mode_push(true));
  ck_assert(ctorch_grad_mode_enabled());
  ck_ok(second.ctorch_grad_mode_pop());
  ck_assert(!ctorch_grad_mode_enabled());
  ck_ok(first.ctorch_grad_mode_pop());
  ck_assert(ctorch_grad_mode_enabled());
}
END_TEST

int main(void) {
  Suite *suite = suite_create("two_copies");
  ck_case(suite, hooks_on_saved_tensors_nest_across_copies);
  ck_case(suite, hooks_on_saved_tensors_by_turns);
  ck_case(suite, hooks_on_saved_tensors_of_both_on_two_threads);
  ck_case(suite, the_warning_callback_set_last_is_the_one_that_hears);
  ck_case(suite, collected_warnings_nest_across_copies);
  ck_case(suite, the_last_to_say_so_has_errors_note_the_stack);
  ck_case(suite, scopes_and_modes_are_each_copys_own);
  return ck_main(suite);
}
