/* A custom operator: a kernel that computes, one that only knows the shape, and a gradient formula.
 *
 * Each callback works in a scope, which gives back what it made, but for the result. */
#include "squareplus.h"

#include <math.h>

/* The CPU: a loop over contiguous memory. */

static ctorch_error *compute(ctorch_tensor *y, const ctorch_tensor *x, double b) {
  const void *from = NULL;
  void *to = NULL;
  CTORCH_TRY(ctorch_tensor_const_data(&from, x));
  CTORCH_TRY(ctorch_tensor_data(&to, y));
  for (int64_t i = 0; i < ctorch_tensor_numel(x); i++) {
    if (ctorch_tensor_dtype(x) == CTORCH_DTYPE_FLOAT32) {
      const float value = ((const float *)from)[i];
      ((float *)to)[i] = (value + sqrtf(value * value + (float)b)) / 2;
    } else {
      const double value = ((const double *)from)[i];
      ((double *)to)[i] = (value + sqrt(value * value + b)) / 2;
    }
  }
  return NULL;
}

static ctorch_error *on_the_cpu(ctorch_value **result, const ctorch_value *const *args) {
  ctorch_tensor *given = NULL, *x = NULL, *y = NULL;
  double b = 0;
  CTORCH_TRY(ctorch_value_to_tensor(&given, args[0]));
  CTORCH_TRY(ctorch_value_to_double(&b, args[1]));
  const ctorch_dtype dtype = ctorch_tensor_dtype(given);
  if (dtype != CTORCH_DTYPE_FLOAT32 && dtype != CTORCH_DTYPE_FLOAT64) {
    ctorch_error *error = NULL;
    CTORCH_TRY(ctorch_error_new(&error, CTORCH_ERROR_NOT_IMPLEMENTED, "squareplus: float32 or float64 only"));
    return error;
  }
  CTORCH_TRY(ctorch_aten_contiguous(&x, given, CTORCH_MEMORY_FORMAT_CONTIGUOUS));
  CTORCH_TRY(ctorch_aten_empty_like(&y, x, NULL, NULL, NULL, NULL, NULL));
  CTORCH_TRY(compute(y, x, b));
  return ctorch_value_from_tensor(result, y);
}

static ctorch_callback_status cpu_kernel(
    ctorch_value **results,
    size_t results_len,
    const ctorch_value *const *args,
    size_t args_len,
    ctorch_error **error,
    void *payload) {
  (void)results_len, (void)args_len, (void)payload;
  ctorch_scope *scope = NULL;
  if ((*error = ctorch_scope_begin(&scope)) == NULL) {
    *error = on_the_cpu(results, args);
  }
  return ctorch_callback_finish(error, scope, *results);
}

/* Shapes alone, for tensors without memory. */

static ctorch_error *shape_of(ctorch_value **result, const ctorch_value *const *args) {
  ctorch_tensor *x = NULL, *y = NULL;
  CTORCH_TRY(ctorch_value_to_tensor(&x, args[0]));
  CTORCH_TRY(ctorch_aten_empty_like(&y, x, NULL, NULL, NULL, NULL, NULL));
  return ctorch_value_from_tensor(result, y);
}

static ctorch_callback_status meta_kernel(
    ctorch_value **results,
    size_t results_len,
    const ctorch_value *const *args,
    size_t args_len,
    ctorch_error **error,
    void *payload) {
  (void)results_len, (void)args_len, (void)payload;
  ctorch_scope *scope = NULL;
  if ((*error = ctorch_scope_begin(&scope)) == NULL) {
    *error = shape_of(results, args);
  }
  return ctorch_callback_finish(error, scope, *results);
}

/* Gradients: a function of (x, b). Its forward is the operator below automatic differentiation; its backward is
 * grad (1 + x / sqrt(x^2 + b)) / 2, made of operators that can be differentiated again. */

static ctorch_error *compute_below(
    ctorch_tensor_list **out, ctorch_autograd_context *context, const ctorch_tensor *const *inputs, size_t inputs_len) {
  ctorch_op *op = NULL;
  ctorch_value *x = NULL, *b = NULL, *result = NULL;
  ctorch_tensor *y = NULL;
  CTORCH_TRY(ctorch_autograd_context_save_for_backward(context, inputs, inputs_len));
  CTORCH_TRY(ctorch_op_find(&op, "examples::squareplus", NULL));
  CTORCH_TRY(ctorch_value_from_tensor(&x, inputs[0]));
  CTORCH_TRY(ctorch_value_from_tensor(&b, inputs[1])); /* a tensor of no dimensions is a number, too */
  CTORCH_TRY(ctorch_op_call_below_autograd(&result, op, (const ctorch_value *const[]){x, b}, 2));
  CTORCH_TRY(ctorch_value_to_tensor(&y, result));
  return ctorch_tensor_list_new(out, CTORCH_TENSORS(y));
}

static ctorch_callback_status forward(
    ctorch_tensor_list **out,
    ctorch_autograd_context *context,
    const ctorch_tensor *const *inputs,
    size_t inputs_len,
    ctorch_error **error,
    void *payload) {
  (void)payload;
  ctorch_scope *scope = NULL;
  if ((*error = ctorch_scope_begin(&scope)) == NULL) {
    *error = compute_below(out, context, inputs, inputs_len);
  }
  return ctorch_callback_finish(error, scope, *out);
}

static ctorch_error *gradient_of_x(
    ctorch_tensor_list **out, const ctorch_autograd_context *context, const ctorch_tensor *grad) {
  ctorch_tensor_list *saved = NULL;
  ctorch_tensor *square = NULL, *sum = NULL, *root = NULL, *slope = NULL, *twice = NULL, *product = NULL, *half = NULL;
  CTORCH_TRY(ctorch_autograd_context_saved_tensors(&saved, context));
  const ctorch_tensor *x = ctorch_tensor_list_data(saved)[0], *b = ctorch_tensor_list_data(saved)[1];
  CTORCH_TRY(ctorch_aten_mul_Tensor(&square, x, x));
  CTORCH_TRY(ctorch_aten_add_Tensor(&sum, square, b, NULL));
  CTORCH_TRY(ctorch_aten_sqrt(&root, sum));
  CTORCH_TRY(ctorch_aten_div_Tensor(&slope, x, root));
  CTORCH_TRY(ctorch_aten_add_Scalar(&twice, slope, CTORCH_INT(1), NULL));
  CTORCH_TRY(ctorch_aten_mul_Tensor(&product, grad, twice));
  CTORCH_TRY(ctorch_aten_mul_Scalar(&half, product, CTORCH_FLOAT(0.5)));
  return ctorch_tensor_list_new(out, CTORCH_TENSORS(half, NULL));
}

static ctorch_callback_status backward(
    ctorch_tensor_list **out,
    const ctorch_autograd_context *context,
    const ctorch_tensor *const *grads,
    size_t grads_len,
    ctorch_error **error,
    void *payload) {
  (void)grads_len, (void)payload;
  ctorch_scope *scope = NULL;
  if ((*error = ctorch_scope_begin(&scope)) == NULL) {
    *error = gradient_of_x(out, context, grads[0]);
  }
  return ctorch_callback_finish(error, scope, *out);
}

static ctorch_error *apply(
    ctorch_value **result, const ctorch_value *const *args, const ctorch_autograd_function *function) {
  ctorch_scalar number;
  ctorch_tensor *x = NULL, *b = NULL, *y = NULL;
  ctorch_tensor_list *outputs = NULL;
  const ctorch_dtype dtype = CTORCH_DTYPE_FLOAT64;
  CTORCH_TRY(ctorch_value_to_tensor(&x, args[0]));
  CTORCH_TRY(ctorch_value_to_scalar(&number, args[1]));
  CTORCH_TRY(ctorch_tensor_from_scalar(&b, &number, &dtype));
  CTORCH_TRY(ctorch_autograd_function_apply(&outputs, function, CTORCH_TENSORS(x, b), NULL, NULL));
  CTORCH_TRY(ctorch_tensor_list_get(&y, outputs, 0));
  return ctorch_value_from_tensor(result, y);
}

static ctorch_callback_status autograd_kernel(
    ctorch_value **results,
    size_t results_len,
    const ctorch_value *const *args,
    size_t args_len,
    ctorch_error **error,
    void *payload) {
  (void)results_len, (void)args_len;
  ctorch_scope *scope = NULL;
  if ((*error = ctorch_scope_begin(&scope)) == NULL) {
    *error = apply(results, args, payload);
  }
  return ctorch_callback_finish(error, scope, *results);
}

static void release_function(void *function) { ctorch_autograd_function_release(function); }

static ctorch_error *implement(ctorch_library *library) {
  ctorch_autograd_function *function = NULL;
  CTORCH_TRY(ctorch_library_define(library, "squareplus(Tensor x, float b=4.) -> Tensor"));
  CTORCH_TRY(ctorch_library_implement(library, "squareplus", "CPU", cpu_kernel, NULL, NULL));
  CTORCH_TRY(ctorch_library_implement(library, "squareplus", "Meta", meta_kernel, NULL, NULL));
  CTORCH_TRY(ctorch_autograd_function_new(&function, "Squareplus", forward, backward, NULL, false, NULL, NULL));
  ctorch_error *error =
      ctorch_library_implement(library, "squareplus", "Autograd", autograd_kernel, release_function, function);
  if (error != NULL) {
    ctorch_autograd_function_release(function);
  }
  return error;
}

ctorch_error *define_squareplus(ctorch_library **out) {
  ctorch_library *library = NULL;
  CTORCH_TRY(ctorch_library_new(&library, "examples"));
  ctorch_error *error = implement(library);
  if (error != NULL) {
    ctorch_library_release(library);
    return error;
  }
  *out = library;
  return NULL;
}
