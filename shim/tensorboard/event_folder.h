/** Folders of event files. */
#ifndef CTORCH_SHIM_TENSORBOARD_EVENT_FOLDER_H
#define CTORCH_SHIM_TENSORBOARD_EVENT_FOLDER_H

#include <ctorch.h>

/** Names, each freed with free, as the list is. */
struct names {
  char **data;
  size_t len;
};

void names_free(struct names *self);

/** The event files of a folder, sorted by their names, which are those behind `after`; NULL for all. `*out` is
 * empty. */
ctorch_error *event_folder_files(const char *function, const char *folder, const char *after, struct names *out)
    __attribute__((warn_unused_result));

#endif
