/* What is asked of a text before it is encoded. */
#include <string.h>

#include "core/c/error.h"
#include "tokenizers/character.h"
#include "tokenizers/tokenizer.h"

ctorch_error *tokenizer_check_text(const char *function, const char *argument, const char *text, size_t len) {
  if (text == NULL && len > 0) {
    return error_null(function, argument);
  }
  if (len >= UINT32_MAX / 2) {
    return error_argument(function, argument, "expected at most 2 GiB, got %zu bytes", len);
  }
  if (len > 0 && !utf8_is_valid(text, len)) {
    return error_argument(function, argument, "expected UTF-8");
  }
  return NULL;
}

ctorch_error *tokenizer_check_texts(
    const char *function, const char *argument, const char *const *texts, size_t texts_len) {
  CTORCH_TRY(error_unless_list(function, argument, texts, texts_len));
  for (size_t i = 0; i < texts_len; i++) {
    if (texts[i] == NULL) {
      return error_make(function, CTORCH_ERROR_NULL_ARGUMENT, "%s[%zu] must not be NULL", argument, i);
    }
    CTORCH_TRY(tokenizer_check_text(function, argument, texts[i], strlen(texts[i])));
  }
  return NULL;
}
