/* Normalizers: what is done to a text before it is divided. Facts from the tokenizers library's normalizers. */
#include "tokenizers/normalizer.h"

#include <ctorch.h>
#include <stdlib.h>
#include <string.h>

#include "core/c/error.h"
#include "tokenizers/character.h"

enum kind {
  SEQUENCE,
  LOWERCASE,
  NFC,
  NFD,
  NFKC,
  NFKD,
  NMT,
  STRIP,
  STRIP_ACCENTS,
  BERT,
  REPLACE,
  PREPEND,
  PRECOMPILED,
  BYTE_LEVEL,
  KINDS_LEN
};

struct normalizer {
  enum kind kind;
  struct normalizer **parts; /* of a sequence */
  size_t parts_len;
  bool strip_left, strip_right;
  bool clean_text, handle_chinese_chars, strip_accents, lowercase;
  struct pattern *pattern;
  char *text; /* what is put in */
  size_t text_len;
  struct charsmap *charsmap;
};

void normalizer_free(struct normalizer *self) {
  if (self != NULL) {
    for (size_t i = 0; i < self->parts_len; i++) {
      normalizer_free(self->parts[i]);
    }
    free(self->parts);
    pattern_free(self->pattern);
    free(self->text);
    charsmap_free(self->charsmap);
    free(self);
  }
}

/* Reading ---------------------------------------------------------------------------------------------------------- */

#if CTORCH_HAS_JANSSON
static ctorch_error *read_parts(struct normalizer *self, const struct description *description) {
  const json_t *list = json_object_get(description->json, "normalizers");
  if (!json_is_array(list)) {
    return description_error(description, "Sequence: expected a list as \"normalizers\"");
  }
  self->parts = calloc(json_array_size(list) + 1, sizeof(struct normalizer *));
  if (self->parts == NULL) {
    return error_memory(description->function, json_array_size(list) * sizeof(struct normalizer *));
  }
  for (size_t i = 0; i < json_array_size(list); i++) {
    const struct description part = {description->function, description->place, json_array_get(list, i)};
    CTORCH_TRY(normalizer_new(&self->parts[i], &part));
    self->parts_len++;
  }
  return NULL;
}

static ctorch_error *read_text(struct normalizer *self, const struct description *description, const char *key) {
  const char *text = "";
  CTORCH_TRY(description_text(description, &text, &self->text_len, key, true));
  self->text = malloc(self->text_len + 1);
  if (self->text == NULL) {
    return error_memory(description->function, self->text_len);
  }
  memcpy(self->text, text, self->text_len);
  return NULL;
}

static ctorch_error *read_bert(struct normalizer *self, const struct description *description) {
  CTORCH_TRY(description_bool(description, &self->clean_text, "clean_text", true));
  CTORCH_TRY(description_bool(description, &self->handle_chinese_chars, "handle_chinese_chars", true));
  CTORCH_TRY(description_bool(description, &self->lowercase, "lowercase", true));
  self->strip_accents = self->lowercase;
  return description_bool(description, &self->strip_accents, "strip_accents", false);
}

static ctorch_error *read_members(struct normalizer *self, const struct description *description) {
  switch (self->kind) {
    case SEQUENCE:
      return read_parts(self, description);
    case STRIP:
      CTORCH_TRY(description_bool(description, &self->strip_left, "strip_left", true));
      return description_bool(description, &self->strip_right, "strip_right", true);
    case BERT:
      return read_bert(self, description);
    case REPLACE:
      CTORCH_TRY(description_pattern(description, &self->pattern));
      return read_text(self, description, "content");
    case PREPEND:
      return read_text(self, description, "prepend");
    case PRECOMPILED:
      return charsmap_new(description, &self->charsmap);
    default:
      return NULL;
  }
}

ctorch_error *normalizer_new(struct normalizer **out, const struct description *description) {
  static const char *const NAMES[KINDS_LEN] = {"Sequence", "Lowercase", "NFC",         "NFD",          "NFKC",
                                               "NFKD",     "Nmt",       "Strip",       "StripAccents", "BertNormalizer",
                                               "Replace",  "Prepend",   "Precompiled", "ByteLevel"};
  int kind = 0;
  CTORCH_TRY(description_kind(description, &kind, NAMES, KINDS_LEN));
  struct normalizer *self = calloc(1, sizeof *self);
  if (self == NULL) {
    return error_memory(description->function, sizeof *self);
  }
  self->kind = (enum kind)kind;
  ctorch_error *error = read_members(self, description);
  if (error != NULL) {
    normalizer_free(self);
    return error;
  }
  *out = self;
  return NULL;
}
#endif

/* Running ---------------------------------------------------------------------------------------------------------- */

static bool is_no_mark(uint32_t c) { return !character_is_mark(c); }
static bool is_no_nonspacing_mark(uint32_t c) { return !character_is_nonspacing_mark(c); }

static bool is_nmt(uint32_t c) {
  return !((c >= 1 && c <= 8) || c == 0xb || (c >= 0xe && c <= 0x1f) || c == 0x7f || c == 0x8f || c == 0x9f);
}

static uint32_t nmt_space(uint32_t c) {
  const bool is_space = c == 9 || c == 0xa || c == 0xc || c == 0xd || c == 0x1680 || (c >= 0x200b && c <= 0x200f) ||
                        c == 0x2028 || c == 0x2029 || c == 0x2581 || c == 0xfeff || c == 0xfffd;
  return is_space ? ' ' : c;
}

static bool is_bert_text(uint32_t c) {
  const bool is_control = c != '\t' && c != '\n' && c != '\r' && character_is_other(c);
  return c != 0 && c != 0xfffd && !is_control;
}

static uint32_t plain_space(uint32_t c) { return character_is_space(c) ? ' ' : c; }

static bool is_chinese(uint32_t c) {
  return (c >= 0x4e00 && c <= 0x9fff) || (c >= 0x3400 && c <= 0x4dbf) || (c >= 0x20000 && c <= 0x2a6df) ||
         (c >= 0x2a700 && c <= 0x2b73f) || (c >= 0x2b740 && c <= 0x2b81f) || (c >= 0x2b920 && c <= 0x2ceaf) ||
         (c >= 0xf900 && c <= 0xfaff) || (c >= 0x2f800 && c <= 0x2fa1f);
}

static void isolate_chinese(struct workspace *workspace, struct piece *piece) {
  size_t at = utf8_ascii_len(piece->data, piece->len);
  while (at < piece->len && !is_chinese(utf8_decode(piece->data + at))) {
    at += utf8_len_from(piece->data[at]);
  }
  if (at == piece->len) {
    return;
  }
  struct rewriting rewriting = rewriting_begin(workspace, piece);
  rewriting_copy(&rewriting, at);
  while (rewriting.at < piece->len) {
    const uint32_t c = utf8_decode(piece->data + rewriting.at);
    if (is_chinese(c)) {
      rewriting_put(&rewriting, ' ', 0);
      rewriting_put(&rewriting, c, 1);
      rewriting_put(&rewriting, ' ', 1);
    } else {
      rewriting_put(&rewriting, c, 0);
    }
  }
  rewriting_end(&rewriting, piece);
}

static void run_bert(struct workspace *workspace, const struct normalizer *self, struct piece *piece) {
  if (self->clean_text) {
    piece_filter(workspace, piece, is_bert_text);
    piece_map(workspace, piece, plain_space);
  }
  if (self->handle_chinese_chars) {
    isolate_chinese(workspace, piece);
  }
  if (self->strip_accents) {
    unicode_normalize(workspace, piece, false, false);
    piece_filter(workspace, piece, is_no_nonspacing_mark);
  }
  if (self->lowercase) {
    piece_lower(workspace, piece);
  }
}

void normalizer_run(struct workspace *workspace, const struct normalizer *self, struct piece *piece) {
  switch (self->kind) {
    case SEQUENCE:
      for (size_t i = 0; i < self->parts_len; i++) {
        normalizer_run(workspace, self->parts[i], piece);
      }
      break;
    case LOWERCASE:
      piece_lower(workspace, piece);
      break;
    case NFC:
    case NFD:
    case NFKC:
    case NFKD:
      unicode_normalize(
          workspace, piece, self->kind == NFKC || self->kind == NFKD, self->kind == NFC || self->kind == NFKC);
      break;
    case NMT:
      piece_filter(workspace, piece, is_nmt);
      piece_map(workspace, piece, nmt_space);
      break;
    case STRIP:
      piece_strip(workspace, piece, self->strip_left, self->strip_right);
      break;
    case STRIP_ACCENTS:
      piece_filter(workspace, piece, is_no_mark);
      break;
    case BERT:
      run_bert(workspace, self, piece);
      break;
    case REPLACE:
      piece_replace(workspace, piece, self->pattern, self->text, self->text_len);
      break;
    case PREPEND:
      piece_prepend(workspace, piece, self->text, self->text_len);
      break;
    case PRECOMPILED:
      charsmap_run(workspace, self->charsmap, piece);
      break;
    default:
      piece_byte_level(workspace, piece);
  }
}
