/* Learning rate schedulers, and the step that they have in common: <ctorch/lr_scheduler/lr_scheduler.h> but for making
 * them and for their states. */
#include <math.h>
#include <stdlib.h>

#include "base/sequence.h"
#include "core/c/boxed.h"
#include "core/c/error.h"
#include "core/c/payload.h"
#include "lr_scheduler/scheduler.h"

void ctorch_lr_scheduler_retain(const ctorch_lr_scheduler *self) { object_retain(self); }
void ctorch_lr_scheduler_release(ctorch_lr_scheduler *self) { object_release(self); }

const char *ctorch_lr_scheduler_name(const ctorch_lr_scheduler *self) {
  return self == NULL ? NULL : lr_scheduler_class_of(self)->name;
}

void lr_scheduler_finalize(void *object) {
  ctorch_lr_scheduler *self = object;
  for (size_t i = 0; i < self->len; i++) {
    object_unref(self->schedulers[i]);
  }
  free(self->schedulers);
  value_unref(self->attributes);
  object_unref(self->optimizer);
  payload_destroy(self->destroy, self->payload);
}

ctorch_lr_scheduler *lr_scheduler_new(const lr_scheduler_class *class, ctorch_optimizer *optimizer) {
  ctorch_lr_scheduler *self = object_new(&class->object);
  if (self != NULL) {
    self->optimizer = object_ref(optimizer);
  }
  return self;
}

ctorch_error *lr_scheduler_give(
    const char *function, ctorch_lr_scheduler **out, ctorch_lr_scheduler *self, const ctorch_value *arguments) {
  if (self == NULL) {
    return error_memory(function, sizeof *self);
  }
  struct schedule s = SCHEDULE(self);
  s.a.function = function;
  s.arguments = arguments;
  ctorch_value *attributes = NULL;
  s.a.error = ctorch_value_from_dict(&attributes, NULL, 0, NULL, 0);
  self->attributes = value_take(attributes);
  if (s.a.error == NULL) {
    lr_scheduler_class_of(self)->begin(&s);
  }
  ctorch_error *error = arithmetic_end(&s.a);
  if (error != NULL) {
    self->destroy = NULL; /* the payload stays the caller's */
    object_unref(self);
    return error;
  }
  return object_give(function, out, self);
}

struct schedule schedule_of(struct schedule *s, ctorch_lr_scheduler *self) {
  struct schedule other = SCHEDULE(self);
  other.a.function = s->a.function;
  other.a.error = s->a.error;
  s->a.error = NULL;
  return other;
}

void schedule_end(struct schedule *s, struct schedule *other) { s->a.error = arithmetic_end(&other->a); }

/* Beginning. */

/* Each group has "initial_lr" then, or has to have it. */
static void begin_groups(struct schedule *s, bool is_new) {
  for (size_t i = 0; s->a.error == NULL && i < groups_of(s); i++) {
    bool has_initial = has_option(s, i, "initial_lr");
    if (is_new && !has_initial) {
      set_option(s, i, "initial_lr", cloned(&s->a, option(s, i, "lr")));
    } else if (!has_initial && s->a.error == NULL) {
      s->a.error = error_make(
          s->a.function, CTORCH_ERROR_INDEX,
          "last_epoch: group %zu has no option 'initial_lr', which an optimizer has after its state was loaded", i);
    }
  }
}

void begin_scheduler(struct schedule *s) {
  struct number last_epoch = argument(s, "last_epoch");
  begin_groups(s, is_equal(&s->a, last_epoch, integer(-1)));
  struct number *lr = numbers_of_groups(s);
  for (size_t i = 0; lr != NULL && i < groups_of(s); i++) {
    lr[i] = cloned(&s->a, option(s, i, "initial_lr"));
  }
  set_attribute_list(s, "base_lrs", lr, groups_of(s));
  free(lr);
  set_attribute(s, "last_epoch", last_epoch);
  ctorch_optimizer *optimizer = s->self->optimizer;
  optimizer->scheduled = optimizer->scheduled != 0 ? optimizer->scheduled : optimizer->steps + 1;
  first_step(s);
}

void first_step(struct schedule *s) {
  set_attribute(s, "_step_count", integer(0));
  set_attribute_bool(s, "_is_initial", true);
  step_scheduler(s, NULL);
  set_attribute_bool(s, "_is_initial", false);
}

/* Steps. */

static void warn(struct schedule *s, const char *message) {
  THEN(s->a.error, ctorch_warning_emit(CTORCH_WARNING_USER, message));
}

void warn_of_epoch(struct schedule *s) {
  warn(
      s,
      "scheduler.step(epoch): the epoch is deprecated and rarely needed, a step without it is the next one; with it "
      "the "
      "rates are computed in closed form where there is one");
}

static bool has_stepped(const ctorch_optimizer *optimizer) {
  return optimizer->scheduled != 0 && optimizer->steps >= optimizer->scheduled;
}

static void step_as_all(struct schedule *s, const struct number *epoch) {
  struct number count = attribute(s, "_step_count");
  if (is_equal(&s->a, count, integer(1)) && !has_stepped(s->self->optimizer)) {
    warn(
        s,
        "scheduler.step() before optimizer.step(): the first learning rate is never used; call optimizer.step() first");
  }
  set_attribute(s, "_step_count", plus(&s->a, count, integer(1)));
  if (epoch != NULL) {
    warn_of_epoch(s);
  }
  update_rates(s, epoch);
}

void step_scheduler(struct schedule *s, const struct number *epoch) {
  const lr_scheduler_class *class = lr_scheduler_class_of(s->self);
  if (s->a.error == NULL) {
    (class->step != NULL ? class->step : step_as_all)(s, epoch);
  }
}

/* The next rates; an attribute tells meanwhile that this is a step. */
static void compute_rates(struct schedule *s, bool is_closed, struct number *lr) {
  const lr_scheduler_class *class = lr_scheduler_class_of(s->self);
  void (*compute)(struct schedule *, struct number *) = is_closed ? class->closed_form : class->rates;
  set_attribute_bool(s, "_get_lr_called_within_step", true);
  if (s->a.error == NULL && compute == NULL) {
    s->a.error = error_make(
        s->a.function, CTORCH_ERROR_NOT_IMPLEMENTED, "a scheduler %s computes no rates of its own", class->name);
  } else if (s->a.error == NULL) {
    compute(s, lr);
  }
  ctorch_error *error = s->a.error;
  s->a.error = NULL;
  set_attribute_bool(s, "_get_lr_called_within_step", false);
  s->a.error = ctorch_error_first(error, s->a.error);
}

void apply_rates(struct schedule *s, bool is_closed) {
  struct number *lr = numbers_of_groups(s);
  if (lr != NULL) {
    compute_rates(s, is_closed, lr);
  }
  for (size_t i = 0; s->a.error == NULL && i < groups_of(s); i++) {
    update_option(s, i, "lr", lr[i]);
  }
  keep_last_rates(s);
  free(lr);
}

void update_rates(struct schedule *s, const struct number *epoch) {
  set_attribute(s, "last_epoch", epoch != NULL ? *epoch : plus(&s->a, attribute(s, "last_epoch"), integer(1)));
  apply_rates(s, epoch != NULL && lr_scheduler_class_of(s->self)->closed_form != NULL);
}

void keep_last_rates(struct schedule *s) {
  struct number *lr = numbers_of_groups(s);
  if (lr != NULL) {
    current_rates(s, lr);
  }
  set_attribute_list(s, "_last_lr", lr, groups_of(s));
  free(lr);
}

/* What is exported. */

static ctorch_error *check_self(const char *function, const ctorch_lr_scheduler *self) {
  CTORCH_TRY(error_refusal(function));
  return self == NULL ? error_null(function, "self") : NULL;
}

static ctorch_error *refuse_step(const char *function, const ctorch_lr_scheduler *self, const char *why) {
  return error_make(function, CTORCH_ERROR_TYPE, "self: %s %s", ctorch_lr_scheduler_name(self), why);
}

ctorch_error *ctorch_lr_scheduler_step(ctorch_lr_scheduler *self) {
  CTORCH_TRY(check_self(__func__, self));
  if (lr_scheduler_class_of(self)->step_metric != NULL) {
    return refuse_step(__func__, self, "needs a metric for a step");
  }
  struct schedule s = SCHEDULE(self);
  object_ref(self); /* a callback may give it up */
  step_scheduler(&s, NULL);
  object_unref(self);
  return arithmetic_end(&s.a);
}

ctorch_error *ctorch_lr_scheduler_step_epoch(ctorch_lr_scheduler *self, double epoch) {
  CTORCH_TRY(check_self(__func__, self));
  const lr_scheduler_class *class = lr_scheduler_class_of(self);
  if (class->step_metric != NULL || class->takes_no_epoch) {
    return refuse_step(__func__, self, "takes no epoch");
  }
  struct schedule s = SCHEDULE(self);
  bool is_whole = floor(epoch) == epoch && fabs(epoch) < 9007199254740992.0;
  struct number number = is_whole ? integer((int64_t)epoch) : real(epoch);
  object_ref(self);
  step_scheduler(&s, &number);
  object_unref(self);
  return arithmetic_end(&s.a);
}

ctorch_error *ctorch_lr_scheduler_step_metric(ctorch_lr_scheduler *self, double metric) {
  CTORCH_TRY(check_self(__func__, self));
  if (lr_scheduler_class_of(self)->step_metric == NULL) {
    return refuse_step(__func__, self, "takes no metric");
  }
  struct schedule s = SCHEDULE(self);
  lr_scheduler_class_of(self)->step_metric(&s, metric);
  return arithmetic_end(&s.a);
}

ctorch_error *ctorch_lr_scheduler_attribute(ctorch_value **out, const ctorch_lr_scheduler *self, const char *name) {
  CTORCH_TRY(check_self(__func__, self));
  if (out == NULL || name == NULL) {
    return error_null(__func__, out == NULL ? "out" : "name");
  }
  CTORCH_TRY(error_unless_text(__func__, "name", name));
  struct schedule s = SCHEDULE(self);
  ctorch_value *value = attribute_value(&s, name);
  CTORCH_TRY(arithmetic_end(&s.a));
  *out = value;
  return NULL;
}

ctorch_error *ctorch_lr_scheduler_set_attribute(
    ctorch_lr_scheduler *self, const char *name, const ctorch_value *value) {
  CTORCH_TRY(check_self(__func__, self));
  if (name == NULL || value == NULL) {
    return error_null(__func__, name == NULL ? "name" : "value");
  }
  CTORCH_TRY(error_unless_text(__func__, "name", name));
  return ctorch_value_dict_put(self->attributes, name, value);
}

ctorch_error *ctorch_lr_scheduler_last_lr(ctorch_value **out, const ctorch_lr_scheduler *self) {
  CTORCH_TRY(check_self(__func__, self));
  if (out == NULL) {
    return error_null(__func__, "out");
  }
  struct schedule s = SCHEDULE(self);
  ctorch_value *value = attribute_value(&s, "_last_lr");
  CTORCH_TRY(arithmetic_end(&s.a));
  *out = value;
  return NULL;
}

ctorch_error *ctorch_lr_scheduler_last_epoch(int64_t *out, const ctorch_lr_scheduler *self) {
  CTORCH_TRY(check_self(__func__, self));
  if (out == NULL) {
    return error_null(__func__, "out");
  }
  struct schedule s = SCHEDULE(self);
  struct number number = floored(&s.a, attribute(&s, "last_epoch"));
  CTORCH_TRY(arithmetic_end(&s.a));
  *out = number.integer;
  return NULL;
}

ctorch_error *ctorch_lr_scheduler_get_lr(ctorch_value **out, ctorch_lr_scheduler *self) {
  CTORCH_TRY(check_self(__func__, self));
  if (out == NULL) {
    return error_null(__func__, "out");
  }
  const lr_scheduler_class *class = lr_scheduler_class_of(self);
  if (class->rates == NULL) {
    return error_make(
        __func__, CTORCH_ERROR_NOT_IMPLEMENTED, "a scheduler %s computes no rates of its own", class->name);
  }
  struct schedule s = SCHEDULE(self);
  warn(&s, "scheduler.get_lr(): what was set last is scheduler.get_last_lr()");
  struct number *lr = numbers_of_groups(&s);
  object_ref(self);
  if (lr != NULL) {
    class->rates(&s, lr);
  }
  object_unref(self);
  ctorch_value *list = s.a.error == NULL ? numbers_as_list(&s, lr, groups_of(&s)) : NULL;
  free(lr);
  CTORCH_TRY(arithmetic_end(&s.a));
  *out = list;
  return NULL;
}

ctorch_error *ctorch_lr_scheduler_optimizer(ctorch_optimizer **out, const ctorch_lr_scheduler *self) {
  CTORCH_TRY(check_self(__func__, self));
  if (out == NULL) {
    return error_null(__func__, "out");
  }
  return object_give(__func__, out, object_ref(self->optimizer));
}
