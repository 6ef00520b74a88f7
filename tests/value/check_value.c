/* Values: what goes in comes out, lists and dicts shared as in Python, text, equality, copies, and what is refused. */
#include "harness/boxed_values.h"
#include "harness/colliding_keys.h"
#include "harness/small_stack.h"

static bool equal(const ctorch_value *a, const ctorch_value *b) {
  bool out = false, back = false;
  ck_ok(ctorch_value_equal(&out, a, b));
  ck_ok(ctorch_value_equal(&back, b, a));
  ck_assert_int_eq(out, back);
  return out;
}

static int64_t int_at(const ctorch_value *list, size_t index) {
  ctorch_value *entry = NULL;
  int64_t number = 0;
  ck_ok(ctorch_value_get(&entry, list, index));
  ck_ok(ctorch_value_to_int(&number, entry));
  ctorch_value_release(entry);
  return number;
}

START_TEST(what_goes_in_comes_out) {
  int64_t integer = 0;
  double number = 0, real = 0, imaginary = 0;
  bool truth = false;
  const char *text = NULL;
  size_t len = 0;
  ctorch_device device = {0, 0};
  ctorch_stream stream = {0, 0, 0};
  ctorch_tensor *x = floats(CTORCH_INTS(2), 1, 2), *tensor = NULL;

  ck_ok(ctorch_value_to_int(&integer, boxed_int(INT64_MIN)));
  ck_assert_int_eq(integer, INT64_MIN);
  ck_ok(ctorch_value_to_double(&number, boxed_double(0.1)));
  ck_assert_double_eq(number, 0.1);
  ck_ok(ctorch_value_to_double(&number, boxed_int(3)));
  ck_assert_double_eq(number, 3);
  ck_ok(ctorch_value_to_bool(&truth, boxed_bool(true)));
  ck_assert(truth);
  ck_ok(ctorch_value_to_complex(&real, &imaginary, boxed_complex(1.5, -2)));
  ck_assert(real == 1.5 && imaginary == -2);
  ck_ok(ctorch_value_to_complex(&real, &imaginary, boxed_int(4)));
  ck_assert(real == 4 && imaginary == 0);
  ck_ok(ctorch_value_to_string(&text, &len, boxed_string("größe")));
  ck_assert_str_eq(text, "größe");
  ck_assert_uint_eq(len, 7);
  ck_ok(ctorch_value_to_string(&text, NULL, boxed_string("")));
  ck_assert_str_eq(text, "");
  ck_ok(ctorch_value_to_device(&device, boxed_device(&(ctorch_device){CTORCH_DEVICE_TYPE_CUDA, 3})));
  ck_assert(device.type == CTORCH_DEVICE_TYPE_CUDA && device.index == 3);
  ck_ok(ctorch_value_to_stream(&stream, boxed_stream(&(ctorch_stream){7, CTORCH_DEVICE_TYPE_CUDA, 1})));
  ck_assert(stream.id == 7 && stream.device_type == CTORCH_DEVICE_TYPE_CUDA && stream.device_index == 1);
  ck_ok(ctorch_value_to_tensor(&tensor, boxed_tensor(x)));
  ck_assert_ptr_eq(tensor, x);
  ck_ok(ctorch_value_to_tensor(&tensor, boxed_none()));
  ck_assert_ptr_null(tensor);
  int32_t enumerator = -1;
  ck_ok(ctorch_value_to_dtype(&enumerator, boxed_dtype(CTORCH_DTYPE_FLOAT64)));
  ck_assert_int_eq(enumerator, CTORCH_DTYPE_FLOAT64);
  ck_ok(ctorch_value_to_dtype(&enumerator, boxed_int(CTORCH_DTYPE_INT8)));
  ck_assert_int_eq(enumerator, CTORCH_DTYPE_INT8);
  ck_ok(ctorch_value_to_layout(&enumerator, boxed_layout(CTORCH_LAYOUT_SPARSE_CSR)));
  ck_assert_int_eq(enumerator, CTORCH_LAYOUT_SPARSE_CSR);
  ck_ok(ctorch_value_to_memory_format(&enumerator, boxed_memory_format(CTORCH_MEMORY_FORMAT_CHANNELS_LAST)));
  ck_assert_int_eq(enumerator, CTORCH_MEMORY_FORMAT_CHANNELS_LAST);
}
END_TEST

START_TEST(generators_and_storages_are_the_ones_that_went_in) {
  ctorch_generator *generator = NULL, *same_generator = NULL;
  ctorch_storage *storage = NULL, *same_storage = NULL;
  ck_ok(ctorch_generator_new(&generator, NULL));
  ck_ok(ctorch_storage_new(&storage, 16));
  ck_ok(ctorch_value_to_generator(&same_generator, boxed_generator(generator)));
  ck_ok(ctorch_value_to_storage(&same_storage, boxed_storage(storage)));
  ck_assert_ptr_eq(generator, same_generator);
  ck_assert_ptr_eq(storage, same_storage);
  ck_assert(equal(boxed_generator(generator), boxed_generator(generator)));
  ck_assert(!equal(boxed_generator(generator), boxed_storage(storage)));
}
END_TEST

START_TEST(scalars_keep_their_kind) {
  const ctorch_scalar scalars[] = {
      {CTORCH_SCALAR_INT, 0, -5, 0, 0},
      {CTORCH_SCALAR_FLOAT, 0, 0, 2.5, 0},
      {CTORCH_SCALAR_BOOL, 0, 1, 0, 0},
      {CTORCH_SCALAR_COMPLEX, 0, 0, 1, -1},
      {CTORCH_SCALAR_UINT, 0, INT64_MIN, 0, 0}};
  const char *const reprs[] = {"-5", "2.5", "True", "(1-1j)", "9223372036854775808"};
  for (size_t i = 0; i < sizeof scalars / sizeof *scalars; i++) {
    ctorch_scalar out;
    ctorch_value *value = boxed_scalar(&scalars[i]);
    ck_ok(ctorch_value_to_scalar(&out, value));
    ck_assert_int_eq(out.kind, scalars[i].kind);
    ck_assert(out.i == scalars[i].i && out.re == scalars[i].re && out.im == scalars[i].im);
    ck_repr(value, reprs[i]);
  }
  int64_t integer = 7;
  double number = 0;
  ctorch_value *large = boxed_scalar(&scalars[4]);
  ck_assert_int_eq(ctorch_value_kind_of(large), CTORCH_VALUE_INT);
  ck_fails(ctorch_value_to_int(&integer, large), CTORCH_ERROR_VALUE, "9223372036854775808");
  ck_assert_int_eq(integer, 7);
  ck_ok(ctorch_value_to_double(&number, large));
  ck_assert_double_eq(number, 0x1p63);
  ctorch_value *small = boxed_scalar(&(ctorch_scalar){CTORCH_SCALAR_UINT, 0, 5, 0, 0});
  ck_ok(ctorch_value_to_int(&integer, small));
  ck_assert_int_eq(integer, 5);
  ctorch_value *out = NULL;
  ck_fails(
      ctorch_value_from_scalar(&out, &(ctorch_scalar){99, 0, 0, 0, 0}), CTORCH_ERROR_INVALID_ARGUMENT,
      "value: unknown");
  ck_fails(ctorch_value_from_scalar(&out, NULL), CTORCH_ERROR_NULL_ARGUMENT, "value");
}
END_TEST

START_TEST(another_kind_is_a_type_error_that_names_both) {
  ctorch_value *text = boxed_string("x"), *list = boxed_ints(CTORCH_INTS(1)), *number = boxed_double(1);
  int64_t integer = 0;
  double real = 0, imaginary = 0;
  bool truth = false;
  ctorch_scalar scalar;
  ctorch_tensor *tensor = NULL;
  ctorch_tensor_list *tensors = NULL;
  ctorch_device device;
  ctorch_stream stream;
  ctorch_generator *generator = NULL;
  ctorch_storage *storage = NULL;
  const char *data = NULL;
  ck_fails(ctorch_value_to_int(&integer, text), CTORCH_ERROR_TYPE, "expected int, found str");
  ck_fails(ctorch_value_to_int(&integer, number), CTORCH_ERROR_TYPE, "expected int, found float");
  ck_fails(ctorch_value_to_int(&integer, boxed_bool(true)), CTORCH_ERROR_TYPE, "expected int, found bool");
  ck_fails(ctorch_value_to_double(&real, text), CTORCH_ERROR_TYPE, "expected float, found str");
  ck_fails(ctorch_value_to_bool(&truth, boxed_int(1)), CTORCH_ERROR_TYPE, "expected bool, found int");
  ck_fails(ctorch_value_to_complex(&real, &imaginary, list), CTORCH_ERROR_TYPE, "expected complex, found list");
  ck_fails(ctorch_value_to_scalar(&scalar, boxed_none()), CTORCH_ERROR_TYPE, "found None");
  ck_fails(ctorch_value_to_string(&data, NULL, number), CTORCH_ERROR_TYPE, "expected str, found float");
  ck_fails(ctorch_value_to_tensor(&tensor, number), CTORCH_ERROR_TYPE, "expected Tensor, found float");
  ck_fails(ctorch_value_to_tensors(&tensors, list), CTORCH_ERROR_TYPE, "self[0]: expected Tensor, found int");
  ck_fails(ctorch_value_to_tensors(&tensors, text), CTORCH_ERROR_TYPE, "expected list or tuple, found str");
  ck_fails(ctorch_value_to_device(&device, text), CTORCH_ERROR_TYPE, "expected Device, found str");
  ck_fails(ctorch_value_to_stream(&stream, text), CTORCH_ERROR_TYPE, "expected Stream, found str");
  ck_fails(ctorch_value_to_generator(&generator, text), CTORCH_ERROR_TYPE, "expected Generator, found str");
  ck_fails(ctorch_value_to_storage(&storage, text), CTORCH_ERROR_TYPE, "expected Storage, found str");
  ck_fails(ctorch_value_to_int(NULL, text), CTORCH_ERROR_NULL_ARGUMENT, "out");
  ck_fails(ctorch_value_to_int(&integer, NULL), CTORCH_ERROR_NULL_ARGUMENT, "self");
  ck_fails(ctorch_value_to_complex(&real, NULL, number), CTORCH_ERROR_NULL_ARGUMENT, "out_imaginary");
}
END_TEST

START_TEST(what_has_no_value_is_refused) {
  ctorch_value *out = NULL;
  const char *const invalid[] = {"fine", "\xff"}, *const missing[] = {"fine", NULL};
  ck_fails(ctorch_value_from_none(NULL), CTORCH_ERROR_NULL_ARGUMENT, "out");
  ck_fails(ctorch_value_from_string(&out, NULL), CTORCH_ERROR_NULL_ARGUMENT, "text");
  ck_fails(ctorch_value_from_string(&out, "\xc0\x80"), CTORCH_ERROR_INVALID_ARGUMENT, "text: not UTF-8");
  ck_fails(ctorch_value_from_strings(&out, invalid, 2), CTORCH_ERROR_INVALID_ARGUMENT, "values[1]: not UTF-8");
  ck_fails(ctorch_value_from_strings(&out, missing, 2), CTORCH_ERROR_NULL_ARGUMENT, "values[1]");
  ck_fails(ctorch_value_from_bytes(&out, NULL, 3), CTORCH_ERROR_NULL_ARGUMENT, "data");
  ck_fails(ctorch_value_from_bytes(&out, "x", SIZE_MAX), CTORCH_ERROR_INVALID_ARGUMENT, "data: absurd length");
  ck_fails(ctorch_value_from_ints(&out, NULL, 1), CTORCH_ERROR_NULL_ARGUMENT, "values");
  ck_fails(ctorch_value_from_list(&out, NULL, 1), CTORCH_ERROR_NULL_ARGUMENT, "values");
  ck_fails(
      ctorch_value_from_list(&out, (const ctorch_value *const[]){NULL}, SIZE_MAX / 2), CTORCH_ERROR_INVALID_ARGUMENT,
      "absurd");
  ck_fails(ctorch_value_from_device(&out, NULL), CTORCH_ERROR_NULL_ARGUMENT, "device");
  ck_fails(
      ctorch_value_from_device(&out, &(ctorch_device){CTORCH_DEVICE_TYPE_CPU, 5}), CTORCH_ERROR_INVALID_ARGUMENT,
      "device");
  ck_fails(
      ctorch_value_from_stream(&out, &(ctorch_stream){0, 999, 0}), CTORCH_ERROR_INVALID_ARGUMENT, "stream: unknown");
  ck_fails(ctorch_value_from_generator(&out, NULL), CTORCH_ERROR_NULL_ARGUMENT, "generator");
  ck_fails(ctorch_value_from_storage(&out, NULL), CTORCH_ERROR_NULL_ARGUMENT, "storage");
  ck_fails(ctorch_value_from_dtype(&out, 999), CTORCH_ERROR_INVALID_ARGUMENT, "unknown dtype 999");
  ck_fails(ctorch_value_from_layout(&out, -1), CTORCH_ERROR_INVALID_ARGUMENT, "unknown layout");
  ck_fails(ctorch_value_from_memory_format(&out, 9), CTORCH_ERROR_INVALID_ARGUMENT, "unknown memory format");
  ck_assert_ptr_null(out);
  ck_assert_int_eq(ctorch_value_kind_of(NULL), CTORCH_VALUE_NONE);
  ck_assert_uint_eq(ctorch_value_len(NULL), 0);
  ck_assert_ptr_null(ctorch_value_kind_name(-1));
  ck_assert_ptr_null(ctorch_value_kind_name(23));
  ck_assert_str_eq(ctorch_value_kind_name(CTORCH_VALUE_BYTES), "bytes");
  ck_assert_str_eq(ctorch_value_kind_name(CTORCH_VALUE_PYTHON_OBJECT), "PythonObject");
  ck_assert_str_eq(ctorch_value_kind_name(CTORCH_VALUE_MODULE), "Module");
  ck_assert_str_eq(ctorch_value_kind_name(CTORCH_VALUE_TRANSFORM), "Transform");
  ck_assert_str_eq(ctorch_value_kind_name(CTORCH_VALUE_OBJECT), "object");
}
END_TEST

START_TEST(texts_may_hold_nul_and_any_bytes) {
  const char *text = NULL;
  size_t len = 0;
  ctorch_value *value = boxed_string_data("a\0b\xff", 4);
  ck_ok(ctorch_value_to_string(&text, &len, value));
  ck_assert_uint_eq(len, 4);
  ck_assert_int_eq(memcmp(text, "a\0b\xff", 5), 0);
  ck_assert_uint_eq(ctorch_value_len(value), 4);
  ck_repr(value, "'a\\x00b\\xff'");
  ck_assert(!equal(value, boxed_string("a")));
}
END_TEST

START_TEST(bytes_are_no_text) {
  char data[4] = "????";
  ctorch_value *value = boxed_bytes("a\0'\xff", 4);
  ck_assert_int_eq(ctorch_value_kind_of(value), CTORCH_VALUE_BYTES);
  ck_assert_uint_eq(ctorch_value_len(value), 4);
  ck_repr(value, "b\"a\\x00'\\xff\"");
  ck_type(value, "bytes");
  ck_ok(ctorch_value_read_bytes(value, data, 4));
  ck_assert_int_eq(memcmp(data, "a\0'\xff", 4), 0);
  ck_ok(ctorch_value_read_bytes(boxed_bytes(NULL, 0), NULL, 0));
  ck_fails(ctorch_value_read_bytes(value, data, 3), CTORCH_ERROR_INVALID_ARGUMENT, "data_nbytes: expected 4, got 3");
  ck_fails(ctorch_value_read_bytes(value, NULL, 4), CTORCH_ERROR_NULL_ARGUMENT, "data");
  ck_fails(ctorch_value_read_bytes(boxed_string("a"), data, 1), CTORCH_ERROR_TYPE, "expected bytes, found str");
  ck_assert(!equal(value, boxed_string_data("a\0'\xff", 4)));
  ck_assert(equal(value, boxed_bytes("a\0'\xff", 4)));
}
END_TEST

START_TEST(ints_have_any_size) {
  static const struct {
    const char *decimal, *bytes;
    size_t len;
  } ints[] = {
      {"0", "\x00", 1},
      {"-1", "\xff", 1},
      {"128", "\x80\x00", 2},
      {"-128", "\x80", 1},
      {"9223372036854775808", "\x00\x00\x00\x00\x00\x00\x00\x80\x00", 9},
      {"-9223372036854775808", "\x00\x00\x00\x00\x00\x00\x00\x80", 8},
      {"-9223372036854775809", "\xff\xff\xff\xff\xff\xff\xff\x7f\xff", 9},
      {"18446744073709551616", "\x00\x00\x00\x00\x00\x00\x00\x00\x01", 9},
      {"-18446744073709551616", "\x00\x00\x00\x00\x00\x00\x00\x00\xff", 9},
  };
  for (size_t i = 0; i < sizeof ints / sizeof *ints; i++) {
    ctorch_value *value = NULL, *same = NULL, *bytes = NULL;
    ctorch_string *text = NULL;
    char data[9] = "";
    ck_ok(ctorch_value_from_decimal(&value, ints[i].decimal));
    ck_ok(ctorch_value_from_int_bytes(&same, ints[i].bytes, ints[i].len));
    ck_assert(equal(value, same));
    ck_assert_int_eq(ctorch_value_kind_of(value), CTORCH_VALUE_INT);
    ck_repr(same, ints[i].decimal);
    ck_ok(ctorch_value_to_decimal(&text, same));
    ck_assert_str_eq(ctorch_string_data(text), ints[i].decimal);
    ck_ok(ctorch_value_to_int_bytes(&bytes, value));
    ck_assert_uint_eq(ctorch_value_len(bytes), ints[i].len);
    ck_ok(ctorch_value_read_bytes(bytes, data, ints[i].len));
    ck_assert_int_eq(memcmp(data, ints[i].bytes, ints[i].len), 0);
    ck_assert(ctorch_value_is(value, same));
  }
  int64_t integer = 0;
  double number = 0;
  ctorch_value *value = NULL;
  ck_ok(ctorch_value_from_int_bytes(&value, NULL, 0));
  ck_repr(value, "0");
  ck_ok(ctorch_value_from_decimal(&value, "18446744073709551616"));
  ck_fails(ctorch_value_to_int(&integer, value), CTORCH_ERROR_VALUE, "18446744073709551616 does not fit an int64_t");
  ck_ok(ctorch_value_to_double(&number, value));
  ck_assert(number == 0x1p64);
  ck_fails(ctorch_value_from_decimal(&value, "12a"), CTORCH_ERROR_VALUE, "'12a' is no whole number");
  ck_fails(ctorch_value_to_int_bytes(&value, boxed_double(1)), CTORCH_ERROR_TYPE, "expected int, found float");
}
END_TEST

START_TEST(a_set_holds_each_entry_once) {
  ctorch_value *set = NULL, *entries = NULL;
  bool found = true;
  ck_ok(ctorch_value_from_set(&set, VALUES(boxed_int(1), boxed_string("a"), boxed_int(1), NULL)));
  ck_assert_int_eq(ctorch_value_kind_of(set), CTORCH_VALUE_SET);
  ck_repr(set, "{1, 'a', None}");
  ck_ok(ctorch_value_set_add(set, boxed_tuple(VALUES(boxed_int(1), boxed_bytes("b", 1)))));
  ck_ok(ctorch_value_set_remove(set, NULL));
  ck_repr(set, "{1, 'a', (1, b'b')}");
  ck_ok(ctorch_value_set_contains(&found, set, NULL));
  ck_assert(!found);
  ck_ok(ctorch_value_set_contains(&found, set, boxed_tuple(VALUES(boxed_int(1), boxed_bytes("b", 1)))));
  ck_assert(found);
  ck_ok(ctorch_value_set_values(&entries, set));
  ck_repr(entries, "[1, 'a', (1, b'b')]");
  ck_fails(ctorch_value_set_add(set, set), CTORCH_ERROR_TYPE, "value: set cannot be a key");
  ck_fails(ctorch_value_set_remove(set, boxed_int(7)), CTORCH_ERROR_INDEX, "no entry 7");
  ck_fails(ctorch_value_set_values(&entries, boxed_list(NO_VALUES)), CTORCH_ERROR_TYPE, "expected set, found list");
}
END_TEST

/** Inside a tuple too, 0.0 and -0.0 are one number to Python. */
START_TEST(zeros_of_either_sign_are_one_key) {
  ctorch_value *set = NULL;
  ck_ok(ctorch_value_from_set(
      &set, VALUES(
                boxed_tuple(VALUES(boxed_double(0))), boxed_tuple(VALUES(boxed_double(-0.0))),
                boxed_tuple(VALUES(boxed_complex(0, 1))), boxed_tuple(VALUES(boxed_complex(-0.0, 1))),
                boxed_tuple(VALUES(boxed_complex(1, 0))), boxed_tuple(VALUES(boxed_complex(1, -0.0))))));
  ck_repr(set, "{(0.0,), (1j,), ((1+0j),)}");
}
END_TEST

/* As torch.save writes what state_dict() returns. */
START_TEST(an_ordered_dict_is_a_dict_with_attributes) {
  ctorch_value *dict = NULL, *state_dict = NULL, *metadata = NULL;
  ck_ok(ctorch_value_from_dict(&dict, VALUES(boxed_string("w")), VALUES(boxed_int(1))));
  ck_ok(ctorch_value_from_python_object(&state_dict, "collections", "OrderedDict", boxed_tuple(NO_VALUES), dict, NULL));
  ck_ok(ctorch_value_set_attribute(state_dict, "_metadata", boxed_list(VALUES(boxed_int(2)))));
  ck_ok(ctorch_value_dict_put(state_dict, "b", boxed_double(2)));
  ck_repr(state_dict, "OrderedDict([('w', 1), ('b', 2.0)])");
  ck_repr(dict, "{'w': 1, 'b': 2.0}");
  ck_assert_uint_eq(ctorch_value_len(state_dict), 2);
  ck_ok(ctorch_value_attribute(&metadata, state_dict, "_metadata"));
  ck_repr(metadata, "[2]");
  ck_assert(equal(state_dict, dict));
  ck_assert_str_eq(ctorch_value_python_module(state_dict), "collections");
  ck_assert_str_eq(ctorch_value_python_name(state_dict), "OrderedDict");
  ck_fails(ctorch_value_attribute(&metadata, state_dict, "x"), CTORCH_ERROR_INDEX, "no attribute 'x'");
  ck_fails(ctorch_value_attribute(&metadata, dict, "x"), CTORCH_ERROR_TYPE, "expected PythonObject, found dict");
}
END_TEST

START_TEST(a_list_changes_in_place) {
  ctorch_value *list = boxed_list(VALUES(boxed_int(1), NULL, boxed_string("x")));
  ck_repr(list, "[1, None, 'x']");
  ck_ok(ctorch_value_list_set(list, 1, boxed_double(2)));
  ck_ok(ctorch_value_list_append(list, NULL));
  ck_ok(ctorch_value_list_insert(list, 0, boxed_bool(true)));
  ck_ok(ctorch_value_list_insert(list, 5, boxed_int(9)));
  ck_repr(list, "[True, 1, 2.0, 'x', None, 9]");
  ck_ok(ctorch_value_list_remove(list, 3));
  ck_repr(list, "[True, 1, 2.0, None, 9]");
  ck_fails(ctorch_value_list_remove(list, 5), CTORCH_ERROR_INDEX, "index 5 of a value of length 5");
  ck_fails(ctorch_value_list_insert(list, 6, NULL), CTORCH_ERROR_INDEX, "index 6");
  ck_fails(ctorch_value_list_set(list, SIZE_MAX, NULL), CTORCH_ERROR_INDEX, "index");
  ck_ok(ctorch_value_clear(list));
  ck_repr(list, "[]");
  ctorch_value *out = NULL;
  ck_fails(ctorch_value_get(&out, list, 0), CTORCH_ERROR_INDEX, "length 0");
  ck_fails(ctorch_value_list_append(boxed_tuple(NO_VALUES), NULL), CTORCH_ERROR_TYPE, "expected list, found tuple");
  ck_fails(ctorch_value_list_append(NULL, NULL), CTORCH_ERROR_NULL_ARGUMENT, "self");
  ck_fails(ctorch_value_get(&out, boxed_int(1), 0), CTORCH_ERROR_TYPE, "expected list or tuple, found int");
  ck_fails(ctorch_value_clear(boxed_tuple(NO_VALUES)), CTORCH_ERROR_TYPE, "expected list, dict or set, found tuple");
}
END_TEST

START_TEST(a_list_inside_another_is_the_same_list) {
  ctorch_value *inner = boxed_list(VALUES(boxed_int(1))), *outer = boxed_list(VALUES(inner, inner)), *entry = NULL;
  ck_ok(ctorch_value_get(&entry, outer, 1));
  ck_assert(ctorch_value_is(entry, inner));
  ck_ok(ctorch_value_list_append(entry, boxed_int(2)));
  ck_repr(outer, "[[1, 2], [1, 2]]");
  ctorch_value *tuple = boxed_tuple(VALUES(inner));
  ck_ok(ctorch_value_clear(inner));
  ck_repr(tuple, "([],)");
  ck_repr(boxed_tuple(NO_VALUES), "()");
}
END_TEST

START_TEST(a_typed_list_takes_what_can_become_its_type) {
  ctorch_value *ints = boxed_ints(CTORCH_INTS(1, 2)), *numbers = boxed_doubles(CTORCH_DOUBLES(0.5));
  ctorch_tensor *x = floats(CTORCH_INTS(1), 1);
  ck_ok(ctorch_value_list_append(numbers, boxed_int(3)));
  ck_repr(numbers, "[0.5, 3.0]");
  ck_fails(ctorch_value_list_append(ints, boxed_double(3)), CTORCH_ERROR_TYPE, "value: expected int, found float");
  ck_fails(ctorch_value_list_set(ints, 0, NULL), CTORCH_ERROR_TYPE, "value: expected int, found NoneType");
  ck_repr(ints, "[1, 2]");
  ctorch_value *tensors = boxed_tensors(CTORCH_TENSORS(x, x)), *optional = boxed_tensors(CTORCH_TENSORS(x, NULL));
  ck_fails(ctorch_value_list_append(tensors, NULL), CTORCH_ERROR_TYPE, "expected Tensor, found NoneType");
  ck_ok(ctorch_value_list_append(optional, NULL));
  ck_type(tensors, "List[Tensor]");
  ck_type(optional, "List[Optional[Tensor]]");
  ck_type(boxed_bools(CTORCH_BOOLS(true)), "List[bool]");
  const char *const words[] = {"a", "b"};
  ck_type(boxed_strings(words, 2), "List[str]");
  ctorch_tensor_list *list = NULL;
  ck_ok(ctorch_value_to_tensors(&list, optional));
  ck_assert_uint_eq(ctorch_tensor_list_len(list), 3);
  ck_assert_ptr_eq(ctorch_tensor_list_data(list)[0], x);
  ck_assert_ptr_null(ctorch_tensor_list_data(list)[2]);
}
END_TEST

START_TEST(a_dict_keeps_its_order) {
  ctorch_value *dict = boxed_dict(
      VALUES(boxed_string("b"), boxed_string("a"), boxed_string("b")),
      VALUES(boxed_int(1), boxed_int(2), boxed_int(3)));
  ck_repr(dict, "{'b': 3, 'a': 2}");
  ck_ok(ctorch_value_dict_put(dict, "c", NULL));
  ck_ok(ctorch_value_dict_put(dict, "b", boxed_int(4)));
  ck_repr(dict, "{'b': 4, 'a': 2, 'c': None}");
  ctorch_value *out = NULL;
  bool has = false;
  ck_ok(ctorch_value_dict_at(&out, dict, "a"));
  ck_repr(out, "2");
  ck_ok(ctorch_value_dict_get(&out, dict, boxed_string("c")));
  ck_repr(out, "None");
  ck_ok(ctorch_value_dict_contains(&has, dict, boxed_string("a")));
  ck_assert(has);
  ck_ok(ctorch_value_dict_contains(&has, dict, boxed_int(1)));
  ck_assert(!has);
  ck_ok(ctorch_value_dict_remove(dict, boxed_string("b")));
  ck_ok(ctorch_value_dict_put(dict, "b", boxed_int(5)));
  ck_repr(dict, "{'a': 2, 'c': None, 'b': 5}");
  ck_assert_uint_eq(ctorch_value_len(dict), 3);
  ck_ok(ctorch_value_dict_keys(&out, dict));
  ck_repr(out, "['a', 'c', 'b']");
  ck_ok(ctorch_value_dict_values(&out, dict));
  ck_repr(out, "[2, None, 5]");
  ck_ok(ctorch_value_clear(dict));
  ck_repr(dict, "{}");
  ck_type(dict, "Dict[Any, Any]");
}
END_TEST

START_TEST(keys_of_all_kinds) {
  ctorch_tensor *x = floats(CTORCH_INTS(1), 1), *y = floats(CTORCH_INTS(1), 1);
  ctorch_value *keys[] = {boxed_string("k"),   boxed_int(1),    boxed_double(1),  boxed_bool(true),
                          boxed_complex(1, 0), boxed_tensor(x), boxed_device(CPU)};
  enum { COUNT = sizeof keys / sizeof *keys };
  ctorch_value *dict = boxed_dict(NO_VALUES, NO_VALUES), *out = NULL;
  for (int i = 0; i < COUNT; i++) {
    ck_ok(ctorch_value_dict_set(dict, keys[i], boxed_int(i)));
  }
  ck_assert_uint_eq(ctorch_value_len(dict), COUNT);
  for (int i = 0; i < COUNT; i++) {
    int64_t number = -1;
    ck_ok(ctorch_value_dict_get(&out, dict, keys[i]));
    ck_ok(ctorch_value_to_int(&number, out));
    ck_assert_int_eq(number, i);
  }
  ck_fails(ctorch_value_dict_get(&out, dict, boxed_tensor(y)), CTORCH_ERROR_INDEX, "no key tensor([1.])");
  ck_fails(ctorch_value_dict_at(&out, dict, "it's"), CTORCH_ERROR_INDEX, "no key \"it's\"");
  ck_fails(ctorch_value_dict_remove(dict, boxed_int(7)), CTORCH_ERROR_INDEX, "no key 7");
  ck_fails(ctorch_value_dict_set(dict, boxed_list(NO_VALUES), NULL), CTORCH_ERROR_TYPE, "key: list cannot be a key");
  ck_fails(ctorch_value_dict_set(dict, dict, NULL), CTORCH_ERROR_TYPE, "key: dict cannot be a key");
  ck_fails(ctorch_value_dict_set(dict, NULL, NULL), CTORCH_ERROR_NULL_ARGUMENT, "key");
  ck_fails(ctorch_value_dict_put(dict, "\xff", NULL), CTORCH_ERROR_INVALID_ARGUMENT, "key: not UTF-8");
  ck_fails(ctorch_value_dict_at(&out, boxed_int(1), "a"), CTORCH_ERROR_TYPE, "expected dict, found int");
  ck_fails(
      ctorch_value_from_dict(&out, VALUES(boxed_ints(NO_DIMS)), VALUES(NULL)), CTORCH_ERROR_TYPE,
      "keys[0]: list cannot be a key");
  ck_fails(ctorch_value_from_dict(&out, VALUES(NULL), VALUES(NULL)), CTORCH_ERROR_NULL_ARGUMENT, "keys[0]");
  ck_fails(
      ctorch_value_from_dict(&out, VALUES(boxed_int(1)), NO_VALUES), CTORCH_ERROR_INVALID_ARGUMENT,
      "0 values for 1 keys");
  ck_assert_uint_eq(ctorch_value_len(dict), COUNT);
}
END_TEST

START_TEST(types_are_those_of_the_entries) {
  ctorch_tensor *x = floats(CTORCH_INTS(1), 1);
  ctorch_value *tensor = boxed_tensor(x), *one = boxed_int(1);
  ck_type(boxed_dict(VALUES(boxed_string("w")), VALUES(tensor)), "Dict[str, Tensor]");
  ck_type(boxed_list(VALUES(tensor, NULL)), "List[Optional[Tensor]]");
  ck_type(boxed_list(VALUES(one, boxed_string("x"))), "List[Any]");
  ck_type(boxed_list(NO_VALUES), "List[Any]");
  ck_type(boxed_tuple(VALUES(one, boxed_list(VALUES(boxed_list(VALUES(one)))))), "Tuple[int, List[List[int]]]");
  ck_type(boxed_none(), "NoneType");
  ck_type(boxed_complex(0, 0), "complex");
  ck_type(boxed_device(CPU), "Device");
}
END_TEST

START_TEST(equality_is_python_s) {
  ctorch_value *one = boxed_int(1), *list = boxed_list(VALUES(one, boxed_double(2)));
  ck_assert(equal(one, boxed_double(1)) && equal(one, boxed_bool(true)) && equal(one, boxed_complex(1, 0)));
  ck_assert(!equal(boxed_int((INT64_C(1) << 53) + 1), boxed_double(0x1p53)));
  ck_assert(equal(boxed_int(INT64_C(1) << 53), boxed_double(0x1p53)));
  ck_assert(!equal(boxed_int(INT64_MAX), boxed_double(0x1p63)));
  ck_assert(equal(boxed_scalar(&(ctorch_scalar){CTORCH_SCALAR_UINT, 0, INT64_MIN, 0, 0}), boxed_double(0x1p63)));
  ck_assert(!equal(boxed_scalar(&(ctorch_scalar){CTORCH_SCALAR_UINT, 0, -1, 0, 0}), boxed_int(-1)));
  ck_assert(!equal(boxed_double(NAN), boxed_double(NAN)) && !equal(one, boxed_complex(1, 1)));
  ck_assert(!equal(one, boxed_string("1")) && !equal(boxed_none(), boxed_bool(false)));
  ck_assert(equal(list, boxed_ints(CTORCH_INTS(1, 2))) && !equal(list, boxed_ints(CTORCH_INTS(1))));
  ck_assert(!equal(list, boxed_tuple(VALUES(one, boxed_int(2)))));
  ctorch_value *nan = boxed_list(VALUES(boxed_double(NAN)));
  ck_assert(equal(nan, nan) && !equal(nan, boxed_list(VALUES(boxed_double(NAN)))));
  ctorch_value *a = boxed_string("a"), *b = boxed_string("b");
  ck_assert(equal(boxed_dict(VALUES(a, b), VALUES(one, list)), boxed_dict(VALUES(b, a), VALUES(list, one))));
  ck_assert(!equal(boxed_dict(VALUES(a), VALUES(one)), boxed_dict(VALUES(b), VALUES(one))));
  ck_assert(equal(boxed_dict(VALUES(one), VALUES(a)), boxed_dict(VALUES(boxed_double(1)), VALUES(a))));
  ck_assert(equal(boxed_dict(VALUES(boxed_bool(true)), VALUES(a)), boxed_dict(VALUES(boxed_complex(1, 0)), VALUES(a))));
  ck_assert(!equal(boxed_dict(VALUES(boxed_double(1.5)), VALUES(a)), boxed_dict(VALUES(one), VALUES(a))));
  ck_assert(equal(boxed_device(CPU), boxed_device(CPU)) && !equal(boxed_device(CPU), boxed_device(META)));
}
END_TEST

START_TEST(tensors_are_equal_by_their_elements) {
  ctorch_tensor *x = floats(CTORCH_INTS(2), 1, 2), *same = floats(CTORCH_INTS(2), 1, 2);
  ctorch_value *value = boxed_tensor(x);
  ck_assert(equal(value, value) && equal(value, boxed_tensor(same)));
  ck_assert(!equal(value, boxed_tensor(floats(CTORCH_INTS(2), 1, 3))));
  ck_assert(!equal(value, boxed_tensor(floats(CTORCH_INTS(2, 1), 1, 2))));
  ck_assert(!equal(value, boxed_tensor(doubles(CTORCH_INTS(2), 1, 2))));
  ck_assert(!equal(value, boxed_list(VALUES(boxed_double(1), boxed_double(2)))));
  ck_assert(!equal(boxed_tensor(floats(CTORCH_INTS(1), NAN)), boxed_tensor(floats(CTORCH_INTS(1), NAN))));
  ck_assert(equal(boxed_list(VALUES(value, value)), boxed_tensors(CTORCH_TENSORS(same, x))));
  ctorch_tensor *sparse = NULL, *sparse_too = NULL, *meta = NULL, *meta_too = NULL;
  ck_ok(ctorch_aten_to_sparse(&sparse, x, NULL, NO_DIMS, NULL));
  ck_ok(ctorch_aten_to_sparse(&sparse_too, same, NULL, NO_DIMS, NULL));
  ck_assert(equal(boxed_tensor(sparse), boxed_tensor(sparse_too)) && !equal(boxed_tensor(sparse), value));
  /* Compressed by columns: the same columns and values in other rows. */
  ctorch_tensor *columns = ints(CTORCH_INTS(3), 0, 1, 2),
                *rows[2] = {ints(CTORCH_INTS(2), 0, 1), ints(CTORCH_INTS(2), 1, 0)}, *csc[3], *bsc[3],
                *blocks = floats(CTORCH_INTS(2, 1, 1), 1, 2);
  for (int i = 0; i < 3; i++) {
    ck_ok(ctorch_aten_sparse_csc_tensor_ccol_row_value_size(
        &csc[i], columns, rows[i % 2], x, CTORCH_INTS(2, 2), NULL, NULL, NULL, NULL));
    ck_ok(ctorch_aten_sparse_bsc_tensor_ccol_row_value_size(
        &bsc[i], columns, rows[i % 2], blocks, CTORCH_INTS(2, 2), NULL, NULL, NULL, NULL));
  }
  ck_assert(!equal(boxed_tensor(csc[0]), boxed_tensor(csc[1])) && equal(boxed_tensor(csc[0]), boxed_tensor(csc[2])));
  ck_assert(!equal(boxed_tensor(bsc[0]), boxed_tensor(bsc[1])) && equal(boxed_tensor(bsc[0]), boxed_tensor(bsc[2])));
  ck_ok(ctorch_aten_empty_memory_format(&meta, CTORCH_INTS(1), NULL, NULL, META, NULL, NULL));
  ck_ok(ctorch_aten_empty_memory_format(&meta_too, CTORCH_INTS(1), NULL, NULL, META, NULL, NULL));
  bool out = false;
  ck_fails(ctorch_value_equal(&out, boxed_tensor(meta), boxed_tensor(meta_too)), CTORCH_ERROR_NOT_IMPLEMENTED, NULL);
  ck_assert(equal(boxed_tensor(meta), boxed_tensor(meta)));
}
END_TEST

START_TEST(identity) {
  ctorch_tensor *x = floats(CTORCH_INTS(1), 1);
  ctorch_value *list = boxed_list(NO_VALUES);
  ck_assert(ctorch_value_is(list, list) && !ctorch_value_is(list, boxed_list(NO_VALUES)));
  ck_assert(ctorch_value_is(boxed_tensor(x), boxed_tensor(x)));
  ck_assert(!ctorch_value_is(boxed_tensor(x), boxed_tensor(floats(CTORCH_INTS(1), 1))));
  ck_assert(ctorch_value_is(boxed_none(), boxed_none()) && ctorch_value_is(boxed_string("a"), boxed_string("a")));
  ck_assert(ctorch_value_is(boxed_int(1), boxed_int(1)) && !ctorch_value_is(boxed_int(1), boxed_double(1)));
  ck_assert(ctorch_value_is(NULL, NULL) && !ctorch_value_is(NULL, boxed_none()));
}
END_TEST

START_TEST(a_number_that_equals_nothing_is_itself) {
  ctorch_value *nan = boxed_double(NAN), *copy = NULL, *complex_nan = NULL;
  ck_ok(ctorch_value_copy(&copy, nan));
  ck_assert(ctorch_value_is(nan, nan) && ctorch_value_is(nan, copy) && !equal(nan, copy));
  ck_ok(ctorch_value_from_complex(&complex_nan, 0.0, NAN));
  ck_assert(ctorch_value_is(complex_nan, complex_nan) && !ctorch_value_is(complex_nan, nan));
  ck_assert(!ctorch_value_is(boxed_double(0.0), boxed_double(-0.0)));
  ck_assert(ctorch_value_is(boxed_double(0.5), boxed_double(0.5)));
}
END_TEST

START_TEST(a_copy_shares_its_entries) {
  ctorch_value *inner = boxed_list(NO_VALUES), *list = boxed_list(VALUES(inner)), *copy = NULL, *entry = NULL;
  ck_ok(ctorch_value_copy(&copy, list));
  ck_assert(!ctorch_value_is(copy, list) && equal(copy, list));
  ck_ok(ctorch_value_get(&entry, copy, 0));
  ck_assert(ctorch_value_is(entry, inner));
  ck_ok(ctorch_value_list_append(list, NULL));
  ck_assert_uint_eq(ctorch_value_len(copy), 1);
  ctorch_value *dict = boxed_dict(VALUES(boxed_string("a")), VALUES(inner));
  ck_ok(ctorch_value_copy(&copy, dict));
  ck_ok(ctorch_value_dict_put(dict, "b", NULL));
  ck_repr(copy, "{'a': []}");
  ctorch_value *tuple = boxed_tuple(VALUES(inner));
  ck_ok(ctorch_value_copy(&copy, tuple));
  ck_assert(ctorch_value_is(copy, tuple));
}
END_TEST

START_TEST(a_deep_copy_keeps_what_was_shared_shared) {
  ctorch_tensor *x = floats(CTORCH_INTS(4), 1, 2, 3, 4), *view = NULL, *tensor = NULL, *other = NULL;
  ck_ok(ctorch_aten_narrow(&view, x, 0, 1, 2));
  ctorch_value *inner = boxed_list(NO_VALUES);
  ctorch_value *list = boxed_list(VALUES(boxed_tensor(x), boxed_tensor(view), boxed_tensor(x), inner, inner));
  ctorch_value *copy = NULL, *entry = NULL;
  ck_ok(ctorch_value_deep_copy(&copy, list));
  ck_ok(ctorch_value_get(&entry, copy, 0));
  ck_ok(ctorch_value_to_tensor(&tensor, entry));
  ck_ok(ctorch_aten_mul__Scalar(tensor, CTORCH_INT(10)));
  ck_floats(tensor, CTORCH_INTS(4), 10, 20, 30, 40);
  ck_floats(x, CTORCH_INTS(4), 1, 2, 3, 4);
  ck_ok(ctorch_value_get(&entry, copy, 1));
  ck_ok(ctorch_value_to_tensor(&other, entry));
  ck_floats(other, CTORCH_INTS(2), 20, 30);
  ck_ok(ctorch_value_get(&entry, copy, 2));
  ck_ok(ctorch_value_to_tensor(&other, entry));
  ck_assert_ptr_eq(other, tensor);
  ctorch_value *first = NULL, *second = NULL;
  ck_ok(ctorch_value_get(&first, copy, 3));
  ck_ok(ctorch_value_get(&second, copy, 4));
  ck_assert(ctorch_value_is(first, second) && !ctorch_value_is(first, inner));
}
END_TEST

START_TEST(a_deep_copy_of_parameters) {
  ctorch_tensor *w = floats(CTORCH_INTS(2), 1, 2), *grad = floats(CTORCH_INTS(2), 5, 6), *y = NULL, *copied = NULL;
  ck_ok(ctorch_tensor_set_requires_grad(w, true));
  ck_ok(ctorch_tensor_set_grad(w, grad));
  ctorch_value *copy = NULL;
  ck_ok(ctorch_value_deep_copy(&copy, boxed_tensor(w)));
  ck_ok(ctorch_value_to_tensor(&copied, copy));
  ck_assert(ctorch_tensor_requires_grad(copied) && ctorch_tensor_is_leaf(copied));
  ctorch_tensor *copied_grad = NULL;
  ck_ok(ctorch_tensor_grad(&copied_grad, copied));
  ck_assert_ptr_ne(copied_grad, grad);
  ck_floats(copied_grad, CTORCH_INTS(2), 5, 6);
  ck_ok(ctorch_aten_mul_Scalar(&y, w, CTORCH_INT(2)));
  ck_fails(ctorch_value_deep_copy(&copy, boxed_tensor(y)), CTORCH_ERROR_RUNTIME, "detach");
}
END_TEST

/** A list that contains itself, directly and in a dict. */
static ctorch_value *cyclic(void) {
  ctorch_value *list = boxed_list(VALUES(boxed_int(1)));
  ck_ok(ctorch_value_list_append(list, list));
  ck_ok(ctorch_value_list_append(list, boxed_dict(VALUES(boxed_string("self")), VALUES(list))));
  return list;
}

START_TEST(a_list_may_contain_itself) {
  ctorch_value *list = cyclic(), *twin = cyclic(), *copy = NULL, *entry = NULL;
  ck_repr(list, "[1, [...], {'self': [...]}]");
  ck_type(list, "List[Any]");
  ck_assert(equal(list, list) && equal(list, twin));
  ck_ok(ctorch_value_deep_copy(&copy, list));
  ck_ok(ctorch_value_get(&entry, copy, 1));
  ck_assert(ctorch_value_is(entry, copy) && !ctorch_value_is(copy, list));
  ck_repr(copy, "[1, [...], {'self': [...]}]");
  ck_ok(ctorch_value_list_append(twin, NULL));
  ck_assert(!equal(list, twin));
  ck_ok(ctorch_value_clear(list));
  ck_ok(ctorch_value_clear(twin));
  ck_ok(ctorch_value_clear(copy));
}
END_TEST

START_TEST(a_text_of_what_is_shared_has_a_limit) { /* 2^40 ways through 40 tuples */
  ctorch_value *value = NULL;
  ctorch_string *text = NULL;
  ck_ok(ctorch_value_from_int(&value, 1));
  for (int i = 0; i < 40; i++) {
    const ctorch_value *const both[] = {value, value};
    ctorch_value *outer = NULL;
    ck_ok(ctorch_value_from_tuple(&outer, both, 2));
    ctorch_value_release(value);
    value = outer;
  }
  ck_fails(ctorch_value_repr(&text, value), CTORCH_ERROR_RUNTIME, "longer than 64 MiB");
  ck_assert_ptr_null(text);
  ctorch_value_release(value);
}
END_TEST

START_TEST(a_million_levels_are_no_danger) {
  ctorch_value *list = boxed_list(NO_VALUES), *other = boxed_list(NO_VALUES);
  for (int i = 0; i < 1000000; i++) {
    ctorch_value *outer = NULL;
    if (i % 3 == 0) {
      ck_ok(ctorch_value_from_tuple(&outer, VALUES(list)));
    } else {
      ck_ok(ctorch_value_from_list(&outer, VALUES(list)));
    }
    ctorch_value_release(list);
    list = outer;
  }
  bool same = false;
  ctorch_string *text = NULL;
  ctorch_value *copy = NULL;
  ck_fails(ctorch_value_repr(&text, list), CTORCH_ERROR_RUNTIME, "nested more than 1000 levels deep");
  ck_ok(ctorch_value_type(&text, list));
  ctorch_string_release(text);
  ck_fails(ctorch_value_deep_copy(&copy, list), CTORCH_ERROR_RUNTIME, "nested more than 1000 levels deep");
  ck_ok(ctorch_value_copy(&copy, list));
  ck_ok(ctorch_value_equal(&same, list, copy));
  ck_ok(ctorch_value_list_append(other, list));
  ctorch_value_release(list);
  ctorch_value_release(copy);
  ck_ok(ctorch_value_list_set(other, 0, NULL));
  ctorch_value_release(other);
}
END_TEST

/** Ways to give up what a container has. */
static ctorch_error *set_in_a_list(ctorch_value *list) { return ctorch_value_list_set(list, 0, NULL); }
static ctorch_error *remove_from_a_list(ctorch_value *list) { return ctorch_value_list_remove(list, 0); }
static ctorch_error *put_in_a_dict(ctorch_value *dict) { return ctorch_value_dict_put(dict, "key", NULL); }
static ctorch_error *remove_from_a_dict(ctorch_value *dict) {
  return ctorch_value_dict_remove(dict, boxed_string("key"));
}
static ctorch_error *set_attribute(ctorch_value *object) { return ctorch_value_set_attribute(object, "key", NULL); }
static ctorch_error *set_state(ctorch_value *object) { return ctorch_value_set_python_state(object, NULL); }

static const struct {
  enum { LIST, DICT, OBJECT } container;
  ctorch_error *(*give_up)(ctorch_value *container);
} GIVING_UP[] = {
    {LIST, set_in_a_list},      {LIST, remove_from_a_list}, {LIST, ctorch_value_clear}, {DICT, put_in_a_dict},
    {DICT, remove_from_a_dict}, {DICT, ctorch_value_clear}, {OBJECT, set_attribute},    {OBJECT, set_state},
};

START_TEST(what_is_given_up_may_be_deeply_nested) {
  ctorch_scope *scope = NULL;
  ck_ok(ctorch_scope_begin(&scope));
  ctorch_value *deep = boxed_list(NO_VALUES), *container = NULL;
  for (int i = 0; i < 200000; i++) {
    ctorch_value *outer = NULL;
    ck_ok(ctorch_value_from_list(&outer, VALUES(deep)));
    ctorch_value_release(deep);
    deep = outer;
  }
  switch (GIVING_UP[_i].container) {
    case LIST:
      ck_ok(ctorch_value_from_list(&container, VALUES(deep)));
      break;
    case DICT:
      ck_ok(ctorch_value_from_dict(&container, VALUES(boxed_string("key")), VALUES(deep)));
      break;
    case OBJECT:
      ck_ok(ctorch_value_from_python_object(&container, "a", "B", boxed_tuple(NO_VALUES), NULL, NULL));
      ck_ok(ctorch_value_set_attribute(container, "key", deep));
      break;
  }
  ctorch_value_release(deep);
  ck_ok(GIVING_UP[_i].give_up(container));
  ctorch_scope_end(scope);
}
END_TEST

/** The elements of a view that is conjugated or negated when they are read. */
/* Keys that a table without a seed cannot hold apart: a loop index each. */
enum { COLLIDING = 60, ENOUGH_MEMORY = 64 };
enum { INTS, TEXTS, NANS, COMPLEX_NANS, INTS_IN_TUPLES, KEY_KINDS };

static void make_colliding_keys(const ctorch_value **keys, int kind) {
  uint64_t state = 0;
  for (size_t i = 0; i < COLLIDING; i++) {
    char text[COLLIDING_TEXT_LEN + 1];
    next_colliding_text(text, &state);
    keys[i] = kind == INTS           ? boxed_int(colliding_int(i))
              : kind == TEXTS        ? boxed_string(text)
              : kind == NANS         ? boxed_double(NAN)
              : kind == COMPLEX_NANS ? boxed_complex(0, NAN)
                                     : boxed_tuple(VALUES(boxed_int(colliding_int(i))));
  }
}

/* Of the same kind of number as the key that is a number itself. */
static bool is_nan_kind(int kind) { return kind == NANS || kind == COMPLEX_NANS; }

static void ck_entries(const ctorch_value *dict, const ctorch_value *const *keys, size_t len, int kind) {
  ctorch_value *found = NULL, *there = NULL;
  bool is_there = false;
  ck_ok(ctorch_value_dict_keys(&there, dict));
  ck_assert_uint_eq(ctorch_value_len(there), len);
  for (size_t i = 0; i < len; i++) {
    ck_ok(ctorch_value_get(&found, there, i));
    if (is_nan_kind(kind)) {
      ck_assert_int_eq(ctorch_value_kind_of(found), ctorch_value_kind_of(keys[i]));
      continue;
    }
    ck_assert(equal(found, keys[i]));
    ck_ok(ctorch_value_dict_contains(&is_there, dict, keys[i]));
    ck_assert(is_there);
    ck_ok(ctorch_value_dict_get(&found, dict, keys[i]));
    ck_assert(equal(found, boxed_int((int64_t)i)));
  }
}

/* The test fails before memory is gone. */
static void put_cheaply(ctorch_value *dict, const ctorch_value *key, const ctorch_value *value) {
  const long before = most_memory();
  ck_ok(ctorch_value_dict_set(dict, key, value));
  ck_assert_int_le(most_memory() - before, ENOUGH_MEMORY);
}

START_TEST(keys_of_one_hash_take_no_memory) {
  const ctorch_value *keys[COLLIDING], *numbers[COLLIDING];
  ctorch_value *dict = boxed_dict(NO_VALUES, NO_VALUES), *copy = NULL, *set = NULL;
  make_colliding_keys(keys, _i);
  const long before = most_memory();
  for (size_t i = 0; i < COLLIDING; i++) {
    numbers[i] = boxed_int((int64_t)i);
    put_cheaply(dict, keys[i], numbers[i]);
  }
  ck_entries(dict, keys, COLLIDING, _i);
  ck_ok(ctorch_value_copy(&copy, dict));
  ck_entries(copy, keys, COLLIDING, _i);
  ck_assert(equal(dict, copy));
  ck_ok(ctorch_value_deep_copy(&copy, dict));
  ck_entries(copy, keys, COLLIDING, _i);
  ck_entries(boxed_dict(keys, COLLIDING, numbers, COLLIDING), keys, COLLIDING, _i);
  ck_ok(ctorch_value_from_set(&set, keys, COLLIDING));
  ck_ok(ctorch_value_set_add(set, keys[0]));
  ck_assert_uint_eq(ctorch_value_len(set), COLLIDING + is_nan_kind(_i));
  ck_assert_int_le(most_memory() - before, ENOUGH_MEMORY);
}
END_TEST

START_TEST(keys_of_one_hash_are_keys_like_others) {
  const ctorch_value *keys[COLLIDING];
  ctorch_value *dict = boxed_dict(NO_VALUES, NO_VALUES), *backwards = boxed_dict(NO_VALUES, NO_VALUES), *set = NULL;
  bool is_there = true;
  make_colliding_keys(keys, _i);
  for (size_t i = 0; i < COLLIDING; i++) {
    put_cheaply(dict, keys[i], NULL);
    put_cheaply(backwards, keys[COLLIDING - 1 - i], boxed_int((int64_t)(COLLIDING - 1 - i)));
  }
  ck_assert(!equal(dict, backwards));
  for (size_t i = 0; i < COLLIDING; i++) { /* each keeps its place */
    ck_ok(ctorch_value_dict_set(dict, keys[i], boxed_int((int64_t)i)));
  }
  ck_entries(dict, keys, COLLIDING, _i);
  ck_assert(equal(dict, backwards)); /* though other keys of theirs were in the way */
  ck_ok(ctorch_value_from_set(&set, keys, COLLIDING));
  for (size_t i = COLLIDING; i-- > COLLIDING / 2;) {
    ck_ok(ctorch_value_dict_remove(dict, keys[i]));
    ck_ok(ctorch_value_dict_contains(&is_there, dict, keys[i]));
    ck_assert(!is_there);
    ck_fails(ctorch_value_dict_remove(dict, keys[i]), CTORCH_ERROR_INDEX, "no key");
    ck_ok(ctorch_value_set_remove(set, keys[i]));
    ck_fails(ctorch_value_set_remove(set, keys[i]), CTORCH_ERROR_INDEX, "no entry");
  }
  ck_entries(dict, keys, COLLIDING / 2, _i);
  ck_assert_uint_eq(ctorch_value_len(set), COLLIDING / 2);
}
END_TEST

START_TEST(ints_at_equal_distances_are_all_kept) { /* 615 is one that LibTorch's hash does not suit */
  ctorch_value *dict = boxed_dict(NO_VALUES, NO_VALUES), *found = NULL;
  for (int64_t i = 0; i < 3000; i++) {
    ck_ok(ctorch_value_dict_set(dict, boxed_int(615 * i), boxed_int(i)));
  }
  ck_assert_uint_eq(ctorch_value_len(dict), 3000);
  for (int64_t i = 0; i < 3000; i++) {
    ck_ok(ctorch_value_dict_get(&found, dict, boxed_int(615 * i)));
    ck_assert(equal(found, boxed_int(i)));
  }
}
END_TEST

START_TEST(each_nan_is_a_key) {
  ctorch_value *dict = boxed_dict(NO_VALUES, NO_VALUES);
  bool is_there = true;
  ck_ok(ctorch_value_dict_set(dict, boxed_double(NAN), boxed_int(1)));
  ck_ok(ctorch_value_dict_set(dict, boxed_double(NAN), boxed_int(2)));
  ck_ok(ctorch_value_dict_set(dict, boxed_tuple(VALUES(boxed_complex(NAN, 1))), boxed_int(3)));
  ck_repr(dict, "{nan: 1, nan: 2, ((nan+1j),): 3}");
  ck_ok(ctorch_value_dict_contains(&is_there, dict, boxed_double(NAN)));
  ck_assert(!is_there);
}
END_TEST

START_TEST(a_deep_copy_has_the_elements_that_are_read) {
  static const double data[4] = {1, 2, 3, -4};
  ctorch_tensor *x = NULL, *conjugate = NULL, *negative = NULL, *copied = NULL;
  ctorch_value *copy = NULL;
  bool lazy = true;
  ck_ok(ctorch_tensor_from_data(&x, data, sizeof data, CTORCH_INTS(2), CTORCH_DTYPE_COMPLEX128));
  ck_ok(ctorch_aten__conj(&conjugate, x));
  ck_ok(ctorch_aten_imag(&negative, conjugate));
  ck_ok(ctorch_aten_is_neg(&lazy, negative));
  ck_assert(lazy);
  ck_ok(ctorch_value_deep_copy(&copy, boxed_tensor(negative)));
  ck_ok(ctorch_value_to_tensor(&copied, copy));
  ck_doubles(copied, CTORCH_INTS(2), -2, 4);
  ck_ok(ctorch_value_deep_copy(&copy, boxed_tensor(conjugate)));
  ck_ok(ctorch_value_to_tensor(&copied, copy));
  ck_ok(ctorch_aten_view_as_real(&copied, copied));
  ck_doubles(copied, CTORCH_INTS(2, 2), 1, -2, 3, 4);
}
END_TEST

enum { DEEPEST = 1000 };

/** A value as deep as any may be, of one kind of container in the other. */
static ctorch_error *deep_value(ctorch_value **out, ctorch_tensor *innermost) {
  ctorch_value *inner = NULL, *key = NULL, *args = NULL, *outer = NULL;
  CTORCH_TRY(ctorch_value_from_tensor(&inner, innermost));
  CTORCH_TRY(ctorch_value_from_string(&key, "key"));
  CTORCH_TRY(ctorch_value_from_tuple(&args, NULL, 0));
  for (int i = 0; i < DEEPEST - 10; i++) {
    const ctorch_value *const one[] = {inner}, *const keys[] = {key};
    switch (i % 5) {
      case 0:
        CTORCH_TRY(ctorch_value_from_list(&outer, one, 1));
        break;
      case 1:
        CTORCH_TRY(ctorch_value_from_tuple(&outer, one, 1));
        break;
      case 2:
        CTORCH_TRY(ctorch_value_from_dict(&outer, keys, 1, one, 1));
        break;
      case 3:
        CTORCH_TRY(ctorch_value_from_python_object(&outer, "a", "B", args, NULL, inner));
        break;
      default:
        CTORCH_TRY(ctorch_value_from_list(&outer, (const ctorch_value *const[]){key, inner, key}, 3));
    }
    ctorch_value_release(inner);
    inner = outer;
  }
  ctorch_value_release(key);
  ctorch_value_release(args);
  *out = inner;
  return NULL;
}

/** NULL if `error` is RUNTIME, else something else. */
static ctorch_error *expect_runtime(ctorch_error *error) {
  if (error != NULL && ctorch_error_kind_of(error) == CTORCH_ERROR_RUNTIME) {
    ctorch_error_release(error);
    return NULL;
  }
  return error != NULL ? error : ctorch_value_from_none(NULL);
}

static ctorch_error *use_deep_values(void *tensors) {
  ctorch_tensor *const *leaf_and_other = tensors;
  ctorch_value *value = NULL, *twin = NULL, *copy = NULL, *failing = NULL, *list = NULL, *result = NULL;
  ctorch_string *text = NULL, *type = NULL;
  ctorch_op *op = NULL;
  bool same = false;
  CTORCH_TRY(deep_value(&value, leaf_and_other[0]));
  CTORCH_TRY(deep_value(&twin, leaf_and_other[0]));
  CTORCH_TRY(deep_value(&failing, leaf_and_other[1]));
  CTORCH_TRY(ctorch_value_repr(&text, value));
  CTORCH_TRY(ctorch_value_type(&type, value));
  CTORCH_TRY(ctorch_value_equal(&same, value, twin));
  CTORCH_TRY(ctorch_value_deep_copy(&copy, value));
  CTORCH_TRY(ctorch_value_equal(&same, value, copy));
  CTORCH_TRY(expect_runtime(ctorch_value_deep_copy(&list, failing))); /* which frees what was copied so far */
  CTORCH_TRY(ctorch_value_from_list(&list, (const ctorch_value *const[]){value, copy}, 2));
  ctorch_value_release(copy);
  CTORCH_TRY(ctorch_value_list_set(list, 1, NULL)); /* the last reference to the copy */
  CTORCH_TRY(ctorch_op_find(&op, "aten::relu", NULL));
  ctorch_error *error = ctorch_op_call(&result, op, (const ctorch_value *const[]){value}, 1); /* TYPE, which names it */
  if (error == NULL || ctorch_error_kind_of(error) != CTORCH_ERROR_TYPE) {
    return error != NULL ? error : ctorch_value_from_none(NULL);
  }
  ctorch_error_release(error);
  ctorch_op_release(op);
  ctorch_value_release(list);
  ctorch_value_release(value);
  ctorch_value_release(twin);
  ctorch_value_release(failing);
  ctorch_string_release(text);
  ctorch_string_release(type);
  return same ? NULL : ctorch_value_from_none(NULL);
}

START_TEST(the_deepest_values_get_by_with_a_small_stack) {
  ctorch_tensor *tensors[2] = {floats(CTORCH_INTS(1), 1), floats(CTORCH_INTS(1), 1)};
  ck_ok(ctorch_tensor_set_requires_grad(tensors[1], true));
  ck_ok(ctorch_aten_neg(&tensors[1], tensors[1])); /* no leaf: it cannot be copied */
  ck_ok(on_a_small_stack(use_deep_values, tensors));
}
END_TEST

START_TEST(references) {
  ctorch_value *value = NULL;
  ck_ok(ctorch_value_from_int(&value, 5));
  ctorch_value_retain(value);
  ctorch_value_release(value);
  ck_repr(value, "5");
  ctorch_value_release(value);
  ctorch_value_retain(NULL);
  ctorch_value_release(NULL);
  ctorch_value *list = NULL, *entry = NULL;
  ck_ok(ctorch_value_from_ints(&list, CTORCH_INTS(4, 5)));
  ck_assert_int_eq(int_at(list, 1), 5);
  ck_ok(ctorch_value_get(&entry, list, 0));
  ctorch_value_release(list);
  ck_repr(entry, "4");
  ctorch_value_release(entry);
}
END_TEST

int main(void) {
  Suite *suite = suite_create("value");
  ck_scoped_case(suite, what_goes_in_comes_out);
  ck_scoped_case(suite, generators_and_storages_are_the_ones_that_went_in);
  ck_scoped_case(suite, scalars_keep_their_kind);
  ck_scoped_case(suite, another_kind_is_a_type_error_that_names_both);
  ck_scoped_case(suite, what_has_no_value_is_refused);
  ck_scoped_case(suite, texts_may_hold_nul_and_any_bytes);
  ck_scoped_case(suite, bytes_are_no_text);
  ck_scoped_case(suite, ints_have_any_size);
  ck_scoped_case(suite, a_set_holds_each_entry_once);
  ck_scoped_case(suite, zeros_of_either_sign_are_one_key);
  ck_scoped_case(suite, an_ordered_dict_is_a_dict_with_attributes);
  ck_scoped_case(suite, a_deep_copy_has_the_elements_that_are_read);
  ck_scoped_case(suite, the_deepest_values_get_by_with_a_small_stack);
  ck_scoped_case(suite, a_list_changes_in_place);
  ck_scoped_case(suite, a_list_inside_another_is_the_same_list);
  ck_scoped_case(suite, a_typed_list_takes_what_can_become_its_type);
  ck_scoped_case(suite, a_dict_keeps_its_order);
  ck_scoped_case(suite, keys_of_all_kinds);
  ck_scoped_case_loop(suite, keys_of_one_hash_take_no_memory, KEY_KINDS);
  ck_scoped_case_loop(suite, keys_of_one_hash_are_keys_like_others, NANS);
  ck_scoped_case(suite, ints_at_equal_distances_are_all_kept);
  ck_scoped_case(suite, each_nan_is_a_key);
  ck_scoped_case(suite, types_are_those_of_the_entries);
  ck_scoped_case(suite, equality_is_python_s);
  ck_scoped_case(suite, tensors_are_equal_by_their_elements);
  ck_scoped_case(suite, identity);
  ck_scoped_case(suite, a_number_that_equals_nothing_is_itself);
  ck_scoped_case(suite, a_copy_shares_its_entries);
  ck_scoped_case(suite, a_deep_copy_keeps_what_was_shared_shared);
  ck_scoped_case(suite, a_deep_copy_of_parameters);
  ck_scoped_case(suite, a_list_may_contain_itself);
  ck_case(suite, a_text_of_what_is_shared_has_a_limit);
  ck_case(suite, a_million_levels_are_no_danger);
  ck_case_loop(suite, what_is_given_up_may_be_deeply_nested, sizeof GIVING_UP / sizeof *GIVING_UP);
  ck_case(suite, references);
  return ck_main(suite);
}
