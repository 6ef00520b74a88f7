// What is measured: each case is the same work done by LibTorch directly, by ctorch, and by a wrapper with heap
// handles.
#pragma once

#include <stddef.h>

#include <functional>
#include <string>
#include <vector>

/// Does its work `calls` times.
using Loop = std::function<void(size_t calls)>;

struct Variant {
  const char *name;  // "direct" is the opponent
  Loop loop;
};

struct Case {
  std::string name;
  std::vector<Variant> variants;
  size_t counted_calls = 1000;  // under callgrind, which is some 50 times slower; 0: not at all
};

/// Keep the compiler from dropping or reordering what produced a value.
template <class T>
inline void use(const T &value) {
  asm volatile("" : : "r"(&value) : "memory");
}

template <class Call>
Loop repeat(Call call) {
  return [call](size_t calls) {
    for (size_t i = 0; i < calls; i++) {
      call();
      asm volatile("" : : : "memory");
    }
  };
}

std::vector<Case> operator_cases();
std::vector<Case> boxed_cases();
std::vector<Case> accessor_cases();
std::vector<Case> error_cases();
std::vector<Case> scope_cases();
std::vector<Case> dlpack_cases();
