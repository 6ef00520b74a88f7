/* The trainer of Unigram (Kudo 2018, arXiv:1804.10959): scores of pieces are fitted by expectation maximization, and
 * the pieces left out whose loss is smallest, until there are as many as are asked for.
 *
 * The steps are those of the tokenizers library's UnigramTrainer, which takes words in an order of chance: the last
 * bits of its scores differ from run to run. Here words have the order in which they were met. Characters that lost
 * their own pieces get the lowest scores, there in an order of chance, here in their own. Of pieces that are left out,
 * about one in fifty is another one than there, among those of nearly the same loss. */
#include <ctorch.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/c/error.h"
#include "tokenizers/character.h"
#include "tokenizers/trainer.h"
#include "tokenizers/unigram.h"

#if CTORCH_HAS_JANSSON
static const double UNK_PENALTY = 10, EXPECTED_LEAST = 0.5, PENALTY_STEP = 0.0001;
static const char UNK[] = "<UNK>"; /* while learning, whatever the token is called */

struct training {
  const ctorch_tokenizer_trainer *trainer;
  struct workspace *workspace;
  struct learnt *learnt; /* whose trie is that of the pieces */
  struct unigram_pieces pieces, kept;
  struct trie_text *texts; /* room for those of the trie */
  double min_score;
  double *numbers; /* one a piece */
  struct lattice lattice;
  struct lattice_way way;
};

static void make_trie(struct training *self) {
  trie_free(&self->learnt->trie);
  self->min_score = INFINITY;
  for (size_t i = 1; i < self->pieces.len; i++) {
    const struct unigram_piece *piece = &self->pieces.data[i];
    self->texts[i - 1] = (struct trie_text){piece->text, piece->len, (uint32_t)i};
    self->min_score = piece->score < self->min_score ? piece->score : self->min_score;
  }
  trainer_take_error(
      self->workspace, trie_make(self->workspace->function, &self->learnt->trie, self->texts, self->pieces.len - 1));
}

static void make_lattice(struct training *self, const char *text, size_t len) {
  lattice_make(
      self->workspace, &self->lattice, &self->learnt->trie, &self->pieces, self->min_score - UNK_PENALTY, text, len);
}

static void make_lattice_of_word(struct training *self, size_t number) {
  const struct vocabulary *words = &self->trainer->counts.words;
  make_lattice(self, vocabulary_text(words, &words->tokens[number]), words->tokens[number].len);
}

static void begin(struct training *self) {
  WORKSPACE_PUSH(self->workspace, &self->pieces, ((struct unigram_piece){UNK, sizeof UNK - 1, NAN}));
  unigram_put_seeds(self->workspace, &self->pieces, &self->trainer->counts, (size_t)self->trainer->max_piece_length);
  self->texts = workspace_take(self->workspace, self->pieces.len * sizeof *self->texts);
  self->numbers = workspace_take(self->workspace, self->pieces.len * sizeof *self->numbers);
  make_trie(self);
}

static void keep(struct training *self, const struct unigram_piece *piece, double score) {
  WORKSPACE_PUSH(self->workspace, &self->kept, ((struct unigram_piece){piece->text, piece->len, score}));
}

static void take_kept(struct training *self) {
  const struct unigram_pieces before = self->pieces;
  self->pieces = self->kept;
  self->kept = before;
  self->kept.len = 0;
  make_trie(self);
}

/* Fitting ---------------------------------------------------------------------------------------------------------- */

static double digamma(double x) {
  double result = 0;
  while (x < 7) {
    result -= 1 / x;
    x += 1;
  }
  x -= 0.5;
  const double xx = 1 / x, xx2 = xx * xx, xx4 = xx2 * xx2;
  return result +
         (log(x) + (1.0 / 24) * xx2 - 7.0 / 960 * xx4 + (31.0 / 8064) * xx4 * xx2 - (127.0 / 30720) * xx4 * xx4);
}

static void fit(struct training *self) {
  double *expected = self->numbers, sum = 0;
  memset(expected, 0, self->pieces.len * sizeof *expected);
  for (size_t i = 0; i < self->trainer->counts.words.len; i++) {
    make_lattice_of_word(self, i);
    lattice_expect(&self->lattice, (double)self->trainer->counts.counts[i], expected);
  }
  keep(self, &self->pieces.data[0], NAN);
  for (size_t i = 1; i < self->pieces.len; i++) {
    if (expected[i] >= EXPECTED_LEAST) {
      keep(self, &self->pieces.data[i], expected[i]);
      sum += expected[i];
    }
  }
  const double log_sum = digamma(sum);
  for (size_t i = 1; i < self->kept.len; i++) {
    self->kept.data[i].score = digamma(self->kept.data[i].score) - log_sum;
  }
  take_kept(self);
}

/* Leaving out ------------------------------------------------------------------------------------------------------ */

struct candidate {
  size_t piece;
  double loss;
};
struct candidates {
  struct candidate *data;
  size_t len, capacity;
};

static int compare_losses(const void *a, const void *b) {
  const struct candidate *x = a, *y = b;
  return x->loss != y->loss ? (x->loss > y->loss ? -1 : 1) : x->piece < y->piece ? -1 : x->piece > y->piece;
}

/* How often each piece stands on the best ways of all words. Returns how often there are words. */
static double count_pieces(struct training *self, double *counts) {
  double words = 0;
  memset(counts, 0, self->pieces.len * sizeof *counts);
  for (size_t i = 0; i < self->trainer->counts.words.len; i++) {
    const double count = (double)self->trainer->counts.counts[i];
    make_lattice_of_word(self, i);
    lattice_best(self->workspace, &self->lattice, &self->way);
    words += count;
    for (size_t j = 0; j < self->way.len; j++) {
      counts[self->lattice.data[self->way.data[j]].id] += count;
    }
  }
  return words;
}

/* What would stand in the place of a piece: none if that is itself divided, or cannot be; the latter is always kept. */
static bool find_alternatives(struct training *self, const struct unigram_piece *piece, bool *out_is_kept) {
  make_lattice(self, piece->text, piece->len);
  lattice_best(self->workspace, &self->lattice, &self->way);
  const bool is_divided = self->way.len >= 2;
  const bool has_second = lattice_second(self->workspace, &self->lattice, &self->way);
  *out_is_kept = !has_second || !is_divided;
  return has_second && !is_divided;
}

/* By how much the likelihood of all words falls if what is a piece becomes its alternatives. */
static double loss_of(const struct training *self, const double *counts, double sum, double words, size_t number) {
  const double log_sum = log(sum), count = counts[number];
  const double log_sum_alternatives = log(sum + count * (double)(self->way.len - 1));
  double alternatives = 0;
  for (size_t i = 0; i < self->way.len; i++) {
    alternatives += log(counts[self->lattice.data[self->way.data[i]].id] + count) - log_sum_alternatives;
  }
  return count / words * (log(count) - log_sum - alternatives);
}

static void leave_out(struct training *self, size_t desired) {
  struct candidates candidates = {.data = NULL};
  double *counts = self->numbers, sum = 0;
  const double words = count_pieces(self, counts);
  for (size_t i = 0; i < self->pieces.len; i++) {
    sum += counts[i];
  }
  keep(self, &self->pieces.data[0], NAN);
  for (size_t i = 1; i < self->pieces.len; i++) {
    bool is_kept = false;
    const bool has_alternatives = find_alternatives(self, &self->pieces.data[i], &is_kept);
    if (counts[i] == 0 && (!is_kept || has_alternatives)) {
      continue;
    }
    if (!has_alternatives) {
      keep(self, &self->pieces.data[i], self->pieces.data[i].score);
    } else {
      WORKSPACE_PUSH(self->workspace, &candidates, ((struct candidate){i, loss_of(self, counts, sum, words, i)}));
    }
  }
  const size_t shrunk = (size_t)((double)self->pieces.len * self->trainer->shrinking_factor);
  const size_t len = desired > shrunk ? desired : shrunk;
  if (candidates.len > 0) {
    qsort(candidates.data, candidates.len, sizeof *candidates.data, compare_losses);
  }
  for (size_t i = 0; i < candidates.len && self->kept.len != len; i++) {
    const struct unigram_piece *piece = &self->pieces.data[candidates.data[i].piece];
    keep(self, piece, piece->score);
  }
  take_kept(self);
}

/* The end ---------------------------------------------------------------------------------------------------------- */

static int compare_characters(const void *a, const void *b) {
  const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
  return x < y ? -1 : x > y;
}

struct characters {
  uint32_t *data;
  size_t len, capacity;
};

/* All characters of words, and those of the initial alphabet, each once. */
static struct characters find_characters(struct training *self) {
  const struct vocabulary *words = &self->trainer->counts.words, *initial = &self->trainer->alphabet;
  struct characters found = {.data = NULL};
  for (size_t i = 0; i < words->len; i++) {
    const char *text = vocabulary_text(words, &words->tokens[i]);
    for (size_t at = 0; at < words->tokens[i].len; at += utf8_len_from(text[at])) {
      WORKSPACE_PUSH(self->workspace, &found, utf8_decode(text + at));
    }
  }
  for (size_t i = 0; i < initial->len; i++) {
    WORKSPACE_PUSH(self->workspace, &found, initial->tokens[i].id);
  }
  if (found.len > 0) {
    qsort(found.data, found.len, sizeof *found.data, compare_characters);
  }
  size_t len = 0;
  for (size_t i = 0; i < found.len; i++) {
    if (i == 0 || found.data[i] != found.data[i - 1]) {
      found.data[len++] = found.data[i];
    }
  }
  found.len = len;
  return found;
}

static uint32_t find_piece(const struct training *self, const char *text, size_t len) {
  const struct trie_node *node = self->learnt->trie.nodes;
  for (size_t i = 0; node != NULL && i < len; i++) {
    node = trie_child(&self->learnt->trie, node, (unsigned char)text[i]);
  }
  return node == NULL || node->text == 0 ? 0 : node->text - 1;
}

static bool is_among(const struct characters *characters, const struct unigram_piece *piece) {
  const uint32_t character = utf8_decode(piece->text);
  return utf8_len_from(*piece->text) == piece->len &&
         bsearch(&character, characters->data, characters->len, sizeof character, compare_characters) != NULL;
}

struct scored {
  struct unigram_piece piece;
  size_t number;
};

static int compare_scores(const void *a, const void *b) {
  const struct scored *x = a, *y = b;
  return x->piece.score != y->piece.score ? (x->piece.score > y->piece.score ? -1 : 1)
                                          : (x->number < y->number ? -1 : x->number > y->number);
}

struct all_scored {
  struct scored *data;
  size_t len, capacity;
};

static void put_scored(struct training *self, struct all_scored *out, struct unigram_piece piece) {
  WORKSPACE_PUSH(self->workspace, out, ((struct scored){piece, out->len}));
}

/* All characters, and the first pieces that there is room for; the highest score first. */
static struct all_scored choose(struct training *self, const struct characters *characters, size_t room) {
  struct all_scored chosen = {.data = NULL};
  double penalty = 0;
  for (size_t i = 0; i < characters->len; i++) {
    char text[4];
    const size_t len = utf8_encode(text, characters->data[i]);
    const uint32_t number = find_piece(self, text, len);
    struct bytes kept = {.data = NULL};
    bytes_add(self->workspace, &kept, text, len);
    const double score = number != 0 ? self->pieces.data[number].score : self->min_score + penalty;
    put_scored(self, &chosen, (struct unigram_piece){kept.data, (uint32_t)len, score});
    penalty += number != 0 ? 0 : PENALTY_STEP;
  }
  for (size_t i = 1; i < self->pieces.len && chosen.len < room; i++) {
    const struct unigram_piece *piece = &self->pieces.data[i];
    const bool is_unk = piece->len == sizeof UNK - 1 && memcmp(piece->text, UNK, piece->len) == 0;
    if (!is_unk && !is_among(characters, piece)) {
      put_scored(self, &chosen, *piece);
    }
  }
  if (chosen.len > 0) {
    qsort(chosen.data, chosen.len, sizeof *chosen.data, compare_scores);
  }
  return chosen;
}

static void put_token(struct training *self, const char *text, size_t len, double score) {
  if (json_array_append_new(self->learnt->vocab, json_pack("[oo]", json_stringn(text, len), json_real(score))) != 0) {
    workspace_fail(self->workspace, error_memory(self->workspace->function, 0));
  }
}

static void finish(struct training *self, const struct characters *characters) {
  const struct vocabulary *specials = &self->trainer->specials;
  const char *unk = self->trainer->unk_token;
  const struct vocabulary_token *special = unk == NULL ? NULL : vocabulary_find(specials, unk, strlen(unk));
  const bool is_unk_added = unk != NULL && special == NULL;
  const size_t others = specials->len + is_unk_added;
  const size_t room = self->trainer->vocab_size < others ? 0 : self->trainer->vocab_size - others;
  self->learnt->unk_id = unk == NULL ? -1 : special == NULL ? 0 : (int64_t)special->id;
  self->learnt->vocab = json_array();
  if (is_unk_added) {
    put_token(self, unk, strlen(unk), 0);
  }
  for (size_t i = 0; i < specials->len; i++) {
    put_token(self, vocabulary_text(specials, &specials->tokens[i]), specials->tokens[i].len, 0);
  }
  const struct all_scored chosen = choose(self, characters, room);
  for (size_t i = 0; i < chosen.len; i++) {
    put_token(self, chosen.data[i].piece.text, chosen.data[i].piece.len, chosen.data[i].piece.score);
  }
}

void trainer_learn_unigram(struct workspace *workspace, const ctorch_tokenizer_trainer *trainer, struct learnt *out) {
  struct training self = {.trainer = trainer, .workspace = workspace, .learnt = out};
  const size_t desired = trainer->vocab_size * 11 / 10;
  const struct characters characters = find_characters(&self);
  if (characters.len > trainer->vocab_size) {
    workspace_fail(
        workspace, error_make(
                       workspace->function, CTORCH_ERROR_VALUE,
                       "the vocabulary of %zu tokens has no room for the %zu characters of the texts",
                       trainer->vocab_size, characters.len));
  }
  begin(&self);
  for (;;) {
    const size_t before = self.pieces.len;
    for (int64_t i = 0; i < trainer->n_sub_iterations; i++) {
      fit(&self);
    }
    if (self.pieces.len <= desired) {
      break;
    }
    leave_out(&self, desired);
    if (self.pieces.len == before) {
      break; /* all are needed */
    }
  }
  finish(&self, &characters);
}
#endif
