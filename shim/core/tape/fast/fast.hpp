// What the makers of fast steps have in common: a maker answers null unless it knows how to do better than LibTorch.
#pragma once

#include <ATen/core/Tensor.h>

#include <memory>
#include <string_view>
#include <utility>
#include <vector>

#include "core/tape/fast/loops.hpp"
#include "core/tape/record.hpp"

namespace ctorch::tape {

struct Maker {
  std::string_view op;  // with its overload, as in "aten::add.Tensor"
  size_t args;          // how many it has; it is another operator if it has others
  std::unique_ptr<Step> (*make)(const Record &);
  bool moves = false;  // values, and computes none: a moving_step too
};
using Makers = c10::ArrayRef<Maker>;

Makers attention_makers();
Makers convolution_makers();
Makers element_makers();
Makers foreach_makers();
Makers index_makers();
Makers loss_makers();
Makers matrix_makers();
Makers move_makers();
Makers norm_makers();
Makers optimizer_makers();
Makers reduction_makers();

template <class Run>
std::unique_ptr<Step> step(Run run) {
  struct Made final : Step {
    explicit Made(Run run) : body(std::move(run)) {}
    void run() override { body(); }
    Run body;
  };
  return std::make_unique<Made>(std::move(run));
}

/// Elements of which what LibTorch does around its loops is worth sparing, and which it would not share among threads.
inline bool is_small(int64_t elements) { return elements <= 32768; }

/// Whether the memory is what it says; LibTorch negates some views when they are read.
inline bool is_readable(const at::Tensor &t) {
  return t.defined() && t.layout() == at::kStrided && t.is_cpu() && !t.is_neg() && !t.is_conj() && !t._is_zerotensor();
}
inline bool is_float(const at::Tensor &t) { return is_readable(t) && t.scalar_type() == at::kFloat && t.numel() > 0; }
inline bool is_dense(const at::Tensor &t) { return is_float(t) && t.is_contiguous(); }
inline bool is_index(const at::Tensor &t) {
  return is_readable(t) && t.scalar_type() == at::kLong && t.numel() > 0 && t.is_contiguous();
}

inline const at::Tensor &tensor(const std::vector<c10::IValue> &values, size_t i) {
  static const at::Tensor none;
  return values[i].isTensor() ? values[i].toTensor() : none;
}
inline float *floats(const at::Tensor &t) { return t.data_ptr<float>(); }
inline const float *floats_or_null(const at::Tensor &t) { return t.defined() ? t.const_data_ptr<float>() : nullptr; }

/// Whether two have no memory in common.
bool are_apart(const at::Tensor &a, const at::Tensor &b);

/// Elements as rows: whatever its shape, each tensor is at most two dimensions of which the inner lies densely, or is
/// one element again and again.
struct Rows {
  struct Operand {
    char *data;
    int64_t stride;  // from row to row, in bytes
    bool repeats;    // an inner dimension of one element
  };
  int64_t rows, len;
  std::vector<Operand> operands;  // the output first

  template <class T>
  T *at(size_t operand, int64_t row) const {
    return reinterpret_cast<T *>(operands[operand].data + row * operands[operand].stride);
  }
};

/// `out`, and what is broadcast to its sizes. Nothing if one does not lie so, or has part of its memory in common with
/// `out`.
std::optional<Rows> rows_of(const at::Tensor &out, std::initializer_list<at::Tensor> inputs);

/// `run(rows, i)` for each row.
template <class Run>
std::unique_ptr<Step> by_rows(const Rows &rows, Run run) {
  if (rows.rows == 1) {
    return step([rows, run] { run(rows, 0); });
  }
  return step([rows, run] {
    for (int64_t i = 0; i < rows.rows; i++) {
      run(rows, i);
    }
  });
}

}  // namespace ctorch::tape
