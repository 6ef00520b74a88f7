/* LambdaLR and MultiplicativeLR: rates times what a function says. */
#include "base/callback.h"
#include "core/c/error.h"
#include "lr_scheduler/scheduler.h"

/* The factor of a group. */
static struct number factor(struct schedule *s, size_t group, struct number epoch) {
  ctorch_error *error = NULL;
  double factor = 0;
  if (s->a.error != NULL) {
    return integer(0);
  }
  ctorch_callback_status status = s->self->lambda(&factor, (int64_t)group, epoch.integer, &error, s->self->payload);
  s->a.error = callback_error(s->a.function, "lr_lambda", status, error);
  return real(factor);
}

/* There are as many functions as there were groups. */
static void check_groups(struct schedule *s) {
  if (s->self->lambdas != groups_of(s)) {
    refuse(s, "lr_lambda: %zu functions for %zu groups of parameters", s->self->lambdas, groups_of(s));
  }
}

static void begin(struct schedule *s) {
  s->self->lambdas = groups_of(s);
  begin_scheduler(s);
}

static void lambda_rates(struct schedule *s, struct number *lr) {
  struct number epoch = floored(&s->a, attribute(s, "last_epoch"));
  check_groups(s);
  for (size_t i = 0; s->a.error == NULL && i < groups_of(s); i++) {
    lr[i] = times(&s->a, attribute_of_group(s, "base_lrs", i), factor(s, i, epoch));
  }
}

static void multiplicative_rates(struct schedule *s, struct number *lr) {
  struct number epoch = floored(&s->a, attribute(s, "last_epoch"));
  if (attribute_is_true(s, "_is_initial")) {
    current_rates(s, lr);
    return;
  }
  check_groups(s);
  for (size_t i = 0; s->a.error == NULL && i < groups_of(s); i++) {
    lr[i] = times(&s->a, option(s, i, "lr"), factor(s, i, epoch));
  }
}

static const lr_scheduler_class lambda_class = {
    .object = LR_SCHEDULER_OBJECT,
    .name = "LambdaLR",
    .begin = begin,
    .rates = lambda_rates,
    .callbacks_name = "lr_lambdas",
};

static const lr_scheduler_class multiplicative_class = {
    .object = LR_SCHEDULER_OBJECT,
    .name = "MultiplicativeLR",
    .begin = begin,
    .rates = multiplicative_rates,
    .callbacks_name = "lr_lambdas",
};

struct lambda {
  ctorch_lr_lambda_callback lr_lambda;
  void (*destroy)(void *payload);
  void *payload;
  int64_t last_epoch;
};

static ctorch_error *make(
    const char *function,
    ctorch_lr_scheduler **out,
    const lr_scheduler_class *class,
    ctorch_optimizer *optimizer,
    const struct lambda *lambda) {
  CTORCH_TRY(error_refusal(function));
  if (out == NULL || optimizer == NULL || lambda->lr_lambda == NULL) {
    return error_null(function, out == NULL ? "out" : optimizer == NULL ? "optimizer" : "lr_lambda");
  }
  struct optimizer_record record;
  optimizer_record_begin(&record, function);
  optimizer_record_int(&record, "last_epoch", &lambda->last_epoch);
  ctorch_lr_scheduler *self = lr_scheduler_new(class, optimizer);
  if (self != NULL) {
    self->lambda = lambda->lr_lambda;
    self->destroy = lambda->destroy;
    self->payload = lambda->payload;
  }
  return lr_scheduler_record_give(&record, out, self);
}

ctorch_error *ctorch_lr_scheduler_lambda_lr(
    ctorch_lr_scheduler **out,
    ctorch_optimizer *optimizer,
    ctorch_lr_lambda_callback lr_lambda,
    void (*destroy)(void *payload),
    void *payload,
    int64_t last_epoch) {
  return make(__func__, out, &lambda_class, optimizer, &(const struct lambda){lr_lambda, destroy, payload, last_epoch});
}

ctorch_error *ctorch_lr_scheduler_multiplicative_lr(
    ctorch_lr_scheduler **out,
    ctorch_optimizer *optimizer,
    ctorch_lr_lambda_callback lr_lambda,
    void (*destroy)(void *payload),
    void *payload,
    int64_t last_epoch) {
  return make(
      __func__, out, &multiplicative_class, optimizer, &(const struct lambda){lr_lambda, destroy, payload, last_epoch});
}
