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

#include "core/abi/callback.hpp"
#include "core/abi/from.hpp"
#include "core/abi/to.hpp"
#include "core/value/value.hpp"
#include "core/value/value_dict.hpp"
#include "core/value/value_key.hpp"
#include "core/value/value_object.hpp"

using namespace ctorch;

namespace {

/// Copies a value, and those inside it from a stack of its own.
class DeepCopy {
 public:
  DeepCopy() = default;
  DeepCopy(const DeepCopy &) = delete;
  DeepCopy &operator=(const DeepCopy &) = delete;
  ~DeepCopy() {
    open_.clear();
    for (auto &[address, copy] : copies_) {  // of a copy that failed, none may free the others by recursion
      take_apart(std::move(copy));
    }
  }

  c10::IValue of(const c10::IValue &value) {
    c10::IValue copy;
    size_t outer = open_.size();
    if (begin(value, copy)) {
      return copy;
    }
    while (true) {
      Container &container = open_.back();
      if (const c10::IValue *entry = container.entries.next()) {
        if (begin(*entry, copy)) {
          open_.back().copies.push_back(std::move(copy));
        }
        continue;
      }
      copy = finished(container);
      open_.pop_back();
      if (open_.size() == outer) {
        return copy;
      }
      open_.back().copies.push_back(std::move(copy));
    }
  }

 private:
  struct Container {
    c10::IValue source, copy;  // no copy yet of a tuple, which cannot be changed
    Entries entries;
    std::vector<c10::IValue> copies = {};
  };

  /// True with the copy; false if the value's entries come first.
  bool begin(const c10::IValue &value, c10::IValue &copy) {
    switch (kind_of(value)) {
      case CTORCH_VALUE_TENSOR:
        copy = known(value.internalToPointer(), [&] { return c10::IValue(copy_tensor(value.toTensor())); });
        return true;
      case CTORCH_VALUE_STORAGE:
        copy = copy_storage(value.toStorage());
        return true;
      case CTORCH_VALUE_GENERATOR:
        copy = known(value.internalToPointer(), [&] { return c10::IValue(clone(value.toGenerator())); });
        return true;
      case CTORCH_VALUE_LIST:
      case CTORCH_VALUE_TUPLE:
      case CTORCH_VALUE_DICT:
      case CTORCH_VALUE_SET:
      case CTORCH_VALUE_PYTHON_OBJECT:
        return begin_container(value, copy);
      case CTORCH_VALUE_MODULE:
      case CTORCH_VALUE_TRANSFORM: {
        const auto &held = *object_as<BoxedObject>(value);
        copy = known(held.object, [&] { return copy_boxed(held); });  // it may lie in several boxes
        return true;
      }
      case CTORCH_VALUE_OBJECT:
        copy = known(value.internalToPointer(), [&] { return value.deepcopy(); });
        return true;
      default:
        copy = value;
        return true;
    }
  }

  static c10::IValue copy_boxed(const BoxedObject &held) {
    void *made = nullptr;
    if (ctorch_error *error = held.type.copy(&made, held.object)) {
      fail_callback("copy", 0, error);
    }
    c10::IValue copy = make_object<BoxedObject>(held.type, made);
    object_release(made);
    return copy;
  }

  bool begin_container(const c10::IValue &value, c10::IValue &copy) {
    const void *address = value.internalToPointer();
    if (auto entry = copies_.find(address); entry != copies_.end()) {
      copy = entry->second;
      return true;
    }
    if (open_.size() >= MAX_NESTING) {
      fail_nesting();
    }
    c10::IValue empty = empty_copy(value);
    if (!empty.isNone()) {  // known before its entries are copied, which may contain it
      copies_.emplace(address, empty);
    }
    open_.push_back({value, std::move(empty), Entries(value)});
    return false;
  }

  static c10::IValue empty_copy(const c10::IValue &value) {
    if (value.isList()) {
      return c10::impl::GenericList(value.toList().elementType());
    }
    if (value.isGenericDict()) {
      return c10::impl::GenericDict(value.toGenericDict().keyType(), value.toGenericDict().valueType());
    }
    if (object_as<Set>(value) != nullptr) {
      return make_object<Set>();
    }
    if (const auto *object = object_as<PythonObject>(value)) {
      return make_object<PythonObject>(object->module, object->name);
    }
    return {};
  }

  c10::IValue finished(Container &container) {
    std::vector<c10::IValue> &copies = container.copies;
    const c10::IValue &copy = container.copy;
    if (copy.isNone()) {
      auto type = named_tuple_type(container.source);
      c10::IValue tuple = type ? c10::ivalue::Tuple::createNamed(std::move(copies), type)
                               : c10::ivalue::Tuple::create(std::move(copies));
      return copies_.emplace(container.source.internalToPointer(), std::move(tuple)).first->second;
    }
    if (copy.isList()) {
      c10::impl::GenericList list = copy.toList();
      list.reserve(copies.size());
      for (c10::IValue &entry : copies) {
        list.push_back(std::move(entry));
      }
    } else if (copy.isGenericDict()) {
      c10::impl::GenericDict dict = copy.toGenericDict();
      dict.reserve(copies.size() / 2);
      for (size_t i = 0; i + 1 < copies.size(); i += 2) {
        insert_key(dict, key_in(dict, copies[i], "key"), std::move(copies[i + 1]));
      }
    } else if (auto *set = object_as<Set>(copy)) {
      for (const c10::IValue &entry : copies) {
        insert_key(set->entries, key_of(entry, "entry"), {});
      }
    } else if (auto *object = object_as<PythonObject>(copy)) {
      object->args = std::move(copies[0]);
      object->items = std::move(copies[1]);
      object->state = std::move(copies[2]);
    }
    return copy;
  }

  template <class Copy>
  c10::IValue known(const void *address, Copy &&copy) {
    auto entry = copies_.find(address);
    if (entry == copies_.end()) {
      c10::IValue copied = copy();
      entry = copies_.emplace(address, std::move(copied)).first;
    }
    return entry->second;
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
               storage.unsafeGetStorageImpl(),
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
  std::vector<Container> open_;
};

c10::IValue shallow_copy(const c10::IValue &value) {
  if (value.isList()) {
    return value.toList().copy();
  }
  if (value.isGenericDict()) {
    return value.toGenericDict().copy();
  }
  if (const auto *set = object_as<Set>(value)) {
    auto copy = c10::make_intrusive<Set>();
    copy->entries = set->entries.copy();
    return c10::IValue::make_capsule(std::move(copy));
  }
  const auto *object = object_as<PythonObject>(value);
  if (object == nullptr || object->args.isNone()) {
    return value;
  }
  auto copy = c10::make_intrusive<PythonObject>(object->module, object->name);
  copy->args = object->args;
  copy->items = shallow_copy(object->items);
  copy->state = object->state.isGenericDict() ? shallow_copy(object->state) : object->state;
  return c10::IValue::make_capsule(std::move(copy));
}

}  // namespace

c10::IValue ctorch::deep_copy(const c10::IValue &value) { return DeepCopy().of(value); }

ctorch_error *ctorch_value_copy(ctorch_value **out, const ctorch_value *self) {
  return guard(__func__, [&] {
    to::require(out, "out");
    const c10::IValue &value = from::value(self, "self");
    to::give_value(shallow_copy(value), out);
  });
}

ctorch_error *ctorch_value_deep_copy(ctorch_value **out, const ctorch_value *self) {
  return guard(__func__, [&] {
    to::require(out, "out");
    to::give_value(deep_copy(from::value(self, "self")), out);
  });
}
