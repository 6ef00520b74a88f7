// Elements as text: which are shown, what each looks like, and where lines break.
//
// Only what is shown is read: the first and last `edge_items` along a dimension of a summarised tensor. On the CPU they
// are read through the strides, without running an operator, so that printing costs the same for a huge expanded
// tensor, and also works for dtypes that have no kernels. Numbers are formatted with std::to_chars, which no locale
// changes and which gives the digits that Python gives.
#include "core/tensor/repr_elements.hpp"

#include <ATen/core/IListRef.h>
#include <ATen/ops/cat_ops.h>
#include <c10/core/ScalarType.h>
#include <c10/util/Exception.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstring>
#include <iterator>
#include <limits>
#include <type_traits>
#include <vector>

#include "core/torch/dtype.hpp"

namespace ctorch::repr {
namespace {

using at::ScalarType;

bool is_finite_and_not_zero(double value) { return std::isfinite(value) && value != 0; }

/// float8_e8m0fnu has no zero, and PyTorch's comparison rounds 0 to its smallest number.
bool counts_in_e8m0(double value) {
  return value != 0x1p-127 && (std::isfinite(value) || !libtorch::KNOWS_NAN_OF_FLOAT8_E8M0FNU);
}

/// One column per part of a number: integers are ready text, floating numbers wait for the common format.
struct Elements {
  bool is_floating = false;
  bool is_complex = false;
  /// Whether a number has a say in the common format.
  bool (*counts)(double) = is_finite_and_not_zero;
  std::vector<std::string> text;
  std::vector<double> real;
  std::vector<double> imag;
};

/// How many of a dimension's entries are shown at each end; -1 if all are.
int64_t shown_edge(int64_t size, bool summarize, const PrintOptions &options) {
  return summarize && size - options.edge_items > options.edge_items ? options.edge_items : -1;
}

/// Everything that std::to_chars writes for the largest number and precision: no more than this.
std::string digits(double value, std::chars_format form, int64_t precision) {
  if (std::isnan(value)) {
    return "nan";
  }
  std::string text(std::numeric_limits<double>::max_exponent10 + static_cast<size_t>(precision) + 16, '\0');
  const auto end = std::to_chars(text.data(), text.data() + text.size(), value, form, static_cast<int>(precision)).ptr;
  text.resize(static_cast<size_t>(end - text.data()));
  return text;
}

/// One format for all numbers of a column, chosen from those that `counts` names.
class NumberFormat {
 public:
  NumberFormat(const std::vector<double> &values, bool (*counts)(double), const PrintOptions &options)
      : options_(options) {
    std::vector<double> counted;
    std::copy_if(values.begin(), values.end(), std::back_inserter(counted), counts);
    if (counted.empty()) {
      return;  // the options have no say over zeros, infinities and NaN
    }
    integral_ = std::all_of(counted.begin(), counted.end(), [](double value) { return value == std::ceil(value); });
    scientific_ = options.sci_mode.value_or(spans_magnitudes(counted));
    for (const double value : counted) {
      width_ = std::max(width_, unpadded(value).size());
    }
  }

  size_t width() const { return width_; }

  std::string operator()(double value) const {
    std::string text = unpadded(value);
    return text.size() < width_ ? text.insert(0, width_ - text.size(), ' ') : text;
  }

 private:
  /// Whether fixed notation would be long, or lose the small ones.
  static bool spans_magnitudes(const std::vector<double> &values) {
    double smallest = std::numeric_limits<double>::infinity();
    double largest = 0;
    for (const double value : values) {
      if (std::isnan(value)) {
        return false;  // extremes and ratio are NaN, which no comparison holds for
      }
      smallest = std::min(smallest, std::fabs(value));
      largest = std::max(largest, std::fabs(value));
    }
    return largest / smallest > 1000.0 || largest > 1.0e8 || smallest < 1.0e-4;
  }

  std::string unpadded(double value) const {
    if (scientific_) {
      return digits(value, std::chars_format::scientific, options_.precision);
    }
    if (integral_) {
      return digits(value, std::chars_format::fixed, 0) + (std::isfinite(value) ? "." : "");
    }
    return digits(value, std::chars_format::fixed, options_.precision);
  }

  const PrintOptions &options_;
  bool integral_ = true;
  bool scientific_ = false;
  size_t width_ = 1;
};

/// Byte offsets, from the first element, of what is shown along each dimension.
using Offsets = std::vector<std::vector<int64_t>>;

Offsets shown_offsets(const at::Tensor &self, bool summarize, const PrintOptions &options) {
  const auto itemsize = static_cast<int64_t>(self.itemsize());
  Offsets offsets(static_cast<size_t>(self.dim()));
  for (size_t dim = 0; dim < offsets.size(); ++dim) {
    const int64_t size = self.sizes()[dim];
    const int64_t step = size > 1 ? self.strides()[dim] * itemsize : 0;  // else the stride may be any number
    const int64_t edge = shown_edge(size, summarize, options);
    for (int64_t i = 0; i < (edge < 0 ? size : edge); ++i) {
      offsets[dim].push_back(i * step);
    }
    for (int64_t i = size - std::max<int64_t>(edge, 0); i < size; ++i) {
      offsets[dim].push_back(i * step);
    }
  }
  return offsets;
}

/// A tensor may claim more memory than it has: its storage can be resized, or be a stand-in without any.
void check_memory(const at::Tensor &self) {
  TORCH_CHECK(
      self.layout() == c10::kStrided && self.has_storage(),
      "repr: cannot read the elements of a tensor without strides and storage");
  uint64_t elements = static_cast<uint64_t>(self.storage_offset()) + 1;
  for (int64_t dim = 0; dim < self.dim(); ++dim) {
    elements += static_cast<uint64_t>(self.size(dim) - 1) * static_cast<uint64_t>(self.stride(dim));
  }
  TORCH_CHECK(
      self.storage().data() != nullptr && elements * self.itemsize() <= self.storage().nbytes(),
      "repr: the storage of the tensor is smaller than its sizes need");
}

/// Call `visit` with each shown element of a CPU tensor, in row-major order.
template <class T, class Visit>
void for_each(const at::Tensor &self, const Offsets &offsets, Visit &&visit) {
  const auto *base = static_cast<const char *>(self.const_data_ptr());
  std::vector<size_t> position(offsets.size(), 0);
  while (true) {
    int64_t offset = 0;
    for (size_t dim = 0; dim < offsets.size(); ++dim) {
      offset += offsets[dim][position[dim]];
    }
    T value;
    std::memcpy(static_cast<void *>(&value), base + offset, sizeof(T));  // memory of the caller may be unaligned
    visit(value);
    size_t dim = offsets.size();
    while (dim > 0 && ++position[dim - 1] == offsets[dim - 1].size()) {
      position[--dim] = 0;
    }
    if (dim == 0) {
      return;
    }
  }
}

template <class T>
void read_integers(const at::Tensor &self, const Offsets &offsets, Elements &out) {
  for_each<T>(self, offsets, [&, negative = self.is_neg()](T value) {
    using Unsigned = std::make_unsigned_t<T>;
    out.text.push_back(std::to_string(negative ? static_cast<T>(Unsigned{0} - static_cast<Unsigned>(value)) : value));
  });
}

template <class T>
void read_floats(const at::Tensor &self, const Offsets &offsets, Elements &out) {
  out.is_floating = true;
  for_each<T>(self, offsets, [&, negative = self.is_neg()](T value) {
    const auto number = static_cast<double>(value);
    out.real.push_back(negative ? -number : number);
  });
}

template <class T>
void read_complex(const at::Tensor &self, const Offsets &offsets, Elements &out) {
  out.is_complex = true;
  const bool negative = self.is_neg();
  for_each<std::array<T, 2>>(
      self, offsets, [&, negative_imag = negative != self.is_conj()](const std::array<T, 2> &value) {
        const auto real = static_cast<double>(value[0]);
        const auto imag = static_cast<double>(value[1]);
        out.real.push_back(negative ? -real : real);
        out.imag.push_back(negative_imag ? -imag : imag);
      });
}

/// `self` is on the CPU.
Elements read(const at::Tensor &self, const Offsets &offsets) {
  check_memory(self);
  Elements out;
  // Dtypes that some LibTorch lack are no cases of a switch there.
  if (self.scalar_type() == libtorch::FLOAT8_E8M0FNU) {
    out.counts = counts_in_e8m0;
    read_floats<libtorch::Float8_e8m0fnu>(self, offsets, out);
    return out;
  }
  if (self.scalar_type() == libtorch::FLOAT4_E2M1FN_X2) {  // two numbers in a byte: Python shows the byte, with a point
    read_floats<uint8_t>(self, offsets, out);
    return out;
  }
  if (self.scalar_type() == libtorch::BCOMPLEX32) {
    read_complex<c10::BFloat16>(self, offsets, out);
    return out;
  }
  switch (self.scalar_type()) {
    case ScalarType::Bool:
      for_each<uint8_t>(self, offsets, [&](uint8_t value) { out.text.push_back(value != 0 ? "True" : "False"); });
      break;
    case ScalarType::Char:
    case ScalarType::QInt8:
      read_integers<int8_t>(self, offsets, out);
      break;
    case ScalarType::Short:
      read_integers<int16_t>(self, offsets, out);
      break;
    case ScalarType::Int:
    case ScalarType::QInt32:
      read_integers<int32_t>(self, offsets, out);
      break;
    case ScalarType::Long:
      read_integers<int64_t>(self, offsets, out);
      break;
    case ScalarType::UInt32:
      read_integers<uint32_t>(self, offsets, out);
      break;
    case ScalarType::UInt64:
      read_integers<uint64_t>(self, offsets, out);
      break;
    case ScalarType::Half:
      read_floats<c10::Half>(self, offsets, out);
      break;
    case ScalarType::BFloat16:
      read_floats<c10::BFloat16>(self, offsets, out);
      break;
    case ScalarType::Float:
      read_floats<float>(self, offsets, out);
      break;
    case ScalarType::Double:
      read_floats<double>(self, offsets, out);
      break;
    case ScalarType::Float8_e5m2:
      read_floats<c10::Float8_e5m2>(self, offsets, out);
      break;
    case ScalarType::Float8_e5m2fnuz:
      read_floats<c10::Float8_e5m2fnuz>(self, offsets, out);
      break;
    case ScalarType::Float8_e4m3fn:
      read_floats<c10::Float8_e4m3fn>(self, offsets, out);
      break;
    case ScalarType::Float8_e4m3fnuz:
      read_floats<c10::Float8_e4m3fnuz>(self, offsets, out);
      break;
    case ScalarType::ComplexHalf:
      read_complex<c10::Half>(self, offsets, out);
      break;
    case ScalarType::ComplexFloat:
      read_complex<float>(self, offsets, out);
      break;
    case ScalarType::ComplexDouble:
      read_complex<double>(self, offsets, out);
      break;
    default:  // bits and integers that do not fill their bytes, which Python cannot print: the bytes
      TORCH_CHECK(self.itemsize() <= 2, "repr: elements of dtype ", self.scalar_type(), " cannot be shown");
      if (self.itemsize() == 1) {
        read_integers<uint8_t>(self, offsets, out);
      } else {
        read_integers<uint16_t>(self, offsets, out);
      }
  }
  return out;
}

/// Views that are read as they are stay views. A complex negative one is not: PyTorch negates some of its zeros as 0 -
/// x and others as -x, depending on where they lie, and Python shows that.
at::Tensor with_memory(const at::Tensor &self) {
  if (self._is_zerotensor()) {
    return self.clone();
  }
  return self.is_neg() && self.is_complex() ? self.resolve_neg() : self;
}

/// `self` with only what is shown of it. Dtypes of one byte may lack a kernel that joins: they go as bytes.
at::Tensor narrow_to_shown(const at::Tensor &self, bool summarize, const PrintOptions &options) {
  const bool as_bytes = self.itemsize() == 1 && !self.is_neg();
  at::Tensor shown = as_bytes ? self.view(at::kByte) : self;
  for (int64_t dim = 0; dim < self.dim(); ++dim) {
    const int64_t size = self.size(dim);
    const int64_t edge = shown_edge(size, summarize, options);
    if (edge >= 0) {
      const std::vector<at::Tensor> ends = {shown.narrow(dim, 0, edge), shown.narrow(dim, size - edge, edge)};
      shown = at::_ops::cat::call(at::ITensorListRef(ends), dim);
    }
  }
  return as_bytes ? shown.view(self.scalar_type()) : shown;
}

/// The shown elements, from the memory of any device.
Elements read_shown(const at::Tensor &self, bool summarize, const PrintOptions &options) {
  if (self.is_cpu()) {
    return read(self, shown_offsets(self, summarize, options));
  }
  const at::Tensor shown = narrow_to_shown(self, summarize, options).cpu();  // a device copies no more than that
  return read(shown, shown_offsets(shown, false, options));
}

/// The texts of the shown elements, in row-major order, and the columns that one takes.
struct Cells {
  std::vector<std::string> text;
  size_t width = 1;
};

Cells format(Elements elements, const PrintOptions &options) {
  Cells cells;
  if (!elements.is_floating && !elements.is_complex) {
    cells.text = std::move(elements.text);
    for (const std::string &text : cells.text) {
      cells.width = std::max(cells.width, text.size());
    }
    for (std::string &text : cells.text) {
      text.insert(0, cells.width - text.size(), ' ');
    }
    return cells;
  }
  const NumberFormat real(elements.real, elements.counts, options);
  cells.width = real.width();
  for (const double value : elements.real) {
    cells.text.push_back(real(value));
  }
  if (elements.is_complex) {
    const NumberFormat imag(elements.imag, elements.counts, options);
    cells.width += imag.width() + 1;
    for (size_t i = 0; i < elements.imag.size(); ++i) {
      std::string text = imag(elements.imag[i]) + "j";
      text.erase(0, text.find_first_not_of(' '));
      cells.text[i] += text[0] == '-' ? text : "+" + text;
    }
  }
  return cells;
}

/// Sets cells between brackets.
class Typesetter {
 public:
  Typesetter(Cells cells, at::IntArrayRef sizes, bool summarize, const PrintOptions &options)
      : cells_(std::move(cells)), sizes_(sizes), summarize_(summarize), options_(options) {}

  std::string block(size_t dim, int64_t indent) {
    if (sizes_.empty()) {
      return cells_.text[0];
    }
    return dim + 1 == sizes_.size() ? row(indent) : rows(dim, indent);
  }

 private:
  /// The last dimension. The ellipsis takes the place of one element.
  std::string row(int64_t indent) {
    const int64_t edge = shown_edge(sizes_.back(), summarize_, options_);
    const auto count = static_cast<size_t>(edge < 0 ? sizes_.back() : 2 * edge + 1);
    const int64_t room = std::max<int64_t>(options_.line_width, 0) - indent;
    const auto per_line = static_cast<size_t>(std::max<int64_t>(1, room / static_cast<int64_t>(cells_.width + 2)));
    std::string out = "[";
    for (size_t i = 0; i < count; ++i) {
      if (i > 0) {
        out += i % per_line == 0 ? break_line(1, indent) : ", ";
      }
      out += edge >= 0 && i == static_cast<size_t>(edge) ? " ..." : cells_.text[next_++];
    }
    return out + "]";
  }

  std::string rows(size_t dim, int64_t indent) {
    const int64_t edge = shown_edge(sizes_[dim], summarize_, options_);
    const int64_t count = edge < 0 ? sizes_[dim] : 2 * edge + 1;
    const std::string separator = break_line(sizes_.size() - 1 - dim, indent);
    std::string out = "[";
    for (int64_t i = 0; i < count; ++i) {
      out += i > 0 ? separator : "";
      out += i == edge ? "..." : block(dim + 1, indent + 1);
    }
    return out + "]";
  }

  static std::string break_line(size_t lines, int64_t indent) {
    return "," + std::string(lines, '\n') + std::string(static_cast<size_t>(indent) + 1, ' ');
  }

  Cells cells_;
  at::IntArrayRef sizes_;
  bool summarize_;
  const PrintOptions &options_;
  size_t next_ = 0;
};

/// The fewest digits that read back as `value`, laid out as Python does; without ".0", which only a float alone gets.
std::string shortest_digits(double value) {
  if (!std::isfinite(value)) {
    return std::isnan(value) ? "nan" : (value < 0 ? "-inf" : "inf");
  }
  std::array<char, 400> text;
  const double size = std::fabs(value);
  const bool exponent = size != 0 && (size < 1e-4 || size >= 1e16);
  const auto form = exponent ? std::chars_format::scientific : std::chars_format::fixed;
  return {text.data(), std::to_chars(text.data(), text.data() + text.size(), value, form).ptr};
}

}  // namespace

std::string elements(const at::Tensor &self, int64_t indent, const PrintOptions &options) {
  if (self.numel() == 0) {
    return "[]";
  }
  const bool summarize = self.numel() > options.threshold;
  if (summarize && options.edge_items == 0 && self.dim() > 0) {
    return "[...]";
  }
  return Typesetter(
             format(read_shown(with_memory(self), summarize, options), options), self.sizes(), summarize, options)
      .block(0, indent);
}

std::string number(const at::Tensor &self) {
  const Elements element = read_shown(with_memory(self), false, {});
  if (element.is_complex) {
    std::string imag = shortest_digits(element.imag[0]) + "j";
    const double real = element.real[0];
    if (real == 0 && !std::signbit(real)) {
      return imag;
    }
    return "(" + shortest_digits(real) + (imag[0] == '-' ? "" : "+") + imag + ")";
  }
  return element.is_floating ? shortest(element.real[0]) : element.text[0];
}

std::string shortest(double value) {
  const std::string text = shortest_digits(value);
  return std::isfinite(value) && text.find_first_of(".e") == std::string::npos ? text + ".0" : text;
}

}  // namespace ctorch::repr
