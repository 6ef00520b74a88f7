/* Exported programs from C: a small one of two records, and what a failure leaves. Files of Python: tests/package. */
#include "harness/values.h"

static const char PROGRAM[] =
    "{\"graph_module\": {\"graph\": {\"inputs\": [{\"as_tensor\": {\"name\": \"x\"}}], \"outputs\": [{\"as_tensor\": "
    "{\"name\": \"y\"}}], \"nodes\": [{\"target\": \"torch.ops.aten.add.Tensor\", \"inputs\": [{\"name\": \"self\", "
    "\"arg\": {\"as_tensor\": {\"name\": \"x\"}}, \"kind\": 1}, {\"name\": \"other\", \"arg\": {\"as_int\": 1}, "
    "\"kind\": 1}], \"outputs\": [{\"as_tensor\": {\"name\": \"y\"}}]}], \"tensor_values\": {\"x\": {\"dtype\": 7, "
    "\"sizes\": [{\"as_expr\": {\"expr_str\": \"Mul(Integer(2), Symbol('s0', integer=True))\"}}, {\"as_int\": 3}]}}}, "
    "\"signature\": {\"input_specs\": [{\"user_input\": {\"arg\": {\"as_tensor\": {\"name\": \"x\"}}}}], "
    "\"output_specs\": []}}, \"range_constraints\": {\"s0\": {\"min_val\": 2, \"max_val\": null}}, "
    "\"schema_version\": {\"major\": 8, \"minor\": 2}, \"torch_version\": \"2.7.0\"}";

static void put_number(unsigned char *to, size_t number, int nbytes) {
  for (int i = 0; i < nbytes; i++) {
    to[i] = (unsigned char)(number >> 8 * i);
  }
}

/* A zip file with the program alone, as LibTorch 2.7 names it. */
static ctorch_reader *reader_of(const char *program) {
  static const char NAME[] = "serialized_exported_program.json";
  static unsigned char data[4096];
  const size_t name_len = sizeof NAME - 1, len = strlen(program), table = 30 + name_len + len;
  unsigned char *entry = data + table, *end = entry + 46 + name_len;
  ctorch_reader *reader = NULL;
  memset(data, 0, sizeof data);
  ck_assert_uint_lt(table + 46 + name_len + 22, sizeof data);
  memcpy(data, "PK\3\4", 4);
  memcpy(entry, "PK\1\2", 4);
  memcpy(end, "PK\5\6", 4);
  for (int i = 0; i < 2; i++) {
    put_number(data + 18 + 4 * i, len, 4);
    put_number(entry + 20 + 4 * i, len, 4);
    put_number(end + 8 + 2 * i, 1, 2);
  }
  put_number(data + 26, name_len, 2);
  put_number(entry + 28, name_len, 2);
  put_number(end + 12, 46 + name_len, 4);
  put_number(end + 16, table, 4);
  memcpy(data + 30, NAME, name_len);
  memcpy(data + 30 + name_len, program, len);
  memcpy(entry + 46, NAME, name_len);
  ck_ok(ctorch_reader_from_data(&reader, data, (size_t)(end - data) + 22, NULL, NULL));
  return reader;
}

static void check_repr(
    ctorch_error *(*read)(ctorch_value **out, const ctorch_exported_program *self),
    const ctorch_exported_program *program,
    const char *expected) {
  ctorch_value *value = NULL;
  ctorch_string *text = NULL;
  ck_ok(read(&value, program));
  ck_ok(ctorch_value_repr(&text, value));
  ck_assert_str_eq(ctorch_string_data(text), expected);
  ctorch_string_release(text);
  ctorch_value_release(value);
}

START_TEST(a_program_is_read) {
  ctorch_reader *reader = reader_of(PROGRAM);
  ctorch_exported_program *program = NULL;
  ctorch_string *text = NULL;
  ck_ok(ctorch_exported_program_open(&program, reader, NULL));
  check_repr(ctorch_exported_program_operators, program, "['aten::add.Tensor']");
  check_repr(ctorch_exported_program_missing_operators, program, "[]");
  check_repr(ctorch_exported_program_range_constraints, program, "{'s0': [2, None]}");
  check_repr(ctorch_exported_program_metadata, program, "{'torch_version': '2.7.0', 'schema_version': [8, 2]}");
  check_repr(
      ctorch_exported_program_inputs, program,
      "[{'kind': 'user_input', 'name': 'x', 'dtype': 'float32', 'sizes': ['2*s0', 3]}]");
  check_repr(ctorch_exported_program_outputs, program, "[]");
  check_repr(ctorch_exported_program_state_dict, program, "{}");
  check_repr(ctorch_exported_program_constants, program, "{}");
  check_repr(ctorch_exported_program_example_inputs, program, "None");
  ck_ok(ctorch_exported_program_text(&text, program));
  ck_assert_str_eq(
      ctorch_string_data(text), "graph(x: float32[2*s0, 3]):\n  y = aten::add.Tensor(x, 1)\n  return [y]\n");
  ctorch_string_release(text);
  ck_ok(ctorch_exported_program_requirements(&text, program));
  ck_assert_ptr_nonnull(
      strstr(ctorch_string_data(text), "Exported by torch 2.7.0, schema 8.2: 1 calls of 1 operators"));
  ctorch_string_release(text);
  ctorch_exported_program_release(program);
  ctorch_reader_release(reader);
}
END_TEST

START_TEST(a_failure_leaves_outputs_and_handles_alone) {
  ctorch_exported_program *const before = (ctorch_exported_program *)(uintptr_t)8;
  ctorch_exported_program *program = before;
  ctorch_value *value = NULL;
  ctorch_string *text = NULL;
  const int64_t live = ctorch_debug_live_handles();
  ctorch_reader *reader = reader_of("{}");
  ck_call_fails(ctorch_exported_program_open, (&program, reader, NULL), CTORCH_ERROR_FORMAT, "no exported program");
  ck_call_fails(ctorch_exported_program_open, (NULL, reader, NULL), CTORCH_ERROR_NULL_ARGUMENT, "out");
  ck_call_fails(ctorch_exported_program_open, (&program, NULL, NULL), CTORCH_ERROR_NULL_ARGUMENT, "reader");
  ck_call_fails(ctorch_exported_program_open, (&program, reader, "\xff"), CTORCH_ERROR_INVALID_ARGUMENT, "model_name");
  ctorch_reader_release(reader);
  ck_call_fails(ctorch_exported_program_open_file, (&program, NULL, NULL), CTORCH_ERROR_NULL_ARGUMENT, "path");
  ck_call_fails(ctorch_exported_program_open_file, (&program, "/no/file", NULL), CTORCH_ERROR_IO, "/no/file");
  ck_assert_ptr_eq(program, before);
  ck_call_fails(ctorch_exported_program_inputs, (&value, NULL), CTORCH_ERROR_NULL_ARGUMENT, "self");
  ck_call_fails(ctorch_exported_program_text, (&text, NULL), CTORCH_ERROR_NULL_ARGUMENT, "self");
  ctorch_exported_program_retain(NULL);
  ctorch_exported_program_release(NULL);
  ck_assert_int_eq(ctorch_debug_live_handles(), live);
}
END_TEST

int main(void) {
  Suite *suite = suite_create("exported_program");
  ck_case(suite, a_program_is_read);
  ck_case(suite, a_failure_leaves_outputs_and_handles_alone);
  return ck_main(suite);
}
