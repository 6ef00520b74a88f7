/** The lines of a text file. */
#ifndef EXAMPLES_LINES_H
#define EXAMPLES_LINES_H

#include <ctorch.h>

typedef struct lines {
  char **texts; /* without their ends */
  size_t len;
  char *bytes; /* in which they lie */
} lines;

/**
 * Read a file. Bytes of 0 are left out, as is a carriage return at the end of a line.
 *
 * @param[out] out  to be given to lines_free, whether this succeeds or not.
 * @param path      borrowed.
 * @return NULL, or IO, OUT_OF_MEMORY.
 */
ctorch_error *lines_read(lines *out, const char *path);

/** Free what lines_read took. */
void lines_free(lines *self);

#endif
