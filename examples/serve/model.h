/** Models: what takes a batch of rows and gives a batch for each of its outputs, whichever file it comes from. */
#ifndef EXAMPLES_SERVE_MODEL_H
#define EXAMPLES_SERVE_MODEL_H

#include <ctorch.h>

#include "array.h"

/** A kind of model: modules with weights, TorchScript, packages of AOTInductor, programs of torch.export. */
typedef struct model_kind {
  const char *platform; /* as the protocol's metadata tells it */

  /* Read it, beyond every scope. `weights` is NULL if none were given, `workers` how many threads will call. */
  ctorch_error *(*load)(void **out, const char *path, const char *weights, int32_t workers);

  /* Compute a batch; several threads do at once. */
  ctorch_error *(*run)(ctorch_tensor_list **out, void *state, const ctorch_tensor *batch);

  void (*release)(void *state);
} model_kind;

extern const model_kind model_module, model_jit, model_package, model_exported;

enum { MODEL_MAX_OUTPUTS = 16 };

typedef struct model {
  const char *name; /* borrowed */
  const model_kind *kind;
  void *state;
  array_form input;                      /* the first size is -1 */
  array_form outputs[MODEL_MAX_OUTPUTS]; /* as a first run has shown them, or none if the sizes of `input` vary */
  size_t outputs_len;
} model;

/**
 * Read a model, and run it once if the sizes of its input are known.
 *
 * @param[out] out  a model; give it back with model_close, also after an error.
 * @param name      borrowed for the model's time.
 * @param path      borrowed; ending in ".json" for a module, ".pt2" for a package or program, anything else for TorchScript.
 * @param weights   borrowed; a file for ctorch_weights_open_file, of which modules alone have need. NULL for none.
 * @param input     borrowed; what a batch looks like.
 * @param workers   threads that will call it.
 * @return NULL, or what reading and running answer.
 */
ctorch_error *model_open(
    model *out, const char *name, const char *path, const char *weights, const array_form *input, int32_t workers);

/** Give it back; nothing happens if nothing was read. */
void model_close(model *self);

/**
 * Compute a batch. A scope is open, and inference mode.
 *
 * @param[out] out  owned; on the CPU, row-major.
 * @param self      shared by threads.
 * @param batch     borrowed.
 * @return NULL, or what the model answers.
 */
ctorch_error *model_run(ctorch_tensor_list **out, const model *self, const ctorch_tensor *batch);

/** The form of a tensor; false if it has more dimensions than an array. */
bool model_form_of(array_form *out, const ctorch_tensor *tensor);

#endif
