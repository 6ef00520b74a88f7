/* Where an entry of a growing array stands, by its name: a hash table beside the array, from a length on where looking
 * at each takes longer. The entries are structs that begin with their name. */
#ifndef CTORCH_SHIM_BASE_NAME_INDEX_H
#define CTORCH_SHIM_BASE_NAME_INDEX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct name_index {
  uint32_t *slots; /* number of the entry + 1; NULL while there is no table */
  size_t room;     /* slots, a power of two */
  size_t len;      /* entries that are in it: it is used while that is all of them */
};

/* The number of the first entry of this name; `len` if there is none. */
size_t name_index_find(const struct name_index *self, const void *entries, size_t len, size_t stride, const char *name);
/* After an entry was put at the end, or all were copied. Where memory has run out there is no table. */
void name_index_extend(struct name_index *self, const void *entries, size_t len, size_t stride);
/* After an entry was moved, renamed or taken out, and at the end. */
void name_index_forget(struct name_index *self);

#endif
