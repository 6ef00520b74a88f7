/**
 * Destroying what a caller gave with a callback, in C.
 */
#ifndef CTORCH_SHIM_CORE_C_PAYLOAD_H
#define CTORCH_SHIM_CORE_C_PAYLOAD_H

#include "ctorch/abi/base.h"

CTORCH_BEGIN_DECLS

/** Call a caller's destroy function, if it is not NULL, while the thread has no scope open: what it releases was kept
 * beyond every scope (abi/outside_scopes.hpp). */
void payload_destroy(void (*destroy)(void *payload), void *payload);

CTORCH_END_DECLS

#endif
