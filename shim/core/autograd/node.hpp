// A handle of a node.
#pragma once

#include "core/abi/object.hpp"
#include "core/torch/node.hpp"
#include "ctorch/autograd/node.h"

struct ctorch_node final : ctorch::Object {
  explicit ctorch_node(ctorch::libtorch::NodePtr<torch::autograd::Node> node) : node(std::move(node)) {}
  const char *type_name() const noexcept override { return "node"; }

  const ctorch::libtorch::NodePtr<torch::autograd::Node> node;  // never null
};
