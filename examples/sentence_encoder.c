/* A sentence's vector: BERT (Devlin et al. 2019, arXiv:1810.04805) makes a vector of each piece of it; their mean, scaled
 * to length 1. The weights stay where they lie in the file, mapped to memory. */
#include "sentence_encoder.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lines.h"

enum { BATCH = 32, PATH = 4096, NAME = 128 };

/* Where BERT's parts are in a TransformerEncoderLayer, which has the three projections of its attention in one. */
static const char *const layer_parts[][2] = {
    {"self_attn.out_proj", "attention.output.dense"},
    {"norm1", "attention.output.LayerNorm"},
    {"linear1", "intermediate.dense"},
    {"linear2", "output.dense"},
    {"norm2", "output.LayerNorm"},
};

static ctorch_error *path_of(char out[PATH], const char *folder, const char *name) {
  const int len = snprintf(out, PATH, "%s/%s", folder, name);
  return len >= 0 && len < PATH ? NULL : ctorch_error_format(CTORCH_ERROR_IO, "%s: a name too long", folder);
}

/* A number of a JSON file, which is one object of plain values with a key a line. */
static ctorch_error *read_number(double *out, const char *folder, const char *name, const char *key) {
  char path[PATH], quoted[NAME];
  lines read;
  CTORCH_TRY(path_of(path, folder, name));
  snprintf(quoted, sizeof quoted, "\"%s\":", key);
  ctorch_error *error = lines_read(&read, path);
  bool found = false;
  for (size_t i = 0; error == NULL && i < read.len && !found; i++) {
    char *at = strstr(read.texts[i], quoted), *end = at == NULL ? NULL : at + strlen(quoted);
    if (at != NULL) {
      *out = strtod(at + strlen(quoted), &end);
      found = end > at + strlen(quoted);
    }
  }
  lines_free(&read);
  return error != NULL || found ? error : ctorch_error_format(CTORCH_ERROR_FORMAT, "%s: no number %s", path, key);
}

/* A state dict of ours, and the file that it is filled from. */
typedef struct loading {
  const ctorch_weights *file;
  ctorch_value *state;
} loading;

static ctorch_error *put(const loading *self, const char *name, const ctorch_tensor *tensor) {
  ctorch_value *value;
  CTORCH_TRY(ctorch_value_from_tensor(&value, tensor));
  return ctorch_value_dict_put(self->state, name, value);
}

/* "weight", "bias" or both of a part. */
static ctorch_error *take(const loading *self, const char *ours, const char *theirs, bool bias) {
  for (int i = 0; i < (bias ? 2 : 1); i++) {
    const char *const kind = i == 0 ? "weight" : "bias";
    char to[NAME], from[NAME];
    ctorch_tensor *tensor;
    snprintf(to, sizeof to, "%s.%s", ours, kind);
    snprintf(from, sizeof from, "%s.%s", theirs, kind);
    CTORCH_TRY(ctorch_weights_tensor(&tensor, self->file, from));
    CTORCH_TRY(put(self, to, tensor));
  }
  return NULL;
}

static ctorch_error *take_layer(const loading *self, int64_t layer) {
  const char *const projections[] = {"query", "key", "value"};
  char to[NAME], from[NAME];
  for (size_t i = 0; i < sizeof layer_parts / sizeof *layer_parts; i++) {
    snprintf(to, sizeof to, "encoder.layers.%d.%s", (int)layer, layer_parts[i][0]);
    snprintf(from, sizeof from, "encoder.layer.%d.%s", (int)layer, layer_parts[i][1]);
    CTORCH_TRY(take(self, to, from, true));
  }
  for (int kind = 0; kind < 2; kind++) {
    ctorch_tensor *parts[3], *joined;
    for (int i = 0; i < 3; i++) {
      snprintf(
          from, sizeof from, "encoder.layer.%d.attention.self.%s.%s", (int)layer, projections[i],
          kind == 0 ? "weight" : "bias");
      CTORCH_TRY(ctorch_weights_tensor(&parts[i], self->file, from));
    }
    CTORCH_TRY(ctorch_aten_cat(&joined, CTORCH_TENSORS(parts[0], parts[1], parts[2]), 0));
    snprintf(to, sizeof to, "encoder.layers.%d.self_attn.in_proj_%s", (int)layer, kind == 0 ? "weight" : "bias");
    CTORCH_TRY(put(self, to, joined));
  }
  return NULL;
}

static ctorch_error *take_all(const loading *self, int64_t layers) {
  CTORCH_TRY(take(self, "words", "embeddings.word_embeddings", false));
  CTORCH_TRY(take(self, "places", "embeddings.position_embeddings", false));
  CTORCH_TRY(take(self, "kinds", "embeddings.token_type_embeddings", false));
  CTORCH_TRY(take(self, "norm", "embeddings.LayerNorm", true));
  for (int64_t i = 0; i < layers; i++) {
    CTORCH_TRY(take_layer(self, i));
  }
  return NULL;
}

static ctorch_error *embedding(ctorch_module **out, double count, double width) {
  return ctorch_nn_Embedding(
      out, (int64_t)count, (int64_t)width, NULL, NULL, 2.0, false, false, NULL, false, NULL, NULL);
}

static ctorch_error *network_new(sentence_encoder *out, int64_t *out_layers, const char *folder) {
  enum { WORDS, PLACES, KINDS, WIDTH, LAYERS, HEADS, WIDE, EPS, LEN };
  static const char *const keys[LEN] = {"vocab_size",        "max_position_embeddings", "type_vocab_size",
                                        "hidden_size",       "num_hidden_layers",       "num_attention_heads",
                                        "intermediate_size", "layer_norm_eps"};
  double numbers[LEN], max_len;
  ctorch_module *layer;
  for (int i = 0; i < LEN; i++) {
    CTORCH_TRY(read_number(&numbers[i], folder, "config.json", keys[i]));
    if (numbers[i] < (i == EPS ? 0 : 1) || numbers[i] > 1e6) {
      return ctorch_error_format(CTORCH_ERROR_FORMAT, "%s/config.json: %s cannot be %g", folder, keys[i], numbers[i]);
    }
  }
  CTORCH_TRY(read_number(&max_len, folder, "sentence_bert_config.json", "max_seq_length"));
  if (max_len < 2 || max_len > numbers[PLACES]) {
    return ctorch_error_format(CTORCH_ERROR_FORMAT, "%s: max_seq_length cannot be %g", folder, max_len);
  }
  const int64_t width = (int64_t)numbers[WIDTH];
  CTORCH_TRY(embedding(&out->words, numbers[WORDS], numbers[WIDTH]));
  CTORCH_TRY(embedding(&out->places, numbers[PLACES], numbers[WIDTH]));
  CTORCH_TRY(embedding(&out->kinds, numbers[KINDS], numbers[WIDTH]));
  CTORCH_TRY(ctorch_nn_LayerNorm(&out->norm, CTORCH_INTS(width), numbers[EPS], true, true, NULL, NULL));
  CTORCH_TRY(ctorch_nn_TransformerEncoderLayer(
      &layer, width, (int64_t)numbers[HEADS], (int64_t)numbers[WIDE], 0.0, "gelu", numbers[EPS], true, false, true,
      NULL, NULL));
  CTORCH_TRY(ctorch_nn_TransformerEncoder(&out->encoder, layer, (int64_t)numbers[LAYERS], NULL, false, true));
  CTORCH_TRY(ctorch_nn_ModuleDict(&out->all));
  CTORCH_TRY(ctorch_module_register_module(out->all, "words", out->words));
  CTORCH_TRY(ctorch_module_register_module(out->all, "places", out->places));
  CTORCH_TRY(ctorch_module_register_module(out->all, "kinds", out->kinds));
  CTORCH_TRY(ctorch_module_register_module(out->all, "norm", out->norm));
  CTORCH_TRY(ctorch_module_register_module(out->all, "encoder", out->encoder));
  out->max_len = (size_t)max_len;
  out->width = width;
  *out_layers = (int64_t)numbers[LAYERS];
  return NULL;
}

ctorch_error *sentence_encoder_open(sentence_encoder *out, const char *folder) {
  char path[PATH];
  int64_t layers = 0;
  ctorch_weights *file;
  loading from;
  *out = (sentence_encoder){NULL};
  CTORCH_TRY(path_of(path, folder, "vocab.txt"));
  CTORCH_TRY(wordpiece_open(&out->tokenizer, path));
  CTORCH_TRY(network_new(out, &layers, folder));
  CTORCH_TRY(path_of(path, folder, "model.safetensors"));
  CTORCH_TRY(ctorch_weights_open_file(&file, path, true));
  from.file = file;
  CTORCH_TRY(ctorch_value_from_dict(&from.state, CTORCH_DEFAULT_LIST, CTORCH_DEFAULT_LIST));
  CTORCH_TRY(take_all(&from, layers));
  CTORCH_TRY(ctorch_module_load_state_dict(NULL, NULL, out->all, from.state, NULL, true, true));
  return ctorch_module_train(out->all, false);
}

void sentence_encoder_close(sentence_encoder *self) { wordpiece_close(self->tokenizer); }

/* Pieces, (batch, len), and whether each is only there to fill its row, to vectors, (batch, width). */
static ctorch_error *forward(
    ctorch_tensor **out, const sentence_encoder *self, const ctorch_tensor *pieces, const ctorch_tensor *padding) {
  const int64_t len = ctorch_tensor_sizes(pieces)[1];
  ctorch_tensor *x, *y, *places, *kinds;
  CTORCH_TRY(ctorch_arange(&places, CTORCH_INT(len)));
  CTORCH_TRY(ctorch_zeros_like(&kinds, pieces));
  CTORCH_TRY(ctorch_module_forward(&x, self->words, pieces));
  CTORCH_TRY(ctorch_module_forward(&y, self->places, places));
  CTORCH_REPLACE(&x, ctorch_add_Tensor(&x, x, y));
  CTORCH_REPLACE(&y, ctorch_module_forward(&y, self->kinds, kinds));
  CTORCH_REPLACE(&x, ctorch_add_Tensor(&x, x, y));
  CTORCH_REPLACE(&x, ctorch_module_forward(&x, self->norm, x));
  CTORCH_REPLACE(&x, ctorch_nn_TransformerEncoder_forward(&x, self->encoder, x, NULL, padding, NULL));
  CTORCH_REPLACE(&y, ctorch_aten_unsqueeze(&y, padding, 2));
  CTORCH_REPLACE(&x, ctorch_aten_masked_fill_Scalar(&x, x, y, CTORCH_INT(0)));
  CTORCH_REPLACE(&x, ctorch_aten_sum_dim_IntList(&x, x, CTORCH_INTS(1), false, NULL)); /* the mean has this direction */
  return ctorch_functional_normalize(out, x, 2.0, 1, 1e-12);
}

static ctorch_error *embed_batch(
    ctorch_tensor **out, const sentence_encoder *self, const char *const *texts, size_t len, int64_t *numbers) {
  ctorch_tensor *pieces, *padding, *ends, *places;
  int64_t lens[BATCH], longest = 0;
  for (size_t i = 0; i < len; i++) {
    size_t row_len;
    int64_t *const row = numbers + i * self->max_len;
    memset(row, 0, self->max_len * sizeof *row);
    CTORCH_TRY(wordpiece_encode(row, &row_len, self->tokenizer, texts[i], self->max_len));
    lens[i] = (int64_t)row_len;
    longest = lens[i] > longest ? lens[i] : longest;
  }
  const int64_t rows = (int64_t)len, width = (int64_t)self->max_len;
  CTORCH_TRY(ctorch_tensor_from_data(
      &pieces, numbers, len * self->max_len * sizeof *numbers, CTORCH_INTS(rows, width), CTORCH_DTYPE_INT64));
  CTORCH_REPLACE(&pieces, ctorch_aten_narrow(&pieces, pieces, 1, 0, longest));
  CTORCH_TRY(ctorch_tensor_from_data(&ends, lens, len * sizeof *lens, CTORCH_INTS(rows, 1), CTORCH_DTYPE_INT64));
  CTORCH_TRY(ctorch_arange(&places, CTORCH_INT(longest)));
  CTORCH_TRY(ctorch_aten_ge_Tensor(&padding, places, ends));
  return forward(out, self, pieces, padding);
}

ctorch_error *sentence_encoder_embed(
    ctorch_tensor **out, const sentence_encoder *self, const char *const *texts, size_t len) {
  int64_t *numbers = malloc(BATCH * self->max_len * sizeof *numbers);
  if (numbers == NULL) {
    return ctorch_error_format(CTORCH_ERROR_OUT_OF_MEMORY, "no memory for the pieces of %d texts", BATCH);
  }
  ctorch_tensor *made = NULL;
  ctorch_error *error = ctorch_zeros(&made, CTORCH_INTS((int64_t)len, self->width));
  for (size_t begin = 0; error == NULL && begin < len; begin += BATCH) {
    const size_t count = len - begin < BATCH ? len - begin : BATCH;
    ctorch_tensor *batch, *rows;
    ctorch_scope *scope = NULL;
    error = ctorch_scope_begin(&scope);
    error = error != NULL ? error : embed_batch(&batch, self, texts + begin, count, numbers);
    error = error != NULL ? error : ctorch_aten_narrow(&rows, made, 0, (int64_t)begin, (int64_t)count);
    error = error != NULL ? error : ctorch_aten_copy_(rows, batch, false);
    ctorch_scope_end(scope);
  }
  free(numbers);
  CTORCH_TRY(error);
  *out = made;
  return NULL;
}
