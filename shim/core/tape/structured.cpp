// Structured kernels made ready: structured.hpp.
#include "core/tape/structured.hpp"

#include <ATen/Dispatch.h>
#include <ATen/ops/copy_native.h>
#include <c10/core/DynamicCast.h>
#include <c10/util/Exception.h>

#include <algorithm>
#include <functional>
#include <string>

#include "core/tape/tensors.hpp"

namespace ctorch::tape {

namespace {

StructuredFactory factory_of(const c10::OperatorHandle &op) {
  const std::string name = name_of(op);
  const auto kernels = structured_kernels();
  const auto *found = std::lower_bound(
      kernels.begin(), kernels.end(), name,
      [](const StructuredKernel &kernel, const std::string &wanted) { return kernel.op < wanted; });
  return found != kernels.end() && found->op == name ? found->make : nullptr;
}

/// What the call writes: the arguments that are marked so, or else its results.
StructuredCall call_of(const Record &record) {
  StructuredCall call{record.args, {}, false};
  const auto &arguments = record.op.schema().arguments();
  for (size_t i = 0; i < arguments.size(); i++) {
    if (is_written(arguments[i])) {
      each_tensor(record.args[i], [&](const at::Tensor &tensor) { call.outs.push_back(tensor); });
    }
  }
  if (call.outs.empty()) {
    call.makes_outs = true;
    for (const c10::IValue &out : record.outs) {
      each_tensor(out, [&](const at::Tensor &tensor) { call.outs.push_back(tensor); });
    }
  }
  return call;
}

/// The operands of an iterator, which LibTorch shows to those that derive from it.
class Operands : public at::TensorIteratorBase {
 public:
  static const auto &of(const at::TensorIteratorBase &iterator) { return iterator.*(&Operands::operands_); }
};

bool are_alike(const at::TensorIteratorBase &a, const at::TensorIteratorBase &b) {
  if (a.ntensors() != b.ntensors() || a.noutputs() != b.noutputs() || a.shape() != b.shape()) {
    return false;
  }
  for (int i = 0; i < a.ntensors(); i++) {
    if (a.data_ptr(i) != b.data_ptr(i) || a.strides(i) != b.strides(i) || a.dtype(i) != b.dtype(i) ||
        !a.tensor_base(i).is_same(b.tensor_base(i))) {
      return false;
    }
  }
  return true;
}

void cast(const at::Tensor &to, const at::Tensor &from) {
  if (to.numel() != 1 || from.is_conj() || from.is_neg()) {
    at::Tensor target = to;
    at::native::copy_(target, from);
    return;
  }
  AT_DISPATCH_ALL_TYPES_AND_COMPLEX_AND3(at::kHalf, at::kBFloat16, at::kBool, to.scalar_type(), "cast", [&] {
    *to.mutable_data_ptr<scalar_t>() = c10::fetch_and_cast<scalar_t>(from.scalar_type(), from.const_data_ptr());
  });
}

/// What meta warns of it has warned of before.
class Silence {
 public:
  Silence() : guard_(&handler_) {}

 private:
  struct Handler : c10::WarningHandler {
    void process(const c10::Warning & /*warning*/) override {}
  };
  Handler handler_;
  c10::WarningUtils::WarningHandlerGuard guard_;
};

}  // namespace

bool StructuredCall::has(const void *data) const {
  bool has = false;
  const auto look = [&](const at::Tensor &tensor) {
    const auto *begin = static_cast<const char *>(tensor.storage().data());
    const auto *at = static_cast<const char *>(data);
    has = has || (std::less_equal<>()(begin, at) && std::less<>()(at, begin + tensor.storage().nbytes()));
  };
  for (const c10::IValue &arg : args) {
    each_tensor(arg, look);
  }
  std::for_each(outs.begin(), outs.end(), look);
  return has;
}

void Outputs::set(
    size_t i, c10::IntArrayRef sizes, c10::IntArrayRef strides, const c10::TensorOptions &options, bool needs_strides) {
  const at::Tensor &out = given_.at(i);
  bool fits = out.sizes() == sizes && out.dtype() == options.dtype() && out.device() == options.device() &&
              options.layout() == at::kStrided;
  if (fits && are_made_ && strides.empty()) {
    fits = out.is_contiguous(options.memory_format_opt().value_or(at::MemoryFormat::Contiguous));
  } else if (fits && are_made_ && out.numel() > 0) {
    for (size_t dim = 0; dim < sizes.size(); dim++) {
      fits = fits && (sizes[dim] == 1 || out.strides()[dim] == strides[dim]);
    }
  } else if (needs_strides && !are_made_) {
    fits = fits && out.strides() == strides;
  }
  if (!fits) {
    throw NotPrebuilt();
  }
  if (are_made_) {
    shown_.at(i) = out;
  }
}

// The operands of some kernels are views that were gone when `meta` returned (glu): only what has other memory than the
// call's is looked at, and that is copies and numbers, which the iterator owns.
void Iteration::begin(const at::TensorIteratorBase &built, const StructuredCall &call) {
  built_ = std::make_unique<const at::TensorIterator>(built);
  if (built.ntensors() == 0 || built.numel() == 0) {
    return;
  }
  for (int i = 0; i < built.ntensors(); i++) {
    const at::OperandInfo &operand = Operands::of(built)[i];
    if (call.has(built.data_ptr(i))) {
      continue;
    }
    const bool is_copy = operand.original_tensor_base().defined();
    const at::Tensor &source = is_copy ? operand.original_tensor() : operand.tensor();
    const bool is_fresh = is_copy && call.has(source.const_data_ptr());
    if (operand.is_output || !(is_fresh || source.unsafeGetTensorImpl()->is_wrapped_number())) {
      throw NotPrebuilt();
    }
    if (is_fresh) {
      casts_.push_back({operand.tensor(), source});
    }
  }
}

void Iteration::prepare(at::TensorIteratorBase &iterator) {
  if (built_) {
    iterator = *built_;
  }
  for (const Cast &each : casts_) {
    cast(each.to, each.from);
  }
}

void Iteration::learn(const at::TensorIteratorBase &iterator) {
  has_run_ = true;
  if (are_alike(*built_, iterator)) {
    built_.reset();
  }
}

std::unique_ptr<Step> structured_step(const Record &record) {
  const StructuredFactory make = factory_of(record.op);
  if (make == nullptr) {
    return nullptr;
  }
  try {
    const Silence silence;
    return make(call_of(record));
  } catch (const NotPrebuilt &) {
    return nullptr;
  } catch (const c10::Error &) {  // the call went well with its own outputs, but not with these
    return nullptr;
  }
}

}  // namespace ctorch::tape
