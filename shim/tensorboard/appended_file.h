/** A text file to which lines are appended, each as a whole. */
#ifndef CTORCH_SHIM_TENSORBOARD_APPENDED_FILE_H
#define CTORCH_SHIM_TENSORBOARD_APPENDED_FILE_H

#include <ctorch.h>

#include "tensorboard/messages.h"

struct appended_file {
  char *path;
  int file;      /* -1 for none */
  uint64_t size; /* of whole lines */
};

/** Open self->path, which is set, at the end of its last whole line. */
ctorch_error *appended_file_open(const char *function, struct appended_file *self) __attribute__((warn_unused_result));
/** Put lines behind the others, or leave the file as it was. */
ctorch_error *appended_file_put(const char *function, struct appended_file *self, const char *lines, size_t len)
    __attribute__((warn_unused_result));
/** All of it, behind what a buffer has. */
ctorch_error *appended_file_read(const char *function, const struct appended_file *self, struct buffer *out)
    __attribute__((warn_unused_result));
ctorch_error *appended_file_sync(const char *function, const struct appended_file *self)
    __attribute__((warn_unused_result));
void appended_file_close(struct appended_file *self);

#endif
