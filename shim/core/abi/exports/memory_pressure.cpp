// memory_pressure.h: setting and clearing the callback.
#include "ctorch/abi/memory_pressure.h"

#include "core/abi/cpu_allocator.hpp"
#include "core/abi/error.hpp"
#include "core/abi/from.hpp"
#include "core/abi/memory_pressure.hpp"

using namespace ctorch;

ctorch_error *ctorch_memory_pressure_set_callback(
    ctorch_memory_pressure_callback callback, uint64_t threshold, void (*destroy)(void *payload), void *payload) {
  return guard_while_ending(__func__, [&] {
    set_memory_pressure_callback(from::callback(callback, "callback"), threshold, destroy, payload, MayThread::Yes);
  });
}

ctorch_error *ctorch_memory_pressure_set_thread_callback(
    ctorch_memory_pressure_callback callback, uint64_t threshold, void (*destroy)(void *payload), void *payload) {
  return guard_while_ending(__func__, [&] {
    set_memory_pressure_callback(from::callback(callback, "callback"), threshold, destroy, payload, MayThread::No);
  });
}

void ctorch_memory_pressure_clear_callback(void) { clear_memory_pressure_callback(); }

uint64_t ctorch_memory_pressure_held_bytes(void) { return held_bytes(); }

uint64_t ctorch_memory_pressure_allocated_bytes(void) {
  cpu_allocator::begin_total();
  return cpu_allocator::total();
}
