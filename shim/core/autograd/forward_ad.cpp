// forward_ad.h: dual tensors and the level they belong to.
#include "ctorch/autograd/forward_ad.h"

#include <ATen/core/Tensor.h>

#include <ATen/ops/_make_dual_ops.h>
#include <ATen/ops/_unpack_dual_ops.h>
#include <torch/csrc/autograd/autograd.h>
#include <torch/csrc/autograd/forward_grad.h>

#include "core/abi/error.hpp"
#include "core/abi/from.hpp"
#include "core/abi/mode.hpp"
#include "core/abi/thread.hpp"
#include "core/abi/to.hpp"

using namespace ctorch;
namespace forward_ad = torch::autograd::forward_ad;

namespace {

/// Levels are the process's; these are the ones that this thread opened.
struct Levels final : PerThread {
  void thread_ends(bool with_libtorch) noexcept override {
    if (!with_libtorch) {
      return;
    }
    for (; !levels.empty(); levels.pop_back()) {
      try {
        forward_ad::exit_dual_level(levels.back());
      } catch (...) {  // somebody else has closed it
      }
    }
  }

  std::vector<uint64_t> levels;
};

void take_back(uintptr_t) noexcept {
  auto &levels = per_thread<Levels>().levels;
  if (levels.empty()) {
    return;
  }
  const uint64_t level = levels.back();
  levels.pop_back();
  try {
    forward_ad::exit_dual_level(level);
  } catch (...) {  // somebody else has closed it
  }
}

const ModeKind dual_level = {"dual level", take_back, true};

void check_dtype(const at::Tensor &tensor, const char *what) {
  if (!c10::isFloatingType(tensor.scalar_type()) && !c10::isComplexType(tensor.scalar_type())) {
    fail(
        CTORCH_ERROR_VALUE, std::string("Expected ") + what + " to be floating point or complex, but got: torch." +
                                ctorch_dtype_name(static_cast<ctorch_dtype>(tensor.scalar_type())));
  }
}

}  // namespace

ctorch_error *ctorch_dual_level_push(void) {
  return guard(__func__, [] {
    push_mode(dual_level, [] {
      auto &levels = per_thread<Levels>().levels;
      levels.push_back(0);
      try {
        levels.back() = forward_ad::enter_dual_level();
      } catch (...) {
        levels.pop_back();
        throw;
      }
      return 0;
    });
  });
}

ctorch_error *ctorch_dual_level_pop(void) {
  return guard(__func__, [] {
    pop_mode(dual_level, [] {
      auto &levels = per_thread<Levels>().levels;
      if (levels.empty()) {
        fail(CTORCH_ERROR_RUNTIME, "no dual level was pushed on this thread");
      }
      forward_ad::exit_dual_level(levels.back());
      levels.pop_back();
    });
  });
}

int64_t ctorch_dual_level_current(void) {
  int64_t level = -1;
  while (torch::autograd::ForwardADLevel::try_get_by_idx(level + 1) != nullptr) {
    level++;
  }
  return level;
}

ctorch_error *ctorch_tensor_make_dual(
    ctorch_tensor **out, const ctorch_tensor *self, const ctorch_tensor *tangent, const int64_t *level) {
  return guard(__func__, [&] {
    to::require(out, "out");
    const at::Tensor &primal = from::tensor(self, "self");
    const at::Tensor &direction = from::tensor(tangent, "tangent");
    const int64_t at_level = level == nullptr ? ctorch_dual_level_current() : *level;
    if (at_level < 0) {
      fail(
          CTORCH_ERROR_RUNTIME,
          "Trying to create a dual Tensor for forward AD but no level exists, make sure to enter_dual_level() first.");
    }
    check_dtype(primal, "primal");
    check_dtype(direction, "tangent");
    to::give(at::_ops::_make_dual::call(primal, direction, at_level), out);
  });
}

ctorch_error *ctorch_tensor_unpack_dual(
    ctorch_tensor **out_primal, ctorch_tensor **out_tangent, const ctorch_tensor *self, const int64_t *level) {
  return guard(__func__, [&] {
    to::require(out_primal, "out_primal");
    to::require(out_tangent, "out_tangent");
    const at::Tensor &tensor = from::tensor(self, "self");
    const int64_t at_level = level == nullptr ? ctorch_dual_level_current() : *level;
    if (at_level < 0) {
      to::give(std::tuple(tensor, at::Tensor()), out_primal, out_tangent);
    } else {
      to::give(at::_ops::_unpack_dual::call(tensor, at_level), out_primal, out_tangent);
    }
  });
}
