/** The command line of serve. */
#ifndef EXAMPLES_SERVE_OPTIONS_H
#define EXAMPLES_SERVE_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "array.h"

typedef struct options {
  const char *model, *name, *weights, *address, *socket, *tls_cert, *tls_key;
  array_form input;
  uint64_t port, workers, http_threads, batch, delay, queue, timeout, max_body, connections, idle_timeout, grace;
} options;

/** What to do after the command line has been read: go on, or leave with this exit code. */
enum { OPTIONS_OK = -1, OPTIONS_HELP_SHOWN = 0, OPTIONS_USAGE = 2 };

/**
 * Read the command line; complaints go to standard error, --help to standard output.
 *
 * @param[out] out  the options; texts are borrowed from `argv`.
 * @return OPTIONS_OK, OPTIONS_HELP_SHOWN or OPTIONS_USAGE.
 */
int options_parse(options *out, int argc, char **argv);

#endif
