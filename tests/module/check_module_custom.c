/* Modules of one's own: <ctorch/module/module_custom.h>. */
#include "harness/check.h"

/* y = x * scale, with a parameter of its own, and a count of what happened. */

struct counts {
  int forwards, resets, destroyed;
  int64_t extra;
};

static void count_destroyed(void *payload) { ((struct counts *)payload)->destroyed++; }

static ctorch_callback_status done(const ctorch_error *error) { return error == NULL ? CTORCH_CALLBACK_OK : 0; }

static ctorch_callback_status scale(
    ctorch_tensor **out, ctorch_module *module, const ctorch_tensor *input, ctorch_error **error, void *payload) {
  ctorch_tensor *weight = NULL;
  if (payload != NULL) {
    ((struct counts *)payload)->forwards++;
  }
  *error = ctorch_module_get_parameter(&weight, module, "weight");
  if (*error == NULL) {
    *error = ctorch_aten_mul_Tensor(out, input, weight);
  }
  ctorch_tensor_release(weight);
  return done(*error);
}

static ctorch_tensor *vector(size_t len, float value) {
  ctorch_tensor *tensor = NULL;
  ck_ok(ctorch_aten_full(&tensor, CTORCH_INTS((int64_t)len), CTORCH_FLOAT(value), NULL, NULL, NULL, NULL));
  return tensor;
}

static void give_weight(ctorch_module *module, float value) {
  ctorch_tensor *weight = vector(2, value);
  ck_ok(ctorch_tensor_set_requires_grad(weight, true));
  ck_ok(ctorch_module_register_parameter(module, "weight", weight));
  ctorch_tensor_release(weight);
}

static ctorch_module *scaling(struct counts *counts) {
  ctorch_module *module = NULL;
  ck_ok(ctorch_module_new(&module, "Scale", scale, counts == NULL ? NULL : count_destroyed, counts));
  give_weight(module, 3);
  return module;
}

/* One module after another; the second may be NULL. */
static ctorch_module *sequential(const ctorch_module *one, const ctorch_module *two) {
  ctorch_module *outer = NULL;
  ck_ok(ctorch_nn_Sequential(&outer));
  ck_ok(ctorch_module_append(outer, one));
  if (two != NULL) {
    ck_ok(ctorch_module_append(outer, two));
  }
  return outer;
}

static double first(const ctorch_tensor *tensor) {
  ctorch_tensor *element = NULL;
  double number = 0;
  ck_ok(ctorch_aten_select_int(&element, tensor, 0, 0));
  ck_ok(ctorch_tensor_item_double(&number, element));
  ctorch_tensor_release(element);
  return number;
}

START_TEST(a_forward_of_ones_own_is_called_with_hooks_and_among_others) {
  struct counts counts = {0};
  ctorch_module *module = scaling(&counts), *relu = NULL, *both = NULL;
  ctorch_tensor *x = vector(2, -2), *y = NULL, *weight = NULL, *grad = NULL, *sum = NULL;
  ck_assert_str_eq(ctorch_module_name(module), "Scale");
  ck_ok(ctorch_module_forward(&y, module, x));
  ck_assert_double_eq(first(y), -6);
  ck_ok(ctorch_aten_sum(&sum, y, NULL));
  ck_ok(ctorch_tensor_backward(sum, NULL, false, false));
  ck_ok(ctorch_module_get_parameter(&weight, module, "weight"));
  ck_ok(ctorch_tensor_grad(&grad, weight));
  ck_assert_double_eq(first(grad), -2);
  ctorch_tensor_release(y);

  ck_ok(ctorch_nn_ReLU(&relu, false));
  both = sequential(module, relu);
  ck_ok(ctorch_module_forward(&y, both, x));
  ck_assert_double_eq(first(y), 0);
  ck_assert_int_eq(counts.forwards, 2);
  ctorch_tensor_release(y);
  ctorch_tensor_release(x);
  ctorch_tensor_release(sum);
  ctorch_tensor_release(grad);
  ctorch_tensor_release(weight);
  ctorch_module_release(module);
  ck_assert_int_eq(counts.destroyed, 0); /* the list has it */
  ctorch_module_release(relu);
  ctorch_module_release(both);
  ck_assert_int_eq(counts.destroyed, 1);
}
END_TEST

/* Gives its arguments and keyword arguments back. */
static ctorch_callback_status give_back(
    ctorch_value **out,
    ctorch_module *module,
    const ctorch_value *args,
    const ctorch_value *kwargs,
    ctorch_error **error,
    void *payload) {
  (void)module, (void)payload;
  *error = ctorch_value_from_tuple(out, (const ctorch_value *const[]){args, kwargs}, 2);
  return done(*error);
}

/* Gives up the module around it, of which nobody else has a reference. */

struct leaving {
  ctorch_module *outer;
  const struct counts *other;
};

static ctorch_callback_status leave(
    ctorch_tensor **out, ctorch_module *module, const ctorch_tensor *input, ctorch_error **error, void *payload) {
  struct leaving *self = payload;
  (void)module;
  ctorch_module_release(self->outer);
  ck_assert_int_eq(self->other->destroyed, 0);
  *error = ctorch_aten_neg(out, input);
  return done(*error);
}

static void give_up_while_it_runs(void (*call)(ctorch_module *outer, const ctorch_tensor *x)) {
  struct counts counts = {0};
  struct leaving leaving = {.other = &counts};
  ctorch_module *inner = NULL, *other = scaling(&counts);
  ck_ok(ctorch_module_new(&inner, "Leaving", leave, NULL, &leaving));
  leaving.outer = sequential(inner, other);
  ctorch_module_release(inner);
  ctorch_module_release(other);
  ctorch_tensor *x = vector(2, 2);
  call(leaving.outer, x);
  ck_assert_int_eq(counts.forwards, 1);
  ck_assert_int_eq(counts.destroyed, 1);
  ctorch_tensor_release(x);
}

static void forward(ctorch_module *outer, const ctorch_tensor *x) {
  ctorch_tensor *y = NULL;
  ck_ok(ctorch_module_forward(&y, outer, x));
  ck_assert_double_eq(first(y), -6);
  ctorch_tensor_release(y);
}

static void call(ctorch_module *outer, const ctorch_tensor *x) {
  ctorch_value *given = NULL, *args = NULL, *y = NULL;
  ck_ok(ctorch_value_from_tensor(&given, x));
  ck_ok(ctorch_value_from_tuple(&args, (const ctorch_value *const[]){given}, 1));
  ck_ok(ctorch_module_call(&y, outer, args, NULL));
  ctorch_value_release(y);
  ctorch_value_release(args);
  ctorch_value_release(given);
}

START_TEST(one_that_is_given_up_while_it_runs_runs_on) {
  give_up_while_it_runs(forward);
  give_up_while_it_runs(call);
}
END_TEST

START_TEST(any_values_go_in_and_come_out) {
  ctorch_module *module = NULL;
  ctorch_value *one = NULL, *args = NULL, *kwargs = NULL, *out = NULL, *given = NULL, *named = NULL;
  ck_ok(ctorch_module_new_of_values(&module, "Any", give_back, NULL, NULL));
  ck_ok(ctorch_value_from_int(&one, 1));
  ck_ok(ctorch_value_from_list(&args, (const ctorch_value *const[]){one, one}, 2));
  ck_ok(ctorch_value_from_dict(&kwargs, NULL, 0, NULL, 0));
  ck_ok(ctorch_value_dict_put(kwargs, "bias", one));
  ck_ok(ctorch_module_call(&out, module, args, kwargs));
  ck_ok(ctorch_value_get(&given, out, 0));
  ck_ok(ctorch_value_get(&named, out, 1));
  ck_assert_int_eq(ctorch_value_kind_of(given), CTORCH_VALUE_TUPLE); /* of a list too */
  ck_assert_uint_eq(ctorch_value_len(given), 2);
  ck_assert_uint_eq(ctorch_value_len(named), 1);
  ctorch_value_release(given);
  ctorch_value_release(named);
  ctorch_value_release(out);
  ck_ok(ctorch_module_call(&out, module, NULL, NULL)); /* an empty tuple and an empty dict */
  ck_ok(ctorch_value_get(&named, out, 1));
  ck_assert_int_eq(ctorch_value_kind_of(named), CTORCH_VALUE_DICT);
  ctorch_value_release(named);
  ctorch_value_release(out);

  ctorch_tensor *x = vector(1, 1), *y = NULL;
  ck_call_fails(ctorch_module_forward, (&y, module, x), CTORCH_ERROR_TYPE, "Any gave a tuple, no tensor");
  ck_assert_ptr_null(y);
  ctorch_tensor_release(x);
  ctorch_value_release(one);
  ctorch_value_release(args);
  ctorch_value_release(kwargs);
  ctorch_module_release(module);
}
END_TEST

START_TEST(a_module_that_only_holds_others_has_no_forward) {
  ctorch_module *module = NULL, *inner = scaling(NULL);
  ctorch_tensor *x = vector(2, 1), *y = NULL;
  ck_ok(ctorch_module_new_of_values(&module, "Holder", NULL, NULL, NULL));
  ck_ok(ctorch_module_register_module(module, "inner", inner));
  ck_call_fails(
      ctorch_module_forward, (&y, module, x), CTORCH_ERROR_NOT_IMPLEMENTED,
      "Module [Holder] is missing the required \"forward\" function");
  ctorch_tensor_list *parameters = NULL;
  ck_ok(ctorch_module_parameters(&parameters, module, true));
  ck_assert_uint_eq(ctorch_tensor_list_len(parameters), 1);
  ctorch_tensor_list_release(parameters);
  ctorch_tensor_release(x);
  ctorch_module_release(inner);
  ctorch_module_release(module);
}
END_TEST

/* What goes wrong. */

static ctorch_callback_status fail_somehow(
    ctorch_tensor **out, ctorch_module *module, const ctorch_tensor *input, ctorch_error **error, void *payload) {
  (void)module;
  int how = *(int *)payload;
  if (how >= 2) { /* a result beside the failure, which must not be lost */
    *error = ctorch_aten_neg(out, input);
  }
  if (how == 3) {
    ctorch_error_release(ctorch_error_new(error, CTORCH_ERROR_VALUE, "it does not like this"));
  }
  return how == 1 ? CTORCH_CALLBACK_OK : 7;
}

START_TEST(failures_are_told_with_their_path) {
  static const struct {
    int how;
    ctorch_error_kind kind;
    const char *message;
  } cases[] = {
      {0, CTORCH_ERROR_CALLBACK, "inner: the callback forward answered 7 without an error; success is 1"},
      {1, CTORCH_ERROR_CALLBACK, "inner: the callback forward answered success, but gave no result"},
      {2, CTORCH_ERROR_CALLBACK, "inner: the callback forward answered 7 without an error"},
      {3, CTORCH_ERROR_VALUE, "it does not like this"}, /* words of its own */
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    int how = cases[i].how;
    ctorch_module *module = NULL, *outer = NULL;
    ctorch_tensor *x = vector(1, 1), *y = NULL;
    ck_ok(ctorch_module_new(&module, "Failing", fail_somehow, NULL, &how));
    ck_ok(ctorch_nn_Sequential(&outer));
    ck_ok(ctorch_module_register_module(outer, "inner", module));
    ck_fails(ctorch_module_forward(&y, outer, x), cases[i].kind, cases[i].message);
    ck_assert_ptr_null(y);
    ctorch_tensor_release(x);
    ctorch_module_release(module);
    ctorch_module_release(outer);
  }
}
END_TEST

START_TEST(arguments_are_checked) {
  ctorch_module *module = NULL, *relu = NULL;
  struct counts counts = {0};
  ck_call_fails(
      ctorch_module_new, (NULL, "A", scale, count_destroyed, &counts), CTORCH_ERROR_NULL_ARGUMENT, "out must not");
  ck_call_fails(
      ctorch_module_new, (&module, NULL, scale, count_destroyed, &counts), CTORCH_ERROR_NULL_ARGUMENT, "name must not");
  ck_call_fails(
      ctorch_module_new, (&module, "A", NULL, count_destroyed, &counts), CTORCH_ERROR_NULL_ARGUMENT, "forward must");
  ck_call_fails(ctorch_module_new, (&module, "", scale, count_destroyed, &counts), CTORCH_ERROR_VALUE, "name");
  ck_call_fails(
      ctorch_module_new_of_values, (&module, "\xff", NULL, count_destroyed, &counts), CTORCH_ERROR_INVALID_ARGUMENT,
      "name");
  ck_assert_ptr_null(module);
  ck_ok(ctorch_nn_ReLU(&relu, false));
  ck_call_fails(
      ctorch_module_set_extra_repr, (NULL, NULL, NULL, NULL), CTORCH_ERROR_NULL_ARGUMENT, "self must not be NULL");
  ck_call_fails(ctorch_module_set_copy, (relu, NULL, NULL, NULL), CTORCH_ERROR_TYPE, "ReLU");
  ck_call_fails(ctorch_module_set_reset_parameters, (relu, NULL, NULL, NULL), CTORCH_ERROR_TYPE, "ReLU");
  ck_call_fails(ctorch_module_set_extra_state, (relu, NULL, NULL, NULL, NULL), CTORCH_ERROR_TYPE, "ReLU");
  module = scaling(NULL);
  ck_call_fails(ctorch_module_set_extra_state, (module, NULL, NULL, NULL, NULL), CTORCH_ERROR_NULL_ARGUMENT, "get");
  ctorch_module_release(relu);
  ctorch_module_release(module);
  ck_assert_int_eq(counts.destroyed, 0);
}
END_TEST

/* What a module does besides. */

static ctorch_callback_status tell(ctorch_value **out, ctorch_module *module, ctorch_error **error, void *payload) {
  (void)module;
  *error = payload == NULL ? ctorch_value_from_int(out, 1) : ctorch_value_from_string(out, payload);
  return done(*error);
}

static ctorch_callback_status reset(ctorch_module *module, ctorch_error **error, void *payload) {
  ctorch_tensor *weight = NULL;
  ((struct counts *)payload)->resets++;
  *error = ctorch_module_get_parameter(&weight, module, "weight");
  *error = *error != NULL ? *error : ctorch_grad_mode_push(false);
  if (*error == NULL) {
    *error = ctorch_aten_fill__Scalar(weight, CTORCH_FLOAT(7));
    *error = ctorch_error_first(*error, ctorch_grad_mode_pop());
  }
  ctorch_tensor_release(weight);
  return done(*error);
}

static char *text_of(const ctorch_module *module) {
  static char text[200];
  ctorch_string *string = NULL;
  ck_ok(ctorch_module_repr(&string, module));
  snprintf(text, sizeof text, "%s", ctorch_string_data(string));
  ctorch_string_release(string);
  return text;
}

START_TEST(its_text_tells_what_it_is_asked_to) {
  ctorch_module *module = scaling(NULL), *inner = scaling(NULL);
  char options[] = "2, bias=False", lines[] = "one\ntwo";
  ck_assert_str_eq(text_of(module), "Scale()");
  ck_ok(ctorch_module_set_extra_repr(module, tell, NULL, options));
  ck_assert_str_eq(text_of(module), "Scale(2, bias=False)");
  ck_ok(ctorch_module_set_extra_repr(module, tell, NULL, lines));
  ck_ok(ctorch_module_register_module(module, "inner", inner));
  ck_assert_str_eq(text_of(module), "Scale(\n  one\n  two\n  (inner): Scale()\n)");
  ck_ok(ctorch_module_set_extra_repr(inner, tell, NULL, NULL));
  ctorch_string *string = NULL;
  ck_call_fails(ctorch_module_repr, (&string, module), CTORCH_ERROR_TYPE, "extra_repr gave int, no text");
  ck_assert_ptr_null(string);
  ck_ok(ctorch_module_set_extra_repr(inner, NULL, NULL, NULL));
  ck_assert_str_eq(text_of(inner), "Scale()");
  ctorch_module_release(inner);
  ctorch_module_release(module);
}
END_TEST

START_TEST(its_values_are_drawn_anew) {
  struct counts counts = {0};
  ctorch_module *module = scaling(NULL), *outer = NULL;
  ctorch_tensor *weight = NULL;
  ck_ok(ctorch_module_reset_parameters(module)); /* nothing to do */
  ck_ok(ctorch_module_set_reset_parameters(module, reset, count_destroyed, &counts));
  outer = sequential(module, NULL);
  ck_ok(ctorch_module_reset_parameters(outer));
  ck_ok(ctorch_module_get_parameter(&weight, outer, "0.weight"));
  ck_assert_double_eq(first(weight), 7);
  ck_assert_int_eq(counts.resets, 1);
  ck_ok(ctorch_module_set_reset_parameters(module, NULL, NULL, NULL));
  ck_assert_int_eq(counts.destroyed, 1);
  ctorch_tensor_release(weight);
  ctorch_module_release(module);
  ctorch_module_release(outer);
  ck_assert_int_eq(counts.destroyed, 1);
}
END_TEST

static ctorch_callback_status get_extra(
    ctorch_value **out, ctorch_module *module, ctorch_error **error, void *payload) {
  (void)module;
  *error = ctorch_value_from_int(out, ((struct counts *)payload)->extra);
  return done(*error);
}

static ctorch_callback_status set_extra(
    ctorch_module *module, const ctorch_value *value, ctorch_error **error, void *payload) {
  (void)module;
  *error = ctorch_value_to_int(&((struct counts *)payload)->extra, value);
  return done(*error);
}

START_TEST(extra_state_goes_through_a_state_dict) {
  struct counts from = {.extra = 42}, to = {0};
  ctorch_module *one = scaling(NULL), *other = scaling(NULL), *plain = scaling(NULL);
  ctorch_value *state = NULL, *metadata = NULL, *none = NULL, *missing = NULL;
  ck_ok(ctorch_module_set_extra_state(one, get_extra, set_extra, count_destroyed, &from));
  ck_ok(ctorch_module_set_extra_state(other, get_extra, set_extra, count_destroyed, &to));
  ck_ok(ctorch_module_state_dict(&state, &metadata, one, NULL, false));
  ck_assert_uint_eq(ctorch_value_len(state), 2);
  ck_ok(ctorch_value_from_none(&none));
  ck_ok(ctorch_module_load_state_dict(NULL, NULL, other, state, none, true, false)); /* None is no metadata */
  ck_assert_int_eq(to.extra, 42);
  ck_call_fails(
      ctorch_module_load_state_dict, (NULL, NULL, plain, state, metadata, true, false), CTORCH_ERROR_RUNTIME,
      "Unexpected key(s) in state_dict: \"_extra_state\"");
  ctorch_value_release(state);
  ck_ok(ctorch_module_state_dict(&state, NULL, plain, NULL, false));
  ck_ok(ctorch_module_load_state_dict(&missing, NULL, other, state, NULL, false, false));
  ck_assert_uint_eq(ctorch_value_len(missing), 1);
  ctorch_value_release(missing);
  ctorch_value_release(state);
  ctorch_value_release(metadata);
  ctorch_value_release(none);
  ctorch_module_release(one);
  ctorch_module_release(other);
  ctorch_module_release(plain);
  ck_assert_int_eq(from.destroyed + to.destroyed, 2);
}
END_TEST

/* Copies. */

static ctorch_callback_status copy(ctorch_module **out, ctorch_module *module, ctorch_error **error, void *payload) {
  (void)module;
  *error = ctorch_module_new(out, "Scale", scale, count_destroyed, payload);
  if (*error == NULL) {
    ctorch_tensor *weight = vector(5, 1); /* is replaced */
    *error = ctorch_module_register_buffer(*out, "weight", weight, true);
    ctorch_tensor_release(weight);
  }
  return done(*error);
}

static ctorch_callback_status copy_wrongly(
    ctorch_module **out, ctorch_module *module, ctorch_error **error, void *payload) {
  if (payload != NULL) {
    *error = ctorch_nn_ReLU(out, false);
  } else {
    ctorch_module_retain(module);
    *out = module;
  }
  return done(*error);
}

START_TEST(a_copy_has_tensors_of_its_own) {
  struct counts counts = {0};
  ctorch_module *plain = scaling(NULL), *counted = scaling(&counts), *outer = NULL, *copied = NULL;
  ctorch_tensor *x = vector(2, 1), *y = NULL, *weight = NULL;
  ck_ok(ctorch_module_train(plain, false));
  ck_ok(ctorch_module_copy(&copied, plain)); /* no payload, so nothing of it can be shared */
  ck_assert(!ctorch_module_training(copied));
  ck_assert_str_eq(ctorch_module_name(copied), "Scale");
  ck_ok(ctorch_module_get_parameter(&weight, plain, "weight"));
  ck_ok(ctorch_grad_mode_push(false));
  ck_ok(ctorch_aten_fill__Scalar(weight, CTORCH_FLOAT(9)));
  ck_ok(ctorch_grad_mode_pop());
  ck_ok(ctorch_module_forward(&y, copied, x));
  ck_assert_double_eq(first(y), 3);
  ctorch_tensor_release(y);
  ctorch_module_release(copied);
  copied = NULL;

  outer = sequential(plain, counted);
  ck_call_fails(
      ctorch_module_copy, (&copied, outer), CTORCH_ERROR_NOT_IMPLEMENTED,
      "1: a Scale has no copy: its class does not say how one is made (ctorch_module_set_copy)");
  ck_ok(ctorch_module_set_copy(counted, copy_wrongly, NULL, NULL));
  ck_call_fails(ctorch_module_copy, (&copied, outer), CTORCH_ERROR_CALLBACK, "gave the module itself");
  ck_ok(ctorch_module_set_copy(counted, copy_wrongly, NULL, &counts));
  ck_call_fails(ctorch_module_copy, (&copied, outer), CTORCH_ERROR_CALLBACK, "gave ReLU");
  ck_assert_ptr_null(copied);
  ck_ok(ctorch_module_set_copy(counted, copy, NULL, &counts));
  ck_ok(ctorch_module_copy(&copied, outer));
  ck_assert_int_eq(ctorch_module_member_kind_of(copied, "1"), CTORCH_MODULE_MEMBER_MODULE);
  ck_ok(ctorch_module_forward(&y, copied, x));
  ck_assert_double_eq(first(y), 27);
  ck_assert_int_eq(counts.forwards, 1);
  ctorch_module_release(copied);
  ck_assert_int_eq(counts.destroyed, 1);
  ctorch_tensor_release(x);
  ctorch_tensor_release(y);
  ctorch_tensor_release(weight);
  ctorch_module_release(outer);
  ctorch_module_release(plain);
  ctorch_module_release(counted);
  ck_assert_int_eq(counts.destroyed, 2);
}
END_TEST

START_TEST(what_a_name_stands_for) {
  ctorch_module *module = scaling(NULL);
  ctorch_tensor *buffer = vector(1, 1);
  ck_ok(ctorch_module_register_parameter(module, "bias", NULL));
  ck_ok(ctorch_module_register_buffer(module, "mean", buffer, true));
  ck_ok(ctorch_module_register_buffer(module, "cache", buffer, false));
  ck_ok(ctorch_module_register_module(module, "inner", NULL));
  ck_assert_int_eq(ctorch_module_member_kind_of(module, "weight"), CTORCH_MODULE_MEMBER_PARAMETER);
  ck_assert_int_eq(ctorch_module_member_kind_of(module, "bias"), CTORCH_MODULE_MEMBER_PARAMETER);
  ck_assert_int_eq(ctorch_module_member_kind_of(module, "mean"), CTORCH_MODULE_MEMBER_BUFFER);
  ck_assert_int_eq(ctorch_module_member_kind_of(module, "cache"), CTORCH_MODULE_MEMBER_TRANSIENT_BUFFER);
  ck_assert_int_eq(ctorch_module_member_kind_of(module, "inner"), CTORCH_MODULE_MEMBER_MODULE);
  ck_assert_int_eq(ctorch_module_member_kind_of(module, "inner.weight"), CTORCH_MODULE_MEMBER_NOTHING);
  ck_assert_int_eq(ctorch_module_member_kind_of(module, NULL), CTORCH_MODULE_MEMBER_NOTHING);
  ck_assert_int_eq(ctorch_module_member_kind_of(NULL, "weight"), CTORCH_MODULE_MEMBER_NOTHING);
  ctorch_tensor_release(buffer);
  ctorch_module_release(module);
}
END_TEST

int main(void) {
  Suite *suite = suite_create("module_custom");
  ck_case(suite, a_forward_of_ones_own_is_called_with_hooks_and_among_others);
  ck_case(suite, one_that_is_given_up_while_it_runs_runs_on);
  ck_case(suite, any_values_go_in_and_come_out);
  ck_case(suite, a_module_that_only_holds_others_has_no_forward);
  ck_case(suite, failures_are_told_with_their_path);
  ck_case(suite, arguments_are_checked);
  ck_case(suite, its_text_tells_what_it_is_asked_to);
  ck_case(suite, its_values_are_drawn_anew);
  ck_case(suite, extra_state_goes_through_a_state_dict);
  ck_case(suite, a_copy_has_tensors_of_its_own);
  ck_case(suite, what_a_name_stands_for);
  return ck_main(suite);
}
