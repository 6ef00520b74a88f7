/* Train a small convolutional network, in the manner of LeNet (LeCun et al. 1998), on handwritten digits: datasets,
 * transforms, a loader, modules, an optimizer and the trainer, which make a whole program.
 *
 * Reading guide: every call that can fail returns an error object, and CTORCH_TRY hands it on to the caller. Every
 * handle that a call makes belongs to the innermost open scope, so nothing here is released by hand. */
#include <ctorch.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "train_options.h"

enum { CLASSES = 10 };

static const double momentum = 0.9, weight_decay = 1e-3;

/* Images (N, 1, 8, 8) to a score for each class (N, 10). One pooling instead of LeNet's two, as the images are small. */
static ctorch_error *network(ctorch_module **out) {
  enum { HIDDEN = 128, FEATURES = 64 * 4 * 4 };
  ctorch_module *conv1, *conv2, *pool, *flatten, *fc1, *fc2, *relu;
  CTORCH_TRY(ctorch_nn_Conv2d(
      &conv1, 1, 32, CTORCH_INTS(3), CTORCH_DEFAULT_LIST, CTORCH_INTS(1), CTORCH_DEFAULT_LIST, 1, true, NULL, NULL,
      NULL));
  CTORCH_TRY(ctorch_nn_Conv2d(
      &conv2, 32, 64, CTORCH_INTS(3), CTORCH_DEFAULT_LIST, CTORCH_INTS(1), CTORCH_DEFAULT_LIST, 1, true, NULL, NULL,
      NULL));
  CTORCH_TRY(
      ctorch_nn_MaxPool2d(&pool, CTORCH_INTS(2), CTORCH_DEFAULT_LIST, CTORCH_INTS(0), CTORCH_INTS(1), false, false));
  CTORCH_TRY(ctorch_nn_Flatten(&flatten, 1, -1));
  CTORCH_TRY(ctorch_nn_Linear(&fc1, FEATURES, HIDDEN, true, NULL, NULL));
  CTORCH_TRY(ctorch_nn_Linear(&fc2, HIDDEN, CLASSES, true, NULL, NULL));
  CTORCH_TRY(ctorch_nn_ReLU(&relu, true)); /* one for all three places: it has no parameters */
  const struct {
    const char *name;
    const ctorch_module *module;
  } layers[] = {
      {"conv1", conv1},     {"relu1", relu}, {"conv2", conv2}, {"relu2", relu}, {"pool", pool},
      {"flatten", flatten}, {"fc1", fc1},    {"relu3", relu},  {"fc2", fc2},
  };
  CTORCH_TRY(ctorch_nn_Sequential(out));
  for (size_t i = 0; i < sizeof layers / sizeof *layers; i++) {
    CTORCH_TRY(ctorch_module_register_module(*out, layers[i].name, layers[i].module));
  }
  return NULL;
}

/* Pixels from 0 to 1; and in training each image turned, shifted, stretched and sheared a little, anew each time: a few
 * hundred digits of each kind would otherwise be learned by heart. */
static ctorch_error *transform_for(ctorch_transform **out, bool training) {
  ctorch_transform *parts[3];
  CTORCH_TRY(ctorch_transforms_ToDtype(&parts[0], CTORCH_DTYPE_FLOAT32, false));
  CTORCH_TRY(ctorch_transforms_Normalize(&parts[1], CTORCH_DOUBLES(0), CTORCH_DOUBLES(16), false));
  CTORCH_TRY(ctorch_transforms_RandomAffine(
      &parts[2], CTORCH_DOUBLES(10), CTORCH_DOUBLES(0.1, 0.1), CTORCH_DOUBLES(0.85, 1.15), CTORCH_DOUBLES(10),
      "bilinear", NULL, CTORCH_DEFAULT_LIST));
  return ctorch_transforms_Compose(out, (const ctorch_transform *const *)parts, training ? 3 : 2);
}

/* Batches of a part of the data, "train" or "t10k" as MNIST calls them; data/README.md says where they come from. */
static ctorch_error *batches_of(ctorch_loader **out, const train_options *options, const char *part) {
  const bool training = strcmp(part, "train") == 0;
  char images[4096], labels[4096];
  ctorch_transform *transform;
  ctorch_dataset *dataset;
  snprintf(images, sizeof images, "%s/%s-images-idx3-ubyte", options->data, part);
  snprintf(labels, sizeof labels, "%s/%s-labels-idx1-ubyte", options->data, part);
  CTORCH_TRY(transform_for(&transform, training));
  CTORCH_TRY(ctorch_datasets_IDXFile(&dataset, images, labels, transform, NULL));
  return ctorch_data_DataLoader(
      out, dataset, &options->batch_size, training, NULL, NULL, options->workers, false, false, 0, NULL, NULL, false,
      true);
}

/* The mean loss of each epoch, a line each. */
static ctorch_error *write_losses(const char *path, const ctorch_trainer *trainer) {
  ctorch_value *history, *epoch, *loss;
  double number;
  CTORCH_TRY(ctorch_trainer_history(&history, trainer));
  FILE *file = fopen(path, "w");
  if (file == NULL) {
    return ctorch_error_format(CTORCH_ERROR_IO, "%s: %s", path, strerror(errno));
  }
  ctorch_error *error = NULL;
  bool is_written = true;
  for (size_t i = 0; i < ctorch_value_len(history) && error == NULL; i++) {
    error = ctorch_value_get(&epoch, history, i);
    error = error != NULL ? error : ctorch_value_dict_at(&loss, epoch, "loss");
    error = error != NULL ? error : ctorch_value_to_double(&number, loss);
    is_written = error == NULL && fprintf(file, "%.17g\n", number) > 0 && is_written;
  }
  is_written = fclose(file) == 0 && is_written;
  return error != NULL || is_written ? error : ctorch_error_format(CTORCH_ERROR_IO, "%s: cannot be written", path);
}

static ctorch_error *train(ctorch_trainer *trainer, ctorch_optimizer *optimizer, const train_options *options) {
  ctorch_loader *batches;
  ctorch_lr_scheduler *scheduler;
  CTORCH_TRY(batches_of(&batches, options, "train"));
  CTORCH_TRY(ctorch_lr_scheduler_LinearLR(&scheduler, optimizer, 1, 0, options->epochs, -1));
  CTORCH_TRY(ctorch_trainer_set_lr_scheduler(trainer, scheduler, false, NULL));
  CTORCH_TRY(ctorch_trainer_set_length(trainer, options->epochs, 0));
  if (!options->quiet) {
    CTORCH_TRY(ctorch_trainer_set_progress(trainer, CTORCH_TRAINER_PROGRESS_AUTO));
  }
  if (options->snapshots != NULL) {
    ctorch_snapshots *snapshots;
    CTORCH_TRY(ctorch_snapshots_open(&snapshots, options->snapshots));
    CTORCH_TRY(ctorch_trainer_set_snapshots(trainer, snapshots, 0, NULL));
  }
  CTORCH_TRY(ctorch_trainer_set_interruptible(trainer, true)); /* Ctrl-C ends it in order, with a snapshot */
  CTORCH_TRY(ctorch_trainer_fit(trainer, batches));
  return options->losses == NULL ? NULL : write_losses(options->losses, trainer);
}

static ctorch_error *test(ctorch_trainer *trainer, ctorch_loader *batches) {
  ctorch_value *metrics, *value;
  double loss, accuracy;
  CTORCH_TRY(ctorch_trainer_evaluate(&metrics, trainer, batches));
  CTORCH_TRY(ctorch_value_dict_at(&value, metrics, "loss"));
  CTORCH_TRY(ctorch_value_to_double(&loss, value));
  CTORCH_TRY(ctorch_value_dict_at(&value, metrics, "accuracy"));
  CTORCH_TRY(ctorch_value_to_double(&accuracy, value));
  printf("test loss %.4f, accuracy %.2f %%\n", loss, 100 * accuracy);
  return NULL;
}

static ctorch_error *sgd(ctorch_optimizer **out, const ctorch_module *model, double lr) {
  ctorch_tensor_list *parameters;
  CTORCH_TRY(ctorch_module_parameters(&parameters, model, true));
  return ctorch_optim_SGD(out, CTORCH_LIST(parameters), lr, momentum, 0, weight_decay, false, false, NULL, false, NULL);
}

static ctorch_error *run(const train_options *options) {
  ctorch_module *model, *loss;
  ctorch_optimizer *optimizer;
  ctorch_trainer *trainer;
  ctorch_loader *test_batches;
  CTORCH_TRY(ctorch_threads_set_num(options->threads));
  CTORCH_TRY(ctorch_random_manual_seed(options->seed));
  CTORCH_TRY(network(&model));
  CTORCH_TRY(sgd(&optimizer, model, options->lr));
  CTORCH_TRY(ctorch_nn_CrossEntropyLoss(&loss, NULL, -100, "mean", 0));
  CTORCH_TRY(ctorch_trainer_new(&trainer, model, optimizer));
  CTORCH_TRY(ctorch_trainer_set_loss(trainer, loss));
  CTORCH_TRY(ctorch_trainer_add_metric(trainer, "accuracy", NULL, NULL, NULL));
  CTORCH_TRY(batches_of(&test_batches, options, "t10k"));
  if (options->load != NULL) {
    CTORCH_TRY(ctorch_safetensors_load_model_file(NULL, NULL, model, options->load, true));
  } else {
    CTORCH_TRY(train(trainer, optimizer, options));
  }
  CTORCH_TRY(test(trainer, test_batches));
  return options->save == NULL ? NULL : ctorch_safetensors_write_model_file(model, NULL, options->save);
}

int main(int argc, char **argv) {
  train_options options;
  int status = train_options_parse(&options, argc, argv);
  if (status != OPTIONS_OK) {
    return status;
  }
  ctorch_scope *scope = NULL;
  ctorch_error *error = ctorch_scope_begin(&scope);
  if (error == NULL) {
    error = run(&options);
  }
  ctorch_scope_end(scope);

  if (error == NULL && ctorch_debug_live_handles() > 0) { /* counted with CTORCH_DEBUG_HANDLES=1 */
    error = ctorch_error_format(CTORCH_ERROR_INTERNAL, "%" PRId64 " handles leaked", ctorch_debug_live_handles());
  }
  if (error == NULL && fflush(stdout) != 0) {
    error = ctorch_error_format(CTORCH_ERROR_IO, "standard output cannot be written");
  }
  if (error != NULL) {
    fputs("train_digits: ", stderr);
  }
  return ctorch_error_finish(error);
}
