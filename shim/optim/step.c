/* The step of optimizers that go parameter by parameter: which parameters have gradients, which kernels take them, and
 * lists of one device and dtype for the class. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/callback.h"
#include "base/sequence.h"
#include "core/c/capture.h"
#include "core/c/error.h"
#include "core/c/tensor.h"
#include "module/tapes.h"
#include "optim/group.h"
#include "optim/list.h"
#include "optim/optimizer_hooks.h"
#include "optim/state.h"

/* What a step has of a group: the list of all, and lists of those that go together, in the same memory. */
struct step {
  const char *function;
  const optimizer_class *class;
  struct optimizer_list all;
  void *memory;
  bool has_sparse, has_dense;
  struct optimizer_number *rate; /* which is a tensor for this step alone; NULL for none */
};

#define ROWS (3 + OPTIMIZER_STATES) /* entries, params, grads, states */

static void list_in_memory(struct optimizer_list *list, void *memory, size_t capacity) {
  list->entries = memory;
  list->params = (ctorch_tensor **)(list->entries + capacity);
  list->grads = list->params + capacity;
  for (size_t s = 0; s < OPTIMIZER_STATES; s++) {
    list->states[s] = list->grads + (s + 1) * capacity;
  }
}

static void append(struct optimizer_list *list, const struct optimizer_list *from, size_t i) {
  list->entries[list->len] = from->entries[i];
  list->params[list->len] = from->params[i];
  list->grads[list->len] = from->grads[i];
  for (size_t s = 0; s < OPTIMIZER_STATES; s++) {
    list->states[s][list->len] = from->states[s][i];
  }
  list->len++;
}

/* The parameters that have gradients. */
static ctorch_error *collect(struct step *step, struct optimizer_group *group) {
  struct optimizer_list *all = &step->all;
  step->memory = malloc((2 * group->len + 1) * ROWS * sizeof(void *)); /* for the lists of those that go together too */
  if (step->memory == NULL) {
    return error_memory(step->function, (2 * group->len + 1) * ROWS * sizeof(void *));
  }
  list_in_memory(all, step->memory, group->len);
  for (size_t i = 0; i < group->len; i++) {
    struct optimizer_param *param = &group->params[i];
    ctorch_tensor *grad = NULL;
    CTORCH_TRY(ctorch_tensor_grad(&grad, param->tensor));
    if (grad != NULL) {
      all->entries[all->len] = param;
      all->params[all->len] = param->tensor;
      all->grads[all->len++] = tensor_take(grad);
      bool is_sparse = ctorch_tensor_layout(grad) != CTORCH_LAYOUT_STRIDED;
      step->has_sparse = step->has_sparse || is_sparse;
      step->has_dense = step->has_dense || !is_sparse;
    }
  }
  return NULL;
}

/* Gradients. */

static ctorch_error *check_sparse(const struct step *step) {
  const optimizer_class *class = step->class;
  if (class->sparse == SPARSE_ONLY ? !step->has_dense : !step->has_sparse || class->sparse != SPARSE_REFUSED) {
    return NULL;
  }
  return class->sparse_message != NULL
             ? error_make(step->function, CTORCH_ERROR_RUNTIME, "%s", class->sparse_message)
             : error_make(step->function, CTORCH_ERROR_RUNTIME, "%s does not support sparse gradients", class->name);
}

/* States. */

static ctorch_error *begin(struct step *step) {
  struct optimizer_list *all = &step->all;
  const optimizer_class *class = step->class;
  for (size_t i = 0; i < all->len; i++) {
    for (size_t s = 0; s < OPTIMIZER_STATES; s++) {
      all->states[s][i] = all->entries[i]->states[s];
    }
    if (class->begin != NULL && !param_has_state(all->entries[i])) {
      ctorch_error *error = class->begin(all, i);
      if (error != NULL) {
        param_state_clear(all->entries[i]);
        return error;
      }
    }
    uint32_t needed = class->needs == NULL ? 0 : class->needs(all->options);
    for (size_t s = 0; class->states[s] != NULL; s++) {
      if ((needed & (UINT32_C(1) << s)) != 0 && all->states[s][i] == NULL) {
        return error_make(
            step->function, CTORCH_ERROR_INDEX, "the state of parameter %zu of %s has no '%s'", i, class->name,
            class->states[s]);
      }
    }
  }
  return NULL;
}

/* Lists of one device and dtype. */

static ctorch_error *is_together(bool *out, const ctorch_tensor *self, const ctorch_tensor *other) {
  ctorch_device device = {0}, other_device = {0};
  *out = ctorch_tensor_dtype(self) == ctorch_tensor_dtype(other);
  if (*out) {
    CTORCH_TRY(ctorch_tensor_device(&device, self));
    CTORCH_TRY(ctorch_tensor_device(&other_device, other));
    *out = device.type == other_device.type && device.index == other_device.index;
  }
  return NULL;
}

/* Complex tensors as real ones, but where the gradient is sparse; `*views` are owned, as many as `*len`. */
static ctorch_error *view_as_real(struct optimizer_list *list, ctorch_tensor **views, size_t *len) {
  ctorch_tensor **rows[2 + OPTIMIZER_STATES] = {list->params, list->grads};
  memcpy(rows + 2, list->states, sizeof list->states);
  for (size_t row = 0; row < 2 + OPTIMIZER_STATES; row++) {
    for (size_t i = 0; i < list->len; i++) {
      bool is_dense = ctorch_tensor_layout(list->grads[i]) == CTORCH_LAYOUT_STRIDED;
      if (rows[row][i] != NULL && is_dense && tensor_is_complex(rows[row][i])) {
        CTORCH_TRY(ctorch_aten_view_as_real(&views[*len], rows[row][i]));
        rows[row][i] = views[(*len)++];
      }
    }
  }
  return NULL;
}

static ctorch_error *loop(const optimizer_class *class, struct optimizer_list *list) {
  for (size_t i = 0; i < list->len; i++) {
    ctorch_tensor *grad = list->grads[i], *own = NULL;
    if (list->flags->maximize) {
      CTORCH_TRY(ctorch_aten_neg(&own, grad));
      list->grads[i] = own;
    }
    ctorch_error *error = class->loop(list, i);
    list->grads[i] = grad;
    ctorch_tensor_release(own);
    CTORCH_TRY(error);
  }
  return NULL;
}

static ctorch_error *run(const optimizer_class *class, struct optimizer_list *list) {
  if (list->way == OPTIMIZER_LOOP) {
    return loop(class, list);
  }
  if (list->way == OPTIMIZER_FUSED) {
    return class->fused(list);
  }
  if (list->flags->maximize && !class->maximizes_itself) {
    ctorch_tensor_list *negative = NULL;
    CTORCH_TRY(ctorch_aten__foreach_neg(&negative, CONST_LIST(list->grads, list)));
    list_replace_grads(list, negative);
  }
  return class->foreach (list);
}

/* A list whose tensors are of one device and dtype. */
static ctorch_error *run_viewed(const struct step *step, struct optimizer_list *list) {
  ctorch_tensor **views = NULL;
  size_t len = 0;
  ctorch_error *error = NULL;
  if (step->class->views_complex_as_real && tensor_is_complex(list->params[0])) {
    size_t size = list->len * (2 + OPTIMIZER_STATES) * sizeof *views;
    views = malloc(size);
    error = views == NULL ? error_memory(step->function, size) : view_as_real(list, views, &len);
  }
  THEN(error, run(step->class, list));
  ctorch_tensor_list_release(list->own_grads);
  for (size_t i = 0; i < len; i++) {
    ctorch_tensor_release(views[i]);
  }
  free(views);
  return error;
}

static ctorch_error *run_lists(struct step *step, size_t capacity) {
  struct optimizer_list *all = &step->all;
  size_t left = all->len;
  all->first_dtype = left == 0 ? CTORCH_DTYPE_FLOAT32 : ctorch_tensor_dtype(all->params[0]);
  for (size_t first = 0; left > 0; first++) {
    if (all->params[first] == NULL) {
      continue;
    }
    struct optimizer_list list = *all;
    const ctorch_tensor *like = all->params[first];
    list.len = 0;
    list.own_grads = NULL;
    list_in_memory(&list, (char *)step->memory + capacity * ROWS * sizeof(void *), capacity);
    for (size_t i = first; i < all->len; i++) {
      bool belongs = false;
      if (all->params[i] != NULL) {
        CTORCH_TRY(is_together(&belongs, like, all->params[i]));
      }
      if (belongs) {
        append(&list, all, i);
        all->params[i] = NULL; /* seen */
      }
    }
    left -= list.len;
    CTORCH_TRY(run_viewed(step, &list));
  }
  return NULL;
}

/* Fused kernels read the rate, which is a number of the program, from a tensor then, and count steps in tensors. What
 * goes another way computes with numbers that are different in each step. */
static ctorch_error *capture(struct step *step, struct optimizer_group *group) {
  struct optimizer_number *rate = optimizer_rate(step->class, group);
  char reason[128];
  if (step->all.len == 0) {
    return NULL;
  }
  if (rate == NULL || step->all.way != OPTIMIZER_FUSED) {
    snprintf(reason, sizeof reason, "%s steps by numbers, not by a fused kernel", step->class->name);
    capture_refuse(reason);
  } else if (rate->tensor == NULL) {
    rate->tensor = group->rate;
    step->rate = rate;
  }
  return NULL;
}

static ctorch_error *step_group(const char *function, ctorch_optimizer *self, struct optimizer_group *group) {
  CTORCH_TRY(optimizer_read(function, self, group));
  struct step step = {
      .function = function,
      .class = optimizer_class_of(self),
      .all = {.function = function, .optimizer = self, .options = group->read, .flags = group->read}};
  ctorch_error *error = collect(&step, group);
  THEN(error, check_sparse(&step));
  THEN(error, list_choose(&step.all, step.class, step.has_sparse));
  if (error == NULL && capture_is_on()) {
    error = capture(&step, group);
  }
  THEN(error, begin(&step));
  THEN(error, list_check_capturable(&step.all));
  THEN(error, run_lists(&step, group->len));
  if (step.rate != NULL) {
    step.rate->tensor = NULL;
  }
  for (size_t i = 0; i < step.all.len; i++) {
    tensor_unref(step.all.grads[i]);
  }
  free(step.memory);
  return error;
}

ctorch_error *optimizer_begin_all(const char *function, ctorch_optimizer *self) {
  ctorch_error *error = NULL;
  for (size_t g = 0; error == NULL && g < self->len; g++) {
    struct optimizer_group *group = &self->groups[g];
    CTORCH_TRY(optimizer_read(function, self, group));
    struct optimizer_list list = {
        .function = function, .optimizer = self, .options = group->read, .flags = group->read};
    void *memory = calloc(group->len + 1, ROWS * sizeof(void *));
    if (memory == NULL) {
      return error_memory(function, (group->len + 1) * ROWS * sizeof(void *));
    }
    list_in_memory(&list, memory, group->len);
    for (size_t i = 0; error == NULL && i < group->len; i++) {
      list.entries[i] = &group->params[i];
      list.params[i] = group->params[i].tensor;
      list.len++;
      error = optimizer_class_of(self)->begin(&list, i);
    }
    free(memory);
  }
  return error;
}

ctorch_error *optimizer_step_groups(const char *function, ctorch_optimizer *self) {
  if (capture_is_on()) {
    CTORCH_TRY(optimizer_capture(function, self));
  }
  for (size_t i = 0; i < self->len; i++) {
    CTORCH_TRY(step_group(function, self, &self->groups[i]));
  }
  return NULL;
}

/* The whole step. */

ctorch_error *optimizer_evaluate(const struct optimizer_evaluation *self, ctorch_tensor **loss) {
  ctorch_error *error = NULL;
  ctorch_tensor *given = NULL;
  CTORCH_TRY(ctorch_grad_mode_push(true));
  ctorch_callback_status status = self->closure(&given, &error, self->payload);
  error = callback_error(self->function, "closure", status, error);
  error = ctorch_error_first(error, ctorch_grad_mode_pop());
  if (error != NULL) {
    ctorch_tensor_release(given);
    return error;
  }
  *loss = given;
  return NULL;
}

static ctorch_error *step_between_hooks(
    ctorch_optimizer *self, ctorch_tensor **loss, const struct optimizer_evaluation *evaluation) {
  const optimizer_class *class = optimizer_class_of(self);
  bool differentiable = false;
  CTORCH_TRY(dict_find_bool(&differentiable, self->defaults, "differentiable"));
  CTORCH_TRY(ctorch_grad_mode_push(differentiable));
  ctorch_error *error = NULL;
  if (class->step != NULL) {
    capture_refuse("an optimizer steps as a whole");
    error = class->step(self, loss, evaluation);
  } else {
    error = evaluation->closure == NULL ? NULL : optimizer_evaluate(evaluation, loss);
    THEN(error, optimizer_step_groups(evaluation->function, self));
  }
  return ctorch_error_first(error, ctorch_grad_mode_pop());
}

/* The gradients that there are, owned, and which parameters have them. */
static ctorch_error *all_gradients(
    const char *function, const ctorch_optimizer *self, ctorch_tensor ***out, size_t *len, uint64_t *signature) {
  size_t most = 0;
  for (size_t g = 0; g < self->len; g++) {
    most += self->groups[g].len;
  }
  ctorch_tensor **grads = calloc(most + 1, sizeof *grads);
  if (grads == NULL) {
    return error_memory(function, (most + 1) * sizeof *grads);
  }
  *out = grads;
  for (size_t g = 0; g < self->len; g++) {
    for (size_t i = 0; i < self->groups[g].len; i++) {
      CTORCH_TRY(ctorch_tensor_grad(&grads[*len], self->groups[g].params[i].tensor));
      bool is_there = grads[*len] != NULL;
      *signature = (*signature ^ (is_there ? 1 : 2)) * 1099511628211U;
      *len += is_there ? 1 : 0;
    }
  }
  return NULL;
}

/* A step that is captured, or replayed with its gradients. */
static ctorch_error *step_taped(ctorch_optimizer *self, const struct optimizer_evaluation *evaluation) {
  const char *function = evaluation->function;
  struct tapes_call call = {.what = TAPES_RUN};
  ctorch_tensor **grads = NULL, *loss = NULL;
  size_t len = 0;
  uint64_t signature = 0;
  CTORCH_TRY(ctorch_grad_mode_push(false));
  ctorch_error *error = optimizer_prepare(function, self, &signature);
  THEN(error, all_gradients(function, self, &grads, &len, &signature));
  THEN(error, tapes_begin(function, &call, self->tapes, (const ctorch_tensor *const *)grads, len, signature));
  if (error == NULL && call.what != TAPES_REPLAYED) {
    self->is_capturing = call.what == TAPES_CAPTURE;
    error = step_between_hooks(self, &loss, evaluation);
    self->is_capturing = false;
    error = tapes_end(function, &call, error, NULL, 0, NULL);
  }
  tapes_leave(&call);
  for (size_t i = 0; i < len; i++) {
    ctorch_tensor_release(grads[i]);
  }
  free(grads);
  return ctorch_error_first(error, ctorch_grad_mode_pop());
}

ctorch_error *optimizer_step(
    ctorch_tensor **out, ctorch_optimizer *self, const struct optimizer_evaluation *evaluation) {
  ctorch_tensor *loss = NULL;
  object_ref(self); /* a hook or a closure may give it up */
  ctorch_error *error = optimizer_run_step_hooks(evaluation->function, self, true);
  if (error == NULL) {
    bool is_taped = self->tapes != NULL && evaluation->closure == NULL && !capture_is_on();
    error = is_taped ? step_taped(self, evaluation) : step_between_hooks(self, &loss, evaluation);
  }
  self->steps += error == NULL;
  THEN(error, optimizer_run_step_hooks(evaluation->function, self, false));
  object_unref(self);
  if (error != NULL || out == NULL) {
    ctorch_tensor_release(loss);
  } else {
    *out = loss;
  }
  return error;
}

ctorch_error *ctorch_optimizer_step(ctorch_optimizer *self) {
  CTORCH_TRY(error_refusal(__func__));
  if (self == NULL) {
    return error_null(__func__, "self");
  }
  const struct optimizer_evaluation none = {.function = __func__};
  return optimizer_step(NULL, self, &none);
}

ctorch_error *ctorch_optimizer_step_closure(
    ctorch_tensor **out, ctorch_optimizer *self, ctorch_optimizer_closure closure, void *payload) {
  CTORCH_TRY(error_refusal(__func__));
  if (self == NULL || closure == NULL) {
    return error_null(__func__, self == NULL ? "self" : "closure");
  }
  const struct optimizer_evaluation evaluation = {closure, payload, __func__};
  return optimizer_step(out, self, &evaluation);
}

/* Gradients. */

static ctorch_error *zero_in_place(ctorch_tensor *param) {
  ctorch_tensor *grad = NULL;
  CTORCH_TRY(ctorch_tensor_grad(&grad, param));
  if (grad == NULL) {
    return NULL;
  }
  ctorch_error *error =
      ctorch_tensor_is_leaf(grad) ? ctorch_tensor_set_requires_grad(grad, false) : ctorch_aten_detach_(grad);
  THEN(error, ctorch_aten_zero_(grad));
  ctorch_tensor_release(grad);
  return error;
}

ctorch_error *ctorch_optimizer_zero_grad(ctorch_optimizer *self, bool set_to_none) {
  CTORCH_TRY(error_refusal(__func__));
  if (self == NULL) {
    return error_null(__func__, "self");
  }
  for (size_t i = 0; i < self->len; i++) {
    for (size_t j = 0; j < self->groups[i].len; j++) {
      ctorch_tensor *param = self->groups[i].params[j].tensor;
      CTORCH_TRY(set_to_none ? ctorch_tensor_set_grad(param, NULL) : zero_in_place(param));
    }
  }
  return NULL;
}
