/* Unicode's normal forms (UAX 15), with where each character comes from: of the characters that one decomposes to, the
 * first stands in its place and the others are inserted; composing adds up what its characters were. */
#include <stdlib.h>
#include <string.h>

#include "tokenizers/character.h"
#include "tokenizers/normalizer.h"

struct part {
  uint32_t character;
  uint8_t combining_class;
  int64_t change;
};
struct parts {
  struct part *data;
  size_t len, capacity;
};

/* Marks in the order of their classes, from `begin` on; those of one class stay in theirs. */
static void order(struct part *parts, size_t begin, size_t end) {
  for (size_t i = begin + 1; i < end; i++) {
    const struct part moved = parts[i];
    size_t at = i;
    for (; at > begin && parts[at - 1].combining_class > moved.combining_class; at--) {
      parts[at] = parts[at - 1];
    }
    parts[at] = moved;
  }
}

static void decompose(struct workspace *workspace, struct parts *out, const struct piece *piece, bool compatibility) {
  size_t marks = 0; /* where those begin that are not in order yet */
  for (size_t at = 0; at < piece->len; at += utf8_len_from(piece->data[at])) {
    uint32_t characters[CHARACTER_MOST_DECOMPOSED];
    const size_t len = character_decompose(characters, utf8_decode(piece->data + at), compatibility);
    for (size_t i = 0; i < len; i++) {
      const uint8_t class = character_combining_class(characters[i]);
      if (class == 0) {
        order(out->data, marks, out->len);
        marks = out->len + 1;
      }
      WORKSPACE_PUSH(workspace, out, ((struct part){characters[i], class, i > 0}));
    }
  }
  order(out->data, marks, out->len);
}

/* In place; returns how many are left. */
static size_t compose(struct part *parts, size_t len) {
  size_t starter = SIZE_MAX, written = 0;
  int last_class = -1; /* of what stands behind the starter */
  for (size_t i = 0; i < len; i++) {
    const struct part part = parts[i];
    if (starter != SIZE_MAX && last_class < (int)part.combining_class) {
      const uint32_t composed = character_compose(parts[starter].character, part.character);
      if (composed != 0) {
        parts[starter].character = composed;
        parts[starter].change += part.change - 1;
        continue;
      }
    }
    if (part.combining_class == 0) {
      starter = written;
      last_class = -1;
    } else {
      last_class = part.combining_class;
    }
    parts[written++] = part;
  }
  return written;
}

static bool is_normal(const struct piece *piece, bool compatibility, bool compose) {
  const bool is_latin = compose && !compatibility;
  for (size_t at = 0; at < piece->len; at += utf8_len_from(piece->data[at])) {
    at += utf8_ascii_len(piece->data + at, piece->len - at);
    if (at < piece->len && !(is_latin && utf8_decode(piece->data + at) < 0x300)) {
      return false;
    }
    if (at >= piece->len) {
      break;
    }
  }
  return true;
}

void unicode_normalize(struct workspace *workspace, struct piece *piece, bool compatibility, bool does_compose) {
  if (is_normal(piece, compatibility, does_compose)) {
    return;
  }
  struct parts parts = {.data = NULL};
  decompose(workspace, &parts, piece, compatibility);
  const size_t len = does_compose ? compose(parts.data, parts.len) : parts.len;
  struct rewriting rewriting = rewriting_begin(workspace, piece);
  for (size_t i = 0; i < len; i++) {
    rewriting_put(&rewriting, parts.data[i].character, parts.data[i].change);
  }
  rewriting_end(&rewriting, piece);
}
