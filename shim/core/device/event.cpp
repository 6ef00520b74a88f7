// event.h: events of accelerators.
#include "ctorch/device/event.h"

#include <c10/core/Event.h>
#include <c10/core/impl/VirtualGuardImpl.h>

#include <chrono>
#include <optional>

#include "core/abi/error.hpp"
#include "core/abi/from.hpp"
#include "core/abi/to.hpp"
#include "core/device/device.hpp"

/// LibTorch's event, or for a CPU, where it has none, the moment at which it was recorded.
struct ctorch_event final : ctorch::Object {
  using Clock = std::chrono::steady_clock;

  ctorch_event(at::DeviceType type, bool enable_timing) : type(type), enable_timing(enable_timing) {
    if (type != at::kCPU) {
      event.emplace(type, enable_timing ? c10::EventFlag::BACKEND_DEFAULT : c10::EventFlag::PYTORCH_DEFAULT);
    }
  }

  const char *type_name() const noexcept override { return "event"; }

  at::DeviceType type;
  bool enable_timing;
  std::optional<c10::Event> event;
  std::optional<Clock::time_point> recorded;
};

using namespace ctorch;

namespace {

/// The stream that is meant, of a device of the event's type.
c10::Stream stream_for(const ctorch_event &self, const ctorch_stream *stream) {
  if (stream != nullptr) {
    c10::Stream given = existing_stream(stream, "stream");
    require_same_type(at::Device(self.type), given.device(), "stream");
    return given;
  }
  ctorch_device current = {static_cast<int32_t>(self.type), -1};
  at::Device where = existing_device(&current, "stream");
  if (where.is_cpu()) {
    return c10::Stream(c10::Stream::DEFAULT, where);
  }
  return c10::impl::VirtualGuardImpl(where.type()).getStream(where);
}

/// The rules and the words of c10::Event.
double elapsed_on_cpu(const ctorch_event &start, const ctorch_event &end) {
  if (!start.enable_timing || !end.enable_timing) {
    fail(CTORCH_ERROR_VALUE, "Both events must be created with argument 'enable_timing=True'.");
  }
  if (!start.recorded || !end.recorded) {
    fail(CTORCH_ERROR_VALUE, "Both events must be recorded before calculating elapsed time.");
  }
  return std::chrono::duration<double, std::milli>(*end.recorded - *start.recorded).count();
}

}  // namespace

ctorch_error *ctorch_event_new(ctorch_event **out, ctorch_device_type type, bool enable_timing) {
  return guard(__func__, [&] {
    to::require(out, "out");
    to::give(c10::make_intrusive<ctorch_event>(device_type(type, "type"), enable_timing), out);
  });
}

void ctorch_event_retain(const ctorch_event *self) { retain_object(self); }

void ctorch_event_release(ctorch_event *self) { release_object(self); }

ctorch_error *ctorch_event_record(ctorch_event *self, const ctorch_stream *stream) {
  return guard(__func__, [&] {
    ctorch_event &event = from::object(self, "self");
    c10::Stream where = stream_for(event, stream);
    if (event.event) {
      event.event->record(where);
    } else {
      event.recorded = ctorch_event::Clock::now();
    }
  });
}

ctorch_error *ctorch_event_wait(const ctorch_event *self, const ctorch_stream *stream) {
  return guard(__func__, [&] {
    const ctorch_event &event = from::object(self, "self");
    c10::Stream where = stream_for(event, stream);
    if (event.event) {
      event.event->block(where);
    }
  });
}

ctorch_error *ctorch_event_query(bool *out, const ctorch_event *self) {
  return guard(__func__, [&] {
    to::require(out, "out");
    const ctorch_event &event = from::object(self, "self");
    *out = !event.event || event.event->query();
  });
}

ctorch_error *ctorch_event_synchronize(const ctorch_event *self) {
  return guard(__func__, [&] {
    const ctorch_event &event = from::object(self, "self");
    if (event.event) {
      event.event->synchronize();
    }
  });
}

ctorch_error *ctorch_event_elapsed_time(double *out, const ctorch_event *self, const ctorch_event *end) {
  return guard(__func__, [&] {
    to::require(out, "out");
    const ctorch_event &first = from::object(self, "self"), &last = from::object(end, "end");
    require_same_type(at::Device(first.type), at::Device(last.type), "end");
    *out = first.event ? first.event->elapsedTime(*last.event) : elapsed_on_cpu(first, last);
  });
}

ctorch_error *ctorch_event_device(ctorch_device *out, const ctorch_event *self) {
  return guard(__func__, [&] {
    to::require(out, "out");
    const ctorch_event &event = from::object(self, "self");
    *out = event.event ? to::device(event.event->device())
                       : ctorch_device{CTORCH_DEVICE_TYPE_CPU, event.recorded ? 0 : -1};
  });
}

ctorch_error *ctorch_event_native_handle(void **out, const ctorch_event *self) {
  return guard(__func__, [&] {
    to::require(out, "out");
    const ctorch_event &event = from::object(self, "self");
    *out = event.event ? event.event->eventId() : nullptr;
  });
}
