/* DLPack: what an export says, whose memory it is, and what cannot be exported. */
#include "dlpack/dlpack_producer.h"

START_TEST(an_export_describes_the_tensor) {
  ctorch_tensor *x = floats(CTORCH_INTS(2, 3), 0, 1, 2, 3, 4, 5), *columns = NULL, *part = NULL;
  ck_ok(ctorch_aten_t(&columns, x));
  ck_ok(ctorch_aten_narrow(&part, columns, 0, 1, 2)); /* [[1, 4], [2, 5]] */
  DLManagedTensorVersioned *managed = exported(part);
  const DLTensor *t = &managed->dl_tensor;
  ck_assert_uint_eq(managed->version.major, 1);
  ck_assert_uint_eq(managed->version.minor, 3);
  ck_assert_uint_eq(managed->flags, 0);
  ck_assert_int_eq(t->device.device_type, kDLCPU);
  ck_assert_int_eq(t->device.device_id, 0);
  ck_assert_int_eq(t->ndim, 2);
  ck_assert_uint_eq(t->dtype.code, kDLFloat);
  ck_assert_uint_eq(t->dtype.bits, 32);
  ck_assert_uint_eq(t->dtype.lanes, 1);
  ck_assert(t->shape[0] == 2 && t->shape[1] == 2);
  ck_assert(t->strides[0] == 1 && t->strides[1] == 3);
  ck_assert_ptr_eq((char *)t->data + t->byte_offset, data_of(part));
  ck_assert_float_eq(*(float *)t->data, 1);
  ctorch_dlpack_release(managed);
}
END_TEST

START_TEST(it_shares_the_memory_and_keeps_it) {
  ctorch_tensor *x = floats(CTORCH_INTS(2), 1, 2);
  DLManagedTensorVersioned *managed = exported(x);
  ((float *)managed->dl_tensor.data)[1] = 7;
  ck_floats(x, CTORCH_INTS(2), 1, 7);
  ctorch_tensor_release(x);
  ck_assert_float_eq(((float *)managed->dl_tensor.data)[1], 7);
  managed->deleter(managed);
}
END_TEST

START_TEST(its_shape_is_of_the_moment) {
  ctorch_tensor *x = floats(CTORCH_INTS(2, 3), 0, 1, 2, 3, 4, 5);
  DLManagedTensorVersioned *managed = exported(x);
  ck_ok(ctorch_aten_resize_(x, CTORCH_INTS(1, 1, 1, 1, 1, 1, 1), NULL));
  ck_assert(managed->dl_tensor.ndim == 2 && managed->dl_tensor.shape[0] == 2 && managed->dl_tensor.shape[1] == 3);
  ck_assert(managed->dl_tensor.strides[0] == 3 && managed->dl_tensor.strides[1] == 1);
  ck_assert_float_eq(((float *)managed->dl_tensor.data)[5], 5);
  ctorch_dlpack_release(managed);
}
END_TEST

START_TEST(an_unversioned_export_says_the_same) {
  ctorch_tensor *x = floats(CTORCH_INTS(3), 1, 2, 3);
  struct DLManagedTensor *managed = NULL;
  ck_ok(ctorch_tensor_to_dlpack_unversioned(&managed, x, NULL, NULL, NULL));
  ck_assert_ptr_eq(managed->dl_tensor.data, data_of(x));
  ck_assert_int_eq(managed->dl_tensor.ndim, 1);
  ck_assert_int_eq(managed->dl_tensor.shape[0], 3);
  ck_assert_int_eq(managed->dl_tensor.strides[0], 1);
  ck_assert_uint_eq(managed->dl_tensor.dtype.bits, 32);
  ctorch_dlpack_unversioned_release(managed);
}
END_TEST

START_TEST(a_number_has_no_dimensions_and_nothing_has_no_data) {
  ctorch_tensor *number = floats(NO_DIMS, 5), *none = NULL;
  DLManagedTensorVersioned *managed = exported(number);
  ck_assert_int_eq(managed->dl_tensor.ndim, 0);
  ck_assert_float_eq(*(float *)managed->dl_tensor.data, 5);
  ck_floats(imported(managed), NO_DIMS, 5);
  ck_ok(ctorch_aten_narrow(&none, floats(CTORCH_INTS(2, 3), 0, 1, 2, 3, 4, 5), 0, 1, 0));
  managed = exported(none);
  ck_assert_ptr_null(managed->dl_tensor.data);
  ck_assert_int_eq(managed->dl_tensor.shape[0], 0);
  ck_shape(imported(managed), CTORCH_INTS(0, 3));
}
END_TEST

START_TEST(a_copy_is_made_if_asked_and_says_so) {
  ctorch_tensor *x = floats(CTORCH_INTS(2), 1, 2);
  const struct {
    const bool *copy;
    const ctorch_device *device;
    bool copied;
  } cases[] = {
      {NULL, NULL, false},
      {CTORCH_SOME(bool, false), NULL, false},
      {CTORCH_SOME(bool, true), NULL, true},
      {NULL, CPU, false},
      {NULL, &(const ctorch_device){CTORCH_DEVICE_TYPE_CPU, 0}, false},
      {CTORCH_SOME(bool, false), CPU, false},
      {CTORCH_SOME(bool, true), CPU, true}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct DLManagedTensorVersioned *managed = NULL;
    ck_ok(ctorch_tensor_to_dlpack(&managed, x, NULL, cases[i].device, cases[i].copy, false));
    ck_assert_uint_eq(managed->flags, cases[i].copied ? DLPACK_FLAG_BITMASK_IS_COPIED : 0);
    ck_assert_int_eq(managed->dl_tensor.data == data_of(x), !cases[i].copied);
    ck_assert_float_eq(((float *)managed->dl_tensor.data)[1], 2);
    ctorch_dlpack_release(managed);
    struct DLManagedTensor *unversioned = NULL;
    ck_ok(ctorch_tensor_to_dlpack_unversioned(&unversioned, x, NULL, cases[i].device, cases[i].copy));
    ck_assert_int_eq(unversioned->dl_tensor.data == data_of(x), !cases[i].copied);
    ctorch_dlpack_unversioned_release(unversioned);
  }
}
END_TEST

START_TEST(another_device_needs_a_copy) {
  ctorch_tensor *x = floats(CTORCH_INTS(2), 1, 2);
  struct DLManagedTensorVersioned *managed = NULL;
  ck_fails(
      ctorch_tensor_to_dlpack(&managed, x, NULL, META, CTORCH_SOME(bool, false), false), CTORCH_ERROR_VALUE,
      "cannot move (i.e. copy=False) tensor from cpu to meta without copying.");
  /* A copy can be made there, but not exported. */
  ck_fails(ctorch_tensor_to_dlpack(&managed, x, NULL, META, NULL, false), CTORCH_ERROR_BUFFER, "meta");
  ck_fails(
      ctorch_tensor_to_dlpack(&managed, x, NULL, &(const ctorch_device){99, 0}, NULL, false),
      CTORCH_ERROR_INVALID_ARGUMENT, "device");
  ck_assert_ptr_null(managed);
}
END_TEST

START_TEST(read_only_is_a_flag) {
  ctorch_tensor *x = floats(CTORCH_INTS(2), 1, 2);
  struct DLManagedTensorVersioned *managed = NULL;
  uint64_t flags = 99;
  ctorch_tensor *back = NULL;
  ck_ok(ctorch_tensor_to_dlpack(&managed, x, NULL, NULL, NULL, true));
  ck_assert_uint_eq(managed->flags, DLPACK_FLAG_BITMASK_READ_ONLY);
  ck_assert_ptr_eq(managed->dl_tensor.data, data_of(x));
  ck_ok(ctorch_tensor_from_dlpack(&back, &flags, managed));
  ck_assert_uint_eq(flags, CTORCH_DLPACK_FLAG_READ_ONLY);
}
END_TEST

START_TEST(copy_on_write_data_is_copied_only_for_writing) {
  ctorch_tensor *x = floats(CTORCH_INTS(2), 1, 2), *lazy = NULL;
  const void *shared = NULL;
  ck_ok(ctorch_aten__lazy_clone(&lazy, x));
  ck_ok(ctorch_tensor_const_data(&shared, x));
  struct DLManagedTensorVersioned *managed = NULL;
  DLTensor view;
  ck_ok(ctorch_tensor_to_dlpack(&managed, lazy, NULL, NULL, NULL, true));
  ck_assert_ptr_eq(managed->dl_tensor.data, shared);
  ctorch_dlpack_release(managed);
  ck_ok(ctorch_tensor_to_dltensor(&view, lazy, true));
  ck_assert_ptr_eq(view.data, shared);
  managed = exported(lazy);
  ck_assert_ptr_ne(managed->dl_tensor.data, shared);
  ((float *)managed->dl_tensor.data)[0] = 9;
  ck_floats(lazy, CTORCH_INTS(2), 9, 2);
  ck_floats(x, CTORCH_INTS(2), 1, 2);
  ctorch_dlpack_release(managed);
}
END_TEST

START_TEST(a_stream_is_for_devices_that_have_some) {
  ctorch_tensor *x = floats(CTORCH_INTS(2), 1, 2);
  struct DLManagedTensorVersioned *managed = NULL;
  ck_ok(ctorch_tensor_to_dlpack(&managed, x, CTORCH_SOME(int64_t, -1), NULL, NULL, false));
  ctorch_dlpack_release(managed);
  static const int64_t streams[] = {0, 1, 2, 4096, -2, INT64_MIN, INT64_MAX};
  for (size_t i = 0; i < sizeof streams / sizeof *streams; i++) {
    ck_fails(
        ctorch_tensor_to_dlpack(&managed, x, &streams[i], NULL, NULL, false), CTORCH_ERROR_INVALID_ARGUMENT,
        "stream should be None on cpu.");
  }
}
END_TEST

/* Tensors that DLPack cannot describe, each with what the message says. */
static ctorch_tensor *no_export(int i, const char **message) {
  ctorch_tensor *x = floats(CTORCH_INTS(2), 1, 2), *complex = NULL, *y = NULL, *z = NULL;
  ck_ok(ctorch_aten_complex(&complex, x, x));
  const ctorch_dtype qint8 = CTORCH_DTYPE_QINT8, bits8 = CTORCH_DTYPE_BITS8;
  switch (i) {
    case 0:
      *message = "Can't export tensors that require gradient, use tensor.detach()";
      ck_ok(ctorch_tensor_set_requires_grad(x, true));
      return x;
    case 1:
      *message = "Can't export tensors that require gradient, use tensor.detach()";
      ck_ok(ctorch_tensor_set_requires_grad(x, true));
      ck_ok(ctorch_aten_mul_Scalar(&y, x, CTORCH_INT(2)));
      return y;
    case 2:
      *message = "Can't export tensors with the conjugate bit set";
      ck_ok(ctorch_aten_conj(&y, complex));
      return y;
    case 3:
      *message = "Can't export tensors with the negative bit set";
      ck_ok(ctorch_aten__neg_view(&y, x));
      return y;
    case 4:
      *message = "Can't export tensors with layout other than torch.strided";
      ck_ok(ctorch_aten_to_sparse(&y, x, NULL, CTORCH_DEFAULT_LIST, NULL));
      return y;
    case 5:
      *message = "Can't export tensors with layout other than torch.strided";
      ck_ok(ctorch_aten_to_mkldnn(&y, x, NULL));
      return y;
    case 6:
      *message = "Can't export nested tensors";
      ck_ok(ctorch_aten__nested_tensor_from_tensor_list(&y, CTORCH_TENSORS(x, x), NULL, NULL, NULL, NULL));
      return y;
    case 7:
      *message = "Can't export zero tensors";
      ck_ok(ctorch_aten__efficientzerotensor(&y, CTORCH_INTS(2), NULL, NULL, NULL, NULL));
      return y;
    case 8:
      *message = "Cannot pack tensors on meta";
      ck_ok(ctorch_aten_empty_like(&y, x, NULL, NULL, META, NULL, NULL));
      return y;
    case 9:
      *message = "QUInt/QInt types are not supported by dlpack";
      ck_ok(ctorch_aten_quantize_per_tensor(&y, x, 0.1, 0, qint8));
      return y;
    case 10:
      *message = "Bit types are not supported by dlpack";
      ck_ok(ctorch_aten_to_dtype(&y, x, CTORCH_DTYPE_UINT8, false, true, NULL));
      ck_ok(ctorch_aten_view_dtype(&z, y, bits8));
      return z;
    default:
      return NULL;
  }
}
enum { NO_EXPORTS = 11 };

START_TEST(what_dlpack_cannot_describe_is_refused) {
  open_a_scope();
  const char *message = NULL;
  ctorch_tensor *x = no_export(_i, &message);
  struct DLManagedTensorVersioned *managed = NULL;
  struct DLManagedTensor *unversioned = NULL;
  void *out = NULL, *object = NULL;
  const char *name = NULL;
  DLTensor view = {0};
  ck_fails(ctorch_tensor_to_dlpack(&managed, x, NULL, NULL, NULL, false), CTORCH_ERROR_BUFFER, message);
  ck_fails(ctorch_tensor_to_dlpack(&managed, x, NULL, NULL, NULL, true), CTORCH_ERROR_BUFFER, message);
  ck_fails(ctorch_tensor_to_dlpack_unversioned(&unversioned, x, NULL, NULL, NULL), CTORCH_ERROR_BUFFER, message);
  ck_fails(
      ctorch_tensor_dlpack(&out, &name, x, NULL, CTORCH_DEFAULT_LIST, CTORCH_DEFAULT_LIST, NULL), CTORCH_ERROR_BUFFER,
      message);
  if (strstr(message, "gradient") == NULL) {
    ck_fails(ctorch_tensor_to_dltensor(&view, x, false), CTORCH_ERROR_BUFFER, message);
  }
  ck_fails(ctorch_dlpack_exchange_export(&object, ctorch_dlpack_exchange_api(), x), CTORCH_ERROR_BUFFER, message);
  ck_assert(managed == NULL && unversioned == NULL && out == NULL && name == NULL && object == NULL);
  ck_assert(view.data == NULL && view.shape == NULL);
  close_a_scope();
}
END_TEST

START_TEST(missing_arguments_are_named) {
  ctorch_tensor *x = floats(CTORCH_INTS(2), 1, 2);
  struct DLManagedTensorVersioned *managed = NULL;
  struct DLManagedTensor *unversioned = NULL;
  void *out = NULL;
  const char *name = NULL;
  int32_t number = 0;
  DLTensor view;
  const ctorch_error_kind null = CTORCH_ERROR_NULL_ARGUMENT;
  ck_fails(ctorch_tensor_to_dlpack(NULL, x, NULL, NULL, NULL, false), null, "out");
  ck_fails(ctorch_tensor_to_dlpack(&managed, NULL, NULL, NULL, NULL, false), null, "self");
  ck_fails(ctorch_tensor_to_dlpack_unversioned(NULL, x, NULL, NULL, NULL), null, "out");
  ck_fails(ctorch_tensor_to_dlpack_unversioned(&unversioned, NULL, NULL, NULL, NULL), null, "self");
  ck_fails(ctorch_tensor_dlpack(NULL, &name, x, NULL, NULL, 0, NULL, 0, NULL), null, "out");
  ck_fails(ctorch_tensor_dlpack(&out, NULL, x, NULL, NULL, 0, NULL, 0, NULL), null, "out_name");
  ck_fails(ctorch_tensor_dlpack(&out, &name, NULL, NULL, NULL, 0, NULL, 0, NULL), null, "self");
  ck_fails(ctorch_tensor_dlpack_device(NULL, &number, x), null, "out_type");
  ck_fails(ctorch_tensor_dlpack_device(&number, NULL, x), null, "out_id");
  ck_fails(ctorch_tensor_dlpack_device(&number, &number, NULL), null, "self");
  ck_fails(ctorch_tensor_to_dltensor(NULL, x, false), null, "out");
  ck_fails(ctorch_tensor_to_dltensor(&view, NULL, false), null, "self");
  ctorch_dlpack_release(NULL);
  ctorch_dlpack_capsule_destroy(NULL);
  ctorch_dlpack_unversioned_release(NULL);
  ck_assert_ptr_null(ctorch_dlpack_python_exchange_api(NULL));
  ck_assert_ptr_null(ctorch_dlpack_python_exchange_api(x)); /* there is no Python here */
}
END_TEST

START_TEST(the_consumer_gets_the_struct_that_it_knows) {
  ctorch_tensor *x = floats(CTORCH_INTS(2), 1, 2);
  static const struct {
    int64_t version[2];
    size_t len;
    bool versioned;
  } cases[] = {{{0, 0}, 0, false}, {{0, 8}, 2, false}, {{0, 99}, 2, false}, {{-1, 5}, 2, false},
               {{1, 0}, 2, true},  {{1, 3}, 2, true},  {{1, 99}, 2, true},  {{2, 0}, 2, true}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    void *out = NULL;
    const char *name = NULL;
    const int64_t *version = cases[i].len == 0 ? NULL : cases[i].version;
    ck_ok(ctorch_tensor_dlpack(&out, &name, x, NULL, version, cases[i].len, NULL, 0, NULL));
    ck_assert_str_eq(name, cases[i].versioned ? "dltensor_versioned" : "dltensor");
    if (cases[i].versioned) {
      DLManagedTensorVersioned *managed = out;
      ck_assert_uint_eq(managed->version.major, 1);
      ck_assert_ptr_eq(managed->dl_tensor.data, data_of(x));
      ctorch_dlpack_release(managed);
    } else {
      DLManagedTensor *managed = out;
      ck_assert_ptr_eq(managed->dl_tensor.data, data_of(x));
      ctorch_dlpack_unversioned_release(managed);
    }
  }
}
END_TEST

START_TEST(a_device_is_asked_for_in_dlpacks_numbers) {
  ctorch_tensor *x = floats(CTORCH_INTS(2), 1, 2);
  void *out = NULL;
  const char *name = NULL;
  static const int64_t version[] = {1, 3};
  static const int32_t cpu[] = {kDLCPU, 0};
  ck_ok(ctorch_tensor_dlpack(&out, &name, x, NULL, version, 2, cpu, 2, CTORCH_SOME(bool, true)));
  ck_assert_uint_eq(((DLManagedTensorVersioned *)out)->flags, DLPACK_FLAG_BITMASK_IS_COPIED);
  ctorch_dlpack_release(out);
  static const struct {
    int32_t device[2];
    ctorch_error_kind code;
    const char *message;
  } cases[] = {
      {{kDLHexagon, 0}, CTORCH_ERROR_BUFFER, "Unsupported device_type: 16"},
      {{0, 0}, CTORCH_ERROR_BUFFER, "Unsupported device_type: 0"},
      {{INT32_MIN, 0}, CTORCH_ERROR_BUFFER, "Unsupported device_type: -2147483648"},
      {{kDLCUDAHost, 0}, CTORCH_ERROR_BUFFER, "Unsupported device_type: 3"}, /* no pinned copy */
      {{kDLOneAPI, 0}, CTORCH_ERROR_BUFFER, "oneAPI"},
      {{kDLCUDA, 0}, CTORCH_ERROR_VALUE, "cannot move (i.e. copy=False) tensor from cpu to cuda:0"},
      {{kDLCUDA, -1}, CTORCH_ERROR_INVALID_ARGUMENT, "device id -1"},
      {{kDLCUDA, 1000}, CTORCH_ERROR_INVALID_ARGUMENT, "device id 1000"}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    out = NULL;
    ck_fails(
        ctorch_tensor_dlpack(&out, &name, x, NULL, version, 2, cases[i].device, 2, CTORCH_SOME(bool, false)),
        cases[i].code, cases[i].message);
    ck_assert_ptr_null(out);
  }
}
END_TEST

START_TEST(a_version_and_a_device_are_pairs) {
  ctorch_tensor *x = floats(CTORCH_INTS(2), 1, 2);
  void *out = NULL;
  const char *name = NULL;
  static const int64_t version[] = {1, 3, 0};
  static const int32_t device[] = {kDLCPU, 0, 0};
  const ctorch_error_kind invalid = CTORCH_ERROR_INVALID_ARGUMENT;
  ck_fails(ctorch_tensor_dlpack(&out, &name, x, NULL, version, 1, NULL, 0, NULL), invalid, "max_version");
  ck_fails(ctorch_tensor_dlpack(&out, &name, x, NULL, version, 3, NULL, 0, NULL), invalid, "max_version");
  ck_fails(
      ctorch_tensor_dlpack(&out, &name, x, NULL, NULL, 2, NULL, 0, NULL), CTORCH_ERROR_NULL_ARGUMENT, "max_version");
  ck_fails(ctorch_tensor_dlpack(&out, &name, x, NULL, version, SIZE_MAX, NULL, 0, NULL), invalid, "max_version");
  ck_fails(ctorch_tensor_dlpack(&out, &name, x, NULL, version, 2, device, 1, NULL), invalid, "dl_device");
  ck_fails(ctorch_tensor_dlpack(&out, &name, x, NULL, version, 2, device, 3, NULL), invalid, "dl_device");
  ck_fails(
      ctorch_tensor_dlpack(&out, &name, x, NULL, version, 2, NULL, 2, NULL), CTORCH_ERROR_NULL_ARGUMENT, "dl_device");
  ck_assert(out == NULL && name == NULL);
}
END_TEST

START_TEST(a_tensor_says_where_it_is) {
  int32_t type = 9, id = 9;
  ck_ok(ctorch_tensor_dlpack_device(&type, &id, floats(CTORCH_INTS(2), 1, 2)));
  ck_assert_int_eq(type, kDLCPU);
  ck_assert_int_eq(id, 0);
  ctorch_tensor *meta = NULL;
  ck_ok(ctorch_aten_empty_memory_format(&meta, CTORCH_INTS(2), NULL, NULL, META, NULL, NULL));
  ck_fails(ctorch_tensor_dlpack_device(&type, &id, meta), CTORCH_ERROR_BUFFER, "Cannot pack tensors on meta");
}
END_TEST

START_TEST(a_dltensor_borrows_the_tensors_own_shape) {
  ctorch_tensor *x = floats(CTORCH_INTS(2, 3), 0, 1, 2, 3, 4, 5);
  DLTensor view;
  memset(&view, 0xAB, sizeof view);
  ck_ok(ctorch_tensor_to_dltensor(&view, x, false));
  ck_assert_ptr_eq(view.data, data_of(x));
  ck_assert_ptr_eq(view.shape, ctorch_tensor_sizes(x));
  ck_assert_ptr_eq(view.strides, ctorch_tensor_strides(x));
  ck_assert_int_eq(view.ndim, 2);
  ck_assert_uint_eq(view.byte_offset, 0);
  ck_assert(view.dtype.code == kDLFloat && view.dtype.bits == 32 && view.dtype.lanes == 1);
  ck_assert(view.device.device_type == kDLCPU && view.device.device_id == 0);
}
END_TEST

int main(void) {
  Suite *suite = suite_create("dlpack_export");
  ck_scoped_case(suite, an_export_describes_the_tensor);
  ck_case(suite, it_shares_the_memory_and_keeps_it);
  ck_scoped_case(suite, its_shape_is_of_the_moment);
  ck_scoped_case(suite, an_unversioned_export_says_the_same);
  ck_scoped_case(suite, a_number_has_no_dimensions_and_nothing_has_no_data);
  ck_scoped_case(suite, a_copy_is_made_if_asked_and_says_so);
  ck_scoped_case(suite, another_device_needs_a_copy);
  ck_scoped_case(suite, read_only_is_a_flag);
  ck_scoped_case(suite, copy_on_write_data_is_copied_only_for_writing);
  ck_scoped_case(suite, a_stream_is_for_devices_that_have_some);
  ck_case_loop(suite, what_dlpack_cannot_describe_is_refused, NO_EXPORTS);
  ck_scoped_case(suite, missing_arguments_are_named);
  ck_scoped_case(suite, the_consumer_gets_the_struct_that_it_knows);
  ck_scoped_case(suite, a_device_is_asked_for_in_dlpacks_numbers);
  ck_scoped_case(suite, a_version_and_a_device_are_pairs);
  ck_scoped_case(suite, a_tensor_says_where_it_is);
  ck_scoped_case(suite, a_dltensor_borrows_the_tensors_own_shape);
  return ck_main(suite);
}
