/* The options of modules. */
#include "module/options.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/sequence.h"
#include "base/text.h"
#include "core/c/error.h"
#include "module/create.h"

enum option_kind { NONE, INT, DOUBLE, BOOL, SCALAR, TEXT, INTS, DOUBLES };

struct module_option {
  const char *name;
  enum option_kind kind;
  union {
    int64_t integer;
    double number;
    bool truth;
    ctorch_scalar scalar;
    struct {
      const void *data; /* allocated: the characters of a text with a 0, the entries of a list */
      size_t size;      /* in bytes */
    };
  };
};

struct module_options {
  struct module_option *data;
  size_t len;
};

static bool is_allocated(const struct module_option *option) { return option->kind >= TEXT; }

static void finalize(void *object) {
  struct module_options *self = object;
  for (size_t i = 0; i < self->len; i++) {
    if (is_allocated(&self->data[i])) {
      free((void *)self->data[i].data);
    }
  }
  free(self->data);
}

static const object_class options_class = {"module options", sizeof(struct module_options), finalize};

static const struct module_option *find(const struct module_options *self, const char *name) {
  for (size_t i = 0; self != NULL && i < self->len; i++) {
    if (strcmp(self->data[i].name, name) == 0) {
      return &self->data[i];
    }
  }
  return NULL;
}

bool module_has_option(const ctorch_module *self, const char *name) { return find(self->options, name) != NULL; }

/* Recording. */

/* One more, unless there is one of its name. What it points at is copied. */
static void record(struct module_record *self, struct module_option option) {
  if (self->error == NULL && find(self->options, option.name) == NULL) {
    self->error = array_grow(self->function, &self->options->data, self->options->len, sizeof option);
    if (self->error == NULL && is_allocated(&option)) {
      void *own = malloc(option.size + 1);
      if (own == NULL) {
        self->error = error_memory(self->function, option.size + 1);
        return;
      }
      option.data = option.size == 0 ? own : memcpy(own, option.data, option.size);
    }
    if (self->error == NULL) {
      self->options->data[self->options->len++] = option;
    }
  }
}

/* A new list with what another has, but for what is called `name`, NULL for nothing. */
static void begin(
    struct module_record *self, const char *function, const struct module_options *from, const char *but) {
  *self = (struct module_record){.function = function, .options = object_new(&options_class)};
  if (self->options == NULL) {
    self->error = error_memory(function, sizeof *self->options);
  }
  for (size_t i = 0; from != NULL && i < from->len; i++) {
    if (but == NULL || strcmp(from->data[i].name, but) != 0) {
      record(self, from->data[i]);
    }
  }
}

void record_begin(struct module_record *self, const char *function, const ctorch_module *module) {
  begin(self, function, module->options, NULL);
}

static const struct module_option none;

void record_int(struct module_record *self, const char *name, const int64_t *value) {
  struct module_option option = value == NULL ? none : (struct module_option){.kind = INT, .integer = *value};
  option.name = name;
  record(self, option);
}

void record_double(struct module_record *self, const char *name, const double *value) {
  struct module_option option = value == NULL ? none : (struct module_option){.kind = DOUBLE, .number = *value};
  option.name = name;
  record(self, option);
}

void record_bool(struct module_record *self, const char *name, const bool *value) {
  struct module_option option = value == NULL ? none : (struct module_option){.kind = BOOL, .truth = *value};
  option.name = name;
  record(self, option);
}

void record_scalar(struct module_record *self, const char *name, const ctorch_scalar *value) {
  struct module_option option = value == NULL ? none : (struct module_option){.kind = SCALAR, .scalar = *value};
  option.name = name;
  record(self, option);
}

static void record_bytes(
    struct module_record *self, const char *name, enum option_kind kind, const void *data, size_t size) {
  struct module_option option = data == NULL ? none : (struct module_option){.kind = kind, .data = data, .size = size};
  option.name = name;
  record(self, option);
}

void record_text(struct module_record *self, const char *name, const char *value) {
  record_bytes(self, name, TEXT, value, value == NULL ? 0 : strlen(value) + 1);
}

void record_ints(struct module_record *self, const char *name, const int64_t *values, size_t len) {
  record_bytes(self, name, INTS, values, len * sizeof *values);
}

void record_doubles(struct module_record *self, const char *name, const double *values, size_t len) {
  record_bytes(self, name, DOUBLES, values, len * sizeof *values);
}

ctorch_error *record_end(struct module_record *self, ctorch_module **module) {
  if (self->error != NULL) {
    object_unref(self->options);
    ctorch_module_release(*module);
    *module = NULL;
    return self->error;
  }
  object_unref((*module)->options);
  (*module)->options = self->options;
  return NULL;
}

ctorch_error *module_record_int(const char *function, ctorch_module *self, const char *name, int64_t value) {
  struct module_record next;
  begin(&next, function, self->options, name);
  record_int(&next, name, &value);
  if (next.error != NULL) {
    object_unref(next.options);
    return next.error;
  }
  object_unref(self->options);
  self->options = next.options;
  return NULL;
}

ctorch_error *module_record_given(
    const char *function, ctorch_module **module, const char *name, const ctorch_value *value) {
  int64_t number = 0;
  if (value == NULL || ctorch_value_kind_of(value) != CTORCH_VALUE_INT || !module_has_option(*module, name)) {
    return NULL;
  }
  ctorch_error *error = ctorch_value_to_int(&number, value);
  THEN(error, module_record_int(function, *module, name, number));
  if (error != NULL) {
    ctorch_module_release(*module);
    *module = NULL;
  }
  return error;
}

/* Reading. */

void text_option(struct text *text, const ctorch_module *module, const char *name, double value) {
  const struct module_option *option = find(module->options, name);
  if (option != NULL && option->kind == INT && (double)option->integer == value) {
    text_add(text, "%" PRId64, option->integer);
  } else {
    text_double(text, value);
  }
}

/* -1 among the sizes of an output stands for Python's None, the size of the input. */
static ctorch_error *from_int(ctorch_value **out, const char *name, int64_t number) {
  const bool is_none = number == -1 && strcmp(name, "output_size") == 0;
  return is_none ? ctorch_value_from_none(out) : ctorch_value_from_int(out, number);
}

/* A tuple of the numbers of a list. */
static ctorch_error *tuple_of(const char *function, ctorch_value **out, const struct module_option *option) {
  size_t len = option->size / (option->kind == INTS ? sizeof(int64_t) : sizeof(double));
  ctorch_value **entries = calloc(len + 1, sizeof *entries);
  ctorch_error *error = entries == NULL ? error_memory(function, (len + 1) * sizeof *entries) : NULL;
  for (size_t i = 0; error == NULL && i < len; i++) {
    error = option->kind == INTS ? from_int(&entries[i], option->name, ((const int64_t *)option->data)[i])
                                 : ctorch_value_from_double(&entries[i], ((const double *)option->data)[i]);
  }
  THEN(error, ctorch_value_from_tuple(out, (const ctorch_value *const *)entries, len));
  for (size_t i = 0; entries != NULL && i < len; i++) {
    ctorch_value_release(entries[i]);
  }
  free(entries);
  return error;
}

static ctorch_error *value_of(const char *function, ctorch_value **out, const struct module_option *option) {
  switch (option->kind) {
    case INT:
      return from_int(out, option->name, option->integer);
    case DOUBLE:
      return ctorch_value_from_double(out, option->number);
    case BOOL:
      return ctorch_value_from_bool(out, option->truth);
    case SCALAR:
      return ctorch_value_from_scalar(out, &option->scalar);
    case TEXT:
      return ctorch_value_from_string(out, option->data);
    case INTS:
    case DOUBLES:
      return tuple_of(function, out, option);
    default:
      return ctorch_value_from_none(out);
  }
}

/* All of them as a dict, with `value`, unless it is NULL, in the place of what is called `name`. */
static ctorch_error *dict_of(
    const char *function,
    ctorch_value **out,
    const struct module_options *self,
    const char *name,
    const ctorch_value *value) {
  ctorch_value *dict = NULL;
  CTORCH_TRY(ctorch_value_from_dict(&dict, NULL, 0, NULL, 0));
  ctorch_error *error = NULL;
  for (size_t i = 0; error == NULL && self != NULL && i < self->len; i++) {
    if (value != NULL && strcmp(self->data[i].name, name) == 0) {
      error = ctorch_value_dict_put(dict, name, value);
    } else {
      ctorch_value *own = NULL;
      error = value_of(function, &own, &self->data[i]);
      THEN(error, ctorch_value_dict_put(dict, self->data[i].name, own));
      ctorch_value_release(own);
    }
  }
  if (error != NULL) {
    ctorch_value_release(dict);
    return error;
  }
  *out = dict;
  return NULL;
}

ctorch_error *ctorch_module_options(ctorch_value **out, const ctorch_module *self) {
  CTORCH_TRY(error_refusal(__func__));
  if (out == NULL || self == NULL) {
    return error_null(__func__, out == NULL ? "out" : "self");
  }
  return dict_of(__func__, out, self->options, NULL, NULL);
}

static ctorch_error *check(
    const char *function, const struct module_option **option, const ctorch_module *self, const char *name) {
  CTORCH_TRY(error_unless_text(function, "name", name));
  *option = find(self->options, name);
  return *option != NULL
             ? NULL
             : error_make(function, CTORCH_ERROR_INDEX, "'%s' object has no attribute '%s'", module_name(self), name);
}

ctorch_error *ctorch_module_get_option(ctorch_value **out, const ctorch_module *self, const char *name) {
  const struct module_option *option = NULL;
  CTORCH_TRY(error_refusal(__func__));
  if (out == NULL || self == NULL || name == NULL) {
    return error_null(__func__, out == NULL ? "out" : self == NULL ? "self" : "name");
  }
  CTORCH_TRY(check(__func__, &option, self, name));
  return value_of(__func__, out, option);
}

/* Changing. */

/* Whether a module has, first of all, tensors by the names that another one has. */
static bool has_tensors_of(const struct module_tensors *self, const struct module_tensors *other) {
  bool has = other->len <= self->len;
  for (size_t i = 0; has && i < other->len; i++) {
    has = strcmp(self->data[i].name, other->data[i].name) == 0;
  }
  return has;
}

static bool has_children_of(const struct module_children *self, const struct module_children *other) {
  bool has = other->len <= self->len;
  for (size_t i = 0; has && i < other->len; i++) {
    has = strcmp(self->data[i].name, other->data[i].name) == 0;
  }
  return has;
}

static bool is_alike(const ctorch_module *self, const ctorch_module *other) {
  return module_class_of(self) == module_class_of(other) && has_tensors_of(&self->parameters, &other->parameters) &&
         has_tensors_of(&self->buffers, &other->buffers) && has_children_of(&self->children, &other->children);
}

/* What two modules of one class are, besides what they hold. */
static ctorch_error *swap(const char *function, ctorch_module *self, ctorch_module *other) {
  size_t size = module_class_of(self)->object.size - sizeof *self;
  char *mine = (char *)(self + 1), *theirs = (char *)(other + 1), *between = malloc(size + 1);
  if (between == NULL) {
    return error_memory(function, size + 1);
  }
  memcpy(between, mine, size);
  memcpy(mine, theirs, size);
  memcpy(theirs, between, size);
  free(between);
  struct module_options *options = self->options;
  self->options = other->options;
  other->options = options;
  return NULL;
}

ctorch_error *ctorch_module_set_option(ctorch_module *self, const char *name, const ctorch_value *value) {
  const struct module_option *option = NULL;
  ctorch_value *options = NULL;
  ctorch_module *made = NULL;
  CTORCH_TRY(error_refusal(__func__));
  if (self == NULL || name == NULL || value == NULL) {
    return error_null(__func__, self == NULL ? "self" : name == NULL ? "name" : "value");
  }
  CTORCH_TRY(check(__func__, &option, self, name));
  CTORCH_TRY(dict_of(__func__, &options, self->options, name, value));
  ctorch_error *error = create_on_meta(__func__, &made, module_class_of(self)->name, options);
  ctorch_value_release(options);
  if (error == NULL && !is_alike(self, made)) {
    error = error_make(
        __func__, CTORCH_ERROR_RUNTIME, "%s of %s cannot be changed: it says which tensors there are", name,
        module_name(self));
  }
  THEN(error, swap(__func__, self, made));
  ctorch_module_release(made);
  return error;
}
