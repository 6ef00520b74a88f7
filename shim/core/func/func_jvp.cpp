// Forward mode: jvp. A dual tensor carries its tangent along.
#include <ATen/core/Tensor.h>

#include <ATen/ops/_make_dual_ops.h>
#include <ATen/ops/_unpack_dual_ops.h>
#include <ATen/ops/zeros_like_ops.h>

#include "core/abi/error.hpp"
#include "core/abi/to.hpp"
#include "core/func/func_layers.hpp"

namespace ctorch::func {
namespace {

void check_floating(const at::Tensor &tensor, const char *name) {
  if (!tensor.is_floating_point() && !tensor.is_complex()) {
    fail(
        CTORCH_ERROR_VALUE, std::string("Expected ") + name + " to be floating point or complex, but got: " +
                                ctorch_dtype_name(static_cast<ctorch_dtype>(tensor.scalar_type())));
  }
}

at::Tensor make_dual(const at::Tensor &primal, const at::Tensor &tangent) {
  if (!primal.defined()) {
    fail(CTORCH_ERROR_VALUE, "an input that is NULL cannot be differentiated by");
  }
  check_floating(primal, "primal");
  check_floating(tangent, "tangent");
  return at::_ops::_make_dual::call(primal, tangent, DualLevel::number);
}

}  // namespace

Jvp jvp(
    const Function &function,
    const Tensors &inputs,
    const Tensors &tangents,
    const Argnums &argnums,
    size_t aux_count,
    bool strict) {
  const Argnums checked = check_argnums(argnums, inputs.size());
  const JvpLayer layer;
  Tensors duals = wrap_grad(inputs, layer.level());
  for (size_t i = 0; i < checked.size(); i++) {
    const auto position = static_cast<size_t>(checked[i]);
    duals[position] = make_dual(inputs[position], tangents[i]);  // the operator wraps
  }
  Tensors outputs = function(duals);
  const Tensors aux = take_aux(outputs, aux_count);
  Tensors output_tangents;
  for (size_t i = 0; i < outputs.size(); i++) {
    auto [primal, tangent] = at::_ops::_unpack_dual::call(outputs[i], DualLevel::number);
    if (!tangent.defined()) {
      if (strict) {
        fail(
            CTORCH_ERROR_RUNTIME, "jvp: output " + std::to_string(i) +
                                      " is independent of the inputs. This is not allowed with strict=true.");
      }
      tangent =
          at::_ops::zeros_like::call(primal, std::nullopt, std::nullopt, std::nullopt, std::nullopt, std::nullopt);
    }
    outputs[i] = std::move(primal);
    output_tangents.push_back(std::move(tangent));
  }
  return {
      unwrap_grad(outputs, layer.level()), unwrap_grad(output_tangents, layer.level()),
      unwrap_grad(aux, layer.level())};
}

}  // namespace ctorch::func
