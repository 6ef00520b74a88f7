// After fork(): the child has one thread, while LibTorch's pools believe in those of the parent, and a parallel
// operator would wait for them forever. So the first call in a child tells LibTorch to compute with one thread.
//
// The handler itself only takes a note: what may run between fork() and the first call is very little.
#include <ATen/Parallel.h>
#include <pthread.h>

#include "abi/error.hpp"

namespace ctorch {

namespace {

[[maybe_unused]] const int registered =
    pthread_atfork(nullptr, nullptr, [] { __atomic_fetch_or(&precautions, FORKED, __ATOMIC_RELAXED); });

}  // namespace

ctorch_error *prepare(const char *function) noexcept {
  if (takes(VERSION_MISMATCH)) {
    return refuse_version(function);
  }
  if (takes(FORKED)) {
    __atomic_fetch_and(&precautions, static_cast<uint8_t>(~FORKED), __ATOMIC_RELAXED);
    return error_of(function, [] { at::set_num_threads(1); });
  }
  return nullptr;
}

}  // namespace ctorch
