/** Handles that grow: lists and texts. */
#ifndef CTORCH_SHIM_WORD_LISTS_H
#define CTORCH_SHIM_WORD_LISTS_H

#include "word/word.h"

/** Append copies of `count` entries to a list or text of that kind; false, and nothing appended, after a failure. */
bool word_append(word_call *call, const char *name, int64_t list, uint32_t kind, const void *entries, size_t count);

/** An index below `len`. */
size_t word_index(word_call *call, int64_t index, size_t len);

/** A list with those entries, which it copies. */
int64_t word_from_entries(word_call *call, uint32_t kind, const void *entries, size_t count);

/** Entry of a list of that kind; NULL after a failure. */
const void *word_entry(word_call *call, int64_t list, uint32_t kind, int64_t index);

#endif
