/* Writing of files that torch.load reads: arguments, scopes, writers that fail. What is in the files is compared with Python
 * in tests/pt/test_save.py. */
#include "harness/check.h"
#include "harness/values.h"

/* One of each kind of value in a dict, some of them twice. */
static ctorch_value *everything(void) {
  ctorch_value *dict = NULL, *value = NULL, *list = NULL, *args = NULL;
  ctorch_tensor *tensor = floats(CTORCH_INTS(2, 3), 1, 2, 3, 4, 5, 6), *view = NULL, *large = NULL;
  ctorch_storage *storage = NULL;
  ck_ok(ctorch_value_from_dict(&dict, NULL, 0, NULL, 0));
#define PUT(key, make)                              \
  do {                                              \
    ck_ok(make);                                    \
    ck_ok(ctorch_value_dict_put(dict, key, value)); \
    ctorch_value_release(value);                    \
  } while (0)
  PUT("none", ctorch_value_from_none(&value));
  PUT("int", ctorch_value_from_int(&value, -70000));
  PUT("large", ctorch_value_from_decimal(&value, "123456789012345678901234567890"));
  PUT("double", ctorch_value_from_double(&value, 0.5));
  PUT("bool", ctorch_value_from_bool(&value, true));
  PUT("complex", ctorch_value_from_complex(&value, 1, -1));
  PUT("text", ctorch_value_from_string(&value, "größe"));
  PUT("bytes", ctorch_value_from_bytes(&value, "\xff\0x", 3));
  PUT("dtype", ctorch_value_from_dtype(&value, CTORCH_DTYPE_BFLOAT16));
  PUT("layout", ctorch_value_from_layout(&value, CTORCH_LAYOUT_STRIDED));
  PUT("device", ctorch_value_from_device(&value, &(ctorch_device){CTORCH_DEVICE_TYPE_CUDA, 1}));
  PUT("ints", ctorch_value_from_ints(&value, (const int64_t[]){1, 2, 3}, 3));
  PUT("tensor", ctorch_value_from_tensor(&value, tensor));
  ck_ok(ctorch_aten_zeros(&large, CTORCH_INTS(50000), NULL, NULL, NULL, NULL)); /* more than a writer keeps back */
  PUT("large tensor", ctorch_value_from_tensor(&value, large));
  ctorch_tensor_release(large);
  ck_ok(ctorch_aten_t(&view, tensor));
  PUT("view", ctorch_value_from_tensor(&value, view));
  ck_ok(ctorch_storage_from_tensor(&storage, view));
  PUT("storage", ctorch_value_from_storage(&value, storage)); /* so that the tensors are written once more */
  ck_ok(ctorch_value_from_tensor(&value, tensor));
  ck_ok(ctorch_value_from_list(&list, (const ctorch_value *const[]){value, value, NULL}, 3));
  ctorch_value_release(value);
  PUT("set", ctorch_value_from_set(&value, (const ctorch_value *const[]){NULL}, 1));
  PUT("tuple", ctorch_value_from_tuple(&value, (const ctorch_value *const[]){list, list}, 2));
  PUT("list", ctorch_value_copy(&value, list));
  ck_ok(ctorch_value_from_tuple(&args, NULL, 0));
  PUT("object", ctorch_value_from_python_object(&value, "collections", "OrderedDict", args, dict, NULL));
#undef PUT
  ctorch_value_release(args);
  ctorch_value_release(list);
  ctorch_storage_release(storage);
  ctorch_tensor_release(view);
  ctorch_tensor_release(tensor);
  return dict;
}

/* The dict lies in an object that lies in it. */
static void give_up(ctorch_value *dict) {
  ck_ok(ctorch_value_clear(dict));
  ctorch_value_release(dict);
}

START_TEST(nothing_is_left_behind) {
  int64_t before = ctorch_debug_live_handles();
  ctorch_value *value = everything();
  ctorch_writer *writer = NULL;
  ck_ok(ctorch_writer_new(&writer));
  ck_ok(ctorch_serialization_save(writer, value, 0));
  ck_ok(ctorch_writer_finish(writer));
  size_t len = ctorch_writer_nbytes(writer);
  ck_assert_uint_gt(len, 1000);
  ck_assert_int_eq(memcmp(ctorch_writer_data(writer), "PK\3\4", 4), 0);
  ctorch_writer_release(writer);
  give_up(value);
  ck_assert_int_eq(ctorch_debug_live_handles(), before);
}
END_TEST

START_TEST(a_scope_keeps_nothing_of_it) {
  ctorch_value *value = everything();
  ctorch_writer *writer = NULL;
  ctorch_scope *scope = NULL;
  ck_ok(ctorch_writer_new(&writer));
  ck_ok(ctorch_scope_begin(&scope));
  int64_t before = ctorch_debug_live_handles();
  ck_ok(ctorch_serialization_save(writer, value, CTORCH_SAVE_NO_CRC32));
  ck_assert_int_eq(ctorch_debug_live_handles(), before);
  ctorch_scope_end(scope);
  ctorch_writer_release(writer);
  give_up(value);
}
END_TEST

struct sink {
  size_t taken, most, asked_again;
};

static ctorch_callback_status take(const void *data, size_t nbytes, ctorch_error **error, void *payload) {
  struct sink *sink = payload;
  (void)data;
  sink->asked_again += sink->taken > sink->most;
  sink->taken += nbytes;
  if (sink->taken <= sink->most) {
    return CTORCH_CALLBACK_OK;
  }
  ck_ok(ctorch_error_new(error, CTORCH_ERROR_IO, "no more room"));
  return 0;
}

START_TEST(a_writer_that_fails_fails_with_its_own_error) {
  int64_t before = ctorch_debug_live_handles();
  ctorch_value *value = everything();
  size_t all = 0;
  for (size_t most = 0; all == 0; most += 10000) {
    struct sink sink = {.most = most};
    ctorch_writer *writer = NULL;
    ck_ok(ctorch_writer_from_callback(&writer, take, NULL, &sink));
    ctorch_error *error = ctorch_serialization_save(writer, value, 0);
    error = error != NULL ? error : ctorch_writer_finish(writer);
    if (error == NULL) {
      all = sink.taken;
    } else {
      ck_fails(error, CTORCH_ERROR_IO, "no more room");
    }
    ck_assert_uint_eq(sink.asked_again, 0);
    ctorch_writer_release(writer);
  }
  ck_assert_uint_gt(all, 1000);
  give_up(value);
  ck_assert_int_eq(ctorch_debug_live_handles(), before);
}
END_TEST

START_TEST(what_cannot_be_written_is_refused_and_leaves_nothing_behind) {
  int64_t before = ctorch_debug_live_handles();
  ctorch_value *value = everything(), *stream = NULL, *list = NULL;
  ctorch_writer *writer = NULL;
  ck_ok(ctorch_value_from_stream(&stream, &(ctorch_stream){0}));
  ck_ok(ctorch_value_from_list(&list, (const ctorch_value *const[]){NULL, stream}, 2));
  ck_ok(ctorch_value_dict_put(value, "last", list));
  ck_ok(ctorch_writer_new(&writer));
  ck_call_fails(
      ctorch_serialization_save, (writer, value, CTORCH_SAVE_ANY), CTORCH_ERROR_UNSUPPORTED,
      "value['object']['last'][1]: a Stream");
  ck_assert_uint_eq(ctorch_writer_nbytes(writer), 0);
  ctorch_writer_release(writer);
  ctorch_value_release(list);
  ctorch_value_release(stream);
  give_up(value);
  ck_assert_int_eq(ctorch_debug_live_handles(), before);
}
END_TEST

START_TEST(arguments_are_checked) {
  ctorch_value *value = NULL;
  ctorch_writer *writer = NULL;
  ck_ok(ctorch_value_from_none(&value));
  ck_ok(ctorch_writer_new(&writer));
  ck_call_fails(ctorch_serialization_save, (NULL, value, 0), CTORCH_ERROR_NULL_ARGUMENT, "writer");
  ck_call_fails(ctorch_serialization_save, (writer, NULL, 0), CTORCH_ERROR_NULL_ARGUMENT, "value");
  ck_call_fails(ctorch_serialization_save, (writer, value, 8), CTORCH_ERROR_INVALID_ARGUMENT, "flags");
  ck_call_fails(ctorch_serialization_save_file, (NULL, "x"), CTORCH_ERROR_NULL_ARGUMENT, "value");
  ck_fails(ctorch_serialization_save_file(value, NULL), CTORCH_ERROR_NULL_ARGUMENT, "path");
  ck_ok(ctorch_writer_finish(writer));
  ck_call_fails(ctorch_serialization_save, (writer, value, 0), CTORCH_ERROR_RUNTIME, "is finished");
  ctorch_writer_release(writer);
  ctorch_value_release(value);
}
END_TEST

int main(void) {
  Suite *suite = suite_create("serialization_save");
  ck_case(suite, nothing_is_left_behind);
  ck_case(suite, a_scope_keeps_nothing_of_it);
  ck_case(suite, a_writer_that_fails_fails_with_its_own_error);
  ck_case(suite, what_cannot_be_written_is_refused_and_leaves_nothing_behind);
  ck_case(suite, arguments_are_checked);
  return ck_main(suite);
}
