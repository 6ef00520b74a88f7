// Operators of somebody else's library, which LibTorch reads in the locale of the moment it is loaded in.
#include <torch/library.h>

#include <locale>

TORCH_LIBRARY(doubt, m) {
  m.def(
      "f(Tensor x, float half=0.5, float tiny=1e-05, int count=2) -> ()",
      [](const at::Tensor &, double, double, int64_t) {});
}

namespace {
struct German : std::numpunct<char> {
  char do_decimal_point() const override { return ','; }
  char do_thousands_sep() const override { return '.'; }
  std::string do_grouping() const override { return "\3"; }
};
}  // namespace

/// What a C++ program does with std::locale::global(std::locale("de_DE.UTF-8")), without need of that locale.
extern "C" void group_digits() { std::locale::global(std::locale(std::locale::classic(), new German)); }
