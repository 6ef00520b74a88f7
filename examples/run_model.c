/* Run a model that Python wrote, on an array of this program.
 *
 *     run_model script model.pt      torch.jit.save
 *     run_model program model.pt2    torch.export.save
 *     run_model package model.pt2    torch._inductor.aoti_compile_and_package
 */
#include <ctorch.h>
#include <stdio.h>
#include <string.h>

enum { ROWS = 2, FEATURES = 4, CLASSES = 3 };

static ctorch_error *run_script(ctorch_tensor **y, const char *path, const ctorch_tensor *x) {
  ctorch_jit_module *model;
  CTORCH_TRY(ctorch_jit_load_file(&model, path, NULL));
  return ctorch_jit_module_forward(y, model, x);
}

static ctorch_error *run_program(ctorch_tensor **y, const char *path, const ctorch_tensor *x) {
  ctorch_exported_program *program;
  ctorch_module *model;
  CTORCH_TRY(ctorch_exported_program_open_file(&program, path, NULL));
  CTORCH_TRY(ctorch_exported_program_module(&model, program));
  return ctorch_module_forward(y, model, x);
}

static ctorch_error *run_package(ctorch_tensor **y, const char *path, const ctorch_tensor *x) {
  ctorch_package *model;
  ctorch_tensor_list *outputs;
  CTORCH_TRY(ctorch_package_load(&model, path, NULL, false, 1, NULL));
  CTORCH_TRY(ctorch_package_run(&outputs, model, CTORCH_TENSORS(x)));
  return ctorch_tensor_list_get(y, outputs, 0);
}

static ctorch_error *run(const char *kind, const char *path) {
  const float features[ROWS][FEATURES] = {{0.0f, 0.1f, 0.2f, 0.3f}, {0.4f, 0.5f, 0.6f, 0.7f}};
  float scores[ROWS * CLASSES];
  ctorch_tensor *x, *y;
  CTORCH_TRY(ctorch_tensor_from_data(&x, features, sizeof features, CTORCH_INTS(ROWS, FEATURES), CTORCH_DTYPE_FLOAT32));
  if (strcmp(kind, "script") == 0) {
    CTORCH_TRY(run_script(&y, path, x));
  } else if (strcmp(kind, "program") == 0) {
    CTORCH_TRY(run_program(&y, path, x));
  } else {
    CTORCH_TRY(run_package(&y, path, x));
  }
  CTORCH_TRY(ctorch_tensor_copy_to_buffer(y, scores, sizeof scores, CTORCH_DTYPE_FLOAT32));
  for (int i = 0; i < ROWS * CLASSES; i++) {
    printf("%.9g\n", (double)scores[i]);
  }
  return NULL;
}

int main(int argc, char **argv) {
  ctorch_scope *scope = NULL;
  ctorch_error *error;
  if (argc != 3) {
    fputs("usage: run_model script|program|package MODEL\n", stderr);
    return 2;
  }
  error = ctorch_scope_begin(&scope);
  if (error == NULL) {
    error = run(argv[1], argv[2]);
  }
  ctorch_scope_end(scope);
  return ctorch_error_finish(error);
}
