// What a value holds, whether LibTorch or an object of ours (value_object.hpp) does it. All else about values stands on
// this.
#include <ATen/core/ivalue.h>
#include <ATen/core/jit_type.h>

#include <iterator>
#include <utility>

#include "core/torch/value.hpp"
#include "core/value/value.hpp"
#include "core/value/value_object.hpp"

using c10::TypePtr;

// Tuple::type() makes the type where there is none, by recursion, and keeps it while other threads may be looking. An
// explicit instantiation may name the private member.
namespace {

const TypePtr &declared_type(const c10::ivalue::Tuple &tuple);

template <TypePtr c10::ivalue::Tuple::*member>
struct DeclaredType {
  friend const TypePtr &declared_type(const c10::ivalue::Tuple &tuple) { return tuple.*member; }
};
template struct DeclaredType<&c10::ivalue::Tuple::type_>;

}  // namespace

namespace ctorch {

void fail_nesting() {
  fail(CTORCH_ERROR_RUNTIME, "the value is nested more than " + std::to_string(MAX_NESTING) + " levels deep");
}

std::optional<uint64_t> large_int(const c10::IValue &value) { return libtorch::large_int(value); }

ctorch_value_kind kind_of(const c10::IValue &value) {
  if (is_none(value)) {
    return CTORCH_VALUE_NONE;
  }
  const std::pair<bool, ctorch_value_kind> kinds[] = {
      {value.isTensor(), CTORCH_VALUE_TENSOR},
      {value.isInt() || value.isSymInt() || large_int(value), CTORCH_VALUE_INT},
      {value.isDouble() || value.isSymFloat(), CTORCH_VALUE_DOUBLE},
      {value.isBool() || value.isSymBool(), CTORCH_VALUE_BOOL},
      {value.isComplexDouble(), CTORCH_VALUE_COMPLEX},
      {value.isString(), CTORCH_VALUE_STRING},
      {value.isList(), CTORCH_VALUE_LIST},
      {value.isTuple(), CTORCH_VALUE_TUPLE},
      {value.isGenericDict(), CTORCH_VALUE_DICT},
      {value.isDevice(), CTORCH_VALUE_DEVICE},
      {value.isStream(), CTORCH_VALUE_STREAM},
      {value.isGenerator(), CTORCH_VALUE_GENERATOR},
      {value.isStorage(), CTORCH_VALUE_STORAGE},
  };
  for (auto [is, kind] : kinds) {
    if (is) {
      return kind;
    }
  }
  const ValueObject *object = object_in(value);
  return object == nullptr ? CTORCH_VALUE_OBJECT : object->kind;
}

void fail_kind(const char *expected, const c10::IValue &value) {
  fail(CTORCH_ERROR_TYPE, std::string("expected ") + expected + ", found " + ctorch_value_kind_name(kind_of(value)));
}

ValueObject *object_in(const c10::IValue &value) {
  // The value keeps it.
  return value.isCapsule() ? dynamic_cast<ValueObject *>(value.toCapsule().get()) : nullptr;
}

c10::IValue integer_value(Integer value) {
  if (auto small = value.to_int64()) {
    return *small;
  }
  auto large = value.to_uint64();
  if (auto own = large ? libtorch::from_large_int(*large) : std::nullopt) {
    return std::move(*own);
  }
  return make_object<LargeInt>(std::move(value));
}

Integer integer_in(const c10::IValue &value) {
  if (const auto *large = object_as<LargeInt>(value)) {
    return large->value;
  }
  auto large = large_int(value);
  return large ? Integer(*large) : Integer(value.toInt());
}

const c10::IValue &contents_of(const c10::IValue &value) {
  const auto *object = object_as<PythonObject>(value);
  if (object == nullptr) {
    return value;
  }
  if (object->is("torch", "Size") && object->args.isTuple() && object->args.toTupleRef().elements().size() == 1) {
    return object->args.toTupleRef().elements()[0];
  }
  return object->items.isNone() ? value : object->items;
}

c10::TupleTypePtr named_tuple_type(const c10::IValue &value) {
  const TypePtr &declared = declared_type(value.toTupleRef());
  auto type = declared ? declared->cast<c10::TupleType>() : nullptr;
  return type && type->schema() ? type : nullptr;
}

}  // namespace ctorch

const char *ctorch_value_kind_name(ctorch_value_kind kind) {
  static constexpr const char *NAMES[] = {"None",      "Tensor",        "int",          "float",  "bool",     "complex",
                                          "str",       "list",          "tuple",        "dict",   "Device",   "Stream",
                                          "Generator", "Storage",       "object",       "bytes",  "set",      "dtype",
                                          "layout",    "memory_format", "PythonObject", "Module", "Transform"};
  return kind < 0 || static_cast<size_t>(kind) >= std::size(NAMES) ? nullptr : NAMES[kind];
}
