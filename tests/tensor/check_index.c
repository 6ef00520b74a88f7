/* Indexing from C: the text form in one line, the builder, and what both refuse. That the results are Python's is
 * proven against Python, in tensor/test_index.py. */
#include "harness/values.h"

#define NO_INTS CTORCH_DEFAULT_LIST
#define NO_TENSORS CTORCH_DEFAULT_LIST

/** 3 rows of 4: 0 to 11. */
static ctorch_tensor *rows(void) { return floats(CTORCH_INTS(3, 4), 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11); }

START_TEST(a_text_reads_a_view) {
  ctorch_tensor *x = rows(), *y = NULL;
  const void *data = NULL, *view = NULL;
  ck_ok(ctorch_tensor_index_text(&y, x, "1:, ::2", NO_INTS, NO_TENSORS));
  ck_floats(y, CTORCH_INTS(2, 2), 4, 6, 8, 10);
  ck_ok(ctorch_tensor_const_data(&data, x));
  ck_ok(ctorch_tensor_const_data(&view, y));
  ck_assert_ptr_eq(view, (const float *)data + 4);
  ck_ok(ctorch_tensor_index_text(&y, x, "-1, ...", NO_INTS, NO_TENSORS));
  ck_floats(y, CTORCH_INTS(4), 8, 9, 10, 11);
  ck_ok(ctorch_tensor_index_text(&y, x, "0, None, 3", NO_INTS, NO_TENSORS));
  ck_floats(y, CTORCH_INTS(1), 3);
}
END_TEST

START_TEST(the_whole_is_another_tensor_with_the_same_memory) {
  ctorch_tensor *x = rows(), *y = NULL;
  const void *data = NULL, *view = NULL;
  static const char *const wholes[] = {"...", ":", ":, :", "()", "..., :"};
  ck_ok(ctorch_tensor_const_data(&data, x));
  for (size_t i = 0; i < sizeof wholes / sizeof *wholes; i++) {
    ck_ok(ctorch_tensor_index_text(&y, x, wholes[i], NO_INTS, NO_TENSORS));
    ck_assert_ptr_ne(y, x);
    ck_ok(ctorch_tensor_const_data(&view, y));
    ck_assert_ptr_eq(view, data);
    ck_shape(y, CTORCH_INTS(3, 4));
  }
}
END_TEST

START_TEST(placeholders_are_taken_from_the_lists) {
  ctorch_tensor *x = rows(), *y = NULL;
  ctorch_tensor *mask = bools(CTORCH_INTS(3), true, false, true), *columns = ints(CTORCH_INTS(2), 3, 0);
  const int64_t from = 1, to = 3;
  ck_ok(ctorch_tensor_index_text(&y, x, "%t, %d:%d", CTORCH_INTS(from, to), CTORCH_TENSORS(mask)));
  ck_floats(y, CTORCH_INTS(2, 2), 1, 2, 9, 10);
  ck_ok(ctorch_tensor_index_text(&y, x, "%t,%t", NO_INTS, CTORCH_TENSORS(mask, columns)));
  ck_floats(y, CTORCH_INTS(2), 3, 8);
  ck_ok(ctorch_tensor_index_text(&y, x, "[%d, -%d]", CTORCH_INTS(0, 1), NO_TENSORS));
  ck_floats(y, CTORCH_INTS(2, 4), 0, 1, 2, 3, 8, 9, 10, 11);
}
END_TEST

START_TEST(a_text_assigns) {
  ctorch_tensor *x = rows();
  ctorch_tensor *mask = bools(CTORCH_INTS(3, 4), 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1);
  ck_ok(ctorch_tensor_index_put_text(x, "0", NO_INTS, NO_TENSORS, floats(CTORCH_INTS(4), 5, 6, 7, 8)));
  ck_ok(ctorch_tensor_index_put_text(x, "1:, :2", NO_INTS, NO_TENSORS, ints(CTORCH_INTS(1, 1, 2), -1, -2)));
  ck_ok(ctorch_tensor_index_put_scalar_text(x, "%t", NO_INTS, CTORCH_TENSORS(mask), CTORCH_FLOAT(0.5)));
  ck_floats(x, CTORCH_INTS(3, 4), 5, 6, 7, 0.5F, -1, -2, 6, 0.5F, -1, -2, 10, 0.5F);
}
END_TEST

START_TEST(overlapping_memory_is_refused_as_in_python) {
  ctorch_tensor *x = floats(CTORCH_INTS(5), 0, 1, 2, 3, 4), *source = NULL;
  ck_ok(ctorch_tensor_index_text(&source, x, ":-1", NO_INTS, NO_TENSORS));
  ck_fails(
      ctorch_tensor_index_put_text(x, "1:", NO_INTS, NO_TENSORS, source), CTORCH_ERROR_RUNTIME,
      "refer to a single memory location");
  ck_ok(ctorch_aten_clone(&source, source, NULL));
  ck_ok(ctorch_tensor_index_put_text(x, "1:", NO_INTS, NO_TENSORS, source));
  ck_floats(x, CTORCH_INTS(5), 0, 0, 1, 2, 3);
}
END_TEST

START_TEST(an_index_is_pushed_together_and_used_again) {
  ctorch_tensor *x = rows(), *y = NULL;
  ctorch_index *index = NULL;
  ck_ok(ctorch_index_new(&index));
  ck_assert_uint_eq(ctorch_index_len(index), 0);
  ck_ok(ctorch_tensor_index(&y, x, index));
  ck_shape(y, CTORCH_INTS(3, 4));
  ck_ok(ctorch_index_push_slice(index, CTORCH_SOME(int64_t, 1), NULL, NULL));
  ck_ok(ctorch_tensor_index(&y, x, index));
  ck_floats(y, CTORCH_INTS(2, 4), 4, 5, 6, 7, 8, 9, 10, 11);
  ck_ok(ctorch_index_push_int(index, -1));
  ck_ok(ctorch_tensor_index(&y, x, index));
  ck_floats(y, CTORCH_INTS(2), 7, 11);
  ck_ok(ctorch_index_push_none(index));
  ck_ok(ctorch_index_push_ellipsis(index));
  ck_assert_uint_eq(ctorch_index_len(index), 4);
  ck_ok(ctorch_tensor_index(&y, x, index));
  ck_floats(y, CTORCH_INTS(2, 1), 7, 11);
  ck_ok(ctorch_tensor_index_put(x, index, floats(CTORCH_INTS(1), 9)));
  ck_ok(ctorch_tensor_index_put_scalar(rows(), index, CTORCH_INT(1)));
  ck_floats(x, CTORCH_INTS(3, 4), 0, 1, 2, 3, 4, 5, 6, 9, 8, 9, 10, 9);
}
END_TEST

START_TEST(lists_bools_and_tensors_are_pushed) {
  ctorch_tensor *x = rows(), *y = NULL;
  ctorch_index *index = NULL;
  ck_ok(ctorch_index_new(&index));
  ck_ok(ctorch_index_push_bools(index, CTORCH_BOOLS(true, false, true)));
  ck_ok(ctorch_index_push_ints(index, CTORCH_INTS(-1, 0)));
  ck_ok(ctorch_tensor_index(&y, x, index));
  ck_floats(y, CTORCH_INTS(2), 3, 8);
  ck_ok(ctorch_index_new(&index));
  ck_ok(ctorch_index_push_bool(index, true));
  ck_ok(ctorch_index_push_tensor(index, ints(CTORCH_INTS(1), 2)));
  ck_ok(ctorch_tensor_index(&y, x, index));
  ck_floats(y, CTORCH_INTS(1, 4), 8, 9, 10, 11);
  ck_ok(ctorch_index_new(&index));
  ck_ok(ctorch_index_push_ints(index, NULL, 0));
  ck_ok(ctorch_tensor_index(&y, x, index));
  ck_shape(y, CTORCH_INTS(0, 4));
}
END_TEST

START_TEST(a_text_makes_an_index_that_can_be_pushed_to) {
  ctorch_tensor *x = rows(), *y = NULL;
  ctorch_index *index = NULL;
  ck_ok(ctorch_index_from_text(&index, "1,", NO_INTS, NO_TENSORS));
  ck_assert_uint_eq(ctorch_index_len(index), 1);
  ck_ok(ctorch_index_push_slice(index, NULL, CTORCH_SOME(int64_t, -1), CTORCH_SOME(int64_t, 2)));
  ck_ok(ctorch_tensor_index(&y, x, index));
  ck_floats(y, CTORCH_INTS(2), 4, 6);
}
END_TEST

START_TEST(gradients_flow_through_reading_and_assigning) {
  ctorch_tensor *x = rows(), *value = floats(CTORCH_INTS(4), 1, 1, 1, 1), *y = NULL, *grad = NULL;
  ck_ok(ctorch_tensor_set_requires_grad(x, true));
  ck_ok(ctorch_tensor_set_requires_grad(value, true));
  ck_ok(ctorch_aten_mul_Scalar(&y, x, CTORCH_INT(2)));
  ck_ok(ctorch_tensor_index_put_text(y, "1", NO_INTS, NO_TENSORS, value));
  ck_ok(ctorch_tensor_index_text(&y, y, ":2, 1:", NO_INTS, NO_TENSORS));
  ck_ok(ctorch_aten_sum(&y, y, NULL));
  ck_ok(ctorch_tensor_backward(y, NULL, NULL, false));
  ck_ok(ctorch_tensor_grad(&grad, x));
  ck_floats(grad, CTORCH_INTS(3, 4), 0, 2, 2, 2, 0, 0, 0, 0, 0, 0, 0, 0);
  ck_ok(ctorch_tensor_grad(&grad, value));
  ck_floats(grad, CTORCH_INTS(4), 0, 1, 1, 1);
  ck_fails(
      ctorch_tensor_index_put_scalar_text(x, "0", NO_INTS, NO_TENSORS, CTORCH_INT(1)), CTORCH_ERROR_RUNTIME, "leaf");
}
END_TEST

/** NumPy's rule, which Python's PyTorch has kept: a list of lists stands for a tuple if it has fewer than 32 items. */
START_TEST(a_list_of_32_items_is_no_tuple) {
  ctorch_tensor *x = NULL, *out = NULL;
  char text[5 * 32 + 3];
  ck_ok(ctorch_aten_arange(&x, CTORCH_INT(3), NULL, NULL, NULL, NULL));
  for (int len = 31; len <= 32; len++) {
    strcpy(text, "[[0]");
    for (int i = 1; i < len; i++) {
      strcat(text, ", [0]");
    }
    strcat(text, "]");
    ctorch_error *error = ctorch_tensor_index_text(&out, x, text, CTORCH_DEFAULT_LIST, CTORCH_DEFAULT_LIST);
    if (len < 32) { /* 31 indices of one dimension */
      ck_fails(error, CTORCH_ERROR_INDEX, "too many indices");
    } else { /* one index, of a number in each of 32 rows */
      ck_ok(error);
      ck_shape(out, CTORCH_INTS(32, 1));
    }
  }
}
END_TEST

START_TEST(errors_are_pythons) {
  ctorch_tensor *x = rows(), *y = NULL, *sparse = NULL;
  ck_fails(
      ctorch_tensor_index_text(&y, x, "3", NO_INTS, NO_TENSORS), CTORCH_ERROR_INDEX,
      "index 3 is out of bounds for dimension 0 with size 3");
  ck_fails(
      ctorch_tensor_index_text(&y, x, "0, 0, 0", NO_INTS, NO_TENSORS), CTORCH_ERROR_INDEX,
      "too many indices for tensor of dimension 2");
  ck_fails(
      ctorch_tensor_index_text(&y, x, "::-1", NO_INTS, NO_TENSORS), CTORCH_ERROR_VALUE,
      "step must be greater than zero");
  ck_fails(
      ctorch_tensor_index_text(&y, x, "%t", NO_INTS, CTORCH_TENSORS(bools(CTORCH_INTS(2), true, true))),
      CTORCH_ERROR_SHAPE_MISMATCH, "The shape of the mask [2] at index 0 does not match");
  ck_fails(
      ctorch_tensor_index_text(&y, x, "%t", NO_INTS, CTORCH_TENSORS(floats(CTORCH_INTS(1), 0))),
      CTORCH_ERROR_DTYPE_MISMATCH, "tensors used as indices must be long, int, byte or bool tensors");
  ck_fails(ctorch_tensor_index_text(&y, x, "1.5:", NO_INTS, NO_TENSORS), CTORCH_ERROR_TYPE, "slice indices");
  ck_fails(
      ctorch_tensor_index_put_text(x, "0", NO_INTS, NO_TENSORS, floats(CTORCH_INTS(3), 1, 2, 3)),
      CTORCH_ERROR_SHAPE_MISMATCH, "expand");
  ck_ok(ctorch_aten_to_sparse(&sparse, x, NULL, NULL, 0, NULL));
  ck_fails(
      ctorch_tensor_index_put_scalar_text(sparse, "0", NO_INTS, NO_TENSORS, CTORCH_INT(1)), CTORCH_ERROR_TYPE,
      "Cannot assign to a sparse tensor");
  ck_assert_ptr_null(y);
  ck_floats(x, CTORCH_INTS(3, 4), 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11);
}
END_TEST

START_TEST(a_text_that_is_none_is_a_syntax_error) {
  ctorch_tensor *x = rows(), *y = NULL;
  ctorch_index *index = NULL;
  ck_fails(ctorch_tensor_index_text(&y, x, "", NO_INTS, NO_TENSORS), CTORCH_ERROR_SYNTAX, "an index is missing");
  ck_fails(ctorch_tensor_index_text(&y, x, "0, x", NO_INTS, NO_TENSORS), CTORCH_ERROR_SYNTAX, "position 3 of \"0, x\"");
  ck_fails(ctorch_index_from_text(&index, "[0", NO_INTS, NO_TENSORS), CTORCH_ERROR_SYNTAX, "expected a comma or \"]\"");
  ck_fails(ctorch_index_from_text(&index, "\xff", NO_INTS, NO_TENSORS), CTORCH_ERROR_INVALID_ARGUMENT, "UTF-8");
  ck_fails(
      ctorch_index_from_text(&index, "%d, %d", CTORCH_INTS(1), NO_TENSORS), CTORCH_ERROR_INVALID_ARGUMENT,
      "ints: no 2. entry");
  ck_fails(
      ctorch_index_from_text(&index, "0", NO_INTS, CTORCH_TENSORS(x)), CTORCH_ERROR_INVALID_ARGUMENT,
      "tensors: 1 entries, but the text has 0 \"%t\"");
  ck_assert_ptr_null(index);
  ck_assert_ptr_null(y);
}
END_TEST

static void count(void *payload) { ++*(int *)payload; }

START_TEST(tensors_of_an_index_are_kept_and_given_back) {
  int gone = 0;
  int64_t positions[2] = {2, 0};
  ctorch_tensor *x = rows(), *y = NULL, *held = NULL;
  ctorch_index *index = NULL;
  ck_ok(ctorch_tensor_from_buffer(&held, positions, CTORCH_INTS(2), NULL, 0, CTORCH_DTYPE_INT64, count, &gone));
  ck_ok(ctorch_index_from_text(&index, "%t", NO_INTS, CTORCH_TENSORS(held)));
  ck_ok(ctorch_index_push_tensor(index, held));
  ctorch_tensor_release(held);
  ctorch_index_retain(index);
  ctorch_index_release(index);
  ck_ok(ctorch_tensor_index(&y, x, index));
  ck_floats(y, CTORCH_INTS(2), 10, 0);
  ck_assert_int_eq(gone, 0);
  ctorch_index_release(index);
  ck_assert_int_eq(gone, 1);
}
END_TEST

START_TEST(nothing_may_be_null) {
  ctorch_tensor *x = rows(), *y = NULL;
  ctorch_index *index = NULL, *none = NULL;
  const ctorch_tensor *null_tensor = NULL;
  ck_ok(ctorch_index_new(&index));
  ck_fails(ctorch_index_new(NULL), CTORCH_ERROR_NULL_ARGUMENT, "out");
  ck_fails(ctorch_index_from_text(NULL, "0", NO_INTS, NO_TENSORS), CTORCH_ERROR_NULL_ARGUMENT, "out");
  ck_fails(ctorch_index_from_text(&none, NULL, NO_INTS, NO_TENSORS), CTORCH_ERROR_NULL_ARGUMENT, "text");
  ck_fails(ctorch_index_from_text(&none, "0", NULL, 1, NO_TENSORS), CTORCH_ERROR_NULL_ARGUMENT, "ints");
  ck_fails(ctorch_index_from_text(&none, "%t", NO_INTS, &null_tensor, 1), CTORCH_ERROR_NULL_ARGUMENT, "tensors[0]");
  ck_fails(ctorch_index_from_text(&none, "0", NO_INTS, NULL, SIZE_MAX), CTORCH_ERROR_NULL_ARGUMENT, "tensors");
  ck_fails(ctorch_index_push_int(NULL, 0), CTORCH_ERROR_NULL_ARGUMENT, "self");
  ck_fails(ctorch_index_push_slice(NULL, NULL, NULL, NULL), CTORCH_ERROR_NULL_ARGUMENT, "self");
  ck_fails(ctorch_index_push_none(NULL), CTORCH_ERROR_NULL_ARGUMENT, "self");
  ck_fails(ctorch_index_push_ellipsis(NULL), CTORCH_ERROR_NULL_ARGUMENT, "self");
  ck_fails(ctorch_index_push_bool(NULL, true), CTORCH_ERROR_NULL_ARGUMENT, "self");
  ck_fails(ctorch_index_push_tensor(NULL, x), CTORCH_ERROR_NULL_ARGUMENT, "self");
  ck_fails(ctorch_index_push_tensor(index, NULL), CTORCH_ERROR_NULL_ARGUMENT, "value");
  ck_fails(ctorch_index_push_ints(NULL, NULL, 0), CTORCH_ERROR_NULL_ARGUMENT, "self");
  ck_fails(ctorch_index_push_ints(index, NULL, 1), CTORCH_ERROR_NULL_ARGUMENT, "values");
  ck_fails(ctorch_index_push_bools(NULL, NULL, 0), CTORCH_ERROR_NULL_ARGUMENT, "self");
  ck_fails(ctorch_index_push_bools(index, NULL, 1), CTORCH_ERROR_NULL_ARGUMENT, "values");
  ck_assert_uint_eq(ctorch_index_len(index), 0);
  ck_assert_uint_eq(ctorch_index_len(NULL), 0);
  ctorch_index_retain(NULL);
  ctorch_index_release(NULL);
  ck_fails(ctorch_tensor_index(NULL, x, index), CTORCH_ERROR_NULL_ARGUMENT, "out");
  ck_fails(ctorch_tensor_index(&y, NULL, index), CTORCH_ERROR_NULL_ARGUMENT, "self");
  ck_fails(ctorch_tensor_index(&y, x, NULL), CTORCH_ERROR_NULL_ARGUMENT, "index");
  ck_fails(ctorch_tensor_index_put(NULL, index, x), CTORCH_ERROR_NULL_ARGUMENT, "self");
  ck_fails(ctorch_tensor_index_put(x, NULL, x), CTORCH_ERROR_NULL_ARGUMENT, "index");
  ck_fails(ctorch_tensor_index_put(x, index, NULL), CTORCH_ERROR_NULL_ARGUMENT, "value");
  ck_fails(ctorch_tensor_index_put_scalar(x, index, NULL), CTORCH_ERROR_NULL_ARGUMENT, "value");
  ck_fails(
      ctorch_tensor_index_put_scalar(x, index, &(const ctorch_scalar){9, 0, 0, 0, 0}), CTORCH_ERROR_INVALID_ARGUMENT,
      "unknown scalar kind 9");
  ck_fails(ctorch_tensor_index_text(NULL, x, "0", NO_INTS, NO_TENSORS), CTORCH_ERROR_NULL_ARGUMENT, "out");
  ck_fails(ctorch_tensor_index_text(&y, NULL, "0", NO_INTS, NO_TENSORS), CTORCH_ERROR_NULL_ARGUMENT, "self");
  ck_fails(ctorch_tensor_index_text(&y, x, NULL, NO_INTS, NO_TENSORS), CTORCH_ERROR_NULL_ARGUMENT, "text");
  ck_fails(ctorch_tensor_index_put_text(NULL, "0", NO_INTS, NO_TENSORS, x), CTORCH_ERROR_NULL_ARGUMENT, "self");
  ck_fails(ctorch_tensor_index_put_text(x, "0", NO_INTS, NO_TENSORS, NULL), CTORCH_ERROR_NULL_ARGUMENT, "value");
  ck_fails(ctorch_tensor_index_put_scalar_text(x, "0", NO_INTS, NO_TENSORS, NULL), CTORCH_ERROR_NULL_ARGUMENT, "value");
  ck_assert_ptr_null(y);
  ck_assert_ptr_null(none);
}
END_TEST

int main(void) {
  Suite *suite = suite_create("indexing");
  ck_scoped_case(suite, a_text_reads_a_view);
  ck_scoped_case(suite, the_whole_is_another_tensor_with_the_same_memory);
  ck_scoped_case(suite, placeholders_are_taken_from_the_lists);
  ck_scoped_case(suite, a_text_assigns);
  ck_scoped_case(suite, overlapping_memory_is_refused_as_in_python);
  ck_scoped_case(suite, an_index_is_pushed_together_and_used_again);
  ck_scoped_case(suite, lists_bools_and_tensors_are_pushed);
  ck_scoped_case(suite, a_text_makes_an_index_that_can_be_pushed_to);
  ck_scoped_case(suite, gradients_flow_through_reading_and_assigning);
  ck_scoped_case(suite, errors_are_pythons);
  ck_scoped_case(suite, a_text_that_is_none_is_a_syntax_error);
  ck_scoped_case(suite, tensors_of_an_index_are_kept_and_given_back);
  ck_scoped_case(suite, nothing_may_be_null);
  ck_scoped_case(suite, a_list_of_32_items_is_no_tuple);
  return ck_main(suite);
}
