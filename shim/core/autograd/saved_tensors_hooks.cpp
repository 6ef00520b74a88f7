// saved_tensors_hooks.h: pairs of callbacks that pack what the graph saves.
#include "ctorch/autograd/saved_tensors_hooks.h"

#include <ATen/DeviceAccelerator.h>
#include <ATen/core/Tensor.h>
#include <ATen/ops/copy_ops.h>
#include <ATen/ops/detach_ops.h>
#include <ATen/ops/empty_ops.h>
#include <ATen/ops/to_ops.h>

#include <memory>
#include <utility>

#include "core/abi/callback.hpp"
#include "core/abi/capture.hpp"
#include "core/abi/error.hpp"
#include "core/abi/from.hpp"
#include "core/abi/handle.hpp"
#include "core/abi/mode.hpp"
#include "core/abi/outside_scopes.hpp"
#include "core/autograd/hooking_engine.hpp"
#include "core/torch/accelerator.hpp"

using namespace ctorch;
using torch::autograd::SavedVariableHooks;

namespace {

/// Hooks that the caller wrote.
class CallbackHooks final : public SavedTensorsHooks, public std::enable_shared_from_this<CallbackHooks> {
 public:
  CallbackHooks(
      ctorch_saved_tensors_pack_callback pack,
      ctorch_saved_tensors_unpack_callback unpack,
      ctorch_saved_tensors_destroy_callback destroy_packed,
      void (*destroy)(void *payload),
      void *payload)
      : pack(pack), unpack(unpack), destroy_packed(destroy_packed), payload(destroy, payload) {}

  std::unique_ptr<SavedVariableHooks> make() override;

  const ctorch_saved_tensors_pack_callback pack;
  const ctorch_saved_tensors_unpack_callback unpack;
  const ctorch_saved_tensors_destroy_callback destroy_packed;
  Payload payload;
};

/// An output refers to the node that saves it: to keep that would be a cycle, which nothing collects.
at::Tensor outside_of_graph(const at::Tensor &tensor) {
  return tensor.requires_grad() ? at::_ops::detach::call(tensor) : tensor;
}

class CallbackPacked final : public SavedVariableHooks {
 public:
  explicit CallbackPacked(std::shared_ptr<CallbackHooks> hooks) : hooks_(std::move(hooks)) {}
  CallbackPacked(const CallbackPacked &) = delete;
  CallbackPacked &operator=(const CallbackPacked &) = delete;
  ~CallbackPacked() override {
    if (is_packed_ && hooks_->destroy_packed != nullptr) {
      const OutsideScopes outside;
      hooks_->destroy_packed(packed_, hooks_->payload.get());
    }
  }

  void call_pack_hook(const at::Tensor &tensor) override {
    const at::Tensor outside = outside_of_graph(tensor);
    refuse_in_capture("a hook for saved tensors is called");
    run_callback("pack", [&](ctorch_error **error) {
      return hooks_->pack(&packed_, lent(outside), error, hooks_->payload.get());
    });
    is_packed_ = true;
  }

  at::Tensor call_unpack_hook() override {
    ctorch_tensor *handle = nullptr;
    struct Owned {
      ctorch_tensor *&handle;
      ~Owned() { drop(handle); }
    } owned{handle};
    run_callback(
        "unpack", [&](ctorch_error **error) { return hooks_->unpack(&handle, packed_, error, hooks_->payload.get()); });
    TORCH_CHECK_TYPE(handle != nullptr, "Output of saved tensor unpack_hook expected to be a Tensor but got NULL");
    return take_over(std::exchange(handle, nullptr));
  }

 private:
  const std::shared_ptr<CallbackHooks> hooks_;
  void *packed_ = nullptr;
  bool is_packed_ = false;
};

std::unique_ptr<SavedVariableHooks> CallbackHooks::make() {
  return std::make_unique<CallbackPacked>(shared_from_this());
}

/// What torch.autograd.graph.save_on_cpu makes of a tensor.
class OnCpu final : public SavedVariableHooks {
 public:
  explicit OnCpu(bool pin_memory) : pin_memory_(pin_memory) {}

  void call_pack_hook(const at::Tensor &tensor) override {
    device_ = tensor.device();
    if (!pin_memory_) {
      on_cpu_ = move(outside_of_graph(tensor), at::kCPU);
      return;
    }
    const bool pinnable = libtorch::accelerator_count() > 0 && !tensor.is_sparse();
    on_cpu_ = at::_ops::empty_memory_format::call(
        tensor.sym_sizes(), tensor.scalar_type(), tensor.layout(), at::kCPU, pinnable, std::nullopt);
    at::_ops::copy_::call(on_cpu_, tensor, /*non_blocking=*/pinnable);
  }

  at::Tensor call_unpack_hook() override { return move(on_cpu_, device_); }

 private:
  at::Tensor move(const at::Tensor &tensor, at::Device device) const {
    return at::_ops::to_device::call(
        tensor, device, tensor.scalar_type(), /*non_blocking=*/pin_memory_, /*copy=*/false, std::nullopt);
  }

  const bool pin_memory_;
  at::Device device_ = at::kCPU;
  at::Tensor on_cpu_;
};

class OnCpuHooks final : public SavedTensorsHooks {
 public:
  explicit OnCpuHooks(bool pin_memory) : pin_memory_(pin_memory) {}
  std::unique_ptr<SavedVariableHooks> make() override { return std::make_unique<OnCpu>(pin_memory_); }

 private:
  const bool pin_memory_;
};

const ModeKind saved_tensors_hooks = {"pair of saved tensors hooks", take_back_saved_tensors_hooks, true};

}  // namespace

ctorch_error *ctorch_saved_tensors_hooks_push(
    ctorch_saved_tensors_pack_callback pack,
    ctorch_saved_tensors_unpack_callback unpack,
    ctorch_saved_tensors_destroy_callback destroy_packed,
    void (*destroy)(void *payload),
    void *payload) {
  return guard(__func__, [&] {
    auto hooks = std::make_shared<CallbackHooks>(
        from::callback(pack, "pack"), from::callback(unpack, "unpack"), destroy_packed, destroy, payload);
    push_mode(saved_tensors_hooks, [&] { return push_saved_tensors_hooks(hooks); });
    hooks->payload.own();
  });
}

ctorch_error *ctorch_saved_tensors_hooks_push_save_on_cpu(bool pin_memory) {
  return guard(__func__, [&] {
    push_mode(saved_tensors_hooks, [&] { return push_saved_tensors_hooks(std::make_shared<OnCpuHooks>(pin_memory)); });
  });
}

ctorch_error *ctorch_saved_tensors_hooks_pop(void) {
  return guard(__func__, [] { pop_mode(saved_tensors_hooks, [] { pop_saved_tensors_hooks(); }); });
}
