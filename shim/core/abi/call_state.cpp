// The words that every call tests. They stand apart from what sets them, so that nothing else has to know that.
#include <stdlib.h>
#include <string.h>

#include "core/abi/error.hpp"
#include "core/abi/handle.hpp"
#include "core/abi/thread.hpp"

namespace ctorch {

__thread ctorch_scope *open_scope = nullptr;

__thread uint8_t thread_phase = THREAD_NEW;

uint8_t precautions = 0;

// Read once, before anything can be handed out: a handle is either counted both ways or not at all.
uintptr_t bookkeeping = [] {
  const char *value = getenv("CTORCH_DEBUG_HANDLES");
  if (value == nullptr || strcmp(value, "") == 0 || strcmp(value, "0") == 0) {
    return uintptr_t{0};
  }
  __atomic_fetch_or(&precautions, HANDLES, __ATOMIC_RELAXED);
  return LEAKS;
}();

}  // namespace ctorch
