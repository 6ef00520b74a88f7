// The text form of a value: what Python's repr prints.
#include <ATen/core/Dict.h>
#include <ATen/core/List.h>
#include <ATen/core/function_schema.h>

#include <charconv>
#include <cmath>

#include "core/abi/callback.hpp"
#include "core/abi/excerpt.hpp"
#include "core/abi/from.hpp"
#include "core/abi/text_stream.hpp"
#include "core/abi/to.hpp"
#include "core/abi/utf8.hpp"
#include "core/tensor/repr.hpp"
#include "core/value/value.hpp"
#include "core/value/value_object.hpp"
#include "ctorch/abi/string.h"

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
  TextStream text;
  text << "torch.Stream device_type=" << at::DeviceTypeName(stream.device_type(), true)
       << ", device_index=" << static_cast<int>(stream.device_index()) << ", stream_id=" << stream.id();
  return text.str();
}

std::string storage_repr(const at::Storage &storage) {
  TextStream text;
  text << "[torch.storage.UntypedStorage(device=" << storage.device() << ") of size " << storage.nbytes() << "]";
  return text.str();
}

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

/// As Python prints bytes.
std::string bytes_repr(std::string_view bytes) {
  char quote = bytes.find('\'') != bytes.npos && bytes.find('"') == bytes.npos ? '"' : '\'';
  std::string text = std::string("b") + quote;
  for (char c : bytes) {
    switch (c) {
      case '\n':
        text += "\\n";
        break;
      case '\r':
        text += "\\r";
        break;
      case '\t':
        text += "\\t";
        break;
      case '\\':
        text += "\\\\";
        break;
      default:
        text += c == quote             ? std::string("\\") + c
                : c >= ' ' && c <= '~' ? std::string(1, c)
                                       : hexadecimal("\\x", static_cast<unsigned char>(c), 2);
    }
  }
  return text + quote;
}

std::string enumerator_repr(const Enumerator &value) {
  static constexpr const char *MEMORY_FORMATS[] = {
      "contiguous_format", "preserve_format", "channels_last", "channels_last_3d"};
  return std::string("torch.") + (value.kind == CTORCH_VALUE_DTYPE    ? ctorch_dtype_name(value.number)
                                  : value.kind == CTORCH_VALUE_LAYOUT ? ctorch_layout_name(value.number)
                                                                      : MEMORY_FORMATS[value.number]);
}

/// Writes a value, and those inside it from a stack of its own.
class Writer {
 public:
  /// `most`: where to stop; `is_excerpt`: texts inside are cut before that.
  explicit Writer(size_t most, bool is_excerpt) : most_(most), is_excerpt_(is_excerpt) {}

  std::string text;

  void write(const c10::IValue &value) {
    write_one(value);
    while (!open_.empty() && text.size() <= most_) {
      Container &container = open_.back();
      size_t i = container.entries.position();
      if (const c10::IValue *entry = container.entries.next()) {
        if (container.style == Style::Object && (i == 0 || entry->isNone())) {
          continue;  // the arguments are written by themselves, and what is not there not at all
        }
        text += before(container, i);
        container.has_part = true;
        write_one(*entry);
      } else {
        text += container.end;
        open_.pop_back();
      }
    }
  }

 private:
  enum class Style { Sequence, Named, Dict, Pairs, Object };

  struct Container {
    const void *address;
    Entries entries;
    Style style;
    std::string end;
    c10::TupleTypePtr names = nullptr;
    bool has_part = false;  // of an object: what comes next needs a comma
  };

  /// What stands in front of an entry.
  static std::string before(const Container &container, size_t i) {
    std::string comma = i == 0 ? "" : ", ";
    switch (container.style) {
      case Style::Named:
        return comma + container.names->schema()->arguments()[i].name() + "=";
      case Style::Dict:
        return i % 2 == 1 ? ": " : comma;
      case Style::Pairs:
        return i % 2 == 1 ? ", " : i == 0 ? "(" : "), (";
      case Style::Object:
        return (container.has_part ? ", " : "") + std::string(i == 1 ? "items=" : "state=");
      default:
        return comma;
    }
  }

  void write_one(const c10::IValue &value) {
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
        text += string_repr(cut(value.toStringRef()));
        break;
      case CTORCH_VALUE_BYTES:
        text += bytes_repr(cut(object_as<Bytes>(value)->data));
        break;
      case CTORCH_VALUE_DTYPE:
      case CTORCH_VALUE_LAYOUT:
      case CTORCH_VALUE_MEMORY_FORMAT:
        text += enumerator_repr(*object_as<Enumerator>(value));
        break;
      case CTORCH_VALUE_LIST:
        open(value, "[", Style::Sequence, "]", "[...]");
        break;
      case CTORCH_VALUE_TUPLE:
        open_tuple(value);
        break;
      case CTORCH_VALUE_DICT:
        open(value, "{", Style::Dict, "}", "{...}");
        break;
      case CTORCH_VALUE_SET:
        if (object_as<Set>(value)->entries.empty()) {
          text += "set()";
        } else {
          open(value, "{", Style::Sequence, "}", "{...}");
        }
        break;
      case CTORCH_VALUE_PYTHON_OBJECT:
        open_object(value);
        break;
      case CTORCH_VALUE_MODULE:
      case CTORCH_VALUE_TRANSFORM:
        write_boxed(*object_as<BoxedObject>(value));
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

  void write_boxed(const BoxedObject &held) {
    ctorch_string *own = nullptr;
    if (ctorch_error *error = held.type.repr(&own, held.object)) {
      fail_callback("repr", 0, error);
    }
    text += cut(ctorch_string_data(own));
    ctorch_string_release(own);
  }

  /// Of a text in an error message, the ends.
  std::string_view cut(std::string_view long_text) {
    if (!is_excerpt_ || long_text.size() <= most_) {
      return long_text;
    }
    excerpt_ = excerpt(long_text, most_);
    return excerpt_;
  }

  void write_number(const c10::IValue &value) {
    if (value.isInt()) {
      text += std::to_string(value.toInt());
    } else if (value.isDouble()) {
      text += float_repr(value.toDouble());
    } else if (value.isBool()) {
      text += value.toBool() ? "True" : "False";
    } else if (large_int(value) || value.isCapsule()) {
      text += integer_in(value).text();
    } else {
      write_as_libtorch(value);  // a symbol
    }
  }

  bool is_open(const c10::IValue &value) const {
    return std::any_of(open_.begin(), open_.end(), [address = value.internalToPointer()](const Container &outer) {
      return outer.address == address;
    });
  }

  void open(
      const c10::IValue &value,
      std::string_view begin,
      Style style,
      std::string end,
      std::string_view inside_itself,
      const c10::IValue *contents = nullptr) {
    if (is_open(value)) {
      text += inside_itself;
      return;
    }
    if (open_.size() >= MAX_NESTING) {
      fail_nesting();
    }
    text += begin;
    open_.push_back(
        {value.internalToPointer(), Entries(contents == nullptr ? value : *contents), style, std::move(end)});
  }

  void open_tuple(const c10::IValue &value) {
    auto type = named_tuple_type(value);
    bool is_single = value.toTupleRef().elements().size() == 1;
    size_t outer = open_.size();
    if (type) {
      open(value, (type->name() ? type->name()->name() : "") + "(", Style::Named, ")", "(...)");
    } else {
      open(value, "(", Style::Sequence, is_single ? ",)" : ")", "(...)");
    }
    if (open_.size() > outer) {
      open_.back().names = type;
    }
  }

  /// Those whose own text is known look as in Python; others as the call that makes them, with what is set later.
  void open_object(const c10::IValue &value) {
    const auto &object = *object_as<PythonObject>(value);
    const c10::IValue &contents = contents_of(value);
    if (object.args.isNone()) {
      text += object.full_name();
    } else if (object.is("torch", "Size") && (contents.isTuple() || contents.isList())) {
      open(value, "torch.Size([", Style::Sequence, "])", "torch.Size([...])", &contents);
    } else if (object.is("collections", "OrderedDict") && object.args.toTupleRef().elements().empty()) {
      bool is_empty = !contents.isGenericDict() || contents.toGenericDict().empty();
      if (is_empty) {
        text += "OrderedDict()";
      } else {
        open(value, "OrderedDict([", Style::Pairs, ")])", "...", &contents);
      }
    } else if (!is_open(value)) {
      open(value, object.full_name() + "(", Style::Object, ")", "");
      open_.back().has_part = !object.args.toTupleRef().elements().empty();
      // Written first, as a part of the object, whose own entries come after.
      open(object.args, "", Style::Sequence, "", "...");
    } else {
      text += object.full_name() + "(...)";
    }
  }

  void write_as_libtorch(const c10::IValue &value) {
    TextStream stream;
    stream << value;
    text += stream.str();
  }

  size_t most_;
  bool is_excerpt_;
  std::string excerpt_;
  std::vector<Container> open_;
};

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

/// Values that share their parts have texts that grow with the ways through them: 2^n for n tuples of two.
constexpr size_t LONGEST_REPR = size_t{64} << 20;

std::string ctorch::value_repr(const c10::IValue &value) {
  Writer writer(LONGEST_REPR, false);
  writer.write(value);
  if (writer.text.size() > LONGEST_REPR) {
    fail(CTORCH_ERROR_RUNTIME, "the text of the value is longer than 64 MiB: print its parts");
  }
  return std::move(writer.text);
}

std::string ctorch::value_excerpt(const c10::IValue &value) {
  try {
    Writer writer(MAX_EXCERPT, true);
    writer.write(value);
    return excerpt(writer.text);
  } catch (const std::exception &) {
    return ctorch_value_kind_name(kind_of(value));
  }
}

ctorch_error *ctorch_value_repr(ctorch_string **out, const ctorch_value *self) {
  return guard(__func__, [&] {
    to::require(out, "out");
    to::give(value_repr(from::value(self, "self")), out);
  });
}
