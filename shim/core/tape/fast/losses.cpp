// Losses of small batches, and their gradients.
#include <math.h>

#include <string>

#include "core/abi/error.hpp"
#include "core/tape/fast/fast.hpp"

namespace ctorch::tape {
namespace {

constexpr int64_t MOST_SCORES = 4096;  // elements
constexpr int64_t NONE = 0, MEAN = 1;

// Negative log likelihood ---------------------------------------------------------------------------------------------

/// Log probabilities of `rows` examples, and which of `classes` each is.
struct Examples {
  static std::optional<Examples> of(const at::Tensor &scores, const at::Tensor &target) {
    const bool one = scores.defined() && scores.dim() == 1;
    if (!is_dense(scores) || !is_index(target) || (!one && (scores.dim() != 2 || target.dim() != 1)) ||
        target.numel() != (one ? 1 : scores.size(0)) || target.numel() > MOST_SCORES) {
      return std::nullopt;
    }
    return Examples{target.const_data_ptr<int64_t>(), target.numel(), scores.size(-1)};
  }
  void check(int64_t ignored) const {
    for (int64_t i = 0; i < rows; i++) {
      if (target[i] != ignored && (target[i] < 0 || target[i] >= classes)) {
        fail(CTORCH_ERROR_INDEX, "Target " + std::to_string(target[i]) + " is out of bounds.");
      }
    }
  }

  const int64_t *target;
  int64_t rows, classes;
};

bool is_one_float(const at::Tensor &t) { return is_float(t) && t.numel() == 1; }

std::unique_ptr<Step> nll_loss(const Record &record) {
  const at::Tensor &scores = tensor(record.args, 0), &weight = tensor(record.args, 2);
  const at::Tensor &out = tensor(record.outs, 0), &total = tensor(record.outs, 1);
  const int64_t reduction = record.args[3].toInt(), ignored = record.args[4].toInt();
  auto examples = Examples::of(scores, tensor(record.args, 1));
  if (!examples || weight.defined() || reduction == NONE || !is_one_float(out) || !is_one_float(total) ||
      !are_apart(out, scores)) {
    return nullptr;
  }
  return step(
      [e = *examples, x = floats(scores), to = floats(out), count = floats(total), ignored, mean = reduction == MEAN] {
        e.check(ignored);
        float sum = 0;
        int64_t seen = 0;
        for (int64_t i = 0; i < e.rows; i++) {
          if (e.target[i] != ignored) {
            sum -= x[i * e.classes + e.target[i]];
            seen++;
          }
        }
        *count = static_cast<float>(seen);
        *to = mean ? sum / *count : sum;
      });
}

std::unique_ptr<Step> nll_loss_backward(const Record &record) {
  const at::Tensor &grad = tensor(record.args, 0), &scores = tensor(record.args, 1), &weight = tensor(record.args, 3),
                   &total = tensor(record.args, 6), &out = tensor(record.outs, 0);
  const int64_t reduction = record.args[4].toInt(), ignored = record.args[5].toInt();
  auto examples = Examples::of(scores, tensor(record.args, 2));
  if (!examples || weight.defined() || reduction == NONE || !is_one_float(grad) || !is_one_float(total) ||
      !is_dense(out) || out.numel() != scores.numel() || !are_apart(out, grad) || !are_apart(out, total)) {
    return nullptr;
  }
  return step(
      [e = *examples, g = floats(grad), count = floats(total), to = floats(out), ignored, mean = reduction == MEAN] {
        e.check(ignored);
        const float each = mean ? -*g / *count : -*g;
        for (int64_t i = 0; i < e.rows * e.classes; i++) {
          to[i] = 0;
        }
        for (int64_t i = 0; i < e.rows; i++) {
          if (e.target[i] != ignored) {
            to[i * e.classes + e.target[i]] = each;
          }
        }
      });
}

// Of differences ------------------------------------------------------------------------------------------------------

struct Squared {
  float value(float d) const { return d * d; }
  float slope(float d) const { return 2 * d; }
};
struct Smooth {
  float value(float d) const {
    const float size = fabsf(d);
    return size < beta ? 0.5F * size * size / beta : size - 0.5F * beta;
  }
  float slope(float d) const { return d <= -beta ? -1 : d >= beta ? 1 : d / beta; }
  float beta;
};
struct Huber {
  float value(float d) const {
    const float size = fabsf(d);
    return size <= delta ? 0.5F * size * size : delta * (size - 0.5F * delta);
  }
  float slope(float d) const { return d <= -delta ? -delta : d >= delta ? delta : d; }
  float delta;
};

template <class Loss>
std::unique_ptr<Step> loss(const Record &record, Loss of) {
  const at::Tensor &in = tensor(record.args, 0), &target = tensor(record.args, 1), &out = tensor(record.outs, 0);
  const int64_t reduction = record.args[2].toInt(), len = in.defined() ? in.numel() : 0;
  if (!is_dense(in) || !is_dense(target) || in.sizes() != target.sizes() || reduction == NONE || !is_one_float(out) ||
      len > MOST_SCORES) {
    return nullptr;
  }
  return step([of, x = floats(in), y = floats(target), to = floats(out), len, mean = reduction == MEAN] {
    float sums[4] = {};
    for (int64_t i = 0; i < len; i++) {
      sums[i % 4] += of.value(x[i] - y[i]);
    }
    const float sum = (sums[0] + sums[1]) + (sums[2] + sums[3]);
    *to = mean ? sum / static_cast<float>(len) : sum;
  });
}

template <class Loss>
std::unique_ptr<Step> loss_backward(const Record &record, Loss of) {
  const at::Tensor &grad = tensor(record.args, 0), &in = tensor(record.args, 1), &target = tensor(record.args, 2),
                   &out = tensor(record.outs, 0);
  const int64_t reduction = record.args[3].toInt(), len = in.defined() ? in.numel() : 0;
  if (!is_dense(in) || !is_dense(target) || !is_dense(out) || in.sizes() != target.sizes() ||
      out.sizes() != in.sizes() || !is_one_float(grad) || reduction == NONE || len > MOST_SCORES ||
      !are_apart(out, grad) || !are_apart(out, in) || !are_apart(out, target)) {
    return nullptr;
  }
  const float part = reduction == MEAN ? 1 / static_cast<float>(len) : 1;
  return step([of, g = floats(grad), x = floats(in), y = floats(target), to = floats(out), len, part] {
    for (int64_t i = 0; i < len; i++) {
      to[i] = part * of.slope(x[i] - y[i]) * *g;
    }
  });
}

float parameter(const c10::IValue &value) { return static_cast<float>(value.toDouble()); }

std::unique_ptr<Step> mse(const Record &r) { return loss(r, Squared{}); }
std::unique_ptr<Step> mse_backward(const Record &r) { return loss_backward(r, Squared{}); }
std::unique_ptr<Step> smooth(const Record &r) {
  return parameter(r.args[3]) > 0 ? loss(r, Smooth{parameter(r.args[3])}) : nullptr;
}
std::unique_ptr<Step> smooth_backward(const Record &r) {
  return parameter(r.args[4]) > 0 ? loss_backward(r, Smooth{parameter(r.args[4])}) : nullptr;
}
std::unique_ptr<Step> huber(const Record &r) { return loss(r, Huber{parameter(r.args[3])}); }
std::unique_ptr<Step> huber_backward(const Record &r) { return loss_backward(r, Huber{parameter(r.args[4])}); }

}  // namespace

Makers loss_makers() {
  static const Maker all[] = {
      {"aten::nll_loss_forward", 5, nll_loss},
      {"aten::nll_loss_backward", 7, nll_loss_backward},
      {"aten::mse_loss", 3, mse},
      {"aten::mse_loss_backward", 4, mse_backward},
      {"aten::smooth_l1_loss", 4, smooth},
      {"aten::smooth_l1_loss_backward", 5, smooth_backward},
      {"aten::huber_loss", 4, huber},
      {"aten::huber_loss_backward", 5, huber_backward},
  };
  return all;
}

}  // namespace ctorch::tape
