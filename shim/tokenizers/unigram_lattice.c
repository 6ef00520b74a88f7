/* Lattices: all ways to divide a word into pieces. */
#include <math.h>
#include <string.h>

#include "tokenizers/character.h"
#include "tokenizers/unigram.h"

static const uint32_t NONE = UINT32_MAX;

/* Making ----------------------------------------------------------------------------------------------------------- */

static void begin_places(struct workspace *workspace, struct lattice *self, size_t nbytes) {
  if (nbytes + 1 > self->places_capacity) {
    self->places_capacity = 2 * (nbytes + 1);
    self->places = workspace_take(workspace, self->places_capacity * sizeof *self->places);
  }
  for (size_t i = 0; i <= nbytes; i++) {
    self->places[i] = (struct lattice_place){0, 0, NONE, NONE};
  }
  self->nbytes = nbytes;
}

static void link_end(struct lattice *self, uint32_t node, size_t end) {
  struct lattice_place *place = &self->places[end];
  if (place->end_last == NONE) {
    place->end_first = node;
  } else {
    self->data[place->end_last].next_end = node;
  }
  place->end_last = node;
}

static void put_node(
    struct workspace *workspace, struct lattice *self, uint32_t id, size_t begin, size_t len, double score) {
  const uint32_t node = (uint32_t)self->len;
  WORKSPACE_PUSH(
      workspace, self,
      ((struct lattice_node){.id = id, .begin = (uint32_t)begin, .len = (uint32_t)len, .score = score}));
  self->places[begin].len++;
  link_end(self, node, begin + len);
}

static void put_pieces(
    struct workspace *workspace,
    struct lattice *self,
    const struct trie *trie,
    const struct unigram_pieces *pieces,
    double unk_score,
    const char *word,
    size_t begin) {
  const size_t character_len = utf8_len_from(word[begin]);
  const struct trie_node *node = trie->nodes;
  bool has_character = false;
  for (size_t end = begin; end < self->nbytes; end++) {
    node = trie_child(trie, node, (unsigned char)word[end]);
    if (node == NULL) {
      break;
    }
    if (node->text != 0) {
      put_node(workspace, self, node->text - 1, begin, end + 1 - begin, pieces->data[node->text - 1].score);
      has_character = has_character || end + 1 - begin == character_len;
    }
  }
  if (!has_character) {
    put_node(workspace, self, 0, begin, character_len, unk_score);
  }
}

void lattice_make(
    struct workspace *workspace,
    struct lattice *self,
    const struct trie *trie,
    const struct unigram_pieces *pieces,
    double unk_score,
    const char *word,
    size_t len) {
  self->len = 0;
  begin_places(workspace, self, len);
  WORKSPACE_PUSH(workspace, self, ((struct lattice_node){.id = NONE}));
  WORKSPACE_PUSH(workspace, self, ((struct lattice_node){.id = NONE, .begin = (uint32_t)len}));
  link_end(self, LATTICE_BEGIN, 0);
  for (size_t begin = 0; begin < len; begin += utf8_len_from(word[begin])) {
    self->places[begin].first = (uint32_t)self->len;
    put_pieces(workspace, self, trie, pieces, unk_score, word, begin);
  }
  self->places[len].first = LATTICE_END;
  self->places[len].len = 1;
}

static uint32_t next_end(const struct lattice *self, uint32_t node) {
  return self->data[node].next_end == 0 ? NONE : self->data[node].next_end;
}

/* The best ways ---------------------------------------------------------------------------------------------------- */

static void find_previous(struct lattice *self, struct lattice_node *node) {
  node->previous = NONE;
  for (uint32_t left = self->places[node->begin].end_first; left != NONE; left = next_end(self, left)) {
    const double best = self->data[left].best + node->score;
    if (node->previous == NONE || best > node->best) {
      node->previous = left;
      node->best = best;
    }
  }
}

void lattice_best(struct workspace *workspace, struct lattice *self, struct lattice_way *out) {
  for (size_t at = 0; at <= self->nbytes; at++) {
    const struct lattice_place *place = &self->places[at];
    for (uint32_t i = 0; i < place->len; i++) {
      find_previous(self, &self->data[place->first + i]);
    }
  }
  out->len = 0;
  for (uint32_t node = self->data[LATTICE_END].previous; node != LATTICE_BEGIN; node = self->data[node].previous) {
    WORKSPACE_PUSH(workspace, out, node);
  }
}

static void agenda_push(
    struct workspace *workspace, struct agenda *self, const struct hypotheses *all, uint32_t number) {
  WORKSPACE_PUSH(workspace, self, number);
  size_t at = self->len - 1;
  for (; at > 0 && all->data[number].best > all->data[self->data[(at - 1) / 2]].best; at = (at - 1) / 2) {
    self->data[at] = self->data[(at - 1) / 2];
  }
  self->data[at] = number;
}

static uint32_t agenda_pop(struct agenda *self, const struct hypotheses *all) {
  const uint32_t top = self->data[0], last = self->data[--self->len];
  size_t at = 0;
  for (size_t child = 1; child < self->len; child = 2 * at + 1) {
    child += child + 1 < self->len && all->data[self->data[child + 1]].best > all->data[self->data[child]].best;
    if (all->data[self->data[child]].best <= all->data[last].best) {
      break;
    }
    self->data[at] = self->data[child];
    at = child;
  }
  self->data[at] = last;
  return top;
}

/* What may stand before the end of a way. */
static void follow(struct workspace *workspace, struct lattice *self, uint32_t number) {
  const struct hypothesis end = self->hypotheses.data[number];
  const uint32_t place = self->data[end.node].begin;
  for (uint32_t left = self->places[place].end_first; left != NONE; left = next_end(self, left)) {
    const struct lattice_node *node = &self->data[left];
    WORKSPACE_PUSH(
        workspace, &self->hypotheses,
        ((struct hypothesis){left, number, node->best + end.score, node->score + end.score}));
    agenda_push(workspace, &self->agenda, &self->hypotheses, (uint32_t)self->hypotheses.len - 1);
  }
}

/* Ways are followed from the end; the best one is complete first, because what is left is known of each. */
bool lattice_second(struct workspace *workspace, struct lattice *self, struct lattice_way *out) {
  struct hypotheses *all = &self->hypotheses;
  struct agenda *agenda = &self->agenda;
  size_t complete = 0;
  all->len = agenda->len = 0;
  WORKSPACE_PUSH(workspace, all, ((struct hypothesis){LATTICE_END, NONE, 0, 0}));
  agenda_push(workspace, agenda, all, 0);
  while (agenda->len > 0) {
    const uint32_t number = agenda_pop(agenda, all);
    const struct hypothesis top = all->data[number];
    if (top.node != LATTICE_BEGIN) {
      follow(workspace, self, number);
    } else if (++complete == 2) {
      out->len = 0;
      for (uint32_t i = top.next; all->data[i].node != LATTICE_END; i = all->data[i].next) {
        WORKSPACE_PUSH(workspace, out, all->data[i].node);
      }
      return true;
    }
  }
  return false;
}

/* Expectations ----------------------------------------------------------------------------------------------------- */

/* log(exp(x) + exp(y)). */
static double log_sum_exp(double x, double y) {
  const double low = x > y ? y : x, high = x > y ? x : y;
  return high > low + 50 ? high : high + log(exp(low - high) + 1);
}

static void find_alpha(struct lattice *self, struct lattice_node *right) {
  bool is_first = true;
  for (uint32_t left = self->places[right->begin].end_first; left != NONE; left = next_end(self, left)) {
    const double one = self->data[left].score + self->data[left].alpha;
    right->alpha = is_first ? one : log_sum_exp(right->alpha, one);
    is_first = false;
  }
}

static void find_beta(struct lattice *self, struct lattice_node *left, const struct lattice_place *place) {
  for (uint32_t i = 0; i < place->len; i++) {
    const struct lattice_node *right = &self->data[place->first + i];
    const double one = right->score + right->beta;
    left->beta = i == 0 ? one : log_sum_exp(left->beta, one);
  }
}

void lattice_expect(struct lattice *self, double count, double *expected) {
  for (size_t at = 0; at <= self->nbytes; at++) {
    const struct lattice_place *place = &self->places[at];
    for (uint32_t i = 0; i < place->len; i++) {
      find_alpha(self, &self->data[place->first + i]);
    }
  }
  for (size_t at = self->nbytes + 1; at-- > 0;) {
    const struct lattice_place *place = &self->places[at];
    for (uint32_t left = place->end_first; left != NONE; left = next_end(self, left)) {
      find_beta(self, &self->data[left], place);
    }
  }
  const double all = self->data[LATTICE_END].alpha;
  for (size_t i = LATTICE_END + 1; i < self->len; i++) {
    const struct lattice_node *node = &self->data[i];
    expected[node->id] += count * exp(node->alpha + node->score + node->beta - all);
  }
}
