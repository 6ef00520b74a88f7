/* What a step changes together: states of parameters, and their gradients. */
#include "optim/list.h"

#include <stdlib.h>

#include "base/sequence.h"
#include "core/c/capture.h"
#include "core/c/error.h"

/* States. */

ctorch_dtype optimizer_number_dtype(bool is_fused) {
  return !is_fused && ctorch_defaults_dtype() == CTORCH_DTYPE_FLOAT64 ? CTORCH_DTYPE_FLOAT64 : CTORCH_DTYPE_FLOAT32;
}

void list_set_state(const struct optimizer_list *self, size_t state, size_t i, ctorch_tensor *tensor) {
  if (self->states[state][i] == NULL) {
    capture_refuse("the state of an optimizer is made, which only its first step does");
  }
  optimizer_set_state(self->entries[i], state, tensor);
  self->states[state][i] = tensor;
}

ctorch_error *list_begin_zeros(const struct optimizer_list *self, size_t state, size_t i) {
  static const ctorch_memory_format preserve = CTORCH_MEMORY_FORMAT_PRESERVE;
  ctorch_tensor *zeros = NULL;
  CTORCH_TRY(ctorch_aten_zeros_like(&zeros, self->entries[i]->tensor, NULL, NULL, NULL, NULL, &preserve));
  list_set_state(self, state, i, zeros);
  return NULL;
}

static ctorch_error *begin_number(
    const struct optimizer_list *self, size_t state, size_t i, double value, bool is_fused, bool is_there) {
  ctorch_device device = {.type = CTORCH_DEVICE_TYPE_CPU, .index = -1};
  ctorch_dtype dtype = optimizer_number_dtype(is_fused);
  ctorch_tensor *number = NULL;
  if (is_there) {
    CTORCH_TRY(ctorch_tensor_device(&device, self->entries[i]->tensor));
  }
  CTORCH_TRY(ctorch_aten_full(&number, NULL, 0, CTORCH_FLOAT(value), &dtype, NULL, &device, NULL));
  list_set_state(self, state, i, number);
  return NULL;
}

ctorch_error *list_begin_number(const struct optimizer_list *self, size_t state, size_t i, double value) {
  bool is_fused = self->flags->fused != NULL && *self->flags->fused;
  bool is_there = self->flags->capturable || is_fused || self->way == OPTIMIZER_FUSED;
  return begin_number(self, state, i, value, is_fused, is_there);
}

ctorch_error *list_begin_number_there(const struct optimizer_list *self, size_t state, size_t i, double value) {
  return begin_number(self, state, i, value, false, true);
}

bool tensor_is_complex(const ctorch_tensor *self) {
  ctorch_dtype dtype = ctorch_tensor_dtype(self);
  return dtype == CTORCH_DTYPE_COMPLEX64 || dtype == CTORCH_DTYPE_COMPLEX128 || dtype == CTORCH_DTYPE_COMPLEX32 ||
         dtype == CTORCH_DTYPE_BCOMPLEX32;
}

/* Steps. */

/* Where a number lies that can be read and written in place: a float or double of the CPU. NULL if it is none, or for
 * operators to note. */
static void *number_in_place(ctorch_tensor *tensor) {
  void *data = NULL;
  ctorch_dtype dtype = ctorch_tensor_dtype(tensor);
  if (capture_is_on() || ctorch_tensor_device_type(tensor) != CTORCH_DEVICE_TYPE_CPU ||
      ctorch_tensor_layout(tensor) != CTORCH_LAYOUT_STRIDED ||
      (dtype != CTORCH_DTYPE_FLOAT32 && dtype != CTORCH_DTYPE_FLOAT64) || ctorch_tensor_numel(tensor) != 1) {
    return NULL;
  }
  ctorch_error_release(ctorch_tensor_data(&data, tensor));
  return data;
}

ctorch_error *list_count_one(const struct optimizer_list *self, size_t state, size_t i) {
  ctorch_tensor *step = self->states[state][i];
  void *number = self->flags->differentiable ? NULL : number_in_place(step);
  if (number == NULL) {
    return ctorch_aten_add__Scalar(step, CTORCH_INT(1), NULL);
  }
  if (ctorch_tensor_dtype(step) == CTORCH_DTYPE_FLOAT32) {
    *(float *)number += 1;
  } else {
    *(double *)number += 1;
  }
  return NULL;
}

ctorch_error *list_count(const struct optimizer_list *self, size_t state) {
  if (self->len > 0 && ctorch_tensor_device_type(self->states[state][0]) != CTORCH_DEVICE_TYPE_CPU) {
    return ctorch_aten__foreach_add__Scalar(LIST(self->states[state], self), CTORCH_INT(1));
  }
  for (size_t i = 0; i < self->len; i++) {
    CTORCH_TRY(list_count_one(self, state, i));
  }
  return NULL;
}

ctorch_error *list_number(const struct optimizer_list *self, size_t state, size_t i, double *out) {
  const void *number = number_in_place(self->states[state][i]);
  if (number == NULL) {
    return ctorch_tensor_item_double(out, self->states[state][i]);
  }
  *out = ctorch_tensor_dtype(self->states[state][i]) == CTORCH_DTYPE_FLOAT32 ? *(const float *)number
                                                                             : *(const double *)number;
  return NULL;
}

ctorch_error *list_uncount(const struct optimizer_list *self, size_t state) {
  const ctorch_tensor *found_inf = self->optimizer->found_inf;
  ctorch_tensor *here = NULL;
  if (found_inf == NULL || self->len == 0) {
    return NULL;
  }
  ctorch_device device = {0};
  CTORCH_TRY(ctorch_tensor_device(&device, self->states[state][0]));
  CTORCH_TRY(ctorch_tensor_to(&here, found_inf, NULL, &device, true, false, NULL));
  ctorch_error *error = NULL;
  for (size_t i = 0; error == NULL && i < self->len; i++) {
    error = ctorch_aten_sub__Tensor(self->states[state][i], here, NULL);
  }
  ctorch_tensor_release(here);
  return error;
}

ctorch_scalar *list_scalars(const struct optimizer_list *self) {
  ctorch_scalar *scalars = calloc(self->len + 1, sizeof *scalars);
  for (size_t i = 0; scalars != NULL && i < self->len; i++) {
    scalars[i].kind = CTORCH_SCALAR_FLOAT;
  }
  return scalars;
}

/* Gradients. */

void list_drop_grads(struct optimizer_list *self) {
  ctorch_tensor_list_release(self->own_grads);
  self->own_grads = NULL;
}

void list_replace_grads(struct optimizer_list *self, ctorch_tensor_list *grads) {
  ctorch_tensor_list_release(self->own_grads);
  self->own_grads = grads;
  self->grads = list_data(grads);
}

ctorch_error *list_decay(struct optimizer_list *self, double weight_decay) {
  if (weight_decay == 0) {
    return NULL;
  }
  if (self->own_grads != NULL) {
    return ctorch_aten__foreach_add__List(
        LIST(self->grads, self), CONST_LIST(self->params, self), CTORCH_FLOAT(weight_decay));
  }
  ctorch_tensor_list *grads = NULL;
  CTORCH_TRY(ctorch_aten__foreach_add_List(
      &grads, CONST_LIST(self->grads, self), CONST_LIST(self->params, self), CTORCH_FLOAT(weight_decay)));
  list_replace_grads(self, grads);
  return NULL;
}

/* A complex parameter, of which the list has a view, decays as a whole: rounding is another one there. */
static ctorch_error *decay_whole(
    const struct optimizer_list *self, size_t i, double weight_decay, ctorch_tensor **own) {
  ctorch_tensor *grad = NULL, *sum = NULL;
  CTORCH_TRY(ctorch_aten_view_as_complex(&grad, self->grads[i]));
  ctorch_error *error = ctorch_aten_add_Tensor(&sum, grad, self->entries[i]->tensor, CTORCH_FLOAT(weight_decay));
  THEN(error, ctorch_aten_view_as_real(own, sum));
  ctorch_tensor_release(grad);
  ctorch_tensor_release(sum);
  return error;
}

ctorch_error *list_decay_one(
    const struct optimizer_list *self, size_t i, double weight_decay, ctorch_tensor **grad, ctorch_tensor **own) {
  *own = NULL;
  *grad = self->grads[i];
  if (weight_decay == 0) {
    return NULL;
  }
  bool is_viewed = ctorch_tensor_dtype(self->params[i]) != ctorch_tensor_dtype(self->entries[i]->tensor);
  CTORCH_TRY(
      is_viewed ? decay_whole(self, i, weight_decay, own)
                : ctorch_aten_add_Tensor(own, self->grads[i], self->params[i], CTORCH_FLOAT(weight_decay)));
  *grad = *own;
  return NULL;
}

ctorch_error *list_decay_view(
    const struct optimizer_list *self, size_t i, double weight_decay, ctorch_tensor **grad, ctorch_tensor **own) {
  *own = NULL;
  *grad = self->grads[i];
  if (weight_decay != 0) {
    CTORCH_TRY(ctorch_aten_add_Tensor(own, self->grads[i], self->params[i], CTORCH_FLOAT(weight_decay)));
    *grad = *own;
  }
  return NULL;
}

/* Parts. */

static void swap(ctorch_tensor **row, size_t i, size_t j) {
  ctorch_tensor *before = row[i];
  row[i] = row[j];
  row[j] = before;
}

void list_swap(struct optimizer_list *self, size_t i, size_t j) {
  struct optimizer_param *entry = self->entries[i];
  self->entries[i] = self->entries[j];
  self->entries[j] = entry;
  swap(self->params, i, j);
  swap(self->grads, i, j);
  for (size_t s = 0; s < OPTIMIZER_STATES; s++) {
    swap(self->states[s], i, j);
  }
}

struct optimizer_list list_from(const struct optimizer_list *self, size_t first) {
  struct optimizer_list rest = *self;
  rest.len -= first;
  rest.entries += first;
  rest.params += first;
  rest.grads += first;
  for (size_t s = 0; s < OPTIMIZER_STATES; s++) {
    rest.states[s] += first;
  }
  return rest;
}
