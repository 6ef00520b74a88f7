/* Modules that capture themselves: <ctorch/module_tape.h>. */
#include "module_tape.h"

#include <stdlib.h>

#include "ctorch/module_tape.h"
#include "error.h"
#include "module_hooks.h"

enum { DEEPEST = 100 };

bool module_is_taped(const ctorch_module *self) { return module_hooks_tapes(self->hooks) != NULL; }

/* What a module computes depends on which modules it has, and which of them train. */
static uint64_t signature_of(const ctorch_module *self, uint64_t signature, int depth) {
  signature = (signature ^ (uintptr_t)self) * 1099511628211U; /* FNV-1a */
  signature = (signature ^ (module_is_training(self) ? 1 : 2)) * 1099511628211U;
  for (size_t i = 0; depth < DEEPEST && i < self->children.len; i++) {
    if (self->children.data[i].module != NULL) {
      signature = signature_of(self->children.data[i].module, signature, depth + 1);
    }
  }
  return signature;
}

ctorch_error *module_tape_begin(
    const char *function,
    struct tapes_call *call,
    ctorch_module *self,
    const ctorch_tensor *const *inputs,
    size_t inputs_len) {
  *call = (struct tapes_call){.what = TAPES_RUN};
  if (ctorch_grad_mode_enabled()) {
    return NULL;
  }
  struct tapes *tapes = module_hooks_tapes(self->hooks);
  return tapes_begin(function, call, tapes, inputs, inputs_len, signature_of(self, 14695981039346656037U, 0));
}

ctorch_error *module_tensors_of(
    const char *function, struct module_tensors_of *out, bool *is_plain, const ctorch_value *value) {
  *out = (struct module_tensors_of){.kind = ctorch_value_kind_of(value)};
  *is_plain = out->kind == CTORCH_VALUE_TENSOR || out->kind == CTORCH_VALUE_TUPLE || out->kind == CTORCH_VALUE_LIST;
  size_t len = out->kind == CTORCH_VALUE_TENSOR ? 1 : ctorch_value_len(value);
  if (!*is_plain) {
    return NULL;
  }
  out->data = calloc(len + 1, sizeof *out->data);
  if (out->data == NULL) {
    return error_memory(function, (len + 1) * sizeof *out->data);
  }
  if (out->kind == CTORCH_VALUE_TENSOR) {
    out->len = 1;
    return ctorch_value_to_tensor(&out->data[0], value);
  }
  ctorch_error *error = NULL;
  for (size_t i = 0; error == NULL && *is_plain && i < len; i++) {
    ctorch_value *entry = NULL;
    error = ctorch_value_get(&entry, value, i);
    *is_plain = error == NULL && ctorch_value_kind_of(entry) == CTORCH_VALUE_TENSOR;
    if (*is_plain) {
      error = ctorch_value_to_tensor(&out->data[i], entry);
      out->len += error == NULL ? 1 : 0;
    }
    ctorch_value_release(entry);
  }
  return error;
}

void module_tensors_end(struct module_tensors_of *self) {
  for (size_t i = 0; i < self->len; i++) {
    ctorch_tensor_release(self->data[i]);
  }
  free(self->data);
  *self = (struct module_tensors_of){0};
}

static ctorch_error *copy_of(ctorch_value **out, const ctorch_tensor *tensor) {
  ctorch_tensor *copy = NULL;
  CTORCH_TRY(ctorch_aten_clone(&copy, tensor, NULL));
  ctorch_error *error = ctorch_value_from_tensor(out, copy);
  ctorch_tensor_release(copy);
  return error;
}

ctorch_error *module_tape_result(const char *function, ctorch_value **out, const struct tapes_call *call) {
  if (call->kind == CTORCH_VALUE_TENSOR) {
    return error_of(function, copy_of(out, call->outputs[0]));
  }
  size_t made = 0;
  ctorch_value **values = calloc(call->outputs_len + 1, sizeof *values);
  ctorch_error *error = values == NULL ? error_memory(function, (call->outputs_len + 1) * sizeof *values) : NULL;
  while (error == NULL && made < call->outputs_len) {
    error = copy_of(&values[made], call->outputs[made]);
    made += error == NULL ? 1 : 0;
  }
  if (error == NULL) {
    const ctorch_value *const *entries = (const ctorch_value *const *)values;
    error = call->kind == CTORCH_VALUE_TUPLE ? ctorch_value_from_tuple(out, entries, made)
                                             : ctorch_value_from_list(out, entries, made);
  }
  while (made > 0) {
    ctorch_value_release(values[--made]);
  }
  free(values);
  return error_of(function, error);
}

/* What is exported. */

ctorch_error *ctorch_module_set_tape(ctorch_module *self, int64_t most, bool fast) {
  CTORCH_TRY(error_refusal(__func__));
  if (self == NULL) {
    return error_null(__func__, "self");
  }
  return module_set_tapes(__func__, self, most, fast);
}
