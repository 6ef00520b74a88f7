/* DLPack, the producer: a C library lends its memory, and ctorch computes on it without a copy.
 *
 * The structs are those of DLPack's own header (https://dmlc.github.io/dlpack); ctorch brings none. LibTorch ships a
 * copy, for those who have no other. */
#include <ctorch.h>
#include <stdio.h>
#include <stdlib.h>

#if __has_include(<dlpack/dlpack.h>)
#include <dlpack/dlpack.h>
#else
#include <ATen/dlpack.h>
#endif

/* What the library works with: a picture, and beside it what DLPack wants to know of it. */
typedef struct picture {
  DLManagedTensorVersioned managed;
  int64_t shape[2], strides[2];
  float *pixels;
} picture;

static void picture_delete(DLManagedTensorVersioned *self) {
  picture *p = self->manager_ctx;
  printf("the picture of %d x %d is deleted\n", (int)p->shape[0], (int)p->shape[1]);
  free(p->pixels);
  free(p);
}

static picture *picture_new(int64_t height, int64_t width) {
  picture *p = calloc(1, sizeof *p);
  float *pixels = calloc((size_t)(height * width), sizeof *pixels);
  if (p == NULL || pixels == NULL) {
    free(p);
    free(pixels);
    return NULL;
  }
  for (int64_t i = 0; i < height * width; i++) {
    pixels[i] = (float)i;
  }
  p->pixels = pixels;
  p->shape[0] = height, p->shape[1] = width;
  p->strides[0] = width, p->strides[1] = 1; /* counted in elements */
  p->managed.version = (DLPackVersion){DLPACK_MAJOR_VERSION, DLPACK_MINOR_VERSION};
  p->managed.manager_ctx = p;
  p->managed.deleter = picture_delete;
  p->managed.dl_tensor = (DLTensor){
      .data = pixels,
      .device = {kDLCPU, 0},
      .ndim = 2,
      .dtype = {kDLFloat, 32, 1},
      .shape = p->shape,
      .strides = p->strides,
  };
  return p;
}

static void print_pixels(const picture *p) {
  printf("pixels:");
  for (int64_t i = 0; i < p->shape[0] * p->shape[1]; i++) {
    printf(" %g", p->pixels[i]);
  }
  printf("\n");
}

/* Lend a picture: the tensor's memory is that of the picture, and the last tensor that shares it deletes the picture.
 */
static ctorch_error *lend(void) {
  picture *p = picture_new(2, 3);
  ctorch_tensor *x = NULL, *row = NULL;
  const void *data = NULL;
  ctorch_error *error = NULL;
  if (p == NULL) {
    ctorch_error *refusal = ctorch_error_new(&error, CTORCH_ERROR_OUT_OF_MEMORY, "no memory for a picture");
    return refusal != NULL ? refusal : error;
  }
  /* Consumed, also if it fails: `p` is ctorch's from here on, and there for as long as `x` or a view of it is. */
  CTORCH_TRY(ctorch_tensor_from_dlpack(&x, NULL, &p->managed));
  CTORCH_TRY_GOTO(error, ctorch_tensor_print(x, NULL), done);
  CTORCH_TRY_GOTO(error, ctorch_tensor_const_data(&data, x), done);
  printf("the same memory: %s\n", data == (const void *)p->pixels ? "true" : "false");
  CTORCH_TRY_GOTO(error, ctorch_aten_mul__Scalar(x, CTORCH_INT(2)), done);
  p->pixels[5] = -1;
  print_pixels(p);
  CTORCH_TRY_GOTO(error, ctorch_aten_select_int(&row, x, 0, 1), done);
  ctorch_tensor_release(x);
  x = NULL;
  printf("a row is left of it: ");
  error = ctorch_tensor_print(row, NULL);
done:
  ctorch_tensor_release(x);
  ctorch_tensor_release(row);
  return error;
}

/* A description that makes no sense is refused, and the deleter still runs. */
static ctorch_error *lend_nonsense(void) {
  picture *p = picture_new(1, 1);
  ctorch_tensor *x = NULL;
  if (p == NULL) {
    return NULL;
  }
  p->managed.dl_tensor.shape = NULL;
  ctorch_error *error = ctorch_tensor_from_dlpack(&x, NULL, &p->managed);
  printf("refused: %s\n", ctorch_error_kind_name(ctorch_error_kind_of(error)));
  ctorch_error_release(error);
  return NULL;
}

int main(void) {
  ctorch_error *error = lend();
  if (error == NULL) {
    error = lend_nonsense();
  }
  return ctorch_error_finish(error);
}
