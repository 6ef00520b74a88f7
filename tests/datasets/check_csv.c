/* CSV files from C: columns, and what a failure leaves. Fields are compared with Python's csv: tests/datasets. */
#include "harness/values.h"

static ctorch_reader *reader_of(const char *text) {
  ctorch_reader *reader = NULL;
  ck_ok(ctorch_reader_from_data(&reader, text, strlen(text), NULL, NULL));
  return reader;
}

START_TEST(a_column_is_a_tensor_or_a_list) {
  ctorch_reader *reader = reader_of("age,name\n3,Ada\n4,Bo\n");
  ctorch_value *table = NULL, *column = NULL;
  ctorch_tensor *tensor = NULL;
  ck_ok(ctorch_csv_read(&table, reader, NULL, true, NULL, 0, NULL, 0, NULL));
  ck_ok(ctorch_value_dict_at(&column, table, "age"));
  ck_ok(ctorch_value_to_tensor(&tensor, column));
  ck_assert_int_eq(ctorch_tensor_dtype(tensor), CTORCH_DTYPE_INT64);
  ck_assert_int_eq(ctorch_tensor_numel(tensor), 2);
  ctorch_tensor_release(tensor);
  ctorch_value_release(column);
  ck_ok(ctorch_value_dict_at(&column, table, "name"));
  ck_assert_uint_eq(ctorch_value_len(column), 2);
  ctorch_value_release(column);
  ctorch_value_release(table);
  ctorch_reader_release(reader);
}
END_TEST

START_TEST(lines_are_texts) {
  ctorch_reader *reader = reader_of("a\r\nb\n\nc");
  ctorch_value *lines = NULL;
  ck_ok(ctorch_csv_read_lines(&lines, reader));
  ck_assert_uint_eq(ctorch_value_len(lines), 4);
  ctorch_value_release(lines);
  ctorch_reader_release(reader);
}
END_TEST

START_TEST(a_failure_leaves_outputs_and_handles_alone) {
  ctorch_value *const before = (ctorch_value *)(uintptr_t)8;
  ctorch_value *table = before;
  ctorch_reader *reader = reader_of("a,b\n1,2\nx,3\n4\n");
  const char *const types[] = {"int64", "int64"};
  const int64_t live = ctorch_debug_live_handles();
  ck_call_fails(
      ctorch_csv_read, (&table, reader, NULL, true, NULL, 0, NULL, 0, NULL), CTORCH_ERROR_FORMAT, "data: line 4");
  ck_call_fails(ctorch_csv_read, (&table, reader, ",,", true, NULL, 0, NULL, 0, NULL), CTORCH_ERROR_VALUE, "delimiter");
  ck_call_fails(
      ctorch_csv_read, (&table, NULL, NULL, true, types, 2, NULL, 0, NULL), CTORCH_ERROR_NULL_ARGUMENT, "reader");
  ck_call_fails(ctorch_csv_read_lines, (NULL, reader), CTORCH_ERROR_NULL_ARGUMENT, "out");
  ck_assert_ptr_eq(table, before);
  ck_assert_int_eq(ctorch_debug_live_handles(), live);
  ctorch_reader_release(reader);
}
END_TEST

int main(void) {
  Suite *suite = suite_create("csv");
  ck_case(suite, a_column_is_a_tensor_or_a_list);
  ck_case(suite, lines_are_texts);
  ck_case(suite, a_failure_leaves_outputs_and_handles_alone);
  return ck_main(suite);
}
