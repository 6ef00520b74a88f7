/* Texts in pickles. */
#include "pickle/text.h"

#include <stdint.h>

bool pickle_is_text(const unsigned char *data, size_t len) {
  for (size_t i = 0; i < len;) {
    unsigned char first = data[i];
    size_t more = first < 0x80   ? 0
                  : first < 0xc2 ? SIZE_MAX
                  : first < 0xe0 ? 1
                  : first < 0xf0 ? 2
                  : first < 0xf5 ? 3
                                 : SIZE_MAX;
    if (more >= len - i) {
      return false;
    }
    for (size_t k = 1; k <= more; k++) {
      if ((data[i + k] & 0xc0) != 0x80) {
        return false;
      }
    }
    if ((first == 0xe0 && data[i + 1] < 0xa0) || (first == 0xf0 && data[i + 1] < 0x90) ||
        (first == 0xf4 && data[i + 1] > 0x8f)) {
      return false; /* longer than need be, or beyond the last character */
    }
    i += 1 + more;
  }
  return true;
}
