// How tensors lie in memory, as loops see it.
#include <algorithm>

#include "core/tape/fast/fast.hpp"

namespace ctorch::tape {
namespace {

struct Range {
  const char *begin, *end;
};

Range range(const at::Tensor &t) {
  const auto *data = static_cast<const char *>(t.const_data_ptr());
  int64_t last = 0;
  for (int64_t i = 0; i < t.dim(); i++) {
    last += (t.size(i) - 1) * t.stride(i);
  }
  return {data, data + (last + 1) * static_cast<int64_t>(t.element_size())};
}

/// A dimension of all tensors: the strides are those of `out` and of the inputs.
struct Dimension {
  int64_t size;
  std::vector<int64_t> strides;
};

}  // namespace

bool are_apart(const at::Tensor &a, const at::Tensor &b) {
  if (!a.defined() || !b.defined() || a.numel() == 0 || b.numel() == 0) {
    return true;
  }
  const Range x = range(a), y = range(b);
  return x.end <= y.begin || y.end <= x.begin;
}

std::optional<Rows> rows_of(const at::Tensor &out, std::initializer_list<at::Tensor> inputs) {
  std::vector<Dimension> dimensions;
  for (const at::Tensor &in : inputs) {
    if (in.dim() > out.dim()) {
      return std::nullopt;
    }
  }
  for (int64_t i = 0; i < out.dim(); i++) {
    Dimension dimension{out.size(i), {out.stride(i)}};
    for (const at::Tensor &in : inputs) {
      const int64_t k = i - (out.dim() - in.dim());
      const int64_t size = k < 0 ? 1 : in.size(k);
      if (size != 1 && size != dimension.size) {
        return std::nullopt;
      }
      dimension.strides.push_back(size == 1 ? 0 : in.stride(k));
    }
    if (dimension.size != 1) {
      dimensions.push_back(std::move(dimension));
    }
  }
  std::stable_sort(dimensions.begin(), dimensions.end(), [](const Dimension &a, const Dimension &b) {
    return a.strides[0] > b.strides[0];
  });
  std::vector<Dimension> merged;  // the innermost first
  for (size_t i = dimensions.size(); i-- > 0;) {
    Dimension &outer = dimensions[i];
    bool follows = !merged.empty();
    for (size_t k = 0; follows && k < outer.strides.size(); k++) {
      follows = outer.strides[k] == merged.back().strides[k] * merged.back().size;
    }
    if (follows) {
      merged.back().size *= outer.size;
    } else {
      merged.push_back(std::move(outer));
    }
  }
  const Dimension one{1, std::vector<int64_t>(inputs.size() + 1, 0)};
  if (merged.empty()) {
    merged.push_back({1, std::vector<int64_t>(inputs.size() + 1, 1)});
  }
  if (merged.size() == 1) {
    merged.push_back(one);
  }
  const Dimension &inner = merged[0], &outer = merged[1];
  if (merged.size() > 2 || inner.strides[0] != 1 || (outer.size > 1 && outer.strides[0] < inner.size)) {
    return std::nullopt;
  }
  Rows rows{outer.size, inner.size, {}};
  rows.operands.push_back(
      {static_cast<char *>(out.data_ptr()), outer.strides[0] * static_cast<int64_t>(out.element_size()), false});
  size_t k = 0;
  for (const at::Tensor &in : inputs) {
    k++;
    const bool same = in.const_data_ptr() == out.const_data_ptr() && in.element_size() == out.element_size() &&
                      inner.strides[k] == inner.strides[0] && outer.strides[k] == outer.strides[0];
    if ((inner.strides[k] != 0 && inner.strides[k] != 1) || (!same && !are_apart(in, out))) {
      return std::nullopt;
    }
    rows.operands.push_back(
        {static_cast<char *>(const_cast<void *>(in.const_data_ptr())),
         outer.strides[k] * static_cast<int64_t>(in.element_size()), inner.strides[k] == 0});
  }
  return rows;
}

}  // namespace ctorch::tape
