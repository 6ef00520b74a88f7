/* The pieces that Unigram's trainer begins with. Parts that words have in common are the inner nodes of a suffix tree
 * of all words: suffixes are sorted by their first characters, twice as many each time (Manber & Myers 1993), and what
 * neighbours have in common makes the nodes. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/c/error.h"
#include "tokenizers/character.h"
#include "tokenizers/unigram.h"

struct unit_count {
  uint32_t unit;
  uint32_t count;
};
struct unit_counts {
  struct unit_count *data;
  size_t len, capacity;
};

/* All words as characters, each word with a 0 behind it. */
struct units {
  uint32_t *data;
  size_t len, capacity;
};

static void put_units(
    struct workspace *workspace,
    struct units *units,
    struct unit_counts *characters,
    const struct word_counts *counts) {
  for (size_t i = 0; i < counts->words.len; i++) {
    const char *word = vocabulary_text(&counts->words, &counts->words.tokens[i]);
    const size_t len = counts->words.tokens[i].len;
    for (size_t at = 0; at < len; at += utf8_len_from(word[at])) {
      const uint32_t unit = utf8_decode(word + at);
      WORKSPACE_PUSH(workspace, units, unit);
      if (unit != 0) {
        WORKSPACE_PUSH(workspace, characters, ((struct unit_count){unit, (uint32_t)counts->counts[i]}));
      }
    }
    if (len > 0) {
      WORKSPACE_PUSH(workspace, units, 0);
    }
  }
}

static int compare_units(const void *a, const void *b) {
  const struct unit_count *x = a, *y = b;
  return x->unit < y->unit ? -1 : x->unit > y->unit;
}

static int compare_counts(const void *a, const void *b) {
  const struct unit_count *x = a, *y = b;
  return x->count != y->count ? (x->count > y->count ? -1 : 1) : x->unit > y->unit ? -1 : x->unit < y->unit;
}

static void put_piece(
    struct workspace *workspace, struct unigram_pieces *out, const uint32_t *units, size_t len, double score) {
  struct bytes text = {.data = NULL};
  for (size_t i = 0; i < len; i++) {
    bytes_add_character(workspace, &text, units[i]);
  }
  WORKSPACE_PUSH(workspace, out, ((struct unigram_piece){text.data, (uint32_t)text.len, score}));
}

/* The most frequent one first, of equal ones the highest. */
static void put_characters(struct workspace *workspace, struct unigram_pieces *out, struct unit_counts *characters) {
  struct unit_count *data = characters->data;
  size_t len = 0;
  if (characters->len > 0) {
    qsort(data, characters->len, sizeof *data, compare_units);
  }
  for (size_t i = 0; i < characters->len; i++) {
    if (len > 0 && data[len - 1].unit == data[i].unit) {
      data[len - 1].count += data[i].count;
    } else {
      data[len++] = data[i];
    }
  }
  if (len > 0) {
    qsort(data, len, sizeof *data, compare_counts);
  }
  for (size_t i = 0; i < len; i++) {
    put_piece(workspace, out, &data[i].unit, 1, data[i].count);
  }
}

/* Suffixes --------------------------------------------------------------------------------------------------------- */

struct suffix {
  uint64_t key;
  uint32_t at;
};

static int compare_suffixes(const void *a, const void *b) {
  const struct suffix *x = a, *y = b;
  return x->key != y->key ? (x->key < y->key ? -1 : 1) : x->at < y->at ? -1 : x->at > y->at;
}

/* In the order of their first `depth` characters at least. */
static struct suffix *sort_suffixes(struct workspace *workspace, const struct units *units, size_t depth) {
  const size_t len = units->len;
  struct suffix *suffixes = workspace_take(workspace, (len + 1) * sizeof *suffixes);
  uint32_t *ranks = workspace_take(workspace, (len + 1) * sizeof *ranks);
  for (size_t i = 0; i < len; i++) {
    ranks[i] = units->data[i];
    suffixes[i] = (struct suffix){ranks[i], (uint32_t)i};
  }
  qsort(suffixes, len, sizeof *suffixes, compare_suffixes);
  for (size_t sorted = 1; sorted < depth; sorted *= 2) {
    uint32_t rank = 0;
    for (size_t i = 0; i < len; i++) {
      rank += i > 0 && suffixes[i].key != suffixes[i - 1].key;
      ranks[suffixes[i].at] = rank;
    }
    if (rank + 1 == len) {
      break;
    }
    for (size_t i = 0; i < len; i++) {
      const size_t at = suffixes[i].at, next = at + sorted;
      suffixes[i].key = (uint64_t)ranks[at] << 32 | (next < len ? ranks[next] + 1 : 0);
    }
    qsort(suffixes, len, sizeof *suffixes, compare_suffixes);
  }
  return suffixes;
}

/* How many of the first `most` characters two suffixes have in common. */
static size_t in_common(const struct units *units, size_t a, size_t b, size_t most) {
  size_t len = 0;
  while (len < most && a + len < units->len && b + len < units->len && units->data[a + len] == units->data[b + len]) {
    len++;
  }
  return len;
}

struct part {
  const uint32_t *units;
  uint32_t len, score;
};
struct parts {
  struct part *data;
  size_t len, capacity;
};

static void put_part(
    struct workspace *workspace, struct parts *parts, const uint32_t *units, size_t len, size_t max_len, size_t count) {
  if (len < 2 || len > max_len) {
    return;
  }
  for (size_t i = 0; i < len; i++) {
    if (units[i] == 0) {
      return; /* goes on in another word */
    }
  }
  WORKSPACE_PUSH(workspace, parts, ((struct part){units, (uint32_t)len, (uint32_t)count * (uint32_t)len}));
}

/* Neighbours from `left` on that have so many characters in common. */
struct interval {
  size_t in_common, left;
};
struct intervals {
  struct interval *data;
  size_t len, capacity;
};

static void find_parts(struct workspace *workspace, struct parts *parts, const struct units *units, size_t max_len) {
  const struct suffix *suffixes = sort_suffixes(workspace, units, max_len + 1);
  struct intervals open = {.data = NULL};
  for (size_t i = 1; i <= units->len; i++) {
    const size_t len = i < units->len ? in_common(units, suffixes[i - 1].at, suffixes[i].at, max_len + 1) : 0;
    size_t left = i - 1;
    while (open.len > 0 && open.data[open.len - 1].in_common > len) {
      const struct interval done = open.data[--open.len];
      put_part(workspace, parts, units->data + suffixes[done.left].at, done.in_common, max_len, i - done.left);
      left = done.left;
    }
    if (len > 0 && (open.len == 0 || open.data[open.len - 1].in_common < len)) {
      WORKSPACE_PUSH(workspace, &open, ((struct interval){len, left}));
    }
  }
}

/* The highest score first, of equal ones the last by its characters. */
static int compare_parts(const void *a, const void *b) {
  const struct part *x = a, *y = b;
  if (x->score != y->score) {
    return x->score > y->score ? -1 : 1;
  }
  for (size_t i = 0; i < x->len && i < y->len; i++) {
    if (x->units[i] != y->units[i]) {
      return x->units[i] > y->units[i] ? -1 : 1;
    }
  }
  return x->len > y->len ? -1 : x->len < y->len;
}

enum { SEEDS_MOST = 1000000 };

void unigram_put_seeds(
    struct workspace *workspace, struct unigram_pieces *out, const struct word_counts *counts, size_t max_len) {
  struct units units = {.data = NULL};
  struct unit_counts characters = {.data = NULL};
  struct parts parts = {.data = NULL};
  const size_t first = out->len;
  put_units(workspace, &units, &characters, counts);
  put_characters(workspace, out, &characters);
  if (units.len > UINT32_MAX / 2) {
    workspace_fail(workspace, error_memory(workspace->function, units.len * sizeof(struct suffix)));
  }
  if (units.len > 0) {
    find_parts(workspace, &parts, &units, max_len);
  }
  if (parts.len > 0) {
    qsort(parts.data, parts.len, sizeof *parts.data, compare_parts);
  }
  for (size_t i = 0; i < parts.len && out->len - first < SEEDS_MOST; i++) {
    put_piece(workspace, out, parts.data[i].units, parts.data[i].len, parts.data[i].score);
  }
  double sum = 0;
  for (size_t i = first; i < out->len; i++) {
    sum += out->data[i].score;
  }
  const double log_sum = log(sum);
  for (size_t i = first; i < out->len; i++) {
    out->data[i].score = log(out->data[i].score) - log_sum;
  }
}
