/* Patterns and special tokens of encodings that OpenAI published, by their names: tiktoken_ext/openai_public.py. */
#ifndef CTORCH_SHIM_TOKENIZERS_TIKTOKEN_PUBLISHED_H
#define CTORCH_SHIM_TOKENIZERS_TIKTOKEN_PUBLISHED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct tiktoken_published {
  const char *pattern;
  const char *const *tokens;
  const int64_t *ids;
  size_t len;
  int64_t reserved_begin, reserved_end; /* ids of "<|reserved_200013|>" … */
};

bool tiktoken_find_published(struct tiktoken_published *out, const char *name);

#endif
