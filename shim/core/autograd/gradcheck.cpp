// gradcheck.h: the order of the checks, as torch.autograd.gradcheck has it.
#include "core/autograd/gradcheck.hpp"

#include <ATen/core/Tensor.h>

#include <ATen/ops/imag_ops.h>
#include <ATen/ops/real_ops.h>
#include <ATen/ops/view_as_real_ops.h>
#include <c10/util/Exception.h>

#include "core/abi/callback_tensors.hpp"
#include "core/abi/error.hpp"
#include "core/abi/from.hpp"
#include "core/abi/to.hpp"
#include "core/autograd/backward.hpp"
#include "ctorch/autograd/gradcheck.h"

using namespace ctorch;
using namespace ctorch::gradcheck;

namespace {

/// The caller's function.
Function function_of(ctorch_tensors_callback callback, void *payload) {
  return [=](const Tensors &inputs) {
    Tensors outputs =
        tensors_from_callback("gradcheck function", 0, [&](ctorch_tensor_list **out, ctorch_error **error) {
          return callback(out, borrowed_handles(inputs).data(), inputs.size(), error, payload);
        });
    for (size_t i = 0; i < outputs.size(); i++) {
      if (!outputs[i].defined()) {
        fail_argument("callback", "output " + std::to_string(i) + " is NULL");
      }
    }
    return outputs;
  };
}

/// _check_inputs
void check_inputs(const Tensors &inputs) {
  for (size_t i = 0; i < inputs.size(); i++) {
    const at::Tensor &input = inputs[i];
    if (!input.requires_grad()) {
      continue;
    }
    if (input.scalar_type() != at::kDouble && input.scalar_type() != at::kComplexDouble) {
      TORCH_WARN(
          "Input #", i,
          " requires gradient and is not a double precision floating point or complex. This check will likely fail if "
          "all the inputs are not of double precision floating point or complex. ");
    }
    const at::Tensor content = input.layout() == at::kSparse ? input._values()
                               : is_sparse_compressed(input) ? input.values()
                                                             : input;
    if (content.layout() == at::kMkldnn) {
      continue;
    }
    for (int64_t dim = 0; dim < content.dim(); dim++) {
      if (content.stride(dim) == 0 && content.size(dim) > 1) {
        fail(
            CTORCH_ERROR_RUNTIME,
            "The " + std::to_string(i) +
                "th input has a dimension with stride 0. gradcheck only supports inputs that are non-overlapping to "
                "be able to compute the numerical gradients correctly. You should call .contiguous on the input "
                "before passing it to gradcheck.");
      }
    }
  }
  if (that_require_grad(inputs).empty()) {
    fail(
        CTORCH_ERROR_VALUE,
        "gradcheck expects at least one input tensor to require gradient, but none of them have requires_grad=True.");
  }
}

/// _check_outputs
void check_outputs(const Tensors &outputs) {
  for (const at::Tensor &output : outputs) {
    const char *layout = is_sparse(output) ? "Sparse" : output.layout() == at::kMkldnn ? "MKLDNN" : nullptr;
    if (layout != nullptr) {
      fail(
          CTORCH_ERROR_VALUE, std::string(layout).append(" output is not supported at gradcheck yet. Please call "
                                                         "to_dense(masked_grad=...) on the output of fn for "
                                                         "gradcheck."));
    }
  }
}

at::Tensor part_of(const at::Tensor &tensor, bool imag) {
  if (!tensor.is_complex()) {
    return tensor;
  }
  return imag ? at::_ops::imag::call(tensor) : at::_ops::real::call(tensor);
}

Tensors parts_of(const Tensors &tensors, bool imag) {
  Tensors result;
  for (const at::Tensor &tensor : tensors) {
    result.push_back(part_of(tensor, imag));
  }
  return result;
}

std::vector<size_t> complex_among(const Tensors &tensors) {
  std::vector<size_t> result;
  for (size_t i = 0; i < tensors.size(); i++) {
    if (tensors[i].is_complex()) {
      result.push_back(i);
    }
  }
  return result;
}

void compare(const Comparison &comparison, const Options &options) {
  (options.fast_mode ? compare_projections : compare_jacobians)(comparison, options);
}

/// Complex outputs are compared as two real functions, of their real and of their imaginary parts.
void compare_backward(
    const Function &function, const Tensors &func_out, const Tensors &inputs, const Options &options) {
  if (complex_among(func_out).empty()) {
    compare({.function = function, .func_out = func_out, .inputs = inputs}, options);
    return;
  }
  for (const bool imag : {true, false}) {
    const Function part = [&](const Tensors &at) { return parts_of(function(at), imag); };
    compare(
        {.function = part,
         .func_out = part(inputs),
         .inputs = inputs,
         .complex_indices = complex_among(that_require_grad(func_out)),
         .test_imag = imag},
        options);
  }
}

/// Complex inputs are compared as two functions of real inputs, of the one part while the other stays.
void compare_forward(const Function &function, const Tensors &func_out, const Tensors &inputs, const Options &options) {
  const std::vector<size_t> complex = complex_among(inputs);
  if (complex.empty()) {
    compare({.function = function, .func_out = func_out, .inputs = inputs, .forward = true}, options);
    if (options.check_undefined_grad) {
      check_undefined_tangents(function, inputs);
    }
    return;
  }
  const c10::complex<double> i(0, 1);
  std::vector<std::pair<Function, Tensors>> halves;
  for (const bool imag : {true, false}) {
    halves.emplace_back(
        [&, imag](const Tensors &parts) {
          Tensors whole = parts;
          for (const size_t index : complex) {
            const at::Tensor &given = inputs[index], &part = parts[index];
            whole[index] = imag ? part_of(given, false).add(part.mul(i)) : part.add(part_of(given, true).mul(i));
          }
          return function(whole);
        },
        parts_of(inputs, imag));
    const auto &[half, parts] = halves.back();
    compare(
        {.function = half,
         .func_out = half(parts),
         .inputs = parts,
         .forward = true,
         .complex_indices = complex,
         .test_imag = imag},
        options);
  }
  for (const auto &[half, parts] : halves) {
    if (options.check_undefined_grad) {
      check_undefined_tangents(half, parts);
    }
  }
}

/// _gradcheck_helper
void check(const Function &function, const Tensors &inputs, const Options &options) {
  check_inputs(inputs);
  const Tensors func_out = function(inputs);
  const Tensors outputs = that_require_grad(func_out);
  check_outputs(outputs);
  if (options.check_backward_ad) {
    compare_backward(function, func_out, inputs, options);
  }
  if (options.check_forward_ad) {
    compare_forward(function, func_out, inputs, options);
  }
  if (options.check_batched_forward_grad) {
    check_batched_forward_grad(function, inputs);
  }
  if (!options.check_backward_ad) {
    return;
  }
  for (size_t i = 0; i < outputs.size() && options.check_batched_grad; i++) {
    check_batched_grad(inputs, outputs[i], i);
  }
  check_multiplies_by_grad_output(outputs, inputs, options.masked);
  if (options.check_undefined_grad) {
    check_undefined_grads(function, inputs);
  }
}

/// Hand out the answer, or fail if nobody asks for it.
void answer(bool *out, ctorch_string **out_report, const std::function<void()> &check) {
  std::string report;
  bool right = true;
  try {
    check();
  } catch (const Mismatch &mismatch) {
    if (out == nullptr) {
      fail(CTORCH_ERROR_RUNTIME, mismatch.report);
    }
    report = mismatch.report;
    right = false;
  }
  if (out_report != nullptr) {
    to::give(std::move(report), out_report);
  }
  if (out != nullptr) {
    *out = right;
  }
}

Tensors copied(at::TensorList tensors) { return tensors.vec(); }

double value_or(const double *value, double otherwise) { return value == nullptr ? otherwise : *value; }

/// Random numbers from -1 to 1 of the shape of an output (torch.testing.make_tensor).
at::Tensor random_grad_output(const at::Tensor &output, bool with_gaps) {
  const auto dtype = is_continuous(output) ? output.scalar_type() : at::kDouble;
  const bool gaps = with_gaps && output.numel() > 1;
  std::vector<int64_t> sizes = output.sizes().vec();
  if (gaps) {
    sizes.back() *= 2;
  }
  at::Tensor result = output.detach().new_zeros(sizes, at::TensorOptions(dtype).layout(at::kStrided));
  (result.is_complex() ? at::_ops::view_as_real::call(result) : result).uniform_(-1, 1);
  if (gaps) {
    result = result.slice(-1, {}, {}, 2);
  }
  return result.set_requires_grad(true);
}

}  // namespace

ctorch_error *ctorch_gradcheck(
    bool *out,
    ctorch_string **out_report,
    ctorch_tensors_callback callback,
    void *payload,
    const ctorch_tensor *const *inputs,
    size_t inputs_len,
    const double *eps,
    const double *atol,
    const double *rtol,
    double nondet_tol,
    const bool *check_undefined_grad,
    bool check_grad_dtypes,
    bool check_batched_grad,
    bool check_batched_forward_grad,
    bool check_forward_ad,
    const bool *check_backward_ad,
    bool fast_mode,
    bool masked) {
  return guard(__func__, [&] {
    const Function function = function_of(from::callback(callback, "callback"), payload);
    const Tensors given = copied(from::tensors(inputs, inputs_len, "inputs"));
    Options options{
        .nondet_tol = nondet_tol,
        .check_undefined_grad = check_undefined_grad == nullptr || *check_undefined_grad,
        .check_grad_dtypes = check_grad_dtypes,
        .check_batched_grad = check_batched_grad,
        .check_batched_forward_grad = check_batched_forward_grad,
        .check_forward_ad = check_forward_ad,
        .check_backward_ad = check_backward_ad == nullptr || *check_backward_ad,
        .fast_mode = fast_mode,
        .masked = masked};
    options.eps = value_or(eps, options.eps);
    options.atol = value_or(atol, options.atol);
    options.rtol = value_or(rtol, options.rtol);
    if (!options.check_forward_ad && !options.check_backward_ad) {
      fail_argument("check_backward_ad", "Expected at least one of check_forward_ad or check_backward_ad to be True");
    }
    if (options.check_batched_grad && !options.check_backward_ad) {
      fail_argument("check_batched_grad", "Setting check_batched_grad=True requires check_backward_ad to be True");
    }
    if (options.check_batched_forward_grad && !options.check_forward_ad) {
      fail_argument(
          "check_batched_forward_grad", "Setting check_batched_forward_grad=True requires check_forward_ad to be True");
    }
    answer(out, out_report, [&] { check(function, given, options); });
  });
}

ctorch_error *ctorch_gradcheck_double_backward(
    bool *out,
    ctorch_string **out_report,
    ctorch_tensors_callback callback,
    void *payload,
    const ctorch_tensor *const *inputs,
    size_t inputs_len,
    const ctorch_tensor *const *grad_outputs,
    size_t grad_outputs_len,
    const double *eps,
    const double *atol,
    const double *rtol,
    bool gen_non_contig_grad_outputs,
    double nondet_tol,
    const bool *check_undefined_grad,
    bool check_grad_dtypes,
    bool check_batched_grad,
    bool check_fwd_over_rev,
    const bool *check_rev_over_rev,
    bool fast_mode,
    bool masked) {
  return guard(__func__, [&] {
    const Function function = function_of(from::callback(callback, "callback"), payload);
    const Tensors given = copied(from::tensors(inputs, inputs_len, "inputs"));
    Tensors starts = copied(from::tensors(grad_outputs, grad_outputs_len, "grad_outputs"));
    Options options{
        .nondet_tol = nondet_tol,
        .check_undefined_grad = check_undefined_grad == nullptr || *check_undefined_grad,
        .check_grad_dtypes = check_grad_dtypes,
        .check_batched_grad = check_batched_grad,
        .check_forward_ad = check_fwd_over_rev,
        .check_backward_ad = check_rev_over_rev == nullptr || *check_rev_over_rev,
        .fast_mode = fast_mode,
        .masked = masked};
    options.eps = value_or(eps, options.eps);
    options.atol = value_or(atol, options.atol);
    options.rtol = value_or(rtol, options.rtol);
    if (!options.check_forward_ad && !options.check_backward_ad) {
      fail_argument(
          "check_rev_over_rev", "Expected at least one of check_fwd_over_rev or check_rev_over_rev to be True");
    }
    if (options.check_undefined_grad && !options.check_backward_ad) {
      fail_argument("check_undefined_grad", "Setting check_undefined_grad=True requires check_rev_over_rev to be True");
    }
    if (options.check_batched_grad && !options.check_backward_ad) {
      fail_argument("check_batched_grad", "Setting check_batched_grad=True requires check_rev_over_rev to be True");
    }
    if (grad_outputs == nullptr) {
      for (const at::Tensor &output : that_require_grad(function(given))) {
        starts.push_back(random_grad_output(output, gen_non_contig_grad_outputs));
      }
    }

    // The function that backward computes: of the inputs and of the gradients that it starts from.
    Tensors all = given;
    all.insert(all.end(), starts.begin(), starts.end());
    const Function backward = [&](const Tensors &arguments) {
      Tensors at = arguments;
      for (size_t i = 0; i < at.size(); i++) {
        if (all[i].requires_grad()) {
          at[i].requires_grad_();  // forward mode hands in detached tensors
        }
      }
      const Tensors function_inputs(at.begin(), at.begin() + static_cast<ptrdiff_t>(given.size()));
      const Tensors from(at.begin() + static_cast<ptrdiff_t>(given.size()), at.end());
      Tensors by;
      for (size_t i = 0; i < given.size(); i++) {
        if (given[i].requires_grad()) {
          by.push_back(function_inputs[i]);
        }
      }
      const Tensors outputs = that_require_grad(function(function_inputs));
      if (outputs.size() != from.size()) {
        fail(
            CTORCH_ERROR_RUNTIME,
            "got " + std::to_string(outputs.size()) + " tensors and " + std::to_string(from.size()) + " gradients");
      }
      Tensors result;
      for (at::Tensor &derivative :
           grad(outputs, by, from, {.retain_graph = true, .create_graph = true, .allow_unused = true})) {
        if (derivative.defined()) {
          result.push_back(std::move(derivative));
        }
      }
      return result;
    };
    answer(out, out_report, [&] { check(backward, all, options); });
  });
}
