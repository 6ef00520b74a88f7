/* Images and classes in memory: labelled.h. */
#include "datasets/labelled.h"

#include <inttypes.h>
#include <string.h>

#include "base/sequence.h"
#include "core/c/boxed.h"
#include "core/c/error.h"
#include "core/c/tensor.h"

void labelled_finalize(void *self) {
  struct labelled *labelled = self;
  sample_transforms_end(&labelled->transforms);
  class_names_end(&labelled->classes);
  tensor_unref(labelled->data);
  tensor_unref(labelled->targets);
}

ctorch_error *labelled_len(const char *function, const ctorch_dataset *self, int64_t *out) {
  (void)function;
  *out = ctorch_tensor_numel(((const struct labelled *)self)->targets);
  return NULL;
}

/* An image of its own: nobody writes to that of the dataset. Grey ones get a channel. */
static ctorch_error *copy_image(const struct labelled *self, ctorch_tensor **out, int64_t index) {
  const bool is_grey = ctorch_tensor_ndim(self->data) == 3;
  ctorch_tensor *image = NULL;
  CTORCH_TRY(
      is_grey ? ctorch_aten_narrow(&image, self->data, 0, index, 1)
              : ctorch_aten_select_int(&image, self->data, 0, index));
  ctorch_error *error = ctorch_aten_clone(out, image, NULL);
  ctorch_tensor_release(image);
  return error;
}

ctorch_error *labelled_get(struct fetch *fetch, const ctorch_dataset *self, ctorch_value **out, int64_t index) {
  const struct labelled *labelled = (const struct labelled *)self;
  const void *targets = NULL;
  ctorch_tensor *image = NULL;
  CTORCH_TRY(error_of(fetch->function, ctorch_tensor_const_data(&targets, labelled->targets)));
  CTORCH_TRY(error_of(fetch->function, copy_image(labelled, &image, index)));
  ctorch_error *error = sample_make(fetch, &labelled->transforms, out, image, ((const int64_t *)targets)[index]);
  ctorch_tensor_release(image);
  return error;
}

/* Batches ---------------------------------------------------------------------------------------------------------- */

static ctorch_error *take_images(const struct labelled *self, ctorch_tensor **out, const ctorch_tensor *at) {
  ctorch_tensor *images = NULL;
  if (ctorch_tensor_ndim(self->data) == 4) {
    return ctorch_aten_index_select(out, self->data, 0, at);
  }
  CTORCH_TRY(ctorch_aten_index_select(&images, self->data, 0, at));
  ctorch_error *error = ctorch_aten_unsqueeze(out, images, 1);
  ctorch_tensor_release(images);
  return error;
}

static ctorch_error *take_rows(const struct labelled *self, ctorch_tensor **rows, const ctorch_tensor *at) {
  CTORCH_TRY(take_images(self, &rows[0], at));
  return ctorch_aten_index_select(&rows[1], self->targets, 0, at);
}

static ctorch_error *make_batch(const struct labelled *self, ctorch_value **out, const ctorch_tensor *at) {
  ctorch_tensor *rows[2] = {NULL, NULL};
  ctorch_value *values[2] = {NULL, NULL};
  ctorch_error *error = take_rows(self, rows, at);
  THEN(error, ctorch_value_from_tensor(&values[0], rows[0]));
  THEN(error, ctorch_value_from_tensor(&values[1], rows[1]));
  THEN(error, ctorch_value_from_list(out, (const ctorch_value *const *)values, 2));
  for (int i = 0; i < 2; i++) {
    ctorch_value_release(values[i]);
    ctorch_tensor_release(rows[i]);
  }
  return error;
}

ctorch_error *labelled_get_batch(
    struct fetch *fetch, const ctorch_dataset *self, ctorch_value **out, const int64_t *indices, size_t len) {
  const struct labelled *labelled = (const struct labelled *)self;
  const int64_t sizes[] = {(int64_t)len};
  ctorch_tensor *at = NULL;
  if (labelled->transforms.input != NULL || labelled->transforms.target != NULL) {
    return NULL;
  }
  CTORCH_TRY(error_of(
      fetch->function, ctorch_tensor_from_data(&at, indices, len * sizeof *indices, sizes, 1, CTORCH_DTYPE_INT64)));
  ctorch_error *error = make_batch(labelled, out, at);
  ctorch_tensor_release(at);
  return error_of(fetch->function, error);
}

ctorch_error *labelled_attribute(
    const char *function, const ctorch_dataset *self, const char *name, ctorch_value **out) {
  const struct labelled *labelled = (const struct labelled *)self;
  if (strcmp(name, "data") == 0 || strcmp(name, "targets") == 0) {
    return error_of(
        function, ctorch_value_from_tensor(out, strcmp(name, "data") == 0 ? labelled->data : labelled->targets));
  }
  const bool is_named = labelled->classes.len > 0;
  return is_named ? error_of(function, class_names_attribute(&labelled->classes, name, out)) : NULL;
}

/* ------------------------------------------------------------------------------------------------------------------ */

static ctorch_error *check_parts(
    const char *function, const char *name, const ctorch_tensor *data, const ctorch_tensor *targets) {
  const int64_t images = ctorch_tensor_ndim(data) >= 3 ? ctorch_tensor_sizes(data)[0] : -1;
  if (ctorch_tensor_dtype(data) != CTORCH_DTYPE_UINT8 || images < 0) {
    return error_make(function, CTORCH_ERROR_FORMAT, "%.1000s: no images of uint8", name);
  }
  if (ctorch_tensor_ndim(targets) != 1 || ctorch_tensor_sizes(targets)[0] != images) {
    return error_make(
        function, CTORCH_ERROR_FORMAT, "%.1000s: %" PRId64 " images, but %" PRId64 " labels", name, images,
        ctorch_tensor_numel(targets));
  }
  return NULL;
}

ctorch_error *labelled_take(
    const char *function, struct labelled *self, const char *name, ctorch_tensor *data, ctorch_tensor *targets) {
  const ctorch_dtype int64 = CTORCH_DTYPE_INT64;
  ctorch_tensor *numbers = NULL, *images = NULL;
  ctorch_error *error = check_parts(function, name, data, targets);
  THEN(error, ctorch_tensor_to(&numbers, targets, &int64, NULL, false, false, NULL));
  THEN(error, ctorch_aten_contiguous(&images, data, CTORCH_MEMORY_FORMAT_CONTIGUOUS));
  if (error == NULL) {
    self->data = tensor_take(images);
    self->targets = tensor_take(numbers);
  } else {
    ctorch_tensor_release(numbers);
  }
  ctorch_tensor_release(data);
  ctorch_tensor_release(targets);
  return error_of(function, error);
}
