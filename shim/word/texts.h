/** Texts: the bytes in them, and new ones. */
#ifndef CTORCH_SHIM_WORD_TEXTS_H
#define CTORCH_SHIM_WORD_TEXTS_H

#include "word/buffer.h"
#include "word/word.h"

/** The bytes of a TEXT or a STRING. */
word_list word_text_bytes(word_call *call, const char *name, int64_t word);

/** A new text, still without a handle; NULL after a failure. */
word_buffer *word_text_new(word_call *call, const void *data, size_t len);

#endif
