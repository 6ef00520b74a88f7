// PyTorch reports most mismatches as a plain error whose only content is its text. This file reads the text with the
// templates of error_wordings.hpp; a row that does not fit costs one comparison of strings.
#include "core/abi/error_details.hpp"

#include <ATen/core/dispatch/Dispatcher.h>
#include <c10/core/TensorOptions.h>

#include <algorithm>
#include <charconv>
#include <cstring>
#include <limits>
#include <locale>

#include "core/abi/error_wordings.hpp"
#include "core/abi/machine.hpp"

namespace ctorch {
namespace {

constexpr int64_t int64_max = std::numeric_limits<int64_t>::max();
constexpr int64_t int64_min = std::numeric_limits<int64_t>::min();

// std::isalpha and its kin depend on the locale.
bool is_digit(char c) { return c >= '0' && c <= '9'; }
char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }
bool is_word(char c) { return is_digit(c) || (lower(c) >= 'a' && lower(c) <= 'z') || c == '_'; }

bool skip(std::string_view &text, std::string_view prefix) {
  if (text.substr(0, prefix.size()) != prefix) {
    return false;
  }
  text.remove_prefix(prefix.size());
  return true;
}

std::string_view leading_word(std::string_view text) {
  size_t length = 0;
  while (length < text.size() && is_word(text[length])) {
    ++length;
  }
  return text.substr(0, length);
}

/// Saturates: a message may hold any number.
bool read_integer(std::string_view &text, int64_t &out) {
  const bool negative = skip(text, "-");
  if (text.empty() || !is_digit(text[0])) {
    return false;
  }
  const char *end = text.data() + text.size();
  uint64_t magnitude = 0;
  const auto [next, status] = std::from_chars(text.data(), end, magnitude);
  if (status != std::errc() || magnitude > static_cast<uint64_t>(int64_max)) {
    out = negative ? int64_min : int64_max;
  } else {
    out = negative ? -static_cast<int64_t>(magnitude) : static_cast<int64_t>(magnitude);
  }
  text.remove_prefix(static_cast<size_t>(next - text.data()));
  return true;
}

bool read_shape(std::string_view &text, std::vector<int64_t> &out) {
  out.clear();
  if (!skip(text, "[")) {
    return false;
  }
  while (!skip(text, "]")) {
    int64_t size;
    if ((!out.empty() && !skip(text, ", ")) || !read_integer(text, size)) {
      return false;
    }
    out.push_back(size);
  }
  return true;
}

bool read_bare_shape(std::string_view &text, std::vector<int64_t> &out) {
  out.clear();
  int64_t size;
  while (read_integer(text, size)) {
    out.push_back(size);
    if (text.size() < 2 || text[0] != ' ' || !is_digit(text[1])) {
      return true;
    }
    text.remove_prefix(1);
  }
  return false;
}

/// "20.00 MiB", "256 bytes", "4096". PyTorch's KB, MB and GB are powers of 1024 too.
bool read_bytes(std::string_view &text, uint64_t &out) {
  constexpr uint64_t most = std::numeric_limits<uint64_t>::max();
  if (text.empty() || !is_digit(text[0])) {
    return false;
  }
  const char *end = text.data() + text.size();
  uint64_t whole = 0;
  const auto [next, status] = std::from_chars(text.data(), end, whole);
  if (status != std::errc()) {
    whole = most;
  }
  text.remove_prefix(static_cast<size_t>(next - text.data()));
  double fraction = 0;
  if (text.size() > 1 && text[0] == '.' && is_digit(text[1])) {
    text.remove_prefix(1);
    for (double digit = 0.1; !text.empty() && is_digit(text[0]); digit /= 10) {
      fraction += digit * (text[0] - '0');
      text.remove_prefix(1);
    }
  }
  constexpr std::string_view units = "KMGTPE";
  int shift = 0;
  if (text.size() > 2 && text[0] == ' ' && (text[2] == 'B' || text.substr(2, 2) == "iB")) {
    const size_t place = units.find(text[1]);
    if (place != std::string_view::npos) {
      shift = 10 * static_cast<int>(place + 1);
      text.remove_prefix(text[2] == 'B' ? 3 : 4);
    }
  } else {
    skip(text, " bytes");
  }
  if (whole > (most >> shift)) {
    out = most;
  } else {
    const uint64_t unit = uint64_t{1} << shift;
    out = whole * unit + std::min(static_cast<uint64_t>(fraction * static_cast<double>(unit)), unit - 1);
  }
  return true;
}

/// The longest name at the beginning of `text`, and its length.
const DtypeName *find_dtype(std::string_view text) {
  const DtypeName *best = nullptr;
  for (const DtypeName &entry : dtype_names) {
    const size_t length = entry.name.size();
    if (!text.empty() && text[0] == entry.name[0] && text.substr(0, length) == entry.name &&
        (text.size() == length || !is_word(text[length])) && (best == nullptr || length > best->name.size())) {
      best = &entry;
    }
  }
  return best;
}

/// The device that a backend's name ends with, in any case: "CUDA", "SparseCsrCPU", "Meta".
bool find_device(std::string_view backend, ctorch_device_type &out) {
  for (const DeviceName &entry : device_names) {
    const size_t length = entry.name.size();
    if (backend.size() >= length && std::equal(
                                        entry.name.begin(), entry.name.end(), backend.end() - length,
                                        [](char a, char b) { return a == lower(b); })) {
      out = entry.type;
      return true;
    }
  }
  return false;
}

/// "CUDAFloatType" and "torch.cuda.FloatTensor": one word for device and dtype.
bool read_tensor_type(std::string_view &text, ctorch_device_type &device, ctorch_dtype &dtype) {
  std::string_view rest = text;
  std::string_view backend = "cpu";
  if (skip(rest, "torch.")) {
    const std::string_view module = leading_word(rest);
    if (rest.size() > module.size() && rest[module.size()] == '.') {
      backend = module;
      rest.remove_prefix(module.size() + 1);
    }
  }
  std::string_view name = leading_word(rest);
  rest.remove_prefix(name.size());
  const std::string_view suffix = name.size() > 6 && name.substr(name.size() - 6) == "Tensor" ? "Tensor" : "Type";
  if (name.size() <= suffix.size() || name.substr(name.size() - suffix.size()) != suffix) {
    return false;
  }
  name.remove_suffix(suffix.size());
  // "CUDABFloat16": the longest dtype that the name ends with.
  for (size_t start = 0; start < name.size(); ++start) {
    const DtypeName *entry = find_dtype(name.substr(start));
    if (entry == nullptr || entry->name.size() != name.size() - start) {
      continue;
    }
    if (start > 0) {
      backend = name.substr(0, start);
    }
    dtype = entry->dtype;
    text = rest;
    return find_device(backend, device);
  }
  return false;
}

bool read_dtype(std::string_view &text, ctorch_dtype &out) {
  ctorch_device_type device;
  std::string_view rest = text;
  if (!skip(rest, "torch.")) {
    skip(rest, "c10::");
  }
  if (const DtypeName *entry = find_dtype(rest)) {
    out = entry->dtype;
    rest.remove_prefix(entry->name.size());
    text = rest;
    return true;
  }
  return read_tensor_type(text, device, out);
}

bool read_device(std::string_view &text, ctorch_device &out) {
  out.index = -1;
  const std::string_view word = leading_word(text);
  if (!find_device(word, out.type)) {
    ctorch_dtype dtype;
    return read_tensor_type(text, out.type, dtype);
  }
  text.remove_prefix(word.size());
  if (text.size() > 1 && text[0] == ':' && is_digit(text[1])) {
    text.remove_prefix(1);
    int64_t index = 0;
    read_integer(text, index);
    out.index = static_cast<int32_t>(std::min<int64_t>(index, std::numeric_limits<int32_t>::max()));
  }
  return true;
}

template <class T>
struct Sides {
  std::optional<T> expected;
  std::optional<T> got;

  void set(char role, const T &value) {
    if (role == 'e') {
      expected = value;
    } else if (role == 'g') {
      got = value;
    }
  }
};

/// What one row has read.
struct Reading {
  std::vector<int64_t> expected;
  std::vector<int64_t> got;
  bool has_shape = false;
  std::optional<int64_t> channels;
  bool at_most = false;
  Sides<ctorch_device> devices;
  Sides<ctorch_dtype> dtypes;
  std::optional<uint64_t> requested;
  std::optional<uint64_t> available;
  uint64_t used = 0;

  void add_integer(char role, int64_t value) {
    if (role == 'e' || role == 'b') {
      expected.push_back(value);
    }
    if (role == 'g' || role == 'b') {
      got.push_back(value);
    }
    if (role == 'c') {
      channels = value;
    }
    has_shape |= role != 0;
  }

  bool add_shape(char role, std::vector<int64_t> value) {
    has_shape |= role != 0;
    if (role == 'n' && value.size() > 1) {
      value.erase(value.begin() + 1);
    } else if (role == 'f') {
      if (value.size() < 2) {
        return false;
      }
      value = {value[1]};
    }
    at_most |= role == 'm';
    if (role == 'g') {
      got = std::move(value);
    } else if (role != 0) {
      expected = std::move(value);
    }
    return true;
  }

  void add_bytes(char role, uint64_t value) {
    if (role == 'r') {
      requested = value;
    } else if (role == 'a') {
      available = value;
    } else if (role == 'u') {
      used = value > std::numeric_limits<uint64_t>::max() - used ? std::numeric_limits<uint64_t>::max() : used + value;
    }
  }

  bool read_value(char role, char kind, std::string_view &text) {
    switch (kind) {
      case 'd': {
        int64_t value;
        if (!read_integer(text, value)) {
          return false;
        }
        add_integer(role, value);
        return true;
      }
      case 's':
      case 'l': {
        std::vector<int64_t> value;
        return (kind == 's' ? read_shape(text, value) : read_bare_shape(text, value)) &&
               add_shape(role, std::move(value));
      }
      case 't': {
        ctorch_dtype value;
        if (!read_dtype(text, value)) {
          return false;
        }
        dtypes.set(role, value);
        return true;
      }
      case 'v': {
        ctorch_device value;
        if (!read_device(text, value)) {
          return false;
        }
        devices.set(role, value);
        return true;
      }
      case 'B': {
        uint64_t value;
        if (!read_bytes(text, value)) {
          return false;
        }
        add_bytes(role, value);
        return true;
      }
      default:
        return false;
    }
  }

  bool match(std::string_view row, std::string_view text);
  bool move_to(WordingKind kind, ErrorDetails &details);
};

bool Reading::match(std::string_view row, std::string_view text) {
  while (!row.empty()) {
    const char c = row[0];
    row.remove_prefix(1);
    if (c == '*') {
      const size_t at = text.find(row.substr(0, row.find_first_of("%*")));
      if (at == std::string_view::npos) {
        return false;
      }
      text.remove_prefix(at);
    } else if (c != '%') {
      if (text.empty() || text[0] != c) {
        return false;
      }
      text.remove_prefix(1);
    } else {
      char role = 0;
      if (std::memchr("egbcfnmrau", row[0], 10) != nullptr) {
        role = row[0];
        row.remove_prefix(1);
      }
      const char kind = row[0];
      row.remove_prefix(1);
      if (kind == 'w') {
        // Up to the character that the template goes on with, or a space.
        const char stops[] = {' ', row.empty() ? ' ' : row[0]};
        const size_t length = std::min(text.find_first_of(std::string_view(stops, 2)), text.size());
        if (length == 0) {
          return false;
        }
        text.remove_prefix(length);
      } else if (!read_value(role, kind, text)) {
        return false;
      }
    }
  }
  return true;
}

/// False if both sides are equal: then something else in the message is at odds.
bool Reading::move_to(WordingKind kind, ErrorDetails &details) {
  switch (kind) {
    case WordingKind::shape:
      if (!has_shape) {
        return true;
      }
      if (channels.has_value()) {
        if (got.size() < 2) {
          return false;
        }
        expected = got;
        expected[1] = *channels;
      }
      if (expected == got) {
        return false;
      }
      if (at_most && expected.size() == got.size() &&
          std::equal(got.begin(), got.end(), expected.begin(), [](int64_t a, int64_t b) { return a <= b; })) {
        return false;
      }
      details.shapes.emplace(std::move(expected), std::move(got));
      return true;
    case WordingKind::device:
      if (devices.expected.has_value() && devices.got.has_value()) {
        if (devices.expected->type == devices.got->type && devices.expected->index == devices.got->index) {
          return false;
        }
        details.devices.emplace(*devices.expected, *devices.got);
      }
      return true;
    case WordingKind::dtype:
      if (dtypes.expected.has_value() && dtypes.got.has_value()) {
        if (*dtypes.expected == *dtypes.got) {
          return false;
        }
        details.dtypes.emplace(*dtypes.expected, *dtypes.got);
      }
      return true;
    case WordingKind::memory:
    case WordingKind::host_memory:
      details.requested_bytes = requested;
      if (available.has_value()) {
        details.available_bytes = *available > used ? *available - used : 0;
      }
      return true;
  }
  return false;
}

/// The message without the name of the operator that may stand in front: "linalg.solve: ", "scatter(): ", "dot : ",
/// "quantile() ". Empty if there is none.
std::string_view without_operator(std::string_view message) {
  size_t length = 0;
  while (length < message.size() && (is_word(message[length]) || std::memchr(".:()", message[length], 4) != nullptr)) {
    ++length;
  }
  const std::string_view name = message.substr(0, length);
  std::string_view rest = message.substr(length);
  if (skip(rest, " : ")) {
    return rest;
  }
  const bool marked = length > 2 && (name.back() == ':' || name.substr(length - 2) == "()");
  return marked && skip(rest, " ") ? rest : std::string_view();
}

const Wording *find(std::string_view message, bool memory_only, ErrorDetails &details) {
  for (const Wording &wording : wordings) {
    const bool is_memory = wording.kind == WordingKind::memory || wording.kind == WordingKind::host_memory;
    if (message.substr(0, wording.literal) != wording.text.substr(0, wording.literal) || (memory_only && !is_memory)) {
      continue;
    }
    Reading reading;
    if (reading.match(wording.text, message) && reading.move_to(wording.kind, details)) {
      return &wording;
    }
  }
  return nullptr;
}

/// The message as it would read without the C++ locale that the process has: PyTorch's streams write their numbers in
/// the global one, "1.234x5.678" or "20,00 MiB" where that is German.
std::string without_locale(std::string_view message, const std::numpunct<char> &numbers) {
  const std::string groups = numbers.grouping();  // their lengths, as chars
  auto digits_at = [&](size_t at) {
    const auto first = message.begin() + static_cast<std::ptrdiff_t>(at);
    return static_cast<size_t>(std::find_if_not(first, message.end(), is_digit) - first);
  };
  std::string plain;
  for (size_t i = 0; i < message.size(); i++) {
    const char c = message[i];
    const size_t digits = i > 0 && is_digit(message[i - 1]) ? digits_at(i + 1) : 0;
    if (c == numbers.thousands_sep() && digits > 0 && groups.find(static_cast<char>(digits)) != groups.npos) {
      continue;
    }
    plain += c == numbers.decimal_point() && digits > 0 ? '.' : c;
  }
  return plain;
}

const Wording *find_with_or_without_operator(std::string_view message, bool memory_only, ErrorDetails &details) {
  const Wording *wording = message.empty() ? nullptr : find(message, memory_only, details);
  if (wording == nullptr) {
    const std::string_view rest = without_operator(message);
    wording = rest.empty() ? nullptr : find(rest, memory_only, details);
  }
  return wording;
}

}  // namespace

std::optional<std::string> absent_device(std::string_view message) {
  std::string_view rest = message.substr(0, 1024), backend;
  if (!skip(rest, "Could not run '")) {
    return std::nullopt;
  }
  constexpr std::string_view BEFORE = "' with arguments from the '", AFTER = "' backend";
  rest.remove_prefix(std::min(rest.find(BEFORE), rest.size()));
  if (!skip(rest, BEFORE)) {
    return std::nullopt;
  }
  backend = rest.substr(0, rest.find(AFTER));
  // The dispatcher calls it PrivateUse1, and a device privateuseone.
  ctorch_device_type type = CTORCH_DEVICE_TYPE_PRIVATEUSE1;
  if ((backend.find("PrivateUse1") == backend.npos && !find_device(backend, type)) || type == CTORCH_DEVICE_TYPE_CPU ||
      type == CTORCH_DEVICE_TYPE_META) {
    return std::nullopt;
  }
  at::Device device(static_cast<at::DeviceType>(type));
  auto empty = c10::Dispatcher::singleton().findSchema({"aten::empty", "memory_format"});
  if (!empty || empty->hasKernelForDispatchKey(c10::computeDispatchKey(std::nullopt, at::kStrided, device))) {
    return std::nullopt;
  }
  switch (device.type()) {  // those that Python has a module for
    case at::DeviceType::CUDA:
    case at::DeviceType::XPU:
    case at::DeviceType::MTIA:
      return "Torch not compiled with " + at::DeviceTypeName(device.type()) + " enabled";
    default:
      return "PyTorch is not linked with support for " + at::DeviceTypeName(device.type(), true) + " devices";
  }
}

ctorch_error_kind refine(ctorch_error_kind code, std::string_view message, ErrorDetails &details) {
  switch (code) {
    case CTORCH_ERROR_RUNTIME:
    case CTORCH_ERROR_INDEX:
    case CTORCH_ERROR_VALUE:
    case CTORCH_ERROR_TYPE:
    case CTORCH_ERROR_NOT_IMPLEMENTED:
    case CTORCH_ERROR_OUT_OF_MEMORY:
      break;
    default:
      return code;
  }
  // What matters stands at the beginning; messages may list every backend there is.
  message = message.substr(0, 2048);
  const bool memory_only = code == CTORCH_ERROR_OUT_OF_MEMORY;
  const std::locale locale;
  const auto &numbers = std::use_facet<std::numpunct<char>>(locale);
  std::string plain;
  if (!numbers.grouping().empty() || numbers.decimal_point() != '.') {
    plain = without_locale(message, numbers);
    message = plain;
  }
  const Wording *wording = find_with_or_without_operator(message, memory_only, details);
  if (wording == nullptr) {
    return code;
  }
  switch (wording->kind) {
    case WordingKind::shape:
      return CTORCH_ERROR_SHAPE_MISMATCH;
    case WordingKind::device:
      return CTORCH_ERROR_DEVICE_MISMATCH;
    case WordingKind::dtype:
      return CTORCH_ERROR_DTYPE_MISMATCH;
    case WordingKind::host_memory:
      if (const auto memory = machine::memory()) {
        details.available_bytes = memory->available;
      }
      return CTORCH_ERROR_OUT_OF_MEMORY;
    case WordingKind::memory:
      return CTORCH_ERROR_OUT_OF_MEMORY;
  }
  return code;
}

}  // namespace ctorch
