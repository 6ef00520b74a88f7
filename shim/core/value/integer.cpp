// Integers of any size: magnitude in limbs of 32 bits, and a sign.
#include "core/value/integer.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace ctorch {

Integer::Integer(uint64_t value) : limbs_{static_cast<uint32_t>(value), static_cast<uint32_t>(value >> 32)} { trim(); }

Integer::Integer(int64_t value) : Integer(value < 0 ? -static_cast<uint64_t>(value) : static_cast<uint64_t>(value)) {
  is_negative_ = value < 0;
}

void Integer::trim() {
  while (!limbs_.empty() && limbs_.back() == 0) {
    limbs_.pop_back();
  }
  is_negative_ = is_negative_ && !limbs_.empty();
}

Integer Integer::from_bytes(std::string_view bytes) {
  Integer result;
  result.is_negative_ = !bytes.empty() && (bytes.back() & 0x80) != 0;
  result.limbs_.resize((bytes.size() + 3) / 4);
  uint32_t carry = 1;  // of the complement
  for (size_t i = 0; i < bytes.size(); i++) {
    uint32_t byte = static_cast<unsigned char>(bytes[i]);
    if (result.is_negative_) {
      byte = (byte ^ 0xFF) + carry;
      carry = byte >> 8;
      byte &= 0xFF;
    }
    result.limbs_[i / 4] |= byte << (i % 4 * 8);
  }
  if (result.is_negative_ && carry != 0) {  // 0x…000: the magnitude has one byte more
    result.limbs_.resize(bytes.size() / 4 + 1);
    result.limbs_[bytes.size() / 4] |= uint32_t{1} << (bytes.size() % 4 * 8);
  }
  result.trim();
  return result;
}

std::string Integer::bytes() const {
  std::string result;
  uint32_t carry = 1;
  for (uint32_t limb : limbs_) {
    for (int i = 0; i < 4; i++, limb >>= 8) {
      uint32_t byte = limb & 0xFF;
      if (is_negative_) {
        byte = (byte ^ 0xFF) + carry;
        carry = byte >> 8;
      }
      result += static_cast<char>(byte & 0xFF);
    }
  }
  char sign = is_negative_ ? '\xFF' : '\0';
  auto has_sign = [&](char byte) { return ((byte ^ sign) & 0x80) == 0; };
  if (result.empty() || !has_sign(result.back())) {
    result += sign;
  }
  while (result.size() > 1 && result.back() == sign && has_sign(result[result.size() - 2])) {
    result.pop_back();
  }
  return result;
}

std::optional<Integer> Integer::from_decimal(std::string_view text) {
  bool is_negative = !text.empty() && text[0] == '-';
  text.remove_prefix(!text.empty() && (text[0] == '-' || text[0] == '+') ? 1 : 0);
  if (text.empty() || text.size() > MAX_DIGITS) {
    return std::nullopt;
  }
  Integer result;
  for (char digit : text) {
    if (digit < '0' || digit > '9') {
      return std::nullopt;
    }
    uint64_t carry = static_cast<uint64_t>(digit - '0');
    for (uint32_t &limb : result.limbs_) {
      carry += uint64_t{limb} * 10;
      limb = static_cast<uint32_t>(carry);
      carry >>= 32;
    }
    if (carry != 0) {
      result.limbs_.push_back(static_cast<uint32_t>(carry));
    }
  }
  result.is_negative_ = is_negative;
  result.trim();
  return result;
}

std::string Integer::text() const {
  std::string digits;  // the lowest first
  bool is_decimal = limbs_.size() <= MAX_DIGITS / 9;
  if (is_decimal) {
    std::vector<uint32_t> rest = limbs_;
    while (!rest.empty()) {
      uint64_t remainder = 0;
      for (size_t i = rest.size(); i-- > 0;) {
        remainder = remainder << 32 | rest[i];
        rest[i] = static_cast<uint32_t>(remainder / 1000000000);
        remainder %= 1000000000;
      }
      while (!rest.empty() && rest.back() == 0) {
        rest.pop_back();
      }
      for (int i = 0; i < 9; i++, remainder /= 10) {
        digits += static_cast<char>('0' + remainder % 10);
      }
    }
  }
  digits.resize(digits.find_last_not_of('0') + 1);
  if (digits.size() > MAX_DIGITS || !is_decimal) {
    digits.clear();
    for (uint32_t limb : limbs_) {
      for (int i = 0; i < 8; i++, limb >>= 4) {
        digits += "0123456789abcdef"[limb & 0xF];
      }
    }
    digits.resize(digits.find_last_not_of('0') + 1);
    digits += "x0";
  }
  digits += digits.empty() ? "0" : is_negative_ ? "-" : "";
  std::reverse(digits.begin(), digits.end());
  return digits;
}

Integer Integer::from_double(double value) {
  Integer result;
  int exponent = 0;
  double fraction = std::frexp(std::fabs(value), &exponent);  // in [0.5, 1)
  if (value == 0 || !std::isfinite(value)) {
    return result;
  }
  auto mantissa = static_cast<uint64_t>(std::ldexp(fraction, 53));
  int shift = exponent - 53;
  if (shift <= 0) {
    result = Integer(mantissa >> std::min(-shift, 63));
  } else {
    result.limbs_.resize(static_cast<size_t>(shift) / 32 + 3);
    for (size_t bit = 0; bit < 53; bit++) {
      size_t place = static_cast<size_t>(shift) + bit;
      result.limbs_[place / 32] |= static_cast<uint32_t>(mantissa >> bit & 1) << (place % 32);
    }
  }
  result.is_negative_ = value < 0;
  result.trim();
  return result;
}

double Integer::to_double() const {
  // The highest 64 bits, of which the last one stands for all below too: enough to round as if all were there.
  uint64_t high = 0;
  int exponent = 0;
  size_t top = limbs_.size();
  if (top > 0) {
    unsigned __int128 window = 0;
    size_t taken = std::min<size_t>(top, 4);
    for (size_t i = 0; i < taken; i++) {
      window = window << 32 | limbs_[top - 1 - i];
    }
    bool rest = std::any_of(
        limbs_.begin(), limbs_.end() - static_cast<std::ptrdiff_t>(taken), [](uint32_t limb) { return limb != 0; });
    int64_t bits = static_cast<int64_t>(top - taken) * 32;
    while (window >> 64 != 0) {
      rest = rest || (window & 1) != 0;
      window >>= 1;
      bits++;
    }
    high = static_cast<uint64_t>(window) | (rest ? 1 : 0);
    exponent = static_cast<int>(std::min<int64_t>(bits, 1 << 20));
  }
  double magnitude = std::ldexp(static_cast<double>(high), exponent);
  return is_negative_ ? -magnitude : magnitude;
}

std::optional<uint64_t> Integer::to_uint64() const {
  if (is_negative_ || limbs_.size() > 2) {
    return std::nullopt;
  }
  uint64_t low = limbs_.empty() ? 0 : limbs_[0];
  return limbs_.size() < 2 ? low : uint64_t{limbs_[1]} << 32 | low;
}

std::optional<int64_t> Integer::to_int64() const {
  Integer magnitude = *this;
  magnitude.is_negative_ = false;
  auto size = magnitude.to_uint64();
  if (!size || *size > uint64_t{1} << 63 || (*size == uint64_t{1} << 63 && !is_negative_)) {
    return std::nullopt;
  }
  return static_cast<int64_t>(is_negative_ ? -*size : *size);
}

}  // namespace ctorch
