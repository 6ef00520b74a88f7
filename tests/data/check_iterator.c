/* Iterators of callbacks. */
#include "harness/values.h"

struct counter {
  int64_t at, end;
  int destroyed;
};

static ctorch_callback_status count(ctorch_value **out, ctorch_error **error, void *payload) {
  struct counter *counter = payload;
  if (counter->at == counter->end) {
    return CTORCH_CALLBACK_OK;
  }
  *error = ctorch_value_from_int(out, counter->at++);
  return *error == NULL ? CTORCH_CALLBACK_OK : 0;
}

static ctorch_callback_status save(ctorch_value **out, ctorch_error **error, void *payload) {
  *error = ctorch_value_from_int(out, ((struct counter *)payload)->at);
  return *error == NULL ? CTORCH_CALLBACK_OK : 0;
}

static ctorch_callback_status load(const ctorch_value *state, ctorch_error **error, void *payload) {
  *error = ctorch_value_to_int(&((struct counter *)payload)->at, state);
  return *error == NULL ? CTORCH_CALLBACK_OK : 0;
}

static ctorch_callback_status lose(ctorch_value **out, ctorch_error **error, void *payload) {
  (void)out;
  (void)payload;
  ck_ok(ctorch_error_new(error, CTORCH_ERROR_INDEX, "lost"));
  return 0;
}

static void destroy(void *payload) { ((struct counter *)payload)->destroyed++; }

static void ck_next(ctorch_iterator *iterator, int64_t expected) {
  ctorch_value *value = NULL;
  int64_t number = 0;
  ck_ok(ctorch_iterator_next(&value, iterator));
  ck_assert_ptr_nonnull(value);
  ck_ok(ctorch_value_to_int(&number, value));
  ck_assert_int_eq(number, expected);
  ctorch_value_release(value);
}

static void ck_end(ctorch_iterator *iterator) {
  ctorch_value *value = NULL;
  ck_ok(ctorch_iterator_next(&value, iterator));
  ck_assert_ptr_null(value);
}

START_TEST(values_come_one_after_another_and_end) {
  struct counter counter = {0, 3, 0};
  ctorch_iterator *iterator = NULL;
  ck_ok(ctorch_iterator_from_callback(&iterator, count, destroy, &counter));
  for (int64_t i = 0; i < 3; i++) {
    ck_next(iterator, i);
  }
  ck_end(iterator);
  counter.end = 5;
  ck_end(iterator);
  ctorch_iterator_retain(iterator);
  ctorch_iterator_release(iterator);
  ck_assert_int_eq(counter.destroyed, 0);
  ctorch_iterator_release(iterator);
  ck_assert_int_eq(counter.destroyed, 1);
}
END_TEST

START_TEST(a_position_is_saved_and_loaded) {
  struct counter counter = {0, 9, 0}, other = {0, 9, 0};
  ctorch_iterator *iterator = NULL, *again = NULL;
  ctorch_value *state = NULL;
  ck_ok(ctorch_iterator_from_stateful_callback(&iterator, count, save, load, destroy, &counter));
  ck_next(iterator, 0);
  ck_next(iterator, 1);
  ck_ok(ctorch_iterator_state_dict(&state, iterator));
  ck_ok(ctorch_iterator_from_stateful_callback(&again, count, save, load, destroy, &other));
  ck_ok(ctorch_iterator_load_state_dict(again, state));
  ck_next(again, 2);
  ck_call_fails(
      ctorch_iterator_load_state_dict, (again, state), CTORCH_ERROR_RUNTIME, "taken from the iterator already");
  ctorch_value_release(state);
  ctorch_iterator_release(iterator);
  ctorch_iterator_release(again);
  ck_assert_int_eq(counter.destroyed + other.destroyed, 2);
}
END_TEST

START_TEST(what_is_refused) {
  struct counter counter = {0, 3, 0};
  ctorch_iterator *iterator = NULL;
  ctorch_value *value = NULL;
  ck_call_fails(ctorch_iterator_from_callback, (NULL, count, destroy, &counter), CTORCH_ERROR_NULL_ARGUMENT, "out");
  ck_call_fails(
      ctorch_iterator_from_callback, (&iterator, NULL, destroy, &counter), CTORCH_ERROR_NULL_ARGUMENT, "next");
  ck_call_fails(
      ctorch_iterator_from_stateful_callback, (&iterator, count, NULL, load, destroy, &counter),
      CTORCH_ERROR_NULL_ARGUMENT, "save");
  ck_call_fails(
      ctorch_iterator_from_stateful_callback, (&iterator, count, save, NULL, destroy, &counter),
      CTORCH_ERROR_NULL_ARGUMENT, "load");
  ck_assert_int_eq(counter.destroyed, 0);
  ck_ok(ctorch_iterator_from_callback(&iterator, lose, NULL, NULL));
  ck_call_fails(ctorch_iterator_next, (NULL, iterator), CTORCH_ERROR_NULL_ARGUMENT, "out");
  ck_call_fails(ctorch_iterator_next, (&value, NULL), CTORCH_ERROR_NULL_ARGUMENT, "self");
  ck_fails(ctorch_iterator_next(&value, iterator), CTORCH_ERROR_INDEX, "lost");
  ck_assert_ptr_null(value);
  ck_call_fails(ctorch_iterator_state_dict, (&value, iterator), CTORCH_ERROR_UNSUPPORTED, "cannot tell where it is");
  ctorch_iterator_release(iterator);
  ctorch_iterator_release(NULL);
}
END_TEST

int main(void) {
  Suite *suite = suite_create("iterator");
  ck_case(suite, values_come_one_after_another_and_end);
  ck_case(suite, a_position_is_saved_and_loaded);
  ck_case(suite, what_is_refused);
  return ck_main(suite);
}
