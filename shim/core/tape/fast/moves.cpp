// Copies and fills.
#include <ATen/ops/copy_native.h>
#include <string.h>

#include <cmath>

#include "core/tape/fast/fast.hpp"

namespace ctorch::tape {
namespace {

/// As LibTorch copies, without its dispatcher.
std::unique_ptr<Step> copied_anyhow(const at::Tensor &out, const at::Tensor &in) {
  return step([to = at::Tensor(out), in]() mutable { at::native::copy_(to, in); });
}

std::unique_ptr<Step> copied(const at::Tensor &out, const at::Tensor &in) {
  if (!is_readable(out) || !is_readable(in) || out.scalar_type() != in.scalar_type() || out.numel() == 0 ||
      !is_small(out.numel())) {
    return copied_anyhow(out, in);
  }
  auto rows = rows_of(out, {in});
  if (!rows || rows->operands[1].repeats) {
    return copied_anyhow(out, in);
  }
  const auto bytes = static_cast<size_t>(rows->len) * out.element_size();
  return by_rows(*rows, [bytes](const Rows &r, int64_t i) { memmove(r.at<char>(0, i), r.at<char>(1, i), bytes); });
}

std::unique_ptr<Step> copy(const Record &record) { return copied(tensor(record.outs, 0), tensor(record.args, 1)); }
std::unique_ptr<Step> clone(const Record &record) { return copied(tensor(record.outs, 0), tensor(record.args, 0)); }

std::unique_ptr<Step> filled(const Record &record, const c10::Scalar &number) {
  const at::Tensor &out = tensor(record.outs, 0);
  if (!is_readable(out) || out.numel() == 0 || !out.is_non_overlapping_and_dense() || !is_small(out.numel())) {
    return nullptr;
  }
  if (!number.isComplex() && number.toDouble() == 0 && !std::signbit(number.toDouble())) {
    return step([data = out.data_ptr(), bytes = out.nbytes()] { memset(data, 0, bytes); });
  }
  if (!is_float(out) || number.isComplex()) {
    return nullptr;
  }
  return step([data = floats(out), len = out.numel(), value = number.toFloat()] {
    for (int64_t i = 0; i < len; i++) {
      data[i] = value;
    }
  });
}

std::unique_ptr<Step> zeros(const Record &record) { return filled(record, 0); }
std::unique_ptr<Step> ones(const Record &record) { return filled(record, 1); }
std::unique_ptr<Step> fill(const Record &record) { return filled(record, record.args[1].toScalar()); }
std::unique_ptr<Step> new_full(const Record &record) { return filled(record, record.args[2].toScalar()); }
std::unique_ptr<Step> scalar_tensor(const Record &record) { return filled(record, record.args[0].toScalar()); }

}  // namespace

Makers move_makers() {
  static const Maker all[] = {
      {"aten::copy_", 3, copy, true},        {"aten::clone", 2, clone, true},
      {"aten::_to_copy", 7, clone, true},    {"aten::zero_", 1, zeros, true},
      {"aten::fill_.Scalar", 2, fill, true}, {"aten::zeros", 5, zeros, true},
      {"aten::zeros_like", 6, zeros, true},  {"aten::new_zeros", 6, zeros, true},
      {"aten::ones", 5, ones, true},         {"aten::ones_like", 6, ones, true},
      {"aten::full", 6, fill, true},         {"aten::full_like", 7, fill, true},
      {"aten::new_full", 7, new_full, true}, {"aten::scalar_tensor", 5, scalar_tensor, true},
  };
  return all;
}

}  // namespace ctorch::tape
