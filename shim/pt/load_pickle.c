/* One pickle of a file of torch.save: as a value, or as an outline. */
#include "base/sequence.h"
#include "core/c/boxed.h"
#include "pt/load.h"
#include "pt/outline.h"

ctorch_error *pt_load_root(struct pt_file *self, struct pickle_source *source, ctorch_value **out) {
  *out = NULL;
  return self->outline == NULL ? pickle_load(&self->pickle, source, out)
                               : outline_read(self->outline, &self->pickle, source, &self->root);
}

ctorch_error *pt_load_part(struct pt_file *self, struct pickle_source *source, ctorch_value **out) {
  struct outline part = {.len = 0};
  uint32_t root = 0;
  ctorch_value *value = NULL;
  if (self->outline == NULL) {
    return pickle_load(&self->pickle, source, out);
  }
  ctorch_error *error = outline_read(&part, &self->pickle, source, &root);
  THEN(error, outline_value(&part, &self->pickle, &value, root, true));
  outline_end(&part);
  *out = value_take(value);
  return error;
}
