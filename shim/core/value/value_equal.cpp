// Equality of values, as Python's == says of containers.
#include <ATen/core/Dict.h>
#include <ATen/core/List.h>
#include <ATen/ops/_coalesced_ops.h>
#include <ATen/ops/coalesce_ops.h>
#include <ATen/ops/equal_ops.h>

#include <cmath>
#include <cstring>

#include "core/abi/from.hpp"
#include "core/abi/to.hpp"
#include "core/value/value.hpp"
#include "core/value/value_dict.hpp"
#include "core/value/value_key.hpp"
#include "core/value/value_object.hpp"

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

bool is_large(const c10::IValue &value) { return object_as<LargeInt>(value) != nullptr; }

/// Numbers of any kind, ints of any size.
bool equal_numbers(const c10::IValue &a, const c10::IValue &b) {
  if (!is_large(a) && !is_large(b)) {
    return equal_numbers(a.toScalar(), b.toScalar());
  }
  const c10::IValue &large = is_large(a) ? a : b, &other = is_large(a) ? b : a;
  if (is_large(other)) {
    return integer_in(large) == integer_in(other);
  }
  at::Scalar number = other.toScalar();
  if (number.isComplex() && number.toComplexDouble().imag() != 0) {
    return false;
  }
  if (!number.isComplex() && !number.isFloatingPoint()) {
    return false;  // it would be large itself
  }
  double real = number.isComplex() ? number.toComplexDouble().real() : number.toDouble();
  return std::isfinite(real) && real == std::trunc(real) && Integer::from_double(real) == integer_in(large);
}

/// The entry of a key that is equal to `key`: LibTorch files a number of another kind elsewhere. Keys are as filed
/// (value_key.hpp).
std::optional<c10::IValue> entry_of(const c10::impl::GenericDict &dict, const c10::IValue &key) {
  if (auto entry = find_key(dict, key); entry != dict.end()) {
    return entry->value();
  }
  c10::IValue number = value_of_key(key);
  if (!is_number(number)) {
    return std::nullopt;
  }
  std::optional<c10::IValue> found;
  auto look_up = [&](const c10::IValue &other_kind) {
    auto entry = find_key(dict, key_of(other_kind, "key"));
    if (!found && entry != dict.end() && equal_numbers(number, value_of_key(entry->key()))) {
      found = entry->value();
    }
  };
  c10::complex<double> as_complex =
      is_large(number) ? integer_in(number).to_double() : number.toScalar().toComplexDouble();
  double as_double = as_complex.real();
  look_up(as_complex);
  look_up(as_double);
  look_up(as_double != 0);
  if (std::isfinite(as_double)) {
    look_up(integer_value(Integer::from_double(as_double)));
  }
  return found;
}

/// Compares two values, and those inside them from a stack of its own.
class Comparison {
 public:
  bool equal(const c10::IValue &a, const c10::IValue &b) {
    if (!equal_one(a, b)) {
      return false;
    }
    while (!open_.empty()) {
      Pair &pair = open_.back();
      const c10::IValue *x = pair.a.next(), *y = pair.b.next();
      if (x == nullptr) {
        open_.pop_back();
      } else if (!equal_one(*x, *y)) {
        return false;
      }
    }
    return true;
  }

 private:
  /// Containers of as many entries each, which are compared in their order.
  struct Pair {
    const void *address_of_a, *address_of_b;
    Entries a, b;
  };

  /// False if they differ in what can be told before their entries are compared.
  bool equal_one(const c10::IValue &a, const c10::IValue &b) {
    if (is_number(a) && is_number(b)) {
      return equal_numbers(a, b);
    }
    ctorch_value_kind kind = kind_of(a);
    if (kind != kind_of(b)) {
      return equal_contents(a, b);
    }
    switch (kind) {
      case CTORCH_VALUE_NONE:
        return true;
      case CTORCH_VALUE_TENSOR:
        return equal_tensors(a.toTensor(), b.toTensor());
      case CTORCH_VALUE_STRING:
        return a.toStringRef() == b.toStringRef();
      case CTORCH_VALUE_BYTES:
        return object_as<Bytes>(a)->data == object_as<Bytes>(b)->data;
      case CTORCH_VALUE_DTYPE:
      case CTORCH_VALUE_LAYOUT:
      case CTORCH_VALUE_MEMORY_FORMAT:
        return object_as<Enumerator>(a)->number == object_as<Enumerator>(b)->number;
      case CTORCH_VALUE_LIST:
      case CTORCH_VALUE_TUPLE:
      case CTORCH_VALUE_DICT:
      case CTORCH_VALUE_SET:
        return open(a, b);
      case CTORCH_VALUE_PYTHON_OBJECT:
        return equal_objects(a, b);
      case CTORCH_VALUE_MODULE:
      case CTORCH_VALUE_TRANSFORM:
        return object_as<BoxedObject>(a)->object == object_as<BoxedObject>(b)->object;
      case CTORCH_VALUE_DEVICE:
        return a.toDevice() == b.toDevice();
      case CTORCH_VALUE_STREAM:
        return a.toStream() == b.toStream();
      default:
        return a.isEnum() && b.isEnum() ? a == b : a.is(b);
    }
  }

  /// An OrderedDict is equal to a dict, and a torch.Size to a tuple, as each is one.
  bool equal_contents(const c10::IValue &a, const c10::IValue &b) {
    const c10::IValue &x = plain(a), &y = plain(b);
    bool is_other = &x != &a || &y != &b;
    return is_other && kind_of(x) == kind_of(y) && is_container(x) && open(x, y);
  }

  /// The dict or tuple that an object of a class known here is; of others Python would have to be asked.
  static const c10::IValue &plain(const c10::IValue &value) {
    const auto *object = object_as<PythonObject>(value);
    bool is_known =
        object != nullptr && (object->is("torch", "Size") || object->is("collections", "OrderedDict") ||
                              object->is("collections", "defaultdict") || object->is("collections", "Counter"));
    return is_known ? contents_of(value) : value;
  }

  /// Two of one class: their arguments, items and state. OrderedDicts and sizes by their contents alone, as in Python.
  bool equal_objects(const c10::IValue &a, const c10::IValue &b) {
    const auto &x = *object_as<PythonObject>(a), &y = *object_as<PythonObject>(b);
    if (!y.is(x.module, x.name)) {
      return false;
    }
    if (x.is("collections", "OrderedDict") && x.items.isGenericDict() && y.items.isGenericDict()) {
      return same_order(x.items.toGenericDict(), y.items.toGenericDict()) && open(x.items, y.items);
    }
    return open(a, b);
  }

  static bool same_order(const c10::impl::GenericDict &a, const c10::impl::GenericDict &b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const auto &x, const auto &y) {
      c10::IValue key = value_of_key(x.key()), other = value_of_key(y.key());
      return is_number(key) && is_number(other) ? equal_numbers(key, other) : same_key(x.key(), y.key());
    });
  }

  bool open(const c10::IValue &a, const c10::IValue &b) {
    const void *address_of_a = a.internalToPointer(), *address_of_b = b.internalToPointer();
    if (address_of_a == address_of_b) {
      return true;
    }
    // Two that are being compared further out are as equal as everything else inside them.
    for (const Pair &pair : open_) {
      if (pair.address_of_a == address_of_a && pair.address_of_b == address_of_b) {
        return true;
      }
    }
    if (open_.size() >= MAX_NESTING) {
      fail_nesting();
    }
    if (a.isGenericDict()) {
      return open_dicts(a, b);
    }
    if (const auto *set = object_as<Set>(a)) {
      return equal_sets(set->entries, object_as<Set>(b)->entries);
    }
    Entries x(a), y(b);
    if (x.size() != y.size()) {
      return false;
    }
    open_.push_back({address_of_a, address_of_b, std::move(x), std::move(y)});
    return true;
  }

  /// Pairs the values of equal keys.
  bool open_dicts(const c10::IValue &a, const c10::IValue &b) {
    c10::impl::GenericDict x = a.toGenericDict(), y = b.toGenericDict();
    if (x.size() != y.size()) {
      return false;
    }
    std::vector<c10::IValue> values, others;
    values.reserve(x.size());
    others.reserve(x.size());
    for (const auto &entry : x) {
      auto other = entry_of(y, entry.key());
      if (!other) {
        return false;
      }
      values.push_back(entry.value());
      others.push_back(std::move(*other));
    }
    open_.push_back(
        {a.internalToPointer(), b.internalToPointer(), Entries(std::move(values)), Entries(std::move(others))});
    return true;
  }

  static bool equal_sets(const c10::impl::GenericDict &a, const c10::impl::GenericDict &b) {
    return a.size() == b.size() &&
           std::all_of(a.begin(), a.end(), [&](const auto &entry) { return entry_of(b, entry.key()).has_value(); });
  }

  std::vector<Pair> open_;
};

/// By their bits: NaN is itself, and the two zeros are two.
bool same_bits(const c10::complex<double> &a, const c10::complex<double> &b) {
  return std::memcmp(&a, &b, sizeof a) == 0;
}

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
    case CTORCH_VALUE_DOUBLE:
      return a.isDouble() && b.isDouble() ? same_bits(a.toDouble(), b.toDouble()) : Comparison().equal(a, b);
    case CTORCH_VALUE_COMPLEX:
      return same_bits(a.toComplexDouble(), b.toComplexDouble());
    case CTORCH_VALUE_INT:
    case CTORCH_VALUE_BOOL:
    case CTORCH_VALUE_STRING:
    case CTORCH_VALUE_BYTES:
    case CTORCH_VALUE_DTYPE:
    case CTORCH_VALUE_LAYOUT:
    case CTORCH_VALUE_MEMORY_FORMAT:
    case CTORCH_VALUE_DEVICE:
    case CTORCH_VALUE_STREAM:
    case CTORCH_VALUE_MODULE:
    case CTORCH_VALUE_TRANSFORM:
      return Comparison().equal(a, b);
    case CTORCH_VALUE_PYTHON_OBJECT: {  // a class is one object, however often it is named
      const auto &x = *object_as<PythonObject>(a), &y = *object_as<PythonObject>(b);
      return &x == &y || (x.args.isNone() && y.args.isNone() && y.is(x.module, x.name));
    }
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
  if (self == nullptr || other == nullptr || self == other) {
    return self == other;
  }
  try {
    return same(self->ivalue, other->ivalue);
  } catch (const std::exception &) {
    return false;  // symbols without a value
  }
}
