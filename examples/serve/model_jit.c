/* A program of TorchScript, as torch.jit.save writes it: it brings its weights. */
#include "model.h"

static ctorch_error *load(void **out, const char *path, const char *weights, int32_t workers) {
  ctorch_jit_module *module;
  (void)workers;
  if (weights != NULL) {
    return ctorch_error_format(CTORCH_ERROR_INVALID_ARGUMENT, "%s has its weights in it", path);
  }
  CTORCH_TRY(ctorch_jit_load_file(&module, path, NULL));
  CTORCH_TRY(ctorch_scope_keep(NULL, module));
  *out = module;
  return NULL;
}

static ctorch_error *run(ctorch_tensor_list **out, void *state, const ctorch_tensor *batch) {
  ctorch_tensor *output;
  CTORCH_TRY(ctorch_jit_module_forward(&output, state, batch));
  return ctorch_tensor_list_new(out, CTORCH_TENSORS(output));
}

static void release(void *state) { ctorch_jit_module_release(state); }

const model_kind model_jit = {.platform = "pytorch_torchscript", .load = load, .run = run, .release = release};
