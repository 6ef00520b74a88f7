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

#include "abi/object.hpp"
#include "ctorch/base.h"

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

/// CObject: made in C (abi/c/object.h), where the others are C++.
enum class Kind : unsigned char { Tensor, TensorList, Storage, Generator, String, Object, CObject, Error, Scope };

/// The class's name of an object made in C, for the leak report.
const char *c_object_name(const void *self) noexcept;

struct Handle {
  void *pointer;
  Kind kind;
};

/// What is kept of handles besides scopes: bits of `bookkeeping`.
constexpr uintptr_t LEAKS = 1;  // where each live one was made (debug.cpp); fixed when the library is loaded
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
/// Note that a reference is being given back.
[[gnu::cold]] void forget(Handle handle) noexcept;
/// Drop a reference, without any bookkeeping.
void release(Handle handle) noexcept;

inline void hand_out(std::initializer_list<Handle> handles) {
  if (__builtin_expect(recording(), false)) {
    record(handles);
  }
}
inline void take_back(Handle handle) noexcept {
  if (__builtin_expect(recording(), false)) {
    forget(handle);
  }
}

/// Add a reference, with the bookkeeping.
template <class Object>
void retain(Object *object, Kind kind) noexcept {
  c10::raw::intrusive_ptr::incref(object);
  if (__builtin_expect(recording(), false)) {
    record_retained({object, kind});
    __asm__ volatile("");  // no jump in place of the call: the report of LEAKS looks for the frame of the function
  }
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
    take_back(handle);
    release(handle);
  }
}

/// Take over a reference that a callback hands over; NULL is the undefined tensor.
inline at::Tensor take_over(ctorch_tensor *self) {
  if (self == nullptr) {
    return {};
  }
  take_back({impl(self), Kind::Tensor});
  return at::Tensor(c10::intrusive_ptr<at::TensorImpl, at::UndefinedTensorImpl>::reclaim(impl(self)));
}
/// The same for an object; NULL stays null.
template <class T>
c10::intrusive_ptr<T> take_over_object(T *self) {
  if (self != nullptr) {
    take_back({static_cast<Object *>(self), Kind::Object});
  }
  return c10::intrusive_ptr<T>::reclaim(self);
}

/// Whether there is a reference behind a result.
inline bool is_owned(Handle handle) {
  return handle.pointer != nullptr && handle.pointer != at::UndefinedTensorImpl::singleton();
}

/// The book of LEAKS.
void count_up(Handle handle);
void count_down(Handle handle) noexcept;

}  // namespace ctorch
