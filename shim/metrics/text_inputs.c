/* Texts as inputs of metrics. */
#include "metrics/text_inputs.h"

#include <stdlib.h>

#include "core/c/boxed.h"
#include "core/c/error.h"

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

/* A text is a list of one. */
static void read_texts(struct calculation *c, struct input_texts *out, const ctorch_value *value, const char *name) {
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

/* A text among the entries is a list of one; if there is one prediction given as a text, a list of texts are its
 * references. */
static void read_references(
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
      read_texts(c, &out->data[i], entry, "target");
    }
  }
  if (c->error == NULL && (is_text || (is_of_one && !has_lists))) {
    out->len = 1;
    read_texts(c, &out->data[0], value, "target");
  }
}

void input_references_end(struct input_references *self) {
  for (size_t i = 0; self->data != NULL && i < self->len; i++) {
    input_texts_end(&self->data[i]);
  }
  free(self->data);
  *self = (struct input_references){0};
}

static bool has_two_values(struct metric_batch *batch, const ctorch_metric *self) {
  if (batch->inputs->len != 2) {
    calc_fail(
        &batch->c, CTORCH_ERROR_TYPE, "%s: expected `preds` and `target`, got %zu inputs", ctorch_metric_name(self),
        batch->inputs->len);
  }
  return batch->c.error == NULL;
}

static void check_lengths(struct calculation *c, size_t preds, size_t target) {
  if (c->error == NULL && preds != target) {
    calc_fail(c, CTORCH_ERROR_VALUE, "Corpus has different size %zu != %zu: `preds` and `target`", preds, target);
  }
}

bool input_pairs_read(
    struct metric_batch *batch, const ctorch_metric *self, struct input_texts *preds, struct input_texts *target) {
  struct calculation *c = &batch->c;
  if (has_two_values(batch, self)) {
    read_texts(c, preds, batch->inputs->values[0], "preds");
  }
  if (c->error == NULL) {
    read_texts(c, target, batch->inputs->values[1], "target");
  }
  check_lengths(c, preds->len, target->len);
  return c->error == NULL;
}

bool input_referenced_read(
    struct metric_batch *batch, const ctorch_metric *self, struct input_texts *preds, struct input_references *target) {
  struct calculation *c = &batch->c;
  if (!has_two_values(batch, self)) {
    return false;
  }
  const ctorch_value *given = batch->inputs->values[0];
  bool is_one = given != NULL && ctorch_value_kind_of(given) == CTORCH_VALUE_STRING;
  read_texts(c, preds, given, "preds");
  if (c->error == NULL) {
    read_references(c, target, batch->inputs->values[1], is_one);
  }
  check_lengths(c, preds->len, target->len);
  for (size_t i = 0; c->error == NULL && i < target->len; i++) {
    if (target->data[i].len == 0) {
      calc_fail(c, CTORCH_ERROR_VALUE, "target: no references of text %zu", i);
    }
  }
  return c->error == NULL;
}
