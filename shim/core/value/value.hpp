// A ctorch_value: one IValue in a box, and what the services that exchange values need to look inside.
#pragma once

#include <ATen/core/ivalue.h>
#include <ATen/core/jit_type.h>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/abi/from.hpp"
#include "core/abi/handle.hpp"
#include "ctorch/value/value.h"

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
/// TYPE: "expected <expected>, found <what it is>".
[[noreturn]] void fail_kind(const char *expected, const c10::IValue &value);
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

/// The values inside a value, one after another, for what walks through all of them. A thread may have a small stack,
/// so that nothing does by recursion.
class Entries {
 public:
  /// Of a list, tuple, dict (each key before its value), set or Python object (arguments, items, state); else none. A
  /// container must not change meanwhile.
  explicit Entries(const c10::IValue &value);
  explicit Entries(std::vector<c10::IValue> values) : own_(std::move(values)), is_own_(true) {}

  size_t size() const { return entries().size(); }
  const c10::IValue &operator[](size_t i) const { return entries()[i]; }
  /// The next one; null after the last.
  const c10::IValue *next() { return next_ < size() ? &entries()[next_++] : nullptr; }
  /// How many next() has given.
  size_t position() const { return next_; }

 private:
  c10::ArrayRef<c10::IValue> entries() const { return is_own_ ? c10::ArrayRef<c10::IValue>(own_) : borrowed_; }

  c10::IValue value_;  // keeps what is borrowed
  std::vector<c10::IValue> own_;
  c10::ArrayRef<c10::IValue> borrowed_;
  bool is_own_ = false;
  size_t next_ = 0;
};

/// How deep a type tells what is inside; the rest is Any. LibTorch handles types by recursion.
constexpr int MAX_TYPE_NESTING = 16;
/// The type as TorchScript annotates it, of the entries where a container does not tell (value_type.cpp).
c10::TypePtr inferred_type(const c10::IValue &value);
/// The same for an error message: never fails.
std::string found_type(const c10::IValue &value);
/// A copy down to the memory of the tensors, which shares inside what is shared inside (value_copy.cpp).
c10::IValue deep_copy(const c10::IValue &value);
/// The declared type of a named tuple; null for other tuples.
c10::TupleTypePtr named_tuple_type(const c10::IValue &value);

/// As Python's repr prints it (value_repr.cpp).
std::string value_repr(const c10::IValue &value);
/// The same for an error message, not much longer than MAX_EXCERPT (excerpt.hpp). Never fails.
std::string value_excerpt(const c10::IValue &value);
/// As Python's repr prints a str.
std::string string_repr(std::string_view text);

namespace from {

inline const c10::IValue &value(const ctorch_value *self, const char *name) { return object(self, name).ivalue; }
inline c10::IValue value_or_none(const ctorch_value *self) {
  return self == nullptr ? c10::IValue() : object(self, "value").ivalue;
}
/// NULL elements are None.
std::vector<c10::IValue> values(const ctorch_value *const *data, size_t len, const char *name);

}  // namespace from

namespace to {

void give_value(c10::IValue value, ctorch_value **out);

}  // namespace to
}  // namespace ctorch
