/* Words of texts, with how often each was met. */
#include "tokenizers/word_counts.h"

#include <stdlib.h>

#include "base/array.h"
#include "core/c/error.h"

ctorch_error *word_counts_add(const char *function, struct word_counts *self, const char *word, size_t len) {
  const struct vocabulary_token *known = vocabulary_find(&self->words, word, len);
  if (known == NULL) {
    CTORCH_TRY(array_grow(function, &self->counts, self->words.len, sizeof *self->counts));
    self->counts[self->words.len] = 0;
    CTORCH_TRY(vocabulary_put(function, &self->words, word, len, (uint32_t)self->words.len));
    known = &self->words.tokens[self->words.len - 1];
  }
  self->counts[known->id]++;
  return NULL;
}

static int compare(const void *a, const void *b) {
  const struct word_count *x = a, *y = b;
  if (x->count != y->count) {
    return x->count > y->count ? -1 : 1;
  }
  const int order = memcmp(x->text, y->text, x->len < y->len ? x->len : y->len);
  return order != 0 ? order : x->len < y->len ? -1 : x->len > y->len;
}

ctorch_error *word_counts_sort(const char *function, const struct word_counts *self, struct word_count **out) {
  const size_t len = self->words.len;
  struct word_count *sorted = malloc((len + 1) * sizeof *sorted);
  if (sorted == NULL) {
    return error_memory(function, len * sizeof *sorted);
  }
  for (size_t i = 0; i < len; i++) {
    const struct vocabulary_token *word = &self->words.tokens[i];
    sorted[i] = (struct word_count){vocabulary_text(&self->words, word), word->len, self->counts[i]};
  }
  qsort(sorted, len, sizeof *sorted, compare);
  *out = sorted;
  return NULL;
}

void word_counts_free(struct word_counts *self) {
  vocabulary_free(&self->words);
  free(self->counts);
}
