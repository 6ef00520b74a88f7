// Defaults of schemas that were read while the decimal sign was a comma.
//
// LibTorch registers its operators when it is loaded, and reads "0.01" with std::stod. In a process that called
// setlocale() before, that is 0: the fraction is lost, and nothing in the dispatcher tells. Whoever calls by name and
// relies on a default would compute with another number, without a word. Python's torch has the same fault.
#pragma once

#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/core/function_schema.h>

#include <vector>

namespace ctorch {

/// An operator's schema as it was written.
struct TrueSchema {
  c10::FunctionSchema schema;
  /// Per argument: the default may have lost its fraction, and nothing tells what it was.
  std::vector<bool> is_doubtful;
};

/// `had_decimal_comma`: when the operator was registered.
TrueSchema true_schema(const c10::OperatorHandle &op, bool had_decimal_comma);

/// Whether LibTorch's own operators were registered with a decimal comma.
bool torch_had_decimal_comma();

}  // namespace ctorch
