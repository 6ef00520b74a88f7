/**
 * Versions of ctorch and of LibTorch.
 */
#ifndef CTORCH_VERSION_H
#define CTORCH_VERSION_H

#include "ctorch/abi/base.h"

/** The version of this header; the build, the package files and api.json read it from here. */
#define CTORCH_VERSION_MAJOR 0
#define CTORCH_VERSION_MINOR 1
#define CTORCH_VERSION_PATCH 0

CTORCH_BEGIN_DECLS

/**
 * The version of the loaded ctorch library, as in "0.1.0".
 *
 * @return static text.
 */
CTORCH_API const char *ctorch_version(void);

/**
 * The version of the LibTorch that is loaded in this process, as in "2.13.0".
 *
 * @return static text.
 */
CTORCH_API const char *ctorch_version_torch(void);

/**
 * The version of LibTorch that this ctorch library was compiled against, as in "2.13.0".
 *
 * Code of LibTorch's headers is compiled into ctorch, so both must have the same major and minor number. If they
 * differ, every function that returns a `ctorch_error *` refuses with UNSUPPORTED and names both versions.
 *
 * @return static text.
 */
CTORCH_API const char *ctorch_version_torch_compiled(void);

CTORCH_END_DECLS

#endif
