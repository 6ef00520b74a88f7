// The one place that catches: what C++ throws becomes an error, most derived class first.
#include "core/abi/error.hpp"

#include <c10/util/Exception.h>
#include <torch/csrc/jit/frontend/error_report.h>
#include <torch/csrc/jit/runtime/jit_exception.h>

#include <atomic>
#include <exception>
#include <memory>
#include <new>
#include <stdexcept>
#include <string_view>
#include <typeinfo>
#include <utility>

#include "core/abi/callback.hpp"
#include "core/abi/error_object.hpp"
#include "core/abi/excerpt.hpp"
#include "core/abi/handle.hpp"
#include "core/abi/utf8.hpp"
#include "core/torch/exception.hpp"

namespace ctorch {

namespace {

/// What error.h promises of messages: their length, and that they are UTF-8, as what LibTorch cuts out of a text is
/// not.
std::string bounded(std::string_view message) { return excerpt(as_utf8(excerpt(message, MAX_MESSAGE)), MAX_MESSAGE); }

ctorch_error *from_failure(const Failure &e, const char *function) {
  return make_error(e.code, bounded(e.message), function, e.details);
}

ctorch_error *make_refined(ctorch_error_kind code, std::string_view message, const char *function) {
  ErrorDetails details;
  if (code == CTORCH_ERROR_NOT_IMPLEMENTED) {
    if (auto problem = absent_device(message)) {
      return make_error(CTORCH_ERROR_RUNTIME, std::move(*problem), function, {}, std::current_exception());
    }
  }
  code = refine(code, message, details);
  // The exception is kept for its backtrace, unless that means to keep a text without bound.
  auto exception = message.size() <= MAX_MESSAGE ? std::current_exception() : nullptr;
  return make_error(code, bounded(message), function, std::move(details), std::move(exception));
}

ctorch_error *from_torch(ctorch_error_kind code, const c10::Error &e, const char *function) {
  // what() would render the backtrace, which takes milliseconds.
  return make_refined(code, e.what_without_backtrace(), function);
}

/// The kind of the class of Python's that a script raises.
ctorch_error_kind raised_kind(const torch::jit::JITException &e) {
  static constexpr std::pair<std::string_view, ctorch_error_kind> kinds[] = {
      {"IndexError", CTORCH_ERROR_INDEX}, {"KeyError", CTORCH_ERROR_INDEX},
      {"TypeError", CTORCH_ERROR_TYPE},   {"NotImplementedError", CTORCH_ERROR_NOT_IMPLEMENTED},
      {"ValueError", CTORCH_ERROR_VALUE},
  };
  const std::string name = e.getPythonClassName().value_or("");
  const std::string_view last = std::string_view(name).substr(name.rfind('.') + 1);  // "builtins.ValueError"
  for (const auto &[known, kind] : kinds) {
    if (last == known) {
      return kind;
    }
  }
  return CTORCH_ERROR_RUNTIME;
}

// The catch clauses, most derived class first. PyTorch reports ordinary user errors by standard exceptions too.
ctorch_error *from_current_exception(const char *function) {
  auto torch = [&](ctorch_error_kind code, const c10::Error &e) { return from_torch(code, e, function); };
  auto standard = [&](ctorch_error_kind code, const std::exception &e) {
    return make_refined(code, e.what(), function);
  };
  try {
    throw;
  } catch (const Failure &e) {
    return from_failure(e, function);
  } catch (const CallbackFailure &e) {
    return e.take();
  } catch (const c10::IndexError &e) {
    return torch(CTORCH_ERROR_INDEX, e);
  } catch (const c10::ValueError &e) {
    return torch(CTORCH_ERROR_VALUE, e);
  } catch (const c10::TypeError &e) {
    return torch(CTORCH_ERROR_TYPE, e);
  } catch (const c10::NotImplementedError &e) {
    return torch(CTORCH_ERROR_NOT_IMPLEMENTED, e);
  } catch (const c10::LinAlgError &e) {
    return torch(CTORCH_ERROR_LINALG, e);
  } catch (const c10::OutOfMemoryError &e) {
    return torch(CTORCH_ERROR_OUT_OF_MEMORY, e);
  } catch (const libtorch::SyntaxError &e) {
    return torch(CTORCH_ERROR_SYNTAX, e);
  } catch (const libtorch::BufferError &e) {
    return torch(CTORCH_ERROR_BUFFER, e);
  } catch (const libtorch::AcceleratorError &e) {
    return torch(CTORCH_ERROR_ACCELERATOR, e);
  } catch (const libtorch::DistQueueEmptyError &e) {
    return torch(CTORCH_ERROR_DIST_QUEUE_EMPTY, e);
  } catch (const c10::DistStoreError &e) {
    return torch(CTORCH_ERROR_DIST_STORE, e);
  } catch (const c10::DistNetworkError &e) {
    return torch(CTORCH_ERROR_DIST_NETWORK, e);
  } catch (const c10::DistBackendError &e) {
    return torch(CTORCH_ERROR_DIST_BACKEND, e);
  } catch (const c10::DistError &e) {
    return torch(CTORCH_ERROR_DIST, e);
  } catch (const c10::Error &e) {
    return torch(CTORCH_ERROR_RUNTIME, e);
  } catch (const torch::jit::ErrorReport &e) {
    return standard(CTORCH_ERROR_SYNTAX, e);
  } catch (const torch::jit::JITException &e) {
    return standard(raised_kind(e), e);
  } catch (const std::bad_alloc &e) {
    return standard(CTORCH_ERROR_OUT_OF_MEMORY, e);
  } catch (const std::out_of_range &e) {
    return standard(CTORCH_ERROR_INDEX, e);
  } catch (const std::invalid_argument &e) {
    return standard(CTORCH_ERROR_VALUE, e);
  } catch (const std::length_error &e) {
    return standard(CTORCH_ERROR_VALUE, e);
  } catch (const std::domain_error &e) {
    return standard(CTORCH_ERROR_VALUE, e);
  } catch (const std::runtime_error &e) {
    return standard(CTORCH_ERROR_RUNTIME, e);
  } catch (const std::exception &e) {
    return standard(CTORCH_ERROR_STD, e);
  } catch (...) {
    return make_error(CTORCH_ERROR_UNKNOWN, "an exception that is not a std::exception", function);
  }
}

}  // namespace

struct CallbackFailure::Shared {
  explicit Shared(ctorch_error *error)
      : copy{error->kind, error->message, error->function, error->details, error->exception, {},
             {},          error->stack,   error->trace},
        error(error) {}
  ~Shared() { release_error(error); }

  ctorch_error copy;
  std::atomic<ctorch_error *> error;
};

CallbackFailure::CallbackFailure(ctorch_error *owned) {
  try {
    shared_ = std::make_shared<Shared>(owned);
  } catch (...) {
    release_error(owned);
    throw;
  }
}

const char *CallbackFailure::what() const noexcept { return shared_->copy.message.c_str(); }

ctorch_error *CallbackFailure::take() const {
  if (ctorch_error *error = shared_->error.exchange(nullptr)) {
    count_failure();
    return error;
  }
  const ctorch_error &copy = shared_->copy;
  ctorch_error *error = make_error(copy.kind, copy.message, copy.function, copy.details, copy.exception);
  error->stack = copy.stack;
  error->trace = copy.trace;
  return error;
}

void fail_callback(const char *name, ctorch_callback_status status, ctorch_error *error) {
  if (error != nullptr) {
    if (const std::string problem = keeps(LEAKS) ? problem_with({error, Kind::Error}) : ""; !problem.empty()) {
      fail(CTORCH_ERROR_INVALID_HANDLE, std::string("the error of the callback ") + name + ": " + problem);
    }
    throw CallbackFailure(error);
  }
  fail(
      CTORCH_ERROR_CALLBACK, std::string("the callback ") + name + " answered " + std::to_string(status) +
                                 " without an error; success is " + std::to_string(CTORCH_CALLBACK_OK));
}

void fail(ctorch_error_kind code, std::string message) { throw Failure(code, std::move(message)); }

void fail_null(const char *argument) { fail(CTORCH_ERROR_NULL_ARGUMENT, std::string(argument) + " must not be NULL"); }

void fail_argument(const char *argument, const std::string &problem) {
  fail(CTORCH_ERROR_INVALID_ARGUMENT, std::string(argument) + ": " + problem);
}

ctorch_error *error_from_current_exception(const char *function) noexcept {
  try {
    return from_current_exception(function);
  } catch (...) {
    return out_of_memory();  // making the error is all that can have failed
  }
}

ctorch_error *error_from(const std::exception &exception, const char *function) noexcept {
  try {
    if (typeid(exception) == typeid(c10::Error)) {
      return from_torch(CTORCH_ERROR_RUNTIME, static_cast<const c10::Error &>(exception), function);
    }
    if (typeid(exception) == typeid(Failure)) {
      return from_failure(static_cast<const Failure &>(exception), function);
    }
  } catch (...) {
    return out_of_memory();
  }
  return error_from_current_exception(function);
}

}  // namespace ctorch
