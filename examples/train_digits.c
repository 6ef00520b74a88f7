/* Train a small convolutional network, in the manner of LeNet (LeCun et al. 1998), on handwritten digits: a complete
 * program on ctorch's modules and operators.
 *
 * Reading guide: every call that can fail returns an error object, and CTORCH_TRY hands it on to the caller. Every
 * tensor a call makes belongs to the innermost open scope, so nothing here is released by hand: `main` opens one scope
 * for the network and the data, `train` one for each epoch, `train_epoch` one for each step. */
#include <ctorch.h>
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "digits.h"
#include "progress.h"
#include "train_options.h"
#include "weights.h"

enum { PARAMETERS = 8 };

static const double momentum = 0.9, weight_decay = 1e-3, distortion = 0.2;

/* The network: conv1, relu, conv2, relu, pool, fc1, relu, fc2. One pooling instead of LeNet's two, as the images are
 * small: 8 x 8. */

typedef struct network {
  ctorch_module *layers;
  named_tensor named[PARAMETERS]; /* its parameters, for the weights file */
  ctorch_optimizer *optimizer;
} network;

/* A convolution that keeps the size of the images. */
static ctorch_error *convolution(ctorch_module **out, int64_t from, int64_t to) {
  return ctorch_nn_Conv2d(
      out, from, to, CTORCH_INTS(3), CTORCH_DEFAULT_LIST, CTORCH_INTS(1), CTORCH_DEFAULT_LIST, 1, true, NULL, NULL,
      NULL);
}

/* Images (N, 1, 8, 8) to a score for each class (N, 10). */
static ctorch_error *layers_new(ctorch_module **out) {
  enum { HIDDEN = 128, FEATURES = 64 * 4 * 4 };
  ctorch_module *conv1, *conv2, *pool, *flatten, *fc1, *fc2, *relu;
  CTORCH_TRY(convolution(&conv1, 1, 32));
  CTORCH_TRY(convolution(&conv2, 32, 64));
  CTORCH_TRY(
      ctorch_nn_MaxPool2d(&pool, CTORCH_INTS(2), CTORCH_DEFAULT_LIST, CTORCH_INTS(0), CTORCH_INTS(1), false, false));
  CTORCH_TRY(ctorch_nn_Flatten(&flatten, 1, -1));
  CTORCH_TRY(ctorch_nn_Linear(&fc1, FEATURES, HIDDEN, true, NULL, NULL));
  CTORCH_TRY(ctorch_nn_Linear(&fc2, HIDDEN, DIGITS_CLASSES, true, NULL, NULL));
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

static ctorch_error *network_new(network *out) {
  ctorch_named_tensors *named;
  ctorch_tensor *parameters[PARAMETERS];
  CTORCH_TRY(layers_new(&out->layers));
  CTORCH_TRY(ctorch_module_named_parameters(&named, out->layers, NULL, true, true));
  for (size_t i = 0; i < PARAMETERS; i++) {
    CTORCH_TRY(ctorch_named_tensors_get(&parameters[i], named, i));
    out->named[i] = (named_tensor){ctorch_named_tensors_name(named, i), parameters[i]};
  }
  return ctorch_optim_SGD(
      &out->optimizer, parameters, PARAMETERS, 0.0, momentum, 0.0, weight_decay, false, false, NULL, false, NULL);
}

/* Training. */

/* Each image turned, sheared, stretched and shifted a little, anew each time: a few hundred digits of each kind would
 * otherwise be learned by heart. */
static ctorch_error *distort(ctorch_tensor **out, const ctorch_tensor *images) {
  enum { BILINEAR = 0, ZEROS = 0 };
  ctorch_tensor *identity, *maps, *grid;
  int64_t count = ctorch_tensor_sizes(images)[0];
  CTORCH_TRY(ctorch_aten_eye_m(&identity, 2, 3, NULL, NULL, NULL, NULL));
  CTORCH_TRY(ctorch_aten_empty_memory_format(&maps, CTORCH_INTS(count, 2, 3), NULL, NULL, NULL, NULL, NULL));
  CTORCH_TRY(ctorch_aten_uniform_(maps, -distortion, distortion, NULL));
  CTORCH_TRY(ctorch_aten_add__Tensor(maps, identity, NULL));
  CTORCH_TRY(ctorch_aten_affine_grid_generator(
      &grid, maps, CTORCH_INTS(count, 1, DIGITS_IMAGE_SIZE, DIGITS_IMAGE_SIZE), false));
  return ctorch_aten_grid_sampler(out, images, grid, BILINEAR, ZEROS, false);
}

static ctorch_error *train_step(double *loss, network *net, const digits *train, const ctorch_tensor *batch) {
  enum { MEAN = 1, IGNORE_NOTHING = -100 };
  ctorch_tensor *images, *labels, *scores, *mean;
  CTORCH_TRY(ctorch_aten_index_select(&images, train->images, 0, batch));
  CTORCH_TRY(ctorch_aten_index_select(&labels, train->labels, 0, batch));
  CTORCH_REPLACE(&images, distort(&images, images));
  CTORCH_TRY(ctorch_module_forward(&scores, net->layers, images));
  CTORCH_TRY(ctorch_aten_cross_entropy_loss(&mean, scores, labels, NULL, MEAN, IGNORE_NOTHING, 0.0));
  CTORCH_TRY(ctorch_optimizer_zero_grad(net->optimizer, true));
  CTORCH_TRY(ctorch_tensor_backward(mean, NULL, NULL, false));
  CTORCH_TRY(ctorch_optimizer_step(net->optimizer));
  CTORCH_TRY(ctorch_tensor_item_double(loss, mean));
  return isfinite(*loss) ? NULL
                         : ctorch_error_format(CTORCH_ERROR_RUNTIME, "the loss is %g: try a smaller --lr", *loss);
}

/* One pass over the images in a new order; gives the mean loss. */
static ctorch_error *train_epoch(
    double *out_loss, network *net, const digits *train, const train_options *options, progress *bar) {
  ctorch_tensor *order;
  ctorch_tensor_list *batches;
  CTORCH_TRY(ctorch_aten_randperm(&order, train->count, NULL, NULL, NULL, NULL));
  CTORCH_TRY(ctorch_aten_split_Tensor(&batches, order, options->batch_size, 0));

  double loss_sum = 0;
  int64_t done = 0;
  for (size_t i = 0; i < ctorch_tensor_list_len(batches); i++) {
    const ctorch_tensor *batch = ctorch_tensor_list_data(batches)[i];
    double loss = 0;
    ctorch_scope *scope;
    CTORCH_TRY(ctorch_scope_begin(&scope));
    ctorch_error *error = train_step(&loss, net, train, batch);
    ctorch_scope_end(scope);
    CTORCH_TRY(error);

    done += ctorch_tensor_numel(batch);
    loss_sum += loss * (double)ctorch_tensor_numel(batch);
    progress_update(bar, done, loss_sum / (double)done);
  }
  *out_loss = loss_sum / (double)done;
  return NULL;
}

static ctorch_error *train_epochs(network *net, const digits *data, const train_options *options, FILE *losses) {
  for (int64_t epoch = 0; epoch < options->epochs; epoch++) {
    char label[64];
    snprintf(label, sizeof label, "epoch %2" PRId64 "/%" PRId64, epoch + 1, options->epochs);
    CTORCH_TRY(ctorch_optimizer_set_lr(net->optimizer, options->lr * (1 - (double)epoch / (double)options->epochs)));
    ctorch_scope *scope;
    CTORCH_TRY(ctorch_scope_begin(&scope));
    progress bar = progress_begin(label, data->count, options->quiet);
    double loss = 0;
    ctorch_error *error = train_epoch(&loss, net, data, options, &bar);
    progress_end(&bar);
    ctorch_scope_end(scope);
    CTORCH_TRY(error);
    if (losses != NULL && fprintf(losses, "%.17g\n", loss) < 0) {
      return ctorch_error_format(CTORCH_ERROR_IO, "%s: cannot be written", options->losses);
    }
  }
  return NULL;
}

static ctorch_error *train(network *net, const digits *data, const train_options *options) {
  if (options->losses == NULL) {
    return train_epochs(net, data, options, NULL);
  }
  FILE *losses = fopen(options->losses, "w");
  if (losses == NULL) {
    return ctorch_error_format(CTORCH_ERROR_IO, "%s: %s", options->losses, strerror(errno));
  }
  ctorch_error *error = train_epochs(net, data, options, losses);
  if (fclose(losses) != 0 && error == NULL) {
    error = ctorch_error_format(CTORCH_ERROR_IO, "%s: cannot be written", options->losses);
  }
  return error;
}

/* Testing. */

typedef struct confusion {
  int64_t count[DIGITS_CLASSES][DIGITS_CLASSES]; /* [label][prediction] */
} confusion;

static ctorch_error *count_predictions(confusion *out, const network *net, const digits *data) {
  ctorch_tensor *scores, *predictions, *cells;
  CTORCH_TRY(ctorch_module_forward(&scores, net->layers, data->images));
  CTORCH_TRY(ctorch_aten_argmax(&predictions, scores, CTORCH_SOME(int64_t, 1), false));
  CTORCH_TRY(ctorch_aten_mul_Scalar(&cells, data->labels, CTORCH_INT(DIGITS_CLASSES)));
  CTORCH_REPLACE(&cells, ctorch_aten_add_Tensor(&cells, cells, predictions, NULL));
  CTORCH_REPLACE(&cells, ctorch_aten_bincount(&cells, cells, NULL, DIGITS_CLASSES * DIGITS_CLASSES));
  return ctorch_tensor_copy_to_buffer(cells, out->count, sizeof out->count, CTORCH_DTYPE_INT64);
}

static ctorch_error *test(confusion *out, const network *net, const digits *data) {
  CTORCH_TRY(ctorch_grad_mode_push(false));
  ctorch_error *error = count_predictions(out, net, data);
  return ctorch_error_first(error, ctorch_grad_mode_pop());
}

static void print_result(const confusion *matrix) {
  int64_t right = 0, total = 0;
  puts("confusion matrix: a row for each label, a column for each prediction");
  puts("        0   1   2   3   4   5   6   7   8   9");
  for (int label = 0; label < DIGITS_CLASSES; label++) {
    printf("%4d ", label);
    for (int prediction = 0; prediction < DIGITS_CLASSES; prediction++) {
      int64_t count = matrix->count[label][prediction];
      if (count == 0) {
        fputs("   .", stdout);
      } else {
        printf("%4" PRId64, count);
      }
      total += count;
      right += label == prediction ? count : 0;
    }
    putchar('\n');
  }
  printf("test accuracy %.2f %% (%" PRId64 " of %" PRId64 ")\n", 100.0 * (double)right / (double)total, right, total);
}

static ctorch_error *save_and_check(
    const char *path, const network *net, const digits *data, const confusion *expected) {
  network loaded;
  confusion matrix;
  CTORCH_TRY(weights_save(path, net->named, PARAMETERS));
  CTORCH_TRY(network_new(&loaded));
  CTORCH_TRY(weights_load(path, loaded.named, PARAMETERS));
  CTORCH_TRY(test(&matrix, &loaded, data));
  if (memcmp(&matrix, expected, sizeof matrix) != 0) {
    return ctorch_error_format(
        CTORCH_ERROR_INTERNAL, "%s: the loaded network predicts differently from the saved one", path);
  }
  printf("weights saved to %s; loaded again, they predict the same\n", path);
  return NULL;
}

static ctorch_error *run(const train_options *options) {
  network net;
  digits train_data, test_data;
  confusion matrix;
  CTORCH_TRY(ctorch_threads_set_num(options->threads));
  CTORCH_TRY(ctorch_random_manual_seed(options->seed));
  CTORCH_TRY(digits_read(&test_data, options->data, "t10k"));
  CTORCH_TRY(network_new(&net));
  if (options->load != NULL) {
    CTORCH_TRY(weights_load(options->load, net.named, PARAMETERS));
  } else {
    CTORCH_TRY(digits_read(&train_data, options->data, "train"));
    CTORCH_TRY(train(&net, &train_data, options));
  }
  CTORCH_TRY(test(&matrix, &net, &test_data));
  print_result(&matrix);
  return options->save == NULL ? NULL : save_and_check(options->save, &net, &test_data, &matrix);
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
