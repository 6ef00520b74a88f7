/* Nodes: a small graph whose shape is known, and every refusal. */
#include "harness/values.h"

static ctorch_tensor *parameter(float a, float b) {
  ctorch_tensor *x = floats(CTORCH_INTS(2), a, b);
  ck_ok(ctorch_tensor_set_requires_grad(x, true));
  return x;
}

static ctorch_node *grad_fn(const ctorch_tensor *x) {
  ctorch_node *node = NULL;
  ck_ok(ctorch_tensor_grad_fn(&node, x));
  return node;
}

static ctorch_node *next(const ctorch_node *node, int64_t index) {
  ctorch_node *result = NULL;
  ck_ok(ctorch_node_next(&result, NULL, node, index));
  return result;
}

static const char *name(const ctorch_node *node) {
  ctorch_string *text = NULL;
  ck_ok(ctorch_node_name(&text, node));
  return ctorch_string_data(text);
}

START_TEST(the_graph_of_x_y_plus_y) {
  /* add(mul(x, y), y): y's accumulator is reached along two ways */
  ctorch_tensor *x = parameter(1, 2), *y = parameter(3, 4), *product = NULL, *total = NULL, *leaf = NULL;
  ck_ok(ctorch_aten_mul_Tensor(&product, x, y));
  ck_ok(ctorch_aten_add_Tensor(&total, product, y, NULL));
  ctorch_node *add = grad_fn(total), *mul = next(add, 0), *to_y = next(add, 1);
  ck_assert_str_eq(name(add), "AddBackward0");
  ck_assert_str_eq(name(mul), "MulBackward0");
  ck_assert_str_eq(name(to_y), "torch::autograd::AccumulateGrad");
  ck_assert_int_eq(ctorch_node_num_inputs(add), 1);
  ck_assert_int_eq(ctorch_node_num_outputs(add), 2);
  ck_assert_int_eq(ctorch_node_num_outputs(to_y), 0);
  ck_assert(ctorch_node_equal(mul, grad_fn(product)));
  ck_assert(ctorch_node_equal(to_y, next(mul, 1)));
  ck_assert(!ctorch_node_equal(to_y, next(mul, 0)));
  ck_assert_uint_eq(ctorch_node_id(to_y), ctorch_node_id(next(mul, 1)));
  ck_assert_uint_lt(ctorch_node_sequence_nr(mul), ctorch_node_sequence_nr(add));
  ck_assert_uint_eq(ctorch_node_sequence_nr(to_y), UINT64_MAX);
  ck_ok(ctorch_node_variable(&leaf, to_y));
  ck_assert_ptr_eq(leaf, y);
  ck_ok(ctorch_node_variable(&leaf, mul));
  ck_assert_ptr_null(leaf);
}
END_TEST

START_TEST(an_argument_without_grad_has_no_node) {
  ctorch_tensor *x = parameter(1, 2), *plain = floats(CTORCH_INTS(2), 3, 4), *y = NULL;
  ck_ok(ctorch_aten_mul_Tensor(&y, x, plain));
  ctorch_node *node = grad_fn(y);
  ck_assert_ptr_nonnull(next(node, 0));
  ck_assert_ptr_null(next(node, 1));
  ck_assert_ptr_null(grad_fn(x));
  ck_assert_ptr_null(grad_fn(plain));
}
END_TEST

START_TEST(an_edge_tells_which_result_it_is) {
  ctorch_tensor *x = parameter(1, 2), *second = NULL, *twice = NULL;
  ctorch_tensor_list *list = NULL;
  ctorch_node *node = NULL;
  int64_t input_nr = -1;
  ck_ok(ctorch_aten_split_Tensor(&list, x, 1, 0));
  ck_ok(ctorch_tensor_list_get(&second, list, 1));
  ck_ok(ctorch_tensor_gradient_edge(&node, &input_nr, second));
  ck_assert_str_eq(name(node), "SplitBackward0");
  ck_assert_int_eq(input_nr, 1);
  ck_assert_int_eq(ck_output_nr(second), 1);
  ck_assert_int_eq(ctorch_node_num_inputs(node), 2);
  ck_ok(ctorch_aten_mul_Scalar(&twice, second, CTORCH_INT(2)));
  ck_ok(ctorch_node_next(&node, &input_nr, grad_fn(twice), 0));
  ck_assert_int_eq(input_nr, 1);
  ck_ok(ctorch_tensor_gradient_edge(&node, NULL, x));
  ck_assert_str_eq(name(node), "torch::autograd::AccumulateGrad");
}
END_TEST

START_TEST(an_input_is_described) {
  ctorch_tensor *x = parameter(1, 2), *y = NULL;
  ctorch_dtype dtype = -1;
  ctorch_device device = {-1, -1};
  const int64_t *sizes = NULL;
  size_t sizes_len = 9;
  ck_ok(ctorch_aten_view(&y, x, CTORCH_INTS(2, 1)));
  ctorch_node *node = grad_fn(y);
  ck_ok(ctorch_node_input_metadata(&dtype, &device, &sizes, &sizes_len, node, 0));
  ck_assert_int_eq(dtype, CTORCH_DTYPE_FLOAT32);
  ck_assert_int_eq(device.type, CTORCH_DEVICE_TYPE_CPU);
  ck_assert_uint_eq(sizes_len, 2);
  ck_assert_int_eq(sizes[0], 2);
  ck_assert_int_eq(sizes[1], 1);
  ck_ok(ctorch_node_input_metadata(NULL, NULL, NULL, NULL, node, 0));
  ck_fails(ctorch_node_input_metadata(&dtype, NULL, NULL, NULL, node, 1), CTORCH_ERROR_INDEX, "index 1");
  ck_fails(ctorch_node_input_metadata(&dtype, NULL, NULL, NULL, node, -1), CTORCH_ERROR_INDEX, "index -1");
  ck_fails(ctorch_node_input_metadata(&dtype, NULL, NULL, NULL, NULL, 0), CTORCH_ERROR_NULL_ARGUMENT, "self");
}
END_TEST

START_TEST(a_node_can_be_run_by_hand) {
  /* d(x y) = (g y, g x) */
  ctorch_tensor *x = parameter(1, 2), *y = parameter(3, 4), *product = NULL, *by_x = NULL, *by_y = NULL;
  ctorch_tensor *g = floats(CTORCH_INTS(2), 10, 100), *wrong = floats(CTORCH_INTS(3), 1, 2, 3);
  ctorch_tensor_list *grads = NULL;
  ck_ok(ctorch_aten_mul_Tensor(&product, x, y));
  ctorch_node *node = grad_fn(product);
  ck_ok(ctorch_node_call(&grads, node, CTORCH_TENSORS(g)));
  ck_assert_uint_eq(ctorch_tensor_list_len(grads), 2);
  ck_ok(ctorch_tensor_list_get(&by_x, grads, 0));
  ck_ok(ctorch_tensor_list_get(&by_y, grads, 1));
  ck_floats(by_x, CTORCH_INTS(2), 30, 400);
  ck_floats(by_y, CTORCH_INTS(2), 10, 200);
  ctorch_tensor_list *untouched = grads;
  ck_fails(ctorch_node_call(&grads, node, NULL, 0), CTORCH_ERROR_TYPE, "expected 1 arguments, got 0");
  ck_fails(ctorch_node_call(&grads, node, NULL, 1), CTORCH_ERROR_NULL_ARGUMENT, "grad_outputs");
  ck_fails(ctorch_node_call(&grads, node, CTORCH_TENSORS(wrong)), CTORCH_ERROR_SHAPE_MISMATCH, "invalid gradient");
  ck_fails(ctorch_node_call(&grads, NULL, CTORCH_TENSORS(g)), CTORCH_ERROR_NULL_ARGUMENT, "self");
  ck_fails(ctorch_node_call(NULL, node, CTORCH_TENSORS(g)), CTORCH_ERROR_NULL_ARGUMENT, "out");
  ck_assert_ptr_eq(grads, untouched);
  ck_ok(ctorch_node_call(&grads, node, CTORCH_TENSORS(NULL)));
  ck_ok(ctorch_tensor_list_get(&by_x, grads, 0));
  ck_assert_ptr_null(by_x); /* of an undefined gradient */
}
END_TEST

START_TEST(a_node_keeps_what_it_needs) {
  ctorch_scope *scope = NULL;
  ctorch_tensor *leaf = NULL;
  ck_ok(ctorch_scope_begin(&scope));
  ctorch_tensor *x = parameter(1, 2), *y = NULL;
  ck_ok(ctorch_aten_exp(&y, x));
  ctorch_node *node = grad_fn(y);
  ck_ok(ctorch_scope_keep(scope, node));
  ctorch_scope_end(scope);
  ck_assert_str_eq(name(node), "ExpBackward0");
  ck_ok(ctorch_node_variable(&leaf, next(node, 0)));
  ck_floats(leaf, CTORCH_INTS(2), 1, 2);
  ctorch_node_retain(node);
  ctorch_node_release(node);
  ck_assert_str_eq(name(node), "ExpBackward0");
  ctorch_node_release(node);
}
END_TEST

START_TEST(null_is_refused) {
  ctorch_tensor *x = parameter(1, 2), *plain = floats(CTORCH_INTS(1), 1), *y = NULL;
  ck_ok(ctorch_aten_exp(&y, x));
  ctorch_node *node = grad_fn(y), *out = node;
  ctorch_string *text = NULL;
  ctorch_tensor *leaf = NULL;
  ck_fails(ctorch_tensor_grad_fn(NULL, x), CTORCH_ERROR_NULL_ARGUMENT, "out");
  ck_fails(ctorch_tensor_grad_fn(&out, NULL), CTORCH_ERROR_NULL_ARGUMENT, "self");
  ck_fails(ctorch_tensor_gradient_edge(NULL, NULL, x), CTORCH_ERROR_NULL_ARGUMENT, "out");
  ck_fails(ctorch_tensor_gradient_edge(&out, NULL, NULL), CTORCH_ERROR_NULL_ARGUMENT, "self");
  ck_fails(ctorch_tensor_gradient_edge(&out, NULL, plain), CTORCH_ERROR_RUNTIME, "does not require gradients");
  ck_fails(ctorch_node_current(NULL), CTORCH_ERROR_NULL_ARGUMENT, "out");
  ck_fails(ctorch_node_name(NULL, node), CTORCH_ERROR_NULL_ARGUMENT, "out");
  ck_fails(ctorch_node_name(&text, NULL), CTORCH_ERROR_NULL_ARGUMENT, "self");
  ck_fails(ctorch_node_next(NULL, NULL, node, 0), CTORCH_ERROR_NULL_ARGUMENT, "out");
  ck_fails(ctorch_node_next(&out, NULL, NULL, 0), CTORCH_ERROR_NULL_ARGUMENT, "self");
  ck_fails(ctorch_node_next(&out, NULL, node, 1), CTORCH_ERROR_INDEX, "index 1 of a node with 1 outputs");
  ck_fails(ctorch_node_next(&out, NULL, node, INT64_MIN), CTORCH_ERROR_INDEX, "index");
  ck_fails(ctorch_node_variable(NULL, node), CTORCH_ERROR_NULL_ARGUMENT, "out");
  ck_fails(ctorch_node_variable(&leaf, NULL), CTORCH_ERROR_NULL_ARGUMENT, "self");
  ck_assert_ptr_eq(out, node);
  ck_assert_ptr_null(text);
  ck_assert_int_eq(ctorch_node_num_inputs(NULL), 0);
  ck_assert_int_eq(ctorch_node_num_outputs(NULL), 0);
  ck_assert_uint_eq(ctorch_node_sequence_nr(NULL), 0);
  ck_assert_uint_eq(ctorch_node_id(NULL), 0);
  ck_assert(ctorch_node_equal(NULL, NULL));
  ck_assert(!ctorch_node_equal(node, NULL) && !ctorch_node_equal(NULL, node));
  ctorch_node_retain(NULL);
  ctorch_node_release(NULL);
  ck_ok(ctorch_node_current(&out));
  ck_assert_ptr_null(out);
}
END_TEST

int main(void) {
  Suite *suite = suite_create("node");
  ck_scoped_case(suite, the_graph_of_x_y_plus_y);
  ck_scoped_case(suite, an_argument_without_grad_has_no_node);
  ck_scoped_case(suite, an_edge_tells_which_result_it_is);
  ck_scoped_case(suite, an_input_is_described);
  ck_scoped_case(suite, a_node_can_be_run_by_hand);
  ck_scoped_case(suite, a_node_keeps_what_it_needs);
  ck_scoped_case(suite, null_is_refused);
  return ck_main(suite);
}
