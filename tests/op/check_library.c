/* Operators defined in C: kernels by dispatch key, gradients, results that are checked, errors that pass unchanged, and
 * what is left when the library goes. */
#include <pthread.h>

#include "harness/boxed_values.h"
#include "harness/small_stack.h"

/** A kernel's payload: how often it was called and destroyed. */
typedef struct {
  int calls;
  int destroyed;
} counts;

static void destroy(void *payload) { ((counts *)payload)->destroyed++; }

#define KERNEL(name)                                                                                \
  static ctorch_callback_status name(                                                               \
      ctorch_value **results, size_t results_len, const ctorch_value *const *args, size_t args_len, \
      ctorch_error **error, void *payload)
#define UNUSED (void)results, (void)results_len, (void)args, (void)args_len, (void)error, (void)payload

/** Hand over what fails as the kernel's own error. */
#define TRY(expression)                    \
  do {                                     \
    if ((*error = (expression)) != NULL) { \
      return 0;                            \
    }                                      \
  } while (0)

/** x * by, by operators that record gradients where they are asked to. */
KERNEL(scale) {
  UNUSED;
  ctorch_tensor *x = NULL, *y = NULL;
  double by = 0;
  if (payload != NULL) {
    ((counts *)payload)->calls++;
  }
  TRY(ctorch_value_to_tensor(&x, args[0]));
  TRY(ctorch_value_to_double(&by, args[1]));
  TRY(ctorch_aten_mul_Scalar(&y, x, CTORCH_FLOAT(by)));
  TRY(ctorch_value_from_tensor(results, y));
  ctorch_tensor_release(x);
  ctorch_tensor_release(y);
  return CTORCH_CALLBACK_OK;
}

static ctorch_library *library_with(const char *schema) {
  ctorch_library *library = NULL;
  ck_ok(ctorch_library_new(&library, "shop"));
  ck_ok(ctorch_library_define(library, schema));
  return library;
}

static ctorch_op *find(const char *name) {
  ctorch_op *op = NULL;
  ck_ok(ctorch_op_find(&op, name, NULL));
  return op;
}

static ctorch_value *call(const char *name, const ctorch_value *const *args, size_t args_len) {
  ctorch_value *out = NULL;
  ck_ok(ctorch_op_call(&out, find(name), args, args_len));
  return out;
}

START_TEST(a_kernel_runs_for_its_device) {
  counts count = {0, 0};
  ctorch_library *library = library_with("scale(Tensor x, float by=2.0) -> Tensor");
  ck_ok(ctorch_library_implement(library, "scale", "CPU", scale, destroy, &count));
  ctorch_value *x = boxed_tensor(floats(CTORCH_INTS(2), 1, 2)), *out = NULL;
  ck_floats(unboxed_tensor(call("shop::scale", VALUES(x))), CTORCH_INTS(2), 2, 4);
  ck_floats(unboxed_tensor(call("shop::scale", VALUES(x, boxed_int(3)))), CTORCH_INTS(2), 3, 6);
  ck_assert_int_eq(count.calls, 2);
  ctorch_tensor *meta = NULL;
  ck_ok(ctorch_aten_empty_memory_format(&meta, CTORCH_INTS(1), NULL, NULL, META, NULL, NULL));
  ck_fails(ctorch_op_call(&out, find("shop::scale"), VALUES(boxed_tensor(meta))), CTORCH_ERROR_NOT_IMPLEMENTED, "Meta");
  ck_ok(ctorch_library_implement(library, "scale", "Meta", scale, NULL, NULL));
  ck_shape(unboxed_tensor(call("shop::scale", VALUES(boxed_tensor(meta)))), CTORCH_INTS(1));
  ck_assert_str_eq(ctorch_library_namespace(library), "shop");
  ck_assert_int_eq(count.destroyed, 0);
  ctorch_library_retain(library);
  ctorch_library_release(library);
  ck_assert_int_eq(count.destroyed, 0);
  ctorch_library_release(library);
  ck_assert_int_eq(count.destroyed, 1);
}
END_TEST

START_TEST(a_composite_kernel_has_gradients) {
  ctorch_library *library = library_with("scale(Tensor x, float by=2.0) -> Tensor");
  ck_ok(ctorch_library_implement(library, "scale", NULL, scale, NULL, NULL));
  ctorch_tensor *x = floats(CTORCH_INTS(1), 5), *grad = NULL;
  ck_ok(ctorch_tensor_set_requires_grad(x, true));
  ctorch_value *y = call("shop::scale", VALUES(boxed_tensor(x), boxed_double(7)));
  ck_ok(ctorch_tensor_backward(unboxed_tensor(y), NULL, NULL, false));
  ck_ok(ctorch_tensor_grad(&grad, x));
  ck_floats(grad, CTORCH_INTS(1), 7);
  ctorch_library_release(library);
}
END_TEST

/** Autograd: x * by + 0 * (the operator below), so that both show. */
KERNEL(scale_with_gradient) {
  UNUSED;
  ctorch_op *op = NULL;
  ctorch_value *below = NULL;
  ctorch_tensor *plain = NULL, *recorded = NULL, *sum = NULL;
  TRY(ctorch_op_find(&op, "shop::scale", NULL));
  TRY(ctorch_op_call_below_autograd(&below, op, args, args_len));
  TRY(ctorch_value_to_tensor(&plain, below));
  ck_assert(!ctorch_tensor_requires_grad(plain));
  ctorch_value *again = NULL;
  if (scale(&again, 1, args, args_len, error, NULL) != CTORCH_CALLBACK_OK) {
    return 0;
  }
  TRY(ctorch_value_to_tensor(&recorded, again));
  TRY(ctorch_aten_add_Tensor(&sum, recorded, plain, CTORCH_INT(100)));
  TRY(ctorch_value_from_tensor(results, sum));
  ((counts *)payload)->calls++;
  return CTORCH_CALLBACK_OK;
}

START_TEST(an_autograd_kernel_reaches_the_computation_below) {
  counts below = {0, 0}, above = {0, 0};
  ctorch_library *library = library_with("scale(Tensor x, float by=2.0) -> Tensor");
  ck_ok(ctorch_library_implement(library, "scale", "CPU", scale, destroy, &below));
  ck_ok(ctorch_library_implement(library, "scale", "Autograd", scale_with_gradient, destroy, &above));
  ctorch_tensor *x = floats(CTORCH_INTS(1), 5), *grad = NULL;
  ck_ok(ctorch_tensor_set_requires_grad(x, true));
  ctorch_tensor *y = unboxed_tensor(call("shop::scale", VALUES(boxed_tensor(x), boxed_double(3))));
  ck_floats(y, CTORCH_INTS(1), 1515);
  ck_ok(ctorch_tensor_backward(y, NULL, NULL, false));
  ck_ok(ctorch_tensor_grad(&grad, x));
  ck_floats(grad, CTORCH_INTS(1), 3);
  ck_assert(below.calls == 1 && above.calls == 1);
  ctorch_library_release(library);
  ck_assert(below.destroyed == 1 && above.destroyed == 1);
}
END_TEST

START_TEST(an_operator_without_a_gradient_says_so) {
  ctorch_library *library = library_with("scale(Tensor x, float by=2.0) -> Tensor");
  ck_ok(ctorch_library_implement(library, "scale", "CPU", scale, NULL, NULL));
  ck_ok(ctorch_library_autograd_not_implemented(library, "scale"));
  ctorch_tensor *x = floats(CTORCH_INTS(1), 5);
  ck_floats(unboxed_tensor(call("shop::scale", VALUES(boxed_tensor(x)))), CTORCH_INTS(1), 10);
  ck_ok(ctorch_tensor_set_requires_grad(x, true));
  ctorch_tensor *y = unboxed_tensor(call("shop::scale", VALUES(boxed_tensor(x))));
  ck_fails(ctorch_tensor_backward(y, NULL, NULL, false), CTORCH_ERROR_RUNTIME, "shop::scale");
  ctorch_library_release(library);
}
END_TEST

START_TEST(a_key_is_passed_over) {
  counts count = {0, 0};
  ctorch_library *library = library_with("scale(Tensor x, float by=2.0) -> Tensor");
  ck_ok(ctorch_library_implement(library, "scale", "CPU", scale, NULL, &count));
  ck_ok(ctorch_library_fallthrough(library, "scale", "Autograd"));
  ctorch_tensor *x = floats(CTORCH_INTS(1), 5);
  ck_ok(ctorch_tensor_set_requires_grad(x, true));
  /* the kernel runs with the dispatch key gone, not its gradients: it is as if Autograd were not there */
  ck_floats(unboxed_tensor(call("shop::scale", VALUES(boxed_tensor(x)))), CTORCH_INTS(1), 10);
  ck_assert_int_eq(count.calls, 1);
  ck_fails(
      ctorch_library_fallthrough(library, "scale", "CompositeImplicitAutograd"), CTORCH_ERROR_INVALID_ARGUMENT,
      "nothing below");
  ctorch_library_release(library);
}
END_TEST

/** Everything that crosses: prints its arguments into the payload and answers them back. */
KERNEL(echo) {
  UNUSED;
  ctorch_value *list = NULL;
  ctorch_string *text = NULL;
  TRY(ctorch_value_from_list(&list, args, args_len));
  TRY(ctorch_value_repr(&text, list));
  strcpy(payload, ctorch_string_data(text));
  ctorch_value_release(list);
  ctorch_string_release(text);
  return CTORCH_CALLBACK_OK;
}

START_TEST(a_kernel_gets_all_arguments_in_the_types_of_the_schema) {
  char got[1000] = "";
  ctorch_library *library = library_with(
      "echo(int a, float b, bool[] c, str d, int[2] e=3, Scalar? f=None, Dict(str, float)? g=None, "
      "*, (int, str) h, Device i, int[][] j) -> ()");
  ck_ok(ctorch_library_implement(library, "echo", "CompositeExplicitAutograd", echo, NULL, got));
  ctorch_value *out = NULL;
  const char *const names[] = {"j", "g", "h", "i"};
  ck_ok(ctorch_op_call_named(
      &out, find("shop::echo"),
      VALUES(boxed_int(1), boxed_int(2), boxed_list(VALUES(boxed_bool(true))), boxed_string("x")), names, 4,
      VALUES(
          boxed_list(VALUES(boxed_tuple(VALUES(boxed_int(1))), boxed_list(NO_VALUES))),
          boxed_dict(VALUES(boxed_string("k")), VALUES(boxed_int(5))),
          boxed_list(VALUES(boxed_int(4), boxed_string("y"))), boxed_device(META))));
  ck_assert_str_eq(got, "[1, 2.0, [True], 'x', [3, 3], None, {'k': 5.0}, (4, 'y'), device(type='meta'), [[1], []]]");
  ck_assert_int_eq(ctorch_value_kind_of(out), CTORCH_VALUE_NONE);
  ctorch_library_release(library);
}
END_TEST

/** Results as the payload says: a bad one of some kind. */
enum { NOTHING, TEXT, LIST, MUTATED };

KERNEL(answer) {
  UNUSED;
  ctorch_tensor *x = NULL;
  switch (*(int *)payload) {
    case TEXT:
      TRY(ctorch_value_from_string(&results[0], "no tensor"));
      break;
    case LIST:
      TRY(ctorch_value_to_tensor(&x, args[0]));
      TRY(ctorch_value_from_tensor(&results[0], x));
      TRY(ctorch_value_from_list(&results[1], VALUES(NULL)));
      ctorch_tensor_release(x);
      break;
    case MUTATED:
      TRY(ctorch_value_to_tensor(&x, args[0]));
      TRY(ctorch_aten_zero_(x));
      ctorch_tensor_release(x);
      break;
  }
  return CTORCH_CALLBACK_OK;
}

START_TEST(results_are_checked) {
  int what = NOTHING;
  ctorch_library *library = library_with("answer(Tensor x) -> (Tensor, int[])");
  ck_ok(ctorch_library_implement(library, "answer", "CPU", answer, NULL, &what));
  ctorch_value *x = boxed_tensor(floats(CTORCH_INTS(1), 1)), *out = NULL;
  ctorch_op *op = find("shop::answer");
  ck_fails(
      ctorch_op_call(&out, op, VALUES(x)), CTORCH_ERROR_TYPE,
      "kernel of shop::answer for CPU: result 0 must be Tensor, not NoneType");
  what = TEXT;
  ck_fails(ctorch_op_call(&out, op, VALUES(x)), CTORCH_ERROR_TYPE, "result 0 must be Tensor, not str");
  what = LIST;
  ck_fails(ctorch_op_call(&out, op, VALUES(x)), CTORCH_ERROR_TYPE, "result 1[0] must be int, not NoneType");
  ck_assert_ptr_null(out);
  ctorch_library_release(library);
}
END_TEST

START_TEST(a_result_that_is_an_argument_need_not_be_given) {
  int what = MUTATED;
  ctorch_library *library = library_with("zero_(Tensor(a!) x) -> Tensor(a!)");
  ck_ok(ctorch_library_implement(library, "zero_", "CPU", answer, NULL, &what));
  ctorch_tensor *x = floats(CTORCH_INTS(2), 1, 2);
  ck_assert_ptr_eq(unboxed_tensor(call("shop::zero_", VALUES(boxed_tensor(x)))), x);
  ck_floats(x, CTORCH_INTS(2), 0, 0);
  ctorch_library_release(library);
}
END_TEST

static ctorch_error *own_error;

KERNEL(refuse) {
  UNUSED;
  if (payload != NULL) {
    ck_ok(ctorch_value_from_int(results, 5)); /* released by the caller */
    *error = own_error;
  }
  return 0;
}

START_TEST(errors_pass_unchanged) {
  ctorch_library *library = library_with("fail(Tensor x) -> int");
  ctorch_value *x = boxed_tensor(floats(CTORCH_INTS(1), 1)), *out = NULL;
  ck_ok(ctorch_library_implement(library, "fail", "CPU", refuse, NULL, &own_error));
  ck_ok(ctorch_error_new(&own_error, CTORCH_ERROR_IO, "the shop is closed"));
  ctorch_error *error = ctorch_op_call(&out, find("shop::fail"), VALUES(x));
  ck_assert_ptr_eq(error, own_error);
  ck_assert_str_eq(ctorch_error_message(error), "the shop is closed");
  ctorch_error_release(error);
  ctorch_library_release(library);
  library = library_with("fail(Tensor x) -> int");
  ck_ok(ctorch_library_implement(library, "fail", "CPU", refuse, NULL, NULL));
  ck_fails(ctorch_op_call(&out, find("shop::fail"), VALUES(x)), CTORCH_ERROR_CALLBACK, "kernel of shop::fail for CPU");
  ck_assert_ptr_null(out);
  ctorch_library_release(library);
}
END_TEST

START_TEST(a_cached_operator_of_a_library_that_went_is_unsupported) {
  ctorch_library *library = library_with("scale(Tensor x, float by=2.0) -> Tensor");
  ck_ok(ctorch_library_implement(library, "scale", "CPU", scale, NULL, NULL));
  ctorch_op *old = find("shop::scale"), *now = NULL;
  ctorch_value *x = boxed_tensor(floats(CTORCH_INTS(1), 1)), *out = NULL;
  bool has = false;
  ck_assert(ctorch_op_is_registered(old));
  ctorch_library_release(library);
  ck_assert(!ctorch_op_is_registered(old));
  ck_fails(ctorch_op_call(&out, old, VALUES(x)), CTORCH_ERROR_UNSUPPORTED, "shop::scale is gone");
  ck_fails(ctorch_op_has_kernel(&has, old, "CPU"), CTORCH_ERROR_UNSUPPORTED, "shop::scale is gone");
  ck_assert_str_eq(ctorch_op_schema(old), "shop::scale(Tensor x, float by=2.) -> Tensor");
  ck_fails(ctorch_op_find(&now, "shop::scale", NULL), CTORCH_ERROR_UNSUPPORTED, "no operator shop::scale");
  library = library_with("scale(int x) -> int"); /* the same name, another operator */
  ck_fails(ctorch_op_call(&out, old, VALUES(x)), CTORCH_ERROR_UNSUPPORTED, "shop::scale is gone");
  ck_assert_str_eq(ctorch_op_schema(find("shop::scale")), "shop::scale(int x) -> int");
  ctorch_library_release(library);
}
END_TEST

START_TEST(definitions_are_checked) {
  ctorch_library *library = library_with("scale(Tensor x) -> Tensor"), *other = NULL;
  ck_fails(ctorch_library_define(library, "scale(Tensor x"), CTORCH_ERROR_SYNTAX, "schema: ");
  ck_fails(ctorch_library_define(library, "scale2(Tensor x) -> Nonsense"), CTORCH_ERROR_SYNTAX, "schema: ");
  ck_fails(ctorch_library_define(library, "scale2"), CTORCH_ERROR_SYNTAX, "schema: ");
  ck_fails(ctorch_library_define(library, ""), CTORCH_ERROR_SYNTAX, "schema: ");
  ck_fails(
      ctorch_library_define(library, "scale(int x) -> ()"), CTORCH_ERROR_VALUE, "there is an operator shop::scale");
  ck_fails(
      ctorch_library_define(library, "aten::relu(Tensor x) -> Tensor"), CTORCH_ERROR_VALUE, "not in the namespace");
  ck_fails(ctorch_library_define(library, NULL), CTORCH_ERROR_NULL_ARGUMENT, "schema");
  ck_fails(ctorch_library_define(NULL, "f() -> ()"), CTORCH_ERROR_NULL_ARGUMENT, "self");
  ck_ok(ctorch_library_define(library, "shop::scale.more(Tensor x, int y) -> Tensor"));
  const char *const invalid[] = {"", "a b", "1a", "a::b", "_", "größe", "\xff"};
  for (size_t i = 0; i < sizeof invalid / sizeof *invalid; i++) {
    ck_fails(ctorch_library_new(&other, invalid[i]), CTORCH_ERROR_INVALID_ARGUMENT, "name_space");
  }
  ck_fails(ctorch_library_new(&other, NULL), CTORCH_ERROR_NULL_ARGUMENT, "name_space");
  ck_fails(ctorch_library_new(NULL, "shop"), CTORCH_ERROR_NULL_ARGUMENT, "out");
  ck_ok(ctorch_library_new(&other, "shop")); /* a second library adds to the namespace */
  ck_fails(ctorch_library_define(other, "scale(Tensor x) -> Tensor"), CTORCH_ERROR_VALUE, "there is an operator");
  ck_ok(ctorch_library_define(other, "other(Tensor x) -> Tensor"));
  ck_ok(ctorch_library_implement(other, "scale.more", "CPU", scale, NULL, NULL));
  ctorch_library_release(library);
  ctorch_library_release(other);
}
END_TEST

/** "<name>(" + opening × depth + type + closing × depth + " x) -> ()". */
static char *nested_schema(const char *name, const char *opening, const char *type, const char *closing, size_t depth) {
  size_t room = strlen(name) + strlen(type) + depth * (strlen(opening) + strlen(closing)) + 32;
  char *schema = malloc(room), *end = schema;
  ck_assert_ptr_nonnull(schema);
  end = stpcpy(stpcpy(end, name), "(");
  for (size_t i = 0; i < depth; i++) {
    end = stpcpy(end, opening);
  }
  end = stpcpy(end, type);
  for (size_t i = 0; i < depth; i++) {
    end = stpcpy(end, closing);
  }
  strcpy(end, " x) -> ()");
  return schema;
}

/* Types are handled by recursion: whatever stands between the brackets, a schema that is too deep must not be read. */
START_TEST(defaults_of_all_types_are_read) {
  ctorch_library *library =
      library_with("dflt(complex c=1.5j, complex[] cs=[], float[] fs=[0.5, -1.0], str s='a') -> ()");
  ctorch_op *op = NULL;
  ctorch_value *value = NULL;
  const char *const expected[] = {"1.5j", "[]", "[0.5, -1.0]", "'a'"};
  ck_ok(ctorch_op_find(&op, "shop::dflt", NULL));
  for (size_t i = 0; i < 4; i++) {
    ck_ok(ctorch_op_argument_default(&value, op, i));
    ck_repr(value, expected[i]);
  }
  ck_ok(ctorch_op_argument_default(&value, op, 2)); /* a copy: what is done to it stays outside */
  ck_ok(ctorch_value_clear(value));
  ck_ok(ctorch_op_argument_default(&value, op, 2));
  ck_repr(value, "[0.5, -1.0]");
  ctorch_library_release(library);
}
END_TEST

START_TEST(types_nested_too_deep_are_refused) {
  static const struct {
    const char *opening, *type, *closing;
  } forms[] = {
      {"", "Tensor", "[]"},           {"", "Tensor", " []"},         {"", "Tensor", "\n[ \t]"},
      {"", "Tensor", "[] # (,\n"},    {"", "Tensor", "?[]"},         {"(", "Tensor", ")"},
      {"(int, ", "Tensor", ")"},      {"Dict(str, ", "Tensor", ")"}, {"(", "Tensor", "[])"},
      {"(", "Tensor", ", int)[]"},    {"(", "Tensor", " ,int )"},    {"", "Tensor(a!)", "[]"},
      {"", "Tensor(a -> b)", " []"},  {"Future(", "Tensor", ")"},    {"(str s='((', ", "int", ")"},
      {"(str s=\")\", ", "int", ")"},
  };
  ctorch_library *library = library_with("scale(Tensor x) -> Tensor");
  for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
    static const size_t depths[] = {17, 100, 4000, 100000};
    for (size_t j = 0; j < sizeof depths / sizeof *depths; j++) {
      char *schema = nested_schema("deep", forms[i].opening, forms[i].type, forms[i].closing, depths[j]);
      ck_fails(ctorch_library_define(library, schema), CTORCH_ERROR_SYNTAX, "schema: ");
      free(schema);
    }
  }
  char *texts = nested_schema("quoted", "", "str s=\"[[[[", "(((", 200);
  memcpy(strstr(texts, "( x) -> ()"), "\") -> ()", 9);
  ck_ok(ctorch_library_define(library, texts)); /* brackets in a text nest nothing */
  free(texts);
  char *many = nested_schema("many", "int[] a, Tensor(a!)[]? b, (int[], int[][]) c, ", "int[]", "", 0);
  ck_ok(ctorch_library_define(library, many)); /* nor do those of one argument after another */
  free(many);
  ctorch_library_release(library);
}
END_TEST

static ctorch_error *use_deep_operator(void *schema) {
  ctorch_library *library = NULL;
  ctorch_op *op = NULL;
  ctorch_value *value = NULL, *argument = NULL, *out = NULL;
  CTORCH_TRY(ctorch_library_new(&library, "deep"));
  CTORCH_TRY(ctorch_library_define(library, schema));
  CTORCH_TRY(ctorch_op_find(&op, "deep::f", NULL));
  for (int i = 0; i < 16; i++) { /* of the lists one deeper than the next */
    ctorch_value_release(value);
    value = argument;
    argument = NULL;
    CTORCH_TRY(ctorch_value_from_list(&argument, (const ctorch_value *const[]){value}, value != NULL));
  }
  ctorch_error *error = ctorch_op_call(&out, op, (const ctorch_value *const[]){argument}, 1); /* there is no kernel */
  ctorch_error_release(error);
  ctorch_value_release(value);
  ctorch_value_release(argument);
  ctorch_op_release(op);
  ctorch_library_release(library);
  return error == NULL ? ctorch_value_from_int(NULL, 0) : NULL; /* NULL_ARGUMENT: the call succeeded */
}

START_TEST(the_deepest_types_get_by_with_a_small_stack) {
  static const struct {
    const char *opening, *type, *closing;
  } forms[] = {{"", "Tensor", "[]"}, {"", "int", "?"}, {"(", "Tensor", ")"}, {"Dict(str, ", "Tensor", ")"}};
  for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
    char *schema = nested_schema("f", forms[i].opening, forms[i].type, forms[i].closing, 16);
    ck_ok(on_a_small_stack(use_deep_operator, schema));
    free(schema);
  }
}
END_TEST

START_TEST(a_kernel_that_is_not_taken_leaves_its_payload_alone) {
  counts count = {0, 0};
  ctorch_library *library = library_with("scale(Tensor x, float by=2.0) -> Tensor");
  ck_ok(ctorch_library_implement(library, "scale", "CPU", scale, NULL, NULL));
  ck_fails(
      ctorch_library_implement(library, "scale", "CPU", scale, destroy, &count), CTORCH_ERROR_VALUE,
      "already has a kernel of shop::scale for CPU");
  ck_fails(
      ctorch_library_implement(library, "scale", "Nowhere", scale, destroy, &count), CTORCH_ERROR_INVALID_ARGUMENT,
      "no dispatch key 'Nowhere'");
  ck_fails(
      ctorch_library_implement(library, "scale", "Dense", scale, destroy, &count), CTORCH_ERROR_INVALID_ARGUMENT,
      "Dense cannot have kernels");
  ck_fails(
      ctorch_library_implement(library, "scales", "CPU", scale, destroy, &count), CTORCH_ERROR_UNSUPPORTED,
      "no operator shop::scales");
  ck_fails(
      ctorch_library_implement(library, "aten::relu", "CPU", scale, destroy, &count), CTORCH_ERROR_VALUE,
      "not in the namespace shop");
  ck_fails(
      ctorch_library_implement(library, "scale", "Meta", NULL, destroy, &count), CTORCH_ERROR_NULL_ARGUMENT, "kernel");
  ck_fails(ctorch_library_implement(library, NULL, "Meta", scale, destroy, &count), CTORCH_ERROR_NULL_ARGUMENT, "name");
  ck_fails(ctorch_library_implement(NULL, "scale", "Meta", scale, destroy, &count), CTORCH_ERROR_NULL_ARGUMENT, "self");
  ck_fails(ctorch_library_fallthrough(library, "scale", "CPU"), CTORCH_ERROR_VALUE, "already has a kernel");
  ck_fails(ctorch_library_fallthrough(library, "scales", "CPU"), CTORCH_ERROR_UNSUPPORTED, "no operator");
  ck_fails(ctorch_library_autograd_not_implemented(library, "scales"), CTORCH_ERROR_UNSUPPORTED, "no operator");
  ctorch_library_release(library);
  ck_assert_int_eq(count.destroyed, 0);
}
END_TEST

START_TEST(a_kernel_of_pytorch_comes_back_when_its_replacement_goes) {
  ctorch_library *library = NULL;
  ck_ok(ctorch_library_new(&library, "aten"));
  /* a kernel that takes its second argument for a factor, so that both can be told apart */
  ctorch_value *x = boxed_tensor(floats(CTORCH_INTS(2), -1, 2));
  ck_floats(unboxed_tensor(call("aten::threshold", VALUES(x, boxed_int(3), boxed_int(7)))), CTORCH_INTS(2), 7, 7);
  ck_ok(ctorch_library_implement(library, "threshold", "CPU", scale, NULL, NULL));
  ck_floats(unboxed_tensor(call("aten::threshold", VALUES(x, boxed_int(3), boxed_int(7)))), CTORCH_INTS(2), -3, 6);
  ctorch_library_release(library);
  ck_floats(unboxed_tensor(call("aten::threshold", VALUES(x, boxed_int(3), boxed_int(7)))), CTORCH_INTS(2), 7, 7);
}
END_TEST

static ctorch_library *released_inside;

KERNEL(release_the_library) {
  UNUSED;
  counts *count = payload;
  count->calls++;
  ctorch_library_release(released_inside);
  ck_assert_int_eq(count->destroyed, 0); /* not while this runs */
  ck_ok(ctorch_value_from_int(results, 5));
  return CTORCH_CALLBACK_OK;
}

START_TEST(a_kernel_may_release_its_own_library) {
  counts count = {0, 0};
  released_inside = library_with("leave(int x) -> int");
  ck_ok(ctorch_library_implement(
      released_inside, "leave", "CompositeExplicitAutograd", release_the_library, destroy, &count));
  ctorch_op *op = find("shop::leave");
  ctorch_value *out = NULL;
  ck_ok(ctorch_op_call(&out, op, VALUES(boxed_int(1))));
  ck_repr(out, "5");
  ck_assert(count.calls == 1 && count.destroyed == 1);
  ck_fails(ctorch_op_call(&out, op, VALUES(boxed_int(1))), CTORCH_ERROR_UNSUPPORTED, "gone");
}
END_TEST

/** A payload whose destruction makes and releases a library, which needs the dispatcher. */
static void destroy_with_a_library(void *payload) {
  ctorch_library *library = NULL;
  ck_ok(ctorch_library_new(&library, "shelf"));
  ck_ok(ctorch_library_define(library, "book(int x) -> int"));
  ctorch_library_release(library);
  destroy(payload);
}

START_TEST(payloads_are_destroyed_outside_of_the_dispatcher) {
  counts count = {0, 0};
  ctorch_library *library = library_with("scale(Tensor x, float by=2.0) -> Tensor");
  ck_ok(ctorch_library_implement(library, "scale", "CPU", scale, destroy_with_a_library, &count));
  ctorch_library_release(library);
  ck_assert_int_eq(count.destroyed, 1);
}
END_TEST

KERNEL(keep_argument) {
  UNUSED;
  ctorch_value_retain(args[0]);
  *(const ctorch_value **)payload = args[0];
  return CTORCH_CALLBACK_OK;
}

START_TEST(a_kernel_may_keep_an_argument) {
  ctorch_value *kept = NULL;
  ctorch_library *library = library_with("keep(Tensor x) -> ()");
  ck_ok(ctorch_library_implement(library, "keep", "CPU", keep_argument, NULL, &kept));
  ctorch_tensor *x = floats(CTORCH_INTS(1), 1);
  call("shop::keep", VALUES(boxed_tensor(x)));
  ck_assert_ptr_eq(unboxed_tensor(kept), x);
  ctorch_value_release(kept);
  ctorch_library_release(library);
}
END_TEST

static void *call_many_times(void *operator) {
  ctorch_scope *scope = NULL;
  ck_ok(ctorch_scope_begin(&scope));
  ctorch_value *x = boxed_tensor(floats(CTORCH_INTS(1), 1)), *out = NULL;
  for (int i = 0; i < 500; i++) {
    ck_ok(ctorch_op_call(&out, operator, VALUES(x)));
    ctorch_value_release(out);
  }
  ctorch_scope_end(scope);
  return NULL;
}

START_TEST(a_kernel_runs_on_the_threads_that_call_it) {
  ctorch_library *library = library_with("scale(Tensor x, float by=2.0) -> Tensor");
  ck_ok(ctorch_library_implement(library, "scale", "CPU", scale, NULL, NULL));
  ctorch_op *op = find("shop::scale");
  pthread_t threads[4];
  for (int i = 0; i < 4; i++) {
    ck_assert_int_eq(pthread_create(&threads[i], NULL, call_many_times, op), 0);
  }
  for (int i = 0; i < 4; i++) {
    pthread_join(threads[i], NULL);
  }
  ctorch_library_release(library);
}
END_TEST

int main(void) {
  Suite *suite = suite_create("library");
  ck_scoped_case(suite, a_kernel_runs_for_its_device);
  ck_scoped_case(suite, a_composite_kernel_has_gradients);
  ck_scoped_case(suite, an_autograd_kernel_reaches_the_computation_below);
  ck_scoped_case(suite, an_operator_without_a_gradient_says_so);
  ck_scoped_case(suite, a_key_is_passed_over);
  ck_scoped_case(suite, a_kernel_gets_all_arguments_in_the_types_of_the_schema);
  ck_scoped_case(suite, results_are_checked);
  ck_scoped_case(suite, a_result_that_is_an_argument_need_not_be_given);
  ck_scoped_case(suite, errors_pass_unchanged);
  ck_scoped_case(suite, a_cached_operator_of_a_library_that_went_is_unsupported);
  ck_scoped_case(suite, definitions_are_checked);
  ck_scoped_case(suite, defaults_of_all_types_are_read);
  ck_scoped_case(suite, types_nested_too_deep_are_refused);
  ck_scoped_case(suite, the_deepest_types_get_by_with_a_small_stack);
  ck_scoped_case(suite, a_kernel_that_is_not_taken_leaves_its_payload_alone);
  ck_scoped_case(suite, a_kernel_of_pytorch_comes_back_when_its_replacement_goes);
  ck_scoped_case(suite, a_kernel_may_release_its_own_library);
  ck_scoped_case(suite, payloads_are_destroyed_outside_of_the_dispatcher);
  ck_scoped_case(suite, a_kernel_may_keep_an_argument);
  ck_scoped_case(suite, a_kernel_runs_on_the_threads_that_call_it);
  return ck_main(suite);
}
