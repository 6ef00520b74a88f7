/* Schedulers of schedulers: SequentialLR, one after the other, and ChainedScheduler, all at once. */
#include <stdlib.h>

#include "constructors/lr_scheduler.h"
#include "core/c/error.h"
#include "lr_scheduler/scheduler.h"

/* Do something with one of the schedulers. */
static void with(
    struct schedule *s,
    ctorch_lr_scheduler *scheduler,
    void (*act)(struct schedule *, const struct number *),
    const struct number *epoch) {
  struct schedule other = schedule_of(s, scheduler);
  act(&other, epoch);
  schedule_end(s, &other);
}

static void first_step_of(struct schedule *s, const struct number *epoch) {
  (void)epoch;
  first_step(s);
}

/* SequentialLR. */

/* How many milestones are not behind an epoch: the number of the scheduler whose turn it is. `*begins` is whether it is
 * the first epoch of that one. */
static size_t turn_at(struct schedule *s, struct number epoch, bool *begins) {
  ctorch_value *list = attribute_value(s, "_milestones");
  size_t low = 0, high = s->a.error == NULL ? ctorch_value_len(list) : 0;
  struct number last = integer(0);
  while (low < high && s->a.error == NULL) {
    size_t middle = low + (high - low) / 2;
    ctorch_value *entry = NULL;
    s->a.error = ctorch_value_get(&entry, list, middle);
    struct number milestone = number_of_value(&s->a, entry, "_milestones");
    ctorch_value_release(entry);
    if (is_less(&s->a, epoch, milestone)) {
      high = middle;
    } else {
      low = middle + 1;
      last = milestone;
    }
  }
  ctorch_value_release(list);
  *begins = low > 0 && is_equal(&s->a, last, epoch);
  if (s->a.error == NULL && low >= s->self->len) {
    s->a.error = error_make(
        s->a.function, CTORCH_ERROR_INDEX, "_milestones: epoch %g is behind %zu milestones, for %zu schedulers",
        to_real(&s->a, epoch), low, s->self->len);
  }
  return s->a.error == NULL ? low : 0;
}

/* What the schedulers' own first steps did is taken back, for each begins at its turn. */
static void undo(struct schedule *s, const struct number *epoch) {
  for (size_t i = 0; i < s->self->len; i++) {
    with(s, s->self->schedulers[i], undo, epoch);
  }
  if (s->self->len == 0 && has_attribute(s, "last_epoch")) {
    set_attribute(s, "last_epoch", minus(&s->a, attribute(s, "last_epoch"), integer(1)));
  }
}

static void take_last_rates(struct schedule *s, ctorch_lr_scheduler *from) {
  struct schedule other = schedule_of(s, from);
  ctorch_value *rates = attribute_value(&other, "_last_lr");
  schedule_end(s, &other);
  set_attribute_value(s, "_last_lr", rates);
}

static void sequential_begin(struct schedule *s) {
  bool begins = false;
  keep_argument_as(s, "milestones", "_milestones");
  set_attribute(s, "last_epoch", plus(&s->a, argument(s, "last_epoch"), integer(1)));
  for (size_t i = 0; s->a.error == NULL && i < groups_of(s); i++) {
    update_option(s, i, "lr", option(s, i, "initial_lr"));
  }
  undo(s, NULL);
  ctorch_lr_scheduler *first = s->self->schedulers[turn_at(s, integer(0), &begins)];
  with(s, first, first_step_of, NULL);
  take_last_rates(s, first);
}

static void sequential_step(struct schedule *s, const struct number *given) {
  (void)given;
  bool begins = false;
  struct number epoch = plus(&s->a, attribute(s, "last_epoch"), integer(1)), zero = integer(0);
  set_attribute(s, "last_epoch", epoch);
  ctorch_lr_scheduler *turn = s->self->schedulers[turn_at(s, epoch, &begins)];
  with(s, turn, begins ? update_rates : step_scheduler, begins ? &zero : NULL);
  take_last_rates(s, turn);
}

static const lr_scheduler_class sequential_class = {
    .object = LR_SCHEDULER_OBJECT,
    .name = "SequentialLR",
    .begin = sequential_begin,
    .step = sequential_step,
    .takes_no_epoch = true,
};

/* ChainedScheduler. */

static void chained_begin(struct schedule *s) { keep_last_rates(s); }

static void chained_step(struct schedule *s, const struct number *given) {
  (void)given;
  for (size_t i = 0; i < s->self->len; i++) {
    with(s, s->self->schedulers[i], step_scheduler, NULL);
  }
  keep_last_rates(s);
}

static const lr_scheduler_class chained_class = {
    .object = LR_SCHEDULER_OBJECT,
    .name = "ChainedScheduler",
    .begin = chained_begin,
    .step = chained_step,
    .takes_no_epoch = true,
};

/* Making. */

static ctorch_error *check(
    const char *function, ctorch_lr_scheduler *const *schedulers, size_t len, const ctorch_optimizer *optimizer) {
  for (size_t i = 0; i < len; i++) {
    const char *name = ctorch_lr_scheduler_name(schedulers[i]);
    if (lr_scheduler_class_of(schedulers[i])->step_metric != NULL) {
      return error_make(
          function, CTORCH_ERROR_VALUE, "schedulers: a %s (entry %zu) needs a metric in each step", name, i);
    }
    if (schedulers[i]->optimizer != optimizer) {
      return error_make(
          function, CTORCH_ERROR_VALUE, "schedulers: a %s (entry %zu) is that of another optimizer", name, i);
    }
  }
  return NULL;
}

/* A scheduler with references to others; NULL is out of memory. */
static ctorch_lr_scheduler *scheduler_of(
    const lr_scheduler_class *class, ctorch_optimizer *optimizer, ctorch_lr_scheduler *const *schedulers, size_t len) {
  ctorch_lr_scheduler *self = lr_scheduler_new(class, optimizer);
  if (self == NULL || (self->schedulers = malloc(len * sizeof *self->schedulers)) == NULL) {
    object_unref(self);
    return NULL;
  }
  for (size_t i = 0; i < len; i++) {
    self->schedulers[self->len++] = object_ref(schedulers[i]);
  }
  return self;
}

ctorch_error *lr_scheduler_SequentialLR(
    const char *function, ctorch_lr_scheduler **out, const struct lr_scheduler_SequentialLR_options *options) {
  if (options->schedulers_len == 0) {
    return error_make(function, CTORCH_ERROR_VALUE, "schedulers: expected at least one");
  }
  CTORCH_TRY(check(function, options->schedulers, options->schedulers_len, options->optimizer));
  if (options->milestones_len != options->schedulers_len - 1) {
    return error_make(
        function, CTORCH_ERROR_VALUE, "milestones: expected %zu, one less than there are schedulers, found %zu",
        options->schedulers_len - 1, options->milestones_len);
  }
  struct optimizer_record record;
  optimizer_record_begin(&record, function);
  lr_scheduler_record_ints(&record, "milestones", options->milestones, options->milestones_len);
  optimizer_record_int(&record, "last_epoch", &options->last_epoch);
  return lr_scheduler_record_give(
      &record, out, scheduler_of(&sequential_class, options->optimizer, options->schedulers, options->schedulers_len));
}

ctorch_error *lr_scheduler_ChainedScheduler(
    const char *function, ctorch_lr_scheduler **out, const struct lr_scheduler_ChainedScheduler_options *options) {
  if (options->schedulers_len == 0) {
    return error_make(function, CTORCH_ERROR_VALUE, "schedulers: expected at least one");
  }
  ctorch_optimizer *optimizer = options->optimizer != NULL ? options->optimizer : options->schedulers[0]->optimizer;
  CTORCH_TRY(check(function, options->schedulers, options->schedulers_len, optimizer));
  struct optimizer_record record;
  optimizer_record_begin(&record, function);
  return lr_scheduler_record_give(
      &record, out, scheduler_of(&chained_class, optimizer, options->schedulers, options->schedulers_len));
}
