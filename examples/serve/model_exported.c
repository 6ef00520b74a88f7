/* A program of torch.export (".pt2"), as torch.export.save writes it: its graph is run operator by operator. */
#include "model.h"

static ctorch_error *load(void **out, const char *path, const char *weights, int32_t workers) {
  ctorch_exported_program *program;
  ctorch_module *module;
  (void)workers;
  if (weights != NULL) {
    return ctorch_error_format(CTORCH_ERROR_INVALID_ARGUMENT, "%s has its weights in it", path);
  }
  CTORCH_TRY(ctorch_exported_program_open_file(&program, path, NULL));
  CTORCH_TRY(ctorch_exported_program_module(&module, program));
  CTORCH_TRY(ctorch_scope_keep(NULL, module));
  *out = module;
  return NULL;
}

static ctorch_error *run(ctorch_tensor_list **out, void *state, const ctorch_tensor *batch) {
  ctorch_tensor *output;
  CTORCH_TRY(ctorch_module_forward(&output, state, batch));
  return ctorch_tensor_list_new(out, CTORCH_TENSORS(output));
}

static void release(void *state) { ctorch_module_release(state); }

const model_kind model_exported = {
    .platform = "pytorch_exported_program", .load = load, .run = run, .release = release};
