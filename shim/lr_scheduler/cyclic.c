/* CyclicLR (Smith 2017, arXiv:1506.01186). */
#include <math.h>
#include <stdlib.h>

#include "base/callback.h"
#include "base/options.h"
#include "constructors/lr_scheduler.h"
#include "core/c/error.h"
#include "lr_scheduler/scheduler.h"

/* What scales the height of a cycle goes by cycles or by steps, unless a function of the caller's does it. */
static void begin_scale(struct schedule *s) {
  if (s->self->scale != NULL) {
    return;
  }
  if (attribute_is(s, "mode", "exp_range")) {
    set_attribute_text(s, "scale_mode", "iterations");
  } else if (attribute_is(s, "mode", "triangular") || attribute_is(s, "mode", "triangular2")) {
    set_attribute_text(s, "scale_mode", "cycle");
  }
}

static bool is_mode(struct schedule *s) {
  return argument_is(s, "mode", "triangular") || argument_is(s, "mode", "triangular2") ||
         argument_is(s, "mode", "exp_range");
}

static void begin_cycle(struct schedule *s) {
  struct number up = real(to_real(&s->a, argument(s, "step_size_up"))), down = up;
  if (!argument_is_none(s, "step_size_down")) {
    down = real(to_real(&s->a, argument(s, "step_size_down")));
  }
  struct number total = plus(&s->a, up, down);
  set_attribute(s, "total_size", total);
  set_attribute(s, "step_ratio", over(&s->a, up, total));
  if (s->self->scale == NULL && !is_mode(s)) {
    refuse(s, "mode: expected 'triangular', 'triangular2' or 'exp_range', or a function scale_fn");
  }
  keep_argument(s, "mode");
  keep_argument(s, "gamma");
  keep_argument(s, "scale_mode");
  begin_scale(s);
}

static void begin_cycled_momentum(struct schedule *s, struct number *smallest, struct number *largest, bool is_new) {
  keep_argument(s, "cycle_momentum");
  if (!argument_is_true(s, "cycle_momentum")) {
    return;
  }
  begin_momentum(s);
  argument_of_groups(s, "base_momentum", smallest);
  argument_of_groups(s, "max_momentum", largest);
  set_attribute_list(s, "base_momentums", smallest, groups_of(s));
  set_attribute_list(s, "max_momentums", largest, groups_of(s));
  begin_momentum_of_groups(s, smallest, largest, is_new);
}

static void begin(struct schedule *s) {
  struct number *base = numbers_of_groups(s), *largest = numbers_of_groups(s), *smallest = numbers_of_groups(s);
  bool is_new = is_equal(&s->a, argument(s, "last_epoch"), integer(-1));
  argument_of_groups(s, "base_lr", base);
  for (size_t i = 0; is_new && s->a.error == NULL && i < groups_of(s); i++) {
    update_option(s, i, "lr", base[i]);
  }
  argument_of_groups(s, "max_lr", largest);
  set_attribute_list(s, "max_lrs", largest, groups_of(s));
  begin_cycle(s);
  begin_cycled_momentum(s, smallest, largest, is_new);
  begin_scheduler(s);
  set_attribute_list(s, "base_lrs", base, groups_of(s));
  free(base);
  free(largest);
  free(smallest);
}

/* The scale of a cycle, or of a step. */
static struct number scaled_by(struct schedule *s, struct number x) {
  if (s->self->scale == NULL) {
    if (attribute_is(s, "mode", "exp_range")) {
      return power(&s->a, attribute(s, "gamma"), x);
    }
    return attribute_is(s, "mode", "triangular2")
               ? over(&s->a, integer(1), power(&s->a, real(2), minus(&s->a, x, integer(1))))
               : real(1);
  }
  ctorch_error *error = NULL;
  double factor = 0, at = to_real(&s->a, x);
  if (s->a.error == NULL) {
    ctorch_callback_status status = s->self->scale(&factor, at, &error, s->self->payload);
    s->a.error = callback_error(s->a.function, "scale_fn", status, error);
  }
  return real(factor);
}

/* Where a step is in its cycle. */
struct place {
  struct number height; /* 0 at the ends, 1 in the middle */
  struct number x;      /* what the scale is asked for */
};

static struct place place_of(struct schedule *s) {
  struct number epoch = attribute(s, "last_epoch"), ratio = attribute(s, "step_ratio");
  struct number cycles = over(&s->a, epoch, attribute(s, "total_size"));
  struct number cycle = floored(&s->a, plus(&s->a, integer(1), cycles));
  struct number at = minus(&s->a, plus(&s->a, real(1), cycles), cycle);
  struct place place = {.x = attribute_is(s, "scale_mode", "cycle") ? cycle : epoch};
  place.height = is_less(&s->a, ratio, at) ? over(&s->a, minus(&s->a, at, integer(1)), minus(&s->a, ratio, integer(1)))
                                           : over(&s->a, at, ratio);
  return place;
}

/* height * (largest - smallest) * scale */
static struct number raised(
    struct schedule *s, const struct place *place, struct number smallest, struct number largest) {
  struct number height = times(&s->a, minus(&s->a, largest, smallest), place->height);
  return times(&s->a, height, scaled_by(s, place->x));
}

static void rates(struct schedule *s, struct number *lr) {
  struct place place = place_of(s);
  for (size_t i = 0; s->a.error == NULL && i < groups_of(s); i++) {
    struct number base = attribute_of_group(s, "base_lrs", i);
    lr[i] = plus(&s->a, base, raised(s, &place, base, attribute_of_group(s, "max_lrs", i)));
  }
  struct number *momentum = numbers_of_groups(s);
  bool cycles = attribute_is_true(s, "cycle_momentum");
  for (size_t i = 0; cycles && s->a.error == NULL && i < groups_of(s); i++) {
    struct number largest = attribute_of_group(s, "max_momentums", i);
    struct number height = raised(s, &place, attribute_of_group(s, "base_momentums", i), largest);
    momentum[i] = minus(&s->a, largest, height);
  }
  bool use_beta1 = cycles && attribute_is_true(s, "use_beta1");
  for (size_t i = 0; cycles && s->a.error == NULL && i < groups_of(s); i++) {
    set_momentum(s, i, use_beta1, momentum[i]);
  }
  free(momentum);
}

const lr_scheduler_class lr_scheduler_CyclicLR_class = {
    .object = LR_SCHEDULER_OBJECT,
    .name = "CyclicLR",
    .begin = begin,
    .rates = rates,
    .callback_name = "_scale_fn_custom",
    .loaded = begin_scale,
};

/* Numbers as Python's argument: one, or a list. */
static void record_rates(struct optimizer_record *record, const char *name, const double *values, size_t len) {
  if (len == 1) {
    optimizer_record_double(record, name, values);
  } else {
    lr_scheduler_record_doubles(record, name, values, len);
  }
}

ctorch_error *ctorch_lr_scheduler_cyclic_lr(
    ctorch_lr_scheduler **out,
    ctorch_optimizer *optimizer,
    const double *base_lr,
    size_t base_lr_len,
    const double *max_lr,
    size_t max_lr_len,
    int64_t step_size_up,
    const int64_t *step_size_down,
    ctorch_lr_scale_callback scale_fn,
    void (*destroy)(void *payload),
    void *payload,
    const char *scale_mode,
    bool cycle_momentum,
    double base_momentum,
    double max_momentum,
    int64_t last_epoch) {
  CTORCH_TRY(error_refusal(__func__));
  const char *missing = out == NULL         ? "out"
                        : optimizer == NULL ? "optimizer"
                        : base_lr == NULL   ? "base_lr"
                        : max_lr == NULL    ? "max_lr"
                        : scale_fn == NULL  ? "scale_fn"
                                            : NULL;
  if (missing != NULL) {
    return error_null(__func__, missing);
  }
  scale_mode = scale_mode != NULL ? scale_mode : "cycle";
  CTORCH_TRY(error_unless_text(__func__, "scale_mode", scale_mode));
  ctorch_error *error = NULL;
  option_list(&error, __func__, "base_lr", base_lr, base_lr_len, sizeof *base_lr);
  option_list(&error, __func__, "max_lr", max_lr, max_lr_len, sizeof *max_lr);
  CTORCH_TRY(error);
  struct optimizer_record record;
  optimizer_record_begin(&record, __func__);
  record_rates(&record, "base_lr", base_lr, base_lr_len);
  record_rates(&record, "max_lr", max_lr, max_lr_len);
  optimizer_record_int(&record, "step_size_up", &step_size_up);
  optimizer_record_int(&record, "step_size_down", step_size_down);
  optimizer_record_text(&record, "mode", "triangular");
  optimizer_record_double(&record, "gamma", &(double){1});
  optimizer_record_text(&record, "scale_mode", scale_mode);
  optimizer_record_bool(&record, "cycle_momentum", &cycle_momentum);
  optimizer_record_double(&record, "base_momentum", &base_momentum);
  optimizer_record_double(&record, "max_momentum", &max_momentum);
  optimizer_record_int(&record, "last_epoch", &last_epoch);
  ctorch_lr_scheduler *self = lr_scheduler_new(&lr_scheduler_CyclicLR_class, optimizer);
  if (self != NULL) {
    self->scale = scale_fn;
    self->destroy = destroy;
    self->payload = payload;
  }
  return lr_scheduler_record_give(&record, out, self);
}
