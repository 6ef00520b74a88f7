/* Training by hand: gradients against their closed forms, the rules of backward, grad mode per thread. */
#include <pthread.h>

#include "values.h"

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
  ck_assert(!ctorch_tensor_requires_grad(NULL) && ctorch_tensor_is_leaf(NULL));
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
  ck_ok(ctorch_tensor_detach(&detached, y));
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
  ck_fails(ctorch_tensor_detach(&out, NULL), CTORCH_ERROR_NULL_ARGUMENT, "self");
  ck_fails(ctorch_tensor_detach(NULL, x), CTORCH_ERROR_NULL_ARGUMENT, "out");
  ck_fails(ctorch_tensor_backward(NULL, NULL, NULL, false), CTORCH_ERROR_NULL_ARGUMENT, "self");
  ck_assert_ptr_eq(out, x);
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
  ck_scoped_case(suite, grad_modes_nest);
  ck_scoped_case(suite, a_training_step_changes_a_parameter_in_place);
  ck_scoped_case(suite, grad_mode_belongs_to_its_thread);
  return ck_main(suite);
}
