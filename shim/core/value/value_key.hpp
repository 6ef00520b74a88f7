// Keys of dicts and sets. LibTorch hashes str, int, float, bool, complex, Tensor and Device only; what else Python lets
// be a key is filed under a text that no other key can have. So is each NaN, which is not equal to another, nor to
// itself as LibTorch compares.
#pragma once

#include <ATen/core/ivalue.h>

namespace ctorch {

/// What stands for a key in a c10::Dict, or TYPE: "<name>: list cannot be a key".
c10::IValue key_of(const c10::IValue &value, const char *name);
/// The key that such a one stands for, also if it is refiled.
c10::IValue value_of_key(const c10::IValue &key);
/// Whether key_of() leaves a value as it is.
bool is_hashed_by_torch(const c10::IValue &value);

/// A filed key under another text, whose hash nobody can choose (value_dict.hpp): that of the key with a secret of this
/// process comes first in it. A tensor has none.
bool may_refile(const c10::IValue &key);
c10::IValue refiled_key(const c10::IValue &key);
/// What key_of() filed; a key that is not refiled is that.
c10::IValue unrefiled_key(const c10::IValue &key);

}  // namespace ctorch
