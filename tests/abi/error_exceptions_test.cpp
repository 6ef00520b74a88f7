// The one place that catches: each exception that LibTorch or the standard library may throw gets its code, its own
// message and, where one was recorded, its backtrace. Many have no operator that throws them on a CPU, so they are
// thrown here. Links shim/core/abi without the rest of the library.
#include <c10/util/Exception.h>
#include <torch/csrc/jit/frontend/error_report.h>
#include <torch/csrc/jit/runtime/jit_exception.h>

#include <cstdio>
#include <cstring>
#include <memory>
#include <new>
#include <stdexcept>
#include <string>

#include "core/abi/callback.hpp"
#include "core/abi/error.hpp"
#include "core/abi/handle.hpp"
#include "core/abi/memory_pressure.hpp"
#include "core/torch/version.hpp"

namespace {

int failures = 0;

void check(bool ok, const char *claim, ctorch_error_kind code) {
  if (!ok) {
    ++failures;
    std::fprintf(stderr, "wrong: %s, for %s\n", claim, ctorch_error_kind_name(code));
  }
}

template <class Throw>
void gets(ctorch_error_kind code, const char *message, Throw &&body) {
  ctorch_error *error = ctorch::guard("the_function", body);
  check(ctorch_error_kind_of(error) == code, "code", code);
  check(std::strcmp(ctorch_error_function(error), "the_function") == 0, "function", code);
  if (std::strcmp(ctorch_error_message(error), message) != 0) {
    std::fprintf(stderr, "got: %s\n", ctorch_error_message(error));
    check(false, "message", code);
  }
  ctorch_error_release(error);
}

template <class Error>
void torch_error_gets(ctorch_error_kind code) {
  gets(code, "Some text, 3 of it", [] { throw Error({__func__, __FILE__, __LINE__}, "Some text, 3 of it"); });
  ctorch_error *error =
      ctorch::guard("f", [] { throw Error({"function_that_threw", "file.cpp", 42}, "Some text, 3 of it"); });
  check(std::strlen(ctorch_error_backtrace(error)) > 0, "backtrace", code);
  ctorch_error_release(error);
}

template <class Error>
void standard_error_gets(ctorch_error_kind code) {
  gets(code, "text", [] { throw Error("text"); });
}

struct Unrelated : std::exception {
  const char *what() const noexcept override { return "unrelated"; }
};

void of_libtorch() {
  torch_error_gets<c10::Error>(CTORCH_ERROR_RUNTIME);
  torch_error_gets<c10::IndexError>(CTORCH_ERROR_INDEX);
  torch_error_gets<c10::ValueError>(CTORCH_ERROR_VALUE);
  torch_error_gets<c10::TypeError>(CTORCH_ERROR_TYPE);
  torch_error_gets<c10::NotImplementedError>(CTORCH_ERROR_NOT_IMPLEMENTED);
  torch_error_gets<c10::LinAlgError>(CTORCH_ERROR_LINALG);
  torch_error_gets<c10::OutOfMemoryError>(CTORCH_ERROR_OUT_OF_MEMORY);
  torch_error_gets<c10::DistError>(CTORCH_ERROR_DIST);
  torch_error_gets<c10::DistBackendError>(CTORCH_ERROR_DIST_BACKEND);
  torch_error_gets<c10::DistStoreError>(CTORCH_ERROR_DIST_STORE);
  torch_error_gets<c10::DistNetworkError>(CTORCH_ERROR_DIST_NETWORK);
#if TORCH_VERSION_AT_LEAST(2, 9)
  torch_error_gets<c10::SyntaxError>(CTORCH_ERROR_SYNTAX);
  torch_error_gets<c10::BufferError>(CTORCH_ERROR_BUFFER);
  torch_error_gets<c10::DistQueueEmptyError>(CTORCH_ERROR_DIST_QUEUE_EMPTY);
  gets(CTORCH_ERROR_ACCELERATOR, "CUDA error: out of memory", [] {
    throw c10::AcceleratorError({__func__, __FILE__, __LINE__}, 2, "CUDA error: out of memory");
  });
#endif
  // What TORCH_CHECK and its kin throw, and context added on the way up.
  gets(CTORCH_ERROR_RUNTIME, "3 is not 4", [] { TORCH_CHECK(false, 3, " is not ", 4); });
  gets(CTORCH_ERROR_TYPE, "no such type", [] { TORCH_CHECK_TYPE(false, "no such type"); });
  gets(
      CTORCH_ERROR_SHAPE_MISMATCH, "The size of tensor a (2) must match the size of tensor b (3) at … (while adding)",
      [] {
        try {
          TORCH_CHECK(false, "The size of tensor a (2) must match the size of tensor b (3) at …");
        } catch (c10::Error &e) {
          e.add_context("while adding");
          throw;
        }
      });
}

void of_torchscript() {
  gets(CTORCH_ERROR_RUNTIME, "raised", [] { throw torch::jit::JITException("raised"); });
  ctorch_error *error =
      ctorch::guard("f", [] { throw torch::jit::ErrorReport(torch::jit::SourceRange()) << "unexpected token"; });
  check(ctorch_error_kind_of(error) == CTORCH_ERROR_SYNTAX, "code", CTORCH_ERROR_SYNTAX);
  check(std::strstr(ctorch_error_message(error), "unexpected token") != nullptr, "message", CTORCH_ERROR_SYNTAX);
  ctorch_error_release(error);
}

void of_the_standard_library() {
  standard_error_gets<std::runtime_error>(CTORCH_ERROR_RUNTIME);
  standard_error_gets<std::range_error>(CTORCH_ERROR_RUNTIME);
  standard_error_gets<std::overflow_error>(CTORCH_ERROR_RUNTIME);
  standard_error_gets<std::invalid_argument>(CTORCH_ERROR_VALUE);
  standard_error_gets<std::length_error>(CTORCH_ERROR_VALUE);
  standard_error_gets<std::domain_error>(CTORCH_ERROR_VALUE);
  standard_error_gets<std::out_of_range>(CTORCH_ERROR_INDEX);
  gets(CTORCH_ERROR_OUT_OF_MEMORY, std::bad_alloc().what(), [] { throw std::bad_alloc(); });
  standard_error_gets<std::logic_error>(CTORCH_ERROR_STD);
  gets(CTORCH_ERROR_STD, std::bad_cast().what(), [] { throw std::bad_cast(); });
  gets(CTORCH_ERROR_STD, "unrelated", [] { throw Unrelated(); });
  ctorch_error *error = ctorch::guard("f", [] { throw std::runtime_error("text"); });
  check(std::strcmp(ctorch_error_backtrace(error), "") == 0, "no backtrace", CTORCH_ERROR_RUNTIME);
  ctorch_error_release(error);
}

void of_anything_else() {
  for (int kind = 0; kind < 3; ++kind) {
    ctorch_error *error = ctorch::guard("f", [&] {
      switch (kind) {
        case 0:
          throw 42;
        case 1:
          throw "a string";
        default:
          throw std::make_unique<int>(1);
      }
    });
    check(ctorch_error_kind_of(error) == CTORCH_ERROR_UNKNOWN, "code", CTORCH_ERROR_UNKNOWN);
    check(std::strlen(ctorch_error_message(error)) > 0, "message", CTORCH_ERROR_UNKNOWN);
    check(std::strlen(ctorch_error_backtrace(error)) > 0, "backtrace", CTORCH_ERROR_UNKNOWN);
    ctorch_error_release(error);
  }
}

void of_ctorch() {
  gets(CTORCH_ERROR_NULL_ARGUMENT, "self must not be NULL", [] { ctorch::fail_null("self"); });
  gets(CTORCH_ERROR_INVALID_ARGUMENT, "sizes: too many", [] { ctorch::fail_argument("sizes", "too many"); });
  gets(CTORCH_ERROR_FORMAT, "not a file of ours", [] { ctorch::fail(CTORCH_ERROR_FORMAT, "not a file of ours"); });
  ctorch_error *error = ctorch::unsupported("f", "aten::new_thing", "2.6.0");
  check(ctorch_error_kind_of(error) == CTORCH_ERROR_UNSUPPORTED, "code", CTORCH_ERROR_UNSUPPORTED);
  check(std::strstr(ctorch_error_message(error), "aten::new_thing") != nullptr, "operator", CTORCH_ERROR_UNSUPPORTED);
  check(std::strstr(ctorch_error_message(error), "2.6.0") != nullptr, "version", CTORCH_ERROR_UNSUPPORTED);
  ctorch_error_release(error);
}

/// A callback's error is the outer call's error: the object itself the first time, afterwards a copy.
void of_callbacks() {
  ctorch_error *made = nullptr;
  check(ctorch_error_new(&made, CTORCH_ERROR_INDEX, "from afar") == nullptr, "made", CTORCH_ERROR_INDEX);
  ctorch_error_add_frame(made, "callback.c", 7, "fails");
  std::exception_ptr in_flight;
  try {
    ctorch::run_callback("fn", [&](ctorch_error **error) {
      *error = made;
      return 0;
    });
  } catch (const std::exception &e) {
    check(std::strcmp(e.what(), "from afar") == 0, "what", CTORCH_ERROR_INDEX);
    in_flight = std::current_exception();
  }
  ctorch_error *first = ctorch::guard("f", [&] { std::rethrow_exception(in_flight); });
  ctorch_error *second = ctorch::guard("f", [&] { std::rethrow_exception(in_flight); });
  check(first == made, "identity", CTORCH_ERROR_INDEX);
  check(second != nullptr && second != made, "copy", CTORCH_ERROR_INDEX);
  for (ctorch_error *error : {first, second}) {
    check(ctorch_error_kind_of(error) == CTORCH_ERROR_INDEX, "code", CTORCH_ERROR_INDEX);
    check(std::strcmp(ctorch_error_message(error), "from afar") == 0, "message", CTORCH_ERROR_INDEX);
    check(std::strcmp(ctorch_error_trace(error), "callback.c:7: fails\n") == 0, "trace", CTORCH_ERROR_INDEX);
  }
  check(
      std::strcmp(ctorch_error_backtrace(first), ctorch_error_backtrace(second)) == 0, "backtrace", CTORCH_ERROR_INDEX);
  ctorch_error_release(first);
  ctorch_error_release(second);
  for (ctorch_callback_status status : {0, -1, 2, 1 << 30}) {  // a failure without an error
    ctorch_error *error = ctorch::guard("f", [&] { ctorch::run_callback("fn", [&](auto) { return status; }); });
    check(ctorch_error_kind_of(error) == CTORCH_ERROR_CALLBACK, "code", CTORCH_ERROR_CALLBACK);
    check(
        std::strstr(ctorch_error_message(error), "the callback fn answered") != nullptr, "message",
        CTORCH_ERROR_CALLBACK);
    ctorch_error_release(error);
  }
  ctorch_error *error = ctorch::guard("f", [&] {  // an error that claims success
    ctorch::run_callback("fn", [](ctorch_error **out) {
      return ctorch_error_new(out, CTORCH_ERROR_IO, "lost?") == nullptr ? CTORCH_CALLBACK_OK : 0;
    });
  });
  check(ctorch_error_kind_of(error) == CTORCH_ERROR_IO, "code", CTORCH_ERROR_IO);
  ctorch_error_release(error);
  check(
      ctorch::guard("f", [] { ctorch::run_callback("fn", [](auto) { return CTORCH_CALLBACK_OK; }); }) == nullptr,
      "success", CTORCH_ERROR_CALLBACK);
}

}  // namespace

int main() {
  if (ctorch::guard("f", [] {}) != nullptr) {
    ++failures;
  }
  of_libtorch();
  of_torchscript();
  of_the_standard_library();
  of_anything_else();
  of_ctorch();
  of_callbacks();
  std::printf("%d failed\n", failures);
  return failures == 0 ? 0 : 1;
}
