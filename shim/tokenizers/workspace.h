/* Workspaces: the memory in which one thread encodes or decodes one text, and what it remembers of words.
 *
 * What is taken from a workspace lasts until workspace_begin is called again, and is not given back one by one. A
 * function that fails calls workspace_fail, which does not return: the exported function that began the work
 * goes on behind its setjmp, and nothing is lost because all memory is the workspace's.
 *
 *     struct workspace *workspace = workspaces_take(&self->workspaces);
 *     if (workspace == NULL) …
 *     ctorch_error *error = NULL;
 *     if (setjmp(workspace->failed) == 0) { … } else { error = workspace->error; }
 *     workspaces_give(&self->workspaces, workspace);
 */
#ifndef CTORCH_SHIM_TOKENIZERS_WORKSPACE_H
#define CTORCH_SHIM_TOKENIZERS_WORKSPACE_H

#include <setjmp.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ctorch/abi/error.h"

struct workspace_block;
struct word_cache;

struct workspace {
  jmp_buf failed;
  ctorch_error *error;
  const char *function;                   /* the exported function, for errors */
  struct workspace_block *blocks, *block; /* all; the one that is being used */
  char *at, *end;
  size_t taken, limit;      /* bytes of the blocks that are full, and how many they may be */
  struct word_cache *words; /* of the BPE model; NULL before the first */
  double dropout;           /* of its merges */
  uint64_t random;          /* what numbers by chance are made of */
  void *match;              /* of PCRE2 */
  void (*match_free)(void *match);
};

/* Those that no thread uses. */
enum { WORKSPACES_LEN = 64 };
struct workspaces {
  _Atomic(struct workspace *) idle[WORKSPACES_LEN];
};

/* For one thread; NULL is out of memory. */
struct workspace *workspaces_take(struct workspaces *self, const char *function);
/* Give it back, NULL is allowed. */
void workspaces_give(struct workspaces *self, struct workspace *workspace);
void workspaces_free(struct workspaces *self);
/* Forget words: the model has changed. No thread uses one meanwhile. */
void workspaces_forget(struct workspaces *self);

/* A number by chance, at least 0 and below 1 (Steele et al. 2014, SplitMix64). */
double workspace_random(struct workspace *self);

/* Forget all that was taken. */
void workspace_begin(struct workspace *self);
_Noreturn void workspace_fail(struct workspace *self, ctorch_error *error);
/* Never NULL; aligned for every type. */
void *workspace_take_slow(struct workspace *self, size_t nbytes);
static inline void *workspace_take(struct workspace *self, size_t nbytes) {
  nbytes = (nbytes + 15) & ~(size_t)15;
  if (nbytes <= (size_t)(self->end - self->at)) {
    void *taken = self->at;
    self->at += nbytes;
    return taken;
  }
  return workspace_take_slow(self, nbytes);
}

/* An array that grows in a workspace: room for one entry more behind `len`. */
void *workspace_grow(struct workspace *self, void *array, size_t len, size_t *capacity, size_t size);
#define WORKSPACE_PUSH(workspace, array, entry)                                                              \
  do {                                                                                                       \
    if ((array)->len == (array)->capacity) {                                                                 \
      (array)->data =                                                                                        \
          workspace_grow(workspace, (array)->data, (array)->len, &(array)->capacity, sizeof *(array)->data); \
    }                                                                                                        \
    (array)->data[(array)->len++] = (entry);                                                                 \
  } while (0)

/* Bytes that grow. */
struct bytes {
  char *data;
  size_t len, capacity;
};
void bytes_add(struct workspace *workspace, struct bytes *self, const char *data, size_t len);
void bytes_add_character(struct workspace *workspace, struct bytes *self, uint32_t character);

#endif
