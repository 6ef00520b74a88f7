/* Patterns: regular expressions in Oniguruma's words, as the tokenizers library has them, or in those of Rust's
 * fancy-regex, as tiktoken has them, matched by PCRE2. What PCRE2 would understand otherwise is translated, or
 * refused. */
#ifndef CTORCH_SHIM_TOKENIZERS_PATTERN_H
#define CTORCH_SHIM_TOKENIZERS_PATTERN_H

#include "tokenizers/workspace.h"

/* A part of a text, from one byte to another. */
struct span {
  uint32_t begin, end;
  bool is_match;
};
struct spans {
  struct span *data;
  size_t len, capacity;
};

struct pattern;

bool pattern_is_supported(void);

enum pattern_syntax { PATTERN_ONIGURUMA, PATTERN_RUST };
/* FORMAT for what is no pattern, UNSUPPORTED for what PCRE2 has not. */
ctorch_error *pattern_new(
    const char *function, struct pattern **out, const char *text, size_t len, enum pattern_syntax syntax)
    __attribute__((warn_unused_result));
/* One that matches this text. */
ctorch_error *pattern_of_text(const char *function, struct pattern **out, const char *text, size_t len)
    __attribute__((warn_unused_result));
void pattern_free(struct pattern *self);

/* All of a text, by turns what matches and what lies between. */
void pattern_find_all(
    struct workspace *workspace, struct spans *out, const struct pattern *self, const char *data, size_t len);
/* The first match from `at` on; false if there is none. */
bool pattern_find(
    struct workspace *workspace, struct span *out, const struct pattern *self, const char *data, size_t len, size_t at);

#endif
