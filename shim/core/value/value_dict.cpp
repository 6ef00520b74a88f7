// Filling and searching LibTorch's dicts.
#include "core/value/value_dict.hpp"

#include <algorithm>

#include "core/abi/error.hpp"
#include "core/value/value.hpp"
#include "core/value/value_key.hpp"

namespace ctorch {
namespace {

using Table = c10::detail::DictImpl::dict_map_type;

/// Keys that do not collide on purpose take up to 4 slots each, in the worst of many draws 8. In a dict that LibTorch
/// looks into keys cannot be refiled, and ints at equal distances, which nobody chose, may take 256.
constexpr size_t SLOTS_PER_KEY = 16;
constexpr size_t SLOTS_PER_TYPED_KEY = 512;
constexpr size_t FEW_SLOTS = 256;

/// The load of a table that has refiled keys, where LibTorch's is 0.5: it is copied with the table, so that a search
/// for a refiled key is made only where there may be one.
constexpr float LOAD_WITH_REFILED = 0.46875F;

Table &table_of(const c10::impl::GenericDict &dict) {
  const c10::IValue value(dict);  // LibTorch hides the table, but not where it is
  auto *target = static_cast<c10::intrusive_ptr_target *>(const_cast<void *>(value.internalToPointer()));
  return static_cast<c10::detail::DictImpl *>(target)->dict;
}

bool may_have_refiled(const Table &table) { return table.max_load_factor() == LOAD_WITH_REFILED; }

/// Only a dict of Any is ours alone.
bool allows_refiling(const c10::impl::GenericDict &dict) { return dict.keyType()->kind() == c10::TypeKind::AnyType; }

/// Whether a new key would make the table grow because keys lie too far from their places. This is what
/// sherwood_v3_table::emplace does, with distances alone.
bool would_collide(const Table &table, const c10::IValue &key) {
  const size_t slots = table.bucket_count();
  const double filled = static_cast<double>(slots) * static_cast<double>(table.max_load_factor());
  if (table.empty() || static_cast<double>(table.size() + 1) > filled) {
    return false;  // it grows because it is filled
  }
  const auto *known = table.begin().current;
  const auto *first = known - (table.bucket(known->value.first) + static_cast<size_t>(known->distance_from_desired));
  const int most = std::max(ska_ordered::detailv3::min_lookups, ska_ordered::detailv3::log2(slots));
  const auto *at = first + table.bucket(key);
  int distance = 0;
  for (; at->distance_from_desired >= distance; ++at, ++distance) {
    if (c10::detail::DictKeyEqualTo()(key, at->value.first)) {
      return false;
    }
  }
  for (; distance < most && at->has_value(); ++at, ++distance) {
    distance = std::min(distance, static_cast<int>(at->distance_from_desired));  // who lies nearer is moved on
  }
  return distance >= most;
}

/// Whether the table may not grow because of such a key.
bool is_too_sparse(const Table &table, size_t slots_per_key) {
  return 2 * table.bucket_count() > std::max(FEW_SLOTS, slots_per_key * (table.size() + 1));
}

}  // namespace

c10::IValue key_in(const c10::impl::GenericDict &dict, const c10::IValue &value, const char *name) {
  const bool is_number = value.isDouble() || value.isComplexDouble();
  return is_number && !allows_refiling(dict) ? value : key_of(value, name);
}

c10::impl::GenericDict::iterator find_key(const c10::impl::GenericDict &dict, const c10::IValue &key) {
  auto found = dict.find(unrefiled_key(key));
  if (found == dict.end() && may_have_refiled(table_of(dict)) && may_refile(key)) {
    found = dict.find(refiled_key(key));
  }
  return found;
}

void insert_key(const c10::impl::GenericDict &dict, c10::IValue key, c10::IValue value) {
  Table &table = table_of(dict);
  const bool may_move = allows_refiling(dict);
  if (is_too_sparse(table, may_move ? SLOTS_PER_KEY : SLOTS_PER_TYPED_KEY) && would_collide(table, key)) {
    if (!may_move || !may_refile(key)) {
      fail(
          CTORCH_ERROR_VALUE, "key " + value_excerpt(value_of_key(key)) + " of a dict of " +
                                  std::to_string(table.size()) + ": the hashes of too many keys collide");
    }
    key = refiled_key(key);
    table.max_load_factor(LOAD_WITH_REFILED);
  } else if (may_have_refiled(table) && may_refile(key)) {
    c10::IValue refiled = refiled_key(key);
    if (table.find(refiled) != table.end()) {
      key = std::move(refiled);
    }
  }
  dict.insert_or_assign(std::move(key), std::move(value));
}

bool erase_key(const c10::impl::GenericDict &dict, const c10::IValue &key) {
  const auto found = find_key(dict, key);
  if (found == dict.end()) {
    return false;
  }
  dict.erase(found);
  return true;
}

bool same_key(const c10::IValue &a, const c10::IValue &b) {
  return c10::detail::DictKeyEqualTo()(unrefiled_key(a), unrefiled_key(b));
}

size_t slots_without_refiling(const c10::impl::GenericDict &dict, size_t most) {
  Table bare;
  for (const auto &entry : dict) {
    if (bare.bucket_count() > most) {
      break;
    }
    const c10::IValue key = value_of_key(entry.key());
    const bool is_there = key.isDouble() || key.isComplexDouble() || is_hashed_by_torch(key);
    bare.emplace(is_there ? key : entry.key(), c10::IValue());
  }
  return bare.bucket_count();
}

}  // namespace ctorch
