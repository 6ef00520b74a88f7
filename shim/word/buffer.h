/** A sequence that grows: what a list or a text handle holds. */
#ifndef CTORCH_SHIM_WORD_BUFFER_H
#define CTORCH_SHIM_WORD_BUFFER_H

#include <stdbool.h>
#include <stddef.h>

typedef struct word_buffer {
  void *data;
  size_t len;  // entries
  size_t capacity;
} word_buffer;

/** NULL if memory runs out. */
word_buffer *word_buffer_new(void);

/** Append copies of `count` entries of `size` bytes, with as many zero bytes after the last; false without memory. */
bool word_buffer_append(word_buffer *buffer, const void *entries, size_t count, size_t size);

/** Frees the buffer; what its entries point to is the caller's. */
void word_buffer_free(void *buffer);

#endif
