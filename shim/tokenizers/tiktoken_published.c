/* Patterns and special tokens of encodings that OpenAI published. */
#include "tokenizers/tiktoken_published.h"

#include <string.h>

static const char R50K[] = "'(?:[sdmt]|ll|ve|re)| ?\\p{L}++| ?\\p{N}++| ?[^\\s\\p{L}\\p{N}]++|\\s++$|\\s+(?!\\S)|\\s";
static const char CL100K[] =
    "'(?i:[sdmt]|ll|ve|re)|[^\\r\\n\\p{L}\\p{N}]?+\\p{L}++|\\p{N}{1,3}+| ?[^\\s\\p{L}\\p{N}]++[\\r\\n]*+|\\s++$"
    "|\\s*[\\r\\n]|\\s+(?!\\S)|\\s";
static const char O200K[] =
    "[^\\r\\n\\p{L}\\p{N}]?[\\p{Lu}\\p{Lt}\\p{Lm}\\p{Lo}\\p{M}]*[\\p{Ll}\\p{Lm}\\p{Lo}\\p{M}]+"
    "(?i:'s|'t|'re|'ve|'m|'ll|'d)?"
    "|[^\\r\\n\\p{L}\\p{N}]?[\\p{Lu}\\p{Lt}\\p{Lm}\\p{Lo}\\p{M}]+[\\p{Ll}\\p{Lm}\\p{Lo}\\p{M}]*"
    "(?i:'s|'t|'re|'ve|'m|'ll|'d)?"
    "|\\p{N}{1,3}| ?[^\\s\\p{L}\\p{N}]+[\\r\\n/]*|\\s*[\\r\\n]+|\\s+(?!\\S)|\\s+";

static const char *const R50K_TOKENS[] = {"<|endoftext|>", "<|fim_prefix|>", "<|fim_middle|>", "<|fim_suffix|>"};
static const int64_t R50K_IDS[] = {50256, 50281, 50282, 50283};
static const char *const CL100K_TOKENS[] = {
    "<|endoftext|>", "<|fim_prefix|>", "<|fim_middle|>", "<|fim_suffix|>", "<|endofprompt|>"};
static const int64_t CL100K_IDS[] = {100257, 100258, 100259, 100260, 100276};
static const char *const O200K_TOKENS[] = {"<|endoftext|>", "<|endofprompt|>"};
static const int64_t O200K_IDS[] = {199999, 200018};

static const char *const HARMONY_TOKENS[] = {
    "<|startoftext|>", "<|endoftext|>",       "<|reserved_200000|>", "<|reserved_200001|>", "<|return|>",
    "<|constrain|>",   "<|reserved_200004|>", "<|channel|>",         "<|start|>",           "<|end|>",
    "<|message|>",     "<|reserved_200009|>", "<|reserved_200010|>", "<|reserved_200011|>", "<|call|>",
    "<|endofprompt|>"};
static const int64_t HARMONY_IDS[] = {199998, 199999, 200000, 200001, 200002, 200003, 200004, 200005,
                                      200006, 200007, 200008, 200009, 200010, 200011, 200012, 200018};

static const struct {
  const char *name;
  struct tiktoken_published published;
} PUBLISHED[] = {
    {"gpt2", {R50K, R50K_TOKENS, R50K_IDS, 1, 0, 0}},
    {"r50k_base", {R50K, R50K_TOKENS, R50K_IDS, 1, 0, 0}},
    {"p50k_base", {R50K, R50K_TOKENS, R50K_IDS, 1, 0, 0}},
    {"p50k_edit", {R50K, R50K_TOKENS, R50K_IDS, 4, 0, 0}},
    {"cl100k_base", {CL100K, CL100K_TOKENS, CL100K_IDS, 5, 0, 0}},
    {"o200k_base", {O200K, O200K_TOKENS, O200K_IDS, 2, 0, 0}},
    {"o200k_harmony", {O200K, HARMONY_TOKENS, HARMONY_IDS, 16, 200013, 201088}},
};

bool tiktoken_find_published(struct tiktoken_published *out, const char *name) {
  for (size_t i = 0; i < sizeof PUBLISHED / sizeof *PUBLISHED; i++) {
    if (strcmp(PUBLISHED[i].name, name) == 0) {
      *out = PUBLISHED[i].published;
      return true;
    }
  }
  return false;
}
