// Where the scopes of a thread have recorded a handle, by its address.
#pragma once

#include <stddef.h>
#include <stdint.h>

#include <vector>

#include "ctorch/abi/base.h"

namespace ctorch {

/// A hash table with chaining. Each handle has one place for each scope that has recorded it, the innermost first: that
/// is the one asked for.
class ScopeIndex {
 public:
  struct Place {
    const void *handle;
    ctorch_scope *scope;
    size_t depth;     // of the scope
    size_t position;  // in the scope's records
    Place *outer;     // of the same handle, in a scope further out
    Place *next;      // of another handle, in the same bucket
  };

  ScopeIndex() = default;
  ScopeIndex(const ScopeIndex &) = delete;
  ScopeIndex &operator=(const ScopeIndex &) = delete;
  ~ScopeIndex() {
    for (Place *place : buckets_) {
      while (place != nullptr) {
        Place *next = place->next;
        while (place != nullptr) {
          Place *outer = place->outer;
          delete place;
          place = outer;
        }
        place = next;
      }
    }
  }

  /// The innermost, or null.
  Place *find(const void *handle) const noexcept {
    Place *place = buckets_.empty() ? nullptr : buckets_[bucket(handle)];
    while (place != nullptr && place->handle != handle) {
      place = place->next;
    }
    return place;
  }

  /// That in a scope at `depth`, which there must be.
  Place &find(const void *handle, size_t depth) const noexcept {
    Place *place = find(handle);
    while (place->depth != depth) {
      place = place->outer;
    }
    return *place;
  }

  /// `handle` has no place in this scope yet.
  void insert(const void *handle, ctorch_scope *scope, size_t depth, size_t position) {
    if (places_ >= buckets_.size()) {
      grow();
    }
    auto *place = new Place{handle, scope, depth, position, nullptr, nullptr};
    places_++;
    Place **link = &buckets_[bucket(handle)];
    while (*link != nullptr && (*link)->handle != handle) {
      link = &(*link)->next;
    }
    if (*link == nullptr || (*link)->depth < depth) {
      place->outer = *link;
      place->next = *link == nullptr ? nullptr : (*link)->next;
      *link = place;
      return;
    }
    Place *inner = *link;
    while (inner->outer != nullptr && inner->outer->depth > depth) {
      inner = inner->outer;
    }
    place->outer = inner->outer;
    inner->outer = place;
  }

  /// Of a handle that has one.
  void erase_innermost(const void *handle) noexcept {
    Place **link = &buckets_[bucket(handle)];
    while ((*link)->handle != handle) {
      link = &(*link)->next;
    }
    Place *place = *link;
    if (place->outer != nullptr) {
      place->outer->next = place->next;
      *link = place->outer;
    } else {
      *link = place->next;
    }
    delete place;
    if (--places_ == 0) {
      std::vector<Place *>().swap(buckets_);
    }
  }

 private:
  size_t bucket(const void *handle) const noexcept {
    // Fibonacci hashing: the low bits of addresses say little.
    return reinterpret_cast<uintptr_t>(handle) * UINT64_C(0x9E3779B97F4A7C15) >> (64 - bits_);
  }

  void grow() {
    unsigned bits = buckets_.empty() ? 6 : bits_ + 1;
    std::vector<Place *> old(size_t{1} << bits, nullptr);
    old.swap(buckets_);
    bits_ = bits;
    for (Place *place : old) {
      while (place != nullptr) {
        Place *next = place->next;
        Place *&first = buckets_[bucket(place->handle)];
        place->next = first;
        first = place;
        place = next;
      }
    }
  }

  std::vector<Place *> buckets_;
  unsigned bits_ = 0;
  size_t places_ = 0;
};

}  // namespace ctorch
