/* JSON as files have it, read by jansson. */
#include "io/json_read.h"

#include <ctorch.h>
#include <inttypes.h>
#include <stdlib.h>

#include "base/sequence.h"
#include "core/c/error.h"
#include "io/reader.h"

#if CTORCH_HAS_JANSSON
enum { DEEPEST = 100 };

static ctorch_error *parse(
    const char *function, json_t **out, const ctorch_reader *reader, const char *data, size_t nbytes) {
  json_error_t failure;
  *out = json_loadb(data, nbytes, JSON_REJECT_DUPLICATES | JSON_ALLOW_NUL, &failure);
  if (*out != NULL) {
    return NULL;
  }
  if (json_error_code(&failure) == json_error_out_of_memory) {
    return error_memory(function, nbytes);
  }
  return reader_error(function, reader, "JSON, line %d, column %d: %s", failure.line, failure.column, failure.text);
}

ctorch_error *json_read(
    const char *function, json_t **out, const ctorch_reader *reader, uint64_t offset, uint64_t nbytes) {
  uint64_t all = ctorch_reader_nbytes(reader);
  if (nbytes > JSON_MOST_NBYTES) {
    return reader_error(function, reader, "%" PRIu64 " bytes of JSON, more than %d", nbytes, (int)JSON_MOST_NBYTES);
  }
  if (offset > all || nbytes > all - offset) {
    return reader_error(function, reader, "ends early, in its JSON");
  }
  const char *data = reader_at(reader, offset, nbytes);
  if (data != NULL && nbytes > 0) {
    CTORCH_TRY(reader_count(reader, nbytes));
    return parse(function, out, reader, data, (size_t)nbytes);
  }
  char *copy = malloc((size_t)nbytes + 1);
  if (copy == NULL) {
    return error_memory(function, nbytes + 1);
  }
  ctorch_error *error = reader_read(function, reader, offset, copy, nbytes);
  THEN(error, parse(function, out, reader, copy, (size_t)nbytes));
  free(copy);
  return error;
}

bool json_natural(int64_t *out, const json_t *json) {
  if (!json_is_integer(json) || json_integer_value(json) < 0) {
    return false;
  }
  *out = json_integer_value(json);
  return true;
}

static ctorch_error *value_of(
    const char *function, ctorch_value **out, const json_t *json, const ctorch_reader *reader, int depth);

static ctorch_error *dict_of(
    const char *function, ctorch_value **out, const json_t *json, const ctorch_reader *reader, int depth) {
  ctorch_value *dict = NULL;
  json_t *object = (json_t *)(uintptr_t)json; /* iterators want it so, and change nothing */
  CTORCH_TRY(ctorch_value_from_dict(&dict, NULL, 0, NULL, 0));
  ctorch_error *error = NULL;
  for (void *at = json_object_iter(object); error == NULL && at != NULL; at = json_object_iter_next(object, at)) {
    ctorch_value *entry = NULL;
    error = value_of(function, &entry, json_object_iter_value(at), reader, depth + 1);
    THEN(error, ctorch_value_dict_put(dict, json_object_iter_key(at), entry));
    ctorch_value_release(entry);
  }
  if (error != NULL) {
    ctorch_value_release(dict);
    return error;
  }
  *out = dict;
  return NULL;
}

static ctorch_error *list_of(
    const char *function, ctorch_value **out, const json_t *json, const ctorch_reader *reader, int depth) {
  ctorch_value *list = NULL;
  CTORCH_TRY(ctorch_value_from_list(&list, NULL, 0));
  ctorch_error *error = NULL;
  for (size_t i = 0; error == NULL && i < json_array_size(json); i++) {
    ctorch_value *entry = NULL;
    error = value_of(function, &entry, json_array_get(json, i), reader, depth + 1);
    THEN(error, ctorch_value_list_append(list, entry));
    ctorch_value_release(entry);
  }
  if (error != NULL) {
    ctorch_value_release(list);
    return error;
  }
  *out = list;
  return NULL;
}

static ctorch_error *value_of(
    const char *function, ctorch_value **out, const json_t *json, const ctorch_reader *reader, int depth) {
  if (depth > DEEPEST) {
    return reader_error(function, reader, "JSON that is nested more than %d deep", DEEPEST);
  }
  switch (json_typeof(json)) {
    case JSON_OBJECT:
      return dict_of(function, out, json, reader, depth);
    case JSON_ARRAY:
      return list_of(function, out, json, reader, depth);
    case JSON_STRING:
      return ctorch_value_from_string_data(out, json_string_value(json), json_string_length(json));
    case JSON_INTEGER:
      return ctorch_value_from_int(out, json_integer_value(json));
    case JSON_REAL:
      return ctorch_value_from_double(out, json_real_value(json));
    case JSON_NULL:
      return ctorch_value_from_none(out);
    default:
      return ctorch_value_from_bool(out, json_is_true(json));
  }
}

ctorch_error *json_value(const char *function, ctorch_value **out, const json_t *json, const ctorch_reader *reader) {
  return value_of(function, out, json, reader, 0);
}
#endif
