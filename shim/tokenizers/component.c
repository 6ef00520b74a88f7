/* What the JSON of a tokenizer says, read member by member. */
#include "tokenizers/component.h"

#include <ctorch.h>
#include <stdio.h>
#include <string.h>

#include "core/c/error.h"
#include "tokenizers/character.h"

#if CTORCH_HAS_JANSSON
ctorch_error *description_error(const struct description *self, const char *format, ...) {
  char message[256];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(message, sizeof message, format, arguments);
  va_end(arguments);
  return error_make(self->function, CTORCH_ERROR_FORMAT, "%s: %s", self->place, message);
}

const char *description_type(const struct description *self) {
  return json_string_value(json_object_get(self->json, "type"));
}

static const json_t *member(const struct description *self, const char *key) {
  const json_t *found = json_object_get(self->json, key);
  return json_is_null(found) ? NULL : found;
}

static ctorch_error *expected(const struct description *self, const char *key, const char *what) {
  const char *type = description_type(self);
  return description_error(
      self, "%s%sexpected %s as \"%s\"", type == NULL ? "" : type, type == NULL ? "" : ": ", what, key);
}

ctorch_error *description_bool(const struct description *self, bool *out, const char *key, bool is_needed) {
  const json_t *found = member(self, key);
  if (json_is_boolean(found)) {
    *out = json_is_true(found);
    return NULL;
  }
  return found == NULL && !is_needed ? NULL : expected(self, key, "a bool");
}

ctorch_error *description_text(
    const struct description *self, const char **out, size_t *out_len, const char *key, bool is_needed) {
  const json_t *found = member(self, key);
  if (json_is_string(found)) {
    *out = json_string_value(found);
    *out_len = json_string_length(found);
    return NULL;
  }
  return found == NULL && !is_needed ? NULL : expected(self, key, "a text");
}

ctorch_error *description_number(const struct description *self, uint32_t *out, const char *key, bool is_needed) {
  const json_t *found = member(self, key);
  if (json_is_integer(found) && json_integer_value(found) >= 0 && json_integer_value(found) < UINT32_MAX) {
    *out = (uint32_t)json_integer_value(found);
    return NULL;
  }
  return found == NULL && !is_needed ? NULL : expected(self, key, "a number of at most 32 bits");
}

ctorch_error *description_character(const struct description *self, uint32_t *out, const char *key) {
  const char *text = "";
  size_t len = 0;
  CTORCH_TRY(description_text(self, &text, &len, key, true));
  if (len == 0 || utf8_len_from(*text) != len) {
    return expected(self, key, "one character");
  }
  *out = utf8_decode(text);
  return NULL;
}

ctorch_error *description_pattern(const struct description *self, struct pattern **out) {
  const json_t *found = member(self, "pattern");
  const json_t *literal = json_object_get(found, "String"), *regex = json_object_get(found, "Regex");
  if (json_is_string(literal)) {
    return pattern_of_text(self->function, out, json_string_value(literal), json_string_length(literal));
  }
  if (json_is_string(regex)) {
    return pattern_new(self->function, out, json_string_value(regex), json_string_length(regex), PATTERN_ONIGURUMA);
  }
  return expected(self, "pattern", "{\"String\": a text} or {\"Regex\": a text}");
}

ctorch_error *description_behavior(const struct description *self, enum behavior *out, bool is_needed) {
  static const char *const NAMES[] = {"Removed", "Isolated", "MergedWithPrevious", "MergedWithNext", "Contiguous"};
  const char *name = NULL;
  size_t len = 0;
  CTORCH_TRY(description_text(self, &name, &len, "behavior", is_needed));
  for (size_t i = 0; name != NULL && i < sizeof NAMES / sizeof *NAMES; i++) {
    if (strcmp(NAMES[i], name) == 0) {
      *out = (enum behavior)i;
      return NULL;
    }
  }
  return name == NULL ? NULL : expected(self, "behavior", "Removed, Isolated, MergedWithPrevious, …");
}

ctorch_error *description_kind(const struct description *self, int *out, const char *const *names, size_t names_len) {
  const char *type = description_type(self);
  if (type == NULL) {
    return description_error(self, "expected an object with a \"type\"");
  }
  for (size_t i = 0; i < names_len; i++) {
    if (strcmp(names[i], type) == 0) {
      *out = (int)i;
      return NULL;
    }
  }
  return error_make(self->function, CTORCH_ERROR_UNSUPPORTED, "%s: \"%.64s\" is not known here", self->place, type);
}
#endif
