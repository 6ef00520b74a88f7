// The failing paths of from.hpp, and the conversions that are not worth inlining.
#include "core/abi/from.hpp"
#include "core/abi/text_stream.hpp"

#include <ATen/ops/set_data_ops.h>
#include <c10/core/Device.h>

#include <string>

#include "core/abi/utf8.hpp"
#include "core/torch/accelerator.hpp"

namespace ctorch::from {

namespace {

std::string indexed(const char *name, size_t i) { return std::string(name) + "[" + std::to_string(i) + "]"; }

at::Scalar convert(const ctorch_scalar &value, const std::string &name) {
  switch (value.kind) {
    case CTORCH_SCALAR_INT:
      return value.i;
    case CTORCH_SCALAR_FLOAT:
      return value.re;
    case CTORCH_SCALAR_BOOL:
      return value.i != 0;
    case CTORCH_SCALAR_COMPLEX:
      return c10::complex<double>(value.re, value.im);
    case CTORCH_SCALAR_UINT:
      return static_cast<uint64_t>(value.i);
    default:
      fail_argument(name.c_str(), "unknown scalar kind " + std::to_string(value.kind));
  }
}

}  // namespace

void unchecked::Mutable::write_back() {
  if (impl(tensor_) == at::UndefinedTensorImpl::singleton()) {
    tensor_ = nullptr;  // nothing to give back
    fail(CTORCH_ERROR_INTERNAL, "the operator left an undefined tensor in place of an argument");
  }
  at::Tensor self = share(self_);
  at::_ops::set_data::call(self, *this);
}

void fail_list(const void *data, size_t len, const char *name) {
  if (data == nullptr) {
    fail(CTORCH_ERROR_NULL_ARGUMENT, std::string(name) + " is NULL but its length is " + std::to_string(len));
  }
  fail_argument(name, "absurd length " + std::to_string(len));
}

void fail_null_element(const char *name, size_t i) { fail_null(indexed(name, i).c_str()); }

c10::List<std::optional<at::Tensor>> unchecked::optional_tensors(
    const ctorch_tensor *const *data, size_t len, const char *name) {
  check_list(static_cast<const void *>(data), len, name);
  c10::List<std::optional<at::Tensor>> list;
  list.reserve(len);
  for (size_t i = 0; i < len; i++) {
    list.push_back(data[i] == nullptr ? std::nullopt : std::optional<at::Tensor>(share(data[i])));
  }
  return list;
}

void fail_symint(int64_t value, const char *name) {
  fail_argument(name, std::to_string(value) + " is below the smallest size that LibTorch can hold, -2^62");
}

void fail_symints(const int64_t *data, size_t i, const char *name) { fail_symint(data[i], indexed(name, i).c_str()); }

at::Scalar other_scalar(const ctorch_scalar *value, const char *name) {
  if (value == nullptr) {
    fail_null(name);
  }
  return convert(*value, name);
}

Scalars::Scalars(const ctorch_scalar *data, size_t len, const char *name) {
  check_list(data, len, name);
  values_.reserve(len);
  for (size_t i = 0; i < len; i++) {
    values_.push_back(convert(data[i], indexed(name, i)));
  }
}

void fail_length(size_t len, size_t expected, const char *name) {
  fail_argument(name, "expected " + std::to_string(expected) + " entries, got " + std::to_string(len));
}

void fail_enumerator(const char *name, const char *what, int64_t value) {
  fail_argument(name, std::string("unknown ") + what + " " + std::to_string(value));
}

at::Device device(const ctorch_device *value, const char *name) {
  if (value == nullptr) {
    fail_null(name);
  }
  if (value->type < 0 || value->type >= at::COMPILE_TIME_MAX_DEVICE_TYPES) {
    fail_enumerator(name, "device type", value->type);
  }
  auto type = static_cast<at::DeviceType>(value->type);
  if (value->index < -1 || value->index > INT8_MAX || (type == at::DeviceType::CPU && value->index > 0)) {
    fail_argument(
        name, "no device index " + std::to_string(value->index) + " of type " + at::DeviceTypeName(type, true));
  }
  if (libtorch::lacks_driver(type)) {
    fail(CTORCH_ERROR_RUNTIME, std::string(name) + ": this machine has no Vulkan");
  }
  return {type, static_cast<at::DeviceIndex>(value->index)};
}

at::DeviceIndex device_index(int32_t value, const char *name) {
  if (value < -1 || value > INT8_MAX) {
    fail_argument(name, "no device index " + std::to_string(value));
  }
  return static_cast<at::DeviceIndex>(value);
}

c10::Stream stream(const ctorch_stream *value, const char *name) {
  if (value == nullptr) {
    fail_null(name);
  }
  ctorch_device place = {value->device_type, value->device_index};
  at::Device where = device(&place, name);
  if (where.index() < 0) {
    fail_argument(name, "a stream needs a device index of at least 0");
  }
  return c10::Stream(c10::Stream::UNSAFE, where, value->id);
}

std::string_view string(const char *value, const char *name) {
  if (value == nullptr) {
    fail_null(name);
  }
  std::string_view text(value);
  if (!is_utf8(text)) {
    fail_argument(name, "not UTF-8");
  }
  return text;
}

at::Generator unchecked::generator(const ctorch_generator *self, const char *name) {
  if (self == nullptr) {
    fail_null(name);
  }
  return at::Generator(c10::intrusive_ptr<c10::GeneratorImpl>::unsafe_reclaim_from_nonowning(impl(self)));
}

at::Storage unchecked::storage(const ctorch_storage *self, const char *name) {
  if (self == nullptr) {
    fail_null(name);
  }
  return at::Storage(c10::intrusive_ptr<c10::StorageImpl>::unsafe_reclaim_from_nonowning(impl(self)));
}

void fail_other_object(const Object *self, const char *name) {
  fail(
      CTORCH_ERROR_INVALID_HANDLE,
      std::string(name) + ": this is a handle of another kind, of type ctorch_" + self->type_name());
}

void refuse_empty(size_t len, const char *name) {
  if (len == 0) {
    fail_argument(name, "must not be empty");
  }
}

void refuse_above(const int64_t *data, size_t len, int64_t most, const char *name) {
  check_list(data, len, name);
  for (size_t i = 0; i < len; i++) {
    if (data[i] > most) {
      fail_argument(name, std::to_string(data[i]) + " is more than " + std::to_string(most));
    }
  }
}

void refuse_smaller(const ctorch_tensor *self, std::initializer_list<int64_t> least, const char *name) {
  at::IntArrayRef sizes = tensor(self, name).sizes();
  auto fits = [](int64_t size, int64_t bound) { return size >= bound; };
  if (!std::equal(sizes.begin(), sizes.end(), least.begin(), least.end(), fits)) {
    fail_argument(
        name, "expected " + std::to_string(least.size()) + " dimensions, none below " +
                  make_text(at::IntArrayRef(least.begin(), least.size())));
  }
}

void refuse_newer(bool given, const char *name) {
  if (given) {
    fail(CTORCH_ERROR_UNSUPPORTED, std::string(name) + ": the LibTorch at hand does not have this argument yet");
  }
}

}  // namespace ctorch::from
