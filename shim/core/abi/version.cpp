// The check that ctorch runs on the LibTorch it was compiled for.
#include "core/abi/version.hpp"

#include <ATen/Version.h>
#include <stdio.h>

#include <string>

#include "core/abi/error.hpp"
#include "core/torch/fail.hpp"
#include "core/torch/version.hpp"

// Older versions of LibTorch do not have it.
extern "C" uint64_t aoti_torch_abi_version() __attribute__((weak));

namespace ctorch {

namespace {

struct Loaded {
  Loaded() {
    if (aoti_torch_abi_version != nullptr) {  // one byte each for major, minor and patch, from the top
      uint64_t version = aoti_torch_abi_version();
      major = version >> 56 & 0xFF;
      minor = version >> 48 & 0xFF;
      patch = version >> 40 & 0xFF;
    } else {
      std::string config = at::show_config();
      size_t at = config.find("TORCH_VERSION=");
      if (at == std::string::npos ||
          sscanf(config.c_str() + at, "TORCH_VERSION=%d.%d.%d", &major, &minor, &patch) != 3) {
        major = TORCH_VERSION_MAJOR, minor = TORCH_VERSION_MINOR, patch = TORCH_VERSION_PATCH;
      }
    }
    text = std::to_string(major) + "." + std::to_string(minor) + "." + std::to_string(patch);
  }

  int major = 0, minor = 0, patch = 0;
  std::string text;
};

const Loaded &loaded() {
  static const Loaded version;
  return version;
}

[[maybe_unused]] const bool compared = [] {
  if (loaded().major != TORCH_VERSION_MAJOR || loaded().minor != TORCH_VERSION_MINOR) {
    __atomic_fetch_or(&precautions, VERSION_MISMATCH, __ATOMIC_RELAXED);
  }
  return true;
}();

}  // namespace

const char *loaded_torch_version() { return loaded().text.c_str(); }

ctorch_error *refuse_version(const char *function) noexcept {
  return error_of(function, [&] {
    fail(
        CTORCH_ERROR_UNSUPPORTED, "this ctorch was compiled for LibTorch " TORCH_VERSION_COMPILED ", but LibTorch " +
                                      loaded().text +
                                      " is loaded; build ctorch against that one, or load " TORCH_VERSION_COMPILED);
  });
}

void libtorch::fail_older(const std::string &what, const char *since) {
  fail(
      CTORCH_ERROR_UNSUPPORTED,
      what + " came with LibTorch " + since + "; this ctorch is for LibTorch " TORCH_VERSION_COMPILED);
}

}  // namespace ctorch
