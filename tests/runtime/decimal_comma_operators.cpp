// Operators of somebody else's library, which LibTorch reads in the locale of the moment it is loaded in.
#include <torch/library.h>

TORCH_LIBRARY(doubt, m) {
  m.def(
      "f(Tensor x, float half=0.5, float tiny=1e-05, int count=2) -> ()",
      [](const at::Tensor &, double, double, int64_t) {});
}
