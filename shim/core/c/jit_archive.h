/**
 * Files of TorchScript, read and written by LibTorch, for the layer that knows readers and writers.
 *
 * LibTorch believes what a file says of itself: look at it first.
 */
#ifndef CTORCH_SHIM_CORE_C_JIT_ARCHIVE_H
#define CTORCH_SHIM_CORE_C_JIT_ARCHIVE_H

#include "core/c/archive_reader.h"
#include "core/c/archive_writer.h"
#include "ctorch/abi/base.h"
#include "ctorch/jit/jit.h"

CTORCH_BEGIN_DECLS

/** What `read` fails with comes out unchanged. */
ctorch_error *jit_archive_load(
    const char *function, ctorch_jit_module **out, const archive_source *source, const ctorch_device *device)
    __attribute__((warn_unused_result));

/** How a module is written. */
typedef struct jit_archive_options {
  const ctorch_value *extra_files; /* NULL for none */
  bool mobile, debug_info;
} jit_archive_options;

/** What `write` fails with comes out unchanged. */
ctorch_error *jit_archive_save(
    const char *function,
    const ctorch_jit_module *self,
    const jit_archive_options *options,
    archive_write write,
    void *payload) __attribute__((warn_unused_result));

/** Why a source text may not be read: an owned text, NULL if it may. */
ctorch_error *jit_archive_check_source(
    const char *function, ctorch_string **out_problem, const char *source, size_t source_len)
    __attribute__((warn_unused_result));

/** Why LibTorch may not make what a pickle describes: its dicts would take far more memory than their keys need,
 * because the keys' hashes collide. An owned text, NULL if it may. */
ctorch_error *jit_archive_check_dicts(const char *function, ctorch_string **out_problem, const ctorch_value *value)
    __attribute__((warn_unused_result));

CTORCH_END_DECLS

#endif
