/* Classes of characters that are newer than the tables of the tokenizers library. */
#ifndef CTORCH_SHIM_TOKENIZERS_CHARACTER_HISTORY_H
#define CTORCH_SHIM_TOKENIZERS_CHARACTER_HISTORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

bool character_is_later_punctuation(uint32_t character);
bool character_is_later_mark(uint32_t character);
bool character_is_later_nonspacing_mark(uint32_t character);
bool character_is_later_other(uint32_t character);

#endif
