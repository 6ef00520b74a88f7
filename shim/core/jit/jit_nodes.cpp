// c/jit_nodes.h: a graph as torch.utils.tensorboard._pytorch_graph.parse names its nodes.
#include "core/c/jit_nodes.h"
#include "core/abi/text_stream.hpp"

#include <ATen/core/class_type.h>
#include <torch/csrc/jit/ir/ir.h>
#include <torch/csrc/jit/passes/inliner.h>

#include <array>
#include <charconv>
#include <cmath>
#include <map>
#include <sstream>

#include "core/jit/jit.hpp"

using namespace ctorch;
namespace script = torch::jit;

namespace {

/// A node whose names are those of the graph at first.
struct Drawn {
  std::string name, op, attributes, scope;
  std::vector<std::string> inputs;
  std::optional<std::vector<int64_t>> shape;
  bool is_end = false;  // an input or output of the graph
};

std::optional<std::vector<int64_t>> shape_of(const script::Value *value) {
  const auto type = value->type()->cast<c10::TensorType>();
  const auto sizes = type == nullptr ? std::nullopt : type->sizes().concrete_sizes();
  return sizes;
}

std::vector<std::string> split(const std::string &text) {
  std::vector<std::string> parts;
  std::istringstream stream(text);
  for (std::string part; std::getline(stream, part, '/');) {
    parts.push_back(part);
  }
  return parts;
}

std::string last_part(const std::string &dotted) { return dotted.substr(dotted.rfind('.') + 1); }

std::string class_name(const script::Module &module) { return module.type()->name()->name(); }

/// As Python's repr of a float: the shortest digits that are it.
std::string float_repr(double value) {
  std::array<char, 64> digits{};
  const double size = std::abs(value);
  if (!std::isfinite(value)) {
    return std::isnan(value) ? "nan" : value > 0 ? "inf" : "-inf";
  }
  const bool is_fixed = size == 0 || (size >= 1e-4 && size < 1e16);
  const auto end = std::to_chars(
      digits.data(), digits.data() + digits.size(), value,
      is_fixed ? std::chars_format::fixed : std::chars_format::scientific);
  const std::string text(digits.data(), end.ptr);
  return is_fixed && text.find('.') == std::string::npos ? text + ".0" : text;
}

template <class Values, class Put>
void put_list(TextStream &out, const Values &values, Put put) {
  out << '[';
  for (size_t i = 0; i < values.size(); i++) {
    out << (i == 0 ? "" : ", ");
    put(values[i]);
  }
  out << ']';
}

/// One attribute as Python prints it, with spaces for quotes.
void put_attribute(TextStream &out, const script::Node *node, c10::Symbol name) {
  const auto number = [&](double value) { out << float_repr(value); };
  const auto text = [&](const std::string &value) { out << ' ' << value << ' '; };
  switch (node->kindOf(name)) {
    case script::AttributeKind::i:
      out << node->i(name);
      break;
    case script::AttributeKind::f:
      number(node->f(name));
      break;
    case script::AttributeKind::s:
      text(node->s(name));
      break;
    case script::AttributeKind::is:
      put_list(out, node->is(name), [&](int64_t value) { out << value; });
      break;
    case script::AttributeKind::fs:
      put_list(out, node->fs(name), number);
      break;
    case script::AttributeKind::ss:
      put_list(out, node->ss(name), text);
      break;
    case script::AttributeKind::t:
      out << "tensor of shape " << node->t(name).sizes();
      break;
    default:
      out << script::toString(node->kindOf(name));
  }
}

std::string attributes_of(const script::Node *node) {
  TextStream out;
  out << '{';
  bool is_first = true;
  for (const c10::Symbol name : node->attributeNames()) {
    out << (is_first ? " " : ",  ") << name.toUnqualString() << " : ";
    put_attribute(out, node, name);
    is_first = false;
  }
  out << '}';
  return out.str();
}

/// The nodes of one graph, and the names that they get.
class Drawing {
 public:
  explicit Drawing(const script::Module &module) : base_(class_name(module)) {
    for (const auto &entry : module.named_modules()) {
      const std::string name = entry.name.empty() ? "__module" : "__module." + entry.name;
      aliases_[name] = class_name(entry.value) + '[' + last_part(name) + ']';
    }
  }

  std::vector<Drawn> draw(const script::Graph &graph) {
    for (const script::Value *input : graph.inputs()) {
      if (input->hasUses() && input->type()->kind() != c10::TypeKind::ClassType) {
        add_end(input->debugName(), "input", {}, shape_of(input));
      }
    }
    for (size_t i = 0; i < graph.outputs().size(); i++) {
      const script::Value *output = graph.outputs()[i];
      add_end("output." + std::to_string(i + 1), "output", {output->debugName()}, shape_of(output));
    }
    for (const script::Node *node : graph.nodes()) {
      add_node(node);
    }
    return named();
  }

 private:
  void add_end(
      std::string name, const char *scope, std::vector<std::string> inputs, std::optional<std::vector<int64_t>> shape) {
    if (!shape.has_value()) {
      shape = std::vector<int64_t>{1};
    }
    drawn_.push_back({std::move(name), "IO Node", "", scope, std::move(inputs), std::move(shape), true});
  }

  /// Where an attribute is got from, by the attributes that lead to it; "" for another node.
  std::string attribute_scope(const script::Node *node) {
    if (node->kind() != c10::prim::GetAttr) {
      return "";
    }
    const std::string &name = node->s(c10::attr::name);
    const auto parent = attributes_.find(node->input());
    std::string scope = "__module." + name;
    if (parent != attributes_.end()) {
      const std::vector<std::string> parts = split(parent->second);
      scope = parent->second + '/' + parts.back() + '.' + name;
    }
    return attributes_[node->output()] = scope;
  }

  void add_node(const script::Node *node) {
    std::string scope = attribute_scope(node);
    if (scope.empty()) {
      scope = node->scopeName();
    } else if (node->output()->type()->kind() == c10::TypeKind::ClassType) {
      return;
    }
    std::vector<std::string> inputs;
    for (const script::Value *input : node->inputs()) {
      inputs.push_back(input->debugName());
    }
    for (const script::Value *output : node->outputs()) {
      drawn_.push_back(
          {output->debugName(), node->kind().toQualString(), attributes_of(node), spoken(scope), inputs,
           output->isCompleteTensor() ? shape_of(output) : std::nullopt});
    }
  }

  /// "__module.body/__module.body.0" as "Net/Sequential[body]/Linear[0]".
  std::string spoken(const std::string &scope) const {
    std::string result = base_;
    for (const std::string &part : split(scope)) {
      const auto alias = aliases_.find(part);
      result += '/' + (alias != aliases_.end() ? alias->second : last_part(part));
    }
    return result;
  }

  /// Give each value the name of its place: of its own node, or, if that is not drawn, of one that uses it.
  std::vector<Drawn> named() {
    std::map<std::string, std::string> names;
    for (const Drawn &node : drawn_) {
      for (const std::string &input : node.inputs) {
        if (!node.is_end) {
          names[input] = node.scope + '/' + input;
        }
      }
    }
    for (const Drawn &node : drawn_) {
      names[node.name] = node.scope + '/' + node.name;
    }
    for (Drawn &node : drawn_) {
      node.name = names[node.name];
      for (std::string &input : node.inputs) {
        input = names[input];
      }
    }
    return std::move(drawn_);
  }

  std::string base_;
  std::map<std::string, std::string> aliases_;               // of modules, by their dotted names
  std::map<const script::Value *, std::string> attributes_;  // their scopes
  std::vector<Drawn> drawn_;
};

}  // namespace

ctorch_error *jit_nodes(
    const char *function,
    const ctorch_jit_module *self,
    ctorch_error *(*take)(const char *function, const jit_node *nodes, size_t nodes_len, void *payload),
    void *payload) {
  ctorch_error *failure = nullptr;
  ctorch_error *error = guard(function, [&] {
    const script::Module &module = jit::module_of(self);
    const auto graph = module.get_method("forward").graph()->copy();
    script::Inline(*graph);
    const std::vector<Drawn> drawn = Drawing(module).draw(*graph);
    std::vector<std::vector<const char *>> inputs;
    std::vector<jit_node> nodes;
    for (const Drawn &node : drawn) {
      std::vector<const char *> &mine = inputs.emplace_back();
      for (const std::string &input : node.inputs) {
        mine.push_back(input.c_str());
      }
      nodes.push_back(
          {node.name.c_str(), node.op.c_str(), node.attributes.c_str(), mine.data(), mine.size(),
           node.shape.has_value(), node.shape.has_value() ? node.shape->data() : nullptr,
           node.shape.has_value() ? node.shape->size() : 0});
    }
    failure = take(function, nodes.data(), nodes.size(), payload);
  });
  return error != nullptr ? error : failure;
}
