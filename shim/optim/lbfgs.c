/* L-BFGS (Liu & Nocedal 1989, "On the limited memory BFGS method for large scale optimization"): steps along a
 * direction by the inverse Hessian, which the last changes of gradients and parameters stand for. lbfgs_search.c finds
 * how far. */
#include "optim/lbfgs.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/sequence.h"
#include "core/c/boxed.h"
#include "core/c/error.h"
#include "optim/group.h"

struct lbfgs_options {
  struct optimizer_flags flags;
  struct optimizer_number lr;
  int64_t max_iter, max_eval, history_size;
  double tolerance_grad, tolerance_change;
  const char *line_search_fn; /* NULL for none */
};

static void lbfgs_read(struct option_reader *reader, void *to) {
  struct lbfgs_options *self = to;
  self->lr = read_number(reader, "lr");
  self->max_iter = read_int(reader, "max_iter");
  self->max_eval = read_is_given(reader, "max_eval") ? read_int(reader, "max_eval") : self->max_iter * 5 / 4;
  self->tolerance_grad = read_double(reader, "tolerance_grad");
  self->tolerance_change = read_double(reader, "tolerance_change");
  self->history_size = read_int(reader, "history_size");
  self->line_search_fn = read_text(reader, "line_search_fn");
}

static ctorch_error *lbfgs_check(const char *function, const void *options) {
  const struct lbfgs_options *self = options;
  return check_not_negative(function, "lr", &self->lr);
}

/* The number of evaluations follows from that of iterations, where it is not given. */
static ctorch_error *lbfgs_defaults(const char *function, ctorch_value *defaults) {
  struct option_reader reader = {.function = function, .name = "LBFGS", .options = defaults};
  if (read_is_given(&reader, "max_eval") || reader.error != NULL) {
    return reader.error;
  }
  int64_t max_iter = read_int(&reader, "max_iter"), quarters = max_iter > INT64_MAX / 5 ? INT64_MAX : max_iter * 5;
  CTORCH_TRY(reader.error);
  ctorch_value *value = NULL;
  /* rounded down, as Python does */
  CTORCH_TRY(ctorch_value_from_int(&value, quarters / 4 - (quarters % 4 < 0 ? 1 : 0)));
  ctorch_error *error = ctorch_value_dict_put(defaults, "max_eval", value);
  ctorch_value_release(value);
  return error;
}

static ctorch_error *lbfgs_made(const char *function, ctorch_optimizer *self) {
  return self->len == 1 ? NULL
                        : error_make(
                              function, CTORCH_ERROR_VALUE,
                              "params: LBFGS doesn't support per-parameter options (parameter groups)");
}

/* Directions. */

struct iteration {
  struct lbfgs_problem *problem;
  const struct lbfgs_options *options;
  struct lbfgs_memory *memory;
  struct lbfgs_point point; /* where the parameters are, and the step from there */
  int64_t evaluations;
};

static bool is_at_most(ctorch_error **error, const ctorch_tensor *vector, double bound) {
  struct quantity largest = {0}, limit = quantity_of_number(bound);
  lbfgs_largest(error, &largest, vector);
  bool is = *error == NULL && quantity_at_most(error, &largest, &limit);
  quantity_end(&largest);
  return is;
}

static void begin(struct iteration *self) {
  struct lbfgs_memory *memory = self->memory;
  ctorch_tensor *direction = NULL;
  THEN(*self->problem->error, ctorch_aten_neg(&direction, self->point.grad));
  ctorch_tensor_release(memory->d);
  memory->d = direction;
  lbfgs_memory_forget(memory);
  quantity_end(&memory->h_diag);
  memory->h_diag = quantity_of_number(1);
}

/* The change since the last iteration is remembered, if the gradient grew along it. */
static void remember(struct iteration *self) {
  ctorch_error **error = self->problem->error;
  struct lbfgs_memory *memory = self->memory;
  struct quantity ys = {0}, yy = {0}, ro = {0}, least = quantity_of_number(1e-10);
  ctorch_tensor *y = NULL, *s = NULL;
  THEN(*error, ctorch_aten_sub_Tensor(&y, self->point.grad, memory->prev_flat_grad, NULL));
  quantity_multiply_tensor(error, &s, memory->d, &memory->t);
  if (*error == NULL) {
    lbfgs_dot(error, &ys, y, s);
  }
  if (*error == NULL && quantity_less(error, &least, &ys)) {
    lbfgs_dot(error, &yy, y, y);
    quantity_divide_number(error, &ro, 1, &ys);
    quantity_quotient(error, &memory->h_diag, &ys, &yy);
    int64_t most = self->options->history_size;
    lbfgs_memory_push(
        error, memory, self->problem->evaluation->function, most < 0 ? SIZE_MAX : (size_t)most, y, s, ro.tensor);
    y = s = NULL;
    ro = (struct quantity){0};
  }
  ctorch_tensor_release(y);
  ctorch_tensor_release(s);
  quantity_end(&ys);
  quantity_end(&yy);
  quantity_end(&ro);
}

/* Room for the factors of all changes. */
static void make_factors(struct iteration *self) {
  struct lbfgs_memory *memory = self->memory;
  size_t most = self->options->history_size < 0 ? 0 : (size_t)self->options->history_size;
  size_t len = memory->has_al ? memory->al_len : most;
  len = len < memory->len ? memory->len : len;
  if (memory->has_al && len == memory->al_len) {
    return;
  }
  ctorch_tensor **al = len >= SIZE_MAX / sizeof *al ? NULL : realloc(memory->al, (len + 1) * sizeof *al);
  if (al == NULL) {
    THEN(*self->problem->error, error_memory(self->problem->evaluation->function, len * sizeof *al));
    return;
  }
  for (size_t i = memory->al_len; i < len; i++) {
    al[i] = NULL;
  }
  memory->al = al;
  memory->al_len = len;
  memory->has_al = true;
}

/* The direction by two loops over the changes. */
static void turn(struct iteration *self) {
  ctorch_error **error = self->problem->error;
  struct lbfgs_memory *memory = self->memory;
  ctorch_tensor *along = NULL, *direction = NULL;
  make_factors(self);
  THEN(*error, ctorch_aten_neg(&along, self->point.grad));
  for (size_t i = memory->len; *error == NULL && i-- > 0;) {
    struct quantity factor = {0}, ro = quantity_of_tensor(memory->ro[i]);
    lbfgs_dot(error, &factor, memory->old_stps[i], along);
    quantity_product(error, &factor, &factor, &ro);
    double value = quantity_value(error, &factor);
    THEN(*error, ctorch_aten_add__Tensor(along, memory->old_dirs[i], CTORCH_FLOAT(-value)));
    ctorch_tensor_release(memory->al[i]);
    memory->al[i] = factor.tensor; /* taken over */
  }
  quantity_multiply_tensor(error, &direction, along, &memory->h_diag);
  for (size_t i = 0; *error == NULL && i < memory->len; i++) {
    struct quantity factor = {0}, ro = quantity_of_tensor(memory->ro[i]), al = quantity_of_tensor(memory->al[i]);
    lbfgs_dot(error, &factor, memory->old_dirs[i], direction);
    quantity_product(error, &factor, &factor, &ro);
    quantity_difference(error, &factor, &al, &factor);
    double value = quantity_value(error, &factor);
    THEN(*error, ctorch_aten_add__Tensor(direction, memory->old_stps[i], CTORCH_FLOAT(value)));
    quantity_end(&factor);
  }
  ctorch_tensor_release(along);
  if (*error == NULL) {
    ctorch_tensor_release(memory->d);
    memory->d = direction;
  } else {
    ctorch_tensor_release(direction);
  }
}

static void keep_gradient(struct iteration *self) {
  static const ctorch_memory_format contiguous = CTORCH_MEMORY_FORMAT_CONTIGUOUS;
  struct lbfgs_memory *memory = self->memory;
  THEN(
      *self->problem->error, memory->prev_flat_grad == NULL
                                 ? ctorch_aten_clone(&memory->prev_flat_grad, self->point.grad, &contiguous)
                                 : ctorch_aten_copy_(memory->prev_flat_grad, self->point.grad, false));
  memory->prev_loss = self->point.loss;
}

/* The length of the step: the rate, bounded at the very first by the gradient's size. */
static void first_length(struct iteration *self) {
  ctorch_error **error = self->problem->error;
  struct quantity lr = quantity_of(error, &self->options->lr), one = quantity_of_number(1), sum = {.is_own = true};
  if (self->memory->n_iter == 1) {
    ctorch_tensor *sizes = NULL;
    THEN(*error, ctorch_aten_abs(&sizes, self->point.grad));
    THEN(*error, ctorch_aten_sum(&sum.tensor, sizes, NULL));
    quantity_divide_number(error, &sum, 1, &sum);
    bool is_short = *error == NULL && quantity_less(error, &sum, &one);
    quantity_product(error, &lr, is_short ? &sum : &one, &lr);
    ctorch_tensor_release(sizes);
  } else if (lr.tensor != NULL && !lr.is_own) {
    ctorch_tensor_retain(lr.tensor);
    lr.is_own = true;
  }
  quantity_end(&sum);
  quantity_end(&self->point.t);
  self->point.t = lr;
}

/* The parameters move, and the loss there is known, but after the last iteration; false if all is small enough. */
static bool advance(struct iteration *self, bool is_last) {
  struct lbfgs_problem *problem = self->problem;
  struct lbfgs_memory *memory = self->memory;
  int64_t evaluations = 0;
  bool is_optimal = false;
  if (self->options->line_search_fn != NULL) {
    evaluations = lbfgs_strong_wolfe(
        problem, &self->point, memory->d, self->options->tolerance_change, self->options->max_eval - self->evaluations);
    lbfgs_move(problem, &self->point.t, memory->d);
    is_optimal = *problem->error == NULL && is_at_most(problem->error, self->point.grad, self->options->tolerance_grad);
  } else {
    lbfgs_move(problem, &self->point.t, memory->d);
    if (!is_last) {
      self->point.loss = lbfgs_evaluate(problem, NULL);
      ctorch_tensor_release(self->point.grad);
      self->point.grad = NULL;
      lbfgs_gather(problem, &self->point.grad);
      is_optimal =
          *problem->error == NULL && is_at_most(problem->error, self->point.grad, self->options->tolerance_grad);
      evaluations = 1;
    }
  }
  self->evaluations += evaluations;
  memory->func_evals += evaluations;
  return !is_optimal;
}

static void keep_length(struct iteration *self) {
  quantity_end(&self->memory->t);
  self->memory->t = self->point.t;
  if (self->memory->t.tensor != NULL) {
    ctorch_tensor_retain(self->memory->t.tensor);
    self->memory->t.is_own = true;
  }
}

/* Whether the last step was too small to go on. */
static bool has_settled(struct iteration *self) {
  ctorch_error **error = self->problem->error;
  ctorch_tensor *step = NULL;
  quantity_multiply_tensor(error, &step, self->memory->d, &self->memory->t);
  bool is = *error == NULL && is_at_most(error, step, self->options->tolerance_change);
  ctorch_tensor_release(step);
  return is || fabs(self->point.loss - self->memory->prev_loss) < self->options->tolerance_change;
}

/* One iteration; whether to go on. */
static bool iterate(struct iteration *self, int64_t number) {
  ctorch_error **error = self->problem->error;
  struct lbfgs_memory *memory = self->memory;
  struct quantity bound = quantity_of_number(-self->options->tolerance_change);
  bool is_last = number == self->options->max_iter;
  memory->n_iter++;
  if (memory->n_iter == 1) {
    begin(self);
  } else if (memory->d == NULL || memory->prev_flat_grad == NULL) {
    THEN(
        *error, error_make(
                    self->problem->evaluation->function, CTORCH_ERROR_TYPE,
                    "the state of LBFGS has no 'd' or 'prev_flat_grad', though its 'n_iter' is not 0"));
  } else {
    remember(self);
    turn(self);
  }
  keep_gradient(self);
  first_length(self);
  keep_length(self);
  if (*error == NULL) {
    lbfgs_dot(error, &self->point.slope, self->point.grad, memory->d);
  }
  if (*error != NULL || quantity_less(error, &bound, &self->point.slope)) {
    return false;
  }
  if (self->options->line_search_fn != NULL && strcmp(self->options->line_search_fn, "strong_wolfe") != 0) {
    THEN(
        *error, error_make(
                    self->problem->evaluation->function, CTORCH_ERROR_RUNTIME,
                    "line_search_fn: only 'strong_wolfe' is supported, not '%s'", self->options->line_search_fn));
    return false;
  }
  bool goes_on = advance(self, is_last);
  keep_length(self);
  return *error == NULL && !is_last && self->evaluations < self->options->max_eval && goes_on && !has_settled(self);
}

/* The whole step. */

static ctorch_error *make_state(struct optimizer_param *param) {
  ctorch_value *state = NULL;
  if (param->others != NULL) {
    return NULL;
  }
  CTORCH_TRY(ctorch_value_from_dict(&state, NULL, 0, NULL, 0));
  param->others = value_take(state);
  return NULL;
}

static void run(struct iteration *self, ctorch_tensor **loss, bool *is_whole) {
  ctorch_error **error = self->problem->error;
  self->point.loss = lbfgs_evaluate(self->problem, loss);
  self->evaluations = 1;
  if (*error != NULL) {
    return;
  }
  self->memory->func_evals++;
  lbfgs_gather(self->problem, &self->point.grad);
  if (*error != NULL || is_at_most(error, self->point.grad, self->options->tolerance_grad)) {
    return;
  }
  *is_whole = true;
  for (int64_t n = 1; *error == NULL && n <= self->options->max_iter; n++) {
    if (!iterate(self, n)) {
      break;
    }
  }
}

static ctorch_error *lbfgs_step(
    ctorch_optimizer *self, ctorch_tensor **loss, const struct optimizer_evaluation *evaluation) {
  const char *function = evaluation->function;
  if (evaluation->closure == NULL) {
    return error_make(function, CTORCH_ERROR_TYPE, "LBFGS computes the loss several times, and needs a closure for it");
  }
  if (self->len != 1) {
    return error_make(
        function, CTORCH_ERROR_VALUE, "LBFGS expected exactly one group of parameters, but got %zu", self->len);
  }
  struct optimizer_group *group = &self->groups[0];
  if (group->len == 0) {
    return error_make(function, CTORCH_ERROR_INDEX, "LBFGS has no parameters");
  }
  CTORCH_TRY(optimizer_read(function, self, group));
  CTORCH_TRY(make_state(&group->params[0]));
  ctorch_error *error = NULL;
  struct lbfgs_problem problem = {&error, evaluation, group->params, group->len};
  struct lbfgs_memory memory = {0};
  struct iteration iteration = {.problem = &problem, .options = group->read, .memory = &memory};
  bool is_whole = false;
  lbfgs_memory_read(&error, &memory, function, group->params[0].others);
  if (error == NULL) {
    run(&iteration, loss, &is_whole);
    ctorch_error *writing = NULL;
    lbfgs_memory_write(&writing, &memory, group->params[0].others, is_whole && error == NULL);
    error = ctorch_error_first(error, writing);
  }
  lbfgs_memory_end(&memory);
  lbfgs_point_end(&iteration.point);
  return error;
}

const optimizer_class optim_LBFGS_class = {
    .object = OPTIMIZER_OBJECT(ctorch_optimizer),
    .name = "LBFGS",
    .states = {NULL},
    .options_size = sizeof(struct lbfgs_options),
    .read = lbfgs_read,
    .check = lbfgs_check,
    .defaults = lbfgs_defaults,
    .made = lbfgs_made,
    .step = lbfgs_step};
