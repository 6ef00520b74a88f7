/* The stack of the machine that reads an outline. */
#include "base/array.h"
#include "pickle/values.h"
#include "pt/outline_machine.h"

ctorch_error *outliner_push(struct outliner *self, uint32_t node) {
  CTORCH_TRY(array_grow(outliner_function(self), &self->stack, self->len, sizeof *self->stack));
  self->stack[self->len++] = node;
  return NULL;
}

ctorch_error *outliner_push_node(struct outliner *self, const struct outline_node *node) {
  uint32_t made = 0;
  CTORCH_TRY(outline_add(self->outline, outliner_function(self), &made, node));
  return outliner_push(self, made);
}

ctorch_error *outliner_need(const struct outliner *self, size_t len) {
  const size_t bottom = self->marks_len == 0 ? 0 : self->marks[self->marks_len - 1];
  return self->len - bottom >= len ? NULL : pickle_error(self->machine.pickle, "the stack is empty");
}

ctorch_error *outliner_pop_mark(struct outliner *self, size_t *first) {
  if (self->marks_len == 0) {
    return pickle_error(self->machine.pickle, "no mark on the stack");
  }
  *first = self->marks[--self->marks_len];
  return NULL;
}

ctorch_error *outliner_take_entries(struct outliner *self, struct outline_list *out, size_t first) {
  for (size_t i = first; i < self->len; i++) {
    CTORCH_TRY(outline_append(self->outline, outliner_function(self), out, self->stack[i]));
  }
  self->len = first;
  return NULL;
}

ctorch_error *outliner_push_list(struct outliner *self, enum outline_kind kind, size_t first) {
  struct outline_node node = {.kind = (unsigned char)kind};
  if (kind == OUTLINE_DICT && (self->len - first) % 2 != 0) {
    return pickle_error(self->machine.pickle, "a key without a value");
  }
  CTORCH_TRY(outliner_take_entries(self, &node.entries, first));
  return outliner_push_node(self, &node);
}
