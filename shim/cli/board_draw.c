/* Curves in text: board.h. A character of Braille has two dots a column and four a row; without them a mark for each
 * run stands in its place. */
#define _POSIX_C_SOURCE 200809L
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/board.h"

enum { COLORS = 6, AXIS = 11 };
static const int COLOR_NUMBERS[COLORS] = {36, 33, 35, 32, 31, 34};

/* Characters with what is in them. */
struct canvas {
  int columns, rows;     /* characters */
  int across, down;      /* dots in one */
  unsigned char *dots;   /* of Braille, a bit each */
  unsigned char *owners; /* the run drawn there last, from 1; 0 for none */
};

/* What the axes go over. */
struct range {
  double low, high;
  int64_t first, last;
  bool is_empty;
};

double *board_smooth(const struct board_series *series, double smoothing) {
  double *values = malloc((series->count + 1) * sizeof *values);
  double last = 0, weight = 0;
  for (size_t i = 0; values != NULL && i < series->count; i++) {
    const double value = series->points[i].value;
    values[i] = value;
    if (smoothing > 0 && isfinite(value)) { /* without the bias towards the 0 that it begins with */
      last = last * smoothing + (1 - smoothing) * value;
      weight = weight * smoothing + (1 - smoothing);
      values[i] = last / weight;
    }
  }
  return values;
}

static void widen(struct range *range, const struct board_series *series, const double *values) {
  for (size_t i = 0; i < series->count; i++) {
    if (!isfinite(values[i])) {
      continue;
    }
    const int64_t step = series->points[i].step;
    range->low = range->is_empty || values[i] < range->low ? values[i] : range->low;
    range->high = range->is_empty || values[i] > range->high ? values[i] : range->high;
    range->first = range->is_empty || step < range->first ? step : range->first;
    range->last = range->is_empty || step > range->last ? step : range->last;
    range->is_empty = false;
  }
}

static void dot(struct canvas *self, int x, int y, unsigned char owner) {
  static const unsigned char BITS[4][2] = {{0x01, 0x08}, {0x02, 0x10}, {0x04, 0x20}, {0x40, 0x80}};
  const int cell = y / self->down * self->columns + x / self->across;
  self->dots[cell] |= BITS[y % self->down][x % self->across];
  self->owners[cell] = owner;
}

/* Bresenham's line. */
static void line(struct canvas *self, int x, int y, int to_x, int to_y, unsigned char owner) {
  const int dx = abs(to_x - x), dy = -abs(to_y - y), step_x = x < to_x ? 1 : -1, step_y = y < to_y ? 1 : -1;
  for (int slope = dx + dy;;) {
    dot(self, x, y, owner);
    if (x == to_x && y == to_y) {
      return;
    }
    const int twice = 2 * slope;
    if (twice >= dy) {
      slope += dy;
      x += step_x;
    }
    if (twice <= dx) {
      slope += dx;
      y += step_y;
    }
  }
}

static int place(double value, double low, double high, int len) {
  const double share = high > low ? (value / 2 - low / 2) / (high / 2 - low / 2) : 0.5; /* halves do not overflow */
  const int at = (int)(share * (len - 1) + 0.5);
  return at < 0 ? 0 : at >= len ? len - 1 : at;
}

static void curve(
    struct canvas *self,
    const struct range *range,
    const struct board_series *series,
    const double *values,
    unsigned char owner) {
  const int width = self->columns * self->across, height = self->rows * self->down;
  int last_x = -1, last_y = 0;
  for (size_t i = 0; i < series->count; i++) {
    if (!isfinite(values[i])) {
      last_x = -1;
      continue;
    }
    const int x = place((double)series->points[i].step, (double)range->first, (double)range->last, width);
    const int y = height - 1 - place(values[i], range->low, range->high, height);
    if (last_x < 0) {
      dot(self, x, y, owner);
    } else {
      line(self, last_x, last_y, x, y, owner);
    }
    last_x = x;
    last_y = y;
  }
}

static char mark(unsigned char owner) { return owner == 0 ? ' ' : (char)('a' + (owner - 1) % 26); }

static void print_cell(const struct canvas *self, int cell, const struct board_chart *chart, bool is_marked) {
  const unsigned char owner = self->owners[cell], dots = self->dots[cell];
  if (is_marked) {
    putchar(mark(owner));
    return;
  }
  if (dots == 0) {
    putchar(' ');
    return;
  }
  if (chart->is_colored) {
    printf("\033[%dm", COLOR_NUMBERS[(owner - 1) % COLORS]);
  }
  printf("\xe2%c%c", (char)(0xa0 + (dots >> 6)), (char)(0x80 + (dots & 0x3f))); /* U+2800 and the dots */
  if (chart->is_colored) {
    fputs("\033[0m", stdout);
  }
}

static void print_canvas(
    const struct canvas *self, const struct range *range, const struct board_chart *chart, bool is_marked) {
  for (int row = 0; row < self->rows; row++) {
    if (row == 0 || row == self->rows - 1) {
      printf("%*.4g ", AXIS - 2, row == 0 ? range->high : range->low);
    } else {
      printf("%*s", AXIS - 1, "");
    }
    fputs(chart->is_ascii ? "|" : "│", stdout);
    for (int column = 0; column < self->columns; column++) {
      print_cell(self, row * self->columns + column, chart, is_marked);
    }
    putchar('\n');
  }
  char first[32], last[32];
  snprintf(first, sizeof first, "%" PRId64, range->first);
  snprintf(last, sizeof last, "%" PRId64, range->last);
  printf("%*s%s%*s\n", AXIS, "", first, self->columns - (int)strlen(first), last);
}

static void print_legend(
    const struct board *board,
    const struct board_series *series,
    size_t len,
    const struct board_chart *chart,
    bool is_marked) {
  for (size_t i = 0; len > 1 && i < len; i++) {
    char *name = cli_escaped(board->runs[series[i].run].name);
    if (chart->is_colored && !is_marked) {
      printf("%*s\033[%dm%s\033[0m  %s\n", AXIS, "", COLOR_NUMBERS[i % COLORS], chart->is_ascii ? "-" : "━", name);
    } else {
      printf("%*s%c  %s\n", AXIS, "", mark((unsigned char)(i % 254 + 1)), name);
    }
    free(name);
  }
}

static bool begin(struct canvas *self, const struct board_chart *chart, bool is_marked) {
  self->columns = chart->width > AXIS + 10 ? chart->width - AXIS : 10;
  self->rows = chart->height;
  self->across = is_marked ? 1 : 2;
  self->down = is_marked ? 1 : 4;
  const size_t len = (size_t)self->columns * (size_t)self->rows;
  self->dots = calloc(len, 1);
  self->owners = calloc(len, 1);
  return self->dots != NULL && self->owners != NULL;
}

void board_draw(
    const struct board *board, const struct board_series *series, size_t len, const struct board_chart *chart) {
  struct range range = {.is_empty = true};
  struct canvas canvas = {0};
  /* In one colour, lines of dots would not be told apart. */
  const bool is_marked = chart->is_ascii || (len > 1 && !chart->is_colored);
  double **values = calloc(len + 1, sizeof *values);
  if (values == NULL || !begin(&canvas, chart, is_marked)) {
    abort();
  }
  for (size_t i = 0; i < len; i++) {
    values[i] = board_smooth(&series[i], chart->smoothing);
    if (values[i] == NULL) {
      abort();
    }
    widen(&range, &series[i], values[i]);
  }
  for (size_t i = 0; i < len; i++) {
    curve(&canvas, &range, &series[i], values[i], (unsigned char)(i % 254 + 1));
    free(values[i]);
  }
  char *tag = cli_escaped(series[0].tag);
  printf("\n%s\n", tag);
  free(tag);
  if (range.is_empty) {
    puts("  no finite values");
  } else {
    print_canvas(&canvas, &range, chart, is_marked);
    print_legend(board, series, len, chart, is_marked);
  }
  free(canvas.dots);
  free(canvas.owners);
  free(values);
}
