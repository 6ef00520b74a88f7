/* Lists under construction: memory that grows. */
#include "word/buffer.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

word_buffer *word_buffer_new(void) {
  word_buffer *made = calloc(1, sizeof *made);
  if (made != NULL && !word_buffer_append(made, NULL, 0, 1)) {  // so that an empty list is no NULL pointer
    free(made);
    return NULL;
  }
  return made;
}

bool word_buffer_append(word_buffer *buffer, const void *entries, size_t count, size_t size) {
  if (count > SIZE_MAX / size / 4 - buffer->len) {
    return false;
  }
  size_t needed = (buffer->len + count + 1) * size;  // and one of zeros: a text ends with NUL
  if (needed > buffer->capacity) {
    size_t capacity = needed < 64 ? 64 : needed + needed / 2;
    void *data = realloc(buffer->data, capacity);
    if (data == NULL) {
      return false;
    }
    buffer->data = data;
    buffer->capacity = capacity;
  }
  char *end = (char *)buffer->data + buffer->len * size;
  if (count > 0) {
    memcpy(end, entries, count * size);
  }
  memset(end + count * size, 0, size);
  buffer->len += count;
  return true;
}

void word_buffer_free(void *buffer) {
  free(((word_buffer *)buffer)->data);
  free(buffer);
}
