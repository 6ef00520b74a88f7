// Exceptions of Python, in a process that has a Python: hooks and custom functions of its own may fail too.
#pragma once

#include <exception>

namespace ctorch {

/// If this is what LibTorch makes of an exception in Python, take it off the Python interpreter, where the autograd
/// engine has put it for Python to find, and throw it as an error of ours. Otherwise return.
void throw_if_pythons(const std::exception &exception);

}  // namespace ctorch
