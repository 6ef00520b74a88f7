// Ints of any size, as Python has them: sign and magnitude, enough to read, write and compare them.
#pragma once

#include <stdint.h>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ctorch {

class Integer {
 public:
  Integer() = default;
  explicit Integer(int64_t value);
  explicit Integer(uint64_t value);

  /// Two's complement, the lowest byte first; none are 0.
  static Integer from_bytes(std::string_view bytes);
  /// The fewest bytes of that form, at least one.
  std::string bytes() const;

  /// "-123"; nothing for what is no number in decimal. Python reads and writes up to MAX_DIGITS.
  static constexpr size_t MAX_DIGITS = 4300;
  static std::optional<Integer> from_decimal(std::string_view text);
  /// Beyond MAX_DIGITS hexadecimal, "-0x1f", because decimal takes time that grows with the square of the length.
  std::string text() const;

  /// Of a float that is integral and finite.
  static Integer from_double(double value);
  /// The nearest; infinite where that is beyond what a float can be.
  double to_double() const;

  std::optional<int64_t> to_int64() const;
  std::optional<uint64_t> to_uint64() const;

  bool operator==(const Integer &other) const { return is_negative_ == other.is_negative_ && limbs_ == other.limbs_; }

 private:
  void trim();

  bool is_negative_ = false;     // never of 0
  std::vector<uint32_t> limbs_;  // the lowest first, the last one not 0
};

}  // namespace ctorch
