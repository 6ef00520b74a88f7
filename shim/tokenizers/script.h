/* Scripts of characters, as the UnicodeScripts pre-tokenizer has them. */
#ifndef CTORCH_SHIM_TOKENIZERS_SCRIPT_H
#define CTORCH_SHIM_TOKENIZERS_SCRIPT_H

#include "tokenizers/aligned.h"

/* UNSUPPORTED if this build knows none. */
ctorch_error *script_is_supported(const char *function) __attribute__((warn_unused_result));
/* Divide where the script changes; Hiragana and Katakana count as Han, spaces belong to what stands before them. */
void script_split(struct workspace *workspace, struct pieces *out, const struct piece *piece);

#endif
