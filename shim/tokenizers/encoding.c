/* Encodings: <ctorch/tokenizers/encoding.h>. */
#include "tokenizers/encoding.h"

#include <ctorch.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/sequence.h"
#include "core/c/error.h"
#include "core/c/object.h"

enum column {
  IDS,
  TYPE_IDS,
  WORD_IDS,
  SEQUENCE_IDS,
  ATTENTION_MASK,
  SPECIAL_TOKENS_MASK,
  STARTS,
  ENDS,
  BYTE_STARTS,
  BYTE_ENDS,
  COLUMNS_LEN
};

static const char *const COLUMNS[COLUMNS_LEN] = {
    "ids",    "type_ids", "word_ids",    "sequence_ids", "attention_mask", "special_tokens_mask",
    "starts", "ends",     "byte_starts", "byte_ends"};

/* The text of a token that is not the vocabulary's. */
struct own_text {
  size_t at, len; /* in `texts`; SIZE_MAX for the vocabulary's */
};

struct ctorch_encoding {
  struct token_model *model;
  size_t len;
  int64_t *data; /* column by column */
  struct own_text *own_texts;
  char *texts;
  bool is_one_sequence; /* of all tokens, whichever they are */
  ctorch_encoding **overflowing;
  size_t overflowing_len;
};

struct ctorch_encoding_batch {
  ctorch_encoding **data;
  size_t len;
};

static void finalize_encoding(void *object) {
  ctorch_encoding *self = object;
  object_unref(self->model);
  free(self->data);
  free(self->own_texts);
  free(self->texts);
  for (size_t i = 0; i < self->overflowing_len; i++) {
    object_unref(self->overflowing[i]);
  }
  free(self->overflowing);
}

static void finalize_batch(void *object) {
  ctorch_encoding_batch *self = object;
  for (size_t i = 0; i < self->len; i++) {
    object_unref(self->data[i]);
  }
  free(self->data);
}

static const object_class encoding_class = {"encoding", sizeof(ctorch_encoding), finalize_encoding};
static const object_class batch_class = {"encoding_batch", sizeof(ctorch_encoding_batch), finalize_batch};

void ctorch_encoding_retain(const ctorch_encoding *self) { object_retain(self); }
void ctorch_encoding_release(ctorch_encoding *self) { object_release(self); }
void ctorch_encoding_batch_retain(const ctorch_encoding_batch *self) { object_retain(self); }
void ctorch_encoding_batch_release(ctorch_encoding_batch *self) { object_release(self); }

/* Making ----------------------------------------------------------------------------------------------------------- */

static int64_t *column_of(const ctorch_encoding *self, enum column column) {
  return self->data + (size_t)column * self->len;
}

static void fill_sequences(const ctorch_encoding *self, const struct draft *draft) {
  int64_t *sequences = column_of(self, SEQUENCE_IDS);
  const size_t count = draft->sequences_len == 0 ? 1 : draft->sequences_len;
  for (size_t i = 0; i < self->len; i++) {
    sequences[i] = -1;
  }
  /* Those that have no tokens of their own count as having all. */
  for (size_t id = 0; id < count; id++) {
    size_t begin = 0, end = self->len;
    for (size_t i = 0; i < draft->sequences_len; i++) {
      if (draft->sequences[i].id == id) {
        begin = draft->sequences[i].begin;
        end = draft->sequences[i].end;
      }
    }
    for (size_t i = begin; i < end && i < self->len; i++) {
      sequences[i] = (int64_t)id;
    }
  }
}

static void fill(const ctorch_encoding *self, const struct draft *draft) {
  int64_t *data = self->data;
  const size_t len = self->len;
  for (size_t i = 0; i < len; i++) {
    const struct entry *entry = &draft->data[i];
    data[IDS * len + i] = entry->id;
    data[TYPE_IDS * len + i] = entry->type_id;
    data[WORD_IDS * len + i] = entry->word;
    data[ATTENTION_MASK * len + i] = !entry->is_padding;
    data[SPECIAL_TOKENS_MASK * len + i] = entry->is_special;
    data[STARTS * len + i] = entry->characters.begin;
    data[ENDS * len + i] = entry->characters.end;
    data[BYTE_STARTS * len + i] = entry->bytes.begin;
    data[BYTE_ENDS * len + i] = entry->bytes.end;
  }
  fill_sequences(self, draft);
}

static ctorch_error *copy_texts(const char *function, ctorch_encoding *self, const struct draft *draft) {
  size_t nbytes = 0;
  bool has_text = false;
  for (size_t i = 0; i < self->len; i++) {
    const struct entry *entry = &draft->data[i];
    has_text = has_text || entry->text != NULL;
    nbytes += entry->text == NULL ? 0 : entry->text_len + (size_t)1;
  }
  if (!has_text) {
    return NULL;
  }
  self->own_texts = malloc(self->len * sizeof *self->own_texts);
  self->texts = malloc(nbytes);
  if (self->own_texts == NULL || self->texts == NULL) {
    return error_memory(function, nbytes + self->len * sizeof *self->own_texts);
  }
  size_t at = 0;
  for (size_t i = 0; i < self->len; i++) {
    const struct entry *entry = &draft->data[i];
    self->own_texts[i] = (struct own_text){SIZE_MAX, 0};
    if (entry->text != NULL) {
      self->own_texts[i] = (struct own_text){at, entry->text_len};
      memcpy(self->texts + at, entry->text, entry->text_len);
      self->texts[at + entry->text_len] = '\0';
      at += entry->text_len + (size_t)1;
    }
  }
  return NULL;
}

static ctorch_error *copy(
    const char *function, ctorch_encoding *self, const struct draft *draft, const struct token_model *model) {
  self->model = object_ref(model);
  self->len = draft->len;
  self->data = malloc((draft->len * COLUMNS_LEN + 1) * sizeof *self->data);
  self->overflowing = calloc(draft->overflowing.len + 1, sizeof(ctorch_encoding *));
  if (self->data == NULL || self->overflowing == NULL) {
    return error_memory(function, draft->len * COLUMNS_LEN * sizeof *self->data);
  }
  self->is_one_sequence = draft->sequences_len == 0;
  fill(self, draft);
  CTORCH_TRY(copy_texts(function, self, draft));
  for (size_t i = 0; i < draft->overflowing.len; i++) {
    CTORCH_TRY(encoding_new(function, &self->overflowing[i], draft->overflowing.data[i], model));
    self->overflowing_len++;
  }
  return NULL;
}

ctorch_error *encoding_new(
    const char *function, ctorch_encoding **out, const struct draft *draft, const struct token_model *model) {
  ctorch_encoding *self = object_new(&encoding_class);
  ctorch_error *error = self == NULL ? error_memory(function, sizeof *self) : copy(function, self, draft, model);
  if (error != NULL) {
    object_unref(self);
    return error;
  }
  *out = self;
  return NULL;
}

/* What stands in a column for a token of padding. */
static int64_t padding_in(const ctorch_encoding *self, enum column column, const struct padding *how) {
  switch (column) {
    case IDS:
      return how->id;
    case TYPE_IDS:
      return how->type_id;
    case WORD_IDS:
      return -1;
    case SEQUENCE_IDS:
      return self->is_one_sequence ? 0 : -1;
    default:
      return column == SPECIAL_TOKENS_MASK;
  }
}

static ctorch_error *pad_texts(
    const char *function, ctorch_encoding *self, size_t length, size_t before, const struct padding *how) {
  size_t nbytes = 0;
  for (size_t i = 0; self->own_texts != NULL && i < self->len; i++) {
    const struct own_text *text = &self->own_texts[i];
    nbytes = text->at != SIZE_MAX && text->at + text->len + 1 > nbytes ? text->at + text->len + 1 : nbytes;
  }
  struct own_text *own_texts = malloc(length * sizeof *own_texts);
  char *texts = realloc(self->texts, nbytes + how->token_len + 1);
  self->texts = texts != NULL ? texts : self->texts;
  if (own_texts == NULL || texts == NULL) {
    free(own_texts);
    return error_memory(function, length * sizeof *own_texts);
  }
  memcpy(texts + nbytes, how->token, how->token_len);
  texts[nbytes + how->token_len] = '\0';
  for (size_t i = 0; i < length; i++) {
    const bool is_padding = i < before || i >= before + self->len;
    const struct own_text own =
        self->own_texts == NULL || is_padding ? (struct own_text){SIZE_MAX, 0} : self->own_texts[i - before];
    own_texts[i] = is_padding ? (struct own_text){nbytes, how->token_len} : own;
  }
  free(self->own_texts);
  self->own_texts = own_texts;
  return NULL;
}

ctorch_error *encoding_pad(const char *function, ctorch_encoding *self, size_t length, const struct padding *how) {
  for (size_t i = 0; i < self->overflowing_len; i++) {
    CTORCH_TRY(encoding_pad(function, self->overflowing[i], length, how));
  }
  if (self->len >= length) {
    return NULL;
  }
  const size_t before = how->is_left ? length - self->len : 0;
  int64_t *data = length > SIZE_MAX / 128 ? NULL : malloc(length * COLUMNS_LEN * sizeof *data);
  if (data == NULL) {
    return error_memory(function, length * COLUMNS_LEN * sizeof *data);
  }
  ctorch_error *error = pad_texts(function, self, length, before, how);
  if (error != NULL) {
    free(data);
    return error;
  }
  for (int column = 0; column < COLUMNS_LEN; column++) {
    const int64_t padding = padding_in(self, (enum column)column, how);
    int64_t *out = data + (size_t)column * length;
    for (size_t i = 0; i < length; i++) {
      const bool is_padding = i < before || i >= before + self->len;
      out[i] = is_padding ? padding : column_of(self, (enum column)column)[i - before];
    }
  }
  free(self->data);
  self->data = data;
  self->len = length;
  return NULL;
}

ctorch_error *encoding_batch_new(const char *function, ctorch_encoding_batch **out, size_t len) {
  ctorch_encoding_batch *self = object_new(&batch_class);
  if (self == NULL || (self->data = calloc(len + 1, sizeof(ctorch_encoding *))) == NULL) {
    object_unref(self);
    return error_memory(function, len * sizeof(ctorch_encoding *));
  }
  self->len = len;
  *out = self;
  return NULL;
}

ctorch_encoding **encoding_batch_data(ctorch_encoding_batch *self) { return self->data; }

ctorch_error *encoding_new_tensor(
    const char *function, ctorch_tensor **out, int64_t **out_data, const int64_t *sizes, size_t sizes_len) {
  size_t nbytes = sizeof(int64_t);
  for (size_t i = 0; i < sizes_len; i++) {
    nbytes *= (size_t)sizes[i];
  }
  ctorch_storage *storage = NULL;
  void *data = NULL;
  ctorch_error *error = ctorch_storage_new(&storage, nbytes);
  THEN(error, ctorch_storage_data(&data, storage));
  THEN(error, ctorch_tensor_from_storage(out, storage, 0, sizes, sizes_len, NULL, 0, CTORCH_DTYPE_INT64));
  ctorch_storage_release(storage);
  *out_data = data;
  return error_of(function, error);
}

/* Reading ---------------------------------------------------------------------------------------------------------- */

size_t ctorch_encoding_len(const ctorch_encoding *self) { return self == NULL ? 0 : self->len; }

static ctorch_error *find_column(const char *function, enum column *out, const char *name) {
  if (name == NULL) {
    return error_null(function, "name");
  }
  for (int i = 0; i < COLUMNS_LEN; i++) {
    if (strcmp(COLUMNS[i], name) == 0) {
      *out = (enum column)i;
      return NULL;
    }
  }
  return error_argument(function, "name", "expected ids, type_ids, attention_mask, …, got \"%.40s\"", name);
}

ctorch_error *ctorch_encoding_column(
    const int64_t **out, size_t *out_len, const ctorch_encoding *self, const char *name) {
  CTORCH_TRY(error_refusal(__func__));
  enum column column = IDS;
  if (out == NULL || out_len == NULL || self == NULL) {
    return error_null(__func__, out == NULL ? "out" : out_len == NULL ? "out_len" : "self");
  }
  CTORCH_TRY(find_column(__func__, &column, name));
  *out = column_of(self, column);
  *out_len = self->len;
  return NULL;
}

ctorch_error *ctorch_encoding_token(const char **out, size_t *out_len, const ctorch_encoding *self, size_t index) {
  CTORCH_TRY(error_refusal(__func__));
  if (out == NULL || out_len == NULL || self == NULL) {
    return error_null(__func__, out == NULL ? "out" : out_len == NULL ? "out_len" : "self");
  }
  if (index >= self->len) {
    return error_make(__func__, CTORCH_ERROR_INDEX, "index %zu of %zu tokens", index, self->len);
  }
  if (self->own_texts != NULL && self->own_texts[index].at != SIZE_MAX) {
    *out = self->texts + self->own_texts[index].at;
    *out_len = self->own_texts[index].len;
    return NULL;
  }
  const struct vocabulary *vocabulary = &self->model->vocabulary;
  const struct vocabulary_token *token = vocabulary_of_id(vocabulary, (uint32_t)column_of(self, IDS)[index]);
  *out = token == NULL ? "" : vocabulary_text(vocabulary, token);
  *out_len = token == NULL ? 0 : token->len;
  return NULL;
}

size_t ctorch_encoding_overflowing_len(const ctorch_encoding *self) { return self == NULL ? 0 : self->overflowing_len; }

ctorch_error *ctorch_encoding_overflowing(ctorch_encoding **out, const ctorch_encoding *self, size_t index) {
  CTORCH_TRY(error_refusal(__func__));
  if (out == NULL || self == NULL) {
    return error_null(__func__, out == NULL ? "out" : "self");
  }
  if (index >= self->overflowing_len) {
    return error_make(
        __func__, CTORCH_ERROR_INDEX, "index %zu of %zu parts that overflow", index, self->overflowing_len);
  }
  return object_give(__func__, out, object_ref(self->overflowing[index]));
}

ctorch_error *ctorch_encoding_tensor(ctorch_tensor **out, const ctorch_encoding *self, const char *name) {
  CTORCH_TRY(error_refusal(__func__));
  enum column column = IDS;
  if (out == NULL || self == NULL) {
    return error_null(__func__, out == NULL ? "out" : "self");
  }
  CTORCH_TRY(find_column(__func__, &column, name));
  int64_t *data = NULL;
  const int64_t size = (int64_t)self->len;
  ctorch_tensor *tensor = NULL;
  CTORCH_TRY(encoding_new_tensor(__func__, &tensor, &data, &size, 1));
  if (self->len > 0) {
    memcpy(data, column_of(self, column), self->len * sizeof *data);
  }
  *out = tensor;
  return NULL;
}

/* Batches ---------------------------------------------------------------------------------------------------------- */

size_t ctorch_encoding_batch_len(const ctorch_encoding_batch *self) { return self == NULL ? 0 : self->len; }

ctorch_error *ctorch_encoding_batch_at(ctorch_encoding **out, const ctorch_encoding_batch *self, size_t index) {
  CTORCH_TRY(error_refusal(__func__));
  if (out == NULL || self == NULL) {
    return error_null(__func__, out == NULL ? "out" : "self");
  }
  if (index >= self->len) {
    return error_make(__func__, CTORCH_ERROR_INDEX, "index %zu of %zu encodings", index, self->len);
  }
  return object_give(__func__, out, object_ref(self->data[index]));
}

ctorch_error *ctorch_encoding_batch_tensor(
    ctorch_tensor **out, const ctorch_encoding_batch *self, const char *name, int64_t fill_value) {
  CTORCH_TRY(error_refusal(__func__));
  enum column column = IDS;
  if (out == NULL || self == NULL) {
    return error_null(__func__, out == NULL ? "out" : "self");
  }
  CTORCH_TRY(find_column(__func__, &column, name));
  size_t longest = 0;
  for (size_t i = 0; i < self->len; i++) {
    longest = self->data[i]->len > longest ? self->data[i]->len : longest;
  }
  const int64_t sizes[] = {(int64_t)self->len, (int64_t)longest};
  if (longest > 0 && self->len > (size_t)INT64_MAX / sizeof(int64_t) / longest) {
    return error_memory(__func__, UINT64_MAX);
  }
  int64_t *data = NULL;
  ctorch_tensor *tensor = NULL;
  CTORCH_TRY(encoding_new_tensor(__func__, &tensor, &data, sizes, 2));
  for (size_t i = 0; i < self->len; i++) {
    const ctorch_encoding *encoding = self->data[i];
    for (size_t j = 0; j < longest; j++) {
      data[i * longest + j] = j < encoding->len ? column_of(encoding, column)[j] : fill_value;
    }
  }
  *out = tensor;
  return NULL;
}
