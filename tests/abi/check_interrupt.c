/* Interrupts: a wait for a worker ends, and everything stays usable. */
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

#include "harness/values.h"

/* A data set whose samples wait until a gate is open. */
struct source {
  pthread_mutex_t lock;
  pthread_cond_t opened;
  bool is_open;
  atomic_int begun, destroyed;
};

static struct source *source_new(void) {
  static struct source sources[64];
  static int used;
  struct source *self = &sources[used++];
  pthread_mutex_init(&self->lock, NULL);
  pthread_cond_init(&self->opened, NULL);
  return self;
}

static void open_gate(struct source *self) {
  pthread_mutex_lock(&self->lock);
  self->is_open = true;
  pthread_cond_broadcast(&self->opened);
  pthread_mutex_unlock(&self->lock);
}

static ctorch_callback_status sample(ctorch_value **out, int64_t index, ctorch_error **error, void *payload) {
  struct source *self = payload;
  atomic_fetch_add(&self->begun, 1);
  pthread_mutex_lock(&self->lock);
  while (!self->is_open) {
    pthread_cond_wait(&self->opened, &self->lock);
  }
  pthread_mutex_unlock(&self->lock);
  *error = ctorch_value_from_int(out, index);
  return *error == NULL ? CTORCH_CALLBACK_OK : 0;
}

static void destroy(void *payload) { atomic_fetch_add(&((struct source *)payload)->destroyed, 1); }

static ctorch_loader *loader_of(struct source *source, bool is_persistent) {
  ctorch_dataset *dataset = NULL;
  ctorch_loader *loader = NULL;
  ck_ok(ctorch_dataset_from_callback(&dataset, 4, sample, true, destroy, source));
  ck_ok(ctorch_data_DataLoader(
      &loader, dataset, &(int64_t){1}, false, NULL, NULL, 2, false, false, 0, NULL, NULL, is_persistent, true));
  ctorch_dataset_release(dataset);
  return loader;
}

static ctorch_iterator *iterate(ctorch_loader *loader) {
  ctorch_iterator *batches = NULL;
  ck_ok(ctorch_loader_iterate(&batches, loader));
  return batches;
}

static int rest_of(ctorch_iterator *batches) {
  for (int count = 0;; count++) {
    ctorch_value *batch = NULL;
    ck_ok(ctorch_iterator_next(&batch, batches));
    if (batch == NULL) {
      return count;
    }
    ctorch_value_release(batch);
  }
}

/* Another thread that interrupts until it is told to end. */
static atomic_bool is_over;

static void *interrupt(void *nothing) {
  while (!atomic_load(&is_over)) {
    ctorch_interrupt();
    sched_yield();
  }
  return nothing;
}

static void wait_and_be_interrupted(ctorch_iterator *batches) {
  pthread_t thread;
  ctorch_value *batch = NULL;
  atomic_store(&is_over, false);
  ck_assert_int_eq(pthread_create(&thread, NULL, interrupt, NULL), 0);
  ctorch_error *error = ctorch_iterator_next(&batch, batches);
  atomic_store(&is_over, true);
  pthread_join(thread, NULL);
  ck_fails(error, CTORCH_ERROR_RUNTIME, "interrupted");
  ck_assert_ptr_null(batch);
}

START_TEST(an_interrupted_iterator_goes_on) {
  struct source *source = source_new();
  ctorch_loader *loader = loader_of(source, _i == 1);
  ctorch_iterator *batches = iterate(loader);
  wait_and_be_interrupted(batches);
  wait_and_be_interrupted(batches);
  open_gate(source);
  ck_assert_int_eq(rest_of(batches), 4);
  ctorch_iterator_release(batches);
  ctorch_loader_release(loader);
  ck_assert_int_eq(atomic_load(&source->destroyed), 1);
}
END_TEST

START_TEST(workers_that_are_left_end_by_themselves) {
  struct source *source = source_new();
  ctorch_loader *loader = loader_of(source, _i == 1);
  ctorch_iterator *batches = iterate(loader);
  wait_and_be_interrupted(batches);
  while (atomic_load(&source->begun) == 0) {
    sched_yield();
  }
  ctorch_iterator_release(batches); /* while they wait at the gate, which nobody else could open */
  ctorch_loader_release(loader);
  ck_assert_int_eq(atomic_load(&source->destroyed), 0);
  open_gate(source);
  while (atomic_load(&source->destroyed) == 0) {
    sched_yield();
  }
}
END_TEST

START_TEST(a_loader_begins_again_after_an_interrupt) {
  struct source *source = source_new();
  ctorch_loader *loader = loader_of(source, _i == 1);
  ctorch_iterator *batches = iterate(loader);
  wait_and_be_interrupted(batches);
  while (atomic_load(&source->begun) == 0) {
    sched_yield();
  }
  ctorch_iterator *others = iterate(loader); /* with other workers */
  open_gate(source);
  ck_assert_int_eq(rest_of(others), 4);
  ctorch_iterator_release(others);
  ctorch_iterator_release(batches);
  ctorch_loader_release(loader);
  while (atomic_load(&source->destroyed) == 0) {
    sched_yield();
  }
}
END_TEST

START_TEST(an_interrupt_is_for_those_that_wait) {
  struct source *source = source_new();
  ctorch_loader *loader = loader_of(source, false);
  open_gate(source);
  ctorch_interrupt();
  ctorch_iterator *batches = iterate(loader);
  ck_assert_int_eq(rest_of(batches), 4);
  ctorch_iterator_release(batches);
  ctorch_loader_release(loader);
}
END_TEST

/* What a thread asks. */
struct check {
  int asked, destroyed, last; /* it ends the wait when it is asked for the `last` time */
  ctorch_error *error;
  bool replaces;
};

static void destroy_check(void *payload) { ((struct check *)payload)->destroyed++; }

static ctorch_callback_status check(ctorch_error **error, void *payload) {
  struct check *self = payload;
  if (++self->asked < self->last) {
    return CTORCH_CALLBACK_OK;
  }
  if (self->replaces) {
    ctorch_interrupt_clear_callback();
    ck_assert_int_eq(self->destroyed, 0); /* while it runs */
  }
  *error = self->error;
  self->error = NULL;
  return 0;
}

START_TEST(a_thread_asks_its_callback) {
  struct source *source = source_new();
  ctorch_loader *loader = loader_of(source, false);
  ctorch_iterator *batches = iterate(loader);
  ctorch_value *batch = NULL;
  struct check first = {.last = 3}, second = {.last = 2, .replaces = true};
  ck_ok(ctorch_interrupt_set_callback(check, destroy_check, &first));
  ck_fails(ctorch_iterator_next(&batch, batches), CTORCH_ERROR_CALLBACK, "interrupt");
  ck_assert_int_eq(first.asked, 3);
  ck_ok(ctorch_interrupt_set_callback(check, destroy_check, &second));
  ck_assert_int_eq(first.destroyed, 1);
  ck_ok(ctorch_error_new(&second.error, CTORCH_ERROR_VALUE, "of the program's"));
  ck_fails(ctorch_iterator_next(&batch, batches), CTORCH_ERROR_VALUE, "of the program's");
  ck_assert_int_eq(second.destroyed, 1);
  ck_assert_ptr_null(batch);
  open_gate(source);
  ck_assert_int_eq(rest_of(batches), 4);
  ctorch_iterator_release(batches);
  ctorch_loader_release(loader);
}
END_TEST

static void *set_and_end(void *payload) {
  ck_ok(ctorch_interrupt_set_callback(check, destroy_check, payload));
  return NULL;
}

START_TEST(a_callback_ends_with_its_thread) {
  pthread_t thread;
  struct check own = {.last = 1};
  ck_assert_int_eq(pthread_create(&thread, NULL, set_and_end, &own), 0);
  pthread_join(thread, NULL);
  ck_assert_int_eq(own.destroyed, 1);
  ck_fails(ctorch_interrupt_set_callback(NULL, destroy_check, &own), CTORCH_ERROR_NULL_ARGUMENT, "callback");
  ck_assert_int_eq(own.destroyed, 1);
  struct source *source = source_new();
  ctorch_loader *loader = loader_of(source, false);
  open_gate(source);
  ctorch_iterator *batches = iterate(loader); /* on this thread nobody asks */
  ck_assert_int_eq(rest_of(batches), 4);
  ck_assert_int_eq(own.asked, 0);
  ctorch_iterator_release(batches);
  ctorch_loader_release(loader);
}
END_TEST

START_TEST(there_is_no_python_here) {
  ck_assert(!ctorch_interrupt_python(NULL));
  ck_assert(!ctorch_interrupt_python(&is_over));
}
END_TEST

int main(void) {
  Suite *suite = suite_create("interrupt");
  ck_case_loop(suite, an_interrupted_iterator_goes_on, 2);
  ck_case_loop(suite, workers_that_are_left_end_by_themselves, 2);
  ck_case_loop(suite, a_loader_begins_again_after_an_interrupt, 2);
  ck_case(suite, an_interrupt_is_for_those_that_wait);
  ck_case(suite, a_thread_asks_its_callback);
  ck_case(suite, a_callback_ends_with_its_thread);
  ck_case(suite, there_is_no_python_here);
  return ck_main(suite);
}
