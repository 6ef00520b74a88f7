// graph.h: CUDA graphs.
#include "ctorch/device/graph.h"

#include <memory>

#include "core/abi/error.hpp"
#include "core/abi/from.hpp"
#include "core/abi/to.hpp"
#include "core/device/device.hpp"
#include "core/torch/cuda.hpp"
#include "core/torch/graph.hpp"

namespace {

using Pool = ctorch::libtorch::cuda::Pool;

class Graph {
 public:
  virtual ~Graph() = default;
  virtual void capture_begin(Pool pool, ctorch_graph_capture_mode mode) = 0;
  virtual void capture_end() = 0;
  virtual void instantiate() = 0;
  virtual void replay() = 0;
  virtual void reset() = 0;
  virtual Pool pool() = 0;
  virtual void enable_debug_mode() = 0;
  virtual void debug_dump(const std::string &path) = 0;
};

/// CUDA's graphs are not registered with LibTorch's interface for all backends.
class CudaGraph final : public Graph {
 public:
  explicit CudaGraph(bool keep_graph) : graph_(keep_graph) {}

  void capture_begin(Pool pool, ctorch_graph_capture_mode mode) override {
    // CUDA's modes have no default of their own; that of torch.cuda.graph is global.
    graph_.capture_begin(pool, mode == CTORCH_GRAPH_CAPTURE_DEFAULT ? 0 : mode - CTORCH_GRAPH_CAPTURE_GLOBAL);
  }
  void capture_end() override { graph_.capture_end(); }
  void instantiate() override { graph_.instantiate(); }
  void replay() override { graph_.replay(); }
  void reset() override { graph_.reset(); }
  Pool pool() override { return graph_.pool(); }
  void enable_debug_mode() override { graph_.enable_debug_mode(); }
  void debug_dump(const std::string &path) override { graph_.debug_dump(path); }

 private:
  ctorch::libtorch::cuda::Graph graph_;
};

class RegisteredGraph final : public Graph {
 public:
  RegisteredGraph(at::DeviceType type, bool keep_graph)
      : graph_(ctorch::libtorch::make_registered_graph(type, keep_graph)) {}

  void capture_begin(Pool pool, ctorch_graph_capture_mode mode) override {
    graph_->capture_begin(pool, static_cast<ctorch::libtorch::GraphCaptureMode>(mode));
  }
  void capture_end() override { graph_->capture_end(); }
  void instantiate() override { graph_->instantiate(); }
  void replay() override { graph_->replay(); }
  void reset() override { graph_->reset(); }
  Pool pool() override { return graph_->pool(); }
  void enable_debug_mode() override { graph_->enable_debug_mode(); }
  void debug_dump(const std::string &path) override { graph_->debug_dump(path); }

 private:
  std::unique_ptr<ctorch::libtorch::RegisteredGraph> graph_;
};

}  // namespace

struct ctorch_graph final : ctorch::Object {
  explicit ctorch_graph(std::unique_ptr<Graph> &&graph) : graph(std::move(graph)) {}
  const char *type_name() const noexcept override { return "graph"; }

  std::unique_ptr<Graph> graph;
};

using namespace ctorch;

namespace {

/// UNSUPPORTED unless graphs of a device that is there can be made; whether they are CUDA's own.
bool are_cudas_own(ctorch_device_type type) {
  auto known = device_type(type, "type");
  ctorch_device current = {type, -1};
  existing_device(&current, "type");
  if (libtorch::has_registered_graphs(known)) {
    return false;
  }
  if (known != at::kCUDA) {
    fail(
        CTORCH_ERROR_UNSUPPORTED,
        std::string("this LibTorch has no graphs for devices of type ") + at::DeviceTypeName(known, true));
  }
  return true;
}

std::unique_ptr<Graph> make_graph(ctorch_device_type type, bool keep_graph) {
  if (are_cudas_own(type)) {
    return std::make_unique<CudaGraph>(keep_graph);
  }
  return std::make_unique<RegisteredGraph>(static_cast<at::DeviceType>(type), keep_graph);
}

Graph &graph_of(const ctorch_graph *self) { return *from::object(self, "self").graph; }

void give_pool(Pool pool, uint64_t *out_first, uint64_t *out_second) {
  *out_first = pool.first;
  *out_second = pool.second;
}

}  // namespace

ctorch_error *ctorch_graph_new(ctorch_graph **out, ctorch_device_type type, bool keep_graph) {
  return guard(__func__, [&] {
    to::require(out, "out");
    to::give(c10::make_intrusive<ctorch_graph>(make_graph(type, keep_graph)), out);
  });
}

void ctorch_graph_retain(const ctorch_graph *self) { retain_object(self); }

void ctorch_graph_release(ctorch_graph *self) { release_object(self); }

ctorch_error *ctorch_graph_capture_begin(
    ctorch_graph *self, const uint64_t *pool, size_t pool_len, ctorch_graph_capture_mode mode) {
  return guard(__func__, [&] {
    Graph &graph = graph_of(self);
    from::check_list(pool, pool_len, "pool");
    if (pool_len != 0 && pool_len != 2) {
      from::fail_length(pool_len, 2, "pool");
    }
    if (mode < CTORCH_GRAPH_CAPTURE_DEFAULT || mode > CTORCH_GRAPH_CAPTURE_RELAXED) {
      from::fail_enumerator("mode", "capture mode", mode);
    }
    graph.capture_begin(pool_len == 0 ? Pool() : Pool(pool[0], pool[1]), mode);
  });
}

ctorch_error *ctorch_graph_capture_end(ctorch_graph *self) {
  return guard(__func__, [&] { graph_of(self).capture_end(); });
}

ctorch_error *ctorch_graph_instantiate(ctorch_graph *self) {
  return guard(__func__, [&] { graph_of(self).instantiate(); });
}

ctorch_error *ctorch_graph_replay(ctorch_graph *self) {
  return guard(__func__, [&] { graph_of(self).replay(); });
}

ctorch_error *ctorch_graph_reset(ctorch_graph *self) {
  return guard(__func__, [&] { graph_of(self).reset(); });
}

ctorch_error *ctorch_graph_pool(uint64_t *out_first, uint64_t *out_second, const ctorch_graph *self) {
  return guard(__func__, [&] {
    to::require(out_first, "out_first");
    to::require(out_second, "out_second");
    give_pool(graph_of(self).pool(), out_first, out_second);
  });
}

ctorch_error *ctorch_graph_pool_new(uint64_t *out_first, uint64_t *out_second, ctorch_device_type type) {
  return guard(__func__, [&] {
    to::require(out_first, "out_first");
    to::require(out_second, "out_second");
    if (!are_cudas_own(type)) {
      fail(CTORCH_ERROR_UNSUPPORTED, "LibTorch makes pools for graphs of CUDA only; share the pool of another graph");
    }
    give_pool(libtorch::cuda::graph_pool_handle(), out_first, out_second);
  });
}

ctorch_error *ctorch_graph_enable_debug_mode(ctorch_graph *self) {
  return guard(__func__, [&] { graph_of(self).enable_debug_mode(); });
}

ctorch_error *ctorch_graph_debug_dump(ctorch_graph *self, const char *path) {
  return guard(__func__, [&] {
    Graph &graph = graph_of(self);
    graph.debug_dump(std::string(from::string(path, "path")));
  });
}
