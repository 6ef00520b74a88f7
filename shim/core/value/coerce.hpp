// Coercing values to types: what Python does when it calls an operator.
//
// LibTorch's boxed calls trust the types of what they are given and crash on others, so that every value is fitted
// before it is passed on.
#pragma once

#include <ATen/core/ivalue.h>
#include <ATen/core/jit_type.h>

#include <string>

namespace ctorch {

/// What did not fit, and where inside the value: "[2]['weight']", or "" for the value itself.
struct Mismatch {
  std::string path;
  std::string expected;
  std::string found;
  bool out_of_range = false;  // of the right type: `expected` says what numbers there are
};

/// Make `value` one of `type`, as a schema declares it: an int becomes a float or a Scalar, a list or tuple the typed
/// list, dicts alike. A container that already has the type stays the same object. Returns false, and says why in
/// `mismatch`, if it does not fit.
bool coerce(c10::IValue &value, const c10::TypePtr &type, Mismatch &mismatch);

/// The same, or TYPE: "<name>[2]: expected int, found str".
void coerce(c10::IValue &value, const c10::TypePtr &type, const char *name);

}  // namespace ctorch
