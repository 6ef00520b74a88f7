/* Reading a pickle as an outline: the opcodes of read.c over nodes. What has no parts is made by the opcodes of
 * values, and kept as a node. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/sequence.h"
#include "core/c/boxed.h"
#include "core/c/error.h"
#include "ctorch.h"
#include "pickle/values.h"
#include "pt/outline_machine.h"

/* What has no parts ------------------------------------------------------------------------------------------------ */

static ctorch_error *push_bytes(struct outliner *self, enum outline_kind kind, const ctorch_value *bytes) {
  uint32_t made = 0;
  const size_t len = ctorch_value_len(bytes);
  char *copy = malloc(len + 1);
  if (copy == NULL) {
    return error_memory(outliner_function(self), len + 1);
  }
  ctorch_error *error = len == 0 ? NULL : ctorch_value_read_bytes(bytes, copy, len);
  THEN(error, outline_add_text(self->outline, outliner_function(self), &made, kind, copy, len));
  free(copy);
  return error != NULL ? error : outliner_push(self, made);
}

static ctorch_error *push_scalar(struct outliner *self, const ctorch_value *value) {
  struct outline_node node = {.kind = OUTLINE_NONE};
  const char *text = NULL;
  size_t len = 0;
  bool flag = false;
  uint32_t made = 0;
  ctorch_value *bytes = NULL;
  switch (ctorch_value_kind_of(value)) {
    case CTORCH_VALUE_BOOL:
      CTORCH_TRY(ctorch_value_to_bool(&flag, value));
      node = (struct outline_node){.kind = OUTLINE_BOOL, .integer = flag};
      return outliner_push_node(self, &node);
    case CTORCH_VALUE_DOUBLE:
      node.kind = OUTLINE_DOUBLE;
      CTORCH_TRY(ctorch_value_to_double(&node.real, value));
      return outliner_push_node(self, &node);
    case CTORCH_VALUE_STRING:
      CTORCH_TRY(ctorch_value_to_string(&text, &len, value));
      CTORCH_TRY(outline_add_text(self->outline, outliner_function(self), &made, OUTLINE_TEXT, text, len));
      return outliner_push(self, made);
    case CTORCH_VALUE_BYTES:
      return push_bytes(self, OUTLINE_BYTES, value);
    case CTORCH_VALUE_INT: {
      node.kind = OUTLINE_INT;
      ctorch_error *error = ctorch_value_to_int(&node.integer, value);
      if (error == NULL) {
        return outliner_push_node(self, &node);
      }
      ctorch_error_release(error);
      CTORCH_TRY(ctorch_value_to_int_bytes(&bytes, value));
      error = push_bytes(self, OUTLINE_LONG, bytes);
      ctorch_value_release(bytes);
      return error;
    }
    default:
      return outliner_push_node(self, &node);
  }
}

/* A bytearray is an object of bytes. */
static ctorch_error *push_bytearray(struct outliner *self, const ctorch_value *value) {
  ctorch_value *args = NULL, *bytes = NULL;
  CTORCH_TRY(outliner_push_global(self, "builtins", 8, "bytearray", 9));
  CTORCH_TRY(ctorch_value_python_args(&args, value));
  ctorch_error *error = ctorch_value_get(&bytes, args, 0);
  THEN(error, push_bytes(self, OUTLINE_BYTES, bytes));
  ctorch_value_release(bytes);
  ctorch_value_release(args);
  CTORCH_TRY(error);
  CTORCH_TRY(outliner_push_list(self, OUTLINE_TUPLE, self->len - 1));
  self->len -= 2;
  return outliner_push_object(self, self->stack[self->len], self->stack[self->len + 1]);
}

static ctorch_error *push_plain(struct outliner *self, unsigned char opcode) {
  struct machine *machine = &self->machine;
  bool is_known = false;
  CTORCH_TRY(machine_push_plain(machine, &is_known, opcode));
  if (!is_known) {
    return machine_unknown(machine, opcode);
  }
  const ctorch_value *value = machine_top(machine);
  ctorch_error *error = ctorch_value_kind_of(value) == CTORCH_VALUE_PYTHON_OBJECT ? push_bytearray(self, value)
                                                                                  : push_scalar(self, value);
  machine_drop(machine, 1);
  while (machine->made_len > 0) {
    value_unref(machine->made[--machine->made_len]);
  }
  return error;
}

/* Memory ----------------------------------------------------------------------------------------------------------- */

static ctorch_error *put(struct outliner *self, uint64_t index) {
  CTORCH_TRY(outliner_need(self, 1));
  CTORCH_TRY(machine_check_index(&self->machine, index));
  while (self->memo_len <= index) {
    CTORCH_TRY(array_grow(outliner_function(self), &self->memo, self->memo_len, sizeof *self->memo));
    self->memo[self->memo_len++] = 0;
  }
  self->memo[index] = outliner_top(self);
  return NULL;
}

static ctorch_error *get(struct outliner *self, uint64_t index) {
  if (index >= self->memo_len || self->memo[index] == 0) {
    return pickle_error(self->machine.pickle, "value %" PRIu64 ", which was not remembered", index);
  }
  return outliner_push(self, self->memo[index]);
}

/* Filling ---------------------------------------------------------------------------------------------------------- */

/* Add what is above `first` to the container below it. */
static ctorch_error *fill(struct outliner *self, size_t first, enum outline_kind kind) {
  const bool has_keys = kind == OUTLINE_DICT;
  if (has_keys && (self->len - first) % 2 != 0) {
    return pickle_error(self->machine.pickle, "a key without a value");
  }
  struct outline_node *node = outliner_node(self, self->stack[first - 1]);
  const bool is_object = node->kind == OUTLINE_OBJECT && kind != OUTLINE_SET;
  if (is_object && node->entries.len == 0) {
    node->has_keys = has_keys;
  }
  if (is_object ? node->has_keys != has_keys : node->kind != kind) {
    return pickle_error(self->machine.pickle, "entries for what is no list, dict or set of them");
  }
  return outliner_take_entries(self, &node->entries, first);
}

static ctorch_error *fill_marked(struct outliner *self, enum outline_kind kind) {
  size_t first = 0;
  CTORCH_TRY(outliner_pop_mark(self, &first));
  CTORCH_TRY(outliner_need(self, self->len - first + 1));
  return fill(self, first, kind);
}

static ctorch_error *fill_with(struct outliner *self, size_t len, enum outline_kind kind) {
  CTORCH_TRY(outliner_need(self, len + 1));
  return fill(self, self->len - len, kind);
}

static ctorch_error *push_marked(struct outliner *self, enum outline_kind kind) {
  size_t first = 0;
  CTORCH_TRY(outliner_pop_mark(self, &first));
  return outliner_push_list(self, kind, first);
}

static ctorch_error *push_last(struct outliner *self, size_t len) {
  CTORCH_TRY(outliner_need(self, len));
  return outliner_push_list(self, OUTLINE_TUPLE, self->len - len);
}

static ctorch_error *push_frozenset(struct outliner *self) {
  CTORCH_TRY(push_marked(self, OUTLINE_LIST));
  CTORCH_TRY(push_last(self, 1));
  const uint32_t args = self->stack[--self->len];
  CTORCH_TRY(outliner_push_global(self, "builtins", 8, "frozenset", 9));
  return outliner_push_object(self, self->stack[--self->len], args);
}

static ctorch_error *run_container(struct outliner *self, bool *out_is_known, unsigned char opcode) {
  *out_is_known = true;
  switch (opcode) {
    case ')':
      return outliner_push_list(self, OUTLINE_TUPLE, self->len);
    case '}':
      return outliner_push_list(self, OUTLINE_DICT, self->len);
    case ']':
      return outliner_push_list(self, OUTLINE_LIST, self->len);
    case 0x8f: /* EMPTY_SET */
      return outliner_push_list(self, OUTLINE_SET, self->len);
    case 0x85: /* TUPLE1, TUPLE2, TUPLE3 */
    case 0x86:
    case 0x87:
      return push_last(self, opcode - 0x84U);
    case 't':
      return push_marked(self, OUTLINE_TUPLE);
    case 'l':
      return push_marked(self, OUTLINE_LIST);
    case 'd':
      return push_marked(self, OUTLINE_DICT);
    case 'a':
      return fill_with(self, 1, OUTLINE_LIST);
    case 'e':
      return fill_marked(self, OUTLINE_LIST);
    case 's':
      return fill_with(self, 2, OUTLINE_DICT);
    case 'u':
      return fill_marked(self, OUTLINE_DICT);
    case 0x90: /* ADDITEMS */
      return fill_marked(self, OUTLINE_SET);
    case 0x91: /* FROZENSET */
      return push_frozenset(self);
    default:
      *out_is_known = false;
      return NULL;
  }
}

/* Running ---------------------------------------------------------------------------------------------------------- */

static ctorch_error *mark(struct outliner *self) {
  CTORCH_TRY(array_grow(outliner_function(self), &self->marks, self->marks_len, sizeof *self->marks));
  self->marks[self->marks_len++] = self->len;
  return NULL;
}

static ctorch_error *pop(struct outliner *self, bool is_to_mark) {
  const size_t bottom = self->marks_len == 0 ? 0 : self->marks[self->marks_len - 1];
  if (!is_to_mark && self->len > bottom) {
    self->len--;
    return NULL;
  }
  CTORCH_TRY(outliner_pop_mark(self, &self->len)); /* Python lets POP take a mark too */
  return NULL;
}

static ctorch_error *indexed(struct outliner *self, size_t nbytes, bool is_put) {
  uint64_t index = 0;
  CTORCH_TRY(machine_take_index(&self->machine, &index, nbytes));
  return is_put ? put(self, index) : get(self, index);
}

static ctorch_error *run(struct outliner *self, unsigned char opcode) {
  bool is_known = false;
  switch (opcode) {
    case '(':
      return mark(self);
    case '0':
    case '1':
      return pop(self, opcode == '1');
    case '2':
      CTORCH_TRY(outliner_need(self, 1));
      return outliner_push(self, outliner_top(self));
    case 'p':
      return indexed(self, 0, true);
    case 'q': /* BINPUT */
    case 'r': /* LONG_BINPUT */
      return indexed(self, opcode == 'q' ? 1 : 4, true);
    case 0x94: /* MEMOIZE */
      return put(self, self->memo_len);
    case 'g':
      return indexed(self, 0, false);
    case 'h': /* BINGET */
    case 'j': /* LONG_BINGET */
      return indexed(self, opcode == 'h' ? 1 : 4, false);
    case 0x80: /* PROTO */
    case 0x95: /* FRAME */
      return machine_skip(&self->machine, opcode);
    default:
      CTORCH_TRY(outliner_run_call(self, &is_known, opcode));
      CTORCH_TRY(is_known ? NULL : run_container(self, &is_known, opcode));
      return is_known ? NULL : push_plain(self, opcode);
  }
}

static ctorch_error *run_all(struct outliner *self) {
  while (true) {
    const unsigned char *opcode = NULL;
    self->machine.pickle->offset = pickle_source_taken(self->machine.source);
    CTORCH_TRY(machine_take(&self->machine, &opcode, 1));
    if (*opcode == '.') {
      return outliner_need(self, 1);
    }
    CTORCH_TRY(run(self, *opcode));
  }
}

ctorch_error *outline_read(
    struct outline *self, struct unpickler *pickle, struct pickle_source *source, uint32_t *out) {
  struct outliner outliner = {.machine = {.pickle = pickle, .source = source}, .outline = self};
  ctorch_error *error = run_all(&outliner);
  if (error == NULL) {
    *out = outliner_top(&outliner);
  }
  machine_drop(&outliner.machine, outliner.machine.len);
  free(outliner.machine.stack);
  free(outliner.machine.made);
  free(outliner.stack);
  free(outliner.marks);
  free(outliner.memo);
  return error;
}
