// Arguments of functions written in C, checked as those of operators are.
#include "core/abi/error.hpp"
#include "core/abi/from.hpp"
#include "core/c/error.h"

using namespace ctorch;

ctorch_error *error_unless_dtype(const char *function, const char *argument, const ctorch_dtype *value) {
  return guard(function, [&] { static_cast<void>(from::optional_dtype(value, argument)); });
}

ctorch_error *error_unless_layout(const char *function, const char *argument, const ctorch_layout *value) {
  return guard(function, [&] { static_cast<void>(from::optional_layout(value, argument)); });
}

ctorch_error *error_unless_device(const char *function, const char *argument, const ctorch_device *value) {
  return guard(function, [&] { static_cast<void>(from::optional_device(value, argument)); });
}

ctorch_error *error_unless_scalar(const char *function, const char *argument, const ctorch_scalar *value) {
  return guard(function, [&] { static_cast<void>(from::optional_scalar(value, argument)); });
}

ctorch_error *error_unless_text(const char *function, const char *argument, const char *value) {
  return guard(function, [&] { static_cast<void>(from::optional_string(value, argument)); });
}

ctorch_error *error_unless_list(const char *function, const char *argument, const void *list, size_t len) {
  return guard(function, [&] { from::check_list(list, len, argument); });
}
