// from::enumerated(…): an `int` of a schema that is an enumeration in PyTorch (ctorch/abi/enums.h).
//
// Operators trust such numbers: a reduction of 7 sums in one loss and is an internal assertion in another. The
// generated wrappers pass each through here, with the enumeration's largest number: all of them start at 0 and leave
// none out. bindings-gen/policy.toml says which argument is which.
#pragma once

#include "core/abi/from.hpp"

namespace ctorch::from {

[[noreturn]] void fail_enumerator(const char *name, const char *type, int64_t value, int64_t last);

inline int64_t enumerated(int64_t value, const char *name, const char *type, int64_t last) {
  if (__builtin_expect(static_cast<uint64_t>(value) > static_cast<uint64_t>(last), false)) {
    fail_enumerator(name, type, value, last);
  }
  return value;
}

inline std::optional<int64_t> optional_enumerated(
    const int64_t *value, const char *name, const char *type, int64_t last) {
  return value == nullptr ? std::nullopt : std::optional<int64_t>(enumerated(*value, name, type, last));
}

inline at::IntArrayRef enumerated_ints(
    const int64_t *data, size_t len, const char *name, const char *type, int64_t last) {
  const at::IntArrayRef values = ints(data, len, name);
  for (int64_t value : values) {
    enumerated(value, name, type, last);
  }
  return values;
}

}  // namespace ctorch::from
