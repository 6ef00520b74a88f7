// Ways to run a record again: program.hpp.
#include "core/tape/program.hpp"

#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/ops/empty_like.h>

#include <chrono>
#include <cstring>
#include <optional>
#include <unordered_map>

#include "core/abi/error.hpp"
#include "core/tape/refusal.hpp"
#include "core/tape/rewrite.hpp"
#include "core/tape/roles.hpp"
#include "core/tape/tensors.hpp"

namespace ctorch::tape {

namespace {

using c10::DispatchKey;
using torch::jit::Stack;

const c10::DispatchKeySet CPU_KEYS(DispatchKey::CPU);

/// The operator itself, or its overload with `out`: what it gives back is in its arguments.
class CallStep : public Step {
 public:
  CallStep(const c10::OperatorHandle &op, std::vector<c10::IValue> &&args) : op_(op), args_(std::move(args)) {}

  void run() override {
    call();
    stack_.clear();
  }

 protected:
  void call() {
    stack_.assign(args_.begin(), args_.end());
    op_.redispatchBoxed(CPU_KEYS, &stack_);
  }

  c10::OperatorHandle op_;
  std::vector<c10::IValue> args_;
  Stack stack_;
};

/// The operator, and copies of its results to where they belong.
class CopyStep final : public CallStep {
 public:
  CopyStep(const c10::OperatorHandle &op, std::vector<c10::IValue> &&args, const std::vector<c10::IValue> &outs)
      : CallStep(op, std::move(args)) {
    for (const c10::IValue &out : outs) {
      outs_.emplace_back();
      each_tensor(out, [&](const at::Tensor &tensor) { outs_.back().push_back(tensor); });
    }
  }

  void run() override {
    call();
    for (size_t i = 0; i < outs_.size(); i++) {
      size_t j = 0;
      each_tensor(stack_[i], [&](const at::Tensor &result) {
        if (j < outs_[i].size()) {
          copy(outs_[i][j], result);
        }
        j++;
      });
      if (j != outs_[i].size()) {
        fail_changed();
      }
    }
    stack_.clear();
  }

 private:
  [[noreturn]] void fail_changed() const {
    fail_refused(CTORCH_ERROR_RUNTIME, name_of(op_) + " gave results of other sizes than when it was captured");
  }

  void copy(const at::Tensor &out, const at::Tensor &result) const {
    if (out.sizes() != result.sizes() || out.dtype() != result.dtype()) {
      fail_changed();
    }
    if (out.unsafeGetTensorImpl() == result.unsafeGetTensorImpl()) {
      return;
    }
    if (out.strides() == result.strides() && out.is_non_overlapping_and_dense() && !result.is_conj() &&
        !result.is_neg() && !out.is_conj() && !out.is_neg()) {
      const size_t bytes = out.nbytes();
      const void *from = result.const_data_ptr();
      void *to = out.mutable_data_ptr();
      if (bytes > 0 && from != to) {
        std::memcpy(to, from, bytes);
      }
      return;
    }
    out.copy_(result);
  }

  std::vector<std::vector<at::Tensor>> outs_;
};

/// The overload with `out`. Some of them want other memory for their results first, which moves tensors that have to
/// stay where they are: the first run tries it on others, and if it moves those the operator itself is called from then
/// on.
class OutStep final : public Step {
 public:
  OutStep(const c10::OperatorHandle &with_out, const Record &record) : record_(record) {
    std::vector<c10::IValue> args = record.args;
    args.insert(args.end(), record.outs.begin(), record.outs.end());
    step_ = std::make_unique<CallStep>(with_out, std::move(args));
    for (const c10::IValue &out : record.outs) {
      tries_.push_back(at::empty_like(out.toTensor()));
    }
    args = record.args;
    args.insert(args.end(), tries_.begin(), tries_.end());
    first_ = std::make_unique<CallStep>(with_out, std::move(args));
  }

  void run() override {
    if (__builtin_expect(first_ == nullptr, true)) {
      step_->run();
    } else {
      run_first();
    }
  }

 private:
  void run_first() {
    struct Silent final : c10::WarningHandler {
      void process(const c10::Warning & /*warning*/) override {}
    } handler;
    std::vector<const void *> places;
    places.reserve(tries_.size());
    for (const at::Tensor &out : tries_) {
      places.push_back(out.const_data_ptr());
    }
    {
      const c10::WarningUtils::WarningHandlerGuard guard(&handler);
      first_->run();
    }
    bool stayed = true;
    for (size_t i = 0; i < tries_.size(); i++) {
      const at::Tensor &out = record_.outs[i].toTensor();
      stayed = stayed && tries_[i].const_data_ptr() == places[i] && tries_[i].sizes() == out.sizes() &&
               tries_[i].strides() == out.strides();
      out.copy_(tries_[i]);
    }
    first_ = nullptr;
    tries_.clear();
    if (!stayed) {
      step_ = std::make_unique<CopyStep>(record_.op, std::vector<c10::IValue>(record_.args), record_.outs);
    }
  }

  const Record record_;
  std::vector<at::Tensor> tries_;
  std::unique_ptr<Step> first_, step_;
};

class ZeroStep final : public Step {
 public:
  explicit ZeroStep(const at::Tensor &out) : to_(out.mutable_data_ptr()), bytes_(out.nbytes()) {}

  void run() override {
    if (bytes_ > 0) {
      std::memset(to_, 0, bytes_);
    }
  }

 private:
  void *to_;
  size_t bytes_;
};

/// One after the other.
class Sequence final : public Step {
 public:
  explicit Sequence(std::vector<std::unique_ptr<Step>> &&steps) : steps_(std::move(steps)) {}

  void run() override {
    for (const auto &step : steps_) {
      step->run();
    }
  }

 private:
  std::vector<std::unique_ptr<Step>> steps_;
};

using Overloads = std::unordered_map<std::string, std::vector<c10::OperatorHandle>>;

/// Operators whose last arguments are `out`, by the name that they share with those that have none.
Overloads overloads_with_out() {
  Overloads found;
  auto &dispatcher = c10::Dispatcher::singleton();
  for (const c10::OperatorName &name : dispatcher.getAllOpNames()) {
    const std::optional<c10::OperatorHandle> op = dispatcher.findSchema(name);
    if (op && !op->schema().arguments().empty() && op->schema().arguments().back().is_out()) {
      found[name.name].push_back(*op);
    }
  }
  return found;
}

bool is_out_of(const c10::FunctionSchema &out, const c10::FunctionSchema &schema) {
  const auto &arguments = schema.arguments();
  if (out.arguments().size() != arguments.size() + schema.returns().size()) {
    return false;
  }
  for (size_t i = 0; i < arguments.size(); i++) {
    if (out.arguments()[i].name() != arguments[i].name() || *out.arguments()[i].type() != *arguments[i].type()) {
      return false;
    }
  }
  for (size_t i = arguments.size(); i < out.arguments().size(); i++) {
    if (!out.arguments()[i].is_out()) {
      return false;
    }
  }
  return true;
}

/// The overload of an operator that writes to tensors given to it by a kernel of its own, not by a copy.
std::optional<c10::OperatorHandle> with_out(const c10::OperatorHandle &op) {
  static const Overloads all = overloads_with_out();
  const auto found = all.find(op.operator_name().name);
  if (found != all.end() && !has_role(op.operator_name(), OTHER_OUT)) {
    for (const c10::OperatorHandle &candidate : found->second) {
      if (candidate.hasKernelForDispatchKey(DispatchKey::CPU) && is_out_of(candidate.schema(), op.schema())) {
        return candidate;
      }
    }
  }
  return std::nullopt;
}

/// Whether each result is one of the arguments: then there is nothing to be copied.
bool gives_arguments_back(const Record &record) {
  bool gives = true;
  for (const c10::IValue &out : record.outs) {
    each_tensor(out, [&](const at::Tensor &tensor) {
      bool is_argument = false;
      for (const c10::IValue &arg : record.args) {
        each_tensor(arg, [&](const at::Tensor &given) { is_argument = is_argument || given.is_same(tensor); });
      }
      gives = gives && is_argument;
    });
  }
  return gives;
}

bool are_tensors(const std::vector<c10::IValue> &outs) {
  for (const c10::IValue &out : outs) {
    if (!is_tensor(out)) {
      return false;
    }
  }
  return !outs.empty();
}

bool is_of_zeros(const Record &record) {
  const std::string &name = record.op.operator_name().name;
  return (name == "aten::zeros" || name == "aten::zeros_like" || name == "aten::new_zeros") &&
         record.op.operator_name().overload_name.find("out") == std::string::npos && is_tensor(record.outs[0]) &&
         record.outs[0].toTensor().is_non_overlapping_and_dense();
}

struct MadeStep {
  std::unique_ptr<Step> step;
  Way way = Way::Copy;
};

std::unique_ptr<Step> out_step(const Record &record) {
  if (gives_arguments_back(record)) {
    return std::make_unique<CallStep>(record.op, std::vector<c10::IValue>(record.args));
  }
  if (!are_tensors(record.outs)) {
    return nullptr;
  }
  const auto op = with_out(record.op);
  if (!op) {
    return nullptr;
  }
  return std::make_unique<OutStep>(*op, record);
}

/// By a kernel that writes to where the results belong; null if there is none.
MadeStep direct_step(const Record &record) {
  if (auto step = structured_step(record)) {
    return {std::move(step), Way::Structured};
  }
  return {out_step(record), Way::Out};
}

/// By what the operator consists of, if all of that has such kernels.
MadeStep rewritten_step(const Record &record) {
  std::vector<std::unique_ptr<Step>> steps;
  Way way = Way::Structured;
  for (const Record &part : rewritten(record)) {
    MadeStep made = {moving_step(part), Way::Move};
    if (made.step == nullptr) {
      made = direct_step(part);
    }
    if (made.step == nullptr) {
      return {};
    }
    way = made.way == Way::Out ? Way::Out : way;
    steps.push_back(std::move(made.step));
  }
  if (steps.empty()) {
    return {};
  }
  return {steps.size() == 1 ? std::move(steps[0]) : std::make_unique<Sequence>(std::move(steps)), way};
}

MadeStep lowered_step(const Record &record, bool is_fast) {
  if (is_of_zeros(record)) {
    return {std::make_unique<ZeroStep>(record.outs[0].toTensor()), Way::Fill};
  }
  if (is_fast) {
    if (auto step = fast_step(record)) {
      return {std::move(step), Way::Fast};
    }
  }
  if (auto step = moving_step(record)) {
    return {std::move(step), Way::Move};
  }
  MadeStep made = rewritten_step(record);
  return made.step != nullptr ? std::move(made) : direct_step(record);
}

}  // namespace

const char *name_of(Way way) {
  switch (way) {
    case Way::Fast:
      return "fast";
    case Way::Move:
      return "move";
    case Way::Structured:
      return "structured";
    case Way::Out:
      return "out";
    case Way::Copy:
      return "copy";
    default:
      return "fill";
  }
}

Program::Program(const std::vector<Record> &records, bool is_fast, bool is_lowered) {
  for (const Record &record : records) {
    add(record, is_fast, is_lowered);
  }
  seconds_.resize(steps_.size());
}

void Program::add(const Record &record, bool is_fast, bool is_lowered) {
  MadeStep made = is_lowered ? lowered_step(record, is_fast) : MadeStep();
  if (made.step == nullptr && gives_arguments_back(record)) {
    made = {out_step(record), Way::Out};
  }
  if (made.step == nullptr) {
    made = {std::make_unique<CopyStep>(record.op, std::vector<c10::IValue>(record.args), record.outs), Way::Copy};
  }
  steps_.push_back(std::move(made.step));
  ways_.push_back(made.way);
}

void Program::run_timed() {
  using Clock = std::chrono::steady_clock;
  Clock::time_point before = Clock::now();
  for (size_t i = 0; i < steps_.size(); i++) {
    steps_[i]->run();
    const Clock::time_point after = Clock::now();
    seconds_[i] += std::chrono::duration<double>(after - before).count();
    before = after;
  }
}

}  // namespace ctorch::tape
