/* DLPack: descriptions that cannot be true, and what becomes of their memory. */
#include "dlpack/dlpack_producer.h"

static const int64_t HUGE_SHAPE[] = {INT64_MAX, 2}, NEGATIVE_SHAPE[] = {2, -3}, LEAST_SHAPE[] = {INT64_MIN, 1},
                     SQUARE_SHAPE[] = {INT64_C(1) << 32, INT64_C(1) << 31}, WIDE_SHAPE[] = {INT64_C(1) << 61, 1},
                     EMPTY_HUGE_SHAPE[] = {INT64_MAX, INT64_MAX}, NEGATIVE_STRIDES[] = {3, -1},
                     LEAST_STRIDES[] = {INT64_MIN, 1}, HUGE_STRIDES[] = {INT64_MAX, INT64_MAX},
                     FAR_STRIDES[] = {INT64_C(1) << 61, 1};

static void set_shape(DLTensor *t, const int64_t *shape) { memcpy(t->shape, shape, 2 * sizeof *shape); }

static void set_strides(DLTensor *t, const int64_t *strides) { memcpy(t->strides, strides, 2 * sizeof *strides); }

/* Make the description of a good tensor wrong in one way; the code and the message that are due. */
static ctorch_error_kind spoil(int i, DLTensor *t, const char **message) {
  const ctorch_error_kind invalid = CTORCH_ERROR_INVALID_ARGUMENT, buffer = CTORCH_ERROR_BUFFER;
  switch (i) {
    case 0:
      return t->ndim = -1, *message = "ndim is -1", invalid;
    case 1:
      return t->ndim = INT32_MIN, *message = "ndim is -2147483648", invalid;
    case 2:
      return t->ndim = INT32_MAX, *message = "ndim is 2147483647", invalid;
    case 3:
      return t->ndim = 257, *message = "ndim is 257", invalid;
    case 4:
      return t->shape = NULL, *message = "shape is NULL", invalid;
    case 5:
      return set_shape(t, NEGATIVE_SHAPE), *message = "negative size -3 of dimension 1", invalid;
    case 6:
      return set_shape(t, LEAST_SHAPE), *message = "negative size -9223372036854775808 of dimension 0", invalid;
    case 7:
      return set_shape(t, HUGE_SHAPE), *message = "more elements than memory can address", invalid;
    case 8:
      return set_shape(t, SQUARE_SHAPE), *message = "more elements than memory can address", invalid;
    case 9:
      return set_shape(t, SQUARE_SHAPE), t->strides = NULL, *message = "more elements than memory can address", invalid;
    case 10:
      return set_shape(t, EMPTY_HUGE_SHAPE), *message = "more elements than memory can address", invalid;
    case 11: /* fewer elements than 2^63, but more bytes */
      return set_shape(t, WIDE_SHAPE), *message = "memory can address", invalid;
    case 12:
      return set_shape(t, WIDE_SHAPE), t->strides = NULL, *message = "memory can address", invalid;
    case 13:
      return set_strides(t, NEGATIVE_STRIDES), *message = "no negative strides: stride -1 of dimension 1", buffer;
    case 14:
      return set_strides(t, LEAST_STRIDES), *message = "no negative strides", buffer;
    case 15:
      return set_strides(t, HUGE_STRIDES), *message = "strides reach further than memory can address", invalid;
    case 16:
      return set_strides(t, FAR_STRIDES), *message = "memory can address", invalid;
    case 17:
      return t->data = NULL, *message = "data is NULL, but there are elements", invalid;
    case 18:
      return t->byte_offset = UINT64_MAX, *message = "byte_offset", invalid;
    case 19:
      return t->byte_offset = INT64_MAX, *message = "byte_offset", invalid;
    case 20: /* the address wraps around */
      return t->data = (void *)(UINTPTR_MAX - 15), *message = "memory can address", invalid;
    case 21:
      return t->dtype.lanes = 4, *message = "lanes != 1", buffer;
    case 22:
      return t->dtype.lanes = 0, *message = "no dtype", buffer;
    case 23:
      return t->dtype.code = 200, *message = "type code 200", buffer;
    case 24:
      return t->dtype.code = kDLOpaqueHandle, *message = "type code 3", buffer;
    case 25:
      return t->dtype.bits = 0, *message = "0 bits", buffer;
    case 26:
      return t->dtype.bits = 128, *message = "128 bits", buffer;
    case 27:
      return t->dtype = (DLDataType){kDLFloat4_e2m1fn, 4, 1}, *message = "packed elements", buffer;
    case 28:
      return t->dtype = (DLDataType){kDLFloat6_e2m3fn, 6, 1}, *message = "type code 15", buffer;
    case 29:
      return t->dtype = (DLDataType){kDLBool, 1, 1}, *message = "type code 6 of 1 bits", buffer;
    case 30:
      return t->device.device_type = 0, *message = "Unsupported device_type: 0", buffer;
    case 31:
      return t->device.device_type = (DLDeviceType)-1, *message = "Unsupported device_type: -1", buffer;
    case 32:
      return t->device.device_type = (DLDeviceType)99999, *message = "Unsupported device_type: 99999", buffer;
    case 33:
      return t->device.device_type = kDLVulkan, *message = "Unsupported device_type: 7", buffer;
    case 34:
      return t->device.device_type = kDLCUDAManaged, *message = "Unsupported device_type: 13", buffer;
    case 35:
      return t->device = (DLDevice){kDLCUDA, -1}, *message = "no device id -1", invalid;
    case 36:
      return t->device = (DLDevice){kDLCUDA, INT32_MAX}, *message = "no device id 2147483647", invalid;
    default:
      return 0;
  }
}
enum { SPOILT = 37 };

static char mark;
#define UNTOUCHED ((ctorch_tensor *)&mark)

START_TEST(what_cannot_be_true_is_refused_and_given_back_once) {
  static producer p;
  ctorch_tensor *x = UNTOUCHED;
  uint64_t flags = 99;
  const char *message = NULL;
  ctorch_error_kind code = spoil(_i, &produce(&p)->dl_tensor, &message);
  ck_fails(ctorch_tensor_from_dlpack(&x, &flags, &p.versioned), code, message);
  ck_assert_int_eq(p.deleted, 1);
  ck_assert_ptr_eq(x, UNTOUCHED);
  ck_assert_uint_eq(flags, 99);

  produce(&p);
  code = spoil(_i, &p.unversioned.dl_tensor, &message);
  ck_fails(ctorch_tensor_from_dlpack_unversioned(&x, &p.unversioned), code, message);
  ck_assert_int_eq(p.deleted, 1);
  ck_assert_ptr_eq(x, UNTOUCHED);

  produce(&p);
  code = spoil(_i, &p.versioned.dl_tensor, &message);
  ck_fails(ctorch_tensor_from_dltensor(&x, &p.versioned.dl_tensor, NULL, NULL), code, message);
  ck_assert_ptr_eq(x, UNTOUCHED);
}
END_TEST

START_TEST(devices_that_are_not_there_are_refused) {
  static producer p;
  ctorch_tensor *x = UNTOUCHED;
  static const struct {
    int32_t type;
    ctorch_error_kind code;
  } cases[] = {{kDLCUDA, CTORCH_ERROR_UNSUPPORTED},   {kDLROCM, CTORCH_ERROR_UNSUPPORTED},
               {kDLOpenCL, CTORCH_ERROR_UNSUPPORTED}, {kDLMetal, CTORCH_ERROR_UNSUPPORTED},
               {kDLMAIA, CTORCH_ERROR_UNSUPPORTED},   {kDLExtDev, CTORCH_ERROR_UNSUPPORTED},
               {kDLOneAPI, CTORCH_ERROR_BUFFER},      {kDLWebGPU, CTORCH_ERROR_BUFFER},
               {kDLHexagon, CTORCH_ERROR_BUFFER},     {kDLTrn, CTORCH_ERROR_BUFFER}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    produce(&p)->dl_tensor.device = (DLDevice){cases[i].type, 0};
    ctorch_error *error = ctorch_tensor_from_dlpack(&x, NULL, &p.versioned);
    if (ctorch_error_kind_of(error) == CTORCH_ERROR_INVALID_ARGUMENT || error == NULL) {
      continue; /* this LibTorch has such devices */
    }
    ck_assert_int_eq(ctorch_error_kind_of(error), cases[i].code);
    ctorch_error_release(error);
    ck_assert_int_eq(p.deleted, 1);
    ck_assert_ptr_eq(x, UNTOUCHED);
  }
}
END_TEST

START_TEST(another_major_version_is_given_back_unread) {
  static producer p;
  ctorch_tensor *x = UNTOUCHED;
  static const uint32_t majors[] = {0, 2, UINT32_MAX};
  for (size_t i = 0; i < sizeof majors / sizeof *majors; i++) {
    produce(&p)->version.major = majors[i];
    memset(&p.versioned.dl_tensor, 0xAB, sizeof(DLTensor)); /* whatever it is there */
    ck_fails(ctorch_tensor_from_dlpack(&x, NULL, &p.versioned), CTORCH_ERROR_BUFFER, "DLPack");
    ck_assert_int_eq(p.deleted, 1);
    ck_assert_ptr_eq(x, UNTOUCHED);
  }
  produce(&p)->version.minor = UINT32_MAX; /* a newer minor version only adds */
  ck_ok(ctorch_tensor_from_dlpack(&x, NULL, &p.versioned));
  ctorch_tensor_release(x);
  ck_assert_int_eq(p.deleted, 1);
}
END_TEST

START_TEST(a_call_without_output_still_gives_the_tensor_back) {
  static producer p;
  ck_fails(ctorch_tensor_from_dlpack(NULL, NULL, produce(&p)), CTORCH_ERROR_NULL_ARGUMENT, "out");
  ck_assert_int_eq(p.deleted, 1);
  produce(&p);
  ck_fails(ctorch_tensor_from_dlpack_unversioned(NULL, &p.unversioned), CTORCH_ERROR_NULL_ARGUMENT, "out");
  ck_assert_int_eq(p.deleted, 1);
  ctorch_tensor *x = UNTOUCHED;
  ck_fails(ctorch_tensor_from_dlpack(&x, NULL, NULL), CTORCH_ERROR_NULL_ARGUMENT, "managed");
  ck_fails(ctorch_tensor_from_dlpack_unversioned(&x, NULL), CTORCH_ERROR_NULL_ARGUMENT, "managed");
  ck_assert_ptr_eq(x, UNTOUCHED);
}
END_TEST

/* A generator of its own, so that a failure can be repeated. */
static uint64_t state = 20240917;

static uint64_t random_bits(void) {
  state ^= state << 13;
  state ^= state >> 7;
  state ^= state << 17;
  return state;
}

static int64_t random_size(void) {
  static const int64_t sizes[] = {0, 1, 2, 3, 5, -1, INT64_MAX, INT64_MIN, INT64_C(1) << 31, INT64_C(1) << 62};
  const uint64_t choice = random_bits() % 14;
  return choice < 10 ? sizes[choice] : choice < 12 ? (int64_t)random_bits() : 1;
}

/* Whatever is accepted must lie where the description says, and be given back once; nothing may crash. */
START_TEST(random_descriptions_are_refused_or_right) {
  enum { ROUNDS = 20000, MOST = 4 };
  int accepted = 0;
  for (int round = 0; round < ROUNDS; round++) {
    static producer p;
    int64_t shape[MOST], strides[MOST];
    produce(&p);
    DLTensor *t = &p.versioned.dl_tensor;
    for (int i = 0; i < MOST; i++) {
      shape[i] = random_size();
      strides[i] = random_size();
    }
    t->shape = random_bits() % 20 == 0 ? NULL : shape;
    t->strides = random_bits() % 4 == 0 ? NULL : strides;
    t->ndim = (int32_t)(random_bits() % (MOST + 2)) - 1;
    t->byte_offset = random_bits() % 3 == 0 ? (uint64_t)random_size() : 4 * (random_bits() % 4);
    t->data = random_bits() % 8 == 0 ? NULL : p.data;
    if (random_bits() % 4 == 0) {
      t->dtype = (DLDataType){
          (uint8_t)(random_bits() % 19), (uint8_t)(1 << random_bits() % 8), random_bits() % 8 == 0 ? 2 : 1};
    }
    p.versioned.flags = random_bits() % 8;
    const DLTensor before = *t;
    ctorch_tensor *x = UNTOUCHED;
    ctorch_error *error = ctorch_tensor_from_dlpack(&x, NULL, &p.versioned);
    if (error != NULL) {
      const ctorch_error_kind code = ctorch_error_kind_of(error);
      ck_assert_msg(
          code == CTORCH_ERROR_INVALID_ARGUMENT || code == CTORCH_ERROR_BUFFER, "round %d: %s", round,
          ctorch_error_message(error));
      ck_assert_ptr_eq(x, UNTOUCHED);
      ck_assert_int_eq(p.deleted, 1);
      ctorch_error_release(error);
      continue;
    }
    accepted++;
    ck_assert_int_eq(ctorch_tensor_ndim(x), before.ndim);
    int64_t numel = 1;
    for (int i = 0; i < before.ndim; i++) {
      ck_assert_int_eq(ctorch_tensor_sizes(x)[i], shape[i]);
      numel *= shape[i];
    }
    for (int i = 0; i < before.ndim && before.strides != NULL; i++) {
      ck_assert(strides[i] < 0 || ctorch_tensor_strides(x)[i] == strides[i]);
    }
    ck_assert_int_eq(ctorch_tensor_numel(x), numel);
    if (numel != 0) {
      ck_assert_ptr_eq(data_of(x), (char *)before.data + before.byte_offset);
    }
    ck_assert_int_eq(p.deleted, 0);
    ctorch_tensor_release(x);
    ck_assert_int_eq(p.deleted, 1);
  }
  ck_assert_int_gt(accepted, ROUNDS / 100); /* else this shows nothing */
}
END_TEST

int main(void) {
  Suite *suite = suite_create("dlpack_hostile");
  ck_case_loop(suite, what_cannot_be_true_is_refused_and_given_back_once, SPOILT);
  ck_case(suite, devices_that_are_not_there_are_refused);
  ck_case(suite, another_major_version_is_given_back_unread);
  ck_case(suite, a_call_without_output_still_gives_the_tensor_back);
  ck_case(suite, random_descriptions_are_refused_or_right);
  return ck_main(suite);
}
