/** Curves over thresholds, of probabilities: how they are accumulated, and precision, recall and rates of positives. */
#ifndef CTORCH_SHIM_METRICS_CURVE_H
#define CTORCH_SHIM_METRICS_CURVE_H

#include "metrics/classification.h"

enum curve_measure { CURVE_PRECISION_RECALL, CURVE_ROC, CURVE_AUROC, CURVE_AVERAGE_PRECISION };

/* Its states are "preds" and "target", lists of all that was given, or with thresholds "confmat", counts at each. */
struct curve {
  ctorch_metric metric; /* its constant are the thresholds; NULL for the exact curve */
  struct counting counting;
  enum curve_measure measure;
  enum average average;
  double max_fpr; /* 1 for all of the curve */
};

/** A point of a curve for each threshold: (x, y, thresholds). */
struct points {
  ctorch_tensor *x, *y, *thresholds;
};

void curve_update(const ctorch_metric *metric, struct metric_batch *batch);

/** Recall and precision, or the rates of false and true positives, of what is `positive`. */
struct points curve_exact(
    struct calculation *c,
    enum curve_measure measure,
    const ctorch_tensor *preds,
    const ctorch_tensor *target,
    int64_t positive);
/** The same of counts (…, 2, 2): one curve, or one for each class as a row. */
struct points curve_binned(
    struct calculation *c, enum curve_measure measure, ctorch_tensor *counts, ctorch_tensor *thresholds);
/** Predictions and labels of one class as curve_exact takes them: column `index`, without what is ignored. */
void curve_column(
    struct calculation *c, const struct curve *self, int64_t index, ctorch_tensor **preds, ctorch_tensor **target);

/** What is below a curve as one number, or one for each class. */
ctorch_value *curve_area(struct calculation *c, const struct curve *self);

#endif
