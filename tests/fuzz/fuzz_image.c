/* Images. An input is the file. What is read of it from memory and through a callback has to be the same, and each mode
 * gives the channels that it says, of an image of one size. */
#include <stdlib.h>

#include "fuzz/fuzz.h"

static ctorch_callback_status read_part(void *data, size_t nbytes, size_t offset, ctorch_error **error, void *payload) {
  const fuzz_input *file = payload;
  (void)error;
  fuzz_assert(nbytes > 0 && offset < file->len && nbytes <= file->len - offset);
  memcpy(data, file->data + offset, nbytes);
  return CTORCH_CALLBACK_OK;
}

static void check_same(const ctorch_tensor *a, const ctorch_tensor *b) {
  bool same = false;
  fuzz_assert(ctorch_tensor_dtype(a) == ctorch_tensor_dtype(b));
  fuzz_must(ctorch_aten_equal(&same, a, b));
  fuzz_assert(same);
}

/* Modes are numbers of channels. */
static void check_mode(const fuzz_input *input, const ctorch_tensor *whole, ctorch_image_mode mode) {
  ctorch_tensor *image;
  if (!fuzz_ok(&image, ctorch_image_decode_data(&image, input->data, input->len, mode, 0, 0))) {
    return; /* memory may be short */
  }
  const int64_t *sizes = ctorch_tensor_sizes(image);
  fuzz_assert(ctorch_tensor_ndim(image) == 3 && sizes[0] == mode);
  fuzz_assert(sizes[1] == ctorch_tensor_sizes(whole)[1] && sizes[2] == ctorch_tensor_sizes(whole)[2]);
  fuzz_release(ctorch_tensor, image);
}

static void image_input(fuzz_input *input) {
  ctorch_reader *callback;
  ctorch_tensor *image, *again, *small;
  const ctorch_image_flags flags = CTORCH_IMAGE_APPLY_EXIF_ORIENTATION | CTORCH_IMAGE_UINT16;
  fuzz_must(ctorch_reader_from_callback(&callback, input->len, read_part, NULL, input));
  if (fuzz_ok(&image, ctorch_image_decode_data(&image, input->data, input->len, 0, 0, 0))) {
    if (fuzz_ok(&again, ctorch_image_decode(&again, callback, 0, 0, 8))) {
      check_same(image, again);
      fuzz_release(ctorch_tensor, again);
    }
    for (ctorch_image_mode mode = CTORCH_IMAGE_MODE_GRAY; mode <= CTORCH_IMAGE_MODE_RGB_ALPHA; mode++) {
      check_mode(input, image, mode);
    }
    fuzz_release(ctorch_tensor, image);
  }
  if (fuzz_ok(&small, ctorch_image_decode(&small, callback, CTORCH_IMAGE_MODE_RGB, flags, 1))) {
    fuzz_release(ctorch_tensor, small);
  }
  fuzz_release(ctorch_reader, callback);
}

FUZZ_TARGET(image_input)
