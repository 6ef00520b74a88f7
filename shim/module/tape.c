/* Modules that capture themselves: <ctorch/module/module_tape.h>. */
#include "module/tape.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/sequence.h"
#include "core/c/error.h"
#include "ctorch/module/module_tape.h"
#include "module/hooks.h"

enum { DEEPEST = 100 };

/* FNV-1a */
static const uint64_t FIRST = 14695981039346656037U;

static uint64_t mixed(uint64_t hash, uint64_t number) { return (hash ^ number) * 1099511628211U; }

bool module_is_taped(const ctorch_module *self) { return module_hooks_tapes(self->hooks) != NULL; }

/* What a module computes depends on which modules it has, and which of them train. */
static uint64_t signature_of(const ctorch_module *self, uint64_t signature, int depth) {
  signature = mixed(mixed(signature, (uintptr_t)self), module_is_training(self) ? 1 : 2);
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
    size_t inputs_len,
    uint64_t form) {
  *call = (struct tapes_call){.what = TAPES_RUN};
  if (ctorch_grad_mode_enabled()) {
    return NULL;
  }
  struct tapes *tapes = module_hooks_tapes(self->hooks);
  return tapes_begin(function, call, tapes, inputs, inputs_len, signature_of(self, mixed(FIRST, form), 0));
}

/* Nested tensors --------------------------------------------------------------------------------------------------- */

static bool is_nest(ctorch_value_kind kind) { return kind == CTORCH_VALUE_TUPLE || kind == CTORCH_VALUE_LIST; }

static ctorch_error *gather(
    const char *function, struct module_tensors_of *out, bool *is_plain, const ctorch_value *value, int depth) {
  ctorch_value_kind kind = ctorch_value_kind_of(value);
  size_t len = is_nest(kind) ? ctorch_value_len(value) : 0;
  out->form = mixed(mixed(out->form, (uint64_t)kind), len);
  *is_plain = depth < DEEPEST && (is_nest(kind) || kind == CTORCH_VALUE_TENSOR || kind == CTORCH_VALUE_NONE);
  if (*is_plain && kind == CTORCH_VALUE_TENSOR) {
    CTORCH_TRY(array_grow(function, &out->data, out->len, sizeof *out->data));
    CTORCH_TRY(ctorch_value_to_tensor(&out->data[out->len], value));
    out->len++;
  }
  ctorch_error *error = NULL;
  for (size_t i = 0; error == NULL && *is_plain && i < len; i++) {
    ctorch_value *entry = NULL;
    error = ctorch_value_get(&entry, value, i);
    THEN(error, gather(function, out, is_plain, entry, depth + 1));
    ctorch_value_release(entry);
  }
  return error;
}

ctorch_error *module_tensors_of(
    const char *function, struct module_tensors_of *out, bool *is_plain, const ctorch_value *value) {
  *out = (struct module_tensors_of){.form = FIRST};
  return gather(function, out, is_plain, value, 0);
}

/* NULL also for what has no memory of its own. */
static const void *address_of(const ctorch_tensor *tensor) {
  const void *address = NULL;
  if (ctorch_tensor_layout(tensor) == CTORCH_LAYOUT_STRIDED) {
    ctorch_error_release(ctorch_tensor_const_data(&address, tensor));
  }
  return address;
}

static bool is_same(const ctorch_tensor *one, const ctorch_tensor *other) {
  size_t ndim = (size_t)ctorch_tensor_ndim(one), size = ndim * sizeof(int64_t);
  return address_of(one) != NULL && address_of(one) == address_of(other) &&
         ctorch_tensor_dtype(one) == ctorch_tensor_dtype(other) && ndim == (size_t)ctorch_tensor_ndim(other) &&
         memcmp(ctorch_tensor_sizes(one), ctorch_tensor_sizes(other), size) == 0 &&
         memcmp(ctorch_tensor_strides(one), ctorch_tensor_strides(other), size) == 0;
}

void module_tensors_unite(struct module_tensors_of *self) {
  size_t kept = 0;
  for (size_t i = 0; i < self->len; i++) {
    size_t first = 0;
    while (first < kept && !is_same(self->data[first], self->data[i])) {
      first++;
    }
    self->form = mixed(self->form, first);
    if (first < kept) {
      ctorch_tensor_release(self->data[i]);
    } else {
      self->data[kept++] = self->data[i];
    }
  }
  self->len = kept;
}

void module_tensors_end(struct module_tensors_of *self) {
  for (size_t i = 0; i < self->len; i++) {
    ctorch_tensor_release(self->data[i]);
  }
  free(self->data);
  *self = (struct module_tensors_of){0};
}

/* What becomes of a value that is no tuple and no list. */
typedef ctorch_error *leaf_function(ctorch_value **out, const ctorch_value *leaf, void *payload);

static ctorch_error *nest_of(ctorch_value **out, const ctorch_value *value, leaf_function *leaf_of, void *payload) {
  ctorch_value_kind kind = ctorch_value_kind_of(value);
  if (!is_nest(kind)) {
    return leaf_of(out, value, payload);
  }
  size_t len = ctorch_value_len(value), made = 0;
  ctorch_value **entries = calloc(len + 1, sizeof *entries);
  ctorch_error *error = entries == NULL ? error_memory("ctorch_module_call", (len + 1) * sizeof *entries) : NULL;
  while (error == NULL && made < len) {
    ctorch_value *entry = NULL;
    error = ctorch_value_get(&entry, value, made);
    THEN(error, nest_of(&entries[made], entry, leaf_of, payload));
    ctorch_value_release(entry);
    made += error == NULL ? 1 : 0;
  }
  if (error == NULL) {
    const ctorch_value *const *given = (const ctorch_value *const *)entries;
    error = kind == CTORCH_VALUE_TUPLE ? ctorch_value_from_tuple(out, given, made)
                                       : ctorch_value_from_list(out, given, made);
  }
  while (made > 0) {
    ctorch_value_release(entries[--made]);
  }
  free(entries);
  return error;
}

static ctorch_error *number_of(ctorch_value **out, const ctorch_value *leaf, void *payload) {
  int64_t *next = payload;
  return ctorch_value_kind_of(leaf) == CTORCH_VALUE_TENSOR ? ctorch_value_from_int(out, (*next)++)
                                                           : ctorch_value_from_none(out);
}

ctorch_error *module_outline_of(const char *function, ctorch_value **out, const ctorch_value *value) {
  int64_t next = 0;
  return error_of(function, nest_of(out, value, number_of, &next));
}

static ctorch_error *output_of(ctorch_value **out, const ctorch_value *leaf, void *payload) {
  const struct tapes_call *call = payload;
  if (ctorch_value_kind_of(leaf) == CTORCH_VALUE_NONE) {
    return ctorch_value_from_none(out);
  }
  int64_t number = 0;
  ctorch_tensor *copy = NULL;
  CTORCH_TRY(ctorch_value_to_int(&number, leaf));
  CTORCH_TRY(ctorch_aten_clone(&copy, call->outputs[number], NULL));
  ctorch_error *error = ctorch_value_from_tensor(out, copy);
  ctorch_tensor_release(copy);
  return error;
}

ctorch_error *module_tape_result(const char *function, ctorch_value **out, const struct tapes_call *call) {
  return error_of(function, nest_of(out, call->outline, output_of, (void *)call));
}

/* What is exported. */

ctorch_error *ctorch_module_set_tape(ctorch_module *self, int64_t most, bool fast) {
  CTORCH_TRY(error_refusal(__func__));
  if (self == NULL) {
    return error_null(__func__, "self");
  }
  return module_set_tapes(__func__, self, most, fast);
}
