// c/payload.h: destroy functions that are called from C.
#include "core/c/payload.h"

#include "core/abi/outside_scopes.hpp"

void payload_destroy(void (*destroy)(void *payload), void *payload) {
  if (destroy != nullptr) {
    const ctorch::OutsideScopes outside;
    destroy(payload);
  }
}
