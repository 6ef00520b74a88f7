// Products of matrices: loops for small ones, else the BLAS that LibTorch brings. Some builds of LibTorch export none.
#include <ATen/Parallel.h>
#include <string.h>

#include <algorithm>

#include "core/tape/fast/fast.hpp"

extern "C" __attribute__((weak)) void sgemm_(
    const char *transpose_a,
    const char *transpose_b,
    const int64_t *m,
    const int64_t *n,
    const int64_t *k,
    const float *alpha,
    const float *a,
    const int64_t *a_stride,
    const float *b,
    const int64_t *b_stride,
    const float *beta,
    float *c,
    const int64_t *c_stride);

namespace ctorch::tape {
namespace {

/// Of which either stride is 1.
struct Matrix {
  Matrix(const float *data, int64_t rows, int64_t columns, int64_t row, int64_t column)
      : data(const_cast<float *>(data)),
        rows(rows),
        columns(columns),
        row(rows == 1 ? std::max(columns, int64_t{1}) : row),
        column(columns == 1 ? 1 : column) {
    if (rows == 1 && column != 1) {  // lies as a column does
      this->row = 1;
    }
    if (columns == 1 && row != 1) {
      this->column = 1;
    }
  }
  bool lies_by_rows() const { return column == 1 && row >= columns; }
  bool lies_by_columns() const { return row == 1 && column >= rows; }

  float *data;
  int64_t rows, columns, row, column;
};

/// c = (adds ? c : 0) + alpha * a * b
struct Product {
  Matrix a, b, c;
  float alpha;
  bool adds;
};

/// The loops take each row of `b` again and again: a strip of it should stay in the cache.
constexpr int64_t STRIP = 1 << 16;

/// Multiplications beside which what LibTorch does before them is nothing; fewer, where it has threads.
int64_t most() { return at::get_num_threads() == 1 ? 1 << 21 : 1 << 18; }

using Multiply = void (*)(const Product &);

void multiply_by_blas(const Product &p) {
  // BLAS takes matrices by columns: of ours, transposed, it makes the transposed product.
  const char first = p.b.lies_by_rows() ? 'N' : 'T', second = p.a.lies_by_rows() ? 'N' : 'T';
  const int64_t b_stride = first == 'N' ? p.b.row : p.b.column, a_stride = second == 'N' ? p.a.row : p.a.column;
  const float beta = p.adds ? 1 : 0;
  // An integer of 32 bits is where one of 64 bits begins, on all processors that this is built for.
  sgemm_(
      &first, &second, &p.c.columns, &p.c.rows, &p.a.columns, &p.alpha, p.b.data, &b_stride, p.a.data, &a_stride, &beta,
      p.c.data, &p.c.row);
}

void row_by_rows(const Product &p) {
  loops().combine(p.c.data, p.b.data, p.b.row, p.a.data, p.a.column, p.b.rows, p.b.columns, p.alpha, p.adds);
}
void rows_by_columns(const Product &p) {
  for (int64_t i = 0; i < p.a.rows; i++) {
    loops().dots(
        p.c.data + i * p.c.row, 1, p.b.data, p.b.column, p.a.data + i * p.a.row, p.b.columns, p.b.rows, p.alpha,
        p.adds);
  }
}
void rows_by_column(const Product &p) {
  loops().dots(p.c.data, p.c.row, p.a.data, p.a.row, p.b.data, p.a.rows, p.a.columns, p.alpha, p.adds);
}
void columns_by_column(const Product &p) {
  loops().combine(p.c.data, p.a.data, p.a.column, p.b.data, p.b.row, p.a.columns, p.a.rows, p.alpha, p.adds);
}
void any_by_rows(const Product &p) {
  loops().multiply(
      p.c.data, p.c.row, p.a.data, p.a.row, p.a.column, p.b.data, p.b.row, p.c.rows, p.c.columns, p.b.rows, p.adds);
}

/// Null if there is none.
Multiply way(const Product &p) {
  if (p.a.rows * p.a.columns * p.b.columns > most()) {
    return nullptr;
  }
  if (p.a.rows == 1 && p.b.lies_by_rows()) {
    return row_by_rows;
  }
  if (p.a.rows <= 4 && p.a.column == 1 && p.b.row == 1) {
    return rows_by_columns;
  }
  if (p.b.columns == 1 && p.a.column == 1 && p.b.row == 1) {
    return rows_by_column;
  }
  if (p.b.columns == 1 && p.a.row == 1 && p.c.row == 1) {
    return columns_by_column;
  }
  if (p.alpha == 1 && p.b.lies_by_rows() && p.b.rows * p.b.columns <= STRIP) {
    return any_by_rows;
  }
  const bool lies = (p.a.lies_by_rows() || p.a.lies_by_columns()) && (p.b.lies_by_rows() || p.b.lies_by_columns());
  return lies && p.c.lies_by_rows() && sgemm_ != nullptr ? multiply_by_blas : nullptr;
}

bool is_number(const c10::IValue &value) { return value.isScalar() && !value.toScalar().isComplex(); }

/// Of matrices, or of as many matrices in each.
struct Operands {
  at::Tensor out, a, b;
  bool batched() const { return out.dim() == 3; }

  std::optional<Product> product(float alpha, bool adds) const {
    const int64_t dim = batched() ? 3 : 2;
    if (!is_float(out) || !is_float(a) || !is_float(b) || out.dim() != dim || a.dim() != dim || b.dim() != dim ||
        !are_apart(out, a) || !are_apart(out, b)) {
      return std::nullopt;
    }
    auto matrix = [](const at::Tensor &t) {
      return Matrix(t.const_data_ptr<float>(), t.size(-2), t.size(-1), t.stride(-2), t.stride(-1));
    };
    Product product{matrix(a), matrix(b), matrix(out), alpha, adds};
    const bool fit = product.a.columns == product.b.rows && product.c.rows == product.a.rows &&
                     product.c.columns == product.b.columns;
    return fit && product.c.lies_by_rows() ? std::optional(product) : std::nullopt;
  }
};

std::unique_ptr<Step> multiplied(const Operands &operands, float alpha, bool adds) {
  auto product = operands.product(alpha, adds);
  Multiply multiply = product ? way(*product) : nullptr;
  if (multiply == nullptr) {
    return nullptr;
  }
  if (!operands.batched()) {
    return step([multiply, p = *product] { multiply(p); });
  }
  return step([multiply, p = *product, count = operands.out.size(0), a = operands.a.stride(0), b = operands.b.stride(0),
               c = operands.out.stride(0)]() mutable {
    Product one = p;
    for (int64_t i = 0; i < count; i++) {
      multiply(one);
      one.a.data += a;
      one.b.data += b;
      one.c.data += c;
    }
  });
}

std::unique_ptr<Step> mm(const Record &record) {
  return multiplied({tensor(record.outs, 0), tensor(record.args, 0), tensor(record.args, 1)}, 1, false);
}

/// beta * self + alpha * a * b
std::unique_ptr<Step> addmm(const Record &record) {
  if (!is_number(record.args[3]) || !is_number(record.args[4])) {
    return nullptr;
  }
  const at::Tensor &out = tensor(record.outs, 0), &self = tensor(record.args, 0);
  const float beta = record.args[3].toScalar().toFloat(), alpha = record.args[4].toScalar().toFloat();
  std::unique_ptr<Step> product = multiplied({out, tensor(record.args, 1), tensor(record.args, 2)}, alpha, beta != 0);
  if (product == nullptr || beta == 0) {
    return product;
  }
  auto rows = is_float(self) ? rows_of(out, {self}) : std::nullopt;
  if (!rows) {
    return nullptr;
  }
  if (beta == 1 && self.const_data_ptr() == out.const_data_ptr()) {
    return product;
  }
  return step([product = std::shared_ptr<Step>(std::move(product)), rows = *rows, beta, times = loops().mul_number] {
    for (int64_t i = 0; i < rows.rows; i++) {
      float *to = rows.at<float>(0, i);
      const float *from = rows.at<float>(1, i);
      if (rows.operands[1].repeats) {
        for (int64_t k = 0; k < rows.len; k++) {
          to[k] = beta * *from;
        }
      } else if (beta == 1) {
        memcpy(to, from, static_cast<size_t>(rows.len) * sizeof(float));
      } else {
        times(to, from, beta, rows.len);
      }
    }
    product->run();
  });
}

/// A matrix and a vector.
std::unique_ptr<Step> mv(const Record &record) {
  const at::Tensor &out = tensor(record.outs, 0), &a = tensor(record.args, 0), &b = tensor(record.args, 1);
  if (!is_float(out) || !is_float(a) || !is_float(b) || a.dim() != 2 || b.dim() != 1 || out.dim() != 1 ||
      !out.is_contiguous()) {
    return nullptr;
  }
  return multiplied({out.unsqueeze(1), a, b.unsqueeze(1)}, 1, false);
}

}  // namespace

Makers matrix_makers() {
  static const Maker all[] = {
      {"aten::mm", 2, mm},           {"aten::mm.out", 3, mm},
      {"aten::bmm", 2, mm},          {"aten::bmm.out", 3, mm},
      {"aten::addmm", 5, addmm},     {"aten::addmm_", 5, addmm},
      {"aten::addmm.out", 6, addmm}, {"aten::baddbmm", 5, addmm},
      {"aten::baddbmm_", 5, addmm},  {"aten::baddbmm.out", 6, addmm},
      {"aten::mv", 2, mv},
  };
  return all;
}

}  // namespace ctorch::tape
