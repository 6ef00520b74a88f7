/* Which kernels a step uses: fused ones, those on lists, or the loop. */
#include <string.h>

#include "core/c/error.h"
#include "optim/group.h"
#include "optim/list.h"

static bool is_fusable_type(const ctorch_tensor *tensor) {
  switch (ctorch_tensor_dtype(tensor)) {
    case CTORCH_DTYPE_FLOAT16:
    case CTORCH_DTYPE_BFLOAT16:
    case CTORCH_DTYPE_FLOAT32:
    case CTORCH_DTYPE_FLOAT64:
      break;
    default:
      return false;
  }
  switch (ctorch_tensor_device_type(tensor)) {
    case CTORCH_DEVICE_TYPE_CPU:
    case CTORCH_DEVICE_TYPE_CUDA:
    case CTORCH_DEVICE_TYPE_XPU:
    case CTORCH_DEVICE_TYPE_MPS:
    case CTORCH_DEVICE_TYPE_HPU:
    case CTORCH_DEVICE_TYPE_MTIA:
      return true;
    default:
      return false;
  }
}

/* Whether the elements of two tensors lie in the same order, so that a kernel may go through their memory. */
static bool is_alike(const ctorch_tensor *self, const ctorch_tensor *other) {
  int64_t ndim = ctorch_tensor_ndim(self);
  if (ctorch_tensor_ndim(other) != ndim || ctorch_tensor_dtype(other) != ctorch_tensor_dtype(self) ||
      ctorch_tensor_device_type(other) != ctorch_tensor_device_type(self) ||
      ctorch_tensor_layout(other) != CTORCH_LAYOUT_STRIDED) {
    return false;
  }
  const int64_t *sizes = ctorch_tensor_sizes(self), *other_sizes = ctorch_tensor_sizes(other);
  const int64_t *strides = ctorch_tensor_strides(self), *other_strides = ctorch_tensor_strides(other);
  for (int64_t d = 0; d < ndim; d++) {
    if (sizes[d] != other_sizes[d] || (sizes[d] > 1 && strides[d] != other_strides[d])) {
      return false;
    }
  }
  return true;
}

/* Whether its elements fill their memory without gaps and overlaps, in whatever order of dimensions. */
static bool is_dense(const ctorch_tensor *self) {
  int64_t ndim = ctorch_tensor_ndim(self), filled = 1;
  const int64_t *sizes = ctorch_tensor_sizes(self), *strides = ctorch_tensor_strides(self);
  uint64_t seen = 0;
  if (ndim > 64) {
    return false;
  }
  for (int64_t n = 0; n < ndim; n++) {
    int64_t next = -1;
    for (int64_t d = ndim - 1; d >= 0 && next < 0; d--) {
      bool is_next = (seen & (UINT64_C(1) << d)) == 0 && (sizes[d] == 1 || strides[d] == filled);
      next = is_next ? d : next;
    }
    if (next < 0) {
      return ctorch_tensor_numel(self) == 0;
    }
    seen |= UINT64_C(1) << next;
    filled *= sizes[next];
  }
  return true;
}

/* Fused kernels read memory as it lies, and look at neither sizes nor types. */
static bool can_fuse(const struct optimizer_list *all, const optimizer_class *class) {
  for (size_t i = 0; i < all->len; i++) {
    const ctorch_tensor *param = all->params[i];
    if (!is_fusable_type(param) || !is_dense(param) || !is_alike(param, all->grads[i]) ||
        (class->can_fuse != NULL && !class->can_fuse(all->options, param))) {
      return false;
    }
    for (size_t s = 0; class->states[s] != NULL; s++) {
      const ctorch_tensor *state = all->entries[i]->states[s];
      bool is_step = strcmp(class->states[s], "step") == 0;
      if (state != NULL &&
          (is_step ? ctorch_tensor_dtype(state) != CTORCH_DTYPE_FLOAT32 || ctorch_tensor_numel(state) != 1 ||
                         ctorch_tensor_device_type(state) != ctorch_tensor_device_type(param)
                   : !is_alike(param, state))) {
        return false;
      }
    }
  }
  return true;
}

static bool is_given_as(const bool *flag, bool value) { return flag != NULL && *flag == value; }

static bool is_on_cpu(const struct optimizer_list *all) {
  for (size_t i = 0; i < all->len; i++) {
    if (ctorch_tensor_device_type(all->params[i]) == CTORCH_DEVICE_TYPE_CPU) {
      return true;
    }
  }
  return false;
}

ctorch_error *list_choose(struct optimizer_list *all, const optimizer_class *class, bool has_sparse) {
  const struct optimizer_flags *flags = all->flags;
  bool is_free = flags->foreach == NULL && flags->fused == NULL;
  bool foreach_can = class->foreach != NULL && !flags->differentiable && !has_sparse &&
                     (class->can_foreach == NULL || class->can_foreach(all->options));
  all->way = OPTIMIZER_LOOP;
  if (is_given_as(flags->fused, true) && class->fused != NULL) {
    for (size_t i = 0; i < all->len; i++) {
      if (!is_fusable_type(all->params[i])) {
        return error_make(
            all->function, CTORCH_ERROR_RUNTIME,
            "`fused=True` requires all the params to be floating point Tensors of a device that has fused kernels, but "
            "parameter %zu is %s",
            i, ctorch_dtype_name(ctorch_tensor_dtype(all->params[i])));
      }
    }
    if (has_sparse) {
      return error_make(
          all->function, CTORCH_ERROR_RUNTIME, "`fused` %s does not support sparse gradients", class->name);
    }
    all->way = can_fuse(all, class) ? OPTIMIZER_FUSED : OPTIMIZER_LOOP;
  } else if (is_given_as(flags->foreach, true)) {
    if (flags->differentiable && class->foreach != NULL && !class->foreach_differentiable) {
      return error_make(
          all->function, CTORCH_ERROR_VALUE, "foreach: operators on lists don't support `differentiable`");
    }
    all->way = foreach_can ? OPTIMIZER_FOREACH : OPTIMIZER_LOOP;
  } else if (is_free && class->fused != NULL && !flags->differentiable && !has_sparse && can_fuse(all, class)) {
    all->way = OPTIMIZER_FUSED;
  } else if (is_free && foreach_can && !is_on_cpu(all)) {
    all->way = OPTIMIZER_FOREACH;
  }
  return NULL;
}

/* What is captured in a graph has to be, numbers included, where there are graphs: fused kernels do without. */
ctorch_error *list_check_capturable(const struct optimizer_list *all) {
  bool takes_it = false;
  if (!all->flags->capturable || is_given_as(all->flags->fused, true)) {
    return NULL;
  }
  CTORCH_TRY(dict_has(&takes_it, all->optimizer->defaults, "capturable"));
  for (size_t i = 0; takes_it && i < all->len; i++) {
    ctorch_device_type type = ctorch_tensor_device_type(all->params[i]);
    bool has_graphs = type == CTORCH_DEVICE_TYPE_CUDA || type == CTORCH_DEVICE_TYPE_XPU ||
                      type == CTORCH_DEVICE_TYPE_HPU || type == CTORCH_DEVICE_TYPE_PRIVATEUSE1 ||
                      (type == CTORCH_DEVICE_TYPE_XLA && all->way != OPTIMIZER_FOREACH);
    for (size_t s = 0; s < OPTIMIZER_STATES; s++) {
      const ctorch_tensor *state = all->states[s][i];
      has_graphs = has_graphs && (state == NULL || ctorch_tensor_device_type(state) == type);
    }
    if (!has_graphs) {
      return error_make(
          all->function, CTORCH_ERROR_VALUE,
          "capturable: parameter %zu and its state have to be on one device that captures graphs", i);
    }
  }
  return NULL;
}
