// A structured kernel of LibTorch made ready: `meta`, which checks the arguments and builds the iterator, has run, and
// each replay is `impl` alone. The generator instantiates `prebuilt` for every such kernel (structured_<n>.cpp).
#pragma once

#include <ATen/TensorIterator.h>
#include <ATen/TensorMeta.h>
#include <ATen/core/IListRef.h>
#include <ATen/core/List.h>
#include <ATen/core/Tensor.h>
#include <ATen/core/ivalue.h>

#include <exception>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/tape/record.hpp"

namespace ctorch::tape {

/// A call and the tensors that it is to write.
struct StructuredCall {
  c10::ArrayRef<c10::IValue> args;
  std::vector<at::Tensor> outs;
  bool makes_outs;  // they are its results, and none of its arguments

  /// Whether that is in the memory of an argument or of a result.
  [[nodiscard]] bool has(const void *data) const;
};

using StructuredFactory = std::unique_ptr<Step> (*)(const StructuredCall &);

struct StructuredKernel {
  const char *op;  // "aten::add.Tensor"
  StructuredFactory make;
};

/// Every operator with a structured CPU kernel, sorted (generated/structured_table.cpp).
c10::ArrayRef<StructuredKernel> structured_kernels();

/// Thrown through LibTorch's `meta`: this call has to be made in another way.
struct NotPrebuilt : std::exception {};

// Arguments: kept as long as the step, given in the form that kernels take -----------------------------------------
template <class T>
struct Kept {
  T value;
  explicit Kept(const c10::IValue &v) : value(v.to<T>()) {}
  [[nodiscard]] const T &get() const { return value; }
};

template <class T>
struct Kept<std::optional<T>> {
  std::optional<Kept<T>> value;
  explicit Kept(const c10::IValue &v) {
    if (!v.isNone()) {
      value.emplace(v);
    }
  }
  [[nodiscard]] std::optional<T> get() const { return value ? std::optional<T>(value->get()) : std::nullopt; }
};

template <>
struct Kept<at::Tensor> {
  at::Tensor value;
  explicit Kept(const c10::IValue &v) : value(v.isNone() ? at::Tensor() : v.toTensor()) {}
  [[nodiscard]] const at::Tensor &get() const { return value; }
};

template <>
struct Kept<at::OptionalTensorRef> {
  Kept<at::Tensor> tensor;
  explicit Kept(const c10::IValue &v) : tensor(v) {}
  [[nodiscard]] at::OptionalTensorRef get() const {
    return tensor.value.defined() ? at::OptionalTensorRef(tensor.value) : at::OptionalTensorRef();
  }
};

template <>
struct Kept<at::OptionalScalarRef> {
  std::optional<at::Scalar> value;
  explicit Kept(const c10::IValue &v) : value(v.toOptional<at::Scalar>()) {}
  [[nodiscard]] at::OptionalScalarRef get() const {
    return value ? at::OptionalScalarRef(*value) : at::OptionalScalarRef();
  }
};

template <>
struct Kept<c10::string_view> {
  std::string value;
  explicit Kept(const c10::IValue &v) : value(v.toStringRef()) {}
  [[nodiscard]] c10::string_view get() const { return value; }
};

template <>
struct Kept<c10::IntArrayRef> {
  std::vector<int64_t> value;
  explicit Kept(const c10::IValue &v) : value(v.toIntVector()) {}
  [[nodiscard]] c10::IntArrayRef get() const { return value; }
};

template <>
struct Kept<at::OptionalIntArrayRef> {
  Kept<std::optional<c10::IntArrayRef>> list;
  explicit Kept(const c10::IValue &v) : list(v) {}
  [[nodiscard]] at::OptionalIntArrayRef get() const { return list.get(); }
};

template <>
struct Kept<at::ITensorListRef> {
  std::vector<at::Tensor> value;
  explicit Kept(const c10::IValue &v) : value(v.toTensorVector()) {}
  [[nodiscard]] at::ITensorListRef get() const { return value; }
};

template <>
struct Kept<at::IOptTensorListRef> {
  c10::List<std::optional<at::Tensor>> value;
  explicit Kept(const c10::IValue &v) : value(v.toOptionalTensorList().copy()) {}
  [[nodiscard]] at::IOptTensorListRef get() const { return value; }
};

// Outputs ----------------------------------------------------------------------------------------------------------
/// The tensors that a kernel writes. As in the real call, results are undefined until `meta` says what they are.
class Outputs {
 public:
  explicit Outputs(const StructuredCall &call)
      : given_(call.outs), shown_(call.makes_outs ? given_.size() : 0), are_made_(call.makes_outs) {}

  [[nodiscard]] const at::Tensor &operator[](size_t i) const { return are_made_ ? shown_.at(i) : given_.at(i); }

  /// Throws NotPrebuilt unless the tensor that is there is as `meta` wants it.
  void set(
      size_t i,
      c10::IntArrayRef sizes,
      c10::IntArrayRef strides,
      const c10::TensorOptions &options,
      bool needs_strides);

 private:
  std::vector<at::Tensor> given_, shown_;
  bool are_made_;
};

/// The kernel with the outputs that it is given. `F` is the type of MetaBase's function, whose parameters after the
/// fourth differ between versions of LibTorch.
template <class S, class F = decltype(&at::impl::MetaBase::set_output_strided)>
class WithOutputs;

template <class S, class... More>
class WithOutputs<
    S,
    void (at::impl::MetaBase::*)(int64_t, c10::IntArrayRef, c10::IntArrayRef, c10::TensorOptions, More...)> : public S {
 public:
  explicit WithOutputs(const StructuredCall &call) : outputs_(call) {}

  void set_output_strided(
      int64_t i, c10::IntArrayRef sizes, c10::IntArrayRef strides, c10::TensorOptions options, More... more) override {
    set(i, sizes, strides, options, true, more...);
  }
  void set_output_raw_strided(
      int64_t i, c10::IntArrayRef sizes, c10::IntArrayRef strides, c10::TensorOptions options, More... more) override {
    set(i, sizes, strides, options, false, more...);
  }
  const at::Tensor &maybe_get_output(int64_t i) override { return outputs_[i]; }

 protected:
  Outputs outputs_;

 private:
  void set(
      int64_t i,
      c10::IntArrayRef sizes,
      c10::IntArrayRef strides,
      c10::TensorOptions options,
      bool needs_strides,
      More... more) {
    outputs_.set(i, sizes, strides, options, needs_strides);
    if constexpr (std::is_base_of_v<at::TensorIteratorBase, S>) {
      at::TensorIteratorBase::set_output_raw_strided(i, sizes, strides, options, more...);
    }
  }
};

// Iterators --------------------------------------------------------------------------------------------------------
/// What keeps an iterator good for any number of runs. Arguments of another dtype than it computes in are copies, which
/// are made anew for each run; and some kernels take an operand out of it, so that the next run needs it as it was.
class Iteration {
 public:
  /// Throws NotPrebuilt if the iterator reads or writes other memory than the call's.
  void begin(const at::TensorIteratorBase &built, const StructuredCall &call);

  void before(at::TensorIteratorBase &iterator) {
    if (built_ || !casts_.empty()) {
      prepare(iterator);
    }
  }
  void after(const at::TensorIteratorBase &iterator) {
    if (!has_run_) {
      learn(iterator);
    }
  }

 private:
  struct Cast {
    at::Tensor to, from;
  };

  void prepare(at::TensorIteratorBase &iterator);
  void learn(const at::TensorIteratorBase &iterator);

  std::vector<Cast> casts_;
  std::unique_ptr<const at::TensorIterator> built_;  // null once the kernel has left the iterator as it was
  bool has_run_ = false;
};

// The step ---------------------------------------------------------------------------------------------------------
template <class F>
constexpr size_t arity = 0;
template <class S, class R, class... Args>
constexpr size_t arity<R (S::*)(Args...)> = sizeof...(Args);

/// `meta` takes the call's arguments. So does `impl`, unless there are `Sources`: each is the number of an argument, or
/// a member of what `meta` gives. The outputs follow.
template <class S, class Meta, auto... Sources>
class Prebuilt;

template <class S, class Base, class R, class... Args, auto... Sources>
class Prebuilt<S, R (Base::*)(Args...), Sources...> final : public WithOutputs<S>, public Step {
  static constexpr bool iterates = std::is_base_of_v<at::TensorIteratorBase, S>;
  static constexpr size_t sources = sizeof...(Sources) > 0 ? sizeof...(Sources) : sizeof...(Args);
  static constexpr size_t outputs = arity<decltype(&S::impl)> - sources;
  using All = std::index_sequence_for<Args...>;

 public:
  explicit Prebuilt(const StructuredCall &call) : Prebuilt(call, All()) {
    if (call.outs.size() != outputs) {
      throw NotPrebuilt();
    }
    run_meta(All());
    if constexpr (iterates) {
      iteration_.begin(*this, call);
    }
  }

  void run() override {
    if constexpr (iterates) {
      iteration_.before(*this);
    }
    run_impl(All(), std::make_index_sequence<outputs>());
    if constexpr (iterates) {
      iteration_.after(*this);
    }
  }

 private:
  struct Nothing {};

  template <size_t... I>
  Prebuilt(const StructuredCall &call, std::index_sequence<I...> /*all*/)
      : WithOutputs<S>(call), args_(call.args[I]...) {}

  template <size_t... I>
  void run_meta(std::index_sequence<I...> /*all*/) {
    if constexpr (std::is_void_v<R>) {
      this->meta(std::get<I>(args_).get()...);
    } else {
      precomputed_ = this->meta(std::get<I>(args_).get()...);
    }
  }

  template <size_t... I, size_t... O>
  void run_impl(std::index_sequence<I...> /*all*/, std::index_sequence<O...> /*outputs*/) {
    if constexpr (sizeof...(Sources) > 0) {
      this->impl(source<Sources>()..., this->outputs_[O]...);
    } else {
      this->impl(std::get<I>(args_).get()..., this->outputs_[O]...);
    }
  }

  template <auto Source>
  decltype(auto) source() const {
    if constexpr (std::is_member_pointer_v<decltype(Source)>) {
      return (precomputed_.*Source);
    } else {
      return std::get<Source>(args_).get();
    }
  }

  const std::tuple<Kept<std::decay_t<Args>>...> args_;
  std::conditional_t<std::is_void_v<R>, Nothing, R> precomputed_;
  std::conditional_t<iterates, Iteration, Nothing> iteration_;
};

template <class S, auto... Sources>
std::unique_ptr<Step> prebuilt(const StructuredCall &call) {
  return std::make_unique<Prebuilt<S, decltype(&S::meta), Sources...>>(call);
}

}  // namespace ctorch::tape
