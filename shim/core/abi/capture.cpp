// The capture of each thread: abi/capture.hpp, and abi/c/capture.h for C.
#include "abi/capture.hpp"

#include "abi/c/capture.h"

namespace ctorch {

namespace {

__thread Capture *current = nullptr;

}  // namespace

Capture *current_capture() noexcept { return current; }

void set_current_capture(Capture *capture) noexcept { current = capture; }

}  // namespace ctorch

bool capture_is_on(void) { return ctorch::current_capture() != nullptr; }

void capture_refuse(const char *reason) { ctorch::refuse_in_capture(reason); }
