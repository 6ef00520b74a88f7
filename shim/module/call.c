/* Applying modules: one tensor to one, or any values to a value. */
#include <stdlib.h>

#include "base/array.h"
#include "base/sequence.h"
#include "core/c/error.h"
#include "module/hooks.h"
#include "module/tape.h"
#include "module/walk.h"

/* A call with whatever surrounds it. */
static ctorch_error *call_values(
    const char *function,
    ctorch_value **out,
    ctorch_module *self,
    const ctorch_value *args,
    const ctorch_value *kwargs) {
  struct module_frame frame;
  CTORCH_TRY(module_enter(function, &frame, self));
  return module_leave(
      &frame, (module_has_hooks(self) ? module_run_hooked : module_run)(function, out, self, args, kwargs));
}

ctorch_error *module_forward_by_call(
    const char *function, ctorch_tensor **out, ctorch_module *self, const ctorch_tensor *input) {
  ctorch_value *given = NULL, *args = NULL, *result = NULL;
  CTORCH_TRY(ctorch_value_from_tensor(&given, input));
  ctorch_error *error = ctorch_value_from_tuple(&args, (const ctorch_value *const[]){given}, 1);
  ctorch_value_release(given);
  if (error == NULL) {
    error = call_values(function, &result, self, args, NULL);
    ctorch_value_release(args);
  }
  if (error == NULL && ctorch_value_kind_of(result) != CTORCH_VALUE_TENSOR) {
    error = error_make(
        function, CTORCH_ERROR_TYPE, "%s gave a %s, no tensor: call it for a value of any type (ctorch_module_call)",
        module_name(self), ctorch_value_kind_name(ctorch_value_kind_of(result)));
  }
  THEN(error, ctorch_value_to_tensor(out, result));
  ctorch_value_release(result);
  return error;
}

/* Positional arguments as the tuple that classes and hooks are given; owned. */
static ctorch_error *as_tuple(const char *function, ctorch_value **out, const ctorch_value *args) {
  if (args != NULL && ctorch_value_kind_of(args) == CTORCH_VALUE_TUPLE) {
    ctorch_value_retain(args);
    *out = (ctorch_value *)args;
    return NULL;
  }
  size_t len = ctorch_value_len(args), taken = 0;
  ctorch_value **values = array_new(len, sizeof *values);
  ctorch_error *error = values == NULL ? error_memory(function, len * sizeof *values) : NULL;
  while (error == NULL && taken < len) {
    error = ctorch_value_get(&values[taken], args, taken);
    taken += error == NULL ? 1 : 0;
  }
  THEN(error, ctorch_value_from_tuple(out, (const ctorch_value *const *)values, len));
  while (taken > 0) {
    ctorch_value_release(values[--taken]);
  }
  free(values);
  return error;
}

/* Arguments of a call as classes are given them: a tuple, owned, and a dict. */
static ctorch_error *as_arguments(
    const char *function, ctorch_value **out, const ctorch_value *args, const ctorch_value *kwargs) {
  ctorch_value_kind kind = args == NULL ? CTORCH_VALUE_TUPLE : ctorch_value_kind_of(args);
  if (kind != CTORCH_VALUE_TUPLE && kind != CTORCH_VALUE_LIST) {
    return error_make(
        function, CTORCH_ERROR_TYPE, "args: expected a tuple or list, found %s", ctorch_value_kind_name(kind));
  }
  kind = kwargs == NULL ? CTORCH_VALUE_DICT : ctorch_value_kind_of(kwargs);
  if (kind != CTORCH_VALUE_DICT) {
    return error_make(function, CTORCH_ERROR_TYPE, "kwargs: expected a dict, found %s", ctorch_value_kind_name(kind));
  }
  return as_tuple(function, out, args);
}

/* The tensors that a module gave, which are to be all, and how they are nested. */
static ctorch_error *results_of(
    const char *function,
    const ctorch_module *self,
    struct module_tensors_of *out,
    ctorch_value **outline,
    const ctorch_value *result) {
  bool is_plain = false;
  CTORCH_TRY(module_tensors_of(function, out, &is_plain, result));
  return is_plain
             ? module_outline_of(function, outline, result)
             : error_make(
                   function, CTORCH_ERROR_UNSUPPORTED, "%s gives a %s with more than tensors, which tapes do not keep",
                   module_name(self), ctorch_value_kind_name(ctorch_value_kind_of(result)));
}

/* The same for a module that captures itself, which takes calls of tensors alone for that. */
static ctorch_error *call_taped(
    const char *function, ctorch_value **out, ctorch_module *self, const ctorch_value *args) {
  struct module_tensors_of inputs, outputs = {0};
  struct tapes_call call = {0};
  bool is_plain = false;
  ctorch_value *result = NULL, *outline = NULL;
  ctorch_error *error = module_tensors_of(function, &inputs, &is_plain, args);
  if (error == NULL && is_plain) {
    module_tensors_unite(&inputs);
    const ctorch_tensor *const *given = (const ctorch_tensor *const *)inputs.data;
    error = module_tape_begin(function, &call, self, given, inputs.len, inputs.form);
  }
  if (error == NULL && call.what != TAPES_REPLAYED) {
    error = call_values(function, &result, self, args, NULL);
    if (error == NULL && call.what == TAPES_CAPTURE) {
      error = results_of(function, self, &outputs, &outline, result);
    }
    error = tapes_end(function, &call, error, (const ctorch_tensor *const *)outputs.data, outputs.len, outline);
  }
  if (error == NULL && call.what != TAPES_RUN) {
    ctorch_value_release(result);
    result = NULL;
    error = module_tape_result(function, &result, &call);
  }
  tapes_leave(&call);
  module_tensors_end(&outputs);
  module_tensors_end(&inputs);
  if (error != NULL) {
    ctorch_value_release(result);
    return error;
  }
  *out = result;
  return NULL;
}

ctorch_error *module_call(
    const char *function,
    ctorch_value **out,
    ctorch_module *self,
    const ctorch_value *args,
    const ctorch_value *kwargs) {
  ctorch_value *tuple = NULL;
  CTORCH_TRY(as_arguments(function, &tuple, args, kwargs));
  ctorch_error *error = module_is_taped(self) && ctorch_value_len(kwargs) == 0
                            ? call_taped(function, out, self, tuple)
                            : call_values(function, out, self, tuple, kwargs);
  ctorch_value_release(tuple);
  return error;
}

ctorch_error *ctorch_module_forward_of_class(
    ctorch_value **out, ctorch_module *self, const ctorch_value *args, const ctorch_value *kwargs) {
  CTORCH_TRY(error_refusal(__func__));
  if (out == NULL || self == NULL) {
    return error_null(__func__, out == NULL ? "out" : "self");
  }
  ctorch_value *tuple = NULL;
  CTORCH_TRY(as_arguments(__func__, &tuple, args, kwargs));
  ctorch_error *error = module_run_class(__func__, out, self, tuple, kwargs);
  ctorch_value_release(tuple);
  return error;
}

ctorch_error *ctorch_module_call(
    ctorch_value **out, ctorch_module *self, const ctorch_value *args, const ctorch_value *kwargs) {
  CTORCH_TRY(error_refusal(__func__));
  if (out == NULL || self == NULL) {
    return error_null(__func__, out == NULL ? "out" : "self");
  }
  return module_call(__func__, out, self, args, kwargs);
}

static ctorch_error *forward(
    const char *function, ctorch_tensor **out, ctorch_module *self, const ctorch_tensor *input) {
  const module_class *type = module_class_of(self);
  if (type->forward == NULL || module_has_hooks(self)) {
    return module_forward_by_call(function, out, self, input);
  }
  struct module_frame frame;
  CTORCH_TRY(module_enter(function, &frame, self));
  return module_leave(&frame, type->forward(self, out, input));
}

static ctorch_error *forward_taped(
    const char *function, ctorch_tensor **out, ctorch_module *self, const ctorch_tensor *input) {
  struct tapes_call call;
  ctorch_tensor *result = NULL, *copy = NULL;
  ctorch_error *error = module_tape_begin(function, &call, self, &input, 1, 0);
  if (error == NULL && call.what != TAPES_REPLAYED) {
    error = forward(function, &result, self, input);
    error = tapes_end(function, &call, error, (const ctorch_tensor *const[]){result}, 1, NULL);
  }
  if (error == NULL && call.what != TAPES_RUN) {
    error = error_of(function, ctorch_aten_clone(&copy, call.outputs[0], NULL));
    ctorch_tensor_release(result);
    result = copy;
  }
  tapes_leave(&call);
  if (error != NULL) {
    ctorch_tensor_release(result);
    return error;
  }
  *out = result;
  return NULL;
}

ctorch_error *ctorch_module_forward(ctorch_tensor **out, ctorch_module *self, const ctorch_tensor *input) {
  ctorch_error *error = error_refusal(__func__);
  if (error != NULL) {
    return error;
  }
  if (out == NULL || self == NULL || input == NULL) {
    return error_null(__func__, out == NULL ? "out" : self == NULL ? "self" : "input");
  }
  return module_is_taped(self) ? forward_taped(__func__, out, self, input) : forward(__func__, out, self, input);
}
