/* Bytes that grow: messages.h. */
#include <stdlib.h>

#include "tensorboard/messages.h"

unsigned char *buffer_room(struct buffer *self, size_t more) {
  if (more > SIZE_MAX / 2 - self->len) {
    return NULL;
  }
  if (self->len + more > self->capacity) {
    size_t capacity = self->capacity == 0 ? 256 : self->capacity;
    while (capacity < self->len + more) {
      capacity *= 2;
    }
    unsigned char *data = realloc(self->data, capacity);
    if (data == NULL) {
      return NULL;
    }
    self->data = data;
    self->capacity = capacity;
  }
  return self->data + self->len;
}
