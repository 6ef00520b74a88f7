/* SWALR, of stochastic weight averaging (Izmailov et al. 2018, arXiv:1803.05407). */
#include <math.h>
#include <stdlib.h>

#include "constructors/lr_scheduler.h"
#include "lr_scheduler/scheduler.h"

#define PI 3.141592653589793

static void begin(struct schedule *s) {
  struct number *last = numbers_of_groups(s);
  argument_of_groups(s, "swa_lr", last);
  for (size_t i = 0; s->a.error == NULL && i < groups_of(s); i++) {
    set_option(s, i, "swa_lr", last[i]);
  }
  free(last);
  if (!argument_is(s, "anneal_strategy", "cos") && !argument_is(s, "anneal_strategy", "linear")) {
    refuse(s, "anneal_strategy: expected 'cos' or 'linear'");
  }
  keep_argument_as(s, "anneal_strategy", "_anneal_strategy");
  ctorch_value_kind kind = argument_kind(s, "anneal_epochs");
  struct number epochs = argument(s, "anneal_epochs");
  if ((kind != CTORCH_VALUE_INT && kind != CTORCH_VALUE_BOOL) || is_less(&s->a, epochs, integer(0))) {
    refuse(s, "anneal_epochs: expected an integer of at least 0, got %g", to_real(&s->a, epochs));
  }
  keep_argument(s, "anneal_epochs");
  begin_scheduler(s);
}

/* How far a step is, from 0 to 1, by the strategy. */
static struct number annealed(struct schedule *s, struct number step, struct number epochs) {
  struct number most = is_less(&s->a, integer(1), epochs) ? epochs : integer(1);
  struct number share = over(&s->a, step, most);
  share = is_less(&s->a, share, integer(1)) ? share : integer(1);
  share = is_less(&s->a, integer(0), share) ? share : integer(0);
  if (!attribute_is(s, "_anneal_strategy", "cos")) {
    return share;
  }
  return real((1 - cos(PI * to_real(&s->a, share))) / 2);
}

/* The rate that annealing began with, by which it is now. */
static struct number first_rate(struct schedule *s, struct number lr, struct number last, struct number share) {
  if (is_equal(&s->a, share, integer(1))) {
    return last;
  }
  struct number rest = minus(&s->a, integer(1), share);
  return over(&s->a, minus(&s->a, lr, times(&s->a, share, last)), rest);
}

static void rates(struct schedule *s, struct number *lr) {
  struct number step = minus(&s->a, attribute(s, "_step_count"), integer(1)), epochs = attribute(s, "anneal_epochs");
  if (is_equal(&s->a, epochs, integer(0)) && is_less(&s->a, step, integer(1))) {
    step = integer(1);
  }
  struct number before = annealed(s, minus(&s->a, step, integer(1)), epochs), now = annealed(s, step, epochs);
  struct number rest = minus(&s->a, integer(1), now);
  for (size_t i = 0; s->a.error == NULL && i < groups_of(s); i++) {
    struct number last = option(s, i, "swa_lr"), first = first_rate(s, option(s, i, "lr"), last, before);
    lr[i] = plus(&s->a, times(&s->a, last, now), times(&s->a, first, rest));
  }
}

const lr_scheduler_class lr_scheduler_SWALR_class = {
    .object = LR_SCHEDULER_OBJECT,
    .name = "SWALR",
    .begin = begin,
    .rates = rates,
};
