/* Transforms that a transform holds. */
#include "transforms/parts.h"

#include <stdlib.h>

#include "base/sequence.h"
#include "base/text.h"
#include "core/c/error.h"

enum { MOST_LEVELS = 500 }; /* so that neither calls nor releases run out of stack */

ctorch_error *transform_parts_begin(
    const char *function,
    struct transform_parts *self,
    ctorch_transform *owner,
    const ctorch_transform *const *transforms,
    size_t len) {
  self->data = calloc(len + 1, sizeof *self->data);
  if (self->data == NULL) {
    return error_memory(function, (len + 1) * sizeof *self->data);
  }
  for (size_t i = 0; i < len; i++) {
    self->data[self->len++] = object_ref(transforms[i]);
    if (transforms[i] != NULL && owner->levels <= transforms[i]->levels) {
      owner->levels = transforms[i]->levels + 1;
    }
  }
  return owner->levels <= MOST_LEVELS
             ? NULL
             : error_make(function, CTORCH_ERROR_RUNTIME, "more than %d transforms lie inside each other", MOST_LEVELS);
}

void transform_parts_end(struct transform_parts *self) {
  for (size_t i = 0; i < self->len; i++) {
    object_unref(self->data[i]);
  }
  free(self->data);
  *self = (struct transform_parts){0};
}

bool transform_parts_may_thread(const struct transform_parts *self) {
  for (size_t i = 0; i < self->len; i++) {
    if (self->data[i] != NULL && !ctorch_transform_may_thread(self->data[i])) {
      return false;
    }
  }
  return true;
}

void transform_repr_part(struct text *text, const ctorch_transform *part) {
  ctorch_string *repr = NULL;
  THEN(text->error, ctorch_transform_repr(&repr, part));
  if (repr != NULL) {
    text_bytes(text, ctorch_string_data(repr), ctorch_string_len(repr));
    ctorch_string_release(repr);
  }
}
