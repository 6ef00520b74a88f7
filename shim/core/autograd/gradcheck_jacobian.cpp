// Whole Jacobians: by finite differences, by backward, by forward mode, and their comparison (slow mode).
#include <ATen/core/Tensor.h>

#include <ATen/ops/_make_dual_ops.h>
#include <ATen/ops/_unpack_dual_ops.h>
#include <ATen/ops/zeros_like_ops.h>
#include <torch/csrc/autograd/autograd.h>

#include <limits>

#include "core/abi/error.hpp"
#include "core/abi/text_stream.hpp"
#include "core/autograd/backward.hpp"
#include "core/autograd/gradcheck.hpp"
#include "core/tensor/repr.hpp"

namespace ctorch::gradcheck {
namespace {

/// A dense matrix of zeros for derivatives by `tensor`.
at::Tensor new_zeros(const at::Tensor &tensor, int64_t rows, int64_t columns, at::ScalarType dtype) {
  return tensor.new_zeros({rows, columns}, at::TensorOptions(dtype).layout(at::kStrided));
}

template <class Sizes>
std::string size_text(const Sizes &sizes) {
  TextStream result;
  result << "torch.Size(" << sizes << ')';
  return result.str();
}

/// _check_outputs_same_dtype_and_shape
void check_alike(const at::Tensor &a, const at::Tensor &b, double eps) {
  TextStream message;
  message << "Expected `func` to return outputs with the same ";
  if (!a.sizes().equals(b.sizes())) {
    message << "shape when inputs are perturbed by " << eps << ", but got: shapes " << size_text(a.sizes()) << " and "
            << size_text(b.sizes()) << '.';
  } else if (a.scalar_type() != b.scalar_type()) {
    message << "dtype when inputs are perturbed by " << eps << ", but got: dtypes " << a.scalar_type() << " and "
            << b.scalar_type() << '.';
  } else {
    return;
  }
  fail(CTORCH_ERROR_RUNTIME, message.str());
}

/// The numbers of a tensor as they were, put back even if the function under test fails.
class Restored {
 public:
  explicit Restored(const at::Tensor &entry) : entry_(entry), before_(entry.clone()) {}
  Restored(const Restored &) = delete;
  Restored &operator=(const Restored &) = delete;
  ~Restored() {
    try {
      entry_.copy_(before_);
    } catch (...) {  // it was written a moment ago
    }
  }

  const at::Tensor &before() const { return before_; }

 private:
  at::Tensor entry_;
  at::Tensor before_;
};

/// A step of `eps` times a number, up or down.
std::function<at::Tensor(const at::Tensor &, int)> step_of(const at::Scalar &step) {
  return [step](const at::Tensor &entry, int sign) { return sign < 0 ? entry.sub(step) : entry.add(step); };
}

/// One row of the Jacobians: the derivatives of all outputs by one element.
/// (_compute_numerical_jvps_wrt_specific_input)
Tensors numerical_row(const at::Tensor &element, double eps, bool forward, const std::function<Tensors()> &function) {
  Tensors row = difference(element, step_of(eps), eps, function);
  if (element.is_complex()) {
    // The conjugate Wirtinger derivative (section 3.5.3 of https://arxiv.org/abs/1701.00392).
    const Tensors by_imag = difference(element, step_of(c10::complex<double>(0, eps)), eps, function);
    check_count(by_imag, row.size());
    for (size_t i = 0; i < row.size(); i++) {
      if (row[i].defined()) {
        if (row[i].is_complex()) {
          fail(CTORCH_ERROR_RUNTIME, "Expected ds_dx to be real-valued, not complex");
        }
        row[i] = row[i].add(by_imag[i].mul(c10::complex<double>(0, 1)));
      }
    }
  } else if (!forward) {
    for (const at::Tensor &derivative : row) {
      if (derivative.defined() && derivative.is_complex()) {
        fail(CTORCH_ERROR_RUNTIME, "Expected ds_dx to be real-valued, not complex.");
      }
    }
  }
  return row;
}

/// _compute_analytical_jacobian_rows, or for one direction _get_analytical_vjps_wrt_specific_output: [input][row]
std::vector<Tensors> vector_jacobian_products(
    const at::Tensor &output, const Tensors &inputs, const std::optional<at::Tensor> &direction) {
  std::vector<Tensors> products(inputs.size());
  auto differentiate = [&](const at::Tensor &grad_output) {
    const Tensors grads = grad({output}, inputs, {grad_output}, {.retain_graph = true, .allow_unused = true});
    for (size_t i = 0; i < grads.size(); i++) {
      products[i].push_back(grads[i].defined() ? grads[i].clone() : at::Tensor());
    }
  };
  if (direction) {
    differentiate(direction->reshape(output.sizes()));
    return products;
  }
  const at::Tensor grad_output = at::_ops::zeros_like::call(output, {}, {}, {}, {}, at::MemoryFormat::Contiguous);
  const at::Tensor flat = grad_output.view(-1);
  for (int64_t i = 0; i < flat.numel(); i++) {
    flat.zero_();
    flat.select(0, i).fill_(1);
    differentiate(grad_output);
  }
  return products;
}

struct Stacked {
  Tensors jacobians;
  bool sizes_right = true;
  bool dtypes_right = true;
};

/// _stack_and_check_tensors
Stacked stack(const std::vector<Tensors> &products, const Tensors &inputs, int64_t columns) {
  Stacked result;
  for (size_t i = 0; i < inputs.size(); i++) {
    const at::Tensor &input = inputs[i];
    result.jacobians.push_back(new_zeros(input, input.numel(), columns, input.scalar_type()));
    for (size_t j = 0; j < products[i].size(); j++) {
      const at::Tensor &product = products[i][j];
      if (!product.defined()) {
        continue;
      }
      if (!product.sizes().equals(input.sizes())) {
        result.sizes_right = false;
      } else if (product.scalar_type() != input.scalar_type()) {
        result.dtypes_right = false;
      }
      const at::Tensor dense = product.layout() == at::kStrided ? product : product.to_dense();
      if (dense.numel() != input.numel()) {
        fail(
            CTORCH_ERROR_RUNTIME, "Expected out_jacobian column to have " + std::to_string(dense.numel()) +
                                      " elements, but got " + std::to_string(input.numel()));
      }
      result.jacobians.back().select(1, static_cast<int64_t>(j)).copy_(dense.reshape(-1));
    }
  }
  return result;
}

/// _check_jacobians_equal
bool equal_within(const Tensors &a, const Tensors &b, double tolerance) {
  for (size_t i = 0; i < a.size(); i++) {
    if (a[i].numel() != 0 && a[i].sub(b[i]).abs().max().item<double>() > tolerance) {
      return false;
    }
  }
  return true;
}

std::string number_text(double number) {
  TextStream result;
  result << number;
  return result.str();
}

/// _check_no_differentiable_outputs
void check_constant(const std::vector<Tensors> &numerical) {
  for (const Tensors &of_input : numerical) {
    for (const at::Tensor &jacobian : of_input) {
      if (jacobian.defined() && jacobian.ne(0).any().item<bool>()) {
        throw Mismatch("Numerical gradient for function expected to be zero");
      }
    }
  }
}

Tensors all_densified(const Tensors &tensors) {
  Tensors result;
  for (const at::Tensor &tensor : tensors) {
    result.push_back(densify(tensor));
  }
  return result;
}

}  // namespace

void check_count(const Tensors &outputs, size_t expected) {
  if (outputs.size() != expected) {
    fail(
        CTORCH_ERROR_RUNTIME, "Expected `func` to return " + std::to_string(expected) + " outputs each time, but got " +
                                  std::to_string(outputs.size()));
  }
}

Tensors outputs_at(
    const Function &function, const Tensors &inputs, size_t index, const at::Tensor &perturbed, bool fast_mode) {
  Tensors prepared = inputs;
  if (inputs[index].layout() == at::kMkldnn) {
    prepared[index] = perturbed.to_mkldnn();
  } else if (is_sparse(inputs[index]) && fast_mode) {
    prepared[index] = perturbed;
  }
  Tensors outputs = function(prepared);
  for (at::Tensor &output : outputs) {
    output = output.clone();
  }
  return outputs;
}

Tensors difference(
    const at::Tensor &entry,
    const std::function<at::Tensor(const at::Tensor &entry, int sign)> &moved,
    double eps,
    const std::function<Tensors()> &function) {
  Tensors below, above;
  {
    const Restored restored(entry);
    entry.copy_(moved(restored.before(), -1));
    below = function();
    entry.copy_(moved(restored.before(), 1));
    above = function();
  }
  check_count(above, below.size());
  Tensors result(below.size());
  for (size_t i = 0; i < below.size(); i++) {
    check_alike(below[i], above[i], eps);
    if (is_continuous(below[i])) {
      result[i] = above[i].sub(below[i]).div(2 * eps).detach().reshape(-1);
    }
  }
  return result;
}

std::vector<Tensors> numerical_jacobians(
    const Function &function, const Tensors &inputs, const Tensors &outputs, double eps, bool forward) {
  std::vector<Tensors> result;
  for (size_t i = 0; i < inputs.size(); i++) {
    if (!inputs[i].requires_grad()) {
      continue;
    }
    Tensors jacobians;
    for (const at::Tensor &output : outputs) {
      const auto dtype = inputs[i].is_complex() ? inputs[i].scalar_type() : output.scalar_type();
      jacobians.push_back(
          is_continuous(output) ? new_zeros(output, inputs[i].numel(), output.numel(), dtype) : at::Tensor());
    }
    for_each_element(inputs[i], [&](const at::Tensor &whole, const at::Tensor &element, int64_t position) {
      const Tensors row = numerical_row(
          element, eps, forward, [&] { return outputs_at(function, inputs, i, whole, /*fast_mode=*/false); });
      check_count(row, outputs.size());
      for (size_t j = 0; j < jacobians.size(); j++) {
        if (jacobians[j].defined()) {
          jacobians[j].select(0, position).copy_(row[j]);
        }
      }
    });
    result.push_back(std::move(jacobians));
  }
  return result;
}

Tensors backward_jacobians(
    const Tensors &inputs,
    const at::Tensor &output,
    double nondet_tol,
    bool check_grad_dtypes,
    const std::optional<at::Tensor> &direction) {
  const int64_t columns = direction ? 1 : output.numel();
  const Stacked first = stack(vector_jacobian_products(output, inputs, direction), inputs, columns);
  const Stacked second = stack(vector_jacobian_products(output, inputs, direction), inputs, columns);
  if (!first.dtypes_right && check_grad_dtypes) {
    throw Mismatch("Gradient has dtype mismatch");
  }
  if (!first.sizes_right) {
    throw Mismatch("Analytical gradient has incorrect size");
  }
  if (!equal_within(first.jacobians, second.jacobians, nondet_tol)) {
    throw Mismatch(
        "Backward is not reentrant, i.e., running backward with same input and grad_output multiple times gives "
        "different values, although analytical gradient matches numerical gradient. The tolerance for nondeterminism "
        "was " +
        number_text(nondet_tol) + ".");
  }
  return first.jacobians;
}

DualLevel::DualLevel() : level_(torch::autograd::forward_ad::enter_dual_level()) {}

DualLevel::~DualLevel() {
  try {
    torch::autograd::forward_ad::exit_dual_level(level_);
  } catch (...) {  // the function under test ended the level, which is its own error
  }
}

at::Tensor DualLevel::make(const at::Tensor &primal, const at::Tensor &tangent) const {
  return at::_ops::_make_dual::call(primal, tangent, static_cast<int64_t>(level_));
}

std::tuple<at::Tensor, at::Tensor> DualLevel::unpack(const at::Tensor &dual) const {
  return at::_ops::_unpack_dual::call(dual, static_cast<int64_t>(level_));
}

std::vector<Tensors> forward_jacobians(
    const Function &function,
    const Tensors &inputs,
    const Tensors &outputs,
    bool check_grad_dtypes,
    const Tensors *directions) {
  std::vector<Tensors> result;
  const DualLevel level;
  Tensors duals = inputs, tangents;
  for (at::Tensor &input : duals) {
    if (!input.requires_grad()) {
      continue;
    }
    if (input.is_complex()) {
      fail(CTORCH_ERROR_VALUE, "Expected inputs to be non-complex for _get_analytical_jacobian_forward_ad.");
    }
    if (input.layout() == at::kMkldnn) {
      fail(CTORCH_ERROR_VALUE, "MKLDNN inputs are not support for forward AD gradcheck.");
    }
    Tensors jacobians;
    for (const at::Tensor &output : outputs) {
      jacobians.push_back(
          is_continuous(output)
              ? new_zeros(output, directions == nullptr ? input.numel() : 1, output.numel(), output.scalar_type())
              : at::Tensor());
    }
    result.push_back(std::move(jacobians));
    input = level.make(input.detach(), at::_ops::zeros_like::call(input, {}, {}, {}, {}, {}));
    tangents.push_back(std::get<1>(level.unpack(input)));  // of a view it is not the one that was given
  }

  auto run = [&](Tensors &jacobians, int64_t row) {
    const Tensors dual_outputs = function(duals);
    for (size_t i = 0; i < jacobians.size() && i < dual_outputs.size(); i++) {
      if (!jacobians[i].defined() || !is_continuous(dual_outputs[i])) {
        continue;
      }
      const auto [value, tangent] = level.unpack(dual_outputs[i]);
      if (check_grad_dtypes && tangent.defined() && value.is_complex() != tangent.is_complex()) {
        throw Mismatch("Forward AD gradient has dtype mismatch.");
      }
      if (tangent.defined()) {
        jacobians[i].select(0, row).copy_(tangent.reshape(-1));
      }
    }
  };
  for (size_t i = 0; i < tangents.size(); i++) {
    const at::Tensor &tangent = tangents[i];
    if (directions != nullptr) {
      tangent.copy_((*directions)[i].view_as(tangent));
      run(result[i], 0);
      tangent.zero_();
      continue;
    }
    for (int64_t position = 0; position < tangent.numel(); position++) {
      const at::Tensor element = element_at(tangent, position);
      element.fill_(1);
      run(result[i], position);
      element.fill_(0);
    }
  }
  return result;
}

void compare_jacobians(const Comparison &comparison, const Options &options) {
  const auto &[function, func_out, inputs, forward, complex_indices, test_imag] = comparison;
  const Tensors outputs = that_require_grad(func_out);
  const std::vector<Tensors> numerical = numerical_jacobians(
      function, options.masked || outputs.empty() ? inputs : all_densified(inputs), func_out, options.eps, forward);
  if (outputs.empty()) {
    check_constant(numerical);
    return;
  }
  const std::vector<Tensors> by_input =
      forward ? forward_jacobians(function, inputs, func_out, options.check_grad_dtypes) : std::vector<Tensors>();
  size_t output = 0;  // counts those that require grad
  for (size_t i = 0; i < func_out.size(); i++) {
    if (!func_out[i].requires_grad()) {
      continue;
    }
    const Tensors by_output =
        forward
            ? Tensors()
            : backward_jacobians(that_require_grad(inputs), func_out[i], options.nondet_tol, options.check_grad_dtypes);
    for (size_t j = 0; j < numerical.size(); j++) {
      const at::Tensor &analytical = forward ? by_input[j][i] : by_output[j];
      if (!all_close(analytical, on_device_of(analytical, numerical[j][i]), options.rtol, options.atol)) {
        throw Mismatch(not_all_close(analytical, numerical[j][i], output, j, comparison));
      }
    }
    output++;
  }
}

at::Tensor on_device_of(const at::Tensor &tensor, const at::Tensor &moved) {
  return moved.device() == tensor.device() ? moved : moved.to(tensor.device());
}

bool all_close(const at::Tensor &a, const at::Tensor &b, double rtol, double atol) {
  const auto dtype = c10::promoteTypes(a.scalar_type(), b.scalar_type());
  return a.to(dtype).allclose(b.to(dtype), rtol, atol);
}

std::string text(const at::Tensor &tensor) { return tensor_repr(tensor, {}); }

std::string not_all_close(
    const at::Tensor &analytical,
    const at::Tensor &numerical,
    size_t output,
    size_t input,
    const Comparison &comparison) {
  const auto &complex = comparison.complex_indices;
  const bool was_complex =
      std::find(complex.begin(), complex.end(), comparison.forward ? input : output) != complex.end();
  std::string report;
  if (was_complex) {
    report = std::string("While considering the ") + (comparison.test_imag ? "imaginary" : "real") +
             " part of complex " + (comparison.forward ? "inputs" : "outputs") + " only, ";
  }
  report += std::string("Jacobian ") + (comparison.forward ? "computed with forward mode " : "") +
            "mismatch for output " + std::to_string(output) + " with respect to input " + std::to_string(input) +
            ",\nnumerical:" + text(numerical) + "\nanalytical:" + text(analytical) + "\n";
  if (analytical.numel() != 0) {
    const at::Tensor apart = analytical.sub(on_device_of(analytical, numerical)).abs().max();
    report += "The max per-element difference is: " + number_text(apart.item<double>()) + ".\n";
  }
  return report;
}

}  // namespace ctorch::gradcheck
