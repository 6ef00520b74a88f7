/* Normalizers as they are kept. */
#ifndef CTORCH_SHIM_TOKENIZERS_NORMALIZER_H
#define CTORCH_SHIM_TOKENIZERS_NORMALIZER_H

#include "tokenizers/component.h"

/* SentencePiece's map from characters to texts. */
struct charsmap;

#if CTORCH_HAS_JANSSON
ctorch_error *charsmap_new(const struct description *description, struct charsmap **out)
    __attribute__((warn_unused_result));
#endif
void charsmap_free(struct charsmap *self);
void charsmap_run(struct workspace *workspace, const struct charsmap *self, struct piece *piece);

/* NFC, NFD, NFKC or NFKD. */
void unicode_normalize(struct workspace *workspace, struct piece *piece, bool compatibility, bool compose);

/* A character and what it is to rewriting_put. */
struct replacement {
  uint32_t character;
  int64_t change;
};
struct replacements {
  struct replacement *data;
  size_t len, capacity;
};

#endif
