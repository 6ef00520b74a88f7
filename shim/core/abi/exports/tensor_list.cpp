// tensor_list.h: owned sequences of tensors.
#include "ctorch/abi/tensor_list.h"

#include "core/abi/error.hpp"
#include "core/abi/from.hpp"
#include "core/abi/handle.hpp"
#include "core/abi/to.hpp"

using namespace ctorch;

ctorch_error *ctorch_tensor_list_new(
    ctorch_tensor_list **out, const ctorch_tensor *const *tensors, size_t tensors_len) {
  return guard_while_ending(__func__, [&] {
    to::require(out, "out");
    from::check_list(tensors, tensors_len, "tensors");
    std::vector<at::Tensor> list;
    list.reserve(tensors_len);
    for (size_t i = 0; i < tensors_len; i++) {
      list.push_back(tensors[i] == nullptr ? at::Tensor() : share(tensors[i]));
    }
    to::give(std::move(list), out);
  });
}

void ctorch_tensor_list_release(ctorch_tensor_list *self) {
  if (self != nullptr && take_back({self, Kind::TensorList})) {
    release({self, Kind::TensorList});
  }
}

size_t ctorch_tensor_list_len(const ctorch_tensor_list *self) { return is_there(self) ? self->tensors.size() : 0; }

const ctorch_tensor *const *ctorch_tensor_list_data(const ctorch_tensor_list *self) {
  return is_there(self) ? self->data() : nullptr;
}

ctorch_tensor *const *ctorch_tensor_list_mutable_data(ctorch_tensor_list *self) {
  return is_there(self) ? const_cast<ctorch_tensor *const *>(self->data()) : nullptr;
}

ctorch_error *ctorch_tensor_list_get(ctorch_tensor **out, const ctorch_tensor_list *self, size_t index) {
  return guard_while_ending(__func__, [&] {
    to::require(out, "out");
    from::object(self, "self");
    if (index >= self->tensors.size()) {
      fail(
          CTORCH_ERROR_INDEX,
          "index " + std::to_string(index) + " of a list of length " + std::to_string(self->tensors.size()));
    }
    const ctorch_tensor *element = self->data()[index];
    to::give(element == nullptr ? at::Tensor() : share(element), out);
  });
}
