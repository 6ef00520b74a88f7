// interrupt.h.
#include "ctorch/abi/interrupt.h"

#include "core/abi/error.hpp"
#include "core/abi/from.hpp"
#include "core/abi/interrupt.hpp"

void ctorch_interrupt(void) { ctorch::interrupt(); }

ctorch_error *ctorch_interrupt_set_callback(
    ctorch_interrupt_callback callback, void (*destroy)(void *payload), void *payload) {
  return ctorch::guard_while_ending(__func__, [&] {
    ctorch::set_interrupt_callback(ctorch::from::callback(callback, "callback"), destroy, payload);
  });
}

void ctorch_interrupt_clear_callback(void) { ctorch::clear_interrupt_callback(); }

bool ctorch_interrupt_python(void *methods) { return ctorch::interrupt_by_python(methods); }
