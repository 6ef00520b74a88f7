/** Whether this thread's operators are being noted for a tape, for the storeys above the operators. */
#ifndef CTORCH_ABI_CAPTURE_H
#define CTORCH_ABI_CAPTURE_H

#include "ctorch/base.h"

CTORCH_BEGIN_DECLS

/** Whether a step is being noted that is going to be replayed. */
bool capture_is_on(void);

/** What is about to be done cannot be replayed, for this reason: the end of the capture answers it. Nothing is done
 * where there is none. */
void capture_refuse(const char *reason);

CTORCH_END_DECLS

#endif
