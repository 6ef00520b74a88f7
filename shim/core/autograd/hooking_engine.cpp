// The engine that stands in front of LibTorch's, and the stack of hooks that it asks.
#include "core/autograd/hooking_engine.hpp"

#include <ATen/CPUGeneratorImpl.h>
#include <ATen/FuncTorchTLS.h>
#include <ATen/SavedTensorHooks.h>
#include <ATen/ThreadLocalPythonObjects.h>
#include <torch/csrc/autograd/engine.h>

#include <atomic>
#include <cstring>
#include <mutex>
#include <string>
#include <typeinfo>
#include <utility>

#include "core/abi/error.hpp"
#include "core/torch/node.hpp"

using at::impl::ThreadLocalPythonObjects;
using torch::autograd::Engine;
using torch::autograd::GraphTask;
using torch::autograd::Node;
using torch::autograd::SavedVariableHooks;

namespace ctorch {

namespace {

size_t python_hooks() { return at::SavedTensorDefaultHooks::get_tls_state().stack.size(); }

}  // namespace

// What the copies of this library in a process have in common, if there are several: a program's own and that of a
// plug-in, say. They share each thread's stack of pushes and the engine that looks at it, whichever copy installed
// that. So nothing here may change without another number in the namespace, which names it all: copies of other numbers
// then refuse one another.
namespace saved_tensors_hooks_1 {

/// One push. It is a SafePyObject, of no Python object, because that is what the thread-local state holds.
struct Entry : c10::SafePyObject {
  Entry(const void *copy, std::atomic<size_t> &open, std::shared_ptr<Entry> below)
      : c10::SafePyObject(nullptr, nullptr),
        copy(copy),
        open(open),
        python_hooks_below(python_hooks()),
        below(std::move(below)) {
    open.fetch_add(1, std::memory_order_relaxed);
  }
  Entry(const Entry &) = delete;
  Entry &operator=(const Entry &) = delete;
  virtual ~Entry() {
    open.fetch_sub(1, std::memory_order_relaxed);
    while (below != nullptr && below.use_count() == 1) {  // not by recursion, however many were never popped
      below = std::exchange(below->below, nullptr);
    }
  }
  virtual std::unique_ptr<SavedVariableHooks> make() const = 0;

  const void *const copy;  // an address in the copy that pushed it
  std::atomic<size_t> &open;
  const size_t python_hooks_below;
  std::shared_ptr<Entry> below;
};

/// Of the stack in the thread-local state; never destroyed, for threads that outlive the end of main.
const std::string &key = *new std::string("ctorch.saved_tensors_hooks.1");

std::shared_ptr<Entry> top_of_this_thread() {
  if (!ThreadLocalPythonObjects::contains(key)) {
    return nullptr;
  }
  return std::static_pointer_cast<Entry>(ThreadLocalPythonObjects::get(key));
}

/// The engine that adds our hooks to another one.
class HookingEngine final : public Engine {
 public:
  torch::autograd::variable_list execute(
      const torch::autograd::edge_list &roots,
      const torch::autograd::variable_list &inputs,
      bool keep_graph,
      bool create_graph,
      bool accumulate_grad,
      const torch::autograd::edge_list &outputs) override {
    return behind.load()->execute(roots, inputs, keep_graph, create_graph, accumulate_grad, outputs);
  }
  c10::intrusive_ptr<at::ivalue::Future> execute_with_graph_task(
      const std::shared_ptr<GraphTask> &graph_task,
      libtorch::NodePtr<Node> graph_root,
      torch::autograd::InputBuffer &&input_buffer) override {
    return behind.load()->execute_with_graph_task(graph_task, std::move(graph_root), std::move(input_buffer));
  }
  std::unique_ptr<torch::autograd::AnomalyMetadata> make_anomaly_metadata() override {
    return behind.load()->make_anomaly_metadata();
  }
  void thread_on_exception(
      const std::shared_ptr<GraphTask> &graph_task, const libtorch::NodePtr<Node> &node, std::exception &e) override {
    behind.load()->thread_on_exception(graph_task, node, e);
  }
  std::unique_ptr<SavedVariableHooks> get_default_saved_variable_hooks() override {
    const auto top = may_have_entries() ? top_of_this_thread() : nullptr;
    if (top == nullptr || python_hooks() > top->python_hooks_below) {
      return behind.load()->get_default_saved_variable_hooks();
    }
    return at::SavedTensorDefaultHooks::get_tls_state().is_tracing ? nullptr : top->make();
  }

  std::atomic<Engine *> behind{nullptr};
  // How many entries there are on all threads: while there are none, saving a tensor costs one load more than without
  // us. An engine that took over from another does not know all of them, and always looks.
  std::atomic<size_t> open{0};
  std::atomic<bool> always_looks{false};

 private:
  bool may_have_entries() const {
    return open.load(std::memory_order_relaxed) != 0 || always_looks.load(std::memory_order_relaxed);
  }
};

}  // namespace saved_tensors_hooks_1

using namespace saved_tensors_hooks_1;

struct SavedTensorsHooksEntry final : Entry {
  using Entry::Entry;
  std::unique_ptr<SavedVariableHooks> make() const override { return hooks->make(); }

  std::shared_ptr<SavedTensorsHooks> hooks;
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

// Never destroyed: other threads may be in it when the process ends.
HookingEngine &engine_of_this_copy = *new HookingEngine;

/// The default engine if it is one of ours, whichever copy made it; else null.
HookingEngine *hooking_engine_in_front() {
  Engine &current = Engine::get_default_engine();
  // By name, because each copy has type information of its own.
  const char *name = typeid(current).name();
  if (std::strcmp(name, typeid(HookingEngine).name()) == 0) {
    return static_cast<HookingEngine *>(&current);
  }
  if (std::strncmp(name, "N6ctorch", 8) == 0) {
    fail(
        CTORCH_ERROR_UNSUPPORTED,
        "another version of libctorch in this process has hooks on saved tensors; only one version can have them");
  }
  return nullptr;
}

/// See to it that one of ours is in front. It never is put in front of another, which may have come in front of it.
HookingEngine &install() {
  if (HookingEngine *there = hooking_engine_in_front()) {
    return *there;
  }
  // The one lock that all copies know.
  at::Generator generator = at::detail::getDefaultCPUGenerator();
  const std::lock_guard<std::mutex> lock(generator.mutex());
  if (HookingEngine *there = hooking_engine_in_front()) {
    return *there;
  }
  engine_of_this_copy.behind.store(&Engine::get_default_engine());
  torch::autograd::set_default_engine_stub([]() -> Engine & { return engine_of_this_copy; });
  return engine_of_this_copy;
}

/// The engine that has the next push, and knows of all that were before.
HookingEngine &engine_for_push(const Entry *below) {
  static std::atomic<HookingEngine *> last{nullptr};
  HookingEngine &engine = install();
  HookingEngine *before = last.exchange(&engine);
  if ((before != nullptr && before != &engine) || (below != nullptr && &below->open != &engine.open)) {
    engine.always_looks = true;
  }
  return engine;
}

void set_top_of_this_thread(std::shared_ptr<Entry> entry) { ThreadLocalPythonObjects::set(key, std::move(entry)); }

}  // namespace

uintptr_t push_saved_tensors_hooks(std::shared_ptr<SavedTensorsHooks> hooks) {
  if (inside_function_transform()) {
    fail(CTORCH_ERROR_RUNTIME, "function transforms (vmap, grad, vjp, jvp, …) do not support hooks on saved tensors");
  }
  TORCH_CHECK(
      at::SavedTensorDefaultHooks::is_enabled(),
      at::SavedTensorDefaultHooks::get_disabled_error_message().value_or("saved tensors hooks are disabled"));
  auto below = top_of_this_thread();
  HookingEngine &engine = engine_for_push(below.get());
  auto entry = std::make_shared<SavedTensorsHooksEntry>(&engine_of_this_copy, engine.open, std::move(below));
  entry->hooks = std::move(hooks);
  const auto push = reinterpret_cast<uintptr_t>(entry.get());
  set_top_of_this_thread(std::move(entry));
  return push;
}

void pop_saved_tensors_hooks() {
  auto top = top_of_this_thread();
  if (top == nullptr) {
    fail(CTORCH_ERROR_RUNTIME, "no saved tensors hooks were pushed on this thread");
  }
  if (top->copy != &engine_of_this_copy) {
    fail(
        CTORCH_ERROR_RUNTIME,
        "the saved tensors hooks pushed last on this thread are those of another copy of libctorch in this process");
  }
  set_top_of_this_thread(top->below);
}

void take_back_saved_tensors_hooks(uintptr_t push) noexcept {
  try {
    if (const auto top = top_of_this_thread(); reinterpret_cast<uintptr_t>(top.get()) == push) {
      set_top_of_this_thread(top->below);
    }
  } catch (...) {  // without memory for it
  }
}

SavedTensorsHooksScope::SavedTensorsHooksScope(std::shared_ptr<SavedTensorsHooks> hooks)
    : outside_(top_of_this_thread()) {
  push_saved_tensors_hooks(std::move(hooks));
}

SavedTensorsHooksScope::~SavedTensorsHooksScope() {
  set_top_of_this_thread(std::static_pointer_cast<Entry>(std::move(outside_)));
}

}  // namespace ctorch
