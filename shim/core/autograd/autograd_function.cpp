// Custom functions: what torch/csrc/autograd/python_function.cpp does for Python's autograd.Function, for C callbacks.
//
// LibTorch's _wrap_outputs() does the hard part, which is to attach the node to outputs that may be inputs, views or
// changed in place, and to run jvp. What is left is the order of things: forward, wrap the outputs, and only then save
// the tensors, because an output that is saved must know its node.
//
// The node owns the context. Python and C++ hold the node's lock while the user's backward runs; here it is held for
// the moment it takes to get at the saved tensors, so that a backward may run backward through its own node.
#include "ctorch/autograd/autograd_function.h"

#include <ATen/FuncTorchTLS.h>
#include <ATen/core/Tensor.h>
#include <ATen/ops/view_as_ops.h>
#include <ATen/ops/zeros_like_ops.h>
#include <ATen/record_function.h>
#include <c10/core/GradMode.h>
#include <torch/csrc/autograd/custom_function.h>
#include <torch/csrc/autograd/functions/basic_ops.h>
#include <torch/csrc/autograd/saved_variable.h>
#include <torch/csrc/autograd/variable.h>
#include <torch/csrc/autograd/variable_info.h>

#include <algorithm>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <unordered_set>
#include <vector>

#include "core/abi/callback_tensors.hpp"
#include "core/abi/error.hpp"
#include "core/abi/fork.hpp"
#include "core/abi/from.hpp"
#include "core/abi/handle.hpp"
#include "core/abi/to.hpp"
#include "core/torch/autograd.hpp"

using namespace ctorch;
using torch::autograd::Node;
using torch::autograd::SavedVariable;
using torch::autograd::variable_list;
using torch::autograd::VariableInfo;

struct ctorch_autograd_function final : Object {
  ctorch_autograd_function(
      std::string_view name,
      ctorch_autograd_function_forward_callback forward,
      ctorch_autograd_function_backward_callback backward,
      ctorch_autograd_function_jvp_callback jvp,
      bool once_differentiable,
      void (*destroy)(void *payload),
      void *payload)
      : name(name),
        forward(forward),
        backward(backward),
        jvp(jvp),
        once_differentiable(once_differentiable),
        payload(destroy, payload) {}
  const char *type_name() const noexcept override { return "function"; }

  const std::string name;
  const ctorch_autograd_function_forward_callback forward;
  const ctorch_autograd_function_backward_callback backward;
  const ctorch_autograd_function_jvp_callback jvp;
  const bool once_differentiable;
  Payload payload;
};

struct ctorch_autograd_context final : Object {
  ctorch_autograd_context(
      c10::intrusive_ptr<ctorch_autograd_function> function,
      const variable_list &inputs,
      const libtorch::NodePtr<Node> &node,
      void (*destroy)(void *payload),
      void *payload)
      : function(std::move(function)), payload(destroy, payload), node(node) {
    for (const at::Tensor &input : inputs) {
      has_tensor.push_back(input.defined());
      requires_grad.push_back(input.defined() && input.requires_grad());
    }
  }
  const char *type_name() const noexcept override { return "function_context"; }

  size_t inputs_len() const { return has_tensor.size(); }
  void save(const variable_list &tensors, const libtorch::NodePtr<Node> &node);
  variable_list saved_tensors() const;
  void free_saved_tensors();
  void forget_requests();
  bool needs_input_grad(size_t index) const;

  const c10::intrusive_ptr<ctorch_autograd_function> function;
  Payload payload;
  const libtorch::WeakNodePtr<Node> node;  // which owns this
  std::vector<bool> has_tensor;            // of each input
  std::vector<bool> requires_grad;         // of each input
  std::vector<VariableInfo> outputs;       // for gradients of zeros
  bool materialize_grads = true;

  enum class State { Forward, Wrapping, Applied, Failed };
  State state = State::Forward;

  // What forward asks for.
  variable_list to_save;
  variable_list dirty;
  variable_list non_differentiable;
  std::optional<variable_list> saved_for_forward;

 private:
  // Guards the two below. Who unpacks has a reference of his own, so that another pass may free them meanwhile.
  static Mutex &mutex;
  std::shared_ptr<const std::vector<SavedVariable>> saved_ = std::make_shared<std::vector<SavedVariable>>();
  bool freed_ = false;
};

namespace {

/// The callback as messages call it.
std::string callback_name(const ctorch_autograd_function &function, const char *which) {
  return function.name + "." + which;
}

class FunctionNode final : public libtorch::OwnNode {
 public:
  std::string name() const override { return context->function->name + "Backward"; }
  variable_list apply(variable_list &&grad_outputs) override;
  void release_variables() override {
    if (context) {
      context->free_saved_tensors();
    }
  }
  void release_held() override { context.reset(); }  // it refers back, weakly

  c10::intrusive_ptr<ctorch_autograd_context> context;

 private:
  variable_list call_backward(const variable_list &grad_outputs);
  variable_list call_backward_once(const variable_list &grad_outputs);
  variable_list of_tensors(variable_list &&gradients) const;
};

variable_list FunctionNode::apply(variable_list &&grad_outputs) {
  TORCH_CHECK(context->state != ctorch_autograd_context::State::Failed, "the call that made this ", name(), " failed");
  at::OptionalDeviceGuard device_guard;
  if (context->materialize_grads) {
    for (size_t i = 0; i < grad_outputs.size(); i++) {
      if (!grad_outputs[i].defined()) {
        grad_outputs[i] = context->outputs[i].zeros(device_guard);
      }
    }
  }
  return of_tensors(
      context->function->once_differentiable ? call_backward_once(grad_outputs) : call_backward(grad_outputs));
}

variable_list FunctionNode::call_backward(const variable_list &grad_outputs) {
  const ctorch_autograd_function &function = *context->function;
  TORCH_CHECK_NOT_IMPLEMENTED(
      function.backward != nullptr, function.name,
      ": You must implement the backward callback of a custom function to use it with backward mode AD.");
  auto handles = borrowed_handles(grad_outputs);
  return tensors_from_callback(
      callback_name(function, "backward").c_str(), context->inputs_len(),
      [&](ctorch_tensor_list **out, ctorch_error **error) {
        return function.backward(out, context.get(), handles.data(), handles.size(), error, function.payload.get());
      });
}

/// Python's @once_differentiable: nothing is recorded, but where something should have been, the gradients require grad
/// and lead to a node that reports it.
variable_list FunctionNode::call_backward_once(const variable_list &grad_outputs) {
  variable_list gradients;
  {
    at::AutoGradMode no_grad(false);
    gradients = call_backward(grad_outputs);
  }
  if (!at::GradMode::is_enabled() || !torch::autograd::any_variable_requires_grad(grad_outputs)) {
    return gradients;
  }
  for (at::Tensor &gradient : gradients) {
    if (gradient.defined()) {
      gradient = gradient.detach();
      gradient.requires_grad_();
    }
  }
  auto error = libtorch::make_node<torch::autograd::DelayedError>(
      "trying to differentiate twice a function that was marked with @once_differentiable", gradients.size());
  return (*error)(std::move(gradients));
}

/// The gradients of those inputs that are tensors, which are the ones that have an edge.
variable_list FunctionNode::of_tensors(variable_list &&gradients) const {
  const size_t expected = context->inputs_len();
  auto defined = [](const at::Tensor &gradient) { return gradient.defined(); };
  if (gradients.size() > expected && std::none_of(gradients.begin() + expected, gradients.end(), defined)) {
    gradients.resize(expected);
  }
  TORCH_CHECK(
      gradients.size() == expected, "function ", name(), " returned an incorrect number of gradients (expected ",
      expected, ", got ", gradients.size(), ")");
  variable_list result;
  for (size_t i = 0; i < expected; i++) {
    if (context->has_tensor[i]) {
      result.push_back(std::move(gradients[i]));
    } else {
      TORCH_CHECK(
          !gradients[i].defined(), "function ", name(), " returned a gradient different than None at position ", i + 1,
          ", but the corresponding forward input was not a Variable");
    }
  }
  return result;
}

/// One ctorch_autograd_function_apply.
class Application {
  using State = ctorch_autograd_context::State;

 public:
  Application(const ctorch_autograd_function *function, variable_list &&inputs, void (*destroy)(void *), void *payload)
      : inputs_(std::move(inputs)), node_(libtorch::make_node<FunctionNode>()) {
    auto definition =
        c10::intrusive_ptr<ctorch_autograd_function>::reclaim_copy(const_cast<ctorch_autograd_function *>(function));
    node_->context =
        c10::make_intrusive<ctorch_autograd_context>(std::move(definition), inputs_, node_, destroy, payload);
    for (const at::Tensor &input : inputs_) {
      if (input.defined()) {
        tensors_.push_back(input);
      }
    }
    recorded_ = at::GradMode::is_enabled() && torch::autograd::any_variable_requires_grad(tensors_);
    if (recorded_) {
      node_->set_next_edges(torch::autograd::collect_next_edges(tensors_));
    }
  }
  Application(const Application &) = delete;
  Application &operator=(const Application &) = delete;
  ~Application() {
    // A node that survives a failure, because forward let an output escape, has lost its payload to the caller.
    if (context().state != State::Applied) {
      context().state = State::Failed;
      context().free_saved_tensors();
    }
    context().forget_requests();
  }

  variable_list run();
  /// The caller has the outputs: from here on the payload is the context's.
  void finish() noexcept {
    context().state = State::Applied;
    context().payload.own();
  }

 private:
  ctorch_autograd_context &context() { return *node_->context; }
  const ctorch_autograd_function &function() { return *context().function; }
  variable_list call_forward();
  variable_list call_jvp(const variable_list &outputs, variable_list &&tangents);
  std::vector<std::optional<at::Tensor>> wrap(const variable_list &outputs);

  const variable_list inputs_;  // undefined where the caller gave NULL
  variable_list tensors_;       // without those
  libtorch::NodePtr<FunctionNode> node_;
  bool recorded_ = false;
};

variable_list Application::run() {
  RECORD_FUNCTION(function().name, std::vector<c10::IValue>(tensors_.begin(), tensors_.end()), node_->sequence_nr());
  variable_list outputs;
  for (std::optional<at::Tensor> &output : wrap(call_forward())) {
    if (recorded_) {
      context().outputs.push_back(output ? VariableInfo(*output) : VariableInfo());
    }
    outputs.push_back(output ? std::move(*output) : at::Tensor());
  }
  if (recorded_) {
    context().save(context().to_save, node_);
  }
  return outputs;
}

variable_list Application::call_forward() {
  at::AutoGradMode no_grad(false);
  c10::AutoFwGradMode no_forward_grad(false);
  auto handles = borrowed_handles(inputs_);
  variable_list outputs = tensors_from_callback(
      callback_name(function(), "forward").c_str(), 0, [&](ctorch_tensor_list **out, ctorch_error **error) {
        return function().forward(out, &context(), handles.data(), handles.size(), error, function().payload.get());
      });
  context().state = State::Wrapping;
  return outputs;
}

std::vector<std::optional<at::Tensor>> Application::wrap(const variable_list &outputs) {
  std::unordered_set<at::TensorImpl *> dirty, non_differentiable;
  for (const at::Tensor &tensor : context().dirty) {
    dirty.insert(tensor.unsafeGetTensorImpl());
    torch::autograd::impl::bump_version(tensor);
  }
  for (const at::Tensor &tensor : context().non_differentiable) {
    non_differentiable.insert(tensor.unsafeGetTensorImpl());
  }
  std::vector<std::optional<at::Tensor>> raw;
  for (const at::Tensor &output : outputs) {
    raw.push_back(output.defined() ? std::optional<at::Tensor>(output) : std::nullopt);
  }
  auto jvp = [&](const variable_list &, variable_list tangents) {
    variable_list result = call_jvp(outputs, std::move(tangents));
    for (size_t i = 0; i < std::min(result.size(), outputs.size()); i++) {
      at::TensorImpl *impl = outputs[i].unsafeGetTensorImpl();
      bool wanted = outputs[i].defined() && torch::autograd::isDifferentiableType(outputs[i].scalar_type()) &&
                    non_differentiable.count(impl) == 0 && dirty.count(impl) == 0;
      TORCH_CHECK(
          result[i].defined() || !wanted, function().name, ": jvp returned no tangent for output ", i,
          ", which is differentiable");
    }
    return result;
  };
  auto view_as_self = [](const at::Tensor &x) { return at::_ops::view_as::call(x, x); };
  libtorch::NodePtr<Node> node;
  if (recorded_) {
    node = node_;
  }
  return libtorch::wrap_outputs(tensors_, non_differentiable, dirty, raw, node, jvp, view_as_self);
}

variable_list Application::call_jvp(const variable_list &outputs, variable_list &&tangents) {
  TORCH_CHECK_NOT_IMPLEMENTED(
      function().jvp != nullptr, function().name,
      ": You must implement the jvp callback of a custom function to use it with forward mode AD.");
  variable_list spread;
  size_t next = 0;
  for (const at::Tensor &input : inputs_) {
    if (!input.defined()) {
      spread.emplace_back();
      continue;
    }
    at::Tensor &tangent = tangents[next++];
    bool zeros =
        !tangent.defined() && context().materialize_grads && torch::autograd::isDifferentiableType(input.scalar_type());
    spread.push_back(zeros ? at::_ops::zeros_like::call(input, {}, {}, {}, {}, {}) : std::move(tangent));
  }
  auto handles = borrowed_handles(spread);
  return tensors_from_callback(
      callback_name(function(), "jvp").c_str(), outputs.size(), [&](ctorch_tensor_list **out, ctorch_error **error) {
        return function().jvp(out, &context(), handles.data(), handles.size(), error, function().payload.get());
      });
}

/// The context in a state in which forward may still say something.
ctorch_autograd_context &in_forward(ctorch_autograd_context *self) {
  ctorch_autograd_context &context = from::object(self, "self");
  if (context.state != ctorch_autograd_context::State::Forward) {
    fail(CTORCH_ERROR_RUNTIME, "forward is over; only it may change the context");
  }
  return context;
}

variable_list tensors_or_null(const ctorch_tensor *const *tensors, size_t tensors_len) {
  from::check_list(tensors, tensors_len, "tensors");
  return share_all(tensors, tensors_len);
}

variable_list tensors_only(const ctorch_tensor *const *tensors, size_t tensors_len) {
  from::check_tensors(tensors, tensors_len, "tensors");
  return share_all(tensors, tensors_len);
}

}  // namespace

Mutex &ctorch_autograd_context::mutex = *new Mutex(LockOrder::FunctionContexts);

void ctorch_autograd_context::save(const variable_list &tensors, const libtorch::NodePtr<Node> &node) {
  auto saved = std::make_shared<std::vector<SavedVariable>>();
  saved->reserve(tensors.size());
  for (const at::Tensor &tensor : tensors) {
    // An output's reference to the node would close a cycle, so SavedVariable leaves it out when told.
    saved->emplace_back(tensor, /*is_output=*/tensor.defined() && tensor.grad_fn() == node);
  }
  std::lock_guard lock(mutex);
  saved_ = std::move(saved);
}

variable_list ctorch_autograd_context::saved_tensors() const {
  if (saved_for_forward) {
    return state == State::Forward ? variable_list() : *saved_for_forward;
  }
  std::shared_ptr<const std::vector<SavedVariable>> saved;
  {
    std::lock_guard lock(mutex);
    TORCH_CHECK(!freed_, torch::autograd::ERR_BACKWARD_TWICE);
    saved = saved_;
  }
  variable_list tensors;
  if (saved->empty()) {
    return tensors;
  }
  libtorch::NodePtr<Node> saved_for = node.lock();
  if (!saved_for) {
    fail(CTORCH_ERROR_RUNTIME, "the graph that the context belongs to is gone");
  }
  for (const SavedVariable &variable : *saved) {
    tensors.push_back(variable.unpack(saved_for));
  }
  return tensors;
}

void ctorch_autograd_context::free_saved_tensors() {
  std::shared_ptr<const std::vector<SavedVariable>> saved;
  std::lock_guard lock(mutex);
  saved.swap(saved_);
  saved_ = nullptr;
  freed_ = true;
}

/// An output among them would keep its own node alive.
void ctorch_autograd_context::forget_requests() {
  to_save.clear();
  dirty.clear();
  non_differentiable.clear();
  saved_for_forward.reset();
}

bool ctorch_autograd_context::needs_input_grad(size_t index) const {
  if (index >= inputs_len() || !requires_grad[index]) {
    return false;
  }
  libtorch::NodePtr<Node> recorded = node.lock();
  if (state != State::Applied || !recorded || recorded->num_outputs() == 0) {
    return true;
  }
  size_t edge = 0;
  for (size_t i = 0; i < index; i++) {
    edge += has_tensor[i];
  }
  return recorded->task_should_compute_output(edge);
}

ctorch_error *ctorch_autograd_function_new(
    ctorch_autograd_function **out,
    const char *name,
    ctorch_autograd_function_forward_callback forward,
    ctorch_autograd_function_backward_callback backward,
    ctorch_autograd_function_jvp_callback jvp,
    bool once_differentiable,
    void (*destroy)(void *payload),
    void *payload) {
  return guard(__func__, [&] {
    to::require(out, "out");
    auto function = c10::make_intrusive<ctorch_autograd_function>(
        from::string(name, "name"), from::callback(forward, "forward"), backward, jvp, once_differentiable, destroy,
        payload);
    ctorch_autograd_function *made = function.get();
    to::give(std::move(function), out);
    made->payload.own();
  });
}

void ctorch_autograd_function_retain(const ctorch_autograd_function *self) { retain_object(self); }

void ctorch_autograd_function_release(ctorch_autograd_function *self) { release_object(self); }

const char *ctorch_autograd_function_name(const ctorch_autograd_function *self) {
  return is_there(self) ? self->name.c_str() : "";
}

ctorch_error *ctorch_autograd_function_apply(
    ctorch_tensor_list **out,
    const ctorch_autograd_function *self,
    const ctorch_tensor *const *inputs,
    size_t inputs_len,
    void (*destroy)(void *payload),
    void *payload) {
  return guard(__func__, [&] {
    to::require(out, "out");
    from::object(self, "self");
    from::check_list(inputs, inputs_len, "inputs");
    if (const auto &transforms = at::functorch::functorchTLSAccessor()) {
      transforms->checkSupportsCppAutogradFunction();
    }
    Application application(self, share_all(inputs, inputs_len), destroy, payload);
    to::give(application.run(), out);
    application.finish();
  });
}

ctorch_error *ctorch_autograd_context_save_for_backward(
    ctorch_autograd_context *self, const ctorch_tensor *const *tensors, size_t tensors_len) {
  return guard(__func__, [&] { in_forward(self).to_save = tensors_or_null(tensors, tensors_len); });
}

ctorch_error *ctorch_autograd_context_save_for_forward(
    ctorch_autograd_context *self, const ctorch_tensor *const *tensors, size_t tensors_len) {
  return guard(__func__, [&] { in_forward(self).saved_for_forward = tensors_or_null(tensors, tensors_len); });
}

ctorch_error *ctorch_autograd_context_saved_tensors(ctorch_tensor_list **out, const ctorch_autograd_context *self) {
  return guard(__func__, [&] {
    to::require(out, "out");
    to::give(from::object(self, "self").saved_tensors(), out);
  });
}

ctorch_error *ctorch_autograd_context_mark_dirty(
    ctorch_autograd_context *self, const ctorch_tensor *const *tensors, size_t tensors_len) {
  return guard(__func__, [&] { in_forward(self).dirty = tensors_only(tensors, tensors_len); });
}

ctorch_error *ctorch_autograd_context_mark_non_differentiable(
    ctorch_autograd_context *self, const ctorch_tensor *const *tensors, size_t tensors_len) {
  return guard(__func__, [&] { in_forward(self).non_differentiable = tensors_only(tensors, tensors_len); });
}

ctorch_error *ctorch_autograd_context_set_materialize_grads(ctorch_autograd_context *self, bool value) {
  return guard(__func__, [&] { in_forward(self).materialize_grads = value; });
}

bool ctorch_autograd_context_needs_input_grad(const ctorch_autograd_context *self, size_t index) {
  return is_there(self) && self->needs_input_grad(index);
}

size_t ctorch_autograd_context_inputs_len(const ctorch_autograd_context *self) {
  return is_there(self) ? self->inputs_len() : 0;
}

void *ctorch_autograd_context_payload(const ctorch_autograd_context *self) {
  return !is_there(self) || self->state == ctorch_autograd_context::State::Failed ? nullptr : self->payload.get();
}

void ctorch_autograd_context_retain(const ctorch_autograd_context *self) { retain_object(self); }

void ctorch_autograd_context_release(ctorch_autograd_context *self) { release_object(self); }
