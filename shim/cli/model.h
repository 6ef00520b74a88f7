/* Models that `ctorch run` and `ctorch bench` run: opened by what is in the file, called with what other files hold. */
#ifndef CTORCH_SHIM_CLI_MODEL_H
#define CTORCH_SHIM_CLI_MODEL_H

#include "cli/cli.h"

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

/* Tensors in a row. */
struct cli_tensors {
  ctorch_tensor **data;
  size_t len;
};
/* A tensor behind the others, consumed. */
void cli_tensors_add(struct cli_tensors *self, ctorch_tensor *tensor);
void cli_tensors_free(struct cli_tensors *self);

/* What a model is called with: tensors in a row, or arguments in the form that it takes, but not both. */
struct cli_inputs {
  bool is_given; /* by a file, which may hold no tensor */
  struct cli_tensors tensors;
  ctorch_value *args, *kwargs; /* a tuple or list, a dict; NULL for none */
};
/* The tensors of a file, in its order, behind those of the files before. */
ctorch_error *cli_inputs_read_tensors(struct cli_inputs *self, const char *path) __attribute__((warn_unused_result));
/* A tuple or list of positional arguments, or a dict of those by name, as torch.save writes them. */
ctorch_error *cli_inputs_read_arguments(struct cli_inputs *self, const char *path) __attribute__((warn_unused_result));
bool cli_inputs_has_arguments(const struct cli_inputs *self);
/* The tensors that a model takes, as far as it tells: random, sizes that may vary as small as they may be. */
ctorch_error *cli_inputs_make(struct cli_inputs *self, const struct cli_model *model)
    __attribute__((warn_unused_result));
void cli_inputs_free(struct cli_inputs *self);

/* The result in the form that the model gives it; with arguments. */
ctorch_error *cli_model_call(const struct cli_model *self, ctorch_value **out, const struct cli_inputs *inputs)
    __attribute__((warn_unused_result));
/* The tensors of the result, in their order. */
ctorch_error *cli_model_run(const struct cli_model *self, ctorch_tensor_list **out, const struct cli_inputs *inputs)
    __attribute__((warn_unused_result));
/* The tensors in a value, in their order; what is none is left out. */
ctorch_error *cli_flatten(ctorch_tensor_list **out, const ctorch_value *value) __attribute__((warn_unused_result));

/* A whole number of an option, at least `least`: false, and said so, for everything else. */
bool cli_read_number(
    const struct cli_command *command, const char *option, const char *text, int64_t least, int64_t *out);

#endif
