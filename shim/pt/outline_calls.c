/* The opcodes of an outline that name classes and functions, call them, and give objects a state. */
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/sequence.h"
#include "core/c/boxed.h"
#include "core/c/error.h"
#include "ctorch.h"
#include "pickle/globals.h"
#include "pickle/values.h"
#include "pt/outline_machine.h"

ctorch_error *outliner_push_global(
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
  ctorch_error *error = both == NULL ? error_memory(outliner_function(self), len) : NULL;
  if (error == NULL) {
    memcpy(both, module, module_len);
    memcpy(both + module_len + 1, name, name_len);
    error = outline_add_text(self->outline, outliner_function(self), &made, OUTLINE_GLOBAL, both, len);
  }
  free(both);
  ctorch_value_release(value);
  return error != NULL ? error : outliner_push(self, made);
}

static ctorch_error *push_named(struct outliner *self) {
  const unsigned char *line = NULL;
  size_t module_len = 0, name_len = 0;
  CTORCH_TRY(machine_take_line(&self->machine, &line, &module_len));
  char *module = malloc(module_len + 1);
  if (module == NULL) {
    return error_memory(outliner_function(self), module_len + 1);
  }
  memcpy(module, line, module_len);
  ctorch_error *error = machine_take_line(&self->machine, &line, &name_len);
  THEN(error, outliner_push_global(self, module, module_len, (const char *)line, name_len));
  free(module);
  return error;
}

static ctorch_error *push_stack_global(struct outliner *self) {
  CTORCH_TRY(outliner_need(self, 2));
  const struct outline_node module = *outliner_node(self, self->stack[self->len - 2]),
                            name = *outliner_node(self, outliner_top(self));
  if (module.kind != OUTLINE_TEXT || name.kind != OUTLINE_TEXT) {
    return pickle_error(self->machine.pickle, "a class or function whose name is no text");
  }
  self->len -= 2;
  return outliner_push_global(
      self, outline_text(self->outline, &module), (size_t)module.text.len, outline_text(self->outline, &name),
      (size_t)name.text.len);
}

ctorch_error *outliner_push_object(struct outliner *self, uint32_t function, uint32_t args) {
  const struct outline_node node = {.kind = OUTLINE_OBJECT, .function = function, .args = args};
  return outliner_push_node(self, &node);
}

/* copyreg.__newobj__(class, *args), and copyreg._reconstructor(class, object, None) of protocols 0 and 1, which make an
 * object of the class. */
static ctorch_error *call_copyreg(struct outliner *self, uint32_t args, bool has_args);

static ctorch_error *call(struct outliner *self, uint32_t function, uint32_t args) {
  struct pickle_global global = {.dtype = -1};
  struct unpickler *pickle = self->machine.pickle;
  if (outliner_node(self, function)->kind != OUTLINE_GLOBAL) {
    return pickle_error(pickle, "a call of what is no class or function");
  }
  if (outliner_node(self, args)->kind != OUTLINE_TUPLE) {
    return pickle_error(pickle, "a call without a tuple of arguments");
  }
  const char *module = outline_module(self->outline, outliner_node(self, function));
  const char *name = outline_name(self->outline, outliner_node(self, function));
  if (pickle->find(&global, module, name) && global.call == NULL) {
    return pickle_error(pickle, "a call of %s.%s, which files only name", module, name);
  }
  return global.call == pickle_call_newobj          ? call_copyreg(self, args, true)
         : global.call == pickle_call_reconstructor ? call_copyreg(self, args, false)
                                                    : outliner_push_object(self, function, args);
}

static ctorch_error *call_copyreg(struct outliner *self, uint32_t args, bool has_args) {
  struct pickle_global global = {.call = NULL};
  const uint32_t class = outline_first(self->outline, args);
  uint32_t link = outliner_node(self, args)->entries.first;
  if (class != 0 && outliner_node(self, class)->kind == OUTLINE_GLOBAL) {
    self->machine.pickle->find(
        &global, outline_module(self->outline, outliner_node(self, class)),
        outline_name(self->outline, outliner_node(self, class)));
  }
  if (class == 0 || global.call == pickle_call_newobj || global.call == pickle_call_reconstructor) {
    return pickle_error(self->machine.pickle, "an object without a class");
  }
  CTORCH_TRY(pickle_charge(self->machine.pickle, outliner_node(self, args)->entries.len * sizeof(struct outline_link)));
  struct outline_node rest = {.kind = OUTLINE_TUPLE};
  uint32_t made = 0;
  (void)outline_next(self->outline, &link);
  while (has_args && link != 0) {
    const uint32_t entry = outline_next(self->outline, &link);
    CTORCH_TRY(outline_append(self->outline, outliner_function(self), &rest.entries, entry));
  }
  CTORCH_TRY(outline_add(self->outline, outliner_function(self), &made, &rest));
  return call(self, class, made);
}

static ctorch_error *reduce(struct outliner *self) {
  CTORCH_TRY(outliner_need(self, 2));
  self->len -= 2;
  return call(self, self->stack[self->len], self->stack[self->len + 1]);
}

/* NEWOBJ_EX: with keywords, the object is what copyreg calls it. */
static ctorch_error *push_newobj_ex(struct outliner *self) {
  CTORCH_TRY(outliner_need(self, 3));
  const uint32_t keywords = outliner_top(self);
  if (outliner_node(self, keywords)->kind != OUTLINE_DICT) {
    return pickle_error(self->machine.pickle, "keywords that are no dict");
  }
  if (outliner_node(self, keywords)->entries.len == 0) {
    self->len--;
    return reduce(self);
  }
  CTORCH_TRY(outliner_push_list(self, OUTLINE_TUPLE, self->len - 3));
  const uint32_t args = self->stack[--self->len];
  CTORCH_TRY(outliner_push_global(self, "copyreg", 7, "__newobj_ex__", 13));
  return outliner_push_object(self, self->stack[--self->len], args);
}

/* OBJ: the class and its arguments are above the mark. INST: it is named in two lines, and its arguments are. */
static ctorch_error *push_instance(struct outliner *self, bool is_named) {
  size_t first = 0;
  if (is_named) {
    CTORCH_TRY(push_named(self));
  }
  CTORCH_TRY(outliner_pop_mark(self, &first));
  if (self->len == first) {
    return pickle_error(self->machine.pickle, "an object without a class");
  }
  const uint32_t class = self->stack[is_named ? self->len - 1 : first];
  self->len -= is_named ? 1 : 0;
  CTORCH_TRY(outliner_push_list(self, OUTLINE_TUPLE, is_named ? first : first + 1));
  const uint32_t args = outliner_top(self);
  self->len = first;
  return call(self, class, args);
}

/* A second dict of attributes adds to the first, which others may have too. */
static ctorch_error *join(struct outliner *self, uint32_t *out, uint32_t before, uint32_t after) {
  struct outline_node both = {.kind = OUTLINE_DICT};
  const uint32_t parts[] = {before, after};
  for (size_t i = 0; i < 2; i++) {
    const struct outline_list list = outliner_node(self, parts[i])->entries;
    CTORCH_TRY(pickle_charge(self->machine.pickle, list.len * sizeof(struct outline_link)));
    for (uint32_t link = list.first; link != 0;) {
      const uint32_t entry = outline_next(self->outline, &link);
      CTORCH_TRY(outline_append(self->outline, outliner_function(self), &both.entries, entry));
    }
  }
  return outline_add(self->outline, outliner_function(self), out, &both);
}

static ctorch_error *build(struct outliner *self) {
  CTORCH_TRY(outliner_need(self, 2));
  uint32_t state = outliner_top(self);
  const uint32_t object = self->stack[self->len - 2];
  if (outliner_node(self, object)->kind != OUTLINE_OBJECT) {
    return pickle_error(self->machine.pickle, "a state for what is no object");
  }
  const uint32_t before = outliner_node(self, object)->state;
  if (before != 0 && outliner_node(self, before)->kind == OUTLINE_DICT &&
      outliner_node(self, state)->kind == OUTLINE_DICT) {
    CTORCH_TRY(join(self, &state, before, state));
  }
  outliner_node(self, object)->state = state;
  self->len--;
  return NULL;
}

static ctorch_error *push_value(struct outliner *self, const ctorch_value *value) {
  struct outline_node node = {.kind = OUTLINE_VALUE, .integer = (int64_t)self->outline->values_len};
  if (pickle_is_class(value)) {
    const char *module = ctorch_value_python_module(value), *name = ctorch_value_python_name(value);
    return outliner_push_global(self, module, strlen(module), name, strlen(name));
  }
  if (pickle_is(value, "torch.storage", "UntypedStorage")) {
    ctorch_value *args = NULL;
    node.kind = OUTLINE_STORAGE;
    CTORCH_TRY(ctorch_value_python_args(&args, value));
    ctorch_error *error = pickle_int_arg(self->machine.pickle, &node.integer, args, 0);
    ctorch_value_release(args);
    return error != NULL ? error : outliner_push_node(self, &node);
  }
  struct outline *outline = self->outline;
  CTORCH_TRY(array_grow(outliner_function(self), &outline->values, outline->values_len, sizeof *outline->values));
  ctorch_value_retain(value);
  outline->values[outline->values_len++] = value_take((ctorch_value *)(uintptr_t)value);
  return outliner_push_node(self, &node);
}

static ctorch_error *persistent(struct outliner *self) {
  struct unpickler *pickle = self->machine.pickle;
  ctorch_value *id = NULL, *made = NULL;
  CTORCH_TRY(outliner_need(self, 1));
  if (pickle->persistent == NULL) {
    return pickle_error(pickle, "a persistent id where there are none");
  }
  CTORCH_TRY(outline_value(self->outline, pickle, &id, outliner_top(self), true));
  ctorch_error *error = pickle->persistent(pickle, &made, id);
  ctorch_value_release(id);
  CTORCH_TRY(error);
  self->len--;
  error = push_value(self, made);
  ctorch_value_release(made);
  return error;
}

ctorch_error *outliner_run_call(struct outliner *self, bool *out_is_known, unsigned char opcode) {
  *out_is_known = true;
  switch (opcode) {
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
    default:
      *out_is_known = false;
      return NULL;
  }
}
