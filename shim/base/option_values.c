/* Arguments as values. */
#include "base/option_values.h"

#include <stdlib.h>
#include <string.h>

#include "base/device_name.h"
#include "base/sequence.h"
#include "core/c/boxed.h"
#include "core/c/error.h"

/* Something to be freed at the end, in front of the bytes that are freed with it. */
struct option_kept {
  struct option_kept *next;
  void (*release)(void *what);
  void *what;
};

/* Room for `size` bytes that lives as long as the arguments; NULL and an error if there is none. */
static void *keep(struct option_values *self, size_t size, void (*release)(void *), void *what) {
  union {
    struct option_kept kept;
    int64_t number;
    double floating;
  } *block = self->error != NULL ? NULL : malloc(sizeof *block + size);
  if (block == NULL) {
    THEN(self->error, error_memory(self->function, size));
    if (release != NULL) {
      release(what);
    }
    return NULL;
  }
  block->kept = (struct option_kept){self->kept, release, what};
  self->kept = &block->kept;
  return memset(block + 1, 0, size);
}

static void release_value(void *value) { ctorch_value_release(value); }
static void release_tensor(void *tensor) { ctorch_tensor_release(tensor); }
static void release_module(void *module) { ctorch_module_release(module); }
static void release_transform(void *transform) { ctorch_transform_release(transform); }
static void release_list(void *list) { ctorch_tensor_list_release(list); }

/* Binding. */

static void bind_named(struct option_values *self, const char *name, const ctorch_value *kwargs) {
  size_t i = 0;
  while (i < self->len && strcmp(self->parameters[i].name, name) != 0) {
    i++;
  }
  if (i == self->len) {
    self->error = error_make(
        self->function, CTORCH_ERROR_TYPE, "%s() got an unexpected keyword argument '%s'", self->called, name);
  } else if (self->values[i] != NULL) {
    self->error =
        error_make(self->function, CTORCH_ERROR_TYPE, "%s() got multiple values for argument '%s'", self->called, name);
  } else {
    ctorch_value *value = NULL;
    self->error = ctorch_value_dict_at(&value, kwargs, name);
    if (self->error == NULL && keep(self, 0, release_value, value) != NULL) {
      self->values[i] = value;
    }
  }
}

void option_bind(struct option_values *self, const ctorch_value *args, const ctorch_value *kwargs) {
  size_t given = args == NULL ? 0 : ctorch_value_len(args), positional = 0;
  while (positional < self->len && !self->parameters[positional].is_keyword_only) {
    positional++;
  }
  if (given > positional) {
    self->error = error_make(
        self->function, CTORCH_ERROR_TYPE, "%s() takes %zu positional argument%s but %zu %s given", self->called,
        positional, positional == 1 ? "" : "s", given, given == 1 ? "was" : "were");
  }
  for (size_t i = 0; self->error == NULL && i < given; i++) {
    ctorch_value *value = NULL;
    self->error = ctorch_value_get(&value, args, i);
    if (self->error == NULL && keep(self, 0, release_value, value) != NULL) {
      self->values[i] = value;
    }
  }
  size_t named = kwargs == NULL || self->error != NULL ? 0 : ctorch_value_len(kwargs);
  ctorch_value *keys = NULL;
  if (named > 0) {
    self->error = ctorch_value_dict_keys(&keys, kwargs);
  }
  for (size_t i = 0; self->error == NULL && i < named; i++) {
    ctorch_value *key = NULL;
    const char *name = NULL;
    self->error = ctorch_value_get(&key, keys, i);
    if (self->error == NULL && ctorch_value_kind_of(key) != CTORCH_VALUE_STRING) {
      self->error = error_make(self->function, CTORCH_ERROR_TYPE, "%s() keywords must be strings", self->called);
    }
    THEN(self->error, ctorch_value_to_string(&name, NULL, key));
    if (self->error == NULL) {
      bind_named(self, name, kwargs);
    }
    ctorch_value_release(key);
  }
  ctorch_value_release(keys);
  for (size_t i = 0; self->error == NULL && i < self->len; i++) {
    if (self->parameters[i].is_required && self->values[i] == NULL) {
      self->error = error_make(
          self->function, CTORCH_ERROR_TYPE, "%s() missing required argument: '%s'", self->called,
          self->parameters[i].name);
    }
  }
}

/* Reading. */

/* The value, unless it is absent; None is absent too, which is what NULL stands for in C. */
static const ctorch_value *value_at(const struct option_values *self, size_t index) {
  const ctorch_value *value = self->error == NULL ? self->values[index] : NULL;
  return value != NULL && ctorch_value_kind_of(value) == CTORCH_VALUE_NONE ? NULL : value;
}

static void fail_type(struct option_values *self, size_t index, const char *expected, const ctorch_value *value) {
  THEN(
      self->error, error_make(
                       self->function, CTORCH_ERROR_TYPE, "%s(): argument '%s' must be %s, not %s", self->called,
                       self->parameters[index].name, expected, ctorch_value_kind_name(ctorch_value_kind_of(value))));
}

/* An error of reading is one of the argument's type, whatever its words are; one of memory stays. */
static void check_read(
    struct option_values *self, size_t index, const char *expected, const ctorch_value *value, ctorch_error *error) {
  if (error != NULL && ctorch_error_kind_of(error) == CTORCH_ERROR_OUT_OF_MEMORY) {
    self->error = ctorch_error_first(self->error, error);
  } else if (error != NULL) {
    ctorch_error_release(error);
    fail_type(self, index, expected, value);
  }
}

/* None in the place of what has no default and is not optional either. */
static void refuse_none(struct option_values *self, size_t index, const char *expected) {
  if (self->error == NULL && self->values[index] != NULL) {
    fail_type(self, index, expected, self->values[index]);
  }
}

#define READ_NUMBER(name, type, expected, read)                                       \
  type option_read_##name(struct option_values *self, size_t index, type otherwise) { \
    const ctorch_value *value = value_at(self, index);                                \
    if (value == NULL) {                                                              \
      refuse_none(self, index, expected);                                             \
      return otherwise;                                                               \
    }                                                                                 \
    type number = otherwise;                                                          \
    check_read(self, index, expected, value, read(&number, value));                   \
    return number;                                                                    \
  }                                                                                   \
  const type *option_read_optional_##name(struct option_values *self, size_t index) { \
    const ctorch_value *value = value_at(self, index);                                \
    type *number = value == NULL ? NULL : keep(self, sizeof *number, NULL, NULL);     \
    if (number != NULL) {                                                             \
      check_read(self, index, expected, value, read(number, value));                  \
    }                                                                                 \
    return number;                                                                    \
  }

/* As Python, which takes a bool for a number. */
static ctorch_error *to_int(int64_t *out, const ctorch_value *value) {
  bool truth = false;
  if (ctorch_value_kind_of(value) != CTORCH_VALUE_BOOL) {
    return ctorch_value_to_int(out, value);
  }
  ctorch_error *error = ctorch_value_to_bool(&truth, value);
  *out = truth;
  return error;
}

static ctorch_error *to_double(double *out, const ctorch_value *value) {
  int64_t number = 0;
  if (ctorch_value_kind_of(value) != CTORCH_VALUE_BOOL) {
    return ctorch_value_to_double(out, value);
  }
  ctorch_error *error = to_int(&number, value);
  *out = (double)number;
  return error;
}

/* A dtype, or its name in a configuration file: "float32", "torch.float32", "half". */
static ctorch_error *to_dtype(ctorch_dtype *out, const ctorch_value *value) {
  static const struct {
    const char *name, *means;
  } others[] = {{"float", "float32"},    {"double", "float64"},     {"half", "float16"},
                {"short", "int16"},      {"int", "int32"},          {"long", "int64"},
                {"cfloat", "complex64"}, {"cdouble", "complex128"}, {"chalf", "complex32"}};
  const char *text = NULL, *name = NULL;
  if (ctorch_value_kind_of(value) != CTORCH_VALUE_STRING) {
    return ctorch_value_to_dtype(out, value);
  }
  CTORCH_TRY(ctorch_value_to_string(&text, NULL, value));
  text += strncmp(text, "torch.", 6) == 0 ? 6 : 0;
  for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
    text = strcmp(text, others[i].name) == 0 ? others[i].means : text;
  }
  for (ctorch_dtype dtype = 0; dtype <= INT8_MAX; dtype++) {
    name = ctorch_dtype_name(dtype);
    if (name != NULL && strcmp(name, text) == 0) {
      *out = dtype;
      return NULL;
    }
  }
  return ctorch_value_to_dtype(out, value); /* an error */
}

ctorch_error *option_to_device(ctorch_device *out, const ctorch_value *value) {
  const char *text = NULL;
  if (ctorch_value_kind_of(value) == CTORCH_VALUE_STRING) {
    CTORCH_TRY(ctorch_value_to_string(&text, NULL, value));
    if (device_name_parse(out, text)) {
      return NULL;
    }
  }
  return ctorch_value_to_device(out, value);
}

READ_NUMBER(int, int64_t, "int", to_int)
READ_NUMBER(double, double, "float", to_double)
READ_NUMBER(bool, bool, "bool", ctorch_value_to_bool)
READ_NUMBER(dtype, ctorch_dtype, "torch.dtype or the name of one", to_dtype)

const ctorch_layout *option_read_optional_layout(struct option_values *self, size_t index) {
  const ctorch_value *value = value_at(self, index);
  ctorch_layout *layout = value == NULL ? NULL : keep(self, sizeof *layout, NULL, NULL);
  if (layout != NULL) {
    check_read(self, index, "torch.layout", value, ctorch_value_to_layout(layout, value));
  }
  return layout;
}

const ctorch_device *option_read_device(struct option_values *self, size_t index) {
  const ctorch_value *value = value_at(self, index);
  ctorch_device *device = value == NULL ? NULL : keep(self, sizeof *device, NULL, NULL);
  if (device != NULL) {
    check_read(self, index, "torch.device or the name of one", value, option_to_device(device, value));
  }
  return device;
}

const ctorch_scalar *option_read_scalar(struct option_values *self, size_t index) {
  const ctorch_value *value = value_at(self, index);
  ctorch_scalar *scalar = value == NULL ? NULL : keep(self, sizeof *scalar, NULL, NULL);
  if (scalar != NULL) {
    check_read(self, index, "Number", value, ctorch_value_to_scalar(scalar, value));
  }
  return scalar;
}

const char *option_read_text(struct option_values *self, size_t index) {
  const ctorch_value *value = value_at(self, index);
  const char *text = NULL;
  if (value != NULL) {
    check_read(self, index, "str", value, ctorch_value_to_string(&text, NULL, value)); /* lives as long as the value */
  }
  return text;
}

ctorch_tensor *option_read_tensor(struct option_values *self, size_t index) {
  const ctorch_value *value = value_at(self, index);
  ctorch_tensor *tensor = NULL;
  if (value != NULL) {
    check_read(self, index, "Tensor", value, ctorch_value_to_tensor(&tensor, value));
  }
  return tensor != NULL && keep(self, 0, release_tensor, tensor) == NULL ? NULL : tensor;
}

ctorch_module *option_read_module(struct option_values *self, size_t index) {
  const ctorch_value *value = value_at(self, index);
  ctorch_module *module = NULL;
  if (value == NULL) {
    return NULL;
  }
  check_read(self, index, "Module", value, ctorch_value_to_module(&module, value));
  return module != NULL && keep(self, 0, release_module, module) == NULL ? NULL : module;
}

const ctorch_value *option_read_value(struct option_values *self, size_t index) {
  return self->error == NULL ? self->values[index] : NULL;
}

static const ctorch_transform *to_transform(struct option_values *self, size_t index, const ctorch_value *value) {
  ctorch_transform *transform = NULL;
  check_read(self, index, "a transform, or a list of them", value, ctorch_value_to_transform(&transform, value));
  return transform != NULL && keep(self, 0, release_transform, transform) == NULL ? NULL : transform;
}

const ctorch_transform *option_read_transform(struct option_values *self, size_t index) {
  const ctorch_value *value = value_at(self, index);
  return value == NULL ? NULL : to_transform(self, index, value);
}

#define READ_LIST(name, type, expected, read)                                                                       \
  const type *option_read_##name(struct option_values *self, size_t index, size_t *len) {                           \
    const ctorch_value *value = value_at(self, index);                                                              \
    if (value == NULL) {                                                                                            \
      return NULL;                                                                                                  \
    }                                                                                                               \
    bool is_list = value_is_sequence(value);                                                                        \
    size_t count = is_list ? ctorch_value_len(value) : 1;                                                           \
    type *numbers = keep(self, (count + 1) * sizeof *numbers, NULL, NULL);                                          \
    for (size_t i = 0; self->error == NULL && i < count; i++) {                                                     \
      ctorch_value *entry = NULL;                                                                                   \
      ctorch_error *error = is_list ? ctorch_value_get(&entry, value, i) : NULL;                                    \
      check_read(self, index, expected, value, error != NULL ? error : read(numbers + i, is_list ? entry : value)); \
      ctorch_value_release(entry);                                                                                  \
    }                                                                                                               \
    *len = count;                                                                                                   \
    return numbers;                                                                                                 \
  }

READ_LIST(ints, int64_t, "int or tuple of ints", to_int)
READ_LIST(doubles, double, "float or tuple of floats", to_double)
READ_LIST(bools, bool, "bool or tuple of bools", ctorch_value_to_bool)

const ctorch_tensor *const *option_read_tensors(struct option_values *self, size_t index, size_t *len) {
  const ctorch_value *value = value_at(self, index);
  ctorch_tensor_list *list = NULL;
  if (value == NULL) {
    return NULL;
  }
  check_read(self, index, "tuple of Tensors", value, ctorch_value_to_tensors(&list, value));
  if (list == NULL || keep(self, 0, release_list, list) == NULL) {
    return NULL;
  }
  *len = ctorch_tensor_list_len(list);
  return ctorch_tensor_list_data(list);
}

const ctorch_transform *const *option_read_transforms(struct option_values *self, size_t index, size_t *len) {
  const ctorch_value *value = value_at(self, index);
  if (value == NULL || !value_is_sequence(value)) {
    refuse_none(self, index, "a list of transforms");
    return NULL;
  }
  size_t count = ctorch_value_len(value);
  const ctorch_transform **transforms = keep(self, (count + 1) * sizeof *transforms, NULL, NULL);
  for (size_t i = 0; self->error == NULL && i < count; i++) {
    ctorch_value *entry = NULL;
    self->error = ctorch_value_get(&entry, value, i);
    if (self->error == NULL) {
      transforms[i] = to_transform(self, index, entry);
    }
    ctorch_value_release(entry);
  }
  *len = count;
  return transforms;
}

/* Results. */

static void pack(struct option_values *self, ctorch_value *value, ctorch_error *error) {
  self->error = ctorch_error_first(self->error, error);
  ctorch_value **packed =
      self->error != NULL ? NULL : realloc(self->packed, (self->packed_len + 1) * sizeof *self->packed);
  if (packed == NULL) {
    ctorch_value_release(value);
    THEN(self->error, error_memory(self->function, sizeof *packed));
    return;
  }
  self->packed = packed;
  packed[self->packed_len++] = value;
}

void option_pack_tensor(struct option_values *self, ctorch_tensor *result) {
  ctorch_value *value = NULL;
  ctorch_error *error = ctorch_value_from_tensor(&value, result);
  ctorch_tensor_release(result);
  pack(self, value, error);
}

void option_pack_tensors(struct option_values *self, ctorch_tensor_list *result) {
  ctorch_value *value = NULL;
  ctorch_error *error =
      ctorch_value_from_tensors(&value, ctorch_tensor_list_data(result), ctorch_tensor_list_len(result));
  ctorch_tensor_list_release(result);
  pack(self, value, error);
}

void option_pack_int(struct option_values *self, int64_t result) {
  ctorch_value *value = NULL;
  ctorch_error *error = ctorch_value_from_int(&value, result);
  pack(self, value, error);
}

void option_pack_double(struct option_values *self, double result) {
  ctorch_value *value = NULL;
  ctorch_error *error = ctorch_value_from_double(&value, result);
  pack(self, value, error);
}

void option_pack_bool(struct option_values *self, bool result) {
  ctorch_value *value = NULL;
  ctorch_error *error = ctorch_value_from_bool(&value, result);
  pack(self, value, error);
}

/* What a shape stands for, from `*shape` on; owned. `*next` is the next result. */
static ctorch_error *put_together(struct option_values *self, ctorch_value **out, const char **shape, size_t *next) {
  if (**shape == '.') {
    ++*shape;
    *out = self->packed[*next];
    self->packed[(*next)++] = NULL;
    return NULL;
  }
  enum { MOST = 16 };
  ctorch_value *entries[MOST];
  size_t len = 0;
  ctorch_error *error = NULL;
  for (++*shape; error == NULL && **shape != ')' && len < MOST; len++) {
    entries[len] = NULL;
    error = put_together(self, &entries[len], shape, next);
  }
  ++*shape;
  THEN(error, ctorch_value_from_tuple(out, (const ctorch_value *const *)entries, len));
  for (size_t i = 0; i < len; i++) {
    ctorch_value_release(entries[i]);
  }
  return error;
}

void option_pack_end(struct option_values *self, ctorch_value **out, const char *shape) {
  size_t next = 0;
  THEN(self->error, put_together(self, out, &shape, &next));
}

ctorch_error *option_end(struct option_values *self) {
  for (size_t i = 0; i < self->packed_len; i++) {
    ctorch_value_release(self->packed[i]);
  }
  free(self->packed);
  while (self->kept != NULL) {
    struct option_kept *kept = self->kept;
    self->kept = kept->next;
    if (kept->release != NULL) {
      kept->release(kept->what);
    }
    free(kept);
  }
  return self->error;
}
