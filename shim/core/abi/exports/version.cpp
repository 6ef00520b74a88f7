// version.h: which ctorch this is, and on which LibTorch it runs.
#include "ctorch/abi/version.h"

#include "core/abi/version.hpp"

const char *ctorch_version(void) {
  return CTORCH_TEXT(CTORCH_VERSION_MAJOR) "." CTORCH_TEXT(CTORCH_VERSION_MINOR) "." CTORCH_TEXT(CTORCH_VERSION_PATCH);
}

const char *ctorch_version_torch(void) { return ctorch::loaded_torch_version(); }

const char *ctorch_version_torch_compiled(void) { return TORCH_VERSION_COMPILED; }
