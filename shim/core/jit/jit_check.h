/* What is looked at in a file of TorchScript before LibTorch reads it, which believes the file.
 *
 * Its table of contents (zip.h); its pickles, whose every tensor has to lie in the record that it names, and which are
 * nested no deeper than values may be; its source text (core/jit/source.hpp), and where that came from. What is in
 * order may still be nonsense, about which LibTorch has something to say. */
#ifndef CTORCH_SHIM_CORE_JIT_JIT_CHECK_H
#define CTORCH_SHIM_CORE_JIT_JIT_CHECK_H

#include "ctorch/io/reader.h"
#include "ctorch/value/value.h"

struct unpickler;

ctorch_error *jit_check(const char *function, const ctorch_reader *reader) __attribute__((warn_unused_result));

/* FORMAT unless a pickle of where source text came from is one that LibTorch may read (jit_check_ranges.c). */
ctorch_error *jit_check_ranges(struct unpickler *pickle, const ctorch_value *value) __attribute__((warn_unused_result));

#endif
