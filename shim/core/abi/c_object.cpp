// Objects made in C: a header in front of the struct holds its class and the count of its references.
#include <stdlib.h>

#include <atomic>
#include <cstddef>
#include <new>

#include "abi/c/object.h"
#include "abi/handle.hpp"

namespace {

struct alignas(std::max_align_t) Header {
  const object_class *type;
  std::atomic<size_t> references;
};

Header *header(const void *self) { return static_cast<Header *>(const_cast<void *>(self)) - 1; }

}  // namespace

namespace ctorch {

const char *c_object_name(const void *self) noexcept { return header(self)->type->name; }

}  // namespace ctorch

void *object_new(const object_class *type) {
  void *memory = calloc(1, sizeof(Header) + type->size);
  return memory == nullptr ? nullptr : new (memory) Header{type, 1} + 1;
}

const object_class *object_class_of(const void *self) { return header(self)->type; }

void *object_ref(const void *self) {
  if (self != nullptr) {
    header(self)->references.fetch_add(1, std::memory_order_relaxed);
  }
  return const_cast<void *>(self);
}

void object_unref(void *self) {
  if (self == nullptr || header(self)->references.fetch_sub(1, std::memory_order_acq_rel) != 1) {
    return;
  }
  Header *object = header(self);
  if (object->type->finalize != nullptr) {
    object->type->finalize(self);
  }
  ctorch::free_later(self, [](void *freed) { free(header(freed)); });
}
