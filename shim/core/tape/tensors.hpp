// The tensors of IValues, wherever they stand in arguments and results of operators.
#pragma once

#include <ATen/core/List.h>
#include <ATen/core/Tensor.h>
#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/core/ivalue.h>

#include <string>

namespace ctorch::tape {

inline bool is_tensor(const c10::IValue &value) { return value.isTensor() && value.toTensor().defined(); }

/// Call `each(tensor)` for every tensor that is there.
template <class Each>
void each_tensor(const c10::IValue &value, Each &&each) {
  if (is_tensor(value)) {
    each(value.toTensor());
  } else if (value.isList()) {
    for (const c10::IValue &element : value.toListRef()) {
      if (is_tensor(element)) {
        each(element.toTensor());
      }
    }
  }
}

/// A copy with `map(tensor)` in the place of every tensor that is there.
template <class Map>
c10::IValue map_tensors(const c10::IValue &value, Map &&map) {
  if (is_tensor(value)) {
    return map(value.toTensor());
  }
  if (!value.isList()) {
    return value;
  }
  bool has_tensors = false;
  each_tensor(value, [&](const at::Tensor &) { has_tensors = true; });
  if (!has_tensors) {
    return value;
  }
  c10::List<c10::IValue> mapped = value.toList().copy();
  for (size_t i = 0; i < mapped.size(); i++) {
    const c10::IValue &element = mapped.get(i);
    if (is_tensor(element)) {
      mapped.set(i, map(element.toTensor()));
    }
  }
  return mapped;
}

/// On the CPU, dense, with memory and without anything that is not in its sizes, strides and dtype.
inline bool is_plain(const at::Tensor &tensor) {
  return tensor.device().is_cpu() && tensor.layout() == at::kStrided && tensor.has_storage() &&
         !tensor.is_quantized() && !tensor.is_nested() && !tensor._is_zerotensor();
}

/// Whether a tensor is still where an alias of it is.
inline bool is_same_place(const at::Tensor &alias, const at::Tensor &tensor) {
  return alias.storage().unsafeGetStorageImpl() == tensor.storage().unsafeGetStorageImpl() &&
         alias.storage_offset() == tensor.storage_offset() && alias.sizes() == tensor.sizes() &&
         alias.strides() == tensor.strides() && alias.dtype() == tensor.dtype();
}

/// "aten::add.Tensor".
inline std::string name_of(const c10::OperatorName &name) {
  return name.overload_name.empty() ? name.name : name.name + "." + name.overload_name;
}

inline std::string name_of(const c10::OperatorHandle &op) { return name_of(op.operator_name()); }

/// Whether an operator writes to its argument.
inline bool is_written(const c10::Argument &argument) {
  return argument.alias_info() != nullptr && argument.alias_info()->isWrite();
}

}  // namespace ctorch::tape
