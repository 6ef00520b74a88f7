/**
 * Memory that objects made in C hold, for memory pressure (<ctorch/abi/memory_pressure.h>): a garbage collector that
 * forgets a tokenizer of 20 MB has to hear of it as it does of a tensor.
 *
 * Only what is large counts: vocabularies, files that are mapped or copied. Tensors count by themselves.
 */
#ifndef CTORCH_SHIM_CORE_C_FOOTPRINT_H
#define CTORCH_SHIM_CORE_C_FOOTPRINT_H

#include "ctorch/abi/base.h"

CTORCH_BEGIN_DECLS

/** Add bytes that an object holds from now on; negative: that it held, by the same number. On any thread. */
void footprint_note(ptrdiff_t nbytes);

CTORCH_END_DECLS

#endif
