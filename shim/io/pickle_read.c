/* Reading pickles: the opcodes of Python's pickletools, protocols 0 to 5. */
#include "pickle_read.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "array.h"
#include "ctorch.h"
#include "error.h"
#include "held.h"
#include "pickle_globals.h"
#include "pickle_machine.h"
#include "pickle_values.h"
#include "python.h"

/* Beyond 16 times the file, what calls may make of a pickle: what torch.save writes for a tensor is mostly more than
 * what is made of it. */
#define LEAST_BUDGET (UINT64_C(64) << 20)

void unpickler_begin(struct unpickler *self) {
  const uint64_t nbytes = ctorch_reader_nbytes(self->reader);
  self->budget = nbytes > UINT64_MAX / 32 ? UINT64_MAX / 2 : 16 * nbytes + LEAST_BUDGET;
  self->answers = NULL;
}

void unpickler_end(struct unpickler *self) { value_unref(self->answers); }

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

/* Put a value that is ours on the stack; it is given up if that fails. */
static ctorch_error *push_ours(struct machine *self, ctorch_value *value) {
  ctorch_error *error = array_grow(self->pickle->function, &self->stack, self->len, sizeof *self->stack);
  if (error != NULL) {
    value_unref(value);
    return error;
  }
  self->stack[self->len++] = value;
  return NULL;
}

ctorch_error *machine_push(struct machine *self, ctorch_value *value) { return push_ours(self, value_take(value)); }

/* What may come to hold itself. */
static bool is_container(const ctorch_value *value) {
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

ctorch_error *machine_push_container(struct machine *self, ctorch_value *value) {
  value_take(value);
  ctorch_error *error = array_grow(self->pickle->function, &self->made, self->made_len, sizeof *self->made);
  if (error != NULL) {
    value_unref(value);
    return error;
  }
  self->made[self->made_len++] = value_ref(value);
  return push_ours(self, value);
}

/* Where the part of the stack begins that opcodes may take from. */
static size_t bottom(const struct machine *self) { return self->marks_len == 0 ? 0 : self->marks[self->marks_len - 1]; }

/* FORMAT unless so many values lie above the last mark. */
static ctorch_error *need(const struct machine *self, size_t len) {
  return self->len - bottom(self) >= len ? NULL : pickle_error(self->pickle, "the stack is empty");
}

static ctorch_value *top(const struct machine *self) { return self->stack[self->len - 1]; }

static void drop(struct machine *self, size_t len) {
  for (; len > 0; len--) {
    value_unref(self->stack[--self->len]);
  }
}

/* Take the last mark away: what was above it are `*len` values, beginning with the one at `*first`. */
static ctorch_error *pop_mark(struct machine *self, size_t *first, size_t *len) {
  if (self->marks_len == 0) {
    return pickle_error(self->pickle, "no mark on the stack");
  }
  *first = self->marks[--self->marks_len];
  *len = self->len - *first;
  return NULL;
}

/* Put what was made of the values from `first` on in their place; `error` is that of making it. */
static ctorch_error *replace(
    struct machine *self, size_t first, ctorch_value *made, bool may_hold_itself, ctorch_error *error) {
  if (error != NULL) {
    return pickle_refuse(self->pickle, error);
  }
  drop(self, self->len - first);
  return may_hold_itself ? machine_push_container(self, made) : machine_push(self, made);
}

static ctorch_error *push_empty(struct machine *self, ctorch_value_kind kind) {
  ctorch_value *value = NULL;
  ctorch_error *error = pickle_empty(&value, kind);
  return replace(self, self->len, value, kind != CTORCH_VALUE_TUPLE, error);
}

static const ctorch_value *const *from(const struct machine *self, size_t first) {
  return (const ctorch_value *const *)(self->stack + first);
}

static ctorch_error *push_tuple(struct machine *self, size_t len) {
  ctorch_value *value = NULL;
  CTORCH_TRY(need(self, len));
  const size_t first = self->len - len;
  ctorch_error *error = ctorch_value_from_tuple(&value, from(self, first), len);
  return replace(self, first, value, false, error);
}

/* A list, tuple or set of what is above the mark. */
static ctorch_error *push_marked(struct machine *self, ctorch_value_kind kind) {
  size_t first = 0, len = 0;
  ctorch_value *value = NULL;
  CTORCH_TRY(pop_mark(self, &first, &len));
  ctorch_error *error = kind == CTORCH_VALUE_TUPLE ? ctorch_value_from_tuple(&value, from(self, first), len)
                                                   : ctorch_value_from_list(&value, from(self, first), len);
  return replace(self, first, value, kind != CTORCH_VALUE_TUPLE, error);
}

/* Memory ----------------------------------------------------------------------------------------------------------- */

static ctorch_error *put(struct machine *self, uint64_t index) {
  CTORCH_TRY(need(self, 1));
  /* Picklers count, so that no number is beyond that of the bytes so far. */
  if (index > pickle_source_taken(self->source)) {
    return pickle_error(self->pickle, "value %" PRIu64 " to be remembered, before there can be as many", index);
  }
  while (self->memo_len <= index) {
    CTORCH_TRY(array_grow(self->pickle->function, &self->memo, self->memo_len, sizeof *self->memo));
    self->memo[self->memo_len++] = NULL;
  }
  value_unref(self->memo[index]);
  self->memo[index] = value_ref(top(self));
  return NULL;
}

static ctorch_error *get(struct machine *self, uint64_t index) {
  if (index >= self->memo_len || self->memo[index] == NULL) {
    return pickle_error(self->pickle, "value %" PRIu64 ", which was not remembered", index);
  }
  self->is_shared |= is_container(self->memo[index]);
  return push_ours(self, value_ref(self->memo[index]));
}

static ctorch_error *duplicate(struct machine *self) {
  CTORCH_TRY(need(self, 1));
  self->is_shared |= is_container(top(self));
  return push_ours(self, value_ref(top(self)));
}

/* The number of the next value that MEMOIZE remembers: as many as there are. */
static ctorch_error *memoize(struct machine *self) { return put(self, self->memo_len); }

static ctorch_error *number_in_line(struct machine *self, uint64_t *out) {
  const unsigned char *line = NULL;
  size_t len = 0;
  CTORCH_TRY(machine_take_line(self, &line, &len));
  return machine_read_decimal(out, line, len) ? NULL : pickle_error(self->pickle, "a line that is no number");
}

/* Containers ------------------------------------------------------------------------------------------------------- */

/* Add the values from `first` on to the list below them. */
static ctorch_error *append(struct machine *self, size_t first) {
  ctorch_value *list = self->stack[first - 1];
  for (size_t i = first; i < self->len; i++) {
    CTORCH_TRY(pickle_refuse(self->pickle, ctorch_value_list_append(list, self->stack[i])));
  }
  drop(self, self->len - first);
  return NULL;
}

/* An allowed class that is filled like a list or dict gets one for its items with the first of them. */
static ctorch_error *ensure_items(struct machine *self, ctorch_value *object, ctorch_value_kind kind) {
  ctorch_value *items = NULL;
  if (ctorch_value_kind_of(object) != CTORCH_VALUE_PYTHON_OBJECT || pickle_is_class(object)) {
    return NULL;
  }
  CTORCH_TRY(pickle_refuse(self->pickle, ctorch_value_python_items(&items, object)));
  if (items != NULL) {
    ctorch_value_release(items);
    return NULL;
  }
  CTORCH_TRY(pickle_empty(&items, kind));
  ctorch_error *error = python_set_items(self->pickle->function, object, items);
  ctorch_value_release(items);
  return pickle_refuse(self->pickle, error);
}

static ctorch_error *append_marked(struct machine *self) {
  size_t first = 0, len = 0;
  CTORCH_TRY(pop_mark(self, &first, &len));
  CTORCH_TRY(need(self, len + 1));
  CTORCH_TRY(ensure_items(self, self->stack[first - 1], CTORCH_VALUE_LIST));
  return append(self, first);
}

static ctorch_error *append_one(struct machine *self) {
  CTORCH_TRY(need(self, 2));
  CTORCH_TRY(ensure_items(self, self->stack[self->len - 2], CTORCH_VALUE_LIST));
  return append(self, self->len - 1);
}

static ctorch_error *set_items(struct machine *self, size_t first, size_t len) {
  ctorch_value *dict = self->stack[first - 1];
  if (len % 2 != 0) {
    return pickle_error(self->pickle, "a key without a value");
  }
  CTORCH_TRY(ensure_items(self, dict, CTORCH_VALUE_DICT));
  for (size_t i = 0; i < len; i += 2) {
    CTORCH_TRY(pickle_set_item(self->pickle, dict, self->stack[first + i], self->stack[first + i + 1]));
  }
  drop(self, len);
  return NULL;
}

static ctorch_error *set_marked(struct machine *self) {
  size_t first = 0, len = 0;
  CTORCH_TRY(pop_mark(self, &first, &len));
  CTORCH_TRY(need(self, len + 1));
  return set_items(self, first, len);
}

static ctorch_error *set_one(struct machine *self) {
  CTORCH_TRY(need(self, 3));
  return set_items(self, self->len - 2, 2);
}

/* Protocol 0's DICT: of what is above the mark. */
static ctorch_error *push_dict(struct machine *self) {
  size_t first = 0, len = 0;
  ctorch_value *dict = NULL;
  CTORCH_TRY(pop_mark(self, &first, &len));
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
  return replace(self, first, dict, true, NULL);
}

static ctorch_error *add_marked(struct machine *self) {
  size_t first = 0, len = 0;
  CTORCH_TRY(pop_mark(self, &first, &len));
  CTORCH_TRY(need(self, len + 1));
  for (size_t i = first; i < self->len; i++) {
    CTORCH_TRY(pickle_add_to_set(self->pickle, self->stack[first - 1], self->stack[i]));
  }
  drop(self, len);
  return NULL;
}

static ctorch_error *push_frozenset(struct machine *self) {
  static const struct pickle_global frozenset = {"builtins", "frozenset", NULL, false, -1};
  size_t first = 0, len = 0;
  ctorch_value *entries = NULL, *args = NULL, *made = NULL;
  CTORCH_TRY(pop_mark(self, &first, &len));
  CTORCH_TRY(ctorch_value_from_list(&entries, from(self, first), len));
  const ctorch_value *only[] = {entries};
  ctorch_error *error = ctorch_value_from_tuple(&args, only, 1);
  error = error != NULL ? error : pickle_call_frozenset(self->pickle, &made, &frozenset, args);
  ctorch_value_release(args);
  ctorch_value_release(entries);
  return error != NULL ? error : replace(self, first, made, true, NULL);
}

/* Classes, functions and calls ------------------------------------------------------------------------------------- */

static ctorch_error *push_global(struct machine *self) {
  const unsigned char *line = NULL;
  size_t module_len = 0, name_len = 0;
  ctorch_value *value = NULL;
  CTORCH_TRY(machine_take_line(self, &line, &module_len));
  char *module = malloc(module_len + 1);
  if (module == NULL) {
    return error_memory(self->pickle->function, module_len + 1);
  }
  memcpy(module, line, module_len);
  ctorch_error *error = machine_take_line(self, &line, &name_len);
  error = error != NULL ? error
                        : pickle_global_value(self->pickle, &value, module, module_len, (const char *)line, name_len);
  free(module);
  return error != NULL ? error : machine_push(self, value);
}

static ctorch_error *push_stack_global(struct machine *self) {
  const char *module = NULL, *name = NULL;
  size_t module_len = 0, name_len = 0;
  ctorch_value *value = NULL;
  CTORCH_TRY(need(self, 2));
  CTORCH_TRY(pickle_refuse(self->pickle, ctorch_value_to_string(&module, &module_len, self->stack[self->len - 2])));
  CTORCH_TRY(pickle_refuse(self->pickle, ctorch_value_to_string(&name, &name_len, top(self))));
  ctorch_error *error = pickle_global_value(self->pickle, &value, module, module_len, name, name_len);
  return error != NULL ? error : replace(self, self->len - 2, value, false, NULL);
}

/* Call the function in the place `first` with a tuple, which is on top, and put the result in their place. */
static ctorch_error *call(struct machine *self, size_t first, const ctorch_value *function, const ctorch_value *args) {
  ctorch_value *made = NULL;
  if (ctorch_value_kind_of(args) != CTORCH_VALUE_TUPLE) {
    return pickle_error(self->pickle, "a call without a tuple of arguments");
  }
  CTORCH_TRY(pickle_reduce(self->pickle, &made, function, args));
  return replace(self, first, made, is_container(made), NULL);
}

static ctorch_error *reduce(struct machine *self) {
  CTORCH_TRY(need(self, 2));
  return call(self, self->len - 2, self->stack[self->len - 2], top(self));
}

/* NEWOBJ_EX: with keywords, the object is what copyreg calls it, which has a place for them. */
static ctorch_error *push_newobj_ex(struct machine *self) {
  CTORCH_TRY(need(self, 3));
  const size_t first = self->len - 3;
  if (ctorch_value_kind_of(top(self)) != CTORCH_VALUE_DICT) {
    return pickle_error(self->pickle, "keywords that are no dict");
  }
  if (ctorch_value_len(top(self)) == 0) {
    return call(self, first, self->stack[first], self->stack[first + 1]);
  }
  ctorch_value *args = NULL, *made = NULL;
  if (!pickle_is_class(self->stack[first]) || ctorch_value_kind_of(self->stack[first + 1]) != CTORCH_VALUE_TUPLE) {
    return pickle_error(self->pickle, "an object without a class or arguments");
  }
  CTORCH_TRY(ctorch_value_from_tuple(&args, from(self, first), 3));
  ctorch_error *error = ctorch_value_from_python_object(&made, "copyreg", "__newobj_ex__", args, NULL, NULL);
  ctorch_value_release(args);
  return replace(self, first, made, true, error);
}

/* OBJ: the class and its arguments are above the mark. INST: it is named in two lines, and its arguments are. */
static ctorch_error *push_instance(struct machine *self, bool is_named) {
  size_t first = 0, len = 0;
  ctorch_value *args = NULL;
  if (is_named) {
    CTORCH_TRY(push_global(self));
  }
  CTORCH_TRY(pop_mark(self, &first, &len));
  if (len == 0) {
    return pickle_error(self->pickle, "an object without a class");
  }
  const size_t class_at = is_named ? self->len - 1 : first;
  CTORCH_TRY(ctorch_value_from_tuple(&args, from(self, is_named ? first : first + 1), len - 1));
  ctorch_error *error = call(self, first, self->stack[class_at], args);
  ctorch_value_release(args);
  return error;
}

static ctorch_error *build(struct machine *self) {
  ctorch_value *instead = NULL;
  CTORCH_TRY(need(self, 2));
  ctorch_value *object = self->stack[self->len - 2];
  CTORCH_TRY(pickle_build(self->pickle, &instead, object, top(self)));
  drop(self, 1);
  if (instead == NULL) {
    return NULL;
  }
  /* What was remembered of the object is this now: it mostly was the last value that was. */
  value_take(instead);
  for (size_t i = self->memo_len; i-- > 0 && self->memo_len - i <= 64;) {
    if (self->memo[i] == object) {
      self->memo[i] = value_ref(instead);
      value_unref(object);
      break;
    }
  }
  drop(self, 1);
  return push_ours(self, instead);
}

static ctorch_error *persistent(struct machine *self) {
  ctorch_value *made = NULL;
  CTORCH_TRY(need(self, 1));
  if (self->pickle->persistent == NULL) {
    return pickle_error(self->pickle, "a persistent id where there are none");
  }
  CTORCH_TRY(self->pickle->persistent(self->pickle, &made, top(self)));
  return replace(self, self->len - 1, made, is_container(made), NULL);
}

/* Running ---------------------------------------------------------------------------------------------------------- */

static ctorch_error *mark(struct machine *self) {
  CTORCH_TRY(array_grow(self->pickle->function, &self->marks, self->marks_len, sizeof *self->marks));
  self->marks[self->marks_len++] = self->len;
  return NULL;
}

static ctorch_error *pop(struct machine *self) {
  if (self->len > bottom(self)) {
    drop(self, 1);
    return NULL;
  }
  size_t first = 0, len = 0;
  return pop_mark(self, &first, &len); /* Python lets POP take a mark too */
}

static ctorch_error *pop_to_mark(struct machine *self) {
  size_t first = 0, len = 0;
  CTORCH_TRY(pop_mark(self, &first, &len));
  drop(self, len);
  return NULL;
}

/* PROTO and FRAME say things about what follows. */
static ctorch_error *skip(struct machine *self, unsigned char opcode) {
  uint64_t number = 0;
  CTORCH_TRY(machine_take_number(self, &number, opcode == 0x80 ? 1 : 8));
  return opcode == 0x80 && number > 5 ? pickle_error(self->pickle, "protocol %" PRIu64, number) : NULL;
}

static ctorch_error *numbered(
    struct machine *self, size_t nbytes, ctorch_error *(*run)(struct machine *self, uint64_t index)) {
  uint64_t index = 0;
  CTORCH_TRY(nbytes == 0 ? number_in_line(self, &index) : machine_take_number(self, &index, nbytes));
  return run(self, index);
}

static ctorch_error *unknown(struct machine *self, unsigned char opcode) {
  switch (opcode) {
    case 0x82: /* EXT1, EXT2, EXT4 */
    case 0x83:
    case 0x84:
      return pickle_error(self->pickle, "a class by its number in a registry, which files do not have");
    case 0x97: /* NEXT_BUFFER, READONLY_BUFFER */
    case 0x98:
      return pickle_error(self->pickle, "a buffer outside of the pickle, which files do not have");
    case 'P':
      return pickle_error(self->pickle, "a persistent id that is a text");
    default:
      return pickle_error(self->pickle, "unknown opcode 0x%02x", opcode);
  }
}

static ctorch_error *run(struct machine *self, unsigned char opcode) {
  bool is_known = false;
  switch (opcode) {
    case '(':
      return mark(self);
    case '0':
      return pop(self);
    case '1':
      return pop_to_mark(self);
    case '2':
      return duplicate(self);
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
    case 'p':
      return numbered(self, 0, put);
    case 'q': /* BINPUT */
    case 'r': /* LONG_BINPUT */
      return numbered(self, opcode == 'q' ? 1 : 4, put);
    case 0x94: /* MEMOIZE */
      return memoize(self);
    case 'g':
      return numbered(self, 0, get);
    case 'h': /* BINGET */
    case 'j': /* LONG_BINGET */
      return numbered(self, opcode == 'h' ? 1 : 4, get);
    case 'c':
      return push_global(self);
    case 0x93: /* STACK_GLOBAL */
      return push_stack_global(self);
    case 'R':
    case 0x81: /* NEWOBJ */
      return reduce(self);
    case 0x92: /* NEWOBJ_EX */
      return push_newobj_ex(self);
    case 'i':
    case 'o':
      return push_instance(self, opcode == 'i');
    case 'b':
      return build(self);
    case 'Q': /* BINPERSID */
      return persistent(self);
    case 0x80: /* PROTO */
    case 0x95: /* FRAME */
      return skip(self, opcode);
    default: {
      ctorch_error *error = machine_push_plain(self, &is_known, opcode);
      return error != NULL || is_known ? error : unknown(self, opcode);
    }
  }
}

static ctorch_error *run_all(struct machine *self) {
  while (true) {
    const unsigned char *opcode = NULL;
    self->pickle->offset = pickle_source_taken(self->source);
    CTORCH_TRY(machine_take(self, &opcode, 1));
    if (*opcode == '.') {
      return need(self, 1);
    }
    CTORCH_TRY(run(self, *opcode));
  }
}

static void end(struct machine *self) {
  drop(self, self->len);
  for (size_t i = 0; i < self->memo_len; i++) {
    value_unref(self->memo[i]);
  }
  for (size_t i = 0; i < self->made_len; i++) {
    value_unref(self->made[i]);
  }
  free(self->stack);
  free(self->marks);
  free(self->memo);
  free(self->made);
}

ctorch_error *pickle_load(struct unpickler *self, struct pickle_source *source, ctorch_value **out) {
  struct machine machine = {.pickle = self, .source = source};
  ctorch_error *error = run_all(&machine);
  ctorch_value *result = error == NULL ? value_ref(top(&machine)) : NULL;
  if (machine.is_shared) {
    value_collect(machine.made, machine.made_len, result);
  }
  end(&machine);
  if (error == NULL) {
    *out = result;
  }
  return error;
}
