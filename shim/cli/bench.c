/* `ctorch bench`: how long a model takes, again and again. */
#define _POSIX_C_SOURCE 200809L
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

#include "base/sequence.h"
#include "cli/json.h"
#include "cli/model.h"

struct bench {
  int64_t warmup, repeat;
  bool as_json;
};

/* What was measured, in seconds. */
struct measured {
  double *seconds; /* sorted */
  size_t len;
  double sum, load;
};

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

static int by_size(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return x < y ? -1 : x > y;
}

/* The nearest rank: what so many percent of the runs did not exceed. */
static double percentile(const struct measured *self, double percent) {
  const size_t rank = (size_t)ceil(percent / 100 * (double)self->len);
  return self->seconds[rank == 0 ? 0 : rank - 1];
}

static ctorch_error *measure(
    struct measured *out, const struct cli_model *model, const struct cli_inputs *inputs, const struct bench *bench) {
  for (int64_t i = -bench->warmup; i < bench->repeat; i++) {
    ctorch_tensor_list *outputs = NULL;
    const double begin = now();
    CTORCH_TRY(cli_model_run(model, &outputs, inputs));
    const double taken = now() - begin;
    ctorch_tensor_list_release(outputs);
    if (i >= 0) {
      out->seconds[out->len++] = taken;
      out->sum += taken;
    }
  }
  qsort(out->seconds, out->len, sizeof *out->seconds, by_size);
  return NULL;
}

static uint64_t peak_nbytes(void) {
  struct rusage usage;
  return getrusage(RUSAGE_SELF, &usage) == 0 ? (uint64_t)usage.ru_maxrss * 1024 : 0;
}

static int print_measured(const struct measured *self, bool as_json) {
  static const struct {
    const char *name;
    double percent;
  } ROWS[] = {{"p50", 50}, {"p90", 90}, {"p99", 99}, {"max", 100}};
  const double mean = self->sum / (double)self->len;
  if (as_json) {
    json_t *latency = json_pack("{s:f, s:f}", "mean", mean * 1e3, "min", self->seconds[0] * 1e3);
    for (size_t i = 0; i < sizeof ROWS / sizeof *ROWS; i++) {
      json_object_set_new(latency, ROWS[i].name, json_real(percentile(self, ROWS[i].percent) * 1e3));
    }
    return cli_print_json(json_pack(
        "{s:I, s:o, s:f, s:f, s:I}", "runs", (json_int_t)self->len, "latency_ms", latency, "runs_per_second", 1 / mean,
        "load_ms", self->load * 1e3, "peak_nbytes", (json_int_t)peak_nbytes()));
  }
  char size[32];
  printf("runs      %zu\nmean      %.4g ms\nmin       %.4g ms\n", self->len, mean * 1e3, self->seconds[0] * 1e3);
  for (size_t i = 0; i < sizeof ROWS / sizeof *ROWS; i++) {
    printf("%s       %.4g ms\n", ROWS[i].name, percentile(self, ROWS[i].percent) * 1e3);
  }
  printf(
      "a second  %.4g runs\nload      %.4g ms\nmemory    %s at most\n", 1 / mean, self->load * 1e3,
      cli_size(size, peak_nbytes()));
  return CLI_OK;
}

static int bench_model(const struct cli_model_options *options, struct cli_inputs *inputs, const struct bench *bench) {
  struct cli_model model = {.kind = NULL};
  struct measured measured = {.seconds = calloc((size_t)bench->repeat, sizeof(double))};
  if (measured.seconds == NULL) {
    abort();
  }
  const double begin = now();
  ctorch_error *error = cli_model_open(&model, options);
  measured.load = now() - begin;
  if (!inputs->is_given) {
    THEN(error, cli_inputs_make(inputs, &model));
  }
  THEN(error, measure(&measured, &model, inputs, bench));
  const int status = error == NULL ? print_measured(&measured, bench->as_json) : cli_fail(error);
  free(measured.seconds);
  cli_model_close(&model);
  return status;
}

static int run(int argc, char **argv) {
  static const struct option OPTIONS[] = {
      {"input", required_argument, NULL, 'i'},
      {"warmup", required_argument, NULL, 'w'},
      {"repeat", required_argument, NULL, 'r'},
      {"model", required_argument, NULL, 'm'},
      {"device", required_argument, NULL, 'd'},
      {"threads", required_argument, NULL, 't'},
      {"json", no_argument, NULL, 'j'},
      {"arguments", required_argument, NULL, 'a'},
      {NULL, 0, NULL, 0}};
  struct cli_model_options options = {0};
  struct cli_inputs inputs = {.args = NULL};
  struct bench bench = {10, 100, false};
  bool is_read = true;
  ctorch_error *error = NULL;
  for (int option; is_read && error == NULL && (option = getopt_long(argc, argv, "", OPTIONS, NULL)) != -1;) {
    switch (option) {
      case 'i':
        error = cli_inputs_read_tensors(&inputs, optarg);
        break;
      case 'a':
        error = cli_inputs_read_arguments(&inputs, optarg);
        break;
      case 'w':
        is_read = cli_read_number(&cli_bench, "--warmup", optarg, 0, &bench.warmup);
        break;
      case 'r':
        is_read = cli_read_number(&cli_bench, "--repeat", optarg, 1, &bench.repeat);
        break;
      case 'm':
        options.name = optarg;
        break;
      case 'd':
        options.device = optarg;
        break;
      case 't':
        is_read = cli_read_number(&cli_bench, "--threads", optarg, 1, &options.threads);
        break;
      case 'j':
        bench.as_json = true;
        break;
      default:
        is_read = false;
        cli_unknown_option(&cli_bench);
    }
  }
  int status = error != NULL ? cli_fail(error) : is_read ? CLI_OK : CLI_FAILED;
  if (status == CLI_OK && argc - optind != 1) {
    status = cli_misused(&cli_bench, "bench takes one model");
  }
  if (status == CLI_OK) {
    options.path = argv[optind];
    status = bench_model(&options, &inputs, &bench);
  }
  cli_inputs_free(&inputs);
  return status;
}

const struct cli_command cli_bench = {
    "bench",
    run,
    "how long a model takes: percentiles, runs a second, memory",
    "Usage: ctorch bench [--input FILE]… [--arguments FILE]… [--warmup N] [--repeat N] [OPTION…] MODEL\n"
    "\n"
    "Run a model, as of run, again and again, and print how long that takes. A package is a program: run those alone\n"
    "whose origin you trust. Without --input a package gets random tensors, the smallest that it says it takes.\n"
    "\n"
    "  --input FILE  the tensors of a file, as of run; --arguments FILE too\n"
    "  --warmup N    runs before those that count: 10\n"
    "  --repeat N    runs that count: 100\n"
    "  --model NAME  one of several models in the file\n"
    "  --device D    where it runs, as of run\n"
    "  --threads N   how many threads an operator uses\n"
    "  --json        as JSON\n"
    "  -h, --help    this text\n",
};
