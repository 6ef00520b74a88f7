// Activation checkpointing, after torch/utils/checkpoint.py (use_reentrant=False), whose comments tell the why.
//
// A Checkpoint is one call. While the function runs the first time, each tensor that is saved is replaced by a Slot in
// the graph, and the Checkpoint remembers the slots in their order, weakly. When backward wants the tensor of a slot,
// the function runs again, and the n-th tensor that is then saved fills the n-th slot. Each backward pass (LibTorch's
// "graph task") has a run and tensors of its own, so that a retained graph recomputes each time, and passes on several
// threads do not meet.
//
// Who owns whom: graph -> Slot's hooks -> Slot and Checkpoint -> saved inputs. Nothing refers back but by weak
// pointers.
#include "ctorch/autograd/checkpoint.h"

#include <ATen/core/Tensor.h>
#include <ATen/ops/detach_ops.h>
#include <c10/core/GradMode.h>
#include <torch/csrc/autograd/engine.h>
#include <torch/csrc/autograd/graph_task.h>
#include <torch/csrc/autograd/saved_variable.h>

#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "core/abi/callback_tensors.hpp"
#include "core/abi/capture.hpp"
#include "core/abi/error.hpp"
#include "core/abi/excerpt.hpp"
#include "core/abi/fork.hpp"
#include "core/abi/from.hpp"
#include "core/abi/text_stream.hpp"
#include "core/abi/to.hpp"
#include "core/autograd/ambient_state.hpp"
#include "core/autograd/hooking_engine.hpp"

using namespace ctorch;
using torch::autograd::SavedVariable;
using torch::autograd::SavedVariableHooks;

namespace {

using Pass = int64_t;

/// What must be the same of a tensor that is saved again.
struct Metadata {
  explicit Metadata(const at::Tensor &tensor)
      : sizes(tensor.sizes()), dtype(tensor.scalar_type()), device(tensor.device()) {}
  bool operator==(const Metadata &other) const {
    return sizes == other.sizes && dtype == other.dtype && device == other.device;
  }

  c10::DimVector sizes;
  at::ScalarType dtype;
  at::Device device;
};

/// As Python prints the dictionary that it compares.
std::ostream &operator<<(std::ostream &out, const Metadata &metadata) {
  const at::Device &device = metadata.device;
  out << "{'shape': torch.Size(" << at::IntArrayRef(metadata.sizes) << "), 'dtype': torch."
      << ctorch_dtype_name(static_cast<ctorch_dtype>(metadata.dtype)) << ", 'device': device(type='"
      << c10::DeviceTypeName(device.type(), /*lower_case=*/true) << "'";
  if (device.has_index()) {
    out << ", index=" << static_cast<int>(device.index());
  }
  return out << ")}";
}

/// Stands in for a saved tensor.
struct Slot {
  // Of each pass that has recomputed it: the tensor, undefined once it was handed out.
  std::map<Pass, at::Tensor> tensors;
};

/// One run of the function in one pass.
struct Run {
  // Held while the function runs, so that no fork can wait for it. None needs to: a child has no other thread, and a
  // pass that others were in does not go on there.
  std::mutex mutex;
  std::atomic<std::thread::id> thread;  // on which it runs
  bool done = false;
  size_t saved = 0;      // tensors so far
  bool stopped = false;  // all that were wanted are there
};

class Checkpoint : public std::enable_shared_from_this<Checkpoint> {
 public:
  Checkpoint(
      ctorch_tensors_callback function,
      bool preserve_rng_state,
      bool check_metadata,
      bool early_stop,
      void (*destroy)(void *payload),
      void *payload)
      : payload(destroy, payload),
        function_(function),
        preserve_rng_state_(preserve_rng_state),
        check_metadata_(check_metadata),
        early_stop_(early_stop) {}

  std::vector<at::Tensor> call(const std::vector<at::Tensor> &inputs);
  std::vector<at::Tensor> call_recorded(const std::vector<at::Tensor> &inputs);
  /// The call failed, and the payload is the caller's again. What it saved may have escaped.
  void fail() { failed_ = true; }

  std::shared_ptr<Slot> save(const at::Tensor &tensor);
  at::Tensor unpack(Slot &slot);
  void save_again(const at::Tensor &tensor, Pass pass, Run &run);

  Payload payload;

 private:
  void run_once(Pass pass);
  void run_again(Pass pass, const std::shared_ptr<Run> &run);
  void check_same(Pass pass, const Run &run) const;
  void empty_slots(Pass pass);
  void forget(Pass pass);

  const ctorch_tensors_callback function_;
  const bool preserve_rng_state_;
  const bool check_metadata_;
  const bool early_stop_;

  // Of the first run; constant when it is over.
  std::vector<SavedVariable> inputs_;
  std::optional<RandomState> random_state_;
  const AutocastState autocast_state_;
  std::atomic<bool> completed_{false};
  std::atomic<bool> failed_{false};

  static Mutex &mutex;  // guards what follows, and the slots; never held while callbacks run
  std::vector<std::weak_ptr<Slot>> slots_;
  std::vector<Metadata> metadata_;
  std::map<Pass, std::shared_ptr<Run>> runs_;
  bool saved_otherwise_ = false;  // a run inside the first run saw it half done: what is saved cannot be compared
};

/// The hooks of the first run.
class SlotHooks final : public SavedVariableHooks {
 public:
  explicit SlotHooks(std::shared_ptr<Checkpoint> checkpoint) : checkpoint_(std::move(checkpoint)) {}
  void call_pack_hook(const at::Tensor &tensor) override { slot_ = checkpoint_->save(tensor); }
  at::Tensor call_unpack_hook() override { return checkpoint_->unpack(*slot_); }

 private:
  const std::shared_ptr<Checkpoint> checkpoint_;
  std::shared_ptr<Slot> slot_;
};

class FirstRun final : public SavedTensorsHooks {
 public:
  explicit FirstRun(std::shared_ptr<Checkpoint> checkpoint) : checkpoint_(std::move(checkpoint)) {}
  std::unique_ptr<SavedVariableHooks> make() override { return std::make_unique<SlotHooks>(checkpoint_); }

 private:
  const std::shared_ptr<Checkpoint> checkpoint_;
};

/// The hooks of a second run.
class SecondRun final : public SavedTensorsHooks, public std::enable_shared_from_this<SecondRun> {
 public:
  SecondRun(std::shared_ptr<Checkpoint> checkpoint, Pass pass, std::shared_ptr<Run> run)
      : checkpoint_(std::move(checkpoint)), pass_(pass), run_(std::move(run)) {}
  std::unique_ptr<SavedVariableHooks> make() override;
  void save(const at::Tensor &tensor) const { checkpoint_->save_again(tensor, pass_, *run_); }

 private:
  const std::shared_ptr<Checkpoint> checkpoint_;
  const Pass pass_;
  const std::shared_ptr<Run> run_;
};

/// Fills a slot. The second run's own graph keeps the tensor too, for a function that runs backward itself.
class FilledHooks final : public SavedVariableHooks {
 public:
  explicit FilledHooks(std::shared_ptr<const SecondRun> second_run) : second_run_(std::move(second_run)) {}
  void call_pack_hook(const at::Tensor &tensor) override {
    tensor_ = tensor.requires_grad() ? at::_ops::detach::call(tensor) : tensor;
    std::exchange(second_run_, nullptr)->save(tensor_);
  }
  at::Tensor call_unpack_hook() override { return tensor_; }

 private:
  std::shared_ptr<const SecondRun> second_run_;
  at::Tensor tensor_;
};

std::unique_ptr<SavedVariableHooks> SecondRun::make() { return std::make_unique<FilledHooks>(shared_from_this()); }

Mutex &Checkpoint::mutex = *new Mutex(LockOrder::Checkpoints);

std::vector<at::Tensor> Checkpoint::call(const std::vector<at::Tensor> &inputs) {
  auto handles = borrowed_handles(inputs);
  return tensors_from_callback("checkpoint", 0, [&](ctorch_tensor_list **out, ctorch_error **error) {
    return function_(out, handles.data(), handles.size(), error, payload.get());
  });
}

std::vector<at::Tensor> Checkpoint::call_recorded(const std::vector<at::Tensor> &inputs) {
  if (preserve_rng_state_) {
    random_state_.emplace(inputs);
  }
  for (const at::Tensor &input : inputs) {
    inputs_.emplace_back(input, /*is_output=*/false);
  }
  std::vector<at::Tensor> outputs;
  {
    SavedTensorsHooksScope hooks(std::make_shared<FirstRun>(shared_from_this()));
    outputs = call(inputs);
  }
  completed_ = true;
  return outputs;
}

std::shared_ptr<Slot> Checkpoint::save(const at::Tensor &tensor) {
  auto slot = std::make_shared<Slot>();
  std::lock_guard lock(mutex);
  slots_.push_back(slot);
  if (check_metadata_) {
    metadata_.emplace_back(tensor);
  }
  return slot;
}

at::Tensor Checkpoint::unpack(Slot &slot) {
  TORCH_CHECK(!failed_, "the checkpoint that saved this tensor failed");
  // Outside of a pass, as where saved tensors are looked at, each unpacking is one of its own.
  static std::atomic<Pass> last_outside{-1};
  const Pass current = torch::autograd::get_current_graph_task_id();
  const Pass pass = current == -1 ? --last_outside : current;
  run_once(pass);
  at::Tensor tensor;
  {
    std::lock_guard lock(mutex);
    auto found = slot.tensors.find(pass);
    TORCH_CHECK(
        found != slot.tensors.end(),
        "torch.utils.checkpoint: A tensor that was saved during the original forward was not saved again during "
        "recomputation.");
    TORCH_CHECK(
        found->second.defined(),
        "torch.utils.checkpoint: Unpack is being triggered for a tensor that was already unpacked once. If you are "
        "calling ctx.saved_tensors in backward, make sure to do so only once. Otherwise please open an issue with "
        "details on your use case.");
    tensor = std::move(found->second);
  }
  if (current == -1) {
    forget(pass);
  }
  return tensor;
}

/// Run the function again unless this pass has done so. A second thread of the pass waits for the first.
void Checkpoint::run_once(Pass pass) {
  std::shared_ptr<Run> run;
  {
    std::lock_guard lock(mutex);
    std::shared_ptr<Run> &place = runs_[pass];
    if (place == nullptr) {
      place = std::make_shared<Run>();
    }
    run = place;
  }
  TORCH_CHECK(
      run->thread.load() != std::this_thread::get_id(),
      "a checkpoint's function needs, when it runs again, a tensor that this very run is to recompute");
  std::lock_guard<std::mutex> lock(run->mutex);
  if (run->done) {
    return;
  }
  run->thread = std::this_thread::get_id();
  try {
    run_again(pass, run);
    check_same(pass, *run);
  } catch (...) {
    run->thread = std::thread::id();
    run->saved = 0;
    run->stopped = false;
    empty_slots(pass);
    throw;
  }
  run->thread = std::thread::id();
  run->done = true;
  if (pass >= 0) {
    // What this pass recomputes and does not use, because it is about some inputs only, need not outlive it.
    torch::autograd::Engine::get_default_engine().queue_callback([weak = weak_from_this(), pass] {
      if (auto checkpoint = weak.lock()) {
        checkpoint->forget(pass);
      }
    });
  }
}

void Checkpoint::run_again(Pass pass, const std::shared_ptr<Run> &run) {
  std::vector<at::Tensor> inputs;
  inputs.reserve(inputs_.size());
  for (const SavedVariable &input : inputs_) {
    inputs.push_back(input.unpack());
  }
  std::optional<RandomStateScope> random_state;
  if (random_state_) {
    random_state.emplace(*random_state_);
  }
  AutocastScope autocast(autocast_state_);
  SavedTensorsHooksScope hooks(std::make_shared<SecondRun>(shared_from_this(), pass, run));
  at::AutoGradMode grad_mode(true);
  try {
    call(inputs);
  } catch (...) {
    if (!run->stopped) {
      throw;
    }
  }
}

void Checkpoint::save_again(const at::Tensor &tensor, Pass pass, Run &run) {
  auto stop = [&] {
    run.stopped = true;
    TORCH_CHECK(false, "this checkpoint has recomputed all that backward needs: the function stops here");
  };
  std::lock_guard lock(mutex);
  const size_t index = run.saved;
  if (run.stopped) {
    stop();
  }
  run.saved++;
  if (index >= slots_.size()) {
    if (early_stop_) {
      stop();
    }
    TORCH_CHECK(
        !completed_,
        "torch.utils.checkpoint: trying to save more tensors during recomputation than during the original forward "
        "pass.");
    saved_otherwise_ = true;
    return;
  }
  if (auto slot = slots_[index].lock()) {  // else a backward inside the function has been here
    slot->tensors[pass] = tensor;
  }
  if (early_stop_ && run.saved == slots_.size()) {
    stop();
  }
}

void Checkpoint::check_same(Pass pass, const Run &run) const {
  std::lock_guard lock(mutex);
  if (saved_otherwise_) {
    return;
  }
  TORCH_CHECK(
      slots_.size() == run.saved,
      "torch.utils.checkpoint: A different number of tensors was saved during the original forward and "
      "recomputation.\nNumber of tensors saved during forward: ",
      slots_.size(), "\nNumber of tensors saved during recomputation: ", run.saved, ".");
  TextStream different;
  for (size_t i = 0; i < metadata_.size(); i++) {
    auto slot = slots_[i].lock();
    if (slot == nullptr) {
      continue;
    }
    auto found = slot->tensors.find(pass);
    if (found != slot->tensors.end() && found->second.defined() && !(Metadata(found->second) == metadata_[i])) {
      different << "tensor at position " << i << ":\nsaved metadata: " << metadata_[i]
                << "\nrecomputed metadata: " << Metadata(found->second) << "\n";
    }
  }
  TORCH_CHECK(
      different.str().empty(),
      "torch.utils.checkpoint: Recomputed values for the following tensors have different metadata than during the "
      "forward pass.\n",
      different.str(), ".");
}

void Checkpoint::forget(Pass pass) {
  empty_slots(pass);
  std::lock_guard lock(mutex);
  runs_.erase(pass);
}

void Checkpoint::empty_slots(Pass pass) {
  std::vector<at::Tensor> unused;  // freed after the lock
  std::lock_guard lock(mutex);
  for (const auto &weak : slots_) {
    auto slot = weak.lock();
    if (slot == nullptr) {
      continue;
    }
    auto found = slot->tensors.find(pass);
    if (found != slot->tensors.end()) {
      unused.push_back(std::move(found->second));
      slot->tensors.erase(found);
    }
  }
}

bool checks_metadata(const char *determinism_check) {
  const std::string_view check = from::string_or(determinism_check, "determinism_check", "default");
  if (check != "default" && check != "none") {
    fail(CTORCH_ERROR_VALUE, "determinism_check should be one of ['default', 'none'], but got " + excerpt(check));
  }
  return check == "default";
}

}  // namespace

ctorch_error *ctorch_checkpoint(
    ctorch_tensor_list **out,
    ctorch_tensors_callback function,
    const ctorch_tensor *const *inputs,
    size_t inputs_len,
    const bool *preserve_rng_state,
    const char *determinism_check,
    const bool *early_stop,
    void (*destroy)(void *payload),
    void *payload) {
  refuse_in_capture("a checkpoint computes again, with generators set back");
  return guard(__func__, [&] {
    to::require(out, "out");
    from::callback(function, "function");
    from::check_list(inputs, inputs_len, "inputs");
    auto checkpoint = std::make_shared<Checkpoint>(
        function, from::optional(preserve_rng_state).value_or(true), checks_metadata(determinism_check),
        from::optional(early_stop).value_or(true), destroy, payload);
    const std::vector<at::Tensor> tensors = share_all(inputs, inputs_len);
    try {
      to::give(at::GradMode::is_enabled() ? checkpoint->call_recorded(tensors) : checkpoint->call(tensors), out);
    } catch (...) {
      checkpoint->fail();
      throw;
    }
    checkpoint->payload.own();
  });
}
