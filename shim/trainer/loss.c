/* The loss of a batch, metrics, and their means over an epoch. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/callback.h"
#include "base/sequence.h"
#include "core/c/error.h"
#include "core/c/interrupt.h"
#include "core/c/tensor.h"
#include "data/iterator.h"
#include "module/hooks.h"
#include "module/module.h"
#include "trainer/trainer.h"

/* Sums ------------------------------------------------------------------------------------------------------------- */

ctorch_error *trainer_sums_begin(const char *function, const ctorch_trainer *self, struct trainer_sums *sums) {
  trainer_sums_end(sums);
  sums->sums = calloc(self->metrics_len + 1, sizeof(*sums->sums));
  return sums->sums == NULL ? error_memory(function, (self->metrics_len + 1) * sizeof(*sums->sums))
                            : trainer_accumulated_begin(function, self, sums);
}

void trainer_sums_end(struct trainer_sums *sums) {
  free(sums->sums);
  tensor_unref(sums->deferred);
  trainer_accumulated_end(sums);
  *sums = (struct trainer_sums){0};
}

static ctorch_error *number_of(double *out, const ctorch_tensor *tensor) {
  ctorch_scalar number = {0};
  CTORCH_TRY(ctorch_aten_item(&number, tensor));
  *out = number.kind == CTORCH_SCALAR_INT ? (double)number.i : number.re;
  return NULL;
}

ctorch_error *trainer_sums_settle(const char *function, struct trainer_sums *sums) {
  double number = 0;
  if (sums->deferred != NULL) {
    CTORCH_TRY(error_of(function, number_of(&number, sums->deferred)));
    sums->sums[0] += number;
    tensor_unref(sums->deferred);
    sums->deferred = NULL;
  }
  return NULL;
}

/* Reading a number from a device waits for it, so there losses are added up where they are. */
static ctorch_error *defer(struct trainer_sums *sums, const ctorch_tensor *loss) {
  ctorch_tensor *number = NULL, *sum = NULL;
  CTORCH_TRY(ctorch_tensor_to(&number, loss, &(ctorch_dtype){CTORCH_DTYPE_FLOAT64}, NULL, false, true, NULL));
  ctorch_error *error = NULL;
  if (sums->deferred != NULL) {
    error = ctorch_aten_add_Tensor(&sum, sums->deferred, number, NULL);
    ctorch_tensor_release(number);
    number = sum;
  }
  if (error == NULL) {
    tensor_unref(sums->deferred);
    sums->deferred = tensor_take(number);
  }
  return error;
}

ctorch_error *trainer_add_loss(const char *function, struct trainer_sums *sums, const ctorch_tensor *loss) {
  ctorch_device device = {0};
  double number = 0;
  sums->losses += 1;
  CTORCH_TRY(error_of(function, ctorch_tensor_device(&device, loss)));
  if (device.type != CTORCH_DEVICE_TYPE_CPU) {
    return error_of(function, defer(sums, loss));
  }
  CTORCH_TRY(error_of(function, number_of(&number, loss)));
  sums->sums[0] += number;
  return NULL;
}

static ctorch_error *put(
    const char *function, ctorch_value *dict, const char *before, const char *name, double number) {
  char key[256];
  ctorch_value *value = NULL;
  int len = snprintf(key, sizeof(key), "%s%s", before, name);
  if (len < 0 || (size_t)len >= sizeof(key)) {
    return error_make(function, CTORCH_ERROR_VALUE, "a metric's name is too long: %.100s", name);
  }
  CTORCH_TRY(error_of(function, ctorch_value_from_double(&value, number)));
  ctorch_error *error = ctorch_value_dict_put(dict, key, value);
  ctorch_value_release(value);
  return error_of(function, error);
}

ctorch_error *trainer_put_means(
    const char *function,
    const ctorch_trainer *self,
    struct trainer_sums *sums,
    const char *before,
    ctorch_value *dict) {
  CTORCH_TRY(trainer_sums_settle(function, sums));
  CTORCH_TRY(put(function, dict, before, "loss", sums->sums[0] / sums->losses));
  for (size_t i = 0; i < self->metrics_len; i++) {
    CTORCH_TRY(put(function, dict, before, self->metrics[i].name, sums->sums[i + 1] / sums->weight));
  }
  return trainer_accumulated_put(function, self, sums, before, dict);
}

/* A batch ---------------------------------------------------------------------------------------------------------- */

/* A batch is a list of inputs and a target. */
static ctorch_error *check_batch(const char *function, const ctorch_value *batch) {
  size_t len = ctorch_value_len(batch);
  ctorch_value_kind kind = ctorch_value_kind_of(batch);
  if ((kind == CTORCH_VALUE_LIST || kind == CTORCH_VALUE_TUPLE) && len >= 2) {
    return NULL;
  }
  return error_make(
      function, CTORCH_ERROR_VALUE,
      "a batch is a list of inputs and a target, unless a step of your own takes it (ctorch_trainer_set_step); got %s "
      "of %zu entries",
      ctorch_value_kind_name(kind), len);
}

/* Its inputs, which are more than one or no tensor, as a tuple. */
static ctorch_error *inputs_of(const char *function, const ctorch_value *batch, ctorch_value **out) {
  size_t len = ctorch_value_len(batch) - 1, taken = 0;
  ctorch_value **inputs = calloc(len, sizeof(*inputs));
  if (inputs == NULL) {
    return error_memory(function, len * sizeof(*inputs));
  }
  ctorch_error *error = NULL;
  while (error == NULL && taken < len) {
    error = ctorch_value_get(&inputs[taken], batch, taken);
    taken += error == NULL ? 1 : 0;
  }
  THEN(error, ctorch_value_from_tuple(out, (const ctorch_value *const *)inputs, len));
  while (taken > 0) {
    ctorch_value_release(inputs[--taken]);
  }
  free(inputs);
  return error_of(function, error);
}

static bool is_tensor(const ctorch_value *value) { return ctorch_value_kind_of(value) == CTORCH_VALUE_TENSOR; }

/* The loss of two tensors, by the function of its class. */
static ctorch_error *loss_of_pair(
    ctorch_module *loss, const ctorch_value *output, const ctorch_value *target, ctorch_tensor **out) {
  ctorch_tensor *input = NULL, *expected = NULL;
  CTORCH_TRY(ctorch_value_to_tensor(&input, output));
  ctorch_error *error = ctorch_value_to_tensor(&expected, target);
  THEN(error, module_class_of(loss)->of_pair(out, loss, input, expected));
  ctorch_tensor_release(expected);
  ctorch_tensor_release(input);
  return error;
}

static ctorch_error *loss_of(
    const char *function,
    ctorch_trainer *self,
    const ctorch_value *output,
    const ctorch_value *target,
    ctorch_tensor **out) {
  ctorch_value *args = NULL, *loss = NULL;
  const ctorch_value *const given[] = {output, target};
  if (module_class_of(self->loss)->of_pair != NULL && is_tensor(output) && is_tensor(target)) {
    return error_of(function, loss_of_pair(self->loss, output, target, out));
  }
  CTORCH_TRY(ctorch_value_from_tuple(&args, given, 2));
  ctorch_error *error = ctorch_module_call(&loss, self->loss, args, NULL);
  THEN(error, ctorch_value_to_tensor(out, loss));
  ctorch_value_release(loss);
  ctorch_value_release(args);
  return error_of(function, error);
}

/* Metrics ---------------------------------------------------------------------------------------------------------- */

static ctorch_error *tensor_in(const char *function, const char *what, const ctorch_value *value, ctorch_tensor **out) {
  if (!is_tensor(value)) {
    return error_make(
        function, CTORCH_ERROR_VALUE, "a metric: expected a tensor as %s, got %s", what,
        ctorch_value_kind_name(ctorch_value_kind_of(value)));
  }
  return error_of(function, ctorch_value_to_tensor(out, value));
}

/* The share of samples whose target is the index of their greatest output. */
static ctorch_error *share_of_hits(double *out, const ctorch_tensor *output, const ctorch_tensor *target) {
  ctorch_tensor *guess = NULL, *hits = NULL, *numbers = NULL, *mean = NULL;
  ctorch_error *error = ctorch_aten_argmax(&guess, output, &(const int64_t){1}, false);
  THEN(error, ctorch_aten_eq_Tensor(&hits, guess, target));
  THEN(error, ctorch_tensor_to(&numbers, hits, &(ctorch_dtype){CTORCH_DTYPE_FLOAT64}, NULL, false, false, NULL));
  THEN(error, ctorch_aten_mean(&mean, numbers, NULL));
  THEN(error, number_of(out, mean));
  ctorch_tensor_release(mean);
  ctorch_tensor_release(numbers);
  ctorch_tensor_release(hits);
  ctorch_tensor_release(guess);
  return error;
}

static ctorch_error *accuracy(
    const char *function, double *out, const ctorch_value *output, const ctorch_value *target_value) {
  ctorch_tensor *given = NULL, *target = NULL;
  CTORCH_TRY(tensor_in(function, "output", output, &given));
  ctorch_error *error = tensor_in(function, "target", target_value, &target);
  THEN(error, error_of(function, share_of_hits(out, given, target)));
  ctorch_tensor_release(target);
  ctorch_tensor_release(given);
  return error;
}

/* How many samples a batch has: the rows of its target. */
static ctorch_error *weight_of(double *out, const ctorch_value *target_value) {
  ctorch_tensor *target = NULL;
  *out = 1;
  if (is_tensor(target_value)) {
    CTORCH_TRY(ctorch_value_to_tensor(&target, target_value));
    if (ctorch_tensor_ndim(target) > 0 && !ctorch_tensor_is_nested(target)) {
      *out = (double)ctorch_tensor_sizes(target)[0];
    }
    ctorch_tensor_release(target);
  }
  return NULL;
}

static ctorch_error *add_metrics(
    const char *function,
    ctorch_trainer *self,
    struct trainer_sums *sums,
    const ctorch_value *output,
    const ctorch_value *target,
    const ctorch_value *batch) {
  double weight = 0;
  CTORCH_TRY(error_of(function, weight_of(&weight, target)));
  for (size_t i = 0; i < self->metrics_len; i++) {
    const struct trainer_metric *metric = &self->metrics[i];
    double mean = 0;
    if (metric->metric == NULL) {
      CTORCH_TRY(accuracy(function, &mean, output, target));
    } else {
      ctorch_error *error = NULL;
      ctorch_callback_status status = metric->metric(&mean, output, batch, &error, metric->payload);
      CTORCH_TRY(callback_error(function, "metric", status, error));
    }
    sums->sums[i + 1] += mean * weight;
  }
  sums->weight += weight;
  return trainer_accumulate(function, sums, output, target);
}

static ctorch_error *without_gradients(
    const char *function,
    ctorch_trainer *self,
    struct trainer_sums *sums,
    const ctorch_value *output,
    const ctorch_value *target,
    const ctorch_value *batch) {
  CTORCH_TRY(error_of(function, ctorch_grad_mode_push(false)));
  ctorch_error *error = add_metrics(function, self, sums, output, target, batch);
  ctorch_error *failure = ctorch_grad_mode_pop();
  if (error != NULL) {
    ctorch_error_release(failure);
    return error;
  }
  return error_of(function, failure);
}

ctorch_error *trainer_add_metrics(
    const char *function,
    ctorch_trainer *self,
    struct trainer_sums *sums,
    const ctorch_tensor *output,
    const ctorch_value *batch) {
  ctorch_value *given = NULL, *target = NULL;
  CTORCH_TRY(error_of(function, ctorch_value_from_tensor(&given, output)));
  ctorch_error *error = error_of(function, ctorch_value_get(&target, batch, ctorch_value_len(batch) - 1));
  THEN(error, without_gradients(function, self, sums, given, target, batch));
  ctorch_value_release(target);
  ctorch_value_release(given);
  return error;
}

/* Forward ---------------------------------------------------------------------------------------------------------- */

static ctorch_error *by_callback(
    const char *function, ctorch_trainer *self, const ctorch_value *batch, ctorch_tensor **out) {
  ctorch_error *error = NULL;
  ctorch_tensor *loss = NULL;
  ctorch_callback_status status = self->step_callback(&loss, self, self->module, batch, &error, self->step_payload);
  error = callback_error(function, "step", status, error);
  if (error == NULL && loss == NULL) {
    error = error_make(function, CTORCH_ERROR_CALLBACK, "step gave no loss");
  }
  if (error != NULL) {
    ctorch_tensor_release(loss);
    return error;
  }
  *out = loss;
  return NULL;
}

/* What the model gives for any inputs, and for one tensor, which does not pass through a tuple. */
static ctorch_error *output_of_values(
    const char *function, ctorch_module *module, const ctorch_value *batch, ctorch_value **out) {
  ctorch_value *inputs = NULL;
  CTORCH_TRY(inputs_of(function, batch, &inputs));
  ctorch_error *error = ctorch_module_call(out, module, inputs, NULL);
  ctorch_value_release(inputs);
  return error_of(function, error);
}

static ctorch_error *output_of_tensor(ctorch_module *module, const ctorch_value *input, ctorch_value **out) {
  ctorch_tensor *x = NULL, *y = NULL;
  CTORCH_TRY(ctorch_value_to_tensor(&x, input));
  ctorch_error *error = ctorch_module_forward(&y, module, x);
  ctorch_tensor_release(x);
  THEN(error, ctorch_value_from_tensor(out, y));
  ctorch_tensor_release(y);
  return error;
}

static ctorch_error *output_of(
    const char *function, ctorch_module *module, const ctorch_value *batch, ctorch_value **out) {
  ctorch_value *input = NULL;
  if (module_class_of(module)->forward == NULL || module_has_hooks(module) || ctorch_value_len(batch) != 2) {
    return output_of_values(function, module, batch, out);
  }
  CTORCH_TRY(error_of(function, ctorch_value_get(&input, batch, 0)));
  ctorch_error *error = is_tensor(input) ? error_of(function, output_of_tensor(module, input, out))
                                         : output_of_values(function, module, batch, out);
  ctorch_value_release(input);
  return error;
}

static ctorch_error *forward(
    const char *function,
    ctorch_trainer *self,
    struct trainer_sums *sums,
    const ctorch_value *batch,
    ctorch_tensor **out,
    ctorch_value **out_output) {
  ctorch_value *output = NULL, *target = NULL;
  ctorch_tensor *loss = NULL;
  if (self->step_callback != NULL) {
    return by_callback(function, self, batch, out);
  }
  CTORCH_TRY(check_batch(function, batch));
  ctorch_error *error = error_of(function, ctorch_value_get(&target, batch, ctorch_value_len(batch) - 1));
  THEN(error, output_of(function, self->module, batch, &output));
  THEN(error, loss_of(function, self, output, target, &loss));
  if (error == NULL && sums != NULL && self->metrics_len + self->accumulated_len > 0) {
    error = without_gradients(function, self, sums, output, target, batch);
  }
  if (error == NULL) {
    *out = loss;
  } else {
    ctorch_tensor_release(loss);
  }
  if (error == NULL && out_output != NULL) {
    *out_output = output;
  } else {
    ctorch_value_release(output);
  }
  ctorch_value_release(target);
  return error;
}

ctorch_error *trainer_forward(
    const char *function,
    ctorch_trainer *self,
    struct trainer_sums *sums,
    const ctorch_value *batch,
    ctorch_tensor **out,
    ctorch_value **out_output) {
  if (!self->autocasts) {
    return forward(function, self, sums, batch, out, out_output);
  }
  const ctorch_dtype *dtype = self->has_dtype ? &self->autocast_dtype : NULL;
  CTORCH_TRY(error_of(function, ctorch_autocast_push(self->autocast_device, true, dtype, NULL)));
  ctorch_error *error = forward(function, self, sums, batch, out, out_output);
  ctorch_error *failure = ctorch_autocast_pop();
  if (error == NULL && failure != NULL) {
    ctorch_tensor_release(*out);
    *out = NULL;
    if (out_output != NULL) {
      ctorch_value_release(*out_output);
    }
    return error_of(function, failure);
  }
  ctorch_error_release(failure);
  return error;
}

/* Validation ------------------------------------------------------------------------------------------------------- */

static ctorch_error *go_over(
    const char *function, ctorch_trainer *self, struct trainer_sums *sums, ctorch_iterator *batches) {
  for (;;) {
    ctorch_value *batch = NULL;
    ctorch_tensor *loss = NULL;
    CTORCH_TRY(interrupt_check(function, self->interrupts));
    CTORCH_TRY(error_of(function, ctorch_iterator_next(&batch, batches)));
    if (batch == NULL) {
      return NULL;
    }
    ctorch_error *error = trainer_forward(function, self, sums, batch, &loss, NULL);
    THEN(error, trainer_add_loss(function, sums, loss));
    ctorch_tensor_release(loss);
    ctorch_value_release(batch);
    CTORCH_TRY(error);
  }
}

static ctorch_error *validate(
    const char *function, ctorch_trainer *self, ctorch_loader *loader, const char *before, ctorch_value *dict) {
  struct trainer_sums sums = {0};
  ctorch_iterator *batches = NULL;
  CTORCH_TRY(trainer_sums_begin(function, self, &sums));
  ctorch_error *error = error_of(function, ctorch_loader_iterate(&batches, loader));
  THEN(error, go_over(function, self, &sums, batches));
  ctorch_iterator_release(batches);
  if (error == NULL && sums.losses == 0) {
    error = error_make(function, CTORCH_ERROR_VALUE, "the loader for validation gave no batches");
  }
  THEN(error, trainer_put_means(function, self, &sums, before, dict));
  trainer_sums_end(&sums);
  return error;
}

ctorch_error *trainer_validate(
    const char *function, ctorch_trainer *self, ctorch_loader *loader, const char *before, ctorch_value *dict) {
  bool was_training = ctorch_module_training(self->module);
  CTORCH_TRY(error_of(function, ctorch_module_train(self->module, false)));
  ctorch_error *error = error_of(function, ctorch_grad_mode_push(false));
  if (error == NULL) {
    error = validate(function, self, loader, before, dict);
    ctorch_error *failure = ctorch_grad_mode_pop();
    error != NULL ? ctorch_error_release(failure) : (void)(error = error_of(function, failure));
  }
  ctorch_error *failure = ctorch_module_train(self->module, was_training);
  if (error != NULL) {
    ctorch_error_release(failure);
    return error;
  }
  return error_of(function, failure);
}
