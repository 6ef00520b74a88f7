/* Writers and readers: files that are complete or not there, memory, callbacks. */
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "harness/values.h"

static char folder[] = "/tmp/check_writer_XXXXXX";
static char path[64];

static void make_folder(void) {
  strcpy(folder + strlen(folder) - 6, "XXXXXX");
  ck_assert_ptr_nonnull(mkdtemp(folder));
  snprintf(path, sizeof(path), "%s/file", folder);
}

static void remove_folder(void) {
  unlink(path);
  ck_assert_msg(rmdir(folder) == 0, "something was left in %s", folder);
}

static ctorch_writer *opened(const char *name) {
  ctorch_writer *writer = NULL;
  ck_ok(ctorch_writer_open(&writer, name));
  return writer;
}

static void put(const char *text) {
  FILE *file = fopen(path, "wb");
  fputs(text, file);
  fclose(file);
}

static void ck_content(const char *expected) {
  char content[64] = "";
  FILE *file = fopen(path, "rb");
  ck_assert_ptr_nonnull(file);
  content[fread(content, 1, sizeof(content) - 1, file)] = '\0';
  fclose(file);
  ck_assert_str_eq(content, expected);
}

START_TEST(a_file_is_there_when_it_is_finished) {
  make_folder();
  put("before");
  ctorch_writer *writer = opened(path);
  ck_ok(ctorch_writer_write(writer, "after", 5));
  ck_content("before");
  ck_ok(ctorch_writer_finish(writer));
  ck_content("after");
  ck_assert_uint_eq(ctorch_writer_nbytes(writer), 5);
  ck_fails(ctorch_writer_write(writer, "x", 1), CTORCH_ERROR_RUNTIME, "is finished");
  ck_fails(ctorch_writer_finish(writer), CTORCH_ERROR_RUNTIME, "is finished");
  remove_folder();
}
END_TEST

START_TEST(one_that_is_given_up_leaves_nothing) {
  make_folder();
  ctorch_writer *writer = opened(path);
  ck_ok(ctorch_writer_write(writer, "after", 5));
  ctorch_writer_release(writer);
  ck_assert_int_ne(access(path, F_OK), 0);
  remove_folder();
}
END_TEST

START_TEST(permissions_and_links_stay) {
  make_folder();
  char link[80];
  struct stat status;
  snprintf(link, sizeof(link), "%s/link", folder);
  put("before");
  ck_assert_int_eq(chmod(path, 0640), 0);
  ck_assert_int_eq(symlink("file", link), 0);
  ctorch_writer *writer = opened(link);
  ck_ok(ctorch_writer_write(writer, "after", 5));
  ck_ok(ctorch_writer_finish(writer));
  ck_content("after");
  ck_assert_int_eq(lstat(link, &status), 0);
  ck_assert(S_ISLNK(status.st_mode));
  ck_assert_int_eq(stat(path, &status), 0);
  ck_assert_int_eq(status.st_mode & 07777, 0640);
  unlink(path);
  writer = opened(link); /* which leads to nothing now */
  ck_ok(ctorch_writer_finish(writer));
  ck_content("");
  unlink(link);
  remove_folder();
}
END_TEST

START_TEST(where_nothing_can_be_written_the_error_names_the_file) {
  ctorch_writer *writer = NULL;
  ck_fails(ctorch_writer_open(&writer, "/no/such/folder/file"), CTORCH_ERROR_IO, "/no/such/folder/file: No such file");
  ck_fails(ctorch_writer_open(&writer, "/"), CTORCH_ERROR_IO, "Is a directory");
  ck_fails(ctorch_writer_open(&writer, ""), CTORCH_ERROR_INVALID_ARGUMENT, "path");
  ck_fails(ctorch_writer_open(&writer, "\xff"), CTORCH_ERROR_INVALID_ARGUMENT, "path");
  ck_fails(ctorch_writer_open(&writer, NULL), CTORCH_ERROR_NULL_ARGUMENT, "path");
  ck_fails(ctorch_writer_open(NULL, "x"), CTORCH_ERROR_NULL_ARGUMENT, "out");
  make_folder();
  char link[80];
  snprintf(link, sizeof(link), "%s/link", folder);
  ck_assert_int_eq(symlink("link", link), 0);
  ck_fails(ctorch_writer_open(&writer, link), CTORCH_ERROR_IO, "symbolic link");
  unlink(link);
  remove_folder();
  ck_assert_ptr_null(writer);
}
END_TEST

START_TEST(a_full_device_fails) {
  if (access("/dev/full", W_OK) != 0) {
    return;
  }
  char data[100000] = "";
  ctorch_writer *writer = opened("/dev/full");
  ck_fails(ctorch_writer_write(writer, data, sizeof(data)), CTORCH_ERROR_IO, "/dev/full: No space left");
  ck_fails(ctorch_writer_write(writer, data, 1), CTORCH_ERROR_RUNTIME, "has failed before");
  ck_fails(ctorch_writer_finish(writer), CTORCH_ERROR_RUNTIME, "has failed before");
  writer = opened("/dev/full");
  ck_ok(ctorch_writer_write(writer, data, 1));
  ck_fails(ctorch_writer_finish(writer), CTORCH_ERROR_IO, "/dev/full: No space left");
}
END_TEST

START_TEST(a_folder_that_vanishes_fails) {
  make_folder();
  ctorch_writer *writer = opened(path);
  ck_ok(ctorch_writer_write(writer, "x", 1));
  /* Where the file has a name already, the folder does not go. */
  if (rmdir(folder) != 0) {
    ctorch_writer_release(writer);
    remove_folder();
    return;
  }
  ck_fails(ctorch_writer_finish(writer), CTORCH_ERROR_IO, path);
}
END_TEST

START_TEST(memory_grows) {
  ctorch_writer *writer = NULL;
  ck_ok(ctorch_writer_new(&writer));
  ck_assert_ptr_null(ctorch_writer_data(writer));
  for (int i = 0; i < 100000; i++) {
    ck_ok(ctorch_writer_write(writer, &i, sizeof(i)));
  }
  ck_ok(ctorch_writer_write(writer, NULL, 0));
  ck_ok(ctorch_writer_finish(writer));
  ck_assert_uint_eq(ctorch_writer_nbytes(writer), 100000 * sizeof(int));
  const int *data = ctorch_writer_data(writer);
  for (int i = 0; i < 100000; i++) {
    ck_assert_int_eq(data[i], i);
  }
}
END_TEST

struct taken {
  unsigned char data[300000];
  size_t len, most;
  int destroyed, calls;
};

static ctorch_callback_status take(const void *data, size_t nbytes, ctorch_error **error, void *payload) {
  struct taken *taken = payload;
  if (taken->len + nbytes > taken->most) {
    ck_ok(ctorch_error_new(error, CTORCH_ERROR_IO, "the line is dead"));
    return 0;
  }
  memcpy(taken->data + taken->len, data, nbytes);
  taken->len += nbytes;
  taken->calls++;
  return CTORCH_CALLBACK_OK;
}

static void destroy(void *payload) { ((struct taken *)payload)->destroyed++; }

START_TEST(a_callback_takes_all) {
  static struct taken taken = {.most = 300000};
  ctorch_writer *writer = NULL;
  unsigned char data[1000];
  ck_ok(ctorch_writer_from_callback(&writer, take, destroy, &taken));
  for (int i = 0; i < 300; i++) {
    memset(data, i, sizeof(data));
    ck_ok(ctorch_writer_write(writer, data, sizeof(data)));
  }
  ck_ok(ctorch_writer_finish(writer));
  ck_assert_uint_eq(taken.len, 300000);
  ck_assert_int_lt(taken.calls, 10); /* small pieces are collected */
  for (int i = 0; i < 300; i++) {
    ck_assert_int_eq(taken.data[1000 * i], i & 0xff);
    ck_assert_int_eq(taken.data[1000 * i + 999], i & 0xff);
  }
  ck_assert_ptr_null(ctorch_writer_data(writer));
  ctorch_writer_release(writer);
  ck_assert_int_eq(taken.destroyed, 1);
}
END_TEST

START_TEST(what_a_callback_fails_with_comes_out) {
  static struct taken taken = {.most = 100};
  ctorch_writer *writer = NULL;
  unsigned char data[100000] = {0};
  ck_ok(ctorch_writer_from_callback(&writer, take, NULL, &taken));
  ck_fails(ctorch_writer_write(writer, data, sizeof(data)), CTORCH_ERROR_IO, "the line is dead");
  ck_fails(ctorch_writer_finish(writer), CTORCH_ERROR_RUNTIME, "has failed before");
}
END_TEST

struct progress {
  size_t last, most_step;
  int calls, stop_at;
};

static ctorch_callback_status hear(size_t nbytes, ctorch_error **error, void *payload) {
  struct progress *progress = payload;
  if (nbytes - progress->last > progress->most_step) {
    progress->most_step = nbytes - progress->last;
  }
  progress->last = nbytes;
  if (++progress->calls == progress->stop_at) {
    ck_ok(ctorch_error_new(error, CTORCH_ERROR_RUNTIME, "enough"));
    return 0;
  }
  return CTORCH_CALLBACK_OK;
}

START_TEST(progress_is_told) {
  make_folder();
  const size_t size = 40 << 20;
  char *data = calloc(size, 1);
  struct progress written = {0}, read = {0};
  ctorch_writer *writer = opened(path);
  ck_ok(ctorch_writer_set_progress(writer, hear, NULL, &written));
  ck_ok(ctorch_writer_write(writer, data, size));
  ck_ok(ctorch_writer_finish(writer));
  ck_assert_uint_eq(written.last, size);
  ck_assert_uint_le(written.most_step, 16 << 20);
  ctorch_reader *reader = NULL;
  ck_ok(ctorch_reader_open(&reader, path, false));
  ck_ok(ctorch_reader_set_progress(reader, hear, NULL, &read));
  ck_ok(ctorch_reader_read(reader, 0, data, size));
  ck_assert_uint_eq(read.last, size);
  ck_assert_uint_le(read.most_step, 16 << 20);
  struct progress stopped = {.stop_at = 2};
  ck_ok(ctorch_reader_set_progress(reader, hear, NULL, &stopped));
  ck_fails(ctorch_reader_read(reader, 0, data, size), CTORCH_ERROR_RUNTIME, "enough");
  struct progress given_up = {.stop_at = 1};
  writer = opened(path);
  ck_ok(ctorch_writer_set_progress(writer, hear, NULL, &given_up));
  ck_fails(ctorch_writer_write(writer, data, size), CTORCH_ERROR_RUNTIME, "enough");
  ctorch_writer_release(writer);
  free(data);
  remove_folder();
}
END_TEST

/* Readers ---------------------------------------------------------------------------------------------------------- */

static ctorch_callback_status give(void *data, size_t nbytes, size_t offset, ctorch_error **error, void *payload) {
  (void)error;
  memcpy(data, (const char *)payload + offset, nbytes);
  return CTORCH_CALLBACK_OK;
}

static ctorch_callback_status give_nothing(
    void *data, size_t nbytes, size_t offset, ctorch_error **error, void *payload) {
  (void)data, (void)nbytes, (void)offset, (void)error, (void)payload;
  return 0;
}

static void ck_reads(ctorch_reader *reader, bool is_file) {
  char text[8] = "";
  ck_assert_uint_eq(ctorch_reader_nbytes(reader), 10);
  ck_ok(ctorch_reader_read(reader, 3, text, 4));
  ck_assert_str_eq(text, "3456");
  ck_ok(ctorch_reader_read(reader, 10, NULL, 0));
  ck_fails(ctorch_reader_read(reader, 7, text, 4), CTORCH_ERROR_INDEX, "4 bytes from 7 on");
  ck_fails(ctorch_reader_read(reader, SIZE_MAX, text, 2), CTORCH_ERROR_INDEX, "2 bytes from");
  ck_fails(ctorch_reader_read(reader, 0, NULL, 1), CTORCH_ERROR_NULL_ARGUMENT, "data");
  if (is_file) {
    ck_assert_str_eq(ctorch_reader_path(reader), path);
  } else {
    ck_assert_ptr_null(ctorch_reader_path(reader));
  }
}

START_TEST(everything_is_read_alike) {
  make_folder();
  put("0123456789");
  char memory[] = "0123456789";
  static struct taken taken;
  ctorch_reader *reader = NULL;
  for (int mmap = 0; mmap < 2; mmap++) {
    ck_ok(ctorch_reader_open(&reader, path, mmap));
    ck_reads(reader, true);
  }
  ck_ok(ctorch_reader_from_callback(&reader, 10, give, NULL, memory));
  ck_reads(reader, false);
  ck_ok(ctorch_reader_from_data(&reader, memory, 10, destroy, &taken));
  ck_reads(reader, false);
  ctorch_reader_release(reader);
  ck_assert_int_eq(taken.destroyed, 1);
  ck_ok(ctorch_reader_from_data(&reader, memory, 10, NULL, NULL));
  memset(memory, 0, sizeof(memory)); /* it has a copy */
  ck_reads(reader, false);
  remove_folder();
}
END_TEST

START_TEST(nothing_can_be_read_too) {
  make_folder();
  put("");
  ctorch_reader *reader = NULL;
  for (int mmap = 0; mmap < 2; mmap++) {
    ck_ok(ctorch_reader_open(&reader, path, mmap));
    ck_assert_uint_eq(ctorch_reader_nbytes(reader), 0);
    ck_ok(ctorch_reader_read(reader, 0, NULL, 0));
  }
  ck_ok(ctorch_reader_from_data(&reader, NULL, 0, NULL, NULL));
  ck_assert_uint_eq(ctorch_reader_nbytes(reader), 0);
  remove_folder();
}
END_TEST

START_TEST(what_cannot_be_read_is_named) {
  make_folder();
  ctorch_reader *reader = NULL;
  char data[4];
  ck_fails(ctorch_reader_open(&reader, path, true), CTORCH_ERROR_IO, path);
  ck_fails(ctorch_reader_open(&reader, folder, false), CTORCH_ERROR_IO, "Is a directory");
  ck_fails(ctorch_reader_open(&reader, "/dev/null", false), CTORCH_ERROR_IO, "/dev/null");
  ck_assert_int_eq(mkfifo(path, 0600), 0);
  ck_fails(ctorch_reader_open(&reader, path, false), CTORCH_ERROR_IO, path);
  unlink(path);
  put("0123456789");
  ck_ok(ctorch_reader_open(&reader, path, false));
  ck_assert_int_eq(truncate(path, 5), 0);
  ck_fails(ctorch_reader_read(reader, 4, data, 4), CTORCH_ERROR_IO, "it has become shorter");
  ck_ok(ctorch_reader_from_callback(&reader, 10, give_nothing, NULL, NULL));
  ck_fails(ctorch_reader_read(reader, 4, data, 4), CTORCH_ERROR_CALLBACK, "read");
  ck_fails(ctorch_reader_from_callback(&reader, 10, NULL, NULL, NULL), CTORCH_ERROR_NULL_ARGUMENT, "read");
  ck_fails(ctorch_reader_from_data(&reader, NULL, 1, NULL, NULL), CTORCH_ERROR_NULL_ARGUMENT, "data");
  ck_fails(ctorch_reader_from_callback(&reader, SIZE_MAX, give, NULL, NULL), CTORCH_ERROR_INVALID_ARGUMENT, "nbytes");
  remove_folder();
}
END_TEST

int main(void) {
  Suite *suite = suite_create("writer");
  ck_scoped_case(suite, a_file_is_there_when_it_is_finished);
  ck_scoped_case(suite, one_that_is_given_up_leaves_nothing);
  ck_scoped_case(suite, permissions_and_links_stay);
  ck_scoped_case(suite, where_nothing_can_be_written_the_error_names_the_file);
  ck_scoped_case(suite, a_full_device_fails);
  ck_scoped_case(suite, a_folder_that_vanishes_fails);
  ck_scoped_case(suite, memory_grows);
  ck_scoped_case(suite, a_callback_takes_all);
  ck_scoped_case(suite, what_a_callback_fails_with_comes_out);
  ck_scoped_case(suite, progress_is_told);
  ck_scoped_case(suite, everything_is_read_alike);
  ck_scoped_case(suite, nothing_can_be_read_too);
  ck_scoped_case(suite, what_cannot_be_read_is_named);
  return ck_main(suite);
}
