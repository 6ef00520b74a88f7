/* The command-line tool `ctorch`: its commands. */
#define _POSIX_C_SOURCE 200809L
#include <signal.h>
#include <string.h>

#include "cli/cli.h"

static const struct cli_command *const COMMANDS[] = {&cli_info, &cli_ops, &cli_inspect, &cli_convert,
                                                     &cli_diff, &cli_run, &cli_bench,   &cli_board};
enum { COMMANDS_LEN = sizeof(COMMANDS) / sizeof(*COMMANDS) };

static int print_usage(FILE *file) {
  fputs("Usage: ctorch COMMAND [OPTION…] [ARGUMENT…]\n\nCommands:\n", file);
  for (int i = 0; i < COMMANDS_LEN; i++) {
    fprintf(file, "  %-9s%s\n", COMMANDS[i]->name, COMMANDS[i]->summary);
  }
  fputs(
      "\nOptions:\n"
      "  -h, --help     this text; after a command, what that takes\n"
      "  -V, --version  the versions of ctorch and of LibTorch\n"
      "\nExit status: 0, 1 if ops finds nothing or diff a difference, 2 for a failure.\n",
      file);
  return file == stdout ? CLI_OK : CLI_FAILED;
}

static bool is_either(const char *argument, const char *a, const char *b) {
  return strcmp(argument, a) == 0 || strcmp(argument, b) == 0;
}

static const struct cli_command *command_of(const char *name) {
  for (int i = 0; i < COMMANDS_LEN; i++) {
    if (strcmp(COMMANDS[i]->name, name) == 0) {
      return COMMANDS[i];
    }
  }
  return NULL;
}

static int print_help(const struct cli_command *command) {
  fputs(command->help, stdout);
  return CLI_OK;
}

static int run(int argc, char **argv) {
  if (argc < 2) {
    return print_usage(stderr);
  }
  const char *name = argv[1];
  if (is_either(name, "-h", "--help") || (strcmp(name, "help") == 0 && argc == 2)) {
    return print_usage(stdout);
  }
  if (is_either(name, "-V", "--version")) {
    printf("ctorch %s, LibTorch %s\n", ctorch_version(), ctorch_version_torch());
    return CLI_OK;
  }
  bool asks = strcmp(name, "help") == 0;
  const struct cli_command *command = command_of(asks ? argv[2] : name);
  if (command == NULL) {
    fprintf(stderr, "ctorch: no command '%s'\nTry 'ctorch --help'.\n", asks ? argv[2] : name);
    return CLI_FAILED;
  }
  for (int i = 2; i < argc && strcmp(argv[i], "--") != 0; i++) {
    asks = asks || is_either(argv[i], "-h", "--help");
  }
  return asks ? print_help(command) : command->run(argc - 1, argv + 1);
}

int main(int argc, char **argv) {
  signal(SIGXFSZ, SIG_IGN); /* writing beyond `ulimit -f` is an error like others */
  int status = run(argc, argv);
  cli_progress(NULL, 0, 0);
  if (fflush(stdout) != 0 || ferror(stdout)) {
    perror("ctorch: cannot write");
    return CLI_FAILED;
  }
  return status;
}
