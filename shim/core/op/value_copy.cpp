// Copies of values: shallow, and down to the memory of the tensors as Python's copy.deepcopy makes them.
#include <ATen/core/Dict.h>
#include <ATen/core/List.h>
#include <ATen/core/grad_mode.h>
#include <ATen/ops/clone_ops.h>
#include <ATen/ops/conj_physical_ops.h>
#include <ATen/ops/empty_ops.h>
#include <ATen/ops/neg_ops.h>
#include <ATen/ops/set_ops.h>

#include <unordered_map>

#include "abi/from.hpp"
#include "abi/to.hpp"
#include "op/value.hpp"

using namespace ctorch;

namespace {

class DeepCopy {
 public:
  c10::IValue of(const c10::IValue &value) {
    switch (kind_of(value)) {
      case CTORCH_VALUE_TENSOR:
        return known(value, [&] { return c10::IValue(copy_tensor(value.toTensor())); });
      case CTORCH_VALUE_STORAGE:
        return copy_storage(value.toStorage());
      case CTORCH_VALUE_GENERATOR:
        return known(value, [&] { return c10::IValue(clone(value.toGenerator())); });
      case CTORCH_VALUE_LIST:
      case CTORCH_VALUE_TUPLE:
      case CTORCH_VALUE_DICT:
        return copy_container(value);
      case CTORCH_VALUE_OBJECT:
        return known(value, [&] { return value.deepcopy(); });
      default:
        return value;
    }
  }

 private:
  template <class Copy>
  c10::IValue known(const c10::IValue &value, Copy &&copy) {
    auto entry = copies_.find(value.internalToPointer());
    if (entry == copies_.end()) {
      c10::IValue copied = copy();
      entry = copies_.emplace(value.internalToPointer(), std::move(copied)).first;
    }
    return entry->second;
  }

  c10::IValue copy_container(const c10::IValue &value) {
    const void *address = value.internalToPointer();
    if (auto entry = copies_.find(address); entry != copies_.end()) {
      return entry->second;
    }
    if (depth_ >= MAX_NESTING) {
      fail_nesting();
    }
    depth_++;
    c10::IValue copy = value.isList()    ? copy_list(address, value.toList())
                       : value.isTuple() ? copy_tuple(value)
                                         : copy_dict(address, value.toGenericDict());
    depth_--;
    return copies_.emplace(address, std::move(copy)).first->second;
  }

  // Lists and dicts are known before their entries are copied, which may contain them.
  c10::IValue copy_list(const void *address, const c10::impl::GenericList &list) {
    c10::impl::GenericList copy(list.elementType());
    copies_.emplace(address, copy);
    copy.reserve(list.size());
    for (const c10::IValue &entry : list) {
      copy.push_back(of(entry));
    }
    return copy;
  }

  c10::IValue copy_dict(const void *address, const c10::impl::GenericDict &dict) {
    c10::impl::GenericDict copy(dict.keyType(), dict.valueType());
    copies_.emplace(address, copy);
    copy.reserve(dict.size());
    for (const auto &entry : dict) {
      copy.insert(of(entry.key()), of(entry.value()));
    }
    return copy;
  }

  c10::IValue copy_tuple(const c10::IValue &value) {
    std::vector<c10::IValue> entries = value.toTupleRef().elements().vec();
    for (c10::IValue &entry : entries) {
      entry = of(entry);
    }
    auto type = named_tuple_type(value);
    return type ? c10::ivalue::Tuple::createNamed(std::move(entries), type)
                : c10::ivalue::Tuple::create(std::move(entries));
  }

  /// What Tensor.__deepcopy__ does.
  at::Tensor copy_tensor(const at::Tensor &tensor) {
    if (!tensor.is_leaf()) {
      fail(CTORCH_ERROR_RUNTIME, "a tensor that an operator recorded for gradients cannot be copied: detach it first");
    }
    at::NoGradGuard no_grad;
    at::Tensor copy = shares_memory(tensor) ? copy_view(tensor) : at::_ops::clone::call(tensor, std::nullopt);
    copy.set_requires_grad(tensor.requires_grad());
    if (tensor.grad().defined()) {
      copy.mutable_grad() = of(tensor.grad()).toTensor();
    }
    return copy;
  }

  static bool shares_memory(const at::Tensor &tensor) {
    return tensor.layout() == at::kStrided && tensor.has_storage() && !tensor.is_quantized() && !tensor.is_nested() &&
           !tensor.device().is_meta() &&
           !tensor.key_set().has_any(c10::DispatchKeySet(
               {c10::DispatchKey::Python, c10::DispatchKey::Functionalize, c10::DispatchKey::FuncTorchBatched,
                c10::DispatchKey::FuncTorchGradWrapper, c10::DispatchKey::ZeroTensor}));
  }

  at::Tensor copy_view(const at::Tensor &tensor) {
    at::Tensor copy = over(copy_storage(tensor.storage()), tensor.scalar_type(), tensor.device());
    at::_ops::set__source_Storage_storage_offset::call(
        copy, copy.storage(), tensor.sym_storage_offset(), tensor.sym_sizes(), tensor.sym_strides());
    copy = tensor.is_conj() ? at::_ops::conj_physical::call(copy) : copy;
    return tensor.is_neg() ? at::_ops::neg::call(copy) : copy;
  }

  at::Storage copy_storage(const at::Storage &storage) {
    return known(
               storage,
               [&] {
                 at::Tensor bytes = over(storage, at::kByte, storage.device());
                 at::NoGradGuard no_grad;
                 return c10::IValue(at::_ops::clone::call(bytes, std::nullopt).storage());
               })
        .toStorage();
  }

  /// A tensor of all elements of a storage.
  static at::Tensor over(const at::Storage &storage, at::ScalarType dtype, at::Device device) {
    at::Tensor tensor =
        at::_ops::empty_memory_format::call({0}, dtype, at::kStrided, device, std::nullopt, std::nullopt);
    int64_t elements = static_cast<int64_t>(storage.nbytes() / c10::elementSize(dtype));
    at::_ops::set__source_Storage_storage_offset::call(tensor, storage, 0, {elements}, {1});
    return tensor;
  }

  static at::Generator clone(at::Generator generator) {
    std::lock_guard<std::mutex> lock(generator.mutex());
    return generator.clone();
  }

  std::unordered_map<const void *, c10::IValue> copies_;
  int depth_ = 0;
};

}  // namespace

ctorch_error *ctorch_value_copy(ctorch_value **out, const ctorch_value *self) {
  return guard(__func__, [&] {
    to::require(out, "out");
    const c10::IValue &value = from::value(self, "self");
    to::give_value(
        value.isList()          ? c10::IValue(value.toList().copy())
        : value.isGenericDict() ? c10::IValue(value.toGenericDict().copy())
                                : value,
        out);
  });
}

ctorch_error *ctorch_value_deep_copy(ctorch_value **out, const ctorch_value *self) {
  return guard(__func__, [&] {
    to::require(out, "out");
    to::give_value(DeepCopy().of(from::value(self, "self")), out);
  });
}
