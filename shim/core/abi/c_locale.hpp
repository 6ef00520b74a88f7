// Numbers with a point, whatever the process told setlocale(): for LibTorch's parsers and printers that are of C's
// library underneath (std::stod, snprintf), in whose eyes "1.5" is 1 where the decimal sign is a comma.
#pragma once

#include <langinfo.h>
#include <locale.h>

namespace ctorch {

/// While it lives, this thread has the locale "C".
class CLocale {
 public:
  CLocale() noexcept : before_(uselocale(c_locale())) {}
  CLocale(const CLocale &) = delete;
  CLocale &operator=(const CLocale &) = delete;
  ~CLocale() { uselocale(before_); }

 private:
  /// Never freed. Where memory ran out it is none, which uselocale() takes for "as it is".
  static locale_t c_locale() noexcept {
    static const locale_t locale = newlocale(LC_ALL_MASK, "C", locale_t());
    return locale;
  }

  locale_t before_;
};

/// Whether C's library takes another sign than the point for the decimal one, on this thread.
inline bool has_decimal_comma() { return nl_langinfo(RADIXCHAR)[0] != '.'; }

}  // namespace ctorch
