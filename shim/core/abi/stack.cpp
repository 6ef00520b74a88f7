// Noting stacks and telling them.
#include "core/abi/stack.hpp"

#include <c10/util/Backtrace.h>
#include <c10/util/Logging.h>
#include <execinfo.h>
#include <string.h>

#include <atomic>
#include <functional>
#include <memory>

#include "core/abi/symbol.hpp"

namespace ctorch {

namespace {

std::atomic_bool stacks_are_noted = true;

/// LibTorch's own, or nothing.
c10::Backtrace libtorchs_stack() {
  return stacks_are_noted ? c10::get_lazy_backtrace(/*frames_to_skip=*/1)
                          : std::make_shared<c10::PrecomputedLazyValue<std::string>>("");
}

bool is_ctorchs(const char *function) { return function != nullptr && strncmp(function, "ctorch_", 7) == 0; }

}  // namespace

Stack Stack::here() noexcept {
  Stack stack;
  stack.len = stacks_are_noted ? backtrace(stack.frames, MOST) : 0;
  return stack;
}

int Stack::entry() const {
  for (int i = 0; i < len; i++) {
    const void *start = nullptr, *other = nullptr;
    if (is_ctorchs(exported_function(frames[i], &start))) {
      // A function may have called itself, by way of attempt() in error.hpp and, where nothing is inlined, its caller.
      for (int outer = i + 2; outer < len && outer <= i + 3; outer++) {
        if (exported_function(frames[outer], &other) != nullptr && other == start) {
          return outer;
        }
      }
      return i;
    }
  }
  return len;
}

std::string Stack::text() const {
  std::string text;
  const int first = entry() < len ? entry() : 0;
  for (int i = first; i < len; i++) {
    text += "frame #" + std::to_string(i - first) + ": " + symbol_text(frames[i]) + "\n";
  }
  return text;
}

std::string Stack::place() const {
  if (len == 0) {
    return "a call of which no stack was noted";
  }
  const int i = entry();
  const std::string function = i < len ? exported_function(frames[i]) : "ctorch";
  return function + ", called from " + (i + 1 < len ? symbol_text(frames[i + 1]) : "unknown code");
}

void set_notes_stacks(bool enabled) {
  stacks_are_noted = enabled;
  // Each time: another copy of this library in the process may have put its own there since.
  c10::SetStackTraceFetcher(std::function<c10::Backtrace()>(libtorchs_stack));
}

bool notes_stacks() noexcept { return stacks_are_noted; }

}  // namespace ctorch
