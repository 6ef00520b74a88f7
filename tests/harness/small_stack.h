/* Running a function on a thread with the smallest stack that the library promises to get by with. */
#ifndef CTORCH_TESTS_SMALL_STACK_H
#define CTORCH_TESTS_SMALL_STACK_H

#include <pthread.h>

#include "harness/check.h"

#if defined __SANITIZE_ADDRESS__ || defined __SANITIZE_THREAD__
enum { SMALL_STACK = 1024 * 1024 }; /* their frames are many times as large */
#else
enum { SMALL_STACK = 128 * 1024 };
#endif
/* LibTorch takes seven kilobytes for each level of a type in a schema up to 2.7. */
static inline size_t small_stack(void) { return ck_torch_at_least(2, 8) ? SMALL_STACK : 2 * SMALL_STACK; }

typedef struct {
  ctorch_error *(*run)(void *argument);
  void *argument;
} small_stack_call;

static inline void *small_stack_main(void *call) {
  return ((small_stack_call *)call)->run(((small_stack_call *)call)->argument);
}

/** What `run` answers there; an overflow ends the test. */
static inline ctorch_error *on_a_small_stack(ctorch_error *(*run)(void *argument), void *argument) {
  small_stack_call call = {run, argument};
  pthread_attr_t attributes;
  pthread_t thread;
  void *error = NULL;
  ck_assert_int_eq(pthread_attr_init(&attributes), 0);
  ck_assert_int_eq(pthread_attr_setstacksize(&attributes, small_stack()), 0);
  ck_assert_int_eq(pthread_create(&thread, &attributes, small_stack_main, &call), 0);
  ck_assert_int_eq(pthread_join(thread, &error), 0);
  ck_assert_int_eq(pthread_attr_destroy(&attributes), 0);
  return error;
}

#endif
