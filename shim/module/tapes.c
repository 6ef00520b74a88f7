/* Tapes by the form of their inputs: tapes.h. */
#include "module/tapes.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/sequence.h"
#include "core/c/boxed.h"
#include "core/c/capture.h"
#include "core/c/error.h"

enum { MOST = 1024 };

struct entry {
  int64_t *form;
  size_t form_len;
  ctorch_tape *tape;           /* NULL until the second time */
  ctorch_tensor_list *outputs; /* of it */
  ctorch_value *outline;       /* of these, taken; may be NULL */
};

struct tapes {
  pthread_mutex_t lock;
  struct entry *entries; /* the one used last comes first */
  size_t len, most;
  bool fast;
};

static void forget_tape(struct entry *entry) {
  ctorch_tensor_list_release(entry->outputs);
  value_unref(entry->outline);
  ctorch_tape_release(entry->tape);
  entry->outputs = NULL;
  entry->outline = NULL;
  entry->tape = NULL;
}

static void forget(struct entry *entry) {
  forget_tape(entry);
  free(entry->form);
}

void tapes_free(struct tapes *self) {
  if (self == NULL) {
    return;
  }
  for (size_t i = 0; i < self->len; i++) {
    forget(&self->entries[i]);
  }
  pthread_mutex_destroy(&self->lock);
  free(self->entries);
  free(self);
}

/* NULL is out of memory. */
static struct tapes *new_tapes(size_t most, bool fast) {
  struct tapes *self = calloc(1, sizeof *self);
  if (self == NULL) {
    return NULL;
  }
  self->entries = calloc(most + 1, sizeof *self->entries);
  if (self->entries == NULL) {
    free(self);
    return NULL;
  }
  pthread_mutex_init(&self->lock, NULL);
  self->most = most;
  self->fast = fast;
  return self;
}

ctorch_error *tapes_set(const char *function, struct tapes **place, int64_t most, bool fast) {
  struct tapes *made = NULL;
  if (most < 0 || most > MOST) {
    return error_argument(function, "most", "expected a number from 0 to %d, got %" PRId64, MOST, most);
  }
  if (most > 0 && (made = new_tapes((size_t)most, fast)) == NULL) {
    return error_memory(function, (size_t)most * sizeof *made->entries);
  }
  tapes_free(*place);
  *place = made;
  return NULL;
}

/* Forms ------------------------------------------------------------------------------------------------------------ */

static size_t form_len_of(const ctorch_tensor *const *inputs, size_t len) {
  size_t form_len = 1;
  for (size_t i = 0; i < len; i++) {
    form_len += 2 + 2 * (size_t)ctorch_tensor_ndim(inputs[i]);
  }
  return form_len;
}

static void write_form(int64_t *form, const ctorch_tensor *const *inputs, size_t len, uint64_t signature) {
  *form++ = (int64_t)signature;
  for (size_t i = 0; i < len; i++) {
    size_t ndim = (size_t)ctorch_tensor_ndim(inputs[i]);
    *form++ = ctorch_tensor_dtype(inputs[i]);
    *form++ = (int64_t)ndim;
    memcpy(form, ctorch_tensor_sizes(inputs[i]), ndim * sizeof *form);
    memcpy(form + ndim, ctorch_tensor_strides(inputs[i]), ndim * sizeof *form);
    form += 2 * ndim;
  }
}

/* The entry of a form, moved to the front; NULL if there is none. */
static struct entry *find(struct tapes *self, const int64_t *form, size_t form_len) {
  for (size_t i = 0; i < self->len; i++) {
    struct entry found = self->entries[i];
    if (found.form_len == form_len && memcmp(found.form, form, form_len * sizeof *form) == 0) {
      memmove(self->entries + 1, self->entries, i * sizeof found);
      self->entries[0] = found;
      return &self->entries[0];
    }
  }
  return NULL;
}

/* A new entry in front; the form is consumed. */
static void add(struct tapes *self, int64_t *form, size_t form_len) {
  if (self->len == self->most) {
    forget(&self->entries[--self->len]);
  }
  memmove(self->entries + 1, self->entries, self->len * sizeof *self->entries);
  self->entries[0] = (struct entry){.form = form, .form_len = form_len};
  self->len++;
}

/* Calls ------------------------------------------------------------------------------------------------------------ */

static bool are_plain(const ctorch_tensor *const *inputs, size_t len) {
  for (size_t i = 0; i < len; i++) {
    if (inputs[i] == NULL || ctorch_tensor_layout(inputs[i]) != CTORCH_LAYOUT_STRIDED ||
        ctorch_tensor_device_type(inputs[i]) != CTORCH_DEVICE_TYPE_CPU || ctorch_tensor_is_nested(inputs[i])) {
      return false;
    }
  }
  return true;
}

/* Replay an entry's tape. One that does not fit any more goes. */
static ctorch_error *replay(
    struct tapes_call *call, struct entry *entry, const ctorch_tensor *const *inputs, size_t inputs_len) {
  ctorch_error *error = ctorch_tape_replay(entry->tape, inputs, inputs_len);
  if (error != NULL && ctorch_error_kind_of(error) == CTORCH_ERROR_VALUE) {
    ctorch_error_release(error);
    forget_tape(entry);
    return NULL;
  }
  if (error == NULL) {
    call->what = TAPES_REPLAYED;
    call->outputs = ctorch_tensor_list_data(entry->outputs);
    call->outputs_len = ctorch_tensor_list_len(entry->outputs);
    call->outline = entry->outline;
  }
  return error;
}

static ctorch_error *capture(struct tapes_call *call, const ctorch_tensor *const *inputs, size_t inputs_len) {
  ctorch_error *error = ctorch_tape_begin(&call->tape, inputs, inputs_len, call->tapes->fast, false);
  if (ctorch_error_kind_of(error) == CTORCH_ERROR_INVALID_ARGUMENT) { /* inputs in each other's memory */
    ctorch_error_release(error);
    return NULL;
  }
  CTORCH_TRY(error);
  error = ctorch_scope_keep(NULL, call->tape);
  if (error != NULL) {
    ctorch_tape_release(call->tape);
    return error;
  }
  call->what = TAPES_CAPTURE;
  return NULL;
}

ctorch_error *tapes_begin(
    const char *function,
    struct tapes_call *call,
    struct tapes *tapes,
    const ctorch_tensor *const *inputs,
    size_t inputs_len,
    uint64_t signature) {
  *call = (struct tapes_call){.what = TAPES_RUN};
  if (capture_is_on() || !are_plain(inputs, inputs_len) || pthread_mutex_trylock(&tapes->lock) != 0) {
    return NULL;
  }
  call->tapes = tapes;
  size_t form_len = form_len_of(inputs, inputs_len);
  int64_t few[64], *form = form_len <= sizeof few / sizeof *few ? few : malloc(form_len * sizeof *form);
  if (form == NULL) {
    return error_memory(function, form_len * sizeof *form);
  }
  write_form(form, inputs, inputs_len, signature);
  struct entry *entry = find(tapes, form, form_len);
  ctorch_error *error = NULL;
  if (entry == NULL) {
    int64_t *kept = malloc(form_len * sizeof *form);
    if (kept == NULL) {
      error = error_memory(function, form_len * sizeof *form);
    } else {
      memcpy(kept, form, form_len * sizeof *form);
      add(tapes, kept, form_len);
    }
  } else {
    call->entry = entry;
    error = entry->tape != NULL ? replay(call, entry, inputs, inputs_len) : NULL;
    if (error == NULL && entry->tape == NULL) {
      error = capture(call, inputs, inputs_len);
    }
  }
  if (form != few) {
    free(form);
  }
  return error_of(function, error);
}

ctorch_error *tapes_end(
    const char *function,
    struct tapes_call *call,
    ctorch_error *error,
    const ctorch_tensor *const *outputs,
    size_t outputs_len,
    ctorch_value *outline) {
  struct entry *entry = call->entry;
  outline = value_take(outline);
  if (call->what != TAPES_CAPTURE) {
    value_unref(outline);
    return error;
  }
  if (error == NULL) {
    error = error_of(function, ctorch_tape_end(call->tape, outputs, outputs_len));
    THEN(error, error_of(function, ctorch_tape_outputs(&entry->outputs, call->tape)));
    THEN(error, error_of(function, ctorch_scope_keep(NULL, entry->outputs)));
  }
  if (error != NULL) {
    value_unref(outline);
    ctorch_tape_release(call->tape);
    return error;
  }
  entry->tape = call->tape;
  entry->outline = outline;
  call->outline = outline;
  call->outputs = ctorch_tensor_list_data(entry->outputs);
  call->outputs_len = outputs_len;
  return NULL;
}

void tapes_leave(struct tapes_call *call) {
  if (call->tapes != NULL) {
    pthread_mutex_unlock(&call->tapes->lock);
  }
  call->tapes = NULL;
}
