/** What the library's own kinds of handle hold. Lists and texts are word_buffers. */
#ifndef CTORCH_SHIM_WORD_OBJECTS_H
#define CTORCH_SHIM_WORD_OBJECTS_H

#include <ctorch.h>

#include "word/buffer.h"

enum { WORD_PACK_SLOTS = 64 };

typedef struct word_pack {
  uint64_t given;  // a bit for each slot that was set
  uint32_t len;
  int64_t words[WORD_PACK_SLOTS];
} word_pack;

typedef struct word_tuple {
  uint32_t len;
  int64_t items[];
} word_tuple;

/** Destructors, for the table of kinds. */
void word_texts_destroy(void *object);
void word_tensors_destroy(void *object);
void word_values_destroy(void *object);
void word_tuple_destroy(void *object);
void word_address_destroy(void *object);
void word_scope_destroy(void *object);

#endif
