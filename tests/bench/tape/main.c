/* Steps of small models: by calls of `at::`, by hand with ctorch, replayed from a tape, and from one with fast loops.
 *
 *   bench_tape [--rounds N] [--model NAME] [--packages FOLDER] [--text]
 *       prints model, variant and the best time in microseconds, tab-separated. The variants take turns. One thread.
 *       Before, it checks that all compute the same. In FOLDER are what AOTInductor made of the models.
 *       With --text it prints the steps of the tapes instead.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "models.h"

enum { DIRECT, BY_HAND, TAPE, FAST, PACKAGE, VARIANTS };
static const char *const variant_names[VARIANTS] = {"direct", "ctorch", "tape", "fast", "aoti"};

/* How far results may be from those of direct calls. */
static const double tolerances[VARIANTS] = {0, 0, 0, 2e-5, INFINITY};

struct options {
  int rounds;
  const char *model, *packages;
  bool text;
};

struct run {
  const model *model;
  shapes shapes;
  ctorch_tensor *inputs[MOST_INPUTS];
  held held[VARIANTS]; /* each trains its own weights */
  ctorch_tensor *output[VARIANTS];
  ctorch_tape *tape[VARIANTS];
  struct libtorch_step *direct;
  struct libtorch_package *package;
};

/* Tensors ----------------------------------------------------------------------------------------------------------- */

static ctorch_error *filled(ctorch_tensor **out, const shape *shape) {
  if (shape->below > 0) {
    const ctorch_dtype dtype = CTORCH_DTYPE_INT64;
    return ctorch_aten_randint(out, shape->below, shape->sizes, shape->ndim, &dtype, NULL, NULL, NULL);
  }
  if (shape->is_mask) {
    CTORCH_TRY(ctorch_aten_full(out, shape->sizes, shape->ndim, CTORCH_FLOAT(-INFINITY), NULL, NULL, NULL, NULL));
    return ctorch_aten_triu(out, *out, 1);
  }
  CTORCH_TRY(ctorch_aten_randn(out, shape->sizes, shape->ndim, NULL, NULL, NULL, NULL));
  return ctorch_aten_mul_Scalar(out, *out, CTORCH_FLOAT(shape->scale));
}

static ctorch_error *refill(struct run *self) {
  CTORCH_TRY(ctorch_grad_mode_push(false));
  for (size_t i = 0; i < self->shapes.inputs_len; i++) {
    ctorch_tensor *values;
    CTORCH_TRY(filled(&values, &self->shapes.inputs[i]));
    CTORCH_TRY(ctorch_aten_copy_(self->inputs[i], values, false));
    ctorch_tensor_release(values);
  }
  return ctorch_grad_mode_pop();
}

static ctorch_error *hold(held *out, const held *first, const shapes *shapes) {
  *out = (held){.weights_len = shapes->weights_len, .trained_len = shapes->trained_len};
  for (size_t i = 0; i < shapes->weights_len; i++) {
    CTORCH_TRY(
        first == NULL ? filled(&out->weights[i], &shapes->weights[i])
                      : ctorch_aten_clone(&out->weights[i], first->weights[i], NULL));
  }
  for (size_t i = 0; i < shapes->trained_len; i++) {
    const shape *of = &shapes->weights[i];
    CTORCH_TRY(ctorch_aten_zeros(&out->exp_avgs[i], of->sizes, of->ndim, NULL, NULL, NULL, NULL));
    CTORCH_TRY(ctorch_aten_zeros(&out->exp_avg_sqs[i], of->sizes, of->ndim, NULL, NULL, NULL, NULL));
    CTORCH_TRY(ctorch_aten_zeros(&out->steps[i], NULL, 0, NULL, NULL, NULL, NULL));
  }
  return ctorch_aten_full(&out->lr, NULL, 0, CTORCH_FLOAT(1e-3), NULL, NULL, NULL, NULL);
}

/* Steps ------------------------------------------------------------------------------------------------------------- */

static ctorch_error *by_hand(struct run *self, int variant) {
  ctorch_scope *scope;
  ctorch_tensor_release(self->output[variant]);
  self->output[variant] = NULL;
  CTORCH_TRY(ctorch_scope_begin(&scope));
  ctorch_tensor *output;
  ctorch_error *error = self->model->step(&output, &self->held[variant], self->inputs, self->model);
  if (error == NULL) {
    error = ctorch_scope_keep(scope, output);
    self->output[variant] = output;
  }
  ctorch_scope_end(scope);
  return error;
}

/* The step is made once, as ever, and noted. */
static ctorch_error *capture(struct run *self, int variant) {
  const ctorch_tensor *const *inputs = (const ctorch_tensor *const *)self->inputs;
  ctorch_tensor_list *outputs;
  CTORCH_TRY(ctorch_tape_begin(&self->tape[variant], inputs, self->shapes.inputs_len, variant == FAST, false));
  CTORCH_TRY(by_hand(self, variant));
  CTORCH_TRY(ctorch_tape_end(self->tape[variant], CTORCH_TENSORS(self->output[variant])));
  CTORCH_TRY(ctorch_tape_outputs(&outputs, self->tape[variant]));
  ctorch_tensor_release(self->output[variant]);
  self->output[variant] = ctorch_tensor_list_mutable_data(outputs)[0];
  ctorch_tensor_retain(self->output[variant]);
  return NULL;
}

static ctorch_error *run_once(struct run *self, int variant) {
  switch (variant) {
    case DIRECT:
      libtorch_step_run(self->direct, self->inputs, self->shapes.inputs_len);
      return NULL;
    case BY_HAND:
      return by_hand(self, variant);
    case PACKAGE:
      libtorch_package_run(self->package, self->inputs, self->shapes.inputs_len);
      return NULL;
    default:
      return ctorch_tape_replay(
          self->tape[variant], (const ctorch_tensor *const *)self->inputs, self->shapes.inputs_len);
  }
}

static ctorch_error *run_begin(struct run *self, const model *model, const char *packages) {
  *self = (struct run){.model = model};
  model->describe(&self->shapes, model);
  CTORCH_TRY(ctorch_random_manual_seed(1));
  CTORCH_TRY(ctorch_grad_mode_push(false));
  for (size_t i = 0; i < self->shapes.inputs_len; i++) {
    CTORCH_TRY(filled(&self->inputs[i], &self->shapes.inputs[i]));
  }
  for (int variant = BY_HAND; variant <= FAST; variant++) {
    held *held = &self->held[variant];
    CTORCH_TRY(hold(held, variant == BY_HAND ? NULL : &self->held[BY_HAND], &self->shapes));
    for (size_t i = 0; i < held->trained_len; i++) {
      CTORCH_TRY(ctorch_tensor_set_requires_grad(held->weights[i], true));
    }
  }
  self->direct = libtorch_step_new(model, &self->held[BY_HAND]);
  CTORCH_TRY(ctorch_grad_mode_pop());
  if (packages != NULL) {
    char path[4096];
    snprintf(path, sizeof path, "%s/%s.pt2", packages, model->name);
    self->package = libtorch_package_open(path);
  }
  return NULL;
}

/* The first step is what is captured; in ten more with other inputs all compute the same. */
static ctorch_error *check(struct run *self) {
  for (int round = 0; round < 11; round++) {
    CTORCH_TRY(refill(self));
    CTORCH_TRY(run_once(self, DIRECT));
    for (int variant = BY_HAND; variant <= FAST; variant++) {
      CTORCH_TRY(round == 0 && variant >= TAPE ? capture(self, variant) : run_once(self, variant));
      double difference = libtorch_step_difference(self->direct, self->output[variant], &self->held[variant]);
      if (!(difference <= tolerances[variant]) && !(round == 0 && variant >= TAPE)) {
        fprintf(
            stderr, "%s: %s differs from direct calls by %g\n", self->model->name, variant_names[variant], difference);
        exit(EXIT_FAILURE);
      }
    }
  }
  return NULL;
}

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return 1e6 * (double)time.tv_sec + 1e-3 * (double)time.tv_nsec;
}

/* Rounds of 1 ms or one call, in which the variants take turns. Each has other inputs: of the same ones a model would
 * soon have learned all, and have gradients that are hardly numbers. */
static ctorch_error *measure(struct run *self, int rounds) {
  double best[VARIANTS];
  int calls[VARIANTS];
  for (int round = 0; round <= rounds; round++) {
    CTORCH_TRY(refill(self));
    for (int i = 0; i < VARIANTS; i++) {
      const int variant = (i + round) % VARIANTS;
      if (variant == PACKAGE && self->package == NULL) {
        continue;
      }
      calls[variant] = round == 0 ? 1 : calls[variant];
      double begin = now();
      for (int call = 0; call < calls[variant]; call++) {
        CTORCH_TRY(run_once(self, variant));
      }
      double time = (now() - begin) / calls[variant];
      best[variant] = round < 2 || time < best[variant] ? time : best[variant];
      calls[variant] = round == 0 && time < 1e3 ? (int)(1e3 / time) + 1 : calls[variant];
    }
  }
  for (int variant = 0; variant < VARIANTS; variant++) {
    if (variant != PACKAGE || self->package != NULL) {
      printf("%s\t%s\t%.3f\n", self->model->name, variant_names[variant], best[variant]);
    }
  }
  fflush(stdout);
  return NULL;
}

static ctorch_error *print_tapes(struct run *self) {
  for (int variant = TAPE; variant <= FAST; variant++) {
    ctorch_string *text;
    for (int i = 0; i < 6400; i++) {
      CTORCH_TRY(run_once(self, variant));
    }
    CTORCH_TRY(ctorch_tape_text(&text, self->tape[variant]));
    printf("%s, %s\n%s\n", self->model->name, variant_names[variant], ctorch_string_data(text));
  }
  return NULL;
}

static ctorch_error *run_model(const struct options *options, const model *model) {
  static struct run self;
  CTORCH_TRY(run_begin(&self, model, options->packages));
  const bool trains = self.shapes.trained_len > 0;
  if (!trains) {
    CTORCH_TRY(ctorch_grad_mode_push(false));
  }
  CTORCH_TRY(check(&self));
  CTORCH_TRY(options->text ? print_tapes(&self) : measure(&self, options->rounds));
  if (!trains) {
    CTORCH_TRY(ctorch_grad_mode_pop());
  }
  for (int variant = BY_HAND; variant <= FAST; variant++) {
    ctorch_tensor_release(self.output[variant]);
  }
  libtorch_step_delete(self.direct);
  libtorch_package_delete(self.package);
  return NULL;
}

int main(int argc, char **argv) {
  struct options options = {.rounds = 200};
  for (int i = 1; i < argc; i++) {
    const char *name = argv[i], *value = i + 1 < argc ? argv[i + 1] : "";
    if (strcmp(name, "--text") == 0) {
      options.text = true;
      continue;
    }
    i++;
    if (strcmp(name, "--rounds") == 0) {
      options.rounds = (int)strtol(value, NULL, 10);
    } else if (strcmp(name, "--model") == 0) {
      options.model = value;
    } else if (strcmp(name, "--packages") == 0) {
      options.packages = value;
    } else {
      fputs("usage: bench_tape [--rounds N] [--model NAME] [--packages FOLDER] [--text]\n", stderr);
      return 2;
    }
  }
  ctorch_error *error = ctorch_threads_set_num(1);
  for (const model *model = models; error == NULL && model->name != NULL; model++) {
    if (options.model == NULL || strcmp(options.model, model->name) == 0) {
      ctorch_scope *scope = NULL;
      error = ctorch_scope_begin(&scope);
      error = error != NULL ? error : run_model(&options, model);
      ctorch_scope_end(scope);
    }
  }
  return ctorch_error_finish(error);
}
