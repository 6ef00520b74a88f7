/* What a call costs in C: nanoseconds for four calls, one thread, best of five rounds. The programs of the other
 * languages (tests/languages/<language>/overhead.*) make the same calls and print the same lines, and
 * tests/bench/overhead.py runs them side by side. */
#define _POSIX_C_SOURCE 199309L
#include <ctorch.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { ROUNDS = 5, TENSORS = 4 };

static ctorch_tensor *tensors[TENSORS]; /* of eight floats each */

/* Gives the program up: a call that fails has no cost that anybody wants to know. */
static void check(ctorch_error *error) {
  if (error != NULL) {
    fprintf(stderr, "overhead: %s\n", ctorch_error_message(error));
    exit(EXIT_FAILURE);
  }
}

static void call_version(void) {
  if (ctorch_version()[0] == '\0') {
    abort();
  }
}

static void call_size(void) {
  int64_t size = 0;
  check(ctorch_tensor_size(&size, tensors[0], 0));
  if (size != 8) {
    abort();
  }
}

static void call_add(void) {
  ctorch_tensor *sum = NULL;
  check(ctorch_aten_add_Tensor(&sum, tensors[0], tensors[1], NULL));
  ctorch_tensor_release(sum);
}

static void call_cat(void) {
  ctorch_tensor *joined = NULL;
  check(ctorch_aten_cat(&joined, CTORCH_CONST_TENSORS(tensors), 0));
  ctorch_tensor_release(joined);
}

static double nanoseconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return 1e9 * (double)now.tv_sec + (double)now.tv_nsec;
}

/* `call` is known where this is inlined, as it is in a program that makes the calls in a loop of its own. */
static inline void report(const char *name, void (*call)(void), int64_t calls) {
  double best = 0;
  for (int round = 0; round < ROUNDS; round++) {
    const double start = nanoseconds();
    for (int64_t i = 0; i < calls; i++) {
      call();
    }
    const double each = (nanoseconds() - start) / (double)calls;
    best = round == 0 || each < best ? each : best;
  }
  printf("%s %.1f\n", name, best);
}

int main(void) {
  const float numbers[8] = {1, 2, 3, 4, 5, 6, 7, 8};
  check(ctorch_threads_set_num(1));
  for (int i = 0; i < TENSORS; i++) {
    check(ctorch_tensor_from_data(&tensors[i], numbers, sizeof numbers, CTORCH_INTS(8), CTORCH_DTYPE_FLOAT32));
  }
  report("version", call_version, 10000000);
  report("size", call_size, 5000000);
  report("add", call_add, 100000);
  report("cat", call_cat, 100000);
  for (int i = 0; i < TENSORS; i++) {
    ctorch_tensor_release(tensors[i]);
  }
  return EXIT_SUCCESS;
}
