/* Files that replace others when they are complete: what was there before stays until then, whenever the process dies.
 *
 * A new file has no name (Linux's O_TMPFILE) until it gets its own. Where a file is replaced, Linux wants a second name
 * first, which rename() moves; where files without names do not exist, or cannot be named because there is no /proc,
 * the second name is there from the beginning. A process that is killed leaves that name behind; a lock (flock) that
 * dies with its process tells the next one that it can be removed. */
#ifndef CTORCH_SHIM_BASE_REPLACEMENT_H
#define CTORCH_SHIM_BASE_REPLACEMENT_H

#include <stdbool.h>

struct replacement {
  int file;        /* what is written; -1 for none */
  char *target;    /* what it is to become; owned */
  char *temporary; /* the name that it has meanwhile; owned; NULL for none */
};

/* Open a file that is to become `target`, which it owns from here on. errno for false; replacement_close in any
 * case. */
bool replacement_open(struct replacement *self, char *target);

/* Name the file, which is complete. errno for false. */
bool replacement_publish(struct replacement *self);

/* Close the file; one that was not published is gone. errno for false. */
bool replacement_close(struct replacement *self);

#endif
