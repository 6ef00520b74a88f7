/* Transforms of functions against closed forms. tests/func/test_func.py compares them with Python's; here is what a
 * C program alone sees: how they are called, what a function may do, and that nothing is left behind. */
#ifndef _POSIX_C_SOURCE
#define _POSIX_C_SOURCE 200809L
#endif
#include <fcntl.h>

#include "func/functions.h"

#define UNMAPPED CTORCH_VMAP_UNMAPPED

FUNCTION(dot, 1) { return ctorch_aten_dot(&outputs[0], inputs[0], inputs[1]); }
FUNCTION(identity, 1) { return same(&outputs[0], inputs[0]); }
FUNCTION(sum, 1) { return ctorch_aten_sum(&outputs[0], inputs[0], NULL); }
FUNCTION(square, 1) { return ctorch_aten_mul_Tensor(&outputs[0], inputs[0], inputs[0]); }

FUNCTION(sum_of_squares, 1) {
  ctorch_tensor *squares = NULL;
  CTORCH_TRY(ctorch_aten_mul_Tensor(&squares, inputs[0], inputs[0]));
  return ctorch_aten_sum(&outputs[0], squares, NULL);
}

/** (a b, a + 2 b) */
FUNCTION(product_and_sum, 2) {
  CTORCH_TRY(ctorch_aten_mul_Tensor(&outputs[0], inputs[0], inputs[1]));
  return ctorch_aten_add_Tensor(&outputs[1], inputs[0], inputs[1], CTORCH_INT(2));
}

START_TEST(vmap_runs_a_function_on_every_sample) {
  ctorch_tensor_list *out = NULL;
  ctorch_tensor *a = floats(CTORCH_INTS(3, 2), 1, 2, 3, 4, 5, 6), *b = floats(CTORCH_INTS(3, 2), 1, 1, 0, 1, 1, -1);
  ck_ok(ctorch_func_vmap(&out, dot, NULL, CTORCH_TENSORS(a, b), NULL, 0, NULL, 0, 0, NULL));
  ck_floats(at(out, 0), CTORCH_INTS(3), 3, 4, -1);
}
END_TEST

START_TEST(vmap_maps_any_dimension) {
  ctorch_tensor_list *out = NULL;
  ctorch_tensor *a = floats(CTORCH_INTS(2, 3), 1, 3, 5, 2, 4, 6), *b = floats(CTORCH_INTS(2), 1, -1);
  ck_ok(ctorch_func_vmap(&out, dot, NULL, CTORCH_TENSORS(a, b), CTORCH_INTS(1, UNMAPPED), NULL, 0, 0, NULL));
  ck_floats(at(out, 0), CTORCH_INTS(3), -1, -1, -1);
  ck_ok(ctorch_func_vmap(&out, sum, NULL, CTORCH_TENSORS(a), CTORCH_INTS(-2), NULL, 0, 0, NULL));
  ck_floats(at(out, 0), CTORCH_INTS(2), 9, 12);
  ck_ok(ctorch_func_vmap(&out, identity, NULL, CTORCH_TENSORS(a), CTORCH_INTS(1), CTORCH_INTS(0), 0, NULL));
  ck_floats(at(out, 0), CTORCH_INTS(3, 2), 1, 2, 3, 4, 5, 6);
  ck_ok(ctorch_func_vmap(&out, square, NULL, CTORCH_TENSORS(a), CTORCH_INTS(0), CTORCH_INTS(-1), 0, NULL));
  ck_floats(at(out, 0), CTORCH_INTS(3, 2), 1, 4, 9, 16, 25, 36);
}
END_TEST

FUNCTION(payload_itself, 1) { return same(&outputs[0], payload); }

START_TEST(vmap_repeats_what_does_not_depend_on_its_inputs) {
  ctorch_tensor_list *out = NULL;
  /* Python fails where the mapped dimension is not the first, or repeats along another one. */
  ctorch_tensor *x = floats(CTORCH_INTS(2), 0, 0), *c = floats(CTORCH_INTS(2), 1, 2);
  ck_ok(ctorch_func_vmap(&out, payload_itself, c, CTORCH_TENSORS(x), NULL, 0, NULL, 0, 0, NULL));
  ck_floats(at(out, 0), CTORCH_INTS(2, 2), 1, 2, 1, 2);
  ck_ok(ctorch_func_vmap(&out, payload_itself, c, CTORCH_TENSORS(x), NULL, 0, CTORCH_INTS(1), 0, NULL));
  ck_floats(at(out, 0), CTORCH_INTS(2, 2), 1, 1, 2, 2);
  ck_ok(ctorch_func_vmap(&out, payload_itself, c, CTORCH_TENSORS(x), NULL, 0, CTORCH_INTS(-1), 0, NULL));
  ck_floats(at(out, 0), CTORCH_INTS(2, 2), 1, 1, 2, 2);
  ck_ok(ctorch_func_vmap(&out, payload_itself, c, CTORCH_TENSORS(x), NULL, 0, CTORCH_INTS(UNMAPPED), 0, NULL));
  ck_assert_ptr_eq(at(out, 0), c);
  ck_fails(
      ctorch_func_vmap(&out, payload_itself, c, CTORCH_TENSORS(x), NULL, 0, CTORCH_INTS(2), 0, NULL),
      CTORCH_ERROR_INDEX, "out of range");
}
END_TEST

FUNCTION(first_unless_it_is_null, 1) { return same(&outputs[0], inputs[0] == NULL ? inputs[1] : inputs[0]); }

START_TEST(an_input_that_is_null_reaches_the_function_as_null) {
  ctorch_tensor_list *out = NULL;
  ctorch_tensor *x = floats(CTORCH_INTS(2), 1, 2);
  ck_ok(ctorch_func_vmap(
      &out, first_unless_it_is_null, NULL, CTORCH_TENSORS(NULL, x), CTORCH_INTS(UNMAPPED, 0), NULL, 0, 0, NULL));
  ck_floats(at(out, 0), CTORCH_INTS(2), 1, 2);
  ck_fails(
      ctorch_func_vmap(&out, first_unless_it_is_null, NULL, CTORCH_TENSORS(NULL, x), NULL, 0, NULL, 0, 0, NULL),
      CTORCH_ERROR_VALUE, "input 0");
  ctorch_tensor *scalar = floats(NO_DIMS, 3);
  ck_ok(ctorch_func_grad(&out, NULL, first_unless_it_is_null, NULL, CTORCH_TENSORS(NULL, scalar), CTORCH_INTS(1), 0));
  ck_floats(at(out, 0), NO_DIMS, 1);
  ck_fails(
      ctorch_func_grad(&out, NULL, first_unless_it_is_null, NULL, CTORCH_TENSORS(NULL, scalar), NULL, 0, 0),
      CTORCH_ERROR_VALUE, "NULL");
  ck_fails(
      ctorch_func_jacfwd(&out, NULL, first_unless_it_is_null, NULL, CTORCH_TENSORS(NULL, scalar), NULL, 0, 0, 0, NULL),
      CTORCH_ERROR_VALUE, "NULL");
}
END_TEST

typedef struct samples_seen {
  int calls;
  int64_t first_dim[8];
} samples_seen;

FUNCTION(count_calls, 1) {
  samples_seen *seen = payload;
  ck_assert_uint_eq(ctorch_func_depth(), 1);
  ck_assert_int_eq(ctorch_tensor_ndim(inputs[0]), 1);
  seen->first_dim[seen->calls++] = ctorch_tensor_sizes(inputs[0])[0];
  return ctorch_aten_sum(&outputs[0], inputs[0], NULL);
}

START_TEST(vmap_calls_the_function_once_for_each_chunk) {
  ctorch_tensor_list *out = NULL;
  ctorch_tensor *x = floats(CTORCH_INTS(5, 2), 1, 2, 3, 4, 5, 6, 7, 8, 9, 10);
  for (int64_t chunk = 1; chunk < 8; chunk++) {
    samples_seen seen = {0};
    ck_ok(ctorch_func_vmap(&out, count_calls, &seen, CTORCH_TENSORS(x), NULL, 0, NULL, 0, 0, &chunk));
    ck_floats(at(out, 0), CTORCH_INTS(5), 3, 7, 11, 15, 19);
    ck_assert_int_eq(seen.calls, (5 + chunk - 1) / chunk);
    ck_assert_int_eq(seen.first_dim[0], 2);
  }
}
END_TEST

START_TEST(an_empty_batch_is_empty_in_chunks_too) {
  ctorch_tensor_list *out = NULL;
  ctorch_tensor *x = NULL;
  ck_ok(ctorch_aten_zeros(&x, CTORCH_INTS(0, 3), NULL, NULL, NULL, NULL));
  ck_ok(ctorch_func_vmap(&out, square, NULL, CTORCH_TENSORS(x), NULL, 0, NULL, 0, 0, NULL));
  ck_shape(at(out, 0), CTORCH_INTS(0, 3));
  ck_ok(ctorch_func_vmap(&out, square, NULL, CTORCH_TENSORS(x), NULL, 0, NULL, 0, 0, CTORCH_SOME(int64_t, 2)));
  ck_shape(at(out, 0), CTORCH_INTS(0, 3));
}
END_TEST

FUNCTION(random_like, 1) { return ctorch_aten_rand_like(&outputs[0], inputs[0], NULL, NULL, NULL, NULL, NULL); }

static bool rows_equal(const ctorch_tensor *matrix) {
  float got[8];
  ck_ok(ctorch_tensor_copy_to_buffer(matrix, got, sizeof got, CTORCH_DTYPE_FLOAT32));
  return memcmp(got, got + 4, sizeof got / 2) == 0;
}

START_TEST(randomness_says_what_random_operators_do) {
  ctorch_tensor_list *out = NULL;
  ctorch_tensor *x = NULL;
  ck_ok(ctorch_aten_zeros(&x, CTORCH_INTS(2, 4), NULL, NULL, NULL, NULL));
  ck_fails(
      ctorch_func_vmap(&out, random_like, NULL, CTORCH_TENSORS(x), NULL, 0, NULL, 0, CTORCH_RANDOMNESS_ERROR, NULL),
      CTORCH_ERROR_RUNTIME, "random");
  for (int64_t chunk = 1; chunk <= 2; chunk++) {
    ck_ok(
        ctorch_func_vmap(&out, random_like, NULL, CTORCH_TENSORS(x), NULL, 0, NULL, 0, CTORCH_RANDOMNESS_SAME, &chunk));
    ck_assert(rows_equal(at(out, 0)));
    ck_ok(ctorch_func_vmap(
        &out, random_like, NULL, CTORCH_TENSORS(x), NULL, 0, NULL, 0, CTORCH_RANDOMNESS_DIFFERENT, &chunk));
    ck_assert(!rows_equal(at(out, 0)));
  }
}
END_TEST

START_TEST(grad_of_a_sum_of_squares_is_twice_the_input) {
  ctorch_tensor_list *grad = NULL;
  ctorch_tensor *x = floats(CTORCH_INTS(3), 1, -2, 3), *value = NULL;
  ck_ok(ctorch_func_grad(&grad, NULL, sum_of_squares, NULL, CTORCH_TENSORS(x), NULL, 0, 0));
  ck_floats(at(grad, 0), CTORCH_INTS(3), 2, -4, 6);
  ck_ok(ctorch_func_grad_and_value(&grad, &value, NULL, sum_of_squares, NULL, CTORCH_TENSORS(x), NULL, 0, 0));
  ck_floats(at(grad, 0), CTORCH_INTS(3), 2, -4, 6);
  ck_floats(value, NO_DIMS, 14);
  ck_assert(!ctorch_tensor_requires_grad(at(grad, 0)));
  ck_assert(!ctorch_tensor_requires_grad(value));
  ck_assert(!ctorch_tensor_requires_grad(x));
}
END_TEST

/** (dot(a, b), a * b, b) */
FUNCTION(dot_and_more, 3) {
  CTORCH_TRY(ctorch_aten_dot(&outputs[0], inputs[0], inputs[1]));
  CTORCH_TRY(ctorch_aten_mul_Tensor(&outputs[1], inputs[0], inputs[1]));
  return same(&outputs[2], inputs[1]);
}

START_TEST(grad_is_by_what_argnums_says_and_hands_aux_through) {
  ctorch_tensor *a = floats(CTORCH_INTS(2), 1, 2), *b = floats(CTORCH_INTS(2), 3, 4);
  ctorch_tensor_list *grads = NULL, *aux = NULL;
  ctorch_tensor *value = NULL;
  ck_ok(ctorch_func_grad_and_value(
      &grads, &value, &aux, dot_and_more, NULL, CTORCH_TENSORS(a, b), CTORCH_INTS(-1, 0), 2));
  ck_assert_uint_eq(ctorch_tensor_list_len(grads), 2);
  ck_floats(at(grads, 0), CTORCH_INTS(2), 1, 2);
  ck_floats(at(grads, 1), CTORCH_INTS(2), 3, 4);
  ck_floats(value, NO_DIMS, 11);
  ck_assert_uint_eq(ctorch_tensor_list_len(aux), 2);
  ck_floats(at(aux, 0), CTORCH_INTS(2), 3, 8);
  ck_assert_ptr_eq(at(aux, 1), b);
  ck_ok(ctorch_func_grad(&grads, NULL, dot_and_more, NULL, CTORCH_TENSORS(a, b), NULL, 0, 2)); /* aux unwanted */
  ck_floats(at(grads, 0), CTORCH_INTS(2), 3, 4);
  ck_ok(ctorch_func_grad(&grads, &aux, dot_and_more, NULL, CTORCH_TENSORS(a, b), NULL, 0, 2));
  ck_assert_uint_eq(ctorch_tensor_list_len(aux), 2);
  ck_fails(
      ctorch_func_grad(&grads, &aux, dot_and_more, NULL, CTORCH_TENSORS(a, b), NULL, 0, 0), CTORCH_ERROR_RUNTIME,
      "got 3");
  ck_fails(
      ctorch_func_grad(&grads, &aux, dot_and_more, NULL, CTORCH_TENSORS(a, b), NULL, 0, 3), CTORCH_ERROR_RUNTIME,
      "non-empty output");
}
END_TEST

FUNCTION(fourth_power, 1) { return ctorch_aten_pow_Tensor_Scalar(&outputs[0], inputs[0], CTORCH_INT(4)); }

/** The derivative of x^4, as many times as the payload says. */
LIST_FUNCTION(derivative_of_fourth_power) {
  int *times = payload;
  if (*times == 0) {
    return fourth_power_body(out, inputs, inputs_len, NULL);
  }
  int fewer = *times - 1;
  return ctorch_func_grad(out, NULL, derivative_of_fourth_power, &fewer, inputs, inputs_len, NULL, 0, 0);
}

START_TEST(grad_nests) {
  ctorch_tensor_list *out = NULL;
  ctorch_tensor *x = floats(NO_DIMS, 2), *xs = floats(CTORCH_INTS(3), 1, 2, -1);
  const float closed_form[] = {16, 32, 48, 48, 24};
  for (int times = 0; times < 5; times++) {
    ck_ok(derivative_of_fourth_power_body(&out, CTORCH_TENSORS(x), &times));
    ck_floats(at(out, 0), NO_DIMS, closed_form[times]);
  }
  int times = 2; /* 12 x^2 for each */
  ck_ok(ctorch_func_vmap(&out, derivative_of_fourth_power, &times, CTORCH_TENSORS(xs), NULL, 0, NULL, 0, 0, NULL));
  ck_floats(at(out, 0), CTORCH_INTS(3), 12, 48, 12);
}
END_TEST

FUNCTION(add_one, 1) { return ctorch_aten_add_Scalar(&outputs[0], inputs[0], CTORCH_INT(1), NULL); }

/** Adds 1 under so many vmaps. */
LIST_FUNCTION(add_one_below) {
  int *vmaps = payload;
  if (*vmaps == 0) {
    return add_one_body(out, inputs, inputs_len, NULL);
  }
  int fewer = *vmaps - 1;
  return ctorch_func_vmap(out, add_one_below, &fewer, inputs, inputs_len, NULL, 0, NULL, 0, 0, NULL);
}

START_TEST(vmap_nests_as_deep_as_a_tensor_has_dimensions) {
  int64_t sizes[40];
  for (int i = 0; i < 40; i++) {
    sizes[i] = i == 20 ? 2 : 1;
  }
  ctorch_tensor *x = NULL, *flat = NULL;
  ctorch_tensor_list *out = NULL;
  ck_ok(ctorch_tensor_from_data(&x, (const float[]){1, 2}, 8, sizes, 40, CTORCH_DTYPE_FLOAT32));
  int vmaps = 40;
  ck_ok(add_one_below_body(&out, CTORCH_TENSORS(x), &vmaps));
  ck_sizes(__LINE__, at(out, 0), sizes, 40);
  ck_ok(ctorch_aten_flatten_using_ints(&flat, at(out, 0), 0, -1));
  ck_floats(flat, CTORCH_INTS(2), 2, 3);
}
END_TEST

START_TEST(a_vjp_function_is_called_again_and_again) {
  ctorch_tensor_list *grads = NULL, *outputs = NULL;
  ctorch_tensor *a = floats(CTORCH_INTS(2), 1, 2), *b = floats(CTORCH_INTS(2), 3, 4);
  ctorch_vjp_function *vjp = NULL;
  ck_ok(ctorch_func_vjp(&outputs, &vjp, NULL, product_and_sum, NULL, CTORCH_TENSORS(a, b), 0));
  ck_floats(at(outputs, 0), CTORCH_INTS(2), 3, 8);
  ck_floats(at(outputs, 1), CTORCH_INTS(2), 7, 10);
  ctorch_tensor_release(a);
  ctorch_tensor_release(b);
  ctorch_tensor *u = floats(CTORCH_INTS(2), 1, 0), *v = floats(CTORCH_INTS(2), 0, 1);
  for (int i = 0; i < 3; i++) {
    ck_ok(ctorch_vjp_function_call(&grads, vjp, CTORCH_TENSORS(u, v), NULL, NULL));
    ck_floats(at(grads, 0), CTORCH_INTS(2), 3, 1);
    ck_floats(at(grads, 1), CTORCH_INTS(2), 1, 2);
  }
  ck_ok(ctorch_vjp_function_call(&grads, vjp, CTORCH_TENSORS(v, u), CTORCH_SOME(bool, false), NULL));
  ck_floats(at(grads, 0), CTORCH_INTS(2), 1, 4);
  ck_fails(
      ctorch_vjp_function_call(&grads, vjp, CTORCH_TENSORS(u, v), NULL, NULL), CTORCH_ERROR_RUNTIME, "second time");
  ctorch_vjp_function_retain(vjp);
  ctorch_vjp_function_release(vjp);
}
END_TEST

START_TEST(a_vjp_is_recorded_if_it_is_to_be) {
  ctorch_tensor_list *grad = NULL, *y = NULL;
  ctorch_tensor *x = floats(CTORCH_INTS(2), 1, 2), *c = floats(CTORCH_INTS(2), 1, 1);
  ctorch_vjp_function *vjp = NULL;
  ck_ok(ctorch_func_vjp(&y, &vjp, NULL, square, NULL, CTORCH_TENSORS(x), 0));
  ck_ok(ctorch_tensor_set_requires_grad(c, true));
  ck_ok(ctorch_vjp_function_call(&grad, vjp, CTORCH_TENSORS(c), NULL, NULL));
  ck_assert(ctorch_tensor_requires_grad(at(grad, 0)));
  ck_ok(ctorch_vjp_function_call(&grad, vjp, CTORCH_TENSORS(c), NULL, CTORCH_SOME(bool, false)));
  ck_assert(!ctorch_tensor_requires_grad(at(grad, 0)));
  ck_ok(ctorch_grad_mode_push(false));
  ck_ok(ctorch_vjp_function_call(&grad, vjp, CTORCH_TENSORS(c), NULL, NULL));
  ck_assert(!ctorch_tensor_requires_grad(at(grad, 0)));
  ck_ok(ctorch_grad_mode_pop());
  ck_floats(at(grad, 0), CTORCH_INTS(2), 2, 4);
}
END_TEST

START_TEST(jvp_multiplies_by_the_direction) {
  ctorch_tensor_list *outputs = NULL, *tangents = NULL;
  ctorch_tensor *a = floats(CTORCH_INTS(2), 1, 2), *b = floats(CTORCH_INTS(2), 3, 4);
  ctorch_tensor *da = floats(CTORCH_INTS(2), 1, 0), *db = floats(CTORCH_INTS(2), 0, 10);
  ck_ok(ctorch_func_jvp(
      &outputs, &tangents, NULL, product_and_sum, NULL, CTORCH_TENSORS(a, b), CTORCH_TENSORS(da, db), false, 0));
  ck_floats(at(outputs, 0), CTORCH_INTS(2), 3, 8);
  ck_floats(at(tangents, 0), CTORCH_INTS(2), 3, 20);
  ck_floats(at(tangents, 1), CTORCH_INTS(2), 1, 20);
}
END_TEST

START_TEST(a_linearized_function_multiplies_by_any_direction) {
  ctorch_tensor_list *outputs = NULL, *tangents = NULL;
  ctorch_tensor *a = floats(CTORCH_INTS(2), 1, 2), *b = floats(CTORCH_INTS(2), 3, 4);
  ctorch_jvp_function *jvp = NULL;
  ck_ok(ctorch_func_linearize(&outputs, &jvp, product_and_sum, NULL, CTORCH_TENSORS(a, b)));
  ck_floats(at(outputs, 1), CTORCH_INTS(2), 7, 10);
  ctorch_tensor_release(a);
  ctorch_tensor_release(b);
  for (float scale = 1; scale < 4; scale++) {
    ctorch_tensor *da = floats(CTORCH_INTS(2), scale, 0), *db = floats(CTORCH_INTS(2), 0, 10 * scale);
    ck_ok(ctorch_jvp_function_call(&tangents, jvp, CTORCH_TENSORS(da, db)));
    ck_floats(at(tangents, 0), CTORCH_INTS(2), 3 * scale, 20 * scale);
    ck_floats(at(tangents, 1), CTORCH_INTS(2), scale, 20 * scale);
  }
  ctorch_jvp_function_retain(jvp);
  ctorch_jvp_function_release(jvp);
}
END_TEST

START_TEST(jacobians_come_output_by_output) {
  ctorch_tensor_list *blocks = NULL;
  ctorch_tensor *a = floats(CTORCH_INTS(2), 1, 2), *b = floats(CTORCH_INTS(2), 3, 4);
  for (int64_t chunk = 0; chunk < 5; chunk++) {
    for (int forward = 0; forward < 2; forward++) {
      const int64_t *chunk_size = chunk == 0 ? NULL : &chunk;
      if (forward) {
        ck_ok(ctorch_func_jacfwd(
            &blocks, NULL, product_and_sum, NULL, CTORCH_TENSORS(a, b), CTORCH_INTS(0, 1), 0, 0, chunk_size));
      } else {
        ck_ok(ctorch_func_jacrev(
            &blocks, NULL, product_and_sum, NULL, CTORCH_TENSORS(a, b), CTORCH_INTS(0, 1), 0, chunk_size));
      }
      ck_floats(at(blocks, 0), CTORCH_INTS(2, 2), 3, 0, 0, 4); /* d(a b)/da */
      ck_floats(at(blocks, 1), CTORCH_INTS(2, 2), 1, 0, 0, 2); /* d(a b)/db */
      ck_floats(at(blocks, 2), CTORCH_INTS(2, 2), 1, 0, 0, 1); /* d(a + 2 b)/da */
      ck_floats(at(blocks, 3), CTORCH_INTS(2, 2), 2, 0, 0, 2);
    }
  }
}
END_TEST

/** a * a, and the sum of b as aux */
FUNCTION(square_and_sum_of_the_other, 2) {
  CTORCH_TRY(ctorch_aten_mul_Tensor(&outputs[0], inputs[0], inputs[0]));
  return ctorch_aten_sum(&outputs[1], inputs[1], NULL);
}

START_TEST(derivatives_hand_aux_through) {
  ctorch_tensor_list *out = NULL, *tangents = NULL, *aux = NULL;
  ctorch_tensor *a = floats(CTORCH_INTS(2), 1, 2), *b = floats(CTORCH_INTS(2), 3, 4);
  ctorch_vjp_function *vjp = NULL;
  for (int64_t chunk = 1; chunk < 3; chunk++) {
    ck_ok(ctorch_func_jacrev(&out, &aux, square_and_sum_of_the_other, NULL, CTORCH_TENSORS(a, b), NULL, 0, 1, &chunk));
    ck_floats(at(out, 0), CTORCH_INTS(2, 2), 2, 0, 0, 4);
    ck_floats(at(aux, 0), NO_DIMS, 7);
    ck_ok(
        ctorch_func_jacfwd(&out, &aux, square_and_sum_of_the_other, NULL, CTORCH_TENSORS(a, b), NULL, 0, 1, 0, &chunk));
    ck_floats(at(out, 0), CTORCH_INTS(2, 2), 2, 0, 0, 4);
    ck_floats(at(aux, 0), NO_DIMS, 7);
  }
  ck_ok(ctorch_func_vjp(&out, &vjp, &aux, square_and_sum_of_the_other, NULL, CTORCH_TENSORS(a, b), 1));
  ck_floats(at(out, 0), CTORCH_INTS(2), 1, 4);
  ck_floats(at(aux, 0), NO_DIMS, 7);
  ck_ok(ctorch_vjp_function_call(&out, vjp, CTORCH_TENSORS(a), NULL, NULL));
  ck_assert_uint_eq(ctorch_tensor_list_len(out), 2);
  ck_floats(at(out, 0), CTORCH_INTS(2), 2, 8);
  ck_floats(at(out, 1), CTORCH_INTS(2), 0, 0);
  ck_ok(ctorch_func_jvp(
      &out, &tangents, &aux, square_and_sum_of_the_other, NULL, CTORCH_TENSORS(a, b), CTORCH_TENSORS(b, a), false, 1));
  ck_assert_uint_eq(ctorch_tensor_list_len(out), 1);
  ck_floats(at(tangents, 0), CTORCH_INTS(2), 6, 16);
  ck_floats(at(aux, 0), NO_DIMS, 7);
}
END_TEST

/** sum(a a b) */
FUNCTION(sum_of_a_a_b, 1) {
  ctorch_tensor *squares = NULL;
  CTORCH_TRY(ctorch_aten_mul_Tensor(&squares, inputs[0], inputs[0]));
  return ctorch_aten_dot(&outputs[0], squares, inputs[1]);
}

START_TEST(a_hessian_has_a_block_for_each_pair_of_inputs) {
  ctorch_tensor_list *blocks = NULL;
  ctorch_tensor *a = floats(CTORCH_INTS(2), 1, 2), *b = floats(CTORCH_INTS(2), 3, 4);
  ck_ok(ctorch_func_hessian(&blocks, sum_of_a_a_b, NULL, CTORCH_TENSORS(a, b), CTORCH_INTS(0, 1)));
  ck_floats(at(blocks, 0), CTORCH_INTS(2, 2), 6, 0, 0, 8); /* by a, a: 2 b */
  ck_floats(at(blocks, 1), CTORCH_INTS(2, 2), 2, 0, 0, 4); /* by a, b: 2 a */
  ck_floats(at(blocks, 2), CTORCH_INTS(2, 2), 2, 0, 0, 4);
  ck_floats(at(blocks, 3), CTORCH_INTS(2, 2), 0, 0, 0, 0);
}
END_TEST

/** x + data + buffer + scalar + number + x, the numbers made here and one of them, perhaps, changed in place */
FUNCTION(make_tensors, 1) {
  static float memory[] = {10, 10};
  ctorch_tensor *data = NULL, *buffer = NULL, *scalar = NULL, *number = NULL, *total = NULL;
  CTORCH_TRY(ctorch_tensor_from_data(&data, (const float[]){1, 1}, 8, CTORCH_INTS(2), CTORCH_DTYPE_FLOAT32));
  CTORCH_TRY(ctorch_tensor_from_buffer(&buffer, memory, CTORCH_INTS(2), NULL, 0, CTORCH_DTYPE_FLOAT32, NULL, NULL));
  CTORCH_TRY(ctorch_tensor_from_scalar(&scalar, CTORCH_FLOAT(100), NULL));
  CTORCH_TRY(ctorch_tensor_wrapped_number(&number, CTORCH_INT(1000)));
  if (payload != NULL) { /* a tensor that belongs to all samples cannot be given values of one */
    CTORCH_TRY(ctorch_aten_add__Tensor(data, inputs[0], NULL));
  } else {
    CTORCH_TRY(ctorch_aten_add_Tensor(&data, data, inputs[0], NULL));
  }
  CTORCH_TRY(ctorch_aten_add_Tensor(&total, data, buffer, NULL));
  CTORCH_TRY(ctorch_aten_add_Tensor(&total, total, scalar, NULL));
  CTORCH_TRY(ctorch_aten_add_Tensor(&total, total, number, NULL));
  return ctorch_aten_add_Tensor(&outputs[0], total, inputs[0], NULL);
}

START_TEST(a_function_makes_tensors_like_any_other_code) {
  ctorch_tensor_list *out = NULL, *tangent = NULL;
  ctorch_tensor *x = floats(CTORCH_INTS(2), 1, 2), *xs = floats(CTORCH_INTS(1, 2), 1, 2);
  ctorch_vjp_function *vjp = NULL;
  int in_place = 1;
  ck_ok(ctorch_func_vmap(&out, make_tensors, NULL, CTORCH_TENSORS(xs), NULL, 0, NULL, 0, 0, NULL));
  ck_floats(at(out, 0), CTORCH_INTS(1, 2), 1113, 1115);
  ck_ok(ctorch_func_vjp(&out, &vjp, NULL, make_tensors, &in_place, CTORCH_TENSORS(x), 0));
  ck_floats(at(out, 0), CTORCH_INTS(2), 1113, 1115);
  ck_ok(ctorch_vjp_function_call(&out, vjp, CTORCH_TENSORS(x), NULL, NULL));
  ck_floats(at(out, 0), CTORCH_INTS(2), 2, 4);
  ck_ok(ctorch_func_jvp(&out, &tangent, NULL, make_tensors, &in_place, CTORCH_TENSORS(x), CTORCH_TENSORS(x), true, 0));
  ck_floats(at(tangent, 0), CTORCH_INTS(2), 2, 4);
  ck_ok(ctorch_func_jacfwd(&out, NULL, make_tensors, NULL, CTORCH_TENSORS(x), NULL, 0, 0, 0, NULL));
  ck_floats(at(out, 0), CTORCH_INTS(2, 2), 2, 0, 0, 2);
}
END_TEST

FUNCTION(square_in_a_scope, 1) {
  ctorch_scope *scope = NULL;
  CTORCH_TRY(ctorch_scope_begin(&scope));
  ctorch_tensor *twice = NULL;
  ctorch_error *error = ctorch_aten_add_Tensor(&twice, inputs[0], inputs[0], NULL);
  if (error == NULL) {
    error = ctorch_aten_mul_Tensor(&outputs[0], twice, inputs[0]);
  }
  if (error == NULL) {
    error = ctorch_scope_keep(scope, outputs[0]);
  }
  ctorch_scope_end(scope);
  return error;
}

START_TEST(a_function_may_work_in_a_scope_of_its_own) {
  ctorch_tensor_list *out = NULL;
  ctorch_tensor *x = floats(CTORCH_INTS(2), 1, 2);
  ck_ok(ctorch_func_vmap(&out, square_in_a_scope, NULL, CTORCH_TENSORS(x), NULL, 0, NULL, 0, 0, NULL));
  ck_floats(at(out, 0), CTORCH_INTS(2), 2, 8);
  ck_ok(ctorch_func_hessian(&out, square_in_a_scope, NULL, CTORCH_TENSORS(x), NULL, 0));
  ck_shape(at(out, 0), CTORCH_INTS(2, 2, 2));
}
END_TEST

START_TEST(a_function_may_return_its_input) {
  ctorch_tensor_list *out = NULL, *tangent = NULL;
  ctorch_tensor *x = floats(CTORCH_INTS(2), 1, 2), *scalar = floats(NO_DIMS, 3);
  ck_ok(ctorch_func_vmap(&out, identity, NULL, CTORCH_TENSORS(x), NULL, 0, NULL, 0, 0, NULL));
  ck_assert_ptr_eq(at(out, 0), x);
  ck_ok(ctorch_func_grad(&out, NULL, identity, NULL, CTORCH_TENSORS(scalar), NULL, 0, 0));
  ck_floats(at(out, 0), NO_DIMS, 1);
  ck_ok(ctorch_func_jvp(&out, &tangent, NULL, identity, NULL, CTORCH_TENSORS(x), CTORCH_TENSORS(x), true, 0));
  ck_floats(at(tangent, 0), CTORCH_INTS(2), 1, 2);
  ck_ok(ctorch_func_jacrev(&out, NULL, identity, NULL, CTORCH_TENSORS(x), NULL, 0, 0, NULL));
  ck_floats(at(out, 0), CTORCH_INTS(2, 2), 1, 0, 0, 1);
}
END_TEST

START_TEST(a_function_may_ignore_its_input) {
  ctorch_tensor_list *out = NULL, *tangent = NULL;
  ctorch_tensor *x = floats(CTORCH_INTS(2), 1, 2), *c = floats(NO_DIMS, 3);
  ctorch_vjp_function *vjp = NULL;
  ctorch_jvp_function *jvp = NULL;
  ck_ok(ctorch_func_grad(&out, NULL, payload_itself, c, CTORCH_TENSORS(x), NULL, 0, 0));
  ck_floats(at(out, 0), CTORCH_INTS(2), 0, 0);
  ck_ok(ctorch_func_vjp(&out, &vjp, NULL, payload_itself, c, CTORCH_TENSORS(x), 0));
  ck_ok(ctorch_vjp_function_call(&out, vjp, CTORCH_TENSORS(c), NULL, NULL));
  ck_floats(at(out, 0), CTORCH_INTS(2), 0, 0);
  ck_ok(ctorch_func_jvp(&out, &tangent, NULL, payload_itself, c, CTORCH_TENSORS(x), CTORCH_TENSORS(x), false, 0));
  ck_floats(at(tangent, 0), NO_DIMS, 0);
  ck_fails(
      ctorch_func_jvp(&out, &tangent, NULL, payload_itself, c, CTORCH_TENSORS(x), CTORCH_TENSORS(x), true, 0),
      CTORCH_ERROR_RUNTIME, "strict");
  ck_ok(ctorch_func_linearize(&out, &jvp, payload_itself, c, CTORCH_TENSORS(x)));
  ck_ok(ctorch_jvp_function_call(&tangent, jvp, CTORCH_TENSORS(x)));
  ck_floats(at(tangent, 0), NO_DIMS, 0);
  ck_ok(ctorch_func_jacfwd(&out, NULL, payload_itself, c, CTORCH_TENSORS(x), NULL, 0, 0, 0, NULL));
  ck_floats(at(out, 0), CTORCH_INTS(2), 0, 0);
}
END_TEST

/** x x without recording, plus x */
FUNCTION(partly_recorded, 1) {
  ctorch_tensor *squares = NULL;
  CTORCH_TRY(ctorch_grad_mode_push(false));
  ctorch_error *error = ctorch_aten_mul_Tensor(&squares, inputs[0], inputs[0]);
  CTORCH_TRY(ctorch_grad_mode_pop());
  return error != NULL ? error : ctorch_aten_add_Tensor(&outputs[0], squares, inputs[0], NULL);
}

START_TEST(only_the_grad_mode_that_the_function_sets_counts) {
  ctorch_tensor_list *out = NULL;
  ctorch_tensor *x = floats(NO_DIMS, 3);
  for (int recording = 0; recording < 2; recording++) {
    ck_ok(ctorch_grad_mode_push(recording));
    ck_ok(ctorch_func_grad(&out, NULL, square, NULL, CTORCH_TENSORS(x), NULL, 0, 0));
    ck_floats(at(out, 0), NO_DIMS, 6);
    ck_ok(ctorch_func_grad(&out, NULL, partly_recorded, NULL, CTORCH_TENSORS(x), NULL, 0, 0));
    ck_floats(at(out, 0), NO_DIMS, 1);
    ck_assert(ctorch_grad_mode_enabled() == recording);
    ck_ok(ctorch_grad_mode_pop());
  }
}
END_TEST

START_TEST(autograd_outside_sees_through_a_transform) {
  ctorch_tensor_list *out = NULL;
  ctorch_tensor *x = floats(CTORCH_INTS(2), 1, 2), *total = NULL, *grad = NULL;
  ck_ok(ctorch_tensor_set_requires_grad(x, true));
  ck_ok(ctorch_func_grad(&out, NULL, sum_of_squares, NULL, CTORCH_TENSORS(x), NULL, 0, 0));
  ck_ok(ctorch_aten_dot(&total, at(out, 0), at(out, 0))); /* sum(4 x x) */
  ck_ok(ctorch_tensor_backward(total, NULL, NULL, false));
  ck_ok(ctorch_tensor_grad(&grad, x));
  ck_floats(grad, CTORCH_INTS(2), 8, 16);
}
END_TEST

START_TEST(debug_unwrap_shows_what_is_inside) {
  ctorch_tensor *x = floats(CTORCH_INTS(2), 1, 2), *out = NULL;
  ck_ok(ctorch_func_debug_unwrap(&out, x, true));
  ck_assert_ptr_eq(out, x);
  ck_fails(ctorch_func_debug_unwrap(&out, NULL, true), CTORCH_ERROR_NULL_ARGUMENT, "self");
  ck_fails(ctorch_func_debug_unwrap(NULL, x, true), CTORCH_ERROR_NULL_ARGUMENT, "out");
}
END_TEST

FUNCTION(unwrap_inside, 1) {
  const ctorch_tensor *expected = payload;
  ctorch_tensor *all = NULL, *one = NULL;
  CTORCH_TRY(ctorch_func_debug_unwrap(&all, inputs[0], true));
  CTORCH_TRY(ctorch_func_debug_unwrap(&one, inputs[0], false));
  ck_assert_uint_eq(ctorch_func_depth(), 2);
  ck_assert_ptr_eq(all, expected);
  ck_assert_ptr_ne(one, expected);
  CTORCH_TRY(ctorch_func_debug_unwrap(&one, one, false));
  ck_assert_ptr_eq(one, expected);
  return ctorch_aten_sum(&outputs[0], inputs[0], NULL);
}

LIST_FUNCTION(grad_of_unwrap_inside) {
  return ctorch_func_grad(out, NULL, unwrap_inside, payload, inputs, inputs_len, NULL, 0, 0);
}

START_TEST(debug_unwrap_takes_off_one_wrapper_or_all) {
  ctorch_tensor_list *out = NULL;
  ctorch_tensor *x = floats(CTORCH_INTS(2, 1), 1, 2);
  ck_ok(ctorch_func_vmap(&out, grad_of_unwrap_inside, x, CTORCH_TENSORS(x), NULL, 0, NULL, 0, 0, NULL));
  ck_floats(at(out, 0), CTORCH_INTS(2, 1), 1, 1);
}
END_TEST

/* Losses: a gradient per sample, compared with one sample after the other. LibTorch's own rules lack them. */

enum { MSE, SMOOTH_L1, HUBER, CROSS_ENTROPY, WEIGHTED_CROSS_ENTROPY, NLL_1D, NLL_2D, ADDR, LOSSES };

typedef struct loss_case {
  int kind;
  int64_t reduction; /* none, mean, sum */
  ctorch_tensor *weight;
} loss_case;

FUNCTION(loss, 1) {
  const loss_case *what = payload;
  const ctorch_tensor *x = inputs[0], *y = inputs[1];
  ctorch_tensor *out = NULL;
  switch (what->kind) {
    case MSE:
      CTORCH_TRY(ctorch_aten_mse_loss(&out, x, y, what->reduction));
      break;
    case SMOOTH_L1:
      CTORCH_TRY(ctorch_aten_smooth_l1_loss(&out, x, y, what->reduction, 0.5));
      break;
    case HUBER:
      CTORCH_TRY(ctorch_aten_huber_loss(&out, x, y, what->reduction, 0.5));
      break;
    case CROSS_ENTROPY:
    case WEIGHTED_CROSS_ENTROPY:
    case NLL_1D:
    case NLL_2D:
      CTORCH_TRY(ctorch_aten_cross_entropy_loss(
          &out, x, y, what->kind == CROSS_ENTROPY ? NULL : what->weight, what->reduction, 1, 0));
      break;
    default:
      CTORCH_TRY(ctorch_aten_addr(&out, x, y, y, CTORCH_FLOAT(0.5), CTORCH_FLOAT(2)));
      CTORCH_TRY(ctorch_aten_sin(&out, out));
      break;
  }
  return ctorch_aten_sum(&outputs[0], out, NULL);
}

LIST_FUNCTION(grad_of_loss) { return ctorch_func_grad(out, NULL, loss, payload, inputs, inputs_len, NULL, 0, 0); }

/** What is written to standard error while `run` runs. */
static const char *captured(void (*run)(void *), void *argument) {
  static char text[4096];
  char name[] = "/tmp/check_func_XXXXXX";
  const int file = mkstemp(name), before = dup(STDERR_FILENO);
  ck_assert(file >= 0 && before >= 0 && unlink(name) == 0);
  fflush(stderr);
  dup2(file, STDERR_FILENO);
  run(argument);
  fflush(stderr);
  dup2(before, STDERR_FILENO);
  close(before);
  const ssize_t len = pread(file, text, sizeof text - 1, 0);
  ck_assert_int_ge(len, 0);
  text[len] = '\0';
  close(file);
  return text;
}

static void gradients_per_sample_equal_those_of_each(void *argument) {
  loss_case *what = argument;
  enum { BATCH = 4 };
  ctorch_tensor *x = NULL, *y = NULL;
  ctorch_tensor_list *out = NULL, *one = NULL;
  ck_ok(ctorch_random_manual_seed(1));
  switch (what->kind) {
    case CROSS_ENTROPY:
    case WEIGHTED_CROSS_ENTROPY: /* class 1 is ignored */
      ck_ok(ctorch_aten_randn(&x, CTORCH_INTS(BATCH, 6, 3), NULL, NULL, NULL, NULL));
      ck_ok(ctorch_aten_randint(&y, 3, CTORCH_INTS(BATCH, 6), NULL, NULL, NULL, NULL));
      break;
    case NLL_1D:
      ck_ok(ctorch_aten_randn(&x, CTORCH_INTS(BATCH, 3), NULL, NULL, NULL, NULL));
      y = ints(CTORCH_INTS(BATCH), 0, 2, 2, 0);
      break;
    case NLL_2D:
      ck_ok(ctorch_aten_randn(&x, CTORCH_INTS(BATCH, 2, 3, 4, 5), NULL, NULL, NULL, NULL));
      ck_ok(ctorch_aten_randint(&y, 3, CTORCH_INTS(BATCH, 2, 4, 5), NULL, NULL, NULL, NULL));
      break;
    case ADDR:
      ck_ok(ctorch_aten_randn(&x, CTORCH_INTS(BATCH, 3, 3), NULL, NULL, NULL, NULL));
      ck_ok(ctorch_aten_randn(&y, CTORCH_INTS(BATCH, 3), NULL, NULL, NULL, NULL));
      break;
    default:
      ck_ok(ctorch_aten_randn(&x, CTORCH_INTS(BATCH, 3, 5), NULL, NULL, NULL, NULL));
      ck_ok(ctorch_aten_randn(&y, CTORCH_INTS(BATCH, 3, 5), NULL, NULL, NULL, NULL));
      break;
  }
  what->weight = floats(CTORCH_INTS(3), 0.5F, 2, 3);
  ck_ok(ctorch_func_vmap(&out, grad_of_loss, what, CTORCH_TENSORS(x, y), NULL, 0, NULL, 0, 0, NULL));
  for (int64_t i = 0; i < BATCH; i++) {
    ctorch_tensor *x_i = NULL, *y_i = NULL, *got = NULL;
    bool close = false;
    ck_ok(ctorch_aten_select_int(&x_i, x, 0, i));
    ck_ok(ctorch_aten_select_int(&y_i, y, 0, i));
    ck_ok(ctorch_aten_select_int(&got, at(out, 0), 0, i));
    ck_ok(ctorch_func_grad(&one, NULL, loss, what, CTORCH_TENSORS(x_i, y_i), NULL, 0, 0));
    ck_ok(ctorch_aten_allclose(&close, got, at(one, 0), 1e-5, 1e-6, false));
    ck_assert_msg(close, "loss %d, reduction %d, sample %d", what->kind, (int)what->reduction, (int)i);
    ck_ok(ctorch_aten_any(&got, got));
    ck_bools(got, NO_DIMS, true);
  }
}

START_TEST(losses_have_gradients_per_sample_without_a_loop) {
  for (int kind = 0; kind < LOSSES; kind++) {
    for (int64_t reduction = 0; reduction < 3; reduction++) {
      loss_case what = {kind, reduction, NULL};
      ck_assert_str_eq(captured(gradients_per_sample_equal_those_of_each, &what), "");
    }
  }
}
END_TEST

int main(int argc UNUSED, char **argv) {
  if (!handles_are_counted(argv)) {
    return EXIT_FAILURE;
  }
  Suite *suite = suite_create("func");
  ck_function_case(suite, vmap_runs_a_function_on_every_sample);
  ck_function_case(suite, vmap_maps_any_dimension);
  ck_function_case(suite, vmap_repeats_what_does_not_depend_on_its_inputs);
  ck_function_case(suite, an_input_that_is_null_reaches_the_function_as_null);
  ck_function_case(suite, vmap_calls_the_function_once_for_each_chunk);
  ck_function_case(suite, an_empty_batch_is_empty_in_chunks_too);
  ck_function_case(suite, randomness_says_what_random_operators_do);
  ck_function_case(suite, grad_of_a_sum_of_squares_is_twice_the_input);
  ck_function_case(suite, grad_is_by_what_argnums_says_and_hands_aux_through);
  ck_function_case(suite, grad_nests);
  ck_function_case(suite, vmap_nests_as_deep_as_a_tensor_has_dimensions);
  ck_function_case(suite, a_vjp_function_is_called_again_and_again);
  ck_function_case(suite, a_vjp_is_recorded_if_it_is_to_be);
  ck_function_case(suite, jvp_multiplies_by_the_direction);
  ck_function_case(suite, a_linearized_function_multiplies_by_any_direction);
  ck_function_case(suite, jacobians_come_output_by_output);
  ck_function_case(suite, derivatives_hand_aux_through);
  ck_function_case(suite, a_hessian_has_a_block_for_each_pair_of_inputs);
  ck_function_case(suite, a_function_makes_tensors_like_any_other_code);
  ck_function_case(suite, a_function_may_work_in_a_scope_of_its_own);
  ck_function_case(suite, a_function_may_return_its_input);
  ck_function_case(suite, a_function_may_ignore_its_input);
  ck_function_case(suite, only_the_grad_mode_that_the_function_sets_counts);
  ck_function_case(suite, autograd_outside_sees_through_a_transform);
  ck_function_case(suite, debug_unwrap_shows_what_is_inside);
  ck_function_case(suite, debug_unwrap_takes_off_one_wrapper_or_all);
  ck_function_case(suite, losses_have_gradients_per_sample_without_a_loop);
  return ck_main(suite);
}
