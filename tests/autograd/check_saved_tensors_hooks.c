/* Hooks on saved tensors in a process without Python: tensors that are kept as half precision or as bytes of the
 * caller's, who is called how often, failures, and what is destroyed when. */
#include <pthread.h>
#include <stdatomic.h>

#include "harness/values.h"

/* What happened to the tensors that passed through. Those of a test are static: a graph may outlive the test. */
typedef struct {
  atomic_int packed, unpacked, destroyed, hooks_destroyed;
} tally;

static void count_an_int(void *payload) { ++*(int *)payload; }

static void count_hooks(void *payload) { atomic_fetch_add(&((tally *)payload)->hooks_destroyed, 1); }

/* Keeps a copy of the elements: float64, contiguous. */
typedef struct {
  double *elements;
  int64_t sizes[4], ndim;
} copy;

static ctorch_callback_status pack_copy(void **out, const ctorch_tensor *tensor, ctorch_error **error, void *payload) {
  copy *self = malloc(sizeof *self);
  self->ndim = ctorch_tensor_ndim(tensor);
  ck_assert_int_le(self->ndim, 4);
  for (int64_t i = 0; i < self->ndim; i++) {
    self->sizes[i] = ctorch_tensor_sizes(tensor)[i];
  }
  const size_t nbytes = (size_t)ctorch_tensor_numel(tensor) * sizeof(double);
  self->elements = malloc(nbytes + 1);
  *error = ctorch_tensor_copy_to_buffer(tensor, self->elements, nbytes, CTORCH_DTYPE_FLOAT64);
  ck_assert(!ctorch_grad_mode_enabled());
  *out = self;
  atomic_fetch_add(&((tally *)payload)->packed, 1);
  return *error == NULL ? CTORCH_CALLBACK_OK : 0;
}

static ctorch_callback_status unpack_copy(ctorch_tensor **out, void *packed, ctorch_error **error, void *payload) {
  const copy *self = packed;
  size_t numel = 1;
  for (int64_t i = 0; i < self->ndim; i++) {
    numel *= (size_t)self->sizes[i];
  }
  *error = ctorch_tensor_from_data(
      out, self->elements, numel * sizeof(double), self->sizes, (size_t)self->ndim, CTORCH_DTYPE_FLOAT64);
  atomic_fetch_add(&((tally *)payload)->unpacked, 1);
  return *error == NULL ? CTORCH_CALLBACK_OK : 0;
}

static void destroy_copy(void *packed, void *payload) {
  free(((copy *)packed)->elements);
  free(packed);
  atomic_fetch_add(&((tally *)payload)->destroyed, 1);
}

static void push_copies(tally *counts) {
  ck_ok(ctorch_saved_tensors_hooks_push(pack_copy, unpack_copy, destroy_copy, count_hooks, counts));
}

static void pop(void) { ck_ok(ctorch_saved_tensors_hooks_pop()); }

static ctorch_tensor *parameter(double value) {
  ctorch_tensor *x = doubles(CTORCH_INTS(1), value);
  ck_ok(ctorch_tensor_set_requires_grad(x, true));
  return x;
}

static ctorch_tensor *product(const ctorch_tensor *a, const ctorch_tensor *b) {
  ctorch_tensor *out = NULL;
  ck_ok(ctorch_aten_mul_Tensor(&out, a, b));
  return out;
}

static ctorch_tensor *exponential(const ctorch_tensor *x) {
  ctorch_tensor *out = NULL;
  ck_ok(ctorch_aten_exp(&out, x));
  return out;
}

static ctorch_tensor *grad_of(const ctorch_tensor *x) {
  ctorch_tensor *grad = NULL;
  ck_ok(ctorch_tensor_grad(&grad, x));
  return grad;
}

static ctorch_error *backward(const ctorch_tensor *y) { return ctorch_tensor_backward(y, NULL, NULL, false); }

START_TEST(every_saved_tensor_passes_through_once_and_comes_back) {
  static tally counts;
  ctorch_tensor *x = parameter(2), *y = parameter(5);
  push_copies(&counts);
  ctorch_tensor *z = exponential(product(x, y)); /* x, y and the result */
  pop();
  product(x, y); /* not through hooks */
  ck_assert_int_eq(counts.packed, 3);
  ck_assert_int_eq(counts.unpacked, 0);
  ck_ok(ctorch_tensor_backward(z, NULL, CTORCH_SOME(bool, true), false));
  ck_doubles(grad_of(x), CTORCH_INTS(1), 5 * exp(10));
  ck_doubles(grad_of(y), CTORCH_INTS(1), 2 * exp(10));
  ck_assert_int_eq(counts.unpacked, 3);
  ck_assert_int_eq(counts.destroyed, 0);
  ck_ok(backward(z));
  ck_assert_int_eq(counts.packed, 3);
  ck_assert_int_eq(counts.unpacked, 6);
  ck_assert_int_eq(counts.destroyed, 3);
  ck_assert_int_eq(counts.hooks_destroyed, 1);
}
END_TEST

START_TEST(what_is_packed_is_destroyed_with_the_graph) {
  static tally counts;
  ctorch_scope *scope = NULL;
  ctorch_tensor *x = parameter(2);
  ck_ok(ctorch_scope_begin(&scope));
  push_copies(&counts);
  product(x, x);
  ck_assert_int_eq(counts.packed, 2);
  pop();
  ck_assert_int_eq(counts.hooks_destroyed, 0);
  ctorch_scope_end(scope);
  ck_assert_int_eq(counts.destroyed, 2);
  ck_assert_int_eq(counts.hooks_destroyed, 1);
}
END_TEST

/* Packs the tensor that it was given. Were it a member of the graph, graph and tensor would keep each other. */
static ctorch_callback_status pack_itself(
    void **out, const ctorch_tensor *tensor, ctorch_error **error, void *payload) {
  (void)error;
  ck_assert(!ctorch_tensor_requires_grad(tensor));
  ctorch_tensor_retain(tensor);
  *out = (void *)(uintptr_t)tensor;
  atomic_fetch_add(&((tally *)payload)->packed, 1);
  return CTORCH_CALLBACK_OK;
}

static ctorch_callback_status unpack_itself(ctorch_tensor **out, void *packed, ctorch_error **error, void *payload) {
  (void)error, (void)payload;
  ctorch_tensor_retain(packed);
  *out = packed;
  return CTORCH_CALLBACK_OK;
}

static void destroy_itself(void *packed, void *payload) {
  ctorch_tensor_release(packed);
  atomic_fetch_add(&((tally *)payload)->destroyed, 1);
}

START_TEST(an_output_that_is_packed_does_not_keep_its_graph) {
  static tally counts;
  ctorch_tensor *x = doubles(CTORCH_INTS(2), 1, 2), *y = NULL;
  ck_ok(ctorch_tensor_set_requires_grad(x, true));
  ck_ok(ctorch_saved_tensors_hooks_push(pack_itself, unpack_itself, destroy_itself, count_hooks, &counts));
  ck_ok(ctorch_aten_exp(&y, x)); /* saves its result */
  pop();
  ctorch_tensor_release(x);
  ck_assert(counts.packed == 1 && counts.destroyed == 0);
  ctorch_tensor_release(y);
  ck_assert(counts.destroyed == 1 && counts.hooks_destroyed == 1);
}
END_TEST

static ctorch_callback_status keep_the_tensor(
    void **out, const ctorch_tensor *tensor, ctorch_error **error, void *payload) {
  ctorch_tensor_retain(tensor);
  *out = (void *)(uintptr_t)tensor;
  atomic_fetch_add(&((tally *)payload)->packed, 1);
  *error = ctorch_scope_keep(NULL, tensor);
  return *error == NULL ? CTORCH_CALLBACK_OK : 0;
}

static ctorch_callback_status give_the_tensor(ctorch_tensor **out, void *packed, ctorch_error **error, void *payload) {
  (void)error;
  ctorch_tensor_retain(packed);
  *out = packed;
  atomic_fetch_add(&((tally *)payload)->unpacked, 1);
  return CTORCH_CALLBACK_OK;
}

static void release_the_tensor(void *packed, void *payload) {
  ctorch_tensor_release(packed);
  atomic_fetch_add(&((tally *)payload)->destroyed, 1);
}

START_TEST(hooks_that_keep_the_tensors_lose_none) {
  static tally counts;
  static float elements[2] = {1, 2};
  for (int step = 0; step < 4; step++) {
    int gone = 0;
    ctorch_scope *scope = NULL;
    ctorch_tensor *x = NULL, *y = NULL;
    ck_ok(ctorch_scope_begin(&scope));
    ck_ok(ctorch_tensor_from_buffer(&x, elements, CTORCH_INTS(2), NULL, 0, CTORCH_DTYPE_FLOAT32, count_an_int, &gone));
    ck_ok(ctorch_saved_tensors_hooks_push(keep_the_tensor, give_the_tensor, release_the_tensor, NULL, &counts));
    y = product(parameter(2), x); /* saves x, which has no graph to be outside of */
    if (step % 2 == 0) {          /* else what was saved goes with the scope */
      ctorch_tensor *sum = NULL;
      ck_ok(ctorch_aten_sum(&sum, y, NULL));
      ck_ok(ctorch_tensor_backward(sum, NULL, NULL, false));
    }
    pop();
    ctorch_scope_end(scope);
    ck_assert_int_eq(counts.packed, counts.destroyed);
    ck_assert_int_eq(gone, 1);
  }
  ck_assert_int_gt(counts.packed, 0);
}
END_TEST

START_TEST(hooks_that_see_nothing_are_destroyed_by_the_pop) {
  static tally counts;
  push_copies(&counts);
  ck_assert_int_eq(counts.hooks_destroyed, 0);
  pop();
  ck_assert_int_eq(counts.hooks_destroyed, 1);
}
END_TEST

START_TEST(only_the_innermost_hooks_are_called) {
  static tally outer, inner;
  ctorch_tensor *x = parameter(2);
  push_copies(&outer);
  push_copies(&inner);
  exponential(x);
  ck_assert_int_eq(outer.packed, 0);
  ck_assert_int_eq(inner.packed, 1);
  pop();
  exponential(x);
  ck_assert_int_eq(outer.packed, 1);
  ck_assert_int_eq(inner.packed, 1);
  pop();
  exponential(x);
  ck_assert_int_eq(outer.packed, 1);
  ck_fails(ctorch_saved_tensors_hooks_pop(), CTORCH_ERROR_RUNTIME, "no saved tensors hooks were pushed");
}
END_TEST

/* The tensor itself in half precision: what is packed may be a handle. */
static ctorch_callback_status pack_half(void **out, const ctorch_tensor *tensor, ctorch_error **error, void *payload) {
  ctorch_tensor *half = NULL;
  *error = ctorch_aten_to_dtype(&half, tensor, CTORCH_DTYPE_FLOAT16, false, false, NULL);
  *out = half;
  if (half != NULL) {
    *(int64_t *)payload += ctorch_tensor_numel(half) * 2;
    ctorch_error_release(ctorch_scope_keep(NULL, half));
  }
  return *error == NULL ? CTORCH_CALLBACK_OK : 0;
}

static ctorch_callback_status unpack_half(ctorch_tensor **out, void *packed, ctorch_error **error, void *payload) {
  (void)payload;
  *error = ctorch_aten_to_dtype(out, packed, CTORCH_DTYPE_FLOAT32, false, false, NULL);
  return *error == NULL ? CTORCH_CALLBACK_OK : 0;
}

static void destroy_half(void *packed, void *payload) {
  (void)payload;
  ctorch_tensor_release(packed);
}

START_TEST(saved_tensors_may_be_kept_in_half_precision) {
  ctorch_tensor *x = floats(CTORCH_INTS(2), 0.1F, 1000.3F), *y = NULL, *loss = NULL;
  int64_t kept = 0;
  ck_ok(ctorch_tensor_set_requires_grad(x, true));
  ck_ok(ctorch_saved_tensors_hooks_push(pack_half, unpack_half, destroy_half, NULL, &kept));
  ck_ok(ctorch_aten_mul_Tensor(&y, x, x));
  pop();
  ck_ok(ctorch_aten_sum(&loss, y, NULL));
  ck_assert_int_eq(kept, 2 * 2 * 2); /* x twice, two elements of two bytes */
  ck_ok(backward(loss));
  /* 2 x for the halves next to 0.1 and 1000.3, which are 0.0999755859375 and 1000.5 */
  ck_floats(grad_of(x), CTORCH_INTS(2), 2 * 0.0999755859375F, 2 * 1000.5F);
}
END_TEST

START_TEST(saved_tensors_may_be_kept_on_the_cpu) {
  ctorch_tensor *x = parameter(3);
  for (int pinned = 0; pinned < 2; pinned++) {
    ck_ok(ctorch_tensor_set_grad(x, NULL));
    ck_ok(ctorch_saved_tensors_hooks_push_save_on_cpu(pinned != 0));
    ctorch_tensor *y = product(product(x, x), x);
    pop();
    ck_ok(backward(y));
    ck_doubles(grad_of(x), CTORCH_INTS(1), 27);
  }
}
END_TEST

static void count(void *payload) { ++*(int *)payload; }

/* What an operator saves may be its result, which refers to the node that saves it. */
START_TEST(on_the_cpu_too_a_result_goes_with_its_graph) {
  int gone = 0;
  double memory[1] = {2};
  ctorch_tensor *x = NULL, *y = NULL;
  ck_ok(ctorch_tensor_from_buffer(&x, memory, CTORCH_INTS(1), NULL, 0, CTORCH_DTYPE_FLOAT64, count, &gone));
  ck_ok(ctorch_saved_tensors_hooks_push_save_on_cpu(false));
  ctorch_tensor *weight = parameter(3), *xw = product(x, weight);
  ck_ok(ctorch_aten_exp(&y, xw));
  pop();
  ctorch_tensor_release(x);
  ctorch_tensor_release(weight);
  ctorch_tensor_release(xw);
  ck_assert_int_eq(gone, 0); /* the graph has it */
  ctorch_tensor_release(y);
  ck_assert_int_eq(gone, 1);
}
END_TEST

START_TEST(a_recorded_backward_saves_through_hooks_too) {
  static tally counts;
  ctorch_tensor *x = parameter(2), *y = product(x, x);
  push_copies(&counts);
  ck_ok(ctorch_tensor_backward(y, NULL, NULL, true));
  pop();
  ck_assert_int_gt(counts.packed, 0);
  ctorch_tensor *first = grad_of(x);
  ck_ok(ctorch_tensor_set_grad(x, NULL));
  ck_ok(backward(first));
  ck_doubles(grad_of(x), CTORCH_INTS(1), 2);
  ck_assert_int_gt(counts.unpacked, 0);
}
END_TEST

/* Failures ----------------------------------------------------------------------------------------------------------*/

static ctorch_error *next_error;

static ctorch_callback_status fail_to_pack(
    void **out, const ctorch_tensor *tensor, ctorch_error **error, void *payload) {
  (void)tensor, (void)payload;
  *out = payload; /* which is not kept, so not destroyed */
  *error = next_error;
  return 0;
}

static ctorch_callback_status fail_to_unpack(ctorch_tensor **out, void *packed, ctorch_error **error, void *payload) {
  (void)packed, (void)payload;
  ck_ok(ctorch_tensor_from_data(out, &(double){1}, sizeof(double), CTORCH_INTS(1), CTORCH_DTYPE_FLOAT64));
  *error = next_error;
  return 0;
}

static ctorch_callback_status unpack_nothing(ctorch_tensor **out, void *packed, ctorch_error **error, void *payload) {
  (void)out, (void)packed, (void)error, (void)payload;
  return CTORCH_CALLBACK_OK;
}

static ctorch_callback_status pack_in_place(
    void **out, const ctorch_tensor *tensor, ctorch_error **error, void *payload) {
  (void)out, (void)payload;
  *error = ctorch_aten_add__Scalar((ctorch_tensor *)tensor, CTORCH_INT(1), NULL);
  return *error == NULL ? CTORCH_CALLBACK_OK : 0;
}

static void must_not_run(void *packed, void *payload) {
  (void)packed, (void)payload;
  ck_abort_msg("nothing was packed");
}

START_TEST(a_failing_hook_fails_what_called_it) {
  ctorch_tensor *x = parameter(2), *y = NULL;
  static tally counts;
  ck_ok(ctorch_error_new(&next_error, CTORCH_ERROR_IO, "the disk is full"));
  ck_ok(ctorch_saved_tensors_hooks_push(fail_to_pack, fail_to_unpack, must_not_run, count_hooks, &counts));
  ctorch_error *error = ctorch_aten_exp(&y, x);
  ck_assert_ptr_eq(error, next_error);
  ctorch_error_release(error);
  ck_assert_ptr_null(y);
  next_error = NULL;
  ck_fails(ctorch_aten_exp(&y, x), CTORCH_ERROR_CALLBACK, "pack");
  pop();
  ck_assert_int_eq(counts.hooks_destroyed, 1);

  ck_ok(ctorch_saved_tensors_hooks_push(pack_copy, fail_to_unpack, destroy_copy, count_hooks, &counts));
  y = exponential(x);
  pop();
  ck_ok(ctorch_error_new(&next_error, CTORCH_ERROR_IO, "the disk is gone"));
  error = backward(y);
  ck_assert_ptr_eq(error, next_error);
  ctorch_error_release(error);
  next_error = NULL;
  ck_fails(backward(y), CTORCH_ERROR_CALLBACK, "unpack");

  ck_ok(ctorch_saved_tensors_hooks_push(pack_copy, unpack_nothing, destroy_copy, count_hooks, &counts));
  y = exponential(x);
  pop();
  ck_fails(backward(y), CTORCH_ERROR_TYPE, "expected to be a Tensor");
  ck_assert_ptr_null(grad_of(x));
}
END_TEST

START_TEST(pack_must_not_change_the_tensor) {
  ctorch_tensor *y = NULL;
  ck_ok(ctorch_saved_tensors_hooks_push(pack_in_place, unpack_nothing, NULL, NULL, NULL));
  ck_fails(ctorch_aten_exp(&y, parameter(2)), CTORCH_ERROR_RUNTIME, "pack hook is modifying its input in place");
  pop();
}
END_TEST

START_TEST(bad_arguments_are_refused) {
  static tally counts;
  ck_fails(
      ctorch_saved_tensors_hooks_push(NULL, unpack_copy, destroy_copy, count_hooks, &counts),
      CTORCH_ERROR_NULL_ARGUMENT, "pack");
  ck_fails(
      ctorch_saved_tensors_hooks_push(pack_copy, NULL, destroy_copy, count_hooks, &counts), CTORCH_ERROR_NULL_ARGUMENT,
      "unpack");
  ck_assert_int_eq(counts.hooks_destroyed, 0);
  ck_fails(ctorch_saved_tensors_hooks_pop(), CTORCH_ERROR_RUNTIME, "pushed");
}
END_TEST

/* Custom functions --------------------------------------------------------------------------------------------------*/

static ctorch_callback_status add_one_and_save(
    ctorch_tensor_list **out,
    ctorch_autograd_context *context,
    const ctorch_tensor *const *inputs,
    size_t inputs_len,
    ctorch_error **error,
    void *payload) {
  (void)error, (void)payload;
  ck_ok(ctorch_aten_add__Scalar((ctorch_tensor *)inputs[0], CTORCH_INT(1), NULL));
  ck_ok(ctorch_autograd_context_mark_dirty(context, inputs, inputs_len));
  ck_ok(ctorch_autograd_context_save_for_backward(context, inputs, inputs_len));
  ck_ok(ctorch_tensor_list_new(out, inputs, inputs_len));
  return CTORCH_CALLBACK_OK;
}

static ctorch_callback_status gradient_is_what_was_saved(
    ctorch_tensor_list **out,
    const ctorch_autograd_context *context,
    const ctorch_tensor *const *grads,
    size_t grads_len,
    ctorch_error **error,
    void *payload) {
  (void)error, (void)payload, (void)grads, (void)grads_len;
  ck_ok(ctorch_autograd_context_saved_tensors(out, context));
  return CTORCH_CALLBACK_OK;
}

START_TEST(a_custom_function_saves_through_hooks) {
  static tally counts;
  ctorch_autograd_function *function = NULL;
  ctorch_tensor_list *outputs = NULL;
  ctorch_tensor *x = parameter(2), *y = product(x, x);
  ck_ok(ctorch_autograd_function_new(
      &function, "AddOne", add_one_and_save, gradient_is_what_was_saved, NULL, false, NULL, NULL));
  push_copies(&counts);
  ck_ok(ctorch_autograd_function_apply(&outputs, function, CTORCH_TENSORS(y), NULL, NULL));
  pop();
  ck_assert_int_eq(counts.packed, 1);
  ck_ok(backward(y));
  ck_doubles(grad_of(x), CTORCH_INTS(1), 2 * 2 * 5);
  ck_assert_int_eq(counts.destroyed, 1);
}
END_TEST

static void must_not_be_destroyed(void *payload) {
  (void)payload;
  ck_abort_msg("a call that fails takes nothing");
}

START_TEST(a_call_that_fails_leaves_a_graph_that_fails) {
  /* Its input is changed in place and belongs to the graph before the hook fails: the node outlives the call. */
  ctorch_autograd_function *function = NULL;
  ctorch_tensor_list *outputs = NULL;
  ctorch_tensor *x = parameter(2), *y = product(x, x);
  ck_ok(ctorch_autograd_function_new(
      &function, "AddOne", add_one_and_save, gradient_is_what_was_saved, NULL, false, NULL, NULL));
  ck_ok(ctorch_saved_tensors_hooks_push(fail_to_pack, fail_to_unpack, NULL, NULL, NULL));
  ck_fails(
      ctorch_autograd_function_apply(&outputs, function, CTORCH_TENSORS(y), must_not_be_destroyed, NULL),
      CTORCH_ERROR_CALLBACK, "pack");
  pop();
  ck_assert_ptr_null(outputs);
  ck_fails(backward(y), CTORCH_ERROR_RUNTIME, "the call that made this AddOneBackward failed");
}
END_TEST

/* Threads -----------------------------------------------------------------------------------------------------------*/

enum { THREADS = 4, ROUNDS = 100 };

static void *trains(void *counts) {
  for (int i = 0; i < ROUNDS; i++) {
    ctorch_scope *scope = NULL;
    ck_ok(ctorch_scope_begin(&scope));
    ctorch_tensor *x = parameter(3);
    push_copies(counts);
    ctorch_tensor *y = product(product(x, x), x);
    pop();
    ck_ok(backward(y));
    ck_doubles(grad_of(x), CTORCH_INTS(1), 27);
    ctorch_scope_end(scope);
  }
  return NULL;
}

START_TEST(each_thread_has_hooks_of_its_own) {
  static tally counts, mine;
  pthread_t threads[THREADS];
  push_copies(&mine);
  for (int i = 0; i < THREADS; i++) {
    ck_assert_int_eq(pthread_create(&threads[i], NULL, trains, &counts), 0);
  }
  for (int i = 0; i < THREADS; i++) {
    ck_assert_int_eq(pthread_join(threads[i], NULL), 0);
  }
  pop();
  ck_assert_int_eq(mine.packed, 0);
  ck_assert_int_eq(counts.packed, 4 * THREADS * ROUNDS);
  ck_assert_int_eq(counts.unpacked, 4 * THREADS * ROUNDS);
  ck_assert_int_eq(counts.destroyed, 4 * THREADS * ROUNDS);
  ck_assert_int_eq(counts.hooks_destroyed, THREADS * ROUNDS);
}
END_TEST

static void *pushes_and_leaves(void *counts) {
  for (int i = 0; i < 100000; i++) {
    push_copies(counts);
  }
  return NULL;
}

START_TEST(a_thread_may_end_without_popping) {
  static tally counts;
  pthread_t thread;
  ck_assert_int_eq(pthread_create(&thread, NULL, pushes_and_leaves, &counts), 0);
  ck_assert_int_eq(pthread_join(thread, NULL), 0);
  ck_assert_int_eq(counts.hooks_destroyed, 100000);
}
END_TEST

int main(void) {
  Suite *suite = suite_create("saved_tensors_hooks");
  ck_scoped_case(suite, every_saved_tensor_passes_through_once_and_comes_back);
  ck_scoped_case(suite, what_is_packed_is_destroyed_with_the_graph);
  ck_case(suite, an_output_that_is_packed_does_not_keep_its_graph);
  ck_case(suite, hooks_that_keep_the_tensors_lose_none);
  ck_scoped_case(suite, hooks_that_see_nothing_are_destroyed_by_the_pop);
  ck_scoped_case(suite, only_the_innermost_hooks_are_called);
  ck_scoped_case(suite, saved_tensors_may_be_kept_in_half_precision);
  ck_scoped_case(suite, saved_tensors_may_be_kept_on_the_cpu);
  ck_scoped_case(suite, on_the_cpu_too_a_result_goes_with_its_graph);
  ck_scoped_case(suite, a_recorded_backward_saves_through_hooks_too);
  ck_scoped_case(suite, a_failing_hook_fails_what_called_it);
  ck_scoped_case(suite, pack_must_not_change_the_tensor);
  ck_scoped_case(suite, bad_arguments_are_refused);
  ck_scoped_case(suite, a_custom_function_saves_through_hooks);
  ck_scoped_case(suite, a_call_that_fails_leaves_a_graph_that_fails);
  ck_scoped_case(suite, each_thread_has_hooks_of_its_own);
  ck_scoped_case(suite, a_thread_may_end_without_popping);
  return ck_main(suite);
}
