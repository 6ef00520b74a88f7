// One random projection of each Jacobian instead of all of it (fast mode;
// https://github.com/pytorch/pytorch/issues/53876).
//
// Finite differences along a direction u of an input give J u, backward from a direction v of an output gives v J, so
// v J u comes out of both. Forward mode gives J u itself.
#include <ATen/core/Tensor.h>

#include <ATen/CPUGeneratorImpl.h>
#include <ATen/ops/rand_ops.h>
#include <ATen/ops/sparse_compressed_tensor_ops.h>
#include <ATen/ops/sparse_coo_tensor_ops.h>
#include <ATen/ops/view_as_real_ops.h>

#include <limits>

#include "core/abi/error.hpp"
#include "core/autograd/gradcheck.hpp"

namespace ctorch::gradcheck {
namespace {

/// A random unit vector of real numbers.
at::Tensor random_unit(int64_t numel, at::ScalarType dtype, at::Device device, at::Generator &generator) {
  const at::Tensor numbers =
      at::_ops::rand_generator::call(c10::fromIntArrayRefSlow({numel}), generator, {}, {}, at::kCPU, {});
  const at::Tensor result = numbers.to(device, dtype);
  return result.div_(result.norm());
}

/// A random direction of a tensor: flat, or sparse where the tensor is. (_vec_from_tensor)
at::Tensor direction_of(const at::Tensor &tensor, at::ScalarType dtype, at::Generator &generator) {
  const at::Device device = tensor.device();
  if (!is_sparse(tensor)) {
    return random_unit(tensor.numel(), dtype, device, generator);
  }
  const bool coo = tensor.layout() == at::kSparse;
  const at::Tensor values = coo ? tensor._values() : tensor.values();
  const at::Tensor numbers = random_unit(values.numel(), dtype, device, generator).view(values.sizes());
  if (coo) {
    return at::_ops::sparse_coo_tensor_indices_size::call(
        tensor._indices(), numbers, tensor.sizes(), dtype, {}, device, {}, {});
  }
  const bool by_row = tensor.layout() == at::kSparseCsr || tensor.layout() == at::kSparseBsr;
  return at::_ops::sparse_compressed_tensor_comp_plain_value_size::call(
      by_row ? tensor.crow_indices() : tensor.ccol_indices(), by_row ? tensor.col_indices() : tensor.row_indices(),
      numbers, tensor.sym_sizes(), dtype, tensor.layout(), device, {});
}

at::Tensor flat_dense(const at::Tensor &tensor) { return is_sparse(tensor) ? tensor.to_dense().reshape(-1) : tensor; }

/// What finite differences move: memory that the input shares, or a copy that takes its place. (_get_input_to_perturb)
at::Tensor perturbable(const at::Tensor &input) {
  if (input.layout() == at::kMkldnn) {
    return input.detach().to_dense();
  }
  return is_sparse(input) ? input.clone() : input.variable_data();
}

/// J u for all outputs, by finite differences. (_get_numerical_jvp_wrt_specific_input)
Tensors numerical_projection(
    const Function &function,
    const Tensors &inputs,
    size_t index,
    const Direction &direction,
    double eps,
    bool forward) {
  const at::Tensor perturbed = perturbable(inputs[index]);
  // Sparse compressed tensors have no arithmetic, but the same elements: their values have.
  const bool by_values = is_sparse_compressed(perturbed);
  const at::Tensor entry = by_values ? perturbed.values().detach() : perturbed;
  auto derivative = [&](const at::Tensor &towards, const at::Scalar &scale) {
    const at::Tensor shaped = by_values            ? towards.values()
                              : is_sparse(towards) ? towards
                                                   : towards.reshape(perturbed.sizes());
    const at::Tensor step = shaped.mul(scale);
    return difference(
        entry, [&](const at::Tensor &before, int sign) { return sign < 0 ? before.sub(step) : before.add(step); }, eps,
        [&] { return outputs_at(function, inputs, index, perturbed, /*fast_mode=*/true); });
  };
  Tensors result = derivative(direction.real, eps);
  if (direction.imag.defined()) {
    const Tensors by_imag = derivative(direction.imag, c10::complex<double>(0, eps));
    check_count(by_imag, result.size());
    for (size_t i = 0; i < result.size(); i++) {
      if (result[i].defined()) {
        result[i] = result[i].add(by_imag[i].mul(c10::complex<double>(0, 1)));
      }
    }
  } else if (!forward) {
    for (const at::Tensor &tensor : result) {
      if (tensor.defined() && tensor.is_complex()) {
        fail(CTORCH_ERROR_RUNTIME, "Expected ds_dx to be real-valued, not complex.");
      }
    }
  }
  return result;
}

/// v J u of one input, as backward gives it.
at::Tensor projected(const at::Tensor &vector_jacobian, const Direction &direction) {
  const at::Tensor row = vector_jacobian.reshape(-1);
  if (!row.is_complex()) {
    return row.dot(flat_dense(direction.real));
  }
  const at::Tensor parts = at::_ops::view_as_real::call(row.resolve_conj());
  return parts.select(-1, 0)
      .dot(flat_dense(direction.real))
      .add(parts.select(-1, 1).dot(flat_dense(direction.imag)).mul(c10::complex<double>(0, 1)));
}

double sum_of(const at::Tensor &tensor) { return tensor.sum().item<double>(); }

/// An element may be off by `atol`: this is how far the projection may be. (_adjusted_atol)
double adjusted_atol(double atol, const Direction &u, const std::optional<at::Tensor> &v) {
  const double inputs = sum_of(u.real) + (u.imag.defined() ? sum_of(u.imag) : 0);
  return atol * inputs * (v ? sum_of(*v) : 1);
}

/// What whole Jacobians say about a projection that is wrong. (_run_slow_mode_and_get_error)
std::string whole_jacobians(const Comparison &comparison, size_t input, size_t output, const Options &options) {
  const auto &[function, func_out, inputs, forward, complex_indices, test_imag] = comparison;
  const at::Tensor numerical =
      numerical_jacobians(function, inputs, func_out, options.eps, forward).at(input).at(output);
  const at::Tensor analytical =
      forward ? forward_jacobians(function, inputs, func_out, false).at(input).at(output)
              : backward_jacobians(
                    that_require_grad(inputs), func_out[output], std::numeric_limits<double>::infinity(), false)
                    .at(input);
  std::string report =
      "\nThe above quantities relating the numerical and analytical jacobians are computed \nin fast mode. See: "
      "https://github.com/pytorch/pytorch/issues/53876 for more background \nabout fast mode. Below, we recompute "
      "numerical and analytical jacobians in slow mode:\n\nNumerical:\n " +
      text(numerical) + "\nAnalytical:\n" + text(analytical) + "\n\n";
  if (numerical.numel() != 0) {
    report += "The max per-element difference (slow mode) is: " + text(numerical.sub(analytical).abs().max()) + ".\n";
  }
  if (all_close(analytical, numerical, options.rtol, options.atol)) {
    report +=
        "Fast gradcheck failed but element-wise differences are small. This means that the test might've passed in "
        "slow_mode!";
  }
  return report;
}

/// _check_no_differentiable_outputs_fast
void check_constant(const Tensors &derivatives, double nondet_tol) {
  for (const at::Tensor &derivative : derivatives) {
    if (derivative.defined() && derivative.numel() != 0 && derivative.abs().max().item<double>() > nondet_tol) {
      throw Mismatch("Numerical gradient for function expected to be zero");
    }
  }
}

}  // namespace

at::Generator generator_of_directions() { return at::detail::createCPUGenerator(); }

std::vector<Direction> input_directions(const Tensors &inputs, at::Generator &generator) {
  std::vector<Direction> result;
  for (const at::Tensor &input : that_require_grad(inputs)) {
    const auto dtype = c10::toRealValueType(input.scalar_type());
    Direction direction{direction_of(input, dtype, generator), {}};
    if (input.is_complex()) {
      direction.imag = direction_of(input, dtype, generator);
    }
    result.push_back(std::move(direction));
  }
  return result;
}

void compare_projections(const Comparison &comparison, const Options &options) {
  const auto &[function, func_out, inputs, forward, complex_indices, test_imag] = comparison;
  at::Generator generator = generator_of_directions();
  const std::vector<Direction> us = input_directions(inputs, generator);
  std::vector<std::optional<at::Tensor>> vs(func_out.size());  // forward mode needs none
  bool any_output = false;
  for (size_t i = 0; i < func_out.size(); i++) {
    if (func_out[i].requires_grad()) {
      any_output = true;
      if (!forward) {
        vs[i] = direction_of(func_out[i], func_out[i].scalar_type(), generator);
      }
    }
  }

  std::vector<Tensors> numerical;
  Tensors numerical_inputs = inputs;
  for (size_t i = 0; i < inputs.size(); i++) {
    numerical_inputs[i] = options.masked ? inputs[i] : densify(inputs[i]);
  }
  for (size_t i = 0; i < inputs.size(); i++) {
    if (inputs[i].requires_grad()) {
      Direction u = us[numerical.size()];
      if (!options.masked) {
        u.real = densify(u.real);
        u.imag = u.imag.defined() ? densify(u.imag) : u.imag;
      }
      numerical.push_back(numerical_projection(function, numerical_inputs, i, u, options.eps, forward));
      check_count(numerical.back(), func_out.size());
    }
  }
  if (!any_output) {
    for (const Tensors &derivatives : numerical) {
      check_constant(derivatives, options.nondet_tol);
    }
    return;
  }

  std::vector<Tensors> forward_projections;
  if (forward) {
    Tensors directions;
    for (const Direction &u : us) {
      directions.push_back(u.real);
    }
    forward_projections = forward_jacobians(function, inputs, func_out, options.check_grad_dtypes, &directions);
  }
  size_t output = 0;  // counts those that require grad
  for (size_t i = 0; i < func_out.size(); i++) {
    if (!func_out[i].requires_grad()) {
      continue;
    }
    const Tensors vector_jacobians =
        forward ? Tensors()
                : backward_jacobians(
                      that_require_grad(inputs), func_out[i], options.nondet_tol, options.check_grad_dtypes, vs[i]);
    for (size_t j = 0; j < us.size(); j++) {
      const at::Tensor a = forward ? forward_projections[j][i].squeeze(0) : projected(vector_jacobians[j], us[j]);
      const at::Tensor n = on_device_of(a, forward ? numerical[j][i] : vs[i]->mul(numerical[j][i]).sum());
      if (!all_close(a, n, options.rtol, adjusted_atol(options.atol, us[j], vs[i]))) {
        throw Mismatch(not_all_close(a, n, output, j, comparison) + whole_jacobians(comparison, j, i, options));
      }
    }
    output++;
  }
}

}  // namespace ctorch::gradcheck
