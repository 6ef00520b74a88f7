// What stands in front of an object made in C (c/object.h).
#pragma once

#include <atomic>
#include <cstddef>

#include "core/c/object.h"

namespace ctorch {

struct alignas(std::max_align_t) CObjectHeader {
  const object_class *type;
  std::atomic<size_t> references;
};

inline CObjectHeader *header_of(const void *self) { return static_cast<CObjectHeader *>(const_cast<void *>(self)) - 1; }

}  // namespace ctorch
