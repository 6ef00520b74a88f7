#include "autograd/hooking_engine.hpp"

#include <ATen/FuncTorchTLS.h>
#include <ATen/SavedTensorHooks.h>
#include <ATen/ThreadLocalPythonObjects.h>
#include <torch/csrc/autograd/engine.h>

#include <atomic>
#include <mutex>
#include <string>
#include <utility>

#include "abi/error.hpp"

using at::impl::ThreadLocalPythonObjects;
using torch::autograd::Engine;
using torch::autograd::GraphTask;
using torch::autograd::Node;
using torch::autograd::SavedVariableHooks;

namespace ctorch {

namespace {

// How many entries there are on all threads: while there are none, saving a tensor costs one load more than without us.
std::atomic<size_t> entries{0};

/// Of our entry in the thread-local state; never destroyed, for threads that outlive the end of main.
const std::string &key() {
  static const auto *text = new std::string("ctorch.saved_tensors_hooks");
  return *text;
}

size_t python_hooks() { return at::SavedTensorDefaultHooks::get_tls_state().stack.size(); }

}  // namespace

/// One push. It is a SafePyObject, of no Python object, because that is what the thread-local state holds.
struct SavedTensorsHooksEntry : c10::SafePyObject {
  SavedTensorsHooksEntry(std::shared_ptr<SavedTensorsHooks> hooks, std::shared_ptr<SavedTensorsHooksEntry> below)
      : c10::SafePyObject(nullptr, nullptr),
        hooks(std::move(hooks)),
        python_hooks_below(python_hooks()),
        below(std::move(below)) {
    entries.fetch_add(1, std::memory_order_relaxed);
  }
  SavedTensorsHooksEntry(const SavedTensorsHooksEntry &) = delete;
  SavedTensorsHooksEntry &operator=(const SavedTensorsHooksEntry &) = delete;
  ~SavedTensorsHooksEntry() {
    entries.fetch_sub(1, std::memory_order_relaxed);
    while (below != nullptr && below.use_count() == 1) {  // not by recursion, however many were never popped
      below = std::exchange(below->below, nullptr);
    }
  }

  const std::shared_ptr<SavedTensorsHooks> hooks;
  const size_t python_hooks_below;
  std::shared_ptr<SavedTensorsHooksEntry> below;
};

namespace {

/// LibTorch has no plain question for it, but a check of functions that transforms do not support either.
bool inside_function_transform() {
  try {
    if (const auto &transforms = at::functorch::functorchTLSAccessor()) {
      transforms->checkSupportsCppAutogradFunction();
    }
    return false;
  } catch (const c10::Error &) {
    return true;
  }
}

std::shared_ptr<SavedTensorsHooksEntry> top_of_this_thread() {
  if (entries.load(std::memory_order_relaxed) == 0 || !ThreadLocalPythonObjects::contains(key())) {
    return nullptr;
  }
  return std::static_pointer_cast<SavedTensorsHooksEntry>(ThreadLocalPythonObjects::get(key()));
}

void set_top_of_this_thread(std::shared_ptr<SavedTensorsHooksEntry> entry) {
  ThreadLocalPythonObjects::set(key(), std::move(entry));
}

/// The engine that adds our hooks to another one.
class HookingEngine final : public Engine {
 public:
  /// Put it in front of the engine that is there, unless it is in front already.
  static void install() {
    static std::mutex mutex;
    std::lock_guard<std::mutex> lock(mutex);
    Engine &current = Engine::get_default_engine();
    if (&current != &instance()) {
      instance().behind_.store(&current);
      torch::autograd::set_default_engine_stub([]() -> Engine & { return instance(); });
    }
  }

  torch::autograd::variable_list execute(
      const torch::autograd::edge_list &roots,
      const torch::autograd::variable_list &inputs,
      bool keep_graph,
      bool create_graph,
      bool accumulate_grad,
      const torch::autograd::edge_list &outputs) override {
    return behind().execute(roots, inputs, keep_graph, create_graph, accumulate_grad, outputs);
  }
  c10::intrusive_ptr<at::ivalue::Future> execute_with_graph_task(
      const std::shared_ptr<GraphTask> &graph_task,
      c10::intrusive_ptr<Node> graph_root,
      torch::autograd::InputBuffer &&input_buffer) override {
    return behind().execute_with_graph_task(graph_task, std::move(graph_root), std::move(input_buffer));
  }
  std::unique_ptr<torch::autograd::AnomalyMetadata> make_anomaly_metadata() override {
    return behind().make_anomaly_metadata();
  }
  void thread_on_exception(
      const std::shared_ptr<GraphTask> &graph_task, const c10::intrusive_ptr<Node> &node, std::exception &e) override {
    behind().thread_on_exception(graph_task, node, e);
  }
  std::unique_ptr<SavedVariableHooks> get_default_saved_variable_hooks() override {
    const auto top = top_of_this_thread();
    if (top == nullptr || python_hooks() > top->python_hooks_below) {
      return behind().get_default_saved_variable_hooks();
    }
    return at::SavedTensorDefaultHooks::get_tls_state().is_tracing ? nullptr : top->hooks->make();
  }

 private:
  // Never destroyed: other threads may be in it when the process ends.
  static HookingEngine &instance() {
    static auto *engine = new HookingEngine;
    return *engine;
  }
  Engine &behind() { return *behind_.load(); }

  std::atomic<Engine *> behind_{nullptr};
};

}  // namespace

void push_saved_tensors_hooks(std::shared_ptr<SavedTensorsHooks> hooks) {
  if (inside_function_transform()) {
    fail(CTORCH_ERROR_RUNTIME, "function transforms (vmap, grad, vjp, jvp, …) do not support hooks on saved tensors");
  }
  TORCH_CHECK(
      at::SavedTensorDefaultHooks::is_enabled(),
      at::SavedTensorDefaultHooks::get_disabled_error_message().value_or("saved tensors hooks are disabled"));
  HookingEngine::install();
  set_top_of_this_thread(std::make_shared<SavedTensorsHooksEntry>(std::move(hooks), top_of_this_thread()));
}

void pop_saved_tensors_hooks() {
  auto top = top_of_this_thread();
  if (top == nullptr) {
    fail(CTORCH_ERROR_RUNTIME, "no saved tensors hooks were pushed on this thread");
  }
  set_top_of_this_thread(top->below);
}

SavedTensorsHooksScope::SavedTensorsHooksScope(std::shared_ptr<SavedTensorsHooks> hooks)
    : outside_(top_of_this_thread()) {
  push_saved_tensors_hooks(std::move(hooks));
}

SavedTensorsHooksScope::~SavedTensorsHooksScope() { set_top_of_this_thread(std::move(outside_)); }

}  // namespace ctorch
