/* Images from C: formats, who owns what, and what a failure leaves. Pixels are compared with Python: tests/datasets. */
#include "harness/values.h"

static const unsigned char PGM[] = "P5 3 2 255\n\1\2\3\4\5\6";
enum { PGM_NBYTES = sizeof PGM - 1 };

static ctorch_tensor *decoded(const void *data, size_t nbytes, ctorch_image_mode mode) {
  ctorch_tensor *image = NULL;
  ck_ok(ctorch_image_decode_data(&image, data, nbytes, mode, 0, 0));
  return image;
}

START_TEST(a_pgm_is_its_samples) {
  ctorch_tensor *image = decoded(PGM, PGM_NBYTES, CTORCH_IMAGE_MODE_UNCHANGED), *floats = NULL;
  ck_assert_int_eq(ctorch_tensor_dtype(image), CTORCH_DTYPE_UINT8);
  ck_ok(ctorch_tensor_to(&floats, image, CTORCH_SOME(ctorch_dtype, CTORCH_DTYPE_FLOAT32), NULL, false, false, NULL));
  ck_floats(floats, CTORCH_INTS(1, 2, 3), 1, 2, 3, 4, 5, 6);
  ctorch_tensor_release(floats);
  ctorch_tensor_release(image);
}
END_TEST

START_TEST(the_samples_of_a_pixel_lie_side_by_side) {
  ctorch_tensor *image = decoded(PGM, PGM_NBYTES, CTORCH_IMAGE_MODE_RGB);
  const int64_t *strides = ctorch_tensor_strides(image);
  ck_assert(strides[0] == 1 && strides[1] == 9 && strides[2] == 3);
  ctorch_tensor_release(image);
}
END_TEST

/* What is written without loss is read again, from memory and from a file. */
START_TEST(a_png_that_is_written_is_read) {
  if (!ctorch_image_supports("png")) {
    return;
  }
  ctorch_tensor *image = decoded(PGM, PGM_NBYTES, CTORCH_IMAGE_MODE_RGB_ALPHA), *again = NULL;
  ctorch_writer *writer = NULL;
  ctorch_reader *reader = NULL;
  bool same = false;
  ck_ok(ctorch_writer_new(&writer));
  ck_ok(ctorch_image_encode_png(writer, image, 6));
  ck_ok(ctorch_reader_from_data(&reader, ctorch_writer_data(writer), ctorch_writer_nbytes(writer), NULL, NULL));
  ck_ok(ctorch_image_decode(&again, reader, CTORCH_IMAGE_MODE_UNCHANGED, 0, 0));
  ck_ok(ctorch_aten_equal(&same, image, again));
  ck_assert(same);
  ctorch_tensor_release(again);
  ctorch_reader_release(reader);
  ctorch_writer_release(writer);
  ctorch_tensor_release(image);
}
END_TEST

START_TEST(a_jpeg_of_one_colour_keeps_it) {
  if (!ctorch_image_supports("jpeg")) {
    return;
  }
  const int64_t sizes[] = {3, 16, 24};
  const ctorch_dtype uint8 = CTORCH_DTYPE_UINT8;
  ctorch_tensor *image = NULL, *again = NULL;
  ctorch_writer *writer = NULL;
  bool same = false;
  ck_ok(ctorch_aten_full(&image, sizes, 3, CTORCH_INT(128), &uint8, NULL, NULL, NULL));
  ck_ok(ctorch_writer_new(&writer));
  ck_ok(ctorch_image_encode_jpeg(writer, image, 90));
  again = decoded(ctorch_writer_data(writer), ctorch_writer_nbytes(writer), CTORCH_IMAGE_MODE_RGB);
  ck_ok(ctorch_aten_equal(&same, image, again));
  ck_assert(same);
  ctorch_tensor_release(again);
  ctorch_writer_release(writer);
  ctorch_tensor_release(image);
}
END_TEST

START_TEST(a_failure_leaves_outputs_and_handles_alone) {
  ctorch_tensor *const before = (ctorch_tensor *)(uintptr_t)8;
  ctorch_tensor *image = before;
  const int64_t live = ctorch_debug_live_handles();
  ck_call_fails(
      ctorch_image_decode_data, (&image, PGM, PGM_NBYTES - 1, 0, 0, 0), CTORCH_ERROR_FORMAT, "data: pnm: ends early");
  ck_call_fails(ctorch_image_decode_data, (&image, "GIF89a", 6, 0, 0, 0), CTORCH_ERROR_FORMAT, "is no PNG");
  ck_call_fails(ctorch_image_decode_data, (&image, PGM, PGM_NBYTES, 9, 0, 0), CTORCH_ERROR_INVALID_ARGUMENT, "mode");
  ck_call_fails(ctorch_image_decode_file, (&image, "/no/such/file", 0, 0, 0), CTORCH_ERROR_IO, "/no/such/file");
  ck_assert_ptr_eq(image, before);
  ck_assert_int_eq(ctorch_debug_live_handles(), live);
}
END_TEST

START_TEST(nulls_are_refused) {
  ctorch_tensor *image = decoded(PGM, PGM_NBYTES, CTORCH_IMAGE_MODE_GRAY);
  ctorch_writer *writer = NULL;
  ck_ok(ctorch_writer_new(&writer));
  ck_call_fails(ctorch_image_decode_data, (NULL, PGM, 1, 0, 0, 0), CTORCH_ERROR_NULL_ARGUMENT, "out");
  ck_call_fails(ctorch_image_decode, (&image, NULL, 0, 0, 0), CTORCH_ERROR_NULL_ARGUMENT, "reader");
  ck_call_fails(ctorch_image_decode_file, (&image, NULL, 0, 0, 0), CTORCH_ERROR_NULL_ARGUMENT, "path");
  ck_call_fails(ctorch_image_encode_png, (NULL, image, 1), CTORCH_ERROR_NULL_ARGUMENT, "writer");
  ck_call_fails(ctorch_image_encode_png, (writer, NULL, 1), CTORCH_ERROR_NULL_ARGUMENT, "image");
  ck_call_fails(ctorch_image_encode_jpeg, (NULL, image, 1), CTORCH_ERROR_NULL_ARGUMENT, "writer");
  ck_call_fails(ctorch_image_encode_jpeg_file, (image, 1, NULL), CTORCH_ERROR_NULL_ARGUMENT, "path");
  ctorch_writer_release(writer);
  ctorch_tensor_release(image);
}
END_TEST

int main(void) {
  Suite *suite = suite_create("image");
  ck_case(suite, a_pgm_is_its_samples);
  ck_case(suite, the_samples_of_a_pixel_lie_side_by_side);
  ck_case(suite, a_png_that_is_written_is_read);
  ck_case(suite, a_jpeg_of_one_colour_keeps_it);
  ck_case(suite, a_failure_leaves_outputs_and_handles_alone);
  ck_case(suite, nulls_are_refused);
  return ck_main(suite);
}
