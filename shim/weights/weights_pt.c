/* Weights in files of torch.save: the tensors in its dicts, lists and tuples, by the way that leads to them. Opening a
 * file reads its pickle as descriptions; a tensor is made when it is asked for, of no more bytes than it looks at. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/text.h"
#include "core/c/boxed.h"
#include "core/c/error.h"
#include "core/c/python.h"
#include "ctorch.h"
#include "io/elements.h"
#include "io/reader.h"
#include "pickle/values.h"
#include "pt/describe.h"
#include "pt/load.h"
#include "weights/weights.h"

enum { DEEPEST = 1000, TYPE_LEN = 32, TYPES = 64 };

struct content {
  struct pt_file file;
  ctorch_value **leaves; /* descriptions, by the numbers of the entries */
  size_t len;
  ctorch_value *metadata; /* a dict */
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
  for (size_t i = 0; i < content->len; i++) {
    value_unref(content->leaves[i]);
  }
  free(content->leaves);
  value_unref(content->metadata);
  pt_file_end(&content->file);
  free(content);
}

/* Names ------------------------------------------------------------------------------------------------------------ */

/* A container on the way to what is looked at. */
struct step {
  ctorch_value *keys;   /* NULL for a list or tuple */
  ctorch_value *values; /* a list or tuple */
  size_t next;
  size_t name_len; /* of the container's own name */
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

static ctorch_error *add_to_name(struct walk *self, const char *text, size_t len) {
  if (self->name_len + len + 2 > self->name_capacity) {
    const size_t capacity = 2 * (self->name_len + len + 2);
    char *grown = realloc(self->name, capacity);
    if (grown == NULL) {
      return error_memory(self->function, capacity);
    }
    self->name = grown;
    self->name_capacity = capacity;
  }
  if (self->len > 1) { /* not before the first one */
    self->name[self->name_len++] = '.';
  }
  memcpy(self->name + self->name_len, text, len);
  self->name_len += len;
  self->name[self->name_len] = '\0';
  return NULL;
}

/* A key as a part of a name: a text itself, else as Python prints it. */
static ctorch_error *add_key(struct walk *self, const ctorch_value *key) {
  const char *text = NULL;
  size_t len = 0;
  ctorch_string *repr = NULL;
  if (ctorch_value_kind_of(key) == CTORCH_VALUE_STRING) {
    CTORCH_TRY(ctorch_value_to_string(&text, &len, key));
    ctorch_error *error = error_unless_text(self->function, "name", text);
    if (error == NULL && strlen(text) == len) {
      return add_to_name(self, text, len);
    }
    ctorch_error_release(error);
  }
  CTORCH_TRY(pickle_refuse(&self->content->file.pickle, ctorch_value_repr(&repr, key)));
  ctorch_error *error = add_to_name(self, ctorch_string_data(repr), strlen(ctorch_string_data(repr)));
  ctorch_string_release(repr);
  return error;
}

/* Leaves ----------------------------------------------------------------------------------------------------------- */

static const char *type_name(struct content *content, ctorch_dtype dtype) {
  char *type = content->types[dtype];
  snprintf(type, TYPE_LEN, "torch.%s", ctorch_dtype_name(dtype));
  return type;
}

static ctorch_error *add_tensor(struct walk *self, const ctorch_value *leaf) {
  struct content *content = self->content;
  struct pt_description description = {.nbytes = 0};
  ctorch_value *kept = NULL;
  bool is_known = false;
  CTORCH_TRY(pt_describe(&content->file, &description, &is_known, leaf));
  if (!is_known) {
    return NULL;
  }
  /* What looks at the same bytes reads them again. */
  ctorch_error *error = pickle_charge(&content->file.pickle, description.nbytes);
  const struct pt_storage *storage = description.is_strided ? &content->file.storages[description.storage] : NULL;
  const bool has_place = storage != NULL && storage->is_placed && storage->root == 0;
  error = error != NULL ? error : array_grow(self->function, &content->leaves, content->len, sizeof *content->leaves);
  error = error != NULL
              ? error
              : weights_add(
                    self->function, self->weights, self->name == NULL ? "" : self->name,
                    type_name(content, description.dtype), description.dtype, description.sizes, description.sizes_len,
                    has_place ? storage->offset + description.offset : 0, description.nbytes, content->len);
  free(description.sizes);
  CTORCH_TRY(error);
  ctorch_value_retain(leaf);
  kept = value_take((ctorch_value *)(uintptr_t)leaf);
  content->leaves[content->len++] = kept;
  return NULL;
}

static ctorch_error *add_leaf(struct walk *self, const ctorch_value *leaf) {
  if (pickle_is_description(&self->content->file.pickle, leaf)) {
    return add_tensor(self, leaf);
  }
  if (pickle_is(leaf, "torch.storage", "UntypedStorage")) {
    return NULL; /* a storage by itself */
  }
  return pickle_refuse(
      &self->content->file.pickle,
      ctorch_value_dict_put(self->content->metadata, self->name == NULL ? "" : self->name, leaf));
}

/* The walk --------------------------------------------------------------------------------------------------------- */

/* What a value holds: keys and values. Neither for a leaf. */
static ctorch_error *entries_of(struct walk *self, const ctorch_value *value, struct step *out) {
  ctorch_value *items = NULL;
  ctorch_value_kind kind = ctorch_value_kind_of(value);
  ctorch_error *error = NULL;
  *out = (struct step){.name_len = self->name_len};
  if (kind == CTORCH_VALUE_PYTHON_OBJECT) {
    CTORCH_TRY(ctorch_value_python_items(&items, value));
    value = items;
    kind = ctorch_value_kind_of(items);
  }
  if (kind == CTORCH_VALUE_DICT) {
    error = ctorch_value_dict_keys(&out->keys, value);
    error = error != NULL ? error : ctorch_value_dict_values(&out->values, value);
  } else if (kind == CTORCH_VALUE_LIST || kind == CTORCH_VALUE_TUPLE) {
    ctorch_value_retain(value);
    out->values = (ctorch_value *)(uintptr_t)value;
  }
  ctorch_value_release(items);
  if (error != NULL) {
    ctorch_value_release(out->keys);
  }
  return error;
}

static void end_step(struct step *step) {
  ctorch_value_release(step->keys);
  ctorch_value_release(step->values);
}

/* Go into a container, or add a leaf. Containers that share their parts have more ways than values. */
static ctorch_error *visit(struct walk *self, const ctorch_value *value) {
  struct step step = {.next = 0};
  struct unpickler *pickle = &self->content->file.pickle;
  CTORCH_TRY(pickle_visit(pickle));
  CTORCH_TRY(pickle_charge(pickle, self->name_len));
  CTORCH_TRY(entries_of(self, value, &step));
  if (step.values == NULL) {
    return add_leaf(self, value);
  }
  ctorch_error *error = self->len >= DEEPEST
                            ? reader_error(self->function, pickle->reader, "values that are nested too deep")
                            : array_grow(self->function, &self->steps, self->len, sizeof *self->steps);
  if (error != NULL) {
    end_step(&step);
    return error;
  }
  self->steps[self->len++] = step;
  return NULL;
}

static ctorch_error *visit_next(struct walk *self, struct step *step) {
  ctorch_value *key = NULL, *value = NULL;
  char number[24];
  const size_t at = step->next++;
  self->name_len = step->name_len;
  snprintf(number, sizeof number, "%zu", at);
  ctorch_error *error = ctorch_value_get(&value, step->values, at);
  if (error == NULL && step->keys != NULL) {
    error = ctorch_value_get(&key, step->keys, at);
    error = error != NULL ? error : add_key(self, key);
  } else if (error == NULL) {
    error = add_to_name(self, number, strlen(number));
  }
  error = error != NULL ? error : visit(self, value);
  ctorch_value_release(key);
  ctorch_value_release(value);
  return error;
}

static ctorch_error *walk(struct walk *self, const ctorch_value *value) {
  ctorch_error *error = visit(self, value);
  while (error == NULL && self->len > 0) {
    struct step *step = &self->steps[self->len - 1];
    if (step->next < ctorch_value_len(step->values)) {
      error = visit_next(self, step);
    } else {
      end_step(step);
      self->len--;
    }
  }
  while (self->len > 0) {
    end_step(&self->steps[--self->len]);
  }
  free(self->steps);
  free(self->name);
  return error;
}

/* The format ------------------------------------------------------------------------------------------------------- */

/* What is not a tensor is only named, whatever class it is of. */
static ctorch_callback_status allow_any(
    bool *out, const char *module, const char *name, ctorch_error **error, void *payload) {
  (void)module, (void)name, (void)error, (void)payload;
  *out = true;
  return CTORCH_CALLBACK_OK;
}

static ctorch_error *open_content(const char *function, ctorch_weights *self) {
  struct content *content = calloc(1, sizeof *content);
  ctorch_value *value = NULL, *metadata = NULL;
  if (content == NULL) {
    return error_memory(function, sizeof *content);
  }
  self->content = content;
  content->file.pickle =
      (struct unpickler){.function = function, .reader = self->reader, .allow = allow_any, .is_described = true};
  CTORCH_TRY(pt_load(&content->file, &value));
  content->file.pickle.place = NULL;
  struct walk path = {.function = function, .weights = self, .content = content};
  ctorch_error *error = pickle_empty(&metadata, CTORCH_VALUE_DICT);
  content->metadata = value_take(metadata);
  error = error != NULL ? error : walk(&path, value);
  if (error != NULL) {
    value_dismantle(value);
  } else {
    value_unref(value);
  }
  return error;
}

/* The file for one call: what reading changes is the call's own. */
static struct pt_file file_of(const char *function, const ctorch_weights *self) {
  const struct content *content = self->content;
  struct pt_file file = content->file;
  file.pickle.function = function;
  unpickler_begin(&file.pickle);
  return file;
}

static ctorch_error *read_tensor(
    const char *function, ctorch_tensor **out, const ctorch_weights *self, const struct weights_entry *entry) {
  const struct content *content = self->content;
  struct pt_file file = file_of(function, self);
  ctorch_value *value = NULL;
  CTORCH_TRY(pt_follow(&file, &value, content->leaves[entry->number]));
  ctorch_error *error = ctorch_value_kind_of(value) == CTORCH_VALUE_TENSOR
                            ? ctorch_value_to_tensor(out, value)
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
  const struct content *content = self->content;
  struct pt_file file = file_of(function, self);
  struct pt_description description = {.nbytes = 0};
  ctorch_tensor *whole = NULL;
  bool is_known = false;
  if (entry->offset != 0 && !file.is_big_endian) {
    CTORCH_TRY(pt_describe(&file, &description, &is_known, content->leaves[entry->number]));
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
  (void)function;
  return ctorch_value_deep_copy(out, content->metadata); /* the file's own are emptied with it */
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
