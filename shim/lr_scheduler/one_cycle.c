/* OneCycleLR (Smith & Topin 2019, arXiv:1708.07120). */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/sequence.h"
#include "constructors/lr_scheduler.h"
#include "core/c/error.h"
#include "lr_scheduler/scheduler.h"

#define PI 3.141592653589793
#define PHASES_MOST 3
#define NAME_SIZE 32

/* Its attribute "_schedule_phases" is a list of dicts. */

struct phase {
  struct number end_step;
  char start_lr[NAME_SIZE], end_lr[NAME_SIZE], start_momentum[NAME_SIZE], end_momentum[NAME_SIZE]; /* options */
};

static const char *const phase_names[] = {"start_lr", "end_lr", "start_momentum", "end_momentum"};

static char *phase_name(struct phase *phase, size_t i) {
  char *const names[] = {phase->start_lr, phase->end_lr, phase->start_momentum, phase->end_momentum};
  return names[i];
}

static void put(struct schedule *s, ctorch_value *dict, const char *name, ctorch_value *value) {
  THEN(s->a.error, ctorch_value_dict_put(dict, name, value));
  ctorch_value_release(value);
}

static ctorch_value *text_value(struct schedule *s, const char *text) {
  ctorch_value *value = NULL;
  THEN(s->a.error, ctorch_value_from_string(&value, text));
  return value;
}

static void add_phase(struct schedule *s, ctorch_value *list, const struct phase *phase) {
  ctorch_value *dict = NULL;
  struct phase copy = *phase;
  THEN(s->a.error, ctorch_value_from_dict(&dict, NULL, 0, NULL, 0));
  put(s, dict, "end_step", value_of_number(&s->a, phase->end_step));
  for (size_t i = 0; i < sizeof phase_names / sizeof *phase_names; i++) {
    put(s, dict, phase_names[i], text_value(s, phase_name(&copy, i)));
  }
  THEN(s->a.error, ctorch_value_list_append(list, dict));
  ctorch_value_release(dict);
}

static void begin_phases(struct schedule *s, struct number total) {
  struct number share = real(to_real(&s->a, times(&s->a, argument(s, "pct_start"), total)));
  struct number both = times(&s->a, times(&s->a, integer(2), argument(s, "pct_start")), total);
  struct number last = minus(&s->a, total, integer(1));
  const struct phase up = {minus(&s->a, share, integer(1)), "initial_lr", "max_lr", "max_momentum", "base_momentum"};
  const struct phase down = {
      minus(&s->a, real(to_real(&s->a, both)), integer(2)), "max_lr", "initial_lr", "base_momentum", "max_momentum"};
  const struct phase out = {last, "initial_lr", "min_lr", "max_momentum", "max_momentum"};
  const struct phase down_and_out = {last, "max_lr", "min_lr", "base_momentum", "max_momentum"};
  ctorch_value *list = NULL;
  THEN(s->a.error, ctorch_value_from_list(&list, NULL, 0));
  add_phase(s, list, &up);
  if (argument_is_true(s, "three_phase")) {
    add_phase(s, list, &down);
    add_phase(s, list, &out);
  } else {
    add_phase(s, list, &down_and_out);
  }
  set_attribute_value(s, "_schedule_phases", list);
}

static void read_phase(struct schedule *s, const ctorch_value *list, size_t at, struct phase *to) {
  ctorch_value *dict = NULL, *step = NULL;
  s->a.error = ctorch_value_get(&dict, list, at);
  THEN(s->a.error, ctorch_value_dict_at(&step, dict, "end_step"));
  to->end_step = number_of_value(&s->a, step, "end_step");
  ctorch_value_release(step);
  for (size_t i = 0; s->a.error == NULL && i < sizeof phase_names / sizeof *phase_names; i++) {
    ctorch_value *name = NULL;
    const char *text = NULL;
    s->a.error = ctorch_value_dict_at(&name, dict, phase_names[i]);
    THEN(s->a.error, ctorch_value_to_string(&text, NULL, name));
    if (text != NULL && strlen(text) >= NAME_SIZE) {
      refuse(s, "_schedule_phases: '%s' is no option of a group", text);
    } else if (text != NULL) {
      memcpy(phase_name(to, i), text, strlen(text) + 1);
    }
    ctorch_value_release(name);
  }
  ctorch_value_release(dict);
}

/* How many there are. */
static size_t read_phases(struct schedule *s, struct phase phases[PHASES_MOST]) {
  ctorch_value *list = attribute_value(s, "_schedule_phases");
  size_t len = s->a.error == NULL ? ctorch_value_len(list) : 0;
  if (s->a.error == NULL && (len == 0 || len > PHASES_MOST)) {
    refuse(s, "_schedule_phases: expected two phases, or three, found %zu", len);
  }
  for (size_t i = 0; s->a.error == NULL && i < len; i++) {
    read_phase(s, list, i, &phases[i]);
  }
  ctorch_value_release(list);
  return s->a.error == NULL ? len : 0;
}

/* Beginning. */

/* A number of steps, NULL for none: an int above 0. */
static bool read_positive(struct schedule *s, const char *name, struct number *to) {
  ctorch_value_kind kind = argument_kind(s, name);
  if (s->a.error != NULL || kind == CTORCH_VALUE_NONE) {
    return false;
  }
  *to = argument(s, name);
  if ((kind != CTORCH_VALUE_INT && kind != CTORCH_VALUE_BOOL) || !is_less(&s->a, integer(0), *to)) {
    refuse(s, "%s: expected a positive integer, got %g", name, to_real(&s->a, *to));
  }
  return true;
}

static struct number begin_total(struct schedule *s) {
  struct number total = integer(0), epochs = integer(0), steps = integer(0);
  if (!read_positive(s, "total_steps", &total)) {
    if (argument_is_none(s, "epochs") || argument_is_none(s, "steps_per_epoch")) {
      refuse(s, "total_steps: give it, or both epochs and steps_per_epoch");
    }
    read_positive(s, "epochs", &epochs);
    read_positive(s, "steps_per_epoch", &steps);
    total = times(&s->a, epochs, steps);
  }
  set_attribute(s, "total_steps", total);
  return total;
}

static void check(struct schedule *s) {
  double start = to_real(&s->a, argument(s, "pct_start"));
  if (argument_kind(s, "pct_start") != CTORCH_VALUE_DOUBLE || start < 0 || start > 1) {
    refuse(s, "pct_start: expected a float within [0, 1], got %g", start);
  }
  if (!argument_is(s, "anneal_strategy", "cos") && !argument_is(s, "anneal_strategy", "linear")) {
    refuse(s, "anneal_strategy: expected 'cos' or 'linear'");
  }
}

static void begin_rates(struct schedule *s, struct number *largest, bool is_new) {
  struct number division = argument(s, "div_factor"), final = argument(s, "final_div_factor");
  argument_of_groups(s, "max_lr", largest);
  for (size_t i = 0; is_new && s->a.error == NULL && i < groups_of(s); i++) {
    set_option(s, i, "initial_lr", over(&s->a, largest[i], division));
    set_option(s, i, "max_lr", largest[i]);
    set_option(s, i, "min_lr", over(&s->a, option(s, i, "initial_lr"), final));
  }
}

static void begin(struct schedule *s) {
  begin_phases(s, begin_total(s));
  check(s);
  keep_argument_as(s, "anneal_strategy", "_anneal_func_type");
  struct number *largest = numbers_of_groups(s), *smallest = numbers_of_groups(s);
  bool is_new = is_equal(&s->a, argument(s, "last_epoch"), integer(-1));
  begin_rates(s, largest, is_new);
  keep_argument(s, "cycle_momentum");
  if (argument_is_true(s, "cycle_momentum")) {
    begin_momentum(s);
    argument_of_groups(s, "max_momentum", largest);
    argument_of_groups(s, "base_momentum", smallest);
    begin_momentum_of_groups(s, smallest, largest, is_new);
  }
  begin_scheduler(s);
  free(largest);
  free(smallest);
}

/* Steps. */

static struct number anneal(
    struct schedule *s, bool by_cosine, struct number start, struct number end, struct number share) {
  if (!by_cosine) {
    return plus(&s->a, times(&s->a, minus(&s->a, end, start), share), start);
  }
  double height = cos(PI * to_real(&s->a, share)) + 1;
  struct number half = over(&s->a, minus(&s->a, start, end), real(2));
  return plus(&s->a, end, times(&s->a, half, real(height)));
}

static void rates(struct schedule *s, struct number *lr) {
  struct phase phases[PHASES_MOST];
  memset(phases, 0, sizeof phases);
  size_t len = read_phases(s, phases), at = 0;
  struct number step = attribute(s, "last_epoch"), total = attribute(s, "total_steps"), start = real(0);
  if (is_less(&s->a, total, step)) {
    refuse(s, "step %g of a schedule that was made for %g steps", to_real(&s->a, step), to_real(&s->a, total));
  }
  if (s->a.error != NULL) {
    return;
  }
  while (at + 1 < len && is_less(&s->a, phases[at].end_step, step)) {
    start = phases[at++].end_step;
  }
  const struct phase *phase = &phases[at];
  struct number share = over(&s->a, minus(&s->a, step, start), minus(&s->a, phase->end_step, start));
  bool by_cosine = !attribute_is(s, "_anneal_func_type", "linear");
  bool cycles = attribute_is_true(s, "cycle_momentum"), use_beta1 = cycles && attribute_is_true(s, "use_beta1");
  for (size_t i = 0; s->a.error == NULL && i < groups_of(s); i++) {
    lr[i] = anneal(s, by_cosine, option(s, i, phase->start_lr), option(s, i, phase->end_lr), share);
    if (cycles) {
      struct number from = option(s, i, phase->start_momentum), to = option(s, i, phase->end_momentum);
      set_momentum(s, i, use_beta1, anneal(s, by_cosine, from, to, share));
    }
  }
}

const lr_scheduler_class lr_scheduler_OneCycleLR_class = {
    .object = LR_SCHEDULER_OBJECT,
    .name = "OneCycleLR",
    .begin = begin,
    .rates = rates,
};
