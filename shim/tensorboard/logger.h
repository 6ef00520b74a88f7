/**
 * How a logger is written: a struct that begins with ctorch_logger, and what it does.
 */
#ifndef CTORCH_SHIM_TENSORBOARD_LOGGER_H
#define CTORCH_SHIM_TENSORBOARD_LOGGER_H

#include <ctorch.h>
#include <pthread.h>

#include "core/c/object.h"

/** Numbers of one step. */
struct logged {
  const char *const *names;
  const double *values;
  size_t len;
  int64_t step;
  double walltime;
};

struct logger_class {
  ctorch_error *(*log)(const char *function, ctorch_logger *self, const struct logged *logged);
  ctorch_error *(*flush)(const char *function, ctorch_logger *self);
};

struct ctorch_logger {
  const struct logger_class *class;
  pthread_mutex_t lock; /* held by who calls what is above */
  bool has_lock;
};

/** A new object whose struct begins with a ctorch_logger; NULL if memory has run out. */
void *logger_new(const object_class *type, const struct logger_class *class);
/** What its finalizer calls. */
void logger_end(ctorch_logger *self);
/** The checks of a path, and a copy of it. */
ctorch_error *logger_path(const char *function, const void *out, const char *path, char **copy)
    __attribute__((warn_unused_result));

#endif
