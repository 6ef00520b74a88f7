/* Hash tables of names with open addresses. */
#include "base/name_index.h"

#include <stdlib.h>
#include <string.h>

enum { FEW = 16 };

static const char *name_at(const void *entries, size_t stride, size_t i) {
  const char *name;
  memcpy(&name, (const char *)entries + i * stride, sizeof name);
  return name;
}

/* FNV-1a. Whoever names modules so that they collide makes himself wait. */
static size_t hash(const char *name) {
  uint64_t hash = UINT64_C(0xcbf29ce484222325);
  for (; *name != '\0'; name++) {
    hash = (hash ^ (unsigned char)*name) * UINT64_C(0x100000001b3);
  }
  return (size_t)(hash ^ hash >> 32);
}

size_t name_index_find(
    const struct name_index *self, const void *entries, size_t len, size_t stride, const char *name) {
  if (self->slots == NULL || self->len != len) {
    size_t i = 0;
    while (i < len && strcmp(name_at(entries, stride, i), name) != 0) {
      i++;
    }
    return i;
  }
  for (size_t slot = hash(name) & (self->room - 1); self->slots[slot] != 0; slot = (slot + 1) & (self->room - 1)) {
    const size_t i = self->slots[slot] - 1;
    if (strcmp(name_at(entries, stride, i), name) == 0) {
      return i;
    }
  }
  return len;
}

static void enter(struct name_index *self, const void *entries, size_t stride, size_t i) {
  size_t slot = hash(name_at(entries, stride, i)) & (self->room - 1);
  while (self->slots[slot] != 0) {
    slot = (slot + 1) & (self->room - 1);
  }
  self->slots[slot] = (uint32_t)i + 1;
}

void name_index_extend(struct name_index *self, const void *entries, size_t len, size_t stride) {
  if (len < FEW) {
    return;
  }
  if (self->slots == NULL || 2 * len > self->room) {
    name_index_forget(self);
    size_t room = 4 * FEW;
    while (room < 4 * len) {
      room *= 2;
    }
    self->slots = len < UINT32_MAX ? calloc(room, sizeof *self->slots) : NULL;
    self->room = room;
  }
  for (; self->slots != NULL && self->len < len; self->len++) {
    enter(self, entries, stride, self->len);
  }
}

void name_index_forget(struct name_index *self) {
  free(self->slots);
  *self = (struct name_index){0};
}
