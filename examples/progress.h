/* A progress bar on standard error: redrawn in place on a terminal, one plain line at the end elsewhere. */
#ifndef CTORCH_EXAMPLES_PROGRESS_H
#define CTORCH_EXAMPLES_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

typedef struct progress {
  const char *label;
  int64_t total, done;
  double loss;
  bool quiet, terminal;
  double started, drawn;
} progress;

/** Start: `label` is borrowed until progress_end; nothing is ever written if `quiet`. */
progress progress_begin(const char *label, int64_t total, bool quiet);

/** Tell how many images are done, and the mean loss over them. */
void progress_update(progress *self, int64_t done, double loss);

/** Finish the line, also after a failure on the way. */
void progress_end(progress *self);

#endif
