// What stands behind a list of tensors.
#include "core/abi/handle.hpp"

#include <utility>

namespace {

at::TensorImpl *&word(at::Tensor &tensor) { return reinterpret_cast<at::TensorImpl *&>(tensor); }

}  // namespace

ctorch_tensor_list::ctorch_tensor_list(std::vector<at::Tensor> &&list) noexcept : tensors(std::move(list)) {
  for (at::Tensor &tensor : tensors) {
    if (!tensor.defined()) {
      word(tensor) = nullptr;
    }
  }
}

ctorch_tensor_list::~ctorch_tensor_list() {
  for (at::Tensor &tensor : tensors) {
    if (word(tensor) == nullptr) {
      word(tensor) = at::UndefinedTensorImpl::singleton();
    }
  }
}

void ctorch_tensor_list::clear() noexcept { (void)ctorch_tensor_list(std::exchange(tensors, {})); }
