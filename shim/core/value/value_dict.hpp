// What dicts and sets are filled and searched through: nothing else of ours inserts into a c10::Dict.
//
// LibTorch's table doubles until no key lies further than log2(slots) from its place, and its hashes have no seed, so
// that n keys of one hash need 2^n slots: sixty keys of a small file would exhaust memory. A key that would make the
// table grow so is refiled, as a text that begins with a hash of ours, which has a seed that no file can know.
#pragma once

#include <ATen/core/Dict.h>

namespace ctorch {

/// key_of(), but that a dict which LibTorch looks into has NaN as it is.
c10::IValue key_in(const c10::impl::GenericDict &dict, const c10::IValue &value, const char *name);

/// The entry of a key that key_of() filed, or another dict has; end() if there is none.
c10::impl::GenericDict::iterator find_key(const c10::impl::GenericDict &dict, const c10::IValue &key);

/// Give a key that key_of() filed a value: a new key goes to the end, a known one keeps its place. In a dict whose type
/// does not allow to refile a key, VALUE for one that would make the table many times larger than its keys need.
void insert_key(const c10::impl::GenericDict &dict, c10::IValue key, c10::IValue value);

/// False if there is no such key.
bool erase_key(const c10::impl::GenericDict &dict, const c10::IValue &key);

/// Whether two dicts' keys stand for one.
bool same_key(const c10::IValue &a, const c10::IValue &b);

/// How many slots LibTorch's own table of these entries would have, if it has no more than `most`; else more than that.
size_t slots_without_refiling(const c10::impl::GenericDict &dict, size_t most);

}  // namespace ctorch
