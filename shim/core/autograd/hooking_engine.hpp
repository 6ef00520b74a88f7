// Hooks on saved tensors without Python.
//
// LibTorch asks its default engine for hooks whenever it saves a tensor. The base engine has none, and Python's looks
// at a stack of Python objects. So the first push puts an engine of ours in front of the one that is there: it passes
// everything on, and answers for a thread that has hooks of ours. Python's engine goes on as before behind it.
//
// The stack of a thread is a value in LibTorch's own thread-local state, under a key of ours. That state travels with
// the work to other threads, as Python's hooks do: to the threads that run backward for an accelerator, for example.
// Each entry knows how many of Python's hooks were below it, which tells whose hooks are the innermost.
//
// Copies of this library in one process share both, the stack and the engine: hooks nest whichever copy pushed them.
#pragma once

#include <c10/core/SafePyObject.h>
#include <torch/csrc/autograd/saved_variable_hooks.h>

#include <memory>

namespace ctorch {

/// A pair of hooks; saved tensors share it.
class SavedTensorsHooks {
 public:
  virtual ~SavedTensorsHooks() = default;
  /// What stands in for one saved tensor.
  virtual std::unique_ptr<torch::autograd::SavedVariableHooks> make() = 0;
};

/// Answers what tells this push from others, for the last.
uintptr_t push_saved_tensors_hooks(std::shared_ptr<SavedTensorsHooks> hooks);
void pop_saved_tensors_hooks();
/// Pop that push if it is the latest.
void take_back_saved_tensors_hooks(uintptr_t push) noexcept;

/// Hooks for the rest of a block, whatever is pushed inside it and not popped.
class SavedTensorsHooksScope {
 public:
  explicit SavedTensorsHooksScope(std::shared_ptr<SavedTensorsHooks> hooks);
  SavedTensorsHooksScope(const SavedTensorsHooksScope &) = delete;
  SavedTensorsHooksScope &operator=(const SavedTensorsHooksScope &) = delete;
  ~SavedTensorsHooksScope();

 private:
  std::shared_ptr<c10::SafePyObject> outside_;
};

}  // namespace ctorch
