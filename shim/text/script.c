/* Scripts of characters: PCRE2 is asked, once for each character that a text has. */
#include "script.h"

#include <ctorch.h>

#include "character.h"
#include "error.h"

ctorch_error *script_is_supported(const char *function) {
  return error_make(function, CTORCH_ERROR_UNSUPPORTED, "pre_tokenizer: \"UnicodeScripts\" is not known here");
}

void script_split(struct workspace *workspace, struct pieces *out, const struct piece *piece) {
  WORKSPACE_PUSH(workspace, out, *piece);
}
