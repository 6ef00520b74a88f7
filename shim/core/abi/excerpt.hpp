// How much of a text reaches an error's message: its beginning and its end, around what was cut out.
//
// What a caller passed may be a gigabyte long. A message that quotes it quotes excerpt(text); what LibTorch words, and
// all else, is cut where the error is made (error.cpp).
#pragma once

#include <string>
#include <string_view>

namespace ctorch {

/// Bytes of a message, and of one quotation in it. error.h promises the first: the longest of PyTorch itself, which
/// list every backend there is, have 17,000.
constexpr size_t MAX_MESSAGE = 64 * 1024;
constexpr size_t MAX_EXCERPT = 256;

/// The text, or "beginning...end" of at most `most` bytes. A character of UTF-8 is kept whole or left out.
inline std::string excerpt(std::string_view text, size_t most = MAX_EXCERPT) {
  constexpr std::string_view CUT = "...";
  if (text.size() <= most) {
    return std::string(text);
  }
  auto continues = [&](size_t i) { return (static_cast<unsigned char>(text[i]) & 0xC0) == 0x80; };
  // A character has at most three bytes after its first: text that is not UTF-8 must not be searched for one.
  size_t kept = (most - CUT.size()) / 2;
  size_t begin = kept, end = text.size() - kept;
  for (int i = 0; i < 3 && continues(begin); i++) {
    begin--;
  }
  for (int i = 0; i < 3 && continues(end); i++) {
    end++;
  }
  std::string result;
  result.reserve(most);
  return result.append(text.substr(0, begin)).append(CUT).append(text.substr(end));
}

}  // namespace ctorch
