/* What a call by words costs: the same four calls as tests/languages/c/overhead.c, over pointers that are looked up at
 * run time as a language looks them up. Version is a text, which is given back; size is plain.
 *
 *     overhead [LIBSPL_CTORCH]     else the loader looks for it */
#define _POSIX_C_SOURCE 200809L
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { ROUNDS = 5, TENSORS = 4 };

static int64_t (*version)(void);
static int64_t (*release)(int64_t);
static int64_t (*size)(int64_t, int64_t);
static int64_t (*add)(int64_t, int64_t, int64_t);
static int64_t (*cat)(int64_t, int64_t);
static int64_t tensors[TENSORS]; /* of eight floats each */
static int64_t list;

static void *find(void *library, const char *name) {
  void *found = dlsym(library, name);
  if (found == NULL) {
    fprintf(stderr, "overhead: %s\n", dlerror());
    exit(EXIT_FAILURE);
  }
  return found;
}

/* Gives the program up: a call that fails has no cost that anybody wants to know. */
static int64_t check(int64_t answer) {
  if (answer <= 0) {
    fprintf(stderr, "overhead: a call answered %lld\n", (long long)answer);
    exit(EXIT_FAILURE);
  }
  return answer;
}

static void call_version(void) { release(check(version())); }

static void call_size(void) {
  if (size(tensors[0], 0) != 8) {
    abort();
  }
}

static void call_add(void) { release(check(add(tensors[0], tensors[1], 0))); }

static void call_cat(void) { release(check(cat(list, 0))); }

static double nanoseconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return 1e9 * (double)now.tv_sec + (double)now.tv_nsec;
}

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

int main(int argc, char **argv) {
  void *library = dlopen(argc == 2 ? argv[1] : "libspl_ctorch.so", RTLD_NOW | RTLD_LOCAL);
  if (library == NULL) {
    fprintf(stderr, "overhead: %s\n", dlerror());
    return EXIT_FAILURE;
  }
  *(void **)&version = find(library, "rt_ctorch_version");
  *(void **)&release = find(library, "rt_ctorch_release");
  *(void **)&size = find(library, "rt_ctorch_tensor_size");
  *(void **)&add = find(library, "rt_ctorch_aten_add_Tensor");
  *(void **)&cat = find(library, "rt_ctorch_aten_cat");
  int64_t (*one_thread)(int64_t);
  int64_t (*ints_of)(int64_t, int64_t, int64_t, int64_t, int64_t, int64_t, int64_t, int64_t);
  int64_t (*tensors_of)(int64_t, int64_t, int64_t, int64_t, int64_t, int64_t, int64_t, int64_t);
  int64_t (*ones)(int64_t, int64_t, int64_t, int64_t, int64_t);
  *(void **)&one_thread = find(library, "rt_ctorch_threads_set_num");
  *(void **)&ints_of = find(library, "rt_ctorch_ints_of");
  *(void **)&tensors_of = find(library, "rt_ctorch_tensors_of");
  *(void **)&ones = find(library, "rt_ctorch_aten_ones");
  check(one_thread(1));
  const int64_t shape = check(ints_of(1, 8, 0, 0, 0, 0, 0, 0));
  for (int i = 0; i < TENSORS; i++) {
    tensors[i] = check(ones(shape, 0, 0, 0, 0)); /* float32 unless the default is another */
  }
  list = check(tensors_of(TENSORS, tensors[0], tensors[1], tensors[2], tensors[3], 0, 0, 0));
  report("version", call_version, 5000000);
  report("size", call_size, 5000000);
  report("add", call_add, 100000);
  report("cat", call_cat, 100000);
  return EXIT_SUCCESS;
}
