/** What metrics of classes have in common: arguments, the checks of inputs, and how these become labels. */
#ifndef CTORCH_SHIM_METRICS_CLASSIFICATION_H
#define CTORCH_SHIM_METRICS_CLASSIFICATION_H

#include "metrics/metric.h"

enum task { TASK_BINARY, TASK_MULTICLASS, TASK_MULTILABEL };

/** In the order of the names that `average` allows. */
enum average { AVERAGE_MICRO, AVERAGE_MACRO, AVERAGE_WEIGHTED, AVERAGE_NONE, AVERAGE_BINARY };

/** What decides how a batch is counted. */
struct counting {
  enum task task;
  int64_t classes; /* or labels; 0 for none */
  int64_t top_k;
  double threshold;
  int64_t ignore_index;
  bool has_ignore, samplewise, micro, validates;
};

struct classification {
  ctorch_metric metric;
  struct counting counting;
  int measure; /* what is computed, as the file of the metric has it */
  enum average average;
  double beta, zero_division;
};

extern const char *const AVERAGES[];          /* of several classes */
extern const char *const MULTIDIM_AVERAGES[]; /* "global", "samplewise" */

/** Whether a class is one of those that are ignored. */
bool counting_ignores_class(const struct counting *self);

/* Arguments: VALUE, as torchmetrics says it. */

void check_threshold(ctorch_error **error, const char *function, double threshold);
/** `name` is "num_classes" or "num_labels". */
void check_classes(ctorch_error **error, const char *function, const char *name, int64_t classes);
void check_zero_division(ctorch_error **error, const char *function, double zero_division);

/* Inputs. */

/** Labels 0 and 1, or what is ignored. */
void check_labels(
    struct calculation *c, const struct counting *counting, const ctorch_tensor *labels, const char *name);
/** Classes below their number, or what is ignored. */
void check_class_indices(
    struct calculation *c, const struct counting *counting, const ctorch_tensor *classes, const char *name);
void check_binary(
    struct calculation *c, const struct counting *counting, const ctorch_tensor *preds, const ctorch_tensor *target);
void check_multilabel(
    struct calculation *c, const struct counting *counting, const ctorch_tensor *preds, const ctorch_tensor *target);
void check_multiclass(
    struct calculation *c, const struct counting *counting, const ctorch_tensor *preds, const ctorch_tensor *target);
/** TYPE: scores that are no floating point numbers, targets that are. */
void check_scores(struct calculation *c, const ctorch_tensor *preds, const ctorch_tensor *target);

/** Predictions above the threshold; those that are labels already are that. */
ctorch_tensor *above_threshold(struct calculation *c, const struct counting *counting, const ctorch_tensor *preds);
/** Leave out what is ignored of two flat tensors, or of rows. */
void leave_out_ignored(
    struct calculation *c, const struct counting *counting, ctorch_tensor **preds, ctorch_tensor **target);
/** x.reshape(x.shape[0], -1), with the first `dims` sizes kept. */
ctorch_tensor *flat_behind(struct calculation *c, const ctorch_tensor *x, size_t dims);
/** Dimension 1 behind all others, and those as one: (N, C, …) to (N …, C). */
ctorch_tensor *rows_of_classes(struct calculation *c, const ctorch_tensor *x, int64_t classes);

#endif
