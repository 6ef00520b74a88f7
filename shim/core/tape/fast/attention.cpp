// Attention of few queries, as when a token is decoded with a cache.
#include <math.h>

#include "core/tape/fast/fast.hpp"

namespace ctorch::tape {
namespace {

constexpr int64_t MOST_MULTIPLIED = 1 << 18, MOST_QUERIES = 8;  // multiplications; of more LibTorch does many at once

/// Strides of batch, head and row; the last dimension lies densely.
struct Heads {
  explicit Heads(const at::Tensor &t)
      : data(const_cast<float *>(t.const_data_ptr<float>())), batch(t.stride(0)), head(t.stride(1)), row(t.stride(2)) {}
  float *at(int64_t b, int64_t h, int64_t i) const { return data + b * batch + h * head + i * row; }

  float *data;
  int64_t batch, head, row;
};

bool are_heads(const at::Tensor &t) { return is_float(t) && t.dim() == 4 && (t.stride(3) == 1 || t.size(3) == 1); }

struct Attention {
  void operator()() {
    for (int64_t b = 0; b < batches; b++) {
      for (int64_t h = 0; h < heads; h++) {
        for (int64_t i = 0; i < queries; i++) {
          one(b, h, i);
        }
      }
    }
  }
  void one(int64_t b, int64_t h, int64_t i) {
    const int64_t seen = causal && i < keys ? i + 1 : keys;
    float *weights = scores.data();
    with->dots(weights, 1, k.at(b, h, 0), k.row, q.at(b, h, i), seen, width, scale, false);
    if (mask) {
      with->add(weights, weights, mask->at(b, h, i), 1, seen);
    }
    sums.data[b * sums.batch + h * sums.head + i * sums.row] = with->attend(weights, seen);
    with->combine(out.at(b, h, i), v.at(b, h, 0), v.row, weights, 1, seen, result_width, 1, false);
  }

  Heads out, sums, q, k, v;
  std::optional<Heads> mask;
  int64_t batches, heads, queries, keys, width, result_width;
  float scale;
  bool causal;
  std::vector<float> scores;
  const Loops *with;
};

/// query, key, value, dropout_p, is_causal, attn_mask, scale
std::unique_ptr<Step> attention(const Record &record) {
  const at::Tensor &q = tensor(record.args, 0), &k = tensor(record.args, 1), &v = tensor(record.args, 2),
                   &mask = tensor(record.args, 5);
  const at::Tensor &out = tensor(record.outs, 0), &sums = tensor(record.outs, 1);
  bool good = are_heads(q) && are_heads(k) && are_heads(v) && are_heads(out) && is_float(sums) && sums.dim() == 3 &&
              record.args[3].toDouble() == 0;
  if (!good) {
    return nullptr;
  }
  const int64_t batches = q.size(0), heads = q.size(1), queries = q.size(2), width = q.size(3), keys = k.size(2);
  good = k.sizes() == at::IntArrayRef({batches, heads, keys, width}) && v.size(0) == batches && v.size(1) == heads &&
         v.size(2) == keys && out.sizes() == at::IntArrayRef({batches, heads, queries, v.size(3)}) &&
         sums.sizes() == at::IntArrayRef({batches, heads, queries}) && queries <= MOST_QUERIES &&
         batches * heads * queries * keys * width <= MOST_MULTIPLIED && are_apart(out, q) && are_apart(out, k) &&
         are_apart(out, v) && are_apart(out, mask) && are_apart(sums, out);
  if (!good) {
    return nullptr;
  }
  std::optional<Heads> masks;
  if (mask.defined()) {
    if (!is_float(mask) || mask.dim() > 4 || mask.size(-1) != keys || (keys > 1 && mask.stride(-1) != 1)) {
      return nullptr;
    }
    masks.emplace(mask.expand({batches, heads, queries, keys}));
  }
  const double scale = record.args[6].isNone() ? 1 / sqrt(static_cast<double>(width)) : record.args[6].toDouble();
  return step(Attention{
      Heads(out), Heads(sums), Heads(q), Heads(k), Heads(v), masks, batches, heads, queries, keys, width, v.size(3),
      static_cast<float>(scale), record.args[4].toBool(), std::vector<float>(keys), &loops()});
}

}  // namespace

Makers attention_makers() {
  static const Maker all[] = {{"aten::_scaled_dot_product_flash_attention_for_cpu", 7, attention}};
  return all;
}

}  // namespace ctorch::tape
