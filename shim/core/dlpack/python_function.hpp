// Functions of Python's C API, found by name: libctorch is not linked with Python.
#pragma once

#include <dlfcn.h>

namespace ctorch::dlpack {

/// nullptr in a process without Python.
template <class Function>
Function *python_function(const char *name) {
  return reinterpret_cast<Function *>(dlsym(RTLD_DEFAULT, name));
}

}  // namespace ctorch::dlpack
