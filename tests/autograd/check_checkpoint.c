/* Activation checkpointing in a process without Python: gradients that are the plain function's to the bit, memory,
 * how often and how far the function runs, nesting, failures, threads. tests/autograd/test_checkpoint.py compares the
 * rest with Python's. */
#include <malloc.h>
#include <pthread.h>
#include <stdatomic.h>

#include "harness/values.h"

/* Blocks ------------------------------------------------------------------------------------------------------------*/

/* One layer: dropout(sin(x w)) and tanh of that. Tests keep theirs static, as a graph may outlive the test. */
typedef struct {
  ctorch_tensor *weight;
  atomic_int runs, operators, destroyed;
  size_t most_bytes; /* that the C library had given out after any of the operators */
} block;

static size_t bytes_in_use(void) {
  const struct mallinfo2 info = mallinfo2();
  return info.uordblks + info.hblkhd;
}

static ctorch_error *count_operator(block *self, ctorch_error *error) {
  if (error == NULL) {
    atomic_fetch_add(&self->operators, 1);
    const size_t bytes = bytes_in_use();
    if (bytes > self->most_bytes) {
      self->most_bytes = bytes;
    }
  }
  return error;
}

static ctorch_error *run_operators(ctorch_tensor **out, block *self, const ctorch_tensor *x) {
  ctorch_tensor *product = NULL, *wave = NULL, *dropped = NULL;
  ctorch_error *error = NULL;
  CTORCH_TRY_GOTO(error, count_operator(self, ctorch_aten_matmul(&product, x, self->weight)), done);
  CTORCH_TRY_GOTO(error, count_operator(self, ctorch_aten_sin(&wave, product)), done);
  CTORCH_TRY_GOTO(error, count_operator(self, ctorch_aten_dropout(&dropped, wave, 0.5, true)), done);
  CTORCH_TRY_GOTO(error, count_operator(self, ctorch_aten_tanh(out, dropped)), done);
done:
  ctorch_tensor_release(product);
  ctorch_tensor_release(wave);
  ctorch_tensor_release(dropped);
  return error;
}

/** What a callback hands over: one tensor, which becomes the list's, or the error. */
static ctorch_callback_status answer(
    ctorch_tensor_list **out, ctorch_tensor *y, ctorch_error **error, ctorch_error *failure) {
  if (failure == NULL) {
    failure = ctorch_tensor_list_new(out, CTORCH_TENSORS(y));
  }
  ctorch_tensor_release(y);
  *error = failure;
  return failure == NULL ? CTORCH_CALLBACK_OK : 0;
}

#define FUNCTION(name)                                                                                       \
  static ctorch_callback_status name(                                                                        \
      ctorch_tensor_list **out, const ctorch_tensor *const *inputs, size_t inputs_len, ctorch_error **error, \
      void *payload)
#define UNUSED (void)out, (void)inputs, (void)inputs_len, (void)error, (void)payload

FUNCTION(run_block) {
  UNUSED;
  ctorch_tensor *y = NULL;
  atomic_fetch_add(&((block *)payload)->runs, 1);
  ctorch_error *failure = run_operators(&y, payload, inputs[0]);
  return answer(out, y, error, failure);
}

static void count_block(void *payload) { atomic_fetch_add(&((block *)payload)->destroyed, 1); }

/* What the tests share ----------------------------------------------------------------------------------------------*/

static ctorch_tensor *random_tensor(int64_t rows, int64_t columns, bool requires_grad) {
  ctorch_tensor *out = NULL;
  ck_ok(ctorch_aten_randn(&out, CTORCH_INTS(rows, columns), NULL, NULL, NULL, NULL));
  ck_ok(ctorch_tensor_set_requires_grad(out, requires_grad));
  return out;
}

static ctorch_tensor *first_of(ctorch_tensor_list *list) {
  ctorch_tensor *out = NULL;
  ck_ok(ctorch_tensor_list_get(&out, list, 0));
  ctorch_tensor_list_release(list);
  return out;
}

static ctorch_tensor *checkpointed(ctorch_tensors_callback function, const ctorch_tensor *x, void *payload) {
  ctorch_tensor_list *outputs = NULL;
  ck_ok(ctorch_checkpoint(&outputs, function, CTORCH_TENSORS(x), NULL, NULL, NULL, NULL, payload));
  return first_of(outputs);
}

static ctorch_tensor *sum(const ctorch_tensor *y) {
  ctorch_tensor *out = NULL;
  ck_ok(ctorch_aten_sum(&out, y, NULL));
  return out;
}

static ctorch_tensor *grad_of(const ctorch_tensor *x) {
  ctorch_tensor *grad = NULL;
  ck_ok(ctorch_tensor_grad(&grad, x));
  ck_assert_ptr_nonnull(grad);
  return grad;
}

static void ck_same(const ctorch_tensor *a, const ctorch_tensor *b) {
  bool same = false;
  ck_ok(ctorch_aten_equal(&same, a, b));
  ck_assert(same);
}

static ctorch_error *backward(const ctorch_tensor *y) { return ctorch_tensor_backward(y, NULL, NULL, false); }
static ctorch_error *backward_again(const ctorch_tensor *y) {
  return ctorch_tensor_backward(y, NULL, CTORCH_SOME(bool, true), false);
}

/* A chain of blocks, run plainly or each as a checkpoint. */
enum { BLOCKS = 12, ROWS = 256, COLUMNS = 64 };

typedef struct {
  block blocks[BLOCKS];
  ctorch_tensor *gradients[BLOCKS], *next_random;
  size_t bytes_after_forward, most_bytes;
} training;

static void train(training *self, bool with_checkpoints) {
  ck_ok(ctorch_random_manual_seed(42));
  for (int i = 0; i < BLOCKS; i++) {
    self->blocks[i].weight = random_tensor(COLUMNS, COLUMNS, true);
  }
  ctorch_tensor *y = random_tensor(ROWS, COLUMNS, false);
  const size_t before = bytes_in_use();
  for (int i = 0; i < BLOCKS; i++) {
    ctorch_tensor *next = NULL;
    if (with_checkpoints) {
      next = checkpointed(run_block, y, &self->blocks[i]);
    } else {
      ck_ok(run_operators(&next, &self->blocks[i], y));
    }
    ctorch_tensor_release(y);
    y = next;
  }
  ctorch_tensor *loss = sum(y);
  ctorch_tensor_release(y);
  self->bytes_after_forward = bytes_in_use() - before;
  ck_ok(backward(loss));
  for (int i = 0; i < BLOCKS; i++) {
    self->gradients[i] = grad_of(self->blocks[i].weight);
    if (self->blocks[i].most_bytes - before > self->most_bytes) {
      self->most_bytes = self->blocks[i].most_bytes - before;
    }
  }
  self->next_random = random_tensor(1, 4, false);
}

/* Values ------------------------------------------------------------------------------------------------------------*/

START_TEST(gradients_and_random_numbers_are_the_same_to_the_bit) {
  static training plain, with_checkpoints;
  train(&plain, false);
  train(&with_checkpoints, true);
  for (int i = 0; i < BLOCKS; i++) {
    ck_same(plain.gradients[i], with_checkpoints.gradients[i]);
    ck_assert_int_eq(with_checkpoints.blocks[i].runs, 2);
  }
  ck_same(plain.next_random, with_checkpoints.next_random);
}
END_TEST

/** Whether mallinfo2 counts tensors: it does not where a tool has replaced the allocator, and not on ARM64, for which
 * LibTorch has one of its own, mimalloc. */
static bool bytes_are_counted(void) {
  const size_t before = bytes_in_use();
  ctorch_tensor *tensor = NULL;
  ck_ok(ctorch_aten_empty_memory_format(
      &tensor, CTORCH_INTS(1 << 20), CTORCH_SOME(ctorch_dtype, CTORCH_DTYPE_UINT8), NULL, NULL, NULL, NULL));
  const bool counted = bytes_in_use() - before >= 1 << 20;
  ctorch_tensor_release(tensor);
  return counted;
}

START_TEST(activations_cost_no_memory_between_forward_and_backward) {
  static training plain, with_checkpoints;
  if (!bytes_are_counted()) {
    return;
  }
  train(&plain, false); /* also fills whatever LibTorch keeps for later */
  train(&with_checkpoints, true);
  const size_t activation = ROWS * COLUMNS * sizeof(float);
  /* Plainly each block keeps its input, the product, the mask of the dropout (a float each) and the result. */
  ck_assert_uint_gt(plain.bytes_after_forward, BLOCKS * 3 * activation);
  /* A checkpoint keeps its input, and the state of the random numbers: some kilobytes. */
  ck_assert_uint_lt(with_checkpoints.bytes_after_forward, (BLOCKS + 2) * activation);
  ck_assert_uint_lt(with_checkpoints.most_bytes, (BLOCKS + 6) * activation);
  ck_assert_uint_gt(plain.most_bytes, 2 * with_checkpoints.most_bytes);
}
END_TEST

START_TEST(the_function_stops_when_it_has_saved_everything_again) {
  static block stops, goes_on;
  ctorch_tensor_list *outputs = NULL;
  ctorch_tensor *x = random_tensor(2, 2, true);
  stops.weight = goes_on.weight = random_tensor(2, 2, true);
  /* tanh saves its result, so the second run ends inside it; with early_stop off it goes through to the end */
  ctorch_tensor *y = checkpointed(run_block, x, &stops);
  ck_assert_int_eq(stops.operators, 4);
  ck_ok(backward(sum(y)));
  ck_assert_int_eq(stops.runs, 2);
  ck_assert_int_eq(stops.operators, 4 + 3);
  ck_ok(
      ctorch_checkpoint(&outputs, run_block, CTORCH_TENSORS(x), NULL, NULL, CTORCH_SOME(bool, false), NULL, &goes_on));
  ck_ok(backward(sum(first_of(outputs))));
  ck_assert_int_eq(goes_on.operators, 4 + 4);
}
END_TEST

START_TEST(each_pass_runs_the_function_again) {
  static block one;
  ctorch_tensor *x = random_tensor(3, 3, true), *y = NULL, *first = NULL;
  one.weight = random_tensor(3, 3, true);
  y = sum(checkpointed(run_block, x, &one));
  ck_ok(backward_again(y));
  first = grad_of(x);
  ck_ok(ctorch_tensor_set_grad(x, NULL));
  ck_ok(backward(y));
  ck_same(first, grad_of(x));
  ck_assert_int_eq(one.runs, 3);
  ck_fails(backward(y), CTORCH_ERROR_RUNTIME, "second time");
}
END_TEST

START_TEST(without_grad_mode_the_function_is_just_called) {
  static block one;
  ctorch_tensor_list *outputs = NULL;
  one.weight = random_tensor(3, 3, true);
  ck_ok(ctorch_grad_mode_push(false));
  ck_ok(ctorch_checkpoint(
      &outputs, run_block, CTORCH_TENSORS(random_tensor(3, 3, true)), NULL, NULL, NULL, count_block, &one));
  ck_ok(ctorch_grad_mode_pop());
  ck_assert(!ctorch_tensor_requires_grad(first_of(outputs)));
  ck_assert_int_eq(one.runs, 1);
  ck_assert_int_eq(one.destroyed, 1);
}
END_TEST

START_TEST(other_random_numbers_unless_they_are_preserved) {
  static block one;
  ctorch_tensor_list *outputs = NULL;
  ctorch_tensor *x = random_tensor(16, 16, true), *plain = NULL;
  one.weight = random_tensor(16, 16, false);
  ck_ok(ctorch_random_manual_seed(1));
  ck_ok(run_operators(&plain, &one, x));
  ck_ok(backward(sum(plain)));
  plain = grad_of(x);
  for (int preserve = 0; preserve < 2; preserve++) {
    bool same = false;
    ck_ok(ctorch_tensor_set_grad(x, NULL));
    ck_ok(ctorch_random_manual_seed(1));
    ck_ok(ctorch_checkpoint(
        &outputs, run_block, CTORCH_TENSORS(x), CTORCH_SOME(bool, preserve != 0), NULL, NULL, NULL, &one));
    ck_ok(backward(sum(first_of(outputs))));
    ck_ok(ctorch_aten_equal(&same, plain, grad_of(x)));
    ck_assert_int_eq(same, preserve != 0);
  }
}
END_TEST

/* Sees which autocast there is, and computes something. */
typedef struct {
  bool enabled[2];
  ctorch_dtype dtype[2];
  int runs;
} autocast_seen;

FUNCTION(look_at_autocast) {
  UNUSED;
  autocast_seen *seen = payload;
  ctorch_tensor *y = NULL;
  ck_assert_int_lt(seen->runs, 2);
  seen->enabled[seen->runs] = ctorch_autocast_enabled(CTORCH_DEVICE_TYPE_CPU);
  ck_ok(ctorch_autocast_dtype(&seen->dtype[seen->runs++], CTORCH_DEVICE_TYPE_CPU));
  ctorch_error *failure = ctorch_aten_exp(&y, inputs[0]);
  return answer(out, y, error, failure);
}

START_TEST(the_function_finds_autocast_as_it_was) {
  static autocast_seen inside, outside;
  ctorch_tensor *x = random_tensor(2, 2, true), *y = NULL, *z = NULL;
  ck_ok(ctorch_autocast_push(CTORCH_DEVICE_TYPE_CPU, true, CTORCH_SOME(ctorch_dtype, CTORCH_DTYPE_FLOAT16), NULL));
  y = sum(checkpointed(look_at_autocast, x, &inside));
  ck_ok(ctorch_autocast_pop());
  z = sum(checkpointed(look_at_autocast, x, &outside));
  ck_ok(backward(y));
  ck_assert(!ctorch_autocast_enabled(CTORCH_DEVICE_TYPE_CPU));
  ck_ok(ctorch_autocast_push(CTORCH_DEVICE_TYPE_CPU, true, NULL, NULL));
  ck_ok(backward(z));
  ck_assert(ctorch_autocast_enabled(CTORCH_DEVICE_TYPE_CPU));
  ck_ok(ctorch_autocast_pop());
  ck_assert_int_eq(inside.runs, 2);
  ck_assert(inside.enabled[0] && inside.enabled[1]);
  ck_assert_int_eq(inside.dtype[1], CTORCH_DTYPE_FLOAT16);
  ck_assert_int_eq(outside.runs, 2);
  ck_assert(!outside.enabled[0] && !outside.enabled[1]);
}
END_TEST

/* Nesting -----------------------------------------------------------------------------------------------------------*/

/* A tower of checkpoints, each around the next. */
typedef struct {
  int height;
  atomic_int runs;
} tower;

FUNCTION(climb) {
  UNUSED;
  tower *self = payload;
  ctorch_tensor *x = NULL, *y = NULL;
  ctorch_error *failure = NULL;
  atomic_fetch_add(&self->runs, 1);
  CTORCH_TRY_GOTO(failure, ctorch_aten_sin(&x, inputs[0]), done);
  if (self->height > 1) {
    ctorch_tensor_list *outputs = NULL;
    CTORCH_TRY_GOTO(
        failure, ctorch_checkpoint(&outputs, climb, CTORCH_TENSORS(x), NULL, NULL, NULL, NULL, self - 1), done);
    failure = ctorch_tensor_list_get(&y, outputs, 0);
    ctorch_tensor_list_release(outputs);
  } else {
    failure = ctorch_aten_exp(&y, x);
  }
done:
  ctorch_tensor_release(x);
  return answer(out, y, error, failure);
}

START_TEST(checkpoints_nest) {
  enum { HEIGHT = 6 };
  static tower floors[HEIGHT];
  ctorch_tensor *x = random_tensor(2, 2, true), *y = x;
  for (int i = 0; i < HEIGHT; i++) {
    floors[i].height = i + 1;
    ck_ok(ctorch_aten_sin(&y, y));
  }
  ck_ok(ctorch_aten_exp(&y, y));
  ck_ok(backward(sum(y)));
  ctorch_tensor *plain = grad_of(x);
  ck_ok(ctorch_tensor_set_grad(x, NULL));
  ck_ok(backward(sum(checkpointed(climb, x, &floors[HEIGHT - 1]))));
  ck_same(plain, grad_of(x));
  for (int i = 0; i < HEIGHT; i++) {
    ck_assert_int_eq(floors[i].runs, 2); /* a floor is stopped when the one inside has saved its input */
  }
}
END_TEST

/* d/dx of sin(x)^2, by a backward inside */
FUNCTION(differentiate) {
  UNUSED;
  ctorch_tensor *y = NULL, *square = NULL, *total = NULL, *result = NULL;
  ctorch_tensor_list *gradients = NULL;
  ctorch_error *failure = NULL;
  CTORCH_TRY_GOTO(failure, ctorch_aten_sin(&y, inputs[0]), done);
  CTORCH_TRY_GOTO(failure, ctorch_aten_mul_Tensor(&square, y, y), done);
  CTORCH_TRY_GOTO(failure, ctorch_aten_sum(&total, square, NULL), done);
  CTORCH_TRY_GOTO(
      failure,
      ctorch_autograd_grad(&gradients, CTORCH_TENSORS(total), inputs, 1, NULL, 0, NULL, true, NULL, false, false),
      done);
  failure = ctorch_tensor_list_get(&result, gradients, 0);
done:
  ctorch_tensor_list_release(gradients);
  ctorch_tensor_release(total);
  ctorch_tensor_release(square);
  ctorch_tensor_release(y);
  return answer(out, result, error, failure);
}

START_TEST(the_function_may_run_backward) {
  ctorch_tensor *x = random_tensor(2, 2, true), *expected = NULL;
  ctorch_tensor *y = checkpointed(differentiate, x, NULL);
  ck_ok(ctorch_aten_mul_Scalar(&expected, x, CTORCH_INT(2)));
  ck_ok(ctorch_aten_sin(&expected, expected)); /* sin(2 x) */
  bool close = false;
  ck_ok(ctorch_aten_allclose(&close, y, expected, 1e-5, 1e-6, false));
  ck_assert(close);
  ck_ok(backward(sum(y)));
  ck_ok(ctorch_aten_mul_Scalar(&expected, x, CTORCH_INT(2)));
  ck_ok(ctorch_aten_cos(&expected, expected));
  ck_ok(ctorch_aten_mul_Scalar(&expected, expected, CTORCH_INT(2))); /* 2 cos(2 x) */
  ck_ok(ctorch_aten_allclose(&close, grad_of(x), expected, 1e-5, 1e-6, false));
  ck_assert(close);
}
END_TEST

/* Failures ----------------------------------------------------------------------------------------------------------*/

/* Fails in one of its runs; or saves something else in the second one. */
typedef struct {
  int fails_in_run, runs, more, other_shape;
  ctorch_error *error;
  atomic_int destroyed;
} unreliable;

static void count_unreliable(void *payload) { atomic_fetch_add(&((unreliable *)payload)->destroyed, 1); }

FUNCTION(run_unreliable) {
  UNUSED;
  unreliable *self = payload;
  ctorch_tensor *y = NULL, *z = NULL;
  ctorch_error *failure = NULL;
  const bool again = self->runs++ > 0;
  CTORCH_TRY_GOTO(failure, ctorch_aten_exp(&y, inputs[0]), done);
  if (self->fails_in_run == self->runs) {
    ck_ok(ctorch_error_new(&self->error, CTORCH_ERROR_IO, "the disk is full"));
    failure = self->error;
    goto done;
  }
  if (again && self->other_shape) {
    ctorch_tensor_release(y);
    y = NULL;
    CTORCH_TRY_GOTO(failure, ctorch_aten_repeat(&z, inputs[0], CTORCH_INTS(2, 1)), done);
    CTORCH_TRY_GOTO(failure, ctorch_aten_exp(&y, z), done);
    ctorch_tensor_release(z);
    z = NULL;
  }
  for (int i = 0; i < (again ? 1 + self->more : 1); i++) {
    CTORCH_TRY_GOTO(failure, ctorch_aten_sin(&z, y), done);
    ctorch_tensor_release(y);
    y = z;
    z = NULL;
  }
done:
  ctorch_tensor_release(z);
  return answer(out, y, error, failure);
}

START_TEST(a_failure_of_the_function_is_the_callers) {
  static unreliable first = {.fails_in_run = 1}, second = {.fails_in_run = 2};
  ctorch_tensor *x = random_tensor(2, 2, true), *y = NULL;
  ctorch_tensor_list *outputs = NULL;
  ctorch_error *error =
      ctorch_checkpoint(&outputs, run_unreliable, CTORCH_TENSORS(x), NULL, NULL, NULL, count_unreliable, &first);
  ck_assert_ptr_nonnull(error);
  ck_assert_ptr_eq(error, first.error);
  ctorch_error_release(error);
  ck_assert_ptr_null(outputs);
  ck_assert_int_eq(first.destroyed, 0);

  y = sum(checkpointed(run_unreliable, x, &second));
  error = backward_again(y);
  ck_assert_ptr_nonnull(error);
  ck_assert_ptr_eq(error, second.error);
  ctorch_error_release(error);
  ck_ok(backward(y)); /* the third run is fine */
}
END_TEST

/* A function of the program's own inside a checkpoint, whose backward asks once more for what it was refused. */

static ctorch_callback_status save_input(
    ctorch_tensor_list **out,
    ctorch_autograd_context *context,
    const ctorch_tensor *const *tensors,
    size_t tensors_len,
    ctorch_error **error,
    void *payload) {
  (void)payload;
  ctorch_tensor *y = NULL;
  if ((*error = ctorch_autograd_context_save_for_backward(context, tensors, tensors_len)) == NULL &&
      (*error = ctorch_aten_mul_Tensor(&y, tensors[0], tensors[0])) == NULL) {
    *error = ctorch_tensor_list_new(out, CTORCH_TENSORS(y));
  }
  return ctorch_callback_finish(error, NULL, NULL);
}

static int times_refused;
static ctorch_callback_status ask_twice(
    ctorch_tensor_list **out,
    const ctorch_autograd_context *context,
    const ctorch_tensor *const *tensors,
    size_t tensors_len,
    ctorch_error **error,
    void *payload) {
  (void)tensors_len, (void)payload;
  ctorch_tensor_list *saved = NULL;
  ctorch_tensor *twice = NULL, *grad = NULL;
  *error = ctorch_autograd_context_saved_tensors(&saved, context);
  if (*error != NULL) {
    times_refused++;
    ctorch_error_release(*error);
    *error = ctorch_autograd_context_saved_tensors(&saved, context);
  }
  if (*error == NULL &&
      (*error = ctorch_aten_mul_Scalar(&twice, ctorch_tensor_list_data(saved)[0], CTORCH_INT(2))) == NULL &&
      (*error = ctorch_aten_mul_Tensor(&grad, twice, tensors[0])) == NULL) {
    *error = ctorch_tensor_list_new(out, CTORCH_TENSORS(grad));
  }
  return ctorch_callback_finish(error, NULL, NULL);
}

typedef struct {
  ctorch_autograd_function *square;
  int runs;
} squared_exp;

/** square(exp(x)), whose second run fails after it has saved again. */
FUNCTION(run_squared_exp) {
  (void)inputs_len;
  squared_exp *self = payload;
  ctorch_tensor *y = NULL;
  self->runs++;
  if ((*error = ctorch_aten_exp(&y, inputs[0])) == NULL) {
    *error = ctorch_autograd_function_apply(out, self->square, CTORCH_TENSORS(y), NULL, NULL);
  }
  if (*error == NULL && self->runs == 2) {
    ck_ok(ctorch_error_new(error, CTORCH_ERROR_IO, "the disk is full"));
  }
  return ctorch_callback_finish(error, NULL, NULL);
}

START_TEST(after_a_failed_run_the_same_pass_may_ask_again) {
  squared_exp function = {NULL, 0};
  ctorch_tensor_list *outputs = NULL;
  ctorch_tensor *x = floats(CTORCH_INTS(1), 0.5F), *grad = NULL;
  ck_ok(ctorch_tensor_set_requires_grad(x, true));
  times_refused = 0;
  ck_ok(ctorch_autograd_function_new(&function.square, "Square", save_input, ask_twice, NULL, false, NULL, NULL));
  ck_ok(ctorch_checkpoint(
      &outputs, run_squared_exp, CTORCH_TENSORS(x), NULL, NULL, CTORCH_SOME(bool, false), NULL, &function));
  ck_ok(backward(sum(first_of(outputs))));
  ck_assert_int_eq(times_refused, 1);
  ck_assert_int_eq(function.runs, 3);
  ck_ok(ctorch_tensor_grad(&grad, x));
  ck_floats_near(grad, 1e-5, 5.43656366F); /* d/dx e^2x = 2 e^2x at 1/2 */
}
END_TEST

START_TEST(a_function_that_saves_something_else_is_found_out) {
  static unreliable shape = {.other_shape = 1}, unchecked = {.other_shape = 1}, fewer = {.more = -1},
                    more = {.more = 1};
  ctorch_tensor_list *outputs = NULL;
  ctorch_tensor *x = random_tensor(1, 2, true);
  ck_fails(
      backward(sum(checkpointed(run_unreliable, x, &shape))), CTORCH_ERROR_RUNTIME,
      "saved metadata: {'shape': torch.Size([1, 2]), 'dtype': torch.float32, 'device': device(type='cpu')}\n"
      "recomputed metadata: {'shape': torch.Size([2, 2]), 'dtype': torch.float32, 'device': device(type='cpu')}");
  ck_ok(ctorch_checkpoint(&outputs, run_unreliable, CTORCH_TENSORS(x), NULL, "none", NULL, NULL, &unchecked));
  ck_ok(backward(sum(first_of(outputs))));
  ck_fails(
      backward(sum(checkpointed(run_unreliable, x, &fewer))), CTORCH_ERROR_RUNTIME,
      "Number of tensors saved during forward: 2\nNumber of tensors saved during recomputation: 1.");
  ck_ok(ctorch_checkpoint(
      &outputs, run_unreliable, CTORCH_TENSORS(x), NULL, NULL, CTORCH_SOME(bool, false), NULL, &more));
  ck_fails(backward(sum(first_of(outputs))), CTORCH_ERROR_RUNTIME, "trying to save more tensors during recomputation");
}
END_TEST

START_TEST(an_input_must_not_change_until_backward) {
  static block one;
  ctorch_tensor *x = NULL, *y = NULL;
  one.weight = random_tensor(2, 2, true);
  ck_ok(ctorch_aten_neg(&x, random_tensor(2, 2, true)));
  y = sum(checkpointed(run_block, x, &one));
  ck_ok(ctorch_aten_add__Scalar(x, CTORCH_INT(1), NULL));
  ck_fails(backward(y), CTORCH_ERROR_RUNTIME, "modified by an inplace operation");
}
END_TEST

START_TEST(bad_arguments_are_refused) {
  static block one;
  ctorch_tensor_list *outputs = NULL;
  ctorch_tensor *x = random_tensor(2, 2, true);
  const ctorch_tensor *const inputs[] = {x};
  ck_fails(
      ctorch_checkpoint(NULL, run_block, inputs, 1, NULL, NULL, NULL, count_block, &one), CTORCH_ERROR_NULL_ARGUMENT,
      "out");
  ck_fails(
      ctorch_checkpoint(&outputs, NULL, inputs, 1, NULL, NULL, NULL, count_block, &one), CTORCH_ERROR_NULL_ARGUMENT,
      "function");
  ck_fails(
      ctorch_checkpoint(&outputs, run_block, NULL, 1, NULL, NULL, NULL, count_block, &one), CTORCH_ERROR_NULL_ARGUMENT,
      "inputs");
  ck_fails(
      ctorch_checkpoint(&outputs, run_block, inputs, SIZE_MAX, NULL, NULL, NULL, count_block, &one),
      CTORCH_ERROR_INVALID_ARGUMENT, "inputs");
  ck_fails(
      ctorch_checkpoint(&outputs, run_block, inputs, 1, NULL, "often", NULL, count_block, &one), CTORCH_ERROR_VALUE,
      "determinism_check should be one of ['default', 'none'], but got often");
  ck_fails(
      ctorch_checkpoint(&outputs, run_block, inputs, 1, NULL, "\xff", NULL, count_block, &one),
      CTORCH_ERROR_INVALID_ARGUMENT, "determinism_check");
  ck_assert_ptr_null(outputs);
  ck_assert_int_eq(one.runs, 0);
  ck_assert_int_eq(one.destroyed, 0);
}
END_TEST

FUNCTION(hand_over_nothing) {
  UNUSED;
  return CTORCH_CALLBACK_OK;
}

START_TEST(a_null_list_has_no_outputs) {
  ctorch_tensor_list *outputs = NULL;
  ck_ok(ctorch_checkpoint(&outputs, hand_over_nothing, NULL, 0, NULL, NULL, NULL, NULL, NULL));
  ck_assert_uint_eq(ctorch_tensor_list_len(outputs), 0);
}
END_TEST

/* Payloads ----------------------------------------------------------------------------------------------------------*/

START_TEST(the_payload_is_destroyed_once_when_the_graph_is_gone) {
  static block used, dropped;
  ctorch_tensor_list *outputs = NULL;
  ctorch_tensor *x = random_tensor(2, 2, true), *y = NULL;
  used.weight = dropped.weight = random_tensor(2, 2, true);
  ck_ok(ctorch_checkpoint(&outputs, run_block, CTORCH_TENSORS(x), NULL, NULL, NULL, count_block, &used));
  y = sum(first_of(outputs));
  ck_assert_int_eq(used.destroyed, 0);
  ck_ok(backward_again(y));
  ck_assert_int_eq(used.destroyed, 0);
  ck_ok(backward(y));
  ck_assert_int_eq(used.destroyed, 1);
  ck_ok(ctorch_checkpoint(&outputs, run_block, CTORCH_TENSORS(x), NULL, NULL, NULL, count_block, &dropped));
  ck_assert_int_eq(dropped.destroyed, 0);
  ctorch_tensor_list_release(outputs);
  ck_assert_int_eq(dropped.destroyed, 1);
}
END_TEST

/* Threads -----------------------------------------------------------------------------------------------------------*/

enum { THREADS = 4, ROUNDS = 50 };

static void run_side_by_side(void *(*function)(void *), void *argument) {
  pthread_t threads[THREADS];
  for (int i = 0; i < THREADS; i++) {
    ck_assert_int_eq(pthread_create(&threads[i], NULL, function, argument), 0);
  }
  for (int i = 0; i < THREADS; i++) {
    ck_assert_int_eq(pthread_join(threads[i], NULL), 0);
  }
}

FUNCTION(sine_of_exponential) {
  UNUSED;
  ctorch_tensor *y = NULL, *z = NULL;
  ctorch_error *failure = ctorch_aten_exp(&y, inputs[0]);
  if (failure == NULL) {
    failure = ctorch_aten_sin(&z, y);
  }
  ctorch_tensor_release(y);
  return answer(out, z, error, failure);
}

static void *trains(void *nothing) {
  (void)nothing;
  for (int i = 0; i < ROUNDS; i++) {
    ctorch_scope *scope = NULL;
    ck_ok(ctorch_scope_begin(&scope));
    ctorch_tensor *x = floats(CTORCH_INTS(1), 0);
    ck_ok(ctorch_tensor_set_requires_grad(x, true));
    ck_ok(backward(checkpointed(sine_of_exponential, x, NULL)));
    ck_floats_near(grad_of(x), 1e-6, cosf(1));
    ctorch_scope_end(scope);
  }
  return NULL;
}

START_TEST(several_threads_may_checkpoint) { run_side_by_side(trains, NULL); }
END_TEST

static void *runs_backward(void *y) {
  for (int i = 0; i < ROUNDS; i++) {
    ck_ok(backward_again(y));
  }
  return NULL;
}

START_TEST(several_threads_may_run_backward_through_one_checkpoint) {
  ctorch_tensor *x = floats(CTORCH_INTS(1), 0);
  ck_ok(ctorch_tensor_set_requires_grad(x, true));
  run_side_by_side(runs_backward, checkpointed(sine_of_exponential, x, NULL));
  ck_floats_near(grad_of(x), 1e-3, THREADS * ROUNDS * cosf(1));
}
END_TEST

static void *backward_elsewhere(void *y) {
  ck_ok(backward(y));
  return NULL;
}

START_TEST(another_thread_may_run_backward) {
  ctorch_tensor *x = floats(CTORCH_INTS(1), 0);
  pthread_t thread;
  ck_ok(ctorch_tensor_set_requires_grad(x, true));
  ck_assert_int_eq(pthread_create(&thread, NULL, backward_elsewhere, checkpointed(sine_of_exponential, x, NULL)), 0);
  ck_assert_int_eq(pthread_join(thread, NULL), 0);
  ck_floats_near(grad_of(x), 1e-6, cosf(1));
}
END_TEST

int main(void) {
  Suite *suite = suite_create("checkpoint");
  ck_scoped_case(suite, gradients_and_random_numbers_are_the_same_to_the_bit);
  ck_scoped_case(suite, activations_cost_no_memory_between_forward_and_backward);
  ck_scoped_case(suite, the_function_stops_when_it_has_saved_everything_again);
  ck_scoped_case(suite, each_pass_runs_the_function_again);
  ck_scoped_case(suite, without_grad_mode_the_function_is_just_called);
  ck_scoped_case(suite, other_random_numbers_unless_they_are_preserved);
  ck_scoped_case(suite, the_function_finds_autocast_as_it_was);
  ck_scoped_case(suite, checkpoints_nest);
  ck_scoped_case(suite, the_function_may_run_backward);
  ck_scoped_case(suite, a_failure_of_the_function_is_the_callers);
  ck_scoped_case(suite, a_function_that_saves_something_else_is_found_out);
  ck_scoped_case(suite, an_input_must_not_change_until_backward);
  ck_scoped_case(suite, bad_arguments_are_refused);
  ck_scoped_case(suite, a_null_list_has_no_outputs);
  ck_scoped_case(suite, the_payload_is_destroyed_once_when_the_graph_is_gone);
  ck_scoped_case(suite, several_threads_may_checkpoint);
  ck_scoped_case(suite, several_threads_may_run_backward_through_one_checkpoint);
  ck_scoped_case(suite, another_thread_may_run_backward);
  ck_scoped_case(suite, after_a_failed_run_the_same_pass_may_ask_again);
  return ck_main(suite);
}
