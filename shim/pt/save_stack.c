/* What is under way while a value is written to a file of torch.save, and refusals. */
#include <stdarg.h>
#include <stdio.h>

#include "base/array.h"
#include "core/c/error.h"
#include "pt/save.h"

void pt_save_refuse(struct pt_save *self, const char *format, ...) {
  char what[256];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(what, sizeof what, format, arguments);
  va_end(arguments);
  pickle_fail(&self->pickle, error_make(self->pickle.function, CTORCH_ERROR_UNSUPPORTED, "%s cannot be written", what));
}

bool pt_save_may_write(struct pt_save *self, const char *what) {
  if ((self->flags & CTORCH_SAVE_ANY) != 0) {
    return true;
  }
  pickle_fail(
      &self->pickle,
      error_make(
          self->pickle.function, CTORCH_ERROR_UNSUPPORTED,
          "torch.load does not take %s with weights_only=True; a flag writes it nevertheless (CTORCH_SAVE_ANY)", what));
  return false;
}

void pt_save_push(struct pt_save *self, const struct step *step) {
  struct pickle *pickle = &self->pickle;
  if (pickle->error == NULL) {
    pickle_fail(pickle, array_grow(pickle->function, &self->steps, self->steps_len, sizeof *step));
  }
  if (pickle->error != NULL) {
    ctorch_value_release(step->values);
    ctorch_value_release(step->keys);
    return;
  }
  self->steps[self->steps_len++] = *step;
}

void pt_save_end_step(struct pt_save *self) {
  const struct step *step = &self->steps[--self->steps_len];
  ctorch_value_release(step->values);
  ctorch_value_release(step->keys);
}
