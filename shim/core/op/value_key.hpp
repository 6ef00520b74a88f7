// Keys of dicts and sets. LibTorch hashes str, int, float, bool, complex, Tensor and Device only; what else Python lets
// be a key is filed under a text that no other key can have.
#pragma once

#include <ATen/core/ivalue.h>

namespace ctorch {

/// What stands for a key in a c10::Dict, or TYPE: "<name>: list cannot be a key".
c10::IValue key_of(const c10::IValue &value, const char *name);
/// The key that such a one stands for.
c10::IValue value_of_key(const c10::IValue &key);

}  // namespace ctorch
