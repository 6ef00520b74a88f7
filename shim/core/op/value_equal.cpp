// Equality of values, as Python's == says of containers.
#include <ATen/core/Dict.h>
#include <ATen/core/List.h>
#include <ATen/ops/_coalesced_ops.h>
#include <ATen/ops/coalesce_ops.h>
#include <ATen/ops/equal_ops.h>

#include <cmath>

#include "abi/from.hpp"
#include "abi/to.hpp"
#include "op/value.hpp"

using namespace ctorch;

namespace {

/// Tensors of the same kind and shape. Sparse ones are compared by their parts: LibTorch cannot.
bool equal_elements(const at::Tensor &a, const at::Tensor &b) {
  switch (a.layout()) {
    case at::kSparse: {
      at::Tensor x = at::_ops::coalesce::call(a), y = at::_ops::coalesce::call(b);
      return x._indices().sizes() == y._indices().sizes() && at::_ops::equal::call(x._indices(), y._indices()) &&
             x._values().sizes() == y._values().sizes() && at::_ops::equal::call(x._values(), y._values());
    }
    case at::kSparseCsr:
    case at::kSparseBsr:
      return a.values().sizes() == b.values().sizes() && at::_ops::equal::call(a.crow_indices(), b.crow_indices()) &&
             at::_ops::equal::call(a.col_indices(), b.col_indices()) && at::_ops::equal::call(a.values(), b.values());
    case at::kSparseCsc:
    case at::kSparseBsc:
      return a.values().sizes() == b.values().sizes() && at::_ops::equal::call(a.ccol_indices(), b.ccol_indices()) &&
             at::_ops::equal::call(a.row_indices(), b.row_indices()) && at::_ops::equal::call(a.values(), b.values());
    default:
      return at::_ops::equal::call(a, b);
  }
}

bool equal_tensors(const at::Tensor &a, const at::Tensor &b) {
  return a.is_same(b) ||
         (a.scalar_type() == b.scalar_type() && a.device() == b.device() && a.layout() == b.layout() &&
          a.is_nested() == b.is_nested() && (a.is_nested() || a.sizes() == b.sizes()) && equal_elements(a, b));
}

bool is_number(const c10::IValue &value) {
  ctorch_value_kind kind = kind_of(value);
  return kind >= CTORCH_VALUE_INT && kind <= CTORCH_VALUE_COMPLEX;
}

/// Exactly: 2^53 + 1 is not 2.0^53.
bool equal_to_integer(double x, const at::Scalar &integer) {
  bool is_large = integer.type() == at::ScalarType::UInt64;
  if (x != std::trunc(x) || x < -0x1p63 || x >= (is_large ? 0x1p64 : 0x1p63)) {
    return false;
  }
  return is_large ? x >= 0 && static_cast<uint64_t>(x) == integer.toUInt64()
                  : static_cast<int64_t>(x) == integer.toLong();
}

bool equal_numbers(const at::Scalar &a, const at::Scalar &b) {
  if (a.isComplex() || b.isComplex()) {
    auto imaginary = [](const at::Scalar &x) { return x.isComplex() ? x.toComplexDouble().imag() : 0; };
    auto real = [](const at::Scalar &x) { return x.isComplex() ? at::Scalar(x.toComplexDouble().real()) : x; };
    return imaginary(a) == imaginary(b) && equal_numbers(real(a), real(b));
  }
  if (a.isFloatingPoint() && b.isFloatingPoint()) {
    return a.toDouble() == b.toDouble();
  }
  if (a.isFloatingPoint() || b.isFloatingPoint()) {
    return a.isFloatingPoint() ? equal_to_integer(a.toDouble(), b) : equal_to_integer(b.toDouble(), a);
  }
  bool a_large = a.type() == at::ScalarType::UInt64, b_large = b.type() == at::ScalarType::UInt64;
  return a_large == b_large && (a_large ? a.toUInt64() == b.toUInt64() : a.toLong() == b.toLong());
}

/// The entry of a key that is equal to `key`: LibTorch files a number of another kind elsewhere.
std::optional<c10::IValue> entry_of(const c10::impl::GenericDict &dict, const c10::IValue &key) {
  if (auto entry = dict.find(key); entry != dict.end()) {
    return entry->value();
  }
  if (!is_number(key)) {
    return std::nullopt;
  }
  at::Scalar number = key.toScalar();
  std::optional<c10::IValue> found;
  auto look_up = [&](const c10::IValue &other_kind) {
    auto entry = dict.find(other_kind);
    if (!found && entry != dict.end() && equal_numbers(number, entry->key().toScalar())) {
      found = entry->value();
    }
  };
  c10::complex<double> as_complex = number.toComplexDouble();
  double as_double = as_complex.real();
  look_up(as_complex);
  look_up(as_double);
  look_up(as_double != 0);
  if (as_double >= -0x1p63 && as_double < 0x1p63) {
    look_up(static_cast<int64_t>(as_double));
  }
  return found;
}

class Comparison {
 public:
  bool equal(const c10::IValue &a, const c10::IValue &b) {
    if (is_number(a) && is_number(b)) {
      return equal_numbers(a.toScalar(), b.toScalar());
    }
    ctorch_value_kind kind = kind_of(a);
    if (kind != kind_of(b)) {
      return false;
    }
    switch (kind) {
      case CTORCH_VALUE_NONE:
        return true;
      case CTORCH_VALUE_TENSOR:
        return equal_tensors(a.toTensor(), b.toTensor());
      case CTORCH_VALUE_STRING:
        return a.toStringRef() == b.toStringRef();
      case CTORCH_VALUE_LIST:
      case CTORCH_VALUE_TUPLE:
      case CTORCH_VALUE_DICT:
        return equal_containers(a, b);
      case CTORCH_VALUE_DEVICE:
        return a.toDevice() == b.toDevice();
      case CTORCH_VALUE_STREAM:
        return a.toStream() == b.toStream();
      default:
        return a.isEnum() && b.isEnum() ? a == b : a.is(b);
    }
  }

 private:
  bool equal_containers(const c10::IValue &a, const c10::IValue &b) {
    if (a.internalToPointer() == b.internalToPointer()) {
      return true;
    }
    // Two that are being compared further out are as equal as everything else inside them.
    std::pair pair(a.internalToPointer(), b.internalToPointer());
    if (std::find(open_.begin(), open_.end(), pair) != open_.end()) {
      return true;
    }
    if (open_.size() >= MAX_NESTING) {
      fail_nesting();
    }
    open_.push_back(pair);
    bool result = a.isList() ? equal_entries(a.toListRef(), b.toListRef())
                  : a.isTuple()
                      ? equal_entries(a.toTupleRef().elements().asArrayRef(), b.toTupleRef().elements().asArrayRef())
                      : equal_dicts(a.toGenericDict(), b.toGenericDict());
    open_.pop_back();
    return result;
  }

  bool equal_entries(c10::ArrayRef<c10::IValue> a, c10::ArrayRef<c10::IValue> b) {
    return std::equal(
        a.begin(), a.end(), b.begin(), b.end(), [&](const auto &x, const auto &y) { return equal(x, y); });
  }

  bool equal_dicts(const c10::impl::GenericDict &a, const c10::impl::GenericDict &b) {
    if (a.size() != b.size()) {
      return false;
    }
    for (const auto &entry : a) {
      auto other = entry_of(b, entry.key());
      if (!other || !equal(entry.value(), *other)) {
        return false;
      }
    }
    return true;
  }

  std::vector<std::pair<const void *, const void *>> open_;
};

bool same(const c10::IValue &a, const c10::IValue &b) {
  ctorch_value_kind kind = kind_of(a);
  if (kind != kind_of(b)) {
    return false;
  }
  switch (kind) {
    case CTORCH_VALUE_NONE:
      return true;
    case CTORCH_VALUE_TENSOR:
      return a.toTensor().is_same(b.toTensor());
    case CTORCH_VALUE_INT:
    case CTORCH_VALUE_DOUBLE:
    case CTORCH_VALUE_BOOL:
    case CTORCH_VALUE_COMPLEX:
    case CTORCH_VALUE_STRING:
    case CTORCH_VALUE_DEVICE:
    case CTORCH_VALUE_STREAM:
      return Comparison().equal(a, b);
    default:
      return a.internalToPointer() == b.internalToPointer();
  }
}

}  // namespace

ctorch_error *ctorch_value_equal(bool *out, const ctorch_value *self, const ctorch_value *other) {
  return guard(__func__, [&] {
    to::require(out, "out");
    *out = Comparison().equal(from::value(self, "self"), from::value(other, "other"));
  });
}

bool ctorch_value_is(const ctorch_value *self, const ctorch_value *other) {
  if (self == nullptr || other == nullptr) {
    return self == other;
  }
  try {
    return same(self->ivalue, other->ivalue);
  } catch (const std::exception &) {
    return false;  // symbols without a value
  }
}
