// Whether libtorch_cuda is in this process.
#include "device/cuda_library.hpp"

#include <ATen/Context.h>

#include "abi/error.hpp"

namespace ctorch::cuda_library {

void require(const char *what) {
  // One stands for all of a library; a LibTorch of another version is refused when it is loaded. ROCm has the same
  // functions with types of its own.
  bool complete = TORCH_VERSION_AT_LEAST(2, 13) && at::cuda::graph_pool_handle != nullptr &&
                  torch::cuda::_memory_snapshot_pickled != nullptr && !at::Context::hasROCM();
  if (!complete) {
    fail(CTORCH_ERROR_UNSUPPORTED, std::string(what) + " needs a LibTorch 2.13 or later that was built for CUDA");
  }
}

}  // namespace ctorch::cuda_library
