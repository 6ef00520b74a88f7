// c/interrupt.h, and what interrupt.h sets: a count of interrupts, a callback, and Python's signals.
#include "core/c/interrupt.h"

#include <time.h>

#include <atomic>
#include <memory>
#include <utility>

#include "core/abi/callback.hpp"
#include "core/abi/interrupt.hpp"
#include "core/abi/python.hpp"
#include "core/c/error.h"

using namespace ctorch;

namespace {

std::atomic<uint64_t> interrupts = 0;
std::atomic<void *> python_methods = nullptr;

/// What a thread asks whether to wait on.
struct Check {
  Check(ctorch_interrupt_callback function, void (*destroy)(void *payload), void *data) noexcept
      : callback(function), payload(destroy, data) {}

  ctorch_interrupt_callback callback;
  Payload payload;
};

thread_local std::shared_ptr<Check> thread_check;

ctorch_error *ask_callback(const char *function) {
  return guard_while_ending(function, [] {
    const std::shared_ptr<Check> check = thread_check;  // the callback may set another one
    run_callback("interrupt", [&](ctorch_error **error) { return check->callback(error, check->payload.get()); });
  });
}

/// Whether this thread has not looked for a while: the GIL may be busy.
bool is_due() {
  thread_local int64_t last = 0;
  timespec time{};
  clock_gettime(CLOCK_MONOTONIC_COARSE, &time);
  int64_t now = time.tv_sec * 1000 + time.tv_nsec / 1000000;
  if (now - last < 50) {
    return false;
  }
  last = now;
  return true;
}

/// What the handler of a signal has raised, which is set and is taken; NULL if none has.
ctorch_error *check_python(const char *function) {
  const Python &python = Python::get();
  const WithGil gil;
  void *methods = python_methods;
  if (methods == nullptr || python.check_signals() == 0) {
    return nullptr;
  }
  void *type = nullptr, *exception = nullptr, *traceback = nullptr;
  ctorch_error *error = nullptr;
  python.fetch(&type, &exception, &traceback);
  python.normalize(&type, &exception, &traceback);
  void *result = python.call(
      methods, "interrupted", "(OK)", exception, static_cast<unsigned long long>(reinterpret_cast<uintptr_t>(&error)));
  if (result == nullptr) {  // another signal came meanwhile
    python.clear();
  }
  for (void *object : {result, type, exception, traceback}) {
    python.drop(object);
  }
  return error != nullptr ? error : error_make(function, CTORCH_ERROR_RUNTIME, "interrupted by a signal");
}

}  // namespace

namespace ctorch {

void interrupt() noexcept { interrupts++; }

void set_interrupt_callback(ctorch_interrupt_callback callback, void (*destroy)(void *payload), void *payload) {
  auto check = std::make_shared<Check>(callback, destroy, payload);
  check->payload.own();
  thread_check.swap(check);
}

void clear_interrupt_callback() noexcept { std::exchange(thread_check, nullptr); }

bool interrupt_by_python(void *methods) {
  if (!Python::get().is_there()) {
    return false;
  }
  const WithGil gil;
  Python::get().retain(methods);
  Python::get().drop(python_methods.exchange(methods));
  return true;
}

}  // namespace ctorch

uint64_t interrupt_count(void) { return interrupts; }

ctorch_error *interrupt_check(const char *function, uint64_t begin) {
  if (interrupts != begin) {
    return error_make(function, CTORCH_ERROR_RUNTIME, "interrupted");
  }
  if ((python_methods == nullptr && thread_check == nullptr) || !is_due()) {
    return nullptr;
  }
  ctorch_error *error = thread_check == nullptr ? nullptr : ask_callback(function);
  return error != nullptr || python_methods == nullptr ? error : check_python(function);
}
