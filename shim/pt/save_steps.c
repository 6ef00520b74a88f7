/* Values in files of torch.save, in the order and with the numbers of Python's pickler.
 *
 * Lists, tuples, dicts, sets and objects stand on a stack of steps while their entries are written: a value may be
 * nested deeper than a thread's own stack is. */
#include <stdlib.h>

#include "base/array.h"
#include "base/sequence.h"
#include "base/text.h"
#include "core/c/error.h"
#include "pt/save.h"

enum {
  BATCH = 1000, /* entries between two marks */
  PLACES = 8,   /* of a place, how many steps at its beginning and at its end are told */
  KEY = 60      /* of a key, how many bytes are told */
};

/* Places ----------------------------------------------------------------------------------------------------------- */

static void place_key(struct text *text, const ctorch_value *keys, size_t index) {
  ctorch_value *key = NULL;
  ctorch_string *repr = NULL;
  ctorch_error *error = ctorch_value_get(&key, keys, index);
  THEN(error, ctorch_value_repr(&repr, key));
  if (error != NULL) {
    ctorch_error_release(error);
    text_add(text, "[…]");
  } else {
    const char *data = ctorch_string_data(repr);
    size_t len = ctorch_string_len(repr), cut = len <= KEY ? len : KEY;
    while (cut < len && cut > 0 && ((unsigned char)data[cut] & 0xc0) == 0x80) {
      cut--;
    }
    text_add(text, "[");
    text_bytes(text, data, cut);
    text_add(text, cut < len ? "…]" : "]");
  }
  ctorch_string_release(repr);
  ctorch_value_release(key);
}

static void place_step(struct text *text, const struct step *step) {
  size_t entry = step->index > 0 ? step->index - 1 : 0;
  switch (step->kind) {
    case STEP_LIST:
    case STEP_TUPLE:
    case STEP_SET:
      text_add(text, "[%zu]", entry);
      break;
    case STEP_DICT:
      if (entry % 2 == 0) {
        text_add(text, ".keys[%zu]", entry / 2);
      } else {
        place_key(text, step->keys, entry / 2);
      }
      break;
    case STEP_OBJECT:
      text_add(text, "%s", step->place);
      break;
  }
}

/* Say where an error arose: value['model'][3]. */
static void add_place(struct pt_save *self) {
  struct text text = {.function = self->pickle.function};
  for (size_t i = 0; i < self->steps_len; i++) {
    if (i == PLACES && self->steps_len > 2 * PLACES) {
      text_add(&text, "…");
      i = self->steps_len - PLACES;
    }
    place_step(&text, &self->steps[i]);
  }
  self->pickle.error = error_at(self->pickle.error, "value%s", text_data(&text));
  ctorch_error_release(text_end(&text));
}

/* Steps ------------------------------------------------------------------------------------------------------------ */

/* Begin entry `index` of a list or tuple. */
static void begin_entry(struct pt_save *self, const ctorch_value *values, size_t index) {
  ctorch_value *entry = NULL;
  pickle_fail(&self->pickle, ctorch_value_get(&entry, values, index));
  self->begin(self, entry);
}

/* Entries are appended to a list, or set in a dict, in batches behind marks; one alone without a mark. Of a list or
 * dict itself, pickle knows how long it is, and only then does a last batch of one have a mark; to a dict whose batches
 * are all full it adds one of none. What an object holds it goes through without knowing how much there is. */
static bool is_alone(const struct step *step, size_t entry, size_t len) {
  return step->is_part ? entry % BATCH == 0 && entry == len - 1 : len == 1;
}

static void mark_batch(struct pt_save *self, const struct step *step, size_t entry, size_t len, int many) {
  if (entry % BATCH == 0) {
    if (entry > 0) {
      pickle_op(&self->pickle, many);
    }
    if (!is_alone(step, entry, len)) {
      pickle_op(&self->pickle, OP_MARK);
    }
  }
}

static void end_batch(struct pt_save *self, const struct step *step, size_t len, int one, int many) {
  pickle_op(&self->pickle, is_alone(step, len - 1, len) ? one : many);
}

static void continue_list(struct pt_save *self, struct step *step) {
  if (step->index < step->len) {
    size_t index = step->index++;
    mark_batch(self, step, index, step->len, OP_APPENDS);
    begin_entry(self, step->values, index);
    return;
  }
  if (step->len > 0) {
    end_batch(self, step, step->len, OP_APPEND, OP_APPENDS);
  }
  if (step->kind == STEP_SET) {
    pickle_tuple(&self->pickle, 1);
    pickle_op(&self->pickle, OP_REDUCE);
    pickle_remember(&self->pickle, step->identity);
  }
  pt_save_end_step(self);
}

static void continue_dict(struct pt_save *self, struct step *step) {
  size_t len = step->len / 2;
  if (step->index < step->len) {
    size_t index = step->index++;
    if (index % 2 == 0) {
      mark_batch(self, step, index / 2, len, OP_SETITEMS);
    }
    begin_entry(self, index % 2 == 0 ? step->keys : step->values, index / 2);
    return;
  }
  if (len > 0) {
    end_batch(self, step, len, OP_SETITEM, OP_SETITEMS);
    if (!step->is_part && len % BATCH == 0) {
      pickle_op(&self->pickle, OP_MARK);
      pickle_op(&self->pickle, OP_SETITEMS);
    }
  }
  pt_save_end_step(self);
}

static void continue_tuple(struct pt_save *self, struct step *step) {
  struct pickle *pickle = &self->pickle;
  size_t len = step->len;
  if (step->index < len) {
    begin_entry(self, step->values, step->index++);
    return;
  }
  if (pickle_is_known(pickle, step->identity)) { /* one of its entries led back to it, and wrote it */
    (void)pt_save_may_write(self, "a tuple that holds itself");
    for (size_t i = 0; i < (len > 3 ? 1 : len); i++) {
      pickle_op(pickle, len > 3 ? OP_POP_MARK : OP_POP);
    }
    pickle_recall(pickle, step->identity);
  } else {
    pickle_close_tuple(pickle, len);
    pickle_remember(pickle, step->identity);
  }
  pt_save_end_step(self);
}

void pt_save_begin_tuple(struct pt_save *self, ctorch_value *value, const void *identity) {
  struct step step = {
      .kind = STEP_TUPLE,
      .go_on = continue_tuple,
      .identity = identity,
      .len = ctorch_value_len(value),
      .values = value};
  if (step.len > 3) {
    pickle_op(&self->pickle, OP_MARK);
  }
  ctorch_value_retain(value);
  pt_save_push(self, &step);
}

void pt_save_begin_set(struct pt_save *self, const ctorch_value *value, const void *identity) {
  struct step step = {.kind = STEP_SET, .go_on = continue_list, .identity = identity, .len = ctorch_value_len(value)};
  pickle_fail(&self->pickle, ctorch_value_set_values(&step.values, value));
  pickle_global(&self->pickle, "builtins", "set");
  pickle_op(&self->pickle, OP_EMPTY_LIST);
  pickle_number(&self->pickle);
  pt_save_push(self, &step);
}

void pt_save_begin_entries(struct pt_save *self, ctorch_value *value, bool is_part) {
  struct step step = {.kind = STEP_LIST, .go_on = continue_list, .is_part = is_part, .len = ctorch_value_len(value)};
  if (ctorch_value_kind_of(value) == CTORCH_VALUE_DICT) {
    step.kind = STEP_DICT;
    step.go_on = continue_dict;
    step.len *= 2;
    pickle_fail(&self->pickle, ctorch_value_dict_keys(&step.keys, value));
    pickle_fail(&self->pickle, ctorch_value_dict_values(&step.values, value));
  } else {
    ctorch_value_retain(value);
    step.values = value;
  }
  pt_save_push(self, &step);
}

static void clear_steps(struct pt_save *self) {
  while (self->steps_len > 0) {
    pt_save_end_step(self);
  }
  for (size_t i = 0; i < self->kept_len; i++) {
    ctorch_value_release(self->kept[i]);
  }
  free(self->steps);
  free(self->kept);
  self->steps = NULL;
  self->kept = NULL;
  self->kept_len = 0;
}

void pt_save_go_on(struct pt_save *self) {
  while (self->pickle.error == NULL && self->steps_len > 0) {
    struct step *step = &self->steps[self->steps_len - 1];
    step->go_on(self, step);
  }
  if (self->pickle.error != NULL) {
    add_place(self);
  }
  clear_steps(self);
}
