// threads.h: how many threads LibTorch computes with.
#include "ctorch/settings/threads.h"

#include <ATen/Parallel.h>

#include "core/abi/error.hpp"
#include "core/abi/to.hpp"

using namespace ctorch;

namespace {

void check(int32_t num_threads) {
  if (num_threads < 1) {
    fail_argument("num_threads", "expected at least 1, got " + std::to_string(num_threads));
  }
}

}  // namespace

int32_t ctorch_threads_num(void) {
  ctorch_error_release(guard(__func__, [] {}));  // a child of fork() has one from its first call on, which this may be
  return at::get_num_threads();
}

ctorch_error *ctorch_threads_set_num(int32_t num_threads) {
  return guard(__func__, [&] {
    check(num_threads);
    at::set_num_threads(num_threads);
  });
}

int32_t ctorch_threads_num_interop(void) { return static_cast<int32_t>(at::get_num_interop_threads()); }

ctorch_error *ctorch_threads_set_num_interop(int32_t num_threads) {
  return guard(__func__, [&] {
    check(num_threads);
    at::set_num_interop_threads(num_threads);
  });
}
