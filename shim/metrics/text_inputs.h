/** Texts as inputs of metrics: a text or a list of them, and for each a list of references. */
#ifndef CTORCH_SHIM_METRICS_TEXT_INPUTS_H
#define CTORCH_SHIM_METRICS_TEXT_INPUTS_H

#include "metrics/metric.h"

struct input_text {
  const char *data; /* borrowed from a value, which lives as long as the struct calculation */
  size_t len;
};

/** Texts one after another; those of predictions, or the references of one prediction. */
struct input_texts {
  struct input_text *data;
  size_t len;
};

/** References of each prediction. */
struct input_references {
  struct input_texts *data;
  size_t len;
};

void input_texts_end(struct input_texts *self);
void input_references_end(struct input_references *self);

/** Predictions and targets of as many texts; a text is a list of one. TYPE for other inputs, VALUE for other
 * lengths. */
bool input_pairs_read(
    struct metric_batch *batch, const ctorch_metric *self, struct input_texts *preds, struct input_texts *target);

/** Predictions, and for each at least one reference. A text among them is a list of one; if there is one prediction
 * given as a text, a list of texts are its references. TYPE for other inputs, VALUE for other lengths. */
bool input_referenced_read(
    struct metric_batch *batch, const ctorch_metric *self, struct input_texts *preds, struct input_references *target);

#endif
