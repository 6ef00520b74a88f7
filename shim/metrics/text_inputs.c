/* Texts as inputs of metrics. */
#include "text_inputs.h"

#include <stdlib.h>

#include "error.h"
#include "held.h"

static void *room(struct calculation *c, size_t len, size_t size) {
  void *made = c->error == NULL ? calloc(len + 1, size) : NULL;
  if (made == NULL && c->error == NULL) {
    calc_fail_with(c, error_memory(c->function, (len + 1) * size));
  }
  return made;
}

static void refuse(struct calculation *c, const ctorch_value *value, const char *name) {
  calc_fail(
      c, CTORCH_ERROR_TYPE, "%s: expected texts, found %s", name,
      value == NULL ? "a tensor" : ctorch_value_kind_name(ctorch_value_kind_of(value)));
}

static void read_text(struct calculation *c, struct input_text *out, const ctorch_value *value, const char *name) {
  if (ctorch_value_kind_of(value) != CTORCH_VALUE_STRING) {
    refuse(c, value, name);
  } else {
    calc_fail_with(c, ctorch_value_to_string(&out->data, &out->len, value));
  }
}

void input_texts_read(struct calculation *c, struct input_texts *out, const ctorch_value *value, const char *name) {
  bool is_text = value != NULL && ctorch_value_kind_of(value) == CTORCH_VALUE_STRING;
  if (value == NULL || (!is_text && !value_is_sequence(value))) {
    refuse(c, value, name);
    return;
  }
  const size_t len = is_text ? 1 : ctorch_value_len(value);
  out->data = room(c, len, sizeof *out->data);
  for (size_t i = 0; c->error == NULL && i < len; i++) {
    ctorch_value *entry = NULL;
    if (!is_text) {
      calc_fail_with(c, ctorch_value_get(&entry, value, i));
    }
    if (c->error == NULL) {
      read_text(c, &out->data[i], is_text ? value : entry, name);
    }
    out->len = i + 1;
  }
}

void input_texts_end(struct input_texts *self) {
  free(self->data);
  *self = (struct input_texts){0};
}

void input_references_read(
    struct calculation *c, struct input_references *out, const ctorch_value *value, bool is_of_one) {
  bool is_text = value != NULL && ctorch_value_kind_of(value) == CTORCH_VALUE_STRING, has_lists = false;
  if (value == NULL || (!is_text && !value_is_sequence(value))) {
    refuse(c, value, "target");
    return;
  }
  const size_t len = is_text ? 1 : ctorch_value_len(value);
  out->data = room(c, len, sizeof *out->data);
  for (size_t i = 0; c->error == NULL && !is_text && i < len; i++) {
    ctorch_value *entry = NULL;
    calc_fail_with(c, ctorch_value_get(&entry, value, i));
    has_lists = has_lists || (c->error == NULL && value_is_sequence(entry));
    out->len = i + 1;
    if (c->error == NULL && (!is_of_one || has_lists)) {
      input_texts_read(c, &out->data[i], entry, "target");
    }
  }
  if (c->error == NULL && (is_text || (is_of_one && !has_lists))) {
    out->len = 1;
    input_texts_read(c, &out->data[0], value, "target");
  }
}

void input_references_end(struct input_references *self) {
  for (size_t i = 0; self->data != NULL && i < self->len; i++) {
    input_texts_end(&self->data[i]);
  }
  free(self->data);
  *self = (struct input_references){0};
}

bool input_two_values(struct metric_batch *batch, const ctorch_metric *self) {
  if (batch->inputs->len != 2) {
    calc_fail(
        &batch->c, CTORCH_ERROR_TYPE, "%s: expected `preds` and `target`, got %zu inputs", ctorch_metric_name(self),
        batch->inputs->len);
  }
  return batch->c.error == NULL;
}

bool input_pairs_read(
    struct metric_batch *batch, const ctorch_metric *self, struct input_texts *preds, struct input_texts *target) {
  struct calculation *c = &batch->c;
  if (input_two_values(batch, self)) {
    input_texts_read(c, preds, batch->inputs->values[0], "preds");
  }
  if (c->error == NULL) {
    input_texts_read(c, target, batch->inputs->values[1], "target");
  }
  if (c->error == NULL && preds->len != target->len) {
    calc_fail(
        c, CTORCH_ERROR_VALUE, "Corpus has different size %zu != %zu: `preds` and `target`", preds->len, target->len);
  }
  return c->error == NULL;
}
