/* Printing: where the text goes, and the options of the process. The texts themselves are compared with Python's in
 * operators/test_repr.py and tensor/test_print.py. */
#include <stdio.h>
#include <unistd.h>

#include "harness/values.h"

/** What has been written to the file so far. */
static const char *contents(FILE *file) {
  static char text[256];
  rewind(file);
  text[fread(text, 1, sizeof text - 1, file)] = '\0';
  return text;
}

START_TEST(a_tensor_is_printed_to_a_file_descriptor) {
  FILE *file = tmpfile();
  ck_assert_ptr_nonnull(file);
  const int32_t descriptor = fileno(file);
  ck_ok(ctorch_tensor_print(floats(CTORCH_INTS(3), 1, 2, 0.5F), &descriptor));
  ck_ok(ctorch_tensor_print(NULL, &descriptor));
  ck_assert_str_eq(contents(file), "tensor([1.0000, 2.0000, 0.5000])\nNone\n");
  fclose(file);
}
END_TEST

START_TEST(standard_output_keeps_the_order) {
  FILE *file = tmpfile();
  ck_assert_ptr_nonnull(file);
  fflush(stdout);
  const int terminal = dup(STDOUT_FILENO);
  ck_assert_int_ge(dup2(fileno(file), STDOUT_FILENO), 0);
  printf("before ");
  ctorch_error *error = ctorch_tensor_print(ints(CTORCH_INTS(2), 1, -1), NULL);
  printf("after");
  fflush(stdout);
  dup2(terminal, STDOUT_FILENO);
  close(terminal);
  ck_ok(error);
  ck_assert_str_eq(contents(file), "before tensor([ 1, -1])\nafter");
  fclose(file);
}
END_TEST

START_TEST(options_are_those_of_the_process) {
  int64_t threshold = 0, edge_items = 0, precision = 0, line_width = 0;
  int32_t sci_mode = 5;
  ctorch_string *text = NULL;
  ctorch_print_options(&threshold, &edge_items, &precision, &line_width, &sci_mode);
  ck_assert_int_eq(threshold, 1000);
  ck_assert_int_eq(edge_items, 3);
  ck_assert_int_eq(precision, 4);
  ck_assert_int_eq(line_width, 80);
  ck_assert_int_eq(sci_mode, -1);
  ck_ok(ctorch_print_set_options("full", NULL, NULL, CTORCH_SOME(int64_t, 1), NULL, CTORCH_SOME(bool, false)));
  ck_ok(ctorch_tensor_repr(&text, floats(CTORCH_INTS(2), 1e9F, 0.25F), NULL, NULL, NULL, NULL, NULL));
  ck_assert_str_eq(ctorch_string_data(text), "tensor([1000000000.0,          0.2])");
  ctorch_print_options(&threshold, NULL, &precision, NULL, &sci_mode);
  ck_assert_int_eq(threshold, INT64_MAX);
  ck_assert_int_eq(precision, 1);
  ck_assert_int_eq(sci_mode, 0);
  ctorch_print_options(NULL, NULL, NULL, NULL, NULL);
  ck_ok(ctorch_print_set_options("default", NULL, NULL, NULL, NULL, NULL));
  ck_ok(ctorch_tensor_repr(&text, floats(CTORCH_INTS(2), 1e9F, 0.25F), NULL, NULL, NULL, NULL, NULL));
  ck_assert_str_eq(ctorch_string_data(text), "tensor([1.0000e+09, 2.5000e-01])");
}
END_TEST

START_TEST(what_cannot_be_written_or_set_is_refused) {
  int64_t precision = 0;
  ctorch_tensor *x = floats(CTORCH_INTS(1), 1);
  ck_fails(ctorch_tensor_print(x, CTORCH_SOME(int32_t, -1)), CTORCH_ERROR_IO, "Bad file descriptor");
  ck_fails(
      ctorch_print_set_options("tall", NULL, NULL, NULL, NULL, NULL), CTORCH_ERROR_INVALID_ARGUMENT,
      "profile: unknown profile \"tall\"");
  ck_fails(ctorch_print_set_options("\xff", NULL, NULL, NULL, NULL, NULL), CTORCH_ERROR_INVALID_ARGUMENT, "not UTF-8");
  ck_fails(
      ctorch_print_set_options("short", NULL, NULL, CTORCH_SOME(int64_t, 65), NULL, NULL),
      CTORCH_ERROR_INVALID_ARGUMENT, "precision: 65 is not between 0 and 64");
  ck_fails(ctorch_tensor_repr(NULL, x, NULL, NULL, NULL, NULL, NULL), CTORCH_ERROR_NULL_ARGUMENT, "out");
  ctorch_print_options(NULL, NULL, &precision, NULL, NULL);
  ck_assert_int_eq(precision, 4);
}
END_TEST

int main(void) {
  Suite *suite = suite_create("print");
  ck_scoped_case(suite, a_tensor_is_printed_to_a_file_descriptor);
  ck_scoped_case(suite, standard_output_keeps_the_order);
  ck_scoped_case(suite, options_are_those_of_the_process);
  ck_scoped_case(suite, what_cannot_be_written_or_set_is_refused);
  return ck_main(suite);
}
