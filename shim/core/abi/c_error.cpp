// Errors made in C.
#include <stdarg.h>
#include <stdio.h>

#include <new>
#include <string>
#include <utility>

#include "core/abi/c_locale.hpp"
#include "core/abi/error.hpp"
#include "core/abi/error_object.hpp"
#include "core/abi/utf8.hpp"
#include "core/c/error.h"

namespace {

using ctorch::ErrorDetails;

/// As UTF-8: a format may cut a text off within a character ("%.256s").
std::string formatted(const char *format, va_list arguments) {
  ctorch::CLocale locale;
  va_list again;
  va_copy(again, arguments);
  int len = vsnprintf(nullptr, 0, format, again);
  va_end(again);
  std::string text(len < 0 ? 0 : static_cast<size_t>(len), '\0');
  if (len > 0) {
    vsnprintf(text.data(), text.size() + 1, format, arguments);
  }
  return ctorch::as_utf8(std::move(text));
}

ctorch_error *made(
    const char *function,
    ctorch_error_kind code,
    const char *format,
    va_list arguments,
    ErrorDetails details = {},
    const char *argument = nullptr) noexcept {
  try {
    std::string message;
    if (argument != nullptr) {
      message.append(argument).append(": ");
    }
    message += formatted(format, arguments);
    return ctorch::make_error(code, std::move(message), function, std::move(details));
  } catch (...) {  // only memory can run out
    return ctorch::out_of_memory();
  }
}

}  // namespace

#define ARGUMENTS_AFTER(last) \
  va_list arguments;          \
  va_start(arguments, last)

ctorch_error *error_make(const char *function, ctorch_error_kind code, const char *format, ...) {
  ARGUMENTS_AFTER(format);
  ctorch_error *error = made(function, code, format, arguments);
  va_end(arguments);
  return error;
}

ctorch_error *error_null(const char *function, const char *argument) {
  return error_make(function, CTORCH_ERROR_NULL_ARGUMENT, "%s must not be NULL", argument);
}

ctorch_error *error_argument(const char *function, const char *argument, const char *format, ...) {
  ARGUMENTS_AFTER(format);
  ctorch_error *error = made(function, CTORCH_ERROR_INVALID_ARGUMENT, format, arguments, {}, argument);
  va_end(arguments);
  return error;
}

ctorch_error *error_shape(
    const char *function,
    const int64_t *expected,
    size_t expected_len,
    const int64_t *got,
    size_t got_len,
    const char *format,
    ...) {
  ErrorDetails details;
  try {
    details.shapes.emplace(
        std::vector<int64_t>(expected, expected + expected_len), std::vector<int64_t>(got, got + got_len));
  } catch (...) {
    return ctorch::out_of_memory();
  }
  ARGUMENTS_AFTER(format);
  ctorch_error *error = made(function, CTORCH_ERROR_SHAPE_MISMATCH, format, arguments, std::move(details));
  va_end(arguments);
  return error;
}

ctorch_error *error_device(
    const char *function, const ctorch_device *expected, const ctorch_device *got, const char *format, ...) {
  ErrorDetails details;
  details.devices.emplace(*expected, *got);
  ARGUMENTS_AFTER(format);
  ctorch_error *error = made(function, CTORCH_ERROR_DEVICE_MISMATCH, format, arguments, std::move(details));
  va_end(arguments);
  return error;
}

ctorch_error *error_dtype(const char *function, ctorch_dtype expected, ctorch_dtype got, const char *format, ...) {
  ErrorDetails details;
  details.dtypes.emplace(expected, got);
  ARGUMENTS_AFTER(format);
  ctorch_error *error = made(function, CTORCH_ERROR_DTYPE_MISMATCH, format, arguments, std::move(details));
  va_end(arguments);
  return error;
}

ctorch_error *error_memory(const char *function, uint64_t requested_bytes) {
  ErrorDetails details;
  details.requested_bytes = requested_bytes;
  try {
    std::string message = "out of memory: " + std::to_string(requested_bytes) + " bytes";
    return ctorch::make_error(CTORCH_ERROR_OUT_OF_MEMORY, std::move(message), function, std::move(details));
  } catch (...) {
    return ctorch::out_of_memory();
  }
}

ctorch_error *error_at(ctorch_error *self, const char *format, ...) {
  if (self == nullptr || self == ctorch::out_of_memory()) {
    return self;
  }
  ARGUMENTS_AFTER(format);
  try {
    self->message.insert(0, formatted(format, arguments) + ": ");
  } catch (...) {  // without the place then
  }
  va_end(arguments);
  return self;
}

ctorch_error *error_of(const char *function, ctorch_error *self) {
  if (self != nullptr && self != ctorch::out_of_memory() && *self->function != '\0') {
    self->function = function;
  }
  return self;
}

bool error_take_place(ctorch_error *self) {
  return self != nullptr && self != ctorch::out_of_memory() && !std::exchange(self->has_place, true);
}

ctorch_error *error_refusal(const char *function) {
  return ctorch::must_prepare(ctorch::VERSION_MISMATCH | ctorch::FORKED) ? ctorch::prepare(function) : nullptr;
}
