/* CIFAR-10 and CIFAR-100 in the folders of torchvision, or of the binary version. */
#define _POSIX_C_SOURCE 200809L
#include <inttypes.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "base/sequence.h"
#include "constructors/datasets.h"
#include "core/c/error.h"
#include "datasets/cifar_files.h"
#include "datasets/labelled.h"

enum { MOST_FILES = 5, SIDE = 32, CHANNELS = 3 };

struct file {
  const char *name, *md5; /* of a pickle, as torchvision lists it; NULL for others */
};

/* One of the versions in which the data set is published. */
struct version {
  const char *folder;
  struct file train[MOST_FILES], test, names; /* train ends with NULL */
  const char *labels_key, *names_key;         /* of pickles */
  size_t labels;                              /* of a record in binary; 0 for pickles */
};

struct request {
  const char *function, *root;
  bool train, check_md5;
};

static bool is_folder(const char *root, const char *folder) {
  struct stat status;
  char *path = path_format("%s/%s", root, folder);
  const bool result = path != NULL && stat(path, &status) == 0 && S_ISDIR(status.st_mode);
  free(path);
  return result;
}

static ctorch_error *find_file(
    const struct request *self, const struct version *version, const struct file *file, char **out) {
  char *path = path_format("%s/%s/%s", self->root, version->folder, file->name);
  if (path == NULL) {
    return error_memory(self->function, 0);
  }
  ctorch_error *error = md5_check(self->function, path, self->check_md5 ? file->md5 : NULL);
  if (error != NULL) {
    free(path);
    return error;
  }
  *out = path;
  return NULL;
}

static ctorch_error *read_file(
    const struct request *self, const struct version *version, const struct file *file, ctorch_tensor **parts) {
  char *path = NULL;
  CTORCH_TRY(find_file(self, version, file, &path));
  ctorch_error *error = version->labels == 0
                            ? cifar_read_pickle(self->function, &parts[0], &parts[1], path, version->labels_key)
                            : cifar_read_binary(self->function, &parts[0], &parts[1], path, version->labels);
  free(path);
  return error;
}

static ctorch_error *read_names(const struct request *self, const struct version *version, struct class_names *out) {
  char *path = NULL;
  CTORCH_TRY(find_file(self, version, &version->names, &path));
  ctorch_error *error = version->labels == 0 ? cifar_read_names_pickle(self->function, out, path, version->names_key)
                                             : cifar_read_names_text(self->function, out, path);
  free(path);
  return error;
}

/* Images of all files, (N, 3, 32, 32), and labels of one dtype. */
static ctorch_error *join(ctorch_tensor **out, ctorch_tensor *const *parts, size_t len) {
  const int64_t sizes[] = {-1, CHANNELS, SIDE, SIDE};
  const ctorch_tensor *images[MOST_FILES], *labels[MOST_FILES];
  ctorch_tensor *flat = NULL;
  for (size_t i = 0; i < len; i++) {
    images[i] = parts[2 * i];
    labels[i] = parts[2 * i + 1];
  }
  CTORCH_TRY(ctorch_aten_cat(&flat, images, len, 0));
  ctorch_error *error = ctorch_aten_reshape(&out[0], flat, sizes, 4);
  ctorch_tensor_release(flat);
  if (error == NULL) {
    error = ctorch_aten_cat(&out[1], labels, len, 0);
    if (error != NULL) {
      ctorch_tensor_release(out[0]);
    }
  }
  return error;
}

static ctorch_error *read_files(const struct request *self, const struct version *version, struct labelled *out) {
  const struct file *files = self->train ? version->train : &version->test;
  const size_t most = self->train ? MOST_FILES : 1;
  ctorch_tensor *parts[2 * MOST_FILES] = {NULL}, *joined[2] = {NULL, NULL};
  ctorch_error *error = NULL;
  size_t len = 0;
  for (; error == NULL && len < most && files[len].name != NULL; len++) {
    error = read_file(self, version, &files[len], &parts[2 * len]);
  }
  THEN(error, join(joined, parts, len));
  for (size_t i = 0; i < 2 * len; i++) {
    ctorch_tensor_release(parts[i]);
  }
  return error != NULL ? error_of(self->function, error)
                       : labelled_take(self->function, out, version->folder, joined[0], joined[1]);
}

static ctorch_error *check_targets(const char *function, const struct labelled *self) {
  const void *data = NULL;
  CTORCH_TRY(ctorch_tensor_const_data(&data, self->targets));
  const int64_t len = ctorch_tensor_numel(self->targets), *targets = data;
  for (int64_t i = 0; i < len; i++) {
    if (targets[i] < 0 || (uint64_t)targets[i] >= self->classes.len) {
      return error_make(
          function, CTORCH_ERROR_FORMAT, "image %" PRId64 " is of class %" PRId64 ", of which there are %zu", i,
          targets[i], self->classes.len);
    }
  }
  return NULL;
}

static ctorch_error *make(
    const struct request *request,
    ctorch_dataset **out,
    const dataset_class *class,
    const struct version *versions,
    const ctorch_transform *transform,
    const ctorch_transform *target_transform) {
  const struct version *version = is_folder(request->root, versions[0].folder)   ? &versions[0]
                                  : is_folder(request->root, versions[1].folder) ? &versions[1]
                                                                                 : NULL;
  if (version == NULL) {
    return error_make(
        request->function, CTORCH_ERROR_IO,
        "%s not found: no folder %s nor %s in %.1000s; they come from https://www.cs.toronto.edu/~kriz/cifar.html",
        class->name, versions[0].folder, versions[1].folder, request->root);
  }
  struct labelled *self = dataset_new(class);
  if (self == NULL) {
    return object_give(request->function, out, NULL);
  }
  ctorch_error *error = read_files(request, version, self);
  THEN(error, read_names(request, version, &self->classes));
  THEN(error, check_targets(request->function, self));
  if (error != NULL) {
    object_unref(self);
    return error;
  }
  sample_transforms_begin(&self->transforms, transform, target_transform);
  return object_give(request->function, out, self);
}

ctorch_error *datasets_CIFAR10(
    const char *function, ctorch_dataset **out, const struct datasets_CIFAR10_options *options) {
  static const dataset_class class = LABELLED_CLASS("CIFAR10");
  static const struct version versions[] = {
      {"cifar-10-batches-py",
       {{"data_batch_1", "c99cafc152244af753f735de768cd75f"},
        {"data_batch_2", "d4bba439e000b95fd0a9bffe97cbabec"},
        {"data_batch_3", "54ebc095f3ab1f0389bbae665268c751"},
        {"data_batch_4", "634d18415352ddfa80567beed471001a"},
        {"data_batch_5", "482c414d41f54cd18b22e5b47cb7c3cb"}},
       {"test_batch", "40351d587109b95175f43aff81a1287e"},
       {"batches.meta", "5ff9c542aee3614f3951f8cda6e48888"},
       "labels",
       "label_names",
       0},
      {"cifar-10-batches-bin",
       {{"data_batch_1.bin", NULL},
        {"data_batch_2.bin", NULL},
        {"data_batch_3.bin", NULL},
        {"data_batch_4.bin", NULL},
        {"data_batch_5.bin", NULL}},
       {"test_batch.bin", NULL},
       {"batches.meta.txt", NULL},
       NULL,
       NULL,
       1},
  };
  const struct request request = {function, options->root, options->train, options->check_md5};
  return make(&request, out, &class, versions, options->transform, options->target_transform);
}

ctorch_error *datasets_CIFAR100(
    const char *function, ctorch_dataset **out, const struct datasets_CIFAR100_options *options) {
  static const dataset_class class = LABELLED_CLASS("CIFAR100");
  static const struct version versions[] = {
      {"cifar-100-python",
       {{"train", "16019d7e3df5f24257cddd939b257f8d"}},
       {"test", "f0ef6b0ae62326f3e7ffdfab6717acfc"},
       {"meta", "7973b15100ade9c7d40fb424638fde48"},
       "fine_labels",
       "fine_label_names",
       0},
      {"cifar-100-binary", {{"train.bin", NULL}}, {"test.bin", NULL}, {"fine_label_names.txt", NULL}, NULL, NULL, 2},
  };
  const struct request request = {function, options->root, options->train, options->check_md5};
  return make(&request, out, &class, versions, options->transform, options->target_transform);
}
