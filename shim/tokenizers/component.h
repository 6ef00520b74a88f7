/* Parts of a tokenizer, as its JSON describes them: normalizers, pre-tokenizers, decoders and the processors of what
 * was encoded. A part is a tree: a Sequence has parts. A type that is not known is refused by its name. */
#ifndef CTORCH_SHIM_TOKENIZERS_COMPONENT_H
#define CTORCH_SHIM_TOKENIZERS_COMPONENT_H

#include "io/json_read.h"
#include "tokenizers/aligned.h"

#if CTORCH_HAS_JANSSON
/* What a description is read with. */
struct description {
  const char *function;
  const char *place; /* "normalizer" */
  const json_t *json;
};

/* FORMAT: "<place>: <message>". */
ctorch_error *description_error(const struct description *self, const char *format, ...)
    __attribute__((format(printf, 2, 3), warn_unused_result));
/* The "type" of what stands there; NULL if it has none. */
const char *description_type(const struct description *self);
/* FORMAT for another type than what is asked for; a member that is not there leaves what `out` holds, unless it is
 * `needed`. */
ctorch_error *description_bool(const struct description *self, bool *out, const char *key, bool is_needed)
    __attribute__((warn_unused_result));
ctorch_error *description_text(
    const struct description *self, const char **out, size_t *out_len, const char *key, bool is_needed)
    __attribute__((warn_unused_result));
ctorch_error *description_number(const struct description *self, uint32_t *out, const char *key, bool is_needed)
    __attribute__((warn_unused_result));
/* Its one character. */
ctorch_error *description_character(const struct description *self, uint32_t *out, const char *key)
    __attribute__((warn_unused_result));
/* "pattern": {"String": …} or {"Regex": …}. */
ctorch_error *description_pattern(const struct description *self, struct pattern **out)
    __attribute__((warn_unused_result));
ctorch_error *description_behavior(const struct description *self, enum behavior *out, bool is_needed)
    __attribute__((warn_unused_result));

/* Where a type stands among `names`; UNSUPPORTED names it. */
ctorch_error *description_kind(const struct description *self, int *out, const char *const *names, size_t names_len)
    __attribute__((warn_unused_result));

struct normalizer;
struct pre_tokenizer;
struct decoder;

ctorch_error *normalizer_new(struct normalizer **out, const struct description *description)
    __attribute__((warn_unused_result));
ctorch_error *pre_tokenizer_new(struct pre_tokenizer **out, const struct description *description)
    __attribute__((warn_unused_result));
ctorch_error *decoder_new(struct decoder **out, const struct description *description)
    __attribute__((warn_unused_result));
#endif

void normalizer_free(struct normalizer *self);
void normalizer_run(struct workspace *workspace, const struct normalizer *self, struct piece *piece);

void pre_tokenizer_free(struct pre_tokenizer *self);
/* Divide the pieces that are no added tokens. With `leaves_bytes`, a ByteLevel that comes last leaves the bytes to the
 * model, as they are. */
void pre_tokenizer_run(
    struct workspace *workspace, const struct pre_tokenizer *self, struct pieces *pieces, bool leaves_bytes);
/* Whether what comes last is a ByteLevel. */
bool pre_tokenizer_is_byte_level(const struct pre_tokenizer *self);

/* Texts of tokens on their way to one text. */
struct token_text {
  const char *data;
  size_t len;
};
struct token_texts {
  struct token_text *data;
  size_t len, capacity;
};
void decoder_free(struct decoder *self);
void decoder_run(struct workspace *workspace, const struct decoder *self, struct token_texts *tokens);

#endif
