// Refusing handles of which the book of LEAKS knows that they are wrong.
#include <string>

#include "core/abi/debug.hpp"
#include "core/abi/error.hpp"
#include "core/abi/handle.hpp"

namespace ctorch {

constexpr size_t MOST_IN_A_LIST = INT32_MAX;  // MAX_LIST of from.hpp

void forget_or_fail(Handle handle) {
  if (keeps(LEAKS)) {
    check_usable(handle, "what the callback handed over");
  }
  if (!forget(handle)) {
    fail(CTORCH_ERROR_INVALID_HANDLE, "what the callback handed over: it has no reference to it");
  }
}

void check_usable(Handle handle, const char *name) {
  if (handle.pointer == nullptr) {
    return;
  }
  if (const std::string problem = problem_with(handle); !problem.empty()) {
    fail(CTORCH_ERROR_INVALID_HANDLE, std::string(name) + ": " + problem);
  }
}

void check_not_destroyed(const void *handle, const char *name) {
  if (const std::string problem = how_destroyed(handle); !problem.empty()) {
    fail(CTORCH_ERROR_INVALID_HANDLE, std::string(name) + ": " + problem);
  }
}

void check_all_usable(const ctorch_tensor *const *list, size_t len, const char *name) {
  if (len > MOST_IN_A_LIST) {
    return;  // the call will refuse it
  }
  for (size_t i = 0; i < len; i++) {
    check_usable({impl(list[i]), Kind::Tensor}, (std::string(name) + "[" + std::to_string(i) + "]").c_str());
  }
}

}  // namespace ctorch
