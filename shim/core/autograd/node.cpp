// node.h: walking the graph, and hooks of its nodes.
#include "core/autograd/node.hpp"

#include <ATen/core/Tensor.h>

#include <torch/csrc/autograd/engine.h>
#include <torch/csrc/autograd/functions/accumulate_grad.h>
#include <torch/csrc/autograd/variable.h>

#include "core/abi/callback_tensors.hpp"
#include "core/abi/error.hpp"
#include "core/abi/from.hpp"
#include "core/abi/handle.hpp"
#include "core/abi/to.hpp"
#include "core/autograd/hook.hpp"

using namespace ctorch;
using torch::autograd::Edge;
using torch::autograd::FunctionPostHook;
using torch::autograd::FunctionPreHook;
using torch::autograd::Node;
using torch::autograd::variable_list;

namespace {

c10::intrusive_ptr<ctorch_node> handle_of(const libtorch::NodePtr<Node> &node) {
  return node ? c10::make_intrusive<ctorch_node>(node) : nullptr;
}

void give_edge(const Edge &edge, ctorch_node **out, int64_t *out_input_nr) {
  to::give(handle_of(edge.function), out);
  if (out_input_nr != nullptr) {
    *out_input_nr = edge.input_nr;
  }
}

void check_index(int64_t index, size_t count, const char *what) {
  if (index < 0 || static_cast<size_t>(index) >= count) {
    fail(
        CTORCH_ERROR_INDEX, "index " + std::to_string(index) + " of a node with " + std::to_string(count) + ' ' + what);
  }
}

/// Put what the hook called `name` wrote in the place of `grads`, under the conditions of PyTorch's Python hooks.
void replace(variable_list &grads, const ctorch_tensor_list *written, const char *name) {
  if (written == nullptr) {
    return;
  }
  const size_t len = written->tensors.size();
  if (len != grads.size()) {
    fail(
        CTORCH_ERROR_RUNTIME, std::string("hook '") + name + "' has returned an incorrect number of values (got " +
                                  std::to_string(len) + ", but expected " + std::to_string(grads.size()) + ")");
  }
  variable_list replacements(len);
  for (size_t i = 0; i < len; i++) {
    if (const ctorch_tensor *replacement = written->data()[i]) {
      replacements[i] = share(replacement);
      check_replacement(grads[i], replacements[i], name);
    }
  }
  grads = std::move(replacements);
}

class NodePrehooks final : public FunctionPreHook {
 public:
  variable_list operator()(const variable_list &grad_outputs) override {
    variable_list results(grad_outputs);
    list->for_each<ctorch_node_prehook_callback>([&](const auto &hook) {
      const auto grads = borrowed_handles(results);
      WrittenList out;
      run_callback("node prehook", [&](ctorch_error **error) {
        return hook.callback(&out.list, grads.data(), grads.size(), error, hook.payload.get());
      });
      replace(results, out.list, "node prehook");
    });
    return results;
  }

  const std::shared_ptr<HookList> list = std::make_shared<HookList>();
};

class NodeHooks final : public FunctionPostHook {
 public:
  variable_list operator()(const variable_list &grad_inputs, const variable_list &grad_outputs) override {
    variable_list results(grad_inputs);
    const auto went_in = borrowed_handles(grad_outputs);
    list->for_each<ctorch_node_hook_callback>([&](const auto &hook) {
      const auto came_out = borrowed_handles(results);
      WrittenList out;
      run_callback("node hook", [&](ctorch_error **error) {
        return hook.callback(
            &out.list, came_out.data(), came_out.size(), went_in.data(), went_in.size(), error, hook.payload.get());
      });
      replace(results, out.list, "node hook");
    });
    return results;
  }

  const std::shared_ptr<HookList> list = std::make_shared<HookList>();
};

template <class Entry, class Base>
std::shared_ptr<HookList> list_in(std::vector<std::unique_ptr<Base>> &hooks) {
  const std::lock_guard lock(registering_hooks);
  return entry_in<Entry>(hooks).list;
}

}  // namespace

ctorch_error *ctorch_tensor_grad_fn(ctorch_node **out, const ctorch_tensor *self) {
  return guard(__func__, [&] {
    to::require(out, "out");
    to::give(handle_of(from::tensor(self, "self").grad_fn()), out);
  });
}

ctorch_error *ctorch_tensor_gradient_edge(ctorch_node **out, int64_t *out_input_nr, const ctorch_tensor *self) {
  return guard(__func__, [&] {
    to::require(out, "out");
    const at::Tensor &tensor = from::tensor(self, "self");
    if (!tensor.requires_grad()) {
      fail(
          CTORCH_ERROR_RUNTIME,
          "It is not possible to get the gradient edge for a Tensor that does not require gradients");
    }
    give_edge(torch::autograd::impl::gradient_edge(tensor), out, out_input_nr);
  });
}

ctorch_error *ctorch_node_current(ctorch_node **out) {
  return guard(__func__, [&] {
    to::require(out, "out");
    to::give(handle_of(torch::autograd::get_current_node()), out);
  });
}

void ctorch_node_release(ctorch_node *self) { release_object(self); }

void ctorch_node_retain(const ctorch_node *self) { retain_object(self); }

bool ctorch_node_equal(const ctorch_node *self, const ctorch_node *other) {
  return ctorch_node_id(self) == ctorch_node_id(other);
}

uint64_t ctorch_node_id(const ctorch_node *self) {
  return is_there(self) ? reinterpret_cast<uintptr_t>(self->node.get()) : 0;
}

ctorch_error *ctorch_node_name(ctorch_string **out, const ctorch_node *self) {
  return guard(__func__, [&] {
    to::require(out, "out");
    to::give(from::object(self, "self").node->name(), out);
  });
}

uint64_t ctorch_node_sequence_nr(const ctorch_node *self) { return is_there(self) ? self->node->sequence_nr() : 0; }

int64_t ctorch_node_num_inputs(const ctorch_node *self) { return is_there(self) ? self->node->num_inputs() : 0; }

int64_t ctorch_node_num_outputs(const ctorch_node *self) { return is_there(self) ? self->node->num_outputs() : 0; }

ctorch_error *ctorch_node_next(ctorch_node **out, int64_t *out_input_nr, const ctorch_node *self, int64_t index) {
  return guard(__func__, [&] {
    to::require(out, "out");
    const Node &node = *from::object(self, "self").node;
    check_index(index, node.num_outputs(), "outputs");
    give_edge(node.next_edge(index), out, out_input_nr);
  });
}

ctorch_error *ctorch_node_variable(ctorch_tensor **out, const ctorch_node *self) {
  return guard(__func__, [&] {
    to::require(out, "out");
    auto *node = dynamic_cast<torch::autograd::AccumulateGrad *>(from::object(self, "self").node.get());
    to::give(node == nullptr ? at::Tensor() : node->variable, out);
  });
}

ctorch_error *ctorch_node_input_metadata(
    ctorch_dtype *out_dtype,
    ctorch_device *out_device,
    const int64_t **out_sizes,
    size_t *out_sizes_len,
    const ctorch_node *self,
    int64_t index) {
  return guard(__func__, [&] {
    const Node &node = *from::object(self, "self").node;
    check_index(index, node.num_inputs(), "inputs");
    const auto &metadata = node.input_metadata(index);
    if (metadata.was_default_constructed()) {
      fail(CTORCH_ERROR_RUNTIME, "input " + std::to_string(index) + " of the node was not described");
    }
    std::optional<at::IntArrayRef> sizes;
    if (out_sizes != nullptr || out_sizes_len != nullptr) {
      if (!metadata.is_cpp_nested_tensor()) {
        sizes = c10::asIntArrayRefSlowOpt(metadata.shape_as_dim_vector());
      }
      if (!sizes) {
        fail(CTORCH_ERROR_UNSUPPORTED, "the shape of input " + std::to_string(index) + " has no numbers");
      }
    }
    if (out_dtype != nullptr) {
      *out_dtype = static_cast<ctorch_dtype>(c10::typeMetaToScalarType(metadata.dtype()));
    }
    if (out_device != nullptr) {
      *out_device = to::device(metadata.device());
    }
    if (out_sizes != nullptr) {
      *out_sizes = sizes->data();
    }
    if (out_sizes_len != nullptr) {
      *out_sizes_len = sizes->size();
    }
  });
}

ctorch_error *ctorch_node_call(
    ctorch_tensor_list **out,
    const ctorch_node *self,
    const ctorch_tensor *const *grad_outputs,
    size_t grad_outputs_len) {
  return guard(__func__, [&] {
    to::require(out, "out");
    const auto &node = from::object(self, "self").node;
    from::check_list(grad_outputs, grad_outputs_len, "grad_outputs");
    if (grad_outputs_len != node->num_inputs()) {
      fail(
          CTORCH_ERROR_TYPE, "expected " + std::to_string(node->num_inputs()) + " arguments, got " +
                                 std::to_string(grad_outputs_len) + " instead");
    }
    variable_list grads(grad_outputs_len);
    torch::autograd::edge_list edges;
    for (size_t i = 0; i < grad_outputs_len; i++) {
      if (grad_outputs[i] != nullptr) {
        grads[i] = share(grad_outputs[i]);
      }
      edges.emplace_back(node, static_cast<uint32_t>(i));
    }
    torch::autograd::validate_outputs(edges, grads, [](const std::string &message) { return message; });
    to::give((*node)(std::move(grads)), out);
  });
}

ctorch_error *ctorch_node_register_prehook(
    ctorch_hook **out,
    ctorch_node *self,
    ctorch_node_prehook_callback callback,
    void (*destroy)(void *payload),
    void *payload) {
  return guard(__func__, [&] {
    Node &node = *from::object(self, "self").node;
    from::callback(callback, "callback");
    register_hook(out, list_in<NodePrehooks>(node.pre_hooks()), callback, destroy, payload);
  });
}

ctorch_error *ctorch_node_register_hook(
    ctorch_hook **out,
    ctorch_node *self,
    ctorch_node_hook_callback callback,
    void (*destroy)(void *payload),
    void *payload) {
  return guard(__func__, [&] {
    Node &node = *from::object(self, "self").node;
    from::callback(callback, "callback");
    register_hook(out, list_in<NodeHooks>(node.post_hooks()), callback, destroy, payload);
  });
}
