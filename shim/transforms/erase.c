/* Rectangles of pictures that become something else. */
#include "transforms/erase.h"

#include "core/c/error.h"
#include "core/c/tensor.h"

/* Where a slice ends, which Python's integers do not overflow. */
static int64_t end_of(int64_t start, int64_t len) {
  int64_t end = 0;
  return !__builtin_add_overflow(start, len, &end) ? end : len > 0 ? INT64_MAX : INT64_MIN;
}

static ctorch_error *assign(ctorch_tensor *image, const struct rectangle *place, const ctorch_tensor *value) {
  const int64_t ends[] = {
      place->top, end_of(place->top, place->height), place->left, end_of(place->left, place->width)};
  ctorch_index *index = NULL;
  CTORCH_TRY(ctorch_index_from_text(&index, "..., %d:%d, %d:%d", ends, 4, CTORCH_DEFAULT_LIST));
  ctorch_error *error = ctorch_tensor_index_put(image, index, value);
  ctorch_index_release(index);
  return error;
}

ctorch_error *erase_rectangle(
    const char *function,
    ctorch_tensor **out,
    const ctorch_tensor *image,
    const struct rectangle *place,
    const ctorch_tensor *value,
    bool inplace) {
  if (inplace) {
    CTORCH_TRY(assign((ctorch_tensor *)image, place, value));
    return tensor_give(function, out, image);
  }
  ctorch_tensor *made = NULL;
  CTORCH_TRY(ctorch_aten_clone(&made, image, NULL));
  ctorch_error *error = assign(made, place, value);
  if (error != NULL) {
    ctorch_tensor_release(made);
    return error;
  }
  *out = made;
  return NULL;
}
