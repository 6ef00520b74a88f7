/**
 * Four threads at one table of handles: whoever wins, an object that is pinned is alive, and each is destroyed once.
 *
 *     cc -fsanitize=thread race.c handles.c && ./a.out
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "word/handles.h"

enum { THREADS = 4, SHARED = 64, ROUNDS = 100000, ALIVE = 0x600D };

typedef struct object {
  int alive;
  int changes;
} object;

static _Atomic int64_t shared[SHARED];
static _Atomic int64_t made;
static _Atomic int64_t destroyed;
static _Atomic int64_t failures;

static void destroy(void *dead) {
  object *one = dead;
  if (one->alive != ALIVE) {
    atomic_fetch_add(&failures, 1);
  }
  one->alive = 0;
  atomic_fetch_add(&destroyed, 1);
  free(one);
}

const word_kind word_kinds[] = {{NULL, NULL}, {"OBJECT", destroy}};
const uint32_t word_kinds_len = 2;

static int64_t new_handle(void) {
  object *one = malloc(sizeof *one);
  *one = (object){ALIVE, 0};
  atomic_fetch_add(&made, 1);
  return word_handle_new(1, one);
}

static void use(int64_t handle, unsigned what) {
  uint32_t kind;
  void *found;
  if (word_handle_pin(handle, &kind, &found) != WORD_HANDLE_FINE) {
    return;
  }
  object *one = found;
  const int changes = one->changes;
  if (kind != 1 || one->alive != ALIVE || one->changes != changes) { /* nobody changes what is pinned */
    atomic_fetch_add(&failures, 1);
  }
  if (what % 4 == 0 && word_handle_exclude(handle) == WORD_HANDLE_FINE) {
    one->changes++;
    word_handle_share(handle);
  } else if (what % 64 == 1 && word_handle_take(handle) == WORD_HANDLE_FINE) {
    destroy(one);
  } else {
    word_handle_unpin(word_handle_slot(handle));
  }
}

static void *work(void *seed) {
  unsigned state = (unsigned)(uintptr_t)seed;
  for (int i = 0; i < ROUNDS; i++) {
    unsigned what = (unsigned)rand_r(&state);
    _Atomic int64_t *place = &shared[(unsigned)rand_r(&state) % SHARED];
    switch (what % 8) {
      case 0:
        (void)word_handle_release(atomic_exchange(place, new_handle()));
        break;
      case 1:
        (void)word_handle_release(atomic_load(place));
        break;
      case 2: {
        int64_t handle = atomic_load(place);
        if (word_handle_retain(handle) == WORD_HANDLE_FINE) {
          use(handle, what >> 3);
          (void)word_handle_release(handle);
        }
        break;
      }
      default:
        use(atomic_load(place), what >> 3);
    }
  }
  return NULL;
}

/** Who has one pin of two does not get the object alone; nor does anyone while another has it so. */
static bool exclusion_is_exclusive(void) {
  uint32_t kind;
  void *found;
  int64_t handle = new_handle();
  bool right = word_handle_pin(handle, &kind, &found) == WORD_HANDLE_FINE;
  right = right && word_handle_pin(handle, &kind, &found) == WORD_HANDLE_FINE;
  right = right && word_handle_exclude(handle) == WORD_HANDLE_BUSY;
  word_handle_unpin(word_handle_slot(handle));
  right = right && word_handle_exclude(handle) == WORD_HANDLE_FINE;
  right = right && word_handle_exclude(handle) == WORD_HANDLE_BUSY;
  word_handle_share(handle);
  return word_handle_release(handle) == WORD_HANDLE_FINE && word_handle_count() == 0 && right;
}

int main(void) {
  pthread_t threads[THREADS];
  if (!exclusion_is_exclusive()) {
    printf("an object that another call uses was given out for changes\n");
    return 1;
  }
  for (uintptr_t i = 0; i < THREADS; i++) {
    pthread_create(&threads[i], NULL, work, (void *)(i + 1));
  }
  for (int i = 0; i < THREADS; i++) {
    pthread_join(threads[i], NULL);
  }
  for (int i = 0; i < SHARED; i++) {
    while (word_handle_release(shared[i]) == WORD_HANDLE_FINE) {
    }
  }
  int64_t left = word_handle_count();
  printf(
      "%lld made, %lld destroyed, %lld left, %lld failures\n", (long long)made, (long long)destroyed, (long long)left,
      (long long)failures);
  return made != destroyed || left != 0 || failures != 0 || made < ROUNDS / 8;
}
