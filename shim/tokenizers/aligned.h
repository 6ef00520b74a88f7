/* Texts on their way from what was given to words: pieces of a normalized text that know where their bytes come
 * from. */
#ifndef CTORCH_SHIM_TOKENIZERS_ALIGNED_H
#define CTORCH_SHIM_TOKENIZERS_ALIGNED_H

#include "tokenizers/pattern.h"
#include "tokenizers/workspace.h"

/* From one byte of the original text to another. */
struct offsets {
  uint32_t begin, end;
};

struct piece {
  const char *data;
  size_t len;
  /* Where each byte comes from; NULL if all characters are as long as the original's, from `shift` on. */
  const struct offsets *from;
  uint32_t shift; /* where the piece begins in the original */
  int64_t token;  /* id of the added token that it is, or -1 */
};

struct pieces {
  struct piece *data;
  size_t len, capacity;
};

/* Where a byte comes from: the character that it belongs to. */
struct offsets piece_from(const struct piece *self, size_t at);
struct piece piece_slice(const struct piece *self, size_t begin, size_t end);

/* What a piece becomes, character by character.
 *
 *     struct rewriting rewriting = rewriting_begin(workspace, piece);
 *     rewriting_put(&rewriting, 'a', 0);   in place of the next character
 *     rewriting_put(&rewriting, 'b', 1);   inserted behind it
 *     rewriting_put(&rewriting, 'c', -2);  in place of the next one and two more
 *     rewriting_end(&rewriting, piece);
 */
struct rewriting {
  struct workspace *workspace;
  struct piece piece; /* as it was */
  size_t at;          /* in it */
  char *data;
  struct offsets *from;
  size_t len, capacity;
};
struct rewriting rewriting_begin(struct workspace *workspace, const struct piece *piece);
void rewriting_put(struct rewriting *self, uint32_t character, int64_t change);
/* Bytes that all come from where one byte of the piece came from. */
void rewriting_put_bytes(struct rewriting *self, const char *data, size_t len, struct offsets from);
/* The next bytes as they are. */
void rewriting_copy(struct rewriting *self, size_t len);
void rewriting_end(struct rewriting *self, struct piece *piece);

void piece_filter(struct workspace *workspace, struct piece *self, bool (*keep)(uint32_t character));
void piece_map(struct workspace *workspace, struct piece *self, uint32_t (*map)(uint32_t character));
void piece_lower(struct workspace *workspace, struct piece *self);
void piece_prepend(struct workspace *workspace, struct piece *self, const char *text, size_t len);
void piece_strip(struct workspace *workspace, struct piece *self, bool left, bool right);
void piece_replace(
    struct workspace *workspace, struct piece *self, const struct pattern *pattern, const char *text, size_t len);
/* The bytes of every character as characters of their own: byte_level.h. */
void piece_byte_level(struct workspace *workspace, struct piece *self);

/* What becomes of what divides: Removed, Isolated, … */
enum behavior { REMOVED, ISOLATED, MERGED_WITH_PREVIOUS, MERGED_WITH_NEXT, CONTIGUOUS };

/* Put the parts of a piece into `out`, but for those that are empty. */
void piece_split(
    struct workspace *workspace,
    struct pieces *out,
    const struct piece *self,
    const struct spans *spans,
    enum behavior behavior);
void piece_split_by_class(
    struct workspace *workspace,
    struct pieces *out,
    const struct piece *self,
    bool (*is_match)(uint32_t character),
    enum behavior behavior);

#endif
