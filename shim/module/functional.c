/* Modules as functions of their parameters: <ctorch/module/module_functional.h>. */
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/sequence.h"
#include "base/text.h"
#include "core/c/error.h"
#include "core/c/tensor.h"
#include "module/hooks.h"
#include "module/walk.h"

/* A tensor that takes the place of a module's own during a call. */
struct replacement {
  char *target;                /* dotted */
  const char *name;            /* the last part of it */
  const ctorch_tensor *tensor; /* with a reference; NULL for None */
  ctorch_module *module;       /* with a reference, while the tensor is in its place */
  ctorch_tensor *before;
  bool is_given; /* else it is tied to one that is */
};

struct replacements {
  const char *function;
  struct replacement *data;
  size_t len;
};

static ctorch_error *add(struct replacements *self, const char *target, const ctorch_tensor *tensor, bool is_given) {
  CTORCH_TRY(array_grow(self->function, &self->data, self->len, sizeof *self->data));
  char *own = module_join(target, "");
  if (own == NULL) {
    return error_memory(self->function, strlen(target) + 1);
  }
  const char *dot = strrchr(own, '.');
  self->data[self->len++] =
      (struct replacement){own, dot == NULL ? own : dot + 1, tensor_ref(tensor), NULL, NULL, is_given};
  return NULL;
}

static void free_replacements(struct replacements *self) {
  for (size_t i = 0; i < self->len; i++) {
    free(self->data[i].target);
    tensor_unref((ctorch_tensor *)self->data[i].tensor);
  }
  free(self->data);
}

/* What is given. */

static ctorch_error *add_value(struct replacements *self, const ctorch_value *key, const ctorch_value *value) {
  const char *name = "";
  ctorch_value_kind kind = ctorch_value_kind_of(key);
  if (kind != CTORCH_VALUE_STRING) {
    return error_make(
        self->function, CTORCH_ERROR_TYPE, "parameters_and_buffers: expected texts as keys, found %s",
        ctorch_value_kind_name(kind));
  }
  CTORCH_TRY(ctorch_value_to_string(&name, NULL, key));
  kind = ctorch_value_kind_of(value);
  if (kind != CTORCH_VALUE_TENSOR && kind != CTORCH_VALUE_NONE) {
    return error_make(
        self->function, CTORCH_ERROR_TYPE, "parameters_and_buffers: '%s' is a %s, not an instance of torch.Tensor",
        name, ctorch_value_kind_name(kind));
  }
  ctorch_tensor *tensor = NULL;
  if (kind == CTORCH_VALUE_TENSOR) {
    CTORCH_TRY(ctorch_value_to_tensor(&tensor, value));
  }
  ctorch_error *error = add(self, name, tensor, true);
  ctorch_tensor_release(tensor);
  return error;
}

static ctorch_error *add_dict(struct replacements *self, const ctorch_value *dict) {
  ctorch_value *keys = NULL, *values = NULL;
  CTORCH_TRY(ctorch_value_dict_keys(&keys, dict));
  ctorch_error *error = ctorch_value_dict_values(&values, dict);
  for (size_t i = 0; error == NULL && i < ctorch_value_len(keys); i++) {
    ctorch_value *key = NULL, *value = NULL;
    error = ctorch_value_get(&key, keys, i);
    THEN(error, ctorch_value_get(&value, values, i));
    THEN(error, add_value(self, key, value));
    ctorch_value_release(key);
    ctorch_value_release(value);
  }
  ctorch_value_release(keys);
  ctorch_value_release(values);
  return error;
}

static int compare_names(const void *one, const void *other) {
  return strcmp(*(const char *const *)one, *(const char *const *)other);
}

/* The names, sorted, borrowed; to be freed. */
static ctorch_error *sorted_names(const char ***out, const struct replacements *self) {
  const char **names = calloc(self->len + 1, sizeof *names);
  if (names == NULL) {
    return error_memory(self->function, (self->len + 1) * sizeof *names);
  }
  for (size_t i = 0; i < self->len; i++) {
    names[i] = self->data[i].target;
  }
  qsort(names, self->len, sizeof *names, compare_names);
  *out = names;
  return NULL;
}

/* VALUE for names that are in several dicts. */
static ctorch_error *check_distinct(const struct replacements *self) {
  const char **names = NULL;
  struct text repeated = {.function = self->function};
  CTORCH_TRY(sorted_names(&names, self));
  for (size_t i = 1; i < self->len; i++) {
    if (strcmp(names[i], names[i - 1]) == 0 && (i == 1 || strcmp(names[i], names[i - 2]) != 0)) {
      text_add(&repeated, repeated.len == 0 ? "" : ", ");
      text_quoted(&repeated, names[i]);
    }
  }
  free(names);
  ctorch_error *error = NULL;
  if (repeated.len > 0) {
    error = error_make(
        self->function, CTORCH_ERROR_VALUE,
        "[%s] appeared in multiple dictionaries; behavior of functional call is ambiguous", text_data(&repeated));
  }
  return ctorch_error_first(text_end(&repeated), error);
}

static ctorch_error *read_dicts(struct replacements *self, const ctorch_value *given) {
  ctorch_value_kind kind = ctorch_value_kind_of(given);
  if (kind == CTORCH_VALUE_DICT) {
    return add_dict(self, given);
  }
  if (kind != CTORCH_VALUE_LIST && kind != CTORCH_VALUE_TUPLE) {
    return error_make(
        self->function, CTORCH_ERROR_VALUE,
        "Expected parameters_and_buffers to be a dict, or a list/tuple of dicts, but got %s",
        ctorch_value_kind_name(kind));
  }
  ctorch_error *error = NULL;
  for (size_t i = 0; error == NULL && i < ctorch_value_len(given); i++) {
    ctorch_value *dict = NULL;
    CTORCH_TRY(ctorch_value_get(&dict, given, i));
    if (ctorch_value_kind_of(dict) == CTORCH_VALUE_DICT) {
      error = add_dict(self, dict);
    } else {
      error = error_make(
          self->function, CTORCH_ERROR_VALUE, "Expected all elements of parameters_and_buffers to be dictionaries");
    }
    ctorch_value_release(dict);
  }
  return error != NULL ? error : check_distinct(self);
}

/* What the module has. */

/* All parameters and buffers under all their names. `*out_tied` is whether one stands there twice. */
static ctorch_error *list_tensors(struct replacements *out, bool *out_tied, const ctorch_module *self) {
  ctorch_named_modules *modules = NULL;
  struct pointer_set seen = {0};
  ctorch_error *error = NULL;
  CTORCH_TRY(module_walk(out->function, &modules, self, NULL, true, false));
  for (size_t i = 0; error == NULL && i < modules->len; i++) {
    const ctorch_module *module = modules->data[i].module;
    for (size_t j = 0; error == NULL && j < module->parameters.len + module->buffers.len; j++) {
      const struct module_tensor *entry =
          j < module->parameters.len ? &module->parameters.data[j] : &module->buffers.data[j - module->parameters.len];
      if (module_held(entry) == NULL) {
        continue;
      }
      char *name = module_join(modules->data[i].name, entry->name);
      error =
          name == NULL ? error_memory(out->function, strlen(entry->name) + 1) : add(out, name, entry->tensor, false);
      free(name);
      if (!pointer_set_add(&seen, out->function, entry->tensor, &error)) {
        *out_tied = true;
      }
    }
  }
  pointer_set_free(&seen);
  object_unref(modules);
  return error;
}

static const struct replacement *find(const struct replacements *self, const char *target) {
  for (size_t i = 0; i < self->len; i++) {
    if (strcmp(self->data[i].target, target) == 0) {
      return &self->data[i];
    }
  }
  return NULL;
}

/* Why several tensors for one are refused: with all names of it. */
static ctorch_error *refuse_values(const struct replacements *all, const ctorch_tensor *tied) {
  struct replacements same = {.function = all->function};
  const char **names = NULL;
  ctorch_error *error = NULL;
  for (size_t i = 0; error == NULL && i < all->len; i++) {
    error = all->data[i].tensor == tied ? add(&same, all->data[i].target, NULL, false) : NULL;
  }
  THEN(error, sorted_names(&names, &same));
  struct text text = {.function = all->function};
  for (size_t i = 0; error == NULL && i < same.len; i++) {
    text_add(&text, i == 0 ? "" : ", ");
    text_quoted(&text, names[i]);
  }
  THEN(
      error, error_make(
                 all->function, CTORCH_ERROR_VALUE,
                 "functional_call got multiple values for keys [%s], which are tied. Consider using tie_weights=False",
                 text_data(&text)));
  free(names);
  free_replacements(&same);
  return ctorch_error_first(text_end(&text), error);
}

/* What is given for one name of a tensor counts for its others. */
static ctorch_error *tie(struct replacements *self, const struct replacements *all) {
  size_t given = self->len;
  for (size_t i = 0; i < given; i++) {
    const struct replacement *own = find(all, self->data[i].target);
    for (size_t j = 0; own != NULL && j < all->len; j++) {
      if (all->data[j].tensor != own->tensor || &all->data[j] == own) {
        continue;
      }
      const struct replacement *other = find(self, all->data[j].target);
      if (other == NULL) {
        CTORCH_TRY(add(self, all->data[j].target, self->data[i].tensor, false));
      } else if (other->tensor != self->data[i].tensor) {
        return refuse_values(all, own->tensor);
      }
    }
  }
  return NULL;
}

/* One more name of a list of those that are wrong. */
static void tell(struct text *text, const char *name) {
  text_add(text, text->len == 0 ? "" : ", ");
  text_quoted(text, name);
}

/* RUNTIME for names that are too many, or missing. */
static ctorch_error *check_names(
    const struct replacements *self, const struct replacements *all, const ctorch_module *module) {
  const char **names = NULL, **valid = NULL;
  struct text unexpected = {.function = self->function}, missing = {.function = self->function};
  CTORCH_TRY(sorted_names(&names, self));
  ctorch_error *error = sorted_names(&valid, all);
  for (size_t i = 0, j = 0; error == NULL && (i < self->len || j < all->len);) {
    int order = i == self->len ? 1 : j == all->len ? -1 : strcmp(names[i], valid[j]);
    if (order < 0) {
      tell(&unexpected, names[i]);
    } else if (order > 0) {
      tell(&missing, valid[j]);
    }
    i += order <= 0;
    j += order >= 0;
  }
  free(names);
  free(valid);
  if (error == NULL && unexpected.len + missing.len > 0) {
    bool both = unexpected.len > 0 && missing.len > 0;
    error = error_make(
        self->function, CTORCH_ERROR_RUNTIME, "Error(s) in reparametrizing for %s:\n\t%s%s%s%s%s%s%s",
        module_name(module), unexpected.len > 0 ? "Unexpected key(s): " : "", text_data(&unexpected),
        unexpected.len > 0 ? "." : "", both ? "\n\t" : "", missing.len > 0 ? "Missing key(s): " : "",
        text_data(&missing), missing.len > 0 ? "." : "");
  }
  error = ctorch_error_first(text_end(&unexpected), error);
  return ctorch_error_first(text_end(&missing), error);
}

/* The call. */

static struct module_tensor *entry_of(const ctorch_module *module, const char *name) {
  struct module_tensor *entry = module_find_tensor(&module->parameters, name);
  return entry != NULL ? entry : module_find_tensor(&module->buffers, name);
}

static ctorch_error *put(struct replacements *self, struct replacement *one, const ctorch_module *module) {
  ctorch_module *found = NULL;
  size_t len = one->name == one->target ? 0 : (size_t)(one->name - one->target) - 1;
  CTORCH_TRY(module_find(self->function, &found, module, one->target, len));
  struct module_tensor *entry = entry_of(found, one->name);
  if (entry != NULL) {
    one->module = object_ref(found);
    one->before = entry->tensor;
    entry->tensor = tensor_ref(one->tensor);
    return NULL;
  }
  if (one->name[0] == '\0') {
    return error_make(self->function, CTORCH_ERROR_INDEX, "tensor name can't be empty string \"\"");
  }
  if (module_find_child(found, one->name) != NULL || strcmp(one->name, "training") == 0) {
    return error_make(
        self->function, CTORCH_ERROR_TYPE, "attribute `%s`: it is not an instance of torch.Tensor", one->name);
  }
  return NULL; /* an attribute that no module reads */
}

/* The last one first, so that what stands there twice is what it was. */
static ctorch_error *put_back(struct replacements *self, ctorch_value *dict) {
  ctorch_error *error = NULL;
  for (size_t i = self->len; i-- > 0;) {
    struct replacement *one = &self->data[i];
    struct module_tensor *entry = one->module == NULL ? NULL : entry_of(one->module, one->name);
    if (entry == NULL) {
      tensor_unref(one->before);
    } else {
      ctorch_tensor *after = entry->tensor;
      entry->tensor = one->before;
      if (one->is_given && after != one->tensor && dict != NULL && error == NULL) {
        ctorch_value *value = NULL;
        error = after == NULL ? ctorch_value_from_none(&value) : ctorch_value_from_tensor(&value, after);
        THEN(error, ctorch_value_dict_put(dict, one->target, value));
        ctorch_value_release(value);
      }
      tensor_unref(after);
    }
    object_unref(one->module);
    one->module = NULL;
  }
  return error;
}

static ctorch_error *prepare(
    struct replacements *self, const ctorch_module *module, const ctorch_value *given, bool tie_weights, bool strict) {
  struct replacements all = {.function = self->function};
  bool is_tied = false;
  CTORCH_TRY(read_dicts(self, given));
  ctorch_error *error = tie_weights || strict ? list_tensors(&all, &is_tied, module) : NULL;
  if (error == NULL && tie_weights && is_tied) {
    error = tie(self, &all);
  }
  if (error == NULL && strict) {
    error = check_names(self, &all, module);
  }
  free_replacements(&all);
  return error;
}

ctorch_error *ctorch_module_functional_call(
    ctorch_value **out,
    ctorch_module *self,
    ctorch_value *parameters_and_buffers,
    const ctorch_value *args,
    const ctorch_value *kwargs,
    bool tie_weights,
    bool strict) {
  CTORCH_TRY(error_refusal(__func__));
  if (out == NULL || self == NULL || parameters_and_buffers == NULL) {
    return error_null(__func__, out == NULL ? "out" : self == NULL ? "self" : "parameters_and_buffers");
  }
  struct replacements replacements = {.function = __func__};
  ctorch_value *result = NULL;
  ctorch_error *error = prepare(&replacements, self, parameters_and_buffers, tie_weights, strict);
  for (size_t i = 0; error == NULL && i < replacements.len; i++) {
    error = put(&replacements, &replacements.data[i], self);
  }
  THEN(error, module_call(__func__, &result, self, args, kwargs));
  bool is_dict = ctorch_value_kind_of(parameters_and_buffers) == CTORCH_VALUE_DICT;
  error = ctorch_error_first(error, put_back(&replacements, is_dict ? parameters_and_buffers : NULL));
  free_replacements(&replacements);
  if (error != NULL) {
    ctorch_value_release(result);
    return error;
  }
  *out = result;
  return NULL;
}
