/* Shared memory: what one process writes, another reads. */
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "harness/values.h"

/** Run `in_child(argument)` in a fork, and fail the test unless it answers true there. */
static void ck_in_child(bool (*in_child)(void *argument), void *argument) {
  const pid_t child = fork();
  ck_assert_int_ge(child, 0);
  if (child == 0) {
    _exit(in_child(argument) ? 0 : 1);
  }
  int status = 0;
  ck_assert_int_eq(waitpid(child, &status, 0), child);
  ck_assert_msg(WIFEXITED(status) && WEXITSTATUS(status) == 0, "the other process failed");
}

/** The calls of a child, which has no test to fail. */
static bool good(ctorch_error *error) {
  const bool result = error == NULL;
  ctorch_error_release(error);
  return result;
}

static bool double_it(void *x) {
  float *data = NULL;
  if (!good(ctorch_tensor_data((void **)&data, x))) {
    return false;
  }
  for (int i = 0; i < 3; i++) {
    data[i] *= 2;
  }
  return true;
}

START_TEST(a_fork_sees_the_same_memory) {
  ctorch_tensor *x = floats(CTORCH_INTS(3), 1, 2, 3), *view = NULL;
  ck_ok(ctorch_aten_narrow(&view, x, 0, 1, 2));
  ck_in_child(double_it, x);
  ck_floats(x, CTORCH_INTS(3), 1, 2, 3); /* not shared yet */
  ck_assert(!ctorch_tensor_is_shared(x));
  ck_ok(ctorch_tensor_share_memory(x));
  ck_assert(ctorch_tensor_is_shared(x));
  ck_assert(ctorch_tensor_is_shared(view));
  ck_in_child(double_it, x);
  ck_floats(x, CTORCH_INTS(3), 2, 4, 6);
  ck_floats(view, CTORCH_INTS(2), 4, 6);
}
END_TEST

START_TEST(sharing_twice_changes_nothing) {
  ctorch_tensor *x = floats(CTORCH_INTS(2), 1, 2);
  const void *once = NULL, *twice = NULL;
  ck_ok(ctorch_tensor_share_memory(x));
  ck_ok(ctorch_tensor_const_data(&once, x));
  ck_ok(ctorch_tensor_share_memory(x));
  ck_ok(ctorch_tensor_const_data(&twice, x));
  ck_assert_ptr_eq(once, twice);
  ck_floats(x, CTORCH_INTS(2), 1, 2);
}
END_TEST

static void count(void *payload) { ++*(int *)payload; }

START_TEST(the_memory_before_is_given_back) {
  int gone = 0;
  float memory[2] = {1, 2};
  ctorch_tensor *x = NULL;
  ck_ok(ctorch_tensor_from_buffer(&x, memory, CTORCH_INTS(2), NULL, 0, CTORCH_DTYPE_FLOAT32, count, &gone));
  ck_ok(ctorch_tensor_share_memory(x));
  ck_assert_int_eq(gone, 1);
  memory[0] = 9;
  ck_floats(x, CTORCH_INTS(2), 1, 2);
}
END_TEST

START_TEST(shared_memory_is_not_resized) {
  ctorch_tensor *x = floats(CTORCH_INTS(2), 1, 2);
  ctorch_storage *storage = NULL;
  ck_ok(ctorch_tensor_share_memory(x));
  ck_ok(ctorch_storage_from_tensor(&storage, x));
  ck_assert(!ctorch_storage_resizable(storage));
  ck_fails(ctorch_storage_resize(storage, 100), CTORCH_ERROR_RUNTIME, "not resizable");
  ck_fails(ctorch_aten_resize_(x, CTORCH_INTS(100), NULL), CTORCH_ERROR_RUNTIME, "not resizable");
  ck_ok(ctorch_storage_new_shared(&storage, 8));
  ck_assert(!ctorch_storage_resizable(storage));
}
END_TEST

/** How many names in /dev/shm begin as LibTorch's do, which have the process in them. */
static int names_of_this_process(void) {
  char prefix[64];
  int found = 0;
  snprintf(prefix, sizeof prefix, "torch_%d_", (int)getpid());
  DIR *directory = opendir("/dev/shm");
  ck_assert_ptr_nonnull(directory);
  for (struct dirent *entry; (entry = readdir(directory)) != NULL;) {
    found += strncmp(entry->d_name, prefix, strlen(prefix)) == 0;
  }
  closedir(directory);
  return found;
}

static bool write_by_descriptor(void *descriptor) {
  ctorch_storage *storage = NULL;
  const float value = 5;
  const bool result = good(ctorch_storage_from_shared_descriptor(&storage, *(int32_t *)descriptor, 8)) &&
                      ctorch_storage_is_shared(storage) && good(ctorch_storage_write(storage, 4, &value, sizeof value));
  ctorch_storage_release(storage);
  return result;
}

START_TEST(a_descriptor_opens_the_same_memory) {
  ctorch_storage *storage = NULL, *again = NULL;
  ctorch_tensor *x = NULL;
  int32_t descriptor = -1, copy = -1;
  ck_ok(ctorch_storage_new_shared(&storage, 8));
  ck_assert(ctorch_storage_is_shared(storage));
  ck_assert_uint_eq(ctorch_storage_nbytes(storage), 8);
  ck_ok(ctorch_tensor_from_storage(&x, storage, 0, CTORCH_INTS(2), NULL, 0, CTORCH_DTYPE_FLOAT32));
  ck_floats(x, CTORCH_INTS(2), 0, 0);
  ck_ok(ctorch_storage_shared_descriptor(&descriptor, storage));
  ck_assert_int_ge(descriptor, 0);
  ck_in_child(write_by_descriptor, &descriptor);
  ck_floats(x, CTORCH_INTS(2), 0, 5);
  /* The descriptor stays the caller's: closing it leaves the storage made of it alone. */
  copy = dup(descriptor);
  ck_ok(ctorch_storage_from_shared_descriptor(&again, copy, 4));
  ck_assert_int_eq(close(copy), 0);
  ck_ok(ctorch_storage_shared_descriptor(&descriptor, again));
  ck_assert_int_ne(descriptor, copy);
  ck_ok(ctorch_tensor_from_storage(&x, again, 0, CTORCH_INTS(1), NULL, 0, CTORCH_DTYPE_FLOAT32));
  ck_ok(ctorch_aten_fill__Scalar(x, CTORCH_INT(3)));
  ck_ok(ctorch_tensor_from_storage(&x, storage, 0, CTORCH_INTS(2), NULL, 0, CTORCH_DTYPE_FLOAT32));
  ck_floats(x, CTORCH_INTS(2), 3, 5);
}
END_TEST

static bool write_by_name(void *name) {
  ctorch_storage *storage = NULL;
  const float value = 6;
  const bool result = good(ctorch_storage_from_shared_name(&storage, name, 8)) && ctorch_storage_is_shared(storage) &&
                      good(ctorch_storage_write(storage, 0, &value, sizeof value));
  ctorch_storage_release(storage);
  return result;
}

START_TEST(a_name_opens_the_same_memory_until_the_last_one_releases_it) {
  ctorch_tensor *x = floats(CTORCH_INTS(2), 1, 2);
  ctorch_storage *storage = NULL, *other = NULL;
  ctorch_string *name = NULL, *again = NULL;
  ck_ok(ctorch_storage_from_tensor(&storage, x));
  ck_ok(ctorch_storage_share_memory_named(&name, storage));
  ck_assert(ctorch_tensor_is_shared(x));
  ck_assert(!ctorch_storage_resizable(storage));
  ck_floats(x, CTORCH_INTS(2), 1, 2);
  ck_ok(ctorch_storage_share_memory_named(&again, storage));
  ck_assert_str_eq(ctorch_string_data(again), ctorch_string_data(name));
  ck_in_child(write_by_name, (void *)ctorch_string_data(name));
  ck_floats(x, CTORCH_INTS(2), 6, 2);
  ck_ok(ctorch_storage_from_shared_name(&other, ctorch_string_data(name), 8));
  ctorch_tensor_release(x);
  ctorch_storage_release(storage);
  ck_ok(ctorch_tensor_from_storage(&x, other, 0, CTORCH_INTS(2), NULL, 0, CTORCH_DTYPE_FLOAT32));
  ck_floats(x, CTORCH_INTS(2), 6, 2);
  ctorch_tensor_release(x);
  ctorch_storage_release(other);
  ck_fails(
      ctorch_storage_from_shared_name(&other, ctorch_string_data(name), 8), CTORCH_ERROR_RUNTIME,
      "No such file or directory");
  ck_assert_int_eq(names_of_this_process(), 0);
}
END_TEST

START_TEST(nothing_to_share_is_shared_too) {
  ctorch_tensor *x = NULL;
  ctorch_storage *storage = NULL;
  ck_ok(ctorch_aten_empty_memory_format(&x, CTORCH_INTS(0), NULL, NULL, NULL, NULL, NULL));
  ck_ok(ctorch_tensor_share_memory(x));
  ck_assert(ctorch_tensor_is_shared(x));
  ck_ok(ctorch_storage_new_shared(&storage, 0));
  ck_assert_uint_eq(ctorch_storage_nbytes(storage), 0);
}
END_TEST

START_TEST(what_cannot_be_shared_or_opened_is_refused) {
  ctorch_tensor *x = floats(CTORCH_INTS(2), 1, 2), *sparse = NULL, *meta = NULL;
  ctorch_storage *storage = NULL, *private = NULL, *none = NULL;
  ctorch_string *name = NULL;
  int32_t descriptor = -5;
  ck_ok(ctorch_storage_from_tensor(&private, x));
  ck_fails(ctorch_storage_shared_descriptor(&descriptor, private), CTORCH_ERROR_RUNTIME, "not shared by file");
  ck_ok(ctorch_aten_to_sparse(&sparse, x, NULL, NULL, 0, NULL));
  ck_fails(ctorch_tensor_share_memory(sparse), CTORCH_ERROR_NOT_IMPLEMENTED, "storage");
  ck_assert(!ctorch_tensor_is_shared(sparse));
  ck_ok(ctorch_aten_empty_memory_format(&meta, CTORCH_INTS(2), NULL, NULL, META, NULL, NULL));
  ck_fails(ctorch_tensor_share_memory(meta), CTORCH_ERROR_RUNTIME, "meta");
  ck_assert(!ctorch_tensor_is_shared(meta));
  ck_ok(ctorch_storage_from_tensor(&storage, meta));
  ck_fails(ctorch_storage_share_memory_named(&name, storage), CTORCH_ERROR_RUNTIME, "meta");
  ck_ok(ctorch_storage_new_shared(&storage, 8));
  ck_fails(ctorch_storage_share_memory_named(&name, storage), CTORCH_ERROR_RUNTIME, "another way");
  ck_ok(ctorch_storage_shared_descriptor(&descriptor, storage));
  ck_fails(
      ctorch_storage_from_shared_descriptor(&none, descriptor, 4096 * 1024), CTORCH_ERROR_INVALID_ARGUMENT,
      "4194304 of 8 bytes");
  ck_fails(ctorch_storage_from_shared_descriptor(&none, -1, 4), CTORCH_ERROR_INVALID_ARGUMENT, "Bad file descriptor");
  const int read_only = open("/proc/self/exe", O_RDONLY);
  ck_assert_int_ge(read_only, 0);
  ck_fails(ctorch_storage_from_shared_descriptor(&none, read_only, 4), CTORCH_ERROR_RUNTIME, "mmap");
  ck_assert_int_eq(close(read_only), 0);
  ck_fails(ctorch_storage_from_shared_name(&none, "/no-such-memory", 4), CTORCH_ERROR_RUNTIME, "No such file");
  ck_fails(ctorch_storage_from_shared_name(&none, "", 4), CTORCH_ERROR_RUNTIME, "no shared memory \"\"");
  ck_fails(ctorch_storage_from_shared_name(&none, "\xff", 4), CTORCH_ERROR_INVALID_ARGUMENT, "UTF-8");
  ck_ok(ctorch_storage_share_memory_named(&name, private));
  ck_fails(
      ctorch_storage_from_shared_name(&none, ctorch_string_data(name), 9000), CTORCH_ERROR_INVALID_ARGUMENT, "nbytes");
  ck_fails(
      ctorch_storage_from_shared_name(&none, ctorch_string_data(name), SIZE_MAX), CTORCH_ERROR_INVALID_ARGUMENT,
      "absurd size");
  ck_fails(ctorch_storage_new_shared(&none, SIZE_MAX), CTORCH_ERROR_INVALID_ARGUMENT, "absurd size");
  const int names = names_of_this_process();
  ck_fails(
      ctorch_storage_new_shared(&none, (size_t)1 << 61), CTORCH_ERROR_RUNTIME,
      ck_torch_at_least(2, 12) ? "unable to allocate shared memory" : "unable to mmap");
  ck_assert_int_eq(names_of_this_process(), names);
  ck_assert_ptr_null(none);
}
END_TEST

START_TEST(nothing_may_be_null) {
  ctorch_storage *storage = NULL, *one = NULL;
  ctorch_string *name = NULL;
  int32_t descriptor = 0;
  ck_ok(ctorch_storage_new(&one, 8));
  ck_fails(ctorch_tensor_share_memory(NULL), CTORCH_ERROR_NULL_ARGUMENT, "self");
  ck_fails(ctorch_storage_share_memory(NULL), CTORCH_ERROR_NULL_ARGUMENT, "self");
  ck_fails(ctorch_storage_new_shared(NULL, 8), CTORCH_ERROR_NULL_ARGUMENT, "out");
  ck_fails(ctorch_storage_shared_descriptor(NULL, one), CTORCH_ERROR_NULL_ARGUMENT, "out");
  ck_fails(ctorch_storage_shared_descriptor(&descriptor, NULL), CTORCH_ERROR_NULL_ARGUMENT, "self");
  ck_fails(ctorch_storage_from_shared_descriptor(NULL, 0, 8), CTORCH_ERROR_NULL_ARGUMENT, "out");
  ck_fails(ctorch_storage_share_memory_named(NULL, one), CTORCH_ERROR_NULL_ARGUMENT, "out_name");
  ck_fails(ctorch_storage_share_memory_named(&name, NULL), CTORCH_ERROR_NULL_ARGUMENT, "self");
  ck_fails(ctorch_storage_from_shared_name(NULL, "/x", 8), CTORCH_ERROR_NULL_ARGUMENT, "out");
  ck_fails(ctorch_storage_from_shared_name(&storage, NULL, 8), CTORCH_ERROR_NULL_ARGUMENT, "name");
  ck_assert(!ctorch_tensor_is_shared(NULL));
  ck_assert(!ctorch_storage_is_shared(NULL));
  ck_assert(!ctorch_storage_is_shared(one));
  ck_assert_ptr_null(storage);
  ck_assert_ptr_null(name);
}
END_TEST

int main(void) {
  Suite *suite = suite_create("shared_memory");
  ck_scoped_case(suite, a_fork_sees_the_same_memory);
  ck_scoped_case(suite, sharing_twice_changes_nothing);
  ck_scoped_case(suite, the_memory_before_is_given_back);
  ck_scoped_case(suite, shared_memory_is_not_resized);
  ck_scoped_case(suite, a_descriptor_opens_the_same_memory);
  ck_scoped_case(suite, a_name_opens_the_same_memory_until_the_last_one_releases_it);
  ck_scoped_case(suite, nothing_to_share_is_shared_too);
  ck_scoped_case(suite, what_cannot_be_shared_or_opened_is_refused);
  ck_scoped_case(suite, nothing_may_be_null);
  return ck_main(suite);
}
