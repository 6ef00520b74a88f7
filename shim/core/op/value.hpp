// A ctorch_value: one IValue in a box, and what the services that exchange values need to look inside.
#pragma once

#include <ATen/core/ivalue.h>
#include <ATen/core/jit_type.h>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "abi/error.hpp"
#include "abi/handle.hpp"
#include "ctorch/value.h"

struct ctorch_value final : ctorch::Object {
  explicit ctorch_value(c10::IValue &&ivalue) noexcept : ivalue(std::move(ivalue)) {}
  ~ctorch_value() override;
  const char *type_name() const noexcept override { return "value"; }

  c10::IValue ivalue;
};

namespace ctorch {

/// How deep lists, tuples and dicts may be nested for what has to look into all of them: as deep as Python goes.
constexpr int MAX_NESTING = 1000;
[[noreturn]] void fail_nesting();

ctorch_value_kind kind_of(const c10::IValue &value);
/// None, or a tensor that is undefined, which C callers are told is None.
inline bool is_none(const c10::IValue &value) {
  return value.isNone() || (value.isTensor() && !value.toTensor().defined());
}
/// Free what a container holds without recursion: a deep one would exhaust the stack.
void take_apart(c10::IValue &&value) noexcept;
/// An int from 2^63 on, which isInt() denies and toInt() cannot read.
std::optional<uint64_t> large_int(const c10::IValue &value);
inline bool is_container(const c10::IValue &value) {
  return value.isList() || value.isTuple() || value.isGenericDict();
}

/// The type as TorchScript annotates it, of the entries where a container does not tell (value_type.cpp).
c10::TypePtr inferred_type(const c10::IValue &value);
/// The same for an error message: never fails.
std::string found_type(const c10::IValue &value);
/// The declared type of a named tuple; null for other tuples.
c10::TupleTypePtr named_tuple_type(const c10::IValue &value);

/// As Python's repr prints it (value_repr.cpp).
std::string value_repr(const c10::IValue &value);
/// As Python's repr prints a str.
std::string string_repr(std::string_view text);

namespace from {

inline const c10::IValue &value(const ctorch_value *self, const char *name) {
  if (self == nullptr) {
    fail_null(name);
  }
  return self->ivalue;
}
inline c10::IValue value_or_none(const ctorch_value *self) { return self == nullptr ? c10::IValue() : self->ivalue; }
/// NULL elements are None.
std::vector<c10::IValue> values(const ctorch_value *const *data, size_t len, const char *name);

}  // namespace from

namespace to {

void give_value(c10::IValue value, ctorch_value **out);

}  // namespace to
}  // namespace ctorch
