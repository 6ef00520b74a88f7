// Filing the keys of dicts that LibTorch's cannot hold.
#include "core/value/value_key.hpp"

#include <array>
#include <atomic>
#include <cmath>
#include <cstring>
#include <exception>
#include <optional>
#include <random>

#include "core/value/value.hpp"
#include "core/value/value_object.hpp"

namespace ctorch {
namespace {

// A filed key is a text that begins with a byte that UTF-8 never has, then a letter that tells what it is, then that. A
// str that begins so itself is filed too.
constexpr char MARK = '\xFF';
constexpr int MAX_KEY_NESTING = 16;  // of tuples in tuples

[[noreturn]] void fail_key(const c10::IValue &value, const char *name) {
  fail(CTORCH_ERROR_TYPE, std::string(name) + ": " + ctorch_value_kind_name(kind_of(value)) + " cannot be a key");
}

template <class T>
std::string raw(T number) {
  std::string bytes(sizeof number, '\0');
  std::memcpy(bytes.data(), &number, sizeof number);
  return bytes;
}
/// What is not a filed key, though it begins like one: a text that TorchScript made.
struct NotFiled : std::exception {};

template <class T>
T number_in(std::string_view &bytes) {
  if (bytes.size() < sizeof(T)) {
    throw NotFiled();
  }
  T number;
  std::memcpy(&number, bytes.data(), sizeof number);
  bytes.remove_prefix(sizeof number);
  return number;
}
std::string sized(std::string_view bytes) { return raw(bytes.size()).append(bytes); }
std::string_view sized_in(std::string_view &bytes) {
  size_t size = number_in<size_t>(bytes);
  if (bytes.size() < size) {
    throw NotFiled();
  }
  std::string_view content = bytes.substr(0, size);
  bytes.remove_prefix(size);
  return content;
}

/// Python takes -0.0 and 0.0 for one key.
double without_sign_of_zero(double number) { return number == 0 ? 0.0 : number; }

bool is_nan(const c10::complex<double> &number) { return std::isnan(number.real()) || std::isnan(number.imag()); }

/// Python takes each NaN for a key: they are numbered.
std::string next_number() {
  static std::atomic<uint64_t> number{0};
  return raw(number.fetch_add(1, std::memory_order_relaxed));
}

/// SipHash-2-4 (Aumasson and Bernstein 2012) of a text, under a key that each process draws.
uint64_t secret_hash(std::string_view text) {
  static const auto secret = [] {
    std::random_device device;
    std::array<uint64_t, 2> drawn{};
    for (uint64_t &word : drawn) {
      word = uint64_t{device()} << 32 | device();
    }
    return drawn;
  }();
  uint64_t v0 = secret[0] ^ 0x736f6d6570736575, v1 = secret[1] ^ 0x646f72616e646f6d;
  uint64_t v2 = secret[0] ^ 0x6c7967656e657261, v3 = secret[1] ^ 0x7465646279746573;
  const auto rotated = [](uint64_t word, int by) { return word << by | word >> (64 - by); };
  const auto rounds = [&](int count) {
    for (; count > 0; count--) {
      v0 += v1, v1 = rotated(v1, 13) ^ v0, v0 = rotated(v0, 32);
      v2 += v3, v3 = rotated(v3, 16) ^ v2;
      v0 += v3, v3 = rotated(v3, 21) ^ v0;
      v2 += v1, v1 = rotated(v1, 17) ^ v2, v2 = rotated(v2, 32);
    }
  };
  uint64_t last = uint64_t{text.size()} << 56;
  for (; text.size() >= sizeof last;) {
    const auto word = number_in<uint64_t>(text);
    v3 ^= word, rounds(2), v0 ^= word;
  }
  for (size_t i = 0; i < text.size(); i++) {
    last |= uint64_t{static_cast<unsigned char>(text[i])} << (8 * i);
  }
  v3 ^= last, rounds(2), v0 ^= last;
  v2 ^= 0xff, rounds(4);
  return v0 ^ v1 ^ v2 ^ v3;
}

std::string filed(const c10::IValue &value, const char *name, int depth) {
  switch (kind_of(value)) {
    case CTORCH_VALUE_NONE:
      return "n";
    case CTORCH_VALUE_INT:
      return "i" + sized(integer_in(value).bytes());
    case CTORCH_VALUE_DOUBLE:
      return std::isnan(value.toDouble()) ? "F" + raw(value.toDouble()) + next_number()
                                          : "f" + raw(without_sign_of_zero(value.toDouble()));
    case CTORCH_VALUE_BOOL:
      return "o" + raw(value.toBool());
    case CTORCH_VALUE_COMPLEX: {
      c10::complex<double> number = value.toComplexDouble();
      if (is_nan(number)) {
        return "C" + raw(number.real()) + raw(number.imag()) + next_number();
      }
      return "c" + raw(without_sign_of_zero(number.real())) + raw(without_sign_of_zero(number.imag()));
    }
    case CTORCH_VALUE_STRING:
      return "s" + sized(value.toStringRef());
    case CTORCH_VALUE_BYTES:
      return "b" + sized(object_as<Bytes>(value)->data);
    case CTORCH_VALUE_DTYPE:
    case CTORCH_VALUE_LAYOUT:
    case CTORCH_VALUE_MEMORY_FORMAT:
      return "e" + raw(kind_of(value)) + raw(object_as<Enumerator>(value)->number);
    case CTORCH_VALUE_DEVICE:
      return "v" + raw(value.toDevice().type()) + raw(value.toDevice().index());
    case CTORCH_VALUE_TUPLE: {
      if (depth >= MAX_KEY_NESTING || named_tuple_type(value)) {
        fail_key(value, name);
      }
      const auto &elements = value.toTupleRef().elements();
      std::string text = "t" + raw(elements.size());
      for (const c10::IValue &element : elements) {
        text += filed(element, name, depth + 1);
      }
      return text;
    }
    case CTORCH_VALUE_PYTHON_OBJECT: {
      const auto &object = *object_as<PythonObject>(value);
      if (object.args.isNone()) {  // a class or function
        return "g" + sized(object.module) + sized(object.name);
      }
      if (object.is("torch", "Size") && contents_of(value).isTuple()) {
        return "z" + filed(contents_of(value), name, depth + 1);
      }
      fail_key(value, name);
    }
    default:
      fail_key(value, name);
  }
}

c10::IValue unfiled(std::string_view &bytes, int depth = 0) {
  const char kind = number_in<char>(bytes);
  if (depth > 2 * MAX_KEY_NESTING) {
    throw NotFiled();
  }
  switch (kind) {
    case 'i':
      return integer_value(Integer::from_bytes(sized_in(bytes)));
    case 'f':
      return number_in<double>(bytes);
    case 'F': {
      auto number = number_in<double>(bytes);
      number_in<uint64_t>(bytes);
      return number;
    }
    case 'o':
      return number_in<bool>(bytes);
    case 'c':
    case 'C': {
      auto real = number_in<double>(bytes);
      c10::complex<double> number(real, number_in<double>(bytes));
      if (kind == 'C') {
        number_in<uint64_t>(bytes);
      }
      return number;
    }
    case 's':
      return std::string(sized_in(bytes));
    case 'b':
      return make_object<Bytes>(std::string(sized_in(bytes)));
    case 'e': {
      auto which = number_in<ctorch_value_kind>(bytes);
      if (which != CTORCH_VALUE_DTYPE && which != CTORCH_VALUE_LAYOUT && which != CTORCH_VALUE_MEMORY_FORMAT) {
        throw NotFiled();
      }
      return make_object<Enumerator>(which, number_in<int32_t>(bytes));
    }
    case 'v': {
      auto type = number_in<at::DeviceType>(bytes);
      if (!at::isValidDeviceType(type)) {
        throw NotFiled();
      }
      return at::Device(type, number_in<at::DeviceIndex>(bytes));
    }
    case 't': {
      const auto len = number_in<size_t>(bytes);
      if (bytes.size() < len) {
        throw NotFiled();
      }
      std::vector<c10::IValue> elements(len);
      for (c10::IValue &element : elements) {
        element = unfiled(bytes, depth + 1);
      }
      return c10::ivalue::Tuple::create(std::move(elements));
    }
    case 'g': {
      std::string module(sized_in(bytes));
      return make_object<PythonObject>(std::move(module), std::string(sized_in(bytes)));
    }
    case 'z': {
      auto size = c10::make_intrusive<PythonObject>("torch", "Size");
      size->args = c10::ivalue::Tuple::create({unfiled(bytes, depth + 1)});
      return c10::IValue::make_capsule(std::move(size));
    }
    case 'n':
      return {};
    default:
      throw NotFiled();
  }
}

constexpr char REFILED = 'h';

bool is_filed(const c10::IValue &key) {
  return key.isString() && !key.toStringRef().empty() && key.toStringRef()[0] == MARK;
}

bool is_refiled(const c10::IValue &key) {
  return is_filed(key) && key.toStringRef().size() > sizeof MARK + sizeof REFILED + sizeof(uint64_t) &&
         key.toStringRef()[sizeof MARK] == REFILED;
}

/// What is behind the mark, and behind the hash of a refiled key.
std::string_view filed_text(const c10::IValue &key) {
  std::string_view text = key.toStringRef();
  text.remove_prefix(is_refiled(key) ? sizeof MARK + sizeof REFILED + sizeof(uint64_t) : sizeof MARK);
  return text;
}

/// What a key stands for that is_filed() takes for one of ours; none if it is a text that TorchScript made.
std::optional<c10::IValue> value_filed(const c10::IValue &key) {
  std::string_view bytes = filed_text(key);
  try {
    c10::IValue value = unfiled(bytes);
    return bytes.empty() ? std::optional(std::move(value)) : std::nullopt;
  } catch (const NotFiled &) {
    return std::nullopt;
  }
}

}  // namespace

bool is_hashed_by_torch(const c10::IValue &value) {
  if (value.isString()) {
    return !is_filed(value);
  }
  if (value.isDouble()) {
    return !std::isnan(value.toDouble());
  }
  if (value.isComplexDouble()) {
    return !is_nan(value.toComplexDouble());
  }
  return value.isInt() || value.isBool() || (value.isTensor() && value.toTensor().defined()) || value.isDevice();
}

c10::IValue key_of(const c10::IValue &value, const char *name) {
  if (is_hashed_by_torch(value)) {
    return value;
  }
  return MARK + filed(value, name, 0);
}

c10::IValue value_of_key(const c10::IValue &key) { return is_filed(key) ? value_filed(key).value_or(key) : key; }

bool may_refile(const c10::IValue &key) { return !key.isTensor(); }

c10::IValue refiled_key(const c10::IValue &key) {
  const std::string text = is_filed(key) ? std::string(filed_text(key)) : filed(key, "key", 0);
  return std::string{MARK, REFILED} + raw(secret_hash(text)) + text;
}

c10::IValue unrefiled_key(const c10::IValue &key) {
  if (!is_refiled(key)) {
    return key;
  }
  const auto value = value_filed(key);
  return value && is_hashed_by_torch(*value) ? *value : c10::IValue(MARK + std::string(filed_text(key)));
}

}  // namespace ctorch
