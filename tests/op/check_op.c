/* Operators called by name: calls, what comes back and who owns it, schemas, and what is refused. */
#include <pthread.h>

#include "harness/boxed_values.h"

static ctorch_op *find(const char *name) {
  ctorch_op *op = NULL;
  ck_ok(ctorch_op_find(&op, name, NULL));
  return op;
}

/** The tensor that an operator returns. */
static ctorch_tensor *call(const char *name, const ctorch_value *const *args, size_t args_len) {
  ctorch_value *out = NULL;
  ck_ok(ctorch_op_call(&out, find(name), args, args_len));
  return unboxed_tensor(out);
}

START_TEST(an_operator_is_called_by_name) {
  ctorch_value *x = boxed_tensor(floats(CTORCH_INTS(2), 1, -2));
  ck_floats(call("aten::add.Tensor", VALUES(x, x)), CTORCH_INTS(2), 2, -4);
  ck_floats(call("aten::add.Tensor", VALUES(x, x, boxed_int(10))), CTORCH_INTS(2), 11, -22);
  ck_floats(call("aten::add.Tensor", VALUES(x, x, NULL)), CTORCH_INTS(2), 2, -4);
  ck_floats(call("aten::relu", VALUES(x)), CTORCH_INTS(2), 1, 0);
}
END_TEST

START_TEST(names_of_arguments) {
  ctorch_value *x = boxed_tensor(floats(CTORCH_INTS(2), 1, -2)), *out = NULL;
  ctorch_op *clamp = find("aten::clamp");
  const char *const max[] = {"max"}, *const both[] = {"max", "min"}, *const unknown[] = {"most"};
  ck_ok(ctorch_op_call_named(&out, clamp, VALUES(x), max, 1, VALUES(boxed_int(0))));
  ck_floats(unboxed_tensor(out), CTORCH_INTS(2), 0, -2);
  ck_ok(ctorch_op_call_named(&out, clamp, VALUES(x), both, 2, VALUES(NULL, boxed_double(-1))));
  ck_floats(unboxed_tensor(out), CTORCH_INTS(2), 1, -1);
  ck_fails(
      ctorch_op_call_named(&out, clamp, VALUES(x), unknown, 1, VALUES(NULL)), CTORCH_ERROR_TYPE,
      "aten::clamp() got an unexpected argument 'most'");
  ck_fails(
      ctorch_op_call_named(&out, clamp, VALUES(x, NULL, NULL), max, 1, VALUES(NULL)), CTORCH_ERROR_TYPE,
      "aten::clamp() got multiple values for argument 'max'");
  ck_fails(
      ctorch_op_call_named(&out, clamp, VALUES(x), both, 2, VALUES(NULL)), CTORCH_ERROR_INVALID_ARGUMENT,
      "1 values for 2 names");
}
END_TEST

START_TEST(results) {
  ctorch_tensor *x = ints(CTORCH_INTS(3), 4, 6, 5);
  ctorch_value *value = boxed_tensor(x), *out = NULL, *entry = NULL;
  ck_ok(ctorch_op_call(&out, find("aten::max.dim"), VALUES(value, boxed_int(0))));
  ck_assert_int_eq(ctorch_value_kind_of(out), CTORCH_VALUE_TUPLE);
  ck_repr(out, "(tensor(6), tensor(1))");
  ck_ok(ctorch_op_call(&out, find("aten::item"), VALUES(boxed_tensor(ints(NO_DIMS, 7)))));
  ck_repr(out, "7");
  ck_ok(ctorch_op_call(&out, find("aten::split.Tensor"), VALUES(value, boxed_int(2))));
  ck_type(out, "List[Tensor]");
  ck_ok(ctorch_op_call(&out, find("aten::_foreach_zero_"), VALUES(boxed_list(VALUES(value)))));
  ck_assert_int_eq(ctorch_value_kind_of(out), CTORCH_VALUE_NONE);
  ck_ints(x, CTORCH_INTS(3), 0, 0, 0);
  ck_ok(ctorch_op_call(&out, find("aten::add_.Tensor"), VALUES(value, boxed_int(2))));
  ck_assert_ptr_eq(unboxed_tensor(out), x);
  ck_ok(ctorch_op_call(NULL, find("aten::add_.Tensor"), VALUES(value, boxed_int(2))));
  ck_ints(x, CTORCH_INTS(3), 4, 4, 4);
  ck_ok(ctorch_op_call(
      &out, find("aten::split_with_sizes"), VALUES(value, boxed_list(VALUES(boxed_int(1), boxed_int(2))))));
  ck_ok(ctorch_value_get(&entry, out, 1));
  ck_ints(unboxed_tensor(entry), CTORCH_INTS(2), 4, 4);
}
END_TEST

START_TEST(wrong_arguments_do_not_reach_the_operator) {
  ctorch_tensor *x = floats(CTORCH_INTS(2), 1, 2);
  ctorch_value *value = boxed_tensor(x), *text = boxed_string("x"), *out = NULL;
  ctorch_op *add = find("aten::add_.Tensor"), *cat = find("aten::cat");
  ck_fails(ctorch_op_call(&out, add, VALUES(value)), CTORCH_ERROR_TYPE, "missing a value for argument 'other'");
  ck_fails(ctorch_op_call(&out, add, VALUES(value, NULL)), CTORCH_ERROR_NULL_ARGUMENT, "argument 'other'");
  ck_fails(
      ctorch_op_call(&out, add, VALUES(value, text)), CTORCH_ERROR_TYPE,
      "aten::add_.Tensor(): argument 'other' must be Tensor, not str");
  ck_fails(
      ctorch_op_call(&out, add, VALUES(value, value, value, value)), CTORCH_ERROR_TYPE,
      "aten::add_.Tensor() takes 3 arguments but 4 were given");
  ck_fails(
      ctorch_op_call(&out, cat, VALUES(boxed_list(VALUES(value, text)))), CTORCH_ERROR_TYPE,
      "argument 'tensors'[1] must be Tensor, not str");
  ck_fails(ctorch_op_call(&out, add, NULL, 2), CTORCH_ERROR_NULL_ARGUMENT, "args");
  ck_fails(ctorch_op_call(&out, NULL, VALUES(value)), CTORCH_ERROR_NULL_ARGUMENT, "self");
  ck_fails(
      ctorch_op_call(&out, find("aten::add.Tensor"), VALUES(value, boxed_tensor(floats(CTORCH_INTS(3), 1, 2, 3)))),
      CTORCH_ERROR_SHAPE_MISMATCH, "size");
  ck_assert_ptr_null(out);
  ck_floats(x, CTORCH_INTS(2), 1, 2);
}
END_TEST

START_TEST(a_list_that_contains_itself_is_no_argument) {
  ctorch_value *list = boxed_list(NO_VALUES), *out = NULL;
  ck_ok(ctorch_value_list_append(list, list));
  ck_fails(ctorch_op_call(&out, find("aten::cat"), VALUES(list)), CTORCH_ERROR_TYPE, "argument 'tensors'[0]");
  ck_ok(ctorch_value_clear(list));
}
END_TEST

START_TEST(gradients_are_recorded_but_not_below_autograd) {
  ctorch_tensor *x = floats(CTORCH_INTS(1), 3), *grad = NULL;
  ck_ok(ctorch_tensor_set_requires_grad(x, true));
  ctorch_value *value = boxed_tensor(x), *out = NULL;
  ck_ok(ctorch_op_call(&out, find("aten::mul.Tensor"), VALUES(value, value)));
  ck_ok(ctorch_tensor_backward(unboxed_tensor(out), NULL, NULL, false));
  ck_ok(ctorch_tensor_grad(&grad, x));
  ck_floats(grad, CTORCH_INTS(1), 6);
  ck_ok(ctorch_op_call_below_autograd(&out, find("aten::mul.Tensor"), VALUES(value, value)));
  ck_floats(unboxed_tensor(out), CTORCH_INTS(1), 9);
  ck_assert(!ctorch_tensor_requires_grad(unboxed_tensor(out)));
  ck_fails(ctorch_op_call_below_autograd(&out, find("aten::mul.Tensor"), VALUES(value)), CTORCH_ERROR_TYPE, "'other'");
  ck_ok(ctorch_op_call(&out, find("aten::mul.Tensor"), VALUES(value, value)));
  ck_assert(ctorch_tensor_requires_grad(unboxed_tensor(out)));
}
END_TEST

START_TEST(schemas_are_readable) {
  ctorch_op *op = find("aten::sum.dim_IntList");
  ctorch_value *value = NULL;
  ck_assert_str_eq(
      ctorch_op_schema(op),
      "aten::sum.dim_IntList(Tensor self, int[1]? dim, bool keepdim=False, *, ScalarType? dtype=None) -> Tensor");
  ck_assert_str_eq(ctorch_op_name(op), "aten::sum");
  ck_assert_str_eq(ctorch_op_overload(op), "dim_IntList");
  ck_assert_str_eq(ctorch_op_namespace(op), "aten");
  ck_assert_uint_eq(ctorch_op_num_arguments(op), 4);
  ck_assert_str_eq(ctorch_op_argument_name(op, 1), "dim");
  ck_assert_str_eq(ctorch_op_argument_type(op, 1), "int[1]?");
  ck_assert(!ctorch_op_argument_has_default(op, 1) && ctorch_op_argument_has_default(op, 2));
  ck_assert(!ctorch_op_argument_is_keyword_only(op, 2) && ctorch_op_argument_is_keyword_only(op, 3));
  ck_ok(ctorch_op_argument_default(&value, op, 2));
  ck_repr(value, "False");
  ck_ok(ctorch_op_argument_default(&value, op, 3));
  ck_repr(value, "None");
  ck_ok(ctorch_op_argument_default(&value, op, 0));
  ck_assert_ptr_null(value);
  ck_fails(ctorch_op_argument_default(&value, op, 4), CTORCH_ERROR_INDEX, "argument 4 of aten::sum.dim_IntList");
  ck_assert_uint_eq(ctorch_op_num_returns(op), 1);
  ck_assert_str_eq(ctorch_op_return_type(op, 0), "Tensor");
  ck_assert_str_eq(ctorch_op_return_name(op, 0), "");
  op = find("aten::add_.Tensor");
  ck_assert_str_eq(ctorch_op_argument_alias(op, 0), "a!");
  ck_assert_str_eq(ctorch_op_argument_alias(op, 1), "");
  ck_assert_str_eq(ctorch_op_return_alias(op, 0), "a!");
  ck_assert(ctorch_op_argument_is_mutated(op, 0) && !ctorch_op_argument_is_mutated(op, 1));
  ck_assert(ctorch_op_argument_is_mutated(find("aten::_foreach_zero_"), 0));
}
END_TEST

START_TEST(there_is_nothing_in_no_operator) {
  bool out = true;
  ck_assert_str_eq(ctorch_op_name(NULL), "");
  ck_assert_str_eq(ctorch_op_overload(NULL), "");
  ck_assert_str_eq(ctorch_op_namespace(NULL), "");
  ck_assert_str_eq(ctorch_op_schema(NULL), "");
  ck_assert(!ctorch_op_is_registered(NULL));
  ck_assert(ctorch_op_num_arguments(NULL) == 0 && ctorch_op_num_returns(NULL) == 0);
  ck_assert(ctorch_op_argument_name(NULL, 0) == NULL && ctorch_op_return_name(NULL, 0) == NULL);
  ck_fails(ctorch_op_has_kernel(&out, NULL, "CPU"), CTORCH_ERROR_NULL_ARGUMENT, "self");
  ck_fails(ctorch_op_has_kernel(&out, find("aten::relu"), NULL), CTORCH_ERROR_NULL_ARGUMENT, "dispatch_key");
  ck_fails(
      ctorch_op_has_kernel(&out, find("aten::relu"), "cpu?"), CTORCH_ERROR_INVALID_ARGUMENT, "no dispatch key 'cpu?'");
  ck_assert(out);
  ck_ok(ctorch_op_has_kernel(&out, find("aten::linear"), "SparseCPU"));
  ck_assert(!out);
  ctorch_op_retain(NULL);
  ctorch_op_release(NULL);
}
END_TEST

START_TEST(an_unknown_operator_is_unsupported) {
  ctorch_op *op = NULL;
  ck_fails(ctorch_op_find(&op, "aten::nonsense", NULL), CTORCH_ERROR_UNSUPPORTED, "no operator aten::nonsense");
  ck_fails(ctorch_op_find(&op, "aten::add", "Bogus"), CTORCH_ERROR_UNSUPPORTED, "there is aten::add.Scalar");
  ck_fails(ctorch_op_find(&op, NULL, NULL), CTORCH_ERROR_NULL_ARGUMENT, "name");
  ck_fails(ctorch_op_find(&op, "\xff", NULL), CTORCH_ERROR_INVALID_ARGUMENT, "name: not UTF-8");
  ck_fails(ctorch_op_find(NULL, "aten::relu", NULL), CTORCH_ERROR_NULL_ARGUMENT, "out");
  ck_assert_ptr_null(op);
}
END_TEST

START_TEST(all_operators_are_listed) {
  ctorch_value *names = NULL, *name = NULL;
  ck_ok(ctorch_op_list(&names));
  ck_assert_uint_gt(ctorch_value_len(names), 3300);
  bool found = false;
  for (size_t i = 0; i < ctorch_value_len(names); i++) {
    const char *text = NULL;
    ck_ok(ctorch_value_get(&name, names, i));
    ck_ok(ctorch_value_to_string(&text, NULL, name));
    found = found || strcmp(text, "quantized::linear") == 0;
    ctorch_value_release(name);
  }
  ck_assert(found);
}
END_TEST

static void *add_many_times(void *operator) {
  ctorch_op *op = operator;
  ctorch_scope *scope = NULL;
  ck_ok(ctorch_scope_begin(&scope));
  ctorch_value *x = boxed_tensor(floats(CTORCH_INTS(1), 1)), *out = NULL;
  for (int i = 0; i < 2000; i++) {
    ck_ok(ctorch_op_call(&out, op, VALUES(x, x)));
    ctorch_value_release(out);
  }
  ctorch_scope_end(scope);
  return NULL;
}

START_TEST(threads_share_an_operator) {
  ctorch_op *op = NULL;
  ck_ok(ctorch_op_find(&op, "aten::add.Tensor", NULL));
  pthread_t threads[4];
  for (int i = 0; i < 4; i++) {
    ck_assert_int_eq(pthread_create(&threads[i], NULL, add_many_times, op), 0);
  }
  for (int i = 0; i < 4; i++) {
    pthread_join(threads[i], NULL);
  }
  ctorch_op_retain(op);
  ctorch_op_release(op);
  ck_assert(ctorch_op_is_registered(op));
  ctorch_op_release(op);
}
END_TEST

int main(void) {
  Suite *suite = suite_create("op");
  ck_scoped_case(suite, an_operator_is_called_by_name);
  ck_scoped_case(suite, names_of_arguments);
  ck_scoped_case(suite, results);
  ck_scoped_case(suite, wrong_arguments_do_not_reach_the_operator);
  ck_scoped_case(suite, a_list_that_contains_itself_is_no_argument);
  ck_scoped_case(suite, gradients_are_recorded_but_not_below_autograd);
  ck_scoped_case(suite, schemas_are_readable);
  ck_scoped_case(suite, there_is_nothing_in_no_operator);
  ck_scoped_case(suite, an_unknown_operator_is_unsupported);
  ck_scoped_case(suite, all_operators_are_listed);
  ck_case(suite, threads_share_an_operator);
  return ck_main(suite);
}
