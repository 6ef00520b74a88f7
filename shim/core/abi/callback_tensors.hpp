// Lists of tensors on their way into a callback, and out of it.
#pragma once

#include <ATen/core/Tensor.h>

#include <utility>
#include <vector>

#include "core/abi/callback.hpp"
#include "core/abi/handle.hpp"

namespace ctorch {

/// The handles of tensors that a callback borrows; undefined ones are NULL.
inline std::vector<const ctorch_tensor *> borrowed_handles(const std::vector<at::Tensor> &tensors) {
  std::vector<const ctorch_tensor *> handles;
  handles.reserve(tensors.size());
  for (const at::Tensor &tensor : tensors) {
    handles.push_back(lent(tensor));
  }
  return handles;
}

/// Second owners of borrowed handles; NULL is the undefined tensor.
inline std::vector<at::Tensor> share_all(const ctorch_tensor *const *handles, size_t len) {
  std::vector<at::Tensor> tensors;
  tensors.reserve(len);
  for (size_t i = 0; i < len; i++) {
    tensors.push_back(handles[i] == nullptr ? at::Tensor() : share(handles[i]));
  }
  return tensors;
}

/// A list that a callback may write; it is released here.
struct WrittenList {
  ctorch_tensor_list *list = nullptr;

  WrittenList() = default;
  WrittenList(const WrittenList &) = delete;
  WrittenList &operator=(const WrittenList &) = delete;
  ~WrittenList() {
    if (list != nullptr && take_back({list, Kind::TensorList})) {
      release({list, Kind::TensorList});
    }
  }
};

/// Run a callback that hands over a list: `call(&list, &error)`. Where it hands over NULL the list has `if_null`
/// undefined tensors.
template <class Call>
std::vector<at::Tensor> tensors_from_callback(const char *name, size_t if_null, Call &&call) {
  WrittenList out;
  run_callback(name, [&](ctorch_error **error) { return call(&out.list, error); });
  if (out.list == nullptr) {
    return std::vector<at::Tensor>(if_null);
  }
  if (keeps(LEAKS)) {
    check_usable({out.list, Kind::TensorList}, name);
  }
  return share_all(out.list->data(), out.list->tensors.size());
}

}  // namespace ctorch
