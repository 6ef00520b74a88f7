// What PyTorch says in a message, as data: the shapes, devices, dtypes and byte counts that did not fit.
#pragma once

#include <stdint.h>

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "ctorch/abi/error.h"

namespace ctorch {

struct ErrorDetails {
  std::optional<std::pair<std::vector<int64_t>, std::vector<int64_t>>> shapes = {};  // expected, got
  std::optional<std::pair<ctorch_device, ctorch_device>> devices = {};               // expected, got
  std::optional<std::pair<ctorch_dtype, ctorch_dtype>> dtypes = {};                  // expected, got
  std::optional<uint64_t> requested_bytes = {};
  std::optional<uint64_t> available_bytes = {};
};

/// Recognise PyTorch's wording. Fills `details` and returns the refined code (SHAPE_MISMATCH, DEVICE_MISMATCH,
/// DTYPE_MISMATCH, OUT_OF_MEMORY), or returns `code` unchanged. Costs about a microsecond.
ctorch_error_kind refine(ctorch_error_kind code, std::string_view message, ErrorDetails &details);

/// "Could not run … from the 'CUDA' backend" and the list of all backends there are, said of a device that the LibTorch
/// at hand was built without: what Python says of it instead, in one line. Nothing for other messages.
std::optional<std::string> absent_device(std::string_view message);

}  // namespace ctorch
