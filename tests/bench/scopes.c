/* Scopes by the clock, with glibc's allocator. Prints lines of a kind, a case and nanoseconds:
 *
 *     replaced  N   a chain of operators on N floats that overwrites its variable with CTORCH_REPLACE, per operator
 *     kept      N   the same with the old tensors kept to the end of the scope
 *     many      …   what is done to 40,000 handles or scopes, all of it
 *
 *     bench_scopes [ROUNDS] */
#ifndef _POSIX_C_SOURCE
#define _POSIX_C_SOURCE 199309L
#endif
#include <ctorch.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { LENGTH = 20, MANY = 40000 };

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

static ctorch_error *replacing(ctorch_tensor *x) {
  for (int i = 0; i < LENGTH; i++) {
    CTORCH_REPLACE(&x, ctorch_aten_relu(&x, x));
  }
  return NULL;
}

static ctorch_error *keeping(ctorch_tensor *x) {
  for (int i = 0; i < LENGTH; i++) {
    CTORCH_TRY(ctorch_aten_relu(&x, x));
  }
  return NULL;
}

static ctorch_error *run_in_scope(ctorch_error *(*chain)(ctorch_tensor *x), ctorch_tensor *x) {
  ctorch_scope *scope = NULL;
  CTORCH_TRY(ctorch_scope_begin(&scope));
  ctorch_error *error = chain(x);
  ctorch_scope_end(scope);
  return error;
}

static ctorch_error *measure(
    double *best, ctorch_error *(*chain)(ctorch_tensor *x), int64_t size, int rounds, int times) {
  ctorch_tensor *x = NULL;
  CTORCH_TRY(ctorch_aten_ones(&x, CTORCH_INTS(size), NULL, NULL, NULL, NULL));
  *best = 1e300;
  for (int round = 0; round < rounds; round++) {
    const double begin = now();
    for (int i = 0; i < times; i++) {
      CTORCH_TRY(run_in_scope(chain, x));
    }
    const double ns = (now() - begin) / times / LENGTH;
    *best = ns < *best ? ns : *best;
  }
  ctorch_tensor_release(x);
  return NULL;
}

/* Many handles and scopes ------------------------------------------------------------------------------------------ */

static ctorch_tensor_list *handles[MANY];

static ctorch_error *make_handles(void) {
  for (int i = 0; i < MANY; i++) {
    CTORCH_TRY(ctorch_tensor_list_new(&handles[i], NULL, 0));
  }
  return NULL;
}

static ctorch_error *end_nested(ctorch_scope *scope, double *begin) {
  ctorch_scope *inner = NULL;
  for (int i = 0; i < MANY; i++) {
    CTORCH_TRY(ctorch_scope_begin(&inner));
  }
  *begin = now();
  ctorch_scope_end(scope);
  return NULL;
}

static ctorch_error *release_first_to_last(ctorch_scope *scope, double *begin) {
  (void)scope;
  CTORCH_TRY(make_handles());
  *begin = now();
  for (int i = 0; i < MANY; i++) {
    ctorch_tensor_list_release(handles[i]);
  }
  return NULL;
}

static ctorch_error *release_from_outside(ctorch_scope *scope, double *begin) {
  CTORCH_TRY(make_handles());
  for (int i = 0; i < MANY; i++) {
    CTORCH_TRY(ctorch_scope_keep(scope, handles[i]));
  }
  static ctorch_tensor_list *outside[MANY];
  memcpy(outside, handles, sizeof outside);
  CTORCH_TRY(make_handles());
  *begin = now();
  for (int i = 0; i < MANY; i++) {
    ctorch_tensor_list_release(outside[i]);
  }
  return NULL;
}

static ctorch_error *keep(ctorch_scope *scope, double *begin) {
  CTORCH_TRY(make_handles());
  *begin = now();
  for (int i = 0; i < MANY; i++) {
    CTORCH_TRY(ctorch_scope_keep(scope, handles[i]));
  }
  const double taken = now() - *begin;
  for (int i = 0; i < MANY; i++) {
    ctorch_tensor_list_release(handles[i]);
  }
  *begin = now() - taken;
  return NULL;
}

static ctorch_error *keep_from_within(ctorch_scope *scope, double *begin) {
  CTORCH_TRY(make_handles());
  ctorch_scope *inner = NULL;
  for (int i = 0; i < MANY; i++) {
    CTORCH_TRY(ctorch_scope_begin(&inner));
  }
  *begin = now();
  for (int i = 0; i < MANY; i++) {
    CTORCH_TRY(ctorch_scope_keep(scope, handles[i]));
  }
  const double taken = now() - *begin;
  ctorch_scope_end(scope);
  for (int i = 0; i < MANY; i++) {
    ctorch_tensor_list_release(handles[i]);
  }
  *begin = now() - taken;
  return NULL;
}

static ctorch_error *run_many(int rounds) {
  const struct {
    const char *name;
    ctorch_error *(*work)(ctorch_scope *scope, double *begin);
  } cases[] = {
      {"nested scopes, ended by the outermost", end_nested},
      {"handles released, the first made first", release_first_to_last},
      {"handles from outside released", release_from_outside},
      {"handles kept", keep},
      {"handles kept, from within as many scopes", keep_from_within},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    double best = 1e300;
    for (int round = 0; round < rounds; round++) {
      ctorch_scope *scope = NULL;
      double begin = 0;
      CTORCH_TRY(ctorch_scope_begin(&scope));
      CTORCH_TRY(cases[i].work(scope, &begin));
      const double ns = now() - begin;
      best = ns < best ? ns : best;
      ctorch_scope_end(scope);
    }
    printf("many\t%s\t%.1f\n", cases[i].name, best);
  }
  return NULL;
}

static ctorch_error *run(int rounds) {
  CTORCH_TRY(run_many(rounds < 5 ? rounds : 5));
  const int64_t sizes[] = {10000, 1000000, 4000000};
  CTORCH_TRY(ctorch_threads_set_num(1));
  CTORCH_TRY(ctorch_grad_mode_push(false));
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
    const int times = sizes[i] < 100000 ? 50 : 1;
    double replaced = 0, kept = 0;
    CTORCH_TRY(measure(&replaced, replacing, sizes[i], rounds, times));
    CTORCH_TRY(measure(&kept, keeping, sizes[i], rounds, times));
    printf("replaced\t%" PRId64 "\t%.1f\nkept\t%" PRId64 "\t%.1f\n", sizes[i], replaced, sizes[i], kept);
  }
  return ctorch_grad_mode_pop();
}

int main(int argc, char **argv) {
  ctorch_error *error = run(argc > 1 ? atoi(argv[1]) : 20);
  if (error != NULL) {
    fprintf(stderr, "%s\n", ctorch_error_message(error));
    ctorch_error_release(error);
    return 1;
  }
  return 0;
}
