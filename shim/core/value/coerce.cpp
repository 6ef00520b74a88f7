// Coercing values to types.
#include "core/value/coerce.hpp"

#include <ATen/core/Dict.h>
#include <ATen/core/List.h>
#include <ATen/ops/item_ops.h>

#include <cmath>
#include <optional>

#include "core/abi/error.hpp"
#include "core/abi/from.hpp"
#include "core/value/value.hpp"
#include "core/value/value_dict.hpp"
#include "core/value/value_key.hpp"
#include "core/value/value_object.hpp"

namespace ctorch {
namespace {

using c10::TypeKind;
using c10::TypePtr;

bool miss(const c10::IValue &value, const c10::Type &type, Mismatch &mismatch) {
  mismatch = {"", type.annotation_str(), found_type(value)};
  return false;
}

/// What boxed lists are made of: LibTorch keeps dtypes and symbolic sizes as ints.
TypePtr stored(const TypePtr &type) {
  switch (type->kind()) {
    case TypeKind::SymIntType:
    case TypeKind::ScalarTypeType:
    case TypeKind::LayoutType:
    case TypeKind::MemoryFormatType:
    case TypeKind::QSchemeType:
      return c10::IntType::get();
    case TypeKind::SymFloatType:
      return c10::FloatType::get();
    case TypeKind::SymBoolType:
      return c10::BoolType::get();
    case TypeKind::OptionalType:
      return c10::OptionalType::create(stored(type->expectRef<c10::OptionalType>().getElementType()));
    case TypeKind::ListType:
      return c10::ListType::create(stored(type->expectRef<c10::ListType>().getElementType()));
    default:
      return type;
  }
}

bool is_int(const c10::IValue &value) { return value.isInt() || value.isSymInt(); }
bool is_float(const c10::IValue &value) { return value.isDouble() || value.isSymFloat(); }
bool is_number(const c10::IValue &value) {
  return value.isScalar() || large_int(value);  // which isScalar() overlooks
}

/// Python takes a tensor of one number where it expects that number, unless a gradient would be lost.
bool is_number_tensor(const c10::IValue &value) {
  return value.isTensor() && value.toTensor().defined() && value.toTensor().dim() == 0 &&
         !value.toTensor().requires_grad();
}

/// `value` is a number; `type` is one of the kinds of number.
bool coerce_number(c10::IValue &value, const c10::Type &type, Mismatch &mismatch) {
  switch (type.kind()) {
    case TypeKind::NumberType:
      return true;
    case TypeKind::FloatType:
    case TypeKind::SymFloatType:
      if (is_int(value)) {
        value = static_cast<double>(value.toInt());
      }
      return is_float(value) || miss(value, type, mismatch);
    case TypeKind::ComplexType:
      if (is_int(value) || is_float(value)) {
        value = value.toScalar().toComplexDouble();
      }
      return value.isComplexDouble() || miss(value, type, mismatch);
    case TypeKind::BoolType:
    case TypeKind::SymBoolType:
      return value.isBool() || value.isSymBool() || miss(value, type, mismatch);
    default:
      return is_int(value) || miss(value, type, mismatch);
  }
}

/// The enumeration of a value that stands for an int of it, or for none.
ctorch_value_kind enumeration_of(TypeKind kind) {
  switch (kind) {
    case TypeKind::ScalarTypeType:
      return CTORCH_VALUE_DTYPE;
    case TypeKind::LayoutType:
      return CTORCH_VALUE_LAYOUT;
    case TypeKind::MemoryFormatType:
      return CTORCH_VALUE_MEMORY_FORMAT;
    default:
      return CTORCH_VALUE_NONE;
  }
}

/// What LibTorch has in place of a value that it does not know: the int of a dtype, the nearest float of a large int.
/// Python's own conversions; what has none stays as it is, and fits nothing.
void unwrap(c10::IValue &value, const c10::Type &type, Mismatch &mismatch) {
  if (const auto *enumerator = object_as<Enumerator>(value)) {
    if (enumerator->kind == enumeration_of(type.kind())) {
      value = static_cast<int64_t>(enumerator->number);
    }
  } else if (object_as<LargeInt>(value) != nullptr) {
    bool is_float = type.kind() == TypeKind::FloatType || type.kind() == TypeKind::SymFloatType;
    double nearest = is_float ? integer_in(value).to_double() : 0;
    if (is_float && std::isfinite(nearest)) {
      value = nearest;
    } else {
      mismatch = {
          "", is_float ? "a number that a float can hold" : "an int of at most 64 bits", value_excerpt(value), true};
    }
  }
}

/// What an int must be that stands for something else, or that LibTorch might take for the pointer of a symbolic size;
/// null if it is.
const char *range_missed(const c10::IValue &value, const c10::Type &type) {
  auto below = [&](auto end) {
    return value.isInt() && value.toInt() >= 0 && value.toInt() < static_cast<int64_t>(end);
  };
  switch (type.kind()) {
    case TypeKind::ScalarTypeType:
      return below(at::ScalarType::Undefined) ? nullptr : "the number of a dtype";
    case TypeKind::LayoutType:
      return below(at::Layout::NumOptions) ? nullptr : "the number of a layout";
    case TypeKind::MemoryFormatType:
      return below(at::MemoryFormat::NumOptions) ? nullptr : "the number of a memory format";
    case TypeKind::QSchemeType:
      return below(at::COMPILE_TIME_NUM_QSCHEMES) ? nullptr : "the number of a quantization scheme";
    case TypeKind::SymIntType:
      return !value.isInt() || value.toInt() >= from::MIN_SYMINT ? nullptr : "an int of at least -2^62";
    default:
      return nullptr;
  }
}

std::string index_text(size_t i) { return "[" + std::to_string(i) + "]"; }

/// Fit an entry; a mismatch is reported under its place.
bool coerce_entry(c10::IValue &value, const TypePtr &type, const std::string &place, Mismatch &mismatch) {
  if (!coerce(value, type, mismatch)) {
    mismatch.path.insert(0, place);
    return false;
  }
  return true;
}

bool is_sequence(const c10::IValue &value) { return value.isList() || value.isTuple(); }

bool coerce_list(c10::IValue &value, const TypePtr &type, Mismatch &mismatch) {
  const TypePtr &element = type->expectRef<c10::ListType>().getElementType();
  if (!is_sequence(contents_of(value)) && object_as<Set>(contents_of(value)) == nullptr) {
    return miss(value, *type, mismatch);
  }
  if (value.isCapsule()) {
    value = c10::IValue(contents_of(value));
  }
  bool is_open = element->hasFreeVariables();  // `t[]` is a list of anything
  TypePtr kept = is_open ? c10::AnyType::get() : stored(element);
  bool has_type = value.isList() && (is_open || *value.toList().elementType() == *kept);
  if (has_type && (is_open || *kept == *element)) {
    return true;
  }
  Entries entries(value);
  c10::impl::GenericList list(kept);
  list.reserve(entries.size());
  for (size_t i = 0; i < entries.size(); i++) {
    c10::IValue entry = entries[i];
    if (!coerce_entry(entry, element, index_text(i), mismatch)) {
      return false;
    }
    list.push_back(std::move(entry));
  }
  if (!has_type) {  // else only the numbers had to be looked at
    value = list;
  }
  return true;
}

bool coerce_tuple(c10::IValue &value, const TypePtr &type, Mismatch &mismatch) {
  c10::ArrayRef<TypePtr> types = type->expectRef<c10::TupleType>().elements();
  Entries entries(contents_of(value));
  if (!is_sequence(contents_of(value)) || entries.size() != types.size()) {
    return miss(value, *type, mismatch);
  }
  std::vector<c10::IValue> coerced;
  while (const c10::IValue *entry = entries.next()) {
    coerced.push_back(*entry);
  }
  for (size_t i = 0; i < coerced.size(); i++) {
    if (!coerce_entry(coerced[i], types[i], index_text(i), mismatch)) {
      return false;
    }
  }
  value = type->expectRef<c10::TupleType>().schema()
              ? c10::ivalue::Tuple::createNamed(std::move(coerced), type->expect<c10::TupleType>())
              : c10::ivalue::Tuple::create(std::move(coerced));
  return true;
}

bool coerce_dict(c10::IValue &value, const TypePtr &type, Mismatch &mismatch) {
  if (!contents_of(value).isGenericDict()) {
    return miss(value, *type, mismatch);
  }
  if (value.isCapsule()) {
    value = c10::IValue(contents_of(value));
  }
  c10::impl::GenericDict dict = value.toGenericDict();
  const TypePtr &key_type = type->expectRef<c10::DictType>().getKeyType();
  const TypePtr &value_type = type->expectRef<c10::DictType>().getValueType();
  if (type->hasFreeVariables() || (*dict.keyType() == *key_type && *dict.valueType() == *value_type)) {
    return true;
  }
  c10::impl::GenericDict coerced(stored(key_type), stored(value_type));
  coerced.reserve(dict.size());
  for (const auto &entry : dict) {
    c10::IValue entry_key = value_of_key(entry.key()), entry_value = entry.value();
    std::string place = "[" + value_excerpt(entry_key) + "]";
    if (!coerce_entry(entry_key, key_type, place, mismatch) ||
        !coerce_entry(entry_value, value_type, place, mismatch)) {
      return false;
    }
    insert_key(coerced, key_in(coerced, entry_key, "key"), std::move(entry_value));
  }
  value = coerced;
  return true;
}

/// The member that is the value's own type, else the first that it can be made of.
bool coerce_union(c10::IValue &value, const TypePtr &type, Mismatch &mismatch) {
  c10::ArrayRef<TypePtr> members = type->expectRef<c10::UnionType>().containedTypes();
  TypePtr own = inferred_type(value);
  for (const TypePtr &member : members) {
    if (own->isSubtypeOf(*member)) {
      return coerce(value, member, mismatch);
    }
  }
  for (const TypePtr &member : members) {
    if (coerce(value, member, mismatch)) {
      return true;
    }
  }
  return miss(value, *type, mismatch);
}

}  // namespace

bool coerce(c10::IValue &value, const TypePtr &type, Mismatch &mismatch) {
  switch (type->kind()) {
    case TypeKind::TensorType:
      return (value.isTensor() && value.toTensor().defined()) || miss(value, *type, mismatch);
    case TypeKind::NumberType:
    case TypeKind::IntType:
    case TypeKind::SymIntType:
    case TypeKind::ScalarTypeType:
    case TypeKind::LayoutType:
    case TypeKind::MemoryFormatType:
    case TypeKind::QSchemeType:
    case TypeKind::FloatType:
    case TypeKind::SymFloatType:
    case TypeKind::ComplexType:
    case TypeKind::BoolType:
    case TypeKind::SymBoolType: {
      if (value.isCapsule()) {
        mismatch.out_of_range = false;
        unwrap(value, *type, mismatch);
        if (mismatch.out_of_range) {
          return false;
        }
      }
      if (!is_number(value) && !is_number_tensor(value)) {
        return miss(value, *type, mismatch);
      }
      c10::IValue number = value.isTensor() ? c10::IValue(at::_ops::item::call(value.toTensor())) : value;
      if (!coerce_number(number, *type, mismatch)) {
        return miss(value, *type, mismatch);
      }
      if (const char *range = range_missed(number, *type)) {
        mismatch = {"", range, value_excerpt(number), true};
        return false;
      }
      value = std::move(number);
      return true;
    }
    case TypeKind::StringType:
      if (const auto *bytes = object_as<Bytes>(value)) {  // as in Python: LibTorch's str has any bytes
        value = bytes->data;
      }
      return value.isString() || miss(value, *type, mismatch);
    case TypeKind::DeviceObjType:
      return value.isDevice() || miss(value, *type, mismatch);
    case TypeKind::StreamObjType:
      return value.isStream() || miss(value, *type, mismatch);
    case TypeKind::GeneratorType:
      return value.isGenerator() || miss(value, *type, mismatch);
    case TypeKind::StorageType:
      return value.isStorage() || miss(value, *type, mismatch);
    case TypeKind::NoneType:
      if (!is_none(value)) {
        return miss(value, *type, mismatch);
      }
      value = c10::IValue();
      return true;
    case TypeKind::OptionalType: {
      if (is_none(value)) {
        value = c10::IValue();
        return true;
      }
      if (!coerce(value, type->expectRef<c10::OptionalType>().getElementType(), mismatch)) {
        if (mismatch.path.empty() && !mismatch.out_of_range) {
          mismatch.expected = type->annotation_str();
        }
        return false;
      }
      return true;
    }
    case TypeKind::UnionType:
      return coerce_union(value, type, mismatch);
    case TypeKind::ListType:
      return coerce_list(value, type, mismatch);
    case TypeKind::TupleType:
      return coerce_tuple(value, type, mismatch);
    case TypeKind::DictType:
      return coerce_dict(value, type, mismatch);
    case TypeKind::AnyType:
    case TypeKind::VarType:
      return true;
    case TypeKind::AnyListType:
      return value.isList() || miss(value, *type, mismatch);
    case TypeKind::AnyTupleType:
      return value.isTuple() || miss(value, *type, mismatch);
    default:
      return inferred_type(value)->isSubtypeOf(*type) || miss(value, *type, mismatch);
  }
}

void coerce(c10::IValue &value, const TypePtr &type, const char *name) {
  Mismatch mismatch;
  if (!coerce(value, type, mismatch)) {
    fail(CTORCH_ERROR_TYPE, name + mismatch.path + ": expected " + mismatch.expected + ", found " + mismatch.found);
  }
}

}  // namespace ctorch
