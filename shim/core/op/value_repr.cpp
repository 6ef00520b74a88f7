// The text form of a value: what Python's repr prints.
#include <ATen/core/Dict.h>
#include <ATen/core/List.h>
#include <ATen/core/function_schema.h>

#include <charconv>
#include <cmath>
#include <sstream>

#include "abi/from.hpp"
#include "abi/to.hpp"
#include "abi/utf8.hpp"
#include "op/value.hpp"
#include "tensor/repr.hpp"

using namespace ctorch;

namespace {

/// The shortest digits that read back as the same number; an exponent below 1e-4 and from 1e16.
std::string float_digits(double value) {
  if (!std::isfinite(value)) {
    return std::isnan(value) ? "nan" : value < 0 ? "-inf" : "inf";
  }
  double size = std::fabs(value);
  bool plain = size == 0 || (size >= 1e-4 && size < 1e16);
  char buffer[64];
  auto end = std::to_chars(
      buffer, buffer + sizeof buffer, value, plain ? std::chars_format::fixed : std::chars_format::scientific);
  return {buffer, end.ptr};
}

std::string float_repr(double value) {
  std::string digits = float_digits(value);
  return digits.find_first_not_of("-0123456789") == std::string::npos ? digits + ".0" : digits;
}

std::string complex_repr(c10::complex<double> value) {
  std::string imaginary = float_digits(value.imag()) + "j";
  if (value.real() == 0 && !std::signbit(value.real())) {
    return imaginary;
  }
  return "(" + float_digits(value.real()) + (imaginary[0] == '-' ? "" : "+") + imaginary + ")";
}

std::string device_repr(at::Device device) {
  std::string text = "device(type='" + at::DeviceTypeName(device.type(), true) + "'";
  return text + (device.has_index() ? ", index=" + std::to_string(device.index()) : "") + ")";
}

std::string stream_repr(const c10::Stream &stream) {
  std::ostringstream text;
  text << "torch.Stream device_type=" << at::DeviceTypeName(stream.device_type(), true)
       << ", device_index=" << static_cast<int>(stream.device_index()) << ", stream_id=" << stream.id();
  return text.str();
}

std::string storage_repr(const at::Storage &storage) {
  std::ostringstream text;
  text << "[torch.storage.UntypedStorage(device=" << storage.device() << ") of size " << storage.nbytes() << "]";
  return text.str();
}

class Writer {
 public:
  void write(const c10::IValue &value) {
    switch (kind_of(value)) {
      case CTORCH_VALUE_NONE:
        text += "None";
        break;
      case CTORCH_VALUE_TENSOR:
        text += tensor_repr(value.toTensor(), {});
        break;
      case CTORCH_VALUE_INT:
      case CTORCH_VALUE_DOUBLE:
      case CTORCH_VALUE_BOOL:
        write_number(value);
        break;
      case CTORCH_VALUE_COMPLEX:
        text += complex_repr(value.toComplexDouble());
        break;
      case CTORCH_VALUE_STRING:
        text += string_repr(value.toStringRef());
        break;
      case CTORCH_VALUE_LIST:
      case CTORCH_VALUE_TUPLE:
      case CTORCH_VALUE_DICT:
        write_container(value);
        break;
      case CTORCH_VALUE_DEVICE:
        text += device_repr(value.toDevice());
        break;
      case CTORCH_VALUE_STREAM:
        text += stream_repr(value.toStream());
        break;
      case CTORCH_VALUE_STORAGE:
        text += storage_repr(value.toStorage());
        break;
      default:
        write_as_libtorch(value);
    }
  }

  std::string text;

 private:
  void write_number(const c10::IValue &value) {
    if (value.isInt()) {
      text += std::to_string(value.toInt());
    } else if (value.isDouble()) {
      text += float_repr(value.toDouble());
    } else if (value.isBool()) {
      text += value.toBool() ? "True" : "False";
    } else if (auto number = large_int(value)) {
      text += std::to_string(*number);
    } else {
      write_as_libtorch(value);  // a symbol
    }
  }

  void write_container(const c10::IValue &value) {
    if (std::find(open_.begin(), open_.end(), value.internalToPointer()) != open_.end()) {
      text += value.isList() ? "[...]" : value.isTuple() ? "(...)" : "{...}";
      return;
    }
    if (open_.size() >= MAX_NESTING) {
      fail_nesting();
    }
    open_.push_back(value.internalToPointer());
    if (value.isList()) {
      write_entries("[", value.toListRef(), "]");
    } else if (value.isTuple()) {
      write_tuple(value);
    } else {
      write_dict(value.toGenericDict());
    }
    open_.pop_back();
  }

  void write_entries(const char *begin, c10::ArrayRef<c10::IValue> entries, const char *end) {
    text += begin;
    for (size_t i = 0; i < entries.size(); i++) {
      text += i == 0 ? "" : ", ";
      write(entries[i]);
    }
    text += end;
  }

  void write_tuple(const c10::IValue &value) {
    c10::ArrayRef<c10::IValue> entries = value.toTupleRef().elements().asArrayRef();
    if (auto type = named_tuple_type(value)) {
      write_named_tuple(*type, entries);
    } else {
      write_entries("(", entries, entries.size() == 1 ? ",)" : ")");
    }
  }

  void write_named_tuple(const c10::TupleType &type, c10::ArrayRef<c10::IValue> entries) {
    text += (type.name() ? type.name()->name() : "") + "(";
    for (size_t i = 0; i < entries.size(); i++) {
      text += (i == 0 ? "" : ", ") + type.schema()->arguments()[i].name() + "=";
      write(entries[i]);
    }
    text += ")";
  }

  void write_dict(const c10::impl::GenericDict &dict) {
    text += "{";
    bool first = true;
    for (const auto &entry : dict) {
      text += first ? "" : ", ";
      first = false;
      write(entry.key());
      text += ": ";
      write(entry.value());
    }
    text += "}";
  }

  void write_as_libtorch(const c10::IValue &value) {
    std::ostringstream stream;
    stream << value;
    text += stream.str();
  }

  std::vector<const void *> open_;
};

/// Not what Python prints as escapes: controls, separators, formats, private use, noncharacters. Code points that the
/// Unicode of the day has not assigned are printed as they are, outside the last plane.
bool is_printable(uint32_t c) {
  static constexpr std::pair<uint32_t, uint32_t> ESCAPED[] = {
      {0x00, 0x1F},       {0x7F, 0xA0},       {0xAD, 0xAD},       {0x600, 0x605},     {0x61C, 0x61C},
      {0x6DD, 0x6DD},     {0x70F, 0x70F},     {0x890, 0x891},     {0x8E2, 0x8E2},     {0x1680, 0x1680},
      {0x180E, 0x180E},   {0x2000, 0x200F},   {0x2028, 0x202F},   {0x205F, 0x206F},   {0x3000, 0x3000},
      {0xD800, 0xF8FF},   {0xFDD0, 0xFDEF},   {0xFEFF, 0xFEFF},   {0xFFF0, 0xFFFB},   {0xFFFE, 0xFFFF},
      {0x110BD, 0x110BD}, {0x110CD, 0x110CD}, {0x13430, 0x1343F}, {0x1BCA0, 0x1BCA3}, {0x1D173, 0x1D17A},
      {0xE0000, 0xE00FF}, {0xE01F0, 0x10FFFF}};
  for (auto [first, last] : ESCAPED) {
    if (c >= first && c <= last) {
      return false;
    }
  }
  return true;
}

std::string hexadecimal(const char *prefix, uint32_t number, int digits) {
  char buffer[16];
  std::snprintf(buffer, sizeof buffer, "%s%0*x", prefix, digits, number);
  return buffer;
}

/// One character at `text[i]`, which moves on. What is not UTF-8 stands for itself, byte by byte.
std::string character_repr(std::string_view text, size_t &i, char quote) {
  auto first = static_cast<unsigned char>(text[i]);
  if (first < 0x80) {
    i++;
    switch (first) {
      case '\n':
        return "\\n";
      case '\r':
        return "\\r";
      case '\t':
        return "\\t";
      case '\\':
        return "\\\\";
      default:
        return first == quote        ? std::string("\\") + quote
               : is_printable(first) ? std::string(1, static_cast<char>(first))
                                     : hexadecimal("\\x", first, 2);
    }
  }
  size_t length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
  std::string_view bytes = text.substr(i, length);
  if (bytes.size() < length || !is_utf8(bytes)) {
    i++;
    return hexadecimal("\\x", first, 2);
  }
  uint32_t code = first & (0x7F >> length);
  for (char byte : bytes.substr(1)) {
    code = code << 6 | (byte & 0x3F);
  }
  i += length;
  return is_printable(code) ? std::string(bytes)
         : code < 0x100     ? hexadecimal("\\x", code, 2)
         : code < 0x10000   ? hexadecimal("\\u", code, 4)
                            : hexadecimal("\\U", code, 8);
}

}  // namespace

std::string ctorch::string_repr(std::string_view text) {
  char quote = text.find('\'') != text.npos && text.find('"') == text.npos ? '"' : '\'';
  std::string repr(1, quote);
  for (size_t i = 0; i < text.size();) {
    repr += character_repr(text, i, quote);
  }
  return repr + quote;
}

std::string ctorch::value_repr(const c10::IValue &value) {
  Writer writer;
  writer.write(value);
  return std::move(writer.text);
}

ctorch_error *ctorch_value_repr(ctorch_string **out, const ctorch_value *self) {
  return guard(__func__, [&] {
    to::require(out, "out");
    to::give(value_repr(from::value(self, "self")), out);
  });
}
