// Softmax and layer norm, of rows that lie densely.
#include "core/tape/fast/fast.hpp"

namespace ctorch::tape {
namespace {

constexpr int64_t MOST_OF_SOFTMAX = 2048;  // elements of softmax

/// A row is the last dimension.
bool is_last(const c10::IValue &dim, const at::Tensor &t) {
  return dim.isInt() && t.dim() > 0 && (dim.toInt() == t.dim() - 1 || dim.toInt() == -1);
}

std::unique_ptr<Step> softmaxed(const Record &record, Loops::Unary loop) {
  const at::Tensor &out = tensor(record.outs, 0), &in = tensor(record.args, 0);
  const bool good = is_dense(out) && is_dense(in) && out.sizes() == in.sizes() && is_last(record.args[1], in) &&
                    in.numel() <= MOST_OF_SOFTMAX && (are_apart(out, in) || out.is_same(in));
  if (!good || record.args[2].toBool()) {
    return nullptr;
  }
  return step([loop, to = floats(out), from = floats(in), rows = in.numel() / in.size(-1), len = in.size(-1)] {
    for (int64_t i = 0; i < rows; i++) {
      loop(to + i * len, from + i * len, len);
    }
  });
}
std::unique_ptr<Step> softmax(const Record &record) { return softmaxed(record, loops().softmax); }
std::unique_ptr<Step> log_softmax(const Record &record) { return softmaxed(record, loops().log_softmax); }

std::unique_ptr<Step> softmaxed_backward(const Record &record, Loops::Binary loop) {
  const at::Tensor &out = tensor(record.outs, 0), &grad = tensor(record.args, 0), &output = tensor(record.args, 1);
  const bool good = is_dense(out) && is_dense(grad) && is_dense(output) && out.sizes() == output.sizes() &&
                    grad.sizes() == output.sizes() && is_last(record.args[2], output) &&
                    out.numel() <= MOST_OF_SOFTMAX && are_apart(out, grad) && are_apart(out, output);
  if (!good || record.args[3].toScalarType() != at::kFloat) {
    return nullptr;
  }
  return step([loop, to = floats(out), g = floats(grad), y = floats(output), rows = out.numel() / out.size(-1),
               len = out.size(-1)] {
    for (int64_t i = 0; i < rows; i++) {
      loop(to + i * len, g + i * len, y + i * len, len);
    }
  });
}
std::unique_ptr<Step> softmax_backward(const Record &record) {
  return softmaxed_backward(record, loops().softmax_backward);
}
std::unique_ptr<Step> log_softmax_backward(const Record &record) {
  return softmaxed_backward(record, loops().log_softmax_backward);
}

/// Of these sizes, or none.
bool is_weight(const at::Tensor &t, int64_t len) { return !t.defined() || (is_dense(t) && t.numel() == len); }

int64_t product(const std::vector<int64_t> &sizes) {
  int64_t all = 1;
  for (int64_t size : sizes) {
    all *= size;
  }
  return all;
}

std::unique_ptr<Step> layer_norm(const Record &record) {
  const at::Tensor &in = tensor(record.args, 0), &weight = tensor(record.args, 2), &bias = tensor(record.args, 3);
  const at::Tensor &out = tensor(record.outs, 0), &mean = tensor(record.outs, 1), &rstd = tensor(record.outs, 2);
  const int64_t len = product(record.args[1].toIntVector());
  const bool good = is_dense(in) && is_dense(out) && is_dense(mean) && is_dense(rstd) && is_weight(weight, len) &&
                    is_weight(bias, len) && is_small(in.numel()) && are_apart(out, in) && are_apart(out, weight) &&
                    are_apart(out, bias);
  const int64_t rows = good ? in.numel() / len : 0;
  if (!good || mean.numel() != rows || rstd.numel() != rows) {
    return nullptr;
  }
  return step([loop = loops().layer_norm, to = floats(out), m = floats(mean), r = floats(rstd), from = floats(in),
               w = floats_or_null(weight), b = floats_or_null(bias),
               eps = static_cast<float>(record.args[4].toDouble()), rows, len] {
    for (int64_t i = 0; i < rows; i++) {
      loop(to + i * len, m + i, r + i, from + i * len, w, b, eps, len);
    }
  });
}

std::unique_ptr<Step> layer_norm_backward(const Record &record) {
  const at::Tensor &grad = tensor(record.args, 0), &in = tensor(record.args, 1), &mean = tensor(record.args, 3),
                   &rstd = tensor(record.args, 4), &weight = tensor(record.args, 5);
  const at::Tensor &out = tensor(record.outs, 0), &weight_grad = tensor(record.outs, 1),
                   &bias_grad = tensor(record.outs, 2);
  const int64_t len = product(record.args[2].toIntVector());
  bool good = is_dense(grad) && is_dense(in) && is_dense(mean) && is_dense(rstd) && is_weight(weight, len) &&
              is_weight(weight_grad, len) && is_weight(bias_grad, len) && is_small(in.numel()) &&
              grad.sizes() == in.sizes() && (!out.defined() || (is_dense(out) && out.sizes() == in.sizes()));
  for (const at::Tensor *result : {&out, &weight_grad, &bias_grad}) {
    for (const at::Tensor *given : {&grad, &in, &weight}) {
      good = good && are_apart(*result, *given);
    }
  }
  const int64_t rows = good ? in.numel() / len : 0;
  if (!good || mean.numel() != rows || rstd.numel() != rows) {
    return nullptr;
  }
  return step([loop = loops().layer_norm_backward, to = out.defined() ? floats(out) : nullptr,
               wg = weight_grad.defined() ? floats(weight_grad) : nullptr,
               bg = bias_grad.defined() ? floats(bias_grad) : nullptr, g = floats(grad), x = floats(in),
               w = floats_or_null(weight), m = floats(mean), r = floats(rstd), rows, len] {
    for (float *sum : {wg, bg}) {
      for (int64_t k = 0; sum != nullptr && k < len; k++) {
        sum[k] = 0;
      }
    }
    for (int64_t i = 0; i < rows; i++) {
      loop(to != nullptr ? to + i * len : nullptr, wg, bg, g + i * len, x + i * len, w, m[i], r[i], len);
    }
  });
}

}  // namespace

Makers norm_makers() {
  static const Maker all[] = {
      {"aten::_softmax", 3, softmax},
      {"aten::_log_softmax", 3, log_softmax},
      {"aten::_softmax_backward_data", 4, softmax_backward},
      {"aten::_log_softmax_backward_data", 4, log_softmax_backward},
      {"aten::native_layer_norm", 5, layer_norm},
      {"aten::native_layer_norm_backward", 8, layer_norm_backward},
  };
  return all;
}

}  // namespace ctorch::tape
