/* The opcodes that make and fill lists, tuples, dicts and sets. */
#include "base/sequence.h"
#include "core/c/error.h"
#include "ctorch.h"
#include "pickle/globals.h"
#include "pickle/machine.h"
#include "pickle/values.h"

static ctorch_error *push_empty(struct machine *self, ctorch_value_kind kind) {
  ctorch_value *value = NULL;
  ctorch_error *error = pickle_empty(&value, kind);
  return machine_replace(self, self->len, value, kind != CTORCH_VALUE_TUPLE, error);
}

static ctorch_error *push_tuple(struct machine *self, size_t len) {
  ctorch_value *value = NULL;
  CTORCH_TRY(machine_need(self, len));
  const size_t first = self->len - len;
  ctorch_error *error = ctorch_value_from_tuple(&value, machine_from(self, first), len);
  return machine_replace(self, first, value, false, error);
}

/* A list, tuple or set of what is above the mark. */
static ctorch_error *push_marked(struct machine *self, ctorch_value_kind kind) {
  size_t first = 0, len = 0;
  ctorch_value *value = NULL;
  CTORCH_TRY(machine_pop_mark(self, &first, &len));
  ctorch_error *error = kind == CTORCH_VALUE_TUPLE ? ctorch_value_from_tuple(&value, machine_from(self, first), len)
                                                   : ctorch_value_from_list(&value, machine_from(self, first), len);
  return machine_replace(self, first, value, kind != CTORCH_VALUE_TUPLE, error);
}

/* Containers ------------------------------------------------------------------------------------------------------- */

/* Add the values from `first` on to the list below them. */
static ctorch_error *append(struct machine *self, size_t first) {
  ctorch_value *list = self->stack[first - 1];
  for (size_t i = first; i < self->len; i++) {
    CTORCH_TRY(pickle_refuse(self->pickle, ctorch_value_list_append(list, self->stack[i])));
  }
  machine_drop(self, self->len - first);
  return NULL;
}

static ctorch_error *append_marked(struct machine *self) {
  size_t first = 0, len = 0;
  CTORCH_TRY(machine_pop_mark(self, &first, &len));
  CTORCH_TRY(machine_need(self, len + 1));
  CTORCH_TRY(pickle_ensure_items(self->pickle, self->stack[first - 1], CTORCH_VALUE_LIST));
  return append(self, first);
}

static ctorch_error *append_one(struct machine *self) {
  CTORCH_TRY(machine_need(self, 2));
  CTORCH_TRY(pickle_ensure_items(self->pickle, self->stack[self->len - 2], CTORCH_VALUE_LIST));
  return append(self, self->len - 1);
}

static ctorch_error *set_items(struct machine *self, size_t first, size_t len) {
  ctorch_value *dict = self->stack[first - 1];
  if (len % 2 != 0) {
    return pickle_error(self->pickle, "a key without a value");
  }
  CTORCH_TRY(pickle_ensure_items(self->pickle, dict, CTORCH_VALUE_DICT));
  for (size_t i = 0; i < len; i += 2) {
    CTORCH_TRY(pickle_set_item(self->pickle, dict, self->stack[first + i], self->stack[first + i + 1]));
  }
  machine_drop(self, len);
  return NULL;
}

static ctorch_error *set_marked(struct machine *self) {
  size_t first = 0, len = 0;
  CTORCH_TRY(machine_pop_mark(self, &first, &len));
  CTORCH_TRY(machine_need(self, len + 1));
  return set_items(self, first, len);
}

static ctorch_error *set_one(struct machine *self) {
  CTORCH_TRY(machine_need(self, 3));
  return set_items(self, self->len - 2, 2);
}

/* Protocol 0's DICT: of what is above the mark. */
static ctorch_error *push_dict(struct machine *self) {
  size_t first = 0, len = 0;
  ctorch_value *dict = NULL;
  CTORCH_TRY(machine_pop_mark(self, &first, &len));
  if (len % 2 != 0) {
    return pickle_error(self->pickle, "a key without a value");
  }
  CTORCH_TRY(pickle_empty(&dict, CTORCH_VALUE_DICT));
  ctorch_error *error = NULL;
  for (size_t i = 0; error == NULL && i < len; i += 2) {
    error = pickle_set_item(self->pickle, dict, self->stack[first + i], self->stack[first + i + 1]);
  }
  if (error != NULL) {
    ctorch_value_release(dict);
    return error;
  }
  return machine_replace(self, first, dict, true, NULL);
}

static ctorch_error *add_marked(struct machine *self) {
  size_t first = 0, len = 0;
  CTORCH_TRY(machine_pop_mark(self, &first, &len));
  CTORCH_TRY(machine_need(self, len + 1));
  for (size_t i = first; i < self->len; i++) {
    CTORCH_TRY(pickle_add_to_set(self->pickle, self->stack[first - 1], self->stack[i]));
  }
  machine_drop(self, len);
  return NULL;
}

static ctorch_error *push_frozenset(struct machine *self) {
  static const struct pickle_global frozenset = {"builtins", "frozenset", NULL, false, -1};
  size_t first = 0, len = 0;
  ctorch_value *entries = NULL, *args = NULL, *made = NULL;
  CTORCH_TRY(machine_pop_mark(self, &first, &len));
  CTORCH_TRY(ctorch_value_from_list(&entries, machine_from(self, first), len));
  const ctorch_value *only[] = {entries};
  ctorch_error *error = ctorch_value_from_tuple(&args, only, 1);
  THEN(error, pickle_call_frozenset(self->pickle, &made, &frozenset, args));
  ctorch_value_release(args);
  ctorch_value_release(entries);
  return error != NULL ? error : machine_replace(self, first, made, true, NULL);
}

ctorch_error *machine_run_container(struct machine *self, bool *out_is_known, unsigned char opcode) {
  *out_is_known = true;
  switch (opcode) {
    case ')':
    case '}':
    case ']':
    case 0x8f: /* EMPTY_SET */
      return push_empty(
          self, opcode == ')'   ? CTORCH_VALUE_TUPLE
                : opcode == '}' ? CTORCH_VALUE_DICT
                : opcode == ']' ? CTORCH_VALUE_LIST
                                : CTORCH_VALUE_SET);
    case 0x85: /* TUPLE1, TUPLE2, TUPLE3 */
    case 0x86:
    case 0x87:
      return push_tuple(self, opcode - 0x84U);
    case 't':
      return push_marked(self, CTORCH_VALUE_TUPLE);
    case 'l':
      return push_marked(self, CTORCH_VALUE_LIST);
    case 'd':
      return push_dict(self);
    case 'a':
      return append_one(self);
    case 'e':
      return append_marked(self);
    case 's':
      return set_one(self);
    case 'u':
      return set_marked(self);
    case 0x90: /* ADDITEMS */
      return add_marked(self);
    case 0x91: /* FROZENSET */
      return push_frozenset(self);
    default:
      *out_is_known = false;
      return NULL;
  }
}
