#define _POSIX_C_SOURCE 200809L
#include "progress.h"

#include <inttypes.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

enum { BAR_WIDTH = 24 };

static const double redraw_seconds = 0.1;

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static double images_per_second(const progress *self) {
  double seconds = now() - self->started;
  return seconds > 0 ? (double)self->done / seconds : 0;
}

static void draw(progress *self) {
  static const char full[] = "########################", empty[] = "------------------------";
  int filled = self->total > 0 ? (int)(BAR_WIDTH * self->done / self->total) : BAR_WIDTH;
  int percent = self->total > 0 ? (int)(100 * self->done / self->total) : 100;
  fprintf(
      stderr, "\r%s [%.*s%.*s] %3d %%  loss %.4f  %6.0f images/s", self->label, filled, full, BAR_WIDTH - filled, empty,
      percent, self->loss, images_per_second(self));
  self->drawn = now();
}

progress progress_begin(const char *label, int64_t total, bool quiet) {
  progress self = {.label = label, .total = total, .quiet = quiet, .terminal = isatty(STDERR_FILENO) == 1};
  self.started = now();
  return self;
}

void progress_update(progress *self, int64_t done, double loss) {
  self->done = done;
  self->loss = loss;
  if (self->terminal && !self->quiet && now() - self->drawn >= redraw_seconds) {
    draw(self);
  }
}

void progress_end(progress *self) {
  if (self->quiet) {
    return;
  }
  if (self->terminal) {
    draw(self);
    fputc('\n', stderr);
  } else {
    fprintf(
        stderr, "%s  %" PRId64 " of %" PRId64 " images  loss %.4f  %.0f images/s\n", self->label, self->done,
        self->total, self->loss, images_per_second(self));
  }
}
