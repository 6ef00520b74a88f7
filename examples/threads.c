/* Threads: several that compute at once on tensors they share, each with its own numbers, modes and errors.
 *
 * A `const` argument may be used by many threads at once. Scopes, grad mode and the like belong to the thread that
 * opened them. An error is an object in the hand of whoever made the call, so no thread sees that of another. */
#include <ctorch.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

enum { WORKERS = 4 };

typedef struct worker {
  pthread_t thread;
  int number;
  const ctorch_tensor *weight; /* shared by all of them */
  double mean;
  bool recorded;
  ctorch_error *error;
} worker;

/* The mean of weight times random numbers; the third worker tries what does not fit. */
static ctorch_error *compute(worker *self) {
  const int64_t rows = self->number == 2 ? 5 : 3;
  ctorch_generator *generator;
  ctorch_tensor *x, *product, *mean;
  CTORCH_TRY(ctorch_generator_new(&generator, NULL));
  CTORCH_TRY(ctorch_generator_manual_seed(generator, (uint64_t)self->number));
  CTORCH_TRY(ctorch_aten_rand_generator(&x, CTORCH_INTS(rows, 1000), generator, NULL, NULL, NULL, NULL));
  CTORCH_TRY(ctorch_aten_mm(&product, self->weight, x));
  CTORCH_TRY(ctorch_aten_mean(&mean, product, NULL));
  self->recorded = ctorch_tensor_requires_grad(mean);
  return ctorch_tensor_item_double(&self->mean, mean);
}

static ctorch_error *compute_without_gradients(worker *self) {
  CTORCH_TRY(ctorch_grad_mode_push(false));
  ctorch_error *error = compute(self), *unmatched = ctorch_grad_mode_pop();
  if (error == NULL) {
    return unmatched;
  }
  ctorch_error_release(unmatched);
  return error;
}

/* What a thread runs: a scope of its own, and the error handed over to whoever joins it. */
static void *work(void *argument) {
  worker *self = argument;
  ctorch_scope *scope = NULL;
  if ((self->error = ctorch_scope_begin(&scope)) == NULL) {
    self->error = self->number % 2 == 0 ? compute_without_gradients(self) : compute(self);
  }
  ctorch_scope_end(scope);
  return NULL;
}

static ctorch_error *run(void) {
  worker workers[WORKERS];
  ctorch_tensor *weight;
  int started = 0;
  CTORCH_TRY(ctorch_threads_set_num(1)); /* each operator computes on the thread that calls it */
  CTORCH_TRY(ctorch_aten_ones(&weight, CTORCH_INTS(2, 3), NULL, NULL, NULL, NULL));
  CTORCH_TRY(ctorch_tensor_set_requires_grad(weight, true));
  for (; started < WORKERS; started++) {
    workers[started] = (worker){.number = started, .weight = weight};
    if (pthread_create(&workers[started].thread, NULL, work, &workers[started]) != 0) {
      break;
    }
  }
  for (int i = 0; i < started; i++) {
    const worker *self = &workers[i];
    pthread_join(self->thread, NULL);
    if (self->error == NULL) {
      printf("worker %d: mean %.6f, recorded: %s\n", i, self->mean, self->recorded ? "true" : "false");
    } else {
      printf("worker %d: %s\n", i, ctorch_error_message(self->error));
      ctorch_error_release(self->error);
    }
  }
  if (started < WORKERS) {
    ctorch_error *error = NULL, *refusal = ctorch_error_new(&error, CTORCH_ERROR_STD, "a thread could not be started");
    return refusal != NULL ? refusal : error;
  }
  return NULL;
}

int main(void) {
  ctorch_scope *scope = NULL;
  ctorch_error *error = ctorch_scope_begin(&scope);
  if (error == NULL) {
    error = run();
  }
  ctorch_scope_end(scope);
  return ctorch_error_finish(error);
}
