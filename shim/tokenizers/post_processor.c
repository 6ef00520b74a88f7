/* Processors of what was encoded: the special tokens around sequences. Facts from the tokenizers library's
 * processors. */
#include <ctorch.h>
#include <stdlib.h>
#include <string.h>

#include "core/c/error.h"
#include "tokenizers/character.h"
#include "tokenizers/draft.h"

enum kind { SEQUENCE, TEMPLATE, BERT, ROBERTA, BYTE_LEVEL, KINDS_LEN };

/* Tokens that a template's word stands for. */
struct special {
  char *name;
  size_t name_len;
  uint32_t *ids;
  char **texts;
  size_t *texts_len;
  size_t len;
};

struct template_piece {
  bool is_sequence;
  uint32_t sequence, type_id;
  size_t special; /* which one */
};

struct template {
  struct template_piece *pieces;
  size_t len;
};

struct post_processor {
  enum kind kind;
  struct post_processor **parts; /* of a sequence */
  size_t parts_len;
  struct special *specials; /* of a template; of the others: sep, cls */
  size_t specials_len;
  struct template single, pair;
  bool trim_offsets, add_prefix_space;
};

void post_processor_free(struct post_processor *self) {
  if (self == NULL) {
    return;
  }
  for (size_t i = 0; i < self->parts_len; i++) {
    post_processor_free(self->parts[i]);
  }
  for (size_t i = 0; i < self->specials_len; i++) {
    struct special *special = &self->specials[i];
    for (size_t j = 0; special->texts != NULL && j < special->len; j++) {
      free(special->texts[j]);
    }
    free(special->name);
    free(special->ids);
    free(special->texts);
    free(special->texts_len);
  }
  free(self->specials);
  free(self->single.pieces);
  free(self->pair.pieces);
  free(self->parts);
  free(self);
}

/* Reading ---------------------------------------------------------------------------------------------------------- */

#if CTORCH_HAS_JANSSON
static char *copy_of(const json_t *text, size_t *len) {
  *len = json_string_length(text);
  char *copy = malloc(*len + 1);
  return copy == NULL ? NULL : memcpy(copy, json_string_value(text), *len + 1);
}

static bool is_id(const json_t *json) {
  return json_is_integer(json) && json_integer_value(json) >= 0 && json_integer_value(json) < UINT32_MAX;
}

/* Tokens from a list of ids and one of texts; with NULL for the lists, one of each. */
static ctorch_error *read_special(
    struct special *self, const struct description *description, const json_t *ids, const json_t *texts) {
  const bool is_list = json_is_array(ids);
  const size_t len = is_list ? json_array_size(ids) : 1;
  if (is_list && (!json_is_array(texts) || json_array_size(texts) != len)) {
    return description_error(description, "\"ids\" and \"tokens\" are no lists of one length");
  }
  self->ids = calloc(len + 1, sizeof *self->ids);
  self->texts = calloc(len + 1, sizeof *self->texts);
  self->texts_len = calloc(len + 1, sizeof *self->texts_len);
  if (self->ids == NULL || self->texts == NULL || self->texts_len == NULL) {
    return error_memory(description->function, len * sizeof *self->texts);
  }
  for (size_t i = 0; i < len; i++) {
    const json_t *id = is_list ? json_array_get(ids, i) : ids, *text = is_list ? json_array_get(texts, i) : texts;
    if (!is_id(id) || !json_is_string(text)) {
      return description_error(description, "a special token without an id or a text");
    }
    self->ids[i] = (uint32_t)json_integer_value(id);
    self->texts[i] = copy_of(text, &self->texts_len[i]);
    self->len = i + 1;
    if (self->texts[i] == NULL) {
      return error_memory(description->function, self->texts_len[i]);
    }
  }
  return NULL;
}

static ctorch_error *read_specials(struct post_processor *self, const struct description *description) {
  json_t *all = json_object_get(description->json, "special_tokens");
  if (!json_is_object(all)) {
    return description_error(description, "TemplateProcessing: expected an object as \"special_tokens\"");
  }
  self->specials = calloc(json_object_size(all) + 1, sizeof *self->specials);
  if (self->specials == NULL) {
    return error_memory(description->function, json_object_size(all) * sizeof *self->specials);
  }
  for (void *at = json_object_iter(all); at != NULL; at = json_object_iter_next(all, at)) {
    struct special *special = &self->specials[self->specials_len++];
    const json_t *json = json_object_iter_value(at), *ids = json_object_get(json, "ids");
    special->name_len = json_object_iter_key_len(at);
    special->name = malloc(special->name_len + 1);
    if (special->name == NULL) {
      return error_memory(description->function, special->name_len);
    }
    memcpy(special->name, json_object_iter_key(at), special->name_len + 1);
    if (!json_is_array(ids)) {
      return description_error(description, "TemplateProcessing: a special token without a list as \"ids\"");
    }
    CTORCH_TRY(read_special(special, description, ids, json_object_get(json, "tokens")));
  }
  return NULL;
}

static ctorch_error *find_special(
    const struct post_processor *self, const struct description *description, const json_t *name, size_t *out) {
  for (size_t i = 0; i < self->specials_len; i++) {
    const struct special *special = &self->specials[i];
    if (json_string_length(name) == special->name_len &&
        memcmp(json_string_value(name), special->name, special->name_len) == 0) {
      *out = i;
      return NULL;
    }
  }
  return description_error(
      description, "TemplateProcessing: \"%.64s\" is not among the special tokens", json_string_value(name));
}

static ctorch_error *read_piece(
    const struct post_processor *self,
    const struct description *description,
    struct template_piece *piece,
    const json_t *json) {
  const json_t *sequence = json_object_get(json, "Sequence"), *special = json_object_get(json, "SpecialToken");
  const json_t *body = sequence != NULL ? sequence : special;
  const json_t *id = json_object_get(body, "id"), *type_id = json_object_get(body, "type_id");
  if (!json_is_string(id) || !is_id(type_id)) {
    return description_error(description, "TemplateProcessing: a piece without \"id\" or \"type_id\"");
  }
  piece->type_id = (uint32_t)json_integer_value(type_id);
  piece->is_sequence = sequence != NULL;
  if (!piece->is_sequence) {
    return find_special(self, description, id, &piece->special);
  }
  piece->sequence = strcmp(json_string_value(id), "B") == 0;
  if (piece->sequence == 0 && strcmp(json_string_value(id), "A") != 0) {
    return description_error(description, "TemplateProcessing: expected A or B as the id of a sequence");
  }
  return NULL;
}

static ctorch_error *read_template(
    struct post_processor *self, const struct description *description, struct template *out, const char *key) {
  const json_t *list = json_object_get(description->json, key);
  if (!json_is_array(list)) {
    return description_error(description, "TemplateProcessing: expected a list as \"%s\"", key);
  }
  out->len = json_array_size(list);
  out->pieces = calloc(out->len + 1, sizeof *out->pieces);
  if (out->pieces == NULL) {
    return error_memory(description->function, out->len * sizeof *out->pieces);
  }
  for (size_t i = 0; i < out->len; i++) {
    CTORCH_TRY(read_piece(self, description, &out->pieces[i], json_array_get(list, i)));
  }
  return NULL;
}

static ctorch_error *read_sep_and_cls(struct post_processor *self, const struct description *description) {
  static const char *const KEYS[] = {"sep", "cls"};
  self->specials = calloc(2, sizeof *self->specials);
  if (self->specials == NULL) {
    return error_memory(description->function, 2 * sizeof *self->specials);
  }
  for (size_t i = 0; i < 2; i++) {
    const json_t *pair = json_object_get(description->json, KEYS[i]);
    self->specials_len = i + 1;
    CTORCH_TRY(read_special(&self->specials[i], description, json_array_get(pair, 1), json_array_get(pair, 0)));
  }
  return NULL;
}

static ctorch_error *read_parts(struct post_processor *self, const struct description *description) {
  const json_t *list = json_object_get(description->json, "processors");
  if (!json_is_array(list)) {
    return description_error(description, "Sequence: expected a list as \"processors\"");
  }
  self->parts = calloc(json_array_size(list) + 1, sizeof(struct post_processor *));
  if (self->parts == NULL) {
    return error_memory(description->function, json_array_size(list) * sizeof(struct post_processor *));
  }
  for (size_t i = 0; i < json_array_size(list); i++) {
    const struct description part = {description->function, description->place, json_array_get(list, i)};
    CTORCH_TRY(post_processor_new(&self->parts[i], &part));
    self->parts_len++;
  }
  return NULL;
}

static ctorch_error *read_members(struct post_processor *self, const struct description *description) {
  switch (self->kind) {
    case SEQUENCE:
      return read_parts(self, description);
    case TEMPLATE:
      CTORCH_TRY(read_specials(self, description));
      CTORCH_TRY(read_template(self, description, &self->single, "single"));
      return read_template(self, description, &self->pair, "pair");
    case BERT:
      return read_sep_and_cls(self, description);
    default:
      CTORCH_TRY(description_bool(description, &self->trim_offsets, "trim_offsets", true));
      CTORCH_TRY(description_bool(description, &self->add_prefix_space, "add_prefix_space", true));
      return self->kind == ROBERTA ? read_sep_and_cls(self, description) : NULL;
  }
}

ctorch_error *post_processor_new(struct post_processor **out, const struct description *description) {
  static const char *const NAMES[KINDS_LEN] = {
      "Sequence", "TemplateProcessing", "BertProcessing", "RobertaProcessing", "ByteLevel"};
  int kind = 0;
  CTORCH_TRY(description_kind(description, &kind, NAMES, KINDS_LEN));
  struct post_processor *self = calloc(1, sizeof *self);
  if (self == NULL) {
    return error_memory(description->function, sizeof *self);
  }
  self->kind = (enum kind)kind;
  ctorch_error *error = read_members(self, description);
  if (error != NULL) {
    post_processor_free(self);
    return error;
  }
  *out = self;
  return NULL;
}
#endif

/* Running ---------------------------------------------------------------------------------------------------------- */

uint32_t post_processor_added(const struct post_processor *self, bool is_pair) {
  uint32_t added = 0;
  if (self == NULL) {
    return 0;
  }
  const struct template *template = is_pair ? &self->pair : &self->single;
  switch (self->kind) {
    case SEQUENCE:
      for (size_t i = 0; i < self->parts_len; i++) {
        added += post_processor_added(self->parts[i], is_pair);
      }
      return added;
    case TEMPLATE:
      for (size_t i = 0; i < template->len; i++) {
        added += template->pieces[i].is_sequence ? 0 : (uint32_t)self->specials[template->pieces[i].special].len;
      }
      return added;
    case BERT:
      return is_pair ? 3 : 2;
    case ROBERTA:
      return is_pair ? 4 : 2;
    default:
      return 0;
  }
}

static struct draft *draft_of_special(struct workspace *workspace, const struct special *special, uint32_t type_id) {
  struct draft *draft = draft_new(workspace);
  for (size_t i = 0; i < special->len; i++) {
    const struct entry entry = {
        .id = special->ids[i],
        .type_id = type_id,
        .word = -1,
        .is_special = true,
        .text = special->texts[i],
        .text_len = (uint32_t)special->texts_len[i],
    };
    WORKSPACE_PUSH(workspace, draft, entry);
  }
  return draft;
}

static void run_template(
    struct workspace *workspace, const struct post_processor *self, struct drafts *drafts, bool add_special_tokens) {
  const struct template *template = drafts->len == 1 ? &self->single : &self->pair;
  struct drafts out = {.data = NULL};
  if (drafts->len > 2) {
    workspace_fail(
        workspace, error_make(
                       workspace->function, CTORCH_ERROR_VALUE,
                       "post_processor: TemplateProcessing behind another processor that adds tokens"));
  }
  for (size_t i = 0; i < template->len; i++) {
    const struct template_piece *piece = &template->pieces[i];
    if (!piece->is_sequence) {
      if (add_special_tokens) {
        struct draft *special = draft_of_special(workspace, &self->specials[piece->special], piece->type_id);
        WORKSPACE_PUSH(workspace, &out, special);
      }
      continue;
    }
    if (piece->sequence >= drafts->len) {
      workspace_fail(
          workspace, error_make(
                         workspace->function, CTORCH_ERROR_VALUE,
                         "post_processor: TemplateProcessing for one sequence asks for a second one"));
    }
    struct draft *draft = drafts->data[piece->sequence];
    draft_set_type_ids(draft, piece->type_id);
    draft_set_sequence(workspace, draft, piece->sequence);
    struct draft *copy = draft_copy(workspace, draft);
    copy->overflowing = draft->overflowing;
    WORKSPACE_PUSH(workspace, &out, copy);
  }
  *drafts = out;
}

/* A draft between special tokens, which are of no sequence. */
static struct draft *surround(
    struct workspace *workspace,
    const struct draft *draft,
    const struct special *before,
    const struct special *behind,
    uint32_t type_id,
    uint32_t sequence) {
  struct draft *out = before == NULL ? draft_new(workspace) : draft_of_special(workspace, before, type_id);
  struct draft bare = *draft;
  bare.sequences_len = 0;
  bare.overflowing = (struct drafts){.data = NULL};
  const size_t begin = out->len;
  draft_merge(workspace, out, &bare);
  const size_t end = out->len;
  draft_merge(workspace, out, draft_of_special(workspace, behind, type_id));
  draft_set_sequence(workspace, out, sequence);
  out->sequences[0].begin = begin;
  out->sequences[0].end = end;
  return out;
}

static void run_sep_and_cls(
    struct workspace *workspace, const struct post_processor *self, struct drafts *drafts, bool is_roberta) {
  const struct special *sep = &self->specials[0], *cls = &self->specials[1];
  for (size_t i = 0; i < drafts->len; i++) {
    struct draft *draft = drafts->data[i];
    const struct special *before = i == 0 ? cls : is_roberta ? sep : NULL;
    const uint32_t type_id = i == 0 || is_roberta ? 0 : 1, sequence = i == 0 ? 0 : 1;
    struct draft *out = surround(workspace, draft, before, sep, type_id, sequence);
    for (size_t j = 0; j < draft->overflowing.len; j++) {
      if (is_roberta) {
        draft_set_type_ids(draft->overflowing.data[j], 0);
      }
      struct draft *part = surround(workspace, draft->overflowing.data[j], before, sep, type_id, sequence);
      WORKSPACE_PUSH(workspace, &out->overflowing, part);
    }
    drafts->data[i] = out;
  }
}

/* U+0120 is the byte-level space. */
static bool is_space(uint32_t c) { return c == 0x120 || character_is_space(c); }

static struct offsets trim(struct offsets offsets, uint32_t leading, uint32_t trailing) {
  if (leading > 0) {
    offsets.begin = offsets.begin + leading < offsets.end ? offsets.begin + leading : offsets.end;
  }
  if (trailing > 0 && offsets.end >= trailing) {
    offsets.end = offsets.end - trailing > offsets.begin ? offsets.end - trailing : offsets.begin;
  }
  return offsets;
}

static void trim_entry(const struct token_model *model, struct entry *entry, bool is_first, bool add_prefix_space) {
  const struct vocabulary_token *token = entry->text == NULL ? vocabulary_of_id(&model->vocabulary, entry->id) : NULL;
  const char *text = token == NULL ? entry->text : vocabulary_text(&model->vocabulary, token);
  const size_t len = token == NULL ? entry->text_len : token->len;
  if (text == NULL) {
    return;
  }
  uint32_t leading = 0, trailing = 0;
  for (size_t at = 0; at < len && is_space(utf8_decode(text + at)); at += utf8_len_from(text[at])) {
    leading++;
  }
  for (size_t end = len; end > 0;) {
    size_t last = end - 1;
    while (last > 0 && utf8_continues(text[last])) {
      last--;
    }
    if (!is_space(utf8_decode(text + last))) {
      break;
    }
    trailing++;
    end = last;
  }
  const bool keeps = add_prefix_space && leading == 1;
  entry->bytes = trim(entry->bytes, keeps && (is_first || entry->bytes.begin == 0) ? 0 : leading, trailing);
  entry->characters =
      trim(entry->characters, keeps && (is_first || entry->characters.begin == 0) ? 0 : leading, trailing);
}

static void trim_offsets(const struct token_model *model, struct draft *draft, bool add_prefix_space) {
  for (size_t i = 0; i < draft->len; i++) {
    trim_entry(model, &draft->data[i], i == 0, add_prefix_space);
  }
}

static void trim_all(const struct post_processor *self, const struct token_model *model, struct drafts *drafts) {
  for (size_t i = 0; self->trim_offsets && i < drafts->len; i++) {
    trim_offsets(model, drafts->data[i], self->add_prefix_space);
    for (size_t j = 0; j < drafts->data[i]->overflowing.len; j++) {
      trim_offsets(model, drafts->data[i]->overflowing.data[j], self->add_prefix_space);
    }
  }
}

static void run(
    struct workspace *workspace,
    const struct post_processor *self,
    const struct token_model *model,
    struct drafts *drafts,
    bool add_special_tokens) {
  switch (self->kind) {
    case SEQUENCE:
      for (size_t i = 0; i < self->parts_len; i++) {
        run(workspace, self->parts[i], model, drafts, add_special_tokens);
      }
      break;
    case TEMPLATE:
      run_template(workspace, self, drafts, add_special_tokens);
      break;
    case BERT:
      if (add_special_tokens) {
        run_sep_and_cls(workspace, self, drafts, false);
      }
      break;
    case ROBERTA:
      trim_all(self, model, drafts);
      for (size_t i = 0; i < drafts->len; i++) {
        draft_set_type_ids(drafts->data[i], 0);
      }
      if (add_special_tokens) {
        run_sep_and_cls(workspace, self, drafts, true);
      }
      break;
    default:
      trim_all(self, model, drafts);
      for (size_t i = 0; i < drafts->len; i++) {
        draft_set_sequence(workspace, drafts->data[i], (uint32_t)i);
      }
  }
}

static struct draft *merge_all(struct workspace *workspace, const struct drafts *drafts) {
  if (drafts->len == 1) {
    return drafts->data[0];
  }
  struct draft *merged = draft_new(workspace);
  for (size_t i = 0; i < drafts->len; i++) {
    draft_merge(workspace, merged, drafts->data[i]);
  }
  return merged;
}

struct draft *post_processor_run(
    struct workspace *workspace,
    const struct post_processor *self,
    const struct token_model *model,
    struct draft *draft,
    struct draft *pair,
    bool add_special_tokens) {
  struct drafts drafts = {.data = NULL};
  WORKSPACE_PUSH(workspace, &drafts, draft);
  if (pair != NULL) {
    WORKSPACE_PUSH(workspace, &drafts, pair);
  }
  for (uint32_t i = 0; i < drafts.len && (self != NULL || pair != NULL); i++) {
    draft_set_sequence(workspace, drafts.data[i], i);
    for (size_t j = 0; self != NULL && j < drafts.data[i]->overflowing.len; j++) {
      draft_set_sequence(workspace, drafts.data[i]->overflowing.data[j], i);
    }
    if (self != NULL) {
      draft_set_type_ids(drafts.data[i], i);
    }
  }
  if (self != NULL) {
    run(workspace, self, model, &drafts, add_special_tokens);
  }
  return merge_all(workspace, &drafts);
}
