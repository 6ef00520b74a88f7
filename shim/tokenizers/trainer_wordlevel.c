/* The trainer of WordLevel: special tokens, and the most frequent words. */
#include <ctorch.h>
#include <stdlib.h>
#include <string.h>

#include "core/c/error.h"
#include "tokenizers/trainer.h"

#if CTORCH_HAS_JANSSON
/* Of a token that is put in again, the last id counts, as in the tokenizers library's WordLevelTrainer. */
static bool put(json_t *vocab, const char *text, size_t len, size_t id) {
  return json_object_setn_new(vocab, text, len, json_integer((json_int_t)id)) == 0;
}

void trainer_learn_wordlevel(struct workspace *workspace, const ctorch_tokenizer_trainer *trainer, struct learnt *out) {
  const struct vocabulary *specials = &trainer->specials;
  struct word_count *sorted = NULL;
  size_t id = 0;
  bool is_put = true;
  out->vocab = json_object();
  for (; is_put && id < specials->len && id < trainer->vocab_size; id++) {
    is_put = put(out->vocab, vocabulary_text(specials, &specials->tokens[id]), specials->tokens[id].len, id);
  }
  trainer_take_error(workspace, word_counts_sort(workspace->function, &trainer->counts, &sorted));
  for (size_t i = 0; is_put && i < trainer->counts.words.len && id < trainer->vocab_size; i++) {
    if (sorted[i].count < (uint64_t)trainer->min_frequency) {
      break;
    }
    is_put = put(out->vocab, sorted[i].text, sorted[i].len, id++);
  }
  free(sorted);
  if (!is_put) {
    workspace_fail(workspace, error_memory(workspace->function, 0));
  }
}
#endif
