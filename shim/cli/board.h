/* `ctorch board`: what event files hold, and how it is shown. */
#ifndef CTORCH_SHIM_CLI_BOARD_H
#define CTORCH_SHIM_CLI_BOARD_H

#include "cli/cli.h"

struct board_point {
  int64_t step;
  double value;
};

/* What one run has under one tag. */
struct board_series {
  size_t run; /* of the board's */
  char *tag;
  ctorch_summary_kind kind;
  size_t count;
  int64_t last_step;
  struct board_point *points; /* of scalars, `count` of them */
  size_t capacity;
};

struct board_run {
  char *name;
  ctorch_summary_reader *reader;
};

struct board {
  const char *folder, *tag, *run; /* patterns; NULL for all */
  struct board_run *runs;
  size_t runs_len;
  struct board_series *series; /* sorted by tag, then run */
  size_t series_len;
};

/* Read what is new. `each`, unless NULL, is told of every scalar. */
ctorch_error *board_read(
    struct board *self, void (*each)(const char *run, const char *tag, const struct board_point *point))
    __attribute__((warn_unused_result));
void board_free(struct board *self);

/* The name of a kind: "scalar". */
const char *board_kind(ctorch_summary_kind kind);

struct board_chart {
  int width, height; /* in characters */
  bool is_ascii, is_colored;
  double smoothing;
};

/* Draw the scalars of one tag, which stand together. */
void board_draw(
    const struct board *board, const struct board_series *series, size_t len, const struct board_chart *chart);

/* The weight of the past in the moving average that TensorBoard draws; frees with free. NULL is out of memory. */
double *board_smooth(const struct board_series *series, double smoothing);

#endif
