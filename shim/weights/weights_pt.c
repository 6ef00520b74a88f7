/* Weights in files of torch.save: the tensors in its dicts, lists and tuples, by the way that leads to them, and those
 * of modules that were saved whole, as their state dict calls them. Opening a file reads its pickle as an outline; a
 * tensor is made when it is asked for, of no more bytes than it looks at. */
#define _POSIX_C_SOURCE 200809L
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/sequence.h"
#include "base/text.h"
#include "core/c/error.h"
#include "ctorch.h"
#include "io/elements.h"
#include "io/reader.h"
#include "pickle/globals.h"
#include "pickle/values.h"
#include "pt/describe.h"
#include "pt/load.h"
#include "pt/outline.h"
#include "weights/weights.h"

enum { DEEPEST = 1000, TYPE_LEN = 32, TYPES = 64 };

struct content {
  struct pt_file file;
  struct outline outline;
  uint32_t *leaves; /* nodes of descriptions, by the numbers of the entries */
  size_t len;
  char **names; /* of what is no tensor, and its nodes */
  uint32_t *nodes;
  size_t others_len;
  char types[TYPES][TYPE_LEN];
};

static bool detect(const unsigned char *head, size_t len, const ctorch_reader *reader) {
  (void)reader;
  return pt_zip_detect(head, len) || pt_legacy_detect(head, len) || pt_tar_detect(head, len);
}

static void close_content(ctorch_weights *self) {
  struct content *content = self->content;
  if (content == NULL) {
    return;
  }
  for (size_t i = 0; i < content->others_len; i++) {
    free(content->names[i]);
  }
  free(content->names);
  free(content->nodes);
  free(content->leaves);
  outline_end(&content->outline);
  pt_file_end(&content->file);
  free(content);
}

/* Names ------------------------------------------------------------------------------------------------------------ */

enum way { BY_NUMBER, BY_KEY, BY_PAIR }; /* entries of lists, of dicts, and of lists of keys and values */

/* A container on the way to what is looked at. */
struct step {
  enum way way;
  uint32_t link; /* of the next entry */
  size_t next;
  size_t name_len; /* of the container's own name */
  bool is_root;
  bool is_of_module; /* what is None is no part of it, */
  uint32_t left_out; /* nor what a set names; 0: none */
};

struct walk {
  const char *function;
  ctorch_weights *weights;
  struct content *content;
  struct step *steps;
  size_t len;
  char *name; /* ends with NUL */
  size_t name_len, name_capacity;
};

static ctorch_error *add_to_name(struct walk *self, bool is_first, const char *text, size_t len) {
  if (self->name_len + len + 2 > self->name_capacity) {
    const size_t capacity = 2 * (self->name_len + len + 2);
    char *grown = realloc(self->name, capacity);
    if (grown == NULL) {
      return error_memory(self->function, capacity);
    }
    self->name = grown;
    self->name_capacity = capacity;
  }
  if (!is_first) {
    self->name[self->name_len++] = '.';
  }
  memcpy(self->name + self->name_len, text, len);
  self->name_len += len;
  self->name[self->name_len] = '\0';
  return NULL;
}

/* A key as a part of a name: a text itself, else as Python prints it. */
static ctorch_error *add_key(struct walk *self, bool is_first, uint32_t number) {
  struct unpickler *pickle = &self->content->file.pickle;
  ctorch_value *key = NULL;
  ctorch_string *repr = NULL;
  CTORCH_TRY(outline_value(&self->content->outline, pickle, &key, number, true));
  if (ctorch_value_kind_of(key) == CTORCH_VALUE_STRING) {
    const char *text = NULL;
    size_t len = 0;
    ctorch_error *error = ctorch_value_to_string(&text, &len, key);
    THEN(error, error_unless_text(self->function, "name", text));
    if (error == NULL && strlen(text) == len) {
      error = add_to_name(self, is_first, text, len);
      ctorch_value_release(key);
      return error;
    }
    ctorch_error_release(error);
  }
  ctorch_error *error = pickle_refuse(pickle, ctorch_value_repr(&repr, key));
  error =
      error != NULL ? error : add_to_name(self, is_first, ctorch_string_data(repr), strlen(ctorch_string_data(repr)));
  ctorch_string_release(repr);
  ctorch_value_release(key);
  return error;
}

/* Leaves ----------------------------------------------------------------------------------------------------------- */

static const char *type_name(struct content *content, ctorch_dtype dtype) {
  char *type = content->types[dtype];
  snprintf(type, TYPE_LEN, "torch.%s", ctorch_dtype_name(dtype));
  return type;
}

static const char *name_of(const struct walk *self) { return self->name == NULL ? "" : self->name; }

static ctorch_error *add_tensor(struct walk *self, uint32_t leaf) {
  struct content *content = self->content;
  struct pt_description description = {.nbytes = 0};
  ctorch_value *value = NULL;
  bool is_known = false;
  CTORCH_TRY(outline_value(&content->outline, &content->file.pickle, &value, leaf, true));
  ctorch_error *error = pt_describe(&content->file, &description, &is_known, value);
  ctorch_value_release(value);
  if (error != NULL || !is_known) {
    return error;
  }
  /* What looks at the same bytes reads them again. */
  error = pickle_charge(&content->file.pickle, description.nbytes);
  const struct pt_storage *storage = description.is_strided ? &content->file.storages[description.storage] : NULL;
  const bool has_place = storage != NULL && storage->is_placed && storage->root == 0;
  THEN(error, array_grow(self->function, &content->leaves, content->len, sizeof *content->leaves));
  THEN(
      error, weights_add(
                 self->function, self->weights, name_of(self), type_name(content, description.dtype), description.dtype,
                 description.sizes, description.sizes_len, has_place ? storage->offset + description.offset : 0,
                 description.nbytes, content->len));
  free(description.sizes);
  CTORCH_TRY(error);
  content->leaves[content->len++] = leaf;
  return NULL;
}

/* The class of what stays a Python object as a value; NULL for others. */
static const struct outline_node *class_of(const struct walk *self, uint32_t leaf) {
  static pickle_call *const values[] = {pickle_call_set,     pickle_call_bytes,  pickle_call_encode,
                                        pickle_call_complex, pickle_call_device, pickle_call_layout,
                                        pt_call_numpy_scalar};
  const struct outline *outline = &self->content->outline;
  const struct outline_node *node = outline_node(outline, leaf);
  struct pickle_global global = {.call = NULL};
  if (node->kind == OUTLINE_GLOBAL) {
    return node;
  }
  if (node->kind != OUTLINE_OBJECT) {
    return NULL;
  }
  (void)outline_global_of(outline, &self->content->file.pickle, &global, leaf);
  for (size_t i = 0; global.call != NULL && i < sizeof values / sizeof *values; i++) {
    if (global.call == values[i]) {
      return NULL;
    }
  }
  return outline_node(outline, node->function);
}

static ctorch_error *add_other(struct walk *self, uint32_t leaf) {
  struct content *content = self->content;
  const struct outline_node *class = class_of(self, leaf);
  CTORCH_TRY(array_grow(self->function, &content->names, content->others_len, sizeof *content->names));
  CTORCH_TRY(array_grow(self->function, &content->nodes, content->others_len, sizeof *content->nodes));
  content->names[content->others_len] = strdup(name_of(self));
  if (content->names[content->others_len] == NULL) {
    return error_memory(self->function, self->name_len + 1);
  }
  content->nodes[content->others_len++] = leaf;
  return class == NULL ? NULL
                       : weights_add_object(
                             self->function, self->weights, name_of(self), outline_module(&content->outline, class),
                             outline_name(&content->outline, class));
}

static bool is_description(const struct walk *self, uint32_t number) {
  const struct content *content = self->content;
  const struct outline_node *node = outline_node(&content->outline, number);
  struct pickle_global global = {.makes_tensor = false};
  return node->kind == OUTLINE_VALUE
             ? pickle_is_description(&content->file.pickle, content->outline.values[node->integer])
             : outline_global_of(&content->outline, &content->file.pickle, &global, number) && global.makes_tensor;
}

static ctorch_error *add_leaf(struct walk *self, uint32_t leaf, bool is_of_module) {
  const unsigned char kind = outline_node(&self->content->outline, leaf)->kind;
  if (is_description(self, leaf)) {
    return add_tensor(self, leaf);
  }
  if (kind == OUTLINE_STORAGE || (kind == OUTLINE_NONE && is_of_module)) {
    return NULL; /* a storage by itself */
  }
  return add_other(self, leaf);
}

/* The walk --------------------------------------------------------------------------------------------------------- */

static ctorch_error *push_step(struct walk *self, const struct step *step) {
  if (self->len >= 3 * DEEPEST) {
    return reader_error(self->function, self->content->file.pickle.reader, "values that are nested too deep");
  }
  CTORCH_TRY(array_grow(self->function, &self->steps, self->len, sizeof *self->steps));
  self->steps[self->len++] = *step;
  return NULL;
}

/* The keys and values of a dict or of an object like one; false for what is none. */
static bool is_dict(const struct walk *self, uint32_t number, struct outline_list *out) {
  const struct outline_node *node = outline_node(&self->content->outline, number);
  struct pickle_global global = {.call = NULL};
  *out = node->kind == OUTLINE_DICT || node->kind == OUTLINE_OBJECT ? node->entries : (struct outline_list){0};
  if (node->kind != OUTLINE_OBJECT) {
    return node->kind == OUTLINE_DICT;
  }
  if (node->entries.len > 0) {
    return node->has_keys;
  }
  return outline_global_of(&self->content->outline, &self->content->file.pickle, &global, number) &&
         (global.call == pickle_call_ordered_dict || global.call == pickle_call_defaultdict);
}

/* An entry of a dict whose keys are texts; 0 if there is none. */
static ctorch_error *find(struct walk *self, uint32_t *out, const struct outline_list *list, const char *key) {
  const struct outline *outline = &self->content->outline;
  *out = 0;
  for (uint32_t link = list->first; link != 0;) {
    CTORCH_TRY(pickle_visit(&self->content->file.pickle));
    const uint32_t found = outline_next(outline, &link), value = outline_next(outline, &link);
    *out = outline_is_text(outline, found, key) ? value : *out;
  }
  return NULL;
}

/* Go into a module that was saved whole (torch.nn.Module of any class): its parameters, buffers and modules. */
static ctorch_error *enter_module(struct walk *self, bool *out_is_one, uint32_t number, const struct step *base) {
  static const char *const parts[] = {"_modules", "_buffers", "_parameters"}; /* the last is the first */
  const struct outline *outline = &self->content->outline;
  const uint32_t state = outline_node(outline, number)->state;
  struct pickle_global global;
  struct outline_list lists[3], attributes;
  uint32_t not_saved = 0;
  *out_is_one = false;
  if (state == 0 || outline_node(outline, state)->kind != OUTLINE_DICT ||
      outline_global_of(outline, &self->content->file.pickle, &global, number)) {
    return NULL;
  }
  attributes = outline_node(outline, state)->entries;
  for (size_t i = 0; i < 3; i++) {
    uint32_t part = 0;
    CTORCH_TRY(find(self, &part, &attributes, parts[i]));
    if (part == 0 || !is_dict(self, part, &lists[i])) {
      return NULL;
    }
  }
  *out_is_one = true;
  CTORCH_TRY(find(self, &not_saved, &attributes, "_non_persistent_buffers_set"));
  for (size_t i = 0; i < 3; i++) {
    struct step step = *base;
    step.way = BY_KEY;
    step.link = lists[i].first;
    step.is_of_module = true;
    step.left_out = i == 1 ? not_saved : 0;
    CTORCH_TRY(push_step(self, &step));
  }
  return NULL;
}

/* Whether a set has a text. */
static ctorch_error *is_in_set(struct walk *self, bool *out, uint32_t set, uint32_t key) {
  const struct outline *outline = &self->content->outline;
  const struct outline_node *node = outline_node(outline, set), *text = outline_node(outline, key);
  const uint32_t list = node->kind == OUTLINE_OBJECT ? outline_first(outline, node->args) : 0;
  const struct outline_list entries = node->kind == OUTLINE_SET ? node->entries
                                      : list != 0 && outline_node(outline, list)->kind == OUTLINE_LIST
                                          ? outline_node(outline, list)->entries
                                          : (struct outline_list){0};
  *out = false;
  for (uint32_t link = entries.first; link != 0 && text->kind == OUTLINE_TEXT;) {
    const struct outline_node *entry = outline_node(outline, outline_next(outline, &link));
    CTORCH_TRY(pickle_visit(&self->content->file.pickle));
    *out |= entry->kind == OUTLINE_TEXT && entry->text.len == text->text.len &&
            memcmp(outline_text(outline, entry), outline_text(outline, text), (size_t)text->text.len) == 0;
  }
  return NULL;
}

/* Go into a container, or add a leaf. Containers that share their parts have more ways than values. */
static ctorch_error *visit(struct walk *self, uint32_t number, bool is_root, bool is_of_module) {
  struct unpickler *pickle = &self->content->file.pickle;
  const struct outline *outline = &self->content->outline;
  const struct outline_node *node = outline_node(outline, number);
  struct step step = {.name_len = self->name_len, .is_root = is_root, .link = node->entries.first};
  struct outline_list list;
  bool is_module = false;
  CTORCH_TRY(pickle_visit(pickle));
  CTORCH_TRY(pickle_charge(pickle, self->name_len));
  if (node->kind == OUTLINE_TUPLE || node->kind == OUTLINE_LIST) {
    return push_step(self, &step);
  }
  if (is_dict(self, number, &list)) {
    step.way = BY_KEY;
    CTORCH_TRY(push_step(self, &step));
    const uint32_t pairs = node->kind == OUTLINE_OBJECT ? outline_first(outline, node->args) : 0;
    const unsigned char kind = pairs == 0 ? OUTLINE_NONE : outline_node(outline, pairs)->kind;
    if (kind == OUTLINE_DICT || kind == OUTLINE_LIST || kind == OUTLINE_TUPLE) { /* what it was made of */
      step.way = kind == OUTLINE_DICT ? BY_KEY : BY_PAIR;
      step.link = outline_node(outline, pairs)->entries.first;
      return push_step(self, &step);
    }
    return NULL;
  }
  if (node->kind == OUTLINE_OBJECT) {
    if (node->entries.len > 0) { /* like a list */
      return push_step(self, &step);
    }
    CTORCH_TRY(enter_module(self, &is_module, number, &step));
  }
  return is_module ? NULL : add_leaf(self, number, is_of_module);
}

/* Take the next entry, and its key if it has one. */
static ctorch_error *take(struct walk *self, struct step *step, uint32_t *out_key, uint32_t *out_value) {
  const struct outline *outline = &self->content->outline;
  *out_key = 0;
  *out_value = outline_next(outline, &step->link);
  if (step->way == BY_KEY) {
    *out_key = *out_value;
    *out_value = outline_next(outline, &step->link);
  } else if (step->way == BY_PAIR) {
    const struct outline_node *pair = outline_node(outline, *out_value);
    if ((pair->kind != OUTLINE_TUPLE && pair->kind != OUTLINE_LIST) || pair->entries.len != 2) {
      return pickle_error(&self->content->file.pickle, "a key without a value");
    }
    uint32_t link = pair->entries.first;
    *out_key = outline_next(outline, &link);
    *out_value = outline_next(outline, &link);
  }
  return NULL;
}

static ctorch_error *visit_next(struct walk *self, struct step *step) {
  uint32_t key = 0, value = 0;
  char number[24];
  const bool is_of_module = step->is_of_module;
  bool is_left_out = false;
  self->name_len = step->name_len;
  snprintf(number, sizeof number, "%zu", step->next++);
  CTORCH_TRY(take(self, step, &key, &value));
  if (key != 0 && is_description(self, key)) {
    return NULL; /* a tensor can be a key, and its description not */
  }
  if (step->left_out != 0) {
    CTORCH_TRY(is_in_set(self, &is_left_out, step->left_out, key));
  }
  if (is_left_out) {
    return NULL;
  }
  CTORCH_TRY(key != 0 ? add_key(self, step->is_root, key) : add_to_name(self, step->is_root, number, strlen(number)));
  return visit(self, value, false, is_of_module);
}

static ctorch_error *walk(struct walk *self, uint32_t root) {
  ctorch_error *error = visit(self, root, true, false);
  while (error == NULL && self->len > 0) {
    struct step *step = &self->steps[self->len - 1];
    if (step->link != 0) {
      error = visit_next(self, step);
    } else {
      self->len--;
    }
  }
  free(self->steps);
  free(self->name);
  return error;
}

/* The format ------------------------------------------------------------------------------------------------------- */

static ctorch_error *open_content(const char *function, ctorch_weights *self) {
  struct content *content = calloc(1, sizeof *content);
  ctorch_value *none = NULL;
  if (content == NULL) {
    return error_memory(function, sizeof *content);
  }
  self->content = content;
  content->file.outline = &content->outline;
  content->file.pickle =
      (struct unpickler){.function = function, .reader = self->reader, .allows_any = true, .is_described = true};
  CTORCH_TRY(pt_load(&content->file, &none));
  content->file.pickle.place = NULL;
  struct walk path = {.function = function, .weights = self, .content = content};
  return walk(&path, content->file.root);
}

/* The file for one call: what reading changes is the call's own. */
static struct pt_file file_of(const char *function, const ctorch_weights *self) {
  const struct content *content = self->content;
  struct pt_file file = content->file;
  file.pickle.function = function;
  unpickler_begin(&file.pickle);
  return file;
}

/* The description of an entry, as a value. */
static ctorch_error *description_of(
    struct pt_file *file, ctorch_value **out, const ctorch_weights *self, const struct weights_entry *entry) {
  const struct content *content = self->content;
  return outline_value(&content->outline, &file->pickle, out, content->leaves[entry->number], false);
}

static ctorch_error *read_tensor(
    const char *function, ctorch_tensor **out, const ctorch_weights *self, const struct weights_entry *entry) {
  struct pt_file file = file_of(function, self);
  ctorch_value *description = NULL, *value = NULL;
  CTORCH_TRY(description_of(&file, &description, self, entry));
  ctorch_error *error = pt_follow(&file, &value, description);
  ctorch_value_release(description);
  CTORCH_TRY(error);
  error = ctorch_value_kind_of(value) == CTORCH_VALUE_TENSOR ? ctorch_value_to_tensor(out, value)
                                                             : pickle_error(&file.pickle, "what is no tensor");
  ctorch_value_release(value);
  return error;
}

static ctorch_error *read_slice(
    const char *function,
    ctorch_tensor **out,
    const ctorch_weights *self,
    const struct weights_entry *entry,
    const int64_t *begin,
    const int64_t *end) {
  struct pt_file file = file_of(function, self);
  struct pt_description description = {.nbytes = 0};
  ctorch_value *value = NULL;
  ctorch_tensor *whole = NULL;
  bool is_known = false;
  if (entry->offset != 0 && !file.is_big_endian) {
    CTORCH_TRY(description_of(&file, &value, self, entry));
    ctorch_error *failure = pt_describe(&file, &description, &is_known, value);
    ctorch_value_release(value);
    CTORCH_TRY(failure);
    free(description.sizes);
    if (is_known && description.is_row_major) {
      const struct elements elements = {
          .reader = self->reader,
          .offset = entry->offset,
          .dtype = entry->dtype,
          .shape = entry->shape,
          .shape_len = entry->shape_len};
      return elements_slice(function, out, &elements, begin, end);
    }
  }
  CTORCH_TRY(read_tensor(function, &whole, self, entry));
  ctorch_error *error = weights_cut(out, whole, begin, end);
  ctorch_tensor_release(whole);
  return error;
}

static ctorch_error *read_metadata(const char *function, ctorch_value **out, const ctorch_weights *self) {
  const struct content *content = self->content;
  struct pt_file file = file_of(function, self);
  return outline_values(&content->outline, &file.pickle, out, content->names, content->nodes, content->others_len);
}

const weights_format weights_pt = {
    .name = "pt",
    .detect = detect,
    .open = open_content,
    .tensor = read_tensor,
    .slice = read_slice,
    .metadata = read_metadata,
    .close = close_content,
};
