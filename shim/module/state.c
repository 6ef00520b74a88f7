/* State dicts: <ctorch/module/module_state.h>. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/sequence.h"
#include "base/text.h"
#include "core/c/error.h"
#include "core/c/tensor.h"
#include "module/hooks.h"
#include "module/layer.h"
#include "module/lazy.h"
#include "module/module.h"
#include "module/walk.h"

#define EXTRA_STATE "_extra_state"

/* Three texts as one; to be freed, NULL is out of memory. */
static char *joined(const char *one, const char *two, const char *three) {
  size_t size = strlen(one) + strlen(two) + strlen(three) + 1;
  char *text = malloc(size);
  if (text != NULL) {
    snprintf(text, size, "%s%s%s", one, two, three);
  }
  return text;
}

/* Append a text to a list of texts. */
static ctorch_error *append(ctorch_value *list, const char *text) {
  ctorch_value *value = NULL;
  CTORCH_TRY(ctorch_value_from_string(&value, text));
  ctorch_error *error = ctorch_value_list_append(list, value);
  ctorch_value_release(value);
  return error;
}

/* Saving. */

struct saving {
  const char *function;
  ctorch_value *state, *metadata;
  bool keep_vars;
};

static ctorch_error *put(const struct saving *saving, const char *prefix, const char *name, const ctorch_value *value) {
  char *key = joined(prefix, name, "");
  if (key == NULL) {
    return error_memory(saving->function, strlen(prefix) + strlen(name) + 1);
  }
  ctorch_error *error = ctorch_value_dict_put(saving->state, key, value);
  free(key);
  return error;
}

static ctorch_error *save_tensors(
    const struct saving *saving, const char *prefix, const struct module_tensors *tensors) {
  for (size_t i = 0; i < tensors->len; i++) {
    const struct module_tensor *entry = &tensors->data[i];
    if (module_held(entry) == NULL || entry->is_transient) {
      continue;
    }
    ctorch_tensor *detached = NULL;
    ctorch_value *value = NULL;
    bool is_itself = saving->keep_vars || lazy_is(entry); /* what has no sizes gets them in the state dict too */
    if (!is_itself) {
      CTORCH_TRY(ctorch_aten_detach(&detached, entry->tensor));
    }
    ctorch_error *error = ctorch_value_from_tensor(&value, is_itself ? entry->tensor : detached);
    ctorch_tensor_release(detached);
    THEN(error, put(saving, prefix, entry->name, value));
    ctorch_value_release(value);
    CTORCH_TRY(error);
  }
  return NULL;
}

/* What computed tensors say of themselves. */
static ctorch_error *save_computed(const struct module_tensors *tensors, ctorch_value *metadata) {
  for (size_t i = 0; i < tensors->len; i++) {
    const struct module_computed *computed = tensors->data[i].computed;
    if (computed != NULL && computed->saving != NULL) {
      CTORCH_TRY(computed->saving(computed, metadata));
    }
  }
  return NULL;
}

/* {"version": …}, under the name of the module. */
static ctorch_error *save_version(const struct saving *saving, const char *prefix, const ctorch_module *module) {
  int64_t own = module_hooks_version(module->hooks), version = own != 0 ? own : module_class_of(module)->version;
  ctorch_value *number = NULL, *local = NULL;
  CTORCH_TRY(ctorch_value_from_int(&number, version == 0 ? 1 : version));
  ctorch_error *error = ctorch_value_from_dict(&local, NULL, 0, NULL, 0);
  THEN(error, ctorch_value_dict_put(local, "version", number));
  THEN(error, save_computed(&module->parameters, local));
  THEN(error, save_computed(&module->buffers, local));
  char *name = joined(prefix, "", "");
  if (error == NULL && name == NULL) {
    error = error_memory(saving->function, strlen(prefix) + 1);
  }
  if (error == NULL) {
    if (name[0] != '\0') {
      name[strlen(name) - 1] = '\0'; /* without its dot */
    }
    error = ctorch_value_dict_put(saving->metadata, name, local);
  }
  free(name);
  ctorch_value_release(number);
  ctorch_value_release(local);
  return error;
}

static bool has_extra_state(const ctorch_module *module) {
  const module_class *type = module_class_of(module);
  return type->has_extra_state != NULL ? type->has_extra_state(module) : type->extra_state != NULL;
}

static ctorch_error *save_extra_state(const struct saving *saving, const char *prefix, ctorch_module *module) {
  ctorch_value *state = NULL;
  if (!has_extra_state(module)) {
    return NULL;
  }
  CTORCH_TRY(module_class_of(module)->extra_state(module, &state));
  ctorch_error *error = put(saving, prefix, EXTRA_STATE, state);
  ctorch_value_release(state);
  return error;
}

static ctorch_error *save(const struct saving *saving, ctorch_module *module, const char *prefix) {
  CTORCH_TRY(save_version(saving, prefix, module));
  CTORCH_TRY(module_run_state_dict_pre_hooks(saving->function, module, prefix, saving->keep_vars));
  CTORCH_TRY(save_tensors(saving, prefix, &module->parameters));
  CTORCH_TRY(save_tensors(saving, prefix, &module->buffers));
  CTORCH_TRY(save_extra_state(saving, prefix, module));
  for (size_t i = 0; i < module->children.len; i++) {
    ctorch_module *child = object_ref(module->children.data[i].module);
    if (child != NULL) {
      char *inner = joined(prefix, module->children.data[i].name, ".");
      ctorch_error *error =
          inner == NULL ? error_memory(saving->function, strlen(prefix) + 2) : save(saving, child, inner);
      free(inner);
      object_unref(child);
      CTORCH_TRY(error);
    }
  }
  return module_run_state_dict_hooks(saving->function, module, saving->state, prefix, saving->metadata);
}

/* Refuses what is nested too deep for a walk that calls itself. */
static ctorch_error *check_depth(const char *function, const ctorch_module *self) {
  ctorch_named_modules *all = NULL;
  CTORCH_TRY(module_walk(function, &all, self, NULL, true, true));
  object_unref(all);
  return NULL;
}

ctorch_error *ctorch_module_state_dict(
    ctorch_value **out, ctorch_value **out_metadata, ctorch_module *self, const char *prefix, bool keep_vars) {
  CTORCH_TRY(error_refusal(__func__));
  if (out == NULL || self == NULL) {
    return error_null(__func__, out == NULL ? "out" : "self");
  }
  CTORCH_TRY(error_unless_text(__func__, "prefix", prefix));
  CTORCH_TRY(check_depth(__func__, self));
  struct saving saving = {.function = __func__, .keep_vars = keep_vars};
  ctorch_error *error = ctorch_value_from_dict(&saving.state, NULL, 0, NULL, 0);
  THEN(error, ctorch_value_from_dict(&saving.metadata, NULL, 0, NULL, 0));
  THEN(error, save(&saving, self, prefix == NULL ? "" : prefix));
  if (error != NULL || out_metadata == NULL) {
    ctorch_value_release(saving.metadata);
  } else {
    *out_metadata = saving.metadata;
  }
  if (error != NULL) {
    ctorch_value_release(saving.state);
    return error;
  }
  *out = saving.state;
  return NULL;
}

/* Loading. */

ctorch_error *module_loading_fails(struct module_loading *loading, const char *format, ...) {
  struct text text = {.function = loading->function};
  va_list arguments;
  va_start(arguments, format);
  text_add_list(&text, format, arguments);
  va_end(arguments);
  ctorch_error *error = append(loading->messages, text_data(&text));
  return ctorch_error_first(error, text_end(&text));
}

/* The tensor itself in the place of the one that is there. */
static ctorch_error *assign(struct module_tensor *entry, const ctorch_tensor *input, bool is_parameter) {
  ctorch_tensor *own = NULL;
  if (!is_parameter) {
    module_replace(entry, input);
    return NULL;
  }
  if (ctorch_tensor_requires_grad(input) && ctorch_tensor_is_leaf(input)) { /* a parameter already */
    ctorch_tensor_retain(input);
    own = (ctorch_tensor *)input;
  } else {
    CTORCH_TRY(ctorch_aten_detach(&own, input));
  }
  ctorch_error *error = ctorch_tensor_set_requires_grad(own, ctorch_tensor_requires_grad(entry->tensor));
  if (error == NULL) {
    module_replace(entry, own);
  }
  ctorch_tensor_release(own);
  return error;
}

static ctorch_error *copy(struct module_tensor *entry, const ctorch_tensor *input) {
  CTORCH_TRY(ctorch_grad_mode_push(false));
  ctorch_error *error = ctorch_aten_copy_(entry->tensor, input, false);
  return ctorch_error_first(error, ctorch_grad_mode_pop());
}

/* Why a tensor could not be taken over, as one line more of what loading fails with; consumes the error. */
static ctorch_error *tell_failure(
    struct module_loading *loading,
    const char *key,
    const ctorch_tensor *own,
    const ctorch_tensor *input,
    ctorch_error *failure) {
  struct text text = {.function = loading->function};
  text_add(&text, "While copying the parameter named \"%s\", whose dimensions in the model are ", key);
  text_size(&text, own);
  text_add(&text, " and whose dimensions in the checkpoint are ");
  text_size(&text, input);
  text_add(&text, ", an exception occurred : (");
  text_quoted(&text, ctorch_error_message(failure));
  text_add(&text, ",).");
  ctorch_error_release(failure);
  ctorch_error *error = append(loading->messages, text_data(&text));
  return ctorch_error_first(error, text_end(&text));
}

static ctorch_error *load_tensor(
    struct module_loading *loading,
    const char *key,
    struct module_tensor *entry,
    const ctorch_tensor *input,
    bool is_parameter) {
  const ctorch_tensor *own = entry->tensor;
  if (!layer_has_shape_of(own, input)) {
    struct text text = {.function = loading->function};
    text_add(&text, "size mismatch for %s: copying a param with shape ", key);
    text_size(&text, input);
    text_add(&text, " from checkpoint, the shape in current model is ");
    text_size(&text, own);
    text_add(&text, ".");
    ctorch_error *error = append(loading->messages, text_data(&text));
    return ctorch_error_first(error, text_end(&text));
  }
  ctorch_device from = {0}, to = {0};
  CTORCH_TRY(ctorch_tensor_device(&from, input));
  CTORCH_TRY(ctorch_tensor_device(&to, own));
  if (to.type == CTORCH_DEVICE_TYPE_META && from.type != CTORCH_DEVICE_TYPE_META && !loading->assign) {
    struct text text = {.function = loading->function};
    text_add(
        &text, "for %s: copying from a tensor with data to a meta tensor is a no-op; did you mean to load with assign?",
        key);
    ctorch_error *error = ctorch_warning_emit(CTORCH_WARNING_USER, text_data(&text));
    CTORCH_TRY(ctorch_error_first(error, text_end(&text)));
  }
  tensor_ref(own); /* it may be replaced */
  ctorch_error *failure = loading->assign ? assign(entry, input, is_parameter) : copy(entry, input);
  ctorch_error *error = failure == NULL ? NULL : tell_failure(loading, key, own, input, failure);
  tensor_unref((ctorch_tensor *)own);
  return error;
}

static ctorch_error *load_entry(
    struct module_loading *loading, const char *key, struct module_tensor *entry, bool is_parameter) {
  bool is_there = false;
  ctorch_value *name = NULL, *value = NULL;
  CTORCH_TRY(ctorch_value_from_string(&name, key));
  ctorch_error *error = ctorch_value_dict_contains(&is_there, loading->state_dict, name);
  if (error == NULL && is_there) {
    error = ctorch_value_dict_get(&value, loading->state_dict, name);
  }
  ctorch_value_release(name);
  CTORCH_TRY(error);
  if (!is_there) {
    return append(loading->missing, key);
  }
  ctorch_tensor *tensor = NULL, *first = NULL;
  if (ctorch_value_kind_of(value) != CTORCH_VALUE_TENSOR) {
    error = module_loading_fails(
        loading, "While copying the parameter named \"%s\", expected a tensor from the checkpoint but received %s.",
        key, ctorch_value_kind_name(ctorch_value_kind_of(value)));
    ctorch_value_release(value);
    return error;
  }
  error = ctorch_value_to_tensor(&tensor, value);
  ctorch_value_release(value);
  if (error == NULL && ctorch_tensor_ndim(entry->tensor) == 0 && ctorch_tensor_ndim(tensor) == 1 &&
      ctorch_tensor_numel(tensor) == 1) {
    error = ctorch_aten_select_int(&first, tensor, 0, 0); /* scalars had a dimension before 0.4 */
  }
  THEN(error, load_tensor(loading, key, entry, first != NULL ? first : tensor, is_parameter));
  ctorch_tensor_release(first);
  ctorch_tensor_release(tensor);
  return error;
}

static ctorch_error *load_tensors(struct module_loading *loading, struct module_tensors *tensors, bool are_parameters) {
  for (size_t i = 0; i < tensors->len; i++) {
    struct module_tensor *entry = &tensors->data[i];
    if (module_held(entry) == NULL || entry->is_transient) {
      continue;
    }
    char *key = joined(loading->prefix, entry->name, "");
    ctorch_error *error = key == NULL ? error_memory(loading->function, strlen(loading->prefix) + 1)
                                      : load_entry(loading, key, entry, are_parameters);
    free(key);
    CTORCH_TRY(error);
  }
  return NULL;
}

static ctorch_error *load_extra_state(struct module_loading *loading, ctorch_module *module) {
  bool is_there = false, is_known = has_extra_state(module);
  char *key = joined(loading->prefix, EXTRA_STATE, "");
  if (key == NULL) {
    return error_memory(loading->function, strlen(loading->prefix) + sizeof EXTRA_STATE);
  }
  ctorch_value *name = NULL, *state = NULL;
  ctorch_error *error = ctorch_value_from_string(&name, key);
  THEN(error, ctorch_value_dict_contains(&is_there, loading->state_dict, name));
  if (error == NULL && is_known && is_there) {
    error = ctorch_value_dict_get(&state, loading->state_dict, name);
    THEN(error, module_class_of(module)->set_extra_state(module, state));
    ctorch_value_release(state);
  } else if (error == NULL && is_known != is_there) {
    error = append(is_known ? loading->missing : loading->unexpected, key);
  }
  ctorch_value_release(name);
  free(key);
  return error;
}

/* Whether a module has a tensor or a module that a key, without the module's prefix, may be about. */
static bool expects(const ctorch_module *module, const char *key) {
  const char *dot = strchr(key, '.');
  size_t len = dot == NULL ? strlen(key) : (size_t)(dot - key);
  for (size_t i = 0; dot != NULL && i < module->children.len; i++) {
    const char *name = module->children.data[i].name;
    if (strlen(name) == len && memcmp(name, key, len) == 0) {
      return true;
    }
  }
  if (dot != NULL) {
    return false;
  }
  const struct module_tensor *parameter = module_find_tensor(&module->parameters, key);
  const struct module_tensor *buffer = module_find_tensor(&module->buffers, key);
  return (parameter != NULL && module_held(parameter) != NULL) ||
         (buffer != NULL && buffer->tensor != NULL && !buffer->is_transient);
}

/* What `each` does with a key and its value. */
static ctorch_error *for_entries(
    const ctorch_value *dict,
    ctorch_error *(*each)(void *payload, const char *key, const ctorch_value *value),
    void *payload) {
  ctorch_value *keys = NULL, *values = NULL;
  CTORCH_TRY(ctorch_value_dict_keys(&keys, dict));
  ctorch_error *error = ctorch_value_dict_values(&values, dict);
  for (size_t i = 0; error == NULL && i < ctorch_value_len(keys); i++) {
    ctorch_value *key = NULL, *value = NULL;
    const char *text = NULL;
    error = ctorch_value_get(&key, keys, i);
    THEN(error, ctorch_value_to_string(&text, NULL, key));
    THEN(error, ctorch_value_get(&value, values, i));
    THEN(error, each(payload, text, value));
    ctorch_value_release(value);
    ctorch_value_release(key);
  }
  ctorch_value_release(keys);
  ctorch_value_release(values);
  return error;
}

struct unexpected {
  struct module_loading *loading;
  const ctorch_module *module;
};

static ctorch_error *find_unexpected(void *payload, const char *key, const ctorch_value *value) {
  const struct unexpected *self = payload;
  size_t len = strlen(self->loading->prefix);
  (void)value;
  if (strncmp(key, self->loading->prefix, len) != 0 || strcmp(key + len, EXTRA_STATE) == 0) {
    return NULL;
  }
  return expects(self->module, key + len) ? NULL : append(self->loading->unexpected, key);
}

struct inner {
  const char *prefix;
  ctorch_value *dict;
};

static ctorch_error *keep_inner(void *payload, const char *key, const ctorch_value *value) {
  const struct inner *self = payload;
  return strncmp(key, self->prefix, strlen(self->prefix)) == 0 ? ctorch_value_dict_put(self->dict, key, value) : NULL;
}

/* What the metadata says of the module of a prefix: a dict, owned; NULL if it does not. */
static ctorch_error *local_metadata(
    const char *function, ctorch_value **out, const ctorch_value *metadata, const char *prefix) {
  ctorch_value *key = NULL, *local = NULL;
  bool is_there = false;
  if (metadata == NULL) {
    return NULL;
  }
  char *name = joined(prefix, "", "");
  if (name == NULL) {
    return error_memory(function, strlen(prefix) + 1);
  }
  name[prefix[0] == '\0' ? 0 : strlen(prefix) - 1] = '\0';
  ctorch_error *error = ctorch_value_from_string(&key, name);
  THEN(error, ctorch_value_dict_contains(&is_there, metadata, key));
  if (error == NULL && is_there) {
    error = ctorch_value_dict_get(&local, metadata, key);
  }
  if (error == NULL && is_there && ctorch_value_kind_of(local) == CTORCH_VALUE_DICT) {
    *out = local;
  } else {
    ctorch_value_release(local);
  }
  free(name);
  ctorch_value_release(key);
  return error;
}

/* The version in the metadata of a module; -1 if there is none. */
static ctorch_error *version_of(int64_t *out, const ctorch_value *metadata) {
  ctorch_value *version = NULL;
  ctorch_error *error = NULL;
  *out = -1;
  if (metadata != NULL) {
    ctorch_error_release(ctorch_value_dict_at(&version, metadata, "version")); /* it does not say */
    if (version != NULL && ctorch_value_kind_of(version) == CTORCH_VALUE_INT) {
      error = ctorch_value_to_int(out, version);
    }
    ctorch_value_release(version);
  }
  return error;
}

static ctorch_error *load_computed(
    const struct module_tensors *tensors, struct module_loading *loading, const ctorch_value *metadata) {
  for (size_t i = 0; i < tensors->len; i++) {
    const struct module_computed *computed = tensors->data[i].computed;
    if (computed != NULL && computed->loading != NULL) {
      CTORCH_TRY(computed->loading(computed, loading, metadata));
    }
  }
  return NULL;
}

/* What is done before a module takes its values out of a state dict. */
static ctorch_error *prepare(struct module_loading *loading, const ctorch_value *metadata, ctorch_module *module) {
  const module_class *type = module_class_of(module);
  ctorch_value *local = NULL;
  CTORCH_TRY(local_metadata(loading->function, &local, metadata, loading->prefix));
  ctorch_error *error = version_of(&loading->version, local);
  THEN(error, load_computed(&module->parameters, loading, local));
  THEN(error, load_computed(&module->buffers, loading, local));
  ctorch_value_release(local);
  THEN(error, module_run_load_state_dict_pre_hooks(module, loading));
  if (error == NULL && type->loading != NULL) {
    error = type->loading(module, loading);
  }
  return error;
}

/* One module with `loading`, and then those inside it. */
static ctorch_error *load(
    const struct module_loading *outer, const ctorch_value *metadata, ctorch_module *module, const char *prefix) {
  struct module_loading loading = *outer;
  loading.prefix = prefix;
  CTORCH_TRY(prepare(&loading, metadata, module));
  CTORCH_TRY(load_tensors(&loading, &module->parameters, true));
  CTORCH_TRY(load_tensors(&loading, &module->buffers, false));
  CTORCH_TRY(load_extra_state(&loading, module));
  CTORCH_TRY(for_entries(loading.state_dict, find_unexpected, &(struct unexpected){&loading, module}));
  for (size_t i = 0; i < module->children.len; i++) {
    ctorch_module *child = object_ref(module->children.data[i].module);
    if (child == NULL) {
      continue;
    }
    struct inner inner = {.prefix = joined(prefix, module->children.data[i].name, ".")};
    ctorch_error *error = inner.prefix == NULL ? error_memory(loading.function, strlen(prefix) + 2)
                                               : ctorch_value_from_dict(&inner.dict, NULL, 0, NULL, 0);
    THEN(error, for_entries(loading.state_dict, keep_inner, &inner));
    if (error == NULL) {
      struct module_loading own = *outer;
      own.state_dict = inner.dict;
      error = load(&own, metadata, child, inner.prefix);
    }
    ctorch_value_release(inner.dict);
    free((char *)inner.prefix);
    object_unref(child);
    CTORCH_TRY(error);
  }
  return module_run_load_state_dict_hooks(module, &loading);
}

/* "Missing key(s) in state_dict: "a", "b". " */
static void list_keys(struct text *text, const char *what, const ctorch_value *keys) {
  for (size_t i = 0; text->error == NULL && i < ctorch_value_len(keys); i++) {
    ctorch_value *key = NULL;
    const char *name = "";
    text->error = ctorch_value_get(&key, keys, i);
    text->error = ctorch_error_first(text->error, ctorch_value_to_string(&name, NULL, key));
    text_add(text, "%s\"%s\"", i == 0 ? what : ", ", name);
    ctorch_value_release(key);
  }
  text_add(text, ctorch_value_len(keys) > 0 ? ". " : "");
}

/* All that went wrong as one error; NULL if nothing did. */
static ctorch_error *failure_of(const struct module_loading *loading, const ctorch_module *self) {
  const char *const whats[] = {"\n\tMissing key(s) in state_dict: ", "\n\tUnexpected key(s) in state_dict: "};
  struct text text = {.function = loading->function};
  if (loading->strict) {
    list_keys(&text, whats[0], loading->missing);
    list_keys(&text, whats[1], loading->unexpected);
  }
  for (size_t i = 0; text.error == NULL && i < ctorch_value_len(loading->messages); i++) {
    ctorch_value *message = NULL;
    const char *line = "";
    text.error = ctorch_value_get(&message, loading->messages, i);
    text.error = ctorch_error_first(text.error, ctorch_value_to_string(&line, NULL, message));
    text_add(&text, "\n\t%s", line);
    ctorch_value_release(message);
  }
  ctorch_error *error = NULL;
  if (text.error == NULL && text.len > 0) {
    error = error_make(
        loading->function, CTORCH_ERROR_RUNTIME, "Error(s) in loading state_dict for %s:%s", module_name(self),
        text_data(&text));
  }
  return ctorch_error_first(error, text_end(&text));
}

/* A dict of texts. */
static ctorch_error *check_dict(const char *function, const char *argument, const ctorch_value *value) {
  if (ctorch_value_kind_of(value) != CTORCH_VALUE_DICT) {
    return error_make(
        function, CTORCH_ERROR_TYPE, "Expected %s to be dict-like, got %s.", argument,
        ctorch_value_kind_name(ctorch_value_kind_of(value)));
  }
  ctorch_value *keys = NULL;
  CTORCH_TRY(ctorch_value_dict_keys(&keys, value));
  ctorch_error *error = NULL;
  for (size_t i = 0; error == NULL && i < ctorch_value_len(keys); i++) {
    ctorch_value *key = NULL;
    error = ctorch_value_get(&key, keys, i);
    if (error == NULL && ctorch_value_kind_of(key) != CTORCH_VALUE_STRING) {
      error = error_make(
          function, CTORCH_ERROR_TYPE, "%s: keys are texts, got %s", argument,
          ctorch_value_kind_name(ctorch_value_kind_of(key)));
    }
    ctorch_value_release(key);
  }
  ctorch_value_release(keys);
  return error;
}

/* Hand a list out, or give it up. */
static void give_list(ctorch_value **out, ctorch_value *list, bool is_wanted) {
  if (is_wanted && out != NULL) {
    *out = list;
  } else {
    ctorch_value_release(list);
  }
}

/* The dict that a value is, or that an OrderedDict of a file has; owned by the caller. */
static ctorch_error *plain_dict(
    ctorch_value **out, const char *function, const char *argument, const ctorch_value *value) {
  ctorch_value *items = NULL;
  if (ctorch_value_kind_of(value) == CTORCH_VALUE_PYTHON_OBJECT) {
    CTORCH_TRY(ctorch_value_python_items(&items, value));
  }
  const ctorch_value *dict = items != NULL ? items : value;
  ctorch_error *error = check_dict(function, argument, dict);
  if (error != NULL) {
    ctorch_value_release(items);
    return error;
  }
  if (items == NULL) {
    ctorch_value_retain(value);
  }
  *out = items != NULL ? items : (ctorch_value *)value;
  return NULL;
}

/* The versions that an OrderedDict of a file remembers; NULL if it has none. */
static ctorch_error *remembered_versions(ctorch_value **out, const ctorch_value *state_dict) {
  if (ctorch_value_kind_of(state_dict) != CTORCH_VALUE_PYTHON_OBJECT) {
    return NULL;
  }
  ctorch_error *error = ctorch_value_attribute(out, state_dict, "_metadata");
  if (error != NULL && ctorch_error_kind_of(error) == CTORCH_ERROR_INDEX) {
    ctorch_error_release(error);
    error = NULL;
  }
  return error;
}

static ctorch_error *load_dicts(
    const char *function,
    ctorch_value **out_missing,
    ctorch_value **out_unexpected,
    ctorch_module *self,
    const ctorch_value *state_dict,
    const ctorch_value *metadata,
    bool strict,
    bool assign) {
  struct module_loading loading = {.function = function, .prefix = "", .strict = strict, .assign = assign};
  ctorch_error *error = ctorch_value_copy(&loading.state_dict, state_dict);
  THEN(error, ctorch_value_from_list(&loading.missing, NULL, 0));
  THEN(error, ctorch_value_from_list(&loading.unexpected, NULL, 0));
  THEN(error, ctorch_value_from_list(&loading.messages, NULL, 0));
  THEN(error, load(&loading, metadata, self, ""));
  THEN(error, failure_of(&loading, self));
  ctorch_value_release(loading.state_dict);
  ctorch_value_release(loading.messages);
  give_list(out_missing, loading.missing, error == NULL);
  give_list(out_unexpected, loading.unexpected, error == NULL);
  return error;
}

ctorch_error *ctorch_module_load_state_dict(
    ctorch_value **out_missing,
    ctorch_value **out_unexpected,
    ctorch_module *self,
    const ctorch_value *state_dict,
    const ctorch_value *metadata,
    bool strict,
    bool assign) {
  CTORCH_TRY(error_refusal(__func__));
  if (self == NULL || state_dict == NULL) {
    return error_null(__func__, self == NULL ? "self" : "state_dict");
  }
  ctorch_value *entries = NULL, *versions = NULL, *remembered = NULL;
  ctorch_error *error = plain_dict(&entries, __func__, "state_dict", state_dict);
  if (error == NULL && metadata == NULL) {
    error = remembered_versions(&remembered, state_dict);
    metadata = remembered;
  }
  if (error == NULL && metadata != NULL && ctorch_value_kind_of(metadata) != CTORCH_VALUE_NONE) {
    error = plain_dict(&versions, __func__, "metadata", metadata);
  }
  THEN(error, check_depth(__func__, self));
  THEN(error, load_dicts(__func__, out_missing, out_unexpected, self, entries, versions, strict, assign));
  ctorch_value_release(remembered);
  ctorch_value_release(versions);
  ctorch_value_release(entries);
  return error;
}
