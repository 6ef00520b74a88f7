/* bench_trainer WIDTH BATCH_SIZE ROUNDS [tape]: an epoch of an MLP by the trainer and by the same loop written out, in
 * turns; prints the best time of each in seconds, and refuses to where they do not learn the same. With `tape` the trainer
 * captures its steps. */
#include <ctorch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { FEATURES = 64, CLASSES = 10, LEN = 8192 };

struct run {
  ctorch_module *model, *loss;
  ctorch_optimizer *optimizer;
  ctorch_loader *loader;
  ctorch_trainer *trainer; /* NULL for the loop */
  double best, mean_loss;
};

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static ctorch_error *make(struct run *out, int64_t width, int64_t batch_size, bool has_trainer, int64_t tapes) {
  ctorch_module *layer;
  ctorch_tensor *parts[2];
  ctorch_dataset *dataset;
  ctorch_tensor_list *parameters;
  CTORCH_TRY(ctorch_random_manual_seed(1));
  CTORCH_TRY(ctorch_nn_Sequential(&out->model));
  CTORCH_TRY(ctorch_nn_Linear(&layer, FEATURES, width, true, NULL, NULL));
  CTORCH_TRY(ctorch_module_append(out->model, layer));
  CTORCH_TRY(ctorch_nn_ReLU(&layer, false));
  CTORCH_TRY(ctorch_module_append(out->model, layer));
  CTORCH_TRY(ctorch_nn_Linear(&layer, width, CLASSES, true, NULL, NULL));
  CTORCH_TRY(ctorch_module_append(out->model, layer));
  CTORCH_TRY(ctorch_nn_CrossEntropyLoss(&out->loss, NULL, -100, "mean", 0));
  CTORCH_TRY(ctorch_module_parameters(&parameters, out->model, true));
  CTORCH_TRY(
      ctorch_optim_SGD(&out->optimizer, CTORCH_LIST(parameters), 0.01, 0.9, 0, 0, false, false, NULL, false, NULL));
  CTORCH_TRY(ctorch_aten_randn(&parts[0], CTORCH_INTS(LEN, FEATURES), NULL, NULL, NULL, NULL));
  CTORCH_TRY(ctorch_aten_randint(&parts[1], CLASSES, CTORCH_INTS(LEN), NULL, NULL, NULL, NULL));
  CTORCH_TRY(ctorch_data_TensorDataset(&dataset, (const ctorch_tensor *const *)parts, 2));
  CTORCH_TRY(ctorch_data_DataLoader(
      &out->loader, dataset, &batch_size, true, NULL, NULL, 0, false, false, 0, NULL, NULL, false, true));
  out->best = 1e9;
  out->trainer = NULL;
  if (has_trainer) {
    CTORCH_TRY(ctorch_trainer_new(&out->trainer, out->model, out->optimizer));
    CTORCH_TRY(ctorch_trainer_set_loss(out->trainer, out->loss));
    CTORCH_TRY(ctorch_trainer_set_tape(out->trainer, tapes, false));
  }
  return NULL;
}

static ctorch_error *step(struct run *self, const ctorch_value *batch, double *loss) {
  ctorch_value *parts[2];
  ctorch_tensor *x, *y, *scores, *mean;
  for (size_t i = 0; i < 2; i++) {
    CTORCH_TRY(ctorch_value_get(&parts[i], batch, i));
  }
  CTORCH_TRY(ctorch_value_to_tensor(&x, parts[0]));
  CTORCH_TRY(ctorch_value_to_tensor(&y, parts[1]));
  CTORCH_TRY(ctorch_module_forward(&scores, self->model, x));
  CTORCH_TRY(ctorch_nn_CrossEntropyLoss_forward(&mean, self->loss, scores, y));
  CTORCH_TRY(ctorch_tensor_backward(mean, NULL, NULL, false));
  CTORCH_TRY(ctorch_optimizer_step(self->optimizer));
  CTORCH_TRY(ctorch_optimizer_zero_grad(self->optimizer, true));
  return ctorch_tensor_item_double(loss, mean);
}

static ctorch_error *step_next(struct run *self, ctorch_iterator *batches, double *loss, bool *is_over) {
  ctorch_scope *scope;
  ctorch_value *batch = NULL;
  CTORCH_TRY(ctorch_scope_begin(&scope));
  ctorch_error *error = ctorch_iterator_next(&batch, batches);
  *is_over = batch == NULL;
  if (error == NULL && batch != NULL) {
    error = step(self, batch, loss);
  }
  ctorch_scope_end(scope);
  return error;
}

static ctorch_error *loop(struct run *self) {
  ctorch_iterator *batches;
  double sum = 0, loss = 0;
  int64_t len = 0;
  CTORCH_TRY(ctorch_module_train(self->model, true));
  CTORCH_TRY(ctorch_loader_iterate(&batches, self->loader));
  for (bool is_over = false;;) {
    CTORCH_TRY(step_next(self, batches, &loss, &is_over));
    if (is_over) {
      break;
    }
    sum += loss;
    len++;
  }
  self->mean_loss = sum / (double)len;
  return NULL;
}

static ctorch_error *fit(struct run *self, int64_t epoch) {
  ctorch_value *history, *metrics, *loss;
  CTORCH_TRY(ctorch_trainer_set_length(self->trainer, epoch, 0));
  CTORCH_TRY(ctorch_trainer_fit(self->trainer, self->loader));
  CTORCH_TRY(ctorch_trainer_history(&history, self->trainer));
  CTORCH_TRY(ctorch_value_get(&metrics, history, (size_t)epoch - 1));
  CTORCH_TRY(ctorch_value_dict_at(&loss, metrics, "loss"));
  return ctorch_value_to_double(&self->mean_loss, loss);
}

static ctorch_error *measure(char **argv) {
  struct run runs[2];
  for (int i = 0; i < 2; i++) {
    CTORCH_TRY(make(&runs[i], atoll(argv[1]), atoll(argv[2]), i == 1, argv[4] != NULL ? 4 : 0));
  }
  for (int64_t epoch = 1; epoch <= atoll(argv[3]); epoch++) {
    for (int i = 0; i < 2; i++) {
      CTORCH_TRY(ctorch_random_manual_seed((uint64_t)epoch));
      const double begin = now();
      CTORCH_TRY(i == 0 ? loop(&runs[i]) : fit(&runs[i], epoch));
      const double took = now() - begin;
      runs[i].best = took < runs[i].best ? took : runs[i].best;
    }
    if (runs[0].mean_loss != runs[1].mean_loss) {
      return ctorch_error_format(
          CTORCH_ERROR_RUNTIME, "epoch %lld: a loss of %.17g by the loop, %.17g by the trainer", (long long)epoch,
          runs[0].mean_loss, runs[1].mean_loss);
    }
  }
  printf("%.6f %.6f\n", runs[0].best, runs[1].best);
  return NULL;
}

int main(int argc, char **argv) {
  if (argc != 4 && (argc != 5 || strcmp(argv[4], "tape") != 0)) {
    fputs("usage: bench_trainer WIDTH BATCH_SIZE ROUNDS [tape]\n", stderr);
    return 2;
  }
  ctorch_scope *scope = NULL;
  ctorch_error *error = ctorch_scope_begin(&scope);
  if (error == NULL) {
    error = ctorch_threads_set_num(1);
  }
  if (error == NULL) {
    error = measure(argv);
  }
  ctorch_scope_end(scope);
  return ctorch_error_finish(error);
}
