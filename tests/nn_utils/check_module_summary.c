/* The summary of a model: what it says of a small one, and what is as before when the model fails. */
#include <string.h>

#include "harness/check.h"

static ctorch_module *model(void) {
  ctorch_module *made = NULL, *linear = NULL;
  ck_ok(ctorch_nn_Sequential(&made));
  ck_ok(ctorch_nn_Linear(&linear, 5, 4, true, NULL, NULL));
  ck_ok(ctorch_module_append(made, linear));
  ctorch_module_release(linear);
  return made;
}

/* A tuple of one tensor (2, columns). */
static ctorch_value *arguments(int64_t columns) {
  ctorch_tensor *x = NULL;
  ctorch_value *value = NULL, *args = NULL;
  ck_ok(ctorch_aten_ones(&x, CTORCH_INTS(2, columns), NULL, NULL, NULL, NULL));
  ck_ok(ctorch_value_from_tensor(&value, x));
  ck_ok(ctorch_value_from_tuple(&args, (const ctorch_value *[]){value}, 1));
  ctorch_tensor_release(x);
  ctorch_value_release(value);
  return args;
}

START_TEST(a_table_has_a_row_for_each_module_and_totals) {
  ctorch_module *self = model();
  ctorch_value *args = arguments(5);
  ctorch_string *table = NULL;
  ck_ok(ctorch_module_summary(&table, self, args, NULL));
  ck_assert_str_eq(
      ctorch_string_data(table),
      "Layer  Class       Output shape  Parameters  FLOPs\n"
      "       Sequential  [2, 4]                24     80\n"
      "0      Linear      [2, 4]                24     80\n"
      "Parameters: 24, 24 of them trainable\n"
      "FLOPs: 80\n"
      "Size: 96 bytes\n");
  ctorch_string_release(table);
  ctorch_value_release(args);
  ctorch_module_release(self);
}
END_TEST

START_TEST(rows_are_dicts) {
  ctorch_module *self = model();
  ctorch_value *args = arguments(5), *rows = NULL, *row = NULL, *flops = NULL;
  int64_t number = 0;
  ck_ok(ctorch_module_summary_rows(&rows, self, args, NULL));
  ck_assert_uint_eq(ctorch_value_len(rows), 2);
  ck_ok(ctorch_value_get(&row, rows, 1));
  ck_ok(ctorch_value_dict_at(&flops, row, "flops"));
  ck_ok(ctorch_value_to_int(&number, flops));
  ck_assert_int_eq(number, 2 * 2 * 5 * 4);
  ctorch_value_release(flops);
  ctorch_value_release(row);
  ctorch_value_release(rows);
  ctorch_value_release(args);
  ctorch_module_release(self);
}
END_TEST

START_TEST(a_model_that_fails_is_as_before) {
  ctorch_module *self = model();
  ctorch_value *wrong = arguments(3), *right = arguments(5), *y = NULL;
  ctorch_string *table = NULL;
  ctorch_value *rows = NULL;
  ck_fails(ctorch_module_summary(&table, self, wrong, NULL), CTORCH_ERROR_SHAPE_MISMATCH, "");
  ck_fails(ctorch_module_summary_rows(&rows, self, wrong, NULL), CTORCH_ERROR_SHAPE_MISMATCH, "");
  ck_assert_ptr_null(table);
  ck_assert_ptr_null(rows);
  ck_assert(ctorch_module_training(self) && ctorch_grad_mode_enabled());
  ck_ok(ctorch_module_call(&y, self, right, NULL));
  ctorch_value_release(y);
  ctorch_value_release(wrong);
  ctorch_value_release(right);
  ctorch_module_release(self);
}
END_TEST

START_TEST(nonsense_is_refused) {
  ctorch_module *self = model();
  ctorch_value *args = arguments(5);
  ctorch_string *table = NULL;
  ctorch_value *rows = NULL;
  ck_fails(ctorch_module_summary(NULL, self, args, NULL), CTORCH_ERROR_NULL_ARGUMENT, "out");
  ck_fails(ctorch_module_summary(&table, NULL, args, NULL), CTORCH_ERROR_NULL_ARGUMENT, "self");
  ck_fails(ctorch_module_summary(&table, self, args, args), CTORCH_ERROR_TYPE, "kwargs");
  ck_fails(ctorch_module_summary_rows(NULL, self, args, NULL), CTORCH_ERROR_NULL_ARGUMENT, "out");
  ck_fails(ctorch_module_summary_rows(&rows, NULL, args, NULL), CTORCH_ERROR_NULL_ARGUMENT, "self");
  ck_fails(ctorch_module_summary_rows(&rows, self, NULL, NULL), CTORCH_ERROR_TYPE, "input");
  ctorch_value_release(args);
  ctorch_module_release(self);
}
END_TEST

START_TEST(without_initial_values_no_number_is_drawn) {
  ctorch_module *made = NULL;
  ctorch_value *three = NULL, *args = NULL;
  ck_ok(ctorch_value_from_int(&three, 3));
  ck_ok(ctorch_value_from_tuple(&args, (const ctorch_value *[]){three, three}, 2));
  double drawn[2];
  for (int i = 0; i < 2; i++) {
    ctorch_tensor *x = NULL;
    ck_ok(ctorch_random_manual_seed(7));
    if (i == 1) {
      ck_ok(ctorch_nn_skip_init(&made, "Linear", args, NULL));
    }
    ck_ok(ctorch_aten_rand(&x, CTORCH_INTS(1), NULL, NULL, NULL, NULL));
    ck_ok(ctorch_tensor_item_double(&drawn[i], x));
    ctorch_tensor_release(x);
  }
  ck_assert_double_eq(drawn[0], drawn[1]);
  ck_fails(ctorch_nn_skip_init(NULL, "Linear", args, NULL), CTORCH_ERROR_NULL_ARGUMENT, "out");
  ck_fails(ctorch_nn_skip_init(&made, "Sequential", NULL, NULL), CTORCH_ERROR_RUNTIME, "device");
  ctorch_value_release(three);
  ctorch_value_release(args);
  ctorch_module_release(made);
}
END_TEST

int main(void) {
  Suite *suite = suite_create("module_summary");
  ck_case(suite, a_table_has_a_row_for_each_module_and_totals);
  ck_case(suite, rows_are_dicts);
  ck_case(suite, a_model_that_fails_is_as_before);
  ck_case(suite, nonsense_is_refused);
  ck_case(suite, without_initial_values_no_number_is_drawn);
  return ck_main(suite);
}
