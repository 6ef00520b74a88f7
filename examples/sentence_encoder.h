/** Sentences to vectors, by a BERT model of sentence-transformers (Reimers and Gurevych 2019, arXiv:1908.10084) as its
 * folder holds it: model.safetensors, vocab.txt, config.json, sentence_bert_config.json. */
#ifndef EXAMPLES_SENTENCE_ENCODER_H
#define EXAMPLES_SENTENCE_ENCODER_H

#include <ctorch.h>

#include "wordpiece.h"

typedef struct sentence_encoder {
  ctorch_module *all, *words, *places, *kinds, *norm, *encoder;
  wordpiece *tokenizer;
  size_t max_len; /* pieces of a text that are looked at */
  int64_t width;
} sentence_encoder;

/**
 * Read a model. A scope is open.
 *
 * @param[out] out  to be given to sentence_encoder_close, whether this succeeds or not.
 * @param folder    borrowed.
 * @return NULL, or IO, FORMAT, or what ctorch_weights_open_file and ctorch_weights_tensor answer.
 */
ctorch_error *sentence_encoder_open(sentence_encoder *out, const char *folder);

/** Give back what no scope does. */
void sentence_encoder_close(sentence_encoder *self);

/** The vectors of texts, (len, width), each of length 1: of texts about the same thing their product is near 1. */
ctorch_error *sentence_encoder_embed(
    ctorch_tensor **out, const sentence_encoder *self, const char *const *texts, size_t len);

#endif
