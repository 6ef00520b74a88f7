// The object behind ctorch_error *: what it carries and how it is made and given back.
#pragma once

#include <deque>
#include <exception>
#include <memory>
#include <mutex>
#include <string>

#include "core/abi/error_details.hpp"
#include "core/abi/stack.hpp"
#include "ctorch/abi/error.h"

namespace ctorch {

/// The calls that an error came up through. Of very many the first and the last are kept: recursion without end is an
/// error too.
class Trace {
 public:
  void add(const char *file, int32_t line, const char *function);
  /// A line for each, the innermost first.
  const char *text() const { return text_.c_str(); }

 private:
  std::string text_;
  size_t first_ = 0;  // frames in the front of the text, and the bytes of it
  size_t first_len_ = 0;
  std::deque<std::string> last_;
  size_t left_out_ = 0;
};

}  // namespace ctorch

struct ctorch_error {
  ctorch_error_kind kind;
  std::string message;
  const char *function;  // static text
  ctorch::ErrorDetails details;
  std::exception_ptr exception;  // kept for its backtrace, which is rendered on demand
  std::once_flag rendered;
  std::string backtrace;
  ctorch::Stack stack;  // of an error without an exception: where it was made
  ctorch::Trace trace;
  bool has_place = false;  // its message says where it arose
};

namespace ctorch {

/// A new error with one owner, in the book of leaks. `exception` is what it was made of.
ctorch_error *make_error(
    ctorch_error_kind code,
    std::string message,
    const char *function,
    ErrorDetails details = {},
    std::exception_ptr exception = nullptr);

/// How many errors this thread has met so far: made, or got from a callback.
uint64_t failures_of_this_thread() noexcept;
void count_failure() noexcept;

/// What an error becomes when there is no memory to make one: a static object, which may be released like any other.
ctorch_error *out_of_memory() noexcept;

/// Give an error back; NULL is allowed.
void release_error(ctorch_error *self) noexcept;

/// "SHAPE_MISMATCH"; NULL for a number that is none.
const char *kind_name(ctorch_error_kind kind) noexcept;

}  // namespace ctorch
