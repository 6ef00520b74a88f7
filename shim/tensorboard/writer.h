/**
 * What a summary writer is made of, and how something is added to it:
 *
 *     ctorch_error *ctorch_summary_writer_add_…(ctorch_summary_writer *self, const char *tag, …) {
 *       CTORCH_TRY(summary_check(__func__, self, tag));
 *       const struct summary_value value = {.tag = tag, .what = …};
 *       return summary_add(__func__, self, &value, 1, global_step, walltime);
 *     }
 */
#ifndef CTORCH_SHIM_TENSORBOARD_WRITER_H
#define CTORCH_SHIM_TENSORBOARD_WRITER_H

#include <pthread.h>
#include <sys/types.h>

#include "tensorboard/event_file.h"

/** A writer of ctorch_summary_writer_add_scalars. */
struct sub_writer {
  char *folder;
  struct event_file file;
};

struct ctorch_summary_writer {
  pthread_mutex_t lock; /* over all below but `folder` and `process` */
  bool has_lock;
  char *folder;
  pid_t process;
  bool is_closed;
  struct event_file file;
  struct sub_writer *subs;
  size_t subs_len;
  char *projector; /* projector_config.pbtxt so far; NULL for nothing */
};

/** What every function that adds asks first: RUNTIME for one that is closed or of another process. `tag` is of the name
 * "tag". */
ctorch_error *summary_check(const char *function, const ctorch_summary_writer *self, const char *tag)
    __attribute__((warn_unused_result));
/** The same without a tag. */
ctorch_error *summary_check_writer(const char *function, const ctorch_summary_writer *self)
    __attribute__((warn_unused_result));
/** NULL_ARGUMENT, INVALID_ARGUMENT. */
ctorch_error *summary_check_text(const char *function, const char *name, const char *text)
    __attribute__((warn_unused_result));

/** Add an event; `wall_time` is set. */
ctorch_error *summary_add_event(
    const char *function, ctorch_summary_writer *self, struct event *event, const double *walltime)
    __attribute__((warn_unused_result));
/** Add a summary of some values, at most EVENT_VALUES. */
ctorch_error *summary_add(
    const char *function,
    ctorch_summary_writer *self,
    const struct summary_value *values,
    size_t values_len,
    int64_t global_step,
    const double *walltime) __attribute__((warn_unused_result));
/** A writer of another folder with the settings of this one. */
ctorch_error *summary_open_like(
    const char *function, ctorch_summary_writer **out, ctorch_summary_writer *self, const char *folder)
    __attribute__((warn_unused_result));

#endif
