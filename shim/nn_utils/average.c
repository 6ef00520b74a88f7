/* Averages of models over training: <ctorch/nn_utils/module_average.h>. */
#include <math.h>
#include <stdlib.h>

#include "base/array.h"
#include "base/callback.h"
#include "base/sequence.h"
#include "base/text.h"
#include "core/c/error.h"
#include "core/c/payload.h"
#include "core/c/tensor.h"
#include "module/hooks.h"
#include "module/layer.h"

#define FUNCTION "ctorch_module_update_parameters"

enum { MODULE };     /* the child */
enum { N_AVERAGED }; /* the buffer */

/* A function of the caller's, for an average and its copies. */
struct averaging {
  ctorch_tensors_callback callback;
  void (*destroy)(void *payload);
  void *payload;
};

static void finalize_averaging(void *object) {
  struct averaging *self = object;
  payload_destroy(self->destroy, self->payload);
}

static const object_class averaging_class = {"averaging", sizeof(struct averaging), finalize_averaging};

struct averaged {
  ctorch_module module;
  struct averaging *function; /* a reference; NULL for those that are known */
  double decay;
  bool has_decay, has_foreach, foreach, multi, use_buffers;
};

static void finalize(void *object) {
  object_unref(((struct averaged *)object)->function);
  module_finalize(object);
}

static ctorch_error *copied(const char *function, ctorch_module *self) {
  (void)function;
  object_ref(((struct averaged *)self)->function);
  return NULL;
}

static ctorch_error *call(
    ctorch_module *self, ctorch_value **out, const ctorch_value *args, const ctorch_value *kwargs) {
  ctorch_module *model = object_ref(module_child_at(self, MODULE));
  if (model == NULL) {
    return error_make("ctorch_module_call", CTORCH_ERROR_RUNTIME, "the average has no module any more");
  }
  ctorch_error *error = module_call("ctorch_module_call", out, model, args, kwargs);
  object_unref(model);
  return error;
}

static const module_class averaged_class = {
    .object = {"module", sizeof(struct averaged), finalize}, .name = "AveragedModel", .call = call, .copied = copied};

/* The average. */

/* One device and dtype of the tensors to be averaged, all owned. */
struct group {
  ctorch_tensor **averaged, **current;
  size_t len;
  ctorch_tensor *count; /* of models averaged so far, on that device */
};

static const ctorch_tensor *const *as_const(ctorch_tensor *const *tensors) {
  return (const ctorch_tensor *const *)tensors;
}

/* Whether tensors can be interpolated: floating point or complex. */
static ctorch_error *is_continuous(bool *out, const ctorch_tensor *tensor) {
  CTORCH_TRY(ctorch_aten_is_floating_point(out, tensor));
  return *out ? NULL : ctorch_aten_is_complex(out, tensor);
}

static ctorch_error *copy_result(ctorch_tensor *to, struct steps *s) {
  ctorch_tensor *result = NULL;
  CTORCH_TRY(steps_end(s, &result));
  ctorch_error *error = ctorch_aten_copy_(to, result, false);
  ctorch_tensor_release(result);
  return error;
}

/* averaged + (current - averaged) / (n + 1). */
static ctorch_error *swa_one(const struct group *group, size_t i) {
  const ctorch_scalar one = whole(1);
  ctorch_tensor *count = NULL;
  struct steps s = {0};
  CTORCH_TRY(ctorch_aten_add_Scalar(&count, group->count, &one, NULL));
  STEP(&s, ctorch_aten_sub_Tensor(&s.next, group->current[i], group->averaged[i], NULL));
  STEP(&s, ctorch_aten_div_Tensor(&s.next, s.at, count));
  STEP(&s, ctorch_aten_add_Tensor(&s.next, group->averaged[i], s.at, NULL));
  ctorch_tensor_release(count);
  return copy_result(group->averaged[i], &s);
}

/* decay * averaged + (1 - decay) * current. */
static ctorch_error *ema_one(const struct group *group, size_t i, double decay) {
  const ctorch_scalar stays = floating(decay), comes = floating(1 - decay);
  ctorch_tensor *part = NULL;
  struct steps s = {0};
  CTORCH_TRY(ctorch_aten_mul_Scalar(&part, group->current[i], &comes));
  STEP(&s, ctorch_aten_mul_Scalar(&s.next, group->averaged[i], &stays));
  STEP(&s, ctorch_aten_add_Tensor(&s.next, s.at, part, NULL));
  ctorch_tensor_release(part);
  return copy_result(group->averaged[i], &s);
}

static ctorch_error *lerp(const struct group *group, double weight) {
  const ctorch_scalar by = floating(weight);
  return ctorch_aten__foreach_lerp__Scalar(group->averaged, group->len, as_const(group->current), group->len, &by);
}

/* Operators on lists; those that interpolate have none for integers. */
static ctorch_error *swa_all(const struct group *group) {
  const ctorch_scalar one = whole(1);
  struct steps s = {0};
  bool continuous = false;
  CTORCH_TRY(is_continuous(&continuous, group->averaged[0]));
  if (continuous) {
    double weight = 0;
    STEP(&s, ctorch_aten_add_Scalar(&s.next, group->count, &one, NULL));
    STEP(&s, ctorch_aten_reciprocal(&s.next, s.at)); /* in the default dtype, as Python rounds it */
    THEN(s.error, ctorch_tensor_item_double(&weight, s.at));
    ctorch_tensor_release(s.at);
    return s.error != NULL ? s.error : lerp(group, weight);
  }
  ctorch_tensor_list *differences = NULL;
  ctorch_tensor *count = NULL;
  const ctorch_tensor **counts = calloc(group->len, sizeof *counts);
  ctorch_error *error = counts == NULL ? error_memory(FUNCTION, group->len * sizeof *counts)
                                       : ctorch_aten_add_Scalar(&count, group->count, &one, NULL);
  for (size_t i = 0; error == NULL && i < group->len; i++) {
    counts[i] = count;
  }
  THEN(
      error, ctorch_aten__foreach_sub_List(
                 &differences, as_const(group->current), group->len, as_const(group->averaged), group->len, NULL));
  THEN(
      error,
      ctorch_aten__foreach_addcdiv__Scalar(
          group->averaged, group->len, ctorch_tensor_list_data(differences), group->len, counts, group->len, NULL));
  ctorch_tensor_list_release(differences);
  ctorch_tensor_release(count);
  free(counts);
  return error;
}

/* What a function of the caller's makes of some inputs, in the place of as many tensors of the average. */
static ctorch_error *ask(
    const struct averaging *function,
    ctorch_tensor *const *averaged,
    size_t len,
    const ctorch_tensor *const *inputs,
    size_t inputs_len) {
  ctorch_tensor_list *results = NULL;
  ctorch_error *failure = NULL;
  ctorch_callback_status status = function->callback(&results, inputs, inputs_len, &failure, function->payload);
  ctorch_error *error = callback_error(FUNCTION, "function", status, failure);
  size_t got = error == NULL ? ctorch_tensor_list_len(results) : len;
  if (got != len) {
    error = error_make(FUNCTION, CTORCH_ERROR_RUNTIME, "the averaging function gave %zu tensors, not %zu", got, len);
  }
  for (size_t i = 0; error == NULL && i < len; i++) {
    const ctorch_tensor *result = ctorch_tensor_list_data(results)[i];
    error = result == NULL ? error_make(FUNCTION, CTORCH_ERROR_RUNTIME, "the averaging function gave NULL")
                           : ctorch_aten_copy_(averaged[i], result, false);
  }
  ctorch_tensor_list_release(results);
  return error;
}

static ctorch_error *ask_all(const struct averaged *self, const struct group *group) {
  if (!self->multi) {
    ctorch_error *error = NULL;
    for (size_t i = 0; error == NULL && i < group->len; i++) {
      const ctorch_tensor *const inputs[] = {group->averaged[i], group->current[i], group->count};
      error = ask(self->function, &group->averaged[i], 1, inputs, 3);
    }
    return error;
  }
  size_t len = 2 * group->len + 1;
  const ctorch_tensor **inputs = calloc(len, sizeof *inputs);
  if (inputs == NULL) {
    return error_memory(FUNCTION, len * sizeof *inputs);
  }
  for (size_t i = 0; i < group->len; i++) {
    inputs[i] = group->averaged[i];
    inputs[group->len + i] = group->current[i];
  }
  inputs[len - 1] = group->count;
  ctorch_error *error = ask(self->function, group->averaged, group->len, inputs, len);
  free(inputs);
  return error;
}

static ctorch_error *average_group(const struct averaged *self, const struct group *group) {
  if (self->function != NULL) {
    return ask_all(self, group);
  }
  ctorch_device device = {0};
  CTORCH_TRY(ctorch_tensor_device(&device, group->averaged[0]));
  bool foreach = self->has_foreach ? self->foreach : self->has_decay || device.type != CTORCH_DEVICE_TYPE_CPU;
  if (foreach && !self->has_decay) {
    return swa_all(group);
  }
  ctorch_error *error = NULL;
  bool continuous = false;
  CTORCH_TRY(is_continuous(&continuous, group->averaged[0]));
  if (foreach && continuous) {
    return lerp(group, 1 - self->decay);
  }
  for (size_t i = 0; error == NULL && i < group->len; i++) {
    error = self->has_decay ? ema_one(group, i, self->decay) : swa_one(group, i);
  }
  return error;
}

/* Tensors of the average, and of the model on their devices; `len` of each, owned, as are the arrays. */
struct tensors {
  ctorch_tensor **averaged, **current;
  size_t len;
};

static ctorch_error *add_pair(struct tensors *self, const ctorch_tensor *averaged, const ctorch_tensor *current) {
  ctorch_device device = {0};
  struct steps to = {0}, from = {0};
  CTORCH_TRY(ctorch_tensor_device(&device, averaged));
  CTORCH_TRY(array_grow(FUNCTION, &self->averaged, self->len, sizeof *self->averaged));
  CTORCH_TRY(array_grow(FUNCTION, &self->current, self->len, sizeof *self->current));
  STEP(&from, ctorch_aten_detach(&from.next, current));
  STEP(&from, ctorch_tensor_to(&from.next, from.at, NULL, &device, false, false, NULL));
  CTORCH_TRY(steps_end(&from, &self->current[self->len]));
  STEP(&to, ctorch_aten_detach(&to.next, averaged));
  ctorch_error *error = steps_end(&to, &self->averaged[self->len]);
  if (error != NULL) {
    ctorch_tensor_release(self->current[self->len]);
    return error;
  }
  self->len++;
  return NULL;
}

typedef ctorch_error *(*list_function)(ctorch_tensor_list **out, const ctorch_module *self, bool recurse);

/* Pairs of both modules' tensors, in their order. */
static ctorch_error *add_pairs(
    struct tensors *self, const ctorch_module *average, const ctorch_module *model, list_function list, bool strict) {
  ctorch_tensor_list *own = NULL, *others = NULL;
  CTORCH_TRY(list(&own, average, true));
  ctorch_error *error = list(&others, model, true);
  size_t len = ctorch_tensor_list_len(own), given = ctorch_tensor_list_len(others);
  if (error == NULL && strict && len != given) {
    error = error_make(FUNCTION, CTORCH_ERROR_VALUE, "model: it has %zu buffers, but the average has %zu", given, len);
  }
  for (size_t i = 0; error == NULL && i < len && i < given; i++) {
    error = add_pair(self, ctorch_tensor_list_data(own)[i], ctorch_tensor_list_data(others)[i]);
  }
  ctorch_tensor_list_release(own);
  ctorch_tensor_list_release(others);
  return error;
}

static ctorch_error *copy_pairs(const struct tensors *self) {
  ctorch_error *error = NULL;
  for (size_t i = 0; error == NULL && i < self->len; i++) {
    error = ctorch_aten_copy_(self->averaged[i], self->current[i], false);
  }
  return error;
}

static void release_pairs(struct tensors *self) {
  for (size_t i = 0; i < self->len; i++) {
    ctorch_tensor_release(self->averaged[i]);
    ctorch_tensor_release(self->current[i]);
  }
  free(self->averaged);
  free(self->current);
}

static bool is_of_group(const struct group *group, const ctorch_tensor *tensor, const ctorch_device *device) {
  ctorch_device other = {0};
  ctorch_error_release(ctorch_tensor_device(&other, tensor));
  return ctorch_tensor_dtype(tensor) == ctorch_tensor_dtype(group->averaged[0]) && other.type == device->type &&
         other.index == device->index;
}

/* Each device and dtype on its own, in the order in which they come. */
static ctorch_error *average_pairs(const struct averaged *self, const struct tensors *tensors, ctorch_tensor *count) {
  ctorch_error *error = NULL;
  struct group group = {
      .averaged = calloc(tensors->len + 1, sizeof *group.averaged),
      .current = calloc(tensors->len + 1, sizeof *group.current)};
  bool *done = calloc(tensors->len + 1, sizeof *done);
  if (group.averaged == NULL || group.current == NULL || done == NULL) {
    error = error_memory(FUNCTION, (tensors->len + 1) * sizeof *group.averaged);
  }
  for (size_t i = 0; error == NULL && i < tensors->len; i++) {
    ctorch_device device = {0};
    if (done[i]) {
      continue;
    }
    group.averaged[0] = tensors->averaged[i];
    error = ctorch_tensor_device(&device, tensors->averaged[i]);
    group.len = 0;
    for (size_t j = i; error == NULL && j < tensors->len; j++) {
      if (!done[j] && is_of_group(&group, tensors->averaged[j], &device)) {
        group.averaged[group.len] = tensors->averaged[j];
        group.current[group.len++] = tensors->current[j];
        done[j] = true;
      }
    }
    THEN(error, ctorch_tensor_to(&group.count, count, NULL, &device, false, false, NULL));
    THEN(error, average_group(self, &group));
    ctorch_tensor_release(group.count);
    group.count = NULL;
  }
  free(group.averaged);
  free(group.current);
  free(done);
  return error;
}

static ctorch_error *update(
    struct averaged *self, const ctorch_module *average, const ctorch_module *model, ctorch_tensor *count) {
  const ctorch_scalar one = whole(1);
  struct tensors tensors = {0}, buffers = {0};
  int64_t averaged = 0;
  CTORCH_TRY(ctorch_tensor_item_int64(&averaged, count));
  ctorch_error *error = add_pairs(&tensors, average, model, ctorch_module_parameters, false);
  if (error == NULL) { /* they may be of the average too */
    error =
        add_pairs(self->use_buffers ? &tensors : &buffers, average, model, ctorch_module_buffers, !self->use_buffers);
  }
  if (error == NULL && averaged <= 0) {
    error = averaged == 0 ? copy_pairs(&tensors) : NULL;
  } else if (error == NULL) {
    error = average_pairs(self, &tensors, count);
  }
  THEN(error, copy_pairs(&buffers));
  release_pairs(&tensors);
  release_pairs(&buffers);
  return error != NULL ? error : ctorch_aten_add__Scalar(count, &one, NULL);
}

ctorch_error *ctorch_module_update_parameters(ctorch_module *self, const ctorch_module *model) {
  CTORCH_TRY(error_refusal(__func__));
  if (self == NULL || model == NULL) {
    return error_null(__func__, self == NULL ? "self" : "model");
  }
  if (module_class_of(self) != &averaged_class) {
    return error_make(__func__, CTORCH_ERROR_TYPE, "self must be a module AveragedModel, not %s", module_name(self));
  }
  const ctorch_module *average = module_child_at(self, MODULE);
  ctorch_tensor *count = module_buffer_at(self, N_AVERAGED);
  if (average == NULL || count == NULL) {
    return error_make(
        __func__, CTORCH_ERROR_RUNTIME, "the average has no %s any more", average == NULL ? "module" : "n_averaged");
  }
  CTORCH_TRY(ctorch_grad_mode_push(false));
  object_ref(average);
  tensor_ref(count);
  ctorch_error *error = update((struct averaged *)self, average, model, count);
  tensor_unref(count);
  object_unref((ctorch_module *)average);
  return ctorch_error_first(error, ctorch_grad_mode_pop());
}

/* Making one. */

static ctorch_error *fill(
    const char *function, struct averaged *self, const ctorch_module *model, const ctorch_device *device) {
  const ctorch_dtype dtype = CTORCH_DTYPE_INT64;
  ctorch_module *copy = NULL;
  ctorch_tensor *count = NULL;
  CTORCH_TRY(ctorch_module_copy(&copy, model));
  ctorch_error *error = device == NULL ? NULL : ctorch_module_to(copy, device, NULL, false, NULL);
  THEN(error, module_add_child(function, &self->module, "module", copy));
  ctorch_module_release(copy);
  CTORCH_TRY(error);
  CTORCH_TRY(ctorch_aten_zeros(&count, NULL, 0, &dtype, NULL, device, NULL));
  return module_add_buffer(function, &self->module, "n_averaged", count, true);
}

static ctorch_error *check(
    const char *function, const void *out, const ctorch_module *model, const ctorch_device *device) {
  CTORCH_TRY(error_refusal(function));
  if (out == NULL || model == NULL) {
    return error_null(function, out == NULL ? "out" : "model");
  }
  return device == NULL ? NULL : error_unless_device(function, "device", device);
}

ctorch_error *ctorch_module_averaged_model(
    ctorch_module **out,
    const ctorch_module *model,
    const ctorch_device *device,
    const double *ema_decay,
    const bool *foreach,
    bool use_buffers) {
  CTORCH_TRY(check(__func__, out, model, device));
  if (ema_decay != NULL && (isnan(*ema_decay) || *ema_decay < 0 || *ema_decay > 1)) {
    struct text text = {.function = __func__};
    text_double(&text, *ema_decay);
    ctorch_error *error = error_make(
        __func__, CTORCH_ERROR_VALUE, "Invalid decay value %s provided. Please provide a value in [0,1] range.",
        text_data(&text));
    return ctorch_error_first(error, text_end(&text));
  }
  struct averaged *self = module_new(&averaged_class);
  if (self == NULL) {
    return module_give(__func__, out, NULL, NULL);
  }
  self->has_decay = ema_decay != NULL;
  self->decay = self->has_decay ? *ema_decay : 0;
  self->has_foreach = foreach != NULL;
  self->foreach = self->has_foreach && *foreach;
  self->use_buffers = use_buffers;
  return module_give(__func__, out, &self->module, fill(__func__, self, model, device));
}

ctorch_error *ctorch_module_averaged_model_by(
    ctorch_module **out,
    const ctorch_module *model,
    const ctorch_device *device,
    ctorch_tensors_callback function,
    bool multi,
    bool use_buffers,
    void (*destroy)(void *payload),
    void *payload) {
  CTORCH_TRY(check(__func__, out, model, device));
  if (function == NULL) {
    return error_null(__func__, "function");
  }
  struct averaged *self = module_new(&averaged_class);
  struct averaging *averaging = self == NULL ? NULL : object_new(&averaging_class);
  if (averaging == NULL) {
    object_unref(self);
    return error_memory(__func__, sizeof *self);
  }
  self->function = averaging;
  self->multi = multi;
  self->use_buffers = use_buffers;
  averaging->callback = function;
  averaging->payload = payload;
  ctorch_error *error = fill(__func__, self, model, device);
  averaging->destroy = error == NULL ? destroy : NULL; /* not if this fails */
  return module_give(__func__, out, &self->module, error);
}
