/* package.h: running a package, with a look at its inputs before, and a count of the runs that are under way. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/c/error.h"
#include "export/package.h"

/* `in_use` counts what the state says; the object that it stands in is const for its users. */
static atomic_long *counter(const ctorch_package *self) { return &((ctorch_package *)(uintptr_t)self)->in_use; }

static ctorch_error *begin_run(const char *function, const ctorch_package *self) {
  long running = atomic_load(counter(self));
  do {
    if (running < 0) {
      return error_make(function, CTORCH_ERROR_RUNTIME, "the package's constants are being replaced by another thread");
    }
    if (running > 0 && self->single_threaded) {
      return error_make(
          function, CTORCH_ERROR_RUNTIME,
          "the package runs in another thread, and was loaded to run in one at a time (single_threaded)");
    }
  } while (!atomic_compare_exchange_weak(counter(self), &running, running + 1));
  return NULL;
}

static void end_run(const ctorch_package *self) { atomic_fetch_sub(counter(self), 1); }

static ctorch_error *check_inputs(
    const char *function, const ctorch_package *self, const ctorch_tensor *const *inputs, size_t inputs_len) {
  const int64_t count = compiled_model_num_inputs(self->model);
  if (inputs == NULL && inputs_len > 0) {
    return error_null(function, "inputs");
  }
  if (count >= 0 && (uint64_t)count != inputs_len) {
    return error_argument(function, "inputs", "the model takes %" PRId64 " tensors, got %zu", count, inputs_len);
  }
  for (size_t i = 0; i < inputs_len; i++) {
    if (inputs[i] == NULL) {
      char argument[40];
      snprintf(argument, sizeof argument, "inputs[%zu]", i);
      return error_null(function, argument);
    }
    if (ctorch_tensor_layout(inputs[i]) != CTORCH_LAYOUT_STRIDED) {
      return error_argument(function, "inputs", "[%zu]: compiled code takes tensors with strides alone", i);
    }
  }
  return self->trusts_inputs ? NULL : compiled_source_check(function, &self->source, inputs, inputs_len);
}

ctorch_error *ctorch_package_set_check_inputs(ctorch_package *self, bool enabled) {
  CTORCH_TRY(error_refusal(__func__));
  if (self == NULL) {
    return error_null(__func__, "self");
  }
  self->trusts_inputs = !enabled;
  return NULL;
}

ctorch_error *ctorch_package_run(
    ctorch_tensor_list **out, const ctorch_package *self, const ctorch_tensor *const *inputs, size_t inputs_len) {
  CTORCH_TRY(error_refusal(__func__));
  if (out == NULL || self == NULL) {
    return error_null(__func__, out == NULL ? "out" : "self");
  }
  CTORCH_TRY(check_inputs(__func__, self, inputs, inputs_len));
  CTORCH_TRY(begin_run(__func__, self));
  ctorch_error *error = compiled_model_run(__func__, out, self->model, inputs, inputs_len);
  end_run(self);
  return error;
}
