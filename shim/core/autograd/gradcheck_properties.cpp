// What derivatives must be besides right: linear in the gradient, and able to take batches and undefined ones.
#include <ATen/core/Tensor.h>

#include <ATen/ops/randn_like_ops.h>
#include <ATen/ops/stack_ops.h>
#include <ATen/ops/zeros_like_ops.h>
#include <ATen/ops/zeros_ops.h>
#include <torch/csrc/autograd/functions/basic_ops.h>

#include "core/abi/error.hpp"
#include "core/abi/error_object.hpp"
#include "core/autograd/backward.hpp"
#include "core/autograd/gradcheck.hpp"
#include "core/torch/node.hpp"

namespace ctorch::gradcheck {
namespace {

at::Tensor contiguous_zeros(const at::Tensor &tensor) {
  return at::_ops::zeros_like::call(tensor, {}, {}, {}, {}, at::MemoryFormat::Contiguous);
}

at::Tensor random_like(const at::Tensor &tensor) {
  return at::_ops::randn_like::call(tensor, {}, {}, {}, {}, {}).detach();
}

/// Zeros for an undefined derivative by `tensor`, without memory of their own.
at::Tensor defined_or_zeros(const at::Tensor &derivative, const at::Tensor &tensor) {
  return derivative.defined()
             ? derivative
             : at::_ops::zeros::call({}, tensor.scalar_type(), {}, tensor.device(), {}).expand(tensor.sizes());
}

/// [result][sample] to [result] with the samples in front.
Tensors stack_samples(const std::vector<Tensors> &samples) {
  for (const Tensors &sample : samples) {
    check_count(sample, samples[0].size());
  }
  Tensors result;
  for (size_t i = 0; i < samples[0].size(); i++) {
    Tensors shards;
    for (const Tensors &sample : samples) {
      shards.push_back(sample[i]);
    }
    result.push_back(at::_ops::stack::call(shards, 0));
  }
  return result;
}

/// The batch must give what its samples give one by one.
void compare_batch(
    const Tensors &got, const Tensors &expected, const char *mode, const std::function<std::string(size_t)> &where) {
  check_count(got, expected.size());
  for (size_t i = 0; i < expected.size(); i++) {
    if (!got[i].allclose(expected[i])) {
      throw Mismatch(
          where(i) + std::string(", gradcheck failed while testing batched gradient computation") + mode +
          ".\n\nGot:\n" + text(got[i]) + "\n\nExpected:\n" + text(expected[i]));
    }
  }
}

constexpr int SAMPLES = 2;

/// UndefinedGrad: backward gets an undefined gradient for this output.
at::Tensor without_grad(const at::Tensor &output) {
  const auto node = libtorch::make_node<torch::autograd::UndefinedGrad>();
  return node->apply({output}).at(0);
}

void expect_zero_grads(const Tensors &outputs, const Tensors &inputs) {
  Tensors grads;
  for (const at::Tensor &output : outputs) {
    grads.push_back(contiguous_zeros(output));
  }
  Tensors result;
  runtime_errors_as_mismatch(
      [&] { result = grad(outputs, inputs, grads, {.allow_unused = true}); },
      [](const std::string &message) {
        return "Expected backward function to handle undefined output grads, but it failed: " + message;
      });
  for (const at::Tensor &grad : result) {
    if (grad.defined() && !grad.eq(0).all().item<bool>()) {
      throw Mismatch("Expected all input grads to be undefined or zero when all output grads are undefined or zero.");
    }
  }
}

}  // namespace

void check_batched_forward_grad(const Function &function, const Tensors &inputs) {
  for (size_t i = 0; i < inputs.size(); i++) {
    if (!inputs[i].requires_grad() || !is_continuous(inputs[i])) {
      continue;
    }
    auto jvp = [&](const at::Tensor &tangent) {
      const DualLevel level;
      Tensors duals;
      for (size_t j = 0; j < inputs.size(); j++) {
        duals.push_back(j == i ? level.make(inputs[j].detach(), tangent) : inputs[j].detach());
      }
      Tensors tangents;
      for (const at::Tensor &output : function(duals)) {
        const auto [value, derivative] = level.unpack(output);
        tangents.push_back(defined_or_zeros(derivative, value));
      }
      return tangents;
    };
    Tensors directions;
    std::vector<Tensors> samples;
    for (int sample = 0; sample < SAMPLES; sample++) {
      directions.push_back(random_like(inputs[i]));
      samples.push_back(jvp(directions.back()));
    }
    const Tensors expected = stack_samples(samples);
    Tensors batch;
    runtime_errors_as_mismatch(
        [&] {
          VmapLevel vmap;
          batch = vmap.unbatch(jvp(vmap.batch({at::_ops::stack::call(directions, 0)}).at(0)));
        },
        [](const std::string &message) {
          return "While computing batched gradients, got: " + message +
                 "\n\ngradcheck failed while testing batched gradient computation with forward-mode AD.";
        });
    compare_batch(batch, expected, " with forward-mode AD", [&](size_t output) {
      return "For output " + std::to_string(output) + " and input " + std::to_string(i);
    });
  }
}

void check_batched_grad(const Tensors &inputs, const at::Tensor &output, size_t output_index) {
  const Tensors by = that_require_grad(inputs);
  auto products = [&](const at::Tensor &grad_output, bool batched) {
    Tensors result =
        grad({output}, by, {grad_output}, {.retain_graph = true, .allow_unused = true, .is_grads_batched = batched});
    for (size_t i = 0; i < result.size(); i++) {
      if (!result[i].defined()) {
        const at::Tensor zeros = defined_or_zeros({}, by[i]);
        result[i] = batched ? at::_ops::stack::call(Tensors(SAMPLES, zeros), 0) : zeros;
      }
    }
    return result;
  };
  Tensors directions;
  std::vector<Tensors> samples;
  for (int sample = 0; sample < SAMPLES; sample++) {
    directions.push_back(random_like(output));
    samples.push_back(products(directions.back(), /*batched=*/false));
  }
  const Tensors expected = stack_samples(samples);
  Tensors batch;
  runtime_errors_as_mismatch(
      [&] { batch = products(at::_ops::stack::call(directions, 0), /*batched=*/true); },
      [](const std::string &message) {
        return "While computing batched gradients, got: " + message +
               "\n\ngradcheck or gradgradcheck failed while testing batched gradient computation.";
      });
  compare_batch(batch, expected, "", [&](size_t input) {
    return "For output " + std::to_string(output_index) + " and input " + std::to_string(input);
  });
}

void check_multiplies_by_grad_output(const Tensors &outputs, const Tensors &inputs, bool masked) {
  const Tensors by = that_require_grad(inputs);
  Tensors zeros;
  for (const at::Tensor &output : outputs) {
    zeros.push_back(contiguous_zeros(output));
  }
  const Tensors grads = grad(outputs, by, zeros, {.allow_unused = true});
  for (size_t i = 0; i < grads.size(); i++) {
    at::Tensor grad = grads[i], input = by[i];
    if (!grad.defined()) {
      continue;
    }
    if (grad.layout() != at::kStrided) {
      if (grad.layout() != input.layout()) {
        throw Mismatch("grad is incorrect layout");
      }
      if (is_sparse(grad) && (grad.sparse_dim() != input.sparse_dim() || grad.dense_dim() != input.dense_dim())) {
        throw Mismatch("grad is a sparse tensor, but has incorrect sparse_dim or dense_dim");
      }
      grad = grad.to_dense();
      input = input.to_dense();
    }
    if (masked ? !grad.allclose(contiguous_zeros(grad)) : !grad.eq(0).all().item<bool>()) {
      throw Mismatch("backward not multiplied by grad_output");
    }
    if (grad.scalar_type() != input.scalar_type()) {
      throw Mismatch("grad is incorrect type");
    }
    if (grad.device() != input.device()) {
      throw Mismatch("grad is incorrect device");
    }
    if (!grad.sizes().equals(input.sizes())) {
      throw Mismatch("grad is incorrect size");
    }
  }
}

void check_undefined_tangents(const Function &function, const Tensors &inputs) {
  at::Generator generator = generator_of_directions();
  const std::vector<Direction> directions = input_directions(inputs, generator);
  const DualLevel level;
  Tensors duals = inputs;
  size_t moving = 0;
  for (at::Tensor &input : duals) {
    if (input.requires_grad()) {
      if (input.layout() == at::kMkldnn) {
        fail(CTORCH_ERROR_VALUE, "MKLDNN inputs are not support for forward AD gradcheck.");
      }
      input = level.make(input.detach(), at::_ops::zeros_like::call(input, {}, {}, {}, {}, {}));
      const at::Tensor tangent = std::get<1>(level.unpack(input));
      tangent.copy_(directions[moving++].real.view_as(tangent));
    }
  }
  for (size_t i = 0; i < inputs.size(); i++) {
    if (!inputs[i].requires_grad()) {
      continue;
    }
    const at::Tensor dual = duals[i];
    duals[i] = level.make(inputs[i].detach(), at::_ops::zeros_like::call(inputs[i], {}, {}, {}, {}, {}));
    const Tensors with_zeros = function(duals);
    duals[i] = inputs[i].detach();
    const Tensors without = function(duals);
    duals[i] = dual;
    for (size_t j = 0; j < with_zeros.size() && j < without.size(); j++) {
      if (!is_continuous(with_zeros[j]) || !is_continuous(without[j])) {
        continue;
      }
      const at::Tensor expected = std::get<1>(level.unpack(with_zeros[j])), got = std::get<1>(level.unpack(without[j]));
      if (expected.defined() && got.defined() && !expected.allclose(got)) {
        throw Mismatch(
            "Mismatch in tangent values for output with index: " + std::to_string(j) + " when input " +
            std::to_string(i) + " has an undefined tangent value. Got: " + text(got) +
            " but expected: " + text(expected));
      }
    }
  }
}

void check_undefined_grads(const Function &function, const Tensors &inputs) {
  const Tensors by = that_require_grad(inputs);
  const Tensors outputs = that_require_grad(function(inputs));
  Tensors without_grads;
  for (const at::Tensor &output : outputs) {
    without_grads.push_back(without_grad(output));
  }
  std::vector<Tensors> to_check = {without_grads};
  for (size_t i = 0; i < outputs.size() && outputs.size() > 1; i++) {
    Tensors one_without = that_require_grad(function(inputs));
    check_count(one_without, outputs.size());
    one_without[i] = without_grad(one_without[i]);
    to_check.push_back(std::move(one_without));
  }
  for (const Tensors &undefined : to_check) {
    expect_zero_grads(undefined, by);
  }
}

void runtime_errors_as_mismatch(
    const std::function<void()> &check, const std::function<std::string(const std::string &message)> &report) {
  try {
    check();
  } catch (const Mismatch &) {
    throw;
  } catch (const std::exception &exception) {
    ctorch_error *error = error_from(exception, "");
    const ctorch_error_kind code = ctorch_error_kind_of(error);
    const std::string message = ctorch_error_message(error);
    release_error(error);
    const bool other_in_python = code == CTORCH_ERROR_INDEX || code == CTORCH_ERROR_VALUE || code == CTORCH_ERROR_TYPE;
    if (other_in_python || (code >= CTORCH_ERROR_NULL_ARGUMENT && code != CTORCH_ERROR_CALLBACK)) {
      throw;
    }
    throw Mismatch(report(message));
  }
}

}  // namespace ctorch::gradcheck
