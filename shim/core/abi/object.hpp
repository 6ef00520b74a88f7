// Objects: what stands behind the opaque types that are ctorch's own (`struct ctorch_value : ctorch::Object`).
//
// They carry LibTorch's reference count, so one release, one retain, one line in the leak report serve all of them. A
// type needs a name, and from handle.hpp and to.hpp:
//
//     to::give(c10::make_intrusive<ctorch_value>(…), out);      // hand one out
//     from::object(self, "self").ivalue                         // look at one, NULL_ARGUMENT if it is NULL
//     void ctorch_value_retain(const ctorch_value *self) { retain_object(self); }
//     void ctorch_value_release(ctorch_value *self) { release_object(self); }
#pragma once

#include <c10/util/intrusive_ptr.h>

namespace ctorch {

void free_later(void *handle, void (*free)(void *handle)) noexcept;

/// Must be the first base of a handle's type: scopes and leak reports know a handle by its address.
struct Object : c10::intrusive_ptr_target {
  /// The C type without its prefix, for the leak report: "value".
  virtual const char *type_name() const noexcept = 0;

  static void operator delete(void *memory) noexcept {
    free_later(memory, [](void *freed) { ::operator delete(freed); });
  }
};

}  // namespace ctorch
