/* What goes wrong with files. */
#ifndef CTORCH_SHIM_BASE_FILE_SYSTEM_H
#define CTORCH_SHIM_BASE_FILE_SYSTEM_H

#include "ctorch/abi/error.h"

/* IO: "cannot <what> <path>: <what errno says>". */
ctorch_error *system_error(const char *function, const char *what, const char *path)
    __attribute__((warn_unused_result));

/* The folder of a path, which the caller frees: "." for a name alone. NULL is out of memory. */
char *system_folder(const char *path);

/* Bring what stands in a folder to the disk: names that were made, changed or removed. */
ctorch_error *system_sync_folder(const char *function, const char *folder) __attribute__((warn_unused_result));

#endif
