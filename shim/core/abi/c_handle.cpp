// Objects made in C on their way to a caller and back: scopes and the leak report know them like other handles.
#include <string.h>

#include <new>

#include "core/abi/error.hpp"
#include "core/abi/handle.hpp"
#include "core/c/object.h"

using namespace ctorch;

ctorch_error *object_give(const char *function, void *out, void *self) {
  ctorch_error *error = guard_while_ending(function, [&] {
    if (self == nullptr) {
      throw std::bad_alloc();
    }
    if (out == nullptr) {
      fail_null("out");
    }
    hand_out({{self, Kind::CObject}});
  });
  if (error != nullptr) {
    object_unref(self);
    return error;
  }
  memcpy(out, &self, sizeof self);  // whatever the type of the caller's pointer is
  return nullptr;
}

void object_take(void *self) {
  if (self != nullptr) {
    (void)take_back({self, Kind::CObject});
  }
}

void object_retain(const void *self) {
  if (self != nullptr && (!keeps(LEAKS) || is_usable({const_cast<void *>(self), Kind::CObject}))) {
    void *object = object_ref(self);
    if (__builtin_expect(recording(), false)) {
      record_retained({object, Kind::CObject});
    }
  }
}

void object_release(void *self) {
  if (self != nullptr && take_back({self, Kind::CObject})) {
    object_unref(self);
  }
}
