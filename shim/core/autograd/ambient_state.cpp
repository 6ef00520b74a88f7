// Taking and restoring random states and autocast.
#include "core/autograd/ambient_state.hpp"

#include <ATen/CPUGeneratorImpl.h>
#include <ATen/Context.h>

#include <algorithm>
#include <mutex>

#include "core/abi/autocast_devices.hpp"
#include "core/torch/accelerator.hpp"
#include "core/torch/autocast.hpp"

namespace ctorch {

RandomState::RandomState(const std::vector<at::Tensor> &tensors) {
  add(at::detail::getDefaultCPUGenerator());
  for (const at::Tensor &tensor : tensors) {
    if (tensor.defined() && libtorch::is_accelerator(tensor.device().type())) {
      add(at::globalContext().defaultGenerator(tensor.device()));
    }
  }
}

RandomState::RandomState(const RandomState &other, Now) {
  for (const auto &state : other.states_) {
    add(state.first);
  }
}

void RandomState::add(at::Generator generator) {
  auto same = [&](const auto &state) { return state.first == generator; };
  if (std::none_of(states_.begin(), states_.end(), same)) {
    std::lock_guard<std::mutex> lock(generator.mutex());
    at::Tensor state = generator.get_state();
    states_.emplace_back(std::move(generator), std::move(state));
  }
}

void RandomState::restore() const {
  for (const auto &[generator, state] : states_) {
    at::Generator mutable_generator = generator;
    std::lock_guard<std::mutex> lock(mutable_generator.mutex());
    mutable_generator.set_state(state);
  }
}

RandomStateScope::~RandomStateScope() {
  try {
    outside_.restore();
  } catch (...) {  // a device that fails has no random numbers either
  }
}

AutocastState::AutocastState() : cache_enabled_(at::autocast::is_autocast_cache_enabled()) {
  for (at::DeviceType type : autocast_devices()) {
    devices_.push_back({type, at::autocast::is_autocast_enabled(type), at::autocast::get_autocast_dtype(type)});
  }
}

void AutocastState::restore() const {
  for (const OfDevice &device : devices_) {
    at::autocast::set_autocast_enabled(device.type, device.enabled);
    at::autocast::set_autocast_dtype(device.type, device.dtype);
  }
  at::autocast::set_autocast_cache_enabled(cache_enabled_);
}

AutocastScope::AutocastScope(const AutocastState &inside) {
  at::autocast::increment_nesting();
  inside.restore();
}

AutocastScope::~AutocastScope() {
  outside_.restore();
  if (at::autocast::decrement_nesting() == 0) {
    at::autocast::clear_cache();
  }
}

}  // namespace ctorch
