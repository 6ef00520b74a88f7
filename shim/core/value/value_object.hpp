// What Python's values have and an IValue does not: bytes, ints beyond 64 bits, dtypes, sets, objects of classes.
//
// Each is an object of ours in a capsule, LibTorch's box for what it need not understand. Operators never see one:
// coerce.cpp turns those that a schema has a type for into it, and refuses the others.
#pragma once

#include <ATen/core/Dict.h>
#include <ATen/core/ivalue.h>

#include <string>
#include <string_view>

#include "core/c/boxed.h"
#include "core/c/object.h"
#include "core/value/integer.hpp"
#include "ctorch/value/value.h"

namespace ctorch {

struct ValueObject : torch::CustomClassHolder {
  explicit ValueObject(ctorch_value_kind kind) : kind(kind) {}
  const ctorch_value_kind kind;
};

struct Bytes final : ValueObject {
  explicit Bytes(std::string data) : ValueObject(CTORCH_VALUE_BYTES), data(std::move(data)) {}
  const std::string data;
};

struct LargeInt final : ValueObject {
  explicit LargeInt(Integer value) : ValueObject(CTORCH_VALUE_INT), value(std::move(value)) {}
  const Integer value;  // beyond what an IValue can hold
};

/// A dtype, layout or memory format.
struct Enumerator final : ValueObject {
  Enumerator(ctorch_value_kind kind, int32_t number) : ValueObject(kind), number(number) {}
  const int32_t number;
};

struct Set final : ValueObject {
  Set() : ValueObject(CTORCH_VALUE_SET), entries(c10::AnyType::get(), c10::NoneType::get()) {}
  c10::impl::GenericDict entries;  // keys of value_key.hpp, without values
};

struct PythonObject final : ValueObject {
  PythonObject(std::string module, std::string name)
      : ValueObject(CTORCH_VALUE_PYTHON_OBJECT), module(std::move(module)), name(std::move(name)) {}
  bool is(std::string_view other_module, std::string_view other_name) const {
    return module == other_module && name == other_name;
  }
  std::string full_name() const { return module + "." + name; }

  const std::string module, name;
  c10::IValue args;   // a tuple; None for the class or function itself
  c10::IValue items;  // a list, dict or set; None if it has none
  c10::IValue state;  // anything
};

/// An object of the layers above, such as a module.
struct BoxedObject final : ValueObject {
  BoxedObject(const value_held_class &type, const void *object)
      : ValueObject(type.kind), type(type), object(object_ref(object)) {}
  ~BoxedObject() override { object_unref(object); }
  const value_held_class &type;
  void *const object;
};

/// Null for a value that LibTorch has itself.
ValueObject *object_in(const c10::IValue &value);
/// Null for everything else.
template <class T>
T *object_as(const c10::IValue &value) {
  return dynamic_cast<T *>(object_in(value));
}
template <class T, class... Arguments>
c10::IValue make_object(Arguments &&...arguments) {
  return c10::IValue::make_capsule(c10::make_intrusive<T>(std::forward<Arguments>(arguments)...));
}

/// An int of any size: an IValue's own where it fits.
c10::IValue integer_value(Integer value);
/// The int in a value of kind INT.
Integer integer_in(const c10::IValue &value);

/// What a Python object is besides being one: the items of an OrderedDict or of a subclass of list, the tuple that is a
/// torch.Size. Everything else is itself.
const c10::IValue &contents_of(const c10::IValue &value);

}  // namespace ctorch
