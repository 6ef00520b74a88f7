/* WAV files from C: written and read, and what a failure leaves. Samples are compared with Python: tests/datasets. */
#include "harness/values.h"

START_TEST(a_sound_that_is_written_is_read) {
  ctorch_tensor *sound = floats(CTORCH_INTS(2, 3), 1, -1, 0, 0.5F, 0.25F, 2), *again = NULL;
  ctorch_writer *writer = NULL;
  ctorch_reader *reader = NULL;
  int64_t rate = 0;
  ck_ok(ctorch_writer_new(&writer));
  ck_ok(ctorch_wav_write(writer, sound, 8000));
  ck_ok(ctorch_reader_from_data(&reader, ctorch_writer_data(writer), ctorch_writer_nbytes(writer), NULL, NULL));
  ck_ok(ctorch_wav_read(&again, &rate, reader, 0, -1, true));
  ck_assert_int_eq(rate, 8000);
  ck_floats(again, CTORCH_INTS(2, 3), 1, -1, 0, 0.5F, 0.25F, 2);
  ctorch_tensor_release(again);
  ck_ok(ctorch_wav_read(&again, NULL, reader, 1, 1, true));
  ck_floats(again, CTORCH_INTS(2, 1), -1, 0.25F);
  ctorch_tensor_release(again);
  ctorch_reader_release(reader);
  ctorch_writer_release(writer);
  ctorch_tensor_release(sound);
}
END_TEST

START_TEST(a_failure_leaves_outputs_and_handles_alone) {
  ctorch_tensor *const before = (ctorch_tensor *)(uintptr_t)8;
  ctorch_tensor *sound = before;
  ctorch_reader *reader = NULL;
  int64_t rate = 5;
  ck_ok(ctorch_reader_from_data(&reader, "RIFF....WAVE", 12, NULL, NULL));
  const int64_t live = ctorch_debug_live_handles();
  ck_call_fails(ctorch_wav_read, (&sound, &rate, reader, 0, -1, true), CTORCH_ERROR_FORMAT, "data: ends early");
  ck_call_fails(ctorch_wav_read, (&sound, &rate, reader, 0, 0, true), CTORCH_ERROR_VALUE, "num_frames");
  ck_call_fails(ctorch_wav_read, (&sound, &rate, NULL, 0, -1, true), CTORCH_ERROR_NULL_ARGUMENT, "reader");
  ck_call_fails(ctorch_wav_read_file, (&sound, &rate, "/no/file", 0, -1, true), CTORCH_ERROR_IO, "/no/file");
  ck_call_fails(ctorch_wav_write, (NULL, NULL, 1), CTORCH_ERROR_NULL_ARGUMENT, "writer");
  ck_assert(sound == before && rate == 5);
  ck_assert_int_eq(ctorch_debug_live_handles(), live);
  ctorch_reader_release(reader);
}
END_TEST

int main(void) {
  Suite *suite = suite_create("wav");
  ck_case(suite, a_sound_that_is_written_is_read);
  ck_case(suite, a_failure_leaves_outputs_and_handles_alone);
  return ck_main(suite);
}
