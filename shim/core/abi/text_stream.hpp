// Texts made of numbers and parts, the same in every process: the C++ locale that a program has made the global one,
// which groups digits in German or Indian ways, does not reach them.
#pragma once

#include <locale>
#include <sstream>
#include <string>

namespace ctorch {

class TextStream : public std::ostringstream {
 public:
  TextStream() { imbue(std::locale::classic()); }
};

/// What c10::str() makes in a process without such a locale.
template <class... Parts>
std::string make_text(const Parts &...parts) {
  TextStream text;
  (text << ... << parts);
  return text.str();
}

/// Whether LibTorch's streams write 1000 with a mark in it here.
inline bool locale_groups_digits() { return !std::use_facet<std::numpunct<char>>(std::locale()).grouping().empty(); }

}  // namespace ctorch
