/**
 * Metrics written in C: a struct that begins with a ctorch_metric, and a class that says how a batch is counted, and
 * what comes of the counts.
 *
 *     struct mean_squared_error {
 *       ctorch_metric metric;
 *       bool squared;
 *     };
 *
 *     enum { SUM_SQUARED_ERROR, TOTAL };
 *
 *     static void update(const ctorch_metric *self, struct metric_batch *batch) {
 *       struct calculation *c = &batch->c;
 *       ctorch_tensor *difference = calc_sub(c, batch->preds, batch->target);
 *       batch->counts[SUM_SQUARED_ERROR] = calc_sum(c, calc_mul(c, difference, difference));
 *       batch->counts[TOTAL] = calc_int(c, rows_of(batch->target), batch->target);
 *     }
 *     static ctorch_value *compute(const ctorch_metric *self, struct calculation *c) {
 *       return metric_result(c, calc_div(c, metric_state(c, self, 0), metric_state(c, self, 1)));
 *     }
 *     static const metric_class class = {
 *         .object = METRIC_OBJECT(struct mean_squared_error), .name = "MeanSquaredError", .update = update,
 *         .compute = compute};
 *
 *     ctorch_error *metrics_MeanSquaredError(
 *         const char *function, ctorch_metric **out, const struct metrics_MeanSquaredError_options *options) {
 *       struct mean_squared_error *self = metric_new(&class);
 *       metric_add_sum(&self->metric, "sum_squared_error", …);
 *       metric_add_sum(&self->metric, "total", …);
 *       return metric_give(function, out, &self->metric, NULL);
 *     }
 *
 * An update never touches the state: it computes what the batch counts, and metric_update.c adds that to the state, all
 * or nothing. Merging two metrics is the same addition. So tensors of states never change, and copies share them.
 *
 * The structs hold no pointers but those of ctorch_metric: a copy of a metric is one of its bytes.
 */
#ifndef CTORCH_SHIM_METRICS_METRIC_H
#define CTORCH_SHIM_METRICS_METRIC_H

#include <ctorch.h>

#include "base/calculation.h"
#include "core/c/object.h"

/** How a state and a batch's, or those of two processes, become one. */
enum metric_reduction { METRIC_SUM, METRIC_CAT, METRIC_MIN, METRIC_MAX };

struct metric_state {
  char name[32];
  enum metric_reduction reduction;
  bool promotes;          /* a sum in the type of what is added, Python's `x = x + y`; else `x += y` */
  int64_t window;         /* of METRIC_CAT: how many entries are kept; 0 for all */
  ctorch_tensor *initial; /* taken; NULL of METRIC_CAT */
  ctorch_tensor *value;   /* taken; NULL of METRIC_CAT */
  ctorch_tensor **parts;  /* of METRIC_CAT, taken */
  size_t parts_len;
};

/** What a collection is made of. */
struct metric_member {
  ctorch_metric *metric; /* a reference */
  char *name;
};

struct ctorch_metric {
  struct metric_state *states;
  size_t states_len;
  int64_t updates;
  ctorch_dtype dtype;      /* of numbers that are given as such, and of sums */
  ctorch_tensor *constant; /* taken, what an update reads besides, as thresholds; NULL for none */
  struct metric_member *members;
  size_t members_len; /* 0 unless it is a collection */
  char *prefix, *postfix;
};

/** The inputs of an update. */
struct metric_inputs {
  const ctorch_tensor *preds, *target; /* NULL where they are no tensors, or absent */
  const ctorch_value *values[2];       /* NULL where they came as tensors, or are absent */
  size_t len;
};

/** A batch that is being counted. */
struct metric_batch {
  struct calculation c;
  const struct metric_inputs *inputs;
  const ctorch_tensor *preds, *target; /* those of the inputs */
  ctorch_tensor **counts;              /* one for each state: what is added to it; NULL for nothing */
};

/** What all metrics of one kind have in common. */
typedef struct metric_class {
  object_class object;
  /** As Python has it. */
  const char *name;
  /** Count a batch. */
  void (*update)(const ctorch_metric *self, struct metric_batch *batch);
  /** What comes of the state. */
  ctorch_value *(*compute)(const ctorch_metric *self, struct calculation *c);
  /** Bytes behind the ctorch_metric that decide, with `update`, what is counted: metrics that have the same ones count
   * the same. 0 where that is not known. */
  size_t shared_size;
  /** It takes values, not two tensors. */
  bool takes_values;
} metric_class;

void metric_finalize(void *self);

#define METRIC_OBJECT(type) {"metric", sizeof(type), metric_finalize}

const metric_class *metric_class_of(const ctorch_metric *self);

/* Making: metric.c. */

/** A new metric of a class; NULL if memory has run out, which metric_give makes an error of. */
void *metric_new(const metric_class *type);

/** Hand a new metric out, or give it up if there is an error. NULL is out of memory. */
ctorch_error *metric_give(const char *function, ctorch_metric **out, ctorch_metric *self, ctorch_error *error)
    __attribute__((warn_unused_result));

/** Add a state that is `number` at first in all `len` sizes; nothing happens after an error, and for NULL. */
void metric_add_state(
    ctorch_error **error,
    ctorch_metric *self,
    const char *name,
    enum metric_reduction reduction,
    ctorch_dtype dtype,
    double number,
    const int64_t *sizes,
    size_t len);
/** As metric_add_state, of no dimensions, with a sum that takes the type of what is added. */
void metric_add_promoting(ctorch_error **error, ctorch_metric *self, const char *name, ctorch_dtype dtype);
/** Add a list. */
void metric_add_list(ctorch_error **error, ctorch_metric *self, const char *name);

/** VALUE: "Expected argument `name` to be one of …, but got …", unless it is; otherwise its number. */
int metric_choice(
    ctorch_error **error, const char *function, const char *name, const char *given, const char *const *allowed);

/* Counting: metric_update.c. */

ctorch_error *metric_update(const char *function, ctorch_metric *self, const struct metric_inputs *inputs)
    __attribute__((warn_unused_result));
ctorch_error *metric_merge(const char *function, ctorch_metric *self, const ctorch_metric *other)
    __attribute__((warn_unused_result));
ctorch_error *metric_compute(const char *function, ctorch_value **out, const ctorch_metric *self)
    __attribute__((warn_unused_result));
ctorch_error *metric_clone(const char *function, ctorch_metric **out, const ctorch_metric *self, bool with_state)
    __attribute__((warn_unused_result));
void metric_reset(ctorch_metric *self);
/** A text of one's own, NULL of NULL; false is out of memory. */
bool metric_copy_text(char **out, const char *text);
ctorch_error *metric_to(
    const char *function, ctorch_metric *self, const ctorch_device *device, const ctorch_dtype *dtype)
    __attribute__((warn_unused_result));

/* Results. */

/** The state, one after another if it is a list; it fails with VALUE where that is empty. */
ctorch_tensor *metric_state(struct calculation *c, const ctorch_metric *self, size_t index);

/** A tensor as a value, without dimensions if it is one number. */
ctorch_value *metric_result(struct calculation *c, const ctorch_tensor *tensor);
/** Several, as a tuple or list; values are given up with the calculation. */
ctorch_value *metric_tuple(struct calculation *c, ctorch_value *const *values, size_t len);
ctorch_value *metric_list(struct calculation *c, ctorch_tensor *const *tensors, size_t len);

/** Reading: whether all elements are so. */
bool metric_holds(struct calculation *c, const ctorch_tensor *condition);

/** RUNTIME or SHAPE_MISMATCH unless preds and target have one shape. */
void metric_check_shapes(struct calculation *c, const ctorch_tensor *preds, const ctorch_tensor *target);

/** 0 / 0 is `zero_division`; numbers are floats, as torchmetrics' _safe_divide makes them. */
ctorch_tensor *metric_safe_divide(
    struct calculation *c, const ctorch_tensor *numerator, const ctorch_tensor *denominator, double zero_division);

/** Sigmoid, or softmax over dimension 1, unless all numbers lie within 0 to 1. */
ctorch_tensor *metric_probabilities(struct calculation *c, const ctorch_tensor *x, bool softmax);

#endif
