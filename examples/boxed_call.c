/* Operators by name: find one, read its schema, call it with values. For programs that learn at run time what to call,
 * such as interpreters of saved models, and for what generated/aten.h does not declare: operators of extensions.
 *
 * A value is of any type that PyTorch's schemas have; a number, a text, a list or a tensor is put into one and taken
 * out again. The functions of generated/aten.h are faster, and the compiler checks them. */
#include <ctorch.h>
#include <stdio.h>
#include <stdlib.h>

/* What a program can know of an operator that it has never heard of. */
static ctorch_error *describe(const ctorch_op *op) {
  printf("%s\n", ctorch_op_schema(op));
  for (size_t i = 0; i < ctorch_op_num_arguments(op); i++) {
    printf(
        "  %s: %s%s", ctorch_op_argument_name(op, i), ctorch_op_argument_type(op, i),
        ctorch_op_argument_is_keyword_only(op, i) ? ", by name" : "");
    if (ctorch_op_argument_has_default(op, i)) {
      ctorch_value *value;
      ctorch_string *text;
      CTORCH_TRY(ctorch_op_argument_default(&value, op, i));
      CTORCH_TRY(ctorch_value_repr(&text, value));
      printf(", else %s", ctorch_string_data(text));
    }
    printf("\n");
  }
  return NULL;
}

/* By position. Missing arguments at the end have their default. */
static ctorch_error *by_position(const ctorch_value *x) {
  ctorch_op *topk;
  ctorch_value *k, *result, *part;
  CTORCH_TRY(ctorch_op_find(&topk, "aten::topk", NULL));
  CTORCH_TRY(describe(topk));
  CTORCH_TRY(ctorch_value_from_int(&k, 2));
  CTORCH_TRY(ctorch_op_call(&result, topk, (const ctorch_value *const[]){x, k}, 2));
  printf("%s of %zu\n", ctorch_value_kind_name(ctorch_value_kind_of(result)), ctorch_value_len(result));
  for (size_t i = 0; i < ctorch_value_len(result); i++) {
    ctorch_tensor *tensor;
    CTORCH_TRY(ctorch_value_get(&part, result, i));
    CTORCH_TRY(ctorch_value_to_tensor(&tensor, part));
    CTORCH_TRY(ctorch_tensor_print(tensor, NULL));
  }
  return NULL;
}

/* By name. What Python converts is converted: alpha is a Scalar, and an int becomes one. */
static ctorch_error *by_name(const ctorch_value *x) {
  ctorch_op *add;
  ctorch_value *alpha, *result;
  ctorch_tensor *sum;
  CTORCH_TRY(ctorch_op_find(&add, "aten::add", "Tensor"));
  CTORCH_TRY(ctorch_value_from_int(&alpha, 10));
  CTORCH_TRY(ctorch_op_call_named(
      &result, add, (const ctorch_value *const[]){x, x}, 2, (const char *const[]){"alpha"}, 1,
      (const ctorch_value *const[]){alpha}, 1));
  CTORCH_TRY(ctorch_value_to_tensor(&sum, result));
  return ctorch_tensor_print(sum, NULL);
}

/* Every call is checked against the schema before the operator sees it. */
static ctorch_error *wrong_calls(const ctorch_value *x) {
  ctorch_op *add, *nothing = NULL;
  ctorch_value *text, *result;
  CTORCH_TRY(ctorch_op_find(&add, "aten::add.Tensor", NULL));
  CTORCH_TRY(ctorch_value_from_string(&text, "two"));
  ctorch_error *errors[] = {
      ctorch_op_call(&result, add, (const ctorch_value *const[]){x, text}, 2),
      ctorch_op_call(&result, add, &x, 1),
      ctorch_op_find(&nothing, "aten::no_such_operator", NULL),
  };
  for (size_t i = 0; i < sizeof errors / sizeof *errors; i++) {
    printf("%s\n", ctorch_error_kind_name(ctorch_error_kind_of(errors[i])));
    ctorch_error_release(errors[i]);
  }
  return NULL;
}

static ctorch_error *run(void) {
  const float numbers[] = {3, 1, 4, 1, 5};
  ctorch_tensor *tensor;
  ctorch_value *x;
  CTORCH_TRY(ctorch_tensor_from_data(&tensor, numbers, sizeof numbers, CTORCH_INTS(5), CTORCH_DTYPE_FLOAT32));
  CTORCH_TRY(ctorch_value_from_tensor(&x, tensor));
  CTORCH_TRY(by_position(x));
  CTORCH_TRY(by_name(x));
  return wrong_calls(x);
}

int main(void) {
  ctorch_scope *scope = NULL;
  ctorch_error *error = ctorch_scope_begin(&scope);
  if (error == NULL) {
    error = run();
  }
  ctorch_scope_end(scope);
  return ctorch_error_finish(error);
}
