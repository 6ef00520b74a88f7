/* Drafts: encodings while they are made. */
#include "tokenizers/draft.h"

#include <ctorch.h>
#include <string.h>

#include "core/c/error.h"

struct draft *draft_new(struct workspace *workspace) {
  struct draft *self = workspace_take(workspace, sizeof *self);
  memset(self, 0, sizeof *self);
  return self;
}

static void make_room(struct workspace *workspace, struct draft *self, size_t len) {
  if (len > self->capacity - self->len) {
    const size_t capacity = self->len + len;
    struct entry *data = workspace_take(workspace, capacity * sizeof *data);
    if (self->len > 0) {
      memcpy(data, self->data, self->len * sizeof *data);
    }
    self->data = data;
    self->capacity = capacity;
  }
}

static void append(struct workspace *workspace, struct draft *self, const struct entry *entries, size_t len) {
  make_room(workspace, self, len);
  if (len > 0) {
    memcpy(self->data + self->len, entries, len * sizeof *entries);
    self->len += len;
  }
}

static void put_sequence(struct workspace *workspace, struct draft *self, struct sequence sequence) {
  for (size_t i = 0; i < self->sequences_len; i++) {
    if (self->sequences[i].id == sequence.id) {
      self->sequences[i] = sequence;
      return;
    }
  }
  struct sequence *sequences = workspace_take(workspace, (self->sequences_len + 1) * sizeof *sequences);
  if (self->sequences_len > 0) {
    memcpy(sequences, self->sequences, self->sequences_len * sizeof *sequences);
  }
  sequences[self->sequences_len++] = sequence;
  self->sequences = sequences;
}

void draft_set_sequence(struct workspace *workspace, struct draft *self, uint32_t id) {
  put_sequence(workspace, self, (struct sequence){id, 0, self->len});
}

void draft_set_type_ids(struct draft *self, uint32_t type_id) {
  for (size_t i = 0; i < self->len; i++) {
    self->data[i].type_id = type_id;
  }
}

struct draft *draft_copy(struct workspace *workspace, const struct draft *self) {
  struct draft *copy = draft_new(workspace);
  append(workspace, copy, self->data, self->len);
  for (size_t i = 0; i < self->sequences_len; i++) {
    put_sequence(workspace, copy, self->sequences[i]);
  }
  return copy;
}

static void merge_tokens(struct workspace *workspace, struct draft *self, const struct draft *other) {
  for (size_t i = 0; i < other->sequences_len; i++) {
    const struct sequence *sequence = &other->sequences[i];
    put_sequence(
        workspace, self, (struct sequence){sequence->id, self->len + sequence->begin, self->len + sequence->end});
  }
  append(workspace, self, other->data, other->len);
}

/* A copy of one with another behind it. */
static void put_merged(
    struct workspace *workspace, struct drafts *out, const struct draft *self, const struct draft *other) {
  struct draft *merged = draft_copy(workspace, self);
  merge_tokens(workspace, merged, other);
  WORKSPACE_PUSH(workspace, out, merged);
}

void draft_merge(struct workspace *workspace, struct draft *self, const struct draft *other) {
  struct drafts overflowing = {.data = NULL};
  for (size_t i = 0; i < self->overflowing.len; i++) {
    put_merged(workspace, &overflowing, self->overflowing.data[i], other);
    for (size_t j = 0; j < other->overflowing.len; j++) {
      put_merged(workspace, &overflowing, self->overflowing.data[i], other->overflowing.data[j]);
    }
  }
  for (size_t j = 0; j < other->overflowing.len; j++) {
    put_merged(workspace, &overflowing, self, other->overflowing.data[j]);
  }
  merge_tokens(workspace, self, other);
  self->overflowing = overflowing;
}

/* Truncation ------------------------------------------------------------------------------------------------------- */

void draft_truncate(struct workspace *workspace, struct draft *self, size_t max_length, size_t stride, bool is_left) {
  if (max_length >= self->len) {
    return;
  }
  const struct draft whole = *self;
  *self = *draft_new(workspace);
  if (max_length == 0) {
    struct draft *all = draft_new(workspace);
    *all = whole;
    self->overflowing = whole.overflowing;
    all->overflowing = (struct drafts){.data = NULL};
    WORKSPACE_PUSH(workspace, &self->overflowing, all);
    return;
  }
  if (stride >= max_length) {
    workspace_fail(
        workspace, error_make(
                       workspace->function, CTORCH_ERROR_VALUE,
                       "truncation: a stride of %zu is not less than the %zu tokens that are left for the text", stride,
                       max_length));
  }
  const size_t step = max_length - stride;
  bool is_first = true;
  for (size_t at = 0; at < whole.len; at += step) {
    const size_t right = is_left ? whole.len - at : at + max_length < whole.len ? at + max_length : whole.len;
    const size_t left = is_left ? (right > max_length ? right - max_length : 0) : at;
    struct draft *part = is_first ? self : draft_new(workspace);
    append(workspace, part, whole.data + left, right - left);
    if (!is_first) {
      WORKSPACE_PUSH(workspace, &self->overflowing, part);
    }
    is_first = false;
    if (is_left ? left == 0 : right == whole.len) {
      break;
    }
  }
}

static _Noreturn void fail_to_truncate(struct workspace *workspace, const char *why) {
  workspace_fail(workspace, error_make(workspace->function, CTORCH_ERROR_VALUE, "truncation: %s", why));
}

static void truncate_longest(
    struct workspace *workspace, struct draft *self, struct draft *pair, const struct truncation *how) {
  const size_t most = how->max_length;
  const bool is_swapped = self->len > pair->len;
  size_t less = is_swapped ? pair->len : self->len;
  size_t more = less > most ? less : less > most - less ? less : most - less;
  if (less + more > most) {
    less = most / 2;
    more = less + most % 2;
  }
  draft_truncate(workspace, self, is_swapped ? more : less, how->stride, how->is_left);
  draft_truncate(workspace, pair, is_swapped ? less : more, how->stride, how->is_left);
}

void draft_truncate_pair(
    struct workspace *workspace, struct draft *self, struct draft *pair, const struct truncation *how) {
  const size_t len = self->len + (pair == NULL ? 0 : pair->len);
  if (how->max_length == 0) {
    draft_truncate(workspace, self, 0, how->stride, how->is_left);
    if (pair != NULL) {
      draft_truncate(workspace, pair, 0, how->stride, how->is_left);
    }
    return;
  }
  if (len <= how->max_length) {
    return;
  }
  if (how->strategy == TRUNCATE_LONGEST_FIRST) {
    if (pair != NULL) {
      truncate_longest(workspace, self, pair, how);
    } else {
      draft_truncate(workspace, self, how->max_length, how->stride, how->is_left);
    }
    return;
  }
  struct draft *target = how->strategy == TRUNCATE_ONLY_FIRST ? self : pair;
  if (target == NULL) {
    fail_to_truncate(workspace, "only_second, and there is no second sequence");
  }
  const size_t removed = len - how->max_length;
  if (target->len <= removed) {
    fail_to_truncate(workspace, "the sequence is too short for what is to be removed");
  }
  draft_truncate(workspace, target, target->len - removed, how->stride, how->is_left);
}

/* Padding ---------------------------------------------------------------------------------------------------------- */

size_t padding_length(const struct padding *self, size_t longest) {
  const size_t length = self->is_fixed ? self->length : longest;
  const size_t more = self->multiple_of == 0 ? 0 : length % self->multiple_of;
  return more == 0 ? length : length + self->multiple_of - more;
}

void draft_pad(struct workspace *workspace, struct draft *self, size_t length, const struct padding *how) {
  for (size_t i = 0; i < self->overflowing.len; i++) {
    draft_pad(workspace, self->overflowing.data[i], length, how);
  }
  if (self->len >= length) {
    return;
  }
  const size_t more = length - self->len;
  make_room(workspace, self, more);
  struct entry *at = self->data + self->len;
  if (how->is_left) {
    memmove(self->data + more, self->data, self->len * sizeof *self->data);
    at = self->data;
    for (size_t i = 0; i < self->sequences_len; i++) {
      self->sequences[i].begin += more;
      self->sequences[i].end += more;
    }
  }
  for (size_t i = 0; i < more; i++) {
    at[i] = (struct entry){
        .id = how->id,
        .type_id = how->type_id,
        .word = -1,
        .is_special = true,
        .is_padding = true,
        .text = how->token,
        .text_len = how->token_len,
    };
  }
  self->len = length;
}
