// vmap: wrap the mapped inputs, run the function once, unwrap its outputs.
#include <ATen/core/IListRef.h>
#include <ATen/core/Tensor.h>

#include <ATen/CPUGeneratorImpl.h>
#include <ATen/ops/cat_ops.h>
#include <ATen/ops/slice_ops.h>

#include <algorithm>
#include <mutex>

#include "core/abi/error.hpp"
#include "core/func/func_layers.hpp"

namespace ctorch::func {
namespace {

/// Python's default is dimension 0.
Dims dims_or_first(const std::optional<Dims> &dims, size_t count, const char *name) {
  if (dims && dims->size() != count) {
    fail_argument(
        name, "not compatible with the structure of the tensors: expected " + std::to_string(count) + " entries, got " +
                  std::to_string(dims->size()));
  }
  return dims ? *dims : Dims(count, 0);
}

/// The mapped dimension of each input, from the start.
Dims check_in_dims(const Tensors &inputs, const Dims &in_dims) {
  if (inputs.empty()) {
    fail(CTORCH_ERROR_VALUE, "vmap: got no inputs, and a function of no inputs cannot be mapped");
  }
  Dims checked;
  for (size_t i = 0; i < inputs.size(); i++) {
    std::optional<int64_t> dim = in_dims[i];
    const std::string got = "vmap: Got in_dim=" + (dim ? std::to_string(*dim) : "") + " for input " + std::to_string(i);
    if (dim && !inputs[i].defined()) {
      fail(CTORCH_ERROR_VALUE, got + ", which is NULL and can only be unmapped");
    }
    if (dim) {
      const int64_t ndim = inputs[i].dim();
      if (*dim < -ndim || *dim >= ndim) {
        fail(
            CTORCH_ERROR_VALUE, got + ", which is of dimensionality " + std::to_string(ndim) +
                                    ", so expected in_dim to satisfy -" + std::to_string(ndim) + " <= in_dim < " +
                                    std::to_string(ndim));
      }
      *dim += *dim < 0 ? ndim : 0;
    }
    checked.push_back(dim);
  }
  return checked;
}

int64_t check_batch_size(const Tensors &inputs, const Dims &in_dims) {
  std::vector<int64_t> sizes;
  for (size_t i = 0; i < inputs.size(); i++) {
    if (in_dims[i]) {
      sizes.push_back(inputs[i].size(*in_dims[i]));
    }
  }
  if (sizes.empty()) {
    fail(CTORCH_ERROR_VALUE, "vmap: Expected at least one Tensor to vmap over");
  }
  if (std::any_of(sizes.begin(), sizes.end(), [&](int64_t size) { return size != sizes[0]; })) {
    std::string list;
    for (const int64_t size : sizes) {
      list += (list.empty() ? "" : ", ") + std::to_string(size);
    }
    fail(
        CTORCH_ERROR_VALUE, "vmap: Expected all tensors to have the same size in the mapped dimension, got sizes [" +
                                list + "] for the mapped dimension");
  }
  return sizes[0];
}

Tensors map_at_once(
    const Function &function,
    const Tensors &inputs,
    const Dims &in_dims,
    const std::optional<Dims> &out_dims,
    Randomness randomness,
    int64_t batch_size) {
  const Layer layer = Layer::vmap(batch_size, randomness);
  Tensors batched;
  for (size_t i = 0; i < inputs.size(); i++) {
    batched.push_back(wrap_batched(inputs[i], in_dims[i], layer.level()));
  }
  Tensors outputs = function(batched);
  const Dims dims = dims_or_first(out_dims, outputs.size(), "out_dims");
  for (size_t i = 0; i < outputs.size(); i++) {
    if (dims[i]) {
      outputs[i] = unwrap_batched(outputs[i], layer.level(), batch_size, *dims[i]);
    } else if (is_batched(outputs[i])) {
      fail(
          CTORCH_ERROR_VALUE,
          "vmap: output " + std::to_string(i) + " is to be unmapped, but depends on a mapped input");
    }
  }
  return outputs;
}

/// The random numbers of the CPU that come next, to come again.
class RandomState {
 public:
  RandomState() {
    const std::lock_guard<std::mutex> lock(generator_.mutex());
    state_ = generator_.get_state();
  }
  void restore() {
    const std::lock_guard<std::mutex> lock(generator_.mutex());
    generator_.set_state(state_);
  }

 private:
  at::Generator generator_ = at::detail::getDefaultCPUGenerator();
  at::Tensor state_;
};

Tensors map_in_chunks(
    const Function &function, const Tensors &inputs, const Dims &in_dims, const Vmap &options, int64_t batch_size) {
  std::vector<Tensors> chunks;  // of each output
  std::optional<RandomState> random_state;
  if (options.randomness == Randomness::Same) {
    random_state.emplace();
  }
  for (int64_t start = 0; start < batch_size;) {
    const int64_t length = std::min(*options.chunk_size, batch_size - start);
    Tensors chunk = inputs;
    for (size_t i = 0; i < chunk.size(); i++) {
      if (in_dims[i]) {
        chunk[i] = at::_ops::slice_Tensor::call(chunk[i], *in_dims[i], start, start + length, 1);
      }
    }
    if (random_state) {
      random_state->restore();
    }
    Tensors outputs = map_at_once(function, chunk, in_dims, options.out_dims, options.randomness, length);
    if (start != 0 && outputs.size() != chunks.size()) {
      fail(CTORCH_ERROR_RUNTIME, "vmap: the function returns another number of outputs for another chunk");
    }
    chunks.resize(outputs.size());
    for (size_t i = 0; i < outputs.size(); i++) {
      chunks[i].push_back(std::move(outputs[i]));
    }
    start += length;
  }
  Tensors outputs;
  const Dims dims = dims_or_first(options.out_dims, chunks.size(), "out_dims");
  for (size_t i = 0; i < chunks.size(); i++) {
    outputs.push_back(at::_ops::cat::call(chunks[i], *dims[i]));
    chunks[i].clear();
  }
  return outputs;
}

}  // namespace

Tensors vmap(const Function &function, const Tensors &inputs, const Vmap &options) {
  if (options.chunk_size && *options.chunk_size <= 0) {
    fail(CTORCH_ERROR_VALUE, "vmap: chunk_size should be greater than 0, got " + std::to_string(*options.chunk_size));
  }
  const Dims in_dims = check_in_dims(inputs, dims_or_first(options.in_dims, inputs.size(), "in_dims"));
  const int64_t batch_size = check_batch_size(inputs, in_dims);
  register_vmap_decompositions();
  if (!options.chunk_size || batch_size == 0) {
    return map_at_once(function, inputs, in_dims, options.out_dims, options.randomness, batch_size);
  }
  if (options.out_dims && std::count(options.out_dims->begin(), options.out_dims->end(), std::nullopt) != 0) {
    fail(CTORCH_ERROR_VALUE, "vmap: the chunks of an output that is to be unmapped cannot be put together");
  }
  return map_in_chunks(function, inputs, in_dims, options, batch_size);
}

}  // namespace ctorch::func
