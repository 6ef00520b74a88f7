/* Reading a pickle as an outline: the opcodes of read.c over nodes. What has no parts is made by the opcodes of
 * values, and kept as a node. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "core/c/boxed.h"
#include "core/c/error.h"
#include "ctorch.h"
#include "io/outline.h"
#include "pickle/globals.h"
#include "pickle/machine.h"
#include "pickle/values.h"

struct outliner {
  struct machine machine; /* for its bytes, and for one value without parts at a time */
  struct outline *outline;
  uint32_t *stack;
  size_t len;
  size_t *marks; /* how high the stack was */
  size_t marks_len;
  uint32_t *memo; /* 0: nothing yet */
  size_t memo_len;
};

static const char *function_of(const struct outliner *self) { return self->machine.pickle->function; }

/* The stack -------------------------------------------------------------------------------------------------------- */

static ctorch_error *push(struct outliner *self, uint32_t node) {
  CTORCH_TRY(array_grow(function_of(self), &self->stack, self->len, sizeof *self->stack));
  self->stack[self->len++] = node;
  return NULL;
}

static ctorch_error *push_node(struct outliner *self, const struct outline_node *node) {
  uint32_t made = 0;
  CTORCH_TRY(outline_add(self->outline, function_of(self), &made, node));
  return push(self, made);
}

static ctorch_error *need(const struct outliner *self, size_t len) {
  const size_t bottom = self->marks_len == 0 ? 0 : self->marks[self->marks_len - 1];
  return self->len - bottom >= len ? NULL : pickle_error(self->machine.pickle, "the stack is empty");
}

static ctorch_error *pop_mark(struct outliner *self, size_t *first) {
  if (self->marks_len == 0) {
    return pickle_error(self->machine.pickle, "no mark on the stack");
  }
  *first = self->marks[--self->marks_len];
  return NULL;
}

static uint32_t top(const struct outliner *self) { return self->stack[self->len - 1]; }

static struct outline_node *node_of(const struct outliner *self, uint32_t node) {
  return &self->outline->nodes[node - 1];
}

/* Entries of the nodes from `first` on, which leave the stack. */
static ctorch_error *take_entries(struct outliner *self, struct outline_list *out, size_t first) {
  for (size_t i = first; i < self->len; i++) {
    CTORCH_TRY(outline_append(self->outline, function_of(self), out, self->stack[i]));
  }
  self->len = first;
  return NULL;
}

static ctorch_error *push_list(struct outliner *self, enum outline_kind kind, size_t first) {
  struct outline_node node = {.kind = (unsigned char)kind};
  if (kind == OUTLINE_DICT && (self->len - first) % 2 != 0) {
    return pickle_error(self->machine.pickle, "a key without a value");
  }
  CTORCH_TRY(take_entries(self, &node.entries, first));
  return push_node(self, &node);
}

/* What has no parts ------------------------------------------------------------------------------------------------ */

static ctorch_error *push_bytes(struct outliner *self, enum outline_kind kind, const ctorch_value *bytes) {
  uint32_t made = 0;
  const size_t len = ctorch_value_len(bytes);
  char *copy = malloc(len + 1);
  if (copy == NULL) {
    return error_memory(function_of(self), len + 1);
  }
  ctorch_error *error = len == 0 ? NULL : ctorch_value_read_bytes(bytes, copy, len);
  error = error != NULL ? error : outline_add_text(self->outline, function_of(self), &made, kind, copy, len);
  free(copy);
  return error != NULL ? error : push(self, made);
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
      return push_node(self, &node);
    case CTORCH_VALUE_DOUBLE:
      node.kind = OUTLINE_DOUBLE;
      CTORCH_TRY(ctorch_value_to_double(&node.real, value));
      return push_node(self, &node);
    case CTORCH_VALUE_STRING:
      CTORCH_TRY(ctorch_value_to_string(&text, &len, value));
      CTORCH_TRY(outline_add_text(self->outline, function_of(self), &made, OUTLINE_TEXT, text, len));
      return push(self, made);
    case CTORCH_VALUE_BYTES:
      return push_bytes(self, OUTLINE_BYTES, value);
    case CTORCH_VALUE_INT: {
      node.kind = OUTLINE_INT;
      ctorch_error *error = ctorch_value_to_int(&node.integer, value);
      if (error == NULL) {
        return push_node(self, &node);
      }
      ctorch_error_release(error);
      CTORCH_TRY(ctorch_value_to_int_bytes(&bytes, value));
      error = push_bytes(self, OUTLINE_LONG, bytes);
      ctorch_value_release(bytes);
      return error;
    }
    default:
      return push_node(self, &node);
  }
}

static ctorch_error *push_global(
    struct outliner *self, const char *module, size_t module_len, const char *name, size_t name_len);
static ctorch_error *push_object(struct outliner *self, uint32_t function, uint32_t args);

/* A bytearray is an object of bytes. */
static ctorch_error *push_bytearray(struct outliner *self, const ctorch_value *value) {
  ctorch_value *args = NULL, *bytes = NULL;
  CTORCH_TRY(push_global(self, "builtins", 8, "bytearray", 9));
  CTORCH_TRY(ctorch_value_python_args(&args, value));
  ctorch_error *error = ctorch_value_get(&bytes, args, 0);
  error = error != NULL ? error : push_bytes(self, OUTLINE_BYTES, bytes);
  ctorch_value_release(bytes);
  ctorch_value_release(args);
  CTORCH_TRY(error);
  CTORCH_TRY(push_list(self, OUTLINE_TUPLE, self->len - 1));
  self->len -= 2;
  return push_object(self, self->stack[self->len], self->stack[self->len + 1]);
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
  CTORCH_TRY(need(self, 1));
  CTORCH_TRY(machine_check_index(&self->machine, index));
  while (self->memo_len <= index) {
    CTORCH_TRY(array_grow(function_of(self), &self->memo, self->memo_len, sizeof *self->memo));
    self->memo[self->memo_len++] = 0;
  }
  self->memo[index] = top(self);
  return NULL;
}

static ctorch_error *get(struct outliner *self, uint64_t index) {
  if (index >= self->memo_len || self->memo[index] == 0) {
    return pickle_error(self->machine.pickle, "value %" PRIu64 ", which was not remembered", index);
  }
  return push(self, self->memo[index]);
}

/* Classes, functions and calls ------------------------------------------------------------------------------------- */

static ctorch_error *push_global(
    struct outliner *self, const char *module, size_t module_len, const char *name, size_t name_len) {
  ctorch_value *value = NULL;
  uint32_t made = 0;
  CTORCH_TRY(pickle_global_value(self->machine.pickle, &value, module, module_len, name, name_len));
  if (ctorch_value_kind_of(value) == CTORCH_VALUE_PYTHON_OBJECT) { /* what was called otherwise in Python 2 */
    module = ctorch_value_python_module(value);
    name = ctorch_value_python_name(value);
    module_len = strlen(module);
    name_len = strlen(name);
  }
  const size_t len = module_len + name_len + 2;
  char *both = calloc(1, len);
  ctorch_error *error = both == NULL ? error_memory(function_of(self), len) : NULL;
  if (error == NULL) {
    memcpy(both, module, module_len);
    memcpy(both + module_len + 1, name, name_len);
    error = outline_add_text(self->outline, function_of(self), &made, OUTLINE_GLOBAL, both, len);
  }
  free(both);
  ctorch_value_release(value);
  return error != NULL ? error : push(self, made);
}

static ctorch_error *push_named(struct outliner *self) {
  const unsigned char *line = NULL;
  size_t module_len = 0, name_len = 0;
  CTORCH_TRY(machine_take_line(&self->machine, &line, &module_len));
  char *module = malloc(module_len + 1);
  if (module == NULL) {
    return error_memory(function_of(self), module_len + 1);
  }
  memcpy(module, line, module_len);
  ctorch_error *error = machine_take_line(&self->machine, &line, &name_len);
  error = error != NULL ? error : push_global(self, module, module_len, (const char *)line, name_len);
  free(module);
  return error;
}

static ctorch_error *push_stack_global(struct outliner *self) {
  CTORCH_TRY(need(self, 2));
  const struct outline_node module = *node_of(self, self->stack[self->len - 2]), name = *node_of(self, top(self));
  if (module.kind != OUTLINE_TEXT || name.kind != OUTLINE_TEXT) {
    return pickle_error(self->machine.pickle, "a class or function whose name is no text");
  }
  self->len -= 2;
  return push_global(
      self, outline_text(self->outline, &module), (size_t)module.text.len, outline_text(self->outline, &name),
      (size_t)name.text.len);
}

static ctorch_error *push_object(struct outliner *self, uint32_t function, uint32_t args) {
  const struct outline_node node = {.kind = OUTLINE_OBJECT, .function = function, .args = args};
  return push_node(self, &node);
}

/* copyreg.__newobj__(class, *args), and copyreg._reconstructor(class, object, None) of protocols 0 and 1, which make an
 * object of the class. */
static ctorch_error *call_copyreg(struct outliner *self, uint32_t args, bool has_args);

static ctorch_error *call(struct outliner *self, uint32_t function, uint32_t args) {
  struct pickle_global global = {.dtype = -1};
  struct unpickler *pickle = self->machine.pickle;
  if (node_of(self, function)->kind != OUTLINE_GLOBAL) {
    return pickle_error(pickle, "a call of what is no class or function");
  }
  if (node_of(self, args)->kind != OUTLINE_TUPLE) {
    return pickle_error(pickle, "a call without a tuple of arguments");
  }
  const char *module = outline_module(self->outline, node_of(self, function));
  const char *name = outline_name(self->outline, node_of(self, function));
  if (pickle->find(&global, module, name) && global.call == NULL) {
    return pickle_error(pickle, "a call of %s.%s, which files only name", module, name);
  }
  return global.call == pickle_call_newobj          ? call_copyreg(self, args, true)
         : global.call == pickle_call_reconstructor ? call_copyreg(self, args, false)
                                                    : push_object(self, function, args);
}

static ctorch_error *call_copyreg(struct outliner *self, uint32_t args, bool has_args) {
  struct pickle_global global = {.call = NULL};
  const uint32_t class = outline_first(self->outline, args);
  uint32_t link = node_of(self, args)->entries.first;
  if (class != 0 && node_of(self, class)->kind == OUTLINE_GLOBAL) {
    self->machine.pickle->find(
        &global, outline_module(self->outline, node_of(self, class)),
        outline_name(self->outline, node_of(self, class)));
  }
  if (class == 0 || global.call == pickle_call_newobj || global.call == pickle_call_reconstructor) {
    return pickle_error(self->machine.pickle, "an object without a class");
  }
  CTORCH_TRY(pickle_charge(self->machine.pickle, node_of(self, args)->entries.len * sizeof(struct outline_link)));
  struct outline_node rest = {.kind = OUTLINE_TUPLE};
  uint32_t made = 0;
  (void)outline_next(self->outline, &link);
  while (has_args && link != 0) {
    const uint32_t entry = outline_next(self->outline, &link);
    CTORCH_TRY(outline_append(self->outline, function_of(self), &rest.entries, entry));
  }
  CTORCH_TRY(outline_add(self->outline, function_of(self), &made, &rest));
  return call(self, class, made);
}

static ctorch_error *reduce(struct outliner *self) {
  CTORCH_TRY(need(self, 2));
  self->len -= 2;
  return call(self, self->stack[self->len], self->stack[self->len + 1]);
}

/* NEWOBJ_EX: with keywords, the object is what copyreg calls it. */
static ctorch_error *push_newobj_ex(struct outliner *self) {
  CTORCH_TRY(need(self, 3));
  const uint32_t keywords = top(self);
  if (node_of(self, keywords)->kind != OUTLINE_DICT) {
    return pickle_error(self->machine.pickle, "keywords that are no dict");
  }
  if (node_of(self, keywords)->entries.len == 0) {
    self->len--;
    return reduce(self);
  }
  CTORCH_TRY(push_list(self, OUTLINE_TUPLE, self->len - 3));
  const uint32_t args = self->stack[--self->len];
  CTORCH_TRY(push_global(self, "copyreg", 7, "__newobj_ex__", 13));
  return push_object(self, self->stack[--self->len], args);
}

/* OBJ: the class and its arguments are above the mark. INST: it is named in two lines, and its arguments are. */
static ctorch_error *push_instance(struct outliner *self, bool is_named) {
  size_t first = 0;
  if (is_named) {
    CTORCH_TRY(push_named(self));
  }
  CTORCH_TRY(pop_mark(self, &first));
  if (self->len == first) {
    return pickle_error(self->machine.pickle, "an object without a class");
  }
  const uint32_t class = self->stack[is_named ? self->len - 1 : first];
  self->len -= is_named ? 1 : 0;
  CTORCH_TRY(push_list(self, OUTLINE_TUPLE, is_named ? first : first + 1));
  const uint32_t args = top(self);
  self->len = first;
  return call(self, class, args);
}

/* A second dict of attributes adds to the first, which others may have too. */
static ctorch_error *join(struct outliner *self, uint32_t *out, uint32_t before, uint32_t after) {
  struct outline_node both = {.kind = OUTLINE_DICT};
  const uint32_t parts[] = {before, after};
  for (size_t i = 0; i < 2; i++) {
    const struct outline_list list = node_of(self, parts[i])->entries;
    CTORCH_TRY(pickle_charge(self->machine.pickle, list.len * sizeof(struct outline_link)));
    for (uint32_t link = list.first; link != 0;) {
      const uint32_t entry = outline_next(self->outline, &link);
      CTORCH_TRY(outline_append(self->outline, function_of(self), &both.entries, entry));
    }
  }
  return outline_add(self->outline, function_of(self), out, &both);
}

static ctorch_error *build(struct outliner *self) {
  CTORCH_TRY(need(self, 2));
  uint32_t state = top(self);
  const uint32_t object = self->stack[self->len - 2];
  if (node_of(self, object)->kind != OUTLINE_OBJECT) {
    return pickle_error(self->machine.pickle, "a state for what is no object");
  }
  const uint32_t before = node_of(self, object)->state;
  if (before != 0 && node_of(self, before)->kind == OUTLINE_DICT && node_of(self, state)->kind == OUTLINE_DICT) {
    CTORCH_TRY(join(self, &state, before, state));
  }
  node_of(self, object)->state = state;
  self->len--;
  return NULL;
}

static ctorch_error *push_value(struct outliner *self, const ctorch_value *value) {
  struct outline_node node = {.kind = OUTLINE_VALUE, .integer = (int64_t)self->outline->values_len};
  if (pickle_is_class(value)) {
    const char *module = ctorch_value_python_module(value), *name = ctorch_value_python_name(value);
    return push_global(self, module, strlen(module), name, strlen(name));
  }
  if (pickle_is(value, "torch.storage", "UntypedStorage")) {
    ctorch_value *args = NULL;
    node.kind = OUTLINE_STORAGE;
    CTORCH_TRY(ctorch_value_python_args(&args, value));
    ctorch_error *error = pickle_int_arg(self->machine.pickle, &node.integer, args, 0);
    ctorch_value_release(args);
    return error != NULL ? error : push_node(self, &node);
  }
  struct outline *outline = self->outline;
  CTORCH_TRY(array_grow(function_of(self), &outline->values, outline->values_len, sizeof *outline->values));
  ctorch_value_retain(value);
  outline->values[outline->values_len++] = value_take((ctorch_value *)(uintptr_t)value);
  return push_node(self, &node);
}

static ctorch_error *persistent(struct outliner *self) {
  struct unpickler *pickle = self->machine.pickle;
  ctorch_value *id = NULL, *made = NULL;
  CTORCH_TRY(need(self, 1));
  if (pickle->persistent == NULL) {
    return pickle_error(pickle, "a persistent id where there are none");
  }
  CTORCH_TRY(outline_value(self->outline, pickle, &id, top(self), true));
  ctorch_error *error = pickle->persistent(pickle, &made, id);
  ctorch_value_release(id);
  CTORCH_TRY(error);
  self->len--;
  error = push_value(self, made);
  ctorch_value_release(made);
  return error;
}

/* Filling ---------------------------------------------------------------------------------------------------------- */

/* Add what is above `first` to the container below it. */
static ctorch_error *fill(struct outliner *self, size_t first, enum outline_kind kind) {
  const bool has_keys = kind == OUTLINE_DICT;
  if (has_keys && (self->len - first) % 2 != 0) {
    return pickle_error(self->machine.pickle, "a key without a value");
  }
  struct outline_node *node = node_of(self, self->stack[first - 1]);
  const bool is_object = node->kind == OUTLINE_OBJECT && kind != OUTLINE_SET;
  if (is_object && node->entries.len == 0) {
    node->has_keys = has_keys;
  }
  if (is_object ? node->has_keys != has_keys : node->kind != kind) {
    return pickle_error(self->machine.pickle, "entries for what is no list, dict or set of them");
  }
  return take_entries(self, &node->entries, first);
}

static ctorch_error *fill_marked(struct outliner *self, enum outline_kind kind) {
  size_t first = 0;
  CTORCH_TRY(pop_mark(self, &first));
  CTORCH_TRY(need(self, self->len - first + 1));
  return fill(self, first, kind);
}

static ctorch_error *fill_with(struct outliner *self, size_t len, enum outline_kind kind) {
  CTORCH_TRY(need(self, len + 1));
  return fill(self, self->len - len, kind);
}

static ctorch_error *push_marked(struct outliner *self, enum outline_kind kind) {
  size_t first = 0;
  CTORCH_TRY(pop_mark(self, &first));
  return push_list(self, kind, first);
}

static ctorch_error *push_last(struct outliner *self, size_t len) {
  CTORCH_TRY(need(self, len));
  return push_list(self, OUTLINE_TUPLE, self->len - len);
}

static ctorch_error *push_frozenset(struct outliner *self) {
  CTORCH_TRY(push_marked(self, OUTLINE_LIST));
  CTORCH_TRY(push_last(self, 1));
  const uint32_t args = self->stack[--self->len];
  CTORCH_TRY(push_global(self, "builtins", 8, "frozenset", 9));
  return push_object(self, self->stack[--self->len], args);
}

static ctorch_error *run_container(struct outliner *self, bool *out_is_known, unsigned char opcode) {
  *out_is_known = true;
  switch (opcode) {
    case ')':
      return push_list(self, OUTLINE_TUPLE, self->len);
    case '}':
      return push_list(self, OUTLINE_DICT, self->len);
    case ']':
      return push_list(self, OUTLINE_LIST, self->len);
    case 0x8f: /* EMPTY_SET */
      return push_list(self, OUTLINE_SET, self->len);
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
  CTORCH_TRY(array_grow(function_of(self), &self->marks, self->marks_len, sizeof *self->marks));
  self->marks[self->marks_len++] = self->len;
  return NULL;
}

static ctorch_error *pop(struct outliner *self, bool is_to_mark) {
  const size_t bottom = self->marks_len == 0 ? 0 : self->marks[self->marks_len - 1];
  if (!is_to_mark && self->len > bottom) {
    self->len--;
    return NULL;
  }
  CTORCH_TRY(pop_mark(self, &self->len)); /* Python lets POP take a mark too */
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
      CTORCH_TRY(need(self, 1));
      return push(self, top(self));
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
    case 'c':
      return push_named(self);
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
      return machine_skip(&self->machine, opcode);
    default:
      CTORCH_TRY(run_container(self, &is_known, opcode));
      return is_known ? NULL : push_plain(self, opcode);
  }
}

static ctorch_error *run_all(struct outliner *self) {
  while (true) {
    const unsigned char *opcode = NULL;
    self->machine.pickle->offset = pickle_source_taken(self->machine.source);
    CTORCH_TRY(machine_take(&self->machine, &opcode, 1));
    if (*opcode == '.') {
      return need(self, 1);
    }
    CTORCH_TRY(run(self, *opcode));
  }
}

ctorch_error *outline_read(
    struct outline *self, struct unpickler *pickle, struct pickle_source *source, uint32_t *out) {
  struct outliner outliner = {.machine = {.pickle = pickle, .source = source}, .outline = self};
  ctorch_error *error = run_all(&outliner);
  if (error == NULL) {
    *out = top(&outliner);
  }
  machine_drop(&outliner.machine, outliner.machine.len);
  free(outliner.machine.stack);
  free(outliner.machine.made);
  free(outliner.stack);
  free(outliner.marks);
  free(outliner.memo);
  return error;
}
