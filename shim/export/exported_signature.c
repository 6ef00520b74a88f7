/* exported_program.h: what goes into the graph of an exported program and what comes out, and what it says of
 * itself. */
#include <stdlib.h>
#include <string.h>

#include "base/sequence.h"
#include "base/text.h"
#include "core/c/error.h"
#include "export/exported_graph.h"
#include "export/exported_tensors.h"
#include "io/reader.h"

#if CTORCH_HAS_JANSSON

/* Dicts ------------------------------------------------------------------------------------------------------------ */

static ctorch_error *put(ctorch_value *dict, const char *key, ctorch_value *value, ctorch_error *error) {
  THEN(error, ctorch_value_dict_put(dict, key, value));
  ctorch_value_release(value);
  return error;
}

static ctorch_error *put_text(ctorch_value *dict, const char *key, const char *text) {
  ctorch_value *value = NULL;
  if (text == NULL) {
    return NULL;
  }
  ctorch_error *error = ctorch_value_from_string(&value, text);
  return put(dict, key, value, error);
}

static ctorch_error *put_json(
    const char *function, ctorch_value *dict, const char *key, const json_t *json, const ctorch_reader *reader) {
  ctorch_value *value = NULL;
  if (json == NULL) {
    return NULL;
  }
  ctorch_error *error = json_value(function, &value, json, reader);
  return put(dict, key, value, error);
}

/* Tensors ---------------------------------------------------------------------------------------------------------- */

static ctorch_error *size_value(const char *function, ctorch_value **out, const json_t *size) {
  const json_t *number = json_object_get(size, "as_int");
  if (json_is_integer(number)) {
    return ctorch_value_from_int(out, json_integer_value(number));
  }
  struct text text = {.function = function};
  exported_add_size(&text, size);
  ctorch_error *error = ctorch_value_from_string(out, text_data(&text));
  ctorch_error *other = text_end(&text);
  if (error != NULL) {
    ctorch_error_release(other);
    return error;
  }
  return other;
}

static ctorch_error *put_sizes(const char *function, ctorch_value *dict, const json_t *sizes) {
  ctorch_value *list = NULL;
  CTORCH_TRY(ctorch_value_from_list(&list, NULL, 0));
  ctorch_error *error = NULL;
  for (size_t i = 0; error == NULL && i < json_array_size(sizes); i++) {
    ctorch_value *value = NULL;
    error = size_value(function, &value, json_array_get(sizes, i));
    THEN(error, ctorch_value_list_append(list, value));
    ctorch_value_release(value);
  }
  return put(dict, "sizes", list, error);
}

/* What the graph knows of a tensor in it. */
static ctorch_error *put_meta(
    const char *function, const ctorch_exported_program *self, ctorch_value *dict, const char *name) {
  const json_t *meta = json_object_get(json_object_get(exported_graph_of(self), "tensor_values"), name);
  const ctorch_dtype dtype = exported_dtype(json_integer_value(json_object_get(meta, "dtype")));
  if (!json_is_object(meta)) {
    return NULL;
  }
  CTORCH_TRY(put_text(dict, "dtype", dtype < 0 ? NULL : ctorch_dtype_name(dtype)));
  CTORCH_TRY(put_text(dict, "device", json_string_value(json_object_get(json_object_get(meta, "device"), "type"))));
  return put_sizes(function, dict, json_object_get(meta, "sizes"));
}

/* Specs ------------------------------------------------------------------------------------------------------------ */

/* The name of an argument: {"name": …}, or {"as_tensor": {"name": …}} and the like. */
static const char *name_of(const json_t *argument) {
  const json_t *name = json_object_get(argument, "name");
  if (name == NULL && json_object_size(argument) == 1) {
    json_t *union_of = (json_t *)(uintptr_t)argument;
    const json_t *inner = json_object_iter_value(json_object_iter(union_of));
    name = json_object_get(inner, "name");
    name = name != NULL ? name : json_object_get(inner, "as_name");
  }
  return json_string_value(name);
}

/* {"buffer": {"arg": …, "buffer_name": …, "persistent": true}}, of one key. */
static ctorch_error *put_spec(
    const char *function, const ctorch_exported_program *self, ctorch_value *dict, const char *kind, json_t *spec) {
  const char *name = name_of(json_object_get(spec, "arg"));
  name = name != NULL ? name : json_string_value(json_object_get(spec, "name"));
  CTORCH_TRY(put_text(dict, "kind", kind));
  CTORCH_TRY(put_text(dict, "name", name));
  for (void *at = json_object_iter(spec); at != NULL; at = json_object_iter_next(spec, at)) {
    const char *key = json_object_iter_key(at), *end = strrchr(key, '_');
    if (end != NULL && strcmp(end, "_name") == 0) {
      CTORCH_TRY(put_text(dict, "target", json_string_value(json_object_iter_value(at))));
    }
  }
  CTORCH_TRY(put_json(function, dict, "persistent", json_object_get(spec, "persistent"), self->reader));
  json_t *value = json_object_get(spec, "value");
  if (json_is_object(value)) {
    const json_t *inner = json_object_iter_value(json_object_iter(value));
    const bool is_none = json_object_get(value, "as_none") != NULL;
    CTORCH_TRY(put_json(function, dict, "value", is_none ? json_null() : inner, self->reader));
  }
  return name == NULL ? NULL : put_meta(function, self, dict, name);
}

static ctorch_error *add_spec(
    const char *function, const ctorch_exported_program *self, ctorch_value *list, json_t *spec) {
  void *at = json_object_iter(spec);
  ctorch_value *dict = NULL;
  if (at == NULL || !json_is_object(json_object_iter_value(at))) {
    return reader_error(function, self->reader, "the signature of its graph is damaged");
  }
  CTORCH_TRY(ctorch_value_from_dict(&dict, NULL, 0, NULL, 0));
  ctorch_error *error = put_spec(function, self, dict, json_object_iter_key(at), json_object_iter_value(at));
  THEN(error, ctorch_value_list_append(list, dict));
  ctorch_value_release(dict);
  return error;
}

static ctorch_error *read_specs(
    const char *function, ctorch_value **out, const ctorch_exported_program *self, const char *key) {
  CTORCH_TRY(exported_program_check(function, out, self));
  const json_t *signature = json_object_get(json_object_get(self->program, "graph_module"), "signature");
  const json_t *specs = json_object_get(signature, key);
  ctorch_value *list = NULL;
  CTORCH_TRY(ctorch_value_from_list(&list, NULL, 0));
  ctorch_error *error = NULL;
  for (size_t i = 0; error == NULL && i < json_array_size(specs); i++) {
    error = add_spec(function, self, list, json_array_get(specs, i));
  }
  if (error != NULL) {
    ctorch_value_release(list);
    return error_of(function, error);
  }
  *out = list;
  return NULL;
}

ctorch_error *ctorch_exported_program_inputs(ctorch_value **out, const ctorch_exported_program *self) {
  return read_specs(__func__, out, self, "input_specs");
}

ctorch_error *ctorch_exported_program_outputs(ctorch_value **out, const ctorch_exported_program *self) {
  return read_specs(__func__, out, self, "output_specs");
}

/* What it says of itself ------------------------------------------------------------------------------------------- */

/* A bound, None where there is none. */
static ctorch_error *append_bound(ctorch_value *list, const json_t *bound) {
  ctorch_value *value = NULL;
  CTORCH_TRY(
      json_is_integer(bound) ? ctorch_value_from_int(&value, json_integer_value(bound))
                             : ctorch_value_from_none(&value));
  ctorch_error *error = ctorch_value_list_append(list, value);
  ctorch_value_release(value);
  return error;
}

static ctorch_error *put_range(ctorch_value *dict, const char *symbol, const json_t *range) {
  ctorch_value *list = NULL;
  CTORCH_TRY(ctorch_value_from_list(&list, NULL, 0));
  ctorch_error *error = append_bound(list, json_object_get(range, "min_val"));
  THEN(error, append_bound(list, json_object_get(range, "max_val")));
  return put(dict, symbol, list, error);
}

static ctorch_error *fill_ranges(const char *function, ctorch_value *dict, json_t *ranges) {
  for (void *at = json_object_iter(ranges); at != NULL; at = json_object_iter_next(ranges, at)) {
    struct text symbol = {.function = function};
    exported_add_expression(&symbol, json_object_iter_key(at));
    ctorch_error *error = put_range(dict, text_data(&symbol), json_object_iter_value(at));
    ctorch_error *other = text_end(&symbol);
    if (error != NULL) {
      ctorch_error_release(other);
      return error;
    }
    CTORCH_TRY(other);
  }
  return NULL;
}

static ctorch_error *fill_metadata(const char *function, const ctorch_exported_program *self, ctorch_value *dict) {
  const json_t *program = self->program, *version = json_object_get(program, "schema_version");
  const int64_t numbers[] = {
      json_integer_value(json_object_get(version, "major")), json_integer_value(json_object_get(version, "minor"))};
  ctorch_value *pair = NULL;
  CTORCH_TRY(put_text(dict, "torch_version", json_string_value(json_object_get(program, "torch_version"))));
  ctorch_error *error = ctorch_value_from_ints(&pair, numbers, 2);
  CTORCH_TRY(put(dict, "schema_version", pair, error));
  CTORCH_TRY(put_json(function, dict, "opset_version", json_object_get(program, "opset_version"), self->reader));
  return put_json(function, dict, "verifiers", json_object_get(program, "verifiers"), self->reader);
}

/* A dict that a function fills. */
static ctorch_error *give_filled(const char *function, ctorch_value **out, ctorch_value *dict, ctorch_error *error) {
  if (error != NULL) {
    ctorch_value_release(dict);
    return error_of(function, error);
  }
  *out = dict;
  return NULL;
}

ctorch_error *ctorch_exported_program_metadata(ctorch_value **out, const ctorch_exported_program *self) {
  ctorch_value *dict = NULL;
  CTORCH_TRY(exported_program_check(__func__, out, self));
  CTORCH_TRY(error_of(__func__, ctorch_value_from_dict(&dict, NULL, 0, NULL, 0)));
  return give_filled(__func__, out, dict, fill_metadata(__func__, self, dict));
}

ctorch_error *ctorch_exported_program_range_constraints(ctorch_value **out, const ctorch_exported_program *self) {
  ctorch_value *dict = NULL;
  CTORCH_TRY(exported_program_check(__func__, out, self));
  CTORCH_TRY(error_of(__func__, ctorch_value_from_dict(&dict, NULL, 0, NULL, 0)));
  json_t *ranges = json_object_get(self->program, "range_constraints");
  return give_filled(__func__, out, dict, fill_ranges(__func__, dict, ranges));
}

#else

#define WITHOUT(name)                                                                                     \
  ctorch_error *ctorch_exported_program_##name(ctorch_value **out, const ctorch_exported_program *self) { \
    CTORCH_TRY(exported_program_check(__func__, out, self));                                              \
    return error_make(__func__, CTORCH_ERROR_UNSUPPORTED, "this build has no jansson");                   \
  }
WITHOUT(inputs)
WITHOUT(outputs)
WITHOUT(metadata)
WITHOUT(range_constraints)

#endif
