/* Loaders: threads that make batches, their errors, and their end. tests/data compares batches with Python's. */
#include <malloc.h>
#include <pthread.h>
#include <stdatomic.h>

#include "harness/values.h"

enum { SAMPLES = 1000, WORKERS = 8 };

struct source {
  int64_t failing; /* every so many samples; 0 for none */
  int destroyed;
};

/* A tuple of a tensor and a number. */
static ctorch_callback_status sample(ctorch_value **out, int64_t index, ctorch_error **error, void *payload) {
  const struct source *source = payload;
  ctorch_tensor *tensor = NULL;
  ctorch_value *parts[2] = {NULL, NULL};
  if (source->failing > 0 && index % source->failing == source->failing - 1) {
    ck_ok(ctorch_error_new(error, CTORCH_ERROR_VALUE, "broken"));
    return 0;
  }
  *error = ctorch_aten_full(
      &tensor, (const int64_t[]){3}, 1, &(const ctorch_scalar){.kind = CTORCH_SCALAR_INT, .i = index}, NULL, NULL, NULL,
      NULL);
  *error = *error != NULL ? *error : ctorch_value_from_tensor(&parts[0], tensor);
  *error = *error != NULL ? *error : ctorch_value_from_int(&parts[1], index);
  *error = *error != NULL ? *error : ctorch_value_from_tuple(out, (const ctorch_value *const *)parts, 2);
  ctorch_value_release(parts[0]);
  ctorch_value_release(parts[1]);
  ctorch_tensor_release(tensor);
  return *error == NULL ? CTORCH_CALLBACK_OK : 0;
}

static void destroy(void *payload) { ((struct source *)payload)->destroyed++; }

static ctorch_dataset *dataset_of(struct source *source, bool may_thread) {
  ctorch_dataset *dataset = NULL;
  ck_ok(ctorch_dataset_from_callback(&dataset, SAMPLES, sample, may_thread, destroy, source));
  return dataset;
}

static ctorch_loader *loader_of(ctorch_dataset *dataset, int64_t workers, bool persistent, bool in_order) {
  ctorch_loader *loader = NULL;
  ck_ok(ctorch_data_DataLoader(
      &loader, dataset, &(int64_t){10}, false, NULL, NULL, workers, false, false, 0, NULL, NULL, persistent, in_order));
  ctorch_dataset_release(dataset);
  return loader;
}

/* The sum of the numbers of a batch, which is a list of two tensors. */
static double sum_of(const ctorch_value *batch) {
  ctorch_value *part = NULL;
  ctorch_tensor *tensor = NULL, *sum = NULL;
  ctorch_scalar number = {0};
  ck_ok(ctorch_value_get(&part, batch, 1));
  ck_ok(ctorch_value_to_tensor(&tensor, part));
  ck_ok(ctorch_aten_sum(&sum, tensor, NULL));
  ck_ok(ctorch_aten_item(&number, sum));
  ctorch_value_release(part);
  ctorch_tensor_release(tensor);
  ctorch_tensor_release(sum);
  return (double)number.i;
}

struct counts {
  int batches, errors;
  double sum;
};

/* Take up to `most` batches. */
static struct counts take(ctorch_iterator *batches, int most) {
  struct counts counts = {0};
  while (counts.batches + counts.errors < most) {
    ctorch_value *batch = NULL;
    ctorch_error *error = ctorch_iterator_next(&batch, batches);
    if (error != NULL) {
      ck_assert_int_eq(ctorch_error_kind_of(error), CTORCH_ERROR_VALUE);
      ctorch_error_release(error);
      counts.errors++;
      continue;
    }
    if (batch == NULL) {
      break;
    }
    counts.sum += sum_of(batch);
    counts.batches++;
    ctorch_value_release(batch);
  }
  return counts;
}

static struct counts epoch(ctorch_loader *loader, int most) {
  ctorch_iterator *batches = NULL;
  ck_ok(ctorch_loader_iterate(&batches, loader));
  struct counts counts = take(batches, most);
  ctorch_iterator_release(batches);
  return counts;
}

static const int workers_of[] = {0, 1, WORKERS};
enum { COMBINATIONS = 3 * 2 * 2 * 2 };

/* The _i-th of all settings. */
static ctorch_loader *loader_at(int i, struct source *source) {
  int workers = workers_of[i % 3];
  bool may_thread = i / 3 % 2 != 0, persistent = i / 6 % 2 != 0 && workers > 0, in_order = i / 12 % 2 == 0;
  return loader_of(dataset_of(source, may_thread), workers, persistent, in_order);
}

START_TEST(every_sample_comes_once) {
  struct source source = {0, 0};
  ctorch_loader *loader = loader_at(_i, &source);
  for (int i = 0; i < 3; i++) {
    struct counts counts = epoch(loader, 1000);
    ck_assert_int_eq(counts.batches, 100);
    ck_assert_double_eq(counts.sum, SAMPLES * (SAMPLES - 1) / 2.0);
  }
  ctorch_loader_release(loader);
  ck_assert_int_eq(source.destroyed, 1);
}
END_TEST

START_TEST(errors_come_in_the_place_of_their_batches) {
  struct source source = {25, 0};
  ctorch_loader *loader = loader_at(_i, &source);
  struct counts counts = epoch(loader, 1000);
  ck_assert_int_eq(counts.batches, 60);
  ck_assert_int_eq(counts.errors, 40);
  ctorch_loader_release(loader);
  ck_assert_int_eq(source.destroyed, 1);
}
END_TEST

START_TEST(an_iteration_may_end_early) {
  struct source source = {0, 0};
  ctorch_loader *loader = loader_at(_i, &source);
  for (int i = 0; i < 10; i++) {
    ck_assert_int_eq(epoch(loader, i).batches, i);
  }
  ctorch_loader_release(loader);
  ck_assert_int_eq(source.destroyed, 1);
}
END_TEST

START_TEST(an_iterator_keeps_its_loader) {
  struct source source = {0, 0};
  ctorch_loader *loader = loader_at(_i, &source);
  ctorch_iterator *batches = NULL;
  ck_ok(ctorch_loader_iterate(&batches, loader));
  ctorch_loader_release(loader);
  ck_assert_int_eq(take(batches, 1000).batches, 100);
  ck_assert_int_eq(source.destroyed, 0);
  ctorch_iterator_release(batches);
  ck_assert_int_eq(source.destroyed, 1);
}
END_TEST

START_TEST(a_position_is_saved_and_loaded) {
  struct source source = {0, 0};
  ctorch_loader *loader = loader_at(_i, &source);
  ctorch_iterator *batches = NULL, *again = NULL;
  ctorch_value *state = NULL;
  ck_ok(ctorch_loader_iterate(&batches, loader));
  double sum = take(batches, 37).sum;
  ck_ok(ctorch_iterator_state_dict(&state, batches));
  ctorch_iterator_release(batches);
  ck_ok(ctorch_loader_iterate_from(&again, loader, state));
  struct counts rest = take(again, 1000);
  ck_assert_int_eq(rest.batches, 63);
  ck_assert_double_eq(sum + rest.sum, SAMPLES * (SAMPLES - 1) / 2.0);
  ctorch_value_release(state);
  ctorch_iterator_release(again);
  ctorch_loader_release(loader);
}
END_TEST

START_TEST(batches_belong_to_the_scope_of_who_takes_them) {
  struct source source = {0, 0};
  ctorch_loader *loader = loader_at(_i, &source);
  ctorch_iterator *batches = NULL;
  ck_ok(ctorch_loader_iterate(&batches, loader));
  for (int i = 0; i < 20; i++) {
    ctorch_scope *scope = NULL;
    ctorch_value *batch = NULL;
    ck_ok(ctorch_scope_begin(&scope));
    ck_ok(ctorch_iterator_next(&batch, batches));
    ck_assert(ctorch_scope_owns(batch));
    ctorch_scope_end(scope);
  }
  ctorch_iterator_release(batches);
  ctorch_loader_release(loader);
  ck_assert_int_eq(source.destroyed, 1);
}
END_TEST

static ctorch_callback_status count_samples(
    ctorch_value **out, const ctorch_value *samples, ctorch_error **error, void *payload) {
  (void)payload;
  *error = ctorch_value_from_int(out, (int64_t)ctorch_value_len(samples));
  return *error == NULL ? CTORCH_CALLBACK_OK : 0;
}

static ctorch_callback_status refuse(int64_t worker, ctorch_error **error, void *payload) {
  (void)worker;
  (void)payload;
  ck_ok(ctorch_error_new(error, CTORCH_ERROR_VALUE, "not today"));
  return 0;
}

START_TEST(callbacks_of_ones_own) {
  struct source source = {0, 0}, collate = {0, 0}, init = {0, 0};
  ctorch_loader *loader = loader_at(_i, &source);
  ctorch_iterator *batches = NULL;
  ctorch_value *batch = NULL;
  int64_t len = 0;
  ck_ok(ctorch_loader_set_collate(loader, count_samples, _i % 2 == 0, destroy, &collate));
  ck_ok(ctorch_loader_iterate(&batches, loader));
  ck_call_fails(
      ctorch_loader_set_collate, (loader, NULL, true, NULL, NULL), CTORCH_ERROR_RUNTIME, "an iterator of the loader");
  ck_ok(ctorch_iterator_next(&batch, batches));
  ck_ok(ctorch_value_to_int(&len, batch));
  ck_assert_int_eq(len, 10);
  ctorch_value_release(batch);
  ctorch_iterator_release(batches);
  ck_ok(ctorch_loader_set_collate(loader, NULL, true, NULL, NULL));
  ck_assert_int_eq(collate.destroyed, 1);
  ck_ok(ctorch_loader_set_worker_init(loader, refuse, _i % 2 == 0, destroy, &init));
  if (_i % 3 != 0) {
    ck_assert_int_eq(epoch(loader, 5).errors, 5);
  }
  ctorch_loader_release(loader);
  ck_assert_int_eq(init.destroyed, 1);
}
END_TEST

/* An endless source, all of whose iterators begin and end on the thread of the loader. */
struct stream {
  pthread_t thread;
  atomic_int begun, ended;
};

static ctorch_callback_status stream_next(ctorch_value **out, ctorch_error **error, void *payload) {
  const struct stream *stream = payload;
  ck_assert(pthread_equal(stream->thread, pthread_self()));
  *error = ctorch_value_from_int(out, 1);
  return *error == NULL ? CTORCH_CALLBACK_OK : 0;
}

static void stream_end(void *payload) {
  struct stream *stream = payload;
  ck_assert(pthread_equal(stream->thread, pthread_self()));
  stream->ended++;
}

static ctorch_callback_status stream_begin(ctorch_iterator **out, ctorch_error **error, void *payload) {
  struct stream *stream = payload;
  ck_assert(pthread_equal(stream->thread, pthread_self()));
  *error = ctorch_iterator_from_callback(out, stream_next, stream_end, stream);
  stream->begun += *error == NULL;
  return *error == NULL ? CTORCH_CALLBACK_OK : 0;
}

START_TEST(iterators_of_one_thread_end_on_it) {
  struct stream stream = {.thread = pthread_self()};
  ctorch_dataset *dataset = NULL;
  ck_ok(ctorch_dataset_from_iterable(&dataset, NULL, stream_begin, false, NULL, &stream));
  ctorch_loader *loader = loader_of(dataset, workers_of[_i % 3], _i / 3 % 2 != 0 && _i % 3 != 0, _i / 6 == 0);
  for (int i = 0; i < 5; i++) {
    ctorch_iterator *batches = NULL;
    ck_ok(ctorch_loader_iterate(&batches, loader));
    for (int taken = 0; taken <= i; taken++) {
      ctorch_value *batch = NULL;
      ck_ok(ctorch_iterator_next(&batch, batches));
      ck_assert_ptr_nonnull(batch);
      ctorch_value_release(batch);
    }
    ctorch_iterator_release(batches);
  }
  ctorch_loader_release(loader);
  ck_assert_int_ge(stream.begun, 5);
  ck_assert_int_eq(stream.ended, stream.begun);
}
END_TEST

/* Batches that are taken after the first ones leave nothing behind; CTORCH_SOAK says how many. */
START_TEST(memory_stays_flat) {
  const char *wanted = getenv("CTORCH_SOAK");
  const long batches = wanted != NULL ? atol(wanted) : 3000;
  struct source source = {.failing = 0};
  ctorch_loader *loader = loader_at(_i, &source);
  size_t used = 0;
  for (long done = 0; done < batches;) {
    done += epoch(loader, done % 300 == 0 ? 50 : 1000).batches; /* some end early */
    if (done >= batches / 4 && used == 0) {
      used = mallinfo2().uordblks;
    }
  }
  ck_assert_uint_lt(mallinfo2().uordblks, used + (1 << 16));
  ctorch_loader_release(loader);
  ck_assert_int_eq(source.destroyed, 1);
}
END_TEST

START_TEST(what_is_refused) {
  struct source source = {0, 0};
  ctorch_dataset *dataset = dataset_of(&source, true);
  ctorch_loader *loader = NULL;
  ctorch_iterator *iterator = NULL;
  int64_t number = 0;
  uint64_t seed = 0;
  double seconds[3];
  ck_fails(
      ctorch_data_DataLoader(NULL, dataset, NULL, false, NULL, NULL, 0, false, false, 0, NULL, NULL, false, true),
      CTORCH_ERROR_NULL_ARGUMENT, "out");
  ck_fails(
      ctorch_data_DataLoader(&loader, NULL, NULL, false, NULL, NULL, 0, false, false, 0, NULL, NULL, false, true),
      CTORCH_ERROR_NULL_ARGUMENT, "dataset");
  ck_fails(
      ctorch_data_DataLoader(
          &loader, dataset, NULL, false, NULL, NULL, INT64_MAX, false, false, 0, NULL, NULL, false, true),
      CTORCH_ERROR_VALUE, "num_workers");
  ck_fails(
      ctorch_data_DataLoader(
          &loader, dataset, NULL, false, NULL, NULL, 4096, false, false, 0, NULL, &(int64_t){INT64_MAX}, false, true),
      CTORCH_ERROR_VALUE, "prefetch_factor");
  ck_assert_ptr_null(loader);
  loader = loader_of(dataset, 0, false, true);
  ck_call_fails(ctorch_loader_iterate, (NULL, loader), CTORCH_ERROR_NULL_ARGUMENT, "out");
  ck_call_fails(ctorch_loader_iterate, (&iterator, NULL), CTORCH_ERROR_NULL_ARGUMENT, "self");
  ck_call_fails(ctorch_loader_iterate_from, (&iterator, loader, NULL), CTORCH_ERROR_NULL_ARGUMENT, "state");
  ck_call_fails(ctorch_loader_len, (&number, NULL), CTORCH_ERROR_NULL_ARGUMENT, "self");
  ck_call_fails(ctorch_loader_worker_info, (&number, NULL, &seed), CTORCH_ERROR_NULL_ARGUMENT, "out_num_workers");
  ck_call_fails(
      ctorch_loader_statistics, (&number, &seconds[0], &seconds[1], NULL, loader), CTORCH_ERROR_NULL_ARGUMENT,
      "out_workers_worked");
  ctorch_loader_release(loader);
  ctorch_loader_release(NULL);
}
END_TEST

int main(void) {
  Suite *suite = suite_create("loader");
  ck_case_loop(suite, every_sample_comes_once, COMBINATIONS);
  ck_case_loop(suite, errors_come_in_the_place_of_their_batches, COMBINATIONS);
  ck_case_loop(suite, an_iteration_may_end_early, COMBINATIONS);
  ck_case_loop(suite, an_iterator_keeps_its_loader, COMBINATIONS);
  ck_case_loop(suite, a_position_is_saved_and_loaded, COMBINATIONS);
  ck_case_loop(suite, batches_belong_to_the_scope_of_who_takes_them, COMBINATIONS);
  ck_case_loop(suite, callbacks_of_ones_own, COMBINATIONS);
  ck_case_loop(suite, iterators_of_one_thread_end_on_it, 12);
  ck_case_loop(suite, memory_stays_flat, 3);
  ck_case(suite, what_is_refused);
  return ck_main(suite);
}
