/* SentencePiece's precompiled map: a double array over UTF-8 (Darts) whose leaves say where a text begins. */
#include <ctorch.h>
#include <stdlib.h>
#include <string.h>

#include "core/c/error.h"
#include "tokenizers/base64.h"
#include "tokenizers/character.h"
#include "tokenizers/normalizer.h"

struct charsmap {
  unsigned char *data; /* all */
  const unsigned char *units, *texts;
  size_t units_len, texts_len;
};

void charsmap_free(struct charsmap *self) {
  if (self != NULL) {
    free(self->data);
    free(self);
  }
}

static uint32_t little_endian(const unsigned char *at) {
  return (uint32_t)at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

#if CTORCH_HAS_JANSSON
static ctorch_error *divide(const struct description *description, struct charsmap *self, size_t nbytes) {
  const uint32_t trie_nbytes = nbytes < 4 ? 0 : little_endian(self->data);
  if (nbytes < 4 || trie_nbytes > nbytes - 4 || trie_nbytes % 4 != 0) {
    return description_error(description, "Precompiled: the map is damaged");
  }
  self->units = self->data + 4;
  self->units_len = trie_nbytes / 4;
  self->texts = self->units + trie_nbytes;
  self->texts_len = nbytes - 4 - trie_nbytes;
  if (!utf8_is_valid((const char *)self->texts, self->texts_len)) {
    return description_error(description, "Precompiled: the map's texts are not UTF-8");
  }
  return NULL;
}

ctorch_error *charsmap_new(const struct description *description, struct charsmap **out) {
  const char *text = "";
  size_t len = 0, nbytes = 0;
  CTORCH_TRY(description_text(description, &text, &len, "precompiled_charsmap", true));
  struct charsmap *self = calloc(1, sizeof *self);
  if (self == NULL || (self->data = malloc(len + 4)) == NULL) {
    free(self);
    return error_memory(description->function, len);
  }
  ctorch_error *error = base64_decode(self->data, &nbytes, text, len)
                            ? divide(description, self, nbytes)
                            : description_error(description, "Precompiled: the map is no base64");
  if (error != NULL) {
    charsmap_free(self);
    return error;
  }
  *out = self;
  return NULL;
}
#endif

static bool unit_at(const struct charsmap *self, size_t at, uint32_t *out) {
  if (at >= self->units_len) {
    return false;
  }
  *out = little_endian(self->units + 4 * at);
  return true;
}

static size_t unit_offset(uint32_t unit) { return (size_t)(unit >> 10) << ((unit & (1U << 9)) >> 6); }

/* What stands for the shortest text in the map that `data` begins with. */
static bool find(const struct charsmap *self, const char *data, size_t len, struct token_text *out) {
  uint32_t unit = 0;
  if (!unit_at(self, 0, &unit)) {
    return false;
  }
  size_t node = unit_offset(unit);
  for (size_t i = 0; i < len && data[i] != '\0'; i++) {
    node ^= (unsigned char)data[i];
    if (!unit_at(self, node, &unit) || (unit & (1U << 31 | 0xff)) != (unsigned char)data[i]) {
      return false;
    }
    node ^= unit_offset(unit);
    if ((unit >> 8 & 1) != 0) {
      if (!unit_at(self, node, &unit) || (unit & 0x7fffffff) >= self->texts_len) {
        return false;
      }
      const char *text = (const char *)self->texts + (unit & 0x7fffffff);
      const size_t most = self->texts_len - (unit & 0x7fffffff);
      const char *end = memchr(text, '\0', most);
      *out = (struct token_text){text, end == NULL ? most : (size_t)(end - text)};
      return !utf8_continues(*text) || out->len == 0;
    }
  }
  return false;
}

static void replace(
    struct workspace *workspace, struct replacements *out, const char *old, size_t old_len, struct token_text by) {
  const int64_t old_count = (int64_t)utf8_count(old, old_len);
  const int64_t new_count = (int64_t)utf8_count(by.data, by.len);
  const int64_t more = new_count - old_count;
  for (size_t at = 0; at < by.len; at += utf8_len_from(by.data[at])) {
    WORKSPACE_PUSH(workspace, out, ((struct replacement){utf8_decode(by.data + at), 0}));
  }
  for (int64_t i = 0; i < more && (size_t)i < out->len; i++) {
    out->data[out->len - 1 - (size_t)i].change = 1;
  }
  if (more < 0 && out->len > 0) {
    out->data[out->len - 1].change += more;
  }
}

/* Returns whether something was replaced. */
static bool replace_cluster(
    struct workspace *workspace, const struct charsmap *self, struct replacements *out, const char *data, size_t len) {
  struct token_text by;
  if (len < 6 && find(self, data, len, &by)) {
    replace(workspace, out, data, len, by);
    return true;
  }
  bool is_replaced = false;
  for (size_t at = 0, next = 0; at < len; at = next) {
    next = at + utf8_len_from(data[at]);
    if (find(self, data + at, next - at, &by)) {
      replace(workspace, out, data + at, next - at, by);
      is_replaced = true;
    } else {
      WORKSPACE_PUSH(workspace, out, ((struct replacement){utf8_decode(data + at), 0}));
    }
  }
  return is_replaced;
}

static size_t cluster_len(const char *data, size_t len) {
  int32_t state = 0;
  size_t at = utf8_len_from(*data);
  for (uint32_t last = utf8_decode(data); at < len; at += utf8_len_from(data[at])) {
    const uint32_t next = utf8_decode(data + at);
    if (!character_joins(last, next, &state)) {
      break;
    }
    last = next;
  }
  return at;
}

void charsmap_run(struct workspace *workspace, const struct charsmap *self, struct piece *piece) {
  struct replacements replacements = {.data = NULL};
  bool is_replaced = false;
  for (size_t at = 0, len = 0; at < piece->len; at += len) {
    len = cluster_len(piece->data + at, piece->len - at);
    is_replaced = replace_cluster(workspace, self, &replacements, piece->data + at, len) || is_replaced;
  }
  if (!is_replaced) {
    return;
  }
  struct rewriting rewriting = rewriting_begin(workspace, piece);
  for (size_t i = 0; i < replacements.len; i++) {
    rewriting_put(&rewriting, replacements.data[i].character, replacements.data[i].change);
  }
  rewriting_end(&rewriting, piece);
}
