/* Text that grows. */
#include "base/text.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/sequence.h"
#include "core/c/error.h"

static bool has_room(struct text *self, size_t more) {
  if (self->error != NULL) {
    return false;
  }
  if (self->len + more + 1 > self->capacity) {
    size_t capacity = 2 * (self->len + more + 1);
    char *data = realloc(self->data, capacity);
    if (data == NULL) {
      self->error = error_memory(self->function, capacity);
      return false;
    }
    self->data = data;
    self->capacity = capacity;
  }
  return true;
}

void text_bytes(struct text *self, const char *data, size_t len) {
  if (has_room(self, len)) {
    if (len > 0) {
      memcpy(self->data + self->len, data, len);
    }
    self->len += len;
    self->data[self->len] = '\0';
  }
}

void text_add_list(struct text *self, const char *format, va_list arguments) {
  va_list again;
  va_copy(again, arguments);
  int len = vsnprintf(NULL, 0, format, again);
  va_end(again);
  if (len > 0 && has_room(self, (size_t)len)) {
    vsnprintf(self->data + self->len, (size_t)len + 1, format, arguments);
    self->len += (size_t)len;
  }
}

void text_add(struct text *self, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  text_add_list(self, format, arguments);
  va_end(arguments);
}

void text_value(struct text *self, const ctorch_value *value) {
  ctorch_string *repr = NULL;
  THEN(self->error, ctorch_value_repr(&repr, value));
  if (repr != NULL) {
    text_bytes(self, ctorch_string_data(repr), ctorch_string_len(repr));
    ctorch_string_release(repr);
  }
}

void text_double(struct text *self, double number) {
  ctorch_value *value = NULL;
  THEN(self->error, ctorch_value_from_double(&value, number));
  if (value != NULL) {
    text_value(self, value);
    ctorch_value_release(value);
  }
}

void text_bool(struct text *self, bool value) { text_add(self, "%s", value ? "True" : "False"); }

void text_ints(struct text *self, const int64_t *values, size_t len) {
  text_add(self, "(");
  for (size_t i = 0; i < len; i++) {
    text_add(self, "%s%" PRId64, i > 0 ? ", " : "", values[i]);
  }
  text_add(self, len == 1 ? ",)" : ")");
}

void text_size(struct text *self, const ctorch_tensor *tensor) {
  const int64_t *sizes = ctorch_tensor_sizes(tensor);
  text_add(self, "torch.Size([");
  for (int64_t i = 0; sizes != NULL && i < ctorch_tensor_ndim(tensor); i++) {
    text_add(self, "%s%" PRId64, i > 0 ? ", " : "", sizes[i]);
  }
  text_add(self, "])");
}

void text_quoted(struct text *self, const char *text) {
  ctorch_value *value = NULL;
  THEN(self->error, ctorch_value_from_string(&value, text));
  if (value != NULL) {
    text_value(self, value);
    ctorch_value_release(value);
  }
}

const char *text_data(const struct text *self) { return self->data == NULL ? "" : self->data; }

ctorch_error *text_end(struct text *self) {
  free(self->data);
  ctorch_error *error = self->error;
  *self = (struct text){0};
  return error;
}
