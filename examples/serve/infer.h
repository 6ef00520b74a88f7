/** The bodies of the Open Inference Protocol, version 2 (github.com/kserve/open-inference-protocol), with its extension
 * for binary tensors: what a request says in JSON and bytes, and what an answer says. */
#ifndef EXAMPLES_SERVE_INFER_H
#define EXAMPLES_SERVE_INFER_H

#include "model.h"

#define INFER_INPUT "INPUT__0"

/** What is asked for. */
typedef struct infer_request {
  array input;
  void *numbers;    /* that were read of JSON; owned */
  char *id;         /* owned; NULL for none */
  uint64_t timeout; /* microseconds; 0 for none */
  bool is_binary;   /* of outputs that are not asked for one by one */
  struct {
    size_t index;
    bool is_binary;
  } outputs[MODEL_MAX_OUTPUTS];
  size_t outputs_len; /* 0 for all of them */
} infer_request;

/** What is answered: JSON, and then bytes if `is_binary`. */
typedef struct infer_answer {
  char *data; /* owned: free */
  size_t len, json_len;
  bool is_binary;
} infer_answer;

/** The length of the JSON of a request that has nothing but JSON. */
#define INFER_ALL_JSON SIZE_MAX

/**
 * Read a request.
 *
 * @param[out] out  give it back with infer_request_clear; bytes in it are borrowed from `body`.
 * @param model     borrowed.
 * @param body      borrowed.
 * @param body_len  bytes.
 * @param json_len  bytes of JSON before the binary tensor, INFER_ALL_JSON for none; 0 for a tensor alone.
 * @return NULL, or FORMAT, which says what is wrong and where; OUT_OF_MEMORY.
 */
ctorch_error *infer_request_read(
    infer_request *out, const model *model, const char *body, size_t body_len, size_t json_len);

/** Give back what a request holds. */
void infer_request_clear(infer_request *self);

/**
 * Write an answer.
 *
 * @param[out] out     owned.
 * @param request      borrowed.
 * @param model        borrowed.
 * @param outputs      borrowed.
 * @param outputs_len  of the model.
 * @return NULL, or FORMAT (an output was asked for that there is not, or one in JSON that does not go there),
 *         OUT_OF_MEMORY.
 */
ctorch_error *infer_answer_write(
    infer_answer *out, const infer_request *request, const model *model, const array *outputs, size_t outputs_len);

/** Write what a model is: its name, its input and its outputs. Free it. NULL if there is no memory. */
char *infer_metadata(const model *model);

/** Write `{"error": message}`. Free it. NULL if there is no memory. */
char *infer_error(const char *message);

#endif
