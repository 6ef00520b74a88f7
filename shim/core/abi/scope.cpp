// Scopes: a stack per thread of lists of handles.
//
// A handle is known by its address alone, so two references to one cannot be told apart: giving one back strikes out
// the innermost scope's record, and of records in one scope it does not matter which.
//
// A scope's records are an array in the order they were made, which makes the two things that happen all the time
// cheap: adding one, and taking out one of the latest. To find others there is an index (scope_index.hpp), which is
// brought up to date only when somebody looks for a handle and the latest few records are not it. So each scope's array
// has a front part that is in the index, where handles are found by their address, and a tail that is not yet. In the
// front part a handle has one record, with a count, and one that was taken out leaves a hole. Scopes themselves are in
// the index too, the outermost first: those inside `indexed_scopes` of the thread have no tails but the last of them,
// and those beyond have nothing but tails.
#include "core/abi/scope.hpp"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "core/abi/handle.hpp"
#include "core/abi/memory_pressure.hpp"
#include "core/abi/mode.hpp"
#include "core/abi/outside_scopes.hpp"
#include "core/abi/scope_index.hpp"
#include "core/abi/thread.hpp"
#include "core/c/object.h"

namespace ctorch {

namespace {

struct Record {
  void *handle;  // null for a hole
  Kind kind;
  uint32_t references;
};
static_assert(sizeof(Record) == 16);

/// So many records and scopes are looked through before the index is asked.
constexpr size_t LATEST = 32;

class OpenScopes;

}  // namespace

}  // namespace ctorch

struct ctorch_scope {
  ctorch::OpenScopes &thread;
  ctorch_scope *const parent;
  const size_t depth;     // the outermost's is 0
  const uint64_t number;  // no other scope of the thread ever has it
  std::vector<ctorch::Record> records;
  size_t indexed = 0;  // the length of the front part
  size_t holes = 0;    // in it
};

namespace ctorch {

namespace {

/// The books, without the scopes.
void strike_out(Handle handle) noexcept {
  if (keeps(BYTES)) {
    let_go({handle});
  }
  if (keeps(LEAKS)) {
    (void)count_down(handle);
  }
}

/// Delete it, with LEAKS only after a while.
template <class T>
void destroy(T *object) noexcept {
  if (__builtin_expect(keeps(LEAKS), false)) {
    free_later(object, [](void *freed) { delete static_cast<T *>(freed); });
  } else {
    delete object;
  }
}

/// A record, or a null scope.
struct Found {
  ctorch_scope *scope;
  size_t position;
};

/// The scopes of a thread, or those that a callback opens outside of them.
class OpenScopes final : public PerThread {
 public:
  ~OpenScopes() override { end_all(); }
  void thread_ends(bool) noexcept override { end_all(); }

  ctorch_scope *begin();
  void end(const ctorch_scope *self) noexcept;

  bool is_open(const ctorch_scope *self) noexcept;
  /// The record of a handle in the innermost scope that has one.
  Found find(const void *handle) noexcept;
  /// Take one reference out of a record that find() found.
  Handle take_out(Found found) noexcept;
  /// Record a handle in a scope that is not the innermost.
  void put_in(ctorch_scope &scope, Handle handle);

 private:
  void end_innermost() noexcept;
  void end_all() noexcept {
    if (keeps(LEAKS)) {
      count_all_forgotten();
    }
    while (!scopes_.empty()) {
      end_innermost();
    }
  }
  void count_all_forgotten() const noexcept {
    for (const ctorch_scope *scope : scopes_) {
      count_forgotten_scope(scope);
      for (const Record &record : scope->records) {
        if (record.handle != nullptr) {
          count_forgotten({record.handle, record.kind}, record.references);
        }
      }
    }
  }
  Found find_in_index(const void *handle) const noexcept;
  Found find_by_index(const void *handle) noexcept;
  bool bring_index_up_to_date() noexcept;
  void index_next(ctorch_scope &scope);
  void fill_holes(ctorch_scope &scope) noexcept;

  std::vector<ctorch_scope *> scopes_;  // the innermost last
  uint64_t scopes_so_far_ = 0;
  ScopeIndex index_;
  size_t indexed_scopes_ = 0;
};

constexpr size_t IS_SCOPE = SIZE_MAX;  // the position of a scope in the index

ctorch_scope *OpenScopes::begin() {
  std::unique_ptr<ctorch_scope> scope(new ctorch_scope{*this, open_scope, scopes_.size(), ++scopes_so_far_, {}});
  scopes_.push_back(scope.get());
  if (keeps(LEAKS)) {
    try {
      count_up({scope.get(), Kind::Scope});
    } catch (...) {
      scopes_.pop_back();
      throw;
    }
  }
  return open_scope = scope.release();
}

void OpenScopes::end_innermost() noexcept {
  ctorch_scope *const scope = open_scope;
  const uint64_t number = scope->number;
  // What is taken back, or another book's callback, may call ctorch, and there release handles of this scope, push
  // modes, or end scopes, this one too (what a release calls back may not: outside_scopes.hpp). So each reference is
  // taken out before its release, and the scope is looked at only while it is the innermost.
  const auto is_innermost = [&] { return open_scope == scope && scope->number == number; };
  do {
    while (is_innermost() && take_back_push_of(scope)) {
    }
    while (is_innermost() && !scope->records.empty()) {
      if (scope->records.back().handle == nullptr) {
        scope->records.pop_back();
        scope->indexed--;
        scope->holes--;
        continue;
      }
      const Handle handle = take_out({scope, scope->records.size() - 1});
      strike_out(handle);
      release(handle);
    }
  } while (is_innermost() && take_back_push_of(scope));
  if (is_innermost()) {
    if (scope->depth < indexed_scopes_) {
      index_.erase_innermost(scope);
      indexed_scopes_--;
    }
    scopes_.pop_back();
    open_scope = scope->parent;
    strike_out({scope, Kind::Scope});
    destroy(scope);
  }
}

void OpenScopes::end(const ctorch_scope *self) noexcept {
  if (!is_open(self)) {
    return;
  }
  // Callbacks may end it as well, and others may then have its place, or even its address.
  const size_t depth = self->depth;
  const uint64_t number = self->number;
  while (scopes_.size() > depth && scopes_[depth]->number == number) {
    end_innermost();
  }
}

bool OpenScopes::is_open(const ctorch_scope *self) noexcept {
  const size_t latest = std::min(scopes_.size(), LATEST);
  if (std::find(scopes_.end() - static_cast<ptrdiff_t>(latest), scopes_.end(), self) != scopes_.end()) {
    return true;
  }
  if (latest == scopes_.size()) {
    return false;
  }
  if (!bring_index_up_to_date()) {
    return std::find(scopes_.begin(), scopes_.end(), self) != scopes_.end();
  }
  const ScopeIndex::Place *place = index_.find(self);
  return place != nullptr && place->position == IS_SCOPE;
}

Found OpenScopes::find(const void *handle) noexcept {
  size_t looked_at = 0;
  for (ctorch_scope *scope = open_scope;; scope = scope->parent) {
    for (size_t i = scope->records.size(); i > scope->indexed;) {
      if (looked_at++ == LATEST) {
        return find_by_index(handle);
      }
      if (scope->records[--i].handle == handle) {
        return {scope, i};
      }
    }
    if (scope->parent == nullptr || scope->depth < indexed_scopes_) {  // those around it have no tails
      return find_in_index(handle);
    }
    if (looked_at++ >= LATEST) {
      return find_by_index(handle);
    }
  }
}

Found OpenScopes::find_in_index(const void *handle) const noexcept {
  const ScopeIndex::Place *place = index_.find(handle);
  return place == nullptr || place->position == IS_SCOPE ? Found{} : Found{place->scope, place->position};
}

/// The same wherever it is.
Found OpenScopes::find_by_index(const void *handle) noexcept {
  if (bring_index_up_to_date()) {
    return find_in_index(handle);
  }
  for (ctorch_scope *scope = open_scope; scope != nullptr; scope = scope->parent) {
    for (size_t i = scope->records.size(); i-- > 0;) {
      if (scope->records[i].handle == handle) {
        return {scope, i};
      }
    }
  }
  return {};
}

/// False if there is no memory for it.
bool OpenScopes::bring_index_up_to_date() noexcept {
  try {
    for (size_t depth = indexed_scopes_ == 0 ? 0 : indexed_scopes_ - 1; depth < scopes_.size(); depth++) {
      ctorch_scope &scope = *scopes_[depth];
      if (depth == indexed_scopes_) {
        index_.insert(&scope, &scope, depth, IS_SCOPE);
        indexed_scopes_++;
      }
      while (scope.indexed < scope.records.size()) {
        index_next(scope);
      }
    }
    return true;
  } catch (...) {
    return false;
  }
}

void OpenScopes::index_next(ctorch_scope &scope) {
  Record &record = scope.records[scope.indexed];
  const ScopeIndex::Place *place = index_.find(record.handle);
  if (place != nullptr && place->scope == &scope) {
    scope.records[place->position].references++;
    record.handle = nullptr;
    scope.holes++;
  } else {
    index_.insert(record.handle, &scope, scope.depth, scope.indexed);
  }
  scope.indexed++;
}

Handle OpenScopes::take_out(Found found) noexcept {
  ctorch_scope &scope = *found.scope;
  Record &record = scope.records[found.position];
  Handle handle{record.handle, record.kind};
  if (found.position >= scope.indexed) {
    scope.records.erase(scope.records.begin() + static_cast<ptrdiff_t>(found.position));
  } else if (--record.references == 0) {
    index_.erase_innermost(record.handle);
    record.handle = nullptr;
    scope.holes++;
    if (scope.holes > LATEST && scope.holes > scope.indexed / 2) {
      fill_holes(scope);
    }
  }
  return handle;
}

void OpenScopes::fill_holes(ctorch_scope &scope) noexcept {
  size_t len = 0;
  for (size_t i = 0; i < scope.indexed; i++) {
    const Record record = scope.records[i];
    if (record.handle != nullptr) {
      scope.records[len] = record;
      index_.find(record.handle, scope.depth).position = len;
      len++;
    }
  }
  scope.records.erase(
      scope.records.begin() + static_cast<ptrdiff_t>(len),
      scope.records.begin() + static_cast<ptrdiff_t>(scope.indexed));
  scope.indexed = len;
  scope.holes = 0;
}

void OpenScopes::put_in(ctorch_scope &scope, Handle handle) {
  const Record record{handle.pointer, handle.kind, 1};
  if (scope.depth + 1 >= indexed_scopes_) {
    scope.records.push_back(record);
    return;
  }
  // It has no tail, and must not get one.
  const ScopeIndex::Place *place = index_.find(handle.pointer);
  while (place != nullptr && place->depth > scope.depth) {
    place = place->outer;
  }
  if (place != nullptr && place->scope == &scope) {
    scope.records[place->position].references++;
    return;
  }
  scope.records.push_back(record);
  try {
    index_.insert(handle.pointer, &scope, scope.depth, scope.indexed);
  } catch (...) {
    scope.records.pop_back();
    throw;
  }
  scope.indexed++;
}

/// Room for handles in the innermost scope, so that taking them in cannot fail.
void make_room(size_t len) {
  if (open_scope != nullptr) {
    auto &list = open_scope->records;
    if (list.capacity() - list.size() < len) {
      list.reserve(std::max({2 * list.capacity(), list.size() + len, size_t{16}}));
    }
  }
}

void take_in(std::initializer_list<Handle> handles) {
  if (open_scope != nullptr) {
    for (const Handle &handle : handles) {
      if (is_owned(handle)) {
        open_scope->records.push_back({handle.pointer, handle.kind, 1});
      }
    }
  }
}

/// The book of LEAKS, all or none.
void count_all_up(std::initializer_list<Handle> handles) {
  auto counted = handles.begin();
  try {
    for (; counted != handles.end(); ++counted) {
      if (is_owned(*counted)) {
        count_up(*counted);
      }
    }
  } catch (...) {
    while (counted != handles.begin()) {
      if (is_owned(*--counted)) {
        (void)count_down(*counted);
      }
    }
    throw;
  }
}

/// The books and the scope, all or none.
void write_down(std::initializer_list<Handle> handles, Growth growth) {
  if (keeps(BYTES)) {
    hold(handles, growth);  // first, because it calls back, and a callback may end scopes
  }
  try {
    make_room(handles.size());
    if (keeps(LEAKS)) {
      count_all_up(handles);
    }
  } catch (...) {
    if (keeps(BYTES)) {
      let_go(handles);
    }
    throw;
  }
  take_in(handles);
}

}  // namespace

void record(std::initializer_list<Handle> handles) {
  if (keeps(LEAKS | BYTES)) {
    write_down(handles, Growth::Reported);
  } else {
    make_room(handles.size());
    take_in(handles);
  }
}

void record_retained(Handle handle) noexcept {
  try {
    write_down({handle}, Growth::Silent);
  } catch (...) {  // an unrecorded reference leaks at worst
  }
}

void record_released(std::initializer_list<Handle> handles) {
  try {
    record(handles);
  } catch (...) {
    for (const Handle &handle : handles) {
      if (is_owned(handle)) {
        release(handle);
      }
    }
    throw;
  }
}

bool forget(Handle handle) noexcept {
  if (__builtin_expect(keeps(LEAKS | BYTES), false)) {
    if (keeps(LEAKS) && !count_down(handle)) {
      return false;
    }
    if (keeps(BYTES)) {
      let_go({handle});
    }
  }
  if (ctorch_scope *scope = open_scope) {
    auto &records = scope->records;
    if (records.size() > scope->indexed && records.back().handle == handle.pointer) {  // most are short-lived
      records.pop_back();
    } else if (Found found = scope->thread.find(handle.pointer); found.scope != nullptr) {
      scope->thread.take_out(found);
    }
  }
  return true;
}

void release(Handle handle) noexcept {
  switch (handle.kind) {
    case Kind::Tensor:
      c10::raw::intrusive_ptr::decref(static_cast<at::TensorImpl *>(handle.pointer));
      break;
    case Kind::TensorList:
      if (keeps(LEAKS)) {
        static_cast<ctorch_tensor_list *>(handle.pointer)->clear();
      }
      destroy(static_cast<ctorch_tensor_list *>(handle.pointer));
      break;
    case Kind::Storage:
      c10::raw::intrusive_ptr::decref(static_cast<c10::StorageImpl *>(handle.pointer));
      break;
    case Kind::Generator:
      c10::raw::intrusive_ptr::decref(static_cast<c10::GeneratorImpl *>(handle.pointer));
      break;
    case Kind::String:
      destroy(static_cast<ctorch_string *>(handle.pointer));
      break;
    case Kind::Object:
      c10::raw::intrusive_ptr::decref(static_cast<Object *>(handle.pointer));
      break;
    case Kind::CObject:
      object_unref(handle.pointer);
      break;
    case Kind::Error:
    case Kind::Scope:
      break;  // never belong to a scope
  }
}

ctorch_scope *begin_scope() {
  enter_thread();  // what the scope gives back when the thread ends may call operators
  if (open_scope != nullptr) {
    return open_scope->thread.begin();
  }
  OutsideScopes *const outside = OutsideScopes::innermost();
  if (outside == nullptr) {
    return per_thread<OpenScopes>().begin();
  }
  if (outside->own == nullptr) {
    outside->own = std::make_unique<OpenScopes>();
  }
  return static_cast<OpenScopes &>(*outside->own).begin();
}

void end_scope(ctorch_scope *self) noexcept {
  if (self == nullptr || (keeps(LEAKS) && !is_usable({self, Kind::Scope}))) {
    return;
  }
  if (open_scope != nullptr) {
    open_scope->thread.end(self);
  }
}

bool keep_beyond(const ctorch_scope *self, const void *handle) {
  if (open_scope == nullptr) {
    return self == nullptr;
  }
  OpenScopes &thread = open_scope->thread;
  if (self != nullptr && !thread.is_open(self)) {
    return false;
  }
  const Found found = handle == nullptr ? Found{} : thread.find(handle);
  if (found.scope == nullptr || (self != nullptr && found.scope->depth < self->depth)) {
    return true;
  }
  if (self != nullptr && self->parent != nullptr) {
    const Record &record = found.scope->records[found.position];
    thread.put_in(*self->parent, {record.handle, record.kind});
  }
  thread.take_out(found);
  return true;
}

namespace {

Found find_in_innermost(const void *handle) noexcept {
  if (open_scope == nullptr || handle == nullptr) {
    return {};
  }
  const Found found = open_scope->thread.find(handle);
  return found.scope == open_scope ? found : Found{};
}

}  // namespace

bool innermost_owns(const void *handle) noexcept { return find_in_innermost(handle).scope != nullptr; }

void discard(const void *handle) noexcept {
  const Found found = find_in_innermost(handle);
  if (found.scope != nullptr) {
    const Handle given_up = found.scope->thread.take_out(found);
    if (keeps(LEAKS | BYTES)) {
      strike_out(given_up);
    }
    release(given_up);
  }
}

}  // namespace ctorch
