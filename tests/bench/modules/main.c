/* Forward and training steps of models, once each of ctorch's modules, by hand on operators, and of LibTorch's modules.
 *
 *   bench_modules [--cpu] [--threads N] [--rounds N] [--model NAME] [--batch N]
 *       prints model, batch, pass, variant and the best time in microseconds, tab-separated. The variants take turns.
 *       With --cpu it is the time of the processor, all threads together, which others do not take from.
 *   bench_modules --count [--model NAME] [--batch N]
 *       under callgrind: a dump for each variant, labelled "model<tab>batch<tab>pass<tab>variant<tab>calls"
 *   bench_modules --memory VARIANT --pass forward|training --model NAME --batch N
 *       runs that one three times and prints how much the peak of the process's memory grew, in KiB
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "models.h"

#if __has_include(<valgrind/callgrind.h>)
#include <valgrind/callgrind.h>
#define HAVE_CALLGRIND 1
#else
#define HAVE_CALLGRIND 0
#endif

enum { MODULES, OPERATORS, LIBTORCH, VARIANTS, COUNTED = 10 };
static const char *const variant_names[VARIANTS] = {"modules", "operators", "libtorch"};

struct options {
  int32_t threads;
  int rounds;
  bool counts, cpu;
  const char *model, *memory, *pass;
  int64_t batch;
};

struct run {
  const model *model;
  ctorch_module *net;
  struct libtorch_model *other;
  held weights;
  ctorch_tensor *input, *output; /* the last one's, which its scope does not hold */
  size_t parameters;
  bool training;
};

static ctorch_error *forward(ctorch_tensor **out, struct run *self, int variant) {
  self->weights.next_parameter = self->weights.next_buffer = 0;
  return variant == MODULES ? ctorch_module_forward(out, self->net, self->input)
                            : self->model->by_hand(out, &self->weights, self->input, self->training);
}

static ctorch_error *zero_grad(struct run *self, int variant) {
  if (variant == MODULES) {
    return ctorch_module_zero_grad(self->net, true);
  }
  for (size_t i = 0; i < self->parameters; i++) {
    CTORCH_TRY(ctorch_tensor_set_grad(self->weights.parameters[i], NULL));
  }
  return NULL;
}

static ctorch_error *step(struct run *self, ctorch_scope *scope, int variant) {
  ctorch_tensor *output, *sum;
  if (!self->training) {
    CTORCH_TRY(ctorch_grad_mode_push(false));
    CTORCH_TRY(forward(&output, self, variant));
    CTORCH_TRY(ctorch_grad_mode_pop());
  } else {
    CTORCH_TRY(forward(&output, self, variant));
    CTORCH_TRY(ctorch_aten_sum(&sum, output, NULL));
    CTORCH_TRY(ctorch_tensor_backward(sum, NULL, NULL, false));
    CTORCH_REPLACE(&output, ctorch_aten_detach(&output, output));
    CTORCH_TRY(zero_grad(self, variant));
  }
  CTORCH_TRY(ctorch_scope_keep(scope, output));
  self->output = output;
  return NULL;
}

static ctorch_error *run_once(struct run *self, int variant) {
  if (variant == LIBTORCH) {
    libtorch_model_run(self->other, self->input, self->training);
    return NULL;
  }
  ctorch_scope *scope;
  ctorch_tensor_release(self->output); /* not to have two at a time */
  self->output = NULL;
  CTORCH_TRY(ctorch_scope_begin(&scope));
  ctorch_error *error = step(self, scope, variant);
  ctorch_scope_end(scope);
  return error;
}

static ctorch_error *run_begin(struct run *self, const model *model, int64_t batch, bool training) {
  ctorch_tensor_list *parameters, *buffers;
  *self = (struct run){.model = model, .training = training};
  CTORCH_TRY(ctorch_random_manual_seed(1));
  CTORCH_TRY(model->build(&self->net));
  CTORCH_TRY(ctorch_module_train(self->net, training));
  CTORCH_TRY(model->input(&self->input, batch));
  CTORCH_TRY(ctorch_module_parameters(&parameters, self->net, true));
  CTORCH_TRY(ctorch_module_buffers(&buffers, self->net, true));
  self->parameters = ctorch_tensor_list_len(parameters);
  self->weights.parameters = ctorch_tensor_list_mutable_data(parameters);
  self->weights.buffers = ctorch_tensor_list_mutable_data(buffers);
  self->other = libtorch_model_new(model->name, &self->weights);
  libtorch_model_train(self->other, training);
  return NULL;
}

static void run_end(struct run *self) {
  libtorch_model_delete(self->other);
  ctorch_tensor_release(self->output);
}

/* All three compute the same. */
static ctorch_error *check(struct run *self) {
  CTORCH_TRY(run_once(self, LIBTORCH));
  for (int variant = MODULES; variant <= OPERATORS; variant++) {
    CTORCH_TRY(run_once(self, variant));
    double difference = libtorch_model_difference(self->other, self->output);
    if (!(difference <= 1e-4)) {
      fprintf(stderr, "%s: %s differ from libtorch by %g\n", self->model->name, variant_names[variant], difference);
      exit(EXIT_FAILURE);
    }
  }
  return NULL;
}

static double now(bool cpu) {
  struct timespec time;
  clock_gettime(cpu ? CLOCK_PROCESS_CPUTIME_ID : CLOCK_MONOTONIC, &time);
  return 1e6 * (double)time.tv_sec + 1e-3 * (double)time.tv_nsec;
}

static ctorch_error *microseconds(double *out, struct run *self, int variant, int calls, bool cpu) {
  double begin = now(cpu);
  for (int i = 0; i < calls; i++) {
    CTORCH_TRY(run_once(self, variant));
  }
  *out = (now(cpu) - begin) / calls;
  return NULL;
}

/* As many rounds as were asked for, of 2 ms or one call; fewer, but three, where a round takes long. */
static ctorch_error *measure(struct run *self, const struct options *options, double best[VARIANTS]) {
  double once, time;
  CTORCH_TRY(microseconds(&once, self, MODULES, 1, options->cpu));
  const int calls = once < 2e3 ? (int)(2e3 / once) + 1 : 1;
  int rounds = once * options->rounds < 4e6 ? options->rounds : (int)(4e6 / once);
  rounds = rounds < 3 ? 3 : rounds;
  for (int i = 0; i < VARIANTS; i++) {
    best[i] = 1e300;
  }
  for (int round = 0; round < rounds; round++) {
    for (int i = 0; i < VARIANTS; i++) {
      const int variant = (i + round) % VARIANTS;
      CTORCH_TRY(microseconds(&time, self, variant, calls, options->cpu));
      best[variant] = time < best[variant] ? time : best[variant];
    }
  }
  return NULL;
}

static ctorch_error *count(struct run *self, const char *label) {
#if HAVE_CALLGRIND
  for (int variant = 0; variant < VARIANTS; variant++) {
    char name[96];
    snprintf(name, sizeof name, "%s\t%s\t%d", label, variant_names[variant], COUNTED);
    CTORCH_TRY(run_once(self, variant));
    CALLGRIND_START_INSTRUMENTATION;
    CALLGRIND_ZERO_STATS;
    for (int i = 0; i < COUNTED; i++) {
      CTORCH_TRY(run_once(self, variant));
    }
    CALLGRIND_DUMP_STATS_AT(name);
    CALLGRIND_STOP_INSTRUMENTATION;
  }
#endif
  (void)self, (void)label;
  return NULL;
}

/* One model, batch and pass. */
static ctorch_error *run_case(const struct options *options, const model *model, int64_t batch, bool training) {
  struct run self;
  double best[VARIANTS];
  char label[64];
  snprintf(label, sizeof label, "%s\t%lld\t%s", model->name, (long long)batch, training ? "training" : "forward");
  CTORCH_TRY(run_begin(&self, model, batch, training));
  CTORCH_TRY(check(&self));
  if (options->counts) {
    CTORCH_TRY(count(&self, label));
  } else {
    CTORCH_TRY(measure(&self, options, best));
    for (int i = 0; i < VARIANTS; i++) {
      printf("%s\t%s\t%.3f\n", label, variant_names[i], best[i]);
    }
    fflush(stdout);
  }
  run_end(&self);
  return NULL;
}

/* VmHWM, in KiB. */
static long peak(void) {
  char line[128];
  long found = 0;
  FILE *file = fopen("/proc/self/status", "r");
  while (file != NULL && fgets(line, sizeof line, file) != NULL) {
    if (strncmp(line, "VmHWM:", 6) == 0) {
      found = strtol(line + 6, NULL, 10);
    }
  }
  if (file != NULL) {
    fclose(file);
  }
  return found;
}

static ctorch_error *memory(const struct options *options, const model *model) {
  struct run self;
  CTORCH_TRY(run_begin(&self, model, 1, strcmp(options->pass, "training") == 0));
  int variant = MODULES;
  while (variant < LIBTORCH && strcmp(variant_names[variant], options->memory) != 0) {
    variant++;
  }
  CTORCH_TRY(run_once(&self, variant)); /* what is loaded and set up at first use is no part of it */
  CTORCH_TRY(model->input(&self.input, options->batch));
  long before = peak();
  for (int i = 0; i < 3; i++) {
    CTORCH_TRY(run_once(&self, variant));
  }
  printf("%ld\n", peak() - before);
  run_end(&self);
  return NULL;
}

static ctorch_error *run_model(const struct options *options, const model *model) {
  static const int64_t batches[] = {1, 32, 256};
  if (options->memory != NULL) {
    return memory(options, model);
  }
  for (size_t i = 0; i < sizeof batches / sizeof *batches; i++) {
    for (int training = 0; training < 2; training++) {
      if (options->batch != 0 && options->batch != batches[i]) {
        continue;
      }
      ctorch_scope *scope;
      CTORCH_TRY(ctorch_scope_begin(&scope));
      ctorch_error *error = run_case(options, model, batches[i], training != 0);
      ctorch_scope_end(scope);
      CTORCH_TRY(error);
    }
  }
  return NULL;
}

static int usage(void) {
  fputs(
      "usage: bench_modules [--count | --cpu] [--threads N] [--rounds N] [--model NAME] [--batch N]\n"
      "                     [--memory VARIANT --pass forward|training]\n",
      stderr);
  return 2;
}

int main(int argc, char **argv) {
  struct options options = {.threads = 1, .rounds = 200, .pass = "forward"};
  for (int i = 1; i < argc; i++) {
    const char *name = argv[i], *value = i + 1 < argc ? argv[i + 1] : NULL;
    if (strcmp(name, "--count") == 0 || strcmp(name, "--cpu") == 0) {
      options.counts |= name[3] == 'o';
      options.cpu |= name[3] == 'p';
      continue;
    }
    if (value == NULL) {
      return usage();
    }
    i++;
    if (strcmp(name, "--threads") == 0) {
      options.threads = (int32_t)strtol(value, NULL, 10);
    } else if (strcmp(name, "--rounds") == 0) {
      options.rounds = (int)strtol(value, NULL, 10);
    } else if (strcmp(name, "--batch") == 0) {
      options.batch = strtol(value, NULL, 10);
    } else if (strcmp(name, "--model") == 0) {
      options.model = value;
    } else if (strcmp(name, "--memory") == 0) {
      options.memory = value;
    } else if (strcmp(name, "--pass") == 0) {
      options.pass = value;
    } else {
      return usage();
    }
  }
  ctorch_scope *scope = NULL;
  ctorch_error *error = ctorch_scope_begin(&scope);
  error = error != NULL ? error : ctorch_threads_set_num(options.threads);
  for (const model *model = models; error == NULL && model->name != NULL; model++) {
    if (options.model == NULL || strcmp(options.model, model->name) == 0) {
      error = run_model(&options, model);
    }
  }
  ctorch_scope_end(scope);
  return ctorch_error_finish(error);
}
