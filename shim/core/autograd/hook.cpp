// hook.h: hooks of tensors, where LibTorch calls them and how they are removed.
#include "core/autograd/hook.hpp"

#include <ATen/core/Tensor.h>

#include <torch/csrc/autograd/custom_function.h>
#include <torch/csrc/autograd/variable.h>

using namespace ctorch;
using torch::autograd::FunctionPreHook;
using torch::autograd::PostAccumulateGradHook;
using torch::autograd::variable_list;

namespace ctorch {

Mutex &registering_hooks = *new Mutex(LockOrder::HookRegistration);

void check_replacement(const at::Tensor &grad, const at::Tensor &replacement, const char *name) {
  if (!grad.defined()) {
    fail(CTORCH_ERROR_RUNTIME, "can't replace an empty gradient with a non-empty value");
  }
  torch::autograd::check_variable_result(grad, replacement, name);
}

}  // namespace ctorch

namespace {

/// A tensor that a callback may write; what is not taken is released.
class Written {
 public:
  Written() = default;
  Written(const Written &) = delete;
  Written &operator=(const Written &) = delete;
  ~Written() { drop(tensor_); }

  ctorch_tensor **place() { return &tensor_; }
  at::Tensor take() { return take_over(std::exchange(tensor_, nullptr)); }

 private:
  ctorch_tensor *tensor_ = nullptr;
};

void run_tensor_hook(const Hook<ctorch_tensor_hook_callback> &hook, at::Tensor &grad) {
  Written out;
  run_callback("tensor hook", [&](ctorch_error **error) {
    return hook.callback(out.place(), to::owned(grad), error, hook.payload.get());
  });
  at::Tensor replacement = out.take();
  if (replacement.defined()) {
    check_replacement(grad, replacement, "tensor hook");
    grad = std::move(replacement);
  }
}

/// The hooks of the tensors whose gradients go into one node, or of one leaf. Each tensor has a list and the number of
/// its gradient; tensors come in the order in which they first got a hook.
class TensorHooks final : public FunctionPreHook {
 public:
  variable_list operator()(const variable_list &grads) override {
    variable_list results(grads);
    for (const auto &[number, list] : lists()) {
      at::Tensor &grad = results.at(number);
      list->for_each<ctorch_tensor_hook_callback>([&](const auto &hook) { run_tensor_hook(hook, grad); });
    }
    return results;
  }

  std::shared_ptr<HookList> list(size_t number) {
    const std::lock_guard lock(mutex);
    for (const auto &numbered : lists_) {
      if (numbered.first == number) {
        return numbered.second;
      }
    }
    return lists_.emplace_back(number, std::make_shared<HookList>()).second;
  }

  using Numbered = std::pair<size_t, std::shared_ptr<HookList>>;

  /// Have this list and no other; answers those that there were.
  std::vector<Numbered> become(std::shared_ptr<HookList> list) {
    std::vector<Numbered> lists{{0, std::move(list)}};
    const std::lock_guard lock(mutex);
    lists_.swap(lists);
    return lists;
  }

 private:
  std::vector<Numbered> lists() const {
    const std::lock_guard lock(mutex);
    return lists_;
  }

  static Mutex &mutex;  // of all
  std::vector<Numbered> lists_;
};

Mutex &TensorHooks::mutex = *new Mutex(LockOrder::TensorHooks);

std::shared_ptr<HookList> hooks_of(const at::Tensor &tensor) {
  std::vector<TensorHooks::Numbered> others;  // go after the lock
  const std::lock_guard lock(registering_hooks);
  torch::autograd::impl::materialize_autograd_meta(tensor);
  auto &of_tensor = entry_in<TensorHooks>(torch::autograd::impl::hooks(tensor));
  const auto &node = tensor.grad_fn();
  if (!node) {
    return of_tensor.list(0);
  }
  auto list = entry_in<TensorHooks>(node->tensor_pre_hooks()).list(tensor.output_nr());
  others = of_tensor.become(list);  // LibTorch looks there if the tensor is made a leaf by detach_
  return list;
}

/// LibTorch has one place for these, and calls what is there: this, and what was there before.
class PostAccumulateGradHooks final : public PostAccumulateGradHook {
 public:
  explicit PostAccumulateGradHooks(std::unique_ptr<PostAccumulateGradHook> &&others) : others_(std::move(others)) {}

  void operator()(const at::Tensor &tensor) override {
    if (others_ != nullptr) {
      (*others_)(tensor);
    }
    list->for_each<ctorch_post_accumulate_grad_hook_callback>([&](const auto &hook) {
      run_callback("post-accumulate-grad hook", [&](ctorch_error **error) {
        return hook.callback(to::owned(tensor), error, hook.payload.get());
      });
    });
  }

  const std::shared_ptr<HookList> list = std::make_shared<HookList>();

 private:
  std::unique_ptr<PostAccumulateGradHook> others_;  // Python's
};

std::shared_ptr<HookList> post_accumulate_grad_hooks_of(const at::Tensor &tensor) {
  const std::lock_guard lock(registering_hooks);
  auto &place = torch::autograd::impl::post_acc_grad_hooks(tensor);
  auto *hooks = dynamic_cast<PostAccumulateGradHooks *>(place.get());
  if (hooks == nullptr) {
    auto made = std::make_unique<PostAccumulateGradHooks>(std::move(place));
    hooks = made.get();
    place = std::move(made);
  }
  return hooks->list;
}

void require_grad(const at::Tensor &tensor) {
  if (!tensor.requires_grad()) {
    fail(CTORCH_ERROR_RUNTIME, "cannot register a hook on a tensor that doesn't require gradient");
  }
}

}  // namespace

void ctorch_hook_release(ctorch_hook *self) { release_object(self); }

void ctorch_hook_retain(const ctorch_hook *self) { retain_object(self); }

void ctorch_hook_remove(const ctorch_hook *self) {
  if (self == nullptr) {
    return;
  }
  if (const auto list = self->list.lock()) {
    list->remove(self->hook.lock().get());
  }
}

ctorch_error *ctorch_tensor_register_hook(
    ctorch_hook **out,
    ctorch_tensor *self,
    ctorch_tensor_hook_callback callback,
    void (*destroy)(void *payload),
    void *payload) {
  return guard(__func__, [&] {
    const at::Tensor &tensor = from::tensor(self, "self");
    from::callback(callback, "callback");
    require_grad(tensor);
    register_hook(out, hooks_of(tensor), callback, destroy, payload);
  });
}

ctorch_error *ctorch_tensor_register_post_accumulate_grad_hook(
    ctorch_hook **out,
    ctorch_tensor *self,
    ctorch_post_accumulate_grad_hook_callback callback,
    void (*destroy)(void *payload),
    void *payload) {
  return guard(__func__, [&] {
    const at::Tensor &tensor = from::tensor(self, "self");
    from::callback(callback, "callback");
    require_grad(tensor);
    if (!tensor.is_leaf()) {
      fail(CTORCH_ERROR_RUNTIME, "post accumulate grad hooks cannot be registered on non-leaf tensors");
    }
    register_hook(out, post_accumulate_grad_hooks_of(tensor), callback, destroy, payload);
  });
}
