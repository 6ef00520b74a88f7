/* Packages from C: what is refused, and what a failure leaves. Packages that Python compiled are run in tests/package. */
#define _POSIX_C_SOURCE 200809L
#include <stdlib.h>
#include <unistd.h>

#include "harness/values.h"

static char path[] = "/tmp/ctorch_check_package_XXXXXX";

/* A zip file of one stored record, "m/<name>", without a checksum. */
static void write_archive(const char *name, const char *content) {
  unsigned char local[30] = {'P', 'K', 3, 4}, entry[46] = {'P', 'K', 1, 2}, end[22] = {'P', 'K', 5, 6};
  const size_t name_len = strlen(name) + 2, len = strlen(content);
  local[18] = local[22] = entry[20] = entry[24] = (unsigned char)len;
  local[26] = entry[28] = (unsigned char)name_len;
  end[8] = end[10] = 1;
  end[12] = (unsigned char)(sizeof entry + name_len);
  end[16] = (unsigned char)(sizeof local + name_len + len);
  FILE *file = fopen(path, "wb");
  ck_assert_ptr_nonnull(file);
  fwrite(local, 1, sizeof local, file);
  fprintf(file, "m/%s%s", name, content);
  fwrite(entry, 1, sizeof entry, file);
  fprintf(file, "m/%s", name);
  fwrite(end, 1, sizeof end, file);
  fclose(file);
}

static void make_path(void) {
  strcpy(path + sizeof path - 7, "XXXXXX");
  const int file = mkstemp(path);
  ck_assert_int_ge(file, 0);
  close(file);
}

START_TEST(models_have_names) {
  ctorch_value *names = NULL;
  ctorch_string *text = NULL;
  make_path();
  write_archive("data/aotinductor/one/a.wrapper.so", "x");
  ck_ok(ctorch_package_model_names(&names, path));
  ck_ok(ctorch_value_repr(&text, names));
  ck_assert_str_eq(ctorch_string_data(text), "['one']");
  ctorch_string_release(text);
  ctorch_value_release(names);
  unlink(path);
}
END_TEST

START_TEST(what_is_no_package_is_refused) {
  ctorch_package *const before = (ctorch_package *)(uintptr_t)8;
  ctorch_package *package = before;
  const int64_t live = ctorch_debug_live_handles();
  make_path();
  write_archive("data/aotinductor/model/a.wrapper.so", "no library");
  ck_call_fails(
      ctorch_package_load, (&package, path, NULL, false, 1, NULL), CTORCH_ERROR_FORMAT, "is no shared library");
  ck_call_fails(ctorch_package_load, (&package, path, "two", false, 1, NULL), CTORCH_ERROR_INDEX, "'two'");
  write_archive("data/../../a", "x");
  ck_call_fails(ctorch_package_load, (&package, path, NULL, false, 1, NULL), CTORCH_ERROR_FORMAT, "leads out");
  unlink(path);
  ck_call_fails(ctorch_package_load, (&package, path, NULL, false, 1, NULL), CTORCH_ERROR_IO, path);
  ck_assert_ptr_eq(package, before);
  ck_assert_int_eq(ctorch_debug_live_handles(), live);
}
END_TEST

START_TEST(arguments_are_checked) {
  ctorch_package *package = NULL;
  ctorch_value *value = NULL;
  ctorch_string *text = NULL;
  ctorch_tensor_list *list = NULL;
  ck_call_fails(ctorch_package_load, (NULL, "a", NULL, false, 1, NULL), CTORCH_ERROR_NULL_ARGUMENT, "out");
  ck_call_fails(ctorch_package_load, (&package, NULL, NULL, false, 1, NULL), CTORCH_ERROR_NULL_ARGUMENT, "path");
  ck_call_fails(
      ctorch_package_load, (&package, "a", NULL, false, 0, NULL), CTORCH_ERROR_INVALID_ARGUMENT, "num_runners");
  ck_call_fails(ctorch_package_load, (&package, "\xff", NULL, false, 1, NULL), CTORCH_ERROR_INVALID_ARGUMENT, "path");
  ck_call_fails(ctorch_package_model_names, (NULL, "a"), CTORCH_ERROR_NULL_ARGUMENT, "out");
  ck_call_fails(ctorch_package_run, (&list, NULL, NULL, 0), CTORCH_ERROR_NULL_ARGUMENT, "self");
  ck_call_fails(ctorch_package_call, (&value, NULL, NULL, 0, NULL), CTORCH_ERROR_NULL_ARGUMENT, "self");
  ck_call_fails(ctorch_package_metadata, (&value, NULL), CTORCH_ERROR_NULL_ARGUMENT, "self");
  ck_call_fails(ctorch_package_inputs, (&value, NULL), CTORCH_ERROR_NULL_ARGUMENT, "self");
  ck_call_fails(ctorch_package_call_spec, (&text, &text, NULL), CTORCH_ERROR_NULL_ARGUMENT, "self");
  ck_call_fails(ctorch_package_constant_names, (&value, NULL), CTORCH_ERROR_NULL_ARGUMENT, "self");
  ck_call_fails(ctorch_package_constants, (&value, NULL, false), CTORCH_ERROR_NULL_ARGUMENT, "self");
  ck_call_fails(ctorch_package_update_constants, (NULL, NULL, false, false, false), CTORCH_ERROR_NULL_ARGUMENT, "self");
  ck_call_fails(ctorch_package_swap_constants, (NULL), CTORCH_ERROR_NULL_ARGUMENT, "self");
  ck_call_fails(ctorch_package_free_inactive_constants, (NULL), CTORCH_ERROR_NULL_ARGUMENT, "self");
  ck_assert_int_eq(ctorch_package_num_inputs(NULL), -1);
  ck_assert_int_eq(ctorch_package_num_outputs(NULL), -1);
  ctorch_package_retain(NULL);
  ctorch_package_release(NULL);
}
END_TEST

int main(void) {
  Suite *suite = suite_create("package");
  ck_case(suite, models_have_names);
  ck_case(suite, what_is_no_package_is_refused);
  ck_case(suite, arguments_are_checked);
  return ck_main(suite);
}
