#include "ctorch/stream.h"

#include <c10/core/impl/VirtualGuardImpl.h>

#include "error.hpp"
#include "from.hpp"
#include "to.hpp"

using namespace ctorch;

namespace {

/// The device with its index filled in, and what speaks to its runtime.
struct Place {
  explicit Place(const ctorch_device *device)
      : device(device == nullptr ? at::Device(at::kCPU) : from::device(device, "device")), runtime(this->device.type()) {
    if (!this->device.has_index()) {
      this->device.set_index(this->device.is_cpu() ? 0 : runtime.getDevice().index());
    }
  }

  at::Device device;
  c10::impl::VirtualGuardImpl runtime;
};

ctorch_stream plain(const c10::Stream &stream) {
  c10::StreamData3 data = stream.pack3();
  return {data.stream_id, static_cast<int32_t>(data.device_type), static_cast<int32_t>(data.device_index)};
}

}  // namespace

ctorch_error *ctorch_stream_default(ctorch_stream *out, const ctorch_device *device) {
  return guard(__func__, [&] {
    to::require(out, "out");
    Place place(device);
    *out = plain(place.runtime.getDefaultStream(place.device));
  });
}

ctorch_error *ctorch_stream_current(ctorch_stream *out, const ctorch_device *device) {
  return guard(__func__, [&] {
    to::require(out, "out");
    Place place(device);
    *out = plain(place.runtime.getStream(place.device));
  });
}

ctorch_error *ctorch_stream_synchronize(const ctorch_stream *self) {
  return guard(__func__, [&] { from::stream(self, "self").synchronize(); });
}

ctorch_error *ctorch_stream_query(bool *out, const ctorch_stream *self) {
  return guard(__func__, [&] {
    to::require(out, "out");
    *out = from::stream(self, "self").query();
  });
}
