// A tensor as text: the elements, and after them what a reader could not tell from them, such as the dtype.
//
// The text depends on the kind of the tensor: sparse ones show their parts, nested ones their components, and the
// wrappers of functorch what they wrap. repr_elements.cpp prints dense elements.
#include "core/tensor/repr.hpp"
#include "core/abi/text_stream.hpp"

#include <ATen/FunctionalTensorWrapper.h>
#include <ATen/core/grad_mode.h>
#include <ATen/functorch/BatchedTensorImpl.h>
#include <ATen/ops/_unpack_dual_ops.h>
#include <ATen/ops/unbind_ops.h>
#include <c10/core/DefaultDtype.h>
#include <c10/core/ScalarType.h>

#include <exception>
#include <string_view>
#include <tuple>
#include <vector>

#include "core/func/func.hpp"
#include "core/tensor/repr_elements.hpp"
#include "core/torch/node.hpp"

namespace ctorch {
namespace {

std::string dtype_text(at::ScalarType dtype) { return "torch." + std::string(c10::getDtypeNames(dtype).first); }

std::string layout_text(at::Layout layout) {
  switch (layout) {
    case at::kStrided:
      return "torch.strided";
    case at::kSparse:
      return "torch.sparse_coo";
    case at::kSparseCsr:
      return "torch.sparse_csr";
    case at::kSparseCsc:
      return "torch.sparse_csc";
    case at::kSparseBsr:
      return "torch.sparse_bsr";
    case at::kSparseBsc:
      return "torch.sparse_bsc";
    case at::kMkldnn:
      return "torch._mkldnn";
    case at::kJagged:
      return "torch.jagged";
    default:
      return "torch.layout";
  }
}

/// As Python prints a tuple. Sizes may be symbolic.
std::string sizes_text(const at::Tensor &self) {
  std::string out;
  for (const c10::SymInt &size : self.sym_sizes()) {
    out += out.empty() ? "" : ", ";
    if (const auto number = size.maybe_as_int()) {
      out += std::to_string(*number);
    } else {
      TextStream symbol;
      symbol << size;
      out += symbol.str();
    }
  }
  return "(" + out + (self.dim() == 1 ? ",)" : ")");
}

/// Python indents the components of a nested tensor with their empty lines, and wrapped tensors without.
std::string indent_lines(const std::string &text, std::string_view margin, bool empty_lines) {
  std::string out(margin);
  for (size_t i = 0; i < text.size(); ++i) {
    out += text[i];
    if (text[i] == '\n' && (empty_lines || text[i + 1] != '\n')) {
      out += margin;
    }
  }
  return out;
}

/// What follows the elements, and where its lines break.
class Suffixes {
 public:
  void add(std::string suffix) { suffixes_.push_back(std::move(suffix)); }

  std::string after(std::string text, int64_t indent, bool on_new_line, const PrintOptions &options) const {
    const size_t newline = text.rfind('\n');
    // One column is counted twice in a first line, and once more in others: that is where Python breaks.
    auto column = static_cast<int64_t>(newline == std::string::npos ? text.size() + 2 : text.size() - newline + 1);
    for (const std::string &suffix : suffixes_) {
      const auto length = static_cast<int64_t>(suffix.size());
      if (on_new_line || column + length + 2 > options.line_width) {
        text += ",\n" + std::string(static_cast<size_t>(indent), ' ') + suffix;
        column = indent + length;
        on_new_line = false;
      } else {
        text += ", " + suffix;
        column += length + 2;
      }
    }
    return text + ")";
  }

 private:
  std::vector<std::string> suffixes_;
};

/// `name=tensor(elements)`, as the parts of a sparse tensor are shown.
std::string part_text(const std::string &name, const at::Tensor &part, int64_t indent, const PrintOptions &options) {
  const std::string prefix = name + "=tensor(";
  std::string text = prefix;
  text += part.is_meta() ? "..." : repr::elements(part, indent + static_cast<int64_t>(prefix.size()), options);
  if (part.is_meta() || part.numel() == 0) {
    text += ", size=" + sizes_text(part);
  }
  return text + ")";
}

std::string parts_text(
    const std::vector<std::pair<std::string, at::Tensor>> &parts, int64_t indent, const PrintOptions &options) {
  std::string out;
  for (const auto &[name, part] : parts) {
    out += out.empty() ? "" : ",\n" + std::string(static_cast<size_t>(indent), ' ');
    out += part_text(name, part, indent, options);
  }
  return out;
}

bool is_sparse_compressed(const at::Tensor &self) {
  const at::Layout layout = self.layout();
  return layout == at::kSparseCsr || layout == at::kSparseCsc || layout == at::kSparseBsr || layout == at::kSparseBsc;
}

std::string sparse_text(const at::Tensor &self, int64_t indent, const PrintOptions &options) {
  if (self.is_sparse()) {
    return parts_text({{"indices", self._indices()}, {"values", self._values()}}, indent, options);
  }
  if (self.layout() == at::kSparseCsr || self.layout() == at::kSparseBsr) {
    return parts_text(
        {{"crow_indices", self.crow_indices()}, {"col_indices", self.col_indices()}, {"values", self.values()}}, indent,
        options);
  }
  return parts_text(
      {{"ccol_indices", self.ccol_indices()}, {"row_indices", self.row_indices()}, {"values", self.values()}}, indent,
      options);
}

void add_quantizer(Suffixes &suffixes, const at::Tensor &self, const PrintOptions &options) {
  switch (self.qscheme()) {
    case at::kPerTensorAffine:
    case at::kPerTensorSymmetric:
      suffixes.add(
          std::string("quantization_scheme=torch.") +
          (self.qscheme() == at::kPerTensorAffine ? "per_tensor_affine" : "per_tensor_symmetric"));
      suffixes.add("scale=" + repr::shortest(self.q_scale()));
      suffixes.add("zero_point=" + std::to_string(self.q_zero_point()));
      return;
    case at::kPerChannelAffine:
    case at::kPerChannelSymmetric:
    case at::kPerChannelAffineFloatQParams: {
      const char *const kind = self.qscheme() == at::kPerChannelAffine      ? "per_channel_affine"
                               : self.qscheme() == at::kPerChannelSymmetric ? "per_channel_symmetric"
                                                                            : "per_channel_affine_float_qparams";
      suffixes.add(std::string("quantization_scheme=torch.") + kind);
      suffixes.add("scale=" + tensor_repr(self.q_per_channel_scales(), options));
      suffixes.add("zero_point=" + tensor_repr(self.q_per_channel_zero_points(), options));
      suffixes.add("axis=" + std::to_string(self.q_per_channel_axis()));
      return;
    }
    default:
      return;
  }
}

std::string nested_text(const at::Tensor &self, const PrintOptions &options) {
  std::string out;
  for (const at::Tensor &component : at::_ops::unbind_int::call(self, 0)) {
    out += (out.empty() ? "" : ",\n") + indent_lines(tensor_repr(component, options), "  ", true);
  }
  return "[\n" + out + "\n]";
}

/// The name of the node without its namespaces. The rebase of a view may fail if it was changed where it must not be.
std::string grad_fn_text(const at::Tensor &self) {
  try {
    const auto &node = self.grad_fn();
    if (!node) {
      return "";
    }
    const std::string name = node->name();
    const size_t scope = name.rfind("::");
    return scope == std::string::npos ? name : name.substr(scope + 2);
  } catch (const std::exception &) {
    return "Invalid";
  }
}

/// In Python a tangent is formatted, not printed: a 0-dimensional one as its number.
std::string tangent_text(const at::Tensor &tangent, const PrintOptions &options) {
  return tangent.dim() == 0 && !tangent.is_meta() ? repr::number(tangent) : tensor_repr(tangent, options);
}

/// The text of a tensor that vmap, a derivative or functionalize of functorch made; empty for others.
std::string functorch_text(const at::Tensor &self, const PrintOptions &options) {
  constexpr std::string_view margin = "    ";
  if (const auto *batched = at::functorch::maybeGetBatchedImpl(self)) {
    return "BatchedTensor(lvl=" + std::to_string(batched->level()) + ", bdim=" + std::to_string(batched->bdim()) +
           ", value=\n" + indent_lines(tensor_repr(batched->value(), options), margin, false) + "\n)";
  }
  if (const auto wrapped = func::grad_wrapped(self)) {
    return "GradTrackingTensor(lvl=" + std::to_string(wrapped->level) + ", value=\n" +
           indent_lines(tensor_repr(wrapped->value, options), margin, false) + "\n)";
  }
  if (at::functionalization::impl::isFunctionalTensor(self)) {
    const auto *functional = at::functionalization::impl::unsafeGetFunctionalWrapper(self);
    if (functional->level() != -1) {
      at::functionalization::impl::sync(self);
      return "FunctionalTensor(lvl=" + std::to_string(functional->level()) + ", value=\\\n" +
             tensor_repr(functional->value(), options) + ")";
    }
  }
  return "";
}

struct Text {
  std::string prefix;
  std::string contents;
};

/// What stands before the suffixes. `indent` is the column where the elements begin.
Text tensor_text(const at::Tensor &self, int64_t indent, Suffixes &suffixes, const PrintOptions &options) {
  const at::ScalarType dtype = self.scalar_type();
  const at::ScalarType default_dtype = c10::get_default_dtype_as_scalartype();
  const at::ScalarType default_complex =
      default_dtype == at::kDouble ? at::ScalarType::ComplexDouble : at::ScalarType::ComplexFloat;
  const bool says_dtype =
      dtype != default_dtype && dtype != default_complex && dtype != at::kLong && dtype != at::kBool;
  const auto add_sizes = [&] { suffixes.add("size=" + sizes_text(self)); };
  const auto add_dtype = [&] { suffixes.add("dtype=" + dtype_text(dtype)); };

  if (self.is_sparse() || is_sparse_compressed(self)) {
    add_sizes();
    if (!self.is_meta()) {
      suffixes.add("nnz=" + std::to_string(self._nnz()));
    }
    if (says_dtype) {
      add_dtype();
    }
    return {"tensor(", sparse_text(self, indent, options)};
  }
  if (self.is_quantized()) {
    add_sizes();
    if (says_dtype) {
      add_dtype();
    }
    if (self.is_meta()) {  // it has no quantizer to ask; Python cannot print it
      return {"tensor(", "..."};
    }
    add_quantizer(suffixes, self, options);
    return {"tensor(", repr::elements(self.dequantize(), indent, options)};
  }
  if (self.is_nested()) {
    return {"nested_tensor(", nested_text(self, options)};
  }
  if (at::functionalization::impl::isFunctionalTensor(self)) {
    return {"_to_functional_tensor(", tensor_repr(at::functionalization::impl::from_functional_tensor(self), options)};
  }
  if (self.is_meta()) {
    add_sizes();
    if (dtype != default_dtype) {
      add_dtype();
    }
    return {"tensor(", "..."};
  }
  if (self.numel() == 0) {
    if (self.dim() != 1) {
      add_sizes();
    }
    if (dtype != default_dtype) {
      add_dtype();
    }
    return {"tensor(", "[]"};
  }
  if (options.edge_items == 0) {
    add_sizes();
  }
  if (says_dtype) {
    add_dtype();
  }
  return {"tensor(", repr::elements(self.layout() == at::kStrided ? self : self.to_dense(), indent, options)};
}

}  // namespace

std::string tensor_repr(const at::Tensor &self, const PrintOptions &options) {
  const at::NoGradGuard no_grad;
  const c10::impl::ExcludeDispatchKeyGuard no_functorch(func::transform_keys);
  if (std::string text = functorch_text(self, options); !text.empty()) {
    return text;
  }
  at::Tensor primal = self;
  at::Tensor tangent;
  if (self._fw_grad(0).defined()) {
    std::tie(primal, tangent) = at::_ops::_unpack_dual::call(self, 0);
  }
  const auto indent = static_cast<int64_t>(std::string_view(self.is_nested() ? "nested_tensor(" : "tensor(").size());
  Suffixes suffixes;
  if (!primal.is_cpu()) {
    suffixes.add("device='" + primal.device().str() + "'");
  }
  const auto [prefix, contents] = tensor_text(primal, indent, suffixes, options);
  if (primal.layout() != at::kStrided) {
    suffixes.add("layout=" + layout_text(primal.layout()));
  }
  if (const std::string name = grad_fn_text(self); !name.empty()) {
    suffixes.add("grad_fn=<" + name + ">");
  } else if (self.requires_grad()) {
    suffixes.add("requires_grad=True");
  }
  if (tangent.defined()) {
    suffixes.add("tangent=" + tangent_text(tangent, options));
  }
  return suffixes.after(prefix + contents, indent, primal.is_sparse(), options);
}

}  // namespace ctorch
