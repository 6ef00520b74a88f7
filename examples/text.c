/* Text files as tensors of bytes, parts of them, and what is drawn by scores. */
#include "text.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

ctorch_error *text_read(ctorch_tensor **out, const char *path) {
  static int64_t text[1 << 20];
  size_t len = 0;
  FILE *file = fopen(path, "rb");
  if (file == NULL) {
    return ctorch_error_format(CTORCH_ERROR_IO, "%s: %s", path, strerror(errno));
  }
  for (int byte; len < sizeof text / sizeof *text && (byte = getc(file)) != EOF;) {
    text[len++] = byte;
  }
  fclose(file);
  return ctorch_tensor_from_data(out, text, len * sizeof *text, CTORCH_INTS((int64_t)len), CTORCH_DTYPE_INT64);
}

ctorch_error *text_sample(ctorch_tensor **out, const ctorch_tensor *text, int64_t rows, int64_t len) {
  ctorch_tensor *places, *offsets;
  CTORCH_TRY(ctorch_randint(&places, ctorch_tensor_numel(text) - len + 1, CTORCH_INTS(rows, 1)));
  CTORCH_TRY(ctorch_arange(&offsets, CTORCH_INT(len)));
  CTORCH_REPLACE(&places, ctorch_add_Tensor(&places, places, offsets));
  return ctorch_aten_take(out, text, places);
}

ctorch_error *text_draw(ctorch_tensor **out, const ctorch_tensor *scores, double temperature, int64_t top_k) {
  ctorch_tensor *x, *best, *places, *least, *worse;
  CTORCH_TRY(ctorch_aten_div_Scalar(&x, scores, CTORCH_FLOAT(temperature)));
  CTORCH_TRY(ctorch_topk(&best, &places, x, top_k));
  CTORCH_TRY(ctorch_aten_narrow(&least, best, 1, top_k - 1, 1));
  CTORCH_TRY(ctorch_aten_lt_Tensor(&worse, x, least));
  CTORCH_REPLACE(&x, ctorch_aten_masked_fill_Scalar(&x, x, worse, CTORCH_FLOAT(-INFINITY)));
  CTORCH_REPLACE(&x, ctorch_softmax_int(&x, x, -1));
  return ctorch_multinomial(out, x, 1);
}
