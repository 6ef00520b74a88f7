// Whether text is well-formed UTF-8 (RFC 3629: no overlong forms, no surrogates, nothing beyond U+10FFFF), and making
// it so.
#pragma once

#include <string>
#include <string_view>

namespace ctorch {

inline bool is_utf8(std::string_view text) {
  auto byte = [&](size_t i) { return static_cast<unsigned char>(text[i]); };
  for (size_t i = 0; i < text.size();) {
    unsigned char first = byte(i);
    size_t more = first < 0x80                    ? 0
                  : first >= 0xC2 && first < 0xE0 ? 1
                  : first >= 0xE0 && first < 0xF0 ? 2
                  : first >= 0xF0 && first < 0xF5 ? 3
                                                  : 4;
    if (more == 4 || i + more >= text.size()) {
      return false;
    }
    // The second byte excludes overlong forms, surrogates and numbers that are too large.
    unsigned char low = first == 0xE0 ? 0xA0 : first == 0xF0 ? 0x90 : 0x80;
    unsigned char high = first == 0xED ? 0x9F : first == 0xF4 ? 0x8F : 0xBF;
    for (size_t k = 1; k <= more; k++) {
      if (byte(i + k) < low || byte(i + k) > high) {
        return false;
      }
      low = 0x80;
      high = 0xBF;
    }
    i += more + 1;
  }
  return true;
}

/// The text, with a replacement character for each byte that is part of none.
inline std::string as_utf8(std::string text) {
  if (__builtin_expect(is_utf8(text), true)) {
    return text;
  }
  std::string_view rest = text;
  std::string result;
  while (!rest.empty()) {
    size_t length = 1;
    while (length <= 4 && !is_utf8(rest.substr(0, length))) {
      length++;
    }
    bool is_character = length <= 4 && length <= rest.size();
    result += is_character ? rest.substr(0, length) : "\xEF\xBF\xBD";
    rest.remove_prefix(is_character ? length : 1);
  }
  return result;
}

}  // namespace ctorch
