// The loops, once for each kind of processor, and which of them it is. No function is shared between the kinds: what
// the compiler makes of a vector is decided where its function stands.
#include "core/tape/fast/loops.hpp"

#include <float.h>
#include <math.h>
#include <string.h>
#ifdef __x86_64__
#include <immintrin.h>
#endif

// Functions that take vectors are all inlined, so that it does not matter how they would be passed.
#pragma GCC diagnostic ignored "-Wpsabi"

#define INLINE static inline __attribute__((always_inline))

namespace ctorch::tape {
// WIDTH is how many floats a register has.
namespace portable {
#define WIDTH 4
#include "core/tape/fast/loop_bodies.hpp"
}  // namespace portable

#ifdef __x86_64__
#ifdef __clang__
#pragma clang attribute push(__attribute__((target("avx2,fma"))), apply_to = function)
#else
#pragma GCC push_options
#pragma GCC target("avx2,fma")
#endif
namespace avx2 {
#undef WIDTH
#define WIDTH 8
#include "core/tape/fast/loop_bodies.hpp"
}  // namespace avx2
#ifdef __clang__
#pragma clang attribute pop
#else
#pragma GCC pop_options
#endif

#ifdef __clang__
#pragma clang attribute push(__attribute__((target("avx512f,avx512dq,avx512bw,avx512vl,fma"))), apply_to = function)
#else
#pragma GCC push_options
#pragma GCC target("avx512f,avx512dq,avx512bw,avx512vl,fma")
#endif
namespace avx512 {
#undef WIDTH
#define WIDTH 16
#include "core/tape/fast/loop_bodies.hpp"
}  // namespace avx512
#ifdef __clang__
#pragma clang attribute pop
#else
#pragma GCC pop_options
#endif
#endif

const Loops &loops() {
#ifdef __x86_64__
  static const Loops &chosen = []() -> const Loops & {
    __builtin_cpu_init();
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512bw") &&
        __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("fma")) {
      return avx512::loops;
    }
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") ? avx2::loops : portable::loops;
  }();
  return chosen;
#else
  return portable::loops;
#endif
}

}  // namespace ctorch::tape
