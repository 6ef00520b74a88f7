// Objects made in C: a header in front of the struct holds its class and the count of its references.
#include <stdlib.h>

#include <new>

#include "core/abi/c_object.hpp"
#include "core/abi/handle.hpp"

using ctorch::header_of;

void *object_new(const object_class *type) {
  void *memory = calloc(1, sizeof(ctorch::CObjectHeader) + type->size);
  return memory == nullptr ? nullptr : new (memory) ctorch::CObjectHeader{type, 1} + 1;
}

const object_class *object_class_of(const void *self) { return header_of(self)->type; }

void object_become(void *self, const object_class *type) { header_of(self)->type = type; }

void *object_ref(const void *self) {
  if (self != nullptr) {
    header_of(self)->references.fetch_add(1, std::memory_order_relaxed);
  }
  return const_cast<void *>(self);
}

void object_unref(void *self) {
  if (self == nullptr || header_of(self)->references.fetch_sub(1, std::memory_order_acq_rel) != 1) {
    return;
  }
  ctorch::CObjectHeader *object = header_of(self);
  if (object->type->finalize != nullptr) {
    object->type->finalize(self);
  }
  ctorch::free_later(self, [](void *freed) { free(header_of(freed)); });
}
