/* JSON as files have it. */
#include "json.h"

#include <ctorch.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "error.h"
#include "reader.h"
#include "text.h"

bool json_is_space(unsigned char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

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
  error = error != NULL ? error : parse(function, out, reader, copy, (size_t)nbytes);
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
    error = error != NULL ? error : ctorch_value_dict_put(dict, json_object_iter_key(at), entry);
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
    error = error != NULL ? error : ctorch_value_list_append(list, entry);
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

/* The character at `data`, which is UTF-8, and how many bytes it has. */
static uint32_t decode(const unsigned char *data, size_t len, size_t *used) {
  size_t more = data[0] < 0x80 ? 0 : data[0] < 0xe0 ? 1 : data[0] < 0xf0 ? 2 : 3;
  uint32_t character = data[0] < 0x80 ? data[0] : data[0] & (0x3fU >> more);
  for (size_t i = 1; i <= more && i < len; i++) {
    character = character << 6 | (data[i] & 0x3fU);
  }
  *used = more < len ? more + 1 : len;
  return character;
}

static void add_ascii(struct text *text, uint32_t character) {
  if (character >= 0x10000) {
    text_add(text, "\\u%04x", (unsigned)(0xd800 + ((character - 0x10000) >> 10)));
    character = 0xdc00 + ((character - 0x10000) & 0x3ff);
  }
  text_add(text, "\\u%04x", (unsigned)character);
}

void json_quote(struct text *text, const char *data, size_t len, bool is_ascii) {
  static const char control[] = "\b\f\n\r\t", letters[] = "bfnrt";
  text_bytes(text, "\"", 1);
  for (size_t at = 0, used; at < len; at += used) {
    uint32_t character = decode((const unsigned char *)data + at, len - at, &used);
    const char *known = character != 0 && character < 0x20 ? strchr(control, (int)character) : NULL;
    if (character == '"' || character == '\\') {
      text_add(text, "\\%c", (char)character);
    } else if (known != NULL) {
      text_add(text, "\\%c", letters[known - control]);
    } else if (character < 0x20 || (is_ascii && character >= 0x7f)) {
      add_ascii(text, character);
    } else {
      text_bytes(text, data + at, used);
    }
  }
  text_bytes(text, "\"", 1);
}
