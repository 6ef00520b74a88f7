// torch.autograd.grad for code of ours, and the vmap that it maps over batches with.
#pragma once

#include <ATen/core/Tensor.h>

#include <vector>

namespace ctorch {

struct GradOptions {
  bool retain_graph = false;
  bool create_graph = false;
  bool allow_unused = false;
  bool is_grads_batched = false;
  bool materialize_grads = false;
};

/// `grad_outputs` has an entry for each output, undefined for the default.
std::vector<at::Tensor> grad(
    at::TensorList outputs, at::TensorList inputs, std::vector<at::Tensor> grad_outputs, const GradOptions &options);

/// One level of the vmap that runs operators once for all entries of a batch, the first dimension of its tensors
/// (torch._vmap_internals). It ends with the object.
class VmapLevel {
 public:
  VmapLevel();
  VmapLevel(const VmapLevel &) = delete;
  VmapLevel &operator=(const VmapLevel &) = delete;
  ~VmapLevel();

  std::vector<at::Tensor> batch(const std::vector<at::Tensor> &tensors);
  /// Undefined tensors stay so.
  std::vector<at::Tensor> unbatch(std::vector<at::Tensor> tensors) const;

 private:
  int64_t level_;
  int64_t size_ = 0;
};

}  // namespace ctorch
