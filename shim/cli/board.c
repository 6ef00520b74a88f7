/* `ctorch board`: event files in the terminal. */
#define _XOPEN_SOURCE 700
#include "cli/board.h"

#include <inttypes.h>
#include <langinfo.h>
#include <locale.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#include "cli/json.h"
#include "cli/model.h"

struct options {
  bool follows, as_json;
  struct board_chart chart;
};

/* Least and greatest of what is finite. */
static void extremes(const struct board_series *series, double *low, double *high) {
  *low = INFINITY;
  *high = -INFINITY;
  for (size_t i = 0; i < series->count; i++) {
    const double value = series->points[i].value;
    if (isfinite(value)) {
      *low = fmin(*low, value);
      *high = fmax(*high, value);
    }
  }
}

static bool is_scalar(const struct board_series *series) { return series->kind == CTORCH_SUMMARY_KIND_SCALAR; }

/* As text ---------------------------------------------------------------------------------------------------------- */

/* The numbers behind them take 68 columns. */
static void print_names(const char *run, int run_width, const char *tag, int tag_width) {
  enum { REST = 70, LEAST = 20 };
  const int columns = cli_columns(), half = (columns - REST) / 2;
  const int most = columns == 0 ? 0 : half > LEAST ? half : LEAST;
  cli_print_cell(run, run_width, most);
  fputs("  ", stdout);
  cli_print_cell(tag, tag_width, most);
}

static void print_table(const struct board *board) {
  int run_width = 3, tag_width = 3;
  for (size_t i = 0; i < board->series_len; i++) {
    char *run = cli_escaped(board->runs[board->series[i].run].name), *tag = cli_escaped(board->series[i].tag);
    run_width = cli_width(run) > run_width ? cli_width(run) : run_width;
    tag_width = cli_width(tag) > tag_width ? cli_width(tag) : tag_width;
    free(run);
    free(tag);
  }
  print_names("run", run_width, "tag", tag_width);
  printf("  %-12s %8s %10s %11s %11s %11s\n", "kind", "count", "step", "last", "min", "max");
  for (size_t i = 0; i < board->series_len; i++) {
    const struct board_series *series = &board->series[i];
    char *run = cli_escaped(board->runs[series->run].name), *tag = cli_escaped(series->tag);
    print_names(run, run_width, tag, tag_width);
    printf("  %-12s %8zu %10" PRId64, board_kind(series->kind), series->count, series->last_step);
    if (is_scalar(series) && series->count > 0) {
      double low = 0, high = 0;
      extremes(series, &low, &high);
      printf(" %11.5g %11.5g %11.5g", series->points[series->count - 1].value, low, high);
    }
    putchar('\n');
    free(run);
    free(tag);
  }
}

static void print_charts(const struct board *board, const struct board_chart *chart) {
  struct board_series *scalars = calloc(board->series_len + 1, sizeof *scalars);
  if (scalars == NULL) {
    abort();
  }
  for (size_t i = 0; i < board->series_len;) {
    const char *tag = board->series[i].tag;
    size_t len = 0;
    for (; i < board->series_len && strcmp(board->series[i].tag, tag) == 0; i++) {
      if (is_scalar(&board->series[i]) && board->series[i].count > 0) {
        scalars[len++] = board->series[i];
      }
    }
    if (len > 0) {
      board_draw(board, scalars, len, chart);
    }
  }
  free(scalars);
}

/* As JSON ---------------------------------------------------------------------------------------------------------- */

/* JSON has no number for what is not finite. */
static json_t *number(double value) {
  return isnan(value)   ? json_string("NaN")
         : isinf(value) ? json_string(value > 0 ? "Infinity" : "-Infinity")
                        : json_real(value);
}

static json_t *json_of(const struct board_series *series) {
  json_t *object = json_pack(
      "{s:s, s:s, s:I, s:I}", "tag", series->tag, "kind", board_kind(series->kind), "count", (json_int_t)series->count,
      "last_step", (json_int_t)series->last_step);
  if (object != NULL && is_scalar(series) && series->count > 0) {
    double low = 0, high = 0;
    extremes(series, &low, &high);
    json_object_set_new(object, "last", number(series->points[series->count - 1].value));
    json_object_set_new(object, "min", low <= high ? number(low) : json_null());
    json_object_set_new(object, "max", low <= high ? number(high) : json_null());
  }
  return object;
}

static int print_json(const struct board *board) {
  json_t *runs = json_array();
  for (size_t i = 0; i < board->runs_len; i++) {
    json_t *tags = json_array();
    for (size_t j = 0; j < board->series_len; j++) {
      if (board->series[j].run == i) {
        json_array_append_new(tags, json_of(&board->series[j]));
      }
    }
    json_array_append_new(runs, json_pack("{s:s, s:o}", "run", board->runs[i].name, "tags", tags));
  }
  return cli_print_json(json_pack("{s:o}", "runs", runs));
}

/* Following -------------------------------------------------------------------------------------------------------- */

static volatile sig_atomic_t is_interrupted;

static void on_interrupt(int number) {
  (void)number;
  is_interrupted = 1;
}

static void print_point(const char *run, const char *tag, const struct board_point *point) {
  char *run_text = cli_escaped(run), *tag_text = cli_escaped(tag);
  printf("%s\t%s\t%" PRId64 "\t%.9g\n", run_text, tag_text, point->step, point->value);
  free(run_text);
  free(tag_text);
}

/* Until Ctrl-C: on a terminal all of it anew each second, elsewhere a line for each new scalar. */
static ctorch_error *follow(struct board *board, const struct options *options) {
  const struct timespec second = {1, 0};
  const bool is_terminal = isatty(STDOUT_FILENO) == 1;
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_handler = on_interrupt;
  sigemptyset(&action.sa_mask);
  sigaction(SIGINT, &action, NULL);
  sigaction(SIGTERM, &action, NULL);
  while (!is_interrupted && !ferror(stdout)) {
    CTORCH_TRY(board_read(board, is_terminal ? NULL : print_point));
    if (is_terminal) {
      fputs("\033[H\033[J", stdout);
      print_table(board);
      print_charts(board, &options->chart);
    }
    fflush(stdout);
    nanosleep(&second, NULL);
  }
  return NULL;
}

/* The command ------------------------------------------------------------------------------------------------------ */

static void choose_chart(struct board_chart *chart) {
  struct winsize size;
  setlocale(LC_CTYPE, "");
  chart->is_ascii = chart->is_ascii || strcmp(nl_langinfo(CODESET), "UTF-8") != 0;
  chart->is_colored = isatty(STDOUT_FILENO) == 1 && getenv("NO_COLOR") == NULL && !chart->is_ascii;
  if (chart->width == 0) {
    const bool is_known = ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
    chart->width = is_known ? size.ws_col : 80;
  }
  chart->height = chart->height == 0 ? 12 : chart->height;
}

static int show(struct board *board, struct options *options) {
  choose_chart(&options->chart);
  ctorch_error *error = options->follows ? follow(board, options) : board_read(board, NULL);
  if (error != NULL) {
    return cli_fail(error);
  }
  if (options->follows) {
    return CLI_OK;
  }
  if (options->as_json) {
    return print_json(board);
  }
  print_table(board);
  print_charts(board, &options->chart);
  return CLI_OK;
}

static bool read_size(const char *name, const char *text, int *out) {
  enum { MOST = 10000 };
  int64_t number = 0;
  if (!cli_read_number(&cli_board, name, text, 1, &number)) {
    return false;
  }
  if (number > MOST) {
    cli_misused(&cli_board, "%s: at most %d", name, MOST);
    return false;
  }
  *out = (int)number;
  return true;
}

static bool read_smoothing(const char *text, double *out) {
  char *rest = NULL;
  *out = strtod(text, &rest);
  if (rest == text || *rest != '\0' || !(*out >= 0 && *out < 1)) {
    cli_misused(&cli_board, "--smooth: expected a number from 0 to below 1, got '%s'", text);
    return false;
  }
  return true;
}

static int run(int argc, char **argv) {
  static const struct option OPTIONS[] = {
      {"follow", no_argument, NULL, 'f'},
      {"tag", required_argument, NULL, 't'},
      {"run", required_argument, NULL, 'r'},
      {"smooth", required_argument, NULL, 's'},
      {"width", required_argument, NULL, 'w'},
      {"height", required_argument, NULL, 'h'},
      {"ascii", no_argument, NULL, 'a'},
      {"json", no_argument, NULL, 'j'},
      {NULL, 0, NULL, 0}};
  struct options options = {0};
  struct board board = {0};
  for (int option; (option = getopt_long(argc, argv, "", OPTIONS, NULL)) != -1;) {
    bool is_right = true;
    switch (option) {
      case 'f':
        options.follows = true;
        break;
      case 't':
        board.tag = optarg;
        break;
      case 'r':
        board.run = optarg;
        break;
      case 's':
        is_right = read_smoothing(optarg, &options.chart.smoothing);
        break;
      case 'w':
        is_right = read_size("--width", optarg, &options.chart.width);
        break;
      case 'h':
        is_right = read_size("--height", optarg, &options.chart.height);
        break;
      case 'a':
        options.chart.is_ascii = true;
        break;
      case 'j':
        options.as_json = true;
        break;
      default:
        return cli_unknown_option(&cli_board);
    }
    if (!is_right) {
      return CLI_FAILED;
    }
  }
  if (argc - optind != 1) {
    return cli_misused(&cli_board, "board takes one folder");
  }
  if (options.follows && options.as_json) {
    return cli_misused(&cli_board, "--follow and --json exclude each other");
  }
  board.folder = argv[optind];
  const int status = show(&board, &options);
  board_free(&board);
  return status;
}

const struct cli_command cli_board = {
    "board",
    run,
    "curves and tags of event files (TensorBoard)",
    "Usage: ctorch board [OPTION…] FOLDER\n"
    "\n"
    "What the event files below a folder hold, for each run and tag, and the curves of scalars.\n"
    "\n"
    "  --follow     go on until Ctrl-C: on a terminal all of it anew each second, elsewhere a line for each scalar\n"
    "  --tag GLOB   these tags alone\n"
    "  --run GLOB   these runs alone: folders relative to FOLDER, '.' for itself\n"
    "  --smooth F   draw moving averages, from 0 (as it is) to below 1\n"
    "  --width N    columns of a chart; the terminal's, or 80\n"
    "  --height N   rows of a chart, 12\n"
    "  --ascii      draw with letters, as where the locale is not UTF-8\n"
    "  --json       the table as JSON, without curves\n"
    "  -h, --help   this text\n",
};
