/* Pictures as JPEG leaves them. The codec is that of ctorch_image_decode, which a build may lack. */
#include <ctorch.h>
#include <inttypes.h>
#include <stdlib.h>

#include "base/sequence.h"
#include "constructors/transforms.h"
#include "constructors/transforms_functional.h"
#include "core/c/error.h"
#include "transforms/picture.h"
#include "transforms/transform.h"

/* One picture (C, H, W). */
static ctorch_error *compress_one(
    const char *function, ctorch_tensor **out, const ctorch_tensor *image, int64_t quality) {
  ctorch_writer *bytes = NULL;
  CTORCH_TRY(ctorch_writer_new(&bytes));
  ctorch_error *error = ctorch_image_encode_jpeg(bytes, image, quality);
  THEN(error, ctorch_writer_finish(bytes));
  THEN(
      error, ctorch_image_decode_data(
                 out, ctorch_writer_data(bytes), ctorch_writer_nbytes(bytes), CTORCH_IMAGE_MODE_UNCHANGED,
                 CTORCH_IMAGE_ANY_SIZE, 0));
  ctorch_writer_release(bytes);
  return error_of(function, error);
}

/* The pictures of a batch (N, …), one after another, in `made`, which has room for them. */
static ctorch_error *compress_each(
    const char *function, ctorch_tensor **made, const ctorch_tensor *batch, int64_t quality) {
  ctorch_error *error = NULL;
  for (int64_t i = 0; error == NULL && i < ctorch_tensor_sizes(batch)[0]; i++) {
    ctorch_tensor *one = NULL;
    error = ctorch_aten_select_int(&one, batch, 0, i);
    THEN(error, compress_one(function, &made[i], one, quality));
    ctorch_tensor_release(one);
  }
  return error;
}

static ctorch_error *compress_batch(
    const char *function, ctorch_tensor **out, const ctorch_tensor *batch, int64_t quality) {
  size_t len = (size_t)ctorch_tensor_sizes(batch)[0];
  ctorch_tensor **made = calloc(len, sizeof *made);
  if (made == NULL) {
    return error_memory(function, len * sizeof *made);
  }
  ctorch_error *error = compress_each(function, made, batch, quality);
  THEN(error, ctorch_aten_stack(out, ctorch_const_tensors(made), len, 0));
  error = picture_end(made, len, error);
  free(made);
  return error;
}

/* A view (N, C, H, W), of fewer dimensions (1, …). */
static ctorch_error *batch_of(ctorch_tensor **out, const ctorch_tensor *image) {
  size_t ndim = (size_t)ctorch_tensor_ndim(image), kept = ndim < 3 ? ndim : 3;
  int64_t sizes[4] = {-1};
  for (size_t i = 0; i < kept; i++) {
    sizes[1 + i] = ctorch_tensor_sizes(image)[ndim - kept + i];
  }
  return ctorch_aten_view(out, image, sizes, 1 + kept);
}

static ctorch_error *compress(const char *function, ctorch_tensor **out, const ctorch_tensor *image, int64_t quality) {
  enum { BATCH, MADE, TENSORS };
  ctorch_tensor *t[TENSORS] = {NULL};
  size_t ndim = (size_t)ctorch_tensor_ndim(image);
  ctorch_error *error = batch_of(&t[BATCH], image);
  if (error == NULL && ctorch_tensor_sizes(t[BATCH])[0] == 0) {
    error = ctorch_aten_clone(out, image, NULL);
  } else {
    THEN(error, compress_batch(function, &t[MADE], t[BATCH], quality));
    THEN(error, ctorch_aten_reshape(out, t[MADE], ctorch_tensor_sizes(image), ndim));
  }
  return picture_end(t, TENSORS, error);
}

ctorch_error *transforms_functional_jpeg(
    const char *function, ctorch_tensor **out, const struct transforms_functional_jpeg_options *options) {
  const ctorch_tensor *image = options->image;
  ctorch_tensor *made = NULL;
  if ((TRANSFORM_PICTURES & 1U << ctorch_tv_tensor_kind_of(image)) == 0) {
    return functional_refuses(function, image, TRANSFORM_PICTURES);
  }
  ctorch_error *error = compress(function, &made, image, options->quality);
  return tv_tensor_give(function, out, made, tv_tensor_of(image), error);
}

/* The transform. */

struct jpeg {
  ctorch_transform transform;
  int64_t quality[2];
  bool is_range; /* given as two numbers */
};

static ctorch_error *draw(
    const ctorch_transform *self, struct transform_call *call, void *drawn, const struct transform_inputs *inputs) {
  const int64_t *quality = ((const struct jpeg *)self)->quality;
  (void)inputs;
  return draw_randint(call, drawn, quality[0], quality[1] + 1);
}

static ctorch_error *apply(
    const ctorch_transform *self,
    struct transform_call *call,
    ctorch_tensor **out,
    const ctorch_tensor *input,
    const void *drawn) {
  (void)self;
  return transforms_functional_jpeg(
      call->function, out,
      &(const struct transforms_functional_jpeg_options){.image = input, .quality = *(const int64_t *)drawn});
}

static void extra_repr(const ctorch_transform *self, struct text *text) {
  const struct jpeg *jpeg = (const struct jpeg *)self;
  transform_repr_ints(text, "quality", jpeg->is_range ? "(" : "[", jpeg->quality, 2);
}

ctorch_error *transforms_JPEG(
    const char *function, ctorch_transform **out, const struct transforms_JPEG_options *options) {
  static const transform_class class = {
      .object = TRANSFORM_OBJECT(struct jpeg),
      .name = "JPEG",
      .kernels = TRANSFORM_PICTURES,
      .drawn_size = sizeof(int64_t),
      .draw = draw,
      .apply = apply,
      .extra_repr = extra_repr};
  size_t len = options->quality_len;
  if (len != 1 && len != 2) {
    return error_make(function, CTORCH_ERROR_VALUE, "quality should be a sequence of length 2, got %zu numbers", len);
  }
  int64_t least = options->quality[0], most = options->quality[len - 1];
  if (!(1 <= least && least <= most && most <= 100)) {
    return error_make(
        function, CTORCH_ERROR_VALUE,
        "quality must be an integer from 1 to 100, or two that increase, got [%" PRId64 ", %" PRId64 "]", least, most);
  }
  struct jpeg *self = transform_new(&class);
  if (self != NULL) {
    self->quality[0] = least;
    self->quality[1] = most;
    self->is_range = len == 2;
  }
  return transform_give(function, out, (ctorch_transform *)self, NULL);
}
