/* MNIST and its like: IDX files in <root>/<name>/raw. */
#define _POSIX_C_SOURCE 200809L
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/sequence.h"
#include "constructors/datasets.h"
#include "core/c/error.h"
#include "datasets/labelled.h"

/* What one of them is. */
struct family {
  const char *name;       /* of its folder */
  const char *source;     /* where its files come from */
  const char *md5s[2][2]; /* of train and test: images and labels, packed; as torchvision lists them */
};

struct request {
  const char *function, *root;
  const struct family *family;
  bool train, check_md5;
};

/* The file of images or labels, packed or not, which the caller frees. `prefix` is NULL for that of MNIST. */
static ctorch_error *find_file(const struct request *self, char **out, const char *prefix, bool is_labels) {
  const char *part = prefix != NULL ? prefix : self->train ? "train" : "t10k";
  char *path = path_format(
      "%s/%s/raw/%s-%s-ubyte.gz", self->root, self->family->name, part, is_labels ? "labels-idx1" : "images-idx3");
  if (path == NULL) {
    return error_memory(self->function, strlen(self->root));
  }
  const size_t plain_len = strlen(path) - strlen(".gz");
  bool is_there = access(path, F_OK) == 0;
  path[plain_len] = '\0';
  if (access(path, F_OK) == 0) {
    is_there = true;
  } else {
    path[plain_len] = '.';
  }
  if (!is_there) {
    path[plain_len] = '\0';
    ctorch_error *error = error_make(
        self->function, CTORCH_ERROR_IO, "%s not found: no %.1000s, with .gz or without; its files come from %s",
        self->family->name, path, self->family->source);
    free(path);
    return error;
  }
  *out = path;
  return NULL;
}

static bool is_packed(const char *path) {
  const size_t len = strlen(path);
  return len > 3 && strcmp(path + len - 3, ".gz") == 0;
}

static ctorch_error *read_file(const struct request *self, ctorch_tensor **out, const char *path, bool is_labels) {
  const char *md5 = self->family->md5s[self->train ? 0 : 1][is_labels ? 1 : 0];
  CTORCH_TRY(md5_check(self->function, path, self->check_md5 && is_packed(path) ? md5 : NULL));
  return error_of(self->function, ctorch_idx_read_file(out, path));
}

static ctorch_error *read_files(const struct request *self, struct labelled *labelled, const char *prefix) {
  char *images = NULL, *labels = NULL;
  ctorch_tensor *data = NULL, *targets = NULL;
  ctorch_error *error = find_file(self, &images, prefix, false);
  THEN(error, find_file(self, &labels, prefix, true));
  THEN(error, read_file(self, &data, images, false));
  THEN(error, read_file(self, &targets, labels, true));
  if (error == NULL) {
    error = labelled_take(self->function, labelled, images, data, targets);
  } else {
    ctorch_tensor_release(data);
  }
  free(images);
  free(labels);
  return error;
}

/* Classes whose names are parted by a vertical line. */
static ctorch_error *add_classes(const char *function, struct class_names *out, const char *names) {
  while (*names != '\0') {
    const size_t len = strcspn(names, "|");
    CTORCH_TRY(class_names_add(function, out, names, len));
    names += len + (names[len] == '|');
  }
  return NULL;
}

static ctorch_error *make(
    const struct request *request,
    ctorch_dataset **out,
    const dataset_class *class,
    const char *names,
    const char *prefix,
    const ctorch_transform *transform,
    const ctorch_transform *target_transform) {
  struct labelled *self = dataset_new(class);
  if (self == NULL) {
    return object_give(request->function, out, NULL);
  }
  ctorch_error *error = read_files(request, self, prefix);
  THEN(error, add_classes(request->function, &self->classes, names));
  if (error != NULL) {
    object_unref(self);
    return error;
  }
  sample_transforms_begin(&self->transforms, transform, target_transform);
  return object_give(request->function, out, self);
}

ctorch_error *datasets_MNIST(const char *function, ctorch_dataset **out, const struct datasets_MNIST_options *options) {
  static const dataset_class class = LABELLED_CLASS("MNIST");
  static const struct family family = {
      "MNIST",
      "https://ossci-datasets.s3.amazonaws.com/mnist/",
      {{"f68b3c2dcbeaaa9fbdd348bbdeb94873", "d53e105ee54ea40749a09fcbcd1e9432"},
       {"9fb629c4189551a2d022fa330f9573f3", "ec29112dd5afa0611ce80d1b7f02629c"}}};
  const struct request request = {function, options->root, &family, options->train, options->check_md5};
  return make(
      &request, out, &class,
      "0 - zero|1 - one|2 - two|3 - three|4 - four|5 - five|6 - six|7 - seven|8 - eight|9 - nine", NULL,
      options->transform, options->target_transform);
}

ctorch_error *datasets_FashionMNIST(
    const char *function, ctorch_dataset **out, const struct datasets_FashionMNIST_options *options) {
  static const dataset_class class = LABELLED_CLASS("FashionMNIST");
  static const struct family family = {
      "FashionMNIST",
      "http://fashion-mnist.s3-website.eu-central-1.amazonaws.com/",
      {{"8d4fb7e6c68d591d4c3dfef9ec88bf0d", "25c81989df183df01b3e8a0aad5dffbe"},
       {"bef4ecab320f06d8554ea6380940ec79", "bb300cfdad3c16e7a12a480ee83cd310"}}};
  const struct request request = {function, options->root, &family, options->train, options->check_md5};
  return make(
      &request, out, &class, "T-shirt/top|Trouser|Pullover|Dress|Coat|Sandal|Shirt|Sneaker|Bag|Ankle boot", NULL,
      options->transform, options->target_transform);
}

ctorch_error *datasets_KMNIST(
    const char *function, ctorch_dataset **out, const struct datasets_KMNIST_options *options) {
  static const dataset_class class = LABELLED_CLASS("KMNIST");
  static const struct family family = {
      "KMNIST",
      "http://codh.rois.ac.jp/kmnist/dataset/kmnist/",
      {{"bdb82020997e1d708af4cf47b453dcf7", "e144d726b3acfaa3e44228e80efcd344"},
       {"5c965bf0a639b31b8f53240b1b52f4d7", "7320c461ea6c1c855c0b718fb2a4b134"}}};
  const struct request request = {function, options->root, &family, options->train, options->check_md5};
  return make(
      &request, out, &class, "o|ki|su|tsu|na|ha|ma|ya|re|wo", NULL, options->transform, options->target_transform);
}

#define DIGITS "0|1|2|3|4|5|6|7|8|9"
#define CAPITALS "A|B|C|D|E|F|G|H|I|J|K|L|M|N|O|P|Q|R|S|T|U|V|W|X|Y|Z"
#define SMALL "a|b|c|d|e|f|g|h|i|j|k|l|m|n|o|p|q|r|s|t|u|v|w|x|y|z"
#define NOT_MERGED "a|b|d|e|f|g|h|n|q|r|t" /* small letters that do not look like their capitals */

static const struct {
  const char *split, *classes;
} SPLITS[] = {
    {"byclass", DIGITS "|" CAPITALS "|" SMALL},
    {"bymerge", DIGITS "|" CAPITALS "|" NOT_MERGED},
    {"balanced", DIGITS "|" CAPITALS "|" NOT_MERGED},
    {"letters", "N/A|" SMALL},
    {"digits", DIGITS},
    {"mnist", DIGITS},
};

ctorch_error *datasets_EMNIST(
    const char *function, ctorch_dataset **out, const struct datasets_EMNIST_options *options) {
  static const dataset_class class = LABELLED_CLASS("EMNIST");
  static const struct family family = {
      .name = "EMNIST", .source = "https://www.nist.gov/itl/products-and-services/emnist-dataset"};
  const struct request request = {function, options->root, &family, options->train, false};
  const char *classes = NULL;
  for (size_t i = 0; i < sizeof SPLITS / sizeof *SPLITS; i++) {
    classes = strcmp(options->split, SPLITS[i].split) == 0 ? SPLITS[i].classes : classes;
  }
  if (classes == NULL) {
    return error_make(
        function, CTORCH_ERROR_VALUE,
        "split: expected 'byclass', 'bymerge', 'balanced', 'letters', 'digits' or 'mnist', got '%.64s'",
        options->split);
  }
  char *prefix = path_format("emnist-%s-%s", options->split, options->train ? "train" : "test");
  if (prefix == NULL) {
    return error_memory(function, strlen(options->split));
  }
  ctorch_error *error = make(&request, out, &class, classes, prefix, options->transform, options->target_transform);
  free(prefix);
  return error;
}
