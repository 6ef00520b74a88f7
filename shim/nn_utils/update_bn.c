/* Running statistics computed anew: ctorch_module_update_bn of <ctorch/nn_utils/module_average.h>. */
#include <stdlib.h>

#include "base/callback.h"
#include "base/sequence.h"
#include "core/c/error.h"
#include "core/c/tensor.h"
#include "module/walk.h"
#include "nn/normalization.h"

/* A source of batches: a list, or a callback where there is one. */
struct source {
  const char *function;
  const ctorch_tensor *const *batches;
  size_t len, at;
  ctorch_tensors_callback loader;
  void *payload;
  const ctorch_device *device;
};

/* The next batch, owned; NULL at the end. */
static ctorch_error *next_batch(ctorch_tensor **out, struct source *self) {
  if (self->loader == NULL) {
    return self->at == self->len ? NULL : tensor_give(self->function, out, self->batches[self->at++]);
  }
  ctorch_tensor_list *list = NULL;
  ctorch_error *failure = NULL;
  ctorch_callback_status status = self->loader(&list, NULL, 0, &failure, self->payload);
  ctorch_error *error = callback_error(self->function, "loader", status, failure);
  if (error == NULL && ctorch_tensor_list_len(list) > 0) {
    error = ctorch_tensor_list_data(list)[0] == NULL
                ? error_make(self->function, CTORCH_ERROR_RUNTIME, "loader: a batch is NULL")
                : ctorch_tensor_list_get(out, list, 0);
  }
  ctorch_tensor_list_release(list);
  return error;
}

static ctorch_error *run_batches(ctorch_module *model, struct source *source) {
  while (true) {
    struct steps s = {0};
    CTORCH_TRY(next_batch(&s.at, source));
    if (s.at == NULL) {
      return NULL;
    }
    if (source->device != NULL) {
      STEP(&s, ctorch_tensor_to(&s.next, s.at, NULL, source->device, false, false, NULL));
    }
    STEP(&s, ctorch_module_forward(&s.next, model, s.at));
    ctorch_tensor_release(s.at);
    CTORCH_TRY(s.error);
  }
}

static ctorch_error *update(ctorch_module *model, struct source *source, const ctorch_named_modules *all) {
  bool *had = calloc(all->len, sizeof *had), training = module_is_training(model), any = false;
  ctorch_error *error = had == NULL ? error_memory(source->function, all->len * sizeof *had) : NULL;
  for (size_t i = 0; error == NULL && i < all->len; i++) {
    if (norm_is_of_batches(all->data[i].module)) {
      any = true;
      error = norm_reset_statistics(all->data[i].module);
    }
  }
  if (error != NULL || !any) {
    free(had);
    return error;
  }
  error = ctorch_module_train(model, true);
  for (size_t i = 0; i < all->len; i++) {
    struct norm *norm = (struct norm *)all->data[i].module;
    if (norm_is_of_batches(&norm->module)) {
      had[i] = norm->has_momentum;
      norm->has_momentum = false;
    }
  }
  THEN(error, run_batches(model, source));
  for (size_t i = 0; i < all->len; i++) {
    struct norm *norm = (struct norm *)all->data[i].module;
    if (norm_is_of_batches(&norm->module)) {
      norm->has_momentum = had[i];
    }
  }
  free(had);
  return ctorch_error_first(error, ctorch_module_train(model, training));
}

static ctorch_error *update_without_gradients(ctorch_module *model, struct source *source) {
  ctorch_named_modules *all = NULL;
  if (source->device != NULL) {
    CTORCH_TRY(error_unless_device(source->function, "device", source->device));
  }
  CTORCH_TRY(module_walk(source->function, &all, model, NULL, true, true));
  ctorch_error *error = ctorch_grad_mode_push(false);
  if (error == NULL) {
    error = update(model, source, all);
    error = ctorch_error_first(error, ctorch_grad_mode_pop());
  }
  object_unref(all);
  return error;
}

ctorch_error *ctorch_module_update_bn(
    ctorch_module *self, const ctorch_tensor *const *batches, size_t batches_len, const ctorch_device *device) {
  CTORCH_TRY(error_refusal(__func__));
  if (self == NULL || (batches == NULL && batches_len > 0)) {
    return error_null(__func__, self == NULL ? "self" : "batches");
  }
  if (batches_len > SIZE_MAX / sizeof *batches / 2) {
    return error_argument(__func__, "batches", "absurd length %zu", batches_len);
  }
  for (size_t i = 0; i < batches_len; i++) {
    if (batches[i] == NULL) {
      return error_argument(__func__, "batches", "element %zu is NULL", i);
    }
  }
  struct source source = {.function = __func__, .batches = batches, .len = batches_len, .device = device};
  return update_without_gradients(self, &source);
}

ctorch_error *ctorch_module_update_bn_from(
    ctorch_module *self, ctorch_tensors_callback loader, void *payload, const ctorch_device *device) {
  CTORCH_TRY(error_refusal(__func__));
  if (self == NULL || loader == NULL) {
    return error_null(__func__, self == NULL ? "self" : "loader");
  }
  struct source source = {.function = __func__, .loader = loader, .payload = payload, .device = device};
  return update_without_gradients(self, &source);
}
