/* Images and sounds in folders, one for each class; a file is read when its sample is asked for. */
#include <stdlib.h>
#include <string.h>

#include "base/sequence.h"
#include "constructors/datasets.h"
#include "core/c/error.h"
#include "datasets/folder_files.h"

struct folder {
  ctorch_dataset dataset;
  struct sample_transforms transforms;
  struct folder_files files;
};

static void finalize(void *self) {
  struct folder *folder = self;
  sample_transforms_end(&folder->transforms);
  folder_files_end(&folder->files);
}

static ctorch_error *len(const char *function, const ctorch_dataset *self, int64_t *out) {
  (void)function;
  *out = (int64_t)((const struct folder *)self)->files.len;
  return NULL;
}

static ctorch_error *get_image(struct fetch *fetch, const ctorch_dataset *self, ctorch_value **out, int64_t index) {
  const struct folder *folder = (const struct folder *)self;
  const struct folder_file *file = &folder->files.data[index];
  ctorch_tensor *image = NULL;
  CTORCH_TRY(error_of(fetch->function, ctorch_image_decode_file(&image, file->path, CTORCH_IMAGE_MODE_RGB, 0, 0)));
  ctorch_error *error = sample_make(fetch, &folder->transforms, out, image, file->target);
  ctorch_tensor_release(image);
  return error;
}

/* The parts are released by the caller. */
static ctorch_error *make_sound(
    struct fetch *fetch, const struct folder *folder, ctorch_value **parts, const struct folder_file *file) {
  int64_t sample_rate = 0;
  ctorch_tensor *sound = NULL;
  CTORCH_TRY(ctorch_wav_read_file(&sound, &sample_rate, file->path, 0, -1, true));
  ctorch_error *error = ctorch_value_from_tensor(&parts[0], sound);
  ctorch_tensor_release(sound);
  CTORCH_TRY(error);
  CTORCH_TRY(ctorch_value_from_int(&parts[1], sample_rate));
  CTORCH_TRY(ctorch_value_from_int(&parts[2], file->target));
  CTORCH_TRY(sample_transform(fetch, folder->transforms.input, &parts[0]));
  return sample_transform(fetch, folder->transforms.target, &parts[2]);
}

static ctorch_error *get_sound(struct fetch *fetch, const ctorch_dataset *self, ctorch_value **out, int64_t index) {
  const struct folder *folder = (const struct folder *)self;
  ctorch_value *parts[3] = {NULL, NULL, NULL};
  ctorch_error *error = make_sound(fetch, folder, parts, &folder->files.data[index]);
  THEN(error, ctorch_value_from_tuple(out, (const ctorch_value *const *)parts, 3));
  for (int i = 0; i < 3; i++) {
    ctorch_value_release(parts[i]);
  }
  return error_of(fetch->function, error);
}

/* Attributes ------------------------------------------------------------------------------------------------------- */

static ctorch_error *targets_of(const struct folder *self, ctorch_value **out) {
  const int64_t sizes[] = {(int64_t)self->files.len};
  ctorch_storage *storage = NULL;
  ctorch_tensor *tensor = NULL;
  void *data = NULL;
  CTORCH_TRY(ctorch_storage_new(&storage, self->files.len * sizeof(int64_t)));
  ctorch_error *error = ctorch_storage_data(&data, storage);
  for (size_t i = 0; error == NULL && i < self->files.len; i++) {
    ((int64_t *)data)[i] = self->files.data[i].target;
  }
  error =
      error != NULL ? error : ctorch_tensor_from_storage(&tensor, storage, 0, sizes, 1, NULL, 0, CTORCH_DTYPE_INT64);
  THEN(error, ctorch_value_from_tensor(out, tensor));
  ctorch_tensor_release(tensor);
  ctorch_storage_release(storage);
  return error;
}

static ctorch_error *append_file(ctorch_value *list, const struct folder_file *file) {
  ctorch_value *parts[2] = {NULL, NULL}, *tuple = NULL;
  ctorch_error *error = ctorch_value_from_string(&parts[0], file->path);
  THEN(error, ctorch_value_from_int(&parts[1], file->target));
  THEN(error, ctorch_value_from_tuple(&tuple, (const ctorch_value *const *)parts, 2));
  THEN(error, ctorch_value_list_append(list, tuple));
  ctorch_value_release(tuple);
  ctorch_value_release(parts[0]);
  ctorch_value_release(parts[1]);
  return error;
}

static ctorch_error *samples_of(const struct folder *self, ctorch_value **out) {
  ctorch_value *list = NULL;
  CTORCH_TRY(ctorch_value_from_list(&list, NULL, 0));
  ctorch_error *error = NULL;
  for (size_t i = 0; error == NULL && i < self->files.len; i++) {
    error = append_file(list, &self->files.data[i]);
  }
  if (error != NULL) {
    ctorch_value_release(list);
    return error;
  }
  *out = list;
  return NULL;
}

static ctorch_error *attribute(const char *function, const ctorch_dataset *self, const char *name, ctorch_value **out) {
  const struct folder *folder = (const struct folder *)self;
  return error_of(
      function, strcmp(name, "targets") == 0   ? targets_of(folder, out)
                : strcmp(name, "samples") == 0 ? samples_of(folder, out)
                                               : class_names_attribute(&folder->files.classes, name, out));
}

/* ------------------------------------------------------------------------------------------------------------------ */

static ctorch_error *make(
    const char *function,
    ctorch_dataset **out,
    const dataset_class *class,
    const char *root,
    const char *const *endings,
    bool allow_empty,
    const struct sample_transforms *transforms) {
  struct folder *self = dataset_new(class);
  if (self == NULL) {
    return object_give(function, out, NULL);
  }
  ctorch_error *error = folder_files_find(function, &self->files, root, endings, allow_empty);
  if (error != NULL) {
    object_unref(self);
    return error;
  }
  sample_transforms_begin(&self->transforms, transforms->input, transforms->target);
  return object_give(function, out, self);
}

static struct sample_transforms borrowed(const ctorch_transform *input, const ctorch_transform *target) {
  return (struct sample_transforms){(ctorch_transform *)(uintptr_t)input, (ctorch_transform *)(uintptr_t)target};
}

ctorch_error *datasets_ImageFolder(
    const char *function, ctorch_dataset **out, const struct datasets_ImageFolder_options *options) {
  static const char *const ENDINGS[] = {".jpg", ".jpeg", ".png",  ".ppm",  ".bmp",
                                        ".pgm", ".tif",  ".tiff", ".webp", NULL};
  static const dataset_class class = {
      .object = DATASET_OBJECT(struct folder, finalize),
      .name = "ImageFolder",
      .len = len,
      .get = get_image,
      .attribute = attribute};
  const struct sample_transforms transforms = borrowed(options->transform, options->target_transform);
  return make(function, out, &class, options->root, ENDINGS, options->allow_empty, &transforms);
}

ctorch_error *datasets_WAVFolder(
    const char *function, ctorch_dataset **out, const struct datasets_WAVFolder_options *options) {
  static const char *const ENDINGS[] = {".wav", NULL};
  static const dataset_class class = {
      .object = DATASET_OBJECT(struct folder, finalize),
      .name = "WAVFolder",
      .len = len,
      .get = get_sound,
      .attribute = attribute};
  const struct sample_transforms transforms = borrowed(options->transform, options->target_transform);
  return make(function, out, &class, options->root, ENDINGS, options->allow_empty, &transforms);
}
