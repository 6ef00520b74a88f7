// What libtorch_cuda offers beyond LibTorch's interfaces for all devices, and without CUDA's headers.
//
// Its functions are weak here: the loader finds them if the LibTorch in this process has CUDA, else they are null, and
// so is one whose signature is another in that version. Each is called through `present`, which looks first. Methods
// are declared as what they are to the linker, functions whose first argument is the object: the address of a weak
// method cannot be compared. tests/platforms/versions/symbols.py asks the libtorch_cuda of each version for these
// names.
#pragma once

#include <ATen/Context.h>

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/torch/fail.hpp"
#include "core/torch/version.hpp"

namespace torch::cuda {

// torch/csrc/cuda/memory_snapshot.h
[[gnu::weak]] std::string _memory_snapshot_pickled();
[[gnu::weak]] void _record_memory_history(
    bool enabled,
    bool record_context,
    int64_t trace_alloc_max_entries,
    bool trace_alloc_record_context,
    bool record_cpp_context
#if TORCH_VERSION_AT_LEAST(2, 8)
    ,
    bool clear_history,
    bool compile_context,
    bool global_record_allocations
#endif
#if TORCH_VERSION_AT_LEAST(2, 11)
    ,
    const std::vector<std::string> &skip_actions
#endif
#if TORCH_VERSION_AT_LEAST(2, 14)
    ,
    bool record_pinned_host_memory,
    bool record_cuda
#endif
);

}  // namespace torch::cuda

namespace ctorch::libtorch::cuda {

/// The two numbers by which LibTorch knows a memory pool; zeros for none.
using Pool = std::pair<unsigned long long, unsigned long long>;

namespace weak {

#define CTORCH_WEAK(result, name, symbol, ...) [[gnu::weak]] result name(__VA_ARGS__) asm(symbol)

CTORCH_WEAK(Pool, graph_pool_handle, "_ZN2at4cuda17graph_pool_handleEv");
#if TORCH_VERSION_AT_LEAST(2, 8)
CTORCH_WEAK(void, graph_make, "_ZN2at4cuda9CUDAGraphC1Eb", void *room, bool keep_graph);
CTORCH_WEAK(void, graph_instantiate, "_ZN2at4cuda9CUDAGraph11instantiateEv", void *self);
#else
CTORCH_WEAK(void, graph_make, "_ZN2at4cuda9CUDAGraphC1Ev", void *room);
#endif
CTORCH_WEAK(void, graph_destroy, "_ZN2at4cuda9CUDAGraphD1Ev", void *self);
CTORCH_WEAK(
    void,
    graph_capture_begin,
    "_ZN2at4cuda9CUDAGraph13capture_beginESt4pairIyyE21cudaStreamCaptureMode",
    void *self,
    Pool pool,
    int mode);
CTORCH_WEAK(void, graph_capture_end, "_ZN2at4cuda9CUDAGraph11capture_endEv", void *self);
CTORCH_WEAK(void, graph_replay, "_ZN2at4cuda9CUDAGraph6replayEv", void *self);
CTORCH_WEAK(void, graph_reset, "_ZN2at4cuda9CUDAGraph5resetEv", void *self);
CTORCH_WEAK(Pool, graph_pool, "_ZN2at4cuda9CUDAGraph4poolEv", void *self);
CTORCH_WEAK(void, graph_enable_debug_mode, "_ZN2at4cuda9CUDAGraph17enable_debug_modeEv", void *self);
#if TORCH_VERSION_AT_LEAST(2, 14)
CTORCH_WEAK(void *, graph_raw, "_ZN2at4cuda9CUDAGraph14raw_cuda_graphEv", void *self);
CTORCH_WEAK(int, runtime_graph_dot, "cudaGraphDebugDotPrint", void *graph, const char *path, unsigned int flags);
#elif _GLIBCXX_USE_CXX11_ABI
CTORCH_WEAK(
    void,
    graph_debug_dump,
    "_ZN2at4cuda9CUDAGraph10debug_dumpERKNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE",
    void *self,
    const std::string &path);
#else
CTORCH_WEAK(void, graph_debug_dump, "_ZN2at4cuda9CUDAGraph10debug_dumpERKSs", void *self, const std::string &path);
#endif

#undef CTORCH_WEAK

}  // namespace weak

/// The function if this process has it, else UNSUPPORTED. ROCm has the same functions with types of its own.
template <typename Function>
Function *present(Function *function, const char *what) {
  if (function == nullptr || at::Context::hasROCM()) {
    fail(CTORCH_ERROR_UNSUPPORTED, std::string(what) + " needs a LibTorch that was built for CUDA");
  }
  return function;
}

inline Pool graph_pool_handle() { return present(weak::graph_pool_handle, "a pool for graphs of CUDA")(); }

inline void record_memory_history(bool enabled, int64_t max_entries) {
  present(
      static_cast<decltype(&torch::cuda::_record_memory_history)>(torch::cuda::_record_memory_history),
      "the history of an allocator")(
      enabled, /*record_context=*/true, max_entries, /*trace_alloc_record_context=*/false, /*record_cpp_context=*/false
#if TORCH_VERSION_AT_LEAST(2, 8)
      ,
      /*clear_history=*/false, /*compile_context=*/false, /*global_record_allocations=*/false
#endif
#if TORCH_VERSION_AT_LEAST(2, 11)
      ,
      /*skip_actions=*/{}
#endif
#if TORCH_VERSION_AT_LEAST(2, 14)
      ,
      /*record_pinned_host_memory=*/false, /*record_cuda=*/true
#endif
  );
}

inline std::string memory_snapshot() {
  return present(torch::cuda::_memory_snapshot_pickled, "a snapshot of an allocator")();
}

/// ATen/cuda/CUDAGraph.h without its members, of which the constructor makes what it will in `room_`: some 500 bytes.
class Graph {
 public:
  explicit Graph(bool keep_graph) : destroy_(present(weak::graph_destroy, "a graph of CUDA")) {
#if TORCH_VERSION_AT_LEAST(2, 8)
    present(weak::graph_make, "a graph of CUDA")(room_, keep_graph);
#else
    if (keep_graph) {
      fail_older("a graph that can be instantiated again", "2.8");
    }
    present(weak::graph_make, "a graph of CUDA")(room_);
#endif
  }
  Graph(const Graph &) = delete;
  Graph &operator=(const Graph &) = delete;
  ~Graph() { destroy_(room_); }

  void capture_begin(Pool pool, int mode) {
    present(weak::graph_capture_begin, "beginning a capture of CUDA")(room_, pool, mode);
  }
  void capture_end() { present(weak::graph_capture_end, "ending a capture of CUDA")(room_); }
  void instantiate() {
#if TORCH_VERSION_AT_LEAST(2, 8)
    present(weak::graph_instantiate, "instantiating a graph of CUDA")(room_);
#else
    fail_older("instantiating a graph", "2.8");
#endif
  }
  void replay() { present(weak::graph_replay, "replaying a graph of CUDA")(room_); }
  void reset() { present(weak::graph_reset, "resetting a graph of CUDA")(room_); }
  Pool pool() { return present(weak::graph_pool, "the pool of a graph of CUDA")(room_); }
  void enable_debug_mode() { present(weak::graph_enable_debug_mode, "the debug mode of graphs of CUDA")(room_); }
  void debug_dump(const std::string &path) {
    const char *const what = "the picture of a graph of CUDA";
#if TORCH_VERSION_AT_LEAST(2, 14)
    // It is Python's since 2.14, by the same function of CUDA's runtime.
    constexpr unsigned int VERBOSE = 1;
    auto *const dot = present(weak::runtime_graph_dot, what);
    if (const int status = dot(present(weak::graph_raw, what)(room_), path.c_str(), VERBOSE); status != 0) {
      fail(CTORCH_ERROR_ACCELERATOR, "cudaGraphDebugDotPrint: CUDA error " + std::to_string(status));
    }
#else
    present(weak::graph_debug_dump, what)(room_, path);
#endif
  }

 private:
  void (*const destroy_)(void *);
  alignas(64) char room_[8192];
};

}  // namespace ctorch::libtorch::cuda
