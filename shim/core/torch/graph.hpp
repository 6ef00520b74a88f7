// LibTorch's interface for graphs of all devices, which came with 2.12.
#pragma once

#include <c10/core/DeviceType.h>

#include <memory>
#include <string>
#include <utility>

#include "core/torch/version.hpp"

#if TORCH_VERSION_AT_LEAST(2, 12)
#include <ATen/core/GraphImplInterface.h>
#endif

namespace ctorch::libtorch {

#if TORCH_VERSION_AT_LEAST(2, 12)

using RegisteredGraph = at::GraphImplInterface;
using GraphCaptureMode = at::GraphCaptureMode;
inline bool has_registered_graphs(at::DeviceType type) { return at::has_graph_impl(type); }
inline std::unique_ptr<RegisteredGraph> make_registered_graph(at::DeviceType type, bool keep_graph) {
  return at::create_graph_impl(type, {keep_graph});
}

#else

using GraphCaptureMode = int;

/// What is never made.
struct RegisteredGraph {
  virtual ~RegisteredGraph() = default;
  virtual void capture_begin(std::pair<unsigned long long, unsigned long long> pool, GraphCaptureMode mode) = 0;
  virtual void capture_end() = 0;
  virtual void instantiate() = 0;
  virtual void replay() = 0;
  virtual void reset() = 0;
  virtual std::pair<unsigned long long, unsigned long long> pool() = 0;
  virtual void enable_debug_mode() = 0;
  virtual void debug_dump(const std::string &path) = 0;
};
inline bool has_registered_graphs(at::DeviceType) { return false; }
inline std::unique_ptr<RegisteredGraph> make_registered_graph(at::DeviceType, bool) { return nullptr; }

#endif

}  // namespace ctorch::libtorch
