/* The machine that a pickle is a program for: its bytes and its stack. */
#include "pickle/machine.h"

#include "base/array.h"
#include "core/c/boxed.h"
#include "core/c/error.h"
#include "core/c/python.h"
#include "ctorch.h"
#include "pickle/values.h"

/* Bytes ------------------------------------------------------------------------------------------------------------ */

static ctorch_error *ends_early(struct machine *self) { return pickle_error(self->pickle, "the pickle ends early"); }

ctorch_error *machine_take(struct machine *self, const unsigned char **out, uint64_t nbytes) {
  CTORCH_TRY(pickle_source_take(self->pickle->function, self->source, out, nbytes));
  return *out == NULL ? ends_early(self) : NULL;
}

ctorch_error *machine_take_line(struct machine *self, const unsigned char **out, size_t *out_len) {
  CTORCH_TRY(pickle_source_take_line(self->pickle->function, self->source, out, out_len));
  return *out == NULL ? ends_early(self) : NULL;
}

ctorch_error *machine_take_number(struct machine *self, uint64_t *out, size_t nbytes) {
  const unsigned char *bytes = NULL;
  uint64_t number = 0;
  CTORCH_TRY(machine_take(self, &bytes, nbytes));
  for (size_t i = nbytes; i-- > 0;) {
    number = number << 8 | bytes[i];
  }
  *out = number;
  return NULL;
}

/* The stack -------------------------------------------------------------------------------------------------------- */

ctorch_error *machine_push_ours(struct machine *self, ctorch_value *value) {
  ctorch_error *error = array_grow(self->pickle->function, &self->stack, self->len, sizeof *self->stack);
  if (error != NULL) {
    value_unref(value);
    return error;
  }
  self->stack[self->len++] = value;
  return NULL;
}

ctorch_error *machine_push(struct machine *self, ctorch_value *value) {
  return machine_push_ours(self, value_take(value));
}

ctorch_error *machine_push_container(struct machine *self, ctorch_value *value) {
  value_take(value);
  ctorch_error *error = array_grow(self->pickle->function, &self->made, self->made_len, sizeof *self->made);
  if (error != NULL) {
    value_unref(value);
    return error;
  }
  self->made[self->made_len++] = value_ref(value);
  return machine_push_ours(self, value);
}

bool machine_is_container(const ctorch_value *value) {
  switch (ctorch_value_kind_of(value)) {
    case CTORCH_VALUE_LIST:
    case CTORCH_VALUE_DICT:
    case CTORCH_VALUE_SET:
      return true;
    case CTORCH_VALUE_PYTHON_OBJECT:
      return !pickle_is_class(value);
    default:
      return false;
  }
}

size_t machine_bottom(const struct machine *self) {
  return self->marks_len == 0 ? 0 : self->marks[self->marks_len - 1];
}

ctorch_error *machine_need(const struct machine *self, size_t len) {
  return self->len - machine_bottom(self) >= len ? NULL : pickle_error(self->pickle, "the stack is empty");
}

ctorch_value *machine_top(const struct machine *self) { return self->stack[self->len - 1]; }

void machine_drop(struct machine *self, size_t len) {
  for (; len > 0; len--) {
    value_unref(self->stack[--self->len]);
  }
}

ctorch_error *machine_pop_mark(struct machine *self, size_t *first, size_t *len) {
  if (self->marks_len == 0) {
    return pickle_error(self->pickle, "no mark on the stack");
  }
  *first = self->marks[--self->marks_len];
  *len = self->len - *first;
  return NULL;
}

ctorch_error *machine_replace(
    struct machine *self, size_t first, ctorch_value *made, bool may_hold_itself, ctorch_error *error) {
  if (error != NULL) {
    return pickle_refuse(self->pickle, error);
  }
  machine_drop(self, self->len - first);
  return may_hold_itself ? machine_push_container(self, made) : machine_push(self, made);
}

const ctorch_value *const *machine_from(const struct machine *self, size_t first) {
  return self->stack == NULL ? NULL : (const ctorch_value *const *)(self->stack + first);
}
