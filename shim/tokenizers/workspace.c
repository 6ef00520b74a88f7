/* Workspaces: the memory in which one thread encodes or decodes one text. */
#include "tokenizers/workspace.h"

#include <stdlib.h>
#include <string.h>

#include "core/c/error.h"
#include "tokenizers/character.h"
#include "tokenizers/word_cache.h"

struct workspace_block {
  struct workspace_block *next;
  size_t nbytes;
  _Alignas(16) char data[];
};

/* What a workspace keeps for the next text. */
enum { BLOCK_NBYTES = 64 << 10, KEPT_NBYTES = 8 << 20 };

static void blocks_free(struct workspace_block *block) {
  while (block != NULL) {
    struct workspace_block *next = block->next;
    free(block);
    block = next;
  }
}

static void use(struct workspace *self, struct workspace_block *block) {
  self->block = block;
  self->at = block == NULL ? NULL : block->data;
  self->end = block == NULL ? NULL : block->data + block->nbytes;
}

static void workspace_free(struct workspace *self) {
  if (self != NULL) {
    blocks_free(self->blocks);
    word_cache_free(self->words);
    if (self->match != NULL) {
      self->match_free(self->match);
    }
    free(self);
  }
}

void workspace_begin(struct workspace *self) {
  size_t nbytes = 0;
  for (struct workspace_block *block = self->blocks; block != NULL; block = block->next) {
    nbytes += block->nbytes;
    if (nbytes > KEPT_NBYTES) {
      blocks_free(block->next);
      block->next = NULL;
    }
  }
  if (nbytes > KEPT_NBYTES && self->blocks->nbytes > KEPT_NBYTES) {
    blocks_free(self->blocks);
    self->blocks = NULL;
  }
  self->taken = 0;
  use(self, self->blocks);
}

struct workspace *workspaces_take(struct workspaces *self, const char *function) {
  struct workspace *found = NULL;
  for (size_t i = 0; found == NULL && i < WORKSPACES_LEN; i++) {
    if (atomic_load_explicit(&self->idle[i], memory_order_relaxed) != NULL) {
      found = atomic_exchange(&self->idle[i], NULL);
    }
  }
  found = found != NULL ? found : calloc(1, sizeof *found);
  if (found != NULL) {
    found->function = function;
    found->error = NULL;
    found->limit = SIZE_MAX;
    workspace_begin(found);
  }
  return found;
}

void workspaces_give(struct workspaces *self, struct workspace *workspace) {
  for (size_t i = 0; workspace != NULL && i < WORKSPACES_LEN; i++) {
    struct workspace *none = NULL;
    if (atomic_compare_exchange_strong(&self->idle[i], &none, workspace)) {
      return;
    }
  }
  workspace_free(workspace);
}

void workspaces_free(struct workspaces *self) {
  for (size_t i = 0; i < WORKSPACES_LEN; i++) {
    workspace_free(atomic_exchange(&self->idle[i], NULL));
  }
}

void workspaces_forget(struct workspaces *self) { workspaces_free(self); }

_Noreturn void workspace_fail(struct workspace *self, ctorch_error *error) {
  self->error = error;
  longjmp(self->failed, 1);
}

void *workspace_take_slow(struct workspace *self, size_t nbytes) {
  self->taken += self->block == NULL ? 0 : self->block->nbytes;
  if (self->taken > self->limit || nbytes > self->limit - self->taken) {
    workspace_fail(
        self, error_make(
                  self->function, CTORCH_ERROR_VALUE,
                  "the tokenizer's rules make more than %zu bytes of the text: its replacements or its padding; "
                  "raise the tokenizer's limit (ctorch_tokenizer_set_limit)",
                  self->limit));
  }
  struct workspace_block *next = self->block == NULL ? self->blocks : self->block->next;
  if (next == NULL || next->nbytes < nbytes) {
    const size_t doubled = self->block == NULL ? BLOCK_NBYTES : self->block->nbytes * 2;
    const size_t size = nbytes > doubled ? nbytes : doubled;
    struct workspace_block *block = size > PTRDIFF_MAX / 2 ? NULL : malloc(sizeof *block + size);
    if (block == NULL) {
      workspace_fail(self, error_memory(self->function, size));
    }
    block->nbytes = size;
    block->next = next;
    if (self->block == NULL) {
      self->blocks = block;
    } else {
      self->block->next = block;
    }
    next = block;
  }
  use(self, next);
  void *taken = self->at;
  self->at += nbytes;
  return taken;
}

void *workspace_grow(struct workspace *self, void *array, size_t len, size_t *capacity, size_t size) {
  const size_t wanted = *capacity < 16 ? 16 : *capacity * 2;
  if (wanted > PTRDIFF_MAX / 4 / size) {
    workspace_fail(self, error_memory(self->function, SIZE_MAX));
  }
  void *grown = workspace_take(self, wanted * size);
  if (len > 0) {
    memcpy(grown, array, len * size);
  }
  *capacity = wanted;
  return grown;
}

void bytes_add(struct workspace *workspace, struct bytes *self, const char *data, size_t len) {
  if (len > self->capacity - self->len) {
    size_t capacity = self->capacity * 2 > self->len + len ? self->capacity * 2 : self->len + len + 64;
    char *grown = workspace_take(workspace, capacity);
    if (self->len > 0) {
      memcpy(grown, self->data, self->len);
    }
    self->data = grown;
    self->capacity = capacity;
  }
  if (len > 0) {
    memcpy(self->data + self->len, data, len);
    self->len += len;
  }
}

void bytes_add_character(struct workspace *workspace, struct bytes *self, uint32_t character) {
  char encoded[4];
  bytes_add(workspace, self, encoded, utf8_encode(encoded, character));
}

double workspace_random(struct workspace *self) {
  uint64_t bits = self->random += UINT64_C(0x9e3779b97f4a7c15);
  bits = (bits ^ bits >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
  bits = (bits ^ bits >> 27) * UINT64_C(0x94d049bb133111eb);
  return (double)((bits ^ bits >> 31) >> 11) * 0x1p-53;
}
