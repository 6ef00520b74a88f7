/* Patterns in others' words put into PCRE2's. */
#ifndef CTORCH_SHIM_TOKENIZERS_PATTERN_SYNTAX_H
#define CTORCH_SHIM_TOKENIZERS_PATTERN_SYNTAX_H

#include "tokenizers/pattern.h"

struct text; /* text.h */

/* Add the pattern as PCRE2 has it to `out`. UNSUPPORTED for what it has not. */
ctorch_error *pattern_translate(
    const char *function, struct text *out, const char *pattern, size_t len, enum pattern_syntax syntax)
    __attribute__((warn_unused_result));

#endif
