// tape.h: steps that are captured and replayed.
#include "ctorch/tape/tape.h"

#include <ATen/MemoryOverlap.h>
#include <ATen/core/LegacyTypeDispatch.h>

#include <atomic>
#include <cstdlib>
#include <cstring>
#include <memory>

#include "core/abi/capture.hpp"
#include "core/abi/error.hpp"
#include "core/abi/from.hpp"
#include "core/abi/object.hpp"
#include "core/abi/text_stream.hpp"
#include "core/abi/to.hpp"
#include "core/tape/guards.hpp"
#include "core/tape/listing.hpp"
#include "core/tape/placement.hpp"
#include "core/tape/program.hpp"
#include "core/tape/recording.hpp"
#include "core/tape/reference_run.hpp"
#include "core/tape/refusal.hpp"
#include "core/tape/tensors.hpp"

using namespace ctorch;

namespace {

constexpr uint64_t TIMED_EVERY = 64;  // replays, for the shares of time in the listing

/// What a tape has once its step has ended.
struct Replayable {
  tape::Placement placement;
  tape::Guards guards;
  std::vector<tape::Record> records;
  std::vector<at::Tensor> outputs;
  std::vector<at::Tensor> inner;  // keeps the tape's own tensors, which steps point into
  std::unique_ptr<tape::Program> program;
  std::unique_ptr<tape::ReferenceRun> reference;
  std::vector<std::unique_ptr<ReplayPart>> parts;
  uint64_t replays = 0;
};

}  // namespace

struct ctorch_tape final : ctorch::Object {
  ctorch_tape(std::vector<at::Tensor> &&inputs, bool is_fast, bool verifies)
      : inputs(std::move(inputs)), is_fast(is_fast), verifies(verifies) {}
  const char *type_name() const noexcept override { return "tape"; }

  std::vector<at::Tensor> inputs;  // until the end
  bool is_fast, verifies;
  tape::Modes modes;
  std::unique_ptr<tape::Recording> recording;  // while it is captured
  std::unique_ptr<Replayable> replayable;      // from then on
  std::atomic<bool> is_busy{false};
};

namespace {

bool is_asked_to_verify() {
  const char *value = std::getenv("CTORCH_TAPE_VERIFY");
  return value != nullptr && std::strcmp(value, "1") == 0;
}

std::string numbered(const char *name, size_t i) { return std::string(name) + "[" + std::to_string(i) + "]"; }

at::Tensor plain(const ctorch_tensor *tensor, const std::string &name) {
  if (tensor == nullptr) {
    fail_null(name.c_str());
  }
  const at::Tensor &given = from::tensor(tensor, name.c_str());
  if (!tape::is_plain(given)) {
    fail_argument(name.c_str(), "a strided tensor of the CPU is expected");
  }
  return given;
}

std::vector<at::Tensor> plain_inputs(const ctorch_tensor *const *inputs, size_t len) {
  from::check_list(inputs, len, "inputs");
  std::vector<at::Tensor> list;
  for (size_t i = 0; i < len; i++) {
    const std::string name = numbered("inputs", i);
    list.push_back(plain(inputs[i], name));
    if (!list[i].is_non_overlapping_and_dense() && at::has_internal_overlap(list[i]) != at::MemOverlap::No) {
      fail_argument(name.c_str(), "its elements may share memory");
    }
    for (size_t j = 0; j < i; j++) {
      if (list[i].storage().unsafeGetStorageImpl() == list[j].storage().unsafeGetStorageImpl() &&
          tape::Extent(list[i]).overlaps(tape::Extent(list[j]))) {
        fail_argument(name.c_str(), "it overlaps inputs[" + std::to_string(j) + "]");
      }
    }
  }
  return list;
}

std::unique_ptr<Replayable> make_replayable(
    tape::Recording &recording,
    const ctorch_tape &self,
    const std::vector<at::Tensor> &inputs,
    const std::vector<at::Tensor> &outputs) {
  auto made = std::make_unique<Replayable>();
  for (size_t i = 0; i < inputs.size(); i++) {
    if (!tape::is_same_place(recording.aliases[i].tensor, inputs[i])) {
      recording.refuse(numbered("inputs", i) + " was given other memory, sizes or strides");
    }
  }
  for (size_t i = 0; i < outputs.size(); i++) {
    made->outputs.push_back(recording.alias_of(outputs[i], numbered("outputs", i)));
    if (recording.is_unset(made->outputs[i])) {
      recording.refuse(numbered("outputs", i) + " is memory that no operator has written to");
    }
  }
  recording.require_replayable();
  made->placement = tape::place(recording, inputs, made->outputs);
  recording.require_replayable();
  made->guards.add_all(recording);
  {
    at::AutoDispatchBelowADInplaceOrView below;
    made->program = std::make_unique<tape::Program>(recording.records, self.is_fast, true);
    if (self.verifies) {
      made->reference =
          std::make_unique<tape::ReferenceRun>(recording.records, recording.aliases, made->placement.block);
    }
  }
  for (const tape::Alias &alias : recording.aliases) {
    made->inner.push_back(alias.tensor);
  }
  made->records = std::move(recording.records);
  made->parts = std::move(recording.parts);
  return made;
}

/// One replay at a time: its memory is always the same.
class Busy {
 public:
  explicit Busy(std::atomic<bool> &flag) : flag_(flag) {
    if (flag.exchange(true, std::memory_order_acquire)) {
      fail(CTORCH_ERROR_RUNTIME, "the tape is being replayed, by another thread or by what this one calls");
    }
  }
  Busy(const Busy &) = delete;
  Busy &operator=(const Busy &) = delete;
  ~Busy() { flag_.store(false, std::memory_order_release); }

 private:
  std::atomic<bool> &flag_;
};

Replayable &ended(const ctorch_tape *self) {
  from::object(self, "self");
  if (self->replayable == nullptr) {
    fail(CTORCH_ERROR_RUNTIME, "the step has not ended, or ended with an error");
  }
  return *self->replayable;
}

void check_input(const at::Tensor &given, const at::Tensor &place, size_t i) {
  if (tape::is_plain(given) && given.sizes() == place.sizes() && given.scalar_type() == place.scalar_type()) {
    return;
  }
  const std::string name = numbered("inputs", i);
  if (!given.device().is_cpu()) {
    tape::fail_refused(
        CTORCH_ERROR_DEVICE_MISMATCH,
        name + ": the step was captured with a tensor of the CPU, got one of " + given.device().str());
  }
  if (!tape::is_plain(given)) {
    fail_argument(name.c_str(), "a strided tensor of the CPU is expected");
  }
  if (given.scalar_type() != place.scalar_type()) {
    tape::fail_refused(
        CTORCH_ERROR_DTYPE_MISMATCH, name + ": the step was captured with " + c10::toString(place.scalar_type()) +
                                         ", got " + c10::toString(given.scalar_type()));
  }
  TextStream text;
  text << name << ": the step was captured with sizes " << place.sizes() << ", got " << given.sizes();
  tape::fail_refused(CTORCH_ERROR_SHAPE_MISMATCH, text.str());
}

void copy_values(const at::Tensor &to, const at::Tensor &from) {
  if (to.strides() == from.strides() && to.is_non_overlapping_and_dense() && to.is_conj() == from.is_conj() &&
      to.is_neg() == from.is_neg()) {
    if (const size_t bytes = to.nbytes(); bytes > 0) {
      std::memcpy(to.mutable_data_ptr(), from.const_data_ptr(), bytes);
    }
    return;
  }
  to.copy_(from);
}

/// Run the step. VALUE is for what was found before anything was done.
void run_program(Replayable &self) try {
  if (self.replays % TIMED_EVERY == 2) {
    self.program->run_timed();
  } else {
    self.program->run();
  }
} catch (const c10::ValueError &error) {
  fail(CTORCH_ERROR_RUNTIME, error.what_without_backtrace());
}

void run(Replayable &self, bool is_exact) {
  if (self.reference != nullptr) {
    self.reference->run();
  }
  self.replays++;
  run_program(self);
  if (self.reference != nullptr) {
    self.reference->compare(is_exact);
  }
}

void replay(ctorch_tape &self, Replayable &step, at::TensorList inputs) {
  at::AutoDispatchBelowADInplaceOrView below;
  for (size_t i = 0; i < inputs.size(); i++) {
    copy_values(step.placement.inputs[i].place, inputs[i]);
  }
  step.guards.bump_versions();
  for (const auto &part : step.parts) {
    part->begin();
  }
  run(step, !self.is_fast);
  for (size_t i = 0; i < inputs.size(); i++) {
    if (step.placement.inputs[i].is_written) {
      inputs[i].copy_(step.placement.inputs[i].place);
      if (!inputs[i].is_inference()) {
        inputs[i].unsafeGetTensorImpl()->bump_version();
      }
    }
  }
}

}  // namespace

ctorch_error *ctorch_tape_begin(
    ctorch_tape **out, const ctorch_tensor *const *inputs, size_t inputs_len, bool fast, bool verify) {
  return guard(__func__, [&] {
    to::require(out, "out");
    auto made =
        c10::make_intrusive<ctorch_tape>(plain_inputs(inputs, inputs_len), fast, verify || is_asked_to_verify());
    tape::Recording::end_abandoned();
    if (current_capture() != nullptr) {
      fail(CTORCH_ERROR_RUNTIME, "this thread notes a step already");
    }
    if (c10::impl::tls_is_dispatch_key_included(c10::DispatchKey::FuncTorchDynamicLayerFrontMode)) {
      fail(CTORCH_ERROR_RUNTIME, "a transform of functions is active");
    }
    made->recording = std::make_unique<tape::Recording>();
    tape::Recording &recording = *made->recording;
    for (size_t i = 0; i < inputs_len; i++) {
      recording.alias_of(made->inputs[i], numbered("inputs", i));
    }
    recording.begin(made);
    to::give(std::move(made), out);  // where that fails, nobody has the tape, and the next call ends it
  });
}

ctorch_error *ctorch_tape_end(ctorch_tape *self, const ctorch_tensor *const *outputs, size_t outputs_len) {
  return guard(__func__, [&] {
    from::object(self, "self");
    if (self->recording == nullptr || current_capture() != self->recording.get()) {
      fail(CTORCH_ERROR_RUNTIME, "this thread does not note a step for this tape");
    }
    const auto owner = self->recording->end();
    const std::unique_ptr<tape::Recording> recording = std::move(self->recording);
    const std::vector<at::Tensor> inputs = std::exchange(self->inputs, {});
    from::check_list(outputs, outputs_len, "outputs");
    std::vector<at::Tensor> results;
    results.reserve(outputs_len);
    for (size_t i = 0; i < outputs_len; i++) {
      results.push_back(plain(outputs[i], numbered("outputs", i)));
    }
    recording->require_replayable();
    self->replayable = make_replayable(*recording, *self, inputs, results);
  });
}

ctorch_error *ctorch_tape_replay(ctorch_tape *self, const ctorch_tensor *const *inputs, size_t inputs_len) {
  return guard(__func__, [&] {
    Replayable &step = ended(self);
    const at::TensorList given = from::tensors(inputs, inputs_len, "inputs");
    if (inputs_len != step.placement.inputs.size()) {
      from::fail_length(inputs_len, step.placement.inputs.size(), "inputs");
    }
    if (Capture *capture = current_capture()) {
      capture->refuse("a tape was replayed");
      fail(CTORCH_ERROR_RUNTIME, "this thread notes a step, in which no other can be replayed");
    }
    const Busy busy(self->is_busy);
    for (size_t i = 0; i < inputs_len; i++) {
      check_input(given[i], step.placement.inputs[i].place, i);
    }
    self->modes.check();
    step.guards.check();
    for (const auto &part : step.parts) {
      if (ctorch_error *error = part->check("ctorch_tape_replay")) {
        throw CallbackFailure(error);
      }
    }
    replay(*self, step, given);
  });
}

ctorch_error *ctorch_tape_outputs(ctorch_tensor_list **out, const ctorch_tape *self) {
  return guard(__func__, [&] {
    to::require(out, "out");
    std::vector<at::Tensor> outputs = ended(self).outputs;
    to::give(std::move(outputs), out);
  });
}

ctorch_error *ctorch_tape_text(ctorch_string **out, const ctorch_tape *self) {
  return guard(__func__, [&] {
    to::require(out, "out");
    const Replayable &step = ended(self);
    to::give(tape::listing(step.records, *step.program, step.placement, step.replays), out);
  });
}

size_t ctorch_tape_bytes(const ctorch_tape *self) {
  return is_there(self) && self->replayable != nullptr ? self->replayable->placement.bytes : 0;
}

void ctorch_tape_retain(const ctorch_tape *self) { retain_object(self); }

void ctorch_tape_release(ctorch_tape *self) {
  release_object(self);
  tape::Recording::end_abandoned();
}
