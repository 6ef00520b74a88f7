/* Pieces of a normalized text that know where their bytes come from. */
#include "tokenizers/aligned.h"

#include <string.h>

#include "tokenizers/byte_level.h"
#include "tokenizers/character.h"

struct offsets piece_from(const struct piece *self, size_t at) {
  if (self->from != NULL) {
    return self->from[at];
  }
  size_t begin = at;
  while (begin > 0 && utf8_continues(self->data[begin])) {
    begin--;
  }
  const size_t end = begin + utf8_len_from(self->data[begin]);
  return (struct offsets){self->shift + (uint32_t)begin, self->shift + (uint32_t)end};
}

struct piece piece_slice(const struct piece *self, size_t begin, size_t end) {
  return (struct piece){
      .data = self->data + begin,
      .len = end - begin,
      .from = self->from == NULL ? NULL : self->from + begin,
      .shift = self->from == NULL || begin == end ? self->shift + (uint32_t)begin : self->from[begin].begin,
      .token = -1,
  };
}

/* Rewriting -------------------------------------------------------------------------------------------------------- */

struct rewriting rewriting_begin(struct workspace *workspace, const struct piece *piece) {
  struct rewriting self = {.workspace = workspace, .piece = *piece, .capacity = piece->len + 64};
  self.data = workspace_take(workspace, self.capacity);
  self.from = workspace_take(workspace, self.capacity * sizeof *self.from);
  return self;
}

static void make_room(struct rewriting *self, size_t len) {
  if (len > self->capacity - self->len) {
    self->capacity = self->capacity * 2 + len;
    char *data = workspace_take(self->workspace, self->capacity);
    struct offsets *from = workspace_take(self->workspace, self->capacity * sizeof *from);
    memcpy(data, self->data, self->len);
    memcpy(from, self->from, self->len * sizeof *from);
    self->data = data;
    self->from = from;
  }
}

void rewriting_put_bytes(struct rewriting *self, const char *data, size_t len, struct offsets from) {
  make_room(self, len);
  for (size_t i = 0; i < len; i++) {
    self->data[self->len] = data[i];
    self->from[self->len++] = from;
  }
}

static void skip(struct rewriting *self, int64_t characters) {
  for (; characters > 0 && self->at < self->piece.len; characters--) {
    self->at += utf8_len_from(self->piece.data[self->at]);
  }
}

void rewriting_put(struct rewriting *self, uint32_t character, int64_t change) {
  char encoded[4];
  struct offsets from = {self->piece.shift, self->piece.shift};
  if (change > 0 ? self->at > 0 : self->piece.len > 0) {
    const size_t at = change > 0 ? self->at - 1 : self->at < self->piece.len ? self->at : self->piece.len - 1;
    from = piece_from(&self->piece, at);
  }
  rewriting_put_bytes(self, encoded, utf8_encode(encoded, character), from);
  skip(self, change > 0 ? 0 : 1 - change);
}

void rewriting_copy(struct rewriting *self, size_t len) {
  make_room(self, len);
  memcpy(self->data + self->len, self->piece.data + self->at, len);
  for (size_t i = 0; i < len; i++) {
    self->from[self->len + i] = piece_from(&self->piece, self->at + i);
  }
  self->len += len;
  self->at += len;
}

void rewriting_end(struct rewriting *self, struct piece *piece) {
  piece->data = self->data;
  piece->len = self->len;
  piece->from = self->from;
}

/* Changes ---------------------------------------------------------------------------------------------------------- */

void piece_filter(struct workspace *workspace, struct piece *self, bool (*keep)(uint32_t character)) {
  size_t at = 0;
  while (at < self->len && keep(utf8_decode(self->data + at))) {
    at += utf8_len_from(self->data[at]);
  }
  if (at == self->len) {
    return;
  }
  struct rewriting rewriting = rewriting_begin(workspace, self);
  rewriting_copy(&rewriting, at);
  while (rewriting.at < self->len) {
    const size_t len = utf8_len_from(self->data[rewriting.at]);
    if (keep(utf8_decode(self->data + rewriting.at))) {
      rewriting_copy(&rewriting, len);
    } else {
      rewriting.at += len;
    }
  }
  rewriting_end(&rewriting, self);
}

/* Whether it is ASCII and stays so; if it is, what it becomes lies in `data`. */
static bool map_ascii(struct workspace *workspace, struct piece *self, uint32_t (*map)(uint32_t character)) {
  if (utf8_ascii_len(self->data, self->len) < self->len) {
    return false;
  }
  char *data = workspace_take(workspace, self->len);
  for (size_t i = 0; i < self->len; i++) {
    data[i] = (char)map((unsigned char)self->data[i]);
  }
  self->data = data;
  return true;
}

/* `map` leads from ASCII to ASCII. */
void piece_map(struct workspace *workspace, struct piece *self, uint32_t (*map)(uint32_t character)) {
  if (map_ascii(workspace, self, map)) {
    return;
  }
  struct rewriting rewriting = rewriting_begin(workspace, self);
  while (rewriting.at < self->len) {
    rewriting_put(&rewriting, map(utf8_decode(self->data + rewriting.at)), 0);
  }
  rewriting_end(&rewriting, self);
}

static uint32_t ascii_lower(uint32_t c) { return c >= 'A' && c <= 'Z' ? c + 32 : c; }

void piece_lower(struct workspace *workspace, struct piece *self) {
  if (map_ascii(workspace, self, ascii_lower)) {
    return;
  }
  struct rewriting rewriting = rewriting_begin(workspace, self);
  while (rewriting.at < self->len) {
    uint32_t lower[2];
    const size_t len = character_lower(lower, utf8_decode(self->data + rewriting.at));
    for (size_t i = 0; i < len; i++) {
      rewriting_put(&rewriting, lower[i], i > 0);
    }
  }
  rewriting_end(&rewriting, self);
}

void piece_prepend(struct workspace *workspace, struct piece *self, const char *text, size_t len) {
  if (self->len == 0) {
    return;
  }
  struct rewriting rewriting = rewriting_begin(workspace, self);
  rewriting_put_bytes(&rewriting, text, len, piece_from(self, 0));
  rewriting_copy(&rewriting, self->len);
  rewriting_end(&rewriting, self);
}

void piece_strip(struct workspace *workspace, struct piece *self, bool left, bool right) {
  (void)workspace;
  size_t begin = 0, end = self->len;
  while (left && begin < end && character_is_space(utf8_decode(self->data + begin))) {
    begin += utf8_len_from(self->data[begin]);
  }
  while (right && end > begin) {
    size_t last = end - 1;
    while (utf8_continues(self->data[last])) {
      last--;
    }
    if (!character_is_space(utf8_decode(self->data + last))) {
      break;
    }
    end = last;
  }
  if (begin == 0 && end == self->len) {
    return;
  }
  /* The piece still begins where it began: what is left knows where it comes from. */
  const uint32_t shift = self->shift;
  const bool is_aligned = self->from != NULL;
  *self = piece_slice(self, begin, end);
  self->shift = is_aligned ? shift : self->shift;
}

void piece_replace(
    struct workspace *workspace, struct piece *self, const struct pattern *pattern, const char *text, size_t len) {
  struct spans spans = {.data = NULL};
  pattern_find_all(workspace, &spans, pattern, self->data, self->len);
  bool is_found = false;
  for (size_t i = 0; !is_found && i < spans.len; i++) {
    is_found = spans.data[i].is_match;
  }
  if (!is_found) {
    return;
  }
  struct rewriting rewriting = rewriting_begin(workspace, self);
  for (size_t i = 0; i < spans.len; i++) {
    const struct span *span = &spans.data[i];
    if (span->is_match) {
      const struct offsets none = {self->shift, self->shift};
      rewriting_put_bytes(&rewriting, text, len, span->end == 0 ? none : piece_from(self, span->end - 1));
      rewriting.at = span->end;
    } else {
      rewriting_copy(&rewriting, span->end - span->begin);
    }
  }
  rewriting_end(&rewriting, self);
}

void piece_byte_level(struct workspace *workspace, struct piece *self) {
  struct rewriting rewriting = rewriting_begin(workspace, self);
  for (size_t at = 0; at < self->len; at++) {
    char encoded[4];
    rewriting_put_bytes(
        &rewriting, encoded, utf8_encode(encoded, byte_level_character((unsigned char)self->data[at])),
        piece_from(self, at));
  }
  rewriting_end(&rewriting, self);
}

/* Division --------------------------------------------------------------------------------------------------------- */

static void put(struct workspace *workspace, struct pieces *out, const struct piece *self, size_t begin, size_t end) {
  if (begin < end) {
    WORKSPACE_PUSH(workspace, out, piece_slice(self, begin, end));
  }
}

/* Join matches with what stands before or behind them; two matches in a row are not joined with each other. */
static void put_merged(
    struct workspace *workspace,
    struct pieces *out,
    const struct piece *self,
    const struct spans *spans,
    bool with_next) {
  size_t i = 0;
  while (i < spans->len) {
    size_t begin = spans->data[i].begin, end = spans->data[i].end;
    const bool joins = i + 1 < spans->len && (with_next ? spans->data[i].is_match && !spans->data[i + 1].is_match
                                                        : !spans->data[i].is_match && spans->data[i + 1].is_match);
    if (joins) {
      end = spans->data[++i].end;
    }
    put(workspace, out, self, begin, end);
    i++;
  }
}

static void put_contiguous(
    struct workspace *workspace, struct pieces *out, const struct piece *self, const struct spans *spans) {
  for (size_t i = 0; i < spans->len;) {
    const size_t begin = spans->data[i].begin;
    size_t last = i;
    while (last + 1 < spans->len && spans->data[last + 1].is_match == spans->data[i].is_match) {
      last++;
    }
    put(workspace, out, self, begin, spans->data[last].end);
    i = last + 1;
  }
}

void piece_split(
    struct workspace *workspace,
    struct pieces *out,
    const struct piece *self,
    const struct spans *spans,
    enum behavior behavior) {
  switch (behavior) {
    case MERGED_WITH_PREVIOUS:
    case MERGED_WITH_NEXT:
      put_merged(workspace, out, self, spans, behavior == MERGED_WITH_NEXT);
      break;
    case CONTIGUOUS:
      put_contiguous(workspace, out, self, spans);
      break;
    default:
      for (size_t i = 0; i < spans->len; i++) {
        if (behavior == ISOLATED || !spans->data[i].is_match) {
          put(workspace, out, self, spans->data[i].begin, spans->data[i].end);
        }
      }
  }
}

void piece_split_by_class(
    struct workspace *workspace,
    struct pieces *out,
    const struct piece *self,
    bool (*is_match)(uint32_t character),
    enum behavior behavior) {
  struct spans spans = {.data = NULL};
  size_t begin = 0;
  for (size_t at = 0; at < self->len;) {
    const size_t len = utf8_len_from(self->data[at]);
    if (is_match(utf8_decode(self->data + at))) {
      if (begin < at) {
        WORKSPACE_PUSH(workspace, &spans, ((struct span){(uint32_t)begin, (uint32_t)at, false}));
      }
      WORKSPACE_PUSH(workspace, &spans, ((struct span){(uint32_t)at, (uint32_t)(at + len), true}));
      begin = at + len;
    }
    at += len;
  }
  if (begin < self->len) {
    WORKSPACE_PUSH(workspace, &spans, ((struct span){(uint32_t)begin, (uint32_t)self->len, false}));
  }
  piece_split(workspace, out, self, &spans, behavior);
}
