// Memory pressure: the bytes that handles keep alive, and the callback that is asked to free some.
#pragma once

#include <stdint.h>

#include <initializer_list>

#include "core/abi/handle.hpp"
#include "ctorch/abi/memory_pressure.h"

namespace ctorch {

/// Whether handles that are added may call the callback.
enum class Growth { Reported, Silent };

/// The book of BYTES. Adding is all or nothing; it may call back, and fails if that does. Handles that were never added
/// may be let go.
void hold(std::initializer_list<Handle> handles, Growth growth);
void let_go(std::initializer_list<Handle> handles) noexcept;

/// After an allocation failed: ask the callback to free memory. False if there is none, or if this thread is in it.
bool relieve(uint64_t requested_bytes);

/// Whether the callback runs on any thread, or on the one that sets it alone.
enum class MayThread { No, Yes };

/// Have another callback, or none. A failure takes nothing.
void set_memory_pressure_callback(
    ctorch_memory_pressure_callback callback,
    uint64_t threshold,
    void (*destroy)(void *payload),
    void *payload,
    MayThread may_thread);
void clear_memory_pressure_callback();

uint64_t held_bytes();

}  // namespace ctorch
