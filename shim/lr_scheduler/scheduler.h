/**
 * Learning rate schedulers written in C: a class that says how it begins, and what the next rates are.
 *
 *     static void begin(struct schedule *s) {                      // from its arguments
 *       keep_argument(s, "gamma");
 *       begin_scheduler(s);
 *     }
 *     static void rates(struct schedule *s, struct number *lr) {   // one for each group
 *       struct number gamma = attribute(s, "gamma");
 *       for (size_t i = 0; i < groups_of(s); i++) {
 *         lr[i] = times(&s->a, option(s, i, "lr"), gamma);
 *       }
 *     }
 *     const lr_scheduler_class lr_scheduler_ExponentialLR_class = {
 *         .object = LR_SCHEDULER_OBJECT, .name = "ExponentialLR", .begin = begin, .rates = rates, … };
 *
 * What a scheduler knows are attributes in a dict, under Python's names and in Python's order, as Python has them in
 * `__dict__`: so its state dict is that dict, and whatever was loaded takes effect. What fails in a `struct schedule`
 * is in `a.error`, and everything after it does nothing.
 *
 * The entry of bindings-gen/schema/lr_scheduler.schema gives the arguments; the generator writes the function that C
 * calls, and the table by which ctorch_lr_scheduler_create finds the class.
 */
#ifndef CTORCH_SHIM_LR_SCHEDULER_SCHEDULER_H
#define CTORCH_SHIM_LR_SCHEDULER_SCHEDULER_H

#include <ctorch.h>

#include "core/c/object.h"
#include "lr_scheduler/arithmetic.h"
#include "optim/optimizer.h"

/** A call on a scheduler. */
struct schedule {
  struct arithmetic a;
  ctorch_lr_scheduler *self;
  const ctorch_value *arguments; /* of the constructor, a dict */
  size_t groups;                 /* that there are when it begins, whatever callbacks add */
};

#define SCHEDULE(scheduler) \
  {.a = {.function = __func__}, .self = (ctorch_lr_scheduler *)(scheduler), .groups = (scheduler)->optimizer->len}

typedef struct lr_scheduler_class {
  object_class object;
  /** As Python has it: "StepLR". */
  const char *name;
  /** Make the attributes of the arguments, and set the first rates. */
  void (*begin)(struct schedule *s);
  /** The next rate of each group; NULL if it cannot be asked for them. */
  void (*rates)(struct schedule *s, struct number *lr);
  /** The rates of any epoch; NULL for what has no closed form. */
  void (*closed_form)(struct schedule *s, struct number *lr);
  /** The step, where it is not that of all; `epoch` is NULL without one. */
  void (*step)(struct schedule *s, const struct number *epoch);
  /** The step by a metric, of that which needs one; NULL otherwise. */
  void (*step_metric)(struct schedule *s, double metric);
  /** A step takes no epoch. */
  bool takes_no_epoch;
  /** What the state dict has in the place of a callback: None for each group, or None. NULL for nothing. */
  const char *callbacks_name, *callback_name;
  /** Refuse a state before it is loaded, and complete it afterwards; NULL for nothing. */
  void (*check_state)(struct schedule *s, const ctorch_value *state);
  void (*loaded)(struct schedule *s);
} lr_scheduler_class;

struct ctorch_lr_scheduler {
  ctorch_optimizer *optimizer; /* a reference */
  ctorch_value *attributes;    /* a dict */
  /* Of LambdaLR, MultiplicativeLR and CyclicLR; NULL for none. */
  ctorch_lr_lambda_callback lambda;
  ctorch_lr_scale_callback scale;
  void (*destroy)(void *payload);
  void *payload;
  size_t lambdas; /* groups that there were when it was made */
  /* Of SequentialLR and ChainedScheduler; references. */
  ctorch_lr_scheduler **schedulers;
  size_t len;
};

void lr_scheduler_finalize(void *self);
#define LR_SCHEDULER_OBJECT {"lr_scheduler", sizeof(ctorch_lr_scheduler), lr_scheduler_finalize}

const lr_scheduler_class *lr_scheduler_class_of(const ctorch_lr_scheduler *self);

/** A scheduler without attributes; NULL is out of memory. */
ctorch_lr_scheduler *lr_scheduler_new(const lr_scheduler_class *class, ctorch_optimizer *optimizer);
/** Let it begin with these arguments, and hand it out; `self` is consumed, and may be NULL. */
ctorch_error *lr_scheduler_give(
    const char *function, ctorch_lr_scheduler **out, ctorch_lr_scheduler *self, const ctorch_value *arguments)
    __attribute__((warn_unused_result));

/* Steps. */

/** What classes begin with, or end: Python's LRScheduler.__init__, which takes the first step. */
void begin_scheduler(struct schedule *s);
/** The step that sets the first rates. */
void first_step(struct schedule *s);
/** Step any scheduler, as its class does. */
void step_scheduler(struct schedule *s, const struct number *epoch);
/** Set the rates of the next epoch, or of any. */
void update_rates(struct schedule *s, const struct number *epoch);
/** Set the rates that the class computes, by its closed form or not. */
void apply_rates(struct schedule *s, bool is_closed);
/** The rates of the groups become "_last_lr". */
void keep_last_rates(struct schedule *s);
void warn_of_epoch(struct schedule *s);

/** The same call on another scheduler: begin, do something with it, end. */
struct schedule schedule_of(struct schedule *s, ctorch_lr_scheduler *self);
void schedule_end(struct schedule *s, struct schedule *other);

/* Dicts. */

/** An entry, owned; NULL if there is none, or after a failure. */
ctorch_value *dict_value(struct schedule *s, const ctorch_value *dict, const char *name);
bool value_is_text(struct schedule *s, const ctorch_value *value, const char *text);

/* Attributes. */

bool has_attribute(struct schedule *s, const char *name);
struct number attribute(struct schedule *s, const char *name);
/** Whether it is there, and true. */
bool attribute_is_true(struct schedule *s, const char *name);
/** Whether it is this text. */
bool attribute_is(struct schedule *s, const char *name, const char *text);
/** The attribute, owned; an error of kind INDEX if there is none. */
ctorch_value *attribute_value(struct schedule *s, const char *name);
/** An entry of a list that has as many as there are groups, which is an error of kind VALUE otherwise. */
struct number attribute_of_group(struct schedule *s, const char *name, size_t group);
void set_attribute(struct schedule *s, const char *name, struct number value);
void set_attribute_bool(struct schedule *s, const char *name, bool value);
void set_attribute_none(struct schedule *s, const char *name);
void set_attribute_text(struct schedule *s, const char *name, const char *value);
void set_attribute_list(struct schedule *s, const char *name, const struct number *values, size_t len);
/** Of a value, which is given up; NULL after a failure. */
void set_attribute_value(struct schedule *s, const char *name, ctorch_value *value);

/** A list of numbers, owned; NULL after a failure. */
ctorch_value *numbers_as_list(struct schedule *s, const struct number *numbers, size_t len);

/* Groups. */

size_t groups_of(const struct schedule *s);
bool has_option(struct schedule *s, size_t group, const char *name);
struct number option(struct schedule *s, size_t group, const char *name);
/** Replace it, as Python's assignment does. */
void set_option(struct schedule *s, size_t group, const char *name, struct number value);
/** Fill it if it is a tensor, and replace it otherwise. */
void update_option(struct schedule *s, size_t group, const char *name, struct number value);
/** Room for a number for each group, to be freed; NULL after a failure. */
struct number *numbers_of_groups(struct schedule *s);
/** The rate of each group, copies of tensors. */
void current_rates(struct schedule *s, struct number *lr);

/* Arguments. */

struct number argument(struct schedule *s, const char *name);
bool argument_is_none(struct schedule *s, const char *name);
bool argument_is_true(struct schedule *s, const char *name);
bool argument_is(struct schedule *s, const char *name, const char *text);
ctorch_value_kind argument_kind(struct schedule *s, const char *name);
/** The argument as an attribute of this name. */
void keep_argument(struct schedule *s, const char *name);
void keep_argument_as(struct schedule *s, const char *name, const char *attribute);
/** A number for each group, of a number that stands for all or of a list of as many. */
void argument_of_groups(struct schedule *s, const char *name, struct number *to);

/** VALUE, unless something has failed already. */
void refuse(struct schedule *s, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Momentum that cycles: the option "momentum", or the first of "betas". */

/** Whether the optimizer has one, or VALUE; becomes the attribute "use_beta1". */
void begin_momentum(struct schedule *s);
/** `first` is whether the groups are to begin with the largest. */
void begin_momentum_of_groups(
    struct schedule *s, const struct number *smallest, const struct number *largest, bool first);
void set_momentum(struct schedule *s, size_t group, bool use_beta1, struct number momentum);

/* What the generator writes for each entry of lr_scheduler.schema. */

struct lr_scheduler_argument {
  const char *name;
  enum {
    LR_SCHEDULER_REQUIRED,
    LR_SCHEDULER_NONE,
    LR_SCHEDULER_INT,
    LR_SCHEDULER_DOUBLE,
    LR_SCHEDULER_BOOL,
    LR_SCHEDULER_TEXT
  } kind; /* of the default */
  bool is_keyword_only;
  double number;
  const char *text;
};

struct lr_scheduler_entry {
  const char *name;
  const lr_scheduler_class *class;
  const struct lr_scheduler_argument *arguments; /* behind `optimizer` */
  size_t len;
};

void lr_scheduler_record_doubles(struct optimizer_record *self, const char *name, const double *values, size_t len);
void lr_scheduler_record_ints(struct optimizer_record *self, const char *name, const int64_t *values, size_t len);
/** Let a scheduler, which is consumed and may be NULL, begin with what was recorded, and hand it out. */
ctorch_error *lr_scheduler_record_give(
    struct optimizer_record *self, ctorch_lr_scheduler **out, ctorch_lr_scheduler *scheduler)
    __attribute__((warn_unused_result));
ctorch_error *lr_scheduler_record_end(
    struct optimizer_record *self,
    ctorch_lr_scheduler **out,
    const lr_scheduler_class *class,
    ctorch_optimizer *optimizer) __attribute__((warn_unused_result));

#endif
