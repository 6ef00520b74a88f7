// Sums and means over the first or the last dimensions, and the greatest of each row.
#include <math.h>

#include "core/tape/fast/fast.hpp"

namespace ctorch::tape {
namespace {

constexpr int64_t MOST_ROWS = 512;  // that are added one by one; of more the rounding would be noticed
constexpr int64_t MOST_COMPARED = 32;

/// Whether the dimensions are the first so many of all, the last so many, or neither.
enum class Where { First, Last, Neither };

Where where(const std::vector<int64_t> &dims, int64_t all) {
  std::vector<bool> taken(all, dims.empty());
  for (int64_t dim : dims) {
    taken[dim < 0 ? dim + all : dim] = true;
  }
  int64_t changes = 0;
  for (int64_t i = 1; i < all; i++) {
    changes += taken[i] != taken[i - 1];
  }
  return changes > 1 ? Where::Neither : all == 0 || taken[all - 1] ? Where::Last : Where::First;
}

std::unique_ptr<Step> summed(const at::Tensor &out, const at::Tensor &in, const std::vector<int64_t> &dims, bool mean) {
  if (!is_dense(out) || !is_dense(in) || !is_small(in.numel()) || !are_apart(out, in)) {
    return nullptr;
  }
  const int64_t results = out.numel(), each = in.numel() / results;
  const float factor = mean ? 1 / static_cast<float>(each) : 1;
  const Where from = where(dims, in.dim());
  if (from == Where::Last) {
    return step([loop = loops().sum, to = floats(out), data = floats(in), results, each, factor] {
      for (int64_t i = 0; i < results; i++) {
        to[i] = loop(data + i * each, each) * factor;
      }
    });
  }
  if (from == Where::Neither || each > MOST_ROWS) {
    return nullptr;
  }
  return step([loop = loops().sum_columns, times = loops().mul_number, to = floats(out), data = floats(in), results,
               each, factor] {
    loop(to, data, each, results, results);
    if (factor != 1) {
      times(to, to, factor, results);
    }
  });
}

bool is_float_or_none(const c10::IValue &dtype) { return dtype.isNone() || dtype.toScalarType() == at::kFloat; }

template <bool mean>
std::unique_ptr<Step> over_all(const Record &record) {
  return is_float_or_none(record.args[1]) ? summed(tensor(record.outs, 0), tensor(record.args, 0), {}, mean) : nullptr;
}

template <bool mean>
std::unique_ptr<Step> over_dims(const Record &record) {
  if (!is_float_or_none(record.args[3])) {
    return nullptr;
  }
  std::vector<int64_t> dims = record.args[1].isNone() ? std::vector<int64_t>() : record.args[1].toIntVector();
  return summed(tensor(record.outs, 0), tensor(record.args, 0), dims, mean);
}

/// The greatest of each row and where it is first; NaN is greater than all.
std::unique_ptr<Step> max(const Record &record) {
  const at::Tensor &in = tensor(record.args, 0), &out = tensor(record.outs, 0), &where = tensor(record.outs, 1);
  const bool good = is_dense(in) && is_dense(out) && is_index(where) && in.dim() > 0 && is_small(in.numel()) &&
                    in.size(-1) <= MOST_COMPARED && are_apart(out, in) &&
                    (record.args[1].toInt() == in.dim() - 1 || record.args[1].toInt() == -1);
  if (!good) {
    return nullptr;
  }
  return step([from = floats(in), to = floats(out), numbers = where.data_ptr<int64_t>(), rows = out.numel(),
               len = in.size(-1)] {
    for (int64_t i = 0; i < rows; i++) {
      const float *row = from + i * len;
      int64_t best = 0;
      for (int64_t k = 1; k < len && !isnan(row[best]); k++) {
        best = row[k] > row[best] || isnan(row[k]) ? k : best;
      }
      to[i] = row[best];
      numbers[i] = best;
    }
  });
}

}  // namespace

Makers reduction_makers() {
  static const Maker all[] = {
      {"aten::sum", 2, over_all<false>}, {"aten::sum.dim_IntList", 4, over_dims<false>},
      {"aten::mean", 2, over_all<true>}, {"aten::mean.dim", 4, over_dims<true>},
      {"aten::max.dim", 3, max},
  };
  return all;
}

}  // namespace ctorch::tape
