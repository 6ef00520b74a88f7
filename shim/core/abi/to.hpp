// to::give(result, out…): hand LibTorch's results to a C caller.
//
// Whatever can fail happens before the first output is written, so that a failure leaves every output as it was.
#pragma once

#include <ATen/core/Tensor.h>
#include <c10/core/QScheme.h>
#include <c10/core/SymBool.h>

#include <memory>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/abi/error.hpp"
#include "core/abi/handle.hpp"
#include "ctorch/abi/types.h"

namespace ctorch::to {

template <class T>
void require(T *out, const char *name) {
  if (__builtin_expect(out == nullptr, false)) {
    fail_null(name);
  }
}

ctorch_scalar scalar(const at::Scalar &value);
inline ctorch_device device(at::Device value) { return {static_cast<int32_t>(value.type()), value.index()}; }

/// What can fail of handing a result out: afterwards it is of a type that assign() takes without failing.
inline at::Tensor prepare(at::Tensor &&value) { return std::move(value); }
inline std::unique_ptr<ctorch_tensor_list> prepare(std::vector<at::Tensor> &&value) {
  return std::make_unique<ctorch_tensor_list>(std::move(value));
}
inline std::unique_ptr<ctorch_string> prepare(std::string &&value) {
  return std::make_unique<ctorch_string>(ctorch_string{std::move(value)});
}
/// Storages, generators and objects are reference-counted by LibTorch.
template <class T>
c10::intrusive_ptr<T> prepare(c10::intrusive_ptr<T> &&value) {
  return std::move(value);
}
inline int64_t prepare(int64_t value) { return value; }
inline int64_t prepare(const c10::SymInt &value) { return value.guard_int(__FILE__, __LINE__); }
inline bool prepare(bool value) { return value; }
inline bool prepare(const c10::SymBool &value) { return value.guard_bool(__FILE__, __LINE__); }
inline double prepare(double value) { return value; }
inline ctorch_scalar prepare(const at::Scalar &value) { return scalar(value); }
inline ctorch_dtype prepare(at::ScalarType value) { return static_cast<ctorch_dtype>(value); }
inline int32_t prepare(at::QScheme value) { return static_cast<int32_t>(value); }

inline Handle recorded(const at::Tensor &value) {
  return {value.defined() ? value.unsafeGetTensorImpl() : nullptr, Kind::Tensor};
}
inline Handle recorded(const std::unique_ptr<ctorch_tensor_list> &value) { return {value.get(), Kind::TensorList}; }
inline Handle recorded(const std::unique_ptr<ctorch_string> &value) { return {value.get(), Kind::String}; }
inline Handle recorded(const c10::intrusive_ptr<c10::StorageImpl> &value) { return {value.get(), Kind::Storage}; }
inline Handle recorded(const c10::intrusive_ptr<c10::GeneratorImpl> &value) { return {value.get(), Kind::Generator}; }
template <class T, class = std::enable_if_t<std::is_base_of_v<Object, T>>>
Handle recorded(const c10::intrusive_ptr<T> &value) {
  return {static_cast<Object *>(value.get()), Kind::Object};
}
template <class T>
Handle recorded(const T &) {
  return {nullptr, Kind::Tensor};
}

/// The reference moves to the caller; an undefined tensor becomes NULL.
inline void assign(ctorch_tensor **out, at::Tensor &&value) noexcept {
  *out = value.defined() ? reinterpret_cast<ctorch_tensor *>(value.unsafeReleaseTensorImpl()) : nullptr;
}
template <class T>
void assign(T **out, std::unique_ptr<T> &&value) noexcept {
  *out = value.release();
}
inline void assign(ctorch_storage **out, c10::intrusive_ptr<c10::StorageImpl> &&value) noexcept {
  *out = reinterpret_cast<ctorch_storage *>(value.release());
}
inline void assign(ctorch_generator **out, c10::intrusive_ptr<c10::GeneratorImpl> &&value) noexcept {
  *out = reinterpret_cast<ctorch_generator *>(value.release());
}
template <class T, class = std::enable_if_t<std::is_base_of_v<Object, T>>>
void assign(T **out, c10::intrusive_ptr<T> &&value) noexcept {
  *out = value.release();
}
template <class T>
void assign(T *out, T value) noexcept {
  *out = value;
}

template <class Result, class Out>
void give(Result &&result, Out *out) {
  auto value = prepare(std::forward<Result>(result));
  hand_out({recorded(value)});
  assign(out, std::move(value));
}

template <class... Results, class... Outs>
void give(std::tuple<Results...> &&results, Outs *...outs) {
  std::apply(
      [&](auto &&...result) {
        [&](auto &&...value) {
          hand_out({recorded(value)...});
          (assign(outs, std::move(value)), ...);
        }(prepare(std::move(result))...);
      },
      std::move(results));
}

/// A result whose references are taken out of it by hand. It is not destroyed, which spares every wrapper the question
/// whether something is left to release.
template <class T>
union Undestroyed {
  template <class Call>
  explicit Undestroyed(Call &&call) : value(call()) {}
  ~Undestroyed() {}

  T value;
};

/// The reference that a result holds becomes the caller's; an undefined tensor becomes NULL.
inline ctorch_tensor *owned(const at::Tensor &tensor) {
  return tensor.defined() ? reinterpret_cast<ctorch_tensor *>(tensor.unsafeGetTensorImpl()) : nullptr;
}

/// Takes the pointer itself: the address of a result would have to be kept through the call that makes it.
[[gnu::cold]] void give_recorded(at::TensorImpl *tensor, ctorch_tensor **out);

inline void give_tensor(const at::Tensor &tensor, ctorch_tensor **out) {
  if (__builtin_expect(recording(), false)) {
    give_recorded(tensor.unsafeGetTensorImpl(), out);
  } else {
    *out = owned(tensor);
  }
}

template <class... Tensors, class... Outs>
[[gnu::always_inline]] inline void give_tensors(const std::tuple<Tensors...> &tensors, Outs *...outs) {
  std::apply(
      [&](const auto &...tensor) {
        if (__builtin_expect(recording(), false)) {
          record_released({{tensor.unsafeGetTensorImpl(), Kind::Tensor}...});
        }
        ((*outs = owned(tensor)), ...);
      },
      tensors);
}

template <class T>
struct AreTensors : std::false_type {};
template <class... T>
struct AreTensors<std::tuple<T...>> : std::bool_constant<(std::is_same_v<T, at::Tensor> && ...)> {};

/// give(call(), out…), with less to do where all results are tensors.
template <class Call, class... Outs>
[[gnu::always_inline]] inline void give_result_of(Call &&call, Outs *...outs) {
  using Result = std::invoke_result_t<Call>;
  if constexpr (std::is_same_v<Result, at::Tensor>) {
    Undestroyed<Result> result(call);
    give_tensor(result.value, outs...);
  } else if constexpr (AreTensors<Result>::value) {
    Undestroyed<Result> result(call);
    give_tensors(result.value, outs...);
  } else {
    give(call(), outs...);
  }
}

}  // namespace ctorch::to
