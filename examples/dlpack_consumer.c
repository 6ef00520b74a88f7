/* DLPack, the consumer: a C library that knows nothing of PyTorch reads and writes a tensor's memory.
 *
 * Two ways: take the tensor over and keep it for as long as one likes, or look at it for the time of one call. */
#include <ctorch.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#if __has_include(<dlpack/dlpack.h>)
#include <dlpack/dlpack.h>
#else
#include <ATen/dlpack.h> /* LibTorch's copy of it */
#endif

/* The library: it knows DLTensor, and nothing else. */

static float *element(const DLTensor *x, int64_t row, int64_t column) {
  float *data = (float *)((char *)x->data + x->byte_offset);
  return &data[row * x->strides[0] + column * x->strides[1]];
}

static bool is_float_matrix(const DLTensor *x) {
  return x->device.device_type == kDLCPU && x->ndim == 2 && x->dtype.code == kDLFloat && x->dtype.bits == 32 &&
         x->dtype.lanes == 1;
}

static float trace(const DLTensor *x) {
  float sum = 0;
  for (int64_t i = 0; i < x->shape[0] && i < x->shape[1]; i++) {
    sum += *element(x, i, i);
  }
  return sum;
}

static void negate_row(const DLTensor *x, int64_t row) {
  for (int64_t column = 0; column < x->shape[1]; column++) {
    *element(x, row, column) *= -1;
  }
}

/* The program. */

/* Take a tensor over: it stays until the deleter is called, whatever becomes of the handle. */
static ctorch_error *keep(ctorch_tensor *x) {
  DLManagedTensorVersioned *managed = NULL;
  ctorch_tensor *transposed;
  CTORCH_TRY(ctorch_aten_t(&transposed, x));
  CTORCH_TRY(ctorch_tensor_to_dlpack(&managed, transposed, NULL, NULL, NULL, false));
  ctorch_tensor_release(transposed); /* the library's reference is enough */
  const DLTensor *y = &managed->dl_tensor;
  printf(
      "DLPack %u, %" PRId64 " x %" PRId64 ", strides %" PRId64 " %" PRId64 ", read-only: %s\n",
      (unsigned)managed->version.major, y->shape[0], y->shape[1], y->strides[0], y->strides[1],
      (managed->flags & DLPACK_FLAG_BITMASK_READ_ONLY) != 0 ? "true" : "false");
  if (is_float_matrix(y)) {
    printf("trace %g\n", trace(y));
    negate_row(y, 0); /* of the transposed: the first column of x */
  }
  managed->deleter(managed);
  return ctorch_tensor_print(x, NULL);
}

/* Look at a tensor for one call: no allocation, nothing to give back. */
static ctorch_error *look(ctorch_tensor *x) {
  DLTensor view;
  CTORCH_TRY(ctorch_tensor_to_dltensor(&view, x, true));
  printf("trace %g\n", is_float_matrix(&view) ? trace(&view) : 0);
  return NULL;
}

/* What DLPack cannot say is refused, as in Python: a gradient would be lost. */
static ctorch_error *refuse(ctorch_tensor *x) {
  DLManagedTensorVersioned *managed = NULL;
  CTORCH_TRY(ctorch_tensor_set_requires_grad(x, true));
  ctorch_error *error = ctorch_tensor_to_dlpack(&managed, x, NULL, NULL, NULL, false);
  printf("%s: %s\n", ctorch_error_kind_name(ctorch_error_kind_of(error)), ctorch_error_message(error));
  ctorch_error_release(error);
  return NULL;
}

static void destroy(void *payload) {
  (void)payload;
  printf("nobody uses the memory any more\n");
}

static ctorch_error *run(void) {
  static float numbers[2][3] = {{1, 2, 3}, {4, 5, 6}};
  ctorch_tensor *x;
  CTORCH_TRY(ctorch_tensor_from_buffer(&x, numbers, CTORCH_INTS(2, 3), NULL, 0, CTORCH_DTYPE_FLOAT32, destroy, NULL));
  CTORCH_TRY(keep(x));
  CTORCH_TRY(look(x));
  return refuse(x);
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
