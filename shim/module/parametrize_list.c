/* The parametrizations of one tensor: a list whose forward computes it. */
#include "module/parametrize_list.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/sequence.h"
#include "base/text.h"
#include "core/c/error.h"
#include "module/layer.h"
#include "module/repr.h"

struct list {
  ctorch_module module; /* children "0", "1" …; "original", or "original0", "original1" … */
  bool is_unsafe, is_tensor;
  size_t tensors;
};

static struct list *list_of(const ctorch_module *self) { return (struct list *)self; }

enum { NAME = 32 };

static const char *name_of(char name[NAME], const struct list *self, size_t i) {
  snprintf(name, NAME, self->is_tensor ? "original" : "original%zu", i);
  return name;
}

static ctorch_tensor *original_at(const struct list *self, size_t i) {
  char name[NAME];
  ctorch_tensor *parameter = module_parameter(&self->module, name_of(name, self, i));
  return parameter != NULL ? parameter : module_buffer(&self->module, name);
}

/* Forward. */

static ctorch_error *originals_as_tuple(const char *function, ctorch_value **out, const struct list *self) {
  ctorch_value *list = NULL;
  CTORCH_TRY(ctorch_value_from_list(&list, NULL, 0));
  ctorch_error *error = NULL;
  for (size_t i = 0; error == NULL && i < self->tensors; i++) {
    const ctorch_tensor *tensor = original_at(self, i);
    ctorch_value *value = NULL;
    char name[NAME];
    error = tensor == NULL ? error_make(
                                 function, CTORCH_ERROR_INDEX, "'ParametrizationList' object has no attribute '%s'",
                                 name_of(name, self, i))
                           : ctorch_value_from_tensor(&value, tensor);
    THEN(error, ctorch_value_list_append(list, value));
    ctorch_value_release(value);
  }
  if (error != NULL) {
    ctorch_value_release(list);
    return error;
  }
  *out = list;
  return NULL;
}

static ctorch_error *call(
    ctorch_module *module, ctorch_value **out, const ctorch_value *args, const ctorch_value *kwargs) {
  const char *function = "ctorch_module_call";
  size_t given = ctorch_value_len(args) + (kwargs == NULL ? 0 : ctorch_value_len(kwargs));
  if (given > 0) {
    return error_make(
        function, CTORCH_ERROR_TYPE, "forward() takes no arguments, but %zu %s given", given,
        given == 1 ? "was" : "were");
  }
  ctorch_value *at = NULL, *next = NULL;
  CTORCH_TRY(originals_as_tuple(function, &at, list_of(module)));
  ctorch_error *error = NULL;
  for (size_t i = 0; error == NULL && i < module->children.len; i++) {
    ctorch_module *child = object_ref(module->children.data[i].module);
    ctorch_value *tuple = NULL;
    error = child == NULL ? error_make(function, CTORCH_ERROR_TYPE, "'NoneType' object is not callable")
            : i == 0      ? NULL
                          : ctorch_value_from_tuple(&tuple, (const ctorch_value *const[]){at}, 1);
    THEN(error, ctorch_module_call(&next, child, i == 0 ? at : tuple, NULL));
    ctorch_value_release(tuple);
    ctorch_value_release(at);
    object_unref(child);
    at = next;
    next = NULL;
  }
  if (error == NULL) {
    *out = at;
  }
  return error;
}

static const module_class list_class = {
    .object = MODULE_OBJECT(struct list), .name = "ParametrizationList", .call = call, .children_repr = repr_list};

static ctorch_error *refuse_value(const char *function, const ctorch_value *value) {
  ctorch_value_kind kind = ctorch_value_kind_of(value);
  return kind == CTORCH_VALUE_TENSOR
             ? NULL
             : error_make(
                   function, CTORCH_ERROR_VALUE, "A parametrization must return a tensor. Got %s.",
                   ctorch_value_kind_name(kind));
}

/* The tensor in a value, which is consumed. */
static ctorch_error *to_tensor(const char *function, ctorch_tensor **out, ctorch_value *value) {
  ctorch_error *error = refuse_value(function, value);
  THEN(error, ctorch_value_to_tensor(out, value));
  ctorch_value_release(value);
  return error;
}

ctorch_error *parametrize_list_compute(const char *function, ctorch_tensor **out, ctorch_module *self) {
  ctorch_value *value = NULL;
  CTORCH_TRY(ctorch_module_call(&value, self, NULL, NULL));
  return to_tensor(function, out, value);
}

/* Right inverses. */

/* What a parametrization's right inverse gives; the value itself where it need not have one, and has none. */
static ctorch_error *invert(
    const char *function, ctorch_value **out, ctorch_module *self, const ctorch_value *value, bool is_needed) {
  const module_class *type = module_class_of(self);
  bool has_one = type->has_right_inverse != NULL ? type->has_right_inverse(self) : type->right_inverse != NULL;
  if (!has_one && is_needed) {
    return error_make(
        function, CTORCH_ERROR_RUNTIME, "parametrization %s does not implement right_inverse.", module_name(self));
  }
  ctorch_error *error = has_one ? type->right_inverse(self, out, value) : NULL;
  bool is_given = has_one && error == NULL;
  if (is_given || (error != NULL && (is_needed || ctorch_error_kind_of(error) != CTORCH_ERROR_NOT_IMPLEMENTED))) {
    return error;
  }
  ctorch_error_release(error);
  ctorch_value_retain(value);
  *out = (ctorch_value *)value;
  return NULL;
}

/* The same of a tensor, recorded by no graph. */
static ctorch_error *invert_tensor(
    const char *function, ctorch_value **out, ctorch_module *self, const ctorch_tensor *tensor) {
  ctorch_value *value = NULL;
  CTORCH_TRY(ctorch_grad_mode_push(false));
  ctorch_error *error = ctorch_value_from_tensor(&value, tensor);
  THEN(error, invert(function, out, self, value, false));
  ctorch_value_release(value);
  return ctorch_error_first(error, ctorch_grad_mode_pop());
}

ctorch_error *parametrize_set(ctorch_tensor *self, const ctorch_tensor *other) {
  CTORCH_TRY(ctorch_grad_mode_push(false));
  ctorch_error *error = ctorch_aten_set__source_Tensor(self, other);
  return ctorch_error_first(error, ctorch_grad_mode_pop());
}

static const char *dtype_of(const ctorch_tensor *tensor) { return ctorch_dtype_name(ctorch_tensor_dtype(tensor)); }

/* Making one. */

static ctorch_error *add_original(struct list *self, ctorch_tensor *tensor, size_t i, bool is_parameter) {
  char name[NAME];
  return is_parameter ? ctorch_module_register_parameter(&self->module, name_of(name, self, i), tensor)
                      : ctorch_module_register_buffer(&self->module, name_of(name, self, i), tensor, true);
}

/* The original itself, with the memory of what the right inverse gave. */
static ctorch_error *keep(
    const char *function, struct list *self, ctorch_tensor *whole, const ctorch_value *given, bool is_parameter) {
  ctorch_tensor *tensor = NULL;
  ctorch_device from = {0}, to = {0};
  CTORCH_TRY(ctorch_value_to_tensor(&tensor, given));
  ctorch_error *error = ctorch_tensor_device(&from, whole);
  THEN(error, ctorch_tensor_device(&to, tensor));
  if (error == NULL && ctorch_tensor_dtype(whole) != ctorch_tensor_dtype(tensor)) {
    error = error_make(
        function, CTORCH_ERROR_VALUE,
        "When `right_inverse` outputs one tensor, it may not change the dtype.\noriginal.dtype: torch.%s\n"
        "right_inverse(original).dtype: torch.%s",
        dtype_of(whole), dtype_of(tensor));
  }
  if (error == NULL && (from.type != to.type || from.index != to.index)) {
    error = error_make(
        function, CTORCH_ERROR_VALUE, "When `right_inverse` outputs one tensor, it may not change the device.");
  }
  THEN(error, parametrize_set(whole, tensor));
  ctorch_tensor_release(tensor);
  return error != NULL ? error : add_original(self, whole, 0, is_parameter);
}

/* One of several: a leaf of its own. */
static ctorch_error *keep_one_of(
    const char *function,
    struct list *self,
    const ctorch_tensor *whole,
    const ctorch_value *given,
    size_t i,
    bool is_parameter) {
  ctorch_tensor *tensor = NULL, *leaf = NULL;
  ctorch_value_kind kind = ctorch_value_kind_of(given);
  if (kind != CTORCH_VALUE_TENSOR) {
    return error_make(
        function, CTORCH_ERROR_VALUE,
        "'right_inverse' must return a Tensor or a Sequence of tensors (list, tuple...). Got element %zu of the "
        "sequence with type %s.",
        i, ctorch_value_kind_name(kind));
  }
  CTORCH_TRY(ctorch_value_to_tensor(&tensor, given));
  ctorch_error *error = ctorch_aten_detach(&leaf, tensor);
  ctorch_tensor_release(tensor);
  THEN(error, ctorch_tensor_set_requires_grad(leaf, ctorch_tensor_requires_grad(whole)));
  THEN(error, add_original(self, leaf, i, is_parameter));
  ctorch_tensor_release(leaf);
  return error;
}

static ctorch_error *keep_all(
    const char *function, struct list *self, ctorch_tensor *whole, const ctorch_value *given, bool is_parameter) {
  ctorch_value_kind kind = ctorch_value_kind_of(given);
  self->is_tensor = kind == CTORCH_VALUE_TENSOR;
  self->tensors = self->is_tensor ? 1 : ctorch_value_len(given);
  if (self->is_tensor) {
    return keep(function, self, whole, given, is_parameter);
  }
  if (kind != CTORCH_VALUE_LIST && kind != CTORCH_VALUE_TUPLE) {
    return error_make(
        function, CTORCH_ERROR_VALUE,
        "'right_inverse' must return a Tensor or a Sequence of tensors (list, tuple...). Got %s",
        ctorch_value_kind_name(kind));
  }
  ctorch_error *error = NULL;
  for (size_t i = 0; error == NULL && i < self->tensors; i++) {
    ctorch_value *value = NULL;
    error = ctorch_value_get(&value, given, i);
    THEN(error, keep_one_of(function, self, whole, value, i, is_parameter));
    ctorch_value_release(value);
  }
  return error;
}

enum check { OF_THE_FIRST, OF_ONE_MORE, OF_A_RIGHT_INVERSE };

static void write_property(struct text *text, const ctorch_tensor *tensor, bool is_dtype) {
  if (is_dtype) {
    text_add(text, "torch.%s", dtype_of(tensor));
  } else {
    text_size(text, tensor);
  }
}

/* VALUE for a tensor whose dtype or shape is not that of another. */
static ctorch_error *check_same(
    const char *function, enum check check, const char *name, const ctorch_tensor *before, const ctorch_tensor *after) {
  bool is_dtype = ctorch_tensor_dtype(before) != ctorch_tensor_dtype(after);
  if (!is_dtype && layer_has_shape_of(before, after)) {
    return NULL;
  }
  const char *property = is_dtype ? "dtype" : "shape";
  struct text text = {.function = function};
  if (check == OF_A_RIGHT_INVERSE) {
    text_add(
        &text,
        "The tensor returned by parametrization.right_inverse must have the same %s as module.%s, unless the `unsafe` "
        "flag is enabled.\n",
        property, name);
  } else {
    text_add(
        &text,
        "Registering a parametrization may not change the %s of the tensor, unless %s`unsafe` flag is enabled.\n",
        property, check == OF_THE_FIRST ? "" : "the ");
  }
  if (check == OF_THE_FIRST) {
    text_add(&text, "unparametrized %s: ", property);
  } else {
    text_add(&text, "module.%s.%s: ", name, property);
  }
  write_property(&text, before, is_dtype);
  if (check == OF_ONE_MORE) {
    text_add(&text, "\nparametrization(module.%s).%s: ", name, property);
  } else {
    text_add(&text, "\n%s %s: ", check == OF_THE_FIRST ? "parametrized" : "returned", property);
  }
  write_property(&text, after, is_dtype);
  ctorch_error *error = error_make(function, CTORCH_ERROR_VALUE, "%s", text_data(&text));
  return ctorch_error_first(error, text_end(&text));
}

/* `before` has the shape and dtype that the tensor had. */
static ctorch_error *check_first(const char *function, struct list *self, const ctorch_tensor *before) {
  ctorch_tensor *computed = NULL;
  CTORCH_TRY(parametrize_list_compute(function, &computed, &self->module));
  ctorch_error *error = check_same(function, OF_THE_FIRST, "", before, computed);
  ctorch_tensor_release(computed);
  return error;
}

ctorch_error *parametrize_list_new(
    const char *function,
    ctorch_module **out,
    ctorch_module *parametrization,
    ctorch_tensor *whole,
    bool is_parameter,
    bool unsafe) {
  struct list *self = module_new(&list_class);
  if (self == NULL) {
    return error_memory(function, sizeof *self);
  }
  self->is_unsafe = unsafe;
  ctorch_value *given = NULL;
  ctorch_tensor *before = NULL;
  ctorch_error *error = module_add_child(function, &self->module, "0", parametrization);
  THEN(error, ctorch_aten_detach(&before, whole));
  THEN(error, invert_tensor(function, &given, parametrization, whole));
  THEN(error, keep_all(function, self, whole, given, is_parameter));
  ctorch_value_release(given);
  if (error == NULL && !unsafe) {
    error = check_first(function, self, before);
  }
  if (error != NULL && before != NULL) {
    error = ctorch_error_first(error, parametrize_set(whole, before));
  }
  ctorch_tensor_release(before);
  if (error != NULL) {
    object_unref(self);
    return error;
  }
  *out = &self->module;
  return NULL;
}

/* One more. */

/* What the right inverse of one more gives for what its forward gave. */
static ctorch_error *check_inverse(
    const char *function,
    const char *name,
    ctorch_module *parametrization,
    const ctorch_tensor *before,
    const ctorch_value *computed) {
  ctorch_value *value = NULL;
  ctorch_tensor *tensor = NULL;
  CTORCH_TRY(invert(function, &value, parametrization, computed, false));
  ctorch_error *error = NULL;
  if (ctorch_value_kind_of(value) != CTORCH_VALUE_TENSOR) {
    error = error_make(
        function, CTORCH_ERROR_VALUE, "parametrization.right_inverse must return a tensor. Got: %s",
        ctorch_value_kind_name(ctorch_value_kind_of(value)));
  }
  THEN(error, ctorch_value_to_tensor(&tensor, value));
  THEN(error, check_same(function, OF_A_RIGHT_INVERSE, name, before, tensor));
  ctorch_tensor_release(tensor);
  ctorch_value_release(value);
  return error;
}

static ctorch_error *check_more(
    const char *function, const char *name, ctorch_module *parametrization, const ctorch_tensor *before) {
  ctorch_value *value = NULL, *args = NULL, *computed = NULL;
  ctorch_tensor *tensor = NULL;
  CTORCH_TRY(ctorch_value_from_tensor(&value, before));
  ctorch_error *error = ctorch_value_from_tuple(&args, (const ctorch_value *const[]){value}, 1);
  ctorch_value_release(value);
  THEN(error, ctorch_module_call(&computed, parametrization, args, NULL));
  ctorch_value_release(args);
  THEN(error, refuse_value(function, computed));
  THEN(error, ctorch_value_to_tensor(&tensor, computed));
  THEN(error, check_same(function, OF_ONE_MORE, name, before, tensor));
  THEN(error, check_inverse(function, name, parametrization, before, computed));
  ctorch_tensor_release(tensor);
  ctorch_value_release(computed);
  return error;
}

ctorch_error *parametrize_list_append(
    const char *function,
    ctorch_module *module,
    const char *name,
    const ctorch_tensor *now,
    ctorch_module *parametrization,
    bool unsafe) {
  struct list *self = list_of(module);
  char number[NAME];
  if (!unsafe) {
    CTORCH_TRY(check_more(function, name, parametrization, now));
  }
  snprintf(number, sizeof number, "%zu", module->children.len);
  CTORCH_TRY(module_add_child(function, module, number, parametrization));
  self->is_unsafe |= unsafe;
  return NULL;
}

/* Those that there are. */

ctorch_module *parametrize_list_of(const ctorch_module *module, const char *name) {
  const ctorch_module *all = module_child(module, "parametrizations");
  if (all == NULL || strcmp(module_class_of(all)->name, "ModuleDict") != 0) {
    return NULL;
  }
  ctorch_module *found = module_child(all, name);
  return found != NULL && module_class_of(found) == &list_class ? found : NULL;
}

bool parametrize_list_is_tensor(const ctorch_module *self) { return list_of(self)->is_tensor; }

ctorch_tensor *parametrize_list_original(const ctorch_module *self) { return original_at(list_of(self), 0); }

/* One of the originals as a value is computed from it; nothing is changed. */
static ctorch_error *check_original(
    const char *function, const struct list *self, const ctorch_value *value, size_t i, ctorch_tensor **out) {
  char name[NAME];
  const ctorch_tensor *original = original_at(self, i);
  ctorch_tensor *tensor = NULL;
  name_of(name, self, i);
  if (original == NULL) {
    return error_make(function, CTORCH_ERROR_INDEX, "'ParametrizationList' object has no attribute '%s'", name);
  }
  const char *kind = ctorch_value_kind_name(ctorch_value_kind_of(value));
  if (ctorch_value_kind_of(value) != CTORCH_VALUE_TENSOR) {
    return self->is_tensor
               ? error_make(function, CTORCH_ERROR_VALUE, "`right_inverse` should return a tensor. Got %s", kind)
               : error_make(
                     function, CTORCH_ERROR_VALUE,
                     "'right_inverse' must return a sequence of tensors. Got element %zu of type %s.", i, kind);
  }
  CTORCH_TRY(ctorch_value_to_tensor(&tensor, value));
  if (ctorch_tensor_dtype(tensor) != ctorch_tensor_dtype(original)) {
    ctorch_error *error =
        self->is_tensor
            ? error_make(
                  function, CTORCH_ERROR_VALUE,
                  "The tensor returned by `right_inverse` has dtype torch.%s while `original` has dtype torch.%s",
                  dtype_of(tensor), dtype_of(original))
            : error_make(
                  function, CTORCH_ERROR_VALUE,
                  "Tensor %zu returned by `right_inverse` has dtype torch.%s while `%s` has dtype torch.%s", i,
                  dtype_of(tensor), name, dtype_of(original));
    ctorch_tensor_release(tensor);
    return error;
  }
  *out = tensor;
  return NULL;
}

static ctorch_error *assign_all(const char *function, struct list *self, const ctorch_value *value) {
  ctorch_value_kind kind = ctorch_value_kind_of(value);
  if (!self->is_tensor && kind != CTORCH_VALUE_LIST && kind != CTORCH_VALUE_TUPLE) {
    return error_make(
        function, CTORCH_ERROR_VALUE, "'right_inverse' must return a sequence of tensors. Got %s.",
        ctorch_value_kind_name(kind));
  }
  if (!self->is_tensor && ctorch_value_len(value) != self->tensors) {
    return error_make(
        function, CTORCH_ERROR_VALUE,
        "'right_inverse' must return a sequence of tensors of length %zu. Got a sequence of length %zu.", self->tensors,
        ctorch_value_len(value));
  }
  ctorch_tensor **tensors = array_new(self->tensors, sizeof *tensors);
  ctorch_error *error = tensors == NULL ? error_memory(function, self->tensors * sizeof *tensors) : NULL;
  for (size_t i = 0; error == NULL && i < self->tensors; i++) {
    ctorch_value *one = NULL;
    error = self->is_tensor ? NULL : ctorch_value_get(&one, value, i);
    THEN(error, check_original(function, self, self->is_tensor ? value : one, i, &tensors[i]));
    ctorch_value_release(one);
  }
  for (size_t i = 0; error == NULL && i < self->tensors; i++) {
    error = parametrize_set(original_at(self, i), tensors[i]);
  }
  for (size_t i = 0; tensors != NULL && i < self->tensors; i++) {
    ctorch_tensor_release(tensors[i]);
  }
  free(tensors);
  return error;
}

ctorch_error *parametrize_list_assign(const char *function, ctorch_module *self, const ctorch_tensor *value) {
  ctorch_value *at = NULL, *next = NULL;
  CTORCH_TRY(ctorch_grad_mode_push(false));
  ctorch_error *error = ctorch_value_from_tensor(&at, value);
  for (size_t i = self->children.len; error == NULL && i-- > 0;) {
    ctorch_module *child = object_ref(self->children.data[i].module);
    error = invert(function, &next, child, at, true);
    object_unref(child);
    ctorch_value_release(at);
    at = next;
    next = NULL;
  }
  THEN(error, assign_all(function, list_of(self), at));
  ctorch_value_release(at);
  return ctorch_error_first(error, ctorch_grad_mode_pop());
}

ctorch_error *parametrize_list_share(ctorch_module *self, const ctorch_module *other) {
  const struct list *from = list_of(other);
  for (size_t i = 0; i < from->tensors; i++) {
    char name[NAME];
    const struct module_tensor *entry = module_find_tensor(&other->parameters, name_of(name, from, i));
    bool is_parameter = entry != NULL;
    entry = is_parameter ? entry : module_find_tensor(&other->buffers, name);
    if (entry == NULL || entry->tensor == NULL) {
      continue;
    }
    if (module_find_tensor(is_parameter ? &self->buffers : &self->parameters, name) != NULL) {
      CTORCH_TRY(ctorch_module_unregister(self, name));
    }
    CTORCH_TRY(
        is_parameter ? ctorch_module_register_parameter(self, name, entry->tensor)
                     : ctorch_module_register_buffer(self, name, entry->tensor, true));
  }
  return NULL;
}
