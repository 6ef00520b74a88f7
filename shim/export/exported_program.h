/* An exported program as its parts see it. */
#ifndef CTORCH_SHIM_EXPORT_EXPORTED_PROGRAM_H
#define CTORCH_SHIM_EXPORT_EXPORTED_PROGRAM_H

#include <ctorch.h>

#include "export/pt2_archive.h"

struct ctorch_exported_program {
  ctorch_reader *reader;
  struct pt2_archive archive;
  char *model_name;
#if CTORCH_HAS_JANSSON
  json_t *program; /* an object with a graph module, which may hold anything */
#endif
};

/* What every function begins with. */
ctorch_error *exported_program_check(const char *function, const void *out, const ctorch_exported_program *self)
    __attribute__((warn_unused_result));

#endif
