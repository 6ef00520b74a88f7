// A hash table from addresses to small values, for books that are written with every handle: once it has room, an
// insertion allocates nothing, where std::unordered_map takes a node from the heap for each.
#pragma once

#include <stddef.h>
#include <stdint.h>

#include <memory>
#include <utility>

namespace ctorch {

/// Open addressing with linear probing, at most half full. What is erased leaves no mark: those behind it move up, so
/// the table is as fast after any number of insertions and erasures as it was at first.
///
/// Value must be trivially copyable. References to values hold until the next insertion or erasure.
template <class Value>
class PointerTable {
 public:
  /// Null if it is not there.
  Value *find(const void *key) noexcept {
    if (slots_ == nullptr) {
      return nullptr;
    }
    Slot &slot = slots_[position(key)];
    return slot.key == key ? &slot.value : nullptr;
  }

  /// Have room for one more, so that the next insertion cannot fail.
  void make_room() {
    if (__builtin_expect(size_ >= limit_, false)) {
      grow();
    }
  }

  /// The value of `key`, which is not null: Value() if it was not there, for which there must be room.
  Value &operator[](const void *key) noexcept {
    Slot &slot = slots_[position(key)];
    if (slot.key == nullptr) {
      slot = {key, {}};
      size_++;
    }
    return slot.value;
  }

  /// `value` is one that find() gave.
  void erase(Value *value) noexcept {
    if (--size_ == 0 && limit_ > KEPT) {
      clear();  // after a peak
      return;
    }
    const size_t mask = 2 * limit_ - 1;
    auto hole = static_cast<size_t>(
        reinterpret_cast<Slot *>(reinterpret_cast<char *>(value) - offsetof(Slot, value)) - slots_.get());
    for (size_t i = (hole + 1) & mask; slots_[i].key != nullptr; i = (i + 1) & mask) {
      // It may fill the hole unless its search begins behind that.
      if (((i - home(slots_[i].key)) & mask) >= ((i - hole) & mask)) {
        slots_[hole] = slots_[i];
        hole = i;
      }
    }
    slots_[hole].key = nullptr;
  }

  void clear() noexcept {
    slots_.reset();
    size_ = limit_ = 0;
  }

 private:
  struct Slot {
    const void *key;  // null: free
    Value value;
  };

  static constexpr size_t FIRST = 32;
  static constexpr size_t KEPT = 512;  // the room that an empty table may keep

  /// Where the search for a key begins. Fibonacci hashing: the low bits of addresses say little.
  size_t home(const void *key) const noexcept {
    return reinterpret_cast<uintptr_t>(key) * UINT64_C(0x9E3779B97F4A7C15) >> shift_;
  }

  /// Where it is, or where it would be put.
  size_t position(const void *key) const noexcept {
    const size_t mask = 2 * limit_ - 1;
    size_t i = home(key);
    while (slots_[i].key != key && slots_[i].key != nullptr) {
      i = (i + 1) & mask;
    }
    return i;
  }

  void grow() {
    const size_t limit = limit_ == 0 ? FIRST : 2 * limit_;
    std::unique_ptr<Slot[]> old(new Slot[2 * limit]());
    std::swap(slots_, old);
    const size_t old_slots = 2 * limit_;
    limit_ = limit;
    shift_ = 63 - static_cast<unsigned>(__builtin_ctzll(limit));
    for (size_t i = 0; i < old_slots; i++) {
      if (old[i].key != nullptr) {
        slots_[position(old[i].key)] = old[i];
      }
    }
  }

  std::unique_ptr<Slot[]> slots_;  // 2 * limit_
  size_t size_ = 0;
  size_t limit_ = 0;  // how many it may have before it grows, a power of two; 0 without slots
  unsigned shift_ = 0;
};

}  // namespace ctorch
