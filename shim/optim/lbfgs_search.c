/* The search of L-BFGS along a direction, for the strong Wolfe conditions: bracket a minimum, then narrow the bracket
 * by cubic interpolation (Nocedal & Wright 2006, "Numerical optimization", section 3.5, as in minFunc by M.
 * Schmidt). */
#include <math.h>
#include <stdlib.h>

#include "base/sequence.h"
#include "core/c/error.h"
#include "optim/lbfgs.h"

#define SUFFICIENT 1e-4 /* c1 */
#define CURVATURE 0.9   /* c2 */

void lbfgs_point_end(struct lbfgs_point *self) {
  quantity_end(&self->t);
  quantity_end(&self->slope);
  ctorch_tensor_release(self->grad);
  *self = (struct lbfgs_point){0};
}

/* Numbers. */

/* Another reference to the same. */
static struct quantity share(const struct quantity *self) {
  struct quantity other = {.value = self->value, .tensor = self->tensor, .is_own = self->tensor != NULL};
  ctorch_tensor_retain(self->tensor);
  return other;
}

static void assign(struct quantity *to, const struct quantity *from) {
  struct quantity other = share(from);
  quantity_end(to);
  *to = other;
}

typedef ctorch_error *comparison_number(ctorch_tensor **out, const ctorch_tensor *self, const ctorch_scalar *other);
typedef ctorch_error *comparison_tensor(ctorch_tensor **out, const ctorch_tensor *self, const ctorch_tensor *other);

static bool holds(
    ctorch_error **error,
    const struct quantity *a,
    const struct quantity *b,
    comparison_tensor *tensors,
    comparison_number *number,
    comparison_number *turned) {
  ctorch_tensor *result = NULL;
  bool value = false;
  if (a->tensor != NULL && b->tensor != NULL) {
    THEN(*error, tensors(&result, a->tensor, b->tensor));
  } else if (a->tensor != NULL) {
    THEN(*error, number(&result, a->tensor, CTORCH_FLOAT(b->value)));
  } else {
    THEN(*error, turned(&result, b->tensor, CTORCH_FLOAT(a->value)));
  }
  THEN(*error, ctorch_tensor_item_bool(&value, result));
  ctorch_tensor_release(result);
  return value;
}

bool quantity_less(ctorch_error **error, const struct quantity *a, const struct quantity *b) {
  return a->tensor == NULL && b->tensor == NULL
             ? a->value < b->value
             : holds(error, a, b, ctorch_aten_lt_Tensor, ctorch_aten_lt_Scalar, ctorch_aten_gt_Scalar);
}

bool quantity_at_most(ctorch_error **error, const struct quantity *a, const struct quantity *b) {
  return a->tensor == NULL && b->tensor == NULL
             ? a->value <= b->value
             : holds(error, a, b, ctorch_aten_le_Tensor, ctorch_aten_le_Scalar, ctorch_aten_ge_Scalar);
}

/* The first, unless the second is smaller, or larger, which Python's min and max give. */
static const struct quantity *smaller(ctorch_error **error, const struct quantity *a, const struct quantity *b) {
  return quantity_less(error, b, a) ? b : a;
}

static const struct quantity *larger(ctorch_error **error, const struct quantity *a, const struct quantity *b) {
  return quantity_less(error, a, b) ? b : a;
}

static void absolute(ctorch_error **error, struct quantity *out, const struct quantity *a) {
  struct quantity result = quantity_of_number(fabs(a->value));
  if (a->tensor != NULL) {
    result.is_own = true;
    THEN(*error, ctorch_aten_abs(&result.tensor, a->tensor));
  }
  quantity_end(out);
  *out = result;
}

/* The minimum of the cubic through two points, within bounds. */

/* (b.t - a.t) * ((b.slope + d2 - d1) / (b.slope - a.slope + 2 * d2)) before b.t, where a is left of b. */
static void minimum(
    ctorch_error **error,
    struct quantity *out,
    const struct lbfgs_point *a,
    const struct lbfgs_point *b,
    const struct quantity *d1,
    const struct quantity *d2) {
  struct quantity part = {0}, by = {0};
  quantity_sum(error, &part, &b->slope, d2);
  quantity_difference(error, &part, &part, d1);
  quantity_difference(error, &by, &b->slope, &a->slope);
  quantity_multiply(error, out, d2, 2);
  quantity_sum(error, &by, &by, out);
  quantity_quotient(error, &part, &part, &by);
  quantity_difference(error, out, &b->t, &a->t);
  quantity_product(error, out, out, &part);
  quantity_difference(error, out, &b->t, out);
  quantity_end(&part);
  quantity_end(&by);
}

static void interpolate(
    ctorch_error **error,
    struct quantity *out,
    const struct lbfgs_point *one,
    const struct lbfgs_point *two,
    const struct quantity *low,
    const struct quantity *high) {
  struct quantity d1 = {0}, d2 = {0}, part = {0}, apart = {0}, zero = {0}, found = {0};
  quantity_difference(error, &apart, &one->t, &two->t);
  part = quantity_of_number(3 * (one->loss - two->loss));
  quantity_quotient(error, &part, &part, &apart);
  quantity_sum(error, &d1, &one->slope, &two->slope);
  quantity_difference(error, &d1, &d1, &part);
  struct quantity square = quantity_of_number(2);
  quantity_power(error, &d2, &d1, &square);
  quantity_product(error, &part, &one->slope, &two->slope);
  quantity_difference(error, &d2, &d2, &part);
  if (quantity_at_most(error, &zero, &d2)) {
    quantity_root(error, &d2, &d2);
    if (quantity_at_most(error, &one->t, &two->t)) {
      minimum(error, &found, one, two, &d1, &d2);
    } else {
      minimum(error, &found, two, one, &d1, &d2);
    }
    assign(out, smaller(error, larger(error, &found, low), high));
  } else {
    quantity_sum(error, &found, low, high);
    quantity_divide(error, &found, &found, 2);
    assign(out, &found);
  }
  quantity_end(&found);
  quantity_end(&d1);
  quantity_end(&d2);
  quantity_end(&part);
  quantity_end(&apart);
}

/* The search. */

struct search {
  struct lbfgs_problem *problem;
  ctorch_error **error;
  const ctorch_tensor *direction;
  ctorch_tensor **start; /* copies of the parameters, where the search began */
  struct lbfgs_point origin;
  int64_t evaluations, iterations, most;
};

static void copies_end(struct search *self) {
  for (size_t i = 0; self->start != NULL && i < self->problem->len; i++) {
    ctorch_tensor_release(self->start[i]);
  }
  free(self->start);
}

static void copy_params(struct search *self) {
  static const ctorch_memory_format contiguous = CTORCH_MEMORY_FORMAT_CONTIGUOUS;
  self->start = calloc(self->problem->len + 1, sizeof *self->start);
  if (self->start == NULL) {
    THEN(
        *self->error,
        error_memory(self->problem->evaluation->function, (self->problem->len + 1) * sizeof *self->start));
  }
  for (size_t i = 0; *self->error == NULL && i < self->problem->len; i++) {
    THEN(*self->error, ctorch_aten_clone(&self->start[i], self->problem->params[i].tensor, &contiguous));
  }
}

/* The point at `t`, which stays in it; the parameters go back to the start. */
static void look(struct search *self, struct lbfgs_point *point) {
  ctorch_error **error = self->error;
  ctorch_tensor_release(point->grad);
  point->grad = NULL;
  lbfgs_move(self->problem, &point->t, self->direction);
  point->loss = lbfgs_evaluate(self->problem, NULL);
  lbfgs_gather(self->problem, &point->grad);
  for (size_t i = 0; i < self->problem->len; i++) {
    THEN(*error, ctorch_aten_copy_(self->problem->params[i].tensor, self->start[i], false));
  }
  lbfgs_dot(error, &point->slope, point->grad, self->direction);
  self->evaluations++;
}

static void copy_point(struct lbfgs_point *to, const struct lbfgs_point *from) {
  struct lbfgs_point copy = {
      .t = share(&from->t), .slope = share(&from->slope), .loss = from->loss, .grad = from->grad};
  ctorch_tensor_retain(from->grad);
  lbfgs_point_end(to);
  *to = copy;
}

/* Whether the loss decreases enough: loss <= origin + c1 * t * slope. */
static bool is_too_high(struct search *self, const struct lbfgs_point *point) {
  struct quantity bound = {0}, loss = quantity_of_number(point->loss), start = quantity_of_number(self->origin.loss);
  quantity_multiply(self->error, &bound, &point->t, SUFFICIENT);
  quantity_product(self->error, &bound, &bound, &self->origin.slope);
  quantity_sum(self->error, &bound, &start, &bound);
  bool is_above = quantity_less(self->error, &bound, &loss);
  quantity_end(&bound);
  return is_above;
}

/* Whether the slope is flat enough: |slope| <= -c2 * origin. */
static bool is_flat(struct search *self, const struct lbfgs_point *point) {
  struct quantity size = {0}, bound = {0};
  absolute(self->error, &size, &point->slope);
  quantity_multiply(self->error, &bound, &self->origin.slope, -CURVATURE);
  bool is = quantity_at_most(self->error, &size, &bound);
  quantity_end(&size);
  quantity_end(&bound);
  return is;
}

/* The next place to look, beyond: between a little further and ten times as far. */
static void extrapolate(struct search *self, const struct lbfgs_point *before, struct lbfgs_point *point) {
  struct quantity low = {0}, high = {0}, next = {0};
  quantity_difference(self->error, &low, &point->t, &before->t);
  quantity_multiply(self->error, &low, &low, 0.01);
  quantity_sum(self->error, &low, &point->t, &low);
  quantity_multiply(self->error, &high, &point->t, 10);
  interpolate(self->error, &next, before, point, &low, &high);
  quantity_end(&point->t);
  point->t = next;
  quantity_end(&low);
  quantity_end(&high);
}

enum bracketing { BRACKETED, FOUND, EXHAUSTED };

/* Two points, one on each side of a minimum, in `bracket`; or one that will do, in its first. */
static enum bracketing enclose(struct search *self, struct lbfgs_point *point, struct lbfgs_point *bracket) {
  struct lbfgs_point before = {0};
  struct quantity zero = {0};
  enum bracketing result = EXHAUSTED;
  copy_point(&before, &self->origin);
  look(self, point);
  while (*self->error == NULL && result == EXHAUSTED && self->iterations < self->most) {
    if (is_too_high(self, point) || (self->iterations > 1 && point->loss >= before.loss)) {
      result = BRACKETED;
    } else if (is_flat(self, point)) {
      result = FOUND;
    } else if (quantity_at_most(self->error, &zero, &point->slope)) {
      result = BRACKETED;
    } else if (*self->error == NULL) {
      struct lbfgs_point last = {0};
      copy_point(&last, point);
      extrapolate(self, &before, point);
      lbfgs_point_end(&before);
      before = last;
      look(self, point);
      self->iterations++;
    }
  }
  if (*self->error == NULL) {
    copy_point(&bracket[0], result == EXHAUSTED ? &self->origin : result == FOUND ? point : &before);
    copy_point(&bracket[1], point);
  }
  lbfgs_point_end(&before);
  return result;
}

static bool is_narrow(struct search *self, const struct lbfgs_point *bracket, double tolerance) {
  struct quantity width = {0}, largest = {0}, bound = quantity_of_number(tolerance);
  quantity_difference(self->error, &width, &bracket[1].t, &bracket[0].t);
  absolute(self->error, &width, &width);
  lbfgs_largest(self->error, &largest, self->direction);
  quantity_product(self->error, &width, &width, &largest);
  bool is = quantity_less(self->error, &width, &bound);
  quantity_end(&width);
  quantity_end(&largest);
  return is;
}

/* `t` keeps away from the ends of the bracket, by a tenth of it, if it comes near one twice, or lies outside. */
static void keep_inside(struct search *self, struct quantity *t, const struct lbfgs_point *bracket, bool *was_near) {
  ctorch_error **error = self->error;
  const struct quantity *high = larger(error, &bracket[0].t, &bracket[1].t);
  const struct quantity *low = smaller(error, &bracket[0].t, &bracket[1].t);
  struct quantity margin = {0}, to_high = {0}, to_low = {0};
  quantity_difference(error, &margin, high, low);
  quantity_multiply(error, &margin, &margin, 0.1);
  quantity_difference(error, &to_high, high, t);
  quantity_difference(error, &to_low, t, low);
  bool is_near = quantity_less(error, smaller(error, &to_high, &to_low), &margin);
  if (is_near && (*was_near || quantity_at_most(error, high, t) || quantity_at_most(error, t, low))) {
    absolute(error, &to_high, &to_high);
    absolute(error, &to_low, &to_low);
    if (quantity_less(error, &to_high, &to_low)) {
      quantity_difference(error, t, high, &margin);
    } else {
      quantity_sum(error, t, low, &margin);
    }
    is_near = false;
  }
  *was_near = is_near;
  quantity_end(&margin);
  quantity_end(&to_high);
  quantity_end(&to_low);
}

/* Whether the slope of `point` goes up towards the other end of the bracket. */
static bool goes_up(
    struct search *self,
    const struct lbfgs_point *point,
    const struct lbfgs_point *high,
    const struct lbfgs_point *low) {
  struct quantity product = {0}, zero = {0};
  quantity_difference(self->error, &product, &high->t, &low->t);
  quantity_product(self->error, &product, &point->slope, &product);
  bool is = quantity_at_most(self->error, &zero, &product);
  quantity_end(&product);
  return is;
}

/* The bracket becomes smaller until one of its points will do; returns which that is. */
static int narrow(struct search *self, struct lbfgs_point *point, struct lbfgs_point *bracket, double tolerance) {
  ctorch_error **error = self->error;
  bool is_done = false, was_near = false;
  int low = bracket[0].loss <= bracket[1].loss ? 0 : 1;
  while (*error == NULL && !is_done && self->iterations < self->most && !is_narrow(self, bracket, tolerance)) {
    int high = 1 - low;
    interpolate(
        error, &point->t, &bracket[0], &bracket[1], smaller(error, &bracket[0].t, &bracket[1].t),
        quantity_at_most(error, &bracket[0].t, &bracket[1].t) ? &bracket[1].t : &bracket[0].t);
    keep_inside(self, &point->t, bracket, &was_near);
    look(self, point);
    self->iterations++;
    if (*error != NULL) {
      break;
    }
    if (is_too_high(self, point) || point->loss >= bracket[low].loss) {
      copy_point(&bracket[high], point);
      low = bracket[0].loss <= bracket[1].loss ? 0 : 1;
      continue;
    }
    if (is_flat(self, point)) {
      is_done = true;
    } else if (goes_up(self, point, &bracket[high], &bracket[low])) {
      copy_point(&bracket[high], &bracket[low]);
    }
    copy_point(&bracket[low], point);
  }
  return low;
}

int64_t lbfgs_strong_wolfe(
    struct lbfgs_problem *problem,
    struct lbfgs_point *point,
    const ctorch_tensor *direction,
    double tolerance_change,
    int64_t max_evaluations) {
  struct search search = {.problem = problem, .error = problem->error, .direction = direction, .most = max_evaluations};
  struct lbfgs_point bracket[2] = {{.loss = 0}, {.loss = 0}};
  copy_params(&search);
  copy_point(&search.origin, point);
  quantity_end(&search.origin.t); /* 0 */
  search.origin.t = quantity_of_number(0);
  if (*problem->error == NULL) {
    enum bracketing found = enclose(&search, point, bracket);
    int best = bracket[0].loss <= bracket[1].loss ? 0 : 1;
    if (found == BRACKETED && *problem->error == NULL) {
      best = narrow(&search, point, bracket, tolerance_change);
    } else if (found == FOUND) {
      best = 0;
    }
    if (*problem->error == NULL) {
      copy_point(point, &bracket[best]);
    }
  }
  lbfgs_point_end(&bracket[0]);
  lbfgs_point_end(&bracket[1]);
  lbfgs_point_end(&search.origin);
  copies_end(&search);
  return search.evaluations;
}
