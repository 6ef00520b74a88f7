/* What callers do with metrics. */
#include "base/sequence.h"
#include "core/c/boxed.h"
#include "core/c/error.h"
#include "core/c/tensor.h"
#include "metrics/metric.h"

static ctorch_error *check_self(const char *function, const ctorch_metric *self) {
  CTORCH_TRY(error_refusal(function));
  return self == NULL ? error_null(function, "self") : NULL;
}

static ctorch_error *refuse_nested(const char *function, const char *name, const ctorch_tensor *tensor) {
  return tensor != NULL && ctorch_tensor_is_nested(tensor)
             ? error_argument(function, name, "a nested tensor has no sizes")
             : NULL;
}

ctorch_error *ctorch_metric_update(ctorch_metric *self, const ctorch_tensor *preds, const ctorch_tensor *target) {
  CTORCH_TRY(error_refusal(__func__));
  struct metric_inputs inputs = {.preds = preds, .target = target, .len = target == NULL ? 1 : 2};
  CTORCH_TRY(check_self(__func__, self));
  if (preds == NULL) {
    return error_null(__func__, "preds");
  }
  CTORCH_TRY(refuse_nested(__func__, "preds", preds));
  CTORCH_TRY(refuse_nested(__func__, "target", target));
  return metric_update(__func__, self, &inputs);
}

/* The inputs that a value is; what was made on the way is released by inputs_end. */
struct given {
  struct metric_inputs inputs;
  ctorch_value *values[2];
  ctorch_tensor *tensors[2];
};

static void given_end(struct given *given) {
  for (size_t i = 0; i < 2; i++) {
    ctorch_tensor_release(given->tensors[i]);
    ctorch_value_release(given->values[i]);
  }
}

static ctorch_error *read_entry(const char *function, struct given *given, size_t i, const ctorch_value *value) {
  given->inputs.values[i] = value;
  if (ctorch_value_kind_of(value) != CTORCH_VALUE_TENSOR) {
    return NULL;
  }
  CTORCH_TRY(error_of(function, ctorch_value_to_tensor(&given->tensors[i], value)));
  CTORCH_TRY(refuse_nested(function, "args", given->tensors[i]));
  *(i == 0 ? &given->inputs.preds : &given->inputs.target) = given->tensors[i];
  return NULL;
}

static ctorch_error *read_given(const char *function, struct given *given, const ctorch_value *args) {
  if (ctorch_value_kind_of(args) != CTORCH_VALUE_TUPLE) {
    given->inputs.len = 1;
    return read_entry(function, given, 0, args);
  }
  given->inputs.len = ctorch_value_len(args);
  if (given->inputs.len < 1 || given->inputs.len > 2) {
    return error_make(function, CTORCH_ERROR_TYPE, "args: expected one or two inputs, got %zu", given->inputs.len);
  }
  for (size_t i = 0; i < given->inputs.len; i++) {
    CTORCH_TRY(error_of(function, ctorch_value_get(&given->values[i], args, i)));
    CTORCH_TRY(read_entry(function, given, i, given->values[i]));
  }
  return NULL;
}

static ctorch_error *update_value(const char *function, ctorch_metric *self, const ctorch_value *args) {
  struct given given = {0};
  ctorch_error *error = read_given(function, &given, args);
  THEN(error, metric_update(function, self, &given.inputs));
  given_end(&given);
  return error;
}

ctorch_error *ctorch_metric_update_value(ctorch_metric *self, const ctorch_value *args) {
  CTORCH_TRY(error_refusal(__func__));
  CTORCH_TRY(check_self(__func__, self));
  return args == NULL ? error_null(__func__, "args") : update_value(__func__, self, args);
}

ctorch_error *ctorch_metric_compute(ctorch_value **out, const ctorch_metric *self) {
  CTORCH_TRY(error_refusal(__func__));
  CTORCH_TRY(check_self(__func__, self));
  return out == NULL ? error_null(__func__, "out") : metric_compute(__func__, out, self);
}

ctorch_error *ctorch_metric_forward(ctorch_value **out, ctorch_metric *self, const ctorch_value *args) {
  CTORCH_TRY(error_refusal(__func__));
  ctorch_metric *alone = NULL;
  ctorch_value *value = NULL;
  CTORCH_TRY(check_self(__func__, self));
  if (out == NULL || args == NULL) {
    return error_null(__func__, out == NULL ? "out" : "args");
  }
  CTORCH_TRY(metric_clone(__func__, &alone, self, false));
  ctorch_error *error = update_value(__func__, alone, args);
  THEN(error, metric_compute(__func__, &value, alone));
  THEN(error, metric_merge(__func__, self, alone));
  ctorch_metric_release(alone);
  if (error != NULL) {
    ctorch_value_release(value);
    return error;
  }
  *out = value;
  return NULL;
}

ctorch_error *ctorch_metric_reset(ctorch_metric *self) {
  CTORCH_TRY(error_refusal(__func__));
  CTORCH_TRY(check_self(__func__, self));
  metric_reset(self);
  return NULL;
}

ctorch_error *ctorch_metric_merge(ctorch_metric *self, const ctorch_metric *other) {
  CTORCH_TRY(error_refusal(__func__));
  CTORCH_TRY(check_self(__func__, self));
  return other == NULL ? error_null(__func__, "other") : metric_merge(__func__, self, other);
}

ctorch_error *ctorch_metric_clone(ctorch_metric **out, const ctorch_metric *self) {
  CTORCH_TRY(error_refusal(__func__));
  CTORCH_TRY(check_self(__func__, self));
  return out == NULL ? error_null(__func__, "out") : metric_clone(__func__, out, self, true);
}

static bool is_floating_dtype(ctorch_dtype dtype) {
  return dtype == CTORCH_DTYPE_FLOAT32 || dtype == CTORCH_DTYPE_FLOAT64 || dtype == CTORCH_DTYPE_FLOAT16 ||
         dtype == CTORCH_DTYPE_BFLOAT16;
}

ctorch_error *ctorch_metric_to(ctorch_metric *self, const ctorch_device *device, const ctorch_dtype *dtype) {
  CTORCH_TRY(error_refusal(__func__));
  CTORCH_TRY(check_self(__func__, self));
  CTORCH_TRY(device == NULL ? NULL : error_unless_device(__func__, "device", device));
  CTORCH_TRY(dtype == NULL ? NULL : error_unless_dtype(__func__, "dtype", dtype));
  if (dtype != NULL && !is_floating_dtype(*dtype)) {
    return error_argument(__func__, "dtype", "expected a floating point type, got %s", ctorch_dtype_name(*dtype));
  }
  return metric_to(__func__, self, device, dtype);
}
