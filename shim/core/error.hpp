// Errors: the one place that turns an exception into a ctorch_error.
//
// Every exported function that can fail is `return guard(__func__, [&] { … });`. Inside, code of ours throws `Failure`
// for bad input and lets LibTorch's exceptions pass.
#pragma once

#include <stdint.h>

#include <exception>
#include <memory>
#include <string>
#include <utility>

#include "ctorch/error.h"
#include "error_details.hpp"

namespace ctorch {

/// A refusal by ctorch itself. `message` does not name the function: guard() puts it in front.
struct Failure : std::exception {
  Failure(ctorch_error_kind code, std::string message, ErrorDetails details = {})
      : code(code), message(std::move(message)), details(std::move(details)) {}

  ctorch_error_kind code;
  std::string message;
  ErrorDetails details;
};

/// A callback's error on its way to the outer call. The exception may be thrown again and again, as a future does that
/// several wait for: the first to catch it gets the error itself, the others a copy.
class CallbackFailure : public std::exception {
 public:
  explicit CallbackFailure(ctorch_error *owned);
  const char *what() const noexcept override;
  ctorch_error *take() const;

 private:
  struct Shared;
  std::shared_ptr<Shared> shared_;
};

[[noreturn]] void fail(ctorch_error_kind code, std::string message);
/// NULL_ARGUMENT: "<argument> must not be NULL".
[[noreturn]] void fail_null(const char *argument);
/// INVALID_ARGUMENT: "<argument>: <problem>".
[[noreturn]] void fail_argument(const char *argument, const std::string &problem);

/// Call inside a catch block. Never throws: out of memory yields a static error object.
ctorch_error *error_from_current_exception(const char *function) noexcept;
/// The same where the exception is known: most are of two classes, and looking at those saves a second unwinding.
ctorch_error *error_from(const std::exception &exception, const char *function) noexcept;

/// The answer of an operator that the LibTorch at hand lacks.
[[gnu::cold]] ctorch_error *unsupported(
    const char *function, const char *operator_name, const char *torch_version) noexcept;

/// What ctorch_error_release does, without the bookkeeping.
void release_error(ctorch_error *self) noexcept;

/// Set while the library is loaded if the LibTorch in this process is not the one it was compiled for.
extern bool version_mismatch __attribute__((visibility("hidden")));
[[gnu::cold]] ctorch_error *refuse_version(const char *function) noexcept;

/// Run `body` and turn what it throws into an error.
template <class Body>
inline ctorch_error *error_of(const char *function, Body &&body) noexcept {
  try {
    std::forward<Body>(body)();
    return nullptr;
  } catch (const std::exception &exception) {
    return error_from(exception, function);
  } catch (...) {
    return error_from_current_exception(function);
  }
}

/// What every exported function does.
template <class Body>
inline ctorch_error *guard(const char *function, Body &&body) noexcept {
  if (__builtin_expect(version_mismatch, false)) {
    return refuse_version(function);
  }
  return error_of(function, std::forward<Body>(body));
}

}  // namespace ctorch
