// Running backward: what torch/autograd/__init__.py and THPEngine_run_backward do around the engine.
//
// LibTorch's own C++ functions (torch/csrc/autograd/autograd.h) check less, and drop the gradients of outputs that do
// not require one, so the engine is called directly.
#include "core/autograd/backward.hpp"

#include <ATen/LegacyVmapMode.h>
#include <ATen/core/Tensor.h>

#include <ATen/ops/_add_batch_dim_ops.h>
#include <ATen/ops/_remove_batch_dim_ops.h>
#include <ATen/ops/is_same_size_ops.h>
#include <ATen/ops/ones_like_ops.h>
#include <ATen/ops/zeros_like_ops.h>
#include <c10/core/impl/LocalDispatchKeySet.h>
#include <torch/csrc/autograd/engine.h>
#include <torch/csrc/autograd/variable.h>

#include "core/abi/error.hpp"
#include "core/abi/from.hpp"
#include "core/abi/text_stream.hpp"
#include "core/abi/to.hpp"
#include "core/autograd/python_exception.hpp"
#include "core/torch/node.hpp"
#include "ctorch/autograd/autograd.h"

using namespace ctorch;
using torch::autograd::Edge;

namespace {

using Tensors = std::vector<at::Tensor>;

/// What a caller lists as the gradients of its outputs; none is none for each.
Tensors grads_of(const ctorch_tensor *const *grads, size_t grads_len, const char *name, size_t outputs_len) {
  from::check_list(grads, grads_len, name);
  if (grads == nullptr) {
    return Tensors(outputs_len);
  }
  if (grads_len != outputs_len) {
    fail(
        CTORCH_ERROR_RUNTIME,
        "got " + std::to_string(outputs_len) + " tensors and " + std::to_string(grads_len) + " gradients");
  }
  Tensors result(grads_len);
  for (size_t i = 0; i < grads_len; i++) {
    if (grads[i] != nullptr) {
      result[i] = share(grads[i]);
    }
  }
  return result;
}

std::string size_text(const at::Tensor &tensor) {
  TextStream text;
  text << "torch.Size(" << tensor.sym_sizes() << ')';
  return text.str();
}

std::string dtype_text(at::ScalarType dtype) {
  return std::string("torch.") + ctorch_dtype_name(static_cast<ctorch_dtype>(dtype));
}

bool same_size(const at::Tensor &output, const at::Tensor &grad) {
  return output.is_nested() ? at::_ops::is_same_size::call(output, grad) : output.sym_sizes().equals(grad.sym_sizes());
}

void check_given_grad(const at::Tensor &output, const at::Tensor &grad, size_t i, bool batched) {
  const at::Tensor first = batched ? grad.select(0, 0) : grad;
  const std::string index = std::to_string(i);
  if (!same_size(output, first)) {
    std::string message = batched ? "If `is_grads_batched=True`, we interpret the first dimension of each grad_output "
                                    "as the batch dimension. The sizes of the remaining dimensions are expected to "
                                    "match the shape of corresponding output, but a mismatch was detected: "
                                  : "Mismatch in shape: ";
    ErrorDetails details;
    if (output.is_nested() || first.is_nested()) {
      message += "grad_output[" + index + "] and output[" + index + "] are nested differently";
    } else {
      message += "grad_output[" + index + "] has a shape of " + size_text(first) + " and output[" + index +
                 "] has a shape of " + size_text(output) + ".";
      details.shapes = std::pair(output.sizes().vec(), first.sizes().vec());
    }
    if (batched) {
      message += " If you only want some tensors in `grad_output` to be considered batched, consider using vmap.";
    }
    throw Failure{CTORCH_ERROR_SHAPE_MISMATCH, std::move(message), std::move(details)};
  }
  if (output.is_complex() != grad.is_complex()) {
    throw Failure{
        CTORCH_ERROR_DTYPE_MISMATCH,
        "For complex Tensors, both grad_output and output are required to have the same dtype. Mismatch in dtype: "
        "grad_output[" +
            index + "] has a dtype of " + dtype_text(grad.scalar_type()) + " and output[" + index +
            "] has a dtype of " + dtype_text(output.scalar_type()) + ".",
        {.dtypes = std::pair(
             static_cast<ctorch_dtype>(output.scalar_type()), static_cast<ctorch_dtype>(grad.scalar_type()))}};
  }
}

at::Tensor implicit_grad(const at::Tensor &output) {
  if (output.sym_numel() != 1) {
    fail(CTORCH_ERROR_RUNTIME, "grad can be implicitly created only for scalar outputs");
  }
  if (!c10::isFloatingType(output.scalar_type())) {
    fail(
        CTORCH_ERROR_RUNTIME,
        "grad can be implicitly created only for real scalar outputs but got " + dtype_text(output.scalar_type()));
  }
  return at::_ops::ones_like::call(output, {}, {}, {}, {}, at::MemoryFormat::Preserve);
}

/// _make_grads
Tensors make_grads(at::TensorList outputs, Tensors grads, bool batched) {
  for (size_t i = 0; i < outputs.size(); i++) {
    if (grads[i].defined()) {
      check_given_grad(outputs[i], grads[i], i, batched);
    } else if (outputs[i].requires_grad()) {
      grads[i] = implicit_grad(outputs[i]);
    }
  }
  return grads;
}

/// An input that nothing leads to: the engine takes an edge to nowhere for an input that every path leads to.
Edge unreachable() { return {libtorch::make_node<torch::autograd::Identity>(), 0}; }

/// THPEngine_run_backward
Tensors run_engine(
    at::TensorList outputs,
    const Tensors &grads,
    bool retain_graph,
    bool create_graph,
    at::TensorList inputs,
    bool accumulate) {
  torch::autograd::edge_list from;
  for (size_t i = 0; i < outputs.size(); i++) {
    from.push_back(torch::autograd::impl::gradient_edge(outputs[i]));
    if (!from.back().is_valid()) {
      fail(
          CTORCH_ERROR_RUNTIME,
          "element " + std::to_string(i) + " of tensors does not require grad and does not have a grad_fn");
    }
  }
  torch::autograd::edge_list to;
  for (const at::Tensor &input : inputs) {
    if (accumulate) {
      input.retain_grad();
    }
    if (!input.requires_grad()) {
      fail(CTORCH_ERROR_RUNTIME, "One of the differentiated Tensors does not require grad");
    }
    auto node = input.grad_fn();
    if (!node) {
      node = torch::autograd::impl::try_get_grad_accumulator(input);
    }
    to.push_back(node ? Edge(std::move(node), static_cast<uint32_t>(input.output_nr())) : unreachable());
  }
  try {
    return torch::autograd::Engine::get_default_engine().execute(
        from, grads, retain_graph, create_graph, accumulate, to);
  } catch (const std::exception &exception) {
    throw_if_pythons(exception);
    throw;
  }
}

void backward(
    at::TensorList tensors, Tensors grads, const bool *retain_graph, bool create_graph, at::TensorList inputs) {
  if (c10::impl::tls_is_dispatch_key_included(c10::DispatchKey::FuncTorchDynamicLayerFrontMode)) {
    fail(
        CTORCH_ERROR_RUNTIME,
        "backward() called inside a functorch transform. This is not supported, please use functorch.grad or "
        "functorch.vjp instead or call backward() outside of functorch transforms.");
  }
  grads = make_grads(tensors, std::move(grads), /*batched=*/false);
  if (at::impl::VmapMode::current_vmap_level() != 0) {
    fail(
        CTORCH_ERROR_RUNTIME,
        "backward() called inside torch.vmap. This is not supported, please call backward() outside torch.vmap or "
        "instead use torch.autograd.grad inside torch.vmap");
  }
  run_engine(
      tensors, grads, retain_graph == nullptr ? create_graph : *retain_graph, create_graph, inputs,
      /*accumulate=*/true);
}

}  // namespace

namespace ctorch {

VmapLevel::VmapLevel() : level_(at::impl::VmapMode::increment_nesting()) {}

VmapLevel::~VmapLevel() { at::impl::VmapMode::decrement_nesting(); }

Tensors VmapLevel::batch(const Tensors &tensors) {
  for (const at::Tensor &tensor : tensors) {
    if (!tensor.defined() || tensor.dim() == 0) {
      fail(CTORCH_ERROR_VALUE, "vmap: expected a batch dimension in each tensor");
    }
    if (tensor.sym_size(0) != tensors[0].sym_size(0)) {
      fail(
          CTORCH_ERROR_VALUE, "vmap: Expected all tensors to have the same size in the mapped dimension, got sizes " +
                                  std::to_string(tensors[0].size(0)) + " and " + std::to_string(tensor.size(0)));
    }
  }
  if (tensors.empty()) {
    fail(CTORCH_ERROR_VALUE, "vmap: got no tensors");
  }
  size_ = tensors[0].size(0);
  Tensors result;
  for (const at::Tensor &tensor : tensors) {
    result.push_back(at::_ops::_add_batch_dim::call(tensor, 0, level_));
  }
  return result;
}

Tensors VmapLevel::unbatch(Tensors tensors) const {
  for (at::Tensor &tensor : tensors) {
    if (tensor.defined()) {
      tensor = at::_ops::_remove_batch_dim::call(tensor, level_, size_, 0);
    }
  }
  return tensors;
}

Tensors grad(at::TensorList outputs, at::TensorList inputs, Tensors grad_outputs, const GradOptions &options) {
  if (inputs.empty()) {
    fail(CTORCH_ERROR_RUNTIME, "`inputs` argument to `grad()` cannot be empty.");
  }
  auto differentiate = [&](const Tensors &grads) {
    Tensors result =
        run_engine(outputs, grads, options.retain_graph, options.create_graph, inputs, /*accumulate=*/false);
    for (size_t i = 0; i < result.size() && !options.allow_unused; i++) {
      if (!result[i].defined()) {
        fail(
            CTORCH_ERROR_RUNTIME,
            "The differentiated Tensor at index " + std::to_string(i) +
                " appears to not have been used in the graph. Set allow_unused=True if this is the desired behavior.");
      }
    }
    return result;
  };

  const Tensors grads = make_grads(outputs, std::move(grad_outputs), options.is_grads_batched);
  Tensors result;
  if (options.is_grads_batched) {
    VmapLevel vmap;
    result = vmap.unbatch(differentiate(vmap.batch(grads)));
  } else {
    result = differentiate(grads);
  }
  for (size_t i = 0; i < result.size() && options.materialize_grads; i++) {
    if (!result[i].defined()) {
      result[i] = at::_ops::zeros_like::call(inputs[i], {}, {}, {}, {}, {}).set_requires_grad(options.create_graph);
    }
  }
  return result;
}

}  // namespace ctorch

ctorch_error *ctorch_tensor_backward(
    const ctorch_tensor *self, const ctorch_tensor *gradient, const bool *retain_graph, bool create_graph) {
  return guard(__func__, [&] {
    const at::Tensor &tensor = from::tensor(self, "self");
    backward(tensor, {gradient == nullptr ? at::Tensor() : share(gradient)}, retain_graph, create_graph, {});
  });
}

ctorch_error *ctorch_autograd_backward(
    const ctorch_tensor *const *tensors,
    size_t tensors_len,
    const ctorch_tensor *const *grad_tensors,
    size_t grad_tensors_len,
    const bool *retain_graph,
    bool create_graph,
    const ctorch_tensor *const *inputs,
    size_t inputs_len) {
  return guard(__func__, [&] {
    const at::TensorList roots = from::tensors(tensors, tensors_len, "tensors");
    const at::TensorList leaves = from::tensors(inputs, inputs_len, "inputs");
    if (inputs != nullptr && inputs_len == 0) {
      fail(CTORCH_ERROR_RUNTIME, "`inputs` argument to `backward()` cannot be empty.");
    }
    backward(
        roots, grads_of(grad_tensors, grad_tensors_len, "grad_tensors", tensors_len), retain_graph, create_graph,
        leaves);
  });
}

ctorch_error *ctorch_autograd_grad(
    ctorch_tensor_list **out,
    const ctorch_tensor *const *outputs,
    size_t outputs_len,
    const ctorch_tensor *const *inputs,
    size_t inputs_len,
    const ctorch_tensor *const *grad_outputs,
    size_t grad_outputs_len,
    const bool *retain_graph,
    bool create_graph,
    const bool *allow_unused,
    bool is_grads_batched,
    bool materialize_grads) {
  return guard(__func__, [&] {
    to::require(out, "out");
    if (materialize_grads && allow_unused != nullptr && !*allow_unused) {
      fail(
          CTORCH_ERROR_VALUE,
          "Expected allow_unused to be True or not passed when materialize_grads=True, but got: allow_unused=False.");
    }
    const at::TensorList differentiated = from::tensors(outputs, outputs_len, "outputs");
    const at::TensorList by = from::tensors(inputs, inputs_len, "inputs");
    to::give(
        grad(
            differentiated, by, grads_of(grad_outputs, grad_outputs_len, "grad_outputs", outputs_len),
            {.retain_graph = retain_graph == nullptr ? create_graph : *retain_graph,
             .create_graph = create_graph,
             .allow_unused = allow_unused == nullptr ? materialize_grads : *allow_unused,
             .is_grads_batched = is_grads_batched,
             .materialize_grads = materialize_grads}),
        out);
  });
}
