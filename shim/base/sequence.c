/* Tensors that are made one of another. */
#include "base/sequence.h"

void steps_take(struct steps *self, ctorch_error *error) {
  self->error = error;
  if (error == NULL) {
    ctorch_tensor_release(self->at);
    self->at = self->next;
  }
  self->next = NULL;
}

ctorch_error *steps_end(struct steps *self, ctorch_tensor **out) {
  if (self->error != NULL) {
    ctorch_tensor_release(self->at);
    return self->error;
  }
  *out = self->at;
  return NULL;
}
