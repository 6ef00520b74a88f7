/** Texts as inputs of metrics: a text or a list of them, and for each a list of references. */
#ifndef CTORCH_METRICS_TEXT_INPUTS_H
#define CTORCH_METRICS_TEXT_INPUTS_H

#include "metric.h"

struct input_text {
  const char *data; /* borrowed from a value, which lives as long as the calculation */
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

/** A text is a list of one. TYPE for anything else than texts; `name` is the input's. */
void input_texts_read(struct calculation *c, struct input_texts *out, const ctorch_value *value, const char *name);
void input_texts_end(struct input_texts *self);

/** A text among the entries is a list of one; if there is one prediction given as a text, a list of texts are its
 * references. */
void input_references_read(
    struct calculation *c, struct input_references *out, const ctorch_value *value, bool is_of_one);
void input_references_end(struct input_references *self);

/** Predictions and targets of as many texts, VALUE otherwise. */
bool input_pairs_read(
    struct metric_batch *batch, const ctorch_metric *self, struct input_texts *preds, struct input_texts *target);

/** TYPE unless there are two inputs that are values. */
bool input_two_values(struct metric_batch *batch, const ctorch_metric *self);

#endif
