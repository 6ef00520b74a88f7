// random.h: seeds, generators and forks of their states.
#include "ctorch/settings/random.h"

#include <ATen/CPUGeneratorImpl.h>
#include <ATen/Context.h>
#include <ATen/core/MT19937RNGEngine.h>

#include <cstring>
#include <exception>
#include <mutex>
#include <utility>
#include <vector>

#include "core/abi/capture.hpp"
#include "core/abi/error.hpp"
#include "core/abi/from.hpp"
#include "core/abi/thread.hpp"
#include "core/abi/to.hpp"
#include "core/c/generator.h"

using namespace ctorch;

namespace {

constexpr const char *GENERATOR_IS_SET = "the state of a generator is set";

at::Device device_or_cpu(const ctorch_device *device) {
  return device == nullptr ? at::Device(at::kCPU) : from::device(device, "device");
}

void give(const at::Generator &generator, ctorch_generator **out) {
  auto owned = generator.getIntrusivePtr();
  to::give(std::move(owned), out);
}

at::Generator default_generator(const ctorch_device *device) {
  return at::globalContext().defaultGenerator(device_or_cpu(device));
}

/// LibTorch checks each number of a CPU generator's state, but not the two together: with `next` and `left` both large
/// the generator would read past its 624 words.
void check_cpu_state(const at::Tensor &state) {
  struct {
    uint64_t seed;
    int32_t left, seeded;
    uint64_t next;
  } start;  // the first members of CPUGeneratorImplStateLegacy
  if (!state.device().is_cpu() || state.layout() != at::kStrided || state.scalar_type() != at::kByte ||
      state.numel() < static_cast<int64_t>(sizeof start) || !state.is_contiguous()) {
    return;  // which LibTorch refuses itself
  }
  const void *bytes = state.const_data_ptr();
  if (bytes == nullptr) {  // as a tensor of zeros that was never filled
    fail_argument("state", "has no memory");
  }
  std::memcpy(&start, bytes, sizeof start);
  constexpr uint64_t words = at::MERSENNE_STATE_N;
  if (start.left > 0 && start.next <= words && start.next + start.left > words + 1) {
    fail_argument("state", "not a state of a generator: it is past its end");
  }
}

/// Default generators and what they were in at a fork.
using Fork = std::vector<std::pair<at::Generator, at::Tensor>>;
struct Forks final : PerThread {
  std::vector<Fork> forks;
};

void remember(Fork &fork, at::Generator generator) {
  std::lock_guard lock(generator.mutex());
  fork.emplace_back(generator, generator.get_state());
}

std::vector<at::Device> devices_of_the_accelerator() {
  std::vector<at::Device> devices;
  if (auto type = at::getAccelerator()) {
    int count = at::globalContext().getAcceleratorHooksInterface(type).deviceCount();
    for (int i = 0; i < count; i++) {
      devices.emplace_back(*type, static_cast<at::DeviceIndex>(i));
    }
  }
  return devices;
}

}  // namespace

ctorch_error *ctorch_random_manual_seed(uint64_t seed) {
  refuse_in_capture(GENERATOR_IS_SET);
  return guard(__func__, [&] { at::manual_seed(seed); });
}

ctorch_error *ctorch_random_seed(uint64_t *out) {
  refuse_in_capture(GENERATOR_IS_SET);
  return guard(__func__, [&] {
    to::require(out, "out");
    uint64_t seed = c10::detail::getNonDeterministicRandom();
    at::manual_seed(seed);
    *out = seed;
  });
}

ctorch_error *ctorch_random_initial_seed(uint64_t *out, const ctorch_device *device) {
  return guard(__func__, [&] {
    to::require(out, "out");
    at::Generator generator = default_generator(device);
    std::lock_guard lock(generator.mutex());
    *out = generator.current_seed();
  });
}

ctorch_error *ctorch_random_fork(const ctorch_device *devices, size_t devices_len) {
  refuse_in_capture(GENERATOR_IS_SET);
  return guard(__func__, [&] {
    from::check_list(devices, devices_len, "devices");
    Fork fork;
    remember(fork, default_generator(nullptr));
    for (size_t i = 0; i < devices_len; i++) {
      at::Device device = from::device(&devices[i], ("devices[" + std::to_string(i) + "]").c_str());
      if (!device.is_cpu()) {
        remember(fork, at::globalContext().defaultGenerator(device));
      }
    }
    if (devices == nullptr) {
      for (at::Device device : devices_of_the_accelerator()) {
        remember(fork, at::globalContext().defaultGenerator(device));
      }
    }
    per_thread<Forks>().forks.push_back(std::move(fork));
  });
}

ctorch_error *ctorch_random_join(void) {
  refuse_in_capture(GENERATOR_IS_SET);
  return guard(__func__, [&] {
    auto &forks = per_thread<Forks>().forks;
    if (forks.empty()) {
      fail(CTORCH_ERROR_RUNTIME, "nothing was forked on this thread");
    }
    Fork fork = std::move(forks.back());
    forks.pop_back();
    std::exception_ptr failure;
    for (auto &[generator, state] : fork) {
      try {
        std::lock_guard lock(generator.mutex());
        generator.set_state(state);
      } catch (...) {  // the others are put back all the same
        failure = failure == nullptr ? std::current_exception() : failure;
      }
    }
    if (failure != nullptr) {
      std::rethrow_exception(failure);
    }
  });
}

ctorch_error *ctorch_generator_new(ctorch_generator **out, const ctorch_device *device) {
  return guard(__func__, [&] {
    to::require(out, "out");
    at::Device where = device_or_cpu(device);
    if (where.is_cpu()) {
      give(at::detail::createCPUGenerator(), out);
    } else {
      give(at::globalContext().getAcceleratorHooksInterface(where.type()).getNewGenerator(where.index()), out);
    }
  });
}

ctorch_error *ctorch_generator_default(ctorch_generator **out, const ctorch_device *device) {
  return guard(__func__, [&] {
    to::require(out, "out");
    give(default_generator(device), out);
  });
}

void ctorch_generator_retain(const ctorch_generator *self) {
  if (self != nullptr) {
    retain(impl(self), Kind::Generator);
  }
}

void ctorch_generator_release(ctorch_generator *self) {
  if (self != nullptr && take_back({self, Kind::Generator})) {
    release({self, Kind::Generator});
  }
}

ctorch_generator *generator_ref(const ctorch_generator *self) {
  if (self != nullptr) {
    c10::raw::intrusive_ptr::incref(impl(self));
  }
  return const_cast<ctorch_generator *>(self);
}

void generator_unref(ctorch_generator *self) {
  if (self != nullptr) {
    c10::raw::intrusive_ptr::decref(impl(self));
  }
}

ctorch_generator *generator_take(ctorch_generator *self) {
  if (self != nullptr) {
    (void)take_back({self, Kind::Generator});
  }
  return self;
}

ctorch_error *ctorch_generator_manual_seed(ctorch_generator *self, uint64_t seed) {
  refuse_in_capture(GENERATOR_IS_SET);
  return guard(__func__, [&] {
    at::Generator generator = from::generator(self, "self");
    std::lock_guard lock(generator.mutex());
    generator.set_current_seed(seed);
  });
}

ctorch_error *ctorch_generator_initial_seed(uint64_t *out, const ctorch_generator *self) {
  return guard(__func__, [&] {
    to::require(out, "out");
    at::Generator generator = from::generator(self, "self");
    std::lock_guard lock(generator.mutex());
    *out = generator.current_seed();
  });
}

ctorch_error *ctorch_generator_seed(uint64_t *out, ctorch_generator *self) {
  refuse_in_capture(GENERATOR_IS_SET);
  return guard(__func__, [&] {
    to::require(out, "out");
    at::Generator generator = from::generator(self, "self");
    std::lock_guard lock(generator.mutex());
    *out = generator.seed();
  });
}

ctorch_error *ctorch_generator_get_state(ctorch_tensor **out, const ctorch_generator *self) {
  return guard(__func__, [&] {
    to::require(out, "out");
    at::Generator generator = from::generator(self, "self");
    std::lock_guard lock(generator.mutex());
    to::give(generator.get_state(), out);
  });
}

ctorch_error *ctorch_generator_set_state(ctorch_generator *self, const ctorch_tensor *state) {
  refuse_in_capture(GENERATOR_IS_SET);
  return guard(__func__, [&] {
    at::Generator generator = from::generator(self, "self");
    const at::Tensor &tensor = from::tensor(state, "state");
    if (generator.device().is_cpu()) {
      check_cpu_state(tensor);
    }
    std::lock_guard lock(generator.mutex());
    generator.set_state(tensor);
  });
}

ctorch_error *ctorch_generator_get_offset(uint64_t *out, const ctorch_generator *self) {
  return guard(__func__, [&] {
    to::require(out, "out");
    at::Generator generator = from::generator(self, "self");
    std::lock_guard lock(generator.mutex());
    *out = generator.get_offset();
  });
}

ctorch_error *ctorch_generator_set_offset(ctorch_generator *self, uint64_t offset) {
  refuse_in_capture(GENERATOR_IS_SET);
  return guard(__func__, [&] {
    at::Generator generator = from::generator(self, "self");
    std::lock_guard lock(generator.mutex());
    generator.set_offset(offset);
  });
}

ctorch_error *ctorch_generator_clone(ctorch_generator **out, const ctorch_generator *self) {
  return guard(__func__, [&] {
    to::require(out, "out");
    at::Generator generator = from::generator(self, "self");
    std::lock_guard lock(generator.mutex());
    give(generator.clone(), out);
  });
}

ctorch_error *ctorch_generator_get_graphsafe_state(ctorch_generator **out, const ctorch_generator *self) {
  return guard(__func__, [&] {
    to::require(out, "out");
    at::Generator generator = from::generator(self, "self");
    std::lock_guard lock(generator.mutex());
    give(generator.graphsafe_get_state(), out);
  });
}

ctorch_error *ctorch_generator_set_graphsafe_state(ctorch_generator *self, const ctorch_generator *state) {
  refuse_in_capture(GENERATOR_IS_SET);
  return guard(__func__, [&] {
    at::Generator generator = from::generator(self, "self"), other = from::generator(state, "state");
    std::lock_guard lock(generator.mutex());
    generator.graphsafe_set_state(other);
  });
}

ctorch_error *ctorch_generator_device(ctorch_device *out, const ctorch_generator *self) {
  return guard(__func__, [&] {
    to::require(out, "out");
    *out = to::device(from::generator(self, "self").device());
  });
}
