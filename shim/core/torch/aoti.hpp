// LibTorch's runner of models that AOTInductor compiled: most of what it can do came after LibTorch 2.6.
#pragma once

#include <ATen/core/Tensor.h>
#include <torch/csrc/inductor/aoti_runner/model_container_runner.h>

#include <memory>
#include <string>
#include <type_traits>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/torch/fail.hpp"

namespace ctorch::libtorch {

using AotiRunner = torch::inductor::AOTIModelContainerRunner;
using AotiConstants = torch::inductor::TensorConstantMap;

/// What a runner keeps to itself: for the functions of the compiled library that it does not pass on.
struct AotiRunnerInside : AotiRunner {
  static AOTInductorModelContainerHandle container(const AotiRunner &runner) {
    return runner.*&AotiRunnerInside::container_handle_;
  }
};

// Each function is a template, so that what this LibTorch lacks is not compiled.

template <class Create>
std::shared_ptr<AotiRunner> new_aoti_runner(
    Create create,
    const std::string &library,
    size_t num_runners,
    const std::string &device,
    const std::string &folder,
    bool single_threaded) {
  using Text = const std::string &;
  if constexpr (std::is_invocable_v<Create, Text, size_t, Text, Text, bool>) {
    return create(library, num_runners, device, folder, single_threaded);
  } else {
    if (single_threaded) {
      fail_older("running a package single threaded", "2.7");
    }
    return create(library, num_runners, device, folder);
  }
}

template <class Runner, class = void>
struct CanExtract : std::false_type {};
template <class Runner>
struct CanExtract<Runner, std::void_t<decltype(std::declval<Runner &>().extract_constants_map(false))>>
    : std::true_type {};

template <class Runner>
std::unordered_map<std::string, at::Tensor> aoti_constants(Runner &runner, bool is_inactive) {
  if constexpr (CanExtract<Runner>::value) {
    return runner.extract_constants_map(is_inactive);
  } else {
    fail_older("reading the constants of a package", "2.7");
  }
}

template <class Runner, class = void>
struct CanManage : std::false_type {};
template <class Runner>
struct CanManage<
    Runner,
    std::void_t<decltype(std::declval<Runner &>().update_constant_buffer(
        std::declval<const AotiConstants &>(), false, false, true))>> : std::true_type {};

template <class Runner>
void update_aoti_constants(
    Runner &runner, const AotiConstants &constants, bool is_inactive, bool is_full, bool is_user_managed) {
  if constexpr (CanManage<Runner>::value) {
    runner.update_constant_buffer(constants, is_inactive, is_full, is_user_managed);
  } else {
    if (is_user_managed) {
      fail_older("sharing the constants of a package", "2.8");
    }
    runner.update_constant_buffer(constants, is_inactive, is_full);
  }
}

template <class Runner, class = void>
struct CanFreeInactive : std::false_type {};
template <class Runner>
struct CanFreeInactive<Runner, std::void_t<decltype(std::declval<Runner &>().free_inactive_constant_buffer())>>
    : std::true_type {};

template <class Runner>
void free_inactive_aoti_constants(Runner &runner) {
  if constexpr (CanFreeInactive<Runner>::value) {
    runner.free_inactive_constant_buffer();
  } else {
    fail_older("freeing the inactive constants of a package", "2.8");
  }
}

template <class Runner, class = void>
struct CanReadBlob : std::false_type {};
template <class Runner>
struct CanReadBlob<
    Runner,
    std::void_t<decltype(std::declval<Runner &>().update_constant_buffer_from_blob(std::declval<std::string>()))>>
    : std::true_type {};

template <class Runner>
void read_aoti_blob(Runner &runner, const std::string &path) {
  if constexpr (CanReadBlob<Runner>::value) {
    runner.update_constant_buffer_from_blob(path);
  } else {
    fail_older("a package whose weights lie in a file of their own", "2.9");
  }
}

}  // namespace ctorch::libtorch
