/* Lambda: a function of each part of a sample. */
#include <string.h>

#include "base/sequence.h"
#include "base/text.h"
#include "constructors/transforms.h"
#include "core/c/boxed.h"
#include "core/c/error.h"
#include "transforms/parts.h"

struct lambda {
  ctorch_transform transform;
  struct transform_parts parts; /* the one */
  ctorch_value *types;          /* a list of texts */
};

static void finalize(void *object) {
  struct lambda *self = object;
  transform_parts_end(&self->parts);
  value_unref(self->types);
}

/* isinstance(value, type), for a type by its name. */
static bool is_of(const ctorch_value *value, const ctorch_tensor *tensor, const char *type) {
  ctorch_value_kind kind = ctorch_value_kind_of(value);
  if (strcmp(type, "object") == 0) {
    return true;
  }
  if (tensor != NULL) {
    ctorch_tv_tensor_kind mark = ctorch_tv_tensor_kind_of(tensor);
    return strcmp(type, "Tensor") == 0 || strcmp(type, ctorch_tv_tensor_kind_name(mark)) == 0 ||
           (mark != CTORCH_TV_TENSOR_NONE && strcmp(type, "TVTensor") == 0);
  }
  return strcmp(type, ctorch_value_kind_name(kind)) == 0 || (kind == CTORCH_VALUE_BOOL && strcmp(type, "int") == 0) ||
         (kind == CTORCH_VALUE_NONE && strcmp(type, "NoneType") == 0);
}

static ctorch_error *is_of_any(
    bool *out, const ctorch_value *value, const ctorch_tensor *tensor, const ctorch_value *types) {
  *out = false;
  for (size_t i = 0; !*out && i < ctorch_value_len(types); i++) {
    ctorch_value *type = NULL;
    const char *name = NULL;
    CTORCH_TRY(ctorch_value_get(&type, types, i));
    ctorch_error *error = ctorch_value_to_string(&name, NULL, type);
    *out = error == NULL && is_of(value, tensor, name);
    ctorch_value_release(type);
    if (error != NULL) {
      return error;
    }
  }
  return NULL;
}

static ctorch_error *call(
    const ctorch_transform *object, struct transform_call *call, ctorch_value **out, const ctorch_value *input) {
  const struct lambda *self = (const struct lambda *)object;
  struct transform_leaves leaves = {0};
  ctorch_error *error = transform_flatten(call->function, &leaves, input, TRANSFORM_TENSORS);
  for (size_t i = 0; error == NULL && i < leaves.len; i++) {
    bool is_wanted = false;
    ctorch_value *made = NULL;
    if (leaves.tensors[i] == NULL || leaves.is_transformed[i]) {
      error = is_of_any(&is_wanted, leaves.values[i], leaves.tensors[i], self->types);
    }
    if (error != NULL || !is_wanted) {
      continue;
    }
    error = transform_run(self->parts.data[0], call, &made, leaves.values[i]);
    if (error == NULL) {
      ctorch_value_release(leaves.values[i]);
      leaves.values[i] = made;
    }
  }
  THEN(error, transform_unflatten(call->function, out, input, &leaves));
  transform_leaves_end(&leaves);
  return error;
}

static void extra_repr(const ctorch_transform *object, struct text *text) {
  const struct lambda *self = (const struct lambda *)object;
  text_add(text, "%s, types=", ctorch_transform_name(self->parts.data[0]));
  text_value(text, self->types);
}

static bool may_thread(const ctorch_transform *self) {
  return transform_parts_may_thread(&((const struct lambda *)self)->parts);
}

static const transform_class lambda_class = {
    .object = TRANSFORM_OBJECT_WITH(struct lambda, finalize),
    .name = "Lambda",
    .call = call,
    .extra_repr = extra_repr,
    .may_thread = may_thread,
};

/* The names as a list of its own, for a text or a list of texts. */
static ctorch_error *read_types(const char *function, ctorch_value **out, const ctorch_value *types) {
  ctorch_value_kind kind = types == NULL ? CTORCH_VALUE_NONE : ctorch_value_kind_of(types);
  bool is_list = kind == CTORCH_VALUE_LIST || kind == CTORCH_VALUE_TUPLE;
  size_t len = is_list ? ctorch_value_len(types) : 0;
  ctorch_value *list = NULL;
  CTORCH_TRY(ctorch_value_from_list(&list, NULL, 0));
  ctorch_error *error = NULL;
  for (size_t i = 0; error == NULL && i < len; i++) {
    ctorch_value *entry = NULL;
    error = ctorch_value_get(&entry, types, i);
    if (error == NULL && ctorch_value_kind_of(entry) != CTORCH_VALUE_STRING) {
      error = error_make(
          function, CTORCH_ERROR_TYPE, "types: expected names of types, found %s",
          ctorch_value_kind_name(ctorch_value_kind_of(entry)));
    }
    THEN(error, ctorch_value_list_append(list, entry));
    ctorch_value_release(entry);
  }
  if (error == NULL && kind == CTORCH_VALUE_STRING) {
    error = ctorch_value_list_append(list, types);
  } else if (error == NULL && len == 0) {
    ctorch_value *all = NULL;
    error = kind == CTORCH_VALUE_NONE || is_list
                ? ctorch_value_from_string(&all, "object")
                : error_make(
                      function, CTORCH_ERROR_TYPE, "types: expected a text or a list of texts, found %s",
                      ctorch_value_kind_name(kind));
    THEN(error, ctorch_value_list_append(list, all));
    ctorch_value_release(all);
  }
  if (error != NULL) {
    ctorch_value_release(list);
    return error;
  }
  *out = value_take(list);
  return NULL;
}

ctorch_error *transforms_Lambda(
    const char *function, ctorch_transform **out, const struct transforms_Lambda_options *options) {
  struct lambda *self = transform_new(&lambda_class);
  if (self == NULL) {
    return error_memory(function, sizeof *self);
  }
  ctorch_error *error = transform_parts_begin(function, &self->parts, &self->transform, &options->lambd, 1);
  THEN(error, read_types(function, &self->types, options->types));
  return transform_give(function, out, &self->transform, error);
}
