// The book of LEAKS: a table of every live reference and where it was made, and the quarantine of what was released.
//
// A handle that was given back may go on being used, by mistake. To tell, its address must not come to stand for
// something else: so the object's memory is kept back for a while, of what LibTorch counts by a weak reference (the
// object gives up what it holds all the same), of the others by not freeing it yet. The quarantine is a queue of
// bounded length; what leaves it is forgotten.
//
// A handle is refused only if it is known to be wrong: released and dead, or made as another kind. Elements of lists
// and arguments of callbacks are handles too, and nobody made those; and what C has released may live on in a graph and
// come back from there.
#include "core/abi/debug.hpp"

#include <stdio.h>

#include <algorithm>
#include <deque>
#include <map>
#include <mutex>
#include <string>
#include <typeinfo>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/abi/c_object.hpp"
#include "core/abi/fork.hpp"
#include "core/abi/handle.hpp"
#include "core/abi/stack.hpp"

namespace ctorch {

namespace {

constexpr size_t QUARANTINE = 8192;

/// Static text.
const char *name_of(Handle handle) noexcept {
  switch (handle.kind) {
    case Kind::Tensor:
      return "tensor";
    case Kind::TensorList:
      return "tensor_list";
    case Kind::Storage:
      return "storage";
    case Kind::Generator:
      return "generator";
    case Kind::String:
      return "string";
    case Kind::Object:
      return static_cast<const Object *>(handle.pointer)->type_name();
    case Kind::CObject:
      return c_object_name(handle.pointer);
    case Kind::Error:
      return "error";
    case Kind::Scope:
      return "scope";
  }
  return "handle";
}

/// What LibTorch counts the references of, and keeps in memory as long as a weak one is left.
bool has_weak_references(Kind kind) { return kind == Kind::Tensor || kind == Kind::Storage || kind == Kind::Generator; }
/// Whether an object that is alive, and is about to be given back, gives up what it holds when it dies, though a weak
/// reference keeps its memory. A sparse tensor keeps its parts until then, a quantized one its scales, a wrapper what
/// it wraps: those die at once, and are forgotten.
bool can_be_kept_back(Handle handle) {
  if (handle.kind != Kind::Tensor) {
    return true;
  }
  const at::TensorImpl &tensor = *static_cast<const at::TensorImpl *>(handle.pointer);
  return typeid(tensor) == typeid(at::TensorImpl);
}
c10::intrusive_ptr_target *counted(void *pointer, Kind kind) {
  switch (kind) {
    case Kind::Tensor:
      return static_cast<at::TensorImpl *>(pointer);
    case Kind::Storage:
      return static_cast<c10::StorageImpl *>(pointer);
    default:
      return static_cast<c10::GeneratorImpl *>(pointer);
  }
}

struct Origin {
  Kind kind;
  const char *name;
  Stack stack;
};

/// Of a handle that C has given back.
struct Released {
  Kind kind;
  const char *name;
  Stack made, released;
  uint64_t number;       // its place in the queue
  bool destroyed;        // of those without weak references
  void (*free)(void *);  // and how to free it then
};

/// What leaves the quarantine, to be done away with when the table is not locked.
struct Leaving {
  void *pointer;
  Kind kind;
  void (*free)(void *);
};

std::string made_by(const Origin &origin) { return std::string(origin.name) + " made by " + origin.stack.place(); }

/// How many were made in each place.
class Count {
 public:
  void add(const Origin &origin, size_t references) {
    const void *const *frames = origin.stack.frames;
    auto &entry = stacks_.try_emplace({origin.name, {frames, frames + origin.stack.len}}, origin, 0).first->second;
    entry.second += references;
  }
  bool empty() const { return stacks_.empty(); }

  /// A line for each place, those with the most first. A place's name takes milliseconds.
  std::string text() const {
    std::map<std::string, size_t> places;
    for (const auto &[key, entry] : stacks_) {
      places[made_by(entry.first)] += entry.second;
    }
    std::vector<std::pair<std::string, size_t>> sorted(places.begin(), places.end());
    std::stable_sort(sorted.begin(), sorted.end(), [](const auto &a, const auto &b) { return a.second > b.second; });
    std::string text;
    for (const auto &[place, references] : sorted) {
      text += place + (references == 1 ? "" : ", " + std::to_string(references) + " times") + "\n";
    }
    return text;
  }

 private:
  std::map<std::pair<const char *, std::vector<const void *>>, std::pair<Origin, size_t>> stacks_;
};

class Table {
 public:
  void add(Handle handle, const Stack &stack) {
    const std::lock_guard lock(mutex_);
    auto [place, is_new] = live_.try_emplace(handle.pointer);
    try {
      place->second.push_back({handle.kind, name_of(handle), stack});
    } catch (...) {
      if (is_new) {
        live_.erase(place);
      }
      throw;
    }
    references_++;
    forget_released(handle.pointer);
  }

  /// False if the caller had no reference; `problem` tells then.
  bool remove(Handle handle, const Stack &stack, std::string &problem) {
    std::vector<Leaving> leaving;
    {
      const std::lock_guard lock(mutex_);
      const auto place = live_.find(handle.pointer);
      if (place == live_.end()) {
        const auto earlier = released_.find(handle.pointer);
        if (earlier == released_.end()) {
          return true;  // it was not recorded, or so long ago that nobody knows
        }
        problem = text_of(earlier->second);
        return false;
      }
      if (place->second.back().kind != handle.kind) {
        problem = other_kind(place->second.back());
        return false;
      }
      const Origin origin = place->second.back();
      place->second.pop_back();
      references_--;
      if (place->second.empty()) {
        live_.erase(place);
        quarantine(handle, origin, stack, leaving);
        if (handle.kind == Kind::TensorList) {  // its elements go with it, as far as nobody else has them
          for (const at::Tensor &element : static_cast<ctorch_tensor_list *>(handle.pointer)->tensors) {
            void *const pointer = *reinterpret_cast<at::TensorImpl *const *>(&element);
            if (is_owned({pointer, Kind::Tensor}) && live_.count(pointer) == 0) {
              quarantine({pointer, Kind::Tensor}, {Kind::Tensor, "tensor", origin.stack}, stack, leaving);
            }
          }
        }
      }
    }
    let_leave(leaving);
    return true;
  }

  std::string problem_with(Handle handle) {
    const std::lock_guard lock(mutex_);
    if (const auto place = live_.find(handle.pointer); place != live_.end()) {
      const Origin &origin = place->second.back();
      return origin.kind == handle.kind ? "" : other_kind(origin);
    }
    return how_destroyed(handle.pointer);  // the mutex may be taken twice
  }

  bool is_live(const void *pointer) {
    const std::lock_guard lock(mutex_);
    return live_.count(pointer) != 0;
  }

  std::string how_destroyed(const void *pointer) {
    const std::lock_guard lock(mutex_);
    const auto earlier = released_.find(pointer);
    return earlier != released_.end() && is_dead(pointer, earlier->second) ? text_of(earlier->second) : "";
  }

  bool was_destroyed(const void *pointer) {
    const std::lock_guard lock(mutex_);
    const auto earlier = released_.find(pointer);
    return earlier != released_.end() && is_dead(pointer, earlier->second);
  }

  /// False if the memory is nothing that C ever had.
  bool keep_back(void *pointer, void (*free)(void *)) {
    const std::lock_guard lock(mutex_);
    const auto earlier = released_.find(pointer);
    if (earlier == released_.end() || has_weak_references(earlier->second.kind)) {
      return false;
    }
    earlier->second.destroyed = true;
    earlier->second.free = free;
    return true;
  }

  size_t references() {
    const std::lock_guard lock(mutex_);
    return references_;
  }

  void count(Count &counts) {
    const std::lock_guard lock(mutex_);
    for (const auto &[pointer, origins] : live_) {
      for (const Origin &origin : origins) {
        counts.add(origin, 1);
      }
    }
  }

  /// The latest reference to a live handle.
  void count_one(const void *pointer, size_t references, Count &counts) {
    const std::lock_guard lock(mutex_);
    if (const auto place = live_.find(pointer); place != live_.end()) {
      counts.add(place->second.back(), references);
    }
  }

 private:
  static bool is_dead(const void *pointer, const Released &earlier) {
    return has_weak_references(earlier.kind)
               ? c10::raw::weak_intrusive_ptr::use_count(counted(const_cast<void *>(pointer), earlier.kind)) == 0
               : earlier.destroyed;
  }

  static std::string text_of(const Released &earlier) {
    return std::string("this ") + earlier.name + " was released: made by " + earlier.made.place() + "; released by " +
           earlier.released.place();
  }
  static std::string other_kind(const Origin &origin) {
    return std::string("this is a handle of another kind, a ") + made_by(origin);
  }

  void quarantine(Handle handle, const Origin &origin, const Stack &stack, std::vector<Leaving> &leaving) {
    if (!can_be_kept_back(handle)) {
      return;
    }
    try {
      queue_.emplace_back(handle.pointer, ++number_);
      const auto [place, is_new] = released_.try_emplace(handle.pointer);
      if (is_new && has_weak_references(handle.kind)) {
        c10::raw::weak_intrusive_ptr::incref(counted(handle.pointer, handle.kind));
      }
      place->second = {handle.kind, origin.name, origin.stack, stack, number_, false, nullptr};
      while (released_.size() > QUARANTINE || queue_.size() > 2 * QUARANTINE) {
        const auto [pointer, number] = queue_.front();
        if (const auto oldest = released_.find(pointer); oldest != released_.end() && oldest->second.number == number) {
          leaving.push_back({const_cast<void *>(pointer), oldest->second.kind, oldest->second.free});
          released_.erase(oldest);
        }
        queue_.pop_front();
      }
    } catch (...) {  // without memory for it, nobody will know
    }
  }

  /// It was handed out again: its object lived on.
  void forget_released(void *pointer) {
    if (const auto earlier = released_.find(pointer); earlier != released_.end()) {
      const Kind kind = earlier->second.kind;
      released_.erase(earlier);
      if (has_weak_references(kind)) {
        c10::raw::weak_intrusive_ptr::decref(counted(pointer, kind));  // not the last: there is a strong one
      }
    }
  }

  static void let_leave(const std::vector<Leaving> &leaving) {
    for (const auto &[pointer, kind, free] : leaving) {
      if (has_weak_references(kind)) {
        c10::raw::weak_intrusive_ptr::decref(counted(pointer, kind));
      } else if (free != nullptr) {
        free(pointer);
      }
    }
  }

  Mutex mutex_{LockOrder::Leaks};
  std::unordered_map<const void *, std::vector<Origin>> live_;  // the references in the order they were made: the
                                                                // latest is given back first, as in scopes
  size_t references_ = 0;
  std::unordered_map<const void *, Released> released_;
  std::deque<std::pair<const void *, uint64_t>> queue_;  // an entry whose number is not that of the handle is stale
  uint64_t number_ = 0;
};

// Never destroyed: handles may be released by destructors that run after ours.
Table &table = *new Table;

/// What threads left in scopes that they did not end.
struct Forgotten {
  Mutex mutex{LockOrder::ForgottenScopes};
  Count scopes, held;
};
Forgotten &forgotten = *new Forgotten;

struct AtExit {
  ~AtExit() {
    if (!keeps(LEAKS)) {
      return;
    }
    const std::string text = live_handles_text();
    if (!text.empty()) {
      fprintf(stderr, "ctorch: handles that were not released:\n%s", text.c_str());
    }
    const std::lock_guard lock(forgotten.mutex);
    if (!forgotten.scopes.empty()) {
      fprintf(
          stderr, "ctorch: scopes that were not ended:\n%sctorch: what they held until their thread ended:\n%s",
          forgotten.scopes.text().c_str(), forgotten.held.text().c_str());
    }
  }
} at_exit;

/// What a function that cannot fail has to say.
void complain(const std::string &problem) noexcept {
  try {
    fprintf(stderr, "ctorch: %s: %s\n", Stack::here().place().c_str(), problem.c_str());
  } catch (...) {  // without memory for it
  }
}

}  // namespace

const char *c_object_name(const void *self) noexcept { return header_of(self)->type->name; }

void count_up(Handle handle) { table.add(handle, Stack::here()); }

bool count_down(Handle handle) noexcept {
  std::string problem;
  if (table.remove(handle, Stack::here(), problem)) {
    return true;
  }
  complain(problem);
  return false;
}

std::string problem_with(Handle handle) { return table.problem_with(handle); }

bool is_usable(Handle handle) noexcept {
  if (!keeps(LEAKS)) {
    return true;
  }
  try {
    const std::string problem = problem_with(handle);
    if (problem.empty()) {
      return true;
    }
    complain(problem);
    return false;
  } catch (...) {  // without memory to tell
    return true;
  }
}

std::string how_destroyed(const void *handle) { return table.how_destroyed(handle); }

bool was_destroyed(const void *handle) noexcept { return table.was_destroyed(handle); }

bool is_live(const void *handle) noexcept { return table.is_live(handle); }

void free_later(void *handle, void (*free)(void *handle)) noexcept {
  if (!keeps(LEAKS) || !table.keep_back(handle, free)) {
    free(handle);
  }
}

void count_forgotten_scope(const ctorch_scope *scope) noexcept {
  try {
    const std::lock_guard lock(forgotten.mutex);
    table.count_one(scope, 1, forgotten.scopes);
  } catch (...) {  // without memory for it
  }
}

void count_forgotten(Handle handle, size_t references) noexcept {
  try {
    const std::lock_guard lock(forgotten.mutex);
    table.count_one(handle.pointer, references, forgotten.held);
  } catch (...) {  // without memory for it
  }
}

size_t live_handles() { return table.references(); }

std::string live_handles_text() {
  Count counts;
  table.count(counts);
  return counts.text();
}

}  // namespace ctorch
