#include "ctorch/stream.h"

#include <c10/core/impl/VirtualGuardImpl.h>

#include "error.hpp"
#include "from.hpp"
#include "to.hpp"

using namespace ctorch;

namespace {

ctorch_stream plain(const c10::Stream &stream) {
  c10::StreamData3 data = stream.pack3();
  return {data.stream_id, static_cast<int32_t>(data.device_type), static_cast<int32_t>(data.device_index)};
}

/// Ask the device's runtime. The CPU has none, and one stream.
template <class Ask>
ctorch_stream stream_of(const ctorch_device *device, Ask &&ask) {
  at::Device where = device == nullptr ? at::Device(at::kCPU) : from::device(device, "device");
  if (where.is_cpu()) {
    return plain(c10::Stream(c10::Stream::DEFAULT, at::Device(at::kCPU, 0)));
  }
  c10::impl::VirtualGuardImpl runtime(where.type());
  if (!where.has_index()) {
    where = runtime.getDevice();
  }
  return plain(ask(runtime, where));
}

}  // namespace

ctorch_error *ctorch_stream_default(ctorch_stream *out, const ctorch_device *device) {
  return guard(__func__, [&] {
    to::require(out, "out");
    *out = stream_of(device, [](auto &runtime, at::Device where) { return runtime.getDefaultStream(where); });
  });
}

ctorch_error *ctorch_stream_current(ctorch_stream *out, const ctorch_device *device) {
  return guard(__func__, [&] {
    to::require(out, "out");
    *out = stream_of(device, [](auto &runtime, at::Device where) { return runtime.getStream(where); });
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
