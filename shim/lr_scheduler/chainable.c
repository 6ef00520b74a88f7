/* Schedulers whose next rates follow from the last ones: StepLR, MultiStepLR, ConstantLR, LinearLR, ExponentialLR,
 * PolynomialLR, CosineAnnealingLR (Loshchilov & Hutter 2017, arXiv:1608.03983, without restarts). */
#include <math.h>

#include "base/sequence.h"
#include "constructors/lr_scheduler.h"
#include "core/c/error.h"
#include "lr_scheduler/scheduler.h"

#define PI 3.141592653589793

/* The rates of the groups, or the initial ones, times a factor. */
static void multiply_rates(struct schedule *s, struct number *lr, struct number factor) {
  for (size_t i = 0; s->a.error == NULL && i < groups_of(s); i++) {
    lr[i] = times(&s->a, option(s, i, "lr"), factor);
  }
}

static void multiply_base(struct schedule *s, struct number *lr, struct number factor) {
  for (size_t i = 0; s->a.error == NULL && i < groups_of(s); i++) {
    lr[i] = times(&s->a, attribute_of_group(s, "base_lrs", i), factor);
  }
}

static struct number smaller(struct schedule *s, struct number a, struct number b) {
  return is_less(&s->a, b, a) ? b : a;
}

static bool is_after(struct schedule *s, struct number epoch, struct number last) {
  return is_less(&s->a, last, epoch);
}

/* StepLR. */

static void step_begin(struct schedule *s) {
  keep_argument(s, "step_size");
  keep_argument(s, "gamma");
  begin_scheduler(s);
}

static void step_rates(struct schedule *s, struct number *lr) {
  struct number epoch = attribute(s, "last_epoch");
  if (is_equal(&s->a, epoch, integer(0)) ||
      !is_equal(&s->a, modulo(&s->a, epoch, attribute(s, "step_size")), integer(0))) {
    current_rates(s, lr);
    return;
  }
  multiply_rates(s, lr, attribute(s, "gamma"));
}

static void step_closed_form(struct schedule *s, struct number *lr) {
  struct number times_ = floor_over(&s->a, attribute(s, "last_epoch"), attribute(s, "step_size"));
  multiply_base(s, lr, power(&s->a, attribute(s, "gamma"), times_));
}

const lr_scheduler_class lr_scheduler_StepLR_class = {
    .object = LR_SCHEDULER_OBJECT,
    .name = "StepLR",
    .begin = step_begin,
    .rates = step_rates,
    .closed_form = step_closed_form,
};

/* MultiStepLR: "milestones" is a dict from epochs to how often they were given. */

static struct number find_count(struct schedule *s, const ctorch_value *counts, const ctorch_value *key) {
  ctorch_value *count = NULL;
  bool is_there = false;
  THEN(s->a.error, ctorch_value_dict_contains(&is_there, counts, key));
  if (s->a.error == NULL && is_there) {
    s->a.error = ctorch_value_dict_get(&count, counts, key);
  }
  struct number number = count == NULL ? integer(0) : number_of_value(&s->a, count, "milestones");
  ctorch_value_release(count);
  return number;
}

static void count_milestone(struct schedule *s, ctorch_value *counts, const ctorch_value *key) {
  number_of_value(&s->a, key, "milestones");
  ctorch_value *count = value_of_number(&s->a, plus(&s->a, find_count(s, counts, key), integer(1)));
  THEN(s->a.error, ctorch_value_dict_set(counts, key, count));
  ctorch_value_release(count);
}

static void multi_step_begin(struct schedule *s) {
  ctorch_value *counts = NULL, *milestones = NULL;
  s->a.error = ctorch_value_dict_at(&milestones, s->arguments, "milestones");
  ctorch_value_kind kind = ctorch_value_kind_of(milestones);
  if (s->a.error == NULL && kind != CTORCH_VALUE_LIST && kind != CTORCH_VALUE_TUPLE) {
    s->a.error = error_make(
        s->a.function, CTORCH_ERROR_TYPE, "milestones: expected a list, found %s", ctorch_value_kind_name(kind));
  }
  THEN(s->a.error, ctorch_value_from_dict(&counts, NULL, 0, NULL, 0));
  for (size_t i = 0; s->a.error == NULL && i < ctorch_value_len(milestones); i++) {
    ctorch_value *key = NULL;
    s->a.error = ctorch_value_get(&key, milestones, i);
    count_milestone(s, counts, key);
    ctorch_value_release(key);
  }
  ctorch_value_release(milestones);
  set_attribute_value(s, "milestones", counts);
  keep_argument(s, "gamma");
  begin_scheduler(s);
}

/* The dict, owned, also of a Counter as files have it: `Counter({…})`. */
static ctorch_value *milestones(struct schedule *s) {
  ctorch_value *found = attribute_value(s, "milestones"), *args = NULL, *dict = NULL;
  if (s->a.error != NULL || ctorch_value_kind_of(found) != CTORCH_VALUE_PYTHON_OBJECT) {
    return found;
  }
  s->a.error = ctorch_value_python_args(&args, found);
  if (s->a.error == NULL && ctorch_value_len(args) == 1) {
    s->a.error = ctorch_value_get(&dict, args, 0);
  }
  ctorch_value_release(args);
  if (dict == NULL) {
    return found;
  }
  ctorch_value_release(found);
  return dict;
}

/* How many milestones are at an epoch, or until it. */
static struct number milestones_at(struct schedule *s, struct number epoch, bool until) {
  ctorch_value *dict = milestones(s), *keys = NULL, *counts = NULL;
  struct number sum = integer(0);
  THEN(s->a.error, ctorch_value_dict_keys(&keys, dict));
  THEN(s->a.error, ctorch_value_dict_values(&counts, dict));
  for (size_t i = 0; s->a.error == NULL && i < ctorch_value_len(keys); i++) {
    ctorch_value *key = NULL, *count = NULL;
    s->a.error = ctorch_value_get(&key, keys, i);
    struct number at = number_of_value(&s->a, key, "milestones");
    if (is_equal(&s->a, at, epoch) || (until && is_less(&s->a, at, epoch))) {
      THEN(s->a.error, ctorch_value_get(&count, counts, i));
      sum = plus(&s->a, sum, number_of_value(&s->a, count, "milestones"));
    }
    ctorch_value_release(key);
    ctorch_value_release(count);
  }
  ctorch_value_release(keys);
  ctorch_value_release(counts);
  ctorch_value_release(dict);
  return sum;
}

static void multi_step_rates(struct schedule *s, struct number *lr) {
  struct number count = milestones_at(s, attribute(s, "last_epoch"), false);
  if (is_equal(&s->a, count, integer(0))) {
    current_rates(s, lr);
    return;
  }
  multiply_rates(s, lr, power(&s->a, attribute(s, "gamma"), count));
}

static void multi_step_closed_form(struct schedule *s, struct number *lr) {
  struct number count = milestones_at(s, attribute(s, "last_epoch"), true);
  multiply_base(s, lr, power(&s->a, attribute(s, "gamma"), count));
}

const lr_scheduler_class lr_scheduler_MultiStepLR_class = {
    .object = LR_SCHEDULER_OBJECT,
    .name = "MultiStepLR",
    .begin = multi_step_begin,
    .rates = multi_step_rates,
    .closed_form = multi_step_closed_form,
};

/* ConstantLR. */

static void check_factor(struct schedule *s, const char *name, bool may_be_zero) {
  double factor = to_real(&s->a, argument(s, name));
  if (factor > 1 || factor < 0 || (factor == 0 && !may_be_zero)) {
    refuse(s, "%s: expected a factor within %c0, 1], got %g", name, may_be_zero ? '[' : '(', factor);
  }
}

static void constant_begin(struct schedule *s) {
  check_factor(s, "factor", true);
  keep_argument(s, "factor");
  keep_argument(s, "total_iters");
  begin_scheduler(s);
}

static void constant_rates(struct schedule *s, struct number *lr) {
  struct number epoch = attribute(s, "last_epoch"), factor = attribute(s, "factor");
  if (is_equal(&s->a, epoch, integer(0))) {
    multiply_rates(s, lr, factor);
  } else if (!is_equal(&s->a, epoch, attribute(s, "total_iters"))) {
    current_rates(s, lr);
  } else {
    multiply_rates(s, lr, over(&s->a, real(1), factor));
  }
}

static void constant_closed_form(struct schedule *s, struct number *lr) {
  struct number factor = attribute(s, "factor");
  bool is_over = !is_less(&s->a, attribute(s, "last_epoch"), attribute(s, "total_iters"));
  struct number rest = times(&s->a, integer(is_over), minus(&s->a, integer(1), factor));
  multiply_base(s, lr, plus(&s->a, factor, rest));
}

const lr_scheduler_class lr_scheduler_ConstantLR_class = {
    .object = LR_SCHEDULER_OBJECT,
    .name = "ConstantLR",
    .begin = constant_begin,
    .rates = constant_rates,
    .closed_form = constant_closed_form,
};

/* LinearLR. */

static void linear_begin(struct schedule *s) {
  check_factor(s, "start_factor", false);
  check_factor(s, "end_factor", true);
  keep_argument(s, "start_factor");
  keep_argument(s, "end_factor");
  keep_argument(s, "total_iters");
  begin_scheduler(s);
}

static void linear_rates(struct schedule *s, struct number *lr) {
  struct number epoch = attribute(s, "last_epoch"), start = attribute(s, "start_factor");
  struct number total = attribute(s, "total_iters");
  if (is_equal(&s->a, epoch, integer(0))) {
    multiply_rates(s, lr, start);
    return;
  }
  if (attribute_is_true(s, "_is_initial") || is_after(s, epoch, total)) {
    current_rates(s, lr);
    return;
  }
  struct number rise = minus(&s->a, attribute(s, "end_factor"), start);
  struct number before = times(&s->a, minus(&s->a, epoch, integer(1)), rise);
  struct number share = over(&s->a, rise, plus(&s->a, times(&s->a, total, start), before));
  multiply_rates(s, lr, plus(&s->a, real(1), share));
}

static void linear_closed_form(struct schedule *s, struct number *lr) {
  struct number start = attribute(s, "start_factor"), total = attribute(s, "total_iters");
  struct number rise = minus(&s->a, attribute(s, "end_factor"), start);
  struct number reached = smaller(s, total, attribute(s, "last_epoch"));
  multiply_base(s, lr, plus(&s->a, start, over(&s->a, times(&s->a, rise, reached), total)));
}

const lr_scheduler_class lr_scheduler_LinearLR_class = {
    .object = LR_SCHEDULER_OBJECT,
    .name = "LinearLR",
    .begin = linear_begin,
    .rates = linear_rates,
    .closed_form = linear_closed_form,
};

/* ExponentialLR. */

static void exponential_begin(struct schedule *s) {
  keep_argument(s, "gamma");
  begin_scheduler(s);
}

static void exponential_rates(struct schedule *s, struct number *lr) {
  if (attribute_is_true(s, "_is_initial")) {
    current_rates(s, lr);
    return;
  }
  multiply_rates(s, lr, attribute(s, "gamma"));
}

static void exponential_closed_form(struct schedule *s, struct number *lr) {
  multiply_base(s, lr, power(&s->a, attribute(s, "gamma"), attribute(s, "last_epoch")));
}

const lr_scheduler_class lr_scheduler_ExponentialLR_class = {
    .object = LR_SCHEDULER_OBJECT,
    .name = "ExponentialLR",
    .begin = exponential_begin,
    .rates = exponential_rates,
    .closed_form = exponential_closed_form,
};

/* PolynomialLR. */

static void polynomial_begin(struct schedule *s) {
  keep_argument(s, "total_iters");
  keep_argument(s, "power");
  begin_scheduler(s);
}

/* What is left at an epoch: 1.0 - epoch / total. */
static struct number left(struct schedule *s, struct number epoch, struct number total) {
  return minus(&s->a, real(1), over(&s->a, epoch, total));
}

static void polynomial_rates(struct schedule *s, struct number *lr) {
  struct number epoch = attribute(s, "last_epoch"), total = attribute(s, "total_iters");
  if (attribute_is_true(s, "_is_initial") || is_after(s, epoch, total)) {
    current_rates(s, lr);
    return;
  }
  struct number before = left(s, minus(&s->a, epoch, integer(1)), total);
  struct number share = over(&s->a, left(s, epoch, total), before);
  multiply_rates(s, lr, power(&s->a, share, attribute(s, "power")));
}

static void polynomial_closed_form(struct schedule *s, struct number *lr) {
  struct number total = attribute(s, "total_iters");
  struct number rest = left(s, smaller(s, total, attribute(s, "last_epoch")), total);
  multiply_base(s, lr, power(&s->a, rest, attribute(s, "power")));
}

const lr_scheduler_class lr_scheduler_PolynomialLR_class = {
    .object = LR_SCHEDULER_OBJECT,
    .name = "PolynomialLR",
    .begin = polynomial_begin,
    .rates = polynomial_rates,
    .closed_form = polynomial_closed_form,
};

/* CosineAnnealingLR. */

static void cosine_begin(struct schedule *s) {
  keep_argument(s, "T_max");
  keep_argument(s, "eta_min");
  begin_scheduler(s);
}

/* 1 + cos(pi * epoch / period) */
static struct number raised_cosine(struct schedule *s, struct number epoch, struct number period) {
  return real(1 + cos(to_real(&s->a, over(&s->a, times(&s->a, real(PI), epoch), period))));
}

/* From the initial rate at the top of the cosine. */
static void cosine_closed_form(struct schedule *s, struct number *lr) {
  struct number least = attribute(s, "eta_min");
  struct number height = raised_cosine(s, attribute(s, "last_epoch"), attribute(s, "T_max"));
  for (size_t i = 0; s->a.error == NULL && i < groups_of(s); i++) {
    struct number range = minus(&s->a, attribute_of_group(s, "base_lrs", i), least);
    lr[i] = plus(&s->a, least, over(&s->a, times(&s->a, range, height), integer(2)));
  }
}

/* The first step upwards, where the rate is at its least and the quotient of two heights is not defined. */
static void cosine_turn(struct schedule *s, struct number *lr, struct number period) {
  struct number least = attribute(s, "eta_min");
  double angle = to_real(&s->a, over(&s->a, real(PI), period));
  struct number height = real(1 - cos(angle));
  for (size_t i = 0; s->a.error == NULL && i < groups_of(s); i++) {
    struct number range = minus(&s->a, attribute_of_group(s, "base_lrs", i), least);
    lr[i] = plus(&s->a, option(s, i, "lr"), over(&s->a, times(&s->a, range, height), integer(2)));
  }
}

static void cosine_rates(struct schedule *s, struct number *lr) {
  if (attribute_is_true(s, "_is_initial")) {
    current_rates(s, lr);
    return;
  }
  struct number epoch = attribute(s, "last_epoch"), period = attribute(s, "T_max"), least = attribute(s, "eta_min");
  if (is_equal(&s->a, attribute(s, "_step_count"), integer(1)) && is_after(s, epoch, integer(0))) {
    cosine_closed_form(s, lr);
    return;
  }
  struct number before = minus(&s->a, epoch, integer(1));
  struct number turn = modulo(&s->a, minus(&s->a, before, period), times(&s->a, integer(2), period));
  if (is_equal(&s->a, turn, integer(0))) {
    cosine_turn(s, lr, period);
    return;
  }
  struct number share = over(&s->a, raised_cosine(s, epoch, period), raised_cosine(s, before, period));
  for (size_t i = 0; s->a.error == NULL && i < groups_of(s); i++) {
    lr[i] = plus(&s->a, times(&s->a, share, minus(&s->a, option(s, i, "lr"), least)), least);
  }
}

const lr_scheduler_class lr_scheduler_CosineAnnealingLR_class = {
    .object = LR_SCHEDULER_OBJECT,
    .name = "CosineAnnealingLR",
    .begin = cosine_begin,
    .rates = cosine_rates,
    .closed_form = cosine_closed_form,
};
