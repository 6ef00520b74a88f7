/* Rows of arrays in C: the tensor of the whole array shares its memory. */
#include "rows.h"

ctorch_error *rows_of(
    ctorch_tensor **out, void *data, int64_t len, int64_t width, ctorch_dtype dtype, const ctorch_tensor *places) {
  ctorch_tensor *all;
  CTORCH_TRY(ctorch_tensor_from_buffer(&all, data, CTORCH_INTS(len, width), NULL, 0, dtype, NULL, NULL));
  return ctorch_aten_index_select(out, all, 0, places);
}
