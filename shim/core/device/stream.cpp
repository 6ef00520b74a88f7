// stream.h: streams of accelerators, by LibTorch's guards.
#include "ctorch/device/stream.h"

#include <c10/core/Event.h>
#include <c10/core/impl/VirtualGuardImpl.h>

#include <utility>
#include <vector>

#include "core/abi/error.hpp"
#include "core/abi/from.hpp"
#include "core/abi/mode.hpp"
#include "core/abi/thread.hpp"
#include "core/abi/to.hpp"
#include "core/device/device.hpp"
#include "core/torch/accelerator.hpp"

using namespace ctorch;

namespace {

const at::Device CPU(at::kCPU, 0);

/// Ask the device's runtime. The CPU has none, and one stream.
template <class Ask>
ctorch_stream stream_of(const ctorch_device *device, Ask &&ask) {
  at::Device where = existing_device(device, "device");
  if (where.is_cpu()) {
    return plain_stream(c10::Stream(c10::Stream::DEFAULT, where));
  }
  return plain_stream(ask(c10::impl::VirtualGuardImpl(where.type()), where));
}

/// What was current before a stream was made so.
struct Before {
  at::Device device;
  c10::Stream stream;
};
struct PushedStreams final : PerThread {
  std::vector<Before> before;
};

Before make_current(const c10::Stream &stream, at::Device device) {
  if (device.is_cpu()) {
    return {CPU, c10::Stream(c10::Stream::DEFAULT, CPU)};
  }
  c10::impl::VirtualGuardImpl runtime(device.type());
  at::Device before = runtime.exchangeDevice(device);
  return {before, runtime.exchangeStream(stream)};
}

Before make_current(const c10::Stream &stream) { return make_current(stream, stream.device()); }

void take_back(uintptr_t) noexcept {
  auto &pushed = per_thread<PushedStreams>().before;
  if (pushed.empty()) {
    return;
  }
  const Before before = pushed.back();
  pushed.pop_back();
  try {
    make_current(before.stream, before.device);
  } catch (...) {  // the runtime refuses, and there is nobody to tell
  }
}

const ModeKind current_stream = {"stream", take_back, true};

}  // namespace

ctorch_error *ctorch_stream_default(ctorch_stream *out, const ctorch_device *device) {
  return guard(__func__, [&] {
    to::require(out, "out");
    *out = stream_of(device, [](const auto &runtime, at::Device where) { return runtime.getDefaultStream(where); });
  });
}

ctorch_error *ctorch_stream_current(ctorch_stream *out, const ctorch_device *device) {
  return guard(__func__, [&] {
    to::require(out, "out");
    *out = stream_of(device, [](const auto &runtime, at::Device where) { return runtime.getStream(where); });
  });
}

ctorch_error *ctorch_stream_new(ctorch_stream *out, int32_t priority, const ctorch_device *device) {
  return guard(__func__, [&] {
    to::require(out, "out");
    *out =
        stream_of(device, [&](const auto &runtime, at::Device where) { return runtime.getNewStream(where, priority); });
  });
}

ctorch_error *ctorch_stream_from_pool(ctorch_stream *out, bool high_priority, const ctorch_device *device) {
  return guard(__func__, [&] {
    to::require(out, "out");
    *out = stream_of(device, [&](const auto &runtime, at::Device where) {
      return runtime.getStreamFromGlobalPool(where, high_priority);
    });
  });
}

ctorch_error *ctorch_stream_from_native(ctorch_stream *out, void *handle, const ctorch_device *device) {
  return guard(__func__, [&] {
    to::require(out, "out");
    from::device(device, "device");
    at::Device where = existing_device(device, "device");
    if (!where.is_cuda() && !where.is_xpu()) {
      fail(
          CTORCH_ERROR_UNSUPPORTED,
          std::string("streams of type ") + at::DeviceTypeName(where.type(), true) + " are not made of native ones");
    }
    // CUDA and XPU keep an outside stream as its address, and tell it from their own by the last bit.
    auto id = static_cast<c10::StreamId>(reinterpret_cast<intptr_t>(handle));
    if (id & 1) {
      fail_argument("handle", "an odd address is no stream");
    }
    *out = plain_stream(c10::Stream(c10::Stream::UNSAFE, where, id));
  });
}

ctorch_error *ctorch_stream_native_handle(void **out, const ctorch_stream *self) {
  return guard(__func__, [&] {
    to::require(out, "out");
    c10::Stream stream = existing_stream(self, "self");
    if (stream.device().is_cpu()) {
      fail(CTORCH_ERROR_UNSUPPORTED, "the stream of a CPU is nothing that a runtime has a name for");
    }
    *out = libtorch::native_handle(stream);
  });
}

ctorch_error *ctorch_stream_set_current(const ctorch_stream *self) {
  return guard(__func__, [&] { make_current(existing_stream(self, "self")); });
}

ctorch_error *ctorch_stream_push(const ctorch_stream *self) {
  return guard(__func__, [&] {
    c10::Stream stream = existing_stream(self, "self");
    push_mode(current_stream, [&] {
      auto &pushed = per_thread<PushedStreams>().before;
      pushed.push_back({stream.device(), stream});
      try {
        pushed.back() = make_current(stream);
      } catch (...) {
        pushed.pop_back();
        throw;
      }
      return 0;
    });
  });
}

ctorch_error *ctorch_stream_pop(void) {
  return guard(__func__, [&] {
    pop_mode(current_stream, [] {
      auto &pushed = per_thread<PushedStreams>().before;
      if (pushed.empty()) {
        fail(CTORCH_ERROR_RUNTIME, "no stream was pushed on this thread");
      }
      const Before &before = pushed.back();
      make_current(before.stream, before.device);
      pushed.pop_back();
    });
  });
}

ctorch_error *ctorch_stream_synchronize(const ctorch_stream *self) {
  return guard(__func__, [&] { existing_stream(self, "self").synchronize(); });
}

ctorch_error *ctorch_stream_query(bool *out, const ctorch_stream *self) {
  return guard(__func__, [&] {
    to::require(out, "out");
    *out = existing_stream(self, "self").query();
  });
}

ctorch_error *ctorch_stream_wait_stream(const ctorch_stream *self, const ctorch_stream *other) {
  return guard(__func__, [&] {
    c10::Stream waiting = existing_stream(self, "self"), awaited = existing_stream(other, "other");
    require_same_type(waiting.device(), awaited.device(), "other");
    if (!waiting.device().is_cpu()) {
      c10::Event event(awaited.device_type());
      event.record(awaited);
      event.block(waiting);
    }
  });
}

ctorch_error *ctorch_stream_is_capturing(bool *out, const ctorch_stream *self) {
  return guard(__func__, [&] {
    to::require(out, "out");
    *out = libtorch::is_capturing(existing_stream(self, "self"));
  });
}

bool ctorch_stream_equal(const ctorch_stream *self, const ctorch_stream *other) {
  if (self == nullptr || other == nullptr) {
    return self == other;
  }
  return self->id == other->id && self->device_type == other->device_type && self->device_index == other->device_index;
}
