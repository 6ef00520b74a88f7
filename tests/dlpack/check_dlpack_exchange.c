/* DLPack: the tables of functions that libraries exchange tensors with, ours and those of others. */
#include <stdio.h>

#include "dlpack/dlpack_producer.h"

#define TABLE ctorch_dlpack_exchange_api()

/* Our table -------------------------------------------------------------------------------------------------------- */

START_TEST(our_table_is_complete_and_one) {
  const DLPackExchangeAPI *api = TABLE;
  ck_assert_ptr_eq(api, TABLE);
  ck_assert_uint_eq(api->header.version.major, DLPACK_MAJOR_VERSION);
  ck_assert_uint_eq(api->header.version.minor, DLPACK_MINOR_VERSION);
  ck_assert_ptr_null(api->header.prev_api);
  ck_assert(api->managed_tensor_allocator != NULL);
  ck_assert(api->managed_tensor_from_py_object_no_sync != NULL);
  ck_assert(api->managed_tensor_to_py_object_no_sync != NULL);
  ck_assert(api->dltensor_from_py_object_no_sync != NULL);
  ck_assert(api->current_work_stream != NULL);
}
END_TEST

START_TEST(its_objects_are_tensors) {
  const DLPackExchangeAPI *api = TABLE;
  ctorch_tensor *x = floats(CTORCH_INTS(2), 1, 2);
  DLManagedTensorVersioned *managed = NULL;
  DLTensor view;
  void *back = NULL;
  ck_assert_int_eq(api->dltensor_from_py_object_no_sync(x, &view), 0);
  ck_assert_ptr_eq(view.data, data_of(x));
  ck_assert_int_eq(api->managed_tensor_from_py_object_no_sync(x, &managed), 0);
  ck_assert_ptr_eq(managed->dl_tensor.data, data_of(x));
  ck_assert_int_eq(api->managed_tensor_to_py_object_no_sync(managed, &back), 0);
  ck_floats(back, CTORCH_INTS(2), 1, 2);
  ck_assert_ptr_eq(data_of(back), data_of(x));
}
END_TEST

START_TEST(its_functions_refuse_by_status) {
  const DLPackExchangeAPI *api = TABLE;
  static producer p;
  ctorch_tensor *x = NULL;
  ck_ok(ctorch_aten_to_sparse(&x, floats(CTORCH_INTS(2), 1, 2), NULL, CTORCH_DEFAULT_LIST, NULL));
  DLManagedTensorVersioned *managed = NULL;
  DLTensor view = {0};
  void *back = NULL;
  ck_assert_int_eq(api->managed_tensor_from_py_object_no_sync(x, &managed), -1);
  ck_assert_int_eq(api->managed_tensor_from_py_object_no_sync(NULL, &managed), -1);
  ck_assert_int_eq(api->managed_tensor_from_py_object_no_sync(x, NULL), -1);
  ck_assert_int_eq(api->dltensor_from_py_object_no_sync(x, &view), -1);
  ck_assert_int_eq(api->dltensor_from_py_object_no_sync(NULL, &view), -1);
  produce(&p)->version.major = 2;
  ck_assert_int_eq(api->managed_tensor_to_py_object_no_sync(&p.versioned, &back), -1);
  ck_assert_int_eq(p.deleted, 1);
  ck_assert_int_eq(api->managed_tensor_to_py_object_no_sync(NULL, &back), -1);
  ck_assert(managed == NULL && back == NULL && view.data == NULL);
}
END_TEST

static char kind_said[64], message_said[256];
static int said;

static void note_error(void *context, const char *kind, const char *message) {
  ck_assert_ptr_eq(context, &said);
  said++;
  snprintf(kind_said, sizeof kind_said, "%s", kind);
  snprintf(message_said, sizeof message_said, "%s", message);
}

START_TEST(its_allocator_makes_what_the_prototype_says) {
  int64_t shape[] = {3, 4};
  DLTensor prototype = {NULL, {kDLCPU, 0}, 2, {kDLBfloat, 16, 1}, shape, NULL, 0};
  DLManagedTensorVersioned *managed = NULL;
  said = 0;
  ck_assert_int_eq(TABLE->managed_tensor_allocator(&prototype, &managed, &said, note_error), 0);
  ck_assert_int_eq(said, 0);
  ck_assert(managed->dl_tensor.shape[0] == 3 && managed->dl_tensor.shape[1] == 4);
  ck_assert(managed->dl_tensor.strides[0] == 4 && managed->dl_tensor.strides[1] == 1);
  ck_assert(managed->dl_tensor.dtype.code == kDLBfloat && managed->dl_tensor.dtype.bits == 16);
  memset(managed->dl_tensor.data, 0x5A, 24);
  managed->deleter(managed);
}
END_TEST

START_TEST(its_allocator_says_why_not) {
  int64_t shape[] = {3, 4}, negative[] = {3, -4}, huge[] = {INT64_C(1) << 50, INT64_C(1) << 5},
          too_much[] = {INT64_C(1) << 30, INT64_C(1) << 24};
  const struct {
    DLTensor prototype;
    const char *kind, *message;
  } cases[] = {
      {{NULL, {kDLCPU, 0}, 2, {kDLOpaqueHandle, 64, 1}, shape, NULL, 0}, "BufferError", "type code 3"},
      {{NULL, {kDLHexagon, 0}, 2, {kDLFloat, 32, 1}, shape, NULL, 0}, "BufferError", "Unsupported device_type: 16"},
      {{NULL, {kDLCPU, 0}, 2, {kDLFloat, 32, 1}, negative, NULL, 0}, "ValueError", "negative size -4"},
      {{NULL, {kDLCPU, 0}, 2, {kDLFloat, 32, 1}, NULL, NULL, 0}, "ValueError", "shape is NULL"},
      {{NULL, {kDLCPU, 0}, -2, {kDLFloat, 32, 1}, shape, NULL, 0}, "ValueError", "ndim is -2"},
      {{NULL, {kDLCPU, 0}, 2, {kDLFloat, 32, 1}, huge, NULL, 0}, NULL, "memory"},
      {{NULL, {kDLCPU, 0}, 2, {kDLFloat, 32, 1}, too_much, NULL, 0}, "MemoryError", "memory"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    DLTensor prototype = cases[i].prototype;
    DLManagedTensorVersioned *managed = NULL;
    said = 0;
    ck_assert_int_eq(TABLE->managed_tensor_allocator(&prototype, &managed, &said, note_error), -1);
    ck_assert_int_eq(said, 1);
    ck_assert_msg(cases[i].kind == NULL || strcmp(kind_said, cases[i].kind) == 0, "%zu: %s", i, kind_said);
    ck_assert_msg(strstr(message_said, cases[i].message) != NULL, "%zu: %s", i, message_said);
    ck_assert_ptr_null(managed);
    ck_assert_int_eq(TABLE->managed_tensor_allocator(&prototype, &managed, NULL, NULL), -1);
  }
  DLTensor good = {NULL, {kDLCPU, 0}, 2, {kDLFloat, 32, 1}, shape, NULL, 0};
  DLManagedTensorVersioned *managed = NULL;
  ck_assert_int_eq(TABLE->managed_tensor_allocator(NULL, &managed, &said, note_error), -1);
  ck_assert_int_eq(TABLE->managed_tensor_allocator(&good, NULL, &said, note_error), -1);
}
END_TEST

START_TEST(the_cpu_has_no_stream) {
  void *stream = &said;
  ck_assert_int_eq(TABLE->current_work_stream(kDLCPU, 0, &stream), 0);
  ck_assert_ptr_null(stream);
  ck_assert_int_eq(TABLE->current_work_stream(kDLCPU, 0, NULL), -1);
  ck_assert_int_eq(TABLE->current_work_stream(kDLHexagon, 0, &stream), -1);
  ck_assert_int_eq(TABLE->current_work_stream(kDLOneAPI, 0, &stream), -1);
  ck_assert_int_eq(TABLE->current_work_stream(kDLCUDA, 1000, &stream), -1);
  stream = &said;
  ck_ok(ctorch_dlpack_exchange_stream(&stream, TABLE, NULL));
  ck_assert_ptr_null(stream);
}
END_TEST

START_TEST(calls_through_our_own_table_come_back) {
  ctorch_tensor *x = floats(CTORCH_INTS(2, 2), 1, 2, 3, 4), *y = NULL, *z = NULL, *made = NULL;
  void *object = NULL;
  uint64_t flags = 99;
  ck_ok(ctorch_dlpack_exchange_import(&y, &flags, TABLE, x));
  ck_assert_uint_eq(flags, 0);
  ck_assert_ptr_eq(data_of(y), data_of(x));
  ck_ok(ctorch_dlpack_exchange_borrow(&z, TABLE, x));
  ck_assert_ptr_eq(data_of(z), data_of(x));
  ck_floats(z, CTORCH_INTS(2, 2), 1, 2, 3, 4);
  ck_ok(ctorch_dlpack_exchange_export(&object, TABLE, x));
  ck_assert_ptr_eq(data_of(object), data_of(x));
  ck_ok(ctorch_dlpack_exchange_empty(&made, TABLE, CTORCH_INTS(5, 0, 2), CTORCH_DTYPE_BOOL, CPU));
  ck_shape(made, CTORCH_INTS(5, 0, 2));
  ck_assert_int_eq(ctorch_tensor_dtype(made), CTORCH_DTYPE_BOOL);
}
END_TEST

/* Tables of others ------------------------------------------------------------------------------------------------- */

static producer other;
static int status;
static const char *kind_of_failure, *reason;
static bool forgets;

static int other_allocates(
    DLTensor *prototype,
    DLManagedTensorVersioned **out,
    void *context,
    void (*set_error)(void *context, const char *kind, const char *message)) {
  if (status != 0) {
    if (reason != NULL) {
      set_error(context, kind_of_failure, reason);
    }
    return status;
  }
  ck_assert_int_eq(prototype->ndim, 2);
  ck_assert(prototype->shape[0] == 2 && prototype->shape[1] == 3);
  ck_assert(prototype->dtype.code == kDLFloat && prototype->dtype.bits == 32 && prototype->dtype.lanes == 1);
  *out = forgets ? NULL : produce(&other);
  return 0;
}

static int other_exports(void *object, DLManagedTensorVersioned **out) {
  ck_assert_ptr_eq(object, &other);
  if (status == 0 && !forgets) {
    *out = produce(&other);
    (*out)->flags = DLPACK_FLAG_BITMASK_READ_ONLY;
  }
  return status;
}

static DLManagedTensorVersioned *taken;

static int other_imports(DLManagedTensorVersioned *managed, void **out) {
  taken = managed;
  if (status == 0 && !forgets) {
    *out = &other;
  }
  return status;
}

static int other_describes(void *object, DLTensor *out) {
  ck_assert_ptr_eq(object, &other);
  *out = produce(&other)->dl_tensor;
  return status;
}

static int other_stream(DLDeviceType type, int32_t id, void **out) {
  ck_assert_int_eq(type, kDLCPU);
  ck_assert_int_eq(id, 0);
  *out = &other;
  return status;
}

static DLPackExchangeAPI table(void) {
  status = 0;
  forgets = false;
  kind_of_failure = "ValueError";
  reason = NULL;
  return (DLPackExchangeAPI){
      {{DLPACK_MAJOR_VERSION, DLPACK_MINOR_VERSION}, NULL},
      other_allocates,
      other_exports,
      other_imports,
      other_describes,
      other_stream};
}

START_TEST(tensors_come_and_go_by_another_table) {
  const DLPackExchangeAPI api = table();
  ctorch_tensor *x = NULL;
  void *object = NULL, *stream = NULL;
  uint64_t flags = 0;
  ck_ok(ctorch_dlpack_exchange_import(&x, &flags, &api, &other));
  ck_assert_uint_eq(flags, CTORCH_DLPACK_FLAG_READ_ONLY);
  ck_assert_ptr_eq(data_of(x), other.data);
  ctorch_tensor_release(x);
  ck_assert_int_eq(other.deleted, 1);
  ck_ok(ctorch_dlpack_exchange_borrow(&x, &api, &other));
  ck_floats(x, CTORCH_INTS(2, 3), 0, 1, 2, 3, 4, 5);
  ctorch_tensor_release(x);
  ck_assert_int_eq(other.deleted, 0);
  x = floats(CTORCH_INTS(2), 1, 2);
  ck_ok(ctorch_dlpack_exchange_export(&object, &api, x));
  ck_assert_ptr_eq(object, &other);
  ck_assert_ptr_eq(taken->dl_tensor.data, data_of(x));
  taken->deleter(taken);
  ctorch_tensor_release(x);
  ck_ok(ctorch_dlpack_exchange_empty(&x, &api, CTORCH_INTS(2, 3), CTORCH_DTYPE_FLOAT32, NULL));
  ck_assert_ptr_eq(data_of(x), other.data);
  ctorch_tensor_release(x);
  ck_assert_int_eq(other.deleted, 1);
  ck_ok(ctorch_dlpack_exchange_stream(&stream, &api, NULL));
  ck_assert_ptr_eq(stream, &other);
}
END_TEST

/** DLPack 1.1 brought the flag of padded types: a table of 1.0 gets bytes. */
START_TEST(a_table_of_version_1_1_knows_padded_types) {
  ctorch_tensor *x = NULL;
  ck_ok(ctorch_aten_empty_memory_format(
      &x, CTORCH_INTS(2), CTORCH_SOME(ctorch_dtype, CTORCH_DTYPE_UINT4), NULL, NULL, NULL, NULL));
  for (uint32_t minor = 0; minor < 3; minor++) {
    DLPackExchangeAPI api = table();
    void *object = NULL;
    api.header.version.minor = minor;
    ck_ok(ctorch_dlpack_exchange_export(&object, &api, x));
    ck_assert_int_eq(taken->dl_tensor.dtype.bits, minor == 0 ? 8 : 4);
    ck_assert_uint_eq(taken->flags, minor == 0 ? 0 : DLPACK_FLAG_BITMASK_IS_SUBBYTE_TYPE_PADDED);
    taken->deleter(taken);
  }
  ctorch_tensor_release(x);
}
END_TEST

START_TEST(an_older_table_behind_a_newer_one_is_found) {
  DLPackExchangeAPI old = table();
  DLPackExchangeAPI newest = {{{3, 0}, NULL}, NULL, NULL, NULL, NULL, NULL}, newer = newest;
  newer.header.version.major = 2;
  newest.header.prev_api = &newer.header;
  newer.header.prev_api = &old.header;
  ctorch_tensor *x = NULL;
  ck_ok(ctorch_dlpack_exchange_import(&x, NULL, &newest, &other));
  ctorch_tensor_release(x);
  ck_assert_int_eq(other.deleted, 1);
  newer.header.prev_api = NULL;
  ck_fails(ctorch_dlpack_exchange_import(&x, NULL, &newest, &other), CTORCH_ERROR_UNSUPPORTED, "DLPack 3.0");
  newer.header.prev_api = &newest.header; /* in a circle */
  ck_fails(ctorch_dlpack_exchange_import(&x, NULL, &newest, &other), CTORCH_ERROR_UNSUPPORTED, "DLPack 3.0");
}
END_TEST

START_TEST(what_another_table_refuses_is_an_error) {
  const DLPackExchangeAPI api = table();
  ctorch_tensor *x = NULL, *y = floats(CTORCH_INTS(2), 1, 2);
  void *object = NULL, *stream = NULL;
  status = -1;
  ck_fails(
      ctorch_dlpack_exchange_import(&x, NULL, &api, &other), CTORCH_ERROR_PYTHON,
      "managed_tensor_from_py_object_no_sync of the table failed with status -1");
  ck_fails(ctorch_dlpack_exchange_borrow(&x, &api, &other), CTORCH_ERROR_PYTHON, "dltensor_from_py_object_no_sync");
  ck_fails(ctorch_dlpack_exchange_export(&object, &api, y), CTORCH_ERROR_PYTHON, "managed_tensor_to_py_object_no_sync");
  taken->deleter(taken); /* it was handed over all the same */
  ck_fails(ctorch_dlpack_exchange_stream(&stream, &api, NULL), CTORCH_ERROR_PYTHON, "current_work_stream");
  const struct {
    const char *kind, *reason, *message;
  } cases[] = {
      {"MemoryError", "no more of it", "MemoryError: no more of it"},
      {NULL, "odd", "error: odd"},
      {"ValueError", NULL, "no reason"},
      {"ValueError", "\xff", "not UTF-8"}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    kind_of_failure = cases[i].kind;
    reason = cases[i].reason;
    ck_fails(
        ctorch_dlpack_exchange_empty(&x, &api, CTORCH_INTS(2, 3), CTORCH_DTYPE_FLOAT32, NULL), CTORCH_ERROR_CALLBACK,
        cases[i].message);
  }
  status = 0;
  forgets = true; /* success, and nothing to show for it */
  ck_fails(ctorch_dlpack_exchange_import(&x, NULL, &api, &other), CTORCH_ERROR_PYTHON, "returned nothing");
  ck_fails(ctorch_dlpack_exchange_export(&object, &api, y), CTORCH_ERROR_PYTHON, "returned nothing");
  taken->deleter(taken);
  ck_fails(
      ctorch_dlpack_exchange_empty(&x, &api, CTORCH_INTS(2, 3), CTORCH_DTYPE_FLOAT32, NULL), CTORCH_ERROR_CALLBACK,
      "no reason");
  ck_assert(x == NULL && object == NULL && stream == NULL);
}
END_TEST

START_TEST(missing_functions_and_arguments_are_named) {
  DLPackExchangeAPI api = table(), empty = {{{1, 0}, NULL}, NULL, NULL, NULL, NULL, NULL};
  ctorch_tensor *x = NULL, *y = floats(CTORCH_INTS(2), 1, 2);
  void *out = NULL;
  const ctorch_error_kind null = CTORCH_ERROR_NULL_ARGUMENT, unsupported = CTORCH_ERROR_UNSUPPORTED;
  ck_fails(
      ctorch_dlpack_exchange_import(&x, NULL, &empty, &other), unsupported, "managed_tensor_from_py_object_no_sync");
  ck_fails(ctorch_dlpack_exchange_borrow(&x, &empty, &other), unsupported, "dltensor_from_py_object_no_sync");
  ck_fails(ctorch_dlpack_exchange_export(&out, &empty, y), unsupported, "managed_tensor_to_py_object_no_sync");
  ck_fails(
      ctorch_dlpack_exchange_empty(&x, &empty, CTORCH_INTS(2), CTORCH_DTYPE_FLOAT32, NULL), unsupported,
      "managed_tensor_allocator");
  ck_fails(ctorch_dlpack_exchange_stream(&out, &empty, NULL), unsupported, "current_work_stream");
  ck_fails(ctorch_dlpack_exchange_import(NULL, NULL, &api, &other), null, "out");
  ck_fails(ctorch_dlpack_exchange_import(&x, NULL, NULL, &other), null, "api");
  ck_fails(ctorch_dlpack_exchange_import(&x, NULL, &api, NULL), null, "object");
  ck_fails(ctorch_dlpack_exchange_borrow(NULL, &api, &other), null, "out");
  ck_fails(ctorch_dlpack_exchange_borrow(&x, NULL, &other), null, "api");
  ck_fails(ctorch_dlpack_exchange_borrow(&x, &api, NULL), null, "object");
  ck_fails(ctorch_dlpack_exchange_export(NULL, &api, y), null, "out");
  ck_fails(ctorch_dlpack_exchange_export(&out, NULL, y), null, "api");
  ck_fails(ctorch_dlpack_exchange_export(&out, &api, NULL), null, "self");
  ck_fails(ctorch_dlpack_exchange_empty(NULL, &api, CTORCH_INTS(2), 6, NULL), null, "out");
  ck_fails(ctorch_dlpack_exchange_empty(&x, NULL, CTORCH_INTS(2), 6, NULL), null, "api");
  ck_fails(ctorch_dlpack_exchange_stream(NULL, &api, NULL), null, "out");
  ck_fails(ctorch_dlpack_exchange_stream(&out, NULL, NULL), null, "api");
  const ctorch_error_kind invalid = CTORCH_ERROR_INVALID_ARGUMENT;
  const ctorch_device unknown = {99, 0};
  ck_fails(ctorch_dlpack_exchange_empty(&x, &api, CTORCH_INTS(-2), 6, NULL), invalid, "negative size -2");
  ck_fails(ctorch_dlpack_exchange_empty(&x, &api, CTORCH_INTS(2), 99, NULL), invalid, "dtype");
  ck_fails(ctorch_dlpack_exchange_empty(&x, &api, CTORCH_INTS(2), 6, &unknown), invalid, "device");
  ck_fails(ctorch_dlpack_exchange_empty(&x, &api, CTORCH_INTS(2), 6, META), CTORCH_ERROR_BUFFER, "meta");
  ck_fails(
      ctorch_dlpack_exchange_empty(&x, &api, CTORCH_INTS(2), CTORCH_DTYPE_QINT8, NULL), CTORCH_ERROR_BUFFER, "QInt");
  ck_fails(ctorch_dlpack_exchange_stream(&out, &api, META), CTORCH_ERROR_BUFFER, "meta");
}
END_TEST

/* A table that describes its objects wrongly: what it hands out is checked as any import is. */
static int describes_nonsense(void *object, DLTensor *out) {
  other_describes(object, out);
  out->ndim = -5;
  return 0;
}

static int exports_nonsense(void *object, DLManagedTensorVersioned **out) {
  other_exports(object, out);
  (*out)->version.major = 2;
  return 0;
}

START_TEST(what_another_table_tells_is_not_believed) {
  DLPackExchangeAPI api = table();
  ctorch_tensor *x = NULL;
  api.dltensor_from_py_object_no_sync = describes_nonsense;
  api.managed_tensor_from_py_object_no_sync = exports_nonsense;
  ck_fails(ctorch_dlpack_exchange_borrow(&x, &api, &other), CTORCH_ERROR_INVALID_ARGUMENT, "ndim is -5");
  ck_fails(ctorch_dlpack_exchange_import(&x, NULL, &api, &other), CTORCH_ERROR_BUFFER, "DLPack 2.3");
  ck_assert_int_eq(other.deleted, 1);
  ck_assert_ptr_null(x);
}
END_TEST

int main(void) {
  Suite *suite = suite_create("dlpack_exchange");
  ck_case(suite, our_table_is_complete_and_one);
  ck_scoped_case(suite, its_objects_are_tensors);
  ck_scoped_case(suite, its_functions_refuse_by_status);
  ck_case(suite, its_allocator_makes_what_the_prototype_says);
  ck_case(suite, its_allocator_says_why_not);
  ck_case(suite, the_cpu_has_no_stream);
  ck_scoped_case(suite, calls_through_our_own_table_come_back);
  ck_case(suite, tensors_come_and_go_by_another_table);
  ck_case(suite, an_older_table_behind_a_newer_one_is_found);
  ck_scoped_case(suite, what_another_table_refuses_is_an_error);
  ck_scoped_case(suite, missing_functions_and_arguments_are_named);
  ck_case(suite, what_another_table_tells_is_not_believed);
  ck_case(suite, a_table_of_version_1_1_knows_padded_types);
  return ck_main(suite);
}
