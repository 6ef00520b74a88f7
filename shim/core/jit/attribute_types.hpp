// The types of what a file holds.
#pragma once

#include <torch/csrc/jit/api/module.h>

namespace ctorch::jit {

/// FORMAT if an attribute of a module, or of an object in it, is not of the type that its class declares, where
/// LibTorch takes that for granted: an object of another class has its attributes in other places, and a tuple of
/// another length takes another number of them from the interpreter's stack.
void check_attribute_types(const torch::jit::Module &module);

}  // namespace ctorch::jit
