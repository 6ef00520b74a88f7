/* Values of the nodes of an outline: what reading the pickle as values makes of them. */
#include <stdlib.h>

#include "base/sequence.h"
#include "core/c/boxed.h"
#include "core/c/error.h"
#include "core/c/python.h"
#include "ctorch.h"
#include "pickle/globals.h"
#include "pickle/machine.h"
#include "pickle/values.h"
#include "pt/file.h"
#include "pt/outline.h"

enum { DEEPEST = 1000, NODE_NBYTES = 16 };

struct maker {
  struct unpickler *pickle;
  const struct outline *outline;
  ctorch_value **made; /* by node, in no scope, so that what is shared stays shared; NULL: it becomes several */
  bool is_bare;
  int depth;
};

static ctorch_error *make(struct maker *self, ctorch_value **out, uint32_t number);

/* Remember a value before it is filled: it may hold itself. */
static void note(struct maker *self, uint32_t number, ctorch_value *value) {
  if (self->made != NULL) {
    ctorch_value_retain(value);
    self->made[number - 1] = value_take(value);
  }
}

/* A tuple, of which no part can be this tuple. */
static ctorch_error *make_tuple(struct maker *self, ctorch_value **out, const struct outline_list *list) {
  ctorch_value **parts = calloc((size_t)list->len + 1, sizeof *parts);
  ctorch_error *error = parts == NULL ? error_memory(self->pickle->function, list->len * sizeof *parts) : NULL;
  size_t len = 0;
  for (uint32_t link = list->first; error == NULL && link != 0;) {
    error = make(self, &parts[len++], outline_next(self->outline, &link));
  }
  THEN(error, ctorch_value_from_tuple(out, (const ctorch_value *const *)parts, len));
  for (size_t i = 0; i < len; i++) {
    ctorch_value_release(parts[i]);
  }
  free(parts);
  return error;
}

/* Fill a list, set, dict or object with the entries of a node. */
static ctorch_error *fill(
    struct maker *self, ctorch_value *container, const struct outline_list *list, ctorch_value_kind kind) {
  ctorch_error *error = NULL;
  for (uint32_t link = list->first; error == NULL && link != 0;) {
    ctorch_value *entry = NULL, *value = NULL;
    error = make(self, &entry, outline_next(self->outline, &link));
    if (error == NULL && kind == CTORCH_VALUE_DICT) {
      error = make(self, &value, outline_next(self->outline, &link));
      THEN(error, pickle_set_item(self->pickle, container, entry, value));
    } else if (error == NULL && kind == CTORCH_VALUE_SET) {
      error = pickle_add_to_set(self->pickle, container, entry);
    } else if (error == NULL) {
      error = pickle_refuse(self->pickle, ctorch_value_list_append(container, entry));
    }
    ctorch_value_release(entry);
    ctorch_value_release(value);
  }
  return error;
}

static ctorch_error *make_container(struct maker *self, ctorch_value **out, uint32_t number, ctorch_value_kind kind) {
  if (self->is_bare && kind != CTORCH_VALUE_LIST) {
    return ctorch_value_from_none(out);
  }
  CTORCH_TRY(pickle_empty(out, kind));
  note(self, number, *out);
  return fill(self, *out, &outline_node(self->outline, number)->entries, kind);
}

static ctorch_error *make_global(struct maker *self, ctorch_value **out, const struct outline_node *node) {
  const char *module = outline_module(self->outline, node), *name = outline_name(self->outline, node);
  const size_t module_len = (size_t)(name - module) - 1;
  return pickle_global_value(self->pickle, out, module, module_len, name, (size_t)node->text.len - module_len - 2);
}

/* Whether an object is a dict or set, or made of one. */
static bool is_table(const struct maker *self, uint32_t number) {
  struct pickle_global global = {.call = NULL};
  return outline_global_of(self->outline, self->pickle, &global, number) &&
         (global.call == pickle_call_ordered_dict || global.call == pickle_call_defaultdict ||
          global.call == pickle_call_set || global.call == pickle_call_frozenset);
}

/* Call what makes it, and give it items and a state, as they come in a pickle. */
static ctorch_error *make_object(struct maker *self, ctorch_value **out, uint32_t number) {
  const struct outline_node *node = outline_node(self->outline, number);
  const ctorch_value_kind kind = node->has_keys ? CTORCH_VALUE_DICT : CTORCH_VALUE_LIST;
  ctorch_value *function = NULL, *args = NULL, *state = NULL, *instead = NULL;
  if (self->is_bare && is_table(self, number)) {
    return ctorch_value_from_none(out);
  }
  ctorch_error *error = make(self, &function, node->function);
  THEN(error, make(self, &args, node->args));
  THEN(error, pickle_reduce(self->pickle, out, function, args));
  if (error == NULL) {
    note(self, number, *out);
  }
  if (error == NULL && node->entries.len > 0 && !self->is_bare) {
    error = pickle_ensure_items(self->pickle, *out, kind);
    THEN(error, fill(self, *out, &node->entries, kind));
  }
  if (error == NULL && node->state != 0) {
    error = make(self, &state, node->state);
    THEN(error, pickle_build(self->pickle, &instead, *out, state));
  }
  ctorch_value_release(function);
  ctorch_value_release(args);
  ctorch_value_release(state);
  ctorch_value_release(instead);
  return error;
}

static ctorch_error *make_text(struct maker *self, ctorch_value **out, const struct outline_node *node) {
  const char *data = outline_text(self->outline, node);
  const size_t len = (size_t)node->text.len;
  CTORCH_TRY(pickle_charge(self->pickle, len));
  return pickle_refuse(
      self->pickle, node->kind == OUTLINE_TEXT    ? ctorch_value_from_string_data(out, data, len)
                    : node->kind == OUTLINE_BYTES ? ctorch_value_from_bytes(out, data, len)
                                                  : ctorch_value_from_int_bytes(out, data, len));
}

static ctorch_error *make_one(struct maker *self, ctorch_value **out, uint32_t number) {
  const struct outline_node *node = outline_node(self->outline, number);
  switch (node->kind) {
    case OUTLINE_BOOL:
      return ctorch_value_from_bool(out, node->integer != 0);
    case OUTLINE_INT:
      return ctorch_value_from_int(out, node->integer);
    case OUTLINE_DOUBLE:
      return ctorch_value_from_double(out, node->real);
    case OUTLINE_LONG:
    case OUTLINE_TEXT:
    case OUTLINE_BYTES:
      return make_text(self, out, node);
    case OUTLINE_TUPLE:
      return make_tuple(self, out, &node->entries);
    case OUTLINE_LIST:
      return make_container(self, out, number, CTORCH_VALUE_LIST);
    case OUTLINE_DICT:
      return make_container(self, out, number, CTORCH_VALUE_DICT);
    case OUTLINE_SET:
      return make_container(self, out, number, CTORCH_VALUE_SET);
    case OUTLINE_GLOBAL:
      return make_global(self, out, node);
    case OUTLINE_OBJECT:
      return make_object(self, out, number);
    case OUTLINE_STORAGE:
      return pt_storage_describe(out, (size_t)node->integer);
    case OUTLINE_VALUE:
      *out = self->outline->values[node->integer];
      ctorch_value_retain(*out);
      return NULL;
    default:
      return ctorch_value_from_none(out);
  }
}

static ctorch_error *make(struct maker *self, ctorch_value **out, uint32_t number) {
  ctorch_value *value = NULL;
  if (self->made != NULL && self->made[number - 1] != NULL) {
    ctorch_value_retain(self->made[number - 1]);
    *out = self->made[number - 1];
    return NULL;
  }
  if (self->depth >= DEEPEST) {
    return pickle_error(self->pickle, "values that are nested too deep");
  }
  CTORCH_TRY(pickle_charge(self->pickle, NODE_NBYTES));
  self->depth++;
  ctorch_error *error = make_one(self, &value, number);
  self->depth--;
  if (error != NULL) {
    ctorch_value_release(value);
    return error;
  }
  if (self->made != NULL && self->made[number - 1] == NULL) {
    note(self, number, value);
  }
  *out = value;
  return NULL;
}

ctorch_error *outline_value(
    const struct outline *self, struct unpickler *pickle, ctorch_value **out, uint32_t node, bool is_bare) {
  struct maker maker = {.pickle = pickle, .outline = self, .is_bare = is_bare};
  return make(&maker, out, node);
}

/* Give up what was remembered; after an error nobody else has it, and it may hold itself. */
static void forget(ctorch_value **made, size_t len, bool has_failed) {
  for (size_t i = 0; has_failed && i < len; i++) {
    if (machine_is_container(made[i])) {
      value_collect(&made[i], 1, NULL);
    }
  }
  for (size_t i = 0; i < len; i++) {
    value_unref(made[i]);
  }
  free(made);
}

ctorch_error *outline_values(
    const struct outline *self,
    struct unpickler *pickle,
    ctorch_value **out,
    char *const *names,
    const uint32_t *nodes,
    size_t len) {
  struct maker maker = {.pickle = pickle, .outline = self, .made = calloc(self->len + 1, sizeof(ctorch_value *))};
  ctorch_value *dict = NULL;
  ctorch_error *error = maker.made == NULL ? error_memory(pickle->function, self->len * sizeof *maker.made)
                                           : ctorch_value_from_dict(&dict, NULL, 0, NULL, 0);
  for (size_t i = 0; error == NULL && i < len; i++) {
    ctorch_value *value = NULL;
    error = make(&maker, &value, nodes[i]);
    THEN(error, pickle_refuse(pickle, ctorch_value_dict_put(dict, names[i], value)));
    ctorch_value_release(value);
  }
  forget(maker.made, maker.made == NULL ? 0 : self->len, error != NULL);
  if (error != NULL) {
    ctorch_value_release(dict);
    return error;
  }
  *out = dict;
  return NULL;
}
