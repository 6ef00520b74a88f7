// The types of what a file of TorchScript holds.
#include "core/jit/attribute_types.hpp"

#include <ATen/core/Dict.h>
#include <ATen/core/List.h>
#include <ATen/core/ivalue.h>

#include <algorithm>
#include <set>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

#include "core/abi/error.hpp"
#include "core/abi/excerpt.hpp"

namespace ctorch::jit {
namespace {

using c10::TypeKind;
using c10::TypePtr;

/// Looks at values and types from a stack of its own: a file nests them as deep as it likes.
class Check {
 public:
  explicit Check(const torch::jit::Module &module) { add_object(module._ivalue()); }

  void run() {
    while (!todo_.empty()) {
      const Attribute next = std::move(todo_.back());
      todo_.pop_back();
      if (!fits(next)) {
        const std::string name = next.owner->getAttributeName(next.slot);
        fail(
            CTORCH_ERROR_FORMAT,
            "data: attribute '" + excerpt(name) + "' is not of its type, " + excerpt(next.declared->repr_str()));
      }
    }
  }

 private:
  struct Attribute {
    c10::IValue value;
    TypePtr declared;
    c10::ClassTypePtr owner;
    size_t slot;
  };

  void add_object(const c10::intrusive_ptr<c10::ivalue::Object> &object) {
    if (!seen_.insert(object.get()).second) {
      return;
    }
    const c10::ClassTypePtr type = object->type();
    const size_t len = std::min(type->numAttributes(), object->slots().size());
    for (size_t i = 0; i < len; i++) {
      todo_.push_back({object->getSlot(i), type->getAttribute(i), type, i});
    }
  }

  void add(const c10::IValue &value, const TypePtr &declared, const Attribute &from) {
    todo_.push_back({value, declared, from.owner, from.slot});
  }

  /// Whether what LibTorch looks into is what it is said to be; what it asks for its kind is left to it.
  bool fits(const Attribute &attribute) {
    const c10::IValue &value = attribute.value;
    const TypePtr &declared = attribute.declared;
    switch (declared->kind()) {
      case TypeKind::ClassType:
      case TypeKind::InterfaceType:
        if (!value.isObject() || !value.toObjectRef().type()->isSubtypeOf(*declared)) {
          return false;
        }
        add_object(value.toObject());
        return true;
      case TypeKind::TupleType: {
        const auto &types = declared->expectRef<c10::TupleType>().elements();
        if (!value.isTuple() || value.toTupleRef().size() != types.size()) {
          return false;
        }
        for (size_t i = 0; i < types.size(); i++) {
          add(value.toTupleRef().elements()[i], types[i], attribute);
        }
        return true;
      }
      case TypeKind::OptionalType:
        if (!value.isNone()) {
          add(value, declared->expectRef<c10::OptionalType>().getElementType(), attribute);
        }
        return true;
      case TypeKind::ListType:
        return fits_list(attribute, declared->expectRef<c10::ListType>().getElementType());
      case TypeKind::DictType:
        return fits_dict(attribute, declared->expectRef<c10::DictType>().getValueType());
      default:
        if (value.isObject()) {
          add_object(value.toObject());
        }
        return true;
    }
  }

  bool fits_list(const Attribute &attribute, const TypePtr &element) {
    if (!attribute.value.isList()) {
      return false;
    }
    if (is_looked_into(*element) && is_new(attribute.value, *element)) {
      for (const c10::IValue &value : attribute.value.toListRef()) {
        add(value, element, attribute);
      }
    }
    return true;
  }

  bool fits_dict(const Attribute &attribute, const TypePtr &element) {
    if (!attribute.value.isGenericDict()) {
      return false;
    }
    if (is_looked_into(*element) && is_new(attribute.value, *element)) {
      for (const auto &entry : attribute.value.toGenericDict()) {
        add(entry.value(), element, attribute);
      }
    }
    return true;
  }

  /// Lists of numbers and of tensors are not, and may be long.
  static bool is_looked_into(const c10::Type &type) {
    switch (type.kind()) {
      case TypeKind::ClassType:
      case TypeKind::InterfaceType:
      case TypeKind::TupleType:
      case TypeKind::OptionalType:
      case TypeKind::ListType:
      case TypeKind::DictType:
        return true;
      default:
        return false;
    }
  }

  /// Attributes of different types may share one list or dict.
  bool is_new(const c10::IValue &container, const c10::Type &element) {
    return seen_as_.emplace(container.internalToPointer(), element.repr_str()).second;
  }

  std::vector<Attribute> todo_;
  std::unordered_set<const void *> seen_;  // objects, which have their types themselves
  std::set<std::pair<const void *, std::string>> seen_as_;
};

}  // namespace

void check_attribute_types(const torch::jit::Module &module) { Check(module).run(); }

}  // namespace ctorch::jit
