/* CosineAnnealingWarmRestarts (SGDR: Loshchilov & Hutter 2017, arXiv:1608.03983). */
#include <math.h>

#include "constructors/lr_scheduler.h"
#include "lr_scheduler/scheduler.h"

#define PI 3.141592653589793

static void check_int(struct schedule *s, const char *name) {
  ctorch_value_kind kind = argument_kind(s, name);
  struct number number = argument(s, name);
  if ((kind != CTORCH_VALUE_INT && kind != CTORCH_VALUE_BOOL) || is_less(&s->a, number, integer(1))) {
    refuse(s, "%s: expected an integer of at least 1, got %g", name, to_real(&s->a, number));
  }
}

static void begin(struct schedule *s) {
  check_int(s, "T_0");
  check_int(s, "T_mult");
  ctorch_value_kind kind = argument_kind(s, "eta_min");
  if (kind != CTORCH_VALUE_DOUBLE && kind != CTORCH_VALUE_INT && kind != CTORCH_VALUE_BOOL) {
    refuse(s, "eta_min: expected a number, found %s", ctorch_value_kind_name(kind));
  }
  keep_argument(s, "T_0");
  keep_argument_as(s, "T_0", "T_i");
  keep_argument(s, "T_mult");
  keep_argument(s, "eta_min");
  keep_argument_as(s, "last_epoch", "T_cur");
  begin_scheduler(s);
}

static void rates(struct schedule *s, struct number *lr) {
  struct number least = attribute(s, "eta_min");
  struct number angle = over(&s->a, times(&s->a, real(PI), attribute(s, "T_cur")), attribute(s, "T_i"));
  struct number height = real(1 + cos(to_real(&s->a, angle)));
  for (size_t i = 0; s->a.error == NULL && i < groups_of(s); i++) {
    struct number range = minus(&s->a, attribute_of_group(s, "base_lrs", i), least);
    lr[i] = plus(&s->a, least, over(&s->a, times(&s->a, range, height), integer(2)));
  }
}

/* One epoch more: where the period ends, the next one begins. */
static void go_on(struct schedule *s) {
  struct number at = plus(&s->a, attribute(s, "T_cur"), integer(1)), period = attribute(s, "T_i");
  if (!is_less(&s->a, at, period)) {
    at = modulo(&s->a, at, period);
    set_attribute(s, "T_i", times(&s->a, period, attribute(s, "T_mult")));
  }
  set_attribute(s, "T_cur", at);
}

/* To any epoch: the periods before it are a geometric series. */
static void go_to(struct schedule *s, struct number epoch) {
  struct number first = attribute(s, "T_0"), growth = attribute(s, "T_mult");
  if (is_less(&s->a, epoch, integer(0))) {
    refuse(s, "epoch: expected one that is not negative, got %g", to_real(&s->a, epoch));
  } else if (is_less(&s->a, epoch, first)) {
    set_attribute(s, "T_i", first);
    set_attribute(s, "T_cur", epoch);
  } else if (is_equal(&s->a, growth, integer(1))) {
    set_attribute(s, "T_cur", modulo(&s->a, epoch, first));
  } else {
    struct number grown = minus(&s->a, growth, integer(1));
    struct number series = plus(&s->a, times(&s->a, over(&s->a, epoch, first), grown), integer(1));
    double logarithm = log(to_real(&s->a, series)) / log(to_real(&s->a, growth));
    struct number n = floored(&s->a, real(logarithm)), passed = power(&s->a, growth, n);
    struct number before = over(&s->a, times(&s->a, first, minus(&s->a, passed, integer(1))), grown);
    set_attribute(s, "T_cur", minus(&s->a, epoch, before));
    set_attribute(s, "T_i", times(&s->a, first, passed));
  }
}

static void step(struct schedule *s, const struct number *given) {
  struct number last = attribute(s, "last_epoch"), epoch = given != NULL ? *given : plus(&s->a, last, integer(1));
  if (given == NULL && is_less(&s->a, last, integer(0))) {
    epoch = integer(0);
    go_to(s, epoch);
  } else if (given == NULL) {
    go_on(s);
  } else {
    go_to(s, epoch);
  }
  set_attribute(s, "last_epoch", floored(&s->a, epoch));
  apply_rates(s, false);
}

const lr_scheduler_class lr_scheduler_CosineAnnealingWarmRestarts_class = {
    .object = LR_SCHEDULER_OBJECT,
    .name = "CosineAnnealingWarmRestarts",
    .begin = begin,
    .rates = rates,
    .step = step,
};
