/* Steps of an optimizer alone, over parameters that have gradients.
 *
 *   bench_optimizers NAME TENSORS ELEMENTS ROUNDS [THREADS]
 *
 * makes the optimizer of this name with its defaults over as many tensors of as many elements, and prints the best time
 * of a step in microseconds. */
#include <ctorch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec * 1e6 + (double)time.tv_nsec * 1e-3;
}

static ctorch_error *make(ctorch_optimizer **out, const char *name, size_t tensors, int64_t elements) {
  ctorch_value *params = NULL, *args = NULL;
  ctorch_tensor **made = calloc(tensors, sizeof *made);
  for (size_t i = 0; i < tensors; i++) {
    ctorch_tensor *gradient;
    CTORCH_TRY(ctorch_randn(&made[i], &elements, 1));
    CTORCH_TRY(ctorch_randn(&gradient, &elements, 1));
    CTORCH_TRY(ctorch_tensor_set_requires_grad(made[i], true));
    CTORCH_TRY(ctorch_tensor_set_grad(made[i], gradient));
  }
  CTORCH_TRY(ctorch_value_from_tensors(&params, ctorch_const_tensors(made), tensors));
  free(made);
  CTORCH_TRY(ctorch_value_from_tuple(&args, (const ctorch_value *const[]){params}, 1));
  return ctorch_optim_create(out, name, args, NULL);
}

static ctorch_error *run(int argc, char **argv) {
  if (argc < 5) {
    return ctorch_error_format(CTORCH_ERROR_VALUE, "usage: %s NAME TENSORS ELEMENTS ROUNDS [THREADS]", argv[0]);
  }
  ctorch_optimizer *optimizer = NULL;
  CTORCH_TRY(ctorch_threads_set_num(argc > 5 ? atoi(argv[5]) : 1));
  CTORCH_TRY(make(&optimizer, argv[1], (size_t)atoll(argv[2]), atoll(argv[3])));
  double best = 1e300;
  for (long round = atol(argv[4]); round > 0; round--) {
    double begin = now();
    CTORCH_TRY(ctorch_optimizer_step(optimizer));
    double time = now() - begin;
    best = time < best ? time : best;
  }
  printf("%.3f\n", best);
  return NULL;
}

int main(int argc, char **argv) {
  ctorch_scope *scope = NULL;
  ctorch_error *error = ctorch_scope_begin(&scope);
  if (error == NULL) {
    error = run(argc, argv);
  }
  ctorch_scope_end(scope);
  return ctorch_error_finish(error);
}
