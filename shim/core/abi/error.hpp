// Errors: the one place that turns an exception into a ctorch_error.
//
// Every exported function that can fail is `return guard(__func__, [&] { … });`, or guard_while_ending() if it needs
// none of LibTorch's thread-local objects. Inside, code of ours throws `Failure` for bad input and lets LibTorch's
// exceptions pass.
#pragma once

#include <stdint.h>

#include <exception>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>

#include "core/abi/error_details.hpp"
#include "core/abi/thread.hpp"
#include "core/torch/fail.hpp"
#include "ctorch/abi/error.h"

namespace ctorch {

/// A refusal by ctorch itself. `message` does not name the function: the error has it beside.
struct Failure : std::exception {
  Failure(ctorch_error_kind code, std::string message, ErrorDetails details = {})
      : code(code), message(std::move(message)), details(std::move(details)) {}
  const char *what() const noexcept override { return message.c_str(); }  // for those who catch it before guard()

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

/// What a call has to do before it starts: bits of `precautions`, none of them in most processes.
constexpr uint8_t VERSION_MISMATCH = 1;  // refuse: the LibTorch in this process is not the one this was compiled for
constexpr uint8_t REPEATS = 2;           // be ready for a second attempt: a callback for memory pressure is set
constexpr uint8_t FORKED = 4;            // settle in a child that fork() made
constexpr uint8_t HANDLES = 8;           // look at the handles among its arguments: CTORCH_DEBUG_HANDLES is set
constexpr uint8_t ANY_PRECAUTION = UINT8_MAX;
extern uint8_t precautions __attribute__((visibility("hidden")));

/// They may change meanwhile, which is as if this had been asked a moment earlier; see recording().
__attribute__((no_sanitize("thread"))) inline bool takes(uint8_t which) { return (precautions & which) != 0; }

/// Whether a call has anything to do before it starts: those of its precautions that are `which`, or to make its thread
/// known, or to refuse because that ends. One branch for all.
__attribute__((no_sanitize("thread"))) inline bool must_prepare(uint8_t which) {
  return ((precautions & which) | thread_phase) != 0;
}

[[gnu::cold]] ctorch_error *refuse_version(const char *function) noexcept;
/// What the precautions and the thread ask for; an error if the call is refused.
[[gnu::cold]] ctorch_error *prepare(const char *function) noexcept;

/// Finds the handles among arguments by their types: a list's length is the argument after it.
class HandleArguments {
 public:
  template <class... Arguments>
  explicit HandleArguments(Arguments... arguments) {
    (add(arguments), ...);
  }

  /// With HANDLES: INVALID_HANDLE if something is known against one. `names` are those of all parameters, apart by
  /// spaces.
  ctorch_error *check(const char *function, const char *names) const noexcept;

 private:
  enum What : uint8_t { Tensor, Tensors, Storage, Generator };
  struct Argument {
    const void *pointer;
    size_t len;  // of Tensors
    size_t index;
    What what;
  };

  template <class T>
  void add(T argument) {
    if constexpr (std::is_same_v<T, const ctorch_tensor *> || std::is_same_v<T, ctorch_tensor *>) {
      add(argument, Tensor);
    } else if constexpr (std::is_same_v<T, const ctorch_tensor *const *> || std::is_same_v<T, ctorch_tensor *const *>) {
      add(argument, Tensors);
    } else if constexpr (std::is_same_v<T, const ctorch_storage *> || std::is_same_v<T, ctorch_storage *>) {
      add(argument, Storage);
    } else if constexpr (std::is_same_v<T, const ctorch_generator *> || std::is_same_v<T, ctorch_generator *>) {
      add(argument, Generator);
    } else if constexpr (std::is_same_v<T, size_t>) {
      set_length(argument);
    }
    index_++;
  }
  void add(const void *pointer, What what) noexcept;
  void set_length(size_t len) noexcept;

  static constexpr size_t MOST = 32;  // the operator with the most tensors has 21
  Argument arguments_[MOST];
  size_t len_ = 0, index_ = 0;
};

/// prepare(), and a look at the handles.
template <class... Arguments>
[[gnu::cold, gnu::noinline, gnu::nothrow]] ctorch_error *prepare_with(
    Arguments... arguments, const char *function, const char *names) {
  ctorch_error *error = prepare(function);
  return error == nullptr && takes(HANDLES) ? HandleArguments(arguments...).check(function, names) : error;
}

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

/// The error that a call answers. If memory ran out, the callback for that is asked to free some first
/// (memory_pressure.hpp).
ctorch_error *report(const std::exception &exception, const char *function) noexcept;

/// What every exported function does.
template <class Body>
inline ctorch_error *guard(const char *function, Body &&body) noexcept {
  if (__builtin_expect(must_prepare(VERSION_MISMATCH | FORKED), false)) {
    if (ctorch_error *refusal = prepare(function)) {
      return refusal;
    }
  }
  try {
    std::forward<Body>(body)();
    return nullptr;
  } catch (const std::exception &exception) {
    return report(exception, function);
  } catch (...) {
    return error_from_current_exception(function);
  }
}

/// The same for a function with these parameters of these names, the handles among which HANDLES looks at. Functions
/// without leave that to the conversions of from.hpp.
template <class Body, class... Arguments>
inline ctorch_error *guard(const char *function, const char *names, Body &&body, Arguments... arguments) noexcept {
  if (__builtin_expect(must_prepare(VERSION_MISMATCH | FORKED | HANDLES), false)) {
    if (ctorch_error *refusal = prepare_with<Arguments...>(arguments..., function, names)) {
      return refusal;
    }
  }
  try {
    std::forward<Body>(body)();
    return nullptr;
  } catch (const std::exception &exception) {
    return report(exception, function);
  } catch (...) {
    return error_from_current_exception(function);
  }
}

/// The same for a function that uses none of LibTorch's thread-local objects that have destructors (thread.hpp names
/// them): it goes on working while its thread ends.
template <class Body>
inline ctorch_error *guard_while_ending(const char *function, Body &&body) noexcept {
  if (__builtin_expect(takes(VERSION_MISMATCH), false)) {
    return refuse_version(function);
  }
  try {
    std::forward<Body>(body)();
    return nullptr;
  } catch (const std::exception &exception) {
    return report(exception, function);
  } catch (...) {
    return error_from_current_exception(function);
  }
}

/// A call that is made again if memory runs out and the callback for that frees some.
struct Attempts {
  const char *function;
  ctorch_error *error = nullptr;
  int made = 0;
};
/// Whether to call. The next call of this thread is taken for it.
[[gnu::cold]] bool next(Attempts &attempts) noexcept;
extern __thread bool is_attempt __attribute__((tls_model("initial-exec"), visibility("hidden")));

template <class... Arguments>
[[gnu::cold, gnu::noinline, gnu::nothrow]] ctorch_error *attempt(
    Arguments... arguments, ctorch_error *(*self)(Arguments...), const char *function, const char *names) {
  if (takes(HANDLES)) {
    if (ctorch_error *refusal = HandleArguments(arguments...).check(function, names)) {
      return refusal;
    }
  }
  Attempts attempts{function};
  while (next(attempts)) {
    attempts.error = self(arguments...);
  }
  return attempts.error;
}

/// The same for a function `self` that changes nothing but its outputs. With REPEATS it calls
/// itself, so that without them nothing has to keep its parameters for a second attempt.
template <class Body, class... Arguments>
inline ctorch_error *guard_repeatable(
    ctorch_error *(*self)(Arguments...),
    const char *function,
    const char *names,
    Body &&body,
    Arguments... arguments) noexcept {
  if (__builtin_expect(must_prepare(ANY_PRECAUTION), false)) {
    if (!is_attempt) {
      return attempt<Arguments...>(arguments..., self, function, names);
    }
    is_attempt = false;
  }
  return error_of(function, std::forward<Body>(body));
}

}  // namespace ctorch
