/* Memory pressure: what is counted, when the callback runs, and what it may do. */
#include <pthread.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "harness/values.h"

enum { KIB = 1024, MIB = 1024 * 1024 };

/** What a callback saw, and what it is to do. */
typedef struct {
  int calls, destroyed;
  ctorch_memory_pressure reason;
  uint64_t held, requested;
  ctorch_tensor *garbage[64]; /* released by the next call */
  int fails;                  /* 1: with an error, 2: without */
  ctorch_scope *scope;        /* ended by the next call */
  void (*action)(void);
  pthread_t thread;
} observer;

/* The observers of the test that runs. */
static observer o, other;

static void destroyed(void *payload) { ((observer *)payload)->destroyed++; }

static ctorch_callback_status observe(
    ctorch_memory_pressure reason, uint64_t held, uint64_t requested, ctorch_error **error, void *payload) {
  observer *self = payload;
  self->calls++;
  self->reason = reason;
  self->held = held;
  self->requested = requested;
  self->thread = pthread_self();
  for (size_t i = 0; i < sizeof self->garbage / sizeof *self->garbage; i++) {
    ctorch_tensor_release(self->garbage[i]);
    self->garbage[i] = NULL;
  }
  if (self->scope != NULL) {
    ctorch_scope_end(self->scope);
    self->scope = NULL;
  }
  if (self->action != NULL) {
    self->action();
  }
  if (self->fails == 1) {
    *error = NULL;
    ck_ok(ctorch_error_new(error, CTORCH_ERROR_VALUE, "the collector broke"));
  }
  return self->fails == 0 ? CTORCH_CALLBACK_OK : 0;
}

static void watch(observer *self, uint64_t threshold) {
  ck_ok(ctorch_memory_pressure_set_callback(observe, threshold, destroyed, self));
}

static uint64_t held(void) { return ctorch_memory_pressure_held_bytes(); }

/** A tensor of this many bytes, which nothing has touched. */
static ctorch_tensor *bytes(int64_t nbytes) {
  ctorch_tensor *out = NULL;
  const ctorch_dtype dtype = CTORCH_DTYPE_UINT8;
  ck_ok(ctorch_aten_empty_memory_format(&out, &nbytes, 1, &dtype, NULL, NULL, NULL, NULL));
  return out;
}

/* What is counted -------------------------------------------------------------------------------------------------- */

START_TEST(nothing_is_counted_without_a_callback) {
  ctorch_tensor *x = bytes(MIB);
  ck_assert_uint_eq(held(), 0);
  watch(&o, 0);
  ck_assert_uint_eq(held(), 0);
  ctorch_tensor *y = bytes(3 * KIB);
  ck_assert_uint_eq(held(), 3 * KIB);
  ctorch_tensor_release(x); /* made before: giving it back takes nothing off */
  ck_assert_uint_eq(held(), 3 * KIB);
  ctorch_memory_pressure_clear_callback();
  ck_assert_uint_eq(held(), 0);
  ctorch_tensor_release(y);
  ctorch_tensor *z = bytes(MIB);
  ck_assert_uint_eq(held(), 0);
  ctorch_tensor_release(z);
  ck_assert_int_eq(o.calls, 0);
}
END_TEST

START_TEST(memory_counts_once_however_many_handles_look_at_it) {
  watch(&o, 0);
  ctorch_tensor *x = bytes(MIB), *view = NULL, *alias = NULL;
  ck_ok(ctorch_aten_narrow(&view, x, 0, 10, 20));
  ck_ok(ctorch_aten_alias(&alias, x));
  ctorch_tensor_retain(x);
  ctorch_storage *storage = NULL;
  ck_ok(ctorch_storage_from_tensor(&storage, x));
  ck_assert_uint_eq(held(), MIB);
  ctorch_tensor_release(x);
  ctorch_tensor_release(alias);
  ctorch_tensor_release(x);
  ctorch_storage_release(storage);
  ck_assert_uint_eq(held(), MIB); /* a view of twenty bytes keeps all of it alive */
  ctorch_tensor_release(view);
  ck_assert_uint_eq(held(), 0);
}
END_TEST

START_TEST(lists_and_storages_count) {
  watch(&o, 0);
  ctorch_tensor *x = bytes(MIB);
  ctorch_tensor_list *parts = NULL;
  ck_ok(ctorch_aten_split_Tensor(&parts, x, MIB / 4, 0));
  ctorch_tensor_release(x);
  ck_assert_uint_eq(held(), MIB);
  ctorch_tensor *part = NULL;
  ck_ok(ctorch_tensor_list_get(&part, parts, 2));
  ctorch_tensor_list_release(parts);
  ck_assert_uint_eq(held(), MIB);
  ctorch_tensor_release(part);
  ck_assert_uint_eq(held(), 0);
  ctorch_storage *storage = NULL;
  ck_ok(ctorch_storage_new(&storage, 5 * KIB));
  ctorch_storage_retain(storage);
  ck_assert_uint_eq(held(), 5 * KIB);
  ctorch_storage_release(storage);
  ctorch_storage_release(storage);
  ck_assert_uint_eq(held(), 0);
}
END_TEST

START_TEST(sparse_tensors_count_their_parts_and_meta_tensors_nothing) {
  watch(&o, 0);
  ctorch_scope *scope = NULL;
  ck_ok(ctorch_scope_begin(&scope));
  ctorch_tensor *dense = floats(CTORCH_INTS(2, 3), 0, 7, 0, 0, 0, 8), *sparse = NULL, *csr = NULL;
  ck_assert_uint_eq(held(), 6 * 4);
  ck_ok(ctorch_aten_to_sparse(&sparse, dense, NULL, CTORCH_DEFAULT_LIST, NULL));
  ck_assert_uint_eq(held(), 6 * 4 + 2 * (2 * 8 + 4)); /* two entries: two indices and a value each */
  ck_ok(ctorch_aten_to_sparse_csr(&csr, dense, NULL));
  ck_assert_uint_eq(held(), 6 * 4 + 2 * (2 * 8 + 4) + 3 * 8 + 2 * (8 + 4)); /* three row starts; a column and a value */
  const ctorch_dtype dtype = CTORCH_DTYPE_FLOAT64;
  const uint64_t before = held();
  ctorch_tensor *meta = NULL;
  ck_ok(ctorch_aten_empty_memory_format(&meta, CTORCH_INTS(1 << 20), &dtype, NULL, META, NULL, NULL));
  ck_assert_uint_eq(held(), before);
  ctorch_scope_end(scope);
  ck_assert_uint_eq(held(), 0);
}
END_TEST

START_TEST(memory_that_changes_under_a_handle_is_let_go_in_full) {
  watch(&o, 0);
  ctorch_tensor *x = bytes(KIB), *view = NULL, *data = bytes(7 * KIB);
  ck_ok(ctorch_aten_resize_(x, CTORCH_INTS(3 * KIB), NULL));
  ck_assert_uint_eq(held(), 8 * KIB); /* noted when it was handed out */
  ck_ok(ctorch_aten_alias(&view, x));
  ck_assert_uint_eq(held(), 10 * KIB); /* and again now */
  ctorch_tensor_release(view);
  ck_ok(ctorch_aten_set_data(x, data));
  ctorch_tensor_release(x);
  ck_assert_uint_eq(held(), 7 * KIB);
  ctorch_tensor_release(data);
  ck_assert_uint_eq(held(), 0);
}
END_TEST

START_TEST(handles_that_a_scope_releases_count_until_then) {
  watch(&o, 0);
  ctorch_scope *scope = NULL;
  ck_ok(ctorch_scope_begin(&scope));
  ctorch_tensor *x = bytes(MIB);
  (void)bytes(MIB);
  ck_ok(ctorch_scope_keep(scope, x));
  ck_assert_uint_eq(held(), 2 * MIB);
  ctorch_scope_end(scope);
  ck_assert_uint_eq(held(), MIB);
  ctorch_tensor_release(x);
  ck_assert_uint_eq(held(), 0);
}
END_TEST

START_TEST(what_a_scope_discards_is_let_go_at_once) {
  ctorch_scope *scope = NULL;
  watch(&o, 0);
  ck_ok(ctorch_scope_begin(&scope));
  ctorch_tensor *x = bytes(MIB);
  ck_assert_uint_eq(held(), MIB);
  ctorch_scope_discard(x);
  ck_assert_uint_eq(held(), 0);
  ctorch_scope_end(scope);
  ck_assert_uint_eq(held(), 0);
}
END_TEST

START_TEST(all_outputs_of_an_operator_count) {
  ctorch_tensor *x = floats(CTORCH_INTS(2, 2), 1, 2, 3, 4), *values = NULL, *indices = NULL;
  watch(&o, 0);
  ck_ok(ctorch_aten_max_dim(&values, &indices, x, 0, false));
  ck_assert_uint_eq(held(), 2 * 4 + 2 * 8);
  ctorch_tensor_release(values);
  ck_assert_uint_eq(held(), 2 * 8);
  ctorch_tensor_release(indices);
  ck_assert_uint_eq(held(), 0);
  ctorch_tensor_release(x);
}
END_TEST

/** Numbers that look random, the same in each run. */
static unsigned next_number(unsigned *state) {
  *state = *state * 1664525u + 1013904223u;
  return *state >> 8;
}

/* Enough of them that the book grows several times, and is small again in between. */
START_TEST(thousands_of_handles_count_whatever_the_order_they_are_given_back_in) {
  enum { MEMORIES = 1500, HANDLES = 3 * MEMORIES };
  static ctorch_tensor *handles[HANDLES];
  static int memory_of[HANDLES], looking_at[MEMORIES];
  unsigned state = 7;
  watch(&o, 0);
  for (int round = 0; round < 3; round++) {
    uint64_t expected = 0;
    for (int i = 0; i < HANDLES; i++) {
      if (i < MEMORIES) {
        memory_of[i] = i;
        handles[i] = bytes(1 + i);
        expected += 1 + (uint64_t)i;
        looking_at[i] = 0;
      } else {
        const int other = (int)(next_number(&state) % (unsigned)i);
        memory_of[i] = memory_of[other];
        ck_ok(ctorch_aten_alias(&handles[i], handles[other]));
      }
      looking_at[memory_of[i]]++;
      ck_assert_uint_eq(held(), expected);
    }
    for (int left = HANDLES; left > 0; left--) {
      const int chosen = (int)(next_number(&state) % (unsigned)left);
      ctorch_tensor_release(handles[chosen]);
      if (--looking_at[memory_of[chosen]] == 0) {
        expected -= 1 + (uint64_t)memory_of[chosen];
      }
      ck_assert_uint_eq(held(), expected);
      handles[chosen] = handles[left - 1];
      memory_of[chosen] = memory_of[left - 1];
    }
    ck_assert_uint_eq(held(), 0);
  }
}
END_TEST

/* Growth ----------------------------------------------------------------------------------------------------------- */

START_TEST(the_callback_runs_once_for_each_threshold_of_growth) {
  watch(&o, MIB);
  ctorch_tensor *made[12];
  static const int calls_after[12] = {0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3};
  for (int i = 0; i < 12; i++) {
    made[i] = bytes(256 * KIB);
    ck_assert_int_eq(o.calls, calls_after[i]);
    ck_assert(o.calls == 0 || (o.reason == CTORCH_MEMORY_PRESSURE_GROWTH && o.requested == 0));
    ck_assert_uint_eq(o.held, (uint64_t)o.calls * MIB);
  }
  ck_assert(pthread_equal(o.thread, pthread_self()));
  for (int i = 0; i < 12; i++) {
    ctorch_tensor_release(made[i]);
  }
  ck_assert(o.calls == 3 && held() == 0);
}
END_TEST

START_TEST(growth_is_measured_from_the_lowest_point) {
  watch(&o, MIB);
  ctorch_tensor *base = bytes(MIB - 1);
  ctorch_tensor *more = bytes(MIB / 2); /* first call, at 1.5 MiB */
  ck_assert_int_eq(o.calls, 1);
  ctorch_tensor_release(more); /* the lowest point is 1 MiB - 1 now */
  more = bytes(MIB - 1);
  ck_assert_int_eq(o.calls, 1);
  ctorch_tensor_release(more);
  more = bytes(MIB);
  ck_assert_int_eq(o.calls, 2);
  ctorch_tensor_release(more);
  ctorch_tensor_release(base);
  ctorch_tensor *huge = bytes(50 * MIB); /* one step, however high */
  ck_assert_int_eq(o.calls, 3);
  ctorch_tensor_release(huge);
}
END_TEST

START_TEST(what_the_callback_releases_lets_it_wait_for_another_threshold) {
  watch(&o, MIB);
  for (int i = 0; i < 200; i++) {
    o.garbage[i % 32] = bytes(64 * KIB); /* forgotten, as a collector's objects are: 16 of them are a threshold */
    ck_assert_uint_le(held(), MIB);
  }
  /* Every sixteenth tensor calls. It is not garbage itself yet, so each round but the first begins with one. */
  ck_assert_int_eq(o.calls, 12);
  ck_assert_uint_eq(o.held, MIB + 64 * KIB);
}
END_TEST

START_TEST(a_threshold_of_zero_asks_for_no_calls_on_growth) {
  watch(&o, 0);
  ctorch_tensor_release(bytes(64 * MIB));
  ck_assert_int_eq(o.calls, 0);
}
END_TEST

START_TEST(retaining_calls_nothing) {
  ctorch_tensor *x = bytes(MIB);
  watch(&o, KIB);
  ctorch_tensor_retain(x);
  ck_assert(o.calls == 0 && held() == MIB);
  ctorch_tensor_release(x);
  ck_assert_uint_eq(held(), 0);
  ctorch_tensor_release(x);
}
END_TEST

static void make_much(void) {
  for (int i = 0; i < 10; i++) {
    ctorch_tensor_release(bytes(MIB));
  }
  ctorch_tensor *out = NULL;
  ck_fails(ctorch_aten_zeros(&out, CTORCH_INTS(1LL << 60), NULL, NULL, NULL, NULL), CTORCH_ERROR_OUT_OF_MEMORY, NULL);
}

START_TEST(what_the_callback_makes_does_not_call_it) {
  o.action = make_much;
  watch(&o, KIB);
  ctorch_tensor *x = bytes(KIB);
  ck_assert_int_eq(o.calls, 1);
  ctorch_tensor_release(x);
}
END_TEST

START_TEST(the_callback_may_end_the_scope_of_the_call) {
  ck_ok(ctorch_scope_begin(&o.scope));
  watch(&o, 2 * KIB);
  (void)bytes(KIB);
  ctorch_tensor *x = bytes(KIB); /* belongs to no scope: that was ended before it was given out */
  ck_assert(o.calls == 1 && o.scope == NULL && held() == KIB);
  ck_assert_int_eq(ctorch_tensor_numel(x), KIB);
  ctorch_tensor_release(x);
  ck_assert_uint_eq(held(), 0);
}
END_TEST

/* What LibTorch keeps behind small handles -------------------------------------------------------------------------- */

static uint64_t allocated(void) { return ctorch_memory_pressure_allocated_bytes(); }

/** A handle of four bytes behind which a graph keeps 256 KiB. */
static ctorch_tensor *loss(void) {
  ctorch_tensor *x = NULL, *squared = NULL, *sum = NULL;
  ck_ok(ctorch_aten_ones(&x, CTORCH_INTS(64 * KIB), NULL, NULL, NULL, NULL));
  ck_ok(ctorch_tensor_set_requires_grad(x, true));
  ck_ok(ctorch_aten_square(&squared, x));
  ck_ok(ctorch_aten_sum(&sum, squared, NULL));
  ctorch_tensor_release(x);
  ctorch_tensor_release(squared);
  return sum;
}

START_TEST(what_graphs_keep_calls_the_callback) {
  watch(&o, MIB);
  const uint64_t before = allocated();
  for (int i = 0; i < 200; i++) {
    o.garbage[i % 32] = loss();
    ck_assert_uint_le(allocated() - before, 2 * MIB);
  }
  ck_assert_int_ge(o.calls, 30); /* four or five losses each */
  ck_assert_int_le(o.calls, 50);
  ck_assert_uint_lt(o.held, 600 * KIB);
}
END_TEST

START_TEST(callbacks_that_free_little_are_called_less_often) {
  static ctorch_tensor *losses[1000];
  watch(&o, MIB);
  for (int i = 0; i < 1000; i++) {
    losses[i] = loss(); /* 250 MiB */
  }
  ck_assert_int_ge(o.calls, 25); /* each 9 MiB */
  ck_assert_int_le(o.calls, 33);
  for (int i = 0; i < 1000; i++) {
    ctorch_tensor_release(losses[i]);
  }
  for (int i = 0; i < 32; i++) {
    o.garbage[i] = loss(); /* 8 MiB, of which the next call frees most */
  }
  const int calls = o.calls;
  for (int i = 0; i < 160; i++) {
    o.garbage[i % 32] = loss();
  }
  ck_assert_int_ge(o.calls - calls, 24); /* each 1.1 MiB once more */
}
END_TEST

START_TEST(forgotten_modules_call_the_callback) {
  ctorch_module *modules[8];
  watch(&o, 4 * MIB);
  for (int i = 0; i < 8; i++) {
    ck_ok(ctorch_nn_Linear(&modules[i], 1024, 1024, true, NULL, NULL));
  }
  ck_assert_int_ge(o.calls, 2);
  for (int i = 0; i < 8; i++) {
    ctorch_module_release(modules[i]);
  }
}
END_TEST

START_TEST(vocabularies_and_files_are_allocated_memory) {
  static char data[3 * MIB];
  const uint64_t before = allocated();
  ctorch_reader *reader = NULL;
  ck_ok(ctorch_reader_from_data(&reader, data, sizeof data, NULL, NULL));
  ck_assert_uint_eq(allocated() - before, sizeof data);
  ctorch_reader_release(reader);
  ck_assert_uint_eq(allocated(), before);
}
END_TEST

/* Failing callbacks ------------------------------------------------------------------------------------------------ */

static float memory[256];

static void count(void *payload) { ++*(int *)payload; }

START_TEST(a_failing_callback_fails_the_call) {
  ctorch_tensor *x = floats(CTORCH_INTS(2, 2), 1, 2, 3, 4);
  o.fails = 1;
  watch(&o, 8);
  ctorch_tensor *const unset = (ctorch_tensor *)&o;
  ctorch_tensor *values = unset, *indices = unset;
  ctorch_error *error = ctorch_aten_max_dim(&values, &indices, x, 0, false);
  ck_assert_int_eq(ctorch_error_kind_of(error), CTORCH_ERROR_VALUE);
  ck_assert_str_eq(ctorch_error_message(error), "the collector broke");
  ctorch_error_release(error);
  ck_assert(values == unset && indices == unset && o.calls == 1);
  ck_assert_uint_eq(held(), 0); /* and the results are gone */
  o.fails = 2;
  ck_fails(ctorch_aten_neg(&values, x), CTORCH_ERROR_CALLBACK, "memory pressure answered 0");
  ck_assert(values == unset && o.calls == 2 && held() == 0);
  ctorch_tensor_list *list = (ctorch_tensor_list *)unset;
  ck_fails(ctorch_aten_split_copy_Tensor(&list, x, 1, 0), CTORCH_ERROR_CALLBACK, NULL);
  ck_assert(list == (ctorch_tensor_list *)unset && held() == 0);
  o.fails = 0;
  ck_ok(ctorch_aten_neg(&values, x));
  ck_floats(values, CTORCH_INTS(2, 2), -1, -2, -3, -4);
  ctorch_tensor_release(values);
  ctorch_tensor_release(x);
}
END_TEST

START_TEST(a_buffer_that_is_not_handed_out_stays_the_callers) {
  o.fails = 2;
  watch(&o, 1);
  int gone = 0;
  ctorch_tensor *x = NULL;
  ck_fails(
      ctorch_tensor_from_buffer(&x, memory, CTORCH_INTS(256), NULL, 0, CTORCH_DTYPE_FLOAT32, count, &gone),
      CTORCH_ERROR_CALLBACK, NULL);
  ck_assert(x == NULL && gone == 0 && held() == 0);
  o.fails = 0;
  ck_ok(ctorch_tensor_from_buffer(&x, memory, CTORCH_INTS(256), NULL, 0, CTORCH_DTYPE_FLOAT32, count, &gone));
  ck_assert(gone == 0 && held() == sizeof memory);
  ctorch_tensor_release(x);
  ck_assert(gone == 1 && held() == 0);
}
END_TEST

/* Setting ---------------------------------------------------------------------------------------------------------- */

START_TEST(a_callback_is_needed) {
  ck_fails(ctorch_memory_pressure_set_callback(NULL, 1, destroyed, &o), CTORCH_ERROR_NULL_ARGUMENT, "callback");
  ck_assert_int_eq(o.destroyed, 0);
  ck_ok(ctorch_memory_pressure_set_callback(observe, 0, NULL, NULL));
  ctorch_memory_pressure_clear_callback();
  ctorch_memory_pressure_clear_callback();
}
END_TEST

START_TEST(a_callback_that_is_replaced_is_destroyed_once) {
  watch(&o, KIB);
  ctorch_tensor *x = bytes(KIB);
  ck_assert(o.calls == 1 && o.destroyed == 0);
  watch(&other, KIB);
  ck_assert(o.destroyed == 1 && held() == KIB); /* counting goes on */
  ctorch_tensor *y = bytes(KIB);
  ck_assert(o.calls == 1 && other.calls == 1 && other.held == 2 * KIB);
  ctorch_memory_pressure_clear_callback();
  ck_assert(o.destroyed == 1 && other.destroyed == 1);
  ctorch_tensor_release(x);
  ctorch_tensor_release(y);
}
END_TEST

static void replace(void) {
  watch(&other, KIB);
  ck_assert_int_eq(o.destroyed, 0); /* not while it runs */
}

START_TEST(a_callback_may_replace_or_clear_itself) {
  o.action = replace;
  watch(&o, KIB);
  ctorch_tensor *x = bytes(KIB);
  ck_assert(o.calls == 1 && o.destroyed == 1 && other.calls == 0);
  other.action = ctorch_memory_pressure_clear_callback;
  ctorch_tensor *y = bytes(KIB);
  ck_assert(other.calls == 1 && other.destroyed == 1 && held() == 0);
  ck_assert_int_eq(ctorch_tensor_numel(y), KIB);
  ctorch_tensor_release(x);
  ctorch_tensor_release(y);
  ck_assert_uint_eq(held(), 0);
}
END_TEST

static void *grow_and_run_out(void *payload) {
  *(ctorch_tensor **)payload = bytes(64 * KIB);
  ctorch_storage *storage = NULL;
  ck_fails(ctorch_storage_new(&storage, (size_t)1 << 60), CTORCH_ERROR_OUT_OF_MEMORY, NULL);
  return NULL;
}

START_TEST(a_callback_of_a_thread_runs_on_no_other) {
  ck_fails(ctorch_memory_pressure_set_thread_callback(NULL, 0, NULL, NULL), CTORCH_ERROR_NULL_ARGUMENT, "callback");
  ck_ok(ctorch_memory_pressure_set_thread_callback(observe, 48 * KIB, destroyed, &o));
  pthread_t thread;
  ck_assert_int_eq(pthread_create(&thread, NULL, grow_and_run_out, &o.garbage[0]), 0);
  pthread_join(thread, NULL);
  ck_assert(o.calls == 0 && held() == 64 * KIB);
  ctorch_tensor *const kept = bytes(1); /* the growth is heard here */
  ck_assert(o.calls == 1 && o.reason == CTORCH_MEMORY_PRESSURE_GROWTH && held() == 1);
  ck_assert(pthread_equal(o.thread, pthread_self()));
  ctorch_storage *storage = NULL;
  ck_fails(ctorch_storage_new(&storage, (size_t)1 << 60), CTORCH_ERROR_OUT_OF_MEMORY, NULL);
  ck_assert(o.calls == 2 && o.reason == CTORCH_MEMORY_PRESSURE_OUT_OF_MEMORY);
  ctorch_tensor_release(kept);
  watch(&other, 48 * KIB);
  ck_assert(o.destroyed == 1);
}
END_TEST

/* Out of memory ---------------------------------------------------------------------------------------------------- */

static const int64_t ABSURD = 1LL << 60;

START_TEST(out_of_memory_asks_the_callback_once_and_is_reported) {
  watch(&o, 0);
  ctorch_tensor *const unset = (ctorch_tensor *)&o, *const kept = bytes(KIB);
  ctorch_tensor *out = unset;
  ctorch_error *error = ctorch_aten_zeros(&out, &ABSURD, 1, NULL, NULL, NULL, NULL);
  uint64_t requested = 0;
  ck_assert_int_eq(ctorch_error_kind_of(error), CTORCH_ERROR_OUT_OF_MEMORY);
  ck_assert(ctorch_error_requested_bytes(error, &requested) && requested == 4 * (uint64_t)ABSURD);
  ck_assert_str_eq(ctorch_error_function(error), "ctorch_aten_zeros");
  ctorch_error_release(error);
  ck_assert(out == unset && o.calls == 1 && o.reason == CTORCH_MEMORY_PRESSURE_OUT_OF_MEMORY);
  ck_assert(o.requested == requested && o.held == KIB);
  /* Also where no second attempt follows. */
  ck_fails(ctorch_aten_resize_(kept, &ABSURD, 1, NULL), CTORCH_ERROR_OUT_OF_MEMORY, NULL);
  ck_assert(o.calls == 2 && o.requested == (uint64_t)ABSURD);
  ctorch_storage *storage = NULL;
  ck_fails(ctorch_storage_new(&storage, (size_t)ABSURD), CTORCH_ERROR_OUT_OF_MEMORY, NULL);
  ck_assert_int_eq(o.calls, 3);
  ctorch_memory_pressure_clear_callback();
  ck_fails(ctorch_aten_zeros(&out, &ABSURD, 1, NULL, NULL, NULL, NULL), CTORCH_ERROR_OUT_OF_MEMORY, NULL);
  ck_assert_int_eq(o.calls, 3);
  ctorch_tensor_release(kept);
}
END_TEST

START_TEST(other_errors_ask_nobody) {
  watch(&o, 0);
  ctorch_tensor *x = bytes(4), *out = NULL;
  ck_fails(ctorch_aten_view(&out, x, CTORCH_INTS(3)), CTORCH_ERROR_SHAPE_MISMATCH, NULL);
  ck_fails(ctorch_aten_neg(&out, NULL), CTORCH_ERROR_NULL_ARGUMENT, "self");
  ck_fails(ctorch_aten_neg(NULL, x), CTORCH_ERROR_NULL_ARGUMENT, "out");
  ck_assert_int_eq(o.calls, 0);
  ctorch_tensor_release(x);
}
END_TEST

START_TEST(a_callback_that_fails_when_memory_runs_out_gives_the_error) {
  o.fails = 1;
  watch(&o, 0);
  ctorch_tensor *out = NULL;
  ck_fails(ctorch_aten_zeros(&out, &ABSURD, 1, NULL, NULL, NULL, NULL), CTORCH_ERROR_VALUE, "the collector broke");
  ck_assert(o.calls == 1 && out == NULL);
  o.fails = 2;
  ctorch_tensor *x = bytes(1);
  ck_fails(ctorch_aten_resize_(x, &ABSURD, 1, NULL), CTORCH_ERROR_CALLBACK, "memory pressure");
  ck_assert_int_eq(o.calls, 2);
  ctorch_tensor_release(x);
}
END_TEST

static void unlimit_memory(void) { setrlimit(RLIMIT_AS, &(struct rlimit){RLIM_INFINITY, RLIM_INFINITY}); }

/** Let this process have no more than `left` bytes beyond what it has. False where that cannot be done. */
static bool limit_memory(uint64_t left) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  (void)left;
  return false; /* the sanitizers take terabytes of addresses for themselves */
#else
  FILE *file = fopen("/proc/self/statm", "r");
  unsigned long pages = 0;
  if (file == NULL || fscanf(file, "%lu", &pages) != 1) {
    return false;
  }
  fclose(file);
  const rlim_t limit = (rlim_t)pages * (rlim_t)sysconf(_SC_PAGESIZE) + left;
  if (getenv("LD_PRELOAD") != NULL || /* valgrind needs memory as well */
      setrlimit(RLIMIT_AS, &(struct rlimit){limit, RLIM_INFINITY}) != 0) {
    return false;
  }
  void *more = mmap(NULL, 2 * left, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (more == MAP_FAILED) {
    return true;
  }
  munmap(more, 2 * left); /* QEMU does not keep to the limit */
  unlimit_memory();
  return false;
#endif
}

START_TEST(memory_that_the_callback_frees_lets_the_call_succeed) {
  ctorch_tensor *out = NULL, *x = floats(CTORCH_INTS(2), 5, 6), *index = ints(CTORCH_INTS(3), 1, 0, 1);
  watch(&o, 0);
  o.garbage[0] = bytes(300 * MIB); /* `end` releases what the callback did not */
  if (!limit_memory(100 * MIB)) {
    ctorch_tensor_release(x);
    ctorch_tensor_release(index);
    return;
  }
  const ctorch_dtype dtype = CTORCH_DTYPE_UINT8;
  ck_ok(ctorch_aten_zeros(&out, CTORCH_INTS(200 * MIB), &dtype, NULL, NULL, NULL));
  ck_assert(o.calls == 1 && o.reason == CTORCH_MEMORY_PRESSURE_OUT_OF_MEMORY && o.requested == 200 * MIB);
  ck_assert(o.held == 300 * MIB && held() >= 200 * MIB && ctorch_tensor_numel(out) == 200 * MIB);

  /* Every argument is as it was for the second attempt: those of many words too. */
  o.garbage[0] = out;
  ctorch_tensor *wide = NULL, *big = NULL;
  ck_ok(ctorch_aten_expand(&wide, x, CTORCH_INTS(12 * MIB, 2), false));
  ck_ok(ctorch_aten_index_select(&big, wide, 1, index)); /* a copy of 96 MiB, then 144 MiB */
  ck_assert_int_eq(o.calls, 2);
  ck_shape(big, CTORCH_INTS(12 * MIB, 3));
  ctorch_tensor *row = NULL;
  ck_ok(ctorch_aten_select_int(&row, big, 0, 12 * MIB - 1));
  ck_floats(row, CTORCH_INTS(3), 6, 5, 6);
  ctorch_tensor_release(row);

  /* An operator that changes its argument is not tried again: resize_ has left it half changed (PyTorch does too). */
  ctorch_tensor *broken = bytes(1), *mine = bytes(1);
  o.garbage[0] = big;
  ck_fails(ctorch_aten_resize_(broken, CTORCH_INTS(300 * MIB), NULL), CTORCH_ERROR_OUT_OF_MEMORY, NULL);
  ck_assert(o.calls == 3 && o.garbage[0] == NULL);
  ck_ok(ctorch_aten_resize_(mine, CTORCH_INTS(300 * MIB), NULL));
  ck_assert_int_eq(o.calls, 3);

  /* Nothing to free: two attempts, one call. */
  ck_fails(ctorch_aten_zeros(&out, CTORCH_INTS(200 * MIB), &dtype, NULL, NULL, NULL), CTORCH_ERROR_OUT_OF_MEMORY, NULL);
  ck_assert_int_eq(o.calls, 4);
  unlimit_memory();
  ctorch_tensor_release(broken);
  ctorch_tensor_release(mine);
  ctorch_tensor_release(wide);
  ctorch_tensor_release(x);
  ctorch_tensor_release(index);
  ck_assert_uint_eq(held(), 0);
}
END_TEST

/* Threads ---------------------------------------------------------------------------------------------------------- */

enum { THREADS = 4, ROUNDS = 2000, SLOTS = 64 };

/** Handles on their way from the threads that make them to those that release them, as finalizer threads do. */
static struct {
  pthread_mutex_t mutex;
  ctorch_tensor *tensors[SLOTS];
  int calls, running, at_once;
} exchange = {.mutex = PTHREAD_MUTEX_INITIALIZER};

static ctorch_callback_status empty_exchange(
    ctorch_memory_pressure reason, uint64_t held, uint64_t requested, ctorch_error **error, void *payload) {
  (void)reason, (void)held, (void)requested, (void)error, (void)payload;
  ctorch_tensor *taken[SLOTS];
  pthread_mutex_lock(&exchange.mutex);
  exchange.calls++;
  exchange.at_once += ++exchange.running > 1;
  memcpy(taken, exchange.tensors, sizeof taken);
  memset(exchange.tensors, 0, sizeof exchange.tensors);
  pthread_mutex_unlock(&exchange.mutex);
  for (int i = 0; i < SLOTS; i++) {
    ctorch_tensor_release(taken[i]);
  }
  pthread_mutex_lock(&exchange.mutex);
  exchange.running--;
  pthread_mutex_unlock(&exchange.mutex);
  return CTORCH_CALLBACK_OK;
}

static void *make_and_release(void *payload) {
  unsigned state = *(unsigned *)payload;
  for (int i = 0; i < ROUNDS; i++) {
    state = state * 1664525u + 1013904223u;
    ctorch_tensor *x = bytes(1 + state % (16 * KIB)), *view = NULL;
    ck_ok(ctorch_aten_alias(&view, x));
    pthread_mutex_lock(&exchange.mutex);
    ctorch_tensor *old = exchange.tensors[(state >> 16) % SLOTS];
    exchange.tensors[(state >> 16) % SLOTS] = view;
    pthread_mutex_unlock(&exchange.mutex);
    ctorch_tensor_release(x);
    ctorch_tensor_release(old); /* most often another thread's */
  }
  return NULL;
}

START_TEST(threads_make_and_release_each_others_handles) {
  ck_ok(ctorch_memory_pressure_set_callback(empty_exchange, 64 * KIB, NULL, NULL));
  pthread_t threads[THREADS];
  unsigned seeds[THREADS];
  for (int i = 0; i < THREADS; i++) {
    seeds[i] = (unsigned)i;
    ck_assert_int_eq(pthread_create(&threads[i], NULL, make_and_release, &seeds[i]), 0);
  }
  for (int i = 0; i < THREADS; i++) {
    pthread_join(threads[i], NULL);
  }
  ck_assert_int_gt(exchange.calls, 0);
  ck_assert_int_eq(exchange.at_once, 0); /* growth calls one at a time */
  for (int i = 0; i < SLOTS; i++) {
    ctorch_tensor_release(exchange.tensors[i]);
    exchange.tensors[i] = NULL;
  }
  ck_assert_uint_eq(held(), 0);
}
END_TEST

static void *set_and_clear(void *payload) {
  (void)payload;
  for (int i = 0; i < ROUNDS; i++) {
    ck_ok(ctorch_memory_pressure_set_callback(empty_exchange, 64 * KIB, NULL, NULL));
    ctorch_memory_pressure_clear_callback();
  }
  return NULL;
}

START_TEST(the_callback_may_be_set_and_cleared_while_others_work) {
  pthread_t threads[THREADS];
  unsigned seeds[THREADS];
  for (int i = 0; i < THREADS; i++) {
    seeds[i] = (unsigned)i;
    ck_assert_int_eq(pthread_create(&threads[i], NULL, i == 0 ? set_and_clear : make_and_release, &seeds[i]), 0);
  }
  for (int i = 0; i < THREADS; i++) {
    pthread_join(threads[i], NULL);
  }
  ck_ok(ctorch_memory_pressure_set_callback(empty_exchange, 0, NULL, NULL));
  for (int i = 0; i < SLOTS; i++) {
    ctorch_tensor_release(exchange.tensors[i]);
    exchange.tensors[i] = NULL;
  }
  ck_assert_uint_eq(held(), 0);
}
END_TEST

static void begin(void) { memset(&o, 0, sizeof o), memset(&other, 0, sizeof other); }

static void end(void) {
  ctorch_memory_pressure_clear_callback();
  for (size_t i = 0; i < sizeof o.garbage / sizeof *o.garbage; i++) {
    ctorch_tensor_release(o.garbage[i]);
  }
}

/** A test that may leave a callback set. */
static void add(Suite *suite, const TTest *test, const char *name) {
  TCase *tcase = tcase_create(name);
  tcase_set_timeout(tcase, CK_TIMEOUT);
  tcase_add_checked_fixture(tcase, begin, end);
  tcase_add_test(tcase, test);
  suite_add_tcase(suite, tcase);
}

int main(void) {
  Suite *suite = suite_create("memory_pressure");
  add(suite, nothing_is_counted_without_a_callback, "nothing_is_counted_without_a_callback");
  add(suite, memory_counts_once_however_many_handles_look_at_it, "memory_counts_once_however_many_handles_look_at_it");
  add(suite, lists_and_storages_count, "lists_and_storages_count");
  add(suite, sparse_tensors_count_their_parts_and_meta_tensors_nothing,
      "sparse_tensors_count_their_parts_and_meta_tensors_nothing");
  add(suite, memory_that_changes_under_a_handle_is_let_go_in_full,
      "memory_that_changes_under_a_handle_is_let_go_in_full");
  add(suite, handles_that_a_scope_releases_count_until_then, "handles_that_a_scope_releases_count_until_then");
  add(suite, what_a_scope_discards_is_let_go_at_once, "what_a_scope_discards_is_let_go_at_once");
  add(suite, all_outputs_of_an_operator_count, "all_outputs_of_an_operator_count");
  add(suite, thousands_of_handles_count_whatever_the_order_they_are_given_back_in,
      "thousands_of_handles_count_whatever_the_order_they_are_given_back_in");
  add(suite, the_callback_runs_once_for_each_threshold_of_growth,
      "the_callback_runs_once_for_each_threshold_of_growth");
  add(suite, growth_is_measured_from_the_lowest_point, "growth_is_measured_from_the_lowest_point");
  add(suite, what_the_callback_releases_lets_it_wait_for_another_threshold,
      "what_the_callback_releases_lets_it_wait_for_another_threshold");
  add(suite, a_threshold_of_zero_asks_for_no_calls_on_growth, "a_threshold_of_zero_asks_for_no_calls_on_growth");
  add(suite, retaining_calls_nothing, "retaining_calls_nothing");
  add(suite, what_the_callback_makes_does_not_call_it, "what_the_callback_makes_does_not_call_it");
  add(suite, the_callback_may_end_the_scope_of_the_call, "the_callback_may_end_the_scope_of_the_call");
  add(suite, what_graphs_keep_calls_the_callback, "what_graphs_keep_calls_the_callback");
  add(suite, callbacks_that_free_little_are_called_less_often, "callbacks_that_free_little_are_called_less_often");
  add(suite, forgotten_modules_call_the_callback, "forgotten_modules_call_the_callback");
  add(suite, vocabularies_and_files_are_allocated_memory, "vocabularies_and_files_are_allocated_memory");
  add(suite, a_failing_callback_fails_the_call, "a_failing_callback_fails_the_call");
  add(suite, a_buffer_that_is_not_handed_out_stays_the_callers, "a_buffer_that_is_not_handed_out_stays_the_callers");
  add(suite, a_callback_is_needed, "a_callback_is_needed");
  add(suite, a_callback_that_is_replaced_is_destroyed_once, "a_callback_that_is_replaced_is_destroyed_once");
  add(suite, a_callback_may_replace_or_clear_itself, "a_callback_may_replace_or_clear_itself");
  add(suite, out_of_memory_asks_the_callback_once_and_is_reported,
      "out_of_memory_asks_the_callback_once_and_is_reported");
  add(suite, other_errors_ask_nobody, "other_errors_ask_nobody");
  add(suite, a_callback_that_fails_when_memory_runs_out_gives_the_error,
      "a_callback_that_fails_when_memory_runs_out_gives_the_error");
  add(suite, memory_that_the_callback_frees_lets_the_call_succeed,
      "memory_that_the_callback_frees_lets_the_call_succeed");
  add(suite, threads_make_and_release_each_others_handles, "threads_make_and_release_each_others_handles");
  add(suite, a_callback_of_a_thread_runs_on_no_other, "a_callback_of_a_thread_runs_on_no_other");
  add(suite, the_callback_may_be_set_and_cleared_while_others_work,
      "the_callback_may_be_set_and_cleared_while_others_work");
  return ck_main(suite);
}
