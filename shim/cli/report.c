/* What the commands report: errors, sizes, how far something is. */
#define _POSIX_C_SOURCE 200809L
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/cli.h"

int cli_complain(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  cli_progress(NULL, 0, 0);
  fputs("ctorch: ", stderr);
  vfprintf(stderr, format, arguments);
  fputc('\n', stderr);
  va_end(arguments);
  return CLI_FAILED;
}

/* What messages advise callers of C, as advice for the command line. */
static const char *const ADVICE[][2] = {
    {" (ctorch_package_model_names lists them)", "; 'unzip -l' lists them, as data/aotinductor/NAME"},
    {" To run it as Python does, which does not look, turn the checks of inputs off (ctorch_package_set_check_inputs)",
     " torch.export.Dim widens it where the model is exported and compiled again"},
    {"open it as one (ctorch_exported_program_open), or ", ""},
    {": open the program and take its state dict (ctorch_exported_program_state_dict)",
     ", so that their names are not listed; 'ctorch run' runs it"},
    {": open it as a package (ctorch_package_load)", ": 'ctorch run' runs it"},
    {"; a file of the module keeps one of them (ctorch_safetensors_write_model)", "; .pt and .npz can have both"},
};

/* The text with advice for the command line, which the caller frees. */
static char *advised(char *text) {
  for (size_t i = 0; i < sizeof ADVICE / sizeof *ADVICE; i++) {
    char *found = strstr(text, ADVICE[i][0]);
    const size_t before = found == NULL ? 0 : (size_t)(found - text), len = strlen(text) + strlen(ADVICE[i][1]) + 1;
    char *made = found == NULL ? NULL : malloc(len);
    if (made != NULL) {
      snprintf(made, len, "%.*s%s%s", (int)before, text, ADVICE[i][1], found + strlen(ADVICE[i][0]));
      free(text);
      text = made;
    }
  }
  return text;
}

int cli_fail(ctorch_error *error) {
  char *message = advised(cli_escaped(ctorch_error_message(error)));
  cli_complain("%s", message);
  free(message);
  ctorch_error_release(error);
  return CLI_FAILED;
}

int cli_misused(const struct cli_command *command, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  fputs("ctorch: ", stderr);
  vfprintf(stderr, format, arguments);
  fprintf(stderr, "\nTry 'ctorch %s --help'.\n", command->name);
  va_end(arguments);
  return CLI_FAILED;
}

int cli_unknown_option(const struct cli_command *command) {
  fprintf(stderr, "Try 'ctorch %s --help'.\n", command->name);
  return CLI_FAILED;
}

char *cli_size(char *buffer, uint64_t nbytes) {
  static const char *const UNITS[] = {"B", "kB", "MB", "GB", "TB", "PB", "EB"};
  double size = (double)nbytes;
  int unit = 0;
  while (size >= 999.95 && unit < 6) {
    size /= 1000;
    unit++;
  }
  snprintf(buffer, 32, unit == 0 ? "%.0f %s" : "%.1f %s", size, UNITS[unit]);
  return buffer;
}

char *cli_shape(const int64_t *shape, size_t len) {
  size_t room = 22 * len + 3, used = 1;
  char *text = malloc(room);
  if (text == NULL) {
    abort();
  }
  text[0] = '[';
  for (size_t i = 0; i < len; i++) {
    used += (size_t)snprintf(text + used, room - used, i == 0 ? "%" PRId64 : ", %" PRId64, shape[i]);
  }
  snprintf(text + used, room - used, "]");
  return text;
}

void cli_progress(const char *what, uint64_t done, uint64_t all) {
  static bool is_shown;
  enum { LEAST = 64 << 20 }; /* less is there at once */
  if (what == NULL) {
    if (is_shown) {
      fputs("\r\033[K", stderr);
      is_shown = false;
    }
  } else if (all >= LEAST && isatty(STDERR_FILENO)) {
    char so_far[32], size[32];
    fprintf(stderr, "\r\033[K%s: %s of %s", what, cli_size(so_far, done), cli_size(size, all));
    fflush(stderr);
    is_shown = true;
  }
}

/* Objects of classes that ctorch does not know, in a file of torch.save, may hold tensors that nobody sees. */
static void report_objects(const ctorch_weights *weights, const char *path) {
  enum { SHOWN = 3 };
  const size_t len = ctorch_weights_objects_len(weights);
  for (size_t i = 0; i < len && i < SHOWN; i++) {
    char *name = cli_escaped(ctorch_weights_object_name(weights, i));
    char *class = cli_escaped(ctorch_weights_object_class(weights, i));
    cli_complain("%s: left out '%s', an object of Python's class %s", path, name, class);
    free(name);
    free(class);
  }
  if (len > SHOWN) {
    cli_complain("%s: left out %zu more objects; 'ctorch inspect --metadata' lists them", path, len - SHOWN);
  }
}

ctorch_error *cli_open(ctorch_weights **out, const char *path) {
  CTORCH_TRY(ctorch_weights_open_file(out, path, true));
  report_objects(*out, path);
  return NULL;
}

ctorch_error *cli_error(ctorch_error_kind kind, const char *format, ...) {
  char message[1536];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(message, sizeof message, format, arguments);
  va_end(arguments);
  ctorch_error *error = NULL;
  ctorch_error *failure = ctorch_error_new(&error, kind, message);
  return failure != NULL ? failure : error;
}
