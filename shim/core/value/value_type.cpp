// The type of a value: that of its entries, where a container does not declare one.
#include <ATen/core/Dict.h>
#include <ATen/core/List.h>
#include <ATen/core/class_type.h>
#include <ATen/core/jit_type.h>

#include <unordered_map>

#include "core/abi/from.hpp"
#include "core/abi/to.hpp"
#include "core/value/value.hpp"
#include "core/value/value_key.hpp"
#include "core/value/value_object.hpp"

using namespace ctorch;
using c10::TypePtr;

namespace {

class Inference {
 public:
  TypePtr type_of(const c10::IValue &value, int depth) {
    switch (kind_of(value)) {
      case CTORCH_VALUE_NONE:
        return c10::NoneType::get();
      case CTORCH_VALUE_TENSOR:
        return c10::TensorType::get();
      case CTORCH_VALUE_INT:
        return c10::IntType::get();
      case CTORCH_VALUE_DOUBLE:
        return c10::FloatType::get();
      case CTORCH_VALUE_BOOL:
        return c10::BoolType::get();
      case CTORCH_VALUE_STORAGE:
        return c10::StorageType::get();
      case CTORCH_VALUE_LIST:
      case CTORCH_VALUE_TUPLE:
      case CTORCH_VALUE_DICT:
      case CTORCH_VALUE_SET:
        return depth >= MAX_TYPE_NESTING ? c10::AnyType::get() : type_of_container(value, depth);
      case CTORCH_VALUE_BYTES:
        return named("bytes");
      case CTORCH_VALUE_DTYPE:
        return named("torch.dtype");
      case CTORCH_VALUE_LAYOUT:
        return named("torch.layout");
      case CTORCH_VALUE_MEMORY_FORMAT:
        return named("torch.memory_format");
      case CTORCH_VALUE_MODULE:
      case CTORCH_VALUE_TRANSFORM:
        return named(object_as<BoxedObject>(value)->type.name);
      case CTORCH_VALUE_PYTHON_OBJECT:
        return named(
            object_as<PythonObject>(value)->args.isNone() ? "type" : object_as<PythonObject>(value)->full_name());
      default:
        return value.type();
    }
  }

 private:
  /// Each container is looked at once. Inside itself, it is Any.
  TypePtr type_of_container(const c10::IValue &value, int depth) {
    auto [known, is_new] = known_.try_emplace(value.internalToPointer(), c10::AnyType::get());
    if (is_new) {
      TypePtr type = value.isList()          ? type_of_list(value.toList(), depth)
                     : value.isTuple()       ? type_of_tuple(value, depth)
                     : value.isGenericDict() ? type_of_dict(value.toGenericDict(), depth)
                                             : type_of_set(value, depth);
      known_[value.internalToPointer()] = type;
      return type;
    }
    return known->second;
  }

  TypePtr type_of_list(const c10::impl::GenericList &list, int depth) {
    TypePtr element = list.elementType();
    if (element->kind() == c10::TypeKind::AnyType) {
      TypePtr common;
      for (auto &&entry : list) {  // an element by proxy
        unify(common, type_of(entry, depth + 1));
      }
      element = common ? common : element;
    }
    return c10::ListType::create(element);
  }

  TypePtr type_of_tuple(const c10::IValue &value, int depth) {
    if (auto type = named_tuple_type(value)) {
      return type;
    }
    std::vector<TypePtr> types;
    for (const c10::IValue &entry : value.toTupleRef().elements()) {
      types.push_back(type_of(entry, depth + 1));
    }
    return c10::TupleType::create(std::move(types));
  }

  TypePtr type_of_dict(const c10::impl::GenericDict &dict, int depth) {
    TypePtr keys = dict.keyType(), values = dict.valueType(), common_key, common_value;
    for (const auto &entry : dict) {
      unify(common_key, type_of(value_of_key(entry.key()), depth + 1));
      if (values->kind() == c10::TypeKind::AnyType) {
        unify(common_value, type_of(entry.value(), depth + 1));
      }
    }
    if (keys->kind() == c10::TypeKind::AnyType && common_key) {
      keys = common_key;
    }
    return c10::DictType::create(keys, common_value ? common_value : values);
  }

  TypePtr type_of_set(const c10::IValue &value, int depth) {
    TypePtr common;
    Entries entries(value);
    while (const c10::IValue *entry = entries.next()) {
      unify(common, type_of(*entry, depth + 1));
    }
    return named("Set[" + (common ? common : c10::AnyType::get())->annotation_str() + "]");
  }

  /// A type that TorchScript does not have, by its name.
  TypePtr named(const std::string &name) {
    TypePtr &type = named_[name];
    if (!type) {
      type = c10::ClassType::create(c10::QualifiedName(name), std::weak_ptr<torch::jit::CompilationUnit>());
    }
    return type;
  }

  static void unify(TypePtr &common, const TypePtr &type) {
    common = common ? c10::unifyTypes(common, type).value_or(c10::AnyType::get()) : type;
  }

  std::unordered_map<const void *, TypePtr> known_;
  std::unordered_map<std::string, TypePtr> named_;
};

}  // namespace

c10::TypePtr ctorch::inferred_type(const c10::IValue &value) { return Inference().type_of(value, 0); }

std::string ctorch::found_type(const c10::IValue &value) {
  try {
    return inferred_type(value)->annotation_str();
  } catch (const std::exception &) {
    return ctorch_value_kind_name(kind_of(value));
  }
}

ctorch_error *ctorch_value_type(ctorch_string **out, const ctorch_value *self) {
  return guard(__func__, [&] {
    to::require(out, "out");
    to::give(inferred_type(from::value(self, "self"))->annotation_str(), out);
  });
}
