/** Whether this thread's operators are being noted for a tape, for the layers above the operators. */
#ifndef CTORCH_SHIM_CORE_C_CAPTURE_H
#define CTORCH_SHIM_CORE_C_CAPTURE_H

#include "ctorch/abi/error.h"

CTORCH_BEGIN_DECLS

/** Whether a step is being noted that is going to be replayed. */
bool capture_is_on(void);

/** What is about to be done cannot be replayed, for this reason: the end of the capture answers it. Nothing is done
 * where there is none. */
void capture_refuse(const char *reason);

/** What part of a step does besides calling operators, for each replay. */
struct capture_part {
  /** NULL, or the error of `function` that what it needs is no longer as it was. Nothing has been done yet. */
  ctorch_error *(*check)(const char *function, void *payload);
  /** The replay begins: bring what the step reads up to date. */
  void (*begin)(void *payload);
  void (*destroy)(void *payload);
  void *payload;
};

/** Add one to the step that is being noted. The payload is consumed, unless there is an error. */
ctorch_error *capture_add(const char *function, const struct capture_part *part) __attribute__((warn_unused_result));

/** Call operators that are not noted, until capture_resume. */
void capture_pause(void);
void capture_resume(void);

CTORCH_END_DECLS

#endif
