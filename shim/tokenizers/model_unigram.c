/* Unigram models (Kudo 2018, arXiv:1804.10959): of all ways to divide a text into tokens, the one with the highest sum
 * of scores, which Viterbi's algorithm finds; a trie finds the tokens that begin at a place. */
#include <ctorch.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/c/error.h"
#include "tokenizers/character.h"
#include "tokenizers/model.h"

static const double UNK_PENALTY = 10;

void model_free_unigram(struct token_model *self) {
  free(self->scores);
  trie_free(&self->trie);
}

/* Reading ---------------------------------------------------------------------------------------------------------- */

#if CTORCH_HAS_JANSSON
static ctorch_error *make_trie(struct token_model *self, const char *function) {
  const size_t len = self->vocabulary.len;
  struct trie_text *texts = malloc((len + 1) * sizeof *texts);
  if (texts == NULL) {
    return error_memory(function, len * sizeof *texts);
  }
  for (size_t i = 0; i < len; i++) {
    const struct vocabulary_token *token = &self->vocabulary.tokens[i];
    texts[i] = (struct trie_text){vocabulary_text(&self->vocabulary, token), token->len, (uint32_t)i};
  }
  ctorch_error *error = trie_make(function, &self->trie, texts, len);
  free(texts);
  return error;
}

ctorch_error *model_read_unigram(struct token_model *self, const struct description *description) {
  const json_t *list = json_object_get(description->json, "vocab");
  const json_t *unk = json_object_get(description->json, "unk_id");
  if (!json_is_array(list)) {
    return description_error(description, "Unigram: expected a list as \"vocab\"");
  }
  const size_t len = json_array_size(list);
  self->scores = malloc((len + 1) * sizeof *self->scores);
  if (self->scores == NULL) {
    return error_memory(description->function, len * sizeof *self->scores);
  }
  self->unk_score = INFINITY;
  for (size_t i = 0; i < len; i++) {
    const json_t *pair = json_array_get(list, i), *text = json_array_get(pair, 0), *score = json_array_get(pair, 1);
    if (!json_is_string(text) || !json_is_number(score)) {
      return description_error(description, "Unigram: token %zu is no pair of a text and a number", i);
    }
    CTORCH_TRY(vocabulary_put(
        description->function, &self->vocabulary, json_string_value(text), json_string_length(text), (uint32_t)i));
    self->scores[i] = json_number_value(score);
    self->unk_score = self->scores[i] < self->unk_score ? self->scores[i] : self->unk_score;
  }
  self->unk_score -= UNK_PENALTY;
  if (unk != NULL && !json_is_null(unk)) {
    if (!json_is_integer(unk) || json_integer_value(unk) < 0 || (uint64_t)json_integer_value(unk) >= len) {
      return description_error(description, "Unigram: \"unk_id\" is not in the vocabulary");
    }
    self->has_unk = self->is_unk_known = true;
    self->unk_id = (uint32_t)json_integer_value(unk);
  }
  CTORCH_TRY(description_bool(description, &self->byte_fallback, "byte_fallback", false));
  model_find_fallback(self);
  return make_trie(self, description->function);
}
#endif

/* Viterbi ---------------------------------------------------------------------------------------------------------- */

/* The best way to a place. */
struct best {
  double score;
  uint32_t id, begin;
  bool is_there;
};

static void offer(struct best *best, double score, uint32_t id, size_t begin) {
  if (!best->is_there || score > best->score) {
    *best = (struct best){score, id, (uint32_t)begin, true};
  }
}

static uint32_t unk_of(struct workspace *workspace, const struct token_model *self) {
  if (!self->has_unk) {
    workspace_fail(
        workspace, error_make(
                       workspace->function, CTORCH_ERROR_RUNTIME,
                       "the text has characters that are not in the vocabulary, which has no \"unk_id\""));
  }
  return self->unk_id;
}

static void find_best(
    struct workspace *workspace, const struct token_model *self, const struct piece *piece, struct best *best) {
  for (size_t begin = 0; begin < piece->len;) {
    const size_t len = utf8_len_from(piece->data[begin]);
    const double so_far = best[begin].score;
    bool has_character = false;
    const struct trie_node *node = self->trie.nodes;
    for (size_t end = begin; end < piece->len; end++) {
      node = trie_child(&self->trie, node, (unsigned char)piece->data[end]);
      if (node == NULL) {
        break;
      }
      if (node->text != 0) {
        offer(&best[end + 1], self->scores[node->text - 1] + so_far, node->text - 1, begin);
        has_character = has_character || end + 1 - begin == len;
      }
    }
    if (!has_character) {
      offer(&best[begin + len], self->unk_score + so_far, unk_of(workspace, self), begin);
    }
    begin += len;
  }
}

/* A part of the text that no token stands for, as a whole. */
static void put_unknown(
    struct workspace *workspace,
    const struct token_model *self,
    const struct piece *piece,
    size_t begin,
    size_t end,
    struct tokens *out) {
  const char *text = piece->data + begin;
  const struct vocabulary_token *found = vocabulary_find(&self->vocabulary, text, end - begin);
  struct token token = {.id = found == NULL ? 0 : found->id, .begin = (uint32_t)begin, .end = (uint32_t)end};
  if (found == NULL) {
    if (self->byte_fallback && model_put_fallback(workspace, self, text, end - begin, token, out)) {
      return;
    }
    token.id = unk_of(workspace, self);
    token.text = text;
    token.text_len = (uint32_t)(end - begin);
  }
  WORKSPACE_PUSH(workspace, out, token);
}

void model_run_unigram(
    struct workspace *workspace, const struct token_model *self, const struct piece *piece, struct tokens *out) {
  struct best *best = workspace_take(workspace, (piece->len + 1) * sizeof *best);
  memset(best, 0, (piece->len + 1) * sizeof *best);
  find_best(workspace, self, piece, best);
  size_t len = 0;
  struct span *path = workspace_take(workspace, (piece->len + 1) * sizeof *path);
  for (size_t end = piece->len; end > 0; end = best[end].begin) {
    const bool is_unknown = self->has_unk && best[end].id == self->unk_id;
    if (is_unknown && len > 0 && path[len - 1].is_match) {
      path[len - 1].begin = best[end].begin;
    } else {
      path[len++] = (struct span){best[end].begin, (uint32_t)end, is_unknown};
    }
  }
  while (len-- > 0) {
    const struct span *part = &path[len];
    if (part->is_match) {
      put_unknown(workspace, self, piece, part->begin, part->end, out);
    } else {
      WORKSPACE_PUSH(
          workspace, out, ((struct token){.id = best[part->end].id, .begin = part->begin, .end = part->end}));
    }
  }
}
