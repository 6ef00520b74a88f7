// Nodes of the graph: they count their references themselves since 2.13, std::shared_ptr did before.
#pragma once

#include <utility>

#include "core/torch/version.hpp"

#if TORCH_VERSION_AT_LEAST(2, 13)
#include <torch/csrc/autograd/node.h>
#else
#include <torch/csrc/autograd/function.h>

#include <memory>
#endif

namespace ctorch::libtorch {

using torch::autograd::Node;

#if TORCH_VERSION_AT_LEAST(2, 13)

template <typename N>
using NodePtr = c10::intrusive_ptr<N>;
template <typename N>
using WeakNodePtr = c10::weak_intrusive_ptr<N>;

template <typename N, typename... Arguments>
NodePtr<N> make_node(Arguments &&...arguments) {
  return c10::make_intrusive<N>(std::forward<Arguments>(arguments)...);
}

/// A node of one's own. What it holds is given up when nobody refers to it but weakly.
struct OwnNode : Node {
  virtual void release_held() = 0;
  void release_resources() override {
    Node::release_resources();
    release_held();
  }
};

#else

template <typename N>
using NodePtr = std::shared_ptr<N>;
template <typename N>
using WeakNodePtr = std::weak_ptr<N>;

template <typename N, typename... Arguments>
NodePtr<N> make_node(Arguments &&...arguments) {
  // deleteNode takes long chains apart without recursion.
  return std::shared_ptr<N>(new N(std::forward<Arguments>(arguments)...), torch::autograd::deleteNode);
}

struct OwnNode : Node {
  virtual void release_held() = 0;
};

#endif

}  // namespace ctorch::libtorch
