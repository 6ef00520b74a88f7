// Noting operators, and what cannot be noted: recording.hpp.
#include "core/tape/recording.hpp"

#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/ops/clone.h>
#include <c10/core/impl/LocalDispatchKeySet.h>

#include <atomic>

#include "core/abi/error.hpp"
#include "core/abi/thread.hpp"
#include "core/tape/refusal.hpp"
#include "core/tape/roles.hpp"
#include "core/tape/tensors.hpp"
#include "core/torch/autocast.hpp"

namespace ctorch::tape {

namespace {

using c10::DispatchKey;
using c10::DispatchKeySet;
using torch::jit::Stack;

constexpr const char *REGISTERED = "ctorch's tapes";  // what LibTorch says of a kernel that stands twice

/// Calls on threads that a capture does not belong to, but whose dispatch keys were handed on from one.
std::atomic<uint64_t> foreign_calls{0};

void kernel(const c10::OperatorHandle &op, DispatchKeySet keys, Stack *stack) {
  const DispatchKeySet below = keys & DispatchKeySet(DispatchKeySet::FULL_AFTER, DispatchKey::Fake);
  Recording::end_abandoned();
  auto *recording = static_cast<Recording *>(current_capture());
  if (recording != nullptr) {
    recording->note(op, below, stack);
    return;
  }
  foreign_calls++;
  c10::impl::ExcludeDispatchKeyGuard guard(DispatchKey::Fake);
  op.redispatchBoxed(below, stack);
}

/// A thread that ends while it is recorded.
struct EndsRecording final : PerThread {
  ~EndsRecording() override {
    if (auto *recording = static_cast<Recording *>(current_capture())) {
      recording->end();
    }
  }
};

/// Of what consists of other calls, but reads values or writes to memory besides them (READS_VALUES). Autograd opens
/// such operators, which do not get to the other kernel: this one is before it.
void refusing_kernel(const c10::OperatorHandle &op, DispatchKeySet /*keys*/, Stack *stack) {
  if (Capture *capture = current_capture()) {
    capture->refuse((name_of(op) + " reads values").c_str());
  }
  op.callBoxedForDispatchKey(DispatchKey::CompositeImplicitAutograd, *stack);
}

using Kernels = std::vector<c10::RegistrationHandleRAII>;

Kernels note_all() {
  auto &dispatcher = c10::Dispatcher::singleton();
  if (dispatcher.hasBackendFallbackForDispatchKey(DispatchKey::Fake)) {
    ctorch::fail(CTORCH_ERROR_UNSUPPORTED, "the dispatch key Fake, by which steps are noted, is taken in this process");
  }
  Kernels kernels;
  kernels.push_back(dispatcher.registerFallback(
      DispatchKey::Fake, c10::KernelFunction::makeFromBoxedFunction<&kernel>(), REGISTERED));
  return kernels;
}

Kernels refuse_all(DispatchKey key) {
  auto &dispatcher = c10::Dispatcher::singleton();
  Kernels kernels;
  for (const c10::OperatorName &name : dispatcher.getAllOpNames()) {
    if (has_role(name, READS_VALUES)) {
      kernels.push_back(dispatcher.registerImpl(
          name, key, c10::KernelFunction::makeFromBoxedFunction<&refusing_kernel>(), std::nullopt, nullptr,
          REGISTERED));
    }
  }
  return kernels;
}

/// Never taken back: threads may be in the dispatcher whenever the process ends.
bool keep(Kernels &&kernels) {
  static auto &kept = *new std::vector<Kernels>();
  kept.push_back(std::move(kernels));
  return true;
}

void install_kernels() {
  static const bool notes = keep(note_all());
  static const bool refuses = keep(refuse_all(DispatchKey::Fake));
  static const bool refuses_before_autograd = keep(refuse_all(DispatchKey::AutogradCPU));
  (void)notes, (void)refuses, (void)refuses_before_autograd;
}

/// Composites that calls keep whole though they are nothing but calls of others. Transposed, a convolution is computed
/// by no operator.
bool is_to_be_opened(const c10::OperatorHandle &op, const Stack &stack) {
  constexpr size_t TRANSPOSED = 6;
  return has_role(op.operator_name(), OPENED) &&
         !stack[stack.size() - op.schema().arguments().size() + TRANSPOSED].toBool();
}

/// The key of the kernel that consists of calls which are noted in its place; Undefined for none.
DispatchKey composite_key(const c10::OperatorHandle &op, const Stack &stack) {
  if (op.hasKernelForDispatchKey(DispatchKey::CPU)) {
    return DispatchKey::Undefined;
  }
  if (op.hasKernelForDispatchKey(DispatchKey::CompositeImplicitAutograd)) {
    return DispatchKey::CompositeImplicitAutograd;
  }
  return is_to_be_opened(op, stack) && op.hasKernelForDispatchKey(DispatchKey::CompositeExplicitAutograd)
             ? DispatchKey::CompositeExplicitAutograd
             : DispatchKey::Undefined;
}

/// What gives a tensor other sizes and strides over the same memory.
bool turns(const c10::OperatorHandle &op) {
  return op.hasTag(at::Tag::inplace_view) && !has_role(op.operator_name(), AUTOGRAD_ONLY);
}

bool has_mask(const c10::IValue &indices) {
  bool has = false;
  each_tensor(indices, [&](const at::Tensor &index) {
    has = has || index.scalar_type() == at::kBool || index.scalar_type() == at::kByte;
  });
  return has;
}

bool has_shapes_by_values(const c10::OperatorHandle &op, const c10::IValue *given) {
  if (op.hasTag(at::Tag::dynamic_output_shape)) {
    return !has_role(op.operator_name(), SHAPE_BY_MASKS) || has_mask(given[1]);
  }
  return has_role(op.operator_name(), SHAPE_BY_VALUES);
}

/// Arguments that are written though the schema does not say so: running statistics.
bool is_written_unsaid(const std::string &name, size_t argument) {
  return name == "aten::native_batch_norm" && (argument == 3 || argument == 4);
}

std::string place_of(const c10::OperatorHandle &op, size_t call, const std::string &what) {
  return what + " of " + name_of(op) + " (call " + std::to_string(call) + ")";
}

}  // namespace

Recording::Recording() { install_kernels(); }

void Recording::begin(c10::intrusive_ptr<Object> owner) {
  per_thread<EndsRecording>();
  at::autocast::clear_cache();  // what was cast before would be taken for a constant
  foreign_calls_ = foreign_calls;
  owner_ = std::move(owner);
  set_current_capture(this);
  c10::impl::tls_set_dispatch_key_included(DispatchKey::Fake, true);
}

void Recording::end_abandoned() noexcept {
  auto *recording = static_cast<Recording *>(current_capture());
  if (recording != nullptr && recording->owner_.use_count() == 1) {
    recording->end();
  }
}

c10::intrusive_ptr<Object> Recording::end() noexcept {
  c10::impl::tls_set_dispatch_key_included(DispatchKey::Fake, false);
  set_current_capture(nullptr);
  if (foreign_calls_ != foreign_calls) {
    refuse("operators ran on another thread");
  }
  try {
    at::autocast::clear_cache();  // what was cast in the step is in its memory
  } catch (...) {
    has_failed_ = true;
  }
  return std::move(owner_);
}

void Recording::pause() noexcept { c10::impl::tls_set_dispatch_key_included(DispatchKey::Fake, false); }

void Recording::resume() noexcept { c10::impl::tls_set_dispatch_key_included(DispatchKey::Fake, true); }

void Recording::refuse(const char *reason) noexcept {
  if (!is_refused()) {
    try {
      reason_ = reason;
    } catch (...) {
      has_failed_ = true;
    }
  }
}

void Recording::require_replayable() const {
  if (is_refused()) {
    fail_refused(
        has_failed_ ? CTORCH_ERROR_RUNTIME : CTORCH_ERROR_UNSUPPORTED,
        "the step cannot be replayed: " + (reason_.empty() ? "there was not enough memory to note it" : reason_));
  }
}

void Recording::fail(const c10::OperatorHandle &op, const std::string &problem) noexcept {
  try {
    refuse(name_of(op) + " (call " + std::to_string(calls_) + ") " + problem);
  } catch (...) {
    has_failed_ = true;
  }
}

/// Whether a tensor was made in the step, so that each replay has it as it is at each call.
bool Recording::is_made_here(const at::Tensor &tensor) const {
  if (by_impl_.count(tensor.unsafeGetTensorImpl()) == 0 || !tensor.has_storage()) {
    return false;
  }
  const auto memory = memories.find(tensor.storage().unsafeGetStorageImpl());
  return memory != memories.end() && memory->second.is_made;
}

bool Recording::check(const c10::OperatorHandle &op, const Stack &stack) {
  const auto &arguments = op.schema().arguments();
  const c10::IValue *given = stack.data() + stack.size() - arguments.size();
  if (op.hasTag(at::Tag::data_dependent_output)) {
    fail(op, "reads values");
  } else if (has_shapes_by_values(op, given)) {
    fail(op, "has results whose shapes depend on values");
  } else if ((turns(op) && !is_made_here(given[0].toTensor())) || has_role(op.operator_name(), CHANGES_TENSOR)) {
    fail(op, "changes a tensor itself");
  } else {
    for (size_t i = 0; i < arguments.size(); i++) {
      each_tensor(given[i], [&](const at::Tensor &tensor) {
        if (!is_plain(tensor)) {
          fail(op, "has an argument '" + arguments[i].name() + "' that is no plain tensor of the CPU");
        }
      });
    }
  }
  return !is_refused();
}

at::Tensor Recording::alias_of(const at::Tensor &tensor, const std::string &place, bool may_change) {
  at::TensorImpl *impl = tensor.unsafeGetTensorImpl();
  const auto known = by_impl_.find(impl);
  if (known != by_impl_.end()) {
    Alias &alias = aliases[known->second];
    if (is_same_place(alias.tensor, tensor)) {
      return alias.tensor;
    }
    if (!may_change) {
      refuse("the memory of " + alias.place + " was replaced");
    }
  }
  memories.try_emplace(tensor.storage().unsafeGetStorageImpl(), Memory{tensor.storage()});
  by_impl_[impl] = aliases.size();
  aliases.push_back(
      {at::Tensor(impl->shallow_copy_and_detach(c10::VariableVersion(0), true)),
       c10::weak_intrusive_ptr<at::TensorImpl>(tensor.getIntrusivePtr()), place});
  return aliases.back().tensor;
}

Memory &Recording::memory_of(const at::Tensor &alias) { return memories.at(alias.storage().unsafeGetStorageImpl()); }

bool Recording::is_unset(const at::Tensor &alias) {
  const Memory &memory = memory_of(alias);
  return memory.is_unset && memory.writes == 0 && alias.numel() > 0;
}

void Recording::note(const c10::OperatorHandle &op, DispatchKeySet below, Stack *stack) {
  if (is_refused() || op.operator_name().name.compare(0, 10, "profiler::") == 0) {
    c10::impl::ExcludeDispatchKeyGuard guard(DispatchKey::Fake);
    op.redispatchBoxed(below, stack);
    return;
  }
  if (const DispatchKey key = composite_key(op, *stack); key != DispatchKey::Undefined) {
    op.callBoxedForDispatchKey(key, *stack);
    return;
  }
  calls_++;
  known_memories_ = memories.size();
  std::vector<c10::IValue> given;
  bool can_be_noted = false;
  try {
    given.assign(stack->end() - static_cast<ptrdiff_t>(op.schema().arguments().size()), stack->end());
    can_be_noted = check(op, *stack);
    c10::impl::ExcludeDispatchKeyGuard guard(DispatchKey::Fake);
    op.redispatchBoxed(below, stack);
  } catch (...) {
    fail(op, "failed");
    has_failed_ = true;
    throw;
  }
  if (!can_be_noted) {
    return;
  }
  try {
    write_down(op, given, *stack);
  } catch (const std::bad_alloc &) {  // it has run all the same
    has_failed_ = true;
  }
}

void Recording::write_down(const c10::OperatorHandle &op, const Stack &given, const Stack &stack) {
  if (turns(op)) {  // the next call finds it as another view
    by_impl_.erase(given[0].toTensor().unsafeGetTensorImpl());
    return;
  }
  const auto &arguments = op.schema().arguments();
  Record record{op, {}, {}};
  for (size_t i = 0; i < arguments.size(); i++) {
    const bool writes = is_written(arguments[i]) || is_written_unsaid(op.operator_name().name, i);
    record.args.push_back(map_tensors(given[i], [&](const at::Tensor &tensor) {
      const at::Tensor alias = alias_of(tensor, place_of(op, calls_, "argument '" + arguments[i].name() + "'"), writes);
      if (writes) {
        aliases[by_impl_.at(tensor.unsafeGetTensorImpl())].is_written = true;
      }
      return alias;
    }));
  }
  const size_t results = op.schema().returns().size();
  for (size_t i = 0; i < results; i++) {
    const c10::IValue &result = stack[stack.size() - results + i];
    record.outs.push_back(map_tensors(result, [&](const at::Tensor &tensor) -> at::Tensor {
      if (!is_plain(tensor)) {
        fail(op, "has a result that is no plain tensor of the CPU");
        return tensor;
      }
      const bool is_new = memories.find(tensor.storage().unsafeGetStorageImpl()) == memories.end();
      const at::Tensor alias = alias_of(tensor, place_of(op, calls_, "result " + std::to_string(i)));
      if (is_new) {
        memory_of(alias).is_made = true;
      }
      return alias;
    }));
  }
  if (!is_refused()) {
    keep(std::move(record));
  }
}

/// A call that does something each time: views are there already, and so is memory without content.
void Recording::keep(Record &&record) {
  const auto &arguments = record.op.schema().arguments();
  const std::string &name = record.op.operator_name().name;
  if (name == "aten::lift_fresh") {
    keep_content(record.args[0].toTensor());
    return;
  }
  if (has_role(record.op.operator_name(), AUTOGRAD_ONLY)) {
    return;
  }
  const at::Tensor *unset = nullptr;
  bool writes = false, gives_memory = false;
  std::unordered_set<c10::StorageImpl *> storages;
  for (size_t i = 0; i < record.args.size(); i++) {
    const bool is_mutated = is_written(arguments[i]) || is_written_unsaid(name, i);
    each_tensor(record.args[i], [&](const at::Tensor &tensor) {
      storages.insert(tensor.storage().unsafeGetStorageImpl());
      if (is_mutated) {
        memory_of(tensor).writes++;
        writes = true;
      } else if (is_unset(tensor)) {
        unset = &tensor;
      }
    });
  }
  size_t results = 0;
  for (const c10::IValue &out : record.outs) {
    each_tensor(out, [&](const at::Tensor &tensor) {
      results++;
      gives_memory = gives_memory || storages.count(tensor.storage().unsafeGetStorageImpl()) == 0;
    });
  }
  if (!writes && has_role(record.op.operator_name(), WITHOUT_CONTENT)) {
    memory_of(record.outs[0].toTensor()).is_unset = true;
    return;
  }
  if (!writes && ((results > 0 && !gives_memory) || (results == 0 && !record.outs.empty()))) {
    return;
  }
  if (!writes && has_role(record.op.operator_name(), CONSTANT)) {
    record.is_constant = true;
  } else if (unset != nullptr) {
    fail(record.op, "is given memory that no operator has written to");
  }
  records.push_back(std::move(record));
}

/// What the program itself wrote, such as the number of `torch.tensor(1.0)`, is written again if the step changes it.
/// Its memory is first seen here, and is not somebody's that was wrapped.
void Recording::keep_content(const at::Tensor &tensor) {
  Memory &memory = memory_of(tensor);
  const bool is_new = memories.size() > known_memories_ && memory.storage.resizable();
  if (!is_new && !is_unset(tensor)) {
    return;
  }
  memory.is_made = true;
  memory.is_unset = false;
  c10::impl::ExcludeDispatchKeyGuard guard(DispatchKey::Fake);
  static const auto copy = c10::Dispatcher::singleton().findSchemaOrThrow("aten::copy_", "");
  const at::Tensor content = alias_of(tensor.clone(), "what the program wrote");
  records.push_back({copy, {tensor, content, false}, {tensor}, /*is_constant=*/true});
}

}  // namespace ctorch::tape
