// Handles: what each opaque C type is behind the pointer, and the bookkeeping of scopes and leak reports.
//
// A ctorch_tensor * is the c10::TensorImpl * itself, a ctorch_storage * the StorageImpl *, a ctorch_generator * the
// GeneratorImpl *: handing one out moves the reference that LibTorch counted, and nothing is allocated. The casts stand
// here (impl, lent), in from.hpp (arguments) and in to.hpp (results).
#pragma once

#include <ATen/core/Tensor.h>

#include <initializer_list>
#include <string>
#include <vector>

#include "core/abi/object.hpp"
#include "ctorch/abi/base.h"

struct ctorch_string {
  std::string text;
};

// Undefined elements are kept as null pointers, which is what a C caller expects to read. An at::Tensor must not be
// destroyed in that state, so the destructor puts LibTorch's undefined tensor back first.
struct ctorch_tensor_list {
  explicit ctorch_tensor_list(std::vector<at::Tensor> &&list) noexcept;
  ~ctorch_tensor_list();
  ctorch_tensor_list(const ctorch_tensor_list &) = delete;
  ctorch_tensor_list &operator=(const ctorch_tensor_list &) = delete;

  /// Drop what is in it.
  void clear() noexcept;

  const ctorch_tensor *const *data() const { return reinterpret_cast<const ctorch_tensor *const *>(tensors.data()); }

  std::vector<at::Tensor> tensors;
};

namespace ctorch {

inline at::TensorImpl *impl(const ctorch_tensor *self) {
  return reinterpret_cast<at::TensorImpl *>(const_cast<ctorch_tensor *>(self));
}
inline c10::StorageImpl *impl(const ctorch_storage *self) {
  return reinterpret_cast<c10::StorageImpl *>(const_cast<ctorch_storage *>(self));
}
inline c10::GeneratorImpl *impl(const ctorch_generator *self) {
  return reinterpret_cast<c10::GeneratorImpl *>(const_cast<ctorch_generator *>(self));
}

/// A handle that somebody else owns, to be lent to a callback; NULL for the undefined tensor.
inline const ctorch_tensor *lent(const at::Tensor &tensor) {
  return tensor.defined() ? reinterpret_cast<const ctorch_tensor *>(tensor.unsafeGetTensorImpl()) : nullptr;
}

/// A second owner of a borrowed handle, which must not be NULL.
inline at::Tensor share(const ctorch_tensor *self) {
  return at::Tensor(
      c10::intrusive_ptr<at::TensorImpl, at::UndefinedTensorImpl>::unsafe_reclaim_from_nonowning(impl(self)));
}

/// CObject: made in C (c/object.h), where the others are C++.
enum class Kind : unsigned char { Tensor, TensorList, Storage, Generator, String, Object, CObject, Error, Scope };

/// The class's name of an object made in C, for the leak report.
const char *c_object_name(const void *self) noexcept;

struct Handle {
  void *pointer;
  Kind kind;
};

/// What is kept of handles besides scopes: bits of `bookkeeping`.
constexpr uintptr_t LEAKS = 1;  // where each was made, and released (debug.cpp); fixed when the library is loaded
constexpr uintptr_t BYTES = 2;  // the memory that they keep alive (memory_pressure.cpp); while a callback asks for it

// The innermost scope of this thread, and what else is kept: the two tests that each call pays for. The initial-exec
// model makes the first a single load; it takes one word of the static TLS that glibc keeps spare for libraries that
// are loaded late.
extern __thread ctorch_scope *open_scope __attribute__((tls_model("initial-exec"), visibility("hidden")));
extern uintptr_t bookkeeping __attribute__((visibility("hidden")));

/// One test for both. `bookkeeping` may change meanwhile, which is as if this had been asked a moment earlier; an
/// atomic load would cost an instruction, because compilers do not fold it into the test.
__attribute__((no_sanitize("thread"))) inline bool recording() {
  return (reinterpret_cast<uintptr_t>(open_scope) | bookkeeping) != 0;
}
inline bool keeps(uintptr_t book) { return (__atomic_load_n(&bookkeeping, __ATOMIC_RELAXED) & book) != 0; }

/// Note handles that are about to be handed out, all or none. Null pointers and undefined tensors are skipped. With
/// BYTES this may call back into C, and fail as that does.
[[gnu::cold]] void record(std::initializer_list<Handle> handles);
/// The same for references that are ours to lose: they are dropped if this fails.
[[gnu::cold]] void record_released(std::initializer_list<Handle> handles);
/// The same for a reference that was added to what the caller has. If memory runs out it is not noted.
[[gnu::cold]] void record_retained(Handle handle) noexcept;
/// Note that a reference is being given back. False, after a line on stderr, if LEAKS knows that the caller has none:
/// then there is nothing to drop.
[[gnu::cold]] bool forget(Handle handle) noexcept;
/// The same for what a callback hands over, with an error INVALID_HANDLE in place of false.
[[gnu::cold]] void forget_or_fail(Handle handle);
/// Drop a reference, without any bookkeeping.
void release(Handle handle) noexcept;

inline void hand_out(std::initializer_list<Handle> handles) {
  if (__builtin_expect(recording(), false)) {
    record(handles);
  }
}
/// Whether there is a reference to drop; see forget().
inline bool take_back(Handle handle) noexcept { return __builtin_expect(!recording(), true) || forget(handle); }

/// What LEAKS knows against using a handle as one of a kind: "this tensor was released: made by …; released by …".
/// Empty if nothing; of a handle that was never recorded nothing is known.
std::string problem_with(Handle handle);
/// INVALID_HANDLE if there is something.
void check_usable(Handle handle, const char *name);
/// The same for each tensor of a list.
void check_all_usable(const ctorch_tensor *const *list, size_t len, const char *name);
/// Whether there is something, with a line on stderr: for functions that cannot fail.
[[gnu::cold]] bool is_usable(Handle handle) noexcept;
/// Whether LEAKS knows that what was behind a handle is no more.
[[gnu::cold]] bool was_destroyed(const void *handle) noexcept;
/// Whether a handle is in the book of LEAKS now.
bool is_live(const void *handle) noexcept;

/// What an accessor asks of its argument: with LEAKS also that it was not destroyed.
template <class T>
bool is_there(const T *self) noexcept {
  return self != nullptr && (__builtin_expect(!keeps(LEAKS), true) || !was_destroyed(self));
}

/// Free the memory that a handle stood for; with LEAKS only after a while, so that the handle is known to be dead.
void free_later(void *handle, void (*free)(void *handle)) noexcept;

/// Add a reference, with the bookkeeping.
template <class Object>
void retain(Object *object, Kind kind) noexcept {
  if (__builtin_expect(recording(), false)) {
    if (is_usable({object, kind})) {
      c10::raw::intrusive_ptr::incref(object);
      record_retained({object, kind});
      __asm__ volatile("");  // no jump in place of the call: LEAKS looks for the frame of the exported function
    }
    return;
  }
  c10::raw::intrusive_ptr::incref(object);
}

/// Objects of ctorch's own; NULL is allowed.
template <class T>
void retain_object(const T *self) noexcept {
  if (self != nullptr) {
    retain(static_cast<Object *>(const_cast<T *>(self)), Kind::Object);
  }
}
template <class T>
void release_object(T *self) noexcept {
  if (self != nullptr) {
    Handle handle{static_cast<Object *>(self), Kind::Object};
    if (take_back(handle)) {
      release(handle);
    }
  }
}

/// Take over a reference that a callback hands over; NULL is the undefined tensor.
inline at::Tensor take_over(ctorch_tensor *self) {
  if (self == nullptr) {
    return {};
  }
  if (__builtin_expect(recording(), false)) {
    forget_or_fail({impl(self), Kind::Tensor});
  }
  return at::Tensor(c10::intrusive_ptr<at::TensorImpl, at::UndefinedTensorImpl>::reclaim(impl(self)));
}
/// The same for an object; NULL stays null.
template <class T>
c10::intrusive_ptr<T> take_over_object(T *self) {
  if (self != nullptr && __builtin_expect(recording(), false)) {
    forget_or_fail({static_cast<Object *>(self), Kind::Object});
  }
  return c10::intrusive_ptr<T>::reclaim(self);
}
/// Release a tensor that a callback handed over and nobody wants; NULL is allowed.
inline void drop(ctorch_tensor *self) noexcept {
  if (self != nullptr && take_back({impl(self), Kind::Tensor})) {
    release({impl(self), Kind::Tensor});
  }
}

/// Whether there is a reference behind a result.
inline bool is_owned(Handle handle) {
  return handle.pointer != nullptr && handle.pointer != at::UndefinedTensorImpl::singleton();
}

/// The book of LEAKS. Nothing is counted down if the caller has no reference that was counted up, but has had one; the
/// answer is then false, after a line on stderr.
void count_up(Handle handle);
bool count_down(Handle handle) noexcept;
/// A scope is about to be ended by the end of its thread. So is what it holds.
void count_forgotten_scope(const ctorch_scope *scope) noexcept;
void count_forgotten(Handle handle, size_t references) noexcept;

}  // namespace ctorch
