/** Time, for deadlines and durations. */
#ifndef EXAMPLES_SERVE_CLOCK_H
#define EXAMPLES_SERVE_CLOCK_H

#include <stdint.h>
#include <time.h>

enum { CLOCK_SECOND = 1000 * 1000 * 1000 };

/** Nanoseconds since some moment. */
static inline uint64_t clock_now(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (uint64_t)now.tv_sec * CLOCK_SECOND + (uint64_t)now.tv_nsec;
}

/** A moment as pthread_cond_timedwait has it. */
static inline struct timespec clock_timespec(uint64_t moment) {
  return (struct timespec){.tv_sec = (time_t)(moment / CLOCK_SECOND), .tv_nsec = (long)(moment % CLOCK_SECOND)};
}

#endif
