/* libspl_ctorch under the tools that see memory: who owns what a word stands for, and what becomes of it. The values are
 * compared with PyTorch's by tests/languages/test_word*.py; these run under the sanitizers and valgrind. */
#include <pthread.h>
#include <rt_ctorch.h>
#include <stdint.h>
#include <stdio.h>

#include "harness/check.h"

enum { SLOT_BITS = 24, INT64 = 4, THREADS = 4, ROUNDS = 300 };

/** A call that has to succeed. */
#define ok(expression) ok_(#expression, (expression))

static int64_t ok_(const char *call, int64_t word) {
  if (word < 0) {
    ck_abort_msg("%s\n  failed: %s", call, (const char *)(uintptr_t)rt_ctorch_last_error());
  }
  return word;
}

/** A call that has to fail with that code, and say so of the thread. */
#define fails(expression, code)                                               \
  do {                                                                        \
    ck_assert_int_eq((expression), -(int64_t)(code));                         \
    ck_assert_int_eq(rt_ctorch_last_error_code(), (code));                    \
    ck_assert_int_ne(*(const char *)(uintptr_t)rt_ctorch_last_error(), '\0'); \
    ok(rt_ctorch_last_error_clear());                                         \
  } while (0)

static void nothing_is_left(void) { ck_assert_int_eq(rt_ctorch_live_handles(), 0); }

static int64_t number(int64_t value) { return ok(rt_ctorch_number_int(value)); }

/** 2^64 - 1 and its kind: numbers that no int64 holds. */
static int64_t unsigned_number(uint64_t value) {
  return ok(rt_ctorch_number_uint_halves((int64_t)(value >> 32), (int64_t)(value & UINT32_MAX)));
}

static int64_t int_of(int64_t word) {
  int64_t value = rt_ctorch_number_to_int(word);
  ck_assert_int_eq(rt_ctorch_last_error_code(), 0);
  return value;
}

/** A tensor of int64s. */
static int64_t row(int64_t first, int64_t second) {
  int64_t data = ok(rt_ctorch_ints_of(2, first, second, 0, 0, 0, 0, 0));
  int64_t sizes = ok(rt_ctorch_ints_of(1, 2, 0, 0, 0, 0, 0, 0));
  int64_t made = ok(rt_ctorch_tensor_from_data(data, sizes, INT64));
  ok(rt_ctorch_release(data));
  ok(rt_ctorch_release(sizes));
  return made;
}

static int64_t element(int64_t tensor, int64_t index) {
  int64_t one = ok(rt_ctorch_aten_select_int(tensor, 0, index));
  int64_t word = ok(rt_ctorch_tensor_item_int64(one));
  int64_t value = int_of(word);
  ok(rt_ctorch_release(one));
  ok(rt_ctorch_release(word));
  return value;
}

static int64_t value_of(int64_t value) {
  int64_t word = ok(rt_ctorch_value_to_int(value));
  int64_t read = int_of(word);
  ok(rt_ctorch_release(word));
  return read;
}

/* Lists */

START_TEST(an_entry_outlives_its_list) {
  int64_t values = ok(rt_ctorch_values_new());
  int64_t tensors = ok(rt_ctorch_tensors_new());
  int64_t texts = ok(rt_ctorch_texts_new());
  int64_t scalars = ok(rt_ctorch_scalars_new());
  int64_t value = ok(rt_ctorch_value_from_int(7));
  int64_t tensor = row(3, 4);
  int64_t text = ok(rt_ctorch_text_from_address((int64_t)(uintptr_t) "five"));
  int64_t wide = unsigned_number(UINT64_MAX);
  ok(rt_ctorch_values_push(values, value));
  ok(rt_ctorch_values_push(values, 0));
  ok(rt_ctorch_tensors_push(tensors, tensor));
  ok(rt_ctorch_tensors_push(tensors, 0));
  ok(rt_ctorch_texts_push(texts, text));
  ok(rt_ctorch_scalars_push(scalars, wide));
  ok(rt_ctorch_release(value));
  ok(rt_ctorch_release(tensor));
  ok(rt_ctorch_release(text));
  ok(rt_ctorch_release(wide));
  int64_t got[2][4];
  for (int i = 0; i < 2; i++) {
    got[i][0] = ok(rt_ctorch_values_get(values, 0));
    got[i][1] = ok(rt_ctorch_tensors_get(tensors, 0));
    got[i][2] = ok(rt_ctorch_texts_get(texts, 0));
    got[i][3] = ok(rt_ctorch_scalars_get(scalars, 0));
  }
  ck_assert_int_eq(rt_ctorch_values_get(values, 1), 0);
  ck_assert_int_eq(rt_ctorch_tensors_get(tensors, 1), 0);
  fails(rt_ctorch_values_get(values, 2), CTORCH_ERROR_INDEX);
  fails(rt_ctorch_values_push(values, values), CTORCH_ERROR_INVALID_HANDLE);
  fails(rt_ctorch_tensors_push(values, got[0][1]), CTORCH_ERROR_INVALID_HANDLE);
  ok(rt_ctorch_release(values));
  ok(rt_ctorch_release(tensors));
  ok(rt_ctorch_release(texts));
  ok(rt_ctorch_release(scalars));
  for (int i = 0; i < 2; i++) {
    ck_assert_int_eq(value_of(got[i][0]), 7);
    ck_assert_int_eq(element(got[i][1], 1), 4);
    ck_assert_int_eq(ok(rt_ctorch_text_byte(got[i][2], 0)), 'f');
    ck_assert_int_eq(ok(rt_ctorch_number_to_int_low(got[i][3])), UINT32_MAX);
    for (int k = 0; k < 4; k++) {
      ok(rt_ctorch_release(got[i][k]));
    }
  }
  nothing_is_left();
}
END_TEST

/** An optimizer over one tensor. */
static int64_t optimizer_of(int64_t tensor) {
  int64_t weight = ok(rt_ctorch_aten_div_Tensor(tensor, tensor)); /* a float */
  ok(rt_ctorch_tensor_set_requires_grad(weight, 1));
  int64_t params = ok(rt_ctorch_tensors_of(1, weight, 0, 0, 0, 0, 0, 0));
  int64_t pack = ok(rt_ctorch_pack_new());
  ok(rt_ctorch_pack_push(pack, params));
  int64_t optimizer = ok(rt_ctorch_optim_SGD(pack));
  ok(rt_ctorch_release(weight));
  ok(rt_ctorch_release(params));
  ok(rt_ctorch_release(pack));
  return optimizer;
}

START_TEST(handles_come_in_a_list_of_integers) {
  int64_t tensor = row(1, 2), optimizer = optimizer_of(tensor), gamma = number(1);
  int64_t scheduler = ok(rt_ctorch_lr_scheduler_ExponentialLR(optimizer, gamma, -1));
  int64_t twice = ok(rt_ctorch_ints_of(2, scheduler, scheduler, 0, 0, 0, 0, 0));
  int64_t wrong = ok(rt_ctorch_ints_of(2, scheduler, optimizer, 0, 0, 0, 0, 0));
  int64_t none = ok(rt_ctorch_ints_new());
  int64_t chained = ok(rt_ctorch_lr_scheduler_ChainedScheduler(twice, 0));
  fails(rt_ctorch_lr_scheduler_ChainedScheduler(wrong, 0), CTORCH_ERROR_INVALID_HANDLE);
  fails(rt_ctorch_lr_scheduler_ChainedScheduler(none, 0), CTORCH_ERROR_VALUE);
  ok(rt_ctorch_release(scheduler));
  fails(rt_ctorch_lr_scheduler_ChainedScheduler(twice, 0), CTORCH_ERROR_INVALID_HANDLE);
  ok(rt_ctorch_optimizer_step(optimizer));
  ok(rt_ctorch_lr_scheduler_step(chained));
  for (int i = 0; i < 7; i++) {
    ok(rt_ctorch_release((const int64_t[]){tensor, optimizer, gamma, twice, wrong, none, chained}[i]));
  }
  nothing_is_left();
}
END_TEST

START_TEST(a_tuple_gives_an_item_away_once) {
  int64_t tensor = row(9, 8);
  int64_t pair = ok(rt_ctorch_aten_sort(tensor, -1, 0));
  int64_t borrowed = ok(rt_ctorch_tuple_get(pair, 0));
  int64_t taken = ok(rt_ctorch_tuple_take(pair, 1));
  fails(rt_ctorch_tuple_take(pair, 2), CTORCH_ERROR_INDEX);
  ck_assert_int_eq(element(borrowed, 0), 8);
  ok(rt_ctorch_release(borrowed));
  ok(rt_ctorch_release(pair));
  ck_assert_int_eq(element(taken, 0), 1);
  ok(rt_ctorch_release(taken));
  ok(rt_ctorch_release(tensor));
  nothing_is_left();
}
END_TEST

START_TEST(an_operator_by_name_owns_neither_arguments_nor_results) {
  int64_t name = ok(rt_ctorch_text_from_address((int64_t)(uintptr_t) "aten::add"));
  int64_t overload = ok(rt_ctorch_text_from_address((int64_t)(uintptr_t) "Tensor"));
  int64_t op = ok(rt_ctorch_op_find(name, overload));
  int64_t tensor = row(20, 1);
  int64_t value = ok(rt_ctorch_value_from_tensor(tensor));
  int64_t args = ok(rt_ctorch_values_new());
  ok(rt_ctorch_values_push(args, value));
  ok(rt_ctorch_values_push(args, value));
  int64_t sum = ok(rt_ctorch_op_call(op, args));
  int64_t result = ok(rt_ctorch_value_to_tensor(sum));
  ok(rt_ctorch_release(args));
  ok(rt_ctorch_release(value));
  ok(rt_ctorch_release(sum));
  ck_assert_int_eq(element(result, 0), 40);
  ck_assert_int_eq(element(tensor, 0), 20);
  const int64_t rest[] = {name, overload, op, tensor, result};
  for (size_t i = 0; i < sizeof rest / sizeof rest[0]; i++) {
    ok(rt_ctorch_release(rest[i]));
  }
  nothing_is_left();
}
END_TEST

/* Numbers */

START_TEST(a_number_of_2_to_63_or_more_is_no_integer) {
  int64_t tensor = row(1, 2);
  int64_t ints = ok(rt_ctorch_ints_new());
  const uint64_t wide[] = {UINT64_C(1) << 63, (UINT64_C(1) << 63) + 1, UINT64_MAX - 1, UINT64_MAX};
  for (size_t i = 0; i < sizeof wide / sizeof wide[0]; i++) {
    int64_t word = unsigned_number(wide[i]);
    fails(rt_ctorch_ints_push_number(ints, word), CTORCH_ERROR_TYPE);
    fails(rt_ctorch_number_to_int(word), CTORCH_ERROR_TYPE);
    fails(rt_ctorch_aten_argmax(tensor, word, 0), CTORCH_ERROR_TYPE);             /* -1 would be the last dimension */
    fails(rt_ctorch_aten_sum(tensor, word), CTORCH_ERROR_TYPE);                   /* a dtype */
    fails(rt_ctorch_aten_ones_like(tensor, 0, 0, 0, word, 0), CTORCH_ERROR_TYPE); /* a bool */
    ck_assert_int_eq(ok(rt_ctorch_number_kind(word)), CTORCH_SCALAR_UINT);
    ok(rt_ctorch_release(word));
  }
  ck_assert_int_eq(ok(rt_ctorch_ints_len(ints)), 0);
  int64_t most = number(INT64_MAX);
  ok(rt_ctorch_ints_push_number(ints, most));
  int64_t got = ok(rt_ctorch_ints_get(ints, 0));
  ck_assert_int_eq(int_of(got), INT64_MAX);
  ok(rt_ctorch_release(got));
  ok(rt_ctorch_release(most));
  ok(rt_ctorch_release(ints));
  ok(rt_ctorch_release(tensor));
  nothing_is_left();
}
END_TEST

/* Handles */

START_TEST(what_is_taken_over_leaves_its_slot_behind) {
  int64_t tensor = row(1, 2);
  int64_t highest = 0;
  for (int i = 0; i < ROUNDS; i++) {
    int64_t managed = ok(rt_ctorch_tensor_to_dlpack(tensor, 0, 0, 0, 0));
    int64_t pair = ok(rt_ctorch_tensor_from_dlpack(managed));
    fails(rt_ctorch_tensor_from_dlpack(managed), CTORCH_ERROR_INVALID_HANDLE);
    int64_t slot = managed & ((INT64_C(1) << SLOT_BITS) - 1);
    highest = slot > highest ? slot : highest;
    ok(rt_ctorch_release(pair));
  }
  ck_assert_int_lt(highest, 20); /* a slot that was lost in each round would make it ROUNDS */
  ok(rt_ctorch_release(tensor));
  nothing_is_left();
}
END_TEST

START_TEST(a_handle_that_was_given_back_is_refused) {
  int64_t tensor = row(1, 2);
  ok(rt_ctorch_retain(tensor));
  ok(rt_ctorch_release(tensor));
  ck_assert_int_eq(element(tensor, 0), 1);
  ok(rt_ctorch_release(tensor));
  fails(rt_ctorch_release(tensor), CTORCH_ERROR_INVALID_HANDLE);
  fails(rt_ctorch_retain(tensor), CTORCH_ERROR_INVALID_HANDLE);
  fails(rt_ctorch_aten_neg(tensor), CTORCH_ERROR_INVALID_HANDLE);
  fails(rt_ctorch_aten_neg(0), CTORCH_ERROR_INVALID_HANDLE);
  fails(rt_ctorch_aten_neg(number(1)), CTORCH_ERROR_INVALID_HANDLE);
  nothing_is_left();
}
END_TEST

START_TEST(a_scope_gives_back_what_was_made_in_it) {
  int64_t outer = ok(rt_ctorch_scope_begin());
  int64_t inner = ok(rt_ctorch_scope_begin());
  int64_t kept = row(5, 6);
  for (int i = 0; i < 100; i++) {
    (void)ok(rt_ctorch_aten_neg(kept));
  }
  ok(rt_ctorch_scope_keep(inner, kept)); /* it belongs to the outer one now */
  ok(rt_ctorch_scope_end(inner));
  ck_assert_int_eq(element(kept, 1), 6);
  ok(rt_ctorch_scope_end(outer));
  fails(rt_ctorch_aten_neg(kept), CTORCH_ERROR_INVALID_HANDLE);
  nothing_is_left();
}
END_TEST

START_TEST(an_error_is_the_threads_until_it_is_taken) {
  int64_t tensor = row(1, 2);
  int64_t other = ok(rt_ctorch_aten_repeat_interleave_Tensor(tensor, 0)); /* three elements */
  ck_assert_int_eq(rt_ctorch_aten_add_Tensor(tensor, other, 0), -CTORCH_ERROR_SHAPE_MISMATCH);
  int64_t error = ok(rt_ctorch_last_error_take());
  ck_assert_int_gt(error, 0);
  ck_assert_int_eq(rt_ctorch_last_error_code(), 0);
  ck_assert_int_eq(rt_ctorch_last_error_take(), 0);
  ck_assert_int_eq(ok(rt_ctorch_error_kind_of(error)), CTORCH_ERROR_SHAPE_MISMATCH);
  ok(rt_ctorch_release(error));
  ok(rt_ctorch_release(tensor));
  ok(rt_ctorch_release(other));
  nothing_is_left();
}
END_TEST

/* Threads */

static int64_t shared_values, shared_tensors;

/** What threads do at once with lists that they share; the number of what went wrong. */
static void *use_shared(void *index) {
  intptr_t wrong = 0;
  int64_t scope = rt_ctorch_scope_begin();
  for (int i = 0; i < ROUNDS; i++) {
    int64_t value = rt_ctorch_values_get(shared_values, 0);
    int64_t tensor = rt_ctorch_tensors_get(shared_tensors, 0);
    int64_t sum = rt_ctorch_aten_add_Tensor(tensor, tensor, 0);
    wrong += value <= 0 || tensor <= 0 || sum <= 0 || rt_ctorch_tensor_numel(sum) != 2;
    wrong += rt_ctorch_retain(tensor) != tensor || rt_ctorch_release(tensor) != 1;
    wrong += rt_ctorch_release(value) != 1 || rt_ctorch_release(sum) != 1;
    wrong += rt_ctorch_aten_select_int(tensor, 0, 1000 + (intptr_t)index) != -CTORCH_ERROR_INDEX;
  }
  wrong += rt_ctorch_scope_end(scope) != 1;
  return (void *)wrong;
}

START_TEST(threads_share_lists) {
  int64_t tensor = row(1, 2);
  int64_t value = ok(rt_ctorch_value_from_int(7));
  shared_values = ok(rt_ctorch_values_new());
  shared_tensors = ok(rt_ctorch_tensors_of(1, tensor, 0, 0, 0, 0, 0, 0));
  ok(rt_ctorch_values_push(shared_values, value));
  pthread_t threads[THREADS];
  for (intptr_t i = 0; i < THREADS; i++) {
    ck_assert_int_eq(pthread_create(&threads[i], NULL, use_shared, (void *)i), 0);
  }
  for (int i = 0; i < THREADS; i++) {
    void *wrong = NULL;
    ck_assert_int_eq(pthread_join(threads[i], &wrong), 0);
    ck_assert_ptr_null(wrong);
  }
  ck_assert_int_eq(value_of(value), 7);
  ok(rt_ctorch_release(value));
  ok(rt_ctorch_release(tensor));
  ok(rt_ctorch_release(shared_values));
  ok(rt_ctorch_release(shared_tensors));
  nothing_is_left();
}
END_TEST

int main(void) {
  Suite *suite = suite_create("word");
  ck_case(suite, an_entry_outlives_its_list);
  ck_case(suite, handles_come_in_a_list_of_integers);
  ck_case(suite, a_tuple_gives_an_item_away_once);
  ck_case(suite, an_operator_by_name_owns_neither_arguments_nor_results);
  ck_case(suite, a_number_of_2_to_63_or_more_is_no_integer);
  ck_case(suite, what_is_taken_over_leaves_its_slot_behind);
  ck_case(suite, a_handle_that_was_given_back_is_refused);
  ck_case(suite, a_scope_gives_back_what_was_made_in_it);
  ck_case(suite, an_error_is_the_threads_until_it_is_taken);
  ck_case(suite, threads_share_lists);
  return ck_main(suite);
}
