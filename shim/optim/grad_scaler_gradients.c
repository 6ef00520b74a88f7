/* What a GradScaler does to gradients: it multiplies them, in lists of one device and dtype, and finds those that are
 * not finite. */
#include <stdlib.h>

#include "base/array.h"
#include "base/sequence.h"
#include "core/c/error.h"
#include "core/c/tensor.h"
#include "optim/grad_scaler.h"

/* What was found. */

void found_clear(struct found *self) {
  for (size_t i = 0; i < self->len; i++) {
    tensor_unref(self->data[i].inf);
    tensor_unref(self->data[i].inverse);
  }
  free(self->data);
  *self = (struct found){0};
}

ctorch_error *found_append(struct found *self, const struct found *other) {
  for (size_t i = 0; i < other->len; i++) {
    CTORCH_TRY(array_grow(__func__, &self->data, self->len, sizeof *self->data));
    self->data[self->len++] = (struct found_on){.device = other->data[i].device, .inf = tensor_ref(other->data[i].inf)};
  }
  return NULL;
}

ctorch_error *tensor_to_device_of(
    ctorch_tensor **out, const ctorch_tensor *tensor, const ctorch_tensor *where, bool copy) {
  ctorch_device device = {0};
  CTORCH_TRY(ctorch_tensor_device(&device, where));
  return ctorch_aten_to_device(out, tensor, &device, ctorch_tensor_dtype(tensor), true, copy, NULL);
}

ctorch_error *found_sum(ctorch_tensor **out, const struct found *self, const ctorch_tensor *where) {
  ctorch_tensor *sum = NULL;
  ctorch_error *error = NULL;
  for (size_t i = 0; error == NULL && i < self->len; i++) {
    ctorch_tensor *other = NULL;
    error = tensor_to_device_of(&other, self->data[i].inf, where, i == 0);
    if (i == 0) {
      sum = other;
      continue;
    }
    THEN(error, ctorch_aten_add__Tensor(sum, other, NULL));
    ctorch_tensor_release(other);
  }
  if (error != NULL) {
    ctorch_tensor_release(sum);
    return error;
  }
  *out = sum;
  return NULL;
}

ctorch_error *found_nothing(bool *out, const struct found *self) {
  double sum = 0;
  for (size_t i = 0; i < self->len; i++) {
    double inf = 0;
    CTORCH_TRY(ctorch_tensor_item_double(&inf, self->data[i].inf));
    sum += inf;
  }
  *out = sum == 0;
  return NULL;
}

/* Gradients. */

struct gradients {
  struct gradient {
    ctorch_tensor *tensor; /* owned; of a sparse one its values */
    ctorch_device device;
    bool is_done;
  } *data;
  size_t len;
  ctorch_tensor **list; /* those of one device and dtype, borrowed */
};

static void gradients_end(struct gradients *self) {
  for (size_t i = 0; i < self->len; i++) {
    ctorch_tensor_release(self->data[i].tensor);
  }
  free(self->data);
  free(self->list);
}

/* The values of a sparse gradient. Those of float16 are added up first where an index comes twice, which may overflow;
 * then that is the gradient. */
static ctorch_error *values_of(ctorch_tensor **out, ctorch_tensor *param, const ctorch_tensor *grad) {
  ctorch_tensor *coalesced = NULL;
  if (ctorch_tensor_dtype(grad) != CTORCH_DTYPE_FLOAT16) {
    return ctorch_aten__values(out, grad);
  }
  CTORCH_TRY(ctorch_aten_coalesce(&coalesced, grad));
  ctorch_error *error = ctorch_tensor_set_grad(param, coalesced);
  THEN(error, ctorch_aten__values(out, coalesced));
  ctorch_tensor_release(coalesced);
  return error;
}

static ctorch_error *add(const char *function, struct gradients *self, ctorch_tensor *param, bool allow_float16) {
  ctorch_tensor *grad = NULL;
  CTORCH_TRY(ctorch_tensor_grad(&grad, param));
  if (grad == NULL) {
    return NULL;
  }
  ctorch_error *error = array_grow(function, &self->data, self->len, sizeof *self->data);
  if (error == NULL && !allow_float16 && ctorch_tensor_dtype(grad) == CTORCH_DTYPE_FLOAT16) {
    error = error_make(
        function, CTORCH_ERROR_VALUE,
        "optimizer: a gradient is of float16, which cannot be unscaled; keep parameters of float32 and compute with "
        "autocast");
  }
  if (error == NULL && ctorch_tensor_layout(grad) == CTORCH_LAYOUT_SPARSE_COO) {
    ctorch_tensor *values = NULL;
    error = values_of(&values, param, grad);
    ctorch_tensor_release(grad);
    grad = values;
  }
  if (error == NULL) {
    struct gradient *entry = &self->data[self->len];
    *entry = (struct gradient){.tensor = grad};
    error = ctorch_tensor_device(&entry->device, grad);
  }
  if (error != NULL) {
    ctorch_tensor_release(grad);
    return error;
  }
  self->len++;
  return NULL;
}

static ctorch_error *collect(
    const char *function, struct gradients *self, const ctorch_optimizer *optimizer, bool allow_float16) {
  for (size_t i = 0; i < optimizer->len; i++) {
    for (size_t j = 0; j < optimizer->groups[i].len; j++) {
      CTORCH_TRY(add(function, self, optimizer->groups[i].params[j].tensor, allow_float16));
    }
  }
  self->list = malloc((self->len + 1) * sizeof *self->list);
  return self->list == NULL ? error_memory(function, (self->len + 1) * sizeof *self->list) : NULL;
}

static bool is_same_device(const ctorch_device *a, const ctorch_device *b) {
  return a->type == b->type && a->index == b->index;
}

/* The entry for a device, with tensors of its own there. */
static ctorch_error *found_on(
    const char *function,
    struct found *self,
    struct found_on **out,
    const struct gradient *gradient,
    const ctorch_tensor *inverse) {
  for (size_t i = 0; i < self->len; i++) {
    if (is_same_device(&self->data[i].device, &gradient->device)) {
      *out = &self->data[i];
      return NULL;
    }
  }
  ctorch_dtype dtype = CTORCH_DTYPE_FLOAT32;
  ctorch_tensor *inf = NULL, *there = NULL;
  CTORCH_TRY(array_grow(function, &self->data, self->len, sizeof *self->data));
  CTORCH_TRY(ctorch_aten_full(&inf, NULL, 0, CTORCH_FLOAT(0), &dtype, NULL, &gradient->device, NULL));
  ctorch_error *error = tensor_to_device_of(&there, inverse, gradient->tensor, false);
  if (error != NULL) {
    ctorch_tensor_release(inf);
    return error;
  }
  *out = &self->data[self->len++];
  **out = (struct found_on){gradient->device, tensor_take(inf), tensor_take(there)};
  return NULL;
}

/* All gradients like the first one that is not done yet, at once. */
static ctorch_error *unscale_like(
    const char *function, struct gradients *self, size_t first, struct found *found, const ctorch_tensor *inverse) {
  struct found_on *on = NULL;
  ctorch_dtype dtype = ctorch_tensor_dtype(self->data[first].tensor);
  size_t len = 0;
  CTORCH_TRY(found_on(function, found, &on, &self->data[first], inverse));
  for (size_t i = first; i < self->len; i++) {
    struct gradient *gradient = &self->data[i];
    if (!gradient->is_done && is_same_device(&gradient->device, &self->data[first].device) &&
        ctorch_tensor_dtype(gradient->tensor) == dtype) {
      gradient->is_done = true;
      self->list[len++] = gradient->tensor;
    }
  }
  return ctorch_aten__amp_foreach_non_finite_check_and_unscale_(self->list, len, on->inf, on->inverse);
}

ctorch_error *unscale_gradients(
    const char *function,
    struct found *found,
    const ctorch_optimizer *optimizer,
    const ctorch_tensor *inverse,
    bool allow_float16) {
  struct gradients gradients = {0};
  ctorch_error *error = collect(function, &gradients, optimizer, allow_float16);
  for (size_t i = 0; error == NULL && i < gradients.len; i++) {
    if (!gradients.data[i].is_done) {
      error = unscale_like(function, &gradients, i, found, inverse);
    }
  }
  gradients_end(&gradients);
  return error;
}
