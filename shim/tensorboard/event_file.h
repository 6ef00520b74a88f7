/** An event file that is written: what waits in memory, the file it goes to, and the file after that. */
#ifndef CTORCH_SHIM_TENSORBOARD_EVENT_FILE_H
#define CTORCH_SHIM_TENSORBOARD_EVENT_FILE_H

#include "tensorboard/records.h"

struct event_file {
  char *folder, *suffix; /* `folder` is NULL where one file was named */
  char *path;
  int file;              /* -1 for none */
  uint64_t size;         /* of the records that are in the file, all of them whole */
  struct buffer waiting; /* records that are not */
  int64_t waiting_len;   /* how many */
  int64_t stamp;         /* of the file's name */
  double written, begun; /* when something was written last, and the file begun; by the clock that only goes on */
  bool has_events;       /* beside its version */
  int64_t max_queue;
  double flush_secs;
  int64_t max_bytes; /* of a file; 0 for no limit */
  double max_secs;
};

/** Seconds since 1970. */
double event_time(void);

/** Make the folder, and the first file in it. */
ctorch_error *event_file_begin(const char *function, struct event_file *self) __attribute__((warn_unused_result));
/** Open self->path to go on with it. */
ctorch_error *event_file_continue(const char *function, struct event_file *self) __attribute__((warn_unused_result));
/** Let an event wait, and write what is due. Where that fails the event waits all the same, unless very much does. */
ctorch_error *event_file_add(const char *function, struct event_file *self, const struct event *event)
    __attribute__((warn_unused_result));
ctorch_error *event_file_write(const char *function, struct event_file *self) __attribute__((warn_unused_result));
/** The same, and bring it to the disk. */
ctorch_error *event_file_sync(const char *function, struct event_file *self) __attribute__((warn_unused_result));
/** Give everything up; what waits is lost. */
void event_file_end(struct event_file *self);

#endif
