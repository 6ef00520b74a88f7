#include "ctorch/autograd.h"

#include <ATen/core/Tensor.h>

#include <ATen/ops/detach_ops.h>
#include <ATen/ops/requires_grad_ops.h>
#include <c10/core/GradMode.h>
#include <torch/csrc/autograd/autograd.h>

#include <vector>

#include "error.hpp"
#include "from.hpp"
#include "func.hpp"
#include "to.hpp"

using namespace ctorch;

namespace {

thread_local std::vector<bool> grad_modes;

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
  if (grad.scalar_type() != self.scalar_type()) {
    refuse(
        "dtype", {.dtypes = std::pair(
                      static_cast<ctorch_dtype>(self.scalar_type()), static_cast<ctorch_dtype>(grad.scalar_type()))});
  }
  if (grad.device() != self.device()) {
    refuse("device", {.devices = std::pair(to::device(self.device()), to::device(grad.device()))});
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
    at::_ops::requires_grad_::call(tensor, requires_grad);
  });
}

bool ctorch_tensor_is_leaf(const ctorch_tensor *self) {
  return self == nullptr || from::tensor(self, "self").is_leaf();
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

ctorch_error *ctorch_tensor_detach(ctorch_tensor **out, const ctorch_tensor *self) {
  return guard(__func__, [&] {
    to::require(out, "out");
    to::give(at::_ops::detach::call(from::tensor(self, "self")), out);
  });
}

ctorch_error *ctorch_tensor_backward(
    const ctorch_tensor *self, const ctorch_tensor *gradient, const bool *retain_graph, bool create_graph) {
  return guard(__func__, [&] {
    if (func::inside_transform()) {
      fail(
          CTORCH_ERROR_RUNTIME,
          "backward() called inside a functorch transform. This is not supported, please use grad or vjp of func.h "
          "instead or call backward() outside of functorch transforms.");
    }
    torch::autograd::backward(
        {from::tensor(self, "self")}, {gradient == nullptr ? at::Tensor() : share(gradient)},
        from::optional(retain_graph), create_graph);
  });
}

ctorch_error *ctorch_grad_mode_push(bool enabled) {
  return guard(__func__, [&] {
    grad_modes.push_back(c10::GradMode::is_enabled());
    c10::GradMode::set_enabled(enabled);
  });
}

ctorch_error *ctorch_grad_mode_pop(void) {
  return guard(__func__, [&] {
    if (grad_modes.empty()) {
      fail(CTORCH_ERROR_RUNTIME, "no grad mode was pushed on this thread");
    }
    c10::GradMode::set_enabled(grad_modes.back());
    grad_modes.pop_back();
  });
}

bool ctorch_grad_mode_enabled(void) { return c10::GradMode::is_enabled(); }
