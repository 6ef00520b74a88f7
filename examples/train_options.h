/* The command line of train_digits. */
#ifndef CTORCH_EXAMPLES_TRAIN_OPTIONS_H
#define CTORCH_EXAMPLES_TRAIN_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

typedef struct train_options {
  int64_t epochs, batch_size, workers;
  double lr;
  uint64_t seed;
  int32_t threads;
  const char *data, *save, *load, *losses, *snapshots;
  bool quiet;
} train_options;

/** What to do after the command line has been read: go on, or leave with this exit code. */
enum { OPTIONS_OK = -1, OPTIONS_HELP_SHOWN = 0, OPTIONS_USAGE = 2 };

/**
 * Read the command line; complaints go to standard error, --help to standard output.
 *
 * @param[out] out  the options; texts are borrowed from `argv`.
 * @return OPTIONS_OK, OPTIONS_HELP_SHOWN or OPTIONS_USAGE.
 */
int train_options_parse(train_options *out, int argc, char **argv);

#endif
