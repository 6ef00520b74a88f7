/* `ctorch run`: a model, run once with the tensors of files. */
#include <stdlib.h>
#include <string.h>

#include "base/sequence.h"
#include "cli/model.h"

static bool ends_with(const char *text, const char *end) {
  const size_t len = strlen(text), end_len = strlen(end);
  return len >= end_len && strcmp(text + len - end_len, end) == 0;
}

/* "output", or "output0", "output1", … */
static void name_of(char *out, size_t room, size_t index, size_t len) {
  snprintf(out, room, len == 1 ? "output" : "output%zu", index);
}

static ctorch_error *named(ctorch_value **out, const ctorch_tensor_list *outputs) {
  const size_t len = ctorch_tensor_list_len(outputs);
  CTORCH_TRY(ctorch_value_from_dict(out, NULL, 0, NULL, 0));
  ctorch_error *error = NULL;
  for (size_t i = 0; error == NULL && i < len; i++) {
    char name[32];
    ctorch_value *value = NULL;
    name_of(name, sizeof name, i, len);
    error = ctorch_value_from_tensor(&value, ctorch_tensor_list_data(outputs)[i]);
    THEN(error, ctorch_value_dict_put(*out, name, value));
    ctorch_value_release(value);
  }
  return error;
}

static ctorch_error *write_outputs(const ctorch_tensor_list *outputs, const char *path) {
  if (ends_with(path, ".npy") && ctorch_tensor_list_len(outputs) == 1) {
    return ctorch_npy_write_file(ctorch_tensor_list_data(outputs)[0], path);
  }
  ctorch_value *dict = NULL;
  ctorch_error *error = named(&dict, outputs);
  THEN(
      error, ends_with(path, ".safetensors") ? ctorch_safetensors_write_file(dict, NULL, path)
             : ends_with(path, ".pt")        ? ctorch_serialization_save_file(dict, path)
                                             : ctorch_npz_write_file(dict, false, path));
  ctorch_value_release(dict);
  return error;
}

static void print_outputs(const ctorch_tensor_list *outputs) {
  const size_t len = ctorch_tensor_list_len(outputs);
  for (size_t i = 0; i < len; i++) {
    const ctorch_tensor *tensor = ctorch_tensor_list_data(outputs)[i];
    char name[32];
    char *shape = cli_shape(ctorch_tensor_sizes(tensor), (size_t)ctorch_tensor_ndim(tensor));
    name_of(name, sizeof name, i, len);
    printf("%s  %s  %s\n", name, ctorch_dtype_name(ctorch_tensor_dtype(tensor)), shape);
    free(shape);
  }
}

/* The result in the form that the model gives it. */
static ctorch_error *write_result(const struct cli_model *model, const struct cli_inputs *inputs, const char *path) {
  ctorch_value *result = NULL;
  CTORCH_TRY(cli_model_call(model, &result, inputs));
  ctorch_error *error = ctorch_serialization_save_file(result, path);
  ctorch_value_release(result);
  return error;
}

static ctorch_error *run_once(
    const struct cli_model_options *options, const struct cli_inputs *inputs, const char *output) {
  struct cli_model model = {.kind = NULL};
  ctorch_tensor_list *outputs = NULL;
  ctorch_error *error = cli_model_open(&model, options);
  if (error == NULL && output != NULL && ends_with(output, ".pt") && cli_inputs_has_arguments(inputs)) {
    error = write_result(&model, inputs, output);
    cli_model_close(&model);
    return error;
  }
  THEN(error, cli_model_run(&model, &outputs, inputs));
  if (error == NULL && output != NULL) {
    error = write_outputs(outputs, output);
  } else if (error == NULL) {
    print_outputs(outputs);
  }
  ctorch_tensor_list_release(outputs);
  cli_model_close(&model);
  return error;
}

static int run(int argc, char **argv) {
  static const struct option OPTIONS[] = {
      {"input", required_argument, NULL, 'i'},
      {"output", required_argument, NULL, 'o'},
      {"model", required_argument, NULL, 'm'},
      {"device", required_argument, NULL, 'd'},
      {"threads", required_argument, NULL, 't'},
      {"arguments", required_argument, NULL, 'a'},
      {NULL, 0, NULL, 0}};
  struct cli_model_options options = {0};
  struct cli_inputs inputs = {.args = NULL};
  const char *output = NULL;
  int status = CLI_OK;
  for (int option; status == CLI_OK && (option = getopt_long(argc, argv, "", OPTIONS, NULL)) != -1;) {
    ctorch_error *error = NULL;
    switch (option) {
      case 'i':
        error = cli_inputs_read_tensors(&inputs, optarg);
        status = error == NULL ? CLI_OK : cli_fail(error);
        break;
      case 'a':
        error = cli_inputs_read_arguments(&inputs, optarg);
        status = error == NULL ? CLI_OK : cli_fail(error);
        break;
      case 'o':
        output = optarg;
        break;
      case 'm':
        options.name = optarg;
        break;
      case 'd':
        options.device = optarg;
        break;
      case 't':
        status = cli_read_number(&cli_run, "--threads", optarg, 1, &options.threads) ? CLI_OK : CLI_FAILED;
        break;
      default:
        status = cli_unknown_option(&cli_run);
    }
  }
  if (status == CLI_OK && argc - optind != 1) {
    status = cli_misused(&cli_run, "run takes one model");
  }
  if (status == CLI_OK) {
    options.path = argv[optind];
    ctorch_error *error = run_once(&options, &inputs, output);
    status = error == NULL ? CLI_OK : cli_fail(error);
  }
  cli_inputs_free(&inputs);
  return status;
}

const struct cli_command cli_run = {
    "run",
    run,
    "run a model with the tensors of files",
    "Usage: ctorch run [--input FILE]… [--arguments FILE]… [--output FILE] [OPTION…] MODEL\n"
    "\n"
    "Run a model once: a package that torch._inductor.aoti_compile_and_package made, what torch.export.save wrote, or\n"
    "TorchScript. A package is a program: run those alone whose origin you trust.\n"
    "\n"
    "  --input FILE   the tensors of a file (npy, npz, safetensors, pt …), in its order; those of the next come "
    "behind\n"
    "  --arguments FILE\n"
    "                 in place of tensors in a row: what torch.save wrote of a tuple or list of positional arguments,\n"
    "                 or of a dict of those by name; one of each may be given\n"
    "  --output FILE  write the results (npz, or by its end npy, safetensors, pt; with --arguments, pt has\n"
    "                 their form) instead of their shapes on the screen\n"
    "  --model NAME   one of several models in the file\n"
    "  --device D     where it runs; a package, of the type that it was compiled for: cuda:1\n"
    "  --threads N    how many threads an operator uses\n"
    "  -h, --help     this text\n",
};
