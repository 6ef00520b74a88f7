/* Whole training steps of models: gradients to none, forward, cross entropy, backward, AdamW; and inference. Once with
 * ctorch's modules and optimizer, once with LibTorch's C++ frontend.
 *
 *   bench_training [--threads N] [--rounds N] [--model NAME] [--batch N]
 *       prints model, batch, pass, variant and the best time in microseconds, tab-separated. The variants take turns.
 *   bench_training --memory ctorch|libtorch --model NAME --batch N
 *       runs three steps and prints how much the peak of the process's memory grew, in KiB
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "models.h"

enum { CTORCH, LIBTORCH, VARIANTS };
static const char *const variant_names[VARIANTS] = {"ctorch", "libtorch"};

struct run {
  const model *model;
  ctorch_module *net;
  ctorch_optimizer *optimizer;
  struct libtorch_model *other;
  ctorch_tensor *input, *target;
  bool training;
  double loss[VARIANTS];
};

/* The scores of all places of all inputs. */
static ctorch_error *scores(ctorch_tensor **out, struct run *self) {
  ctorch_tensor *output;
  CTORCH_TRY(ctorch_module_forward(&output, self->net, self->input));
  const int64_t *sizes = ctorch_tensor_sizes(output);
  int64_t ndim = ctorch_tensor_ndim(output);
  if (ndim == 2) {
    *out = output;
    return NULL;
  }
  return ctorch_aten_view(out, output, CTORCH_INTS(-1, sizes[ndim - 1]));
}

static ctorch_error *step(struct run *self, bool reads) {
  ctorch_tensor *output, *loss;
  if (!self->training) {
    CTORCH_TRY(ctorch_grad_mode_push(false));
    CTORCH_TRY(ctorch_module_forward(&output, self->net, self->input));
    return ctorch_grad_mode_pop();
  }
  CTORCH_TRY(ctorch_optimizer_zero_grad(self->optimizer, true));
  CTORCH_TRY(scores(&output, self));
  CTORCH_TRY(ctorch_aten_cross_entropy_loss(&loss, output, self->target, NULL, CTORCH_REDUCTION_MEAN, -100, 0));
  CTORCH_TRY(ctorch_tensor_backward(loss, NULL, NULL, false));
  CTORCH_TRY(ctorch_optimizer_step(self->optimizer));
  return reads ? ctorch_tensor_item_double(&self->loss[CTORCH], loss) : NULL;
}

static ctorch_error *run_once(struct run *self, int variant, bool reads) {
  if (variant == LIBTORCH) {
    if (self->training) {
      double loss = libtorch_model_step(self->other, self->input, self->target, reads);
      self->loss[LIBTORCH] = reads ? loss : self->loss[LIBTORCH];
    } else {
      libtorch_model_run(self->other, self->input, false);
    }
    return NULL;
  }
  ctorch_scope *scope;
  CTORCH_TRY(ctorch_scope_begin(&scope));
  ctorch_error *error = step(self, reads);
  ctorch_scope_end(scope);
  return error;
}

static ctorch_error *new_target(ctorch_tensor **out, struct run *self) {
  ctorch_tensor *output;
  CTORCH_TRY(ctorch_grad_mode_push(false));
  CTORCH_TRY(scores(&output, self));
  CTORCH_TRY(ctorch_grad_mode_pop());
  const int64_t *sizes = ctorch_tensor_sizes(output);
  const ctorch_dtype dtype = CTORCH_DTYPE_INT64;
  return ctorch_aten_randint(out, sizes[1], CTORCH_INTS(sizes[0]), &dtype, NULL, NULL, NULL);
}

static ctorch_error *run_begin(struct run *self, const model *model, int64_t batch, bool training) {
  ctorch_tensor_list *parameters, *buffers;
  *self = (struct run){.model = model, .training = training};
  CTORCH_TRY(ctorch_random_manual_seed(1));
  CTORCH_TRY(model->build(&self->net));
  CTORCH_TRY(ctorch_module_train(self->net, training));
  CTORCH_TRY(model->input(&self->input, batch));
  CTORCH_TRY(new_target(&self->target, self));
  CTORCH_TRY(ctorch_module_parameters(&parameters, self->net, true));
  CTORCH_TRY(ctorch_module_buffers(&buffers, self->net, true));
  held weights = {
      .parameters = ctorch_tensor_list_mutable_data(parameters), .buffers = ctorch_tensor_list_mutable_data(buffers)};
  CTORCH_TRY(ctorch_optim_AdamW(
      &self->optimizer, weights.parameters, ctorch_tensor_list_len(parameters), 1e-3, NULL, 0, 1e-8, 1e-2, false, false,
      NULL, false, false, NULL));
  self->other = libtorch_model_new(model->name, &weights);
  libtorch_model_train(self->other, training);
  return NULL;
}

/* Both learn the same. */
static ctorch_error *check(struct run *self) {
  for (int i = 0; i < 3 && self->training; i++) {
    CTORCH_TRY(run_once(self, CTORCH, true));
    CTORCH_TRY(run_once(self, LIBTORCH, true));
  }
  double difference = self->loss[CTORCH] - self->loss[LIBTORCH];
  if (!(difference <= 1e-3 && difference >= -1e-3)) {
    fprintf(stderr, "%s: the losses differ: %g, %g\n", self->model->name, self->loss[CTORCH], self->loss[LIBTORCH]);
    exit(EXIT_FAILURE);
  }
  return NULL;
}

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return 1e6 * (double)time.tv_sec + 1e-3 * (double)time.tv_nsec;
}

static ctorch_error *microseconds(double *out, struct run *self, int variant, int calls) {
  double begin = now();
  for (int i = 0; i < calls; i++) {
    CTORCH_TRY(run_once(self, variant, false));
  }
  *out = (now() - begin) / calls;
  return NULL;
}

/* As many rounds as were asked for, of 2 ms or one call; fewer, but three, where a round takes long. */
static ctorch_error *measure(struct run *self, int asked, double best[VARIANTS]) {
  double once, time;
  CTORCH_TRY(microseconds(&once, self, CTORCH, 1));
  const int calls = once < 2e3 ? (int)(2e3 / once) + 1 : 1;
  int rounds = once * asked < 4e6 ? asked : (int)(4e6 / once);
  rounds = rounds < 3 ? 3 : rounds;
  for (int i = 0; i < VARIANTS; i++) {
    best[i] = 1e300;
  }
  for (int round = 0; round < rounds; round++) {
    for (int i = 0; i < VARIANTS; i++) {
      const int variant = (i + round) % VARIANTS;
      CTORCH_TRY(microseconds(&time, self, variant, calls));
      best[variant] = time < best[variant] ? time : best[variant];
    }
  }
  return NULL;
}

static ctorch_error *run_case(const model *model, int64_t batch, bool training, int rounds) {
  struct run self;
  double best[VARIANTS];
  CTORCH_TRY(run_begin(&self, model, batch, training));
  CTORCH_TRY(check(&self));
  CTORCH_TRY(measure(&self, rounds, best));
  for (int i = 0; i < VARIANTS; i++) {
    printf(
        "%s\t%lld\t%s\t%s\t%.3f\n", model->name, (long long)batch, training ? "training" : "inference",
        variant_names[i], best[i]);
  }
  fflush(stdout);
  libtorch_model_delete(self.other);
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

static ctorch_error *memory(const model *model, int64_t batch, const char *name) {
  struct run self;
  CTORCH_TRY(run_begin(&self, model, 1, true));
  int variant = strcmp(name, variant_names[CTORCH]) == 0 ? CTORCH : LIBTORCH;
  CTORCH_TRY(run_once(&self, variant, true)); /* what is loaded and set up at first use is no part of it */
  CTORCH_TRY(model->input(&self.input, batch));
  CTORCH_TRY(ctorch_aten_repeat(&self.target, self.target, CTORCH_INTS(batch)));
  long before = peak();
  for (int i = 0; i < 3; i++) {
    CTORCH_TRY(run_once(&self, variant, true));
  }
  printf("%ld\n", peak() - before);
  libtorch_model_delete(self.other);
  return NULL;
}

struct options {
  int rounds;
  const char *model, *memory;
  int64_t batch;
};

static ctorch_error *run_model(const struct options *options, const model *model) {
  static const int64_t batches[] = {1, 32, 256};
  if (options->memory != NULL) {
    return memory(model, options->batch, options->memory);
  }
  for (size_t i = 0; i < sizeof batches / sizeof *batches; i++) {
    for (int training = 0; training < 2; training++) {
      if (options->batch != 0 && options->batch != batches[i]) {
        continue;
      }
      ctorch_scope *scope;
      CTORCH_TRY(ctorch_scope_begin(&scope));
      ctorch_error *error = run_case(model, batches[i], training != 0, options->rounds);
      ctorch_scope_end(scope);
      CTORCH_TRY(error);
    }
  }
  return NULL;
}

int main(int argc, char **argv) {
  struct options options = {.rounds = 200};
  int32_t threads = 1;
  for (int i = 1; i + 1 < argc; i += 2) {
    const char *name = argv[i], *value = argv[i + 1];
    if (strcmp(name, "--threads") == 0) {
      threads = (int32_t)strtol(value, NULL, 10);
    } else if (strcmp(name, "--rounds") == 0) {
      options.rounds = (int)strtol(value, NULL, 10);
    } else if (strcmp(name, "--batch") == 0) {
      options.batch = strtol(value, NULL, 10);
    } else if (strcmp(name, "--model") == 0) {
      options.model = value;
    } else if (strcmp(name, "--memory") == 0) {
      options.memory = value;
    } else {
      fputs("usage: bench_training [--threads N] [--rounds N] [--model NAME] [--batch N] [--memory VARIANT]\n", stderr);
      return 2;
    }
  }
  ctorch_scope *scope = NULL;
  ctorch_error *error = ctorch_scope_begin(&scope);
  error = error != NULL ? error : ctorch_threads_set_num(threads);
  for (const model *model = models; error == NULL && model->name != NULL; model++) {
    if (options.model == NULL || strcmp(options.model, model->name) == 0) {
      error = run_model(&options, model);
    }
  }
  ctorch_scope_end(scope);
  return ctorch_error_finish(error);
}
