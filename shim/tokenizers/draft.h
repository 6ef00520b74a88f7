/* Drafts: encodings while they are made, in a workspace. What is done to one is what the tokenizers library's Encoding
 * does, with all that it remembers: which tokens are of which sequence, and what truncation cut off. */
#ifndef CTORCH_SHIM_TOKENIZERS_DRAFT_H
#define CTORCH_SHIM_TOKENIZERS_DRAFT_H

#include "tokenizers/aligned.h"
#include "tokenizers/component.h"
#include "tokenizers/model.h"

struct entry {
  uint32_t id, type_id;
  int64_t word; /* -1 for none */
  bool is_special, is_padding;
  struct offsets bytes, characters;
  const char *text; /* NULL: the vocabulary's */
  uint32_t text_len;
};

/* Which tokens are of a sequence. */
struct sequence {
  uint32_t id;
  size_t begin, end;
};

struct draft;
struct drafts {
  struct draft **data;
  size_t len, capacity;
};

struct draft {
  struct entry *data;
  size_t len, capacity;
  struct sequence *sequences;
  size_t sequences_len;
  struct drafts overflowing;
};

struct truncation {
  bool is_on, is_left;
  enum { TRUNCATE_LONGEST_FIRST, TRUNCATE_ONLY_FIRST, TRUNCATE_ONLY_SECOND } strategy;
  uint32_t max_length, stride;
};

struct padding {
  bool is_on, is_left, is_fixed;
  uint32_t length, multiple_of, id, type_id; /* multiple_of 0: any */
  char *token;
  uint32_t token_len;
};

struct draft *draft_new(struct workspace *workspace);
/* Which all of its tokens are of. */
void draft_set_sequence(struct workspace *workspace, struct draft *self, uint32_t id);
void draft_set_type_ids(struct draft *self, uint32_t type_id);
/* A copy of its tokens, without what was cut off. */
struct draft *draft_copy(struct workspace *workspace, const struct draft *self);
/* Put another one behind it, and each part that was cut off of one beside each of the other. */
void draft_merge(struct workspace *workspace, struct draft *self, const struct draft *other);
void draft_truncate(struct workspace *workspace, struct draft *self, size_t max_length, size_t stride, bool is_left);
/* `pair` may be NULL. RUNTIME where a sequence is too short for what is to be removed. */
void draft_truncate_pair(
    struct workspace *workspace, struct draft *self, struct draft *pair, const struct truncation *how);
void draft_pad(struct workspace *workspace, struct draft *self, size_t length, const struct padding *how);
/* To which length drafts are padded whose longest is so long. */
size_t padding_length(const struct padding *self, size_t longest);

struct post_processor;
#if CTORCH_HAS_JANSSON
ctorch_error *post_processor_new(struct post_processor **out, const struct description *description)
    __attribute__((warn_unused_result));
#endif
void post_processor_free(struct post_processor *self);
/* How many tokens it adds. */
uint32_t post_processor_added(const struct post_processor *self, bool is_pair);
/* What becomes of one or two drafts; `self` may be NULL. */
struct draft *post_processor_run(
    struct workspace *workspace,
    const struct post_processor *self,
    const struct token_model *model,
    struct draft *draft,
    struct draft *pair,
    bool add_special_tokens);

#endif
