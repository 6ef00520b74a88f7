/* Train on a folder of images (`image_folder FOLDER`): FOLDER/train and FOLDER/test have a folder for each class. Images are
 * read, decoded and transformed by worker threads; the trainer validates after each epoch. The result does not depend on
 * the number of workers. */
#include <ctorch.h>
#include <stdio.h>

enum { SIZE = 32, BATCH = 20, WORKERS = 2, EPOCHS = 15, CHANNELS = 16 };

/* Convolutions with batch norm, after each the image is halved; the greatest values of what is left; a linear layer. */
static ctorch_error *network(ctorch_module **out, int64_t classes) {
  ctorch_module *layer;
  CTORCH_TRY(ctorch_nn_Sequential(out));
  for (int64_t from = 3, to = CHANNELS; to <= 4 * CHANNELS; from = to, to *= 2) {
    CTORCH_TRY(ctorch_nn_Conv2d(
        &layer, from, to, CTORCH_INTS(3), CTORCH_DEFAULT_LIST, CTORCH_INTS(1), CTORCH_DEFAULT_LIST, 1, true, NULL, NULL,
        NULL));
    CTORCH_TRY(ctorch_module_append(*out, layer));
    CTORCH_TRY(ctorch_nn_BatchNorm2d(&layer, to, 1e-5, 0.1, true, true, NULL, NULL, true));
    CTORCH_TRY(ctorch_module_append(*out, layer));
    CTORCH_TRY(ctorch_nn_ReLU(&layer, true));
    CTORCH_TRY(ctorch_module_append(*out, layer));
    CTORCH_TRY(
        ctorch_nn_MaxPool2d(&layer, CTORCH_INTS(2), CTORCH_DEFAULT_LIST, CTORCH_INTS(0), CTORCH_INTS(1), false, false));
    CTORCH_TRY(ctorch_module_append(*out, layer));
  }
  CTORCH_TRY(ctorch_nn_AdaptiveMaxPool2d(&layer, CTORCH_INTS(1), false));
  CTORCH_TRY(ctorch_module_append(*out, layer));
  CTORCH_TRY(ctorch_nn_Flatten(&layer, 1, -1));
  CTORCH_TRY(ctorch_module_append(*out, layer));
  CTORCH_TRY(ctorch_nn_Linear(&layer, 4 * CHANNELS, classes, true, NULL, NULL));
  return ctorch_module_append(*out, layer);
}

/* Numbers from -1 to 1; and in training a part of the image, of another size, flipped or not, in other colours. */
static ctorch_error *transform_for(ctorch_transform **out, bool training) {
  ctorch_transform *parts[5], **next = parts;
  if (training) {
    CTORCH_TRY(ctorch_transforms_RandomResizedCrop(
        next++, CTORCH_INTS(SIZE), CTORCH_DOUBLES(0.8, 1), CTORCH_DEFAULT_LIST, "bilinear", true));
    CTORCH_TRY(ctorch_transforms_RandomHorizontalFlip(next++, 0.5));
    CTORCH_TRY(ctorch_transforms_ColorJitter(
        next++, CTORCH_DOUBLES(0.2), CTORCH_DOUBLES(0.2), CTORCH_DEFAULT_LIST, CTORCH_DOUBLES(0.5)));
  }
  CTORCH_TRY(ctorch_transforms_ToDtype(next++, CTORCH_DTYPE_FLOAT32, true));
  CTORCH_TRY(ctorch_transforms_Normalize(next++, CTORCH_DOUBLES(0.5, 0.5, 0.5), CTORCH_DOUBLES(0.5, 0.5, 0.5), false));
  return ctorch_transforms_Compose(out, (const ctorch_transform *const *)parts, (size_t)(next - parts));
}

static ctorch_error *batches_of(ctorch_loader **out, ctorch_dataset **dataset, const char *folder, bool training) {
  char path[4096];
  ctorch_transform *transform;
  snprintf(path, sizeof path, "%s/%s", folder, training ? "train" : "test");
  CTORCH_TRY(transform_for(&transform, training));
  CTORCH_TRY(ctorch_datasets_ImageFolder(dataset, path, transform, NULL, false));
  return ctorch_data_DataLoader(
      out, *dataset, CTORCH_SOME(int64_t, BATCH), training, NULL, NULL, WORKERS, false, false, 0, NULL, NULL, false,
      true);
}

static ctorch_error *print_number(const ctorch_value *metrics, const char *name) {
  ctorch_value *value;
  double number;
  CTORCH_TRY(ctorch_value_dict_at(&value, metrics, name));
  CTORCH_TRY(ctorch_value_to_double(&number, value));
  printf("  %s %.4f", name, number);
  return NULL;
}

/* What the trainer has noted of each epoch. */
static ctorch_error *print_history(const ctorch_trainer *trainer) {
  ctorch_value *history, *epoch;
  CTORCH_TRY(ctorch_trainer_history(&history, trainer));
  for (size_t i = 0; i < ctorch_value_len(history); i++) {
    CTORCH_TRY(ctorch_value_get(&epoch, history, i));
    printf("epoch %2zu", i + 1);
    CTORCH_TRY(print_number(epoch, "loss"));
    CTORCH_TRY(print_number(epoch, "val_loss"));
    CTORCH_TRY(print_number(epoch, "val_accuracy"));
    putchar('\n');
  }
  return NULL;
}

static ctorch_error *run(const char *folder) {
  ctorch_loader *train, *test;
  ctorch_dataset *images, *test_images;
  ctorch_value *classes;
  ctorch_string *names;
  ctorch_module *model, *loss;
  ctorch_tensor_list *parameters;
  ctorch_optimizer *optimizer;
  ctorch_trainer *trainer;
  CTORCH_TRY(ctorch_threads_set_num(1)); /* the tensors are too small for more */
  CTORCH_TRY(ctorch_random_manual_seed(0));
  CTORCH_TRY(batches_of(&train, &images, folder, true));
  CTORCH_TRY(batches_of(&test, &test_images, folder, false));
  CTORCH_TRY(ctorch_dataset_attribute(&classes, images, "classes"));
  CTORCH_TRY(ctorch_value_repr(&names, classes));
  printf("classes %s\n", ctorch_string_data(names));

  CTORCH_TRY(network(&model, (int64_t)ctorch_value_len(classes)));
  CTORCH_TRY(ctorch_module_parameters(&parameters, model, true));
  CTORCH_TRY(ctorch_optim_AdamW(
      &optimizer, CTORCH_LIST(parameters), 3e-3, NULL, 0, 1e-8, 1e-2, false, false, NULL, false, false, NULL));
  CTORCH_TRY(ctorch_nn_CrossEntropyLoss(&loss, NULL, -100, "mean", 0));
  CTORCH_TRY(ctorch_trainer_new(&trainer, model, optimizer));
  CTORCH_TRY(ctorch_trainer_set_loss(trainer, loss));
  CTORCH_TRY(ctorch_trainer_add_metric(trainer, "accuracy", NULL, NULL, NULL));
  CTORCH_TRY(ctorch_trainer_set_length(trainer, EPOCHS, 0));
  CTORCH_TRY(ctorch_trainer_set_validation(trainer, test, 0));
  CTORCH_TRY(ctorch_trainer_fit(trainer, train));
  return print_history(trainer);
}

int main(int argc, char **argv) {
  ctorch_scope *scope = NULL;
  ctorch_error *error = ctorch_scope_begin(&scope);
  if (error == NULL) {
    error = run(argc > 1 ? argv[1] : "examples/data/shapes");
  }
  ctorch_scope_end(scope);
  return ctorch_error_finish(error);
}
