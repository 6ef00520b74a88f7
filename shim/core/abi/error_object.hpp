// The object behind ctorch_error *: what it carries and how it is made and given back.
#pragma once

#include <exception>
#include <memory>
#include <mutex>
#include <string>

#include "abi/error_details.hpp"
#include "ctorch/error.h"

struct ctorch_error {
  ctorch_error_kind kind;
  std::string message;
  const char *function;  // static text
  ctorch::ErrorDetails details;
  std::exception_ptr exception;  // kept for its backtrace, which is rendered on demand
  std::once_flag rendered;
  std::string backtrace;
};

namespace ctorch {

/// A new error with one owner, in the book of leaks. `exception` is what it was made of.
ctorch_error *make_error(
    ctorch_error_kind code,
    std::string message,
    const char *function,
    ErrorDetails details = {},
    std::exception_ptr exception = nullptr);

/// What an error becomes when there is no memory to make one: a static object, which may be released like any other.
ctorch_error *out_of_memory() noexcept;

/// Give an error back; NULL is allowed.
void release_error(ctorch_error *self) noexcept;

/// "SHAPE_MISMATCH"; NULL for a number that is none.
const char *kind_name(ctorch_error_kind kind) noexcept;

}  // namespace ctorch
