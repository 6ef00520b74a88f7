/* What a GradScaler is asked and told, and its state. */
#include <stdlib.h>

#include "base/sequence.h"
#include "core/c/error.h"
#include "optim/grad_scaler.h"
#include "optim/group.h"

static ctorch_error *check_self(const char *function, const ctorch_grad_scaler *self) {
  CTORCH_TRY(error_refusal(function));
  return self == NULL ? error_null(function, "self") : NULL;
}

static ctorch_error *check(const char *function, const ctorch_grad_scaler *self, const void *out) {
  CTORCH_TRY(check_self(function, self));
  return out == NULL ? error_null(function, "out") : NULL;
}

static ctorch_error *refuse_unless(const char *function, bool has, const char *what) {
  return has ? NULL
             : error_make(
                   function, CTORCH_ERROR_INDEX, "self: a scaler that is disabled has no %s unless one was set", what);
}

static ctorch_error *read_scale(double *out, const ctorch_grad_scaler *self) {
  if (self->scale != NULL) {
    return ctorch_tensor_item_double(out, self->scale);
  }
  *out = self->init_scale;
  return NULL;
}

ctorch_error *ctorch_grad_scaler_get_scale(double *out, const ctorch_grad_scaler *self) {
  CTORCH_TRY(check(__func__, self, out));
  if (self->is_enabled) {
    return read_scale(out, self);
  }
  *out = 1;
  return NULL;
}

ctorch_error *ctorch_grad_scaler_get_growth_factor(double *out, const ctorch_grad_scaler *self) {
  CTORCH_TRY(check(__func__, self, out));
  CTORCH_TRY(refuse_unless(__func__, self->has_growth_factor, "growth_factor"));
  *out = self->growth_factor;
  return NULL;
}

ctorch_error *ctorch_grad_scaler_set_growth_factor(ctorch_grad_scaler *self, double new_factor) {
  CTORCH_TRY(check_self(__func__, self));
  self->growth_factor = new_factor;
  self->has_growth_factor = true;
  return NULL;
}

ctorch_error *ctorch_grad_scaler_get_backoff_factor(double *out, const ctorch_grad_scaler *self) {
  CTORCH_TRY(check(__func__, self, out));
  CTORCH_TRY(refuse_unless(__func__, self->has_backoff_factor, "backoff_factor"));
  *out = self->backoff_factor;
  return NULL;
}

ctorch_error *ctorch_grad_scaler_set_backoff_factor(ctorch_grad_scaler *self, double new_factor) {
  CTORCH_TRY(check_self(__func__, self));
  self->backoff_factor = new_factor;
  self->has_backoff_factor = true;
  return NULL;
}

ctorch_error *ctorch_grad_scaler_get_growth_interval(int64_t *out, const ctorch_grad_scaler *self) {
  CTORCH_TRY(check(__func__, self, out));
  CTORCH_TRY(refuse_unless(__func__, self->has_growth_interval, "growth_interval"));
  *out = self->growth_interval;
  return NULL;
}

ctorch_error *ctorch_grad_scaler_set_growth_interval(ctorch_grad_scaler *self, int64_t new_interval) {
  CTORCH_TRY(check_self(__func__, self));
  self->growth_interval = new_interval;
  self->has_growth_interval = true;
  return NULL;
}

bool ctorch_grad_scaler_is_enabled(const ctorch_grad_scaler *self) { return self != NULL && self->is_enabled; }

/* State. */

static ctorch_error *put(ctorch_value *dict, const char *name, ctorch_value *value) {
  ctorch_error *error = ctorch_value_dict_put(dict, name, value);
  ctorch_value_release(value);
  return error;
}

static ctorch_error *put_double(ctorch_value *dict, const char *name, double number) {
  ctorch_value *value = NULL;
  CTORCH_TRY(ctorch_value_from_double(&value, number));
  return put(dict, name, value);
}

static ctorch_error *put_int(ctorch_value *dict, const char *name, int64_t number) {
  ctorch_value *value = NULL;
  CTORCH_TRY(ctorch_value_from_int(&value, number));
  return put(dict, name, value);
}

static ctorch_error *write_state(ctorch_value *dict, const ctorch_grad_scaler *self) {
  double scale = 1;
  int64_t tracker = self->init_growth_tracker;
  CTORCH_TRY(read_scale(&scale, self));
  if (self->growth_tracker != NULL) {
    CTORCH_TRY(ctorch_tensor_item_int64(&tracker, self->growth_tracker));
  }
  CTORCH_TRY(put_double(dict, "scale", scale));
  CTORCH_TRY(put_double(dict, "growth_factor", self->growth_factor));
  CTORCH_TRY(put_double(dict, "backoff_factor", self->backoff_factor));
  CTORCH_TRY(put_int(dict, "growth_interval", self->growth_interval));
  return put_int(dict, "_growth_tracker", tracker);
}

ctorch_error *ctorch_grad_scaler_state_dict(ctorch_value **out, const ctorch_grad_scaler *self) {
  ctorch_value *dict = NULL;
  CTORCH_TRY(check(__func__, self, out));
  CTORCH_TRY(ctorch_value_from_dict(&dict, NULL, 0, NULL, 0));
  ctorch_error *error = self->is_enabled ? write_state(dict, self) : NULL;
  if (error != NULL) {
    ctorch_value_release(dict);
    return error;
  }
  *out = dict;
  return NULL;
}

/* An entry of a state: a number, or what counts as an int. */
static ctorch_error *read_entry(
    const char *function, const ctorch_value *state, const char *name, double *number, int64_t *whole) {
  ctorch_value *value = NULL;
  CTORCH_TRY(dict_find(&value, state, name));
  if (value == NULL) {
    return error_make(function, CTORCH_ERROR_INDEX, "state_dict: no entry '%s'", name);
  }
  ctorch_value_kind kind = ctorch_value_kind_of(value);
  ctorch_error *error = NULL;
  if (kind != CTORCH_VALUE_INT && (kind != CTORCH_VALUE_DOUBLE || whole != NULL)) {
    error = error_make(
        function, CTORCH_ERROR_TYPE, "state_dict: entry '%s' is %s, expected %s", name, ctorch_value_kind_name(kind),
        whole != NULL ? "an int" : "a number");
  } else {
    error = whole != NULL ? ctorch_value_to_int(whole, value) : ctorch_value_to_double(number, value);
  }
  ctorch_value_release(value);
  return error;
}

/* The factor and the count of a scaler that has scaled. */
static ctorch_error *fill(ctorch_grad_scaler *self, double scale, int64_t tracker) {
  if (self->scale == NULL) {
    return NULL;
  }
  CTORCH_TRY(ctorch_grad_mode_push(false));
  ctorch_error *error = ctorch_aten_fill__Scalar(self->scale, CTORCH_FLOAT(scale));
  THEN(error, ctorch_aten_fill__Scalar(self->growth_tracker, CTORCH_INT(tracker)));
  return ctorch_error_first(error, ctorch_grad_mode_pop());
}

ctorch_error *ctorch_grad_scaler_load_state_dict(ctorch_grad_scaler *self, const ctorch_value *state_dict) {
  double scale = 1, growth = 1, backoff = 1;
  int64_t interval = 0, tracker = 0;
  CTORCH_TRY(error_refusal(__func__));
  if (self == NULL || state_dict == NULL) {
    return error_null(__func__, self == NULL ? "self" : "state_dict");
  }
  if (!self->is_enabled) {
    return NULL;
  }
  ctorch_value_kind kind = ctorch_value_kind_of(state_dict);
  if (kind != CTORCH_VALUE_DICT) {
    return error_make(
        __func__, CTORCH_ERROR_TYPE, "state_dict: expected a dict, found %s", ctorch_value_kind_name(kind));
  }
  if (ctorch_value_len(state_dict) == 0) {
    return error_make(__func__, CTORCH_ERROR_RUNTIME, "state_dict: it is empty, as that of a scaler that was disabled");
  }
  CTORCH_TRY(read_entry(__func__, state_dict, "scale", &scale, NULL));
  CTORCH_TRY(read_entry(__func__, state_dict, "growth_factor", &growth, NULL));
  CTORCH_TRY(read_entry(__func__, state_dict, "backoff_factor", &backoff, NULL));
  CTORCH_TRY(read_entry(__func__, state_dict, "growth_interval", NULL, &interval));
  CTORCH_TRY(read_entry(__func__, state_dict, "_growth_tracker", NULL, &tracker));
  CTORCH_TRY(fill(self, scale, tracker));
  self->init_scale = scale;
  self->init_growth_tracker = tracker;
  self->growth_factor = growth;
  self->backoff_factor = backoff;
  self->growth_interval = interval;
  return NULL;
}
