/* Arguments of metrics of images. */
#include "metrics/image.h"

#include "core/c/boxed.h"
#include "core/c/error.h"

const char *const IMAGE_REDUCTIONS[] = {"elementwise_mean", "sum", "none", NULL};

static ctorch_error *number_of(const char *function, const char *name, double *out, const ctorch_value *value) {
  ctorch_value_kind kind = ctorch_value_kind_of(value);
  if (kind != CTORCH_VALUE_DOUBLE && kind != CTORCH_VALUE_INT) {
    return error_make(
        function, CTORCH_ERROR_VALUE, "%s: expected a number or a list of numbers, found %s", name,
        ctorch_value_kind_name(kind));
  }
  return ctorch_value_to_double(out, value);
}

ctorch_error *image_numbers(
    const char *function, const char *name, double *out, size_t *len, size_t most, const ctorch_value *value) {
  *len = 0;
  if (!value_is_sequence(value)) {
    return number_of(function, name, out, value);
  }
  *len = ctorch_value_len(value);
  if (*len == 0 || *len > most) {
    return error_make(function, CTORCH_ERROR_VALUE, "%s: expected 1 to %zu numbers, got %zu", name, most, *len);
  }
  for (size_t i = 0; i < *len; i++) {
    ctorch_value *entry = NULL;
    CTORCH_TRY(ctorch_value_get(&entry, value, i));
    ctorch_error *error = number_of(function, name, &out[i], entry);
    ctorch_value_release(entry);
    CTORCH_TRY(error);
  }
  return NULL;
}

ctorch_error *image_data_range(const char *function, struct data_range *out, const ctorch_value *value) {
  size_t len = 0;
  if (value == NULL || ctorch_value_kind_of(value) == CTORCH_VALUE_NONE) {
    return NULL;
  }
  CTORCH_TRY(image_numbers(function, "data_range", out->ends, &len, 2, value));
  if (len == 1) {
    return error_make(function, CTORCH_ERROR_VALUE, "data_range: expected a number or two ends, got one");
  }
  out->has_ends = len == 2;
  out->size = len == 2 ? out->ends[1] - out->ends[0] : out->ends[0];
  out->has_size = true;
  return NULL;
}

const ctorch_tensor *image_clamped(struct calculation *c, const struct data_range *range, const ctorch_tensor *image) {
  return range->has_ends ? calc_clamp(c, image, &range->ends[0], &range->ends[1]) : image;
}

ctorch_tensor *image_reduced(struct calculation *c, ctorch_tensor *values, enum image_reduction reduction) {
  return reduction == IMAGE_MEAN ? calc_mean(c, values) : reduction == IMAGE_SUM ? calc_sum(c, values) : values;
}
