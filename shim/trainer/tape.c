/* Steps that are captured and replayed: forward pass, backward pass and the optimizer's step as one. */
#include "module/tape.h"
#include "base/sequence.h"
#include "core/c/error.h"
#include "core/c/tensor.h"
#include "data/iterator.h"
#include "trainer/trainer.h"

static const char FIT[] = "ctorch_trainer_fit";

ctorch_error *trainer_tape_check(const ctorch_trainer *self) {
  const char *problem = self->accumulation > 1 ? "batches are accumulated"
                        : self->scaler != NULL ? "a scaler is used"
                                               : NULL;
  for (size_t i = 0; i < self->callbacks_len; i++) {
    problem = self->callbacks[i].event == CTORCH_TRAINER_EVENT_GRADIENTS ? "a callback is to see gradients" : problem;
  }
  return problem == NULL ? NULL
                         : error_make(
                               FIT, CTORCH_ERROR_VALUE,
                               "the trainer was told to capture its steps, which it cannot where %s", problem);
}

/* The loss without its graph, and what the model gave, if metrics want that. */
struct results {
  ctorch_tensor *data[2];
  size_t len;
};

static ctorch_error *run(
    ctorch_trainer *self, const ctorch_value *batch, ctorch_error *(*step)(ctorch_trainer *), struct results *out) {
  ctorch_tensor *loss = NULL;
  ctorch_value *output = NULL;
  bool has_metrics = self->metrics_len + self->accumulated_len > 0;
  CTORCH_TRY(trainer_forward(FIT, self, NULL, batch, &loss, has_metrics ? &output : NULL));
  ctorch_error *error = error_of(FIT, ctorch_tensor_backward(loss, NULL, NULL, false));
  THEN(error, error_of(FIT, ctorch_aten_detach(&out->data[0], loss)));
  out->len = error == NULL ? 1 : 0;
  ctorch_tensor_release(loss);
  if (error == NULL && output != NULL) {
    ctorch_tensor *given = NULL;
    error = ctorch_value_kind_of(output) != CTORCH_VALUE_TENSOR
                ? error_make(FIT, CTORCH_ERROR_VALUE, "metrics of captured steps are of models that give a tensor")
                : error_of(FIT, ctorch_value_to_tensor(&given, output));
    THEN(error, error_of(FIT, ctorch_aten_detach(&out->data[1], given)));
    out->len += error == NULL ? 1 : 0;
    ctorch_tensor_release(given);
  }
  ctorch_value_release(output);
  return error != NULL ? error : step(self);
}

/* What the loop wants to know of a step. */
static ctorch_error *account(
    ctorch_trainer *self, const ctorch_value *batch, const ctorch_tensor *const *results, size_t len) {
  tensor_unref(self->last_loss);
  self->last_loss = tensor_ref((ctorch_tensor *)results[0]);
  CTORCH_TRY(trainer_add_loss(FIT, &self->sums, self->last_loss));
  return len == 1 ? NULL : trainer_add_metrics(FIT, self, &self->sums, results[1], batch);
}

/* The tensors of a batch, which are to be all; to be ended also after an error. */
static ctorch_error *tensors_of(const ctorch_value *batch, struct module_tensors_of *out) {
  bool is_plain = false;
  CTORCH_TRY(module_tensors_of(FIT, out, &is_plain, batch));
  return is_plain ? NULL
                  : error_make(
                        FIT, CTORCH_ERROR_VALUE,
                        "a batch is a %s with more than tensors, and steps are captured of lists of tensors",
                        ctorch_value_kind_name(ctorch_value_kind_of(batch)));
}

ctorch_error *trainer_tape_batch(
    ctorch_trainer *self, const ctorch_value *batch, ctorch_error *(*step)(ctorch_trainer *)) {
  struct tapes_call call = {.what = TAPES_RUN};
  struct module_tensors_of inputs = {0};
  struct results results = {{NULL}, 0};
  ctorch_error *error = tensors_of(batch, &inputs);
  if (error == NULL) {
    module_tensors_unite(&inputs);
    error = tapes_begin(FIT, &call, self->tapes, (const ctorch_tensor *const *)inputs.data, inputs.len, inputs.form);
  }
  if (error == NULL && call.what == TAPES_REPLAYED) {
    error = account(self, batch, call.outputs, call.outputs_len);
  } else if (error == NULL) {
    error = run(self, batch, step, &results);
    const ctorch_tensor *const *given = (const ctorch_tensor *const *)results.data;
    error = tapes_end(FIT, &call, error, given, results.len, NULL);
    THEN(error, account(self, batch, given, results.len));
  }
  tapes_leave(&call);
  for (size_t i = 0; i < 2; i++) {
    ctorch_tensor_release(results.data[i]);
  }
  module_tensors_end(&inputs);
  return error;
}

ctorch_error *ctorch_trainer_set_tape(ctorch_trainer *self, int64_t most, bool fast) {
  CTORCH_TRY(error_refusal(__func__));
  if (self == NULL) {
    return error_null(__func__, "self");
  }
  if (self->is_at_work) {
    return error_make(__func__, CTORCH_ERROR_RUNTIME, "the trainer is at work");
  }
  return tapes_set(__func__, &self->tapes, most, fast);
}
