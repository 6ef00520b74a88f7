// autograd.h: what a tensor knows of the graph; backward.cpp and grad_mode.cpp have the rest.
#include "ctorch/autograd/autograd.h"

#include <ATen/core/Tensor.h>

#include <ATen/FuncTorchTLS.h>
#include <ATen/ops/requires_grad_ops.h>
#include <torch/csrc/autograd/variable.h>

#include "core/abi/error.hpp"
#include "core/abi/from.hpp"
#include "core/abi/to.hpp"
#include "core/func/func.hpp"
#include "core/torch/autograd.hpp"

using namespace ctorch;

namespace {

ctorch_error_kind kind_of(const ErrorDetails &details) {
  return details.shapes    ? CTORCH_ERROR_SHAPE_MISMATCH
         : details.devices ? CTORCH_ERROR_DEVICE_MISMATCH
                           : CTORCH_ERROR_DTYPE_MISMATCH;
}

/// The conditions under which Python's `t.grad = g` is allowed.
void check_grad(const at::Tensor &self, const at::Tensor &grad) {
  auto refuse = [](const char *what, ErrorDetails details) {
    throw Failure{kind_of(details), std::string("grad is of another ") + what + " than self", std::move(details)};
  };
  if (grad.is_same(self)) {
    fail_argument("grad", "a tensor cannot be its own gradient");
  }
  const std::optional<at::ScalarType> dtype = libtorch::grad_dtype(self);
  if (dtype && grad.scalar_type() != *dtype) {
    refuse(
        "dtype",
        {.dtypes = std::pair(static_cast<ctorch_dtype>(*dtype), static_cast<ctorch_dtype>(grad.scalar_type()))});
  }
  if (grad.device() != self.device()) {
    refuse("device", {.devices = std::pair(to::device(self.device()), to::device(grad.device()))});
  }
  if (grad.layout() != at::kSparse && grad.layout() != self.layout()) {
    fail(CTORCH_ERROR_RUNTIME, "grad is of another layout than self, and not sparse");
  }
  if (!grad.sym_sizes().equals(self.sym_sizes())) {
    refuse("shape", {.shapes = std::pair(self.sizes().vec(), grad.sizes().vec())});
  }
}

}  // namespace

bool ctorch_tensor_requires_grad(const ctorch_tensor *self) { return self != nullptr && impl(self)->requires_grad(); }

ctorch_error *ctorch_tensor_set_requires_grad(ctorch_tensor *self, bool requires_grad) {
  return guard(__func__, [&] {
    from::Mutable tensor(self, "self");
    if (const auto &transforms = at::functorch::functorchTLSAccessor()) {
      transforms->checkSupportsInplaceRequiresGrad();
    }
    at::_ops::requires_grad_::call(tensor, requires_grad);
  });
}

bool ctorch_tensor_is_leaf(const ctorch_tensor *self) {
  return self == nullptr || from::unchecked::tensor(self, "self").is_leaf();
}

ctorch_error *ctorch_tensor_grad(ctorch_tensor **out, const ctorch_tensor *self) {
  return guard(__func__, [&] {
    to::require(out, "out");
    at::Tensor grad = from::tensor(self, "self").grad();
    to::give(std::move(grad), out);
  });
}

ctorch_error *ctorch_tensor_set_grad(ctorch_tensor *self, const ctorch_tensor *grad) {
  return guard(__func__, [&] {
    const at::Tensor &tensor = from::tensor(self, "self");
    at::Tensor value = grad == nullptr ? at::Tensor() : share(grad);
    if (value.defined()) {
      check_grad(tensor, value);
    }
    tensor.mutable_grad() = std::move(value);
  });
}

ctorch_dtype ctorch_tensor_grad_dtype(const ctorch_tensor *self) {
  const auto dtype = self == nullptr ? std::nullopt : libtorch::grad_dtype(from::unchecked::tensor(self, "self"));
  return dtype ? static_cast<ctorch_dtype>(*dtype) : -1;
}

ctorch_error *ctorch_tensor_set_grad_dtype(ctorch_tensor *self, const ctorch_dtype *grad_dtype) {
  return guard(__func__, [&] {
    const at::Tensor &tensor = from::tensor(self, "self");
    const auto dtype = from::optional_dtype(grad_dtype, "grad_dtype");
    if (!tensor.is_leaf()) {
      fail(CTORCH_ERROR_RUNTIME, "grad_dtype can only be set on leaf tensors");
    }
    if (dtype && tensor.grad().defined() && tensor.grad().scalar_type() != *dtype) {
      fail(
          CTORCH_ERROR_RUNTIME,
          std::string("there is already a gradient with dtype ") + c10::toString(tensor.grad().scalar_type()));
    }
    libtorch::set_grad_dtype(tensor, dtype);
  });
}

bool ctorch_tensor_is_view(const ctorch_tensor *self) {
  return self != nullptr && from::unchecked::tensor(self, "self").is_view();
}

ctorch_error *ctorch_tensor_base(ctorch_tensor **out, const ctorch_tensor *self) {
  return guard(__func__, [&] {
    to::require(out, "out");
    const at::Tensor &tensor = from::tensor(self, "self");
    to::give(tensor.is_view() ? at::Tensor(tensor._base()) : at::Tensor(), out);
  });
}

ctorch_error *ctorch_tensor_increment_version(ctorch_tensor *self) {
  return guard(__func__, [&] {
    const at::Tensor &tensor = from::tensor(self, "self");
    if (!tensor.is_inference()) {
      torch::autograd::impl::bump_version(tensor);
    }
  });
}
