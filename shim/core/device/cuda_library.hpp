// What libtorch_cuda offers beyond LibTorch's interfaces for all devices, and without CUDA's headers.
//
// Its functions are weak here: the loader finds them if the LibTorch in this process has CUDA, else they are null.
// is_there() says which; call none of them without.
#pragma once

#include <stdint.h>

#include <string>
#include <utility>
#include <vector>

#include "torch/version.hpp"

/// The runtime's own enumeration, with its numbers: it is part of a symbol's name.
enum cudaStreamCaptureMode {
  cudaStreamCaptureModeGlobal = 0,
  cudaStreamCaptureModeThreadLocal = 1,
  cudaStreamCaptureModeRelaxed = 2,
};

namespace at::cuda {

using MempoolId = std::pair<unsigned long long, unsigned long long>;

[[gnu::weak]] MempoolId graph_pool_handle();

/// ATen/cuda/CUDAGraph.h without its members, of which the constructor makes what it will in `room`: some 500 bytes.
struct CUDAGraph {
  [[gnu::weak]] CUDAGraph(bool keep_graph);
  [[gnu::weak]] ~CUDAGraph();
  CUDAGraph(const CUDAGraph &) = delete;
  CUDAGraph &operator=(const CUDAGraph &) = delete;

  [[gnu::weak]] void capture_begin(MempoolId pool, cudaStreamCaptureMode mode);
  [[gnu::weak]] void capture_end();
  [[gnu::weak]] void instantiate();
  [[gnu::weak]] void replay();
  [[gnu::weak]] void reset();
  [[gnu::weak]] MempoolId pool();
  [[gnu::weak]] void enable_debug_mode();
  [[gnu::weak]] void debug_dump(const std::string &path);

 private:
  alignas(64) char room[8192];
};

}  // namespace at::cuda

namespace torch::cuda {

// torch/csrc/cuda/memory_snapshot.h
[[gnu::weak]] std::string _memory_snapshot_pickled();
[[gnu::weak]] void _record_memory_history(
    bool enabled,
    bool record_context,
    int64_t trace_alloc_max_entries,
    bool trace_alloc_record_context,
    bool record_cpp_context,
    bool clear_history,
    bool compile_context,
    bool global_record_allocations,
    const std::vector<std::string> &skip_actions);

}  // namespace torch::cuda

namespace ctorch::cuda_library {

/// UNSUPPORTED unless libtorch_cuda is there, in the form that is declared above.
void require(const char *what);

}  // namespace ctorch::cuda_library
