/* Trees of values: pytree.h. */
#include "export/pytree.h"

#if CTORCH_HAS_JANSSON

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/sequence.h"
#include "core/c/boxed.h"
#include "core/c/error.h"

enum { DEEPEST = 100 };

/* Trees ------------------------------------------------------------------------------------------------------------ */

static const json_t *children_of(const json_t *node) { return json_object_get(node, "children_spec"); }
static size_t len_of(const json_t *node) { return json_array_size(children_of(node)); }
static const json_t *child_of(const json_t *node, size_t index) { return json_array_get(children_of(node), index); }
static bool is_leaf(const json_t *node) { return json_is_null(json_object_get(node, "type")); }

static bool is_of_type(const json_t *node, const char *type) {
  const char *text = json_string_value(json_object_get(node, "type"));
  return text != NULL && strcmp(text, type) == 0;
}

static bool is_dict(const json_t *node) {
  return is_of_type(node, "builtins.dict") || is_of_type(node, "collections.OrderedDict") ||
         is_of_type(node, "collections.defaultdict");
}

/* The keys of a dict, a list that json_decref frees; NULL if they are not as many as the entries. */
static json_t *keys_of(const json_t *node) {
  const char *text = json_string_value(json_object_get(node, "context"));
  json_t *context = text == NULL ? NULL : json_loads(text, JSON_DECODE_ANY, NULL);
  if (json_is_object(context)) { /* of a defaultdict */
    json_t *keys = json_incref(json_object_get(context, "dict_context"));
    json_decref(context);
    context = keys;
  }
  if (!json_is_array(context) || json_array_size(context) != len_of(node)) {
    json_decref(context);
    return NULL;
  }
  return context;
}

/* That a tree is one, so that what walks over it need not look. */
static bool is_tree(const json_t *node, int depth) {
  const json_t *type = json_object_get(node, "type");
  if (depth > DEEPEST || !(json_is_null(type) || json_is_string(type)) || !json_is_array(children_of(node)) ||
      (is_leaf(node) && len_of(node) != 0)) {
    return false;
  }
  if (is_dict(node)) {
    json_t *keys = keys_of(node);
    json_decref(keys);
    if (keys == NULL) {
      return false;
    }
  }
  for (size_t i = 0; i < len_of(node); i++) {
    if (!is_tree(child_of(node, i), depth + 1)) {
      return false;
    }
  }
  return true;
}

/* "[1, tree]": the first is the version of the form. */
json_t *pytree_read(const char *text) {
  json_t *document = json_loads(text, 0, NULL);
  json_t *tree = json_integer_value(json_array_get(document, 0)) == 1 ? json_array_get(document, 1) : NULL;
  tree = tree != NULL && is_tree(tree, 0) ? json_incref(tree) : NULL;
  json_decref(document);
  return tree;
}

/* Taking apart ----------------------------------------------------------------------------------------------------- */

struct flattening {
  const char *function;
  struct pytree_leaves *leaves;
};

static ctorch_error *flatten(struct flattening *self, const json_t *node, const ctorch_value *value, int depth);

static ctorch_error *wrong_type(const struct flattening *self, const char *expected, const ctorch_value *value) {
  return error_make(
      self->function, CTORCH_ERROR_TYPE, "the model takes %s, got %s", expected,
      value == NULL ? "None" : ctorch_value_kind_name(ctorch_value_kind_of(value)));
}

static ctorch_error *flatten_leaf(struct flattening *self, const ctorch_value *value) {
  if (value != NULL && value_is_sequence(value)) {
    return wrong_type(self, "a tensor or what stood for one", value);
  }
  struct pytree_leaves *leaves = self->leaves;
  CTORCH_TRY(array_grow(self->function, &leaves->data, leaves->len, sizeof *leaves->data));
  ctorch_value_retain(value);
  leaves->data[leaves->len++] = (ctorch_value *)value;
  return NULL;
}

static ctorch_error *flatten_entry(
    struct flattening *self, const json_t *node, const ctorch_value *values, size_t index, int depth) {
  ctorch_value *entry = NULL;
  CTORCH_TRY(ctorch_value_get(&entry, values, index));
  ctorch_error *error = flatten(self, child_of(node, index), entry, depth + 1);
  ctorch_value_release(entry);
  return error;
}

static ctorch_error *flatten_sequence(
    struct flattening *self, const json_t *node, const ctorch_value *value, int depth) {
  if (value == NULL || !value_is_sequence(value)) {
    return wrong_type(self, "a list or tuple", value);
  }
  if (ctorch_value_len(value) != len_of(node)) {
    return error_make(
        self->function, CTORCH_ERROR_TYPE, "the model takes %zu entries, got %zu", len_of(node),
        ctorch_value_len(value));
  }
  for (size_t i = 0; i < len_of(node); i++) {
    ctorch_error *error = flatten_entry(self, node, value, i, depth);
    if (error != NULL) {
      return error_at(error, "[%zu]", i);
    }
  }
  return NULL;
}

static ctorch_error *flatten_value_of(
    struct flattening *self,
    const json_t *node,
    const ctorch_value *dict,
    const ctorch_value *key,
    size_t index,
    int depth) {
  bool is_there = false;
  ctorch_value *entry = NULL;
  CTORCH_TRY(ctorch_value_dict_contains(&is_there, dict, key));
  if (!is_there) {
    return error_make(self->function, CTORCH_ERROR_TYPE, "missing, and the model takes it");
  }
  CTORCH_TRY(ctorch_value_dict_get(&entry, dict, key));
  ctorch_error *error = flatten(self, child_of(node, index), entry, depth + 1);
  ctorch_value_release(entry);
  return error;
}

static ctorch_error *flatten_key(
    struct flattening *self,
    const json_t *node,
    const ctorch_value *dict,
    const json_t *key_json,
    size_t index,
    int depth) {
  ctorch_value *key = NULL;
  ctorch_string *text = NULL;
  CTORCH_TRY(json_value(self->function, &key, key_json, NULL));
  ctorch_error *error = ctorch_value_repr(&text, key);
  THEN(error, error_at(flatten_value_of(self, node, dict, key, index, depth), "[%s]", ctorch_string_data(text)));
  ctorch_string_release(text);
  ctorch_value_release(key);
  return error;
}

/* The first key that the model does not take. */
static ctorch_error *unexpected_key(const struct flattening *self, const ctorch_value *dict, const json_t *keys) {
  ctorch_value *given = NULL;
  ctorch_string *text = NULL;
  ctorch_error *error = ctorch_value_dict_keys(&given, dict);
  THEN(error, ctorch_value_repr(&text, given));
  if (error == NULL) {
    char *expected = json_dumps(keys, JSON_ENCODE_ANY);
    error = error_make(
        self->function, CTORCH_ERROR_TYPE, "the model takes the keys %.1000s, got %.1000s",
        expected == NULL ? "of its dict" : expected, ctorch_string_data(text));
    free(expected);
  }
  ctorch_string_release(text);
  ctorch_value_release(given);
  return error;
}

static ctorch_error *flatten_dict(struct flattening *self, const json_t *node, const ctorch_value *value, int depth) {
  if (value != NULL && ctorch_value_kind_of(value) == CTORCH_VALUE_PYTHON_OBJECT) { /* an OrderedDict has a dict */
    ctorch_value *items = NULL;
    CTORCH_TRY(ctorch_value_python_items(&items, value));
    ctorch_error *error = ctorch_value_kind_of(items) == CTORCH_VALUE_DICT ? flatten_dict(self, node, items, depth)
                                                                           : wrong_type(self, "a dict", value);
    ctorch_value_release(items);
    return error;
  }
  if (value == NULL || ctorch_value_kind_of(value) != CTORCH_VALUE_DICT) {
    return wrong_type(self, "a dict", value);
  }
  json_t *keys = keys_of(node);
  if (keys == NULL) {
    return error_memory(self->function, 0);
  }
  ctorch_error *error = NULL;
  for (size_t i = 0; error == NULL && i < json_array_size(keys); i++) {
    error = flatten_key(self, node, value, json_array_get(keys, i), i, depth);
  }
  if (error == NULL && ctorch_value_len(value) != json_array_size(keys)) {
    error = unexpected_key(self, value, keys);
  }
  json_decref(keys);
  return error;
}

static ctorch_error *flatten(struct flattening *self, const json_t *node, const ctorch_value *value, int depth) {
  if (is_leaf(node)) {
    return flatten_leaf(self, value);
  }
  return is_dict(node) ? flatten_dict(self, node, value, depth) : flatten_sequence(self, node, value, depth);
}

bool pytree_is_of_arguments(const json_t *tree) {
  return tree != NULL && len_of(tree) == 2 && !is_leaf(child_of(tree, 0)) && is_dict(child_of(tree, 1));
}

ctorch_error *pytree_flatten(
    const char *function,
    struct pytree_leaves *out,
    const json_t *tree,
    const ctorch_value *const *args,
    size_t args_len,
    const ctorch_value *kwargs) {
  struct flattening self = {function, out};
  const json_t *positional = child_of(tree, 0), *named = child_of(tree, 1);
  *out = (struct pytree_leaves){0};
  if (len_of(positional) != args_len) {
    return error_make(
        function, CTORCH_ERROR_TYPE, "the model takes %zu positional arguments, got %zu", len_of(positional), args_len);
  }
  for (size_t i = 0; i < args_len; i++) {
    ctorch_error *error = flatten(&self, child_of(positional, i), args[i], 0);
    if (error != NULL) {
      return error_at(error, "args[%zu]", i);
    }
  }
  if (kwargs == NULL && len_of(named) == 0) {
    return NULL;
  }
  ctorch_value *empty = NULL;
  ctorch_error *error = kwargs == NULL ? ctorch_value_from_dict(&empty, NULL, 0, NULL, 0) : NULL;
  THEN(error, flatten_dict(&self, named, kwargs == NULL ? empty : kwargs, 0));
  ctorch_value_release(empty);
  return error_at(error, "kwargs");
}

void pytree_end(struct pytree_leaves *self) {
  while (self->len > 0) {
    ctorch_value_release(self->data[--self->len]);
  }
  free(self->data);
  self->data = NULL;
}

/* Putting together ------------------------------------------------------------------------------------------------- */

struct putting_together {
  const char *function;
  const struct pytree_leaves *leaves;
  size_t next;
};

static ctorch_error *unflatten(struct putting_together *self, ctorch_value **out, const json_t *node);

static ctorch_error *unflatten_leaf(struct putting_together *self, ctorch_value **out) {
  if (self->next >= self->leaves->len) {
    return error_make(
        self->function, CTORCH_ERROR_FORMAT, "the model made %zu values, and its call spec takes more",
        self->leaves->len);
  }
  const ctorch_value *leaf = self->leaves->data[self->next++];
  if (leaf == NULL) {
    return ctorch_value_from_none(out);
  }
  ctorch_value_retain(leaf);
  *out = (ctorch_value *)leaf;
  return NULL;
}

static ctorch_error *put_key(
    const struct putting_together *self, ctorch_value *dict, const json_t *key_json, const ctorch_value *entry) {
  ctorch_value *key = NULL;
  CTORCH_TRY(json_value(self->function, &key, key_json, NULL));
  ctorch_error *error = ctorch_value_dict_set(dict, key, entry);
  ctorch_value_release(key);
  return error;
}

static ctorch_error *fill_dict(struct putting_together *self, ctorch_value *dict, const json_t *node) {
  json_t *keys = keys_of(node);
  ctorch_error *error = keys == NULL ? error_memory(self->function, 0) : NULL;
  for (size_t i = 0; error == NULL && i < len_of(node); i++) {
    ctorch_value *entry = NULL;
    error = unflatten(self, &entry, child_of(node, i));
    THEN(error, put_key(self, dict, json_array_get(keys, i), entry));
    ctorch_value_release(entry);
  }
  json_decref(keys);
  return error;
}

static ctorch_error *unflatten_dict(struct putting_together *self, ctorch_value **out, const json_t *node) {
  ctorch_value *dict = NULL;
  CTORCH_TRY(ctorch_value_from_dict(&dict, NULL, 0, NULL, 0));
  ctorch_error *error = fill_dict(self, dict, node);
  if (error != NULL) {
    ctorch_value_release(dict);
    return error;
  }
  *out = dict;
  return NULL;
}

static ctorch_error *unflatten_sequence(struct putting_together *self, ctorch_value **out, const json_t *node) {
  const size_t len = len_of(node);
  ctorch_value **entries = calloc(len + 1, sizeof *entries);
  if (entries == NULL) {
    return error_memory(self->function, (len + 1) * sizeof *entries);
  }
  ctorch_error *error = NULL;
  for (size_t i = 0; error == NULL && i < len; i++) {
    error = unflatten(self, &entries[i], child_of(node, i));
  }
  const ctorch_value *const *made = (const ctorch_value *const *)entries;
  THEN(
      error, is_of_type(node, "builtins.list") ? ctorch_value_from_list(out, made, len)
                                               : ctorch_value_from_tuple(out, made, len));
  for (size_t i = 0; i < len; i++) {
    ctorch_value_release(entries[i]);
  }
  free(entries);
  return error;
}

static ctorch_error *unflatten(struct putting_together *self, ctorch_value **out, const json_t *node) {
  if (is_leaf(node)) {
    return unflatten_leaf(self, out);
  }
  return is_dict(node) ? unflatten_dict(self, out, node) : unflatten_sequence(self, out, node);
}

ctorch_error *pytree_unflatten(
    const char *function, ctorch_value **out, const json_t *tree, const struct pytree_leaves *leaves) {
  struct putting_together self = {function, leaves, 0};
  return unflatten(&self, out, tree);
}

#endif
