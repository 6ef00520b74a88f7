// Rows by their numbers: embedding, index_select, index_copy_, gather and its gradient. An index is looked at before
// anything is written.
#include <string.h>

#include <string>

#include "core/abi/error.hpp"
#include "core/tape/fast/fast.hpp"

namespace ctorch::tape {
namespace {

constexpr int64_t MOST_COPIED = 1 << 16;  // elements that are copied; of more LibTorch's threads have their share

[[noreturn, gnu::cold]] void out_of_range(const char *function, int64_t index, int64_t size) {
  fail(
      CTORCH_ERROR_INDEX, std::string(function) + ": index " + std::to_string(index) + " is out of range, there are " +
                              std::to_string(size));
}

void check(const char *function, const int64_t *indices, int64_t len, int64_t size) {
  for (int64_t i = 0; i < len; i++) {
    if (indices[i] < 0 || indices[i] >= size) {
      out_of_range(function, indices[i], size);
    }
  }
}

/// Elements of `outer` blocks of `size` rows of `bytes`.
struct Blocks {
  Blocks(const at::Tensor &t, int64_t dim) : outer(1), size(t.dim() == 0 ? 1 : t.size(dim)), bytes(t.element_size()) {
    for (int64_t i = 0; i < t.dim(); i++) {
      (i < dim ? outer : i > dim ? bytes : ignored) *= t.size(i);
    }
  }
  int64_t outer, size, bytes;

 private:
  int64_t ignored = 1;
};

/// Of the rows of `in` those that `index` names.
std::unique_ptr<Step> selected(
    const char *function, const at::Tensor &out, const at::Tensor &in, int64_t dim, const at::Tensor &index) {
  if (!is_readable(out) || !is_readable(in) || !is_index(index) || out.scalar_type() != in.scalar_type() ||
      in.numel() == 0 || out.numel() == 0 || out.numel() > MOST_COPIED || !out.is_contiguous() || !in.is_contiguous() ||
      !are_apart(out, in) || !are_apart(out, index)) {
    return nullptr;
  }
  const Blocks from(in, dim < 0 ? dim + in.dim() : dim);
  const int64_t len = index.numel();
  if (out.numel() * static_cast<int64_t>(out.element_size()) != from.outer * len * from.bytes) {
    return nullptr;
  }
  return step([function, from, len, to = static_cast<char *>(out.data_ptr()),
               data = static_cast<const char *>(in.const_data_ptr()), numbers = index.const_data_ptr<int64_t>()] {
    check(function, numbers, len, from.size);
    for (int64_t b = 0; b < from.outer; b++) {
      for (int64_t i = 0; i < len; i++) {
        memcpy(
            to + (b * len + i) * from.bytes, data + (b * from.size + numbers[i]) * from.bytes,
            static_cast<size_t>(from.bytes));
      }
    }
  });
}

std::unique_ptr<Step> embedding(const Record &record) {
  return selected("embedding", tensor(record.outs, 0), tensor(record.args, 0), 0, tensor(record.args, 1));
}
std::unique_ptr<Step> index_select(const Record &record) {
  return selected(
      "index_select", tensor(record.outs, 0), tensor(record.args, 0), record.args[1].toInt(), tensor(record.args, 2));
}

std::unique_ptr<Step> index_copy(const Record &record) {
  const at::Tensor &out = tensor(record.outs, 0), &index = tensor(record.args, 2), &in = tensor(record.args, 3);
  if (!is_readable(out) || !is_readable(in) || !is_index(index) || out.scalar_type() != in.scalar_type() ||
      in.numel() == 0 || in.numel() > MOST_COPIED || out.dim() != in.dim() || !out.is_contiguous() ||
      !in.is_contiguous() || !are_apart(out, in) || !are_apart(out, index) || !out.is_same(tensor(record.args, 0))) {
    return nullptr;
  }
  const int64_t dim = record.args[1].toInt();
  const Blocks to(out, dim < 0 ? dim + out.dim() : dim), from(in, dim < 0 ? dim + out.dim() : dim);
  if (from.size != index.numel() || from.outer != to.outer || from.bytes != to.bytes) {
    return nullptr;
  }
  return step([to, len = from.size, data = static_cast<char *>(out.data_ptr()),
               rows = static_cast<const char *>(in.const_data_ptr()), numbers = index.const_data_ptr<int64_t>()] {
    check("index_copy_", numbers, len, to.size);
    for (int64_t b = 0; b < to.outer; b++) {
      for (int64_t i = 0; i < len; i++) {
        memcpy(
            data + (b * to.size + numbers[i]) * to.bytes, rows + (b * len + i) * to.bytes,
            static_cast<size_t>(to.bytes));
      }
    }
  });
}

/// Matrices, of which a row of numbers names elements of the row of floats.
bool are_rows(const at::Tensor &all, const at::Tensor &index, const at::Tensor &few, const c10::IValue &dim) {
  return is_dense(all) && is_dense(few) && is_index(index) && all.dim() == 2 && index.dim() == 2 &&
         few.sizes() == index.sizes() && all.size(0) == index.size(0) && (dim.toInt() == 1 || dim.toInt() == -1) &&
         few.numel() <= MOST_COPIED;
}

std::unique_ptr<Step> gather(const Record &record) {
  const at::Tensor &out = tensor(record.outs, 0), &in = tensor(record.args, 0), &index = tensor(record.args, 2);
  if (!are_rows(in, index, out, record.args[1]) || !are_apart(out, in) || !are_apart(out, index)) {
    return nullptr;
  }
  return step([to = floats(out), from = floats(in), numbers = index.const_data_ptr<int64_t>(), rows = in.size(0),
               columns = in.size(1), len = index.size(1)] {
    check("gather", numbers, rows * len, columns);
    for (int64_t i = 0; i < rows; i++) {
      for (int64_t k = 0; k < len; k++) {
        to[i * len + k] = from[i * columns + numbers[i * len + k]];
      }
    }
  });
}

std::unique_ptr<Step> scatter_add(const Record &record) {
  const at::Tensor &out = tensor(record.outs, 0), &index = tensor(record.args, 2), &in = tensor(record.args, 3);
  if (!are_rows(out, index, in, record.args[1]) || !are_apart(out, in) || !are_apart(out, index) ||
      !out.is_same(tensor(record.args, 0))) {
    return nullptr;
  }
  return step([to = floats(out), from = floats(in), numbers = index.const_data_ptr<int64_t>(), rows = out.size(0),
               columns = out.size(1), len = index.size(1)] {
    check("scatter_add_", numbers, rows * len, columns);
    for (int64_t i = 0; i < rows; i++) {
      for (int64_t k = 0; k < len; k++) {
        to[i * columns + numbers[i * len + k]] += from[i * len + k];
      }
    }
  });
}

}  // namespace

Makers index_makers() {
  static const Maker all[] = {
      {"aten::embedding", 5, embedding, true},    {"aten::index_select", 3, index_select, true},
      {"aten::index_copy_", 4, index_copy, true}, {"aten::gather", 4, gather, true},
      {"aten::scatter_add_", 4, scatter_add},
  };
  return all;
}

}  // namespace ctorch::tape
