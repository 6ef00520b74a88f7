// Arithmetic on lists of tensors in place: step counters, averages of weights.
#include "core/tape/fast/fast.hpp"

namespace ctorch::tape {
namespace {

struct Part {
  float *to;
  const float *from;
  int64_t len;
};

/// The tensors of the first argument, and those of the second if it is a list.
std::optional<std::vector<Part>> parts(const Record &record) {
  const auto self = record.args[0].toTensorVector();
  const auto others = record.args[1].isTensorList() ? record.args[1].toTensorVector() : self;
  if (self.empty() || others.size() != self.size()) {
    return std::nullopt;
  }
  std::vector<Part> parts;
  for (size_t i = 0; i < self.size(); i++) {
    const at::Tensor &to = self[i], &from = others[i];
    if (!is_float(to) || !is_float(from) || !to.is_non_overlapping_and_dense() || to.sizes() != from.sizes() ||
        to.strides() != from.strides() || !is_small(to.numel()) ||
        (to.const_data_ptr() != from.const_data_ptr() && !are_apart(to, from))) {
      return std::nullopt;
    }
    parts.push_back({floats(to), floats(from), to.numel()});
  }
  return parts;
}

std::optional<float> number(const c10::IValue &value) {
  return value.isScalar() && !value.toScalar().isComplex() ? std::optional(value.toScalar().toFloat()) : std::nullopt;
}

std::unique_ptr<Step> with_number(const Record &record, Loops::WithNumber loop) {
  auto all = parts(record);
  auto value = number(record.args[1]);
  if (!all || !value) {
    return nullptr;
  }
  return step([parts = *all, loop, number = *value] {
    for (const Part &part : parts) {
      loop(part.to, part.to, number, part.len);
    }
  });
}

std::unique_ptr<Step> scaled(const Record &record, Loops::Scaled loop) {
  auto all = parts(record);
  auto value = number(record.args[2]);
  if (!all || !value || !record.args[1].isTensorList()) {
    return nullptr;
  }
  return step([parts = *all, loop, number = *value] {
    for (const Part &part : parts) {
      loop(part.to, part.to, part.from, number, part.len);
    }
  });
}

/// Counters count by steps that a float holds exactly, as here.
std::unique_ptr<Step> add_number(const Record &record) {
  auto all = parts(record);
  auto value = number(record.args[1]);
  bool counters = all && value;
  for (size_t i = 0; counters && i < all->size(); i++) {
    counters = (*all)[i].len == 1;
  }
  if (!counters) {
    return with_number(record, loops().add_number);
  }
  return step([parts = *all, number = *value] {
    for (const Part &part : parts) {
      *part.to += number;
    }
  });
}
std::unique_ptr<Step> mul_number(const Record &record) { return with_number(record, loops().mul_number); }
std::unique_ptr<Step> add_list(const Record &record) { return scaled(record, loops().add); }
std::unique_ptr<Step> foreach_lerp(const Record &record) { return scaled(record, loops().lerp); }

}  // namespace

Makers foreach_makers() {
  static const Maker all[] = {
      {"aten::_foreach_add_.Scalar", 2, add_number},
      {"aten::_foreach_mul_.Scalar", 2, mul_number},
      {"aten::_foreach_add_.List", 3, add_list},
      {"aten::_foreach_lerp_.Scalar", 3, foreach_lerp},
  };
  return all;
}

}  // namespace ctorch::tape
