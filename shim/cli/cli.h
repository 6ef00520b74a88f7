/* The command-line tool `ctorch`: what its commands have in common. A user of <ctorch.h> like any other. */
#ifndef CTORCH_SHIM_CLI_CLI_H
#define CTORCH_SHIM_CLI_CLI_H

#include <ctorch.h>
#include <getopt.h>
#include <stdio.h>

/* Exit statuses. */
enum { CLI_OK = 0, CLI_DIFFERENT = 1, CLI_FAILED = 2 };

struct cli_command {
  const char *name;
  int (*run)(int argc, char **argv); /* argv[0] is the command's name; answers an exit status */
  const char *summary;               /* one line */
  const char *help;                  /* usage and options */
};

extern const struct cli_command cli_info, cli_ops, cli_inspect, cli_convert, cli_diff, cli_run, cli_bench, cli_board;

/* Say what went wrong, and CLI_FAILED. */
int cli_fail(ctorch_error *error); /* consumed */
int cli_complain(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* The same for arguments that are not understood, with a hint at --help. */
int cli_misused(const struct cli_command *command, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* For what getopt did not know, and said so. */
int cli_unknown_option(const struct cli_command *command);

/* An error of the tool itself. */
ctorch_error *cli_error(ctorch_error_kind kind, const char *format, ...)
    __attribute__((format(printf, 2, 3), warn_unused_result));

/* "1.5 GB" in a buffer of at least 32 bytes, which is returned. */
char *cli_size(char *buffer, uint64_t nbytes);
/* Text that files may have in it, which the caller frees: what a terminal would obey is shown as bytes, "\x1b", and
 * what nobody sees or what turns the direction as characters, "\u202e". */
char *cli_escaped(const char *text);
/* Characters. */
int cli_width(const char *text);
/* Columns of the terminal; 0 if standard output is not one. */
int cli_columns(void);
/* Print a text, with blanks up to `width` characters, and cut to `most` of them; 0 for all. Nothing is padded to more
 * than 100 characters, so that one long text does not make every line long. */
void cli_print_cell(const char *text, int width, int most);
/* "[2, 3]", which the caller frees. */
char *cli_shape(const int64_t *shape, size_t len);

/* Open a file of weights; with a line on the terminal, if there is one, that tells how reading goes on. */
ctorch_error *cli_open(ctorch_weights **out, const char *path) __attribute__((warn_unused_result));

/* Tell on the terminal, if there is one, how far something is: a line that the next call writes anew, and NULL ends. */
void cli_progress(const char *what, uint64_t done, uint64_t all);

#endif
