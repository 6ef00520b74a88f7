/* Modules that hold others, or parameters, and compute nothing themselves. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/option_values.h"
#include "base/text.h"
#include "constructors/nn.h"
#include "core/c/error.h"
#include "core/c/tensor.h"
#include "module/hooks.h"
#include "module/module.h"
#include "module/repr.h"

struct container {
  ctorch_module module;
};

/* Sequential. */

static ctorch_error *not_callable(const char *function, const ctorch_module *self, size_t i) {
  return error_make(function, CTORCH_ERROR_TYPE, "%s: 'NoneType' object is not callable", self->children.data[i].name);
}

static ctorch_error *forward(ctorch_module *self, ctorch_tensor **out, const ctorch_tensor *input) {
  ctorch_tensor *at = NULL;
  for (size_t i = 0; i < self->children.len; i++) {
    ctorch_module *child = self->children.data[i].module;
    ctorch_tensor *next = NULL;
    if (child == NULL) {
      ctorch_tensor_release(at);
      return not_callable("ctorch_module_forward", self, i);
    }
    object_ref(child); /* a hook may take it out */
    ctorch_error *error = ctorch_module_forward(&next, child, at == NULL ? input : at);
    object_unref(child);
    ctorch_tensor_release(at); /* at once, so that no more than two are alive */
    CTORCH_TRY(error);
    at = next;
  }
  if (at == NULL) {
    return tensor_give("ctorch_module_forward", out, input);
  }
  *out = at;
  return NULL;
}

/* The one argument of a call, whatever it is; owned. */
static ctorch_error *argument(
    const char *function, ctorch_value **out, const ctorch_value *args, const ctorch_value *kwargs) {
  static const struct option_parameter parameters[] = {{"input", true, false}};
  ctorch_value *input = NULL;
  struct option_values given = {
      .function = function, .called = "forward", .parameters = parameters, .len = 1, .values = &input};
  option_bind(&given, args, kwargs);
  if (given.error == NULL) {
    ctorch_value_retain(input);
    *out = input;
  }
  return option_end(&given);
}

/* Values go from one to the next, whatever they are. */
static ctorch_error *call(
    ctorch_module *self, ctorch_value **out, const ctorch_value *args, const ctorch_value *kwargs) {
  const char *function = "ctorch_module_call";
  ctorch_value *at = NULL;
  CTORCH_TRY(argument(function, &at, args, kwargs));
  for (size_t i = 0; i < self->children.len; i++) {
    ctorch_module *child = object_ref(self->children.data[i].module);
    ctorch_value *one = NULL, *next = NULL;
    ctorch_error *error = child == NULL ? not_callable(function, self, i)
                                        : ctorch_value_from_tuple(&one, (const ctorch_value *const[]){at}, 1);
    ctorch_value_release(at);
    if (error == NULL) {
      error = ctorch_module_call(&next, child, one, NULL);
      ctorch_value_release(one);
    }
    object_unref(child);
    CTORCH_TRY(error);
    at = next;
  }
  *out = at;
  return NULL;
}

static const module_class sequential_class = {
    .object = MODULE_OBJECT(struct container), .name = "Sequential", .forward = forward, .call = call};

/* Lists. */

static const module_class module_list_class = {
    .object = MODULE_OBJECT(struct container), .name = "ModuleList", .children_repr = repr_list};
static const module_class module_dict_class = {.object = MODULE_OBJECT(struct container), .name = "ModuleDict"};

/* What Python calls the type of a tensor: torch.FloatTensor. */
static const char *type_name(const ctorch_tensor *tensor) {
  switch (ctorch_tensor_dtype(tensor)) {
    case CTORCH_DTYPE_FLOAT32:
      return "torch.FloatTensor";
    case CTORCH_DTYPE_FLOAT64:
      return "torch.DoubleTensor";
    case CTORCH_DTYPE_FLOAT16:
      return "torch.HalfTensor";
    case CTORCH_DTYPE_BFLOAT16:
      return "torch.BFloat16Tensor";
    case CTORCH_DTYPE_COMPLEX64:
      return "torch.ComplexFloatTensor";
    case CTORCH_DTYPE_COMPLEX128:
      return "torch.ComplexDoubleTensor";
    default:
      return "torch.Tensor";
  }
}

/* Parameters, one a line. */
static void write_parameters(const ctorch_module *self, struct text *text, bool by_type) {
  for (size_t i = 0; i < self->parameters.len; i++) {
    const struct module_tensor *entry = &self->parameters.data[i];
    text_add(text, "%s  (%s): ", i > 0 ? "\n" : "", entry->name);
    if (entry->tensor == NULL) {
      text_add(text, "Object of type: NoneType");
      continue;
    }
    text_add(text, "Parameter containing: [");
    if (by_type) {
      text_add(text, "%s of size ", type_name(entry->tensor));
    } else {
      text_add(text, "torch.%s of size ", ctorch_dtype_name(ctorch_tensor_dtype(entry->tensor)));
    }
    const int64_t *sizes = ctorch_tensor_sizes(entry->tensor);
    for (int64_t j = 0; j < ctorch_tensor_ndim(entry->tensor); j++) {
      text_add(text, "%s%" PRId64, j > 0 ? "x" : "", sizes[j]);
    }
    ctorch_device device = {0};
    ctorch_error *error = ctorch_tensor_device(&device, entry->tensor);
    if (error == NULL && device.type == CTORCH_DEVICE_TYPE_CUDA) {
      text_add(text, " (cuda:%d)", (int)device.index);
    }
    text->error = ctorch_error_first(text->error, error);
    text_add(text, "]");
  }
}

static void list_of_parameters(const ctorch_module *self, struct text *text) { write_parameters(self, text, false); }

static void dict_of_parameters(const ctorch_module *self, struct text *text) { write_parameters(self, text, true); }

static ctorch_error *refuse(
    ctorch_module *self, ctorch_value **out, const ctorch_value *args, const ctorch_value *kwargs) {
  (void)out, (void)args, (void)kwargs;
  return error_make("ctorch_module_call", CTORCH_ERROR_RUNTIME, "%s should not be called", module_name(self));
}

static const module_class parameter_list_class = {
    .object = MODULE_OBJECT(struct container),
    .name = "ParameterList",
    .call = refuse,
    .extra_repr = list_of_parameters};
static const module_class parameter_dict_class = {
    .object = MODULE_OBJECT(struct container),
    .name = "ParameterDict",
    .call = refuse,
    .extra_repr = dict_of_parameters};

/* Making them. */

enum { DIGITS = 24 };

ctorch_error *nn_Sequential(const char *function, ctorch_module **out, const struct nn_Sequential_options *options) {
  (void)options;
  return module_give(function, out, module_new(&sequential_class), NULL);
}

ctorch_error *nn_ModuleList(const char *function, ctorch_module **out, const struct nn_ModuleList_options *options) {
  (void)options;
  return module_give(function, out, module_new(&module_list_class), NULL);
}

ctorch_error *nn_ModuleDict(const char *function, ctorch_module **out, const struct nn_ModuleDict_options *options) {
  (void)options;
  return module_give(function, out, module_new(&module_dict_class), NULL);
}

ctorch_error *nn_ParameterList(
    const char *function, ctorch_module **out, const struct nn_ParameterList_options *options) {
  ctorch_module *self = module_new(&parameter_list_class);
  ctorch_error *error = NULL;
  char name[DIGITS];
  for (size_t i = 0; self != NULL && error == NULL && i < options->values_len; i++) {
    snprintf(name, sizeof name, "%zu", i);
    error = ctorch_module_register_parameter(self, name, (ctorch_tensor *)options->values[i]);
  }
  return module_give(function, out, self, error);
}

ctorch_error *nn_ParameterDict(
    const char *function, ctorch_module **out, const struct nn_ParameterDict_options *options) {
  (void)options;
  return module_give(function, out, module_new(&parameter_dict_class), NULL);
}

/* Counting. */

size_t ctorch_module_len(const ctorch_module *self) { return self == NULL ? 0 : self->children.len; }

/* A place from the front, or from the end; `extra` is 1 where one behind the last is a place too. */
static ctorch_error *place_of(
    const char *function, size_t *out, const ctorch_module *self, int64_t index, size_t extra) {
  int64_t len = (int64_t)self->children.len, at = index < 0 ? index + len : index;
  if (at < 0 || at >= len + (int64_t)extra) {
    return error_make(function, CTORCH_ERROR_INDEX, "index %" PRId64 " is out of range", index);
  }
  *out = (size_t)at;
  return NULL;
}

/* NULLs, and what is no list of modules. */
static ctorch_error *check_list(const char *function, const ctorch_module *self) {
  CTORCH_TRY(error_refusal(function));
  if (self == NULL) {
    return error_null(function, "self");
  }
  const module_class *type = module_class_of(self);
  return type == &sequential_class || type == &module_list_class
             ? NULL
             : error_make(
                   function, CTORCH_ERROR_TYPE, "self must be a Sequential or ModuleList, not %s", module_name(self));
}

ctorch_error *ctorch_module_at(ctorch_module **out, const ctorch_module *self, int64_t index) {
  size_t at = 0;
  CTORCH_TRY(error_refusal(__func__));
  if (out == NULL || self == NULL) {
    return error_null(__func__, out == NULL ? "out" : "self");
  }
  CTORCH_TRY(place_of(__func__, &at, self, index, 0));
  if (self->children.data[at].module == NULL) {
    *out = NULL;
    return NULL;
  }
  return object_give(__func__, out, object_ref(self->children.data[at].module));
}

/* Names are "0", "1", … again. */
static ctorch_error *renumber(const char *function, ctorch_module *self) {
  char name[DIGITS];
  for (size_t i = 0; i < self->children.len; i++) {
    int len = snprintf(name, sizeof name, "%zu", i);
    if (strcmp(self->children.data[i].name, name) != 0) {
      char *own = realloc(self->children.data[i].name, (size_t)len + 1);
      if (own == NULL) {
        return error_memory(function, (uint64_t)len + 1);
      }
      self->children.data[i].name = memcpy(own, name, (size_t)len + 1);
    }
  }
  return NULL;
}

static ctorch_error *insert(const char *function, ctorch_module *self, size_t at, const ctorch_module *module) {
  char name[DIGITS];
  size_t number = self->children.len;
  snprintf(name, sizeof name, "%zu", number);
  while (module_find_child(self, name) != NULL) { /* one that was named so by hand */
    snprintf(name, sizeof name, "%zu", ++number);
  }
  CTORCH_TRY(module_add_child(function, self, name, module));
  size_t last = self->children.len - 1;
  if (at == last) {
    return NULL;
  }
  name_index_forget(&self->children.index);
  struct module_child added = self->children.data[last];
  memmove(self->children.data + at + 1, self->children.data + at, (last - at) * sizeof added);
  self->children.data[at] = added;
  return renumber(function, self);
}

ctorch_error *ctorch_module_append(ctorch_module *self, const ctorch_module *module) {
  CTORCH_TRY(check_list(__func__, self));
  return module == NULL ? error_null(__func__, "module") : insert(__func__, self, self->children.len, module);
}

ctorch_error *ctorch_module_insert(ctorch_module *self, int64_t index, const ctorch_module *module) {
  size_t at = 0;
  CTORCH_TRY(check_list(__func__, self));
  if (module == NULL) {
    return error_null(__func__, "module");
  }
  CTORCH_TRY(place_of(__func__, &at, self, index, 1));
  return insert(__func__, self, at, module);
}

ctorch_error *ctorch_module_remove_at(ctorch_module *self, int64_t index) {
  size_t at = 0;
  CTORCH_TRY(check_list(__func__, self));
  CTORCH_TRY(place_of(__func__, &at, self, index, 0));
  name_index_forget(&self->children.index);
  struct module_child removed = self->children.data[at];
  self->children.len--;
  memmove(self->children.data + at, self->children.data + at + 1, (self->children.len - at) * sizeof removed);
  free(removed.name);
  object_unref(removed.module);
  return renumber(__func__, self);
}
