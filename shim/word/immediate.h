/** Words that carry their value themselves: integers and devices. They own nothing. */
#ifndef CTORCH_SHIM_WORD_IMMEDIATE_H
#define CTORCH_SHIM_WORD_IMMEDIATE_H

#include <stdbool.h>
#include <stdint.h>

#define WORD_INTS_BEGIN (INT64_C(1) << 52)
#define WORD_INT_ZERO (WORD_INTS_BEGIN + (INT64_C(1) << 50))
#define WORD_INTS_END (WORD_INTS_BEGIN + (INT64_C(1) << 51))
#define WORD_DEVICES_END (INT64_C(1) << 53)
/** Indexes a device word has room for, from -1. */
#define WORD_DEVICE_INDEXES (INT64_C(1) << 16)

static inline bool word_is_int(int64_t word) { return word >= WORD_INTS_BEGIN && word < WORD_INTS_END; }

static inline bool word_is_device(int64_t word) { return word >= WORD_INTS_END && word < WORD_DEVICES_END; }

static inline bool word_int_fits(int64_t value) {
  return value >= WORD_INTS_BEGIN - WORD_INT_ZERO && value < WORD_INTS_END - WORD_INT_ZERO;
}

#endif
