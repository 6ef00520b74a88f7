#include "ctorch/random.h"

#include <ATen/CPUGeneratorImpl.h>
#include <ATen/Context.h>

#include <mutex>

#include "error.hpp"
#include "from.hpp"
#include "to.hpp"

using namespace ctorch;

namespace {

at::Device device_or_cpu(const ctorch_device *device) {
  return device == nullptr ? at::Device(at::kCPU) : from::device(device, "device");
}

void give(const at::Generator &generator, ctorch_generator **out) {
  auto owned = generator.getIntrusivePtr();
  to::give(std::move(owned), out);
}

}  // namespace

ctorch_error *ctorch_manual_seed(uint64_t seed) {
  return guard(__func__, [&] { at::manual_seed(seed); });
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
    give(at::globalContext().defaultGenerator(device_or_cpu(device)), out);
  });
}

void ctorch_generator_retain(const ctorch_generator *self) {
  if (self != nullptr) {
    retain(impl(self), Kind::Generator);
  }
}

void ctorch_generator_release(ctorch_generator *self) {
  if (self != nullptr) {
    take_back({self, Kind::Generator});
    release({self, Kind::Generator});
  }
}

ctorch_error *ctorch_generator_manual_seed(ctorch_generator *self, uint64_t seed) {
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
