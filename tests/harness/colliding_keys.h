/* Keys whose hashes LibTorch takes for one: a table of its own would need 2^n slots for n of them. */
#ifndef CTORCH_TESTS_COLLIDING_KEYS_H
#define CTORCH_TESTS_COLLIDING_KEYS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

/** The inverse of an odd number modulo 2^64, by Newton's iteration. */
static inline uint64_t inverse_of(uint64_t number) {
  uint64_t inverse = number;
  for (int i = 0; i < 5; i++) {
    inverse *= 2 - number * inverse;
  }
  return inverse;
}

/** LibTorch multiplies the hash of an int, which is the int, by 2^64 over the golden ratio, and takes the first bits. */
static inline int64_t colliding_int(size_t index) {
  return (int64_t)(index * inverse_of(UINT64_C(11400714819323198485)));
}

enum { COLLIDING_TEXT_LEN = 15 };

/** Texts of ASCII whose hash is 0. std::hash of libstdc++ is MurmurHash64A with a seed that is known: the first 8 bytes
 * are mixed into it, and the rest is combined by xor. So the rest is what came of the first, where that is 7 letters: one
 * of 2^18 texts is, and `*state`, 0 at first, counts those that were tried. */
static inline void next_colliding_text(char *out, uint64_t *state) {
  const uint64_t factor = UINT64_C(0xc6a4a7935bd1e995);
  for (bool is_text = false; !is_text;) {
    uint64_t word = 0, number = ++*state;
    for (int i = 0; i < 8; i++, number /= 26) {
      word = word << 8 | (0x61 + number % 26);
    }
    memcpy(out, &word, sizeof word);
    word *= factor;
    word = (word ^ word >> 47) * factor;
    word = (UINT64_C(0xc70f6907) ^ COLLIDING_TEXT_LEN * factor ^ word) * factor;
    memcpy(out + 8, &word, sizeof word);
    is_text = word >> 56 == 0; /* which ends the text */
    for (int i = 8; is_text && i < COLLIDING_TEXT_LEN; i++) {
      is_text = out[i] >= 0x20 && out[i] <= 0x7e;
    }
  }
}

/** The most memory that this process has had, in MiB. */
static inline long most_memory(void) {
  struct rusage usage;
  memset(&usage, 0, sizeof usage);
  getrusage(RUSAGE_SELF, &usage);
  return usage.ru_maxrss / 1024;
}

#endif
