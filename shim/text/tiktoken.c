/* Byte pair encoding by ranks: <ctorch/tiktoken.h>. Of the neighbours in a word, those whose bytes together have the
 * lowest rank are merged, the leftmost of equal ones. Short words are searched again after each merge, long ones have a
 * heap. */

#define _GNU_SOURCE /* memmem */
#include <ctorch.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base64.h"
#include "character.h"
#include "encoding.h"
#include "error.h"
#include "object.h"
#include "pattern.h"
#include "reader.h"
#include "tensor.h"
#include "tiktoken_published.h"
#include "tokenizer.h"
#include "vocabulary.h"

enum { RANKS_MOST_NBYTES = 200000000, SHORT_PIECE = 100 };

struct ctorch_tiktoken {
  struct vocabulary ranks, specials;
  struct pattern *pattern;
  uint32_t byte_ranks[256];
  uint32_t *pair_ranks; /* of two bytes, [256 * first + second]; UINT32_MAX for none */
  size_t vocab_size;
  struct workspaces workspaces;
};

static void finalize(void *object) {
  ctorch_tiktoken *self = object;
  vocabulary_free(&self->ranks);
  vocabulary_free(&self->specials);
  pattern_free(self->pattern);
  free(self->pair_ranks);
  workspaces_free(&self->workspaces);
}

static const object_class tiktoken_class = {"tiktoken", sizeof(ctorch_tiktoken), finalize};

void ctorch_tiktoken_retain(const ctorch_tiktoken *self) { object_retain(self); }
void ctorch_tiktoken_release(ctorch_tiktoken *self) { object_release(self); }
size_t ctorch_tiktoken_vocab_size(const ctorch_tiktoken *self) { return self == NULL ? 0 : self->vocab_size; }

/* Reading ----------------------------------------------------------------------------------------------------------- */

static void count_id(ctorch_tiktoken *self, uint32_t id) {
  self->vocab_size = id >= self->vocab_size ? (size_t)id + 1 : self->vocab_size;
}

/* "aGk= 12". */
static ctorch_error *read_line(
    const char *function, ctorch_tiktoken *self, const ctorch_reader *reader, char *line, size_t len, size_t number) {
  const char *space = memchr(line, ' ', len);
  uint64_t rank = 0;
  size_t token_len = 0, at = space == NULL ? len : (size_t)(space + 1 - line);
  const size_t digits = at;
  for (; at < len && line[at] >= '0' && line[at] <= '9' && rank < UINT32_MAX; at++) {
    rank = rank * 10 + (uint64_t)(line[at] - '0');
  }
  if (space == NULL || at != len || at == digits || rank >= UINT32_MAX ||
      !base64_decode((unsigned char *)line, &token_len, line, (size_t)(space - line))) {
    return reader_error(function, reader, "line %zu is no token in base64 with its rank", number);
  }
  count_id(self, (uint32_t)rank);
  return vocabulary_put(function, &self->ranks, line, token_len, (uint32_t)rank);
}

static ctorch_error *read_lines(
    const char *function, ctorch_tiktoken *self, const ctorch_reader *reader, char *data, size_t nbytes) {
  size_t number = 1;
  for (char *at = data, *end = data + nbytes; at < end; number++) {
    char *line_end = memchr(at, '\n', (size_t)(end - at));
    line_end = line_end == NULL ? end : line_end;
    size_t len = (size_t)(line_end - at);
    len -= len > 0 && at[len - 1] == '\r';
    if (len > 0) {
      CTORCH_TRY(read_line(function, self, reader, at, len, number));
    }
    at = line_end + 1;
  }
  return NULL;
}

/* What is asked for most: ranks of single bytes, which all texts need, and of pairs. */
static ctorch_error *make_tables(const char *function, ctorch_tiktoken *self, const ctorch_reader *reader) {
  self->pair_ranks = malloc((size_t)65536 * sizeof *self->pair_ranks);
  if (self->pair_ranks == NULL) {
    return error_memory(function, (size_t)65536 * sizeof *self->pair_ranks);
  }
  for (unsigned i = 0; i < 65536; i++) {
    const char bytes[] = {(char)(i >> 8), (char)(i & 0xff)};
    const struct vocabulary_token *pair = vocabulary_find(&self->ranks, bytes, 2);
    self->pair_ranks[i] = pair == NULL ? UINT32_MAX : pair->id;
  }
  for (unsigned i = 0; i < 256; i++) {
    const char byte = (char)i;
    const struct vocabulary_token *token = vocabulary_find(&self->ranks, &byte, 1);
    if (token == NULL) {
      return reader_error(function, reader, "the byte %u has no rank", i);
    }
    self->byte_ranks[i] = token->id;
  }
  return NULL;
}

static ctorch_error *read_ranks(const char *function, ctorch_tiktoken *self, const ctorch_reader *reader) {
  const size_t nbytes = ctorch_reader_nbytes(reader);
  if (nbytes > RANKS_MOST_NBYTES) {
    return reader_error(function, reader, "%zu bytes of ranks, more than %d", nbytes, (int)RANKS_MOST_NBYTES);
  }
  char *data = malloc(nbytes + 1);
  if (data == NULL) {
    return error_memory(function, nbytes);
  }
  ctorch_error *error = reader_read(function, reader, 0, data, nbytes);
  error = error != NULL ? error : read_lines(function, self, reader, data, nbytes);
  free(data);
  return error != NULL ? error : make_tables(function, self, reader);
}

static ctorch_error *read_specials(
    const char *function, ctorch_tiktoken *self, const char *const *tokens, const int64_t *ids, size_t len) {
  for (size_t i = 0; i < len; i++) {
    if (tokens[i][0] == '\0') {
      return error_argument(function, "special_tokens", "entry %zu is empty", i);
    }
    if (ids[i] < 0 || ids[i] >= UINT32_MAX) {
      return error_argument(function, "special_ids", "expected numbers of 32 bits, got %" PRId64, ids[i]);
    }
    CTORCH_TRY(vocabulary_put(function, &self->specials, tokens[i], strlen(tokens[i]), (uint32_t)ids[i]));
    count_id(self, (uint32_t)ids[i]);
  }
  return NULL;
}

static ctorch_error *open_ranks(
    const char *function,
    ctorch_tiktoken **out,
    const ctorch_reader *ranks,
    const char *pattern,
    const char *const *tokens,
    const int64_t *ids,
    size_t len) {
  if (!pattern_is_supported()) {
    return error_make(function, CTORCH_ERROR_UNSUPPORTED, "tiktoken: ctorch was built without PCRE2");
  }
  ctorch_tiktoken *self = object_new(&tiktoken_class);
  ctorch_error *error = self == NULL ? error_memory(function, sizeof *self) : NULL;
  error = error != NULL ? error : pattern_new(function, &self->pattern, pattern, strlen(pattern), PATTERN_RUST);
  error = error != NULL ? error : read_ranks(function, self, ranks);
  error = error != NULL ? error : read_specials(function, self, tokens, ids, len);
  if (error != NULL) {
    object_unref(self);
    return error;
  }
  return object_give(function, out, self);
}

ctorch_error *ctorch_tiktoken_open(
    ctorch_tiktoken **out,
    const ctorch_reader *ranks,
    const char *pattern,
    const char *const *special_tokens,
    size_t special_tokens_len,
    const int64_t *special_ids,
    size_t special_ids_len) {
  CTORCH_TRY(error_refusal(__func__));
  if (out == NULL || ranks == NULL || pattern == NULL) {
    return error_null(__func__, out == NULL ? "out" : ranks == NULL ? "ranks" : "pattern");
  }
  if (special_ids_len != special_tokens_len) {
    return error_argument(
        __func__, "special_ids", "expected one for each of %zu tokens, got %zu", special_tokens_len, special_ids_len);
  }
  CTORCH_TRY(tokenizer_check_texts(__func__, "special_tokens", special_tokens, special_tokens_len));
  CTORCH_TRY(error_unless_list(__func__, "special_ids", special_ids, special_ids_len));
  CTORCH_TRY(tokenizer_check_text(__func__, "pattern", pattern, strlen(pattern)));
  return open_ranks(__func__, out, ranks, pattern, special_tokens, special_ids, special_tokens_len);
}

ctorch_error *ctorch_tiktoken_open_named(ctorch_tiktoken **out, const ctorch_reader *ranks, const char *name) {
  CTORCH_TRY(error_refusal(__func__));
  if (out == NULL || ranks == NULL || name == NULL) {
    return error_null(__func__, out == NULL ? "out" : ranks == NULL ? "ranks" : "name");
  }
  struct tiktoken_published published;
  if (!tiktoken_find_published(&published, name)) {
    return error_argument(__func__, "name", "expected gpt2, cl100k_base, o200k_base, …, got \"%.40s\"", name);
  }
  return open_ranks(__func__, out, ranks, published.pattern, published.tokens, published.ids, published.len);
}

/* Merging ----------------------------------------------------------------------------------------------------------- */

struct ids {
  int64_t *data;
  size_t len, capacity;
};

static uint32_t rank_of(const ctorch_tiktoken *self, const char *data, size_t begin, size_t end) {
  const struct vocabulary_token *found = vocabulary_find(&self->ranks, data + begin, end - begin);
  return found == NULL ? UINT32_MAX : found->id;
}

/* A part of a piece: where it begins, its own rank, and the rank that it would have with the next one. */
struct part {
  uint32_t begin, id, rank;
};

static void merge_short(
    struct workspace *workspace, const ctorch_tiktoken *self, const char *data, size_t nbytes, struct ids *out) {
  struct part parts[SHORT_PIECE + 1];
  size_t len = nbytes;
  for (size_t i = 0; i < nbytes; i++) {
    const unsigned char byte = (unsigned char)data[i];
    const bool has_next = i + 1 < nbytes;
    parts[i] = (struct part){
        (uint32_t)i, self->byte_ranks[byte],
        has_next ? self->pair_ranks[(size_t)byte << 8 | (unsigned char)data[i + 1]] : UINT32_MAX};
  }
  parts[len] = (struct part){(uint32_t)nbytes, 0, UINT32_MAX};
  for (;;) {
    size_t best = 0;
    for (size_t i = 1; i < len; i++) {
      best = parts[i].rank < parts[best].rank ? i : best;
    }
    if (parts[best].rank == UINT32_MAX) {
      break;
    }
    parts[best].id = parts[best].rank;
    memmove(parts + best + 1, parts + best + 2, (len - best - 1) * sizeof *parts);
    len--;
    parts[best].rank = best + 1 < len ? rank_of(self, data, parts[best].begin, parts[best + 2].begin) : UINT32_MAX;
    if (best > 0) {
      parts[best - 1].rank = rank_of(self, data, parts[best - 1].begin, parts[best + 1].begin);
    }
  }
  for (size_t i = 0; i < len; i++) {
    WORKSPACE_PUSH(workspace, out, parts[i].id);
  }
}

struct candidate {
  uint32_t rank, begin;
};
struct heap {
  struct candidate *data;
  size_t len, capacity;
};

static bool is_before(struct candidate a, struct candidate b) {
  return a.rank != b.rank ? a.rank < b.rank : a.begin < b.begin;
}

static void heap_push(struct workspace *workspace, struct heap *self, struct candidate candidate) {
  WORKSPACE_PUSH(workspace, self, candidate);
  size_t at = self->len - 1;
  for (; at > 0 && is_before(candidate, self->data[(at - 1) / 2]); at = (at - 1) / 2) {
    self->data[at] = self->data[(at - 1) / 2];
  }
  self->data[at] = candidate;
}

static struct candidate heap_pop(struct heap *self) {
  const struct candidate top = self->data[0], last = self->data[--self->len];
  size_t at = 0;
  for (size_t child = 1; child < self->len; child = 2 * at + 1) {
    child += child + 1 < self->len && is_before(self->data[child + 1], self->data[child]);
    if (!is_before(self->data[child], last)) {
      break;
    }
    self->data[at] = self->data[child];
    at = child;
  }
  self->data[at] = last;
  return top;
}

/* A part by its first byte: where it ends, where the one before begins, its rank, and that with the next one. */
struct linked {
  uint32_t end, previous, id, rank;
};

/* Look for the rank of what begins at `begin` together with what is behind it. */
static void look(
    struct workspace *workspace,
    const ctorch_tiktoken *self,
    struct heap *heap,
    struct linked *parts,
    const char *data,
    size_t nbytes,
    uint32_t begin) {
  const uint32_t middle = parts[begin].end;
  parts[begin].rank = middle < nbytes ? rank_of(self, data, begin, parts[middle].end) : UINT32_MAX;
  if (parts[begin].rank != UINT32_MAX) {
    heap_push(workspace, heap, (struct candidate){parts[begin].rank, begin});
  }
}

static void merge_long(
    struct workspace *workspace, const ctorch_tiktoken *self, const char *data, size_t nbytes, struct ids *out) {
  struct linked *parts = workspace_take(workspace, (nbytes + 1) * sizeof *parts);
  struct heap heap = {.data = NULL};
  for (uint32_t i = 0; i < nbytes; i++) {
    parts[i] =
        (struct linked){i + 1, i == 0 ? UINT32_MAX : i - 1, self->byte_ranks[(unsigned char)data[i]], UINT32_MAX};
  }
  for (uint32_t i = 0; i + 1 < nbytes; i++) {
    look(workspace, self, &heap, parts, data, nbytes, i);
  }
  while (heap.len > 0) {
    const struct candidate top = heap_pop(&heap);
    struct linked *left = &parts[top.begin];
    if (left->rank != top.rank) {
      continue; /* one of the two was merged meanwhile */
    }
    const uint32_t middle = left->end;
    left->id = top.rank;
    left->end = parts[middle].end;
    parts[middle].rank = UINT32_MAX;
    if (left->end < nbytes) {
      parts[left->end].previous = top.begin;
    }
    look(workspace, self, &heap, parts, data, nbytes, top.begin);
    if (left->previous != UINT32_MAX) {
      look(workspace, self, &heap, parts, data, nbytes, left->previous);
    }
  }
  for (uint32_t at = 0; at < nbytes; at = parts[at].end) {
    WORKSPACE_PUSH(workspace, out, parts[at].id);
  }
}

static void encode_piece(
    struct workspace *workspace, const ctorch_tiktoken *self, const char *data, size_t len, struct ids *out) {
  const struct vocabulary_token *whole = vocabulary_find(&self->ranks, data, len);
  if (whole != NULL) {
    WORKSPACE_PUSH(workspace, out, whole->id);
  } else if (len < SHORT_PIECE) {
    merge_short(workspace, self, data, len, out);
  } else {
    merge_long(workspace, self, data, len, out);
  }
}

static void encode_text(
    struct workspace *workspace, const ctorch_tiktoken *self, const char *text, size_t len, struct ids *out) {
  struct span span;
  for (size_t at = 0; at <= len && pattern_find(workspace, &span, self->pattern, text, len, at);) {
    if (span.end > span.begin) {
      encode_piece(workspace, self, text + span.begin, span.end - span.begin, out);
      at = span.end;
    } else {
      at = span.end < len ? span.end + utf8_len_from(text[span.end]) : len + 1;
    }
  }
}

/* Special tokens ---------------------------------------------------------------------------------------------------- */

/* Those that a call allows or forbids. */
struct choice {
  const char *const *tokens;
  size_t len;
  bool is_all;
};

static bool has(const struct choice *choice, const char *token) {
  for (size_t i = 0; i < choice->len; i++) {
    if (strcmp(choice->tokens[i], token) == 0) {
      return true;
    }
  }
  return choice->is_all;
}

struct special_call {
  const char *text;
  size_t text_len;
  struct choice allowed, disallowed;
};

/* The longest special token at a place. */
static const struct vocabulary_token *special_at(
    const ctorch_tiktoken *self, const struct special_call *call, size_t at) {
  const struct vocabulary_token *found = NULL;
  for (size_t i = 0; i < self->specials.len; i++) {
    const struct vocabulary_token *token = &self->specials.tokens[i];
    const char *text = vocabulary_text(&self->specials, token);
    if (token->len <= call->text_len - at && (found == NULL || token->len > found->len) &&
        memcmp(text, call->text + at, token->len) == 0) {
      found = token;
    }
  }
  return found;
}

static ctorch_error *check_disallowed(
    const char *function, const ctorch_tiktoken *self, const struct special_call *call) {
  if (call->disallowed.len == 0) {
    return NULL;
  }
  for (size_t i = 0; i < self->specials.len; i++) {
    const char *token = vocabulary_text(&self->specials, &self->specials.tokens[i]);
    if (has(&call->disallowed, token) && !(call->disallowed.is_all && has(&call->allowed, token)) &&
        memmem(call->text, call->text_len, token, strlen(token)) != NULL) {
      return error_make(
          function, CTORCH_ERROR_VALUE, "the text has the special token \"%.64s\", which is disallowed", token);
    }
  }
  return NULL;
}

static void encode_special(
    struct workspace *workspace, const ctorch_tiktoken *self, const struct special_call *call, struct ids *out) {
  bool begins[256] = {false};
  for (size_t i = 0; i < self->specials.len; i++) {
    begins[(unsigned char)*vocabulary_text(&self->specials, &self->specials.tokens[i])] = true;
  }
  size_t done = 0;
  for (size_t at = 0; at < call->text_len; at++) {
    const struct vocabulary_token *token = begins[(unsigned char)call->text[at]] ? special_at(self, call, at) : NULL;
    if (token != NULL && has(&call->allowed, vocabulary_text(&self->specials, token))) {
      encode_text(workspace, self, call->text + done, at - done, out);
      WORKSPACE_PUSH(workspace, out, token->id);
      done = at + token->len;
      at = done - 1;
    }
  }
  encode_text(workspace, self, call->text + done, call->text_len - done, out);
}

/* Calls ------------------------------------------------------------------------------------------------------------- */

static ctorch_error *encode(
    const char *function, ctorch_tensor **out, const ctorch_tiktoken *self, const struct special_call *call) {
  struct workspaces *workspaces = (struct workspaces *)(uintptr_t)&self->workspaces;
  struct workspace *workspace = workspaces_take(workspaces, function);
  if (workspace == NULL) {
    return error_memory(function, sizeof *workspace);
  }
  ctorch_error *volatile error = NULL;
  if (setjmp(workspace->failed) == 0) {
    struct ids ids = {.data = NULL};
    int64_t *data = NULL;
    encode_special(workspace, self, call, &ids);
    const int64_t size = (int64_t)ids.len;
    error = encoding_new_tensor(function, out, &data, &size, 1);
    if (error == NULL && ids.len > 0) {
      memcpy(data, ids.data, ids.len * sizeof *data);
    }
  } else {
    error = workspace->error;
  }
  workspaces_give(workspaces, workspace);
  return error;
}

ctorch_error *ctorch_tiktoken_encode_ordinary(
    ctorch_tensor **out, const ctorch_tiktoken *self, const char *text, size_t text_len) {
  CTORCH_TRY(error_refusal(__func__));
  if (out == NULL || self == NULL) {
    return error_null(__func__, out == NULL ? "out" : "self");
  }
  CTORCH_TRY(tokenizer_check_text(__func__, "text", text, text_len));
  const struct special_call call = {.text = text == NULL ? "" : text, .text_len = text_len};
  return encode(__func__, out, self, &call);
}

static ctorch_error *read_choice(
    const char *function, struct choice *out, const char *argument, const char *const *tokens, size_t len) {
  CTORCH_TRY(tokenizer_check_texts(function, argument, tokens, len));
  *out = (struct choice){tokens, len, len == 1 && strcmp(tokens[0], "all") == 0};
  return NULL;
}

ctorch_error *ctorch_tiktoken_encode(
    ctorch_tensor **out,
    const ctorch_tiktoken *self,
    const char *text,
    size_t text_len,
    const char *const *allowed,
    size_t allowed_len,
    const char *const *disallowed,
    size_t disallowed_len) {
  CTORCH_TRY(error_refusal(__func__));
  struct special_call call = {.text = text == NULL ? "" : text, .text_len = text_len};
  if (out == NULL || self == NULL) {
    return error_null(__func__, out == NULL ? "out" : "self");
  }
  CTORCH_TRY(tokenizer_check_text(__func__, "text", text, text_len));
  CTORCH_TRY(read_choice(__func__, &call.allowed, "allowed", allowed, allowed_len));
  CTORCH_TRY(read_choice(__func__, &call.disallowed, "disallowed", disallowed, disallowed_len));
  CTORCH_TRY(check_disallowed(__func__, self, &call));
  return encode(__func__, out, self, &call);
}

/* Decoding ---------------------------------------------------------------------------------------------------------- */

static ctorch_error *find_token(
    const char *function, const ctorch_tiktoken *self, int64_t id, const char **out, size_t *out_len) {
  const bool is_id = id >= 0 && id < UINT32_MAX;
  const struct vocabulary *vocabulary = &self->ranks;
  const struct vocabulary_token *token = is_id ? vocabulary_of_id(vocabulary, (uint32_t)id) : NULL;
  if (token == NULL && is_id) {
    vocabulary = &self->specials;
    token = vocabulary_of_id(vocabulary, (uint32_t)id);
  }
  if (token == NULL) {
    return error_make(function, CTORCH_ERROR_INDEX, "no token has the id %" PRId64, id);
  }
  *out = vocabulary_text(vocabulary, token);
  *out_len = token->len;
  return NULL;
}

/* All bytes; free them. */
static ctorch_error *decode(
    const char *function, const ctorch_tiktoken *self, const int64_t *ids, size_t len, char **out, size_t *out_len) {
  const char *text = NULL;
  size_t text_len = 0, nbytes = 0;
  for (size_t i = 0; i < len; i++) {
    CTORCH_TRY(find_token(function, self, ids[i], &text, &text_len));
    nbytes += text_len;
  }
  char *data = malloc(nbytes + 1);
  if (data == NULL) {
    return error_memory(function, nbytes);
  }
  *out = data;
  *out_len = nbytes;
  for (size_t i = 0; i < len; i++) {
    ctorch_error_release(find_token(function, self, ids[i], &text, &text_len)); /* was found above */
    memcpy(data, text, text_len);
    data += text_len;
  }
  return NULL;
}

ctorch_error *ctorch_tiktoken_decode_bytes(
    ctorch_tensor **out, const ctorch_tiktoken *self, const int64_t *ids, size_t ids_len) {
  CTORCH_TRY(error_refusal(__func__));
  char *data = NULL;
  size_t len = 0;
  if (out == NULL || self == NULL) {
    return error_null(__func__, out == NULL ? "out" : "self");
  }
  CTORCH_TRY(error_unless_list(__func__, "ids", ids, ids_len));
  CTORCH_TRY(decode(__func__, self, ids, ids_len, &data, &len));
  const int64_t size = (int64_t)len;
  ctorch_error *error = ctorch_tensor_from_data(out, data, len, &size, 1, CTORCH_DTYPE_UINT8);
  free(data);
  return error_of(__func__, error);
}

ctorch_error *ctorch_tiktoken_decode(
    ctorch_string **out, const ctorch_tiktoken *self, const int64_t *ids, size_t ids_len) {
  CTORCH_TRY(error_refusal(__func__));
  char *data = NULL;
  size_t len = 0;
  if (out == NULL || self == NULL) {
    return error_null(__func__, out == NULL ? "out" : "self");
  }
  CTORCH_TRY(error_unless_list(__func__, "ids", ids, ids_len));
  CTORCH_TRY(decode(__func__, self, ids, ids_len, &data, &len));
  char *text = malloc(3 * len + 1);
  ctorch_error *error = text == NULL ? error_memory(__func__, 3 * len) : NULL;
  if (error == NULL) {
    error = string_give(__func__, out, text, utf8_from_bytes(text, data, len));
  }
  free(text);
  free(data);
  return error;
}
