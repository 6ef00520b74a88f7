/* Tokens that were added to a model's. */
#include "tokenizers/added_tokens.h"

#include <ctorch.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/sequence.h"
#include "core/c/error.h"
#include "tokenizers/character.h"

static void token_free(struct added_token *token) {
  free(token->content);
  free(token->normalized_content);
}

void added_tokens_free(struct added_tokens *self) {
  for (size_t i = 0; i < self->len; i++) {
    token_free(&self->data[i]);
  }
  free(self->data);
  free(self->plain.data);
  free(self->normalized.data);
  vocabulary_free(&self->contents);
  vocabulary_free(&self->ids);
  vocabulary_free(&self->specials);
  memset(self, 0, sizeof *self);
}

static const struct added_token *find_in(
    const struct added_tokens *self, const struct vocabulary *index, const char *key, size_t len) {
  const struct vocabulary_token *found = vocabulary_find(index, key, len);
  return found == NULL ? NULL : &self->data[found->id];
}

const struct added_token *added_tokens_find(const struct added_tokens *self, const char *content, size_t len) {
  return find_in(self, &self->contents, content, len);
}

const struct added_token *added_tokens_of_id(const struct added_tokens *self, uint32_t id) {
  return find_in(self, &self->ids, (const char *)&id, sizeof id);
}

bool added_tokens_is_special(const struct added_tokens *self, const char *text, size_t len) {
  return vocabulary_find(&self->specials, text, len) != NULL;
}

static uint32_t next_id(const struct added_tokens *self, const struct token_model *model) {
  const uint32_t known = (uint32_t)model->vocabulary.len;
  return self->len > 0 && (self->most_id >= known || known == 0) ? self->most_id + 1 : known;
}

static ctorch_error *enter(const char *function, struct added_tokens *self, const struct added_token *token) {
  const uint32_t number = (uint32_t)self->len;
  CTORCH_TRY(vocabulary_put(function, &self->contents, token->content, token->content_len, number));
  CTORCH_TRY(vocabulary_put(function, &self->ids, (const char *)&token->id, sizeof token->id, number));
  return token->special ? vocabulary_put(function, &self->specials, token->content, token->content_len, number) : NULL;
}

static bool is_same(const struct added_token *a, const struct added_token *b) {
  return a->single_word == b->single_word && a->lstrip == b->lstrip && a->rstrip == b->rstrip &&
         a->normalized == b->normalized && a->special == b->special;
}

ctorch_error *added_tokens_put(
    const char *function,
    struct added_tokens *self,
    const struct token_model *model,
    struct added_token *token,
    bool *out_is_new) {
  const struct added_token *known = added_tokens_find(self, token->content, token->content_len);
  const struct vocabulary_token *of_model = vocabulary_find(&model->vocabulary, token->content, token->content_len);
  *out_is_new = token->content_len > 0 && (known == NULL || known->is_replaced || !is_same(known, token));
  token->id = known != NULL ? known->id : of_model != NULL ? of_model->id : next_id(self, model);
  token->is_replaced = false;
  const struct added_token *replaced = added_tokens_of_id(self, token->id);
  const size_t replaced_at = replaced == NULL ? SIZE_MAX : (size_t)(replaced - self->data);
  ctorch_error *error = *out_is_new ? array_grow(function, &self->data, self->len, sizeof *self->data) : NULL;
  if (*out_is_new) {
    THEN(error, enter(function, self, token));
  }
  if (error != NULL || !*out_is_new) {
    token_free(token);
    return error;
  }
  if (replaced_at != SIZE_MAX) {
    self->data[replaced_at].is_replaced = true;
  }
  self->most_id = token->id > self->most_id ? token->id : self->most_id;
  self->data[self->len++] = *token;
  return NULL;
}

/* Needles ---------------------------------------------------------------------------------------------------------- */

static int compare(const void *a, const void *b) {
  const struct needle *x = a, *y = b;
  if (*x->text != *y->text) {
    return (unsigned char)*x->text < (unsigned char)*y->text ? -1 : 1;
  }
  return x->len != y->len ? (x->len > y->len ? -1 : 1) : (x->token < y->token ? -1 : 1);
}

static ctorch_error *find_needles(
    const char *function, struct needles *out, const struct added_tokens *self, bool is_normalized) {
  struct needle *data = malloc((self->len + 1) * sizeof *data);
  if (data == NULL) {
    return error_memory(function, self->len * sizeof *data);
  }
  free(out->data);
  out->data = data;
  out->len = 0;
  for (size_t i = 0; i < self->len; i++) {
    const struct added_token *token = &self->data[i];
    const bool has_other = is_normalized && token->normalized_content != NULL;
    const struct needle needle = {
        has_other ? token->normalized_content : token->content, has_other ? token->normalized_len : token->content_len,
        i};
    if (token->normalized == is_normalized && !token->is_replaced && needle.len > 0) {
      data[out->len++] = needle;
    }
  }
  qsort(data, out->len, sizeof *data, compare);
  size_t at = 0;
  for (unsigned byte = 0; byte < 256; byte++) {
    out->begin[byte] = at;
    while (at < out->len && (unsigned char)*data[at].text == byte) {
      at++;
    }
  }
  out->begin[256] = at;
  return NULL;
}

ctorch_error *added_tokens_refresh(const char *function, struct added_tokens *self) {
  CTORCH_TRY(find_needles(function, &self->plain, self, false));
  return find_needles(function, &self->normalized, self, true);
}

/* The first place from `at` on where one stands, and of those there the longest. */
static const struct needle *find(const struct needles *self, const char *data, size_t len, size_t *at) {
  for (; *at < len; ++*at) {
    const unsigned char byte = (unsigned char)data[*at];
    for (size_t i = self->begin[byte]; i < self->begin[byte + 1]; i++) {
      const struct needle *needle = &self->data[i];
      if (needle->len <= len - *at && memcmp(needle->text, data + *at, needle->len) == 0) {
        return needle;
      }
    }
  }
  return NULL;
}

/* Matches ---------------------------------------------------------------------------------------------------------- */

static size_t last_begin(const char *data, size_t end) {
  size_t begin = end - 1;
  while (begin > 0 && utf8_continues(data[begin])) {
    begin--;
  }
  return begin;
}

static bool stands_alone(const struct piece *piece, size_t begin, size_t end) {
  const bool is_free_before =
      begin == 0 || !character_is_word(utf8_decode(piece->data + last_begin(piece->data, begin)));
  return is_free_before && (end == piece->len || !character_is_word(utf8_decode(piece->data + end)));
}

static void put_piece(
    struct workspace *workspace,
    struct pieces *out,
    const struct piece *piece,
    size_t begin,
    size_t end,
    int64_t token) {
  if (begin < end) {
    struct piece part = piece_slice(piece, begin, end);
    part.token = token;
    WORKSPACE_PUSH(workspace, out, part);
  }
}

static void split(
    struct workspace *workspace,
    const struct added_tokens *self,
    const struct needles *needles,
    const struct piece *piece,
    struct pieces *out) {
  size_t done = 0, at = 0;
  const struct needle *needle = NULL;
  while (needles->len > 0 && (needle = find(needles, piece->data, piece->len, &at)) != NULL) {
    const struct added_token *token = &self->data[needle->token];
    size_t begin = at, end = at + needle->len;
    at = end;
    if ((self->encode_special_tokens && added_tokens_is_special(self, token->content, token->content_len)) ||
        (token->single_word && !stands_alone(piece, begin, end))) {
      continue;
    }
    while (token->lstrip && begin > done &&
           character_is_space(utf8_decode(piece->data + last_begin(piece->data, begin)))) {
      begin = last_begin(piece->data, begin);
    }
    while (token->rstrip && end < piece->len && character_is_space(utf8_decode(piece->data + end))) {
      end += utf8_len_from(piece->data[end]);
    }
    put_piece(workspace, out, piece, done, begin, -1);
    put_piece(workspace, out, piece, begin, end, token->id);
    done = end;
  }
  put_piece(workspace, out, piece, done, piece->len, -1);
}

void added_tokens_split(
    struct workspace *workspace,
    const struct added_tokens *self,
    const struct normalizer *normalizer,
    const char *text,
    size_t len,
    struct pieces *out) {
  struct pieces plain = {.data = NULL};
  const struct piece whole = {.data = text, .len = len, .token = -1};
  split(workspace, self, &self->plain, &whole, &plain);
  for (size_t i = 0; i < plain.len; i++) {
    struct piece *piece = &plain.data[i];
    if (piece->token >= 0) {
      WORKSPACE_PUSH(workspace, out, *piece);
      continue;
    }
    if (normalizer != NULL) {
      normalizer_run(workspace, normalizer, piece);
    }
    split(workspace, self, &self->normalized, piece, out);
  }
}
