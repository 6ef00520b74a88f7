// What a computation finds around it and a second run must find again: random number generators and autocast.
#pragma once

#include <ATen/core/Generator.h>
#include <ATen/core/Tensor.h>

#include <utility>
#include <vector>

namespace ctorch {

/// The default generators of the CPU and of the devices of some tensors, with the state they are in.
class RandomState {
 public:
  explicit RandomState(const std::vector<at::Tensor> &tensors);
  RandomState(const RandomState &) = delete;
  RandomState &operator=(const RandomState &) = delete;

  /// The same generators, with the state they are in now.
  RandomState now() const { return RandomState(*this, Now{}); }
  void restore() const;

 private:
  struct Now {};
  RandomState(const RandomState &other, Now);
  void add(at::Generator generator);

  std::vector<std::pair<at::Generator, at::Tensor>> states_;
};

/// Generators as they were, for the rest of a block.
class RandomStateScope {
 public:
  explicit RandomStateScope(const RandomState &inside) : outside_(inside.now()) { inside.restore(); }
  RandomStateScope(const RandomStateScope &) = delete;
  RandomStateScope &operator=(const RandomStateScope &) = delete;
  ~RandomStateScope();

 private:
  const RandomState outside_;
};

/// Autocast of this thread, for every type of device.
class AutocastState {
 public:
  AutocastState();
  void restore() const;

 private:
  struct OfDevice {
    at::DeviceType type;
    bool enabled;
    at::ScalarType dtype;
  };
  std::vector<OfDevice> devices_;
  bool cache_enabled_;
};

/// Autocast as it was, for the rest of a block.
class AutocastScope {
 public:
  explicit AutocastScope(const AutocastState &inside);
  AutocastScope(const AutocastScope &) = delete;
  AutocastScope &operator=(const AutocastScope &) = delete;
  ~AutocastScope();

 private:
  const AutocastState outside_;
};

}  // namespace ctorch
