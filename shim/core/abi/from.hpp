// from::x(c_argument, …): what LibTorch takes, made of what a C caller passes.
//
// The generated wrappers call nothing else for their arguments; bindings-gen/ctorchgen/types.py says which conversion
// belongs to which schema type. Every one checks before it touches: null pointers, lengths, unknown enumerators,
// integers that LibTorch would take for pointers, text that is not UTF-8. The failing paths are out of line (from.cpp).
#pragma once

#include <ATen/core/Generator.h>
#include <ATen/core/IListRef.h>
#include <ATen/core/List.h>
#include <ATen/core/Tensor.h>
#include <c10/core/Stream.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <initializer_list>
#include <optional>
#include <string_view>

#include "core/abi/error.hpp"
#include "core/abi/handle.hpp"
#include "ctorch/abi/types.h"

namespace ctorch::from {

/// With LEAKS: INVALID_HANDLE if something is known against a handle. What stands in `unchecked` does without, for the
/// generated wrappers, whose guard has looked at the handles already.
inline void check(const void *self, Kind kind, const char *name) {
  if (__builtin_expect(keeps(LEAKS), false)) {
    check_usable({const_cast<void *>(self), kind}, name);
  }
}

namespace unchecked {

using namespace ctorch::from;

// Tensors -------------------------------------------------------------------------------------------------------------

/// A handle is the one word that an at::Tensor consists of: seen through the cast, no reference count moves.
inline const at::Tensor &tensor(const ctorch_tensor *const &self, const char *name) {
  if (__builtin_expect(self == nullptr, false)) {
    fail_null(name);
  }
  return reinterpret_cast<const at::Tensor &>(self);
}

/// An engaged optional that borrows: it is never destroyed, so the reference it holds is the caller's.
class OptionalTensor {
 public:
  explicit OptionalTensor(const ctorch_tensor *self) {
    if (self == nullptr) {
      new (&value_) std::optional<at::Tensor>();
    } else {
      new (&value_) std::optional<at::Tensor>(
          at::Tensor(c10::intrusive_ptr<at::TensorImpl, at::UndefinedTensorImpl>::reclaim(impl(self))));
    }
  }
  OptionalTensor(const OptionalTensor &) = delete;
  OptionalTensor &operator=(const OptionalTensor &) = delete;
  ~OptionalTensor() {}  // on purpose not that of value_

  operator const std::optional<at::Tensor> &() const { return value_; }

 private:
  union {
    std::optional<at::Tensor> value_;
  };
};
inline OptionalTensor optional_tensor(const ctorch_tensor *self) { return OptionalTensor(self); }

/// A mutated argument. A few kernels assign to it, which would steal the caller's reference, so it travels as an owner;
/// if it comes back as another tensor, finish() makes the caller's tensor that one.
class Mutable {
 public:
  [[gnu::always_inline]] Mutable(ctorch_tensor *self, const char *name) : self_(self), tensor_(self) {
    if (__builtin_expect(self == nullptr, false)) {
      fail_null(name);
    }
    c10::raw::intrusive_ptr::incref(impl(self));
  }
  Mutable(const Mutable &) = delete;
  Mutable &operator=(const Mutable &) = delete;
  ~Mutable() { c10::raw::intrusive_ptr::decref(impl(tensor_)); }

  operator at::Tensor &() { return reinterpret_cast<at::Tensor &>(tensor_); }
  void finish() {
    if (__builtin_expect(tensor_ != self_, false)) {
      write_back();
    }
  }

 private:
  [[gnu::cold]] void write_back();

  ctorch_tensor *self_;
  ctorch_tensor *tensor_;
};

}  // namespace unchecked

inline const at::Tensor &tensor(const ctorch_tensor *const &self, const char *name) {
  check(self, Kind::Tensor, name);
  return unchecked::tensor(self, name);
}
class Mutable : public unchecked::Mutable {
 public:
  Mutable(ctorch_tensor *self, const char *name) : unchecked::Mutable((check(self, Kind::Tensor, name), self), name) {}
};

// Lists of tensors ----------------------------------------------------------------------------------------------------

// No list of a real call comes near; a garbage length does.
constexpr size_t MAX_LIST = INT32_MAX;

[[noreturn, gnu::cold]] void fail_list(const void *data, size_t len, const char *name);
[[noreturn, gnu::cold]] void fail_null_element(const char *name, size_t i);

/// Some kernels ask whether a list is there by its data pointer, which is NULL in an empty C++ vector.
template <class T>
const T *begin(const T *data, size_t len) {
  return len == 0 ? nullptr : data;
}
inline void check_list(const void *data, size_t len, const char *name) {
  if (__builtin_expect(len > (data == nullptr ? 0 : MAX_LIST), false)) {
    fail_list(data, len, name);
  }
}

namespace unchecked {

inline void check_tensors(const ctorch_tensor *const *data, size_t len, const char *name) {
  check_list(static_cast<const void *>(data), len, name);
  auto null = std::find(data, data + len, nullptr);
  if (__builtin_expect(null != data + len, false)) {
    fail_null_element(name, null - data);
  }
}

inline at::TensorList tensors(const ctorch_tensor *const *data, size_t len, const char *name) {
  check_tensors(data, len, name);
  return {reinterpret_cast<const at::Tensor *>(begin(data, len)), len};
}
inline at::ITensorListRef tensor_list_ref(const ctorch_tensor *const *data, size_t len, const char *name) {
  return tensors(data, len, name);
}
c10::List<std::optional<at::Tensor>> optional_tensors(const ctorch_tensor *const *data, size_t len, const char *name);

}  // namespace unchecked

inline void check_list(const ctorch_tensor *const *data, size_t len, const char *name) {
  check_list(static_cast<const void *>(data), len, name);
  if (__builtin_expect(keeps(LEAKS), false)) {
    check_all_usable(data, len, name);
  }
}
inline void check_tensors(const ctorch_tensor *const *data, size_t len, const char *name) {
  check_list(data, len, name);
  unchecked::check_tensors(data, len, name);
}
inline at::TensorList tensors(const ctorch_tensor *const *data, size_t len, const char *name) {
  check_tensors(data, len, name);
  return unchecked::tensors(data, len, name);
}
inline c10::List<std::optional<at::Tensor>> optional_tensors(
    const ctorch_tensor *const *data, size_t len, const char *name) {
  check_list(data, len, name);
  return unchecked::optional_tensors(data, len, name);
}

// Numbers -------------------------------------------------------------------------------------------------------------

/// LibTorch keeps pointers to symbolic sizes below this.
constexpr int64_t MIN_SYMINT = -(int64_t{1} << 62);
[[noreturn, gnu::cold]] void fail_symint(int64_t value, const char *name);

inline c10::SymInt symint(int64_t value, const char *name) {
  if (__builtin_expect(value < MIN_SYMINT, false)) {
    fail_symint(value, name);
  }
  return {c10::SymInt::UNCHECKED, value};
}

template <class T>
std::optional<T> optional(const T *value) {
  return value == nullptr ? std::nullopt : std::optional<T>(*value);
}
inline std::optional<int64_t> optional_int64(const int64_t *value, const char *) { return optional(value); }
inline std::optional<double> optional_double(const double *value, const char *) { return optional(value); }
inline std::optional<bool> optional_bool(const bool *value, const char *) { return optional(value); }
inline std::optional<int64_t> optional_int64_or(const int64_t *value, const char *, int64_t otherwise) {
  return value == nullptr ? otherwise : *value;
}
inline std::optional<bool> optional_bool_or(const bool *value, const char *, bool otherwise) {
  return value == nullptr ? otherwise : *value;
}
inline std::optional<c10::SymInt> optional_symint(const int64_t *value, const char *name) {
  return value == nullptr ? std::nullopt : std::optional<c10::SymInt>(symint(*value, name));
}

at::Scalar other_scalar(const ctorch_scalar *value, const char *name);

/// A Scalar argument. Only one that holds a symbolic number owns anything, and a C caller has none: it is not
/// destroyed.
class Scalar {
 public:
  Scalar(const ctorch_scalar *value, const char *name) { set(value, name); }
  template <class T>
  Scalar(const ctorch_scalar *value, const char *name, T otherwise) {
    if (value == nullptr) {
      new (&value_) at::Scalar(otherwise);
    } else {
      set(value, name);
    }
  }
  Scalar(const Scalar &) = delete;
  Scalar &operator=(const Scalar &) = delete;
  ~Scalar() {}  // on purpose not that of value_

  operator const at::Scalar &() const { return value_; }

 private:
  void set(const ctorch_scalar *value, const char *name) {
    if (__builtin_expect(value != nullptr && value->kind == CTORCH_SCALAR_FLOAT, true)) {
      new (&value_) at::Scalar(value->re);
    } else {
      new (&value_) at::Scalar(other_scalar(value, name));
    }
  }

  union {
    at::Scalar value_;
  };
};

inline Scalar scalar(const ctorch_scalar *value, const char *name) { return {value, name}; }
template <class T>
Scalar scalar_or(const ctorch_scalar *value, const char *name, T otherwise) {
  return {value, name, otherwise};
}
inline std::optional<at::Scalar> optional_scalar(const ctorch_scalar *value, const char *name) {
  return value == nullptr ? std::nullopt
                          : std::optional<at::Scalar>(static_cast<const at::Scalar &>(scalar(value, name)));
}

// Lists of numbers ----------------------------------------------------------------------------------------------------

[[noreturn, gnu::cold]] void fail_symints(const int64_t *data, size_t i, const char *name);

inline void check_symints(const int64_t *data, size_t len, const char *name) {
  check_list(data, len, name);
  for (size_t i = 0; i < len; i++) {
    if (__builtin_expect(data[i] < MIN_SYMINT, false)) {
      fail_symints(data, i, name);
    }
  }
}

inline at::IntArrayRef ints(const int64_t *data, size_t len, const char *name) {
  check_list(data, len, name);
  return {begin(data, len), len};
}
inline at::IntArrayRef ints_or(
    const int64_t *data, size_t len, const char *name, std::initializer_list<int64_t> otherwise) {
  return data == nullptr && len == 0 ? at::IntArrayRef(otherwise.begin(), otherwise.size()) : ints(data, len, name);
}
inline at::OptionalIntArrayRef optional_ints(const int64_t *data, size_t len, const char *name) {
  if (data == nullptr && len == 0) {
    return std::nullopt;
  }
  return ints(data, len, name);
}

/// A SymInt that is a plain number is that number's bits.
inline c10::SymIntArrayRef symints(const int64_t *data, size_t len, const char *name) {
  check_symints(data, len, name);
  return {reinterpret_cast<const c10::SymInt *>(begin(data, len)), len};
}
inline c10::SymIntArrayRef symints_or(
    const int64_t *data, size_t len, const char *name, std::initializer_list<int64_t> otherwise) {
  if (data == nullptr && len == 0) {
    return {reinterpret_cast<const c10::SymInt *>(otherwise.begin()), otherwise.size()};
  }
  return symints(data, len, name);
}
inline at::OptionalSymIntArrayRef optional_symints(const int64_t *data, size_t len, const char *name) {
  if (data == nullptr && len == 0) {
    return std::nullopt;
  }
  return symints(data, len, name);
}

inline std::optional<at::ArrayRef<double>> optional_doubles(const double *data, size_t len, const char *name) {
  if (data == nullptr && len == 0) {
    return std::nullopt;
  }
  check_list(data, len, name);
  return at::ArrayRef<double>(begin(data, len), len);
}

/// What a C caller says is a bool: any byte may stand there, where C++ knows two.
inline bool flag(const bool *value) { return *reinterpret_cast<const unsigned char *>(value) != 0; }

[[noreturn, gnu::cold]] void fail_length(size_t len, size_t expected, const char *name);
template <size_t N>
std::array<bool, N> bools(const bool *data, size_t len, const char *name) {
  check_list(data, len, name);
  if (len != N) {
    fail_length(len, N, name);
  }
  std::array<bool, N> result;
  for (size_t i = 0; i < N; i++) {
    result[i] = flag(data + i);
  }
  return result;
}

/// Scalars have a layout of their own in LibTorch, so this list is copied.
class Scalars {
 public:
  Scalars(const ctorch_scalar *data, size_t len, const char *name);
  operator at::ArrayRef<at::Scalar>() const { return values_; }

 private:
  std::vector<at::Scalar> values_;
};
inline Scalars scalars(const ctorch_scalar *data, size_t len, const char *name) { return {data, len, name}; }

// Enumerations, devices, text -----------------------------------------------------------------------------------------

[[noreturn, gnu::cold]] void fail_enumerator(const char *name, const char *what, int64_t value);

template <class Enum>
Enum enumerator(int32_t value, Enum end, const char *name, const char *what) {
  if (__builtin_expect(value < 0 || value >= static_cast<int32_t>(end), false)) {
    fail_enumerator(name, what, value);
  }
  return static_cast<Enum>(value);
}
inline at::ScalarType dtype(ctorch_dtype value, const char *name) {
  return enumerator(value, at::ScalarType::Undefined, name, "dtype");
}
inline at::Layout layout(ctorch_layout value, const char *name) {
  return enumerator(value, at::Layout::NumOptions, name, "layout");
}
inline at::MemoryFormat memory_format(ctorch_memory_format value, const char *name) {
  return enumerator(value, at::MemoryFormat::NumOptions, name, "memory format");
}
at::Device device(const ctorch_device *value, const char *name);
at::DeviceIndex device_index(int32_t value, const char *name);
c10::Stream stream(const ctorch_stream *value, const char *name);
std::string_view string(const char *value, const char *name);

inline std::optional<at::ScalarType> optional_dtype(const ctorch_dtype *value, const char *name) {
  return value == nullptr ? std::nullopt : std::optional<at::ScalarType>(dtype(*value, name));
}
inline std::optional<at::ScalarType> optional_dtype_or(
    const ctorch_dtype *value, const char *name, at::ScalarType otherwise) {
  return value == nullptr ? otherwise : dtype(*value, name);
}
inline std::optional<at::Layout> optional_layout(const ctorch_layout *value, const char *name) {
  return value == nullptr ? std::nullopt : std::optional<at::Layout>(layout(*value, name));
}
inline std::optional<at::MemoryFormat> optional_memory_format(const ctorch_memory_format *value, const char *name) {
  return value == nullptr ? std::nullopt : std::optional<at::MemoryFormat>(memory_format(*value, name));
}
inline std::optional<at::MemoryFormat> optional_memory_format_or(
    const ctorch_memory_format *value, const char *name, at::MemoryFormat otherwise) {
  return value == nullptr ? otherwise : memory_format(*value, name);
}
inline std::optional<at::Device> optional_device(const ctorch_device *value, const char *name) {
  return value == nullptr ? std::nullopt : std::optional<at::Device>(device(value, name));
}

/// Whether any thread ever had a default device (defaults.cpp): the one test that a factory pays for.
extern std::atomic<bool> default_device_used __attribute__((visibility("hidden")));
[[gnu::cold]] std::optional<at::Device> default_device();

/// The device of a factory.
inline std::optional<at::Device> optional_device_or_default(const ctorch_device *value, const char *name) {
  if (value == nullptr && __builtin_expect(default_device_used.load(std::memory_order_relaxed), false)) {
    return default_device();
  }
  return optional_device(value, name);
}

inline std::string_view string_or(const char *value, const char *name, std::string_view otherwise) {
  return value == nullptr ? otherwise : string(value, name);
}
inline std::optional<std::string_view> optional_string(const char *value, const char *name) {
  return value == nullptr ? std::nullopt : std::optional<std::string_view>(string(value, name));
}

// Handles other than tensors ------------------------------------------------------------------------------------------

[[noreturn, gnu::cold]] void fail_other_object(const Object *self, const char *name);

/// With LEAKS: whether it is one, and of this type.
template <class T>
[[gnu::cold]] void check_object(const T *self, const char *name) {
  if constexpr (std::is_base_of_v<Object, T>) {
    const auto *object = static_cast<const Object *>(self);
    check_usable({const_cast<Object *>(object), Kind::Object}, name);
    if (is_live(object) && dynamic_cast<const T *>(object) == nullptr) {
      fail_other_object(object, name);
    }
  } else if constexpr (std::is_same_v<std::remove_const_t<T>, ctorch_tensor_list>) {
    check_usable({const_cast<std::remove_const_t<T> *>(self), Kind::TensorList}, name);
  }
}

/// A handle to an object of ctorch's own.
template <class T>
T &object(T *self, const char *name) {
  if (self == nullptr) {
    fail_null(name);
  }
  if (__builtin_expect(keeps(LEAKS), false)) {
    check_object(self, name);
  }
  return *self;
}
/// A function to call back.
template <class Function>
Function callback(Function function, const char *name) {
  if (function == nullptr) {
    fail_null(name);
  }
  return function;
}

namespace unchecked {

at::Generator generator(const ctorch_generator *self, const char *name);
inline std::optional<at::Generator> optional_generator(const ctorch_generator *self, const char *name) {
  return self == nullptr ? std::nullopt : std::optional<at::Generator>(generator(self, name));
}
at::Storage storage(const ctorch_storage *self, const char *name);

}  // namespace unchecked

inline at::Generator generator(const ctorch_generator *self, const char *name) {
  check(self, Kind::Generator, name);
  return unchecked::generator(self, name);
}
inline std::optional<at::Generator> optional_generator(const ctorch_generator *self, const char *name) {
  check(self, Kind::Generator, name);
  return unchecked::optional_generator(self, name);
}
inline at::Storage storage(const ctorch_storage *self, const char *name) {
  check(self, Kind::Storage, name);
  return unchecked::storage(self, name);
}

// What the guards of policy.toml call ---------------------------------------------------------------------------------

/// INVALID_ARGUMENT for an empty list.
void refuse_empty(size_t len, const char *name);
/// INVALID_ARGUMENT for a list with an entry above `most`.
void refuse_above(const int64_t *data, size_t len, int64_t most, const char *name);
/// INVALID_ARGUMENT for a tensor of another number of dimensions, or with one below its entry in `least`.
void refuse_smaller(const ctorch_tensor *self, std::initializer_list<int64_t> least, const char *name);

/// UNSUPPORTED if the caller gives an argument that the LibTorch at hand does not know yet.
void refuse_newer(bool given, const char *name);

}  // namespace ctorch::from
