/* Lists of tensors. */
#include "harness/values.h"

START_TEST(a_list_holds_its_tensors) {
  ctorch_tensor *a = floats(CTORCH_INTS(1), 1), *b = ints(CTORCH_INTS(2), 2, 3), *element = NULL;
  ctorch_tensor_list *list = NULL;
  ck_ok(ctorch_tensor_list_new(&list, CTORCH_TENSORS(a, NULL, b)));
  ck_assert_uint_eq(ctorch_tensor_list_len(list), 3);
  ck_assert_ptr_eq(ctorch_tensor_list_data(list)[0], a);
  ck_assert_ptr_null(ctorch_tensor_list_data(list)[1]);
  ck_assert_ptr_eq(ctorch_tensor_list_mutable_data(list)[2], b);
  ctorch_tensor_release(b); /* the list has a reference of its own */
  ck_ok(ctorch_tensor_list_get(&element, list, 2));
  ck_ints(element, CTORCH_INTS(2), 2, 3);
  ck_ok(ctorch_tensor_list_get(&element, list, 1));
  ck_assert_ptr_null(element);
}
END_TEST

START_TEST(an_element_outlives_its_list) {
  ctorch_tensor *element = NULL;
  ctorch_tensor_list *list = NULL;
  ck_ok(ctorch_aten_unbind_int(&list, floats(CTORCH_INTS(2), 1, 2), 0));
  ck_ok(ctorch_tensor_list_get(&element, list, 1));
  ctorch_tensor_list_release(list);
  ck_floats(element, NO_DIMS, 2);
}
END_TEST

static void count(void *payload) { ++*(int *)payload; }

START_TEST(releasing_the_list_gives_its_references_back) {
  int gone = 0;
  float memory[] = {1, 2};
  ctorch_tensor *x = NULL;
  ctorch_tensor_list *list = NULL;
  ck_ok(ctorch_tensor_from_buffer(&x, memory, CTORCH_INTS(2), NULL, 0, CTORCH_DTYPE_FLOAT32, count, &gone));
  ck_ok(ctorch_tensor_list_new(&list, CTORCH_TENSORS(x, x, NULL)));
  ctorch_tensor_release(x);
  ck_assert_int_eq(gone, 0);
  ctorch_tensor_list_release(list);
  ck_assert_int_eq(gone, 1);
}
END_TEST

START_TEST(the_undefined_tensor_survives_many_lists) {
  ctorch_tensor *none = NULL;
  for (int i = 0; i < 1000; i++) {
    ctorch_tensor_list *list = NULL;
    ck_ok(ctorch_tensor_list_new(&list, CTORCH_TENSORS(NULL, NULL)));
    ck_ok(ctorch_tensor_list_get(&none, list, 0));
    ck_assert_ptr_null(none);
    ctorch_tensor_list_release(list);
  }
  /* convolution without bias works with the undefined tensor */
  ctorch_tensor *x = floats(CTORCH_INTS(1, 1, 1, 1), 3), *y = NULL;
  ck_ok(ctorch_aten_conv2d(&y, x, x, NULL, NULL, 0, NULL, 0, NULL, 0, 1));
  ck_floats(y, CTORCH_INTS(1, 1, 1, 1), 9);
}
END_TEST

START_TEST(an_empty_list_is_a_list) {
  ctorch_tensor_list *list = NULL;
  ctorch_tensor *element = NULL;
  ck_ok(ctorch_tensor_list_new(&list, NULL, 0));
  ck_assert_ptr_nonnull(list);
  ck_assert_uint_eq(ctorch_tensor_list_len(list), 0);
  ck_fails(ctorch_tensor_list_get(&element, list, 0), CTORCH_ERROR_INDEX, "index 0 of a list of length 0");
}
END_TEST

START_TEST(bad_arguments_are_refused) {
  ctorch_tensor *a = floats(CTORCH_INTS(1), 1), *element = a;
  ctorch_tensor_list *list = NULL, *none = NULL;
  ck_ok(ctorch_tensor_list_new(&list, CTORCH_TENSORS(a)));
  ck_fails(ctorch_tensor_list_new(NULL, CTORCH_TENSORS(a)), CTORCH_ERROR_NULL_ARGUMENT, "out");
  ck_fails(ctorch_tensor_list_new(&none, NULL, 1), CTORCH_ERROR_NULL_ARGUMENT, "tensors");
  ck_fails(
      ctorch_tensor_list_new(&none, (const ctorch_tensor *const[]){a}, SIZE_MAX), CTORCH_ERROR_INVALID_ARGUMENT,
      "absurd length");
  ck_fails(ctorch_tensor_list_get(&element, list, 1), CTORCH_ERROR_INDEX, "index 1 of a list of length 1");
  ck_fails(ctorch_tensor_list_get(&element, list, SIZE_MAX), CTORCH_ERROR_INDEX, "length 1");
  ck_fails(ctorch_tensor_list_get(&element, NULL, 0), CTORCH_ERROR_NULL_ARGUMENT, "self");
  ck_fails(ctorch_tensor_list_get(NULL, list, 0), CTORCH_ERROR_NULL_ARGUMENT, "out");
  ck_assert_ptr_eq(element, a);
  ck_assert_ptr_null(none);
  ck_assert_uint_eq(ctorch_tensor_list_len(NULL), 0);
  ck_assert_ptr_null(ctorch_tensor_list_data(NULL));
  ck_assert_ptr_null(ctorch_tensor_list_mutable_data(NULL));
  ctorch_tensor_list_release(NULL);
}
END_TEST

int main(void) {
  Suite *suite = suite_create("tensor_list");
  ck_scoped_case(suite, a_list_holds_its_tensors);
  ck_scoped_case(suite, an_element_outlives_its_list);
  ck_scoped_case(suite, releasing_the_list_gives_its_references_back);
  ck_scoped_case(suite, the_undefined_tensor_survives_many_lists);
  ck_scoped_case(suite, an_empty_list_is_a_list);
  ck_scoped_case(suite, bad_arguments_are_refused);
  return ck_main(suite);
}
