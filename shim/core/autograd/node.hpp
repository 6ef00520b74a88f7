// A handle of a node.
#pragma once

#include <torch/csrc/autograd/node.h>

#include "abi/object.hpp"
#include "ctorch/node.h"

struct ctorch_node final : ctorch::Object {
  explicit ctorch_node(c10::intrusive_ptr<torch::autograd::Node> node) : node(std::move(node)) {}
  const char *type_name() const noexcept override { return "node"; }

  const c10::intrusive_ptr<torch::autograd::Node> node;  // never null
};
