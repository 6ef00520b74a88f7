/* Indexing: what Python writes between the brackets of x[...], to read and to assign.
 *
 * As text, with %d for the next integer and %t for the next tensor of the two lists behind it; or pushed together piece
 * by piece, as a binding does it. Integers, slices, None and ... give a view; tensors, masks and lists a copy. */
#include <ctorch.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

static ctorch_error *print_index(const ctorch_tensor *x, const char *text) {
  ctorch_tensor *y;
  CTORCH_TRY(ctorch_tensor_index_text(&y, x, text, CTORCH_DEFAULT_LIST, CTORCH_DEFAULT_LIST));
  printf("x[%s]\n", text);
  return ctorch_tensor_print(y, NULL);
}

static ctorch_error *read(const ctorch_tensor *x) {
  ctorch_tensor *mask, *y;
  const int64_t row = 1, end = 2;
  CTORCH_TRY(print_index(x, "1"));
  CTORCH_TRY(print_index(x, "-1, ::2"));
  CTORCH_TRY(print_index(x, "..., 0"));
  CTORCH_TRY(print_index(x, "None, 0, 1:3"));
  CTORCH_TRY(print_index(x, "[0, 2], [3, 0]"));
  CTORCH_TRY(ctorch_aten_gt_Scalar(&mask, x, CTORCH_INT(8)));
  CTORCH_TRY(ctorch_tensor_index_text(&y, x, "%t", CTORCH_DEFAULT_LIST, CTORCH_TENSORS(mask)));
  printf("x[x > 8]\n");
  CTORCH_TRY(ctorch_tensor_print(y, NULL));
  CTORCH_TRY(ctorch_tensor_index_text(&y, x, "%d:, :%d", CTORCH_INTS(row, end), CTORCH_DEFAULT_LIST));
  printf("x[%" PRId64 ":, :%" PRId64 "]\n", row, end);
  return ctorch_tensor_print(y, NULL);
}

static ctorch_error *assign(ctorch_tensor *x) {
  ctorch_tensor *mask, *view, *column;
  ctorch_index *index;
  CTORCH_TRY(ctorch_aten_lt_Scalar(&mask, x, CTORCH_INT(3)));
  CTORCH_TRY(ctorch_tensor_index_put_scalar_text(x, "%t", CTORCH_DEFAULT_LIST, CTORCH_TENSORS(mask), CTORCH_INT(-1)));
  printf("after x[x < 3] = -1\n");
  CTORCH_TRY(ctorch_tensor_print(x, NULL));

  CTORCH_TRY(ctorch_aten_arange(&column, CTORCH_INT(3), NULL, NULL, NULL, NULL));
  CTORCH_TRY(ctorch_index_new(&index)); /* x[:, -1], piece by piece */
  CTORCH_TRY(ctorch_index_push_slice(index, NULL, NULL, NULL));
  CTORCH_TRY(ctorch_index_push_int(index, -1));
  CTORCH_TRY(ctorch_tensor_index_put(x, index, column));
  printf("after x[:, -1] = arange(3)\n");
  CTORCH_TRY(ctorch_tensor_print(x, NULL));

  CTORCH_TRY(ctorch_tensor_index_text(&view, x, "0, :2", CTORCH_DEFAULT_LIST, CTORCH_DEFAULT_LIST));
  CTORCH_TRY(ctorch_aten_fill__Scalar(view, CTORCH_INT(100))); /* a view: x changes */
  printf("after x[0, :2].fill_(100)\n");
  return ctorch_tensor_print(x, NULL);
}

static ctorch_error *run(void) {
  ctorch_tensor *range, *x, *y;
  CTORCH_TRY(ctorch_aten_arange(&range, CTORCH_INT(12), NULL, NULL, NULL, NULL));
  CTORCH_TRY(ctorch_aten_view(&x, range, CTORCH_INTS(3, 4)));
  CTORCH_TRY(ctorch_tensor_print(x, NULL));
  CTORCH_TRY(read(x));
  CTORCH_TRY(assign(x));
  ctorch_error *error = ctorch_tensor_index_text(&y, x, "0, 4", CTORCH_DEFAULT_LIST, CTORCH_DEFAULT_LIST);
  printf("x[0, 4] fails: %s\n", ctorch_error_message(error));
  ctorch_error_release(error);
  return NULL;
}

int main(void) {
  ctorch_scope *scope = NULL;
  ctorch_error *error = ctorch_scope_begin(&scope);
  if (error == NULL) {
    error = run();
  }
  ctorch_scope_end(scope);
  return ctorch_error_finish(error);
}
