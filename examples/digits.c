#include "digits.h"

#include <inttypes.h>
#include <stdio.h>

#include "idx.h"

enum { MAX_PIXEL = 16 };

static ctorch_error *check_range(const ctorch_tensor *values, int64_t limit, const char *path, const char *what) {
  ctorch_tensor *max;
  int64_t found;
  CTORCH_TRY(ctorch_aten_max(&max, values));
  CTORCH_TRY(ctorch_tensor_item_int64(&found, max));
  if (found > limit) {
    return ctorch_error_format(
        CTORCH_ERROR_FORMAT, "%s: a %s of %" PRId64 ", expected 0 to %" PRId64, path, what, found, limit);
  }
  return NULL;
}

ctorch_error *digits_read(digits *out, const char *folder, const char *part) {
  char images_path[4096], labels_path[4096];
  ctorch_tensor *images, *labels;
  snprintf(images_path, sizeof images_path, "%s/%s-images-idx3-ubyte", folder, part);
  snprintf(labels_path, sizeof labels_path, "%s/%s-labels-idx1-ubyte", folder, part);
  CTORCH_TRY(idx_read(&images, images_path, 3));
  CTORCH_TRY(idx_read(&labels, labels_path, 1));

  const int64_t *sizes = ctorch_tensor_sizes(images);
  if (sizes[1] != DIGITS_IMAGE_SIZE || sizes[2] != DIGITS_IMAGE_SIZE) {
    return ctorch_error_format(
        CTORCH_ERROR_FORMAT, "%s: images of %" PRId64 " x %" PRId64 ", expected %d x %d", images_path, sizes[1],
        sizes[2], DIGITS_IMAGE_SIZE, DIGITS_IMAGE_SIZE);
  }
  int64_t count = sizes[0], labels_count = ctorch_tensor_numel(labels);
  if (count != labels_count) {
    return ctorch_error_format(
        CTORCH_ERROR_FORMAT, "%s: %" PRId64 " labels for the %" PRId64 " images in %s", labels_path, labels_count,
        count, images_path);
  }
  if (count == 0) {
    return ctorch_error_format(CTORCH_ERROR_FORMAT, "%s: no images", images_path);
  }
  CTORCH_TRY(check_range(images, MAX_PIXEL, images_path, "pixel"));
  CTORCH_TRY(check_range(labels, DIGITS_CLASSES - 1, labels_path, "label"));

  CTORCH_REPLACE(&images, ctorch_aten_unsqueeze(&images, images, 1));
  CTORCH_TRY(ctorch_aten_div_Scalar(&out->images, images, CTORCH_INT(MAX_PIXEL)));
  CTORCH_TRY(ctorch_aten_to_dtype(&out->labels, labels, CTORCH_DTYPE_INT64, false, false, NULL));
  out->count = count;
  return NULL;
}
