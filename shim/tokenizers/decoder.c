/* Decoders: from tokens back to a text. Facts from the tokenizers library's decoders. */
#include <ctorch.h>
#include <stdlib.h>
#include <string.h>

#include "core/c/error.h"
#include "tokenizers/byte_level.h"
#include "tokenizers/character.h"
#include "tokenizers/component.h"

enum kind { SEQUENCE, BYTE_LEVEL, WORD_PIECE, METASPACE, BPE, CTC, REPLACE, FUSE, STRIP, BYTE_FALLBACK, KINDS_LEN };

struct decoder {
  enum kind kind;
  struct decoder **parts; /* of a sequence */
  size_t parts_len;
  char *first, *second; /* prefix, suffix, pad token, content; word delimiter */
  size_t first_len, second_len;
  bool cleanup, is_prepended;
  uint32_t character, start, stop;
  struct pattern *pattern;
};

void decoder_free(struct decoder *self) {
  if (self != NULL) {
    for (size_t i = 0; i < self->parts_len; i++) {
      decoder_free(self->parts[i]);
    }
    free(self->parts);
    free(self->first);
    free(self->second);
    pattern_free(self->pattern);
    free(self);
  }
}

/* Reading ---------------------------------------------------------------------------------------------------------- */

#if CTORCH_HAS_JANSSON
static ctorch_error *read_parts(struct decoder *self, const struct description *description) {
  const json_t *list = json_object_get(description->json, "decoders");
  if (!json_is_array(list)) {
    return description_error(description, "Sequence: expected a list as \"decoders\"");
  }
  self->parts = calloc(json_array_size(list) + 1, sizeof(struct decoder *));
  if (self->parts == NULL) {
    return error_memory(description->function, json_array_size(list) * sizeof(struct decoder *));
  }
  for (size_t i = 0; i < json_array_size(list); i++) {
    const struct description part = {description->function, description->place, json_array_get(list, i)};
    CTORCH_TRY(decoder_new(&self->parts[i], &part));
    self->parts_len++;
  }
  return NULL;
}

static ctorch_error *read_text(const struct description *description, char **out, size_t *out_len, const char *key) {
  const char *text = "";
  CTORCH_TRY(description_text(description, &text, out_len, key, true));
  *out = malloc(*out_len + 1);
  if (*out == NULL) {
    return error_memory(description->function, *out_len);
  }
  memcpy(*out, text, *out_len + 1);
  return NULL;
}

static ctorch_error *read_metaspace(struct decoder *self, const struct description *description) {
  const char *scheme = "always";
  size_t len = 0;
  bool add_prefix_space = true;
  CTORCH_TRY(description_character(description, &self->character, "replacement"));
  CTORCH_TRY(description_text(description, &scheme, &len, "prepend_scheme", false));
  CTORCH_TRY(description_bool(description, &add_prefix_space, "add_prefix_space", false));
  self->is_prepended = add_prefix_space && strcmp(scheme, "never") != 0;
  return NULL;
}

static ctorch_error *read_members(struct decoder *self, const struct description *description) {
  switch (self->kind) {
    case SEQUENCE:
      return read_parts(self, description);
    case WORD_PIECE:
      CTORCH_TRY(description_bool(description, &self->cleanup, "cleanup", true));
      return read_text(description, &self->first, &self->first_len, "prefix");
    case METASPACE:
      return read_metaspace(self, description);
    case BPE:
      return read_text(description, &self->first, &self->first_len, "suffix");
    case CTC:
      CTORCH_TRY(description_bool(description, &self->cleanup, "cleanup", true));
      CTORCH_TRY(read_text(description, &self->first, &self->first_len, "pad_token"));
      return read_text(description, &self->second, &self->second_len, "word_delimiter_token");
    case REPLACE:
      CTORCH_TRY(description_pattern(description, &self->pattern));
      return read_text(description, &self->first, &self->first_len, "content");
    case STRIP:
      CTORCH_TRY(description_character(description, &self->character, "content"));
      CTORCH_TRY(description_number(description, &self->start, "start", true));
      return description_number(description, &self->stop, "stop", true);
    default:
      return NULL;
  }
}

ctorch_error *decoder_new(struct decoder **out, const struct description *description) {
  static const char *const NAMES[KINDS_LEN] = {"Sequence", "ByteLevel", "WordPiece", "Metaspace", "BPEDecoder",
                                               "CTC",      "Replace",   "Fuse",      "Strip",     "ByteFallback"};
  int kind = 0;
  CTORCH_TRY(description_kind(description, &kind, NAMES, KINDS_LEN));
  struct decoder *self = calloc(1, sizeof *self);
  if (self == NULL) {
    return error_memory(description->function, sizeof *self);
  }
  self->kind = (enum kind)kind;
  ctorch_error *error = read_members(self, description);
  if (error != NULL) {
    decoder_free(self);
    return error;
  }
  *out = self;
  return NULL;
}
#endif

/* Texts ------------------------------------------------------------------------------------------------------------ */

static struct token_text text_of(const struct bytes *bytes) {
  return (struct token_text){bytes->len == 0 ? "" : bytes->data, bytes->len};
}

/* Rust's str::replace; what is empty stands before each character and at the end. */
static struct token_text replace(
    struct workspace *workspace,
    struct token_text text,
    const char *old,
    size_t old_len,
    const char *by,
    size_t by_len) {
  struct bytes out = {.data = NULL};
  bool is_found = false;
  for (size_t at = 0; at <= text.len;) {
    if (old_len <= text.len - at && (old_len == 0 || memcmp(text.data + at, old, old_len) == 0)) {
      bytes_add(workspace, &out, by, by_len);
      is_found = true;
      at += old_len;
      if (old_len > 0) {
        continue;
      }
    }
    if (at < text.len) {
      const size_t len = utf8_len_from(text.data[at]);
      bytes_add(workspace, &out, text.data + at, len);
      at += len;
    } else {
      at++;
    }
  }
  return is_found ? text_of(&out) : text;
}

/* Spaces before English punctuation. */
static struct token_text clean_up(struct workspace *workspace, struct token_text text) {
  static const char *const PAIRS[][2] = {{" .", "."},   {" ?", "?"},     {" !", "!"},    {" ,", ","},
                                         {" ' ", "'"},  {" n't", "n't"}, {" 'm", "'m"},  {" do not", " don't"},
                                         {" 's", "'s"}, {" 've", "'ve"}, {" 're", "'re"}};
  for (size_t i = 0; i < sizeof PAIRS / sizeof *PAIRS; i++) {
    text = replace(workspace, text, PAIRS[i][0], strlen(PAIRS[i][0]), PAIRS[i][1], strlen(PAIRS[i][1]));
  }
  return text;
}

static bool is_equal(struct token_text a, struct token_text b) {
  return a.len == b.len && memcmp(a.data, b.data, a.len) == 0;
}

/* Decoders --------------------------------------------------------------------------------------------------------- */

static void join(struct workspace *workspace, struct token_texts *tokens) {
  struct bytes all = {.data = NULL};
  for (size_t i = 0; i < tokens->len; i++) {
    bytes_add(workspace, &all, tokens->data[i].data, tokens->data[i].len);
  }
  tokens->len = 0;
  WORKSPACE_PUSH(workspace, tokens, text_of(&all));
}

/* The bytes of a token; its UTF-8 if it has a character that stands for none. */
static void add_bytes_of(struct workspace *workspace, struct bytes *out, struct token_text token) {
  const size_t before = out->len;
  for (size_t at = 0; at < token.len; at += utf8_len_from(token.data[at])) {
    const int byte = byte_level_byte(utf8_decode(token.data + at));
    if (byte == BYTE_LEVEL_NONE) {
      out->len = before;
      bytes_add(workspace, out, token.data, token.len);
      return;
    }
    const char added = (char)byte;
    bytes_add(workspace, out, &added, 1);
  }
}

static void run_byte_level(struct workspace *workspace, struct token_texts *tokens) {
  struct bytes all = {.data = NULL};
  for (size_t i = 0; i < tokens->len; i++) {
    add_bytes_of(workspace, &all, tokens->data[i]);
  }
  char *text = workspace_take(workspace, 3 * all.len);
  const size_t len = utf8_from_bytes(text, all.data, all.len);
  tokens->len = 0;
  WORKSPACE_PUSH(workspace, tokens, ((struct token_text){text, len}));
}

static void run_wordpiece(struct workspace *workspace, const struct decoder *self, struct token_texts *tokens) {
  for (size_t i = 0; i < tokens->len; i++) {
    struct token_text *token = &tokens->data[i];
    if (i > 0 && token->len >= self->first_len && memcmp(token->data, self->first, self->first_len) == 0) {
      token->data += self->first_len;
      token->len -= self->first_len;
    } else if (i > 0) {
      struct bytes spaced = {.data = NULL};
      bytes_add(workspace, &spaced, " ", 1);
      bytes_add(workspace, &spaced, token->data, token->len);
      *token = text_of(&spaced);
    }
    if (self->cleanup) {
      *token = clean_up(workspace, *token);
    }
  }
}

static void run_metaspace(struct workspace *workspace, const struct decoder *self, struct token_texts *tokens) {
  char mark[4];
  const size_t len = utf8_encode(mark, self->character);
  for (size_t i = 0; i < tokens->len; i++) {
    tokens->data[i] = replace(workspace, tokens->data[i], mark, len, " ", i == 0 && self->is_prepended ? 0 : 1);
  }
}

static void run_bpe(struct workspace *workspace, const struct decoder *self, struct token_texts *tokens) {
  for (size_t i = 0; i < tokens->len; i++) {
    tokens->data[i] =
        replace(workspace, tokens->data[i], self->first, self->first_len, " ", i + 1 == tokens->len ? 0 : 1);
  }
}

static void run_ctc(struct workspace *workspace, const struct decoder *self, struct token_texts *tokens) {
  size_t len = 0;
  struct token_text last = {"", 0};
  for (size_t i = 0; i < tokens->len; i++) {
    const struct token_text token = tokens->data[i];
    if (i > 0 && is_equal(token, last)) {
      continue;
    }
    last = token;
    struct token_text text = replace(workspace, token, self->first, self->first_len, "", 0);
    if (self->cleanup) {
      text = replace(workspace, clean_up(workspace, text), self->second, self->second_len, " ", 1);
    }
    if (text.len > 0) {
      tokens->data[len++] = text;
    }
  }
  tokens->len = len;
}

static void run_replace(struct workspace *workspace, const struct decoder *self, struct token_texts *tokens) {
  for (size_t i = 0; i < tokens->len; i++) {
    struct token_text *token = &tokens->data[i];
    struct spans spans = {.data = NULL};
    struct bytes out = {.data = NULL};
    if (token->len > 0) {
      pattern_find_all(workspace, &spans, self->pattern, token->data, token->len);
    }
    for (size_t j = 0; j < spans.len; j++) {
      const struct span *span = &spans.data[j];
      bytes_add(
          workspace, &out, span->is_match ? self->first : token->data + span->begin,
          span->is_match ? self->first_len : span->end - span->begin);
    }
    *token = text_of(&out);
  }
}

static void run_strip(const struct decoder *self, struct token_texts *tokens) {
  for (size_t i = 0; i < tokens->len; i++) {
    struct token_text *token = &tokens->data[i];
    for (uint32_t cut = 0; cut < self->start && token->len > 0 && utf8_decode(token->data) == self->character; cut++) {
      const size_t len = utf8_len_from(*token->data);
      token->data += len;
      token->len -= len;
    }
    for (uint32_t cut = 0; cut < self->stop && token->len > 0; cut++) {
      size_t last = token->len - 1;
      while (last > 0 && utf8_continues(token->data[last])) {
        last--;
      }
      if (utf8_decode(token->data + last) != self->character) {
        break;
      }
      token->len = last;
    }
  }
}

static int hexadecimal(char c) {
  return c >= '0' && c <= '9'   ? c - '0'
         : c >= 'a' && c <= 'f' ? c - 'a' + 10
         : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                : -1;
}

/* "<0x0A>" → 10; -1 for what is no byte. */
static int byte_of(struct token_text token) {
  if (token.len != 6 || memcmp(token.data, "<0x", 3) != 0 || token.data[5] != '>') {
    return -1;
  }
  const int high = token.data[3] == '+' ? 0 : hexadecimal(token.data[3]), low = hexadecimal(token.data[4]);
  return high < 0 || low < 0 ? -1 : high * 16 + low;
}

/* Bytes in a row become the text that they are, or as many U+FFFD as they are. */
static void put_bytes(struct workspace *workspace, struct token_texts *out, struct bytes *bytes) {
  if (bytes->len > 0 && utf8_is_valid(bytes->data, bytes->len)) {
    WORKSPACE_PUSH(workspace, out, text_of(bytes));
  } else {
    for (size_t i = 0; i < bytes->len; i++) {
      WORKSPACE_PUSH(workspace, out, ((struct token_text){"\xef\xbf\xbd", 3}));
    }
  }
  *bytes = (struct bytes){.data = NULL};
}

static void run_byte_fallback(struct workspace *workspace, struct token_texts *tokens) {
  struct token_texts out = {.data = NULL};
  struct bytes bytes = {.data = NULL};
  for (size_t i = 0; i < tokens->len; i++) {
    const int byte = byte_of(tokens->data[i]);
    if (byte >= 0) {
      const char added = (char)byte;
      bytes_add(workspace, &bytes, &added, 1);
    } else {
      put_bytes(workspace, &out, &bytes);
      WORKSPACE_PUSH(workspace, &out, tokens->data[i]);
    }
  }
  put_bytes(workspace, &out, &bytes);
  *tokens = out;
}

void decoder_run(struct workspace *workspace, const struct decoder *self, struct token_texts *tokens) {
  switch (self->kind) {
    case SEQUENCE:
      for (size_t i = 0; i < self->parts_len; i++) {
        decoder_run(workspace, self->parts[i], tokens);
      }
      break;
    case BYTE_LEVEL:
      run_byte_level(workspace, tokens);
      break;
    case WORD_PIECE:
      run_wordpiece(workspace, self, tokens);
      break;
    case METASPACE:
      run_metaspace(workspace, self, tokens);
      break;
    case BPE:
      run_bpe(workspace, self, tokens);
      break;
    case CTC:
      run_ctc(workspace, self, tokens);
      break;
    case REPLACE:
      run_replace(workspace, self, tokens);
      break;
    case FUSE:
      join(workspace, tokens);
      break;
    case STRIP:
      run_strip(self, tokens);
      break;
    default:
      run_byte_fallback(workspace, tokens);
  }
}
