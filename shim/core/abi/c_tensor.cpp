// Tensors that objects made in C keep, and texts that they hand out: c/tensor.h.
#include "core/c/tensor.h"

#include <string>

#include "core/abi/error.hpp"
#include "core/abi/handle.hpp"
#include "core/abi/to.hpp"

using namespace ctorch;

ctorch_tensor *tensor_ref(const ctorch_tensor *self) {
  if (self != nullptr) {
    c10::raw::intrusive_ptr::incref(impl(self));
  }
  return const_cast<ctorch_tensor *>(self);
}

void tensor_unref(ctorch_tensor *self) {
  if (self != nullptr) {
    c10::raw::intrusive_ptr::decref(impl(self));
  }
}

ctorch_tensor *tensor_take(ctorch_tensor *self) {
  if (self != nullptr) {
    (void)take_back({impl(self), Kind::Tensor});
  }
  return self;
}

ctorch_error *tensor_give(const char *function, ctorch_tensor **out, const ctorch_tensor *self) {
  return guard(function, [&] {
    to::require(out, "out");
    if (self == nullptr) {
      *out = nullptr;
      return;
    }
    to::give(share(self), out);
  });
}

ctorch_error *string_give(const char *function, ctorch_string **out, const char *data, size_t len) {
  return guard(function, [&] {
    to::require(out, "out");
    to::give(std::string(data, len), out);
  });
}
