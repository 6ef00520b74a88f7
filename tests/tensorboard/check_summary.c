/* Summaries from C: what is written is read, what a failure leaves, and that no handle is left. Messages are compared with
 * Python: tests/tensorboard. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "harness/values.h"

static char folder[64];

static void begin(void) {
  strcpy(folder, "/tmp/check_summary_XXXXXX");
  ck_assert_ptr_nonnull(mkdtemp(folder));
}

/* The folder's one file, and then the folder. */
static void end(const ctorch_summary_writer *writer) {
  ctorch_string *path = NULL;
  ck_ok(ctorch_summary_writer_path(&path, writer));
  ck_assert_int_eq(unlink(ctorch_string_data(path)), 0);
  ctorch_string_release(path);
  ck_assert_int_eq(rmdir(folder), 0);
}

static ctorch_summary_writer *opened(void) {
  ctorch_summary_writer *writer = NULL;
  begin();
  ck_ok(ctorch_summary_writer_open(&writer, folder, NULL, CTORCH_SOME(int64_t, 3), 10, 120, ".test"));
  ck_assert_str_eq(ctorch_summary_writer_log_dir(writer), folder);
  return writer;
}

static void ck_next(ctorch_summary_reader *reader, ctorch_summary_kind kind, const char *tag, int64_t step) {
  bool is_there = false;
  ck_ok(ctorch_summary_reader_next(&is_there, reader));
  ck_assert(is_there);
  ck_assert_int_eq(ctorch_summary_reader_kind(reader), kind);
  ck_assert_str_eq(ctorch_summary_reader_tag(reader), tag);
  ck_assert_int_eq(ctorch_summary_reader_step(reader), step);
}

static void ck_nothing(ctorch_summary_reader *reader) {
  bool is_there = true;
  ck_ok(ctorch_summary_reader_next(&is_there, reader));
  ck_assert(!is_there);
  ck_assert_int_eq(ctorch_summary_reader_kind(reader), CTORCH_SUMMARY_KIND_NONE);
}

START_TEST(what_is_written_is_read) {
  ctorch_summary_writer *writer = opened();
  ctorch_summary_reader *reader = NULL;
  ctorch_tensor *values = floats(CTORCH_INTS(2, 2), 1, 2, 3, 4), *again = NULL;
  double low = 0, high = 0, num = 0, sum = 0, squares = 0;
  const double wall = 12.5;
  ck_ok(ctorch_summary_writer_add_scalar(writer, "loss", 0.25, 4, &wall, false, false));
  ck_ok(ctorch_summary_writer_add_scalar(writer, "exact", 0.1, 5, &wall, true, true));
  ck_ok(ctorch_summary_writer_add_text(writer, "note", "hello", 6, &wall));
  ck_ok(ctorch_summary_writer_add_tensor(writer, "x", values, 7, &wall));
  ck_ok(ctorch_summary_writer_add_histogram(writer, "h", values, 8, "2", &wall, 0));
  ck_ok(ctorch_summary_writer_flush(writer));
  ck_ok(ctorch_summary_reader_open(&reader, folder));
  ck_next(reader, CTORCH_SUMMARY_KIND_VERSION, "", 0);
  ck_next(reader, CTORCH_SUMMARY_KIND_VERSION, "", 3);
  ck_next(reader, CTORCH_SUMMARY_KIND_SESSION, "", 3);
  ck_next(reader, CTORCH_SUMMARY_KIND_SCALAR, "loss", 4);
  ck_assert_double_eq(ctorch_summary_reader_scalar(reader), 0.25);
  ck_assert_double_eq(ctorch_summary_reader_wall_time(reader), 12.5);
  ck_next(reader, CTORCH_SUMMARY_KIND_SCALAR, "exact", 5);
  ck_assert_double_eq(ctorch_summary_reader_scalar(reader), 0.1);
  ck_next(reader, CTORCH_SUMMARY_KIND_TEXT, "note/text_summary", 6);
  ck_assert_str_eq(ctorch_summary_reader_text(reader), "hello");
  ck_next(reader, CTORCH_SUMMARY_KIND_TENSOR, "x", 7);
  ck_assert_str_eq(ctorch_summary_reader_plugin(reader), "tensor");
  ck_ok(ctorch_summary_reader_tensor(&again, reader));
  ck_floats(again, CTORCH_INTS(2, 2), 1, 2, 3, 4);
  ck_next(reader, CTORCH_SUMMARY_KIND_HISTOGRAM, "h", 8);
  ck_ok(ctorch_summary_reader_histogram(&low, &high, &num, &sum, &squares, reader));
  ck_assert(low == 1 && high == 4 && num == 4 && sum == 10 && squares == 30);
  ctorch_tensor *limits = NULL, *counts = NULL;
  ck_ok(ctorch_summary_reader_bins(&limits, &counts, reader));
  ck_doubles(limits, CTORCH_INTS(3), 1, 2.5, 4);
  ck_doubles(counts, CTORCH_INTS(3), 0, 2, 2);
  ctorch_tensor_release(limits);
  ctorch_tensor_release(counts);
  ck_nothing(reader);
  ck_ok(ctorch_summary_writer_add_scalar(writer, "late", 1, 9, NULL, false, false));
  ck_nothing(reader);
  ck_ok(ctorch_summary_writer_finish(writer));
  ck_next(reader, CTORCH_SUMMARY_KIND_SCALAR, "late", 9);
  ck_nothing(reader);
  ctorch_summary_reader_release(reader);
  ctorch_tensor_release(again);
  ctorch_tensor_release(values);
  end(writer);
  ctorch_summary_writer_release(writer);
}
END_TEST

START_TEST(images_and_sounds_are_files_of_their_own) {
  ctorch_summary_writer *writer = opened();
  ctorch_summary_reader *reader = NULL;
  ctorch_tensor *image = floats(CTORCH_INTS(1, 2, 2), 0, 1, 0.5F, 0), *sound = floats(CTORCH_INTS(4), 0, 1, -1, 2);
  const char *data = NULL;
  size_t len = 0;
  ck_ok(ctorch_summary_writer_add_image(writer, "i", image, 1, NULL, NULL));
  ck_ok(ctorch_summary_writer_add_audio(writer, "s", sound, 2, 8000, NULL));
  ck_ok(ctorch_summary_writer_finish(writer));
  ck_ok(ctorch_summary_reader_open(&reader, folder));
  for (int i = 0; i < 3; i++) {
    bool is_there = false;
    ck_ok(ctorch_summary_reader_next(&is_there, reader));
  }
  ck_next(reader, CTORCH_SUMMARY_KIND_IMAGE, "i", 1);
  ck_ok(ctorch_summary_reader_data(&data, &len, reader));
  ck_assert(len > 8 && memcmp(data, "\x89PNG", 4) == 0);
  ck_next(reader, CTORCH_SUMMARY_KIND_AUDIO, "s", 2);
  ck_ok(ctorch_summary_reader_data(&data, &len, reader));
  ck_assert(len == 52 && memcmp(data, "RIFF", 4) == 0);
  ck_assert(memcmp(data + 44, "\0\0\xff\x7f\x01\x80\xff\x7f", 8) == 0);
  ctorch_summary_reader_release(reader);
  ctorch_tensor_release(sound);
  ctorch_tensor_release(image);
  end(writer);
  ctorch_summary_writer_release(writer);
}
END_TEST

START_TEST(a_failure_leaves_outputs_and_handles_alone) {
  ctorch_summary_writer *writer = opened(), *other = (ctorch_summary_writer *)(uintptr_t)8;
  ctorch_summary_reader *reader = (ctorch_summary_reader *)(uintptr_t)8;
  ctorch_value *number = NULL, *empty = NULL;
  ctorch_tensor *complex = NULL;
  ck_ok(ctorch_value_from_int(&number, 1));
  ck_ok(ctorch_value_from_dict(&empty, NULL, 0, NULL, 0));
  const int64_t live = ctorch_debug_live_handles();
  ck_call_fails(
      ctorch_summary_writer_open, (&other, "/proc/no/folder", NULL, NULL, 10, 1, NULL), CTORCH_ERROR_IO, "/proc/no");
  ck_call_fails(ctorch_summary_writer_open_file, (&other, "/proc/no/file", 10, 1), CTORCH_ERROR_IO, "/proc/no/file");
  ck_call_fails(ctorch_summary_writer_open_file, (&other, "/dev/null", 10, 1), CTORCH_ERROR_IO, "/dev/null");
  ck_call_fails(ctorch_summary_reader_open, (&reader, "/no/file"), CTORCH_ERROR_IO, "/no/file");
  ck_call_fails(
      ctorch_summary_writer_add_hparams, (writer, number, number, NULL, NULL, 0, NULL), CTORCH_ERROR_TYPE,
      "hparam_dict");
  ck_call_fails(ctorch_summary_writer_add_custom_scalars, (writer, number, NULL), CTORCH_ERROR_VALUE, "layout");
  ck_call_fails(
      ctorch_summary_writer_add_tensor, (writer, "x", complex, 0, NULL), CTORCH_ERROR_NULL_ARGUMENT, "tensor");
  ck_call_fails(ctorch_summary_writer_set_rotation, (writer, -1, 0), CTORCH_ERROR_INVALID_ARGUMENT, "max_bytes");
  ck_assert(other == (ctorch_summary_writer *)(uintptr_t)8 && reader == (ctorch_summary_reader *)(uintptr_t)8);
  ck_assert_int_eq(ctorch_debug_live_handles(), live);
  ctorch_value_release(number);
  ctorch_value_release(empty);
  end(writer);
  ctorch_summary_writer_release(writer);
}
END_TEST

START_TEST(scopes_end_writers_and_readers) {
  ctorch_scope *scope = NULL;
  ctorch_summary_reader *reader = NULL;
  ctorch_logger *logger = NULL;
  const int64_t live = ctorch_debug_live_handles();
  const char *const names[] = {"a", "b"};
  const double values[] = {1, 2};
  ck_ok(ctorch_scope_begin(&scope));
  ctorch_summary_writer *writer = opened();
  ck_ok(ctorch_logger_from_summary_writer(&logger, writer));
  ck_ok(ctorch_logger_log(logger, names, 2, values, 2, 3, NULL));
  ck_ok(ctorch_logger_flush(logger));
  ck_ok(ctorch_summary_reader_open(&reader, folder));
  end(writer);
  ctorch_scope_end(scope);
  ck_assert_int_eq(ctorch_debug_live_handles(), live);
}
END_TEST

START_TEST(lines_are_written_at_once) {
  ctorch_logger *csv = NULL, *json = NULL;
  char path[2][96], content[256];
  const char *const names[] = {"a", "b\"c"};
  const double values[] = {1, 0.5}, wall = 2;
  begin();
  snprintf(path[0], sizeof path[0], "%s/log.csv", folder);
  snprintf(path[1], sizeof path[1], "%s/log.jsonl", folder);
  ck_ok(ctorch_logger_open_csv(&csv, path[0]));
  ck_ok(ctorch_logger_open_json_lines(&json, path[1]));
  for (size_t len = 1; len <= 2; len++) {
    ck_ok(ctorch_logger_log(csv, names, len, values, len, 7, &wall));
    ck_ok(ctorch_logger_log(json, names, len, values, len, 7, &wall));
  }
  static const char *const EXPECTED[] = {
      "step,wall_time,a,\"b\"\"c\"\n7,2.0,1.0,\n7,2.0,1.0,0.5\n",
      "{\"step\": 7, \"wall_time\": 2.0, \"a\": 1.0}\n{\"step\": 7, \"wall_time\": 2.0, \"a\": 1.0, \"b\\\"c\": "
      "0.5}\n"};
  for (int i = 0; i < 2; i++) {
    FILE *file = fopen(path[i], "r");
    ck_assert_ptr_nonnull(file);
    content[fread(content, 1, sizeof content - 1, file)] = '\0';
    fclose(file);
    ck_assert_str_eq(content, EXPECTED[i]);
    unlink(path[i]);
  }
  ctorch_logger_release(json);
  ctorch_logger_release(csv);
  ck_assert_int_eq(rmdir(folder), 0);
}
END_TEST

enum { THREADS = 4, EACH = 400 };

/* Scalars of four threads; the answer is how many calls failed. */
static void *add_many(void *writer) {
  uintptr_t failed = 0;
  for (int64_t i = 0; i < EACH; i++) {
    ctorch_error *error = ctorch_summary_writer_add_scalar(writer, "loss", 1, i, NULL, false, false);
    failed += error != NULL;
    ctorch_error_release(error);
    error = i % 100 == 0 ? ctorch_summary_writer_flush(writer) : NULL;
    failed += error != NULL;
    ctorch_error_release(error);
  }
  ctorch_summary_writer_release(writer);
  return (void *)failed;
}

START_TEST(threads_share_a_writer) {
  ctorch_summary_writer *writer = opened();
  ctorch_summary_reader *reader = NULL;
  pthread_t threads[THREADS];
  int64_t steps[EACH] = {0};
  bool is_there = true;
  for (int i = 0; i < THREADS; i++) {
    ctorch_summary_writer_retain(writer);
    ck_assert_int_eq(pthread_create(&threads[i], NULL, add_many, writer), 0);
  }
  for (int i = 0; i < THREADS; i++) {
    void *failed = NULL;
    ck_assert_int_eq(pthread_join(threads[i], &failed), 0);
    ck_assert_ptr_null(failed);
  }
  ck_ok(ctorch_summary_writer_finish(writer));
  ck_ok(ctorch_summary_reader_open(&reader, folder));
  for (;;) {
    ck_ok(ctorch_summary_reader_next(&is_there, reader));
    if (!is_there) {
      break;
    }
    if (ctorch_summary_reader_kind(reader) == CTORCH_SUMMARY_KIND_SCALAR) {
      steps[ctorch_summary_reader_step(reader)]++;
    }
  }
  for (int i = 0; i < EACH; i++) {
    ck_assert_int_eq(steps[i], THREADS);
  }
  ctorch_summary_reader_release(reader);
  end(writer);
  ctorch_summary_writer_release(writer);
}
END_TEST

int main(void) {
  if (!ctorch_summary_writer_is_supported()) {
    puts("this build has no event files");
    return 0;
  }
  Suite *suite = suite_create("summary");
  ck_case(suite, what_is_written_is_read);
  ck_case(suite, images_and_sounds_are_files_of_their_own);
  ck_case(suite, a_failure_leaves_outputs_and_handles_alone);
  ck_case(suite, scopes_end_writers_and_readers);
  ck_case(suite, lines_are_written_at_once);
  ck_case(suite, threads_share_a_writer);
  return ck_main(suite);
}
