/* Training by hand: gradients against their closed forms, the rules of backward, grad mode per thread. */
#include <pthread.h>

#include "harness/values.h"

static ctorch_tensor *parameter(float value) {
  ctorch_tensor *x = floats(CTORCH_INTS(1), value);
  ck_ok(ctorch_tensor_set_requires_grad(x, true));
  return x;
}

/** x * x */
static ctorch_tensor *square(const ctorch_tensor *x) {
  ctorch_tensor *y = NULL;
  ck_ok(ctorch_aten_mul_Tensor(&y, x, x));
  return y;
}

static ctorch_tensor *grad_of(const ctorch_tensor *x) {
  ctorch_tensor *grad = NULL;
  ck_ok(ctorch_tensor_grad(&grad, x));
  return grad;
}

START_TEST(the_gradient_of_x_squared_is_2_x) {
  ctorch_tensor *x = parameter(3);
  ck_assert_ptr_null(grad_of(x));
  ck_ok(ctorch_tensor_backward(square(x), NULL, NULL, false));
  ck_floats(grad_of(x), CTORCH_INTS(1), 6);
}
END_TEST

START_TEST(gradients_of_a_linear_layer) {
  /* L = sum(x w + b), x = [[1, 2], [3, 4]]: dL/dw is the column sums of x, dL/db the number of rows */
  ctorch_tensor *x = floats(CTORCH_INTS(2, 2), 1, 2, 3, 4), *w = floats(CTORCH_INTS(2, 1), 0.5F, -1), *b = parameter(0);
  ctorch_tensor *y = NULL, *loss = NULL;
  ck_ok(ctorch_tensor_set_requires_grad(w, true));
  ck_ok(ctorch_aten_addmm(&y, b, x, w, NULL, NULL));
  ck_ok(ctorch_aten_sum(&loss, y, NULL));
  ck_ok(ctorch_tensor_backward(loss, NULL, NULL, false));
  ck_floats(grad_of(w), CTORCH_INTS(2, 1), 4, 6);
  ck_floats(grad_of(b), CTORCH_INTS(1), 2);
  ck_assert_ptr_null(grad_of(x));
}
END_TEST

START_TEST(gradients_accumulate_until_they_are_forgotten) {
  ctorch_tensor *x = parameter(3);
  ck_ok(ctorch_tensor_backward(square(x), NULL, NULL, false));
  ck_ok(ctorch_tensor_backward(square(x), NULL, NULL, false));
  ck_floats(grad_of(x), CTORCH_INTS(1), 12);
  ck_ok(ctorch_tensor_set_grad(x, NULL));
  ck_assert_ptr_null(grad_of(x));
  ck_ok(ctorch_tensor_backward(square(x), NULL, NULL, false));
  ck_floats(grad_of(x), CTORCH_INTS(1), 6);
}
END_TEST

START_TEST(backward_starts_from_a_gradient) {
  ctorch_tensor *x = floats(CTORCH_INTS(2), 1, 2);
  ck_ok(ctorch_tensor_set_requires_grad(x, true));
  ctorch_tensor *y = square(x);
  ck_fails(ctorch_tensor_backward(y, NULL, NULL, false), CTORCH_ERROR_RUNTIME, "scalar");
  ck_ok(ctorch_tensor_backward(y, floats(CTORCH_INTS(2), 10, 100), NULL, false));
  ck_floats(grad_of(x), CTORCH_INTS(2), 20, 400);
}
END_TEST

START_TEST(a_second_backward_needs_the_graph) {
  const bool retain = true;
  ctorch_tensor *x = parameter(3), *y = square(x);
  ck_ok(ctorch_tensor_backward(y, NULL, &retain, false));
  ck_ok(ctorch_tensor_backward(y, NULL, NULL, false));
  ck_floats(grad_of(x), CTORCH_INTS(1), 12);
  ck_fails(ctorch_tensor_backward(y, NULL, NULL, false), CTORCH_ERROR_RUNTIME, "second time");
}
END_TEST

START_TEST(create_graph_gives_second_derivatives) {
  /* y = x^4: dy/dx = 4 x^3, and backward through that adds 12 x^2 */
  ctorch_tensor *x = parameter(2);
  ck_ok(ctorch_tensor_backward(square(square(x)), NULL, NULL, true));
  ctorch_tensor *first = grad_of(x);
  ck_floats(first, CTORCH_INTS(1), 32);
  ck_assert(ctorch_tensor_requires_grad(first));
  ck_ok(ctorch_tensor_set_grad(x, NULL));
  ck_ok(ctorch_tensor_backward(first, NULL, NULL, false));
  ck_floats(grad_of(x), CTORCH_INTS(1), 48);
}
END_TEST

START_TEST(leaves_and_results) {
  ctorch_tensor *x = parameter(1), *y = square(x), *plain = floats(CTORCH_INTS(1), 1);
  ck_assert(ctorch_tensor_requires_grad(x) && ctorch_tensor_is_leaf(x));
  ck_assert(ctorch_tensor_requires_grad(y) && !ctorch_tensor_is_leaf(y));
  ck_assert(!ctorch_tensor_requires_grad(plain) && ctorch_tensor_is_leaf(plain));
  ck_assert(!ctorch_tensor_requires_grad(NULL));
  ck_fails(ctorch_tensor_set_requires_grad(y, false), CTORCH_ERROR_RUNTIME, "leaf");
  ck_fails(ctorch_tensor_set_requires_grad(ints(NO_DIMS, 1), true), CTORCH_ERROR_RUNTIME, "floating point");
  ck_fails(ctorch_tensor_set_requires_grad(NULL, true), CTORCH_ERROR_NULL_ARGUMENT, "self");
  ck_ok(ctorch_tensor_set_requires_grad(x, false));
  ck_assert(!ctorch_tensor_requires_grad(x));
  ck_fails(ctorch_tensor_backward(square(plain), NULL, NULL, false), CTORCH_ERROR_RUNTIME, "does not require grad");
}
END_TEST

START_TEST(a_gradient_must_look_like_its_tensor) {
  ctorch_tensor *x = parameter(1), *meta = NULL;
  ck_ok(ctorch_aten_empty_memory_format(&meta, CTORCH_INTS(1), NULL, NULL, META, NULL, NULL));
  ck_fails(ctorch_tensor_set_grad(x, floats(CTORCH_INTS(2), 1, 2)), CTORCH_ERROR_SHAPE_MISMATCH, "shape");
  ck_fails(ctorch_tensor_set_grad(x, doubles(CTORCH_INTS(1), 1)), CTORCH_ERROR_DTYPE_MISMATCH, "dtype");
  ck_fails(ctorch_tensor_set_grad(x, meta), CTORCH_ERROR_DEVICE_MISMATCH, "device");
  ck_fails(ctorch_tensor_set_grad(x, x), CTORCH_ERROR_INVALID_ARGUMENT, "own gradient");
  ck_fails(ctorch_tensor_set_grad(NULL, x), CTORCH_ERROR_NULL_ARGUMENT, "self");
  ck_assert_ptr_null(grad_of(x));
  ctorch_tensor *grad = floats(CTORCH_INTS(1), 7);
  ck_ok(ctorch_tensor_set_grad(x, grad));
  ctorch_tensor_release(grad); /* x has a reference of its own */
  ck_floats(grad_of(x), CTORCH_INTS(1), 7);
}
END_TEST

START_TEST(detached_it_shares_memory_but_not_the_graph) {
  ctorch_tensor *x = parameter(3), *y = square(x), *detached = NULL;
  void *a = NULL, *b = NULL;
  ck_ok(ctorch_aten_detach(&detached, y));
  ck_assert(!ctorch_tensor_requires_grad(detached) && ctorch_tensor_is_leaf(detached));
  ck_ok(ctorch_tensor_data(&a, y));
  ck_ok(ctorch_tensor_data(&b, detached));
  ck_assert_ptr_eq(a, b);
}
END_TEST

START_TEST(null_is_refused) {
  ctorch_tensor *x = parameter(1), *out = x;
  ck_fails(ctorch_tensor_grad(&out, NULL), CTORCH_ERROR_NULL_ARGUMENT, "self");
  ck_fails(ctorch_tensor_grad(NULL, x), CTORCH_ERROR_NULL_ARGUMENT, "out");
  ck_fails(ctorch_aten_detach(&out, NULL), CTORCH_ERROR_NULL_ARGUMENT, "self");
  ck_fails(ctorch_aten_detach(NULL, x), CTORCH_ERROR_NULL_ARGUMENT, "out");
  ck_fails(ctorch_tensor_backward(NULL, NULL, NULL, false), CTORCH_ERROR_NULL_ARGUMENT, "self");
  ck_assert_ptr_eq(out, x);
}
END_TEST

START_TEST(gradients_of_several_tensors_add_up) {
  /* x y, and 10 times x^2: y + 20 x by x, and x by y */
  ctorch_tensor *x = parameter(2), *y = parameter(3), *product = NULL, *ten = floats(CTORCH_INTS(1), 10);
  ck_ok(ctorch_aten_mul_Tensor(&product, x, y));
  ctorch_tensor *both[] = {product, square(x)};
  ck_ok(ctorch_autograd_backward(
      CTORCH_CONST_TENSORS(both), CTORCH_TENSORS(NULL, ten), NULL, false, CTORCH_DEFAULT_LIST));
  ck_floats(grad_of(x), CTORCH_INTS(1), 43);
  ck_floats(grad_of(y), CTORCH_INTS(1), 2);
}
END_TEST

START_TEST(backward_goes_to_the_inputs_only) {
  ctorch_tensor *x = parameter(2), *y = parameter(3), *product = NULL;
  ck_ok(ctorch_aten_mul_Tensor(&product, x, y));
  ck_ok(ctorch_autograd_backward(
      CTORCH_TENSORS(product), NULL, 0, CTORCH_SOME(bool, true), false, CTORCH_TENSORS(y, product)));
  ck_assert_ptr_null(grad_of(x));
  ck_floats(grad_of(y), CTORCH_INTS(1), 2);
  ck_floats(grad_of(product), CTORCH_INTS(1), 1);
  ck_assert(ck_retains_grad(product));
}
END_TEST

START_TEST(grad_hands_gradients_over) {
  ctorch_tensor *x = parameter(2), *y = parameter(3), *unused = parameter(1), *product = NULL, *out = NULL;
  ctorch_tensor_list *grads = NULL, *before;
  ck_ok(ctorch_aten_mul_Tensor(&product, x, y));
  ck_ok(ctorch_autograd_grad(
      &grads, CTORCH_TENSORS(product), CTORCH_TENSORS(x, unused, y), NULL, 0, CTORCH_SOME(bool, true), false,
      CTORCH_SOME(bool, true), false, false));
  ck_assert_uint_eq(ctorch_tensor_list_len(grads), 3);
  ck_ok(ctorch_tensor_list_get(&out, grads, 0));
  ck_floats(out, CTORCH_INTS(1), 3);
  ck_assert(!ctorch_tensor_requires_grad(out));
  ck_ok(ctorch_tensor_list_get(&out, grads, 1));
  ck_assert_ptr_null(out);
  ck_assert_ptr_null(grad_of(x));
  before = grads;
  ck_fails(
      ctorch_autograd_grad(
          &grads, CTORCH_TENSORS(product), CTORCH_TENSORS(unused), NULL, 0, CTORCH_SOME(bool, true), false, NULL, false,
          false),
      CTORCH_ERROR_RUNTIME, "index 0 appears to not have been used");
  ck_fails(
      ctorch_autograd_grad(
          &grads, CTORCH_TENSORS(product), CTORCH_TENSORS(x), NULL, 0, NULL, false, CTORCH_SOME(bool, false), false,
          true),
      CTORCH_ERROR_VALUE, "materialize_grads");
  ck_assert_ptr_eq(grads, before);
  ck_ok(ctorch_autograd_grad(
      &grads, CTORCH_TENSORS(product), CTORCH_TENSORS(unused, x), NULL, 0, NULL, true, NULL, false, true));
  ck_ok(ctorch_tensor_list_get(&out, grads, 0));
  ck_floats(out, CTORCH_INTS(1), 0);
  ck_assert(ctorch_tensor_requires_grad(out));
}
END_TEST

START_TEST(a_batch_of_gradients_gives_rows_of_the_jacobian) {
  /* y = x^2: the Jacobian is diag(2 x) */
  ctorch_tensor *x = floats(CTORCH_INTS(2), 1, 5), *eye = floats(CTORCH_INTS(2, 2), 1, 0, 0, 1), *out = NULL;
  ctorch_tensor_list *grads = NULL;
  ck_ok(ctorch_tensor_set_requires_grad(x, true));
  ck_ok(ctorch_autograd_grad(
      &grads, CTORCH_TENSORS(square(x)), CTORCH_TENSORS(x), CTORCH_TENSORS(eye), NULL, false, NULL, true, false));
  ck_ok(ctorch_tensor_list_get(&out, grads, 0));
  ck_floats(out, CTORCH_INTS(2, 2), 2, 0, 0, 10);
}
END_TEST

START_TEST(lists_are_checked) {
  ctorch_tensor *x = parameter(1), *y = square(x), *wide = floats(CTORCH_INTS(2), 1, 2);
  const ctorch_tensor *const none[] = {NULL};
  ctorch_tensor_list *out = NULL;
  ck_fails(ctorch_autograd_backward(NULL, 1, NULL, 0, NULL, false, NULL, 0), CTORCH_ERROR_NULL_ARGUMENT, "tensors");
  ck_fails(
      ctorch_autograd_backward(CTORCH_TENSORS(NULL), NULL, 0, NULL, false, NULL, 0), CTORCH_ERROR_NULL_ARGUMENT,
      "tensors[0]");
  ck_fails(
      ctorch_autograd_backward(CTORCH_TENSORS(y), NULL, 1, NULL, false, NULL, 0), CTORCH_ERROR_NULL_ARGUMENT,
      "grad_tensors");
  ck_fails(
      ctorch_autograd_backward(CTORCH_TENSORS(y), NULL, 0, NULL, false, NULL, 2), CTORCH_ERROR_NULL_ARGUMENT, "inputs");
  ck_fails(
      ctorch_autograd_backward(CTORCH_TENSORS(y), NULL, 0, NULL, false, none, 0), CTORCH_ERROR_RUNTIME,
      "cannot be empty");
  ck_fails(
      ctorch_autograd_backward(CTORCH_TENSORS(y), none, 0, NULL, false, NULL, 0), CTORCH_ERROR_RUNTIME,
      "got 1 tensors and 0 gradients");
  ck_fails(
      ctorch_autograd_backward(CTORCH_TENSORS(y), CTORCH_TENSORS(wide), NULL, false, NULL, 0),
      CTORCH_ERROR_SHAPE_MISMATCH,
      "grad_output[0] has a shape of torch.Size([2]) and output[0] has a shape of torch.Size([1])");
  ck_fails(
      ctorch_autograd_backward(CTORCH_TENSORS(y), NULL, 0, NULL, false, (const ctorch_tensor *const *)&y, SIZE_MAX),
      CTORCH_ERROR_INVALID_ARGUMENT, "inputs");
  ck_fails(
      ctorch_autograd_grad(NULL, CTORCH_TENSORS(y), CTORCH_TENSORS(x), NULL, 0, NULL, false, NULL, false, false),
      CTORCH_ERROR_NULL_ARGUMENT, "out");
  ck_fails(
      ctorch_autograd_grad(&out, CTORCH_TENSORS(y), NULL, 0, NULL, 0, NULL, false, NULL, false, false),
      CTORCH_ERROR_RUNTIME, "cannot be empty");
  ck_fails(
      ctorch_autograd_grad(&out, CTORCH_TENSORS(NULL), CTORCH_TENSORS(x), NULL, 0, NULL, false, NULL, false, false),
      CTORCH_ERROR_NULL_ARGUMENT, "outputs[0]");
  ck_assert_ptr_null(out);
  ck_assert_ptr_null(grad_of(x));
}
END_TEST

START_TEST(views_and_versions) {
  ctorch_tensor *x = parameter(2), *y = square(x), *view = NULL, *base = x;
  int64_t version = -1;
  ck_ok(ctorch_aten_view(&view, y, CTORCH_INTS(1, 1)));
  ck_assert(ctorch_tensor_is_view(view) && !ctorch_tensor_is_view(y) && !ctorch_tensor_is_view(NULL));
  ck_ok(ctorch_tensor_base(&base, view));
  ck_assert_ptr_eq(base, y);
  ck_ok(ctorch_tensor_base(&base, y));
  ck_assert_ptr_null(base);
  ck_ok(ctorch_aten__version(&version, y));
  ck_assert_int_eq(version, 0);
  ck_ok(ctorch_tensor_increment_version(view));
  ck_ok(ctorch_aten__version(&version, y));
  ck_assert_int_eq(version, 1);
}
END_TEST

START_TEST(a_change_that_is_told_is_noticed) {
  ctorch_tensor *x = parameter(2), *y = NULL;
  ck_ok(ctorch_aten_exp(&y, x));
  ck_ok(ctorch_tensor_increment_version(y)); /* exp needs its result for backward */
  ck_fails(ctorch_tensor_backward(y, NULL, NULL, false), CTORCH_ERROR_RUNTIME, "modified by an inplace operation");
}
END_TEST

START_TEST(data_can_be_replaced) {
  ctorch_tensor *x = parameter(2), *other = floats(CTORCH_INTS(3), 1, 2, 3), *data = NULL;
  void *a = NULL, *b = NULL;
  ck_ok(ctorch_aten_set_data(x, other));
  ck_assert(ctorch_tensor_requires_grad(x));
  ck_floats(x, CTORCH_INTS(3), 1, 2, 3);
  ck_ok(ctorch_aten_data(&data, x));
  ck_assert(!ctorch_tensor_requires_grad(data));
  ck_ok(ctorch_tensor_data(&a, other));
  ck_ok(ctorch_tensor_data(&b, data));
  ck_assert_ptr_eq(a, b);
  ck_fails(ctorch_aten_set_data(x, ints(CTORCH_INTS(1), 1)), CTORCH_ERROR_RUNTIME, "floating point or complex");
}
END_TEST

START_TEST(detached_in_place_it_is_a_leaf) {
  ctorch_tensor *x = parameter(2), *y = square(x), *view = NULL;
  ck_ok(ctorch_aten_detach_(y));
  ck_assert(ctorch_tensor_is_leaf(y) && !ctorch_tensor_requires_grad(y));
  ck_ok(ctorch_aten_view(&view, square(x), CTORCH_INTS(1, 1)));
  ck_fails(ctorch_aten_detach_(view), CTORCH_ERROR_RUNTIME, "detach views in-place");
}
END_TEST

START_TEST(gradients_of_results_are_kept_on_request) {
  ctorch_tensor *x = parameter(3), *y = square(x);
  ck_assert(!ck_retains_grad(y));
  ck_ok(ctorch_aten_retain_grad(y));
  ck_ok(ctorch_aten_retain_grad(x));
  ck_assert(ck_retains_grad(y) && !ck_retains_grad(x));
  ck_ok(ctorch_tensor_backward(square(y), NULL, NULL, false));
  ck_floats(grad_of(y), CTORCH_INTS(1), 18);
  ck_fails(ctorch_aten_retain_grad(floats(CTORCH_INTS(1), 1)), CTORCH_ERROR_RUNTIME, "retain_grad on Tensor that has");
}
END_TEST

START_TEST(gradients_may_have_another_dtype) {
  ctorch_tensor *x = parameter(3);
  ck_assert_int_eq(ctorch_tensor_grad_dtype(x), CTORCH_DTYPE_FLOAT32);
  ck_assert_int_eq(ctorch_tensor_grad_dtype(NULL), -1);
  ck_ok_since(2, 10, ctorch_tensor_set_grad_dtype(x, CTORCH_SOME(ctorch_dtype, CTORCH_DTYPE_FLOAT64)));
  ck_ok(ctorch_tensor_backward(square(x), NULL, NULL, false));
  ck_doubles(grad_of(x), CTORCH_INTS(1), 6);
  ck_fails(
      ctorch_tensor_set_grad_dtype(x, CTORCH_SOME(ctorch_dtype, CTORCH_DTYPE_FLOAT32)), CTORCH_ERROR_RUNTIME,
      "already a gradient");
  ck_fails(ctorch_tensor_set_grad_dtype(x, CTORCH_SOME(ctorch_dtype, 99)), CTORCH_ERROR_INVALID_ARGUMENT, "grad_dtype");
  ck_fails(ctorch_tensor_set_grad_dtype(square(x), NULL), CTORCH_ERROR_RUNTIME, "leaf");
  ck_ok(ctorch_tensor_set_grad_dtype(x, NULL));
  ck_assert_int_eq(ctorch_tensor_grad_dtype(x), -1);
}
END_TEST

START_TEST(null_is_refused_everywhere) {
  ctorch_tensor *x = parameter(1), *out = x;
  int64_t version = 7;
  ck_fails(ctorch_aten_detach_(NULL), CTORCH_ERROR_NULL_ARGUMENT, "self");
  ck_fails(ctorch_aten_retain_grad(NULL), CTORCH_ERROR_NULL_ARGUMENT, "self");
  ck_fails(ctorch_tensor_set_grad_dtype(NULL, NULL), CTORCH_ERROR_NULL_ARGUMENT, "self");
  ck_fails(ctorch_aten_data(NULL, x), CTORCH_ERROR_NULL_ARGUMENT, "out");
  ck_fails(ctorch_aten_data(&out, NULL), CTORCH_ERROR_NULL_ARGUMENT, "self");
  ck_fails(ctorch_aten_set_data(NULL, x), CTORCH_ERROR_NULL_ARGUMENT, "self");
  ck_fails(ctorch_aten_set_data(x, NULL), CTORCH_ERROR_NULL_ARGUMENT, "data");
  ck_fails(ctorch_tensor_base(NULL, x), CTORCH_ERROR_NULL_ARGUMENT, "out");
  ck_fails(ctorch_tensor_base(&out, NULL), CTORCH_ERROR_NULL_ARGUMENT, "self");
  ck_fails(ctorch_aten__version(NULL, x), CTORCH_ERROR_NULL_ARGUMENT, "out");
  ck_fails(ctorch_aten__version(&version, NULL), CTORCH_ERROR_NULL_ARGUMENT, "self");
  ck_fails(ctorch_tensor_increment_version(NULL), CTORCH_ERROR_NULL_ARGUMENT, "self");
  ck_assert_ptr_eq(out, x);
  ck_assert_int_eq(version, 7);
}
END_TEST

START_TEST(grad_modes_nest) {
  ctorch_tensor *x = parameter(1);
  ck_assert(ctorch_grad_mode_enabled());
  ck_ok(ctorch_grad_mode_push(false));
  ck_assert(!ctorch_grad_mode_enabled());
  ck_assert(!ctorch_tensor_requires_grad(square(x)));
  ck_ok(ctorch_grad_mode_push(true));
  ck_assert(ctorch_tensor_requires_grad(square(x)));
  ck_ok(ctorch_grad_mode_push(true));
  ck_ok(ctorch_grad_mode_pop());
  ck_ok(ctorch_grad_mode_pop());
  ck_assert(!ctorch_grad_mode_enabled());
  ck_ok(ctorch_grad_mode_pop());
  ck_assert(ctorch_grad_mode_enabled());
  ck_fails(ctorch_grad_mode_pop(), CTORCH_ERROR_RUNTIME, "pushed");
  ck_assert(ctorch_grad_mode_enabled());
}
END_TEST

START_TEST(a_training_step_changes_a_parameter_in_place) {
  ctorch_tensor *x = parameter(3);
  ck_ok(ctorch_tensor_backward(square(x), NULL, NULL, false));
  ctorch_tensor *grad = grad_of(x);
  ck_fails(ctorch_aten_add__Tensor(x, grad, CTORCH_FLOAT(-0.25)), CTORCH_ERROR_RUNTIME, "leaf");
  ck_ok(ctorch_grad_mode_push(false));
  ck_ok(ctorch_aten_add__Tensor(x, grad, CTORCH_FLOAT(-0.25)));
  ck_ok(ctorch_grad_mode_pop());
  ck_floats(x, CTORCH_INTS(1), 1.5F);
  ck_assert(ctorch_tensor_requires_grad(x));
}
END_TEST

START_TEST(inference_mode_makes_inference_tensors) {
  ctorch_tensor *x = parameter(3), *inside = NULL, *again = NULL, *out = NULL;
  int64_t version = 0;
  ck_assert(!ctorch_inference_mode_enabled());
  ck_ok(ctorch_inference_mode_push(true));
  ck_assert(ctorch_inference_mode_enabled() && !ctorch_grad_mode_enabled());
  inside = square(x);
  ck_ok(ctorch_inference_mode_push(false));
  ck_assert(!ctorch_inference_mode_enabled() && ctorch_grad_mode_enabled());
  again = square(x);
  ck_ok(ctorch_inference_mode_pop());
  ck_assert(ctorch_inference_mode_enabled());
  ck_ok(ctorch_inference_mode_pop());
  ck_assert(!ctorch_inference_mode_enabled() && ctorch_grad_mode_enabled());
  ck_assert(ck_is_inference(inside) && !ctorch_tensor_requires_grad(inside));
  ck_assert(!ck_is_inference(again) && ctorch_tensor_requires_grad(again));
  ck_fails(ctorch_aten__version(&version, inside), CTORCH_ERROR_RUNTIME, "do not track version counter");
  ck_ok(ctorch_tensor_increment_version(inside));
  ck_fails(ctorch_tensor_set_requires_grad(inside, true), CTORCH_ERROR_RUNTIME, "inference tensor");
  ck_fails(ctorch_aten_mul_Tensor(&out, x, inside), CTORCH_ERROR_RUNTIME, "cannot be saved for backward");
  ck_fails(ctorch_inference_mode_pop(), CTORCH_ERROR_RUNTIME, "pushed on this thread");
}
END_TEST

START_TEST(modes_may_end_in_another_order) {
  /* no-grad, inference, and no-grad ends first: what remains is inference, and after it nothing */
  ck_ok(ctorch_grad_mode_push(false));
  ck_ok(ctorch_inference_mode_push(true));
  ck_ok(ctorch_grad_mode_pop());
  ck_assert(ctorch_inference_mode_enabled() && !ctorch_grad_mode_enabled());
  ck_ok(ctorch_inference_mode_pop());
  ck_assert(!ctorch_inference_mode_enabled() && ctorch_grad_mode_enabled());
  /* inference, recording inside, and inference ends first: recording remains */
  ck_ok(ctorch_inference_mode_push(true));
  ck_ok(ctorch_grad_mode_push(false));
  ck_ok(ctorch_inference_mode_pop());
  ck_assert(!ctorch_inference_mode_enabled() && !ctorch_grad_mode_enabled());
  ck_ok(ctorch_grad_mode_pop());
  ck_assert(ctorch_grad_mode_enabled());
  ck_assert(ctorch_tensor_requires_grad(square(parameter(1))));
}
END_TEST

START_TEST(multithreading_and_layout_policy) {
  ck_assert(ctorch_multithreading_mode_enabled() && ctorch_grad_layout_policy_enabled());
  ck_ok_since(2, 13, ctorch_grad_layout_policy_push(false));
  ck_ok(ctorch_multithreading_mode_push(false));
  ck_assert(!ctorch_multithreading_mode_enabled() && !ctorch_grad_layout_policy_enabled());
  ctorch_tensor *x = parameter(3);
  ck_ok(ctorch_tensor_backward(square(x), NULL, NULL, false));
  ck_floats(grad_of(x), CTORCH_INTS(1), 6);
  ck_ok(ctorch_multithreading_mode_pop());
  ck_ok(ctorch_grad_layout_policy_pop());
  ck_assert(ctorch_multithreading_mode_enabled() && ctorch_grad_layout_policy_enabled());
  ck_fails(ctorch_multithreading_mode_pop(), CTORCH_ERROR_RUNTIME, "pushed on this thread");
  ck_fails(ctorch_grad_layout_policy_pop(), CTORCH_ERROR_RUNTIME, "pushed on this thread");
}
END_TEST

START_TEST(anomaly_mode_finds_nan) {
  /* the derivative of sqrt(x) * 0 at 0 is 0 * infinity */
  ctorch_tensor *x = parameter(0), *root = NULL, *y = NULL;
  ck_assert(!ctorch_anomaly_mode_enabled() && ctorch_anomaly_mode_check_nan());
  ck_ok(ctorch_anomaly_mode_push(true, true));
  ck_ok(ctorch_anomaly_mode_push(true, false));
  ck_assert(ctorch_anomaly_mode_enabled() && !ctorch_anomaly_mode_check_nan());
  ck_ok(ctorch_anomaly_mode_pop());
  ck_assert(ctorch_anomaly_mode_enabled() && ctorch_anomaly_mode_check_nan());
  ck_ok(ctorch_aten_sqrt(&root, x));
  ck_ok(ctorch_aten_mul_Scalar(&y, root, CTORCH_INT(0)));
  ck_fails(
      ctorch_tensor_backward(y, NULL, NULL, false), CTORCH_ERROR_RUNTIME,
      "Function 'SqrtBackward0' returned nan values in its 0th output.");
  ck_ok(ctorch_anomaly_mode_pop());
  ck_assert(!ctorch_anomaly_mode_enabled() && ctorch_anomaly_mode_check_nan());
  ck_fails(ctorch_anomaly_mode_pop(), CTORCH_ERROR_RUNTIME, "pushed on this thread");
}
END_TEST

static void *grad_mode_of_a_new_thread(void *enabled) {
  *(bool *)enabled = ctorch_grad_mode_enabled();
  ck_fails(ctorch_grad_mode_pop(), CTORCH_ERROR_RUNTIME, NULL);
  ck_ok(ctorch_grad_mode_push(true));
  return NULL;
}

START_TEST(grad_mode_belongs_to_its_thread) {
  pthread_t thread;
  bool enabled = false;
  ck_ok(ctorch_grad_mode_push(false));
  ck_assert_int_eq(pthread_create(&thread, NULL, grad_mode_of_a_new_thread, &enabled), 0);
  ck_assert_int_eq(pthread_join(thread, NULL), 0);
  ck_assert(enabled);
  ck_assert(!ctorch_grad_mode_enabled());
  ck_ok(ctorch_grad_mode_pop());
}
END_TEST

int main(void) {
  Suite *suite = suite_create("autograd");
  ck_scoped_case(suite, the_gradient_of_x_squared_is_2_x);
  ck_scoped_case(suite, gradients_of_a_linear_layer);
  ck_scoped_case(suite, gradients_accumulate_until_they_are_forgotten);
  ck_scoped_case(suite, backward_starts_from_a_gradient);
  ck_scoped_case(suite, a_second_backward_needs_the_graph);
  ck_scoped_case(suite, create_graph_gives_second_derivatives);
  ck_scoped_case(suite, leaves_and_results);
  ck_scoped_case(suite, a_gradient_must_look_like_its_tensor);
  ck_scoped_case(suite, detached_it_shares_memory_but_not_the_graph);
  ck_scoped_case(suite, null_is_refused);
  ck_scoped_case(suite, gradients_of_several_tensors_add_up);
  ck_scoped_case(suite, backward_goes_to_the_inputs_only);
  ck_scoped_case(suite, grad_hands_gradients_over);
  ck_scoped_case(suite, a_batch_of_gradients_gives_rows_of_the_jacobian);
  ck_scoped_case(suite, lists_are_checked);
  ck_scoped_case(suite, views_and_versions);
  ck_scoped_case(suite, a_change_that_is_told_is_noticed);
  ck_scoped_case(suite, data_can_be_replaced);
  ck_scoped_case(suite, detached_in_place_it_is_a_leaf);
  ck_scoped_case(suite, gradients_of_results_are_kept_on_request);
  ck_scoped_case(suite, gradients_may_have_another_dtype);
  ck_scoped_case(suite, null_is_refused_everywhere);
  ck_scoped_case(suite, grad_modes_nest);
  ck_scoped_case(suite, a_training_step_changes_a_parameter_in_place);
  ck_scoped_case(suite, grad_mode_belongs_to_its_thread);
  ck_scoped_case(suite, inference_mode_makes_inference_tensors);
  ck_scoped_case(suite, modes_may_end_in_another_order);
  ck_scoped_case(suite, multithreading_and_layout_policy);
  ck_scoped_case(suite, anomaly_mode_finds_nan);
  return ck_main(suite);
}
