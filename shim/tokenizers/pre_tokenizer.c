/* Pre-tokenizers: how a text is divided into words. Facts from the tokenizers library's pre-tokenizers. */
#include <ctorch.h>
#include <stdlib.h>
#include <string.h>

#include "core/c/error.h"
#include "tokenizers/character.h"
#include "tokenizers/component.h"
#include "tokenizers/script.h"

enum kind {
  SEQUENCE,
  BYTE_LEVEL,
  BERT,
  WHITESPACE,
  WHITESPACE_SPLIT,
  PUNCTUATION,
  CHAR_DELIMITER_SPLIT,
  SPLIT,
  DIGITS,
  METASPACE,
  UNICODE_SCRIPTS,
  FIXED_LENGTH,
  KINDS_LEN
};

enum prepend_scheme { PREPEND_ALWAYS, PREPEND_FIRST, PREPEND_NEVER };

struct pre_tokenizer {
  enum kind kind;
  struct pre_tokenizer **parts; /* of a sequence */
  size_t parts_len;
  struct pattern *pattern;
  enum behavior behavior;
  bool invert, add_prefix_space, use_regex, individual_digits, split;
  enum prepend_scheme prepend_scheme;
  uint32_t character; /* a delimiter, or what stands for a space */
  uint32_t length;
};

static const char GPT2_PATTERN[] =
    "'s|'t|'re|'ve|'m|'ll|'d| ?\\p{L}++| ?\\p{N}++| ?[^\\s\\p{L}\\p{N}]++|\\s+(?!\\S)|\\s++";

void pre_tokenizer_free(struct pre_tokenizer *self) {
  if (self != NULL) {
    for (size_t i = 0; i < self->parts_len; i++) {
      pre_tokenizer_free(self->parts[i]);
    }
    free(self->parts);
    pattern_free(self->pattern);
    free(self);
  }
}

/* Reading ---------------------------------------------------------------------------------------------------------- */

#if CTORCH_HAS_JANSSON
static ctorch_error *read_parts(struct pre_tokenizer *self, const struct description *description) {
  const json_t *list = json_object_get(description->json, "pretokenizers");
  if (!json_is_array(list)) {
    return description_error(description, "Sequence: expected a list as \"pretokenizers\"");
  }
  self->parts = calloc(json_array_size(list) + 1, sizeof(struct pre_tokenizer *));
  if (self->parts == NULL) {
    return error_memory(description->function, json_array_size(list) * sizeof(struct pre_tokenizer *));
  }
  for (size_t i = 0; i < json_array_size(list); i++) {
    const struct description part = {description->function, description->place, json_array_get(list, i)};
    CTORCH_TRY(pre_tokenizer_new(&self->parts[i], &part));
    self->parts_len++;
  }
  return NULL;
}

static ctorch_error *read_byte_level(struct pre_tokenizer *self, const struct description *description) {
  bool trim_offsets = true;
  self->use_regex = true;
  CTORCH_TRY(description_bool(description, &self->add_prefix_space, "add_prefix_space", true));
  CTORCH_TRY(description_bool(description, &trim_offsets, "trim_offsets", true));
  CTORCH_TRY(description_bool(description, &self->use_regex, "use_regex", false));
  return pattern_new(description->function, &self->pattern, GPT2_PATTERN, sizeof GPT2_PATTERN - 1, PATTERN_ONIGURUMA);
}

static ctorch_error *read_metaspace(struct pre_tokenizer *self, const struct description *description) {
  static const char *const SCHEMES[] = {"always", "first", "never"};
  const char *scheme = "always";
  size_t len = 0;
  bool add_prefix_space = true;
  self->split = true;
  CTORCH_TRY(description_character(description, &self->character, "replacement"));
  CTORCH_TRY(description_text(description, &scheme, &len, "prepend_scheme", false));
  CTORCH_TRY(description_bool(description, &add_prefix_space, "add_prefix_space", false));
  CTORCH_TRY(description_bool(description, &self->split, "split", false));
  const bool is_declared = json_object_get(description->json, "prepend_scheme") != NULL;
  for (int i = 0; i < 3; i++) {
    if (strcmp(SCHEMES[i], scheme) == 0) {
      self->prepend_scheme = add_prefix_space ? (enum prepend_scheme)i : PREPEND_NEVER;
      if (!add_prefix_space && is_declared && i != PREPEND_NEVER) {
        return description_error(description, "Metaspace: \"add_prefix_space\" and \"prepend_scheme\" disagree");
      }
      char space[4];
      return pattern_of_text(description->function, &self->pattern, space, utf8_encode(space, ' '));
    }
  }
  return description_error(description, "Metaspace: expected always, first or never as \"prepend_scheme\"");
}

static ctorch_error *read_split(struct pre_tokenizer *self, const struct description *description) {
  CTORCH_TRY(description_pattern(description, &self->pattern));
  CTORCH_TRY(description_behavior(description, &self->behavior, true));
  return description_bool(description, &self->invert, "invert", true);
}

static ctorch_error *read_members(struct pre_tokenizer *self, const struct description *description) {
  switch (self->kind) {
    case SEQUENCE:
      return read_parts(self, description);
    case BYTE_LEVEL:
      return read_byte_level(self, description);
    case PUNCTUATION:
      self->behavior = ISOLATED;
      return description_behavior(description, &self->behavior, false);
    case CHAR_DELIMITER_SPLIT:
      return description_character(description, &self->character, "delimiter");
    case SPLIT:
      return read_split(self, description);
    case DIGITS:
      return description_bool(description, &self->individual_digits, "individual_digits", true);
    case METASPACE:
      return read_metaspace(self, description);
    case FIXED_LENGTH:
      self->length = 5;
      CTORCH_TRY(description_number(description, &self->length, "length", false));
      return self->length == 0 ? description_error(description, "FixedLength: expected a length of at least 1") : NULL;
    case UNICODE_SCRIPTS:
      return script_is_supported(description->function);
    default:
      return NULL;
  }
}

ctorch_error *pre_tokenizer_new(struct pre_tokenizer **out, const struct description *description) {
  static const char *const NAMES[KINDS_LEN] = {"Sequence",        "ByteLevel",   "BertPreTokenizer",   "Whitespace",
                                               "WhitespaceSplit", "Punctuation", "CharDelimiterSplit", "Split",
                                               "Digits",          "Metaspace",   "UnicodeScripts",     "FixedLength"};
  int kind = 0;
  CTORCH_TRY(description_kind(description, &kind, NAMES, KINDS_LEN));
  struct pre_tokenizer *self = calloc(1, sizeof *self);
  if (self == NULL) {
    return error_memory(description->function, sizeof *self);
  }
  self->kind = (enum kind)kind;
  ctorch_error *error = read_members(self, description);
  if (error != NULL) {
    pre_tokenizer_free(self);
    return error;
  }
  *out = self;
  return NULL;
}
#endif

bool pre_tokenizer_is_byte_level(const struct pre_tokenizer *self) {
  while (self != NULL && self->kind == SEQUENCE) {
    self = self->parts_len == 0 ? NULL : self->parts[self->parts_len - 1];
  }
  return self != NULL && self->kind == BYTE_LEVEL;
}

/* Running ---------------------------------------------------------------------------------------------------------- */

static void split_by_pattern(
    struct workspace *workspace,
    struct pieces *out,
    const struct piece *piece,
    const struct pattern *pattern,
    bool invert,
    enum behavior behavior) {
  struct spans spans = {.data = NULL};
  pattern_find_all(workspace, &spans, pattern, piece->data, piece->len);
  for (size_t i = 0; invert && i < spans.len; i++) {
    spans.data[i].is_match = !spans.data[i].is_match;
  }
  piece_split(workspace, out, piece, &spans, behavior);
}

static void split_byte_level(
    struct workspace *workspace,
    const struct pre_tokenizer *self,
    struct pieces *out,
    struct piece *piece,
    bool leaves_bytes) {
  if (self->add_prefix_space && piece->data[0] != ' ') {
    piece_prepend(workspace, piece, " ", 1);
  }
  const size_t first = out->len;
  if (self->use_regex) {
    split_by_pattern(workspace, out, piece, self->pattern, false, ISOLATED);
  } else {
    WORKSPACE_PUSH(workspace, out, *piece);
  }
  for (size_t i = first; !leaves_bytes && i < out->len; i++) {
    piece_byte_level(workspace, &out->data[i]);
  }
}

enum class { CLASS_SPACE, CLASS_WORD, CLASS_OTHER };
static enum class class_of(uint32_t c) {
  return character_is_space(c)  ? CLASS_SPACE
         : character_is_word(c) ? CLASS_WORD
                                : CLASS_OTHER;
}

/* `\w+|[^\w\s]+`. */
static void split_whitespace(struct workspace *workspace, struct pieces *out, const struct piece *piece) {
  size_t begin = 0;
  enum class last = CLASS_SPACE;
  for (size_t at = 0; at <= piece->len; at += at < piece->len ? utf8_len_from(piece->data[at]) : 1) {
    const enum class next = at < piece->len ? class_of(utf8_decode(piece->data + at)) : CLASS_SPACE;
    if (next != last) {
      if (last != CLASS_SPACE) {
        WORKSPACE_PUSH(workspace, out, piece_slice(piece, begin, at));
      }
      begin = at;
      last = next;
    }
  }
  if (last != CLASS_SPACE && begin < piece->len) {
    WORKSPACE_PUSH(workspace, out, piece_slice(piece, begin, piece->len));
  }
}

static void split_bert(struct workspace *workspace, struct pieces *out, const struct piece *piece) {
  size_t begin = 0;
  for (size_t at = 0, len = 0; at < piece->len; at += len) {
    const uint32_t c = utf8_decode(piece->data + at);
    len = utf8_len_from(piece->data[at]);
    const bool is_space = character_is_space(c);
    if (is_space || character_is_ascii_punctuation(c) || (c >= 0x80 && character_is_punctuation(c))) {
      if (begin < at) {
        WORKSPACE_PUSH(workspace, out, piece_slice(piece, begin, at));
      }
      if (!is_space) {
        WORKSPACE_PUSH(workspace, out, piece_slice(piece, at, at + len));
      }
      begin = at + len;
    }
  }
  if (begin < piece->len) {
    WORKSPACE_PUSH(workspace, out, piece_slice(piece, begin, piece->len));
  }
}

static bool is_any_punctuation(uint32_t c) {
  return character_is_ascii_punctuation(c) || (c >= 0x80 && character_is_punctuation(c));
}

static void split_character(
    struct workspace *workspace,
    struct pieces *out,
    const struct piece *piece,
    uint32_t character,
    enum behavior behavior) {
  struct spans spans = {.data = NULL};
  size_t begin = 0;
  for (size_t at = 0, len = 0; at < piece->len; at += len) {
    len = utf8_len_from(piece->data[at]);
    if (utf8_decode(piece->data + at) == character) {
      if (begin < at) {
        WORKSPACE_PUSH(workspace, &spans, ((struct span){(uint32_t)begin, (uint32_t)at, false}));
      }
      WORKSPACE_PUSH(workspace, &spans, ((struct span){(uint32_t)at, (uint32_t)(at + len), true}));
      begin = at + len;
    }
  }
  if (begin < piece->len) {
    WORKSPACE_PUSH(workspace, &spans, ((struct span){(uint32_t)begin, (uint32_t)piece->len, false}));
  }
  piece_split(workspace, out, piece, &spans, behavior);
}

static void split_metaspace(
    struct workspace *workspace, const struct pre_tokenizer *self, struct pieces *out, struct piece *piece) {
  char replacement[4];
  const size_t len = utf8_encode(replacement, self->character);
  piece_replace(workspace, piece, self->pattern, replacement, len);
  const bool is_there = piece->len >= len && memcmp(piece->data, replacement, len) == 0;
  if (!is_there &&
      (self->prepend_scheme == PREPEND_ALWAYS || (self->prepend_scheme == PREPEND_FIRST && piece->shift == 0))) {
    piece_prepend(workspace, piece, replacement, len);
  }
  if (self->split) {
    split_character(workspace, out, piece, self->character, MERGED_WITH_NEXT);
  } else {
    WORKSPACE_PUSH(workspace, out, *piece);
  }
}

static void split_fixed_length(
    struct workspace *workspace, struct pieces *out, const struct piece *piece, uint32_t length) {
  for (size_t begin = 0, at = 0; begin < piece->len; begin = at) {
    for (uint32_t i = 0; i < length && at < piece->len; i++) {
      at += utf8_len_from(piece->data[at]);
    }
    WORKSPACE_PUSH(workspace, out, piece_slice(piece, begin, at));
  }
}

static void split(
    struct workspace *workspace,
    const struct pre_tokenizer *self,
    struct pieces *out,
    struct piece *piece,
    bool leaves_bytes) {
  switch (self->kind) {
    case BYTE_LEVEL:
      split_byte_level(workspace, self, out, piece, leaves_bytes);
      break;
    case BERT:
      split_bert(workspace, out, piece);
      break;
    case WHITESPACE:
      split_whitespace(workspace, out, piece);
      break;
    case WHITESPACE_SPLIT:
      piece_split_by_class(workspace, out, piece, character_is_space, REMOVED);
      break;
    case PUNCTUATION:
      piece_split_by_class(workspace, out, piece, is_any_punctuation, self->behavior);
      break;
    case CHAR_DELIMITER_SPLIT:
      split_character(workspace, out, piece, self->character, REMOVED);
      break;
    case SPLIT:
      split_by_pattern(workspace, out, piece, self->pattern, self->invert, self->behavior);
      break;
    case DIGITS:
      piece_split_by_class(workspace, out, piece, character_is_number, self->individual_digits ? ISOLATED : CONTIGUOUS);
      break;
    case METASPACE:
      split_metaspace(workspace, self, out, piece);
      break;
    case UNICODE_SCRIPTS:
      script_split(workspace, out, piece);
      break;
    default:
      split_fixed_length(workspace, out, piece, self->length);
  }
}

void pre_tokenizer_run(
    struct workspace *workspace, const struct pre_tokenizer *self, struct pieces *pieces, bool leaves_bytes) {
  if (self->kind == SEQUENCE) {
    for (size_t i = 0; i < self->parts_len; i++) {
      pre_tokenizer_run(workspace, self->parts[i], pieces, leaves_bytes && i + 1 == self->parts_len);
    }
    return;
  }
  struct pieces out = {.data = NULL};
  for (size_t i = 0; i < pieces->len; i++) {
    if (pieces->data[i].token >= 0) {
      WORKSPACE_PUSH(workspace, &out, pieces->data[i]);
    } else if (pieces->data[i].len > 0) {
      split(workspace, self, &out, &pieces->data[i], leaves_bytes);
    }
  }
  *pieces = out;
}
