// Values: making them and reading them. value_containers.cpp has what lists, tuples and dicts can do, value_object.cpp
// those that LibTorch has no kind of its own for.
#include "core/value/value.hpp"

#include <ATen/core/Dict.h>
#include <ATen/core/ivalue.h>

#include <cmath>

#include "core/abi/excerpt.hpp"
#include "core/abi/from.hpp"
#include "core/abi/handle.hpp"
#include "core/abi/to.hpp"
#include "core/value/value_key.hpp"
#include "core/value/value_object.hpp"

using namespace ctorch;

namespace {

template <class T>
c10::IValue list_of(const T *values, size_t len, const char *name) {
  from::check_list(values, len, name);
  c10::List<T> list;
  list.reserve(len);
  for (size_t i = 0; i < len; i++) {
    if constexpr (std::is_same_v<T, bool>) {
      list.push_back(from::flag(values + i));
    } else {
      list.push_back(values[i]);
    }
  }
  return list;
}

/// As Python's float().
double float_of(const Integer &number) {
  double nearest = number.to_double();
  if (std::isinf(nearest)) {
    fail(CTORCH_ERROR_VALUE, excerpt(number.text()) + " is too large for a float");
  }
  return nearest;
}

/// What `read` makes of a value goes to `out`.
template <class Out, class Read>
ctorch_error *read(const char *function, Out *out, const ctorch_value *self, Read &&read) {
  return guard(function, [&] {
    to::require(out, "out");
    to::give(read(from::value(self, "self")), out);
  });
}

/// What `make` makes becomes a value.
template <class Make>
ctorch_error *make(const char *function, ctorch_value **out, Make &&make) {
  return guard(function, [&] {
    to::require(out, "out");
    to::give_value(make(), out);
  });
}

}  // namespace

ctorch_value::~ctorch_value() { take_apart(std::move(ivalue)); }

namespace ctorch {

std::vector<c10::IValue> from::values(const ctorch_value *const *data, size_t len, const char *name) {
  check_list(data, len, name);
  std::vector<c10::IValue> values;
  values.reserve(len);
  for (size_t i = 0; i < len; i++) {
    values.push_back(value_or_none(data[i]));
  }
  return values;
}

void to::give_value(c10::IValue value, ctorch_value **out) {
  give(c10::make_intrusive<ctorch_value>(std::move(value)), out);
}

}  // namespace ctorch

void ctorch_value_retain(const ctorch_value *self) { retain_object(self); }

void ctorch_value_release(ctorch_value *self) { release_object(self); }

// Making values -------------------------------------------------------------------------------------------------------

ctorch_error *ctorch_value_from_none(ctorch_value **out) {
  return make(__func__, out, [] { return c10::IValue(); });
}

ctorch_error *ctorch_value_from_tensor(ctorch_value **out, const ctorch_tensor *tensor) {
  return make(__func__, out, [&] { return tensor == nullptr ? c10::IValue() : c10::IValue(share(tensor)); });
}

ctorch_error *ctorch_value_from_int(ctorch_value **out, int64_t value) {
  return make(__func__, out, [&] { return c10::IValue(value); });
}

ctorch_error *ctorch_value_from_double(ctorch_value **out, double value) {
  return make(__func__, out, [&] { return c10::IValue(value); });
}

ctorch_error *ctorch_value_from_bool(ctorch_value **out, bool value) {
  return make(__func__, out, [&] { return c10::IValue(value); });
}

ctorch_error *ctorch_value_from_complex(ctorch_value **out, double real, double imaginary) {
  return make(__func__, out, [&] { return c10::IValue(c10::complex<double>(real, imaginary)); });
}

ctorch_error *ctorch_value_from_scalar(ctorch_value **out, const ctorch_scalar *value) {
  return make(__func__, out, [&] {
    const at::Scalar number = static_cast<const at::Scalar &>(from::scalar(value, "value"));
    return number.type() == at::ScalarType::UInt64 ? integer_value(Integer(number.toUInt64())) : c10::IValue(number);
  });
}

ctorch_error *ctorch_value_from_string(ctorch_value **out, const char *text) {
  return make(__func__, out, [&] { return c10::IValue(std::string(from::string(text, "text"))); });
}

ctorch_error *ctorch_value_from_string_data(ctorch_value **out, const char *data, size_t data_len) {
  return make(__func__, out, [&] {
    from::check_list(data, data_len, "data");
    return c10::IValue(data_len == 0 ? std::string() : std::string(data, data_len));
  });
}

ctorch_error *ctorch_value_from_device(ctorch_value **out, const ctorch_device *device) {
  return make(__func__, out, [&] { return c10::IValue(from::device(device, "device")); });
}

ctorch_error *ctorch_value_from_stream(ctorch_value **out, const ctorch_stream *stream) {
  return make(__func__, out, [&] { return c10::IValue(from::stream(stream, "stream")); });
}

ctorch_error *ctorch_value_from_generator(ctorch_value **out, const ctorch_generator *generator) {
  return make(__func__, out, [&] { return c10::IValue(from::generator(generator, "generator")); });
}

ctorch_error *ctorch_value_from_storage(ctorch_value **out, const ctorch_storage *storage) {
  return make(__func__, out, [&] { return c10::IValue(from::storage(storage, "storage")); });
}

ctorch_error *ctorch_value_from_ints(ctorch_value **out, const int64_t *values, size_t values_len) {
  return make(__func__, out, [&] { return list_of(values, values_len, "values"); });
}

ctorch_error *ctorch_value_from_doubles(ctorch_value **out, const double *values, size_t values_len) {
  return make(__func__, out, [&] { return list_of(values, values_len, "values"); });
}

ctorch_error *ctorch_value_from_bools(ctorch_value **out, const bool *values, size_t values_len) {
  return make(__func__, out, [&] { return list_of(values, values_len, "values"); });
}

ctorch_error *ctorch_value_from_strings(ctorch_value **out, const char *const *values, size_t values_len) {
  return make(__func__, out, [&]() -> c10::IValue {
    from::check_list(values, values_len, "values");
    c10::List<std::string> list;
    list.reserve(values_len);
    for (size_t i = 0; i < values_len; i++) {
      list.push_back(std::string(from::string(values[i], ("values[" + std::to_string(i) + "]").c_str())));
    }
    return list;
  });
}

ctorch_error *ctorch_value_from_tensors(ctorch_value **out, const ctorch_tensor *const *tensors, size_t tensors_len) {
  return make(__func__, out, [&]() -> c10::IValue {
    from::check_list(tensors, tensors_len, "tensors");
    if (std::find(tensors, tensors + tensors_len, nullptr) != tensors + tensors_len) {
      return from::optional_tensors(tensors, tensors_len, "tensors");
    }
    c10::List<at::Tensor> list;
    list.reserve(tensors_len);
    for (size_t i = 0; i < tensors_len; i++) {
      list.push_back(share(tensors[i]));
    }
    return list;
  });
}

ctorch_error *ctorch_value_from_list(ctorch_value **out, const ctorch_value *const *values, size_t values_len) {
  return make(__func__, out, [&]() -> c10::IValue {
    std::vector<c10::IValue> entries = from::values(values, values_len, "values");
    c10::impl::GenericList list(c10::AnyType::get());
    list.reserve(entries.size());
    for (c10::IValue &entry : entries) {
      list.push_back(std::move(entry));
    }
    return list;
  });
}

ctorch_error *ctorch_value_from_tuple(ctorch_value **out, const ctorch_value *const *values, size_t values_len) {
  return make(__func__, out, [&]() -> c10::IValue {
    return c10::ivalue::Tuple::create(from::values(values, values_len, "values"));
  });
}

// Reading values ------------------------------------------------------------------------------------------------------

ctorch_value_kind ctorch_value_kind_of(const ctorch_value *self) {
  return is_there(self) ? kind_of(self->ivalue) : CTORCH_VALUE_NONE;
}

ctorch_error *ctorch_value_to_tensor(ctorch_tensor **out, const ctorch_value *self) {
  return read(__func__, out, self, [](const c10::IValue &value) {
    if (!value.isTensor() && !value.isNone()) {
      fail_kind("Tensor", value);
    }
    return value.isNone() ? at::Tensor() : value.toTensor();
  });
}

ctorch_error *ctorch_value_to_int(int64_t *out, const ctorch_value *self) {
  return read(__func__, out, self, [](const c10::IValue &value) {
    if (kind_of(value) != CTORCH_VALUE_INT) {
      fail_kind("int", value);
    }
    if (large_int(value) || value.isCapsule()) {
      fail(CTORCH_ERROR_VALUE, excerpt(integer_in(value).text()) + " does not fit an int64_t");
    }
    return value.toInt();
  });
}

ctorch_error *ctorch_value_to_double(double *out, const ctorch_value *self) {
  return read(__func__, out, self, [](const c10::IValue &value) {
    ctorch_value_kind kind = kind_of(value);
    if (kind != CTORCH_VALUE_DOUBLE && kind != CTORCH_VALUE_INT) {
      fail_kind("float", value);
    }
    return kind == CTORCH_VALUE_DOUBLE ? value.toDouble()
           : value.isCapsule()         ? float_of(integer_in(value))
                                       : value.toScalar().toDouble();
  });
}

ctorch_error *ctorch_value_to_bool(bool *out, const ctorch_value *self) {
  return read(__func__, out, self, [](const c10::IValue &value) {
    if (kind_of(value) != CTORCH_VALUE_BOOL) {
      fail_kind("bool", value);
    }
    return value.toBool();
  });
}

ctorch_error *ctorch_value_to_complex(double *out_real, double *out_imaginary, const ctorch_value *self) {
  return guard(__func__, [&] {
    to::require(out_real, "out_real");
    to::require(out_imaginary, "out_imaginary");
    const c10::IValue &value = from::value(self, "self");
    ctorch_value_kind kind = kind_of(value);
    if (kind != CTORCH_VALUE_COMPLEX && kind != CTORCH_VALUE_DOUBLE && kind != CTORCH_VALUE_INT) {
      fail_kind("complex", value);
    }
    c10::complex<double> number = value.isCapsule() ? float_of(integer_in(value)) : value.toScalar().toComplexDouble();
    *out_real = number.real();
    *out_imaginary = number.imag();
  });
}

ctorch_error *ctorch_value_to_scalar(ctorch_scalar *out, const ctorch_value *self) {
  return read(__func__, out, self, [](const c10::IValue &value) {
    ctorch_value_kind kind = kind_of(value);
    if (kind < CTORCH_VALUE_INT || kind > CTORCH_VALUE_COMPLEX) {
      fail_kind("a number", value);
    }
    if (!value.isCapsule()) {
      return value.toScalar();
    }
    auto number = integer_in(value).to_uint64();
    if (!number) {
      fail(CTORCH_ERROR_VALUE, excerpt(integer_in(value).text()) + " does not fit a scalar, which has 64 bits");
    }
    return at::Scalar(*number);
  });
}

ctorch_error *ctorch_value_to_string(const char **out, size_t *out_len, const ctorch_value *self) {
  return guard(__func__, [&] {
    to::require(out, "out");
    const c10::IValue &value = from::value(self, "self");
    if (!value.isString()) {
      fail_kind("str", value);
    }
    const std::string &text = value.toStringRef();
    *out = text.c_str();
    if (out_len != nullptr) {
      *out_len = text.size();
    }
  });
}

ctorch_error *ctorch_value_to_device(ctorch_device *out, const ctorch_value *self) {
  return guard(__func__, [&] {
    to::require(out, "out");
    const c10::IValue &value = from::value(self, "self");
    if (!value.isDevice()) {
      fail_kind("Device", value);
    }
    *out = to::device(value.toDevice());
  });
}

ctorch_error *ctorch_value_to_stream(ctorch_stream *out, const ctorch_value *self) {
  return guard(__func__, [&] {
    to::require(out, "out");
    const c10::IValue &value = from::value(self, "self");
    if (!value.isStream()) {
      fail_kind("Stream", value);
    }
    c10::StreamData3 data = value.toStream().pack3();
    *out = {data.stream_id, static_cast<int32_t>(data.device_type), static_cast<int32_t>(data.device_index)};
  });
}

ctorch_error *ctorch_value_to_generator(ctorch_generator **out, const ctorch_value *self) {
  return read(__func__, out, self, [](const c10::IValue &value) {
    if (!value.isGenerator()) {
      fail_kind("Generator", value);
    }
    return c10::intrusive_ptr<c10::GeneratorImpl>::reclaim(value.toGenerator().unsafeReleaseGeneratorImpl());
  });
}

ctorch_error *ctorch_value_to_storage(ctorch_storage **out, const ctorch_value *self) {
  return read(__func__, out, self, [](const c10::IValue &value) {
    if (!value.isStorage()) {
      fail_kind("Storage", value);
    }
    return c10::intrusive_ptr<c10::StorageImpl>::reclaim(value.toStorage().unsafeReleaseStorageImpl());
  });
}
