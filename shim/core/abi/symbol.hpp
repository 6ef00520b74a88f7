// What code an address belongs to, for people: the name of the function where the file still has it.
#pragma once

#include <string>

namespace ctorch {

/// A place in code.
struct Symbol {
  std::string function;  // as C++ writes it; empty if the file has no name for it
  std::string file;      // without its folder; empty for code of no file
  size_t offset;         // from the start of the function, or of the file, which is what addr2line -e takes
};

/// Of a return address, the call before it. Reads the file, which takes a millisecond and more.
Symbol symbol_of(const void *return_address);

/// "main+0x1c (program)", "program+0x11c9" without a name.
std::string symbol_text(const void *return_address);

/// The exported function that a return address is in, or null. Fast, for it asks only the dynamic linker.
const char *exported_function(const void *return_address, const void **start = nullptr) noexcept;

}  // namespace ctorch
