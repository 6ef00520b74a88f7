/* Tokens of bytes, "<0x00>" …, for characters that a vocabulary lacks. */
#include <stdio.h>

#include "tokenizers/model.h"

void model_find_fallback(struct token_model *self) {
  for (unsigned i = 0; i < 256; i++) {
    char name[16];
    snprintf(name, sizeof name, "<0x%02X>", i);
    const struct vocabulary_token *token = vocabulary_find(&self->vocabulary, name, 6);
    self->fallback_ids[i] = token == NULL ? UINT32_MAX : token->id;
  }
}

bool model_put_fallback(
    struct workspace *workspace,
    const struct token_model *self,
    const char *data,
    size_t len,
    struct token base,
    struct tokens *out) {
  for (size_t i = 0; i < len; i++) {
    if (self->fallback_ids[(unsigned char)data[i]] == UINT32_MAX) {
      return false;
    }
  }
  for (size_t i = 0; i < len; i++) {
    base.id = self->fallback_ids[(unsigned char)data[i]];
    WORKSPACE_PUSH(workspace, out, base);
  }
  return true;
}
