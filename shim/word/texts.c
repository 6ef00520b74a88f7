/* Texts: bytes that may be any, with a NUL after them. */
#include <stdlib.h>
#include <string.h>

#include "word/texts.h"
#include "word/word.h"

static word_list bytes_of(word_call *call, const char *name, uint32_t kind, const void *object) {
  if (kind == RT_CTORCH_KIND_STRING) {
    return (word_list){ctorch_string_data(object), ctorch_string_len(object)};
  }
  if (kind == RT_CTORCH_KIND_TEXT) {
    return (word_list){((const word_buffer *)object)->data, ((const word_buffer *)object)->len};
  }
  word_fail_kind(call, name, RT_CTORCH_KIND_TEXT, kind);
  return (word_list){NULL, 0};
}

word_list word_text_bytes(word_call *call, const char *name, int64_t word) {
  uint32_t kind;
  const void *object = word_any(call, name, word, &kind);
  return bytes_of(call, name, kind, object);
}

const char *word_text(word_call *call, const char *name, int64_t word, bool optional) {
  if (optional && word == 0) {
    return NULL;
  }
  word_list text = word_text_bytes(call, name, word);
  if (call->error == NULL && memchr(text.data, '\0', text.len) != NULL) {
    word_fail(call, CTORCH_ERROR_INVALID_ARGUMENT, "%s: the text has a NUL inside", name);
  }
  return text.data;
}

word_list word_bytes(word_call *call, const char *name, int64_t word, bool optional) {
  word_list bytes = {NULL, 0};
  if (optional && word == 0) {
    return bytes;
  }
  uint32_t kind;
  const void *object = word_any(call, name, word, &kind);
  if (kind == RT_CTORCH_KIND_INTS || kind == RT_CTORCH_KIND_DOUBLES) {
    const word_buffer *buffer = object;
    return (word_list){buffer->data, buffer->len * 8};
  }
  return bytes_of(call, name, kind, object);
}

word_buffer *word_text_new(word_call *call, const void *data, size_t len) {
  word_buffer *text = call->error == NULL ? word_buffer_new() : NULL;
  if (text != NULL && word_buffer_append(text, data, len, 1)) {
    return text;
  }
  if (text != NULL) {
    word_buffer_free(text);
  }
  word_fail_memory(call);
  return NULL;
}

int64_t word_from_bytes(word_call *call, const void *data, size_t len) {
  word_buffer *text = word_text_new(call, data, len);
  return word_from_handle(call, RT_CTORCH_KIND_TEXT, text);
}

int64_t word_from_text(word_call *call, const char *text) {
  return text == NULL || call->error != NULL ? 0 : word_from_bytes(call, text, strlen(text));
}

/* A text that is filled during a call: the call's own memory, so that it goes if the call fails. */

void *word_room(word_call *call, size_t len) { return word_memory(call, len); }

int64_t word_from_room(word_call *call, void *room, size_t len) { return word_from_bytes(call, room, len); }
