// Reverse mode: grad, vjp, linearize.
//
// The wrapper of an input records a graph of its own, apart from those of the layers around it. A derivative that is
// kept, of vjp or linearize, is that graph: its wrappers act as what they wrap once their layer is gone.
#include <ATen/core/Tensor.h>

#include <ATen/ops/zeros_like_ops.h>
#include <c10/core/GradMode.h>

#include "core/abi/error.hpp"
#include "core/abi/from.hpp"
#include "core/abi/to.hpp"
#include "core/func/func_layers.hpp"

namespace ctorch::func {
namespace {

void check_floating(const Tensors &outputs, const char *transform) {
  for (size_t i = 0; i < outputs.size(); i++) {
    if (!outputs[i].is_floating_point() && !outputs[i].is_complex()) {
      fail(
          CTORCH_ERROR_RUNTIME, std::string(transform) +
                                    ": All outputs of the function must be floating-point or complex tensors, got "
                                    "output " +
                                    std::to_string(i) + " with dtype " +
                                    ctorch_dtype_name(static_cast<ctorch_dtype>(outputs[i].scalar_type())));
    }
  }
}

/// The engine would sum or broadcast what does not fit, and cast what does not match.
void check_like(const at::Tensor &value, const at::Tensor &likeness, const std::string &name, bool exactly) {
  if (!value.sym_sizes().equals(likeness.sym_sizes())) {
    throw Failure{
        CTORCH_ERROR_SHAPE_MISMATCH,
        "Mismatch in shape: " + name,
        {.shapes = std::pair(likeness.sizes().vec(), value.sizes().vec())}};
  }
  if (exactly ? value.scalar_type() != likeness.scalar_type() : value.is_complex() != likeness.is_complex()) {
    throw Failure{
        CTORCH_ERROR_DTYPE_MISMATCH,
        "Mismatch in dtype: " + name,
        {.dtypes = std::pair(
             static_cast<ctorch_dtype>(likeness.scalar_type()), static_cast<ctorch_dtype>(value.scalar_type()))}};
  }
  if (exactly && value.device() != likeness.device()) {
    throw Failure{
        CTORCH_ERROR_DEVICE_MISMATCH,
        "Mismatch in device: " + name,
        {.devices = std::pair(to::device(likeness.device()), to::device(value.device()))}};
  }
}

}  // namespace

Gradient grad(const Function &function, const Tensors &inputs, const Argnums &argnums, size_t aux_count) {
  const GradLayer layer;
  const Tensors wrapped = wrap_grad(inputs, layer.level());
  const Tensors differentiated = select(wrapped, check_argnums(argnums, wrapped.size()));
  require_grad(differentiated);
  Tensors outputs = function(wrapped);
  const Tensors aux = take_aux(outputs, aux_count);
  if (outputs.size() != 1) {
    fail(
        CTORCH_ERROR_RUNTIME, "grad: Expected the function to return a tensor, got " + std::to_string(outputs.size()) +
                                  " beside " + std::to_string(aux_count) + " auxiliary ones");
  }
  if (outputs[0].dim() != 0) {
    fail(
        CTORCH_ERROR_RUNTIME, "grad: Expected the function to return a scalar tensor, got a tensor with " +
                                  std::to_string(outputs[0].dim()) + " dims. Maybe you wanted vjp or jacrev instead?");
  }
  // The graph of the layers around this one is created here, so create_graph does not depend on what is asked of it.
  const Tensors grads = gradients({outputs, differentiated}, {}, /*retain_graph=*/false, /*create_graph=*/true);
  return {unwrap_grad(grads, layer.level()), unwrap_grad(outputs, layer.level())[0], unwrap_grad(aux, layer.level())};
}

Vjp vjp(const Function &function, const Tensors &inputs, const Argnums &argnums, size_t aux_count) {
  const GradLayer layer;
  const Tensors wrapped = wrap_grad(inputs, layer.level());
  const Tensors differentiated = select(wrapped, check_argnums(argnums, wrapped.size()));
  require_grad(differentiated);
  Tensors outputs = function(wrapped);
  const Tensors aux = take_aux(outputs, aux_count);
  check_floating(outputs, "vjp");
  return {unwrap_grad(outputs, layer.level()), {outputs, differentiated}, unwrap_grad(aux, layer.level())};
}

Tensors vjp_call(const Graph &graph, const Tensors &cotangents, bool retain_graph, bool create_graph) {
  for (size_t i = 0; i < cotangents.size(); i++) {
    check_like(cotangents[i], graph.outputs[i], "cotangents[" + std::to_string(i) + "] and the output", false);
  }
  const NoInferenceMode no_inference_mode;
  return gradients(graph, cotangents, retain_graph, create_graph);
}

Linearized linearize(const Function &function, const Tensors &primals) {
  const GradLayer layer;
  const Tensors wrapped = wrap_grad(primals, layer.level());
  check_argnums(all(primals), primals.size());
  require_grad(wrapped);
  Tensors outputs = function(wrapped);
  take_aux(outputs, 0);
  check_floating(outputs, "linearize");
  Linearized linearized{unwrap_grad(outputs, layer.level()), {}};
  // The product with cotangents is linear in them, so that any will do; what an operator makes here is wrapped already.
  Tensors cotangents;
  for (const at::Tensor &output : linearized.outputs) {
    cotangents.push_back(
        at::_ops::zeros_like::call(output, std::nullopt, std::nullopt, std::nullopt, std::nullopt, std::nullopt));
  }
  require_grad(cotangents);
  linearized.transposed.inputs = cotangents;
  linearized.transposed.outputs =
      gradients({outputs, wrapped}, cotangents, /*retain_graph=*/true, /*create_graph=*/true);
  return linearized;
}

Tensors linearize_call(const Graph &transposed, const Tensors &tangents) {
  for (size_t i = 0; i < tangents.size(); i++) {
    check_like(tangents[i], transposed.outputs[i], "tangents[" + std::to_string(i) + "] and the primal", true);
  }
  const NoInferenceMode no_inference_mode;
  return gradients(transposed, tangents, /*retain_graph=*/true, c10::GradMode::is_enabled());
}

}  // namespace ctorch::func
