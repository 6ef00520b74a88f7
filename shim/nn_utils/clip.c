/* Norms of gradients, and limits to them: torch.nn.utils.clip_grad. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/sequence.h"
#include "constructors/utils.h"
#include "core/c/error.h"

/* Tensors that are owned, and which of them a loop over groups has seen. */
struct tensors {
  ctorch_tensor **data;
  bool *seen;
  size_t len;
};

/* Those of one device and dtype, which operators on whole lists want. */
struct group {
  ctorch_tensor **data;
  size_t len;
  ctorch_device device;
};

static void tensors_release(struct tensors *self) {
  for (size_t i = 0; i < self->len; i++) {
    ctorch_tensor_release(self->data[i]);
  }
  free(self->data);
  free(self->seen);
}

static ctorch_error *tensors_allocate(const char *function, struct tensors *self, size_t capacity) {
  self->data = calloc(capacity + 1, sizeof *self->data);
  self->seen = calloc(capacity + 1, sizeof *self->seen);
  return self->data == NULL || self->seen == NULL ? error_memory(function, (capacity + 1) * sizeof *self->data) : NULL;
}

/* The gradients that parameters have. */
static ctorch_error *gradients_of(
    const char *function, struct tensors *self, ctorch_tensor *const *parameters, size_t len) {
  CTORCH_TRY(tensors_allocate(function, self, len));
  for (size_t i = 0; i < len; i++) {
    ctorch_tensor *gradient = NULL;
    CTORCH_TRY(ctorch_tensor_grad(&gradient, parameters[i]));
    if (gradient != NULL) {
      self->data[self->len++] = gradient;
    }
  }
  return NULL;
}

static bool is_like(
    const ctorch_tensor *tensor, const ctorch_device *device, ctorch_dtype dtype, ctorch_error **error) {
  ctorch_device other = {0};
  THEN(*error, ctorch_tensor_device(&other, tensor));
  return *error == NULL && other.type == device->type && other.index == device->index &&
         ctorch_tensor_dtype(tensor) == dtype;
}

/* The next group of `tensors`, in `group`, which has room for all; of length 0 after the last one. */
static ctorch_error *next_group(struct group *group, struct tensors *tensors) {
  ctorch_error *error = NULL;
  size_t first = 0;
  group->len = 0;
  while (first < tensors->len && tensors->seen[first]) {
    first++;
  }
  if (first == tensors->len) {
    return NULL;
  }
  CTORCH_TRY(ctorch_tensor_device(&group->device, tensors->data[first]));
  ctorch_dtype dtype = ctorch_tensor_dtype(tensors->data[first]);
  for (size_t i = first; i < tensors->len; i++) {
    if (!tensors->seen[i] && is_like(tensors->data[i], &group->device, dtype, &error)) {
      tensors->seen[i] = true;
      group->data[group->len++] = tensors->data[i];
    }
  }
  return error;
}

/* Whether operators on whole lists are to be used, in *use. */
static ctorch_error *choose_foreach(const char *function, bool *use, const struct group *group, const bool *foreach) {
  static const ctorch_device_type supported[] = {
      CTORCH_DEVICE_TYPE_CPU, CTORCH_DEVICE_TYPE_CUDA, CTORCH_DEVICE_TYPE_XPU, CTORCH_DEVICE_TYPE_MTIA,
      CTORCH_DEVICE_TYPE_PRIVATEUSE1};
  *use = false;
  for (size_t i = 0; i < sizeof supported / sizeof *supported; i++) {
    *use = *use || group->device.type == (int32_t)supported[i];
  }
  if (foreach != NULL && *foreach && !*use) {
    return error_make(function, CTORCH_ERROR_RUNTIME, "foreach: this device has no operators on lists");
  }
  *use = *use && (foreach == NULL || *foreach);
  return NULL;
}

/* What is done to each group. */
typedef ctorch_error *(*group_function)(void *context, const struct group *group, bool foreach);

static ctorch_error *for_each_group(
    const char *function, struct tensors *tensors, const bool *foreach, group_function do_it, void *context) {
  struct group group = {.data = malloc((tensors->len + 1) * sizeof *group.data)};
  if (group.data == NULL) {
    return error_memory(function, (tensors->len + 1) * sizeof *group.data);
  }
  bool use = false;
  memset(tensors->seen, 0, tensors->len * sizeof *tensors->seen);
  ctorch_error *error = next_group(&group, tensors);
  while (error == NULL && group.len > 0) {
    error = choose_foreach(function, &use, &group, foreach);
    THEN(error, do_it(context, &group, use));
    THEN(error, next_group(&group, tensors));
  }
  free(group.data);
  return error;
}

/* The norms of single tensors, as they come. */
struct norms {
  ctorch_tensor **data;
  size_t len;
  ctorch_scalar order;
};

static ctorch_error *norms_of_group(void *context, const struct group *group, bool foreach) {
  struct norms *norms = context;
  if (!foreach) {
    for (size_t i = 0; i < group->len; i++) {
      CTORCH_TRY(ctorch_aten_linalg_vector_norm(
          &norms->data[norms->len], group->data[i], &norms->order, NULL, 0, false, NULL));
      norms->len++;
    }
    return NULL;
  }
  ctorch_tensor_list *list = NULL;
  CTORCH_TRY(
      ctorch_aten__foreach_norm_Scalar(&list, ctorch_const_tensors(group->data), group->len, &norms->order, NULL));
  ctorch_error *error = NULL;
  for (size_t i = 0; error == NULL && i < ctorch_tensor_list_len(list); i++) {
    error = ctorch_tensor_list_get(&norms->data[norms->len], list, i);
    norms->len += error == NULL;
  }
  ctorch_tensor_list_release(list);
  return error;
}

/* The norm of norms, on one device. */
static ctorch_error *norm_of_norms(ctorch_tensor **out, struct norms *norms, const ctorch_tensor *first) {
  ctorch_device device = {0};
  CTORCH_TRY(ctorch_tensor_device(&device, first));
  for (size_t i = 0; i < norms->len; i++) {
    ctorch_tensor *moved = NULL;
    CTORCH_TRY(ctorch_tensor_to(&moved, norms->data[i], NULL, &device, false, false, NULL));
    ctorch_tensor_release(norms->data[i]);
    norms->data[i] = moved;
  }
  ctorch_tensor *stacked = NULL;
  CTORCH_TRY(ctorch_aten_stack(&stacked, ctorch_const_tensors(norms->data), norms->len, 0));
  ctorch_error *error = ctorch_aten_linalg_vector_norm(out, stacked, &norms->order, NULL, 0, false, NULL);
  ctorch_tensor_release(stacked);
  return error;
}

static ctorch_error *check_finite(const char *function, const ctorch_tensor *norm, double order) {
  double value = 0;
  CTORCH_TRY(ctorch_tensor_item_double(&value, norm));
  return isfinite(value)
             ? NULL
             : error_make(
                   function, CTORCH_ERROR_RUNTIME,
                   "The total norm of order %g is non-finite, so gradients cannot be clipped by it; without "
                   "error_if_nonfinite they are scaled anyway",
                   order);
}

static ctorch_error *total_norm(
    const char *function,
    ctorch_tensor **out,
    struct tensors *tensors,
    double order,
    bool error_if_nonfinite,
    const bool *foreach) {
  if (tensors->len == 0) {
    return ctorch_aten_zeros(out, NULL, 0, NULL, NULL, NULL, NULL);
  }
  struct norms norms = {calloc(tensors->len, sizeof *norms.data), 0, {.kind = CTORCH_SCALAR_FLOAT, .re = order}};
  if (norms.data == NULL) {
    return error_memory(function, tensors->len * sizeof *norms.data);
  }
  ctorch_tensor *norm = NULL;
  ctorch_error *error = for_each_group(function, tensors, foreach, norms_of_group, &norms);
  THEN(error, norm_of_norms(&norm, &norms, tensors->data[0]));
  for (size_t i = 0; i < norms.len; i++) {
    ctorch_tensor_release(norms.data[i]);
  }
  free(norms.data);
  if (error == NULL && error_if_nonfinite) {
    error = check_finite(function, norm, order);
  }
  if (error != NULL) {
    ctorch_tensor_release(norm);
    return error;
  }
  *out = norm;
  return NULL;
}

static ctorch_error *scale_group(void *context, const struct group *group, bool foreach) {
  const ctorch_tensor *coefficient = context;
  ctorch_tensor *here = NULL;
  CTORCH_TRY(ctorch_tensor_to(&here, coefficient, NULL, &group->device, false, false, NULL));
  ctorch_error *error = NULL;
  if (foreach) {
    error = ctorch_aten__foreach_mul__Tensor(group->data, group->len, here);
  }
  for (size_t i = 0; !foreach && error == NULL && i < group->len; i++) {
    error = ctorch_aten_mul__Tensor(group->data[i], here);
  }
  ctorch_tensor_release(here);
  return error;
}

/* max_norm / (norm + 1e-6), at most 1: as a tensor, for to ask for its value would wait for the device. */
static ctorch_error *coefficient_of(ctorch_tensor **out, const ctorch_tensor *norm, double max_norm) {
  const ctorch_scalar epsilon = {.kind = CTORCH_SCALAR_FLOAT, .re = 1e-6};
  const ctorch_scalar one = {.kind = CTORCH_SCALAR_FLOAT, .re = 1};
  const ctorch_scalar most = {.kind = CTORCH_SCALAR_FLOAT, .re = max_norm};
  ctorch_tensor *sum = NULL, *inverse = NULL, *scaled = NULL;
  ctorch_error *error = ctorch_aten_add_Scalar(&sum, norm, &epsilon, NULL);
  THEN(error, ctorch_aten_reciprocal(&inverse, sum));
  THEN(error, ctorch_aten_mul_Scalar(&scaled, inverse, &most));
  THEN(error, ctorch_aten_clamp(out, scaled, NULL, &one));
  ctorch_tensor_release(sum);
  ctorch_tensor_release(inverse);
  ctorch_tensor_release(scaled);
  return error;
}

static ctorch_error *scale_all(
    const char *function, struct tensors *gradients, const ctorch_tensor *norm, double max_norm, const bool *foreach) {
  if (gradients->len == 0) {
    return NULL;
  }
  ctorch_tensor *coefficient = NULL;
  CTORCH_TRY(coefficient_of(&coefficient, norm, max_norm));
  ctorch_error *error = for_each_group(function, gradients, foreach, scale_group, coefficient);
  ctorch_tensor_release(coefficient);
  return error;
}

static ctorch_error *limit_group(void *context, const struct group *group, bool foreach) {
  const double *value = context;
  const ctorch_scalar low = {.kind = CTORCH_SCALAR_FLOAT, .re = -*value};
  const ctorch_scalar high = {.kind = CTORCH_SCALAR_FLOAT, .re = *value};
  if (foreach) {
    CTORCH_TRY(ctorch_aten__foreach_clamp_min__Scalar(group->data, group->len, &low));
    return ctorch_aten__foreach_clamp_max__Scalar(group->data, group->len, &high);
  }
  for (size_t i = 0; i < group->len; i++) {
    CTORCH_TRY(ctorch_aten_clamp_(group->data[i], &low, &high));
  }
  return NULL;
}

/* The end of what began with ctorch_grad_mode_push(false), whatever happened between. */
static ctorch_error *leave_no_grad(ctorch_error *error) { return ctorch_error_first(error, ctorch_grad_mode_pop()); }

ctorch_error *utils_get_total_norm(
    const char *function, ctorch_tensor **out, const struct utils_get_total_norm_options *options) {
  struct tensors tensors = {0};
  CTORCH_TRY(ctorch_grad_mode_push(false));
  ctorch_error *error = tensors_allocate(function, &tensors, options->tensors_len);
  for (size_t i = 0; error == NULL && i < options->tensors_len; i++) {
    ctorch_tensor_retain(options->tensors[i]);
    tensors.data[tensors.len++] = (ctorch_tensor *)options->tensors[i];
  }
  THEN(error, total_norm(function, out, &tensors, options->norm_type, options->error_if_nonfinite, options->foreach));
  tensors_release(&tensors);
  return leave_no_grad(error);
}

ctorch_error *utils_clip_grads_with_norm_(
    const char *function, const struct utils_clip_grads_with_norm__options *options) {
  struct tensors gradients = {0};
  CTORCH_TRY(ctorch_grad_mode_push(false));
  ctorch_error *error = gradients_of(function, &gradients, options->parameters, options->parameters_len);
  THEN(error, scale_all(function, &gradients, options->total_norm, options->max_norm, options->foreach));
  tensors_release(&gradients);
  return leave_no_grad(error);
}

ctorch_error *utils_clip_grad_norm_(
    const char *function, ctorch_tensor **out, const struct utils_clip_grad_norm__options *options) {
  struct tensors gradients = {0};
  ctorch_tensor *norm = NULL;
  CTORCH_TRY(ctorch_grad_mode_push(false));
  ctorch_error *error = gradients_of(function, &gradients, options->parameters, options->parameters_len);
  THEN(
      error,
      total_norm(function, &norm, &gradients, options->norm_type, options->error_if_nonfinite, options->foreach));
  THEN(error, scale_all(function, &gradients, norm, options->max_norm, options->foreach));
  tensors_release(&gradients);
  error = leave_no_grad(error);
  if (error != NULL) {
    ctorch_tensor_release(norm);
    return error;
  }
  *out = norm;
  return NULL;
}

ctorch_error *utils_clip_grad_value_(const char *function, const struct utils_clip_grad_value__options *options) {
  struct tensors gradients = {0};
  double value = options->clip_value;
  CTORCH_TRY(ctorch_grad_mode_push(false));
  ctorch_error *error = gradients_of(function, &gradients, options->parameters, options->parameters_len);
  THEN(error, for_each_group(function, &gradients, options->foreach, limit_group, &value));
  tensors_release(&gradients);
  return leave_no_grad(error);
}
