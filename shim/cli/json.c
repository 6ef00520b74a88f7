/* What the commands print with --json. */
#include "cli/json.h"

#include <math.h>

int cli_print_json(json_t *document) {
  int result = document == NULL ? -1 : json_dumpf(document, stdout, JSON_INDENT(2) | JSON_REAL_PRECISION(17));
  json_decref(document);
  if (result != 0) {
    return cli_complain("cannot write JSON");
  }
  fputc('\n', stdout);
  return CLI_OK;
}

json_t *cli_json_shape(const int64_t *shape, size_t len) {
  json_t *list = json_array();
  for (size_t i = 0; i < len; i++) {
    json_array_append_new(list, json_integer(shape[i]));
  }
  return list;
}

/* Values that share their parts have more ways through them than parts: so many are gone, a text as one for each of its
 * bytes. */
enum { MOST_VALUES = 10 * 1000 * 1000 };
static int64_t values_left;

static json_t *repr(const ctorch_value *value) {
  ctorch_string *text = NULL;
  ctorch_error *error = ctorch_value_repr(&text, value);
  values_left = error != NULL ? -1 : values_left - (int64_t)ctorch_string_len(text);
  json_t *json = error != NULL ? json_null() : json_stringn(ctorch_string_data(text), ctorch_string_len(text));
  ctorch_error_release(error);
  ctorch_string_release(text);
  return json != NULL ? json : json_null();
}

static json_t *json_of(const ctorch_value *value, int depth);

static json_t *list_of(const ctorch_value *value, int depth) {
  json_t *list = json_array();
  for (size_t i = 0; i < ctorch_value_len(value) && values_left > 0; i++) {
    ctorch_value *entry = NULL;
    ctorch_error_release(ctorch_value_get(&entry, value, i));
    json_array_append_new(list, json_of(entry, depth + 1));
    ctorch_value_release(entry);
  }
  return list;
}

static json_t *dict_of(const ctorch_value *value, int depth) {
  json_t *object = json_object();
  ctorch_value *keys = NULL;
  ctorch_error_release(ctorch_value_dict_keys(&keys, value));
  for (size_t i = 0; i < ctorch_value_len(keys) && values_left > 0; i++) {
    ctorch_value *key = NULL, *entry = NULL;
    const char *name = NULL;
    size_t len = 0;
    ctorch_error_release(ctorch_value_get(&key, keys, i));
    ctorch_error_release(ctorch_value_dict_get(&entry, value, key));
    if (ctorch_value_kind_of(key) == CTORCH_VALUE_STRING) {
      ctorch_error_release(ctorch_value_to_string(&name, &len, key));
    }
    ctorch_string *text = NULL;
    if (name == NULL) {
      ctorch_error_release(ctorch_value_repr(&text, key));
      name = ctorch_string_data(text);
    }
    json_object_set_new(object, name, json_of(entry, depth + 1));
    ctorch_string_release(text);
    ctorch_value_release(entry);
    ctorch_value_release(key);
  }
  ctorch_value_release(keys);
  return object;
}

static json_t *json_of(const ctorch_value *value, int depth) {
  enum { DEEPEST = 100 };
  int64_t integer = 0;
  double number = 0;
  bool truth = false;
  const char *text = "";
  size_t len = 0;
  ctorch_error *error = NULL;
  json_t *json = NULL;
  if (--values_left < 0) {
    return json_null();
  }
  switch (depth > DEEPEST ? -1 : ctorch_value_kind_of(value)) {
    case CTORCH_VALUE_NONE:
      return json_null();
    case CTORCH_VALUE_INT:
      error = ctorch_value_to_int(&integer, value);
      json = error == NULL ? json_integer(integer) : NULL;
      break;
    case CTORCH_VALUE_DOUBLE:
      error = ctorch_value_to_double(&number, value);
      json = isfinite(number) ? json_real(number) : NULL; /* JSON has no infinity */
      break;
    case CTORCH_VALUE_BOOL:
      error = ctorch_value_to_bool(&truth, value);
      json = json_boolean(truth);
      break;
    case CTORCH_VALUE_STRING:
      error = ctorch_value_to_string(&text, &len, value);
      json = json_stringn(text, len);
      break;
    case CTORCH_VALUE_LIST:
    case CTORCH_VALUE_TUPLE:
      return list_of(value, depth);
    case CTORCH_VALUE_DICT:
      return dict_of(value, depth);
    default:
      break;
  }
  ctorch_error_release(error);
  return json != NULL ? json : repr(value);
}

json_t *cli_json_value(const ctorch_value *value) {
  values_left = MOST_VALUES;
  json_t *json = json_of(value, 0);
  if (values_left < 0) {
    json_decref(json);
    return NULL;
  }
  return json;
}
