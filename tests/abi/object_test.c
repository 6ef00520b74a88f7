/* Objects and errors made in C, as the layers above the operators make them. Strict C11 over <ctorch.h> and the two
 * headers of shim/core/abi/c, linked with the rooms abi and base alone, which also shows that those need no other. */
#include <check.h>
#include <ctorch.h>
#include <inttypes.h>
#include <locale.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/c/error.h"
#include "core/c/object.h"

struct ctorch_value { /* stands in for an opaque type: the room that has the real one is not linked */
  int64_t number;
  struct ctorch_value *child;
  long double aligned;
};
typedef struct ctorch_value thing;

static int finalized;
static int64_t last_finalized;

static void finalize(void *self) {
  finalized++;
  last_finalized = ((thing *)self)->number;
  object_unref(((thing *)self)->child);
}

static const object_class thing_class = {"thing", sizeof(thing), finalize};
static const object_class plain_class = {"plain", 1, NULL};

static ctorch_error *thing_new(thing **out, int64_t number) {
  thing *self = object_new(&thing_class);
  if (self != NULL) {
    self->number = number;
  }
  return object_give(__func__, out, self);
}

static void setup(void) { finalized = 0; }

static void ck_ok(ctorch_error *error) { ck_assert_msg(error == NULL, "%s", ctorch_error_message(error)); }

static int64_t live(void) { return ctorch_debug_live_handles(); }

START_TEST(a_new_object_is_zero_aligned_and_has_one_reference) {
  thing *self = object_new(&thing_class);
  ck_assert_ptr_nonnull(self);
  ck_assert_int_eq(self->number, 0);
  ck_assert_ptr_null(self->child);
  ck_assert_uint_eq((uintptr_t)self % _Alignof(max_align_t), 0);
  ck_assert_ptr_eq(object_class_of(self), &thing_class);
  object_unref(self);
  ck_assert_int_eq(finalized, 1);
  object_unref(NULL);
  ck_assert_ptr_null(object_ref(NULL));
  object_retain(NULL);
  object_release(NULL);
  object_take(NULL);
}
END_TEST

START_TEST(the_last_reference_finalizes_once) {
  thing *self;
  ck_ok(thing_new(&self, 5));
  object_retain(self);
  ck_assert_ptr_eq(object_ref(self), self);
  object_release(self);
  object_unref(self);
  ck_assert_int_eq(finalized, 0);
  object_release(self);
  ck_assert_int_eq(finalized, 1);
  ck_assert_int_eq(last_finalized, 5);
}
END_TEST

START_TEST(an_object_holds_another) {
  thing *parent, *child;
  ck_ok(thing_new(&parent, 1));
  ck_ok(thing_new(&child, 2));
  parent->child = object_ref(child);
  object_release(child);
  ck_assert_int_eq(finalized, 0);
  object_release(parent);
  ck_assert_int_eq(finalized, 2);
  ck_assert_int_eq(last_finalized, 2);
}
END_TEST

START_TEST(a_class_may_have_nothing_to_finalize) {
  void *self = object_new(&plain_class);
  object_unref(self);
  ck_assert_int_eq(finalized, 0);
}
END_TEST

START_TEST(an_object_larger_than_memory_is_out_of_memory) {
  const object_class huge = {"huge", SIZE_MAX / 4, NULL};
  void *self = object_new(&huge);
  ck_assert_ptr_null(self);
  thing *out = (thing *)&finalized;
  ctorch_error *error = object_give("ctorch_thing_new", &out, self);
  ck_assert_int_eq(ctorch_error_kind_of(error), CTORCH_ERROR_OUT_OF_MEMORY);
  ck_assert_ptr_eq(out, &finalized);
  ctorch_error_release(error);
}
END_TEST

START_TEST(without_an_output_the_object_is_given_up) {
  ctorch_error *error = thing_new(NULL, 3);
  ck_assert_int_eq(ctorch_error_kind_of(error), CTORCH_ERROR_NULL_ARGUMENT);
  ck_assert_str_eq(ctorch_error_message(error), "out must not be NULL");
  ck_assert_str_eq(ctorch_error_function(error), "thing_new");
  ctorch_error_release(error);
  ck_assert_int_eq(finalized, 1);
}
END_TEST

START_TEST(a_scope_owns_what_is_made_in_it) {
  ctorch_scope *scope = NULL;
  thing *self, *kept;
  ck_ok(ctorch_scope_begin(&scope));
  ck_ok(thing_new(&self, 1));
  ck_ok(thing_new(&kept, 2));
  object_retain(self);
  ck_ok(ctorch_scope_keep(scope, kept));
  ctorch_scope_end(scope);
  ck_assert_int_eq(finalized, 1);
  ck_assert_int_eq(last_finalized, 1);
  object_release(kept);
  ck_assert_int_eq(finalized, 2);
}
END_TEST

START_TEST(what_was_released_or_taken_no_scope_owns) {
  ctorch_scope *scope = NULL;
  thing *released, *taken;
  ck_ok(ctorch_scope_begin(&scope));
  ck_ok(thing_new(&released, 1));
  ck_ok(thing_new(&taken, 2));
  object_release(released);
  ck_assert_int_eq(finalized, 1);
  object_take(taken);
  ctorch_scope_end(scope);
  ck_assert_int_eq(finalized, 1);
  object_unref(taken);
  ck_assert_int_eq(finalized, 2);
}
END_TEST

static void *release_many(void *self) {
  for (int i = 0; i < 10000; i++) {
    object_retain(self);
    object_release(self);
  }
  object_release(self);
  return NULL;
}

START_TEST(references_are_counted_on_every_thread) {
  thing *self;
  ck_ok(thing_new(&self, 9));
  pthread_t threads[4];
  for (int i = 0; i < 4; i++) {
    object_retain(self);
    ck_assert_int_eq(pthread_create(&threads[i], NULL, release_many, self), 0);
  }
  for (int i = 0; i < 4; i++) {
    pthread_join(threads[i], NULL);
  }
  ck_assert_int_eq(finalized, 0);
  object_release(self);
  ck_assert_int_eq(finalized, 1);
}
END_TEST

START_TEST(the_leak_report_names_the_class) {
  const int64_t before = live();
  ck_assert_int_ge(before, 0);
  thing *self;
  ck_ok(thing_new(&self, 1));
  object_retain(self);
  ck_assert_int_eq(live(), before + 2);
  ctorch_string *report;
  ck_ok(ctorch_debug_report(&report));
  ck_assert_ptr_nonnull(strstr(ctorch_string_data(report), "thing made by"));
  ctorch_string_release(report);
  object_release(self);
  object_release(self);
  ck_assert_int_eq(live(), before);
}
END_TEST

START_TEST(an_error_names_its_function_and_argument) {
  ctorch_error *error = error_argument("ctorch_nn_Linear", "in_features", "expected > 0, got %" PRId64, (int64_t)-3);
  ck_assert_int_eq(ctorch_error_kind_of(error), CTORCH_ERROR_INVALID_ARGUMENT);
  ck_assert_str_eq(ctorch_error_function(error), "ctorch_nn_Linear");
  ck_assert_str_eq(ctorch_error_message(error), "in_features: expected > 0, got -3");
  ctorch_error_release(error);
  error = error_null("ctorch_nn_Linear", "out");
  ck_assert_int_eq(ctorch_error_kind_of(error), CTORCH_ERROR_NULL_ARGUMENT);
  ck_assert_str_eq(ctorch_error_message(error), "out must not be NULL");
  ctorch_error_release(error);
  error = error_make("ctorch_optim_step", CTORCH_ERROR_VALUE, "lr %.2f of %s", 0.5, "group 1");
  ck_assert_int_eq(ctorch_error_kind_of(error), CTORCH_ERROR_VALUE);
  ck_assert_str_eq(ctorch_error_message(error), "lr 0.50 of group 1");
  ctorch_error_release(error);
}
END_TEST

START_TEST(an_error_carries_what_did_not_fit) {
  const int64_t expected[] = {2, 3}, got[] = {4};
  const int64_t *dims;
  size_t len;
  ctorch_error *error = error_shape("f", expected, 2, got, 1, "weight of %s", "fc");
  ck_assert_int_eq(ctorch_error_kind_of(error), CTORCH_ERROR_SHAPE_MISMATCH);
  ck_assert_str_eq(ctorch_error_message(error), "weight of fc");
  ck_assert(ctorch_error_expected_shape(error, &dims, &len));
  ck_assert_uint_eq(len, 2);
  ck_assert_mem_eq(dims, expected, sizeof expected);
  ck_assert(ctorch_error_got_shape(error, &dims, &len));
  ck_assert_uint_eq(len, 1);
  ck_assert_mem_eq(dims, got, sizeof got);
  ctorch_error_release(error);

  error = error_shape("f", NULL, 0, got, 1, "a scalar was expected");
  ck_assert(ctorch_error_expected_shape(error, &dims, &len));
  ck_assert_uint_eq(len, 0);
  ctorch_error_release(error);

  const ctorch_device cpu = {0, -1}, cuda = {1, 2};
  ctorch_device device;
  error = error_device("f", &cpu, &cuda, "move it first");
  ck_assert_int_eq(ctorch_error_kind_of(error), CTORCH_ERROR_DEVICE_MISMATCH);
  ck_assert(ctorch_error_expected_device(error, &device));
  ck_assert_int_eq(device.index, -1);
  ck_assert(ctorch_error_got_device(error, &device));
  ck_assert_int_eq(device.type, 1);
  ck_assert_int_eq(device.index, 2);
  ctorch_error_release(error);

  ctorch_dtype dtype;
  error = error_dtype("f", CTORCH_DTYPE_FLOAT32, CTORCH_DTYPE_INT64, "labels");
  ck_assert_int_eq(ctorch_error_kind_of(error), CTORCH_ERROR_DTYPE_MISMATCH);
  ck_assert(ctorch_error_expected_dtype(error, &dtype));
  ck_assert_int_eq(dtype, CTORCH_DTYPE_FLOAT32);
  ck_assert(ctorch_error_got_dtype(error, &dtype));
  ck_assert_int_eq(dtype, CTORCH_DTYPE_INT64);
  ctorch_error_release(error);

  uint64_t bytes;
  error = error_memory("f", 1234567);
  ck_assert_int_eq(ctorch_error_kind_of(error), CTORCH_ERROR_OUT_OF_MEMORY);
  ck_assert_str_eq(ctorch_error_message(error), "out of memory: 1234567 bytes");
  ck_assert(ctorch_error_requested_bytes(error, &bytes));
  ck_assert_uint_eq(bytes, 1234567);
  ck_assert(!ctorch_error_available_bytes(error, &bytes));
  ctorch_error_release(error);
}
END_TEST

START_TEST(a_place_goes_in_front_of_a_message) {
  ctorch_error *error = error_make("f", CTORCH_ERROR_RUNTIME, "no");
  error = error_at(error, "%s.%d", "layer", 2);
  ck_assert_str_eq(ctorch_error_message(error), "layer.2: no");
  ck_assert_int_eq(ctorch_error_kind_of(error), CTORCH_ERROR_RUNTIME);
  ck_assert_str_eq(ctorch_error_function(error), "f");
  ctorch_error_release(error);
  ck_assert_ptr_null(error_at(NULL, "nowhere"));
}
END_TEST

START_TEST(no_call_is_refused_on_the_right_libtorch) { ck_assert_ptr_null(error_refusal("f")); }
END_TEST

int main(void) {
  const char *locale = getenv("CTORCH_TEST_LOCALE"); /* tests/abi/test_locale.py: of a decimal comma */
  if (locale != NULL && setlocale(LC_ALL, locale) == NULL) {
    fprintf(stderr, "no locale %s\n", locale);
    return EXIT_FAILURE;
  }
  TCase *objects = tcase_create("objects"), *errors = tcase_create("errors");
  tcase_add_checked_fixture(objects, setup, NULL);
  tcase_add_test(objects, a_new_object_is_zero_aligned_and_has_one_reference);
  tcase_add_test(objects, the_last_reference_finalizes_once);
  tcase_add_test(objects, an_object_holds_another);
  tcase_add_test(objects, a_class_may_have_nothing_to_finalize);
  tcase_add_test(objects, an_object_larger_than_memory_is_out_of_memory);
  tcase_add_test(objects, without_an_output_the_object_is_given_up);
  tcase_add_test(objects, a_scope_owns_what_is_made_in_it);
  tcase_add_test(objects, what_was_released_or_taken_no_scope_owns);
  tcase_add_test(objects, references_are_counted_on_every_thread);
  tcase_add_test(objects, the_leak_report_names_the_class);
  tcase_add_test(errors, an_error_names_its_function_and_argument);
  tcase_add_test(errors, an_error_carries_what_did_not_fit);
  tcase_add_test(errors, a_place_goes_in_front_of_a_message);
  tcase_add_test(errors, no_call_is_refused_on_the_right_libtorch);
  Suite *suite = suite_create("object");
  suite_add_tcase(suite, objects);
  suite_add_tcase(suite, errors);
  SRunner *runner = srunner_create(suite);
  srunner_run_all(runner, CK_NORMAL);
  int failed = srunner_ntests_failed(runner);
  srunner_free(runner);
  return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
