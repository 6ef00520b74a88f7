// The sparse tensors in what a file holds.
#pragma once

#include <torch/csrc/jit/api/module.h>

namespace ctorch::jit {

/// FORMAT if a sparse tensor of a module has indices that lie outside of it: LibTorch makes it without a look, and
/// kernels believe them. (Constants of methods are never sparse: LibTorch refuses those.)
void check_sparse_contents(const torch::jit::Module &module);

}  // namespace ctorch::jit
