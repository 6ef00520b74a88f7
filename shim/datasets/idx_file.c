/* Images and labels from two IDX files. */
#include "constructors/datasets.h"
#include "core/c/error.h"
#include "datasets/labelled.h"

static ctorch_error *read_files(
    const char *function, struct labelled *self, const struct datasets_IDXFile_options *options) {
  ctorch_tensor *images = NULL, *labels = NULL;
  CTORCH_TRY(error_of(function, ctorch_idx_read_file(&images, options->images)));
  ctorch_error *error = error_of(function, ctorch_idx_read_file(&labels, options->labels));
  if (error != NULL) {
    ctorch_tensor_release(images);
    return error;
  }
  return labelled_take(function, self, options->images, images, labels);
}

ctorch_error *datasets_IDXFile(
    const char *function, ctorch_dataset **out, const struct datasets_IDXFile_options *options) {
  static const dataset_class class = LABELLED_CLASS("IDXFile");
  struct labelled *self = dataset_new(&class);
  if (self == NULL) {
    return object_give(function, out, NULL);
  }
  ctorch_error *error = read_files(function, self, options);
  if (error != NULL) {
    object_unref(self);
    return error;
  }
  sample_transforms_begin(&self->transforms, options->transform, options->target_transform);
  return object_give(function, out, self);
}
