// Filing the keys of dicts that LibTorch's cannot hold.
#include "op/value_key.hpp"

#include <cstring>

#include "op/value.hpp"
#include "op/value_object.hpp"

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
template <class T>
T number_in(std::string_view &bytes) {
  T number;
  std::memcpy(&number, bytes.data(), sizeof number);
  bytes.remove_prefix(sizeof number);
  return number;
}
std::string sized(std::string_view bytes) { return raw(bytes.size()).append(bytes); }
std::string_view sized_in(std::string_view &bytes) {
  size_t size = number_in<size_t>(bytes);
  std::string_view content = bytes.substr(0, size);
  bytes.remove_prefix(size);
  return content;
}

/// Python takes -0.0 and 0.0 for one key.
double without_sign_of_zero(double number) { return number == 0 ? 0.0 : number; }

std::string filed(const c10::IValue &value, const char *name, int depth) {
  switch (kind_of(value)) {
    case CTORCH_VALUE_NONE:
      return "n";
    case CTORCH_VALUE_INT:
      return "i" + sized(integer_in(value).bytes());
    case CTORCH_VALUE_DOUBLE:
      return "f" + raw(without_sign_of_zero(value.toDouble()));
    case CTORCH_VALUE_BOOL:
      return "o" + raw(value.toBool());
    case CTORCH_VALUE_COMPLEX: {
      c10::complex<double> number = value.toComplexDouble();
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

c10::IValue unfiled(std::string_view &bytes) {
  char kind = bytes[0];
  bytes.remove_prefix(1);
  switch (kind) {
    case 'i':
      return integer_value(Integer::from_bytes(sized_in(bytes)));
    case 'f':
      return number_in<double>(bytes);
    case 'o':
      return number_in<bool>(bytes);
    case 'c': {
      auto real = number_in<double>(bytes);
      return c10::complex<double>(real, number_in<double>(bytes));
    }
    case 's':
      return std::string(sized_in(bytes));
    case 'b':
      return make_object<Bytes>(std::string(sized_in(bytes)));
    case 'e': {
      auto which = number_in<ctorch_value_kind>(bytes);
      return make_object<Enumerator>(which, number_in<int32_t>(bytes));
    }
    case 'v': {
      auto type = number_in<at::DeviceType>(bytes);
      return at::Device(type, number_in<at::DeviceIndex>(bytes));
    }
    case 't': {
      std::vector<c10::IValue> elements(number_in<size_t>(bytes));
      for (c10::IValue &element : elements) {
        element = unfiled(bytes);
      }
      return c10::ivalue::Tuple::create(std::move(elements));
    }
    case 'g': {
      std::string module(sized_in(bytes));
      return make_object<PythonObject>(std::move(module), std::string(sized_in(bytes)));
    }
    case 'z': {
      auto size = c10::make_intrusive<PythonObject>("torch", "Size");
      size->args = c10::ivalue::Tuple::create({unfiled(bytes)});
      return c10::IValue::make_capsule(std::move(size));
    }
    default:
      return {};
  }
}

bool is_hashed_by_torch(const c10::IValue &value) {
  return value.isString() ? value.toStringRef().empty() || value.toStringRef()[0] != MARK
                          : value.isInt() || value.isDouble() || value.isBool() || value.isComplexDouble() ||
                                (value.isTensor() && value.toTensor().defined()) || value.isDevice();
}

}  // namespace

c10::IValue key_of(const c10::IValue &value, const char *name) {
  if (is_hashed_by_torch(value)) {
    return value;
  }
  return MARK + filed(value, name, 0);
}

c10::IValue value_of_key(const c10::IValue &key) {
  if (!key.isString() || key.toStringRef().empty() || key.toStringRef()[0] != MARK) {
    return key;
  }
  std::string_view bytes = key.toStringRef();
  bytes.remove_prefix(1);
  return unfiled(bytes);
}

}  // namespace ctorch
