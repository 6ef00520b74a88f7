/* Gradient scaling (Micikevicius et al. 2018, arXiv:1710.03740, section 3.2, with a factor that adapts):
 * <ctorch/optim/grad_scaler.h>.
 *
 * The factor and the count of steps since it last changed are tensors on the device of the first loss, made when that
 * is scaled, so that no step waits for the device to read them. For each optimizer that has been unscaled or stepped
 * since the last update there is a record: its stage, and for each device of its gradients a tensor that is not 0 if
 * one of them was not finite. */
#include "optim/grad_scaler.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/sequence.h"
#include "core/c/error.h"
#include "core/c/object.h"
#include "core/c/tensor.h"
#include "optim/optimizer.h"

static void clear_optimizers(ctorch_grad_scaler *self) {
  for (size_t i = 0; i < self->len; i++) {
    found_clear(&self->optimizers[i].found);
    object_unref(self->optimizers[i].optimizer);
  }
  self->len = 0;
}

static void finalize(void *object) {
  ctorch_grad_scaler *self = object;
  clear_optimizers(self);
  free(self->optimizers);
  tensor_unref(self->scale);
  tensor_unref(self->growth_tracker);
  free(self->device);
}

static const object_class grad_scaler_class = {"grad_scaler", sizeof(ctorch_grad_scaler), finalize};

void ctorch_grad_scaler_retain(const ctorch_grad_scaler *self) { object_retain(self); }
void ctorch_grad_scaler_release(ctorch_grad_scaler *self) { object_release(self); }

static ctorch_error *check_factors(const char *function, double growth, double backoff) {
  if (!(growth > 1)) {
    return error_make(function, CTORCH_ERROR_VALUE, "growth_factor: expected one above 1, got %g", growth);
  }
  if (!(backoff < 1)) {
    return error_make(function, CTORCH_ERROR_VALUE, "backoff_factor: expected one below 1, got %g", backoff);
  }
  return NULL;
}

ctorch_error *ctorch_grad_scaler_new(
    ctorch_grad_scaler **out,
    const char *device,
    double init_scale,
    double growth_factor,
    double backoff_factor,
    int64_t growth_interval,
    bool enabled) {
  CTORCH_TRY(error_refusal(__func__));
  if (out == NULL) {
    return error_null(__func__, "out");
  }
  device = device != NULL ? device : "cuda";
  CTORCH_TRY(error_unless_text(__func__, "device", device));
  if (enabled && strcmp(device, "cuda") == 0 && !ctorch_device_cuda_is_available()) {
    CTORCH_TRY(ctorch_warning_emit(
        CTORCH_WARNING_USER, "GradScaler: it is for CUDA, which is not available, and disabled therefore"));
    enabled = false;
  }
  if (enabled) {
    CTORCH_TRY(check_factors(__func__, growth_factor, backoff_factor));
  }
  ctorch_grad_scaler *self = object_new(&grad_scaler_class);
  if (self == NULL || (self->device = malloc(strlen(device) + 1)) == NULL) {
    object_unref(self);
    return error_memory(__func__, sizeof *self);
  }
  memcpy(self->device, device, strlen(device) + 1);
  self->is_enabled = enabled;
  self->has_growth_factor = self->has_backoff_factor = self->has_growth_interval = enabled;
  self->init_scale = init_scale;
  self->growth_factor = growth_factor;
  self->backoff_factor = backoff_factor;
  self->growth_interval = growth_interval;
  return object_give(__func__, out, self);
}

static ctorch_error *check_self(const char *function, const ctorch_grad_scaler *self) {
  CTORCH_TRY(error_refusal(function));
  return self == NULL ? error_null(function, "self") : NULL;
}

/* Scaling. */

static ctorch_error *full(ctorch_tensor **out, double value, ctorch_dtype dtype, const ctorch_device *device) {
  ctorch_tensor *tensor = NULL;
  CTORCH_TRY(ctorch_aten_full(&tensor, NULL, 0, CTORCH_FLOAT(value), &dtype, NULL, device, NULL));
  *out = tensor;
  return NULL;
}

/* The tensors, on the device of what is scaled first. */
static ctorch_error *begin(ctorch_grad_scaler *self, const ctorch_tensor *outputs) {
  ctorch_device device = {0};
  ctorch_tensor *scale = NULL, *tracker = NULL;
  if (self->scale != NULL) {
    return NULL;
  }
  CTORCH_TRY(ctorch_tensor_device(&device, outputs));
  CTORCH_TRY(full(&scale, self->init_scale, CTORCH_DTYPE_FLOAT32, &device));
  ctorch_error *error = full(&tracker, (double)self->init_growth_tracker, CTORCH_DTYPE_INT32, &device);
  if (error != NULL) {
    ctorch_tensor_release(scale);
    return error;
  }
  self->scale = tensor_take(scale);
  self->growth_tracker = tensor_take(tracker);
  return NULL;
}

/* outputs * scale, with the factor where they are. */
static ctorch_error *scale_tensor(ctorch_grad_scaler *self, ctorch_tensor **out, const ctorch_tensor *outputs) {
  ctorch_tensor *scale = NULL;
  CTORCH_TRY(begin(self, outputs));
  CTORCH_TRY(tensor_to_device_of(&scale, self->scale, outputs, false));
  ctorch_error *error = ctorch_aten_mul_Tensor(out, outputs, scale);
  ctorch_tensor_release(scale);
  return error;
}

ctorch_error *ctorch_grad_scaler_scale(ctorch_tensor **out, ctorch_grad_scaler *self, const ctorch_tensor *outputs) {
  CTORCH_TRY(check_self(__func__, self));
  if (out == NULL || outputs == NULL) {
    return error_null(__func__, out == NULL ? "out" : "outputs");
  }
  return self->is_enabled ? scale_tensor(self, out, outputs) : tensor_give(__func__, out, outputs);
}

#define DEEPEST 100

static ctorch_error *scale_any(
    const char *function, ctorch_grad_scaler *self, ctorch_value **out, const ctorch_value *outputs, int depth);

static ctorch_error *scale_tensor_value(ctorch_grad_scaler *self, ctorch_value **out, const ctorch_value *outputs) {
  ctorch_tensor *tensor = NULL, *scaled = NULL;
  CTORCH_TRY(ctorch_value_to_tensor(&tensor, outputs));
  ctorch_error *error = scale_tensor(self, &scaled, tensor);
  THEN(error, ctorch_value_from_tensor(out, scaled));
  ctorch_tensor_release(tensor);
  ctorch_tensor_release(scaled);
  return error;
}

static ctorch_error *scale_list(
    const char *function, ctorch_grad_scaler *self, ctorch_value **out, const ctorch_value *outputs, int depth) {
  size_t len = ctorch_value_len(outputs);
  ctorch_value **values = calloc(len + 1, sizeof *values);
  ctorch_error *error = values == NULL ? error_memory(function, (len + 1) * sizeof *values) : NULL;
  for (size_t i = 0; error == NULL && i < len; i++) {
    ctorch_value *entry = NULL;
    error = ctorch_value_get(&entry, outputs, i);
    THEN(error, scale_any(function, self, &values[i], entry, depth + 1));
    ctorch_value_release(entry);
  }
  THEN(
      error, ctorch_value_kind_of(outputs) == CTORCH_VALUE_TUPLE
                 ? ctorch_value_from_tuple(out, (const ctorch_value *const *)values, len)
                 : ctorch_value_from_list(out, (const ctorch_value *const *)values, len));
  for (size_t i = 0; values != NULL && i < len; i++) {
    ctorch_value_release(values[i]);
  }
  free(values);
  return error;
}

static ctorch_error *scale_dict(
    const char *function, ctorch_grad_scaler *self, ctorch_value **out, const ctorch_value *outputs, int depth) {
  ctorch_value *keys = NULL, *values = NULL, *scaled = NULL;
  CTORCH_TRY(ctorch_value_dict_keys(&keys, outputs));
  ctorch_error *error = ctorch_value_dict_values(&values, outputs);
  THEN(error, ctorch_value_from_dict(&scaled, NULL, 0, NULL, 0));
  for (size_t i = 0; error == NULL && i < ctorch_value_len(keys); i++) {
    ctorch_value *key = NULL, *value = NULL, *result = NULL;
    error = ctorch_value_get(&key, keys, i);
    THEN(error, ctorch_value_get(&value, values, i));
    THEN(error, scale_any(function, self, &result, value, depth + 1));
    THEN(error, ctorch_value_dict_set(scaled, key, result));
    ctorch_value_release(key);
    ctorch_value_release(value);
    ctorch_value_release(result);
  }
  ctorch_value_release(keys);
  ctorch_value_release(values);
  if (error != NULL) {
    ctorch_value_release(scaled);
    return error;
  }
  *out = scaled;
  return NULL;
}

static ctorch_error *scale_any(
    const char *function, ctorch_grad_scaler *self, ctorch_value **out, const ctorch_value *outputs, int depth) {
  if (depth > DEEPEST) {
    return error_make(function, CTORCH_ERROR_VALUE, "outputs: lists in lists, more than %d deep", DEEPEST);
  }
  switch (ctorch_value_kind_of(outputs)) {
    case CTORCH_VALUE_TENSOR:
      return scale_tensor_value(self, out, outputs);
    case CTORCH_VALUE_LIST:
    case CTORCH_VALUE_TUPLE:
      return scale_list(function, self, out, outputs, depth);
    case CTORCH_VALUE_DICT:
      return scale_dict(function, self, out, outputs, depth);
    default:
      return error_make(
          function, CTORCH_ERROR_VALUE, "outputs: expected tensors, in lists, tuples or dicts, found %s",
          ctorch_value_kind_name(ctorch_value_kind_of(outputs)));
  }
}

ctorch_error *ctorch_grad_scaler_scale_value(
    ctorch_value **out, ctorch_grad_scaler *self, const ctorch_value *outputs) {
  CTORCH_TRY(check_self(__func__, self));
  if (out == NULL || outputs == NULL) {
    return error_null(__func__, out == NULL ? "out" : "outputs");
  }
  if (self->is_enabled) {
    return scale_any(__func__, self, out, outputs, 0);
  }
  ctorch_value_retain(outputs);
  *out = (ctorch_value *)outputs;
  return NULL;
}

/* The records of optimizers. */

static ctorch_error *check_scaled(const char *function, const ctorch_grad_scaler *self) {
  return self->scale != NULL
             ? NULL
             : error_make(
                   function, CTORCH_ERROR_VALUE, "self: nothing was scaled yet; scale the loss before its backward");
}

static struct scaled_optimizer *find(ctorch_grad_scaler *self, const ctorch_optimizer *optimizer) {
  for (size_t i = 0; i < self->len; i++) {
    if (self->optimizers[i].optimizer == optimizer) {
      return &self->optimizers[i];
    }
  }
  return NULL;
}

static ctorch_error *record_of(
    const char *function, ctorch_grad_scaler *self, struct scaled_optimizer **out, ctorch_optimizer *optimizer) {
  if ((*out = find(self, optimizer)) != NULL) {
    return NULL;
  }
  CTORCH_TRY(array_grow(function, &self->optimizers, self->len, sizeof *self->optimizers));
  *out = &self->optimizers[self->len++];
  **out = (struct scaled_optimizer){.optimizer = object_ref(optimizer)};
  return NULL;
}

/* Dividing. */

/* 1 / scale, which is computed with double precision. */
static ctorch_error *inverse_of(ctorch_tensor **out, const ctorch_tensor *scale) {
  ctorch_tensor *wide = NULL, *inverse = NULL;
  CTORCH_TRY(ctorch_aten_to_dtype(&wide, scale, CTORCH_DTYPE_FLOAT64, false, false, NULL));
  ctorch_error *error = ctorch_aten_reciprocal(&inverse, wide);
  THEN(error, ctorch_aten_to_dtype(out, inverse, CTORCH_DTYPE_FLOAT32, false, false, NULL));
  ctorch_tensor_release(wide);
  ctorch_tensor_release(inverse);
  return error;
}

/* Look at the gradients, which are multiplied meanwhile; NULL is by 1. */
static ctorch_error *look(
    const char *function,
    ctorch_grad_scaler *self,
    struct scaled_optimizer *record,
    const ctorch_tensor *inverse,
    bool allow_float16) {
  ctorch_device device = {0};
  ctorch_tensor *one = NULL;
  struct found found = {0};
  if (inverse == NULL) {
    CTORCH_TRY(ctorch_tensor_device(&device, self->scale));
    CTORCH_TRY(full(&one, 1, CTORCH_DTYPE_FLOAT32, &device));
  }
  ctorch_error *error = ctorch_grad_mode_push(false);
  if (error == NULL) {
    error = unscale_gradients(function, &found, record->optimizer, inverse != NULL ? inverse : one, allow_float16);
    error = ctorch_error_first(error, ctorch_grad_mode_pop());
  }
  ctorch_tensor_release(one);
  if (error != NULL) {
    found_clear(&found);
    return error;
  }
  found_clear(&record->found);
  record->found = found;
  return NULL;
}

static ctorch_error *unscale(const char *function, ctorch_grad_scaler *self, struct scaled_optimizer *record) {
  ctorch_tensor *inverse = NULL;
  if (record->stage == SCALED_UNSCALED) {
    return error_make(
        function, CTORCH_ERROR_RUNTIME, "optimizer: its gradients have been unscaled since the last update");
  }
  if (record->stage == SCALED_STEPPED) {
    return error_make(function, CTORCH_ERROR_RUNTIME, "optimizer: its gradients are to be unscaled before its step");
  }
  CTORCH_TRY(inverse_of(&inverse, self->scale));
  ctorch_error *error = look(function, self, record, inverse, false);
  ctorch_tensor_release(inverse);
  CTORCH_TRY(error);
  record->stage = SCALED_UNSCALED;
  return NULL;
}

ctorch_error *ctorch_grad_scaler_unscale_(ctorch_grad_scaler *self, ctorch_optimizer *optimizer) {
  struct scaled_optimizer *record = NULL;
  CTORCH_TRY(check_self(__func__, self));
  if (optimizer == NULL) {
    return error_null(__func__, "optimizer");
  }
  if (!self->is_enabled) {
    return NULL;
  }
  CTORCH_TRY(check_scaled(__func__, self));
  CTORCH_TRY(record_of(__func__, self, &record, optimizer));
  return unscale(__func__, self, record);
}

/* Steps. */

/* The step of kernels that take the factor themselves, and do nothing where a gradient was not finite. */
static ctorch_error *step_scaled(
    const char *function, ctorch_grad_scaler *self, struct scaled_optimizer *record, ctorch_optimizer *optimizer) {
  ctorch_tensor *sum = NULL;
  bool is_ready = record->stage == SCALED_READY;
  if (is_ready) {
    CTORCH_TRY(look(function, self, record, NULL, true));
  }
  CTORCH_TRY(found_sum(&sum, &record->found, self->scale));
  optimizer->grad_scale = is_ready ? tensor_ref(self->scale) : NULL;
  optimizer->found_inf = tensor_take(sum);
  ctorch_error *error = ctorch_optimizer_step(optimizer);
  tensor_unref(optimizer->grad_scale);
  tensor_unref(optimizer->found_inf);
  optimizer->grad_scale = optimizer->found_inf = NULL;
  return error;
}

static ctorch_error *step_if_finite(
    const char *function, ctorch_grad_scaler *self, struct scaled_optimizer *record, ctorch_optimizer *optimizer) {
  bool is_finite = true;
  if (record->stage == SCALED_READY) {
    CTORCH_TRY(unscale(function, self, record));
  }
  if (record->found.len == 0) {
    return error_make(function, CTORCH_ERROR_VALUE, "optimizer: none of its parameters has a gradient");
  }
  CTORCH_TRY(found_nothing(&is_finite, &record->found));
  return is_finite ? ctorch_optimizer_step(optimizer) : NULL;
}

ctorch_error *ctorch_grad_scaler_step(ctorch_grad_scaler *self, ctorch_optimizer *optimizer) {
  struct scaled_optimizer *record = NULL;
  CTORCH_TRY(check_self(__func__, self));
  if (optimizer == NULL) {
    return error_null(__func__, "optimizer");
  }
  if (!self->is_enabled) {
    return ctorch_optimizer_step(optimizer);
  }
  CTORCH_TRY(check_scaled(__func__, self));
  CTORCH_TRY(record_of(__func__, self, &record, optimizer));
  if (record->stage == SCALED_STEPPED) {
    return error_make(__func__, CTORCH_ERROR_RUNTIME, "optimizer: it has stepped since the last update");
  }
  CTORCH_TRY(
      (optimizer_supports_amp_scaling(optimizer) ? step_scaled : step_if_finite)(__func__, self, record, optimizer));
  record = find(self, optimizer); /* a hook of the step may have updated the scaler */
  if (record != NULL) {
    record->stage = SCALED_STEPPED;
  }
  return NULL;
}

ctorch_error *ctorch_grad_scaler_step_closure(
    ctorch_tensor **out,
    ctorch_grad_scaler *self,
    ctorch_optimizer *optimizer,
    ctorch_optimizer_closure closure,
    void *payload) {
  CTORCH_TRY(check_self(__func__, self));
  if (optimizer == NULL || closure == NULL) {
    return error_null(__func__, optimizer == NULL ? "optimizer" : "closure");
  }
  const struct optimizer_evaluation evaluation = {closure, payload, __func__};
  return self->is_enabled ? error_make(__func__, CTORCH_ERROR_RUNTIME, "closure: a scaler that is enabled takes none")
                          : optimizer_step(out, optimizer, &evaluation);
}

/* Updates. */

static ctorch_error *without_gradients(
    ctorch_error *(*act)(ctorch_grad_scaler *, const void *), ctorch_grad_scaler *self, const void *data) {
  CTORCH_TRY(ctorch_grad_mode_push(false));
  return ctorch_error_first(act(self, data), ctorch_grad_mode_pop());
}

static ctorch_error *adapt(ctorch_grad_scaler *self, const void *found) {
  return ctorch_aten__amp_update_scale_(
      self->scale, self->growth_tracker, found, self->growth_factor, self->backoff_factor, self->growth_interval);
}

static ctorch_error *fill(ctorch_grad_scaler *self, const void *number) {
  return ctorch_aten_fill__Scalar(self->scale, CTORCH_FLOAT(*(const double *)number));
}

static ctorch_error *copy(ctorch_grad_scaler *self, const void *tensor) {
  return ctorch_aten_copy_(self->scale, tensor, false);
}

/* What all optimizers found, on the device of the factor; NULL for nothing. */
static ctorch_error *found_by_all(ctorch_tensor **out, const ctorch_grad_scaler *self) {
  struct found all = {0};
  ctorch_error *error = NULL;
  for (size_t i = 0; error == NULL && i < self->len; i++) {
    error = found_append(&all, &self->optimizers[i].found);
  }
  THEN(error, found_sum(out, &all, self->scale));
  found_clear(&all);
  return error;
}

ctorch_error *ctorch_grad_scaler_update(ctorch_grad_scaler *self, const double *new_scale) {
  ctorch_tensor *found = NULL;
  CTORCH_TRY(check_self(__func__, self));
  if (!self->is_enabled) {
    return NULL;
  }
  CTORCH_TRY(check_scaled(__func__, self));
  if (new_scale != NULL) {
    CTORCH_TRY(without_gradients(fill, self, new_scale));
    clear_optimizers(self);
    return NULL;
  }
  CTORCH_TRY(found_by_all(&found, self));
  if (found == NULL) {
    return error_make(__func__, CTORCH_ERROR_VALUE, "self: no optimizer has stepped or been unscaled");
  }
  ctorch_error *error = without_gradients(adapt, self, found);
  ctorch_tensor_release(found);
  CTORCH_TRY(error);
  clear_optimizers(self);
  return NULL;
}

static bool is_of_device(const ctorch_grad_scaler *self, const ctorch_tensor *tensor) {
  ctorch_device_type type = ctorch_tensor_device_type(tensor);
  return (type == CTORCH_DEVICE_TYPE_CPU && strcmp(self->device, "cpu") == 0) ||
         (type == CTORCH_DEVICE_TYPE_CUDA && strcmp(self->device, "cuda") == 0);
}

ctorch_error *ctorch_grad_scaler_update_tensor(ctorch_grad_scaler *self, const ctorch_tensor *new_scale) {
  CTORCH_TRY(check_self(__func__, self));
  if (new_scale == NULL) {
    return error_null(__func__, "new_scale");
  }
  if (!self->is_enabled) {
    return NULL;
  }
  CTORCH_TRY(check_scaled(__func__, self));
  if (!is_of_device(self, new_scale) || ctorch_tensor_numel(new_scale) != 1 || ctorch_tensor_requires_grad(new_scale)) {
    return error_make(
        __func__, CTORCH_ERROR_VALUE, "new_scale: expected a tensor of one element on a device %s, without a gradient",
        self->device);
  }
  CTORCH_TRY(without_gradients(copy, self, new_scale));
  clear_optimizers(self);
  return NULL;
}
