// print.h: texts of tensors and the options for them.
#include "ctorch/tensor/print.h"

#include <errno.h>
#include <stdio.h>
#include <unistd.h>

#include <mutex>
#include <string>
#include <string_view>
#include <system_error>

#include "core/abi/error.hpp"
#include "core/abi/excerpt.hpp"
#include "core/abi/fork.hpp"
#include "core/abi/from.hpp"
#include "core/abi/to.hpp"
#include "core/tensor/repr.hpp"

using namespace ctorch;

namespace {

Mutex &options_mutex = *new Mutex(LockOrder::PrintOptions);
PrintOptions options_of_the_process;

PrintOptions current_options() {
  std::lock_guard lock(options_mutex);
  return options_of_the_process;
}

void set(int64_t &option, const int64_t *value, int64_t least, int64_t most, const char *name) {
  if (value == nullptr) {
    return;
  }
  if (*value < least || *value > most) {
    fail_argument(
        name, std::to_string(*value) + " is not between " + std::to_string(least) + " and " + std::to_string(most));
  }
  option = *value;
}

void set_numbers(
    PrintOptions &options,
    const int64_t *threshold,
    const int64_t *edge_items,
    const int64_t *precision,
    const int64_t *line_width) {
  set(options.threshold, threshold, 0, INT64_MAX, "threshold");
  set(options.edge_items, edge_items, 1, INT64_MAX, "edge_items");
  set(options.precision, precision, 0, 64, "precision");
  set(options.line_width, line_width, 1, INT64_MAX, "line_width");
}

PrintOptions options_of(std::string_view profile) {
  PrintOptions options;
  if (profile == "short") {
    options.precision = 2;
    options.edge_items = 2;
  } else if (profile == "full") {
    options.threshold = INT64_MAX;
  } else if (profile != "default") {
    fail_argument("profile", "unknown profile \"" + excerpt(profile) + "\"");
  }
  return options;
}

std::string text_of(const ctorch_tensor *self, const PrintOptions &options) {
  return self == nullptr ? "None" : tensor_repr(from::tensor(self, "self"), options);
}

[[noreturn]] void fail_writing() { fail(CTORCH_ERROR_IO, "cannot write: " + std::generic_category().message(errno)); }

void write_all(int file_descriptor, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = write(file_descriptor, text.data(), text.size());
    if (written >= 0) {
      text.remove_prefix(static_cast<size_t>(written));
    } else if (errno != EINTR) {
      fail_writing();
    }
  }
}

template <class T>
void give(T value, T *out) {
  if (out != nullptr) {
    *out = value;
  }
}

}  // namespace

ctorch_error *ctorch_tensor_repr(
    ctorch_string **out,
    const ctorch_tensor *self,
    const int64_t *threshold,
    const int64_t *edge_items,
    const int64_t *precision,
    const int64_t *line_width,
    const bool *sci_mode) {
  return guard(__func__, [&] {
    to::require(out, "out");
    PrintOptions options = current_options();
    set_numbers(options, threshold, edge_items, precision, line_width);
    if (sci_mode != nullptr) {
      options.sci_mode = *sci_mode;
    }
    to::give(text_of(self, options), out);
  });
}

ctorch_error *ctorch_tensor_print(const ctorch_tensor *self, const int32_t *file_descriptor) {
  return guard(__func__, [&] {
    const std::string text = text_of(self, current_options()) + "\n";
    if (file_descriptor != nullptr) {
      write_all(*file_descriptor, text);
    } else if (fwrite(text.data(), 1, text.size(), stdout) != text.size() || fflush(stdout) != 0) {
      fail_writing();
    }
  });
}

ctorch_error *ctorch_print_set_options(
    const char *profile,
    const int64_t *threshold,
    const int64_t *edge_items,
    const int64_t *precision,
    const int64_t *line_width,
    const bool *sci_mode) {
  return guard(__func__, [&] {
    PrintOptions options = profile == nullptr ? current_options() : options_of(from::string(profile, "profile"));
    set_numbers(options, threshold, edge_items, precision, line_width);
    options.sci_mode = from::optional(sci_mode);
    std::lock_guard lock(options_mutex);
    options_of_the_process = options;
  });
}

void ctorch_print_options(
    int64_t *out_threshold,
    int64_t *out_edge_items,
    int64_t *out_precision,
    int64_t *out_line_width,
    int32_t *out_sci_mode) {
  const PrintOptions options = current_options();
  give(options.threshold, out_threshold);
  give(options.edge_items, out_edge_items);
  give(options.precision, out_precision);
  give(options.line_width, out_line_width);
  give(options.sci_mode ? int32_t{*options.sci_mode} : -1, out_sci_mode);
}
