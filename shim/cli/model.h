/* Models that `ctorch run` and `ctorch bench` run: opened by what is in the file, run with tensors in a row. */
#ifndef CTORCH_CLI_MODEL_H
#define CTORCH_CLI_MODEL_H

#include "cli.h"

/* How a model is opened. */
struct cli_model_options {
  const char *path, *name; /* of several models in a file; NULL for the usual one */
  const char *device;      /* "cpu", "cuda:1"; NULL for where the file says */
  int64_t threads;         /* that an operator uses; 0 for LibTorch's own number */
};

struct cli_model {
  const char *kind;        /* "package", "exported program", "TorchScript" */
  ctorch_package *package; /* one of these */
  ctorch_module *module;
  ctorch_jit_module *script;
};

/* What self holds is freed by cli_model_close, also after a failure. */
ctorch_error *cli_model_open(struct cli_model *self, const struct cli_model_options *options)
    __attribute__((warn_unused_result));
void cli_model_close(struct cli_model *self);

ctorch_error *cli_model_run(
    const struct cli_model *self, ctorch_tensor_list **out, const ctorch_tensor *const *inputs, size_t inputs_len)
    __attribute__((warn_unused_result));

/* Tensors of files, in their order, and behind them those of the next. */
struct cli_tensors {
  ctorch_tensor **data;
  size_t len;
};
/* A tensor behind the others, consumed. */
void cli_tensors_add(struct cli_tensors *self, ctorch_tensor *tensor);
ctorch_error *cli_tensors_read(struct cli_tensors *self, const char *path) __attribute__((warn_unused_result));
/* Those that a model takes, as far as it tells: random, sizes that may vary as small as they may be. */
ctorch_error *cli_tensors_make(struct cli_tensors *self, const struct cli_model *model)
    __attribute__((warn_unused_result));
void cli_tensors_free(struct cli_tensors *self);

/* An error of the tool's own. */
ctorch_error *cli_error(ctorch_error_kind kind, const char *message) __attribute__((warn_unused_result));

/* A whole number of an option, at least `least`: false, and said so, for everything else. */
bool cli_read_number(
    const struct cli_command *command, const char *option, const char *text, int64_t least, int64_t *out);

#endif
