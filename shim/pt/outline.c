/* The nodes of an outline. */
#include "pt/outline.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "core/c/boxed.h"
#include "core/c/error.h"
#include "pickle/globals.h"

void outline_end(struct outline *self) {
  for (size_t i = 0; i < self->values_len; i++) {
    value_unref(self->values[i]);
  }
  free(self->values);
  free(self->nodes);
  free(self->links);
  free(self->texts);
  *self = (struct outline){.len = 0};
}

ctorch_error *outline_add(struct outline *self, const char *function, uint32_t *out, const struct outline_node *node) {
  if (self->len >= UINT32_MAX - 1) {
    return error_memory(function, UINT32_MAX * sizeof *node);
  }
  CTORCH_TRY(array_grow(function, &self->nodes, self->len, sizeof *self->nodes));
  self->nodes[self->len++] = *node;
  *out = (uint32_t)self->len;
  return NULL;
}

static ctorch_error *grow_texts(struct outline *self, const char *function, size_t len) {
  if (len > self->texts_capacity - self->texts_len) {
    const size_t capacity = 2 * (self->texts_len + len);
    char *grown = realloc(self->texts, capacity);
    if (grown == NULL) {
      return error_memory(function, capacity);
    }
    self->texts = grown;
    self->texts_capacity = capacity;
  }
  return NULL;
}

ctorch_error *outline_add_text(
    struct outline *self, const char *function, uint32_t *out, enum outline_kind kind, const char *data, size_t len) {
  const struct outline_node node = {.kind = (unsigned char)kind, .text = {self->texts_len, len}};
  CTORCH_TRY(grow_texts(self, function, len + 1));
  CTORCH_TRY(outline_add(self, function, out, &node));
  if (len > 0) {
    memcpy(self->texts + self->texts_len, data, len);
  }
  self->texts_len += len;
  return NULL;
}

ctorch_error *outline_append(struct outline *self, const char *function, struct outline_list *list, uint32_t entry) {
  if (self->links_len >= UINT32_MAX - 1) {
    return error_memory(function, UINT32_MAX * sizeof *self->links);
  }
  CTORCH_TRY(array_grow(function, &self->links, self->links_len, sizeof *self->links));
  self->links[self->links_len++] = (struct outline_link){entry, 0};
  const uint32_t link = (uint32_t)self->links_len;
  if (list->len == 0) {
    list->first = link;
  } else {
    self->links[list->last - 1].next = link;
  }
  list->last = link;
  list->len++;
  return NULL;
}

uint32_t outline_first(const struct outline *self, uint32_t node) {
  const struct outline_node *found = node == 0 ? NULL : outline_node(self, node);
  const bool is_list = found != NULL && (found->kind == OUTLINE_TUPLE || found->kind == OUTLINE_LIST);
  return is_list && found->entries.len > 0 ? self->links[found->entries.first - 1].node : 0;
}

bool outline_is_text(const struct outline *self, uint32_t node, const char *text) {
  const struct outline_node *found = outline_node(self, node);
  return found->kind == OUTLINE_TEXT && found->text.len == strlen(text) &&
         memcmp(outline_text(self, found), text, strlen(text)) == 0;
}

const char *outline_name(const struct outline *self, const struct outline_node *global) {
  const char *module = outline_module(self, global);
  return module + strlen(module) + 1;
}

bool outline_global_of(
    const struct outline *self, const struct unpickler *pickle, struct pickle_global *out, uint32_t node) {
  const struct outline_node *found = outline_node(self, node);
  if (found->kind != OUTLINE_OBJECT) {
    return false;
  }
  const struct outline_node *function = outline_node(self, found->function);
  return pickle->find(out, outline_module(self, function), outline_name(self, function));
}
