/* A package of AOTInductor (".pt2"), as torch._inductor.aoti_compile_and_package writes it: machine code and weights.
 * It has a runner for each worker, so that none waits for another. */
#include "model.h"

static ctorch_error *load(void **out, const char *path, const char *weights, int32_t workers) {
  ctorch_package *package;
  if (weights != NULL) {
    return ctorch_error_format(CTORCH_ERROR_INVALID_ARGUMENT, "%s has its weights in it", path);
  }
  CTORCH_TRY(ctorch_package_load(&package, path, "model", false, workers, NULL));
  CTORCH_TRY(ctorch_scope_keep(NULL, package));
  *out = package;
  return NULL;
}

static ctorch_error *run(ctorch_tensor_list **out, void *state, const ctorch_tensor *batch) {
  return ctorch_package_run(out, state, CTORCH_TENSORS(batch));
}

static void release(void *state) { ctorch_package_release(state); }

const model_kind model_package = {.platform = "pytorch_aotinductor", .load = load, .run = run, .release = release};
