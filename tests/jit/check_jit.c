/* TorchScript from C: modules made of source and of traces, called, looked into, changed, saved and loaded. What Python
 * writes and reads is in tests/jit. */
#include <pthread.h>

#include "harness/boxed_values.h"

static ctorch_jit_module *compiled(const char *source) {
  ctorch_jit_module *out = NULL;
  ck_ok(ctorch_jit_compile(&out, source));
  return out;
}

static ctorch_value *call(
    const ctorch_jit_module *self, const char *method, const ctorch_value *const *args, size_t args_len) {
  ctorch_value *out = NULL;
  ck_ok(ctorch_jit_module_call(&out, self, method, args, args_len, NULL));
  return out;
}

/** y = x * weight + shift, with a weight of [2, 3] and a shift of [1, 1] that is a buffer. */
static ctorch_jit_module *affine(void) {
  ctorch_jit_module *out = NULL;
  ctorch_tensor *weight = floats(CTORCH_INTS(2), 2, 3);
  ck_ok(ctorch_tensor_set_requires_grad(weight, true));
  ck_ok(ctorch_jit_module_new(&out, "Affine"));
  ck_ok(ctorch_jit_module_register_parameter(out, "weight", weight));
  ck_ok(ctorch_jit_module_register_buffer(out, "shift", floats(CTORCH_INTS(2), 1, 1)));
  ck_ok(ctorch_jit_module_define(
      out,
      "def forward(self, x: Tensor) -> Tensor:\n"
      "    return x * self.weight + self.shift\n"));
  return out;
}

static ctorch_tensor *forward(const ctorch_jit_module *self, const ctorch_tensor *input) {
  ctorch_tensor *out = NULL;
  ck_ok(ctorch_jit_module_forward(&out, self, input));
  return out;
}

static ctorch_reader *saved(const ctorch_jit_module *self, const ctorch_value *extra_files) {
  ctorch_writer *writer = NULL;
  ctorch_reader *reader = NULL;
  ck_ok(ctorch_writer_new(&writer));
  ck_ok(ctorch_jit_save_with_extra_files(self, writer, extra_files));
  ck_ok(ctorch_writer_finish(writer));
  ck_ok(ctorch_reader_from_data(&reader, ctorch_writer_data(writer), ctorch_writer_nbytes(writer), NULL, NULL));
  return reader;
}

START_TEST(functions_of_a_source_are_methods) {
  ctorch_jit_module *functions = compiled(
      "def scale(x: Tensor, by: float = 2.0) -> Tensor:\n"
      "    return x * by\n"
      "def twice(x: Tensor) -> Tensor:\n"
      "    return scale(scale(x), by=3.0)\n");
  ctorch_value *x = boxed_tensor(floats(CTORCH_INTS(2), 1, 2)), *out = NULL, *names = NULL;
  ctorch_string *text = NULL;
  ck_floats(unboxed_tensor(call(functions, "scale", VALUES(x))), CTORCH_INTS(2), 2, 4);
  ck_floats(unboxed_tensor(call(functions, "scale", VALUES(x, boxed_int(5)))), CTORCH_INTS(2), 5, 10);
  ck_floats(unboxed_tensor(call(functions, "scale", VALUES(x, NULL))), CTORCH_INTS(2), 2, 4);
  ck_floats(unboxed_tensor(call(functions, "twice", VALUES(x))), CTORCH_INTS(2), 6, 12);
  ctorch_value *keywords = boxed_dict(VALUES(boxed_string("by"), boxed_string("x")), VALUES(boxed_double(4), x));
  ck_ok(ctorch_jit_module_call(&out, functions, "scale", NO_VALUES, keywords));
  ck_floats(unboxed_tensor(out), CTORCH_INTS(2), 4, 8);
  ck_ok(ctorch_jit_module_method_names(&names, functions));
  ck_repr(names, "['scale', 'twice']");
  ck_ok(ctorch_jit_module_schema(&text, functions, "scale"));
  ck_assert_ptr_nonnull(strstr(ctorch_string_data(text), "Tensor x, float by=2.) -> Tensor"));
  ck_assert(ctorch_jit_module_has_method(functions, "twice") && !ctorch_jit_module_has_method(functions, "thrice"));
  out = NULL;
  ck_call_fails(ctorch_jit_module_call, (&out, functions, "thrice", NO_VALUES, NULL), CTORCH_ERROR_RUNTIME, "'thrice'");
  ck_call_fails(
      ctorch_jit_module_call, (&out, functions, "scale", NO_VALUES, NULL), CTORCH_ERROR_TYPE,
      "missing a value for argument 'x'");
  ck_call_fails(
      ctorch_jit_module_call, (&out, functions, "scale", VALUES(x, x, x), NULL), CTORCH_ERROR_TYPE,
      "takes 2 arguments");
  ck_call_fails(
      ctorch_jit_module_call, (&out, functions, "scale", VALUES(x, boxed_string("a")), NULL), CTORCH_ERROR_TYPE,
      "argument 'by' must be float, not str");
  ck_call_fails(
      ctorch_jit_module_call, (&out, functions, "scale", VALUES(x), keywords), CTORCH_ERROR_TYPE,
      "multiple values for argument 'x'");
  ck_call_fails(
      ctorch_jit_module_call, (&out, functions, "scale", VALUES(NULL), NULL), CTORCH_ERROR_NULL_ARGUMENT, "'x'");
  ck_call_fails(
      ctorch_jit_module_call, (&out, functions, "scale", NO_VALUES, boxed_dict(VALUES(boxed_string("z")), VALUES(x))),
      CTORCH_ERROR_TYPE, "unexpected argument 'z'");
  ck_assert_ptr_null(out);
}
END_TEST

START_TEST(what_does_not_compile_is_told_with_its_place) {
  ctorch_jit_module *out = NULL;
  char deep[4096] = "def f(x: Tensor):\n    return ";
  ck_call_fails(ctorch_jit_compile, (&out, "def f(x):\n    return y\n"), CTORCH_ERROR_SYNTAX, "undefined value y");
  ck_call_fails(ctorch_jit_compile, (&out, "def f(x:\n"), CTORCH_ERROR_SYNTAX, "def f(x:");
  memset(deep + strlen(deep), '(', 1000);
  ck_call_fails(ctorch_jit_compile, (&out, deep), CTORCH_ERROR_INVALID_ARGUMENT, "nested deeper");
  ck_call_fails(ctorch_jit_compile, (&out, "\xff"), CTORCH_ERROR_INVALID_ARGUMENT, "UTF-8");
  ck_call_fails(ctorch_jit_compile, (&out, NULL), CTORCH_ERROR_NULL_ARGUMENT, "source");
  ck_call_fails(ctorch_jit_compile, (NULL, "def f(x):\n    return x\n"), CTORCH_ERROR_NULL_ARGUMENT, "out");
  ck_assert_ptr_null(out);
}
END_TEST

START_TEST(an_error_inside_carries_the_traceback) {
  ctorch_jit_module *functions = compiled(
      "def inner(x: Tensor) -> Tensor:\n"
      "    return x.view([5])\n"
      "def outer(x: Tensor) -> Tensor:\n"
      "    return inner(x)\n"
      "def check(x: Tensor) -> Tensor:\n"
      "    assert x.dim() == 2, \"two dimensions\"\n"
      "    return x\n");
  ctorch_value *x = boxed_tensor(floats(CTORCH_INTS(2), 1, 2)), *out = NULL;
  ck_fails(
      ctorch_jit_module_call(&out, functions, "outer", VALUES(x), NULL), CTORCH_ERROR_RUNTIME,
      "Traceback of TorchScript");
  ck_fails(
      ctorch_jit_module_call(&out, functions, "outer", VALUES(x), NULL), CTORCH_ERROR_RUNTIME, "return x.view([5])");
  ck_fails(
      ctorch_jit_module_call(&out, functions, "outer", VALUES(x), NULL), CTORCH_ERROR_RUNTIME,
      "shape '[5]' is invalid for input of size 2");
  ck_fails(ctorch_jit_module_call(&out, functions, "check", VALUES(x), NULL), CTORCH_ERROR_RUNTIME, "two dimensions");
}
END_TEST

START_TEST(members_are_found_by_their_names) {
  ctorch_jit_module *inner = affine(), *outer = NULL, *found = NULL;
  ctorch_value *value = NULL;
  ck_ok(ctorch_jit_module_new(&outer, "Net"));
  ck_ok(ctorch_jit_module_register_module(outer, "layer", inner));
  ck_ok(ctorch_jit_module_register_attribute(
      outer, "sizes", boxed_list(VALUES(boxed_int(1), boxed_int(2))), "List[int]"));
  ck_ok(ctorch_jit_module_register_attribute(outer, "maybe", boxed_none(), "Optional[float]"));
  ck_ok(ctorch_jit_module_define(
      outer,
      "def forward(self, x: Tensor) -> Tensor:\n"
      "    return self.layer.forward(x) * self.sizes[1]\n"));
  ck_floats(forward(outer, floats(CTORCH_INTS(2), 1, 1)), CTORCH_INTS(2), 6, 8);
  ck_assert_str_eq(ctorch_jit_module_name(outer), "__torch__.Net");
  ck_ok(ctorch_jit_module_named_parameters(&value, outer, true));
  ck_assert_uint_eq(ctorch_value_len(value), 1);
  ck_ok(ctorch_value_dict_at(&value, value, "layer.weight"));
  ck_floats(unboxed_tensor(value), CTORCH_INTS(2), 2, 3);
  ck_ok(ctorch_jit_module_named_parameters(&value, outer, false));
  ck_assert_uint_eq(ctorch_value_len(value), 0);
  ck_ok(ctorch_jit_module_named_buffers(&value, outer, true));
  ck_ok(ctorch_value_dict_keys(&value, value));
  ck_repr(value, "['layer.shift']");
  ck_ok(ctorch_jit_module_named_attributes(&value, outer, false));
  ck_repr(value, "{'training': True, 'sizes': [1, 2], 'maybe': None}");
  ck_ok(ctorch_jit_module_module_names(&value, outer, true));
  ck_repr(value, "['layer']");
  ck_ok(ctorch_jit_module_get_module(&found, outer, "layer"));
  ck_assert_str_eq(ctorch_jit_module_name(found), "__torch__.Affine");
  ck_ok(ctorch_jit_module_set_attribute(outer, "sizes", boxed_ints((const int64_t[]){0, 10}, 2)));
  ck_ok(ctorch_jit_module_set_attribute(outer, "maybe", boxed_int(3)));
  ck_ok(ctorch_jit_module_set_attribute(outer, "layer.weight", boxed_tensor(floats(CTORCH_INTS(2), 4, 4))));
  ck_ok(ctorch_jit_module_get_attribute(&value, outer, "maybe"));
  ck_repr(value, "3.0");
  ck_floats(forward(outer, floats(CTORCH_INTS(2), 1, 1)), CTORCH_INTS(2), 50, 50);
  ck_assert(ctorch_jit_module_has_attribute(outer, "layer.shift") && !ctorch_jit_module_has_attribute(outer, "x.y"));
  ck_call_fails(
      ctorch_jit_module_set_attribute, (outer, "sizes", boxed_string("a")), CTORCH_ERROR_TYPE, "expected List[int]");
  ck_call_fails(ctorch_jit_module_set_attribute, (outer, "layer", NULL), CTORCH_ERROR_TYPE, "is a module");
  ck_call_fails(ctorch_jit_module_get_attribute, (&value, outer, "layer.none"), CTORCH_ERROR_INDEX, "layer.none");
  ck_call_fails(ctorch_jit_module_get_module, (&found, outer, "sizes"), CTORCH_ERROR_INDEX, "sizes");
  ck_call_fails(ctorch_jit_module_register_module, (inner, "self", outer), CTORCH_ERROR_RUNTIME, "inside itself");
  ck_call_fails(
      ctorch_jit_module_register_buffer, (outer, "layer", floats(CTORCH_INTS(1), 1)), CTORCH_ERROR_RUNTIME, "already");
  ck_call_fails(
      ctorch_jit_module_register_buffer, (outer, "a b", floats(CTORCH_INTS(1), 1)), CTORCH_ERROR_INVALID_ARGUMENT,
      "identifier");
  ck_call_fails(ctorch_jit_module_register_attribute, (outer, "z", boxed_int(1), "List["), CTORCH_ERROR_SYNTAX, NULL);
  ck_call_fails(ctorch_jit_module_define, (outer, "def forward(self):\n    return 1\n"), CTORCH_ERROR_RUNTIME, NULL);
}
END_TEST

START_TEST(what_is_saved_is_loaded) {
  ctorch_jit_module *module = affine(), *loaded = NULL;
  ctorch_value *files = boxed_dict(
      VALUES(boxed_string("labels.txt"), boxed_string("raw")), VALUES(boxed_string("cat\n"), boxed_bytes("\0\1", 2)));
  ck_ok(ctorch_jit_module_train(module, false));
  ctorch_reader *reader = saved(module, files);
  ck_ok(ctorch_jit_load(&loaded, reader, CPU));
  ck_assert(!ctorch_jit_module_is_training(loaded));
  ctorch_tensor *x = floats(CTORCH_INTS(2), 1, 2), *y = forward(loaded, x);
  ck_floats(y, CTORCH_INTS(2), 3, 7);
  ck_assert(ctorch_tensor_requires_grad(y));
  ctorch_value *read = NULL, *labels = NULL;
  ck_ok(ctorch_jit_extra_files(&read, reader));
  ck_assert_uint_eq(ctorch_value_len(read), 2);
  ck_ok(ctorch_value_dict_at(&labels, read, "labels.txt"));
  ck_repr(labels, "b'cat\\n'");
  ck_ok(ctorch_value_dict_at(&labels, read, "raw"));
  ck_repr(labels, "b'\\x00\\x01'");
  ctorch_writer *writer = NULL;
  ck_ok(ctorch_writer_new(&writer));
  ck_call_fails(
      ctorch_jit_save_with_extra_files,
      (module, writer, boxed_dict(VALUES(boxed_string("../x")), VALUES(boxed_string("")))), CTORCH_ERROR_VALUE, "../x");
  ck_call_fails(
      ctorch_jit_save_with_extra_files, (module, writer, boxed_dict(VALUES(boxed_string("x")), VALUES(boxed_int(1)))),
      CTORCH_ERROR_TYPE, "extra_files");
}
END_TEST

START_TEST(what_is_no_module_is_refused) {
  ctorch_reader *reader = NULL, *whole = saved(affine(), NULL);
  ctorch_jit_module *loaded = NULL;
  const size_t nbytes = ctorch_reader_nbytes(whole);
  char *data = malloc(nbytes);
  ck_ok(ctorch_reader_read(whole, 0, data, nbytes));
  ck_ok(ctorch_reader_from_data(&reader, "no zip file", 11, NULL, NULL));
  ck_call_fails(ctorch_jit_load, (&loaded, reader, NULL), CTORCH_ERROR_FORMAT, "zip");
  ck_ok(ctorch_reader_from_data(&reader, NULL, 0, NULL, NULL));
  ck_call_fails(ctorch_jit_load, (&loaded, reader, NULL), CTORCH_ERROR_FORMAT, NULL);
  for (size_t cut = 1; cut < nbytes; cut += 37) {
    ck_ok(ctorch_reader_from_data(&reader, data, nbytes - cut, NULL, NULL));
    ck_call_fails(ctorch_jit_load, (&loaded, reader, NULL), CTORCH_ERROR_FORMAT, NULL);
    ctorch_reader_release(reader);
  }
  ctorch_writer *writer = NULL;
  ck_ok(ctorch_writer_new(&writer));
  ck_ok(ctorch_serialization_save(writer, boxed_int(1), 0));
  ck_ok(ctorch_writer_finish(writer));
  ck_ok(ctorch_reader_from_data(&reader, ctorch_writer_data(writer), ctorch_writer_nbytes(writer), NULL, NULL));
  ck_call_fails(ctorch_jit_load, (&loaded, reader, NULL), CTORCH_ERROR_FORMAT, "constants.pkl");
  ck_call_fails(ctorch_jit_load, (&loaded, NULL, NULL), CTORCH_ERROR_NULL_ARGUMENT, "reader");
  ck_call_fails(ctorch_jit_load, (NULL, whole, NULL), CTORCH_ERROR_NULL_ARGUMENT, "out");
  ck_call_fails(ctorch_jit_load_file, (&loaded, "/no/such/file.pt", NULL), CTORCH_ERROR_IO, "/no/such/file.pt");
  ck_assert_ptr_null(loaded);
  free(data);
}
END_TEST

static ctorch_callback_status refuse_bytes(const void *data, size_t nbytes, ctorch_error **error, void *payload) {
  (void)data, (void)nbytes, (void)payload;
  *error = NULL;
  ck_ok(ctorch_error_new(error, CTORCH_ERROR_IO, "the disk is full"));
  return 0;
}

static ctorch_callback_status give_no_bytes(
    void *data, size_t nbytes, size_t offset, ctorch_error **error, void *payload) {
  (void)data, (void)nbytes, (void)offset, (void)payload;
  ck_ok(ctorch_error_new(error, CTORCH_ERROR_IO, "the disk is gone"));
  return 0;
}

START_TEST(failures_of_readers_and_writers_come_out_unchanged) {
  ctorch_writer *writer = NULL;
  ctorch_reader *reader = NULL;
  ctorch_jit_module *module = affine(), *loaded = NULL;
  ctorch_tensor *large = NULL;
  ck_ok(ctorch_aten_zeros(&large, CTORCH_INTS(1 << 20), NULL, NULL, NULL, NULL));
  ck_ok(ctorch_jit_module_register_buffer(module, "large", large));
  ck_ok(ctorch_writer_from_callback(&writer, refuse_bytes, NULL, NULL));
  ck_fails(ctorch_jit_save(module, writer), CTORCH_ERROR_IO, "the disk is full");
  ck_ok(ctorch_reader_from_callback(&reader, 1000, give_no_bytes, NULL, NULL));
  ck_fails(ctorch_jit_load(&loaded, reader, NULL), CTORCH_ERROR_IO, "the disk is gone");
}
END_TEST

START_TEST(a_module_is_changed_as_a_whole) {
  ctorch_jit_module *module = affine(), *copy = NULL, *fast = NULL;
  ctorch_value *weight = NULL;
  const ctorch_dtype doubled = CTORCH_DTYPE_FLOAT64, ints = CTORCH_DTYPE_INT64;
  ck_assert(ctorch_jit_module_is_training(module));
  ck_fails(ctorch_jit_module_freeze(&fast, module, NULL, 0, true), CTORCH_ERROR_RUNTIME, "training mode");
  ck_ok(ctorch_jit_module_train(module, false));
  ck_assert(!ctorch_jit_module_is_training(module));
  ck_ok(ctorch_jit_module_copy(&copy, module));
  ck_ok(ctorch_jit_module_get_attribute(&weight, module, "weight"));
  ck_ok(ctorch_jit_module_to(module, CPU, &doubled, false));
  ck_assert_int_eq(ctorch_tensor_dtype(unboxed_tensor(weight)), CTORCH_DTYPE_FLOAT64);
  ck_assert(ctorch_tensor_requires_grad(unboxed_tensor(weight)));
  ck_doubles(forward(module, doubles(CTORCH_INTS(2), 1, 2)), CTORCH_INTS(2), 3, 7);
  ck_floats(forward(copy, floats(CTORCH_INTS(2), 1, 2)), CTORCH_INTS(2), 3, 7);
  ck_fails(ctorch_jit_module_to(module, NULL, &ints, false), CTORCH_ERROR_TYPE, "dtype");
  ck_ok(ctorch_jit_module_freeze(&fast, copy, (const char *const[]){"shift"}, 1, true));
  ck_assert(ctorch_jit_module_has_attribute(fast, "shift") && !ctorch_jit_module_has_attribute(fast, "weight"));
  ck_floats(forward(fast, floats(CTORCH_INTS(2), 1, 2)), CTORCH_INTS(2), 3, 7);
  ck_ok(ctorch_jit_module_optimize_for_inference(&fast, copy, NULL, 0));
  ck_floats(forward(fast, floats(CTORCH_INTS(2), 1, 2)), CTORCH_INTS(2), 3, 7);
  ck_fails(ctorch_jit_module_freeze(&fast, copy, (const char *const[]){"none"}, 1, true), CTORCH_ERROR_RUNTIME, "none");
}
END_TEST

/** The traceback names methods that were inlined: those of modules that are gone otherwise. */
START_TEST(a_frozen_module_outlives_what_it_was_made_of) {
  ctorch_jit_module *inner = affine(), *outer = NULL, *frozen = NULL, *copy = NULL;
  ctorch_tensor *out = NULL, *wrong = floats(CTORCH_INTS(3), 1, 2, 3);
  ck_ok(ctorch_jit_module_new(&outer, "Net"));
  ck_ok(ctorch_jit_module_register_module(outer, "layer", inner));
  ck_ok(ctorch_jit_module_define(outer, "def forward(self, x: Tensor) -> Tensor:\n    return self.layer.forward(x)\n"));
  ck_ok(ctorch_jit_module_train(outer, false));
  ck_ok(ctorch_jit_module_freeze(&frozen, outer, NULL, 0, true));
  ctorch_jit_module_release(inner);
  ctorch_jit_module_release(outer);
  ck_ok(ctorch_jit_module_copy(&copy, frozen));
  ctorch_jit_module_release(frozen);
  ck_fails(ctorch_jit_module_forward(&out, copy, wrong), CTORCH_ERROR_RUNTIME, "Traceback of TorchScript");
  ck_floats(forward(copy, floats(CTORCH_INTS(2), 1, 2)), CTORCH_INTS(2), 3, 7);
}
END_TEST

/* Tracing. */

#define TRACED(name)                                                                                \
  static ctorch_callback_status name(                                                               \
      ctorch_value **results, size_t results_len, const ctorch_value *const *args, size_t args_len, \
      ctorch_error **error, void *payload)

/** (x, y) -> (relu(x) * y + weight, {"sum": …}); weight is the payload. */
TRACED(mixture) {
  (void)results_len, (void)args_len, (void)error;
  ctorch_scope *scope = NULL;
  ctorch_tensor *z = NULL, *sum = NULL;
  ck_ok(ctorch_scope_begin(&scope));
  ck_ok(ctorch_aten_relu(&z, unboxed_tensor(args[0])));
  ck_ok(ctorch_aten_mul_Tensor(&z, z, unboxed_tensor(args[1])));
  ck_ok(ctorch_aten_add_Tensor(&z, z, payload, NULL));
  ck_ok(ctorch_aten_sum(&sum, z, NULL));
  *results = boxed_tuple(VALUES(boxed_tensor(z), boxed_dict(VALUES(boxed_string("sum")), VALUES(boxed_tensor(sum)))));
  ck_ok(ctorch_scope_keep(scope, *results));
  ctorch_scope_end(scope);
  return CTORCH_CALLBACK_OK;
}

TRACED(fails) {
  (void)results, (void)results_len, (void)args, (void)args_len, (void)payload;
  ck_ok(ctorch_error_new(error, CTORCH_ERROR_VALUE, "not today"));
  return 0;
}

TRACED(gives_a_number) {
  (void)results_len, (void)args, (void)args_len, (void)error, (void)payload;
  *results = boxed_int(1);
  return CTORCH_CALLBACK_OK;
}

/** A branch that depends on the values: what a trace cannot follow. */
TRACED(branches) {
  (void)results_len, (void)args_len, (void)error, (void)payload;
  double first = 0;
  ctorch_tensor *x = unboxed_tensor(args[0]), *y = NULL, *element = NULL;
  ck_ok(ctorch_aten_select_int(&element, x, 0, 0));
  ck_ok(ctorch_tensor_item_double(&first, element));
  ck_ok(first > 0 ? ctorch_aten_neg(&y, x) : ctorch_aten_abs(&y, x));
  *results = boxed_tensor(y);
  return CTORCH_CALLBACK_OK;
}

START_TEST(a_function_of_c_is_traced) {
  ctorch_jit_module *traced = NULL;
  ctorch_tensor *weight = floats(CTORCH_INTS(2), 10, 20);
  ctorch_value *x = boxed_tensor(floats(CTORCH_INTS(2), -1, 2)), *y = boxed_tensor(floats(CTORCH_INTS(2), 3, 4));
  ctorch_value *other = boxed_tensor(floats(CTORCH_INTS(3, 2), 1, 2, 3, 4, 5, 6));
  ctorch_string *code = NULL;
  ck_ok(ctorch_jit_trace(&traced, mixture, weight, VALUES(x, y)));
  ck_repr(call(traced, NULL, VALUES(x, y)), "(tensor([10., 28.]), {'sum': tensor(38.)})");
  ck_ok(ctorch_jit_check_trace(traced, NULL, mixture, weight, VALUES(other, y), 0, 0));
  ck_ok(ctorch_jit_module_code(&code, traced, NULL));
  ck_assert_ptr_nonnull(strstr(ctorch_string_data(code), "torch.relu"));
  ck_ok(ctorch_jit_module_graph(&code, traced, NULL, true));
  ck_assert_ptr_nonnull(strstr(ctorch_string_data(code), "aten::relu"));
  ck_call_fails(ctorch_jit_trace, (&traced, gives_a_number, NULL, VALUES(x)), CTORCH_ERROR_TYPE, "int");
  ck_call_fails(ctorch_jit_trace, (&traced, mixture, weight, VALUES(boxed_int(1))), CTORCH_ERROR_TYPE, "inputs[0]");
  ck_call_fails(ctorch_jit_trace, (&traced, NULL, NULL, VALUES(x)), CTORCH_ERROR_NULL_ARGUMENT, "function");
  ck_fails(ctorch_jit_trace(&traced, fails, NULL, VALUES(x)), CTORCH_ERROR_VALUE, "not today");
  ck_ok(ctorch_jit_trace(&traced, branches, NULL, VALUES(y)));
  ck_ok(ctorch_jit_check_trace(traced, NULL, branches, NULL, VALUES(y), 0, 0));
  ck_call_fails(
      ctorch_jit_check_trace, (traced, NULL, branches, NULL, VALUES(x), 1e-5, 1e-5), CTORCH_ERROR_RUNTIME,
      "differs by");
}
END_TEST

START_TEST(a_trace_uses_the_tensors_of_its_module) {
  ctorch_jit_module *module = NULL, *loaded = NULL;
  ctorch_tensor *weight = floats(CTORCH_INTS(2), 10, 20);
  ctorch_value *x = boxed_tensor(floats(CTORCH_INTS(2), -1, 2)), *y = boxed_tensor(floats(CTORCH_INTS(2), 3, 4));
  ck_ok(ctorch_jit_module_new(&module, NULL));
  ck_ok(ctorch_jit_module_register_parameter(module, "weight", weight));
  ck_ok(ctorch_jit_module_trace(module, "mix", mixture, weight, VALUES(x, y)));
  ck_ok(ctorch_jit_load(&loaded, saved(module, NULL), NULL));
  ck_ok(ctorch_jit_module_set_attribute(loaded, "weight", boxed_tensor(floats(CTORCH_INTS(2), 0, 0))));
  ck_repr(call(loaded, "mix", VALUES(x, y)), "(tensor([0., 8.]), {'sum': tensor(8.)})");
  ck_call_fails(
      ctorch_jit_module_trace, (module, "mix", mixture, weight, VALUES(x, y)), CTORCH_ERROR_RUNTIME, "already");
}
END_TEST

START_TEST(a_module_of_c_is_traced) {
  ctorch_module *linear = NULL, *relu = NULL, *model = NULL;
  ctorch_jit_module *traced = NULL, *loaded = NULL;
  ctorch_value *x = NULL, *other = NULL, *names = NULL, *parameter = NULL;
  ctorch_tensor *input = NULL, *expected = NULL, *got = NULL, *grad = NULL, *sum = NULL;
  bool same = false;
  ck_ok(ctorch_nn_Linear(&linear, 3, 2, true, NULL, NULL));
  ck_ok(ctorch_nn_ReLU(&relu, false));
  ck_ok(ctorch_nn_Sequential(&model));
  ck_ok(ctorch_module_register_module(model, "0", linear));
  ck_ok(ctorch_module_register_module(model, "1", relu));
  x = boxed_tensor(floats(CTORCH_INTS(1, 3), 1, 2, 3));
  input = floats(CTORCH_INTS(2, 3), 1, -2, 3, 4, 5, -6);
  other = boxed_tensor(input);
  ck_ok(ctorch_jit_trace_module(&traced, model, VALUES(x)));
  ck_ok(ctorch_jit_check_trace_module(traced, model, VALUES(other), 0, 0));
  ck_ok(ctorch_jit_module_named_parameters(&names, traced, true));
  ck_ok(ctorch_value_dict_at(&parameter, names, "0.weight"));
  ck_assert(ctorch_tensor_requires_grad(unboxed_tensor(parameter)));
  ck_ok(ctorch_value_dict_keys(&names, names));
  ck_repr(names, "['0.weight', '0.bias']");
  ck_ok(ctorch_jit_load(&loaded, saved(traced, NULL), NULL));
  ck_ok(ctorch_module_forward(&expected, model, input));
  got = forward(loaded, input);
  ck_ok(ctorch_aten_equal(&same, got, expected));
  ck_assert(same && ctorch_jit_module_is_training(loaded));
  ck_ok(ctorch_aten_sum(&sum, got, NULL));
  ck_ok(ctorch_tensor_backward(sum, NULL, NULL, false));
  ck_ok(ctorch_jit_module_get_attribute(&parameter, loaded, "0.bias"));
  ck_ok(ctorch_tensor_grad(&grad, unboxed_tensor(parameter)));
  ck_assert_ptr_nonnull(grad);
}
END_TEST

START_TEST(a_module_is_saved_for_phones) {
  ctorch_writer *writer = NULL;
  ctorch_reader *reader = NULL;
  ctorch_jit_module *loaded = NULL;
  ck_ok(ctorch_writer_new(&writer));
  ck_ok(ctorch_jit_save_for_mobile(affine(), writer, NULL, true));
  ck_ok(ctorch_writer_finish(writer));
  ck_ok(ctorch_reader_from_data(&reader, ctorch_writer_data(writer), ctorch_writer_nbytes(writer), NULL, NULL));
  ck_ok(ctorch_jit_load(&loaded, reader, NULL));
  ck_floats(forward(loaded, floats(CTORCH_INTS(2), 1, 2)), CTORCH_INTS(2), 3, 7);
}
END_TEST

/* Threads. */

enum { THREADS = 4, CALLS = 50 };

static void *call_often(void *payload) {
  ctorch_jit_module *module = payload;
  for (int i = 0; i < CALLS; i++) {
    ctorch_scope *scope = NULL;
    ck_ok(ctorch_scope_begin(&scope));
    ck_floats(forward(module, floats(CTORCH_INTS(2), 1, 2)), CTORCH_INTS(2), 3, 7);
    ctorch_scope_end(scope);
  }
  ctorch_jit_module_release(module);
  return NULL;
}

/* A text of TorchScript's may begin as the keys do that ctorch files under texts of its own (value/value_key.cpp). */
START_TEST(a_key_that_looks_filed_is_the_text_that_it_is) {
  static const char *const keys[] = {
      "",
      "h",
      "h12345678",
      "i",
      "f123",
      "c12345678",
      "s\\377\\377\\377\\377\\377\\377\\377\\377",
      "t\\377\\377\\377\\377\\377\\377\\377\\377",
      "t\\001\\000\\000\\000\\000\\000\\000\\000t",
      "zzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzz",
      "e\\143\\000\\000\\000\\001\\000\\000\\000",
      "v\\177\\000",
      "n and more",
      "?",
  };
  for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
    char source[300];
    snprintf(source, sizeof source, "def f(self) -> Dict[str, int]:\n    return {'\\377%s': 1}\n", keys[i]);
    ctorch_jit_module *self = NULL;
    ck_ok(ctorch_jit_module_new(&self, "Keys"));
    ck_ok(ctorch_jit_module_define(self, source));
    ctorch_value *dict = call(self, "f", NULL, 0), *names = NULL, *name = NULL;
    ck_ok(ctorch_value_dict_keys(&names, dict));
    ck_ok(ctorch_value_get(&name, names, 0));
    ck_assert_int_eq(ctorch_value_kind_of(name), CTORCH_VALUE_STRING);
  }
}
END_TEST

START_TEST(threads_call_one_module_at_once) {
  pthread_t threads[THREADS];
  ctorch_jit_module *module = affine();
  for (int i = 0; i < THREADS; i++) {
    ctorch_jit_module_retain(module);
    ck_ok(ctorch_scope_keep(scope_of_the_test, module));
    ck_assert_int_eq(pthread_create(&threads[i], NULL, call_often, module), 0);
  }
  for (int i = 0; i < THREADS; i++) {
    pthread_join(threads[i], NULL);
  }
}
END_TEST

int main(void) {
  Suite *suite = suite_create("jit");
  ck_scoped_case(suite, functions_of_a_source_are_methods);
  ck_scoped_case(suite, what_does_not_compile_is_told_with_its_place);
  ck_scoped_case(suite, an_error_inside_carries_the_traceback);
  ck_scoped_case(suite, members_are_found_by_their_names);
  ck_scoped_case(suite, what_is_saved_is_loaded);
  ck_scoped_case(suite, what_is_no_module_is_refused);
  ck_scoped_case(suite, failures_of_readers_and_writers_come_out_unchanged);
  ck_scoped_case(suite, a_module_is_changed_as_a_whole);
  ck_scoped_case(suite, a_frozen_module_outlives_what_it_was_made_of);
  ck_scoped_case(suite, a_function_of_c_is_traced);
  ck_scoped_case(suite, a_trace_uses_the_tensors_of_its_module);
  ck_scoped_case(suite, a_module_of_c_is_traced);
  ck_scoped_case(suite, a_module_is_saved_for_phones);
  ck_scoped_case(suite, a_key_that_looks_filed_is_the_text_that_it_is);
  ck_scoped_case(suite, threads_call_one_module_at_once);
  return ck_main(suite);
}
