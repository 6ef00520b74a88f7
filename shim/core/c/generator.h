/** Generators of random numbers that objects made in C keep: references that no scope sees. */
#ifndef CTORCH_SHIM_CORE_C_GENERATOR_H
#define CTORCH_SHIM_CORE_C_GENERATOR_H

#include "ctorch/abi/base.h"
#include "ctorch/settings/random.h"

CTORCH_BEGIN_DECLS

/** A reference of one's own, in no scope and no book. Returns `self`; NULL is allowed. */
ctorch_generator *generator_ref(const ctorch_generator *self);
void generator_unref(ctorch_generator *self);
/** Take over a reference that a function handed out: no scope owns it any more. Returns `self`; NULL is allowed. */
ctorch_generator *generator_take(ctorch_generator *self);

CTORCH_END_DECLS

#endif
