#include "abi/error.hpp"

#include <c10/util/Exception.h>
#include <torch/csrc/jit/frontend/error_report.h>
#include <torch/csrc/jit/runtime/jit_exception.h>

#include <atomic>
#include <exception>
#include <memory>
#include <mutex>
#include <new>
#include <stdexcept>
#include <typeinfo>

#include "abi/callback.hpp"
#include "abi/handle.hpp"
#include "abi/memory_pressure.hpp"
#include "abi/utf8.hpp"
#include "torch/version.hpp"

struct ctorch_error {
  ctorch_error_kind code;
  std::string message;
  const char *function;  // static text
  ctorch::ErrorDetails details;
  std::exception_ptr exception;  // kept for its backtrace, which is rendered on demand
  std::once_flag rendered;
  std::string backtrace;
};

namespace ctorch {

namespace {

// Out of memory while reporting: no details, but the code and a message that cost nothing.
ctorch_error out_of_memory_error{CTORCH_ERROR_OUT_OF_MEMORY, "out of memory", "", {}, nullptr, {}, {}};

struct Name {
  ctorch_error_kind code;
  const char *name;
};
constexpr Name NAMES[] = {
    {CTORCH_ERROR_RUNTIME, "RUNTIME"},
    {CTORCH_ERROR_INDEX, "INDEX"},
    {CTORCH_ERROR_VALUE, "VALUE"},
    {CTORCH_ERROR_TYPE, "TYPE"},
    {CTORCH_ERROR_NOT_IMPLEMENTED, "NOT_IMPLEMENTED"},
    {CTORCH_ERROR_LINALG, "LINALG"},
    {CTORCH_ERROR_OUT_OF_MEMORY, "OUT_OF_MEMORY"},
    {CTORCH_ERROR_SYNTAX, "SYNTAX"},
    {CTORCH_ERROR_BUFFER, "BUFFER"},
    {CTORCH_ERROR_ACCELERATOR, "ACCELERATOR"},
    {CTORCH_ERROR_DIST, "DIST"},
    {CTORCH_ERROR_DIST_BACKEND, "DIST_BACKEND"},
    {CTORCH_ERROR_DIST_STORE, "DIST_STORE"},
    {CTORCH_ERROR_DIST_NETWORK, "DIST_NETWORK"},
    {CTORCH_ERROR_DIST_QUEUE_EMPTY, "DIST_QUEUE_EMPTY"},
    {CTORCH_ERROR_SHAPE_MISMATCH, "SHAPE_MISMATCH"},
    {CTORCH_ERROR_DEVICE_MISMATCH, "DEVICE_MISMATCH"},
    {CTORCH_ERROR_DTYPE_MISMATCH, "DTYPE_MISMATCH"},
    {CTORCH_ERROR_NULL_ARGUMENT, "NULL_ARGUMENT"},
    {CTORCH_ERROR_INVALID_ARGUMENT, "INVALID_ARGUMENT"},
    {CTORCH_ERROR_UNSUPPORTED, "UNSUPPORTED"},
    {CTORCH_ERROR_INVALID_HANDLE, "INVALID_HANDLE"},
    {CTORCH_ERROR_IO, "IO"},
    {CTORCH_ERROR_FORMAT, "FORMAT"},
    {CTORCH_ERROR_CALLBACK, "CALLBACK"},
    {CTORCH_ERROR_PYTHON, "PYTHON"},
    {CTORCH_ERROR_STD, "STD"},
    {CTORCH_ERROR_INTERNAL, "INTERNAL"},
    {CTORCH_ERROR_UNKNOWN, "UNKNOWN"},
};

ctorch_error *make(
    ctorch_error_kind code,
    std::string message,
    const char *function,
    ErrorDetails details = {},
    std::exception_ptr exception = nullptr) {
  std::unique_ptr<ctorch_error> error(
      new ctorch_error{code, std::move(message), function, std::move(details), std::move(exception), {}, {}});
  if (keeps(LEAKS)) {
    count_up({error.get(), Kind::Error});
  }
  return error.release();
}

ctorch_error *from_failure(const Failure &e, const char *function) {
  return make(e.code, std::string(function) + ": " + e.message, function, e.details);
}

ctorch_error *make_refined(ctorch_error_kind code, const char *message, const char *function) {
  ErrorDetails details;
  code = refine(code, message, details);
  return make(code, message, function, std::move(details), std::current_exception());
}

ctorch_error *from_torch(ctorch_error_kind code, const c10::Error &e, const char *function) {
  // what() would render the backtrace, which takes milliseconds.
  return make_refined(code, e.what_without_backtrace(), function);
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
#if TORCH_VERSION_AT_LEAST(2, 9)
  } catch (const c10::SyntaxError &e) {
    return torch(CTORCH_ERROR_SYNTAX, e);
  } catch (const c10::BufferError &e) {
    return torch(CTORCH_ERROR_BUFFER, e);
  } catch (const c10::AcceleratorError &e) {
    return torch(CTORCH_ERROR_ACCELERATOR, e);
  } catch (const c10::DistQueueEmptyError &e) {
    return torch(CTORCH_ERROR_DIST_QUEUE_EMPTY, e);
#endif
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
    return standard(CTORCH_ERROR_RUNTIME, e);
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
    return make(CTORCH_ERROR_UNKNOWN, "an exception that is not a std::exception", function);
  }
}

}  // namespace

struct CallbackFailure::Shared {
  explicit Shared(ctorch_error *error)
      : copy{error->code, error->message, error->function, error->details, error->exception, {}, {}}, error(error) {}
  ~Shared() { ctorch_error_release(error); }

  ctorch_error copy;
  std::atomic<ctorch_error *> error;
};

CallbackFailure::CallbackFailure(ctorch_error *owned) {
  try {
    shared_ = std::make_shared<Shared>(owned);
  } catch (...) {
    ctorch_error_release(owned);
    throw;
  }
}

const char *CallbackFailure::what() const noexcept { return shared_->copy.message.c_str(); }

ctorch_error *CallbackFailure::take() const {
  if (ctorch_error *error = shared_->error.exchange(nullptr)) {
    return error;
  }
  const ctorch_error &copy = shared_->copy;
  return make(copy.code, copy.message, copy.function, copy.details, copy.exception);
}

void fail_callback(const char *name, ctorch_callback_status status, ctorch_error *error) {
  if (error != nullptr) {
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
    return &out_of_memory_error;  // making the error is all that can have failed
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
    return &out_of_memory_error;
  }
  return error_from_current_exception(function);
}

namespace {

/// Answer an error; but if memory has run out and the callback for that fails, answer what it failed with. `relieved`
/// tells whether it has run.
ctorch_error *relieve_or(ctorch_error *error, const char *function, bool &relieved) {
  if (error == nullptr || error->code != CTORCH_ERROR_OUT_OF_MEMORY) {
    return error;
  }
  ctorch_error *failure = error_of(function, [&] { relieved = relieve(error->details.requested_bytes.value_or(0)); });
  if (failure == nullptr) {
    return error;
  }
  ctorch_error_release(error);
  return failure;
}

}  // namespace

ctorch_error *report(const std::exception &exception, const char *function) noexcept {
  ctorch_error *error = error_from(exception, function);
  if (typeid(exception) == typeid(CallbackFailure)) {
    return error;  // reported where it was made
  }
  bool relieved = false;
  return relieve_or(error, function, relieved);
}

__thread bool is_attempt = false;

bool next(Attempts &attempts) noexcept {
  if (attempts.made == 0) {
    attempts.error = prepare(attempts.function);
    if (attempts.error != nullptr) {
      return false;
    }
  } else {
    ctorch_error *error = attempts.error;
    // An error of another function came out of a callback: it was reported where it was made.
    if (attempts.made > 1 || error == nullptr || error->function != attempts.function) {
      return false;
    }
    bool relieved = false;
    attempts.error = relieve_or(error, attempts.function, relieved);
    if (!relieved || attempts.error != error) {
      return false;
    }
    ctorch_error_release(error);
  }
  attempts.made++;
  is_attempt = true;
  return true;
}

ctorch_error *unsupported(const char *function, const char *operator_name, const char *torch_version) noexcept {
  return guard(function, [&] {
    fail(CTORCH_ERROR_UNSUPPORTED, std::string(operator_name) + " does not exist in LibTorch " + torch_version);
  });
}

void release_error(ctorch_error *self) noexcept {
  if (self != &out_of_memory_error) {
    delete self;
  }
}

}  // namespace ctorch

using ctorch::fail_argument;
using ctorch::fail_null;
using ctorch::guard;

ctorch_error *ctorch_error_new(ctorch_error **out, ctorch_error_kind code, const char *message) {
  return guard(__func__, [&] {
    if (out == nullptr) {
      fail_null("out");
    }
    if (message == nullptr) {
      fail_null("message");
    }
    if (ctorch_error_code_name(code) == nullptr) {
      fail_argument("code", "unknown error code " + std::to_string(code));
    }
    if (!ctorch::is_utf8(message)) {
      fail_argument("message", "not UTF-8");
    }
    *out = ctorch::make(code, message, "");
  });
}

void ctorch_error_release(ctorch_error *self) {
  if (self != nullptr) {
    if (ctorch::keeps(ctorch::LEAKS)) {
      ctorch::count_down({self, ctorch::Kind::Error});
    }
    ctorch::release_error(self);
  }
}

ctorch_error_kind ctorch_error_code(const ctorch_error *self) { return self == nullptr ? 0 : self->code; }

const char *ctorch_error_code_name(ctorch_error_kind code) {
  for (const auto &entry : ctorch::NAMES) {
    if (entry.code == code) {
      return entry.name;
    }
  }
  return nullptr;
}

const char *ctorch_error_message(const ctorch_error *self) { return self == nullptr ? "" : self->message.c_str(); }

const char *ctorch_error_function(const ctorch_error *self) { return self == nullptr ? "" : self->function; }

const char *ctorch_error_backtrace(const ctorch_error *self) {
  if (self == nullptr || self->exception == nullptr) {
    return "";
  }
  auto *error = const_cast<ctorch_error *>(self);  // the text is a cache, written once
  try {
    std::call_once(error->rendered, [&] {
      try {
        std::rethrow_exception(error->exception);
      } catch (const c10::Error &e) {
        if (auto backtrace = e.backtrace()) {
          error->backtrace = backtrace->get();
        }
      } catch (...) {
        error->backtrace.clear();  // only LibTorch's errors record where they were thrown
      }
    });
  } catch (...) {
    return "";
  }
  return error->backtrace.c_str();
}

namespace {

bool give_shape(const std::vector<int64_t> &shape, const int64_t **out, size_t *out_len) {
  if (out != nullptr) {
    *out = shape.data();
  }
  if (out_len != nullptr) {
    *out_len = shape.size();
  }
  return true;
}

template <class T>
bool give(const T &value, T *out) {
  if (out != nullptr) {
    *out = value;
  }
  return true;
}

}  // namespace

bool ctorch_error_expected_shape(const ctorch_error *self, const int64_t **out, size_t *out_len) {
  return self != nullptr && self->details.shapes && give_shape(self->details.shapes->first, out, out_len);
}

bool ctorch_error_got_shape(const ctorch_error *self, const int64_t **out, size_t *out_len) {
  return self != nullptr && self->details.shapes && give_shape(self->details.shapes->second, out, out_len);
}

bool ctorch_error_expected_device(const ctorch_error *self, ctorch_device *out) {
  return self != nullptr && self->details.devices && give(self->details.devices->first, out);
}

bool ctorch_error_got_device(const ctorch_error *self, ctorch_device *out) {
  return self != nullptr && self->details.devices && give(self->details.devices->second, out);
}

bool ctorch_error_expected_dtype(const ctorch_error *self, ctorch_dtype *out) {
  return self != nullptr && self->details.dtypes && give(self->details.dtypes->first, out);
}

bool ctorch_error_got_dtype(const ctorch_error *self, ctorch_dtype *out) {
  return self != nullptr && self->details.dtypes && give(self->details.dtypes->second, out);
}

bool ctorch_error_requested_bytes(const ctorch_error *self, uint64_t *out) {
  return self != nullptr && self->details.requested_bytes && give(*self->details.requested_bytes, out);
}

bool ctorch_error_available_bytes(const ctorch_error *self, uint64_t *out) {
  return self != nullptr && self->details.available_bytes && give(*self->details.available_bytes, out);
}
