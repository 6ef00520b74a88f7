/* ReduceLROnPlateau: rates that are lowered when a metric becomes no better. */
#include <math.h>
#include <stdlib.h>

#include "constructors/lr_scheduler.h"
#include "core/c/error.h"
#include "lr_scheduler/scheduler.h"

static void set_worst(struct schedule *s) {
  set_attribute(s, "mode_worse", real(attribute_is(s, "mode", "min") ? INFINITY : -INFINITY));
}

/* Whether an argument, or an entry of a state, is one of two texts. */
static void check_texts(struct schedule *s, bool mode_is_known, bool threshold_mode_is_known) {
  if (!mode_is_known) {
    refuse(s, "mode: expected 'min' or 'max'");
  }
  if (!threshold_mode_is_known) {
    refuse(s, "threshold_mode: expected 'rel' or 'abs'");
  }
}

static void begin_least(struct schedule *s) {
  struct number *least = numbers_of_groups(s);
  ctorch_value_kind kind = argument_kind(s, "min_lr");
  argument_of_groups(s, "min_lr", least);
  if (kind == CTORCH_VALUE_LIST || kind == CTORCH_VALUE_TUPLE) {
    set_attribute_none(s, "default_min_lr");
  } else {
    keep_argument_as(s, "min_lr", "default_min_lr");
  }
  set_attribute_list(s, "min_lrs", least, groups_of(s));
  free(least);
}

static void begin(struct schedule *s) {
  double factor = to_real(&s->a, argument(s, "factor"));
  if (factor >= 1) {
    refuse(s, "factor: expected one below 1, got %g", factor);
  }
  keep_argument(s, "factor");
  begin_least(s);
  keep_argument(s, "patience");
  keep_argument(s, "cooldown");
  keep_argument(s, "eps");
  set_attribute(s, "last_epoch", integer(0));
  keep_last_rates(s);
  check_texts(
      s, argument_is(s, "mode", "min") || argument_is(s, "mode", "max"),
      argument_is(s, "threshold_mode", "rel") || argument_is(s, "threshold_mode", "abs"));
  set_attribute(s, "mode_worse", real(argument_is(s, "mode", "min") ? INFINITY : -INFINITY));
  keep_argument(s, "mode");
  keep_argument(s, "threshold");
  keep_argument(s, "threshold_mode");
  set_attribute(s, "best", attribute(s, "mode_worse"));
  set_attribute(s, "cooldown_counter", integer(0));
  set_attribute(s, "num_bad_epochs", integer(0));
}

static bool is_better(struct schedule *s, struct number metric, struct number best) {
  struct number threshold = attribute(s, "threshold");
  bool is_relative = attribute_is(s, "threshold_mode", "rel");
  if (attribute_is(s, "mode", "min")) {
    struct number than =
        is_relative ? times(&s->a, best, minus(&s->a, real(1), threshold)) : minus(&s->a, best, threshold);
    return is_less(&s->a, metric, than);
  }
  struct number than = is_relative ? times(&s->a, best, plus(&s->a, threshold, real(1))) : plus(&s->a, best, threshold);
  return is_less(&s->a, than, metric);
}

/* Groups that came later have the lowest rate of all, if there is one for all. */
static void complete_least(struct schedule *s) {
  ctorch_value *list = attribute_value(s, "min_lrs");
  size_t len = s->a.error == NULL ? ctorch_value_len(list) : 0;
  ctorch_value_release(list);
  if (s->a.error != NULL || len == groups_of(s)) {
    return;
  }
  ctorch_value *value = attribute_value(s, "default_min_lr");
  bool is_none = s->a.error == NULL && ctorch_value_kind_of(value) == CTORCH_VALUE_NONE;
  ctorch_value_release(value);
  if (is_none) {
    s->a.error = error_make(
        s->a.function, CTORCH_ERROR_RUNTIME,
        "min_lrs: %zu lowest rates for %zu groups of parameters; a group was added, set the attribute to as many", len,
        groups_of(s));
    return;
  }
  struct number *least = numbers_of_groups(s);
  for (size_t i = 0; least != NULL && i < groups_of(s); i++) {
    least[i] = attribute(s, "default_min_lr");
  }
  set_attribute_list(s, "min_lrs", least, groups_of(s));
  free(least);
}

static void reduce(struct schedule *s) {
  struct number factor = attribute(s, "factor"), eps = attribute(s, "eps");
  complete_least(s);
  for (size_t i = 0; s->a.error == NULL && i < groups_of(s); i++) {
    struct number before = real(to_real(&s->a, option(s, i, "lr"))), after = times(&s->a, before, factor);
    struct number least = attribute_of_group(s, "min_lrs", i);
    after = is_less(&s->a, after, least) ? least : after;
    if (is_less(&s->a, eps, minus(&s->a, before, after))) {
      update_option(s, i, "lr", after);
    }
  }
}

static void step_metric(struct schedule *s, double metric) {
  struct number bad = plus(&s->a, attribute(s, "num_bad_epochs"), integer(1));
  struct number cooldown = attribute(s, "cooldown_counter");
  set_attribute(s, "last_epoch", plus(&s->a, attribute(s, "last_epoch"), integer(1)));
  if (is_better(s, real(metric), attribute(s, "best"))) {
    set_attribute(s, "best", real(metric));
    bad = integer(0);
  }
  if (is_less(&s->a, integer(0), cooldown)) {
    set_attribute(s, "cooldown_counter", minus(&s->a, cooldown, integer(1)));
    bad = integer(0);
  }
  set_attribute(s, "num_bad_epochs", bad);
  if (is_less(&s->a, attribute(s, "patience"), bad)) {
    reduce(s);
    set_attribute(s, "cooldown_counter", attribute(s, "cooldown"));
    set_attribute(s, "num_bad_epochs", integer(0));
  }
  keep_last_rates(s);
}

/* The text of an entry is one of two; what is not there stays as it is. */
static bool entry_is_known(
    struct schedule *s, const ctorch_value *state, const char *name, const char *const texts[2]) {
  bool is_known = true;
  ctorch_value *value = dict_value(s, state, name);
  if (value != NULL) {
    is_known = value_is_text(s, value, texts[0]) || value_is_text(s, value, texts[1]);
  }
  ctorch_value_release(value);
  return is_known;
}

static void check_state(struct schedule *s, const ctorch_value *state) {
  static const char *const modes[] = {"min", "max"}, *const threshold_modes[] = {"rel", "abs"};
  check_texts(s, entry_is_known(s, state, "mode", modes), entry_is_known(s, state, "threshold_mode", threshold_modes));
}

const lr_scheduler_class lr_scheduler_ReduceLROnPlateau_class = {
    .object = LR_SCHEDULER_OBJECT,
    .name = "ReduceLROnPlateau",
    .begin = begin,
    .step_metric = step_metric,
    .check_state = check_state,
    .loaded = set_worst,
};
