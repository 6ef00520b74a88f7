/** What modules of losses share. */
#ifndef CTORCH_SHIM_NN_LOSS_H
#define CTORCH_SHIM_NN_LOSS_H

#include <ctorch.h>

/** Text that lives for ever in place of what the caller gave: "none", "mean", "sum", or "batchmean" if that is
 * allowed. */
ctorch_error *loss_reduction(const char *function, const char **out, const char *name, bool batchmean)
    __attribute__((warn_unused_result));

#endif
