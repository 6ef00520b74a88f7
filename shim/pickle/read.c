/* Reading pickles: the opcodes of Python's pickletools, protocols 0 to 5. */
#include "pickle/read.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/sequence.h"
#include "core/c/boxed.h"
#include "core/c/error.h"
#include "core/c/python.h"
#include "ctorch.h"
#include "pickle/globals.h"
#include "pickle/machine.h"
#include "pickle/values.h"

/* How far back an object that is replaced when it gets its state was remembered at most: its class and arguments, the
 * parts of its state. */
enum { RECENT = 64 };

/* Memory ----------------------------------------------------------------------------------------------------------- */

ctorch_error *machine_check_index(const struct machine *self, uint64_t index) {
  return index <= pickle_source_taken(self->source)
             ? NULL
             : pickle_error(self->pickle, "value %" PRIu64 " to be remembered, before there can be as many", index);
}

static ctorch_error *put(struct machine *self, uint64_t index) {
  CTORCH_TRY(machine_need(self, 1));
  CTORCH_TRY(machine_check_index(self, index));
  while (self->memo_len <= index) {
    CTORCH_TRY(array_grow(self->pickle->function, &self->memo, self->memo_len, sizeof *self->memo));
    self->memo[self->memo_len++] = NULL;
  }
  value_unref(self->memo[index]);
  self->memo[index] = value_ref(machine_top(self));
  return NULL;
}

static ctorch_error *get(struct machine *self, uint64_t index) {
  if (index >= self->memo_len || self->memo[index] == NULL) {
    return pickle_error(self->pickle, "value %" PRIu64 ", which was not remembered", index);
  }
  self->is_shared |= machine_is_container(self->memo[index]);
  return machine_push_ours(self, value_ref(self->memo[index]));
}

static ctorch_error *duplicate(struct machine *self) {
  CTORCH_TRY(machine_need(self, 1));
  self->is_shared |= machine_is_container(machine_top(self));
  return machine_push_ours(self, value_ref(machine_top(self)));
}

/* The number of the next value that MEMOIZE remembers: as many as there are. */
static ctorch_error *memoize(struct machine *self) { return put(self, self->memo_len); }

static ctorch_error *number_in_line(struct machine *self, uint64_t *out) {
  const unsigned char *line = NULL;
  size_t len = 0;
  CTORCH_TRY(machine_take_line(self, &line, &len));
  return machine_read_decimal(out, line, len) ? NULL : pickle_error(self->pickle, "a line that is no number");
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
  THEN(error, pickle_global_value(self->pickle, &value, module, module_len, (const char *)line, name_len));
  free(module);
  return error != NULL ? error : machine_push(self, value);
}

static ctorch_error *push_stack_global(struct machine *self) {
  const char *module = NULL, *name = NULL;
  size_t module_len = 0, name_len = 0;
  ctorch_value *value = NULL;
  CTORCH_TRY(machine_need(self, 2));
  CTORCH_TRY(pickle_refuse(self->pickle, ctorch_value_to_string(&module, &module_len, self->stack[self->len - 2])));
  CTORCH_TRY(pickle_refuse(self->pickle, ctorch_value_to_string(&name, &name_len, machine_top(self))));
  ctorch_error *error = pickle_global_value(self->pickle, &value, module, module_len, name, name_len);
  return error != NULL ? error : machine_replace(self, self->len - 2, value, false, NULL);
}

/* Call the function in the place `first` with a tuple, which is on top, and put the result in their place. */
static ctorch_error *call(struct machine *self, size_t first, const ctorch_value *function, const ctorch_value *args) {
  ctorch_value *made = NULL, *tuple = NULL;
  const bool is_tuple = ctorch_value_kind_of(args) == CTORCH_VALUE_TUPLE;
  if (!is_tuple && !self->pickle->is_script) {
    return pickle_error(self->pickle, "a call without a tuple of arguments");
  }
  CTORCH_TRY(is_tuple ? NULL : ctorch_value_from_tuple(&tuple, &args, 1));
  ctorch_error *error = pickle_reduce(self->pickle, &made, function, is_tuple ? args : tuple);
  ctorch_value_release(tuple);
  CTORCH_TRY(error);
  return machine_replace(self, first, made, machine_is_container(made), NULL);
}

static ctorch_error *reduce(struct machine *self) {
  CTORCH_TRY(machine_need(self, 2));
  return call(self, self->len - 2, self->stack[self->len - 2], machine_top(self));
}

/* NEWOBJ_EX: with keywords, the object is what copyreg calls it, which has a place for them. */
static ctorch_error *push_newobj_ex(struct machine *self) {
  CTORCH_TRY(machine_need(self, 3));
  const size_t first = self->len - 3;
  if (ctorch_value_kind_of(machine_top(self)) != CTORCH_VALUE_DICT) {
    return pickle_error(self->pickle, "keywords that are no dict");
  }
  if (ctorch_value_len(machine_top(self)) == 0) {
    return call(self, first, self->stack[first], self->stack[first + 1]);
  }
  ctorch_value *args = NULL, *made = NULL;
  if (!pickle_is_class(self->stack[first]) || ctorch_value_kind_of(self->stack[first + 1]) != CTORCH_VALUE_TUPLE) {
    return pickle_error(self->pickle, "an object without a class or arguments");
  }
  CTORCH_TRY(ctorch_value_from_tuple(&args, machine_from(self, first), 3));
  ctorch_error *error = ctorch_value_from_python_object(&made, "copyreg", "__newobj_ex__", args, NULL, NULL);
  ctorch_value_release(args);
  return machine_replace(self, first, made, true, error);
}

/* OBJ: the class and its arguments are above the mark. INST: it is named in two lines, and its arguments are. */
static ctorch_error *push_instance(struct machine *self, bool is_named) {
  size_t first = 0, len = 0;
  ctorch_value *args = NULL;
  if (is_named) {
    CTORCH_TRY(push_global(self));
  }
  CTORCH_TRY(machine_pop_mark(self, &first, &len));
  if (len == 0) {
    return pickle_error(self->pickle, "an object without a class");
  }
  const size_t class_at = is_named ? self->len - 1 : first;
  CTORCH_TRY(ctorch_value_from_tuple(&args, machine_from(self, is_named ? first : first + 1), len - 1));
  ctorch_error *error = call(self, first, self->stack[class_at], args);
  ctorch_value_release(args);
  return error;
}

static ctorch_error *build(struct machine *self) {
  ctorch_value *instead = NULL;
  CTORCH_TRY(machine_need(self, 2));
  ctorch_value *object = self->stack[self->len - 2];
  CTORCH_TRY(pickle_build(self->pickle, &instead, object, machine_top(self)));
  machine_drop(self, 1);
  if (instead == NULL) {
    return NULL;
  }
  /* What was remembered of the object is this now. */
  value_take(instead);
  const size_t first = self->memo_len < RECENT ? 0 : self->memo_len - RECENT;
  for (size_t i = self->memo_len; i > first; i--) {
    if (self->memo[i - 1] == object) {
      self->memo[i - 1] = value_ref(instead);
      value_unref(object);
      break;
    }
  }
  machine_drop(self, 1);
  return machine_push_ours(self, instead);
}

static ctorch_error *persistent(struct machine *self) {
  ctorch_value *made = NULL;
  CTORCH_TRY(machine_need(self, 1));
  if (self->pickle->persistent == NULL) {
    return pickle_error(self->pickle, "a persistent id where there are none");
  }
  CTORCH_TRY(self->pickle->persistent(self->pickle, &made, machine_top(self)));
  return machine_replace(self, self->len - 1, made, machine_is_container(made), NULL);
}

/* Running ---------------------------------------------------------------------------------------------------------- */

static ctorch_error *mark(struct machine *self) {
  CTORCH_TRY(array_grow(self->pickle->function, &self->marks, self->marks_len, sizeof *self->marks));
  self->marks[self->marks_len++] = self->len;
  return NULL;
}

static ctorch_error *pop(struct machine *self) {
  if (self->len > machine_bottom(self)) {
    machine_drop(self, 1);
    return NULL;
  }
  size_t first = 0, len = 0;
  return machine_pop_mark(self, &first, &len); /* Python lets POP take a mark too */
}

static ctorch_error *pop_to_mark(struct machine *self) {
  size_t first = 0, len = 0;
  CTORCH_TRY(machine_pop_mark(self, &first, &len));
  machine_drop(self, len);
  return NULL;
}

ctorch_error *machine_skip(struct machine *self, unsigned char opcode) {
  uint64_t number = 0;
  CTORCH_TRY(machine_take_number(self, &number, opcode == 0x80 ? 1 : 8));
  return opcode == 0x80 && number > 5 ? pickle_error(self->pickle, "protocol %" PRIu64, number) : NULL;
}

ctorch_error *machine_take_index(struct machine *self, uint64_t *out, size_t nbytes) {
  return nbytes == 0 ? number_in_line(self, out) : machine_take_number(self, out, nbytes);
}

static ctorch_error *numbered(
    struct machine *self, size_t nbytes, ctorch_error *(*run)(struct machine *self, uint64_t index)) {
  uint64_t index = 0;
  CTORCH_TRY(machine_take_index(self, &index, nbytes));
  return run(self, index);
}

ctorch_error *machine_unknown(const struct machine *self, unsigned char opcode) {
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
      return machine_skip(self, opcode);
    default: {
      ctorch_error *error = machine_run_container(self, &is_known, opcode);
      if (error == NULL && !is_known) {
        error = machine_push_plain(self, &is_known, opcode);
      }
      return error != NULL || is_known ? error : machine_unknown(self, opcode);
    }
  }
}

static ctorch_error *run_all(struct machine *self) {
  while (true) {
    const unsigned char *opcode = NULL;
    self->pickle->offset = pickle_source_taken(self->source);
    CTORCH_TRY(machine_take(self, &opcode, 1));
    if (*opcode == '.') {
      return machine_need(self, 1);
    }
    CTORCH_TRY(run(self, *opcode));
  }
}

static void end(struct machine *self) {
  machine_drop(self, self->len);
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

/* What holds itself and is not to be handed out goes when the file does. */
static ctorch_error *keep(struct machine *self) {
  struct unpickler *pickle = self->pickle;
  for (size_t i = 0; i < self->made_len; i++) {
    CTORCH_TRY(array_grow(pickle->function, &pickle->kept, pickle->kept_len, sizeof *pickle->kept));
    pickle->kept[pickle->kept_len++] = value_ref(self->made[i]);
  }
  return NULL;
}

ctorch_error *pickle_load(struct unpickler *self, struct pickle_source *source, ctorch_value **out) {
  struct machine machine = {.pickle = self, .source = source};
  ctorch_error *error = run_all(&machine);
  if (error == NULL && machine.is_shared && self->is_described) {
    error = keep(&machine);
  }
  ctorch_value *result = error == NULL ? value_ref(machine_top(&machine)) : NULL;
  if (machine.is_shared) {
    value_collect(machine.made, machine.made_len, result);
  }
  end(&machine);
  if (error == NULL) {
    *out = result;
  }
  return error;
}
